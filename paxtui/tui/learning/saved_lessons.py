"""Saved games of the two lessons: which of them are unfinished.

The start screen lists them, so this module imports nothing that plays a game.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from paxtui.table.disk.store import SUFFIX as LOG
from paxtui.table.disk.store import save_dir
from paxtui.table.games.beside import SUFFIX, Beside, read_beside

TURN, WAR = "tutorial", "war"
"""The lessons: a first turn, and a War."""

def lessons_under_way(name: str = TURN) -> Iterator[Path]:
    """Yield the unfinished games of a lesson, the latest first."""
    found = []
    for notes in save_dir().glob("*" + SUFFIX):
        log = notes.with_name(notes.name.removesuffix(SUFFIX) + LOG)
        beside = read_beside(log, "")
        if is_lesson(beside) and (beside.lesson or TURN) == name and log.is_file():
            found.append((log.stat().st_mtime, log))
    yield from (log for _, log in sorted(found, reverse=True))


def is_lesson(beside: Beside) -> bool:
    """Return whether these notes belong to an unfinished lesson."""
    return bool(beside.step) and not beside.learned
