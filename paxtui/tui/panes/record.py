"""The Administrative Record Sheet as a pane: left what the turn began with, right what it would be now."""

from __future__ import annotations

from rich.text import Text

from paxtui.pax.board.tables import Tables
from paxtui.pax.turn import bonuses, record_sheet
from paxtui.table.session import Session
from paxtui.tui.writing.look import Look

SECTIONS = {
    "01": "I  Status",
    "10": "II  Income",
    "16": "III  Maintenance",
    "22": "IV  Net income",
    "23": "V  Victory Points",
    "27": "VI  Final record",
}

WORDS = {
    "01": "States, Dominions",
    "02": "Possessions",
    "03": "  their values",
    "04": "Protectorates",
    "05": "  their values",
    "06": "Influences",
    "07": "  their values",
    "08": "Interests",
    "09": "  their values",
    "10": "Colonial Office",
    "15": "income",
    "16": "units abroad",
    "21": "maintenance",
    "22": "net income",
    "23": "Treasury left",
    "24": "bought points",
    "25": "bonus of the turn",
    "26": "points of the turn",
    "27": "points so far",
    "28": "final bonuses",
    "29": "two turns' income",
    "30": "Great War",
    "31": "final total",
}
"""Printed lines of the Record Sheet in a word or two; those that are worked out from another say from which."""
TOTALS = ("15", "21", "22", "26", "31")


def short(tables: Tables, line: str) -> str:
    """A printed line in a word or two, as the tables of the game have it: `line 03 × 5`."""
    for kind, row in record_sheet.SHEET.items():
        marker = tables.markers[kind]
        if line == row.income:
            return f"line {row.value} × {marker.multiplier}"
        if line == row.maintenance:
            return f"line {row.number} × {marker.maintenance}"
    return WORDS[line]


def record(session: Session, look: Look, width: int) -> Text:
    """The Administrative Record Sheet: left what the turn began with, right what it would be now."""
    tables, state = session.tables, session.state
    power = session.power if session.power in state.powers else session.seat
    if power not in state.powers:
        return Text("A Minor Power keeps no Record Sheet.")
    sheet = state.powers[power].record
    now = record_sheet.figure(tables, state, power)
    out = look.text(look.power(tables, power), "\n")
    wide = max(17, width - 20)
    out.append(f"   {'':<{wide}}{'turn':>7}{'now':>7}\n", look.faint)
    for line in tables.record:
        if line in SECTIONS:
            out.append(f"{SECTIONS[line]}\n", look.faint)
        old, new = sheet.get(line), now.get(line)
        if line == "22":
            new = record_sheet.forecast(tables, state, power)
        changed = old is not None and new is not None and old != new
        bold = "bold" if line in TOTALS else ""
        out.append(f"{line} ", look.faint)
        out.append(f"{short(tables, line):<{wide}}", bold)
        out.append(f"{'' if old is None else old:>7}", bold)
        better = ((new or 0) > (old or 0)) != ("16" <= line <= "21")
        style = (look.good if better else look.key) if changed and line != "22" else look.faint
        out.append(f"{'' if new is None else new:>7}", style)
        out.append("\n")
    out.append("\nLine 22 'now' forecasts without the Colonial Office roll.\n", look.faint)
    if power in state.players:
        out.append_text(_bonuses(session, look, power))
    return out


def _bonuses(session: Session, look: Look, seat: str) -> Text:
    """What a seat can earn or lose beside income; those that hold now stand out."""
    tables, state = session.tables, session.state
    held = {
        row.id: points
        for row, points, _ in (*bonuses.of_turn(tables, state, seat), *bonuses.current(tables, state, seat))
    }
    out = Text("\nBonuses, those that you would get now marked\n", look.faint)
    for row, what in bonuses.open_to(tables, seat):
        points = held.get(row.id)
        out.append("● " if points else "  ", look.good if (points or 0) > 0 else look.alarm)
        out.append(f"{row.points if points is None else points:+d} ", "bold" if points else "")
        out.append(f"{what}\n", "" if points else look.faint)
    return out
