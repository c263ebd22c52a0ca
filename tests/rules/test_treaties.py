"""Treaties (TRE) from the draft to the end, the Austro-German Alliance (AUS-005, AUS-006), and the bonuses for revealed
Treaties (VIC-009, VIC-010)."""

from __future__ import annotations

import pytest
from msgspec import to_builtins

from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.notation import format_order, parse_order
from paxtui.games.pax.board.tables import ANY_KIND, TreatyTest
from paxtui.games.pax.clauses.notation import text_of_clause
from paxtui.games.pax.events import events
from paxtui.games.pax.menus import treaties
from paxtui.games.pax.menus.legal import legal_actions
from paxtui.games.pax.preview.dry_run import run_trial
from paxtui.games.pax.state.diplomacy import DRAFT, ENDED, IN_FORCE, SETTLEMENT, Clause, ClauseProgress
from paxtui.games.pax.state.phases import PHASES
from paxtui.games.pax.state.questions import Duty
from paxtui.games.pax.treaties import lookup
from paxtui.games.pax.turn import victory
from tests.rules.harness import Bench, marker, start
from tests.rules.treaties import AH, DE, FR, GB, IT, PACT, RU, causes, draft, game, of, outsiders, signed

TUNIS = {"markers": [marker(FR, "protectorate"), marker(IT, "protectorate")]}


# TRE-001 to TRE-003: definition


@pytest.mark.rule("TRE-001", "TRE-002")
def test_only_what_all_have_signed_can_be_broken() -> None:
    g = game("movement")
    id_ = draft(g, FR, "treaty Rome with italy, germany public: no marker by france in egypt")
    g.act(IT, f"sign {id_}")
    assert of(g, id_).stage == DRAFT and of(g, id_).signed == (FR, IT)
    g.act(FR, "place interest egypt")
    assert g.state.tension == 0 and not causes(g) and not of(g, id_).breaches
    # the same, signed by all
    g = game("movement")
    signed(g, FR, "treaty Rome with italy, germany public: no marker by france in egypt")
    g.act(FR, "place interest egypt")
    assert g.state.tension == 5 and causes(g) == {(IT, FR), (DE, FR)}


@pytest.mark.rule("TRE-002")
def test_the_last_signature_puts_it_into_force() -> None:
    g = game()
    id_ = draft(g, FR, "treaty Rome with italy, germany: defensive")
    assert of(g, id_).signed == (FR,)
    g.act(DE, f"sign {id_}")
    assert of(g, id_).stage == DRAFT and not g.of(events.TreatyInForce)
    assert g.refused(DE, f"sign {id_}").code == "signed"
    g.act(IT, f"sign {id_}")
    assert of(g, id_).stage == IN_FORCE and of(g, id_).since == 1
    assert [e.rules for e in g.of(events.TreatyInForce)] == [("TRE-002",)]
    assert "TRE-002" in g.refused(IT, f"sign {id_}").rules


@pytest.mark.rule("TRE-002")
def test_a_party_is_a_power_of_the_game() -> None:
    refusal = game().refused(FR, actions.Draft("Rome", ("atlantis",), (Clause("defensive"),)))
    assert (refusal.code, refusal.message) == ("unknown_power", "There is no Power 'atlantis'.")


@pytest.mark.rule("TRE-002")
def test_only_parties_sign_and_only_signers_are_bound() -> None:
    g = game()
    id_ = draft(g, FR, "treaty Rome with italy public: defensive")
    r = g.refused(GB, f"sign {id_}")
    assert r.code == "not_a_party" and "TRE-002" in r.rules
    for text in (
        "treaty Rome with italy: no marker by britain in kenya",
        "treaty Rome with italy: italy pays britain 5",
        "treaty Rome with italy: codominion of tunis with france, italy, britain",
    ):
        r = g.refused(FR, text)
        assert r.code == "not_a_party" and "TRE-002" in r.rules
    r = g.refused(FR, "treaty Rome with france: defensive")
    assert r.code == "alone" and "TRE-002" in r.rules


@pytest.mark.rule("TRE-002", "MIN-002")
@pytest.mark.parametrize("text", ["treaty Rome with spain: defensive", "propose with spain: france pays spain 5"])
def test_minor_powers_sign_nothing(text: str) -> None:
    g = game()
    r = g.refused(FR, text)
    assert r.code == "minor" and "MIN-002" in r.rules
    assert g.refused(FR, "spain: treaty Rome with italy: defensive").code == "not_your_power"


