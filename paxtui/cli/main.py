"""The command `paxtui`: dispatch to a subcommand, whose module is imported only when it is called."""

from __future__ import annotations

import argparse
import errno
import gc
import importlib
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import NoReturn

from paxtui import __version__
from paxtui.cli import start
from paxtui.cli.runtime import (
    EXIT_CRASHED,
    detach,
    discard_unwritable_output,
    explain,
    report_crash,
    safe_streams,
    without_tls,
)

COMMANDS = {
    "new": "set up a new game and play it",
    "play": "continue a saved game",
    "tutorial": "learn the game by playing a first turn",
    "show": "print the position of a saved game at any line",
    "stats": "show charts of a saved game",
    "chronicle": "tell a saved game as a newspaper",
    "review": "show what decided a saved game",
    "share": "write a saved game as a page for friends, without secrets",
    "study": "comment a saved game and play on from any line",
    "archive": "find games in folders of saved games, and count openings",
    "puzzles": "solve positions with one clearly best act",
    "picture": "draw the map of a saved game as SVG, PNG or text",
    "verify": "check a saved game: its hash chain, and every action against the rules",
    "rules": "read and search the rules",
    "simulate": "play games between bots without a screen",
    "serve": "start a server that friends reach with SSH",
    "web": "play in a browser on this computer",
    "invite": "print invitation codes for seats of a hosted game",
    "join": "join a hosted game on this computer",
    "status": "show who is connected to a hosted game and who must act",
    "terms": "set what visitors without a seat may do",
    "seat": "give a seat of a hosted game to a bot or a player, or empty it",
    "clock": "set, pause or resume the clock of a hosted game",
    "notify": "test notifications, or set those of a player",
    "export": "save the log of a hosted game as a file",
    "postal": "play by mail: set up a game, submit orders, adjudicate, write reports",
    "players": "list the players of a hosted game and their keys",
    "club": "show ratings, players and seasons of a server",
    "backup": "write all data of a server to one file",
    "restore": "restore a server from a backup",
    "stop": "stop a server and notify its players",
    "store": "copy games and players between a server directory and a database",
    "engine": "answer the engine protocol on stdin and stdout",
    "keys": "list all keys, or write the keymap file",
    "doctor": "check the terminal, optional parts and your files",
    "completion": "let the shell complete the commands",
    "man": "write the man page",
    "desktop": "write an entry for the menu of your desktop",
}

DEVELOPMENT_COMMANDS = {"bench": "measure speed and size", "fuzz": "look for bugs with random games"}
"""Commands of a checkout. Their modules are in `tools/`, which is not installed."""

if (Path(__file__).parents[2] / "tools" / "planted_faults").is_dir():
    COMMANDS |= DEVELOPMENT_COMMANDS

MODULES = {
    "play": "new play tutorial",
    "study": "study",
    "saved_games": "show verify stats chronicle",
    "archive": "archive",
    "reference": "rules keys",
    "headless": "simulate engine",
    "review": "review puzzles",
    "share": "share",
    "picture": "picture",
    "hosting.serve": "serve",
    "hosting.notify": "notify",
    "hosting.web": "web",
    "hosting.admin": "join invite seat terms clock players status stop",
    "hosting.club": "club",
    "hosting.backup": "backup restore export",
    "hosting.store": "store",
    "mail.commands": "postal",
    "installation": "doctor completion man desktop",
}
"""The module of each installed command in `paxtui.cli`: it defines NAME_arguments, run_NAME and NAME_USAGE."""

ON_SCREEN = ("", "new", "play", "study", "tutorial")
"""Commands that show a screen."""

GARBAGE = 10_000, 20, 50
"""Thresholds of the garbage collector. With Python's defaults it scans rules, tables and log several times at
start.
"""

