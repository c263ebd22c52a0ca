"""The supply step: forced foraging, the bill, besieged cities, and allies who supply each other.

Rules: EIA 7.4
"""

from __future__ import annotations

from collections.abc import Iterator

from paxtui.empires.history.land_events import Supplied, SupplyRefused
from paxtui.empires.orders.action import Action
from paxtui.empires.orders.actions_land import AskSupply, Forage
from paxtui.empires.play.allowances import left
from paxtui.empires.play.play import Play, refuse
from paxtui.empires.play.presence import is_corps, unbesieged
from paxtui.empires.play.standing import allied
from paxtui.empires.state.model import State
from paxtui.empires.state.pieces import Corps
from paxtui.empires.state.questions import Question
from paxtui.empires.supply.feeding import (
    PAID,
    besieged_areas,
    cost_of,
    end_march,
    forage,
    hungry,
    in_winter,
    lives_on_capture,
    starve,
    trek_of,
)
from paxtui.empires.supply.lines import valid_chain
from paxtui.empires.supply.prices import IN_PLACE, bill, price
from paxtui.empires.supply.sea_supply import from_the_sea, in_city, reached_by_sea
from paxtui.empires.tables.tables import Tables

ALLIED = "allied_supply"
"""What an ally is asked: to supply a corps."""

YES, NO = "yes", "no"


def port_costs(tables: Tables, state: State, power: str) -> dict[str, int]:
    """Besieged port cities of a Power that live on the sea, each with its price in halves of a money point.

    Rules: EIA 7.4.2.1, 7.4.2.1.2, 7.4.3.4.1, 7.4.4
    """
    chain = valid_chain(tables, state, power)
    found = {}
    for area in besieged_areas(state, power):
        if not tables.areas[area].port:
            continue
        winter = in_winter(tables, state, area)
        if in_city(state, area) and reached_by_sea(tables, state, power, area, chain):
            found[area] = IN_PLACE * (2 if winter else 1)
        elif from_the_sea(tables, state, power, area, chain):
            found[area] = price(1, winter)
    return found


def costs(tables: Tables, state: State, power: str) -> dict[str, int]:
    """Corps of a Power that are to be paid for, and besieged ports, with their prices in halves of a money point."""
    chain = valid_chain(tables, state, power)
    found = {one.id: cost_of(tables, state, one, "", chain) for one in hungry(state, power)}
    return {name: cost for name, cost in found.items() if cost is not None} | port_costs(tables, state, power)


def owed(tables: Tables, state: State, power: str) -> int:
    """The money points that a Power's supply costs. Rules: EIA 7.4.2.1"""
    return bill(costs(tables, state, power).values())


def run(play: Play) -> None:
    """Supply corps that must forage or live on a captured depot, one after the other. Rules: EIA 7.3.6.1, 7.4.1"""
    for power in play.state.cursor.powers:
        for corps in hungry(play.state, power):
            if play.state.questions:
                return
            end_march(play, corps, may_wait=_ally_can(play, corps))


def end_last_march(play: Play, mover: str = "") -> None:
    """Supply the corps that moved last, if it must forage, when its march is over.

    Its march is over when another counter moves or its Power has finished its movement.

    Args: the play; the id of the counter that is about to move, "" for none.
    Rules: EIA 7.4.1, 7.4.1.1
    """
    state = play.state
    corps = state.corps.get(state.campaign.moving)
    if corps is None or corps.id == mover or (not mover and corps.power not in state.cursor.done):
        return
    if trek_of(state, corps).path:
        end_march(play, corps, may_wait=bool(_helpers(play.tables, state, corps)))


def _ally_can(play: Play, corps: Corps) -> bool:
    """Whether an ally who has not been asked could supply a corps."""
    done = play.state.cursor.done
    return corps.power not in done and bool(_helpers(play.tables, play.state, corps))


def _helpers(tables: Tables, state: State, corps: Corps) -> tuple[str, ...]:
    """Allies whose depots could supply a corps, and who can pay. Rules: EIA 7.4.2.2"""
    found = []
    for power in state.powers:
        if power != corps.power and allied(state, power, corps.power):
            cost = cost_of(tables, state, corps, power)
            refused = any(one == (corps.id, power) for one in state.campaign.refused)
            if cost is not None and not refused and bill((cost,)) <= state.accounts[power].money:
                found.append(power)
    return tuple(found)


