"""Reviews on screens: the chart of the chances to win, turning points, and the chances over the timeline."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from paxtui.charts.chart import SIGNS, Curves, Series
from paxtui.charts.game_charts import power_letters
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.text.display import percent, power_name
from paxtui.session.session import Session
from paxtui.studies.review import Chances, Review, TurningPoint
from paxtui.tui.formatting.look import Look, truncate


def chances_chart(tables: Tables, review: Review) -> Curves:
    """Return the chances to win at the beginning of each Game Turn, in percent; the leader is drawn on top."""
    begun = {turn.year: turn.line for turn in reversed(review.turns)}
    ticks = tuple(
        "end" if turn.is_end else str(turn.year) if begun[turn.year] == turn.line else "now" for turn in review.turns
    )
    last = review.turns[-1].chances
    series = [
        Series(
            seat,
            SIGNS[n % len(SIGNS)],
            power_letters(tables, seat),
            power_name(tables, seat),
            tuple(round(100 * turn.chances[seat], 1) for turn in review.turns),
        )
        for n, seat in enumerate(review.seats)
    ]
    series.sort(key=lambda one: last[one.ink])
    note = f"percent at the beginning of each Game Turn, {chances_source(review)}"
    return Curves("Chances to win", note, ticks, tuple(series))


def chances_source(review: Review) -> str:
    """Return how the chances were found."""
    if review.is_refined:
        return f"by {review.rollouts} rollouts of statesmen"
    done = sum(turn.rollouts >= review.rollouts for turn in review.turns if not turn.is_end)
    return f"by rollouts for {done} Game Turn{'s' * (done > 1)}" if review.rollouts and done else "by the prediction"


def point_row(tables: Tables, look: Look, point: TurningPoint, width: int) -> Text:
    """Return a turning point in one row: year, act, and the changes."""
    changes = Text()
    for seat in point.changed_seats:
        changes.append("  ")
        changes.append(power_letters(tables, seat), look.ink(seat))
        changes.append(f" {percent(point.before[seat])}→{percent(point.after[seat])}".replace(" %", "%"))
    act = truncate(Text(point.text.rstrip(".")), max(20, width - changes.cell_len - 6))
    return look.signs(Text.assemble((f"{point.year} ", look.faint), act, changes, no_wrap=True, overflow="ellipsis"))


def shown_line(session: Session, review: Review, line: int) -> int:
    """Return a line of a review by the number of the session's viewpoint."""
    return session.view.number_of(line) if review.seat == ARBITER else line


def chances_strip(session: Session, review: Review, look: Look, width: int, rows: int) -> list[Text]:
    """Return the chances as bands over the timeline: a column for each of its cells, together 100 %."""
    span, last = max(10, width - 2), max(2, session.version)
    marks = [
        ((shown_line(session, review, turn.line) - 1) * (span - 1) // (last - 1), turn.chances) for turn in review.turns
    ]
    columns = [_bands(review.seats, _between(marks, x), rows) for x in range(span)]
    starts = {x for x, _ in marks}
    here = (session.line - 1) * (span - 1) // (last - 1)
    out = []
    for row in range(rows):
        text = Text(" ", no_wrap=True, overflow="crop")
        x = 0
        while x < span:
            seat = columns[x][row]
            letters = power_letters(session.tables, seat)
            is_label = x in starts and columns[min(x + 1, span - 1)][row] == seat and here not in (x, x + 1)
            cells = letters if is_label else letters[0] if not look.ink(seat) else " "
            cells = cells[: span - x]
            style = f"{look.ink(seat)} reverse" if x != here else "bold"
            text.append("┃" if x == here else cells, style)
            x += 1 if x == here else len(cells)
        out.append(look.signs(text))
    return out


def _between(marks: Sequence[tuple[int, Chances]], x: int) -> Chances:
    """Return the chances at a column, between those of the Game Turns beside it."""
    before = next((mark for mark in reversed(marks) if mark[0] <= x), marks[0])
    after = next((mark for mark in marks if mark[0] > x), before)
    part = (x - before[0]) / (after[0] - before[0]) if after[0] > before[0] else 0.0
    return {seat: chance + part * (after[1][seat] - chance) for seat, chance in before[1].items()}


def _bands(seats: Sequence[str], chances: Chances, rows: int) -> list[str]:
    """Return the seat of each row: the band that contains the middle of the row."""
    found, reached, row = [], 0.0, 0
    for seat in seats:
        reached += chances[seat]
        while row < rows and (row + 0.5) / rows <= reached + 1e-9:
            found.append(seat)
            row += 1
    return found + [seats[-1]] * (rows - len(found))
