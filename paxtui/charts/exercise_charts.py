"""The charts of a game of Empires in Arms: political points, money and factors by month."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from paxtui.charts.chart import SIGNS, Curves, Series
from paxtui.games.empires.calendar import month_name
from paxtui.games.empires.pieces import is_hidden
from paxtui.games.empires.state import State
from paxtui.games.empires.tables import Tables

INKS = {"austria": "austria_hungary"}
"""Inks of Powers that have another name in the palettes."""


def exercise_charts(tables: Tables, months: Sequence[State]) -> dict[str, Curves]:
    """Return the charts by name. Args: the tables; the position at the end of each month, as the seat sees it.

    Corps that lie face down have no factors in them.
    """
    note = "at the end of each month"
    hidden = any(map(is_hidden, months[-1].corps.values()))
    seen = f"{note}, without corps that lie face down" if hidden else note
    return {
        "points": _curves(tables, months, "Political points", note, lambda state, one: state.accounts[one].points),
        "money": _curves(tables, months, "Money points", note, lambda state, one: state.accounts[one].money),
        "factors": _curves(tables, months, "Factors in corps", seen, _factors),
    }


def exercise_outcome(tables: Tables, state: State) -> str:
    """Return how the game ended, or its month, in a sentence."""
    if state.result is None:
        return f"{tables.exercise.title}: {month_name(state.turn)}."
    return f"{tables.exercise.title}: won by {', '.join(map(tables.name, state.result.winners))}."


def _factors(state: State, power: str) -> int:
    return sum(one.factors.total for one in state.corps.values() if one.power == power and not is_hidden(one))


def _curves(
    tables: Tables, months: Sequence[State], title: str, note: str, value: Callable[[State, str], int]
) -> Curves:
    series = tuple(
        Series(
            INKS.get(power, power),
            SIGNS[number % len(SIGNS)],
            power[:2].upper(),
            tables.name(power),
            tuple(float(value(state, power)) for state in months),
        )
        for number, power in enumerate(months[-1].powers)
    )
    ends = [month_name(state.turn) if state is months[-1] else month_name(state.turn - 1) for state in months]
    return Curves(title, note, tuple(text[:3] for text in ends), series)
