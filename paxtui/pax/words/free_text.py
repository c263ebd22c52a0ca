"""Words that a player puts as he likes: names, dispatches, articles in free words."""

from __future__ import annotations

import re
import unicodedata

from paxtui.engine.refusal import Refusal

LONGEST_NAME = 40
"""Characters of the name of an agreement."""

_NOT_IN_A_NAME = re.compile(r"[:;\"]|(?<!\S)(?:with|as)(?!\S)|(?<!\S)(?:public|secret)$", re.IGNORECASE)


def clean(text: str) -> str:
    """`text` in one line without control characters, invisible ones among them."""
    plain = "".join(" " if unicodedata.category(c) in ("Cc", "Zl", "Zp") else c for c in text)
    return " ".join("".join(c for c in plain if unicodedata.category(c) not in ("Cf", "Cs", "Co", "Cn")).split())


def named(text: str) -> str:
    """The name of an agreement, clean.

    Raises: Refusal `notation`, when the notation could not say it again.
    """
    name = clean(text)
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
