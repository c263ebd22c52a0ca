"""A Treaty of three or more that War ends between two of its signers (WAR-041)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from paxtui.bots.pax.statesman.treaty_values import PowerRelations
from paxtui.games.pax import visibility
from paxtui.games.pax.board.tables import ANY_KIND, TreatyTest
from paxtui.games.pax.clauses.kind import DUE, HOLDS, OVER
from paxtui.games.pax.events import events
from paxtui.games.pax.state.diplomacy import ENDED, IN_FORCE, PartialEnd, Treaty
from paxtui.games.pax.treaties import breaches
from paxtui.games.pax.turn.victory import fitting_treaties
from tests.rules.harness import Bench
from tests.rules.treaties import DE, FR, GB, IT, RU, of
from tests.rules.wars import calls, negotiating, treaty

DEBT = {"power": FR, "to": IT, "amount": 10}
MONEY = {"powers": {p: {"treasury": 30} for p in (GB, FR, IT, DE, RU)}}


def after_war(*treaties: dict[str, Any], causes: tuple[tuple[str, str], ...] = ()) -> Bench:
    """Italy has declared War on France, and peace has come."""
    g = negotiating((IT, FR), *causes, treaties=list(treaties), **MONEY)
    g.act(IT, "declare war france")
    g.state = replace(g.state, wars=())
    return g


def pact(g: Bench) -> Treaty:
    return of(g, "pact")


def status(g: Bench) -> str:
    return breaches.clause_status(g.tables, g.state, pact(g), 0)


@pytest.mark.rule("WAR-041", "TRE-004")
def test_a_debt_between_enemies_does_not_revive_at_peace() -> None:
    g = after_war(treaty("pay", GB, FR, IT, clause={**DEBT, "turn": 1}))
    assert pact(g).stage == IN_FORCE and status(g) == OVER
    while g.state.phase == "negotiation":
        g.step()
    assert g.state.powers[FR].treasury == 30 and not pact(g).breaches and not g.all_of(events.ClauseDone)


@pytest.mark.rule("WAR-041", "TRE-004")
def test_debts_to_the_other_signers_stay_due() -> None:
    g = after_war(treaty("pay", GB, FR, IT, clause={**DEBT, "to": GB, "turn": 1}))
    assert status(g) == DUE
    while g.state.phase == "negotiation":
        g.step()
    assert (g.state.powers[FR].treasury, g.state.powers[GB].treasury) == (20, 40)


@pytest.mark.rule("WAR-041", "TRE-004")
def test_an_ended_article_upon_war_does_not_fall_due() -> None:
    g = after_war(treaty("pay", GB, FR, IT, clause={**DEBT, "upon": "war britain germany"}), causes=((GB, DE),))
    g.act(GB, "declare war germany")
    assert not g.all_of(events.ClauseFellDue) and {c.kind for c in g.state.choices} == {"call"}


@pytest.mark.rule("WAR-041", "TRE-014")
def test_a_treaty_without_other_articles_ends_with_the_turn() -> None:
    g = after_war(treaty("pay", GB, FR, IT, clause={**DEBT, "every_turn": True}))
    turn = g.state.turn
    while g.state.turn == turn:
        g.step()
    assert pact(g).stage == ENDED


@pytest.mark.rule("WAR-041")
def test_non_aggression_binds_each_of_the_two_only_towards_the_third() -> None:
    g = after_war(treaty("non_aggression", GB, FR, IT), causes=((FR, IT), (FR, GB)))
    assert g.state.tension == 10 and [(e.power, e.open) for e in g.all_of(events.TreatyBroken)] == [(IT, True)]
    assert pact(g).partners(FR) == (GB,) and pact(g).partners(GB) == (FR, IT)
    g.act(FR, "declare war italy")
    assert g.state.tension == 15, "France and Italy owe each other no peace any more"
    g.act(FR, "declare war britain")
    assert g.state.tension == 25 and [e.power for e in g.all_of(events.TreatyBroken)] == [IT, FR]


@pytest.mark.rule("WAR-041")
def test_a_declaration_on_two_signers_ends_the_treaty_with_each() -> None:
    g = negotiating((IT, FR), (IT, GB), treaties=[treaty("non_aggression", GB, FR, IT, RU)])
    g.act(IT, "declare war france britain")
    assert pact(g).partners(IT) == (RU,) and pact(g).bound == (GB, FR, IT, RU)
    assert [e.powers for e in g.all_of(events.TreatyEndedBetween)] == [(IT, FR), (IT, GB)]


@pytest.mark.rule("WAR-041", "TRE-007")
@pytest.mark.parametrize("ended", [False, True])
def test_a_breach_gives_no_casus_belli_to_the_former_partner(ended: bool) -> None:
    ends = [{"powers": [FR, IT]}] if ended else []
    kept = treaty("no_marker", GB, FR, IT, clause={"power": FR, "places": ["kenya"]}, partial_ends=ends)
    g = negotiating(phase="movement", treaties=[kept], **MONEY)
    g.act(FR, "place influence kenya")
    assert {(c.holder, c.against) for c in g.state.casus_belli} == {(GB, FR), *([] if ended else [(IT, FR)])}


@pytest.mark.rule("WAR-041", "TRE-012")
def test_a_secret_breach_before_the_war_gives_the_target_its_casus_belli_later() -> None:
    g = after_war(treaty("non_aggression", GB, FR, IT, public=False))
    assert g.causes() == set()
    g.act(GB, "reveal pact")
    assert g.causes() == {(FR, IT, ""), (GB, IT, "")}


@pytest.mark.rule("WAR-041", "WAR-038", "WAR-039", "WAR-037")
@pytest.mark.parametrize("kind", ["defensive", "offensive", "shared_cause"])
def test_former_partners_do_not_help_each_other(kind: str) -> None:
    causes = ((RU, FR),) if kind == "defensive" else ((FR, RU),)
    g = after_war(treaty(kind, GB, FR, IT), causes=causes)
    g.act(causes[0][0], f"declare war {causes[0][1]}")
    helped = {c.holder for c in g.state.casus_belli if c.treaty == "pact"} if kind == "shared_cause" else set(calls(g))
    assert helped == {GB}


@pytest.mark.rule("WAR-041", "TRE-007")
def test_former_partners_do_not_charge_each_other() -> None:
    g = after_war(treaty("text", GB, FR, IT, DE, clause={"power": FR, "text": "France is polite"}))
    assert g.refused(IT, "charge pact 1 france").code == "not_bound"
    g.act(GB, "charge pact 1 france")
    assert [c.by for c in pact(g).charges] == [GB]


@pytest.mark.rule("WAR-041", "TRE-015")
def test_a_signer_at_war_with_all_others_has_left() -> None:
    g = after_war(treaty("non_aggression", GB, FR, IT), causes=((IT, GB),))
    g.act(IT, "declare war britain")
    assert [(e.power, e.reason) for e in g.all_of(events.SignatoryLeft)] == [(IT, "war")]
    assert pact(g).stage == IN_FORCE and pact(g).bound == (GB, FR)


@pytest.mark.rule("WAR-041", "TRE-015")
@pytest.mark.parametrize(("parties", "bound"), [((GB, FR, IT), ()), ((GB, FR, IT, RU), (FR, IT, RU))])
def test_the_release_of_the_last_partner_ends_a_treaty(parties: tuple[str, ...], bound: tuple[str, ...]) -> None:
    g = after_war(treaty("non_aggression", *parties))
    for power in (GB, *(p for p in parties if p != GB)):
        g.act(power, "release pact britain")
    assert pact(g).stage == (IN_FORCE if bound else ENDED)
    assert not bound or pact(g).bound == bound


@pytest.mark.rule("WAR-041", "VIC-009")
def test_former_partners_do_not_count_for_points() -> None:
    g = after_war(treaty("defensive", GB, FR, IT))
    assert [partner for _, partner in fitting_treaties(g.state, FR, TreatyTest(kind=ANY_KIND))] == [GB]


@pytest.mark.rule("WAR-041", "TRE-011")
def test_outsiders_see_the_end_of_a_public_treaty_without_the_number_of_secret_breaches() -> None:
    secret = {"kind": "no_marker", "power": FR, "places": ["kenya"], "secret": True}
    both = treaty("non_aggression", GB, FR, IT)
    both["clauses"].append(secret)
    hidden = {"clause": 1, "power": FR, "turn": 1}
    g = after_war({**both, "breaches": [hidden]})
    assert pact(g).partial_ends == (PartialEnd((IT, FR), 2),)
    (outside,) = visibility.visible_treaties(g.tables, g.state, "japan")
    assert outside.partial_ends == (PartialEnd((IT, FR), 1),)


@pytest.mark.rule("WAR-041", "TRE-011")
@pytest.mark.parametrize("public", [True, False])
def test_only_those_who_know_a_treaty_see_it_end_between_two(public: bool) -> None:
    g = after_war(treaty("offensive", GB, FR, IT, public=public))
    (end,) = g.all_of(events.TreatyEndedBetween)
    assert end.only == (() if public else (GB, FR, IT)) and end.others is None


@pytest.mark.rule("WAR-041")
def test_an_agreement_made_during_a_war_sleeps_until_peace() -> None:
    war = [{"alliances": [[FR], [IT]], "phase": "alliances"}]
    g = negotiating(wars=war, treaties=[treaty("pay", GB, FR, IT, clause={**DEBT, "turn": 1})], **MONEY)
    assert status(g) == HOLDS
    g.state = replace(g.state, wars=())
    assert status(g) == DUE


@pytest.mark.rule("WAR-041")
def test_statesmen_do_not_count_on_what_has_ended() -> None:
    debt, pact_ = treaty("pay", GB, FR, IT, clause={**DEBT, "turn": 5}), treaty("defensive", GB, FR, IT, public=True)
    g = after_war({**debt, "id": "debt"}, {**pact_, "id": "allies"})
    relations, before = (
        PowerRelations(g.tables, state) for state in (g.state, negotiating(treaties=[debt, pact_]).state)
    )
    assert (before.debt(FR), relations.debt(FR)) == (10, 0)
    assert before.are_allied(FR, IT) and not relations.are_allied(FR, IT) and relations.are_allied(FR, GB)
    assert (before.defensive_allies(FR, DE), relations.defensive_allies(FR, DE)) == ((GB, IT), (GB,))
