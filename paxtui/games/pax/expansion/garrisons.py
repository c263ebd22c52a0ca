"""Garrisons: an Army Unit in each Controlled Area, the special garrisons, and the automatic fix of missing ones.

The special garrisons are Britain's Indian Army and Russia's Western Garrison. A Power must hold the garrisons that its
armies could hold when the Phase began. A halted army, or one whose way back left with a Merchant Fleet, is no excuse; a
move to a better Area is one.

Rules: R-STA-09, R-STA-10, R-STA-12
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from typing import NamedTuple

from msgspec.structs import replace

from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.notation import format_for_seat
from paxtui.games.pax.board import routes
from paxtui.games.pax.board.adjacency import board
from paxtui.games.pax.board.caching import cached
from paxtui.games.pax.board.status import area_state, controls, holdings, seat_of
from paxtui.games.pax.board.tables import HOME, Tables
from paxtui.games.pax.events import events
from paxtui.games.pax.events.events import evolve
from paxtui.games.pax.state.model import State, at_phase_start, units_at
from paxtui.games.pax.state.pieces import ARMY, CONTROL, LEVEL, Unit
from paxtui.games.pax.text.display import place_name, power_name
from paxtui.games.pax.transaction import ActTable, Transaction, refuse

INDIAN, WESTERN = "britain", "russia"
HEAVY, KEPT_ARMIES = 10, 3
"""Strength and number of the Army Units in the Indian Army and in the Western Garrison."""
INDIA_STEPS = 2
"""Maximum distance of the Indian Army from India, in Overland Route steps (STA-047)."""
Priority = tuple[int, int]
"""Priority of an Area: level of the Control marker, then Economic Value."""


@cached(most=16, by=lambda tables, state: ((), (tables, board(tables, state))))
def india_zone(tables: Tables, state: State) -> frozenset[str]:
    """Return the Areas within two Overland Route steps of India, through Areas of any owner.

    Rules: STA-044, STA-047
    """
    zone, routes_ = set(tables.area_lists["india"]), board(tables, state).routes
    for _ in range(INDIA_STEPS):
        zone |= {p for area in zone for p in routes_.get(area, ()) if not p.startswith(HOME)}
    return frozenset(zone)


def western_zone(tables: Tables) -> frozenset[str]:
    """Return the places of the Western Garrison, including the Home Country (STA-048)."""
    return frozenset(tables.area_lists["western_garrison"])


def garrison_zone(tables: Tables, state: State, power: str) -> frozenset[str]:
    """Return the places in which Army (10) Units of a Power must stay; none for most. Rules: STA-047, STA-048."""
    if power == INDIAN:
        return india_zone(tables, state)
    return western_zone(tables) if power == WESTERN else frozenset()


def heavy_armies_to_spare(tables: Tables, state: State, power: str) -> int:
    """Return how many Army (10) Units may leave the zone of their garrison. Rules: STA-047, STA-050."""
    zone = garrison_zone(tables, state, power)
    return max(0, sum(is_heavy(u, power) for place in zone for u in units_at(state, place)) - KEPT_ARMIES)


def heavy_armies(state: State, power: str) -> dict[str, int]:
    """Return the Army Units of strength 10 by place."""
    counts = {HOME + power: sum(is_heavy(u, power) for u in state.homes.get(power, ()))}
    for area, here in state.areas.items():
        n = sum(is_heavy(u, power) for u in here.units) if here.units else 0
        if n:
            counts[area] = n
    return counts


def is_heavy(unit: Unit, power: str) -> bool:
    """Return whether the unit is an Army (10) of the Power."""
    return unit.power == power and unit.kind == ARMY and unit.strength == HEAVY


def indian_army_count(tables: Tables, state: State) -> int:
    """Return the number of Britain's Army (10) Units in the zone of the Indian Army, at most three.

    Rules: STA-045, STA-047
    """
    near = (u for area in india_zone(tables, state) for u in units_at(state, area))
    return min(KEPT_ARMIES, sum(is_heavy(u, INDIAN) for u in near))


def free_heavy_armies(tables: Tables, state: State, power: str, start: str, end: str) -> int:
    """Return how many of the Power's Army (10) Units the Western Garrison lets go from `start` to `end`.

    Rules: STA-048, STA-050, STA-051 (R-MIN-17)
    """
    there = sum(is_heavy(u, power) for u in units_at(state, start))
    if power != WESTERN or end in (zone := western_zone(tables)):
        return there
    counts = heavy_armies(state, power)
    if sum(counts.values()) <= KEPT_ARMIES:
        return 0
    if start not in zone:
        return there
    return min(there, max(0, sum(n for place, n in counts.items() if place in zone) - KEPT_ARMIES))


def check_western(play: Transaction, power: str, units: list[Unit], start: str, end: str) -> None:
    """Check that the Western Garrison lets these armies go from `start` to `end`.

    Raises: Refusal `western_garrison`.
    Rules: STA-048, STA-050
    """
    leaving = sum(is_heavy(u, power) for u in units)
    if not leaving or leaving <= free_heavy_armies(play.tables, play.state, power, start, end):
        return
    counts = heavy_armies(play.state, power)
    total = sum(counts.values())
    if total <= KEPT_ARMIES:
        refuse(
            "western_garrison",
            ("STA-050",),
            f"{total} Army (10) Units exist, and all must stay in Russia, the Balkans and Anatolia. "
            "Smaller armies can leave.",
        )
    within = sum(n for place, n in counts.items() if place in western_zone(play.tables))
    refuse(
        "western_garrison",
        ("STA-048",),
        f"Three Army (10) Units must stay in Russia, the Balkans and Anatolia. This order leaves {within}.",
    )


class GarrisonMarch(NamedTuple):
    """A move of the automatic fix."""

    unit: str
    path: tuple[str, ...]

    def order(self, power: str) -> actions.Move:
        """Return the order, with `power` as the acting Power."""
        return actions.Move((self.unit,), (self.path[0], self.path[-1]), power=power)


class PlannedArmy(NamedTuple):
    """An Army Unit in the plan: its place, and the Controlled Areas it may garrison."""

    number: int
    place: str
    unit: Unit
    ends: frozenset[str]


def has_garrison(state: State, area: str, power: str) -> bool:
    """Return whether the Power has its own Army Unit in the Area (STA-037, COD-007)."""
    here = state.areas.get(area)
    for u in here.units if here else ():  # noqa: SIM110 (asked too often for a generator)
        if u.power == power and u.kind == ARMY:
            return True
    return False


def missing_garrisons(tables: Tables, state: State, power: str) -> list[str]:
    """Return the Controlled Areas without an own Army Unit, the most important first. Rules: STA-037, COD-007."""
    areas = [
        area for area, marker in holdings(state, power) if marker in CONTROL and not has_garrison(state, area, power)
    ]
    return sorted(areas, key=lambda a: garrison_priority(tables, state, power, a), reverse=True)


def garrison_priority(tables: Tables, state: State, power: str, area: str) -> Priority:
    """Return the priority of an Area: States and Dominions, Possessions, Protectorates, each by Economic Value.

    Rules: STA-040, STA-041
    """
    marker = next(
        m for m in area_state(state, area).markers if m.power == power and m.established and m.marker in CONTROL
    )
    return LEVEL[marker.marker], tables.areas[area].value


def plan_marches(tables: Tables, state: State, power: str) -> list[GarrisonMarch]:
    """Plan the fewest moves found that garrison each Area that can be garrisoned.

    Areas left over are the least important ones. The Indian Army returns to its zone first.

    Rules: STA-039, STA-040, STA-041, STA-042, STA-045, STA-048, STA-050
    """
    marches = indian_marches(tables, state, power)
    for march in marches:
        state = evolve(state, events.UnitsMoved(power=power, units=(march.unit,), path=march.path))
    if missing_garrisons(tables, state, power):
        marches += _assign_armies(tables, state, power)
    return marches


def indian_marches(tables: Tables, state: State, power: str) -> list[GarrisonMarch]:
    """Return the moves of Army (10) Units back to India's zone: the least useful garrisons go where they are needed.

    Rules: STA-042, STA-045, STA-047
    """
    if power != INDIAN:
        return []
    zone, counts = india_zone(tables, state), heavy_armies(state, power)
    lacking = KEPT_ARMIES - sum(n for p, n in counts.items() if p in zone)
    if lacking <= 0:
        return []
    empty = [a for a in missing_garrisons(tables, state, power) if a in zone]
    out: list[GarrisonMarch] = []
    places = (p for p in counts if p not in zone and routes.can_start_move(state, power, p))
    for place in sorted(places, key=lambda p: _place_weight(tables, state, power, p)):
        free = sum(is_heavy(u, power) and not u.halted for u in units_at(state, place))
        paths = {end: way for end, way in routes.army_paths(tables, state, power, place).items() if end in zone}
        for _ in range(min(free, lacking) if paths else 0):
            end = next((a for a in empty if a in paths), None) or _nearest_end(state, power, paths)
            empty = [a for a in empty if a != end]
            out.append(GarrisonMarch(f"A{HEAVY}", paths[end]))
            lacking -= 1
    return out


def _place_weight(tables: Tables, state: State, power: str, place: str) -> Priority:
    """Return the loss of a place without one army: nothing at home or with other armies, else its priority."""
    armies = sum(u.power == power and u.kind == ARMY for u in units_at(state, place))
    if place.startswith(HOME) or armies > 1 or not controls(state, place, power):
        return 0, 0
    return garrison_priority(tables, state, power, place)


def _nearest_end(state: State, power: str, paths: dict[str, tuple[str, ...]]) -> str:
    """Return the nearest end, preferably one at peace."""
    return min(paths, key=lambda end: (routes.entry(state, power, end) != routes.PASS, len(paths[end])))


def _planned_armies(tables: Tables, state: State, power: str) -> list[PlannedArmy]:
    """Return the Power's Army Units with the Controlled Areas they may garrison, in assignment order."""
    own = frozenset(a for a in tables.areas if controls(state, a, power))
    known: list[frozenset[str]] = []
    out: list[PlannedArmy] = []
    places = [HOME + power, *(a for a, here in state.areas.items() if any(u.power == power for u in here.units))]
    for place in places:
        armies = [u for u in units_at(state, place) if u.power == power and u.kind == ARMY]
        ends = _move_ends(tables, state, power, place, known) if armies else frozenset()
        for unit in sorted(armies, key=lambda u: u.strength):
            free = frozenset() if unit.halted else ends
            out.append(PlannedArmy(len(out), place, unit, (free | {place}) & own))
    zone = india_zone(tables, state) if power == INDIAN else western_zone(tables) if power == WESTERN else frozenset()
    return _bind_to_zone(out, power, zone) if zone else out


