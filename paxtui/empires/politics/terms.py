"""Formal peace: terms drafted in turns, what it brings and costs, and the enforced time after it (4.4.2 to 4.4.6)."""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.empires.history.politics_events import PeaceMade, SurrenderChanged
from paxtui.empires.play.play import Play
from paxtui.empires.play.standing import at_war
from paxtui.empires.politics.suing import CONDITIONAL, UNCONDITIONAL
from paxtui.empires.state.model import State
from paxtui.empires.state.politics import Surrender
from paxtui.empires.state.questions import Question
from paxtui.empires.tables.tables import Tables
from paxtui.empires.time.calendar import later

GIVEN, TERM, NONE = "given", "term", "none"
MOST = {CONDITIONAL: 2, UNCONDITIONAL: 3}
"""Terms a victor may choose. Rules: EIA 4.4.3, EIA 4.4.4"""
GAIN = {CONDITIONAL: 3, UNCONDITIONAL: 5}
LOSS = {CONDITIONAL: 5, UNCONDITIONAL: 8}
"""Political points for a formal peace. Rules: EIA 4.4.2.3"""
ENFORCED = 18
"""Months of enforced peace. Rules: EIA 4.4.6.3"""


def draft(play: Play) -> bool:
    """Ask for the next term of a peace that is being made, or make it; whether anything has happened."""
    stand = [one for one in play.state.politics.surrenders if one.accepted]
    for loser in dict.fromkeys(one.loser for one in stand):
        victors = [one for one in stand if one.loser == loser and at_war(play.state, loser, one.victor)]
        if victors:
            return _draft(play, loser, victors)
    return False


def _draft(play: Play, loser: str, victors: list[Surrender]) -> bool:
    """The next term of one loser's peace. Rules: EIA 4.4.3, EIA 4.4.5.1, EIA 4.4.5.2"""
    for one in victors:
        if one.kind == CONDITIONAL and not one.given:
            choices = tuple(name for name, term in play.tables.terms.items() if term.list == "A")
            play.ask(GIVEN, loser, choices, one.victor, rules=("EIA 4.4.3",))
            return True
    still = [one for one in victors if not one.closed]
    if not still:
        _make(play, loser, victors)
        return True
    one = min(still, key=lambda each: len(each.terms))
    left = available(play.tables, play.state, one)
    if not left:
        play.emit(SurrenderChanged(surrender=replace(one, closed=True), rules=("EIA 4.4.5.1",)))
        return True
    play.ask(TERM, one.victor, (*left, NONE), loser, rules=("EIA 4.4.5.1",))
    return True


def available(tables: Tables, state: State, surrender: Surrender) -> tuple[str, ...]:
    """Terms that a victor may choose now: once each, unless all share it, and none that another precludes.

    Rules: EIA 4.4.3, EIA 4.4.4, EIA 4.4.5.3
    """
    if len(surrender.terms) >= MOST[surrender.kind]:
        return ()
    lists = "B" if surrender.kind == CONDITIONAL else "BC"
    of_loser = [one for one in state.politics.surrenders if one.loser == surrender.loser and one.accepted]
    taken = {term for one in of_loser for term in one.terms} | {surrender.given} & set(tables.terms)
    barred = {term for one in taken for term in tables.terms[one].precludes}
    found: list[str] = []
    for name, term in tables.terms.items():
        gone = name in surrender.terms if term.effect == "shared" else name in taken
        if term.list in lists and not gone and name not in barred and not set(term.precludes) & taken:
            found.append(name)
    return tuple(found)


def take_given(play: Play, question: Question, choice: str) -> None:
    """The loser has chosen from list A. Rules: EIA 4.4.3"""
    one = _of(play.state, question.power, question.about[0])
    play.emit(SurrenderChanged(surrender=replace(one, given=choice), rules=("EIA 4.4.3",)))


def take_term(play: Play, question: Question, choice: str) -> None:
    """A victor has chosen a term, or chooses no more. Rules: EIA 4.4.5.1"""
    one = _of(play.state, question.about[0], question.power)
    changed = replace(one, closed=True) if choice == NONE else replace(one, terms=(*one.terms, choice))
    play.emit(SurrenderChanged(surrender=changed, rules=("EIA 4.4.5.1",)))


def _of(state: State, loser: str, victor: str) -> Surrender:
    return next(one for one in state.politics.surrenders if (one.loser, one.victor) == (loser, victor))


def _make(play: Play, loser: str, victors: list[Surrender]) -> None:
    """A loser makes peace with all who took its surrender. Rules: EIA 4.4.2.3, EIA 4.4.5, EIA 4.4.5.3, EIA 4.4.6.3"""
    until = later(play.state.turn, ENFORCED) - 1
    for one in victors:
        terms = tuple(
            name
            for name in (one.given, *one.terms)
            if name and (play.tables.terms[name].effect != "shared" or all(name in each.terms for each in victors))
        )
        rules = ("EIA 4.4.3" if one.kind == CONDITIONAL else "EIA 4.4.4", "EIA 4.4.6.3")
        play.emit(PeaceMade(loser=loser, victor=one.victor, kind=one.kind, terms=terms, until=until, rules=rules))
        gained = f"took the {one.kind} surrender of {play.tables.name(loser)}"
        play.points(one.victor, GAIN[one.kind], gained, "EIA 4.4.2.3")
    worst = UNCONDITIONAL if any(one.kind == UNCONDITIONAL for one in victors) else CONDITIONAL
    play.points(loser, -LOSS[worst], f"surrendered, {worst}", "EIA 4.4.2.3", "EIA 4.4.5")