ABOUT = """\
Pax Britannica (1985) in the terminal. Without a command, paxtui opens the start screen.

examples:
  paxtui                              open the start screen
  paxtui new --players 4 --seed 7     play a four-player game with known dice
  paxtui tutorial                     learn the game by playing a first turn
  paxtui play game.jsonl              continue a saved game
  paxtui show game.jsonl --at 120     show the game after line 120
  paxtui rules garrison               find all rules with that word
"""


def parser(command: str = "", alone: bool = False) -> argparse.ArgumentParser:
    """Return the parser of `paxtui`, with the arguments of `command` only (the others are not imported).

    Args: `alone`: leave out the list of commands, when a command is given.
    """
    top = argparse.ArgumentParser(
        prog="paxtui", description=ABOUT, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    top.add_argument("--version", action="version", version=f"paxtui {__version__}")
    tables = (
        "use tables from DIR in a new game instead of the built-in ones, or a set: balanced, first-draft, even-trade"
    )
    top.add_argument("--tables", metavar="DIR", help=tables)
    sub = top.add_subparsers(dest="command", metavar="COMMAND")
    wanted = {command: COMMANDS[command]} if alone else COMMANDS
    for name, help_ in wanted.items():
        module = _module(name) if name == command else None
        doc = getattr(module, f"{name.upper()}_USAGE") if module else None
        part = sub.add_parser(name, help=help_, description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
        if module is not None:
            part.add_argument("--tables", metavar="DIR", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
            getattr(module, f"{name}_arguments")(part)
            part.set_defaults(run=getattr(module, f"run_{name}"))
    return top


def _module(command: str) -> ModuleType:
    if command in DEVELOPMENT_COMMANDS:
        return importlib.import_module(f"tools.{command}.command")
    name = next(name for name, commands in MODULES.items() if command in commands.split())
    return importlib.import_module(f"paxtui.cli.{name}")


def _tables(named: str) -> str:
    """Return the directory of the named tables of a new game, "" for the shipped ones. Raises: NotADirectoryError."""
    from paxtui.session.tables.records import new_game_tables

    directory = new_game_tables(named)
    if directory is None:
        return ""
    if not directory.is_dir():  # saved games bring their own tables and would not report the error
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), named)
    return str(directory)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code: 2 for bad input, 70 for an internal error, 128 + n after signal n."""
    gc.set_threshold(*GARBAGE)
    words = list(sys.argv[1:] if argv is None else argv)
    command = next((w for w in words if w in COMMANDS), "")
    if command in ON_SCREEN:
        without_tls()
        gc.disable()  # objects loaded before the screen opens are permanent; `runtime.run_app` enables it again
    with safe_streams(), ending_on_signals():
        try:
            args = parser(command, alone=words[:1] == [command]).parse_args(words)
            args.tables = _tables(args.tables or "")
            code = int(args.run(args) or 0) if args.command else start.run_start_screen(args)
            sys.stdout.flush()
            return code
        except BrokenPipeError:
            detach(sys.stdout)
            return 128 + signal.SIGPIPE
        except KeyboardInterrupt:
            return 128 + signal.SIGINT
        except Exception as error:
            message = explain(error)
            # Earlier output comes first, if it can still be printed.
            try:
                sys.stdout.flush()
            except OSError:
                detach(sys.stdout)
            print(f"paxtui: {message or report_crash(error, command)}", file=sys.stderr)
            return 2 if message else EXIT_CRASHED
        finally:
            gc.enable()
            discard_unwritable_output()


@contextmanager
def ending_on_signals() -> Iterator[None]:
    """Turn terminating signals into an orderly exit: close files and restore the terminal."""
    ours = [one for one in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(one) is signal.SIG_DFL]
    if threading.current_thread() is not threading.main_thread():
        ours = []
    for one in ours:
        signal.signal(one, _end)
    try:
        yield
    finally:
        for one in ours:
            signal.signal(one, signal.SIG_DFL)


def _end(number: int, frame: object) -> NoReturn:
    raise SystemExit(128 + number)


if __name__ == "__main__":
    sys.exit(main())
