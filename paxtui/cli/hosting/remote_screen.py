"""The app of a player on a server: the lobby, and games."""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from textual import on
from textual.events import Event, Key, MouseDown, Paste
from textual.screen import Screen

from paxtui.cli.hosting.remote_plain import session_of
from paxtui.cli.runtime import EXIT_CRASHED, IDLE_ENDED, IDLE_WARNING, IDLE_WARNING_S, IdleTimer, report_crash
from paxtui.engine.clock import duration_text
from paxtui.engine.log import BrokenLog
from paxtui.server.client import ConnectionLost, LobbyClient
from paxtui.server.remote_game import join_game, make_remote_game, open_remote_game
from paxtui.server.remote_seat import RemoteSeat
from paxtui.tui.app import PaxApp
from paxtui.tui.base.settings import Settings
from paxtui.tui.diplomacy.messages import ChatScreen
from paxtui.tui.game.screen import GameScreen
from paxtui.tui.rendering.key_queue import GC_OLD_ROUNDS
from paxtui.tui.start_screens.game_screens import GAME_SCREENS
from paxtui.tui.start_screens.hosting import LobbyScreen

RETRY_S = 1.0
"""Seconds between two attempts to reconnect."""

REMOTE_COMMAND = "ssh"
"""The command of remote players, whose idle sessions end."""


