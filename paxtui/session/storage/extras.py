"""Optional dependencies, and the command that installs them."""

from __future__ import annotations

import os
import shlex
import sys
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path


class MissingExtra(Exception):
    """An optional dependency is missing. The message says what needs it and how to install it."""


def install_command(extra: str) -> str:
    """Return the command that installs an extra, for a clone, a wheel, pipx or uv. The last two bring no pip.

    Args:
        extra: the extra as in pyproject.toml: `ssh`, `web`, `mail`, `picture`, `cluster`.
    """
    try:
        wanted = requires("paxtui") or []
    except PackageNotFoundError:  # run from source, not installed
        wanted = []
    split = (each.partition(";") for each in wanted)
    names = [name.strip() for name, _, when in split if when.split() == ["extra", "==", f"'{extra}'"]]
    names = names or [f"paxtui[{extra}]"]
    home = Path(sys.prefix)
    if (home / "pipx_metadata.json").is_file():
        return shlex.join(["pipx", "inject", "paxtui", *names])
    if (home / "uv-receipt.toml").is_file():
        return shlex.join(["uv", "pip", "install", "--python", str(home), *names])
    here = os.path.relpath(sys.executable)
    python = here if len(here) < len(sys.executable) else sys.executable
    return shlex.join([python, "-m", "pip", "install", *names])
