"""Reviews on screens: the chart of the chances to win."""

from __future__ import annotations

from paxtui.charts.chart import SIGNS, Curves, Series
from paxtui.charts.game_charts import power_letters
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.text.display import power_name
from paxtui.studies.review import Review


def chances_chart(tables: Tables, review: Review) -> Curves:
    """Return the chances to win at the beginning of each Game Turn, in percent; the leader is drawn on top."""
    ticks = tuple("end" if turn.is_end else str(turn.year) for turn in review.turns)
    last = review.turns[-1].chances
    series = [
        Series(
            seat,
            SIGNS[n % len(SIGNS)],
            power_letters(tables, seat),
            power_name(tables, seat),
            tuple(100 * turn.chances[seat] for turn in review.turns),
        )
        for n, seat in enumerate(review.seats)
    ]
    series.sort(key=lambda one: last[one.ink])
    return Curves("Chances to win", chances_note(review), ticks, tuple(series))


def chances_note(review: Review) -> str:
    """Return a remark about the source of the chances."""
    return f"percent at the beginning of each Game Turn, {chances_source(review)}"


def chances_source(review: Review) -> str:
    """Return how the chances were found."""
    if review.is_refined:
        return f"by {review.rollouts} rollouts of statesmen"
    done = sum(turn.rollouts >= review.rollouts for turn in review.turns if not turn.is_end)
    return f"by rollouts for {done} Game Turns" if review.rollouts and done else "by the prediction"
