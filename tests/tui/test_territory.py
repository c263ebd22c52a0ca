"""The land of each place on the map, and its color."""

from __future__ import annotations

from dataclasses import replace

import pytest

from paxtui.tui.colors import DEFAULT, PALETTES, Depth, distance, palette_of
from paxtui.tui.map.canvas import Canvas
from paxtui.tui.map.geometry import (
    AREA,
    BORDER,
    HOME,
    RIM,
    UNOWNED,
    ZONES_PER_PLACE,
    Territories,
    load_atlas,
    place_numbers,
    territories,
    territory_points,
)
from paxtui.tui.map.ground import HOLDER_SHARE, territory_fill
from paxtui.tui.map.layout import lay_out, world_layout
from paxtui.tui.map.projection import Projection, load_warp
from paxtui.tui.map.scene import PlaceLook, Scene, base_mark, free_mark, home_mark, owned_mark

CITIES = {
    (52, 0): "home:britain", (48, 2): "home:france", (56, 38): "home:russia", (52, 105): "home:russia",
    (40, -95): "home:united_states", (60, -110): "canada", (26, 30): "egypt", (28, 3): "algiers",
    (-25, 135): "australia",
    (46, 104): "mongolia", (16, 77): "hindoostan", (-10, -52): "brasil", (-19, 47): "madagascar",
    (36, 138): "home:japan",
    (50, 30): "home:russia", (48, -3): "home:france", (0, 22): "kongo", (-33, -65): "argentina",
}  # fmt: skip
"""Latitude and longitude of points with their place."""


@pytest.mark.parametrize(("width", "height"), [(160, 46), (184, 51), (240, 72)])
def test_land_agrees_with_the_atlas(width: int, height: int) -> None:
    land, projection = territories(width, height), Projection(load_warp(), width, height)
    for (lat, lon), place in CITIES.items():
        assert land.place_at(*projection.cell(lat, lon)) == place, (lat, lon)
    for lat, lon in ((30, -45), (-20, 80), (61, 9), (24, 45), (72, -40)):
        assert land.place_at(*projection.cell(lat, lon)) is None, "the open sea, Norway, Arabia, Greenland"


def test_islands_and_capes_belong_to_their_area() -> None:
    land, projection = territories(240, 72), Projection(load_warp(), 240, 72)
    capes = {
        (19.2, 109.7): "kwang_si", (17, 106.8): "indochina", (-12.3, 133): "australia", (-13, 143): "australia",
        (-9, 125.5): "dutch_east_indies", (-8, 139): "new_guinea", (-9.3, 147.2): "papua",
    }  # fmt: skip
    assert {at: land.place_at(*projection.cell(*at)) for at in capes} == capes


def test_every_land_place_has_land() -> None:
    land = territories(160, 46)
    landed = {place.id for place in load_atlas().places.values() if place.kind in (AREA, HOME)}
    assert set(place_numbers()) == landed
    bare = {place for place, number in place_numbers().items() if not land.rows(number)}
    assert not bare - {"fiji", "hawaii", "new_hebrides", "porto_rico"}, "islands too small for the outlines"


def test_land_belongs_to_the_nearest_point() -> None:
    land = Territories(40, 12)
    warp = load_warp()
    sites = [(u * 160, v * 92, number) for u, v, number in territory_points()]
    for y in range(24):
        row = land._quarters(y)
        for x in range(80):
            if row[x] >= UNOWNED:
                at = ((x + 0.5) * 2, (y + 0.5) / 24 * 92)
                near = sorted(((at[0] - u) ** 2 + (at[1] - v) ** 2, number) for u, v, number in sites)
                assert row[x] in [number for gap, number in near if gap < (near[0][0] ** 0.5 + 2.01) ** 2]
    assert warp.cut == -170.0


def test_land_has_borders_and_rims() -> None:
    found = {
        number % ZONES_PER_PLACE for y in range(46) for run in territories(160, 46).runs(y) for number in run.quarters
    }
    assert {BORDER, RIM} <= found


def test_rows_are_computed_on_demand() -> None:
    land = Territories(160, 46)
    land.runs(10)
    assert sum(row is not None for row in land._runs) == 1
    assert land.known_rows(place_numbers()["home:russia"]) == {10}
    assert land.rows(place_numbers()["home:russia"]) > {10}


def test_stronger_control_has_a_stronger_tint() -> None:
    marks = [owned_mark(status, ["britain"]) for status in ("interest", "influence", "protectorate", "possession")]
    marks += [owned_mark("dominion", ["britain"]), home_mark("britain")]
    gaps = [distance(territory_fill(PlaceLook(mark), DEFAULT).colours[0], DEFAULT.land) for mark in marks]
    assert gaps == sorted(gaps) and len(set(gaps)) == len(gaps)
    assert HOLDER_SHARE["home"] == 0.55 and HOLDER_SHARE["possession"] == 0.40 and HOLDER_SHARE["protectorate"] == 0.26
    assert territory_fill(PlaceLook(owned_mark("possession", ["britain"])), DEFAULT).colours == ("#724a4d",)


