"""The places of the map as the tables have them: where on the globe, which letters, which nudges.

A place is an Area, a Home Country, a Sea Zone or a Cape. What it is in the rules is no concern of the map; it needs
a code, a name and a position.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from paxtui.tui.land.projection import Warp, the_warp
from paxtui.tui.land.sources import rows

AREA, HOME, SEA, CAPE = "area", "home", "sea", "cape"
HOME_PREFIX = "home:"


@dataclass(frozen=True, slots=True)
class Place:
    """One stop of the cursor. `offset` are nudges in cells for codes, `theatre_offset` for full names."""

    id: str
    kind: str
    code: str
    name: str
    lat: float
    lon: float
    offset: tuple[int, int]
    theatre_offset: tuple[int, int]
    type: str = ""
    """For an Area the type the map prints (independent, ottoman, …), for a Home Country its power."""


@dataclass(frozen=True)
class Atlas:
    """All places by id, the overland routes, and the warp both are drawn with."""

    places: Mapping[str, Place]
    routes: tuple[tuple[str, str], ...]
    warp: Warp


@cache
def the_atlas() -> Atlas:
    """The places of the game's map, read once."""
    warp = the_warp()
    names, types = {}, {}
    for row in rows("areas.csv"):
        names[row["id"]], types[row["id"]] = row["name"], row["type"]
    for row in rows("sea_zones.csv") + rows("capes.csv"):
        names[row["id"]] = row["name"]
    for row in rows("powers.csv"):
        # "Britain" on the map: the Home Country, not the Empire, and Europe has no cell to spare.
        names[HOME_PREFIX + row["id"]] = row["name"].removeprefix("Great ")
        types[HOME_PREFIX + row["id"]] = row["id"]
    places = {
        row["id"]: Place(
            row["id"],
            row["kind"],
            row["code"],
            names[row["id"]],
            float(row["lat"]),
            float(row["lon"]),
            (int(row["dx"]), int(row["dy"])),
            warp.theatre_offsets.get(row["id"], (0, 0)),
            types.get(row["id"], ""),
        )
        for row in rows("map/map_layout.csv")
    }
    routes = tuple((row["a"], row["b"]) for row in rows("overland_routes.csv"))
    return Atlas(places, routes, warp)
