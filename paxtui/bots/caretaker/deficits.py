"""What an abandoned Power gives up when its income does not cover its maintenance.

Rules: ORD-002, ADM-020 (R-ORD-17)
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from paxtui.pax.board.tables import Tables
from paxtui.pax.state.pieces import LEVEL
from paxtui.pax.state.questions import Deficit, Pending


class Loss(NamedTuple):
    """A set of pieces, by what makes one better than another: the first in this order is given up.

    Attributes:
        steps: points of European Tensions.
        value: Economic Value of the Areas whose markers go, in pounds.
        pieces: their texts, in the order of the alphabet.
    """

    steps: int
    value: int
    pieces: tuple[str, ...]


def give_up(tables: Tables, choice: Pending, deficit: Deficit, tense: bool) -> tuple[str, ...]:
    """Of the sets with the least excess that of the fewest steps of tension, then of the lowest value.

    Args: the tables; the question; what it is about; whether a marker given up raises the tensions.
    Returns: texts of the options; the default, where nothing fits.
    Rules: ORD-002 (R-ORD-17)
    """
    # (pounds saved, Armies near India) -> the best set that saves so much
    best: dict[tuple[int, int], Loss] = {(0, 0): Loss(0, 0, ())}
    for text, count in sorted(Counter(o for o in choice.options if isinstance(o, str)).items()):
        what, area = text.split()
        level = LEVEL.get(what, 0)
        steps, value = (level if tense else 0), (tables.areas[area].value if level else 0)
        near = int(text in deficit.near_india)
        grown = dict(best)
        for (saved, used), loss in best.items():
            for n in range(1, count + 1):
                key = saved + n * deficit.saves[text], used + n * near
                if key[0] > deficit.exactly or key[1] > deficit.of_india:
                    break
                more = Loss(loss.steps + n * steps, loss.value + n * value, (*loss.pieces, *[text] * n))
                grown[key] = min(more, grown.get(key, more))
        best = grown
    found = [loss.pieces for (saved, _), loss in sorted(best.items(), key=lambda e: e[1]) if saved == deficit.exactly]
    default = (choice.default,) if isinstance(choice.default, str) else choice.default
    return found[0] if found else default
