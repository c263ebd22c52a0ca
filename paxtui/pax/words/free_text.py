"""Words that a player puts as he likes: names, dispatches, articles in free words."""

from __future__ import annotations

import re
import unicodedata

from paxtui.engine.refusal import Refusal

LONGEST_NAME = 40
"""Characters of the name of an agreement."""

MOST_MARKS = 4
"""Combining marks on one character; no written language needs more."""

_NOT_IN_A_NAME = re.compile(r"[:;\"]|(?<!\S)(?:with|as)(?!\S)|(?<!\S)(?:public|secret)$", re.IGNORECASE)


def clean(text: str) -> str:
    """`text` in one line without control characters, invisible ones among them."""
    plain = "".join(" " if unicodedata.category(c) in ("Cc", "Zl", "Zp") else c for c in text)
    return " ".join("".join(c for c in plain if unicodedata.category(c) not in ("Cf", "Cs", "Co", "Cn")).split())


def without_stacks(text: str) -> str:
    """`text` with at most MOST_MARKS combining marks on a character: more of them run into other lines."""
    kept: list[str] = []
    marks = 0
    for sign in text:
        marks = marks + 1 if unicodedata.category(sign) in ("Mn", "Me") else 0
        if marks <= MOST_MARKS:
            kept.append(sign)
    return "".join(kept)


def check_stacks(text: str) -> None:
    """Raises: Refusal `bad_text`: a character has too many combining marks."""
    if without_stacks(text) != text:
        raise Refusal("bad_text", (), f"A character has at most {MOST_MARKS} combining marks. Remove the others.")


def named(text: str) -> str:
    """The name of an agreement, clean.

    Raises: Refusal `notation`, when the notation could not say it again.
    """
    name = clean(text)
    check_stacks(name)
    if len(name) > LONGEST_NAME:
        raise Refusal("notation", (), f"A name has {LONGEST_NAME} characters at most.", expected="a name")
    if _NOT_IN_A_NAME.search(name):
        raise Refusal(
            "notation",
            (),
            "A name has no colon, semicolon or quotation mark, no 'with' or 'as', nor 'public' or 'secret' at its end.",
            expected="a name",
        )
    return name
