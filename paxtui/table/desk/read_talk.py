"""Which table talk the player has seen."""

from __future__ import annotations

from paxtui.pax.words.table_talk import Spoken
from paxtui.table.desk.read_marks import keep_mark, read_mark
from paxtui.table.session import Session

READ_FILE = "talk-read.toml"


def unheard(session: Session) -> list[Spoken]:
    """What others have said at the table since the player looked last."""
    lines = session.talk
    if not lines:
        return []
    mark = read_mark(READ_FILE, session)
    return [line for line in lines if line.n > mark and line.seat != session.eyes]


def mark_heard(session: Session) -> None:
    """Remember that everything said so far has been seen."""
    if session.talk:
        keep_mark(READ_FILE, session, session.talk[-1].n)
