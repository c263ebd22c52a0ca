"""Predict each seat's final Victory Points and its chance to win, from the position alone.

The expected total is the points so far plus a weighted sum of features. The weights depend on the Game Turn.
`python -m tools.calibrate fit` fits them to games of bots and writes `data/prediction.json`. The chances come from the
expected totals by a softmax with the spread of the turn.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, log
from typing import NamedTuple

from paxtui.bots.pax.valuation import pounds_per_point, years_left
from paxtui.games.pax.board.caching import cached
from paxtui.games.pax.board.status import piece_limit, powers_of, used_pieces
from paxtui.games.pax.board.tables import PredictionWeights, Tables
from paxtui.games.pax.state.model import State
from paxtui.games.pax.turn.victory import current_bonuses, total_points, turn_bonuses

FEATURES = (
    *("income_at_end", "net_income", "treasury", "bonuses_at_end", "bonuses_per_turn"),
    *("round_pieces", "hexagon_pieces", "strength", "debts", "tension", "years"),
)
"""The features, all in Victory Points or shares; those of a flow are multiplied by the turns to come."""
MIN_SPREAD = 8.0
"""Spread below which rivals far behind would not count at all."""
EQUAL_STAKE_SHARE = 0.25
"""Share of a rival's stake that does not depend on predictions."""
DANGEROUS_TENSION = 60
"""European Tensions from which a Great War counts as possible."""
ADMINISTRATION = ("random_events", "administrative")
"""Phases before the income of the turn."""


class Prediction(NamedTuple):
    """A seat's expected final total in Victory Points, and its chance to win, 0 to 1."""

    total: float
    chance: float


class _Holdings:
    """Income, upkeep and strength of a Power."""

    __slots__ = ("gross", "strength", "upkeep")

    def __init__(self) -> None:
        self.gross = self.upkeep = self.strength = 0


@cached(most=8, by=lambda tables, state: ((), (tables, fitted_weights(tables), state)))
def predict_results(tables: Tables, state: State) -> dict[str, Prediction]:
    """Predict the result of each seat. Takes less than a millisecond. Callers must not change the result."""
    totals = {seat: _total(tables, state, seat, values) for seat, values in position_features(tables, state).items()}
    chances = win_chances(tables, _turn_to_end(tables, state), totals)
    return {seat: Prediction(totals[seat], chances[seat]) for seat in totals}


def win_chances(tables: Tables, turn: int, totals: dict[str, float]) -> dict[str, float]:
    """Chances to win of seats with these expected totals in a Game Turn."""
    spread = _spread(tables, turn)
    best = max(totals.values())
    odds = {seat: exp((total - best) / spread) for seat, total in totals.items()}
    every = sum(odds.values())
    return {seat: share / every for seat, share in odds.items()}


def effective_gain(
    tables: Tables, turn: int, totals: Mapping[str, float], seat: str, gains: Mapping[str, float]
) -> float:
    """Victory Points that a change is worth to a seat, with the effect of all gains on its chance to win.

    It is the gain of the seat alone that would change its odds as much.

    Args:
        tables: the tables of the game.
        turn: the Game Turn.
        totals: expected totals by seat.
        seat: the seat.
        gains: changes of the expected totals by seat.
    """
    spread = max(MIN_SPREAD, _spread(tables, turn))
    rivals = [rival for rival in totals if rival != seat]
    if not rivals:
        return gains.get(seat, 0.0)
    best = max(totals[rival] for rival in rivals)
    before = sum(exp((totals[rival] - best) / spread) for rival in rivals)
    after = sum(exp((totals[rival] + gains.get(rival, 0.0) - best) / spread) for rival in rivals)
    return gains.get(seat, 0.0) - spread * log(after / before)


def rival_stakes(predictions: Mapping[str, Prediction], seat: str) -> dict[str, float]:
    """Cost to a seat of each rival's Victory Point, in Victory Points; the stakes of all rivals add up to 1.

    Part of it is the same for all rivals: predictions are uncertain.
    """
    rivals = [rival for rival in predictions if rival != seat]
    others = sum(predictions[rival].chance for rival in rivals)
    return {
        rival: EQUAL_STAKE_SHARE / len(rivals)
        + (1 - EQUAL_STAKE_SHARE) * (predictions[rival].chance / others if others else 0.0)
        for rival in rivals
    }


