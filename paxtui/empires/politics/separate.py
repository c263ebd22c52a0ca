"""A Power that is left alone in a war may demand that an ally who has made peace gives up the alliance (4.4.7)."""

from __future__ import annotations

from collections.abc import Iterator

from paxtui.empires.history.politics_events import DemandSettled
from paxtui.empires.play.play import Play
from paxtui.empires.play.standing import allied, at_war
from paxtui.empires.politics.declaring import break_alliance
from paxtui.empires.state.model import State
from paxtui.empires.state.questions import Question

DEMAND, LET_BE = "demand", "let_be"
RULE = "EIA 4.4.7"


def grounds(state: State) -> Iterator[tuple[str, str]]:
    """Who might demand, and of whom; each once. Rules: EIA 4.4.7"""
    for loser, victor, kind in state.politics.peace:
        made = ((victor, loser),) if kind != "informal" else ((victor, loser), (loser, victor))
        for ally, enemy in made if kind != "lapse" else ():
            for power in state.powers:
                if power not in (ally, enemy) and at_war(state, power, enemy) and allied(state, power, ally):
                    yield power, ally


def ask(play: Play) -> bool:
    """Ask the next Power that might demand something; whether somebody was asked."""
    for power, ally in grounds(play.state):
        if (power, ally) not in play.state.politics.demands:
            play.ask(DEMAND, power, (DEMAND, LET_BE), ally, rules=(RULE,))
            return True
    return False


def answer(play: Play, question: Question, choice: str) -> None:
    """The ally gives up the alliance and loses points for it, or nothing happens. Rules: EIA 4.4.7"""
    power, ally = question.power, question.about[0]
    play.emit(DemandSettled(power=power, ally=ally, rules=(RULE,)))
    if choice == DEMAND:
        break_alliance(play, ally, power, (ally,), RULE)
