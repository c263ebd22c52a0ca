"""Breaches of Treaties (TRE-007 to TRE-012, TRE-016): each kind of clause kept, nearly broken, broken, released
and dormant; consequences of a breach; charges and verdicts."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.engine.dice import Dice
from paxtui.games.pax.actions import actions
from paxtui.games.pax.clauses.kind import BROKEN, DUE, HOLDS, KEPT
from paxtui.games.pax.events import events
from paxtui.games.pax.preview.dry_run import run_trial
from paxtui.games.pax.reports import explanations
from paxtui.games.pax.state.diplomacy import ENDED, IN_FORCE
from paxtui.games.pax.transaction import Transaction
from paxtui.games.pax.treaties import breaches as treaty_watch
from tests.previews import breaches_of
from tests.rules import congress
from tests.rules.harness import UNLIMITED, Bench, army, marker, start
from tests.rules.treaties import DE, FR, GB, IT, RU, causes, game, of, outsiders, signed


def treaty(*clauses: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A public Treaty of Britain and France in force, of a patch."""
    return {
        "id": "kq7d",
        "name": "Trianon",
        "form": "treaty",
        "drafter": FR,
        "parties": [FR, GB],
        "signed": [FR, GB],
        "public": True,
        "stage": "in_force",
        "drafted": 1,
        "since": 1,
        "clauses": list(clauses),
        **changes,
    }


def under(*clauses: dict[str, Any], phase: str = "movement", turn: int = 1, patch: Any = None, **changes: Any):
    """The 1880 start with that Treaty and money for each Power."""
    everything = {
        "phase": phase,
        "turn": turn,
        "powers": {p: {"treasury": 100} for p in (GB, FR, "germany", "italy")},
        "treaties": [treaty(*clauses, **changes)],
        **(patch or {}),
    }
    return start(everything, players=7, options=UNLIMITED)


def status_of(g: Any, n: int = 0) -> str:
    """The status of a clause."""
    return treaty_watch.clause_status(g.tables, g.state, g.state.treaties[0], n)


def broken(g: Any) -> list[tuple[str, int]]:
    """The public breaches: Power and clause."""
    return [(b.power, b.clause) for b in g.state.treaties[0].breaches if b.open]


def grievances(g: Any) -> list[tuple[str, str]]:
    """Holder and opponent of each Casus Belli without an Area."""
    return [(c.holder, c.against) for c in g.state.casus_belli if not c.area]


NO_KENYA = {"kind": "no_marker", "power": GB, "places": ["kenya", "tanganyika"]}
NO_ARMY = {"kind": "no_unit", "power": GB, "places": ["hong_kong", "gold_coast"], "units": ["army"]}
NO_PROTECTORATE = {**NO_KENYA, "marker": "protectorate"}
FORCE = {"kind": "at_least", "power": GB, "places": ["gold_coast"], "units": ["army"], "amount": 4}
CAP = {"kind": "at_most", "power": GB, "places": ["gold_coast"], "units": ["army"], "amount": 4}
BUILD = {"kind": "build", "power": GB, "units": ["N10", "army"]}
NO_FLEETS = {"kind": "no_build", "power": GB, "units": ["naval"]}

