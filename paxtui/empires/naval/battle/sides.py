"""The two sides of a naval combat: who fights, who speaks for them, what is left of them.

Rules: EIA 6.3.1, 6.3.1.1, 6.3.1.2
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from paxtui.empires.history.sea_events import EncounterSet
from paxtui.empires.naval.places import kind
from paxtui.empires.naval.stacks import (
    admiral,
    at_war_with_any,
    carried,
    could_carry,
    group_of,
    ships,
    stack,
)
from paxtui.empires.play.play import Play
from paxtui.empires.state.model import State
from paxtui.empires.state.pieces import Fleet
from paxtui.empires.state.sea import Cause, Encounter, Side, SideName
from paxtui.empires.tables.tables import Tables

BOTH: tuple[SideName, SideName] = ("attacker", "defender")


def other(side: SideName) -> SideName:
    """The other side."""
    return "defender" if side == "attacker" else "attacker"


def of(encounter: Encounter, side: SideName) -> Side:
    """A side of a combat."""
    return encounter.attacker if side == "attacker" else encounter.defender


def changed(encounter: Encounter, side: SideName, new: Side) -> Encounter:
    """A combat with one of its sides changed."""
    return replace(encounter, attacker=new) if side == "attacker" else replace(encounter, defender=new)


def left(state: State, side: Side) -> tuple[Fleet, ...]:
    """The fleets of a side that are still on the map."""
    return tuple(state.fleets[name] for name in side.fleets if name in state.fleets)


def lead(state: State, fleets: Iterable[Fleet]) -> str:
    """The Power that speaks for some fleets: the one with most ships among them."""
    by_power: dict[str, int] = {}
    for fleet in fleets:
        by_power[fleet.power] = by_power.get(fleet.power, 0) + fleet.ships
    return max(by_power, key=lambda power: by_power[power])


def fights(tables: Tables, state: State, power: str, target: str, place: str) -> bool:
    """Whether a Power may fight the fleets of another at a place: by war with it, or with a corps it carries or could.

    Rules: EIA 6.2.3.1, 6.3.1.2
    """
    theirs = stack(state, place, (target,))
    cargo = tuple(one for fleet in theirs for one in could_carry(tables, state, fleet))
    return bool(theirs) and at_war_with_any(state, power, (target, *carried(state, theirs), *cargo))


def opponents(tables: Tables, state: State, powers: Iterable[str], target: str, place: str) -> tuple[str, ...]:
    """Those of `target` and who moves combined with it whose fleets at a place are fought by one of `powers`.

    Rules: EIA 6.3.1
    """
    against = tuple(powers)
    return tuple(
        one
        for one in group_of(state, target)
        if stack(state, place, (one,)) and any(fights(tables, state, power, one, place) for power in against)
    )


def engage(
    play: Play,
    place: str,
    attackers: tuple[str, ...],
    defenders: tuple[str, ...],
    cause: Cause,
    phasing: str,
    before: tuple[str, str] = ("", ""),
) -> None:
    """A naval combat begins.

    Args: where; the Powers of either side; why; in whose sequence; where attacker and defender came from.

    Rules: EIA 6.3.1, 6.3.2
    """
    sort = kind(play.tables, place)
    stage = "guns" if sort == "port" else "evasion" if cause == "attack" and sort == "sea" else "wind"
    sides = []
    for powers, start in zip((attackers, defenders), before, strict=True):
        fleets = stack(play.state, place, powers)
        sides.append(
            Side(
                powers=powers,
                fleets=tuple(fleet.id for fleet in fleets),
                ships=ships(fleets),
                naval_leader=admiral(play.state, fleets),
                before=start,
            )
        )
    encounter = Encounter(
        place=place,
        cause=cause,
        phasing=phasing,
        attacker=sides[0],
        defender=sides[1],
        stage="guns" if stage == "guns" else "evasion" if stage == "evasion" else "wind",
    )
    play.emit(EncounterSet(encounter=encounter, rules=("EIA 6.3.1",)))
