"""The command `share`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from paxtui.session.pax_host import PaxHost

SHARE_USAGE = """Write a saved game as one file for friends, a page with map, timeline, log, charts and comments.

The page needs no program and no network: send it, or put it on any server. It shows what every player could see.
The review and the comments of a study beside the log are included, if the page may show their lines.

examples:
  paxtui share game.jsonl -o game.html                 a page, as everybody saw the game
  paxtui share game.jsonl -o game.html --seat france   as France saw it
  paxtui share game.jsonl -o game.html --all           with all secrets
"""


def share_arguments(part: argparse.ArgumentParser) -> None:
    """The arguments of `share`."""
    part.add_argument("file", metavar="FILE", help="a saved game")
    part.add_argument("-o", "--output", metavar="FILE", help="output file (default: the name of the game, here)")
    view = part.add_mutually_exclusive_group()
    view.add_argument("--seat", default="", metavar="SEAT", help="show what this seat knows")
    view.add_argument("--all", action="store_true", help="show everything, also secret Treaties and dispatches")
    part.add_argument("--title", default="", metavar="TEXT", help="title of the page (default: the name of the file)")


def run_share(args: argparse.Namespace) -> int:
    """Write the file and print its path."""
    from paxtui.cli.runtime import CommandError
    from paxtui.engine.seats import ARBITER, SPECTATOR
    from paxtui.session.hosts import open_game
    from paxtui.session.pax_host import PaxHost
    from paxtui.session.storage.files import write_named
    from paxtui.sharing.contents import view_warning

    path = Path(args.file)
    host = open_game(path, write=False)
    if not isinstance(host, PaxHost):
        raise CommandError("only games of Pax Britannica can be shared; 'paxtui show' prints this position")
    viewpoint = ARBITER if args.all else args.seat or SPECTATOR
    if viewpoint not in (*host.seats, ARBITER, SPECTATOR):
        raise CommandError(f"--seat takes {', '.join(host.seats)}, not {args.seat!r}")
    warning = view_warning(host, viewpoint)
    if warning:
        print(f"paxtui: {warning}", file=sys.stderr)
    output = Path(args.output or f"{path.stem}.html")
    write_named(output, _page(host, viewpoint, args.title or path.stem))
    print(output)
    return 0


def _page(host: PaxHost, viewpoint: str, title: str) -> bytes:
    from paxtui.sharing.contents import share_game
    from paxtui.sharing.page import render_game_page

    return render_game_page(share_game(host, viewpoint, title)).encode()
