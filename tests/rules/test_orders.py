"""The General Orders in War (ORD 9 to 11): automatic orders for uncommanded forces, and limits for commanders of
abandoned Powers."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.games.pax.events import events
from paxtui.games.pax.menus.legal import legal_actions
from paxtui.games.pax.state.model import units_at
from paxtui.games.pax.state.pieces import home_place
from tests.rules import wars
from tests.rules.harness import UNLIMITED, Bench, army, at_home, held, here, marker, naval
from tests.rules.wars import at_sea, place, the_war, zone

ITALY_SPAIN = [["italy"], ["spain"]]
REBELLION = [["china"], ["france"]]


def war(sides: list[list[str]], phase: str = "maneuver", *, of: str = "italy", **patch: Any) -> Bench:
    """A War in which the Power `of` is abandoned, pieces without limit."""
    return wars.at_war(sides, phase, options=UNLIMITED, abandoned=[of], **patch)


def rebellion(cycle: int = 1, **patch: Any) -> Bench:
    """A Rebellion against abandoned France alone, which is to move."""
    settings = {"kind": "rebellion", "turn_of": 2, "cycle": cycle, **patch.pop("war", {})}
    return war(REBELLION, of="france", war=settings, **patch)


def sent(*units: dict[str, Any], fleets: tuple[str, ...] = ("italy", "spain")) -> dict[str, Any]:
    """Sea Zones of a patch: Units in the Mediterranean."""
    return {"mediterranean": zone(*fleets, units=units)}


def standing(g: Bench, where: str, power: str) -> list[str]:
    """Names of the Units of a Power in a place, sorted."""
    return sorted(u.name for u in units_at(g.state, where) if u.power == power)


def moved(g: Bench) -> list[str]:
    """Moves of the first Phase, each "unit from > to"."""
    ended = next((n for n, e in enumerate(g.events) if isinstance(e, events.WarPhaseBegan)), None)
    return [f"{e.units[0]} {e.path[0]} > {e.path[1]}" for e in g.events[:ended] if isinstance(e, events.UnitsMoved)]


def battles(g: Bench) -> list[str]:
    """Places of the combats since the start."""
    return [e.place for e in g.events if isinstance(e, events.BattleFought)]


EMPTY = {area: here() for area in ("marocco", "rio_de_oro", "tunis", "tripoli", "cuba", "porto_rico", "philippines")}


# Command


@pytest.mark.rule("ORD-036")
def test_an_abandoned_power_is_commanded_by_its_great_power_ally() -> None:
    areas = {"tunis": held("italy", "possession", army("italy"), army("italy", 3))}
    g = war([["italy", "france"], ["spain"]], areas=areas)
    assert "italy" not in g.waiting() and "france" in g.waiting()
    g.act("france", "italy: move A3 tunis > mediterranean")
    assert at_sea(g, "mediterranean", "italy") == ["A3"]


@pytest.mark.rule("ORD-036", "ORD-045")
def test_without_an_ally_the_engine_commands_it() -> None:
    areas = {**EMPTY, "marocco": held("spain", "possession", army("spain"))}
    g = war(ITALY_SPAIN, areas=areas, sea_zones=sent(army("italy", 3)))
    assert g.waiting() == (), "its empty seat is not waited for"
    g.advance()
    assert standing(g, "marocco", "italy") == ["A3"]


@pytest.mark.rule("ORD-036")
def test_two_allies_do_not_have_to_agree_about_an_abandoned_power() -> None:
    areas = {"tunis": held("italy", "possession", army("italy"), army("italy", 3))}
    g = war([["italy", "france", "britain"], ["spain"]], areas=areas)
    g.act("britain", "italy: move A3 tunis > mediterranean")
    assert at_sea(g, "mediterranean", "italy") == ["A3"]
    assert g.refused("france", "italy: move A1 tunis > mediterranean").code == "not_your_power"


# 9a, 9b, 9c


def cut_off() -> dict[str, Any]:
    """Italy's A3 in an inland Area behind a Spanish coast that Italian Merchant Fleets reach."""
    inland = {"taureg": held("spain", "possession", army("italy", 3)), "mauretania": held("spain", "possession")}
    return {**EMPTY, **inland, "marocco": held("spain", "possession")}


