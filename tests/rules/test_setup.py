"""Set-up and pieces (SET): who plays, what stands where in 1880, and what places, pieces and markers are."""

from __future__ import annotations

import csv
from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.pax import actions as ac
from paxtui.pax import counters, links, placement
from paxtui.pax import events as ev
from paxtui.pax.board import board
from paxtui.pax.evolve import units_at
from paxtui.pax.model import LEVEL, Marker
from paxtui.pax.setup import new_game
from paxtui.pax.status import controls, established, unestablished
from paxtui.table.resources import data_path
from tests.rules.harness import Bench, army, marker, naval, start, tables

GREAT = ("britain", "france", "germany", "united_states", "japan", "russia", "italy")
MINOR = ("netherlands", "belgium", "spain", "portugal")


def moving(players: int = 7, money: int = 100, **patch: Any) -> Bench:
    """A Movement/Status Change Phase with money for everybody, without counter limits."""
    purses = {p: {"treasury": money} for p in start(players=players).state.powers}
    powers = patch.pop("powers", {})
    for power, more in powers.items():
        purses[power] = {**purses[power], **more}
    options = {"counter_limits": "unlimited", **patch.pop("options", {})}
    return start({"phase": "movement", "powers": purses, **patch}, players, options)


def names(g: Bench, place: str, power: str) -> list[str]:
    """Units of a Power at a place."""
    return sorted(u.name for u in units_at(g.state, place) if u.power == power)


def rows(name: str) -> list[dict[str, str]]:
    """A table of the shipped data, read by nothing but csv."""
    lines = [line for line in data_path(name).read_text("utf-8").splitlines() if not line.startswith("#")]
    return list(csv.DictReader(lines))


# --- who plays ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SET-001")
def test_four_to_seven_players_and_an_eighth_with_belgium() -> None:
    eight = (*GREAT, "belgium")
    for n in (4, 5, 6, 7):
        assert new_game(tables(), GREAT[:n], {}).players == GREAT[:n]
    for powers, options in ((GREAT[:3], {}), (eight, {}), (GREAT[:3], {"belgium": "yes"}), ((), {})):
        with pytest.raises(Refusal) as caught:
            new_game(tables(), powers, options)
        assert "SET-001" in caught.value.rules
    assert new_game(tables(), eight, {"belgium": "yes"}).players == eight
    for wrong in ((*GREAT[:3], "spain"), (*GREAT[:3], "britain"), (*GREAT[:3], "austria_hungary")):
        with pytest.raises(Refusal) as caught:
            new_game(tables(), wrong, {})
        assert "SET-001" in caught.value.rules


@pytest.mark.rule("SET-055")
def test_which_powers_play_with_how_many_players() -> None:
    base = {"britain", "france", "germany", "united_states"}
    for n, added in ((4, set()), (5, {"japan"}), (6, {"japan", "russia"}), (7, {"japan", "russia", "italy"})):
        assert set(start(players=n).state.players) == base | added
        with pytest.raises(Refusal) as caught:  # another of the seven instead
            new_game(tables(), [p for p in (*GREAT, "belgium")[: n + 1] if p != "france"], {})
        assert caught.value.rules


@pytest.mark.rule("SET-056")
@pytest.mark.parametrize("players", [4, 5, 6, 7])
def test_a_great_power_without_a_player_is_a_minor_power(players: int) -> None:
    g = start(players=players)
    assert set(g.state.minors) == {*MINOR, *GREAT[players:]}
    assert set(g.state.powers) == {*GREAT[:players], "austria_hungary"}
    assert set(g.view()["powers"]) == {*GREAT[:players], "austria_hungary"}


@pytest.mark.rule("SET-071")
def test_great_and_minor_powers_place_markers_others_do_not() -> None:
    g = moving()
    assert set(g.tables.powers) == {*GREAT, *MINOR, "austria_hungary"}
    g.act("britain", "place interest kamerun")
    for nobody in ("ottoman_empire", "china"):
        assert g.refused("britain", ac.Place("interest", "egypt", power=nobody)).code == "not_your_power"
    g = start({"phase": "minor_powers"})
    g.dice(1, 1, 1)  # the Netherlands are active and look to Papua
    g.step()
    assert next((e.power, e.area) for e in g.of(ev.MarkerPlaced)) == ("netherlands", "papua")


