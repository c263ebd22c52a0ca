"""Maneuver in War (WMV): one step per Unit, coal for fleets, transport of armies, and obstacles."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.games.pax.actions import actions
from paxtui.games.pax.events import events
from paxtui.games.pax.state.pieces import home_place
from tests.rules import wars
from tests.rules.harness import UNLIMITED, Bench, army, at_home, held, here, marker, naval
from tests.rules.wars import Sides, all_pass, at_sea, the_war, zone

US_SPAIN: Sides = [["united_states"], ["spain"]]
BRITAIN_FRANCE: Sides = [["britain"], ["france"]]


def at_war(sides: Sides, phase: str = "maneuver", **patch: Any) -> Bench:
    """A War with unlimited pieces."""
    return wars.at_war(sides, phase, options=UNLIMITED, **patch)


def no_markers(*areas: str) -> dict[str, Any]:
    """Areas of a patch with nothing in them."""
    return {area: here() for area in areas}


def code(g: Bench, seat: str, order: str, rule: str) -> str:
    """The code of a refusal that names a rule."""
    refusal = g.refused(seat, order)
    assert rule in refusal.rules, refusal
    return refusal.code


# Turns and steps


@pytest.mark.rule("WMV-004")
def test_only_the_phasing_alliance_moves() -> None:
    g = at_war(BRITAIN_FRANCE)
    assert code(g, "france", "move N3 algiers > mediterranean", "WMV-004") == "not_your_turn"
    g.act("britain", "move N10 home > north_atlantic")
    assert at_sea(g, "north_atlantic") == ["N10"]
    g.act("britain", "pass")
    assert code(g, "britain", "move N10 home > north_atlantic", "WMV-004") == "other_war_phase"


@pytest.mark.rule("WMV-005", "WMV-006")
def test_unit_moves_one_step_per_phase() -> None:
    g = at_war(BRITAIN_FRANCE, war={"turn_of": 2, "order": [2, 1]})
    assert code(g, "france", "move N3 algiers > mediterranean > tunis", "WMV-006") == "one_step"
    assert code(g, "france", "move N3 algiers > egypt", "WMV-006") == "not_adjacent"
    g.act("france", "move N3 algiers > mediterranean")
    assert code(g, "france", "move N3 mediterranean > algiers", "WMV-006") == "has_moved"


@pytest.mark.rule("WMV-031")
def test_refused_order_for_an_allied_unit_shows_the_notation() -> None:
    g = at_war([["britain", "spain"], ["france"]], areas={"cuba": held("spain", "possession", army("spain"))})
    refusal = g.refused("britain", "move A1 cuba > caribbean")
    assert refusal.code == "no_unit" and "'spain: move" in refusal.message
    assert g.refused("britain", "move A10 cuba > caribbean").message == "There is no A10 of yours in Cuba."


@pytest.mark.rule("WMV-007")
def test_merchant_fleets_stay_where_they_are() -> None:
    g = at_war(BRITAIN_FRANCE)
    assert g.refused("britain", "merchant mediterranean > black_sea").code == "wrong_phase"


# Fleets


@pytest.mark.rule("WMV-008")
def test_fleets_go_where_they_have_coal() -> None:
    fleet = {"north_atlantic": zone(units=(naval("germany", 10), naval("britain", 10)))}
    g = at_war([["germany"], ["britain"]], sea_zones=fleet)
    assert code(g, "germany", "move N10 north_atlantic > south_atlantic", "WMV-008") == "no_coaling"
    g = at_war([["britain"], ["germany"]], sea_zones=fleet)
    g.act("britain", "move N10 north_atlantic > south_atlantic")
    assert at_sea(g, "south_atlantic") == ["N10"]


@pytest.mark.rule("WMV-008")
def test_a_fleet_leaves_a_port_only_for_a_zone_with_coal() -> None:
    areas = {"hong_kong": held("britain", "possession", naval("germany", 3))}
    g = at_war([["germany"], ["britain"]], areas=areas)
    assert code(g, "germany", "move N3 hong_kong > south_china_sea", "WMV-008") == "no_coaling"


@pytest.mark.rule("WMV-009")
def test_fleets_enter_areas_under_control_of_a_belligerent() -> None:
    g = at_war(US_SPAIN, sea_zones={"caribbean": zone(units=(naval("united_states", 3), naval("united_states", 1)))})
    g.act("united_states", "move N3 caribbean > cuba")
    assert g.units("cuba", "united_states") == ["N3"]
    assert code(g, "united_states", "move N1 caribbean > venezuela", "WMV-009") == "no_belligerent"
    areas = {"venezuela": here(marker("united_states", "influence"))}
    g = at_war(US_SPAIN, areas=areas, sea_zones={"caribbean": zone(units=(naval("united_states", 1),))})
    assert code(g, "united_states", "move N1 caribbean > venezuela", "WMV-009") == "no_belligerent"


@pytest.mark.rule("WMV-009", "WMV-024")
def test_a_volunteered_area_gives_coal_and_stays_closed() -> None:
    g = at_war([["germany"], ["italy"]], sea_zones={"north_atlantic": zone(units=(naval("germany", 3),))})
    assert code(g, "germany", "move N3 north_atlantic > mediterranean", "WMV-008") == "no_coaling"
    g.act("france", "volunteer algiers to germany")
    g.act("germany", "move N3 north_atlantic > mediterranean")
    g = at_war([["germany"], ["italy"]], sea_zones={"mediterranean": zone(units=(naval("germany", 3),))})
    g.act("france", "volunteer algiers to germany")
    assert code(g, "germany", "move N3 mediterranean > algiers", "WMV-009") == "no_belligerent"


@pytest.mark.rule("WMV-024")
def test_inland_area_gives_no_coal() -> None:
    g = at_war([["germany"], ["italy"]])
    assert code(g, "britain", "volunteer kashmir to germany", "WMV-024") == "inland"


@pytest.mark.rule("WMV-009")
def test_a_codominion_with_one_belligerent_is_open() -> None:
    g = at_war([["germany"], ["britain"]], sea_zones={"north_atlantic": zone(units=(naval("germany", 3),))})
    g.act("germany", "move N3 north_atlantic > guiana")
    assert g.units("guiana", "germany") == ["N3"]


@pytest.mark.rule("WMV-010")
def test_fleets_leave_and_enter_home() -> None:
    g = at_war(BRITAIN_FRANCE)
    g.act("britain", "move N10 home > north_atlantic")
    assert code(g, "britain", "move N10 north_atlantic > home", "WMV-006") == "has_moved"
    g = at_war(BRITAIN_FRANCE, sea_zones={"north_atlantic": zone(units=(naval("britain", 3),))})
    g.act("britain", "move N3 north_atlantic > home")
    assert "N3" in g.units(home_place("britain")) and at_sea(g, "north_atlantic") == []
    g = at_war(BRITAIN_FRANCE, sea_zones={"north_atlantic": zone(units=(naval("britain", 3),))})
    assert g.refused("britain", "move N3 north_atlantic > france").code in ("not_adjacent", "foreign_home")


@pytest.mark.rule("WMV-011")
@pytest.mark.parametrize(
    ("area", "side", "closed"),
    [
        ("canada", "north_atlantic", "north_pacific"),
        ("cape_colony", "south_atlantic", "indian_ocean"),
        ("panama", "caribbean", "south_pacific"),
        ("mexico", "caribbean", "north_pacific"),
    ],
)
def test_a_fleet_stays_on_the_side_it_came_from(area: str, side: str, closed: str) -> None:
    areas = {area: held("britain", "possession", naval("britain", 3, side))}
    chile = {"chile": held("britain"), "venezuela": held("britain"), "alaska": held("britain")}
    g = at_war(BRITAIN_FRANCE, areas={**chile, **areas})
    assert code(g, "britain", f"move N3 {area} > {closed}", "WMV-011") == "other_coast"
    g.act("britain", f"move N3 {area} > {side}")
    assert at_sea(g, side) == ["N3"]


@pytest.mark.rule("WMV-011", "STR-009")
def test_a_canal_that_is_open_lets_fleets_through() -> None:
    canal = {**held("britain", "possession", naval("britain", 3, "caribbean")), "canal": True}
    g = at_war(BRITAIN_FRANCE, areas={"panama": canal})
    g.act("britain", "move N3 panama > south_pacific")
    assert at_sea(g, "south_pacific") == ["N3"]


@pytest.mark.rule("WMV-011")
def test_dutch_east_indies_have_one_coast() -> None:
    areas = {"dutch_east_indies": held("netherlands", "possession", naval("netherlands", 1))}
    g = at_war([["netherlands", "britain"], ["france"]], areas=areas)
    g.act("britain", "netherlands: move N1 dutch_east_indies > north_pacific")
    assert at_sea(g, "north_pacific") == ["N1"]


@pytest.mark.rule("WMV-012")
def test_a_fleet_at_home_leaves_only_from_its_own_box() -> None:
    homes = at_home("united_states", naval("united_states", 3, "north_pacific"))
    g = at_war(US_SPAIN, homes=homes)
    assert code(g, "united_states", "move N3 home > caribbean", "WMV-012") == "other_coast"
    g.act("united_states", "move N3 home > north_pacific")
    homes = at_home("united_states", naval("united_states", 3, "north_atlantic"))
    for end in ("caribbean", "north_atlantic"):
        g = at_war(US_SPAIN, homes=homes)
        g.act("united_states", f"move N3 home > {end}")
        assert at_sea(g, end) == ["N3"]


@pytest.mark.rule("WMV-010", "WMV-012")
@pytest.mark.parametrize(
    ("power", "box", "zone"),
    [
        ("france", "north_atlantic", "mediterranean"),
        ("france", "mediterranean", "north_atlantic"),
        ("germany", "north_atlantic", "baltic"),
        ("japan", "north_pacific", "north_china_sea"),
        ("spain", "mediterranean", "north_atlantic"),
    ],
)
def test_fleets_of_powers_without_port_boxes_leave_into_each_sea_zone(power: str, box: str, zone: str) -> None:
    sides = [["italy", power], ["united_states"]]
    g = at_war(sides, homes=at_home(power, naval(power, 3, box)))
    seat = power if power in g.state.players else "italy"
    assert seat in g.waiting()
    order = f"move N3 home > {zone}"
    g.act(seat, order if seat == power else f"{power}: {order}")
    assert at_sea(g, zone) == ["N3"]


@pytest.mark.rule("WMV-012")
def test_a_russian_fleet_leaves_by_its_port_box_only() -> None:
    g = at_war([["russia"], ["britain"]], homes=at_home("russia", naval("russia", 3, "baltic")))
    assert code(g, "russia", "move N3 home > black_sea", "WMV-012") == "other_coast"


@pytest.mark.rule("WMV-012")
def test_a_fleet_comes_home_to_the_box_of_its_sea() -> None:
    fleet = {"black_sea": zone(units=(naval("russia", 1),))}
    g = at_war([["russia"], ["britain"]], sea_zones=fleet, homes=at_home("russia"))
    g.act("russia", "move N1 black_sea > home")
    (unit,) = g.state.homes["russia"]
    assert unit.coast == "black_sea"


@pytest.mark.rule("WMV-033")
def test_fleets_do_not_move_overland() -> None:
    areas = {"algiers": held("france", "possession", naval("france", 3)), "tunis": held("france")}
    g = at_war([["france"], ["britain"]], areas=areas)
    assert code(g, "france", "move N3 algiers > tunis", "WMV-033") == "not_adjacent"
    g = at_war([["russia"], ["japan"]], areas={"korea": held("russia")})
    assert g.refused("russia", "move N1 home > korea").code in ("not_adjacent", "not_there")


@pytest.mark.rule("WMV-027")
def test_capes_are_a_step_of_their_own() -> None:
    fleet = {"south_atlantic": zone(units=(naval("britain", 3),))}
    g = at_war(BRITAIN_FRANCE, sea_zones=fleet)
    assert code(g, "britain", "move N3 south_atlantic > indian_ocean", "WMV-027") == "cape_between"
    g.act("britain", "move N3 south_atlantic > cape_of_good_hope")
    assert at_sea(g, "cape_of_good_hope") == ["N3"]
    capes = {"cape_of_good_hope": {"units": [naval("britain", 3)]}}
    g = at_war(BRITAIN_FRANCE, capes=capes)
    g.act("britain", "move N3 cape_of_good_hope > indian_ocean")
    assert at_sea(g, "indian_ocean") == ["N3"]


# Coaling


def coaled(g: Bench, power: str, place: str) -> bool:
    """Whether a Power's fleets have Coaling Rights in a Sea or Cape Zone, as its steps show."""
    from paxtui.games.pax.war.campaign.supply_lines import coaling_zones

    return place in coaling_zones(g.tables, g.state, the_war(g), power)


