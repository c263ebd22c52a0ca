"""The command `review`: what decided a saved game."""

from __future__ import annotations

import argparse
import textwrap
from pathlib import Path

REVIEW_USAGE = """Show what decided a saved game: each seat's chance to win at each Game Turn, and the five turning
points.

examples:
  paxtui review game.jsonl                  the chances and the turning points
  paxtui review game.jsonl --json           the same for programs
  paxtui review game.jsonl --seat france    a running game: what France knows
"""
WIDTH = 96


def review_arguments(part: argparse.ArgumentParser) -> None:
    """The arguments of `review`."""
    part.add_argument("file", metavar="GAME", help="a saved game")
    part.add_argument("--seat", default="", metavar="SEAT", help="use what this seat knows; spectator: what all know")
    part.add_argument("--json", action="store_true", help="as JSON")


def run_review(args: argparse.Namespace) -> int:
    """Print the review."""
    import msgspec

    from paxtui.cli.runtime import CommandError, clean_line, escape_json
    from paxtui.cli.terminal_output import print_charts
    from paxtui.session.hosts import open_game
    from paxtui.session.pax_host import PaxHost
    from paxtui.studies.review import describe_point, review_game
    from paxtui.tui.formatting.review import chances_chart

    host = open_game(Path(args.file), write=False)
    if not isinstance(host, PaxHost):
        raise CommandError("only games of Pax Britannica can be reviewed; 'paxtui show' prints this position")
    review = review_game(host, args.seat)
    if args.json:
        print(escape_json(msgspec.json.encode(review).decode()))
        return 0
    print_charts("", [chances_chart(host.tables, review)])
    print("\nTurning points" if review.points else "\nNo act changed a chance to win by 3 % or more.")
    for point in review.points:
        text = clean_line(f"{describe_point(host.tables, point)} (line {point.line})").replace(" %", "\xa0%")
        print(textwrap.fill(text, WIDTH, initial_indent="  ", subsequent_indent="    ").replace("\xa0", " "))
    return 0
