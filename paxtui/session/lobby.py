"""The lobby of a house in words: what can be done there, a line each, and what there is to know of a game.

The games of a house that somebody keeps, as a visitor finds them in its lobby.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Literal, NamedTuple

import msgspec

from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.text.display import phase_name, power_name

_NUMBERS = re.compile(r"(\d+)")


def natural_key(name: str) -> tuple[tuple[int, int, str], ...]:
    """A key that sorts names as people do: g2 before g10, and without regard to case."""
    parts = _NUMBERS.split(name.casefold())
    return (*((1, int(part), "") if part.isdecimal() else (0, 0, part) for part in parts if part), (0, -1, name))


class LobbySeat(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat of a kept game.

    Attributes:
        seat: which.
        holder: whose it is: the visitor's own, another player's, a bot's, nobody's.
        name: what the player is called, or which bot it is.
        here: somebody is there now.
        since: since when the game waits for it, ISO 8601 in UTC; "" where it does not.
        open: the visitor may take it.
    """

    seat: str
    holder: Literal["you", "player", "bot", "nobody"]
    name: str = ""
    here: bool = False
    since: str = ""
    open: bool = False


class LobbyGame(msgspec.Struct, frozen=True, omit_defaults=True):
    """A kept game.

    Attributes:
        name: what it is called in the house.
        year: of the calendar of the game.
        turn: Game Turn.
        phase: of the sequence of play.
        over: it has ended.
        seats: all of them, in the order of the table.
        tasks: what waits for the visitor, in sentences, the most pressing first.
        watch: the visitor may look on.
        delay: minutes by which those who look on are behind.
        trouble: why it cannot be opened, in a sentence; nothing else is known then.
        dice: where its dice come from, in a few words.
        clock: how much time there is, in sentences; "" where there is no clock.
    """

    name: str
    year: int = 0
    turn: int = 0
    phase: str = ""
    over: bool = False
    seats: tuple[LobbySeat, ...] = ()
    tasks: tuple[str, ...] = ()
    watch: bool = False
    delay: int = 0
    trouble: str = ""
    dice: str = ""
    clock: str = ""

    @property
    def mine(self) -> tuple[LobbySeat, ...]:
        """The visitor's own seats."""
        return tuple(seat for seat in self.seats if seat.holder == "you")


class LobbyView(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a visitor finds.

    Attributes:
        name: what he is called.
        tables: the games that concern him, those that wait for him first.
        opens: he may open another.
    """

    name: str = ""
    tables: tuple[LobbyGame, ...] = ()
    opens: bool = False


RowAction = Literal["sit", "take", "watch", "none", "choose", "code", "open", "leave"]


class LobbyRow(NamedTuple):
    """A line of the lobby.

    Attributes:
        way: what it does.
        text: that, in words.
        table: the game that it is about, None where it is about none.
        seat: the seat.
        choices: for `choose`, the lines among which the visitor chooses.
        waits: whether the game waits for the visitor.
    """

    way: RowAction
    text: str
    table: LobbyGame | None = None
    seat: str = ""
    choices: tuple[LobbyRow, ...] = ()
    waits: bool = False


def lobby_rows(tables: Tables, lobby: LobbyView, now: datetime, wanted: str = "") -> list[LobbyRow]:
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
        found.append(LobbyRow("choose", f"Finished games ({len(finished)})", choices=finished))
    found.append(LobbyRow("code", "A code for another seat"))
    if lobby.opens:
        found.append(LobbyRow("open", "Open a game"))
    return [*found, LobbyRow("leave", "Leave")]


def _matches(tables: Tables, table: LobbyGame, wanted: str) -> bool:
    """Whether all words of a search occur in what is known of a game."""
    about_seats = [f"{power_name(tables, seat.seat)} {seat.name}" for seat in table.seats]
    known = " ".join((table.name, str(table.year), phase_name(table.phase) if table.phase else "", *about_seats))
    return all(word in known.casefold() for word in wanted.casefold().split())


def _row_of(tables: Tables, table: LobbyGame, now: datetime) -> Iterator[LobbyRow]:
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
    waits = f" - waits for you since {time_ago(since, now)}" if since else ""
    text = f"{table.name}: {', '.join(parts)} ({moment}){waits}"
    yield LobbyRow("choose", text, table, choices=choices, waits=bool(since))


def _rows_of(tables: Tables, table: LobbyGame, now: datetime) -> Iterator[LobbyRow]:
    name = table.name
    if table.trouble:
        yield LobbyRow("none", f"{name}: cannot be opened", table)
        return
    moment = "over" if table.over else f"{table.year}, {phase_name(table.phase)}"
    for seat in table.mine:
        waits = f" - waits for you since {time_ago(seat.since, now)}" if seat.since else ""
        text = f"{name}: {power_name(tables, seat.seat)}, yours ({moment}){waits}"
        yield LobbyRow("sit", text, table, seat.seat, waits=bool(seat.since))
    for seat in table.seats:
        if seat.open and seat.holder != "you":
            said = {"nobody": "free", "bot": f"a bot sits there: {seat.name}", "player": f"the seat of {seat.name}"}
            text = f"{name}: {power_name(tables, seat.seat)}, {said[seat.holder]} ({moment})"
            yield LobbyRow("take", text, table, seat.seat)
    if table.watch and not table.mine:
        late = f", {table.delay} minutes behind" if table.delay and not table.over else ""
        yield LobbyRow("watch", f"{name}: look on{late} ({moment})", table)


def game_details(tables: Tables, table: LobbyGame, now: datetime) -> list[str]:
    """What there is to know of a game, in lines."""
    if table.trouble:
        return [table.trouble]
    when = f"{table.name}: {table.year}, Game Turn {table.turn}, {phase_name(table.phase)} Phase"
    out = [f"{when}. It is over." if table.over else f"{when}."]
    out.append(" · ".join(_seat_text(tables, seat, now) for seat in table.seats))
    out += [f"! {task}" for task in table.tasks]
    out += [table.clock] if table.clock else []
    if table.dice.startswith("fair"):
        out.append(f"Dice: {table.dice}. Who keeps the house can read its secrets; nobody can choose what falls.")
    elif table.dice:
        out.append("Dice: plain. Who keeps the house can read its secrets, and knows the dice.")
    return out


def _seat_text(tables: Tables, seat: LobbySeat, now: datetime) -> str:
    who = {"you": "you", "player": seat.name or "a player", "bot": seat.name, "nobody": "free"}[seat.holder]
    here = ", here" if seat.here else ""
    since = f", to act since {time_ago(seat.since, now)}" if seat.since else ""
    return f"{power_name(tables, seat.seat)} ({who}{here}{since})"


def time_ago(time: str, now: datetime) -> str:
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
