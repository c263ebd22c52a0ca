"""The commands `new`, `play` and `tutorial`."""

from __future__ import annotations

import argparse
import os
import secrets
import sys
from pathlib import Path
from shutil import get_terminal_size
from typing import Protocol

from paxtui.cli.game_arguments import add_game_arguments, named_options, seats_of
from paxtui.cli.runtime import CommandError, need_terminal
from paxtui.cli.start import play_on_screen
from paxtui.engine.log import FIRST_RULEBOOK
from paxtui.engine.refusal import Refusal
from paxtui.session.games import GAME_KINDS, Scenario

NEW_USAGE = """Set up a new game and play it, or only write its log (--file and --no-play).

examples:
  paxtui new                                    seven players, default options
  paxtui new --players 4 --seed 7               four players, known dice
  paxtui new --bot france --empty japan         a bot for France; Japan does not act
  paxtui new --bot italy=caretaker              a bot that only keeps what Italy has
  paxtui new --bot italy=statesman:hard:bold    a bot that plays to win, with level and temperament
  paxtui new --watch                            watch seven bots play, at any speed
  paxtui new --option fiji_south_pacific=yes    set an option
  paxtui new --position puzzle.toml             start from a changed 1880 position
  paxtui new --scenario evening                 four Game Turns, see docs/scenarios.md
  paxtui new --scenario my.toml --bot france    a scenario of your own
  paxtui new --file my.jsonl --no-play          write the log and stop
  paxtui new --plain                            text dialog, also through pipes
  paxtui new --game empires --scenario channel-1805 --bot france --bot spain
                                                an exercise of Empires in Arms, see docs/empires.md
"""

PLAY_USAGE = """Continue a saved game.

examples:
  paxtui play                          continue the last game
  paxtui play ~/game.jsonl             continue this game
  paxtui play theirs.jsonl --replay    replay from the first line, read-only
"""

TUTORIAL_USAGE = """Learn the game by playing a first turn or a War, with a prompt for every step.

examples:
  paxtui tutorial                      first turn, about ten minutes; q leaves at any time
  paxtui tutorial war                  second lesson: a War of two cycles
  paxtui tutorial ulm                  third lesson: the campaign of 1805 of Empires in Arms
"""


BOT_NAMES = ("steady", "caretaker", "statesman")
"""Names of the bots, as in `paxtui.bots.pax.registry`, whose import is slow."""


WATCHED_BOT = "statesman"
"""The bot at each seat of a watched game, if the game has it."""


def new_arguments(part: argparse.ArgumentParser) -> None:
    add_game_arguments(part)
    part.add_argument("--players", type=int, metavar="N", help="4 to 8 (default 7)")
    part.add_argument("--seed", default="", help="seed of the dice (default: random)")
    bots = f"give this seat to a bot: {' or '.join(BOT_NAMES)} (default {BOT_NAMES[0]})"
    part.add_argument("--bot", action="append", default=[], metavar="POWER[=BOT]", help=bots)
    part.add_argument("--watch", action="store_true", help="give all other seats to bots, and watch the game")
    part.add_argument("--empty", action="append", default=[], metavar="POWER", help="leave this seat empty")
    part.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game")
    part.add_argument("--position", metavar="FILE", help="apply this TOML patch to the 1880 position")
    part.add_argument("--file", metavar="FILE", help="path of the log (default: in your saves)")
    part.add_argument("--no-play", action="store_true", help="write the log and stop")
    part.add_argument("--plain", action="store_true", help="text dialog for screen readers, logs and slow links")


def run_new(args: argparse.Namespace) -> int:
    """Create the game, then open it."""
    from paxtui.engine.seating import SeatOccupant
    from paxtui.games.pax.position.writer import read_toml
    from paxtui.session.hosts import new_game
    from paxtui.session.pax_host import PaxHost
    from paxtui.session.storage.log_store import LOG_SUFFIX, save_dir

    kind, scenario = GAME_KINDS[args.game], _scenario_argument(args.game, args.scenario)
    options, seats = named_options(args.option, args.players), seats_of(scenario, args.game, args.players)
    _check_text("--seed", args.seed)
    tables_dir = Path(args.tables) if args.tables else None
    rules, bots = kind.start(scenario.id, tables_dir), kind.bots()
    occupants = {seat: bots.parse_name(bot) for seat, bot in scenario.bots.items()}
    for text in args.bot:
        power, _, bot = text.partition("=")
        try:
            occupants[rules.find_seat(power)] = bots.parse_name(bot or next(iter(bots.names)))
        except ValueError as error:
            raise CommandError(f"--bot {text}: {error}") from None
    occupants |= {rules.find_seat(name): SeatOccupant(by="nobody") for name in args.empty}
    if args.watch:
        occupants = {seat: bots.parse_name(WATCHED_BOT if WATCHED_BOT in bots.names else next(iter(bots.names)))
                     for seat in seats} | occupants  # fmt: skip
    elif set(occupants) >= set(seats):
        raise CommandError("no seat is left for a person; remove one --bot or --empty, or add --watch")
    patch = read_toml(_read_text(Path(args.position))) if args.position else None
    stem = "game" if scenario.id == kind.default else scenario.id
    path = Path(args.file) if args.file else save_dir() / f"{stem}-{secrets.token_hex(3)}{LOG_SUFFIX}"
    if path.suffix != LOG_SUFFIX:
        raise CommandError(f"{path}: the name of a saved game must end in {LOG_SUFFIX}")
    if os.path.lexists(path):
        raise CommandError(f"{path} exists; choose another name, or continue it with 'paxtui play'")
    if not (args.no_play or args.plain):
        need_terminal()
    with new_game(
        args.game, args.seed or secrets.token_hex(8), scenario=args.scenario, seats=seats, options=options, path=path,
        tables_dir=tables_dir, undo="free",
    ) as table:  # fmt: skip
        try:
            if patch is not None:
                if not isinstance(table, PaxHost):
                    raise CommandError("--position is for Pax Britannica only")
                table.set_position(patch)
            if occupants:
                table.seat(occupants)
        except (Refusal, CommandError):
            path.unlink()
            raise
    if args.no_play:
        print(path)
        return 0
    return PLAYERS[args.game](path, replay=False, plain=args.plain, command="new")


