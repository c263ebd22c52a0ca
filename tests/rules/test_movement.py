"""Movement (MOV): Merchant Fleets, Naval Units and Army Units in the Movement/Status Change Phase."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.events import events
from paxtui.games.pax.expansion.movement import read_unit
from paxtui.games.pax.state.model import units_at
from paxtui.games.pax.transaction import Transaction
from tests.rules.harness import Bench, army, held, marker, moving, naval, start, tables


def fleets(**zones: str) -> dict[str, Any]:
    """Sea Zones with the Merchant Fleets of the Powers named, blanks between."""
    return {zone: {"merchant_fleets": powers.split()} for zone, powers in zones.items()}


# All pieces


@pytest.mark.rule("MOV-001")
def test_piece_moves_any_number_of_times() -> None:
    g = moving()
    for there, back in (("gold_coast", "home"), ("hong_kong", "bengal"), ("australia", "home")):
        g.act("britain", f"move A3 home > {there}")
        assert "A3" in g.units(there, "britain")
        g.act("britain", f"move A3 {there} > {back}")
        if back != "home":
            g.act("britain", f"move A3 {back} > home")
        assert "A3" in g.units("home:britain", "britain")
    for zone in ("caribbean", "north_pacific", "mediterranean"):
        here = next(z for z, ps in g.state.sea_zones.items() if "italy" in ps and z != "indian_ocean")
        if here != zone:
            g.act("italy", f"merchant {here} > {zone}")
    g.act("britain", "move N10 home > hong_kong")
    g.act("britain", "move N10 hong_kong > new_zealand")  # accepted


# Merchant Fleets


@pytest.mark.rule("MOV-002")
def test_a_merchant_fleet_moves_to_any_sea_zone_at_any_distance() -> None:
    g = moving()
    assert "north_china_sea" not in g.tables.sea_zones["mediterranean"].adjacent
    g.act("france", "merchant mediterranean > north_china_sea")
    assert "france" in g.state.sea_zones["north_china_sea"] and "france" not in g.state.sea_zones["mediterranean"]
    (moved,) = g.of(events.MerchantMoved)
    assert moved.rules == ("MOV-002", "MOV-003")
    refusal = g.refused("france", "merchant baltic > caribbean")
    assert refusal.code == "no_fleet" and "MOV-002" in refusal.rules


@pytest.mark.rule("MOV-003")
def test_one_merchant_fleet_of_a_nation_in_a_sea_zone() -> None:
    g = moving()
    refusal = g.refused("france", "merchant mediterranean > indian_ocean")
    assert refusal.code == "two_fleets" and "MOV-003" in refusal.rules
    assert len(g.state.sea_zones["indian_ocean"]) == 7
    g.act("united_states", "merchant caribbean > indian_ocean")
    assert len(g.state.sea_zones["indian_ocean"]) == 8


@pytest.mark.rule("MOV-003", "MOV-004")
def test_a_new_merchant_fleet_needs_a_sea_zone_without_one_of_its_nation() -> None:
    g = moving(turn=2, powers={"united_states": {"merchants_due": 1}})
    assert g.refused("united_states", "merchant new > caribbean").code == "two_fleets"
    g.act("united_states", "merchant new > south_pacific")
    assert "united_states" in g.state.sea_zones["south_pacific"]
    assert g.state.powers["united_states"].merchants_due == 0
    assert g.refused("united_states", "merchant new > oceania").code == "none_due"


@pytest.mark.rule("MOV-004")
def test_a_merchant_fleet_is_never_bought() -> None:
    refusal = start({"phase": "movement", "powers": {"france": {"treasury": 90}}}).refused(
        "france", actions.Build(("merchant",))
    )
    assert refusal.code == "never_bought" and {"SEQ-012", "MOV-004"} <= set(refusal.rules)


@pytest.mark.rule("SET-041")
def test_units_are_sorted_whatever_the_order_of_a_custom_table() -> None:
    own = replace(tables(), units=dict(reversed(tables().units.items())))
    with pytest.raises(Refusal, match="Known ones: A1 N1, A3 N3, A10 N10"):
        read_unit(Transaction(own, start({"phase": "movement"}).state, Dice("units")), "A2")


@pytest.mark.rule("MOV-004", "SET-064")
def test_merchant_fleet_is_available_from_its_turn() -> None:
    g = moving()
    refusal = g.refused("united_states", "merchant new > south_pacific")
    assert refusal.code == "none_due" and "MOV-004" in refusal.rules
    assert [row.merchant_fleets.count("united_states") for row in g.tables.turns[:4]] == [0, 1, 0, 1]
    to_movement(g, turn=2)
    assert g.state.powers["united_states"].merchants_due == 1
    to_movement(g, turn=3)  # not taken: it waits
    assert g.state.powers["united_states"].merchants_due == 1
    g.act("united_states", "merchant new > south_pacific")
    assert "united_states" in g.state.sea_zones["south_pacific"]
    assert g.refused("united_states", "merchant new > oceania").code == "none_due"


def to_movement(g: Bench, turn: int) -> None:
    """Play by defaults to the Movement/Status Change Phase of a turn, whatever the dice of the tensions."""
    for _ in range(40):
        if (g.state.turn, g.state.phase) == (turn, "movement"):
            return
        g.step()
    raise AssertionError((g.state.turn, g.state.phase))


@pytest.mark.rule("MOV-005")
@pytest.mark.parametrize("cape", ["cape_horn", "cape_of_good_hope"])
def test_no_merchant_fleet_in_a_cape_zone(cape: str) -> None:
    g = moving(powers={"britain": {"merchants_due": 1}}, turn=4, sea_zones=fleets(oceania="germany italy"))
    for begin in ("south_atlantic", "new"):
        refusal = g.refused("britain", actions.Merchant(begin, cape))
        assert refusal.code == "cape" and "MOV-005" in refusal.rules


# Naval Units


@pytest.mark.rule("MOV-006")
def test_naval_unit_goes_to_any_own_coast_without_a_path() -> None:
    none = {zone: {"merchant_fleets": []} for zone in start().state.sea_zones}
    g = moving(sea_zones=none)
    g.act("britain", "move N10 home > hong_kong")
    assert "N10" in g.units("hong_kong", "britain")
    (moved,) = g.of(events.UnitsMoved)
    assert moved.path == ("home:britain", "hong_kong") and "MOV-006" in moved.rules
    g.act("britain", "move N10 hong_kong > fiji")
    assert g.units("fiji", "britain") == ["A1", "N10"]
    refusal = g.refused("britain", "move N10 home > kamerun")  # a coast, but not one's own
    assert refusal.code == "no_control" and "MOV-006" in refusal.rules


@pytest.mark.rule("MOV-007")
def test_a_naval_unit_goes_to_any_box_of_its_home_area() -> None:
    g = moving(homes={"united_states": {"units": [naval("united_states", 3, "north_pacific")]}})
    g.act("united_states", "move N3 home > home (north_atlantic)")
    (unit,) = g.state.homes["united_states"]
    assert unit.coast == "north_atlantic"
    assert "MOV-007" in g.of(events.UnitsMoved)[0].rules
    g.act("united_states", "move N3 home > home (north_pacific)")
    assert g.state.homes["united_states"][0].coast == "north_pacific"
    g.act("britain", "move N3 canada > home")
    assert "N3" in g.units("home:britain", "britain")


@pytest.mark.rule("MOV-007")
def test_moving_home_takes_the_equal_unit_in_another_box() -> None:
    g = moving(homes={"russia": {"units": [naval("russia", 1, box) for box in ("baltic", "black_sea")]}})
    g.act("russia", "move N1 home > home")  # without a coast it is the first box of the Home Country
    assert [u.coast for u in g.state.homes["russia"]] == ["baltic", "baltic"]
    g = moving()
    g.act("russia", "move N1 home > home (black_sea)")
    assert sorted(u.coast for u in g.state.homes["russia"] if u.name == "N1") == ["black_sea", "black_sea"]
    assert g.refused("russia", "move N1 home > home (black_sea)").code == "nowhere"


@pytest.mark.rule("MOV-008")
@pytest.mark.parametrize(
    ("area", "held_as", "code"),
    [
        ("kamerun", marker("germany", "protectorate", established=False), "no_control"),
        ("kamerun", marker("germany", "influence"), "no_control"),
        ("kamerun", marker("germany", "interest"), "no_control"),
        ("serbia", marker("germany", "protectorate"), "no_coast"),
        ("kamerun", marker("germany", "protectorate"), ""),
    ],
)
def test_places_closed_to_naval_units(area: str, held_as: dict[str, Any], code: str) -> None:
    g = moving(areas={area: {"markers": [held_as]}})
    if code:
        refusal = g.refused("germany", f"move N10 home > {area}")
        assert refusal.code == code and "MOV-008" in refusal.rules
    else:
        g.act("germany", f"move N10 home > {area}")
        assert g.units(area, "germany") == ["N10"]


@pytest.mark.rule("MOV-008", "SET-081")
def test_a_naval_unit_does_not_stop_at_sea() -> None:
    g = moving()
    refusal = g.refused("germany", "move N10 home > north_atlantic")
    assert refusal.code == "at_sea" and {"MOV-008", "SET-081"} <= set(refusal.rules)


# Army Units: start and path


@pytest.mark.rule("MOV-009", "MOV-014")
def test_an_army_starts_at_home_or_under_established_control() -> None:
    areas = {
        "gabon": {"markers": [marker("france", "protectorate", established=False)], "units": [army("france", 1)]},
        "senegambia": held("france", "possession", army("france", 1)),
    }
    g = moving(areas=areas)
    refusal = g.refused("france", "move A1 gabon > home")
    assert refusal.code == "cannot_start" and "MOV-009" in refusal.rules
    g.act("france", "move A1 senegambia > home")
    g.act("france", "move A3 home > senegambia")  # accepted


@pytest.mark.rule("MOV-009")
def test_an_army_left_behind_where_control_was_given_up_may_leave() -> None:
    areas = {"gabon": {"markers": [marker("germany", "possession")], "units": [army("france", 1), army("germany", 1)]}}
    g = moving(areas=areas)
    g.act("france", "move A1 gabon > home")
    assert g.units("gabon", "france") == []
    assert g.refused("france", "move A1 home > gabon").code == "closed"  # to leave it, not to come back


@pytest.mark.rule("MOV-009", "STA-034")
def test_army_may_not_leave_control_given_up_in_this_phase() -> None:
    """Only Control given up after the last Phase lets an army leave; a fleet goes from wherever it is."""
    g = start({"phase": "movement"})
    g.act("france", "transfer algiers to italy")
    g.act("italy", f"choose {g.pending()[0].id} accept")
    refusal = g.refused("france", "move A10 algiers > home")
    assert refusal.code in ("halted", "cannot_start") and "MOV-009" in refusal.rules
    g.act("france", "move N3 algiers > home")
    assert [u.name for u in g.state.homes["france"]].count("N3") == 1


@pytest.mark.rule("MOV-010")
@pytest.mark.parametrize(
    ("without", "legal"),
    [
        ((), True),
        (("mediterranean",), True),
        (("south_atlantic",), True),
        (("mediterranean", "south_atlantic"), False),
        (("north_atlantic",), False),
        (("indian_ocean",), False),
    ],
)
def test_the_path_needs_every_step(without: tuple[str, ...], legal: bool) -> None:
    now = start().state.sea_zones
    g = moving(sea_zones={z: {"merchant_fleets": [p for p in now[z] if p != "britain"]} for z in without})
    if legal:
        g.act("britain", "move A1 home > bengal")
        (moved,) = g.of(events.UnitsMoved)
        middle = moved.path[2]
        assert moved.path == ("home:britain", "north_atlantic", middle, "indian_ocean", "bengal")
        assert middle in {"mediterranean", "south_atlantic"} - set(without)
    else:
        refusal = g.refused("britain", "move A1 home > bengal")
        assert refusal.code == "no_path" and "MOV-010" in refusal.rules
        assert len(refusal.detail["missing_fleets"]) == 1 and refusal.detail["missing_fleets"][0] in without
        assert g.tables.sea_zones[refusal.detail["missing_fleets"][0]].name in refusal.message


@pytest.mark.rule("MOV-010")
def test_named_path_is_checked_step_by_step() -> None:
    g = moving()
    refusal = g.refused("britain", "move A1 home > north_atlantic > indian_ocean > bengal")
    assert refusal.code == "no_path" and "MOV-010" in refusal.rules and refusal.detail["step"] == 2
    g.act("britain", "move A1 home > north_atlantic > south_atlantic > indian_ocean > bengal")
    assert g.of(events.UnitsMoved)[0].path[2] == "south_atlantic"


@pytest.mark.rule("SET-022")
def test_overland_movement_follows_routes() -> None:
    areas = {a: held("britain", "protectorate", army("britain", 1)) for a in ("aden", "berbera", "eritrea")}
    g = moving(areas=areas, sea_zones=fleets(indian_ocean="france"))
    for path in ("berbera > aden", "eritrea > aden"):
        refusal = g.refused("britain", f"move A1 {path}")
        assert refusal.code == "no_path" and "SET-022" in refusal.rules
        assert refusal.detail["missing_fleets"] == ["indian_ocean"]
    refusal = g.refused("britain", "move A1 eritrea > berbera > aden")
    assert refusal.code == "no_path" and refusal.detail["step"] == 2  # near, but no Overland Route
    g.act("britain", "move A1 eritrea > berbera")
    g.act("britain", "merchant oceania > indian_ocean")
    g.act("britain", "move A1 berbera > aden")  # accepted


@pytest.mark.rule("MOV-015")
def test_a_refusal_names_the_area_in_the_way() -> None:
    areas = {"turcomania": held("britain"), "afghanistan": {"markers": []}}
    refusal = moving(areas=areas).refused("britain", "move A1 home > turcomania")
    assert refusal.code == "no_path" and refusal.detail["closed_areas"]
    for area in refusal.detail["closed_areas"]:
        assert start().tables.areas[area].name in refusal.message


@pytest.mark.rule("MOV-011")
def test_armies_pass_but_do_not_stop_at_sea() -> None:
    g = moving()
    for path in ("home > indian_ocean", "home > north_atlantic > mediterranean > indian_ocean"):
        refusal = g.refused("britain", f"move A1 {path}")
        assert refusal.code == "at_sea" and "MOV-011" in refusal.rules
    g.act("britain", "move A1 home > north_atlantic > mediterranean > indian_ocean > bengal")  # accepted


@pytest.mark.rule("MOV-012")
@pytest.mark.parametrize(("seat", "power"), [("germany", "austria_hungary"), ("italy", "italy")])
def test_another_powers_merchant_fleet_does_not_help(seat: str, power: str) -> None:
    g = moving(
        areas={"tunis": held(power, "protectorate", army(power, 1))},
        sea_zones=fleets(mediterranean="germany france britain"),
    )
    prefix = "" if seat == power else f"{power}: "
    refusal = g.refused(seat, f"{prefix}move A1 tunis > home")
    assert refusal.code == "no_path" and "MOV-012" in refusal.rules
    assert refusal.detail["missing_fleets"] == ["mediterranean"]
    refusal = g.refused(seat, f"{prefix}move A1 tunis > mediterranean > home")
    assert refusal.code == "no_fleet" and "MOV-012" in refusal.rules
    if power == "italy":
        g.act("italy", "merchant indian_ocean > mediterranean")
        g.act("italy", "move A1 tunis > home")  # accepted


# Army Units: where they may go


def egypt(established: bool = True) -> Bench:
    """Britain in Egypt, which is in Unrest, and in quiet Soudan behind it."""
    return moving(
        areas={
            "egypt": {
                "markers": [marker("britain", "protectorate", established)],
                "units": [army("britain", 3)],
                "unrest": True,
            },
            "soudan": held("britain", "protectorate", army("britain", 1)),
        }
    )


@pytest.mark.rule("MOV-013")
def test_armies_stop_in_an_own_area_in_unrest() -> None:
    g = egypt()
    path = "home > north_atlantic > mediterranean > egypt"
    refusal = g.refused("britain", f"move A1 {path} > soudan")
    assert refusal.code == "must_stop" and "MOV-013" in refusal.rules
    g.act("britain", f"move A1 {path}")
    (moved,) = g.of(events.UnitsMoved)
    assert moved.halted and "MOV-013" in moved.rules
    refusal = g.refused("britain", "move A1 egypt > soudan")
    assert refusal.code == "halted" and "MOV-013" in refusal.rules
    g.act("britain", "move A3 egypt > soudan")  # it stood there from the start of the Phase


@pytest.mark.rule("MOV-013")
def test_armies_enter_an_area_in_unrest_under_an_own_unestablished_control_marker() -> None:
    g = egypt(established=False)
    g.act("britain", "move A1 home > egypt")
    assert g.of(events.UnitsMoved)[0].halted and "MOV-013" in g.of(events.UnitsMoved)[0].rules
    assert g.refused("britain", "move A1 egypt > soudan").code in ("halted", "cannot_start")


@pytest.mark.rule("MOV-013")
def test_stopped_armies_move_again_in_the_next_phase() -> None:
    g = egypt()
    g.act("britain", "move A1 home > egypt")
    g.step()
    assert g.state.phase == "colonial_combat"
    assert not any(u.halted for u in units_at(g.state, "egypt"))


@pytest.mark.rule("MOV-014")
def test_armies_stop_under_an_own_unestablished_control_marker() -> None:
    g = moving(areas={"senegambia": held("germany")})
    g.act("germany", "place protectorate kamerun")
    path = "home > north_atlantic > south_atlantic > kamerun"
    refusal = g.refused("germany", f"move A3 {path} > south_atlantic > senegambia")
    assert refusal.code == "must_stop" and "MOV-014" in refusal.rules
    g.act("germany", "move A3 home > kamerun")
    (moved,) = g.of(events.UnitsMoved)
    assert moved.halted and "MOV-014" in moved.rules
    refusal = g.refused("germany", "move A3 kamerun > home")
    assert "MOV-014" in refusal.rules or "MOV-009" in refusal.rules


@pytest.mark.rule("MOV-014")
def test_stopped_army_stays_stopped_after_its_marker_goes() -> None:
    area = {"markers": [marker("germany", "possession")], "units": [{**army("germany", 1), "halted": True}]}
    g = moving(areas={"kamerun": area})
    refusal = g.refused("germany", "move A1 kamerun > home")
    assert refusal.code == "halted" and "MOV-014" in refusal.rules


@pytest.mark.rule("MOV-015")
def test_the_marker_comes_before_the_army() -> None:
    g = moving()
    refusal = g.refused("germany", "move A3 home > kamerun")
    assert refusal.code == "closed" and "MOV-015" in refusal.rules
    g.act("germany", "place protectorate kamerun")
    g.act("germany", "move A3 home > kamerun")
    assert g.units("kamerun", "germany") == ["A3"]


@pytest.mark.rule("MOV-015")
@pytest.mark.parametrize(
    ("markers", "unrest", "legal"),
    [
        ([], True, True),
        ([], False, False),
        ([marker("france", "interest")], True, True),
        ([marker("italy", "interest")], False, False),
        ([marker("italy", "influence"), marker("france", "influence")], True, True),
        ([marker("italy", "influence")], False, False),
        ([marker("france", "influence")], True, False),
        ([marker("italy", "interest"), marker("france", "influence")], True, False),
        ([marker("france", "protectorate")], True, False),
        ([marker("france", "protectorate"), marker("italy", "interest")], False, False),
    ],
)
def test_areas_open_to_armies_without_control(markers: list[dict[str, Any]], unrest: bool, legal: bool) -> None:
    g = moving(
        areas={"siam": {"markers": markers, "unrest": unrest}},
        sea_zones={"south_china_sea": {"merchant_fleets": ["italy", "france"]}},
    )
    if legal:
        g.act("italy", "move A3 home > siam")
        (moved,) = g.of(events.UnitsMoved)
        assert moved.halted and "MOV-015" in moved.rules
        assert g.refused("italy", "move A3 siam > home").code == "halted"
    else:
        refusal = g.refused("italy", "move A3 home > siam")
        assert refusal.code == "closed" and "MOV-015" in refusal.rules


@pytest.mark.rule("MOV-015", "CCB-030")
def test_armies_may_not_enter_a_revolt_of_another_power() -> None:
    g = moving(areas={"burma": held("britain", "protectorate", army("britain", 1), unrest=True)})
    for path in ("home > burma", "home > mediterranean > indian_ocean > burma"):
        refusal = g.refused("france", f"move A3 {path}")
        assert refusal.code == "closed" and {"MOV-015", "CCB-030"} <= set(refusal.rules)
    g.act("britain", "move A3 home > burma")  # accepted


@pytest.mark.rule("MOV-017")
def test_armies_pass_and_stop_in_own_quiet_areas() -> None:
    g = moving()
    g.act("britain", "move A10 bengal > united_provinces > punjab")
    (moved,) = g.of(events.UnitsMoved)
    assert not moved.halted and "MOV-017" in moved.rules
    assert g.units("punjab", "britain") == ["A10", "A10"]
    g.act("britain", "move A10 punjab > united_provinces")  # stopped there, goes on
    g.act("britain", "move A10 united_provinces > bengal")
    refusal = g.refused("france", "move A3 home > bengal")
    assert refusal.code == "closed"


@pytest.mark.rule("MOV-018")
def test_armies_pass_and_stop_in_the_own_home_country() -> None:
    areas = {
        "rumania": held("russia", "possession", army("russia", 1), army("russia", 3)),
        "turcomania": held("russia", "possession", army("russia", 1)),
    }
    g = moving(areas=areas, sea_zones=fleets(black_sea=""))
    g.act("russia", "move A3 rumania > home:russia > turcomania")
    assert g.units("turcomania", "russia") == ["A1", "A3"]
    g.act("russia", "move A3 turcomania > home")
    (moved,) = g.of(events.UnitsMoved)
    assert not moved.halted and "MOV-018" in moved.rules
    g.act("russia", "move A3 home > rumania")  # accepted


@pytest.mark.rule("MOV-019")
def test_an_influence_admits_armies_in_unrest_only_and_never_a_fleet() -> None:
    area: dict[str, Any] = {"markers": [marker("germany", "influence")]}
    g = moving(areas={"persia": area})
    for unit in ("A10", "N10"):
        refusal = g.refused("germany", f"move {unit} home > persia")
        assert "MOV-019" in refusal.rules
    g = moving(areas={"persia": {**area, "unrest": True}})
    refusal = g.refused("germany", "move N10 home > persia")
    assert refusal.code == "no_control" and "MOV-019" in refusal.rules
    g.act("germany", "move A10 home > persia")
    assert g.units("persia", "germany") == ["A10"]
    g.step()  # Movement
    g.act("germany", "decline persia")
    while g.state.phase in ("colonial_combat", "marker_adjustment"):
        g.step()
    assert g.units("persia", "germany") == []  # none may stand there after Marker Adjustment
    assert g.units("home:germany", "germany").count("A10") == 2


@pytest.mark.rule("MOV-019")
def test_victory_without_a_control_marker_gives_no_right_to_stay() -> None:
    g = moving(areas={"persia": {"markers": [marker("germany", "influence")], "unrest": True}})
    g.act("germany", "move A10 home > persia")
    g.step()
    g.dice(6, 6, 6)
    g.act("germany", "fight persia")
    assert not g.state.areas["persia"].unrest
    while g.state.phase in ("colonial_combat", "marker_adjustment"):
        g.step()
    assert [m.marker for m in g.state.areas["persia"].markers] == ["influence"]
    assert g.units("persia", "germany") == []
