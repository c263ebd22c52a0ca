"""Garrisons (STA-014, STA-037 to STA-051, COD-007): what must be held, by whom, and what it costs to fail."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.pax import events as ev
from paxtui.pax import garrisons
from paxtui.pax.evolve import units_at
from paxtui.pax.status import established
from tests.rules.harness import Bench, army, marker, start


def moving(players: int = 7, money: int = 0, **patch: Any) -> Bench:
    """A Movement/Status Change Phase, by default without money, without counter limits."""
    purses = {p: {"treasury": money} for p in start(players=players).state.powers}
    return start({"phase": "movement", "powers": purses, **patch}, players, {"counter_limits": "unlimited"})


def held(power: str, kind: str = "protectorate", *strengths: int, unrest: bool = False) -> dict[str, Any]:
    """An Area with one established marker and Army Units of these strengths."""
    return {"markers": [marker(power, kind)], "units": [army(power, n) for n in strengths], "unrest": unrest}


def at_home(power: str, *strengths: int) -> dict[str, Any]:
    """Home Country with nothing but these Army Units."""
    return {power: {"units": [army(power, n) for n in strengths]}}


def names(g: Bench, place: str, power: str) -> list[str]:
    """Units of a Power at a place."""
    return sorted(u.name for u in units_at(g.state, place) if u.power == power)


def kind(g: Bench, area: str, power: str) -> str:
    """The Power's established marker in an Area."""
    found = established(g.state, area, power)
    return found.marker if found else ""


def ready(g: Bench, seat: str) -> bool:
    """Whether the seat may be ready; it is ready afterwards if so."""
    g.act(seat, "ready")
    return seat in g.state.ready


def not_ready(g: Bench, seat: str, rule: str) -> list[str]:
    """The orders of the fix that the refusal of `ready` offers."""
    refusal = g.refused(seat, "ready")
    assert refusal.code == "garrison" and rule in refusal.rules
    fix = refusal.detail["fix"]
    assert all(order in refusal.message for order in fix)
    return list(fix)


def through_adjustment(g: Bench) -> int:
    """Play by defaults through Marker Adjustment; the rise of the European Tensions Index on the way."""
    before = g.state.tension
    while g.state.phase in ("movement", "colonial_combat", "marker_adjustment"):
        g.step()
    return g.state.tension - before


# --- the test -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("STA-014")
@pytest.mark.parametrize("fixed", [True, False])
@pytest.mark.parametrize("units", [(), (1,)])
def test_a_control_marker_needs_an_own_army(fixed: bool, units: tuple[int, ...]) -> None:
    area = {"markers": [marker("germany", "protectorate", fixed)], "units": [army("germany", n) for n in units]}
    g = moving(areas={"kamerun": area}, homes=at_home("germany"))
    g.step()
    failed = [(e.area, e.power) for e in g.of(ev.GarrisonMissing)]
    assert (("kamerun", "germany") in failed) is (not units)
    assert all("STA-014" in e.rules for e in g.of(ev.GarrisonMissing))
    assert ("germany kamerun" in g.state.ungarrisoned) is (not units)


@pytest.mark.rule("STA-014", "STA-016")
def test_a_fleet_is_no_garrison_and_an_empty_new_marker_is_legal() -> None:
    g = moving(money=100, homes=at_home("germany", 1))
    g.act("germany", "place protectorate kamerun")
    assert ready(g, "germany")  # nothing obliges to send the army after a marker that is not established
    g.step()
    assert [(e.area, e.power) for e in g.of(ev.GarrisonMissing)] == [("kamerun", "germany")]


@pytest.mark.rule("STA-037")
def test_every_controlled_area_must_have_an_own_army() -> None:
    g = moving()
    g.act("france", "move A1 senegambia > home")
    refusal = g.refused("france", "ready")
    assert refusal.code == "garrison" and "STA-037" in refusal.rules
    assert refusal.detail["areas"] == ["senegambia"] and "Senegambia" in refusal.message
    g.act("france", "move A1 home > senegambia")
    assert ready(g, "france")