def _move_ends(tables: Tables, state: State, power: str, place: str, known: list[frozenset[str]]) -> frozenset[str]:
    """Return the places where a move from `place` may end. `known` caches the reach of places that armies pass."""
    if not routes.can_start_move(state, power, place):
        return frozenset()
    passed = place == HOME + power or routes.entry(state, power, place) == routes.PASS
    if passed:
        for network in known:
            if place in network:
                return network
    ends = frozenset(routes.army_paths(tables, state, power, place)) | {place}
    if passed:
        known.append(ends)
    return ends


def _bind_to_zone(armies: list[PlannedArmy], power: str, zone: frozenset[str]) -> list[PlannedArmy]:
    """Keep three Army (10) Units in the zone of a special garrison, first those that have to stay anyway.

    A Western Garrison of three or fewer never moves farther away (STA-050).
    """
    heavy = [a for a in armies if is_heavy(a.unit, power)]
    second = {a.number for a, b in pairwise(heavy) if b.place == a.place}
    within = sorted((a for a in heavy if a.place in zone), key=lambda a: (not a.unit.halted, a.number in second))
    bound = {a.number for a in within[:KEPT_ARMIES]}
    if power == WESTERN and len(heavy) <= KEPT_ARMIES:
        bound = {a.number for a in heavy}
    return [a._replace(ends=a.ends & (zone | {a.place})) if a.number in bound else a for a in armies]


