"""Text for people who hear it: no signs that are read out as nonsense, no control characters, one thought a line."""

from __future__ import annotations

import re
import unicodedata

_SIGNS = re.compile(r"[○●◇◆★☆⚔═—▸█░]+ ?")
_TOTAL = re.compile(r" → (£?-?\d)")
_ASCII = str.maketrans({"£": "L", "→": ">", "×": "x", "·": ",", "–": "-", "’": "'", "…": "..."})


def spoken(text: str) -> str:
    """A line of the narration without its signs: arrows become words."""
    text = _TOTAL.sub(r", now \1", text)
    return " ".join(_SIGNS.sub("", text.replace(" → ", " to ").replace(" · ", ", ")).split())


def clean(text: str) -> str:
    """`text` without control characters, so that nothing that was typed can steer a terminal."""
    return "".join(" " if unicodedata.category(c) in ("Cc", "Cf", "Cs") else c for c in text)


def printable(text: str, encoding: str) -> str:
    """`text` as a stream of this encoding can show it."""
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        plain = unicodedata.normalize("NFKD", text.translate(_ASCII))
        return plain.encode("ascii", "ignore").decode() if not plain.isascii() else plain
    return text


def listed(names: list[str] | tuple[str, ...], nothing: str = "nobody") -> str:
    """Names in one phrase."""
    return ", ".join(names) if names else nothing
