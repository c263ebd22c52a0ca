"""Questions and their answers, and what is written in secret."""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.empires.history.event import Event, Kinds
from paxtui.empires.state.model import State
from paxtui.empires.state.questions import Question, Sealed


class Asked(Event, frozen=True, tag="asked"):
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


def _asked(state: State, event: Asked) -> State:
    return replace(state, questions=(*state.questions, event.question))


def _answered(state: State, event: Answered) -> State:
    return replace(state, questions=state.questions[:-1])


def _sealed(state: State, event: SealedUp) -> State:
    key = (event.sealed.power, event.sealed.matter)
    others = tuple(one for one in state.sealed if (one.power, one.matter) != key)
    return replace(state, sealed=(*others, event.sealed))


def _revealed(state: State, event: Revealed) -> State:
    return replace(state, sealed=tuple(one for one in state.sealed if one.matter != event.matter))


KINDS: Kinds = {Asked: _asked, Answered: _answered, SealedUp: _sealed, Revealed: _revealed}
