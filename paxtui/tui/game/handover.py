"""The keyboard goes from one player to the next: what the last one leaves behind, and how the next one is greeted.

Where the seats at a keyboard have secrets of each other a curtain falls, whoever asked for the change. Elsewhere a
seat that is passed on by itself is announced as the settings say: by a card, by a line above the map, or not at all.
Whatever was typed before the announcement could be read is not heard.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text
from textual import getters

from paxtui.games.pax.text.display import phase_name, power_name
from paxtui.session.local_session import Session
from paxtui.session.player_news import pending_tasks, reopened_reason
from paxtui.tui.base.playing import SessionScreen
from paxtui.tui.base.screen import TextPanel
from paxtui.tui.dialogs.seats import PrivacyScreen, SeatCard
from paxtui.tui.formatting.look import truncate
from paxtui.tui.game.history import HistoryControls

CARD, LINE, NONE = "card", "line", "none"
"""How a seat is announced at an open table."""
GREETING_SLACK = 8
"""Cells of the greeting that may stay empty where its first row ends, between two words."""
MAX_NAMED_TASKS = 3
"""Things that wait for a seat which the line names."""


@dataclass(frozen=True)
class SeatScreenState:
    """How a seat has left the screen: where its cursor stood, and what was open.

    Attributes:
        cursor: the place under its cursor.
        zoom: how near the map was.
        cards: whether the region's cards stood in its place.
        question: the number of the question that the map showed.
        pane: the pane beside it.
        aside: whether that pane stood in front, on a small screen.
        marked: the line that others are compared with.
        given: the orders that it has typed.
    """

    cursor: str
    zoom: str
    cards: bool
    question: int
    pane: str
    aside: bool
    marked: int
    given: tuple[str, ...] = ()


class HotSeatControls(HistoryControls):
    """The game screen as players take turns at it."""

    greeting = getters.query_one("#greeting", TextPanel)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._places: dict[str, SeatScreenState] = {}
        self._passing = False

    # --- what the screen has to give ------------------------------------------------------------------------------

    @abstractmethod
    def capture_screen_state(self) -> SeatScreenState:
        """How the screen is left."""

    @abstractmethod
    def initial_screen_state(self) -> SeatScreenState:
        """How a seat finds it that sits down for the first time."""

    @abstractmethod
    def restore_screen_state(self, place: SeatScreenState) -> None:
        """Put everything as a seat has left it."""

    def greet_player(self) -> bool:
        """The player of the seat sits at the keyboard: the curtain, if one fell, is up. What is his may be shown.

        Returns: whether something has been laid before him that he has to put away.
        """
        return False

    # --- one after the other --------------------------------------------------------------------------------------

    @property
    def shared(self) -> bool:
        """Whether more than one player sits at this keyboard."""
        return len(self.session.seats_here()) > 1

    def open_game(self) -> None:
        """A game has been opened: one with secrets opens on the curtain."""
        if self.shared and self.session.has_secrets:
            self._curtain(False)
        else:
            self.greet_player()

    @property
    def after(self) -> str:
        """Who sits down next, when the seat has nothing more to do and another one here has; "" where nobody does."""
        due = self.session.waiting()
        return self.session.next_seat(self.session.seat) if due and self.session.seat not in due else ""

    def pass_on(self) -> None:
        """When the seat has nothing more to do, the next one that has sits down."""
        after = self.after
        if after:
            self.app.ring()
            self._passing = True
            self.session.take_seat(after)
            self._passing = False

    def change_seats(self, before: str) -> None:
        """Another seat sits down: the papers and messages of the last one go, and its place is kept for it.

        Args: the seat that has left.
        """
        self._places[before] = self.capture_screen_state()
        while isinstance(self.app.screen, SessionScreen) and not (self.app.screen is self or self.app.screen.STAYS):
            self.app.pop_screen()
        self.app.clear_notifications()
        self.session.refusal = None
        self.greeting.display = False
        self.restore_screen_state(self._places.get(self.session.seat) or self.initial_screen_state())
        if self.shared and self.session.has_secrets:
            self._curtain(self._passing)
        elif self.shared and self._passing and self.app.settings.handover == CARD:
            self._call_by_card(tells=True)
        else:
            # a line above the map is out of sight in the hall of a Congress, where one key casts a ballot
            in_sight = self.app.screen is self
            self._greet(self._passing)
            told = self.greet_player()
            if self.shared and self._passing and not (in_sight or told) and self.app.settings.handover == LINE:
                self._call_by_card()

    def _call_by_card(self, tells: bool = False) -> None:
        """Call the player of the seat by a card. `tells`: whether he is told what has happened when he sits."""

        def sits(_: None) -> None:
            if tells:
                self.greet_player()

        self.app.push_screen(SeatCard(self._who(), self._phase(), waiting_tasks(self.session)), sits)

    def _curtain(self, passed: bool) -> None:
        """Hide everything until the player of the seat sits down. What waits for him is for his eyes only."""

        def lifted(_: None) -> None:
            self._greet(passed)
            self.greet_player()

        self.app.push_screen(PrivacyScreen(self._who()), lifted)

    def _greet(self, passed: bool) -> None:
        """Say who sits here now, and what waits for him, in a line above the map until he acts or presses Esc.

        Args: whether he has not asked for it himself.
        """
        if not (passed and self.shared):
            return
        self.app.expect_frame()
        if self.app.settings.handover == NONE and not self.session.has_secrets:
            return
        waits = waiting_tasks(self.session)
        told = f" {self._who()} sits here now · {self._phase()} "
        if waits:
            told += f"· {'; '.join(waits[:MAX_NAMED_TASKS])} " + f"and {len(waits) - MAX_NAMED_TASKS} more " * (
                len(waits) > MAX_NAMED_TASKS
            )
        _, ink = self.look.power(self.session.tables, self.session.seat)
        self.greeting.show(
            self.look.signs(truncate(Text(told, f"{ink} reverse"), 2 * self.app.size.width - GREETING_SLACK))
        )
        self.greeting.display = True

    def _who(self) -> str:
        return power_name(self.session.tables, self.session.seat)

    def _phase(self) -> str:
        return f"{phase_name(self.session.live.phase)} Phase"

    # --- what was done last ---------------------------------------------------------------------------------------

    def action_undo(self) -> None:
        """Take back the last act; where that was another's, say whose seat takes it back."""
        last = self.session.last_to_act()
        mine = any(line.seat == self.session.seat for line, _ in self.session.in_force())
        if last and last != self.session.seat and not mine and last in self.session.seats_here():
            name, key = power_name(self.session.tables, last), self.app.key_of
            back, undo = key("game.seat_back", "S"), key("game.undo", "u")
            told = f"The last act was {name}'s: {back} goes back to its seat, {undo} takes it back."
            self.notify(f"{self._who()} has done nothing yet. {told}")
        else:
            super().action_undo()


def waiting_tasks(session: Session) -> Sequence[str]:
    """What waits for the seat at the keyboard, a sentence each; first why it is asked once more, where it is."""
    again = reopened_reason(session)
    return [*([again] if again else []), *(must.text for must in pending_tasks(session))]
