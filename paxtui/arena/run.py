"""A run of many games in a directory: what is played, one line for each game that is over, and the logs.

    DIR/run.json        what is played
    DIR/results.jsonl   an `Outcome` a line, in the order in which the games were over
    DIR/report.md       the report
    DIR/report.html     the same with charts, a page by itself
    DIR/games/N.jsonl   the logs
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import msgspec

from paxtui.arena.cluster import address, played_on
from paxtui.arena.match import Match, Outcome
from paxtui.arena.page import page
from paxtui.arena.report import report
from paxtui.arena.workers import played
from paxtui.table.tables import load_tables

RUN, RESULTS, REPORT, PAGE, GAMES = "run.json", "results.jsonl", "report.md", "report.html", "games"


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """What is played.

    Attributes:
        games: how many.
        seed: each game has it with its own number behind.
        bots: seat -> bot.
        options: those that differ from their defaults.
        tables: a directory of tables that replace shipped ones, "" for none.
        check: whether the books of each game are audited when it is over.
    """

    games: int
    seed: str
    bots: dict[str, str]
    options: dict[str, str] = {}
    tables: str = ""
    check: bool = False

    def matches(self, directory: Path | None) -> Iterator[Match]:
        """The games, with their logs in `directory`."""
        for number in range(1, self.games + 1):
            file = str(directory / GAMES / f"{number}.jsonl") if directory else ""
            yield Match(
                number=number,
                seed=f"{self.seed}-{number}",
                bots=self.bots,
                options=self.options,
                file=file,
                tables=self.tables,
                check=self.check,
            )


class Unfinished(Exception):
    """A directory cannot be used for a run; the text says why."""


def carry_out(
    run: Run,
    jobs: int,
    directory: Path | None,
    resume: bool,
    told: Callable[[Outcome], None],
    executor: str = "",
    inks: tuple[Mapping[str, str], Mapping[str, str]] = ({}, {}),
) -> list[Outcome]:
    """Play what is left of a run, keep it, and tell each game as it is over.

    Args: what is played; processes; where it is kept, None for nowhere; whether to go on with what is there; is told
        each outcome; the cluster that plays it, "" for this computer; the colours of its page by day and by night.
    Returns: the outcomes of all games, by number.
    Raises: Unfinished, Unreachable, OSError.
    """
    if executor:
        address(executor)
    done = begin(run, directory, resume) if directory else []
    known = {outcome.number for outcome in done}
    left = [match for match in run.matches(directory) if match.number not in known]
    for outcome in played_on(left, executor) if executor else played(left, jobs):
        done.append(outcome)
        if directory:
            keep(directory, outcome)
        told(outcome)
    done.sort(key=lambda outcome: outcome.number)
    if directory:
        tables = load_tables(Path(run.tables) if run.tables else None)
        (directory / REPORT).write_text("\n".join(report(done)) + "\n", encoding="utf-8")
        (directory / PAGE).write_text(page(tables, done, *inks), encoding="utf-8")
    return done


def played_already(directory: Path) -> int:
    """How many games of the run in a directory are over."""
    results = directory / RESULTS
    return results.read_bytes().count(b"\n") if results.exists() else 0


def keep(directory: Path, outcome: Outcome) -> None:
    """Add a game that is over to the results of a run."""
    with (directory / RESULTS).open("ab") as lines:
        lines.write(msgspec.json.encode(outcome) + b"\n")


def begin(planned: msgspec.Struct, directory: Path, resume: bool) -> list[Outcome]:
    """Make the directory of a run, or find what has been played in it.

    Args: what is played (`Run`, or a comparison of two bots); where; whether to go on with what is there.
    Raises: Unfinished, OSError.
    """
    kept = directory / RUN
    if not kept.exists():
        if directory.exists() and any(directory.iterdir()):
            raise Unfinished(f"{directory} is not empty, and holds no run")
        (directory / GAMES).mkdir(parents=True, exist_ok=True)
        kept.write_bytes(msgspec.json.encode(planned))
        return []
    if not resume:
        raise Unfinished(f"{directory} holds a run already: go on with it by --resume, or name another directory")
    if not _same(planned, kept.read_bytes()):
        raise Unfinished(f"{directory} holds another run: its seats, seed, options or number of games differ")
    results = directory / RESULTS
    if not results.exists():
        return []
    whole = results.read_bytes()
    lines = whole[: whole.rfind(b"\n") + 1]  # the last line may be torn
    if len(lines) < len(whole):
        results.write_bytes(lines)
    return [msgspec.json.decode(line, type=Outcome) for line in lines.splitlines()]


def _same(planned: msgspec.Struct, kept: bytes) -> bool:
    """Whether a directory holds the run that is planned."""
    try:
        return msgspec.json.decode(kept, type=type(planned)) == planned
    except msgspec.DecodeError:
        return False
