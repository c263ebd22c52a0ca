"""The door: what a statesman does now at its seat, and why.

Deterministic: the same position, seat, character and seed give the same acts. It sees what its seat sees.
"""

from __future__ import annotations

from collections.abc import Sequence

from paxtui.bots.act import Act
from paxtui.bots.caretaker import demands, indian_army
from paxtui.bots.caretaker.desk import Desk
from paxtui.bots.statesman import answers, expansion, fleets, order
from paxtui.bots.statesman.character import Character
from paxtui.bots.statesman.diplomacy import campaign, congress, disputes, treaties, war
from paxtui.bots.statesman.outlook import Outlook
from paxtui.pax.board.status import powers_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.state.model import State

READY = Act("ready", "Nothing more is worth its price")


def choose_acts(
    tables: Tables, state: State, seat: str, who: Character, seed: str | int, last: bool = False
) -> list[Act]:
    """What the seat does now, to be tried in turn; what is refused is left out.

    Args: the tables; the position as the seat knows it; the seat; level and temper; the seed of its taste; whether this
        is its last word in a Phase in which it has moved.
    Returns: questions are answered first; else the acts of the Phase. Empty where there is nothing to do.
    """
    if state.result is not None:
        return []
    given: list[Act] = []
    for choice in state.choices:
        if choice.seat == seat:
            outlook, desk = _papers(tables, state, seat, choice.power or seat, who, str(seed))
            given.append(answers.answer(outlook, desk, choice))
    if given:
        return given
    if state.phase == "movement":
        return movement(tables, state, seat, who, str(seed))
    if state.phase == "negotiation":
        return (last_word if last else negotiation)(tables, state, seat, who, str(seed))
    if state.phase == "war":
        return campaign.orders(*_papers(tables, state, seat, seat, who, str(seed)))
    return []


def movement(tables: Tables, state: State, seat: str, who: Character, seed: str) -> list[Act]:
    """The Movement/Status Change Phase of each Power of the seat."""
    acts: list[Act] = []
    for power in powers_of(tables, state, seat):
        outlook, desk = _papers(tables, state, seat, power, who, seed)
        demands.rebuild(desk)
        fleets.sail(outlook, desk)
        demands.of_events(desk)
        order.call_home(desk)
        order.garrison(desk)
        order.reinforce(outlook, desk)
        desk.state = treaties.put_by(outlook, desk.state, power)
        order.put_down(outlook, desk)
        expansion.expand(outlook, desk)
        indian_army.place(desk)
        order.lighten(outlook, desk)
        acts, state = [*acts, *desk.acts], desk.state
    fix = Act("garrison", "Garrisons as the rules demand them")
    return [*acts, READY, fix, READY]


def negotiation(tables: Tables, state: State, seat: str, who: Character, seed: str) -> list[Act]:
    """The Negotiation Phase of each Power of the seat."""
    acts: list[Act] = []
    for power in powers_of(tables, state, seat):
        outlook, desk = _papers(tables, state, seat, power, who, seed)
        disputes.settle(outlook, desk)
        treaties.offer(outlook, desk)
        acts, state = [*acts, *desk.acts], desk.state
    return [*acts, READY]


def last_word(tables: Tables, state: State, seat: str, who: Character, seed: str) -> list[Act]:
    """What follows when talks have come to their end: War, or a Congress, over what they have not settled."""
    acts: list[Act] = []
    for power in powers_of(tables, state, seat):
        outlook, desk = _papers(tables, state, seat, power, who, seed)
        war.declare(outlook, desk)
        if not desk.acts:
            congress.call(outlook, desk)
        acts, state = [*acts, *desk.acts], desk.state
    return [*acts, READY]


def replies(
    tables: Tables, state: State, seat: str, who: Character, seed: str, writers: Sequence[str]
) -> list[Act]:
    """What the seat says to the drafts before it, and to seats that have written to it. Args: as `choose_acts`."""
    if state.result is not None:
        return []
    acts: list[Act] = []
    for power in powers_of(tables, state, seat):
        outlook, desk = _papers(tables, state, seat, power, who, seed)
        treaties.answer_drafts(outlook, desk)
        words = treaties.answer_letters(outlook, desk, writers) if power == seat else []
        acts, state = [*acts, *desk.acts, *words], desk.state
    return acts


def _papers(
    tables: Tables, state: State, seat: str, power: str, who: Character, seed: str
) -> tuple[Outlook, Desk]:
    """The judgement and the paper of a Power."""
    return Outlook(tables, state, power, who, seed), Desk(tables, state, seat, power, seed)