INDIAN_OCEAN = (
    "aden", "australia", "baluchistan", "bengal", "berbera", "burma", "cape_colony", "dutch_east_indies", "egypt",
    "eritrea", "federated_malay_states", "hindoostan", "kenya", "madagascar", "mozambique", "persia", "quwait",
    "rajputana", "somalia", "soudan", "tanganyika",
)  # fmt: skip


@pytest.mark.rule("WMV-021")
def test_home_waters_give_coal() -> None:
    g = at_war(BRITAIN_FRANCE, areas=no_markers("canada", "newfoundland", "guiana"))
    assert coaled(g, "britain", "north_atlantic") and not coaled(g, "britain", "baltic")
    g = at_war([["britain", "russia"], ["france"]])
    assert coaled(g, "russia", "baltic") and not coaled(g, "britain", "baltic"), "an ally's country gives none"


@pytest.mark.rule("WMV-022")
@pytest.mark.parametrize(("kind", "coal"), [("influence", True), ("interest", False), ("protectorate", True)])
def test_an_own_influence_gives_coal_next_to_its_area(kind: str, coal: bool) -> None:
    areas = {**no_markers(*INDIAN_OCEAN), "aden": here(marker("britain", kind))}
    assert coaled(at_war(BRITAIN_FRANCE, areas=areas), "britain", "indian_ocean") is coal


