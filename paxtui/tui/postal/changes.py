"""What changes from one position to another: markers and units of Areas, a row each, and the figures of the Powers."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from paxtui.pax.board.status import at
from paxtui.pax.board.tables import Tables
from paxtui.pax.state.model import State
from paxtui.pax.words.spoken import place_name, power_name
from paxtui.tui.writing.look import Look, pounds

NAME, FIELD = 24, 18
"""Cells of what a row is about, and of what it was before."""


def changes(tables: Tables, look: Look, before: State, after: State, areas: Sequence[str]) -> Text:
    """What stands in Areas before and after, a row each under a heading."""
    out = Text()
    out.append(f"{'':<{NAME}}{'now':<{FIELD}}then\n", look.faint)
    for area in areas:
        out.append(f"{place_name(tables, area):<{NAME}}"[:NAME], "bold")
        first, last = (standing(tables, look, state, area) for state in (before, after))
        out.append_text(first)
        out.append(" " * max(1, FIELD - first.cell_len))
        out.append_text(last)
        out.append("\n")
    return out


def standing(tables: Tables, look: Look, state: State, area: str) -> Text:
    """The markers and units of an Area, in short."""
    here, out = at(state, area), Text()
    for m in here.markers:
        out.append_text(look.text(look.marker(tables, m.power, m.marker, m.established), " "))
    for power in dict.fromkeys(unit.power for unit in here.units):
        out.append_text(look.text(look.units(power, tuple(u for u in here.units if u.power == power)), " "))
    if here.unrest:
        out.append("! ", look.alarm)
    out.rstrip()
    return out if out.plain else Text("nothing", look.faint)


def figures(tables: Tables, look: Look, before: State, after: State) -> Text:
    """Treasuries and Victory Points of the Powers, and both indexes, before and after, as far as they change."""
    rows: list[tuple[str, str, str]] = []
    for power, own in after.powers.items():
        then = before.powers.get(power)
        if then is not None and then.treasury != own.treasury:
            rows.append((power_name(tables, power), pounds(then.treasury), pounds(own.treasury)))
        if then is not None and then.victory_points != own.victory_points:
            rows.append((f"{power_name(tables, power)}, points", str(then.victory_points), str(own.victory_points)))
    for name, first, last in (
        ("European Tensions", before.tension, after.tension),
        ("Chinese Resentment", before.resentment, after.resentment),
    ):
        if first != last:
            rows.append((name, str(first), str(last)))
    out = Text()
    for name, first_, last_ in rows:
        out.append(f"{name:<{NAME}}{first_:<{FIELD}}{last_}\n")
    return look.signs(out)
