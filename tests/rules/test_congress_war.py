"""War out of a Congress of Europe (CON-027, CON-034, WAR-046, MIN-038, MIN-044 to MIN-046)."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.engine.dice import Dice
from paxtui.games.pax import casus_belli
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.notation import parse_order
from paxtui.games.pax.events import events
from paxtui.games.pax.transaction import Transaction
from paxtui.games.pax.visibility import visible_state
from tests.previews import forecast_of
from tests.rules.congress import (
    MUTUAL,
    SETTLES,
    TUNIS,
    all_answer,
    asked_seats,
    cause,
    choose,
    game,
    markers,
    meet,
    none_proposes,
    peaceful,
    propose,
)
from tests.rules.harness import Bench, army, tables
from tests.rules.wars import the_war

PERSIA = [{"power": "britain", "marker": "protectorate"}, {"power": "russia", "marker": "influence"}]
KONGO = [{"power": "france", "marker": "protectorate", "since": 1}, {"power": "belgium", "marker": "influence"}]


def defied(**patch: Any) -> Any:
    """A Congress over Tunis whose Treaty Italy does not sign."""
    g = meet(game(**patch))
    propose(g, "britain", SETTLES)
    all_answer(g, "ballot", "yes sign", italy="yes defy")
    return g


def tensions(g: Bench) -> list[tuple[int, str]]:
    """Points and blamed Power of each rise, without the call of the Congress."""
    return g.blames()[1:]


# Declarations


@pytest.mark.rule("CON-034", "CON-035")
def test_holders_of_a_cause_may_declare_war_before_markers_go() -> None:
    g = defied()
    assert asked_seats(g, "defiance") == ["britain", "france", "italy"], "Britain because it was a member"
    assert ("france", "protectorate") in markers(g, "tunis")
    choose(g, "france", "defiance", "declare war italy over cb1")
    peaceful(g)
    assert the_war(g).alliances == (("france",), ("italy",)) and the_war(g).over == ("tunis",)
    assert markers(g, "tunis") == {("france", "protectorate"), ("italy", "protectorate")}
    assert tensions(g) == [(3, "france"), (5, "france"), (2, "italy")]
    g.advance()
    assert g.state.phase != "congress"


def test_consequences_of_a_final_answer_are_reported() -> None:
    g = defied()
    choice = next(c for c in g.state.choices if c.seat == "france")
    known = visible_state(g.tables, g.state, "france")
    order = parse_order(g.tables, f"choose {choice.id} declare war italy over cb1")
    assert isinstance(order, actions.Choose)
    forecast = forecast_of(g.tables, known, "france", order)
    assert [(s.power, s.on) for s in forecast.steps] == [
        ("france", ("italy",))
    ] and forecast.tension == forecast.before + 8


@pytest.mark.rule("CON-034", "WAR-042")
def test_attacked_power_is_not_offered_a_refused_declaration() -> None:
    g = defied()
    (before,) = [c for c in g.state.choices if c.kind == "defiance" and c.power == "italy"]
    assert "declare war france" in before.options
    choose(g, "france", "defiance", "declare war italy over cb1")
    now = {c.power: c.options for c in g.state.choices if c.kind == "defiance"}
    assert "declare war france" not in now.get("italy", ())
    for choice in g.state.choices:
        g.act(choice.seat, f"choose {choice.id} {choice.options[0]}")


@pytest.mark.rule("CON-034", "CON-037")
def test_cause_from_the_congress_ends_with_its_marker() -> None:
    g = defied()
    assert g.state.congress is not None
    play = Transaction(tables(), g.state, Dice("late"))
    late = casus_belli.create_casus_belli(play, "russia", "france", "tunis", "control_over_influence", ("STA-052",))
    g.state = play.state
    assert late not in g.state.congress.causes
    while g.state.phase == "congress" and asked_seats(g, "defiance"):
        choose(g, asked_seats(g, "defiance")[0], "defiance", "pass")
    assert markers(g, "tunis") == set()
    assert not [c for c in g.state.casus_belli if c.area == "tunis"]


@pytest.mark.rule("CON-034", "CON-036")
def test_default_after_a_failed_congress_removes_the_markers() -> None:
    g = defied()
    g.step()
    assert markers(g, "tunis") == set() and g.state.wars == ()


@pytest.mark.rule("CON-034", "CON-030", "CON-035")
def test_war_of_a_third_member_on_the_refuser_settles_the_markers() -> None:
    g = defied()
    choose(g, "britain", "defiance", "declare war italy")
    peaceful(g)
    assert the_war(g).alliances == (("britain",), ("italy",))
    assert markers(g, "tunis") == {("france", "protectorate"), ("italy", "protectorate")}


@pytest.mark.rule("CON-036", "WAR-060")
def test_third_disputant_without_war_loses_its_marker() -> None:
    rivals = ("france", "italy", "germany")
    pairs = [(a, b) for a in rivals for b in rivals if a != b]
    causes = [
        {"holder": a, "against": b, "area": "tunis", "rule": "STA-024", "cause": "control_conflict"} for a, b in pairs
    ]
    held = [{"power": power, "marker": "protectorate"} for power in rivals]
    g = meet(game(causes, areas={"tunis": {"markers": held, "units": [army("france"), army("italy", 3)]}}))
    propose(g, "britain", f"{SETTLES}; germany withdraws from tunis")
    all_answer(g, "ballot", "yes sign", italy="yes defy")
    over = next(c.id for c in g.state.casus_belli if (c.holder, c.against) == ("france", "italy"))
    choose(g, "france", "defiance", f"declare war italy over {over}")
    peaceful(g)
    assert the_war(g).alliances == (("france",), ("italy",))
    assert markers(g, "tunis") == {("france", "protectorate"), ("italy", "protectorate")}


@pytest.mark.rule("CON-027", "WAR-044", "ETI-018")
def test_disputant_may_declare_war_during_the_congress() -> None:
    g = meet(game())
    g.act("italy", "declare war france over cb2")
    assert [c.kind for c in g.state.choices] == []
    assert g.state.congress is not None and g.state.congress.outcome == "war"
    assert tensions(g) == [(3, "italy"), (5, "italy")]
    assert markers(g, "tunis") == {("france", "protectorate"), ("italy", "protectorate")}


@pytest.mark.rule("CON-027")
def test_only_holders_of_a_cause_may_declare_war() -> None:
    g = meet(game())
    assert g.refused("britain", "declare war france").code == "no_cause_of_war"


@pytest.mark.rule("WAR-046", "WAR-016")
def test_congress_treats_other_disputes_before_the_war() -> None:
    causes = [
        {"holder": "france", "against": "italy", "area": "tunis"},
        {"holder": "russia", "against": "britain", "area": "persia"},
    ]
    tunis = [{"power": "france", "marker": "influence"}, {"power": "italy", "marker": "protectorate"}]
    areas = {"tunis": {"markers": tunis, "units": [army("italy")]}, "persia": {"markers": PERSIA}}
    g = meet(game(causes, areas=areas), site="germany")
    all_answer(g, "agenda", "tunis")
    g.act("france", "declare war italy")
    assert g.state.phase == "congress" and asked_seats(g, "propose"), "Persia is left"
    propose(g, "germany", "russia lowers persia to interest; britain pays russia 5")
    all_answer(g, "ballot", "yes sign")
    assert markers(g, "persia") == {("britain", "protectorate"), ("russia", "interest")}
    assert g.state.congress.outcome == "settled" and the_war(g).stage == "alliances"
    g.advance()
    assert g.state.phase == "war" and the_war(g).stage != "alliances"


TWO_DISPUTES = {
    "causes": [*MUTUAL, cause("russia", "britain", "persia")],
    "areas": {"tunis": {"markers": TUNIS, "units": [army("italy")]}, "persia": {"markers": PERSIA}},
}


def one_of_two_defied() -> Any:
    """A Congress over Tunis and Persia: the Treaty about Tunis has been adopted, and Italy does not sign it."""
    g = meet(game(**TWO_DISPUTES), site="germany")
    all_answer(g, "agenda", "tunis")
    propose(g, "germany", SETTLES)
    all_answer(g, "ballot", "yes sign", italy="no defy")
    return g


@pytest.mark.rule("CON-010", "CON-011", "CON-033")
def test_congress_continues_after_one_treaty_is_defied() -> None:
    g = one_of_two_defied()
    assert set(asked_seats(g, "propose")) == set(g.state.congress.members) and not asked_seats(g, "defiance")
    assert {c.holder for c in g.state.casus_belli if c.against == "italy"} >= {"britain", "france", "russia"}
    propose(g, "germany", "russia lowers persia to interest; britain pays russia 5")
    all_answer(g, "ballot", "yes sign")
    assert markers(g, "persia") == {("britain", "protectorate"), ("russia", "interest")}
    assert set(asked_seats(g, "defiance")) >= {"france", "italy", "britain"}, "now Tunis: War, or the markers go"
    peaceful(g)
    assert g.state.congress.outcome == "refused" and markers(g, "tunis") == set()
    assert markers(g, "persia") == {("britain", "protectorate"), ("russia", "interest")}
    unresolved = [(e.area, e.blame) for e in g.all_of(events.TensionRaised) if "unresolved" in e.reason]
    assert unresolved == [("tunis", "italy")]


@pytest.mark.rule("CON-033")
def test_congress_does_not_treat_a_defied_dispute_again() -> None:
    g = one_of_two_defied()
    refusal = g.refused("britain", f"propose Again: {SETTLES}")
    assert refusal.code == "settles_nothing" and "CON-033" in refusal.rules and "Tunis" in refusal.message


@pytest.mark.rule("ETI-016", "ETI-018")
def test_undefied_dispute_is_blamed_on_no_power() -> None:
    g = one_of_two_defied()
    none_proposes(g)
    peaceful(g)
    unresolved = [(e.area, e.blame) for e in g.all_of(events.TensionRaised) if "unresolved" in e.reason]
    assert unresolved == [("tunis", "italy"), ("persia", "")]
    assert markers(g, "tunis") == set() and markers(g, "persia") == {("britain", "protectorate")}


@pytest.mark.rule("CON-034", "WAR-044")
def test_defied_dispute_follows_the_last_open_one() -> None:
    g = one_of_two_defied()
    g.act("russia", "declare war britain")
    peaceful(g)
    assert g.state.congress.outcome == "refused" and the_war(g).alliances == (("russia",), ("britain",))


@pytest.mark.rule("CON-034", "WAR-047")
def test_the_congress_waits_while_a_declaration_calls_others() -> None:
    pact = {
        "id": "pact", "name": "Pact", "stage": "in_force", "since": 1, "drafted": 1, "public": True,
        "parties": ["france", "russia"], "signed": ["france", "russia"], "clauses": [{"kind": "defensive"}],
    }  # fmt: skip
    g = meet(game(treaties=[pact]))
    g.act("italy", "declare war france over cb2")
    assert g.state.congress is not None and not g.state.congress.outcome
    choose(g, "russia", "call", "declare war italy")
    assert g.state.congress.outcome == "war" and the_war(g).alliances == (("italy",), ("france", "russia"))


@pytest.mark.rule("MIN-038")
def test_overruled_influence_holder_may_declare_war() -> None:
    markers_ = [{"power": "spain", "marker": "protectorate"}, {"power": "britain", "marker": "influence"}]
    g = game([cause("britain", "spain", "marocco")], areas={"marocco": {"markers": markers_}})
    meet(g, caller="britain", site="france")
    propose(g, "france", "britain lowers marocco to interest")
    all_answer(g, "ballot", "yes sign", britain="yes defy")
    choose(g, "britain", "defiance", "declare war spain")
    peaceful(g)
    assert the_war(g).alliances == (("britain",), ("spain",))
    assert ("britain", "influence") in markers(g, "marocco")


# Minor Powers and their defenders


def kongo(*defenders: str) -> Any:
    """France defies a Congress that has ruled for Belgium's Influence in the Kongo."""
    defence = {"against": "france", "area": "kongo", "cause": "defence", "minor": "belgium"}
    causes = [{"holder": defender, **defence} for defender in defenders]
    areas = {"kongo": {"markers": KONGO, "units": [army("france")]}}
    g = meet(game(causes, areas=areas), caller=defenders[0], site="russia")
    propose(g, "russia", "france lowers kongo to influence")
    all_answer(g, "ballot", "yes sign", france="no defy")
    return g