@pytest.mark.rule("SET-070")
def test_no_war_without_a_cause() -> None:
    g = moving()
    for order in ("declare war france", "war france", "attack algiers"):
        with pytest.raises(Refusal):
            g.act("britain", order)


@pytest.mark.rule("SET-077")
def test_the_great_war_ends_the_game_instantly() -> None:
    g = moving(indexes={"european_tensions": 97})
    g.act("italy", "build N10")
    assert g.state.result is not None and g.state.result.reason == "great_war"
    assert g.refused("france", "build A1").code == "game_over"
    g = moving(indexes={"european_tensions": 96})
    g.act("italy", "build N10")
    assert g.state.result is None


# --- the deployment of 1880 -----------------------------------------------------------------------------------------


@pytest.mark.rule("SET-058")
@pytest.mark.parametrize("players", [4, 7])
def test_all_twelve_powers_stand_as_the_tables_say(players: int) -> None:
    state = start(players=players).state
    units: Counter[tuple[str, str, str, int]] = Counter()
    fleets = set()
    for row in rows("initial_units.csv"):
        if row["only_as_minor"] == "yes" and players == 7:
            continue
        if row["unit"] == "merchant_fleet":
            fleets.add((row["power"], row["place"]))
        else:
            units[row["power"], row["place"], row["unit"], int(row["strength"])] += int(row["count"])
    found: Counter[tuple[str, str, str, int]] = Counter()
    for place in (*state.areas, *(f"home:{p}" for p in state.homes)):
        found.update((u.power, place, u.kind, u.strength) for u in units_at(state, place))
    assert found == units
    assert {(p, zone) for zone, ps in state.sea_zones.items() for p in ps} == fleets
    markers = {(r["power"], r["area"], r["marker"]) for r in rows("initial_markers.csv")}
    assert {(m.power, a, m.marker) for a, here in state.areas.items() for m in here.markers} == markers
    assert all(m.established for here in state.areas.values() for m in here.markers)
    assert {p for p, _, _, _ in units} == set(tables().powers)


@pytest.mark.rule("SET-059")
def test_spain_has_six_merchant_fleets() -> None:
    zones = {zone for zone, powers in start().state.sea_zones.items() if "spain" in powers}
    assert zones == {
        "north_atlantic", "mediterranean", "indian_ocean", "south_china_sea", "south_atlantic", "north_pacific",
    }  # fmt: skip


@pytest.mark.rule("SET-060")
@pytest.mark.parametrize(
    ("players", "zones"), [(4, {"north_china_sea", "south_china_sea"}), (5, {"north_china_sea"})]
)
def test_a_minor_japan_has_a_second_merchant_fleet(players: int, zones: set[str]) -> None:
    state = start(players=players).state
    assert {zone for zone, powers in state.sea_zones.items() if "japan" in powers} == zones


@pytest.mark.rule("SET-061")
def test_where_the_russian_fleet_lies() -> None:
    fleet = sorted((u.coast, u.name) for u in start().state.homes["russia"] if u.kind == "naval")
    assert fleet == [("baltic", "N10"), ("black_sea", "N1"), ("north_china_sea", "N1")]


@pytest.mark.rule("SET-062")
def test_the_fleet_in_canada_lies_on_the_atlantic() -> None:
    assert [(u.name, u.coast) for u in start().state.areas["canada"].units if u.kind == "naval"] == [
        ("N3", "north_atlantic")
    ]


@pytest.mark.rule("SET-063")
def test_everything_begins_at_zero() -> None:
    g = start()
    assert all(p.treasury == 0 and p.victory_points == 0 for p in g.state.powers.values())
    assert (g.state.turn, g.state.phase, g.state.tension, g.state.resentment) == (1, "random_events", 0, 0)
    assert g.view()["year"] == 1880


