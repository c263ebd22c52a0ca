"""Units lost in combat, in peace and War: the smallest sufficient loss, whether there is a choice, and its answer.

Rules: CCB-007, CCB-052, CCB-055, WCB-023, WCB-026 (R-CCB-13, R-WCB-06)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from paxtui.pax.board.status import at
from paxtui.pax.history import events as ev
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import ARMY
from paxtui.pax.state.questions import Pending
from paxtui.pax.words.spoken import place_name

Piece = tuple[str, str]
"""A Unit that may be lost: its Power and its name."""


def armies(state: State, area: str, power: str) -> tuple[str, ...]:
    """The Power's Army Units in the Area by name, heavy ones first. Naval Units never count (CCB-007)."""
    units = [u for u in at(state, area).units if u.power == power and u.kind == ARMY]
    return tuple(f"A{n}" for n in sorted((u.strength for u in units), reverse=True))


def strength(pieces: Iterable[str]) -> int:
    """Strength points of units given by name."""
    return sum(int(name[1:]) for name in pieces)


def remove(play: Play, area: str, pieces: Iterable[Piece], reason: str, rules: tuple[str, ...]) -> None:
    """Take the units off the map, all of a Power together."""
    gone: dict[str, list[str]] = {}
    for power, name in pieces:
        gone.setdefault(power, []).append(name)
    for power, names in gone.items():
        play.emit(ev.UnitsLost(power=power, units=tuple(names), place=area, reason=reason, rules=rules))


def smallest(pieces: list[Piece], required: int) -> list[Piece]:
    """The smallest total of at least `required` strength points among `pieces`, then the fewest units.

    Rules: R-CCB-13
    """
    best: dict[int, list[Piece]] = {0: []}
    for piece in pieces:
        for total, chosen in sorted(best.items(), reverse=True):
            if total < required:
                sum_ = total + strength([piece[1]])
                if sum_ not in best or len(best[sum_]) > len(chosen) + 1:
                    best[sum_] = [*chosen, piece]
    enough = [total for total in best if total >= required]
    return best[min(enough)] if enough else list(pieces)


def only_one_way(pieces: list[Piece], chosen: list[Piece], required: int) -> bool:
    """Whether every sufficient loss contains `chosen`, so that there is nothing to choose."""
    have, lost = Counter(pieces), Counter(chosen)
    total = strength(name for _, name in pieces)
    return all(
        total - (have[piece] - n + 1) * strength([piece[1]]) < required for piece, n in lost.items()
    )


# --- naming them ----------------------------------------------------------------------------------------------------


def texts(pieces: Iterable[Piece], powers: tuple[str, ...]) -> tuple[str, ...]:
    """How units are named in an answer: with their Power where those of several may be."""
    return tuple(name if len(powers) == 1 else f"{power} {name}" for power, name in pieces)


def read(
    play: Play, choice: Pending, powers: tuple[str, ...], own: list[Piece], needed: int, answer: tuple[str, ...]
) -> list[Piece]:
    """The units of `own` that an answer names: at least `needed` strength points of them.

    Raises: Refusal `not_there`, `not_enough`.
    Rules: CCB-052, CCB-055, WCB-023, WCB-026
    """
    found = [(text.split()[0], text.split()[1]) if " " in text else (powers[0], text) for text in answer]
    if Counter(found) - Counter(own):
        where = place_name(play.tables, choice.area)
        refuse("not_there", choice.rules, f"Not all of {' '.join(answer)} stand in {where}.")
    if strength(name for _, name in found) < needed:
        refuse(
            "not_enough",
            choice.rules,
            f"{' '.join(answer) or 'Nothing'} is too little: at least {needed} strength points are lost.",
            needed=needed,
        )
    return found
