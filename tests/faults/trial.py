"""What catches a fault: the tests that execute its line, and where they see nothing the whole suite."""

from __future__ import annotations

from typing import NamedTuple

from tests.faults.coverage_map import NOBODY, CoverageMap, parallel
from tests.faults.planting import Fault
from tests.faults.tree_copy import TreeCopy

CAUGHT, SURVIVED = "caught", "SURVIVED"
PATIENCE = 10
"""Times as long as a test of its own a test of the whole suite may take."""


class Verdict(NamedTuple):
    """`result` is `CAUGHT` or `SURVIVED`; `by` the test that caught it, or how many ran the line in vain."""

    result: str
    by: str


class Trials:
    """Tries faults in a copy of the tree.

    Args: the copy; its recording; seconds a test may take; processes for the whole suite.
    """

    def __init__(self, copy: TreeCopy, recorded: CoverageMap, seconds: float, jobs: int) -> None:
        self.copy, self.recorded, self.seconds, self.jobs = copy, recorded, seconds, jobs
        self.green: set[str] = set()

    def tried(self, fault: Fault) -> Verdict:
        """Plant a fault and see what catches it."""
        tests, by = self.recorded.tests_of(fault)
        # what takes half of the time without a fault would seem to catch it on a busy machine
        quick = tuple(name for name in tests if self.recorded.seconds.get(name, 0.0) < self.seconds / 2)
        with self.copy.with_fault(fault):
            run = self.copy.pytest("-x", tests=quick, seconds=self.seconds) if quick else None
        if run and (judge := self.judge(run.failed)):
            return Verdict(CAUGHT, judge)
        with self.copy.with_fault(fault):
            red = [f"--deselect={name}" for name in sorted(self.recorded.red)]
            run = self.copy.pytest("-x", *parallel(self.jobs), *red, seconds=self.seconds * PATIENCE)
        if judge := self.judge(run.failed):
            return Verdict(CAUGHT, judge)
        return Verdict(SURVIVED, "no test runs this line" if by == NOBODY else f"{len(tests)} tests run this {by}")

    def judge(self, failed: tuple[str, ...]) -> str:
        """The first of some tests that fails because of the fault: it passes without."""
        for name in failed:
            if name in self.green or "::" not in name:
                return name
            if name not in self.recorded.red and self.copy.pytest(tests=(name,)).passed:
                self.green.add(name)
                return name
        return ""