def test_shared_and_unestablished_land_is_striped() -> None:
    shared = territory_fill(PlaceLook(owned_mark("influence", ["britain", "france", "germany"])), DEFAULT)
    assert len(shared.colours) == 3
    new = territory_fill(PlaceLook(owned_mark("protectorate", ["france"], unestablished=True)), DEFAULT)
    assert new.colours[1] == DEFAULT.land and len(new.colours) == 2


def test_unrest_cursor_and_heat_change_the_fill() -> None:
    mark = owned_mark("possession", ["spain"])
    plain = territory_fill(PlaceLook(mark), DEFAULT)
    assert not plain.edge and territory_fill(PlaceLook(replace(mark, unrest=True)), DEFAULT).edge
    assert territory_fill(PlaceLook(replace(mark, casus_belli=True)), DEFAULT).edge
    light = [
        territory_fill(look, DEFAULT).colours
        for look in (
            PlaceLook(mark, cursor=True),
            PlaceLook(mark, lit=True),
            PlaceLook(mark, dim=True),
            PlaceLook(mark, heat=0.1),
            PlaceLook(mark, heat=0.9),
        )
    ]
    assert len({plain.colours, *light}) == 6


def test_unowned_land_has_the_tint_of_its_empire() -> None:
    colours = {
        territory_fill(PlaceLook(base_mark("area", type_)), DEFAULT).colours
        for type_ in ("chinese_empire", "ottoman", "x")
    }
    assert len(colours) == 3
    assert territory_fill(PlaceLook(free_mark("independent")), DEFAULT).colours == (DEFAULT.land,)


def background_color(canvas: Canvas, place: str) -> str:
    """Return the background color of the first letter of a place."""
    spot = canvas.layout.spots[place]
    return next(iter(canvas.strip(spot.y).crop(spot.rows[0].x, spot.rows[0].x + 1))).style.bgcolor.get_truecolor().hex


@pytest.mark.parametrize("zoom", ["world", "theatre"])
def test_labels_have_the_background_of_their_land(zoom: str) -> None:
    canvas = Canvas(lay_out(zoom, 160, 46) if zoom == "world" else lay_out(zoom, 240, 72))
    canvas.show(Scene({"australia": owned_mark("possession", ["britain"])}))
    assert background_color(canvas, "australia") == "#724a4d"
    assert background_color(canvas, "taureg") == DEFAULT.land
    canvas.show(Scene({"australia": owned_mark("possession", ["france"])}))
    assert (
        background_color(canvas, "australia")
        == territory_fill(PlaceLook(owned_mark("possession", ["france"])), DEFAULT).colours[0]
    )


def test_monochrome_and_ascii_draw_dots() -> None:
    for palette in (PALETTES["mono"], DEFAULT.in_ascii(), palette_of("mono", True)):
        canvas = Canvas(world_layout(), palette)
        text = "".join(canvas.strip(y).text for y in range(46))
        assert not any(0x2596 <= ord(sign) <= 0x259F for sign in text)
        assert ("." if palette.ascii else "\u2880") in text


def test_shared_land_has_letters_without_colors() -> None:
    canvas = Canvas(world_layout(), PALETTES["mono"])
    canvas.show(Scene({"brasil": owned_mark("influence", ["britain", "france", "germany"])}))
    assert "BRA●GB+2" in canvas.strip(canvas.layout.spots["brasil"].y).text
    theatre = Canvas(lay_out("theatre", 240, 72), PALETTES["mono"])
    theatre.show(canvas.scene)
    assert "●GBFRDE" in theatre.strip(theatre.layout.spots["brasil"].y + 1).text


@pytest.mark.parametrize("depth", [Depth.CUBE, Depth.SIXTEEN])
def test_reduced_colors_are_those_of_the_terminal(depth: Depth) -> None:
    from paxtui.tui.colors import TABLES

    palette = palette_of("dark", depth=depth)
    canvas = Canvas(world_layout(), palette)
    canvas.show(Scene({"australia": owned_mark("possession", ["britain"])}))
    used = {
        colour.get_truecolor().hex
        for y in range(46) for piece in canvas.strip(y) if piece.style
        for colour in (piece.style.color, piece.style.bgcolor) if colour
    }  # fmt: skip
    assert used <= set(TABLES[depth])
    assert background_color(canvas, "australia") == ("#875f5f" if depth == Depth.CUBE else "#cd0000")