@pytest.mark.rule("WMV-022", "WMV-026")
def test_a_conquered_area_gives_its_coal_to_the_conqueror() -> None:
    areas = {**no_markers(*INDIAN_OCEAN), "aden": held("britain")}
    g = at_war(BRITAIN_FRANCE, areas=areas)
    assert coaled(g, "britain", "indian_ocean") and not coaled(g, "france", "indian_ocean")
    g = at_war(BRITAIN_FRANCE, areas=areas, war={"conquered": [{"area": "aden", "alliance": 2}]})
    assert not coaled(g, "britain", "indian_ocean") and coaled(g, "france", "indian_ocean")


@pytest.mark.rule("WMV-023")
def test_allies_share_their_coal_until_it_is_conquered() -> None:
    sides = [["britain", "italy"], ["france"]]
    areas = {**no_markers(*INDIAN_OCEAN), "aden": here(marker("italy", "influence"))}
    assert coaled(at_war(sides, areas=areas), "britain", "indian_ocean")
    assert not coaled(at_war(BRITAIN_FRANCE, areas=areas), "britain", "indian_ocean")
    taken = {"conquered": [{"area": "aden", "alliance": 2}]}
    assert not coaled(at_war(sides, areas=areas, war=taken), "britain", "indian_ocean")


@pytest.mark.rule("WMV-024")
def test_a_neutral_volunteers_areas_that_it_controls() -> None:
    g = at_war(US_SPAIN, areas={"venezuela": here(marker("germany", "influence"))})
    assert code(g, "germany", "volunteer venezuela to spain", "WMV-024") == "no_control"
    assert code(g, "united_states", "volunteer cuba to united_states", "WMV-024") == "no_neutral"
    assert code(g, "france", "volunteer algiers to italy", "WMV-024") == "no_belligerent_named"
    assert not coaled(g, "united_states", "mediterranean")
    g.act("france", "volunteer algiers to united_states")
    assert coaled(g, "united_states", "mediterranean")
    assert g.refused("france", actions.Volunteer("dutch_east_indies", "spain", "netherlands")).code == "not_your_power"


