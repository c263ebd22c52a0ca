"""The Negotiation Phase (NEG, SEQ-019): giving way, waiving, gifts, and open disputes."""

from __future__ import annotations

import pytest

from paxtui.games.pax.actions import actions
from paxtui.games.pax.diplomacy.disputes import area_disputes
from paxtui.games.pax.events import events
from paxtui.games.pax.state.diplomacy import Clause
from tests.rules.agreements import agree, negotiating, not_agreed, persia, transfer, tunis
from tests.rules.harness import marker, start

# Giving way


@pytest.mark.rule("NEG-003", "NEG-004", "NEG-005", "ETI-013")
def test_dispute_ends_when_a_party_lowers_its_marker() -> None:
    g = tunis(money={"france": 3})
    g.do("france", actions.Downgrade("interest", "tunis"))
    assert g.kind("tunis", "france") == "interest" and g.kind("tunis", "italy") == "protectorate"
    assert g.state.casus_belli == ()
    assert g.state.tension == 2
    assert g.state.powers["france"].treasury == 3


@pytest.mark.rule("NEG-006")
def test_influence_under_control_does_not_settle_the_dispute() -> None:
    g = tunis()
    g.do("france", actions.Downgrade("influence", "tunis"))
    assert g.state.tension == 1
    assert [(c.holder, c.against) for c in g.state.casus_belli] == [("france", "italy")]
    g.skip_declarations()
    assert g.kind("tunis", "france") == "interest" and g.kind("tunis", "italy") == "protectorate"
    assert g.state.tension == 2


@pytest.mark.rule("NEG-010", "NEG-005")
def test_influences_remain_if_all_control_is_given_up() -> None:
    g = tunis()
    g.do("france", actions.Downgrade("influence", "tunis"))
    g.do("italy", actions.Downgrade("influence", "tunis"))
    assert g.state.casus_belli == () and g.state.tension == 2
    g.step()
    assert g.kind("tunis", "france") == g.kind("tunis", "italy") == "influence"
    assert g.state.tension == 2


@pytest.mark.rule("NEG-007")
def test_control_holder_may_give_way() -> None:
    g = persia()
    g.do("britain", actions.Downgrade("influence", "persia"))
    assert g.state.casus_belli == ()
    assert g.kind("persia", "russia") == g.kind("persia", "britain") == "influence"
    assert g.blames() == [(1, "britain")]


@pytest.mark.rule("NEG-007", "NEG-008", "ETI-031")
def test_influence_holder_may_give_way_blamed_on_the_placer() -> None:
    g = persia(indexes={"european_tensions": 98})
    g.do("russia", actions.Downgrade("interest", "persia"))
    assert g.kind("persia", "russia") == "interest" and g.state.casus_belli == ()
    assert g.blames() == [(1, "britain")]
    g = persia(indexes={"european_tensions": 99})
    g.do("russia", actions.Downgrade("interest", "persia"))
    assert g.state.result and g.state.result.culprits == ("britain",)


@pytest.mark.rule("NEG-009")
def test_possession_leaves_no_interest() -> None:
    g = persia("possession")
    assert "NEG-009" in g.refused("russia", actions.Downgrade("interest", "persia")).rules
    g.do("russia", actions.Withdraw("influence", "persia"))
    assert g.kind("persia", "russia") == "" and g.state.tension == 2 and g.state.casus_belli == ()


@pytest.mark.rule("NEG-003")
def test_markers_are_given_up_only_where_there_is_a_dispute() -> None:
    g = tunis()
    refusal = g.refused("france", actions.Downgrade("influence", "senegambia"))
    assert refusal.code == "no_dispute" and "NEG-003" in refusal.rules
    assert refusal.message.startswith("There is no dispute over ")


@pytest.mark.rule("NEG-003", "NEG-007")
def test_power_that_waives_gives_way_when_the_phase_ends() -> None:
    g = tunis()
    assert g.refused("italy", actions.Waive("cb1")).code == "not_your_casus_belli"
    g.do("france", actions.Waive("cb1"))
    assert [c.id for c in g.state.casus_belli] == ["cb2"]
    assert g.kind("tunis", "france") == "protectorate"
    g.step()
    assert g.kind("tunis", "france") == "interest" and g.kind("tunis", "italy") == "protectorate"
    assert g.state.tension == 2 and g.state.casus_belli == ()


