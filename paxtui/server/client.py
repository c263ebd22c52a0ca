"""Client connections to the hub: `HubClient` for a seat or requests, `LobbyClient` for the lobby."""

from __future__ import annotations

import secrets
import socket
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


def _connect(caller: socket.socket, door: Path) -> None:
    """Connect; retry while the backlog of the socket is full. Raises: OSError."""
    until = monotonic() + ANSWER_TIMEOUT_S
    while True:
        try:
            return caller.connect(str(door))
        except BlockingIOError:  # raised at once, because the socket has a timeout
            if monotonic() > until:
                raise
            sleep(QUEUE_WAIT_S)


class HubClient:
    """A connection to the hub.

    Args:
        path: the socket of the hub.

    Raises:
        ConnectionLost: no hub listens there.
    """

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.settimeout(ANSWER_TIMEOUT_S)
            _connect(self._socket, path)
        except OSError as error:
            self._socket.close()
            raise ConnectionLost(f"Nobody is at the table's door ({error.strerror or error}).") from None
        self._frames = FrameReader(MAX_HUB_MESSAGE)
        self._received: list[messages.ToClient] = []
        self._over: ConnectionLost | None = None
        self._mine, self._numbers = secrets.token_hex(8), count(1)

    def fileno(self) -> int:
        """Return the socket descriptor, for the event loop."""
        return self._socket.fileno()

    @property
    def unheard(self) -> bool:
        """Whether messages are buffered that came with an answer; the descriptor does not signal them."""
        return bool(self._received)

    # --- requests -------------------------------------------------------------------------------------------------

    def enter(self, ticket: str, line: int = 0, tip: str = "", heard: int = 0) -> messages.Welcome:
        """Join a game. Args: as `messages.JoinGame`. Raises: ConnectionLost."""
        self._send(messages.JoinGame(messages.VERSION, ticket, line, tip, heard))
        while True:
            for n, message in enumerate(self._received):
                if isinstance(message, messages.Welcome):
                    del self._received[n]
                    return message
            self._hear()

    def command(self, deed: messages.Operation, line: int) -> tuple[messages.CommandResult, list[messages.ToClient]]:
        """Send a command of the seat.

        Args: the operation; the number of the seat's last log line.
        Returns: the answer, and the messages before it, which must be processed first.
        Raises: ConnectionLost: it is unknown whether the command was carried out.
        """
        id_ = f"{self._mine}-{next(self._numbers)}"
        return self._answered(messages.Command(id_, line, deed))

    def speak(self, text: str) -> tuple[messages.CommandResult, list[messages.ToClient]]:
        """Send a chat message; returns as `command`. Raises: ConnectionLost."""
        return self._answered(messages.SendChat(f"{self._mine}-{next(self._numbers)}", text))

    def _answered(
        self, asked: messages.Command | messages.SendChat
    ) -> tuple[messages.CommandResult, list[messages.ToClient]]:
        id_ = asked.id
        self._send(asked)
        while True:
            for n, message in enumerate(self._received):
                if isinstance(message, messages.CommandResult) and message.id == id_:
                    before, self._received = self._received[:n], self._received[n + 1 :]
                    return message, before
            self._hear()

    def admin_request(self, ask: str, **about: str) -> Any:
        """Send an administrative request and return the answer. Raises: Refusal, ConnectionLost."""
        return self._send_request(messages.AdminRequest(messages.VERSION, ask, about))

    def visit(self, ticket: str) -> None:
        """Enter the lobby. Raises: Refusal, ConnectionLost."""
        self._send_request(messages.EnterLobby(messages.VERSION, ticket))

    def request(self, what: str, **about: str) -> Any:
        """Send a lobby request and return the answer. Raises: Refusal, ConnectionLost."""
        return self._send_request(messages.LobbyRequest(what, about))

    def _send_request(self, asked: messages.AdminRequest | messages.EnterLobby | messages.LobbyRequest) -> Any:
        """Send a request and return the answer. Raises: Refusal, ConnectionLost."""
        self._send(asked)
        while not any(isinstance(message, messages.Reply) for message in self._received):
            self._hear()
        told = self._received.pop()
        answer = told.answer if isinstance(told, messages.Reply) else {}
        if isinstance(answer, dict) and "refusal" in answer:
            raise Refusal(str(answer.get("code", "refused")), (), str(answer["refusal"]))
        return answer

    # --- receiving ------------------------------------------------------------------------------------------------

    def take(self) -> list[messages.ToClient]:
        """Return the received messages without waiting. Raises: ConnectionLost if there are none and the connection
        is closed.
        """
        self._socket.setblocking(False)
        try:
            while self._over is None:
                self._read()
        except BlockingIOError:
            pass
        finally:
            if self._socket.fileno() >= 0:
                self._socket.settimeout(ANSWER_TIMEOUT_S)
        heard, self._received = self._received, []
        if not heard and self._over is not None:
            raise self._over
        return heard

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()

    def _send(self, message: messages.ToHub) -> None:
        try:
            self._socket.sendall(frame_message(messages.encode(message)))
        except (BrokenPipeError, ConnectionResetError):
            while self._over is None:  # the hub may have sent a reason before closing
                self._read()
            raise self._over from None
        except OSError as error:
            raise ConnectionLost(f"The table cannot be reached ({error.strerror or error}).") from None

    def _hear(self) -> None:
        """Wait for data. Raises: ConnectionLost."""
        if self._over is not None:
            raise self._over
        try:
            self._read()
        except TimeoutError:
            raise ConnectionLost(f"The table has not answered for {ANSWER_TIMEOUT_S:.0f} seconds.") from None

    def _read(self) -> None:
        """Receive once and buffer the messages. Raises: BlockingIOError, TimeoutError if no data came."""
        try:
            data = self._socket.recv(1 << 18)
        except (BlockingIOError, TimeoutError):
            raise
        except OSError as error:
            self._over = ConnectionLost(f"The table cannot be reached ({error.strerror or error}).")
            return
        if not data:
            self._over = ConnectionLost("The connection to the table has ended.")
            return
        try:
            for frame in self._frames.take(data):
                message = messages.read_by_client(frame)
                if isinstance(message, messages.Goodbye):
                    self._over = ConnectionLost(message.reason, message.back)
                    return
                self._received.append(message)
        except messages.MalformedMessage as error:
            self._over = ConnectionLost(str(error), back=False)


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
        self._wire = self._enter_lobby()

    def _enter_lobby(self) -> HubClient:
        wire = HubClient(self._socket)
        wire.visit(self._ticket)
        return wire

    def _request(self, what: str, **about: str) -> Any:
        """Send a request, reconnecting if necessary. Raises: Refusal, ConnectionLost."""
        try:
            return self._wire.request(what, **about)
        except ConnectionLost:
            self._wire.close()
            self._wire = self._enter_lobby()
            return self._wire.request(what, **about)

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

    def open(self, name: str, players: int, seat: str) -> str:
        """Open a game and return a ticket for a seat of it. Raises: Refusal, ConnectionLost."""
        return str(self._request("open", name=name, players=str(players), seat=seat)["ticket"])

    def close(self) -> None:
        """Close the connection."""
        self._wire.close()
