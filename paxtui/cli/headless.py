"""The commands `simulate` and `engine`: games without a screen."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from paxtui.cli.game_arguments import add_game_arguments, named_options, seats_of
from paxtui.cli.runtime import CommandError, escape_json
from paxtui.session.games import GAME_KINDS, bots_of, find_scenario
from paxtui.session.protocol import EngineSession
from paxtui.session.tables.loader import load_tables

if TYPE_CHECKING:
    from paxtui.engine.game import Game
    from paxtui.simulation.batch import BatchPlan
    from paxtui.simulation.match import Outcome

SIMULATE_USAGE = """Play games between bots without a screen, and print a report.

With --out DIR, paxtui saves each game as a log for 'paxtui play', one line per game in results.jsonl, the report in
report.md, and the report with charts in report.html. Without --out, it saves nothing.

examples:
  paxtui simulate --games 20                               seven caretakers
  paxtui simulate --games 20 --seats steady france=caretaker
  paxtui simulate --games 20 --seats statesman italy=statesman:hard:bold
  paxtui simulate --games 100 --players 8 --jobs 2 --seed 7 --out run7
  paxtui simulate --games 100 --players 8 --jobs 2 --seed 7 --out run7 --resume
  paxtui simulate --games 1000 --executor dask://HOST --out run    on a cluster (extra 'cluster')
  paxtui simulate --games 5 --json                         one line of JSON per game
  paxtui simulate --scenario evening --games 20 --seats statesman    a scenario, see docs/scenarios.md
  paxtui simulate --game empires --exercise channel-1805 --games 20    an exercise of Empires in Arms
  paxtui simulate --games 10 --seats steady --pair statesman steady --out pairs
                                 each at every seat among steady bots, with the same ten seeds
"""

ENGINE_USAGE = """Answer the engine protocol: JSON lines on stdin and stdout.

Each line is a request, {"id": 1, "method": "new", "params": {...}}, and gets one answer line. Methods: new, load,
save, position, dice, view, legal, suggest, forecast, act, events, schema, quit. End of input ends the program.

example:
  echo '{"id":1,"method":"new","params":{"seed":7}}' | paxtui engine
