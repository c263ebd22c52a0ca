"""The report of a run in Markdown and as an HTML page, with its charts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean, median
from typing import Any

from markdown_it import MarkdownIt

from paxtui.charts.chart import SIGNS, Bar, BarPart, Bars, Chart, Curves, Series
from paxtui.charts.game_charts import PARTS, index_curves, positive_first, power_letters
from paxtui.charts.html import render_page
from paxtui.engine.game import Game
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.state.phases import PHASES
from paxtui.games.pax.text.display import power_name
from paxtui.simulation.match import Outcome

TITLE = "Games without a screen"


def batch_report(outcomes: Sequence[Outcome]) -> list[str]:
    """Return the report of the games of a run, in lines of Markdown."""
    over = [outcome for outcome in outcomes if not outcome.error]
    lines = [f"# {TITLE}", "", f"{len(outcomes)} games, {len(over)} of them finished."]
    if over:
        for part in (_end_lines, _player_lines, _course_lines, _index_lines, _phase_lines):
            lines += part(over)
    lines += failed_lines([outcome for outcome in outcomes if outcome.error])
    twice = [outcome.number for outcome in over if outcome.attempts > 1]
    if twice:
        lines += ["", f"Restarted after their worker died: {', '.join(map(str, twice))}."]
    return lines


def failed_lines(failed: Sequence[Outcome]) -> list[str]:
    """Return the games without a result, in lines of Markdown; none if there are none."""
    reasons = [f"- game {o.number} (seed {o.seed}): {o.error}" for o in failed]
    return ["", "## Games without a result", "", *reasons] if reasons else []


def _table_head(title: str, *columns: str) -> list[str]:
    return ["", f"## {title}", "", f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]


def _end_lines(over: Sequence[Outcome]) -> Iterator[str]:
    yield from _table_head("How games end", "end", "turn", "games")
    ends = Counter((outcome.reason, outcome.turn) for outcome in over)
    for (reason, turn), games in sorted(ends.items()):
        yield f"| {reason.replace('_', ' ')} | {turn} | {games} |"


def _player_lines(over: Sequence[Outcome]) -> Iterator[str]:
    """Yield points and ranks by seat, in Pax Britannica with their sources."""
    sources = ("from the Treasury", "from bonuses", "at the end", "from income", "for the Great War")
    heads = ("seat", "bot", "won", "rank", "points", *(sources if over[0].points else ()))
    yield from _table_head("Powers", *heads)
    seats = dict.fromkeys(seat for outcome in over for seat in outcome.ranks)
    for seat in seats:
        there = [outcome for outcome in over if seat in outcome.ranks]
        points = [outcome.points[seat] for outcome in there if seat in outcome.points]
        bots = "/".join(sorted({outcome.bots[seat] for outcome in there}))
        won = sum(outcome.ranks[seat] == 1 for outcome in there)
        cells = [fmean(outcome.ranks[seat] for outcome in there), fmean(outcome.totals[seat] for outcome in there)]
        if points:
            cells += [fmean(amounts) for amounts in zip(*(each.amounts for each in points), strict=True)]
        means = " | ".join(f"{cell:.1f}" for cell in cells)
        yield f"| {seat} | {bots} | {100 * won / len(there):.0f} % | {means} |"


COUNTS = (
    ("Wars declared", "wars"),
    ("Chinese Rebellions", "rebellions"),
    ("Congresses", "congresses"),
    ("Treaties made", "treaties_made"),
    ("Treaties kept", "treaties_kept"),
    ("Treaties broken", "treaties_broken"),
    ("defaults chosen by the arbiter", "pushed"),
)
"""Names and fields of the counts of Pax Britannica."""


def _course_lines(over: Sequence[Outcome]) -> Iterator[str]:
    """Yield the counts of events per game."""
    yield from ("", "## In a game", "", "| | mean | most | games with any |", "|---|---|---|---|")
    for what, name in COUNTS if over[0].tension else ():
        counts = [int(getattr(outcome, name)) for outcome in over]
        share = 100 * sum(count > 0 for count in counts) / len(counts)
        yield f"| {what} | {fmean(counts):.2f} | {max(counts)} | {share:.0f} % |"
    seconds = [outcome.seconds for outcome in over]
    yield f"| seconds | {fmean(seconds):.2f} | {max(seconds):.2f} | median {median(seconds):.2f} |"


def _phase_lines(over: Sequence[Outcome]) -> Iterator[str]:
    yield from _table_head("Seconds by Phase", "Phase", "mean", "most")
    for phase in _phases(over):
        seconds = [outcome.phases.get(phase, 0.0) for outcome in over]
        if any(seconds):
            yield f"| {phase.replace('_', ' ')} | {fmean(seconds):.3f} | {max(seconds):.3f} |"


def _phases(over: Sequence[Outcome]) -> list[str]:
    """Return the Phases with a time: those of Pax Britannica in their order, others in the order of the first game."""
    found = dict.fromkeys(phase for outcome in over for phase in outcome.phases)
    return [phase for phase in PHASES if phase in found] + [phase for phase in found if phase not in PHASES]


def _index_lines(over: Sequence[Outcome]) -> Iterator[str]:
    """Yield the mean indexes at the end of each Game Turn, over the games that reached it; none without indexes."""
    if not over[0].tension:
        return
    columns = ("at the end of Game Turn", "games", "European Tensions", "Chinese Resentment")
    yield from _table_head("Tension and resentment", *columns)
    for turn in range(max(len(outcome.tension) for outcome in over)):
        there = [outcome for outcome in over if len(outcome.tension) > turn]
        tension = fmean(outcome.tension[turn] for outcome in there)
        resentment = fmean(outcome.resentment[turn] for outcome in there)
        yield f"| {turn + 1} | {len(there)} | {tension:.1f} | {resentment:.1f} |"


ENDS = {"last_turn": ("good", "last turn"), "great_war": ("alarm", "Great War")}
"""Colour and name of each kind of end."""


def batch_charts(rules: Game[Any], outcomes: Sequence[Outcome]) -> list[Chart]:
    """Return the charts of the games with a result; none if there is none."""
    over = [outcome for outcome in outcomes if not outcome.error]
    if not over:
        return []
    if not over[0].tension:
        return [_totals_chart(rules, over), _phase_chart(rules, over)]
    tables: Tables = rules.tables
    return [
        _points_chart(tables, over),
        _sources_chart(tables, over),
        _index_chart(tables, over),
        _end_chart(tables, over),
        _phase_chart(rules, over),
    ]


def _ticks(tables: Tables, over: Sequence[Outcome]) -> tuple[str, ...]:
    longest = max(len(outcome.tension) for outcome in over)
    return tuple(str(turn.year) for turn in tables.turns[:longest])


def _mean(runs: Sequence[Sequence[int]], longest: int) -> tuple[float | None, ...]:
    """Return the mean of each Game Turn over the games that reached it."""
    there = ([run[turn] for run in runs if len(run) > turn] for turn in range(longest))
    return tuple(fmean(values) if values else None for values in there)


def _points_chart(tables: Tables, over: Sequence[Outcome]) -> Curves:
    ticks = _ticks(tables, over)
    seats = tuple(dict.fromkeys(seat for outcome in over for seat in outcome.ranks))

    def series(n: int, seat: str) -> Series:
        there = [outcome for outcome in over if seat in outcome.ranks]
        run = _mean([outcome.by_turn.get(seat, ()) for outcome in there], len(ticks))
        end = fmean(outcome.totals[seat] for outcome in there)
        sign = SIGNS[n % len(SIGNS)]
        return Series(seat, sign, power_letters(tables, seat), power_name(tables, seat), (*run, end))

    lines = tuple(series(n, seat) for n, seat in enumerate(seats))
    note = "means of all games; the last step is the final record"
    return Curves("Victory Points", note, (*ticks, "end"), lines)


def _sources_chart(tables: Tables, over: Sequence[Outcome]) -> Bars:
    seats = dict.fromkeys(seat for outcome in over for seat in outcome.ranks)

    def bar(seat: str) -> Bar:
        points = [outcome.points[seat] for outcome in over if seat in outcome.points]
        means = [round(fmean(amounts)) for amounts in zip(*(each.amounts for each in points), strict=True)]
        return Bar(seat, power_letters(tables, seat), power_name(tables, seat), sum(means), positive_first(means))

    bars = sorted((bar(seat) for seat in seats), key=lambda one: -one.total)
    return Bars("Sources of points", "means of all games", PARTS, tuple(bars))


def _index_chart(tables: Tables, over: Sequence[Outcome]) -> Curves:
    ticks = _ticks(tables, over)
    tension = _mean([outcome.tension for outcome in over], len(ticks))
    resentment = _mean([outcome.resentment for outcome in over], len(ticks))
    return index_curves("means at the end of each Game Turn", ticks, tension, resentment)


def _end_chart(tables: Tables, over: Sequence[Outcome]) -> Bars:
    counts = Counter((outcome.turn, outcome.reason) for outcome in over)
    bars = []
    for (turn, reason), games in sorted(counts.items()):
        ink, name = ENDS[reason]
        bars.append(Bar(ink, name, f"{tables.turns[turn - 1].year} {name}", games, (BarPart(0, games),)))
    return Bars("How and when games end", "", ("games",), tuple(bars))


def _totals_chart(rules: Game[Any], over: Sequence[Outcome]) -> Bars:
    """Return the chart of the mean points of each seat."""
    means = {seat: fmean(outcome.totals[seat] for outcome in over) for seat in over[0].totals}
    bars = [
        Bar("key", rules.seat_name(seat), rules.seat_name(seat), round(mean), (BarPart(0, round(mean)),))
        for seat, mean in sorted(means.items(), key=lambda row: -row[1])
    ]
    return Bars("Points", "means of all games", ("points",), tuple(bars))


def _phase_chart(rules: Game[Any], over: Sequence[Outcome]) -> Bars:
    """Return the chart of milliseconds by Phase."""
    spent = Counter[str]()
    for outcome in over:
        spent.update(outcome.phases)
    bars = [
        Bar("key", phase, rules.phase_name(phase), ms, (BarPart(0, ms),))
        for phase, seconds in spent.most_common()
        if (ms := round(1000 * seconds / len(over)))
    ]
    return Bars("Time by Phase", "milliseconds per game", ("milliseconds",), tuple(bars))


def batch_page(
    rules: Game[Any],
    outcomes: Sequence[Outcome],
    day: Mapping[str, str] | None = None,
    night: Mapping[str, str] | None = None,
) -> str:
    """Return the HTML page of a run. Args: the rules; its games; the chart colours for light and dark mode."""
    report = "\n".join(batch_report(outcomes)[1:])  # the page has its own title
    # only what the report uses: other signs in its texts stay as they are
    html = MarkdownIt("zero").enable(["heading", "list", "table"]).render(report)
    after = f'<div class="report">{html}</div>'
    return render_page(TITLE, [], batch_charts(rules, outcomes), day or {}, night or {}, [after])
