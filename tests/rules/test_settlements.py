"""Settlements (NEG): several acts that are carried out together or not at all."""

from __future__ import annotations

import pytest

from paxtui.engine.dice import Dice
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.status import controls
from paxtui.games.pax.diplomacy import settlement
from paxtui.games.pax.diplomacy.disputes import area_disputes
from paxtui.games.pax.events import events
from paxtui.games.pax.state.diplomacy import Clause
from paxtui.games.pax.transaction import GameOver, Transaction
from tests.rules.agreements import (
    agree,
    draft_of,
    grant,
    lower,
    money,
    negotiating,
    not_agreed,
    pay,
    persia,
    share,
    transfer,
    tunis,
    waive,
)
from tests.rules.harness import marker, start

# All or nothing


@pytest.mark.rule("NEG-013", "NEG-003", "NEG-014")
def test_money_in_exchange_for_leaving() -> None:
    g = tunis()
    agree(g, lower("italy", "tunis", "interest"), pay("france", "italy", 15))
    assert money(g, "france", "italy") == (85, 115)
    assert g.kind("tunis", "italy") == "interest" and g.kind("tunis", "france") == "protectorate"
    assert g.state.casus_belli == () and g.state.tension == 2
    g.step()
    assert g.kind("tunis", "france") == "protectorate" and g.state.tension == 2


@pytest.mark.rule("NEG-013")
def test_marker_elsewhere_in_exchange_for_leaving() -> None:
    g = tunis(areas={"siam": [marker("france", "influence")]})
    agree(g, transfer("france", "siam", "italy"), lower("italy", "tunis"))
    assert g.kind("siam", "italy") == "influence" and g.kind("siam", "france") == ""
    assert g.kind("tunis", "italy") == "" and g.state.tension == 3 and g.state.casus_belli == ()
    assert all("NEG-013" in e.rules for e in g.of(events.MarkerLowered))


@pytest.mark.rule("NEG-013", "NEG-015")
def test_settlement_is_atomic() -> None:
    g = tunis()
    poor = not_agreed(g, lower("italy", "tunis"), pay("france", "italy", 101))
    assert poor.code == "no_money" and "NEG-015" in poor.rules
    assert g.kind("tunis", "italy") == "protectorate" and g.state.tension == 0
    assert len(g.state.casus_belli) == 2 and money(g, "france", "italy") == (100, 100)
    settlement.check_settlement(Transaction(g.tables, g.state, Dice("test")), [pay("france", "italy", 100)])
    after = settlement.settlement_outcome(g.tables, g.state, [pay("france", "italy", 100)])
    assert after.powers["italy"].treasury == 200 and g.state.powers["italy"].treasury == 100


@pytest.mark.rule("NEG-014", "NEG-015")
def test_received_money_may_be_spent_at_once() -> None:
    g = negotiating({"persia": [marker("britain", "protectorate")]}, money={"russia": 0, "france": 20})
    poor = not_agreed(g, grant("britain", "persia", "russia"))
    assert poor.code == "no_money" and poor.rules == ("NEG-015", "NEG-014", "STA-004")
    agree(g, grant("britain", "persia", "russia"), pay("france", "russia", 20))
    assert money(g, "france", "russia") == (0, 0) and controls(g.state, "persia", "russia")
    totals = [e.total for e in g.of(events.TreasuryChanged)]
    assert min(totals) >= 0


@pytest.mark.rule("NEG-014")
def test_money_is_conserved_and_only_player_powers_have_any() -> None:
    g = negotiating({})
    agree(g, pay("germany", "italy", 10), pay("italy", "germany", 3))
    assert money(g, "germany", "italy") == (93, 107)
    assert not_agreed(g, pay("france", "spain", 5)).code == "no_treasury"
    assert not_agreed(g, pay("spain", "france", 5)).code == "no_treasury"
    assert not_agreed(g, pay("austria_hungary", "france", 5)).rules[-1] == "AUS-011"
    assert not_agreed(g, pay("france", "italy", 0)).code == "amount"