@pytest.mark.rule("STA-037")
def test_every_power_is_tested_minor_powers_as_well() -> None:
    g = moving(areas={"angola": held("portugal", "possession"), "senegambia": held("france", "possession", 3)})
    g.step()
    assert [(e.area, e.power) for e in g.of(ev.GarrisonMissing)] == [("angola", "portugal")]
    assert "STA-037" in g.of(ev.GarrisonMissing)[0].rules


@pytest.mark.rule("STA-038", "SEQ-017")
@pytest.mark.parametrize(("was", "steps"), [("protectorate", 1), ("possession", 2)])
def test_a_controlled_area_without_army_becomes_an_influence(was: str, steps: int) -> None:
    g = moving(areas={"tunis": held("italy", was), "egypt": held("italy", was, 1)}, homes=at_home("italy"))
    assert through_adjustment(g) == steps
    assert kind(g, "tunis", "italy") == "influence" and kind(g, "egypt", "italy") == was
    rises = g.all_of(ev.TensionRaised)
    assert sum(e.amount for e in rises) == steps
    assert {(e.blame, e.area) for e in rises} == {("italy", "tunis")}


@pytest.mark.rule("STA-038")
def test_the_marker_stands_until_marker_adjustment() -> None:
    g = moving(areas={"tunis": held("italy")}, homes=at_home("italy"))
    g.step()
    assert g.state.phase == "colonial_combat" and kind(g, "tunis", "italy") == "protectorate"


@pytest.mark.rule("COD-007")
def test_another_members_army_does_not_garrison_a_codominion() -> None:
    areas = {"guiana": {"units": [army("britain", 1), army("netherlands", 1)]}}
    g = moving(areas=areas, homes=at_home("france"))
    g.step()
    assert [(e.area, e.power) for e in g.of(ev.GarrisonMissing)] == [("guiana", "france")]
    assert "COD-007" in g.of(ev.GarrisonMissing)[0].rules
    g = moving(areas=areas, homes=at_home("france", 1))
    assert not_ready(g, "france", "STA-037") == ["move A1 home > guiana"]


@pytest.mark.rule("STA-043", "COD-008")
@pytest.mark.parametrize(("others", "left", "rise"), [("protectorate", "interest", 2), ("possession", "", 3)])
def test_a_member_without_army_loses_its_place_and_gets_no_influence(others: str, left: str, rise: int) -> None:
    hawaii = {
        "markers": [marker("united_states", "protectorate"), marker("britain", others), marker("japan", others)],
        "units": [army("britain", 1), army("japan", 1)],
        "codominion": ["united_states", "britain", "japan"],
    }
    g = moving(areas={"hawaii": hawaii}, homes=at_home("united_states"))
    assert through_adjustment(g) == rise
    assert kind(g, "hawaii", "united_states") == left
    assert set(g.state.areas["hawaii"].codominion) == {"britain", "japan"}


# --- the duty -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("STA-039")
def test_a_spare_army_must_go_where_one_is_missing() -> None:
    g = moving(areas={"tunis": held("italy")}, homes=at_home("italy", 1))
    assert not_ready(g, "italy", "STA-039") == ["move A1 home > tunis"]
    g.act("italy", "move A1 home > tunis")
    assert ready(g, "italy")


@pytest.mark.rule("STA-039")
def test_an_army_too_many_in_an_area_is_spare_too() -> None:
    areas = {"tunis": held("italy"), "egypt": held("italy", "possession", 1, 3)}
    g = moving(areas=areas, homes=at_home("italy"))
    assert not_ready(g, "italy", "STA-039") == ["move A1 egypt > tunis"]
    g.act("italy", "garrison")
    assert names(g, "tunis", "italy") == ["A1"] and names(g, "egypt", "italy") == ["A3"]
    assert [(e.reason, e.path[0], e.path[-1]) for e in g.of(ev.UnitsMoved)] == [("fix", "egypt", "tunis")]
    assert g.refused("italy", "garrison").code == "nothing_to_fix"
    assert ready(g, "italy")


