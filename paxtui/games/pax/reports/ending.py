"""Pages at the end of a game: who won and why, what decided it, awards, and the sources of all points.

Rules: VIC-001, VIC-006, VIC-009, VIC-015 to VIC-020
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.narration.narrator import (
    BAD,
    FAINT,
    GOOD,
    ReportLine,
    ReportPage,
    SeatStanding,
    nonempty_sections,
)
from paxtui.games.pax.reports.awards import Award
from paxtui.games.pax.reports.result import describe_result, describe_winner
from paxtui.games.pax.state.model import Result, State
from paxtui.games.pax.statistics import GameStatistics, PointSources
from paxtui.games.pax.text.display import sentence, the_power, the_powers
from paxtui.games.pax.turn.victory import RECONSTRUCTED

SOURCES_TITLE = "How each Power got its points"
FINAL_COLUMNS = (("bonus", "28", 6), ("income", "29", 7), ("war", "30", 5), ("total", "31", 6))
"""Columns of the final record: title, line of the Record Sheet, and width."""
TURN_WIDTH = 4
"""Width of the column of a Game Turn."""


def ending_pages(
    tables: Tables, state: State, course: GameStatistics, decided: Sequence[ReportLine], awards: Sequence[Award]
) -> tuple[ReportPage, ...]:
    """Return the pages of a finished game; none while it goes on.

    Args:
        state: the final position.
        course: the course of the game.
        decided: lines about the acts that decided it.
        awards: its awards.
    """
    result = state.result
    if result is None:
        return ()
    first = ReportPage(
        describe_winner(tables, result),
        nonempty_sections(
            ("The end", _reasons(tables, state, result)),
            ("What decided it", list(decided)),
            ("Awards", [ReportLine(f"{award.title}: {award.why}", tone=GOOD) for award in awards]),
        ),
        _standings(result),
    )
    second = ReportPage(
        SOURCES_TITLE,
        nonempty_sections(
            ("Points by Game Turn", _points_table(tables, state, result)),
            ("Bonuses and penalties", _bonus_lines(tables, result, course.sources)),
        ),
    )
    return first, second


def _reasons(tables: Tables, state: State, result: Result) -> list[ReportLine]:
    year, out = tables.turns[state.turn - 1].year, [ReportLine(describe_result(tables, result))]
    if result.reason != "great_war":
        return [*out, ReportLine(f"The game ended with its last Game Turn, in {year}.", tone=FAINT)]
    out.append(ReportLine(f"The Great War ended the game in {year}.", tone=BAD))
    if result.culprits:
        out.append(ReportLine(sentence(f"{the_powers(tables, result.culprits)} caused it"), tone=BAD))
    return out


def _standings(result: Result) -> tuple[SeatStanding, ...]:
    most = max(result.totals.values())
    return tuple(
        SeatStanding(seat, result.ranks[seat], total, 0, f"{most - total} behind" if total < most else "")
        for seat, total in sorted(result.totals.items(), key=lambda row: -row[1])
    )


def _points_table(tables: Tables, state: State, result: Result) -> list[ReportLine]:
    """One row for each seat: the points of each Game Turn (line 26), then the final record."""
    turns = range(1, state.turn + 1)
    heads = "".join(f"{str(tables.turns[turn - 1].year)[2:]:>{TURN_WIDTH}}" for turn in turns)
    heads += "".join(f"{title:>{width}}" for title, _, width in FINAL_COLUMNS)
    rows = [ReportLine(f"  {heads}", tone=FAINT)]
    for seat in sorted(result.ranks, key=lambda seat: result.ranks[seat]):
        sheets = {**state.powers[seat].past, str(state.turn): state.powers[seat].record}
        row = "".join(_cell(sheets.get(str(turn), {}).get("26"), TURN_WIDTH) for turn in turns)
        row += "".join(_cell(state.powers[seat].record.get(line), width) for _, line, width in FINAL_COLUMNS)
        rows.append(ReportLine(f"{tables.powers[seat].letters}{row}"))
    return rows


def _cell(points: int | None, width: int) -> str:
    return f"{'·' if points is None else points:>{width}}"


def _bonus_lines(tables: Tables, result: Result, sources: Mapping[str, PointSources]) -> list[ReportLine]:
    """The bonuses and penalties of each seat, those with the same reason added up."""
    out = []
    for seat in sorted(result.ranks, key=lambda seat: result.ranks[seat]):
        sums: dict[str, list[int]] = {}
        for bonus in sources[seat].why:
            sums.setdefault(bonus.why.removesuffix(RECONSTRUCTED), []).append(bonus.amount)
        parts = [f"{sum(n):+d} {why}" + (f" ({len(n)} times)" if len(n) > 1 else "") for why, n in sums.items()]
        if parts:
            out.append(ReportLine(f"{sentence(the_power(tables, seat))[:-1]}: {'; '.join(parts)}."))
    return out
