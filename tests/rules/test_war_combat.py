"""Combat in War (WCB): attackers and defenders, the six results, losses, retreats; entered Codominions (WCD)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from paxtui.engine.dice import Dice
from paxtui.games.pax.combat import results
from paxtui.games.pax.events import events
from paxtui.games.pax.menus.legal import legal_actions
from paxtui.games.pax.state.pieces import home_place
from paxtui.games.pax.transaction import Transaction
from paxtui.games.pax.war.campaign import maneuver
from tests.rules import wars
from tests.rules.harness import UNLIMITED, Bench, army, held, here, marker, naval
from tests.rules.wars import Sides, all_pass, at_sea, the_war

JAPAN_RUSSIA: Sides = [["japan"], ["russia"]]
WITH_BRITAIN: Sides = [["japan", "britain"], ["russia"]]


def at_war(sides: Sides, phase: str = "attack", **patch: Any) -> Bench:
    """A War with unlimited pieces, by default in an Attack Phase."""
    return wars.at_war(sides, phase, options=UNLIMITED, **patch)


def armies(power: str, *strengths: int) -> list[dict[str, Any]]:
    """Army Units of a patch."""
    return [army(power, n) for n in strengths]


def manchuria(*units: dict[str, Any], sides: Sides = JAPAN_RUSSIA, **more: Any) -> Bench:
    """Manchuria, Russian, with these Units; Japan's Attack Phase. Korea is Japanese, and there is no other way out."""
    areas = {"manchuria": held("russia", "protectorate", *units), "korea": held("japan")}
    seas = {"north_china_sea": {"merchant_fleets": []}}
    return at_war(
        sides, areas={**areas, **more.pop("areas", {})}, sea_zones={**seas, **more.pop("sea_zones", {})}, **more
    )


def battle(g: Bench) -> events.BattleFought:
    """The one battle of the last act."""
    (found,) = g.of(events.BattleFought)
    return found


def answer(g: Bench, seat: str, words: str) -> None:
    """Answer the only pressing choice of a seat."""
    (choice,) = [c for c in g.state.choices if c.seat == seat and c.about.pressing]
    g.act(seat, f"choose {choice.id} {words}")


def pressing_choices(g: Bench) -> list[tuple[str, str]]:
    """Kind and seat of each pressing choice."""
    return [(c.kind, c.seat) for c in g.state.choices if c.about.pressing]


# Legal attacks


@pytest.mark.rule("WCB-002")
def test_only_the_phasing_alliance_attacks_and_only_its_enemies() -> None:
    g = manchuria(*armies("japan", 3), *armies("russia", 3), *armies("france", 1))
    assert g.refused("russia", "attack manchuria").code == "not_your_turn"
    assert g.refused("france", "attack manchuria").code == "neutral"
    areas = {"manchuria": held("france", "protectorate", *armies("japan", 3), *armies("france", 1))}
    g = at_war(JAPAN_RUSSIA, areas=areas)
    assert g.refused("japan", "attack manchuria").code == "no_enemy"
    assert g.refused("japan", "attack manchuria naval").code == "no_units"


@pytest.mark.rule("WCB-002")
def test_nobody_attacks_in_a_maneuver_phase() -> None:
    areas = {"manchuria": held("russia", "protectorate", *armies("japan", 3), *armies("russia", 3))}
    g = at_war(JAPAN_RUSSIA, "maneuver", areas=areas)
    assert g.refused("japan", "attack manchuria").code == "other_war_phase"


@pytest.mark.rule("WCB-003")
def test_enemy_in_a_neighboring_area_is_not_attacked() -> None:
    areas = {
        "korea": held("japan", "protectorate", *armies("japan", 3)),
        "manchuria": held("russia", "protectorate", *armies("russia", 1)),
    }
    g = at_war(JAPAN_RUSSIA, areas=areas)
    assert g.refused("japan", "attack manchuria").code == "no_units"
    assert g.refused("japan", "attack korea").code == "no_enemy"


@pytest.mark.rule("WCB-004", "WCB-033")
def test_at_sea_only_fleets_fight() -> None:
    units = [naval("japan", 3), army("japan", 10), naval("russia", 3), army("russia", 10)]
    g = at_war(JAPAN_RUSSIA, sea_zones={"north_china_sea": {"units": units}})
    g.dice(6)
    g.act("japan", "attack north_china_sea")
    fought = battle(g)
    assert (fought.kind, fought.attack, fought.defend, fought.result) == ("naval", 3, 3, "DE")
    assert [s.name for s in the_war(g).surrendered if s.power == "russia"] == ["A10"], "alone among enemy fleets"


@pytest.mark.rule("WCB-005", "WCB-032", "WCB-033")
@pytest.mark.parametrize("first", ["naval", ""])
def test_armies_and_fleets_fight_separately_in_any_order(first: str) -> None:
    g = manchuria(*armies("japan", 1), *armies("russia", 3), naval("japan", 10), naval("russia", 3))
    g.dice(6, 6)
    g.act("japan", f"attack manchuria {first}".strip())
    g.act("japan", "attack manchuria" if first else "attack manchuria naval")
    fought = {e.kind: (e.attack, e.defend) for e in g.all_of(events.BattleFought)}
    assert fought == {"army": (1, 3), "naval": (10, 3)}


@pytest.mark.rule("WCB-032")
def test_fleets_need_not_attack() -> None:
    g = at_war(JAPAN_RUSSIA, sea_zones={"north_china_sea": {"units": [naval("japan", 10), naval("russia", 3)]}})
    g.act("japan", "pass")
    assert g.all_of(events.BattleFought) == [] and at_sea(g, "north_china_sea") == ["N10", "N3"]


@pytest.mark.rule("WCB-006")
def test_one_combat_per_place_and_phase() -> None:
    g = manchuria(*armies("japan", 10), *armies("russia", 10))
    g.dice(4)
    g.act("japan", "attack manchuria")
    assert battle(g).result == "HX"
    g = manchuria(*armies("japan", 3), *armies("russia", 3, 1))
    g.dice(4)
    g.act("japan", "attack manchuria")
    assert g.refused("japan", "attack manchuria").code == "fought_here"


