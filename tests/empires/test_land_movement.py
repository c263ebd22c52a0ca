"""The land movement step (EIA 7.3.1, 7.3.2)."""

from __future__ import annotations

import pytest

from paxtui.games.empires.events.land import Foraged, Marched
from paxtui.games.empires.tables import Border
from tests.empires.land import PORTS, WAYS, at_movement, coast, corps, field, fleet, guard, tables
from tests.empires.scripted_game import ScriptedGame


def where(game: ScriptedGame, name: str) -> str:
    """Where a counter stands."""
    return game.state.corps[name].where


@pytest.mark.eia("7.3")
def test_only_the_phasing_power_moves_and_points_are_fresh_every_month() -> None:
    game = at_movement(corps("i", "france", "alsace"), corps("mack", "austria", "vienna"))
    assert game.refused("austria", "march mack to styria") == "not_your_step"
    assert game.refused("france", "march mack to styria") == "no_corps"
    game.acts("france: march i to baden", "france: done")
    month = game.state.turn
    while game.state.turn == month:
        game.act(game.state.cursor.powers[0], "done")
    assert game.state.corps["i"].moved == 0


@pytest.mark.eia("7.3.1.1")
@pytest.mark.parametrize(
    ("kind", "swift", "reached"),
    [
        ("infantry", False, 3),
        ("infantry", True, 4),
        ("cavalry", True, 5),
        ("cossack", False, 5),
        ("freikorps", False, 5),
    ],
)
def test_a_counter_goes_as_far_as_its_allowance(kind: str, swift: bool, reached: int) -> None:
    road = ["baden", "wurttemberg", "ansbach", "upper_palatinate", "lower_bavaria", "budweis"]
    game = at_movement(corps("i", "france", "alsace", kind=kind, swift=swift))
    assert game.refused("france", "march i to " + ",".join(road[: reached + 1])) == "too_far"
    game.act("france", "march i to " + ",".join(road[:reached]))
    assert where(game, "i") == road[reached - 1]


@pytest.mark.eia("7.3.1.1")
def test_a_guerrilla_goes_one_area_even_into_mountains() -> None:
    game = at_movement(corps("g", "france", "swabia", 1, kind="guerrilla"))
    assert game.refused("france", "march g to augsburg,munich") == "too_far"
    game.act("france", "march g to vorarlberg")


@pytest.mark.eia("7.3.1.2")
def test_a_force_march_gives_one_point_and_not_to_cavalry() -> None:
    game = at_movement(corps("i", "france", "alsace"), corps("r", "france", "alsace", kind="cavalry"))
    assert game.refused("france", "force march r to baden") == "no_force_march"
    game.act("france", "force march i to baden,wurttemberg,ansbach,upper_palatinate")
    assert game.state.corps["i"].forced


@pytest.mark.eia("7.3.1.3", "7.3.1.3.1")
def test_mountains_cost_two() -> None:
    game = at_movement(corps("i", "france", "swabia"))
    game.act("france", "march i to vorarlberg")
    assert game.state.corps["i"].moved == 2
    assert game.refused("france", "march i to tyrol") == "too_far"


@pytest.mark.eia("7.3.1.3.2", "7.3.1.3.4")
def test_a_river_before_an_enemy_corps_in_the_mountains_makes_three() -> None:
    pieces = (corps("i", "france", "munich"), corps("mack", "austria", "salzburg"))
    game = at_movement(*pieces)
    game.act("france", "march i to salzburg")
    assert game.state.corps["i"].moved == 3
    free = at_movement(pieces[0])
    free.act("france", "march i to salzburg")
    assert free.state.corps["i"].moved == 2


@pytest.mark.eia("7.3.1.3.3")
def test_a_crossing_costs_one_more_and_enemy_fleets_close_it() -> None:
    game = coast(corps("i", "france", "ancona"), at="movement")
    game.act("france", "march i to island")
    assert game.state.corps["i"].moved == 2
    shut = coast(corps("i", "france", "ancona"), fleet("a1", "austria", "adriatic"), at="movement")
    assert shut.refused("france", "march i to island") == "crossing_closed"


