"""Settlements: several acts agreed together and done all at once or not at all (NEG, COD, CRI-006)."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal
from paxtui.pax import actions as ac
from paxtui.pax import events as ev
from paxtui.pax import settlement
from paxtui.pax.negotiation import disputes
from paxtui.pax.play import GameOver, Play
from paxtui.pax.status import controls, established
from paxtui.pax.treaty import Clause
from tests.rules.harness import Bench, army, marker, start

RICH = {p: {"treasury": 100} for p in ("britain", "france", "germany", "italy", "russia", "japan", "united_states")}


def lower(power: str, area: str, to: str = "") -> Clause:
    return Clause("lower", power=power, places=(area,), marker=to)


def transfer(power: str, area: str, to: str) -> Clause:
    return Clause("transfer", power=power, to=to, places=(area,))


def share(area: str, *members: str, kind: str = "", payer: str = "") -> Clause:
    return Clause("codominion", power=payer, against=members, places=(area,), marker=kind)


def grant(power: str, area: str, to: str, kind: str = "protectorate", payer: str = "") -> Clause:
    return Clause("grant", power=power, to=to, places=(area,), marker=kind, against=(payer,) if payer else ())


def pay(power: str, to: str, amount: int) -> Clause:
    return Clause("pay", power=power, to=to, amount=amount)


def waive(power: str, area: str = "", against: str = "") -> Clause:
    return Clause("waive", power=power, to=against, places=(area,) if area else ())


def table(areas: dict[str, Any], causes: list[tuple[str, str, str]] | None = None, **rest: Any) -> Bench:
    """The Negotiation Phase with these markers in some Areas, Casus Belli (holder, against, Area), money for all."""
    players, options = rest.pop("players", 7), rest.pop("options", None)
    there = {a: m if isinstance(m, dict) else {"markers": m} for a, m in areas.items()}
    patch = {
        "phase": "negotiation",
        "areas": there,
        "casus_belli": [{"holder": h, "against": g, "area": a} for h, g, a in causes or []],
        "powers": RICH,
        **rest,
    }
    return start(patch, players, options)


def agree(g: Bench, *clauses: Clause, parties: tuple[str, ...] = (), congress: bool = False) -> None:
    """Carry a settlement out on the bench, as if all who must sign had signed."""
    play = Play(g.tables, g.state, Dice("test"))
    before = g.state
    try:
        settlement.carry_out(play, clauses, ("NEG-013",), congress, parties)
    except Refusal:
        assert play.state is before and not play.events
        raise
    g.state, g.last = play.state, play.events
    g.events += play.events


def refused(g: Bench, *clauses: Clause, **rest: Any) -> Refusal:
    """The refusal of a settlement: nothing of it has happened."""
    with pytest.raises(Refusal) as caught:
        agree(g, *clauses, **rest)
    return caught.value


def kind(g: Bench, area: str, power: str) -> str:
    m = established(g.state, area, power)
    return m.marker if m else ""


def money(g: Bench, *powers: str) -> tuple[int, ...]:
    return tuple(g.state.powers[p].treasury for p in powers)


def causes(g: Bench) -> set[tuple[str, str, str]]:
    return {(c.holder, c.against, c.area) for c in g.state.casus_belli}


def tunis(**rest: Any) -> Bench:
    """French and Italian Protectorates in Tunis, each with a Casus Belli."""
    both = [marker("france", "protectorate"), marker("italy", "protectorate")]
    return table(
        {"tunis": both, **rest.pop("areas", {})}, [("france", "italy", "tunis"), ("italy", "france", "tunis")], **rest
    )


def persia(control: str = "protectorate", **rest: Any) -> Bench:
    """British Control over Russia's Influence in Persia."""
    both = [marker("russia", "influence"), marker("britain", control, True, 1)]
    return table({"persia": both}, [("russia", "britain", "persia")], **rest)


# --- all or nothing -----------------------------------------------------------------------------------------------


@pytest.mark.rule("NEG-013", "NEG-003", "NEG-014")
def test_money_for_leaving() -> None:
    g = tunis()
    agree(g, lower("italy", "tunis", "interest"), pay("france", "italy", 15))
    assert money(g, "france", "italy") == (85, 115)
    assert kind(g, "tunis", "italy") == "interest" and kind(g, "tunis", "france") == "protectorate"
    assert g.state.casus_belli == () and g.state.tension == 2
    g.step()
    assert kind(g, "tunis", "france") == "protectorate" and g.state.tension == 2


