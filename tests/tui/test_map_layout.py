"""Places, labels and arrow keys of the map: complete, without overlaps, all reachable."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter, deque

import pytest

from paxtui.tui.map.geometry import load_atlas
from paxtui.tui.map.layout import DIRECTIONS, LABEL, Layout, fit_layout, lay_out, neighbour, world_layout
from paxtui.tui.map.projection import THEATRE, WORLD, ZOOMS, Projection, interpolate, load_warp

SIZES = [
    ("world", 160, 46),
    ("world", 160, 50),
    ("world", 180, 54),
    ("world", 200, 60),
    ("world", 239, 71),
    ("theatre", 240, 72),
    ("theatre", 260, 80),
]


def cells_of(layout: Layout) -> Counter[tuple[int, int]]:
    return Counter((x, row.y) for spot in layout for row in spot.rows for x in range(row.x, row.end))


def test_every_place_is_on_the_map() -> None:
    kinds = Counter(place.kind for place in load_atlas().places.values())
    assert kinds == {"area": 104, "sea": 12, "home": 12, "cape": 2}
    codes = [place.code for place in load_atlas().places.values()]
    assert len(set(codes)) == len(codes)
    assert all(len(code) == 3 for code in codes)
    for zoom, width, height in SIZES:
        assert set(lay_out(zoom, width, height).spots) == set(load_atlas().places)


@pytest.mark.parametrize(("zoom", "width", "height"), SIZES)
def test_labels_do_not_overlap(zoom: str, width: int, height: int) -> None:
    layout = lay_out(zoom, width, height)
    assert layout.clean
    assert [cell for cell, count in cells_of(layout).items() if count > 1] == []
    assert all(0 <= x < width and 0 <= y < height for x, y in cells_of(layout))


def test_areas_have_room_for_a_codominion_with_flags() -> None:
    assert len("GUI◆◆◆!?") <= LABEL
    for spot in world_layout().spots.values():
        if spot.place.kind == "area":
            assert spot.rows[0].width == LABEL, spot.id


@pytest.mark.parametrize(("zoom", "width", "height"), SIZES)
def test_second_lines_and_fleets_do_not_overlap(zoom: str, width: int, height: int) -> None:
    layout = lay_out(zoom, width, height)
    taken = cells_of(layout)
    for spot in layout:
        taken.update((x, row.y) for row in spot.below for x in range(row.x, row.end))
    assert [cell for cell, count in taken.items() if count > 1] == []


@pytest.mark.parametrize("zoom", sorted(ZOOMS))
def test_places_have_room_for_their_second_line(zoom: str) -> None:
    layout = lay_out(zoom, ZOOMS[zoom].width, ZOOMS[zoom].height)
    for spot in layout.spots.values():
        if spot.place.kind == "sea":
            assert max((row.width for row in spot.below), default=0) >= 5, spot.id
        elif spot.place.kind == "area" and ZOOMS[zoom].names:
            assert spot.below[0].width >= len("★GB! A10N3"), spot.id


def test_layout_does_not_move_labels_at_the_reference_size() -> None:
    """Labels are where projection and offset put them."""
    projection = Projection(load_warp(), WORLD.width, WORLD.height)
    for spot in world_layout().spots.values():
        if spot.place.kind == "home":
            x, y = projection.cell(spot.place.lat, spot.place.lon)
            assert (spot.x, spot.y) == (x + spot.place.offset[0], y + spot.place.offset[1]), spot.id


def test_echoes_are_drawn_twice_but_are_one_place() -> None:
    for zoom in ZOOMS.values():
        layout = lay_out(zoom.name, zoom.width, zoom.height)
        assert [echo.id for echo in layout.echoes] == ["north_pacific", "home:russia"]
        for echo in layout.echoes:
            spot = layout.spots[echo.id]
            assert echo.echo and not spot.echo
            assert layout.drawn(echo.id) == (spot, echo)
            assert abs(echo.x - spot.x) > zoom.width // 5
            assert layout.place_at(echo.rows[0].x, echo.rows[0].y) == echo.id


def test_click_selects_the_label_at_or_next_to_it() -> None:
    layout = world_layout()
    for spot in layout.spots.values():
        for row in spot.rows:
            assert layout.place_at(row.x, row.y) == spot.id
            assert layout.place_at(row.end - 1, row.y) == spot.id
    madagascar = layout.spots["madagascar"].rows[0]
    assert layout.place_at(madagascar.end, madagascar.y + 1) == "madagascar"
    assert layout.place_at(layout.width // 2 + 25, 40) is None


def neighbor_map() -> dict[str, dict[str, str]]:
    return {place: {way: neighbour(place, way) for way in DIRECTIONS} for place in load_atlas().places}


def test_arrow_keys_reach_every_place_in_sixteen_keys() -> None:
    map_ = neighbor_map()
    for start in map_:
        keys = {start: 0}
        queue = deque([start])
        while queue:
            place = queue.popleft()
            for direction in DIRECTIONS:
                there = map_[place][direction]
                if there not in keys:
                    keys[there] = keys[place] + 1
                    queue.append(there)
        assert set(keys) == set(map_), (start, set(map_) - set(keys))
        assert max(keys.values()) <= 16, start


def test_arrow_keys_lead_in_their_direction() -> None:
    map_ = neighbor_map()
    assert map_["egypt"]["down"] == "soudan"
    assert map_["egypt"]["left"] == "tripoli"
    assert map_["home:netherlands"]["down"] == "home:belgium"
    assert map_["serbia"]["down"] in {"bulgaria", "greece"}
    layout = world_layout()
    for place, ways in map_.items():
        if ways["down"] != place:
            assert layout.spots[ways["down"]].y >= layout.spots[place].y
        if ways["up"] != place:
            assert layout.spots[ways["up"]].y <= layout.spots[place].y


def test_map_wraps_at_its_edges() -> None:
    map_, layout = neighbor_map(), world_layout()
    assert any(layout.spots[ways["right"]].x < layout.spots[place].x for place, ways in map_.items())
    assert all(ways["left"] != place and ways["right"] != place for place, ways in map_.items())


def test_warp_is_monotone_and_cut_in_the_pacific() -> None:
    warp = load_warp()
    assert warp.unit(0.0, -170.0)[0] == 0.0
    assert warp.unit(0.0, -170.01)[0] > 0.99
    along = [warp.unit(0.0, warp.cut + step)[0] for step in range(360)]
    down = [warp.unit(80.0 - step, 0.0)[1] for step in range(137)]
    assert along == sorted(along) and down == sorted(down)
    assert interpolate(((0.0, 0.0), (10.0, 1.0)), 20.0) == 2.0


def test_map_fills_large_panes_and_scrolls_in_small_ones() -> None:
    big = fit_layout(WORLD, 190, 55)
    assert (big.width, big.height) == (190, 55) and big.clean
    small = fit_layout(WORLD, 116, 44)
    assert (small.width, small.height) == (160, 46)
    assert (fit_layout(THEATRE, 100, 30).width, fit_layout(THEATRE, 100, 30).height) == (240, 72)


def test_importing_the_map_loads_no_heavy_libraries() -> None:
    code = (
        "import sys, paxtui.tui.map, paxtui.tui.map.layout, paxtui.tui.map.geometry, paxtui.tui.map.scene\n"
        "print([m for m in ('numpy', 'networkx', 'textual', 'rich', 'paxtui.games.pax', 'shapely') if m in "
        "sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