@pytest.mark.rule("TRE-002")
def test_draft_ends_by_one_refusal_or_withdrawal() -> None:
    g = game()
    text = "treaty Rome with italy, germany: defensive"
    for seat, reason in ((IT, "rejected"), (FR, "withdrawn")):
        id_ = draft(g, FR, text)
        g.act(DE, f"sign {id_}")
        g.act(seat, f"reject {id_}")
        assert (of(g, id_).stage, of(g, id_).reason) == (ENDED, reason)
        assert g.refused(IT, f"sign {id_}").code == "not_a_draft"
        text = "treaty Rome with italy, germany: non-aggression"
    id_ = signed(g, FR, "treaty Rome with italy: defensive")
    assert g.refused(IT, f"reject {id_}").code == "not_a_draft"


@pytest.mark.rule("TRE-002")
def test_a_draft_is_answered_with_changes() -> None:
    g = game()
    old = draft(g, FR, "treaty Rome with italy: france pays italy 5 in 1888; defensive")
    new = draft(g, IT, f"amend {old}: france pays italy 15 in 1888; defensive")
    assert (of(g, old).stage, of(g, old).reason) == (ENDED, "superseded")
    made = of(g, new)
    assert (made.name, made.form, made.drafter, made.parties, made.signed) == ("Rome", "treaty", IT, (FR, IT), (IT,))
    assert made.instead == old and made.clauses[0].amount == 15
    g.act(FR, f"sign {new}")
    assert of(g, new).stage == IN_FORCE
    assert g.refused(FR, f"amend {new}: defensive").code == "not_a_draft"
    again = draft(g, FR, "propose with italy: france pays italy 5")
    wider = draft(g, IT, f"amend {again} with france, germany: france pays italy 10; germany pays italy 2")
    assert of(g, wider).form == SETTLEMENT and of(g, wider).parties == (FR, DE, IT)


@pytest.mark.rule("TRE-002", "TRE-003")
def test_unwritten_treaty_needs_the_option() -> None:
    g = game()
    assert not g.state.options.unwritten_treaties
    r = g.refused(FR, "treaty Rome with italy:")
    assert r.code == "no_clauses" and {"TRE-002", "TRE-003"} <= set(r.rules)
    spoken = game(options={"unwritten_treaties": "yes"})
    id_ = signed(spoken, FR, "treaty Rome with italy public:")
    assert of(spoken, id_).stage == IN_FORCE and of(spoken, id_).clauses == ()
    spoken.act(IT, f"renounce {id_}")
    assert spoken.state.tension == 5 and causes(spoken) == {(FR, IT)}


# TRE-004, TRE-005: contents

LASTING = [
    "no marker by britain in kenya, uganda until 1892",
    "no units by france in region:near_east",
    "at most 4 army by france in persia",
    "at least 4 army by britain in bengal",
    "france builds N10 by 1888",
    "britain builds no naval until 1900",
    "france pays britain 5 every turn until 1892",
    "france pays britain 15 in 1888",
    "britain transfers hong_kong to france upon war britain germany",
    "britain votes yes",
    "britain lets france through canals",
    "britain coals japan",
    "shared cause",
    "non-aggression",
    '"whatever else we like"',
    "defensive",
    "defensive against germany",
    "defensive against germany upon control germany marocco",
    "offensive against germany",
]


@pytest.mark.rule("TRE-004", "TRE-005")
@pytest.mark.parametrize("text", LASTING)
def test_lasting_clauses_of_a_treaty(text: str) -> None:
    g = game("movement")
    id_ = signed(g, FR, f"treaty Rome with britain: {text}; secret non-aggression")
    treaty = of(g, id_)
    assert treaty.stage == IN_FORCE and treaty.done == ()
    assert text_of_clause(g.tables, treaty.clauses[0]) == text
    assert g.view(GB)["treaties"][0]["clauses"][0]["kind"] == treaty.clauses[0].kind


