"""An open game as its players see it at one keyboard: the one door through which screen, plain mode and pictures go.

A session knows who sits at the keyboard and which moment is looked at. It gives what that seat may know, takes what
the seat does, and tells whoever listens when something has changed. This one speaks to a `Table` in the same process;
whoever uses it asks for nothing of the table's own, so that a session over a wire can stand in its place.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER
from paxtui.pax.history import events as ev
from paxtui.pax.menus import forewarning
from paxtui.pax.menus.forecast import Forecast, concerns_war, forecast
from paxtui.pax.orders import actions as ac
from paxtui.pax.orders.dispatches import Letter
from paxtui.pax.orders.notation import Order, text_of
from paxtui.pax.reports.war import peril
from paxtui.table.seated import Change, Seated


class About(NamedTuple):
    """What a game is called, what wrote it, how it is played, and the file it is kept in."""

    game: str
    program: str
    options: dict[str, str]
    file: Path | None


class Mistake(Exception):
    """The program has made a mistake of its own; the log holds nothing of the act, and nothing has changed."""


class UndoRequest(NamedTuple):
    """An undo that waits for the consent of others. Attributes: the line that is to hold again; who asks for it."""

    line: int
    seats: tuple[str, ...]


class Session(Seated):
    """An open game as seen at this keyboard.

    Args: as `Seated`.

    Attributes:
        refusal: why the last act was refused; None since one has been done.
    """

    refusal: Refusal | None = None

    @property
    def acted_at(self) -> Mapping[str, str]:
        """Where each other seat has acted last, at a shared table; who sits at one keyboard has seen it."""
        return {}

    # --- what is looked at ----------------------------------------------------------------------------------------

    def look_at(self, line: int | None) -> None:
        """Look at the position after a line; the last line, or None, is the present."""
        self.at = None if line is None or line >= self.version else max(1, line)
        self._changed()

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
            self._check_turn()
            before = self._table.version
            self._table.play(self.seat, self.order_of(asked))
            self._let_bots_go_on(before)
        except Refusal as refusal:
            self.refusal = refusal
            self._changed(Change(self._text(asked), refusal=refusal))
            raise
        except OSError:
            raise
        except Exception as error:
            raise Mistake(f"{type(error).__name__}: {error}") from error
        self.refusal = None
        return self._tell(self._text(asked))

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
        bound = any(t.since for t in self.live.treaties)  # one that has ended may still be revealed
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
        self._check_turn()
        before = self._table.version
        self._table.advance(self.seat)
        self._let_bots_go_on(before)
        return self._tell("")

    @property
    def before_begin(self) -> str:
        """Who has still to say that the game may begin, in a sentence; "" once it has begun, and at one keyboard."""
        return ""

    def undo(self, to: int | None = None) -> None:
        """Take back the last act, or go back to the position after a line of the seat's. Raises: Refusal, OSError."""
        self._check_turn()
        line = self._table.undo(self.seat, to)
        self._taken_back(to is not None and line.kind == "undo")

    def _taken_back(self, further: bool) -> None:
        """The game has been taken back, maybe further than to the last act: then the bots move anew from there."""
        self.look_at(None)
        if further:
            self._rivals.forget()
            self._let_bots_go_on(self._table.version)
            self._tell("")

    @property
    def shares_keyboard(self) -> bool:
        """Whether the seats of a game sit at one keyboard, so that they can agree to an undo there."""
        return True

    def undo_requests(self) -> tuple[UndoRequest, ...]:
        """The undos that are asked for now, the earliest line first."""
        found = self._table.undo_requests(self.eyes)
        return tuple(UndoRequest(line, seats) for line, seats in sorted(found.items()))

    def undo_together(self, to: int) -> None:
        """Go back to the position after a line of the seat's, with the consent of everybody at this keyboard.

        The seats ask for it one after the other, as each would have to. What lies in between and only some know of may
        make different lines of it; then the table takes the game back, which everybody sees.

        Raises: Refusal, OSError.
        """
        self._check_turn()
        place = self.place_of(to)
        for seat in (self.seat, *(seat for seat in self.live.players if seat != self.seat)):
            with suppress(Refusal):
                if self._table.undo(seat, self._table.known(seat).number(place)).kind == "undo":
                    break
        else:
            self._table.undo(ARBITER, place)
        self._taken_back(True)

    def redo(self) -> None:
        """Bring back what the last undo took back. Raises: Refusal, OSError."""
        self._check_turn()
        self._table.redo(self.seat)
        self.look_at(None)

    def choose_word(self, typed: str) -> None:
        """Give a word for the dice that the player has typed. Raises: Refusal, where they need none."""
        raise Refusal("plain_dice", (), "The dice of a game at one keyboard need no words.")

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

    def wait_at_most(self, seconds: float) -> None:
        """From now on wait for the disk for so long only: a screen lives while acts are on their way (`saving`)."""
        if self._table.store is not None:
            self._table.store.wait_at_most(seconds)

    @property
    def saving(self) -> bool:
        """Whether an act is still on its way to the disk: it does not count before it is there."""
        return self._table.store is not None and self._table.store.saving

    @property
    def failed(self) -> str:
        """Why acts that were on their way do not count, in words; mostly empty."""
        return self._table.store.failed if self._table.store is not None else ""

    def close(self) -> None:
        """Let go of the file. Closing twice does nothing."""
        self.let_bots_be()
        self._table.close()
