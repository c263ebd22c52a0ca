"""The door: what a seat under General Orders does now, rule by rule.

Deterministic: the same position, seat and seed give the same acts. It sees what its seat sees.

Rules: ORD-001, ORD-003, ORD-004
"""

from __future__ import annotations

from paxtui.bots.act import Act
from paxtui.bots.caretaker import answers, campaign, demands, disputes, fleets, garrisons, indian_army, war_on_minors
from paxtui.bots.caretaker.desk import Desk
from paxtui.pax.board.status import powers_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.orders import actions as ac
from paxtui.pax.state.model import State


def choose_acts(tables: Tables, state: State, seat: str, seed: str | int) -> list[Act]:
    """What the seat does now, to be tried in turn; what is refused is left out.

    Args: the tables; the position as the seat knows it; the seat; the seed of the orders' own dice.
    Returns: questions are answered first; else the acts of the Phase, with `ready` at their end. Empty where the seat
        has nothing to do.
    Rules: ORD-001, ORD-003, ORD-004
    """
    if state.result is not None:
        return []
    asked = [choice for choice in state.choices if choice.seat == seat]
    if asked:
        return [answers.answer(Desk(tables, state, seat, choice.power, str(seed)), choice) for choice in asked]
    if state.phase == "movement":
        return movement(tables, state, seat, str(seed))
    if state.phase == "negotiation":
        return negotiation(tables, state, seat, str(seed))
    return campaign.orders(tables, state, seat) if state.phase == "war" else []


def movement(tables: Tables, state: State, seat: str, seed: str) -> list[Act]:
    """The Movement/Status Change Phase: Rules 4 to 8 for each Power of the seat."""
    acts: list[Act] = []
    for power in powers_of(tables, state, seat):
        desk = Desk(tables, state, seat, power, seed)
        demands.rebuild(desk)
        war_on_minors.arm(desk)
        fleets.place_new(desk)
        demands.of_events(desk)
        indian_army.place(desk)
        garrisons.bring_home(desk)
        garrisons.keep_what_is_held(desk)
        acts, state = [*acts, *desk.acts], desk.state
    fix = Act("garrison", "Rule 7: garrisons as the rules demand them")
    return [*acts, READY, fix, READY]


def negotiation(tables: Tables, state: State, seat: str, seed: str) -> list[Act]:
    """The Negotiation Phase: Rule 4 for each Power of the seat."""
    acts: list[Act] = []
    for power in powers_of(tables, state, seat):
        desk = Desk(tables, state, seat, power, seed)
        war_on_minors.declare(desk)
        disputes.give_way(desk)
        acts, state = [*acts, *desk.acts], desk.state
    return [*acts, READY]


def refusals(tables: Tables, state: State, seat: str, why: str = answers.REFUSED) -> list[Act]:
    """The answer to every draft that waits for the seat: no new agreement is signed. `why`: the reason.

    Rules: ORD-003
    """
    acts: list[Act] = []
    for power in powers_of(tables, state, seat):
        desk = Desk(tables, state, seat, power, "")
        for treaty in desk.unsigned():
            desk.do(ac.Reject(treaty.id), why)
        acts, state = [*acts, *desk.acts], desk.state
    return acts


READY = Act("ready", "The orders ask for nothing more")
