"""Supply (SUP): Lines of Supply, blockade, surrender and conquest."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from paxtui.games.pax.events import events
from paxtui.games.pax.war.campaign import supply, supply_lines
from tests.rules import wars
from tests.rules.harness import UNLIMITED, Bench, army, held, here, marker, naval
from tests.rules.wars import Sides, all_pass, at_sea, negotiating, the_war, zones

US_SPAIN: Sides = [["united_states"], ["spain"]]
BRITAIN_GERMANY: Sides = [["britain"], ["germany"]]
ALLIES: Sides = [["britain", "japan"], ["germany"]]


def at_war(sides: Sides, phase: str = "maneuver", **patch: Any) -> Bench:
    """A War with pieces without limit, in which everything of a Minor Power has been supplied once."""
    war = {"unsupplied": [], **patch.pop("war", {})}
    return wars.at_war(sides, phase, options=UNLIMITED, war=war, **patch)


def judged(sides: Sides, side: int = 1, **patch: Any) -> Bench:
    """A War after the Supply Determination Phase of an Alliance."""
    war = {"turn_of": side, **patch.pop("war", {})}
    g = at_war(sides, "supply", war=war, **patch)
    g.advance()
    kinds = [type(e) for e in g.last]
    g.last = g.last[: kinds.index(events.WarPhaseBegan)]  # what the Phase itself has brought
    return g


def closed(g: Bench) -> None:
    """The end of an Attack Phase without attacks."""
    if g.waiting():
        all_pass(g)
    else:
        g.advance()


def lost(g: Bench, place: str) -> list[str]:
    """Units that have surrendered in a place since the last act."""
    return [f"{e.power} {name}" for e in g.of(events.UnitsSurrendered) if e.place == place for name in e.units]


def fell(g: Bench, area: str) -> bool:
    """Whether an Area has been conquered since the last act."""
    return any(e.area == area for e in g.of(events.AreaConquered))


# The phasing Alliance


@pytest.mark.rule("SUP-001", "SUP-015", "SUP-021", "SUP-023")
def test_only_the_phasing_alliance_is_tested() -> None:
    cut_off = {"areas": {"papua": held("germany", "protectorate", army("germany"))}, "sea_zones": zones()}
    g = judged(BRITAIN_GERMANY, 1, **cut_off)
    assert g.units("papua") == ["A1"] and lost(g, "papua") == []
    g = judged(BRITAIN_GERMANY, 2, **cut_off)
    assert g.units("papua") == [] and lost(g, "papua") == ["germany A1"]
    assert g.all_of(events.UnitsSurrendered)
    assert not g.of(events.UnitsLost), "set aside, not eliminated"


@pytest.mark.rule("SUP-002", "SUP-019", "SUP-021")
def test_a_fleet_at_sea_without_coal_surrenders() -> None:
    sea = {"north_pacific": {"units": [naval("germany", 10)]}, "south_atlantic": {"units": [naval("germany", 3)]}}
    areas = {"togoland": here(marker("germany", "influence"))}
    g = judged(BRITAIN_GERMANY, 2, sea_zones=sea, areas=areas)
    assert lost(g, "north_pacific") == ["germany N10"]
    assert at_sea(g, "south_atlantic") == ["N3"], "an Influence of its own gives coal"


@pytest.mark.rule("SUP-019")
@pytest.mark.parametrize(
    ("area", "war", "coals"),
    [
        (here(marker("germany", "protectorate")), {}, True),
        (here(marker("austria_hungary", "influence")), {}, True),
        (here(marker("germany", "protectorate")), {"conquered": [{"area": "madagascar", "alliance": 1}]}, False),
        (here(marker("britain", "protectorate")), {"conquered": [{"area": "madagascar", "alliance": 2}]}, True),
        (here(marker("france", "protectorate")), {}, False),
        (here(marker("france", "protectorate")), {"coaling": [{"area": "madagascar", "to": 2}]}, True),
        (here(marker("france", "protectorate")), {"coaling": [{"area": "madagascar", "to": 1}]}, False),
    ],
)
def test_areas_that_give_coal_in_the_indian_ocean(area: dict[str, Any], war: dict[str, Any], coals: bool) -> None:
    sides: Sides = [["britain"], ["germany", "austria_hungary"]]
    sea = {"indian_ocean": {"units": [naval("germany", 3)]}}
    g = judged(sides, 2, sea_zones=sea, areas={"madagascar": area}, war=war)
    assert (at_sea(g, "indian_ocean") == ["N3"]) is coals


@pytest.mark.rule("SUP-019")
def test_either_ocean_coals_a_cape() -> None:
    capes = {"cape_horn": {"units": [naval("germany", 1)]}}
    g = judged(BRITAIN_GERMANY, 2, capes=capes, areas={"togoland": here(marker("germany", "influence"))})
    assert at_sea(g, "cape_horn") == ["N1"]
    g = judged(BRITAIN_GERMANY, 2, capes=capes, areas={"madagascar": here(marker("germany", "influence"))})
    assert lost(g, "cape_horn") == ["germany N1"]


# Conquest


@pytest.mark.rule("SUP-003", "SUP-006")
def test_an_army_alone_in_an_enemy_area_conquers_it_and_no_marker_changes() -> None:
    areas = {
        "cuba": held("spain", "possession", army("united_states")),
        "porto_rico": held("spain", "possession", army("united_states"), army("spain")),
        "philippines": held("spain", "possession", naval("united_states", 10)),
        "rio_de_oro": held("france", "possession", army("united_states")),
    }
    g = at_war(US_SPAIN, "attack", areas=areas)
    g.act("united_states", "pass")
    assert [(c.area, c.alliance) for c in the_war(g).conquered] == [("cuba", 1)]
    assert g.kind("cuba", "spain") == "possession"


@pytest.mark.rule("SUP-003")
def test_area_is_also_conquered_after_the_enemys_attack_phase() -> None:
    areas = {"papua": held("germany", "protectorate", army("britain", 3))}
    g = at_war(BRITAIN_GERMANY, "attack", areas=areas, war={"turn_of": 2})
    closed(g)
    assert [(e.area, e.alliance) for e in g.of(events.AreaConquered)] == [("papua", 1)]


@pytest.mark.rule("SUP-005")
def test_an_area_is_reconquered_by_the_same_test() -> None:
    areas = {"papua": held("germany", "protectorate", army("germany"))}
    war = {"turn_of": 2, "conquered": [{"area": "papua", "alliance": 1}]}
    g = at_war(BRITAIN_GERMANY, "attack", areas=areas, war=war)
    closed(g)
    assert the_war(g).conquered == ()
    assert [(e.area, e.alliance) for e in g.of(events.AreaConquered)] == [("papua", 0)]


@pytest.mark.rule("SUP-029")
def test_an_area_stays_conquered_when_the_army_has_left() -> None:
    areas = {"papua": held("germany", "protectorate")}
    g = at_war(BRITAIN_GERMANY, "attack", areas=areas, war={"conquered": [{"area": "papua", "alliance": 1}]})
    closed(g)
    assert the_war(g).conqueror("papua") == 1


@pytest.mark.rule("SUP-029")
def test_only_the_enemys_share_of_a_codominion_is_conquered() -> None:
    shared = here(
        marker("britain", "possession"),
        marker("france", "possession"),
        marker("germany", "possession"),
        army("germany"),
        codominion=["britain", "france", "germany"],
    )
    g = at_war([["germany"], ["britain"]], "attack", areas={"guiana": shared})
    closed(g)
    assert the_war(g).conqueror("guiana") == 1, "Germany's own share does not make it Germany's already"
    france = at_war([["france"], ["russia"]], "attack", areas={"guiana": shared})
    closed(france)
    assert the_war(france).conqueror("guiana") == 0, "no Power is at War with a holder there"


@pytest.mark.rule("SUP-004")
def test_the_whole_alliance_is_supplied_through_what_it_has_conquered() -> None:
    # from the Dominion at the Cape overland to Angola, which Japan's Army holds without a fleet anywhere
    areas = {
        "cape_colony": held("britain", "dominion"),
        "sudwest_afrika": held("germany"),
        "angola": held("germany", "protectorate", army("japan")),
    }
    conquered = {"conquered": [{"area": "sudwest_afrika", "alliance": 1}]}
    assert lost(judged(ALLIES, 1, areas=areas, sea_zones=zones(), war=conquered), "angola") == []
    assert lost(judged(ALLIES, 1, areas=areas, sea_zones=zones()), "angola") == ["japan A1"]


@pytest.mark.rule("SUP-007")
def test_a_conquered_area_coals_the_conqueror_alone() -> None:
    areas = {"philippines": held("spain", "possession")}
    sea = {"south_china_sea": {"units": [naval("united_states", 3), naval("spain", 3)]}}
    conquered = {"conquered": [{"area": "philippines", "alliance": 1}]}
    g = judged(US_SPAIN, 1, areas=areas, sea_zones=sea, war=conquered)
    assert lost(g, "south_china_sea") == []
    g = judged(US_SPAIN, 2, areas=areas, sea_zones=sea, war=conquered)
    assert lost(g, "south_china_sea") == ["spain N3"]


# Lines


@pytest.mark.rule("SUP-008", "SUP-018")
@pytest.mark.parametrize(
    ("area", "power", "kind", "stays"),
    [
        ("new_zealand", "britain", "dominion", True),
        ("new_zealand", "britain", "possession", False),
        ("alaska", "united_states", "state", True),
        ("alaska", "united_states", "possession", False),
    ],
)
def test_dominion_or_state_is_always_in_supply(area: str, power: str, kind: str, stays: bool) -> None:
    areas = {area: held(power, kind, army(power), naval("germany", 10)), "canada": here()}
    sea = zones(north_atlantic="germany", south_atlantic="germany", south_pacific="germany", north_pacific="germany")
    g = judged([[power], ["germany"]], 1, areas=areas, sea_zones=sea)
    assert (lost(g, area) == []) is stays
    assert fell(g, area) is not stays


@pytest.mark.rule("SUP-009")
def test_an_allys_dominion_is_a_source() -> None:
    areas = {"australia": held("britain", "dominion"), "fiji": held("britain", "possession", army("japan"))}
    g = judged(ALLIES, 1, areas=areas, sea_zones=zones(oceania="japan"))
    assert lost(g, "fiji") == []
    g = judged([["japan"], ["germany"]], 1, areas=areas, sea_zones=zones(oceania="japan"))
    assert lost(g, "fiji") == ["japan A1"], "the Dominion of a neutral is none"


@pytest.mark.rule("SUP-010")
def test_only_the_fleets_of_the_units_own_power_carry_its_supply() -> None:
    areas = {"australia": held("britain", "dominion"), "fiji": held("britain", "possession", army("japan"))}
    g = judged(ALLIES, 1, areas=areas, sea_zones=zones(oceania="britain"))
    assert lost(g, "fiji") == ["japan A1"]
    assert not fell(g, "fiji")


@pytest.mark.rule("SUP-010")
def test_a_line_runs_overland_through_areas_of_the_alliance_only() -> None:
    areas = {
        "cape_colony": held("britain", "dominion"),
        "bechuanaland": held("germany", "protectorate", army("britain")),
        "sudwest_afrika": held("germany"),
        "angola": held("germany", "protectorate", army("britain")),
    }
    g = judged(BRITAIN_GERMANY, 1, areas=areas, sea_zones=zones())
    assert lost(g, "bechuanaland") == [], "next to the Dominion"
    assert lost(g, "angola") == ["britain A1"], "what lies between is the enemy's"
    areas["sudwest_afrika"] = held("britain")
    assert lost(judged(BRITAIN_GERMANY, 1, areas=areas, sea_zones=zones()), "angola") == []


@pytest.mark.rule("SUP-011")
def test_enemy_fleets_at_sea_break_no_line() -> None:
    sea = zones(north_atlantic="united_states", caribbean="united_states")
    sea["caribbean"]["units"] = [naval("spain", 10)]
    areas = {"porto_rico": held("spain", "possession", army("united_states"))}
    assert lost(judged(US_SPAIN, 1, areas=areas, sea_zones=sea), "porto_rico") == []
    sea["caribbean"]["merchant_fleets"] = []
    assert lost(judged(US_SPAIN, 1, areas=areas, sea_zones=sea), "porto_rico") == ["united_states A1"]


@pytest.mark.rule("SUP-012")
def test_a_blockaded_area_has_no_line_to_the_sea() -> None:
    sea = zones(caribbean="united_states")
    free = {"cuba": held("spain", "possession", army("united_states", 3))}
    shut = {"cuba": held("spain", "possession", army("united_states", 3), naval("spain", 1))}
    assert lost(judged(US_SPAIN, 1, areas=free, sea_zones=sea), "cuba") == []
    assert lost(judged(US_SPAIN, 1, areas=shut, sea_zones=sea), "cuba") == ["united_states A3"]


@pytest.mark.rule("SUP-012", "STR-007")
@pytest.mark.parametrize(("coasts", "stays"), [(["indian_ocean"], True), (["indian_ocean", "mediterranean"], False)])
def test_a_canal_area_is_blockaded_coast_by_coast(coasts: list[str], stays: bool) -> None:
    fleets = [naval("germany", 1, coast) for coast in coasts]
    areas = {"egypt": held("britain", "protectorate", army("britain", 3), *fleets)}
    sea = zones(north_atlantic="britain", mediterranean="britain", indian_ocean="britain")
    g = judged(BRITAIN_GERMANY, 1, areas=areas, sea_zones=sea)
    assert (lost(g, "egypt") == []) is stays


@pytest.mark.rule("SUP-012")
def test_one_fleet_blockades_every_coast_of_other_areas() -> None:
    areas = {"mexico": held("britain", "protectorate", army("britain"), naval("germany", 1, "caribbean"))}
    sea = zones(north_atlantic="britain", south_atlantic="britain", south_pacific="britain", north_pacific="britain")
    g = judged(BRITAIN_GERMANY, 1, areas=areas, sea_zones=sea)
    assert lost(g, "mexico") == ["britain A1"]


@pytest.mark.rule("SUP-013")
def test_blockaded_dominion_supplies_nothing_overseas() -> None:
    def fiji(*fleets: dict[str, Any]) -> Bench:
        areas = {
            "australia": held("britain", "dominion", army("britain", 10), *fleets),
            "fiji": held("britain", "possession", army("britain")),
        }
        return judged(BRITAIN_GERMANY, 1, areas=areas, sea_zones=zones(oceania="britain"))

    assert lost(fiji(), "fiji") == []
    g = fiji(naval("germany", 1))
    assert lost(g, "fiji") == ["britain A1"] and lost(g, "australia") == []
    assert not fell(g, "australia")


@pytest.mark.rule("SUP-013")
def test_a_blockaded_dominion_supplies_nothing_overland_either() -> None:
    def newfoundland(*fleets: dict[str, Any]) -> Bench:
        areas = {
            "canada": held("britain", "dominion", army("britain", 10), *fleets),
            "newfoundland": held("britain", "possession", army("britain")),
        }
        return judged(BRITAIN_GERMANY, 1, areas=areas, sea_zones=zones())

    assert lost(newfoundland(), "newfoundland") == []
    g = newfoundland(naval("germany", 1, "north_atlantic"))
    assert lost(g, "newfoundland") == ["britain A1"] and lost(g, "canada") == []


@pytest.mark.rule("SUP-014")
def test_a_home_country_is_never_blockaded() -> None:
    sea = zones(north_atlantic="britain")
    sea["north_atlantic"]["units"] = [naval("germany", 10), naval("germany", 10)]
    areas = {"newfoundland": held("britain", "possession", army("britain"))}
    areas["canada"] = held("germany", "possession")
    assert lost(judged(BRITAIN_GERMANY, 1, areas=areas, sea_zones=sea), "newfoundland") == []


@pytest.mark.rule("SUP-027")
def test_a_line_passes_the_cape_on_the_fleets_of_either_ocean() -> None:
    areas = {"fiji": held("britain", "possession", army("britain"))}
    sea = zones(north_atlantic="britain", south_atlantic="britain", indian_ocean="britain", oceania="britain")
    capes = {"cape_of_good_hope": {"units": [naval("germany", 10)]}}
    assert lost(judged(BRITAIN_GERMANY, 1, areas=areas, sea_zones=sea, capes=capes), "fiji") == []
    sea = zones(north_atlantic="britain", indian_ocean="britain", oceania="britain")
    assert lost(judged(BRITAIN_GERMANY, 1, areas=areas, sea_zones=sea), "fiji") == ["britain A1"]


@pytest.mark.rule("SUP-027")
def test_a_denied_canal_cuts_a_line() -> None:
    areas = {
        "fiji": held("britain", "possession", army("britain")),
        "egypt": held("france"),
    }
    sea = zones(north_atlantic="britain", mediterranean="britain", indian_ocean="britain", oceania="britain")
    assert lost(judged(BRITAIN_GERMANY, 1, areas=areas, sea_zones=sea), "fiji") == []
    denied = {"denied": [{"passage": "suez", "to": "britain", "by": "france"}]}
    assert lost(judged(BRITAIN_GERMANY, 1, areas=areas, sea_zones=sea, war=denied), "fiji") == ["britain A1"]


@pytest.mark.rule("SUP-028")
def test_army_at_sea_is_supplied_by_its_merchant_fleet() -> None:
    sea = zones(caribbean="united_states")
    sea["caribbean"]["units"] = [army("united_states")]
    assert lost(judged(US_SPAIN, 1, sea_zones=sea), "caribbean") == []
    sea["caribbean"]["merchant_fleets"] = ["britain"]
    assert lost(judged(US_SPAIN, 1, sea_zones=sea), "caribbean") == ["united_states A1"]


@pytest.mark.rule("SUP-028")
def test_an_army_at_a_cape_needs_a_line_from_there() -> None:
    capes = {"cape_horn": {"units": [army("united_states")]}}
    sea = zones(caribbean="united_states", south_pacific="united_states")
    assert lost(judged(US_SPAIN, 1, sea_zones=sea, capes=capes), "cape_horn") == ["united_states A1"]
    canal = {"panama": {**held("united_states"), "canal": True}}
    assert lost(judged(US_SPAIN, 1, sea_zones=sea, capes=capes, areas=canal), "cape_horn") == []


# Areas


@pytest.mark.rule("SUP-001", "SUP-016", "SUP-017", "SUP-018")
@pytest.mark.parametrize(("mediterranean", "falls"), [("", False), ("united_states", True)])
def test_isolated_area_falls_if_the_enemy_can_reach_it(mediterranean: str, falls: bool) -> None:
    areas = {
        "tunis": held("spain", "protectorate", army("spain")),
        "algiers": held("france", "possession"),
        "tripoli": here(),
        "taureg": here(),
    }
    sea = zones(north_atlantic="united_states", mediterranean=mediterranean)
    sea["mediterranean"]["units"] = [naval("spain", 10)]
    g = judged(US_SPAIN, 2, areas=areas, sea_zones=sea)
    assert lost(g, "tunis") == ["spain A1"]
    assert (the_war(g).conqueror("tunis") == 1) is falls, "fleets in the way and coal do not matter"


@pytest.mark.rule("SUP-001", "SUP-016")
@pytest.mark.parametrize(("oceania", "lost_again"), [("", False), ("germany", True)])
def test_isolated_conquest_returns_if_its_owner_can_reach_it(oceania: str, lost_again: bool) -> None:
    areas = {"papua": held("germany", "protectorate")}
    sea = zones(**dict.fromkeys(("north_atlantic", "south_atlantic", "indian_ocean"), "germany"), oceania=oceania)
    war = {"conquered": [{"area": "papua", "alliance": 1}]}
    g = judged(BRITAIN_GERMANY, 1, areas=areas, sea_zones=sea, war=war)
    assert fell(g, "papua") is lost_again
    assert the_war(g).conqueror("papua") == (0 if lost_again else 1)


@pytest.mark.rule("SUP-017")
def test_reach_runs_overland_through_open_areas() -> None:
    areas = {
        "uganda": held("britain"),
        "kenya": held("germany", "protectorate"),
        "tanganyika": held("germany", "protectorate", army("germany")),
    }
    assert fell(judged(BRITAIN_GERMANY, 1, areas=areas, sea_zones=zones()), "uganda")
    areas["tanganyika"] = held("germany", "protectorate")
    assert not fell(judged(BRITAIN_GERMANY, 1, areas=areas, sea_zones=zones()), "uganda"), "no Army far and wide"
    areas["kenya"] = held("france", "protectorate")
    areas["tanganyika"] = held("france", "protectorate")
    areas["mozambique"] = held("germany", "protectorate", army("germany"))
    assert not fell(judged(BRITAIN_GERMANY, 1, areas=areas, sea_zones=zones()), "uganda"), "neutral land is closed"


@pytest.mark.rule("SUP-016")
@pytest.mark.parametrize("order", [[1, 2, 3], [1, 3, 2]])
def test_first_alliance_of_the_cycle_takes_an_isolated_area(order: list[int]) -> None:
    areas = {
        "uganda": held("britain"),
        "kenya": held("germany", "protectorate", army("germany")),
        "kongo": held("france", "protectorate", army("france")),
    }
    sides: Sides = [["britain"], ["germany"], ["france"]]
    g = judged(sides, 1, areas=areas, sea_zones=zones(), war={"order": order})
    assert fell(g, "uganda") and the_war(g).conqueror("uganda") == order[1]


@pytest.mark.rule("SUP-017")
def test_army_crosses_a_cape_on_fleets_of_an_adjacent_ocean() -> None:
    areas = {"madagascar": held("britain"), "egypt": here()}
    sea = zones(north_atlantic="germany", south_atlantic="germany", indian_ocean="germany")
    assert fell(judged(BRITAIN_GERMANY, 1, areas=areas, sea_zones=sea), "madagascar")
    sea = zones(north_atlantic="germany", indian_ocean="germany")
    assert not fell(judged(BRITAIN_GERMANY, 1, areas=areas, sea_zones=sea), "madagascar")


@pytest.mark.rule("SUP-030")
def test_an_area_draws_supply_by_the_fleets_of_its_own_holders_one_at_a_time() -> None:
    japanese = zones(north_atlantic="germany", south_atlantic="germany", indian_ocean="germany japan",
                     south_china_sea="japan", north_china_sea="japan")  # fmt: skip
    aden = {"aden": held("britain", "possession")}
    assert fell(judged(ALLIES, 1, areas=aden, sea_zones=japanese), "aden")
    both = here(marker("britain", "possession"), marker("japan", "possession"), codominion=["britain", "japan"])
    assert not fell(judged(ALLIES, 1, areas={"aden": both}, sea_zones=japanese), "aden")
    mixed = zones(north_atlantic="germany", south_atlantic="germany", indian_ocean="germany britain",
                  south_china_sea="japan", north_china_sea="japan")  # fmt: skip
    assert fell(judged(ALLIES, 1, areas={"aden": both}, sea_zones=mixed), "aden"), "fleets are not mixed"


@pytest.mark.rule("SUP-026")
def test_supply_is_tested_on_the_position_at_the_start_of_the_phase() -> None:
    # New Guinea has no British fleet and falls; Japan's Army in Papua behind it has its only line through it
    areas = {
        "new_guinea": held("britain", "protectorate"),
        "papua": held("germany", "protectorate", army("japan")),
        "bismarck_archipelago": held("germany", "protectorate", army("germany")),
        "kaiser_wilhelms_land": here(),
    }
    sea = zones(oceania="japan germany", north_pacific="japan")
    areas["papua"]["units"].append(naval("germany", 1))
    g = judged(ALLIES, 1, areas=areas, sea_zones=sea)
    assert fell(g, "new_guinea") and g.units("papua", "japan") == ["A1"]
    war = the_war(g)
    assert [(power, place) for power, place, _ in supply.supply_verdict(g.tables, g.state, war, 1).armies] == [
        ("japan", "papua")
    ], "what follows counts in the next Phase"


# Units never supplied


@pytest.mark.rule("SUP-031")
def test_minor_pieces_never_supplied_are_not_tested() -> None:
    g = negotiating(("united_states", "spain"), phase="war")
    g.act("united_states", "declare war spain")
    g.advance()
    war = the_war(g)
    assert {"cuba", "porto_rico", "spain cuba", "spain porto_rico"} <= set(war.unsupplied)
    assert "rio_de_oro" not in war.unsupplied
    found = supply.supply_verdict(g.tables, g.state, war, 2)
    assert not {area for area, _ in found.areas} & {"cuba", "porto_rico"}
    assert not [place for power, place, _ in found.armies if power == "spain"]


@pytest.mark.rule("SUP-031")
def test_pieces_once_supplied_are_tested_from_then_on() -> None:
    g = wars.at_war(US_SPAIN, "supply", options=UNLIMITED, war={"turn_of": 2})
    assert "spain cuba" in the_war(g).unsupplied
    without = g.state
    fleets = {**without.sea_zones, "caribbean": ("united_states", "spain")}
    g.state = replace(without, sea_zones=fleets)
    g.advance()
    assert {"cuba", "spain cuba"} <= {e.what for e in g.of(events.SupplyFound)}
    assert "spain cuba" not in the_war(g).unsupplied and g.units("cuba", "spain", "army") == ["A3"]
    g.state = replace(g.state, sea_zones=without.sea_zones)
    found = supply.supply_verdict(g.tables, g.state, the_war(g), 2)
    assert ("spain", "cuba", ("A3",)) in found.armies and ("cuba", 1) in found.areas


@pytest.mark.rule("SUP-031")
def test_a_great_power_is_tested_from_the_start() -> None:
    g = negotiating(("united_states", "britain"), phase="war", sea_zones=zones())
    g.act("united_states", "declare war britain")
    g.advance()
    assert the_war(g).unsupplied == ()


@pytest.mark.rule("SUP-008")
def test_an_army_at_home_needs_no_line() -> None:
    g = at_war(BRITAIN_GERMANY)
    assert supply_lines.is_army_supplied(g.tables, g.state, the_war(g), "germany", "home:germany")
