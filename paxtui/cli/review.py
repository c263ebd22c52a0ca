"""The commands `review` (what decided a saved game) and `puzzles`."""

from __future__ import annotations

import argparse
import os
import sys
import textwrap
from pathlib import Path

import msgspec

from paxtui.cli.game_arguments import open_pax_game
from paxtui.cli.runtime import CommandError, clean_line, escape_json, need_terminal, run_single_screen
from paxtui.cli.terminal_output import print_charts, progress_bar
from paxtui.engine.seats import ARBITER
from paxtui.session.pax_host import PaxHost
from paxtui.session.tables.loader import load_tables
from paxtui.studies.puzzles import ask, load_puzzles
from paxtui.studies.review import Review, describe_point, review_game, with_advice
from paxtui.studies.review_file import load_review, save_review
from paxtui.studies.review_refinement import ROLLOUTS, merge, refine
from paxtui.studies.rollouts import RolloutPool
from paxtui.tui.formatting.review import chances_chart

REVIEW_USAGE = """Show what decided a saved game: each seat's chance to win at each Game Turn, and the five turning
points.

Statesmen play on from each Game Turn, 20 times with other dice, and from both sides of each turning point. That takes
some minutes. Results are kept in GAME.review; Ctrl-C stops, and the next call goes on.

examples:
  paxtui review game.jsonl                  the chances and the turning points
  paxtui review game.jsonl --rollouts 0     at once: by the prediction from the positions alone
  paxtui review game.jsonl --json           the same for programs
  paxtui review game.jsonl --seat france    a running game: what France knows, by the prediction
"""
PUZZLES_USAGE = """Solve puzzles: positions from games in which one act gains most: a marker, a Treaty or a War.
You choose it beside the map.

examples:
  paxtui puzzles            open the list of puzzles
  paxtui puzzles --list     print the questions
"""
WIDTH = 96


def puzzles_arguments(part: argparse.ArgumentParser) -> None:
    part.add_argument("--list", action="store_true", help="print the questions with their candidates")


def run_puzzles(args: argparse.Namespace) -> int:
    from paxtui.tui.start_screens.puzzles import PuzzleList

    if not args.list:
        need_terminal()
        return run_single_screen("puzzles", PuzzleList)
    tables = load_tables()
    for number, puzzle in enumerate(load_puzzles(), 1):
        print(f"{number:>2}  {ask(tables, puzzle)}")
        print(f"      {'; '.join(candidate.text for candidate in puzzle.candidates)}")
    return 0


def review_arguments(part: argparse.ArgumentParser) -> None:
    part.add_argument("file", metavar="GAME", help="a saved game")
    part.add_argument("--rollouts", type=int, metavar="N", help="rollouts of each Game Turn (default 20); 0 for none")
    part.add_argument("--jobs", type=int, metavar="J", help="processes (default: one for each core)")
    part.add_argument("--seed", default="", metavar="S", help="seed of the rollouts: a seed gives the same review")
    part.add_argument("--seat", default="", metavar="SEAT", help="use what this seat knows; spectator: what all know")
    part.add_argument("--json", action="store_true", help="as JSON")


def run_review(args: argparse.Namespace) -> int:
    if args.rollouts is not None and not 0 <= args.rollouts <= MOST_ROLLOUTS:
        raise CommandError(f"--rollouts takes a number from 0 to {MOST_ROLLOUTS}, not {args.rollouts}")
    if args.jobs is not None and args.jobs < 1:
        raise CommandError("--jobs must be at least 1")
    log = Path(args.file)
    host = open_pax_game(args.file, "only games of Pax Britannica can be reviewed; 'paxtui show' prints this position")
    kept = None if args.seat else load_review(log, host)
    review = review_game(host, args.seat)
    if review.seat == ARBITER:
        review = _refined(log, host, review, kept, args)
    elif args.rollouts:
        raise CommandError("rollouts use all secrets: they are possible when the game is over, or without persons")
    review = with_advice(host, review)
    if args.json:
        print(escape_json(msgspec.json.encode(review).decode()))
        return 0
    print_charts("", [chances_chart(host.tables, review)])
    print("\nTurning points" if review.points else "\nNo act changed a chance to win by 3 % or more.")
    for point in review.points:
        text = clean_line(f"{describe_point(host.tables, point)} (line {point.line})").replace(" %", "\xa0%")
        print(textwrap.fill(text, WIDTH, initial_indent="  ", subsequent_indent="    ").replace("\xa0", " "))
    return 0


MOST_ROLLOUTS = 1000


def _refined(log: Path, host: PaxHost, review: Review, kept: Review | None, args: argparse.Namespace) -> Review:
    """Return a review with the rollouts that are kept, and with those that it still lacks. Ctrl-C stops these."""
    if args.rollouts == 0:
        return review
    wanted = args.rollouts or (kept.rollouts if kept is not None and kept.rollouts else ROLLOUTS)
    review = merge(review, kept, wanted, args.seed)
    pool = RolloutPool(host.game.header, args.jobs or os.cpu_count() or 1)
    steps = refine(host, review, pool)
    first = next(steps)
    if not first.total:
        return review
    with progress_bar("rollouts", first.total, shown=not args.json) as bar:
        try:
            for step in steps:
                review = step.review
                bar.on()
                if step.is_kept:
                    save_review(log, host, review)
        except KeyboardInterrupt:
            print("paxtui: stopped; the same command goes on from here", file=sys.stderr)
        finally:
            pool.end()
    return review
