"""What catches a fault: the tests that execute its line, and where they see nothing the whole suite."""

from __future__ import annotations

from typing import NamedTuple

from tools.planted_faults.coverage_map import NOBODY, CoverageMap, parallel
from tools.planted_faults.planting import Fault
from tools.planted_faults.tree_copy import TreeCopy

CAUGHT, SURVIVED = "caught", "SURVIVED"
QUICK = "quick tier"
FIRST = 40
"""How many of the tests that execute a line are asked first."""
PATIENCE = 10
"""Times as long as a test of its own a test of the whole suite may take."""


class Verdict(NamedTuple):
    """`result` is `CAUGHT` or `SURVIVED`; `by` the test that caught it, or how many ran the line in vain.

    `tier` is `QUICK` if a test of the quick tier caught it.
    """

    result: str
    by: str
    tier: str = ""


class Trials:
    """Tries faults in a copy of the tree.

    Args: the copy; its recording; seconds a test may take; processes for the whole suite; `quick`: leave that out.
    """

    def __init__(self, copy: TreeCopy, recorded: CoverageMap, seconds: float, jobs: int, quick: bool = False) -> None:
        self.copy, self.recorded, self.seconds, self.jobs, self.quick = copy, recorded, seconds, jobs, quick
        self.green: set[str] = set()

    def tried(self, fault: Fault) -> Verdict:
        """Plant a fault and see what catches it."""
        tests, by = self.recorded.tests_of(fault)
        # what takes half of the time without a fault would seem to catch it on a busy machine
        able = tuple(name for name in tests if self.recorded.seconds.get(name, 0.0) < self.seconds / 2)
        quick = tuple(name for name in able if name not in self.recorded.later)
        later = tuple(name for name in able if name in self.recorded.later)
        # most faults fall at once, and a run of few tests begins sooner
        for some, tier in ((quick[:FIRST], QUICK), (quick[FIRST:], QUICK), (later, "")):
            if some and (judge := self.caught(fault, some, self.seconds)):
                return Verdict(CAUGHT, judge, tier)
        if not self.quick and (judge := self.caught(fault, (), self.seconds * PATIENCE, *parallel(self.jobs))):
            return Verdict(CAUGHT, judge, "" if self.recorded.is_later(judge) else QUICK)
        return Verdict(SURVIVED, "no test runs this line" if by == NOBODY else f"{len(tests)} tests run this {by}")

    def caught(self, fault: Fault, tests: tuple[str, ...], seconds: float, *arguments: str) -> str:
        """The test that catches a fault, of some or of all; one that fails now and then anyway is left out."""
        left_out = set(self.recorded.red)
        while True:
            others = [f"--deselect={name}" for name in sorted(left_out)]
            with self.copy.with_fault(fault):
                run = self.copy.pytest("-x", *arguments, *others, tests=tests, seconds=seconds)
            if judge := self.judge(fault, run.failed):
                return judge
            if set(run.failed) <= left_out:
                return ""
            left_out |= set(run.failed)

    def judge(self, fault: Fault, failed: tuple[str, ...]) -> str:
        """The first of some tests that fails because of the fault: by itself it fails again, and passes without."""
        for name in failed:
            if "::" not in name:  # a module that cannot be read
                return name
            with self.copy.with_fault(fault):
                again = self.copy.pytest(tests=(name,), seconds=self.seconds)
            if again.passed:
                continue
            if name in self.green or self.copy.pytest(tests=(name,)).passed:
                self.green.add(name)
                return name
        return ""
