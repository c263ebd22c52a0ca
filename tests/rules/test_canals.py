"""Canals between the Caribbean Sea and the South Pacific (CAN)."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.adjacency import board
from paxtui.games.pax.events import events
from tests.rules.harness import Bench, army, marker, start

BUILD = actions.Canal("panama")


def isthmus(
    panama: list[dict[str, Any]] | None = None,
    money: int = 60,
    there: dict[str, Any] | None = None,
    **rest: Any,
) -> Bench:
    """Movement/Status Change Phase, markers in Panama, money of the United States."""
    markers = [marker("united_states", "influence")] if panama is None else panama
    areas = {"panama": {"markers": markers, **(there or {})}, **rest.pop("areas", {})}
    powers = {p: {"treasury": money} for p in ("united_states", "britain", "austria_hungary")}
    return start({"phase": "movement", "areas": areas, "powers": powers, **rest})


@pytest.mark.rule("CAN-001", "STR-011")
def test_a_canal_can_be_built_in_panama_and_central_america_only() -> None:
    own = {a: {"markers": [marker("united_states", "influence")]} for a in ("central_america", "mexico", "colombia")}
    g = isthmus(areas=own)
    for closed in ("mexico", "colombia"):
        assert g.refused("united_states", actions.Canal(closed)).rules == ("CAN-001",)
    g.do("united_states", BUILD)
    g.do("united_states", actions.Canal("central_america"))
    assert g.state.areas["panama"].canal and g.state.areas["central_america"].canal


@pytest.mark.rule("CAN-001")
def test_canals_are_built_in_the_movement_phase() -> None:
    g = start({"phase": "negotiation", "areas": {"panama": {"markers": [marker("britain", "influence")]}}})
    assert g.refused("britain", BUILD).code == "wrong_phase"


@pytest.mark.rule("CAN-002", "STR-008")
@pytest.mark.parametrize(
    ("kind", "fixed", "allowed"),
    [
        ("interest", True, False),
        ("influence", False, False),
        ("influence", True, True),
        ("protectorate", False, False),
        ("protectorate", True, True),
    ],
)
def test_the_builder_needs_an_established_influence_or_control_there(kind: str, fixed: bool, allowed: bool) -> None:
    g = isthmus([marker("united_states", kind, fixed)])
    if allowed:
        g.do("united_states", BUILD)
        assert g.state.areas["panama"].canal
    else:
        assert g.refused("united_states", BUILD).rules == ("CAN-002",)


@pytest.mark.rule("CAN-002")
def test_an_influence_next_door_does_not_help() -> None:
    g = isthmus()
    assert g.refused("united_states", actions.Canal("central_america")).rules == ("CAN-002",)


@pytest.mark.rule("CAN-003", "STR-008")
def test_a_canal_costs_thirty() -> None:
    assert isthmus(money=29).refused("united_states", BUILD).code == "no_money"
    g = isthmus(money=30)
    g.do("united_states", BUILD)
    assert g.state.powers["united_states"].treasury == 0


@pytest.mark.rule("CAN-004")
def test_no_canal_in_an_area_in_unrest() -> None:
    assert isthmus(there={"unrest": True}).refused("united_states", BUILD).rules == ("CAN-004",)


@pytest.mark.rule("CAN-005")
def test_a_canal_joins_the_two_seas() -> None:
    g = isthmus(
        [marker("united_states", "protectorate")],
        areas={"chile": {"markers": [marker("united_states", "protectorate")]}},
        sea_zones={
            "caribbean": {"merchant_fleets": ["united_states"]},
            "south_pacific": {"merchant_fleets": ["united_states"]},
            "north_pacific": {"merchant_fleets": []},
        },
        homes={"united_states": {"units": [army("united_states", 1)]}},
    )
    by_sea = actions.Move(("A1",), ("home:united_states", "caribbean", "south_pacific", "chile"))
    assert "south_pacific" not in board(g.tables, g.state).zone_next["caribbean"]
    assert g.refused("united_states", by_sea).message
    g.do("united_states", BUILD)
    assert "south_pacific" in board(g.tables, g.state).zone_next["caribbean"]
    assert "caribbean" in board(g.tables, g.state).zone_next["south_pacific"]
    g.do("united_states", by_sea)
    assert [u.name for u in g.state.areas["chile"].units] == ["A1"]


@pytest.mark.rule("CAN-006", "CAN-013", "STR-013", "STR-020")
def test_canal_and_its_points_stay_with_the_builder() -> None:
    g = isthmus()
    g.do("united_states", BUILD)
    g.do("united_states", actions.Transfer("panama", "britain"))
    g.do("britain", actions.Choose(g.pending()[0].id, ("accept",)))
    assert g.state.areas["panama"].canal
    assert g.state.powers["united_states"].victory_points == 15
    assert g.state.powers["britain"].victory_points == 0


@pytest.mark.rule("CAN-006")
def test_canal_survives_unrest_and_new_turns() -> None:
    revolt = {"canal": True, "unrest": True, "markers": [], "units": []}
    g = start({"phase": "marker_adjustment", "areas": {"panama": revolt}})
    g.step()
    assert g.state.areas["panama"].canal


@pytest.mark.rule("CAN-009", "CAN-010", "CAN-013", "STR-019")
def test_only_the_first_canal_of_the_game_brings_points() -> None:
    g = isthmus(areas={"central_america": {"markers": [marker("britain", "influence")]}})
    g.do("united_states", BUILD)
    assert g.state.powers["united_states"].victory_points == 15
    assert g.state.powers["united_states"].bonus == 15
    g.do("britain", actions.Canal("central_america"))
    assert g.state.powers["britain"].treasury == 30
    assert g.state.powers["britain"].victory_points == 0 and not g.of(events.VictoryPointsChanged)


@pytest.mark.rule("CAN-009")
def test_the_points_of_austria_hungary_go_to_germany() -> None:
    g = isthmus([marker("austria_hungary", "influence")])
    g.do("germany", actions.Canal("panama", "austria_hungary"))
    assert g.state.powers["germany"].victory_points == 15


@pytest.mark.rule("CAN-014")
def test_a_second_canal_in_one_area_is_refused_and_costs_nothing() -> None:
    both = [marker("united_states", "influence"), marker("britain", "influence")]
    g = isthmus(both)
    g.do("united_states", BUILD)
    assert g.refused("britain", BUILD).rules == ("CAN-014",)
    assert g.state.powers["britain"].treasury == 60
    assert g.state.powers["united_states"].victory_points == 15


# Together

JOINT = "canal panama with france 15/15 points 8/7"


def partners(**rest: Any) -> Bench:
    """As before, with money for France and Germany, and an Influence of Britain's in Panama."""
    money = {p: {"treasury": 30} for p in ("britain", "france", "germany", "austria_hungary")}
    return start(
        {
            "phase": "movement",
            "areas": {"panama": {"markers": [marker("britain", "influence")], **rest.pop("there", {})}},
            "powers": {**money, **rest.pop("powers", {})},
        }
    )


