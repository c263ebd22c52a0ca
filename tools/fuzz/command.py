"""The command `fuzz`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import msgspec

from paxtui.cli.runtime import CommandError
from paxtui.cli.terminal_output import progress_bar
from paxtui.session.pax_host import PaxHost
from paxtui.session.tables.loader import load_tables
from tools.fuzz.games import PLAYER_KINDS, FuzzTrial, encode_finding, fault_at, log_fault, run_trials

FUZZ_USAGE = """Search for faults of the program with games of random players, who act legally or illegally.

After each action paxtui checks that the accounts balance; that each action of the menu is accepted and survives a round
trip through its text; that an undo restores the position; that no player sees hidden information; and that the position
is possible and survives a round trip. At the end it reads the log again and decides each action again. It saves each
fault as a log that ends where the fault first appears, with a description in a second file.

examples:
  paxtui fuzz                                 three games of each kind of players
  paxtui fuzz --games 200 --seed 7 --out faults
  paxtui fuzz --players hostile --seconds 300
  paxtui fuzz --games 500 --jobs 2 --thorough 1    full menus of all seats after each action
  paxtui fuzz --again faults/hostile-7-12.jsonl   test whether a saved fault still exists
"""


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

    if args.again:
        with PaxHost.open(Path(args.again), write=False) as table:
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
