"""Base class of events; events of the sequence of play, questions, secret orders and Powers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from paxtui.games.empires.state import Account, Cursor, Politics, Posting, Question, Result, Sealed, Slot, State, What


class Event(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Something that has happened.

    Attributes:
        rules: the sections by which it did.
        only: the Powers that know of it, empty where all do.
    """

    rules: tuple[str, ...] = ()
    only: tuple[str, ...] = ()


Evolve = Callable[[State, Any], State]
"""The state after an event of one kind."""

EvolveByEvent = Mapping[type[Event], Evolve]
"""The events of a matter, each with what it makes of the position."""


class QuestionPosed(Event, frozen=True, tag="asked"):
    """A Power is asked."""

    question: Question


class Answered(Event, frozen=True, tag="answered"):
    """The Power that was asked last has answered."""

    power: str
    choice: str


class SealedUp(Event, frozen=True, tag="sealed_up"):
    """A Power has written something down; what, only the Power knows (`only`)."""

    sealed: Sealed


class Revealed(Event, frozen=True, tag="revealed"):
    """All that was written down about a matter lies open."""

    matter: str
    sealed: tuple[Sealed, ...]


def _on_question_posed(state: State, event: QuestionPosed) -> State:
    return replace(state, questions=(*state.questions, event.question))


def _on_question_answered(state: State, event: Answered) -> State:
    return replace(state, questions=state.questions[:-1])


def _on_paper_sealed(state: State, event: SealedUp) -> State:
    key = (event.sealed.power, event.sealed.matter)
    others = tuple(one for one in state.sealed if (one.power, one.matter) != key)
    return replace(state, sealed=(*others, event.sealed))


def _on_papers_revealed(state: State, event: Revealed) -> State:
    return replace(state, sealed=tuple(one for one in state.sealed if one.matter != event.matter))


QUESTION_EVENTS: EvolveByEvent = {
    QuestionPosed: _on_question_posed,
    Answered: _on_question_answered,
    SealedUp: _on_paper_sealed,
    Revealed: _on_papers_revealed,
}


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


def _on_phase_began(state: State, event: PhaseBegan) -> State:
    return replace(state, cursor=Cursor(event.phase, event.slots))


def _on_slots_given(state: State, event: SlotsGiven) -> State:
    return replace(state, cursor=replace(state.cursor, slots=event.slots))


def _on_step_done(state: State, event: StepDone) -> State:
    return replace(state, cursor=replace(state.cursor, done=(*state.cursor.done, event.power)))


def _on_step_closed(state: State, event: StepClosed) -> State:
    return replace(state, cursor=Cursor(state.cursor.phase, state.cursor.slots[1:]))


def _on_place_announced(state: State, event: PlaceAnnounced) -> State:
    return replace(state, places={**state.places, event.phase: event.after})


def _on_month_began(state: State, event: MonthBegan) -> State:
    fleets = {name: replace(fleet, moved=0) for name, fleet in state.fleets.items()}
    corps = {name: replace(one, moved=0, forced=False) for name, one in state.corps.items()}
    month = replace(state, turn=event.turn, places={}, combined=event.combined, politics=Politics(), leaving=())
    return replace(month, fleets=fleets, corps=corps)


def _on_exercise_ended(state: State, event: Ended) -> State:
    return replace(state, result=Result(event.winners, event.reason))


TIME_EVENTS: EvolveByEvent = {
    PhaseBegan: _on_phase_began,
    SlotsGiven: _on_slots_given,
    StepDone: _on_step_done,
    StepClosed: _on_step_closed,
    PlaceAnnounced: _on_place_announced,
    MonthBegan: _on_month_began,
    Ended: _on_exercise_ended,
}


class Posted(Event, frozen=True, tag="posted"):
    """A Power gains or loses points, money or manpower, for a reason."""

    power: str
    what: What
    amount: int
    reason: str


def _on_account_posted(state: State, event: Posted) -> State:
    account = state.accounts.get(event.power, Account())
    changed = account_with_posting(account, event.what, event.amount)
    posting = Posting(state.turn, event.power, event.what, event.amount, event.reason, event.rules)
    return replace(state, accounts={**state.accounts, event.power: changed}, ledger=(*state.ledger, posting))


def account_with_posting(account: Account, what: What, amount: int) -> Account:
    """An account after a change."""
    if what == "points":
        return replace(account, points=account.points + amount)
    if what == "money":
        return replace(account, money=account.money + amount)
    return replace(account, manpower=account.manpower + amount)


LEDGER_EVENTS: EvolveByEvent = {Posted: _on_account_posted}
