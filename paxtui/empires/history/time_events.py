"""Months, phases and steps as they begin and end."""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.empires.history.event import Event, Kinds
from paxtui.empires.state.cursor import Cursor, Slot
from paxtui.empires.state.model import Result, State
from paxtui.empires.state.politics import Politics


class PhaseBegan(Event, frozen=True, tag="phase_began"):
    """A phase, with its steps and who does each."""

    phase: str
    slots: tuple[Slot, ...]


class SlotsGiven(Event, frozen=True, tag="slots_given"):
    """The steps that are left of the phase, the one that goes on included, are these now."""

    slots: tuple[Slot, ...]


class StepDone(Event, frozen=True, tag="step_done"):
    """A Power has done what it wants in a step."""

    power: str


class StepClosed(Event, frozen=True, tag="step_closed"):
    """A step is over."""

    step: str


class PlaceAnnounced(Event, frozen=True, tag="place_announced"):
    """A Power says after whom it moves in a phase, "" for first."""

    power: str
    phase: str
    after: str


class MonthBegan(Event, frozen=True, tag="month_began"):
    """A new month; `combined`: allies who move together in it without announcing it."""

    turn: int
    combined: tuple[tuple[str, ...], ...] = ()


class Ended(Event, frozen=True, tag="ended"):
    """The exercise is over."""

    winners: tuple[str, ...]
    reason: str


def _began(state: State, event: PhaseBegan) -> State:
    return replace(state, cursor=Cursor(event.phase, event.slots))


def _given(state: State, event: SlotsGiven) -> State:
    return replace(state, cursor=replace(state.cursor, slots=event.slots))


def _done(state: State, event: StepDone) -> State:
    return replace(state, cursor=replace(state.cursor, done=(*state.cursor.done, event.power)))


def _closed(state: State, event: StepClosed) -> State:
    return replace(state, cursor=Cursor(state.cursor.phase, state.cursor.slots[1:]))


def _announced(state: State, event: PlaceAnnounced) -> State:
    return replace(state, places={**state.places, event.phase: event.after})


def _month(state: State, event: MonthBegan) -> State:
    fleets = {name: replace(fleet, moved=0) for name, fleet in state.fleets.items()}
    corps = {name: replace(one, moved=0, forced=False) for name, one in state.corps.items()}
    month = replace(state, turn=event.turn, places={}, combined=event.combined, politics=Politics(), leaving=())
    return replace(month, fleets=fleets, corps=corps)


def _ended(state: State, event: Ended) -> State:
    return replace(state, result=Result(event.winners, event.reason))


KINDS: Kinds = {
    PhaseBegan: _began,
    SlotsGiven: _given,
    StepDone: _done,
    StepClosed: _closed,
    PlaceAnnounced: _announced,
    MonthBegan: _month,
    Ended: _ended,
}
