"""A client at the keyboard does without OpenSSL; everything else has it."""

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
"""Runs a command; prints its exit code, what of OpenSSL it has brought in, a digest, whether it can be had later."""


def said(*words: str) -> list[str]:
    """What `AFTER` prints of a command."""
    done = subprocess.run([sys.executable, "-c", AFTER, *words], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[-1].split()


@pytest.mark.parametrize("command", ["play", "verify"])
def test_only_a_client_at_the_keyboard_does_without_openssl(command: str, tmp_path: Path) -> None:
    loaded = [] if command == "play" else ["_hashlib", "_ssl", "ssl"]
    digest = hashlib.sha256(b"chain").hexdigest()
    assert said(command, str(tmp_path / "nowhere.jsonl")) == ["2", *loaded, digest, "True"]


def test_what_only_some_games_need_is_not_there_from_the_first() -> None:
    """A screen carries no bot: statesmen think in a process of their own, the others come when they first do."""
    asked = "import sys, paxtui.tui.app; print(*sorted(m for m in sys.modules if m.startswith('paxtui.')))"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    carried = set(done.stdout.split())
    assert "paxtui.tui.app" in carried
    assert not any(name.startswith("paxtui.bots") for name in carried), carried
