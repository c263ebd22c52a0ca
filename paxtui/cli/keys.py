"""List every key of the screen, or write the file that changes them.

examples:
  paxtui keys                     every binding: its key, its id, what it does
  paxtui keys --write             write your keymap file (what you have changed stays)
  paxtui keys --where             where that file is
"""

from __future__ import annotations

import argparse
import sys


def arguments(part: argparse.ArgumentParser) -> None:
    """The arguments of `keys`."""
    part.add_argument("--write", action="store_true", help="write the keymap file, every binding in it")
    part.add_argument("--where", action="store_true", help="print the path of the keymap file")


def run(args: argparse.Namespace) -> int:
    """List or write."""
    from paxtui.tui.app import all_bindings
    from paxtui.tui.stage import keymap

    path = keymap.keymap_path()
    if args.where:
        print(path)
        return 0
    own, wrong = keymap.load_keymap(all_bindings)
    for fault in wrong:
        print(f"{path}: {fault}", file=sys.stderr)
    if args.write:
        keymap.save_keymap(all_bindings(), own)
        print(path)
        return 0
    where = ""
    for b in all_bindings():
        if b.where != where:
            where = b.where
            print(f"\n{where}")
        key = "  ".join(keymap.words(k) for k in own.get(b.id, b.key).split(","))
        print(f"  {key:<14} {b.id:<20} {b.help}" + (" (changed)" if b.id in own else ""))
    return 0
