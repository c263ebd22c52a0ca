"""The Congress of Europe: calling, site, members, proposals, ballots, signatures, defiance, failure."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from paxtui.engine.dice import Dice
from paxtui.games.pax.congress.proposals import congress_step, count_ballots
from paxtui.games.pax.events import events
from paxtui.games.pax.menus.legal import legal_actions
from paxtui.games.pax.position.view import congress_view
from paxtui.games.pax.state.phases import InProgress
from paxtui.games.pax.transaction import Transaction
from tests.rules.congress import (
    BOTH,
    MUTUAL,
    SETTLES,
    TUNIS,
    TWO,
    all_answer,
    asked_seats,
    cause,
    choose,
    game,
    markers,
    meet,
    none_proposes,
    propose,
    vote,
)
from tests.rules.harness import army

# Calling


@pytest.mark.rule("CON-001", "SEQ-020")
def test_only_a_holder_of_a_casus_belli_calls_a_congress():
    g = game()
    refusal = g.refused("russia", "congress britain")
    assert refusal.code == "no_cause" and "CON-001" in refusal.rules
    offered = {
        seat: [text for text in legal_actions(g.tables, g.state, seat).orders if text.startswith("congress ")]
        for seat in ("italy", "russia")
    }
    assert "congress britain" in offered["italy"] and len(offered["italy"]) > 1 and not offered["russia"]
    g.act("italy", "congress britain")
    assert g.state.congress.caller == "italy"


@pytest.mark.rule("SEQ-021")
def test_congress_phase_is_skipped_without_a_call():
    g = game()
    g.step()
    assert g.state.phase == "chinese_resentment" and g.state.congress is None


@pytest.mark.rule("NEG-002", "SEQ-020")
def test_with_a_call_the_congress_follows_the_negotiation():
    g = game()
    g.act("france", "congress britain")
    g.step()
    assert g.state.phase == "congress"
    assert markers(g, "tunis") == {("france", "protectorate"), ("italy", "protectorate")}


@pytest.mark.rule("ETI-015")
def test_convening_raises_the_tensions_by_3():
    g = game(indexes={"european_tensions": 40})
    g.act("france", "congress britain")
    assert g.state.tension == 43 and g.blames() == [(3, "france")]


@pytest.mark.rule("CON-010")
def test_there_is_one_congress_a_turn():
    g = game([*MUTUAL, cause("russia", "japan")])
    g.act("france", "congress britain")
    assert g.refused("russia", "congress britain").code == "called_already"
    for seat in g.waiting():
        g.act(seat, "ready")
    assert set(g.state.congress.disputants) == {"france", "italy", "russia", "japan"}
    assert set(g.state.congress.members) == {"britain", "france", "italy", "russia", "japan"}


@pytest.mark.rule("TRE-018")
def test_no_congress_is_called_after_the_negotiation_phase():
    g = game([cause("france", "italy")], phase="chinese_resentment")
    assert g.refused("france", "congress britain").code == "wrong_phase"


# The site


@pytest.mark.rule("CON-005", "CON-006", "CON-007")
def test_the_caller_names_a_neutral_site():
    g = game()
    for party in ("france", "italy"):
        refusal = g.refused("france", f"congress {party}")
        assert refusal.code == "site" and "CON-007" in refusal.rules
    assert refusal.detail["sites"] == ["britain", "germany", "russia", "austria_hungary"]
    g.act("france", "congress russia")
    assert g.state.congress.site == "russia"


@pytest.mark.rule("CON-039")
def test_vienna_may_be_the_site():
    g = game()
    g.act("france", "congress austria_hungary")
    assert g.state.congress.site == "austria_hungary" and "germany" in g.state.congress.members


@pytest.mark.rule("CON-039")
@pytest.mark.parametrize(("neutral", "open_"), [("yes", True), ("no", False)])
def test_vienna_for_a_german_dispute_is_an_option(neutral, open_):
    g = game([cause("france", "germany")], options={"vienna_neutral_for_german_disputes": neutral})
    if open_:
        g.act("france", "congress austria_hungary")  # accepted
    else:
        assert g.refused("france", "congress austria_hungary").code == "site"


@pytest.mark.rule("CON-007", "CON-039")
def test_vienna_cannot_host_a_dispute_of_austria_hungary():
    """The option applies only to Germany's disputes."""
    g = game([cause("italy", "austria_hungary")])
    assert g.refused("italy", "congress austria_hungary").code == "site"
    assert "austria_hungary" not in g.refused("italy", "congress italy").detail["sites"]


