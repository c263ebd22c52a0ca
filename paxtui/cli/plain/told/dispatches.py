"""Dispatches in lines: one that comes in, and all that a seat has."""

from __future__ import annotations

from paxtui.cli.plain.told.text import listed
from paxtui.engine.log import UNDO_REQUEST, Line
from paxtui.engine.refusal import Refusal
from paxtui.pax.board.tables import Tables
from paxtui.pax.orders import dispatches
from paxtui.pax.orders.dispatches import Letter
from paxtui.pax.orders.table_notes import said_by_table
from paxtui.pax.words.spoken import power_name
from paxtui.table.session import Session

SHOWN = 10
"""Dispatches that `show dispatches` reads when no number is given."""


def note_told(tables: Tables, line: Line) -> list[str]:
    """What a note says, as the seat has it: a dispatch, a request for an undo, or what the table says."""
    by_table = said_by_table(tables, line)
    if by_table is not None:
        return [by_table.text] if by_table.text else []
    who = power_name(tables, line.seat)
    said = line.action if isinstance(line.action, dict) else {}
    if said.get("type") == UNDO_REQUEST:
        to = said.get("to")
        return [f"{who} asks to take the game back to line {to}. It happens when the others agree: 'undo {to}'."]
    if said.get("type") in (dispatches.DISPATCH, dispatches.LETTER):
        whom = _whom(tables, tuple(said.get("to", ())))
        year = f" sealed until {tables.turns[said['opens'] - 1].year}" if said.get("opens") else ""
        if said["type"] == dispatches.LETTER:
            return [f"A sealed letter from {who} to {whom} is opened: {said.get('text')}"]
        text = said.get("text")
        return [f"Dispatch from {who} to {whom}{year}: {text}" if text else f"Letter from {who} to {whom}{year}."]
    return [f"{who}: {said.get('text', said.get('type', ''))}"]


def show_dispatches(session: Session, words: str = "") -> list[str]:
    """The last dispatches of the seat, each with the number of its line.

    Raises: Refusal.
    """
    number = words.strip() or str(SHOWN)
    if not number.isdecimal() or not 0 < int(number[:9]) < 10**6:
        raise Refusal("notation", (), "'show dispatches' takes how many to read, such as 'show dispatches 40'.")
    found = [letter for letter in session.dispatches() if letter.line <= session.line]
    if not found:
        return ["You have no dispatches. 'dispatch POWER: WORDS' sends one, 'proclaim: WORDS' tells everybody."]
    return [letter_line(session.tables, letter) for letter in found[-int(number) :]]


def letter_line(tables: Tables, letter: Letter) -> str:
    """A dispatch in one line."""
    head = f"{letter.line} {power_name(tables, letter.sender)} to {_whom(tables, letter.to)}"
    year = tables.turns[letter.opens - 1].year if letter.opens else 0
    if letter.sealed:
        return f"{head}: sealed until {year}."
    return f"{head}{f', sealed until {year}' if year else ''}: {letter.text}"


def _whom(tables: Tables, to: tuple[str, ...]) -> str:
    return listed([power_name(tables, power) for power in to], "everybody")
