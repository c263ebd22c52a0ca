"""Allies who move together: who moves first, and where the later one may not go.

Rules: EIA 7.3.8.1, 7.3.8.2, 7.3.8.5
"""

from __future__ import annotations

from paxtui.empires.history.attack_events import FirstProposed, MoversOrdered
from paxtui.empires.play.play import Play, refuse
from paxtui.empires.play.presence import counters
from paxtui.empires.play.standing import at_war
from paxtui.empires.politics.competing import order
from paxtui.empires.state.model import State
from paxtui.empires.state.questions import Question
from paxtui.empires.tables.tables import Tables

FIRST = "moves_first"
"""What allies are asked who move together: which of them moves first."""


def run(play: Play) -> None:
    """Ask allies for their order, and roll where they do not agree. Rules: EIA 7.3.8.1"""
    powers, campaign = play.state.cursor.powers, play.state.campaign
    if len(powers) < 2 or campaign.order:
        return
    for power in powers:
        if power not in campaign.proposed:
            play.ask(FIRST, power, powers, rules=("EIA 7.3.8.1",))
            return
    named = set(campaign.proposed.values())
    if len(named) == 1:
        first = named.pop()
        found = (first, *(one for one in powers if one != first))
    else:
        found = order(play, powers, "combined movement", "EIA 7.3.8.1")
    play.emit(MoversOrdered(order=found, rules=("EIA 7.3.8.1",)))


def proposed(play: Play, question: Question, choice: str) -> None:
    """The answer of one ally. Rules: EIA 7.3.8.1"""
    play.emit(FirstProposed(power=question.power, first=choice, rules=("EIA 7.3.8.1",)))


def movers(tables: Tables, state: State) -> tuple[str, ...]:
    """The Power that moves now: allies one after the other. Rules: EIA 7.3.8.1, 7.3.8.5"""
    left = [one for one in state.campaign.order or state.cursor.powers if one not in state.cursor.done]
    return tuple(left[:1])


def keep_out(play: Play, power: str, area: str) -> None:
    """Refuse the later ally an area where an earlier one attacks somebody with whom he is not at war. Raises: Refusal.

    Rules: EIA 7.3.8.5
    """
    state = play.state
    earlier = [one for one in state.campaign.order if one != power and one in state.cursor.done]
    there = {one.power for one in counters(state, area) if not one.inside}
    for ally in earlier:
        attacked = [one for one in there if at_war(state, ally, one)]
        if ally in there and any(not at_war(state, power, one) for one in attacked):
            name = play.tables.name(ally)
            refuse("ally_attacks", f"{name} attacks there, and not all defenders are one's enemies.", "EIA 7.3.8.5")
