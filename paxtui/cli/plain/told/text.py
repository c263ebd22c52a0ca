"""Text for people who hear it: no signs that are read out as nonsense, one thought a line."""

from __future__ import annotations

import re

_SIGNS = re.compile(r"[○●◇◆★☆⚔═—▸█░]+ ?")
_TOTAL = re.compile(r" → (£?-?\d)")


def spoken(text: str) -> str:
    """A line of the narration without its signs: arrows become words."""
    text = _TOTAL.sub(r", now \1", text)
    return " ".join(_SIGNS.sub("", text.replace(" → ", " to ").replace(" · ", ", ")).split())


def listed(names: list[str] | tuple[str, ...], nothing: str = "nobody") -> str:
    """Names in one phrase."""
    return ", ".join(names) if names else nothing