@pytest.mark.rule("WMV-024")
def test_what_is_volunteered_to_one_alliance_helps_no_other() -> None:
    g = at_war([["germany"], ["japan"]])
    g.act("france", "volunteer algiers to germany")
    assert coaled(g, "germany", "mediterranean") and not coaled(g, "japan", "mediterranean")


@pytest.mark.rule("WMV-024")
def test_any_one_holder_volunteers_a_codominion() -> None:
    sides = [["italy"], ["japan"]]
    g = at_war(sides)
    assert not coaled(g, "italy", "north_atlantic")
    g.act("france", "volunteer guiana to italy")
    assert coaled(g, "italy", "north_atlantic")


@pytest.mark.rule("WMV-025")
def test_coal_is_not_withdrawn_while_the_power_is_neutral() -> None:
    g = at_war([["germany"], ["japan"]])
    g.act("france", "volunteer algiers to germany")
    assert code(g, "france", "volunteer algiers to germany", "WMV-025") == "volunteered"
    given = {"coaling": [{"area": "algiers", "to": 1}]}
    assert coaled(at_war([["germany"], ["japan"]], war=given), "germany", "mediterranean")
    assert not coaled(at_war([["germany"], ["japan", "france"]], war=given), "germany", "mediterranean")


@pytest.mark.rule("WMV-028", "WMV-029")
@pytest.mark.parametrize(
    ("area", "capes"),
    [
        ("gold_coast", {"cape_of_good_hope", "cape_horn"}),
        ("aden", {"cape_of_good_hope"}),
        ("chile", {"cape_horn"}),
        ("cuba", set()),
    ],
)
def test_cape_has_the_coal_of_adjacent_oceans(area: str, capes: set[str]) -> None:
    g = at_war([["italy"], ["japan"]], areas={area: held("italy")})
    assert {cape for cape in g.tables.capes if coaled(g, "italy", cape)} == capes


SEAS_OFF_HONG_KONG = (
    "cochinchina", "dutch_east_indies", "federated_malay_states", "formosa", "fukien", "indochina", "kwang_si",
    "philippines", "sarawak", "siam",
)  # fmt: skip


def in_port(area: str, owner: str, power: str, **more: Any) -> Bench:
    """The Supply Phase of a Power with an N3 in an Area that another has as a Possession."""
    areas = {
        **no_markers(*SEAS_OFF_HONG_KONG),
        area: held(owner, "possession", naval(power, 3), *more.pop("with_", ())),
    }
    g = at_war([[power], [owner]], "supply", areas={**areas, **more.pop("areas", {})}, **more)
    g.advance()
    return g


@pytest.mark.rule("SUP-025")
def test_a_fleet_in_port_has_the_coal_of_the_sea_or_of_the_area() -> None:
    assert in_port("cuba", "spain", "united_states").units("cuba", "united_states") == ["N3"], "home waters"
    g = in_port("hong_kong", "britain", "germany")
    assert g.units("hong_kong", "germany") == [] and [s.name for s in the_war(g).surrendered] == ["N3"]
    taken = {"conquered": [{"area": "hong_kong", "alliance": 1}]}
    g = in_port("hong_kong", "britain", "germany", war=taken, with_=(army("germany", 3),))
    assert g.units("hong_kong", "germany", "naval") == ["N3"]
    near = {"siam": here(marker("germany", "influence"))}
    assert in_port("hong_kong", "britain", "germany", areas=near).units("hong_kong", "germany") == ["N3"]


@pytest.mark.rule("SUP-025", "SET-007")
@pytest.mark.parametrize(("variant", "stays"), [("no", []), ("yes", ["N3"])])
def test_a_fleet_in_port_has_the_coal_of_a_sea_that_an_option_adds(variant: str, stays: list[str]) -> None:
    areas = {"fiji": held("britain", "possession", naval("germany", 3)), "chile": here(marker("germany", "influence"))}
    options = {**UNLIMITED, "fiji_south_pacific": variant}
    g = wars.at_war([["germany"], ["britain"]], "supply", options=options, areas=areas)
    g.advance()
    assert g.units("fiji", "germany") == stays


@pytest.mark.rule("SUP-025")
def test_each_coast_gives_coal_on_its_own_side_only() -> None:
    for side, stays in (("mediterranean", ["N3"]), ("indian_ocean", [])):
        egypt = {"egypt": held("britain", "possession", naval("italy", 3, side))}
        g = at_war([["italy"], ["britain"]], "supply", areas=egypt)
        g.advance()
        assert g.units("egypt", "italy") == stays


