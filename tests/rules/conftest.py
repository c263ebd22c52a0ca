"""Each test of a rule also compares its texts with the lines of `recorded_texts/`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.rules import harness
from tests.rules.recorded_texts import comparison


@pytest.fixture(autouse=True)
def compare_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the harness look up each event and refusal."""
    monkeypatch.setattr(harness, "LISTENERS", (comparison.check_event, comparison.check_refusal))


def pytest_sessionfinish() -> None:
    """Write the lines of this process while lines are recorded."""
    if directory := os.environ.get(comparison.DIRECTORY_VARIABLE):
        comparison.write_collected(Path(directory))
