"""The commands `simulate`, `fuzz` and `engine`: games without a screen."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from paxtui.cli.runtime import CommandError, escape_json

if TYPE_CHECKING:
    from paxtui.games.pax.board.tables import Tables
    from paxtui.simulation.batch import BatchPlan
    from paxtui.simulation.match import Outcome

SIMULATE_USAGE = """Play whole games of bots without a screen, and report on them.

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

FUZZ_USAGE = """Try games for faults of the program, with players who do whatever is allowed, or what is not.

After each act: the books balance, whatever the menu offers is accepted and has one text that says the same again, an
undo restores the position, nobody sees what is hidden from him, and the position is one that a game can have and reads
the same again. At the end the log is read again and every act decided again. Each fault is saved as a log that ends
where it is first there, with a description beside it.

examples:
  paxtui fuzz                                 three games of each kind of players
  paxtui fuzz --games 200 --seed 7 --out faults
  paxtui fuzz --players hostile --seconds 300
  paxtui fuzz --games 500 --jobs 2 --thorough 1    whole menus of all seats after every act
  paxtui fuzz --again faults/hostile-7-12.jsonl   whether a fault that was saved is still there
"""

ENGINE_USAGE = """Speak the engine protocol: JSON lines on stdin and stdout.

One request a line, {"id": 1, "method": "new", "params": {...}}; one answer a line. Methods: new, load, save,
position, dice, view, legal, suggest, forecast, act, events, schema, quit. The end of stdin ends the program.

example:
  echo '{"id":1,"method":"new","params":{"seed":7}}' | paxtui engine
"""


def simulate_arguments(part: argparse.ArgumentParser) -> None:
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


def run_simulate(args: argparse.Namespace) -> int:
    """Play the games. Exit code 1 if a game has no result."""
    import sys

    import msgspec

    from paxtui.cli.runtime import CommandError
    from paxtui.cli.terminal_output import page_colours, print_charts, progress_bar
    from paxtui.session.tables.loader import load_tables
    from paxtui.simulation.batch import BatchError, BatchPlan, finished_count, run_batch
    from paxtui.simulation.report import batch_charts, batch_report
    from paxtui.simulation.workers import ClusterError

    if args.games < 1 or (args.jobs is not None and args.jobs < 1):
        raise CommandError("--games and --jobs take a number from 1 on")
    if args.executor and (args.jobs or args.pair):
        raise CommandError("--executor plays on the workers of its cluster: it goes with neither --jobs nor --pair")
    if args.resume and not args.out:
        raise CommandError("--resume goes on with a run in a directory: name it with --out")
    tables = load_tables(Path(args.tables) if args.tables else None)
    options = named_options(args.options, args.players)
    planned = BatchPlan(
        games=args.games,
        seed=args.seed,
        bots=bots_at(tables, args.players, args.seats),
        options=options,
        tables=str(Path(args.tables).resolve()) if args.tables else "",
        check=args.check,
    )
    check_match(tables, planned.bots, options)
    if args.pair:
        return _run_pairs(tables, planned, args)
    if args.at:
        raise CommandError("--at says where the bots of --pair sit")

    directory = Path(args.out) if args.out else None
    done = finished_count(directory) if directory and args.resume else 0
    watched = not (args.json and sys.stdout.isatty())
    try:
        with progress_bar("games", args.games, done, watched) as progress:

            def print_outcome(outcome: Outcome) -> None:
                if args.json:
                    print(msgspec.json.encode(outcome).decode(), flush=True)
                progress.on(f"last: game {outcome.number}, {outcome.error or f'{outcome.seconds:.1f} s'}")

            colours = page_colours("light"), page_colours("dark")
            outcomes = run_batch(planned, args.jobs or 1, directory, args.resume, print_outcome, args.executor, colours)
    except (BatchError, ClusterError) as why:
        raise CommandError(str(why)) from None
    if not args.json:
        print("\n".join(batch_report(outcomes)))
        print_charts("", batch_charts(tables, outcomes))
    return int(any(outcome.error for outcome in outcomes))


