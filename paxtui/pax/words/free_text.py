"""Words that a player puts as he likes: names, dispatches, articles in free words."""

from __future__ import annotations

import unicodedata


def clean(text: str) -> str:
    """`text` in one line without control characters, invisible ones among them."""
    plain = "".join(" " if unicodedata.category(c) in ("Cc", "Zl", "Zp") else c for c in text)
    return " ".join("".join(c for c in plain if unicodedata.category(c) not in ("Cf", "Cs", "Co", "Cn")).split())