@pytest.mark.rule("SET-065")
def test_minor_powers_get_no_new_merchant_fleets() -> None:
    g = start(players=5)
    come: Counter[str] = Counter()
    while g.state.result is None and g.state.turn < 10:
        g.step()
        for e in g.of(ev.TurnBegan):
            come.update({p: n for p, n in e.fleets.items() if n})
        g.state = replace(g.state, tension=0)  # all ten turns
    track = Counter(p for row in g.tables.turns for p in row.merchant_fleets)
    assert {"russia", "italy", "belgium", "japan"} <= set(track)
    assert set(come) == {"britain", "france", "germany", "united_states", "japan"}
    assert all(come[p] == track[p] for p in come)
    with_belgium = start(players=8, options={"belgium": "yes"})
    with_belgium.state = replace(with_belgium.state, turn=4)
    while with_belgium.state.turn == 4:
        with_belgium.step()
    assert with_belgium.state.powers["belgium"].merchants_due == 1


@pytest.mark.rule("SET-053")
def test_powers_with_a_player_have_records_minor_powers_none() -> None:
    g = start(players=5)
    sheets = {name: p["record"] for name, p in g.view()["powers"].items()}
    assert sheets["britain"]["11"] == 425 and sheets["austria_hungary"]["11"] == 0  # figured before the first turn
    assert set(sheets) == {*GREAT[:5], "austria_hungary"}
    assert all(g.state.homes[p] for p in (*MINOR, "russia", "italy"))  # they have their pieces all the same
    g.advance()
    assert {e.power for e in g.all_of(ev.RecordWritten)} == set(sheets)


# --- money, indexes, turns ------------------------------------------------------------------------------------------


@pytest.mark.rule("SET-029", "SET-051")
@pytest.mark.parametrize(("before", "after"), [(37, 27), (1005, 995), (10, 0)])
def test_a_treasury_says_what_is_left_to_spend(before: int, after: int) -> None:
    g = moving(money=before)
    g.act("britain", "place influence kamerun")
    assert g.view()["powers"]["britain"]["treasury"] == after
    assert [(e.power, e.amount, e.total) for e in g.of(ev.TreasuryChanged)] == [("britain", -10, after)]
    if not after:
        assert g.refused("britain", "build A1").code == "no_money"


@pytest.mark.rule("SET-051")
def test_a_treasury_has_no_upper_end() -> None:
    g = moving(powers={"france": {"treasury": 995}})
    g.act("britain", "pay france 100")
    g.act("france", f"choose {g.pending()[0].id} accept")
    assert g.state.powers["france"].treasury == 1095


@pytest.mark.rule("SET-030")
def test_minor_powers_have_a_home_but_no_treasury() -> None:
    g = moving()
    for minor in MINOR:
        assert minor in g.state.homes and minor not in g.state.powers
        assert f"home:{minor}" not in g.state.areas and minor in g.view()["homes"]
    refusal = g.refused("britain", "pay spain 5")
    assert refusal.rules
    money = {e.power for e in g.all_of(ev.TreasuryChanged)}
    g.step()
    assert not money & set(MINOR)


@pytest.mark.rule("SET-083")
def test_what_costs_money_and_what_does_not() -> None:
    areas = {
        "kamerun": {"markers": [marker("britain", "influence")]},
        "panama": {"markers": [marker("britain", "influence")]},
    }
    g = moving(areas=areas)
    spent = {
        "place interest gabon": 5,
        "upgrade possession kamerun": 30,
        "build A1 N1": 6,
        "canal panama": 30,
        "merchant oceania > caribbean": 0,
        "move A3 home > gold_coast": 0,
        "downgrade interest panama": 0,
        "withdraw interest gabon": 0,
        "ready": 0,
    }
    for order, pounds in spent.items():
        before = g.state.powers["britain"].treasury
        g.act("britain", order)
        assert before - g.state.powers["britain"].treasury == pounds, order
    g.act("france", "pay italy 20")
    g.act("italy", f"choose {g.pending()[0].id} accept")
    assert g.state.powers["france"].treasury == 80 and g.state.powers["italy"].treasury == 120