@pytest.mark.rule("ORD-037")
def test_units_out_of_supply_move_toward_supply() -> None:
    g = war(ITALY_SPAIN, areas=cut_off(), sea_zones=sent(), war={"cycle": 2})
    g.advance()
    assert moved(g) == ["A3 taureg > marocco"]


@pytest.mark.rule("ORD-037", "SUP-031")
def test_units_never_supplied_do_not_move_toward_supply() -> None:
    areas = {**EMPTY, "cuba": held("spain", "possession", army("spain"), army("spain", 3))}
    g = wars.at_war([["united_states"], ["spain"]], areas=areas, war={"order": [2, 1], "turn_of": 2, "cycle": 2})
    assert "spain cuba" in the_war(g).unsupplied
    g.advance()
    assert standing(g, "cuba", "spain") == ["A1", "A3"]


@pytest.mark.rule("ORD-038")
@pytest.mark.parametrize(
    ("ours_", "theirs_", "fights"),
    [((3, 3, 1), (3, 1, 1), False), ((3, 3, 1, 1), (3, 1, 1), True), ((3, 3), (3, 1), True)],
)
def test_a_combat_is_started_at_three_to_two_only(
    ours_: tuple[int, ...], theirs_: tuple[int, ...], fights: bool
) -> None:
    ours, theirs = [army("spain", s) for s in ours_], [army("united_states", s) for s in theirs_]
    g = wars.at_war(
        [["united_states"], ["spain"]],
        "attack",
        options=UNLIMITED,
        areas={"cuba": held("spain", "possession", *ours, *theirs)},
        war={"order": [2, 1], "turn_of": 2},
    )
    g.advance()
    assert battles(g)[:1] == (["cuba"] if fights else [])


@pytest.mark.rule("ORD-039", "ORD-041")
def test_a_garrison_keeps_its_smallest_army() -> None:
    areas = {**EMPTY, "marocco": held("spain", "possession", army("spain"))}
    garrison = held("italy", "possession", army("italy"), army("italy", 3))
    g = war(ITALY_SPAIN, areas={**areas, "tunis": garrison}, sea_zones=sent())
    g.advance()
    assert moved(g) == ["A3 tunis > mediterranean"] and standing(g, "tunis", "italy") == ["A1"]
    g = war(ITALY_SPAIN, areas={**areas, "tunis": held("italy", "possession", army("italy", 3))}, sea_zones=sent())
    g.advance()
    assert standing(g, "tunis", "italy") == ["A3"], "its only Army stays"


@pytest.mark.rule("ORD-039")
def test_the_last_army_of_an_area_that_is_cut_off_stays() -> None:
    areas = {**cut_off(), "taureg": held("italy", "possession", army("italy", 3))}
    g = war(ITALY_SPAIN, areas=areas, sea_zones=sent())
    g.advance()
    assert moved(g) == []


# General Order 10

SCS = "south_china_sea"
CHINA: dict[str, Any] = {"hong_kong": here(), "yunnan": here(marker("france", "influence"))}


def at_china(*units: dict[str, Any]) -> dict[str, Any]:
    """Sea Zones of a patch: French Units off the Chinese coast."""
    return {SCS: zone("france", units=units)}


@pytest.mark.rule("ORD-040", "ORD-042")
def test_armies_at_sea_land_in_the_nearest_chinese_area_but_formosa() -> None:
    g = rebellion(areas=CHINA, sea_zones=at_china(army("france", 10)))
    g.advance()
    # value 6: Hong Kong (1) before Indochina (3); Formosa is as good as Hong Kong, and left out
    assert moved(g) == ["A10 south_china_sea > hong_kong"]