ACTS: list[tuple[str, dict[str, Any], str, list[str], str, str]] = [
    # name, clause, status before, acts of Britain, status after, breaker ("" for none)
    ("no_marker kept", NO_KENYA, KEPT, ["place influence egypt"], KEPT, ""),
    ("no_marker nearly", NO_KENYA, KEPT, ["place influence madagascar"], KEPT, ""),
    ("no_marker broken", NO_KENYA, KEPT, ["place interest tanganyika"], BROKEN, GB),
    ("no_marker a lower one", NO_PROTECTORATE, KEPT, ["place influence kenya"], KEPT, ""),
    ("no_marker raised", NO_PROTECTORATE, KEPT, ["place influence kenya", "upgrade protectorate kenya"], BROKEN, GB),
    ("no_marker both bound", {**NO_KENYA, "power": ""}, KEPT, ["place interest kenya"], BROKEN, GB),
    ("no_marker the other", {**NO_KENYA, "power": FR}, KEPT, ["place interest kenya"], KEPT, ""),
    ("no_marker over", {**NO_KENYA, "until": 2}, KEPT, ["place interest kenya"], BROKEN, GB),
    ("no_unit kept", {**NO_ARMY, "places": ["egypt"]}, KEPT, ["move A1 home > gold_coast"], KEPT, ""),
    ("no_unit still there", NO_ARMY, DUE, ["move A1 home > newfoundland"], DUE, ""),
    ("no_unit broken", {**NO_ARMY, "places": ["gold_coast"]}, DUE, ["move A1 home > gold_coast"], BROKEN, GB),
    ("no_unit of another kind", {**NO_ARMY, "units": ["naval"]}, KEPT, ["move A1 home > gold_coast"], KEPT, ""),
    ("at_most kept", CAP, KEPT, ["move A1 home > gold_coast"], KEPT, ""),
    ("at_most just", CAP, KEPT, ["move A3 home > gold_coast"], KEPT, ""),
    ("at_most broken", CAP, KEPT, ["move A3 A1 home > gold_coast"], BROKEN, GB),
    ("at_least due", FORCE, DUE, ["move A1 home > gold_coast"], DUE, ""),
    ("at_least kept", FORCE, DUE, ["move A3 home > gold_coast"], KEPT, ""),
    ("build due", BUILD, DUE, ["build A1"], DUE, ""),
    ("build other units", BUILD, DUE, ["build N1 north_atlantic", "build N3 north_atlantic"], DUE, ""),
    ("build kept", BUILD, DUE, ["build A3", "build N10 north_atlantic"], KEPT, ""),
    ("no_build kept", NO_FLEETS, KEPT, ["build A10"], KEPT, ""),
    ("no_build broken", NO_FLEETS, KEPT, ["build N1 north_atlantic"], BROKEN, GB),
    ("no_build of one size", {**NO_FLEETS, "units": ["N10"]}, KEPT, ["build N3 north_atlantic"], KEPT, ""),
]


ROWS, NAMES = [row[1:] for row in ACTS], [row[0] for row in ACTS]


@pytest.mark.rule("TRE-004", "TRE-007")
@pytest.mark.parametrize(("clause", "before", "acts", "after", "who"), ROWS, ids=NAMES)
def test_acts_change_the_state_of_a_clause(clause, before, acts, after, who):
    g = under(clause, patch={"homes": {GB: {"units": [unit("A3"), unit("A1"), unit("A1"), unit("N10")]}}})
    assert status_of(g) == before
    for act in acts:
        g.act(GB, act)
    assert status_of(g) == after
    assert broken(g) == ([(who, 0)] if who else [])
    assert g.state.tension == (5 if who else 0)


def unit(name: str) -> dict[str, Any]:
    """A British unit of a patch; fleets are in the home box."""
    kind = "army" if name[0] == "A" else "naval"
    found = {"power": GB, "kind": kind, "strength": int(name[1:])}
    return found if kind == "army" else {**found, "coast": "north_atlantic"}


@pytest.mark.rule("TRE-007", "ETI-027")
def test_breach_gives_each_signer_a_casus_belli_and_5_tension_once():
    third = {"parties": [FR, GB, "italy"], "signed": [FR, GB, "italy"]}
    g = under(NO_KENYA, NO_FLEETS, **third)
    g.act(GB, "place interest kenya")
    assert g.state.tension == 5
    assert sorted(grievances(g)) == [(FR, GB), ("italy", GB)]
    assert [e.blame for e in g.of(events.TensionRaised)] == [GB]
    # another clause of the same Treaty in the same turn: recorded, but it is one Treaty broken
    g.act(GB, "build N1 north_atlantic")
    assert broken(g) == [(GB, 0), (GB, 1)]
    raised = [e.reason for e in g.events if isinstance(e, events.TensionRaised)]
    assert raised == ["Trianon broken"]
    assert len(grievances(g)) == 2


