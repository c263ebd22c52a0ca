"""The figures that all players see: of each Power, a row of `FIGURES`; of the game, a row of `INDEXES`.

Panes, the plain mode, the text of a position, mail reports, comparisons and charts show what these rows declare.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from paxtui.games.pax.board.status import holdings
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import CONTROL
from paxtui.games.pax.text.display import power_name
from paxtui.games.pax.turn import administration, victory


class Figure(NamedTuple):
    """A number of a Power.

    Attributes:
        name: id of its chart.
        title: name for players.
        value: the number in a position; None if the Power has none.
        phrase: text of the number in the sentence about a Power, "" for nothing; None: not in the sentence.
        unit: sign before the number in comparisons.
        column: heading in the table of Powers, "" for none.
        width: of the column.
        of_seats: whether only Powers with a player have it in the table of Powers.
        is_compared: whether comparisons of two positions list it.
        chart: what its chart shows, "" for none.
    """

    name: str
    title: str
    value: Callable[[Tables, State, str], int | None]
    phrase: Callable[[int], str] | None = None
    unit: str = ""
    column: str = ""
    width: int = 0
    of_seats: bool = False
    is_compared: bool = False
    chart: str = ""


class FigureChange(NamedTuple):
    """A figure before and after, and whether more is better for the reader."""

    what: str
    before: int
    after: int
    more_is_better: bool = True
    unit: str = ""


def controlled_areas(state: State, power: str) -> int:
    """Count the Areas under a Power's established Control, Codominions included."""
    return sum(marker in CONTROL for _, marker in holdings(state, power))


def _field(name: str) -> Callable[[Tables, State, str], int | None]:
    return lambda tables, state, power: getattr(state.powers[power], name) if power in state.powers else None


FIGURES = (
    Figure(
        "treasury",
        "Treasury",
        _field("treasury"),
        phrase=lambda pounds: f"£{pounds}",
        unit="£",
        column="Treasury",
        width=9,
        is_compared=True,
    ),
    Figure("net", "Net income", administration.forecast_net_income, unit="£", column="net", width=6),
    Figure(
        "empires",
        "Empires",
        lambda tables, state, power: controlled_areas(state, power),
        column="Control",
        width=8,
        chart="Areas under Control",
    ),
    Figure(
        "points",
        "Victory Points",
        _field("victory_points"),
        phrase=lambda points: f"{points} Victory Point{'s' * (points != 1)}",
        column="VP",
        width=4,
        of_seats=True,
        is_compared=True,
    ),
    Figure(
        "end",
        "Victory Points if the game ended now",
        lambda tables, state, power: victory.final_lines(tables, state, power).get("31"),
        column="end",
        width=5,
        of_seats=True,
    ),
    Figure(
        "merchants_due",
        "Merchant Fleets due",
        _field("merchants_due"),
        phrase=lambda fleets: f"{fleets} Merchant Fleet{'s' * (fleets != 1)} due" * bool(fleets),
    ),
)

INDEXES: tuple[tuple[str, Callable[[State], int]], ...] = (
    ("European Tensions", lambda state: state.tension),
    ("Chinese Resentment", lambda state: state.resentment),
)
"""Titles and values of the figures of the game. To rise is bad for all players."""


def describe_figures(tables: Tables, state: State, power: str) -> str:
    """Return what a Power has, in one phrase; "" for a Minor Power."""
    texts = []
    for figure in FIGURES:
        number = figure.value(tables, state, power) if figure.phrase else None
        if figure.phrase and number is not None:
            texts.append(figure.phrase(number))
    return ", ".join(filter(None, texts))


def describe_indexes(state: State) -> str:
    """Return the indexes in one phrase."""
    return ", ".join(f"{title} {value(state)}" for title, value in INDEXES)


def compare_figures(tables: Tables, before: State, after: State) -> Iterator[FigureChange]:
    """Yield the figures that comparisons list: the indexes, then those of each Power. Unchanged ones too."""
    for title, index in INDEXES:
        yield FigureChange(title, index(before), index(after), more_is_better=False)
    for power in after.powers:
        for figure in FIGURES:
            was, now = (figure.value(tables, state, power) if figure.is_compared else None for state in (before, after))
            if was is not None and now is not None:
                yield FigureChange(f"{power_name(tables, power)}: {figure.title}", was, now, unit=figure.unit)