@pytest.mark.rule("SET-031")
def test_interference_in_china_raises_resentment_at_once() -> None:
    g = moving()
    g.act("britain", "place interest shan_tung")
    (rise,) = g.of(ev.ResentmentRaised)
    assert rise.amount > 0 and g.state.resentment == rise.total == rise.amount
    g.act("britain", "place interest persia")
    assert not g.of(ev.ResentmentRaised)


@pytest.mark.rule("SET-032")
def test_tensions_are_adjusted_before_the_next_die() -> None:
    g = start()
    g.dice(2, 1, 4, 3, 6)  # two events: 1-4, 3-6
    g.advance()
    kinds = [e for e in g.last if isinstance(e, ev.RandomEventRolled | ev.TensionRaised)]
    assert [getattr(e, "event", None) or e.total for e in kinds[:4]] == ["1-4", 4, "3-6", 5]


@pytest.mark.rule("SET-052")
def test_resentment_counts_on_above_100() -> None:
    g = start({"phase": "chinese_resentment", "indexes": {"chinese_resentment": 98}})
    g.step()
    assert g.state.resentment == 101  # Hong Kong: three more
    assert g.view()["indexes"]["chinese_resentment"] == 101
    (check,) = g.of(ev.RebellionChecked)
    assert check.target == 10


# --- the map --------------------------------------------------------------------------------------------------------


def after_balkan_wars(n: int, option: str = "yes") -> Bench:
    """A game in which War in the Balkans was rolled in the first n turns."""
    g = start(options={"balkan_routes": option})
    for turn in range(1, n + 1):
        while not (g.state.turn == turn and g.state.phase == "random_events"):
            g.step()
        g.dice(1, 1, 1)
        g.step()
    return g


def joined(g: Bench, a: str, b: str) -> bool:
    """Whether an Overland Route joins two Areas, both ways."""
    routes = board(g.tables, g.state).routes
    assert (b in routes[a]) is (a in routes[b])
    return b in routes[a]


@pytest.mark.rule("SET-008")
def test_the_first_balkan_war_joins_greece_and_serbia() -> None:
    assert not joined(after_balkan_wars(0), "greece", "serbia")
    assert joined(after_balkan_wars(1), "greece", "serbia")
    assert not joined(after_balkan_wars(1, "no"), "greece", "serbia")
    assert joined(after_balkan_wars(2), "greece", "serbia")


@pytest.mark.rule("SET-009")
def test_the_second_balkan_war_joins_bulgaria_and_greece_and_parts_anatolia_and_serbia() -> None:
    for n, option, changed in ((1, "yes", False), (2, "yes", True), (2, "no", False), (3, "yes", True)):
        g = after_balkan_wars(n, option)
        assert joined(g, "bulgaria", "greece") is changed
        assert joined(g, "anatolia", "serbia") is not changed


@pytest.mark.rule("SET-010")
def test_after_the_second_balkan_war_bulgaria_borders_the_mediterranean() -> None:
    for n, option, zones in (
        (1, "yes", {"black_sea"}),
        (2, "yes", {"black_sea", "mediterranean"}),
        (2, "no", {"black_sea"}),
    ):
        g = after_balkan_wars(n, option)
        map_ = board(g.tables, g.state)
        assert set(map_.zones_of["bulgaria"]) == zones
        assert ("bulgaria" in map_.coast_of["mediterranean"]) is ("mediterranean" in zones)