EUROPE = [cause("britain", "france"), cause("germany", "russia"), cause("italy", "germany")]


@pytest.mark.rule("CON-009")
def test_overseas_site_only_if_all_of_europe_is_party():
    g = game()
    assert g.refused("france", "congress united_states").code == "site"
    g = game(EUROPE)
    assert g.refused("france", "congress germany").code in ("site", "no_cause")
    refusal = g.refused("britain", "congress germany")
    assert refusal.detail["sites"] == ["united_states", "japan", "austria_hungary"]
    g.act("britain", "congress japan")
    assert "japan" in g.state.congress.members and "united_states" not in g.state.congress.members
    g = game([*EUROPE, cause("russia", "japan")])
    assert "japan" not in g.refused("britain", "congress japan").detail["sites"]


@pytest.mark.rule("CON-008")
def test_germany_hosts_if_all_powers_are_party():
    g = game([cause("britain", "france"), cause("germany", "united_states")], players=4, powers={}, areas={})
    refusal = g.refused("britain", "congress france")
    assert refusal.detail["sites"] == ["germany"]
    g.act("britain", "congress germany")
    assert g.state.congress.site == "germany"


@pytest.mark.rule("BEL-006")
def test_belgium_may_be_the_site():
    g = game(players=8, options={"belgium": "yes"})
    g.act("france", "congress belgium")
    assert g.state.congress.site == "belgium" and "belgium" in g.state.congress.members
    g = game([cause("france", "belgium")], players=8, options={"belgium": "yes"})
    assert g.refused("france", "congress belgium").code == "site"


# Members


@pytest.mark.rule("CON-002", "CON-010")
def test_parties_and_host_are_members_automatically():
    g = game()
    g.act("france", "congress britain")
    g.step()
    assert set(g.state.congress.members) == {"france", "italy", "britain"}
    assert asked_seats(g, "attend") == ["germany", "russia"]


@pytest.mark.rule("CON-003")
def test_other_europeans_may_attend():
    g = meet(game(), attend=("russia",))
    assert set(g.state.congress.members) == {"france", "italy", "britain", "russia"}


@pytest.mark.rule("CON-004")
@pytest.mark.parametrize(("britain", "invited"), [("japan", True), ("nobody", False), ("united_states", False)])
def test_overseas_powers_need_an_invitation_by_all(britain, invited):
    g = game()
    g.act("france", "congress britain")
    g.step()
    all_answer(g, "attend", "stay_away")
    assert "japan" not in asked_seats(g, "attend")
    all_answer(g, "invite", "japan", britain=britain)
    assert asked_seats(g, "attend") == (["japan"] if invited else [])
    if invited:
        choose(g, "japan", "attend", "attend")
    assert ("japan" in g.state.congress.members) == invited


@pytest.mark.rule("CON-004")
def test_overseas_disputant_is_a_member_automatically():
    g = game([cause("france", "japan")])
    g.act("france", "congress britain")
    assert "japan" in g.state.congress.members


@pytest.mark.rule("BEL-004", "CON-042")
@pytest.mark.parametrize(("causes", "site", "member"), [
    (MUTUAL, "britain", False), (MUTUAL, "belgium", True), ([cause("france", "belgium")], "britain", True),
])  # fmt: skip
def test_belgium_sits_only_as_party_or_host(causes, site, member):
    g = game(causes, players=8, options={"belgium": "yes"})
    g.act("france", f"congress {site}")
    g.step()
    assert ("belgium" in g.state.congress.members) == member
    assert "belgium" not in asked_seats(g, "attend") and "belgium" not in asked_seats(g, "invite")


@pytest.mark.rule("BEL-005", "CON-042")
def test_belgium_has_a_full_vote():
    g = meet(game(players=8, options={"belgium": "yes"}), site="belgium")
    propose(g, "belgium", SETTLES)
    vote(g, "abstain sign", belgium="yes sign", france="yes sign", italy="no sign")
    assert g.state.congress.proposals[0].votes["belgium"] == "yes" and g.state.congress.outcome == "settled"


@pytest.mark.rule("CON-002")
def test_delegates_sit_in_the_order_of_the_french_alphabet_germany_first():
    g = meet(game(), attend=("germany", "russia"))
    seating = congress_view(g.tables, g.state)["seating"]
    assert seating == ["germany", "france", "britain", "italy", "russia"]


# The agenda


