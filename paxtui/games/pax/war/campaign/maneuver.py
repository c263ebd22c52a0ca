"""The Alliance Maneuver Phase: one step for each Unit, and entry into the Codominion of a neutral.

Each order is checked in the position after the previous one. A neutral whose Codominion with an enemy is entered may
declare War at once, but not later. `reachable_places` ignores Units in the way and the coal of fleets.

Rules: R-WMV-06, R-WMV-12
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from paxtui.games.pax import casus_belli
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.adjacency import board, distances
from paxtui.games.pax.board.caching import CacheKey, cached
from paxtui.games.pax.board.status import area_state, controlled_areas, controllers, marked_areas, seat_of
from paxtui.games.pax.board.tables import HOME, Tables
from paxtui.games.pax.events import events
from paxtui.games.pax.expansion.garrisons import (
    HEAVY,
    INDIAN,
    KEPT_ARMIES,
    WESTERN,
    free_heavy_armies,
    india_zone,
    is_heavy,
)
from paxtui.games.pax.state.model import State, units_at
from paxtui.games.pax.state.pieces import ARMY, CHINA, NAVAL, OTTOMAN_EMPIRE, Unit, unit_from_name
from paxtui.games.pax.state.questions import CodominionWar, Pending
from paxtui.games.pax.state.war import MANEUVER, OTTOMAN, REBELLION, War
from paxtui.games.pax.text.display import place_name, power_name, the_zone
from paxtui.games.pax.transaction import Transaction, refuse, single_answer
from paxtui.games.pax.war import declarations, empire
from paxtui.games.pax.war.alliances import allies, commanded_powers, enemies, great_allies, phasing_war
from paxtui.games.pax.war.campaign import supply_lines, war_adjacency
from paxtui.games.pax.war.campaign.supply_lines import merchant_zones
from paxtui.games.pax.war.campaign.war_adjacency import StepBar, WarStep, is_sea, step_obstacle, unit_steps

ENTRY_CAUSE = "codominion_entered"
"""Row of the Casus Belli Summary."""
PASS = "pass"


def offended_neutrals(play: Transaction, war: War, power: str, area: str) -> tuple[str, ...]:
    """Return the Great Powers that get a Casus Belli when a Power moves Units into an Area.

    These are neutral holders of a Codominion with an enemy of the mover. There are none if the mover or an ally has a
    share in the Codominion. Minor Powers never declare War for this reason.

    Rules: WCD-001, WCD-003, WCD-004, WCD-005 (R-WCD-04)
    """
    holders = area_state(play.state, area).codominion if area in play.state.areas else ()
    if not set(holders).intersection(enemies(war, power)) or set(holders).intersection(allies(war, power)):
        return ()
    seat = seat_of(play.tables, play.state, power)
    neutral = tuple(p for p in holders if not war.side_of(p) and seat_of(play.tables, play.state, p) != seat)
    return tuple(p for p in neutral if p in play.state.powers)


def record_entry(play: Transaction, war_id: str, power: str, area: str) -> None:
    """Record that a Power has entered an Area, and ask the neutrals with a Casus Belli, once for each War.

    For the Units of an Empire, the Great Power allies that move them are responsible.

    Rules: WCD-001, WCD-002 (R-WCD-03, R-OTT-18)
    """
    war = play.state.war(war_id)
    if war is None:
        return
    for mover in great_allies(play.state, war, power) if power in (CHINA, OTTOMAN_EMPIRE) else (power,):
        _ask_neutrals(play, war, mover, area)


def _ask_neutrals(play: Transaction, war: War, power: str, area: str) -> None:
    if f"{power} {area}" in war.entered:
        return
    neutrals = offended_neutrals(play, war, power, area)
    if not neutrals:
        return
    rules = ("WCD-001", "WCD-002")
    play.emit(events.CodominionEntered(war=war.id, area=area, power=power, rules=rules))
    who, where = power_name(play.tables, power), place_name(play.tables, area)
    for neutral in neutrals:
        casus_belli.create_casus_belli(play, neutral, power, area, ENTRY_CAUSE, rules)
        play.offer(
            neutral,
            CodominionWar(war=war.id, mover=power),
            (*_entry_declarations(play, neutral, power), PASS),
            PASS,
            area,
            f"{who} has entered {where}, which you share with its enemy. You may declare War at once, and never again "
            f"over this Area.",
            rules,
        )


def _entry_declarations(play: Transaction, neutral: str, mover: str) -> tuple[str, ...]:
    """Return the declarations of War on a mover: one for each Alliance that the neutral can join, the default first.

    Rules: WCD-002, WAR-061 (Decision 58)
    """
    order = f"declare war {mover}"
    sides = declarations.open_alliances(play.tables, play.state, neutral, (mover,))
    own = declarations.default_alliance(play.tables, play.state, neutral, (mover,))
    others = (side[0] for side in sides if (own not in side if own else side != sides[0]))
    return (order, *(f"{order} beside {power}" for power in others))


def answer_entry(play: Transaction, choice: Pending, about: CodominionWar, words: tuple[str, ...]) -> None:
    """Declare War on the mover, or give up the Casus Belli. Rules: WCD-002, ETI-019."""
    reason = ENTRY_CAUSE, about.mover, choice.area
    usable = declarations.usable_causes(play.tables, play.state, choice.power)
    word = single_answer(choice, words)
    if word != PASS and any((c.cause, c.against, c.area) == reason for c in usable):
        beside = word.partition(" beside ")[2]
        declarations.queue_declaration(play, choice.power, (about.mover,), (choice.area,), beside)
        return
    for cause in play.state.casus_belli:
        if cause.holder == choice.power and (cause.cause, cause.against, cause.area) == reason:
            play.emit(events.CasusBelliEnded(id=cause.id, reason="lapsed", rules=("WCD-002",)))


def waiting_seats(tables: Tables, state: State, war: War) -> tuple[str, ...]:
    """Return the seats of the phasing Alliance with a Unit that is, or could be, outside its Home Country.

    Rules: WMV-004
    """
    return tuple(seat for seat in state.players if _can_move(tables, state, war, seat))


def _can_move(tables: Tables, state: State, war: War, seat: str) -> bool:
    powers = [p for p in commanded_powers(tables, state, war, seat) if war.side_of(p) == war.turn_of]
    if not powers:
        return False
    abroad = (*(here.units for here in state.areas.values()), *state.at_sea.values())
    if any(u.power in powers for units in abroad for u in units):
        return True
    return any(next(open_steps(tables, state, war, u, HOME + p), None) for p in powers for u in state.homes.get(p, ()))


def open_steps(tables: Tables, state: State, war: War, unit: Unit, place: str) -> Iterator[WarStep]:
    """Return all legal steps of a Unit, as if it were its turn."""
    for step in unit_steps(tables, state, war, unit, place):
        if step_bar(tables, state, war, unit, place, step) is None:
            yield step


def step_bar(tables: Tables, state: State, war: War, unit: Unit, start: str, step: WarStep) -> StepBar | None:
    """Return the reason why a Unit cannot take a step to an adjacent place, None if it can.

    Rules: WMV-008 to WMV-020, WMV-030, WMV-032, WMV-036, WMV-037
    """
    if unit.kind == NAVAL:
        return _naval_bar(tables, state, war, unit, start, step)
    return _army_bar(tables, state, war, unit, start, step) or garrison_bar(tables, state, unit, start, step.place)


def _naval_bar(tables: Tables, state: State, war: War, unit: Unit, start: str, step: WarStep) -> StepBar | None:
    """Rules: WMV-008, WMV-009, WMV-010 (R-WMV-01, R-WMV-02)."""
    power, place = unit.power, step.place
    if place.startswith(HOME) or place == start:
        return None
    if is_sea(tables, place):
        if start == HOME + power or place in supply_lines.coaling_zones(tables, state, war, power):
            return None
        where = the_zone(tables, place)
        return StepBar("no_coaling", ("WMV-008",), f"{power_name(tables, power)} has no Coaling Rights in {where}.")
    return _area_bar(tables, state, war, place, "WMV-009")


def _army_bar(tables: Tables, state: State, war: War, unit: Unit, start: str, step: WarStep) -> StepBar | None:
    """Rules: WMV-013 to WMV-020, WMV-030, WMV-037 (R-WMV-02, R-WMV-08, R-WMV-09, R-WMV-14)."""
    power, place = unit.power, step.place
    if power in empire.EMPIRES and (closed := _empire_bar(tables, state, war, place)):
        return closed
    sea = next((p for p in (start, place) if is_sea(tables, p)), "")
    area = next((p for p in (start, place) if p in tables.areas), "")
    if sea and area and _has_enemy_fleet(state, war, power, area, sea if tables.areas[area].passage else ""):
        where = place_name(tables, area)
        return StepBar(
            "blockaded",
            ("WMV-019", "WMV-037"),
            f"Army Units cannot land or embark in {where}: an enemy fleet is there.",
        )
    if place.startswith(HOME):
        if place == HOME + power or _is_friendly_country(tables, war, power, place):
            return None
        return StepBar("foreign_home", ("WMV-017",), "Units cannot enter the Home Country of another Power.")
    if is_sea(tables, place):
        return _embark_bar(tables, state, war, power, place)
    if (
        not is_sea(tables, start)
        and _has_enemy_armies(state, war, power, start)
        and _has_enemy_armies(state, war, power, place)
    ):
        return StepBar(
            "enemy_to_enemy",
            ("WMV-020",),
            f"An Army Unit cannot go directly from enemy armies to others. {place_name(tables, place)} has "
            "enemy armies too.",
        )
    return None if power in empire.EMPIRES else _area_bar(tables, state, war, place, "WMV-015")


def _empire_bar(tables: Tables, state: State, war: War, place: str) -> StepBar | None:
    """Return the limit on moves of an Empire's Armies that a step would break.

    Rules: REB-014, OTT-020, OTT-021, OTT-022 (R-OTT-18)
    """
    if place in empire.roamed_areas(tables, state, war):
        return None
    if place == empire.egypt_area(tables):
        return StepBar("outside_empire", ("OTT-022",), f"{place_name(tables, place)} belongs to a neutral Power.")
    return StepBar("outside_empire", ("OTT-021",), "Ottoman Armies must stay in the Empire and Egypt.")


def _embark_bar(tables: Tables, state: State, war: War, power: str, zone: str) -> StepBar | None:
    beside = tables.capes[zone].adjacent if zone in tables.capes else (zone,)
    where = the_zone(tables, zone)
    if not any(power in state.sea_zones.get(z, ()) for z in beside):
        name = power_name(tables, power)
        rules = ("WMV-030",) if zone in tables.capes else ("WMV-013", "WMV-014")
        return StepBar("no_merchant_fleet", rules, f"{name} needs a Merchant Fleet of its own in {where}.")
    there = units_at(state, zone)
    foes = enemies(war, power)
    hostile = any(u.kind == NAVAL and u.power in foes for u in there)
    escort = any(u.kind == NAVAL and war.side_of(u.power) == war.side_of(power) for u in there)
    if hostile and not escort:
        return StepBar(
            "no_escort", ("WMV-018",), f"{place_name(tables, zone)} has enemy fleets and no fleet of your Alliance."
        )
    return None


def _area_bar(tables: Tables, state: State, war: War, area: str, rule: str) -> StepBar | None:
    if is_open_area(tables, state, war, area):
        return None
    return StepBar("no_belligerent", (rule,), f"No belligerent has a Control marker in {place_name(tables, area)}.")


def is_open_area(tables: Tables, state: State, war: War, area: str) -> bool:
    """Return whether a belligerent has Control of an Area or has conquered it, or the Empire that fights may enter it.

    An Area conquered from an Alliance that has since dropped out has no Control marker of a belligerent.

    Rules: WMV-009, WMV-015, WMV-032, REB-009, SUP-004 (R-WMV-02)
    """
    if war.conqueror(area) or any(war.side_of(p) for p in controllers(state, area)):
        return True
    return war.kind in (REBELLION, OTTOMAN) and area in empire.roamed_areas(tables, state, war)


def can_enter(tables: Tables, state: State, war: War, power: str, place: str) -> bool:
    """Return whether the Armies of a Power may ever enter an Area or Home Country in a War, whatever Units are there.

    Rules: WMV-015, WMV-017, WMV-032 (R-WMV-02, R-WMV-09)
    """
    if place.startswith(HOME):
        return place == HOME + power or _is_friendly_country(tables, war, power, place)
    return is_open_area(tables, state, war, place)


def garrison_bar(tables: Tables, state: State, unit: Unit, start: str, place: str) -> StepBar | None:
    """Return the limit on an Army (10) of the Indian Army or the Western Garrison that a step would break.

    Rules: WMV-036, STA-047, STA-050 (R-WMV-10, Decision 55)
    """
    if unit.strength != HEAVY:
        return None
    zone = india_zone(tables, state)
    leaves = unit.power == INDIAN and start in zone and place not in zone
    if leaves and sum(is_heavy(u, INDIAN) for area in zone for u in units_at(state, area)) <= KEPT_ARMIES:
        return StepBar(
            "indian_army_bound",
            ("WMV-036", "STA-047"),
            f"{KEPT_ARMIES} Army ({HEAVY}) Units must stay within two Overland Routes of India.",
        )
    if unit.power == WESTERN and not free_heavy_armies(tables, state, WESTERN, start, place):
        return StepBar(
            "western_garrison",
            ("WMV-036", "STA-050"),
            f"{KEPT_ARMIES} Army ({HEAVY}) Units must stay in Russia, the Balkans and Anatolia.",
        )
    return None


def _is_friendly_country(tables: Tables, war: War, power: str, place: str) -> bool:
    """Return whether a Power's armies may pass the Home Country of the Power that its own seat plays."""
    owner = place[len(HOME) :]
    return tables.powers[owner].seat == power and war.side_of(owner) == war.side_of(power) != 0


