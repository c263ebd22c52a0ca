"""The supply step: foraging, costs, besieged cities, and supply by allies.

Rules: EIA 7.4, 7.4.1, 7.4.5
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from msgspec.structs import replace

from paxtui.games.empires.board import (
    cheapest_factors,
    counters_in,
    depot_in,
    factors_as_word,
    factors_from_word,
    garrison_factors,
    is_allied,
    is_corps,
    is_own_territory,
    is_unbesieged,
    loss_choices,
    points_left,
    trek_of,
)
from paxtui.games.empires.calendar import is_winter
from paxtui.games.empires.events.land import (
    CorpsStrength,
    Foraged,
    GarrisonStrength,
    LeaderMoved,
    LeftBehind,
    Supplied,
    SupplyRefused,
)
from paxtui.games.empires.orders import Action, AskSupply, Forage
from paxtui.games.empires.pieces import Corps, Detached, Factors
from paxtui.games.empires.state import Question, State
from paxtui.games.empires.supply_lines import (
    IN_PLACE,
    is_reached_by_sea,
    is_supplied_from_sea,
    supply_bill,
    supply_price,
    supplying_depot,
    valid_chain,
)
from paxtui.games.empires.tables import Tables
from paxtui.games.empires.transaction import NO, YES, Transaction, refuse

MOST_CROWDED = 2
"""The most that other corps of an area add to the die."""

WINTER = 2
"""What winter adds inside the winter zone."""

CITY_STEP, MOST_IN_CITY = 5, 2
"""Factors in a besieged city for which one is added, and the most that is added."""


class ForageMarch(msgspec.Struct, frozen=True, omit_defaults=True):
    """What counts for the die of a corps that has moved.

    Attributes:
        others: other unbesieged corps in its area, of any power.
        unused: movement points it has left.
        besieging: whether it besieges there, or is going to.
        forced: whether it force marched.
        winter: whether it is winter and the corps is in the winter zone.
        at_home: whether it has been in its power's territory only, this turn.
    """

    others: int = 0
    unused: int = 0
    besieging: bool = False
    forced: bool = False
    winter: bool = False
    at_home: bool = False


def forage_modifiers(march: ForageMarch) -> tuple[tuple[str, int], ...]:
    """What is added to the die, each with its reason; nothing that is 0.

    Rules: EIA 7.4.1.2.1 to 7.4.1.2.5, 7.4.5.3
    """
    found = (
        ("other corps here", min(MOST_CROWDED, march.others)),
        ("unused movement points", 0 if march.besieging else -march.unused),
        ("force march", int(march.forced)),
        ("winter", WINTER if march.winter else 0),
        ("own territory", -1 if march.at_home else 0),
    )
    return tuple((reason, amount) for reason, amount in found if amount)


def factors_lost(die: int, modifier: int, value: int) -> int:
    """Factors a roll costs: one for each point above the forage value.

    Rules: EIA 7.4.1.1, 7.4.5.2
    """
    return max(0, die + modifier - value)


def besieged_modifier(factors: int) -> int:
    """What is added to the die of a besieged city with this many factors.

    Rules: EIA 7.4.5.1
    """
    return min(MOST_IN_CITY, factors // CITY_STEP)


def split_losses(corps: int, detached: int, loss: int) -> tuple[int, int]:
    """Return how many of `loss` factors a corps of `corps` factors loses itself, and how many of those it detached.

    A corps is emptied only if everything is lost that moved with it.

    Rules: EIA 7.4.1.3.1, 7.4.1.3.2
    """
    if loss >= corps + detached:
        return corps, detached
    own = min(loss, corps - 1)
    return own, loss - own


FORAGED, PAID, CAPTURED = "foraged", "paid", "captured"
"""How a corps was supplied: `captured` if it destroyed an enemy depot where its march ended."""

LOSSES = "forage_losses"
"""What is asked where a corps may choose which factors it loses."""

BEHIND = "losses_left_behind"
"""The same for what it has left behind on its march."""


def unsupplied_corps(state: State, power: str) -> tuple[Corps, ...]:
    """The unbesieged corps of a Power that have no supply yet. Rules: EIA 7.4"""
    return tuple(
        one
        for one in state.corps.values()
        if one.power == power
        and one.where
        and is_corps(one)
        and is_unbesieged(state, one)
        and not trek_of(state, one).fed
    )


def is_in_winter(tables: Tables, state: State, area: str) -> bool:
    """Whether it is winter and an area lies in the winter zone. Rules: EIA 7.4.1.2.4, 7.4.2.1.3"""
    return is_winter(tables, state.turn) and tables.areas[area].winter


def depot_supply_cost(
    tables: Tables, state: State, corps: Corps, of: str = "", chain: dict[str, int] | None = None
) -> int | None:
    """Return the halves of a money point that depot supply of a corps costs; None: it must forage.

    `of` is an ally whose depots supply it; `chain` is their valid chain, if it is known.

    Rules: EIA 7.4.1, 7.4.2.1, 7.4.2.1.1, 7.4.4
    """
    if corps.forced:
        return None
    power = of or corps.power
    winter = is_in_winter(tables, state, corps.where)
    if chain is None:
        chain = valid_chain(tables, state, power)
    found = supplying_depot(tables, state, corps.power, corps.where, power, chain)
    if is_supplied_from_sea(tables, state, power, corps.where, chain):
        found = min(found, ("", 1), key=lambda one: one[1]) if found else ("", 1)
    return None if found is None else supply_price(found[1], winter)


def lives_on_capture(state: State, corps: Corps) -> bool:
    """Return whether a corps destroyed an enemy depot in the area where it stands. Rules: EIA 7.3.6.1"""
    return bool(corps.where) and trek_of(state, corps).captured == corps.where


def supply_after_march(play: Transaction, corps: Corps, *, may_wait: bool = False) -> None:
    """Supply a corps whose march has ended, if it lives on a captured depot or must forage.

    `may_wait`: an ally could still supply it, so that it does not forage yet.

    Rules: EIA 7.3.6.1, 7.4.1, 7.4.1.1
    """
    if corps not in unsupplied_corps(play.state, corps.power):
        return
    if lives_on_capture(play.state, corps):
        play.emit(Supplied(corps=corps.id, how=CAPTURED, rules=("EIA 7.3.6.1",)))
    elif not may_wait and depot_supply_cost(play.tables, play.state, corps) is None:
        roll_foraging(play, corps, points_left(corps))


def forage_value(tables: Tables, state: State, corps: Corps) -> int:
    """The lowest forage value of the areas that a corps has entered, of its own area where it did not move.

    Rules: EIA 7.4.1.1
    """
    return min(tables.areas[area].forage for area in trek_of(state, corps).path or (corps.where,))


def forage_march(tables: Tables, state: State, corps: Corps, points: int) -> ForageMarch:
    """Return what counts for the die of a corps with some unused movement points.

    Rules: EIA 7.4.1.2
    """
    others = sum(1 for one in counters_in(state, corps.where) if is_corps(one) and is_unbesieged(state, one)) - 1
    trek = trek_of(state, corps)
    return ForageMarch(
        others=others,
        unused=points,
        besieging=trek.besieges or (state.campaign.sieges.get(corps.where) == corps.power and not corps.inside),
        forced=corps.forced,
        winter=is_in_winter(tables, state, corps.where),
        at_home=not trek.abroad and is_own_territory(tables, state, corps.power, corps.where),
    )


def roll_foraging(play: Transaction, corps: Corps, points: int) -> None:
    """Roll for a corps that lives off the country with some unused movement points.

    Rules: EIA 7.4.1.1
    """
    modifiers = forage_modifiers(forage_march(play.tables, play.state, corps, points))
    value, die = forage_value(play.tables, play.state, corps), play.roll()
    loss = factors_lost(die, sum(amount for _, amount in modifiers), value)
    play.emit(
        Foraged(
            corps=corps.id,
            area=corps.where,
            die=die,
            modifiers=modifiers,
            value=value,
            loss=loss,
            rules=("EIA 7.4.1.1",),
        )
    )
    play.emit(Supplied(corps=corps.id, how=FORAGED, rules=("EIA 7.4.1",)))
    if loss:
        _take_forage_losses(play, corps, loss)


def _take_forage_losses(play: Transaction, corps: Corps, loss: int) -> None:
    """Take losses off a corps and what it left behind; ask where there is a choice. Rules: EIA 7.4.1.3"""
    behind = trek_of(play.state, corps).detached
    own, left_behind = split_losses(corps.factors.total, sum(one.factors.total for one in behind), loss)
    choices = loss_choices(corps.factors, own)
    if left_behind:
        _take_detached_losses(play, corps, left_behind)
    if len(choices) == 1:
        remove_factors(play, corps.id, choices[0])
    elif choices:
        play.ask(LOSSES, corps.power, tuple(factors_as_word(one) for one in choices), corps.id, rules=("EIA 7.4.1.3",))


def _take_detached_losses(play: Transaction, corps: Corps, count: int) -> None:
    """Take losses off what a corps left behind, or ask from where. Rules: EIA 7.4.1.3.1, 7.4.1.3.2"""
    behind = trek_of(play.state, corps).detached
    if sum(one.factors.total for one in behind) > count and len(behind) > 1:
        places = tuple(_detachment_choice(one) for one in behind if one.factors.total)
        play.ask(BEHIND, corps.power, places, corps.id, str(count), rules=("EIA 7.4.1.3.1",))
        return
    for one in behind:
        some = min(count, one.factors.total)
        _reduce_detachment(play, corps.id, one, some)
        count -= some


def _detachment_choice(one: Detached) -> str:
    return f"{one.where}:{'depot' if one.of_depot else 'city'}"


def _reduce_detachment(play: Transaction, corps: str, one: Detached, count: int) -> None:
    """Take losses off one detachment."""
    if not count:
        return
    power = play.state.corps[corps].power
    gone = cheapest_factors(one.factors, count)
    held = garrison_factors(play.state, power, one.where, one.of_depot) - gone
    set_garrison_factors(play, power, one.where, held, "foraging", "EIA 7.4.1.3.1", of_depot=one.of_depot)
    trek = play.state.campaign.treks[corps]
    left = replace(one, factors=one.factors - gone)
    rest = tuple(left if each == one else each for each in trek.detached)
    play.emit(LeftBehind(corps=corps, detached=tuple(each for each in rest if each.factors.total)))


def answer_detached_loss(play: Transaction, question: Question, choice: str) -> None:
    """The answer: from which detachment one factor comes. Rules: EIA 7.4.1.3, 7.4.1.3.1"""
    corps, count = play.state.corps[question.about[0]], int(question.about[1])
    one = next(each for each in trek_of(play.state, corps).detached if _detachment_choice(each) == choice)
    _reduce_detachment(play, corps.id, one, 1)
    if count > 1:
        _take_detached_losses(play, corps, count - 1)


def answer_corps_loss(play: Transaction, question: Question, choice: str) -> None:
    """The answer: which factors of a corps are lost. Rules: EIA 7.4.1.3"""
    remove_factors(play, question.about[0], factors_from_word(choice))


def remove_factors(play: Transaction, name: str, factors: Factors, why: str = "foraging") -> None:
    """Take factors off a corps; with its last one it is gone, and leaders go with the last corps of an area.

    Rules: EIA 7.4.1.3.2, 7.4.1.3.3
    """
    if not factors.total:
        return
    corps = play.state.corps[name]
    set_corps_factors(play, corps, corps.factors - factors, why, *(("EIA 7.4.1.3",) if why == "foraging" else ()))


def set_garrison_factors(
    play: Transaction, power: str, area: str, factors: Factors, why: str, *rules: str, of_depot: bool = False
) -> None:
    """Set what the garrison of a city or of a depot holds. With nothing left it is gone."""
    play.emit(GarrisonStrength(where=area, power=power, of_depot=of_depot, factors=factors, why=why, rules=rules))


def set_corps_factors(play: Transaction, corps: Corps, factors: Factors, why: str, *rules: str) -> None:
    """Set what a corps holds. With nothing left it is gone, and its leaders leave it."""
    play.emit(CorpsStrength(corps=corps.id, factors=factors, why=why, rules=rules))
    if not factors.total:
        reassign_leaders(play, corps)


def reassign_leaders(play: Transaction, gone: Corps) -> None:
    """Leaders of a corps that is gone go to another one of their Power in the area, or off the map.

    Rules: EIA 7.4.1.3.3, 5.3
    """
    others = [one.id for one in counters_in(play.state, gone.where) if one.power == gone.power and is_corps(one)]
    for leader in play.state.leaders.values():
        if leader.where == gone.id:
            where = others[0] if others else ""
            play.emit(LeaderMoved(leader=leader.id, where=where, rules=("EIA 7.4.1.3.3",)))


def besieged_areas(state: State, power: str) -> tuple[str, ...]:
    """The besieged cities in which a Power has factors."""
    return tuple(
        area
        for area in state.campaign.sieges
        if garrison_factors(state, power, area, of_depot=False).total
        or any(one.power == power and one.inside for one in counters_in(state, area))
    )


def starve_city(play: Transaction, powers: Sequence[str], area: str) -> None:
    """Roll once for all factors of some Powers in a besieged city, and take the losses off them in turn.

    Each factor is lost by the Power that has most left (ours: the text does not say whose factors are lost).
    Rules: EIA 7.4.5, 7.4.5.1
    """
    total = sum(_factors_in_city(play.state, power, area) for power in powers)
    more, value, die = besieged_modifier(total), play.tables.areas[area].supply, play.roll()
    loss = factors_lost(die, more, value)
    modifiers = (("factors in the city", more),) if more else ()
    play.emit(
        Foraged(area=area, die=die, modifiers=modifiers, value=value, loss=loss, rules=("EIA 7.4.5", "EIA 7.4.5.1"))
    )
    counts = {power: _factors_in_city(play.state, power, area) for power in powers}
    losses = dict.fromkeys(powers, 0)
    for _ in range(min(loss, total)):
        power = max(reversed(powers), key=lambda one: counts[one] - losses[one])
        losses[power] += 1
    for power in powers:
        lose_in_city(play, power, area, losses[power], prisoners=loss >= total)


def _factors_in_city(state: State, power: str, area: str) -> int:
    """Return the factors of a Power in the city of an area."""
    inside = sum(one.factors.total for one in counters_in(state, area) if one.power == power and one.inside)
    return garrison_factors(state, power, area, of_depot=False).total + inside


def lose_in_city(
    play: Transaction,
    power: str,
    area: str,
    loss: int,
    prisoners: bool,
    why: str = "hunger",
    rule: str = "EIA 7.4.5.2",
) -> None:
    """Take factors off a besieged Power: garrison first, then corps.

    `prisoners`: the last factor of the city is lost, and its leaders are captured.

    Rules: EIA 7.4.5.2
    """
    held = garrison_factors(play.state, power, area, of_depot=False)
    inside = [one for one in counters_in(play.state, area) if one.power == power and one.inside]
    gone = cheapest_factors(held, min(loss, held.total))
    if gone.total:
        set_garrison_factors(play, power, area, held - gone, why, rule)
    rest = loss - gone.total
    for one in inside:
        some = cheapest_factors(one.factors, rest)
        rest -= some.total
        if some.total:
            play.emit(CorpsStrength(corps=one.id, factors=one.factors - some, why=why, rules=(rule,)))
            if not prisoners and some == one.factors:
                reassign_leaders(play, one)
    if prisoners:
        captor = play.state.campaign.sieges[area]
        for leader in play.state.leaders.values():
            if leader.power == power and leader.where in (area, *(one.id for one in inside)):
                play.emit(LeaderMoved(leader=leader.id, where="", captor=captor, rules=(rule,)))


ALLIED = "allied_supply"
"""What an ally is asked: to supply a corps."""


def besieged_port_costs(tables: Tables, state: State, power: str) -> dict[str, int]:
    """Besieged port cities of a Power that live on the sea, each with its price in halves of a money point.

    Rules: EIA 7.4.2.1, 7.4.2.1.2, 7.4.3.4.1, 7.4.4
    """
    chain = valid_chain(tables, state, power)
    found = {}
    for area in besieged_areas(state, power):
        if not tables.areas[area].port:
            continue
        winter = is_in_winter(tables, state, area)
        if depot_in(state, area, inside=True) and is_reached_by_sea(tables, state, power, area, chain):
            found[area] = IN_PLACE * (2 if winter else 1)
        elif is_supplied_from_sea(tables, state, power, area, chain):
            found[area] = supply_price(1, winter)
    return found


def supply_costs(tables: Tables, state: State, power: str) -> dict[str, int]:
    """Corps of a Power that are to be paid for, and besieged ports, with their prices in halves of a money point."""
    chain = valid_chain(tables, state, power)
    found = {one.id: depot_supply_cost(tables, state, one, "", chain) for one in unsupplied_corps(state, power)}
    return {name: cost for name, cost in found.items() if cost is not None} | besieged_port_costs(tables, state, power)


def supply_debt(tables: Tables, state: State, power: str) -> int:
    """The money points that a Power's supply costs. Rules: EIA 7.4.2.1"""
    return supply_bill(supply_costs(tables, state, power).values())