@pytest.mark.rule("WMV-024", "SUP-029")
def test_neutral_may_volunteer_its_share_of_a_conquered_codominion() -> None:
    given = {"coaling": [{"area": "guiana", "to": 1}], "conquered": [{"area": "guiana", "alliance": 2}]}
    assert coaled(at_war([["italy"], ["britain"]], war=given), "italy", "north_atlantic")


# Armies


@pytest.mark.rule("WMV-013")
def test_armies_sail_on_their_own_merchant_fleets() -> None:
    homes = at_home("united_states", army("united_states"))
    seas = {"caribbean": zone("united_states"), "north_atlantic": zone("britain")}
    g = at_war(US_SPAIN, homes=homes, sea_zones=seas)
    assert code(g, "united_states", "move A1 home > north_atlantic", "WMV-013") == "no_merchant_fleet"
    g.act("united_states", "move A1 home > caribbean")
    assert at_sea(g, "caribbean") == ["A1"]


@pytest.mark.rule("WMV-014")
def test_merchant_fleets_do_not_carry_allied_armies() -> None:
    g = at_war(
        [["russia", "france"], ["britain"]],
        homes=at_home("russia", army("russia")),
        sea_zones={"black_sea": zone("france")},
    )
    assert code(g, "russia", "move A1 home > black_sea", "WMV-014") == "no_merchant_fleet"
    homes = at_home("austria_hungary", army("austria_hungary"))
    g = at_war([["austria_hungary", "germany"], ["italy"]], homes=homes, sea_zones={"mediterranean": zone("germany")})
    assert code(g, "germany", "austria_hungary: move A1 home > mediterranean", "WMV-014") == "no_merchant_fleet"


@pytest.mark.rule("WMV-015")
def test_armies_enter_areas_under_control_of_a_belligerent() -> None:
    areas = {
        "egypt": held("britain", "protectorate", army("britain", 3), army("britain", 1)),
        "tripoli": held("france"),
        "soudan": held("italy"),
    }
    g = at_war(BRITAIN_FRANCE, areas=areas)
    g.act("britain", "move A3 egypt > tripoli")
    assert g.units("tripoli", "britain") == ["A3"]
    assert code(g, "britain", "move A1 egypt > soudan", "WMV-015") == "no_belligerent"
    areas["soudan"] = here()
    g = at_war(BRITAIN_FRANCE, areas=areas)
    assert code(g, "britain", "move A1 egypt > soudan", "WMV-015") == "no_belligerent"


@pytest.mark.rule("WMV-016")
def test_armies_leave_home_for_open_places_only_and_always_come_back() -> None:
    homes = at_home("russia", *[army("russia", 10)] * 4)
    areas = {"manchuria": held("japan"), "persia": here()}
    seas = {"black_sea": zone()}
    g = at_war([["russia"], ["japan"]], areas=areas, homes=homes, sea_zones=seas)
    assert code(g, "russia", "move A10 home > persia", "WMV-015") == "no_belligerent"
    assert code(g, "russia", "move A10 home > black_sea", "WMV-013") == "no_merchant_fleet"
    g.act("russia", "move A10 home > manchuria")
    areas = {"manchuria": held("japan", "protectorate", army("russia")), "persia": here(army("russia"))}
    seas = {"black_sea": zone(units=(army("russia"),))}
    for start in ("manchuria", "persia", "black_sea"):
        g = at_war([["russia"], ["japan"]], areas=areas, homes=at_home("russia"), sea_zones=seas)
        g.act("russia", f"move A1 {start} > home")
        assert g.units(home_place("russia")) == ["A1"]


@pytest.mark.rule("WMV-017")
def test_german_armies_pass_through_an_allied_austria_hungary() -> None:
    homes = {**at_home("germany", army("germany", 3)), **at_home("austria_hungary", army("austria_hungary"))}
    order = "move A3 home > home:austria_hungary".replace("home:", "")
    g = at_war([["germany", "austria_hungary"], ["france"]], homes=homes)
    g.act("germany", order)
    assert g.units(home_place("austria_hungary"), "germany") == ["A3"]
    g = at_war([["germany"], ["france"]], homes=homes)
    assert code(g, "germany", order, "WMV-017") == "foreign_home"
    g = at_war([["germany", "austria_hungary"], ["france"]], homes=homes)
    assert code(g, "germany", "austria_hungary: move A1 home > germany", "WMV-017") == "foreign_home"


@pytest.mark.rule("WMV-017")
def test_german_armies_move_on_from_austria_hungary() -> None:
    homes = {"austria_hungary": {"units": [army("germany", 3), army("germany", 1)]}}
    areas = {"serbia": held("austria_hungary")}
    sides = [["germany", "austria_hungary"], ["france"]]
    g = at_war(sides, homes=homes, areas=areas, sea_zones={"mediterranean": zone("germany")})
    g.act("germany", "move A3 austria_hungary > serbia")
    g.act("germany", "move A1 austria_hungary > mediterranean")
    assert g.units("serbia", "germany") == ["A3"] and at_sea(g, "mediterranean") == ["A1"]


@pytest.mark.rule("WMV-017")
def test_no_other_ally_enters_a_home_country() -> None:
    areas = {"serbia": held("austria_hungary", "protectorate", army("italy"))}
    g = at_war([["italy", "austria_hungary"], ["france"]], areas=areas)
    assert code(g, "italy", "move A1 serbia > austria_hungary", "WMV-017") == "foreign_home"


