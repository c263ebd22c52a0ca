"""Client connections to the hub: `HubClient` for a seat or requests, `LobbyClient` for the lobby."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import msgspec

from paxtui.engine.refusal import Refusal
from paxtui.server import messages
from paxtui.server.messages import MAX_HUB_MESSAGE, FrameReader, frame_message
from paxtui.session.lobby import LobbyView

ANSWER_TIMEOUT_S = 15.0
"""Timeout for an answer, in seconds."""
QUEUE_WAIT_S = 0.01
"""Wait before the next attempt to connect when the backlog of the socket is full, in seconds."""


class ConnectionLost(OSError):
    """The hub cannot be reached, or has closed the connection. The text gives the reason in a sentence.

    Args:
        reason: in a sentence.
        back: whether to reconnect.
    """

    def __init__(self, reason: str, back: bool = True) -> None:
        super().__init__(reason)
        self.strerror = reason
        self.back = back


def no_answer() -> ConnectionLost:
    """Return the error of a hub that does not answer."""
    return ConnectionLost(f"The server has not answered for {ANSWER_TIMEOUT_S:.0f} seconds.")


def _unreachable(error: OSError) -> ConnectionLost:
    return ConnectionLost(f"Cannot reach the server ({error.strerror or error}).")


def _connect(client: socket.socket, path: Path, timeout_s: float) -> None:
    """Connect; retry while the backlog of the socket is full. Raises: OSError."""
    until = monotonic() + timeout_s
    while True:
        try:
            return client.connect(str(path))
        except BlockingIOError:  # raised at once, because the socket has a timeout
            if monotonic() > until:
                raise
            sleep(QUEUE_WAIT_S)


class HubClient:
    """A connection to the hub.

    Requests wait for their answer. Commands of a seat do not: `send_command` sends one, `receive` returns what came.

    Args:
        path: the socket of the hub.
        wait: whether to wait while the backlog of the socket is full.

    Raises:
        ConnectionLost: no hub listens there.
    """

    def __init__(self, path: Path, wait: bool = True) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.settimeout(ANSWER_TIMEOUT_S if wait else 0)
            _connect(self._socket, path, ANSWER_TIMEOUT_S if wait else 0)
            self._socket.settimeout(ANSWER_TIMEOUT_S)
        except OSError as error:
            self._socket.close()
            raise _unreachable(error) from None
        self._frames = FrameReader(MAX_HUB_MESSAGE)
        self._received: list[messages.ToClient] = []
        self._closed: ConnectionLost | None = None
        self._id, self._numbers = secrets.token_hex(8), count(1)

    def fileno(self) -> int:
        """Return the socket descriptor, for the event loop."""
        return self._socket.fileno()

    # --- commands of a seat ---------------------------------------------------------------------------------------

    def send_join(self, ticket: str, line: int = 0, tip: str = "", heard: int = 0) -> None:
        """Ask to join a game; the answer is a `Welcome`. Args: as `messages.JoinGame`. Raises: ConnectionLost."""
        self._send(messages.JoinGame(messages.VERSION, ticket, line, tip, heard))

    def send_command(self, operation: messages.Operation, line: int) -> str:
        """Send a command of the seat.

        Args: the operation; the number of the seat's last log line.
        Returns: the id of the `CommandResult` that will answer it.
        Raises: ConnectionLost: it is unknown whether the command is carried out.
        """
        id_ = self._next_id()
        self._send(messages.Command(id_, line, operation))
        return id_

    def send_chat(self, text: str) -> str:
        """Send a chat message; returns as `send_command`. Raises: ConnectionLost."""
        id_ = self._next_id()
        self._send(messages.SendChat(id_, text))
        return id_

    def watch_orders_ahead(self) -> None:
        """Ask for the orders ahead of the seat. Raises: ConnectionLost."""
        self._send(messages.WatchOrdersAhead())

    def send_orders_ahead(self, version: int, lines: Sequence[tuple[str, bool]]) -> str:
        """Replace the orders ahead of the seat; returns as `send_command`. Raises: ConnectionLost."""
        id_ = self._next_id()
        self._send(messages.LeaveOrders(id_, version, tuple(lines)))
        return id_

    def _next_id(self) -> str:
        return f"{self._id}-{next(self._numbers)}"

    # --- requests -------------------------------------------------------------------------------------------------

    def join(self, ticket: str, line: int = 0, tip: str = "", heard: int = 0) -> messages.Welcome:
        """Join a game and wait for the answer. Args: as `messages.JoinGame`. Raises: ConnectionLost."""
        self.send_join(ticket, line, tip, heard)
        while True:
            for n, message in enumerate(self._received):
                if isinstance(message, messages.Welcome):
                    del self._received[n]
                    return message
            self.wait_for_data()

    def admin_request(self, ask: str, **about: str) -> Any:
        """Send an administrative request and return the answer. Raises: Refusal, ConnectionLost."""
        return self._send_request(messages.AdminRequest(messages.VERSION, ask, about))

    def enter_lobby(self, ticket: str) -> None:
        """Enter the lobby. Raises: Refusal, ConnectionLost."""
        self._send_request(messages.EnterLobby(messages.VERSION, ticket))

    def lobby_request(self, what: str, **about: str) -> Any:
        """Send a lobby request and return the answer. Raises: Refusal, ConnectionLost."""
        return self._send_request(messages.LobbyRequest(what, about))

    def _send_request(self, request: messages.AdminRequest | messages.EnterLobby | messages.LobbyRequest) -> Any:
        """Send a request and return the answer. Raises: Refusal, ConnectionLost."""
        self._send(request)
        while not any(isinstance(message, messages.Reply) for message in self._received):
            self.wait_for_data()
        reply = self._received.pop()
        answer = reply.answer if isinstance(reply, messages.Reply) else {}
        if isinstance(answer, dict) and "refusal" in answer:
            raise Refusal(str(answer.get("code", "refused")), (), str(answer["refusal"]))
        return answer

    # --- receiving ------------------------------------------------------------------------------------------------

    def receive(self) -> list[messages.ToClient]:
        """Return the received messages without waiting. Raises: ConnectionLost if there are none and the connection
        is closed.
        """
        self._socket.setblocking(False)
        try:
            while self._closed is None:
                self._read()
        except BlockingIOError:
            pass
        finally:
            if self._socket.fileno() >= 0:
                self._socket.settimeout(ANSWER_TIMEOUT_S)
        received, self._received = self._received, []
        if not received and self._closed is not None:
            raise self._closed
        return received

    def wait_for_data(self) -> None:
        """Wait until something is received. Raises: ConnectionLost, also after `ANSWER_TIMEOUT_S`."""
        if self._closed is not None:
            raise self._closed
        try:
            self._read()
        except TimeoutError:
            raise no_answer() from None

    def close(self) -> None:
        self._socket.close()

    def _send(self, message: messages.ToHub) -> None:
        try:
            self._socket.sendall(frame_message(messages.encode(message)))
        except (BrokenPipeError, ConnectionResetError):
            while self._closed is None:  # the hub may have sent a reason before closing
                self._read()
            raise self._closed from None
        except OSError as error:
            raise _unreachable(error) from None

    def _read(self) -> None:
        """Receive once and buffer the messages. Raises: BlockingIOError, TimeoutError if no data came."""
        try:
            data = self._socket.recv(1 << 18)
        except (BlockingIOError, TimeoutError):
            raise
        except OSError as error:
            self._closed = _unreachable(error)
            return
        if not data:
            self._closed = ConnectionLost("The connection to the server has ended.")
            return
        try:
            for frame in self._frames.take(data):
                message = messages.read_by_client(frame)
                if isinstance(message, messages.Goodbye):
                    self._closed = ConnectionLost(message.reason, message.back)
                    return
                self._received.append(message)
        except messages.MalformedMessage as error:
            self._closed = ConnectionLost(str(error), back=False)


class LobbyClient:
    """A visitor in the lobby. It reconnects once per request when the connection is lost.

    Args:
        socket: the socket of the hub.
        ticket: the lobby ticket.

    Raises:
        ConnectionLost: the hub cannot be reached, or does not accept the ticket.
    """

    def __init__(self, socket: Path, ticket: str) -> None:
        self._socket, self._ticket = socket, ticket
        self._client = self._enter_lobby()

    def _enter_lobby(self) -> HubClient:
        client = HubClient(self._socket)
        client.enter_lobby(self._ticket)
        return client

    def _request(self, what: str, **about: str) -> Any:
        """Send a request, reconnecting if necessary. Raises: Refusal, ConnectionLost."""
        try:
            return self._client.lobby_request(what, **about)
        except ConnectionLost:
            self._client.close()
            self._client = self._enter_lobby()
            return self._client.lobby_request(what, **about)

    def look(self) -> LobbyView:
        """Return what the lobby shows. Raises: Refusal, ConnectionLost."""
        return msgspec.convert(self._request("look"), LobbyView)

    def sit(self, game: str, seat: str) -> str:
        """Return a ticket for a seat of the visitor. Raises: Refusal, ConnectionLost."""
        return str(self._request("sit", game=game, seat=seat)["ticket"])

    def take(self, game: str, seat: str) -> str:
        """Take a free seat and return a ticket for it. Raises: Refusal, ConnectionLost."""
        return str(self._request("take", game=game, seat=seat)["ticket"])

    def watch(self, game: str) -> str:
        """Return a ticket to watch a game. Raises: Refusal, ConnectionLost."""
        return str(self._request("watch", game=game)["ticket"])

    def redeem(self, code: str) -> str:
        """Redeem an invitation code and return a ticket for its seat. Raises: Refusal, ConnectionLost."""
        return str(self._request("redeem", code=code)["ticket"])

    def club(self, words: str) -> str:
        """Carry out a request to the club; return the answer in lines. Raises: Refusal, ConnectionLost."""
        return str(self._request("club", words=words))

    def notify(self, words: str) -> str:
        """Carry out a command for the visitor's notifications; return the answer. Raises: Refusal, ConnectionLost."""
        return str(self._request("notify", words=words))

    def open(self, name: str, players: int | str, seat: str) -> str:
        """Open a game and return a ticket for a seat of it. Raises: Refusal, ConnectionLost.

        Args: its name; the number of players, or a scenario; the seat.
        """
        return str(self._request("open", name=name, players=str(players), seat=seat)["ticket"])

    def close(self) -> None:
        self._client.close()
