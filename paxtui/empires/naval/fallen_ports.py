"""Fleets in a port that has become an enemy's: out to sea, through a blockade, or to the bottom.

Rules: EIA 6.2.6
"""

from __future__ import annotations

from paxtui.empires.history.sea_events import StackMoved
from paxtui.empires.naval.battle.retreat import scuttle
from paxtui.empires.naval.battle.sides import engage
from paxtui.empires.naval.entering import sea_open
from paxtui.empires.naval.places import box_of, seas_of, spot
from paxtui.empires.naval.stacks import blockaders, group_of, powers_of, stack
from paxtui.empires.play.play import Play
from paxtui.empires.play.standing import at_war, owner
from paxtui.empires.state.model import State
from paxtui.empires.state.questions import Question
from paxtui.empires.tables.tables import Tables
from paxtui.empires.time.order_of_powers import NAVAL

LEAVE, BESET = "leave_port", "beset"
"""The questions: where a fleet goes from a port that has fallen; whether it fights its way out."""
FIGHT, SCUTTLE = "fight", "scuttle"


def stranded(tables: Tables, state: State) -> tuple[tuple[str, str], ...]:
    """Powers with fleets in ports of their enemies, and those ports; never in the naval phase.

    Rules: EIA 6.2.6
    """
    if state.cursor.phase == NAVAL:
        return ()
    found = (
        (fleet.power, fleet.where)
        for fleet in state.fleets.values()
        if fleet.box == "port" and at_war(state, fleet.power, owner(tables, state, fleet.where))
    )
    return tuple(dict.fromkeys(found))


def run(play: Play) -> None:
    """Ask the next Power whose fleets must leave a port.

    Rules: EIA 6.2.6, 6.2.6.1
    """
    tables, state = play.tables, play.state
    for power, port in stranded(tables, state):
        if blockaders(state, port, power):
            play.ask(BESET, power, (FIGHT, SCUTTLE), port, rules=("EIA 6.2.6.1",))
            return
        seas = tuple(sea for sea in seas_of(tables, port) if sea_open(tables, state, (power,), sea))
        play.ask(LEAVE, power, (box_of(port), *seas), port, rules=("EIA 6.2.6",))
        return


def answer_leave(play: Play, question: Question, choice: str) -> None:
    """The fleets leave, and no gun is fired at them.

    Rules: EIA 6.2.6
    """
    _leave(play, question.power, question.about[0], choice)


def answer_beset(play: Play, question: Question, choice: str) -> None:
    """Scuttle, or fight the blockader, who has the wind.

    Rules: EIA 6.2.6.1
    """
    power, port = question.power, question.about[0]
    foes = blockaders(play.state, port, power)
    if choice == SCUTTLE:
        scuttle(play, stack(play.state, port, (power,)), owner(play.tables, play.state, port))
        return
    _leave(play, power, port, box_of(port))
    opponent = group_of(play.state, foes[0].power)
    powers = tuple(one for one in powers_of(foes) if one in opponent)
    engage(play, box_of(port), (power,), powers, "breakout", power, (port, ""))


def _leave(play: Play, power: str, port: str, place: str) -> None:
    """The fleets of a Power leave a port."""
    where, box = spot(play.tables, place)
    names = tuple(fleet.id for fleet in stack(play.state, port, (power,)))
    play.emit(StackMoved(fleets=names, where=where, box=box, points=0, errand="leave", rules=("EIA 6.2.6",)))