def fitted_weights(tables: Tables) -> PredictionWeights:
    """Return the weights of the prediction. Tests of screens replace them by fixed ones."""
    return tables.prediction


def usual_error(tables: Tables, state: State) -> float:
    """The spread of the turn: the Victory Points by which an expected total usually errs, compared with others."""
    return _spread(tables, _turn_to_end(tables, state))


def _spread(tables: Tables, turn: int) -> float:
    spread = fitted_weights(tables).spread
    return spread[min(max(turn, 1), len(spread)) - 1]


def _total(tables: Tables, state: State, seat: str, values: tuple[float, ...]) -> float:
    turn = _turn_to_end(tables, state)
    fitted = fitted_weights(tables)
    weights = fitted.weights[min(max(turn, 1), len(fitted.weights)) - 1]
    total = state.powers[seat].victory_points + sum(w * v for w, v in zip(weights, values, strict=True))
    return total + fitted.powers.get(seat, 0.0) * turns_to_come(tables, state)


def _turn_to_end(tables: Tables, state: State) -> int:
    """Game Turn of a whole game that is as far from its end: the weights come from whole games."""
    return state.turn + len(tables.turns) - state.last_turn


def turns_to_come(tables: Tables, state: State) -> float:
    """Number of incomes to come."""
    return years_left(state) + (state.phase in ADMINISTRATION)


def position_features(tables: Tables, state: State) -> dict[str, tuple[float, ...]]:
    """Values of FEATURES for each seat."""
    holdings = _holdings_by_power(tables, state)
    used, debts = used_pieces(tables, state), _debts(state)
    years = turns_to_come(tables, state)
    penalty = tables.turns[max(state.turn, 1) - 1].great_war_penalty
    heat = max(0.0, state.tension - DANGEROUS_TENSION) / (100 - DANGEROUS_TENSION) * penalty * (years > 0)
    found: dict[str, tuple[float, ...]] = {}
    for seat in state.players:
        own = [holdings[power] for power in powers_of(tables, state, seat) if power in holdings]
        point = max(1.0, pounds_per_point(tables, seat))
        gross, upkeep = sum(h.gross for h in own), sum(h.upkeep for h in own)
        office = tables.colonial_office.get(seat, ())
        net = gross - upkeep + sum(office) / max(1, len(office))
        free = {pool: max(0, piece_limit(tables, seat, pool) - used[seat][pool]) for pool in ("round", "hexagon")}
        found[seat] = (
            2.0 * gross / point,
            years * net / point,
            sum(state.powers[power].treasury for power in powers_of(tables, state, seat)) / point,
            float(total_points(current_bonuses(tables, state, seat))),
            years * total_points(turn_bonuses(tables, state, seat)),
            years * free["round"] / point,
            years * free["hexagon"] / point,
            sum(h.strength for h in own) / point,
            debts.get(seat, 0) / point,
            heat,
            years,
        )
    return found


@cached(most=4, by=lambda tables, state: (tuple(state.powers), (tables, state.areas, state.homes)))
def _holdings_by_power(tables: Tables, state: State) -> dict[str, _Holdings]:
    found = {power: _Holdings() for power in state.powers}
    markers, areas = tables.markers, tables.areas
    for area, here in state.areas.items():
        for marker in here.markers:
            holder = found.get(marker.power)
            if holder is not None and marker.established:
                kind = markers[marker.marker]
                holder.gross += areas[area].value * kind.multiplier
                holder.upkeep += kind.maintenance
        for unit in here.units:
            holder = found.get(unit.power)
            if holder is not None:
                holder.upkeep += unit.strength
                holder.strength += unit.strength
    for units in state.homes.values():
        for unit in units:
            holder = found.get(unit.power)
            if holder is not None:
                holder.strength += unit.strength
    return found


def _debts(state: State) -> dict[str, int]:
    """Pounds that Treaties in force bring each Power later, less those that it owes."""
    found: dict[str, int] = {}
    for treaty in state.treaties:
        for clause in treaty.binding_clauses:
            if clause.kind == "pay" and clause.upon is None and (clause.every_turn or clause.turn > state.turn):
                turns = max(0, (clause.until or state.turn) - state.turn) if clause.every_turn else 1
                found[clause.to] = found.get(clause.to, 0) + turns * clause.amount
                found[clause.power] = found.get(clause.power, 0) - turns * clause.amount
    return found
