"""Who has to be ready again after which act (SEQ-010, R-SEQ-01), act by act."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.pax.history import events as ev
from tests.rules.harness import Bench, army, marker, start


def moving(**patch: Any) -> Bench:
    """A Movement/Status Change Phase in which Italy is ready."""
    purses = {p: {"treasury": 100} for p in start().state.powers}
    purses["germany"]["merchants_due"] = 1
    g = start({"phase": "movement", "turn": 2, "powers": purses, **patch}, options={"counter_limits": "unlimited"})
    g.act("italy", "ready")
    return g


def cleared(g: Bench) -> bool:
    """Whether the last act has taken Italy's flag, and said so."""
    (said,) = [e.seats for e in g.of(ev.ReadyCleared)] or [()]
    assert said == (() if "italy" in g.state.ready else ("italy",))
    return "italy" not in g.state.ready


AREAS = {
    "kamerun": {"markers": [marker("germany", "influence")]},
    "tunis": {"markers": [marker("germany", "protectorate")], "units": [army("germany", 1)]},
    "panama": {"markers": [marker("germany", "possession")], "units": [army("germany", 1)]},
}
FLEETS = {"caribbean": {"merchant_fleets": ["germany"]}}


@pytest.mark.rule("SEQ-010")
@pytest.mark.parametrize(
    ("order", "clears"),
    [
        ("place interest togoland", True),
        ("upgrade protectorate kamerun", True),
        ("upgrade possession tunis", True),
        ("move A10 home > tunis", True),
        ("merchant oceania > baltic", True),
        ("merchant new > baltic", True),
        ("build A1", True),
        ("canal panama", True),
        ("austria_hungary: build A1", True),
        ("transfer tunis to austria_hungary", True),
        ("transfer tunis to france", False),  # not before it is accepted
        ("pay austria_hungary 10", False),
        ("pay france 10", False),
        ("ready", False),
    ],
)
def test_placing_moving_building_and_handing_over_let_rivals_react(order: str, clears: bool) -> None:
    g = moving(areas=AREAS, sea_zones=FLEETS)
    g.act("germany", order)
    assert cleared(g) is clears
    if order == "transfer tunis to france":
        (choice,) = g.pending()
        g.act("france", f"choose {choice.id} accept")
        assert cleared(g)
    if order == "pay france 10":
        g.act("france", f"choose {g.pending()[0].id} accept")
        assert not cleared(g)


@pytest.mark.rule("SEQ-010")
def test_an_offer_declined_lets_nobody_react() -> None:
    g = moving(areas=AREAS)
    g.act("germany", "transfer tunis to france")
    g.act("france", f"choose {g.pending()[0].id} decline")
    assert not cleared(g)


@pytest.mark.rule("SEQ-010")
def test_each_seat_has_its_own_three_times_in_each_phase() -> None:
    g = moving()
    for times in range(1, 6):
        g.act("germany", "build A1")
        assert cleared(g) is (times <= 3)
        if "italy" not in g.state.ready:
            g.act("italy", "ready")
    g.act("france", "build A1")  # another seat's count is its own
    assert cleared(g)
    while g.state.turn == 2:
        g.step()
    while g.state.phase != "movement":
        g.step()
    g.act("italy", "ready")
    g.act("germany", "merchant oceania > baltic")  # a new Phase, a new count
    assert cleared(g)


@pytest.mark.rule("SEQ-010", "STA-039")
def test_who_undoes_what_it_had_to_do_is_not_ready_any_more() -> None:
    g = moving(areas=AREAS)
    g.act("germany", "ready")
    g.act("germany", "build A1")
    assert "germany" in g.state.ready
    g.act("germany", "move A1 tunis > home")
    assert "germany" not in g.state.ready
    assert g.refused("germany", "ready").code == "garrison"