@pytest.mark.rule("TRE-012")
def test_a_breach_of_a_secret_treaty_counts_once_it_is_revealed():
    g = under(NO_KENYA, public=False)
    g.act(GB, "place interest kenya")
    assert g.state.tension == 0 and grievances(g) == [] and broken(g) == []
    assert status_of(g) == BROKEN
    assert g.view("italy")["treaties"] == [] and "Trianon" not in str(g.view("italy"))
    g.act(FR, "reveal kq7d")
    assert g.state.tension == 5 and grievances(g) == [(FR, GB)] and broken(g) == [(GB, 0)]


@pytest.mark.rule("TRE-012")
def test_a_breach_of_a_secret_article_of_a_public_treaty_is_secret_too():
    g = under({**NO_KENYA, "secret": True}, NO_FLEETS)
    g.act(GB, "place interest kenya")
    assert g.state.tension == 0 and grievances(g) == []
    g.act(FR, "reveal kq7d 1")
    assert g.state.tension == 5 and grievances(g) == [(FR, GB)]


@pytest.mark.rule("TRE-014", "TRE-015")
@pytest.mark.parametrize("change", [{"left": [GB]}, {"stage": "ended", "reason": "lapsed"}], ids=["released", "lapsed"])
@pytest.mark.parametrize("clause", [NO_KENYA, NO_FLEETS, CAP, BUILD, NO_ARMY], ids=lambda c: c["kind"])
def test_released_power_breaks_nothing(clause, change):
    g = under(clause, **change)
    assert status_of(g) == HOLDS
    g.act(GB, "place interest kenya")
    g.act(GB, "build N1 north_atlantic")
    g.act(GB, "move A3 A1 home > gold_coast")
    assert broken(g) == [] and grievances(g) == [] and g.state.tension == 0


@pytest.mark.rule("TRE-004")
@pytest.mark.parametrize(
    ("clause", "turn"),
    [({**NO_KENYA, "until": 2}, 3), ({**NO_KENYA, "upon": "control france kenya"}, 1), ({**NO_FLEETS, "until": 1}, 2)],
    ids=["its turns are over", "what it waits for has not happened", "no_build over"],
)
def test_dormant_clause_cannot_be_broken(clause, turn):
    g = under(clause, turn=turn)
    assert status_of(g) == HOLDS
    g.act(GB, "place interest kenya")
    g.act(GB, "build N1 north_atlantic")
    assert broken(g) == []


@pytest.mark.rule("TRE-004")
def test_clause_wakes_when_its_condition_is_met():
    army = {"power": FR, "kind": "army", "strength": 1}
    kenya = {"markers": [{"power": FR, "marker": "protectorate"}], "units": [army]}
    g = under({**NO_KENYA, "upon": "control france kenya", "places": ["tanganyika"]}, patch={"areas": {"kenya": kenya}})
    assert status_of(g) == KEPT
    g.act(GB, "place interest tanganyika")
    assert broken(g) == [(GB, 0)]


@pytest.mark.rule("TRE-004", "TRE-007")
@pytest.mark.parametrize("clause", [BUILD, NO_ARMY, {**CAP, "amount": 0}, FORCE], ids=lambda c: c["kind"])
def test_duty_not_done_by_the_end_of_movement_is_a_breach(clause):
    g = under(clause, patch={"homes": {GB: {"units": []}}})
    assert status_of(g) == DUE and broken(g) == []
    g.step()
    assert g.state.phase != "movement" and broken(g) == [(GB, 0)] and (FR, GB) in grievances(g)


@pytest.mark.rule("TRE-004")
def test_units_built_are_counted_towards_the_promise():
    g = under(BUILD)
    g.act(GB, "build N10 north_atlantic")
    assert status_of(g) == DUE
    g.act(GB, "build A1")
    assert status_of(g) == KEPT
    g.step()
    assert broken(g) == []


