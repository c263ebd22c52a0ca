"""Replay a log line by line: positions, undo requests and dice counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic

from paxtui.engine.fair_dice import DicePassed, FairDice, is_dice_note
from paxtui.engine.game import Game, S
from paxtui.engine.log import UNDO_REQUEST, Header, Line
from paxtui.engine.positions import START
from paxtui.engine.timeline import Timeline


class LogReplayer(Generic[S]):
    """The state of a log after its lines so far.

    Attributes:
        rules: the game.
        header: line 1.
        timeline: the lines, and the position after each.
        requests: the open undo requests.
        dice_used: count of seeded numbers used, including undone lines.
        fair: the progress of the fair dice protocol.
        passed: the note to write if the last line is an undo that took back fair dice, otherwise None.

    Raises:
        BrokenLog: the start position cannot be read.
    """

    def __init__(self, rules: Game[S], header: Header) -> None:
        self.rules = rules
        self.header = header
        self.timeline: Timeline[S] = Timeline(rules, header)
        self.requests = UndoRequests()
        self.dice_used = 0
        self.fair = FairDice(header)
        self.passed: DicePassed | None = None

    @property
    def state(self) -> S:
        """The state after the last line."""
        return self.timeline.state_at(self.timeline.position)

    def follow(self, line: Line, state: S | None = None, events: tuple[Any, ...] | None = None) -> None:
        """Add the next line, of any kind.

        Args:
            state: the state after it, if already computed.
            events: its events, if already decoded.

        Raises:
            BrokenLog: it contradicts those before it; nothing has changed.
        """
        before = self.timeline.undone
        self.timeline.append(line, state, events)
        public = True
        if line.kind == "act":
            public = not self.timeline.between(line.n)
        elif line.kind == "undo":
            public = self.any_public(self.timeline.undone[-1].acts)
        elif line.kind == "redo":
            gone = [u for u in before if u not in self.timeline.undone]
            public = self.any_public(gone[-1].acts)
        self.requests.follow(line, self.known_position, public)
        self.dice_used += line.dice
        self.passed = None
        self.fair.follow(line, begun=line.kind == "note" and is_dice_note(line.action) and self.has_started)
        if line.kind == "undo":
            drawn = sum(self.timeline.line(n).dice for n in self.timeline.undone[-1].acts)
            self.passed = DicePassed(drawn, self.dice_used) if drawn else None

    @property
    def has_started(self) -> bool:
        """Whether a public act after the creation of the fair dice is in force."""
        return self.fair.made_at > 0 and self.last_public(self.timeline.in_force()) > self.fair.made_at

    def any_public(self, acts: Iterable[int]) -> bool:
        return any(not self.timeline.between(n) for n in acts)

    def known_position(self, n: int) -> int:
        """The position after line `n` that all seats know: its last public act, or the start."""
        return self.last_public(self.timeline.in_force(self.timeline.position_of(n)))

    def last_public(self, acts: Sequence[int]) -> int:
        """The last public act of some acts in force, 1 for none. All seats know its position."""
        return next((n for n in reversed(acts) if not self.timeline.between(n)), START)

    def reveals(self, n: int) -> bool:
        """Whether line `n` showed a seat hidden information."""
        return any(self.rules.reveals(event) for event in self.timeline.events(n))


class UndoRequests:
    """The open undo requests, by position."""

    def __init__(self) -> None:
        self._undo_requests: dict[int, set[str]] = {}

    def requesters(self, position: int) -> frozenset[str]:
        """The seats that currently request this position."""
        return frozenset(self._undo_requests.get(position, ()))

    def open(self) -> dict[int, tuple[str, ...]]:
        """Position -> requesting seats, sorted."""
        return {position: tuple(sorted(seats)) for position, seats in self._undo_requests.items()}

    def follow(self, line: Line, position_of: Callable[[int], int], public: bool = True) -> None:
        """Add the next line of the log.

        A public act withdraws the requests of its seat. An undo or redo withdraws all requests. Private lines change
        nothing; otherwise the other seats could infer them.

        Args:
            position_of: the position after an earlier line, as all seats know it.
            public: whether all seats know of the line.
        """
        if not public and line.kind != "note":
            return
        if line.kind == "act":
            for seats in self._undo_requests.values():
                seats.discard(line.seat)
            self._undo_requests = {position: seats for position, seats in self._undo_requests.items() if seats}
        elif line.kind in ("undo", "redo"):
            self._undo_requests = {}
        elif isinstance(line.action, dict) and line.action.get("type") == UNDO_REQUEST:
            to = line.action.get("to")
            # Ignore a damaged or foreign request without a valid line.
            if isinstance(to, int) and 1 <= to < line.n:
                self._undo_requests.setdefault(position_of(to), set()).add(line.seat)


def undo_request(to: int) -> dict[str, object]:
    """Create the content of the note that requests an undo to line `to`."""
    return {"type": UNDO_REQUEST, "to": to}