@pytest.mark.rule("SET-011", "SET-069")
@pytest.mark.parametrize("power", ["germany", "japan", "austria_hungary"])
def test_every_area_is_open_to_every_power(power: str) -> None:
    areas = {a: {"markers": [marker(power, "protectorate")], "units": []} for a in tables().areas}
    areas["guiana"]["codominion"] = []
    zones = {z: {"merchant_fleets": [power]} for z in tables().sea_zones}
    g = moving(areas=areas, sea_zones=zones)
    for area, here in g.state.areas.items():
        for kind in ("interest", "influence", "protectorate", "possession"):
            rivals = (Marker("france", "interest"),) if power != "france" else ()
            state = replace(g.state, areas={**g.state.areas, area: replace(here, markers=rivals, unrest=True)})
            assert placement.problems(g.tables, state, power, area, kind) == [], (area, kind)


@pytest.mark.rule("SET-019")
def test_the_capes_are_ignored_in_peace() -> None:
    map_ = board(tables(), start().state)
    assert "indian_ocean" in map_.zone_next["south_atlantic"] and "south_pacific" in map_.zone_next["south_atlantic"]
    assert not set(tables().capes) & {p for ps in map_.zone_next.values() for p in ps}
    g = moving(sea_zones={"mediterranean": {"merchant_fleets": []}})
    g.act("britain", "move A1 home > bengal")
    assert g.of(ev.UnitsMoved)[0].path == (
        "home:britain", "north_atlantic", "south_atlantic", "indian_ocean", "bengal",
    )  # fmt: skip
    path = ("home:britain", "north_atlantic", "south_atlantic", "cape_of_good_hope", "indian_ocean", "bengal")
    refusal = g.refused("britain", ac.Move(("A1",), path))
    assert "SET-019" in refusal.rules


@pytest.mark.rule("SET-024")
def test_nothing_enters_the_home_country_of_another() -> None:
    g = moving(sea_zones={z: {"merchant_fleets": ["germany"]} for z in ("north_atlantic", "mediterranean")})
    for end in ("home:france", "home:austria_hungary", "home:netherlands"):
        for unit in ("A10", "N10"):
            refusal = g.refused("germany", ac.Move((unit,), ("home:germany", end)))
            assert refusal.code == "foreign_home" and "SET-024" in refusal.rules
        assert g.refused("germany", ac.Place("interest", end)).code == "unknown_area"
    path = ("home:germany", "north_atlantic", "home:france")
    assert "SET-024" in g.refused("germany", ac.Move(("A10",), path)).rules
    through = ("home:germany", "home:austria_hungary", "serbia")
    assert "SET-024" in g.refused("germany", ac.Move(("A10",), through)).rules


@pytest.mark.rule("SET-024")
def test_no_way_leads_through_the_home_country_of_another() -> None:
    serbia = {"markers": [marker("germany", "protectorate")]}
    refusal = moving(areas={"serbia": serbia}).refused("germany", "move A10 home > serbia")
    assert refusal.code == "no_path"  # Austria-Hungary lies between
    assert "serbia" not in links.linked_areas(tables(), moving(areas={"serbia": serbia}).state, "germany")


@pytest.mark.rule("SET-025")
def test_the_own_home_country_takes_back_army_and_fleet() -> None:
    g = moving()
    g.act("britain", "move A10 bengal > home")
    g.act("britain", "move N1 bengal > home")
    assert {"A10", "N1"} <= set(names(g, "home:britain", "britain")) and not names(g, "bengal", "britain")


@pytest.mark.rule("SET-026")
def test_home_area_and_home_country_are_one_place() -> None:
    g = moving()
    for word in ("home", "britain", "home:britain", "Great Britain"):
        g.act("britain", f"move A3 {word} > gold_coast")
        g.act("britain", f"move A3 gold_coast > {word}")
        assert "A3" in names(g, "home:britain", "britain")
    places = {p for p in board(g.tables, g.state).zones_of if "britain" in p}
    assert places == {"home:britain"}


