"""Who plays what in a mail game, by each player's list of the Powers he would like, the one he likes best first.

Rules: PBM-003 (R-PBM-19)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations

from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal


def assigned(preferences: Mapping[str, Sequence[str]], seats: Sequence[str], dice: Dice) -> dict[str, str]:
    """The seat of each player: the least sum of ranks, then the least worst rank, then lot.

    Args: each player's list; the seats of the game; gives the lot.
    Raises: Refusal `preferences`, where there are not as many players as seats, or a list is not of all of them.
    Rules: PBM-003 (R-PBM-19)
    """
    players, seats = sorted(preferences), sorted(seats)  # the lot falls alike however they were listed
    if len(players) != len(seats):
        raise Refusal(
            "preferences", ("PBM-003",), f"There are {len(seats)} seats and {len(players)} lists of preferences."
        )
    for player, wanted in preferences.items():
        if sorted(wanted) != seats:
            raise Refusal(
                "preferences", ("PBM-003",), f"The list of {player} has to name each of these once: {', '.join(seats)}."
            )
    ranks = [[preferences[player].index(seat) for seat in seats] for player in players]
    best: tuple[int, int] | None = None
    found: list[tuple[int, ...]] = []
    for chosen in permutations(range(len(seats))):
        held = [ranks[player][seat] for player, seat in enumerate(chosen)]
        cost = sum(held), max(held)
        if best is None or cost < best:
            best, found = cost, [chosen]
        elif cost == best:
            found.append(chosen)
    lot = found[dice.draw(len(found))] if len(found) > 1 else found[0]
    return {player: seats[seat] for player, seat in zip(players, lot, strict=True)}
