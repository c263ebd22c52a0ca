"""The base of the controllers of the game screen."""

from __future__ import annotations

from textual.notifications import SeverityLevel

from paxtui.tui.base.app import BaseApp
from paxtui.tui.base.playing import SessionScreen
from paxtui.tui.formatting.look import Look


class Controller:
    """One part of the game screen: it has its own state and the actions of its keys.

    A binding `orders('menu')` calls the method `action_menu` of the controller `orders`. Controllers get only the
    controllers that they use, and the screen as a place for dialogs, messages, timers and orders.
    """

    def __init__(self, screen: SessionScreen[None]) -> None:
        self.screen = screen
        self.session = screen.session

    @property
    def app(self) -> BaseApp:
        """Return the app, with settings, keys and dialogs."""
        return self.screen.app

    @property
    def look(self) -> Look:
        """Return the colours and signs of the settings."""
        return self.screen.look

    @property
    def is_in_front(self) -> bool:
        """Return whether no other screen covers the game."""
        return self.app.screen is self.screen

    def notify(
        self, message: str, *, title: str = "", severity: SeverityLevel = "information", timeout: float | None = None
    ) -> None:
        """Show a message in a corner of the screen."""
        self.app.notify(message, title=title, severity=severity, timeout=timeout)
