"""The caretaker stands in for a bot: in the log a note of the arbiter's, which says for whom, and why.

A bot that fails, or whose every answer is refused, must not stop a game. The note changes no position.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from paxtui.engine.log import Line
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER
from paxtui.engine.upcast import Raw
from paxtui.pax.board.tables import Tables
from paxtui.pax.state.model import State
from paxtui.pax.words.free_text import clean
from paxtui.pax.words.spoken import power_name

STAND_IN = "stand_in"
"""Type of the note."""

LONGEST = 200
"""Characters of the reason."""


class _Note(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The note as it stands in a log."""

    type: Literal["stand_in"]
    seat: str
    bot: str
    why: str


def content(state: State, seat: str, bot: str, why: str) -> Raw:
    """The note that the caretaker acts for a bot. Raises: Refusal `unknown_seat`."""
    if seat not in state.players:
        raise Refusal("unknown_seat", (), f"There is no seat {seat!r}; the seats are {', '.join(state.players)}.")
    note: Raw = msgspec.to_builtins(_Note("stand_in", seat, clean(bot)[:LONGEST], clean(why)[:LONGEST]))
    return note


def again(state: State, line: Line) -> Raw:
    """What a note of this kind would say that was written now.

    Raises: Refusal, as `content`; ValueError for one that is not the arbiter's, or that cannot be read.
    """
    if line.seat != ARBITER:
        raise ValueError("only the arbiter says who stands in")
    said = msgspec.convert(line.action, _Note)
    return content(state, said.seat, said.bot, said.why)


def is_stand_in(said: object) -> bool:
    """Whether the content of a note says that the caretaker stands in."""
    return isinstance(said, dict) and said.get("type") == STAND_IN


def told(tables: Tables, said: object) -> str:
    """The note in a sentence; "" for one that cannot be read."""
    try:
        note = msgspec.convert(said, _Note)
    except msgspec.ValidationError:
        return ""
    if note.seat not in tables.powers:
        return ""
    return f"{power_name(tables, note.seat)}: the caretaker acts for the bot ({note.bot}), {note.why}."
