"""Draw the map of the campaign of 1805 from free geography data.

Each cell of land goes to the area with the nearest centre, up to `REACH_KM`. Towns without an area keep the cells
around them out of the map. The drawing, `cells.txt`, and the neighbours in it, `borders.csv`, are then corrected by
hand: rivers, passes, and borders that no army could cross.

    npm pack world-atlas@2.0.2 && tar xzf world-atlas-2.0.2.tgz
    python -m tools.empires_map package/land-50m.json cities-1800.csv
"""

from __future__ import annotations

import csv
import json
import math
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent.parent / "data" / "empires" / "1805"
WEST, NORTH = 5.0, 50.9
COLUMNS, ROWS = 182, 70
STEP = 0.1
"""Degrees of a cell."""
REACH_KM = 105.0
"""Distance from its centre up to which an area extends."""
APART_KM = 75.0
"""Distance from all centres from which a town keeps its surroundings out of the map."""
COMMON_CELLS = 3
"""Sides of cells that two areas share at least, to be neighbours."""
SEA, FOREIGN = " ", "."

Point = tuple[float, float]
Ring = list[Point]


class Centre(NamedTuple):
    """The centre of an area: its sign in the drawing ("." for a town outside), longitude and latitude."""

    sign: str
    lon: float
    lat: float


def read_rings(path: Path) -> list[Ring]:
    """Return the outlines of land of a TopoJSON file of world-atlas."""
    topology = json.loads(path.read_text())
    scale, origin = topology["transform"]["scale"], topology["transform"]["translate"]
    arcs: list[Ring] = []
    for raw in topology["arcs"]:
        x = y = 0
        arc = []
        for dx, dy in raw:
            x, y = x + dx, y + dy
            arc.append((x * scale[0] + origin[0], y * scale[1] + origin[1]))
        arcs.append(arc)
    rings = []
    for shape in topology["objects"]["land"]["geometries"]:
        polygons = shape["arcs"] if shape["type"] == "MultiPolygon" else [shape["arcs"]]
        for polygon in polygons:
            for ring in polygon:
                rings.append([point for at in ring for point in (arcs[at] if at >= 0 else arcs[~at][::-1])])
    return rings


def land_cells(rings: list[Ring]) -> list[list[bool]]:
    """Return which cells are land, by the even-odd rule along each row."""
    grid = []
    for row in range(ROWS):
        lat = NORTH - row * STEP
        crossings = sorted(
            x1 + (lat - y1) * (x2 - x1) / (y2 - y1)
            for ring in rings
            for (x1, y1), (x2, y2) in zip(ring, ring[1:] + ring[:1], strict=True)
            if (y1 > lat) != (y2 > lat)
        )
        grid.append([sum(x < WEST + column * STEP for x in crossings) % 2 == 1 for column in range(COLUMNS)])
    return grid


def distance_km(one: Centre, lon: float, lat: float) -> float:
    """Return the distance of a place from a centre."""
    across = (lon - one.lon) * math.cos(math.radians((lat + one.lat) / 2))
    return 111.2 * math.hypot(across, lat - one.lat)


def draw_cells(land: list[list[bool]], centres: list[Centre]) -> list[str]:
    """Return the rows of the drawing."""
    rows = []
    for row in range(ROWS):
        signs = []
        for column in range(COLUMNS):
            lon, lat = WEST + column * STEP, NORTH - row * STEP
            if not land[row][column]:
                signs.append(SEA)
                continue
            distance, sign = min((distance_km(one, lon, lat), one.sign) for one in centres)
            signs.append(sign if distance <= REACH_KM else FOREIGN)
        rows.append("".join(signs))
    return rows


def shared_sides(rows: list[str]) -> Counter[tuple[str, str]]:
    """Return how many sides of cells each two areas share."""
    sides: Counter[tuple[str, str]] = Counter()
    for row in range(ROWS):
        for column in range(COLUMNS):
            here = rows[row][column]
            for near in (rows[row][column + 1 : column + 2], rows[row + 1][column] if row + 1 < ROWS else ""):
                if near and near != here and not {near, here} & {SEA, FOREIGN}:
                    sides[min(here, near), max(here, near)] += 1
    return sides


def read_areas() -> list[dict[str, str]]:
    """Return the rows of `areas.csv`."""
    lines = (FOLDER / "areas.csv").read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def main(land: str, cities: str) -> None:
    """Write `cells.txt`, and print the borders of the drawing as rows of `borders.csv`."""
    areas = read_areas()
    centres = [Centre(row["sign"], float(row["lon"]), float(row["lat"])) for row in areas]
    with Path(cities).open(encoding="utf-8") as file:
        towns = [Centre(FOREIGN, float(row["lon"]), float(row["lat"])) for row in csv.DictReader(file)]
    outside = [town for town in towns if all(distance_km(one, town.lon, town.lat) > APART_KM for one in centres)]
    rows = draw_cells(land_cells(read_rings(Path(land))), centres + outside)
    (FOLDER / "cells.txt").write_text("\n".join(rows) + "\n", encoding="utf-8")
    names = {row["sign"]: row["id"] for row in areas}
    print("a,b,kind,source,why")
    for (one, other), count in sorted(shared_sides(rows).items()):
        if count >= COMMON_CELLS:
            print(f"{names[one]},{names[other]},open,ours,drawn")


if __name__ == "__main__":
    main(*sys.argv[1:])