@pytest.mark.rule("MIN-044")
def test_minor_power_declares_war_on_a_defier_without_tension() -> None:
    g = kongo("germany")
    (declared,) = g.of(events.WarDeclared)
    assert (declared.power, declared.on) == ("belgium", ("france",)) and the_war(g).over == ("kongo",)
    assert tensions(g) == []
    choose(g, "germany", "call", "refuse")
    peaceful(g)
    assert markers(g, "kongo") == {("france", "protectorate"), ("belgium", "influence")}, "fought over"


@pytest.mark.rule("SEQ-024")
def test_declaration_of_a_minor_power_opens_the_war_sequence() -> None:
    g = kongo("germany")
    choose(g, "germany", "call", "refuse")
    peaceful(g)
    g.advance()
    assert g.state.phase == "war" and the_war(g).alliances == (("belgium",), ("france",))


@pytest.mark.rule("MIN-045", "ETI-028")
def test_announced_defender_declares_war_or_pays() -> None:
    g = kongo("germany", "italy")
    assert asked_seats(g, "call") == ["germany", "italy"]
    choose(g, "italy", "call", "join belgium")
    choose(g, "germany", "call", "refuse")
    peaceful(g)
    assert the_war(g).alliances == (("belgium", "italy"), ("france",))
    points = [(e.power, e.amount) for e in g.all_of(events.VictoryPointsChanged)]
    assert points == [("germany", -5)]
    assert (3, "germany") in tensions(g) and (5, "italy") in tensions(g)
    assert sum(p for p, who in tensions(g) if who == "germany" and p == 3) == 3


