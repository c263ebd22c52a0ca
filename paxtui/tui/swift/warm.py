"""Idle tasks: what is done while the player looks at the first frame, so that no later key has to wait for it."""

from __future__ import annotations

import gc
import importlib
from collections.abc import Iterator, Sequence

from textual.screen import Screen

DELAY = 0.25
"""Seconds after the first frame until the first chore."""
BREATH = 0.01
"""Seconds between two chores: keys come first."""


def warm_up(screen: Screen[None]) -> None:
    """Do all chores of a screen with a map, one after the other, with pauses for the player's keys."""
    run_when_idle(screen, chores(screen))


def import_ahead(screen: Screen[None], modules: Sequence[str]) -> None:
    """Import modules that the next screens need, one after the other, with pauses for the player's keys."""
    run_when_idle(screen, (importlib.import_module(name).__name__ for name in modules))


def run_when_idle(screen: Screen[None], work: Iterator[str]) -> None:
    """Run the steps of `work` one by one as long as the screen is attached. No step may take longer than two frames."""

    def one() -> None:
        if screen.is_attached and next(work, "done") != "done":
            screen.set_timer(BREATH, one)

    screen.set_timer(DELAY, one)


def chores(screen: Screen[None]) -> Iterator[str]:
    """Each chore, done when it is asked for; its name. None takes longer than a frame or two."""
    from paxtui.tui.map.world_map import WorldMap

    yield from screen.query_one(WorldMap).prepare()
    # Rules, tables, style sheets and classes are some hundred thousand objects that stay. The collector of garbage
    # would go through them again and again, each time for as long as two frames take.
    gc.collect()
    gc.freeze()
    yield "garbage"
