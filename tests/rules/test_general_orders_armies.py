"""The General Orders in peace: fleets, demands of events, the Indian Army, garrisons, Unrest, and surplus units."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.bots.pax.caretaker import spending
from paxtui.bots.pax.caretaker.forces import garrison_tasks
from paxtui.bots.pax.caretaker.planner import Planner
from paxtui.bots.pax.caretaker.spending import FleetOpening
from paxtui.games.pax.board.routes import steps_from_home
from tests.rules.general_orders import alone, answers, follow, nothing_held, orders
from tests.rules.harness import Bench, army, at_home, held, here, marker, moving, new, start, tables

# Rule 5


@pytest.mark.rule("ORD-013", "ORD-014", "ORD-015")
@pytest.mark.parametrize(
    ("power", "zone"),
    [("russia", "mediterranean"), ("united_states", "north_china_sea"), ("germany", "south_china_sea")],
)
def test_a_new_fleet_opens_the_richest_areas_then_the_most_of_them(power: str, zone: str):
    g = moving(0, powers={power: {"merchants_due": 1}})
    assert follow(g, power)[0] == f"merchant new > {zone}"


@pytest.mark.rule("ORD-013")
def test_one_rich_area_comes_before_many_poor_ones():
    found = {"many": FleetOpening((7, 7, 7), 1), "rich": FleetOpening((8,), 1)}
    assert spending.best_sea_zone(found, lambda sides: 0) == "rich"


@pytest.mark.rule("ORD-014")
def test_zone_with_more_areas_of_equal_value_is_preferred():
    found = {"one": FleetOpening((8, 7, 7), 3), "two": FleetOpening((8, 8), 1)}
    assert spending.best_sea_zone(found, lambda sides: 0) == "two"


@pytest.mark.rule("ORD-015")
def test_next_value_breaks_a_tie():
    found = {"few": FleetOpening((8, 6), 3), "more": FleetOpening((8, 6, 6), 1), "other": FleetOpening((8, 5, 5, 5), 3)}
    assert spending.best_sea_zone(found, lambda sides: 0) == "more"


@pytest.mark.rule("ORD-016")
def test_equal_zones_are_chosen_by_distance_then_dice():
    steps = steps_from_home(tables(), start().state, "germany")
    assert [steps[z] for z in ("baltic", "caribbean", "south_pacific")] == [1, 2, 3]
    found = spending.fleet_openings(tables(), start().state, "germany")
    assert found["caribbean"].steps == 2 and found["south_pacific"].steps == 3
    near, far = FleetOpening((8,), 2), FleetOpening((8,), 3)
    assert spending.best_sea_zone({"a": near, "b": far}, lambda sides: 0) == "b"
    rolled: list[int] = []

    def die(sides: int) -> int:
        rolled.append(sides)
        return 1

    assert spending.best_sea_zone({"a": far, "b": far}, die) == "b" and rolled == [2]


# Rule 6


@pytest.mark.rule("ORD-017")
def test_the_western_garrison_is_brought_up_to_strength_if_funds_allow():
    home = (army("russia", 10), army("russia", 10))
    g = alone("russia", {}, money=35, home=home)
    assert follow(g, "russia") == ["build A10"]
    g = alone("russia", {}, money=29, home=home)
    assert follow(g, "russia") == []


def india(money: int = 0, home: tuple[dict[str, Any], ...] = (), **areas: Any) -> Bench:
    """Britain with India alone, three Armies (10) in it, and these Areas."""
    ten, one = army("britain", 10), army("britain")
    base = {
        "bengal": held("britain", "possession", ten, one),
        "punjab": held("britain", "possession", ten),
        "united_provinces": held("britain", "possession", ten),
        "rajputana": held("britain", "possession", one),
        "hindoostan": held("britain", "possession", one),
        "kashmir": held("britain", "possession", one),
    }
    return alone("britain", {**base, **areas}, money, home)


@pytest.mark.rule("ORD-018")
def test_the_indian_army_garrisons_first_then_puts_down_unrest_within_its_limits():
    bare = held("britain", "possession")
    restless = held("britain", "possession", unrest=True)
    assert follow(india(rajputana=bare, kashmir=restless), "britain") == ["move A10 bengal > rajputana"]
    assert follow(india(kashmir=restless), "britain") == ["move A10 bengal > kashmir"]
    done = follow(india(gold_coast=bare), "britain")
    assert done == ["move A1 bengal > home", "move A1 home > gold_coast"]


@pytest.mark.rule("ORD-018")
def test_surplus_of_the_indian_army_goes_near_a_dispute_then_near_china():
    ten, one = army("britain", 10), army("britain")
    spare = {
        "bengal": held("britain", "possession", one),
        "rajputana": held("britain", "possession", ten, one),
        "united_provinces": held("britain", "possession", ten),
    }
    assert follow(india(**spare), "britain")[0] == "move A10 rajputana > bengal"
    quarrel = moving(
        {"britain": 0},
        areas={
            **nothing_held("britain"),
            "bengal": held("britain", "possession", one),
            "rajputana": held("britain", "possession", ten, one),
            "united_provinces": held("britain", "possession", ten),
            "punjab": held("britain", "possession", one),
            "hindoostan": held("britain", "possession", ten),
            "kashmir": held("britain", "possession", one),
            "afghanistan": here(marker("britain", "influence"), marker("russia", "protectorate"), army("russia")),
        },
        homes=at_home("britain"),
        casus_belli=[{"holder": "britain", "against": "russia", "area": "afghanistan"}],
    )
    order = follow(quarrel, "britain")[0]
    assert order.startswith("move A10 rajputana > ") and order.split()[-1] in tables().routes["afghanistan"]


@pytest.mark.rule("ORD-019")
def test_event_demand_is_met_minimally_if_affordable():
    g = alone("italy", {}, money=60, events_in_force=["3-1"])
    assert follow(g, "italy") == ["build A10"]
    areas = {"australia": held("britain", "possession", army("britain", 10))}
    for money, done in ((20, ["upgrade dominion australia"]), (19, [])):
        g = alone("britain", areas, money, events_in_force=["3-2"])
        assert follow(g, "britain") == done


@pytest.mark.rule("ORD-019", "ORD-049")
def test_king_leopolds_demand_is_met_with_the_cheapest_colony():
    g = moving({"belgium": 45}, players=8, options={"belgium": "yes"}, events_in_force=["4-2"])
    done = follow(g, "belgium")
    assert sum(t.startswith("place protectorate") for t in done) == 1
    assert "belgium" in g.state.ready


# Rule 7


@pytest.mark.rule("ORD-020", "ORD-027")
def test_richest_area_comes_first_ungarrisoned_or_in_unrest():
    areas = {
        "algiers": held("france", "protectorate"),  # 8
        "cochinchina": held("france", "protectorate"),  # 7
    }
    g = alone("france", areas, money=3)
    assert follow(g, "france") == ["build A1", "move A1 home > algiers"]
    areas = {
        "algiers": held("france", "protectorate", unrest=True),  # 8, strength 3
        "cochinchina": held("france", "protectorate"),
    }
    g = alone("france", areas, money=15)
    assert follow(g, "france") == ["build A1 A1 A1 A1 A1", "move A1 A1 A1 A1 A1 home > algiers"]


@pytest.mark.rule("ORD-020", "ORD-021")
def test_poor_area_loses_its_garrison_to_a_revolt_in_a_rich_one():
    areas = {"kongo": held("france", "protectorate", unrest=True), "gabon": held("france", "protectorate")}
    g = alone("france", areas, home=(army("france", 3),))
    assert follow(g, "france") == ["move A3 home > kongo"]
    assert "france" in g.state.ready


@pytest.mark.rule("ORD-022", "ORD-023")
@pytest.mark.parametrize(
    ("home", "done"),
    [
        ((10, 3, 1), ["move A3 A1 A1 home > algiers"]),
        ((3,), ["build A1 A1", "move A3 A1 A1 home > algiers"]),
        ((10,), ["move A10 home > algiers"]),
    ],
)
def test_attack_needs_three_to_two_and_missing_units_are_bought(home: tuple[int, ...], done: list[str]):
    units = tuple(army("france", s) for s in home) + ((army("france"),) if home == (10, 3, 1) else ())
    g = alone("france", {"algiers": held("france", "protectorate", unrest=True)}, money=6, home=units)
    assert follow(g, "france") == done


@pytest.mark.rule("ORD-022")
def test_five_strength_points_need_eight():
    g = alone("france", {"egypt": held("france", "protectorate", army("france", 3), unrest=True)}, money=12)
    assert follow(g, "france") == []
    g = alone("france", {"egypt": held("france", "protectorate", army("france", 3), unrest=True)}, money=15)
    assert follow(g, "france") == ["build A1 A1 A1 A1 A1", "move A1 A1 A1 A1 A1 home > egypt"]


@pytest.mark.rule("ORD-022", "ORD-023")
def test_less_than_three_to_two_does_not_attack():
    for force, word in ((4, "decline"), (5, "fight")):
        armies = [army("france") for _ in range(force)]
        area = {"algiers": held("france", "protectorate", *armies, unrest=True)}
        g = start({"phase": "colonial_combat", "areas": {**nothing_held("france"), **area}})
        assert answers(g, "france") == [f"{word} algiers"]


@pytest.mark.rule("ORD-024", "ORD-049")
def test_influence_in_unrest_becomes_a_protectorate_or_is_left():
    area = {"tunis": held("france", "influence", unrest=True)}
    strength = tables().areas["tunis"].strength
    units = -(-strength * 3 // 2)
    g = alone("france", area, money=10 + 3 * units)
    done = follow(g, "france")
    assert done[0] == "upgrade protectorate tunis" and done[-1].endswith("home > tunis")
    g = alone("france", area, money=9 + 3 * units)
    assert follow(g, "france") == []


@pytest.mark.rule("ORD-025")
def test_a_garrison_is_the_smallest_unit_at_home():
    units = tuple(army("france", s) for s in (10, 3, 1))
    g = alone("france", {"algiers": held("france", "protectorate")}, home=units)
    assert follow(g, "france") == ["move A1 home > algiers"]
    g = alone("france", {"algiers": held("france", "protectorate")}, home=units[:2])
    assert follow(g, "france") == ["move A3 home > algiers"]


@pytest.mark.rule("ORD-026")
def test_a_new_army_of_one_comes_before_a_three_from_home():
    g = alone("france", {"algiers": held("france", "protectorate")}, money=3, home=(army("france", 3),))
    assert follow(g, "france") == ["build A1", "move A1 home > algiers"]


@pytest.mark.rule("ORD-028")
def test_equal_values_rank_garrisons_then_control_then_influence():
    same = [a.id for a in tables().areas.values() if a.value == 4 and a.type == "unorganized"][:3]
    kinds = (
        held("france", "influence", unrest=True),
        held("france", "protectorate", unrest=True),
        held("france", "protectorate"),
    )
    g = alone("france", dict(zip(same, kinds, strict=True)))
    found = [task.area for task in garrison_tasks(Planner(g.tables, g.state, "france", "france", "x"))]
    assert found == [same[2], same[1], same[0]]


@pytest.mark.rule("ORD-029")
def test_strongest_area_is_garrisoned_and_weakest_put_down_first():
    weak, strong = sorted(
        (a for a in tables().areas.values() if a.value == 6), key=lambda a: a.strength
    )[0], max((a for a in tables().areas.values() if a.value == 6), key=lambda a: a.strength)  # fmt: skip
    for unrest, order in ((False, [strong.id, weak.id]), (True, [weak.id, strong.id])):
        g = alone("france", {a.id: held("france", "protectorate", unrest=unrest) for a in (weak, strong)})
        assert [task.area for task in garrison_tasks(Planner(g.tables, g.state, "france", "france", "x"))] == order


@pytest.mark.rule("ORD-030")
def test_last_tie_is_decided_by_seeded_dice():
    twins: dict[tuple[int, int], list[str]] = {}
    for area in tables().areas.values():
        twins.setdefault((area.value, area.strength), []).append(area.id)
    pair = next(areas for areas in twins.values() if len(areas) > 1)[:2]
    g = alone("france", {a: held("france", "protectorate") for a in pair})
    found = {
        tuple(task.area for task in garrison_tasks(Planner(g.tables, g.state, "france", "france", str(seed))))
        for seed in range(12)
    }
    assert found == {tuple(pair), tuple(reversed(pair))}
    assert orders(g, "france", "a") == orders(g, "france", "a")


def inland() -> tuple[str, str]:
    """A coastal Area that is the only way to a richer inland Area."""
    t = tables()
    for area in t.areas.values():
        if area.sea_zones:
            continue
        for gate in t.routes.get(area.id, ()):
            row = t.areas.get(gate)
            if row and row.sea_zones and row.value < area.value and row.type == area.type == "unorganized":
                return gate, area.id
    raise AssertionError("no such pair")


@pytest.mark.rule("ORD-031")
def test_area_that_carries_the_link_is_garrisoned_first():
    gate, behind = inland()
    areas = {gate: held("france", "protectorate"), behind: held("france", "protectorate")}
    sea = tables().areas[gate].sea_zones[0]
    seas = {sea, "north_atlantic", "south_atlantic", "indian_ocean"}
    zones = {zone: {"merchant_fleets": ["france"]} for zone in seas}
    two = alone("france", areas, money=6, sea_zones=zones)
    done = [t for t in follow(two, "france") if t.startswith("move")]
    assert done == [f"move A1 home > {gate}", f"move A1 home > {behind}"]
    one = alone("france", areas, money=3, sea_zones=zones)
    assert [t for t in follow(one, "france") if t.startswith("move")] == [f"move A1 home > {gate}"]


@pytest.mark.rule("ORD-032")
def test_caretaker_helps_its_codominion_partners():
    area = here(
        marker("france", "protectorate"), marker("britain", "protectorate"), army("britain", 3), army("france"),
        unrest=True, codominion=["britain", "france"],
    )  # fmt: skip
    g = moving({"france": 3}, areas={**nothing_held("france"), "algiers": area}, homes=at_home("france"))
    # 3 and 1 are there, 5 are needed
    assert follow(g, "france") == ["build A1", "move A1 home > algiers"]
    g = start({"phase": "colonial_combat", "areas": {"algiers": area}})
    assert answers(g, "france") == ["combine"]


# Rule 8


@pytest.mark.rule("ORD-033")
def test_surplus_units_come_home_or_serve_elsewhere():
    areas = {"algiers": held("france", "possession", army("france", 3), army("france"))}
    assert follow(alone("france", areas), "france") == ["move A3 algiers > home"]
    areas["senegambia"] = held("france", "protectorate")
    done = follow(alone("france", areas), "france")
    assert done == ["move A3 algiers > home", "move A3 home > senegambia"]


@pytest.mark.rule("ORD-034")
def test_china_keeps_its_surplus():
    areas = {"shan_tung": held("germany", "protectorate", army("germany", 3), army("germany"))}
    zones = {zone: {"merchant_fleets": ["germany"]} for zone in tables().sea_zones}
    assert follow(alone("germany", areas, sea_zones=zones), "germany") == []


@pytest.mark.rule("ORD-035")
def test_turkey_keeps_its_surplus_during_unrest_in_an_ottoman_area():
    zones = {zone: {"merchant_fleets": ["germany"]} for zone in tables().sea_zones}
    quwait = {"quwait": held("germany", "protectorate", army("germany", 3), army("germany"))}
    for unrest, done in ((True, []), (False, ["move A3 quwait > home"])):
        g = alone("germany", {**quwait, "anatolia": here(unrest=unrest)}, sea_zones=zones)
        assert follow(g, "germany") == done


# Two orders together


def test_rules_six_and_seven_share_units():
    """The A10 that the event demands also suppresses the revolt: it is bought once."""
    area = {"tunis": held("italy", "protectorate", unrest=True)}
    g = alone("italy", area, money=30, events_in_force=["3-1"])
    assert follow(g, "italy") == ["build A10", "move A10 home > tunis"]


def test_rule_seven_uses_surplus_units_of_rule_eight():
    areas = {
        "algiers": held("france", "possession", army("france", 10), army("france"), army("france")),
        "senegambia": held("france", "protectorate"),
    }
    done = follow(alone("france", areas), "france")
    assert done == ["move A1 A10 algiers > home", "move A1 home > senegambia"]


def test_new_control_needs_no_garrison_order():
    g = moving({"france": 0}, areas={"tunis": here(new("france"), army("france"))}, homes=at_home("france"))
    assert not any("tunis" in text for text in follow(g, "france"))