"""


def simulate_arguments(part: argparse.ArgumentParser) -> None:
    add_game_arguments(part)
    part.add_argument("--games", type=int, default=10, metavar="N", help="number of games (default 10)")
    part.add_argument("--players", type=int, metavar="N", help="4 to 8 (default 7)")
    part.add_argument(
        "--seats", nargs="+", default=[], metavar="BOT",
        help="bot for all seats, or POWER=BOT for one (default caretaker, for empires steady)",
    )  # fmt: skip
    part.add_argument(
        "--pair", nargs=2, metavar="BOT",
        help="compare two bots: each plays every seat (or those of --at) against the bot of --seats, --games times "
        "per seat",
    )  # fmt: skip
    part.add_argument("--at", nargs="+", default=[], metavar="POWER", help="seats for --pair (default: all)")
    part.add_argument("--options", nargs="+", default=[], metavar="NAME=VALUE", help="an option of the games")
    part.add_argument("--seed", default="1", help="seed of the run (default 1)")
    part.add_argument("--jobs", type=int, metavar="J", help="processes on this computer (default 1)")
    part.add_argument("--executor", default="", metavar="dask://HOST", help="play on a running dask cluster")
    part.add_argument(
        "--check", action="store_true",
        help="after each game, check that its events explain all money, points, units and markers",
    )  # fmt: skip
    part.add_argument("--json", action="store_true", help="print one line of JSON per game")
    part.add_argument("--out", metavar="DIR", help="save logs, results and report in DIR")
    part.add_argument("--resume", action="store_true", help="continue the run in the directory of --out")


def run_simulate(args: argparse.Namespace) -> int:
    """Play the games. Exit code 1 if a game has no result."""
    from paxtui.cli.terminal_output import page_colours, print_charts
    from paxtui.simulation.batch import BatchPlan, run_batch
    from paxtui.simulation.match import load_game_kind
    from paxtui.simulation.report import batch_charts, batch_report

    if args.games < 1 or (args.jobs is not None and args.jobs < 1):
        raise CommandError("--games and --jobs must be at least 1")
    if args.executor and (args.jobs or args.pair):
        raise CommandError("--executor cannot be combined with --jobs or --pair")
    if args.resume and not args.out:
        raise CommandError("--resume needs the directory of the run: --out DIR")
    scenario = find_scenario(args.game, args.scenario)
    tables_dir = str(Path(args.tables).resolve()) if args.tables else ""
    rules = load_game_kind(args.game, scenario.id, tables_dir)
    options = named_options(args.options, args.players)
    planned = BatchPlan(
        games=args.games,
        seed=args.seed,
        bots=bots_at(rules, seats_of(scenario, args.game, args.players), args.seats),
        options=options,
        tables=tables_dir,
        check=args.check,
        game=args.game,
        scenario="" if scenario.id == GAME_KINDS[args.game].default else _resolved(args.scenario or scenario.id),
    )
    check_match(rules, planned.bots, {**scenario.options, **options})
    if args.pair:
        return _run_pairs(rules, planned, args)
    if args.at:
        raise CommandError("--at needs --pair")

    directory = Path(args.out) if args.out else None
    colours = page_colours("light"), page_colours("dark")
    with _report_games(args, args.games, directory) as report:
        outcomes = run_batch(planned, args.jobs or 1, directory, args.resume, report, args.executor, colours)
    if not args.json:
        print("\n".join(batch_report(outcomes)))
        print_charts("", batch_charts(rules, outcomes))
    return int(any(outcome.error for outcome in outcomes))


@contextmanager
def _report_games(args: argparse.Namespace, games: int, directory: Path | None) -> Iterator[Callable[[Outcome], None]]:
    """Return a function that shows the progress after each game, and prints the game with --json.

    Raises:
        CommandError: the games cannot be played.
    """
    from paxtui.cli.terminal_output import progress_bar
    from paxtui.simulation.batch import BatchError, finished_count
    from paxtui.simulation.workers import ClusterError

    done = finished_count(directory) if directory and args.resume else 0
    try:
        with progress_bar("games", games, done, shown=not (args.json and sys.stdout.isatty())) as progress:

            def report(outcome: Outcome) -> None:
                if args.json:
                    print(msgspec.json.encode(outcome).decode(), flush=True)
                progress.on(f"last: game {outcome.number}, {outcome.error or f'{outcome.seconds:.1f} s'}")

            yield report
    except (BatchError, ClusterError) as error:
        raise CommandError(str(error)) from None


def _resolved(scenario: str) -> str:
    """Return the name of a scenario for a plan: the whole path of a file."""
    return str(Path(scenario).resolve()) if "/" in scenario or scenario.endswith(".toml") else scenario


def _run_pairs(rules: Game[Any], planned: BatchPlan, args: argparse.Namespace) -> int:
    """Compare two bots. Exit code 1 if a game has no result. Raises: CommandError, Refusal."""
    from paxtui.simulation.batch import Comparison, comparison_report, run_comparison

    among = set(planned.bots.values())
    if len(among) > 1:
        raise CommandError("--pair needs one bot for all other seats: --seats BOT")
    for bot in args.pair:
        _check_bot(rules, bot)
    at = tuple(rules.find_seat(power) for power in args.at) or tuple(planned.bots)
    for seat in at:
        if seat not in planned.bots:
            raise CommandError(f"{seat} does not play in this game; the seats are {', '.join(planned.bots)}")
    asked = Comparison(
        tried=args.pair[0], other=args.pair[1], among=among.pop(), seats=tuple(planned.bots), at=at,
        seeds=args.games, seed=args.seed, options=planned.options, tables=planned.tables,
        check=planned.check, game=planned.game, scenario=planned.scenario,
    )  # fmt: skip
    directory = Path(args.out) if args.out else None
    with _report_games(args, asked.games, directory) as report:
        pairs, failed = run_comparison(asked, args.jobs or 1, report, directory, args.resume)
    if not args.json:
        print("\n".join(comparison_report(asked, pairs, failed)))
    return int(bool(failed))


def bots_at(rules: Game[Any], seats: Sequence[str], texts: Sequence[str]) -> dict[str, str]:
    """Return the bots by seat. Raises: CommandError, Refusal."""
    everywhere, single = bots_of(rules).substitute, {}
    for text in texts:
        power, equals, bot = text.rpartition("=")
        _check_bot(rules, bot)
        if equals:
            seat = rules.find_seat(power)
            if seat not in seats:
                raise CommandError(f"{seat} does not play in this game; the seats are {', '.join(seats)}")
            single[seat] = bot
        else:
            everywhere = bot
    return {seat: single.get(seat, everywhere) for seat in seats}


def _check_bot(rules: Game[Any], bot: str) -> None:
    try:
        bots_of(rules).parse_name(bot)
    except ValueError as error:
        raise CommandError(str(error)) from None


def check_match(rules: Game[Any], bots: dict[str, str], options: dict[str, str]) -> None:
    """Check the settings of a game. Raises: CommandError, Refusal."""
    try:
        rules.new_game(tuple(bots), options)
    except ValueError as error:
        raise CommandError(str(error)) from None


LONGEST_REQUEST = 64 * 1024 * 1024
"""Maximum size of a request, in bytes."""


def engine_arguments(part: argparse.ArgumentParser) -> None:
    """Add the arguments of `engine`: none."""


def run_engine(args: argparse.Namespace) -> int:
    """Answer requests until `quit` or the end of the input."""
    directory = Path(args.tables) if args.tables else None
    load_tables(directory)  # a faulty table is reported before the first request
    session = EngineSession(directory)
    while raw := sys.stdin.buffer.readline(LONGEST_REQUEST + 1):
        if len(raw) > LONGEST_REQUEST:
            raise CommandError(f"requests are limited to {LONGEST_REQUEST >> 20} MiB")
        line = raw.decode("utf-8", "surrogateescape").strip("\r\n")
        if not line.strip():
            continue
        sys.stdout.buffer.write(escape_json(session.handle(line)).encode("utf-8") + b"\n")
        sys.stdout.buffer.flush()
        if session.closed:
            break
    return 0