@pytest.mark.rule("CAN-011")
def test_joint_canal_needs_agreement_of_both() -> None:
    g = partners()
    g.act("britain", JOINT)
    (offer,) = g.pending()
    assert (offer.seat, offer.kind, offer.default) == ("france", "canal", "decline")
    assert not g.state.areas["panama"].canal and not g.of(events.TreasuryChanged)
    g.act("france", f"choose {offer.id} accept")
    assert g.state.areas["panama"].canal
    assert {p: g.state.powers[p].treasury for p in ("britain", "france")} == {"britain": 15, "france": 15}
    assert {p: g.state.powers[p].victory_points for p in ("britain", "france")} == {"britain": 8, "france": 7}
    assert {p: g.state.powers[p].bonus for p in ("britain", "france")} == {"britain": 8, "france": 7}


@pytest.mark.rule("CAN-011")
def test_joint_canal_is_not_built_without_agreement_of_all() -> None:
    g = partners()
    g.act("britain", "canal panama with france germany 10/10/10 points 5/5/5")
    offers = {c.seat: c.id for c in g.pending()}
    assert set(offers) == {"france", "germany"}
    g.act("france", f"choose {offers['france']} accept")
    assert not g.state.areas["panama"].canal
    g.act("germany", f"choose {offers['germany']} decline")
    assert not g.state.areas["panama"].canal and not g.pending() and not g.all_of(events.TreasuryChanged)
    assert g.state.powers["britain"].treasury == 30
    g.act("britain", JOINT)
    g.step()
    assert not g.state.areas["panama"].canal
    alone = partners()
    alone.act("britain", "canal panama")
    assert alone.state.powers["britain"].treasury == 0 and alone.state.powers["britain"].victory_points == 15


