"""Table talk, told in lines."""

from __future__ import annotations

from paxtui.cli.plain.told.text import spoken
from paxtui.pax.words.spoken import power_name
from paxtui.pax.words.table_talk import Spoken
from paxtui.table.desk.read_talk import mark_heard, unheard
from paxtui.table.session import Session

MOST = 20
"""Lines that are told at once."""


def heard(session: Session) -> list[str]:
    """What others have said since it was told last."""
    found = [_line(session, line) for line in unheard(session)[-MOST:]]
    if found:
        mark_heard(session)
    return found


def show_talk(session: Session) -> list[str]:
    """What was said last."""
    mark_heard(session)
    return [_line(session, line) for line in session.talk[-MOST:]] or ["Nobody has said anything yet."]


def _line(session: Session, line: Spoken) -> str:
    seat = power_name(session.tables, line.seat) if line.seat in session.tables.powers else line.seat.title()
    name = f", {line.name}," if line.name else ""
    return f"{seat}{name} says: {spoken(line.text)}"
