"""What a rule works with while an act is decided: the tables, the position so far, dice, and what has happened.

Answers, and papers that are written in secret and opened together.

What a step is to the sequence, and what a room of rules gives it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, NoReturn

from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal
from paxtui.games.empires.events.base import Answered, Event, Posted, QuestionPosed, Revealed, SealedUp
from paxtui.games.empires.events.registry import evolve, sealed_event
from paxtui.games.empires.orders import Action
from paxtui.games.empires.state import Question, Sealed, State, What
from paxtui.games.empires.tables import Tables


class Transaction:
    """One act while it is decided.

    Attributes:
        tables: those of the exercise.
        state: the position after the events so far.
        dice: where dice come from.
        events: what has happened.
    """

    def __init__(self, tables: Tables, state: State, dice: Dice) -> None:
        self.tables = tables
        self.state = state
        self.dice = dice
        self.events: list[Event] = []

    def emit(self, event: Event) -> None:
        """Let something happen; what it tells about corps face down is for their owner only."""
        event = sealed_event(self.state, event)
        self.events.append(event)
        self.state = evolve(self.state, event)

    def roll(self) -> int:
        """One die."""
        return self.dice.roll()

    def post(self, power: str, what: What, amount: int, reason: str, *rules: str) -> None:
        """Change an account, for a reason; nothing happens where the amount is 0."""
        if amount:
            self.emit(Posted(power=power, what=what, amount=amount, reason=reason, rules=rules))

    def points(self, power: str, amount: int, reason: str, *rules: str) -> None:
        """Change the political points of a Power; a minor country has none."""
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
        """Ask a Power something; it is answered before anything else goes on.

        Args: what it is about; who is asked; what may be answered; ids of what it concerns; sections; whether the
            answer stays hidden until the rules reveal it.
        """
        asked = Question(kind=kind, power=power, choices=choices, about=about, rules=rules, secret=secret)
        self.emit(QuestionPosed(question=asked, rules=rules))


def refuse(code: str, message: str, *rules: str) -> NoReturn:
    """Refuse what is asked for. Raises: Refusal, always.

    Args: the code; a sentence; the sections that forbid it, as "EIA 6.3.1".
    """
    raise Refusal(code, rules, message)


def take_answer(play: Transaction, power: str, choice: str) -> Question:
    """Take the answer to the question that waits; the question. Raises: Refusal."""
    if not play.state.questions:
        refuse("nothing_asked", "Nobody is asked anything now.", "EIA 3.0")
    question = play.state.questions[-1]
    if question.power != power:
        refuse("not_asked", "Somebody else is asked, and answers first.", *(question.rules or ("EIA 3.0",)))
    if choice not in question.choices:
        refuse("no_choice", f"The answer is one of: {', '.join(question.choices)}.", *(question.rules or ("EIA 3.0",)))
    only = (power,) if question.secret else ()
    play.emit(Answered(power=power, choice=choice, only=only, rules=question.rules))
    return question


def seal_paper(play: Transaction, power: str, matter: str, words: tuple[str, ...], *rules: str) -> None:
    """Write something down in secret, in place of what was written about it before."""
    play.emit(SealedUp(sealed=Sealed(power=power, matter=matter, words=words), only=(power,), rules=rules))


def reveal_papers(play: Transaction, matter: str, *rules: str) -> tuple[Sealed, ...]:
    """Open all that is written about a matter, in the order of the Powers; empty where nothing is."""
    papers = sorted(papers_about(play.state, matter), key=lambda one: play.state.powers.index(one.power))
    if papers:
        play.emit(Revealed(matter=matter, sealed=tuple(papers), rules=rules))
    return tuple(papers)


def papers_about(state: State, matter: str) -> tuple[Sealed, ...]:
    """What is written down about a matter and not revealed."""
    return tuple(one for one in state.sealed if one.matter == matter)


def run_nothing(play: Transaction) -> None:
    """Nothing goes on by itself."""


def allow_ending(play: Transaction, power: str) -> None:
    """Nothing keeps a Power in the step."""


def no_offers(tables: Tables, state: State, power: str) -> Iterator[Action]:
    """Nothing to do but to be done."""
    yield from ()


def slot_powers(tables: Tables, state: State) -> tuple[str, ...]:
    """All Powers whose step it is."""
    return state.cursor.powers


class SequenceStep(NamedTuple):
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

    actors: Callable[[Tables, State], tuple[str, ...]] = slot_powers
    offers: Callable[[Tables, State, str], Iterator[Action]] = no_offers
    run: Callable[[Transaction], None] = run_nothing
    close: Callable[[Transaction], None] = run_nothing
    may_end: Callable[[Transaction, str], None] = allow_ending
    every: Callable[[Tables, State, str], Iterator[Action]] | None = None


RulesByStep = Mapping[tuple[str, str], SequenceStep]
"""Steps by phase and name."""

ActionHandler = Callable[[Transaction, str, Any], None]
"""What does an act: `(play, power, action)`."""

ActionHandlers = Mapping[type[Action], tuple[tuple[tuple[str, str], ...], ActionHandler]]
"""Acts of a room: the steps (phase, name) in which each is open, and what does it."""

AnswerHandlers = Mapping[str, Callable[[Transaction, Question, str], None]]
"""What takes the answer to each kind of question: `(play, question, choice)`; the question is off the stack then."""
