"""The hub: the process that owns the games. Clients connect over a Unix socket that only its own user can open."""

from __future__ import annotations

import asyncio
import os
import socket
import struct
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import SPECTATOR
from paxtui.server import messages
from paxtui.server.access_control import PlayerRegistry, ServerTerms
from paxtui.server.admin_api import AdminApi
from paxtui.server.club.conditions import CLUB_FILE
from paxtui.server.data_directory import DataDirectory, Journal
from paxtui.server.game_opener import GameOpener
from paxtui.server.games import GameRegistry
from paxtui.server.hosted_game import ClientConnection, HostedGame
from paxtui.server.limits import RateLimits
from paxtui.server.link import HubLink
from paxtui.server.lobby import LobbyService
from paxtui.server.messages import MAX_CLIENT_MESSAGE, FrameReader, frame_message
from paxtui.server.notification_service import NotificationService
from paxtui.server.notifications import Notify
from paxtui.server.peers import Peers
from paxtui.session.fair_dice import SteadyClock
from paxtui.session.game_host import Clock, DiceKind, utc_now
from paxtui.session.storage.files import StorageError
from paxtui.session.storage.interface import OutcomeUnknown, StorageAway

HELLO_TIMEOUT_S = 10.0
"""Time limit for the first message of a connection, in seconds."""

LOOK_INTERVAL_S = 1.0
"""Interval of the periodic check, in seconds."""

REST_PAUSE = 4.0
"""Pause after a game has been suspended, as a multiple of the time that it took: many take a fifth of the hub."""

NEWS_INTERVAL_S = 0.1
"""Interval at which the hub looks for news of other hubs, in seconds."""

JOIN_S = 30.0
"""Seconds for which a hub that starts waits for the other hubs' storage."""

AT_OTHER_HUBS = ("elsewhere", "away")
"""Codes of refusals because another hub holds the game, or nobody knows which."""

_PEER = struct.Struct("3i")