def run_forced_foraging(play: Transaction) -> None:
    """Supply corps that must forage or live on a captured depot, one after the other. Rules: EIA 7.3.6.1, 7.4.1"""
    for power in play.state.cursor.powers:
        for corps in unsupplied_corps(play.state, power):
            if play.state.questions:
                return
            supply_after_march(play, corps, may_wait=_can_ally_supply(play, corps))


def end_last_march(play: Transaction, mover: str = "") -> None:
    """Supply the corps that moved last, if it must forage, when its march is over.

    Its march is over when another counter (`mover`) moves or its Power has finished its movement.

    Rules: EIA 7.4.1, 7.4.1.1
    """
    state = play.state
    corps = state.corps.get(state.campaign.moving)
    if corps is None or corps.id == mover or (not mover and corps.power not in state.cursor.done):
        return
    if trek_of(state, corps).path:
        supply_after_march(play, corps, may_wait=bool(_helping_allies(play.tables, state, corps)))


def _can_ally_supply(play: Transaction, corps: Corps) -> bool:
    """Whether an ally who has not been asked could supply a corps."""
    done = play.state.cursor.done
    return corps.power not in done and bool(_helping_allies(play.tables, play.state, corps))


def _helping_allies(tables: Tables, state: State, corps: Corps) -> tuple[str, ...]:
    """Allies whose depots could supply a corps, and who can pay. Rules: EIA 7.4.2.2"""
    found = []
    for power in state.powers:
        if power != corps.power and is_allied(state, power, corps.power):
            cost = depot_supply_cost(tables, state, corps, power)
            refused = any(one == (corps.id, power) for one in state.campaign.refused)
            if cost is not None and not refused and supply_bill((cost,)) <= state.accounts[power].money:
                found.append(power)
    return tuple(found)


