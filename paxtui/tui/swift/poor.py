"""Terminals without Unicode: how one is told, and what stands there for each sign that it cannot show."""

from __future__ import annotations

from collections.abc import Mapping

POOR_TERMINALS = ("linux", "vt100", "vt102", "vt220", "ansi", "dumb", "cons25", "unknown")
"""Values of TERM, or their beginnings before a hyphen, whose fonts lack the signs of the map."""

LOST = "?"
"""What stands for a sign that nothing is like."""


def is_poor(environment: Mapping[str, str], encoding: str | None) -> bool:
    """Whether the signs of the map cannot be shown. Args: the environment; the encoding of the terminal's stream."""
    if environment.get("TERM", "").partition("-")[0] in POOR_TERMINALS:
        return True
    return not can_say("●◇◆★─│⠿▚", encoding)


def can_say(text: str, encoding: str | None) -> bool:
    """Whether an encoding has all signs of a text."""
    try:
        text.encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _likeness() -> dict[int, str]:
    like: dict[int, str] = {}
    for signs, plain in (
        ("─━┄┅┈┉╌╍═╴╶╸╺╼╾–—−‐‑▁▂▔", "-"), ("│┃┆┇┊┋╎╏║╵╷╹╻╽╿▏▎▍▌▐▕▊▋", "|"), ("█▉▇▆▅▄▃▀■▮▪●◆★⬤", "#"), ("░▒▓·•…∙", "."),
        ("○◇☆□▯◦", "o"), ("▸▶►→›»≥", ">"), ("◂◀◄←‹«≤", "<"), ("▴▲↑", "^"), ("▾▼↓", "v"), ("×✗✘⚔⊗", "x"), ("✓✔", "+"),
        ("’‘ʼ", "'"), ("“”", '"'), ("£", "L"), ("½", "/"), ("\u00a0", " "),
    ):  # fmt: skip
        like |= dict.fromkeys(map(ord, signs), plain)
    like |= dict.fromkeys(range(0x2580, 0x25A0), "#") | {n: like[n] for n in like if 0x2580 <= n < 0x25A0}
    for n in range(0x2500, 0x2580):  # what is left of the boxes is corners and crossings
        like.setdefault(n, "+")
    like |= dict.fromkeys(range(0x2801, 0x2900), ".") | {0x2800: " "}
    return like


_LIKE = _likeness()


def said_plainly(text: str) -> str:
    """A text in ASCII, with a sign of one cell for each that is none."""
    plain = text.translate(_LIKE)
    return plain if plain.isascii() else "".join(c if c.isascii() else LOST for c in plain)