@pytest.mark.rule("NEG-003", "SEQ-019")
def test_waiver_belongs_to_the_negotiation_phase() -> None:
    g, waived = tunis(), Clause("waive", power="france", places=("tunis",))
    agree(g, waived)
    assert [(c.holder, c.against) for c in g.state.casus_belli] == [("italy", "france")]
    refusal = not_agreed(negotiating({}, phase="movement"), waived)
    assert refusal.code == "wrong_phase" and refusal.detail["allowed"] == ["negotiation"]


@pytest.mark.rule("NEG-003", "NEG-007")
def test_waiver_applies_only_to_the_opposed_power() -> None:
    g = tunis()
    g.do("france", actions.Waive("cb1"))
    # the marker given up to goes to another Power: against that one nothing was waived
    agree(g, transfer("italy", "tunis", "germany"))
    assert ("france", "germany", "tunis") in g.causes()
    g.skip_declarations()
    assert g.kind("tunis", "france") == g.kind("tunis", "germany") == "influence"


# Open disputes


@pytest.mark.rule("SEQ-019")
def test_phase_waits_for_all_and_lists_open_disputes() -> None:
    g = tunis()
    assert set(g.waiting()) == set(g.state.players)
    assert [d.area for d in area_disputes(g.tables, g.state)] == ["tunis"]
    g.step()
    assert [e.code for e in g.all_of(events.Noted)].count("left_open") == 1
    assert len(g.state.casus_belli) == 2, "War may still be declared"
    g.skip_declarations()
    assert g.state.casus_belli == () and area_disputes(g.tables, g.state) == []
    quiet = start({"phase": "negotiation"})
    for seat in quiet.state.players:
        quiet.do(seat, actions.Ready())
    assert quiet.state.phase == "chinese_resentment"
    assert not quiet.all_of(events.Noted)


@pytest.mark.rule("SEQ-019", "NEG-010", "NEG-006")
def test_open_mutual_dispute_lowers_both_to_influence() -> None:
    g = tunis()
    g.skip_declarations()
    assert g.kind("tunis", "france") == g.kind("tunis", "italy") == "influence"
    assert sorted(g.blames()) == [(1, "france"), (1, "italy")]
    assert g.state.casus_belli == ()


@pytest.mark.rule("SEQ-019", "NEG-008", "NEG-006", "ETI-031")
def test_only_the_holder_of_a_one_sided_casus_belli_gives_way() -> None:
    g = persia()
    g.skip_declarations()
    assert g.kind("persia", "russia") == "interest" and g.kind("persia", "britain") == "protectorate"
    assert g.blames() == [(1, "britain")]


@pytest.mark.rule("NEG-009", "ETI-013")
def test_influence_under_a_possession_is_removed() -> None:
    g = persia("possession")
    g.skip_declarations()
    assert g.kind("persia", "russia") == "" and g.kind("persia", "britain") == "possession"
    assert g.blames() == [(2, "britain")]


@pytest.mark.rule("NEG-029")
@pytest.mark.parametrize(("control", "left", "steps"), [("protectorate", "interest", 1), ("possession", "", 2)])
def test_a_minor_powers_influence_gives_way_without_a_casus_belli(control: str, left: str, steps: int) -> None:
    both = [marker("belgium", "influence"), marker("france", control, True, 1)]
    g = negotiating({"kongo": both}, [])
    g.step()
    assert g.kind("kongo", "belgium") == left and g.kind("kongo", "france") == control
    assert g.blames() == [(steps, "france")]
    assert not g.all_of(events.CasusBelliArose)


@pytest.mark.rule("NEG-029", "ETI-031")
def test_the_placer_is_to_blame_for_a_minor_powers_step_down() -> None:
    both = [marker("belgium", "influence"), marker("france", "protectorate", True, 1)]
    g = negotiating({"kongo": both}, [], indexes={"european_tensions": 99})
    g.step()
    assert g.state.result and g.state.result.culprits == ("france",)


@pytest.mark.rule("SEQ-019")
def test_a_casus_belli_without_an_area_lasts_until_the_end_of_the_turn() -> None:
    g = negotiating({"tunis": []}, [("united_states", "spain", "")])
    g.step()
    assert [(c.holder, c.against) for c in g.state.casus_belli] == [("united_states", "spain")]