@pytest.mark.rule("NEG-005", "ETI-013")
def test_a_great_war_in_the_middle_ends_the_game_there() -> None:
    g = tunis(indexes={"european_tensions": 99})
    with pytest.raises(GameOver) as caught:
        agree(g, lower("italy", "tunis", "interest"), pay("france", "italy", 15))
    assert caught.value.culprits == ("italy",)


# Giving way


@pytest.mark.rule("NEG-004", "NEG-005", "NEG-010")
def test_both_step_down_to_influence_together() -> None:
    g = tunis()
    agree(g, lower("france", "tunis", "influence"), lower("italy", "tunis", "influence"))
    assert g.kind("tunis", "france") == g.kind("tunis", "italy") == "influence"
    assert g.state.tension == 2 and g.state.casus_belli == () and money(g, "france", "italy") == (100, 100)
    assert not area_disputes(g.tables, g.state)


@pytest.mark.rule("NEG-006", "NEG-008", "NEG-009")
def test_settlement_may_leave_no_illegal_markers() -> None:
    g = tunis()
    assert "NEG-006" in not_agreed(g, lower("france", "tunis", "influence"), pay("italy", "france", 5)).rules
    agree(g, lower("france", "tunis", "interest"))
    g = persia("possession")
    assert "NEG-009" in not_agreed(g, lower("russia", "persia", "interest")).rules
    agree(g, lower("russia", "persia"))
    assert g.kind("persia", "russia") == "" and g.state.tension == 2
    g = persia("protectorate")
    agree(g, lower("russia", "persia", "interest"))
    assert g.kind("persia", "russia") == "interest" and g.state.tension == 1


@pytest.mark.rule("NEG-007", "ETI-031")
def test_either_side_of_control_and_influence_may_give_way() -> None:
    g = persia()
    agree(g, lower("russia", "persia", "interest"))
    assert [(e.blame, e.amount) for e in g.of(events.TensionRaised)] == [("britain", 1)]
    g = persia()
    agree(g, lower("britain", "persia", "influence"))
    assert [(e.blame, e.amount) for e in g.of(events.TensionRaised)] == [("britain", 1)]
    assert g.kind("persia", "russia") == "influence" and g.state.casus_belli == ()


@pytest.mark.rule("NEG-003")
def test_lowering_without_dispute_needs_another_player() -> None:
    g = negotiating({"siam": [marker("france", "influence")], "serbia": [marker("austria_hungary", "influence")]})
    assert not_agreed(g, lower("france", "siam")).code == "no_dispute"
    assert not_agreed(g, lower("austria_hungary", "serbia"), pay("germany", "austria_hungary", 5)).code == "no_dispute"
    agree(g, lower("france", "siam"), parties=("france", "britain"))
    assert g.kind("siam", "france") == "" and g.state.tension == 2
    assert not_agreed(g, lower("france", "siam"), parties=("france", "britain")).code == "no_marker"


@pytest.mark.rule("NEG-003", "NEG-007")
def test_a_casus_belli_may_be_waived_for_something() -> None:
    g = persia()
    agree(g, waive("russia", "persia"), pay("britain", "russia", 10))
    assert g.state.casus_belli == () and money(g, "britain", "russia") == (90, 110)
    assert [e.reason for e in g.of(events.CasusBelliEnded)] == ["waived"]
    g.step()  # the Influence it was about gives way all the same
    assert g.kind("persia", "russia") == "interest" and g.kind("persia", "britain") == "protectorate"
    assert not_agreed(persia(), waive("britain", "persia")).code == "no_casus_belli"
    assert not_agreed(persia(), waive("russia", "persia", "france")).code == "no_casus_belli"


@pytest.mark.rule("NEG-003")
def test_a_casus_belli_without_an_area_may_be_waived_too() -> None:
    g = negotiating({}, [("united_states", "spain", ""), ("united_states", "france", "")])
    agree(g, waive("united_states", against="spain"))
    assert g.causes() == {("united_states", "france", "")}