@pytest.mark.rule("CAN-011")
@pytest.mark.parametrize(
    "order",
    [
        "canal panama with france 15/14 points 8/7",
        "canal panama with france 15/15 points 8/8",
        "canal panama with france 15/15 points 15",
        "canal panama with france 15/15",
        "canal panama with france 10/10/10 points 8/7",
        "canal panama with france france 10/10/10 points 5/5/5",
        "canal panama with spain 15/15 points 8/7",
    ],
)
def test_a_division_that_does_not_add_up_is_refused(order: str) -> None:
    assert "CAN-011" in partners().refused("britain", order).rules


@pytest.mark.rule("CAN-011")
def test_share_of_a_canal_may_be_zero_but_not_negative() -> None:
    g = partners()
    below = actions.Canal("panama", "", ("france",), (31, -1), (15, 0))
    assert g.refused("britain", below).code == "bad_division"
    g.act("britain", "canal panama with france 0/30 points 15/0")
    g.act("france", f"choose {g.pending()[0].id} accept")
    assert [e.power for e in g.of(events.TreasuryChanged)] == ["france"]
    assert [e.power for e in g.of(events.VictoryPointsChanged)] == ["britain"]


@pytest.mark.rule("CAN-011", "CAN-003")
def test_each_partner_must_be_able_to_pay_when_the_canal_is_built() -> None:
    g = partners(powers={"france": {"treasury": 14}})
    assert g.refused("britain", JOINT).code == "no_money"
    g = partners()
    g.act("britain", JOINT)
    offer = g.pending()[0]
    g.act("france", "build A10")
    assert g.refused("france", f"choose {offer.id} accept").code == "no_money"


@pytest.mark.rule("CAN-011", "CAN-010")
def test_a_later_canal_divides_no_points() -> None:
    g = partners()
    other = {"central_america": {"markers": [marker("germany", "influence")]}}
    first = start(
        {"phase": "movement", "areas": {"panama": {"canal": True}, **other}, "powers": {"germany": {"treasury": 30}}}
    )
    assert "CAN-010" in first.refused("germany", "canal central_america with austria_hungary 30/0 points 8/7").rules
    first.act("germany", "canal central_america with austria_hungary 30/0")  # one player needs no agreement
    assert first.state.areas["central_america"].canal and not first.all_of(events.VictoryPointsChanged)
    # another canal was built while the offer was open
    areas = {"panama": {"markers": [marker("britain", "influence")]}, **other}
    g = start(
        {"phase": "movement", "areas": areas, "powers": {p: {"treasury": 30} for p in ("britain", "france", "germany")}}
    )
    g.act("britain", JOINT)
    g.act("germany", "canal central_america")
    late = g.refused("france", f"choose {g.pending()[0].id} accept")
    assert (late.code, late.rules) == ("changed", ("CAN-010", "CAN-011"))


@pytest.mark.rule("CAN-011", "CAN-002")
def test_the_first_named_is_the_builder_and_needs_the_influence() -> None:
    g = partners()
    assert g.refused("france", "canal panama with britain 15/15 points 8/7").rules == ("CAN-002",)
    g.act("britain", JOINT)
    assert g.refused("britain", JOINT).code == "offered"
    g.do("france", actions.Ready())
    assert g.state.ready == ("france",)
    g.act("france", f"choose {g.pending()[0].id} accept")
    assert [c.seats for c in g.of(events.ReadyCleared)] == []
    assert [e.power for e in g.of(events.CanalBuilt)] == ["britain"]


@pytest.mark.rule("CAN-011")
def test_proposed_canal_clears_no_ready_flag() -> None:
    g = partners()
    g.do("italy", actions.Ready())
    g.act("britain", JOINT)
    assert g.state.ready == ("italy",)
    g.act("france", f"choose {g.pending()[0].id} accept")
    assert g.state.ready == ()


@pytest.mark.rule("STR-020", "CAN-002")
def test_canal_points_go_to_the_builder_not_the_controller() -> None:
    held = [marker("britain", "protectorate"), marker("united_states", "influence")]
    g = isthmus(areas={"panama": {"markers": held, "units": [army("britain")]}})
    g.do("united_states", BUILD)
    points = {p: g.state.powers[p].victory_points for p in ("united_states", "britain")}
    assert points == {"united_states": 15, "britain": 0}
