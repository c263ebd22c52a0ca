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
from paxtui.cli.runtime import EXIT_CRASHED, detach_stdout, explain, report_crash, safe_streams, without_tls

COMMANDS = {
    "new": "set up a new game and play it",
    "play": "continue a saved game",
    "tutorial": "learn the game by playing a first turn",
    "show": "print any moment of a saved game",
    "stats": "the course of a saved game in charts",
    "picture": "draw the world of a saved game: svg, png, text",
    "verify": "check a saved game: its chain, and every act against today's rules",
    "rules": "read and search the rules",
    "simulate": "play whole games of bots without a screen",
    "serve": "keep a table that friends reach with ssh",
    "invite": "offer a seat of a kept table to a friend",
    "join": "sit down at a table of this machine",
    "status": "who is at a kept table, and whom it waits for",
    "terms": "what those may do at a kept table who have no seat there",
    "seat": "who sits where at a kept table: a bot, nobody, the player again",
    "clock": "the clock of a kept table, and its pauses",
    "export": "take a log of a kept table home",
    "postal": "play by mail: begin a game, hand in forms, open them, write reports",
    "players": "everybody with a key at a kept table",
    "backup": "write a whole house into one file",
    "restore": "make a house of a backup",
    "stop": "close a house; everybody is told",
    "engine": "speak the engine protocol on stdin and stdout",
    "keys": "list every key, or write the file that changes them",
}

DEVELOPMENT_COMMANDS = {"bench": "measure speed and size", "fuzz": "search for faults with random games"}
"""Commands of a checkout. Their modules are in `tools/`, which is not installed."""

if (Path(__file__).parents[2] / "tools" / "planted_faults").is_dir():
    COMMANDS |= DEVELOPMENT_COMMANDS

MODULES = {
    "play": "new play tutorial",
    "saved_games": "show verify stats",
    "reference": "rules keys",
    "headless": "simulate engine",
    "picture": "picture",
    "hosting.serve": "serve",
    "hosting.admin": "join invite seat terms clock players status stop",
    "hosting.backup": "backup restore export",
    "mail.commands": "postal",
}
"""The module of each installed command in `paxtui.cli`: it defines NAME_arguments, run_NAME and NAME_USAGE."""

ON_SCREEN = ("", "new", "play", "tutorial")
"""Commands that show a screen."""

GARBAGE = 10_000, 20, 50
"""Thresholds of the garbage collector. With Python's defaults it scans rules, tables and log several times at
start.
"""

ABOUT = """\
Pax Britannica (1985) in the terminal. Without a command the start screen opens.

examples:
  paxtui                              new game or a saved one
  paxtui new --players 4 --seed 7     a four-player game with known dice
  paxtui tutorial                     learn it by playing a first turn
  paxtui play game.jsonl              go on with a saved game
  paxtui show game.jsonl --at 120     the game as it stood after line 120
  paxtui rules garrison               every rule with that word
"""


def parser(command: str = "", alone: bool = False) -> argparse.ArgumentParser:
    """Return the parser of `paxtui`, with the arguments of `command` only (the others are not imported).

    Args: `alone`: leave out the list of commands, when a command is given.
    """
    top = argparse.ArgumentParser(
        prog="paxtui", description=ABOUT, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    top.add_argument("--version", action="version", version=f"paxtui {__version__}")
    tables = "files in DIR replace tables of the same name in a new game (or a set: balanced, first-draft, even-trade)"
    top.add_argument("--tables", metavar="DIR", help=tables)
    sub = top.add_subparsers(dest="command", metavar="COMMAND")
    wanted = {command: COMMANDS[command]} if alone else COMMANDS
    for name, help_ in wanted.items():
        module = _module(name) if name == command else None
        doc = getattr(module, f"{name.upper()}_USAGE") if module else None
        part = sub.add_parser(
            name, help=help_, description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
        )
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
    if not directory.is_dir():  # a saved game has its own: it would not look
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), named)
    return str(directory)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code: 2 for bad input, 70 for an internal error, 128 + n after signal n."""
    gc.set_threshold(*GARBAGE)
    words = list(sys.argv[1:] if argv is None else argv)
    command = next((w for w in words if w in COMMANDS), "")
    if command in ON_SCREEN:
        without_tls()
        gc.disable()  # what is read before the screen opens stays; `outward.screens` turns it on again
    with safe_streams(), ending_on_signals():
        try:
            args = parser(command, alone=words[:1] == [command]).parse_args(words)
            args.tables = _tables(args.tables or "")
            code = int(args.run(args) or 0) if args.command else start.run_start_screen(args)
            sys.stdout.flush()
            return code
        except BrokenPipeError:
            detach_stdout()
            return 128 + signal.SIGPIPE
        except KeyboardInterrupt:
            return 128 + signal.SIGINT
        except Exception as error:
            told = explain(error)
            # What was printed before it comes first, where it can be printed at all.
            try:
                sys.stdout.flush()
            except OSError:
                detach_stdout()
            print(f"paxtui: {told or report_crash(error, command)}", file=sys.stderr)
            return 2 if told else EXIT_CRASHED
        finally:
            gc.enable()


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
