"""A bar that fills up: how far an Index has come."""

from __future__ import annotations

from paxtui.tui.writing.look import Look

EIGHTHS = " ▏▎▍▌▋▊▉"
"""A cell filled by so many eighths."""
FULL, EMPTY = "█", "░"


def meter(look: Look, value: int, most: int, cells: int) -> str:
    """A bar of so many cells. Whatever is more than nothing shows, and only `most` fills it.

    Args: what the palette may show; how far it has come; where it ends; the cells.
    """
    eighths = max(0, min(8 * cells, 8 * cells * value // most))
    if value > 0:
        eighths = max(1, eighths)
    if look.palette.ascii:
        eighths = -(-eighths // 8) * 8 if eighths < 8 else eighths // 8 * 8
    full, rest = divmod(eighths, 8)
    bar = FULL * full + (EIGHTHS[rest] if rest else "")
    return bar + EMPTY * (cells - len(bar))
