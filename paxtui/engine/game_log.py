"""One game: acts become lines, lines become the state, and any of them can be looked at again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import Any, Generic

from paxtui.engine.dice import Dice, check_queue, commitment
from paxtui.engine.fair_dice import DiceNote, FairDice, SeedRevealed, raw_note
from paxtui.engine.lines import SelectedLines
from paxtui.engine.log import ActionReason, BrokenLog, Header, Line, decode_line, digest, encode_header, encode_line
from paxtui.engine.log_replayer import LogReplayer, undo_request
from paxtui.engine.projection import Projection
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.engine.timeline import Rules, S, decode_events, is_over
from paxtui.engine.undo import decide_redo, decide_undo
from paxtui.engine.upcast import Raw
from paxtui.engine.verify import Difference, verify

# Gets each line, newline included, and returns only when it is safe.
Sink = Callable[[bytes], None]

# The reason for an act, from the events that it has come to.
Reasoned = Callable[[Sequence[Any]], ActionReason | None]


class GameLog(Generic[S]):
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
        self._course: LogReplayer[S] = LogReplayer(rules, header)
        self._timeline = self._course.timeline
        self._queue: tuple[int, ...] = ()
        last = encode_header(header)
        for line in lines:
            self._course.follow(line)
        self._seed = self._seed or self._course.fair.seed
        if not tip and self._timeline.lines:
            last = encode_line(self._timeline.lines[-1])
        self._tip = tip or digest(last)
        self._state = self._course.state

    @classmethod
    def new(cls, rules: Rules[S], header: Header, *, sink: Sink | None = None, seed: str = "") -> GameLog[S]:
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
    ) -> GameLog[S]:
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
        return self._course.dice_used

    @property
    def queue(self) -> tuple[int, ...]:
        """The dice set by hand that are still to come."""
        return self._queue

    @property
    def dice(self) -> FairDice:
        """How far fair dice are."""
        return self._course.fair

    @property
    def has_seed(self) -> bool:
        """Whether the seed is at hand."""
        return bool(self._seed)

    def secret(self, purpose: str) -> str:
        """What nobody knows who has not got the seed, and by which nobody gets it: "" where it is not at hand.

        It has nothing to do with the dice. Of a plain game whose log holds the seed it is the seed itself.
        """
        if self._header.seed or not self._seed:
            return self._header.seed
        return sha256(f"paxtui/{purpose}|{self._seed}".encode("utf-8", "surrogatepass")).hexdigest()

    def queue_dice(self, results: Sequence[int]) -> None:
        """Set the next dice by hand, after those that are set already. Logged when they are rolled.

        Raises:
            Refusal: ``bad_die``, ``fair_dice``.
        """
        if self.dice.fair:
            raise Refusal("fair_dice", (), "Nobody sets the dice of this game by hand.")
        self._queue += check_queue(results)

    def act(self, seat: str, action: Any, time: str = "", why: Reasoned | None = None) -> Line:
        """Decide an action and append it.

        Args:
            seat: who acts.
            action: what the rules' `decide` understands.
            time: when, ISO 8601, for the log.
            why: gives the reason that the log keeps beside the act.

        Returns:
            The line that was appended.

        Raises:
            Refusal: by the rules; or ``not_a_player``, ``no_seed``, ``dice_wait``, ``bad_text``. Nothing has changed.
            OSError: or whatever the sink raised; nothing has changed.
        """
        if seat == SPECTATOR:
            raise Refusal("not_a_player", (), "A spectator has no part in the game.")
        self.dice.check_open()
        try:
            key, lacking = self.dice.key(self._seed), None
        except Refusal as refusal:  # what needs no die can be done all the same
            key, lacking = "", refusal
        dice = Dice(key, self.dice_used, self._queue)
        decided = self._rules.decide(self._state, seat, action, dice).events
        used = dice.index - self.dice_used
        if used and lacking is not None:
            raise lacking
        line, data = self._draft(
            seat=seat,
            time=time,
            action=self._rules.encode_action(action),
            events=tuple(self._rules.encode_event(event) for event in decided),
            dice=used,
            queue=dice.queue_taken,
            why=why(decided) if why is not None else None,
        )
        # The events as they will be read back are folded, not those that `decide` gave: what holds
        # now must be what the log will say tomorrow.
        state, events = self._state, decode_events(self._rules, line)
        for event in events:
            state = self._rules.evolve(state, event)
        self._write(line, data, state, events)
        self._queue = dice.queue_left
        return line

    def follow(self, line: Line, tip: str) -> None:
        """Take over a line that another game has accepted: of the same log, on another machine.

        Args:
            line: the next one.
            tip: the hash of its bytes.

        Raises:
            BrokenLog: it contradicts those before it. Nothing has changed.
        """
        self._course.follow(line)
        self._seed = self._seed or self.dice.seed
        self._tip = tip
        self._state = self._course.state

    @property
    def tip(self) -> str:
        """The hash of the last line, which the next one will name."""
        return self._tip

    def note(self, seat: str, content: Raw, time: str = "") -> Line:
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

    def dice_note(self, seat: str, note: DiceNote, time: str = "") -> Line:
        """Append a note about fair dice.

        Raises:
            Refusal: as `FairDice.check`. Nothing has changed.
            OSError: or whatever the sink raised; nothing has changed.
        """
        self.dice.check(seat, note, self._over(), self._course.passed, self._course.has_started)
        return self.note(seat, raw_note(note), time)

    def reveal_seed(self, time: str = "") -> Line:
        """Tell the seed of a game that is over. Raises: Refusal, as `FairDice.check`; ``no_seed``."""
        if not self._seed:
            raise Refusal("no_seed", (), "The seed of this game is not at hand, so it cannot be told.")
        return self.dice_note(ARBITER, SeedRevealed(self._seed), time)

    def note_passed_dice(self, time: str = "") -> Line | None:
        """After an undo that went past dice: say so. None where the last line is no such undo."""
        passed = self._course.passed if self.dice.fair else None
        return None if passed is None else self.dice_note(ARBITER, passed, time)

    def _over(self) -> bool:
        return is_over(self._rules, self._state)

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
        if to is not None:
            self._position_of(to)
        undoing = decide_undo(self._course, seat, to, force, known)
        if undoing.request:
            note = self.note(seat, undo_request(undoing.request), time)
            if undoing.missing:
                return note
        return self._go(seat, "undo", undoing.target, undoing.kept, time)

    def redo(self, seat: str, time: str = "") -> Line:
        """Bring back what the last undo took back: the recorded events, with the same dice.

        A seat may do so where the undo was its own and concerned only its own actions; the arbiter,
        and anybody in a game with free undo, always. A new action ends the possibility, unless it is
        between some seats only.

        Raises:
            Refusal: ``nothing_to_redo``, ``redo_barrier``, ``not_a_player``. Nothing has changed.
        """
        way = decide_redo(self._course, seat)
        return self._go(seat, "redo", way.base, way.kept, time)

    def verify(self) -> list[Difference]:
        """What of the log today's rules do not account for, see `paxtui.engine.verify`."""
        return verify(self._rules, self._header, self.lines, seed=self._seed, events=self._timeline.events)

    def undo_requests(self) -> dict[int, tuple[str, ...]]:
        """Open requests for an undo: the last act that would hold, 1 for none, and who asks for it."""
        return self._course.requests.open()

    def seek(self, n: int) -> S:
        """The state after line `n` of the log, whatever kind of line it is; 1 is the start.

        Raises:
            Refusal: ``no_such_line``.
        """
        return self._timeline.state_at(self._position_of(n))

    def history(self) -> tuple[tuple[int, int], ...]:
        """Every line number from 1 on, with the line whose position holds after it."""
        return tuple((n, self._timeline.position_of(n)) for n in range(1, self.version + 1))

    def effective_lines(self, at: int | None = None) -> Sequence[Line]:
        """The acts in force after line `at` of the log (None: now), in order. Raises: Refusal `no_such_line`."""
        position = None if at is None else self._position_of(at)
        return SelectedLines(self._timeline.lines, self._timeline.in_force(position))

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

    def _go(self, seat: str, kind: str, target: int, kept: tuple[int, ...], time: str) -> Line:
        """Append the line that leads to another position."""
        line, data = self._draft(seat=seat, time=time, kind=kind, target=target, kept=kept)
        state = self._timeline.state_at(self._timeline.position_of(target))
        for n in kept:
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

    def _write(self, line: Line, data: bytes, state: S, events: tuple[Any, ...] | None = None) -> None:
        """Keep the line, and only then let it count."""
        if self._sink is not None:
            self._sink(data)
        self._course.follow(line, state, events)
        self._tip = digest(data)
        self._state = state