@pytest.mark.rule("STA-039")
@pytest.mark.parametrize("case", ["no army", "no path", "halted", "revolt elsewhere"])
def test_nothing_is_asked_of_armies_that_cannot_help(case: str) -> None:
    areas = {"tunis": held("italy")}
    homes = at_home("italy", *(() if case != "no path" else (1,)))
    zones = {"mediterranean": {"merchant_fleets": []}} if case == "no path" else {}
    if case == "halted":
        areas["egypt"] = {**held("italy", "possession", 3), "unrest": True}
        areas["egypt"]["units"].append({**army("italy", 1), "halted": True})
    if case == "revolt elsewhere":  # an army that only has an unestablished marker around it may not start
        areas["tripoli"] = {"markers": [marker("italy", "protectorate", False)], "units": [army("italy", 1)]}
    if case == "halted":
        g = moving(areas=areas, homes=homes, sea_zones=zones)
        assert not_ready(g, "italy", "STA-039") == ["move A3 egypt > tunis"]  # the other one, not the halted
        return
    g = moving(areas=areas, homes=homes, sea_zones=zones)
    assert ready(g, "italy")


@pytest.mark.rule("STA-039")
def test_the_arbiter_garrisons_for_everybody() -> None:
    g = moving(areas={"tunis": held("italy"), "senegambia": held("france", "possession")}, homes=at_home("italy", 1))
    g.step()
    assert names(g, "tunis", "italy") == ["A1"] and names(g, "senegambia", "france") == ["A1"]
    assert not g.of(ev.GarrisonMissing) and not g.of(ev.UnitsBuilt)


TWO_FOR_THREE = {
    "egypt": held("italy", "protectorate"),  # worth 8
    "aden": held("italy", "protectorate"),  # worth 3
    "new_guinea": held("italy", "possession"),  # worth 2
}
OCEANIA = {"oceania": {"merchant_fleets": ["italy"]}}


@pytest.mark.rule("STA-040")
def test_the_lowest_protectorate_is_left_first() -> None:
    g = moving(areas=TWO_FOR_THREE, homes=at_home("italy", 1, 1), sea_zones=OCEANIA)
    assert [g.tables.areas[a].value for a in TWO_FOR_THREE] == [8, 3, 2]
    not_ready(g, "italy", "STA-040")
    g.act("italy", "garrison")
    assert [names(g, a, "italy") for a in TWO_FOR_THREE] == [["A1"], [], ["A1"]]
    assert ready(g, "italy")


@pytest.mark.rule("STA-040")
@pytest.mark.parametrize("empty", ["egypt", "new_guinea"])
def test_no_better_area_may_be_left_for_a_worse_one(empty: str) -> None:
    areas = {a: (here if a == empty else {**here, "units": [army("italy", 1)]}) for a, here in TWO_FOR_THREE.items()}
    g = moving(areas=areas, homes=at_home("italy"), sea_zones=OCEANIA)
    assert not_ready(g, "italy", "STA-040") == [f"move A1 aden > {empty}"]
    g.act("italy", "garrison")
    assert [names(g, a, "italy") for a in TWO_FOR_THREE] == [["A1"], [], ["A1"]]


@pytest.mark.rule("STA-040")
def test_states_come_before_possessions_whatever_they_are_worth() -> None:
    areas = {
        "porto_rico": held("united_states", "state"),  # worth 5
        "cuba": held("united_states", "possession", 1),  # worth 6
        "alaska": {"markers": [], "units": []},
    }
    g = moving(areas=areas, homes=at_home("united_states"))
    assert not_ready(g, "united_states", "STA-040") == ["move A1 cuba > porto_rico"]
    g.act("united_states", "garrison")
    assert ready(g, "united_states")


@pytest.mark.rule("STA-040")
def test_a_chain_of_moves_covers_all_that_can_be_covered() -> None:
    # The army in Tunis can go by land to Algiers only, the one at home nowhere but Tunis: both have to move.
    areas = {
        "tunis": held("italy", "possession", 1),
        "algiers": held("italy", "protectorate"),
        "marocco": held("italy", "protectorate", 1),
        "rio_de_oro": {"markers": [], "units": []},
    }
    g = moving(areas=areas, homes=at_home("italy", 1), sea_zones={"mediterranean": {"merchant_fleets": ["italy"]}})
    assert len(not_ready(g, "italy", "STA-040")) == 1  # one move suffices: straight from home
    g = moving(areas=areas, homes=at_home("italy"), sea_zones={"mediterranean": {"merchant_fleets": []}})
    # two armies for three Areas: the Protectorate of 5 gives its army up for the one of 8
    assert not_ready(g, "italy", "STA-040")
    g.act("italy", "garrison")
    assert [names(g, a, "italy") for a in ("tunis", "algiers", "marocco")] == [["A1"], ["A1"], []]


