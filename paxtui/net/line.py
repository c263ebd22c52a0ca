"""A client's end of the wire: it asks and waits for the answer, and hears what others do."""

from __future__ import annotations

import secrets
import socket
from itertools import count
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from paxtui.engine.refusal import Refusal
from paxtui.net import messages as say
from paxtui.net.framing import FROM_HUB, Frames, framed

PATIENCE = 15.0
"""Seconds that a client waits for an answer."""
QUEUE = 0.01
"""Seconds after which who has found no room before the door tries again."""


class Lost(OSError):
    """The hub cannot be reached, or has ended the connection. Its text says why, in a sentence.

    Args:
        reason: in a sentence.
        back: whether it is worth coming back.
    """

    def __init__(self, reason: str, back: bool = True) -> None:
        super().__init__(reason)
        self.strerror = reason
        self.back = back


def _knock(caller: socket.socket, door: Path) -> None:
    """Connect; where more stand before the door than there is room for, wait like them. Raises: OSError."""
    until = monotonic() + PATIENCE
    while True:
        try:
            return caller.connect(str(door))
        except BlockingIOError:  # whoever has set a time for answers is told so at once, and does not stand in line
            if monotonic() > until:
                raise
            sleep(QUEUE)


class Wire:
    """A connection to the hub.

    Args:
        path: its socket.

    Raises:
        Lost: nobody listens there.
    """

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.settimeout(PATIENCE)
            _knock(self._socket, path)
        except OSError as error:
            self._socket.close()
            raise Lost(f"Nobody is at the table's door ({error.strerror or error}).") from None
        self._frames = Frames(FROM_HUB)
        self._heard: list[say.ToClient] = []
        self._over: Lost | None = None
        self._mine, self._numbers = secrets.token_hex(8), count(1)

    def fileno(self) -> int:
        """The descriptor by which the event loop knows that something has come."""
        return self._socket.fileno()

    @property
    def unheard(self) -> bool:
        """Whether something has come right behind an answer: it is here, so that the descriptor tells nobody of it."""
        return bool(self._heard)

    # --- asking ---------------------------------------------------------------------------------------------------

    def enter(self, ticket: str, line: int = 0, tip: str = "", heard: int = 0) -> say.Welcome:
        """Sit down. Args: as `messages.Enter`. Raises: Lost."""
        self._send(say.Enter(say.VERSION, ticket, line, tip, heard))
        while True:
            for n, message in enumerate(self._heard):
                if isinstance(message, say.Welcome):
                    del self._heard[n]
                    return message
            self._hear()

    def command(self, deed: say.Deed, line: int) -> tuple[say.Answer, list[say.ToClient]]:
        """Do something for the seat.

        Args: what; the last line that the seat has.
        Returns: the answer, and what has come before it, to be taken first.
        Raises: Lost: nobody knows whether it has been done.
        """
        id_ = f"{self._mine}-{next(self._numbers)}"
        return self._answered(say.Command(id_, line, deed))

    def speak(self, text: str) -> tuple[say.Answer, list[say.ToClient]]:
        """Say something to everybody at the table; as `command`. Raises: Lost."""
        return self._answered(say.Say(f"{self._mine}-{next(self._numbers)}", text))

    def _answered(self, asked: say.Command | say.Say) -> tuple[say.Answer, list[say.ToClient]]:
        """The answer to what is asked, and what has come before it."""
        id_ = asked.id
        self._send(asked)
        while True:
            for n, message in enumerate(self._heard):
                if isinstance(message, say.Answer) and message.id == id_:
                    before, self._heard = self._heard[:n], self._heard[n + 1 :]
                    return message, before
            self._hear()

    def manage(self, ask: str, **about: str) -> Any:
        """Ask something for the house. Raises: Refusal, Lost."""
        return self._told(say.Manage(say.VERSION, ask, about))

    def visit(self, ticket: str) -> None:
        """Come into the lobby. Raises: Refusal, Lost."""
        self._told(say.Visit(say.VERSION, ticket))

    def wish(self, what: str, **about: str) -> Any:
        """Ask for something in the lobby. Raises: Refusal, Lost."""
        return self._told(say.Wish(what, about))

    def _told(self, asked: say.Manage | say.Visit | say.Wish) -> Any:
        """The answer to a question. Raises: Refusal, Lost."""
        self._send(asked)
        while not any(isinstance(message, say.Told) for message in self._heard):
            self._hear()
        told = self._heard.pop()
        answer = told.answer if isinstance(told, say.Told) else {}
        if isinstance(answer, dict) and "refusal" in answer:
            raise Refusal(str(answer.get("code", "refused")), (), str(answer["refusal"]))
        return answer

    # --- hearing --------------------------------------------------------------------------------------------------

    def take(self) -> list[say.ToClient]:
        """What has come meanwhile; nobody is waited for. Raises: Lost when nothing has and the connection has ended."""
        self._socket.setblocking(False)
        try:
            while self._over is None:
                self._read()
        except BlockingIOError:
            pass
        finally:
            if self._socket.fileno() >= 0:
                self._socket.settimeout(PATIENCE)
        heard, self._heard = self._heard, []
        if not heard and self._over is not None:
            raise self._over
        return heard

    def close(self) -> None:
        """Hang up."""
        self._socket.close()

    def _send(self, message: say.ToHub) -> None:
        try:
            self._socket.sendall(framed(say.encode(message)))
        except (BrokenPipeError, ConnectionResetError):
            while self._over is None:  # the hub has hung up: why, it may have said before
                self._read()
            raise self._over from None
        except OSError as error:
            raise Lost(f"The table cannot be reached ({error.strerror or error}).") from None

    def _hear(self) -> None:
        """Wait for something. Raises: Lost."""
        if self._over is not None:
            raise self._over
        try:
            self._read()
        except TimeoutError:
            raise Lost(f"The table has not answered for {PATIENCE:.0f} seconds.") from None

    def _read(self) -> None:
        """Take what one look at the socket brings. Raises: BlockingIOError, TimeoutError for nothing."""
        try:
            data = self._socket.recv(1 << 18)
        except (BlockingIOError, TimeoutError):
            raise
        except OSError as error:
            self._over = Lost(f"The table cannot be reached ({error.strerror or error}).")
            return
        if not data:
            self._over = Lost("The connection to the table has ended.")
            return
        try:
            for frame in self._frames.take(data):
                message = say.read_by_client(frame)
                if isinstance(message, say.Goodbye):
                    self._over = Lost(message.reason, message.back)
                    return
                self._heard.append(message)
        except say.Malformed as error:
            self._over = Lost(str(error), back=False)