@pytest.mark.rule("NEG-013")
def test_a_marker_elsewhere_for_leaving() -> None:
    g = tunis(areas={"siam": [marker("france", "influence")]})
    agree(g, transfer("france", "siam", "italy"), lower("italy", "tunis"))
    assert kind(g, "siam", "italy") == "influence" and kind(g, "siam", "france") == ""
    assert kind(g, "tunis", "italy") == "" and g.state.tension == 3 and g.state.casus_belli == ()
    assert all("NEG-013" in e.rules for e in g.of(ev.MarkerLowered))


@pytest.mark.rule("NEG-013", "NEG-015")
def test_either_all_of_it_happens_or_nothing() -> None:
    g = tunis()
    poor = refused(g, lower("italy", "tunis"), pay("france", "italy", 101))
    assert poor.code == "no_money" and "NEG-015" in poor.rules
    assert kind(g, "tunis", "italy") == "protectorate" and g.state.tension == 0
    assert len(g.state.casus_belli) == 2 and money(g, "france", "italy") == (100, 100)
    settlement.check(Play(g.tables, g.state, Dice("test")), [pay("france", "italy", 100)])
    after = settlement.outcome(g.tables, g.state, [pay("france", "italy", 100)])
    assert after.powers["italy"].treasury == 200 and g.state.powers["italy"].treasury == 100


@pytest.mark.rule("NEG-014", "NEG-015")
def test_what_is_received_may_be_spent_at_once() -> None:
    g = table(
        {"persia": [marker("britain", "protectorate")]}, powers={"russia": {"treasury": 0}, "france": {"treasury": 20}}
    )
    assert refused(g, grant("britain", "persia", "russia")).code == "no_money"
    agree(g, grant("britain", "persia", "russia"), pay("france", "russia", 20))
    assert money(g, "france", "russia") == (0, 0) and controls(g.state, "persia", "russia")
    totals = [e.total for e in g.of(ev.TreasuryChanged)]
    assert min(totals) >= 0


@pytest.mark.rule("NEG-014")
def test_money_is_conserved_and_only_player_powers_have_any() -> None:
    g = table({})
    agree(g, pay("germany", "italy", 10), pay("italy", "germany", 3))
    assert money(g, "germany", "italy") == (93, 107)
    assert refused(g, pay("france", "spain", 5)).code == "no_treasury"
    assert refused(g, pay("spain", "france", 5)).code == "no_treasury"
    assert refused(g, pay("austria_hungary", "france", 5)).rules[-1] == "AUS-011"
    assert refused(g, pay("france", "italy", 0)).code == "amount"


@pytest.mark.rule("NEG-005", "ETI-013")
def test_a_great_war_in_the_middle_ends_the_game_there() -> None:
    g = tunis(indexes={"european_tensions": 99})
    with pytest.raises(GameOver) as caught:
        agree(g, lower("italy", "tunis", "interest"), pay("france", "italy", 15))
    assert caught.value.culprits == ("italy",)


# --- giving way ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("NEG-004", "NEG-005", "NEG-010")
def test_both_step_down_to_influence_together() -> None:
    g = tunis()
    agree(g, lower("france", "tunis", "influence"), lower("italy", "tunis", "influence"))
    assert kind(g, "tunis", "france") == kind(g, "tunis", "italy") == "influence"
    assert g.state.tension == 2 and g.state.casus_belli == () and money(g, "france", "italy") == (100, 100)
    assert not disputes(g.tables, g.state)


@pytest.mark.rule("NEG-006", "NEG-008", "NEG-009")
def test_nothing_is_left_that_cannot_stand() -> None:
    g = tunis()
    assert "NEG-006" in refused(g, lower("france", "tunis", "influence"), pay("italy", "france", 5)).rules
    agree(g, lower("france", "tunis", "interest"))
    g = persia("possession")
    assert "NEG-009" in refused(g, lower("russia", "persia", "interest")).rules
    agree(g, lower("russia", "persia"))
    assert kind(g, "persia", "russia") == "" and g.state.tension == 2
    g = persia("protectorate")
    agree(g, lower("russia", "persia", "interest"))
    assert kind(g, "persia", "russia") == "interest" and g.state.tension == 1


