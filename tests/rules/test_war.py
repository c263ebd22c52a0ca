"""War (WAR): declarations, calls by Treaties, Alliances, and the sequence of Wars."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.engine.dice import Dice
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions import actions
from paxtui.games.pax.events import events
from paxtui.games.pax.menus.legal import legal_actions
from paxtui.games.pax.position.setup import read_position
from paxtui.games.pax.position.writer import dump_position
from paxtui.games.pax.state.war import FOUGHT, WINDOW, Conquest, War
from paxtui.games.pax.transaction import Transaction
from paxtui.games.pax.visibility import visible_event
from paxtui.games.pax.war import alliances
from paxtui.games.pax.war.alliances import commanders
from paxtui.games.pax.war.calls import ask_defender
from tests.previews import forecast_of
from tests.rules.harness import Bench, army, held, marker, naval, tables
from tests.rules.wars import Sides, all_pass, at_war, bench, calls, negotiating, place, the_war, treaty


def sides(g: Bench) -> tuple[tuple[str, ...], ...]:
    """The Alliances of the one War."""
    return the_war(g).alliances


# Declarations


@pytest.mark.rule("WAR-015", "WAR-040")
def test_war_needs_a_casus_belli_against_that_power() -> None:
    g = negotiating(("japan", "russia"))
    refusal = g.refused("japan", "declare war spain")
    assert refusal.code == "no_cause_of_war" and "WAR-015" in refusal.rules
    assert g.refused("russia", "declare war japan").code == "no_cause_of_war"
    g.act("japan", "declare war russia")
    assert sides(g) == (("japan",), ("russia",))


@pytest.mark.rule("WAR-015")
def test_declaration_names_one_of_several_causes() -> None:
    g = negotiating(("japan", "russia"), ("japan", "russia"))
    assert g.refused("japan", "declare war russia").code == "which_cause"
    assert g.refused("japan", "declare war russia over cb9").code == "no_cause_of_war"
    g.act("japan", "declare war russia over cb2")
    assert g.causes() == set(), "the War settles what is between the two"


@pytest.mark.rule("WAR-042", "ETI-019")
def test_a_declaration_costs_five_and_its_target_issues_none() -> None:
    g = negotiating(("japan", "russia"), ("russia", "japan"))
    g.act("japan", "declare war russia")
    assert g.state.tension == 5
    assert [(e.blame, e.amount) for e in g.of(events.TensionRaised)] == [("japan", 5)]
    assert g.refused("russia", "declare war japan").code == "at_war"


@pytest.mark.rule("WAR-043", "ETI-020")
def test_one_declaration_names_several_and_costs_five_in_all() -> None:
    g = negotiating(("japan", "russia"), ("japan", "spain"), ("japan", "france"))
    assert g.refused("japan", "declare war russia italy").code == "no_cause_of_war"
    assert g.refused("japan", "declare war russia russia").code == "twice"
    g.act("japan", "declare war russia spain")
    assert g.state.tension == 5 and sides(g) == (("japan",), ("russia", "spain"))
    assert ("japan", "france", "") in g.causes()


@pytest.mark.rule("ETI-019")
def test_a_declaration_on_a_minor_power_costs_as_much() -> None:
    g = negotiating(("united_states", "spain"))
    g.act("united_states", "declare war spain")
    assert g.state.tension == 5 and sides(g) == (("united_states",), ("spain",))


@pytest.mark.rule("WAR-044", "WAR-017")
def test_war_phase_waits_for_powers_that_may_declare() -> None:
    g = negotiating(("japan", "russia"), ("italy", "spain"), phase="war")
    assert g.waiting() == ("japan", "italy")
    assert g.refused("france", "pass").code == "not_waited"
    g.act("italy", "pass")
    assert g.waiting() == ("japan",)
    g.act("japan", "declare war russia")
    g.advance()
    assert the_war(g).stage != "alliances" and g.state.top.step == FOUGHT
    assert ("italy", "spain", "") not in g.causes(), "unused causes end when the Sequence begins"


@pytest.mark.rule("WAR-044")
def test_ready_ends_the_declarations_like_pass() -> None:
    g = negotiating(("japan", "russia"), phase="war")
    g.act("japan", "ready")
    g.advance()
    assert g.state.phase != "war" and g.state.wars == ()


@pytest.mark.rule("WAR-045", "WAR-016")
def test_a_declaration_in_negotiation_waits_for_the_war_phase() -> None:
    g = negotiating(("japan", "russia"))
    g.act("japan", "declare war russia")
    assert g.state.phase == "negotiation" and g.state.tension == 5
    assert place(g) == ("alliances", 0)
    for seat in g.state.players:
        g.act(seat, "ready")
    g.advance()
    assert g.state.phase == "war" and place(g)[0] == "maneuver"


@pytest.mark.rule("WAR-044")
def test_war_cannot_be_declared_in_other_phases() -> None:
    g = negotiating(("japan", "russia"), phase="movement")
    assert g.refused("japan", "declare war russia").code == "wrong_phase"


@pytest.mark.rule("AUS-014")
def test_austria_hungary_declares_on_causes_of_its_own() -> None:
    g = negotiating(("austria_hungary", "italy"), ("germany", "france"))
    assert g.refused("germany", "declare war italy").code == "no_cause_of_war"
    assert g.refused("germany", "austria_hungary: declare war france").code == "no_cause_of_war"
    g.act("germany", "austria_hungary: declare war italy")
    assert sides(g) == (("austria_hungary",), ("italy",)) and g.state.tension == 5
    assert calls(g) == {}, "Germany is not called by a War that its partner has begun"


# Calls


@pytest.mark.rule("WAR-038", "WAR-047", "WAR-048", "WAR-050")
def test_called_defensive_partner_joins() -> None:
    g = negotiating(("japan", "russia"), treaties=[treaty("defensive", "france", "russia")])
    g.act("japan", "declare war russia")
    assert calls(g) == {"france": ("declare war japan", "refuse")} and g.waiting()[0] != ""
    assert g.refused("japan", "declare war russia").code == "calls_first"
    (choice,) = g.state.choices
    g.act("france", f"choose {choice.id} declare war japan")
    assert sides(g) == (("japan",), ("russia", "france")) and g.state.tension == 10
    assert calls(g) == {}


@pytest.mark.rule("WAR-047", "WAR-048")
def test_one_sided_clause_calls_only_its_power() -> None:
    pact = treaty("defensive", "france", "russia", "italy", clause={"power": "france"})
    g = negotiating(("japan", "russia"), treaties=[pact])
    g.act("japan", "declare war russia")
    assert set(calls(g)) == {"france"}


@pytest.mark.rule("WAR-020", "WAR-049", "WAR-050")
def test_a_partner_that_refuses_breaks_the_treaty_and_stays_neutral() -> None:
    g = negotiating(("japan", "russia"), treaties=[treaty("defensive", "france", "russia")])
    g.act("japan", "declare war russia")
    (choice,) = g.state.choices
    g.act("france", f"choose {choice.id} refuse")
    assert sides(g) == (("japan",), ("russia",)) and g.state.tension == 10
    assert ("russia", "france", "") in g.causes()
    g.act("russia", "declare war france")
    assert sides(g) == (("japan", "france"), ("russia",)), "an ally of the other side, without a declaration of its own"


@pytest.mark.rule("WAR-047", "WAR-062")
def test_every_obliged_power_is_called_and_answers_alone() -> None:
    pacts = [treaty("defensive", "france", "russia"), {**treaty("defensive", "italy", "russia"), "id": "other"}]
    g = negotiating(("japan", "russia"), treaties=pacts)
    g.act("japan", "declare war russia")
    assert set(calls(g)) == {"france", "italy"}
    for choice in g.state.choices:
        g.act(choice.seat, f"choose {choice.id} {'refuse' if choice.power == 'france' else choice.options[0]}")
    assert sides(g) == (("japan",), ("russia", "italy")) and g.state.tension == 15


@pytest.mark.rule("WAR-062", "WAR-041")
@pytest.mark.parametrize("bound_by", ["the pact alone", "the pact names britain", "a second pact"])
def test_general_pact_does_not_bind_against_its_signers(bound_by: str) -> None:
    named = {"against": ["britain"]} if bound_by == "the pact names britain" else {}
    pacts = [treaty("defensive", "britain", "france", "italy", clause=named)]
    if bound_by == "a second pact":
        pacts.append({**treaty("defensive", "france", "italy"), "id": "other"})
    g = negotiating(("britain", "france"), treaties=pacts)
    g.act("britain", "declare war france")
    assert set(calls(g)) == (set() if bound_by == "the pact alone" else {"italy"})


@pytest.mark.rule("WAR-048", "TRE-011")
@pytest.mark.parametrize("hidden", [{"public": False}, {"clause": {"secret": True}}])
def test_a_call_by_hidden_articles_looks_to_others_like_any_declaration(hidden: dict[str, Any]) -> None:
    g = negotiating(("japan", "russia"), treaties=[treaty("defensive", "france", "russia", **hidden)])
    g.act("japan", "declare war russia")
    for choice in sorted(g.state.choices, key=lambda c: c.kind, reverse=True):  # the called Power, France, answers last
        g.act(choice.seat, f"choose {choice.id} {choice.options[0]}")
    (declared,) = g.of(events.WarDeclared)
    seen = {seat: visible_event(declared, seat) for seat in ("france", "russia", "japan", "italy")}
    assert [seat for seat, e in seen.items() if isinstance(e, events.WarDeclared) and e.treaty] == ["france", "russia"]
    (queued,) = g.of(events.DeclarationQueued)
    assert visible_event(queued, "italy") is None and visible_event(queued, "russia") == queued


@pytest.mark.rule("WAR-039")
def test_an_offensive_partner_is_called_by_the_declaration_of_a_signer() -> None:
    pact = treaty("offensive", "japan", "italy", clause={"against": ["russia"]})
    g = negotiating(("japan", "russia"), treaties=[pact])
    g.act("japan", "declare war russia")
    assert calls(g) == {"italy": ("declare war russia", "refuse")}
    (choice,) = g.state.choices
    g.act("italy", f"choose {choice.id} declare war russia")
    assert sides(g) == (("japan", "italy"), ("russia",))


@pytest.mark.rule("WAR-051")
def test_attacker_has_no_defensive_claim() -> None:
    g = negotiating(("japan", "russia"), ("italy", "japan"), treaties=[treaty("defensive", "japan", "united_states")])
    g.act("japan", "declare war russia")
    assert calls(g) == {}
    g.act("italy", "declare war japan")
    assert calls(g) == {} and sides(g) == (("japan",), ("russia", "italy"))


@pytest.mark.rule("WAR-053", "AUS-003", "AUS-004")
@pytest.mark.parametrize("answer", ["declare war japan", "refuse"])
def test_austria_hungary_is_called_when_germany_is_attacked(answer: str) -> None:
    g = negotiating(("japan", "germany"))
    g.act("japan", "declare war germany")
    (choice,) = g.state.choices
    assert (choice.power, choice.seat, choice.default) == ("austria_hungary", "germany", "declare war japan")
    g.act("germany", f"choose {choice.id} {answer}")
    joined = answer != "refuse"
    assert sides(g) == (("japan",), ("germany", *(("austria_hungary",) if joined else ())))
    assert g.state.tension == 10
    assert g.causes() == set(), "between Powers of one player no Casus Belli arises"


@pytest.mark.rule("WAR-054")
def test_austria_hungary_is_neutral_where_germany_declares() -> None:
    g = negotiating(("germany", "japan"))
    g.act("germany", "declare war japan")
    assert calls(g) == {} and sides(g) == (("germany",), ("japan",))


@pytest.mark.rule("WAR-049", "WAR-047", "WAR-048")
def test_attacked_refuser_may_call_its_own_partners() -> None:
    pacts = [treaty("defensive", "france", "russia", id="p1"), treaty("defensive", "france", "italy", id="p2")]
    g = negotiating(("japan", "russia"), treaties=pacts)
    g.act("japan", "declare war russia")
    g.act("france", f"choose {g.state.choices[0].id} refuse")
    assert calls(g) == {} and g.causes() == {("russia", "france", "")} and g.state.tension == 10
    g.act("russia", "declare war france")
    assert calls(g) == {"italy": ("declare war russia", "refuse")}
    g.act("italy", f"choose {g.state.choices[0].id} declare war russia")
    assert sides(g) == (("japan", "france", "italy"), ("russia",)) and g.state.tension == 20


@pytest.mark.rule("AUS-014", "WAR-049")
@pytest.mark.parametrize(
    ("attacker", "called"), [("germany", "austria_hungary"), ("austria_hungary", "germany"), ("france", "germany")]
)
def test_the_two_powers_of_one_player_are_not_called_against_each_other(attacker: str, called: str) -> None:
    g = negotiating((attacker, "italy"), treaties=[treaty("defensive", called, "italy")])
    g.act("germany" if attacker == "austria_hungary" else attacker, f"{attacker}: declare war italy")
    assert calls(g) == {called: (("refuse",) if attacker != "france" else ("declare war france", "refuse"))}
    (choice,) = g.state.choices
    g.act("germany", f"choose {choice.id} {choice.default}")
    if attacker == "france":
        assert sides(g) == (("france",), ("italy", "germany"))
    else:
        assert sides(g) == ((attacker,), ("italy",)) and g.state.tension == 10
        assert g.causes() == {("italy", called, "")}


@pytest.mark.rule("AUS-014", "WAR-055", "WAR-064")
@pytest.mark.parametrize(
    ("by", "on", "merged"),
    [
        ("russia", "japan", (("germany", "spain", "austria_hungary", "belgium"), ("russia",), ("japan",))),
        ("spain", "austria_hungary", (("germany", "austria_hungary", "belgium"), ("russia",), ("japan", "spain"))),
        ("belgium", "spain", (("germany", "spain", "austria_hungary"), ("russia", "belgium"), ("japan",))),
        ("russia", "austria_hungary", (("germany", "spain", "austria_hungary", "belgium"), ("russia", "japan"))),
    ],
)
def test_a_merger_does_not_set_the_two_powers_of_one_player_against_each_other(
    by: str, on: str, merged: tuple[tuple[str, ...], ...]
) -> None:
    older = War("w1", (("germany", "spain"), ("russia",)), links=((by, on),))
    newer = War("w2", (("austria_hungary", "belgium"), ("japan",)), conquered=(Conquest("korea", 1),))
    one = alliances.merge_wars(older, newer, ("germany", "austria_hungary"))
    assert one.alliances == merged and one.conqueror("korea") == 1


@pytest.mark.rule("AUS-014", "WAR-055")
def test_a_power_that_a_merger_leaves_among_enemies_only_fights_alone() -> None:
    links = (("spain", "belgium"), ("japan", "spain"))
    older = War("w1", (("germany", "spain"), ("russia",)), links=links)
    newer = War("w2", (("austria_hungary", "belgium"), ("japan",)))
    one = alliances.merge_wars(older, newer, ("germany", "austria_hungary"))
    assert one.alliances == (("germany", "austria_hungary", "belgium"), ("russia",), ("japan",), ("spain",))


@pytest.mark.rule("WAR-055", "WAR-064")
@pytest.mark.parametrize(
    ("links", "helps", "merged"),
    [
        ("russia-spain russia-united_states", "", "russia | japan spain | united_states"),
        ("russia-spain japan-spain", "", "russia united_states | japan | spain"),
        ("russia-spain japan-spain russia-united_states", "", "russia | japan united_states | spain"),
        ("russia-spain japan-united_states", "", "russia united_states | japan spain"),
        ("japan-spain russia-spain", "russia-united_states", "russia united_states | japan | spain"),
    ],
)
def test_a_merger_by_several_links_allies_no_enemies(links: str, helps: str, merged: str) -> None:
    pairs = [tuple((a, b) for a, b in (pair.split("-") for pair in text.split())) for text in (links, helps)]
    older = War("w1", (("russia",), ("japan",)), links=pairs[0], helps=pairs[1])
    newer = War("w2", (("spain",), ("united_states",)))
    assert alliances.merge_wars(older, newer).alliances == tuple(tuple(s.split()) for s in merged.split(" | "))


@pytest.mark.rule("WAR-055", "WAR-064")
def test_merger_separates_a_power_from_an_ally_at_war_with_its_helper() -> None:
    older = War("w1", (("russia", "italy"), ("japan",)), links=(("italy", "spain"),), helps=(("russia", "spain"),))
    newer = War("w2", (("spain", "belgium"), ("united_states",)), conquered=(Conquest("korea", 1),))
    one = alliances.merge_wars(older, newer)
    assert one.alliances == (("russia", "spain", "belgium"), ("japan",), ("united_states", "italy"))
    assert one.conqueror("korea") == 1


@pytest.mark.rule("WAR-055", "WAR-064")
@pytest.mark.parametrize(
    ("links", "merged"),
    [
        ("", "russia belgium united_states | japan | italy spain"),
        ("japan-united_states", "russia belgium united_states | japan | italy spain"),
        ("belgium-united_states", "russia united_states | japan | italy spain | belgium"),
        ("italy-spain", "russia belgium united_states | japan spain | italy"),
    ],
)
def test_merger_keeps_each_helper_with_its_partner(links: str, merged: str) -> None:
    pairs = tuple((a, b) for a, b in (pair.split("-") for pair in links.split()))
    helps = (("united_states", "russia"), ("spain", "italy"))
    older = War("w1", (("russia", "belgium"), ("japan",), ("italy",)), links=pairs)
    newer = War("w2", (("spain",), ("united_states",)), helps=helps)
    assert alliances.merge_wars(older, newer).alliances == tuple(tuple(s.split()) for s in merged.split(" | "))


@pytest.mark.rule("WAR-055", "GWR-014")
def test_wars_that_share_a_power_ally_no_enemies() -> None:
    war = War("w1", (("britain",), ("france",)))
    ottoman = War("w2", (("ottoman_empire", "italy"), ("britain", "france")))
    assert alliances.merge_wars(war, ottoman).alliances == (("britain",), ("france",), ("ottoman_empire", "italy"))


@pytest.mark.rule("WAR-064", "GWR-014")
def test_wars_linked_through_a_later_one_are_merged_with_all_their_powers() -> None:
    first = War("w1", (("russia",), ("japan",)))
    second = War("w2", (("france",), ("italy",)))
    third = War("w3", (("britain",), ("spain",)), links=(("britain", "russia"), ("britain", "france")))
    one = alliances.merge_all((first, second, third))
    assert one.alliances == (("russia", "spain", "france"), ("japan", "britain", "italy"))


@pytest.mark.rule("WAR-064")
def test_wars_that_wait_to_merge_are_set_up_as_they_were_written() -> None:
    older = {**waiting(["russia"], ["japan"]), "links": [{"power": "russia", "on": "spain"}]}
    newer = {**waiting(["united_states"], ["spain"]), "helps": [{"power": "united_states", "partner": "russia"}]}
    g = negotiating(phase="war", wars=[older, newer])
    begin = g.state
    assert [(war.links, war.helps) for war in begin.wars] == [
        ((("russia", "spain"),), ()),
        ((), (("united_states", "russia"),)),
    ]
    assert read_position(tables(), begin.players, begin.options, dump_position(begin)).wars == begin.wars
    g.advance()
    assert sides(g) == (("russia", "united_states"), ("japan", "spain"))


@pytest.mark.rule("AUS-014", "WAR-064")
def test_a_third_power_that_joins_two_wars_leaves_one_player_on_one_side() -> None:
    g = negotiating(
        ("russia", "japan"),
        phase="war",
        wars=[waiting(["germany"], ["russia"]), waiting(["austria_hungary"], ["japan"])],
    )
    forecast = forecast_of(tables(), g.state, "russia", actions.DeclareWar(("japan",)))
    g.act("russia", "declare war japan")
    g.advance()
    assert sides(g) == forecast.alliances == (("germany", "austria_hungary"), ("russia",), ("japan",))


@pytest.mark.rule("AUS-014", "WAR-055", "WAR-061")
def test_austria_hungary_joins_germany_among_three_alliances() -> None:
    g = negotiating(("austria_hungary", "russia"), wars=[waiting(*THREE)])
    order = "austria_hungary: declare war russia"
    assert g.refused("germany", f"{order} beside united_states").code == "no_such_side"
    g.act("germany", order)
    assert sides(g) == (("russia",), ("united_states",), ("germany", "austria_hungary"))


@pytest.mark.rule("AUS-014", "WAR-055")
def test_an_ally_of_germany_that_attacks_austria_hungary_fights_alone() -> None:
    g = negotiating(("japan", "austria_hungary"), wars=[waiting(["germany", "japan"], ["russia"])])
    g.act("japan", "declare war austria_hungary")
    assert sides(g) == (("germany", "austria_hungary"), ("russia",), ("japan",))


@pytest.mark.rule("AUS-014")
def test_austria_hungary_declares_war_on_no_ally_of_germany() -> None:
    for allied in (["germany", "russia"], ["russia"]):
        g = negotiating(("austria_hungary", "russia"), wars=[waiting(allied, ["japan"])])
        if "germany" in allied:
            assert g.refused("germany", "austria_hungary: declare war russia").code == "oneself"
        else:
            g.act("germany", "austria_hungary: declare war russia")
            assert sides(g) == (("russia",), ("japan", "austria_hungary"))


def against_empire(partners: list[str]) -> dict[str, Any]:
    """An Ottoman War, before its first dice."""
    return {"kind": "ottoman", "alliances": [["ottoman_empire"], partners], "phase": "initiative"}


@pytest.mark.rule("AUS-014")
def test_germany_declares_war_on_no_ally_of_austria_hungary_in_an_ottoman_war() -> None:
    for partners in (["austria_hungary", "italy"], ["italy"]):
        g = negotiating(("germany", "italy"), phase="war", wars=[against_empire(partners)])
        order = "declare war italy"
        offered = legal_actions(g.tables, g.state, "germany").orders
        if "austria_hungary" in partners:
            refusal = g.refused("germany", order)
            assert (refusal.code, refusal.rules) == ("oneself", ("AUS-014",)) and order not in offered
        else:
            g.act("germany", order)
            assert [war.kind for war in g.state.wars] == ["ottoman", "war"] and order in offered


@pytest.mark.rule("AUS-014", "WAR-049")
def test_germany_is_not_called_against_an_ally_of_austria_hungary_in_an_ottoman_war() -> None:
    g = negotiating(
        ("italy", "russia"),
        phase="war",
        wars=[against_empire(["austria_hungary", "italy"])],
        treaties=[treaty("defensive", "germany", "russia")],
    )
    g.act("italy", "declare war russia")
    assert calls(g)["germany"] == ("refuse",)


@pytest.mark.rule("AUS-014", "MIN-045")
@pytest.mark.parametrize(
    ("foes", "options"),
    [(["france"], ("join belgium", "refuse")), (["france", "austria_hungary"], ("refuse",))],
)
def test_germany_defends_no_minor_power_against_austria_hungary(foes: list[str], options: tuple[str, ...]) -> None:
    g = negotiating(phase="war", wars=[waiting(["belgium"], foes)])
    play = Transaction(g.tables, g.state, Dice("test"))
    ask_defender(play, "germany", "belgium", "france")
    assert [c.options for c in play.state.choices] == [options]


@pytest.mark.rule("WAR-062")
def test_declarations_are_processed_in_order() -> None:
    pacts = [
        treaty("defensive", "russia", "united_states", id="p1"),
        treaty("defensive", "russia", "japan", id="p2"),
    ]
    g = negotiating(("italy", "russia"), treaties=pacts)
    g.act("italy", "declare war russia")
    assert set(calls(g)) == {"united_states", "japan"}
    last, first = sorted(g.state.choices, key=lambda c: c.power, reverse=True)
    g.act(last.seat, f"choose {last.id} declare war italy")
    assert sides(g) == (("italy",), ("russia",)), "worked off when all have answered"
    g.act(first.seat, f"choose {first.id} declare war italy")
    assert sides(g) == (("italy",), ("russia", last.power, first.power)) and g.state.tension == 15


@pytest.mark.rule("WAR-041")
def test_a_declaration_ends_the_treaties_between_the_two() -> None:
    g = negotiating(("japan", "russia"), treaties=[treaty("shared_cause", "japan", "russia")])
    g.act("japan", "declare war russia")
    assert [t.stage for t in g.state.treaties] == ["ended"] and g.state.tension == 5


@pytest.mark.rule("WAR-041")
def test_declaration_breaks_a_promise_of_peace() -> None:
    g = negotiating(("japan", "russia"), treaties=[treaty("non_aggression", "japan", "russia")])
    g.act("japan", "declare war russia")
    assert g.state.tension == 10 and len(g.of(events.TreatyBroken)) == 1


@pytest.mark.rule("WAR-041")
@pytest.mark.parametrize(("breaker", "broken"), [("russia", 0), ("france", 1)])
def test_a_promise_that_the_target_has_broken_binds_no_longer(breaker: str, broken: int) -> None:
    before = {"clause": 0, "power": breaker, "turn": 1, "what": "breaks it", "open": True}
    three = treaty("non_aggression", "japan", "russia", "france", breaches=[before])
    g = negotiating(("japan", "russia"), treaties=[three])
    g.act("japan", "declare war russia")
    assert [e.power for e in g.of(events.TreatyBroken)] == ["japan"] * broken


# Sides


@pytest.mark.rule("WAR-064", "WAR-020")
def test_a_newcomer_joins_the_side_opposed_to_its_target() -> None:
    g = negotiating(("japan", "russia"), ("united_states", "russia"), ("spain", "japan"), ("belgium", "japan"))
    g.act("japan", "declare war russia")
    g.act("united_states", "declare war russia")
    assert sides(g) == (("japan", "united_states"), ("russia",)) and g.state.tension == 10


@pytest.mark.rule("WAR-055")
def test_three_powers_at_war_with_each_other_are_three_alliances() -> None:
    g = negotiating(("japan", "russia"), ("united_states", "russia"), ("united_states", "japan"))
    g.act("japan", "declare war russia")
    g.act("united_states", "declare war russia japan")
    assert sides(g) == (("japan",), ("russia",), ("united_states",))


THREE: Sides = [["russia"], ["united_states"], ["germany"]]


def waiting(*sides_: list[str]) -> dict[str, Any]:
    """A war that waits for the War Phase."""
    return {"alliances": list(sides_), "phase": "alliances"}


@pytest.mark.rule("WAR-020", "WAR-055", "WAR-048")
def test_a_called_power_joins_the_alliance_of_its_partner_among_three() -> None:
    g = negotiating(("japan", "germany"), wars=[waiting(*THREE)])
    forecast = forecast_of(tables(), g.state, "japan", actions.DeclareWar(("germany",)))
    g.act("japan", "declare war germany")
    (choice,) = g.state.choices
    g.act("germany", f"choose {choice.id} {choice.default}")
    assert sides(g) == (("russia", "japan"), ("united_states",), ("germany", "austria_hungary"))
    assert forecast.alliances == sides(g)


@pytest.mark.rule("WAR-041", "WAR-047")
def test_an_offensive_treaty_with_a_power_that_becomes_an_enemy_by_it_calls_nobody() -> None:
    g = negotiating(
        ("japan", "italy"),
        wars=[waiting(["russia", "italy"], ["united_states"])],
        treaties=[treaty("offensive", "japan", "russia", clause={"against": ["italy"]})],
    )
    g.act("japan", "declare war italy")
    assert calls(g) == {} and sides(g) == (("russia", "italy"), ("united_states", "japan"))
    assert g.state.treaties[0].stage == "ended" and not g.of(events.TreatyBroken)


@pytest.mark.rule("WAR-055", "WAR-064")
def test_called_power_of_another_war_joins_its_partner_at_the_merger() -> None:
    g = negotiating(
        ("japan", "germany"),
        phase="war",
        wars=[waiting(["spain"], ["italy"]), waiting(*THREE)],
        treaties=[treaty("defensive", "germany", "italy")],
    )
    g.act("japan", "declare war germany")
    for choice in g.state.choices:
        answer = "refuse" if choice.power == "austria_hungary" else choice.default
        g.act(choice.seat, f"choose {choice.id} {answer}")
    assert [war.id for war in g.state.wars] == ["w1", "w2"]
    g.advance()
    assert sides(g) == (("spain", "russia", "japan"), ("italy", "germany"), ("united_states",))


@pytest.mark.rule("WAR-055")
def test_a_newcomer_chooses_its_alliance_by_those_on_which_it_declares_war() -> None:
    g = negotiating(("japan", "germany"), ("japan", "russia"), wars=[waiting(*THREE)])
    g.act("japan", "declare war germany russia")
    last = g.state.choices[0]
    g.act("germany", f"choose {last.id} refuse")
    assert sides(g) == (("russia",), ("united_states", "japan"), ("germany",))


@pytest.mark.rule("WAR-055", "WAR-061")
def test_a_newcomer_names_the_alliance_that_it_joins_among_three() -> None:
    g = negotiating(("japan", "germany"), wars=[waiting(*THREE)])
    offered = {order for order in legal_actions(g.tables, g.state, "japan").orders if order.startswith("declare")}
    assert offered == {f"declare war germany{end}" for end in ("", " beside russia", " beside united_states")}
    for beside in ("germany", "italy", "japan"):
        refusal = g.refused("japan", f"declare war germany beside {beside}")
        assert (refusal.code, refusal.rules) == ("no_such_side", ("WAR-055", "WAR-061"))
    g.act("japan", "declare war germany beside united_states")
    g.act("germany", f"choose {g.state.choices[0].id} refuse")
    assert sides(g) == (("russia",), ("united_states", "japan"), ("germany",))


@pytest.mark.rule("WAR-055", "WAR-061")
@pytest.mark.parametrize(("partner", "beside"), [("russia", "russia"), ("united_states", "united_states")])
def test_a_newcomer_that_names_no_alliance_does_not_come_to_fight_its_treaty_partner(partner: str, beside: str) -> None:
    pact = treaty("non_aggression", "japan", partner)
    g = negotiating(("japan", "germany"), wars=[waiting(*THREE)], treaties=[pact])
    g.act("japan", "declare war germany")
    assert the_war(g).side_of("japan") == the_war(g).side_of(beside)
    assert g.state.treaties[0].stage == "in_force"


@pytest.mark.rule("WAR-061")
def test_there_is_no_alliance_to_choose_in_a_war_of_two() -> None:
    g = negotiating(("japan", "germany"), wars=[waiting(["germany"], ["russia"])])
    assert g.refused("japan", "declare war germany beside russia").code == "no_such_side"


@pytest.mark.rule("WAR-041")
@pytest.mark.parametrize("kind", ["defensive", "non_aggression"])
def test_treaties_between_powers_that_come_to_be_enemies_by_joining_end(kind: str) -> None:
    g = negotiating(
        ("britain", "japan"),
        ("russia", "britain"),
        ("united_states", "japan"),
        ("italy", "russia"),
        treaties=[treaty(kind, "united_states", "russia")],
    )
    g.act("britain", "declare war japan")
    g.act("russia", "declare war britain")
    assert g.state.treaties[0].stage == "in_force"
    g.act("united_states", "declare war japan")
    assert sides(g) == (("britain", "united_states"), ("japan", "russia"))
    assert g.state.treaties[0].stage == "ended" and not g.of(events.TreatyBroken)
    g.act("italy", "declare war russia")
    assert calls(g) == {}, "no Power is called to the aid of an enemy"


@pytest.mark.rule("WAR-041")
def test_a_treaty_of_three_calls_nobody_to_the_aid_of_an_enemy() -> None:
    g = negotiating(
        ("italy", "russia"),
        wars=[waiting(["britain", "united_states"], ["japan", "russia"])],
        treaties=[treaty("defensive", "united_states", "russia", "spain")],
    )
    g.act("italy", "declare war russia")
    assert "united_states" not in calls(g)
    assert g.state.treaties[0].stage == "in_force", "it binds the third signatory"


@pytest.mark.rule("WAR-041", "WAR-064")
def test_treaties_between_powers_that_a_merger_makes_enemies_end() -> None:
    g = negotiating(
        ("japan", "russia"),
        ("united_states", "spain"),
        ("russia", "spain"),
        phase="war",
        treaties=[treaty("defensive", "japan", "united_states")],
    )
    g.act("japan", "declare war russia")
    g.act("united_states", "declare war spain")
    g.act("russia", "declare war spain")
    assert g.state.treaties[0].stage == "in_force"
    g.advance()
    assert sides(g) == (("japan", "spain"), ("russia", "united_states"))
    assert g.state.treaties[0].stage == "ended"


@pytest.mark.rule("WAR-041", "WAR-048")
def test_a_call_and_what_it_joins_end_the_treaties_with_the_new_enemies() -> None:
    pacts = [
        treaty("defensive", "russia", "italy", id="p1"),
        treaty("defensive", "italy", "united_states", id="p2"),
    ]
    g = negotiating(
        ("japan", "russia"),
        ("russia", "united_states"),
        wars=[waiting(["united_states"], ["spain"])],
        treaties=pacts,
        phase="war",
    )
    g.act("japan", "declare war russia")
    (choice,) = g.state.choices
    g.act("italy", f"choose {choice.id} {choice.default}")
    assert [t.stage for t in g.state.treaties] == ["in_force", "in_force"]
    g.act("russia", "declare war united_states")
    g.advance()
    stages = {t.id: t.stage for t in g.state.treaties}
    assert sides(g) == (("united_states", "japan"), ("spain", "russia", "italy"))
    assert stages == {"p1": "in_force", "p2": "ended"}


@pytest.mark.rule("WAR-056")
def test_wars_without_a_common_power_are_separate() -> None:
    g = negotiating(("japan", "russia"), ("united_states", "spain"))
    g.act("japan", "declare war russia")
    g.act("united_states", "declare war spain")
    assert [w.alliances for w in g.state.wars] == [(("japan",), ("russia",)), (("united_states",), ("spain",))]


@pytest.mark.rule("WAR-056")
@pytest.mark.parametrize("together", [False, True])
def test_units_of_a_separate_war_are_ignored(together: bool) -> None:
    britain, japan = [["britain"], ["france"]], [["japan"], ["russia"]]
    sides = [[*one, *other] for one, other in zip(britain, japan, strict=True)]
    atlantic = {"merchant_fleets": ["britain"], "units": [naval("russia", 3)]}
    guiana = held("britain", "possession", army("britain"))
    for phase in ("maneuver", "attack"):
        more = {"units": [*atlantic["units"], naval("britain", 10)]} if phase == "attack" else {}
        wars = [{"alliances": s, "phase": phase} for s in ([sides] if together else [britain, japan])]
        g = bench()
        patch = {"areas": {"guiana": guiana}, "sea_zones": {"north_atlantic": {**atlantic, **more}}}
        g.do(ARBITER, actions.SetPosition({"phase": "war", "wars": wars, **patch}))
        if phase == "attack" and not together:
            assert "britain" not in g.waiting(), "it has no enemy to attack"
        order = "attack north_atlantic" if phase == "attack" else "move A1 guiana > north_atlantic"
        if together == (phase == "attack"):
            g.act("britain", order)
        else:
            assert g.refused("britain", order).code == ("no_escort" if together else "no_enemy")


@pytest.mark.rule("WAR-064")
def test_linked_wars_merge_at_the_next_initiative_determination() -> None:
    g = negotiating(("japan", "russia"), ("united_states", "spain"), ("russia", "spain"), phase="war")
    g.act("japan", "declare war russia")
    g.act("united_states", "declare war spain")
    g.act("russia", "declare war spain")
    assert len(g.state.wars) == 2, "two until then"
    g.advance()
    assert sides(g) == (("japan", "spain"), ("russia", "united_states"))
    assert the_war(g).declared == ("japan", "united_states")


@pytest.mark.rule("WAR-064")
def test_a_war_that_nothing_links_with_the_others_stays_apart() -> None:
    wars_of = (("japan", "russia"), ("united_states", "spain"), ("italy", "netherlands"))
    g = negotiating(*wars_of, ("japan", "netherlands"), phase="war")
    for power, on in (*wars_of, ("japan", "netherlands")):
        g.act(power, f"declare war {on}")
    g.advance()
    assert [war.alliances for war in g.state.wars] == [
        (("japan", "italy"), ("russia", "netherlands")),
        (("united_states",), ("spain",)),
    ]


@pytest.mark.rule("WAR-064", "GWR-015")
def test_three_wars_that_one_of_them_is_linked_with_become_one() -> None:
    wars_of = (("japan", "russia"), ("united_states", "spain"), ("italy", "netherlands"))
    across = (("russia", "spain"), ("japan", "netherlands"))
    g = negotiating(*wars_of, *across, phase="war")
    for power, on in (*wars_of, *across):
        g.act(power, f"declare war {on}")
    assert len(g.state.wars) == 3 and g.state.wars[0].links == across
    g.advance()
    assert sides(g) == (("japan", "spain", "italy"), ("russia", "united_states", "netherlands"))
    assert the_war(g).links == ()


# The sequence


def fleets() -> dict[str, Any]:
    """Japan and Russia at War, each with a fleet abroad, so that no side is beaten at once."""
    return {
        "areas": {
            "korea": {"markers": [marker("japan", "protectorate")], "units": [army("japan", 3), naval("japan", 3)]},
            "manchuria": {"markers": [marker("russia", "protectorate")], "units": [army("russia", 3)]},
        }
    }


@pytest.mark.rule("WAR-026", "WAR-019")
@pytest.mark.parametrize(("phase", "behind"), [("maneuver", "japan"), ("supply", "japan"), ("initiative", "france")])
def test_war_furthest_behind_continues_first(phase: str, behind: str) -> None:
    wars = [
        {"id": "w1", "alliances": [["france"], ["germany"]], "phase": "end"},
        {"id": "w2", "alliances": [["japan"], ["russia"]], "phase": phase},
    ]
    g = bench()
    g.do(ARBITER, actions.SetPosition({"phase": "war", "wars": wars}))
    played = alliances.current_war(g.state)
    assert played is not None and played.side_of(behind) == 1, "one that has begun the next cycle waits for the others"


@pytest.mark.rule("WAR-026", "WAR-025")
def test_a_cycle_goes_through_the_phases_of_both_alliances() -> None:
    g = at_war([["japan"], ["russia"]], "initiative", war={"turn_of": None}, **fleets())
    g.dice(2, 5, 6, 1)
    seen = []
    while not seen or the_war(g).cycle == 1:
        all_pass(g) if g.waiting() else g.advance()
        seen += [(e.stage, e.turn_of) for e in g.of(events.WarPhaseBegan)]
    turns = [("maneuver", 2), ("attack", 2), ("supply", 2), ("maneuver", 1), ("attack", 1), ("supply", 1)]
    assert seen[: len(turns) + 2] == [*turns, ("end", 0), ("initiative", 0)]
    assert the_war(g).order == (1, 2), "rolled anew"


@pytest.mark.rule("WAR-024")
def test_higher_die_acts_first_and_ties_roll_again() -> None:
    g = at_war([["japan"], ["russia"]], "initiative", war={"turn_of": None}, **fleets())
    g.dice(4, 4, 1, 6)
    g.advance()
    (rolled,) = g.of(events.InitiativeRolled)
    assert (rolled.rolls, rolled.order) == (((4, 4), (1, 6)), (2, 1)) and place(g) == ("maneuver", 2)


@pytest.mark.rule("WAR-055")
def test_three_alliances_act_in_descending_order() -> None:
    g = at_war([["japan"], ["russia"], ["united_states"]], "initiative", war={"turn_of": None}, **fleets())
    g.dice(3, 6, 3, 2, 5)
    g.advance()
    (rolled,) = g.of(events.InitiativeRolled)
    assert (rolled.rolls, rolled.order) == (((3, 6, 3), (2, 0, 5)), (2, 3, 1))


@pytest.mark.rule("ETI-022", "ETI-023")
def test_continuing_war_raises_tensions_by_two_once_a_war_phase() -> None:
    g = at_war([["japan"], ["russia"]], "end", war={"turn_of": None}, **fleets())
    g.advance()
    assert [(e.amount, e.total) for e in g.of(events.TensionRaised)] == [(2, 2)]


@pytest.mark.rule("ETI-010")
def test_first_declarer_is_to_blame_for_a_continuing_war() -> None:
    indexes = {"european_tensions": 98}
    g = at_war([["japan"], ["russia"]], "end", war={"turn_of": None}, indexes=indexes, **fleets())
    g.advance()
    assert g.state.result is not None and g.state.result.culprits == ("japan",)


@pytest.mark.rule("WAR-061")
def test_a_cause_that_arises_in_a_war_has_its_window_when_the_phase_has_ended() -> None:
    pact = treaty("no_marker", "italy", "france", clause={"power": "france", "places": ["siam"]})
    g = at_war([["japan"], ["russia"]], treaties=[pact], **fleets())
    g.act("france", "renounce pact")
    assert ("italy", "france", "") in g.causes()
    assert g.refused("italy", "declare war france").code == "no_window"
    g.act("japan", "pass")
    assert g.state.top.step == WINDOW and g.waiting() == ("italy",)
    g.act("italy", "pass")
    assert g.state.top.step == FOUGHT and ("italy", "france", "") in g.causes(), "it lasts to the end of the turn"


@pytest.mark.rule("WAR-019", "WAR-065")
def test_separate_wars_are_fought_side_by_side_phase_by_phase() -> None:
    g = negotiating(("japan", "russia"), ("united_states", "spain"), phase="war", **fleets())
    g.act("japan", "declare war russia")
    g.act("united_states", "declare war spain")
    g.dice(6, 1, 6, 1)
    g.advance()
    assert [(w.stage, w.turn_of) for w in g.state.wars] == [("maneuver", 1), ("maneuver", 1)]
    assert g.waiting() == ("japan",)
    g.act("japan", "pass")
    assert g.waiting() == ("united_states",), "the other War has its Maneuver Phase before anybody attacks"


@pytest.mark.rule("WAR-021")
def test_minor_power_without_ally_is_not_waited_for() -> None:
    g = at_war([["united_states"], ["spain"]], war={"order": [2, 1], "turn_of": 2})
    assert g.waiting() == ()
    g.advance()
    assert place(g) == ("maneuver", 1)


# A neutral in command


def voting(option: str = "yes", players: int = 4) -> Bench:
    """The United States about to fight Spain, which has no ally."""
    war = {"alliances": [["united_states"], ["spain"]], "phase": "alliances"}
    g = bench(players, {"neutral_command": option})
    g.do(ARBITER, actions.SetPosition({"phase": "war", "wars": [war]}))
    g.advance()
    return g


def named(g: Bench, *answers: str) -> None:
    """Let the players answer in order."""
    for text in answers:
        (choice,) = g.pending()
        assert choice.kind == "command"
        g.act(choice.seat, f"choose {choice.id} {text}")


@pytest.mark.rule("WAR-058")
def test_all_may_name_a_neutral_who_commands_a_minor_power() -> None:
    g = voting()
    (choice,) = g.pending()
    assert set(choice.options) == {"britain", "france", "germany", "engine"}, "the enemy is no neutral"
    named(g, *["germany"] * len(g.state.players))
    assert the_war(g).commands == {"spain": "germany"} and not g.pending()
    g.advance()
    war = the_war(g)
    assert commanders(g.tables, g.state, war, "spain") == ("germany",)
    assert not g.pending(), "it is settled before Initiative, and for the whole War"


@pytest.mark.rule("WAR-058", "WAR-021")
@pytest.mark.parametrize("votes", [("engine",), ("germany", "engine"), ("germany", "france")])
def test_engine_commands_without_unanimity(votes: tuple[str, ...]) -> None:
    g = voting()
    named(g, *votes)
    assert not the_war(g).commands and not g.pending()
    g.advance()
    assert not g.pending() and commanders(g.tables, g.state, the_war(g), "spain") == ()


@pytest.mark.rule("WAR-058")
def test_no_vote_without_the_option() -> None:
    assert not voting("no").all_of(events.ChoiceOffered)
