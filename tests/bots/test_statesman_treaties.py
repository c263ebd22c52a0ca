"""Treaties of statesmen: what they sign, amend, reject and offer, and how much they trust promises."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from paxtui.bots.pax.caretaker.planner import Planner
from paxtui.bots.pax.own_drafts import pounds_due_at_once
from paxtui.bots.pax.profiles import character_of
from paxtui.bots.pax.registry import parse_bot_name
from paxtui.bots.pax.statesman import treaties
from paxtui.bots.pax.statesman.evaluation import PositionValuation
from paxtui.bots.pax.statesman.treaties import RICH_TURN, OfferFinder, balance_clauses, payment_turn
from paxtui.bots.pax.statesman.treaty_values import PowerRelations, treaty_gain
from paxtui.engine.seating import BotLevel, BotTemper
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.notation import parse_order
from paxtui.games.pax.board.status import controls
from paxtui.games.pax.position.setup import seats_for
from paxtui.games.pax.state.diplomacy import DRAFT, ENDED, IN_FORCE, Clause, Treaty
from paxtui.session.bot_process import bot_request
from paxtui.session.game_host import empty_clock
from paxtui.session.pax_bot_runner import PaxBotRunner
from paxtui.session.pax_host import PaxHost
from paxtui.session.tables.loader import load_tables
from paxtui.session.tables.records import new_game_tables
from tests.bots.fixed_weights import tables
from tests.bots.stepping import play_until
from tests.rules.harness import Bench, army, marker, start

SEVEN = tuple(seats_for(7))
BRITAIN_AHEAD = {p: {"treasury": 40} for p in SEVEN} | {"britain": {"treasury": 40, "victory_points": 300}}
"""All Powers have money, and Britain is about to win, so that the others make Treaties with each other."""


def negotiation(bot: str = "statesman", **patch: object) -> tuple[PaxHost, PaxBotRunner]:
    """Start a Negotiation Phase in which all Powers have money; all but France are bots."""
    table = PaxHost.new(tables(), SEVEN, "treaties", {}, undo="free", clock=empty_clock)
    table.seat({seat: parse_bot_name(bot) for seat in SEVEN if seat != "france"})
    begun = {"phase": "negotiation", "turn": 3, "powers": {p: {"treasury": 30} for p in SEVEN}}
    table.act(ARBITER, {"type": "set_position", "patch": {**begun, **patch}})
    rivals = PaxBotRunner(table)
    rivals.run()
    return table, rivals


def propose(table: PaxHost, rivals: PaxBotRunner, text: str) -> Treaty:
    """Offer a Treaty as France; return it after the answer of the bots."""
    table.act("france", text)
    id_ = table.state.treaties[-1].id
    rivals.run()
    return next(t for t in table.state.treaties if t.id == id_)


def reason(table: PaxHost, seat: str, kind: str) -> str:
    """Return the reason of the last act of a kind by a seat."""
    line = next(n for n in table.game.effective_lines()[::-1] if n.seat == seat and n.action["type"] == kind)
    return table.reason(ARBITER, line.n)


# Answers


def test_fair_treaty_is_signed() -> None:
    table, rivals = negotiation()
    treaty = propose(table, rivals, "treaty Rome with italy: defensive against germany; france pays italy 12")
    assert treaty.stage == IN_FORCE
    assert "worth about £" in reason(table, "italy", "sign")


def test_partner_who_gains_more_is_asked_for_money() -> None:
    """A public Treaty against Germany brings France Victory Points every turn."""
    table, rivals = negotiation()
    treaty = propose(table, rivals, "treaty Rome with italy public: defensive against germany; france pays italy 12")
    (counter,) = [t for t in table.state.treaties if t.instead == treaty.id]
    (fee,) = [clause for clause in counter.clauses if clause.kind == "pay"]
    assert (counter.drafter, fee.power, fee.to) == ("italy", "france", "italy")
    assert fee.amount > 12 and fee.turn == RICH_TURN
    assert "gains more by it" in reason(table, "italy", "draft")
    table.act("france", f"sign {counter.id}")
    assert next(t for t in table.state.treaties if t.id == counter.id).stage == IN_FORCE


def test_named_price_stays_the_same_for_the_turn() -> None:
    table, rivals = negotiation()
    words = "treaty with italy public: defensive against germany; france pays italy {} in 1892"
    first = propose(table, rivals, words.format(10))
    (counter,) = [t for t in table.state.treaties if t.instead == first.id]
    named = next(clause.amount for clause in counter.clauses if clause.kind == "pay")
    table.act("france", f"reject {counter.id}")
    second = propose(table, rivals, words.format(named - 1))
    (again,) = [t for t in table.state.treaties if t.instead == second.id]
    assert next(clause.amount for clause in again.clauses if clause.kind == "pay") == named, "not a pound more"
    table.act("france", f"reject {again.id}")
    assert propose(table, rivals, words.format(named)).stage == IN_FORCE


def test_treaty_that_cannot_be_paid_is_rejected() -> None:
    words = "treaty with italy public: defensive against germany; italy pays france 40 every turn until 1900"
    table, rivals = negotiation(powers={**{p: {"treasury": 30} for p in SEVEN}, "italy": {"treasury": 1}})
    assert propose(table, rivals, words).stage == ENDED
    assert "£40 would be due at once, which is more than it can pay" in reason(table, "italy", "reject")


def test_reason_of_a_rejection_is_shown_only_to_the_parties() -> None:
    table, rivals = negotiation(powers={**{p: {"treasury": 30} for p in SEVEN}, "italy": {"treasury": 1}})
    treaty = propose(table, rivals, "treaty Rome with italy secret: italy pays france 40 every turn until 1900")
    line = next(n for n in table.game.effective_lines()[::-1] if n.action["type"] == "reject")
    assert treaty.reason == "rejected" and line.why is not None and line.why.sealed
    reasons = {seat: table.reason(seat, line.n) for seat in (*SEVEN, SPECTATOR)}
    assert {seat for seat, why in reasons.items() if why} == {"france", "italy"}
    assert table.objection("france", treaty.id) == reasons["france"] != ""
    assert table.objection("britain", treaty.id) == ""
    table.act("france", "treaty Bari with italy secret: france pays italy 1", why="a trial")
    bari = table.state.treaties[-1].id
    table.act("france", f"reject {bari}", why="it was one too many")
    assert table.objection("italy", bari) == "", "no reason is shown for withdrawing an own draft"


def test_victory_points_that_count_once_are_paid_once() -> None:
    """One defensive Treaty with Britain, Russia or Italy brings Germany its points, and a second no more."""
    state = start({"phase": "negotiation", "turn": 2, "powers": {p: {"treasury": 30} for p in SEVEN}}).state
    valuation = PositionValuation(tables(), state, "germany", character_of("hard", ""), "1")
    found = OfferFinder(PowerRelations(tables(), state), valuation).best([p for p in SEVEN if p != "germany"], 6)
    paid = [o for o in found if "Victory Points a turn" in o.why]
    assert len(paid) == 1


def test_rejection_names_the_bad_article() -> None:
    table, rivals = negotiation()
    treaty = propose(table, rivals, "treaty Rome with italy: italy builds no naval; france coals italy")
    assert (treaty.stage, treaty.reason) == (ENDED, "rejected")
    assert "Italy builds no Naval Units" in reason(table, "italy", "reject")


def test_unfair_draft_is_answered_with_a_price() -> None:
    table, rivals = negotiation()
    treaty = propose(
        table, rivals, "treaty Coal with britain: britain coals france; defensive by britain against germany"
    )
    assert treaty.reason == "superseded"
    counter = table.state.treaties[-1]
    assert counter.instead == treaty.id and counter.stage == DRAFT and counter.signed == ("britain",)
    fee = counter.clauses[-1]
    assert (fee.kind, fee.power, fee.to) == ("pay", "france", "britain")
    assert f"£{fee.amount}" in reason(table, "britain", "draft")
    cheaper = propose(table, rivals, f"amend {counter.id}: britain coals france; defensive by britain against germany")
    assert cheaper.reason == "rejected", "an amended draft is answered by yes or no"


def test_bots_answer_a_draft_once() -> None:
    table, rivals = negotiation()
    propose(table, rivals, "treaty Rome with italy: italy builds no naval")
    before = table.version
    rivals.run()
    PaxBotRunner(table).run()
    assert table.version == before
    assert "france" in table.waiting
    assert table.verify() == []


@pytest.mark.parametrize(("bot", "why"), [("steady", "It makes no Treaties"), ("caretaker", "Rule 2")])
def test_other_bots_reject_treaties_with_a_reason(bot: str, why: str) -> None:
    table, rivals = negotiation(bot)
    treaty = propose(table, rivals, "treaty Rome with italy: france pays italy 6")
    assert treaty.reason == "rejected"
    assert why in reason(table, "italy", "reject")


def test_dispatch_is_answered_once() -> None:
    table, rivals = negotiation()
    table.act("france", "dispatch italy: How about Tunis?")
    rivals.run()
    rivals.run()
    letters = [letter for letter in table.dispatches("france") if letter.sender == "italy"]
    assert len(letters) == 1 and letters[0].to == ("france",)
    terms = [t for t in table.state.treaties if t.drafter == "italy" and "france" in t.parties]
    assert ("in writing" in letters[0].text) and bool(terms) == letters[0].text.startswith("Our terms")
    table.act("france", "proclaim: Peace to all men")
    rivals.run()
    assert [letter for letter in table.dispatches("france") if letter.sender != "france"] == letters


# What it is worth


def worth(bench: Bench, power: str, other: str, *clauses: Clause, public: bool = False) -> float:
    """Return what an agreement of two Powers is worth to the first."""
    valuation = PositionValuation(tables(), bench.state, power, character_of("normal", ""), "1")
    return treaty_gain(PowerRelations(tables(), bench.state), valuation, (power, other), clauses, public)


def test_aid_is_worth_more_against_a_stronger_power() -> None:
    bench = start({"phase": "negotiation"})
    relations = PowerRelations(tables(), bench.state)
    assert relations.is_stronger("britain", "russia") and not relations.is_stronger("germany", "russia")
    for power, other in (("france", "russia"), ("russia", "france")):
        against = [worth(bench, power, other, Clause("defensive", against=(foe,))) for foe in ("britain", "germany")]
        assert against[0] > max(0.2, against[1])


def test_victory_points_of_a_treaty_count_for_each_turn_left() -> None:
    aid = Clause("defensive", against=("germany",))
    early, late = start({"phase": "negotiation", "turn": 2}), start({"phase": "negotiation", "turn": 9})
    for bench, least, most in ((early, 100, 250), (late, 20, 60)):
        secret, public = (worth(bench, "france", "russia", aid, public=known) for known in (False, True))
        assert least < public - secret < most


def test_promised_money_is_worth_less_than_money() -> None:
    bench = start({"phase": "negotiation", "turn": 6})
    now, later = (
        Clause("pay", power="france", to="italy", amount=10),
        Clause("pay", power="france", to="italy", amount=10, turn=7),
    )
    assert worth(bench, "italy", "france", now) > worth(bench, "italy", "france", later) > 0
    assert worth(bench, "france", "italy", now) < 0


def test_later_debt_is_worth_and_costs_less() -> None:
    """Money paid in Negotiation buys only Victory Points, and the debtor must save it before they expand."""
    bench = start({"phase": "negotiation", "turn": 1})
    soon, idle = (Clause("pay", power="france", to="italy", amount=10, turn=turn) for turn in (2, 6))
    assert worth(bench, "italy", "france", soon) > worth(bench, "italy", "france", idle) > 0
    assert worth(bench, "france", "italy", soon) < 1.5 * worth(bench, "france", "italy", idle) < 0
    at_once = Clause("pay", power="france", to="italy", amount=10)
    assert worth(bench, "france", "italy", soon) < worth(bench, "france", "italy", at_once) < 0


def test_debts_fall_due_in_different_turns() -> None:
    bench = start({"phase": "negotiation", "turn": 1})
    assert payment_turn(bench.state, "france") == RICH_TURN
    paid = {"kind": "pay", "power": "france", "to": "italy", "amount": 25, "turn": RICH_TURN}
    owed = {
        "id": "debt", "name": "Debt", "form": "treaty", "drafter": "france", "parties": ["france", "italy"],
        "clauses": [paid], "stage": "in_force", "signed": ["france", "italy"],
    }  # fmt: skip
    for turn, when in ((1, RICH_TURN + 1), (7, 8), (10, 0)):
        later = start({"phase": "negotiation", "turn": turn, "treaties": [owed]})
        assert payment_turn(later.state, "france") == when


def test_promises_of_a_treaty_breaker_are_worth_less() -> None:
    honest = start({"phase": "negotiation"})
    broken = start({"phase": "negotiation", "treaties": [{
        "id": "old", "name": "Old", "form": "treaty", "drafter": "britain", "parties": ["britain", "russia"],
        "clauses": [{"kind": "non_aggression"}], "public": True, "stage": "in_force", "signed": ["britain", "russia"],
        "breaches": [{"clause": 0, "power": "russia", "turn": 1, "open": True}],
    }]})  # fmt: skip
    promise = Clause("non_aggression")
    for bench, is_offered in ((honest, True), (broken, False)):
        relations = PowerRelations(tables(), bench.state)
        valuation = PositionValuation(tables(), bench.state, "france", character_of("normal", ""), "1")
        assert bool(OfferFinder(relations, valuation).best(["russia"], 1)) == is_offered
    assert worth(honest, "france", "russia", promise) > worth(broken, "france", "russia", promise)


def test_holder_of_a_casus_belli_is_paid_for_waiving_it() -> None:
    held = [marker("italy", "protectorate"), marker("france", "influence")]
    bench = start({
        "phase": "negotiation", "turn": 4, "areas": {"tunis": {"markers": held}},
        "powers": BRITAIN_AHEAD,
        "casus_belli": [{"holder": "france", "against": "italy", "area": "tunis", "cause": "control_over_influence"}],
    })  # fmt: skip
    valuation = PositionValuation(tables(), bench.state, "italy", character_of("normal", ""), "1")
    drafts = [
        offer.draft for offer in OfferFinder(PowerRelations(tables(), bench.state), valuation).best(["france"], 1)
    ]
    assert [{c.kind for c in draft.clauses} for draft in drafts] in ([{"waive", "pay"}], [{"codominion", "pay"}])


def drafts_of_italy(
    holders: Sequence[str], pounds: int, level: BotLevel = "normal", temper: BotTemper = ""
) -> list[actions.Draft]:
    """Return what Italy offers if some Powers hold a Casus Belli against it by an event."""
    causes = [{"holder": p, "against": "italy", "area": "", "cause": "event"} for p in holders]
    treasuries = BRITAIN_AHEAD | {"italy": {"treasury": pounds}}
    begun = start({"phase": "negotiation", "turn": 4, "powers": treasuries, "casus_belli": causes})
    planner = Planner(tables(), begun.state, "italy", "italy", "1")
    treaties.offer_treaties(
        PositionValuation(tables(), begun.state, "italy", character_of(level, temper), "1"), planner
    )
    orders = [parse_order(tables(), act.text) for act in planner.acts]
    return [order for order in orders if isinstance(order, actions.Draft)]


def test_each_holder_of_a_casus_belli_is_offered_a_settlement() -> None:
    holders = ("france", "germany", "japan")
    drafts = drafts_of_italy(holders, 40)
    waived = {p for draft in drafts for p in holders if any(c.kind == "waive" and c.power == p for c in draft.clauses)}
    assert waived == set(holders), "more than the two drafts of a turn"
    assert len(drafts_of_italy(holders, 40, "easy")) == 1


def test_settlement_without_money_is_a_deferred_payment() -> None:
    drafts = drafts_of_italy(["france"], 2, temper="cautious")
    (fee,) = [c for draft in drafts for c in draft.clauses if (c.kind, c.to) == ("pay", "france")]
    assert (fee.power, fee.turn) == ("italy", RICH_TURN)


# Promises kept


def test_promised_money_is_saved() -> None:
    paid = {"kind": "pay", "power": "germany", "to": "italy", "amount": 25, "turn": 3}
    owed = {
        "id": "debt", "name": "Debt", "form": "treaty", "drafter": "germany", "parties": ["germany", "italy"],
        "clauses": [paid], "stage": "in_force", "signed": ["germany", "italy"],
    }  # fmt: skip
    table, rivals = negotiation(phase="movement", treaties=[owed])
    assert table.state.powers["germany"].treasury >= 25
    table.act("france", "ready")
    for _ in range(40):
        if table.state.phase != "movement" or table.state.turn != 3:
            break
        table.advance()
        rivals.run()
    debt = next(t for t in table.state.treaties if t.id == "debt")
    assert debt.breaches == ()


def test_seed_of_a_bot_is_not_the_seed_of_the_dice() -> None:
    table, _ = negotiation()
    asked = bot_request(table, "italy", "statesman")
    assert table.game.header.seed not in asked.seed and len(asked.seed) == 64
    assert asked.seed != bot_request(table, "russia", "statesman").seed


@pytest.mark.parametrize(("temper", "word"), [("treacherous", "break"), ("cautious", "keep"), ("bold", "keep")])
def test_debt_is_paid_except_by_the_treacherous(temper: str, word: str) -> None:
    paid = {"kind": "pay", "power": "italy", "to": "france", "amount": 28, "turn": 3}
    owed = {
        "id": "debt", "name": "Debt", "form": "treaty", "drafter": "italy", "parties": ["france", "italy"],
        "clauses": [paid], "stage": "in_force", "signed": ["france", "italy"],
    }  # fmt: skip
    table, _ = negotiation(f"statesman:normal:{temper}", treaties=[owed])
    kept = [line for line in table.game.effective_lines() if line.seat == "italy" and line.action["type"] == "choose"]
    assert [line.action["answer"] for line in kept] == [[word]]
    assert bool(table.state.treaties[0].breaches) == (word == "break")


def test_only_treacherous_statesmen_break_treaties_in_a_game() -> None:
    broken = {}
    for temper in ("treacherous", "cautious"):
        directory = new_game_tables()
        table = PaxHost.new(load_tables(directory), SEVEN, "c", {}, tables_dir=directory, clock=empty_clock)
        table.seat({seat: parse_bot_name(f"statesman:normal:{temper}") for seat in SEVEN})
        play_until(table, PaxBotRunner(table), lambda state: state.turn > RICH_TURN + 1)  # debts are due from IDLE on
        broken[temper] = sum(bool(treaty.breaches) for treaty in table.state.treaties)
        assert [t for t in table.state.treaties if t.stage == IN_FORCE]
    assert broken["treacherous"] > 0
    assert broken["cautious"] == 0


def test_fee_is_set_off_against_opposite_payments() -> None:
    aid, yearly = Clause("defensive"), Clause("pay", power="japan", to="italy", amount=10, every_turn=True)

    def fee(power: str, to: str, amount: int) -> Clause:
        return Clause("pay", power=power, to=to, amount=amount, turn=3)

    asked = fee("italy", "japan", 15)
    assert balance_clauses((aid, fee("japan", "italy", 10), yearly), asked) == (aid, yearly, fee("italy", "japan", 5))
    now = Clause("pay", power="japan", to="italy", amount=20)
    assert balance_clauses((aid, now), asked) == (aid, Clause("pay", power="japan", to="italy", amount=5))
    assert balance_clauses((aid, fee("japan", "italy", 20)), asked) == (aid, fee("japan", "italy", 5))
    assert balance_clauses((aid, fee("japan", "italy", 15)), asked) == (aid,)


def test_named_price_is_signed_when_it_is_offered() -> None:
    table, rivals = negotiation()
    asks = "with britain: britain coals france; defensive by britain against germany"
    first = propose(table, rivals, f"treaty Coal {asks}")
    (price,) = [c.amount for t in table.state.treaties if t.instead == first.id for c in t.clauses if c.kind == "pay"]
    less = propose(table, rivals, f"treaty Ash {asks}; france pays britain {price // 2}")
    (again,) = [t for t in table.state.treaties if t.instead == less.id]
    assert [(c.power, c.amount) for c in again.clauses if c.kind == "pay"] == [("france", price)]
    assert propose(table, rivals, f"treaty Coke {asks}; france pays britain {price}").stage == IN_FORCE


def test_money_promised_in_signed_drafts_is_reserved() -> None:
    fee = Clause("pay", power="italy", to="france", amount=9)
    one = Treaty("a", "Rome", "treaty", "france", ("france", "italy", "japan"), (fee,), False, DRAFT, signed=("italy",))
    two = Treaty("b", "Bari", "treaty", "france", ("france", "italy"), (replace(fee, amount=2),), False, DRAFT)
    begun = start({"phase": "negotiation", "turn": 3, "powers": {"italy": {"treasury": 10}}}).state
    planner = Planner(tables(), replace(begun, treaties=(one, two)), "italy", "italy", "1")
    treaties.answer_drafts(
        PositionValuation(tables(), planner.state, "italy", character_of("normal", ""), "1"), planner
    )
    assert [act.why for act in planner.acts] == ["£2 would be due at once, which is more than it can pay"]


# Credit


def areas_sold_to_germany(turn: int, *promises: str, bot: str = "statesman") -> list[str]:
    """Offer each promise of money for each Area of France and Italy; return the Areas that they hand over."""
    table = PaxHost.new(tables(), SEVEN, "credit", {}, undo="free", clock=empty_clock)
    table.seat({seat: parse_bot_name(bot) for seat in SEVEN if seat != "germany"})
    held = {
        "egypt": {"markers": [marker("france", "protectorate")], "units": [army("france", 1)]},
        "kenya": {"markers": [marker("italy", "protectorate")], "units": [army("italy", 1)]},
    }
    powers = {p: {"treasury": 20} for p in SEVEN} | {"germany": {"treasury": 0}}
    begun = {"phase": "negotiation", "turn": turn, "powers": powers, "areas": held}
    table.act(ARBITER, {"type": "set_position", "patch": begun})
    rivals = PaxBotRunner(table)
    rivals.run()
    asked = {"france": ("egypt", "algiers", "senegambia", "cochinchina"), "italy": ("kenya",)}
    for promise in promises:
        for rival, areas in asked.items():
            for area in areas:
                if controls(table.state, area, rival):
                    words = f"treaty with {rival}: {rival} transfers {area} to germany; germany pays {rival} {promise}"
                    table.act("germany", words)
                    rivals.run()
    return [area for areas in asked.values() for area in areas if controls(table.state, area, "germany")]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("turn", "promises"),
    [
        (1, ("35 in 1904", "55 in 1896")),
        (1, ("55 in 1900", "80 in 1904")),
        (1, ("10 every turn until 1916",)),
        (1, ("5 in 1896", "15 in 1896", "25 in 1896", "35 in 1896", "45 in 1896")),
        (1, ("100 in 1916", "200 in 1916")),
        (2, ("35 in 1896", "55 in 1900")),
        (2, ("20 every turn until 1900",)),
        (3, ("35 in 1896", "60 in 1900")),
        (4, ("40 in 1900", "70 in 1908")),
        (1, ("90 upon war russia japan",)),
    ],
)
def test_statesmen_sell_no_areas_for_promises(turn: int, promises: tuple[str, ...]) -> None:
    """Variations of the Treaty that once decided a game in its third turn: £55 in 1896 for Algiers."""
    assert areas_sold_to_germany(turn, *promises) == []


@pytest.mark.slow
def test_no_level_or_temper_sells_areas_for_promises() -> None:
    for bot in ("statesman:easy", "statesman:hard", "statesman:normal:treacherous", "statesman:normal:cautious"):
        assert areas_sold_to_germany(1, "55 in 1896", bot=bot) == []


def test_credit_depends_on_date_amount_and_debts() -> None:
    bench = start({"phase": "negotiation", "turn": 2, "powers": {p: {"treasury": 40} for p in SEVEN}})
    relations = PowerRelations(tables(), bench.state)
    small = relations.payment_chance("germany", "france", 8, 3)
    assert 0.7 < small < relations.trust("germany")
    assert relations.payment_chance("germany", "france", 8, 9) < small
    assert relations.payment_chance("germany", "france", 55, 6) < 0.3
    owed = {
        "id": "debt", "name": "Debt", "form": "treaty", "drafter": "germany", "parties": ["france", "germany"],
        "clauses": [{"kind": "pay", "power": "germany", "to": "france", "amount": 40, "turn": 6}],
        "stage": "in_force", "signed": ["france", "germany"],
    }  # fmt: skip
    debtor = start({"phase": "negotiation", "turn": 2, "treaties": [owed]})
    assert PowerRelations(tables(), debtor.state).payment_chance("germany", "france", 8, 3) < 0.5 * small


def test_promise_that_is_already_in_force_is_worth_nothing() -> None:
    pact = {
        "id": "pact", "name": "Pact", "form": "treaty", "drafter": "france", "parties": ["france", "italy"],
        "clauses": [{"kind": "non_aggression"}], "stage": "in_force", "signed": ["france", "italy"],
    }  # fmt: skip
    plain, bound = start({"phase": "negotiation"}), start({"phase": "negotiation", "treaties": [pact]})
    promise = Clause("non_aggression", until=5)
    assert worth(plain, "italy", "france", promise) > 0 >= worth(bound, "italy", "france", promise)


# Offers that can be kept


RICH_ITALY = {"phase": "negotiation", "turn": 3, "powers": {"italy": {"treasury": 40}}}


def test_unpayable_and_old_offers_are_withdrawn() -> None:
    table, rivals = negotiation()
    fee = Clause("pay", power="italy", to="france", amount=20)
    offer = Treaty("o", "", "treaty", "italy", ("france", "italy"), (fee,), False, DRAFT, signed=("italy",), drafted=3)
    old = replace(offer, id="p", clauses=(Clause("non_aggression"),), drafted=2)
    table.act(ARBITER, {"type": "set_position", "patch": {"treaties": to_builtins([offer, old]), **RICH_ITALY}})
    rivals.run()
    assert [(t.stage, t.reason) for t in table.state.treaties[:2]] == [(DRAFT, ""), (ENDED, "withdrawn")]
    poor = {"powers": {"italy": {"treasury": 19}}}
    table.act(ARBITER, {"type": "set_position", "patch": RICH_ITALY | {"treaties": to_builtins([offer])} | poor})
    rivals.run()
    assert table.state.treaties[0].reason == "withdrawn"
    assert "no longer pay the £20" in reason(table, "italy", "reject")


def test_bots_do_not_offer_the_same_money_twice() -> None:
    table, _ = negotiation("statesman:expert")
    for power in SEVEN:
        own = [t for t in table.state.treaties if t.drafter == power and t.stage == DRAFT]
        due = [pounds_due_at_once(table.tables, table.state, t.clauses, power) for t in own]
        assert sum(max(0, pounds) for pounds in due) <= table.state.powers[power].treasury


def test_illegal_draft_is_rejected_with_the_reason_of_the_rules() -> None:
    markers = [marker("britain", "interest"), marker("france", "interest")]
    table, rivals = negotiation(areas={"guiana": {"markers": markers}})
    treaty = propose(table, rivals, "treaty with britain: britain transfers guiana to france; france pays britain 9")
    assert treaty.stage == ENDED and not [t for t in table.state.treaties if t.instead == treaty.id]
    assert "It cannot be carried out." in reason(table, "britain", "reject")


def test_seller_of_a_service_is_not_asked_to_pay() -> None:
    table, rivals = negotiation()
    for rival in ("italy", "britain", "russia"):
        words = f"treaty with {rival}: france coals {rival} until 1896; {rival} pays france 12"
        treaty = propose(table, rivals, words)
        for counter in (t for t in table.state.treaties if t.instead == treaty.id):
            assert not [c for c in counter.clauses if c.kind == "pay" and c.power == "france"]


def test_war_on_a_treaty_partner_is_not_promised() -> None:
    peace = Clause("non_aggression", until=8)
    both = ("russia", "italy")
    bond = Treaty("b", "Bern", "treaty", "italy", both, (peace,), False, IN_FORCE, signed=both)
    table, rivals = negotiation(treaties=to_builtins([bond]))
    treaty = propose(table, rivals, "treaty with italy: offensive against russia until 1892; france pays italy 25")
    assert treaty.stage == ENDED
    assert "cannot keep this beside a Treaty that it has signed (Bern)" in reason(table, "italy", "reject")
    valuation = PositionValuation(table.tables, table.state, "italy", character_of("normal", ""), "1")
    for offer in OfferFinder(PowerRelations(table.tables, table.state), valuation).best(("japan",), 9):
        assert all("russia" not in clause.against for clause in offer.draft.clauses if clause.kind == "offensive")


def test_war_draft_that_became_the_great_war_is_withdrawn() -> None:
    war = Clause("offensive", against=("russia",), until=4)
    offer = Treaty("o", "", "treaty", "italy", ("france", "italy"), (war,), False, DRAFT, signed=("italy",), drafted=3)
    made = replace(offer, id="m", parties=("britain", "italy"), signed=("britain", "italy"), stage=IN_FORCE)
    table, rivals = negotiation()
    table.act(ARBITER, {"type": "set_position", "patch": {"treaties": to_builtins([offer, made])}})
    rivals.run()
    assert table.state.treaties[0].reason == "withdrawn"
    assert "would be the Great War" in reason(table, "italy", "reject")


def test_price_for_its_own_offer_is_rejected_with_the_amount() -> None:
    table, rivals = negotiation()
    bond = Clause("defensive", against=("germany",))
    offer = Treaty("o", "", "treaty", "italy", ("france", "italy"), (bond,), False, DRAFT, signed=("italy",), drafted=3)
    table.act(ARBITER, {"type": "set_position", "patch": {"treaties": to_builtins([offer]), **RICH_ITALY}})
    counter = propose(table, rivals, "amend o: defensive against germany; italy pays france 30")
    assert counter.stage == ENDED
    assert "£30 more is not worth it" in reason(table, "italy", "reject")