@pytest.mark.rule("NEG-007", "ETI-031")
def test_either_side_of_control_and_influence_may_give_way() -> None:
    g = persia()
    agree(g, lower("russia", "persia", "interest"))
    assert [(e.blame, e.amount) for e in g.of(ev.TensionRaised)] == [("britain", 1)]
    g = persia()
    agree(g, lower("britain", "persia", "influence"))
    assert [(e.blame, e.amount) for e in g.of(ev.TensionRaised)] == [("britain", 1)]
    assert kind(g, "persia", "russia") == "influence" and g.state.casus_belli == ()


@pytest.mark.rule("NEG-003")
def test_without_a_dispute_it_takes_an_agreement_with_another_player() -> None:
    g = table({"siam": [marker("france", "influence")], "serbia": [marker("austria_hungary", "influence")]})
    assert refused(g, lower("france", "siam")).code == "no_dispute"
    assert refused(g, lower("austria_hungary", "serbia"), pay("germany", "austria_hungary", 5)).code == "no_dispute"
    agree(g, lower("france", "siam"), parties=("france", "britain"))
    assert kind(g, "siam", "france") == "" and g.state.tension == 2
    assert refused(g, lower("france", "siam"), parties=("france", "britain")).code == "no_marker"


@pytest.mark.rule("NEG-003", "NEG-007")
def test_a_casus_belli_may_be_waived_for_something() -> None:
    g = persia()
    agree(g, waive("russia", "persia"), pay("britain", "russia", 10))
    assert g.state.casus_belli == () and money(g, "britain", "russia") == (90, 110)
    assert [e.reason for e in g.of(ev.CasusBelliEnded)] == ["waived"]
    g.step()  # the Influence it was about gives way all the same
    assert kind(g, "persia", "russia") == "interest" and kind(g, "persia", "britain") == "protectorate"
    assert refused(persia(), waive("britain", "persia")).code == "no_casus_belli"
    assert refused(persia(), waive("russia", "persia", "france")).code == "no_casus_belli"


@pytest.mark.rule("NEG-003")
def test_a_casus_belli_without_an_area_may_be_waived_too() -> None:
    g = table({}, [("united_states", "spain", ""), ("united_states", "france", "")])
    agree(g, waive("united_states", against="spain"))
    assert causes(g) == {("united_states", "france", "")}


# --- markers that change hands ------------------------------------------------------------------------------------


@pytest.mark.rule("NEG-011", "NEG-016")
def test_a_marker_passes_on_at_its_level_for_nothing() -> None:
    g = table({"siam": [marker("france", "influence")], "kenya": [marker("britain", "possession")]})
    agree(g, transfer("france", "siam", "britain"), transfer("britain", "kenya", "france"))
    assert kind(g, "siam", "britain") == "influence" and kind(g, "siam", "france") == ""
    assert kind(g, "kenya", "france") == "possession" and kind(g, "kenya", "britain") == ""
    assert not g.of(ev.TreasuryChanged) and g.state.tension == 0
    g = table({"siam": [marker("france", "influence")]}, options={"transfer_raises_eti": "yes"})
    agree(g, transfer("france", "siam", "britain"))
    assert g.state.tension == 1


@pytest.mark.rule("NEG-011")
def test_what_cannot_be_received_is_refused() -> None:
    g = table({"canada": [marker("britain", "dominion")], "siam": [marker("france", "influence")]})
    assert refused(g, transfer("britain", "canada", "france")).code == "crown"
    assert refused(g, transfer("france", "siam", "spain")).code == "minor"
    assert refused(g, transfer("britain", "siam", "france")).code == "no_marker"
    named = Clause("transfer", power="france", to="britain", places=("siam",), marker="protectorate")
    assert refused(g, named).code == "changed"


@pytest.mark.rule("NEG-011")
def test_two_markers_change_places_where_the_pieces_are_all_on_the_map() -> None:
    # Spain is played by nobody: Italy's round pieces are all out, so its own must come back first
    limit = start().tables.counters["italy"].round
    areas = [a for a, row in start().tables.areas.items() if row.type == "independent"][:limit]
    g = table({**{a: [marker("italy", "influence")] for a in areas}, "siam": [marker("france", "influence")]})
    assert refused(g, transfer("france", "siam", "italy")).code == "no_piece"
    agree(g, transfer("france", "siam", "italy"), transfer("italy", areas[0], "france"))
    assert kind(g, "siam", "italy") == kind(g, areas[0], "france") == "influence"