@pytest.mark.rule("CON-012")
def test_the_members_vote_on_the_order_of_the_disputes():
    g = meet(game(BOTH, areas=TWO), site="germany", attend=("germany",))
    assert g.state.congress.agenda == ("tunis", "siam")
    all_answer(g, "agenda", "siam", france="tunis")
    assert g.state.congress.agenda == ("siam", "tunis")


@pytest.mark.rule("CON-011")
def test_one_treaty_may_settle_all_disputes_or_one_after_the_other():
    g = meet(game(BOTH, areas=TWO), site="germany")
    all_answer(g, "agenda", "tunis")
    propose(g, "russia", f"{SETTLES}; russia lowers siam to interest")
    vote(g)
    assert g.state.congress.outcome == "settled" and not g.state.casus_belli
    g = meet(game(BOTH, areas=TWO), site="germany")
    all_answer(g, "agenda", "tunis")
    propose(g, "russia", SETTLES)
    vote(g)
    assert congress_step(g.state, g.state.congress) == "propose" and [c.area for c in g.state.casus_belli] == ["siam"]
    propose(g, "britain", "russia lowers siam to interest")
    vote(g)
    assert g.state.congress.outcome == "settled"


# Proposals


@pytest.mark.rule("CON-013")
def test_only_members_may_propose():
    g = meet(game(), attend=("russia",))
    assert g.refused("germany", f"propose Act: {SETTLES}").code == "not_a_member"
    g.act("russia", f"propose Act: {SETTLES}")
    assert g.state.congress.proposals[0].proposer == "russia"


@pytest.mark.rule("CON-014")
def test_a_treaty_may_leave_no_marker_illegally():
    g = meet(game())
    refusal = g.refused("france", "propose Act: italy lowers tunis to influence")
    assert refusal.code == "not_beside" and "CON-014" in refusal.rules
    g.act("france", "propose Act: italy lowers tunis to interest")
    three = [*TUNIS, {"power": "germany", "marker": "protectorate"}]
    g = meet(game(areas={"tunis": {"markers": three}}))
    refusal = g.refused("france", "propose Act: italy lowers tunis to interest")
    assert refusal.code == "left_illegal" and "CON-014" in refusal.rules
    g.act("france", "propose Act: italy lowers tunis to interest; germany lowers tunis to nothing")  # accepted


@pytest.mark.rule("CON-015", "CON-018", "CON-019", "CON-016")
def test_proposals_may_contain_money_and_promises():
    gabon = {"markers": [{"power": "germany", "marker": "interest"}]}
    tunis = {"markers": TUNIS}
    g = meet(game(areas={"tunis": tunis, "gabon": gabon}), attend=("germany",))
    propose(g, "britain", f"{SETTLES}; germany lowers gabon to nothing; britain builds no naval until 1884")
    vote(g)
    all_answer(g, "sign", "sign")
    assert g.state.congress.outcome == "settled"
    assert g.state.powers["italy"].treasury == 35 and g.state.powers["france"].treasury == 25
    assert markers(g, "gabon") == set()
    treaty = g.state.treaties[-1]
    assert treaty.form == "congress" and treaty.stage == "in_force" and treaty.public
    assert [c.kind for c in treaty.clauses].count("no_build") == 1


@pytest.mark.rule("CON-017")
def test_markers_may_be_handed_over_by_a_congress():
    gabon = {"markers": [{"power": "germany", "marker": "interest"}]}
    g = meet(game(areas={"tunis": {"markers": TUNIS}, "gabon": gabon}), attend=("germany",))
    propose(g, "britain", f"{SETTLES}; germany transfers gabon to france")
    vote(g)
    all_answer(g, "sign", "sign")
    assert markers(g, "gabon") == {("france", "interest")}


KOREA = {"markers": [{"power": "russia", "marker": "protectorate"}], "units": [army("russia")]}


@pytest.mark.rule("CON-020", "CRI-006")
def test_codominions_are_granted_without_cost():
    g = meet(game(areas={"tunis": {"markers": TUNIS}, "korea": KOREA}), attend=("russia",))
    propose(g, "britain", f"{SETTLES}; russia grants japan protectorate in korea")
    vote(g)
    all_answer(g, "sign", "sign")
    assert markers(g, "korea") == {("russia", "protectorate"), ("japan", "protectorate")}
    assert g.state.powers["japan"].treasury == 0 and g.state.resentment == 0


