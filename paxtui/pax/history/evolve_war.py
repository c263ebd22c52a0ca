"""What the events of War do to a state: the part of `evolve` for them. No rule here either."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from paxtui.engine.frames import replace_top
from paxtui.pax.history import events as ev
from paxtui.pax.history.changed import with_units
from paxtui.pax.history.evolve_map import take_units
from paxtui.pax.state.model import State, units_at
from paxtui.pax.state.pieces import NAVAL, Unit, unit_of
from paxtui.pax.state.progress import InProgress, WarNotes
from paxtui.pax.state.war import (
    ATTACK,
    INITIATIVE,
    OTTOMAN,
    REBELLION,
    RESOLUTION,
    STAGES,
    Clash,
    Coaling,
    Conquest,
    Consent,
    Declaration,
    Denial,
    Guest,
    Surrendered,
    War,
)

_FIRST = {REBELLION: 0, OTTOMAN: 1}
"""Wars that come before all others in the list, in this order."""


def _of(state: State, id_: str) -> War | None:
    return next((w for w in state.wars if w.id == id_), None)


def _with(state: State, id_: str, **changes: Any) -> State:
    """The state with one War changed; unchanged where there is none of that id."""
    return replace(state, wars=tuple(replace(w, **changes) if w.id == id_ else w for w in state.wars))


def _put(state: State, war: War) -> State:
    """The state with this War in the place of the one with its id, or behind those of its kind."""
    if _of(state, war.id):
        return replace(state, wars=tuple(war if w.id == war.id else w for w in state.wars))
    wars = sorted((*state.wars, war), key=lambda w: _FIRST.get(w.kind, len(_FIRST)))
    return replace(state, wars=tuple(wars), next_war=state.next_war + 1)


def _rest(state: State, power: str, on: tuple[str, ...]) -> tuple[Declaration, ...]:
    """The queue without its first declaration, where that is this one."""
    queue = state.declarations
    return queue[1:] if [(d.power, d.on) for d in queue[:1]] == [(power, on)] else queue


# --- declarations and sides -----------------------------------------------------------------------------------------


def _queued(s: State, e: ev.DeclarationQueued) -> State:
    return replace(s, declarations=(*s.declarations, e.declaration))


def _dropped(s: State, e: ev.DeclarationDropped) -> State:
    return replace(s, declarations=_rest(s, e.declaration.power, e.declaration.on))


def _declared(s: State, e: ev.WarDeclared) -> State:
    return replace(_put(s, e.war), declarations=_rest(s, e.power, e.on))


def _arose(s: State, e: ev.WarArose) -> State:
    s = _put(s, e.war)
    if e.war.kind == REBELLION:
        return replace(s, rebellion=False)
    return replace(s, ottoman_wars=()) if e.war.kind == OTTOMAN else s


def _aid_asked(s: State, e: ev.AidAsked) -> State:
    war = _of(s, e.war)
    return _with(s, e.war, guests=(*war.guests, *(Guest(e.host, guest) for guest in e.guests))) if war else s


def _aid_answered(s: State, e: ev.AidAnswered) -> State:
    war = _of(s, e.war)
    if war is None:
        return s
    return _with(s, e.war, guests=tuple(replace(g, answer=e.answer) if g.power == e.power else g for g in war.guests))


def _merged(s: State, e: ev.WarsMerged | ev.GreatWarBegan) -> State:
    return replace(_put(s, e.war), wars=tuple(w for w in _put(s, e.war).wars if w.id not in e.gone))


def _command(s: State, e: ev.CommandGiven) -> State:
    war = _of(s, e.war)
    if war is None:
        return s
    rest = {minor: seat for minor, seat in war.commands.items() if minor != e.minor}
    commands = {**rest, e.minor: e.seat} if e.seat else rest
    return _with(s, e.war, commands=commands, voted=(*war.voted, e.minor))


def _left(s: State, e: ev.PowerLeftWar) -> State:
    war = _of(s, e.war)
    if war is None:
        return s
    sides = tuple(tuple(p for p in side if p != e.power) for side in war.alliances)
    return _with(s, e.war, alliances=sides, left=(*war.left, e.power))


def _given_up(s: State, e: ev.DefenceGivenUp) -> State:
    war = _of(s, e.war)
    return _with(s, e.war, defended=tuple(d for d in war.defended if d != (e.minor, e.power))) if war else s


# --- the sequence ---------------------------------------------------------------------------------------------------


def _step(s: State, e: ev.WarStepTaken) -> State:
    top = replace(s.top, step=e.step, notes=WarNotes(e.since))
    return replace(s, frames=replace_top(s.frames, top), ready=())


def _rested(units: tuple[Unit, ...]) -> tuple[Unit, ...]:
    return tuple(replace(u, halted=False) if u.halted else u for u in units)


def _phase(s: State, e: ev.WarPhaseBegan) -> State:
    stage = STAGES[STAGES.index(e.stage)]  # the very string of the default, or the same War is written in two ways
    s = _with(s, e.war, stage=stage, turn_of=e.turn_of, clashes=(), consents=())
    if e.stage == INITIATIVE:
        s = _with(s, e.war, order=())
    if e.stage != ATTACK:  # the Attack Phase comes straight after the moves
        s = _with(s, e.war, invaded=())
    if any(u.halted for a in s.areas.values() for u in a.units):
        s = replace(s, areas={name: replace(a, units=_rested(a.units)) for name, a in s.areas.items()})
    homes = {name: _rested(units) for name, units in s.homes.items()}
    at_sea = {zone: _rested(units) for zone, units in s.at_sea.items()}
    top: InProgress = replace(s.top, notes=WarNotes(e.since))
    return replace(s, frames=replace_top(s.frames, top), homes=homes, at_sea=at_sea, ready=(), cleared={})


def _initiative(s: State, e: ev.InitiativeRolled) -> State:
    return _with(s, e.war, order=e.order)


def _cycle(s: State, e: ev.CycleEnded) -> State:
    s = _with(s, e.war, cycle=e.cycle + 1, quiet=e.quiet, attacked=False, waived=())
    war = _of(s, e.war)
    return _put(s, _without_empty_sides(war)) if war else s


def _without_empty_sides(war: War) -> War:
    """The War with its sides numbered anew, without those that everybody has left."""
    kept = [n for n, side in enumerate(war.alliances, start=1) if side]
    number = {old: new for new, old in enumerate(kept, start=1)}
    return replace(
        war,
        alliances=tuple(war.alliance(n) for n in kept),
        order=tuple(number[n] for n in war.order if n in number),
        coaling=tuple(replace(c, to=number[c.to]) for c in war.coaling if c.to in number),
        conquered=tuple(replace(c, alliance=number[c.alliance]) for c in war.conquered if c.alliance in number),
    )


def _waived(s: State, e: ev.EndTestsWaived) -> State:
    war = _of(s, e.war)
    return _with(s, e.war, waived=(*war.waived, e.power)) if war and e.power not in war.waived else s


def _decided(s: State, e: ev.WarDecided) -> State:
    return _with(s, e.war, stage=RESOLUTION, turn_of=0, outcome=e.test, victor=e.victor)


def _divided(s: State, e: ev.SpoilsDivided) -> State:
    war = _of(s, e.war)
    return _with(s, e.war, divided=(*war.divided, e.area)) if war else s


def _over(s: State, e: ev.WarOver) -> State:
    return replace(s, wars=tuple(w for w in s.wars if w.id != e.war))


# --- campaigning ----------------------------------------------------------------------------------------------------


def _coaling(s: State, e: ev.CoalingVolunteered) -> State:
    war = _of(s, e.war)
    return _with(s, e.war, coaling=(*war.coaling, Coaling(e.area, e.to))) if war else s


def _denied(s: State, e: ev.PassageDenied) -> State:
    war = _of(s, e.war)
    if war is None:
        return s
    denial = Denial(e.passage, e.to, e.by)
    rest = tuple(d for d in war.denied if d != denial)
    return _with(s, e.war, denied=(*rest, denial) if e.denied else rest)


def _entered(s: State, e: ev.CodominionEntered) -> State:
    war = _of(s, e.war)
    return _with(s, e.war, entered=(*war.entered, f"{e.power} {e.area}")) if war else s


def _marched(s: State, e: ev.ArmyMarched) -> State:
    return _with(s, e.war, attacked=True)


def _invaded(s: State, e: ev.AreaInvaded) -> State:
    war = _of(s, e.war)
    return _with(s, e.war, invaded=(*war.invaded, f"{e.power} {e.area}")) if war else s


def _marches(s: State, e: ev.UnitMarches) -> State:
    war = _of(s, e.war)
    if war is None:
        return s
    start, end = (f"{e.power} {place} {e.unit}" for place in e.path)
    rest = list(war.marching)
    if start in rest:
        rest.remove(start)
    return _with(s, e.war, marching=tuple(rest) if e.there else (*rest, end))


def _battle(s: State, e: ev.BattleFought) -> State:
    war = _of(s, e.war)
    if war is None:
        return s
    return _with(s, e.war, attacked=True, clashes=(*war.clashes, Clash(e.place, e.kind, e.aside)))


def _consent(s: State, e: ev.ConsentGiven) -> State:
    war = _of(s, e.war)
    return _with(s, e.war, consents=(*war.consents, Consent(e.seat, e.order))) if war else s


def _surrendered(s: State, e: ev.UnitsSurrendered) -> State:
    s = with_units(s, e.place, take_units(units_at(s, e.place), e.power, e.units, "", False))
    war = _of(s, e.war)
    if war is None:
        return s
    lost = [unit_of(name, e.power) for name in e.units]
    return _with(
        s, e.war, surrendered=(*war.surrendered, *(Surrendered(u.power, u.kind, u.strength) for u in lost))
    )


def _returned(s: State, e: ev.UnitsReturned) -> State:
    war = _of(s, e.war)
    if war is None:
        return s
    held = list(war.surrendered)
    home: list[Unit] = []
    for name in e.units:
        unit = unit_of(name, e.power)
        found = Surrendered(unit.power, unit.kind, unit.strength)
        if found in held:
            held.remove(found)
            home.append(replace(unit, coast=e.coast) if unit.kind == NAVAL else unit)
    s = _with(s, e.war, surrendered=tuple(held))
    return with_units(s, e.place, (*units_at(s, e.place), *home))


def _conquered(s: State, e: ev.AreaConquered) -> State:
    war = _of(s, e.war)
    if war is None:
        return s
    rest = tuple(c for c in war.conquered if c.area != e.area)
    return _with(s, e.war, conquered=(*rest, Conquest(e.area, e.alliance)) if e.alliance else rest)


def _defeated(s: State, e: ev.AreaDefeated) -> State:
    war = _of(s, e.war)
    if war is None:
        return s
    rest = tuple(a for a in war.defeated if a != e.area)
    return _with(s, e.war, defeated=(*rest, e.area) if e.defeated else rest)


def _supply_noted(s: State, e: ev.SupplyNoted) -> State:
    war = _of(s, e.war)
    if war is None:
        return s
    lacking = tuple(w for w in e.lacking if w not in war.unsupplied)
    return _with(s, e.war, looked_at=(*war.looked_at, *e.powers), unsupplied=(*war.unsupplied, *lacking))


def _supply_found(s: State, e: ev.SupplyFound) -> State:
    war = _of(s, e.war)
    return _with(s, e.war, unsupplied=tuple(w for w in war.unsupplied if w != e.what)) if war else s


APPLY: dict[type, Callable[[State, Any], State]] = {
    ev.DeclarationQueued: _queued,
    ev.DeclarationDropped: _dropped,
    ev.WarDeclared: _declared,
    ev.WarArose: _arose,
    ev.AidAsked: _aid_asked,
    ev.AidAnswered: _aid_answered,
    ev.WarsMerged: _merged,
    ev.GreatWarBegan: _merged,
    ev.CommandGiven: _command,
    ev.PowerLeftWar: _left,
    ev.DefenceGivenUp: _given_up,
    ev.WarStepTaken: _step,
    ev.WarPhaseBegan: _phase,
    ev.InitiativeRolled: _initiative,
    ev.CycleEnded: _cycle,
    ev.EndTestsWaived: _waived,
    ev.WarDecided: _decided,
    ev.SpoilsDivided: _divided,
    ev.WarOver: _over,
    ev.CoalingVolunteered: _coaling,
    ev.PassageDenied: _denied,
    ev.CodominionEntered: _entered,
    ev.ArmyMarched: _marched,
    ev.ArmiesRolled: lambda s, e: s,
    ev.ArmyRolled: lambda s, e: s,
    ev.AreaCeded: lambda s, e: s,
    ev.AreaInvaded: _invaded,
    ev.TargetRolled: lambda s, e: s,
    ev.UnitMarches: _marches,
    ev.BattleFought: _battle,
    ev.ConsentGiven: _consent,
    ev.UnitsSurrendered: _surrendered,
    ev.UnitsReturned: _returned,
    ev.AreaConquered: _conquered,
    ev.AreaDefeated: _defeated,
    ev.SupplyNoted: _supply_noted,
    ev.SupplyFound: _supply_found,
}
"""What applies each of these events."""