def powers_with_choices(tables: Tables, state: State) -> tuple[str, ...]:
    """Powers that have to choose: their money does not do for all, or an ally could help. Rules: EIA 7.4.2.1"""
    return tuple(
        power
        for power in state.cursor.powers
        if supply_debt(tables, state, power) > state.accounts[power].money
        or any(
            depot_supply_cost(tables, state, one) is None and _helping_allies(tables, state, one)
            for one in unsupplied_corps(state, power)
        )
    )


def check_bill_payable(play: Transaction, power: str) -> None:
    """Refuse to end the step while the bill cannot be paid. Raises: Refusal. Rules: EIA 7.4.2.1"""
    debt, money = supply_debt(play.tables, play.state, power), play.state.accounts[power].money
    if debt > money:
        refuse("no_money", f"Supply costs {debt} and there is {money}: let some corps forage.", "EIA 7.4.2.1")


def pay_and_starve(play: Transaction) -> None:
    """Pay for all that did not forage, and roll for besieged cities. Rules: EIA 7.4.2, 7.4.5"""
    for power in play.state.cursor.powers:
        costs_ = supply_costs(play.tables, play.state, power)
        debt = supply_bill(costs_.values())
        play.post(power, "money", -debt, "supply", "EIA 7.4.2.1")
        for name in costs_:
            if name in play.state.corps:
                play.emit(Supplied(corps=name, how=PAID, rules=("EIA 7.4.2.1",)))
        for area in besieged_areas(play.state, power):
            eaters = _besieged_powers(play, area)
            if power == next(iter(eaters), ""):
                starve_city(play, eaters, area)