def _assign_armies(tables: Tables, state: State, power: str) -> list[GarrisonMarch]:
    """Assign armies to Areas, the most important Areas first; armies stay in place if possible."""
    armies = _planned_armies(tables, state, power)
    rank = {a: garrison_priority(tables, state, power, a) for a in tables.areas if controls(state, a, power)}
    holder: dict[str, PlannedArmy] = {}
    taken: dict[int, str] = {}
    for army in sorted(armies, key=lambda a: -a.unit.strength):
        if army.place in rank and army.place not in holder:
            holder[army.place], taken[army.number] = army, army.place
    for area in sorted((a for a in rank if a not in holder), key=lambda a: rank[a], reverse=True):
        _cover_area(area, armies, holder, taken, rank)
    _spare_moves(armies, holder, taken)
    out = []
    for area, army in holder.items():
        if army.place != area:
            out.append(GarrisonMarch(army.unit.name, routes.army_paths(tables, state, power, army.place)[area]))
    return sorted(out)


def _cover_area(
    area: str,
    armies: list[PlannedArmy],
    holder: dict[str, PlannedArmy],
    taken: dict[int, str],
    rank: dict[str, Priority],
) -> None:
    """Find an army for `area`: a free one by a chain of changes, or that of the least important Area in the chain."""
    came: dict[int, str] = {}
    todo, seen = [area], [area]
    spare: PlannedArmy | None = None
    while todo and spare is None:
        here = todo.pop(0)
        for army in sorted(armies, key=lambda a: a.place != here):
            if here not in army.ends or army.number in came:
                continue
            came[army.number] = here
            covered = taken.get(army.number)
            if covered is None:
                spare = army
                break
            if covered not in seen:
                seen.append(covered)
                todo.append(covered)
    if spare is None:
        lesser = [a for a in seen if rank[a] < rank[area]]
        if not lesser:
            return
        spare = holder.pop(min(lesser, key=lambda a: rank[a]))
    while True:
        here = came[spare.number]
        before = holder.get(here)
        holder[here], taken[spare.number] = spare, here
        if here == area or before is None:
            return
        spare = before


