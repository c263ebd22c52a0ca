"""Words that a player puts as he likes: names, dispatches, articles in free words.

What is said at a table, to everybody who sits there. It is no act of the game, and stands in no log.
"""

from __future__ import annotations

import re
import unicodedata

import msgspec

from paxtui.engine.refusal import Refusal

MAX_NAME_LENGTH = 40
"""Characters of the name of an agreement."""

MAX_MARKS = 4
"""Combining marks on one character; no written language needs more."""

_NOT_IN_A_NAME = re.compile(r"[:;\"]|(?<!\S)(?:with|as)(?!\S)|(?<!\S)(?:public|secret)$", re.IGNORECASE)


def clean_text(text: str) -> str:
    """`text` in one line without control characters, invisible ones among them."""
    plain = "".join(" " if unicodedata.category(c) in ("Cc", "Zl", "Zp") else c for c in text)
    return " ".join("".join(c for c in plain if unicodedata.category(c) not in ("Cf", "Cs", "Co", "Cn")).split())


def without_stacks(text: str) -> str:
    """`text` with at most MOST_MARKS combining marks on a character: more of them run into other lines."""
    kept: list[str] = []
    marks = 0
    for sign in text:
        marks = marks + 1 if unicodedata.category(sign) in ("Mn", "Me") else 0
        if marks <= MAX_MARKS:
            kept.append(sign)
    return "".join(kept)


def check_stacks(text: str) -> None:
    """Raises: Refusal `bad_text`: a character has too many combining marks."""
    if without_stacks(text) != text:
        raise Refusal("bad_text", (), f"A character has at most {MAX_MARKS} combining marks. Remove the others.")


def clean_name(text: str) -> str:
    """The name of an agreement, clean.

    Raises: Refusal `notation`, when the notation could not say it again.
    """
    name = clean_text(text)
    check_stacks(name)
    if len(name) > MAX_NAME_LENGTH:
        raise Refusal("notation", (), f"A name has {MAX_NAME_LENGTH} characters at most.", expected="a name")
    if _NOT_IN_A_NAME.search(name):
        raise Refusal(
            "notation",
            (),
            "A name has no colon, semicolon or quotation mark, no 'with' or 'as', nor 'public' or 'secret' at its end.",
            expected="a name",
        )
    return name


MAX_CHAT_LENGTH = 400
"""Characters of what is said at once."""


class ChatLine(msgspec.Struct, frozen=True):
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


def clean_chat(text: str) -> str:
    """`text` as it may be said, in one line. Raises: Refusal `empty`, `too_long`."""
    words = clean_text(text)
    check_stacks(words)
    if not words:
        raise Refusal("empty", (), "Table talk has words in it.")
    if len(words) > MAX_CHAT_LENGTH:
        raise Refusal(
            "too_long",
            (),
            f"At once {MAX_CHAT_LENGTH} characters are said at most, not {len(words)}.",
            most=MAX_CHAT_LENGTH,
        )
    return words
