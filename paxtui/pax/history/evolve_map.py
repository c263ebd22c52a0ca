"""What events on the map do to a state: markers, pieces, disputes and duties. The part of `evolve` for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from paxtui.pax.history import events as ev
from paxtui.pax.history.changed import EMPTY, with_area, with_power, with_units
from paxtui.pax.state.causes import CasusBelli
from paxtui.pax.state.model import PowerState, State, units_at
from paxtui.pax.state.pieces import (
    ARMY,
    CONTROL,
    NAVAL,
    POSSESSION,
    PROTECTORATE,
    Holding,
    Marker,
    SentArmies,
    Unit,
    unit_of,
)


def take_units(
    units: tuple[Unit, ...], power: str, names: Iterable[str], coast: str, halted: bool
) -> list[Unit]:
    """`units` without one unit of `power` for each name, those with this coast and halt before any other."""
    left = list(units)
    for name in names:
        kind, strength = (ARMY if name[0] == "A" else NAVAL), int(name[1:])
        found = [i for i, u in enumerate(left) if u.power == power and u.kind == kind and u.strength == strength]
        if found:
            best = max(found, key=lambda i: ((left[i].coast == coast) + (left[i].halted == halted), -i))
            del left[best]
    return left


def _marker_placed(s: State, e: ev.MarkerPlaced) -> State:
    gone = [
        m
        for m in s.areas.get(e.area, EMPTY).markers
        if not (m.power == e.power and m.established == e.established and (not e.replaces or m.marker == e.replaces))
    ]
    power = s.powers.get(e.power)
    s = with_area(s, e.area, markers=(*gone, Marker(e.power, e.marker, e.established, e.turn)))
    if s.handed_over and (handed := Holding(e.power, e.area)) in s.handed_over:
        s = replace(s, handed_over=tuple(h for h in s.handed_over if h != handed))
    if e.established and power and not power.had_control and e.marker in CONTROL:
        s = with_power(s, e.power, had_control=True)
    if power and e.marker in (PROTECTORATE, POSSESSION) and s.phase == "movement":
        s = with_power(s, e.power, bought_control=True)
    return s


def _marker_established(s: State, e: ev.MarkerEstablished) -> State:
    kept = []
    for m in s.areas.get(e.area, EMPTY).markers:
        if m.power != e.power:
            kept.append(m)
        elif not m.established and m.marker == e.marker:
            kept.append(replace(m, established=True, since=s.turn))
    s = with_area(s, e.area, markers=tuple(kept))
    if e.power in s.powers and e.marker in CONTROL and not s.powers[e.power].had_control:
        s = with_power(s, e.power, had_control=True)
    return s


def _marker_lowered(s: State, e: ev.MarkerLowered) -> State:
    markers = []
    for m in s.areas.get(e.area, EMPTY).markers:
        if m.power == e.power and m.established == e.established and m.marker == e.marker:
            if e.to:
                markers.append(Marker(e.power, e.to, e.established, e.turn))
        else:
            markers.append(m)
    return with_area(s, e.area, markers=tuple(markers))


def _marker_transferred(s: State, e: ev.MarkerTransferred) -> State:
    area = s.areas.get(e.area, EMPTY)
    markers = [
        m
        for m in area.markers
        if m.power != e.to and not (m.power == e.power and m.established and m.marker == e.marker)
    ]
    shared = tuple(dict.fromkeys(e.to if p == e.power else p for p in area.codominion))
    codominion = shared if len(shared) > 1 else ()
    s = with_area(s, e.area, markers=(*markers, Marker(e.to, e.marker, True, e.turn)), codominion=codominion)
    s = replace(s, handed_over=(*s.handed_over, Holding(e.to, e.area)))
    if e.to in s.powers and e.marker in CONTROL and not s.powers[e.to].had_control:
        s = with_power(s, e.to, had_control=True)
    return s


def _codominion_set(s: State, e: ev.CodominionSet) -> State:
    return with_area(s, e.area, codominion=e.powers)


def _area_type_changed(s: State, e: ev.AreaTypeChanged) -> State:
    return with_area(s, e.area, type=e.to)


def _units_built(s: State, e: ev.UnitsBuilt) -> State:
    new = [unit_of(name, e.power, e.coast if name[0] == "N" else "") for name in e.units]
    return with_units(s, e.place, (*units_at(s, e.place), *new))


def _units_moved(s: State, e: ev.UnitsMoved) -> State:
    start, end = e.path[0], e.path[-1]
    left = take_units(units_at(s, start), e.power, e.units, e.start_coast, e.was_halted)
    if len(left) + len(e.units) != len(units_at(s, start)):
        return s
    s = with_units(s, start, left)
    there = [unit_of(name, e.power, e.coast if name[0] == "N" else "", e.halted) for name in e.units]
    return with_units(s, end, (*units_at(s, end), *there))


def _units_halted(s: State, e: ev.UnitsHalted) -> State:
    units = [replace(u, halted=True) if (u.power, u.kind) == (e.power, ARMY) else u for u in units_at(s, e.place)]
    return with_units(s, e.place, units)


def _units_lost(s: State, e: ev.UnitsLost) -> State:
    return with_units(s, e.place, take_units(units_at(s, e.place), e.power, e.units, "", False))


def _coast_chosen(s: State, e: ev.CoastChosen) -> State:
    units = list(units_at(s, e.place))
    wanted = unit_of(e.unit, e.power, e.start)
    for i, unit in enumerate(units):
        if replace(unit, halted=False) == wanted:
            units[i] = replace(unit, coast=e.coast)
            break
    return with_units(s, e.place, units)


def _merchant_moved(s: State, e: ev.MerchantMoved) -> State:
    zones = dict(s.sea_zones)
    if e.start != "new":
        zones[e.start] = tuple(p for p in zones.get(e.start, ()) if p != e.power)
    zones[e.to] = (*zones.get(e.to, ()), e.power)
    s = replace(s, sea_zones=zones)
    if e.start == "new":
        p = s.powers.get(e.power, PowerState())
        s = with_power(s, e.power, merchants_due=max(0, p.merchants_due - 1))
    return s


def _canal_built(s: State, e: ev.CanalBuilt) -> State:
    return with_area(s, e.area, canal=True)


def _casus_belli_arose(s: State, e: ev.CasusBelliArose) -> State:
    rule = e.rules[0] if e.rules else ""
    cause = CasusBelli(e.id, e.holder, e.against, e.area, rule, e.cause, e.lapses, e.treaty, e.minor, e.demanded)
    return replace(s, casus_belli=(*s.casus_belli, cause), next_cause=s.next_cause + 1)


def _casus_belli_ended(s: State, e: ev.CasusBelliEnded) -> State:
    return replace(s, casus_belli=tuple(c for c in s.casus_belli if c.id != e.id))


def _garrison_missing(s: State, e: ev.GarrisonMissing) -> State:
    return replace(s, ungarrisoned=(*s.ungarrisoned, Holding(e.power, e.area)))


def _minor_sent_armies(s: State, e: ev.MinorSentArmies) -> State:
    rest = tuple(sent for sent in s.moved_minors if (sent.power, sent.area) != (e.power, e.area))
    return replace(s, moved_minors=rest if e.home else (*rest, SentArmies(e.power, e.area, e.turn)))


def _war_due(s: State, e: ev.WarDue) -> State:
    due = Holding(e.power, e.area)
    if e.war == "ottoman":
        return replace(s, ottoman_wars=(*s.ottoman_wars, due))
    return replace(s, ottoman_next=(*s.ottoman_next, due)) if e.war == "ottoman_next" else s


APPLY: dict[type, Callable[[State, Any], State]] = {
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
    ev.MinorSentArmies: _minor_sent_armies,
    ev.WarDue: _war_due,
}
"""What applies each event on the map."""
