"""Garrisons (STA-014, STA-037 to STA-051, COD-007): duties and the consequences of missing garrisons."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.status import controls
from paxtui.games.pax.events import events
from paxtui.games.pax.expansion import garrisons
from paxtui.games.pax.state.pieces import Holding
from tests.rules.harness import UNLIMITED, Bench, army, at_home, held, is_ready, marker, moving, start

penniless = partial(moving, 0)
"""A Movement/Status Change Phase without money for armies."""


def failed(g: Bench) -> set[tuple[str, str]]:
    """Areas and Powers that fail the test at the end of the Phase."""
    g.step()
    assert g.state.phase == "colonial_combat"
    return {(e.area, e.power) for e in g.of(events.GarrisonMissing)}


def not_ready(g: Bench, seat: str, rule: str) -> list[str]:
    """The orders that the refusal of `ready` proposes."""
    refusal = g.refused(seat, "ready")
    assert refusal.code == "garrison" and rule in refusal.rules
    fix = refusal.detail["fix"]
    assert all(order in refusal.message for order in fix)
    return list(fix)


def through_adjustment(g: Bench) -> int:
    """Play by defaults through Marker Adjustment. Returns: the rise of the European Tensions Index."""
    before = g.state.tension
    while g.state.phase in ("movement", "colonial_combat", "marker_adjustment"):
        g.step()
    return g.state.tension - before


# An own army in each Area


@pytest.mark.rule("STA-014")
@pytest.mark.parametrize("established", [True, False])
@pytest.mark.parametrize("kind", ["protectorate", "possession"])
def test_a_control_marker_established_or_not_needs_an_army(kind: str, established: bool) -> None:
    def area(*units: dict[str, Any]) -> dict[str, Any]:
        return {"kamerun": {"markers": [marker("germany", kind, established)], "units": list(units)}}

    none: dict[str, Any] = at_home("germany")
    assert failed(penniless(areas=area(), homes=none)) == {("kamerun", "germany")}
    assert failed(penniless(areas=area(army("germany", 1)), homes=none)) == set()
    # another's army, or a fleet, is no garrison
    fleet = {"power": "germany", "kind": "naval", "strength": 10}
    assert failed(penniless(areas=area(army("france", 1), fleet), homes=none)) == {("kamerun", "germany")}
    # what is no Control needs none
    lesser = {"kamerun": {"markers": [marker("germany", "influence", established)]}}
    assert failed(penniless(areas=lesser, homes=none)) == set()


@pytest.mark.rule("STA-014")
def test_a_protectorate_placed_without_an_army_fails_the_check() -> None:
    g = penniless(powers={"germany": {"treasury": 20}}, homes=at_home("germany"))
    g.act("germany", "place protectorate kamerun")
    for seat in g.state.players:
        g.act(seat, "ready")
    missing = [e for e in g.events if isinstance(e, events.GarrisonMissing)]
    assert [(e.area, e.power) for e in missing] == [("kamerun", "germany")] and "STA-014" in missing[0].rules
    assert g.state.ungarrisoned == (Holding("germany", "kamerun"),)


@pytest.mark.rule("STA-014", "STA-016")
def test_new_marker_does_not_force_an_army_to_move() -> None:
    g = moving(homes=at_home("germany", army("germany", 1)))
    g.act("germany", "place protectorate kamerun")
    assert is_ready(g, "germany")  # nothing obliges to send the army after a marker that is not established
    g.step()
    assert [(e.area, e.power) for e in g.of(events.GarrisonMissing)] == [("kamerun", "germany")]


@pytest.mark.rule("STA-037")
def test_every_controlled_area_must_have_an_own_army() -> None:
    g = penniless()
    g.act("france", "move A1 senegambia > home")
    refusal = g.refused("france", "ready")
    assert refusal.code == "garrison" and "STA-037" in refusal.rules
    assert refusal.detail["areas"] == ["senegambia"] and "Senegambia" in refusal.message
    g.act("france", "move A1 home > senegambia")
    assert is_ready(g, "france")


@pytest.mark.rule("STA-037")
def test_minor_powers_are_tested_too() -> None:
    g = penniless(
        areas={"angola": held("portugal", "possession"), "senegambia": held("france", "possession", army("france", 3))}
    )
    g.step()
    assert [(e.area, e.power) for e in g.of(events.GarrisonMissing)] == [("angola", "portugal")]
    assert "STA-037" in g.of(events.GarrisonMissing)[0].rules


@pytest.mark.rule("STA-037")
def test_an_area_left_without_its_army_fails() -> None:
    poor = {**at_home("france"), **at_home("britain")}
    g = penniless(homes=poor)
    assert failed(g) == set()
    g = penniless(homes=poor, areas={a: held("france", "possession") for a in ("algiers", "cochinchina")})
    g.act("france", "move A1 senegambia > home")
    assert is_ready(g, "britain")
    refusal = g.refused("france", "ready")  # it must go back, or to a better Area
    assert refusal.code == "garrison" and "STA-037" in refusal.rules
    # two of three Areas stay without
    assert len(failed(g)) == 2


@pytest.mark.rule("STA-038", "SEQ-017")
@pytest.mark.parametrize(("was", "steps"), [("protectorate", 1), ("possession", 2)])
def test_a_controlled_area_without_army_becomes_an_influence(was: str, steps: int) -> None:
    g = penniless(
        areas={"tunis": held("italy", was), "egypt": held("italy", was, army("italy", 1))}, homes=at_home("italy")
    )
    assert through_adjustment(g) == steps
    assert g.kind("tunis", "italy") == "influence" and g.kind("egypt", "italy") == was
    rises = g.all_of(events.TensionRaised)
    assert sum(e.amount for e in rises) == steps
    assert {(e.blame, e.area) for e in rises} == {("italy", "tunis")}


@pytest.mark.rule("STA-038")
def test_the_marker_stands_until_marker_adjustment() -> None:
    g = penniless(areas={"tunis": held("italy")}, homes=at_home("italy"))
    g.step()
    assert g.state.phase == "colonial_combat" and g.kind("tunis", "italy") == "protectorate"


@pytest.mark.rule("COD-007")
def test_every_member_garrisons_the_codominion_itself() -> None:
    others = [army("france", 1), army("netherlands", 1)]
    nobody = {"north_atlantic": {"merchant_fleets": []}}  # so that no other army can come
    assert failed(penniless(areas={"guiana": {"units": others}}, sea_zones=nobody)) == {("guiana", "britain")}
    both = [army("britain", 1), army("netherlands", 1)]
    g = penniless(areas={"guiana": {"units": both}}, sea_zones=nobody)
    assert failed(g) == {("guiana", "france")}
    (missing,) = [e for e in g.events if isinstance(e, events.GarrisonMissing)]
    assert "COD-007" in missing.rules
    g = penniless(areas={"guiana": {"units": others}})
    refusal = g.refused("britain", "ready")  # there are armies at home
    assert refusal.code == "garrison" and refusal.detail["areas"] == ["guiana"]
    assert refusal.detail["fix"] == ["move A1 home > guiana"]
    assert is_ready(g, "france")
    g.act("britain", "move A1 home > guiana")
    assert is_ready(g, "britain")


@pytest.mark.rule("STA-043", "COD-008")
@pytest.mark.parametrize(("others", "left", "rise"), [("protectorate", "interest", 2), ("possession", "", 3)])
def test_a_member_without_army_loses_its_place_and_gets_no_influence(others: str, left: str, rise: int) -> None:
    hawaii = {
        "markers": [marker("united_states", "protectorate"), marker("britain", others), marker("japan", others)],
        "units": [army("britain", 1), army("japan", 1)],
        "codominion": ["united_states", "britain", "japan"],
    }
    g = penniless(areas={"hawaii": hawaii}, homes=at_home("united_states"))
    assert through_adjustment(g) == rise
    assert g.kind("hawaii", "united_states") == left
    assert set(g.state.areas["hawaii"].codominion) == {"britain", "japan"}


# No Area may be left on purpose


@pytest.mark.rule("STA-039")
def test_spare_army_with_a_path_must_garrison() -> None:
    g = penniless(areas={"senegambia": held("france", "possession")})
    refusal = g.refused("france", "ready")
    assert refusal.code == "garrison" and "STA-039" in refusal.rules
    assert refusal.detail["areas"] == ["senegambia"] and refusal.detail["fix"] == ["move A1 home > senegambia"]
    g.act("france", refusal.detail["fix"][0])
    assert is_ready(g, "france")


@pytest.mark.rule("STA-039")
def test_army_without_a_path_need_not_garrison() -> None:
    # the least of the French Areas
    left = {"guiana": {"units": [army("britain", 1), army("netherlands", 1)]}}
    # no army to spare
    g = penniless(areas=left, homes=at_home("france"))
    assert is_ready(g, "france")
    # no path: the North Atlantic has no French Merchant Fleet
    zone = {"north_atlantic": {"merchant_fleets": ["britain", "germany"]}}
    g = penniless(areas=left, sea_zones=zone)
    assert is_ready(g, "france")
    # a second army elsewhere is one to spare
    two = {"algiers": held("france", "possession", army("france", 10), army("france", 1))}
    g = penniless(areas={**left, **two}, homes=at_home("france"))
    assert g.refused("france", "ready").detail["fix"] == ["move A1 algiers > guiana"]
    # one that has ended its movement is not
    halted = {"algiers": held("france", "possession", army("france", 10), {**army("france", 1), "halted": True})}
    g = penniless(areas={**left, **halted}, homes=at_home("france"))
    fix = g.refused("france", "ready").detail["fix"]
    assert fix == ["move A10 algiers > guiana"]  # it keeps Algiers, and the other goes
    both = [{**army("france", n), "halted": True} for n in (10, 1)]
    g = penniless(areas={**left, "algiers": held("france", "possession", *both)}, homes=at_home("france"))
    assert is_ready(g, "france")


@pytest.mark.rule("STA-039")
def test_proposed_orders_place_the_missing_garrisons() -> None:
    g = penniless(areas={a: held("france", "possession") for a in ("senegambia", "cochinchina")})
    g.act("france", "garrison")
    assert g.units("senegambia", "france", "army") and g.units("cochinchina", "france", "army")
    refusal = g.refused("france", "garrison")
    assert refusal.code == "nothing_to_fix" and refusal.rules
    assert is_ready(g, "france")


@pytest.mark.rule("STA-039")
def test_surplus_army_of_an_area_is_spare() -> None:
    areas = {"tunis": held("italy"), "egypt": held("italy", "possession", army("italy", 1), army("italy", 3))}
    g = penniless(areas=areas, homes=at_home("italy"))
    assert not_ready(g, "italy", "STA-039") == ["move A1 egypt > tunis"]
    g.act("italy", "garrison")
    assert g.units("tunis", "italy") == ["A1"] and g.units("egypt", "italy") == ["A3"]
    assert [(e.reason, e.path[0], e.path[-1]) for e in g.of(events.UnitsMoved)] == [("fix", "egypt", "tunis")]
    assert g.refused("italy", "garrison").code == "nothing_to_fix"
    assert is_ready(g, "italy")


@pytest.mark.rule("STA-039")
def test_army_that_fights_for_its_marker_is_not_spare() -> None:
    # an army that has only an unestablished marker around it may not start
    areas = {
        "tunis": held("italy"),
        "tripoli": {"markers": [marker("italy", "protectorate", False)], "units": [army("italy", 1)]},
    }
    assert is_ready(penniless(areas=areas, homes=at_home("italy")), "italy")


@pytest.mark.rule("STA-039")
def test_arbiter_garrisons_for_all_powers() -> None:
    g = penniless(
        areas={"tunis": held("italy"), "senegambia": held("france", "possession")},
        homes=at_home("italy", army("italy", 1)),
    )
    g.step()
    assert g.units("tunis", "italy") == ["A1"] and g.units("senegambia", "france") == ["A1"]
    assert not g.of(events.GarrisonMissing) and not g.of(events.UnitsBuilt)


THREE = ("kongo", "gabon", "fiji")


def three(*kinds: str) -> dict[str, Any]:
    """Italy in Kongo (8), Gabon (3) and Fiji (4) under these kinds of Control, joined to Italy by its fleets."""
    areas = {a: held("italy", kind) for a, kind in zip(THREE, kinds, strict=True)}
    return {
        "areas": areas,
        "sea_zones": {
            zone: {"merchant_fleets": ["italy"]}
            for zone in ("north_atlantic", "south_atlantic", "indian_ocean", "oceania")
        },
    }


@pytest.mark.rule("STA-040")
@pytest.mark.parametrize(
    ("kinds", "order"),
    [
        # kongo 8, gabon 3, fiji 4; the Areas that stay without garrison, in order
        (("protectorate", "protectorate", "possession"), ("gabon", "kongo", "fiji")),
        (("protectorate", "possession", "protectorate"), ("fiji", "kongo", "gabon")),
        (("possession", "possession", "possession"), ("gabon", "fiji", "kongo")),
        (("possession", "protectorate", "possession"), ("gabon", "fiji", "kongo")),
        (("protectorate", "possession", "possession"), ("kongo", "gabon", "fiji")),
    ],
)
def test_least_important_areas_stay_without_garrison(kinds: tuple[str, ...], order: tuple[str, ...]) -> None:
    for count in (1, 2):
        patch = three(*kinds)
        g = penniless(**patch, homes=at_home("italy", *[army("italy", 1)] * count))
        assert g.refused("italy", "ready").code == "garrison"
        assert {a for a, p in failed(g) if p == "italy"} == set(order[: 3 - count])
        # wherever the armies stand now, those of lesser Areas have to make good the better ones
        for place in order:
            patch = three(*kinds)
            patch["areas"][place]["units"] = [army("italy", 1)] * count
            g = penniless(**patch, homes=at_home("italy"))
            if place in order[: 3 - count] or count == 2:
                refusal = g.refused("italy", "ready")
                assert refusal.code == "garrison" and "STA-040" in refusal.rules
            else:
                assert is_ready(g, "italy")
            assert {a for a, p in failed(g) if p == "italy"} == set(order[: 3 - count])


@pytest.mark.rule("STA-040")
def test_two_armies_for_three_areas() -> None:
    units = at_home("italy", army("italy", 3), army("italy", 1))
    lands = {"kongo": held("italy"), "gabon": held("italy"), "new_guinea": held("italy", "possession")}
    zones = three("protectorate", "protectorate", "possession")["sea_zones"]
    values = {a: start().tables.areas[a].value for a in lands}
    assert values == {"kongo": 8, "gabon": 3, "new_guinea": 2}
    g = penniless(areas=lands, homes=units, sea_zones=zones)
    g.act("italy", "move A3 home > gabon")
    g.act("italy", "move A1 home > kongo")
    refusal = g.refused("italy", "ready")
    assert "STA-040" in refusal.rules and "new_guinea" in refusal.detail["areas"]
    g.act("italy", "move A3 gabon > new_guinea")
    assert is_ready(g, "italy")
    assert failed(g) == {("gabon", "italy")}


TWO_FOR_THREE = {
    "egypt": held("italy", "protectorate"),  # worth 8
    "aden": held("italy", "protectorate"),  # worth 3
    "new_guinea": held("italy", "possession"),  # worth 2
}


@pytest.mark.rule("STA-040")
@pytest.mark.parametrize("empty", ["egypt", "new_guinea"])
def test_better_area_may_not_be_left_for_a_worse_one(empty: str) -> None:
    areas = {a: (row if a == empty else {**row, "units": [army("italy", 1)]}) for a, row in TWO_FOR_THREE.items()}
    g = penniless(areas=areas, homes=at_home("italy"), sea_zones={"oceania": {"merchant_fleets": ["italy"]}})
    assert not_ready(g, "italy", "STA-040") == [f"move A1 aden > {empty}"]
    g.act("italy", "garrison")
    assert [g.units(a, "italy") for a in TWO_FOR_THREE] == [["A1"], [], ["A1"]]


@pytest.mark.rule("STA-040")
def test_states_and_dominions_go_without_last() -> None:
    lands = {
        "canada": held("britain", "dominion"),
        "newfoundland": held("britain", "possession"),
        "gold_coast": held("britain", "protectorate"),
    }
    rest = {a: {"markers": []} for a, here in start().state.areas.items() if a not in lands and a != "guiana"}
    one = {**{a: {**row, "units": []} for a, row in rest.items()}, **lands, "guiana": {"markers": [], "units": []}}
    g = penniless(areas=one, homes=at_home("britain", army("britain", 1)))
    assert {a for a, p in failed(g) if p == "britain"} == {"newfoundland", "gold_coast"}
    g = penniless(areas=one, homes=at_home("britain", *[army("britain", 1)] * 2))
    assert {a for a, p in failed(g) if p == "britain"} == {"gold_coast"}


@pytest.mark.rule("STA-040")
def test_states_come_before_possessions_whatever_they_are_worth() -> None:
    areas = {
        "porto_rico": held("united_states", "state"),  # worth 5
        "cuba": held("united_states", "possession", army("united_states", 1)),  # worth 6
        "alaska": {"markers": [], "units": []},
    }
    g = penniless(areas=areas, homes=at_home("united_states"))
    assert not_ready(g, "united_states", "STA-040") == ["move A1 cuba > porto_rico"]
    g.act("united_states", "garrison")
    assert is_ready(g, "united_states")


@pytest.mark.rule("STA-040")
def test_a_chain_of_moves_covers_all_that_can_be_covered() -> None:
    # The army in Tunis can go by land to Algiers only, the one at home nowhere but Tunis: both have to move.
    areas = {
        "tunis": held("italy", "possession", army("italy", 1)),
        "algiers": held("italy", "protectorate"),
        "marocco": held("italy", "protectorate", army("italy", 1)),
        "rio_de_oro": {"markers": [], "units": []},
    }
    g = penniless(
        areas=areas,
        homes=at_home("italy", army("italy", 1)),
        sea_zones={"mediterranean": {"merchant_fleets": ["italy"]}},
    )
    assert len(not_ready(g, "italy", "STA-040")) == 1  # one move suffices: straight from home
    g = penniless(areas=areas, homes=at_home("italy"), sea_zones={"mediterranean": {"merchant_fleets": []}})
    # two armies for three Areas: the Protectorate of 5 gives its army up for the one of 8
    assert not_ready(g, "italy", "STA-040")
    g.act("italy", "garrison")
    assert [g.units(a, "italy") for a in ("tunis", "algiers", "marocco")] == [["A1"], ["A1"], []]


@pytest.mark.rule("STA-041")
@pytest.mark.parametrize("chosen", ["fiji", "togoland"])
def test_between_equals_the_power_chooses(chosen: str) -> None:
    lands = {a: held("italy") for a in ("fiji", "togoland")}
    assert {start().tables.areas[a].value for a in lands} == {4}
    g = penniless(areas=lands, homes=at_home("italy", army("italy", 1)), sea_zones=three("", "", "")["sea_zones"])
    assert g.refused("italy", "ready").code == "garrison"
    g.act("italy", f"move A1 home > {chosen}")
    assert is_ready(g, "italy")
    assert failed(g) == {(a, "italy") for a in lands if a != chosen}
    assert g.units(chosen, "italy", "army") == ["A1"]


# The Indian Army


@pytest.mark.rule("STA-044")
def test_the_indian_army_of_the_start() -> None:
    g = start()
    heavy = {place: n for place, n in garrisons.heavy_armies(g.state, "britain").items() if n}
    assert heavy == {"bengal": 1, "punjab": 1, "united_provinces": 1, "australia": 1, "canada": 1}
    assert set(heavy) - garrisons.india_zone(g.tables, g.state) == {"australia", "canada"}


def india(*places: str, **patch: Any) -> Bench:
    """Britain with an Army (10) in each of these places, an Army (1) in every other Area of the start."""
    g = start()
    areas: dict[str, Any] = {}
    for area, here in g.state.areas.items():
        if controls(g.state, area, "britain"):
            others = [
                {"power": u.power, "kind": u.kind, "strength": u.strength} for u in here.units if u.power != "britain"
            ]
            areas[area] = {"units": [*others, army("britain", 1)]}
    for area, row in patch.pop("areas", {}).items():
        areas[area] = row
    waiting = [army("britain", 10) for place in places if place == "home"]
    for place in places:
        if place != "home":
            areas.setdefault(place, {"units": []})
            areas[place] = {**areas[place], "units": [*areas[place].get("units", []), army("britain", 10)]}
    return penniless(areas=areas, homes=at_home("britain", *waiting), **patch)


@pytest.mark.rule("STA-045", "STA-042")
def test_three_heavy_armies_must_end_the_phase_in_india() -> None:
    assert is_ready(india("bengal", "bengal", "kashmir"), "britain")
    assert is_ready(india("bengal", "bengal", "kashmir", "australia"), "britain")  # any three will do
    for places in (("bengal", "bengal", "australia"), ("bengal", "kashmir", "home"), ("home", "home", "home")):
        g = india(*places)
        refusal = g.refused("britain", "ready")
        assert refusal.code == "garrison" and "STA-045" in refusal.rules
        assert any(order.startswith(f"move A10 {places[-1]} > ") for order in refusal.detail["fix"])
        g.act("britain", "garrison")
        zone = garrisons.india_zone(g.tables, g.state)
        assert sum(n for p, n in garrisons.heavy_armies(g.state, "britain").items() if p in zone) == 3
        assert is_ready(g, "britain")
    assert is_ready(india("bengal", "bengal"), "britain")  # there is no third
    none = {z: {"merchant_fleets": []} for z in ("north_atlantic", "indian_ocean", "south_atlantic", "oceania")}
    assert is_ready(india("bengal", "bengal", "australia", sea_zones=none), "britain")  # it cannot come


def few(**armies_10: int) -> Bench:
    """Britain with nothing but these Areas, and so many Army (10) Units in each."""
    areas: dict[str, Any] = {}
    for area, here in start().state.areas.items():
        if controls(start().state, area, "britain"):
            others = [marker(m.power, m.marker) for m in here.markers if m.power != "britain"]
            areas[area] = {"markers": others, "units": [army(o["power"], 1) for o in others]}
    for area, count in armies_10.items():
        areas[area] = held("britain", "possession", *[army("britain", 10)] * count)
    return penniless(areas=areas, homes=at_home("britain"))


@pytest.mark.rule("STA-042", "STA-045")
def test_the_indian_army_is_no_garrison_for_distant_areas() -> None:
    g = few(bengal=3, newfoundland=0)
    assert is_ready(g, "britain")  # two surplus armies, both of them bound
    assert failed(g) == {("newfoundland", "britain")}
    g = few(bengal=4, newfoundland=0)
    assert g.refused("britain", "ready").detail["fix"] == ["move A10 bengal > newfoundland"]
    # within two Areas of India they do count
    g = few(bengal=3, rajputana=0)
    assert g.refused("britain", "ready").detail["fix"] == ["move A10 bengal > rajputana"]


@pytest.mark.rule("STA-042")
@pytest.mark.parametrize(("in_bengal", "must"), [((10, 10), False), ((10, 10, 10), True), ((10, 10, 1), True)])
def test_surplus_heavy_armies_of_india_garrison_elsewhere(in_bengal: tuple[int, ...], must: bool) -> None:
    # two Armies (10) in Bengal and one in Punjab are the Indian Army; they have nothing smaller to relieve
    areas: dict[str, Any] = {
        "bengal": held("britain", "possession", *(army("britain", n) for n in in_bengal)),
        "hong_kong": held("britain"),
    }
    others = ("kashmir", "rajputana", "hindoostan", "united_provinces", "federated_malay_states")
    areas |= {a: {"markers": [], "units": []} for a in others}
    g = penniless(areas=areas, homes=at_home("britain"))
    if must:
        unit = "A1" if 1 in in_bengal else "A10"
        assert not_ready(g, "britain", "STA-039") == [f"move {unit} bengal > hong_kong"]
    else:
        assert is_ready(g, "britain")


@pytest.mark.rule("STA-042", "STA-045")
def test_indian_army_comes_before_other_garrisons() -> None:
    g = few(bengal=2, australia=1)
    refusal = g.refused("britain", "ready")
    assert "STA-042" in refusal.rules and refusal.detail["fix"] == ["move A10 australia > bengal"]
    assert failed(g) == {("australia", "britain")}
    assert g.units("australia", "britain", "army") == []


@pytest.mark.rule("STA-047")
@pytest.mark.parametrize(
    ("place", "counts"),
    [
        ("bengal", True),
        ("sin_kiang", True),
        ("kashmir", True),
        ("yunnan", True),
        ("siam", True),
        ("persia", True),
        ("kwang_si", False),
        ("korea", False),
        ("australia", False),
        ("aden", False),
    ],
)
def test_within_two_overland_steps_of_india(place: str, counts: bool) -> None:
    own = (
        {}
        if place in ("bengal", "kashmir", "australia")
        else {place: held("britain", "protectorate", army("britain", 1))}
    )
    g = india("bengal", "bengal", place, areas=own)
    assert (place in garrisons.india_zone(g.tables, g.state)) is counts
    if counts:
        assert is_ready(g, "britain")
    else:
        refusal = g.refused("britain", "ready")
        assert refusal.code == "garrison" and {"STA-047", "STA-045"} <= set(refusal.rules)


@pytest.mark.rule("STA-047")
def test_owners_of_areas_between_are_irrelevant() -> None:
    foreign = {"burma": held("france", "possession", army("france", 1))}
    own = {"yunnan": held("britain", "protectorate", army("britain", 1))}
    assert is_ready(india("bengal", "bengal", "yunnan", areas={**foreign, **own}), "britain")


# The Western Garrison

EAST = ("manchuria", "persia", "port_arthur")


def russia(*places: str, players: int = 7, **more: Any) -> Bench:
    """Russia with an Army (10) in each of these places, Control of all of them and of three eastern Areas."""
    lands = {p for p in places if p != "home"} | set(EAST) | {"rumania", "anatolia", "serbia", "bulgaria", "greece"}
    areas = {
        a: held("russia", "protectorate", army("russia", 1), *[army("russia", 10)] * places.count(a)) for a in lands
    }
    units = [army("russia", 10)] * places.count("home") + [army("russia", 3)]
    return penniless(players, areas=areas, homes=at_home("russia", *units), **more)


@pytest.mark.rule("STA-048")
def test_of_four_heavy_armies_one_may_leave_the_west() -> None:
    g = russia("home", "home", "home", "home")
    refusal = g.refused("russia", "move A10 A10 home > manchuria")
    assert refusal.code == "western_garrison" and "STA-048" in refusal.rules
    g.act("russia", "move A10 home > manchuria")
    refusal = g.refused("russia", "move A10 home > persia")
    assert refusal.code == "western_garrison" and "STA-048" in refusal.rules
    g.act("russia", "move A3 home > persia")  # smaller ones are free
    g.act("russia", "move A10 manchuria > persia")  # and so is the one that has left
    g.act("russia", "move A10 persia > home")
    five = russia(*["home"] * 5)
    five.act("russia", "move A10 A10 home > manchuria")
    assert five.refused("russia", "move A10 home > manchuria").code == "western_garrison"


@pytest.mark.rule("STA-048")
@pytest.mark.parametrize("place", ["rumania", "anatolia", "serbia", "bulgaria", "greece"])
def test_the_balkans_and_anatolia_are_the_west(place: str) -> None:
    g = russia("home", "home", "home", sea_zones={"mediterranean": {"merchant_fleets": ["russia"]}})
    g.act("russia", f"move A10 A10 A10 home > {place}")  # as many as one likes, four or not
    refusal = g.refused("russia", f"move A10 {place} > manchuria")
    assert refusal.code == "western_garrison"
    g = russia("home", "home", place, "home")
    g.act("russia", "move A10 home > manchuria")
    assert g.refused("russia", f"move A10 {place} > persia").code == "western_garrison"


@pytest.mark.rule("STA-050")
@pytest.mark.parametrize("places", [("home", "home", "home"), ("home",), ("home", "home", "manchuria")])
def test_heavy_armies_stay_if_there_are_fewer_than_four(places: tuple[str, ...]) -> None:
    g = russia(*places)
    refusal = g.refused("russia", "move A10 home > manchuria")
    assert refusal.code == "western_garrison" and "STA-050" in refusal.rules
    g.act("russia", "move A3 home > manchuria")
    g.act("russia", "move A10 home > rumania")
    if "manchuria" in places:
        # no further out, but back
        assert "STA-050" in g.refused("russia", "move A10 manchuria > persia").rules
        g.act("russia", "move A10 manchuria > home")
        assert "STA-050" in g.refused("russia", "move A10 home > manchuria").rules


@pytest.mark.rule("STA-042", "STA-048", "STA-050")
def test_the_western_garrison_goes_before_distant_garrisons() -> None:
    patch: dict[str, Any] = {"areas": {"persia": held("russia")}}
    g = penniless(**patch, homes=at_home("russia", *[army("russia", 10)] * 3))
    assert is_ready(g, "russia")
    assert failed(g) == {("persia", "russia")}
    g = penniless(**patch, homes=at_home("russia", *[army("russia", 10)] * 4))
    assert g.refused("russia", "ready").detail["fix"] == ["move A10 home > persia"]
    patch = {"areas": {"rumania": held("russia")}}
    g = penniless(**patch, homes=at_home("russia", army("russia", 10)))
    assert g.refused("russia", "ready").detail["fix"] == ["move A10 home > rumania"]


@pytest.mark.rule("STA-048", "STA-042")
@pytest.mark.parametrize(("tens", "goes"), [(4, True), (3, False)])
def test_proposed_orders_keep_the_western_garrison(tens: int, goes: bool) -> None:
    areas = {"manchuria": held("russia"), "port_arthur": held("russia")}
    g = penniless(areas=areas, homes=at_home("russia", *[army("russia", 10)] * tens))
    if goes:
        assert not_ready(g, "russia", "STA-039") == ["move A10 home > manchuria"]
        g.act("russia", "garrison")
    assert is_ready(g, "russia")
    assert g.units("home:russia", "russia") == ["A10"] * 3


@pytest.mark.rule("STA-050")
@pytest.mark.parametrize(("tens", "goes"), [(2, False), (3, True)])
def test_eastern_heavy_army_is_no_garrison_with_fewer_than_four(tens: int, goes: bool) -> None:
    areas = {
        "manchuria": held("russia", "protectorate", army("russia", 1), army("russia", 10)),
        "persia": held("russia"),
    }
    halted = {"manchuria": {**areas["manchuria"], "units": [{**army("russia", 1), "halted": True}, army("russia", 10)]}}
    g = penniless(areas={**areas, **halted}, homes=at_home("russia", *[army("russia", 10)] * tens))
    if goes:
        assert g.refused("russia", "ready").detail["fix"] == ["move A10 manchuria > persia"]
    else:
        assert is_ready(g, "russia")
        assert failed(g) == {("persia", "russia")}


@pytest.mark.rule("STA-048")
def test_other_powers_have_no_western_garrison() -> None:
    g = penniless(areas={"tunis": held("germany")})
    g.act("germany", "move A10 A10 home > tunis")
    assert g.units("tunis") == ["A10", "A10"]


@pytest.mark.rule("STA-051")
@pytest.mark.parametrize(("heavy", "sent"), [(4, 1), (3, 0), (5, 2)])
def test_a_minor_russia_keeps_its_western_garrison(heavy: int, sent: int) -> None:
    areas = {"manchuria": held("russia", "protectorate", army("russia", 1), unrest=True)}
    g = start(
        {"phase": "minor_powers", "areas": areas, "homes": at_home("russia", *[army("russia", 10)] * heavy)},
        players=4,
        options=UNLIMITED,
    )
    g.dice(6, 6, 6, 6, 6, 6, 6)  # none is active
    g.do(ARBITER, actions.Step())
    assert g.units("manchuria", "russia", "army").count("A10") == sent
    assert g.units("home:russia", "russia", "army").count("A10") == heavy - sent


@pytest.mark.rule("STA-051")
def test_a_minor_russia_is_not_made_to_rebuild() -> None:
    g = penniless(players=5, homes=at_home("russia", army("russia", 10)))
    for seat in g.state.players:
        g.act(seat, "ready")
    assert g.units("home:russia", "russia", "army") == ["A10"]