@pytest.mark.rule("SET-027")
def test_a_fleet_at_home_lies_in_a_box_of_a_sea_that_borders_it() -> None:
    g = moving()
    assert [u.coast for u in g.state.homes["united_states"] if u.kind == "naval"] == ["north_atlantic"]
    g.act("united_states", "build N1 north_pacific")
    g.act("united_states", "build N10 caribbean")  # one box with the North Atlantic
    assert sorted((u.name, u.coast) for u in g.state.homes["united_states"] if u.kind == "naval") == [
        ("N1", "north_pacific"),
        ("N10", "north_atlantic"),
        ("N3", "north_atlantic"),
    ]
    for order in ("build N1 mediterranean", "move N3 home > home (mediterranean)"):
        refusal = g.refused("united_states", order)
        assert refusal.code == "no_such_box" and "SET-027" in refusal.rules
    assert g.tables.homes["united_states"].boxes == (("north_atlantic", "caribbean"), ("north_pacific",))
    wrong = {"homes": {"united_states": {"units": [naval("united_states", 3, "mediterranean")]}}}
    assert "SET-027" in start().refused("arbiter", ac.SetPosition(wrong)).rules


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
    assert g.of(ev.UnitsMoved)[0].path[1] == first


@pytest.mark.rule("SET-015")
def test_a_fleet_between_two_oceans_lies_on_one_coast() -> None:
    g = moving()
    g.act("britain", "move N10 home > canada")
    fleet = [u for u in g.state.areas["canada"].units if u.name == "N10"]
    assert [u.coast for u in fleet] == ["north_atlantic"]  # the nearer one, until its owner says otherwise
    (choice,) = g.pending()
    assert choice.kind == "coast" and set(choice.options) == {"north_atlantic", "north_pacific"}
    assert choice.default == "north_atlantic"
    g.act("britain", f"choose {choice.id} north_pacific")
    assert [u.coast for u in g.state.areas["canada"].units if u.name == "N10"] == ["north_pacific"]
    assert g.view()["areas"]["canada"]["units"][-1]["coast"] == "north_pacific" and not g.pending()
    g.act("britain", "move N10 canada > canada (north_atlantic)")  # changed at will
    assert [u.coast for u in g.state.areas["canada"].units if u.name == "N10"] == ["north_atlantic"]


@pytest.mark.rule("SET-015")
def test_the_coast_may_be_named_at_once_and_matters_only_between_seas_apart() -> None:
    g = moving()
    g.act("britain", "move N10 home > canada (north_pacific)")
    assert not g.pending() and g.of(ev.UnitsMoved)[0].coast == "north_pacific"
    refusal = g.refused("britain", "move N10 home > canada (baltic)")
    assert refusal.code == "no_such_coast" and "SET-015" in refusal.rules
    for area in ("cape_colony", "australia", "new_zealand"):  # their seas meet in peace
        g.act("britain", f"move N10 home > {area}")
        assert not g.pending() and g.of(ev.UnitsMoved)[0].coast == ""
        g.act("britain", f"move N10 {area} > home")
    split = {a for a in g.tables.areas if board(g.tables, g.state).split_coasts(a)}
    assert split == {"canada", "mexico", "panama", "central_america", "colombia"}


@pytest.mark.rule("SET-015")
def test_the_choice_of_a_coast_holds_up_nobody() -> None:
    g = moving(players=4)
    g.act("britain", "move N10 home > canada")
    g.act("britain", "move N10 canada > home")
    assert not g.pending()  # it left again
    g.act("britain", "move N10 home > canada")
    for seat in g.state.players:
        g.act(seat, "ready")
    assert g.state.phase == "colonial_combat" and not g.pending()
    made = [e for e in g.of(ev.ChoiceMade) if not e.void]
    assert [(e.answer, e.by_default) for e in made] == [(("north_atlantic",), True)]


@pytest.mark.rule("SET-073")
def test_a_link_runs_by_own_fleets_and_own_control() -> None:
    def linked(**patch: Any) -> frozenset[str]:
        g = start(patch)
        return links.linked_areas(g.tables, g.state, "united_states")

    none = {"north_pacific": {"merchant_fleets": ["spain"]}}  # somebody else's
    canada = {"canada": {"markers": [marker("united_states", "possession")]}}
    assert "alaska" in linked()
    assert "alaska" not in linked(sea_zones=none)
    assert "alaska" in linked(sea_zones=none, areas=canada)
    for kind, fixed in (("influence", True), ("protectorate", False)):
        weak = {"canada": {"markers": [marker("united_states", kind, fixed)]}}
        assert "alaska" not in linked(sea_zones=none, areas=weak)
    assert "canada" in linked(sea_zones=none)  # the Area itself need not be Controlled


