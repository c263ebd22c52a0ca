"""Rows of cells: what every chart is drawn with. A piece is a text and the name of its ink."""

from __future__ import annotations

from collections.abc import Sequence

Piece = tuple[str, str]
"""A text, and its ink: a Power, a role ("faint", "bold", "alarm", "good", "key"), "on:" and a Power for its colour
reversed, "" for none."""
Cells = list[Piece]
"""A row."""

FAINT, BOLD, ALARM, KEY, ON = "faint", "bold", "alarm", "key", "on:"


def wide(pieces: Sequence[Piece]) -> int:
    """Cells of a row; every sign of the charts takes one."""
    return sum(len(text) for text, _ in pieces)


def fitted(pieces: Sequence[Piece], width: int) -> Cells:
    """A row in just so many cells: cut, or filled up."""
    out: Cells = []
    left = width
    for text, ink in pieces:
        if len(text) > left >= len(text.rstrip()):
            text = text[:left]
        if len(text) > left:
            out.append((text[: max(0, left - 1)] + "…" * (left > 0), ink))
            left = 0
            break
        out.append((text, ink))
        left -= len(text)
    return [*out, (" " * left, "")] if left else out


def heading(title: str, note: str, width: int) -> list[Cells]:
    """The rows over a chart: its title, and beside it, or below, its note."""
    if not note:
        return [fitted([(title, BOLD)], width)]
    if len(title) + len(note) + 3 <= width:
        return [fitted([(title, BOLD), ("   " + note, FAINT)], width)]
    return [fitted([(title, BOLD)], width), fitted([(note, FAINT)], width)]