@pytest.mark.rule("TRE-004", "NEG-011", "NEG-014")
def test_markers_and_money_change_hands_at_signature() -> None:
    g = game("negotiation", areas={"tunis": {"markers": [marker(FR, "influence")]}})
    id_ = draft(g, FR, "treaty Rome with italy: france transfers tunis to italy; italy pays france 12; non-aggression")
    assert g.state.powers[FR].treasury == 60
    g.act(IT, f"sign {id_}")
    assert [(m.power, m.marker) for m in g.state.areas["tunis"].markers] == [(IT, "influence")]
    assert (g.state.powers[FR].treasury, g.state.powers[IT].treasury) == (72, 48)
    assert of(g, id_).done == (ClauseProgress(0), ClauseProgress(1)) and of(g, id_).stage == IN_FORCE


@pytest.mark.rule("TRE-004")
def test_treaty_without_open_clauses_ends_at_signature() -> None:
    g = game()
    id_ = signed(g, FR, "treaty Rome with italy: france pays italy 5")
    assert (of(g, id_).stage, of(g, id_).reason) == (ENDED, "done")
    later = signed(g, FR, "treaty Nice with italy: france pays italy 5 in 1884")
    assert of(g, later).stage == IN_FORCE and g.state.powers[IT].treasury == 65


@pytest.mark.rule("TRE-004", "SEQ-001")
def test_immediate_clauses_need_their_phase() -> None:
    for phase, allowed in (("movement", True), ("negotiation", True), ("colonial_combat", False), ("war", False)):
        g = game(phase)
        id_ = draft(g, FR, "treaty Rome with italy: france pays italy 5; non-aggression")
        if allowed:
            g.act(IT, f"sign {id_}")
            assert g.state.powers[IT].treasury == 65
        else:
            r = g.refused(IT, f"sign {id_}")
            assert r.code == "wrong_phase" and "SEQ-001" in r.rules and "Negotiation" in r.message
            assert of(g, id_).signed == (FR,)
    g = game("movement", areas={"tunis": {"markers": [marker(FR, "influence")]}})
    id_ = draft(g, FR, "treaty Rome with italy: france leaves tunis")
    assert g.refused(IT, f"sign {id_}").code == "wrong_phase"
    g.act(IT, f"reject {id_}")
    signed(g, FR, "treaty Rome with italy: france leaves tunis in 1888")


@pytest.mark.rule("TRE-002", "TRE-004")
@pytest.mark.parametrize("phase", PHASES)
def test_treaties_are_made_revealed_and_ended_in_any_phase(phase: str) -> None:
    g = game(phase)
    id_ = signed(g, FR, "treaty Rome with italy: defensive")
    g.act(FR, f"reveal {id_}")
    g.act(FR, f"lapse {id_}")
    g.act(IT, f"lapse {id_}")
    assert of(g, id_).stage == ENDED and g.state.phase == phase


@pytest.mark.rule("TRE-004", "NEG-013", "SEQ-001")
def test_settlement_is_atomic_and_needs_the_negotiation_phase() -> None:
    r = game("movement").refused(FR, "propose with italy: france pays italy 5")
    assert r.code == "wrong_phase" and {"SEQ-001", "NEG-013"} <= set(r.rules)
    g = game(areas={"tunis": TUNIS})
    id_ = draft(g, FR, "propose with italy: italy leaves tunis; france pays italy 15; secret non-aggression")
    assert g.state.powers[IT].treasury == 60 and len(g.state.areas["tunis"].markers) == 2
    g.act(IT, f"sign {id_}")
    assert [m.power for m in g.state.areas["tunis"].markers] == [FR]
    assert g.state.powers[IT].treasury == 75 and of(g, id_).stage == IN_FORCE
    poor = game(areas={"tunis": TUNIS})
    id_ = draft(poor, FR, "propose with italy: italy leaves tunis; france pays italy 50")
    other = signed(poor, FR, "propose with germany: france pays germany 40")
    assert of(poor, other).stage == ENDED
    assert poor.refused(IT, f"sign {id_}").rules
    assert len(poor.state.areas["tunis"].markers) == 2 and of(poor, id_).signed == (FR,)
    r = poor.refused(FR, "propose with italy: italy leaves tunis; france pays italy 50")
    assert r.rules


@pytest.mark.rule("TRE-005", "TRE-010")
def test_alliance_cannot_target_its_signer() -> None:
    g = game()
    for kind in ("defensive", "offensive", "shared cause"):
        r = g.refused(FR, f"treaty Rome with italy: {kind} against italy")
        assert r.code == "against_a_party" and "TRE-010" in r.rules


# TRE-006: clauses against the rules