@pytest.mark.rule("ORD-042")
def test_own_status_comes_before_value() -> None:
    areas = {**CHINA, "fukien": here(marker("france", "influence"))}
    g = rebellion(areas=areas, sea_zones=at_china(army("france", 10)))
    g.advance()
    assert moved(g) == ["A10 south_china_sea > fukien"]


@pytest.mark.rule("ORD-040", "ORD-038")
def test_a_landing_that_would_fight_below_the_odds_is_not_made() -> None:
    areas = {**CHINA, "fukien": here(marker("france", "influence"))}  # strength 5 against 3
    g = rebellion(areas=areas, sea_zones=at_china(army("france", 3)))
    g.advance()
    assert moved(g) == ["A3 south_china_sea > hong_kong"]


COLONY: dict[str, Any] = {
    **CHINA,
    "cochinchina": held("france", "possession", army("france", 10), army("france")),
    "indochina": here(marker("france", "influence")),
}


@pytest.mark.rule("ORD-041")
@pytest.mark.parametrize("cycle", [1, 2])
def test_spare_garrison_armies_move_in_the_first_cycle(cycle: int) -> None:
    g = rebellion(cycle, areas=COLONY)
    g.advance()
    assert ("A10 cochinchina > indochina" in moved(g)) is (cycle == 1)
    assert "A1" in standing(g, "cochinchina", "france")


@pytest.mark.rule("ORD-040")
def test_marching_armies_continue() -> None:
    g = rebellion(2, areas=COLONY, war={"marching": ["france cochinchina A10"]})
    assert the_war(g).marching == ("france cochinchina A10",)
    g.advance()
    assert moved(g) == ["A10 cochinchina > indochina"]
    assert [e.there for e in g.all_of(events.UnitMarches)] == [True]


@pytest.mark.rule("ORD-040")
def test_a_march_overland_is_remembered_until_it_arrives() -> None:
    areas = {
        **CHINA,
        "cochinchina": held("france", "possession", army("france")),
        "burma": here(),
        "indochina": held("france", "possession"),
        "yunnan": held("france", "possession"),
        "hong_kong": here(),
    }
    malaya = {"federated_malay_states": held("france", "possession", army("france", 10), army("france"))}
    g = rebellion(areas={**areas, "siam": held("france", "possession"), **malaya}, sea_zones={SCS: zone()})
    g.advance()
    assert moved(g) == ["A10 federated_malay_states > siam"]
    assert next((e.path, e.there) for e in g.all_of(events.UnitMarches)) == (("federated_malay_states", "siam"), False)


# General Order 11


@pytest.mark.rule("ORD-043")
def test_armies_go_to_the_nearest_area_of_a_lone_minor_power() -> None:
    areas = {**EMPTY, "marocco": held("spain", "possession"), "rio_de_oro": held("spain", "possession")}
    g = war(ITALY_SPAIN, areas=areas, sea_zones=sent(army("italy", 3)))
    g.advance()
    assert moved(g) == ["A3 mediterranean > marocco"]


@pytest.mark.rule("ORD-009", "ORD-043")
@pytest.mark.parametrize(("declared", "cycle", "goes"), [("italy", 1, True), ("italy", 2, False), ("spain", 1, False)])
def test_armies_leave_home_in_the_first_cycle_of_a_declared_war(declared: str, cycle: int, goes: bool) -> None:
    g = war(
        ITALY_SPAIN,
        areas={**EMPTY, "marocco": held("spain", "possession")},
        homes={"spain": {"units": []}, **at_home("italy", army("italy", 3))},
        sea_zones=sent(),
        war={"declared": [declared], "cycle": cycle, "over": ["marocco"]},
    )
    g.advance()
    assert moved(g) == (["A3 home:italy > mediterranean"] if goes else [])