@pytest.mark.rule("STA-041")
@pytest.mark.parametrize(("full", "empty"), [("berbera", "somalia"), ("somalia", "berbera")])
def test_among_equals_the_power_chooses(full: str, empty: str) -> None:
    areas = {full: held("italy", "protectorate", 1), empty: held("italy", "protectorate")}
    g = moving(areas=areas, homes=at_home("italy"))
    assert g.tables.areas[full].value == g.tables.areas[empty].value == 4
    assert ready(g, "italy")
    g.step()
    assert [(e.area, e.power) for e in g.of(ev.GarrisonMissing)] == [(empty, "italy")]


# --- the Indian Army ------------------------------------------------------------------------------------------------


@pytest.mark.rule("STA-042")
@pytest.mark.parametrize(("in_bengal", "must"), [((10, 10), False), ((10, 10, 10), True), ((10, 10, 1), True)])
def test_the_indian_army_is_not_there_for_distant_areas(in_bengal: tuple[int, ...], must: bool) -> None:
    # two Armies (10) in Bengal and one in Punjab are the Indian Army; they have nothing smaller to relieve
    areas: dict[str, Any] = {"bengal": held("britain", "possession", *in_bengal), "hong_kong": held("britain")}
    others = ("kashmir", "rajputana", "hindoostan", "united_provinces", "federated_malay_states")
    areas |= {a: {"markers": [], "units": []} for a in others}
    g = moving(areas=areas, homes=at_home("britain"))
    if must:
        unit = "A1" if 1 in in_bengal else "A10"
        assert not_ready(g, "britain", "STA-039") == [f"move {unit} bengal > hong_kong"]
    else:
        assert ready(g, "britain")


@pytest.mark.rule("STA-042")
def test_within_its_zone_the_indian_army_garrisons_like_others() -> None:
    areas = {"bengal": held("britain", "possession", 10, 10), "united_provinces": held("britain", "possession")}
    g = moving(areas=areas, homes=at_home("britain"))
    assert not_ready(g, "britain", "STA-039") == ["move A10 bengal > united_provinces"]


@pytest.mark.rule("STA-044")
def test_the_indian_army_of_1880() -> None:
    g = start()
    zone = garrisons.india_zone(g.tables, g.state)
    found = {p: n for p, n in garrisons.heavies(g.state, "britain").items() if p in zone}
    assert found == {"bengal": 1, "punjab": 1, "united_provinces": 1}


@pytest.mark.rule("STA-045")
def test_three_armies_10_must_be_in_india_at_the_end() -> None:
    g = moving()
    g.act("britain", "move A10 bengal > australia")
    g.act("britain", "move A1 home > bengal")
    fix = not_ready(g, "britain", "STA-045")
    assert len(fix) == 1 and fix[0].startswith("move A10 australia > ")
    g.act("britain", "garrison")
    assert ready(g, "britain")
    zone = garrisons.india_zone(g.tables, g.state)
    assert sum(n for p, n in garrisons.heavies(g.state, "britain").items() if p in zone) == 3


@pytest.mark.rule("STA-045")
def test_an_army_10_that_cannot_reach_india_is_not_asked_for() -> None:
    areas = {"bengal": held("britain", "possession", 1), "australia": held("britain", "possession", 10, 10)}
    g = moving(areas=areas, sea_zones={z: {"merchant_fleets": []} for z in start().state.sea_zones})
    assert ready(g, "britain")


@pytest.mark.rule("STA-045", "STA-042")
def test_the_indian_army_comes_before_other_garrisons() -> None:
    # Two Armies (10) in India, the third is all that Australia has: it goes, and Australia stays empty.
    areas = {
        "bengal": held("britain", "possession", 1),
        "canada": held("britain", "dominion", 3),
        "australia": held("britain", "possession", 10),
    }
    g = moving(areas=areas, homes=at_home("britain"))
    fix = not_ready(g, "britain", "STA-045")
    assert any(order.startswith("move A10 australia > ") for order in fix)
    g.act("britain", "garrison")
    assert "A10" not in names(g, "australia", "britain")
    assert ready(g, "britain")


