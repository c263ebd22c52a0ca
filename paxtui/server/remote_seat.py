"""What all sessions on a server share: the connection, and the news of a seat. Independent of the game."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from paxtui.engine.refusal import Refusal
from paxtui.server.client import ConnectionLost
from paxtui.server.remote_game import RemoteGame


class RemoteSeat(ABC):
    """The connection of a session, as front ends watch it.

    Attributes:
        game: the game.
        refusal: the last refusal, if no order was carried out since.
        chat_binding: id of the key that opens the chat; "" if the screen of the game has none.
    """

    game: RemoteGame
    refusal: Refusal | None
    chat_binding = ""
    listen: Callable[..., Callable[[], None]]
    """Calls a function after each change; returns a function that ends this."""

    @property
    def trouble(self) -> str:
        """Why the hub cannot be reached, in words; empty while connected."""
        return self.game.trouble

    @property
    def is_answer_pending(self) -> bool:
        """Whether a submitted operation waits for the hub."""
        return self.game.is_answer_pending

    def receive(self) -> None:
        """Process received messages without waiting, and notify the listeners."""
        if self.game.receive():
            self._report_news()

    def check_timeout(self) -> None:
        """Give up a hub that does not answer."""
        if self.game.check_timeout():
            self._report_news()

    def start_reconnect(self) -> None:
        """Connect again without waiting; `receive` completes it."""
        self.game.start_reconnect()

    def reconnect(self) -> bool:
        """Connect again and wait for the answer. Returns: whether that succeeded."""
        is_back = self.game.reconnect()
        if is_back:
            self._report_news()
        return is_back

    def close(self) -> None:
        self.game.close()

    def describe_failure(self, error: OSError) -> str:
        """Describe why an operation failed; after a lost connection the outcome of the order may be unknown."""
        if not isinstance(error, ConnectionLost):
            return str(error.strerror or error)
        if self.game.has_unanswered:
            return f"{error} It is unknown whether your order was carried out. paxtui tells you after reconnecting."
        return f"{error} Nothing was sent."

    @abstractmethod
    def _report_news(self) -> None:
        """Notify the listeners of what others did."""

    # --- news -----------------------------------------------------------------------------------------------------

    @property
    def must_act(self) -> bool:
        """Whether the game waits for the seat."""
        return self.game.seat in self.game.waiting

    @property
    def must_consent(self) -> bool:
        """Whether others ask the seat to agree to an undo."""
        return False

    def announcements(self) -> list[str]:
        """Return what others did about clock, dice and undo since the game began, in sentences."""
        return []

    def chat_since(self, number: int) -> list[str]:
        """Return the chat lines of others after line `number`, each with its speaker."""
        lines = (line for line in self.game.chat.lines if line.n > number and line.seat != self.game.seat)
        names = self.game.rules
        return [
            f"{names.seat_name(line.seat) or line.seat.title()}{f' ({line.name})' * bool(line.name)}: {line.text}"
            for line in lines
        ]