@pytest.mark.rule("CON-021")
@pytest.mark.parametrize("options", [{"congress_free_codominion": "disputed"}, {"edition": "1993"}])
def test_edition_of_1993_shares_only_disputed_areas(options):
    areas = {"tunis": {"markers": TUNIS}, "korea": KOREA}
    powers = {"france": {"treasury": 40}, "japan": {"treasury": 30}}
    g = meet(game(areas=areas, powers=powers, options=options), attend=("russia",))
    propose(g, "britain", "italy lowers tunis to interest; russia grants japan protectorate in korea")
    vote(g)
    all_answer(g, "sign", "sign")
    assert markers(g, "korea") == {("russia", "protectorate"), ("japan", "protectorate")}
    assert g.state.powers["japan"].treasury == 10


# Votes


@pytest.mark.rule("CON-024", "CON-025")
@pytest.mark.parametrize(("votes", "adopted"), [
    ({"britain": "yes", "france": "yes", "russia": "yes", "germany": "no", "italy": "no"}, True),
    ({"britain": "yes", "france": "no", "russia": "no", "germany": "abstain", "italy": "abstain"}, False),
    ({"britain": "yes", "france": "abstain", "russia": "abstain", "germany": "abstain", "italy": "abstain"}, True),
    (dict.fromkeys(("britain", "france", "russia", "germany", "italy"), "abstain"), False),
])  # fmt: skip
def test_a_majority_of_the_votes_cast_adopts(votes, adopted):
    g = meet(game(), attend=("germany", "russia"))
    propose(g, "russia", SETTLES)
    for seat, word in votes.items():
        choose(g, seat, "ballot", word)
    assert (g.state.congress.proposals[0].stage == "done") == adopted
    assert g.state.congress.proposals[0].votes == votes
    if not adopted:
        assert congress_step(g.state, g.state.congress) == "propose"


@pytest.mark.rule("CON-026")
@pytest.mark.parametrize("word", ["yes", "no"])
def test_the_host_breaks_a_tie(word):
    g = meet(game(), attend=("germany", "russia"))
    propose(g, "russia", SETTLES)
    vote(g, "yes sign", germany="no", italy="no sign", britain="abstain")
    assert asked_seats(g, "tie") == ["britain"]
    choose(g, "britain", "tie", word)
    assert (g.state.congress.outcome == "settled") == (word == "yes")
    assert g.state.congress.proposals[0].tie == "britain"


@pytest.mark.rule("CON-026")
def test_tie_not_broken_by_the_host_is_no_majority():
    g = meet(game(), attend=("germany", "russia"))
    propose(g, "russia", SETTLES)
    vote(g, "yes sign", germany="no", italy="no sign", britain="abstain")
    (tie,) = g.pending()
    assert (tie.kind, tie.options, tie.default) == ("tie", ("yes", "no"), "no")
    g.step()
    assert g.state.congress.proposals[0].stage == "defeated"


@pytest.mark.rule("SET-030", "TRE-006")
@pytest.mark.parametrize("clause", ["france pays spain 5", "belgium pays france 5"])
def test_a_congress_moves_no_money_of_powers_without_a_treasury(clause):
    g = meet(game(), attend=("germany", "russia"))
    refusal = g.refused("russia", f"propose Act of London: {clause}")
    assert (refusal.code, refusal.rules) == ("no_treasury", ("SET-030", "TRE-006"))


@pytest.mark.rule("CON-040")
def test_germany_has_a_second_vote_only_in_vienna():
    g = meet(game(), site="austria_hungary", attend=("britain", "russia"))
    assert sorted(g.state.congress.members) == ["britain", "france", "germany", "italy", "russia"]
    propose(g, "russia", SETTLES)
    assert asked_seats(g, "ballot").count("germany") == 1
    vote(g, "yes sign", germany="no", italy="no sign", britain="abstain")
    assert asked_seats(g, "tie") == ["germany"]
    g = meet(game(), site="russia", attend=("germany", "britain"))
    propose(g, "russia", SETTLES)
    vote(g, "yes sign", germany="no", italy="no sign", britain="abstain")
    assert asked_seats(g, "tie") == ["russia"]


@pytest.mark.rule("CON-024")
def test_ballots_are_sealed_until_all_are_in():
    g = meet(game())
    propose(g, "britain", SETTLES)
    choose(g, "france", "ballot", "no defy")
    for seat in ("italy", "britain", "spectator"):
        shown = str(g.view(seat)["congress"]) + str(g.view(seat)["pending"])
        assert "defy" not in shown.replace("'defy']", "").replace("'sign', 'defy'", "") and g.view(seat)["congress"][
            "ballots_cast"
        ] == ["france"]
    assert not g.state.congress.proposals[0].votes


