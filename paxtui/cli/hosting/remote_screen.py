"""The screen of a seat at a table that a hub owns, and the lobby before it."""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from textual import on
from textual.events import Event, Key, MouseDown, Paste
from textual.screen import Screen

from paxtui.cli.runtime import EXIT_CRASHED, IDLE_ENDED, IDLE_WARNING, IDLE_WARNING_S, IdleTimer, report_crash
from paxtui.engine.clock import duration_text
from paxtui.engine.log import UNDO_REQUEST, BrokenLog
from paxtui.server.client import ConnectionLost, LobbyClient
from paxtui.server.remote_session import RemoteSession, RemoteTable
from paxtui.session.player_news import open_undo_request
from paxtui.tui.app import PaxApp
from paxtui.tui.base.settings import Settings
from paxtui.tui.diplomacy.messages import ChatScreen, chat_speaker
from paxtui.tui.game.screen import GameScreen
from paxtui.tui.rendering.key_queue import GC_OLD_ROUNDS
from paxtui.tui.start_screens.hosting import LobbyScreen

RETRY_S = 1.0
"""Seconds between two tries to reach a table that was lost."""

ANNOUNCED = ("clock", "dice", UNDO_REQUEST, "undo", "redo")
"""Kinds of log entries that are shown in a corner when they come."""

REMOTE_COMMAND = "ssh"
"""The command by which one comes from far away."""


class SeatApp(PaxApp):
    """The game as one seat of a hub's table sees it. It begins with the game and ends with it, or does so in the lobby.

    Args:
        session: the seat's; None where the lobby comes first.
        settings: overrides what is stored, for tests.
        lobby: where the visitor asks for his seats; None where he has come for one seat.
        socket: where the hub listens, for the seats of the lobby.
        patience: how long nothing may be typed; None for as long as one likes.
    """

    def __init__(
        self,
        session: RemoteSession | None,
        settings: Settings | None = None,
        lobby: LobbyClient | None = None,
        socket: Path | None = None,
        patience: IdleTimer | None = None,
    ) -> None:
        super().__init__(settings=settings)
        self._session = session
        self._lobby, self._socket = lobby, socket
        self._patience, self._screens = patience, 0
        self._watched = -1
        self._warned = False
        self._told = 0, 0
        self._deaf: Callable[[], None] = lambda: None

    def on_mount(self) -> None:
        """Hear from now on what the hub says, and look now and then whether it can still be reached."""
        self._watch()
        self.set_interval(RETRY_S, self._look_after_connection)

    async def on_event(self, event: Event) -> None:
        """A key, or the mouse, shows that somebody is there."""
        if self._patience is not None and isinstance(event, Key | Paste | MouseDown):
            self._patience.typed()
        await super().on_event(event)

    def _first_screen(self) -> Screen[None]:
        if self._session is not None:
            return GameScreen(self._session)
        if self._lobby is None:
            raise ValueError("there is neither a seat nor a lobby")
        return LobbyScreen(self._lobby)

    # --- the lobby ------------------------------------------------------------------------------------------------

    @on(LobbyScreen.Seated)
    def _open_seat(self, event: LobbyScreen.Seated) -> None:
        """Sit down: the game lies over the lobby until it is left."""
        if self._socket is None or self._session is not None:
            return
        try:
            self._session = RemoteSession(RemoteTable(self._socket, event.ticket))
        except (ConnectionLost, BrokenLog) as error:
            self.notify(str(error), severity="error", timeout=6)
            return
        self._watch()
        self.push_screen(GameScreen(self._session))

    @on(LobbyScreen.Left)
    def _leave_lobby(self) -> None:
        self.exit(0)

    @on(GameScreen.Left)
    def _left(self, event: GameScreen.Left) -> None:
        """Leaving the game is leaving the table: for the lobby, where one came from it."""
        event.prevent_default()
        if self._lobby is None:
            self.exit(0)
            return
        self._forget()
        self._session = None
        self.clear_notifications()
        self.pop_screen()

    # --- what the hub says ----------------------------------------------------------------------------------------

    def _watch(self) -> None:
        """Have the event loop tell when something has come."""
        self._forget()
        descriptor = self._session.fileno() if self._session is not None else -1
        if self._session is not None and descriptor >= 0:
            asyncio.get_running_loop().add_reader(descriptor, self._take)
            self._watched = descriptor
            self._session.when_behind(self._take_soon)
            self._told = self._last(self._session)
            self._deaf = self._session.listen(lambda change: self._tell_new())

    def _forget(self) -> None:
        """Hear no more of a connection."""
        self._deaf()
        if self._watched >= 0:
            asyncio.get_running_loop().remove_reader(self._watched)
        self._watched = -1

    def _take_soon(self) -> None:
        """Take what has come right behind an answer, once the answer has been seen to."""
        asyncio.get_running_loop().call_soon(self._take)

    def _take(self) -> None:
        """Take what has come."""
        s = self._session
        if s is None:
            return
        due, asked = s.seat in s.waiting(), open_undo_request(s)
        s.take()
        self._tell_new()
        if (not due and s.seat in s.waiting()) or (asked is None and open_undo_request(s) is not None):
            self.ring()
        if s.fileno() < 0:
            self._forget()
            told = "The game is safe; coming back by itself." if s.comes_back else "The game goes on without you."
            self.notify(f"{s.trouble} {told}", severity="error", timeout=60)

    @staticmethod
    def _last(session: RemoteSession) -> tuple[int, int]:
        """How many entries the log has, which only grows, and the number of the last line of the talk."""
        return len(session.log()), session.talk[-1].n if session.talk else 0

    def _tell_new(self) -> None:
        """Show in a corner what has come since the last time, whether by itself or in front of an answer.

        Where an order has been refused because of it, it stands below the refusal.
        """
        s = self._session
        if s is None:
            return
        before, self._told = self._told, self._last(s)
        told = [*self._announced(s, before[0]), *self._new_chat(s, before[1])]
        refused = [note for note in self._notifications if note.severity == "warning"]
        if told and refused and s.refusal is not None and s.refusal.code == "stale":
            lines = [refused[-1].message, *(f"{title}: {text}" for title, text in told)]
            self.notify("\n".join(lines), title=refused[-1].title, severity="warning", timeout=8)
        elif told:
            (title, text), *more = told
            self.notify("\n".join((text, *(f"{other}: {line}" for other, line in more))), title=title, timeout=8)

    def _new_chat(self, session: RemoteSession, before: int) -> Iterator[tuple[str, str]]:
        """What somebody else has said last after a line of the talk, with its title, unless it is being read."""
        said = [line for line in session.talk if line.n > before and line.seat != session.viewpoint]
        if said and not isinstance(self.screen, ChatScreen):
            yield f"Table talk ({self.key_of('game.talk', 'T')})", f"{chat_speaker(session, said[-1])} {said[-1].text}"

    def _announced(self, session: RemoteSession, before: int) -> Iterator[tuple[str, str]]:
        """What the table, or somebody else, has said last of its clock and dice after so many entries of the log."""
        new = [entry for entry in session.log()[before:] if entry.seat != session.viewpoint]
        said = [entry.text for entry in new if entry.kind in ANNOUNCED]
        if said:
            yield "The table", said[-1]

    def _tell_time(self, session: RemoteSession) -> None:
        """Let the clock on the screen go on, and say once when little time is left."""
        if session.left is None or session.paused:
            self._warned = False
            return
        for screen in self.screen_stack:
            if isinstance(screen, GameScreen) and screen.children:
                screen.view.draw_top()
        hurried, self._warned = session.is_time_short and not self._warned, session.is_time_short
        if hurried and session.seat in session.waiting():
            self.notify(f"{duration_text(session.left).capitalize()} left.", severity="warning", timeout=8)
            self.ring()

    def _look_after_connection(self) -> None:
        """Come back to a table that was lost, and let its clock go on; whoever has gone from his keyboard is told."""
        if self._patience is not None and self._patience.over:
            self.exit(0, message=IDLE_ENDED)
            return
        if self._patience is not None and self._patience.warns():
            self.notify(IDLE_WARNING, severity="warning", timeout=IDLE_WARNING_S)
            self.bell()
        before, self._screens = self._screens, len(self.screen_stack)
        if self._patience is not None and self._screens < before:
            gc.collect()  # what a screen was made of is some megabytes, and goes in circles
        elif gc.get_count()[2] > GC_OLD_ROUNDS and not self.keyboard.busy:
            gc.collect()  # otherwise done between keys: a player who only watches types none
        self.thinker.end_if_idle()
        s = self._session
        if s is None:
            return
        self._tell_time(s)
        if s.fileno() >= 0:
            if self._watched != s.fileno():
                self._watch()
        elif s.come_back():
            self.clear_notifications()
            self._watch()
            self.notify(f"You are back at the table. {s.outcome}".strip(), timeout=15 if s.outcome else 4)


