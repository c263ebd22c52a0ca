"""The two sides of a field combat: who fights, who commands, and how losses are taken."""

from __future__ import annotations

from collections.abc import Iterable

from paxtui.empires.battle.declaring import DEPOT, field_counters, field_forces
from paxtui.empires.battle.morale import base_morale
from paxtui.empires.history.land_events import CorpsStrength, GarrisonStrength
from paxtui.empires.play.factors import KINDS, minus, of, only
from paxtui.empires.play.play import Play
from paxtui.empires.play.presence import CORPS, garrison
from paxtui.empires.state.campaign import Attack, Battle, Force
from paxtui.empires.state.model import State
from paxtui.empires.state.pieces import Factors
from paxtui.empires.supply.feeding import orphan_leaders
from paxtui.empires.tables.tables import Tables


def force_of(state: State, area: str, powers: tuple[str, ...], attacks: bool) -> Force:
    """A side as it begins: its counters, a depot garrison in defence, and its commander. Rules: EIA 7.5.1.2"""
    names: list[str] = []
    for power in powers:
        names += [one.id for one in field_counters(state, power, area)] if attacks else field_forces(state, power, area)
    corps = tuple(one for one in names if not one.startswith(DEPOT))
    return Force(
        powers=powers,
        corps=corps,
        garrison=any(one.startswith(DEPOT) for one in names),
        leader=commander(state, corps),
    )


def begin(state: State, attack: Attack) -> Battle:
    """A field combat where an attack meets corps. It is over a river only where every attacking corps crossed one."""
    attacker = force_of(state, attack.area, attack.attackers, attacks=True)
    defender = force_of(state, attack.area, attack.defenders, attacks=False)
    treks = state.campaign.treks
    river = bool(attacker.corps) and all(one in treks and treks[one].over_river for one in attacker.corps)
    return Battle(area=attack.area, attacker=attacker, defender=defender, river=river)


def commander(state: State, corps: Iterable[str]) -> str:
    """The leader who commands some corps: of the highest rank, then of the best strategic rating; "" for none."""
    names = set(corps)
    there = [one for one in state.leaders.values() if one.where in names and not one.naval]
    return min(there, key=lambda one: (one.rank, -one.strategic, one.id)).id if there else ""


def of_side(battle: Battle, side: str) -> Force:
    """The force of a side."""
    return battle.attacker if side == "attacker" else battle.defender


def ratings(tables: Tables, state: State, force: Force) -> tuple[int, int]:
    """Return the strategic and tactical rating of a side.

    Without a leader they are those of its nation. A leader with more corps than his limit counts one less in tactics.
    """
    leader = state.leaders.get(force.leader)
    if leader is None:
        nations = {state.corps[one].nation or state.corps[one].power for one in force.corps if one in state.corps}
        row = tables.morale_of(nations.pop() if len(nations) == 1 else force.powers[0])
        return row.strategic, row.tactical
    corps = sum(1 for one in force.corps if one in state.corps and state.corps[one].kind in CORPS)
    over = bool(leader.most) and corps > leader.most
    return leader.strategic, max(0, min(5, leader.tactical - int(over)))


def present(state: State, battle: Battle, force: Force) -> list[tuple[str, Factors]]:
    """What of a side fights now, by name: not who goes around the flank and has not arrived. Rules: EIA 7.5.2.3"""
    found = [
        (one, state.corps[one].factors)
        for one in force.corps
        if one in state.corps and (battle.arrived or one not in force.around)
    ]
    if force.garrison:
        found += [(DEPOT + power, garrison(state, power, battle.area, of_depot=True)) for power in force.powers]
    return [(name, factors) for name, factors in found if factors.total]


def fighting(state: State, battle: Battle, side: str) -> int:
    """The factors of a side that fight now."""
    return sum(factors.total for _, factors in present(state, battle, of_side(battle, side)))


def morale(tables: Tables, state: State, battle: Battle, side: str) -> int:
    """The morale with which a side begins, in tenths; who goes around the flank counts too. Rules: EIA 7.5.2.3.2"""
    force = of_side(battle, side)
    parts = []
    for name in force.corps:
        if name in state.corps:
            corps = state.corps[name]
            parts.append((_values(tables, corps.nation or corps.power, corps.factors), corps.factors))
    if force.garrison:
        for power in force.powers:
            guards = garrison(state, power, battle.area, of_depot=True)
            parts.append((_values(tables, power, guards), guards))
    return base_morale(parts)


def _values(tables: Tables, nation: str, factors: Factors) -> dict[str, int]:
    """Return the morale of the kinds of factors that are there, in tenths. Raises: KeyError, for an unknown nation."""
    row = tables.morale_of(nation)
    return {kind: getattr(row, kind) for kind in KINDS if of(factors, kind)}


def strike(play: Play, force: Force, count: int, why: str, battle: Battle | None = None) -> int:
    """Take losses off a side: the cheapest kinds first, of the strongest counters. The text on who chooses is missing.

    Args: the play; the side; factors it loses; how; the combat, while it goes on: then only who fights is hit.
    Returns: the factors lost.
    """
    state = play.state
    units = present(state, battle, force) if battle else _all(state, force)
    left = dict(units)
    taken = 0
    for kind in KINDS:
        while taken < count:
            having = [name for name, factors in left.items() if of(factors, kind)]
            if not having:
                break
            name = max(having, key=lambda one: (of(left[one], kind), one))
            left[name] = minus(left[name], only(kind, 1))
            taken += 1
    for name, factors in units:
        if left[name] != factors:
            _set(play, force, name, left[name], why, battle.area if battle else "")
    return taken


def _all(state: State, force: Force) -> list[tuple[str, Factors]]:
    """The counters of a side that are left."""
    return [(one, state.corps[one].factors) for one in force.corps if one in state.corps]


def _set(play: Play, force: Force, name: str, factors: Factors, why: str, area: str) -> None:
    if name.startswith(DEPOT):
        power = name.removeprefix(DEPOT)
        play.emit(GarrisonStrength(where=area, power=power, of_depot=True, factors=factors, why=why))
        return
    corps = play.state.corps[name]
    play.emit(CorpsStrength(corps=name, factors=factors, why=why))
    if not factors.total:
        orphan_leaders(play, corps)
