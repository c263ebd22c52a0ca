"""The dimmed world of 1880 behind the start screen.

It is drawn after the first frame: loading the tables and drawing the map take as long as that frame.
"""

from __future__ import annotations

from pathlib import Path

from paxtui.games.pax.position.setup import new_game, seats_for
from paxtui.session.tables.loader import load_tables
from paxtui.tui.colors import Palette
from paxtui.tui.map.world_map import WorldMap
from paxtui.tui.widgets.map_scene import build_scene


def backdrop_map(palette: Palette, tables_dir: Path | None = None) -> WorldMap:
    """Build the map widget. It takes no focus. `tables_dir`: a directory of replacement tables."""
    tables = load_tables(tables_dir)
    scene = build_scene(tables, new_game(tables, seats_for(7), {}), "")
    world_map = WorldMap(scene=scene, cursor="", palette=palette, id="backdrop")
    world_map.can_focus = False
    return world_map
