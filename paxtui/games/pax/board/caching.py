"""The one cache of the rules: answers kept for as long as what they were made of is the very same.

Positions are never changed, only followed by others, so that whatever was found out about one holds as long as it is
asked about the same objects. What is found by carrying the last answer on to the next position (pieces in use, links,
the view of each Area; see `paxtui.games.pax.board.caching`) is no such thing, and keeps its own last answer.

What is different in the next position: for whatever is found by carrying the last answer on.

A position that follows another shares with it all that has not changed; so what is the very same object need not be
looked at, and of a hundred Areas one or two are left.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from itertools import compress
from operator import is_, is_not
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

CacheKey = tuple[Hashable, tuple[object, ...]]
"""What an answer is made of: values that are compared, and objects that have to be the very same."""


def cached(most: int, by: Callable[P, CacheKey]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorator: the last answers of a function are given again. Nobody may change them.

    Args:
        most: answers that are kept, the oldest going first: enough for a few games side by side.
        by: what an answer is made of, from the function's own arguments. Nothing else may make a difference to it.
    """

    def keeping(function: Callable[P, R]) -> Callable[P, R]:
        # the objects are kept with the answer, so that no other object can come to bear their ids
        kept: dict[tuple[Hashable, ...], tuple[tuple[object, ...], R]] = {}

        @wraps(function)
        def asked(*args: P.args, **words: P.kwargs) -> R:
            values, objects = by(*args, **words)
            key = (values, *map(id, objects))
            known = kept.get(key)
            if known is None:
                answer = function(*args, **words)
                if len(kept) >= most:
                    kept.pop(next(iter(kept)), None)
                known = kept[key] = (objects, answer)
            return known[1]

        return asked

    return keeping


T = TypeVar("T")


def changed_values(before: dict[str, T], now: dict[str, T]) -> list[tuple[T | None, T | None]]:
    """What stood and what stands, wherever something else stands now; None for nothing.

    Args: the Areas, or other places by name, of the last position and of this one.
    """
    if len(before) == len(now) and all(map(is_, before, now)):  # as nearly always: the same names in the same order
        return [(before[name], now[name]) for name in compress(now, map(is_not, before.values(), now.values()))]
    names = dict.fromkeys((*before, *now))
    return [(before.get(name), now.get(name)) for name in names if before.get(name) is not now.get(name)]
