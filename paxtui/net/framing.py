"""Messages on a socket: four bytes of length, the most significant first, and then the message."""

from __future__ import annotations

from paxtui.net.messages import Malformed

LENGTH = 4
"""Bytes that say how long a message is."""

FROM_CLIENT = 64 * 1024
"""Bytes of the longest message that the hub takes; a Treaty of many articles has some thousand."""

FROM_HUB = 64 * 1024 * 1024
"""Bytes of the longest message that a client takes; the log of a long game has a million."""


def framed(message: bytes) -> bytes:
    """A message with its length before it."""
    return len(message).to_bytes(LENGTH, "big") + message


class Frames:
    """What comes in, cut into messages.

    Args:
        longest: bytes of the longest message that is taken.
    """

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._waiting = bytearray()

    def take(self, data: bytes) -> list[bytes]:
        """The messages that are whole now. Raises: Malformed for one that is too long."""
        self._waiting += data
        found: list[bytes] = []
        while len(self._waiting) >= LENGTH:
            length = int.from_bytes(self._waiting[:LENGTH], "big")
            if length > self._longest:
                raise Malformed(f"A message of {length} bytes is too long: at most {self._longest} are taken.")
            if len(self._waiting) < LENGTH + length:
                break
            found.append(bytes(self._waiting[LENGTH : LENGTH + length]))
            del self._waiting[: LENGTH + length]
        return found