@pytest.mark.rule("NEG-011", "NEG-003")
def test_whoever_takes_a_disputed_marker_takes_the_dispute() -> None:
    g = tunis()
    agree(g, transfer("france", "tunis", "britain"))
    assert causes(g) == {("britain", "italy", "tunis"), ("italy", "britain", "tunis")}
    g = tunis()
    agree(g, transfer("france", "tunis", "britain"), share("tunis", "britain", "italy"))
    assert causes(g) == set() and set(g.state.areas["tunis"].codominion) == {"britain", "italy"}


@pytest.mark.rule("COD-002", "NEG-016")
def test_a_share_of_a_codominion_passes_on() -> None:
    there = {
        "markers": [marker("france", "protectorate"), marker("italy", "protectorate")],
        "codominion": ["france", "italy"],
    }
    g = table({"tunis": there})
    agree(g, transfer("france", "tunis", "britain"))
    assert set(g.state.areas["tunis"].codominion) == {"britain", "italy"} and causes(g) == set()


# --- Codominions --------------------------------------------------------------------------------------------------


@pytest.mark.rule("NEG-012", "NEG-015", "NEG-017", "COD-001")
def test_a_power_lets_another_share_its_area_at_the_price_of_a_new_marker() -> None:
    for level, price in (("protectorate", 20), ("possession", 40)):
        g = table({"kenya": [marker("britain", "protectorate")]})
        agree(g, grant("britain", "kenya", "germany", level))
        assert kind(g, "kenya", "germany") == level and kind(g, "kenya", "britain") == "protectorate"
        assert set(g.state.areas["kenya"].codominion) == {"britain", "germany"}
        assert money(g, "britain", "germany") == (100, 100 - price)
        assert g.state.tension == 0 and causes(g) == set()


@pytest.mark.rule("NEG-015", "NEG-017")
def test_the_price_is_the_difference_to_what_the_receiver_has_there() -> None:
    g = table(
        {"kenya": [marker("britain", "protectorate"), marker("germany", "interest"), marker("italy", "influence")]}
    )
    agree(g, grant("britain", "kenya", "germany"), grant("britain", "kenya", "italy", "possession"))
    assert money(g, "germany", "italy") == (85, 70)
    assert kind(g, "kenya", "italy") == "possession"
    assert sum(1 for m in g.state.areas["kenya"].markers if m.power == "italy") == 1


@pytest.mark.rule("NEG-015")
def test_another_may_pay_for_the_new_marker() -> None:
    g = table({"kenya": [marker("britain", "protectorate")]})
    agree(g, grant("britain", "kenya", "germany", payer="france"))
    assert money(g, "britain", "germany", "france") == (100, 100, 80)
    g = table({"kenya": [marker("britain", "protectorate")], "tunis": [marker("france", "protectorate")]})
    agree(g, share("tunis", "france", "italy", payer="france"))
    assert money(g, "france", "italy") == (80, 100)
    poor = table({"kenya": [marker("britain", "protectorate")]}, powers={"germany": {"treasury": 19}})
    assert refused(poor, grant("britain", "kenya", "germany")).code == "no_money"
    assert refused(g, grant("britain", "kenya", "germany", payer="austria_hungary")).code == "gives_nobody"


@pytest.mark.rule("NEG-012", "COD-003", "COD-013")
def test_what_cannot_be_granted() -> None:
    g = table(
        {
            "kenya": [marker("britain", "influence")],
            "canada": [marker("britain", "dominion")],
            "siam": [marker("britain", "protectorate"), marker("france", "protectorate")],
        }
    )
    assert refused(g, grant("britain", "kenya", "germany")).rules[-1] == "NEG-012"
    assert refused(g, grant("britain", "canada", "germany")).rules == ("COD-013",)
    assert refused(g, grant("italy", "siam", "germany")).rules == ("NEG-012",)
    assert refused(g, grant("britain", "siam", "france")).code == "receiver_has"
    assert "COD-003" in refused(g, grant("britain", "siam", "germany", "influence")).rules
    assert "COD-013" in refused(g, grant("britain", "siam", "united_states", "state")).rules


