"""Seats that nobody plays any more: who says so, who commands their forces in War, and how they come to peace."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.engine.seats import ARBITER
from paxtui.pax.history import events as ev
from paxtui.pax.narration.narrate import describe
from paxtui.pax.orders import actions as ac
from paxtui.pax.orders.notation import parse, text_of
from paxtui.pax.orders.structured import decode
from tests.rules import wars
from tests.rules.harness import UNLIMITED, Bench, army, held
from tests.rules.wars import sign, the_war

GARRISON = {"tunis": held("italy", "possession", army("italy"), army("italy"))}


def war(sides: list[list[str]], **patch: Any) -> Bench:
    """A War in which somebody may leave."""
    return wars.at_war(sides, options=UNLIMITED, areas=GARRISON, **patch)


def arbiter(g: Bench, text: str) -> None:
    """The arbiter acts."""
    g.do(ARBITER, parse(g.tables, text, g.state))


@pytest.mark.rule("ORD-036", "ORD-046")
def test_the_arbiter_says_who_is_gone_and_an_ally_commands_bound_by_order_9() -> None:
    g = war([["france", "italy"], ["spain"]])
    move = "italy: move A1 tunis > mediterranean"
    assert g.refused("france", move).code == "not_your_power"
    arbiter(g, "abandon italy")
    assert g.state.abandoned == ("italy",) and "italy" not in g.waiting()
    assert g.view("france")["abandoned"] == ["italy"]
    assert g.refused("italy", "move A1 tunis > mediterranean").code == "abandoned"
    g.act("france", move)
    assert "ORD-046" in g.refused("france", move).rules, "the last Army stays"
    arbiter(g, "resume italy")
    assert not g.state.abandoned and g.refused("france", move).code == "not_your_power"
    g.act("italy", "move A1 tunis > mediterranean")


@pytest.mark.rule("ORD-036")
def test_without_an_ally_the_engine_commands() -> None:
    g = war([["italy"], ["spain"]])
    assert g.waiting() == ("italy",)
    arbiter(g, "abandon italy")
    assert g.waiting() == ()


@pytest.mark.rule("ORD-001")
def test_what_is_said_of_it() -> None:
    g = war([["france", "italy"], ["spain"]])
    assert g.refused("france", "abandon italy").code == "not_yours"
    assert g.refused(ARBITER, "abandon spain").code == "unknown_seat"
    assert g.refused(ARBITER, "resume italy").code == "already"
    arbiter(g, "abandon italy japan")
    assert g.state.abandoned == ("japan", "italy")
    assert g.refused(ARBITER, "abandon italy").code == "already"
    (event,) = g.of(ev.SeatsAbandoned)
    assert describe(g.tables, event).startswith("Japan and Italy are abandoned")
    arbiter(g, "resume italy")
    assert g.state.abandoned == ("japan",)
    assert describe(g.tables, g.of(ev.SeatsAbandoned)[-1]) == "Italy has a player again."
    action = ac.Abandon(("italy",), lifted=True)
    assert text_of(g.tables, action) == "resume italy" and parse(g.tables, "resume italy", g.state) == action
    assert decode(g.tables, {"type": "abandon", "seats": ["Italy"]}) == ac.Abandon(("italy",))


@pytest.mark.rule("ORD-036", "WEN-046")
def test_it_accepts_the_peace_of_its_allies_and_makes_none_alone() -> None:
    for gone in (False, True):
        g = war([["france", "italy"], ["russia"]])
        if gone:
            arbiter(g, "abandon italy")
        sign(g, "russia", "propose with france: peace", "france")
        assert (the_war(g).outcome == "peace") == gone, "with a player Italy fights on"
    g = war([["france", "italy"], ["russia"]])
    arbiter(g, "abandon italy")
    refusal = g.refused("russia", "propose with france italy: peace")
    assert refusal.code == "abandoned_signer" and "WEN-046" in refusal.rules, "it would wait for Italy for ever"
    g = war([["italy"], ["russia"]])
    arbiter(g, "abandon italy")
    assert g.refused("russia", "propose with italy: peace").code == "peace_in_part"
