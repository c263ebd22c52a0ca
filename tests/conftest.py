"""What tests of several rooms need."""

from pathlib import Path

import pytest


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory of the player's own, and a screen without animation."""
    monkeypatch.setenv("PAXTUI_HOME", str(tmp_path))
    monkeypatch.setenv("TEXTUAL_ANIMATIONS", "none")
    return tmp_path