def _scenario_argument(game: str, name: str) -> Scenario:
    """Return the scenario of `--scenario`; some games need one. Raises: CommandError, TableError."""
    kind = GAME_KINDS[game]
    wanted = name or kind.default
    scenario = kind.find(wanted) if wanted else None
    if scenario is None:
        raise CommandError(f"--scenario takes one of: {', '.join(one.id for one in kind.scenarios())}")
    return scenario


def _check_text(name: str, value: str) -> None:
    """Raise CommandError if an argument is not valid text."""
    try:
        value.encode()
    except UnicodeEncodeError:
        raise CommandError(f"{name} contains bytes that are not text") from None


def _read_text(path: Path) -> str:
    """Read a text file. Raises: CommandError, OSError."""
    from paxtui.session.storage.files import read_regular

    try:
        return read_regular(path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise CommandError(f"{path} is not UTF-8 (byte {error.start + 1})") from None


def play_arguments(part: argparse.ArgumentParser) -> None:
    part.add_argument("file", nargs="?", metavar="FILE", help="a saved game (default: the last one)")
    part.add_argument("--replay", action="store_true", help="open read-only, without a lock")
    part.add_argument("--plain", action="store_true", help="text dialog for screen readers, logs and slow links")


def run_play(args: argparse.Namespace) -> int:
    """Open the game; report a broken log before the screen opens."""
    from paxtui.engine.log import BrokenLog
    from paxtui.session.storage.log_store import rulebook_of, save_dir
    from paxtui.session.storage.saved_games import list_games, sort_latest_first

    if args.file:
        path = Path(args.file)
    else:
        games = list_games(save_dir())
        if not games:
            raise CommandError("no saved games; start one with 'paxtui new'")
        path = sort_latest_first(games)[0].path
    play = PLAYERS.get(rulebook := rulebook_of(path))
    if play is None:
        raise BrokenLog(1, f"unknown game '{rulebook}'; paxtui plays {', '.join(PLAYERS)}")
    return play(path, replay=args.replay, plain=args.plain, command="play")


class PlayFile(Protocol):
    """Plays a saved game on the screen or line by line, and returns the exit code."""

    def __call__(self, path: Path, *, replay: bool, plain: bool, command: str) -> int: ...


def _play_pax(path: Path, *, replay: bool, plain: bool, command: str) -> int:
    """Play a game of Pax Britannica."""
    from paxtui.session.pax_host import PaxHost
    from paxtui.session.storage.files import open_regular

    if plain:
        from paxtui.cli.plain.repl import run_game

        return run_game(path, replay=replay)
    os.close(open_regular(path))  # report a wrong path before a missing terminal
    need_terminal()
    if replay:
        return play_on_screen(command, replay=path)
    with PaxHost.open(path) as table:
        return play_on_screen(command, table)


def _play_exercise(path: Path, *, replay: bool, plain: bool, command: str) -> int:
    """Continue an exercise, or only display it; return the exit code. Raises: as `open_game`."""
    from paxtui.cli.exercise_repl import run_exercise_repl
    from paxtui.cli.plain.prompts import Curtain
    from paxtui.session.exercise_session import ExerciseSession
    from paxtui.session.hosts import open_game

    if not plain:
        need_terminal()
    with open_game(path, write=not replay) as table:
        session = ExerciseSession(table, replay)
        if plain:
            at_terminal = sys.stdin.isatty() and sys.stdout.isatty()
            curtain = Curtain(lambda: get_terminal_size().lines) if at_terminal else None
            return run_exercise_repl(session, sys.stdin, sys.stdout, curtain)
        from paxtui.tui.exercise.screen import ExerciseScreen

        return play_on_screen(command, only=lambda: ExerciseScreen(session))


PLAYERS: dict[str, PlayFile] = {FIRST_RULEBOOK: _play_pax, "empires": _play_exercise}
"""How a game of each rulebook is played in the terminal."""


def tutorial_arguments(part: argparse.ArgumentParser) -> None:
    lessons = "turn", "war", "ulm"
    part.add_argument("lesson", nargs="?", choices=lessons, default="turn", help="which lesson (default: turn)")


def run_tutorial(args: argparse.Namespace) -> int:
    """Open the tutorial; report errors before the screen opens."""
    lesson = "tutorial" if args.lesson == "turn" else args.lesson
    return play_on_screen(
        "tutorial", tables_dir=Path(args.tables) if args.tables else None, tutorial=True, lesson=lesson
    )
