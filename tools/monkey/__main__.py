"""`python -m tools.monkey`: let a monkey type, and say what it found."""

from __future__ import annotations

import argparse
import gc
import os
import sys
import traceback
from time import monotonic

from paxtui.cli.main import GARBAGE
from tools.monkey.run import LENGTH, once, rounds

os.environ.setdefault("TEXTUAL_FPS", "20000")  # a frame is drawn as soon as there is one; read when Textual is imported


TOLD = 5000
"""Keys after which it says how far it is."""


def main() -> int:
    """Run it; 1 where something was found."""
    parser = argparse.ArgumentParser(prog="python -m tools.monkey")
    parser.add_argument("--keys", type=int, default=20000, help="how many keys at least")
    parser.add_argument("--seed", type=int, default=1, help="where the row of visits begins")
    parser.add_argument("--visit", help="one visit again, by the name that was printed: movement-1-0")
    parser.add_argument("--pty", action="store_true", help="the real program on a pseudo-terminal")
    parser.add_argument("--go-on", action="store_true", help="do not stop at the first fault")
    args = parser.parse_args()
    # the program does the same when it begins, and when it has drawn its first frame
    gc.set_threshold(*GARBAGE)
    gc.collect()
    gc.freeze()
    faults = keys = dropped = told = 0
    screens: set[str] = set()
    begun = monotonic()
    for name in [args.visit] if args.visit else rounds(args.seed):
        if keys >= args.keys:
            break
        try:
            result = once(name, pty=args.pty)
        except Exception:
            faults += 1
            print(f"\n--- {name} ---\n{traceback.format_exc()}", flush=True)
            print(f"again: python -m tools.monkey --visit {name}{' --pty' if args.pty else ''}", flush=True)
            if not args.go_on:
                return 1
        else:
            # what a visit leaves would be looked for too seldom, and ten thousand keys fill half a gigabyte
            gc.collect()
            keys += len(result.heard) + result.dropped
            dropped += result.dropped
            screens |= result.screens
            if keys // TOLD > told:
                told = keys // TOLD
                print(f"{keys} keys, {dropped} of them thrown away, {faults} faults", flush=True)
    spent = monotonic() - begun
    print(f"{keys} keys heard or thrown away ({dropped}), {faults} faults, {spent:.0f} s, visits of {LENGTH}")
    print(f"screens met: {' '.join(sorted(screens))}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