AGAINST_THE_RULES = [
    ("britain grants italy influence in kenya", "NEG-012"),
    ("britain grants italy interest in kenya", "NEG-012"),
    ("britain grants italy dominion in canada", "COD-013"),
    ("codominion of kenya with britain, italy as influence", "NEG-006"),
    ("britain transfers dominion canada to italy", "STA-036"),
    ("italy pays italy 5", "TRE-006"),
    ("germany pays austria_hungary 5; austria_hungary pays germany 5", "AUS-011"),
    ("italy pays austria_hungary 5", "AUS-010"),
    ("austria_hungary votes yes", "CON-040"),
    ("offensive against france", "AUS-002"),
    ("italy pays britain 5 in 1880", "TRE-006"),
    ("non-aggression until 1880", "TRE-006"),
    ("italy builds N10 by 1880", "TRE-006"),
    ("italy pays britain 5 in 1892 until 1888", "TRE-006"),
    ("italy lowers tunis to state", "NEG-003"),
]


@pytest.mark.rule("TRE-006")
@pytest.mark.parametrize(("text", "rule"), AGAINST_THE_RULES)
def test_illegal_clause_is_refused_when_drafted(text: str, rule: str) -> None:
    g = game(turn=3, areas={"kenya": {"markers": [marker(GB, "possession")]}})
    r = g.refused(DE, f"treaty Rome with britain, italy, austria_hungary: defensive; {text}")
    assert {rule, "TRE-006"} <= set(r.rules)
    assert r.message.startswith("Article 2:") or "Article 3:" in r.message
    assert not g.state.treaties


@pytest.mark.rule("TRE-006")
def test_impossible_clause_is_refused_at_the_last_signature() -> None:
    g = game(areas={"kenya": {"markers": [marker(GB, "possession")]}})
    r = g.refused(IT, "propose with britain: italy grants britain protectorate in kenya")
    assert "NEG-012" in r.rules
    id_ = draft(g, IT, "treaty Rome with britain: italy transfers kenya to britain")
    assert "STA-034" in g.refused(GB, f"sign {id_}").rules
    assert of(g, id_).stage == DRAFT


@pytest.mark.rule("TRE-006", "NEG-019")
def test_required_signers_of_immediate_clauses_are_parties() -> None:
    g = game(areas={"tunis": TUNIS})
    r = g.refused(FR, "treaty Rome with britain: codominion of tunis with france, britain")
    assert r.code == "not_a_party" and "NEG-019" in r.rules and "Italy" in r.message
    guiana = "treaty Rome with france, italy: codominion of guiana with france, britain, italy"
    r = g.refused(GB, guiana)
    assert r.code == "minor" and "NEG-019" in r.rules


@pytest.mark.rule("TRE-006", "NEG-019")
def test_new_holder_of_control_must_sign_too() -> None:
    """A clause does not bind a third Power that has Control in the Area and has not signed."""
    alone = {"egypt": {"markers": [marker(FR, "protectorate")]}}
    g = game("movement", areas=alone)
    later = signed(g, FR, "treaty Rome with italy: codominion of egypt with france, italy in 1880")
    now = draft(g, FR, "treaty Nice with italy: codominion of egypt with france, italy")
    made = to_builtins(g.state.treaties)
    both = {"egypt": {"markers": [marker(FR, "protectorate"), marker(GB, "protectorate")], "codominion": [GB, FR]}}
    g = game("negotiation", areas=both, treaties=made)
    r = g.refused(IT, f"sign {now}")
    assert r.code == "not_a_party" and "NEG-019" in r.rules
    (duty,) = [c for c in g.pending() if isinstance(c.about, Duty) and c.about.treaty == later]
    g.act(duty.seat, f"choose {duty.id} keep")
    assert "Great Britain must agree" in of(g, later).breaches[0].what
    assert len(g.state.areas["egypt"].markers) == 2


@pytest.mark.rule("TRE-006")
def test_a_date_that_has_passed_before_all_have_signed_is_refused() -> None:
    g = game("negotiation")
    id_ = draft(g, FR, "treaty Rome with italy: france pays italy 5 in 1880")
    while g.state.turn == 1:
        g.step()
        r = g.refused(IT, f"sign {id_}")
        assert r.code == "past" and "TRE-006" in r.rules


# TRE-011 to TRE-013, TRE-019: secrets


