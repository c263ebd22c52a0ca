"""An open game as its players see it at one keyboard: the one door through which screen, plain mode and pictures go.

A session knows who sits at the keyboard and which moment is looked at. It gives what that seat may know, takes what
the seat does, and tells whoever listens when something has changed. This one speaks to a `Table` in the same process;
whoever uses it asks for nothing of the table's own, so that a session over a wire can stand in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER
from paxtui.pax.board.status import powers_of
from paxtui.pax.history import events as ev
from paxtui.pax.menus import forewarning
from paxtui.pax.menus.forecast import Forecast, concerns_war, forecast
from paxtui.pax.orders import actions as ac
from paxtui.pax.orders.dispatches import Letter
from paxtui.pax.orders.notation import Order, text_of
from paxtui.pax.orders.seating import Sitter
from paxtui.pax.reports.war import peril
from paxtui.pax.sequence import waiting
from paxtui.pax.state.model import State
from paxtui.pax.state.treaty import ENDED, IN_FORCE
from paxtui.table.authority import Table
from paxtui.table.onlooker import Onlooker
from paxtui.table.rivals import Rivals

T = TypeVar("T")


class About(NamedTuple):
    """What a game is called, what wrote it, how it is played, and the file it is kept in."""

    game: str
    program: str
    options: dict[str, str]
    file: Path | None


class Change(NamedTuple):
    """What whoever listens to a session is told.

    Attributes:
        order: what the seat has asked for, as it was typed or in ids; "" where nobody has asked for anything.
        events: what has happened by it, as the seat may know it; none where only the eye, or the seat, has moved.
        refusal: why it was not done.
    """

    order: str = ""
    events: tuple[ev.Event, ...] = ()
    refusal: Refusal | None = None


class Mistake(Exception):
    """The program has made a mistake of its own; the log holds nothing of the act, and nothing has changed."""


Listener = Callable[[Change], None]


class Session(Onlooker):
    """An open game as seen at this keyboard.

    Attributes:
        seat: the seat that acts.
        power: the Power of the seat that acts.
        refusal: why the last act was refused; None since one has been done.
    """

    def __init__(self, table: Table, seat: str = "", in_earnest: bool = True) -> None:
        super().__init__(table)
        self._rivals = Rivals(table)
        self._rivals.in_earnest = in_earnest
        self._listeners: list[Listener] = []
        self._derived: dict[str, tuple[State, str, Any]] = {}
        self.refusal: Refusal | None = None
        self.seat = self.power = ""
        if not self.reading:
            self._rivals.go_on()
        here = self.seats_here()
        self.take_seat(seat or self.next_seat() or (here[0] if here else self.live.players[0]))

    # --- who listens ----------------------------------------------------------------------------------------------

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Tell `listener` of every change from now on; what is returned ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener) if listener in self._listeners else None

    def _changed(self, change: Change | None = None) -> None:
        for listener in tuple(self._listeners):
            listener(change or Change())

    # --- what is looked at ----------------------------------------------------------------------------------------

    @property
    def reading(self) -> str:
        """What the top line says of a game that is only read, "" for one that is played."""
        return ""

    def look_at(self, line: int | None) -> None:
        """Look at the position after a line; the last line, or None, is the present."""
        self.at = None if line is None or line >= self.version else max(1, line)
        self._changed()

    def derived(self, name: str, work_out: Callable[[], T]) -> T:
        """Something worked out from the present position for the seat, once as long as both are the same.

        Args: what it is called; what works it out.
        """
        live = self.live
        known = self._derived.get(name)
        if known is None or known[0] is not live or known[1] != self.seat:
            known = self._derived[name] = (live, self.seat, work_out())
        found: T = known[2]
        return found

    # --- who acts -------------------------------------------------------------------------------------------------

    def waiting(self) -> tuple[str, ...]:
        """Seats that must act, but for those that play themselves: these do so by themselves."""
        return tuple(seat for seat in waiting(self.tables, self.live) if not self.sitter(seat).plays_itself)

    def sitter(self, seat: str) -> Sitter:
        """Who sits at a seat."""
        return self._table.sitter(seat)

    def seats_here(self) -> tuple[str, ...]:
        """The seats at which persons sit."""
        return tuple(seat for seat in self.live.players if not self.sitter(seat).plays_itself)

    def seat_players(self, sitters: Mapping[str, Sitter]) -> None:
        """Say who sits where from now on; the bots go on at once. Raises: Refusal, OSError; nothing has changed."""
        self._table.seat(sitters)
        events = self._rivals.go_on(self.seat)
        here = self.seats_here()
        if here and self.seat not in here:
            self.take_seat(self.next_seat() or here[0])
        self._changed(Change(events=events))

    def reasons(self) -> list[tuple[str, str, str]]:
        """Seat, order and reason of what bots have done since the game was opened, private acts left out."""
        table, game = self._table, self._table.game
        told = []
        for n, why in self._rivals.reasons.items():
            if not table.is_private(n):
                line = game.line(n)
                told.append((line.seat, text_of(self.tables, table.read(line.action)), why))
        return told

    @property
    def here(self) -> tuple[str, ...]:
        """The seats of others at which somebody is, at a table that is kept elsewhere; none at one keyboard."""
        return ()

    def next_seat(self, after: str = "") -> str:
        """The next seat that must act, in the order of the seats; "" when none must."""
        due, players = self.waiting(), self.live.players
        start = players.index(after) + 1 if after in players else 0
        for seat in players[start:] + players[:start]:
            if seat in due:
                return seat
        return ""

    def take_seat(self, seat: str) -> None:
        """Sit down at a seat; its principal Power acts. The moment looked at stays, by the numbers of the new seat."""
        place = self._table.log_line(self.eyes, self.at) if self.at is not None and self.seat else None
        self.seat = self.power = seat
        if place is not None:
            self.at = self._table.known(self.eyes).number(place)
        self._changed()

    def take_power(self, power: str) -> None:
        """Another Power of the seat acts."""
        self.power = power
        self._changed()

    def my_powers(self) -> tuple[str, ...]:
        """Powers the seat acts for."""
        return powers_of(self.tables, self.live, self.seat)

    def last_to_act(self) -> str:
        """The seat of the last act in force of a person's that the seat at the keyboard knows of, "" for none."""
        here = self.seats_here()
        acted = [line.seat for line, _ in self.in_force() if line.seat in here]
        return acted[-1] if acted else ""

    @property
    def has_secrets(self) -> bool:
        """Whether one of the seats at this keyboard may know something that another may not."""
        return any(not t.public and t.stage != ENDED for t in self._table.state.treaties)

    # --- acting ---------------------------------------------------------------------------------------------------

    def act(self, asked: str | Order | ac.Action) -> tuple[ev.Event, ...]:
        """Let the seat act, in the words of the notation or by an action; what is automatic is played on.

        Raises:
            Refusal: nothing has changed.
            OSError: the log could not be written; nothing has changed.
            Mistake: a mistake of the program; nothing has changed.
        """
        try:
            if self.at is not None:
                raise Refusal("history", (), "You are looking at the past: press End to return to the present first.")
            events = self._table.play(self.seat, self.order_of(asked))
            events += self._rivals.go_on(self.seat)
        except Refusal as refusal:
            self.refusal = refusal
            self._changed(Change(self._text(asked), refusal=refusal))
            raise
        except OSError:
            raise
        except Exception as error:
            raise Mistake(f"{type(error).__name__}: {error}") from error
        self.refusal = None
        self._changed(Change(self._text(asked), events))
        return events

    def _text(self, asked: str | Order | ac.Action) -> str:
        return asked.strip() if isinstance(asked, str) else text_of(self.tables, asked)

    def order_of(self, asked: str | Order | ac.Action) -> Order | ac.Action:
        """What is asked for; words that name no Power are those of the Power that acts. Raises: Refusal."""
        order = self._table.read(asked)
        if isinstance(asked, str) and self.power != self.seat and ":" not in asked and hasattr(order, "power"):
            order = self._table.read(f"{self.power}: {asked.strip()}")
        return order

    def warnings(self, asked: str | Order | ac.Action) -> list[str]:
        """What an order would break of the seat's own Treaties, and what it would cost in War; often empty."""
        bound = any(t.stage == IN_FORCE for t in self.live.treaties)
        if not bound and not self.live.wars:
            return []
        try:
            order = self.order_of(asked)
        except Refusal:
            return []
        if not isinstance(order, ac.Action):
            return []
        broken = forewarning.warnings(self.tables, self.live, self.seat, order) if bound else []
        return broken + peril.warnings(self.tables, self.live, self.seat, order)

    def war_warnings(self, asked: str | Order | ac.Action) -> list[str]:
        """What an order would cost in War, in sentences; empty for most orders."""
        order = self.understood(asked) if self.live.wars else None
        return peril.warnings(self.tables, self.live, self.seat, order) if order is not None else []

    def understood(self, asked: str | Order | ac.Action) -> ac.Action | None:
        """The action that an order asks for; None where it is none, or cannot be read."""
        try:
            order = self.order_of(asked)
        except Refusal:
            return None
        return order if isinstance(order, ac.Action) else None

    def forecast(self, asked: str | Order | ac.Action) -> Forecast | None:
        """What a declaration of War or the answer to a call would bring about, as far as the seat may know; None for
        any other order, and for one that is refused.
        """
        try:
            order = self.order_of(asked)
            if isinstance(order, ac.Action) and concerns_war(self.live, order):
                return forecast(self.tables, self.live, self.seat, order)
        except Refusal:
            pass
        return None

    def advance(self) -> tuple[ev.Event, ...]:
        """Play what is automatic, where no seat must act. Raises: Refusal, OSError."""
        events = self._table.advance(self.seat) + self._rivals.go_on(self.seat)
        self._changed(Change(events=events))
        return events

    def undo(self, to: int | None = None) -> None:
        """Take back the last act, or go back to the position after a line of the seat's. Raises: Refusal, OSError."""
        self._table.undo(self.seat, to)
        self.look_at(None)

    def undo_together(self, to: int) -> None:
        """Go back to the position after a line of the seat's, with the consent of everybody at this keyboard.

        The seats ask for it one after the other, as each would have to. What lies in between and only some know of may
        make different lines of it; then the table takes the game back, which everybody sees.

        Raises: Refusal, OSError.
        """
        place = self.place_of(to)
        for seat in (self.seat, *(seat for seat in self.live.players if seat != self.seat)):
            with suppress(Refusal):
                if self._table.undo(seat, self._table.known(seat).number(place)).kind == "undo":
                    break
        else:
            self._table.undo(ARBITER, place)
        self.look_at(None)

    def redo(self) -> None:
        """Bring back what the last undo took back. Raises: Refusal, OSError."""
        self._table.redo(self.seat)
        self.look_at(None)

    # --- dispatches -----------------------------------------------------------------------------------------------

    def dispatches(self) -> tuple[Letter, ...]:
        """The dispatches that the seat has sent or been sent."""
        return self._table.dispatches(self.eyes)

    def send(self, text: str) -> None:
        """Send a dispatch in the words of the notation. Raises: Refusal, OSError."""
        self._table.act(self.seat, text)
        self._changed()

    # --- the game in its file -------------------------------------------------------------------------------------

    @property
    def about(self) -> About:
        """What the game is called, what wrote it, how it is played, and where it is kept."""
        header, store = self._table.header_for(self.eyes), self._table.store
        return About(header.game, header.program, dict(header.options), store.path if store else None)

    @property
    def notice(self) -> str:
        """What was found at the end of the file when it was opened, in words; empty when nothing was."""
        return self._table.notice

    @property
    def trouble(self) -> str:
        """Why the game cannot go on in its file, in words; empty as long as all of it is there."""
        return self._table.trouble

    def close(self) -> None:
        """Let go of the file. Closing twice does nothing."""
        self._table.close()
