"""What events of the sequence, the ledgers and the tables do to a state: the part of `evolve` for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from paxtui.engine.frames import replace_top
from paxtui.pax.history import events as ev
from paxtui.pax.history.changed import with_area, with_power
from paxtui.pax.state.model import PhaseStart, PowerState, State
from paxtui.pax.state.pieces import Unit
from paxtui.pax.state.progress import InProgress

REMEMBERED = ("minor_powers", "movement")
"""Phases that are judged against the position in which they began."""


def _remember(s: State) -> State:
    """The position with what stands where now as the beginning of the Phase, where anything is judged against it."""
    start = PhaseStart(s.areas, s.homes, s.sea_zones) if s.phase in REMEMBERED else None
    return replace(s, phase_start=start) if start or s.phase_start else s


def _phase_began(s: State, e: ev.PhaseBegan) -> State:
    # what stays as it was stays the same object: so it is known that it need not be looked at again
    areas = {k: replace(a, units=_unhalted(a.units)) for k, a in s.areas.items() if a.units and _any_halted(a.units)}
    homes = {k: _unhalted(units) for k, units in s.homes.items() if _any_halted(units)}
    return _remember(
        replace(
            s,
            frames=(InProgress(e.phase, e.step),),
            areas={**s.areas, **areas} if areas else s.areas,
            homes={**s.homes, **homes} if homes else s.homes,
            choices=(),
            ready=(),
            cleared={},
            negotiated=s.negotiated or e.phase == "negotiation",
        )
    )


def _any_halted(units: tuple[Unit, ...]) -> bool:
    for u in units:  # noqa: SIM110 (asked too often for a generator)
        if u.halted:
            return True
    return False


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
            bought_control=False,
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
        ottoman_wars=s.ottoman_next,
        ottoman_next=(),
        casus_belli=(),
        congress=None,
        ballots={},
    )


def _step_taken(s: State, e: ev.StepTaken) -> State:
    return replace(s, frames=replace_top(s.frames, InProgress(s.top.phase, e.step, e.notes)))


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
    return with_power(
        s,
        e.power,
        treasury=e.total,
        spent_on_units=p.spent_on_units + e.units,
        spent_on_naval=p.spent_on_naval + e.naval,
    )


def _victory_points_changed(s: State, e: ev.VictoryPointsChanged) -> State:
    p = s.powers.get(e.power, PowerState())
    return with_power(s, e.power, victory_points=e.total, bonus=p.bonus + (e.amount if e.bonus else 0))


def _record_written(s: State, e: ev.RecordWritten) -> State:
    p = s.powers.get(e.power, PowerState())
    lines = dict(e.lines) if e.fresh else {**p.record, **e.lines}
    return with_power(
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
    return with_area(s, e.area, unrest=True) if e.happens else s


def _unrest_ended(s: State, e: ev.UnrestEnded) -> State:
    return with_area(s, e.area, unrest=False)


def _minor_directed(s: State, e: ev.MinorDirected) -> State:
    return replace(s, active_minors={**s.active_minors, e.power: e.area}) if e.accepted else s


def _rebellion_checked(s: State, e: ev.RebellionChecked) -> State:
    return replace(s, rebellion=e.rebellion)


def _seats_abandoned(s: State, e: ev.SeatsAbandoned) -> State:
    gone = {*s.abandoned}.difference(e.seats) if e.lifted else {*s.abandoned, *e.seats}
    return replace(s, abandoned=tuple(seat for seat in s.players if seat in gone))


def _position_set(s: State, e: ev.PositionSet) -> State:
    return _remember(e.state)


def _game_ended(s: State, e: ev.GameEnded) -> State:
    return replace(s, result=e.result, choices=(), ready=(), beside=None)


APPLY: dict[type, Callable[[State, Any], State]] = {
    ev.PhaseBegan: _phase_began,
    ev.TurnBegan: _turn_began,
    ev.StepTaken: _step_taken,
    ev.SeatReady: _seat_ready,
    ev.ReadyCleared: _ready_cleared,
    ev.ChoiceOffered: _choice_offered,
    ev.ChoiceMade: _choice_made,
    ev.PositionSet: _position_set,
    ev.GameEnded: _game_ended,
    ev.TensionRaised: _tension_raised,
    ev.ResentmentRaised: _resentment_raised,
    ev.ResentmentReset: lambda s, e: replace(s, resentment=0),
    ev.TreasuryChanged: _treasury_changed,
    ev.VictoryPointsChanged: _victory_points_changed,
    ev.RecordWritten: _record_written,
    ev.RandomEventRolled: _random_event_rolled,
    ev.UnrestBegan: _unrest_began,
    ev.UnrestEnded: _unrest_ended,
    ev.MinorDirected: _minor_directed,
    ev.RebellionChecked: _rebellion_checked,
    ev.SeatsAbandoned: _seats_abandoned,
}
"""What applies each of these events."""
