"""Games on the main screen."""

from pathlib import Path

import pytest

from paxtui.tui.app import PaxApp
from tests.tui.playing import MOVEMENT, begun, opened


@pytest.fixture
def fresh(home: Path) -> PaxApp:
    """A game in the Movement Phase of 1880, with money."""
    return begun(home, MOVEMENT)


@pytest.fixture
def golden(home: Path) -> PaxApp:
    """The golden game at its end."""
    return opened(home)
