"""Games on the main screen."""

from pathlib import Path

import pytest
from textual.notifications import Notification

from paxtui.tui.app import PaxApp
from paxtui.tui.swift import type_ahead
from tests.tui.playing import MOVEMENT, begun, opened


@pytest.fixture(autouse=True)
def quick_eyes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever plays a test has read a card in the moment it is drawn; `test_type_ahead.py` tries slower eyes."""
    monkeypatch.setattr(type_ahead, "SEEN", 0.0)


@pytest.fixture(autouse=True)
def long_notices(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the machine, a notice stands until the next: a test reads it some keys later."""
    monkeypatch.setattr(Notification, "time_left", property(lambda notice: 100 * notice.timeout))


@pytest.fixture
def fresh(home: Path) -> PaxApp:
    """A game in the Movement Phase of 1880, with money."""
    return begun(home, MOVEMENT)


@pytest.fixture
def golden(home: Path) -> PaxApp:
    """The golden game at its end."""
    return opened(home)
