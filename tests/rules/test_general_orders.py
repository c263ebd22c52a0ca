"""The General Orders in peace: general rules, Treaties, the Congress, disputes and Wars on Minor Powers."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from msgspec.structs import replace

from paxtui.bots.pax.caretaker import general_orders, spending
from paxtui.bots.pax.caretaker.war import lacking_forces
from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import SeatOccupant
from paxtui.games.pax.actions import actions
from paxtui.games.pax.position.setup import seats_for
from paxtui.games.pax.state.diplomacy import Clause
from paxtui.games.pax.state.questions import Deficit, Pending, Signature
from paxtui.session.game_host import empty_clock
from paxtui.session.pax_bot_runner import PaxBotRunner
from paxtui.session.pax_host import PaxHost
from tests.rules import congress
from tests.rules.general_orders import alone, answers, follow, nothing_held, orders
from tests.rules.harness import Bench, army, at_home, held, here, marker, moving, naval, start, tables
from tests.rules.wars import negotiating, treaty

CARETAKER = SeatOccupant(by="bot", level="caretaker")


# Seats and deficits


@pytest.mark.rule("ORD-001")
def test_caretaker_seat_keeps_pace_with_the_others():
    table = PaxHost.new(tables(), seats_for(4), "left", clock=empty_clock)
    table.seat({"france": CARETAKER})
    rivals = PaxBotRunner(table)
    for _ in range(30):
        table.advance()
        rivals.run()
        for seat in (seat for seat in table.waiting if seat != "france"):
            for text in ("ready", "garrison", "ready"):
                with suppress(Refusal):
                    table.act(seat, text)
        if set(table.waiting) - {"france"}:
            table.act("arbiter", "advance!")
        if table.state.turn == 3:
            break
    by_it = [line.action["type"] for line in table.game.effective_lines() if line.seat == "france"]
    assert "ready" in by_it and table.state.turn == 3


@pytest.mark.rule("ORD-002")
def test_deficit_is_met_with_least_tension_then_least_value():
    def given_up(exactly: int, saves: dict[str, int], *options: str) -> tuple[str, ...]:
        about = Deficit(exactly, exactly, saves)
        choice = Pending("c1", "france", "france", about, options, options[:1])
        return spending.choose_deficit_loss(tables(), choice, about, True)

    # armies raise no tension, markers do
    saves = {"influence siam": 5, "A3 algiers": 3, "A1 algiers": 1}
    assert given_up(5, saves, "influence siam", "A3 algiers", "A1 algiers", "A1 algiers") == (
        "A1 algiers", "A1 algiers", "A3 algiers"
    )  # fmt: skip
    # of two Influences that of the poorer Area goes
    saves = {"influence egypt": 5, "influence siam": 5}
    poorer = min(("siam", "egypt"), key=lambda a: tables().areas[a].value)
    assert given_up(5, saves, *saves) == (f"influence {poorer}",)
    # but the tension comes first: an Influence in a rich Area before a Protectorate in a poor one
    saves = {"influence canada": 5, "protectorate newfoundland": 5}
    assert given_up(5, saves, *saves) == ("influence canada",)


@pytest.mark.rule("ORD-002")
def test_income_is_recorded_without_orders():
    table = PaxHost.new(tables(), seats_for(4), "income", clock=empty_clock)
    table.seat({"france": CARETAKER})
    table.advance()
    assert table.state.phase == "movement" and table.state.powers["france"].record["22"] is not None


@pytest.mark.rule("ORD-003")
@pytest.mark.rule("ORD-049")
def test_acts_without_a_general_order_are_not_done():
    areas = {"algiers": held("france", "possession", army("france", 1))}
    g = alone("france", areas, money=60, home=(army("france", 3),))
    assert follow(g, "france") == []
    assert g.state.powers["france"].treasury == 60 and "france" in g.state.ready
    assert orders(start({"phase": "negotiation"}), "france") == [general_orders.READY]


@pytest.mark.rule("ORD-003")
@pytest.mark.rule("ORD-047")
def test_caretaker_declines_gifts_and_new_treaties():
    g = moving(20)
    g.act("britain", "pay france 5")
    g.act("britain", "transfer hong_kong to france")
    g.do("britain", actions.Draft("Zq", ("france",), (Clause("defensive"),)))
    for act in orders(g, "france"):
        g.act("france", act.text)
    assert g.state.powers["france"].treasury == 20 and not g.kind("hong_kong", "france")
    assert g.state.treaties[0].signed == ("britain",) and not g.state.choices


@pytest.mark.rule("ORD-004")
def test_earlier_rule_takes_precedence():
    """Rule 6 takes the money for the Dominion before Rule 7 may spend it on a garrison."""
    areas = {"australia": held("britain", "possession", army("britain", 10)), "fiji": held("britain", "protectorate")}
    g = alone("britain", areas, money=20, events_in_force=["3-2"])
    assert follow(g, "britain") == ["upgrade dominion australia"]


# Rule 1


def disputed(tension: int, holder: str = "italy", against: str = "britain") -> Bench:
    """The Negotiation Phase with two Protectorates in Tunis."""
    g = start(
        {
            "phase": "negotiation",
            "areas": {
                "tunis": here(
                    marker(holder, "protectorate"), marker(against, "protectorate"), army(holder), army(against)
                )
            },
            "casus_belli": [
                {"holder": holder, "against": against, "area": "tunis"},
                {"holder": against, "against": holder, "area": "tunis"},
            ],
            "indexes": {"european_tensions": tension},
        }
    )
    return g


@pytest.mark.rule("ORD-006")
def test_marker_stays_if_lowering_brings_the_index_to_a_hundred():
    assert follow(disputed(97), "italy") == ["downgrade interest tunis"]
    assert follow(disputed(98), "italy") == []


@pytest.mark.rule("ORD-006")
def test_duty_to_build_keeps_the_index_below_a_hundred():
    for tension, built in ((95, "build N3 N3"), (98, "build N3")):
        g = alone(
            "germany", {}, money=40, indexes={"european_tensions": tension}, events_in_force=["2-4"],
            powers={"germany": {"treasury": 40}},
        )  # fmt: skip
        assert [t for t in follow(g, "germany") if t.startswith("build")] == [built]
        assert g.state.result is None
    g = alone("italy", {}, money=40, indexes={"european_tensions": 97}, events_in_force=["3-1"])
    assert follow(g, "italy") == ["build A10"] and g.state.tension == 97


def over_gabon(
    money: int = 0, tension: int = 0, phase: str = "negotiation", force: tuple[int, ...] = (3, 1), **more: Any
) -> Bench:
    """Germany's Influence in Gabon under a Portuguese Protectorate; Germany has these armies and a fleet at home."""
    areas = {
        **nothing_held("germany"),
        "gabon": here(marker("germany", "influence"), marker("portugal", "protectorate"), army("portugal")),
    }
    patch = {
        "areas": areas,
        "homes": {
            **at_home("germany", *(army("germany", s) for s in force), naval("germany", 10)),
            **at_home("portugal", army("portugal", 1), naval("portugal", 3)),
        },
        "casus_belli": [{"holder": "germany", "against": "portugal", "area": "gabon"}],
        "indexes": {"european_tensions": tension},
        **more,
    }
    if phase == "movement":
        return moving({"germany": money}, **patch)
    return start({"phase": phase, **patch})


