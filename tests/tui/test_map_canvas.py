"""What the canvas draws, and how few rows it composes again."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from msgspec import structs
from textual.strip import Strip

from paxtui.games.pax.position.setup import new_game, seats_for
from paxtui.games.pax.state.pieces import AreaState, Marker
from paxtui.tui.colors import DEFAULT, PALETTES, POWERS
from paxtui.tui.map.canvas import Canvas
from paxtui.tui.map.geometry import AREA, coast_outlines, place_numbers, rasterise, territories
from paxtui.tui.map.layout import SECOND_LINE_CELLS, lay_out, route_dots, route_ends, world_layout
from paxtui.tui.map.scene import PlaceMark, Scene, owned_mark, owner_sign
from paxtui.tui.widgets.map_scene import area_mark
from tests.rules.harness import tables
from tools.bench.map_demo import crowded_scene, initial_scene, move_scene


def canvas_text(canvas: Canvas) -> list[str]:
    return [canvas.strip(y).text for y in range(canvas.height)]


def label_text(canvas: Canvas, place: str) -> str:
    """Return the text from one cell before a label to one cell after it."""
    row = canvas.layout.spots[place].rows[0]
    return canvas.strip(row.y).text[max(0, row.x - 1) : row.end + 1]


def rows_of(canvas: Canvas, place: str) -> set[int]:
    """Return the rows of a place: those of its label and of its land."""
    land = territories(canvas.width, canvas.height).rows(place_numbers()[place])
    return {canvas.layout.spots[place].y, *land}


@pytest.fixture
def world() -> Canvas:
    canvas = Canvas(world_layout())
    canvas.show(initial_scene())
    canvas.warm()
    return canvas


@pytest.fixture
def theatre() -> Canvas:
    canvas = Canvas(lay_out("theatre", 240, 72))
    canvas.show(initial_scene())
    canvas.warm()
    return canvas


def test_arrow_has_a_head_and_can_be_removed(world: Canvas) -> None:
    scene = world.scene
    before = canvas_text(world)
    arrows = (("cape_colony", "madagascar"), ("egypt", "egypt"), ("egypt", "nowhere"))
    changed = world.show(replace(scene, arrows=arrows))
    drawn = canvas_text(world)
    assert "▶" in drawn[world.layout.spots["madagascar"].y] + drawn[world.layout.spots["madagascar"].y + 1]
    assert {y for y, row in enumerate(drawn) if row != before[y]} <= changed
    world.show(scene)
    assert canvas_text(world) == before


def test_land_and_sea_are_at_their_places() -> None:
    coast = rasterise(160, 46)
    layout = world_layout()
    for place in ("brasil", "taureg", "mongolia", "canada", "australia", "kongo"):
        assert coast.is_land(layout.spots[place].x, layout.spots[place].y), place
    for place in ("south_atlantic", "indian_ocean", "south_pacific", "north_atlantic"):
        assert not coast.is_land(layout.spots[place].x, layout.spots[place].y), place
    share = sum(coast.is_land(x, y) for y in range(46) for x in range(160)) / (160 * 46)
    assert 0.3 < share < 0.6


def test_no_coast_crosses_the_whole_map() -> None:
    """Fiji and Chukotka lie on both sides of the 180th meridian; a ring not unrolled there draws a bar."""
    assert all(abs(a - b) < 180.0 for ring in coast_outlines() for a, b in pairwise(ring.lons))
    coast = rasterise(160, 46)
    assert all(sum(1 for dots in row if dots) < 80 for row in coast.dots[2:])


def test_labels_show_code_sign_and_flags(world: Canvas) -> None:
    assert "ALG◆FR" in label_text(world, "algiers")
    assert "GUI◆◆◆" in label_text(world, "guiana")
    assert "CAN★GB" in label_text(world, "canada")
    world.show(Scene({"kenya": owned_mark("interest", ["italy"], unrest=True, casus_belli=True, unestablished=True)}))
    assert "KEN○IT?!" in label_text(world, "kenya")


def morocco_mark(*markers: Marker) -> PlaceMark:
    """Return the mark of Marocco with these markers."""
    state = new_game(tables(), seats_for(7), {})
    areas = {**state.areas, "marocco": AreaState(markers=markers)}
    return area_mark(tables(), structs.replace(state, areas=areas), "marocco")


def test_question_mark_belongs_to_its_marker(world: Canvas) -> None:
    """The question mark of another Power's Interest made an established Protectorate look new."""
    world.show(Scene({"marocco": morocco_mark(Marker("britain", "protectorate"), Marker("italy", "interest", False))}))
    assert "MAR◇GB " in label_text(world, "marocco")
    new, old = Marker("italy", "influence", False), Marker("britain", "influence")
    world.show(Scene({"marocco": morocco_mark(new, old)}))
    assert "MAR●●?" in label_text(world, "marocco")
    row = world.layout.spots["marocco"].rows[0]
    signs = [(text, style.color) for text, style, _ in world.strip(row.y) if style and set(text) <= set("●?")]
    british, italian, doubt = (colour for _, colour in signs if colour)
    assert doubt == italian != british


