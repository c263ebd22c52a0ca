"""The lobby of a house in words: what can be done there, a line each, and what there is to know of a game."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Literal, NamedTuple

from paxtui.pax.board.tables import Tables
from paxtui.pax.words.spoken import phase_name, power_name
from paxtui.table.games.kept import Lobby, SeatThere, TableThere

Way = Literal["sit", "take", "watch", "none", "choose", "code", "open", "leave"]


class Row(NamedTuple):
    """A line of the lobby.

    Attributes:
        way: what it does.
        text: that, in words.
        table: the game that it is about, None where it is about none.
        seat: the seat.
        choices: for `choose`, the lines among which the visitor chooses.
        waits: whether the game waits for the visitor.
    """

    way: Way
    text: str
    table: TableThere | None = None
    seat: str = ""
    choices: tuple[Row, ...] = ()
    waits: bool = False


def rows(tables: Tables, lobby: Lobby, now: datetime, wanted: str = "") -> list[Row]:
    """The lines of the lobby: one for each game in progress, one for all finished games, then the commands.

    Args:
        tables: of names.
        lobby: what there is.
        now: the time, for how long somebody has waited.
        wanted: shows only games in which each of these words occurs: a name, a Power, a player, a Phase.
    """
    shown = [table for table in lobby.tables if _matches(tables, table, wanted)]
    found = [row for table in shown if not table.over for row in _row_of(tables, table, now)]
    finished = tuple(row for table in shown if table.over for row in _row_of(tables, table, now))
    if finished:
        found.append(Row("choose", f"Finished games ({len(finished)})", choices=finished))
    found.append(Row("code", "A code for another seat"))
    if lobby.opens:
        found.append(Row("open", "Open a game"))
    return [*found, Row("leave", "Leave")]


def _matches(tables: Tables, table: TableThere, wanted: str) -> bool:
    """Whether all words of a search occur in what is known of a game."""
    about_seats = [f"{power_name(tables, seat.seat)} {seat.name}" for seat in table.seats]
    known = " ".join((table.name, str(table.year), phase_name(table.phase) if table.phase else "", *about_seats))
    return all(word in known.casefold() for word in wanted.casefold().split())


def _row_of(tables: Tables, table: TableThere, now: datetime) -> Iterator[Row]:
    """The line of a game; none where the visitor can do nothing."""
    choices = tuple(_rows_of(tables, table, now))
    if len(choices) < 2:
        yield from choices
        return
    moment = "over" if table.over else f"{table.year}, {phase_name(table.phase)}"
    parts = []
    own = [power_name(tables, seat.seat) for seat in table.mine]
    if own:
        parts.append(f"you are {' and '.join(own)}")
    free = sum(row.way == "take" for row in choices)
    if free:
        parts.append(f"{free} seat{'s' * (free > 1)} to take")
    if any(row.way == "watch" for row in choices):
        parts.append("look on")
    since = min((seat.since for seat in table.mine if seat.since), default="")
    waits = f" - waits for you since {ago(since, now)}" if since else ""
    text = f"{table.name}: {', '.join(parts)} ({moment}){waits}"
    yield Row("choose", text, table, choices=choices, waits=bool(since))


def _rows_of(tables: Tables, table: TableThere, now: datetime) -> Iterator[Row]:
    name = table.name
    if table.trouble:
        yield Row("none", f"{name}: cannot be opened", table)
        return
    moment = "over" if table.over else f"{table.year}, {phase_name(table.phase)}"
    for seat in table.mine:
        waits = f" - waits for you since {ago(seat.since, now)}" if seat.since else ""
        text = f"{name}: {power_name(tables, seat.seat)}, yours ({moment}){waits}"
        yield Row("sit", text, table, seat.seat, waits=bool(seat.since))
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