def _has_enemy_fleet(state: State, war: War, power: str, area: str, coast: str) -> bool:
    """Return whether an enemy fleet is in an Area, on this coast if the coast matters."""
    foes = enemies(war, power)
    return any(u.kind == NAVAL and u.power in foes and coast in ("", u.coast) for u in area_state(state, area).units)


def _has_enemy_armies(state: State, war: War, power: str, area: str) -> bool:
    foes = enemies(war, power)
    return any(u.kind == ARMY and u.power in foes for u in area_state(state, area).units)


def move_units(play: Transaction, power: str, action: actions.Move) -> None:
    """Move Units by one step.

    Raises: Refusal `no_war`, `not_your_turn`, `choose_first`, `one_step`, `no_unit`, or the obstacle to the step.
    Rules: WMV-004, WMV-005, WMV-006, WMV-034, WCD-001
    """
    war = phasing_war(play, power, MANEUVER, "move", "WMV-004", "WCD-002")
    if len(action.path) != 2:
        refuse("one_step", ("WMV-006",), "In a Maneuver Phase a Unit moves one step. Name its place and the next one.")
    start, place = action.path
    for name in action.units:
        unit, step = _find_unit(play, war, power, name, action)
        war_adjacency.take_step(play, unit, start, step, "war", ("WMV-006",))
        record_entry(play, war.id, power, place)
        if unit.kind == ARMY:
            _record_invasion(play, war.id, power, place)


