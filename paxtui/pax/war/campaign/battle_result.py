"""The six results of a combat in War: eliminations, exchanges and retreats of whole sides.

Rules: WCB-019, WCB-020, WCB-021, WCB-023 to WCB-030, WCB-034 to WCB-036 (R-WCB-05, R-WCB-07, R-WCB-10)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from paxtui.pax.board.status import at
from paxtui.pax.board.tables import HOME
from paxtui.pax.combat import losses
from paxtui.pax.history import events as ev
from paxtui.pax.play.play import Play
from paxtui.pax.state.model import units_at
from paxtui.pax.state.pieces import ARMY, Unit
from paxtui.pax.state.war import War
from paxtui.pax.war.alliances import allies, enemies
from paxtui.pax.war.campaign import surrender
from paxtui.pax.war.campaign.maneuver import open_steps
from paxtui.pax.war.campaign.ways import Step, is_sea

Units = tuple[Unit, ...]


def apply(play: Play, war: War, place: str, result: str, ours: Units, theirs: Units) -> None:
    """Do to attackers (`ours`) and defenders what the result says.

    Rules: WCB-019, WCB-020, WCB-023, WCB-026, WCB-027, WCB-029, WCB-030 (R-WCB-05)
    """
    if result == "E":
        _remove(play, place, ours, ("WCB-019",))
    elif result == "AR":
        retreat(play, war, place, ours, ("WCB-020",))
    elif result == "DR":
        retreat(play, war, place, theirs, ("WCB-029",))
    elif result == "DE":
        _remove(play, place, theirs, ("WCB-030",))
    else:
        exchange(play, place, result, ours, theirs)


def exchange(play: Play, place: str, result: str, ours: Units, theirs: Units) -> None:
    """The weaker force is removed, the stronger loses as much, or half as much, of it.

    Equal forces: both in an exchange; in a half one the attacker is the weaker.

    Rules: WCB-023, WCB-026, WCB-027 (R-WCB-05)
    """
    attack, defend = strength(ours), strength(theirs)
    weaker, stronger = (ours, theirs) if attack <= defend else (theirs, ours)
    rule = "WCB-023" if result == "EX" else "WCB-026"
    needed = strength(weaker) if result == "EX" else (strength(weaker) + 1) // 2
    _remove(play, place, weaker, (rule,))
    share(play, place, stronger, needed, (rule,))


def share(play: Play, place: str, units: Units, needed: int, rules: tuple[str, ...]) -> None:
    """The stronger force loses at least so many strength points, Great Powers' Units before those of Minor Powers.

    Rules: WCB-024, WCB-028 (R-WCB-06)
    """
    great = [(u.power, u.name) for u in units if u.power in play.state.powers]
    minor = [(u.power, u.name) for u in units if u.power not in play.state.powers]
    first = losses.smallest(great, needed)
    rest = needed - losses.strength(name for _, name in first)
    lost = [*first, *(losses.smallest(minor, rest) if rest > 0 else [])]
    losses.remove(play, place, lost, "combat", (*rules, "WCB-024"))


def retreat(play: Play, war: War, place: str, units: Units, rules: tuple[str, ...]) -> None:
    """Units leave a place for places beside it that are open to them, or surrender.

    Rules: WCB-020, WCB-021, WCB-029, WCB-034, WCB-035, WCB-036
    """
    for unit in units:
        to = next(iter(retreats(play, war, unit, place)), None)
        if to is None:
            surrender.surrender(
                play, war, unit.power, (unit.name,), place, "no way of retreat", ("WCB-021", "SUP-020", *rules)
            )
            continue
        play.emit(
            ev.UnitsMoved(
                power=unit.power,
                units=(unit.name,),
                path=(place, to.place),
                coast=to.coast,
                halted=True,
                reason="retreat",
                start_coast=unit.coast,
                rules=rules,
            )
        )


def retreats(play: Play, war: War, unit: Unit, place: str) -> list[Step]:
    """The places a Unit may retreat to: own ones first, then home, then the others.

    Rules: WCB-020, WCB-034, WCB-035, WCB-036 (R-WCB-07)
    """
    found = [s for s in open_steps(play.tables, play.state, war, unit, place) if _bearable(play, war, unit, place, s)]

    def preference(step: Step) -> tuple[bool, bool]:
        own = step.place in play.state.areas and any(
            m.power == unit.power and m.established for m in at(play.state, step.place).markers
        )
        return not own, step.place != HOME + unit.power

    return sorted(found, key=preference)


def _bearable(play: Play, war: War, unit: Unit, place: str, step: Step) -> bool:
    """Whether enemy Units leave a place open for retreat. Rules: WCB-034, WCB-035, WCB-036 (R-WCB-07)."""
    if step.place == place:
        return False
    there = units_at(play.state, step.place)
    foes = [u for u in there if u.power in enemies(war, unit.power)]
    if unit.kind == ARMY:
        return not any(u.kind == ARMY for u in foes)
    if is_sea(play.tables, step.place) or not foes:
        return True
    return any(u.power in allies(war, unit.power) for u in there)


def strength(units: Iterable[Unit]) -> int:
    """Strength points of some Units."""
    return sum(u.strength for u in units)


def _remove(play: Play, place: str, units: Units, rules: tuple[str, ...]) -> None:
    """Units leave the map for good."""
    for power, count in Counter(u.power for u in units).items():
        names = tuple(u.name for u in units if u.power == power)[:count]
        play.emit(ev.UnitsLost(power=power, units=names, place=place, reason="combat", rules=rules))