@pytest.mark.rule("NEG-018", "NEG-024", "COD-012")
def test_sharing_ends_the_dispute_without_tension_or_price() -> None:
    both = [marker("france", "possession"), marker("italy", "protectorate")]
    g = table({"tunis": both}, [("france", "italy", "tunis"), ("italy", "france", "tunis")])
    agree(g, share("tunis", "france", "italy"))
    assert causes(g) == set() and g.state.tension == 0 and money(g, "france", "italy") == (100, 100)
    assert {m.power: m.marker for m in g.state.areas["tunis"].markers} == {
        "france": "possession",
        "italy": "protectorate",
    }
    assert not disputes(g.tables, g.state)


@pytest.mark.rule("NEG-019", "COD-001")
def test_nobody_with_control_is_left_out() -> None:
    three = [marker(p, "protectorate") for p in ("france", "italy", "britain")]
    g = table({"tunis": three})
    assert refused(g, share("tunis", "france", "italy")).code == "left_out"
    assert settlement.must_sign(g.tables, g.state, [share("tunis", "france", "italy")]) == (
        "britain",
        "france",
        "italy",
    )
    assert settlement.must_sign(g.tables, g.state, [grant("france", "tunis", "germany")]) == (
        "britain",
        "france",
        "germany",
        "italy",
    )
    agree(g, lower("britain", "tunis", "interest"), share("tunis", "france", "italy"))
    assert set(g.state.areas["tunis"].codominion) == {"france", "italy"}


@pytest.mark.rule("NEG-019")
def test_a_minor_power_agrees_to_nothing_outside_a_congress() -> None:
    both = [marker("france", "protectorate"), marker("spain", "protectorate")]
    g = table({"tunis": both})
    assert refused(g, share("tunis", "france", "spain")).rules == ("NEG-019",)
    assert refused(g, grant("france", "tunis", "italy")).rules == ("NEG-019",)
    assert refused(g, lower("spain", "tunis")).code == "minor"
    assert refused(g, transfer("spain", "tunis", "italy")).code == "minor"
    agree(g, share("tunis", "france", "spain"), congress=True)
    assert set(g.state.areas["tunis"].codominion) == {"france", "spain"}


@pytest.mark.rule("COD-004", "NEG-021", "NEG-022")
def test_an_influence_joins_for_ten_pounds_whatever_other_influences_say() -> None:
    two = [marker("britain", "protectorate"), marker("germany", "protectorate")]
    both = [marker("russia", "influence"), marker("france", "influence")]
    g = table({"persia": [*two, *both]})
    clause = share("persia", "britain", "germany", "russia")
    assert settlement.must_sign(g.tables, g.state, [clause]) == ("britain", "germany", "russia")
    agree(g, clause)
    assert kind(g, "persia", "russia") == "protectorate" and money(g, "russia") == (90,)
    assert set(g.state.areas["persia"].codominion) == {"britain", "germany", "russia"}
    assert causes(g) == {("france", p, "persia") for p in ("britain", "germany", "russia")}


@pytest.mark.rule("COD-004", "NEG-021")
def test_an_influence_may_join_a_codominion_that_stands() -> None:
    there = {
        "markers": [
            marker("britain", "protectorate"),
            marker("japan", "protectorate"),
            marker("united_states", "influence"),
        ],
        "codominion": ["britain", "japan"],
    }
    g = table({"hawaii": there})
    agree(g, share("hawaii", "britain", "japan", "united_states"))
    assert money(g, "united_states") == (90,) and kind(g, "hawaii", "united_states") == "protectorate"
    g = table({"hawaii": there})
    assert refused(g, share("hawaii", "britain", "japan")).code == "shared_already"


@pytest.mark.rule("NEG-021", "NEG-015")
def test_joining_as_a_possession_costs_the_difference() -> None:
    g = persia()
    agree(g, share("persia", "britain", "russia", kind="possession"))
    assert kind(g, "persia", "russia") == "possession" and kind(g, "persia", "britain") == "protectorate"
    assert money(g, "britain", "russia") == (100, 70)


@pytest.mark.rule("NEG-023")
def test_an_influence_left_beside_a_codominion_is_a_casus_belli_unless_its_holder_gives_it_up() -> None:
    two = [marker("britain", "protectorate"), marker("germany", "protectorate")]
    g = table({"persia": [*two, marker("russia", "influence")]}, [("russia", "britain", "persia")])
    agree(g, share("persia", "britain", "germany"))
    assert causes(g) == {("russia", "britain", "persia"), ("russia", "germany", "persia")}
    assert {e.cause for e in g.of(ev.CasusBelliArose)} == {"codominion_over_influence"}
    g = table({"persia": [*two, marker("russia", "influence")]}, [("russia", "britain", "persia")])
    agree(g, waive("russia", "persia"), share("persia", "britain", "germany"), pay("britain", "russia", 5))
    assert causes(g) == set()
    g.step()
    assert kind(g, "persia", "russia") == "interest"