def _run_pairs(tables: Tables, planned: BatchPlan, args: argparse.Namespace) -> int:
    """Compare two bots. Exit code 1 if a game has no result. Raises: CommandError, Refusal."""
    import sys

    import msgspec

    from paxtui.bots.pax.registry import parse_bot_name
    from paxtui.cli.runtime import CommandError
    from paxtui.cli.terminal_output import progress_bar
    from paxtui.games.pax.text.parsing import name_index
    from paxtui.simulation.batch import BatchError, Comparison, comparison_report, finished_count, run_comparison

    among = set(planned.bots.values())
    if len(among) > 1:
        raise CommandError("--pair takes one bot for all other seats (--seats BOT)")
    try:
        for bot in args.pair:
            parse_bot_name(bot)
    except ValueError as error:
        raise CommandError(str(error)) from None
    at = tuple(name_index(tables).powers.find(power) for power in args.at) or tuple(planned.bots)
    for seat in at:
        if seat not in planned.bots:
            raise CommandError(f"{seat} has no seat in a game of {args.players}")
    asked = Comparison(
        tried=args.pair[0], other=args.pair[1], among=among.pop(), seats=tuple(planned.bots), at=at,
        seeds=args.games, seed=args.seed, options=planned.options, tables=planned.tables,
        check=planned.check,
    )  # fmt: skip
    directory = Path(args.out) if args.out else None
    done = finished_count(directory) if directory and args.resume else 0
    try:
        with progress_bar("games", asked.games, done, not (args.json and sys.stdout.isatty())) as progress:

            def print_outcome(outcome: Outcome) -> None:
                if args.json:
                    print(msgspec.json.encode(outcome).decode(), flush=True)
                progress.on()

            pairs, failed = run_comparison(asked, args.jobs or 1, print_outcome, directory, args.resume)
    except BatchError as why:
        raise CommandError(str(why)) from None
    if not args.json:
        print("\n".join(comparison_report(asked, pairs, failed)))
    return int(bool(failed))


def named_options(texts: Sequence[str], players: int) -> dict[str, str]:
    """Return the options of the command line; eight players need Belgium. Raises: CommandError."""
    from paxtui.cli.runtime import CommandError

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
    """Return the bots by seat. Raises: CommandError, Refusal."""
    from paxtui.bots.pax.registry import parse_bot_name
    from paxtui.cli.runtime import CommandError
    from paxtui.games.pax.position.setup import seats_for
    from paxtui.games.pax.text.parsing import name_index

    if not 4 <= players <= 8:
        raise CommandError(f"--players takes 4 to 8, not {players}")
    seats = seats_for(players)
    everywhere, single = "caretaker", {}
    for text in texts:
        power, equals, bot = text.rpartition("=")
        try:
            parse_bot_name(bot)
        except ValueError as error:
            raise CommandError(str(error)) from None
        if equals:
            seat = name_index(tables).powers.find(power)
            if seat not in seats:
                raise CommandError(f"{seat} has no seat in a game of {players}")
            single[seat] = bot
        else:
            everywhere = bot
    return {seat: single.get(seat, everywhere) for seat in seats}


def check_match(tables: Tables, bots: dict[str, str], options: dict[str, str]) -> None:
    """Check the settings of a game. Raises: CommandError, Refusal."""
    from paxtui.cli.runtime import CommandError
    from paxtui.games.pax.position.setup import new_game

    try:
        new_game(tables, tuple(bots), options)
    except ValueError as error:
        raise CommandError(str(error)) from None


def fuzz_arguments(part: argparse.ArgumentParser) -> None:
    """The arguments of `fuzz`."""
    part.add_argument("--games", type=int, default=3, metavar="N", help="games of each kind of players (default 3)")
    part.add_argument("--players", default="all", metavar="KIND", help="random, mixed, hostile or all (default)")
    part.add_argument("--plies", type=int, default=400, metavar="N", help="acts tried in a game at most (default 400)")
    part.add_argument(
        "--thorough", type=int, default=25, metavar="N",
        help="check whole menus of all seats after every N acts, else a part of one (default 25)",
    )  # fmt: skip
    part.add_argument("--jobs", type=int, default=1, metavar="J", help="processes (default 1)")
    part.add_argument("--seconds", type=float, default=0, metavar="S", help="begin no game after so many seconds")
    part.add_argument("--seed", default="1", help="seed of the games (default 1)")
    part.add_argument("--out", default="faults", metavar="DIR", help="where faults are saved (default faults)")
    part.add_argument("--json", action="store_true", help="one JSON object")
    part.add_argument("--again", metavar="FILE", help="look again for the fault of a saved log")