@pytest.mark.rule("STA-047")
@pytest.mark.parametrize(
    ("area", "within"), [("sin_kiang", True), ("yunnan", True), ("siam", True), ("kwang_si", False), ("aden", False)]
)
def test_two_overland_steps_from_india_whoever_owns_them(area: str, within: bool) -> None:
    areas = {"bengal": held("britain", "possession", 1), area: held("britain", "protectorate", 10)}
    areas |= {a: held("britain", "possession", 3) for a in ("australia", "canada")}
    g = moving(areas=areas, homes=at_home("britain", 1))
    assert (area in garrisons.india_zone(g.tables, g.state)) is within
    if within:
        assert ready(g, "britain")
    else:
        assert any(f"move A10 {area} > " in order for order in not_ready(g, "britain", "STA-047"))


# --- the Western Garrison -------------------------------------------------------------------------------------------

EAST = {"manchuria": held("russia", "protectorate", 1)}


@pytest.mark.rule("STA-048")
def test_of_four_armies_10_one_may_leave_russia_and_the_balkans() -> None:
    g = moving(areas={**EAST, "rumania": held("russia", "protectorate")})
    refusal = g.refused("russia", "move A10 A10 home > manchuria")
    assert refusal.code == "western_garrison" and "STA-048" in refusal.rules
    g.act("russia", "move A10 home > manchuria")
    refusal = g.refused("russia", "move A10 home > manchuria")
    assert refusal.code == "western_garrison" and "STA-048" in refusal.rules
    g.act("russia", "move A10 A10 home > rumania")  # there they still are where they must be
    assert "STA-048" in g.refused("russia", "move A10 rumania > home > manchuria").rules
    g.act("russia", "move A10 manchuria > home")
    assert names(g, "home:russia", "russia").count("A10") == 2


@pytest.mark.rule("STA-048", "STA-042")
@pytest.mark.parametrize(("tens", "goes"), [(4, True), (3, False)])
def test_the_fix_keeps_the_western_garrison(tens: int, goes: bool) -> None:
    areas = {"manchuria": held("russia"), "port_arthur": held("russia")}
    g = moving(areas=areas, homes=at_home("russia", *[10] * tens))
    if goes:
        assert not_ready(g, "russia", "STA-039") == ["move A10 home > manchuria"]
        g.act("russia", "garrison")
    assert ready(g, "russia")
    assert names(g, "home:russia", "russia") == ["A10"] * 3


@pytest.mark.rule("STA-050")
def test_with_three_armies_10_none_goes_farther() -> None:
    g = moving(areas={**EAST, "serbia": held("russia", "protectorate", 10)}, homes=at_home("russia", 10, 10, 3))
    refusal = g.refused("russia", "move A10 home > manchuria")
    assert refusal.code == "western_garrison" and "STA-050" in refusal.rules
    g.act("russia", "move A3 home > manchuria")


@pytest.mark.rule("STA-050")
def test_an_army_10_already_farther_may_only_come_back() -> None:
    areas = {"manchuria": held("russia", "protectorate", 10, 1), "port_arthur": held("russia", "protectorate", 1)}
    g = moving(areas=areas, homes=at_home("russia", 10, 10))
    refusal = g.refused("russia", "move A10 manchuria > port_arthur")
    assert refusal.code == "western_garrison" and "STA-050" in refusal.rules
    g.act("russia", "move A10 manchuria > home")


@pytest.mark.rule("STA-051")
@pytest.mark.parametrize(("tens", "sent"), [(4, 1), (3, 0)])
def test_a_minor_russia_keeps_the_western_garrison(tens: int, sent: int) -> None:
    area = held("russia", "protectorate", 1, unrest=True)
    g = start(
        {"phase": "minor_powers", "areas": {"manchuria": area}, "homes": at_home("russia", *[10] * tens)},
        players=5,
        options={"counter_limits": "unlimited"},
    )
    g.dice(*[6] * len(g.state.minors))  # nobody is active; armies go against Unrest all the same
    g.step()
    assert names(g, "manchuria", "russia").count("A10") == sent
    assert names(g, "home:russia", "russia").count("A10") == 3