def test_letters_of_a_shared_area_have_one_color(world: Canvas) -> None:
    """Mexico in Unrest with two Influences had a black M on its red edge."""
    world.show(Scene({"mexico": owned_mark("influence", ["united_states", "britain"], unrest=True)}))
    row = world.layout.spots["mexico"].rows[0]
    inks: dict[str, object] = {}
    for text, style, _ in world.strip(row.y):
        inks |= {letter: style.color for letter in text if style and letter in "MEX"}
    assert len(set(inks.values())) == 1 and set(inks) == set("MEX")


def test_labels_stay_whole_on_a_crowded_map(world: Canvas) -> None:
    scene = crowded_scene(initial_scene())
    world.show(scene)
    rows = canvas_text(world)
    for spot in world.layout.spots.values():
        for row, word in zip(spot.rows, spot.words, strict=True):
            assert rows[row.y][row.x :].startswith(word), spot.id
        if spot.place.kind == "area":
            sign = "".join(text for text, _ in scene.marks[spot.id].sign)
            assert spot.words[0] + sign in rows[spot.y], spot.id


def test_theatre_shows_name_owner_garrison_and_values(theatre: Canvas) -> None:
    rows = canvas_text(theatre)
    spot = theatre.layout.spots["canada"]
    assert "Canada" in rows[spot.y]
    assert "★GB A10N3 9·10" in rows[spot.y + 1]
    assert all(place.words[0] in rows[place.y] for place in theatre.layout.spots.values())


def test_theatre_keeps_names_and_signs_on_a_crowded_map(theatre: Canvas) -> None:
    scene = crowded_scene(initial_scene())
    theatre.show(scene)
    rows = canvas_text(theatre)
    for spot in theatre.layout.spots.values():
        assert spot.words[0] in rows[spot.y], spot.id
        if spot.place.kind == "area":
            sign = "".join(text for text, _ in scene.marks[spot.id].sign)
            assert sign in rows[spot.y + 1], spot.id


def test_seas_show_merchant_fleets(world: Canvas) -> None:
    rows = canvas_text(world)
    ocean = world.layout.spots["indian_ocean"]
    assert "M" * len(initial_scene().sea_merchants["indian_ocean"]) in rows[ocean.rows[-1].y + 1]
    assert "sea MMMMM" in rows[world.layout.spots["mediterranean"].rows[-1].y]


def test_merchant_fleets_without_room_are_counted(world: Canvas) -> None:
    fleets = tuple(("M", power) for power in POWERS[:12])
    world.show(Scene(sea_merchants={"mediterranean": fleets}))
    assert "sea " + "M" * 6 + "+6" in canvas_text(world)[world.layout.spots["mediterranean"].rows[-1].y]


def test_merchant_fleets_have_letters_without_colors() -> None:
    canvas = Canvas(world_layout(), PALETTES["mono"])
    canvas.show(Scene(sea_merchants={"indian_ocean": (("M", "britain"), ("M", "france"))}))
    assert "GB FR" in canvas_text(canvas)[canvas.layout.spots["indian_ocean"].rows[-1].y + 1]


def test_home_countries_show_flag_and_cost(world: Canvas) -> None:
    marks = {"home:japan": PlaceMark("japan", solid=True, casus_belli=True)}
    world.show(Scene(marks))
    assert "JPN⚔ " in label_text(world, "home:japan")
    world.show(Scene(marks, lit=frozenset({"home:japan"}), costs={"home:japan": "▸2"}))
    assert "JPN2 " in label_text(world, "home:japan")


def test_moving_the_cursor_recomposes_few_rows(world: Canvas) -> None:
    scene = initial_scene()
    world.forget()
    world.show(scene.at("canada"))
    world.warm()
    count = world.composed
    changed = world.show(scene.at("madagascar"))
    assert changed == rows_of(world, "canada") | rows_of(world, "madagascar")
    world.warm()
    assert world.composed - count == len(changed) < world.height // 2
    assert world.show(scene.at("madagascar")) == set()
    world.warm()
    assert world.composed - count == len(changed)
    assert world.show(scene.at("canada")) == changed
    world.warm()
    assert world.composed - count == len(changed), "rows of earlier cursor positions are cached"


def test_changing_a_mark_recomposes_only_its_rows(world: Canvas, theatre: Canvas) -> None:
    scene = initial_scene()
    after = replace(scene, marks={**scene.marks, "persia": owned_mark("influence", ["russia"])})
    rows = rows_of(world, "persia")
    assert world.show(after) == rows
    below = {theatre.layout.spots["persia"].y + 1}
    assert theatre.show(after) == rows_of(theatre, "persia") | below
    world.forget()
    world.show(scene)
    world.warm()
    count = world.composed
    world.show(after)
    world.warm()
    assert world.composed == count + len(rows)
    # An equal scene built anew, as a screen does after each action, costs nothing.
    assert world.show(replace(after, marks=dict(after.marks))) == set()