def test_congress_resumes_the_phase_that_it_interrupts():
    g = meet(game())
    assert [frame.phase for frame in g.state.frames] == ["congress", "sitting"]
    for _ in range(3):
        propose(g, "britain", SETTLES)
        vote(g, "no sign")
    assert [frame.phase for frame in g.state.frames] == ["congress"]
    g = meet(game())
    below = InProgress("war", "spoils")
    g.state = replace(g.state, frames=(below, *g.state.frames))
    assert g.state.phase == "congress"
    for _ in range(3):
        propose(g, "britain", SETTLES)
        vote(g, "no sign")
    assert g.state.congress.outcome == "failed" and g.state.frames == (below, InProgress("congress"))


@pytest.mark.rule("CON-027")
def test_congress_continues_after_a_rejected_proposal():
    g = meet(game())
    for _ in range(3):
        assert congress_step(g.state, g.state.congress) == "propose"
        propose(g, "britain", SETTLES)
        vote(g, "no sign")
    assert congress_step(g.state, g.state.congress) == "over" and g.state.congress.outcome == "failed"
    g = meet(game(options={"congress_proposals": "1"}))
    propose(g, "britain", SETTLES)
    vote(g, "no sign")
    assert g.state.congress.outcome == "failed"


# Signing and defying


@pytest.mark.rule("CON-028", "CON-041", "ETI-032")
def test_terms_take_effect_when_all_disputants_sign():
    g = meet(game())
    propose(g, "britain", SETTLES)
    vote(g)
    assert markers(g, "tunis") == {("france", "protectorate"), ("italy", "interest")}
    assert not g.state.casus_belli and g.state.congress.outcome == "settled"
    # 3 for convening, 2 for the steps of the Italian marker
    assert g.blames() == [(3, "france"), (2, "italy")]


@pytest.mark.rule("CON-029", "CON-030", "CON-033")
def test_defiance_gives_every_other_member_a_casus_belli():
    g = meet(game(), attend=("russia",))
    propose(g, "russia", SETTLES)
    vote(g, "yes sign", italy="no defy")
    assert g.state.congress.refusers == ("italy",) and g.state.congress.outcome == "refused"
    against = {(c.holder, c.against) for c in g.state.casus_belli if c.cause == "congress_treaty_refused"}
    assert against == {("britain", "italy"), ("france", "italy"), ("russia", "italy")}
    assert g.state.powers["france"].treasury == 40


@pytest.mark.rule("ETI-016", "ETI-017", "ETI-018", "CON-038")
def test_tensions_of_a_failed_congress():
    one = [cause("russia", "britain", "persia")]
    persia = {"markers": [{"power": "britain", "marker": "protectorate"}, {"power": "russia", "marker": "influence"}]}
    g = meet(game(one, areas={"persia": persia}), caller="russia", site="france")
    propose(g, "france", "britain lowers persia to influence")
    vote(g, "yes sign", britain="no defy")
    # convening 3, the Casus Belli left 3, the refuser 2, then two steps of the Russian Influence that goes
    assert g.blames() == [(3, "russia"), (3, "britain"), (2, "britain"), (2, "britain")]
    # no Treaty was adopted, so no refusal and no minimum of 5
    g = meet(game(one, areas={"persia": persia}), caller="russia", site="france")
    none_proposes(g)
    assert [n for n, _ in g.blames()][:2] == [3, 3] and g.state.congress.outcome == "failed"
    assert g.state.tension == 3 + 3 + 2


@pytest.mark.rule("ETI-016")
def test_a_mutual_casus_belli_counts_once():
    g = meet(game([*MUTUAL, cause("russia", "britain", "siam")], areas=TWO), site="germany")
    all_answer(g, "agenda", "tunis")
    none_proposes(g)
    assert [e.area for e in g.all_of(events.TensionRaised) if "unresolved" in e.reason] == ["tunis", "siam"]
    assert [n for n, _ in g.blames()][:3] == [3, 3, 3]


@pytest.mark.rule("ETI-016")
def test_three_disputants_are_three_conflicts():
    rivals = ("france", "germany", "italy")
    causes = [
        cause(one, other, "tunis", cause="control_conflict", rule="STA-024")
        for one in rivals
        for other in rivals
        if one != other
    ]
    three = [*TUNIS, {"power": "germany", "marker": "protectorate"}]
    g = meet(game(causes, areas={"tunis": {"markers": three}}))
    none_proposes(g)
    assert [n for n, _ in g.blames()][:4] == [3, 3, 3, 3]
    assert len([e for e in g.all_of(events.TensionRaised) if "unresolved" in e.reason]) == 3


