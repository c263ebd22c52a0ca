"""The one cache of the rules: answers kept for as long as what they were made of is the very same.

Positions are never changed, only followed by others, so that whatever was found out about one holds as long as it is
asked about the same objects. What is found by carrying the last answer on to the next position (pieces in use, links,
the view of each Area; see `paxtui.pax.board.carried`) is no such thing, and keeps its own last answer.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

MadeOf = tuple[Hashable, tuple[object, ...]]
"""What an answer is made of: values that are compared, and objects that have to be the very same."""


def remembered(most: int, by: Callable[P, MadeOf]) -> Callable[[Callable[P, R]], Callable[P, R]]:
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
