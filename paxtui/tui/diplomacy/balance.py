"""What an agreement or an answer changes, now and then: the markers of Areas, and figures of the Record Sheet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.text import Text

from paxtui.pax.board.status import at
from paxtui.pax.board.tables import Tables
from paxtui.pax.diplomacy.peace import with_a_voice
from paxtui.pax.reports.page import BAD, GOOD
from paxtui.pax.reports.war import peace_outcome
from paxtui.pax.reports.war.peace_outcome import Outcome
from paxtui.pax.reports.war.shares import Figure
from paxtui.pax.state.model import State
from paxtui.pax.state.war import War
from paxtui.pax.words.spoken import place_name, power_name
from paxtui.table.session import Session
from paxtui.tui.writing.look import GAIN, LOSS, Look
from paxtui.tui.writing.wrapping import hanging

NAME, FIELD = 27, 14
"""Cells of what a row is about, and of what it is now."""


def now_and_then(tables: Tables, look: Look, areas: Sequence[str], now: State, then: State) -> Text:
    """The established markers of Areas now and then, a row each under a heading.

    Args: the tables; the colours; the Areas; both positions.
    """
    out = Text()
    out.append(f"{'':<{NAME}}{'now':<{FIELD}}then\n", look.faint)
    for area in areas:
        out.append(f"{place_name(tables, area):<{NAME}}"[:NAME], "bold")
        first, last = (markers(tables, look, state, area) for state in (now, then))
        out.append_text(first)
        out.append(" " * max(1, FIELD - first.cell_len))
        out.append_text(last)
        out.append("\n")
    return out


def markers(tables: Tables, look: Look, state: State, area: str) -> Text:
    """The established markers of an Area."""
    out = Text()
    for m in at(state, area).markers:
        if m.established:
            out.append_text(look.text(look.marker(tables, m.power, m.marker), " "))
    return out or Text("nobody's", look.faint)


def figure_row(look: Look, figure: Figure) -> Text:
    """A figure now and then."""
    change = figure.after - figure.before
    out = Text(f"{figure.what:<{NAME}}{figure.before:<{FIELD}}", "" if change else look.faint)
    if not change:
        return out.append(f"{figure.after}\n", look.faint)
    good = (change > 0) == figure.more_is_better
    sign = GAIN if change > 0 else LOSS
    return out.append(f"{figure.after}  {sign}{abs(change)}\n", look.good if good else look.alarm)

def of_peace(session: Session, look: Look, power: str, war: War, found: Outcome, room: int) -> Text:
    """What a peace would bring: the War, what goes back, tensions, markers now and then, figures of each party.

    Args: the open game; the colours; whose eyes look; the War; the outcome; cells of a row.
    """
    tables, state = session.tables, session.live
    styles = {GOOD: look.good, BAD: look.alarm}
    out = Text()
    for line in peace_outcome.told(tables, power, state, war, found):
        out.append_text(hanging(Text(f"• {line.text}", styles.get(line.tone, "")), room, 2))
        out.append("\n")
    if found.refusal is not None:
        out.rstrip()
        return look.signs(out)
    out.append("\n")
    if found.areas:
        out.append_text(now_and_then(tables, look, found.areas, state, found.state))
    parties: Iterable[str] = (power, *(p for p in with_a_voice(tables, state, war) if p != power))
    for figure in peace_outcome.figures(tables, tuple(parties), state, found):
        if figure.before != figure.after or figure.what.startswith(power_name(tables, power)):
            out.append_text(figure_row(look, figure))
    out.rstrip()
    return look.signs(out)