PAYS = {"kind": "pay", "power": GB, "to": FR, "amount": 10}


@pytest.mark.rule("TRE-004", "NEG-014")
@pytest.mark.parametrize("clause", [{**PAYS, "turn": 1}, {**PAYS, "every_turn": True}], ids=["in a turn", "every turn"])
def test_due_payment_is_asked_for_and_paid(clause):
    g = under(clause, phase="marker_adjustment")
    g.step()
    assert g.state.phase == "negotiation" and status_of(g) == DUE
    (choice,) = [c for c in g.state.choices if c.kind == "duty"]
    assert choice.seat == GB and choice.default == "keep"
    before = {p: g.state.powers[p].treasury for p in (GB, FR)}
    g.act(GB, f"choose {choice.id} keep")
    assert g.state.powers[GB].treasury == before[GB] - 10 and g.state.powers[FR].treasury == before[FR] + 10
    assert status_of(g) == KEPT and broken(g) == []


@pytest.mark.rule("TRE-007", "TRE-004")
def test_refused_payment_is_a_breach():
    g = under({**PAYS, "turn": 1}, phase="marker_adjustment")
    g.step()
    (choice,) = [c for c in g.state.choices if c.kind == "duty"]
    g.act(GB, f"choose {choice.id} break")
    assert status_of(g) == BROKEN and broken(g) == [(GB, 0)] and grievances(g) == [(FR, GB)] and g.state.tension == 5


@pytest.mark.rule("TRE-004")
def test_open_duty_is_kept_at_the_end_of_the_phase_if_possible():
    g = under({**PAYS, "turn": 1}, phase="marker_adjustment")
    g.step()
    money = g.state.powers[FR].treasury
    for seat in g.waiting():
        g.act(seat, "ready")
    assert g.state.phase != "negotiation" and g.state.powers[FR].treasury == money + 10 and broken(g) == []


@pytest.mark.rule("TRE-004", "TRE-007")
def test_impossible_duty_is_broken_at_the_end_of_the_phase():
    g = under({**PAYS, "turn": 1}, phase="marker_adjustment", patch={"powers": {GB: {"treasury": 3}}})
    g.step()
    for seat in g.waiting():
        g.act(seat, "ready")
    assert broken(g) == [(GB, 0)]


@pytest.mark.rule("TRE-004")
def test_duty_of_a_later_date_is_dormant_until_then():
    g = under({**PAYS, "turn": 3}, phase="marker_adjustment")
    g.step()
    assert status_of(g) == HOLDS and not [c for c in g.state.choices if c.kind == "duty"]


@pytest.mark.rule("TRE-010", "TRE-017")
@pytest.mark.parametrize("kind", ["defensive", "offensive", "non_aggression", "shared_cause", "coaling", "passage"])
def test_clauses_about_wars_are_dormant_in_peace(kind):
    g = under({"kind": kind, "power": GB, "to": FR, "against": ["germany"]})
    assert status_of(g) == HOLDS
    g.act(GB, "place interest kenya")
    assert broken(g) == [] and grievances(g) == []


@pytest.mark.rule("TRE-007")
def test_preview_warns_of_a_breach():
    g = under(NO_KENYA)
    warnings = breaches_of(g.tables, g.state, GB, actions.Place("interest", "kenya"))
    assert len(warnings) == 1 and "article 1 of Trianon" in warnings[0] and "tension +5" in warnings[0]
    assert breaches_of(g.tables, g.state, GB, actions.Place("interest", "egypt")) == []
    assert breaches_of(g.tables, g.state, FR, actions.Place("interest", "kenya")) == []
    # a refusal needs no warning
    assert breaches_of(g.tables, g.state, GB, actions.Place("dominion", "kenya")) == []


