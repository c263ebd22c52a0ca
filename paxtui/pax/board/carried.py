"""What is different in the next position: for whatever is found by carrying the last answer on.

A position that follows another shares with it all that has not changed; so what is the very same object need not be
looked at, and of a hundred Areas one or two are left.
"""

from __future__ import annotations

from itertools import compress
from operator import is_, is_not
from typing import TypeVar

T = TypeVar("T")


def changes(before: dict[str, T], now: dict[str, T]) -> list[tuple[T | None, T | None]]:
    """What stood and what stands, wherever something else stands now; None for nothing.

    Args: the Areas, or other places by name, of the last position and of this one.
    """
    if len(before) == len(now) and all(map(is_, before, now)):  # as nearly always: the same names in the same order
        return [(before[name], now[name]) for name in compress(now, map(is_not, before.values(), now.values()))]
    names = dict.fromkeys((*before, *now))
    return [(before.get(name), now.get(name)) for name in names if before.get(name) is not now.get(name)]