@pytest.mark.rule("WMV-018")
def test_armies_enter_waters_of_the_enemy_with_an_escort_only() -> None:
    homes = at_home("united_states", army("united_states"))
    enemy, own = naval("spain", 1), naval("united_states", 1)
    g = at_war(US_SPAIN, homes=homes, sea_zones={"caribbean": zone("united_states", units=(enemy,))})
    assert code(g, "united_states", "move A1 home > caribbean", "WMV-018") == "no_escort"
    g = at_war(US_SPAIN, homes=homes, sea_zones={"caribbean": zone("united_states", units=(enemy, own))})
    g.act("united_states", "move A1 home > caribbean")
    sides = [["united_states", "britain"], ["spain"]]
    ally = naval("britain", 1)
    g = at_war(sides, homes=homes, sea_zones={"caribbean": zone("united_states", units=(enemy, ally))})
    g.act("united_states", "move A1 home > caribbean")


@pytest.mark.rule("WMV-019")
def test_enemy_fleet_prevents_landing_and_embarking() -> None:
    seas = {"caribbean": zone("united_states", units=(army("united_states"),))}
    for more in ([], [naval("united_states", 10)]):
        areas = {"cuba": held("spain", "possession", naval("spain", 1), *more)}
        g = at_war(US_SPAIN, areas=areas, sea_zones=seas)
        assert code(g, "united_states", "move A1 caribbean > cuba", "WMV-019") == "blockaded"
        areas["cuba"]["units"].append(army("united_states", 3))
        g = at_war(US_SPAIN, areas=areas, sea_zones=seas)
        assert code(g, "united_states", "move A3 cuba > caribbean", "WMV-019") == "blockaded"
    g = at_war(US_SPAIN, areas={"cuba": held("spain", "possession", army("spain"))}, sea_zones=seas)
    g.act("united_states", "move A1 caribbean > cuba")
    assert g.units("cuba", "united_states") == ["A1"]


@pytest.mark.rule("WMV-020")
def test_army_cannot_move_between_two_enemy_armies() -> None:
    areas = {
        "manchuria": held("russia", "protectorate", army("russia"), army("japan", 3)),
        "korea": held("russia", "protectorate", army("russia")),
    }
    g = at_war([["japan"], ["russia"]], areas=areas)
    assert code(g, "japan", "move A3 manchuria > korea", "WMV-020") == "enemy_to_enemy"
    for empty in areas:
        less = {**areas, empty: held("russia", "protectorate", *([army("japan", 3)] if empty == "manchuria" else []))}
        g = at_war([["japan"], ["russia"]], areas=less)
        g.act("japan", "move A3 manchuria > korea")
        assert "A3" in g.units("korea", "japan")
    at_sea = {"north_china_sea": zone("japan", "russia", units=(army("japan", 3), army("russia")))}
    g = at_war([["japan"], ["russia"]], areas=areas, sea_zones=at_sea)
    g.act("japan", "move A3 north_china_sea > korea")
    assert "A3" in g.units("korea", "japan"), "a Sea Zone is no Area"


@pytest.mark.rule("WMV-030")
def test_a_cape_takes_the_merchant_fleets_of_either_ocean() -> None:
    areas = {"cape_colony": held("britain", "possession", army("britain", 3))}
    start = {"indian_ocean": zone("britain", units=(army("britain"),)), "south_atlantic": zone()}
    g = at_war(BRITAIN_FRANCE, areas=areas, sea_zones=start)
    g.act("britain", "move A1 indian_ocean > cape_of_good_hope")
    assert at_sea(g, "cape_of_good_hope") == ["A1"]
    start["indian_ocean"] = zone(units=(army("britain"),))
    g = at_war(BRITAIN_FRANCE, areas=areas, sea_zones={**start, "south_atlantic": zone("britain")})
    g.act("britain", "move A1 indian_ocean > cape_of_good_hope")
    assert at_sea(g, "cape_of_good_hope") == ["A1"], "on the fleet of the ocean that it goes to"
    g = at_war(BRITAIN_FRANCE, areas=areas, sea_zones=start)
    assert code(g, "britain", "move A1 indian_ocean > cape_of_good_hope", "WMV-030") == "no_merchant_fleet"
    start["indian_ocean"] = zone("britain", units=(army("britain"),))
    capes = {"cape_of_good_hope": {"units": [naval("france", 1)]}}
    g = at_war(BRITAIN_FRANCE, areas=areas, sea_zones=start, capes=capes)
    assert code(g, "britain", "move A1 indian_ocean > cape_of_good_hope", "WMV-018") == "no_escort"


@pytest.mark.rule("WMV-037")
def test_fleet_in_a_canal_area_blocks_its_own_coast_only() -> None:
    egypt = {"egypt": held("france", "protectorate", naval("france", 1, "indian_ocean"))}
    seas = {s: zone("britain", units=(army("britain"),)) for s in ("mediterranean", "indian_ocean")}
    g = at_war(BRITAIN_FRANCE, areas=egypt, sea_zones=seas)
    assert code(g, "britain", "move A1 indian_ocean > egypt", "WMV-037") == "blockaded"
    g.act("britain", "move A1 mediterranean > egypt")
    canada = {"canada": held("france", "protectorate", naval("france", 1, "north_atlantic"))}
    g = at_war(BRITAIN_FRANCE, areas=canada, sea_zones={"north_pacific": zone("britain", units=(army("britain"),))})
    assert code(g, "britain", "move A1 north_pacific > canada", "WMV-019") == "blockaded"