@pytest.mark.eia("7.3.2")
def test_counters_move_one_at_a_time() -> None:
    game = at_movement(corps("i", "france", "alsace"), corps("ii", "france", "alsace"))
    game.acts("france: march i to baden", "france: march i to wurttemberg", "france: march ii to baden")
    assert game.refused("france", "march i to ansbach") == "march_over"
    game.act("france", "march ii to wurttemberg")


@pytest.mark.eia("7.3.2.1")
def test_a_corps_stops_before_an_enemy_corps_but_not_before_garrisons() -> None:
    game = at_movement(corps("i", "france", "alsace"), corps("mack", "austria", "wurttemberg"))
    assert game.refused("france", "march i to baden,wurttemberg,ansbach") == "must_stop"
    game.act("france", "march i to baden,wurttemberg")
    assert game.refused("france", "march i to ansbach") == "must_stop"
    past = at_movement(corps("i", "france", "baden"), guard("wurttemberg", "austria"))
    past.act("france", "march i to wurttemberg,ansbach")


@pytest.mark.eia("7.3.2.2")
def test_cossacks_and_freikorps_pass_enemies() -> None:
    for kind in ("cossack", "freikorps"):
        game = at_movement(corps("c", "france", "baden", 1, kind=kind), corps("mack", "austria", "wurttemberg"))
        game.act("france", "march c to wurttemberg,ansbach")


@pytest.mark.eia("7.3.2.3")
def test_nothing_is_entered_that_costs_more_than_is_left() -> None:
    game = at_movement(corps("i", "france", "wurttemberg"))
    game.act("france", "march i to swabia,augsburg")
    assert game.refused("france", "march i to tyrol") == "too_far"
    game.act("france", "march i to munich")


@pytest.mark.eia("7.3.2.4")
def test_movement_is_optional() -> None:
    game = at_movement(corps("i", "france", "alsace"))
    game.act("france", "done", 1)
    assert where(game, "i") == "alsace"


@pytest.mark.eia("7.3.1")
def test_paths_lead_to_adjacent_areas_on_land_and_into_open_areas() -> None:
    game = at_movement(corps("i", "france", "alsace"))
    assert game.refused("france", "march i to munich") == "too_far"
    assert game.refused("france", "march i to atlantis") == "not_adjacent"
    closed = tables(minors=())
    assert at_movement(corps("i", "france", "alsace"), on=closed).refused("france", "march i to baden") == "no_access"


@pytest.mark.eia("7.3.1", "7.3.2.1")
def test_an_order_that_names_a_goal_takes_the_cheapest_route() -> None:
    game = at_movement(corps("i", "france", "alsace", swift=True))
    game.act("france", "march i to ansbach")
    assert game.events_of(Marched)[0].path == ("baden", "franconia", "ansbach")
    past = at_movement(corps("i", "france", "alsace", swift=True), corps("m", "austria", "franconia"))
    past.act("france", "march i to ansbach")
    assert past.events_of(Marched)[0].path == ("baden", "wurttemberg", "ansbach"), "not through enemies"


@pytest.mark.eia("7.4.1.1", "7.4.1.2.1")
def test_a_corps_that_must_forage_rolls_when_its_march_is_over() -> None:
    game = field(corps("i", "france", "baden"), corps("ii", "france", "alsace", swift=True), at="movement")
    game.act("france", "march i to wurttemberg")
    game.act("france", "march ii to wurttemberg", 5)
    first = game.events_of(Foraged)[0]
    assert (first.corps, "other corps here" in dict(first.modifiers)) == ("i", False), "the other one was not there yet"
    game.act("france", "done", 1)
    last = game.events_of(Foraged)[1]
    assert (last.corps, dict(last.modifiers)["other corps here"]) == ("ii", 1)


@pytest.mark.eia("7.3.1.3.1")
def test_marsh_costs_two() -> None:
    areas = tuple(
        area if area.id != "inland" else type(area)(id="inland", name="Fens", terrain="marsh", forage=1)
        for area in PORTS
    )
    game = coast(corps("i", "france", "brest"), areas=areas, ways=(*WAYS, Border(a="inland", b="hills")), at="movement")
    game.act("france", "march i to inland")
    assert game.state.corps["i"].moved == 2
