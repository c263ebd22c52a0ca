"""What is done while the player looks at the first frame, so that no later key has to wait for it."""

from __future__ import annotations

import gc
from collections.abc import Iterator

from textual.screen import Screen

from paxtui.tui.map.world_map import WorldMap

DELAY = 0.25
"""Seconds after the first frame until the first chore."""
BREATH = 0.01
"""Seconds between two chores: keys come first."""


def warm_up(screen: Screen[None]) -> None:
    """Do all chores of a screen with a map, one after the other, with pauses for the player's keys."""
    work = chores(screen)

    def one() -> None:
        if next(work, "done") != "done" and screen.is_attached:
            screen.set_timer(BREATH, one)

    screen.set_timer(DELAY, one)


def chores(screen: Screen[None]) -> Iterator[str]:
    """Each chore, done when it is asked for; its name. None takes longer than a frame or two."""
    yield from screen.query_one(WorldMap).prepare()
    # Rules, tables, style sheets and classes are some hundred thousand objects that stay. The collector of garbage
    # would go through them again and again, each time for as long as two frames take.
    gc.collect()
    gc.freeze()
    yield "garbage"