# Command of Minor Powers


def spanish_army(allies: list[str]) -> Bench:
    """Spain with an army in Cuba that may sail, and these allies, against the United States."""
    areas = {"cuba": held("spain", "possession", army("spain"), army("spain"))}
    return at_war([["spain", *allies], ["united_states"]], areas=areas, sea_zones={"caribbean": zone("spain")})


@pytest.mark.rule("WMV-031")
def test_one_ally_commands_a_minor_power() -> None:
    g = spanish_army(["france"])
    assert g.refused("britain", "spain: move A1 cuba > caribbean").code == "not_your_power"
    g.act("france", "spain: move A1 cuba > caribbean")
    assert at_sea(g, "caribbean") == ["A1"]


@pytest.mark.rule("WMV-031")
def test_order_for_a_minor_power_needs_all_allies() -> None:
    g = spanish_army(["france", "italy"])
    order = "spain: move A1 cuba > caribbean"
    g.act("france", order)
    assert at_sea(g, "caribbean") == [] and [e.seat for e in g.of(events.ConsentGiven)] == ["france"]
    assert code(g, "france", order, "WMV-031") == "consented"
    assert code(g, "italy", "spain: move A1 cuba > guiana", "WMV-006") == "not_adjacent"
    g.act("italy", order)
    assert at_sea(g, "caribbean") == ["A1"]
    g.act("italy", order)
    assert at_sea(g, "caribbean") == ["A1"], "the second of two like armies takes both seats again"
    g.act("france", order)
    assert at_sea(g, "caribbean") == ["A1", "A1"]


@pytest.mark.rule("WMV-031")
def test_a_consent_lasts_for_its_phase() -> None:
    g = spanish_army(["france", "italy"])
    g.act("france", "spain: move A1 cuba > caribbean")
    all_pass(g)
    assert the_war(g).stage == "attack" and the_war(g).consents == ()
    assert g.units("cuba", "spain") == ["A1", "A1"]


@pytest.mark.rule("WMV-031")
def test_minor_power_without_ally_cannot_be_ordered() -> None:
    g = spanish_army([])
    assert g.waiting() == () and g.refused("france", "spain: move A1 cuba > caribbean").code == "not_your_power"


# Empires, garrisons, the order of moves


@pytest.mark.rule("WMV-032")
@pytest.mark.parametrize(("kind", "foe", "open_"), [("ottoman", "ottoman_empire", True), ("war", "france", False)])
def test_every_area_of_the_empire_is_open_in_an_ottoman_war(kind: str, foe: str, open_: bool) -> None:
    seas = {"indian_ocean": zone("italy", units=(army("italy"), army("italy", 3)))}
    areas = {**no_markers("quwait", "persia"), "aden": held("italy")}
    g = at_war([["italy"], [foe]], war={"kind": kind, "turn_of": 1}, areas=areas, sea_zones=seas)
    assert code(g, "italy", "move A1 indian_ocean > persia", "WMV-015") == "no_belligerent"
    if open_:
        g.act("italy", "move A1 indian_ocean > quwait")
        assert g.units("quwait", "italy") == ["A1"]
    else:
        assert code(g, "italy", "move A1 indian_ocean > quwait", "WMV-015") == "no_belligerent"


@pytest.mark.rule("WMV-032", "REB-009")
@pytest.mark.parametrize(
    ("kind", "foe", "area"), [("ottoman", "ottoman_empire", "quwait"), ("rebellion", "china", "burma")]
)
def test_an_area_of_the_empire_is_open_though_a_neutral_controls_it(kind: str, foe: str, area: str) -> None:
    seas = {"indian_ocean": zone("italy", units=(army("italy"),))}
    areas = {area: held("britain", "protectorate", army("britain")), "aden": held("italy")}
    g = at_war([["italy"], [foe]], war={"kind": kind, "turn_of": 1}, areas=areas, sea_zones=seas)
    g.act("italy", f"move A1 indian_ocean > {area}")
    assert g.units(area, "italy") == ["A1"]


@pytest.mark.rule("WMV-032", "OTT-019", "OTT-022")
@pytest.mark.parametrize(("holder", "open_"), [("", True), ("italy", True), ("britain", False)])
def test_in_an_ottoman_war_both_sides_enter_egypt_unless_a_neutral_alone_controls_it(holder: str, open_: bool) -> None:
    five = {"power": "ottoman_empire", "kind": "army", "strength": 5}
    egypt = here(*([marker(holder, "protectorate")] if holder else []), *([five] if open_ else []))
    seas = {"mediterranean": zone("italy", units=(army("italy", 10), naval("italy", 1)))}
    settings = {"kind": "ottoman", "turn_of": 1}
    areas = {"egypt": egypt, "tripoli": held("italy", "protectorate", army("italy", 3))}
    g = at_war([["italy"], ["ottoman_empire"]], war=settings, areas=areas, sea_zones=seas)
    for order, rule in (("move A10 mediterranean > egypt", "WMV-015"), ("move N1 mediterranean > egypt", "WMV-009")):
        if open_:
            g.act("italy", order)
        else:
            assert code(g, "italy", order, rule) == "no_belligerent"
    if open_:
        all_pass(g)
        g.dice(6)
        g.act("italy", "attack egypt")
        assert g.units("egypt") == ["A10", "N1"], "Egypt itself does not fight"


