"""The screen of one seat at a table that a hub owns."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from textual import on
from textual.screen import Screen

from paxtui.cli.outward.faults import CRASHED, crashed
from paxtui.net.line import Lost
from paxtui.net.remote import RemoteSession, RemoteTable
from paxtui.tui.app import PaxApp
from paxtui.tui.diplomacy.talk import TalkScreen, speaker
from paxtui.tui.game.screen import GameScreen
from paxtui.tui.stage.settings import Settings

AGAIN = 1.0
"""Seconds between two tries to reach a table that was lost."""


class SeatApp(PaxApp):
    """The game as one seat of a hub's table sees it; it begins with the game, and ends with it.

    Args:
        session: the seat's.
        settings: overrides what is stored, for tests.
    """

    def __init__(self, session: RemoteSession, settings: Settings | None = None) -> None:
        super().__init__(settings=settings)
        self._session = session
        self._watched = -1

    def on_mount(self) -> None:
        """Hear from now on what the hub says, and look now and then whether it can still be reached."""
        self._watch()
        self.set_interval(AGAIN, self._look_after_connection)

    def _first_screen(self) -> Screen[None]:
        return GameScreen(self._session)

    @on(GameScreen.Left)
    def _left(self, event: GameScreen.Left) -> None:
        """Leaving the game is leaving the table."""
        event.prevent_default()
        self.exit(0)

    def _watch(self) -> None:
        """Have the event loop tell when something has come."""
        loop, descriptor = asyncio.get_running_loop(), self._session.fileno()
        if self._watched >= 0 and self._watched != descriptor:
            loop.remove_reader(self._watched)
        self._watched = descriptor
        if descriptor >= 0:
            loop.add_reader(descriptor, self._take)

    def _take(self) -> None:
        """Take what has come."""
        watched, s = self._watched, self._session
        due, heard = s.seat in s.waiting(), s.talk[-1].n if s.talk else 0
        s.take()
        if not due and s.seat in s.waiting():
            self.ring()
        self._say_heard(heard)
        if self._session.fileno() < 0:
            asyncio.get_running_loop().remove_reader(watched)
            self._watched = -1
            self._say_lost()

    def _say_heard(self, before: int) -> None:
        """Show in a corner what somebody else has said after a line of the talk, unless it is being read."""
        said = [line for line in self._session.talk if line.n > before and line.seat != self._session.eyes]
        if said and not isinstance(self.screen, TalkScreen):
            key = self.key_of("game.talk", "T")
            self.notify(f"{speaker(self._session, said[-1])} {said[-1].text}", title=f"Table talk ({key})", timeout=6)

    def _say_lost(self) -> None:
        self.notify(f"{self._session.trouble} The game is safe; coming back by itself.", severity="error", timeout=60)

    def _look_after_connection(self) -> None:
        """Come back to a table that was lost."""
        if self._session.fileno() >= 0:
            if self._watched != self._session.fileno():
                self._watch()
        elif self._session.come_back():
            self.clear_notifications()
            self._watch()
            self.notify("You are back at the table.", timeout=4)


def sit(socket: Path, ticket: str, command: str) -> int:
    """Play at a seat until the player leaves; the exit code.

    Args:
        socket: where the hub listens.
        ticket: for the seat.
        command: what was asked for, for the report of a crash.
    """
    try:
        session = RemoteSession(RemoteTable(socket, ticket))
    except Lost as lost:
        print(f"paxtui: {lost}", file=sys.stderr)
        return 1
    app = SeatApp(session)
    app.run()
    if app.crash is not None:
        print(f"paxtui: {crashed(app.crash, command)}", file=sys.stderr)
        return CRASHED
    return app.return_code or 0
