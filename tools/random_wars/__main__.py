"""Play Wars at random and print how they ended. See the package's docstring."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from paxtui.games.pax.events.war import END_TEST_NAMES
from tools.random_wars.openings import TURNS, play
from tools.random_wars.warrior import COUNTED

Row = dict[str, Any]


def main(words: list[str] | None = None) -> int:
    """Run the command. 0: no fault; 1: a fault."""
    parser = argparse.ArgumentParser(prog="python -m tools.random_wars", description=__doc__)
    parser.add_argument("--count", type=int, default=100, help="how many")
    parser.add_argument("--first", type=int, default=0, help="seed of the first")
    parser.add_argument("--resume", type=Path, metavar="FILE", help="a line for each War; a broken run goes on")
    args = parser.parse_args(words)
    rows = dict(read_rows(args.resume))
    for seed in range(args.first, args.first + args.count):
        if seed not in rows:
            rows[seed] = play_seed(seed)
            if args.resume:
                with args.resume.open("a") as file:
                    file.write(json.dumps(rows[seed]) + "\n")
    wanted = [rows[seed] for seed in range(args.first, args.first + args.count)]
    print(results_table(wanted))
    return int(any(row["error"] for row in wanted))


def read_rows(path: Path | None) -> Iterator[tuple[int, Row]]:
    """Read the rows of an earlier run, by seed; an incomplete last line is left out."""
    if path is None or not path.exists():
        return
    for line in path.read_text().splitlines():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        yield row["seed"], row


def play_seed(seed: int) -> Row:
    """Play the Wars of a seed; return how they ended, and the fault."""
    row: Row = {"seed": seed, "opening": TURNS[seed % len(TURNS)].__name__, "ends": [], "count": {}, "error": ""}
    began = time.process_time()
    try:
        walk = play(seed)
    except Exception as fault:  # any error is a finding
        row["error"] = f"{type(fault).__name__}: {str(fault)[:500]}"
    else:
        row |= {"ends": walk.ends, "count": dict(walk.count), "acts": walk.acts}
        row["great"] = bool(walk.count["GreatWarBegan"]) or walk.over
    row["seconds"] = round(time.process_time() - began, 3)
    return row


def results_table(rows: list[Row]) -> str:
    """Return how the Wars ended, by opening, and what else happened in how many games."""
    openings = list(dict.fromkeys(row["opening"] for row in rows))
    ends: dict[str, Counter[str]] = {opening: Counter() for opening in openings}
    for row in rows:
        ways = row["ends"] or (["faults"] if row["error"] else ["game over" if row.get("great") else "no War"])
        ends[row["opening"]].update(ways)
    ways = [way for way in (*END_TEST_NAMES, "game over", "no War", "faults") if any(way in n for n in ends.values())]
    head = f"{'':16}" + "".join(f"{way[:12]:>13}" for way in ways) + f"{'all':>6}"
    lines = [head]
    for name, count in (*ends.items(), ("all", sum(ends.values(), Counter()))):
        lines.append(f"{name:16}" + "".join(f"{count[way]:>13}" for way in ways) + f"{count.total():>6}")
    for what in COUNTED:
        times = [row["count"].get(what, 0) for row in rows]
        lines.append(f"{what}: {sum(times)} in {sum(map(bool, times))} games")
    lines += [f"seed {row['seed']} ({row['opening']}): {row['error']}" for row in rows if row["error"]]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
