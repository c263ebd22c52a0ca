"""Optional dependencies, and the command that installs them."""

from __future__ import annotations

import os
import shlex
import sys
from importlib.metadata import PackageNotFoundError, requires


class MissingExtra(Exception):
    """An optional dependency is missing. The message says what needs it and how to install it."""


def install_command(extra: str) -> str:
    """Return the command that installs an extra, for a clone or a wheel.

    Args:
        extra: the extra as in pyproject.toml: `ssh`, `mail`, `picture`, `cluster`.
    """
    try:
        wanted = requires("paxtui") or []
    except PackageNotFoundError:  # run from source, not installed
        wanted = []
    names = [
        name.strip() for name, _, when in (w.partition(";") for w in wanted) if when.split() == _extra_marker(extra)
    ]
    here = os.path.relpath(sys.executable)
    python = here if len(here) < len(sys.executable) else sys.executable
    return shlex.join([python, "-m", "pip", "install", *(names or [f"paxtui[{extra}]"])])


def _extra_marker(extra: str) -> list[str]:
    """Environment marker of the requirements of an extra."""
    return ["extra", "==", f"'{extra}'"]
