"""Rate limits by key, address or seat, which decay with time; quotas of SSH connections.

Registered players, visitors, and connections without a session have separate quotas. Once a registered key is shown,
the address does not count: clients behind a tunnel share one address. With `paxtui serve --via`, keys count instead.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Network, ip_address
from typing import Protocol

from paxtui.engine.refusal import Refusal

NETWORK_BITS = 64
"""Bits of an IPv6 address that count: the others are the visitor's own choice."""

MOST_NAMES = 4096
"""Maximum number of names per limit; the lowest levels are dropped first."""


@lru_cache(maxsize=1024)
def network_of(address: str) -> str:
    """Return by what limits count an address: an IPv6 address by its network. Other texts, such as keys, stay."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, IPv4Address):
        return str(found)
    return str(found.ipv4_mapped or IPv6Network((int(found), NETWORK_BITS), strict=False))


class RateLimit:
    """A limit that refills: `limit` uses at once, then one more every `interval_s` seconds.

    Args:
        limit: uses at once.
        interval_s: seconds after which one use is forgotten.
        clock: monotonic seconds.
    """

    def __init__(self, limit: int, interval_s: float, clock: Callable[[], float]) -> None:
        self.limit, self.interval_s = limit, interval_s
        self._clock = clock
        self._levels: dict[str, tuple[float, float]] = {}

    def level(self, name: str) -> float:
        """Return how many uses count against a name now."""
        level, at = self._levels.get(name, (0.0, 0.0))
        return max(0.0, level - (self._clock() - at) / self.interval_s)

    def wait_s(self, name: str) -> int:
        """Return the whole seconds until the next use is free; 0 when it is free now."""
        return max(0, math.ceil((self.level(name) + 1 - self.limit) * self.interval_s))

    def use(self, name: str) -> None:
        """Count one use. The level stays below twice the limit, so that it decays in bounded time."""
        level = min(self.level(name) + 1, 2.0 * self.limit)
        self._levels[name] = level, self._clock()
        if len(self._levels) > MOST_NAMES:
            for other in sorted(self._levels, key=self.level)[: MOST_NAMES // 2]:
                del self._levels[other]

    def reset(self, name: str) -> None:
        """Forget all uses of a name."""
        self._levels.pop(name, None)

    def clear(self) -> None:
        """Forget all uses."""
        self._levels.clear()

    @property
    def exhausted(self) -> dict[str, int]:
        """The names without a free use, with their counted uses."""
        return {name: math.ceil(self.level(name)) for name in sorted(self._levels) if self.wait_s(name)}


class RateLimits:
    """The limits of one server.

    Args:
        clock: monotonic seconds.

    Attributes:
        wrong_codes: wrong invitation codes, by address for visitors and by key for registered players.
        messages: dispatches and chat lines, by game and seat.
        turned_away: connections that were refused or closed, by reason.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self.wrong_codes = RateLimit(20, 30.0, clock)
        self.messages = RateLimit(30, 4.0, clock)
        self.turned_away: Counter[str] = Counter()

    @property
    def lines(self) -> list[str]:
        """The limits in effect, in words."""
        found = [f"wrong codes, {name}: {n}, answers are slowed" for name, n in self.wrong_codes.exhausted.items()]
        found += [f"messages, {name}: {n}, more are refused" for name, n in self.messages.exhausted.items()]
        found += [f"{reason}: {n} connections closed" for reason, n in sorted(self.turned_away.items())]
        return found

    def check_messages(self, writer: str) -> None:
        """Raise Refusal `too_fast` if a seat has sent too many messages. Args: game and seat."""
        wait = self.messages.wait_s(writer)
        if wait:
            text = f"You have sent {self.messages.limit} messages in a short time. Send the next one in {wait} seconds."
            raise Refusal("too_fast", (), text)

    def clear(self) -> None:
        self.wrong_codes.clear()
        self.messages.clear()
        self.turned_away.clear()


MOST_PER_KEY = 8
"""Maximum number of connections with one key."""

MOST_PLAYERS = 200
"""Maximum number of connections of registered players; one more is refused."""

SILENT_FROM_ONE_ADDRESS, SILENT_IN_ALL = 64, 128
"""Maximum number of connections without a session per address; for one more the oldest is closed."""

VISITORS_FROM_ONE_ADDRESS, VISITORS_IN_ALL = 48, 64
"""Maximum number of connections of keys without a seat; for one more the oldest is closed."""


class ClosableConnection(Protocol):
    """A connection that can be closed. Attributes: the remote address, "" for one that all share; the key."""

    address: str
    key: str

    def cut_off(self) -> None:
        """Close it."""


class ConnectionQuotas:
    """The connections of one server.

    Args:
        report: callback with the reason for each connection that is closed or refused.
    """

    def __init__(self, report: Callable[[str], None] = lambda reason: None) -> None:
        self._report = report
        self.silent: dict[ClosableConnection, None] = {}
        self.visitors: dict[ClosableConnection, None] = {}
        self.players: dict[ClosableConnection, None] = {}
        self.keys: Counter[str] = Counter()

    def connect(self, connection: ClosableConnection) -> None:
        """Count a new connection, of which only the address is known."""
        self._make_room(self.silent, connection, SILENT_FROM_ONE_ADDRESS, SILENT_IN_ALL, "without a session")
        self.silent[connection] = None

    def begin_session(self, connection: ClosableConnection, is_player: bool) -> str:
        """Move a connection to its quota. Returns: the reason for a refusal, else ""."""
        self.silent.pop(connection, None)
        if self.keys[connection.key] > MOST_PER_KEY:
            self._report("too many with one key")
            return f"You are here {MOST_PER_KEY} times already."
        if not is_player:
            self._make_room(self.visitors, connection, VISITORS_FROM_ONE_ADDRESS, VISITORS_IN_ALL, "visitors")
            self.visitors[connection] = None
        elif len(self.players) >= MOST_PLAYERS:
            self._report("server full")
            return "The server is full. Try again later."
        else:
            self.players[connection] = None
        return ""

    def promote(self, connection: ClosableConnection) -> None:
        """Count a visitor who got a seat as a player."""
        if connection in self.visitors:
            del self.visitors[connection]
            self.players[connection] = None

    def show_key(self, connection: ClosableConnection) -> None:
        self.keys[connection.key] += 1

    def disconnect(self, connection: ClosableConnection, has_key: bool) -> None:
        """Remove a connection. Args: the connection; whether its key was counted."""
        for quota in (self.silent, self.visitors, self.players):
            quota.pop(connection, None)
        if has_key:
            self.keys[connection.key] -= 1
            if self.keys[connection.key] <= 0:
                del self.keys[connection.key]

    def _make_room(
        self,
        quota: dict[ClosableConnection, None],
        new: ClosableConnection,
        from_one_address: int,
        in_all: int,
        reason: str,
    ) -> None:
        network = network_of(new.address)
        near = [other for other in quota if network_of(other.address) == network] if network else []
        oldest = near[0] if len(near) >= from_one_address else next(iter(quota)) if len(quota) >= in_all else None
        if oldest is not None:
            del quota[oldest]
            self._report(reason)
            oldest.cut_off()
