"""The games of a house that somebody keeps, as a visitor finds them in its lobby."""

from __future__ import annotations

import re
from typing import Literal

import msgspec

_NUMBERS = re.compile(r"(\d+)")


def natural_key(name: str) -> tuple[tuple[int, int, str], ...]:
    """A key that sorts names as people do: g2 before g10, and without regard to case."""
    parts = _NUMBERS.split(name.casefold())
    return (*((1, int(part), "") if part.isdecimal() else (0, 0, part) for part in parts if part), (0, -1, name))


class SeatThere(msgspec.Struct, frozen=True, omit_defaults=True):
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


class TableThere(msgspec.Struct, frozen=True, omit_defaults=True):
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
    seats: tuple[SeatThere, ...] = ()
    tasks: tuple[str, ...] = ()
    watch: bool = False
    delay: int = 0
    trouble: str = ""
    dice: str = ""
    clock: str = ""

    @property
    def mine(self) -> tuple[SeatThere, ...]:
        """The visitor's own seats."""
        return tuple(seat for seat in self.seats if seat.holder == "you")


class Lobby(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a visitor finds.

    Attributes:
        name: what he is called.
        tables: the games that concern him, those that wait for him first.
        opens: he may open another.
    """

    name: str = ""
    tables: tuple[TableThere, ...] = ()
    opens: bool = False
