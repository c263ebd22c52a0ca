"""Statesmen share rich Areas for money: when, for how much, and with whom."""

from __future__ import annotations

from paxtui.bots.pax.profiles import character_of
from paxtui.bots.pax.statesman.evaluation import PositionValuation, bonus_gain
from paxtui.bots.pax.statesman.partnerships import fair_payment, shareable_areas, sharing_offers
from paxtui.bots.pax.statesman.treaties import OfferFinder
from paxtui.bots.pax.statesman.treaty_values import PowerRelations
from paxtui.games.pax.position.setup import seats_for
from paxtui.games.pax.state.model import State
from tests.rules.harness import army, marker, start, tables

EGYPT = {"egypt": {"markers": [marker("britain", "protectorate")], "units": [army("britain", 1)]}}
"""An Area of Economic Value 8 that Britain holds alone."""


def rich(turn: int, areas: dict[str, object] | None = None, treasury: int = 120) -> State:
    """A Negotiation Phase in which everybody has money."""
    powers = {p: {"treasury": treasury} for p in seats_for(7)}
    begun = {"phase": "negotiation", "turn": turn, "powers": powers}
    return start({**begun, "areas": EGYPT if areas is None else areas}).state


def judge(state: State, power: str) -> PositionValuation:
    """How a statesman of normal level values the position."""
    return PositionValuation(tables(), state, power, character_of("normal", ""), "")


def shared(state: State, holder: str, joiner: str) -> list[str]:
    """The Areas that two Powers would share."""
    regard = PowerRelations(tables(), state)
    return [one.clause.places[0] for one in shareable_areas(regard, judge(state, holder), judge(state, joiner))]


def test_a_rich_area_is_worth_more_to_two_than_to_one() -> None:
    assert "egypt" in shared(rich(6), "britain", "france")
    poor = {"gabon": {"markers": [marker("france", "protectorate")], "units": [army("france", 1)]}}
    assert "gabon" not in shared(rich(6, poor), "france", "germany")


def test_an_area_in_unrest_or_with_a_third_influence_is_not_shared() -> None:
    unrest = {"egypt": {**EGYPT["egypt"], "unrest": True}}
    assert "egypt" not in shared(rich(6, unrest), "britain", "france")
    third = {"egypt": {**EGYPT["egypt"], "markers": [marker("britain", "protectorate"), marker("italy", "influence")]}}
    assert "egypt" not in shared(rich(6, third), "britain", "france")


def test_the_payment_gives_both_the_same_victory_points() -> None:
    state = rich(6)
    holder, joiner = judge(state, "britain"), judge(state, "france")
    areas = list(shareable_areas(PowerRelations(tables(), state), holder, joiner))
    pounds = fair_payment(holder, joiner, areas)
    gains = sum(one.holder_gain for one in areas) + pounds, sum(one.joiner_gain for one in areas) - pounds
    assert pounds > 0
    assert abs(gains[0] / holder.point - gains[1] / joiner.point) < 0.3


def test_nobody_offers_more_than_it_has() -> None:
    state = rich(6, treasury=12)
    regard = PowerRelations(tables(), state)
    assert not list(sharing_offers(regard, judge(state, "britain"), judge(state, "france")))


def test_the_offer_is_a_share_for_money() -> None:
    state = rich(6)
    finder = OfferFinder(PowerRelations(tables(), state), judge(state, "italy"))
    offer = finder.best(["britain"], 1)[0]
    kinds = [clause.kind for clause in offer.draft.clauses]
    assert kinds[-1] == "pay" and set(kinds[:-1]) == {"grant"}
    assert offer.gain > 0 and offer.theirs > 0


def test_a_bonus_that_a_partner_would_spoil_counts_against_sharing() -> None:
    korea = {"korea": {"markers": [marker("japan", "protectorate")], "units": [army("japan", 1)]}}
    state = rich(6, korea)
    assert bonus_gain(tables(), state, "korea", "russia", "japan") < 0
    assert bonus_gain(tables(), state, "korea", "united_states", "japan") == 0
    assert bonus_gain(tables(), state, "gold_coast", "russia", "japan") == 0