@pytest.mark.rule("ETI-016")
def test_one_treaty_broken_with_two_is_two_conflicts_and_two_treaties_are_two():
    g = meet(game([cause("italy", "japan", treaty="one"), cause("russia", "japan", treaty="one")], areas={}), "italy")
    none_proposes(g)
    assert [n for n, _ in g.blames()] == [3, 3, 3]
    g = meet(game([cause("italy", "japan", treaty="one"), cause("italy", "japan", treaty="two")], areas={}), "italy")
    none_proposes(g)
    assert [n for n, _ in g.blames()] == [3, 3, 3]


@pytest.mark.rule("ETI-017", "ETI-018")
def test_two_refusals_cost_four_points():
    g = meet(game())
    propose(g, "britain", SETTLES)
    vote(g, "yes sign", italy="yes defy", france="yes defy")
    assert g.blames() == [(3, "france"), (3, "france"), (2, "france"), (2, "italy"), (3, "italy"), (3, "france")]


@pytest.mark.rule("CON-036", "CON-035", "CON-037")
def test_markers_of_the_original_holders_go_without_a_war():
    g = meet(game())
    propose(g, "britain", SETTLES)
    vote(g, "yes sign", italy="no defy")
    assert markers(g, "tunis") == set() and not [c for c in g.state.casus_belli if c.area]
    assert not g.state.areas["tunis"].units
    assert any(u.strength == 3 and u.kind == "army" for u in g.state.homes["italy"])


@pytest.mark.rule("CON-036")
def test_refuser_without_a_casus_belli_keeps_its_marker():
    persia = {"markers": [{"power": "britain", "marker": "protectorate"}, {"power": "russia", "marker": "influence"}]}
    g = meet(game([cause("russia", "britain", "persia")], areas={"persia": persia}), caller="russia", site="france")
    propose(g, "france", "britain lowers persia to influence")
    vote(g, "yes sign", britain="no defy")
    assert markers(g, "persia") == {("britain", "protectorate")}


@pytest.mark.rule("CON-035", "CON-036")
def test_option_lowers_markers_only_as_far_as_necessary():
    g = meet(game(options={"l547_full_removal": "no"}))
    none_proposes(g)
    assert markers(g, "tunis") == {("france", "influence"), ("italy", "influence")}


@pytest.mark.rule("CON-034")
def test_casus_belli_against_the_refuser_lasts_for_the_war_phase():
    g = meet(game())
    propose(g, "britain", SETTLES)
    vote(g, "yes sign", italy="no defy")
    assert congress_step(g.state, g.state.congress) == "over"
    assert ("france", "italy") in {(c.holder, c.against) for c in g.state.casus_belli if not c.area}
    assert all(c.lapses == "turn" for c in g.state.casus_belli)


# Powers that are no party

KONGO = {
    "markers": [
        {"power": "britain", "marker": "protectorate"},
        {"power": "germany", "marker": "protectorate"},
        {"power": "belgium", "marker": "influence"},
    ],
    "units": [army("britain"), army("germany")],
}
KONGO_CAUSES = [
    cause("britain", "germany", "kongo", cause="control_conflict", rule="STA-024"),
    cause("germany", "britain", "kongo", cause="control_conflict", rule="STA-024"),
    cause("italy", "germany", "kongo", cause="defence", rule="MIN-040", minor="belgium"),
]
JAPANESE = {"markers": [{"power": "japan", "marker": "protectorate"}], "units": [army("japan")]}
SHARED = "codominion of kongo with britain, germany; belgium lowers kongo to interest"
KONGO_ACT = f"{SHARED}; japan grants russia protectorate in korea"


def kongo(answer: str) -> Any:
    """The example of the rulebook: Kongo shared, Belgium down to an Interest, and a clause about Korea."""
    g = game(KONGO_CAUSES, areas={"kongo": KONGO, "korea": JAPANESE})
    meet(g, caller="britain", site="france", attend=("russia",))
    propose(g, "russia", KONGO_ACT)
    vote(g)
    choose(g, "japan", "sign", answer)
    if "russia" in asked_seats(g, "sign"):
        choose(g, "russia", "sign", "sign")
    return g


@pytest.mark.rule("CON-031", "MIN-037", "ETI-017")
def test_unsigned_clause_on_korea_falls_and_kongo_is_shared():
    g = kongo("refuse")
    assert markers(g, "kongo") == {("britain", "protectorate"), ("germany", "protectorate"), ("belgium", "interest")}
    assert set(g.state.areas["kongo"].codominion) == {"britain", "germany"}
    assert markers(g, "korea") == {("japan", "protectorate")}
    assert not g.state.casus_belli and g.state.congress.outcome == "settled"
    assert g.state.congress.proposals[0].fallen == (2,)
    assert sum(n for n, who in g.blames() if who == "japan") == 0


