"""The lobby of a server as a visitor sees it: its games, the rows of the list, and details of a game in words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Literal, NamedTuple

import msgspec

UNREAD = "The server has just started and is loading this game. Wait a moment."
"""The trouble of a game whose log has not been read yet."""

_NUMBERS = re.compile(r"(\d+)")


def natural_key(name: str) -> tuple[tuple[int, int, str], ...]:
    """Return a sort key that puts g2 before g10 and ignores case."""
    parts = _NUMBERS.split(name.casefold())
    return (*((1, int(part), "") if part.isdecimal() else (0, 0, part) for part in parts if part), (0, -1, name))


class LobbySeat(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat of a game on the server.

    Attributes:
        seat: the seat.
        holder: the visitor, another player, a bot, or none.
        name: name of the player or the bot.
        here: whether it is connected.
        since: since when the game waits for it, ISO 8601 in UTC; "" if it does not.
        open: whether the visitor may take it.
        title: the name of its Power.
        followed: whether the visitor follows its player or bot.
    """

    seat: str
    holder: Literal["you", "player", "bot", "nobody"]
    name: str = ""
    here: bool = False
    since: str = ""
    open: bool = False
    title: str = ""
    followed: bool = False


class LobbyGame(msgspec.Struct, frozen=True, omit_defaults=True):
    """A game on the server.

    Attributes:
        name: its name.
        year: game calendar year.
        turn: Game Turn.
        phase: the name of the Phase.
        over: whether it has ended.
        seats: all seats, in order.
        tasks: pending tasks of the visitor in sentences, the most urgent first.
        watch: whether the visitor may watch.
        delay: delay for spectators, in minutes.
        trouble: why it cannot be opened, in a sentence; then nothing else is known.
        dice: source of the dice, in a few words.
        clock: the clock in sentences; "" for a game without a clock.
        conditions: who may take a seat, and whether the result is rated, in words; "" for the usual ones.
        moved_at: when the last act happened, ISO 8601 in UTC; "" if unknown.
        followed: whether the visitor follows the game.
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
    conditions: str = ""
    moved_at: str = ""
    followed: bool = False

    @property
    def own_seats(self) -> tuple[LobbySeat, ...]:
        """The visitor's own seats."""
        return tuple(seat for seat in self.seats if seat.holder == "you")

    @property
    def moment(self) -> str:
        """Year and Phase, or that it is over."""
        return "over" if self.over else f"{self.year}, {self.phase}"


