"""Which tests execute a line, and how long each of them takes: recorded by one run of those in one process."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import NamedTuple

from coverage import CoverageData

from tools.planted_faults.planting import Fault
from tools.planted_faults.tree_copy import TreeCopy

UNRECORDED = ("tests/tui", "tests/tools", "tests/cli", "tests/server", "tests/bots", "tests/simulation")
"""Tests that start programs, or play whole games. They take most of the time of the suite. The whole suite is tried
against the faults that the recorded tests miss."""
LATER = ("pty", "ssh", "snapshot", "random", "slow")
"""Markers of tests that are not in the quick tier."""
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
LINE, FILE, NOBODY = "line", "file", "nobody"
"""The tests execute the fault's statement; or, as it is run when the file is read, functions of that file; or none."""


class Recording(NamedTuple):
    """Tests that execute something, the quickest first, and what of the fault it is: `LINE`, `FILE` or `NOBODY`."""

    tests: tuple[str, ...]
    by: str


class CoverageMap:
    """A recording of tests.

    Attributes:
        red: tests that fail without any fault; they judge nothing.
        later: tests that are not in the quick tier.
    """

    def __init__(self, directory: Path) -> None:
        self.data = CoverageData(basename=str(directory / "combined"))
        self.data.read()
        kept = json.loads((directory / "kept.json").read_text("utf-8"))
        self.seconds: dict[str, float] = kept["seconds"]
        self.red = frozenset(kept["red"])
        self.later = frozenset(kept["later"])
        self.root = Path(kept["root"])

    def tests_of(self, fault: Fault) -> Recording:
        """The tests that execute a fault's statement, without those that are red anyway."""
        by_line = self.data.contexts_by_lineno(str(self.root / fault.file))
        wanted = range(fault.first, fault.last + 1)
        contexts = {name for line in wanted for name in by_line.get(line, ())}
        # It is run when the file is read, whatever of it is run again by some test, perhaps before the recording.
        if "" in contexts or (not contexts and not in_function(self.root / fault.file, fault.line)):
            tests = {name for names in by_line.values() for name in names} - {""} - self.red
            return Recording(self.quickest_first(tests), FILE) if tests else Recording((), NOBODY)
        tests = contexts - self.red
        return Recording(self.quickest_first(tests), LINE) if tests else Recording((), NOBODY)

    def is_later(self, test: str) -> bool:
        """Whether a test is known not to be in the quick tier, or was not recorded."""
        return test in self.later or test not in self.seconds

    def quickest_first(self, tests: set[str]) -> tuple[str, ...]:
        return tuple(sorted(tests, key=lambda name: (self.seconds.get(name, 0.0), name)))


def record(
    copy: TreeCopy, over: list[str], directory: Path, jobs: int, by: tuple[str, ...] = (), quick: bool = False
) -> None:
    """Run tests once and write into a directory what each executes of the code under some others.

    Args: the copy of the tree; directories of code; where to; processes; `by`: the tests, by default all but
    those `UNRECORDED`; `quick`: of these only the quick tier.
    """
    directory.mkdir(parents=True, exist_ok=True)
    sources = [f"--faults-over={copy.path / place}" for place in over]
    left_out = [] if by else [f"--ignore={place}" for place in UNRECORDED if (copy.path / place).exists()]
    later = [f"--faults-later={marker}" for marker in LATER]
    later += ["-m", f"not ({' or '.join(LATER)})"] if quick else []
    run = copy.pytest(*parallel(jobs), *left_out, f"--faults-record={directory}", *later, *sources, tests=by)
    parts = sorted(directory.glob("coverage.*"))
    combined = CoverageData(basename=str(directory / "combined"))
    seconds: dict[str, float] = {}
    late: set[str] = set()
    for part in parts:
        data = CoverageData(basename=str(part))
        data.read()
        combined.update(data)
        part.unlink()
    combined.write()
    for path in directory.glob("seconds.*.json"):
        found = json.loads(path.read_text("utf-8"))
        late.update(found["later"])
        for name, time in found["seconds"].items():
            seconds[name] = max(time, seconds.get(name, 0.0))
        path.unlink()
    kept = {"seconds": seconds, "red": run.failed, "later": sorted(late), "root": str(copy.path)}
    (directory / "kept.json").write_text(json.dumps(kept), "utf-8")


def parallel(jobs: int) -> list[str]:
    """Arguments of pytest that run tests in so many processes."""
    return ["-n", str(jobs)] if jobs > 1 else []


def in_function(path: Path, line: int) -> bool:
    """Whether a line stands in the body of a function, so that reading the file does not run it."""
    functions = (n for n in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(n, FUNCTIONS))
    return any(f.body[0].lineno <= line <= (f.end_lineno or line) for f in functions)
