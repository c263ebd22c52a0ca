"""A client's end of the wire: it asks and waits for the answer, and hears what others do.

A client's end of the lobby: what a visitor finds there, and his tickets to seats.
"""

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
"""Seconds that a client waits for an answer."""
QUEUE_WAIT_S = 0.01
"""Seconds after which who has found no room before the door tries again."""


class ConnectionLost(OSError):
    """The hub cannot be reached, or has ended the connection. Its text says why, in a sentence.

    Args:
        reason: in a sentence.
        back: whether it is worth coming back.
    """

    def __init__(self, reason: str, back: bool = True) -> None:
        super().__init__(reason)
        self.strerror = reason
        self.back = back


def _connect(caller: socket.socket, door: Path) -> None:
    """Connect; where more stand before the door than there is room for, wait like them. Raises: OSError."""
    until = monotonic() + ANSWER_TIMEOUT_S
    while True:
        try:
            return caller.connect(str(door))
        except BlockingIOError:  # whoever has set a time for answers is told so at once, and does not stand in line
            if monotonic() > until:
                raise
            sleep(QUEUE_WAIT_S)


class HubClient:
    """A connection to the hub.

    Args:
        path: its socket.

    Raises:
        Lost: nobody listens there.
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
        self._heard: list[messages.ToClient] = []
        self._over: ConnectionLost | None = None
        self._mine, self._numbers = secrets.token_hex(8), count(1)

    def fileno(self) -> int:
        """The descriptor by which the event loop knows that something has come."""
        return self._socket.fileno()

    @property
    def unheard(self) -> bool:
        """Whether something has come right behind an answer: it is here, so that the descriptor tells nobody of it."""
        return bool(self._heard)

    # --- asking ---------------------------------------------------------------------------------------------------

    def enter(self, ticket: str, line: int = 0, tip: str = "", heard: int = 0) -> messages.Welcome:
        """Sit down. Args: as `messages.Enter`. Raises: Lost."""
        self._send(messages.JoinGame(messages.VERSION, ticket, line, tip, heard))
        while True:
            for n, message in enumerate(self._heard):
                if isinstance(message, messages.Welcome):
                    del self._heard[n]
                    return message
            self._hear()

    def command(self, deed: messages.Operation, line: int) -> tuple[messages.CommandResult, list[messages.ToClient]]:
        """Do something for the seat.

        Args: what; the last line that the seat has.
        Returns: the answer, and what has come before it, to be taken first.
        Raises: Lost: nobody knows whether it has been done.
        """
        id_ = f"{self._mine}-{next(self._numbers)}"
        return self._answered(messages.Command(id_, line, deed))

    def speak(self, text: str) -> tuple[messages.CommandResult, list[messages.ToClient]]:
        """Say something to everybody at the table; as `command`. Raises: Lost."""
        return self._answered(messages.SendChat(f"{self._mine}-{next(self._numbers)}", text))

    def _answered(
        self, asked: messages.Command | messages.SendChat
    ) -> tuple[messages.CommandResult, list[messages.ToClient]]:
        """The answer to what is asked, and what has come before it."""
        id_ = asked.id
        self._send(asked)
        while True:
            for n, message in enumerate(self._heard):
                if isinstance(message, messages.CommandResult) and message.id == id_:
                    before, self._heard = self._heard[:n], self._heard[n + 1 :]
                    return message, before
            self._hear()

    def admin_request(self, ask: str, **about: str) -> Any:
        """Ask something for the house. Raises: Refusal, Lost."""
        return self._told(messages.AdminRequest(messages.VERSION, ask, about))

    def visit(self, ticket: str) -> None:
        """Come into the lobby. Raises: Refusal, Lost."""
        self._told(messages.EnterLobby(messages.VERSION, ticket))

    def request(self, what: str, **about: str) -> Any:
        """Ask for something in the lobby. Raises: Refusal, Lost."""
        return self._told(messages.LobbyRequest(what, about))

    def _told(self, asked: messages.AdminRequest | messages.EnterLobby | messages.LobbyRequest) -> Any:
        """The answer to a question. Raises: Refusal, Lost."""
        self._send(asked)
        while not any(isinstance(message, messages.Reply) for message in self._heard):
            self._hear()
        told = self._heard.pop()
        answer = told.answer if isinstance(told, messages.Reply) else {}
        if isinstance(answer, dict) and "refusal" in answer:
            raise Refusal(str(answer.get("code", "refused")), (), str(answer["refusal"]))
        return answer

    # --- hearing --------------------------------------------------------------------------------------------------

    def take(self) -> list[messages.ToClient]:
        """What has come meanwhile; nobody is waited for. Raises: Lost when nothing has and the connection has ended."""
        self._socket.setblocking(False)
        try:
            while self._over is None:
                self._read()
        except BlockingIOError:
            pass
        finally:
            if self._socket.fileno() >= 0:
                self._socket.settimeout(ANSWER_TIMEOUT_S)
        heard, self._heard = self._heard, []
        if not heard and self._over is not None:
            raise self._over
        return heard

    def close(self) -> None:
        """Hang up."""
        self._socket.close()

    def _send(self, message: messages.ToHub) -> None:
        try:
            self._socket.sendall(frame_message(messages.encode(message)))
        except (BrokenPipeError, ConnectionResetError):
            while self._over is None:  # the hub has hung up: why, it may have said before
                self._read()
            raise self._over from None
        except OSError as error:
            raise ConnectionLost(f"The table cannot be reached ({error.strerror or error}).") from None

    def _hear(self) -> None:
        """Wait for something. Raises: Lost."""
        if self._over is not None:
            raise self._over
        try:
            self._read()
        except TimeoutError:
            raise ConnectionLost(f"The table has not answered for {ANSWER_TIMEOUT_S:.0f} seconds.") from None

    def _read(self) -> None:
        """Take what one look at the socket brings. Raises: BlockingIOError, TimeoutError for nothing."""
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
                self._heard.append(message)
        except messages.MalformedMessage as error:
            self._over = ConnectionLost(str(error), back=False)


class LobbyClient:
    """A visitor in the lobby of a house. When the hub was started again he is there again.

    Args:
        socket: where the hub listens.
        ticket: what it has given out for the lobby.

    Raises:
        Lost: the hub cannot be reached, or does not know the ticket.
    """

    def __init__(self, socket: Path, ticket: str) -> None:
        self._socket, self._ticket = socket, ticket
        self._wire = self._enter_lobby()

    def _enter_lobby(self) -> HubClient:
        wire = HubClient(self._socket)
        wire.visit(self._ticket)
        return wire

    def _request(self, what: str, **about: str) -> Any:
        """Ask for something. Raises: Refusal, Lost."""
        try:
            return self._wire.request(what, **about)
        except ConnectionLost:
            self._wire.close()
            self._wire = self._enter_lobby()
            return self._wire.request(what, **about)

    def look(self) -> LobbyView:
        """What there is. Raises: Refusal, Lost."""
        return msgspec.convert(self._request("look"), LobbyView)

    def sit(self, game: str, seat: str) -> str:
        """A ticket for a seat of his. Raises: Refusal, Lost."""
        return str(self._request("sit", game=game, seat=seat)["ticket"])

    def take(self, game: str, seat: str) -> str:
        """A ticket for a seat that was free. Raises: Refusal, Lost."""
        return str(self._request("take", game=game, seat=seat)["ticket"])

    def watch(self, game: str) -> str:
        """A ticket to look on. Raises: Refusal, Lost."""
        return str(self._request("watch", game=game)["ticket"])

    def redeem(self, code: str) -> str:
        """A ticket for the seat of an invitation. Raises: Refusal, Lost."""
        return str(self._request("redeem", code=code)["ticket"])

    def open(self, name: str, players: int, seat: str) -> str:
        """A ticket for a seat of a new game. Raises: Refusal, Lost."""
        return str(self._request("open", name=name, players=str(players), seat=seat)["ticket"])

    def close(self) -> None:
        """Leave the lobby."""
        self._wire.close()
