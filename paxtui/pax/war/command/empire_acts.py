"""What an Empire without a Great Power beside it does in its own Phases: its Armies march, and attack.

Rules: REB-010 to REB-018, REB-055, REB-057, OTT-008 (R-REB-03, R-REB-04, R-OTT-11)
"""

from __future__ import annotations

from paxtui.pax.history import events as ev
from paxtui.pax.play.play import Play
from paxtui.pax.state.model import units_at
from paxtui.pax.state.pieces import ARMY, Unit
from paxtui.pax.state.war import ATTACK, MANEUVER, War
from paxtui.pax.war import empire
from paxtui.pax.war.alliances import unallied_empire
from paxtui.pax.war.campaign import battle

FACES = 6
"""Faces of a die."""


def act(play: Play, war: War) -> bool:
    """What the Empire does in a Phase of its Alliance; whether it is an Empire's that fights alone.

    It may be asked again after a choice: what is done is not done twice.

    Rules: REB-010 to REB-018, OTT-008
    """
    power = unallied_empire(play.state, war)
    if not power or war.side_of(power) != war.turn_of:
        return False
    if war.stage == MANEUVER:
        _march(play, war, power)
    elif war.stage == ATTACK:
        _assault(play, war, power)
    return True


# --- marching -------------------------------------------------------------------------------------------------------


def _march(play: Play, war: War, power: str) -> None:
    """Each Army that no enemy holds down goes one Area towards the nearest enemy Army, if it can reach any.

    Rules: REB-010, REB-011, REB-013, REB-057 (R-REB-17)
    """
    marched = False
    for area in sorted(a for a, here in play.state.areas.items() if any(u.power == power for u in here.units)):
        if empire.held_down(play.state, war, area):
            continue
        for unit in units_at(play.state, area):
            if (unit.power, unit.kind, unit.halted) == (power, ARMY, False):
                marched = _one_step(play, war, area, unit) or marched
    if marched:
        play.emit(ev.ArmyMarched(war=war.id, rules=("REB-057",)))


def _one_step(play: Play, war: War, area: str, unit: Unit) -> bool:
    """One Army goes one Area towards its target; whether it has one.

    Rules: REB-011, REB-012, REB-013, REB-055 (R-REB-03)
    """
    near = empire.targets(play.tables, play.state, war, area)
    if not near:
        return False
    target = near[0] if len(near) == 1 else _rolled(play, war, area, unit, near)
    ways = empire.towards(play.tables, play.state, war, area, target)
    to = ways[0] if len(ways) == 1 else ways[play.dice.draw(len(ways))]
    play.emit(
        ev.UnitsMoved(
            power=unit.power, units=(unit.name,), path=(area, to), halted=True, reason="war",
            rules=("REB-011", "REB-013"),
        )
    )  # fmt: skip
    return True


def _rolled(play: Play, war: War, area: str, unit: Unit, near: tuple[str, ...]) -> str:
    """The die says which of several equally near Areas an Army heads for; it is thrown again where it does not divide.

    Rules: REB-012
    """
    dice: list[int] = []
    share = FACES // len(near)  # faces of the die for each of them
    while share and (not dice or dice[-1] > share * len(near)):
        dice.append(play.dice.roll())
    # more than a die can tell apart are told apart by the seed
    target = near[(dice[-1] - 1) // share] if share else near[play.dice.draw(len(near))]
    play.emit(
        ev.TargetRolled(
            war=war.id, area=area, army=unit.name, targets=near, dice=tuple(dice), target=target,
            rules=("REB-012",),
        )
    )  # fmt: skip
    return target


# --- attacking ------------------------------------------------------------------------------------------------------


def _assault(play: Play, war: War, power: str) -> None:
    """Wherever its Armies stand beside enemy Armies they attack, whatever the odds, in alphabetical order of Areas.

    Rules: REB-016, REB-017, REB-018 (R-REB-04)
    """
    for area in sorted(a for a, here in play.state.areas.items() if any(u.power == power for u in here.units)):
        now = next(w for w in play.state.wars if w.id == war.id)
        both = battle.attackers(play.state, now, area, ARMY) and battle.defenders(play.state, now, area, ARMY)
        if not both or any((c.place, c.kind) == (area, ARMY) for c in now.clashes):
            continue
        battle.fight(play, now, area, ARMY)
        if any(c.about.pressing for c in play.state.choices):
            return
