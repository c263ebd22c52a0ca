"""Handover of the keyboard between players: the saved screen state of each seat, and the announcement of the next
one.

In games with secrets a privacy screen hides everything. Otherwise a card, a line above the map or nothing announces
the seat, as set. Keys typed before the announcement was readable are discarded.
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
"""The setting that announces a seat by a card."""
GREETING_SLACK = 8
"""Maximum empty cells at the end of the first row of the greeting."""
MAX_NAMED_TASKS = 3
"""Number of pending tasks named in the line."""


@dataclass(frozen=True)
class SeatScreenState:
    """Screen state of a seat.

    Attributes:
        cursor: the place under the cursor.
        zoom: the zoom level of the map.
        cards: whether region cards replaced the map.
        question: the index of the map filter.
        pane: the side pane.
        aside: whether that pane was in front, on a small screen.
        marked: the log line marked for comparison.
        given: the orders that the seat has typed.
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
    """The part of the game screen for several players at one keyboard."""

    greeting = getters.query_one("#greeting", TextPanel)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._places: dict[str, SeatScreenState] = {}
        self._passing = False

    # --- interface of the screen --------------------------------------------------------------------------------

    @abstractmethod
    def capture_screen_state(self) -> SeatScreenState:
        """Return the current screen state."""

    @abstractmethod
    def initial_screen_state(self) -> SeatScreenState:
        """Return the screen state of a seat's first turn."""

    @abstractmethod
    def restore_screen_state(self, place: SeatScreenState) -> None:
        """Restore the screen state of a seat."""

    def greet_player(self) -> bool:
        """Show pending reports after the seat's player has confirmed the handover.

        Returns: whether a dialog was opened.
        """
        return False

    # --- turns ----------------------------------------------------------------------------------------------------

    @property
    def shared(self) -> bool:
        """Return whether several players share this keyboard."""
        return len(self.session.seats_here()) > 1

    def open_game(self) -> None:
        """Open a game; one with secrets opens on the privacy screen."""
        if self.shared and self.session.has_secrets:
            self._curtain(False)
        else:
            self.greet_player()

    @property
    def after(self) -> str:
        """Return the next local seat if the current one is done; "" if there is none."""
        due = self.session.waiting()
        return self.session.next_seat(self.session.seat) if due and self.session.seat not in due else ""

    def pass_on(self) -> None:
        """Switch to the next local seat with pending tasks if the current one is done."""
        after = self.after
        if after:
            self.app.ring()
            self._passing = True
            self.session.take_seat(after)
            self._passing = False

    def change_seats(self, before: str) -> None:
        """Switch the screen to another seat: close dialogs and messages, save the previous seat's screen state.

        Args: the previous seat.
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
            # the line above the map is hidden in the Congress screen, where one key casts a ballot
            in_sight = self.app.screen is self
            self._greet(self._passing)
            told = self.greet_player()
            if self.shared and self._passing and not (in_sight or told) and self.app.settings.handover == LINE:
                self._call_by_card()

    def _call_by_card(self, tells: bool = False) -> None:
        """Announce the seat by a card. `tells`: whether reports follow."""

        def sits(_: None) -> None:
            if tells:
                self.greet_player()

        self.app.push_screen(SeatCard(self._who(), self._phase(), waiting_tasks(self.session)), sits)

    def _curtain(self, passed: bool) -> None:
        """Hide everything until the seat's player confirms. Pending tasks are secret."""

        def lifted(_: None) -> None:
            self._greet(passed)
            self.greet_player()

        self.app.push_screen(PrivacyScreen(self._who()), lifted)

    def _greet(self, passed: bool) -> None:
        """Announce the seat and its tasks in a line above the map until it acts or presses Esc.

        Args: whether the switch was automatic.
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

    # --- undo -----------------------------------------------------------------------------------------------------

    def action_undo(self) -> None:
        """Undo the last act; if it was another seat's, name the seat."""
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
    """Return the pending tasks of the current seat, one sentence each; first the reason for a repeated request."""
    again = reopened_reason(session)
    return [*([again] if again else []), *(must.text for must in pending_tasks(session))]
