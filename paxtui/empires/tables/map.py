"""The map of an exercise: areas and sea areas, and how one goes from one to another. All of it drawn by us."""

from __future__ import annotations

from typing import Literal

import msgspec


class Area(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An area or a sea area.

    Attributes:
        id: its name in orders.
        name: as it is shown.
        sea: whether it is a sea area.
        owner: the Power or minor country whose territory it is, "" for none.
        terrain: clear, forest, mountain, marsh or desert.
        forage: forage value.
        city: name of its city, "" for none.
        supply: supply value of the city, 0 without one.
        capital: whether the city is a capital.
        port: whether the city is a port, with a blockade box.
        coast: of a port, the sea area that it opens to.
        coasts: more sea areas that touch its blockade box.
        gate: of a sea area, the area whose holder says who enters it (Constantinople for the Dardanelles).
        guns: of a port, its harbour defence value.
        winter: whether it lies in the winter zone, or of a sea area north of the ice line.
        x, y: where it is drawn, in columns and rows of 100 by 100.
    """

    id: str
    name: str
    sea: bool = False
    owner: str = ""
    terrain: Literal["clear", "forest", "mountain", "marsh", "desert"] = "clear"
    forage: int = 0
    city: str = ""
    supply: int = 0
    capital: bool = False
    port: bool = False
    coast: str = ""
    coasts: tuple[str, ...] = ()
    gate: str = ""
    guns: int = 0
    winter: bool = False
    x: int = 0
    y: int = 0


class Border(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A way between two areas or two sea areas: open, across a river, or by a crossing arrow over a sea area."""

    a: str
    b: str
    kind: Literal["open", "river", "crossing"] = "open"
    sea: str = ""
