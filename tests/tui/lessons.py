"""Helpers for tests of the lessons: the keys that their texts name, and the width of their strip."""

from __future__ import annotations

from textual.binding import Binding

from paxtui.tui.app import PaxApp
from paxtui.tui.base.keymap import key_name
from paxtui.tui.game.screen import GameScreen
from paxtui.tui.map.world_map import WorldMap
from paxtui.tui.tutorial.screen import TutorialScreen

STRIP_WIDTH = 77
"""Columns for the text of the strip on a screen of 80 columns."""


def key_names() -> dict[str, str]:
    """Return the default keys by binding id."""
    owners = (WorldMap, GameScreen, TutorialScreen, PaxApp)
    bindings = [b for owner in owners for b in owner.BINDINGS if isinstance(b, Binding) and b.id]
    return {b.id: key_name(b.key) for b in bindings if b.id}
