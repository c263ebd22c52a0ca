"""Which corps lie face down: who may look at them, and which events tell about them.

Rules: EIA 2.4.2
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from paxtui.empires.history import battle_events as be
from paxtui.empires.history import land_events as le
from paxtui.empires.history import sea_events as se
from paxtui.empires.history.asking_events import Answered, Asked
from paxtui.empires.history.event import Event
from paxtui.empires.history.politics_events import CorpsWentHome
from paxtui.empires.state.model import State

SECRET_QUESTIONS = ("divide", "retire", "occupy", "forage_losses", "losses_left_behind", "allied_supply")
"""Kinds of questions that name corps or their factors: only who is asked may read them."""


def revealed_corps(state: State) -> frozenset[str]:
    """Return the corps that lie open: those of a field combat after the chits are shown. Rules: EIA 2.4.2, 7.5.2.6.3"""
    battle = state.campaign.battle
    if battle is None or not battle.attacker.chit:
        return frozenset()
    return frozenset((*battle.attacker.corps, *battle.defender.corps))


def _of_corps(state: State, event: Any) -> tuple[str, ...]:
    corps = state.corps.get(event.corps)
    return (corps.power,) if corps is not None and corps.id not in revealed_corps(state) else ()


def _of_strength(state: State, event: le.CorpsStrength) -> tuple[str, ...]:
    return () if event.why.startswith("pursuit") else _of_corps(state, event)


def _of_power(state: State, event: Any) -> tuple[str, ...]:
    return (event.power,)


def _of_first(state: State, event: be.Stayed) -> tuple[str, ...]:
    powers = {state.corps[one].power for one in event.corps if one in state.corps}
    return tuple(sorted(powers)) if len(powers) == 1 else ()


def _of_side(state: State, event: be.Divided) -> tuple[str, ...]:
    battle = state.campaign.battle
    if battle is None or not event.side:
        return ()
    return battle.attacker.powers if event.side == "attacker" else battle.defender.powers


def _of_leader(state: State, event: Any) -> tuple[str, ...]:
    corps = state.corps.get(event.where)
    return (corps.power,) if corps is not None and corps.id not in revealed_corps(state) else ()


def _of_question(state: State, event: Asked) -> tuple[str, ...]:
    return (event.question.power,) if event.question.kind in SECRET_QUESTIONS else ()


def _of_answer(state: State, event: Answered) -> tuple[str, ...]:
    return (event.power,) if state.questions and state.questions[-1].kind in SECRET_QUESTIONS else ()


OWNERS: Mapping[type[Event], Callable[[State, Any], tuple[str, ...]]] = {
    le.Marched: _of_corps,
    le.Landed: _of_corps,
    le.Quartered: _of_corps,
    le.CorpsStrength: _of_strength,
    le.LeftBehind: _of_corps,
    le.CorpsArrived: lambda state, event: (event.corps.power,),
    le.LeaderMoved: _of_leader,
    le.Besieging: _of_corps,
    le.Supplied: _of_corps,
    le.Foraged: _of_corps,
    le.SupplyRefused: _of_corps,
    le.ReinforcementsCame: _of_power,
    le.ReinforcementLost: _of_power,
    be.Stayed: _of_first,
    be.Retreated: _of_corps,
    be.Divided: _of_side,
    se.Embarked: _of_corps,
    se.Drowned: _of_corps,
    se.CorpsShifted: _of_corps,
    CorpsWentHome: _of_corps,
    Asked: _of_question,
    Answered: _of_answer,
}
"""Events that tell about corps face down, each with the Powers that may read it; () for everybody."""


def sealed_event(state: State, event: Event) -> Event:
    """Return an event with the Powers that may read all of it, if it tells about corps that lie face down.

    Args: the position before the event; the event.
    """
    find = OWNERS.get(type(event))
    if find is None or event.only:
        return event
    only = find(state, event)
    return replace(event, only=only) if only else event
