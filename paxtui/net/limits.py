"""Rate limits: how often somebody may do something, counted by key, address or seat. They decay by themselves."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable

from paxtui.engine.refusal import Refusal

MOST_NAMES = 4096
"""Names that one limit counts at once; the lowest levels are dropped first."""


class Allowance:
    """A limit that refills: `limit` uses at once, then one more every `interval_s` seconds.

    Args:
        limit: uses at once.
        interval_s: seconds after which one use is forgotten.
        clock: seconds on a clock that only goes forward.
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
        """Count one use. The level stays below twice the limit, so that a flood is forgotten in time, too."""
        level = min(self.level(name) + 1, 2.0 * self.limit)
        self._levels[name] = level, self._clock()
        if len(self._levels) > MOST_NAMES:
            for other in sorted(self._levels, key=self.level)[: MOST_NAMES // 2]:
                del self._levels[other]

    def reset(self, name: str) -> None:
        """Forget all uses of a name."""
        self._levels.pop(name, None)

    def clear(self) -> None:
        """Forget all uses of everybody."""
        self._levels.clear()

    @property
    def exhausted(self) -> dict[str, int]:
        """The names without a free use, with the uses that count."""
        return {name: math.ceil(self.level(name)) for name in sorted(self._levels) if self.wait_s(name)}


class Limits:
    """The limits of one server.

    Args:
        clock: seconds on a clock that only goes forward.

    Attributes:
        wrong_codes: wrong invitation codes, by address for visitors and by key for registered players.
        messages: dispatches and table talk, by game and seat.
        turned_away: connections that were refused or cut off, by reason.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self.wrong_codes = Allowance(20, 30.0, clock)
        self.messages = Allowance(30, 4.0, clock)
        self.turned_away: Counter[str] = Counter()

    @property
    def lines(self) -> list[str]:
        """What is limited now, in words."""
        found = [f"wrong codes, {name}: {n}, answers are slowed" for name, n in self.wrong_codes.exhausted.items()]
        found += [f"messages, {name}: {n}, more are refused" for name, n in self.messages.exhausted.items()]
        found += [f"{reason}: {n} connections closed" for reason, n in sorted(self.turned_away.items())]
        return found

    def check_messages(self, writer: str) -> None:
        """Raises: Refusal `too_fast`: a seat has sent too many messages. Args: game and seat."""
        wait = self.messages.wait_s(writer)
        if wait:
            text = f"You have sent {self.messages.limit} messages in a short time. Send the next one in {wait} seconds."
            raise Refusal("too_fast", (), text)

    def clear(self) -> None:
        """Reset everything."""
        self.wrong_codes.clear()
        self.messages.clear()
        self.turned_away.clear()
