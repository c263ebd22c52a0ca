"""Print one frame of the map at the start of 1880, for pictures and for looking at a terminal.

python -m tools.bench.map_demo [--zoom world|theatre] [--size 160x46] [--palette dark] [--ascii]
                              [--cursor madagascar] [--full] [--move] [--time]
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict
from dataclasses import replace
from random import Random

from rich.color import ColorSystem

from paxtui.tui.colors import DEFAULT, LETTERS, PALETTES, POWERS, SIGNS
from paxtui.tui.map.canvas import Canvas
from paxtui.tui.map.geometry import AREA, HOME_PREFIX, load_atlas
from paxtui.tui.map.layout import lay_out
from paxtui.tui.map.projection import ZOOMS, table_rows
from paxtui.tui.map.scene import PlaceMark, Scene, free_mark, home_mark, owned_mark

UNITS = {"army": "A", "naval": "N"}


def initial_garrisons() -> dict[str, str]:
    """The units of the start by place, strongest first."""
    found: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for row in table_rows("initial_units.csv"):
        if row["unit"] in UNITS:
            found[row["place"]] += [(UNITS[row["unit"]], int(row["strength"]))] * int(row["count"])
    return {
        place: "".join(f"{kind}{strength}" for kind, strength in sorted(units, key=lambda u: (u[0], -u[1]))[:3])
        for place, units in found.items()
    }


def initial_scene() -> Scene:
    """The 1880 start: markers, garrisons, merchants."""
    owners: dict[str, list[str]] = defaultdict(list)
    status: dict[str, str] = {}
    for row in table_rows("initial_markers.csv"):
        owners[row["area"]].append(row["power"])
        status[row["area"]] = row["marker"]
    armies = initial_garrisons()
    marks: dict[str, PlaceMark] = {}
    for row in table_rows("areas.csv"):
        area = row["id"]
        numbers = f"{row.get('economic_value') or row['value']}·{row.get('combat_strength') or row['strength']}"
        if area in owners:
            marks[area] = owned_mark(
                status[area], owners[area], garrison=armies.get(area, ""), numbers=numbers, type_=row["type"]
            )
        else:
            marks[area] = free_mark(row["type"], numbers, garrison=armies.get(area, ""))
    for power in POWERS:
        if HOME_PREFIX + power in load_atlas().places:
            marks[HOME_PREFIX + power] = home_mark(power, armies.get(HOME_PREFIX + power, ""))
    merchants: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for row in table_rows("initial_units.csv"):
        if row["unit"] == "merchant_fleet":
            merchants[row["place"]].append(("M", row["power"]))
    return Scene(marks, "madagascar", sea_merchants={zone: tuple(each) for zone, each in merchants.items()})


def crowded_scene(scene: Scene, seed: int = 7) -> Scene:
    """A scene in which each Area has an owner and all flags: the fullest map."""
    dice = Random(seed)
    marks = dict(scene.marks)
    for place in load_atlas().places.values():
        if place.kind == AREA:
            marks[place.id] = owned_mark(
                dice.choice(sorted(SIGNS)),
                dice.sample(sorted(LETTERS), 3 if dice.random() < 0.1 else 1),
                garrison=dice.choice(("A1", "A3N1", "A10N3")),
                numbers="6·1",
                unrest=dice.random() < 0.4,
                casus_belli=dice.random() < 0.2,
                unestablished=dice.random() < 0.2,
            )
    return replace(scene, marks=marks)


def move_scene(scene: Scene) -> Scene:
    """A move being chosen: reachable Areas lit, a path drawn."""
    reach = {"egypt": "1", "soudan": "2", "eritrea": "2", "berbera": "2", "aden": "2", "kenya": "2", "madagascar": "2"}
    return replace(
        scene,
        cursor="kenya",
        lit=frozenset({*reach, "mediterranean", "indian_ocean"}),
        costs={place: f"▸{cost}" for place, cost in reach.items()},
        path=("home:britain", "north_atlantic", "mediterranean", "egypt", "soudan", "kenya"),
        routes_lit=frozenset({("egypt", "soudan"), ("eritrea", "soudan"), ("kenya", "soudan")}),
    )


def main(arguments: list[str] | None = None) -> None:
    """Print the frame the arguments ask for."""
    began = time.perf_counter()
    parser = argparse.ArgumentParser(prog="python -m tools.bench.map_demo")
    parser.add_argument("--zoom", choices=sorted(ZOOMS), default="world")
    parser.add_argument("--size", default="", help="columns x rows of the canvas; the zoom's own size if left out")
    parser.add_argument("--palette", choices=sorted(PALETTES), default=DEFAULT.name)
    parser.add_argument("--ascii", action="store_true")
    parser.add_argument("--cursor", default="madagascar")
    parser.add_argument("--full", action="store_true", help="every Area with an owner and flags")
    parser.add_argument("--move", action="store_true", help="a move being chosen")
    parser.add_argument("--time", action="store_true", help="measure instead of printing")
    chosen = parser.parse_args(arguments)
    zoom = ZOOMS[chosen.zoom]
    width, height = (int(n) for n in chosen.size.split("x")) if chosen.size else (zoom.width, zoom.height)
    palette = PALETTES[chosen.palette].in_ascii() if chosen.ascii else PALETTES[chosen.palette]
    scene = initial_scene().at(chosen.cursor)
    if chosen.full:
        scene = crowded_scene(scene)
    if chosen.move:
        scene = move_scene(scene)
    prepared = time.perf_counter()
    canvas = Canvas(lay_out(chosen.zoom, width, height), palette)
    canvas.show(scene)
    canvas.warm()
    drawn = time.perf_counter()
    if chosen.time:
        measure(canvas, scene, prepared - began, drawn - prepared)
        return
    for y in range(height):
        line = "".join(
            piece.style.render(piece.text, color_system=ColorSystem.TRUECOLOR) if piece.style else piece.text
            for piece in canvas.strip(y)
        )
        sys.stdout.write(line + "\n")


def measure(canvas: Canvas, scene: Scene, tables: float, first: float) -> None:
    """Times in milliseconds: reading the start, the first frame, a full redraw, a step of the cursor."""
    began = time.perf_counter()
    again = Canvas(canvas.layout, canvas.palette)
    again.show(scene)
    again.warm()
    whole = time.perf_counter() - began
    began = time.perf_counter()
    canvas._strips = [None] * canvas.height
    canvas.warm()
    redraw = time.perf_counter() - began
    began, places, count = time.perf_counter(), list(canvas.layout.spots), canvas.composed
    for place in places:
        canvas.show(scene.at(place))
        canvas.warm()
    step = (time.perf_counter() - began) / len(places)
    per = (canvas.composed - count) / len(places)
    print(f"tables of the start  {tables * 1e3:6.1f} ms")
    print(f"first frame, cold    {first * 1e3:6.1f} ms")
    print(f"new canvas, warm     {whole * 1e3:6.1f} ms")
    print(f"full redraw          {redraw * 1e3:6.1f} ms")
    print(f"step of the cursor   {step * 1e3:6.2f} ms, {per:.1f} rows")


if __name__ == "__main__":
    main()