def _spare_moves(armies: list[PlannedArmy], holder: dict[str, PlannedArmy], taken: dict[int, str]) -> None:
    """Save a move: an army stays if its replacement can take over its destination."""
    for army in armies:
        goal, other = taken.get(army.number), holder.get(army.place)
        if goal and other and goal != army.place != other.place and goal in other.ends:
            holder[army.place], holder[goal] = army, other
            taken[army.number], taken[other.number] = army.place, goal


class SentAway(NamedTuple):
    """Areas that must have an army again, and the number of Army (10) Units that India has lost."""

    areas: tuple[str, ...] = ()
    indian: int = 0


def has_all_garrisons(tables: Tables, state: State, power: str) -> bool:
    """Return whether all garrisons of the Power are in place, including the Indian Army."""
    return not missing_garrisons(tables, state, power) and (
        power != INDIAN or indian_army_count(tables, state) == KEPT_ARMIES
    )


def garrisons_sent_away(tables: Tables, state: State, power: str) -> SentAway:
    """Return the garrisons that the Power could hold at the start of the Phase and does not hold now.

    Areas gained since then are not required here, but are an excuse for an army that moved to them.

    Rules: STA-039, STA-040, STA-041, STA-042, STA-045, STA-047 (Decision 33)
    """
    if state.phase_start is None or has_all_garrisons(tables, state, power):
        return SentAway()
    empty = missing_garrisons(tables, state, power)
    best = _armies_of_the_beginning(tables, state, power)
    for march in plan_marches(tables, best, power):
        best = evolve(best, events.UnitsMoved(power=power, units=(march.unit,), path=march.path))
    indian = indian_army_count(tables, best) - indian_army_count(tables, state) if power == INDIAN else 0
    owed = [area for area in empty if controls(best, area, power) and has_garrison(best, area, power)]
    instead = [
        area
        for area in tables.areas
        if controls(state, area, power) and has_garrison(state, area, power) and not has_garrison(best, area, power)
    ]
    return SentAway(_unreplaced_areas(tables, state, power, owed, instead), max(0, indian))


def _unreplaced_areas(tables: Tables, state: State, power: str, owed: list[str], instead: list[str]) -> tuple[str, ...]:
    """Return the Areas of `owed` without an equally important garrisoned Area of `instead`, most important first."""
    ranks: list[Priority] = sorted((garrison_priority(tables, state, power, a) for a in instead), reverse=True)
    out = []
    for area in owed:
        if ranks and ranks[0] >= garrison_priority(tables, state, power, area):
            ranks.pop(0)
        else:
            out.append(area)
    return tuple(out)


def _armies_of_the_beginning(tables: Tables, state: State, power: str) -> State:
    """Return the position with the Power's armies and Merchant Fleets back at their start of the Phase.

    Other units are left out. New armies stay in place and cannot move. Markers are the present ones, except the Power's
    own in Areas where it had no Control then.
    """
    then = at_phase_start(state)
    areas = {}
    for name, here in state.areas.items():
        if not controls(then, name, power):
            here = replace(here, markers=tuple(m for m in here.markers if m.power != power or not m.established))
        areas[name] = here
    homes = dict(state.homes)
    for place, armies in _armies_back(tables, state, then, power).items():
        if place.startswith(HOME):
            homes[power] = tuple(armies)
        else:
            areas[place] = replace(areas[place], units=tuple(armies))
    return replace(state, areas=areas, homes=homes, sea_zones=then.sea_zones)


