"""Ready-made Treaties and wishes of bots: what they suggest, and that they use only what the Power may know."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from paxtui.bots.pax.profiles import character_of
from paxtui.bots.pax.registry import parse_bot_name
from paxtui.bots.pax.statesman.evaluation import PositionValuation
from paxtui.bots.pax.statesman.player import statesman_replies
from paxtui.bots.pax.statesman.treaties import OfferFinder
from paxtui.bots.pax.statesman.treaty_values import PowerRelations, TreatyValuation
from paxtui.bots.pax.treaty_ideas import describe_chance, suggest_treaties
from paxtui.bots.pax.wishes import describe_wishes
from paxtui.games.pax.actions.dispatches import WISH_QUESTION, Dispatch, asks_for_wishes
from paxtui.games.pax.board.tables import Bonus, TreatyTest
from paxtui.games.pax.state.diplomacy import IN_FORCE, Clause, Treaty
from paxtui.games.pax.transaction import DryRun
from paxtui.games.pax.treaties import lifecycle
from paxtui.games.pax.visibility import visible_state
from paxtui.session.local_session import LocalSession
from paxtui.session.pax_bot_runner import PaxBotRunner
from paxtui.session.pax_host import PaxHost
from paxtui.session.treaty_suggestions import wish_answer
from tests.bots.talks import NEGOTIATION, SEVEN
from tests.rules.harness import tables


def _host(patch=NEGOTIATION):
    host = PaxHost.new(tables(), SEVEN, "1", {})
    host.act("arbiter", {"type": "set_position", "patch": patch})
    return host


def _ideas(state, power="france", partner="italy"):
    return suggest_treaties(tables(), visible_state(tables(), state, power), power, partner)


def test_common_treaties_are_suggested_with_areas_and_sums():
    found = {idea.draft.clauses[0].kind: idea for idea in _ideas(_host().state)}
    assert {"defensive", "non_aggression", "no_marker", "waive", "transfer", "coaling", "passage"} <= set(found)
    assert found["non_aggression"].draft.clauses == (Clause("non_aggression", until=6),)
    assert {c.power for c in found["no_marker"].draft.clauses} == {"france", "italy"}
    sale, price = found["transfer"].draft.clauses
    assert (sale.power, sale.to) == (price.to, price.power) and 1 <= price.amount <= 40
    assert found["waive"].draft.clauses[0].places == ("kenya",)


@pytest.mark.parametrize(("players", "counts"), [((7,), True), ((5, 8), False)])
def test_treaty_bonus_counts_only_with_its_number_of_players(players, counts):
    row = Bonus("france", "pact", 3, "a pact", treaty=TreatyTest("defensive", "russia"), players=players)
    ours, state = replace(tables(), bonuses_per_turn=(row,)), _host().state
    pact = next(i for i in suggest_treaties(ours, state, "france", "italy") if i.draft.clauses[0].kind == "defensive")
    assert (pact.draft.clauses[0].against == ("russia",)) is counts
    relations, valuation = (
        PowerRelations(ours, state),
        PositionValuation(ours, state, "france", character_of("hard", ""), "1"),
    )
    clauses = (Clause("defensive", against=("russia",)),)
    pounds = TreatyValuation(relations, valuation, ("france", "italy"), clauses, public=True).bonus()
    assert pounds == (3 * valuation.pounds_per_point * (valuation.turns_left + 1) if counts else 0)
    offers = OfferFinder(relations, valuation)._alliances("italy", "Italy")
    assert any(found == clauses for found, *_ in offers) is counts


def test_huge_turn_bonus_keeps_chances_of_a_signature_between_0_and_1():
    row = Bonus("france", "pact", 100, "a pact", treaty=TreatyTest("defensive", "russia"))
    ideas = suggest_treaties(replace(tables(), bonuses_per_turn=(row,)), _host().state, "france", "italy")
    assert ideas and all(0 < idea.chance < 1 for idea in ideas)


def test_joint_war_is_suggested_against_a_power_with_casus_belli():
    joint = [i for i in _ideas(_host().state, "france", "japan") if i.draft.clauses[0].kind == "offensive"]
    assert joint and joint[0].draft.clauses[0].against[0] in ("italy", "britain")


@pytest.mark.parametrize("partner", ["britain", "italy", "japan"])
def test_each_suggestion_can_be_offered(partner):
    state = _host().state
    for idea in _ideas(state, "france", partner):
        lifecycle.draft_treaty(DryRun(tables(), state), "france", idea.draft)
        assert idea.draft.parties == (partner,) and 0 < idea.chance < 1


def test_estimated_chances_agree_with_answers():
    state, signed = _host().state, {"likely": [], "perhaps": [], "unlikely": [], "hardly": []}
    for partner in ("britain", "italy", "japan", "russia"):
        for idea in _ideas(state, "france", partner):
            trial = DryRun(tables(), state)
            lifecycle.draft_treaty(trial, "france", idea.draft)
            known = visible_state(tables(), trial.state, partner)
            replies = statesman_replies(tables(), known, partner, character_of("normal", ""), "s", ())
            signed[describe_chance(idea.chance)].append(any(act.text.startswith("sign") for act in replies))
    # an estimate: a partner knows more of itself
    assert sum(signed["likely"]) >= 0.8 * len(signed["likely"]) > 0
    assert sum(signed["hardly"]) <= 0.2 * len(signed["hardly"])


def test_secrets_of_others_do_not_change_suggestions():
    state = _host().state
    clauses = (Clause("defensive", against=("france",)), Clause("pay", power="italy", to="britain", amount=9, turn=5))
    hidden = Treaty("s", "S", "treaty", "italy", ("britain", "italy"), clauses, False, IN_FORCE, since=2)
    secret = replace(state, treaties=(hidden,))
    assert _ideas(secret) == _ideas(state)
    shown = replace(state, treaties=(replace(hidden, public=True),))
    assert _ideas(shown) != _ideas(state)


def test_treacherous_statesman_hides_its_best_wish():
    state = visible_state(tables(), _host().state, "italy")
    words = {
        temper: describe_wishes(tables(), state, "italy", "france", character_of("normal", temper), "s")
        for temper in ("", "cautious", "bold", "treacherous")
    }
    assert len(set(words.values())) == 4
    best = max(suggest_treaties(tables(), state, "italy", "france"), key=lambda idea: idea.gain)
    assert best.gain > 0 and "We would sign this" in words[""]
    assert words["treacherous"] == describe_wishes(
        tables(), state, "italy", "france", character_of("normal", "treacherous"), "s"
    )
    signs, sly = (words[temper].split("We would sign this")[-1].split(".")[0] for temper in ("", "treacherous"))
    assert signs != sly


@pytest.mark.parametrize(("bot", "answer"), [("statesman:normal:bold", "We speak plainly."), ("steady", "We make no")])
def test_bot_answers_the_wish_question(bot, answer):
    host = _host()
    host.seat({"italy": parse_bot_name(bot)})
    host.play("france", Dispatch(("italy",), WISH_QUESTION))
    PaxBotRunner(host).run()
    letters = [letter for letter in host.dispatches("france") if letter.sender == "italy"]
    assert len(letters) == 1 and letters[0].text.startswith(answer)


def test_wish_question_may_be_typed():
    assert asks_for_wishes("what do you want") and asks_for_wishes(" What do you want? ")
    assert not asks_for_wishes("What do you want for Tunis?")


def test_last_wish_question_counts():
    host = _host()
    host.seat({"italy": parse_bot_name("statesman")})
    session = LocalSession(host)
    assert wish_answer(session, "italy") == ""
    for number in (1, 2):
        host.play(session.seat, Dispatch(("italy",), WISH_QUESTION))
        assert wish_answer(session, "italy") == "Italy considers its answer."
        PaxBotRunner(host).run()
        letters = [letter for letter in host.dispatches(session.seat) if letter.sender == "italy"]
        assert len(letters) == number and wish_answer(session, "italy") == letters[-1].text
