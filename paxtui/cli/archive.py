"""The command `archive`: index folders of games, find games, count openings."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from paxtui.archive.index import Archive, FoundGame, Progress, UpdateReport, describe_end
from paxtui.archive.log_facts import NotALog, read_facts
from paxtui.archive.openings import Step, describe_opening, describe_results, find_opening
from paxtui.archive.query import Query, load_vocabulary, query_help
from paxtui.cli.runtime import CommandError, clean_line, escape_json
from paxtui.games.pax.text.display import place_name, power_name
from paxtui.games.pax.text.parsing import name_index
from paxtui.session.storage.files import typed_path
from paxtui.session.tables.loader import load_tables

if TYPE_CHECKING:
    from paxtui.games.pax.board.tables import Tables

ARCHIVE_USAGE = """Find games: an index of your saved games and of the folders that you add.

The index is brought up to date first. It never changes a log, and it can be built anew from the logs at any time.

examples:
  paxtui archive                                   how many games there are, and which logs are damaged
  paxtui archive --add ~/games                     add a folder, with the folders in it
  paxtui archive japan holds korea by 1892         find games
  paxtui archive great war before 1900
  paxtui archive winner italy and no war --json    for programs
  paxtui archive --openings britain                first placements: counts and results
  paxtui archive --openings britain egypt          the games with Egypt, and what was placed beside it
  paxtui archive --openings britain egypt 2:kongo  and Kongo in the second Game Turn
  paxtui archive --like game.jsonl                 games with the same map at the start of a Game Turn
  paxtui archive --conditions                      everything that a query can ask
