"""Game Turns by their years, read and said."""

from __future__ import annotations

from paxtui.pax.board.tables import Tables
from paxtui.pax.words.names import unknown


def turn(tables: Tables, word: str, at: int = 0) -> int:
    """The Game Turn of a year, or of its number. Raises: Refusal `notation`."""
    number = int(word) if word.isascii() and word.isdecimal() and len(word) < 6 else 0
    for n, row in enumerate(tables.turns, start=1):
        if row.year == number or n == number:
            return n
    years = ", ".join(str(row.year) for row in tables.turns)
    raise unknown(word, f"a year of a Game Turn ({years})", word=at)


def year(tables: Tables, number: int) -> int:
    """The year in which a Game Turn begins."""
    return tables.turns[number - 1].year