@pytest.mark.rule("TRE-012")
def test_warnings_and_duties_do_not_reveal_a_secret_treaty():
    g = under({**PAYS, "turn": 1}, NO_KENYA, public=False, phase="marker_adjustment")
    g.step()
    (choice,) = [c for c in g.state.choices if c.kind == "duty"]
    for seat in ("italy", "spectator"):
        assert choice.id not in str(g.view(seat))
    refusal = g.refused("italy", f"choose {choice.id} keep")
    assert refusal.code == g.refused("italy", "choose o1234 keep").code


# Signed, broken, and what comes of it


@pytest.mark.rule("TRE-007", "TRE-016", "ETI-027")
def test_leaving_a_treaty_without_consent_breaks_it() -> None:
    g = game()
    id_ = signed(g, DE, "treaty Rome with france, italy public: defensive")
    g.act(DE, f"renounce {id_}")
    assert causes(g) == {(FR, DE), (IT, DE)}
    assert [(e.amount, e.blame, e.rules) for e in g.of(events.TensionRaised)] == [(5, DE, ("ETI-027",))]
    assert of(g, id_).stage == IN_FORCE and of(g, id_).bound == (FR, IT)
    assert all(c.cause == "treaty_broken" and c.treaty == id_ and c.rule == "TRE-007" for c in g.state.casus_belli)
    assert g.refused(DE, f"renounce {id_}").code == "not_in_force"
    g.act(IT, f"renounce {id_}")
    assert g.state.tension == 10 and (of(g, id_).stage, of(g, id_).reason) == (ENDED, "broken")
    assert causes(g) == {(FR, DE), (IT, DE), (FR, IT)}


@pytest.mark.rule("TRE-007", "TRE-008")
def test_other_signers_of_a_broken_treaty_may_call_a_congress_or_war() -> None:
    g = game()
    id_ = signed(g, DE, "treaty Rome with france public: defensive")
    g.act(DE, f"renounce {id_}")
    (cause,) = g.state.casus_belli
    ways = " ".join(explanations.cause_remedies(g.tables, g.state, cause))
    assert "France calls a Congress of Europe" in ways and "France declares War on Germany" in ways
    assert g.refused(DE, f"waive {cause.id}").code == "not_your_casus_belli"
    assert not hasattr(run_trial(g.tables, g.state, FR, actions.CallCongress(GB)), "code")
    assert hasattr(run_trial(g.tables, g.state, IT, actions.CallCongress(GB)), "code")
    # unlike a dispute over markers, it lasts until the end of the Game Turn
    g.step()
    assert g.state.phase != "negotiation" and causes(g) == {(FR, DE)}
    while g.state.turn == 1:
        g.step()
    assert not causes(g)


@pytest.mark.rule("TRE-018", "TRE-007")
@pytest.mark.parametrize("phase", ["chinese_resentment", "war"])
def test_breach_after_the_congress_phase_gives_only_a_casus_belli(phase: str) -> None:
    g = game(phase)
    id_ = signed(g, DE, "treaty Rome with france public: defensive")
    g.act(DE, f"renounce {id_}")
    assert causes(g) == {(FR, DE)}
    ways = " ".join(explanations.cause_remedies(g.tables, g.state, g.state.casus_belli[0]))
    assert "declares War" in ways and "Congress" not in ways
    r = g.refused(FR, actions.CallCongress(GB))
    assert r.code == "wrong_phase" and r.rules
    seen = [g.state.phase]
    while g.state.turn == 1:
        g.step()
        seen.append(g.state.phase)
    assert "congress" not in seen and not causes(g)


@pytest.mark.rule("TRE-009", "TRE-010", "TRE-017")
@pytest.mark.parametrize("kind", ["shared cause", "offensive", "defensive", "offensive against germany"])
def test_shared_casus_belli_needs_the_partner_at_war(kind: str) -> None:
    g = game(casus_belli=[{"holder": GB, "against": DE}])
    id_ = signed(g, GB, f"treaty Rome with france public: {kind}")
    assert causes(g) == {(GB, DE)}
    assert of(g, id_).stage == IN_FORCE and of(g, id_).clauses[0].kind == kind.split(" against")[0].replace(" ", "_")
    g.step()
    assert all(holder != FR for holder, _ in causes(g))


