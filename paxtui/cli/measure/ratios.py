"""The figures of two programs, or of one program on two days, side by side."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

WORSE = 0.95
"""The ratio below which a figure is called worse."""


def read_figures(path: Path) -> dict[str, float]:
    """The figures that `paxtui bench --json` has written.

    Raises:
        OSError: the file cannot be read.
        ValueError: there is no such object in it.
    """
    figures = json.loads(path.read_text("utf-8"))
    if not isinstance(figures, dict):
        raise ValueError("no JSON object")
    return {
        name: float(value)
        for name, value in figures.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }


def ratios(old: Mapping[str, float], now: Mapping[str, float | None], more: Mapping[str, bool]) -> dict[str, float]:
    """How many times as good each figure is now: 2 is twice as good, 0.5 half as good.

    Args:
        old: the earlier figures. now: those of today, None for what was not measured.
        more: by name, whether more is better; what is not named is left out.
    """
    found: dict[str, float] = {}
    for name, value in now.items():
        before = old.get(name)
        if name in more and value and before:
            found[name] = value / before if more[name] else before / value
    return found