def _record_invasion(play: Transaction, id_: str, power: str, place: str) -> None:
    """Record that Armies must attack an Area of an Empire that they have entered, in the next Attack Phase.

    Rules: REB-030 (R-REB-06)
    """
    war = next(w for w in play.state.wars if w.id == id_)
    new = empire.are_against_empire(war, (power,)) and f"{power} {place}" not in war.invaded
    if new and empire.is_resisting(play.tables, play.state, war, place):
        play.emit(events.AreaInvaded(war=war.id, area=place, power=power, rules=("REB-030",)))


def _find_unit(play: Transaction, war: War, power: str, name: str, action: actions.Move) -> tuple[Unit, WarStep]:
    """Return a Unit with this name at the start that can take the step, and the step.

    Of equal Units on two coasts or in two boxes, one that can go is taken.
    """
    tables, state = play.tables, play.state
    start, place = action.path
    wanted = unit_from_name(name, power)
    here = [u for u in units_at(state, start) if (u.power, u.kind, u.strength) == (power, wanted.kind, wanted.strength)]
    if not here:
        refuse("no_unit", ("WMV-006",), f"There is no {name}{_unit_of_other_power(play, war, power, wanted, start)}.")
    candidates = [u for u in here if action.start_coast in ("", u.coast)]
    if not candidates:
        where = f"{place_name(tables, start)} ({place_name(tables, action.start_coast)})"
        refuse("no_unit", ("WMV-011",), f"There is no {name} in {where}.")
    movable = [u for u in candidates if not u.halted]
    if not movable:
        refuse("has_moved", ("WMV-006",), f"{name} has already moved in this Phase.")
    first: StepBar | None = None
    for unit in movable:
        for step in unit_steps(tables, state, war, unit, start):
            if step.place != place or action.coast not in ("", step.coast):
                continue
            bar = step_bar(tables, state, war, unit, start, step)
            if bar is None:
                return unit, step
            first = first or bar
    if first:
        refuse(*first)
    refuse(*step_obstacle(tables, state, war, movable[0], start, place))