@pytest.mark.rule("ORD-045")
@pytest.mark.parametrize(("ours", "to"), [((3, 3, 1, 1), "tunis"), ((3, 1), "marocco"), ((1, 1), "")])
def test_the_target_is_the_largest_force_that_can_be_beaten(ours: tuple[int, ...], to: str) -> None:
    areas = {
        **EMPTY,
        "tunis": held("spain", "possession", army("spain", 3), army("spain"), army("spain")),  # 5
        "marocco": held("spain", "possession", army("spain"), army("spain")),  # 2
    }
    g = war(ITALY_SPAIN, areas=areas, sea_zones=sent(*(army("italy", s) for s in ours)))
    g.advance()
    assert {m.rpartition(" ")[2] for m in moved(g)} == ({to} if to else set())


@pytest.mark.rule("ORD-042", "ORD-045")
@pytest.mark.parametrize(
    ("tripoli", "marocco", "to"),
    [
        ((marker("spain", "possession"),), (marker("spain", "possession"), marker("italy", "interest")), "marocco"),
        ((marker("spain", "possession"),), (marker("spain", "possession"),), "tunis"),
    ],
)
def test_equal_forces_are_ranked_by_status_value_and_strength(tripoli: Any, marocco: Any, to: str) -> None:
    areas = {
        **EMPTY,
        "tripoli": here(*tripoli, army("spain", 3)),  # value 4
        "marocco": here(*marocco, army("spain", 3)) if to == "marocco" else here(),  # 5, strength 3
        "tunis": held("spain", "possession", army("spain", 3)),  # 5, strength 3
    }
    g = war(ITALY_SPAIN, areas=areas, sea_zones=sent(army("italy", 10)))
    g.advance()
    assert moved(g) == [f"A10 mediterranean > {to}"]


@pytest.mark.rule("ORD-042")
def test_a_last_tie_is_drawn() -> None:
    areas = {**EMPTY, **{a: held("spain", "possession", army("spain", 3)) for a in ("tunis", "marocco")}}
    found = set()
    for seed in range(8):
        g = war(ITALY_SPAIN, areas=areas, sea_zones=sent(army("italy", 10)))
        g.seed = f"tie{seed}"
        g.advance()
        found.add(moved(g)[0])
    assert found == {"A10 mediterranean > tunis", "A10 mediterranean > marocco"}


@pytest.mark.rule("ORD-044")
@pytest.mark.parametrize("spanish", [True, False])
def test_fleets_move_if_both_sides_have_fleets(spanish: bool) -> None:
    fleet = (naval("spain", 3),) if spanish else ()
    g = war(
        ITALY_SPAIN,
        areas={**EMPTY, "marocco": held("spain", "possession", army("spain"), *fleet)},
        homes={"spain": {"units": []}, **at_home("italy", naval("italy", 10))},
        sea_zones=sent(),
    )
    g.advance()
    assert ("N10 home:italy > mediterranean" in moved(g)) is spanish


def test_units_at_home_stay() -> None:
    areas = {**EMPTY, "marocco": held("spain", "possession", army("spain"))}
    g = war(ITALY_SPAIN, areas=areas, homes=at_home("italy", army("italy", 10)), sea_zones=sent())
    g.advance()
    assert standing(g, home_place("italy"), "italy") == ["A10"]


@pytest.mark.rule("WAR-021", "ORD-045")
def test_a_minor_power_without_an_ally_follows_the_same_orders() -> None:
    areas = {
        "cuba": held("spain", "possession", army("spain"), army("spain", 10)),
        "porto_rico": held("spain", "possession", army("united_states", 3)),
    }
    fleets = {"caribbean": zone("spain"), "north_atlantic": zone("spain")}
    g = wars.at_war(
        [["united_states"], ["spain"]],
        options=UNLIMITED,
        areas=areas,
        sea_zones=fleets,
        war={"order": [2, 1], "turn_of": 2},
    )
    g.advance()
    assert moved(g) == ["A10 cuba > caribbean"]


