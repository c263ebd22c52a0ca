"""The report of a run, in lines of Markdown: how games end, who wins by what, wars, Congresses and Treaties."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import fmean, median

from paxtui.arena.match import Outcome
from paxtui.pax.state.phases import PHASES

TITLE = "Games without a screen"


def report(outcomes: Sequence[Outcome]) -> list[str]:
    """The report of the games of a run."""
    over = [outcome for outcome in outcomes if not outcome.error]
    lines = [f"# {TITLE}", ""]
    lines.append(f"{len(outcomes)} games, {len(over)} of them played to their end.")
    if over:
        lines += ["", *_ends(over), "", *_players(over), "", *_course(over), "", *_curve(over), "", *_phases(over)]
    broken = [outcome for outcome in outcomes if outcome.error]
    if broken:
        lines += ["", "## Games without a result", ""]
        lines += [f"- game {o.number} (seed {o.seed}): {o.error}" for o in broken]
    twice = [outcome.number for outcome in over if outcome.attempts > 1]
    if twice:
        lines += ["", f"Begun again after their worker had died: {', '.join(map(str, twice))}."]
    return lines


def _ends(over: Sequence[Outcome]) -> Iterator[str]:
    """When and how games end."""
    yield "## How games end"
    yield ""
    yield "| end | Game Turn | games |"
    yield "|---|---|---|"
    ends = Counter((outcome.reason, outcome.turn) for outcome in over)
    for (reason, turn), games in sorted(ends.items()):
        yield f"| {reason.replace('_', ' ')} | {turn} | {games} |"


def _players(over: Sequence[Outcome]) -> Iterator[str]:
    """Points and ranks by seat."""
    yield "## Powers"
    yield ""
    yield (
        "| seat | bot | won | rank | points | from the Treasury | from bonuses | at the end | from income "
        "| for the Great War |"
    )
    yield "|---" * 10 + "|"
    seats = dict.fromkeys(seat for outcome in over for seat in outcome.ranks)
    for seat in seats:
        there = [outcome for outcome in over if seat in outcome.ranks]
        points = [outcome.points[seat] for outcome in there]
        bots = "/".join(sorted({outcome.bots[seat] for outcome in there}))
        won = sum(outcome.ranks[seat] == 1 for outcome in there)
        cells = (
            fmean(outcome.ranks[seat] for outcome in there),
            fmean(outcome.totals[seat] for outcome in there),
            fmean(p.treasury for p in points),
            fmean(p.bonuses for p in points),
            fmean(p.ending for p in points),
            fmean(p.income for p in points),
            fmean(p.penalty for p in points),
        )
        means = " | ".join(f"{cell:.1f}" for cell in cells)
        yield f"| {seat} | {bots} | {100 * won / len(there):.0f} % | {means} |"


def _course(over: Sequence[Outcome]) -> Iterator[str]:
    """What happens in a game."""
    yield "## In a game"
    yield ""
    yield "| | mean | most | games with any |"
    yield "|---|---|---|---|"
    for what, name in (
        ("Wars declared", "wars"),
        ("Chinese Rebellions", "rebellions"),
        ("Congresses", "congresses"),
        ("Treaties made", "treaties_made"),
        ("Treaties kept", "treaties_kept"),
        ("Treaties broken", "treaties_broken"),
        ("times the arbiter went on", "pushed"),
    ):
        counts = [int(getattr(outcome, name)) for outcome in over]
        share = 100 * sum(count > 0 for count in counts) / len(counts)
        yield f"| {what} | {fmean(counts):.2f} | {max(counts)} | {share:.0f} % |"
    seconds = [outcome.seconds for outcome in over]
    yield f"| seconds | {fmean(seconds):.2f} | {max(seconds):.2f} | median {median(seconds):.2f} |"


def _phases(over: Sequence[Outcome]) -> Iterator[str]:
    """Where the time goes."""
    yield "## Seconds by Phase"
    yield ""
    yield "| Phase | mean | most |"
    yield "|---|---|---|"
    for phase in PHASES:
        seconds = [outcome.phases.get(phase, 0.0) for outcome in over]
        if any(seconds):
            yield f"| {phase.replace('_', ' ')} | {fmean(seconds):.3f} | {max(seconds):.3f} |"


def _curve(over: Sequence[Outcome]) -> Iterator[str]:
    """The indexes at the end of each Game Turn, the mean over the games that came so far."""
    yield "## Tension and resentment"
    yield ""
    yield "| at the end of Game Turn | games | European Tensions | Chinese Resentment |"
    yield "|---|---|---|---|"
    for turn in range(max(len(outcome.tension) for outcome in over)):
        there = [outcome for outcome in over if len(outcome.tension) > turn]
        tension = fmean(outcome.tension[turn] for outcome in there)
        resentment = fmean(outcome.resentment[turn] for outcome in there)
        yield f"| {turn + 1} | {len(there)} | {tension:.1f} | {resentment:.1f} |"