@pytest.mark.rule("ETI-036")
@pytest.mark.rule("ORD-005")
@pytest.mark.rule("ORD-006")
def test_war_is_declared_at_ninety_four_and_not_at_ninety_five():
    armies = (10,)
    assert follow(over_gabon(tension=94, force=armies), "germany") == ["declare war portugal over cb1"]
    assert "declare war portugal over cb1" not in follow(over_gabon(tension=95, force=armies), "germany")


@pytest.mark.rule("ETI-036")
@pytest.mark.rule("ORD-005")
def test_no_war_is_declared_that_calls_would_make_the_great_war():
    """Germany has odds of 3 to 2 for Gabon, but its offensive Treaty would call enough Powers for the Great War."""
    for friends, acts in (((), ["declare war portugal over cb1"]), (("france", "italy", "russia"), [])):
        pact = treaty("offensive", "germany", *friends, clause={"against": ["portugal"]})
        g = over_gabon(force=(10,), treaties=[pact] if friends else [])
        assert [text for text in follow(g, "germany") if text.startswith("declare")] == acts


def called(tension: int) -> Bench:
    """The United States declare War on Japan, whom a defensive Treaty with abandoned Italy protects."""
    g = negotiating(("united_states", "japan"), tension=tension, treaties=[treaty("defensive", "italy", "japan")])
    g.act("united_states", "declare war japan")
    return g


@pytest.mark.rule("CON-043")
@pytest.mark.rule("ORD-007")
@pytest.mark.rule("ORD-012")
def test_call_by_a_treaty_is_honored():
    g = called(0)
    assert answers(g, "italy") == ["declare war united_states"]
    assert orders(g, "italy")[0].why == "Rule 2: the Treaty with Japan is honoured"


@pytest.mark.rule("ORD-005")
def test_treaty_decides_if_war_and_breach_both_reach_a_hundred():
    """The first declaration makes 95; the second 100, and so would the breach of the Treaty (R-ORD-16)."""
    assert answers(called(90), "italy") == ["declare war united_states"]


