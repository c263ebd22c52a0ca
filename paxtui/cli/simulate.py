"""Play whole games of bots without a screen, and report on them.

Without --out nothing is kept. With it every game is a log that `paxtui play FILE` opens, results.jsonl has a line for
each game, report.md is what is printed at the end, and report.html the same with charts.

examples:
  paxtui simulate --games 20                               seven caretakers
  paxtui simulate --games 20 --seats steady france=caretaker
  paxtui simulate --games 20 --seats statesman italy=statesman:hard:bold
  paxtui simulate --games 100 --players 8 --jobs 2 --seed 7 --out run7
  paxtui simulate --games 100 --players 8 --jobs 2 --seed 7 --out run7 --resume
  paxtui simulate --games 1000 --executor dask://HOST --out run    on a cluster (the extra 'cluster')
  paxtui simulate --games 5 --json                         a line of JSON for each game
  paxtui simulate --games 10 --seats steady --pair statesman steady --out pairs
                                 both at every seat among steady bots, with the same ten seeds
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from paxtui.arena.match import Outcome
    from paxtui.arena.run import Run
    from paxtui.pax.board.tables import Tables


def arguments(part: argparse.ArgumentParser) -> None:
    """The arguments of `simulate`."""
    part.add_argument("--games", type=int, default=10, metavar="N", help="how many games (default 10)")
    part.add_argument("--players", type=int, default=7, metavar="N", help="4 to 8 (default 7)")
    part.add_argument(
        "--seats", nargs="+", default=["caretaker"], metavar="BOT",
        help="the bot at every seat, or POWER=BOT for one (default caretaker)",
    )  # fmt: skip
    part.add_argument(
        "--pair", nargs=2, metavar="BOT",
        help="compare two bots, each at every seat (or those of --at) among the bot of --seats; --games for each seat",
    )  # fmt: skip
    part.add_argument("--at", nargs="+", default=[], metavar="POWER", help="the seats of --pair (default: all)")
    part.add_argument("--options", nargs="+", default=[], metavar="NAME=VALUE", help="options of the games")
    part.add_argument("--seed", default="1", help="seed of the run (default 1)")
    part.add_argument("--jobs", type=int, metavar="J", help="processes of this computer (default 1)")
    part.add_argument("--executor", default="", metavar="dask://HOST", help="play on a dask cluster that is there")
    part.add_argument(
        "--check", action="store_true",
        help="audit the books of each game when it is over: what its events do not explain is a fault",
    )  # fmt: skip
    part.add_argument("--json", action="store_true", help="print a line of JSON for each game")
    part.add_argument("--out", metavar="DIR", help="keep logs, results and report there")
    part.add_argument("--resume", action="store_true", help="go on with the run in DIR")


def run(args: argparse.Namespace) -> int:
    """Play the games. Exit code 1 where one came to no result."""
    import sys

    import msgspec

    from paxtui.arena.charts import charts
    from paxtui.arena.cluster import Unreachable
    from paxtui.arena.report import report
    from paxtui.arena.run import Run, Unfinished, carry_out, played_already
    from paxtui.cli.outward.faults import CommandError
    from paxtui.cli.outward.progress import bar
    from paxtui.cli.pictures.inks import inks
    from paxtui.cli.pictures.on_terminal import printed
    from paxtui.table.tables import load_tables

    if args.games < 1 or (args.jobs is not None and args.jobs < 1):
        raise CommandError("--games and --jobs take a number from 1 on")
    if args.executor and (args.jobs or args.pair):
        raise CommandError("--executor plays on the workers of its cluster: it goes with neither --jobs nor --pair")
    if args.resume and not args.out:
        raise CommandError("--resume goes on with a run in a directory: name it with --out")
    tables = load_tables(Path(args.tables) if args.tables else None)
    options = named_options(args.options, args.players)
    planned = Run(
        games=args.games,
        seed=args.seed,
        bots=bots_at(tables, args.players, args.seats),
        options=options,
        tables=str(Path(args.tables).resolve()) if args.tables else "",
        check=args.check,
    )
    check(tables, planned.bots, options)
    if args.pair:
        return _pairs(tables, planned, args)
    if args.at:
        raise CommandError("--at says where the bots of --pair sit")

    directory = Path(args.out) if args.out else None
    done = played_already(directory) if directory and args.resume else 0
    watched = not (args.json and sys.stdout.isatty())
    try:
        with bar("games", args.games, done, watched) as progress:

            def told(outcome: Outcome) -> None:
                if args.json:
                    print(msgspec.json.encode(outcome).decode(), flush=True)
                progress.on(f"last: game {outcome.number}, {outcome.error or f'{outcome.seconds:.1f} s'}")

            colours = inks("light"), inks("dark")
            outcomes = carry_out(planned, args.jobs or 1, directory, args.resume, told, args.executor, colours)
    except (Unfinished, Unreachable) as why:
        raise CommandError(str(why)) from None
    if not args.json:
        print("\n".join(report(outcomes)))
        printed("", charts(tables, outcomes))
    return int(any(outcome.error for outcome in outcomes))


def _pairs(tables: Tables, planned: Run, args: argparse.Namespace) -> int:
    """Compare two bots. Exit code 1 where a game came to no result. Raises: CommandError, Refusal."""
    import sys

    import msgspec

    from paxtui.arena.pairs import Comparison, compare, report
    from paxtui.arena.run import Unfinished, played_already
    from paxtui.bots.players import sitter_named
    from paxtui.cli.outward.faults import CommandError
    from paxtui.cli.outward.progress import bar
    from paxtui.pax.words.names import index

    among = set(planned.bots.values())
    if len(among) > 1:
        raise CommandError("--pair takes one bot for all other seats (--seats BOT)")
    try:
        for bot in args.pair:
            sitter_named(bot)
    except ValueError as error:
        raise CommandError(str(error)) from None
    at = tuple(index(tables).powers.find(power) for power in args.at) or tuple(planned.bots)
    for seat in at:
        if seat not in planned.bots:
            raise CommandError(f"{seat} has no seat in a game of {args.players}")
    asked = Comparison(
        tried=args.pair[0], other=args.pair[1], among=among.pop(), seats=tuple(planned.bots), at=at,
        seeds=args.games, seed=args.seed, options=planned.options, tables=planned.tables,
        check=planned.check,
    )  # fmt: skip
    directory = Path(args.out) if args.out else None
    done = played_already(directory) if directory and args.resume else 0
    try:
        with bar("games", asked.games, done, not (args.json and sys.stdout.isatty())) as progress:

            def told(outcome: Outcome) -> None:
                if args.json:
                    print(msgspec.json.encode(outcome).decode(), flush=True)
                progress.on()

            pairs, failed = compare(asked, args.jobs or 1, told, directory, args.resume)
    except Unfinished as why:
        raise CommandError(str(why)) from None
    if not args.json:
        print("\n".join(report(asked, pairs, failed)))
    return int(bool(failed))


def named_options(texts: Sequence[str], players: int) -> dict[str, str]:
    """Options of the command line; eight players need Belgium. Raises: CommandError."""
    from paxtui.cli.outward.faults import CommandError

    options: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise CommandError(f"an option is NAME=VALUE, not {text!r}")
        options[name.strip()] = value.strip()
    if players == 8:
        options.setdefault("belgium", "yes")
    return options


def bots_at(tables: Tables, players: int, texts: Sequence[str]) -> dict[str, str]:
    """Who sits where. Raises: CommandError, Refusal."""
    from paxtui.bots.players import sitter_named
    from paxtui.cli.outward.faults import CommandError
    from paxtui.pax.position.setup import seats_for
    from paxtui.pax.words.names import index

    if not 4 <= players <= 8:
        raise CommandError(f"--players takes 4 to 8, not {players}")
    seats = seats_for(players)
    everywhere, single = "caretaker", {}
    for text in texts:
        power, equals, bot = text.rpartition("=")
        try:
            sitter_named(bot)
        except ValueError as error:
            raise CommandError(str(error)) from None
        if equals:
            seat = index(tables).powers.find(power)
            if seat not in seats:
                raise CommandError(f"{seat} has no seat in a game of {players}")
            single[seat] = bot
        else:
            everywhere = bot
    return {seat: single.get(seat, everywhere) for seat in seats}


def check(tables: Tables, bots: dict[str, str], options: dict[str, str]) -> None:
    """Whether there can be such a game. Raises: CommandError, Refusal."""
    from paxtui.cli.outward.faults import CommandError
    from paxtui.pax.position.setup import new_game

    try:
        new_game(tables, tuple(bots), options)
    except ValueError as error:
        raise CommandError(str(error)) from None
