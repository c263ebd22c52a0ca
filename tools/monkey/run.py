"""Run a visit: type its keys at once, type them again slowly, and compare the logs."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import count

from tools.monkey import pty as terminal
from tools.monkey.in_process import Fault, Result, visit
from tools.monkey.typing import Burst, bursts
from tools.monkey.visits import VISITS

LENGTH = 120
"""Keys of a visit."""


def visit_names(seed: int) -> Iterator[str]:
    """Yield the names of the visits of a seed, endlessly. Seeds 1 and 2 begin with different halves of `VISITS`."""
    for n in count((seed - 1) % 2 * (len(VISITS) // 2)):
        yield f"{VISITS[n % len(VISITS)][0]}-{seed}-{n}"


def run_visit(name: str, pty: bool = False) -> Result:
    """Run a visit by its name. Raises: Fault, or any error of the program."""
    place, _, _ = name.rpartition("-")[0].rpartition("-")
    first = next(strokes for what, _, strokes in VISITS if what == place)
    row = [Burst(0.5, (stroke,)) for stroke in first] + bursts(name, LENGTH)
    if pty:
        return terminal.visit(place, row, seed=name)
    fast = asyncio.run(visit(place, row))
    slow = asyncio.run(visit(place, [Burst(0.0, (stroke,)) for stroke in fast.heard], slowly=True))
    if slow.dropped:
        raise Fault(f"{slow.dropped} keys discarded that were typed slowly")
    compare(fast, slow)
    return fast


def compare(fast: Result, slow: Result) -> None:
    """Compare the logs of two visits. Raises: Fault: they differ."""
    if fast.logs.keys() != slow.logs.keys():
        raise Fault(f"other games: {sorted(fast.logs)} and {sorted(slow.logs)}")
    for log, lines in fast.logs.items():
        for n, (one, other) in enumerate(zip(lines, slow.logs[log], strict=False), 1):
            if one != other:
                raise Fault(f"{log} line {n}, typed at once:\n{one}\ntyped slowly:\n{other}")
        if len(lines) != len(slow.logs[log]):
            raise Fault(f"{log}: {len(lines)} lines typed at once, {len(slow.logs[log])} typed slowly")