# Allies


@pytest.mark.rule("WCB-006", "WCB-011", "WCB-015")
def test_an_ally_joins_and_makes_eight_to_five_three_to_two() -> None:
    g = manchuria(*armies("japan", 3, 3, 1), *armies("britain", 1), *armies("russia", 3, 1, 1), sides=WITH_BRITAIN)
    g.dice(5)
    g.act("japan", "attack manchuria")
    assert pressing_choices(g) == [("join_attack", "britain")] and g.of(events.BattleFought) == [], (
        "no die before all have answered"
    )
    assert g.refused("japan", "attack manchuria").code == "choose_first"
    answer(g, "britain", "attack")
    fought = battle(g)
    assert (fought.attack, fought.defend, fought.table, fought.column) == (8, 5, 2, "3-2")
    assert fought.attackers == ("japan", "britain") and fought.result == "DR"


@pytest.mark.rule("WCB-015", "WCB-014")
def test_seven_to_five_is_one_to_one() -> None:
    g = manchuria(*armies("japan", 3, 3, 1), *armies("russia", 3, 1, 1))
    g.dice(6)
    g.act("japan", "attack manchuria")
    fought = battle(g)
    assert (fought.attack, fought.defend, fought.table, fought.column) == (7, 5, 2, "1-1")


@pytest.mark.rule("WCB-006", "WCB-010", "WCB-016")
def test_ally_that_does_not_join_loses_nothing() -> None:
    g = manchuria(*armies("japan", 3, 3, 1), *armies("britain", 1), *armies("russia", 3, 1, 1), sides=WITH_BRITAIN)
    g.dice(1)
    g.act("japan", "attack manchuria")
    answer(g, "britain", "stand aside")
    fought = battle(g)
    assert (fought.attack, fought.column, fought.result, fought.aside) == (7, "1-1", "AR", ("britain",))
    assert g.units("manchuria", "britain") == ["A1"]
    assert g.units("manchuria", "japan") == [] and g.units("korea", "japan") == ["A1", "A3", "A3"]
    assert g.refused("britain", "attack manchuria").code == "fought_here"


@pytest.mark.rule("WCB-006")
def test_every_ally_decides_in_turn() -> None:
    units = [*armies("japan", 3), *armies("britain", 1), *armies("france", 1), *armies("russia", 3)]
    g = manchuria(*units, sides=[["japan", "britain", "france"], ["russia"]])
    g.dice(6)
    g.act("britain", "attack manchuria")
    assert pressing_choices(g) == [("join_attack", "japan")]
    answer(g, "japan", "stand aside")
    assert pressing_choices(g) == [("join_attack", "france")]
    answer(g, "france", "attack")
    assert (battle(g).attack, battle(g).attackers, battle(g).aside) == (2, ("britain", "france"), ("japan",))


@pytest.mark.rule("WCB-007")
def test_a_minor_ally_attacks_with_its_great_ally() -> None:
    areas = {
        "cuba": held("spain", "possession", *armies("united_states", 3), *armies("belgium", 1), *armies("spain", 3))
    }
    g = at_war([["united_states", "belgium"], ["spain"]], areas=areas)
    assert g.refused("united_states", "belgium: attack cuba").code == "with_its_ally"
    assert "belgium: attack cuba" not in legal_actions(g.tables, g.state, "united_states").orders
    g.dice(2)
    g.act("united_states", "attack cuba")
    assert pressing_choices(g) == [] and battle(g).attack == 4 and battle(g).attackers == ("united_states", "belgium")


@pytest.mark.rule("WCB-007", "WCB-002")
def test_commander_of_a_minor_power_with_an_ally_is_not_waited_for() -> None:
    units = [*armies("united_states", 3), *armies("belgium", 1), *armies("spain", 3)]
    areas = {"cuba": held("spain", "possession", *units)}
    g = at_war([["united_states", "britain", "belgium"], ["spain"]], areas=areas)
    assert g.waiting() == ("united_states",)


@pytest.mark.rule("WCB-008")
def test_minor_power_attacks_if_all_its_allies_agree() -> None:
    areas = {"cuba": held("united_states", "possession", *armies("spain", 3), *armies("united_states", 1))}
    g = at_war([["spain", "france", "italy"], ["united_states"]], areas=areas)
    g.act("france", "spain: attack cuba")
    assert g.all_of(events.BattleFought) == []
    g.act("italy", "pass")
    assert g.all_of(events.BattleFought) == [], "one ally does not want it"
    g = at_war([["spain", "france", "italy"], ["united_states"]], areas=areas)
    g.dice(6)
    g.act("france", "spain: attack cuba")
    g.act("italy", "spain: attack cuba")
    assert battle(g).attackers == ("spain",)


@pytest.mark.rule("WCB-009")
def test_a_minor_power_without_allies_attacks_for_its_controller() -> None:
    areas = {"cuba": held("united_states", "possession", *armies("spain", 3), *armies("united_states", 1))}
    war = {"commands": {"spain": "germany"}}
    g = at_war([["spain"], ["united_states"]], areas=areas, war=war)
    assert g.refused("france", "spain: attack cuba").code == "not_your_power"
    g.dice(6)
    g.act("germany", "spain: attack cuba")
    assert battle(g).attackers == ("spain",)


@pytest.mark.rule("WCB-010")
def test_attacker_uses_all_armies_in_the_area() -> None:
    g = manchuria(*armies("japan", 3, 1), *armies("russia", 3))
    g.dice(6)
    g.act("japan", "attack manchuria")
    assert battle(g).attack == 4


@pytest.mark.rule("WCB-012")
def test_all_enemies_defend_together() -> None:
    units = [*armies("japan", 3), *armies("russia", 3), *armies("france", 1)]
    g = manchuria(*units, sides=[["japan"], ["russia", "france"]])
    g.dice(6)
    g.act("japan", "attack manchuria")
    assert battle(g).defend == 4 and battle(g).defenders == ("russia", "france")
    g = manchuria(*units, sides=[["japan"], ["russia"], ["france"]])
    g.dice(6)
    g.act("japan", "attack manchuria")
    assert battle(g).defend == 4


