"""The small files of a player's own: TOML in the directory of the settings, and which dispatches have been read."""

from __future__ import annotations

import tomllib
from contextlib import suppress
from pathlib import Path
from typing import Any

from paxtui.pax.position.position_text import toml_value
from paxtui.table.files import read_regular, write_named
from paxtui.table.resources import player_config
from paxtui.table.session import Session

LARGEST, MOST_DOTS = 64 * 1024, 100
"""Bytes of such a file, and dots in one of its lines."""

READ_FILE = "dispatches-read.toml"


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


# --- dispatches -------------------------------------------------------------------------------------------------------


def read_until(session: Session) -> int:
    """The last line of the seat's log whose dispatches it has seen."""
    mark = read_toml(config_file(READ_FILE)).get(_key(session))
    return mark if isinstance(mark, int) else 0


def unread(session: Session) -> int:
    """How many dispatches to the seat it has not seen."""
    letters = [d for d in session.dispatches() if d.sender != session.seat]
    if not letters:
        return 0
    mark = read_until(session)
    return sum(1 for d in letters if d.line > mark)


def mark_read(session: Session, line: int) -> None:
    """Remember that everything up to a line of the seat's log has been seen."""
    known = {k: v for k, v in read_toml(config_file(READ_FILE)).items() if isinstance(v, int)}
    if known.get(_key(session), 0) >= line:
        return
    known[_key(session)] = line
    # a mark that cannot be kept is not worth a message
    with suppress(OSError):
        write_file(config_file(READ_FILE), "".join(f"{toml_value(k)} = {v}\n" for k, v in known.items()))


def _key(session: Session) -> str:
    return f"{session.about.game}:{session.seat}"
