"""`evolve(state, event)`: what an event does to a state. No rule, no dice, no check: replay never depends on rules.

Total over well-formed events: an event that finds its piece gone changes nothing. One small function an event,
looked up by type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from paxtui.engine.frames import Frame
from paxtui.pax.history import events as ev
from paxtui.pax.history import evolve_treaties as treaties_after
from paxtui.pax.state.model import ARMY, NAVAL, AreaState, CasusBelli, Marker, PowerState, State, Unit

EMPTY = AreaState()


def unit_of(name: str, power: str, coast: str = "", halted: bool = False) -> Unit:
    """A Military Unit from its short name (A10, N3)."""
    return Unit(power, ARMY if name[0] == "A" else NAVAL, int(name[1:]), coast, halted)


def units_at(state: State, place: str) -> tuple[Unit, ...]:
    """Military Units at an Area or a Home Country."""
    if place.startswith("home:"):
        return state.homes.get(place[5:], ())
    area = state.areas.get(place)
    return area.units if area else ()


def _with_units(state: State, place: str, units: Iterable[Unit]) -> State:
    if place.startswith("home:"):
        return replace(state, homes={**state.homes, place[5:]: tuple(units)})
    area = state.areas.get(place, EMPTY)
    return replace(state, areas={**state.areas, place: replace(area, units=tuple(units))})


def _with_area(state: State, area: str, **changes: Any) -> State:
    return replace(state, areas={**state.areas, area: replace(state.areas.get(area, EMPTY), **changes)})


def _with_power(state: State, power: str, **changes: Any) -> State:
    return replace(state, powers={**state.powers, power: replace(state.powers.get(power, PowerState()), **changes)})


def _take(units: tuple[Unit, ...], power: str, names: Iterable[str], coast: str, halted: bool) -> list[Unit]:
    """`units` without one unit of `power` for each name, those with this coast and halt before any other."""
    left = list(units)
    for name in names:
        kind, strength = (ARMY if name[0] == "A" else NAVAL), int(name[1:])
        found = [i for i, u in enumerate(left) if u.power == power and u.kind == kind and u.strength == strength]
        if found:
            best = max(found, key=lambda i: ((left[i].coast == coast) + (left[i].halted == halted), -i))
            del left[best]
    return left


def _phase_began(s: State, e: ev.PhaseBegan) -> State:
    areas, homes = s.areas, s.homes
    if any(u.halted for a in areas.values() for u in a.units) or any(u.halted for us in homes.values() for u in us):
        areas = {k: replace(a, units=_unhalted(a.units)) for k, a in areas.items()}
        homes = {k: _unhalted(us) for k, us in homes.items()}
    return replace(
        s, frames=(Frame(e.phase, e.step),), areas=areas, homes=homes, choices=(), ready=(), cleared={}
    )


def _unhalted(units: tuple[Unit, ...]) -> tuple[Unit, ...]:
    return tuple(replace(u, halted=False) if u.halted else u for u in units)


def _turn_began(s: State, e: ev.TurnBegan) -> State:
    powers = {}
    for name, p in s.powers.items():
        powers[name] = replace(
            p,
            merchants_due=p.merchants_due + e.fleets.get(name, 0),
            past={**p.past, str(s.turn): p.record} if p.record and e.turn > s.turn else p.past,
            upkeep=0,
            spent_on_units=0,
            spent_on_naval=0,
            bonus=0,
        )
    return replace(
        s,
        turn=e.turn,
        powers=powers,
        events=(),
        active_minors={},
        ungarrisoned=(),
        handed_over=(),
        leopold=False,
        rebellion=False,
        ottoman_wars=(),
        casus_belli=(),
        congress=None,
        ballots={},
    )


def _step_taken(s: State, e: ev.StepTaken) -> State:
    return replace(s, frames=(*s.frames[:-1], Frame(s.frames[-1].phase, e.step, e.data)))


def _seat_ready(s: State, e: ev.SeatReady) -> State:
    others = tuple(seat for seat in s.ready if seat != e.seat)
    return replace(s, ready=(*others, e.seat) if e.ready else others)


def _ready_cleared(s: State, e: ev.ReadyCleared) -> State:
    return replace(
        s,
        ready=tuple(seat for seat in s.ready if seat not in e.seats),
        cleared={**s.cleared, e.by: s.cleared.get(e.by, 0) + 1},
    )


def _choice_offered(s: State, e: ev.ChoiceOffered) -> State:
    # private offers have ids of their own and are not counted: nobody is to learn how many there are
    counted = s.next_choice + e.choice.id.startswith("c")
    return replace(s, choices=(*s.choices, e.choice), next_choice=counted)


def _choice_made(s: State, e: ev.ChoiceMade) -> State:
    return replace(s, choices=tuple(c for c in s.choices if c.id != e.id))


def _tension_raised(s: State, e: ev.TensionRaised) -> State:
    return replace(s, tension=e.total)


def _resentment_raised(s: State, e: ev.ResentmentRaised) -> State:
    return replace(s, resentment=e.total)


def _treasury_changed(s: State, e: ev.TreasuryChanged) -> State:
    p = s.powers.get(e.power, PowerState())
    return _with_power(
        s,
        e.power,
        treasury=e.total,
        spent_on_units=p.spent_on_units + e.units,
        spent_on_naval=p.spent_on_naval + e.naval,
    )


def _victory_points_changed(s: State, e: ev.VictoryPointsChanged) -> State:
    p = s.powers.get(e.power, PowerState())
    return _with_power(s, e.power, victory_points=e.total, bonus=p.bonus + (e.amount if e.bonus else 0))


def _record_written(s: State, e: ev.RecordWritten) -> State:
    p = s.powers.get(e.power, PowerState())
    lines = dict(e.lines) if e.fresh else {**p.record, **e.lines}
    return _with_power(
        s,
        e.power,
        record=lines,
        upkeep=e.upkeep if e.fresh else p.upkeep + e.upkeep,
        had_control=p.had_control or e.had_control,
    )


def _random_event_rolled(s: State, e: ev.RandomEventRolled) -> State:
    if not e.happens:
        return s
    return replace(
        s,
        events=s.events if e.event in s.events else (*s.events, e.event),
        leopold=s.leopold or e.leopold,
        balkan_wars=s.balkan_wars + e.balkan_war,
    )


def _unrest_began(s: State, e: ev.UnrestBegan) -> State:
    return _with_area(s, e.area, unrest=True) if e.happens else s


def _unrest_ended(s: State, e: ev.UnrestEnded) -> State:
    return _with_area(s, e.area, unrest=False)


def _minor_directed(s: State, e: ev.MinorDirected) -> State:
    return replace(s, active_minors={**s.active_minors, e.power: e.area}) if e.accepted else s


def _rebellion_checked(s: State, e: ev.RebellionChecked) -> State:
    return replace(s, rebellion=e.rebellion)


def _marker_placed(s: State, e: ev.MarkerPlaced) -> State:
    gone = [
        m
        for m in s.areas.get(e.area, EMPTY).markers
        if not (m.power == e.power and m.established == e.established and (not e.replaces or m.marker == e.replaces))
    ]
    power = s.powers.get(e.power)
    s = _with_area(s, e.area, markers=(*gone, Marker(e.power, e.marker, e.established, e.turn)))
    if (handed := f"{e.power} {e.area}") in s.handed_over:
        s = replace(s, handed_over=tuple(h for h in s.handed_over if h != handed))
    if e.established and power and not power.had_control and e.marker not in ("interest", "influence"):
        s = _with_power(s, e.power, had_control=True)
    return s


def _marker_established(s: State, e: ev.MarkerEstablished) -> State:
    kept = []
    for m in s.areas.get(e.area, EMPTY).markers:
        if m.power != e.power:
            kept.append(m)
        elif not m.established and m.marker == e.marker:
            kept.append(replace(m, established=True, since=s.turn))
    s = _with_area(s, e.area, markers=tuple(kept))
    if e.power in s.powers and e.marker not in ("interest", "influence") and not s.powers[e.power].had_control:
        s = _with_power(s, e.power, had_control=True)
    return s


def _marker_lowered(s: State, e: ev.MarkerLowered) -> State:
    markers = []
    for m in s.areas.get(e.area, EMPTY).markers:
        if m.power == e.power and m.established == e.established and m.marker == e.marker:
            if e.to:
                markers.append(Marker(e.power, e.to, e.established, e.turn))
        else:
            markers.append(m)
    return _with_area(s, e.area, markers=tuple(markers))


def _marker_transferred(s: State, e: ev.MarkerTransferred) -> State:
    area = s.areas.get(e.area, EMPTY)
    markers = [
        m
        for m in area.markers
        if m.power != e.to and not (m.power == e.power and m.established and m.marker == e.marker)
    ]
    shared = tuple(e.to if p == e.power else p for p in area.codominion)
    s = _with_area(s, e.area, markers=(*markers, Marker(e.to, e.marker, True, e.turn)), codominion=shared)
    s = replace(s, handed_over=(*s.handed_over, f"{e.to} {e.area}"))
    if e.to in s.powers and e.marker not in ("interest", "influence") and not s.powers[e.to].had_control:
        s = _with_power(s, e.to, had_control=True)
    return s


def _codominion_set(s: State, e: ev.CodominionSet) -> State:
    return _with_area(s, e.area, codominion=e.powers)


def _area_type_changed(s: State, e: ev.AreaTypeChanged) -> State:
    return _with_area(s, e.area, type=e.to)


def _units_built(s: State, e: ev.UnitsBuilt) -> State:
    new = [unit_of(name, e.power, e.coast if name[0] == "N" else "") for name in e.units]
    return _with_units(s, e.place, (*units_at(s, e.place), *new))


def _units_moved(s: State, e: ev.UnitsMoved) -> State:
    start, end = e.path[0], e.path[-1]
    left = _take(units_at(s, start), e.power, e.units, e.start_coast, e.was_halted)
    if len(left) + len(e.units) != len(units_at(s, start)):
        return s
    s = _with_units(s, start, left)
    there = [unit_of(name, e.power, e.coast if name[0] == "N" else "", e.halted) for name in e.units]
    return _with_units(s, end, (*units_at(s, end), *there))


def _units_halted(s: State, e: ev.UnitsHalted) -> State:
    units = [replace(u, halted=True) if (u.power, u.kind) == (e.power, ARMY) else u for u in units_at(s, e.place)]
    return _with_units(s, e.place, units)


def _units_lost(s: State, e: ev.UnitsLost) -> State:
    return _with_units(s, e.place, _take(units_at(s, e.place), e.power, e.units, "", False))


def _coast_chosen(s: State, e: ev.CoastChosen) -> State:
    units = list(units_at(s, e.place))
    wanted = unit_of(e.unit, e.power, e.start)
    for i, unit in enumerate(units):
        if replace(unit, halted=False) == wanted:
            units[i] = replace(unit, coast=e.coast)
            break
    return _with_units(s, e.place, units)


def _merchant_moved(s: State, e: ev.MerchantMoved) -> State:
    zones = dict(s.sea_zones)
    if e.start != "new":
        zones[e.start] = tuple(p for p in zones.get(e.start, ()) if p != e.power)
    zones[e.to] = (*zones.get(e.to, ()), e.power)
    s = replace(s, sea_zones=zones)
    if e.start == "new":
        p = s.powers.get(e.power, PowerState())
        s = _with_power(s, e.power, merchants_due=max(0, p.merchants_due - 1))
    return s


def _canal_built(s: State, e: ev.CanalBuilt) -> State:
    return _with_area(s, e.area, canal=True)


def _casus_belli_arose(s: State, e: ev.CasusBelliArose) -> State:
    rule = e.rules[0] if e.rules else ""
    cause = CasusBelli(e.id, e.holder, e.against, e.area, rule, e.cause, e.lapses, e.treaty, e.minor)
    return replace(s, casus_belli=(*s.casus_belli, cause), next_cause=s.next_cause + 1)


def _casus_belli_ended(s: State, e: ev.CasusBelliEnded) -> State:
    return replace(s, casus_belli=tuple(c for c in s.casus_belli if c.id != e.id))


def _garrison_missing(s: State, e: ev.GarrisonMissing) -> State:
    return replace(s, ungarrisoned=(*s.ungarrisoned, f"{e.power} {e.area}"))


def _minor_sent_armies(s: State, e: ev.MinorSentArmies) -> State:
    sent = {k: v for k, v in s.moved_minors.items() if k != f"{e.power} {e.area}"}
    if not e.home:
        sent[f"{e.power} {e.area}"] = e.turn
    return replace(s, moved_minors=sent)


def _war_due(s: State, e: ev.WarDue) -> State:
    return replace(s, ottoman_wars=(*s.ottoman_wars, f"{e.power} {e.area}")) if e.war == "ottoman" else s


def _position_set(s: State, e: ev.PositionSet) -> State:
    return e.state


def _game_ended(s: State, e: ev.GameEnded) -> State:
    return replace(s, result=e.result, choices=(), ready=())


def _nothing(s: State, e: ev.Event) -> State:
    return s


_APPLY: dict[type, Callable[[State, Any], State]] = {
    ev.PhaseBegan: _phase_began,
    ev.TurnBegan: _turn_began,
    ev.StepTaken: _step_taken,
    ev.Noted: _nothing,
    ev.SeatReady: _seat_ready,
    ev.ReadyCleared: _ready_cleared,
    ev.ChoiceOffered: _choice_offered,
    ev.ChoiceMade: _choice_made,
    ev.PositionSet: _position_set,
    ev.GameEnded: _game_ended,
    ev.TensionRaised: _tension_raised,
    ev.ResentmentRaised: _resentment_raised,
    ev.TreasuryChanged: _treasury_changed,
    ev.VictoryPointsChanged: _victory_points_changed,
    ev.RecordWritten: _record_written,
    ev.DiceRolled: _nothing,
    ev.RandomEventRolled: _random_event_rolled,
    ev.UnrestBegan: _unrest_began,
    ev.UnrestEnded: _unrest_ended,
    ev.OfficeIncome: _nothing,
    ev.MinorActivity: _nothing,
    ev.MinorDirected: _minor_directed,
    ev.ColonialCombat: _nothing,
    ev.OrderDrawn: _nothing,
    ev.RebellionChecked: _rebellion_checked,
    ev.MarkerPlaced: _marker_placed,
    ev.MarkerEstablished: _marker_established,
    ev.MarkerLowered: _marker_lowered,
    ev.MarkerTransferred: _marker_transferred,
    ev.CodominionSet: _codominion_set,
    ev.AreaTypeChanged: _area_type_changed,
    ev.UnitsBuilt: _units_built,
    ev.UnitsMoved: _units_moved,
    ev.UnitsHalted: _units_halted,
    ev.UnitsLost: _units_lost,
    ev.CoastChosen: _coast_chosen,
    ev.MerchantMoved: _merchant_moved,
    ev.CanalBuilt: _canal_built,
    ev.CasusBelliArose: _casus_belli_arose,
    ev.CasusBelliEnded: _casus_belli_ended,
    ev.GarrisonMissing: _garrison_missing,
    ev.DutyWaived: _nothing,
    ev.MinorSentArmies: _minor_sent_armies,
    ev.WarDue: _war_due,
    **treaties_after.APPLY,
}


def evolve(state: State, event: ev.Event) -> State:
    """The state after `event`."""
    return _APPLY[type(event)](state, event)
