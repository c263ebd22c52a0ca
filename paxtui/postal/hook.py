"""A command of the gamemaster's own that is told of what happens: a form has come, reports have gone out."""

from __future__ import annotations

import os
import shlex
import subprocess

WAIT = 60
"""Seconds after which the command is ended."""


def tell(command: str, event: str, told: dict[str, str]) -> str:
    """Run the command. What it prints is not looked at; nothing secret is told to it.

    Args: it, "" for none; what has happened (`arrived`, `refused`, `sent`); names and values for its environment.
    Returns: what has gone wrong, in a sentence; "" where nothing has.
    """
    if not command:
        return ""
    names = {f"PAXTUI_{name.upper()}": value for name, value in {"event": event, **told}.items()}
    try:
        words = shlex.split(command)
        done = subprocess.run(
            words, env={**os.environ, **names}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, timeout=WAIT, check=False,
        )  # fmt: skip
    except (OSError, ValueError, IndexError) as error:
        return f"The hook could not be run: {error}."
    except subprocess.TimeoutExpired:
        return f"The hook was ended after {WAIT} seconds."
    return f"The hook ended with {done.returncode}." if done.returncode else ""
