"""Set up a new game and play it (or, with --file and --no-play, only write its log).

examples:
  paxtui new                                    seven players, default options
  paxtui new --players 4 --seed 7               four players, known dice
  paxtui new --bot france --empty japan         a bot at one seat, nobody at another
  paxtui new --bot italy=caretaker              a seat that only keeps what it holds
  paxtui new --bot italy=statesman:hard:bold    one that plays to win, its level and its temper
  paxtui new --option fiji_south_pacific=yes    an option of the rulings
  paxtui new --position puzzle.toml             another position than that of 1880
  paxtui new --file my.jsonl --no-play          write the log and stop
  paxtui new --plain                            line by line, on pipes too
  paxtui new --game empires --exercise channel-1805 --bot france --bot spain
                                                an exercise of Empires in Arms, see docs/empires.md
"""

from __future__ import annotations

import argparse
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from paxtui.pax.orders.seating import Sitter


BOT_NAMES = ("steady", "caretaker", "statesman")
"""The bots, as `paxtui.bots.players` has them; told before anything heavy is imported."""


def arguments(part: argparse.ArgumentParser) -> None:
    """The arguments of `new`."""
    part.add_argument("--game", choices=("pax", "empires"), default="pax", help="empires: an exercise (default pax)")
    part.add_argument("--exercise", default="", metavar="NAME", help="of empires: which one, as channel-1805")
    part.add_argument("--players", type=int, default=7, metavar="N", help="4 to 8 (default 7)")
    part.add_argument("--seed", default="", help="seed of the dice (default: a fresh one)")
    bots = f"a bot sits at this seat: {' or '.join(BOT_NAMES)} (default {BOT_NAMES[0]})"
    part.add_argument("--bot", action="append", default=[], metavar="POWER[=BOT]", help=bots)
    part.add_argument("--empty", action="append", default=[], metavar="POWER", help="nobody sits at this seat")
    part.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game")
    part.add_argument("--position", metavar="FILE", help="begin at the 1880 start with this TOML patch applied")
    part.add_argument("--file", metavar="FILE", help="where the log goes (default: your saves)")
    part.add_argument("--no-play", action="store_true", help="write the log and stop")
    part.add_argument("--plain", action="store_true", help="play line by line, for screen readers, logs and slow links")


def run(args: argparse.Namespace) -> int:
    """Make the game, then open it."""
    if args.game == "empires":
        return _exercise(args)
    from paxtui.cli.outward.faults import CommandError
    from paxtui.cli.outward.terminal import need_terminal
    from paxtui.cli.start import on_screen
    from paxtui.engine.refusal import Refusal
    from paxtui.engine.seats import ARBITER
    from paxtui.pax.orders.actions import SetPosition
    from paxtui.pax.orders.seating import Sitter
    from paxtui.pax.position.position_text import read_toml
    from paxtui.pax.position.setup import seats_for
    from paxtui.pax.words.names import index
    from paxtui.table.authority import Table
    from paxtui.table.disk.store import SUFFIX, save_dir
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
    _check_text("--seed", args.seed)
    tables_dir = Path(args.tables) if args.tables else None
    tables = load_tables(tables_dir)
    sitters = dict(_bot(index(tables).powers.find, text) for text in args.bot)
    sitters |= {index(tables).powers.find(name): Sitter(by="nobody") for name in args.empty}
    if set(sitters) >= set(seats_for(args.players)):
        raise CommandError("somebody has to play: leave a seat without --bot and --empty")
    patch = read_toml(_text_of(Path(args.position))) if args.position else None
    path = Path(args.file) if args.file else save_dir() / f"game-{secrets.token_hex(3)}{SUFFIX}"
    if path.suffix != SUFFIX:
        raise CommandError(f"the name of a saved game ends in {SUFFIX}, and {path} does not")
    if os.path.lexists(path):
        raise CommandError(f"{path} is there already; choose another name, or play it")
    if not (args.no_play or args.plain):
        need_terminal()
    seed = args.seed or secrets.token_hex(8)
    table = Table.new(tables, seats_for(args.players), seed, options, path=path, tables_dir=tables_dir, undo="free")
    try:
        if patch is not None:
            table.act(ARBITER, SetPosition(patch))
        if sitters:
            table.seat(sitters)
    except Refusal:
        table.close()
        path.unlink()
        raise
    if not (args.no_play or args.plain):
        with table:
            return on_screen("new", table)
    table.close()
    if args.no_play:
        print(path)
        return 0
    from paxtui.cli.plain.stream import run_game

    return run_game(path)


def _exercise(args: argparse.Namespace) -> int:
    """An exercise of Empires in Arms."""
    from paxtui.cli.exercises.begin import begin

    _check_text("--seed", args.seed)
    return begin(
        args.exercise, args.bot, seed=args.seed, file=args.file, plain=args.plain, no_play=args.no_play
    )


def _bot(find: Callable[[str], str], text: str) -> tuple[str, Sitter]:
    """The seat and the bot that `POWER[=BOT]` names. Raises: CommandError, Refusal."""
    from paxtui.bots.players import sitter_named
    from paxtui.cli.outward.faults import CommandError

    power, _, bot = text.partition("=")
    try:
        return find(power), sitter_named(bot or BOT_NAMES[0])
    except ValueError as error:
        raise CommandError(f"--bot {text}: {error}") from None


def _check_text(name: str, value: str) -> None:
    """Raises: CommandError, when an argument holds bytes that are no text."""
    from paxtui.cli.outward.faults import CommandError

    try:
        value.encode()
    except UnicodeEncodeError:
        raise CommandError(f"{name} takes text, and there are bytes in it that are none") from None


def _text_of(path: Path) -> str:
    """The text of a file. Raises: CommandError, OSError."""
    from paxtui.cli.outward.faults import CommandError
    from paxtui.table.disk.files import read_regular

    try:
        return read_regular(path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise CommandError(f"{path} is not in UTF-8 (byte {error.start + 1})") from None
