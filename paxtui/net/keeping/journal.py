"""The journal of a house: what happened, a line of JSON each; no order, no word of a player's, no key, no code."""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from paxtui.table.disk.files import append_private

LARGEST = 8 * 1024 * 1024
"""Bytes of the file, after which it is put aside and begun anew; one old one is kept."""


class Journal:
    """The journal.

    Args:
        path: its file; None for nothing kept.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path

    def note(self, event: str, **about: str | int | float) -> None:
        """Note something down. What cannot be written is lost: the games come first."""
        if self._path is None:
            return
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        line = {"time": now, "event": event, "pid": os.getpid(), **about}
        with suppress(OSError):
            if self._path.exists() and self._path.stat().st_size > LARGEST:
                os.replace(self._path, self._path.with_suffix(".old"))
            append_private(self._path, msgspec.json.encode(line) + b"\n")