@pytest.mark.rule("WCB-013")
def test_areas_have_no_strength_of_their_own_in_war() -> None:
    g = manchuria(*armies("japan", 3), *armies("russia", 1))
    assert g.tables.areas["manchuria"].strength > 0
    g.dice(6)
    g.act("japan", "attack manchuria")
    assert battle(g).defend == 1


# The tables


@pytest.mark.rule("WCB-014")
@pytest.mark.parametrize(
    ("attack", "defend", "column"),
    [
        (13, 5, "2-1"), (7, 5, "1-1"), (5, 7, "2-3"), (3, 5, "1-2"), (2, 5, "1-3"), (1, 5, "1-10"), (1, 20, "1-10"),
        (30, 1, "10-1"), (8, 5, "3-2"),
    ],
)  # fmt: skip
def test_ratios_are_rounded_for_the_defender(attack: int, defend: int, column: str) -> None:
    g = manchuria(*armies("japan", *_split(attack)), *armies("russia", *_split(defend)))
    g.dice(6)
    g.act("japan", "attack manchuria")
    assert (battle(g).attack, battle(g).defend, battle(g).column) == (attack, defend, column)
    low, high = column.split("-")
    assert Fraction(attack, defend) >= Fraction(int(low), int(high)) or column == "1-10"


