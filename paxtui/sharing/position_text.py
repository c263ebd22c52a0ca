"""A position as text for a forum or a letter: the Powers in a table, what they hold, and what is in dispute."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from paxtui.engine.free_text import clean_text
from paxtui.games.pax.board.status import area_state
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.figures import FIGURES, describe_indexes
from paxtui.games.pax.reports.war_status import war_title
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import LEVEL
from paxtui.games.pax.text.display import marker_name, phase_name, place_name, power_name, sentence

NAME_WIDTH = 18
LINE_WIDTH = 76


def position_text(tables: Tables, state: State, title: str) -> str:
    """Return a position as text. Args: the tables; the position, as the reader may know it; a title."""
    year = tables.turns[state.turn - 1].year
    lines = [
        clean_text(title),
        f"{year}, Game Turn {state.turn}, {phase_name(state.phase)} Phase",
        describe_indexes(state),
        "",
        *_table(tables, state),
        "",
        *_holdings(tables, state),
        *_disputes(tables, state),
    ]
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _table(tables: Tables, state: State) -> Iterator[str]:
    figures = [figure for figure in FIGURES if figure.column]
    yield "Power".ljust(NAME_WIDTH) + "".join(figure.column.rjust(figure.width) for figure in figures)
    for power in state.players:
        cells = []
        for figure in figures:
            value = figure.value(tables, state, power)
            text = "" if value is None else f"{'-' * (value < 0)}{figure.unit}{abs(value)}"
            cells.append(text.rjust(figure.width))
        yield power_name(tables, power).ljust(NAME_WIDTH) + "".join(cells)
    if state.result is not None:
        ranks = sorted(state.result.ranks.items(), key=lambda each: each[1])
        yield ""
        yield "Result: " + ", ".join(
            f"{rank}. {power_name(tables, seat)} {state.result.totals[seat]}" for seat, rank in ranks
        )


def _holdings(tables: Tables, state: State) -> Iterator[str]:
    """Return the Areas of each Power by marker, the highest first."""
    held: dict[str, dict[str, list[str]]] = {}
    for area in tables.areas:
        for marker in area_state(state, area).markers:
            doubt = "" if marker.established else "?"
            held.setdefault(marker.power, {}).setdefault(marker.marker, []).append(place_name(tables, area) + doubt)
    known = [*state.players, *(power for power in held if power not in state.players)]
    for power in known:
        if power not in held:
            continue
        yield power_name(tables, power)
        for kind in sorted(held[power], key=lambda kind: -LEVEL[kind]):
            yield from _wrap(f"  {marker_name(tables, kind)}: {', '.join(held[power][kind])}")
    yield ""


def _disputes(tables: Tables, state: State) -> Iterator[str]:
    unrest = [place_name(tables, area) for area in tables.areas if area_state(state, area).unrest]
    disputed = [place_name(tables, cause.area) for cause in state.casus_belli if cause.area]
    if unrest:
        yield from _wrap(f"Unrest: {', '.join(unrest)}")
    if disputed:
        yield from _wrap(f"Casus Belli: {', '.join(dict.fromkeys(disputed))}")
    for war in state.wars:
        yield from _wrap(f"War: {sentence(war_title(tables, war))}")


def _wrap(text: str) -> list[str]:
    return wrap(text, LINE_WIDTH, subsequent_indent="    ")