# Gifts


@pytest.mark.rule("NEG-014", "NEG-013")
def test_money_may_change_hands() -> None:
    g = tunis(money={"germany": 10})
    g.do("germany", actions.Pay("italy", 10))
    g.do("italy", actions.Choose(g.pending()[0].id, ("accept",)))
    assert g.state.powers["germany"].treasury == 0 and g.state.powers["italy"].treasury == 10


@pytest.mark.rule("NEG-011", "NEG-016")
def test_a_marker_may_change_hands_for_nothing() -> None:
    g = negotiating({"siam": [marker("france", "influence")]}, [])
    g.do("france", actions.Transfer("siam", "britain"))
    g.do("britain", actions.Choose(g.pending()[0].id, ("accept",)))
    assert g.kind("siam", "britain") == "influence" and g.kind("siam", "france") == ""
    assert not g.all_of(events.TreasuryChanged)


@pytest.mark.rule("SEQ-019")
def test_offers_lapse_with_the_phase() -> None:
    g = tunis(money={"germany": 10})
    g.do("germany", actions.Pay("italy", 10))
    for seat in g.state.players:
        g.do(seat, actions.Ready())
    assert g.state.phase == "chinese_resentment" and not g.pending()
    assert [e.void for e in g.all_of(events.ChoiceMade)] == [True]
    assert g.state.powers["germany"].treasury == 10


# The whole Phase


@pytest.mark.rule("NEG-001", "NEG-014")
def test_phase_closes_when_every_seat_is_ready() -> None:
    g = negotiating({"tunis": []}, [("united_states", "spain", "")], money={"germany": 10})
    seats = list(g.state.players)
    for seat in seats[:-1]:
        g.do(seat, actions.Ready())
        assert g.state.phase == "negotiation"
    g.do("germany", actions.Pay("italy", 4))
    g.do("italy", actions.Choose(g.pending()[0].id, ("accept",)))
    assert g.state.powers["italy"].treasury == 4
    assert set(g.state.ready) == set(seats[:-1])  # money clears no ready flag
    g.do(seats[-1], actions.Ready())
    assert g.state.phase == "chinese_resentment"


@pytest.mark.rule("NEG-001", "SEQ-019")
def test_open_disputes_are_listed_with_their_cause() -> None:
    g = tunis()
    listed = {(c["holder"], c["against"], c["area"]) for c in g.view("russia")["casus_belli"]}
    assert listed == {("france", "italy", "tunis"), ("italy", "france", "tunis")}
    g.do("france", actions.Downgrade("interest", "tunis"))
    assert g.view("russia")["casus_belli"] == []


@pytest.mark.rule("NEG-002", "SEQ-019")
def test_unsettled_dispute_may_go_to_a_congress() -> None:
    g = tunis()
    g.step()
    (note,) = [e for e in g.all_of(events.Noted) if e.code == "left_open"]
    assert "NEG-002" in note.rules and "Tunis" in note.text and "Congress of Europe" in note.text


@pytest.mark.rule("SEQ-019", "NEG-009")
def test_option_removes_the_marker_of_an_idle_power() -> None:
    for value, left, steps in (("give_way", "interest", 1), ("removed", "", 2)):
        g = persia(options={"unsettled_disputes": value})
        g.skip_declarations()
        assert (g.kind("persia", "russia"), g.state.tension) == (left, steps)
        assert any(e.reason == "gives way to Control" for e in g.all_of(events.MarkerLowered))
        assert g.kind("persia", "britain") == "protectorate"


@pytest.mark.rule("SEQ-019", "NEG-001")
def test_arbiter_ends_the_phase() -> None:
    g = tunis()
    g.do("france", actions.Codominion("tunis"))
    g.do("germany", actions.Ready())
    g.advance()
    assert g.state.phase == "negotiation"  # a plain advance waits for the seats
    g.advance(force=True)
    assert g.state.phase != "negotiation" and not g.pending()
    g.skip_declarations()
    assert g.state.casus_belli == ()
    assert g.kind("tunis", "france") == g.kind("tunis", "italy") == "influence"