def _split(strength: int) -> list[int]:
    """Strength points as Units of 10, 3 and 1."""
    out = []
    for size in (10, 3, 1):
        out += [size] * (strength // size)
        strength %= size
    return out


@pytest.mark.rule("WCB-017")
@pytest.mark.parametrize(("attack", "defend", "table"), [(4, 10, 1), (5, 10, 2), (10, 4, 1), (10, 5, 2)])
def test_smaller_force_determines_the_table(attack: int, defend: int, table: int) -> None:
    g = manchuria(*armies("japan", *_split(attack)), *armies("russia", *_split(defend)))
    g.dice(6)
    g.act("japan", "attack manchuria")
    assert battle(g).table == table


@pytest.mark.rule("WCB-018", "WCB-031")
@pytest.mark.parametrize("die", [1, 2, 3, 4, 5, 6])
def test_one_die_gives_one_of_six_results(die: int) -> None:
    g = manchuria(*armies("japan", 3), *armies("russia", 3))
    g.dice(die)
    g.act("japan", "attack manchuria")
    fought = battle(g)
    index = results.ratio_column(g.tables, 3, 3)
    assert (fought.table, fought.column, fought.die) == (1, "1-1", die)
    assert (
        fought.result == results.look_up_result(g.tables, 1, die, index) == ["E", "AR", "EX", "EX", "DR", "DE"][die - 1]
    )


# Eliminations


@pytest.mark.rule("WCB-019")
def test_the_attackers_are_eliminated() -> None:
    g = manchuria(*armies("japan", 1, 1, 1), *armies("russia", 3))
    g.dice(1)
    g.act("japan", "attack manchuria")
    assert g.units("manchuria", "japan") == [] and g.units("manchuria", "russia") == ["A3"]
    assert the_war(g).surrendered == () and g.units("korea", "japan") == []


@pytest.mark.rule("WCB-030")
def test_the_defenders_are_eliminated() -> None:
    g = manchuria(*armies("japan", 3), *armies("russia", 1, 1, 1))
    g.dice(6)
    g.act("japan", "attack manchuria")
    assert g.units("manchuria", "russia") == [] and g.units("manchuria", "japan") == ["A3"]
    assert the_war(g).surrendered == ()


# Exchanges


@pytest.mark.rule("WCB-023")
def test_stronger_side_loses_at_least_as_much_in_an_exchange() -> None:
    g = manchuria(*armies("japan", 3, 1, 1), *armies("russia", 3))
    g.dice(3)
    g.act("japan", "attack manchuria")
    assert battle(g).result == "EX" and pressing_choices(g) == [], "the A3 is the only way"
    assert g.units("manchuria") == ["A1", "A1"]


@pytest.mark.rule("WCB-023")
def test_owner_chooses_the_losses_of_an_exchange() -> None:
    g = manchuria(*armies("japan", 3, 1, 1, 1), *armies("russia", 3))
    g.dice(3)
    g.act("japan", "attack manchuria")
    assert battle(g).result == "DR"
    g = manchuria(*armies("japan", 3, 1, 1, 1), *armies("russia", 3))
    g.dice(1)
    g.act("japan", "attack manchuria")
    assert battle(g).result == "EX" and pressing_choices(g) == [("losses", "japan")]
    (choice,) = g.state.choices
    assert choice.default == "A3", "the smallest total, then the fewest Units"
    assert g.refused("japan", f"choose {choice.id} A1 A1").code == "not_enough"
    assert g.refused("japan", f"choose {choice.id} A3 A1").code == "more_than_needed"
    assert g.refused("japan", f"choose {choice.id} A1 A1 A1 A1").code == "not_there"
    answer(g, "japan", "A1 A1 A1")
    assert g.units("manchuria") == ["A3"] and pressing_choices(g) == []


@pytest.mark.rule("WCB-023")
def test_exchange_of_equals_eliminates_both_sides() -> None:
    g = manchuria(*armies("japan", 3), *armies("russia", 1, 1, 1))
    g.dice(3)
    g.act("japan", "attack manchuria")
    assert battle(g).result == "EX" and g.units("manchuria") == []


def with_belgium(*strengths: int) -> Bench:
    """The United States (A1) and Belgium attack Spain in Cuba: an exchange follows on a die of 2."""
    areas = {
        "cuba": held(
            "spain", "possession", *armies("united_states", 1), *armies("belgium", *strengths), *armies("spain", 1, 1)
        )
    }
    g = at_war([["united_states", "belgium"], ["spain"]], areas=areas)
    g.dice(2)
    g.act("united_states", "attack cuba")
    assert battle(g).result == "EX"
    return g


@pytest.mark.rule("WCB-024")
def test_units_of_great_powers_are_lost_before_those_of_minor_powers() -> None:
    g = with_belgium(3)
    assert g.units("cuba") == [], "the A1 is not enough, so the A3 goes too"
    g = with_belgium(1, 1)
    assert g.units("cuba", "united_states") == [] and g.units("cuba", "belgium") == ["A1"]


@pytest.mark.rule("WCB-024")
def test_commander_of_a_minor_power_chooses_its_losses() -> None:
    areas = {
        "cuba": held(
            "spain", "possession", *armies("united_states", 1), *armies("belgium", 3, 1, 1, 1), *armies("spain", 3, 1)
        )
    }
    g = at_war([["united_states", "belgium"], ["spain"]], areas=areas)
    g.dice(3)
    g.act("united_states", "attack cuba")
    assert battle(g).result == "EX" and pressing_choices(g) == [("losses", "united_states")]
    answer(g, "united_states", "A1 A1 A1")
    assert g.units("cuba") == ["A3"]


def shared_losses(*rolled: int, defend: tuple[int, ...] = (3,)) -> Bench:
    """Japan and Britain, an A3 each, attack together and have to agree on what is lost."""
    g = manchuria(*armies("japan", 3), *armies("britain", 3), *armies("russia", *defend), sides=WITH_BRITAIN)
    g.dice(*rolled)
    g.act("japan", "attack manchuria")
    answer(g, "britain", "attack")
    return g


@pytest.mark.rule("WCB-025")
def test_allies_that_agree_lose_what_they_name() -> None:
    g = shared_losses(1)
    assert battle(g).result == "EX" and pressing_choices(g) == [("losses", "japan")]
    answer(g, "japan", "britain A3")
    assert pressing_choices(g) == [("losses", "britain")]
    answer(g, "britain", "britain A3")
    assert g.units("manchuria", "japan") == ["A3"] and g.units("manchuria", "britain") == []


@pytest.mark.rule("WCB-025")
def test_allies_that_disagree_lose_everything() -> None:
    g = shared_losses(1)
    answer(g, "japan", "britain A3")
    answer(g, "britain", "japan A3")
    assert g.units("manchuria") == []


@pytest.mark.rule("WCB-025", "AUS-001")
@pytest.mark.parametrize("ally", [False, True])
def test_german_seat_chooses_losses_of_both_its_powers_together(ally: bool) -> None:
    partner = ["japan"] if ally else []
    both = [*armies("germany", 3), *armies("austria_hungary", 3), *(armies("japan", 3) if ally else ())]
    g = manchuria(*both, *armies("russia", 3), sides=[["germany", "austria_hungary", *partner], ["russia"]])
    g.dice(1)
    g.act("germany", "attack manchuria")
    while pressing_choices(g)[0][0] == "join_attack":
        answer(g, pressing_choices(g)[0][1], "attack")
    assert pressing_choices(g) == [("losses", "germany")] and ("The allies" in g.state.choices[0].prompt) == ally
    answer(g, "germany", "austria_hungary A3")
    if ally:
        answer(g, "japan", "austria_hungary A3")
    assert pressing_choices(g) == [] and g.units("manchuria") == ["A3"] * (2 if ally else 1)
    assert g.units("manchuria", "austria_hungary") == []


@pytest.mark.rule("WCB-026")
@pytest.mark.parametrize(
    ("defend", "die"),
    [((3, 1, 1), 3), ((3, 3, 1), 3), ((10,), 4)],
    ids=["5 costs 3", "7 costs 4", "10 costs 5"],
)
def test_a_half_exchange_costs_the_stronger_half(defend: tuple[int, ...], die: int) -> None:
    cost = {5: (3,), 7: (3, 1), 10: (3, 1, 1)}[sum(defend)]
    ours = (10, *cost) if sum(defend) > 5 else (3, 3, 1, 1)
    g = manchuria(*armies("japan", *ours), *armies("russia", *defend))
    g.dice(die)
    g.act("japan", "attack manchuria")
    assert battle(g).result == "HX", battle(g)
    assert g.units("manchuria", "russia") == []
    if pressing_choices(g):
        answer(g, "japan", " ".join(f"A{n}" for n in cost))
    rest = list(ours)
    for n in cost:
        rest.remove(n)
    assert g.units("manchuria") == sorted(f"A{n}" for n in rest)


@pytest.mark.rule("WCB-026")
def test_less_than_half_is_not_enough() -> None:
    g = manchuria(*armies("japan", 3, 3, 1, 1, 1), *armies("russia", 3, 1, 1))
    g.dice(3)
    g.act("japan", "attack manchuria")
    (choice,) = g.state.choices
    assert g.refused("japan", f"choose {choice.id} A1 A1").code == "not_enough"
    answer(g, "japan", "A3")


@pytest.mark.rule("WCB-027")
@pytest.mark.parametrize("die", [4, 5])
def test_attacker_is_the_weaker_in_a_half_exchange_of_equals(die: int) -> None:
    g = manchuria(*armies("japan", 3, 1, 1), *armies("russia", 3, 1, 1))
    g.dice(die)
    g.act("japan", "attack manchuria")
    assert battle(g).result == "HX"
    assert g.units("manchuria", "japan") == [] and g.units("manchuria", "russia") == ["A1", "A1"]


@pytest.mark.rule("WCB-028")
@pytest.mark.parametrize(("text", "left"), [("japan A3", ["A3"]), ("britain A3", [])])
def test_half_exchange_needs_agreement_of_allies(text: str, left: list[str]) -> None:
    g = shared_losses(4, defend=(3, 1, 1))
    assert battle(g).result == "HX"
    answer(g, "japan", "japan A3")
    answer(g, "britain", text)
    assert g.units("manchuria") == left


# Retreats


@pytest.mark.rule("WCB-020")
def test_attackers_retreat_to_a_place_they_could_enter() -> None:
    g = manchuria(*armies("japan", 3), *armies("russia", 3))
    g.dice(2)
    g.act("japan", "attack manchuria")
    assert battle(g).result == "AR"
    assert g.units("korea", "japan") == ["A3"] and g.units("manchuria", "japan") == []


@pytest.mark.rule("WCB-021", "SUP-020")
def test_unit_that_cannot_retreat_surrenders() -> None:
    g = manchuria(*armies("japan", 3), *armies("russia", 3), areas={"korea": held("france")})
    g.dice(2)
    g.act("japan", "attack manchuria")
    assert g.units("manchuria", "japan") == []
    assert [(s.power, s.name) for s in the_war(g).surrendered] == [("japan", "A3")]
    assert g.of(events.UnitsLost) == []


@pytest.mark.rule("WCB-020", "WMV-019")
def test_a_fleet_in_the_harbour_bars_a_retreat_to_sea() -> None:
    seas = {"north_china_sea": {"merchant_fleets": ["japan"]}}
    units = [*armies("japan", 3), *armies("russia", 3)]
    g = manchuria(*units, areas={"korea": held("france")}, sea_zones=seas)
    g.dice(2)
    g.act("japan", "attack manchuria")
    assert at_sea(g, "north_china_sea") == ["A3"]
    g = manchuria(*units, naval("russia", 1), areas={"korea": held("france")}, sea_zones=seas)
    g.dice(2)
    g.act("japan", "attack manchuria")
    assert at_sea(g, "north_china_sea") == [] and len(the_war(g).surrendered) == 1


PORT: dict[str, Any] = {"port_arthur": held("japan")}


@pytest.mark.rule("WCB-022")
def test_retreating_units_may_go_to_different_places() -> None:
    g = manchuria(*armies("japan", 3, 3), *armies("russia", 3, 3), areas=PORT)
    g.dice(1)
    g.act("japan", "attack manchuria")
    assert pressing_choices(g) == [("retreat", "japan")]
    (choice,) = g.state.choices
    assert set(choice.options) == {"A3 manchuria > korea", "A3 manchuria > port_arthur"}
    for wrong in ("A3 manchuria > korea", "A3 manchuria > russia, A3 manchuria > korea"):
        assert g.refused("japan", f"choose {choice.id} {wrong}").code == "bad_answer"
    answer(g, "japan", "A3 manchuria > korea, A3 manchuria > port_arthur")
    assert g.units("korea", "japan") == g.units("port_arthur", "japan") == ["A3"]


@pytest.mark.rule("WCB-022")
def test_by_default_units_go_to_their_own_area() -> None:
    areas = {"korea": held("russia"), **PORT}
    g = manchuria(*armies("japan", 3), *armies("russia", 3), areas=areas)
    g.dice(2)
    g.act("japan", "attack manchuria")
    (choice,) = g.state.choices
    assert choice.default == "A3 manchuria > port_arthur"
    g.advance(force=True)
    assert [e.path for e in g.of(events.UnitsMoved)] == [("manchuria", "port_arthur")]


@pytest.mark.rule("WCB-029")
def test_defenders_retreat_or_surrender() -> None:
    g = manchuria(*armies("japan", 3), *armies("russia", 3))
    g.dice(5)
    g.act("japan", "attack manchuria")
    assert battle(g).result == "DR"
    answer(g, "russia", "A3 manchuria > russia")
    assert "A3" in g.units(home_place("russia")) and g.units("manchuria", "russia") == []
    areas = {"korea": held("france", "protectorate", *armies("japan", 3), *armies("france", 3))}
    g = at_war([["japan"], ["france"]], areas=areas, sea_zones={"north_china_sea": {"merchant_fleets": []}})
    g.dice(5)
    g.act("japan", "attack korea")
    assert [(s.power, s.name) for s in the_war(g).surrendered] == [("france", "A3")]


@pytest.mark.rule("WCB-029")
def test_the_attack_phase_goes_on_when_the_retreat_is_done() -> None:
    g = manchuria(*armies("japan", 3), *armies("russia", 3), areas={"korea": held("russia")})
    g.dice(5)
    g.act("japan", "attack manchuria")
    assert pressing_choices(g) == [("retreat", "russia")]
    assert g.refused("japan", "pass").code == "choose_first"
    assert the_war(g).stage == "attack"
    answer(g, "russia", "A3 manchuria > korea")
    assert g.units("korea", "russia") == ["A3"] and the_war(g).stage == "attack"
    g.advance()
    assert the_war(g).stage != "attack"


@pytest.mark.rule("WCB-035")
def test_armies_do_not_retreat_to_enemy_armies() -> None:
    g = manchuria(
        *armies("japan", 3), *armies("russia", 3), areas={"korea": held("japan", "protectorate", *armies("russia", 1))}
    )
    g.dice(2)
    g.act("japan", "attack manchuria")
    assert g.units("korea", "japan") == [] and len(the_war(g).surrendered) == 1


@pytest.mark.rule("WCB-035")
def test_armies_retreat_to_enemy_fleets_overland() -> None:
    areas = {"korea": held("japan", "protectorate", naval("russia", 3))}
    g = manchuria(*armies("japan", 3), *armies("russia", 3), areas=areas)
    g.dice(2)
    g.act("japan", "attack manchuria")
    assert g.units("korea", "japan") == ["A3"] and not the_war(g).surrendered


def beaten_fleet(*in_harbour: dict[str, Any], waters: tuple[dict[str, Any], ...] = ()) -> Bench:
    """A Japanese fleet has to leave the North China Sea: Korea, its only harbour, and its other seas as given."""
    areas = {
        "korea": held("japan", "protectorate", *in_harbour),
        **{a: here() for a in ("manchuria", "port_arthur", "shang_hai", "shan_tung", "formosa")},
    }
    seas = {
        "north_china_sea": {"units": [naval("japan", 3), naval("russia", 3)]},
        "north_pacific": {"units": list(waters)},
    }
    g = at_war(JAPAN_RUSSIA, areas=areas, sea_zones=seas)
    g.dice(2)
    g.act("japan", "attack north_china_sea")
    assert battle(g).result == "AR"
    return g


def ways_out(g: Bench) -> set[str]:
    """Where the beaten fleet may go."""
    (choice,) = g.state.choices
    return {str(option).split(" > ")[1] for option in choice.options}


@pytest.mark.rule("WCB-034", "WCB-036")
def test_fleets_retreat_to_any_sea_and_to_harbours_without_enemies() -> None:
    assert ways_out(beaten_fleet()) == {"korea", "japan", "north_pacific"}
    assert "north_pacific" in ways_out(beaten_fleet(waters=(naval("russia", 10),))), "enemy fleets do not close a sea"
    for enemy in (naval("russia", 1), army("russia")):
        assert "korea" not in ways_out(beaten_fleet(enemy))
        for friend in (naval("japan", 1), army("japan")):
            assert "korea" in ways_out(beaten_fleet(enemy, friend))
        assert "korea" in ways_out(convoy(naval("japan", 3), korea=(enemy, naval("britain", 1)))), "an ally does too"


@pytest.mark.rule("WCB-034")
def test_a_beaten_fleet_goes_where_it_is_sent() -> None:
    g = beaten_fleet()
    answer(g, "japan", "N3 north_china_sea > japan")
    assert "N3" in g.units(home_place("japan"), "japan") and at_sea(g, "north_china_sea", "japan") == []


def convoy(*ours: dict[str, Any], korea: tuple[dict[str, Any], ...] = ()) -> Bench:
    """A Japanese fleet that covers an army at sea is beaten; the army may land in Korea."""
    areas = {
        "korea": held("japan", "protectorate", *korea),
        **{a: here() for a in ("manchuria", "port_arthur", "shang_hai", "shan_tung", "formosa")},
    }
    seas = {"north_china_sea": {"merchant_fleets": ["japan"], "units": [*ours, naval("russia", 3)]}}
    g = at_war(WITH_BRITAIN, areas=areas, sea_zones=seas)
    g.dice(2)
    g.act("japan", "attack north_china_sea")
    return g


@pytest.mark.rule("WCB-037")
def test_armies_at_sea_leave_with_the_fleets_that_cover_them() -> None:
    g = convoy(naval("japan", 3), army("japan"))
    assert pressing_choices(g) == [("retreat", "japan")], "the fleet first"
    answer(g, "japan", "N3 north_china_sea > korea")
    (choice,) = g.state.choices
    assert set(choice.options) == {"A1 north_china_sea > korea", "A1 north_china_sea > japan"}
    answer(g, "japan", "A1 north_china_sea > japan")
    assert at_sea(g, "north_china_sea") == ["N3"] and "A1" in g.units(home_place("japan"))


@pytest.mark.rule("WCB-037")
def test_army_stays_with_an_allied_fleet_that_did_not_join() -> None:
    g = convoy(naval("japan", 3), army("japan"), naval("britain", 1))
    answer(g, "britain", "stand aside")
    answer(g, "japan", "N3 north_china_sea > korea")
    assert pressing_choices(g) == [] and at_sea(g, "north_china_sea") == ["A1", "N1", "N3"]


@pytest.mark.rule("WCB-037", "WCB-038", "WMV-019")
def test_an_army_does_not_follow_its_fleet_into_a_blockaded_harbour() -> None:
    g = convoy(naval("japan", 3), army("japan"), korea=(naval("japan", 1), naval("russia", 1)))
    answer(g, "japan", "N3 north_china_sea > korea")
    assert g.units("korea", "japan") == ["N1", "N3"], "the battle in the harbour is not fought yet"
    assert pressing_choices(g) == [] and "A1" in g.units(home_place("japan")), "there is one way for the army"
    g.dice(1)
    g.act("japan", "attack korea naval")
    assert (battle(g).attack, battle(g).result) == (1, "E") and g.units("korea", "japan") == []


@pytest.mark.rule("WCB-035")
def test_an_army_at_sea_does_not_retreat_to_a_coast_with_enemy_armies() -> None:
    g = convoy(naval("japan", 3), army("japan"), korea=(army("russia"),))
    answer(g, "japan", "N3 north_china_sea > japan")
    assert at_sea(g, "north_china_sea") == ["N3"] and "A1" in g.units(home_place("japan")) and pressing_choices(g) == []


@pytest.mark.rule("WCB-037", "SUP-020")
def test_an_army_at_sea_with_nowhere_to_go_surrenders() -> None:
    areas = {a: here() for a in ("korea", "manchuria", "port_arthur", "shang_hai", "shan_tung", "formosa")}
    seas = {
        "north_china_sea": {
            "merchant_fleets": ["italy"],
            "units": [naval("italy", 3), army("italy"), naval("russia", 3)],
        },
        "south_china_sea": {"merchant_fleets": []},
        "north_pacific": {"merchant_fleets": []},
    }
    g = at_war([["italy"], ["russia"]], areas={**areas, "philippines": held("italy")}, sea_zones=seas)
    g.dice(2)
    g.act("italy", "attack north_china_sea")
    answer(g, "italy", "N3 north_china_sea > south_china_sea")
    assert at_sea(g, "south_china_sea") == ["N3"] and at_sea(g, "north_china_sea") == ["N3"]
    assert [(s.power, s.name) for s in the_war(g).surrendered] == [("italy", "A1")]


@pytest.mark.rule("WCB-037", "SUP-020")
def test_a_fleet_that_surrenders_takes_its_army_along() -> None:
    seas = {"baltic": {"units": [naval("italy", 3), army("italy"), naval("russia", 3)]}, "north_atlantic": {}}
    g = at_war([["italy"], ["russia"]], sea_zones=seas)
    g.dice(2)
    g.act("italy", "attack baltic")
    assert at_sea(g, "baltic") == ["N3"] and pressing_choices(g) == []
    assert [(s.power, s.name) for s in the_war(g).surrendered] == [("italy", "N3"), ("italy", "A1")]


@pytest.mark.rule("WCB-038")
def test_fleet_that_retreats_into_a_battle_shares_the_result() -> None:
    seas = {
        "north_china_sea": {"units": [naval("japan", 3), naval("russia", 3)]},
        "north_pacific": {"units": [naval("japan", 1), naval("russia", 1)]},
    }
    g = at_war(JAPAN_RUSSIA, areas={"alaska": held("russia"), "korea": here()}, sea_zones=seas)
    g.dice(5, 6)
    g.act("japan", "attack north_china_sea")
    assert battle(g).result == "DR"
    answer(g, "russia", "N3 north_china_sea > north_pacific")
    g.act("japan", "attack north_pacific")
    assert (battle(g).defend, battle(g).result) == (1, "DE"), "the newcomer adds no strength"
    assert at_sea(g, "north_pacific") == ["N1"], "and is lost with the other"


@pytest.mark.rule("WCB-038")
def test_retreated_attackers_add_no_strength() -> None:
    seas = {
        "north_china_sea": {"units": [naval("japan", 3), naval("russia", 3)]},
        "north_pacific": {"units": [naval("japan", 1), naval("russia", 1)]},
    }
    g = at_war(JAPAN_RUSSIA, sea_zones=seas)
    g.dice(2, 1)
    g.act("japan", "attack north_china_sea")
    answer(g, "japan", "N3 north_china_sea > north_pacific")
    g.act("japan", "attack north_pacific")
    assert (battle(g).attack, battle(g).result) == (1, "E")
    assert at_sea(g, "north_pacific", "japan") == []


@pytest.mark.rule("WCB-039", "SUP-022", "SUP-023")
def test_an_army_at_sea_that_loses_its_escort_surrenders_at_the_end_of_the_combat() -> None:
    units = [naval("japan", 3), army("japan"), naval("russia", 3)]
    north = {"north_pacific": {"units": [naval("japan", 1), naval("russia", 10)], "merchant_fleets": ["japan"]}}
    fleets = {"north_china_sea": {"units": units, "merchant_fleets": ["japan"]}, **north}
    g = at_war(JAPAN_RUSSIA, sea_zones=fleets, areas={"korea": held("japan")})
    g.dice(1)
    g.act("japan", "attack north_china_sea")
    assert battle(g).result == "E" and at_sea(g, "north_china_sea", "japan") == []
    assert [(s.power, s.name) for s in the_war(g).surrendered] == [("japan", "A1")]


@pytest.mark.rule("WCB-039", "WCB-026")
def test_an_army_at_sea_surrenders_once_the_losses_of_the_combat_are_chosen() -> None:
    units = [naval("japan", 3), *[naval("japan", 1)] * 3, naval("russia", 3), army("russia")]
    g = at_war(JAPAN_RUSSIA, sea_zones={"north_china_sea": {"units": units}})
    g.dice(1)
    g.act("japan", "attack north_china_sea")
    assert battle(g).result == "EX" and pressing_choices(g) == [("losses", "japan")]
    assert at_sea(g, "north_china_sea", "russia") == ["A1"]
    answer(g, "japan", "N3")
    assert [(s.power, s.name) for s in the_war(g).surrendered] == [("russia", "A1")]


@pytest.mark.rule("WCB-039")
def test_a_fleet_that_retreats_into_the_zone_later_does_not_save_an_army() -> None:
    china = [naval("japan", 3), naval("russia", 3), army("russia")]
    pacific = [naval("japan", 3), naval("russia", 3)]
    zones = {"north_china_sea": {"units": china}, "north_pacific": {"units": pacific}}
    areas = {"manchuria": held("russia"), "korea": held("russia")}
    g = at_war(JAPAN_RUSSIA, sea_zones=zones, areas=areas)
    g.dice(6, 5)
    g.act("japan", "attack north_china_sea")
    assert battle(g).result == "DE"
    g.act("japan", "attack north_pacific")
    assert battle(g).result == "DR"
    if g.state.choices:
        answer(g, "russia", "N3 north_pacific > north_china_sea")
    assert at_sea(g, "north_china_sea", "russia") == ["N3"]
    assert [(s.power, s.name) for s in the_war(g).surrendered] == [("russia", "A1")]


@pytest.mark.rule("SUP-022")
def test_an_allied_fleet_keeps_an_army_at_sea_safe() -> None:
    capes = {"cape_horn": {"units": [army("japan"), naval("russia", 1), naval("britain", 1)]}}
    g = at_war(WITH_BRITAIN, capes=capes)
    g.act("britain", "pass")
    assert the_war(g).stage != "attack" and the_war(g).surrendered == ()


# Codominions

GERMANY_BRITAIN: Sides = [["germany"], ["britain"]]
OFF_GUIANA: dict[str, Any] = {"north_atlantic": {"units": [naval("germany", 3), naval("germany", 1)]}}


@pytest.mark.rule("WCD-001", "WCD-003")
def test_entering_a_codominion_gives_its_neutral_member_a_casus_belli() -> None:
    g = at_war(GERMANY_BRITAIN, "maneuver", sea_zones=OFF_GUIANA)
    g.act("germany", "move N3 north_atlantic > guiana")
    assert pressing_choices(g) == [("codominion_war", "france")], "the Netherlands never declare War for this"
    assert g.causes() == {("france", "germany", "guiana")}
    assert g.refused("germany", "move N1 north_atlantic > guiana").code == "choose_first"


@pytest.mark.rule("WCD-002")
def test_the_neutral_declares_at_once() -> None:
    g = at_war(GERMANY_BRITAIN, "maneuver", sea_zones=OFF_GUIANA)
    g.act("germany", "move N3 north_atlantic > guiana")
    answer(g, "france", "declare war germany")
    assert the_war(g).alliances == (("germany",), ("britain", "france")) and g.state.tension == 5
    assert g.causes() == set() and the_war(g).stage == "maneuver"


@pytest.mark.rule("WCD-002", "WAR-061", "WAR-055")
@pytest.mark.parametrize(
    ("beside", "alliance"), [("", ("russia", "france")), (" beside britain", ("britain", "france"))]
)
def test_neutral_chooses_an_alliance_that_fights_the_mover(beside: str, alliance: tuple[str, ...]) -> None:
    g = at_war([["germany"], ["russia"], ["britain"]], "maneuver", sea_zones=OFF_GUIANA)
    g.act("germany", "move N3 north_atlantic > guiana")
    (choice,) = g.state.choices
    assert choice.options == ("declare war germany", "declare war germany beside britain", "pass")
    answer(g, "france", f"declare war germany{beside}")
    assert alliance in the_war(g).alliances and ("germany",) in the_war(g).alliances


@pytest.mark.rule("WCD-002")
def test_unused_casus_belli_of_an_entry_does_not_return() -> None:
    g = at_war(GERMANY_BRITAIN, "maneuver", sea_zones=OFF_GUIANA)
    g.act("germany", "move N3 north_atlantic > guiana")
    answer(g, "france", "pass")
    assert g.causes() == set() and g.state.tension == 0
    g.act("germany", "move N1 north_atlantic > guiana")
    assert pressing_choices(g) == [] and g.causes() == set()
    assert the_war(g).entered == ("germany guiana",)


HAWAII: dict[str, Any] = {
    "hawaii": here(
        *(marker(p, "protectorate") for p in ("germany", "britain", "united_states")),
        codominion=["germany", "britain", "united_states"],
    )
}


@pytest.mark.rule("WCD-004")
@pytest.mark.parametrize("first", [1, 2])
def test_no_casus_belli_if_both_alliances_have_a_share(first: int) -> None:
    ships = {"north_pacific": {"units": [naval("germany", 3), naval("britain", 3)]}}
    g = at_war(GERMANY_BRITAIN, "maneuver", areas=HAWAII, sea_zones=ships, war={"turn_of": first})
    g.act("germany" if first == 1 else "britain", "move N3 north_pacific > hawaii")
    assert pressing_choices(g) == [] and g.causes() == set()


@pytest.mark.rule("WCD-005")
def test_an_ally_of_a_holder_gives_no_casus_belli() -> None:
    shared = {
        "hawaii": here(
            *(marker(p, "protectorate") for p in ("britain", "united_states")), codominion=["britain", "united_states"]
        )
    }
    ships = {"north_pacific": {"units": [naval("japan", 3)]}}
    g = at_war([["japan", "britain"], ["germany"]], "maneuver", areas=shared, sea_zones=ships)
    g.act("japan", "move N3 north_pacific > hawaii")
    assert pressing_choices(g) == [] and g.causes() == set()
    g = at_war([["japan", "britain"], ["germany"]], "maneuver", areas=HAWAII, sea_zones=ships)
    g.act("japan", "move N3 north_pacific > hawaii")
    assert pressing_choices(g) == [] and g.causes() == set(), "though an enemy has a share too"
    g = at_war([["japan"], ["britain"]], "maneuver", areas=shared, sea_zones=ships)
    g.act("japan", "move N3 north_pacific > hawaii")
    assert pressing_choices(g) == [("codominion_war", "united_states")], "an enemy of the one holder does"


@pytest.mark.rule("WCD-001")
def test_a_retreat_into_a_codominion_is_an_entry() -> None:
    ships = {"north_atlantic": {"units": [naval("germany", 3), naval("britain", 3)]}}
    holders = ["britain", "france", "netherlands"]
    areas = {"guiana": here(*(marker(p, "possession") for p in holders), codominion=holders)}
    g = at_war(GERMANY_BRITAIN, areas=areas, sea_zones=ships)
    g.dice(2)
    g.act("germany", "attack north_atlantic")
    answer(g, "germany", "N3 north_atlantic > guiana")
    assert pressing_choices(g) == [("codominion_war", "france")]


@pytest.mark.rule("WCD-001")
@pytest.mark.parametrize("ally", ["germany", ""])
def test_ally_is_responsible_for_an_army_of_the_empire(ally: str) -> None:
    holders = ["italy", "france"]
    areas = {"egypt": here(*(marker(p, "protectorate") for p in holders), codominion=holders)}
    empire = ["ottoman_empire", *([ally] if ally else [])]
    g = at_war([["italy"], empire], areas=areas, war={"kind": "ottoman"})
    play = Transaction(g.tables, g.state, Dice("empire"))
    maneuver.record_entry(play, the_war(g).id, "ottoman_empire", "egypt")
    assert {(c.holder, c.against) for c in play.state.casus_belli} == ({("france", "germany")} if ally else set())


@pytest.mark.rule("WCD-006")
def test_neutral_markers_stay_in_a_conquered_codominion() -> None:
    areas = {
        "guiana": here(
            *(marker(p, "possession") for p in ("britain", "france", "netherlands")),
            army("germany", 3),
            codominion=["britain", "france", "netherlands"],
        )
    }
    g = at_war(GERMANY_BRITAIN, areas=areas)
    all_pass(g)
    g.advance()
    assert the_war(g).conqueror("guiana") == 1
    assert g.kind("guiana", "france") == g.kind("guiana", "netherlands") == "possession"


@pytest.mark.rule("WCB-006")
def test_menu_of_an_attack_offers_what_is_accepted() -> None:
    g = manchuria(*armies("japan", 3), *armies("russia", 3))
    assert set(legal_actions(g.tables, g.state, "japan").orders) >= {"attack manchuria", "pass"}
    assert "attack manchuria" not in legal_actions(g.tables, g.state, "russia").orders


@pytest.mark.rule("WCB-022", "WCB-035")
def test_automatic_retreat_finds_another_way() -> None:
    areas = {
        "siam": here(*armies("france", 10, 10), *armies("britain", 3, 3), *armies("japan", 3)),
        "federated_malay_states": held("britain"),
        "burma": held("japan"),
        "indochina": here(),
        "bengal": here(),
        "cochinchina": held("france"),
    }
    g = at_war([["france"], ["japan"], ["britain"]], areas=areas, sea_zones={"south_china_sea": {"units": []}})
    g.dice(5)
    g.act("france", "attack siam")
    assert [seat for _, seat in pressing_choices(g)] == ["britain", "japan"]
    (choice,) = (c for c in g.pending() if c.seat == "britain")
    first = choice.default[0].rpartition("> ")[2]
    answer(g, "japan", f"A3 siam > {first}")
    assert g.refused("britain", f"choose {choice.id} A3 siam > {first}, A3 siam > burma").rules
    g.step()
    assert g.units("siam", "britain") == [] and g.units(first, "britain") == []


@pytest.mark.rule("WCB-004")
def test_armies_at_sea_cannot_fight() -> None:
    sea = {"north_china_sea": {"merchant_fleets": ["japan"], "units": [army("japan", 10), army("russia", 3)]}}
    g = at_war([["japan"], ["russia"]], "attack", sea_zones=sea)
    assert "WCB-004" in g.refused("japan", "attack north_china_sea").rules