def play_seat(socket: Path, ticket: str, command: str) -> int:
    """Play at a seat until the player leaves; the exit code.

    Args:
        socket: where the hub listens.
        ticket: for the seat.
        command: what was asked for, for the report of a crash.
    """
    try:
        session = RemoteSession(RemoteTable(socket, ticket))
    except ConnectionLost as lost:
        print(f"paxtui: {lost}", file=sys.stderr)
        return 1
    return _run(SeatApp(session, patience=_idle_timer(command)), command)


def open_lobby(socket: Path, ticket: str, command: str) -> int:
    """Stay in the lobby, and at seats found there, until the visitor leaves; the exit code. Args: as `sit`."""
    try:
        lobby = LobbyClient(socket, ticket)
    except ConnectionLost as lost:
        print(f"paxtui: {lost}", file=sys.stderr)
        return 1
    return _run(SeatApp(None, lobby=lobby, socket=socket, patience=_idle_timer(command)), command)


def _idle_timer(command: str) -> IdleTimer | None:
    """How long nothing may be typed at a seat to which one has come by a command."""
    return IdleTimer() if command == REMOTE_COMMAND else None


def _run(app: SeatApp, command: str) -> int:
    app.run()
    if app.crash is not None:
        print(f"paxtui: {report_crash(app.crash, command)}", file=sys.stderr)
        return EXIT_CRASHED
    return app.return_code or 0
