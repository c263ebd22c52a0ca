"""Which dispatches the seat at the keyboard has seen, kept in a file of the player's own."""

from __future__ import annotations

from contextlib import suppress

from paxtui.pax.position.position_text import toml_value
from paxtui.table.disk.own_files import config_file, read_toml, write_file
from paxtui.table.session import Session

READ_FILE = "dispatches-read.toml"


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