@pytest.mark.rule("WMV-032", "REB-009")
@pytest.mark.parametrize("kind", ["rebellion", "war"])
def test_china_and_its_vassals_are_open_in_a_rebellion(kind: str) -> None:
    areas = {
        **no_markers("szech_wan", "siam"),
        "yunnan": held("france", "protectorate", army("france"), army("france", 3)),
        "indochina": here(),
    }
    sides = [["france"], ["china" if kind == "rebellion" else "britain"]]
    g = at_war(sides, areas=areas, war={"kind": kind, "turn_of": 1})
    if kind == "rebellion":
        g.act("france", "move A1 yunnan > szech_wan")
        assert g.units("szech_wan", "france") == ["A1"]
        g.act("france", "move A3 yunnan > indochina")
    else:
        assert code(g, "france", "move A1 yunnan > szech_wan", "WMV-015") == "no_belligerent"


@pytest.mark.rule("WMV-034")
def test_moves_are_checked_in_the_given_order() -> None:
    homes = at_home("united_states", army("united_states"), naval("united_states", 1, "north_atlantic"))
    seas = {"caribbean": zone("united_states", units=(naval("spain", 1),))}
    g = at_war(US_SPAIN, homes=homes, sea_zones=seas)
    assert code(g, "united_states", "move A1 home > caribbean", "WMV-018") == "no_escort"
    g.act("united_states", "move N1 home > caribbean")
    g.act("united_states", "move A1 home > caribbean")
    assert at_sea(g, "caribbean", "united_states") == ["A1", "N1"]


@pytest.mark.rule("WMV-035", "SUP-022")
def test_an_army_at_sea_among_enemy_fleets_surrenders_when_the_attacks_are_over() -> None:
    seas = {"caribbean": zone("united_states", units=(army("united_states"),))}
    areas = {"cuba": held("spain", "possession", naval("spain", 3))}
    g = at_war([["spain", "france"], ["united_states"]], areas=areas, sea_zones=seas)
    g.act("france", "spain: move N3 cuba > caribbean")
    all_pass(g)
    assert at_sea(g, "caribbean", "united_states") == ["A1"]
    all_pass(g)
    g.advance()
    assert at_sea(g, "caribbean", "united_states") == []
    assert [(s.power, s.name) for s in the_war(g).surrendered] == [("united_states", "A1")]


@pytest.mark.rule("WMV-036")
def test_areas_left_without_an_army_stay_under_control() -> None:
    areas = {"senegambia": held("france", "possession", army("france"))}
    seas = {"south_atlantic": zone("france")}
    g = at_war([["france"], ["britain"]], areas=areas, sea_zones=seas)
    g.act("france", "move A1 senegambia > south_atlantic")
    all_pass(g)
    assert g.kind("senegambia", "france") == "possession"


@pytest.mark.rule("WMV-036", "STA-047")
def test_the_indian_army_stays_by_india_in_war() -> None:
    heavy = {name: held("britain", "possession", army("britain", 10)) for name in ("bengal", "punjab", "rajputana")}
    none = no_markers("united_provinces", "hindoostan", "kashmir")
    seas = {"indian_ocean": zone("britain")}
    g = at_war(BRITAIN_FRANCE, areas={**none, **heavy}, sea_zones=seas)
    assert code(g, "britain", "move A10 bengal > indian_ocean", "STA-047") == "indian_army_bound"
    heavy["bengal"]["units"].append(army("britain", 10))
    g = at_war(BRITAIN_FRANCE, areas={**none, **heavy}, sea_zones=seas)
    g.act("britain", "move A10 bengal > indian_ocean")
    assert code(g, "britain", "move A10 rajputana > indian_ocean", "STA-047") == "indian_army_bound"


@pytest.mark.rule("WMV-036", "STA-050")
def test_the_western_garrison_stays_in_the_west_in_war() -> None:
    homes = at_home("russia", *[army("russia", 10)] * 4)
    g = at_war([["russia"], ["japan"]], homes=homes, areas={"manchuria": held("japan")})
    g.act("russia", "move A10 home > manchuria")
    assert code(g, "russia", "move A10 home > manchuria", "STA-050") == "western_garrison"


@pytest.mark.rule("WMV-036", "STA-050")
@pytest.mark.parametrize(("defenders", "come"), [(3, 1), (10, 0)])
def test_the_western_garrison_of_abandoned_russia_stays(defenders: int, come: int) -> None:
    """Of four Army (10) Units one may leave; alone it is too weak against ten strength points."""
    g = at_war(
        [["russia"], ["japan"]], homes=at_home("russia", *[army("russia", 10)] * 4), abandoned=["russia"],
        areas={"manchuria": held("japan", "possession", army("japan", defenders))},
        war={"declared": ["russia"], "over": ["manchuria"], "cycle": 1},
    )  # fmt: skip
    g.step()
    assert [unit.name for unit in g.state.areas["manchuria"].units if unit.power == "russia"] == ["A10"] * come