@pytest.mark.rule("SET-074")
def test_without_a_link_neither_placing_nor_income() -> None:
    none = {"north_pacific": {"merchant_fleets": []}}
    refusal = moving(sea_zones=none).refused("united_states", "upgrade state alaska")
    assert refusal.code == "no_link" and "SET-074" in refusal.rules
    moving().act("united_states", "upgrade state alaska")
    for zones, income in ((none, 0), ({}, 30)):
        g = start({"phase": "administrative", "sea_zones": zones})
        g.step()
        assert g.view()["powers"]["united_states"]["record"]["11"] == income


@pytest.mark.rule("SET-078")
def test_merchant_fleets_carry_armies_and_links() -> None:
    hong_kong = "move A3 home > hong_kong"
    moving().act("britain", hong_kong)
    moving().act("britain", "place interest formosa")
    g = moving(sea_zones={z: {"merchant_fleets": []} for z in ("south_china_sea", "north_china_sea")})
    assert g.refused("britain", hong_kong).detail["missing_fleets"] == ["south_china_sea"]
    assert g.refused("britain", "place interest formosa").code == "no_link"


@pytest.mark.rule("SET-079")
def test_merchant_fleets_cost_no_maintenance() -> None:
    def maintenance(zones: dict[str, Any]) -> Any:
        g = start({"phase": "administrative", "sea_zones": zones}, options={"counter_limits": "unlimited"})
        g.dice(1, 1, 1, 1)
        g.step()
        sheet = g.view()["powers"]["britain"]["record"]
        return sheet["16"], sheet["21"]

    extra = {z: {"merchant_fleets": ["britain"]} for z in ("caribbean", "baltic", "black_sea")}
    assert maintenance({}) == maintenance(extra) == (58, 388)


# --- pieces and markers ---------------------------------------------------------------------------------------------


@pytest.mark.rule("SET-047")
def test_dominions_are_british_and_states_american() -> None:
    held = {"markers": [marker("france", "possession")], "units": [army("france", 1)]}
    g = moving(areas={"alaska": held, "australia": held})
    for order in ("upgrade state alaska", "upgrade dominion australia"):
        assert "SET-047" in g.refused("france", order).rules
    assert g.refused("britain", "upgrade state canada").rules
    for power in g.tables.counters:
        assert bool(counters.limit(g.tables, power, "dominion")) is (power == "britain")
        assert bool(counters.limit(g.tables, power, "state")) is (power == "united_states")
    g = moving()
    g.act("britain", "upgrade dominion australia")
    g.act("united_states", "upgrade state alaska")


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
def test_control_is_an_established_control_marker(kind: str, fixed: bool, control: bool) -> None:
    area = {"markers": [marker("germany", kind, fixed)], "units": [army("germany", 3)]}
    g = moving(areas={"kamerun": area})
    assert controls(g.state, "kamerun", "germany") is control
    if control:
        g.act("germany", "move N10 home > kamerun")
    else:
        assert g.refused("germany", "move N10 home > kamerun").code == "no_control"


@pytest.mark.rule("SET-048")
def test_victory_gives_control() -> None:
    area = {"markers": [marker("germany", "protectorate", False)], "units": [army("germany", 10)]}
    g = start({"phase": "colonial_combat", "areas": {"kamerun": area}})
    assert not controls(g.state, "kamerun", "germany")
    g.dice(6)
    g.act("germany", "fight kamerun")
    assert controls(g.state, "kamerun", "germany")


