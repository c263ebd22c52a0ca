"""Land queries: counters, garrisons, cities, army factors, relations of Powers, and movement costs.

Rules: EIA 7.3.1
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product

from paxtui.games.empires.pieces import Corps, Depot, Factors, Garrison, Trek
from paxtui.games.empires.state import Relation, RelationKind, State
from paxtui.games.empires.tables import Tables

FACTOR_KINDS = ("militia", "infantry", "cavalry", "guard", "artillery")
"""Kinds of army factors, from the one most cheaply lost."""

NO_FACTORS = Factors()


def counts_by_kind(factors: Factors) -> Iterator[tuple[str, int]]:
    """Yield the kinds that are there with their numbers, in the order of `FACTOR_KINDS`."""
    return ((kind, factors.count(kind)) for kind in FACTOR_KINDS if factors.count(kind))


def factors_from_counts(numbers: Mapping[str, int]) -> Factors:
    """Factors by their kinds. Raises: KeyError, where there is no such kind; ValueError, for less than none."""
    for kind, count in numbers.items():
        if kind not in FACTOR_KINDS:
            raise KeyError(kind)
        if count < 0:
            raise ValueError(count)
    return Factors(**numbers)


def as_infantry(factors: Factors) -> Factors:
    """What they are as a garrison: cavalry and guard have become infantry. Rules: EIA 7.3.3.2"""
    return Factors(infantry=factors.total - factors.militia, militia=factors.militia)


def fits_corps(factors: Factors, most: Factors) -> bool:
    """Whether a corps with these maxima holds them. Infantry and militia share the room of the infantry."""
    foot = factors.infantry + factors.militia <= most.infantry + most.militia
    return (
        foot and factors.cavalry <= most.cavalry and factors.guard <= most.guard and factors.artillery <= most.artillery
    )


def cheapest_factors(factors: Factors, count: int) -> Factors:
    """The `count` of them that are most cheaply lost; all, where there are no more."""
    taken = {}
    for kind in FACTOR_KINDS:
        taken[kind] = min(factors.count(kind), count)
        count -= taken[kind]
    return Factors(**taken)


def loss_choices(factors: Factors, count: int) -> tuple[Factors, ...]:
    """Every way to take `count` of them, the cheapest first."""
    kinds = [kind for kind, _ in counts_by_kind(factors)]
    found = [
        Factors(**dict(zip(kinds, numbers, strict=True)))
        for numbers in product(*(range(factors.count(kind) + 1) for kind in kinds))
        if sum(numbers) == count
    ]
    return tuple(sorted(found, key=_loss_order))


def factors_as_word(factors: Factors) -> str:
    """Factors as one word of the notation: `infantry=2,militia=1`."""
    return ",".join(f"{kind}={count}" for kind, count in counts_by_kind(factors)) or "none"


def factors_from_word(text: str) -> Factors:
    """The factors of such a word. Raises: KeyError or ValueError, where it is none."""
    if text == "none":
        return NO_FACTORS
    return factors_from_counts(
        {name: int(number) for name, _, number in (part.partition("=") for part in text.split(","))}
    )


def _loss_order(factors: Factors) -> tuple[int, ...]:
    return tuple(-factors.count(kind) for kind in FACTOR_KINDS)


FactorChoices = Callable[[Factors], Iterable[dict[str, int]]]
"""Choices among some factors, each as an order names it."""


def single_factors(factors: Factors) -> Iterator[dict[str, int]]:
    """Yield one factor of each kind."""
    return ({kind: 1} for kind, _ in counts_by_kind(factors))


def whole_and_single_factors(factors: Factors) -> Iterator[dict[str, int]]:
    """Yield for each kind all factors, and one."""
    return ({kind: some} for kind, count in counts_by_kind(factors) for some in {count, 1})


def selections(factors: Factors) -> Iterator[dict[str, int]]:
    """Yield every choice of at least one of some factors."""
    held = tuple(counts_by_kind(factors))
    for numbers in product(*(range(count + 1) for _, count in held)):
        some = {kind: number for (kind, _), number in zip(held, numbers, strict=True) if number}
        if some:
            yield some


def relation_between(state: State, kind: RelationKind, a: str, b: str) -> Relation | None:
    """The fact of a kind between two, None where there is none."""
    return next((one for one in state.relations if one.kind == kind and one.between(a, b)), None)


def is_at_war(state: State, a: str, b: str) -> bool:
    """Whether two Powers, or a Power and a minor country, are at war. A minor country that a Power runs is at war with
    whom that Power is, and with those who declared war on itself. Rules: EIA 4.2.3, EIA 4.6.5.2
    """
    ones, others = (a, acting_power(state, a)), (b, acting_power(state, b))
    for one in state.relations:  # a plain loop: asked thousands of times for an action
        if one.kind == "war" and ((one.a in ones and one.b in others) or (one.b in ones and one.a in others)):
            return True
    return False


def acting_power(state: State, nation: str) -> str:
    """The Power that acts for a nation: itself, or the controller of a minor country; a neutral one for itself."""
    minor = state.minors.get(nation)
    return minor.controller or nation if minor else nation


def is_allied(state: State, a: str, b: str) -> bool:
    """Whether two Powers have an alliance."""
    return relation_between(state, "alliance", a, b) is not None


def enemies_of(state: State, power: str) -> tuple[str, ...]:
    """Those with whom a Power is at war, in the order in which it went to war with them."""
    wars = sorted(
        (one for one in state.relations if one.kind == "war" and power in (one.a, one.b)), key=lambda one: one.order
    )
    return tuple(one.b if one.a == power else one.a for one in wars)


def allies_of(state: State, power: str) -> tuple[str, ...]:
    """Those with whom a Power has an alliance."""
    pairs = (one for one in state.relations if one.kind == "alliance" and power in (one.a, one.b))
    return tuple(one.b if one.a == power else one.a for one in pairs)


def is_bound_by_peace(state: State, power: str, other: str) -> bool:
    """Whether an enforced peace forbids a Power to declare war on another now. Rules: EIA 4.4.6.3"""
    return any(
        one.kind == "enforced_peace" and one.a == power and one.b == other and state.turn <= one.until
        for one in state.relations
    )


def has_forces_in(tables: Tables, state: State, power: str, nation: str) -> bool:
    """Whether a Power has corps or garrisons in the territory of a nation."""
    places = [corps.where for corps in state.corps.values() if corps.power == power]
    places += [garrison.where for garrison in state.garrisons if garrison.power == power]
    return any(place in tables.areas and territory_nation(tables, state, place) == nation for place in places)


def territory_nation(tables: Tables, state: State, area: str) -> str:
    """Return the nation to which an area belongs now; a controlled minor country is still a nation."""
    return state.control.get(area) or tables.areas[area].owner


def controller(tables: Tables, state: State, area: str) -> str:
    """Return the Power or neutral minor country that controls an area; "" for none."""
    found = state.control.get(area) or tables.areas[area].owner
    return acting_power(state, found)


def prize_taker(tables: Tables, state: State, area: str) -> str:
    """Return the Power that controls an area outside its own territory, "" for none."""
    holder = controller(tables, state, area)
    return holder if holder in state.powers and holder != acting_power(state, tables.areas[area].owner) else ""


def is_friendly(tables: Tables, state: State, power: str, area: str) -> bool:
    """Whether a Power controls an area, by itself or by a minor country."""
    return controller(tables, state, area) == power


CAVALRY, INFANTRY, ARTILLERY = "cavalry", "infantry", "artillery"
COSSACK, FREIKORPS, GUERRILLA = "cossack", "freikorps", "guerrilla"
CORPS = (CAVALRY, INFANTRY, ARTILLERY)
"""Kinds of land counters that are corps; the others are irregulars."""

CITY_ROOM = 5
"""Factors that a city holds for each point of its supply value. Rules: EIA 7.3.3.4"""

DEPOT_ROOM = 10
"""Factors that a depot holds. Rules: EIA 7.3.3.5"""


def counters_in(state: State, area: str) -> Iterator[Corps]:
    """All counters in an area, those in its city too."""
    return (corps for corps in state.corps.values() if corps.where == area)


def is_besieged(state: State, area: str) -> bool:
    """Whether the city of an area is besieged."""
    return area in state.campaign.sieges


def is_unbesieged(state: State, corps: Corps) -> bool:
    """Whether a counter on the map is not shut in."""
    return bool(corps.where) and not (corps.inside and is_besieged(state, corps.where))


def trek_of(state: State, corps: Corps) -> Trek:
    """Return what a counter has done in this sequence."""
    return state.campaign.treks.get(corps.id) or Trek(start=corps.where)


def is_corps(counter: Corps) -> bool:
    """Whether a counter is a corps and no irregular."""
    return counter.kind in CORPS


def enemy_corps(state: State, power: str, area: str, outside: bool = False) -> tuple[Corps, ...]:
    """Unbesieged enemy corps in an area; with `outside` only those not in its city."""
    return tuple(
        corps
        for corps in counters_in(state, area)
        if is_corps(corps)
        and is_at_war(state, power, corps.power)
        and is_unbesieged(state, corps)
        and not (outside and corps.inside)
    )


def enemy_counters(state: State, power: str, area: str) -> tuple[Corps, ...]:
    """Unbesieged enemy corps and irregulars in an area."""
    return tuple(
        one for one in counters_in(state, area) if is_at_war(state, power, one.power) and is_unbesieged(state, one)
    )


def _unbesieged_garrisons(state: State, area: str) -> Iterator[Garrison]:
    """Yield the garrisons of an area: of its depot, and of its city unless it is besieged."""
    return (one for one in state.garrisons if one.where == area and (one.of_depot or not is_besieged(state, area)))


def has_enemies(state: State, power: str, area: str) -> bool:
    """Return whether unbesieged enemy counters or garrisons are in an area."""
    guards = _unbesieged_garrisons(state, area)
    return bool(enemy_counters(state, power, area)) or any(is_at_war(state, power, one.power) for one in guards)


def own_corps(state: State, power: str, area: str) -> tuple[Corps, ...]:
    """Unbesieged corps of a Power in an area."""
    return tuple(
        one for one in counters_in(state, area) if one.power == power and is_corps(one) and is_unbesieged(state, one)
    )


def bars_supply(state: State, power: str, area: str) -> bool:
    """Whether enemies in an area cut a Power's supply that leads through it.

    Rules: EIA 7.2.3.2.1
    """
    own_garrison = any(one.power == power for one in _unbesieged_garrisons(state, area))
    return has_enemies(state, power, area) and not own_garrison and not own_corps(state, power, area)


def garrison_factors(state: State, power: str, area: str, of_depot: bool) -> Factors:
    """The factors of a garrison, none where there is none."""
    for one in state.garrisons:
        if (one.where, one.power, one.of_depot) == (area, power, of_depot):
            return one.factors
    return NO_FACTORS


def city_holders(state: State, area: str) -> tuple[str, ...]:
    """The Powers that have a garrison or a counter in the city of an area."""
    found = [one.power for one in state.garrisons if one.where == area and not one.of_depot]
    found += [corps.power for corps in counters_in(state, area) if corps.inside]
    return tuple(dict.fromkeys(found))


def city_garrison(state: State, area: str) -> int:
    """Return the factors of the garrison in the city of an area, without corps."""
    return sum(one.factors.total for one in state.garrisons if one.where == area and not one.of_depot)


def city_load(state: State, area: str) -> int:
    """The factors in the city of an area, those of corps included.

    Rules: EIA 7.3.3.3.2, 7.3.3.4, 7.5.1.1.4
    """
    return city_garrison(state, area) + sum(corps.factors.total for corps in counters_in(state, area) if corps.inside)


def city_room(tables: Tables, state: State, area: str) -> int:
    """The factors that still fit into the city of an area.

    Rules: EIA 7.3.3.4, 7.3.3.5.3
    """
    return CITY_ROOM * tables.areas[area].supply - city_load(state, area)


def is_city_open(tables: Tables, state: State, power: str, area: str) -> bool:
    """Whether a Power may use the city of an area: it has one, unbesieged, and friendly or vacant.

    Rules: EIA 7.3.3, 7.5.1.1
    """
    if not tables.areas[area].city or is_besieged(state, area):
        return False
    holders = city_holders(state, area)
    if holders:
        return all(holder == power for holder in holders)
    holder = controller(tables, state, area)
    return holder == power or is_at_war(state, power, holder) or not holder


def is_own_territory(tables: Tables, state: State, power: str, area: str) -> bool:
    """Whether an area lies in the territory of a Power: its home nation or a minor country that it controls."""
    nation = tables.areas[area].owner
    return bool(nation) and acting_power(state, nation) == power


def depot_in(state: State, area: str, inside: bool = False) -> Depot | None:
    """The depot of an area; with `inside` the one in its city."""
    return next((one for one in state.depots if one.where == area and one.inside == inside), None)


def can_enter_area(tables: Tables, state: State, power: str, area: str) -> bool:
    """Whether a Power may enter an area: its own, an ally's, an enemy's, or one it was let into (10.3 is missing).

    Rules: EIA 7.3
    """
    nation = tables.areas[area].owner
    holder = acting_power(state, nation) if nation else ""
    return (
        not holder
        or holder == power
        or is_at_war(state, power, holder)
        or is_allied(state, power, holder)
        or (holder, power) in state.access
    )


ROUGH = ("marsh", "mountain")
"""Terrain that costs two points to enter."""


def movement_allowance(counter: str, swift: bool, forced: bool = False) -> int:
    """Return the movement points of a counter; for guerrillas: areas, whatever they cost.

    `swift`: it is French, with its allowance in brackets.

    Raises: ValueError: it cannot force march.
    Rules: EIA 7.3.1.1, 7.3.1.2
    """
    if forced and not can_force_march(counter):
        raise ValueError(f"{counter} does not force march")
    points = {CAVALRY: 5, COSSACK: 5, FREIKORPS: 5, GUERRILLA: 1}.get(counter, 4 if swift else 3)
    return points + int(forced)


def points_left(corps: Corps, forced: bool = False) -> int:
    """Return the movement points that a counter has left, or would have left with a force march.

    Rules: EIA 7.3.1.1, 7.3.1.2
    """
    swift = corps.swift and corps.power == "france"
    return max(
        0, movement_allowance(corps.kind, swift, (forced or corps.forced) and can_force_march(corps.kind)) - corps.moved
    )


def can_force_march(counter: str) -> bool:
    """Whether such a counter may force march at all.

    Rules: EIA 7.3.1.2
    """
    return counter in (INFANTRY, ARTILLERY)


def entry_cost(terrain: str, river: bool, arrow: bool, enemy_corps: bool) -> int:
    """Return the points to enter an area over a border; `enemy_corps`: one is there, unbesieged.

    Rules: EIA 7.3.1.3.1, 7.3.1.3.2, 7.3.1.3.3, 7.3.1.3.4
    """
    return 1 + int(terrain in ROUGH) + int(river and enemy_corps) + int(arrow)


def points_used(counter: str, cost: int) -> int:
    """What entering an area of that cost takes of a counter's points: for guerrillas always one area.

    Rules: EIA 7.3.1.1
    """
    return 1 if counter == GUERRILLA else cost
