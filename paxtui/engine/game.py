"""One game: acts become lines, lines become the state, and any of them can be looked at again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic

from paxtui.engine.dice import Dice, check_queue, commitment
from paxtui.engine.log import BrokenLog, Header, Line, decode_line, digest, encode_header, encode_line
from paxtui.engine.positions import Way
from paxtui.engine.projection import Projection
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.engine.timeline import Rules, S, Timeline, decode_events
from paxtui.engine.undo import (
    Requests,
    acted_since,
    anchor,
    any_public,
    barrier_refusal,
    barriers,
    consent_needed,
    last_taken,
    request,
    taken_since,
)

# Gets each line, newline included, and returns only when it is safe.
Sink = Callable[[bytes], None]


class Game(Generic[S]):
    """The game that a log tells, and the only door by which it goes on.

    Made by `Game.new` or `Game.load`. Whatever is refused or fails leaves the game as it was.
    """

    def __init__(self, rules: Rules[S], header: Header, lines: Iterable[Line], tip: str, sink: Sink | None, seed: str):
        self._rules = rules
        self._header = header
        self._sink = sink
        self._seed = header.seed or seed
        if header.commitment and self._seed and commitment(self._seed) != header.commitment:
            raise BrokenLog(1, "the seed is not the one that was promised")
        self._timeline: Timeline[S] = Timeline(rules, header)
        self._requests = Requests()
        self._dice_used = 0
        self._queue: tuple[int, ...] = ()
        last = encode_header(header)
        for line in lines:
            self._follow(line)
        if not tip and self._timeline.lines:
            last = encode_line(self._timeline.lines[-1])
        self._tip = tip or digest(last)
        self._state = self._timeline.state_at(self._timeline.position)

    @classmethod
    def new(cls, rules: Rules[S], header: Header, *, sink: Sink | None = None, seed: str = "") -> Game[S]:
        """A game at its start. The header itself is not given to the sink.

        Args:
            rules: the game's rules.
            header: line 1.
            sink: keeps each later line before it counts.
            seed: the seed of a game whose header only commits to it.

        Raises:
            BrokenLog: the header's position cannot be read, or the seed is not the promised one.
        """
        return cls(rules, header, (), "", sink, seed)

    @classmethod
    def load(
        cls,
        rules: Rules[S],
        header: Header,
        lines: Iterable[Line],
        *,
        sink: Sink | None = None,
        seed: str = "",
        tip: str = "",
    ) -> Game[S]:
        """A game as its log left it.

        Args:
            rules: the game's rules; old events are never judged by them.
            header: line 1.
            lines: the lines after it, as `parse` gives them.
            sink: keeps each later line before it counts.
            seed: the seed of a game whose header only commits to it.
            tip: the hash of the last line's bytes (`Parsed.tip`), where those are at hand.

        Raises:
            BrokenLog: a line contradicts those before it or cannot be read.
        """
        return cls(rules, header, lines, tip, sink, seed)

    @property
    def header(self) -> Header:
        """Line 1."""
        return self._header

    @property
    def state(self) -> S:
        """The state now."""
        return self._state

    @property
    def version(self) -> int:
        """The number of the last line; the header is line 1."""
        return self._timeline.version

    @property
    def lines(self) -> tuple[Line, ...]:
        """All lines after the header."""
        return tuple(self._timeline.lines)

    def line(self, n: int) -> Line:
        """Line `n`, from 2 to the last."""
        return self._timeline.line(n)

    def lines_after(self, n: int) -> tuple[Line, ...]:
        """The lines after line `n`."""
        return tuple(self._timeline.lines[max(0, n - 1) :])

    @property
    def dice_used(self) -> int:
        """How many seeded numbers the game has used, those of undone lines included."""
        return self._dice_used

    @property
    def queue(self) -> tuple[int, ...]:
        """The dice set by hand that are still to come."""
        return self._queue

    def queue_dice(self, results: Sequence[int]) -> None:
        """Set the next dice by hand, after those that are set already. Logged when they are rolled.

        Raises:
            Refusal: ``bad_die``.
        """
        self._queue += check_queue(results)

    def act(self, seat: str, action: Any, time: str = "") -> Line:
        """Decide an action and append it.

        Args:
            seat: who acts.
            action: what the rules' `decide` understands.
            time: when, ISO 8601, for the log.

        Returns:
            The line that was appended.

        Raises:
            Refusal: by the rules; or ``not_a_player``, ``no_seed``, ``bad_text``. Nothing has changed.
            OSError: or whatever the sink raised; nothing has changed.
        """
        if seat == SPECTATOR:
            raise Refusal("not_a_player", (), "A spectator has no part in the game.")
        dice = Dice(self._seed, self._dice_used, self._queue)
        decided = self._rules.decide(self._state, seat, action, dice)
        used = dice.index - self._dice_used
        if used and self._header.commitment and not self._seed:
            raise Refusal("no_seed", (), "The seed of this game is not at hand, so no die can be rolled.")
        line, data = self._draft(
            seat=seat,
            time=time,
            action=self._rules.encode_action(action),
            events=tuple(self._rules.encode_event(event) for event in decided),
            dice=used,
            queue=dice.queue_taken,
        )
        # The events as they will be read back are folded, not those that `decide` gave: what holds
        # now must be what the log will say tomorrow.
        state = self._state
        for event in decode_events(self._rules, line):
            state = self._rules.evolve(state, event)
        self._write(line, data, state)
        self._queue = dice.queue_left
        return line

    def note(self, seat: str, content: dict[str, Any], time: str = "") -> Line:
        """Append a line that changes no position (chat, a resignation).

        Args:
            seat: who.
            content: builtins with a ``type``.
            time: when, ISO 8601, for the log.

        Raises:
            Refusal: ``bad_text``. Nothing has changed.
        """
        line, data = self._draft(seat=seat, time=time, kind="note", action=content)
        self._write(line, data, self._state)
        return line

    def undo(
        self, seat: str, to: int | None = None, force: bool = False, time: str = "", known: Projection | None = None
    ) -> Line:
        """Take something back, or ask the others to agree to it.

        Without `to`, the seat's last action in force and whatever came after it; the arbiter takes back
        the last action of anybody. With `to`, the position after that line holds again; where something
        stands in the way, this asks for it, and it happens when all who have to agree have asked.

        What others have done between some seats only stays as it is: it is not taken back, stands in
        nobody's way, and is told to nobody.

        Args:
            seat: who wants it.
            to: the line whose position is to hold again.
            force: the arbiter's right to pass over everything that stands in the way.
            time: when, ISO 8601, for the log.
            known: the log as the seat has it; the numbers of refusals are then those of the seat. `to` is
                the log's in any case.

        Returns:
            The line of the undo, or the note of the request (kind ``note``) while others have yet to agree.

        Raises:
            Refusal: ``undo_barrier``, ``nothing_to_undo``, ``no_such_line``, ``undo_target``,
                ``already_asked``, ``not_arbiter``, ``not_a_player``. Nothing has changed.
        """
        self._check_seat(seat)
        if force and seat != ARBITER:
            raise Refusal("not_arbiter", (), "Only the arbiter may take back what others would have to agree to.")
        timeline = self._timeline
        if to is None:
            taken = last_taken(timeline, seat)
        else:
            self._position_of(to)
            taken = taken_since(timeline, seat, to, known.number(to) if known else to)
        lines = [timeline.line(n) for n in taken]
        found = barriers(seat, lines, self._reveals)
        if to is None and timeline.between(taken[0]):
            found = found.joined(acted_since(timeline, seat, taken[0]))
        if not found or force or self._header.undo == "free":
            return self._undo_to(seat, to, taken, time)
        found_by_seat = found.numbered(known.number) if known else found
        if not any_public(timeline, [n for n in timeline.in_force() if n >= taken[0]]):
            # Others have built on what was agreed in private: no consent could be asked for without telling of it.
            raise barrier_refusal(found_by_seat, to=None)
        needed = consent_needed(seat, lines, found_by_seat, self._header.seats)
        if to is None:
            before = anchor(timeline, [n for n in timeline.in_force() if n < taken[0]])
            raise barrier_refusal(found_by_seat, to=known.position(before) if known else before)
        asked = self._requests.asked(self._anchor(to))
        missing = needed - asked - {seat}
        if seat in asked and missing:
            names = ", ".join(sorted(missing))
            raise Refusal(
                "already_asked", (), f"You have asked for this; it waits for {names}.", missing=sorted(missing)
            )
        if seat not in asked:
            note = self.note(seat, request(to), time)
            if missing:
                return note
        return self._undo_to(seat, to, taken, time)

    def redo(self, seat: str, time: str = "") -> Line:
        """Bring back what the last undo took back: the recorded events, with the same dice.

        A seat may do so where the undo was its own and concerned only its own actions; the arbiter,
        and anybody in a game with free undo, always. A new action ends the possibility, unless it is
        between some seats only.

        Raises:
            Refusal: ``nothing_to_redo``, ``redo_barrier``, ``not_a_player``. Nothing has changed.
        """
        self._check_seat(seat)
        timeline = self._timeline
        found = [
            u
            for u in timeline.undone
            if seat in (ARBITER, timeline.line(u.line).seat) or any_public(timeline, u.acts)
        ]
        if not found:
            raise Refusal("nothing_to_redo", (), "There is nothing to bring back.")
        last = found[-1]
        if self._header.undo != "free" and seat != ARBITER:
            told = [n for n in last.acts if not timeline.between(n) or seat in timeline.between(n)]
            others = sorted({timeline.line(n).seat for n in (*told, last.line)} - {seat})
            if others:
                message = f"This concerns {', '.join(others)} too, so it cannot be brought back by one seat."
                raise Refusal("redo_barrier", (), message, seats=others)
        acts = tuple(sorted({*timeline.in_force(), *last.acts}))
        way = timeline.positions.way_to(acts, last.before)
        return self._go(seat, "redo", way.base, way, time)

    def undo_requests(self) -> dict[int, tuple[str, ...]]:
        """Open requests for an undo: the last act that would hold, 1 for none, and who asks for it."""
        return self._requests.open()

    def seek(self, n: int) -> S:
        """The state after line `n` of the log, whatever kind of line it is; 1 is the start.

        Raises:
            Refusal: ``no_such_line``.
        """
        return self._timeline.state_at(self._position_of(n))

    def history(self) -> tuple[tuple[int, int], ...]:
        """Every line number from 1 on, with the line whose position holds after it."""
        return tuple((n, self._timeline.position_of(n)) for n in range(1, self.version + 1))

    def effective_lines(self) -> tuple[Line, ...]:
        """The acts that are in force now, in order."""
        return tuple(self._timeline.line(n) for n in self._timeline.in_force())

    def events(self, n: int) -> tuple[Any, ...]:
        """The events of line `n` as today's rules read them; none for the header and for other kinds.

        Raises:
            Refusal: ``no_such_line``.
        """
        self._position_of(n)
        return () if n == 1 else self._timeline.events(n)

    def _position_of(self, n: int) -> int:
        if not 1 <= n <= self.version:
            raise Refusal("no_such_line", (), f"The log has lines 1 to {self.version}, and no line {n}.", line=n)
        return self._timeline.position_of(n)

    def _check_seat(self, seat: str) -> None:
        if seat != ARBITER and seat not in self._header.seats:
            raise Refusal("not_a_player", (), f"{seat} is no seat of this game.", seat=seat)

    def _reveals(self, line: Line) -> bool:
        return any(self._rules.reveals(event) for event in self._timeline.events(line.n))

    def _anchor(self, n: int) -> int:
        """The position after line `n` as all seats know it: its last public act, or 1."""
        return anchor(self._timeline, self._timeline.in_force(self._timeline.position_of(n)))

    def _undo_to(self, seat: str, to: int | None, taken: tuple[int, ...], time: str) -> Line:
        """Take back some acts; the rest stays in force. `to`: the line asked for, where one was."""
        acts = tuple(n for n in self._timeline.in_force() if n not in frozenset(taken))
        way = self._timeline.positions.way_to(acts, self._timeline.position)
        asked = to is not None and self._timeline.position_of(to) == way.base
        return self._go(seat, "undo", to if to is not None and asked else way.base, way, time)

    def _go(self, seat: str, kind: str, target: int, way: Way, time: str) -> Line:
        """Append the line that leads to another position."""
        line, data = self._draft(seat=seat, time=time, kind=kind, target=target, kept=way.kept)
        state = self._timeline.state_at(way.base)
        for n in way.kept:
            for event in self._timeline.events(n):
                state = self._rules.evolve(state, event)
        self._write(line, data, state)
        return line

    def _draft(self, **fields: Any) -> tuple[Line, bytes]:
        """The next line as it will be read back, and its bytes."""
        draft = Line(n=self.version + 1, prev=self._tip, **fields)
        try:
            data = encode_line(draft)
        except UnicodeEncodeError as error:
            raise Refusal("bad_text", (), "The text holds characters that cannot be stored.") from error
        return decode_line(data, draft.n), data

    def _write(self, line: Line, data: bytes, state: S) -> None:
        """Keep the line, and only then let it count."""
        if self._sink is not None:
            self._sink(data)
        self._follow(line, state)
        self._tip = digest(data)
        self._state = state

    def _follow(self, line: Line, state: S | None = None) -> None:
        """Take account of a line in everything but the state."""
        before = self._timeline.undone
        self._timeline.append(line, state)
        public = True
        if line.kind == "act":
            public = not self._timeline.between(line.n)
        elif line.kind == "undo":
            public = any_public(self._timeline, self._timeline.undone[-1].acts)
        elif line.kind == "redo":
            gone = [u for u in before if u not in self._timeline.undone]
            public = any_public(self._timeline, gone[-1].acts)
        self._requests.follow(line, self._anchor, public)
        self._dice_used += line.dice
