"""Rollouts: carry out plans, play the rest of the Game Turn with defaults, and judge the position.

Deterministic: position, plans and seed of the dice fix the result.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import exp, log

from paxtui.bots.pax.prediction import FEATURES, MIN_SPREAD, position_features
from paxtui.bots.pax.statesman.evaluation import PositionValuation
from paxtui.engine.bots import BotAction
from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.notation import parse_order
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.decide import decide
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.questions import FightOrDecline

MAX_STEPS = 80
"""Number of steps after which a rollout ends wherever it is."""
TREASURY = FEATURES.index("treasury")


def carry_out(tables: Tables, state: State, seat: str, orders: Iterable[BotAction], dice: Dice) -> State:
    """Return the position after the orders of a seat up to `ready`; refused ones are skipped."""
    for order in orders:
        if order.text == "ready" or state.result is not None:
            break
        try:
            action = parse_order(tables, order.text)
            if isinstance(action, actions.Action):
                state = decide(tables, state, seat, action, dice).state
        except Refusal:
            continue
    return state


def play_turn(tables: Tables, state: State, dice: Dice) -> State:
    """Return the position at the end of the Game Turn: armies fight, and all other questions get their default."""
    turn = state.turn
    for _ in range(MAX_STEPS):
        if state.result is not None or state.turn != turn:
            break
        state = _play_step(tables, state, dice)
    return state


def _play_step(tables: Tables, state: State, dice: Dice) -> State:
    fight = next((choice for choice in state.choices if isinstance(choice.about, FightOrDecline)), None)
    if fight is not None:
        order = actions.Choose(fight.id, (f"fight {fight.area}",))
        try:
            return decide(tables, state, fight.seat, order, dice).state
        except Refusal:
            pass
    return decide(tables, state, ARBITER, actions.Advance(force=True), dice).state


def score(tables: Tables, state: State, seat: str) -> float:
    """Victory Points of a seat at the end, less those of its rivals by their chance to win."""
    totals = expected_totals(tables, state)
    turn = min(max(state.turn, 1), len(tables.prediction.spread)) - 1
    spread = max(MIN_SPREAD, tables.prediction.spread[turn])
    rivals = [total for rival, total in totals.items() if rival != seat]
    best = max(rivals)
    return totals[seat] - best - spread * log(sum(exp((total - best) / spread) for total in rivals))


def expected_totals(tables: Tables, state: State) -> dict[str, float]:
    """Expected final totals. Early pounds count as in `PositionValuation`: the fit overrates them."""
    if state.result is not None:
        return {seat: float(total) for seat, total in state.result.totals.items()}
    turn = min(max(state.turn, 1), len(tables.prediction.weights))
    weights = list(tables.prediction.weights[turn - 1])
    weights[TREASURY] = min(weights[TREASURY], PositionValuation.pound_value(turn))
    found = {}
    for seat, values in position_features(tables, state).items():
        total = sum(weight * value for weight, value in zip(weights, values, strict=True))
        found[seat] = state.powers[seat].victory_points + total
    return found
