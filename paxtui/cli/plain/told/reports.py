"""The reports of the game, read out: pages that a seat has not heard yet, and what waits for it."""

from __future__ import annotations

from collections.abc import Iterable

from paxtui.cli.plain.told.text import spoken
from paxtui.pax.reports.must_do import QUESTION, in_force
from paxtui.pax.reports.page import Page
from paxtui.pax.reports.plain import must_do_lines, page_lines
from paxtui.table.desk.tasks import asked_again, tasks
from paxtui.table.session import Session


def read_out(session: Session, pages: Iterable[Page]) -> list[str]:
    """Pages in lines without signs."""
    return [spoken(line) for page in pages for line in page_lines(session.tables, page)]


def waits(session: Session) -> list[str]:
    """What waits for the seat besides questions, garrisons and what bars it from being ready, which are said anyway."""
    known = (m for m in tasks(session) if not m.bars and m.where != QUESTION and "STA-037" not in m.rules)
    return [spoken(line) for line in must_do_lines(known)]


def reminders(session: Session) -> list[str]:
    """Why the seat is asked once more, and the events in force that concern it."""
    again = asked_again(session)
    events = in_force(session.tables, session.live, session.seat)
    return [spoken(line) for line in ([again] if again else []) + [f"Event in force: {event}" for event in events]]