class SeatApp(PaxApp):
    """A game on a server, or the lobby with the games that are chosen there.

    Args:
        session: the game; None to start in the lobby.
        settings: replaces the stored settings, for tests.
        lobby: the connection of the lobby; None for one game.
        socket: the socket of the hub, for games chosen in the lobby.
        patience: ends an idle session; None for no limit.
    """

    def __init__(
        self,
        session: RemoteSeat | None,
        settings: Settings | None = None,
        lobby: LobbyClient | None = None,
        socket: Path | None = None,
        patience: IdleTimer | None = None,
    ) -> None:
        super().__init__(settings=settings)
        self.is_on_server = True
        self._session = session
        self._know_player()
        self._lobby, self._socket = lobby, socket
        self._patience, self._screens = patience, 0
        self._watched = -1
        self._warned = False
        self._told = 0, 0
        self._deaf: Callable[[], None] = lambda: None

    def on_mount(self) -> None:
        """Watch the connection."""
        self._watch()
        self.set_interval(RETRY_S, self._look_after_connection)

    async def on_event(self, event: Event) -> None:
        """Note that the player is active."""
        if self._patience is not None and isinstance(event, Key | Paste | MouseDown):
            self._patience.typed()
        await super().on_event(event)

    def _first_screen(self) -> Screen[None]:
        if self._session is not None:
            return _screen_of(self._session)
        if self._lobby is None:
            raise ValueError("neither a game nor a lobby is given")
        return LobbyScreen(self._lobby)

    def _know_player(self) -> None:
        """Take the name for comments from the player's seat: the system's name is that of the host."""
        if self._session is not None:
            game = self._session.game
            name = game.occupant(game.seat).name if game.seat in game.seats else ""
            self.player_name = name or game.rules.seat_name(game.seat) or "a spectator"

    # --- the lobby ------------------------------------------------------------------------------------------------

    @on(LobbyScreen.TicketReceived)
    def _open_seat(self, event: LobbyScreen.TicketReceived) -> None:
        if self._socket is not None and self._session is None:
            self.run_worker(self._open_game(self._socket, event.ticket), group="open", exclusive=True)

    async def _open_game(self, socket: Path, ticket: str) -> None:
        """Open a game above the lobby. A thread waits for the log, so that the lobby stays responsive."""
        try:
            game = make_remote_game(socket, ticket, *await asyncio.to_thread(join_game, socket, ticket))
        except (ConnectionLost, BrokenLog) as error:
            self.notify(str(error), severity="error", timeout=6)
            return
        self._session = session_of(game)
        self._know_player()
        self._watch()
        self.push_screen(_screen_of(self._session), lambda _: self._forget_game())

    @on(LobbyScreen.Left)
    def _leave_lobby(self) -> None:
        self.exit(0)

    @on(GameScreen.Left)
    def _left(self, event: GameScreen.Left) -> None:
        """Return to the lobby, or end the app."""
        event.prevent_default()
        if self._lobby is None:
            self.exit(0)
        else:
            self._forget_game()
            self.pop_screen()

    def _forget_game(self) -> None:
        """Return to the lobby."""
        self._forget()
        self._session = None
        self.clear_notifications()

    # --- messages of the hub --------------------------------------------------------------------------------------

    def _watch(self) -> None:
        """Let the event loop report received data."""
        self._forget()
        session = self._session
        if session is not None and session.game.fileno() >= 0:
            asyncio.get_running_loop().add_reader(session.game.fileno(), self._receive)
            self._watched = session.game.fileno()
            self._told = self._last(session)
            self._deaf = session.listen(lambda *change: self._tell_soon())

    def _forget(self) -> None:
        """Stop watching a connection."""
        self._deaf()
        if self._watched >= 0:
            asyncio.get_running_loop().remove_reader(self._watched)
        self._watched = -1

    def _receive(self) -> None:
        """Process received messages; report a lost or restored connection."""
        s = self._session
        if s is None:
            return
        due, asked, acts = s.must_act, s.must_consent, s.is_answer_pending
        was_lost = bool(s.trouble)
        s.receive()
        self._tell_soon()
        if (s.must_act and not due and not acts) or (s.must_consent and not asked):
            self._call_player(s)
        if s.trouble:
            self._report_lost(s, was_lost)
        elif was_lost:
            self.clear_notifications()
            self.notify(f"You are connected again. {s.game.outcome}".strip(), timeout=15 if s.game.outcome else 4)

    def _report_lost(self, session: RemoteSeat, was_lost: bool) -> None:
        """Stop watching a lost connection, and say so once."""
        if session.game.fileno() < 0:
            self._forget()
        will_reconnect = session.game.will_reconnect
        if not was_lost or not will_reconnect:
            hint = "The game is saved. Reconnecting..." if will_reconnect else "The game continues without you."
            self.notify(f"{session.trouble} {hint}", severity="error", timeout=60)

    @staticmethod
    def _last(session: RemoteSeat) -> tuple[int, int]:
        """Return the number of announcements and the number of the last chat line."""
        return len(session.announcements()), session.game.chat.last_number

    def _tell_soon(self) -> None:
        """Notify the player of news after the notifications that are under way."""
        self.call_later(self._tell_new)

    def _tell_new(self, is_overdue: bool = False) -> None:
        """Notify the player of news since the last call; below the refusal if an order was refused because of them.

        While an order waits for its answer, the news wait for it too, at most until the next periodic check.
        """
        s = self._session
        if s is None or (s.is_answer_pending and not is_overdue):
            return
        before, self._told = self._told, self._last(s)
        news = [*self._announced(s, before[0]), *self._new_chat(s, before[1])]
        refused = [note for note in self._notifications if note.severity == "warning"]
        if news and refused and s.refusal is not None and s.refusal.code == "stale":
            lines = [refused[-1].message, *(f"{title}: {text}" for title, text in news)]
            self.notify("\n".join(lines), title=refused[-1].title, severity="warning", timeout=8)
        elif news:
            (title, text), *more = news
            self.notify("\n".join((text, *(f"{other}: {line}" for other, line in more))), title=title, timeout=8)

    def _new_chat(self, session: RemoteSeat, before: int) -> Iterator[tuple[str, str]]:
        """Yield title and text of the last new chat line of another player, unless the chat is open."""
        lines = session.chat_since(before)
        if lines and not isinstance(self.screen, ChatScreen):
            key = f" ({self.key_of(session.chat_binding, 'T')})" if session.chat_binding else ""
            yield f"Chat{key}", lines[-1]

    def _announced(self, session: RemoteSeat, before: int) -> Iterator[tuple[str, str]]:
        """Yield title and text of the last announcement. Args: the number of those announced already."""
        lines = session.announcements()[before:]
        if lines:
            yield "The game", lines[-1]

    def _tell_time(self, session: RemoteSeat) -> None:
        """Update the clock on the screen, and warn once when little time is left."""
        if session.game.clock.left_s is None or session.game.clock.is_paused:
            self._warned = False
            return
        for screen in self.screen_stack:
            if isinstance(screen, GameScreen) and screen.children:
                screen.view.draw_top()
        hurried, self._warned = session.game.clock.is_short and not self._warned, session.game.clock.is_short
        if hurried and session.must_act:
            self.notify(f"{duration_text(session.game.clock.left_s).capitalize()} left.", severity="warning", timeout=8)
            self._call_player(session)

    def _call_player(self, session: RemoteSeat) -> None:
        """Ring, and let the terminal show a notification if the player looks elsewhere."""
        self.ring()
        game = session.game
        phase, seat = game.rules.phase(game.state), game.rules.seat_name(game.seat)
        what = "must act" if session.must_act else "is asked to agree to an undo"
        self.alert(f"{seat} {what} in {game.name}: {phase.name}, {phase.year}.")

    def _look_after_connection(self) -> None:
        """Reconnect if necessary, update the clock, warn an idle player. Runs each second."""
        if self._patience is not None and self._patience.over:
            self.exit(0, message=IDLE_ENDED)
            return
        if self._patience is not None and self._patience.warns():
            self.notify(IDLE_WARNING, severity="warning", timeout=IDLE_WARNING_S)
            self.bell()
        before, self._screens = self._screens, len(self.screen_stack)
        if self._patience is not None and self._screens < before:
            gc.collect()  # a closed screen leaves megabytes in reference cycles
        elif gc.get_count()[2] > GC_OLD_ROUNDS and not self.keyboard.busy:
            gc.collect()  # otherwise collected between keys, but a spectator types none
        self.thinker.end_if_idle()
        s = self._session
        if s is None:
            return
        self._tell_time(s)
        self._tell_new(is_overdue=True)
        was_lost = bool(s.trouble)
        s.check_timeout()
        if s.trouble and not was_lost:
            self._report_lost(s, was_lost)
        if s.game.fileno() < 0:
            if self._watched >= 0:  # lost while an order was sent
                self._report_lost(s, False)
            s.start_reconnect()
        if s.game.fileno() >= 0 and self._watched != s.game.fileno():
            self._watch()


