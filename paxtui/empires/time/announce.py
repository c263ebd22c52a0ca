"""Great Britain says when it moves at sea, France when it moves on land, before anybody does."""

from __future__ import annotations

from collections.abc import Iterator

from paxtui.empires.history.time_events import PlaceAnnounced, SlotsGiven, StepDone
from paxtui.empires.orders.action import Action
from paxtui.empires.orders.actions_time import Announce
from paxtui.empires.play.play import Play, refuse
from paxtui.empires.play.steps import Acts, Step, Steps
from paxtui.empires.state.cursor import Slot
from paxtui.empires.state.model import State
from paxtui.empires.tables.tables import Tables
from paxtui.empires.time.order_of_powers import ANNOUNCE, FLOATING, LAND, NAVAL, slots

FIRST = "first"


def announce(play: Play, power: str, action: Announce) -> None:
    """Take a place in the sequence of the phase. Rules: EIA 6.1, EIA 7.1"""
    phase = play.state.cursor.phase
    rule = "EIA 6.1" if phase == NAVAL else "EIA 7.1"
    others = tuple(one for one in play.state.powers if one != power)
    if action.after != FIRST and action.after not in others:
        refuse("no_place", f"Its place is first, or after one of: {', '.join(others)}.", rule)
    after = "" if action.after == FIRST else action.after
    play.emit(PlaceAnnounced(power=power, phase=phase, after=after, rules=(rule,)))
    play.emit(StepDone(power=power))


def _places(tables: Tables, state: State, power: str) -> Iterator[Action]:
    yield Announce(FIRST)
    yield from (Announce(one) for one in state.powers if one != power)


def _sequence(play: Play) -> None:
    """The order of the phase stands, once the place is announced."""
    state = play.state
    announced = Slot(ANNOUNCE, (FLOATING[state.cursor.phase],))
    play.emit(SlotsGiven(slots=(announced, *slots(play.tables, state, state.cursor.phase))))


_ANNOUNCING = Step(offers=_places, close=_sequence)

STEPS: Steps = {(NAVAL, ANNOUNCE): _ANNOUNCING, (LAND, ANNOUNCE): _ANNOUNCING}
ACTS: Acts = {Announce: (((NAVAL, ANNOUNCE), (LAND, ANNOUNCE)), announce)}