@pytest.mark.rule("TRE-012", "TRE-007", "TRE-016")
def test_broken_secret_treaty_gives_a_casus_belli_once_revealed() -> None:
    g = game()
    id_ = signed(g, DE, "treaty Rome with france, italy: defensive")
    g.act(DE, f"renounce {id_}")
    assert g.state.tension == 0 and not causes(g)
    assert all(id_ not in str(g.view(seat)) for seat in outsiders(g, DE, FR, IT))
    g.act(IT, f"reveal {id_}")
    assert causes(g) == {(FR, DE), (IT, DE)} and g.state.tension == 5
    assert g.of(events.BreachOpened)[0].rules == ("TRE-012",)


@pytest.mark.rule("TRE-012")
def test_signers_that_left_later_may_still_use_a_breach() -> None:
    g = game()
    three = signed(g, DE, "treaty Rome with france, italy: defensive")
    g.act(DE, f"renounce {three}")
    g.act(IT, f"renounce {three}")
    g.act(FR, f"reveal {three}")
    assert causes(g) == {(FR, DE), (IT, DE), (FR, IT)} and g.state.tension == 10
    g = game()
    two = signed(g, DE, "treaty Rome with france: defensive")
    g.act(DE, f"renounce {two}")
    assert of(g, two).stage == ENDED
    g.act(FR, f"reveal {two}")
    assert causes(g) == {(FR, DE)}


@pytest.mark.rule("TRE-016")
def test_ending_a_treaty_without_consent_of_all_is_a_breach() -> None:
    g = game()
    id_ = signed(g, FR, "treaty Rome with italy, germany public: defensive")
    g.act(FR, f"lapse {id_}")
    g.act(DE, f"release {id_} france")
    g.act(FR, f"renounce {id_}")
    assert g.state.tension == 5 and causes(g) == {(IT, FR), (DE, FR)}
    assert "TRE-016" in g.of(events.TreatyBroken)[0].rules


@pytest.mark.rule("TRE-016", "ETI-029")
def test_the_hundredth_point_of_tension_by_a_breach_ends_the_game() -> None:
    g = game(indexes={"european_tensions": 96})
    id_ = signed(g, DE, "treaty Rome with france public: defensive")
    g.act(DE, f"renounce {id_}")
    assert g.state.result is not None and g.state.result.culprits == (DE,)


# Words: charges and verdicts


def kindness(g: Bench, *others: str, public: bool = True) -> str:
    parties = ", ".join(others)
    return signed(g, FR, f'treaty Rome with {parties}{" public" * public}: "be kind"; non-aggression')


@pytest.mark.rule("TRE-004", "TRE-007")
def test_majority_of_other_signers_judges_a_free_clause_broken() -> None:
    g = game()
    id_ = kindness(g, IT, DE, GB)
    g.act(FR, f"charge {id_} 1 germany")
    assert g.state.tension == 0 and len(of(g, id_).charges) == 1
    assert g.refused(DE, f"judge {id_} 1 germany innocent").code == "no_judge"
    assert g.refused(FR, f"judge {id_} 1 germany guilty").code == "judged"
    assert g.refused(RU, f"judge {id_} 1 germany guilty").code == "no_charge"
    g.act(IT, f"judge {id_} 1 germany guilty")
    assert g.state.tension == 5 and causes(g) == {(FR, DE), (IT, DE), (GB, DE)}
    assert g.of(events.ChargeClosed)[0].guilty and not of(g, id_).charges
    assert g.refused(GB, f"charge {id_} 1 germany").code == "charged"


