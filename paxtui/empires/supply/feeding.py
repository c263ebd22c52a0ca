"""The supply of a Power's forces: who has to forage, what it costs, and what is lost by it.

Rules: EIA 7.4
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from paxtui.empires.history.land_events import (
    CorpsStrength,
    Foraged,
    GarrisonStrength,
    LeaderMoved,
    LeftBehind,
    Supplied,
)
from paxtui.empires.play.allowances import left
from paxtui.empires.play.factors import cheapest, minus, said, ways, word
from paxtui.empires.play.play import Play
from paxtui.empires.play.presence import counters, garrison, is_corps, own_territory, unbesieged
from paxtui.empires.state.campaign import Detached, Trek
from paxtui.empires.state.model import State
from paxtui.empires.state.pieces import Corps, Factors
from paxtui.empires.state.questions import Question
from paxtui.empires.supply import foraging
from paxtui.empires.supply.lines import supply_of, valid_chain
from paxtui.empires.supply.prices import price
from paxtui.empires.supply.sea_supply import from_the_sea
from paxtui.empires.tables.tables import Tables
from paxtui.empires.time.winter import is_winter

FORAGED, PAID, CAPTURED = "foraged", "paid", "captured"
"""How a corps was supplied: `captured` if it destroyed an enemy depot where its march ended."""

LOSSES = "forage_losses"
"""What is asked where a corps may choose which factors it loses."""

BEHIND = "losses_left_behind"
"""The same for what it has left behind on its march."""


def trek_of(state: State, corps: Corps) -> Trek:
    """What a corps has done in this sequence."""
    return state.campaign.treks.get(corps.id) or Trek(start=corps.where)


def hungry(state: State, power: str) -> tuple[Corps, ...]:
    """The unbesieged corps of a Power that have no supply yet. Rules: EIA 7.4"""
    return tuple(
        one
        for one in state.corps.values()
        if one.power == power and one.where and is_corps(one) and unbesieged(state, one) and not trek_of(state, one).fed
    )


def in_winter(tables: Tables, state: State, area: str) -> bool:
    """Whether it is winter and an area lies in the winter zone. Rules: EIA 7.4.1.2.4, 7.4.2.1.3"""
    return is_winter(tables, state.turn) and tables.areas[area].winter


def cost_of(
    tables: Tables, state: State, corps: Corps, of: str = "", chain: dict[str, int] | None = None
) -> int | None:
    """Halves of a money point that depot supply of a corps costs; None, where it must forage.

    Args: the tables; the position; the corps; whose depots, if an ally's; their valid chain, if it is known.
    Rules: EIA 7.4.1, 7.4.2.1, 7.4.2.1.1, 7.4.4
    """
    if corps.forced:
        return None
    power = of or corps.power
    winter = in_winter(tables, state, corps.where)
    if chain is None:
        chain = valid_chain(tables, state, power)
    found = supply_of(tables, state, corps.power, corps.where, power, chain)
    if from_the_sea(tables, state, power, corps.where, chain):
        found = min(found, ("", 1), key=lambda one: one[1]) if found else ("", 1)
    return None if found is None else price(found[1], winter)


def lives_on_capture(state: State, corps: Corps) -> bool:
    """Return whether a corps destroyed an enemy depot in the area where it stands. Rules: EIA 7.3.6.1"""
    return bool(corps.where) and trek_of(state, corps).captured == corps.where


def end_march(play: Play, corps: Corps, *, may_wait: bool = False) -> None:
    """Supply a corps whose march has ended, if it lives on a captured depot or must forage.

    Args: the play; the corps; whether an ally could still supply it, so that it does not forage yet.
    Rules: EIA 7.3.6.1, 7.4.1, 7.4.1.1
    """
    if corps not in hungry(play.state, corps.power):
        return
    if lives_on_capture(play.state, corps):
        play.emit(Supplied(corps=corps.id, how=CAPTURED, rules=("EIA 7.3.6.1",)))
    elif not may_wait and cost_of(play.tables, play.state, corps) is None:
        forage(play, corps, left(corps))


def forage_value(tables: Tables, state: State, corps: Corps) -> int:
    """The lowest forage value of the areas that a corps has entered, of its own area where it did not move.

    Rules: EIA 7.4.1.1
    """
    return min(tables.areas[area].forage for area in trek_of(state, corps).path or (corps.where,))


def march_of(tables: Tables, state: State, corps: Corps, points: int) -> foraging.March:
    """What counts for the die of a corps. Args: the tables; the position; the corps; its unused movement points.

    Rules: EIA 7.4.1.2
    """
    others = sum(1 for one in counters(state, corps.where) if is_corps(one) and unbesieged(state, one)) - 1
    trek = trek_of(state, corps)
    return foraging.March(
        others=others,
        unused=points,
        besieging=trek.besieges or (state.campaign.sieges.get(corps.where) == corps.power and not corps.inside),
        forced=corps.forced,
        winter=in_winter(tables, state, corps.where),
        at_home=not trek.abroad and own_territory(tables, state, corps.power, corps.where),
    )


def forage(play: Play, corps: Corps, points: int) -> None:
    """Roll for a corps that lives off the country. Args: the play; the corps; its unused movement points.

    Rules: EIA 7.4.1.1
    """
    modifiers = foraging.modifiers(march_of(play.tables, play.state, corps, points))
    value, die = forage_value(play.tables, play.state, corps), play.roll()
    loss = foraging.lost(die, sum(amount for _, amount in modifiers), value)
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
        _bear(play, corps, loss)


def _bear(play: Play, corps: Corps, loss: int) -> None:
    """Take losses off a corps and what it left behind; ask where there is a choice. Rules: EIA 7.4.1.3"""
    behind = trek_of(play.state, corps).detached
    split = foraging.split(corps.factors.total, sum(one.factors.total for one in behind), loss)
    choices = ways(corps.factors, split.corps)
    if split.detached:
        _bear_behind(play, corps, split.detached)
    if len(choices) == 1:
        lose(play, corps.id, choices[0])
    elif choices:
        play.ask(LOSSES, corps.power, tuple(word(one) for one in choices), corps.id, rules=("EIA 7.4.1.3",))


def _bear_behind(play: Play, corps: Corps, count: int) -> None:
    """Take losses off what a corps left behind, or ask from where. Rules: EIA 7.4.1.3.1, 7.4.1.3.2"""
    behind = trek_of(play.state, corps).detached
    if sum(one.factors.total for one in behind) > count and len(behind) > 1:
        places = tuple(_place(one) for one in behind if one.factors.total)
        play.ask(BEHIND, corps.power, places, corps.id, str(count), rules=("EIA 7.4.1.3.1",))
        return
    for one in behind:
        some = min(count, one.factors.total)
        _take(play, corps.id, one, some)
        count -= some


def _place(one: Detached) -> str:
    return f"{one.where}:{'depot' if one.of_depot else 'city'}"


def _take(play: Play, corps: str, one: Detached, count: int) -> None:
    """Take losses off one detachment."""
    if not count:
        return
    power = play.state.corps[corps].power
    gone = cheapest(one.factors, count)
    held = minus(garrison(play.state, power, one.where, one.of_depot), gone)
    play.emit(
        GarrisonStrength(
            where=one.where, power=power, of_depot=one.of_depot, factors=held, why="foraging", rules=("EIA 7.4.1.3.1",)
        )
    )
    trek = play.state.campaign.treks[corps]
    left = replace(one, factors=minus(one.factors, gone))
    rest = tuple(left if each == one else each for each in trek.detached)
    play.emit(LeftBehind(corps=corps, detached=tuple(each for each in rest if each.factors.total)))


def lost_behind(play: Play, question: Question, choice: str) -> None:
    """The answer: from which detachment one factor comes. Rules: EIA 7.4.1.3, 7.4.1.3.1"""
    corps, count = play.state.corps[question.about[0]], int(question.about[1])
    one = next(each for each in trek_of(play.state, corps).detached if _place(each) == choice)
    _take(play, corps.id, one, 1)
    if count > 1:
        _bear_behind(play, corps, count - 1)


def lost_by_choice(play: Play, question: Question, choice: str) -> None:
    """The answer: which factors of a corps are lost. Rules: EIA 7.4.1.3"""
    lose(play, question.about[0], said(choice))


def lose(play: Play, name: str, factors: Factors, why: str = "foraging") -> None:
    """Take factors off a corps; with its last one it is gone, and leaders go with the last corps of an area.

    Rules: EIA 7.4.1.3.2, 7.4.1.3.3
    """
    if not factors.total:
        return
    corps = play.state.corps[name]
    left = minus(corps.factors, factors)
    play.emit(CorpsStrength(corps=name, factors=left, why=why, rules=("EIA 7.4.1.3",) if why == "foraging" else ()))
    if not left.total:
        orphan_leaders(play, corps)


def orphan_leaders(play: Play, gone: Corps) -> None:
    """Leaders of a corps that is gone go to another one of their Power in the area, or off the map.

    Rules: EIA 7.4.1.3.3, 5.3
    """
    others = [one.id for one in counters(play.state, gone.where) if one.power == gone.power and is_corps(one)]
    for leader in play.state.leaders.values():
        if leader.where == gone.id:
            where = others[0] if others else ""
            play.emit(LeaderMoved(leader=leader.id, where=where, rules=("EIA 7.4.1.3.3",)))


def besieged_areas(state: State, power: str) -> tuple[str, ...]:
    """The besieged cities in which a Power has factors."""
    return tuple(
        area
        for area in state.campaign.sieges
        if garrison(state, power, area, of_depot=False).total
        or any(one.power == power and one.inside for one in counters(state, area))
    )


def starve(play: Play, powers: Sequence[str], area: str) -> None:
    """Roll once for all factors of some Powers in a besieged city, and take the losses off them in turn.

    Each factor is lost by the Power that has most left (ours: the text does not say whose factors are lost).
    Rules: EIA 7.4.5, 7.4.5.1
    """
    total = sum(_in_city(play.state, power, area) for power in powers)
    more, value, die = foraging.besieged_modifier(total), play.tables.areas[area].supply, play.roll()
    loss = foraging.lost(die, more, value)
    modifiers = (("factors in the city", more),) if more else ()
    play.emit(
        Foraged(area=area, die=die, modifiers=modifiers, value=value, loss=loss, rules=("EIA 7.4.5", "EIA 7.4.5.1"))
    )
    counts = {power: _in_city(play.state, power, area) for power in powers}
    losses = dict.fromkeys(powers, 0)
    for _ in range(min(loss, total)):
        power = max(reversed(powers), key=lambda one: counts[one] - losses[one])
        losses[power] += 1
    for power in powers:
        _lose_in_city(play, power, area, losses[power], prisoners=loss >= total)


def _in_city(state: State, power: str, area: str) -> int:
    """Return the factors of a Power in the city of an area."""
    inside = sum(one.factors.total for one in counters(state, area) if one.power == power and one.inside)
    return garrison(state, power, area, of_depot=False).total + inside


def _lose_in_city(play: Play, power: str, area: str, loss: int, prisoners: bool) -> None:
    """Take factors off a besieged Power: garrison first, then corps. Leaders become prisoners with the last factor of
    the city. Rules: EIA 7.4.5.2
    """
    held = garrison(play.state, power, area, of_depot=False)
    inside = [one for one in counters(play.state, area) if one.power == power and one.inside]
    gone = cheapest(held, min(loss, held.total))
    if gone.total:
        rest_of = minus(held, gone)
        play.emit(GarrisonStrength(where=area, power=power, factors=rest_of, why="hunger", rules=("EIA 7.4.5.2",)))
    rest = loss - gone.total
    for one in inside:
        some = cheapest(one.factors, rest)
        rest -= some.total
        if some.total:
            rest_of = minus(one.factors, some)
            play.emit(CorpsStrength(corps=one.id, factors=rest_of, why="hunger", rules=("EIA 7.4.5.2",)))
    if prisoners:
        captor = play.state.campaign.sieges[area]
        for leader in play.state.leaders.values():
            if leader.power == power and leader.where in (area, *(one.id for one in inside)):
                play.emit(LeaderMoved(leader=leader.id, where="", captor=captor, rules=("EIA 7.4.5.2",)))
