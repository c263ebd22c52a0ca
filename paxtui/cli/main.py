"""The command `paxtui`: one small module per subcommand, imported only when it is called."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence

from paxtui import __version__

COMMANDS = {
    "new": "set up a new game and play it",
    "play": "continue a saved game",
    "tutorial": "learn the game by playing a first turn",
    "show": "print any moment of a saved game",
    "picture": "draw the world of a saved game: svg, png, text",
    "verify": "check a saved game: its chain, and every act against today's rules",
    "rules": "read and search the rules",
    "engine": "speak the engine protocol on stdin and stdout",
    "keys": "list every key, or write the file that changes them",
    "bench": "measure speed and size",
}

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


def parser(command: str = "") -> argparse.ArgumentParser:
    """The parser of `paxtui`, with the arguments of `command` only (the others are not imported)."""
    top = argparse.ArgumentParser(
        prog="paxtui", description=ABOUT, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    top.add_argument("--version", action="version", version=f"paxtui {__version__}")
    top.add_argument("--tables", metavar="DIR", help="files in DIR replace shipped tables of the same name")
    sub = top.add_subparsers(dest="command", metavar="COMMAND")
    for name, help_ in COMMANDS.items():
        module = importlib.import_module(f"paxtui.cli.{name}") if name == command else None
        doc = module.__doc__ if module else None
        part = sub.add_parser(
            name, help=help_, description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        if module is not None:
            part.add_argument("--tables", metavar="DIR", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
            module.arguments(part)
            part.set_defaults(run=module.run)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; its exit code (2 for bad input)."""
    words = list(sys.argv[1:] if argv is None else argv)
    command = next((w for w in words if w in COMMANDS), "")
    args = parser(command).parse_args(words)
    try:
        if not args.command:
            from paxtui.cli import start

            return start.run(args)
        return int(args.run(args) or 0)
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        from paxtui.cli.faults import explain

        text = explain(error)
        if text is None:
            raise
        print(f"paxtui: {text}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
