"""Cache decorator for functions of immutable positions, and comparison of successive positions.

Successive positions share unchanged objects, so both compare by identity. Functions that update their last result
(pieces, links, views) keep it themselves and use `changed_values`.
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
"""Key of a cached result: values compared by equality, and objects compared by identity."""


def cached(most: int, by: Callable[P, CacheKey]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorator: cache the last results of a function. Callers must not change them.

    Args:
        most: number of results kept; the oldest goes first.
        by: returns the key from the function's arguments. It must cover everything that the result depends on.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        # keep the objects with the result, so that no new object can get their ids
        kept: dict[tuple[Hashable, ...], tuple[tuple[object, ...], R]] = {}

        @wraps(function)
        def cached_call(*args: P.args, **words: P.kwargs) -> R:
            values, objects = by(*args, **words)
            key = (values, *map(id, objects))
            known = kept.get(key)
            if known is None:
                answer = function(*args, **words)
                if len(kept) >= most:
                    kept.pop(next(iter(kept)), None)
                known = kept[key] = (objects, answer)
            return known[1]

        return cached_call

    return decorate


T = TypeVar("T")


def first_alike(most: int, are_alike: Callable[[T, T], bool]) -> Callable[[dict[str, T]], dict[str, T]]:
    """Return a function that finds, for a dictionary, the first of the recent ones with values like its own.

    Results that depend only on what `are_alike` compares can be cached by the found dictionary.

    Args:
        most: number of dictionaries kept.
        are_alike: whether an old and a new value are alike.
    """
    kept: list[tuple[dict[str, T], dict[str, T]]] = []  # the last dictionary of each sort, and the first one

    def find(now: dict[str, T]) -> dict[str, T]:
        for last, first in kept:
            if last is now:
                return first
        for n, (last, first) in enumerate(kept):
            changes = changed_values(last, now)
            if all(then is not None and here is not None and are_alike(then, here) for then, here in changes):
                kept[n] = now, first
                return first
        kept.insert(0, (now, now))
        del kept[most:]
        return now

    return find


def changed_values(before: dict[str, T], now: dict[str, T]) -> list[tuple[T | None, T | None]]:
    """Return the old and the new value of each changed key; None for a missing one.

    Args:
        before: Areas, or other values by name, of the last position.
        now: those of this position.
    """
    if len(before) == len(now) and all(map(is_, before, now)):  # the usual case: the same names in the same order
        return [(before[name], now[name]) for name in compress(now, map(is_not, before.values(), now.values()))]
    names = dict.fromkeys((*before, *now))
    return [(before.get(name), now.get(name)) for name in names if before.get(name) is not now.get(name)]
