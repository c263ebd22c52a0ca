"""The charts of a run: the indexes and the points over the years, what points come from, how and when games end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import fmean

from paxtui.arena.match import Outcome
from paxtui.charts.chart import SIGNS, Bar, Bars, Chart, Curves, Part, Series
from paxtui.charts.of_game import PARTS, letters
from paxtui.pax.board.tables import Tables
from paxtui.pax.words.spoken import phase_name, power_name

ENDS = {"last_turn": ("good", "last turn"), "great_war": ("alarm", "Great War")}
"""Colour and name of the ways in which a game ends."""


def charts(tables: Tables, outcomes: Sequence[Outcome]) -> list[Chart]:
    """The charts of the games that came to a result; none where there is none."""
    over = [outcome for outcome in outcomes if not outcome.error]
    if not over:
        return []
    return [_points(tables, over), _sources(tables, over), _indexes(tables, over), _ends(tables, over), _phases(over)]


def _ticks(tables: Tables, over: Sequence[Outcome]) -> tuple[str, ...]:
    longest = max(len(outcome.tension) for outcome in over)
    return tuple(str(turn.year) for turn in tables.turns[:longest])


def _mean(runs: Sequence[Sequence[int]], longest: int) -> tuple[float | None, ...]:
    """The mean of each Game Turn over the games that came so far."""
    there = ([run[turn] for run in runs if len(run) > turn] for turn in range(longest))
    return tuple(fmean(values) if values else None for values in there)


def _points(tables: Tables, over: Sequence[Outcome]) -> Curves:
    ticks = _ticks(tables, over)
    seats = tuple(dict.fromkeys(seat for outcome in over for seat in outcome.ranks))

    def series(n: int, seat: str) -> Series:
        there = [outcome for outcome in over if seat in outcome.ranks]
        run = _mean([outcome.by_turn.get(seat, ()) for outcome in there], len(ticks))
        end = fmean(outcome.totals[seat] for outcome in there)
        sign = SIGNS[n % len(SIGNS)]
        return Series(seat, sign, letters(tables, seat), power_name(tables, seat), (*run, end))

    lines = tuple(series(n, seat) for n, seat in enumerate(seats))
    note = "means of all games, the last step is the final record"
    return Curves("Victory Points", note, (*ticks, "end"), lines)


def _sources(tables: Tables, over: Sequence[Outcome]) -> Bars:
    seats = dict.fromkeys(seat for outcome in over for seat in outcome.ranks)

    def bar(seat: str) -> Bar:
        points = [outcome.points[seat] for outcome in over if seat in outcome.points]
        means = [
            round(fmean(figures))
            for figures in zip(*((p.treasury, p.bonuses, p.ending, p.income, p.penalty) for p in points), strict=True)
        ]
        parts = sorted((Part(n, mean) for n, mean in enumerate(means) if mean), key=lambda part: part.amount < 0)
        return Bar(seat, letters(tables, seat), power_name(tables, seat), sum(means), tuple(parts))

    bars = sorted((bar(seat) for seat in seats), key=lambda one: -one.total)
    return Bars("Where the points come from", "means of all games", PARTS, tuple(bars))


def _indexes(tables: Tables, over: Sequence[Outcome]) -> Curves:
    ticks = _ticks(tables, over)
    tension = _mean([outcome.tension for outcome in over], len(ticks))
    resentment = _mean([outcome.resentment for outcome in over], len(ticks))
    lines = (
        Series("key", SIGNS[4], "Resentment", "Chinese Resentment", resentment),
        Series("alarm", SIGNS[0], "Tensions", "European Tensions", tension),
    )
    return Curves("Indexes", "means at the end of each Game Turn", ticks, lines, (100.0, "100: the Great War"))


def _ends(tables: Tables, over: Sequence[Outcome]) -> Bars:
    counts = Counter((outcome.turn, outcome.reason) for outcome in over)
    bars = []
    for (turn, reason), games in sorted(counts.items()):
        ink, name = ENDS[reason]
        bars.append(Bar(ink, name, f"{tables.turns[turn - 1].year} {name}", games, (Part(0, games),)))
    return Bars("How and when games end", "", ("games",), tuple(bars))


def _phases(over: Sequence[Outcome]) -> Bars:
    """Where the time goes."""
    spent: dict[str, float] = {}
    for outcome in over:
        for phase, seconds in outcome.phases.items():
            spent[phase] = spent.get(phase, 0.0) + seconds
    bars = [
        Bar("key", phase, phase_name(phase), ms, (Part(0, ms),))
        for phase, seconds in sorted(spent.items(), key=lambda row: -row[1])
        if (ms := round(1000 * seconds / len(over)))
    ]
    return Bars("Where the time goes", "milliseconds of a game, by Phase", ("milliseconds",), tuple(bars))
