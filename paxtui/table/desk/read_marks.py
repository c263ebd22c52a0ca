"""How far the player has read of dispatches and of table talk: a number for each game and seat, in his own files."""

from __future__ import annotations

from contextlib import suppress

from paxtui.engine.toml_text import toml_value
from paxtui.table.disk.own_files import config_file, read_toml, write_file
from paxtui.table.session import Session


def read_mark(file: str, session: Session) -> int:
    """How far the seat has read. Args: the name of the file; the open game."""
    mark = read_toml(config_file(file)).get(_key(session))
    return mark if isinstance(mark, int) else 0


def keep_mark(file: str, session: Session, number: int) -> None:
    """Remember that the seat has read so far; one that cannot be kept is not worth a message."""
    known = {k: v for k, v in read_toml(config_file(file)).items() if isinstance(v, int)}
    if known.get(_key(session), 0) >= number:
        return
    known[_key(session)] = number
    with suppress(OSError):
        write_file(config_file(file), "".join(f"{toml_value(k)} = {v}\n" for k, v in known.items()))


def _key(session: Session) -> str:
    return f"{session.about.game}:{session.seat}"
