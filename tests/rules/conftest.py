"""What every test of a rule is held against besides what it asks for: the lines of `said/`."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from tests.rules import harness
from tests.rules.said import known


@pytest.fixture(autouse=True)
def looked_up(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have the bench look up every event and refusal, and at the end how many of each kind have happened."""
    happened = Counter[str]()

    def hear(tables: Tables, event: ev.Event) -> None:
        happened[known.kind_of(event)] += 1
        known.heard(tables, event)

    monkeypatch.setattr(harness, "HEARD", (hear, known.refused))
    yield
    known.happened(request.node.nodeid.removeprefix("tests/rules/"), happened)


def pytest_sessionfinish() -> None:
    """While lines are recorded, write down those that this process has heard."""
    if directory := os.environ.get(known.WRITES):
        known.write_down(Path(directory))
