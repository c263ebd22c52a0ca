"""The lobby of a house in words: what can be done there, a line each, and what there is to know of a game."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Literal, NamedTuple

from paxtui.pax.board.tables import Tables
from paxtui.pax.words.spoken import phase_name, power_name
from paxtui.table.games.kept import Lobby, SeatThere, TableThere

Way = Literal["sit", "take", "watch", "none", "code", "open", "leave"]


class Row(NamedTuple):
    """Something that a visitor can do.

    Attributes:
        way: what.
        text: that, in words.
        table: the game that it is about, None where it is about none.
        seat: the seat.
    """

    way: Way
    text: str
    table: TableThere | None = None
    seat: str = ""


def rows(tables: Tables, lobby: Lobby, now: datetime) -> list[Row]:
    """Everything that a visitor can do, what waits for him first. Args: the time, for how long somebody has waited."""
    found: list[Row] = []
    for table in lobby.tables:
        found += _rows_of(tables, table, now)
    found.append(Row("code", "A code for another seat"))
    if lobby.opens:
        found.append(Row("open", "Open a game"))
    return [*found, Row("leave", "Leave")]


def _rows_of(tables: Tables, table: TableThere, now: datetime) -> Iterator[Row]:
    name = table.name
    if table.trouble:
        yield Row("none", f"{name}: cannot be opened", table)
        return
    moment = "over" if table.over else f"{table.year}, {phase_name(table.phase)}"
    for seat in table.mine:
        waits = f" - waits for you since {ago(seat.since, now)}" if seat.since else ""
        yield Row("sit", f"{name}: {power_name(tables, seat.seat)}, yours ({moment}){waits}", table, seat.seat)
    for seat in table.seats:
        if seat.open and seat.holder != "you":
            said = {"nobody": "free", "bot": f"a bot sits there: {seat.name}", "player": f"the seat of {seat.name}"}
            text = f"{name}: {power_name(tables, seat.seat)}, {said[seat.holder]} ({moment})"
            yield Row("take", text, table, seat.seat)
    if table.watch and not table.mine:
        late = f", {table.delay} minutes behind" if table.delay and not table.over else ""
        yield Row("watch", f"{name}: look on{late} ({moment})", table)


def about(tables: Tables, table: TableThere, now: datetime) -> list[str]:
    """What there is to know of a game, in lines."""
    if table.trouble:
        return [table.trouble]
    when = f"{table.name}: {table.year}, Game Turn {table.turn}, {phase_name(table.phase)} Phase"
    out = [f"{when}. It is over." if table.over else f"{when}."]
    out.append(" · ".join(_of_seat(tables, seat, now) for seat in table.seats))
    out += [f"! {task}" for task in table.tasks]
    out += [table.clock] if table.clock else []
    if table.dice.startswith("fair"):
        out.append(f"Dice: {table.dice}. Who keeps the house can read its secrets; nobody can choose what falls.")
    elif table.dice:
        out.append("Dice: plain. Who keeps the house can read its secrets, and knows the dice.")
    return out


def _of_seat(tables: Tables, seat: SeatThere, now: datetime) -> str:
    who = {"you": "you", "player": seat.name or "a player", "bot": seat.name, "nobody": "free"}[seat.holder]
    here = ", here" if seat.here else ""
    since = f", to act since {ago(seat.since, now)}" if seat.since else ""
    return f"{power_name(tables, seat.seat)} ({who}{here}{since})"


def ago(time: str, now: datetime) -> str:
    """How long ago something was. Args: when, ISO 8601 in UTC; the time now."""
    try:
        seconds = max(0, int((now - datetime.fromisoformat(time)).total_seconds()))
    except (ValueError, TypeError):
        return "a while"
    for size, word in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= size:
            count = seconds // size
            return f"{count} {word}{'s' * (count > 1)}"
    return "a moment"
