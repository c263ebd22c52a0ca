"""Base class of events; events of the sequence of play, questions, secret orders and Powers."""

from __future__ import annotations

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

    def evolve(self, state: State) -> State:
        """Return the state after the event. Uses no rules, dice or checks."""
        return state


class PhaseBegan(Event, frozen=True, tag="phase_began"):
    """A phase begins, with its steps and their Powers."""

    phase: str
    slots: tuple[Slot, ...]

    def evolve(self, state: State) -> State:
        return replace(state, cursor=Cursor(self.phase, self.slots))


class SlotsGiven(Event, frozen=True, tag="slots_given"):
    """The remaining slots of the phase, the current one included, are replaced."""

    slots: tuple[Slot, ...]

    def evolve(self, state: State) -> State:
        return replace(state, cursor=replace(state.cursor, slots=self.slots))


class StepDone(Event, frozen=True, tag="step_done"):
    """A Power ends its actions in a step."""

    power: str

    def evolve(self, state: State) -> State:
        return replace(state, cursor=replace(state.cursor, done=(*state.cursor.done, self.power)))


class StepClosed(Event, frozen=True, tag="step_closed"):
    """A step is over."""

    step: str

    def evolve(self, state: State) -> State:
        return replace(state, cursor=Cursor(state.cursor.phase, state.cursor.slots[1:]))


class PlaceAnnounced(Event, frozen=True, tag="place_announced"):
    """A Power announces the Power after which it moves in a phase, "" for first."""

    power: str
    phase: str
    after: str

    def evolve(self, state: State) -> State:
        return replace(state, places={**state.places, self.phase: self.after})


class MonthBegan(Event, frozen=True, tag="month_began"):
    """A month begins; `combined`: allies that move together in it without an announcement."""

    turn: int
    combined: tuple[tuple[str, ...], ...] = ()

    def evolve(self, state: State) -> State:
        fleets = {name: replace(fleet, moved=0) for name, fleet in state.fleets.items()}
        corps = {name: replace(one, moved=0, forced=False) for name, one in state.corps.items()}
        month = replace(state, turn=self.turn, places={}, combined=self.combined, politics=Politics(), leaving=())
        return replace(month, fleets=fleets, corps=corps)


class Ended(Event, frozen=True, tag="ended"):
    """The exercise is over."""

    winners: tuple[str, ...]
    reason: str

    def evolve(self, state: State) -> State:
        return replace(state, result=Result(self.winners, self.reason))


class Posted(Event, frozen=True, tag="posted"):
    """A Power gains or loses points, money or manpower, for a reason."""

    power: str
    what: What
    amount: int
    reason: str

    def evolve(self, state: State) -> State:
        account = state.accounts.get(self.power, Account())
        changed = account_with_posting(account, self.what, self.amount)
        posting = Posting(state.turn, self.power, self.what, self.amount, self.reason, self.rules)
        return replace(state, accounts={**state.accounts, self.power: changed}, ledger=(*state.ledger, posting))


def account_with_posting(account: Account, what: What, amount: int) -> Account:
    """Return an account after a change."""
    if what == "points":
        return replace(account, points=account.points + amount)
    if what == "money":
        return replace(account, money=account.money + amount)
    return replace(account, manpower=account.manpower + amount)


class QuestionPosed(Event, frozen=True, tag="asked"):
    """A Power receives a question."""

    question: Question

    def evolve(self, state: State) -> State:
        return replace(state, questions=(*state.questions, self.question))


class Answered(Event, frozen=True, tag="answered"):
    """A Power answers the current question."""

    power: str
    choice: str

    def evolve(self, state: State) -> State:
        return replace(state, questions=state.questions[:-1])


class SealedUp(Event, frozen=True, tag="sealed_up"):
    """A Power writes a secret paper. Its content is for that Power only (`only`)."""

    sealed: Sealed

    def evolve(self, state: State) -> State:
        key = (self.sealed.power, self.sealed.matter)
        others = tuple(one for one in state.sealed if (one.power, one.matter) != key)
        return replace(state, sealed=(*others, self.sealed))


class Revealed(Event, frozen=True, tag="revealed"):
    """All papers about a matter are revealed."""

    matter: str
    sealed: tuple[Sealed, ...]

    def evolve(self, state: State) -> State:
        return replace(state, sealed=tuple(one for one in state.sealed if one.matter != self.matter))
