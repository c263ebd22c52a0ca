"""Which dispatches the seat at the keyboard has seen."""

from __future__ import annotations

from paxtui.table.desk.read_marks import keep_mark, read_mark
from paxtui.table.session import Session

READ_FILE = "dispatches-read.toml"


def read_until(session: Session) -> int:
    """The last line of the seat's log whose dispatches it has seen."""
    return read_mark(READ_FILE, session)


def unread(session: Session) -> int:
    """How many dispatches to the seat it has not seen."""
    letters = [d for d in session.dispatches() if d.sender != session.seat]
    if not letters:
        return 0
    mark = read_until(session)
    return sum(1 for d in letters if d.line > mark)


def mark_read(session: Session, line: int) -> None:
    """Remember that everything up to a line of the seat's log has been seen."""
    keep_mark(READ_FILE, session, line)