def _unit_of_other_power(play: Transaction, war: War, power: str, wanted: Unit, start: str) -> str:
    """Return a text for a missing Unit: how to order the equal Unit of another Power that the seat commands.

    Rules: WMV-031
    """
    tables, state = play.tables, play.state
    where = f" of yours in {place_name(tables, start)}"
    for other in commanded_powers(tables, state, war, seat_of(tables, state, power)):
        if other != power and any((u.power, u.name) == (other, wanted.name) for u in units_at(state, start)):
            return f"{where}. To move the one of {power_name(tables, other)}, write '{other}: move ...'"
    return where


def _reach_cache_key(tables: Tables, state: State, war: War, power: str) -> CacheKey:
    return (power,), (tables, state.areas, state.homes, state.at_sea, state.sea_zones, war, board(tables, state))


@cached(most=64, by=_reach_cache_key)
def reachable_places(tables: Tables, state: State, war: War, power: str) -> frozenset[str]:
    """Return the places that some Army Unit of a Power could reach in a War, including its present one.

    The ways lead through Areas that it may enter, and through Sea and Cape Zones with its own Merchant Fleets. Armies
    of an Empire stay in its own Areas.

    Rules: SUP-017, REB-014 (R-SUP-03)
    """
    imperial = power in empire.EMPIRES
    areas = empire.roamed_areas(tables, state, war) if imperial else enterable_areas(tables, state, war)
    starts = _army_places(state).get(power, ())
    return frozenset(distances(starts, lasting_army_steps(tables, state, war, power, areas)))