@pytest.mark.rule("NEG-020")
def test_each_member_has_the_rights_of_a_sole_holder() -> None:
    g = table({"tunis": [marker("italy", "protectorate")]})
    agree(g, grant("italy", "tunis", "france"))
    shared = {"markers": [marker(p, "protectorate") for p in ("italy", "france")], "codominion": ["italy", "france"]}
    homes = {p: {"units": [army(p, 1)]} for p in ("italy", "france")}
    assert set(g.state.areas["tunis"].codominion) == set(shared["codominion"])
    g = start({"phase": "movement", "areas": {"tunis": shared}, "homes": homes})
    for power in ("italy", "france"):
        g.act(power, "move A1 home > tunis")
    assert {u.power for u in g.state.areas["tunis"].units} == {"italy", "france"}
    g = start({"phase": "administrative", "areas": {"tunis": shared, "algiers": {"markers": []}}})
    g.step()
    for power in ("italy", "france"):
        line = g.view()["powers"][power]["record"]
        assert (line["04"], line["12"]) == (1, 4 * line["05"]) and line["05"] > 0


@pytest.mark.rule("COD-002")
def test_codominions_are_made_in_no_other_phase() -> None:
    for phase in ("administrative", "movement", "marker_adjustment"):
        g = table({"kenya": [marker("britain", "protectorate")]}, phase=phase)
        for clause in (grant("britain", "kenya", "germany"), share("kenya", "britain", "germany")):
            found = refused(g, clause)
            assert found.code == "wrong_phase" and "COD-002" in found.rules
        assert g.refused("britain", ac.Codominion("kenya")).code == "wrong_phase"
        agree(g, share("kenya", "britain", "germany"), congress=True)
        assert len(g.state.areas["kenya"].codominion) == 2


@pytest.mark.rule("CRI-006")
def test_granting_a_codominion_in_china_raises_no_resentment_at_once() -> None:
    g = table({})
    agree(g, grant("britain", "hong_kong", "japan"))
    assert kind(g, "hong_kong", "japan") == "protectorate"
    assert not g.of(ev.ResentmentRaised) and g.state.resentment == 0
    g.step()
    assert g.state.phase == "chinese_resentment"
    g.dice(6, 6, 6)
    g.step()
    assert [(e.power, e.area) for e in g.all_of(ev.ResentmentRaised)].count(("japan", "hong_kong")) <= 1
    assert g.state.resentment == 6


@pytest.mark.rule("NEG-012", "OTT-002")
def test_control_granted_in_an_ottoman_area_angers_the_sultan() -> None:
    g = table({"tripoli": [marker("italy", "protectorate")]})
    agree(g, grant("italy", "tripoli", "france"))
    assert g.state.ottoman_wars == ("france tripoli",)
    g = table({"tripoli": [marker("italy", "protectorate")]}, options={"granted_control_angers_ottomans": "no"})
    agree(g, grant("italy", "tripoli", "france"))
    assert g.state.ottoman_wars == ()
    g = table({"tripoli": [marker("italy", "protectorate")]})
    agree(g, transfer("italy", "tripoli", "france"))
    assert g.state.ottoman_wars == ()


@pytest.mark.rule("NEG-017", "ETI-030")
def test_an_interest_beside_a_granted_possession_goes_and_its_holder_is_to_blame() -> None:
    g = table({"kenya": [marker("britain", "protectorate"), marker("italy", "interest")]})
    agree(g, grant("britain", "kenya", "germany", "possession"))
    assert kind(g, "kenya", "italy") == ""
    assert [(e.blame, e.amount) for e in g.of(ev.TensionRaised)] == [("germany", 1)]


@pytest.mark.rule("COD-004", "CON-020")
def test_a_congress_charges_nothing() -> None:
    g = persia()
    agree(g, share("persia", "britain", "russia", "france"), congress=True)
    assert money(g, "britain", "russia", "france") == (100, 100, 100) and not g.of(ev.TreasuryChanged)
    assert set(g.state.areas["persia"].codominion) == {"britain", "russia", "france"}