# Limits of a commander

ALLIES = [["italy", "france"], ["spain"]]


def bound(g: Bench, order: str, rule: str) -> str:
    """The code of the refusal, by a rule, of an order of the French seat; asserts that the menu does not offer it."""
    refusal = g.refused("france", order)
    assert {rule, "ORD-046"} <= set(refusal.rules), refusal
    assert order not in set(legal_actions(g.tables, g.state, "france").texts())
    return refusal.code


@pytest.mark.rule("ORD-046", "ORD-039")
def test_commander_does_not_remove_a_garrison() -> None:
    areas = {"tunis": held("italy", "possession", army("italy"))}
    g = war(ALLIES, areas=areas)
    assert bound(g, "italy: move A1 tunis > mediterranean", "ORD-039") == "last_garrison"
    g = war(ALLIES, areas={"tunis": held("italy", "possession", army("italy"), army("italy"))})
    refusal = g.refused("france", "italy: move A1 A1 tunis > mediterranean")
    assert refusal.code == "last_garrison", "two at once neither"
    g.act("france", "italy: move A1 tunis > mediterranean")
    assert bound(g, "italy: move A1 tunis > mediterranean", "ORD-039") == "last_garrison"


@pytest.mark.rule("ORD-046", "ORD-037")
def test_commander_does_not_move_units_out_of_supply() -> None:
    g = war(ALLIES, areas={**cut_off(), "algiers": here()}, sea_zones=sent())
    assert bound(g, "italy: move A3 taureg > mauretania", "ORD-037") == "away_from_supply"
    g.act("france", "italy: move A3 taureg > marocco")


@pytest.mark.rule("ORD-046", "ORD-038")
def test_a_commander_does_not_attack_below_the_odds() -> None:
    theirs = (army("spain", 3), army("spain"), army("spain"))
    g = war(ALLIES, "attack", areas={"tunis": held("spain", "possession", *theirs, army("italy", 3))})
    assert bound(g, "italy: attack tunis", "ORD-038") == "below_odds"
    strong = held("spain", "possession", *theirs, army("italy", 3), army("italy", 3), army("italy"), army("italy"))
    g = war(ALLIES, "attack", areas={"tunis": strong})
    g.act("france", "italy: attack tunis")
    assert battles(g) == ["tunis"]


@pytest.mark.rule("ORD-046", "ORD-038", "WCB-006")
def test_commander_does_not_join_an_attack_below_the_odds() -> None:
    theirs = (army("spain", 3), army("spain"), army("spain"))
    ours = (army("italy", 3), army("france", 3))
    g = war(ALLIES, "attack", areas={"tunis": held("spain", "possession", *theirs, *ours)})
    g.act("france", "attack tunis")
    (choice,) = g.pending()
    assert (choice.power, choice.seat) == ("italy", "france")
    assert g.refused("france", f"choose {choice.id} attack").code == "below_odds"
    g.act("france", f"choose {choice.id} stand aside")
    assert battles(g) == ["tunis"]


@pytest.mark.rule("ORD-046")
def test_other_powers_are_not_bound_by_general_orders() -> None:
    areas = {"tunis": held("france", "possession", army("france"))}
    g = war(ALLIES, areas=areas)
    g.act("france", "move A1 tunis > mediterranean")
    assert at_sea(g, "mediterranean", "france") == ["A1"]
    assert place(g) == ("maneuver", 1)


@pytest.mark.rule("ORD-043")
def test_nearest_undefended_area_comes_before_the_richest() -> None:
    areas = {**EMPTY, "rio_de_oro": held("spain", "possession"), "tunis": held("spain", "possession")}
    zones = {**sent(), "north_atlantic": zone("italy", units=(army("italy", 3),))}
    g = war(ITALY_SPAIN, areas=areas, sea_zones=zones)
    g.advance()
    assert moved(g) == ["A3 north_atlantic > rio_de_oro"]
