"""The commands `new`, `play` and `tutorial`."""

from __future__ import annotations

import argparse
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from paxtui.engine.seating import SeatOccupant

NEW_USAGE = """Set up a new game and play it (or, with --file and --no-play, only write its log).

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

PLAY_USAGE = """Continue a saved game.

examples:
  paxtui play                          the last game
  paxtui play ~/game.jsonl             that one
  paxtui play theirs.jsonl --replay    look at it from its first line on; nothing is written
"""

TUTORIAL_USAGE = """Learn the game by playing a first turn, or how a War is fought, with a prompt for every step.

examples:
  paxtui tutorial                      about ten minutes; q leaves at any time
  paxtui tutorial war                  the second lesson: a War of two cycles
"""


BOT_NAMES = ("steady", "caretaker", "statesman")
"""Names of the bots in `paxtui.bots.pax.registry`, without its slow import."""


def new_arguments(part: argparse.ArgumentParser) -> None:
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


def run_new(args: argparse.Namespace) -> int:
    """Create the game, then open it."""
    if args.game == "empires":
        return _new_exercise(args)
    from paxtui.cli.runtime import CommandError, need_terminal
    from paxtui.cli.start import play_on_screen
    from paxtui.engine.refusal import Refusal
    from paxtui.engine.seating import SeatOccupant
    from paxtui.engine.seats import ARBITER
    from paxtui.games.pax.actions.actions import SetPosition
    from paxtui.games.pax.position.setup import seats_for
    from paxtui.games.pax.position.writer import read_toml
    from paxtui.games.pax.text.parsing import name_index
    from paxtui.session.pax_host import PaxHost
    from paxtui.session.storage.log_store import LOG_SUFFIX, save_dir
    from paxtui.session.tables.loader import load_tables

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
    sitters = dict(_bot_argument(name_index(tables).powers.find, text) for text in args.bot)
    sitters |= {name_index(tables).powers.find(name): SeatOccupant(by="nobody") for name in args.empty}
    if set(sitters) >= set(seats_for(args.players)):
        raise CommandError("somebody has to play: leave a seat without --bot and --empty")
    patch = read_toml(_read_text(Path(args.position))) if args.position else None
    path = Path(args.file) if args.file else save_dir() / f"game-{secrets.token_hex(3)}{LOG_SUFFIX}"
    if path.suffix != LOG_SUFFIX:
        raise CommandError(f"the name of a saved game ends in {LOG_SUFFIX}, and {path} does not")
    if os.path.lexists(path):
        raise CommandError(f"{path} is there already; choose another name, or play it")
    if not (args.no_play or args.plain):
        need_terminal()
    seed = args.seed or secrets.token_hex(8)
    table = PaxHost.new(tables, seats_for(args.players), seed, options, path=path, tables_dir=tables_dir, undo="free")
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
            return play_on_screen("new", table)
    table.close()
    if args.no_play:
        print(path)
        return 0
    from paxtui.cli.plain.repl import run_game

    return run_game(path)


def _new_exercise(args: argparse.Namespace) -> int:
    """Start an exercise of Empires in Arms."""
    from paxtui.cli.exercise_commands import begin_exercise

    _check_text("--seed", args.seed)
    return begin_exercise(
        args.exercise, args.bot, seed=args.seed, file=args.file, plain=args.plain, no_play=args.no_play
    )


def _bot_argument(find: Callable[[str], str], text: str) -> tuple[str, SeatOccupant]:
    """Return the seat and the bot of `POWER[=BOT]`. Raises: CommandError, Refusal."""
    from paxtui.bots.pax.registry import parse_bot_name
    from paxtui.cli.runtime import CommandError

    power, _, bot = text.partition("=")
    try:
        return find(power), parse_bot_name(bot or BOT_NAMES[0])
    except ValueError as error:
        raise CommandError(f"--bot {text}: {error}") from None


def _check_text(name: str, value: str) -> None:
    """Raise CommandError if an argument holds bytes that are no text."""
    from paxtui.cli.runtime import CommandError

    try:
        value.encode()
    except UnicodeEncodeError:
        raise CommandError(f"{name} takes text, and there are bytes in it that are none") from None


def _read_text(path: Path) -> str:
    """Read a text file. Raises: CommandError, OSError."""
    from paxtui.cli.runtime import CommandError
    from paxtui.session.storage.files import read_regular

    try:
        return read_regular(path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise CommandError(f"{path} is not in UTF-8 (byte {error.start + 1})") from None


def play_arguments(part: argparse.ArgumentParser) -> None:
    """The arguments of `play`."""
    part.add_argument("file", nargs="?", metavar="FILE", help="a saved game (default: the last one)")
    part.add_argument("--replay", action="store_true", help="look at it only: no lock is taken and nothing is written")
    part.add_argument("--plain", action="store_true", help="line by line, for screen readers, logs and slow links")


def run_play(args: argparse.Namespace) -> int:
    """Open the game; report a broken log before the screen opens."""
    from paxtui.cli.runtime import CommandError, need_terminal
    from paxtui.cli.start import play_on_screen
    from paxtui.engine.log import FIRST_RULEBOOK
    from paxtui.session.pax_host import PaxHost
    from paxtui.session.storage.files import open_regular
    from paxtui.session.storage.log_store import rulebook_of, save_dir
    from paxtui.session.storage.saved_games import list_games, sort_latest_first

    if args.file:
        path = Path(args.file)
    else:
        games = list_games(save_dir())
        if not games:
            raise CommandError("there is no saved game yet: paxtui new makes one")
        path = sort_latest_first(games)[0].path
    if rulebook_of(path) != FIRST_RULEBOOK:
        from paxtui.cli.exercise_commands import resume_exercise

        return resume_exercise(path, replay=args.replay, plain=args.plain)
    if args.plain:
        from paxtui.cli.plain.repl import run_game

        return run_game(path, replay=args.replay)
    os.close(open_regular(path))  # a name that leads nowhere, or to no file, is told before a terminal that is missing
    need_terminal()
    if args.replay:
        return play_on_screen("play", replay=path)
    with PaxHost.open(path) as table:
        return play_on_screen("play", table)


def tutorial_arguments(part: argparse.ArgumentParser) -> None:
    """The arguments of `tutorial`."""
    part.add_argument("lesson", nargs="?", choices=("turn", "war"), default="turn", help="which lesson (default: turn)")


def run_tutorial(args: argparse.Namespace) -> int:
    """Open the tutorial; report errors before the screen opens."""
    from paxtui.cli.start import play_on_screen

    lesson = "war" if args.lesson == "war" else "tutorial"
    return play_on_screen(
        "tutorial", tables_dir=Path(args.tables) if args.tables else None, tutorial=True, lesson=lesson
    )