@pytest.mark.rule("CON-032")
def test_korea_is_shared_if_japan_signs():
    g = kongo("sign")
    assert markers(g, "korea") == {("japan", "protectorate"), ("russia", "protectorate")}


@pytest.mark.rule("CON-022")
def test_a_codominion_needs_every_holder_of_control():
    g = game(KONGO_CAUSES, areas={"kongo": KONGO})
    meet(g, caller="britain", site="france")
    propose(g, "france", SHARED)
    vote(g, "yes sign", britain="no defy")
    assert g.state.congress.outcome == "refused" and g.state.areas["kongo"].codominion == ()
    # the holder of Control is no disputant: only the clause falls
    g = meet(game(areas={"tunis": {"markers": TUNIS}, "korea": KOREA}))
    propose(g, "britain", f"{SETTLES}; russia grants japan protectorate in korea")
    vote(g)
    choose(g, "russia", "sign", "refuse")
    choose(g, "japan", "sign", "sign")
    assert markers(g, "korea") == {("russia", "protectorate")} and g.state.congress.outcome == "settled"


@pytest.mark.rule("CON-023")
def test_an_influence_that_does_not_consent_keeps_its_casus_belli():
    persia = {
        "markers": [
            {"power": "britain", "marker": "protectorate"},
            {"power": "germany", "marker": "protectorate"},
            {"power": "russia", "marker": "influence"},
        ]
    }
    causes = [
        cause("britain", "germany", "persia", cause="control_conflict", rule="STA-024"),
        cause("germany", "britain", "persia", cause="control_conflict", rule="STA-024"),
    ]
    g = meet(game(causes, areas={"persia": persia}), caller="britain", site="france")
    propose(g, "france", "codominion of persia with britain, germany")
    vote(g)
    assert set(g.state.areas["persia"].codominion) == {"britain", "germany"}
    assert {(c.holder, c.against) for c in g.state.casus_belli} == {("russia", "britain"), ("russia", "germany")}


# Minor Powers

MAROCCO = {"markers": [{"power": "spain", "marker": "protectorate"}, {"power": "britain", "marker": "influence"}]}
SPAIN = [cause("britain", "spain", "marocco")]


@pytest.mark.rule("MIN-035", "MIN-036", "CON-001", "MIN-024")
def test_a_congress_against_a_minor_power_which_has_no_vote():
    g = meet(game(SPAIN, areas={"marocco": MAROCCO}), caller="britain", site="france")
    assert "spain" in g.state.congress.disputants and "spain" not in g.state.congress.members
    propose(g, "france", "spain lowers marocco to nothing")
    assert "spain" not in asked_seats(g, "ballot")


@pytest.mark.rule("MIN-037")
def test_minor_power_accepts_the_decision_of_the_congress():
    g = meet(game(SPAIN, areas={"marocco": MAROCCO}), caller="britain", site="france")
    propose(g, "france", "spain lowers marocco to nothing")
    vote(g)
    assert markers(g, "marocco") == {("britain", "influence")} and g.state.congress.outcome == "settled"


@pytest.mark.rule("MIN-038")
def test_influence_holder_may_refuse_a_treaty_for_a_minor_power():
    g = meet(game(SPAIN, areas={"marocco": MAROCCO}), caller="britain", site="france", attend=("germany",))
    propose(g, "france", "britain lowers marocco to interest")
    vote(g, "yes sign", britain="no defy")
    assert g.state.congress.refusers == ("britain",)
    assert markers(g, "marocco") == {("spain", "protectorate")}  # no War is declared: the holder's marker goes


@pytest.mark.rule("MIN-041", "CON-016", "CON-017")
def test_congress_does_not_treat_other_areas_of_minor_powers():
    g = meet(game(SPAIN, areas={"marocco": MAROCCO}), caller="britain", site="france")
    for text in ("spain lowers rio_de_oro to protectorate", "portugal lowers angola to interest"):
        refusal = g.refused("france", f"propose Act: {text}")
        assert refusal.code == "minor" and "MIN-041" in refusal.rules
    g.act("france", "propose Act: spain lowers marocco to interest; britain waives marocco")  # accepted