@pytest.mark.rule("TRE-004", "TRE-007")
def test_a_tie_or_no_majority_is_no_breach() -> None:
    g = game()
    id_ = kindness(g, IT, DE)
    g.act(FR, f"charge {id_} 1 germany")
    g.act(IT, f"judge {id_} 1 germany innocent")  # one against one
    assert g.state.tension == 0 and not causes(g) and not of(g, id_).charges and not of(g, id_).breaches
    assert [e.guilty for e in g.of(events.ChargeClosed)] == [False]
    late = game("final_record")
    id_ = kindness(late, IT, DE, GB)
    late.act(FR, f"charge {id_} 1 germany")
    late.step()
    assert late.state.turn == 2 and not of(late, id_).charges and late.state.tension == 0


@pytest.mark.rule("TRE-007", "TRE-012")
def test_all_seats_that_can_read_a_treaty_of_two_judge_it() -> None:
    g = game()
    id_ = kindness(g, DE, public=False)
    r = g.refused(FR, f"charge {id_} 1 germany")
    assert r.code == "hidden" and "TRE-012" in r.rules
    g.act(FR, f"reveal {id_}")
    g.act(FR, f"charge {id_} 1 germany")
    assert g.view(RU)["treaties"][0]["charges"][0]["against"] == DE
    for seat, verdict in ((GB, "guilty"), (RU, "innocent"), (IT, "guilty")):
        g.act(seat, f"judge {id_} 1 germany {verdict}")
    assert g.state.tension == 0
    assert g.refused(DE, f"judge {id_} 1 germany innocent").code == "no_judge"
    g.act("japan", f"judge {id_} 1 germany guilty")
    assert g.state.tension == 5 and causes(g) == {(FR, DE)}
    alone = game(options={"treaty_referee": "no"})
    id_ = kindness(alone, DE)
    r = alone.refused(FR, f"charge {id_} 1 germany")
    assert r.code == "no_judge" and "TRE-007" in r.rules


@pytest.mark.rule("TRE-011", "TRE-007")
def test_referees_name_an_article_by_the_number_they_know() -> None:
    g = game()
    id_ = signed(g, FR, 'treaty Rome with germany public: secret defensive; "be kind"')
    g.act(FR, f"charge {id_} 2 germany")
    assert g.view(RU)["treaties"][0]["charges"][0]["clause"] == 0
    assert g.refused(RU, f"judge {id_} 2 germany guilty").code == "no_article"
    g.act(RU, f"judge {id_} 1 germany guilty")
    assert of(g, id_).charges[0].verdicts == {FR: True, RU: True}


@pytest.mark.rule("TRE-004", "TRE-007")
def test_clauses_that_the_game_checks_cannot_be_charged() -> None:
    g = game()
    id_ = kindness(g, IT, DE)
    watched = g.refused(FR, f"charge {id_} 2 germany")
    assert (watched.code, watched.rules) == ("watched", ("TRE-004", "TRE-007"))
    assert g.refused(FR, f"charge {id_} 1 france").code == "yourself"
    assert g.refused(FR, f"charge {id_} 1 russia").code == "not_bound"
    assert g.refused(FR, f"charge {id_} 3 germany").code == "no_article"
    assert g.refused(RU, f"charge {id_} 1 germany").code == "not_a_party"


# What is none, and what it costs altogether


def happens(g: Any, event: events.Event) -> None:
    """Apply an event and check the Treaties."""
    play = Transaction(g.tables, g.state, Dice("test"))
    play.emit(event)
    treaty_watch.watch_treaties(play)
    g.state = play.state


@pytest.mark.rule("TRE-007")
@pytest.mark.parametrize("clause", [
    {**NO_ARMY, "places": ["hong_kong"]}, {**CAP, "places": ["hong_kong"], "amount": 1},
])  # fmt: skip
@pytest.mark.parametrize(("reason", "at_once"), [("retreat", False), ("sent_home", False), ("move", True)])
def test_breach_forced_by_combat_may_be_mended_until_next_movement(clause, reason, at_once):
    def forced() -> Any:
        areas = {"hong_kong": {"units": []}, "burma": {"units": [army(GB, 3)]}}
        g = under(clause, phase="colonial_combat", patch={"areas": areas})
        happens(g, events.UnitsMoved(power=GB, units=("A3",), path=("burma", "hong_kong"), reason=reason))
        return g

    g = forced()
    assert broken(g) == ([(GB, 0)] if at_once else [])
    if at_once:
        return
    while (g.state.turn, g.state.phase) != (2, "movement"):
        g.step()
    assert broken(g) == []
    g.step()
    assert broken(g) == [(GB, 0)]


