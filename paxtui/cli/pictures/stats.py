"""The course of a saved game in charts: Victory Points, Treasuries, tension and resentment, what points came from, the
balance of the regions, Wars and Treaties.

A game that is over shows everything. One that is not shows what everybody may know, or what a seat knows with --seat.

examples:
  paxtui stats game.jsonl                     every chart, on the terminal
  paxtui stats game.jsonl points times        these two
  paxtui stats game.jsonl --seat france --at 120
  paxtui stats game.jsonl --json              all figures, for programs
  paxtui stats game.jsonl --html > game.html  one page that needs nothing else
"""

from __future__ import annotations

import argparse
from pathlib import Path


def arguments(part: argparse.ArgumentParser) -> None:
    """The arguments of `stats`."""
    part.add_argument("file", metavar="FILE", help="a saved game")
    part.add_argument("charts", metavar="CHART", nargs="*", help="which charts (default all of them)")
    part.add_argument("--at", type=int, metavar="N", help="up to line N, by the number of the seat")
    part.add_argument("--seat", default="", metavar="SEAT", help="a Power's seat, spectator or arbiter")
    part.add_argument("--json", action="store_true", help="the figures as JSON")
    part.add_argument("--html", action="store_true", help="one page of HTML")
    part.add_argument("-o", "--output", metavar="FILE", help="write it there")


def run(args: argparse.Namespace) -> int:
    """Print it."""
    from html import escape

    import msgspec

    from paxtui.charts.of_game import CHARTS, charts, outcome
    from paxtui.charts.page import page
    from paxtui.cli.outward.faults import CommandError
    from paxtui.cli.outward.outlet import clean, escaped
    from paxtui.cli.pictures.inks import inks
    from paxtui.cli.pictures.on_terminal import as_text, printed
    from paxtui.engine.seats import ARBITER, SPECTATOR
    from paxtui.table.authority import Table
    from paxtui.table.disk.files import write_named
    from paxtui.table.onlooker import course_of

    if args.json and args.html:
        raise CommandError("--json and --html: only one of them")
    names = [chart.name for chart in CHARTS]
    for name in args.charts:
        if name not in names:
            raise CommandError(f"there is no chart {name!r}; there are {', '.join(names)}")
    table = Table.open(Path(args.file), write=False)
    seat = args.seat or (ARBITER if table.state.result is not None else SPECTATOR)
    if seat not in (*table.state.players, ARBITER, SPECTATOR):
        raise CommandError(f"--seat takes {', '.join(table.state.players)}, spectator or arbiter, not {seat!r}")
    last = table.version_for(seat)
    if args.at is not None and not 1 <= args.at <= last:
        raise CommandError(f"--at takes a line from 1 to {last}, not {args.at}")
    course = course_of(table, seat, args.at)
    wanted = [chart for name, chart in charts(table.tables, course).items() if not args.charts or name in args.charts]
    said = outcome(table.tables, course)
    if args.json:
        out = escaped(msgspec.json.encode(course).decode()) + "\n"
    elif args.html:
        title = f"Pax Britannica · {Path(args.file).name}"
        whole = page(title, [f"<p>{escape(said)}</p>"], wanted, inks("light"), inks("dark"))
        out = "\n".join(map(clean, whole.split("\n")))
    elif args.output:
        out = as_text(said, wanted)
    else:
        printed(said, wanted)
        return 0
    if args.output:
        write_named(Path(args.output), out.encode())
        print(args.output)
    else:
        print(out, end="")
    return 0
