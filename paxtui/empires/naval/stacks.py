"""Whose fleets lie where, who is whose enemy at sea, and who moves with whom.

Rules: EIA 6.2.2, 6.2.3.1, 6.3.1.2
"""

from __future__ import annotations

from collections.abc import Iterable

from paxtui.empires.naval.places import box_of, place_of
from paxtui.empires.play.standing import at_war, owner
from paxtui.empires.state.model import State
from paxtui.empires.state.pieces import Fleet
from paxtui.empires.tables.tables import Tables

ACCESS = "c.5"
"""The peace term by which a loser lets the victor in."""


def group_of(state: State, power: str) -> tuple[str, ...]:
    """The Powers that move combined with a Power, itself among them.

    Rules: EIA 6.2.2
    """
    together = next((pair for pair in state.combined if power in pair), (power,))
    return tuple(one for one in state.powers if one in together) or (power,)


def nation_of(fleet: Fleet) -> str:
    """Whose ships a fleet has: a Power or a minor country."""
    return fleet.nation or fleet.power


def fleets_at(state: State, place: str) -> tuple[Fleet, ...]:
    """The fleets at a place."""
    return tuple(fleet for fleet in state.fleets.values() if place_of(fleet) == place)


def stack(state: State, place: str, powers: Iterable[str]) -> tuple[Fleet, ...]:
    """The fleets of some Powers at a place, which are one stack.

    Rules: EIA 6.2.2
    """
    wanted = tuple(powers)
    return tuple(fleet for fleet in fleets_at(state, place) if fleet.power in wanted)


def ships(fleets: Iterable[Fleet]) -> int:
    """The ships of some fleets."""
    return sum(fleet.ships for fleet in fleets)


def powers_of(fleets: Iterable[Fleet]) -> tuple[str, ...]:
    """Whose fleets these are, each Power once."""
    return tuple(dict.fromkeys(fleet.power for fleet in fleets))


def carried(state: State, fleets: Iterable[Fleet]) -> tuple[str, ...]:
    """Whose corps are aboard some fleets, each Power once."""
    aboard = (state.corps[corps].power for fleet in fleets for corps in fleet.cargo)
    return tuple(dict.fromkeys(aboard))


def hostile(state: State, power: str, fleets: Iterable[Fleet]) -> bool:
    """Whether a Power is at war with one of these fleets, or with a corps aboard them.

    Rules: EIA 6.2.3.1
    """
    stacked = tuple(fleets)
    return any(at_war(state, power, one) for one in (*powers_of(stacked), *carried(state, stacked)))


def at_war_with_any(state: State, power: str, others: Iterable[str]) -> bool:
    """Whether a Power is at war with one of several."""
    return any(at_war(state, power, one) for one in others)


def blockaders(state: State, port: str, power: str) -> tuple[Fleet, ...]:
    """The fleets in the blockade box of a port that are at war with a Power."""
    return tuple(fleet for fleet in fleets_at(state, box_of(port)) if at_war(state, power, fleet.power))


def admiral(state: State, fleets: Iterable[Fleet]) -> str:
    """The leader who commands some fleets at sea, "" where none is with them."""
    ids = {fleet.id for fleet in fleets}
    return next((name for name, one in state.leaders.items() if one.naval and one.where in ids), "")


def has_access(state: State, guest: str, holder: str) -> bool:
    """Whether a Power lets another into its areas, by leave or by the term C.5 of a peace."""
    peace = any(one.loser == holder and one.victor == guest and ACCESS in one.terms for one in state.treaties)
    return peace or (holder, guest) in state.access


def open_to(tables: Tables, state: State, power: str, port: str) -> bool:
    """Whether a Power may lie in a port: it holds it, or moves combined with its holder, or has access from it.

    Rules: EIA 6.2.1.2
    """
    holder = owner(tables, state, port)
    return holder in group_of(state, power) or has_access(state, power, holder)


def could_carry(tables: Tables, state: State, fleet: Fleet) -> tuple[str, ...]:
    """Powers with whom a fleet in port moves combined and whose corps stand beside it: it could carry them.

    Rules: EIA 6.2.7, 6.3.1.3
    """
    if not fleet.box:
        return ()
    group = group_of(state, fleet.power)
    ashore = (one.power for one in state.corps.values() if one.where == fleet.where and one.power in group)
    return tuple(dict.fromkeys(power for power in ashore if power != fleet.power))
