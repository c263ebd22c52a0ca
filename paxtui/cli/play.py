"""The commands `new`, `play` and `tutorial`."""

from __future__ import annotations

import argparse
import os
import secrets
from pathlib import Path
from typing import Protocol

from paxtui.engine.log import FIRST_RULEBOOK
from paxtui.engine.refusal import Refusal
from paxtui.session.games import GAME_KINDS, Scenario

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
    part.add_argument(
        "--game", choices=tuple(GAME_KINDS), default=FIRST_RULEBOOK, help="empires: an exercise (default pax)"
    )
    part.add_argument(
        "--scenario", "--exercise", dest="scenario", default="", metavar="NAME", help="of empires: as channel-1805"
    )
    part.add_argument("--players", type=int, metavar="N", help="4 to 8 (default 7)")
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
    from paxtui.cli.runtime import CommandError, need_terminal
    from paxtui.engine.seating import SeatOccupant
    from paxtui.games.pax.position.writer import read_toml
    from paxtui.session.hosts import new_game
    from paxtui.session.pax_host import PaxHost
    from paxtui.session.storage.log_store import LOG_SUFFIX, save_dir

    kind, scenario = GAME_KINDS[args.game], _scenario_argument(args.game, args.scenario)
    options: dict[str, str] = {}
    for text in args.option:
        name, equals, value = text.partition("=")
        if not equals:
            raise CommandError(f"--option takes NAME=VALUE, not {text!r}")
        options[name.strip()] = value.strip()
    seats = scenario.seats
    if args.players is not None:
        if kind.seats_for is None:
            raise CommandError(f"--players: {scenario.id} is for {', '.join(seats)}")
        if not 4 <= args.players <= 8:
            raise CommandError(f"--players takes 4 to 8, not {args.players}")
        seats = kind.seats_for(args.players)
        if args.players == 8:
            options.setdefault("belgium", "yes")
    _check_text("--seed", args.seed)
    tables_dir = Path(args.tables) if args.tables else None
    rules, bots = kind.start(scenario.id, tables_dir), kind.bots()
    sitters = {}
    for text in args.bot:
        power, _, bot = text.partition("=")
        try:
            sitters[rules.find_seat(power)] = bots.parse_name(bot or next(iter(bots.names)))
        except ValueError as error:
            raise CommandError(f"--bot {text}: {error}") from None
    sitters |= {rules.find_seat(name): SeatOccupant(by="nobody") for name in args.empty}
    if set(sitters) >= set(seats):
        raise CommandError("somebody has to play: leave a seat without --bot and --empty")
    patch = read_toml(_read_text(Path(args.position))) if args.position else None
    stem = "game" if len(kind.scenarios()) == 1 else scenario.id
    path = Path(args.file) if args.file else save_dir() / f"{stem}-{secrets.token_hex(3)}{LOG_SUFFIX}"
    if path.suffix != LOG_SUFFIX:
        raise CommandError(f"the name of a saved game ends in {LOG_SUFFIX}, and {path} does not")
    if os.path.lexists(path):
        raise CommandError(f"{path} is there already; choose another name, or play it")
    if not (args.no_play or args.plain):
        need_terminal()
    with new_game(
        args.game, args.seed or secrets.token_hex(8), scenario=scenario.id, seats=seats, options=options, path=path,
        tables_dir=tables_dir, undo="free",
    ) as table:  # fmt: skip
        try:
            if patch is not None:
                if not isinstance(table, PaxHost):
                    raise CommandError("--position is for Pax Britannica only")
                table.set_position(patch)
            if sitters:
                table.seat(sitters)
        except (Refusal, CommandError):
            path.unlink()
            raise
    if args.no_play:
        print(path)
        return 0
    return PLAYERS[args.game](path, replay=False, plain=args.plain, command="new")


def _scenario_argument(game: str, name: str) -> Scenario:
    """Return the scenario of `--scenario`; a game with several needs one. Raises: CommandError."""
    from paxtui.cli.runtime import CommandError

    scenarios = {one.id: one for one in GAME_KINDS[game].scenarios()}
    if name not in scenarios and (name or len(scenarios) > 1):
        raise CommandError(f"--scenario takes one of: {', '.join(scenarios)}")
    return scenarios[name] if name else next(iter(scenarios.values()))


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
    from paxtui.cli.runtime import CommandError
    from paxtui.engine.log import BrokenLog
    from paxtui.session.storage.log_store import rulebook_of, save_dir
    from paxtui.session.storage.saved_games import list_games, sort_latest_first

    if args.file:
        path = Path(args.file)
    else:
        games = list_games(save_dir())
        if not games:
            raise CommandError("there is no saved game yet: paxtui new makes one")
        path = sort_latest_first(games)[0].path
    play = PLAYERS.get(rulebook := rulebook_of(path))
    if play is None:
        raise BrokenLog(1, f"it is a game by the rules '{rulebook}', and this program plays {', '.join(PLAYERS)}")
    return play(path, replay=args.replay, plain=args.plain, command="play")


class PlayFile(Protocol):
    """Plays a saved game on the screen or line by line, and returns the exit code."""

    def __call__(self, path: Path, *, replay: bool, plain: bool, command: str) -> int: ...


def _play_pax(path: Path, *, replay: bool, plain: bool, command: str) -> int:
    """Play a game of Pax Britannica."""
    from paxtui.cli.runtime import need_terminal
    from paxtui.cli.start import play_on_screen
    from paxtui.session.pax_host import PaxHost
    from paxtui.session.storage.files import open_regular

    if plain:
        from paxtui.cli.plain.repl import run_game

        return run_game(path, replay=replay)
    os.close(open_regular(path))  # a name that leads nowhere, or to no file, is told before a terminal that is missing
    need_terminal()
    if replay:
        return play_on_screen(command, replay=path)
    with PaxHost.open(path) as table:
        return play_on_screen(command, table)


def _play_exercise(path: Path, *, replay: bool, plain: bool, command: str) -> int:
    """Play an exercise of Empires in Arms."""
    from paxtui.cli.exercise_repl import play_exercise

    return play_exercise(path, replay=replay, plain=plain, command=command)


PLAYERS: dict[str, PlayFile] = {FIRST_RULEBOOK: _play_pax, "empires": _play_exercise}
"""How a game of each rulebook is played in the terminal."""


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