class Hub:
    """The games of a server and its connections.

    Args:
        data_directory: the data directory.
        clock: the time, ISO 8601 in UTC.
        tell: callback for each seat that must act; None for no notifications.
        steady: monotonic seconds.
        dice: kind of dice of games that are opened in the lobby.
        journal: the journal file; None for none.
        peers: the other hubs that share the storage; None for none.

    Attributes:
        players: keys, seats and invitations.
        terms: access terms.
        games: the games.
        limits: rate limits.
        admin_api: the administrative requests.
        notifications: webhooks and e-mail of players.
    """

    def __init__(
        self,
        data_directory: DataDirectory,
        clock: Clock = utc_now,
        tell: Notify | None = None,
        steady: SteadyClock = time.monotonic,
        dice: DiceKind = "fair",
        journal: Journal | None = None,
        peers: Peers | None = None,
    ) -> None:
        self.data_directory = data_directory
        self.players = PlayerRegistry(data_directory.register, data_directory.storage)
        self.terms = ServerTerms(data_directory.terms, data_directory.storage)
        self._clock = clock
        self._journal = journal or Journal(None)
        self.limits = RateLimits(steady)
        self.notifications = NotificationService(
            data_directory, self.players, self._is_waiting, clock, steady, self._journal
        )
        tells = (self.notifications.tell, tell) if tell else (self.notifications.tell,)
        self.games = GameRegistry(
            data_directory,
            self.terms,
            clock,
            steady,
            lambda environment: _tell_all(tells, environment),
            self._journal,
            self.limits,
            peers,
        )
        self._peers, self._link = peers, HubLink(data_directory.link_key) if peers else None
        self._opener = GameOpener(peers, self.games, self._journal) if peers else None
        self._lobby = LobbyService(
            data_directory, self.players, self.terms, self.games, self.limits, dice, self.notifications
        )
        self._is_away = False  # whether the other hubs cannot be heard
        self._looks: list[asyncio.Task[None]] = []
        self._passed_on: set[asyncio.Task[Any]] = set()
        self._callers: set[ClientConnection] = set()
        self._homes: dict[ClientConnection, str] = {}  # players whose clients run on this machine
        self._server: asyncio.Server | None = None
        self.players.seat_changed = self._release_seat
        self.players.key_removed = self._disconnect_player
        self.players.forget = data_directory.forget_player
        self.admin_api = AdminApi(
            data_directory,
            self.players,
            self.terms,
            self._lobby,
            self.games,
            self._callers,
            self.limits,
            self.notifications,
        )

    def _is_waiting(self, game: str, seat: str) -> bool:
        with suppress(Refusal):
            return seat in self.games.standing(game).since
        return False

    async def read_games(self) -> dict[str, str]:
        """Read each game once, and yield to other tasks in between.

        Games whose standing is in the index, and that have no clock, are read when somebody needs them.

        Returns: the errors of games that cannot be opened, by name.
        """
        wrong: dict[str, str] = {}
        for name in self.games.names:
            try:
                if self.games.must_be_read(name) and not self.games.awake(name):
                    self.games.game(name)
            except Refusal as refusal:
                if refusal.code not in AT_OTHER_HUBS:
                    wrong[name] = refusal.message
            await asyncio.sleep(0)
            self.games.rest()
        return wrong

    # --- connections ----------------------------------------------------------------------------------------------

    async def listen(self) -> None:
        """Start to accept connections. Raises: StorageError if another hub is running; OSError."""
        path = self.data_directory.socket
        if path.exists():
            if _is_hub_listening(path):
                raise StorageError(path, "another hub runs in this directory")
            path.unlink()
        before = os.umask(0o177)
        try:
            self._server = await asyncio.start_unix_server(self._receive, path=str(path))
        finally:
            os.umask(before)
        self._looks += [asyncio.create_task(self._look_now_and_then()), asyncio.create_task(self._rest_now_and_then())]
        self._journal.note("open", games=len(self.data_directory.names()))

    async def join_peers(self, address: str, port: int) -> None:
        """Begin to share the games with other hubs, before clients are accepted.

        Args: where other hubs reach this one, "" for nowhere; the port, 0 for any.
        Raises: OSError.
        """
        assert self._peers is not None and self._link is not None
        if address:
            port = await self._link.listen(address, port, self._receive_from_hub)
        until = time.monotonic() + JOIN_S
        while True:
            try:
                self._peers.join(f"{address}:{port}" if address else "")
                break
            except StorageAway:  # the database restarts at this moment
                if time.monotonic() > until:
                    raise
                await asyncio.sleep(NEWS_INTERVAL_S)
        self._looks.append(asyncio.create_task(self._follow_peers()))

    async def _follow_peers(self) -> None:
        while True:
            await asyncio.sleep(NEWS_INTERVAL_S)
            self.hear_peers()
            if not self._is_away and not (self._opener and self._opener.is_busy):
                self.games.publish()

    def hear_peers(self) -> None:
        """Do what follows from what other hubs have done. Nothing without a connection to them."""
        if self._peers is None:
            return
        try:
            news = self._peers.take_news()
            for path in self._shared_files if news.is_reconnected else news.files:
                self._reload(path)
        except (OSError, Refusal) as error:
            if not self._is_away:
                self._journal.note("away", why=type(error).__name__)
            self._is_away = True
            return
        self._is_away = False
        for hosted in self.games.open:
            store = hosted.host.store
            if store is not None and (news.is_reconnected or hosted.name in news.lines) and store.trouble:
                self._journal.note("lost", game=hosted.name)
        if news.is_reconnected:
            self.games.forget_others()

    @property
    def _shared_files(self) -> tuple[Path, ...]:
        """The files that a hub keeps in memory and other hubs change."""
        return self.data_directory.register, self.data_directory.terms, self.data_directory.root / CLUB_FILE

    def _reload(self, path: Path) -> None:
        """Read a file that another hub has replaced. Raises: OSError, Refusal."""
        if path == self.data_directory.register:
            self.players.reload()
        elif path == self.data_directory.terms:
            self.terms.reload()
            for hosted in self.games.open:
                hosted.delay = self.terms.of(hosted.name).delay
        else:
            self._lobby.club.forget_file(path)

    def _tend_peers(self) -> None:
        """Close games that go on elsewhere, and take over those of a hub that is gone."""
        if self._peers is None or self._opener is None:
            return
        for hosted in self.games.open:
            if hosted.host.store is not None and hosted.host.store.must_reopen:
                self._drop(hosted)
        self._opener.take_over(self._peers.orphans())

    def _drop(self, hosted: HostedGame) -> None:
        """Close a game that must be opened again, here or by another hub; its clients connect again."""
        self.games.drop(hosted.name)
        for caller in self._callers:
            if caller.game is hosted:
                caller.game = None
                caller.send(messages.Goodbye("The server reopens the game. Connecting again...", back=True))
                caller.close()

    async def _look_now_and_then(self) -> None:
        while True:
            await asyncio.sleep(LOOK_INTERVAL_S)
            for _ in self._look_steps():
                await asyncio.sleep(0)

    async def _rest_now_and_then(self) -> None:
        """Suspend idle games, slowly: when many players leave at once, the others wait for none of it."""
        while True:
            await asyncio.sleep(LOOK_INTERVAL_S)
            began = time.perf_counter()
            for _ in self.games.rest_steps():
                await asyncio.sleep(REST_PAUSE * (time.perf_counter() - began))
                began = time.perf_counter()

    def look(self) -> None:
        """Run the periodic check: send delayed lines, suspend idle games, resume games whose clocks are due."""
        for _ in self._look_steps():
            pass
        self.games.rest()

    def _look_steps(self) -> Iterator[None]:
        """Run the periodic check, one game in each step, so that no order waits for many."""
        self._tend_peers()
        self.games.ring()
        for hosted in self.games.open:
            if self.games.awake(hosted.name) is hosted:
                hosted.catch_up()
                hosted.tend()
                self._broadcast_chat(hosted)
            yield
        for player in set(self._homes.values()):
            self.data_directory.store_settings(player)
            yield

    async def close(self, reason: str = "The server is stopping. The game is saved.") -> None:
        """Disconnect all clients and close the games."""
        self._journal.note("closed", connected=len(self._callers))
        for caller in tuple(self._callers):
            caller.send(messages.Goodbye(reason, back=True))
            caller.close()
        for task in (*self._looks, *self._passed_on):
            task.cancel()
        if self._opener is not None:
            self._opener.close()
        await asyncio.gather(*self._passed_on, return_exceptions=True)
        if self._link is not None:
            await self._link.close()
        await self.notifications.close()
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()
        self.games.close()
        if self._peers is not None:
            self._peers.leave()
        self.data_directory.socket.unlink(missing_ok=True)

    async def _receive(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection of the Unix socket until it ends."""
        await self._serve(reader, writer, is_own=_is_own_user(writer))

    async def _receive_from_hub(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one client that another hub has passed on, until it ends."""
        await self._serve(reader, writer, is_own=True, is_passed_on=True)

    async def _serve(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, is_own: bool, is_passed_on: bool = False
    ) -> None:
        """Serve one connection until it ends. Args: whether the peer may use it; whether another hub passed it on."""
        caller = ClientConnection(writer)
        self._callers.add(caller)
        try:
            if not is_own:
                raise messages.MalformedMessage("Only the user who runs the server may use its socket.")
            await self._converse(reader, writer, caller, is_passed_on)
        except (messages.MalformedMessage, TimeoutError) as error:
            self.admin_api.refused += 1
            self._journal.note("refused", why=type(error).__name__, game=caller.game.name if caller.game else "")
            caller.send(messages.Goodbye(str(error) or "You sent nothing."))
        except (ConnectionError, asyncio.CancelledError):
            pass
        finally:
            self._callers.discard(caller)
            self.data_directory.store_settings(self._homes.pop(caller, ""))
            if caller.game is not None:
                caller.game.leave(caller)
                self._journal.note("left", game=caller.game.name, seat=caller.seat, player=caller.player)
            writer.close()
            with suppress(OSError, asyncio.CancelledError):
                await writer.wait_closed()

    async def _converse(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, caller: ClientConnection, is_passed_on: bool
    ) -> None:
        frames = FrameReader(MAX_CLIENT_MESSAGE)
        patience: float | None = HELLO_TIMEOUT_S
        while True:
            data = await asyncio.wait_for(reader.read(65536), patience)
            if not data:
                return
            found = frames.take(data)
            for n, message in enumerate(found):
                decoded = messages.read_by_hub(message)
                patience = None
                if not isinstance(decoded, messages.Command):
                    self.hear_peers()  # so that a code or seat given at another hub is known here
                at = await self._other_hub_for(decoded, caller, is_passed_on)
                if not at:
                    self._hear(caller, decoded)
                elif isinstance(decoded, messages.AdminRequest):
                    await self._ask_hub(at, message, writer)
                else:
                    begin = b"".join(map(frame_message, found[n:])) + frames.rest
                    return await self._pass_on(at, begin, reader, writer, caller)

    async def _other_hub_for(self, message: messages.ToHub, caller: ClientConnection, is_passed_on: bool) -> str:
        """Return the address of the hub that must answer a message, "" for this one, which opens the game."""
        if self._opener is None:
            return ""
        game = ""
        with suppress(Refusal, OSError):  # this hub answers with the reason
            if isinstance(message, messages.JoinGame) and caller.game is None and message.version == messages.VERSION:
                ticket = self.data_directory.read_ticket(message.ticket, time.time())
                game = ticket.game
                if not is_passed_on:
                    self._homes[caller] = ticket.player
            elif isinstance(message, messages.AdminRequest) and message.ask in self.admin_api.OF_HOLDER:
                game = message.about.get("game", "")
            if game:
                self.data_directory.game_file(game)
                at = await self._opener.hub_of(game, may_pass=not is_passed_on)
                return "" if is_passed_on else at
        return ""

    async def _ask_hub(self, at: str, message: bytes, writer: asyncio.StreamWriter) -> None:
        """Let another hub answer a request."""
        assert self._link is not None
        try:
            writer.write(await self._link.ask(at, message))
        except OSError as error:
            text = f"The hub at {at}, which holds the game, does not answer ({error or type(error).__name__})."
            writer.write(frame_message(messages.encode(messages.Reply({"refusal": text, "code": "away"}))))

    async def _pass_on(
        self,
        at: str,
        begin: bytes,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        caller: ClientConnection,
    ) -> None:
        """Connect a client with the hub that holds its game, until one of them ends."""
        assert self._link is not None
        task = asyncio.current_task()
        assert task is not None
        self._passed_on.add(task)
        try:
            await self._link.pass_on(at, begin, reader, writer)
        except OSError:
            caller.send(messages.Goodbye("The machine that runs the game does not answer. Trying again...", back=True))
        finally:
            self._passed_on.discard(task)

    def _hear(self, caller: ClientConnection, message: messages.ToHub) -> None:
        """Answer one message. Raises: MalformedMessage, which ends the connection."""
        if isinstance(message, messages.JoinGame | messages.EnterLobby | messages.AdminRequest):
            self._hear_first(caller, message)
        elif isinstance(message, messages.LobbyRequest):
            if not caller.visits:
                raise messages.MalformedMessage("Enter the lobby first.")
            caller.send(messages.Reply(self._lobby_reply(caller, message)))
        elif caller.game is None:
            raise messages.MalformedMessage("Join a game first.")
        elif isinstance(message, messages.Command):
            began, hosted = time.perf_counter(), caller.game
            try:
                hosted.do(caller, message)
            except OutcomeUnknown:
                return self._drop(hosted)  # the client finds out when it connects again
            self.admin_api.pace.took(time.perf_counter() - began)
        elif isinstance(message, messages.SendChat):
            answer = self._handle_chat(caller, caller.game, message)
            self._broadcast_chat(caller.game)
            caller.send(answer)
        elif isinstance(message, messages.LeaveOrders):
            caller.game.leave_orders(caller, message)
        else:
            caller.game.watch_orders_ahead(caller)

    def _hear_first(
        self, caller: ClientConnection, message: messages.JoinGame | messages.EnterLobby | messages.AdminRequest
    ) -> None:
        """Answer a first message, which names the version of the protocol. Raises: MalformedMessage."""
        if message.version != messages.VERSION:
            raise messages.MalformedMessage(
                f"The server has protocol version {messages.VERSION}, the client {message.version}."
            )
        if isinstance(message, messages.AdminRequest):
            caller.send(messages.Reply(self.admin_api.answer(message)))
        elif caller.game is not None or caller.visits:
            raise messages.MalformedMessage("This connection has joined already.")
        elif isinstance(message, messages.EnterLobby):
            self._visit(caller, message)
        else:
            self._enter(caller, message)

    def _enter(self, caller: ClientConnection, message: messages.JoinGame) -> None:
        try:
            ticket = self.data_directory.read_ticket(message.ticket, time.time())
            held = self.players.at(ticket.game, ticket.seat)
            if ticket.player and ticket.seat != SPECTATOR and held != ticket.player:
                raise Refusal("seat_gone", (), "Your seat has been given to another player.")
            if ticket.seat == SPECTATOR:
                self._lobby.watch(ticket.player, ticket.game)
            hosted = self.games.game(ticket.game)
            caller.seat, caller.player = ticket.seat, ticket.player
            talks = ticket.seat != SPECTATOR or self.terms.of(ticket.game).talk == "everybody" or not ticket.player
            hosted.enter(caller, message.line, message.tip, talks)
            caller.game, caller.talks, caller.heard = hosted, talks, message.heard
            self._journal.note("entered", game=hosted.name, seat=caller.seat, player=caller.player)
            self._broadcast_chat(hosted)
        except Refusal as refusal:
            caller.send(messages.Goodbye(refusal.message, back=refusal.code in AT_OTHER_HUBS))
            caller.close()

    def _release_seat(self, game: str, seat: str, player: str) -> None:
        """Disconnect the clients at a seat that now belongs to another player; the host may stay.

        Orders ahead are deleted: the new player does not read them.
        """
        self.games.forget_orders_ahead(game, seat)
        for caller in tuple(self._callers):
            is_here = caller.game is not None and (caller.game.name, caller.seat) == (game, seat)
            if is_here and caller.player not in ("", player):
                self._disconnect(caller, "Your seat has been given to another player.")

    def _disconnect_player(self, player: str) -> None:
        """Disconnect a player whose keys have changed: someone else may be using the removed key."""
        for caller in tuple(self._callers):
            if caller.player == player:
                self._disconnect(caller, "The host has changed your keys. Connect again.")

    def _disconnect(self, caller: ClientConnection, reason: str) -> None:
        caller.send(messages.Goodbye(reason))
        hosted, caller.game = caller.game, None
        caller.close()
        if hosted is not None:
            hosted.leave(caller)
            self._journal.note("left", game=hosted.name, seat=caller.seat, player=caller.player)

    # --- chat and lobby -------------------------------------------------------------------------------------------

    def _handle_chat(
        self, caller: ClientConnection, hosted: HostedGame, message: messages.SendChat
    ) -> messages.CommandResult:
        """Store and send a chat message; return the answer to its sender."""
        refusal, failed = None, ""
        try:
            if not caller.talks:
                raise Refusal("not_a_player", (), "Only players can chat in this game.")
            writer = f"{hosted.name}/{caller.player if caller.seat == SPECTATOR else caller.seat}"
            self.limits.check_messages(writer)
            who, name = caller.player or f"host as {caller.seat}", self.players.name(caller.player)
            self.games.talk(hosted).append(who, caller.seat, name, message.text, self._clock())
            self.limits.messages.use(writer)
        except Refusal as refused:
            refusal = messages.Refused.of(refused)
        except OSError as error:
            failed = f"The chat was not saved ({error.strerror or type(error).__name__}). Your message was not sent."
        return messages.CommandResult(message.id, caller.has, refusal, failed)

    def _broadcast_chat(self, hosted: HostedGame) -> None:
        """Send new chat lines to the clients of a game."""
        talk = self.games.talk(hosted)
        for subscriber in hosted.subscribers:
            if isinstance(subscriber, ClientConnection):
                lines = talk.after(subscriber.heard, hosted.visible_until if subscriber.seat == SPECTATOR else "")
                if lines:
                    subscriber.heard = lines[-1].n
                    subscriber.send(messages.ChatMessages(lines))

    def _visit(self, caller: ClientConnection, message: messages.EnterLobby) -> None:
        try:
            ticket = self.data_directory.read_ticket(message.ticket, time.time())
            if ticket.game:
                raise Refusal("bad_ticket", (), "This ticket is for a seat, not for the lobby.")
            caller.visits, caller.player = True, ticket.player
            caller.send(messages.Reply({}))
        except Refusal as refusal:
            caller.send(messages.Goodbye(refusal.message))
            caller.close()

    def _lobby_reply(self, caller: ClientConnection, wish: messages.LobbyRequest) -> Any:
        """Answer a lobby request with builtins; a refused request gets a dict with `refusal`."""
        try:
            return self._lobby.request(caller.player, wish.what, wish.about, time.time())
        except Refusal as refusal:
            return {"refusal": refusal.message, "code": refusal.code}
        except OSError as error:
            return {"refusal": f"The server cannot write its files ({error.strerror or type(error).__name__})."}
        except TypeError:
            return {"refusal": f"The request {wish.what!r} has wrong parameters."}


def _tell_all(tells: Sequence[Notify], environment: Mapping[str, str]) -> None:
    for tell in tells:
        tell(environment)


def _is_own_user(writer: asyncio.StreamWriter) -> bool:
    """Whether the peer of a connection is the user that runs the hub."""
    sock = writer.get_extra_info("socket")
    if not hasattr(socket, "SO_PEERCRED"):
        return True  # the permissions of the socket exclude other users
    _, user, _ = _PEER.unpack(sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _PEER.size))
    return bool(user == os.getuid())


def _is_hub_listening(path: os.PathLike[str]) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(os.fspath(path))
        except OSError:
            return False
        return True
