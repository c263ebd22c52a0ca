"""Several disputes before one Congress: admission, settlement, signatures and open disputes."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.engine.dice import Dice
from paxtui.games.pax.congress import calling
from paxtui.games.pax.congress.proposals import congress_step
from paxtui.games.pax.events import events
from paxtui.games.pax.transaction import Transaction
from paxtui.games.pax.turn import minor_powers
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
    vote,
)
from tests.rules.harness import army, marker

MONEY = {p: {"treasury": 40} for p in ("britain", "france", "germany", "italy", "japan", "united_states")}
RIVALS = [
    cause("britain", "germany", "persia", cause="control_conflict", rule="STA-024"),
    cause("germany", "britain", "persia", cause="control_conflict", rule="STA-024"),
]
RUSSIAN = [cause("russia", "britain", "persia"), cause("russia", "germany", "persia")]
PERSIA = {
    "markers": [marker("britain", "protectorate"), marker("germany", "protectorate"), marker("russia", "influence")],
    "units": [army("britain"), army("germany")],
}
SHARE = "codominion of persia with britain, germany"
MONROE = {"cause": "monroe_doctrine", "rule": "WAR-067"}
GATES = {"cause": "gates_of_india", "rule": "WAR-068"}


def left(g: Any) -> set[tuple[str, str, str]]:
    """Holder, opponent and Area of each Casus Belli."""
    return g.causes()


def persia(causes: Any = None) -> Any:
    """British and German Protectorates over a Russian Influence, all three before a Congress in Paris."""
    return meet(game([*RIVALS, *RUSSIAN] if causes is None else causes, areas={"persia": PERSIA}), "britain", "france")


def monroe(**areas: Any) -> Any:
    """A new German Protectorate in Venezuela, against the Monroe Doctrine, before a Congress in London."""
    venezuela = {"venezuela": {"markers": [marker("germany", "protectorate")], "units": [army("germany")]}}
    g = game([cause("united_states", "germany", "venezuela", **MONROE)], areas={**venezuela, **areas}, powers=MONEY)
    g.act("united_states", "congress britain")
    return sit(g)


def sit(g: Any) -> Any:
    """Play a called Congress with its obligatory members until it takes proposals."""
    for seat in g.waiting():
        g.act(seat, "ready")
    all_answer(g, "attend", "stay_away")
    all_answer(g, "invite", "nobody")
    all_answer(g, "agenda", g.state.congress.agenda[0])
    return g


# Settled disputes


@pytest.mark.rule("CON-023", "CON-028", "CON-036")
def test_partners_keep_a_codominion_despite_another_open_dispute():
    g = persia()
    propose(g, "france", SHARE)
    vote(g, "yes sign", russia="no defy")
    assert left(g) == {("russia", "britain", "persia"), ("russia", "germany", "persia")}
    assert congress_step(g.state, g.state.congress) == "propose" and g.state.congress.refusers == ()
    none_proposes(g)
    assert g.state.congress.outcome == "failed"
    assert markers(g, "persia") == {("britain", "protectorate"), ("germany", "protectorate")}
    assert g.state.areas["persia"].codominion == ("britain", "germany")
    # 3 for convening, 3 for each of Russia's two conflicts, two steps of its Influence that goes
    assert [n for n, _ in g.blames()] == [3, 3, 3, 2]


@pytest.mark.rule("CON-023", "CON-028")
def test_signing_a_codominion_of_others_is_consent():
    g = persia()
    propose(g, "france", SHARE)
    vote(g)
    assert not g.state.casus_belli and g.state.congress.outcome == "settled"
    assert markers(g, "persia") == {("britain", "protectorate"), ("germany", "protectorate"), ("russia", "interest")}
    assert g.blames() == [(3, "britain"), (1, "britain")]
    assert "russia" in g.state.treaties[-1].parties
    g.step()
    assert markers(g, "persia") == {("britain", "protectorate"), ("germany", "protectorate"), ("russia", "interest")}


@pytest.mark.rule("NEG-023", "CON-023")
def test_signing_a_codominion_in_negotiation_is_consent():
    def talks() -> Any:
        return game(RIVALS, areas={"persia": PERSIA})

    g = talks()
    g.act("britain", f"propose with germany, russia: {SHARE}; britain pays russia 5")
    (id_,) = [t.id for t in g.state.treaties]
    g.act("germany", f"sign {id_}")
    g.act("russia", f"sign {id_}")
    assert not g.state.casus_belli and g.kind("persia", "russia") == "influence"
    g = talks()
    g.act("britain", f"propose with germany: {SHARE}")
    (id_,) = [t.id for t in g.state.treaties]
    g.act("germany", f"sign {id_}")
    assert left(g) == {("russia", "britain", "persia"), ("russia", "germany", "persia")}


@pytest.mark.rule("CON-023")
def test_paid_influence_holder_may_refuse_without_defiance():
    g = persia()
    propose(g, "france", f"{SHARE}; britain pays russia 10")
    vote(g)
    assert asked_seats(g, "sign") == ["russia"]
    choose(g, "russia", "sign", "refuse")
    assert g.state.congress.proposals[0].fallen == (1,) and g.state.congress.refusers == ()
    assert left(g) == {("russia", "britain", "persia"), ("russia", "germany", "persia")}


# Kinds of causes


@pytest.mark.rule("CON-028", "ETI-016")
@pytest.mark.parametrize("text", [
    "germany grants united_states protectorate in venezuela",
    "codominion of venezuela with germany, united_states",
    "germany pays united_states 10",
    "germany lowers venezuela to influence",
    "germany transfers kamerun to united_states",
    "united_states waives venezuela",
])  # fmt: skip
def test_a_treaty_signed_by_both_settles_a_dispute_under_the_monroe_doctrine(text):
    g = monroe(kamerun={"markers": [marker("germany", "influence")]})
    propose(g, "britain", text)
    vote(g)
    all_answer(g, "sign", "sign")
    assert not g.state.casus_belli and g.state.congress.outcome == "settled"
    there = markers(g, "venezuela")
    g.step()
    assert markers(g, "venezuela") == there and sum(n for n, _ in g.blames()) == 3 + ("lowers" in text)


@pytest.mark.rule("CON-028")
def test_a_treaty_signed_by_both_settles_a_dispute_over_the_gates_of_india():
    afghanistan = {"markers": [marker("russia", "protectorate")], "units": [army("russia")]}
    g = game([cause("britain", "russia", "afghanistan", **GATES)], areas={"afghanistan": afghanistan})
    meet(g, "britain", "france")
    propose(g, "france", "russia grants britain protectorate in afghanistan")
    vote(g)
    assert not g.state.casus_belli and g.state.congress.outcome == "settled"
    assert markers(g, "afghanistan") == {("russia", "protectorate"), ("britain", "protectorate")}
    assert g.blames() == [(3, "britain")]


@pytest.mark.rule("NEG-018")
def test_a_codominion_agreed_in_negotiation_ends_every_cause_between_its_members():
    venezuela = {"markers": [marker("germany", "protectorate"), marker("france", "protectorate")]}
    causes = [cause("united_states", p, "venezuela", **MONROE) for p in ("germany", "france")]
    mutual = [cause("germany", "france", "venezuela"), cause("france", "germany", "venezuela")]
    g = game([*causes, *mutual], areas={"venezuela": venezuela}, powers=MONEY)
    g.act("germany", "propose with france: codominion of venezuela with france, germany")
    g.act("france", f"sign {g.state.treaties[-1].id}")
    assert left(g) == {("united_states", "germany", "venezuela"), ("united_states", "france", "venezuela")}
    share = "codominion of venezuela with france, germany, united_states"
    g.act("germany", f"propose with france, united_states: {share}")
    g.act("france", f"sign {g.state.treaties[-1].id}")
    g.act("united_states", f"sign {g.state.treaties[-1].id}")
    assert not g.state.casus_belli


@pytest.mark.rule("CON-036", "CON-028")
def test_settlement_of_two_leaves_the_monroe_doctrine_cause():
    venezuela = {"markers": [marker("germany", "protectorate"), marker("france", "protectorate")]}
    causes = [cause("united_states", p, "venezuela", **MONROE) for p in ("germany", "france")]
    mutual = [cause("germany", "france", "venezuela"), cause("france", "germany", "venezuela")]
    g = sit_called(game([*mutual, *causes], areas={"venezuela": venezuela}), "france", "britain")
    propose(g, "britain", "codominion of venezuela with france, germany")
    vote(g, "yes sign", united_states="no defy")
    assert left(g) == {("united_states", "germany", "venezuela"), ("united_states", "france", "venezuela")}
    none_proposes(g)
    assert markers(g, "venezuela") == {("germany", "protectorate"), ("france", "protectorate")}
    assert [n for n, _ in g.blames()] == [3, 3, 3]


def sit_called(g: Any, caller: str, site: str) -> Any:
    """Call a Congress and play until it takes proposals."""
    g.act(caller, f"congress {site}")
    return sit(g)


@pytest.mark.rule("CON-028", "CON-029", "CON-030", "CON-040")
@pytest.mark.parametrize(("word", "outcome"), [("sign", "settled"), ("refuse", "refused")])
def test_austria_hungary_signs_without_a_ballot(word, outcome):
    serbia = {"markers": [marker("austria_hungary", "influence"), marker("russia", "protectorate")]}
    g = game([cause("austria_hungary", "russia", "serbia")], areas={"serbia": serbia})
    g.act("germany", "austria_hungary: congress france")
    sit(g)
    propose(g, "russia", "austria_hungary lowers serbia to interest")
    vote(g)
    assert [(c.kind, c.seat, c.power) for c in g.state.choices] == [("sign", "germany", "austria_hungary")]
    choose(g, "germany", "sign", word)
    wronged = {c.holder for c in g.state.casus_belli if c.cause == "congress_treaty_refused"}
    assert wronged == ({"russia", "france"} if word == "refuse" else set())
    peaceful(g)
    assert g.state.congress.outcome == outcome


@pytest.mark.rule("CON-028", "CON-011")
def test_treaty_about_an_area_leaves_causes_without_area():
    broken = [cause("russia", "japan", treaty="kyoto"), cause("italy", "france", treaty="rome")]
    g = sit_called(game([*MUTUAL, *broken], powers=MONEY), "france", "britain")
    propose(g, "britain", SETTLES)
    vote(g)
    assert left(g) == {("russia", "japan", ""), ("italy", "france", "")}
    assert congress_step(g.state, g.state.congress) == "propose"
    propose(g, "britain", "italy waives against france; japan pays russia 5")
    vote(g)
    assert not g.state.casus_belli and g.state.congress.outcome == "settled"


@pytest.mark.rule("CON-028", "TRE-008")
def test_sanction_settles_only_a_broken_treaty():
    korea = {"markers": [marker("japan", "protectorate")], "units": [army("japan")]}
    g = sit_called(game([cause("russia", "japan", treaty="kyoto"), *MUTUAL], areas={"korea": korea,
        "tunis": {"markers": TUNIS}}), "russia", "britain")  # fmt: skip
    propose(g, "britain", "japan lowers korea to influence")
    vote(g)
    assert left(g) == {("france", "italy", "tunis"), ("italy", "france", "tunis")}


@pytest.mark.rule("CON-028")
def test_sanction_in_another_dispute_settles_no_broken_treaty():
    korea = {"markers": [marker("japan", "protectorate"), marker("britain", "protectorate")], "units": [army("japan")]}
    causes = [cause("britain", "japan", "korea"), cause("japan", "britain", "korea"), cause("russia", "japan")]
    g = sit_called(game(causes, areas={"korea": korea}), "russia", "germany")
    propose(g, "russia", "japan lowers korea to interest")
    vote(g)
    choose_tie(g, "yes")
    assert left(g) == {("russia", "japan", "")}


def two_doctrines() -> Any:
    """German Protectorates in Venezuela and Argentina against the Monroe Doctrine, before a Congress in London."""
    there = {"markers": [marker("germany", "protectorate")], "units": [army("germany")]}
    gabon = {"markers": [marker("germany", "interest")]}
    causes = [cause("united_states", "germany", area, **MONROE) for area in ("venezuela", "argentina")]
    areas = {"venezuela": there, "argentina": there, "gabon": gabon}
    return sit_called(game(causes, areas=areas, powers=MONEY), "united_states", "britain")


@pytest.mark.rule("CON-028")
def test_waiver_of_one_cause_leaves_the_others():
    g = two_doctrines()
    propose(g, "britain", "germany pays united_states 10; united_states waives venezuela")
    vote(g)
    assert left(g) == {("united_states", "germany", "argentina")}
    g = two_doctrines()
    propose(g, "britain", "germany pays united_states 10")
    vote(g)
    assert not g.state.casus_belli


@pytest.mark.rule("CON-011")
def test_a_sanction_elsewhere_settles_no_dispute_over_an_area():
    g = two_doctrines()
    assert g.refused("britain", "propose Act: germany lowers gabon to nothing").code == "settles_nothing"


# Signers

SIAM = {"markers": [marker("britain", "protectorate"), marker("russia", "influence")]}
TWO = {"tunis": {"markers": TUNIS}, "siam": SIAM}


def two() -> Any:
    """Tunis between France and Italy and Siam between Russia and Britain, before one Congress in Berlin."""
    return sit_called(game([*MUTUAL, cause("russia", "britain", "siam")], areas=TWO), "france", "germany")


@pytest.mark.rule("CON-028", "CON-030", "ETI-017")
def test_party_to_another_dispute_cannot_defy():
    g = two()
    propose(g, "germany", SETTLES)
    vote(g, "yes sign", russia="no defy", britain="no defy", germany="yes sign")
    choose_tie(g, "yes")
    assert asked_seats(g, "sign") == [] and g.state.congress.refusers == ()
    assert g.state.congress.proposals[0].signed == ("france", "italy")
    assert left(g) == {("russia", "britain", "siam")} and markers(g, "tunis") == {
        ("france", "protectorate"),
        ("italy", "interest"),
    }
    assert not [c for c in g.state.casus_belli if c.cause == "congress_treaty_refused"]


def choose_tie(g: Any, word: str) -> None:
    """Let the host break a tie if there is one."""
    for seat in asked_seats(g, "tie"):
        choose(g, seat, "tie", word)


@pytest.mark.rule("CON-031", "CON-032")
@pytest.mark.parametrize("answer", ["sign", "refuse"])
def test_party_bound_by_a_clause_may_refuse_without_defiance(answer):
    g = two()
    propose(g, "germany", f"{SETTLES}; britain pays germany 5")
    vote(g)
    assert asked_seats(g, "sign") == ["britain", "germany"]
    assert {c.default for c in g.state.choices if c.kind == "sign"} == {"refuse"}
    all_answer(g, "sign", answer)
    assert g.state.congress.refusers == () and g.state.powers["britain"].treasury == (25 if answer == "sign" else 30)
    assert left(g) == {("russia", "britain", "siam")}


@pytest.mark.rule("CON-031", "CON-011")
def test_treaty_without_effect_after_a_refusal_is_void():
    g = meet(game())
    propose(g, "britain", "italy transfers tunis to germany; codominion of tunis with france, germany")
    vote(g)
    assert asked_seats(g, "sign") == ["germany"]
    choose(g, "germany", "sign", "refuse")
    assert g.state.congress.proposals[0].stage == "refused" and not g.state.treaties
    assert left(g) == {("france", "italy", "tunis"), ("italy", "france", "tunis")}
    assert congress_step(g.state, g.state.congress) == "propose"


@pytest.mark.rule("CON-030", "CON-036")
def test_defiance_leaves_markers_of_an_earlier_settlement():
    g = two()
    propose(g, "germany", SETTLES)
    vote(g)
    propose(g, "germany", "russia lowers siam to interest")
    vote(g, "yes sign", russia="no defy")
    assert g.state.congress.refusers == ("russia",) and g.state.congress.outcome == "refused"
    assert markers(g, "tunis") == {("france", "protectorate"), ("italy", "interest")}
    assert markers(g, "siam") == {("britain", "protectorate")}


# Admissible proposals


@pytest.mark.rule("CON-011", "CON-014")
@pytest.mark.parametrize("text", [
    "britain builds no naval until 1884",
    "france pays italy 15",
    "italy lowers tunis to interest in 1884",
    "germany lowers gabon to nothing",
    '"Tunis is a fine place."',
])  # fmt: skip
def test_proposal_that_settles_nothing_is_refused(text):
    gabon = {"markers": [marker("germany", "interest")]}
    g = meet(game(areas={"tunis": {"markers": TUNIS}, "gabon": gabon}))
    refusal = g.refused("france", f"propose Act: {text}")
    assert refusal.code == "settles_nothing" and {"CON-011", "CON-014"} <= set(refusal.rules)
    g.act("france", f"propose Act: {SETTLES}; {text}".replace("; france pays italy 15; france", "; france"))


@pytest.mark.rule("CON-013")
def test_congress_refuses_secret_articles():
    assert meet(game()).refused("france", f"propose Act: {SETTLES}; secret non-aggression").code == "no_secrets"


@pytest.mark.rule("CON-014")
def test_waiver_alone_is_refused_if_markers_conflict():
    g = meet(game())
    refusal = g.refused("france", "propose Act: france waives tunis; italy waives tunis")
    assert refusal.code == "left_illegal"


@pytest.mark.rule("CON-011")
def test_settled_dispute_is_not_voted_on_again():
    g = two()
    g.act("france", f"propose One: {SETTLES}")
    g.act("italy", f"propose Two: {SETTLES}")
    none_proposes(g)
    vote(g)
    assert [p.stage for p in g.state.congress.proposals] == ["done", "refused"]
    assert asked_seats(g, "ballot") == [] and congress_step(g.state, g.state.congress) == "propose"
    assert g.state.powers["italy"].treasury == 35


# Admission of disputes


@pytest.mark.rule("CON-010", "CON-002")
def test_congress_treats_all_disputes_whoever_called_it():
    causes = [*MUTUAL, cause("russia", "britain", "siam"), cause("russia", "japan", treaty="kyoto")]
    g = game(causes, areas=TWO, powers=MONEY)
    g.act("france", "congress germany over cb1")
    assert g.state.congress.causes == ("cb1", "cb2", "cb3", "cb4") and g.state.congress.agenda == ("tunis", "siam")
    sit(g)
    assert set(g.state.congress.disputants) == {"france", "italy", "russia", "britain", "japan"}
    propose(g, "russia", "russia lowers siam to interest; japan pays russia 5")
    vote(g)
    assert left(g) == {("france", "italy", "tunis"), ("italy", "france", "tunis")}


@pytest.mark.rule("CON-010", "MIN-040")
def test_congress_treats_a_defence_announced_after_the_call():
    kongo = {"markers": [marker("belgium", "influence"), marker("france", "protectorate")], "units": [army("france")]}
    g = game(areas={"tunis": {"markers": TUNIS}, "kongo": kongo})
    g.act("france", "congress britain")
    g.act("germany", "defend belgium kongo")
    sit(g)
    assert g.state.congress.agenda == ("tunis", "kongo") and "germany" in g.state.congress.members
    assert g.kind("kongo", "belgium") == "influence"
    propose(g, "britain", f"{SETTLES}; belgium lowers kongo to interest")
    vote(g)
    assert g.state.congress.outcome == "settled" and not g.state.casus_belli


PROMISE = {
    "id": "kq7da", "name": "Kyoto", "form": "treaty", "drafter": "russia", "parties": ["japan", "russia"],
    "signed": ["japan", "russia"], "stage": "in_force", "since": 1, "public": True,
    "clauses": [{"kind": "pay", "power": "japan", "to": "russia", "amount": 50, "turn": 1}],
}  # fmt: skip


@pytest.mark.rule("CON-010", "TRE-008")
def test_congress_treats_a_breach_at_the_end_of_negotiation():
    g = game(treaties=[PROMISE])
    g.act("france", "congress britain")
    assert g.state.congress.causes == ("cb1", "cb2")
    sit(g)
    assert g.state.congress.causes == ("cb1", "cb2", "cb3") and "japan" in g.state.congress.members
    propose(g, "britain", f"{SETTLES}; russia waives against japan")
    vote(g)
    assert g.state.congress.outcome == "settled" and not g.state.casus_belli


@pytest.mark.rule("CON-007", "CON-010")
def test_host_that_becomes_a_party_is_replaced():
    kongo = {"markers": [marker("belgium", "influence"), marker("france", "protectorate")], "units": [army("france")]}
    g = game(areas={"tunis": {"markers": TUNIS}, "kongo": kongo})
    g.act("france", "congress britain")
    g.act("britain", "defend belgium kongo")
    for seat in g.waiting():
        g.act(seat, "ready")
    assert asked_seats(g, "site") == ["france"] and g.state.tension == 3
    choose(g, "france", "site", "russia")
    assert g.state.congress.site == "russia" and "russia" in g.state.congress.members and g.state.tension == 3
    assert asked_seats(g, "attend") == ["germany"]


@pytest.mark.rule("CON-007", "CON-009", "CON-010")
def test_congress_moves_to_the_only_site_left():
    parties = ["germany", "britain"]
    clause = {"kind": "pay", "power": "germany", "to": "britain", "amount": 50, "turn": 1}
    promise = {**PROMISE, "parties": parties, "signed": parties, "drafter": "germany", "clauses": [clause]}
    vienna = {"vienna_neutral_for_german_disputes": "no"}
    g = game([cause("britain", "france")], players=4, powers={}, areas={}, treaties=[promise], options=vienna)
    g.act("britain", "congress austria_hungary")
    for seat in g.waiting():
        g.act(seat, "ready")
    assert g.state.congress.site == "united_states" and asked_seats(g, "site") == []
    assert "united_states" in g.state.congress.members and g.state.tension == 8


# Failed Congresses


@pytest.mark.rule("CON-035", "CON-036")
def test_a_failed_congress_leaves_a_lawful_share_of_a_codominion():
    afghanistan = {
        "markers": [marker("russia", "protectorate"), marker("britain", "protectorate")],
        "units": [army("russia"), army("britain")],
        "codominion": ["britain", "russia"],
    }
    g = game([cause("britain", "russia", "afghanistan", **GATES)], areas={"afghanistan": afghanistan})
    meet(g, "britain", "france")
    none_proposes(g)
    assert g.state.congress.outcome == "failed" and not g.state.casus_belli
    assert markers(g, "afghanistan") == {("russia", "protectorate"), ("britain", "protectorate")}
    assert len(g.state.areas["afghanistan"].units) == 2 and g.state.tension == 6


@pytest.mark.rule("CON-035", "CON-036")
def test_failed_congress_leaves_interests_and_uncontested_markers():
    venezuela = {"markers": [marker("germany", "protectorate"), marker("united_states", "interest")]}
    g = game([cause("united_states", "germany", "venezuela", **MONROE)], areas={"venezuela": venezuela})
    sit_called(g, "united_states", "britain")
    none_proposes(g)
    assert markers(g, "venezuela") == {("germany", "protectorate"), ("united_states", "interest")}


@pytest.mark.rule("CON-036")
def test_failed_congress_removes_the_newcomer_of_a_codominion():
    three = [marker("britain", "protectorate"), marker("germany", "protectorate"), marker("france", "protectorate")]
    causes = [
        cause(one, other, "persia", cause="control_conflict", rule="STA-024")
        for one, other in (("britain", "france"), ("germany", "france"), ("france", "britain"), ("france", "germany"))
    ]
    g = game(causes, areas={"persia": {"markers": three, "codominion": ["britain", "germany"]}})
    meet(g, "britain", "russia")
    none_proposes(g)
    assert markers(g, "persia") == {("britain", "protectorate"), ("germany", "protectorate")}
    assert [n for n, _ in g.blames()] == [3, 3, 3, 3]  # convening, two conflicts, three steps of the French marker


@pytest.mark.rule("CON-036")
def test_rival_without_a_casus_belli_keeps_its_control():
    g = meet(game([MUTUAL[0]]))
    none_proposes(g)
    assert markers(g, "tunis") == {("italy", "protectorate")}


# Conflicts


@pytest.mark.rule("ETI-016")
def test_a_treaty_broken_by_both_sides_is_one_conflict():
    g = game([cause("italy", "japan", treaty="one"), cause("japan", "italy", treaty="one")], areas={})
    assert len(calling.conflicts(g.state.casus_belli)) == 1


@pytest.mark.rule("ETI-016")
def test_two_causes_of_two_powers_over_one_area_are_one_conflict():
    hawaii = [cause("united_states", "germany", "hawaii"), cause("united_states", "germany", "hawaii", **MONROE)]
    there = [marker("germany", "protectorate"), marker("united_states", "influence")]
    g = game(hawaii, areas={"hawaii": {"markers": there}})
    (one,) = calling.conflicts(g.state.casus_belli)
    assert one.parties == {"united_states", "germany"} and len(one.causes) == 2
    sit_called(g, "united_states", "britain")
    propose(g, "britain", "united_states lowers hawaii to interest")
    vote(g)
    assert not g.state.casus_belli and g.state.congress.outcome == "settled"


# Minor Powers

MAROCCO = {"markers": [marker("spain", "protectorate"), marker("britain", "influence")], "units": [army("spain")]}
SPAIN = [cause("britain", "spain", "marocco")]


def marocco(text: str, **rest: Any) -> Any:
    """A Congress adopts a Treaty about Marocco between Britain and Spain."""
    g = meet(game(SPAIN, areas={"marocco": MAROCCO}, **rest), "britain", "france")
    propose(g, "france", text)
    vote(g)
    all_answer(g, "sign", "sign")
    return g


@pytest.mark.rule("MIN-037", "CON-028")
def test_breaking_a_congress_treaty_with_a_minor_power_costs_5():
    g = marocco("spain lowers marocco to nothing; no control by britain in marocco until 1892")
    treaty = g.state.treaties[-1]
    assert treaty.stage == "in_force" and treaty.parties == ("britain", "spain")
    before = g.state.tension
    g.act("britain", f"renounce {treaty.id}")
    assert g.state.tension == before + 5 and not g.state.casus_belli


@pytest.mark.rule("TRE-014", "TRE-015")
def test_minor_power_never_agrees_to_a_lapse():
    g = marocco("spain lowers marocco to nothing; no control by britain in marocco until 1892")
    for act in ("lapse {}", "release {} britain"):
        assert g.refused("britain", act.format(g.state.treaties[-1].id)).code == "minor"


@pytest.mark.rule("MIN-037", "TRE-004")
def test_minor_power_does_its_duties_of_a_congress_treaty():
    g = marocco("britain lowers marocco to interest; spain lowers marocco to nothing in 1884")
    assert g.state.treaties[-1].stage == "in_force" and g.kind("marocco", "spain") == "protectorate"
    while (g.state.turn, g.state.phase) != (2, "negotiation"):
        g.step()
    g.act("russia", "ready")
    assert g.kind("marocco", "spain") == "" and not g.all_of(events.TreatyBroken)
    assert not [c for c in g.state.choices if not c.seat]


@pytest.mark.rule("MIN-037", "TRE-004")
@pytest.mark.parametrize(("clause", "placed"), [
    ("", "possession"),
    ("no possession by spain in marocco", ""),
    ("no possession by britain in marocco", "possession"),
])  # fmt: skip
def test_minor_power_places_no_marker_that_it_renounced(clause, placed):
    g = marocco("; ".join(filter(None, ("britain lowers marocco to interest", clause))))
    assert minor_powers.best_marker(g.tables, g.state, "spain", "marocco") == placed


@pytest.mark.rule("MIN-037", "TRE-004")
@pytest.mark.parametrize("clause", ["no army by spain in rio_de_oro", "spain builds no army"])
def test_a_minor_power_sends_no_army_where_it_has_promised_none(clause):
    rio = {"markers": [marker("spain", "influence")], "units": [], "unrest": True}
    areas = {"marocco": MAROCCO, "rio_de_oro": rio}
    homes = {"spain": {"units": [] if "builds" in clause else [army("spain")]}}

    def best(text: str) -> str:
        press = {"holder": "united_states", "against": "spain", "rule": "EVT-056", "cause": "yellow_press"}
        g = meet(game([*SPAIN, press], areas=areas, homes=homes), "britain", "france")
        propose(g, "france", "; ".join(filter(None, ("britain lowers marocco to interest", text))))
        vote(g)
        return minor_powers.best_marker(g.tables, g.state, "spain", "rio_de_oro")

    assert best("") == "protectorate" and best(clause) == ""


@pytest.mark.rule("MIN-037", "MIN-043", "CON-023")
def test_a_minor_power_consents_to_a_codominion():
    kongo = {
        "markers": [marker("britain", "protectorate"), marker("france", "protectorate"), marker("belgium", "influence")]
    }
    causes = [
        cause("britain", "france", "kongo", cause="control_conflict", rule="STA-024"),
        cause("germany", "britain", "kongo", cause="defence", rule="MIN-040", minor="belgium"),
        cause("germany", "france", "kongo", cause="defence", rule="MIN-040", minor="belgium"),
    ]
    g = meet(game(causes, areas={"kongo": kongo}), "britain", "italy")
    propose(g, "france", "codominion of kongo with britain, france")
    vote(g, "yes sign", germany="no defy")  # its defender is party to what is settled by that
    assert g.state.congress.refusers == ("germany",)
    g = meet(game(causes, areas={"kongo": kongo}), "britain", "italy")
    propose(g, "france", "codominion of kongo with britain, france")
    vote(g)
    assert g.state.congress.outcome == "settled" and not g.state.casus_belli
    assert markers(g, "kongo") == {("britain", "protectorate"), ("france", "protectorate"), ("belgium", "interest")}


@pytest.mark.rule("MIN-037", "TRE-004")
def test_minor_power_is_not_blamed_for_armies_that_cannot_move():
    g = marocco("britain lowers marocco to interest; no army by spain in marocco")
    while (g.state.turn, g.state.phase) != (2, "marker_adjustment"):
        g.step()
    assert not g.all_of(events.TreatyBroken)


@pytest.mark.rule("MIN-037", "MIN-049")
@pytest.mark.parametrize(("clause", "goes"), [("", True), ("no army by spain in rio_de_oro", False)])
def test_minor_power_fights_no_revolt_against_its_promise(clause, goes):
    rio = {"markers": [marker("spain", "protectorate")], "units": [], "unrest": True}
    press = {"holder": "united_states", "against": "spain", "rule": "EVT-056", "cause": "yellow_press"}
    homes = {"spain": {"units": [army("spain", 3)]}}
    g = meet(game([*SPAIN, press], areas={"marocco": MAROCCO, "rio_de_oro": rio}, homes=homes), "britain", "france")
    propose(g, "france", "; ".join(filter(None, ("britain lowers marocco to interest", clause))))
    vote(g)
    play = Transaction(g.tables, g.state, Dice("test"))
    minor_powers.go_against_unrest(play, "spain")
    assert any(isinstance(e, events.UnitsMoved) for e in play.events) == goes


@pytest.mark.rule("CON-014", "CON-028")
def test_a_promise_alone_settles_a_dispute_over_a_broken_treaty():
    g = meet(game([cause("france", "italy")]), "france", "britain")
    propose(g, "britain", "no marker by italy in egypt until 1888")
    vote(g)
    assert g.state.congress.outcome == "settled" and not g.state.casus_belli

    g = meet(game([cause("france", "italy")]), "france", "britain")
    refusal = g.refused("britain", "propose Act: no marker by russia in egypt until 1888")
    assert refusal.code == "settles_nothing"
