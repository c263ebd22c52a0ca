"""What a step is to the sequence, and what a room of rules gives it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from paxtui.empires.orders.action import Action
from paxtui.empires.play.play import Play
from paxtui.empires.state.model import State
from paxtui.empires.state.questions import Question
from paxtui.empires.tables.tables import Tables


def nobody(play: Play) -> None:
    """Nothing goes on by itself."""


def at_will(play: Play, power: str) -> None:
    """Nothing keeps a Power in the step."""


def no_offers(tables: Tables, state: State, power: str) -> Iterator[Action]:
    """Nothing to do but to be done."""
    yield from ()


def those_of_the_slot(tables: Tables, state: State) -> tuple[str, ...]:
    """All Powers whose step it is."""
    return state.cursor.powers


class Step(NamedTuple):
    """The rules of one step.

    Attributes:
        actors: the Powers that are waited for, until each has said that it is done; with none the step is over at once.
        offers: what a Power may do in it now, without `done`.
        run: what goes on by itself. It is called when the step begins and again after every act and answer in it, as
            long as nobody is asked: so it keeps no continuation, but finds from the position what is left to do.
        close: what happens when all are done, once.
        may_end: refuses to let a Power be done while something must still be done.
        every: all that a Power may do, where `offers` is a shorter menu; None: the same as `offers`.
    """

    actors: Callable[[Tables, State], tuple[str, ...]] = those_of_the_slot
    offers: Callable[[Tables, State, str], Iterator[Action]] = no_offers
    run: Callable[[Play], None] = nobody
    close: Callable[[Play], None] = nobody
    may_end: Callable[[Play, str], None] = at_will
    every: Callable[[Tables, State, str], Iterator[Action]] | None = None


Steps = Mapping[tuple[str, str], Step]
"""Steps by phase and name."""

Act = Callable[[Play, str, Any], None]
"""What does an act: `(play, power, action)`."""

Acts = Mapping[type[Action], tuple[tuple[tuple[str, str], ...], Act]]
"""Acts of a room: the steps (phase, name) in which each is open, and what does it."""

Answers = Mapping[str, Callable[[Play, Question, str], None]]
"""What takes the answer to each kind of question: `(play, question, choice)`; the question is off the stack then."""
