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


def negotiation(turn: int, areas: dict[str, object] | None = None, treasury: int = 120) -> State:
    """A Negotiation Phase in which all Powers have money."""
    powers = {p: {"treasury": treasury} for p in seats_for(7)}
    begun = {"phase": "negotiation", "turn": turn, "powers": powers}
    return start({**begun, "areas": EGYPT if areas is None else areas}).state


def valuation_of(state: State, power: str) -> PositionValuation:
    """Return the valuation of a statesman of normal level."""
    return PositionValuation(tables(), state, power, character_of("normal", ""), "")


def shared_areas(state: State, holder: str, joiner: str) -> list[str]:
    """Return the Areas that two Powers would share."""
    relations = PowerRelations(tables(), state)
    return [
        one.clause.places[0]
        for one in shareable_areas(relations, valuation_of(state, holder), valuation_of(state, joiner))
    ]


def test_rich_area_is_shared_and_poor_area_is_not() -> None:
    assert "egypt" in shared_areas(negotiation(6), "britain", "france")
    poor = {"gabon": {"markers": [marker("france", "protectorate")], "units": [army("france", 1)]}}
    assert "gabon" not in shared_areas(negotiation(6, poor), "france", "germany")


def test_area_in_unrest_or_with_a_third_influence_is_not_shared() -> None:
    unrest = {"egypt": {**EGYPT["egypt"], "unrest": True}}
    assert "egypt" not in shared_areas(negotiation(6, unrest), "britain", "france")
    third = {"egypt": {**EGYPT["egypt"], "markers": [marker("britain", "protectorate"), marker("italy", "influence")]}}
    assert "egypt" not in shared_areas(negotiation(6, third), "britain", "france")


def test_payment_gives_both_the_same_victory_points() -> None:
    state = negotiation(6)
    holder, joiner = valuation_of(state, "britain"), valuation_of(state, "france")
    areas = list(shareable_areas(PowerRelations(tables(), state), holder, joiner))
    pounds = fair_payment(holder, joiner, areas)
    gains = sum(one.holder_gain for one in areas) + pounds, sum(one.joiner_gain for one in areas) - pounds
    assert pounds > 0
    assert abs(gains[0] / holder.pounds_per_point - gains[1] / joiner.pounds_per_point) < 0.3


def test_offer_is_at_most_the_treasury() -> None:
    state = negotiation(6, treasury=12)
    relations = PowerRelations(tables(), state)
    assert not list(sharing_offers(relations, valuation_of(state, "britain"), valuation_of(state, "france")))


def test_offer_is_a_share_for_money() -> None:
    state = negotiation(6)
    finder = OfferFinder(PowerRelations(tables(), state), valuation_of(state, "italy"))
    offer = finder.best(["britain"], 1)[0]
    kinds = [clause.kind for clause in offer.draft.clauses]
    assert kinds[-1] == "pay" and set(kinds[:-1]) == {"grant"}
    assert offer.gain > 0 and offer.partner_gain > 0


def test_bonus_lost_to_a_partner_counts_against_sharing() -> None:
    korea = {"korea": {"markers": [marker("japan", "protectorate")], "units": [army("japan", 1)]}}
    state = negotiation(6, korea)
    assert bonus_gain(tables(), state, "korea", "russia", "japan") < 0
    assert bonus_gain(tables(), state, "korea", "united_states", "japan") == 0
    assert bonus_gain(tables(), state, "gold_coast", "russia", "japan") == 0
