"""All types of events, and the visibility of face-down corps.

Rules: EIA 2.4.2
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from paxtui.games.empires.events import base, campaign, land, politics, sea
from paxtui.games.empires.events.base import Answered, Event, QuestionPosed
from paxtui.games.empires.events.politics import CorpsWentHome
from paxtui.games.empires.state import State

EVENTS_BY_TAG: dict[str, type[Event]] = {
    str(kind.__struct_config__.tag): kind
    for module in (base, politics, sea, land, campaign)
    for kind in vars(module).values()
    if isinstance(kind, type) and issubclass(kind, Event) and kind is not Event
}
"""Types of events by the `type` of the raw event, in the order of their definition."""


SECRET_QUESTIONS = (
    "divide",
    "retire",
    "occupy",
    "forage_losses",
    "losses_left_behind",
    "allied_supply",
    "call_corps",
    "assault_losses",
    "hold_back",
)
"""Kinds of questions that name corps or their factors: only the Power that answers may read them."""


def revealed_corps(state: State) -> frozenset[str]:
    """Return the corps that lie open: those of a field combat after the chits are shown. Rules: EIA 2.4.2,
    7.5.2.6.3
    """
    battle = state.campaign.battle
    if battle is None or not battle.attacker.chit:
        return frozenset()
    return frozenset((*battle.attacker.corps, *battle.defender.corps))


def _of_corps(state: State, event: Any) -> tuple[str, ...]:
    corps = state.corps.get(event.corps)
    return (corps.power,) if corps is not None and corps.id not in revealed_corps(state) else ()


def _of_strength(state: State, event: land.CorpsStrength) -> tuple[str, ...]:
    return () if event.why.startswith("pursuit") else _of_corps(state, event)


def _of_power(state: State, event: Any) -> tuple[str, ...]:
    return (event.power,)


def _of_first(state: State, event: land.Stayed) -> tuple[str, ...]:
    powers = {state.corps[one].power for one in event.corps if one in state.corps}
    return tuple(sorted(powers)) if len(powers) == 1 else ()


def _of_side(state: State, event: land.Divided) -> tuple[str, ...]:
    battle = state.campaign.battle
    if battle is None or not event.side:
        return ()
    return battle.attacker.powers if event.side == "attacker" else battle.defender.powers


def _of_leader(state: State, event: Any) -> tuple[str, ...]:
    corps = state.corps.get(event.where)
    return (corps.power,) if corps is not None and corps.id not in revealed_corps(state) else ()


def _of_question(state: State, event: QuestionPosed) -> tuple[str, ...]:
    return (event.question.power,) if event.question.kind in SECRET_QUESTIONS else ()


def _of_answer(state: State, event: Answered) -> tuple[str, ...]:
    return (event.power,) if state.questions and state.questions[-1].kind in SECRET_QUESTIONS else ()


OWNERS: Mapping[type[Event], Callable[[State, Any], tuple[str, ...]]] = {
    land.Marched: _of_corps,
    land.Landed: _of_corps,
    land.Quartered: _of_corps,
    land.CorpsStrength: _of_strength,
    land.LeftBehind: _of_corps,
    land.CorpsArrived: lambda state, event: (event.corps.power,),
    land.LeaderMoved: _of_leader,
    land.Besieging: _of_corps,
    land.Supplied: _of_corps,
    land.Foraged: _of_corps,
    land.SupplyRefused: _of_corps,
    land.ReinforcementsCame: _of_power,
    land.ReinforcementLost: _of_power,
    land.Stayed: _of_first,
    land.Retreated: _of_corps,
    land.Divided: _of_side,
    campaign.LossesOrdered: _of_power,
    campaign.SupportRolled: _of_corps,
    campaign.StayedInLines: _of_corps,
    sea.Embarked: _of_corps,
    sea.Drowned: _of_corps,
    sea.CorpsShifted: _of_corps,
    CorpsWentHome: _of_corps,
    QuestionPosed: _of_question,
    Answered: _of_answer,
}
"""Events with details of corps face down, each with the Powers that may read it; () for all."""


def sealed_event(state: State, event: Event) -> Event:
    """Return an event with the Powers that may read all of it, if it has details of corps that lie face down.

    `state` is the position before the event.
    """
    find = OWNERS.get(type(event))
    if find is None or event.only:
        return event
    only = find(state, event)
    return replace(event, only=only) if only else event