def _besieged_powers(play: Transaction, area: str) -> tuple[str, ...]:
    """Return the Powers in a besieged city that live on its supplies. The first one rolls for all, in its sequence.

    Rules: EIA 7.4.5, 7.4.5.1
    """
    tables, state = play.tables, play.state
    inside = [power for power in (*state.powers, *state.minors) if area in besieged_areas(state, power)]
    return tuple(power for power in inside if area not in besieged_port_costs(tables, state, power))


def forage_corps(play: Transaction, power: str, action: Forage) -> None:
    """Let a corps end its march and live off the country. Raises: Refusal. Rules: EIA 7.4.1, 7.4.2.1"""
    corps = play.state.corps.get(action.corps)
    if corps is None or corps.power != power or not corps.where or not is_corps(corps):
        refuse("no_corps", f"You have no corps '{action.corps}' on land.", "EIA 7.4.1")
    if not is_unbesieged(play.state, corps):
        refuse("besieged", "A besieged corps is supplied by its city.", "EIA 7.4.5")
    if trek_of(play.state, corps).fed:
        refuse("fed", f"{corps.id} has its supply.", "EIA 7.4.1")
    if lives_on_capture(play.state, corps):
        supply_after_march(play, corps)
        return
    if play.state.cursor.step == "supply":
        debt, money = supply_debt(play.tables, play.state, power), play.state.accounts[power].money
        if debt <= money and depot_supply_cost(play.tables, play.state, corps) is not None:
            refuse("too_late", "It chose depot supply, and there is money for it.", "EIA 7.4.1", "EIA 7.4.2.1")
    roll_foraging(play, corps, points_left(corps))