@pytest.mark.rule("TRE-011")
def test_secret_treaty_is_invisible_to_others() -> None:
    g, plain = game(), game()
    id_ = signed(g, FR, 'treaty Rome with italy: defensive against germany; "quiet"')
    for seat in outsiders(g, FR, IT):
        assert g.view(seat) == plain.view(seat)
        if seat != "spectator":
            assert legal_actions(g.tables, g.state, seat) == legal_actions(plain.tables, plain.state, seat)
            for order in ("sign", "reject", "reveal", "lapse", "renounce"):
                hidden, missing = g.refused(seat, f"{order} {id_}"), plain.refused(seat, f"{order} {id_}")
                assert (hidden.code, hidden.message, hidden.rules) == ("no_treaty", missing.message, missing.rules)
                assert missing.code == "no_treaty"
            hidden = g.refused(seat, f"judge {id_} 2 italy guilty")
            assert hidden.message == plain.refused(seat, f"judge {id_} 2 italy guilty").message
    for seat in (FR, IT):
        assert [t["id"] for t in g.view(seat)["treaties"]] == [id_]
    assert all(set(e.only) == {FR, IT} for e in g.events if isinstance(e, events.TreatyDrafted | events.TreatySigned))


@pytest.mark.rule("TRE-011")
def test_ids_and_ready_flags_do_not_reveal_agreements() -> None:
    g, other = game(), game()
    for bench in (g, other):
        bench.act(GB, "ready")
    draft(other, DE, "treaty Berlin with russia: defensive")
    first, second = (draft(b, FR, "treaty Rome with italy: defensive") for b in (g, other))
    assert first == second
    g.act(IT, f"sign {first}")
    assert GB in g.state.ready


@pytest.mark.rule("TRE-011")
def test_secret_articles_of_a_public_treaty() -> None:
    g = game()
    text = "treaty Rome with italy public: secret france pays italy 5 in 1888; non-aggression; secret defensive"
    id_ = signed(g, FR, text)
    (seen,) = g.view(GB)["treaties"]
    assert [c["kind"] for c in seen["clauses"]] == ["non_aggression"] and seen["stage"] == IN_FORCE
    assert len(g.view(IT)["treaties"][0]["clauses"]) == 3
    g.act(IT, f"reveal {id_} 3")
    assert [c["kind"] for c in g.view(GB)["treaties"][0]["clauses"]] == ["non_aggression", "defensive"]
    assert g.refused(FR, f"reveal {id_} 3").code == "revealed"
    assert g.refused(FR, f"reveal {id_} 4").code == "no_article"
    g.act(FR, f"reveal {id_}")
    assert len(g.view("spectator")["treaties"][0]["clauses"]) == 3
    assert g.refused(FR, f"reveal {id_}").code == "revealed"


@pytest.mark.rule("TRE-011", "TRE-019")
def test_a_treaty_made_public_keeps_its_secret_articles_till_they_are_revealed() -> None:
    g = game()
    id_ = signed(g, FR, "treaty Rome with italy: non-aggression; secret defensive")
    g.act(IT, f"reveal {id_}")
    assert [c["kind"] for c in g.view(GB)["treaties"][0]["clauses"]] == ["non_aggression"]
    g.act(FR, f"reveal {id_}")
    assert [c["kind"] for c in g.view(GB)["treaties"][0]["clauses"]] == ["non_aggression", "defensive"]


@pytest.mark.rule("TRE-013", "TRE-002")
def test_secret_treaty_is_recorded_with_its_signatures() -> None:
    g = game()
    text = 'treaty Rome with italy: defensive against germany; secret "no word to Berlin"'
    id_ = signed(g, FR, text)
    (kept,) = g.view("arbiter")["treaties"]
    assert list(kept["signed"]) == [FR, IT] and kept["public"] is False and kept["drafter"] == FR
    assert [c.get("text", "") for c in kept["clauses"]] == ["", "no word to Berlin"]
    parsed = actions.Draft(kept["name"], (IT,), of(g, id_).clauses)
    assert parse_order(g.tables, format_order(g.tables, parsed)) == parse_order(g.tables, text)
    # a charge rests on what is written: a party can always show it
    g.act(FR, f"reveal {id_}")
    assert g.view(DE)["treaties"][0]["signed"] in ([FR, IT], (FR, IT))


