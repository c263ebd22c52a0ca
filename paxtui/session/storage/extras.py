"""What an installation lacks for something that not everybody needs, and the command that adds it."""

from __future__ import annotations

import os
import shlex
import sys
from importlib.metadata import PackageNotFoundError, requires


def install_command(extra: str) -> str:
    """The command that installs what an extra asks for, whether paxtui came from a clone or as a wheel.

    Args: the extra, as pyproject.toml has it: `ssh`, `mail`, `picture`, `cluster`.
    """
    try:
        wanted = requires("paxtui") or []
    except PackageNotFoundError:  # run from its source without being installed
        wanted = []
    names = [
        name.strip() for name, _, when in (w.partition(";") for w in wanted) if when.split() == _extra_marker(extra)
    ]
    here = os.path.relpath(sys.executable)
    python = here if len(here) < len(sys.executable) else sys.executable
    return shlex.join([python, "-m", "pip", "install", *(names or [f"paxtui[{extra}]"])])


def _extra_marker(extra: str) -> list[str]:
    """The words by which a requirement says that it is one of an extra."""
    return ["extra", "==", f"'{extra}'"]
