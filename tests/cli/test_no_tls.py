"""A local game is played without OpenSSL; all other commands load it."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

AFTER = """
import sys
from paxtui.cli.main import main
code = main(sys.argv[1:])
import asyncio, hashlib, hmac
loaded = sorted({"ssl", "_ssl", "_hashlib"} & set(sys.modules))
import ssl
print(code, *loaded, hashlib.sha256(b"chain").hexdigest(), ssl.OPENSSL_VERSION_INFO[0] > 0)
"""
"""Runs a command; prints its exit code, the loaded modules of OpenSSL, a digest, and whether ssl works afterwards."""


def run_command(*words: str) -> list[str]:
    """Return what `AFTER` prints for a command."""
    done = subprocess.run([sys.executable, "-c", AFTER, *words], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[-1].split()


@pytest.mark.parametrize("command", ["play", "verify"])
def test_only_play_does_not_load_openssl(command: str, tmp_path: Path) -> None:
    loaded = [] if command == "play" else ["_hashlib", "_ssl", "ssl"]
    digest = hashlib.sha256(b"chain").hexdigest()
    assert run_command(command, str(tmp_path / "nowhere.jsonl")) == ["2", *loaded, digest, "True"]


def test_screen_loads_no_bots() -> None:
    """A screen loads no bot: statesmen run in their own process, other bots are loaded at their first act."""
    code = "import sys, paxtui.tui.app; print(*sorted(m for m in sys.modules if m.startswith('paxtui.')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "paxtui.tui.app" in loaded
    assert not any(name.startswith("paxtui.bots") for name in loaded), loaded
