"""Where a fleet may go: ice, the Dardanelles, foreign ports and blockade boxes.

Rules: EIA 6.2.1.2, 6.2.1.3, 6.2.1.4, 6.2.5.1, 6.2.7
"""

from __future__ import annotations

from collections.abc import Iterable

from paxtui.empires.naval.places import box_of, kind, name_of, port_of
from paxtui.empires.naval.stacks import (
    at_war_with_any,
    carried,
    could_carry,
    fleets_at,
    has_access,
    hostile,
    open_to,
    powers_of,
)
from paxtui.empires.play.play import refuse
from paxtui.empires.play.standing import at_war, owner
from paxtui.empires.state.model import State
from paxtui.empires.state.pieces import Fleet
from paxtui.empires.tables.tables import Tables
from paxtui.empires.time.winter import is_winter


def besiegers(tables: Tables, state: State, area: str) -> tuple[str, ...]:
    """Powers whose corps stand outside the city of an area that its holder still garrisons."""
    holder = owner(tables, state, area)
    outside = (one.power for one in state.corps.values() if one.where == area and not one.inside)
    held = any(one.where == area and one.power == holder and not one.of_depot for one in state.garrisons)
    return tuple(dict.fromkeys(power for power in outside if held and at_war(state, power, holder)))


def passes_gate(tables: Tables, state: State, power: str, place: str) -> bool:
    """Whether a Power may enter a sea area that a city commands; any other it may.

    Rules: EIA 6.2.1.3
    """
    gate = tables.areas[port_of(place)].gate
    if not gate or kind(tables, place) != "sea":
        return True
    holder, around = owner(tables, state, gate), besiegers(tables, state, gate)
    return (holder == power and not around) or power in around or has_access(state, power, holder)


def frozen(tables: Tables, state: State, place: str) -> bool:
    """Whether ice closes a sea area this month.

    Rules: EIA 6.2.1.4
    """
    area = tables.areas[port_of(place)]
    return area.sea and area.winter and kind(tables, place) == "sea" and is_winter(tables, state.turn)


def sea_open(tables: Tables, state: State, powers: Iterable[str], place: str) -> bool:
    """Whether neither ice nor the Dardanelles keep fleets of these Powers out of a place, whatever lies there.

    Rules: EIA 6.2.1.3, 6.2.1.4, 6.3.5.1.2
    """
    return not frozen(tables, state, place) and all(passes_gate(tables, state, one, place) for one in powers)


def may_blockade(tables: Tables, state: State, power: str, port: str) -> bool:
    """Whether a Power has an enemy to blockade at a port: its holder, a fleet in port or box, a corps to be carried.

    Rules: EIA 6.2.7, 6.2.7.1
    """
    if at_war(state, power, owner(tables, state, port)):
        return True
    there = (*fleets_at(state, port), *fleets_at(state, box_of(port)))
    others = tuple(fleet for fleet in there if fleet.power != power)
    cargo = tuple(one for fleet in fleets_at(state, port) for one in could_carry(tables, state, fleet))
    return hostile(state, power, others) or at_war_with_any(state, power, cargo)


def enemies_in_port(tables: Tables, state: State, power: str, port: str) -> bool:
    """Whether a fleet lies in a port that a Power may attack there, by itself or for what it could carry.

    Rules: EIA 6.2.1.2, 6.3.1.3
    """
    return any(
        hostile(state, power, (fleet,)) or at_war_with_any(state, power, could_carry(tables, state, fleet))
        for fleet in fleets_at(state, port)
        if fleet.power != power
    )


def check(tables: Tables, state: State, fleets: tuple[Fleet, ...], start: str, place: str, last: bool) -> None:
    """Refuse a step that a stack may not make.

    Args: tables and position; the stack; where it is; the place beside that it enters; whether it means to stay there.
    Raises: Refusal.

    Rules: EIA 6.2.1.2, 6.2.1.3, 6.2.1.4, 6.2.5.1, 6.2.7
    """
    name = name_of(tables, place)
    powers = powers_of(fleets)
    if frozen(tables, state, start):
        refuse("ice", f"Ice keeps the stack in {name_of(tables, start)} until winter is over.", "EIA 6.2.1.4")
    if frozen(tables, state, place):
        refuse("ice", f"In winter nobody enters {name}: it lies beyond the ice line.", "EIA 6.2.1.4")
    for power in powers:
        if not passes_gate(tables, state, power, place):
            gate = tables.name(tables.areas[place].gate)
            refuse("straits", f"Who holds {gate} does not let {tables.name(power)} into {name}.", "EIA 6.2.1.3")
    if kind(tables, place) == "port":
        _check_port(tables, state, fleets, place)
    if kind(tables, place) == "box" and last:
        port = port_of(place)
        if not all(may_blockade(tables, state, power, port) for power in powers):
            refuse(
                "no_blockade",
                f"A blockade box is for enemies: nobody at {tables.name(port)} is at war with that stack.",
                "EIA 6.2.7",
            )


def _check_port(tables: Tables, state: State, fleets: tuple[Fleet, ...], port: str) -> None:
    """Refuse a port that a stack may not enter. Raises: Refusal."""
    for power in powers_of(fleets):
        if open_to(tables, state, power, port):
            continue
        if carried(state, fleets):
            refuse(
                "closed_port",
                f"A fleet with corps aboard enters only ports it holds or has access to, not {tables.name(port)}.",
                "EIA 6.2.5.1",
            )
        if not enemies_in_port(tables, state, power, port):
            refuse(
                "closed_port",
                f"{tables.name(power)} enters {tables.name(port)} only by leave of its holder or to attack a fleet.",
                "EIA 6.2.1.2",
            )