def actors(tables: Tables, state: State) -> tuple[str, ...]:
    """Powers that have to choose: their money does not do for all, or an ally could help. Rules: EIA 7.4.2.1"""
    return tuple(
        power
        for power in state.cursor.powers
        if owed(tables, state, power) > state.accounts[power].money
        or any(cost_of(tables, state, one) is None and _helpers(tables, state, one) for one in hungry(state, power))
    )


def check_done(play: Play, power: str) -> None:
    """Refuse to end the step while the bill cannot be paid. Raises: Refusal. Rules: EIA 7.4.2.1"""
    debt, money = owed(play.tables, play.state, power), play.state.accounts[power].money
    if debt > money:
        refuse("no_money", f"Supply costs {debt} and there is {money}: let some corps forage.", "EIA 7.4.2.1")


def close(play: Play) -> None:
    """Pay for all that did not forage, and roll for besieged cities. Rules: EIA 7.4.2, 7.4.5"""
    for power in play.state.cursor.powers:
        costs_ = costs(play.tables, play.state, power)
        debt = bill(costs_.values())
        play.post(power, "money", -debt, "supply", "EIA 7.4.2.1")
        for name in costs_:
            if name in play.state.corps:
                play.emit(Supplied(corps=name, how=PAID, rules=("EIA 7.4.2.1",)))
        for area in besieged_areas(play.state, power):
            eaters = _besieged_eaters(play, area)
            if power == next(iter(eaters), ""):
                starve(play, eaters, area)


def _besieged_eaters(play: Play, area: str) -> tuple[str, ...]:
    """Return the Powers in a besieged city that live on its supplies. The first one rolls for all, in its sequence.

    Rules: EIA 7.4.5, 7.4.5.1
    """
    tables, state = play.tables, play.state
    inside = [power for power in (*state.powers, *state.minors) if area in besieged_areas(state, power)]
    return tuple(power for power in inside if area not in port_costs(tables, state, power))


def to_forage(play: Play, power: str, action: Forage) -> None:
    """Let a corps end its march and live off the country. Raises: Refusal. Rules: EIA 7.4.1, 7.4.2.1"""
    corps = play.state.corps.get(action.corps)
    if corps is None or corps.power != power or not corps.where or not is_corps(corps):
        refuse("no_corps", f"There is no corps '{action.corps}' of one's own on land.", "EIA 7.4.1")
    if not unbesieged(play.state, corps):
        refuse("besieged", "A besieged corps lives on what the city has.", "EIA 7.4.5")
    if trek_of(play.state, corps).fed:
        refuse("fed", f"{corps.id} has its supply.", "EIA 7.4.1")
    if lives_on_capture(play.state, corps):
        end_march(play, corps)
        return
    if play.state.cursor.step == "supply":
        debt, money = owed(play.tables, play.state, power), play.state.accounts[power].money
        if debt <= money and cost_of(play.tables, play.state, corps) is not None:
            refuse("too_late", "It chose depot supply, and there is money for it.", "EIA 7.4.1", "EIA 7.4.2.1")
    forage(play, corps, left(corps))


def ask_ally(play: Play, power: str, action: AskSupply) -> None:
    """Ask an ally to supply a corps. Raises: Refusal. Rules: EIA 7.4.2.2"""
    corps = play.state.corps.get(action.corps)
    if corps is None or corps.power != power or corps not in hungry(play.state, power):
        refuse("no_corps", f"'{action.corps}' is no corps of one's own that needs supply.", "EIA 7.4.2.2")
    if action.ally not in _helpers(play.tables, play.state, corps):
        refuse("no_ally", f"'{action.ally}' is no ally who could supply it.", "EIA 7.4.2.2")
    play.ask(ALLIED, action.ally, (NO, YES), corps.id, rules=("EIA 7.4.2.2",))


def ally_answers(play: Play, question: Question, choice: str) -> None:
    """The ally's answer; he pays at once. Rules: EIA 7.4.2.2"""
    corps = play.state.corps[question.about[0]]
    cost = cost_of(play.tables, play.state, corps, question.power)
    if choice == YES and cost is not None:
        play.post(question.power, "money", -bill((cost,)), f"supply of {corps.id}", "EIA 7.4.2.2")
        play.emit(Supplied(corps=corps.id, how=PAID, rules=("EIA 7.4.2.2",)))
    else:
        play.emit(SupplyRefused(corps=corps.id, ally=question.power, rules=("EIA 7.4.2.2",)))


def offers(tables: Tables, state: State, power: str) -> Iterator[Action]:
    """Corps that may forage, and allies who may be asked."""
    for corps in hungry(state, power):
        yield Forage(corps.id)
        yield from (AskSupply(corps.id, ally) for ally in _helpers(tables, state, corps))