@pytest.mark.rule("SET-039")
def test_a_new_marker_needs_a_piece() -> None:
    g = table({"kenya": [marker("britain", "protectorate")]})
    limit = g.tables.counters["italy"].hexagon
    areas = [a for a, row in g.tables.areas.items() if row.type == "independent"][:limit]
    g = table({**{a: [marker("italy", "protectorate")] for a in areas}, "kenya": [marker("britain", "protectorate")]})
    assert refused(g, grant("britain", "kenya", "italy")).code == "no_piece"


# --- who must agree -----------------------------------------------------------------------------------------------


@pytest.mark.rule("NEG-011", "NEG-012", "NEG-019", "NEG-022")
def test_who_must_sign() -> None:
    g = persia()
    sign = lambda *clauses: settlement.must_sign(g.tables, g.state, clauses)  # noqa: E731
    assert sign(pay("italy", "france", 3)) == ("france", "italy")
    assert sign(transfer("italy", "tunis", "britain")) == ("britain", "italy")
    assert sign(lower("russia", "persia")) == ("russia",)
    assert sign(waive("russia", "persia")) == ("russia",)
    assert sign(grant("britain", "persia", "germany")) == ("britain", "germany")
    assert sign(grant("britain", "persia", "germany", payer="italy")) == ("britain", "germany", "italy")
    assert sign(Clause("no_marker", power="japan", places=("korea",))) == ()
    assert sign(lower("spain", "marocco")) == ("spain",)


# --- as seats make them -------------------------------------------------------------------------------------------


def draft_of(g: Bench) -> str:
    """The id of the proposal that is open."""
    (open_,) = [t.id for t in g.state.treaties if t.stage == "draft"]
    return open_


@pytest.mark.rule("NEG-013", "NEG-014")
def test_a_proposal_is_done_when_the_last_has_signed() -> None:
    g = tunis()
    g.act("france", "propose with italy: italy lowers tunis to interest; france pays italy 15")
    assert kind(g, "tunis", "italy") == "protectorate" and money(g, "france", "italy") == (100, 100)
    g.act("italy", f"sign {draft_of(g)}")
    assert kind(g, "tunis", "italy") == "interest" and money(g, "france", "italy") == (85, 115)
    assert causes(g) == set() and g.state.tension == 2
    assert [(t.stage, t.reason) for t in g.state.treaties] == [("ended", "done")]


@pytest.mark.rule("NEG-013")
def test_a_proposal_is_answered_with_another_one() -> None:
    g = tunis()
    g.act("france", "propose with italy: italy lowers tunis to interest; france pays italy 15")
    g.act("italy", f"amend {draft_of(g)}: italy lowers tunis to interest; france pays italy 30")
    assert len([t for t in g.state.treaties if t.stage == "draft"]) == 1
    g.act("france", f"sign {draft_of(g)}")
    assert money(g, "france", "italy") == (70, 130) and kind(g, "tunis", "italy") == "interest"


@pytest.mark.rule("NEG-019", "NEG-022")
def test_a_proposal_names_all_who_must_agree() -> None:
    both = [marker("britain", "protectorate"), marker("germany", "protectorate"), marker("france", "influence")]
    there = {"markers": both, "codominion": ["britain", "germany"]}
    g = table({"persia": there})
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
    assert causes(g) == {("france", p, "persia") for p in ("britain", "germany", "italy")}


@pytest.mark.rule("NEG-013", "NEG-015")
def test_what_has_become_impossible_is_not_signed() -> None:
    g = table({"kenya": [marker("britain", "protectorate")]}, powers={"italy": {"treasury": 20}})
    g.act("britain", "propose with italy: britain grants italy protectorate in kenya")
    g.do("italy", ac.Pay("france", 1))
    g.do("france", ac.Choose(g.pending()[0].id, ("accept",)))
    assert g.refused("italy", f"sign {draft_of(g)}").code == "no_money"
    assert not controls(g.state, "kenya", "italy") and money(g, "italy") == (19,)


@pytest.mark.rule("SEQ-019", "NEG-001")
def test_what_not_all_have_signed_lapses_with_the_phase() -> None:
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
    g = table({"siam": [marker("france", "influence")]})
    assert g.refused("france", ac.Withdraw("influence", "siam")).code == "no_dispute"
    g.act("france", "propose with britain: france withdraws siam; britain pays france 4")
    g.act("britain", f"sign {draft_of(g)}")
    assert kind(g, "siam", "france") == "" and money(g, "france") == (104,) and g.state.tension == 2