def play_seat(socket: Path, ticket: str, command: str) -> int:
    """Play a seat until the player leaves; return the exit code.

    Args:
        socket: the socket of the hub.
        ticket: the ticket for the seat.
        command: the command, for the report of a crash.
    """
    try:
        game = open_remote_game(socket, ticket)
    except (ConnectionLost, BrokenLog) as error:
        print(f"paxtui: {error}", file=sys.stderr)
        return 1
    return _run(SeatApp(session_of(game), patience=_idle_timer(command)), command)


def open_lobby(socket: Path, ticket: str, command: str) -> int:
    """Show the lobby, and games chosen there, until the visitor leaves; return the exit code. Args: as `play_seat`."""
    try:
        lobby = LobbyClient(socket, ticket)
    except ConnectionLost as lost:
        print(f"paxtui: {lost}", file=sys.stderr)
        return 1
    return _run(SeatApp(None, lobby=lobby, socket=socket, patience=_idle_timer(command)), command)


def _screen_of(session: RemoteSeat) -> Screen[None]:
    return GAME_SCREENS[session.game.rules.rulebook].of_session(session)


def _idle_timer(command: str) -> IdleTimer | None:
    """Return the limit for idle sessions of a command."""
    return IdleTimer() if command == REMOTE_COMMAND else None


def _run(app: SeatApp, command: str) -> int:
    app.run()
    if app.crash is not None:
        print(f"paxtui: {report_crash(app.crash, command)}", file=sys.stderr)
        return EXIT_CRASHED
    return app.return_code or 0