# Markers that change hands


@pytest.mark.rule("NEG-011", "NEG-016")
def test_a_marker_passes_on_at_its_level_for_nothing() -> None:
    g = negotiating({"siam": [marker("france", "influence")], "kenya": [marker("britain", "possession")]})
    agree(g, transfer("france", "siam", "britain"), transfer("britain", "kenya", "france"))
    assert g.kind("siam", "britain") == "influence" and g.kind("siam", "france") == ""
    assert g.kind("kenya", "france") == "possession" and g.kind("kenya", "britain") == ""
    assert not g.of(events.TreasuryChanged) and g.state.tension == 0
    g = negotiating({"siam": [marker("france", "influence")]}, options={"transfer_raises_eti": "yes"})
    agree(g, transfer("france", "siam", "britain"))
    assert g.state.tension == 1


@pytest.mark.rule("NEG-011")
def test_impossible_transfers_are_refused() -> None:
    g = negotiating({"canada": [marker("britain", "dominion")], "siam": [marker("france", "influence")]})
    assert not_agreed(g, transfer("britain", "canada", "france")).code == "crown"
    assert not_agreed(g, transfer("france", "siam", "spain")).code == "minor"
    assert not_agreed(g, transfer("britain", "siam", "france")).code == "no_marker"
    named = Clause("transfer", power="france", to="britain", places=("siam",), marker="protectorate")
    assert not_agreed(g, named).code == "changed"


@pytest.mark.rule("NEG-011")
def test_two_markers_change_places_where_the_pieces_are_all_on_the_map() -> None:
    # Spain has no player, and all round pieces of Italy are in use, so its own must come back first
    limit = start().tables.counters["italy"].round
    areas = [a for a, row in start().tables.areas.items() if row.type == "independent"][:limit]
    g = negotiating({**{a: [marker("italy", "influence")] for a in areas}, "siam": [marker("france", "influence")]})
    assert not_agreed(g, transfer("france", "siam", "italy")).code == "no_piece"
    agree(g, transfer("france", "siam", "italy"), transfer("italy", areas[0], "france"))
    assert g.kind("siam", "italy") == g.kind(areas[0], "france") == "influence"


@pytest.mark.rule("NEG-011", "NEG-003")
def test_receiver_of_a_disputed_marker_takes_over_the_dispute() -> None:
    g = tunis()
    agree(g, transfer("france", "tunis", "britain"))
    assert g.causes() == {("britain", "italy", "tunis"), ("italy", "britain", "tunis")}
    g = tunis()
    agree(g, transfer("france", "tunis", "britain"), share("tunis", "britain", "italy"))
    assert g.causes() == set() and set(g.state.areas["tunis"].codominion) == {"britain", "italy"}


# Required signers


@pytest.mark.rule("NEG-011", "NEG-012", "NEG-019", "NEG-022")
def test_required_signers() -> None:
    g = persia()
    sign = lambda *clauses: settlement.required_signers(g.tables, g.state, clauses)  # noqa: E731
    assert sign(pay("italy", "france", 3)) == ("france", "italy")
    assert sign(transfer("italy", "tunis", "britain")) == ("britain", "italy")
    assert sign(lower("russia", "persia")) == ("russia",)
    assert sign(waive("russia", "persia")) == ("russia",)
    assert sign(grant("britain", "persia", "germany")) == ("britain", "germany")
    assert sign(grant("britain", "persia", "germany", payer="italy")) == ("britain", "germany", "italy")
    assert sign(Clause("no_marker", power="japan", places=("korea",))) == ()
    assert sign(lower("spain", "marocco")) == ("spain",)


# Drafts and signatures


