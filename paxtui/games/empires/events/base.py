"""Base class of events; events of the sequence of play, questions, secret orders and Powers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from paxtui.games.empires.state import Account, Cursor, Politics, Posting, Question, Result, Sealed, Slot, State, What


class Event(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Base class of events.

    Attributes:
        rules: the sections that cause it.
        only: the Powers that may see it, empty for all.
    """

    rules: tuple[str, ...] = ()
    only: tuple[str, ...] = ()


Evolve = Callable[[State, Any], State]
"""Reducer for one type of event: `(state, event)` to the new state."""

EvolveByEvent = Mapping[type[Event], Evolve]
"""Reducers by type of event."""


class QuestionPosed(Event, frozen=True, tag="asked"):
    """A Power receives a question."""

    question: Question


class Answered(Event, frozen=True, tag="answered"):
    """A Power answers the current question."""

    power: str
    choice: str


class SealedUp(Event, frozen=True, tag="sealed_up"):
    """A Power writes a secret paper. Its content is for that Power only (`only`)."""

    sealed: Sealed


class Revealed(Event, frozen=True, tag="revealed"):
    """All papers about a matter are revealed."""

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
    """A phase begins, with its steps and their Powers."""

    phase: str
    slots: tuple[Slot, ...]


class SlotsGiven(Event, frozen=True, tag="slots_given"):
    """The remaining slots of the phase, the current one included, are replaced."""

    slots: tuple[Slot, ...]


class StepDone(Event, frozen=True, tag="step_done"):
    """A Power ends its actions in a step."""

    power: str


class StepClosed(Event, frozen=True, tag="step_closed"):
    """A step is over."""

    step: str


class PlaceAnnounced(Event, frozen=True, tag="place_announced"):
    """A Power announces the Power after which it moves in a phase, "" for first."""

    power: str
    phase: str
    after: str


class MonthBegan(Event, frozen=True, tag="month_began"):
    """A month begins; `combined`: allies that move together in it without an announcement."""

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
    """Return an account after a change."""
    if what == "points":
        return replace(account, points=account.points + amount)
    if what == "money":
        return replace(account, money=account.money + amount)
    return replace(account, manpower=account.manpower + amount)


LEDGER_EVENTS: EvolveByEvent = {Posted: _on_account_posted}
