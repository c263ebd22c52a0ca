"""Set-up (SET): seats, deployment, the map in play, homes, money, indexes, records, pieces, and the end of the game."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board import status
from paxtui.games.pax.board.adjacency import board
from paxtui.games.pax.board.routes import army_paths, linked_areas
from paxtui.games.pax.board.status import controls, powers_of
from paxtui.games.pax.events import events
from paxtui.games.pax.expansion.placement import placement_problems
from paxtui.games.pax.position.setup import new_game, seats_for
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import AreaState, Marker
from tests.rules.harness import Bench, army, held, marker, moving, naval, start, tables

GREAT = {"britain", "france", "germany", "united_states"}
ALWAYS_MINOR = {"netherlands", "belgium", "spain", "portugal"}


def fleets(power: str, *zones: str) -> dict[str, Any]:
    """The Sea Zones of the start with the Merchant Fleets of one Power in `zones` only."""
    now = start().state.sea_zones
    return {
        zone: {"merchant_fleets": [*(p for p in there if p != power), *([power] if zone in zones else [])]}
        for zone, there in now.items()
    }


def game(powers: Any, **options: str) -> State:
    """A new game."""
    return new_game(tables(), powers, options)


def sailing(state: State, power: str) -> list[str]:
    """Sea Zones with a Merchant Fleet of the Power."""
    return sorted(zone for zone, there in state.sea_zones.items() if power in there)


# Seats


@pytest.mark.rule("SET-001")
def test_four_to_seven_play_and_eight_with_belgium() -> None:
    for count in (4, 5, 6, 7):
        assert game(seats_for(count)).players == seats_for(count)
    assert game(seats_for(8), belgium="yes").players == seats_for(8)
    assert seats_for(8)[-1] == "belgium"
    for powers, options in (
        (seats_for(3), {}),
        ((), {}),
        (("britain",), {}),
        (seats_for(8), {}),
        ((*seats_for(7), "spain"), {}),
        (seats_for(3), {"belgium": "yes"}),
        ((*seats_for(6), "belgium"), {"belgium": "yes"}),
        ((*seats_for(3), "spain"), {}),
        ((*seats_for(3), "britain"), {}),
        ((*seats_for(3), "austria_hungary"), {}),
    ):
        with pytest.raises(Refusal) as refused:
            game(powers, **options)
        assert "SET-001" in refused.value.rules


@pytest.mark.rule("SET-002")
@pytest.mark.parametrize("players", [4, 7])
def test_only_germany_runs_austria_hungary(players: int) -> None:
    g = moving({"austria_hungary": 10, "germany": 10}, players)
    for seat in g.state.players:
        if seat != "germany":
            refusal = g.refused(seat, actions.Build(("A3",), power="austria_hungary"))
            assert refusal.code == "not_your_power" and "SET-002" in refusal.rules
            assert powers_of(g.tables, g.state, seat) == (seat,)
    assert powers_of(g.tables, g.state, "germany") == ("germany", "austria_hungary")
    before = len(g.state.homes["germany"])
    g.act("germany", "austria_hungary: build A3")
    # its own Treasury, its own home, its own units
    assert g.state.powers["austria_hungary"].treasury == 0 and g.state.powers["germany"].treasury == 10
    assert len(g.state.homes["germany"]) == before
    assert [u.name for u in g.state.homes["austria_hungary"]].count("A3") == 1
    refusal = g.refused("germany", actions.Build(("A1",), power="britain"))
    assert refusal.code == "not_your_power"


@pytest.mark.rule("SET-055", "SET-056", "SET-057")
@pytest.mark.parametrize(
    ("players", "joined", "minor"),
    [
        (4, set(), {"japan", "russia", "italy"}),
        (5, {"japan"}, {"russia", "italy"}),
        (6, {"japan", "russia"}, {"italy"}),
        (7, {"japan", "russia", "italy"}, set()),
    ],
)
def test_players_and_minor_powers(players: int, joined: set[str], minor: set[str]) -> None:
    state = start(players=players).state
    assert set(state.players) == GREAT | joined
    assert set(state.minors) == ALWAYS_MINOR | minor
    assert set(state.powers) == set(start(players=players).view()["powers"]) == GREAT | joined | {"austria_hungary"}
    with pytest.raises(Refusal) as refused:
        game([*sorted(GREAT | joined - {"japan"})[: players - 1], "italy" if players < 7 else "spain"])
    assert refused.value.rules


@pytest.mark.rule("SET-055")
def test_a_power_cannot_take_the_seat_of_another() -> None:
    for powers in (
        ["britain", "france", "germany", "japan"],
        ["britain", "france", "germany", "united_states", "italy"],
    ):
        with pytest.raises(Refusal) as refused:
            game(powers)
        assert refused.value.code == "powers" and "SET-055" in refused.value.rules
    # in whatever order they come
    assert game(["united_states", "france", "germany", "britain"]).players == seats_for(4)


@pytest.mark.rule("SET-056")
def test_a_minor_power_stays_one_for_the_whole_game() -> None:
    g = start({"turn": 9, "phase": "final_record"}, players=5)
    minors = g.state.minors
    g.step()
    assert g.state.turn == 10 and g.state.minors == minors and "italy" not in g.state.powers
    assert g.refused("italy", actions.Ready()).code == "unknown_seat"


# Deployment


DEPLOYMENT = {
    "britain": (
        "home A1 A1 A1 A3 N10/north_atlantic N10/north_atlantic N10/north_atlantic; australia A10 N3; bengal A10 N1; "
        "canada A10 N3/north_atlantic; cape_colony A3 N1; federated_malay_states A1; fiji A1; gold_coast A1; "
        "guiana A1; hindoostan A1; hong_kong A1; kashmir A1; new_zealand A1; newfoundland A1; punjab A10; "
        "rajputana A1; united_provinces A10",
        "north_atlantic south_atlantic mediterranean indian_ocean oceania north_china_sea south_china_sea",
        "possession australia; possession bengal; dominion canada; possession cape_colony; "
        "possession federated_malay_states; possession fiji; possession gold_coast; possession guiana; "
        "possession hindoostan; possession hong_kong; possession kashmir; possession new_zealand; "
        "possession newfoundland; possession punjab; possession rajputana; possession united_provinces",
    ),
    "france": (
        "home A1 A1 A3 N10/north_atlantic N10/north_atlantic; algiers A10 N3; cochinchina A3 N3; guiana A1; "
        "senegambia A1",
        "north_atlantic south_atlantic mediterranean indian_ocean south_china_sea",
        "possession algiers; possession cochinchina; possession guiana; possession senegambia",
    ),
    "germany": (
        "home A1 A1 A10 A10 A3 A3 N10/north_atlantic",
        "north_atlantic south_atlantic mediterranean indian_ocean oceania",
        "",
    ),
    "united_states": ("home A1 A1 N3/north_atlantic; alaska A1", "caribbean north_pacific", "possession alaska"),
    "japan": ("home A1 A1 A10 A10 N10/north_pacific", "north_china_sea", ""),
    "russia": ("home A10 A10 A10 A10 N1/black_sea N1/north_china_sea N10/baltic", "black_sea", ""),
    "italy": ("home A1 A1 A3 N10/mediterranean", "mediterranean indian_ocean", ""),
    "austria_hungary": ("home A10 A10 A10 A10 N3/mediterranean", "", ""),
    "belgium": ("home A1 A1 A3 N3/north_atlantic", "north_atlantic south_atlantic", "influence kongo"),
    "netherlands": (
        "home A1 A1 A3 N3/north_atlantic; dutch_east_indies A3 N1; guiana A1",
        "north_atlantic south_atlantic indian_ocean oceania",
        "possession dutch_east_indies; possession guiana",
    ),
    "spain": (
        "home A1 A1 A3 N3/north_atlantic; cuba A3 N3; philippines A1 N3; porto_rico A1; rio_de_oro A1",
        "north_atlantic south_atlantic mediterranean indian_ocean north_pacific south_china_sea",
        "possession cuba; influence marocco; possession philippines; possession porto_rico; possession rio_de_oro",
    ),
    "portugal": (
        "home A1 A1 N3/north_atlantic; angola A1; mozambique A1",
        "north_atlantic south_atlantic indian_ocean",
        "possession angola; possession mozambique",
    ),
}


@pytest.mark.rule("SET-058")
@pytest.mark.parametrize("players", [4, 7])
def test_every_power_deploys_exactly_its_initial_deployment(players: int) -> None:
    state = start(players=players).state
    assert set(DEPLOYMENT) == set(tables().powers)
    for power, (units, zones, markers) in DEPLOYMENT.items():
        places = [("home", state.homes[power])]
        places += [(a, tuple(u for u in here.units if u.power == power)) for a, here in state.areas.items()]
        lines = [
            " ".join([place, *sorted(u.name + (f"/{u.coast}" if u.coast else "") for u in there)])
            for place, there in places
            if there
        ]
        assert lines == units.split("; "), power
        extra = ["south_china_sea"] if power == "japan" and players == 4 else []
        assert sailing(state, power) == sorted(zones.split() + extra)
        found = [f"{m.marker} {a}" for a, here in state.areas.items() for m in here.markers if m.power == power]
        assert found == [m for m in markers.split("; ") if m]
    assert all(m.established for here in state.areas.values() for m in here.markers)
    assert [a for a, here in state.areas.items() if here.codominion] == ["guiana"]
    assert not any(here.unrest or here.canal for here in state.areas.values())


@pytest.mark.rule("SET-059")
def test_spain_has_six_merchant_fleets() -> None:
    zones = {"north_atlantic", "mediterranean", "indian_ocean", "south_china_sea", "south_atlantic", "north_pacific"}
    assert set(sailing(start().state, "spain")) == zones


@pytest.mark.rule("SET-060")
@pytest.mark.parametrize(
    ("players", "zones"),
    [(4, ["north_china_sea", "south_china_sea"]), (5, ["north_china_sea"]), (7, ["north_china_sea"])],
)
def test_a_minor_japan_has_a_second_merchant_fleet(players: int, zones: list[str]) -> None:
    assert sailing(start(players=players).state, "japan") == zones


@pytest.mark.rule("SET-061")
def test_the_russian_fleets_lie_in_the_baltic_and_the_black_sea() -> None:
    lying = [(u.coast, u.name) for u in start().state.homes["russia"] if u.kind == "naval"]
    assert sorted(lying) == [("baltic", "N10"), ("black_sea", "N1"), ("north_china_sea", "N1")]


@pytest.mark.rule("SET-062")
def test_the_fleet_in_canada_lies_on_the_atlantic() -> None:
    (fleet,) = [u for u in start().state.areas["canada"].units if u.kind == "naval"]
    assert (fleet.power, fleet.name, fleet.coast) == ("britain", "N3", "north_atlantic")


@pytest.mark.rule("SET-063")
def test_all_tracks_start_at_zero() -> None:
    g = start()
    assert {p.treasury for p in g.state.powers.values()} == {0}
    assert {p.victory_points for p in g.state.powers.values()} == {0}
    assert (g.state.tension, g.state.resentment, g.state.turn, g.state.phase) == (0, 0, 1, "random_events")
    assert g.view()["year"] == 1880 and not g.state.events and not g.state.casus_belli


@pytest.mark.rule("SET-065", "SET-064")
@pytest.mark.parametrize(("players", "options"), [(5, {}), (7, {}), (8, {"belgium": "yes"})])
def test_merchant_fleets_of_the_track_come_to_player_powers(players: int, options: dict[str, str]) -> None:
    played = set(start(players=players, options=options).state.powers)
    seen: dict[str, list[int]] = {}
    for turn in range(1, 10):
        g = start({"turn": turn, "phase": "final_record"}, players, options)
        g.step()
        for power, p in g.state.powers.items():
            seen.setdefault(power, []).extend([g.view()["year"]] * p.merchants_due)
        for minor in g.state.minors:
            assert sailing(g.state, minor) == sailing(start(players=players, options=options).state, minor)
    track = {
        "germany": [1884, 1896, 1908],
        "united_states": [1884, 1892, 1900, 1912],
        "italy": [1888, 1904, 1916],
        "japan": [1888, 1900, 1908],
        "britain": [1892, 1916],
        "russia": [1896, 1912],
        "france": [1904],
        "belgium": [1896, 1916],
    }
    assert {power: years for power, years in seen.items() if years} == {
        power: years for power, years in track.items() if power in played
    }


# The map in play


def after_balkan_wars(wars: int, **options: str) -> Bench:
    """A game in which event 1-1 has been rolled in so many turns."""
    g = start({"balkan_wars": max(0, wars - 1), "phase": "random_events"}, options=options)
    if wars:
        g.dice(1, 1, 1)
        g.step()
        assert g.state.events == ("1-1",)
    return g


@pytest.mark.rule("SET-008")
def test_the_first_balkan_war_joins_greece_and_serbia() -> None:
    for wars, options, joined in (
        (1, {"balkan_routes": "yes"}, True),
        (0, {"balkan_routes": "yes"}, False),
        (1, {}, False),
    ):
        g = after_balkan_wars(wars, **options)
        routes = board(g.tables, g.state).routes
        assert ("serbia" in routes["greece"], "greece" in routes["serbia"]) == (joined, joined)
        assert "bulgaria" not in routes["greece"] and "serbia" in routes["anatolia"]


@pytest.mark.rule("SET-009")
def test_second_balkan_war_changes_the_routes() -> None:
    for wars in (2, 3):
        g = after_balkan_wars(wars, balkan_routes="yes")
        routes = board(g.tables, g.state).routes
        assert "bulgaria" in routes["greece"] and "greece" in routes["bulgaria"]
        assert "serbia" not in routes["anatolia"] and "anatolia" not in routes["serbia"]
        assert "serbia" in routes["greece"]  # that of the first stays
    g = after_balkan_wars(2)
    routes = board(g.tables, g.state).routes
    assert "bulgaria" not in routes["greece"] and "serbia" in routes["anatolia"]


@pytest.mark.rule("SET-009")
def test_balkan_wars_count_from_turn_to_turn() -> None:
    g = start(options={"balkan_routes": "yes"})
    for turn, joined in ((1, False), (2, True)):
        while not (g.state.turn == turn and g.state.phase == "random_events"):
            g.step()
        g.dice(1, 1, 1)
        g.step()
        assert ("bulgaria" in board(g.tables, g.state).routes["greece"]) is joined


@pytest.mark.rule("SET-010")
def test_after_the_second_balkan_war_bulgaria_lies_on_the_mediterranean_too() -> None:
    for wars, options, zones in (
        (2, {"balkan_routes": "yes"}, {"black_sea", "mediterranean"}),
        (1, {"balkan_routes": "yes"}, {"black_sea"}),
        (2, {}, {"black_sea"}),
    ):
        g = after_balkan_wars(wars, **options)
        assert set(board(g.tables, g.state).zones_of["bulgaria"]) == zones
        assert ("bulgaria" in board(g.tables, g.state).coast_of["mediterranean"]) == ("mediterranean" in zones)


@pytest.mark.rule("SET-008", "SET-009", "SET-010")
def test_new_routes_are_searched_after_old_ones() -> None:
    """The first of several shortest paths is used: another search order would change old games."""
    games = (after_balkan_wars(0), after_balkan_wars(2, balkan_routes="yes"))
    before, after = (board(g.tables, g.state) for g in games)
    assert after.zones_of["bulgaria"] == ("black_sea", "mediterranean")
    assert after.routes["greece"] == (*before.routes["greece"], "serbia", "bulgaria")
    assert after.routes["bulgaria"] == (*before.routes["bulgaria"], "greece")


@pytest.mark.rule("SET-011", "SET-069")
@pytest.mark.parametrize("power", ["britain", "germany", "austria_hungary", "united_states", "japan"])
def test_no_area_is_closed_to_a_power(power: str) -> None:
    """With links everywhere, each Power may place all markers but States and Dominions in some state of any Area."""
    g = start(options={"counter_limits": "unlimited"})
    everywhere = AreaState(markers=(Marker(power, "protectorate"),))
    linked = replace(
        g.state,
        frames=(replace(g.state.frames[0], phase="movement"),),
        sea_zones=dict.fromkeys(g.state.sea_zones, (power,)),
        areas=dict.fromkeys(g.state.areas, everywhere),
    )
    assert len(linked.areas) == 104
    for area in linked.areas:
        for there, wanted in (
            ((), ("interest", "influence", "protectorate", "possession")),
            ((Marker("france", "protectorate"),), ("interest",)),
        ):
            state = replace(linked, areas={**linked.areas, area: AreaState(markers=there, unrest=not there)})
            for kind in wanted:
                assert placement_problems(g.tables, state, power, area, kind) == [], (area, kind)


@pytest.mark.rule("SET-011")
def test_germany_places_an_interest_wherever_no_possession_stands() -> None:
    g = moving({"germany": 100})
    for area in ("kamerun", "brasil", "egypt", "fiji", "marocco"):
        if not any(m.marker in ("possession", "dominion") for m in g.state.areas[area].markers):
            g.act("germany", f"place interest {area}")
            assert g.fresh(area, "germany") == "interest"
    assert g.refused("germany", "place interest fiji").rules == ("STA-010",)


@pytest.mark.rule("SET-015")
def test_a_fleet_lies_on_one_coast_of_an_area_between_two_seas() -> None:
    g = moving({"britain": 50})
    g.act("britain", "move N10 home > canada")
    (choice,) = g.pending()
    assert choice.kind == "coast" and choice.options == ("north_atlantic", "north_pacific")
    assert choice.default == "north_atlantic" and choice.seat == "britain"
    assert g.refused("britain", f"choose {choice.id} caribbean").code == "bad_answer"
    g.act("britain", f"choose {choice.id} north_pacific")
    assert {(u.name, u.coast) for u in g.state.areas["canada"].units if u.kind == "naval"} == {
        ("N3", "north_atlantic"),
        ("N10", "north_pacific"),
    }
    assert {"power": "britain", "kind": "naval", "strength": 10, "coast": "north_pacific"} in g.view()["areas"][
        "canada"
    ]["units"]
    # named with the order there is nothing to ask, and a coast it has not is refused
    g.act("britain", "move N10 home > canada (north_pacific)")
    assert (
        not g.pending() and [u.coast for u in g.state.areas["canada"].units if u.name == "N10"] == ["north_pacific"] * 2
    )
    refusal = g.refused("britain", "move N10 home > canada (caribbean)")
    assert refusal.code == "no_such_coast" and "SET-015" in refusal.rules
    g.act("britain", "move N3 canada > canada (north_pacific)")
    assert [u.coast for u in g.state.areas["canada"].units if u.name == "N3"] == ["north_pacific"]


@pytest.mark.rule("SET-015")
def test_chosen_coast_applies_to_the_fleet_in_question() -> None:
    g = moving({"britain": 50}, areas={"canada": held("britain", "dominion")})
    g.act("britain", "move N10 home > canada")
    (choice,) = g.pending()
    g.act("britain", f"choose {choice.id} north_pacific")
    assert [(e.unit, e.start, e.coast) for e in g.of(events.CoastChosen)] == [
        ("N10", "north_atlantic", "north_pacific")
    ]
    assert [u.coast for u in g.state.areas["canada"].units] == ["north_pacific"]


@pytest.mark.rule("SET-015")
def test_question_of_a_coast_remains_for_the_equal_fleet() -> None:
    home = {"britain": {"units": [{"power": "britain", "kind": "naval", "strength": 10}] * 2}}
    g = moving({"britain": 50}, areas={"canada": held("britain", "dominion")}, homes=home)
    g.act("britain", "move N10 N10 home > canada")
    assert len(g.pending()) == 2
    g.act("britain", "move N10 canada > home")
    assert len(g.pending()) == 1


@pytest.mark.rule("SET-015")
def test_no_coast_is_asked_for_where_the_seas_meet() -> None:
    g = moving(areas={"dutch_east_indies": held("britain", "possession")})
    for area in ("dutch_east_indies", "federated_malay_states", "hong_kong", "cape_colony", "new_zealand"):
        g.act("britain", f"move N10 home > {area}")
        assert not g.pending()
        assert "" in {u.coast for u in g.state.areas[area].units if u.name == "N10"}
        g.act("britain", f"move N10 {area} > home")
    split = {a for a in g.tables.areas if board(g.tables, g.state).split_coasts(a)}
    assert split == {"canada", "mexico", "panama", "central_america", "colombia"}


@pytest.mark.rule("SET-015")
def test_choice_of_a_coast_does_not_block_the_phase() -> None:
    g = moving(players=4)
    g.act("britain", "move N10 home > canada")
    g.act("britain", "move N10 canada > home")
    assert not g.pending()  # it left again
    g.act("britain", "move N10 home > canada")
    for seat in g.state.players:
        g.act(seat, "ready")
    assert g.state.phase == "colonial_combat" and not g.pending()
    made = [e for e in g.of(events.ChoiceMade) if not e.void]
    assert [(e.answer, e.by_default) for e in made] == [(("north_atlantic",), True)]


@pytest.mark.rule("SET-015")
def test_an_open_coast_takes_its_default_when_the_phase_ends() -> None:
    g = moving()
    g.act("britain", "move N10 home > canada")
    g.step()
    assert g.state.phase == "colonial_combat" and not g.pending()
    assert {u.coast for u in g.state.areas["canada"].units if u.kind == "naval"} == {"north_atlantic"}


@pytest.mark.rule("SET-019")
def test_the_capes_do_not_exist_in_peace() -> None:
    g = moving(sea_zones=fleets("britain", "north_atlantic", "south_atlantic", "indian_ocean"))
    map_ = board(g.tables, g.state)
    assert {"indian_ocean", "south_pacific"} <= set(map_.around("south_atlantic"))
    assert not {"cape_horn", "cape_of_good_hope"} & {p for place in map_.zone_next for p in map_.around(place)}
    g.act("britain", "move A1 home > bengal")
    (moved,) = g.of(events.UnitsMoved)
    assert moved.path == ("home:britain", "north_atlantic", "south_atlantic", "indian_ocean", "bengal")
    over = ("home:britain", "north_atlantic", "south_atlantic", "cape_of_good_hope", "indian_ocean", "bengal")
    assert "SET-019" in g.refused("britain", actions.Move(("A1",), over)).rules
    assert "SET-019" in g.refused("britain", actions.Merchant("south_atlantic", "cape_horn")).rules


@pytest.mark.rule("SET-022")
def test_overland_armies_and_links_go_by_routes_only() -> None:
    aden = {"aden": {"markers": [marker("britain", "possession")], "units": []}}
    g = moving(areas=aden)
    g.act("britain", "move A1 home > aden")
    g = moving(areas=aden, sea_zones=fleets("britain", "north_atlantic", "mediterranean"))
    refusal = g.refused("britain", "move A1 home > aden")
    assert refusal.code == "no_path" and "SET-022" in refusal.rules
    assert "aden" not in linked_areas(g.tables, g.state, "britain")
    # next to each other on the map, but no route between them
    two = {a: {"markers": [marker("united_states", "possession")]} for a in ("panama", "mexico")}
    g = moving(areas=two, sea_zones=fleets("united_states"))
    assert "mexico" in army_paths(g.tables, g.state, "united_states", "home:united_states")
    assert "panama" not in army_paths(g.tables, g.state, "united_states", "home:united_states")
    assert "panama" not in linked_areas(g.tables, g.state, "united_states")
    joined = {**two, "central_america": {"markers": [marker("united_states", "possession")]}}
    g = moving(areas=joined, sea_zones=fleets("united_states"))
    assert "panama" in army_paths(g.tables, g.state, "united_states", "home:united_states")
    assert "panama" in linked_areas(g.tables, g.state, "united_states")


# Home Countries


@pytest.mark.rule("SET-024")
def test_foreign_home_countries_are_closed() -> None:
    g = moving({"germany": 50}, areas={"serbia": {"markers": [marker("germany", "protectorate")]}})
    for text in (
        "move A3 home > france",
        "move N10 home > france",
        "move A10 home > austria_hungary",
        "move A3 home > netherlands",
    ):
        refusal = g.refused("germany", text)
        assert refusal.code == "foreign_home" and "SET-024" in refusal.rules
    # neither do armies pass through one, a Minor Power's no more than another's, nor do links
    refusal = g.refused("germany", "move A10 home > austria_hungary > serbia")
    assert refusal.code == "foreign_home" and "SET-024" in refusal.rules
    assert g.refused("germany", "move A10 home > serbia").code == "no_path"
    assert "serbia" not in linked_areas(g.tables, g.state, "germany")
    assert "SET-024" in g.refused("germany", "move A3 home > north_atlantic > spain").rules
    assert g.refused("germany", actions.Place("interest", "home:france")).code == "unknown_area"
    with pytest.raises(Refusal) as refused:
        start({"homes": {"france": {"units": [army("germany", 3)]}}})
    assert "SET-024" in refused.value.rules


@pytest.mark.rule("SET-025")
def test_units_come_home() -> None:
    g = moving()
    g.act("britain", "move A10 bengal > home")
    g.act("britain", "move N1 bengal > home")
    assert g.units("home:britain").count("A10") == g.units("home:britain").count("N1") == 1
    assert not g.units("bengal")


@pytest.mark.rule("SET-026")
def test_the_home_box_and_the_home_country_are_one_place() -> None:
    g = moving({"russia": 3})
    around = set(board(g.tables, g.state).around("home:russia"))
    assert {"baltic", "black_sea", "north_china_sea", "rumania", "persia", "korea"} <= around
    g.act("russia", "build A1")
    assert [u.name for u in g.state.homes["russia"]].count("A1") == 1
    # what is built there leaves by every border, and whatever the place is called, it is the same
    for name in ("home", "russia", "home:russia", "Russia"):
        g = moving(areas={"persia": {"markers": [marker("russia", "protectorate")], "units": [army("russia", 1)]}})
        g.act("russia", f"move A1 persia > {name}")
        assert [u.name for u in g.state.homes["russia"]].count("A1") == 1
        g.act("russia", f"move A1 {name} > persia")
    assert [p for p in board(g.tables, g.state).zones_of if "russia" in p] == ["home:russia"]
    assert list(g.view()["homes"]) == list(g.tables.powers)


@pytest.mark.rule("SET-027")
def test_home_fleets_are_in_the_boxes_of_the_home_area() -> None:
    g = moving({"united_states": 100, "britain": 30})
    g.act("united_states", "build N1 north_pacific")
    g.act("united_states", "build N10 caribbean")  # one box with the North Atlantic
    boxes = sorted((u.name, u.coast) for u in g.state.homes["united_states"] if u.kind == "naval")
    assert boxes == [("N1", "north_pacific"), ("N10", "north_atlantic"), ("N3", "north_atlantic")]
    assert g.tables.homes["united_states"].boxes == (("north_atlantic", "caribbean"), ("north_pacific",))
    seen = g.view()["homes"]["united_states"]["units"]
    assert {"power": "united_states", "kind": "naval", "strength": 1, "coast": "north_pacific"} in seen
    for text in ("build N1 mediterranean", "move N3 home > home (mediterranean)"):
        refusal = g.refused("united_states", text)
        assert refusal.code == "no_such_box" and "SET-027" in refusal.rules
    assert g.refused("united_states", "move N3 home > home (caribbean)").code == "nowhere"
    assert "SET-027" in g.refused("britain", "build N10 baltic").rules
    with pytest.raises(Refusal) as refused:
        start({"homes": {"united_states": {"units": [naval("united_states", 3, "mediterranean")]}}})
    assert "SET-027" in refused.value.rules
    g = start({"homes": {"united_states": {"units": [naval("united_states", 3, "caribbean")]}}})
    assert g.state.homes["united_states"][0].coast == "north_atlantic"


@pytest.mark.rule("SET-028")
@pytest.mark.parametrize(
    ("area", "first"),
    [("rumania", "rumania"), ("korea", "korea"), ("greece", "black_sea"), ("formosa", "north_china_sea")],
)
def test_an_army_at_home_leaves_by_any_sea_or_route(area: str, first: str) -> None:
    zones = {z: {"merchant_fleets": ["russia"]} for z in ("black_sea", "mediterranean", "north_china_sea", "baltic")}
    g = moving(areas={area: {"markers": [marker("russia", "protectorate")]}}, sea_zones=zones)
    assert all(u.coast == "" for u in g.state.homes["russia"] if u.kind == "army")
    g.act("russia", f"move A10 home > {area}")
    assert g.of(events.UnitsMoved)[0].path[1] == first


@pytest.mark.rule("SET-028")
def test_armies_at_home_stand_in_no_box() -> None:
    places = ("persia", "bulgaria", "port_arthur", "rumania")
    g = moving(
        {"russia": 6},
        areas={a: {"markers": [marker("russia", "protectorate")]} for a in places},
        sea_zones=fleets("russia", "black_sea", "north_china_sea"),
        homes={"russia": {"units": [{**army("russia", 3), "coast": "black_sea"}] * 4}},
    )
    g.act("russia", "build A1 baltic")
    assert {u.coast for u in g.state.homes["russia"]} == {""}
    for place in places:
        g.act("russia", f"move A3 home > {place}")
    assert not [u for u in g.state.homes["russia"] if u.name == "A3"]


# Money and indexes


@pytest.mark.rule("SET-029")
def test_the_treasury_is_what_may_still_be_spent() -> None:
    g = moving({"britain": 37})
    g.act("britain", "place influence egypt")
    assert g.state.powers["britain"].treasury == 27
    (paid,) = g.of(events.TreasuryChanged)
    assert (paid.power, paid.amount, paid.total) == ("britain", -10, 27)
    g.act("britain", "place protectorate nigeria")
    assert g.state.powers["britain"].treasury == 7
    assert g.refused("britain", "place influence persia").code == "no_money"
    g.act("britain", "place interest persia")
    with pytest.raises(Refusal):
        start({"powers": {"britain": {"treasury": -1}}})


@pytest.mark.rule("SET-029", "SET-051")
def test_a_treasury_has_no_upper_limit() -> None:
    g = moving({"britain": 1005, "france": 5})
    assert g.view()["powers"]["britain"]["treasury"] == 1005
    g.act("britain", "place influence egypt")
    assert g.view()["powers"]["britain"]["treasury"] == 995
    assert [(e.power, e.amount, e.total) for e in g.of(events.TreasuryChanged)] == [("britain", -10, 995)]
    g.act("britain", "pay france 995")
    g.act("france", f"choose {g.pending()[0].id} accept")
    assert (g.state.powers["britain"].treasury, g.state.powers["france"].treasury) == (0, 1000)
    g = moving({"britain": 5, "france": 1005})
    g.act("britain", "pay france 5")
    g.act("france", f"choose {g.pending()[0].id} accept")
    assert g.state.powers["france"].treasury == 1010


@pytest.mark.rule("SET-030")
def test_minor_powers_have_no_treasury() -> None:
    g = moving({"france": 50}, players=4)
    for minor in g.state.minors:
        assert minor not in g.state.powers and minor not in g.view()["powers"]
        assert minor in g.state.homes and minor in g.view()["homes"]
        refusal = g.refused("france", actions.Pay(minor, 10))
        assert refusal.code == "no_treasury" and "SET-030" in refusal.rules
    g.act("france", "pay britain 10")
    assert g.pending()
    with pytest.raises(Refusal):
        start({"powers": {"spain": {"treasury": 10}}})


@pytest.mark.rule("SET-031")
def test_interference_in_china_raises_the_resentment_at_once() -> None:
    g = moving({"britain": 100})
    g.act("britain", "place interest shan_tung")
    assert [e.amount for e in g.of(events.ResentmentRaised)] == [2] and g.state.resentment == 2
    g.act("britain", "place interest persia")
    assert not g.of(events.ResentmentRaised) and g.state.resentment == 2
    g.act("britain", "place protectorate formosa")  # a Vassal
    assert g.state.resentment == 5


@pytest.mark.rule("SET-032", "SEQ-004")
def test_tensions_rise_before_the_next_die() -> None:
    g = start({"phase": "random_events"})
    g.dice(2, 1, 4, 3, 6)  # two events: 1-4, 3-6
    g.step()
    kinds = [e for e in g.events if isinstance(e, events.RandomEventRolled | events.TensionRaised)]
    assert [e.event if isinstance(e, events.RandomEventRolled) else (e.amount, e.total) for e in kinds] == [
        "1-4", (4, 4), "3-6", (1, 5),
    ]  # fmt: skip
    assert g.state.tension == 5


@pytest.mark.rule("SET-036")
def test_after_final_record_comes_the_next_turn() -> None:
    g = start({"turn": 3, "phase": "final_record"})
    g.step()
    assert (g.state.turn, g.state.phase) == (4, "random_events")
    assert g.view()["year"] == 1892


@pytest.mark.rule("SET-052")
def test_the_resentment_index_counts_on_above_a_hundred() -> None:
    g = moving({"britain": 100}, indexes={"chinese_resentment": 98})
    g.act("britain", "place interest shan_tung")
    g.act("britain", "place protectorate formosa")
    assert g.state.resentment == g.view()["indexes"]["chinese_resentment"] == 103
    g = start({"phase": "chinese_resentment", "indexes": {"chinese_resentment": 100}})
    g.dice(3, 4, 4)
    g.step()  # Hong Kong adds 3
    (checked,) = [e for e in g.events if isinstance(e, events.RebellionChecked)]
    assert (checked.target, checked.rebellion, g.state.resentment) == (10, False, 103)
    assert start({"indexes": {"chinese_resentment": 250}}).state.resentment == 250


# Records


@pytest.mark.rule("SET-053", "SET-054")
@pytest.mark.parametrize("players", [4, 7])
def test_every_power_with_a_player_keeps_a_record_from_turn_to_turn(players: int) -> None:
    g = start({"phase": "administrative"}, players=players)
    played = {*g.state.players, "austria_hungary"}
    while g.state.turn == 1:
        g.step()
    first = {name: p.past["1"] for name, p in g.state.powers.items()}
    assert set(first) == played
    for seat in g.state.players:
        assert all(isinstance(first[seat][f"{n:02d}"], int) for n in range(1, 27))
    assert first["austria_hungary"]["16"] == 0 and first["austria_hungary"]["10"] is not None
    g.step()
    g.step()
    assert (g.state.turn, g.state.phase) == (2, "minor_powers")
    seen = g.view()["powers"]
    assert set(seen) == played and not set(seen) & set(g.state.minors)
    assert all(row["record"]["22"] is not None for row in seen.values())
    assert {name: p.past["1"] for name, p in g.state.powers.items()} == first


@pytest.mark.rule("SET-053")
def test_powers_with_a_player_have_records_minor_powers_none() -> None:
    g = start(players=5)
    sheets = {name: p["record"] for name, p in g.view()["powers"].items()}
    assert sheets["britain"]["11"] == 425 and sheets["austria_hungary"]["11"] == 0  # figured before the first turn
    assert set(sheets) == {*seats_for(5), "austria_hungary"}
    assert all(g.state.homes[p] for p in (*ALWAYS_MINOR, "russia", "italy"))  # they have their pieces all the same
    g.advance()
    assert {e.power for e in g.all_of(events.RecordWritten)} == set(sheets)


@pytest.mark.rule("SET-066")
def test_the_first_sheets_of_britain_france_and_the_united_states() -> None:
    g = start({"phase": "random_events"})
    assert g.state.phase == "random_events"  # the first turn begins there
    g.dice(1, 1, 2)
    g.step()
    g.step()
    income = {"britain": (425, 330, 58, 37), "france": (110, 80, 21, 9), "united_states": (30, 20, 1, 9)}
    for power, (areas, markers, abroad, net) in income.items():
        record = g.state.powers[power].record
        assert sum(record[line] or 0 for line in ("11", "12", "13", "14")) == areas
        assert sum(record[line] or 0 for line in ("17", "18", "19", "20")) == markers
        assert record["16"] == abroad
        assert record["22"] == net + (record["10"] or 0) == g.state.powers[power].treasury


@pytest.mark.rule("SET-067")
def test_colonial_office_rolls_of_the_first_turn() -> None:
    g = start({"phase": "administrative"})
    g.dice(4, 1, 1, 1)
    g.step()
    assert g.queue == ()
    office = {e.power: (e.die, e.amount) for e in g.all_of(events.OfficeIncome)}
    assert office == {
        "britain": (4, 35),
        "france": (1, 15),
        "germany": (0, 30),
        "united_states": (1, 10),
        "japan": (0, 30),
        "russia": (0, 30),
        "italy": (0, 30),
        "austria_hungary": (1, 5),
    }
    g = start({"phase": "administrative", "events_in_force": ["1-3"]})
    g.dice(4, 1, 1, 1)
    g.step()
    assert g.state.powers["britain"].record["10"] == 18  # Liberal Victory: half of 35, rounded up


@pytest.mark.rule("SET-068")
def test_the_phase_ends_with_the_last_record() -> None:
    g = start({"phase": "administrative"})
    g.advance()
    began = [e.phase for e in g.of(events.PhaseBegan)]
    assert began[:2] == ["minor_powers", "movement"]
    order = [e for e in g.last if isinstance(e, events.RecordWritten | events.PhaseBegan)]
    assert [type(e).__name__ for e in order[:9]] == ["RecordWritten"] * 8 + ["PhaseBegan"]


# Definitions


@pytest.mark.rule("SET-040")
def test_six_pieces_for_chinese_and_ottoman_armies() -> None:
    other = tables().other_armies
    assert (other.count, other.strength) == (6, 5)
    # nobody with a seat or a Treasury owns one
    assert all(u.strength != 5 for here in start().state.areas.values() for u in here.units)
    with pytest.raises(Refusal):
        start({"areas": {"manchuria": {"units": [{"power": "britain", "kind": "army", "strength": 5}]}}})


@pytest.mark.rule("SET-047")
def test_dominions_are_british_and_states_american() -> None:
    g = moving(
        {"france": 200, "britain": 200, "united_states": 200},
        areas={
            "cuba": {"markers": [marker("france", "possession")]},
            "australia": {"markers": [marker("united_states", "possession")]},
        },
    )
    for seat, kind, area in (
        ("france", "state", "cuba"),
        ("france", "dominion", "algiers"),
        ("britain", "state", "guiana"),
        ("united_states", "dominion", "australia"),
    ):
        refusal = g.refused(seat, f"upgrade {kind} {area}")
        assert "SET-047" in refusal.rules, refusal.message
    for power in g.tables.counters:
        assert bool(status.piece_limit(g.tables, power, "dominion")) is (power == "britain")
        assert bool(status.piece_limit(g.tables, power, "state")) is (power == "united_states")
    g.act("britain", "upgrade dominion cape_colony")
    g.act("united_states", "upgrade state alaska")
    for power, kind, area in (("france", "state", "alaska"), ("united_states", "dominion", "canada")):
        with pytest.raises(Refusal) as refused:
            start({"areas": {area: {"markers": [marker(power, kind)]}}})
        assert "SET-047" in refused.value.rules


@pytest.mark.rule("SET-048")
def test_control_is_an_established_protectorate_or_more() -> None:
    for kind, controlled in (
        ("interest", False),
        ("influence", False),
        ("protectorate", True),
        ("possession", True),
        ("dominion", True),
    ):
        for standing in (True, False):
            g = start({"areas": {"australia": {"markers": [marker("britain", kind, standing)]}}})
            assert controls(g.state, "australia", "britain") == (controlled and standing)
    g = start({"areas": {"alaska": {"markers": [marker("united_states", "state")]}}})
    assert controls(g.state, "alaska", "united_states")
    fresh = {"markers": [marker("germany", "protectorate", False)], "units": [army("germany", 10)]}
    g = start({"phase": "colonial_combat", "areas": {"kamerun": fresh}})
    assert not controls(g.state, "kamerun", "germany")
    g.dice(6)
    g.act("germany", "fight kamerun")
    assert controls(g.state, "kamerun", "germany")


@pytest.mark.rule("SET-048")
@pytest.mark.parametrize(
    ("kind", "fixed", "control"),
    [
        ("protectorate", True, True),
        ("possession", True, True),
        ("protectorate", False, False),
        ("influence", True, False),
        ("interest", True, False),
    ],
)
def test_a_fleet_enters_where_its_power_has_control(kind: str, fixed: bool, control: bool) -> None:
    area = {"markers": [marker("germany", kind, fixed)], "units": [army("germany", 3)]}
    g = moving(areas={"kamerun": area})
    if control:
        g.act("germany", "move N10 home > kamerun")  # accepted
    else:
        assert g.refused("germany", "move N10 home > kamerun").code == "no_control"


@pytest.mark.rule("SET-049")
def test_merchant_fleets_are_interchangeable() -> None:
    g = moving()
    assert g.view()["sea_zones"]["black_sea"] == {"merchant_fleets": ["russia"], "units": []}
    assert all(isinstance(p, str) for fleets in g.state.sea_zones.values() for p in fleets)
    g.act("russia", "merchant black_sea > baltic")
    assert g.view()["sea_zones"]["baltic"]["merchant_fleets"] == ["russia"]


@pytest.mark.rule("SET-050")
def test_reminders_are_facts_of_areas_and_markers() -> None:
    g = start(
        {
            "phase": "negotiation",
            "areas": {
                "egypt": {"unrest": True, "markers": [marker("france", "interest", False)]},
                "panama": {"canal": True},
            },
            "casus_belli": [{"area": "egypt", "holder": "france", "against": "britain", "rule": "STA-052"}],
        }
    )
    seen = g.view()
    assert seen["areas"]["egypt"]["unrest"] is True and seen["areas"]["panama"]["unrest"] is False
    assert seen["areas"]["panama"]["canal"] is True and seen["areas"]["egypt"]["canal"] is False
    assert seen["areas"]["egypt"]["markers"] == [{"power": "france", "marker": "interest", "established": False}]
    assert seen["areas"]["algiers"]["markers"][0]["established"] is True
    (cause,) = seen["casus_belli"]
    assert (cause["area"], cause["holder"], cause["against"]) == ("egypt", "france", "britain")


@pytest.mark.rule("SET-070")
def test_war_needs_a_casus_belli() -> None:
    g = start({"phase": "negotiation"})
    for order in ("declare war japan", "declare war spain"):
        refusal = g.refused("russia", order)
        assert refusal.code == "no_cause_of_war"
    assert g.view()["wars"] == [] and g.view()["casus_belli"] == []
    with pytest.raises(Refusal) as refused:
        start({"casus_belli": [{"area": "egypt", "holder": "france", "against": "france"}]})
    assert "SET-070" in refused.value.rules


@pytest.mark.rule("SET-071")
def test_only_great_and_minor_powers_place_markers() -> None:
    g = start({"phase": "minor_powers"})
    g.dice(1, 1, 1)  # the Netherlands are active and look to Papua
    g.step()
    assert next((e.power, e.area) for e in g.of(events.MarkerPlaced)) == ("netherlands", "papua")
    assert {e.power for e in g.of(events.MarkerPlaced)} <= set(g.state.minors)
    assert set(g.tables.powers) == {*seats_for(7), *ALWAYS_MINOR, "austria_hungary"}
    g = moving({"france": 10, "britain": 10})
    for power in ("china", "ottoman_empire"):
        assert g.refused("britain", actions.Place("interest", "egypt", power)).code == "not_your_power"
    g.act("france", "place interest egypt")
    assert g.fresh("egypt", "france") == "interest"


@pytest.mark.rule("SET-072")
def test_an_area_defends_with_its_strength() -> None:
    area = {"markers": [marker("germany", "protectorate", False)], "units": [army("germany", 3)]}
    g = start({"phase": "colonial_combat", "areas": {"kamerun": area}})
    g.dice(6)
    g.act("germany", "fight kamerun")
    (combat,) = g.of(events.ColonialCombat)
    assert (combat.attack, combat.defend) == (3, g.tables.areas["kamerun"].strength) == (3, 1)
    assert g.tables.areas["fiji"].strength == 0
    zero = {"markers": [marker("germany", "protectorate", False)], "units": [army("germany", 1)]}
    g = start({"phase": "colonial_combat", "areas": {"new_hebrides": zero}})
    g.act("germany", "fight new_hebrides")
    assert [e.die for e in g.of(events.ColonialCombat)] == [0] and controls(g.state, "new_hebrides", "germany")
    g = start({"phase": "colonial_combat", "areas": {"kamerun": {"markers": [marker("germany", "influence")]}}})
    g.step()
    assert not g.of(events.ColonialCombat)


@pytest.mark.rule("SET-072")
def test_an_area_never_attacks() -> None:
    assert tables().areas["fiji"].strength == 0
    assert {unit.name: unit.strength for unit in start().state.homes["germany"]} == {
        "A10": 10,
        "A3": 3,
        "A1": 1,
        "N10": 10,
    }
    held = {"markers": [marker("germany", "protectorate")], "units": [army("germany", 1)], "unrest": True}
    g = start({"phase": "colonial_combat", "areas": {"brasil": held}})
    g.act("germany", "decline brasil")
    g.step()
    assert not g.all_of(events.DiceRolled) and not g.all_of(events.UnitsLost)
    assert [u.name for u in g.state.areas["brasil"].units] == ["A1"]
    g = start({"phase": "colonial_combat", "areas": {"fiji": {"units": [army("britain", 1)], "unrest": True}}})
    g.dice(1)
    g.act("britain", "fight fiji")
    assert g.state.areas["fiji"].units and not g.state.areas["fiji"].unrest  # nothing defends it


@pytest.mark.rule("SET-073", "SET-078")
def test_a_link_passes_own_fleets_control_and_the_home_country() -> None:
    def linked(power: str, **patch: Any) -> frozenset[str]:
        g = start(patch)
        return linked_areas(g.tables, g.state, power)

    american = {"markers": [marker("united_states", "possession")]}
    assert "alaska" in linked("united_states", sea_zones=fleets("united_states", "north_pacific"))
    assert "alaska" not in linked("united_states", sea_zones=fleets("united_states", "caribbean"))
    assert "alaska" in linked("united_states", sea_zones=fleets("united_states"), areas={"canada": american})
    for other in (
        marker("britain", "possession"),
        marker("united_states", "influence"),
        marker("united_states", "possession", False),
    ):
        # a foreign, a lesser or a new marker carries no link; the Area itself needs none to be linked
        seen = linked("united_states", sea_zones=fleets("united_states"), areas={"canada": {"markers": [other]}})
        assert "alaska" not in seen and "canada" in seen
    # another's fleets do not help: Austria-Hungary has none
    assert "tunis" not in linked("austria_hungary") and "serbia" in linked("austria_hungary")
    # and nobody's Home Country but the own
    assert "serbia" not in linked("germany") and "persia" not in linked("austria_hungary")
    # from the sea inland only through Control
    assert "togoland" in linked("germany") and "sokoto" not in linked("germany")
    assert "sokoto" in linked("germany", areas={"togoland": {"markers": [marker("germany", "protectorate")]}})


@pytest.mark.rule("SET-074")
def test_marker_and_income_need_a_link() -> None:
    without = fleets("united_states", "caribbean")
    g = moving({"united_states": 20}, sea_zones=without)
    for order in ("place interest hawaii", "upgrade state alaska"):
        refusal = g.refused("united_states", order)
        assert refusal.code == "no_link" and "SET-074" in refusal.rules
    moving({"united_states": 20}).act("united_states", "place interest hawaii")
    for zones, income in ((without, 0), (None, 30)):
        g = start({"phase": "administrative", **({"sea_zones": zones} if zones else {})})
        g.step()
        assert g.state.powers["united_states"].record["11"] == income


@pytest.mark.rule("SET-076")
def test_a_new_marker_is_established_at_marker_adjustment() -> None:
    g = moving({"germany": 40, "france": 40}, areas={"tunis": {"markers": [marker("france", "protectorate")]}})
    g.act("germany", "place interest egypt")
    assert (g.kind("egypt", "germany"), g.fresh("egypt", "germany")) == ("", "interest")
    g.act("france", "upgrade possession tunis")  # at once
    assert g.kind("tunis", "france") == "possession"
    while g.state.phase != "marker_adjustment":
        g.step()
    assert g.kind("egypt", "germany") == ""
    g.step()
    assert g.kind("egypt", "germany") == "interest"
    g = start({"phase": "minor_powers"})
    g.dice(1, 1, 1)
    g.step()
    assert g.kind("papua", "netherlands")  # a Minor Power's at once


@pytest.mark.rule("SET-078")
def test_without_its_fleet_a_zone_carries_neither_armies_nor_links() -> None:
    g = moving()
    assert "bengal" in army_paths(g.tables, g.state, "britain", "home:britain")
    assert "bengal" in linked_areas(g.tables, g.state, "britain")
    g.act("britain", "merchant indian_ocean > caribbean")
    assert "bengal" not in army_paths(g.tables, g.state, "britain", "home:britain")
    assert "bengal" not in linked_areas(g.tables, g.state, "britain")
    assert "MOV-012" in g.refused("britain", "move A1 home > bengal").rules


@pytest.mark.rule("SET-078")
def test_the_refusal_names_the_zone_without_a_fleet() -> None:
    hong_kong = "move A3 home > hong_kong"
    moving().act("britain", hong_kong)
    moving().act("britain", "place interest formosa")
    g = moving(sea_zones={z: {"merchant_fleets": []} for z in ("south_china_sea", "north_china_sea")})
    assert g.refused("britain", hong_kong).detail["missing_fleets"] == ["south_china_sea"]
    assert g.refused("britain", "place interest formosa").code == "no_link"


@pytest.mark.rule("SET-079", "SET-049")
def test_merchant_fleets_cost_nothing() -> None:
    sheets = []
    for zones in ((), ("north_atlantic", "south_atlantic", "mediterranean", "indian_ocean", "caribbean")):
        g = start({"phase": "administrative", "sea_zones": fleets("germany", *zones)})
        g.step()
        record = g.state.powers["germany"].record
        sheets.append({line: record[line] for line in ("16", "17", "18", "19", "20", "21", "22")})
        assert {zone for zone, there in g.state.sea_zones.items() if "germany" in there} == set(zones)
    assert sheets[0] == sheets[1] and sheets[0]["21"] == 0
    # owner and Sea Zone are all there is to one
    fields = set(msgspec.structs.asdict(events.MerchantMoved("x", "y", "z"))) - {"rules", "only", "others"}
    assert fields == {"power", "start", "to"}
    seen = start().view()["sea_zones"]["oceania"]
    assert seen["merchant_fleets"] == list(start().state.sea_zones["oceania"])


@pytest.mark.rule("SET-081")
def test_no_unit_is_at_sea_in_peace() -> None:
    with pytest.raises(Refusal) as refused:
        start({"sea_zones": {"baltic": {"units": [naval("russia", 1)]}}})
    assert "SET-081" in refused.value.rules
    g = moving()
    for text in ("move N10 home > baltic", "move A10 home > black_sea"):
        refusal = g.refused("russia", text)
        assert refusal.code == "at_sea" and "SET-081" in refusal.rules
    assert len(g.state.sea_zones) == 12


@pytest.mark.rule("SET-083")
def test_treasury_pays_for_all_expenses() -> None:
    g = moving(
        {"united_states": 200, "france": 50},
        areas={
            "panama": {"markers": [marker("united_states", "possession")], "units": [army("united_states", 1)]},
            "cuba": {"markers": [marker("united_states", "influence")]},
            "egypt": {"markers": [marker("france", "influence")]},
        },
    )

    def spent(seat: str, text: str) -> int:
        before = g.state.powers[seat].treasury
        g.act(seat, text)
        return before - g.state.powers[seat].treasury

    assert spent("united_states", "build A3") == 10
    assert spent("united_states", "place interest hawaii") == 5
    assert spent("united_states", "place influence mexico") == 10
    assert spent("united_states", "canal panama") == 30
    assert spent("united_states", "merchant north_pacific > south_pacific") == 0
    assert spent("united_states", "move A3 home > panama") == 0
    assert spent("united_states", "upgrade possession cuba") == 30
    assert spent("united_states", "withdraw interest hawaii") == 0
    assert spent("france", "downgrade interest egypt") == 0
    assert spent("france", "ready") == 0
    g.act("united_states", "pay france 20")
    assert spent("france", f"choose {g.pending()[0].id} accept") == -20
    assert g.state.powers["united_states"].treasury == 200 - 10 - 5 - 10 - 30 - 30 - 20
    # maintenance of units and markers comes first, Victory Points are bought with what is left
    g = start({"phase": "administrative"})
    g.step()
    record = g.state.powers["britain"].record
    assert (record["16"], record["18"]) == (58, 15 * 20)
    g = start({"phase": "victory_point_record", "powers": {"britain": {"treasury": 40}}})
    g.step()
    assert g.state.powers["britain"].victory_points > 0


@pytest.mark.rule("SET-084")
def test_unrest_opens_an_area_until_marker_adjustment() -> None:
    assert moving().refused("germany", "place protectorate brasil").code == "not_open"
    g = start({"phase": "random_events"})
    g.dice(1, 5, 2, 1, 5)
    g.step()
    assert [a for a, there in g.state.areas.items() if there.unrest] == ["brasil"] and g.queue == ()
    g = moving(areas={"brasil": {"unrest": True}})
    g.act("germany", "place protectorate brasil")
    for power in ("germany", "france"):
        g.act(power, "move A3 home > brasil")  # open to intervention by anyone
    while g.state.phase in ("movement", "colonial_combat", "marker_adjustment"):
        g.step()
    assert g.state.phase == "negotiation"
    assert not any(there.unrest for there in g.state.areas.values())
