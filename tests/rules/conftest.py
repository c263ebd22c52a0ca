"""What every test of a rule is held against besides what it asks for: the lines of `said/`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.rules import harness
from tests.rules.said import known


@pytest.fixture(autouse=True)
def looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the bench look up every event and refusal."""
    monkeypatch.setattr(harness, "HEARD", (known.heard, known.refused))


def pytest_sessionfinish() -> None:
    """While lines are recorded, write down those that this process has heard."""
    if directory := os.environ.get(known.WRITES):
        known.write_down(Path(directory))