def _armies_back(tables: Tables, state: State, then: State, power: str) -> dict[str, list[Unit]]:
    """Return the Power's armies by their original place; armies that halted without a move stay halted."""
    back: dict[str, list[Unit]] = {}
    for strength in tables.units:
        new: list[str] = []  # places of new armies, garrisons first
        missed = 0
        for place in (HOME + power, *state.areas):
            now, were = (
                [u for u in units_at(s, place) if u.power == power and u.kind == ARMY and u.strength == strength]
                for s in (state, then)
            )
            stayed = min(len(now), len(were))
            new += [place] * (len(now) - stayed)
            missed += len(were) - stayed
            free = min(stayed, sum(not u.halted for u in now))
            halts = [False] * free + [True] * (stayed - free) + [u.halted for u in were[stayed:]]
            back.setdefault(place, []).extend(Unit(power, ARMY, strength, halted=halt) for halt in halts)
        new.sort(key=lambda p: p.startswith(HOME) or not controls(state, p, power))
        for place in new[: len(new) - missed]:
            back[place].append(Unit(power, ARMY, strength, halted=True))
    return back


class FleetReturn(NamedTuple):
    """The return of a Merchant Fleet, in the automatic fix, to its Sea Zone at the start of the Phase."""

    start: str
    to: str

    def order(self, power: str) -> actions.Merchant:
        """Return the order, with `power` as the acting Power."""
        return actions.Merchant(self.start, self.to, power)


class GarrisonFix(NamedTuple):
    """The steps of an automatic fix in order, and what it cannot restore."""

    steps: tuple[FleetReturn | GarrisonMarch, ...]
    left: SentAway


def find_garrison_fix(tables: Tables, state: State, power: str) -> GarrisonFix:
    """Find the fewest moves that restore each possible garrison.

    If an army has lost its way back because a Merchant Fleet sailed, the fleet transports it and returns.

    Rules: STA-039, STA-040, STA-041, STA-042, STA-045, MOV-002 (Decision 33)
    """
    if has_all_garrisons(tables, state, power):
        return GarrisonFix((), SentAway())
    found: GarrisonFix | None = None
    for fetching in _fleet_returns(state, power):
        back = tuple(FleetReturn(s.to, s.start) for s in fetching)
        there = _state_after(state, power, fetching)
        marches = plan_marches(tables, there, power)
        left = garrisons_sent_away(tables, _state_after(there, power, (*marches, *back)), power)
        if found is None or _count_missing(left) < _count_missing(found.left):
            found = GarrisonFix((*fetching, *marches, *back), left)
        if not _count_missing(left):
            break
    assert found is not None
    return found


def _count_missing(left: SentAway) -> int:
    return len(left.areas) + left.indian


def _fleet_returns(state: State, power: str) -> Iterator[tuple[FleetReturn, ...]]:
    """Return sets of Merchant Fleets to send back: none, one, all that have left."""
    yield ()
    if state.phase_start is None:
        return
    both = (state.phase_start.sea_zones, state.sea_zones)
    then, now = ([zone for zone, fleets in zones.items() if power in fleets] for zones in both)
    lost_zones = [z for z in then if z not in now]
    new = [z for z in now if z not in then]
    yield from ((FleetReturn(start, to),) for to, start in product(lost_zones, new))
    if len(lost_zones) > 1:
        yield tuple(FleetReturn(start, to) for start, to in zip(new, lost_zones, strict=False))


def _state_after(state: State, power: str, steps: Sequence[FleetReturn | GarrisonMarch]) -> State:
    for step in steps:
        if isinstance(step, FleetReturn):
            state = evolve(state, events.MerchantMoved(power=power, start=step.start, to=step.to))
        else:
            state = evolve(state, events.UnitsMoved(power=power, units=(step.unit,), path=step.path))
    return state


def fix_garrisons(play: Transaction, power: str, action: actions.Garrison) -> None:
    """Carry out the automatic fix.

    Raises: Refusal `nothing_to_fix`.
    Rules: STA-039, STA-040, STA-045
    """
    found = find_garrison_fix(play.tables, play.state, power)
    if not found.steps:
        refuse(
            "nothing_to_fix",
            ("STA-039",),
            "No army needs to move: every Area that can have a garrison has one.",
        )
    carry_out_fix(play, power, found.steps)


