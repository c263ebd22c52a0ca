"""Numbers that an exercise with corps has to give: nobody published them, and none is guessed."""

from __future__ import annotations

from paxtui.empires.tables.exercise import Exercise

LAND = "land"
"""The phase that needs them."""

KINDS = ("militia", "infantry", "cavalry", "guard", "artillery")

ALWAYS = ("battle.days", "battle.large", "points.battle", "points.battle.large")
PURSUIT = tuple(f"pursuit.{die}" for die in range(1, 7))


def needed(exercise: Exercise) -> tuple[str, ...]:
    """The cells that an exercise with a land phase needs: depots by Power, morale by nation, combat and pursuit."""
    if not exercise.corps or LAND not in exercise.phases:
        return ()
    nations = dict.fromkeys((*exercise.powers, *(one.nation for one in exercise.corps if one.nation)))
    depots = tuple(f"depots.{power}" for power in exercise.powers)
    morale = tuple(f"morale.{nation}.{kind}" for nation in nations for kind in KINDS)
    return (*ALWAYS, *PURSUIT, *depots, *morale)
