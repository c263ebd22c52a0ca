"""Print any moment of a saved game, as everybody or one seat sees it.

examples:
  paxtui show game.jsonl                      the present
  paxtui show game.jsonl --at 120             after line 120
  paxtui show game.jsonl --seat france        what France sees
  paxtui show game.jsonl --json               the view of the protocol, for programs
  paxtui show game.jsonl --log                every line in plain words
  paxtui show game.jsonl --toml > here.toml   the position as text: paxtui new --position here.toml

With --seat the lines have that seat's numbers, and what is hidden from it is left out. The file itself hides nothing:
it is plain text, and whoever can read it can read its secrets.
"""

from __future__ import annotations

import argparse
from pathlib import Path


def arguments(part: argparse.ArgumentParser) -> None:
    """The arguments of `show`."""
    part.add_argument("file", metavar="FILE", help="a saved game")
    part.add_argument("--at", type=int, metavar="N", help="the position after line N, by the number of the seat")
    part.add_argument("--seat", default="arbiter", metavar="SEAT", help="a Power's seat, spectator or arbiter")
    part.add_argument("--json", action="store_true", help="as JSON")
    part.add_argument("--toml", action="store_true", help="the position as a patch of the 1880 start")
    part.add_argument("--log", action="store_true", help="the events instead of the position")


def run(args: argparse.Namespace) -> int:
    """Print it."""
    import msgspec

    from paxtui.cli.outward.faults import CommandError
    from paxtui.cli.outward.outlet import clean, escaped
    from paxtui.engine.log import FIRST_RULEBOOK
    from paxtui.engine.seats import ARBITER, SPECTATOR
    from paxtui.pax.narration.narrate import Narrator
    from paxtui.pax.position.patches import difference, dump
    from paxtui.pax.position.position_text import write_toml
    from paxtui.pax.position.setup import start_of
    from paxtui.pax.position.summary import summary
    from paxtui.table.authority import Table
    from paxtui.table.disk.store import rulebook_of

    if rulebook_of(Path(args.file)) != FIRST_RULEBOOK:
        from paxtui.cli.exercises.shown import show

        return show(Path(args.file), args.seat, args.at, log=args.log, json=args.json)
    table = Table.open(Path(args.file), write=False)
    seat = args.seat
    if seat not in (*table.state.players, ARBITER, SPECTATOR):
        raise CommandError(f"--seat takes {', '.join(table.state.players)}, spectator or arbiter, not {seat!r}")
    last = table.version_for(seat)
    at = last if args.at is None else args.at
    if not 1 <= at <= last:
        raise CommandError(f"--at takes a line from 1 to {last}, not {at}")
    state = table.state_for(seat, at)
    if args.log:
        known, narrator = table.known(seat), Narrator(table.tables, table.state_for(seat, 1))
        for n in range(2, table.log_line(seat, at) + 1):
            for event in table.events_seen(seat, n):
                text = narrator.tell(event)
                if text:
                    print(clean(f"{known.number(n):>5} {text}"))
        return 0
    if args.toml:
        start = start_of(table.tables, state.players, state.options)
        print(write_toml(difference(dump(start), dump(state))), end="")
    elif args.json:
        print(escaped(msgspec.json.encode(table.view(seat, at)).decode()))
    else:
        print(f"line {at} of {last}")
        print(summary(table.tables, state))
    if table.notice:
        import sys

        print(f"paxtui: {table.notice}", file=sys.stderr)
    return 0