@pytest.mark.rule("MIN-042")
@pytest.mark.parametrize("taken", [True, False])
def test_yellow_press_brings_all_spanish_markers_to_a_congress(taken):
    press = {"holder": "united_states", "against": "spain", "rule": "EVT-056", "cause": "yellow_press"}
    g = game([*MUTUAL, press])
    if not taken:
        g.act("united_states", "waive cb3")
    meet(g, caller="france", site="britain")
    assert ("spain" in g.state.congress.disputants) == taken
    text = f"propose Act: {SETTLES}; spain lowers cuba to protectorate"
    if taken:
        g.act("france", text)  # accepted
    else:
        assert g.refused("france", text).code == "minor"


@pytest.mark.rule("MIN-040", "MIN-043", "CON-005")
def test_defender_of_a_minor_power_calls_a_congress_and_names_its_site():
    kongo_ = {"markers": [{"power": "belgium", "marker": "influence"}, {"power": "france", "marker": "protectorate"}]}
    g = game([], areas={"kongo": kongo_})
    g.act("germany", "defend belgium kongo")
    for seat in g.waiting():
        g.act(seat, "ready")
    assert g.state.phase == "congress" and asked_seats(g, "site") == ["germany"]
    choose(g, "germany", "site", "britain")
    assert {"germany", "france", "belgium"} <= set(g.state.congress.disputants)
    all_answer(g, "attend", "stay_away")
    all_answer(g, "invite", "nobody")
    # against the Minor Power: it accepts, and there is no War
    propose(g, "britain", "belgium lowers kongo to interest")
    vote(g)
    assert markers(g, "kongo") == {("france", "protectorate"), ("belgium", "interest")}
    assert g.state.congress.outcome == "settled" and not g.state.casus_belli


# The end


@pytest.mark.rule("CON-027", "SEQ-021")
def test_congress_without_any_answers_ends():
    g = game()
    g.act("france", "congress britain")
    g.step()
    g.step()
    assert g.state.phase == "chinese_resentment" and not [c for c in g.state.casus_belli if c.area]


@pytest.mark.rule("CON-011")
def test_congress_does_not_meet_if_all_disputes_are_settled():
    g = game()
    g.act("france", "congress britain")
    g.act("italy", "downgrade interest tunis")
    g.step()
    assert g.state.congress.outcome == "settled" and g.waiting() == ()


@pytest.mark.rule("SEQ-020")
def test_offensive_treaty_does_not_extend_a_casus_belli_in_peace():
    # Britain holds a Casus Belli against Germany; an offensive Treaty with France passes nothing on in peace
    offensive = {
        "id": "kq7da", "name": "Entente", "form": "treaty", "drafter": "britain", "parties": ["britain", "france"],
        "signed": ["britain", "france"], "stage": "in_force", "since": 1,
        "clauses": [{"kind": "offensive", "against": ["germany"]}],
    }  # fmt: skip
    g = game([cause("britain", "germany")], treaties=[offensive])
    assert g.refused("france", "congress russia").code == "no_cause"
    g.act("britain", "congress russia")
    assert "france" not in g.state.congress.disputants


# Promised votes


@pytest.mark.rule("TRE-004", "TRE-007")
@pytest.mark.parametrize(("vote_", "broken"), [("yes sign", False), ("no sign", True), ("abstain", True)])
def test_promised_vote_is_kept_or_broken(vote_, broken):
    promise = {
        "id": "kq7da", "name": "Potsdam", "form": "treaty", "drafter": "britain", "parties": ["britain", "france"],
        "signed": ["britain", "france"], "stage": "in_force", "since": 1, "public": True,
        "clauses": [{"kind": "vote", "power": "britain", "vote": "yes", "places": ["tunis"]}],
    }  # fmt: skip
    g = meet(game(treaties=[promise]))
    propose(g, "france", SETTLES)
    vote(g, "yes sign", britain=vote_)
    assert bool(g.state.treaties[0].breaches) == broken
    held = {(c.holder, c.against) for c in g.state.casus_belli if c.cause == "treaty_broken"}
    assert held == ({("france", "britain")} if broken else set())
    assert ((5, "britain") in g.blames()) == broken


@pytest.mark.rule("CON-024")
def test_member_without_a_ballot_abstains() -> None:
    g = meet(game())
    propose(g, "france", SETTLES)
    state = replace(g.state, choices=(), ballots={"britain": ("yes", "sign")})
    play = Transaction(g.tables, state, Dice("ballots"))
    count_ballots(play)
    opened = next(e for e in play.events if isinstance(e, events.BallotsOpened))
    others = {seat: "abstain" for seat in g.state.congress.members if seat != "britain"}
    assert opened.votes == {**others, "britain": "yes"}
