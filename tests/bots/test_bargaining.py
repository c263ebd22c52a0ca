"""The prices of hard statesmen and of the expert: for these shares of its gain the other side still signs."""

from __future__ import annotations

import pytest
from msgspec import to_builtins

from paxtui.bots.pax.own_drafts import pounds_due_at_once
from paxtui.bots.pax.profiles import character_of
from paxtui.bots.pax.registry import parse_bot_name
from paxtui.bots.pax.statesman.bargaining import ANSWER_FACTOR, dearest_terms
from paxtui.bots.pax.statesman.evaluation import PositionValuation
from paxtui.bots.pax.statesman.player import statesman_replies
from paxtui.bots.pax.statesman.treaties import RICH_TURN
from paxtui.bots.pax.statesman.treaty_values import PowerRelations, treaty_gain
from paxtui.engine.seating import BotLevel
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.position.setup import seats_for
from paxtui.games.pax.state.diplomacy import DRAFT, Clause, Treaty
from paxtui.games.pax.visibility import visible_state
from paxtui.session.game_host import empty_clock
from paxtui.session.pax_bot_runner import PaxBotRunner
from paxtui.session.pax_host import PaxHost
from tests.bots.fixed_weights import tables
from tests.rules.harness import start

SEVEN = tuple(seats_for(7))
ALLIANCE = (Clause("defensive", against=("germany",)),)
"""Public, it brings France Victory Points every turn."""


def _position(pounds: int = 40):
    patch = {"phase": "negotiation", "turn": 3, "powers": {p: {"treasury": pounds} for p in SEVEN}}
    return start(patch | {"treaties": to_builtins([_draft("o", "france", ALLIANCE)])}).state


def _draft(id_: str, by: str, clauses: tuple[Clause, ...], instead: str = "") -> Treaty:
    both = ("france", "italy")
    return Treaty(id_, "", "treaty", by, both, clauses, True, DRAFT, signed=(by,), drafted=3, instead=instead)


def _terms(state, date: int = RICH_TURN, level: BotLevel = "expert"):
    valuation = PositionValuation(tables(), state, "italy", character_of(level, ""), "1")
    return valuation, dearest_terms(PowerRelations(tables(), state), valuation, "france", ALLIANCE, True, date)


@pytest.mark.parametrize(("level", "claimed"), [("hard", 0.2), ("expert", 0.8)])
def test_price_is_the_highest_that_leaves_the_other_side_its_share(level: BotLevel, claimed: float):
    state = _position(400)
    valuation, terms = _terms(state, 0, level)
    relations, parties = PowerRelations(tables(), state), ("italy", "france")
    theirs = relations.valuation("france")
    before = treaty_gain(relations, theirs, parties, ALLIANCE, True)
    after = treaty_gain(relations, theirs, parties, terms, True)
    kept = ANSWER_FACTOR * (1 - claimed) * before
    assert before > 10 and kept <= after < kept + 4, "one pound more would be too much"
    assert treaty_gain(relations, valuation, parties, terms, True) > treaty_gain(
        relations, valuation, parties, ALLIANCE, True
    )


def test_price_is_at_most_what_the_other_side_has():
    for pounds in (0, 10, 40):
        state = _position(pounds)
        _, terms = _terms(state, date=0)
        assert pounds_due_at_once(tables(), state, terms, "france") <= pounds


def test_statesman_signs_the_price_of_an_expert():
    state = _position()
    known = visible_state(tables(), state, "italy")
    normal = statesman_replies(tables(), known, "italy", character_of("normal", ""), "s", ())
    (counter,) = statesman_replies(tables(), known, "italy", character_of("expert", ""), "s", ())
    assert counter.text.startswith("amend o") and "france pays italy" in counter.text
    assert [counter.text] != [act.text for act in normal]
    _, terms = _terms(state)
    patch = {"phase": "negotiation", "turn": 3, "powers": {p: {"treasury": 40} for p in SEVEN}}
    after = start(patch | {"treaties": to_builtins([_draft("c", "italy", terms, "o")])}).state
    seen = visible_state(tables(), after, "france")
    (answer,) = statesman_replies(tables(), seen, "france", character_of("hard", ""), "s", ())
    assert answer.text == "sign c"


def test_expert_returns_the_old_terms_once_after_a_refusal():
    table = PaxHost.new(tables(), SEVEN, "treaties", {}, undo="free", clock=empty_clock)
    table.seat({"italy": parse_bot_name("statesman:expert")})
    begun = {"phase": "negotiation", "turn": 3, "powers": {p: {"treasury": 40} for p in SEVEN}}
    table.act(ARBITER, {"type": "set_position", "patch": begun})
    rivals = PaxBotRunner(table)
    rivals.run()
    table.act("france", "treaty with italy public: defensive against germany; france pays italy 5")
    rivals.run()
    first, counter = table.state.treaties[-2:]
    assert (counter.instead, counter.drafter) == (first.id, "italy")
    table.act("france", f"reject {counter.id}")
    rivals.run()
    again = table.state.treaties[-1]
    assert again.drafter == "italy" and again.clauses == first.clauses and again.stage == DRAFT
    table.act("france", f"reject {again.id}")
    rivals.run()
    assert table.state.treaties[-1].id == again.id
