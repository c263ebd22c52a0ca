"""The rows of the tables the map is drawn from. The only module of the map that opens a file."""

from __future__ import annotations

import csv
from pathlib import Path

from paxtui.table.disk.resources import data_path


def source(name: str) -> Path:
    """The file `name` of the game's data, `map/…` for the map's own."""
    return data_path(name)


def rows(name: str) -> list[dict[str, str]]:
    """The rows of a table, column by column name; lines that start with # are remarks."""
    with source(name).open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(line for line in stream if not line.startswith("#")))
