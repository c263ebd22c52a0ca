"""What is said at a table, to everybody who sits there. It is no act of the game, and stands in no log."""

from __future__ import annotations

import msgspec

from paxtui.engine.refusal import Refusal
from paxtui.pax.words.free_text import check_stacks, clean

LONGEST = 400
"""Characters of what is said at once."""


class Spoken(msgspec.Struct, frozen=True):
    """A line of table talk.

    Attributes:
        n: its number, 1 for the first that was said at the table.
        time: when, ISO 8601 in UTC.
        seat: who said it; a spectator's is "spectator".
        name: what he is called, "" for whoever keeps the table.
        text: his words.
    """

    n: int
    time: str
    seat: str
    name: str
    text: str


def worded(text: str) -> str:
    """`text` as it may be said, in one line. Raises: Refusal `empty`, `too_long`."""
    words = clean(text)
    check_stacks(words)
    if not words:
        raise Refusal("empty", (), "Table talk has words in it.")
    if len(words) > LONGEST:
        raise Refusal("too_long", (), f"At once {LONGEST} characters are said at most, not {len(words)}.", most=LONGEST)
    return words