@pytest.mark.rule("NEG-013", "NEG-014")
def test_proposal_is_carried_out_with_the_last_signature() -> None:
    g = tunis()
    g.act("france", "propose with italy: italy lowers tunis to interest; france pays italy 15")
    assert g.kind("tunis", "italy") == "protectorate" and money(g, "france", "italy") == (100, 100)
    g.act("italy", f"sign {draft_of(g)}")
    assert g.kind("tunis", "italy") == "interest" and money(g, "france", "italy") == (85, 115)
    assert g.causes() == set() and g.state.tension == 2
    assert [(t.stage, t.reason) for t in g.state.treaties] == [("ended", "done")]


@pytest.mark.rule("NEG-013")
def test_a_proposal_is_answered_with_another_one() -> None:
    g = tunis()
    g.act("france", "propose with italy: italy lowers tunis to interest; france pays italy 15")
    g.act("italy", f"amend {draft_of(g)}: italy lowers tunis to interest; france pays italy 30")
    assert len([t for t in g.state.treaties if t.stage == "draft"]) == 1
    g.act("france", f"sign {draft_of(g)}")
    assert money(g, "france", "italy") == (70, 130) and g.kind("tunis", "italy") == "interest"


@pytest.mark.rule("NEG-019", "NEG-022")
def test_a_proposal_names_all_who_must_agree() -> None:
    both = [marker("britain", "protectorate"), marker("germany", "protectorate"), marker("france", "influence")]
    there = {"markers": both, "codominion": ["britain", "germany"]}
    g = negotiating({"persia": there})
    short = g.refused("britain", "propose with italy: britain grants italy protectorate in persia")
    assert "NEG-019" in short.rules
    g.act("britain", "propose with italy, germany: britain grants italy protectorate in persia")
    g.act("italy", f"sign {draft_of(g)}")
    assert not controls(g.state, "persia", "italy")
    g.act("germany", f"reject {draft_of(g)}")
    assert not controls(g.state, "persia", "italy") and money(g, "italy") == (100,)
    g.act("britain", "propose with italy, germany: britain grants italy protectorate in persia; germany pays britain 5")
    for power in ("italy", "germany"):
        g.act(power, f"sign {draft_of(g)}")
    assert set(g.state.areas["persia"].codominion) == {"britain", "germany", "italy"}
    assert money(g, "britain", "germany", "italy") == (105, 95, 80)
    assert g.causes() == {("france", p, "persia") for p in ("britain", "germany", "italy")}


@pytest.mark.rule("NEG-013", "NEG-015")
def test_impossible_proposal_cannot_be_signed() -> None:
    g = negotiating({"kenya": [marker("britain", "protectorate")]}, money={"italy": 20})
    g.act("britain", "propose with italy: britain grants italy protectorate in kenya")
    g.do("italy", actions.Pay("france", 1))
    g.do("france", actions.Choose(g.pending()[0].id, ("accept",)))
    assert g.refused("italy", f"sign {draft_of(g)}").code == "no_money"
    assert not controls(g.state, "kenya", "italy") and money(g, "italy") == (19,)


@pytest.mark.rule("SEQ-019", "NEG-001")
def test_unsigned_proposal_lapses_with_the_phase() -> None:
    g = tunis()
    g.act("france", "propose with italy: italy lowers tunis to interest; france pays italy 15")
    g.step()
    assert [(t.stage, t.reason) for t in g.state.treaties] == [("ended", "lapsed")]
    assert money(g, "france", "italy") == (100, 100)
    assert (
        start({"phase": "movement"}).refused("france", "propose with italy: france pays italy 1").code == "wrong_phase"
    )


@pytest.mark.rule("NEG-003")
def test_the_owner_alone_may_leave_a_marker_elsewhere_only_with_another_player() -> None:
    g = negotiating({"siam": [marker("france", "influence")]})
    assert g.refused("france", actions.Withdraw("influence", "siam")).code == "no_dispute"
    g.act("france", "propose with britain: france withdraws siam; britain pays france 4")
    g.act("britain", f"sign {draft_of(g)}")
    assert g.kind("siam", "france") == "" and money(g, "france") == (104,) and g.state.tension == 2
