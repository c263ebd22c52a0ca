"""Command line of `tools.monkey`. See the package's docstring."""

from __future__ import annotations

import argparse
import gc
import os
import sys
import traceback
from time import monotonic

from paxtui.cli.main import GARBAGE
from tools.monkey.run import LENGTH, run_visit, visit_names

os.environ.setdefault("TEXTUAL_FPS", "20000")  # draw each frame at once; read when Textual is imported


PROGRESS_KEYS = 5000
"""Keys between two lines of progress."""


def main() -> int:
    """Run visits. 0: no fault; 1: a fault."""
    parser = argparse.ArgumentParser(prog="python -m tools.monkey")
    parser.add_argument("--keys", type=int, default=20000, help="minimum number of keys")
    parser.add_argument("--seed", type=int, default=1, help="seed of the visits")
    parser.add_argument("--visit", help="repeat one visit: movement-1-0")
    parser.add_argument("--pty", action="store_true", help="the real program on a pseudo-terminal")
    parser.add_argument("--go-on", action="store_true", help="do not stop at the first fault")
    args = parser.parse_args()
    # as the program does at its start and after its first frame
    gc.set_threshold(*GARBAGE)
    gc.collect()
    gc.freeze()
    faults = keys = dropped = reported = 0
    screens: set[str] = set()
    begun = monotonic()
    for name in [args.visit] if args.visit else visit_names(args.seed):
        if keys >= args.keys:
            break
        try:
            result = run_visit(name, pty=args.pty)
        except Exception:
            faults += 1
            print(f"\n--- {name} ---\n{traceback.format_exc()}", flush=True)
            print(f"again: python -m tools.monkey --visit {name}{' --pty' if args.pty else ''}", flush=True)
            if not args.go_on:
                return 1
        else:
            # the thresholds are high: without this, ten thousand keys take half a gigabyte
            gc.collect()
            keys += len(result.heard) + result.dropped
            dropped += result.dropped
            screens |= result.screens
            if keys // PROGRESS_KEYS > reported:
                reported = keys // PROGRESS_KEYS
                print(f"{keys} keys, {dropped} discarded, {faults} faults", flush=True)
    spent = monotonic() - begun
    print(f"{keys} keys, {dropped} discarded, {faults} faults, {spent:.0f} s, visits of {LENGTH}")
    print(f"screens: {' '.join(sorted(screens))}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
