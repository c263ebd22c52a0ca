"""What is kept beside a log and never in it: how far a lesson has come, and a reader's notes.

It stands in `NAME.notes.json` next to `NAME.jsonl`; where that folder belongs to somebody else, among the player's own
files. Nothing of it is part of the game: without it the game is the same.
"""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from paxtui.table.disk.files import read_regular, write_named
from paxtui.table.disk.resources import player_data

SUFFIX = ".notes.json"


class Beside(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a game beside its log.

    Attributes:
        game: id of the game that it belongs to.
        step: the step of the tutorial that comes next, "" where the game is no lesson.
        lesson: which lesson it is, "" for the first.
        learned: the tutorial has been played to its last page.
        notes: what a reader has noted down, by the number of the line.
    """

    game: str = ""
    step: str = ""
    lesson: str = ""
    learned: bool = False
    notes: dict[int, str] = {}


def read_beside(log: Path, game: str) -> Beside:
    """What is kept beside a log; empty where nothing is, or what is there belongs to another game.

    Args: the file of the log; the id of its game, "" for whatever is there.
    """
    for path in (beside_path(log), _elsewhere(game)):
        try:
            found = msgspec.json.decode(read_regular(path), type=Beside)
        except (OSError, msgspec.MsgspecError, RecursionError):
            continue
        if game in ("", found.game):
            return found
    return Beside(game=game)


def write_beside(log: Path, beside: Beside) -> Path:
    """Keep it; where.

    Raises: OSError, when neither that folder nor the player's own can be written.
    """
    data = msgspec.json.format(msgspec.json.encode(beside), indent=1) + b"\n"
    path = beside_path(log)
    if os.access(log.parent, os.W_OK):
        write_named(path, data)
        return path
    path = _elsewhere(beside.game)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_named(path, data)
    return path


def beside_path(log: Path) -> Path:
    """The file beside a log."""
    return log.with_name(log.name.removesuffix(".jsonl") + SUFFIX)


def _elsewhere(game: str) -> Path:
    """The file for the notes on a log in a folder that cannot be written."""
    safe = "".join(c for c in game if c.isalnum() or c in "-_")[:64]
    return player_data() / "notes" / f"{safe or 'game'}{SUFFIX}"