def run_fuzz(args: argparse.Namespace) -> int:
    """Play the random games. Exit code 1 if a fault was found."""
    import sys

    import msgspec

    from paxtui.cli.runtime import CommandError
    from paxtui.cli.terminal_output import progress_bar
    from paxtui.session.game_host import GameHost
    from paxtui.session.tables.loader import load_tables
    from paxtui.simulation.fuzzing import PLAYER_KINDS, FuzzTrial, encode_finding, fault_at, log_fault, run_trials

    if args.again:
        with GameHost.open(Path(args.again), write=False) as table:
            kind = fault_at(table.tables, table.state, table.game.header.seed) or log_fault(table.tables, table.log())
        print(f"{args.again}: {kind or 'its last position has no fault'}")
        return int(bool(kind))
    if min(args.games, args.plies, args.thorough, args.jobs) < 1:
        raise CommandError("--games, --plies, --thorough and --jobs take a number from 1 on")
    if args.players not in ("all", *PLAYER_KINDS):
        raise CommandError(f"--players takes {', '.join(PLAYER_KINDS)} or all, not {args.players!r}")
    load_tables(Path(args.tables) if args.tables else None)  # what is wrong with them is told once
    kinds = PLAYER_KINDS if args.players == "all" else tuple(kind for kind in PLAYER_KINDS if kind == args.players)
    trials = (
        FuzzTrial(f"{args.seed}-{number}", players, args.plies, args.thorough, args.out, args.tables or "")
        for number in range(1, args.games + 1)
        for players in kinds
    )
    tallies = []
    with progress_bar("games", args.games * len(kinds), shown=not (args.json and sys.stdout.isatty())) as progress:
        for tally in run_trials(trials, args.jobs, args.seconds):
            tallies.append(tally)
            progress.on()
            if tally.finding and not args.json:
                found = tally.finding
                print(f"{found.players} {found.seed}: {found.found} (line {found.line}, {found.file})", flush=True)
    acts, refused = sum(t.acts for t in tallies), sum(t.refused for t in tallies)
    findings = [t.finding for t in tallies if t.finding]
    if args.json:
        faults = [msgspec.Raw(encode_finding(finding)) for finding in findings]
        whole = {"games": len(tallies), "acts": acts, "refused": refused, "faults": faults}
        print(msgspec.json.encode(whole).decode())
    else:
        print(f"{len(tallies)} games, {acts} acts done, {refused} refused, {len(findings)} faults")
    return int(bool(findings))


LONGEST_REQUEST = 64 * 1024 * 1024
"""Maximum size of a request, in bytes."""


def engine_arguments(part: argparse.ArgumentParser) -> None:
    """Add the arguments of `engine`: none."""


def run_engine(args: argparse.Namespace) -> int:
    """Answer requests until `quit` or the end of the input."""
    from paxtui.session.protocol import EngineSession
    from paxtui.session.tables.loader import load_tables

    directory = Path(args.tables) if args.tables else None
    session = EngineSession(load_tables(directory), directory)
    while raw := sys.stdin.buffer.readline(LONGEST_REQUEST + 1):
        if len(raw) > LONGEST_REQUEST:
            raise CommandError(f"a request has {LONGEST_REQUEST >> 20} MiB at most")
        line = raw.decode("utf-8", "surrogateescape").strip("\r\n")
        if not line.strip():
            continue
        sys.stdout.buffer.write(escape_json(session.handle(line)).encode("utf-8") + b"\n")
        sys.stdout.buffer.flush()
        if session.closed:
            break
    return 0