class LobbyView(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the lobby shows to a visitor.

    Attributes:
        name: the visitor's name.
        tables: the relevant games, those that wait for the visitor first.
        opens: whether the visitor may open a game.
    """

    name: str = ""
    tables: tuple[LobbyGame, ...] = ()
    opens: bool = False


RowAction = Literal["sit", "take", "watch", "none", "choose", "code", "open", "leave"]


class LobbyRow(NamedTuple):
    """A row of the lobby.

    Attributes:
        way: its action.
        text: its text.
        table: its game, or None.
        seat: the seat.
        choices: for `choose`, the rows to choose from.
        waits: whether the game waits for the visitor.
    """

    way: RowAction
    text: str
    table: LobbyGame | None = None
    seat: str = ""
    choices: tuple[LobbyRow, ...] = ()
    waits: bool = False


def lobby_rows(lobby: LobbyView, now: datetime, wanted: str = "") -> list[LobbyRow]:
    """Return the rows of the lobby: one per running game, one for all finished games, then the commands.

    Args:
        lobby: the lobby view.
        now: the time, for waiting times.
        wanted: filter words; each must occur in a game's name, Powers, players or Phase.
    """
    shown = [table for table in lobby.tables if _matches(table, wanted)]
    found = [row for table in shown if not table.over for row in _row_of(table, now)]
    finished = tuple(row for table in shown if table.over for row in _row_of(table, now))
    if finished:
        found.append(LobbyRow("choose", f"Finished games ({len(finished)})", choices=finished))
    found.append(LobbyRow("code", "Enter an invitation code"))
    if lobby.opens:
        found.append(LobbyRow("open", "Open a game"))
    return [*found, LobbyRow("leave", "Leave")]


def _matches(table: LobbyGame, wanted: str) -> bool:
    about_seats = [f"{seat.title} {seat.name}" for seat in table.seats]
    known = " ".join((table.name, str(table.year), table.phase, *about_seats))
    return all(word in known.casefold() for word in wanted.casefold().split())


def _row_of(table: LobbyGame, now: datetime) -> Iterator[LobbyRow]:
    """Return the row of a game; none if the visitor can do nothing there."""
    choices = tuple(_rows_of(table, now))
    if len(choices) < 2:
        for row in choices:
            yield row._replace(text=_star(table) + row.text + _movement(table, now))
        return
    parts = []
    own = [seat.title for seat in table.own_seats]
    if own:
        parts.append(f"you are {' and '.join(own)}")
    free = sum(row.way == "take" for row in choices)
    if free:
        parts.append(f"{free} seat{'s' * (free > 1)} to take")
    if any(row.way == "watch" for row in choices):
        parts.append("watch")
    since = min((seat.since for seat in table.own_seats if seat.since), default="")
    waits = f" - waiting for you since {time_ago(since, now)}" if since else ""
    text = f"{_star(table)}{table.name}: {', '.join(parts)} ({table.moment}){waits}{_movement(table, now)}"
    yield LobbyRow("choose", text, table, choices=choices, waits=bool(since))


def is_followed(table: LobbyGame) -> bool:
    """Whether the visitor follows a game, or somebody who plays in it."""
    return table.followed or any(seat.followed for seat in table.seats)


def _star(table: LobbyGame) -> str:
    return "* " if is_followed(table) else ""


def _movement(table: LobbyGame, now: datetime) -> str:
    """Return what moves in a game that the visitor follows: who of the followed must act, and when the last act was."""
    if not is_followed(table) or table.over:
        return ""
    parts = [
        f"{seat.name} to act since {time_ago(seat.since, now)}"
        for seat in table.seats
        if seat.followed and seat.since and seat.holder == "player"
    ]
    parts += [f"moved {time_ago(table.moved_at, now)} ago"] if table.moved_at else []
    return f" - {', '.join(parts)}" if parts else ""


def _rows_of(table: LobbyGame, now: datetime) -> Iterator[LobbyRow]:
    name = table.name
    if table.trouble:
        yield LobbyRow("none", f"{name}: {'being read' if table.trouble == UNREAD else 'cannot be opened'}", table)
        return
    for seat in table.own_seats:
        waits = f" - waiting for you since {time_ago(seat.since, now)}" if seat.since else ""
        text = f"{name}: {seat.title}, yours ({table.moment}){waits}"
        yield LobbyRow("sit", text, table, seat.seat, waits=bool(seat.since))
    for seat in table.seats:
        if seat.open and seat.holder != "you":
            holders = {"nobody": "free", "bot": f"bot: {seat.name}", "player": f"seat of {seat.name}"}
            text = f"{name}: {seat.title}, {holders[seat.holder]} ({table.moment})"
            yield LobbyRow("take", text, table, seat.seat)
    if table.watch and not table.own_seats:
        late = f", {table.delay} minutes behind" if table.delay and not table.over else ""
        yield LobbyRow("watch", f"{name}: watch{late} ({table.moment})", table)


def game_details(table: LobbyGame, now: datetime) -> list[str]:
    """Return the details of a game, in lines."""
    if table.trouble:
        return [table.trouble]
    when = f"{table.name}: {table.year}, {table.phase}"
    out = [f"{when}. It is over." if table.over else f"{when}."]
    out.append(" · ".join(_seat_text(seat, now) for seat in table.seats))
    out += [f"! {task}" for task in table.tasks]
    if table.moved_at and not table.over:
        out.append(f"The last act was {time_ago(table.moved_at, now)} ago.")
    out += [table.clock] if table.clock else []
    out += [f"Conditions: {table.conditions}."] if table.conditions else []
    if table.dice.startswith("fair"):
        out.append(f"Dice: {table.dice}. The host can read the secrets, but cannot choose the dice.")
    elif table.dice:
        out.append("Dice: plain. The host can read the secrets and knows the dice.")
    return out


def _seat_text(seat: LobbySeat, now: datetime) -> str:
    who = {"you": "you", "player": seat.name or "a player", "bot": seat.name, "nobody": "free"}[seat.holder]
    here = ", here" if seat.here else ""
    since = f", to act since {time_ago(seat.since, now)}" if seat.since else ""
    return f"{seat.title} ({who}{here}{since})"


def time_ago(time: str, now: datetime) -> str:
    """Return the time since a moment, in words. Args: the moment, ISO 8601 in UTC; the time now."""
    try:
        seconds = max(0, int((now - datetime.fromisoformat(time)).total_seconds()))
    except (ValueError, TypeError):
        return "a while"
    for size, word in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= size:
            count = seconds // size
            return f"{count} {word}{'s' * (count > 1)}"
    return "a moment"
