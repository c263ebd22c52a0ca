"""Which SSH connections are kept. Registered players, visitors, and connections without a session have separate quotas.

Nobody is judged by address once a registered key is shown: behind a tunnel everybody has the same address.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Protocol

OF_ONE_KEY = 8
"""Connections with one key."""

PLAYERS = 200
"""Connections of registered players; one more is refused."""

SILENT_FROM_ONE_ADDRESS, SILENT_IN_ALL = 64, 128
"""Connections that have not begun a session yet; for one more the oldest is closed."""

VISITORS_FROM_ONE_ADDRESS, VISITORS_IN_ALL = 48, 64
"""Connections of keys without a seat; for one more the oldest is closed."""


class Connection(Protocol):
    """A connection that can be closed."""

    address: str
    key: str

    def cut_off(self) -> None:
        """Close it."""


class Admission:
    """The connections of one server.

    Args:
        report: is called with the reason for each connection that is closed or refused.
    """

    def __init__(self, report: Callable[[str], None] = lambda reason: None) -> None:
        self._report = report
        self.silent: dict[Connection, None] = {}
        self.visitors: dict[Connection, None] = {}
        self.players: dict[Connection, None] = {}
        self.keys: Counter[str] = Counter()

    def connect(self, connection: Connection) -> None:
        """Take a new connection, about which only the address is known."""
        self._make_room(self.silent, connection, SILENT_FROM_ONE_ADDRESS, SILENT_IN_ALL, "without a session")
        self.silent[connection] = None

    def begin_session(self, connection: Connection, is_player: bool) -> str:
        """Move a connection to its quota. Returns: why it is refused, "" when it is not."""
        self.silent.pop(connection, None)
        if self.keys[connection.key] > OF_ONE_KEY:
            self._report("too many with one key")
            return f"You are here {OF_ONE_KEY} times already."
        if not is_player:
            self._make_room(self.visitors, connection, VISITORS_FROM_ONE_ADDRESS, VISITORS_IN_ALL, "visitors")
            self.visitors[connection] = None
        elif len(self.players) >= PLAYERS:
            self._report("server full")
            return "The server is full. Try again later."
        else:
            self.players[connection] = None
        return ""

    def promote(self, connection: Connection) -> None:
        """Count a visitor who got a seat as a player."""
        if connection in self.visitors:
            del self.visitors[connection]
            self.players[connection] = None

    def show_key(self, connection: Connection) -> None:
        """Count a connection with its key."""
        self.keys[connection.key] += 1

    def disconnect(self, connection: Connection, has_key: bool) -> None:
        """Forget a connection. Args: it; whether its key was counted."""
        for quota in (self.silent, self.visitors, self.players):
            quota.pop(connection, None)
        if has_key:
            self.keys[connection.key] -= 1
            if self.keys[connection.key] <= 0:
                del self.keys[connection.key]

    def _make_room(
        self, quota: dict[Connection, None], new: Connection, from_one_address: int, in_all: int, reason: str
    ) -> None:
        """Close the oldest connection of a full quota."""
        near = [other for other in quota if other.address == new.address]
        oldest = near[0] if len(near) >= from_one_address else next(iter(quota)) if len(quota) >= in_all else None
        if oldest is not None:
            del quota[oldest]
            self._report(reason)
            oldest.cut_off()
