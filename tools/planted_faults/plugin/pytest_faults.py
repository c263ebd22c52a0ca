"""A pytest plugin for runs in the copy: who executes what, how long each test takes, and which test fails first.

`--faults-record DIR` records a coverage context and the seconds of each test; `--faults-over DIR...` says of what, and
`--faults-later MARKER...` which markers to note.
`--faults-seconds N` ends a test that takes longer. `--faults-failed FILE` gets the names of the tests that fail.
"""

from __future__ import annotations

import json
import os
import signal
from collections import defaultdict
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest


class TooLong(Exception):
    """A test has taken longer than it may."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("faults")
    group.addoption("--faults-record", metavar="DIR")
    group.addoption("--faults-over", action="append", default=[], metavar="DIR")
    group.addoption("--faults-later", action="append", default=[], metavar="MARKER")
    group.addoption("--faults-seconds", type=float, default=0.0, metavar="N")
    group.addoption("--faults-failed", metavar="FILE")


def pytest_configure(config: pytest.Config) -> None:
    if directory := config.getoption("--faults-record"):
        worker = getattr(config, "workerinput", {}).get("workerid", "main")
        over, later = config.getoption("--faults-over"), config.getoption("--faults-later")
        config.pluginmanager.register(Recorder(Path(directory), over, later, worker))
    if seconds := config.getoption("--faults-seconds"):
        config.pluginmanager.register(Limit(seconds))
    if (path := config.getoption("--faults-failed")) and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Failures(Path(path)))


class Recorder:
    """Coverage of some directories, each test a context of its own. The seconds of each test, and which are marked."""

    def __init__(self, directory: Path, over: list[str], later: list[str], worker: str) -> None:
        from coverage import Coverage

        self.markers = set(later)
        self.later: list[str] = []
        self.times: dict[str, float] = defaultdict(float)
        self.path = directory / f"seconds.{worker}.json"
        data = str(directory / f"coverage.{worker}")
        self.coverage = Coverage(data_file=data, source=over, config_file=False, messages=False)
        self.coverage.start()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        self.coverage.switch_context(item.nodeid)
        if self.markers & {marker.name for marker in item.iter_markers()}:
            self.later.append(item.nodeid)
        try:
            return (yield)
        finally:
            self.coverage.switch_context("")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.times[report.nodeid] += report.duration

    def pytest_unconfigure(self) -> None:
        self.coverage.stop()
        self.coverage.save()
        self.path.write_text(json.dumps({"seconds": self.times, "later": self.later}), "utf-8")


class Limit:
    """Neither a test nor the fixtures made for it take longer than so many seconds."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    @contextmanager
    def limited(self, item: pytest.Item) -> Iterator[None]:
        def over(*_: Any) -> None:
            raise TooLong(f"{item.nodeid} takes longer than {self.seconds:g} seconds")

        before = signal.signal(signal.SIGALRM, over)
        signal.setitimer(signal.ITIMER_REAL, self.seconds, 1.0)  # once more each second, for code that swallows it
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, None, None]:
        with self.limited(item):
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, None, None]:
        with self.limited(item):
            return (yield)


class Failures:
    """Writes down each test, or module, that fails, as soon as it does."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def note(self, nodeid: str) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(nodeid + "\n")
            file.flush()
            os.fsync(file.fileno())

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.note(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.note(report.nodeid or "collection")
