"""What is different in the next position: for whatever is found by carrying the last answer on.

A position that follows another shares with it all that has not changed; so what is the very same object need not be
looked at, and of a hundred Areas one or two are left.
"""

from __future__ import annotations

from itertools import compress
from operator import is_not
from typing import TypeVar

T = TypeVar("T")


def changes(before: dict[str, T], now: dict[str, T]) -> list[tuple[T | None, T | None]]:
    """What stood and what stands, wherever something else stands now; None for nothing.

    Args: the Areas, or other places by name, of the last position and of this one.
    """
    if list(before) == list(now):  # as nearly always: then both lie in the same order
        then, here = before.values(), now.values()
        return list(compress(zip(then, here, strict=True), map(is_not, then, here)))
    names = dict.fromkeys((*before, *now))
    return [(before.get(name), now.get(name)) for name in names if before.get(name) is not now.get(name)]
