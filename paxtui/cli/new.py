"""Set up a new game and play it (or, with --file and --no-play, only write its log).

examples:
  paxtui new                                    seven players, default options
  paxtui new --players 4 --seed 7               four players, known dice
  paxtui new --option fiji_south_pacific=yes    an option of the rulings
  paxtui new --position puzzle.toml             another position than that of 1880
  paxtui new --file my.jsonl --no-play          write the log and stop
  paxtui new --plain                            line by line, on pipes too
"""

from __future__ import annotations

import argparse
import secrets
from pathlib import Path


def arguments(part: argparse.ArgumentParser) -> None:
    """The arguments of `new`."""
    part.add_argument("--players", type=int, default=7, metavar="N", help="4 to 8 (default 7)")
    part.add_argument("--seed", default="", help="seed of the dice (default: a fresh one)")
    part.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game")
    part.add_argument("--position", metavar="FILE", help="begin at the 1880 start with this TOML patch applied")
    part.add_argument("--file", metavar="FILE", help="where the log goes (default: your saves)")
    part.add_argument("--no-play", action="store_true", help="write the log and stop")
    part.add_argument("--plain", action="store_true", help="play line by line, for screen readers, logs and slow links")


def run(args: argparse.Namespace) -> int:
    """Make the game, then open it."""
    from paxtui.cli.faults import CommandError
    from paxtui.engine.refusal import Refusal
    from paxtui.engine.seats import ARBITER
    from paxtui.pax.orders.actions import SetPosition
    from paxtui.pax.position.position_text import read_toml
    from paxtui.pax.position.setup import seats_for
    from paxtui.table.authority import Table
    from paxtui.table.store import save_dir
    from paxtui.table.tables import load_tables

    options: dict[str, str] = {}
    for text in args.option:
        name, equals, value = text.partition("=")
        if not equals:
            raise CommandError(f"--option takes NAME=VALUE, not {text!r}")
        options[name.strip()] = value.strip()
    if not 4 <= args.players <= 8:
        raise CommandError(f"--players takes 4 to 8, not {args.players}")
    if args.players == 8:
        options.setdefault("belgium", "yes")
    tables_dir = Path(args.tables) if args.tables else None
    tables = load_tables(tables_dir)
    position = Path(args.position).read_text("utf-8") if args.position else ""
    path = Path(args.file) if args.file else save_dir() / f"game-{secrets.token_hex(3)}.jsonl"
    if path.exists():
        raise CommandError(f"{path} is there already; choose another name, or play it")
    table = Table.new(
        tables,
        seats_for(args.players),
        args.seed or secrets.token_hex(8),
        options,
        path=path,
        tables_dir=tables_dir,
        undo="free",
    )
    try:
        if args.position:
            table.act(ARBITER, SetPosition(read_toml(position)))
    except Refusal:
        table.close()
        path.unlink()
        raise
    table.close()
    if args.no_play:
        print(path)
        return 0
    if args.plain:
        from paxtui.cli.plain.stream import run_game

        return run_game(path)
    from paxtui.tui.app import PaxApp

    return PaxApp(path=path).run() or 0
