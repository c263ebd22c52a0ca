"""Numbers that an exercise with corps has to give: nobody published them, and none is guessed."""

from __future__ import annotations

from paxtui.empires.tables.exercise import Exercise

LAND = "land"
"""The phase that needs them."""

ALWAYS = ("battle.days", "battle.large", "points.battle", "points.battle.large")
PURSUIT = tuple(f"pursuit.{die}" for die in range(1, 7))


def needed(exercise: Exercise) -> tuple[str, ...]:
    """The cells that an exercise with a land phase needs: depots by Power, combat and pursuit."""
    if not exercise.corps or LAND not in exercise.phases:
        return ()
    depots = tuple(f"depots.{power}" for power in exercise.powers)
    return (*ALWAYS, *PURSUIT, *depots)


def nations(exercise: Exercise) -> tuple[str, ...]:
    """Return the nations whose factors may fight on land: they need a row of morale."""
    if not exercise.corps or LAND not in exercise.phases:
        return ()
    later = (one.nation for each in exercise.reinforcements for one in each.corps if one.nation)
    return tuple(dict.fromkeys((*exercise.powers, *(one.nation for one in exercise.corps if one.nation), *later)))