# War on a refuser by another than the disputant (Decision 75)


@pytest.mark.rule("CON-035", "PBM-061")
@pytest.mark.parametrize("declares", [True, False])
def test_war_of_any_member_on_the_refuser_settles_the_marker(declares: bool) -> None:
    g = meet(
        game(causes=[cause("russia", "britain", "persia")], areas={"persia": {"markers": PERSIA}}),
        caller="russia",
        site="germany",
        attend=("france",),
    )
    propose(g, "germany", "britain leaves persia")
    all_answer(g, "ballot", "yes sign", britain="yes defy")
    if declares:
        choose(g, "france", "defiance", "declare war britain")
    peaceful(g)
    kept = {("britain", "protectorate"), ("russia", "influence")}
    assert (markers(g, "persia") == kept) == declares
    assert sum(points for points, _ in tensions(g)) == (3 + 2 + 5 if declares else 3 + 2 + 2)
    if declares:
        assert the_war(g).over == ("", "persia")
        while g.state.phase != "war":
            g.step()
        g.step()
        assert markers(g, "persia") == kept and not g.state.casus_belli


# Peace in a Congress (Decision 76)


@pytest.mark.rule("WEN-036", "WEN-028")
def test_peace_is_proposed_and_signed_while_a_congress_sits() -> None:
    g = game(causes=[*MUTUAL, cause("germany", "russia")])
    g.act("germany", "declare war russia")
    meet(g)
    g.act("germany", "propose with russia: peace")
    g.act("russia", f"sign {g.state.treaties[-1].id}")
    assert [(e.test, e.victor) for e in g.all_of(events.WarDecided)] == [("peace", 0)]
    assert g.state.phase == "congress"
    g.step()
    assert g.state.result is None
    while g.state.turn == 1:
        g.step()
    assert not g.state.wars