@pytest.mark.rule("TRE-019")
def test_revealing_is_never_a_breach_even_against_a_clause_that_forbids_it() -> None:
    g = game()
    id_ = signed(g, FR, 'treaty Rome with italy: defensive; "this Treaty stays secret for ever"')
    g.act(IT, f"reveal {id_}")
    assert g.state.tension == 0 and not causes(g) and not g.of(events.TreatyBroken)
    assert of(g, id_).stage == IN_FORCE and not of(g, id_).breaches
    assert [e.rules for e in g.of(events.TreatyRevealed)] == [("TRE-011", "TRE-019")]


@pytest.mark.rule("TRE-019", "TRE-002")
def test_only_parties_reveal_and_only_what_is_signed() -> None:
    g = game()
    id_ = draft(g, FR, "treaty Rome with italy: defensive")
    r = g.refused(FR, f"reveal {id_}")
    assert r.code == "not_in_force" and "TRE-002" in r.rules
    public = signed(g, FR, "treaty Nice with italy public: defensive; secret non-aggression")
    assert g.refused(GB, f"reveal {public}").code == "not_a_party"


# TRE-014 to TRE-016: ends


@pytest.mark.rule("TRE-014")
def test_with_the_agreement_of_all_a_treaty_lapses_without_penalty() -> None:
    g = game()
    id_ = signed(g, FR, "treaty Rome with italy, germany public: defensive")
    g.act(FR, f"lapse {id_}")
    g.act(DE, f"lapse {id_}")
    assert of(g, id_).stage == IN_FORCE
    assert g.refused(DE, f"lapse {id_}").code == "agreed"
    g.act(IT, f"lapse {id_}")
    assert (of(g, id_).stage, of(g, id_).reason) == (ENDED, "lapsed")
    assert g.state.tension == 0 and not causes(g)
    assert g.refused(IT, f"renounce {id_}").code == "not_in_force"


@pytest.mark.rule("TRE-015")
def test_with_the_agreement_of_all_one_signer_goes_and_the_rest_stay_bound() -> None:
    g = game()
    id_ = signed(g, FR, "treaty Rome with italy, germany public: defensive")
    g.act(IT, f"release {id_} italy")
    g.act(FR, f"release {id_} italy")
    assert IT in of(g, id_).bound
    assert g.refused(FR, f"release {id_} italy").code == "agreed"
    g.act(DE, f"release {id_} italy")
    assert of(g, id_).stage == IN_FORCE and of(g, id_).bound == (FR, DE)
    assert g.state.tension == 0 and not causes(g)
    assert g.refused(IT, f"lapse {id_}").code == "not_in_force"
    assert g.refused(DE, f"release {id_} italy").code == "not_bound"
    # of two signers, the other would be alone
    g.act(FR, f"release {id_} france")
    g.act(DE, f"release {id_} france")
    assert (of(g, id_).stage, of(g, id_).reason) == (ENDED, "lapsed") and g.state.tension == 0


@pytest.mark.rule("TRE-014", "TRE-015")
def test_former_signer_has_no_vote_on_the_end() -> None:
    g = game()
    id_ = signed(g, FR, "treaty Rome with italy, germany public: defensive")
    g.act(FR, f"lapse {id_}")
    g.act(DE, f"lapse {id_}")
    for seat in (FR, IT, DE):
        g.act(seat, f"release {id_} italy")
    assert (of(g, id_).stage, of(g, id_).reason) == (ENDED, "lapsed")


@pytest.mark.rule("TRE-014")
def test_treaty_ends_when_all_clauses_are_done() -> None:
    g = game("final_record")
    over = signed(g, FR, "treaty Rome with italy: defensive until 1880; no marker by france in kenya until 1880")
    on = signed(g, FR, "treaty Nice with italy: defensive until 1880; no marker by france in kenya until 1884")
    g.step()
    assert g.state.turn == 2
    assert (of(g, over).stage, of(g, over).reason) == (ENDED, "done") and of(g, on).stage == IN_FORCE
    assert g.state.tension == 0 and not causes(g)


# Austria-Hungary


@pytest.mark.rule("AUS-005")
def test_broken_permanent_alliance_returns_next_turn() -> None:
    g = game("war", turn=4)
    assert of(g, PACT).stage == IN_FORCE and of(g, PACT).clauses == (Clause("defensive"),)
    g.act(DE, f"renounce {PACT}")
    assert of(g, PACT).stage == ENDED and g.state.tension == 5
    assert [e.rules for e in g.of(events.TreatyBroken)] == [("TRE-007", "TRE-016", "AUS-005")]
    assert g.refused(DE, f"renounce {PACT}").code == "not_in_force"
    while g.state.turn == 4:
        assert of(g, PACT).stage == ENDED
        g.step()
    assert of(g, PACT).stage == IN_FORCE and of(g, PACT).bound == (DE, AH)
    assert [e.rules for e in g.all_of(events.TreatyInForce)] == [("AUS-005",)]
    g.do(DE, actions.Renounce(PACT, AH))
    assert g.state.tension == 10 and g.of(events.TensionRaised)[0].blame == AH