def test_echo_changes_with_its_place(world: Canvas) -> None:
    scene = initial_scene()
    world.show(scene)
    changed = world.show(replace(scene, marks={**scene.marks, "home:russia": PlaceMark("russia", dim=True)}))
    assert changed == {spot.y for spot in world.layout.drawn("home:russia")} | rows_of(world, "home:russia")


def test_move_highlights_places_and_draws_its_path(world: Canvas) -> None:
    scene = initial_scene()
    before = canvas_text(world)
    move = move_scene(scene)
    world.show(move)
    rows = canvas_text(world)
    assert "EGY▸1" in rows[world.layout.spots["egypt"].y]
    assert rows != before
    world.show(scene)
    assert canvas_text(world) == before


def test_routes_end_at_the_nearer_echo() -> None:
    layout = world_layout()
    echo = next(spot for spot in layout.echoes if spot.id == "home:russia")
    (_, _), (x, _) = route_ends(layout, "mongolia", "home:russia")
    assert abs(x - echo.x) < 4
    (_, _), (x, _) = route_ends(layout, "rumania", "home:russia")
    assert abs(x - layout.spots["home:russia"].x) < 4


def test_route_may_cross_the_edge_of_the_map() -> None:
    layout = world_layout()
    (x0, _), (x1, _) = route_ends(layout, "new_zealand", "south_pacific")
    assert x0 < layout.width < x1
    dots = route_dots(layout, [("new_zealand", "south_pacific")], 1.0)
    columns = {x for row in dots.values() for x in row}
    assert min(columns) == 0 and max(columns) == layout.width - 1


def test_cursor_has_brackets(world: Canvas) -> None:
    world.show(initial_scene().at("madagascar"))
    assert "▐MAD▌" in label_text(world, "madagascar")


@pytest.mark.parametrize("name", sorted(PALETTES))
def test_palettes_have_different_colors_for_powers(name: str) -> None:
    palette = PALETTES[name]
    assert len({palette.ink(power) for power in POWERS}) == len(POWERS)
    canvas = Canvas(world_layout(), palette)
    canvas.show(move_scene(crowded_scene(initial_scene())))
    for y in range(canvas.height):
        strip = canvas.strip(y)
        assert strip.cell_length == 160
        if not palette.colour:
            assert all(not part.style.color and not part.style.bgcolor for part in strip if part.style)


def test_ascii_map_is_ascii() -> None:
    canvas = Canvas(world_layout(), DEFAULT.in_ascii())
    canvas.show(move_scene(crowded_scene(initial_scene())))
    assert all(row.isascii() for row in canvas_text(canvas))


def test_owner_signs() -> None:
    assert owner_sign("protectorate", ["spain"]) == (("◇", "spain"), ("ES", "spain"))
    assert [sign for sign, _ in owner_sign("possession", ["britain", "france", "netherlands"])] == ["◆"] * 3
    assert DEFAULT.ink("chinese_vassal") == DEFAULT.ink("china")


def test_filter_dims_other_places() -> None:
    canvas = Canvas(world_layout())
    canvas.show(initial_scene())

    def label_text(area: str) -> Strip:
        spot = canvas.layout.spots[area]
        return canvas.strip(spot.y).crop(spot.x, spot.x + 3)

    before = {area: label_text(area) for area in ("algiers", "canada")}
    changed = canvas.show(replace(initial_scene(), filter=frozenset({"canada"})))
    assert canvas.layout.spots["algiers"].y in changed
    assert label_text("algiers").text == before["algiers"].text and label_text("algiers") != before["algiers"]
    assert label_text("canada") == before["canada"]


def test_second_lines_do_not_touch_neighbors(theatre: Canvas) -> None:
    layout = theatre.layout
    for spot in layout.spots.values():
        if spot.place.kind != AREA:
            continue
        for row in (row for row in spot.below if row.width > SECOND_LINE_CELLS + 2):
            taken = {x for other in layout.spots.values() if other.id != spot.id
                     for r in other.rows if r.y == row.y for x in range(r.x, r.end)}  # fmt: skip
            assert not taken & set(range(row.x - 2, row.end + 2)), spot.id


def test_ascii_map_shows_letters_of_holders() -> None:
    canvas = Canvas(world_layout(), PALETTES["dark"].in_ascii())
    canvas.show(initial_scene())
    rows = "\n".join(canvas_text(canvas))
    assert rows.isascii()
    for letters in ("ru  ru  ru", "gb  gb  gb", "us  us  us", "fr  fr", "be  be"):
        assert letters in rows, letters
    assert canvas.show(Scene()), "land without a holder has no letters"
    assert "gb" not in "".join(canvas_text(canvas))
