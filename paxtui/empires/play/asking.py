"""Answers, and papers that are written in secret and opened together."""

from __future__ import annotations

from paxtui.empires.history.asking_events import Answered, Revealed, SealedUp
from paxtui.empires.play.play import Play, refuse
from paxtui.empires.state.model import State
from paxtui.empires.state.questions import Question, Sealed


def answered(play: Play, power: str, choice: str) -> Question:
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


def seal(play: Play, power: str, matter: str, words: tuple[str, ...], *rules: str) -> None:
    """Write something down in secret, in place of what was written about it before."""
    play.emit(SealedUp(sealed=Sealed(power=power, matter=matter, words=words), only=(power,), rules=rules))


def reveal(play: Play, matter: str, *rules: str) -> tuple[Sealed, ...]:
    """Open all that is written about a matter, in the order of the Powers; empty where nothing is."""
    papers = sorted(papers_about(play.state, matter), key=lambda one: play.state.powers.index(one.power))
    if papers:
        play.emit(Revealed(matter=matter, sealed=tuple(papers), rules=rules))
    return tuple(papers)


def papers_about(state: State, matter: str) -> tuple[Sealed, ...]:
    """What is written down about a matter and not revealed."""
    return tuple(one for one in state.sealed if one.matter == matter)
