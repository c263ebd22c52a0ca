"""How long somebody who came from far away may type nothing: his connection is one of those that others could have."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

IDLE = 8 * 3600.0
"""Seconds without a key after which a seat is left."""

WARNING = 300.0
"""Seconds before that at which it is said."""

SOON = "You have typed nothing for hours: the connection ends in five minutes, unless a key comes. Nothing is lost."
OVER = "You had typed nothing for eight hours. Everything is saved: come back whenever you like."


class Patience:
    """How long nothing has been typed.

    Args:
        clock: seconds on a clock that nobody sets.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._last = clock()
        self._said = False

    def typed(self) -> None:
        """Something has been typed."""
        self._last, self._said = self._clock(), False

    @property
    def over(self) -> bool:
        """Whether it has lasted too long."""
        return self._clock() - self._last >= IDLE

    def warns(self) -> bool:
        """Whether it is time to say that it soon will have; true once."""
        if self._said or self._clock() - self._last < IDLE - WARNING:
            return False
        self._said = True
        return True
