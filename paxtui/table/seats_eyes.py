"""A running game as its seats may see it: whatever leaves the authority for a player goes through here."""

from __future__ import annotations

from collections.abc import Mapping

from paxtui.engine.game import Game
from paxtui.engine.log import Header, Line, redact_header
from paxtui.engine.projection import Projection
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER
from paxtui.engine.upcast import Raw
from paxtui.pax.board.status import powers_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.orders import dispatches
from paxtui.pax.orders.dispatches import Letter
from paxtui.pax.orders.seating import PERSON, Sitter, seated
from paxtui.pax.play.secrecy import between_whom, event_seen, state_seen, visible
from paxtui.pax.position.view import check_seat, pending, view
from paxtui.pax.state.model import State


class SeatsEyes:
    """The reading half of a table. Numbers of lines are the seat's own; the arbiter's are those of the log.

    Attributes:
        tables: the tables of the game.
        game: the kernel's game, for reading.
    """

    def __init__(self, tables: Tables, game: Game[State]) -> None:
        self.tables = tables
        self.game = game
        self._known: dict[str, Projection] = {}
        self._sitters: dict[str, Sitter] = {}
        self._seated_until = 1

    @property
    def state(self) -> State:
        """The position now, with everything in it."""
        return self.game.state

    @property
    def version(self) -> int:
        """Number of the last line of the log."""
        return self.game.version

    def known(self, seat: str) -> Projection:
        """The log as a seat has it, with the seat's own numbers. Raises: Refusal `unknown_seat`."""
        known = self._known.get(seat)
        if known is None:
            check_seat(self.state, seat)
            known = self._known[seat] = Projection(seat, visible)
        if known.followed < self.version:
            for line in self.game.lines_after(known.followed):
                known.follow(line)
        return known

    def sitter(self, seat: str) -> Sitter:
        """Who sits at a seat."""
        return self.sitters().get(seat, PERSON)

    def sitters(self) -> Mapping[str, Sitter]:
        """Who sits at the seats that any line says something about."""
        if self._seated_until < self.version:
            self._sitters = seated(self.game.lines_after(self._seated_until), self._sitters)
            self._seated_until = self.version
        return self._sitters

    def version_for(self, seat: str) -> int:
        """Number of the last line that a seat has; the arbiter has all. Raises: Refusal `unknown_seat`."""
        return self.known(seat).version

    def log_line(self, seat: str, number: int) -> int:
        """The log's number of a seat's line, or of the last one after it that the seat does not have.

        Raises: Refusal `unknown_seat`, `no_such_line`.
        """
        known = self.known(seat)
        if not 1 <= number <= known.version:
            message = f"The log has lines 1 to {known.version}, and no line {number}."
            raise Refusal("no_such_line", (), message, line=number)
        return known.log_line(number)

    # --- positions ------------------------------------------------------------------------------------------------

    def view(self, seat: str, at: int | None = None) -> Raw:
        """The game as a seat sees it, now or after a line.

        Raises: Refusal `unknown_seat`, `no_such_line`.
        """
        version = self.version_for(seat) if at is None else at
        return view(self.tables, self._position(seat, at), seat, version)

    def state_for(self, seat: str, at: int | None = None) -> State:
        """The position as a seat may know it, now or after a line: nothing else is in it.

        Raises: Refusal `unknown_seat`, `no_such_line`.
        """
        check_seat(self.state, seat)
        return state_seen(self.tables, self._position(seat, at), seat)

    def pending_known(self, seat: str) -> list[Raw]:
        """All choices that wait for anybody, as far as a seat knows of them; of a private offer both sides do."""
        return pending(state_seen(self.tables, self.state, seat), ARBITER)

    def _position(self, seat: str, at: int | None) -> State:
        return self.state if at is None else self.game.seek(self.log_line(seat, at))

    # --- lines ----------------------------------------------------------------------------------------------------

    def header_for(self, seat: str) -> Header:
        """The header as a seat may have it."""
        return redact_header(self.game.header, seat)

    def lines_for(self, seat: str) -> tuple[Line, ...]:
        """The lines of the log as a seat may have them. Raises: Refusal `unknown_seat`."""
        return tuple(self.known(seat).lines)

    def events_seen(self, seat: str, n: int) -> tuple[ev.Event, ...]:
        """The events of line `n` of the log (its own number) as a seat may know them.

        Raises: Refusal `no_such_line`.
        """
        seen = (event_seen(event, seat) for event in self.game.events(n))
        return tuple(event for event in seen if event is not None)

    def is_private(self, n: int) -> bool:
        """Whether line `n` of the log, from 2 on, is between some seats only: an act, or a dispatch."""
        line = self.game.line(n)
        return dispatches.is_private(line.action) if line.kind == "note" else bool(between_whom(line.events))

    def reason(self, seat: str, n: int) -> str:
        """Why line `n` of the log was done, as far as a seat may know: "" where nothing is said, or all is not over.

        Why a draft is turned down is said to all its parties.
        """
        line = self.game.line(n)
        if line.why is None:
            return ""
        open_ = not line.why.sealed or seat in (ARBITER, line.seat) or self.state.result is not None
        return line.why.text if open_ or self._is_told_no(seat, line) else ""

    def objection(self, seat: str, id_: str) -> str:
        """Why a draft was turned down, in the words of who did it; "" where that is not said, or not to this seat."""
        lines = reversed(self.game.effective_lines())
        n = next((line.n for line in lines if id_ in self._turned_down(line)), 0)
        return self.reason(seat, n) if n else ""

    def _turned_down(self, line: Line) -> tuple[str, ...]:
        """The draft that a line turns down, none for any other line."""
        said_no = (e for e in self.game.events(line.n) if isinstance(e, ev.TreatyRejected) and e.reason == "rejected")
        return tuple(e.id for e in said_no)

    def _is_told_no(self, seat: str, line: Line) -> bool:
        """Whether a line turns down a draft to which a seat is a party."""
        ids = self._turned_down(line)
        parties = {power for treaty in self.state.treaties if treaty.id in ids for power in treaty.parties}
        return seat in self.state.players and not parties.isdisjoint(powers_of(self.tables, self.state, seat))

    def dispatches(self, seat: str) -> tuple[Letter, ...]:
        """The dispatches that a seat has sent or been sent, in order. Raises: Refusal `unknown_seat`."""
        return dispatches.letters(self.known(seat).lines, seat)

    def undo_requests(self, seat: str) -> dict[int, tuple[str, ...]]:
        """Open requests for an undo: the position asked for, and who asks for it. Raises: Refusal `unknown_seat`."""
        known = self.known(seat)
        return {known.position(n): seats for n, seats in self.game.undo_requests().items()}
