"""The transaction of one action, secret papers, and the interface between the sequence and the rules of a step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, NoReturn

from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal
from paxtui.games.empires.events.base import Answered, Event, Posted, QuestionPosed, Revealed, SealedUp
from paxtui.games.empires.events.registry import sealed_event
from paxtui.games.empires.orders import Action
from paxtui.games.empires.state import Question, Sealed, State, What
from paxtui.games.empires.tables import Tables


class Transaction:
    """The transaction of one action.

    Attributes:
        tables: tables of the exercise.
        state: the position after the events so far.
        dice: the source of dice.
        events: the events so far.
    """

    def __init__(self, tables: Tables, state: State, dice: Dice) -> None:
        self.tables = tables
        self.state = state
        self.dice = dice
        self.events: list[Event] = []

    def emit(self, event: Event) -> None:
        """Apply and record an event. Details of corps that lie face down are for their owner only."""
        event = sealed_event(self.state, event)
        self.events.append(event)
        self.state = event.evolve(self.state)

    def roll(self) -> int:
        """Roll one die."""
        return self.dice.roll()

    def post(self, power: str, what: What, amount: int, reason: str, *rules: str) -> None:
        """Change an account, with a reason. An amount of 0 posts nothing."""
        if amount:
            self.emit(Posted(power=power, what=what, amount=amount, reason=reason, rules=rules))

    def points(self, power: str, amount: int, reason: str, *rules: str) -> None:
        """Change the political points of a Power. A minor country has none."""
        if power in self.state.powers:
            self.post(power, "points", amount, reason, *rules)

    def ask(
        self,
        kind: str,
        power: str,
        choices: tuple[str, ...],
        *about: str,
        rules: tuple[str, ...] = (),
        secret: bool = False,
    ) -> None:
        """Ask a Power a question about some ids. Its answer comes before anything else continues.

        A `secret` answer stays hidden until the rules reveal it.
        """
        asked = Question(kind=kind, power=power, choices=choices, about=about, rules=rules, secret=secret)
        self.emit(QuestionPosed(question=asked, rules=rules))


YES, NO = "yes", "no"
"""Answers to a question."""


def refuse(code: str, message: str, *rules: str) -> NoReturn:
    """Refuse an action because of some sections, as "EIA 6.3.1". Raises: Refusal, always."""
    raise Refusal(code, rules, message)


def take_answer(play: Transaction, power: str, choice: str) -> Question:
    """Record the answer to the current question and return the question. Raises: Refusal."""
    if not play.state.questions:
        refuse("nothing_asked", "There is no open question.", "EIA 3.0")
    question = play.state.questions[-1]
    if question.power != power:
        refuse("not_asked", "Another Power must answer its question first.", *(question.rules or ("EIA 3.0",)))
    if choice not in question.choices:
        refuse("no_choice", f"The answer is one of: {', '.join(question.choices)}.", *(question.rules or ("EIA 3.0",)))
    only = (power,) if question.secret else ()
    play.emit(Answered(power=power, choice=choice, only=only, rules=question.rules))
    return question


def seal_paper(play: Transaction, power: str, matter: str, words: tuple[str, ...], *rules: str) -> None:
    """Write a secret paper. It replaces an earlier one about the same matter."""
    play.emit(SealedUp(sealed=Sealed(power=power, matter=matter, words=words), only=(power,), rules=rules))


def reveal_papers(play: Transaction, matter: str, *rules: str) -> tuple[Sealed, ...]:
    """Reveal all papers about a matter, in the order of the Powers. Return () if there are none."""
    papers = sorted(papers_about(play.state, matter), key=lambda one: play.state.powers.index(one.power))
    if papers:
        play.emit(Revealed(matter=matter, sealed=tuple(papers), rules=rules))
    return tuple(papers)


def papers_about(state: State, matter: str) -> tuple[Sealed, ...]:
    """Return the papers about a matter that are not revealed."""
    return tuple(one for one in state.sealed if one.matter == matter)


def run_nothing(play: Transaction) -> None:
    """Default `run`: the step has no automatic part."""


def allow_ending(play: Transaction, power: str) -> None:
    """Default `may_end`: a Power may always end the step."""


def no_offers(tables: Tables, state: State, power: str) -> Iterator[Action]:
    """Default `offers`: no action but `done`."""
    yield from ()


def slot_powers(tables: Tables, state: State) -> tuple[str, ...]:
    """Return all Powers of the current slot."""
    return state.cursor.powers


def no_powers(tables: Tables, state: State) -> tuple[str, ...]:
    """Return no Powers: the step has no decisions of players."""
    return ()


class SequenceStep(NamedTuple):
    """The rules of one step.

    Attributes:
        actors: the Powers that must end the step with `done`. With none, the step is over at once.
        offers: the actions of a Power in the step, without `done`.
        run: the automatic part. It is called when the step begins and after every action and answer in it, as long as
            no question is open. It keeps no continuation: it finds from the position what is left to do.
        close: called once, when all Powers are done.
        may_end: refuses `done` while something must still be done.
        every: all actions of a Power, where `offers` is a shorter menu; None: the same as `offers`.
    """

    actors: Callable[[Tables, State], tuple[str, ...]] = slot_powers
    offers: Callable[[Tables, State, str], Iterator[Action]] = no_offers
    run: Callable[[Transaction], None] = run_nothing
    close: Callable[[Transaction], None] = run_nothing
    may_end: Callable[[Transaction, str], None] = allow_ending
    every: Callable[[Tables, State, str], Iterator[Action]] | None = None


RulesByStep = Mapping[tuple[str, str], SequenceStep]
"""Steps by phase and name."""

ActionHandler = Callable[[Transaction, str, Any], None]
"""Carries out an action: `(play, power, action)`."""

ActionHandlers = Mapping[type[Action], tuple[tuple[tuple[str, str], ...], ActionHandler]]
"""For each type of action: the steps (phase, name) that allow it, and its handler."""

AnswerHandlers = Mapping[str, Callable[[Transaction, Question, str], None]]
"""Handler of the answer to each kind of question: `(play, question, choice)`. The question is already off the
stack.
"""