NO_TUNIS = "no control by italy in tunis"
TAKE = {"tunis": {"markers": [marker(FR, "protectorate")], "units": [army(FR)]}}


@pytest.mark.rule("TRE-007")
@pytest.mark.parametrize("text", [
    "france grants italy protectorate in tunis", "france transfers tunis to italy",
    "codominion of tunis with france, italy",
])  # fmt: skip
def test_grant_by_the_other_signer_is_no_breach(text):
    g = game(areas=TAKE)
    id_ = signed(g, IT, f"treaty Rome with france public: {NO_TUNIS}")
    signed(g, IT, f"propose with france: {text}")
    assert g.kind("tunis", IT) == "protectorate" and not of(g, id_).breaches


@pytest.mark.rule("TRE-007")
def test_transfer_is_no_breach_if_all_other_signers_grant_it():
    g = game(areas=TAKE)
    id_ = signed(g, IT, f"treaty Rome with france public: {NO_TUNIS}")
    g.act(FR, "transfer tunis to italy")
    (offer,) = g.pending()
    g.act(IT, f"choose {offer.id} accept")
    assert g.kind("tunis", IT) == "protectorate" and not of(g, id_).breaches
    g = game(areas=TAKE)
    id_ = signed(g, IT, f"treaty Rome with france, britain public: {NO_TUNIS}")
    signed(g, IT, "propose with france: france grants italy protectorate in tunis")
    assert [b.power for b in of(g, id_).breaches] == [IT]


@pytest.mark.rule("TRE-007", "CON-026")
def test_tie_break_against_a_promised_vote_is_no_breach():
    promise = {"kind": "vote", "power": GB, "vote": "yes", "places": ["tunis"]}
    g = congress.meet(congress.game(treaties=[treaty(promise)]), attend=(DE, RU))
    congress.propose(g, RU, congress.SETTLES)
    congress.vote(g, "yes sign", germany="no", italy="no sign", france="abstain")
    congress.choose(g, GB, "tie", "no")
    assert g.state.congress.proposals[0].stage == "defeated" and not of(g, "kq7d").breaches


@pytest.mark.rule("ETI-027", "TRE-012")
def test_revealed_treaty_costs_5_for_each_turn_with_a_breach():
    def breach(clause: int, turn: int) -> dict[str, Any]:
        return {"clause": clause, "power": GB, "turn": turn, "what": "does it"}

    clauses = (NO_KENYA, NO_FLEETS)
    for breaches in (
        [breach(0, 1), breach(1, 2), breach(0, 2)],
        [breach(0, 1), breach(0, 2)],
        [breach(0, 2), breach(1, 2), breach(0, 1)],
    ):
        g = under(*clauses, turn=3, public=False, breaches=breaches)
        g.act(FR, "reveal kq7d")
        assert g.state.tension == 10 and grievances(g) == [(FR, GB)]
        assert all(b.open for b in of(g, "kq7d").breaches)


@pytest.mark.rule("TRE-012")
def test_cost_of_revealing_a_broken_treaty_is_shown_before() -> None:
    g = game("movement")
    id_ = signed(g, IT, "treaty Rome with france: no marker by france in egypt")
    assert breaches_of(g.tables, g.state, IT, actions.Reveal(id_)) == [
        "All players can read Rome from now on; it cannot be hidden again."
    ]
    g.act(FR, f"renounce {id_}")
    assert breaches_of(g.tables, g.state, FR, actions.Reveal(id_))[1:] == [
        "An old breach counts now: France leaves Rome.",
        "Italy gets a Casus Belli against France.",
        "Tension +5.",
    ]