@pytest.mark.rule("CON-043")
@pytest.mark.rule("ETI-036")
@pytest.mark.rule("ORD-005")
def test_caretaker_is_never_the_fourth_european_power():
    g = negotiating(
        *(("britain", "russia"), ("france", "russia"), ("russia", "japan")),
        treaties=[treaty("defensive", "italy", "japan")],
    )
    g.act("britain", "declare war russia")
    g.act("france", "declare war russia")
    g.act("russia", "declare war japan")
    assert answers(g, "italy") == ["refuse"]
    assert orders(g, "italy")[0].why == "Rule 1: to come to the aid of Japan would start the Great War"


@pytest.mark.rule("ORD-005")
def test_caretaker_does_not_draw_in_the_fourth_power():
    """Russia has declared War on Germany, whom Austria-Hungary will help: abandoned France, bound to Russia, would make
    four of them.
    """
    g = negotiating(("russia", "germany"), treaties=[treaty("offensive", "france", "russia")])
    g.act("russia", "declare war germany")
    assert answers(g, "france") == ["refuse"]


@pytest.mark.rule("ETI-036")
@pytest.mark.rule("ORD-005")
def test_caretaker_counts_allies_whose_help_is_due():
    """Germany is attacked, and Austria-Hungary has a hidden call: abandoned Italy would be the fourth Power."""
    g = negotiating(("russia", "germany"), treaties=[treaty("defensive", "germany", "italy")])
    g.act("russia", "declare war germany")
    assert answers(g, "italy") == ["refuse"]
    alone = negotiating(("russia", "japan"), treaties=[treaty("defensive", "japan", "italy")])
    alone.act("russia", "declare war japan")
    assert answers(alone, "italy") == ["declare war russia"]


# Rules 2 and 3


@pytest.mark.rule("ORD-007")
def test_caretaker_breaks_no_treaty():
    """No army goes where a Treaty forbids it, even if the Area has no garrison."""
    areas = {"senegambia": held("france", "protectorate"), "algiers": held("france", "possession", army("france"))}
    assert follow(alone("france", areas, money=3), "france") == ["build A1", "move A1 home > senegambia"]
    promise = {"power": "france", "units": ["army"], "places": ["senegambia"]}
    bound = alone("france", areas, money=3, treaties=[treaty("no_unit", "france", "italy", clause=promise)])
    assert not any("senegambia" in text for text in follow(bound, "france"))


@pytest.mark.rule("ORD-007")
def test_caretaker_pays_what_a_treaty_makes_due():
    g = start({"phase": "movement", "powers": {"france": {"treasury": 20}}})
    g.do(
        "italy",
        actions.Draft("Zq", ("france",), (Clause("pay", power="france", to="italy", amount=5, every_turn=True),)),
    )
    g.act("france", f"sign {g.state.treaties[0].id}")
    while g.state.phase != "negotiation":
        g.step()
    [act] = [act for act in orders(g, "france") if act.text.startswith("choose")]
    money = g.state.powers["italy"].treasury
    g.act("france", act.text)
    assert act.why == "Rule 2: the Treaty is honoured" and g.state.powers["italy"].treasury == money + 5


@pytest.mark.rule("CON-044")
@pytest.mark.rule("ORD-008")
@pytest.mark.rule("ORD-047")
def test_caretaker_abstains_in_a_congress_and_signs_adopted_treaties():
    g = congress.meet(congress.game())
    assert answers(g, "italy") == ["pass"]
    congress.propose(g, "france", congress.SETTLES)
    assert answers(g, "italy") == ["abstain sign"]
    congress.vote(g, "yes sign", italy=answers(g, "italy")[0])
    [proposal] = g.state.congress.proposals
    assert proposal.votes["italy"] == "abstain" and "italy" in proposal.signed
    assert g.kind("tunis", "italy") == "interest"


@pytest.mark.rule("ORD-008")
def test_caretaker_signs_an_adopted_treaty():
    g = congress.game()
    asked = Pending("c9", "italy", "italy", Signature(), ("sign", "refuse"), "refuse")
    state = replace(g.state, choices=(asked,))
    assert [act.text for act in general_orders.choose_caretaker_actions(g.tables, state, "italy", "orders")] == [
        "choose c9 sign"
    ]


# Rule 4