def lasting_army_steps(
    tables: Tables, state: State, war: War, power: str, areas: frozenset[str]
) -> Callable[[str], Iterator[str]]:
    """Return a function that finds the places one step from a place for Armies of a Power, whatever Units are there.

    `areas`: those that they may enter.
    """
    map_, sailed = board(tables, state), merchant_zones(tables, state, power)
    seas = war_adjacency.neighbouring_seas(tables, state, war, power)

    def steps(place: str) -> Iterator[str]:
        if place in seas:
            beside = (*seas[place], *map_.coast_of.get(place, ()))
        else:
            beside = (*map_.routes.get(place, ()), *map_.zones_of.get(place, ()))
        for other in beside:
            home = other.startswith(HOME) and can_enter(tables, state, war, power, other)
            if home or other in sailed or other in areas:
                yield other

    return steps


@cached(
    most=8,
    by=lambda tables, state, war: (
        (war.kind,),
        (tables, marked_areas(state.areas), state.options, war.alliances, war.conquered),
    ),
)
def enterable_areas(tables: Tables, state: State, war: War) -> frozenset[str]:
    """Return the Areas that Armies may enter in a War. Rules: WMV-015, WMV-032 (R-WMV-02)."""
    taken = (c.area for c in war.conquered if war.conqueror(c.area))
    members = frozenset(war.powers)
    held = (area for area, powers in controlled_areas(state).items() if not members.isdisjoint(powers))
    roamed = empire.roamed_areas(tables, state, war) if war.kind in (REBELLION, OTTOMAN) else ()
    return frozenset((*taken, *held, *roamed))


@cached(most=8, by=lambda state: ((), (state.areas, state.homes, state.at_sea)))
def _army_places(state: State) -> dict[str, tuple[str, ...]]:
    """Return the places of each Power's Army Units, including home and sea."""
    places = (
        *((area, here.units) for area, here in state.areas.items()),
        *state.at_sea.items(),
        *((HOME + country, units) for country, units in state.homes.items()),
    )
    found: dict[str, list[str]] = {}
    for place, units in places:
        for power in {u.power for u in units if u.kind == ARMY}:
            found.setdefault(power, []).append(place)
    return {power: tuple(where) for power, where in found.items()}


def can_reach(tables: Tables, state: State, war: War, side: int, place: str) -> bool:
    """Return whether Armies of some Power of an Alliance could reach a place. Rules: SUP-016, SUP-017 (R-SUP-03)."""
    return any(place in reachable_places(tables, state, war, power) for power in war.alliance(side))