@pytest.mark.rule("AUS-006")
def test_no_casus_belli_between_germany_and_austria_hungary() -> None:
    for power in (DE, AH):
        g = game()
        g.do(DE, actions.Renounce(PACT, power))
        assert not causes(g) and g.state.tension == 5
    g = game()
    id_ = signed(g, DE, "treaty Schonbrunn with russia, austria_hungary public: defensive")
    g.act(DE, f"renounce {id_}")
    assert causes(g) == {(RU, DE)}


@pytest.mark.rule("AUS-005", "AUS-001")
def test_permanent_alliance_cannot_lapse_or_be_joined() -> None:
    g = game()
    assert g.refused(DE, f"lapse {PACT}").code == "permanent"
    assert g.refused(DE, f"release {PACT} austria_hungary").code == "permanent"
    assert g.refused(FR, f"renounce {PACT}").code == "not_a_party"
    assert g.state.treaties == ()


@pytest.mark.rule("TRE-002", "AUS-001")
def test_germany_signs_for_austria_hungary_apart_from_itself() -> None:
    g = game()
    id_ = draft(g, DE, "treaty Wien with russia, austria_hungary: defensive")
    g.act(RU, f"sign {id_}")
    assert of(g, id_).stage == DRAFT
    assert g.refused(RU, f"austria_hungary: sign {id_}").code == "not_your_power"
    g.act(DE, f"austria_hungary: sign {id_}")
    assert of(g, id_).stage == IN_FORCE


# Bonuses for revealed Treaties


def bonus(g: Bench, seat: str) -> int:
    return victory.total_points(victory.turn_bonuses(g.tables, g.state, seat))


@pytest.mark.rule("VIC-009")
def test_france_counts_every_partner_against_germany_and_germany_one() -> None:
    g = game("victory_point_record")
    signed(g, FR, "treaty Rome with britain public: defensive against germany")
    signed(g, FR, "treaty Nice with russia public: defensive")
    assert bonus(g, FR) == 6
    signed(g, FR, "treaty Lyon with japan public: defensive against germany")  # no European Great Power
    signed(g, FR, "treaty Bath with britain public: defensive against germany")  # Britain counts once
    signed(g, FR, "treaty Turin with italy public: non-aggression; offensive against germany")
    assert bonus(g, FR) == 6
    signed(g, DE, "treaty Berlin with russia public: defensive")
    signed(g, DE, "treaty Potsdam with italy public: defensive")
    assert bonus(g, DE) == 3
    g.step()
    records = {seat: g.state.powers[seat].record for seat in (FR, DE, GB)}
    assert (records[FR]["25"], records[DE]["25"], records[GB]["25"]) == (6, 3, 0)
    points = 60 // 7
    assert (records[FR]["24"], records[FR]["26"]) == (points, points + 6)
    assert [e.rules for e in g.of(events.VictoryPointsChanged) if e.power == FR and e.bonus] == [("VIC-009", "VIC-010")]


@pytest.mark.rule("VIC-009")
@pytest.mark.parametrize(
    "text",
    [
        "treaty Rome with germany, britain public: defensive",  # not against one who has signed it
        "treaty Rome with britain public: defensive against russia",
        "treaty Rome with britain public: offensive against germany",
        "treaty Rome with britain public: defensive against germany upon war france germany",
    ],
)
def test_treaties_that_do_not_count_against_germany(text: str) -> None:
    g = game("victory_point_record")
    signed(g, FR, text)
    assert bonus(g, FR) == 0


@pytest.mark.rule("VIC-009")
def test_one_treaty_counts_once_and_only_while_it_is_in_effect() -> None:
    g = game("victory_point_record")
    id_ = signed(g, FR, "treaty Rome with britain, russia public: defensive against germany")
    assert bonus(g, FR) == 3
    signed(g, FR, "treaty Nice with britain public: defensive against germany until 1880")
    assert bonus(g, FR) == 6
    for seat in (FR, GB, RU):
        g.act(seat, f"lapse {id_}")
    assert bonus(g, FR) == 3
    draft(g, FR, "treaty Lyon with russia public: defensive against germany")
    assert bonus(g, FR) == 3


