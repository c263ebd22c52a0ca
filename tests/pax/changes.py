"""Differences between two positions, or between two views."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

ROWS = (list, tuple)


def changes(before: Any, after: Any, where: str = "") -> Iterator[str]:
    """Each field that differs, by its path; of rows of another length what is gone and what is new."""
    if before == after:
        return
    if isinstance(before, dict) and isinstance(after, dict):
        for key in dict.fromkeys((*before, *after)):
            yield from changes(before.get(key), after.get(key), f"{where}.{key}".lstrip("."))
    elif isinstance(before, ROWS) and isinstance(after, ROWS) and len(before) == len(after):
        for n, (old, new_) in enumerate(zip(before, after, strict=True)):
            yield from changes(old, new_, f"{where}[{n}]")
    elif isinstance(before, ROWS) and isinstance(after, ROWS):
        gone, come = ([x for x in some if x not in others] for some, others in ((before, after), (after, before)))
        yield f"    {where}: {len(before)} -> {len(after)}, without {gone or 'one'}, with {come or 'one more'}"
    else:
        yield f"    {where}: {before} -> {after}"
