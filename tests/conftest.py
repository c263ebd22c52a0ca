"""What tests of several rooms need."""

import signal
from pathlib import Path

import pytest


@pytest.fixture(scope="session", autouse=True)
def signals_as_from_a_shell() -> None:
    """Programs that tests start meet every signal, even where the tests themselves run in the background.

    There SIGINT, and under `nohup` SIGHUP, is ignored, and a program inherits that; a handler it does not inherit.
    """
    for number in (signal.SIGINT, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda *_: None)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory of the player's own, and a screen without animation."""
    monkeypatch.setenv("PAXTUI_HOME", str(tmp_path))
    monkeypatch.setenv("TEXTUAL_ANIMATIONS", "none")
    return tmp_path