@pytest.mark.rule("VIC-009")
def test_bonus_for_a_canal_counts_once_with_treaties() -> None:
    canal = {"panama": {"markers": [marker("united_states", "influence")]}}
    g = start({"phase": "movement", "areas": canal, "powers": {"united_states": {"treasury": 40}}})
    g.act("united_states", "canal panama")
    while g.state.phase != "final_record":
        g.step()
    record = g.state.powers["united_states"].record
    assert record["25"] == 15 and record["26"] == 15 + (record["24"] or 0)
    assert g.state.powers["united_states"].victory_points == record["26"]


@pytest.mark.rule("VIC-010")
def test_only_revealed_treaties_count() -> None:
    g = game("victory_point_record")
    secret = signed(g, FR, "treaty Rome with britain: defensive against germany")
    half = signed(g, FR, "treaty Nice with russia public: non-aggression; secret defensive against germany")
    assert bonus(g, FR) == 0
    g.act(GB, f"reveal {secret}")
    assert bonus(g, FR) == 3
    g.act(FR, f"reveal {half} 2")
    assert bonus(g, FR) == 6


@pytest.mark.rule("VIC-009")
def test_a_row_for_any_kind_counts_alliances_and_nothing_else() -> None:
    g = game("victory_point_record")
    for text in ("britain public: offensive", "russia public: defensive", "italy public: non-aggression"):
        signed(g, FR, f"treaty with {text}")
    counted = victory.fitting_treaties(g.state, FR, TreatyTest(kind=ANY_KIND))
    assert sorted(partner for _, partner in counted) == [GB, RU]


# Names and the menu


def test_a_city_is_proposed_as_a_name_and_never_one_in_use() -> None:
    g = game()
    names = []
    for clause in ("defensive", "non-aggression", "shared cause"):
        names.append(of(g, draft(g, FR, f"treaty with italy: {clause}")).name)
    assert names == list(g.tables.treaty_cities[FR][:3])
    # what others have agreed in secret changes no proposal
    assert lookup.propose_name(g.tables, g.state, GB, (GB, FR)) == g.tables.treaty_cities[GB][0]
    for cities in g.tables.treaty_cities.values():
        assert all(parse_order(g.tables, f"treaty {city} with italy: defensive").name == city for city in cities)


def test_menu_offers_only_possible_answers() -> None:
    g = game()
    waits = draft(g, FR, "treaty Rome with italy, germany: defensive")
    holds = signed(g, FR, 'treaty Nice with italy, germany public: "be kind"; secret non-aggression')
    g.act(FR, f"charge {holds} 1 germany")

    def menu(seat: str) -> set[str]:
        return {format_order(g.tables, a) for a in treaties.agreement_actions(g.tables, g.state, seat)} - {
            f"renounce {PACT}",
            f"austria_hungary: renounce {PACT}",
        }

    kept = {f"lapse {holds}", f"renounce {holds}", f"reveal {holds}", f"reveal {holds} 2"}
    kept |= {f"release {holds} {p}" for p in (FR, DE, IT)}
    assert menu(FR) == {*kept, f"reject {waits}", f"charge {holds} 1 italy"}
    assert menu(IT) == {
        *kept,
        f"sign {waits}",
        f"reject {waits}",
        f"charge {holds} 1 france",
        f"judge {holds} 1 germany guilty",
        f"judge {holds} 1 germany innocent",
    }
    assert menu(GB) == set()
    for seat in g.state.players:
        for order in legal_actions(g.tables, g.state, seat).orders:
            assert not hasattr(run_trial(g.tables, g.state, seat, parse_order(g.tables, order)), "code"), order


def test_drafts_are_limited_and_the_same_is_not_drafted_twice() -> None:
    g = game()
    draft(g, FR, "treaty Rome with italy: defensive")
    assert g.refused(FR, "treaty Rome with italy: defensive").code == "drafted_already"
    for n in range(11):
        draft(g, FR, f"treaty Rome with italy: france pays italy {n + 1} in 1888")
    assert g.refused(FR, "treaty Rome with italy: non-aggression").code == "too_many"
    assert g.refused(FR, "propose: italy leaves tunis").code == "no_congress"
