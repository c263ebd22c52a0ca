"""A game as a log: decide actions, append lines, compute states, undo and redo."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import Any, Generic

from paxtui.engine.dice import Dice, check_queue, commitment
from paxtui.engine.fair_dice import DiceNote, FairDice, SeedRevealed, raw_note
from paxtui.engine.game import Game, S
from paxtui.engine.lines import SelectedLines, share_texts
from paxtui.engine.log import ActionReason, BrokenLog, Header, Line, decode_line, digest, encode_header, encode_line
from paxtui.engine.log_replayer import LogReplayer, undo_request
from paxtui.engine.projection import Projection
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.engine.timeline import decode_events
from paxtui.engine.undo import decide_redo, decide_undo
from paxtui.engine.upcast import Raw
from paxtui.engine.verify import Difference, verify

# Write a line durably, newline included; return after fsync.
Sink = Callable[[bytes], None]

# Compute the reason for an act from its events.
Reasoned = Callable[[Sequence[Any]], ActionReason | None]


class GameLog(Generic[S]):
    """The log of one game and the only way to extend it. Every method is atomic.

    Args:
        rules: the game's rules; recorded events are not checked against them.
        header: line 1. It is not sent to the sink.
        lines: the lines after it, as `parse` returns them.
        sink: stores each later line before it takes effect.
        seed: the seed of a game whose header holds only its commitment.
        tip: the hash of the last line's bytes (`Parsed.tip`), if known.

    Attributes:
        rules, header, tip: as the arguments; `tip` is always known.
        state: the current state.
        queue: the dice set by hand that are not yet rolled.

    Raises:
        BrokenLog: the start position or a line cannot be read, a line contradicts those before it, or the seed does
            not match the commitment.
    """

    def __init__(
        self,
        rules: Game[S],
        header: Header,
        lines: Iterable[Line] = (),
        *,
        sink: Sink | None = None,
        seed: str = "",
        tip: str = "",
    ):
        self.rules = rules
        self.header = header
        self._sink = sink
        self._seed = header.seed or seed
        if header.commitment and self._seed and commitment(self._seed) != header.commitment:
            raise BrokenLog(1, "the seed is not the one that was promised")
        self._replayer: LogReplayer[S] = LogReplayer(rules, header)
        self._timeline = self._replayer.timeline
        self.queue: tuple[int, ...] = ()
        for line in lines:
            self._replay(line)
        self._seed = self._seed or self._replayer.fair.seed
        last = self._timeline.lines[-1] if self._timeline.lines else None
        self.tip = tip or digest(encode_line(last) if last is not None else encode_header(header))
        self.state = self._replayer.state

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
        return tuple(self._timeline.lines[max(0, n - 1) :])

    @property
    def dice_used(self) -> int:
        """Count of seeded numbers used so far, including those of undone lines."""
        return self._replayer.dice_used

    @property
    def dice(self) -> FairDice:
        """The progress of the fair dice protocol."""
        return self._replayer.fair

    @property
    def has_seed(self) -> bool:
        return bool(self._seed)

    def secret(self, purpose: str) -> str:
        """Derive a secret from the seed, or return "" if the seed is unknown.

        The seed cannot be computed from the result. If the header holds the seed, the result is the seed itself.
        """
        if self.header.seed or not self._seed:
            return self.header.seed
        return sha256(f"paxtui/{purpose}|{self._seed}".encode("utf-8", "surrogatepass")).hexdigest()

    def queue_dice(self, results: Sequence[int]) -> None:
        """Append dice set by hand to the queue. They are logged when they are rolled.

        Raises:
            Refusal: ``bad_die``, ``fair_dice``.
        """
        if self.dice.fair:
            raise Refusal("fair_dice", (), "The dice of this game cannot be set by hand.")
        self.queue += check_queue(results)

    def act(self, seat: str, action: Any, time: str = "", why: Reasoned | None = None) -> Line:
        """Decide an action and append it.

        Args:
            action: an action that the rules' `decide` accepts.
            time: ISO 8601 time for the log.
            why: computes the reason that the log stores with the act.

        Returns:
            The appended line.

        Raises:
            Refusal: by the rules; or ``not_a_player``, ``no_seed``, ``dice_wait``, ``bad_text``.
            OSError: or any other error of the sink.
        """
        if seat == SPECTATOR:
            raise Refusal("not_a_player", (), "A spectator cannot act.")
        self.dice.check_open()
        try:
            key, lacking = self.dice.key(self._seed), None
        except Refusal as refusal:  # actions that roll no die are still possible
            key, lacking = "", refusal
        dice = Dice(key, self.dice_used, self.queue)
        decided = self.rules.decide(self.state, seat, action, dice).events
        used = dice.index - self.dice_used
        if used and lacking is not None:
            raise lacking
        line, data = self._draft(
            seat=seat,
            time=time,
            action=self.rules.encode_action(action),
            events=tuple(self.rules.encode_event(event) for event in decided),
            dice=used,
            queue=dice.queue_taken,
            why=why(decided) if why is not None else None,
        )
        # Apply the events as they will be decoded from the log, not those that `decide` returned:
        # the current state must equal the state that the log restores later.
        state, events = self.state, decode_events(self.rules, line)
        for event in events:
            state = self.rules.evolve(state, event)
        self._write(line, data, state, events)
        self.queue = dice.queue_left
        return line

    def follow(self, line: Line, tip: str) -> None:
        """Append a line that a copy of this log on another machine has accepted.

        Args:
            tip: the hash of its bytes.

        Raises:
            BrokenLog: the line contradicts those before it.
        """
        self._replay(line)
        self._seed = self._seed or self.dice.seed
        self.tip = tip
        self.state = self._replayer.state

    def _replay(self, line: Line, state: S | None = None, events: tuple[Any, ...] | None = None) -> None:
        self._replayer.follow(line, state, events)
        # only a log that stays in memory saves by it; `verify` drops its copy
        for raw in (line.action, *line.events):
            share_texts(raw)

    def note(self, seat: str, content: Raw, time: str = "") -> Line:
        """Append a line that changes no position (chat, a resignation).

        Args:
            content: builtins with a ``type``.
            time: ISO 8601 time for the log.

        Raises:
            Refusal: ``bad_text``.
        """
        line, data = self._draft(seat=seat, time=time, kind="note", action=content)
        self._write(line, data, self.state)
        return line

    def dice_note(self, seat: str, note: DiceNote, time: str = "") -> Line:
        """Append a note about fair dice.

        Raises:
            Refusal: as `FairDice.check`.
            OSError: or any other error of the sink.
        """
        over = self.rules.is_over(self.state)
        self.dice.check(seat, note, over, self._replayer.passed, self._replayer.has_started)
        return self.note(seat, raw_note(note), time)

    def reveal_seed(self, time: str = "") -> Line:
        """Append the note that reveals the seed of a finished game.

        Raises:
            Refusal: ``no_seed``, or as `FairDice.check`.
        """
        if not self._seed:
            raise Refusal("no_seed", (), "The seed of this game is missing, so it cannot be published.")
        return self.dice_note(ARBITER, SeedRevealed(self._seed), time)

    def note_passed_dice(self, time: str = "") -> Line | None:
        """Append the note about an undo that took back fair dice. None if the last line is no such undo."""
        passed = self._replayer.passed if self.dice.fair else None
        return None if passed is None else self.dice_note(ARBITER, passed, time)

    def undo(
        self, seat: str, to: int | None = None, force: bool = False, time: str = "", known: Projection | None = None
    ) -> Line:
        """Take acts back, or request the consent of other seats.

        Without `to`, take back the seat's last act in force and all later acts. The arbiter takes back the last act
        of any seat. With `to`, restore the position after that line. If barriers exist, append a request; the undo
        happens when all required seats have requested it.

        Private acts between other seats are not taken back, block no undo, and are not revealed.

        Args:
            to: the line whose position is restored, in the numbers of the log.
            force: ignore all barriers; for the arbiter only.
            time: ISO 8601 time for the log.
            known: the seat's projection of the log; refusals then use its line numbers.

        Returns:
            The line of the undo, or the note of the request (kind ``note``).

        Raises:
            Refusal: ``undo_barrier``, ``nothing_to_undo``, ``no_such_line``, ``undo_target``, ``already_asked``,
                ``not_arbiter``, ``not_a_player``.
        """
        if to is not None:
            self._position_of(to)
        decision = decide_undo(self._replayer, seat, to, force, known)
        if decision.request:
            note = self.note(seat, undo_request(decision.request), time)
            if decision.missing:
                return note
        return self._append_undo(seat, "undo", decision.target, decision.kept, time)

    def redo(self, seat: str, time: str = "") -> Line:
        """Restore the acts that the last undo took back, with their recorded events and dice.

        A seat may redo its own undo if that undo took back only its own acts. The arbiter may always redo, and so may
        every seat in a game with free undo. A new public act makes redo impossible.

        Raises:
            Refusal: ``nothing_to_redo``, ``redo_barrier``, ``not_a_player``.
        """
        path = decide_redo(self._replayer, seat)
        return self._append_undo(seat, "redo", path.base, path.kept, time)

    def verify(self) -> list[Difference]:
        """Compare the log with the current rules, see `paxtui.engine.verify`."""
        return verify(self.rules, self.header, self.lines, seed=self._seed, events=self._timeline.events)

    def undo_requests(self) -> dict[int, tuple[str, ...]]:
        """Open undo requests: the last act that remains in force (1 for none) -> the requesting seats."""
        return self._replayer.requests.open()

    def seek(self, n: int) -> S:
        """The state after line `n` of the log, of any kind; 1 is the start.

        Raises:
            Refusal: ``no_such_line``.
        """
        return self._timeline.state_at(self._position_of(n))

    def effective_lines(self, at: int | None = None) -> Sequence[Line]:
        """The acts in force after line `at` of the log (None: now), in order.

        Raises:
            Refusal: ``no_such_line``.
        """
        position = None if at is None else self._position_of(at)
        return SelectedLines(self._timeline.lines, self._timeline.in_force(position))

    def events(self, n: int) -> tuple[Any, ...]:
        """The events of line `n`, decoded; empty for the header and for lines other than acts.

        Raises:
            Refusal: ``no_such_line``.
        """
        self._position_of(n)
        return () if n == 1 else self._timeline.events(n)

    def _position_of(self, n: int) -> int:
        if not 1 <= n <= self.version:
            raise Refusal("no_such_line", (), f"The log has lines 1 to {self.version}, and no line {n}.", line=n)
        return self._timeline.position_of(n)

    def _append_undo(self, seat: str, kind: str, target: int, kept: tuple[int, ...], time: str) -> Line:
        line, data = self._draft(seat=seat, time=time, kind=kind, target=target, kept=kept)
        state = self._timeline.state_at(self._timeline.position_of(target))
        for n in kept:
            for event in self._timeline.events(n):
                state = self.rules.evolve(state, event)
        self._write(line, data, state)
        return line

    def _draft(self, **fields: Any) -> tuple[Line, bytes]:
        """The next line as it will be decoded from its bytes, and its bytes."""
        draft = Line(n=self.version + 1, prev=self.tip, **fields)
        try:
            data = encode_line(draft)
        except UnicodeEncodeError as error:
            raise Refusal("bad_text", (), "The text contains characters that cannot be stored.") from error
        return decode_line(data, draft.n), data

    def _write(self, line: Line, data: bytes, state: S, events: tuple[Any, ...] | None = None) -> None:
        """Store the line in the sink before it takes effect."""
        if self._sink is not None:
            self._sink(data)
        self._replay(line, state, events)
        self.tip = digest(data)
        self.state = state