def ask_ally(play: Transaction, power: str, action: AskSupply) -> None:
    """Ask an ally to supply a corps. Raises: Refusal. Rules: EIA 7.4.2.2"""
    corps = play.state.corps.get(action.corps)
    if corps is None or corps.power != power or corps not in unsupplied_corps(play.state, power):
        refuse("no_corps", f"'{action.corps}' is not one of your corps that need supply.", "EIA 7.4.2.2")
    if action.ally not in _helping_allies(play.tables, play.state, corps):
        refuse("no_ally", f"'{action.ally}' is not an ally that can supply it.", "EIA 7.4.2.2")
    play.ask(ALLIED, action.ally, (NO, YES), corps.id, rules=("EIA 7.4.2.2",))


def answer_ally_supply(play: Transaction, question: Question, choice: str) -> None:
    """Handle the ally's answer; the ally pays at once. Rules: EIA 7.4.2.2"""
    corps = play.state.corps[question.about[0]]
    cost = depot_supply_cost(play.tables, play.state, corps, question.power)
    if choice == YES and cost is not None:
        play.post(question.power, "money", -supply_bill((cost,)), f"supply of {corps.id}", "EIA 7.4.2.2")
        play.emit(Supplied(corps=corps.id, how=PAID, rules=("EIA 7.4.2.2",)))
    else:
        play.emit(SupplyRefused(corps=corps.id, ally=question.power, rules=("EIA 7.4.2.2",)))


def supply_offers(tables: Tables, state: State, power: str) -> Iterator[Action]:
    """Corps that may forage, and allies who may be asked."""
    for corps in unsupplied_corps(state, power):
        yield Forage(corps.id)
        yield from (AskSupply(corps.id, ally) for ally in _helping_allies(tables, state, corps))
