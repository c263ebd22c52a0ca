"""Pressure for a Dominion or Statehood (EVT-056 to EVT-059), and armies where a marker changes hands (MOV-009)."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.pax.history import events as ev
from tests.rules.harness import Bench, army, marker, start

DEMANDS = [
    pytest.param("3-2", "britain", "australia", "dominion", marks=pytest.mark.rule("EVT-056")),
    pytest.param("3-3", "britain", "new_zealand", "dominion", marks=pytest.mark.rule("EVT-057")),
    pytest.param("3-4", "britain", "cape_colony", "dominion", marks=pytest.mark.rule("EVT-058")),
    pytest.param("3-5", "united_states", "alaska", "state", marks=pytest.mark.rule("EVT-059")),
]
demands = pytest.mark.parametrize(("event", "power", "area", "kind"), DEMANDS)


def moving(event: str, power: str, money: int, **areas: Any) -> Bench:
    """A Movement/Status Change Phase with an event in force."""
    patch = {"phase": "movement", "events_in_force": [event], "powers": {power: {"treasury": money}}}
    return start({**patch, "areas": areas})


def lost(g: Bench) -> list[tuple[str, int]]:
    """Victory Points that change at the end of the Movement/Status Change Phase and in the two Phases after it."""
    changes = []
    for _ in ("movement", "colonial_combat", "marker_adjustment"):
        g.step()
        changes += [(e.power, e.amount) for e in g.of(ev.VictoryPointsChanged)]
    assert g.state.phase == "negotiation"
    return changes


@demands
def test_who_grants_loses_nothing(event: str, power: str, area: str, kind: str) -> None:
    g = moving(event, power, 20)
    g.act(power, f"upgrade {kind} {area}")
    assert g.state.powers[power].treasury == 0
    assert lost(g) == []


@demands
def test_who_does_not_loses_5_points_at_the_end_of_the_phase(event: str, power: str, area: str, kind: str) -> None:
    g = moving(event, power, 20)
    g.step()
    assert g.state.phase == "colonial_combat"
    (change,) = g.of(ev.VictoryPointsChanged)
    assert (change.power, change.amount) == (power, -5)
    assert g.state.powers[power].victory_points == -5
    # whatever the reason: too poor
    g = moving(event, power, 19)
    assert g.refused(power, f"upgrade {kind} {area}").code == "no_money"
    assert lost(g) == [(power, -5)]
    # or too low
    g = moving(event, power, 100, **{area: {"markers": [marker(power, "protectorate")]}})
    g.refused(power, f"upgrade {kind} {area}")
    assert lost(g) == [(power, -5)]


@demands
def test_who_has_granted_it_long_since_or_has_no_control_loses_nothing(
    event: str, power: str, area: str, kind: str
) -> None:
    armed = [army(power, 3)]
    assert lost(moving(event, power, 0, **{area: {"markers": [marker(power, kind)], "units": armed}})) == []
    for others in ([], [marker(power, "influence")], [marker("france", "possession")]):
        assert lost(moving(event, power, 0, **{area: {"markers": others, "units": []}})) == []
    assert lost(moving("1-1", power, 0)) == []  # no such demand this turn


@demands
def test_what_does_not_outlast_the_turns_marker_adjustment_is_not_granted(
    event: str, power: str, area: str, kind: str
) -> None:
    g = moving(event, power, 20, **{area: {"unrest": True}})
    g.act(power, f"upgrade {kind} {area}")
    g.step()
    assert not g.of(ev.VictoryPointsChanged)
    if g.pending():
        g.act(power, f"decline {area}")
    while g.state.phase != "negotiation":
        g.step()
    assert not any(m.power == power for m in g.state.areas[area].markers)
    assert g.state.powers[power].victory_points == -5
    assert [e.amount for e in g.all_of(ev.VictoryPointsChanged)] == [-5]  # once


# --- armies and fleets where a marker changes hands -------------------------------------------------------------------


@pytest.mark.rule("MOV-009", "STA-034")
def test_armies_do_not_leave_what_was_given_up_in_this_very_phase() -> None:
    """Only Control given up after the last Phase lets an army leave; a fleet goes from wherever it is."""
    g = start({"phase": "movement"})
    g.act("france", "transfer algiers to italy")
    g.act("italy", f"choose {g.pending()[0].id} accept")
    refusal = g.refused("france", "move A10 algiers > home")
    assert refusal.code in ("halted", "cannot_start") and "MOV-009" in refusal.rules
    g.act("france", "move N3 algiers > home")
    assert [u.name for u in g.state.homes["france"]].count("N3") == 1


@pytest.mark.rule("MOV-009")
def test_an_army_left_behind_in_the_last_turn_may_leave() -> None:
    left = {"markers": [marker("germany", "possession")], "units": [army("france", 1), army("germany", 1)]}
    g = start({"phase": "final_record", "areas": {"gabon": left}})
    while g.state.phase != "movement":
        g.step()
    g.act("france", "move A1 gabon > home")
    assert not any(u.power == "france" for u in g.state.areas["gabon"].units)