@pytest.mark.rule("SET-049")
def test_merchant_fleets_are_all_alike() -> None:
    g = moving()
    assert g.view()["sea_zones"]["black_sea"] == {"merchant_fleets": ["russia"], "units": []}
    assert all(isinstance(p, str) for fleets in g.state.sea_zones.values() for p in fleets)
    g.act("russia", "merchant black_sea > baltic")
    assert g.view()["sea_zones"]["baltic"]["merchant_fleets"] == ["russia"]


@pytest.mark.rule("SET-050")
def test_areas_show_unrest_canal_causes_and_what_is_established() -> None:
    g = moving(areas={"panama": {"markers": [marker("britain", "influence")]}, "siam": {"unrest": True}})
    g.act("britain", "place interest kamerun")
    g.act("britain", "canal panama")
    seen = g.view()["areas"]
    assert seen["siam"]["unrest"] and not seen["panama"]["unrest"]
    assert seen["panama"]["canal"] and not seen["siam"]["canal"]
    assert [m["established"] for m in seen["kamerun"]["markers"]] == [False]
    assert [m["established"] for m in seen["panama"]["markers"]] == [True]
    cause = {"area": "tunis", "holder": "italy", "against": "france", "rule": "STA-052"}
    g = start({"phase": "negotiation", "casus_belli": [cause]})
    assert [(c["area"], c["holder"], c["against"]) for c in g.view()["casus_belli"]] == [("tunis", "italy", "france")]


@pytest.mark.rule("SET-076")
def test_when_a_marker_is_established() -> None:
    g = moving(areas={"cuba": {"markers": [marker("united_states", "protectorate")], "units": []}})
    g.act("britain", "place interest kamerun")
    g.act("united_states", "upgrade possession cuba")
    fresh = unestablished(g.state, "kamerun", "britain")
    assert fresh is not None and established(g.state, "kamerun", "britain") is None
    raised = established(g.state, "cuba", "united_states")
    assert raised is not None and raised.marker == "possession"
    while g.state.phase in ("movement", "colonial_combat", "marker_adjustment"):
        assert established(g.state, "kamerun", "britain") is None
        g.step()
    assert established(g.state, "kamerun", "britain") is not None
    g = start({"phase": "minor_powers"})
    g.dice(1, 1, 1)
    g.step()
    assert established(g.state, "papua", "netherlands") is not None


@pytest.mark.rule("SET-072")
def test_an_areas_strength_defends_and_never_attacks() -> None:
    area = {"markers": [marker("germany", "protectorate", False)], "units": [army("germany", 3)]}
    g = start({"phase": "colonial_combat", "areas": {"kamerun": area}})
    g.dice(6)
    g.act("germany", "fight kamerun")
    (combat,) = g.of(ev.ColonialCombat)
    assert (combat.attack, combat.defend) == (3, g.tables.areas["kamerun"].strength) == (3, 1)
    assert g.tables.areas["fiji"].strength == 0
    zero = {"markers": [marker("germany", "protectorate", False)], "units": [army("germany", 1)]}
    g = start({"phase": "colonial_combat", "areas": {"new_hebrides": zero}})
    g.act("germany", "fight new_hebrides")
    assert [e.die for e in g.of(ev.ColonialCombat)] == [0] and controls(g.state, "new_hebrides", "germany")
    g = start({"phase": "colonial_combat", "areas": {"kamerun": {"markers": [marker("germany", "influence")]}}})
    g.step()
    assert not g.of(ev.ColonialCombat)


@pytest.mark.rule("SET-084")
def test_unrest_comes_by_events_and_goes_in_marker_adjustment() -> None:
    g = start()
    g.dice(1, 4, 4, 3)  # one event: Unrest, Table B: Egypt
    g.advance()
    assert g.state.phase == "movement"
    assert [a for a, here in g.state.areas.items() if here.unrest] == ["egypt"]
    for power in ("france", "italy"):
        g.act(power, "move A3 home > egypt")  # open to intervention
    while g.state.phase in ("movement", "colonial_combat"):
        g.step()
    g.step()
    assert g.state.phase == "negotiation"
    assert not any(here.unrest for here in g.state.areas.values())
    assert LEVEL[""] == 0 and not names(g, "egypt", "france")