"""

DEFAULT_LIMIT = 30
MOST_DAMAGED = 20
MOST_JOBS = 64


def archive_arguments(part: argparse.ArgumentParser) -> None:
    part.add_argument("query", nargs="*", metavar="QUERY", help="conditions, joined by 'and' and 'or'")
    part.add_argument("--openings", nargs="+", metavar=("POWER", "AREA"), help="openings of a Power in these games")
    part.add_argument("--like", metavar="GAME", help="games that had the same map as this one")
    part.add_argument("--add", metavar="FOLDER", action="append", default=[], help="add a folder of games")
    part.add_argument("--remove", metavar="FOLDER", action="append", default=[], help="remove a folder; no log changes")
    part.add_argument("--conditions", action="store_true", help="list everything that a query can ask")
    part.add_argument("--complete", action="store_true", help="list the words with which the query can go on")
    part.add_argument("--rebuild", action="store_true", help="rebuild the index")
    part.add_argument("--no-update", action="store_true", help="do not look for new or changed logs")
    part.add_argument("--jobs", type=int, default=1, metavar="J", help="processes that read logs (default 1)")
    part.add_argument("--limit", type=int, default=DEFAULT_LIMIT, metavar="N", help="games to list, 0 for all")
    part.add_argument("--index", metavar="FILE", help="use another index file")
    part.add_argument("--json", action="store_true", help="print JSON")


def run_archive(args: argparse.Namespace) -> int:
    """Update the index, then find games or print a summary."""
    if args.conditions:
        for form, means in query_help():
            print(f"{form:<58} {means}")
        return 0
    if not 1 <= args.jobs <= MOST_JOBS:
        raise CommandError(f"--jobs takes a number from 1 to {MOST_JOBS}, not {args.jobs}")
    if args.limit < 0:
        raise CommandError(f"--limit takes 0 or a positive number, not {args.limit}")
    with Archive(typed_path(args.index) if args.index else None, args.rebuild) as archive:
        for folder in args.add:
            archive.add_folder(typed_path(folder))
        for folder in args.remove:
            archive.remove_folder(typed_path(folder))
        report = None if args.no_update else archive.update(args.jobs, _progress_printer())
        if archive.notice:
            print(f"paxtui: {archive.notice}", file=sys.stderr)
        tables = load_tables()
        words = load_vocabulary(tables, archive)
        text = " ".join(args.query)
        if args.complete:
            for suggestion in Query.suggest(text and f"{text} ", words, sys.maxsize):
                print(suggestion.word)
            return 0
        if args.like:
            text = " and ".join(filter(None, (text, _same_map(typed_path(args.like)))))
        query = Query(text, words)
        if args.openings:
            _print_opening(archive, tables, query, args)
        elif text or args.json:
            _print_games(archive, tables, query, args)
        else:
            _print_summary(archive, report)
    return 0


def _progress_printer() -> Callable[[Progress], None] | None:
    """Return a function that shows the progress of an update on a terminal."""
    if not sys.stderr.isatty():
        return None

    def show(progress: Progress) -> None:
        end = "\n" if progress.done == progress.total else ""
        print(f"\rread {progress.done} of {progress.total} logs", end=end, file=sys.stderr, flush=True)

    return show


def _same_map(path: Path) -> str:
    """Return the query for games that had the map of a log at a turn, the latest turn first."""
    try:
        facts = read_facts(path)
    except NotALog:
        raise CommandError(f"{path} is not a log of a game") from None
    later = [found for turn, found in facts.positions if turn != facts.first_turn] or [facts.positions[0][1]]
    return " or ".join(f"position {found:016x}" for found in dict.fromkeys(later))


def _print_games(archive: Archive, tables: Tables, query: Query, args: argparse.Namespace) -> None:
    found = archive.find(*query.condition, limit=args.limit or -1)
    if args.json:
        for game in found:
            print(escape_json(msgspec.json.encode(game.to_json()).decode()))
        return
    count = archive.count(*query.condition)
    for game in found:
        for line in _game_lines(tables, game):
            print(clean_line(line))
    if not count:
        for name in query.unknown_players:
            print(clean_line(f"No player of these games is called '{name}'."))
    more = f", the latest {len(found)} listed (--limit 0 lists all)" if count > len(found) else ""
    print(f"{count} {'game' if count == 1 else 'games'}{more}")


def _game_lines(tables: Tables, game: FoundGame) -> tuple[str, str]:
    """Describe a game: its file; how it ended, ranks and players."""
    places = sorted(game.seats, key=lambda one: (one.rank or 99, -one.total))
    seats = ", ".join(_seat_text(tables, one.seat, one.player, one.total) for one in places)
    copies = f" (and {len(game.paths) - 1} copies)" if len(game.paths) > 1 else ""
    return f"{game.paths[0]}{copies}", f"    {describe_end(tables, game)}: {seats}"


def _seat_text(tables: Tables, seat: str, player: str, total: int) -> str:
    points = f" {total}" if total else ""
    return f"{power_name(tables, seat)}{points}" + (f" ({player})" if player else "")


def _print_opening(archive: Archive, tables: Tables, query: Query, args: argparse.Namespace) -> None:
    power, steps = _parse_steps(tables, args.openings)
    opening = find_opening(archive, power, steps, query.condition)
    if args.json:
        nodes = [{**node._asdict(), "step": node.step._asdict()} for node in opening.nodes]
        fields = {**opening._asdict(), "steps": [step._asdict() for step in steps], "nodes": nodes}
        print(msgspec.json.encode(fields).decode())
        return
    print(describe_opening(tables, opening))
    shown = opening.nodes[: args.limit or None]
    for node in shown:
        turn = "  " if node.step.turn == 1 else "2:"
        print(f"  {turn}{place_name(tables, node.step.area):<24} {node.share:>4.0%}  {describe_results(node)}")
    if len(shown) < len(opening.nodes):
        print(f"  and {len(opening.nodes) - len(shown)} more Areas (--limit 0 lists all)")


def _parse_steps(tables: Tables, names: Sequence[str]) -> tuple[str, tuple[Step, ...]]:
    """Return the Power and the placements that `--openings` names. Raises: Refusal."""
    index = name_index(tables)
    steps = []
    for name in names[1:]:
        turn, area = (2, name[2:]) if name.startswith("2:") else (1, name.removeprefix("1:"))
        steps.append(Step(turn, index.areas.find(area)))
    return index.powers.find(names[0]), tuple(steps)


def _print_summary(archive: Archive, report: UpdateReport | None) -> None:
    if report is not None and (report.added or report.removed or report.damaged):
        print(f"{report.added} logs read, {report.unchanged} unchanged, {report.removed} gone")
    finished = archive.count("finished = 1")
    print(f"{archive.count()} games, {finished} of them finished, in:")
    for folder in archive.folders():
        print(clean_line(f"  {folder}"))
    damaged = archive.damaged()
    if damaged:
        print(f"{len(damaged)} {'log' if len(damaged) == 1 else 'logs'} could not be read; none of them was changed:")
        for path, error in damaged[:MOST_DAMAGED]:
            print(clean_line(f"  {path}: {error}"))
        if len(damaged) > MOST_DAMAGED:
            print(f"  and {len(damaged) - MOST_DAMAGED} more")
    if not finished:
        print("'paxtui archive --add FOLDER' adds a folder of games.")
