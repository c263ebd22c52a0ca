"""The small files of a player's own: TOML in the directory of the settings."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from paxtui.table.disk.files import read_regular, write_named
from paxtui.table.disk.resources import player_config

LARGEST, MOST_DOTS = 64 * 1024, 100
"""Bytes of such a file, and dots in one of its lines."""


def config_file(name: str) -> Path:
    """A file of the player's configuration; PAXTUI_HOME moves the directory. Raises: StoreError."""
    return player_config() / name


def read_toml(path: Path) -> dict[str, Any]:
    """A small file of the player's; empty when it is not there, cannot be read, or is none that anybody writes."""
    try:
        data = read_regular(path)
        # Of a name in many parts the library makes a table in a table for each, in more and more time.
        if len(data) > LARGEST or max((line.count(b".") for line in data.splitlines()), default=0) > MOST_DOTS:
            return {}
        return tomllib.loads(data.decode("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}


def write_file(path: Path, text: str) -> None:
    """Write a file of the player's whole or not at all.

    Raises: OSError.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    write_named(path, text.encode())
