"""Runs of many games, stored in a directory, and comparisons of two bots.

A comparison plays each bot at each seat with the same seeds and rivals. The directory contains:

DIR/run.json        the plan
DIR/results.jsonl   one `Outcome` per line, in order of completion
DIR/report.md       the report
DIR/report.html     the report with charts, a single page
DIR/games/N.jsonl   the logs
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import comb
from pathlib import Path
from statistics import fmean
from typing import Any

import msgspec

from paxtui.session.storage.files import replace_file
from paxtui.simulation.match import Match, MatchSettings, Outcome, load_game_kind
from paxtui.simulation.report import batch_page, batch_report, failed_lines
from paxtui.simulation.workers import play_all, play_on_cluster, scheduler_address

PLAN_FILE, RESULTS_FILE, REPORT_FILE, PAGE_FILE = "run.json", "results.jsonl", "report.md", "report.html"
GAMES_FOLDER = "games"


class BatchPlan(MatchSettings, frozen=True, kw_only=True):
    """The plan of a run.

    Attributes:
        games: number of games.
        seed: prefix of the seeds; each game appends its number.
        bots: seat -> bot.
    """

    games: int
    seed: str
    bots: dict[str, str]

    def matches(self, directory: Path | None) -> Iterator[Match]:
        """Return the games, with their logs in `directory`."""
        for number in range(1, self.games + 1):
            yield _match(self, number, f"{self.seed}-{number}", self.bots, directory)


def _match(settings: MatchSettings, number: int, seed: str, bots: dict[str, str], directory: Path | None) -> Match:
    common: dict[str, Any] = {name: getattr(settings, name) for name in MatchSettings.__struct_fields__}
    file = str(directory / GAMES_FOLDER / f"{number}.jsonl") if directory else ""
    return Match(number=number, seed=seed, bots=bots, file=file, **common)


class BatchError(Exception):
    """A directory cannot be used for a run; the text gives the reason."""


def run_batch(
    run: BatchPlan,
    jobs: int,
    directory: Path | None,
    resume: bool,
    on_outcome: Callable[[Outcome], None],
    executor: str = "",
    inks: tuple[Mapping[str, str], Mapping[str, str]] = ({}, {}),
) -> list[Outcome]:
    """Play the remaining games of a run, store them, and report each outcome.

    Args: the plan; number of processes; the directory, None for none; whether to continue an existing run; callback for
        outcomes; the cluster, "" for this computer; the page colours for light and dark mode.
    Returns: the outcomes of all games, by number.
    Raises: BatchError, ClusterError, OSError.
    """
    if executor:
        scheduler_address(executor)
    done = prepare_directory(run, directory, resume) if directory else []
    known = {outcome.number for outcome in done}
    left = [match for match in run.matches(directory) if match.number not in known]
    for outcome in play_on_cluster(left, executor) if executor else play_all(left, jobs):
        done.append(outcome)
        if directory:
            append_outcome(directory, outcome)
        on_outcome(outcome)
    done.sort(key=lambda outcome: outcome.number)
    if directory:
        rules = load_game_kind(run.game, run.scenario, run.tables)
        (directory / REPORT_FILE).write_text("\n".join(batch_report(done)) + "\n", encoding="utf-8")
        (directory / PAGE_FILE).write_text(batch_page(rules, done, *inks), encoding="utf-8")
    return done


def finished_count(directory: Path) -> int:
    """Return the number of finished games of the run in a directory."""
    results = directory / RESULTS_FILE
    return results.read_bytes().count(b"\n") if results.exists() else 0


def append_outcome(directory: Path, outcome: Outcome) -> None:
    """Append an outcome to the results of a run."""
    with (directory / RESULTS_FILE).open("ab") as lines:
        lines.write(msgspec.json.encode(outcome) + b"\n")


def prepare_directory(planned: MatchSettings, directory: Path, resume: bool) -> list[Outcome]:
    """Create the directory of a run, or return the outcomes in it.

    Args: the plan (`BatchPlan` or `Comparison`); the directory; whether to continue an existing run.
    Raises: BatchError, OSError.
    """
    kept = directory / PLAN_FILE
    if not kept.exists():
        if directory.exists() and any(directory.iterdir()):
            raise BatchError(f"{directory} is not empty and contains no run")
        (directory / GAMES_FOLDER).mkdir(parents=True, exist_ok=True)
        replace_file(kept, msgspec.json.encode(planned))
        return []
    if not resume:
        raise BatchError(f"{directory} already contains a run; continue it with --resume, or name another directory")
    try:
        is_same = msgspec.json.decode(kept.read_bytes(), type=type(planned)) == planned
    except msgspec.DecodeError:
        is_same = False
    if not is_same:
        raise BatchError(f"{directory} contains a different run: its seats, seed, options or number of games differ")
    results = directory / RESULTS_FILE
    if not results.exists():
        return []
    whole = results.read_bytes()
    lines = whole[: whole.rfind(b"\n") + 1]  # the last line may be incomplete
    if len(lines) < len(whole):
        replace_file(results, lines)
    return [msgspec.json.decode(line, type=Outcome) for line in lines.splitlines()]


class Comparison(MatchSettings, frozen=True, kw_only=True):
    """The plan of a comparison.

    Attributes:
        tried, other: the bots. among: the bot at all other seats.
        seats: of the games. at: the seats at which the two are compared.
        seeds: number of seeds per seat. seed: their prefix.
    """

    tried: str
    other: str
    among: str
    seats: tuple[str, ...]
    at: tuple[str, ...]
    seeds: int
    seed: str

    @property
    def games(self) -> int:
        """Number of games; a game with the same bot at all seats is shared by all seats."""
        return self.seeds * sum(1 if bot == self.among else len(self.at) for bot in {self.tried, self.other})


class Pair(msgspec.Struct, frozen=True):
    """Two games that differ only in the bot at one seat."""

    seat: str
    seed: str
    tried: Outcome
    other: Outcome

    @property
    def ahead(self) -> int:
        """Points by which the tried bot is ahead."""
        return self.tried.totals[self.seat] - self.other.totals[self.seat]

    @property
    def better(self) -> int:
        """1 if the tried bot has the better rank, or the same rank with more points, -1 if the other has, else 0."""
        difference = (self.other.ranks[self.seat] - self.tried.ranks[self.seat]) or self.ahead
        return (difference > 0) - (difference < 0)


def run_comparison(
    asked: Comparison,
    jobs: int,
    on_outcome: Callable[[Outcome], None],
    directory: Path | None = None,
    resume: bool = False,
) -> tuple[list[Pair], list[Outcome]]:
    """Play all games and pair them; a game used by several pairs is played once.

    Args: the plan; number of processes; callback for each outcome; the directory, None for none; whether to continue an
        existing run.
    Returns: the pairs, and the games without a result.
    Raises: BatchError, OSError.
    """
    numbers: dict[tuple[str, str, str], int] = {}
    matches: dict[tuple[tuple[str, ...], str], Match] = {}
    for n in range(1, asked.seeds + 1):
        for seat in asked.at:
            for bot in (asked.tried, asked.other):
                bots = {other: bot if other == seat else asked.among for other in asked.seats}
                key = tuple(bots.values()), f"{asked.seed}-{n}"
                if key not in matches:
                    matches[key] = _match(asked, len(matches) + 1, key[1], bots, directory)
                numbers[seat, bot, key[1]] = matches[key].number
    outcomes = {
        outcome.number: outcome for outcome in (prepare_directory(asked, directory, resume) if directory else ())
    }
    for outcome in play_all([match for match in matches.values() if match.number not in outcomes], jobs):
        outcomes[outcome.number] = outcome
        if directory:
            append_outcome(directory, outcome)
        on_outcome(outcome)
    pairs = []
    for (seat, bot, seed), number in numbers.items():
        if bot == asked.tried:
            first, second = outcomes[number], outcomes[numbers[seat, asked.other, seed]]
            if not first.error and not second.error:
                pairs.append(Pair(seat, seed, first, second))
    failed = [outcome for outcome in outcomes.values() if outcome.error]
    if directory:
        report = "\n".join(comparison_report(asked, pairs, failed)) + "\n"
        (directory / REPORT_FILE).write_text(report, encoding="utf-8")
    return pairs, failed


def comparison_report(asked: Comparison, pairs: Sequence[Pair], failed: Sequence[Outcome]) -> list[str]:
    """Return the report of a comparison, in lines of Markdown."""
    lines = [f"# {asked.tried} and {asked.other}, each among {asked.among}", ""]
    lines.append(f"{len(pairs)} pairs of games with the same seat and seed ({asked.seed}-1 to -{asked.seeds}).")
    lines += ["", *_pair_table(asked, pairs)]
    return [*lines, *failed_lines(failed)]


def _pair_table(asked: Comparison, pairs: Sequence[Pair]) -> Iterator[str]:
    """Return a row for each seat, and one for all."""
    yield (
        f"| seat | pairs | {asked.tried} better, worse | points | of {asked.other} | won | by {asked.other} "
        f"| mean rank | of {asked.other} | Treaties broken | Wars declared | CPU s | of {asked.other} |"
    )
    yield "|---" * 13 + "|"
    for seat in (*asked.at, ""):
        there = [pair for pair in pairs if seat in ("", pair.seat)]
        if there:
            yield _pair_row(seat or "all", there)


def sign_test(better: int, worse: int) -> float:
    """Probability of at least so many better pairs if both are equally good; ties are left out."""
    n = better + worse
    return sum(comb(n, k) for k in range(better, n + 1)) / 2**n if n else 1.0


def _pair_row(name: str, pairs: Sequence[Pair]) -> str:
    ranks = [pair.tried.ranks[pair.seat] for pair in pairs]
    others = [pair.other.ranks[pair.seat] for pair in pairs]
    better, worse = sum(pair.better > 0 for pair in pairs), sum(pair.better < 0 for pair in pairs)
    cells = (
        str(len(pairs)),
        f"{better}, {worse} (p {sign_test(better, worse):.2f})",
        f"{fmean(pair.tried.totals[pair.seat] for pair in pairs):.0f}",
        f"{fmean(pair.other.totals[pair.seat] for pair in pairs):.0f}",
        _share([rank == 1 for rank in ranks]),
        _share([rank == 1 for rank in others]),
        f"{fmean(ranks):.2f}",
        f"{fmean(others):.2f}",
        str(sum(pair.tried.broken.get(pair.seat, 0) for pair in pairs)),
        str(sum(pair.tried.declared.get(pair.seat, 0) for pair in pairs)),
        f"{fmean(pair.tried.cpu for pair in pairs):.1f}",
        f"{fmean(pair.other.cpu for pair in pairs):.1f}",
    )
    return f"| {name} | {' | '.join(cells)} |"


def _share(hits: Sequence[bool]) -> str:
    return f"{100 * sum(hits) / len(hits):.0f} %"
