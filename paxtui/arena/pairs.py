"""Two bots compared: each plays at every seat among the same rivals with the same seeds, so that only it differs.

Of one seat and one seed there are two games: one with the bot that is tried, one with the other bot at its seat.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import fmean

import msgspec

from paxtui.arena.match import Match, Outcome
from paxtui.arena.run import GAMES, REPORT, begin, keep
from paxtui.arena.workers import played


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """What is compared.

    Attributes:
        tried, other: the bots. among: the bot at all other seats.
        seats: of the games. at: the seats at which the two are tried.
        seeds: how many seeds for each seat. seed: what they begin with.
        options: those that differ from their defaults.
        tables: a directory of tables that replace shipped ones, "" for none.
        check: whether the books of each game are audited when it is over.
    """

    tried: str
    other: str
    among: str
    seats: tuple[str, ...]
    at: tuple[str, ...]
    seeds: int
    seed: str
    options: dict[str, str] = {}
    tables: str = ""
    check: bool = False

    @property
    def games(self) -> int:
        """How many games that are; where all seats have the same bot, one stands for every seat."""
        return self.seeds * sum(1 if bot == self.among else len(self.at) for bot in {self.tried, self.other})


class Pair(msgspec.Struct, frozen=True):
    """Two games that differ in the bot at one seat only."""

    seat: str
    seed: str
    tried: Outcome
    other: Outcome

    @property
    def ahead(self) -> int:
        """Victory Points by which the bot that is tried did better."""
        return self.tried.totals[self.seat] - self.other.totals[self.seat]


def compare(
    asked: Comparison, jobs: int, told: Callable[[Outcome], None], directory: Path | None = None, resume: bool = False
) -> tuple[list[Pair], list[Outcome]]:
    """Play all games and pair them; a game that both halves or several seats need is played once.

    Args: what is compared; processes; is told each game as it is over; where games, results and report are kept, None
        for nowhere; whether to go on with what is there.
    Returns: the pairs, and the games that came to no result.
    Raises: Unfinished, OSError.
    """
    numbers: dict[tuple[str, str, str], int] = {}
    matches: dict[tuple[tuple[str, ...], str], Match] = {}
    for n in range(1, asked.seeds + 1):
        for seat in asked.at:
            for bot in (asked.tried, asked.other):
                bots = {other: bot if other == seat else asked.among for other in asked.seats}
                key = tuple(bots.values()), f"{asked.seed}-{n}"
                if key not in matches:
                    number = len(matches) + 1
                    matches[key] = Match(
                        number=number,
                        seed=key[1],
                        bots=bots,
                        options=asked.options,
                        file=str(directory / GAMES / f"{number}.jsonl") if directory else "",
                        tables=asked.tables,
                        check=asked.check,
                    )
                numbers[seat, bot, key[1]] = matches[key].number
    outcomes = {outcome.number: outcome for outcome in (begin(asked, directory, resume) if directory else ())}
    for outcome in played([match for match in matches.values() if match.number not in outcomes], jobs):
        outcomes[outcome.number] = outcome
        if directory:
            keep(directory, outcome)
        told(outcome)
    pairs = []
    for (seat, bot, seed), number in numbers.items():
        if bot == asked.tried:
            first, second = outcomes[number], outcomes[numbers[seat, asked.other, seed]]
            if not first.error and not second.error:
                pairs.append(Pair(seat, seed, first, second))
    failed = [outcome for outcome in outcomes.values() if outcome.error]
    if directory:
        (directory / REPORT).write_text("\n".join(report(asked, pairs, failed)) + "\n", encoding="utf-8")
    return pairs, failed


def report(asked: Comparison, pairs: Sequence[Pair], failed: Sequence[Outcome]) -> list[str]:
    """The report of a comparison, in lines of Markdown."""
    lines = [f"# {asked.tried} and {asked.other}, each among {asked.among}", ""]
    lines.append(f"{len(pairs)} pairs of games with the same seat and seed ({asked.seed}-1 to -{asked.seeds}).")
    lines += ["", *_table(asked, pairs)]
    if failed:
        lines += ["", "## Games without a result", ""]
        lines += [f"- game {o.number} (seed {o.seed}): {o.error}" for o in failed]
    return lines


def _table(asked: Comparison, pairs: Sequence[Pair]) -> Iterator[str]:
    """A row for each seat, and one for all."""
    yield (
        f"| seat | pairs | {asked.tried} ahead | points | of {asked.other} | won | ranks 1 to 3 | mean rank "
        f"| Treaties broken | Wars declared | CPU s | of {asked.other} |"
    )
    yield "|---" * 12 + "|"
    for seat in (*asked.at, ""):
        there = [pair for pair in pairs if seat in ("", pair.seat)]
        if there:
            yield _row(seat or "all", there)


def _row(name: str, pairs: Sequence[Pair]) -> str:
    """How the pairs of a seat came out."""
    ranks = [pair.tried.ranks[pair.seat] for pair in pairs]
    cells = (
        str(len(pairs)),
        _share([pair.ahead > 0 for pair in pairs]),
        f"{fmean(pair.tried.totals[pair.seat] for pair in pairs):.0f}",
        f"{fmean(pair.other.totals[pair.seat] for pair in pairs):.0f}",
        _share([rank == 1 for rank in ranks]),
        _share([rank <= 3 for rank in ranks]),
        f"{fmean(ranks):.2f}",
        str(sum(pair.tried.broken.get(pair.seat, 0) for pair in pairs)),
        str(sum(pair.tried.declared.get(pair.seat, 0) for pair in pairs)),
        f"{fmean(pair.tried.cpu for pair in pairs):.1f}",
        f"{fmean(pair.other.cpu for pair in pairs):.1f}",
    )
    return f"| {name} | {' | '.join(cells)} |"


def _share(hits: Sequence[bool]) -> str:
    return f"{100 * sum(hits) / len(hits):.0f} %"