def carry_out_fix(play: Transaction, power: str, steps: Sequence[FleetReturn | GarrisonMarch]) -> None:
    for step in steps:
        if isinstance(step, FleetReturn):
            rules = ("STA-039", "MOV-002", "MOV-003")
            play.emit(events.MerchantMoved(power=power, start=step.start, to=step.to, rules=rules))
            continue
        halted, rule = routes.arrival(play.state, power, step.path[-1])
        play.emit(
            events.UnitsMoved(
                power=power,
                units=(step.unit,),
                path=step.path,
                halted=halted,
                reason="fix",
                rules=("STA-039", "STA-040", rule),
            )
        )


def force_garrison_fix(play: Transaction, power: str) -> None:
    """Carry out the automatic fix for the arbiter, ignoring what it cannot restore.

    Rules: STA-039, STA-045, SEQ-010
    """
    carry_out_fix(play, power, find_garrison_fix(play.tables, play.state, power).steps)
    left = garrisons_sent_away(play.tables, play.state, power)
    for area in left.areas:
        duty = f"a garrison in {place_name(play.tables, area)}"
        play.emit(events.DutyWaived(power=power, duty=duty, rules=("STA-039",)))
    if left.indian:
        play.emit(events.DutyWaived(power=power, duty="the Indian Army near India", rules=("STA-045", "STA-047")))


def warn_lost_garrison(play: Transaction, power: str) -> None:
    """Warn a Power when its move leaves a garrison that no fix can restore; it may still undo the move.

    Rules: STA-039, STA-045 (Decision 33)
    """
    tables, state = play.tables, play.state
    left = find_garrison_fix(tables, state, power).left
    if not _count_missing(left):
        return
    what = _area_names(tables, left.areas) or "India"
    name = power_name(tables, power)
    play.add_note(
        "sent_away",
        f"No army can get back to {what} as things are: {name} cannot be ready unless that is undone or another army "
        f"comes.",
        ("STA-039",) if left.areas else ("STA-045", "STA-047"),
        power,
        left.areas[0] if left.areas else "",
    )


def check_garrisons(play: Transaction, power: str) -> None:
    """Check that the garrisons of a Power are as good as its armies can make them, or could when the Phase began.

    Raises: Refusal `garrison`, with the orders of the automatic fix.
    Rules: STA-039, STA-040, STA-042, STA-045, STA-047 (Decision 33)
    """
    tables, state = play.tables, play.state
    found = find_garrison_fix(tables, state, power)
    if not found.steps and not _count_missing(found.left):
        return
    seat = seat_of(tables, state, power)
    texts = [format_for_seat(tables, step.order(power), seat) for step in found.steps]
    garrison = f"'{format_for_seat(tables, actions.Garrison(power), seat)}'"
    if indian_marches(tables, state, power) or garrisons_sent_away(tables, state, power).indian:
        missing = "a missing army" if found.left.indian else ""
        refuse(
            "garrison",
            ("STA-045", "STA-047", "STA-042"),
            "Three Army (10) Units of the Indian Army must end the Phase within two Areas of "
            f"India{_describe_fix(garrison, texts, missing)}.",
            fix=texts,
        )
    after = _state_after(state, power, found.steps)
    never = found.left.areas
    ungarrisoned = [a for a in missing_garrisons(tables, state, power) if a in never or has_garrison(after, a, power)]
    missing = f"an army for {_area_names(tables, never)}" if never else ""
    refuse(
        "garrison",
        ("STA-039", "STA-040", "STA-037"),
        f"{power_name(tables, power)} must leave an army in each Area with its Control, the most valuable "
        "first, as far as it has armies. Without one: "
        f"{_area_names(tables, ungarrisoned)}{_describe_fix(garrison, texts, missing)}.",
        fix=texts,
        areas=ungarrisoned,
    )


def _describe_fix(garrison: str, texts: Sequence[str], missing: str) -> str:
    """Return the advice for the seat: the orders of the fix; for `missing` ones, an undo."""
    undo = f". To get {missing} there, undo what blocks the way" if missing else ""
    if not texts:
        return undo
    orders = f"({'; '.join(texts)})"
    return (
        f". The order {garrison} does what is possible {orders}{undo}"
        if missing
        else f". The order {garrison} does this {orders}"
    )


def _area_names(tables: Tables, areas: Sequence[str]) -> str:
    return ", ".join(place_name(tables, area) for area in areas)


ACTS: ActTable = {actions.Garrison: {"movement": fix_garrisons}}
