"""Abandoned Powers: how they are marked, who commands their forces in War, and their peace."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.notation import format_order, parse_order
from paxtui.games.pax.actions.structured import decode_action
from paxtui.games.pax.events import events
from paxtui.games.pax.narration.narrator import Narrator
from tests.rules import wars
from tests.rules.general_orders import answers, orders
from tests.rules.harness import UNLIMITED, Bench, army, held, here, tables
from tests.rules.wars import sign, the_war

GARRISON = {"tunis": held("italy", "possession", army("italy"), army("italy"))}


def war(sides: list[list[str]], **patch: Any) -> Bench:
    """A War with Italian garrisons."""
    return wars.at_war(sides, options=UNLIMITED, areas=GARRISON, **patch)


def arbiter(g: Bench, text: str) -> None:
    """Let the arbiter act."""
    g.do(ARBITER, parse_order(g.tables, text))


@pytest.mark.rule("ORD-036", "ORD-046")
def test_arbiter_marks_a_power_abandoned_and_its_ally_commands_it() -> None:
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
def test_engine_commands_an_abandoned_power_without_ally() -> None:
    g = war([["italy"], ["spain"]])
    assert g.waiting() == ("italy",)
    arbiter(g, "abandon italy")
    assert g.waiting() == ()


@pytest.mark.rule("ORD-001")
def test_abandoning_a_power_is_described() -> None:
    g = war([["france", "italy"], ["spain"]])
    assert g.refused("france", "abandon italy").code == "not_yours"
    assert g.refused(ARBITER, "abandon spain").code == "unknown_seat"
    assert g.refused(ARBITER, "resume italy").code == "has_player"
    arbiter(g, "abandon italy japan")
    assert g.state.abandoned == ("japan", "italy")
    assert g.refused(ARBITER, "abandon italy").code == "abandoned_already"
    (event,) = g.of(events.SeatsAbandoned)
    assert Narrator(g.tables).tell(event).startswith("Japan and Italy are abandoned")
    arbiter(g, "resume italy")
    assert g.state.abandoned == ("japan",)
    assert Narrator(g.tables).tell(g.of(events.SeatsAbandoned)[-1]) == "Italy has a player again."
    action = actions.Abandon(("italy",), lifted=True)
    assert format_order(g.tables, action) == "resume italy" and parse_order(g.tables, "resume italy") == action
    assert decode_action(g.tables, {"type": "abandon", "seats": ["Italy"]}) == actions.Abandon(("italy",))


@pytest.mark.rule("ORD-036", "WEN-046")
def test_abandoned_power_accepts_only_the_peace_of_its_allies() -> None:
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


# The default answers


@pytest.mark.rule("ORD-005", "ORD-007")
@pytest.mark.parametrize(("europeans", "joins"), [(["britain", "italy"], False), (["united_states", "italy"], True)])
def test_default_of_an_abandoned_power_never_starts_the_great_war(europeans: list[str], joins: bool) -> None:
    g = wars.negotiating(
        ("britain", "japan") if "britain" in europeans else ("united_states", "japan"),
        wars=[{"alliances": [europeans, ["france"]], "phase": "alliances"}],
        treaties=[wars.treaty("defensive", "japan", "russia")],
        abandoned=["russia"],
    )
    g.act(europeans[0], "declare war japan")
    assert "russia" in wars.calls(g)
    g.step()
    assert g.state.result is None
    assert any(war.side_of("russia") for war in g.state.wars) is joins
    assert bool(g.all_of(events.TreatyBroken)) is not joins


@pytest.mark.rule("ORD-005", "ORD-007")
def test_abandoned_power_joins_if_the_great_war_begins_anyway() -> None:
    pacts = [
        wars.treaty("defensive", "japan", "russia", id="p1"),
        wars.treaty("defensive", "japan", "germany", id="p2"),
    ]
    g = wars.negotiating(
        ("britain", "japan"),
        wars=[{"alliances": [["britain", "italy"], ["france"]], "phase": "alliances"}],
        treaties=pacts,
        abandoned=["russia"],
    )
    g.act("britain", "declare war japan")
    g.step()
    assert g.state.result is not None and not [e for e in g.all_of(events.TreatyBroken) if e.power == "russia"]


@pytest.mark.rule("WEN-031", "ORD-036")
@pytest.mark.parametrize(("allies", "cycle"), [(["italy"], 2), (["italy", "france"], 1)])
def test_abandoned_power_without_allies_fights_on(allies: list[str], cycle: int) -> None:
    old = {marker.area for marker in tables().start_markers} | {unit.place for unit in tables().start_units}
    areas = {area: here() for area in sorted(old) if area in tables().areas}
    areas["alaska"] = held("united_states", "possession", army("united_states"))
    more = {"options": UNLIMITED, "areas": areas, "abandoned": ["italy"]}
    g = wars.at_war([allies, ["united_states"]], "end", war={"turn_of": None}, **more)
    g.advance()
    assert "italy" in {c.power for c in g.state.choices if c.kind == "waiver"}
    chosen = answers(g, "italy")
    g.step()
    now = next((w for w in g.state.wars), None)
    assert (now.cycle if now else 1) == cycle
    assert chosen == ["go on" if cycle == 2 else "end"], "the caretaker answers alike"


@pytest.mark.rule("ORD-038", "WCB-006")
def test_abandoned_ally_does_not_join_an_attack_at_low_odds() -> None:
    units = [army("france", 3), army("italy", 3), army("spain", 10)]
    g = wars.at_war(
        [["france", "italy"], ["spain"]],
        "attack",
        options=UNLIMITED,
        areas={"marocco": held("spain", "possession", *units)},
        abandoned=["italy"],
    )
    g.act("france", "attack marocco")
    g.step()
    (fought,) = g.all_of(events.BattleFought)
    assert fought.attackers == ("france",)


@pytest.mark.rule("ORD-007", "ORD-012")
@pytest.mark.parametrize("promised", [True, False])
def test_neutral_under_general_orders_coals_only_by_treaty(promised: bool) -> None:
    pact = wars.treaty("coaling", "britain", "japan", clause={"power": "britain", "to": "japan"})
    areas = {"hong_kong": held("britain", "possession", army("britain"))}
    g = wars.at_war(
        [["japan"], ["russia"]],
        areas=areas,
        options=UNLIMITED,
        treaties=[pact] if promised else [],
    )
    texts = [act.text for act in orders(g, "britain")]
    assert ("volunteer hong_kong to japan" in texts) is promised and texts[-1] == "pass"
    assert not any("russia" in text for text in texts)
    for text in texts[:-1]:
        g.act("britain", text)
    assert any(c.area == "hong_kong" for c in wars.the_war(g).coaling) is promised
    assert [act.text for act in orders(g, "britain")] == ["pass"]
