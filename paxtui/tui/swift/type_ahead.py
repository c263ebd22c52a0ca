"""What was typed too early to have been meant for what stands on the screen now.

Keys are never lost, with one exception. Some screens come without having been asked for, or ask before they do what
cannot be undone: the card and the curtain between two players, a confirmation, a page that reports what has happened.
A key typed before such a screen could be read was meant for what stood there before, and that has gone: it is thrown
away, and reaches neither the new screen nor what lies behind it.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from time import monotonic

from textual.events import Event

SEEN = 0.15
"""Seconds that something must have been on the screen before a key counts as typed in sight of it."""


class SeenFirst:
    """Marks a screen that hears only keys typed when it had been on the screen for `SEEN` seconds.

    Name it first among the bases: `class ReportScreen(SeenFirst, PaxOverlay[None])`. Nothing else is needed. A screen
    that comes back into sight, because the one over it has gone, has to be seen anew.
    """


class TypeAhead:
    """Knows when what stands on the screen was first in sight, and which keys are older than that.

    Args:
        clock: the seconds by which events carry their time; a test puts another one in its place.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self.clock = clock
        self._in_sight: object = None
        self._since = -inf
        self._awaits_frame = False

    def expect(self) -> None:
        """Something is about to be drawn that must be seen first, upon a screen that is no `SeenFirst`."""
        self._awaits_frame = True

    def drawn(self, screen: object) -> None:
        """A frame of the screen in front has been written."""
        if self._awaits_frame or (screen is not self._in_sight and isinstance(screen, SeenFirst)):
            self._since = self.clock() + SEEN
        self._in_sight, self._awaits_frame = screen, False

    def drops(self, event: Event, front: object) -> bool:
        """Whether a key was typed too early. Args: the key, or what was pasted; the screen in front."""
        unseen = isinstance(front, SeenFirst) and front is not self._in_sight
        return unseen or self._awaits_frame or event.time < self._since
