"""Vacations in mail games: the caretaker plays a seat until its player hands in a form again or the vacation is over.

A form asks for it with `vacation: 14` (days), `vacation: until 1888` (a Game Turn) or `vacation: until 2026-12-24`.
Its orders for the present stop are carried out. The player keeps the seat, and in a sealed game the key.

Rules: PBM-113, PBM-114
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta

from paxtui.pax.orders.actions import Sheet
from paxtui.pax.orders.seating import Sitter
from paxtui.pax.postal.reading import read_form
from paxtui.pax.words.spoken import power_name
from paxtui.table.authority import Table


def requested(table: Table, sheets: Sequence[Sheet], now: datetime) -> dict[str, str]:
    """The vacations that the forms of a stop ask for: by seat a date (ISO 8601) or the year of a Game Turn."""
    found: dict[str, str] = {}
    for sheet in sheets:
        said = "" if sheet.missed else read_form(table.tables, sheet.text)[0].head.get("vacation", "")
        until = said.removeprefix("until").strip()
        if until.isdigit() and len(until) < 4:
            until = (now.astimezone(UTC) + timedelta(days=int(until))).date().isoformat()
        if until:
            found[sheet.seat] = until
    return found


def is_over(table: Table, until: str, now: datetime) -> bool:
    """Whether a vacation is over: its date or its Game Turn has come."""
    if until.isdigit():
        return table.tables.turns[table.state.turn - 1].year >= int(until)
    return now.astimezone(UTC).date() >= date.fromisoformat(until)


def begin(table: Table, seat: str, key: str, until: str) -> str:
    """Give a seat to the caretaker for a vacation. Returns: what everybody is told; "" if it cannot be done."""
    state = table.state
    if seat in state.abandoned or len(state.abandoned) + 1 >= len(state.players) or state.result is not None:
        return ""
    table.seat({seat: Sitter(by="bot", level="caretaker", key=key)})
    return f"{power_name(table.tables, seat)} is on vacation until {until}: the caretaker plays."


def end(table: Table, seat: str, name: str, key: str) -> str:
    """Give a seat back to its player. Returns: what everybody is told."""
    table.seat({seat: Sitter(name=name, key=key)})
    return f"{power_name(table.tables, seat)} is back from vacation."


def returning(table: Table, away: Mapping[str, str], sent: Sequence[str], now: datetime) -> tuple[str, ...]:
    """The seats whose vacation ends now: they have handed in a form, or the time is over."""
    return tuple(seat for seat, until in away.items() if seat in sent or is_over(table, until, now))
