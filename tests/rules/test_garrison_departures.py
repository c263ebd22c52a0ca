"""Garrisons that leave on purpose (Decision 33): duties are tested against the beginning of the Phase."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from paxtui.games.pax.events import events
from paxtui.games.pax.expansion import garrisons
from tests.rules.harness import Bench, accept, army, at_home, held, here, is_ready, marker, moving, new

LEAN: dict[str, Any] = {
    "algiers": here(),
    "cochinchina": here(),
    "guiana": here(marker("britain", "possession"), army("britain", 1)),
}
"""France Controls nothing but Senegambia, with an Army (1)."""


def france(*at_home_: int, money: int = 0, **more: Any) -> Bench:
    """A Movement/Status Change Phase with a France of one Area, and Gabon in Unrest; its armies at home."""
    areas = {**LEAN, "gabon": here(unrest=True), **more.pop("areas", {})}
    return moving(money, areas=areas, homes=at_home("france", *(army("france", n) for n in at_home_)), **more)


def refused(g: Bench, seat: str, *rules: str) -> dict[str, Any]:
    """The details of the refusal of `ready` for a garrison."""
    refusal = g.refused(seat, "ready")
    assert refusal.code == "garrison" and set(rules) <= set(refusal.rules)
    assert all(order in refusal.message for order in refusal.detail["fix"])
    return dict(refusal.detail)


# Stops


HALTS = {
    "a new marker": here(new("france")),
    "Unrest": here(unrest=True),
    "own Unrest": held("france", "protectorate", {**army("france", 10), "halted": True}, unrest=True),
}


@pytest.mark.rule("STA-039")
@pytest.mark.parametrize("where", HALTS)
def test_garrison_that_stops_elsewhere_must_return(where: str) -> None:
    g = france(areas={"gabon": HALTS[where]})
    g.act("france", "move A1 senegambia > gabon")
    refusal = g.refused("france", "ready")
    assert refusal.code == "garrison" and {"STA-039", "STA-037"} <= set(refusal.rules)
    assert refusal.detail == {"areas": ["senegambia"], "fix": []}
    assert "Senegambia" in refusal.message and "undo" in refusal.message
    # another army in its place is as good
    g = france(3, areas={"gabon": HALTS[where]})
    g.act("france", "move A1 senegambia > gabon")
    assert refused(g, "france", "STA-039")["fix"] == ["move A3 home > senegambia"]
    g.act("france", "garrison")
    assert is_ready(g, "france")


@pytest.mark.rule("STA-039", "STA-045")
def test_sending_a_garrison_away_for_good_is_warned_of() -> None:
    def warnings(g: Bench) -> list[tuple[str, str, tuple[str, ...]]]:
        return [(e.code, e.area, e.rules) for e in g.of(events.Noted)]

    g = france()
    g.act("france", "move A1 senegambia > gabon")
    assert warnings(g) == [("sent_away", "senegambia", ("STA-039",))]
    g = britain(10, 1)
    g.act("britain", "move A10 bengal > soudan")
    assert warnings(g) == [("sent_away", "", ("STA-045", "STA-047"))]
    # not if another army can come, and not if no garrison is missing
    g = france(3)
    g.act("france", "move A1 senegambia > gabon")
    assert warnings(g) == []
    g.act("france", "move A3 home > senegambia")
    g = france(1)
    g.act("france", "move A1 home > gabon")
    assert warnings(g) == []


@pytest.mark.rule("STA-039")
def test_new_army_may_replace_a_garrison() -> None:
    g = france(money=3)
    g.act("france", "move A1 senegambia > gabon")
    assert refused(g, "france")["fix"] == []
    g.act("france", "build A1")
    assert refused(g, "france")["fix"] == ["move A1 home > senegambia"]
    g.act("france", "garrison")
    assert is_ready(g, "france")


@pytest.mark.rule("STA-039")
def test_new_army_excuses_only_the_garrison_it_replaces() -> None:
    g = france(money=3)
    g.act("france", "build A1")
    g.act("france", "move A1 senegambia > gabon")
    g.act("france", "move A1 home > gabon")
    assert refused(g, "france")["areas"] == ["senegambia"]
    # without an army at the beginning of the Phase there is no duty to build and send one
    g = france(money=3, areas={"senegambia": held("france", "possession")})
    g.act("france", "build A1")
    g.act("france", "move A1 home > gabon")
    assert is_ready(g, "france")


@pytest.mark.rule("STA-039")
def test_new_army_for_a_better_area_excuses_no_departure() -> None:
    g = france(money=3, areas={"kongo": held("france", "possession")})
    g.act("france", "build A1")
    g.act("france", "move A1 home > kongo")
    g.act("france", "move A1 senegambia > gabon")
    assert refused(g, "france", "STA-039")["areas"] == ["senegambia"]


@pytest.mark.rule("STA-039")
def test_unmoved_garrison_elsewhere_excuses_no_departure() -> None:
    there = held("france", "possession", {**army("france", 1), "halted": True})
    g = france(areas={"kongo": there})
    g.act("france", "move A1 senegambia > gabon")
    assert refused(g, "france", "STA-039")["areas"] == ["senegambia"]


@pytest.mark.rule("STA-039")
def test_spare_army_may_not_be_kept_from_an_area() -> None:
    g = france(1, areas={"senegambia": held("france", "possession")})
    g.act("france", "move A1 home > gabon")
    assert refused(g, "france", "STA-039")["areas"] == ["senegambia"]


@pytest.mark.rule("COD-007", "STA-039")
def test_a_member_of_a_codominion_may_not_send_its_army_away() -> None:
    shared = here(
        marker("france", "possession"),
        marker("britain", "possession"),
        army("france", 1),
        army("britain", 1),
        codominion=["france", "britain"],
    )
    g = france(areas={"guiana": shared})
    g.act("france", "move A1 guiana > gabon")
    assert refused(g, "france", "STA-039")["areas"] == ["guiana"]


# Without a path back


@pytest.mark.rule("STA-039", "MOV-002")
def test_departed_fleet_excuses_no_missing_garrison() -> None:
    g = france()
    g.act("france", "move A1 senegambia > home")
    g.act("france", "merchant south_atlantic > oceania")
    detail = refused(g, "france", "STA-039")
    assert detail["areas"] == ["senegambia"]
    # the fleet fetches the army and is back where the Power wants it
    assert detail["fix"] == [
        "merchant oceania > south_atlantic",
        "move A1 home > senegambia",
        "merchant south_atlantic > oceania",
    ]
    for order in detail["fix"]:
        g.act("france", order)
    assert is_ready(g, "france") and "france" in g.state.sea_zones["oceania"]


@pytest.mark.rule("STA-039", "MOV-002")
def test_spare_army_that_lost_its_way_must_be_fetched() -> None:
    g = france(1, areas={"senegambia": held("france", "possession")})
    g.act("france", "merchant south_atlantic > oceania")
    assert "move A1 home > senegambia" in refused(g, "france", "STA-039")["fix"]
    g.act("france", "garrison")
    assert g.units("senegambia", "france") == ["A1"] and "france" in g.state.sea_zones["oceania"]
    assert all("STA-039" in e.rules for e in g.of(events.MerchantMoved))
    sailed = [(e.start, e.to) for e in g.of(events.MerchantMoved)]
    assert sailed == [("oceania", "south_atlantic"), ("south_atlantic", "oceania")]
    assert is_ready(g, "france")


@pytest.mark.rule("STA-039", "MOV-002")
def test_several_departed_fleets_excuse_no_missing_garrison() -> None:
    at_sea = ("north_atlantic", "south_atlantic", "indian_ocean", "south_china_sea")
    g = france(
        areas={"sarawak": held("france", "possession", army("france", 1)), "senegambia": here()},
        sea_zones={z: {"merchant_fleets": ["france"] if z in at_sea else []} for z in (*at_sea, "mediterranean")},
    )
    g.act("france", "move A1 sarawak > home")
    g.act("france", "merchant south_atlantic > caribbean")
    g.act("france", "merchant indian_ocean > oceania")
    fix = refused(g, "france")["fix"]
    assert len(fix) == 5 and fix[2] == "move A1 home > sarawak"
    g.act("france", "garrison")
    assert is_ready(g, "france")
    there = {z for z, fleets in g.state.sea_zones.items() if "france" in fleets}
    assert there == {"north_atlantic", "caribbean", "oceania", "south_china_sea"}


def test_missing_path_need_not_be_created() -> None:
    # no French fleet in the South Atlantic at any time: the spare army at home cannot get to Senegambia
    zones = {"south_atlantic": {"merchant_fleets": []}}
    g = france(1, areas={"senegambia": held("france", "possession")}, sea_zones=zones)
    g.act("france", "merchant north_atlantic > oceania")
    assert is_ready(g, "france")


# Excuses


@pytest.mark.rule("STA-040")
def test_army_needed_in_a_better_area_is_excused() -> None:
    g = france(areas={"egypt": held("france", "possession")})
    assert refused(g, "france", "STA-040")["fix"] == ["move A1 senegambia > egypt"]
    g.act("france", "move A1 senegambia > egypt")
    assert is_ready(g, "france")
    # the other way round it is not
    g = france(areas={"egypt": held("france", "possession", army("france", 1)), "senegambia": held("france")})
    g.act("france", "move A1 egypt > senegambia")
    assert refused(g, "france", "STA-040")["areas"] == ["egypt"]


@pytest.mark.rule("STA-040", "STA-039")
def test_one_moved_army_excuses_one_area_only() -> None:
    two = {"egypt": held("france", "possession"), "mauretania": held("france", "possession", army("france", 1))}
    g = france(areas=two)
    g.act("france", "move A1 senegambia > egypt")
    g.act("france", "move A1 mauretania > gabon")
    assert len(refused(g, "france")["areas"]) == 1


@pytest.mark.rule("STA-040", "STA-034")
def test_area_is_excused_only_by_an_equally_important_one() -> None:
    # Senegambia's army is called to Egypt, Mauretania's to a Protectorate of less importance; both have just come
    come = {"egypt": held("italy", "possession"), "rio_de_oro": held("italy", "protectorate", unrest=True)}
    g = france(areas={**come, "mauretania": held("france", "possession", army("france", 1))})
    for area in come:
        g.act("italy", f"transfer {area} to france")
        accept(g, "france")
    g.act("france", "move A1 senegambia > egypt")
    g.act("france", "move A1 mauretania > rio_de_oro")
    assert refused(g, "france", "STA-040")["areas"] == ["mauretania"]


@pytest.mark.rule("STA-041")
def test_between_equals_the_garrison_may_change_places() -> None:
    lands = {"fiji": held("italy", "protectorate", army("italy", 1)), "togoland": held("italy")}
    zones = {z: {"merchant_fleets": ["italy"]} for z in ("south_atlantic", "indian_ocean", "oceania")}
    g = moving(0, areas=lands, homes=at_home("italy"), sea_zones=zones)
    assert {g.tables.areas[a].value for a in lands} == {4}
    g.act("italy", "move A1 fiji > togoland")
    assert is_ready(g, "italy")


@pytest.mark.rule("STA-040", "STA-034")
def test_new_areas_are_garrisoned_only_as_far_as_possible() -> None:
    # the spare army is in Gabon already when the Kongo comes, which is worth more than Senegambia
    g = france(1, areas={"kongo": held("italy", "possession", army("italy", 1))})
    g.act("france", "move A1 home > gabon")
    g.act("italy", "transfer kongo to france")
    accept(g, "france")
    assert refused(g, "france", "STA-040")["fix"] == ["move A1 senegambia > kongo"]
    g.act("france", "garrison")
    assert is_ready(g, "france")


@pytest.mark.rule("STA-034")
def test_transferred_area_needs_no_garrison() -> None:
    g = france()
    g.act("france", "move A1 senegambia > gabon")
    g.act("france", "transfer senegambia to italy")
    accept(g, "italy")
    assert is_ready(g, "france")


@pytest.mark.rule("STA-034")
def test_army_in_a_transferred_area_need_not_return() -> None:
    g = france(
        areas={
            "senegambia": held("france", "possession"),
            "tunis": held("france", "possession", army("france", 1), army("france", 1)),
        }
    )
    g.act("france", "transfer tunis to italy")
    accept(g, "italy")
    assert is_ready(g, "france")  # both armies have ended their movement with the marker


# The Indian Army


def britain(*bengal: int) -> Bench:
    """A Britain with Armies (10) only in India: these armies in Bengal, and two Armies (10) elsewhere in India."""
    alone = {
        "australia": held("britain", "possession", army("britain", 1)),
        "canada": held("britain", "dominion", army("britain", 1)),
    }
    areas = {
        "soudan": here(unrest=True),
        "aden": held("britain", "protectorate", army("britain", 1)),
        "bengal": {"units": [army("britain", n) for n in bengal]},
        **alone,
    }
    return moving(0, areas=areas, sea_zones={"mediterranean": {"merchant_fleets": ["britain"]}})


@pytest.mark.rule("STA-045", "STA-047")
def test_indian_army_may_not_be_sent_where_it_must_stop() -> None:
    g = britain(10, 1)
    g.act("britain", "move A10 bengal > soudan")
    refusal = g.refused("britain", "ready")
    assert refusal.code == "garrison" and {"STA-045", "STA-047"} <= set(refusal.rules)
    assert refusal.detail["fix"] == [] and "India" in refusal.message and "undo" in refusal.message
    # where it does not halt it goes back
    g = britain(10, 1)
    g.act("britain", "move A10 bengal > aden")
    fix = refused(g, "britain", "STA-045", "STA-047")["fix"]
    assert len(fix) == 1 and fix[0].startswith("move A10 aden > ")
    g.act("britain", fix[0])
    assert is_ready(g, "britain")


@pytest.mark.rule("STA-045", "STA-047", "MOV-002")
def test_the_indian_army_may_not_lose_its_way_back() -> None:
    g = britain(10, 1)
    g.act("britain", "move A10 bengal > home")
    g.act("britain", "merchant indian_ocean > caribbean")
    fix = refused(g, "britain", "STA-045", "STA-047")["fix"]
    assert fix[0] == "merchant caribbean > indian_ocean" and fix[-1] == "merchant indian_ocean > caribbean"
    g.act("britain", "garrison")
    assert garrisons.indian_army_count(g.tables, g.state) == 3 and "britain" in g.state.sea_zones["caribbean"]
    assert is_ready(g, "britain")


@pytest.mark.rule("STA-045", "STA-047")
def test_a_fourth_heavy_army_may_leave_india() -> None:
    g = britain(10, 10)
    g.act("britain", "move A10 bengal > soudan")
    assert is_ready(g, "britain")
    g.act("britain", "move A10 punjab > soudan")  # but no fifth
    assert "britain" not in g.state.ready
    assert {"STA-045", "STA-047"} <= set(g.refused("britain", "ready").rules)


@pytest.mark.rule("STA-045", "STA-039")
def test_indian_army_and_its_former_garrison_must_both_return() -> None:
    g = britain(10)
    g.act("britain", "move A10 bengal > soudan")
    detail = refused(g, "britain", "STA-045")
    assert detail["fix"]  # Bengal at least can have another army
    g.act("britain", "garrison")
    assert g.units("bengal", "britain") and not refused(g, "britain", "STA-045")["fix"]


# The arbiter


@pytest.mark.rule("STA-039", "STA-045", "SEQ-010")
@pytest.mark.parametrize("onward", [Bench.step, partial(Bench.advance, force=True)])
def test_arbiter_advances_despite_a_lost_garrison_and_names_it(onward: Callable[[Bench], Any]) -> None:
    g = france()
    g.act("france", "move A1 senegambia > gabon")
    onward(g)
    assert g.state.phase != "movement"
    assert [(e.power, e.duty, e.rules) for e in g.of(events.DutyWaived)] == [
        ("france", "a garrison in Senegambia", ("STA-039",))
    ]
    assert ("senegambia", "france") in {(e.area, e.power) for e in g.of(events.GarrisonMissing)}
    g = britain(10, 1)
    g.act("britain", "move A10 bengal > soudan")
    onward(g)
    assert [(e.power, e.duty, e.rules) for e in g.of(events.DutyWaived)] == [
        ("britain", "the Indian Army near India", ("STA-045", "STA-047"))
    ]


@pytest.mark.rule("STA-039", "SEQ-010")
def test_arbiter_fetches_armies_that_lost_their_way() -> None:
    g = france()
    g.act("france", "move A1 senegambia > home")
    g.act("france", "merchant south_atlantic > oceania")
    g.step()
    assert g.units("senegambia", "france") == ["A1"] and not g.of(events.DutyWaived)
