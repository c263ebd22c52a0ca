"""What the table itself says in the log beside the acts of seats: who sits where, its dice, its clock, in sentences."""

from __future__ import annotations

from typing import NamedTuple

from paxtui.engine.fair_dice import is_dice_note
from paxtui.engine.log import Line
from paxtui.pax.board.tables import Tables
from paxtui.pax.orders import clock_notes, dice_words, seating, stand_in


class Said(NamedTuple):
    """A note in words. Attributes: what it is about; the sentence, "" for one that cannot be read."""

    kind: str
    text: str


def said_by_table(tables: Tables, line: Line) -> Said | None:
    """What a note of the table's says; None for any other note."""
    note = line.action
    if seating.is_seating(note):
        return Said(seating.SEATING, seating.told(tables, note))
    if stand_in.is_stand_in(note):
        return Said(stand_in.STAND_IN, stand_in.told(tables, note))
    if clock_notes.is_clock_note(note):
        return Said("clock", clock_notes.told(tables, note))
    if is_dice_note(note):
        return Said("dice", dice_words.told(tables, line))
    return None