@pytest.mark.rule("ORD-009")
@pytest.mark.rule("ORD-048")
def test_caretaker_arms_and_declares_war_on_a_rich_minor_power():
    g = over_gabon(money=20, phase="movement")
    portugal = sum(u.strength for u in _units(g, "portugal", "army"))
    need = -(-portugal * 3 // 2)
    done = follow(g, "germany")
    assert done == ["build " + " ".join(["A1"] * (need - 4))]
    g = over_gabon(force=(10,))
    assert follow(g, "germany") == ["declare war portugal over cb1"]


def _units(g: Bench, power: str, kind: str) -> list[Any]:
    return [
        u
        for units in (*(a.units for a in g.state.areas.values()), *g.state.homes.values())
        for u in units
        if u.power == power and u.kind == kind
    ]


@pytest.mark.rule("ORD-009")
def test_a_minor_power_without_a_rich_area_is_not_worth_a_war():
    def without(value: bool) -> Bench:
        g = over_gabon(force=(10, 10))
        rich = {a: here() for a, x in g.state.areas.items() if any(m.power == "portugal" for m in x.markers)}
        rich.pop("gabon", None)
        if value:
            return g
        gabon = here(marker("germany", "influence"), marker("portugal", "protectorate"), army("portugal"))
        return start(
            {
                "phase": "negotiation",
                "areas": {**nothing_held("germany"), **rich, "gabon": gabon},
                "homes": at_home("germany", army("germany", 10), naval("germany", 10)),
                "casus_belli": [{"holder": "germany", "against": "portugal", "area": "gabon"}],
            }
        )

    assert follow(without(True), "germany")[0].startswith("declare war")
    assert follow(without(False), "germany") == ["downgrade interest gabon"]


@pytest.mark.rule("ORD-010")
def test_nothing_is_bought_unless_armies_and_fleets_reach_three_to_two():
    cause = [{"holder": "united_states", "against": "spain"}]
    g = moving({"united_states": 70}, events_in_force=["2-2"], casus_belli=cause)
    armies, fleets = lacking_forces(g.tables, g.state, "united_states", "spain")
    assert 3 * armies <= 70 and 3 * fleets <= 70 < 3 * (armies + fleets)
    [bought] = [t for t in follow(g, "united_states") if t.startswith("build")]
    # what the event demands is bought, and nothing for a War that cannot be paid
    assert 27 <= 70 - g.state.powers["united_states"].treasury <= 30 and "N" not in bought
    assert follow(over_gabon(money=3, phase="movement"), "germany") == []


@pytest.mark.rule("ORD-010")
def test_armies_and_fleets_are_compared_separately():
    g = over_gabon(force=(3, 1))
    theirs = sum(u.strength for u in _units(g, "portugal", "army"))
    assert lacking_forces(g.tables, g.state, "germany", "portugal") == (-(-theirs * 3 // 2) - 4, 0)
    assert lacking_forces(g.tables, g.state, "germany", "belgium")[1] == 0


@pytest.mark.rule("CON-045")
@pytest.mark.rule("ORD-011")
def test_other_disputes_end_by_lowering_the_own_marker():
    g = disputed(0)
    assert follow(g, "italy") == ["downgrade interest tunis"]
    assert g.state.tension == 2 and not g.state.casus_belli
    for theirs, order, tension in (
        ("protectorate", "downgrade interest persia", 1),
        ("possession", "withdraw influence persia", 2),
    ):
        g = start(
            {
                "phase": "negotiation",
                "areas": {"persia": here(marker("russia", "influence"), marker("britain", theirs), army("britain"))},
                "casus_belli": [{"holder": "russia", "against": "britain", "area": "persia"}],
            }
        )
        assert follow(g, "russia") == [order] and g.state.tension == tension
    g = start(
        {
            "phase": "negotiation",
            "areas": {"persia": here(marker("britain", "influence"), marker("russia", "protectorate"), army("russia"))},
            "casus_belli": [{"holder": "britain", "against": "russia", "area": "persia"}],
        }
    )
    assert follow(g, "russia") == ["downgrade influence persia"] and g.state.tension == 1


@pytest.mark.rule("ORD-011")
def test_dispute_before_a_congress_is_left_to_it():
    g = disputed(0)
    g.act("britain", "congress france over cb2")
    assert follow(g, "italy") == []


@pytest.mark.rule("ORD-048")
def test_later_cause_lowers_the_marker_without_enough_force():
    g = over_gabon(force=(3,))
    assert follow(g, "germany") == ["downgrade interest gabon"]


@pytest.mark.rule("ORD-012")
def test_coal_granted_before_the_seat_was_abandoned_stands():
    g = start(
        {
            "phase": "war",
            "wars": [{"alliances": [["france"], ["japan"]], "phase": "maneuver"}],
            "areas": {"egypt": held("britain", "protectorate", army("britain"))},
        }
    )
    g.act("britain", "volunteer egypt to japan")
    g.act("arbiter", "abandon britain")
    g.step()
    assert [c.area for c in g.state.wars[0].coaling] == ["egypt"]


@pytest.mark.rule("ORD-012")
def test_neutral_caretaker_grants_no_coal_and_denies_no_passage():
    g = start(
        {
            "phase": "war",
            "wars": [{"alliances": [["france"], ["japan"]], "phase": "maneuver"}],
            "areas": {"egypt": held("britain", "protectorate", army("britain"))},
        }
    )
    assert {act.text for act in orders(g, "britain")} == {"pass"}
