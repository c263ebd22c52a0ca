"""Fit the weights of `paxtui.bots.pax.prediction` to finished games, and check them on other games."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from math import log
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from paxtui.bots.pax.prediction import FEATURES, position_features, turns_to_come, win_chances
from paxtui.games.pax.board.tables import PredictionWeights, Tables
from tools.calibrate.games import GameRecord
from tools.calibrate.measure import winners

TURNS = 10
PRIOR = {"income_at_end": 1.0, "net_income": 1.0, "bonuses_at_end": 1.0, "bonuses_per_turn": 1.0, "treasury": 1.0}
"""Weights without any game; the fit is drawn towards them."""
RIDGE = 30.0
"""Strength of that pull, in squared standard deviations of a feature."""
LEAST_SPREAD, MOST_SPREAD = 2.0, 200.0
BINS = (0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9, 1.01)


class Sample(NamedTuple):
    """A position of a game with its features and result, by seat."""

    game: int
    turn: int
    points: dict[str, int]
    features: dict[str, tuple[float, ...]]
    years: float
    totals: dict[str, int]
    won: frozenset[str]


def read_samples(record: GameRecord) -> Iterator[Sample]:
    """Yield the positions of a game that the fit uses."""
    won = frozenset(winners(record))
    for state in record.positions:
        yield Sample(
            record.outcome.number,
            max(1, state.turn),
            {seat: state.powers[seat].victory_points for seat in state.players},
            {seat: tuple(values) for seat, values in position_features(record.tables, state).items()},
            turns_to_come(record.tables, state),
            record.outcome.totals,
            won,
        )


def fit_weights(samples: Sequence[Sample], tables: Tables) -> PredictionWeights:
    """Fit weights and spreads: ridge regression by turn, then offsets of the Powers, then the likeliest spreads."""
    powers: dict[str, float] = {}
    weights: list[tuple[float, ...]] = []
    for _ in range(3):  # weights and offsets in turn
        weights = [_fit_turn([s for s in samples if s.turn == turn], powers) for turn in range(1, TURNS + 1)]
        powers = _fit_powers(samples, weights)
    found = PredictionWeights(FEATURES, tuple(weights), (30.0,) * TURNS, powers)
    spreads = []
    for turn in range(1, TURNS + 1):
        there = [(expected_totals(found, s), s.won) for s in samples if s.turn == turn]
        spreads.append(_likeliest_spread(tables, found, there))
    return replace(found, spread=tuple(round(spread, 2) for spread in spreads))


def expected_totals(weights: PredictionWeights, sample: Sample) -> dict[str, float]:
    """Expected final totals of the seats of a sample."""
    row = weights.weights[sample.turn - 1]
    return {
        seat: sample.points[seat]
        + sum(w * v for w, v in zip(row, values, strict=True))
        + weights.powers.get(seat, 0.0) * sample.years
        for seat, values in sample.features.items()
    }


def _fit_turn(samples: Sequence[Sample], powers: dict[str, float]) -> tuple[float, ...]:
    prior = [PRIOR.get(name, 0.0) for name in FEATURES]
    rows: list[tuple[float, ...]] = []
    rest: list[float] = []
    for sample in samples:
        for seat, values in sample.features.items():
            rows.append(values)
            gained = sample.totals[seat] - sample.points[seat] - powers.get(seat, 0.0) * sample.years
            rest.append(gained - sum(w * v for w, v in zip(prior, values, strict=True)))
    if not rows:
        return tuple(prior)
    size = len(FEATURES)
    square = [[sum(row[i] * row[j] for row in rows) for j in range(size)] for i in range(size)]
    for i in range(size):
        square[i][i] += RIDGE * max(1.0, square[i][i] / len(rows))
    moments = [sum(row[i] * y for row, y in zip(rows, rest, strict=True)) for i in range(size)]
    change = solve(square, moments)
    return tuple(round(w + d, 4) for w, d in zip(prior, change, strict=True))


def _fit_powers(samples: Sequence[Sample], weights: Sequence[tuple[float, ...]]) -> dict[str, float]:
    above: dict[str, float] = {}
    below: dict[str, float] = {}
    for sample in samples:
        for seat, values in sample.features.items():
            expected = sample.points[seat] + sum(w * v for w, v in zip(weights[sample.turn - 1], values, strict=True))
            above[seat] = above.get(seat, 0.0) + sample.years * (sample.totals[seat] - expected)
            below[seat] = below.get(seat, RIDGE) + sample.years**2
    return {seat: round(above[seat] / below[seat], 4) for seat in above}


def solve(square: list[list[float]], right: list[float]) -> list[float]:
    """Solve a system of linear equations by elimination with pivots."""
    n = len(right)
    rows = [[*square[i], right[i]] for i in range(n)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda k: abs(rows[k][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for k in range(n):
            if k != i and rows[k][i]:
                factor = rows[k][i] / rows[i][i]
                rows[k] = [a - factor * b for a, b in zip(rows[k], rows[i], strict=True)]
    return [rows[i][n] / rows[i][i] for i in range(n)]


def _likeliest_spread(
    tables: Tables, weights: PredictionWeights, there: Sequence[tuple[dict[str, float], frozenset[str]]]
) -> float:
    best = (float("inf"), MOST_SPREAD)
    spread = LEAST_SPREAD
    while spread <= MOST_SPREAD:
        trial = msgspec.structs.replace(tables, prediction=replace(weights, spread=(spread,)))
        loss = 0.0
        for totals, won in there:
            chances = win_chances(trial, 1, totals)
            loss -= log(max(1e-6, sum(chances[seat] for seat in won)))
        best = min(best, (loss, spread))
        spread *= 1.08
    return best[1]


def prediction_report(weights: PredictionWeights, samples: Sequence[Sample], tables: Tables) -> Iterator[str]:
    """Yield the Brier score by turn and the reliability of the chances, in lines of Markdown."""
    fitted = msgspec.structs.replace(tables, prediction=weights)
    rows: dict[int, list[tuple[float, bool, float, int]]] = {}
    errors: dict[int, list[float]] = {}
    for sample in samples:
        totals = expected_totals(weights, sample)
        chances = win_chances(fitted, sample.turn, totals)
        for seat in totals:
            rows.setdefault(sample.turn, []).append((chances[seat], seat in sample.won, 0.0, len(totals)))
            errors.setdefault(sample.turn, []).append(abs(totals[seat] - sample.totals[seat]))
    yield "| turn | error of the total | Brier score | of equal chances |"
    yield "|---|---|---|---|"
    for turn, found in sorted(rows.items()):
        brier = fmean((chance - won) ** 2 for chance, won, _, _ in found)
        equal = fmean((1 / n - won) ** 2 for _, won, _, n in found)
        yield f"| {turn} | {fmean(errors[turn]):.0f} | {brier:.3f} | {equal:.3f} |"
    every = [row for found in rows.values() for row in found]
    brier = fmean((chance - won) ** 2 for chance, won, _, _ in every)
    equal = fmean((1 / n - won) ** 2 for _, won, _, n in every)
    yield f"| all | {fmean(e for found in errors.values() for e in found):.0f} | {brier:.3f} | {equal:.3f} |"
    yield ""
    yield "| predicted chance | positions | mean | won |"
    yield "|---|---|---|---|"
    low = 0.0
    for high in BINS:
        there = [(chance, won) for chance, won, _, _ in every if low <= chance < high]
        if there:
            mean, won = fmean(chance for chance, _ in there), fmean(won for _, won in there)
            yield f"| {low:.0%} to {min(high, 1.0):.0%} | {len(there)} | {mean:.0%} | {won:.0%} |"
        low = high


def write_weights(weights: PredictionWeights, path: Path) -> None:
    """Write the data file, one row of weights on a line."""
    raw = msgspec.to_builtins(weights)
    rows = ",\n".join("    " + json.dumps(row) for row in raw["weights"])
    text = "{\n" + f'  "features": {json.dumps(raw["features"])},\n  "weights": [\n{rows}\n  ],\n'
    text += f'  "spread": {json.dumps(raw["spread"])},\n  "powers": {json.dumps(raw["powers"])}\n' + "}\n"
    path.write_text(text, encoding="utf-8")
