"""What is next to what in War: Cape Zones between the oceans, passages that can be closed, coasts that keep fleets.

One step leads from a place to a place beside it; whether the rules let a Unit take it is for `maneuver`.

Rules: WMV-006, WMV-011, WMV-012, WMV-027, WMV-033, STR-001, STR-003, STR-004, STR-006, STR-007, STR-009, STR-012,
STR-014 (R-WMV-03, R-WMV-11, R-STR-06, R-STR-11, Decision 25)

Canals and straits in War: which Sea Zones they join, who may deny them, and to whom they are closed.

Rules: STR-001 to STR-006, STR-009 to STR-018, STR-021, STR-022, CAN-007, CAN-008 (R-STR-02, R-STR-03, R-STR-07 to
R-STR-10, R-STR-12)

One step of a Unit in War, whoever sends it: a player, the engine, or an attack that drives it out.

Rules: WMV-006, WMV-034, WCB-020, ORD-037
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from paxtui.games.pax import casus_belli
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.adjacency import CANAL, board, passage_area, passage_of, passages
from paxtui.games.pax.board.caching import CacheKey, cached
from paxtui.games.pax.board.status import controllers
from paxtui.games.pax.board.tables import HOME, Tables
from paxtui.games.pax.events import events
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import ARMY, CHINA, NAVAL, OTTOMAN_EMPIRE, Unit
from paxtui.games.pax.state.war import ALLIANCES, INITIATIVE, MANEUVER, Denial, War
from paxtui.games.pax.text.display import place_name, power_name
from paxtui.games.pax.transaction import ActTable, Transaction, refuse
from paxtui.games.pax.war import alliances
from paxtui.games.pax.war.alliances import unallied_empire

PASSAGE_CAUSE = "passage_denied"
"""Its row in the Casus Belli Summary."""


def joining_passages(tables: Tables, state: State, one: str, other: str) -> tuple[str, ...]:
    """The passages through which two Sea Zones are joined; none where they meet at sea.

    Rules: STR-001, STR-004, STR-009, STR-012
    """
    return tuple(
        passage_of(tables, a.id)
        for a in tables.areas.values()
        if a.passage and {one, other} <= set(a.sea_zones) and (a.passage != CANAL or state.areas[a.id].canal)
    )


def is_joined_without(tables: Tables, state: State, shut: frozenset[str], one: str, other: str) -> bool:
    """Whether two Sea Zones are joined with these passages closed: where passages join them, one of them must be open.

    Rules: STR-003, STR-006, STR-012
    """
    ways = joining_passages(tables, state, one, other)
    return not ways or not shut.issuperset(ways)


def closed_passages(tables: Tables, state: State, war: War, power: str) -> frozenset[str]:
    """The passages that are closed to a Power in a War.

    Rules: STR-002, STR-003, STR-006, STR-012
    """
    if not war.denied:
        return frozenset()
    return frozenset(passage for passage in passages(tables) if is_passage_closed(tables, state, war, passage, power))


def deciders(tables: Tables, state: State, war: War, area: str) -> tuple[str, ...]:
    """The Powers that together may deny the passage through an Area; none where nobody may.

    Those with a player and established Control; in a conquered Area the Great Powers of the conquering Alliance. Where
    no canal has been built there is nothing to deny.

    Rules: STR-002, STR-005, STR-010, STR-014, STR-022, CAN-007 (R-STR-03, R-STR-09, R-STR-10)
    """
    if tables.areas[area].passage == CANAL and not state.areas[area].canal:
        return ()
    conqueror = war.conqueror(area)
    holders = war.alliance(conqueror) if conqueror else controllers(state, area)
    return tuple(p for p in holders if p in state.powers)


def is_passage_closed(tables: Tables, state: State, war: War, passage: str, power: str) -> bool:
    """Whether a passage is denied to a Power by everybody whose consent that takes.

    Rules: STR-002, STR-005, STR-010, STR-015, CAN-007
    """
    if not war.denied:
        return False
    by = deciders(tables, state, war, passage_area(tables, passage))
    said = {d.by for d in war.denied if d.passage == passage and d.to == power}
    return bool(by) and said.issuperset(by)


# --- what a neutral's denial brings -----------------------------------------------------------------------------------


class PassagePretext(NamedTuple):
    """A Casus Belli that a denied passage gives: who has it, against whom, over which Area."""

    holder: str
    against: str
    area: str


def passage_pretexts(tables: Tables, state: State, war: War) -> tuple[PassagePretext, ...]:
    """The Casus Belli that passages denied by neutrals give now.

    Every Great Power of an Alliance with a denied member has one, unless the passage is closed to all belligerents of
    every Alliance; that an Empire never uses one makes up for nothing.

    Rules: STR-016, STR-017 (R-STR-08, R-STR-12)
    """
    found = []
    users = tuple(p for p in war.powers if p not in (CHINA, OTTOMAN_EMPIRE))
    for passage, area in passages(tables).items():
        shut = tuple(p for p in users if is_passage_closed(tables, state, war, passage, p))
        if len(shut) == len(users) and not unallied_empire(state, war):
            continue
        sides = {war.side_of(p) for p in shut}
        holders = tuple(p for p in users if p in state.powers and war.side_of(p) in sides)
        neutrals = tuple(p for p in deciders(tables, state, war, area) if not war.side_of(p))
        found += [PassagePretext(holder, against, area) for holder in holders for against in neutrals]
    return tuple(found)


def end_settled_pretexts(play: Transaction) -> None:
    """End every Casus Belli over a passage that its denial no longer gives.

    Rules: STR-016, STR-017 (R-STR-08)
    """
    standing = {pretext for war in play.state.wars for pretext in passage_pretexts(play.tables, play.state, war)}
    for cause in play.state.casus_belli:
        if cause.cause == PASSAGE_CAUSE and PassagePretext(cause.holder, cause.against, cause.area) not in standing:
            play.emit(events.CasusBelliEnded(id=cause.id, reason="settled", rules=("STR-016", "STR-017")))


# --- the orders -------------------------------------------------------------------------------------------------------


def can_change_passages(state: State, war: War) -> bool:
    """Whether passages may be denied and opened now: as a War starts, and until somebody moves or passes in a
    Maneuver Phase; with the option, at any moment of a War.

    Rules: STR-021 (R-STR-07)
    """
    if state.options.passages_denied == "any_time":
        return True
    if war.stage in (ALLIANCES, INITIATIVE):
        return war.cycle == 1
    if war.stage != MANEUVER or alliances.current_war(state) != war or state.ready:
        return False
    moving = war.alliance(war.turn_of)
    everybody = (
        *(here.units for here in state.areas.values()), *state.homes.values(), *state.at_sea.values(),
    )  # fmt: skip
    return not any(u.halted and u.power in moving for units in everybody for u in units)


def passage_changes(tables: Tables, state: State, war: War, power: str) -> Iterator[tuple[str, str, bool]]:
    """What a Power may change now: a passage, a belligerent that could use it, and whether the Power denies it to him.

    Rules: STR-002, STR-021
    """
    if not can_change_passages(state, war):
        return
    for passage, area in passages(tables).items():
        if power in deciders(tables, state, war, area):
            for to in war.powers:
                if to != power and to in tables.powers:
                    yield passage, to, Denial(passage, to, power) in war.denied


def deny_passage(play: Transaction, power: str, action: actions.Deny) -> None:
    """Deny a Power a passage; in a shared Area it is closed once all that decide have denied it.

    Raises: Refusal `oneself`, `no_belligerent_named`, `no_canal`, `no_passage`, `too_late`, `denied`.
    Rules: STR-002, STR-005, STR-010, STR-014, STR-015, STR-016, STR-021, CAN-007
    """
    war = _war_to_decide(play, power, action.passage, action.to)
    denial = Denial(action.passage, action.to, power)
    if denial in war.denied:
        refuse("denied", ("STR-015",), "You deny that passage to that Power already.")
    play.emit(
        events.PassageDenied(war=war.id, passage=action.passage, to=action.to, by=power, rules=("STR-002", "STR-015"))
    )
    for w in play.state.wars:
        for pretext in passage_pretexts(play.tables, play.state, w):
            casus_belli.create_casus_belli(
                play, pretext.holder, pretext.against, pretext.area, PASSAGE_CAUSE, ("STR-016", "STR-018")
            )


def allow_passage(play: Transaction, power: str, action: actions.Allow) -> None:
    """Deny a Power a passage no longer.

    Raises: Refusal `oneself`, `no_belligerent_named`, `no_canal`, `no_passage`, `too_late`, `not_denied`.
    Rules: STR-002, STR-016, STR-021
    """
    war = _war_to_decide(play, power, action.passage, action.to)
    if Denial(action.passage, action.to, power) not in war.denied:
        refuse("not_denied", ("STR-021",), "You do not deny that passage to that Power.")
    play.emit(
        events.PassageDenied(
            war=war.id, passage=action.passage, to=action.to, by=power, denied=False, rules=("STR-021",)
        )
    )
    end_settled_pretexts(play)


def _war_to_decide(play: Transaction, power: str, passage: str, to: str) -> War:
    """The War in which a Power may decide about a passage for another now.

    Raises: Refusal `oneself`, `no_belligerent_named`, `no_canal`, `no_passage`, `too_late`.
    Rules: STR-002, STR-014, STR-021, STR-022
    """
    if power == to:
        refuse("oneself", ("STR-002",), "A passage is denied to other Powers.")
    war = next((w for w in alliances.active_wars(play.state) if w.side_of(to)), None)
    if war is None:
        name = power_name(play.tables, to)
        refuse("no_belligerent_named", ("STR-002",), f"{name} is in no War that is fought now.")
    area = passage_area(play.tables, passage)
    if play.tables.areas[area].passage == CANAL and not play.state.areas[area].canal:
        refuse("no_canal", ("CAN-007", "STR-010"), f"No canal has been built in {place_name(play.tables, area)}.")
    if power not in deciders(play.tables, play.state, war, area):
        refuse("no_passage", ("STR-014", "STR-022"), "Only whoever Controls the Area of a passage decides about it.")
    if not can_change_passages(play.state, war):
        refuse(
            "too_late",
            ("STR-021",),
            "Passages are denied and opened when a War starts, and at the start of a Maneuver Phase before anybody "
            "has moved or passed.",
        )
    return war


class WarStep(NamedTuple):
    """Where one step leads: a place, and for a Naval Unit the coast or home box where it lies then."""

    place: str
    coast: str = ""


def is_sea(tables: Tables, place: str) -> bool:
    """Whether a place is a Sea Zone or a Cape Zone."""
    return place in tables.sea_zones or place in tables.capes


def neighbouring_zones(tables: Tables, state: State, war: War, power: str, zone: str) -> tuple[str, ...]:
    """Sea and Cape Zones next to one of them for a Power in a War.

    Oceans that meet at a Cape are joined through it alone; a passage denied to the Power joins nothing.

    Rules: WMV-027, STR-003, STR-006, STR-012
    """
    return neighbouring_seas(tables, state, war, power)[zone]


def neighbouring_seas(tables: Tables, state: State, war: War, power: str) -> dict[str, tuple[str, ...]]:
    """Every Sea and Cape Zone with those next to it for a Power in a War, as `zones_next` has them."""
    return _compute_seas(tables, state, closed_passages(tables, state, war, power))


def _seas_cache_key(tables: Tables, state: State, shut: frozenset[str]) -> CacheKey:
    return shut, (tables, board(tables, state))


@cached(most=64, by=_seas_cache_key)
def _compute_seas(tables: Tables, state: State, shut: frozenset[str]) -> dict[str, tuple[str, ...]]:
    """The Sea and Cape Zones next to each, with these passages closed. Rules: WMV-027, STR-003, STR-006, STR-012."""
    capes = tables.capes.values()
    found: dict[str, tuple[str, ...]] = {cape.id: cape.adjacent for cape in capes}
    for zone, others in board(tables, state).zone_next.items():
        joined = [
            other
            for other in others
            if not any({zone, other} <= set(cape.adjacent) for cape in capes)
            and is_joined_without(tables, state, shut, zone, other)
        ]
        found[zone] = (*joined, *(cape.id for cape in capes if zone in cape.adjacent))
    return found


def area_coasts(tables: Tables, state: State, war: War, power: str, area: str) -> tuple[tuple[str, ...], ...]:
    """The coasts of an Area for a Power's Naval Units in a War: each with the Sea Zones that are joined there.

    Rules: WMV-011, STR-007 (R-WMV-03, R-STR-06, Decision 25)
    """
    zones = board(tables, state).zones_of.get(area, ())
    found: list[tuple[str, ...]] = []
    left = list(zones)
    while left:
        coast = [left.pop(0)]
        for zone in coast:
            joined = [z for z in neighbouring_zones(tables, state, war, power, zone) if z in left]
            coast += joined
            left = [z for z in left if z not in joined]
        found.append(tuple(coast))
    return tuple(found)


def has_two_coasts(tables: Tables, state: State, area: str) -> bool:
    """Whether a Naval Unit in an Area always has a coast in War: canal and straits Areas, and those split in peace.

    Rules: STR-007 (R-STR-06)
    """
    return bool(tables.areas[area].passage) or bool(_is_split_in_war(tables, state, area))


def units_without_coast(tables: Tables, state: State) -> Iterator[tuple[str, Unit, str]]:
    """Naval Units that have no coast yet in an Area with two in War: Area, Unit, and the first coast.

    Rules: STR-007 (R-STR-06)
    """
    for name, here in state.areas.items():
        if any(u.kind == NAVAL and not u.coast for u in here.units) and has_two_coasts(tables, state, name):
            for unit in here.units:
                if unit.kind == NAVAL and not unit.coast:
                    yield name, unit, board(tables, state).zones_of[name][0]


def _is_split_in_war(tables: Tables, state: State, area: str) -> bool:
    map_ = board(tables, state)
    if map_.split_coasts(area):
        return True
    zones = set(map_.zones_of.get(area, ()))
    return any(len(zones & set(cape.adjacent)) > 1 for cape in tables.capes.values())


def unit_steps(tables: Tables, state: State, war: War, unit: Unit, place: str) -> Iterator[WarStep]:
    """Every place one step away from where a Unit stands.

    Rules: WMV-006, WMV-011, WMV-012, WMV-033
    """
    yield from (army_steps if unit.kind == ARMY else naval_steps)(tables, state, war, unit, place)


def army_steps(tables: Tables, state: State, war: War, unit: Unit, place: str) -> Iterator[WarStep]:
    """Places next to an Army Unit: by Overland Route, from land to sea, from sea to sea and to land."""
    map_ = board(tables, state)
    if is_sea(tables, place):
        for zone in neighbouring_zones(tables, state, war, unit.power, place):
            yield WarStep(zone)
        for coast in map_.coast_of.get(place, ()):
            yield WarStep(coast)
        return
    for other in (*map_.routes.get(place, ()), *map_.zones_of.get(place, ())):
        yield WarStep(other)


def naval_steps(tables: Tables, state: State, war: War, unit: Unit, place: str) -> Iterator[WarStep]:
    """Places next to a Naval Unit: by sea alone; in an Area with two coasts only from the side where it lies."""
    map_ = board(tables, state)
    if is_sea(tables, place):
        for zone in neighbouring_zones(tables, state, war, unit.power, place):
            yield WarStep(zone)
        for coast in map_.coast_of.get(place, ()):
            if coast == HOME + unit.power:
                yield WarStep(coast, home_box_of(tables, unit.power, place))
            elif not coast.startswith(HOME):
                yield WarStep(coast, place if has_two_coasts(tables, state, coast) else "")
        return
    if place.startswith(HOME):
        for zone in _home_exits(tables, unit):
            yield WarStep(zone)
        return
    if not has_two_coasts(tables, state, place) or not unit.coast:
        for zone in map_.zones_of.get(place, ()):
            yield WarStep(zone)
        return
    for coast_zones in area_coasts(tables, state, war, unit.power, place):
        if unit.coast in coast_zones:
            for zone in coast_zones:
                yield WarStep(zone)
                if zone != unit.coast:
                    yield WarStep(place, zone)  # through the open passage to the other coast


def _home_exits(tables: Tables, unit: Unit) -> tuple[str, ...]:
    """Sea Zones that a Naval Unit at home can leave into.

    Rules: WMV-010, WMV-012 (Decision 57)
    """
    country = tables.homes[unit.power]
    if not country.port_boxes:
        return country.sea_zones
    return next((box for box in country.port_boxes if unit.coast in box), ())


def home_box_of(tables: Tables, power: str, zone: str) -> str:
    """The name of the home box that opens on a Sea Zone: its first Sea Zone."""
    boxes = tables.homes[power].boxes
    return next((box[0] for box in boxes if zone in box), boxes[0][0] if boxes else "")


class StepObstacle(NamedTuple):
    """Why no step leads from one place to another: code, rules, one sentence."""

    code: str
    rules: tuple[str, ...]
    message: str


def step_obstacle(tables: Tables, state: State, war: War, unit: Unit, start: str, place: str) -> StepObstacle:
    """Why no step leads a Unit from where it stands to a place: a Cape between, a passage denied, another coast or
    another box, a Route where it sails; else it is too far.

    Rules: WMV-006, WMV-011, WMV-012, WMV-027, WMV-033, STR-003, STR-006, CAN-007
    """
    map_, here, there = board(tables, state), place_name(tables, start), place_name(tables, place)
    for cape in tables.capes.values():
        if {start, place} <= set(cape.adjacent):
            how = f"In War the way from {here} to {there} leads by {cape.name}, a step of its own."
            return StepObstacle("cape_between", ("WMV-027", "WMV-006"), how)
    area = next((a for a in (start, place) if a in tables.areas), "")
    coast = unit.coast or start
    other = next((z for z in map_.zones_of.get(start, ()) if z != coast), "") if place == start else place
    ways = joining_passages(tables, state, coast, other) if area in ("", start) and not start.startswith(HOME) else ()
    if ways and closed_passages(tables, state, war, unit.power).issuperset(ways):
        how = f"The way from {here} to {there} is denied to {power_name(tables, unit.power)}."
        return StepObstacle("passage_shut", ("STR-003", "STR-006", "CAN-007", "WMV-006"), how)
    if not ways and any(a.passage == CANAL and {start, place} <= set(a.sea_zones) for a in tables.areas.values()):
        return StepObstacle("not_adjacent", ("CAN-005", "WMV-006"), f"No canal joins {here} and {there}.")
    if unit.kind == NAVAL and place in map_.zones_of.get(start, ()):
        if start.startswith(HOME):
            exits = " or ".join(place_name(tables, zone) for zone in _home_exits(tables, unit))
            how = f"{unit.name} is in the port box of {exits}: from home it can move only there."
            return StepObstacle("other_coast", ("WMV-012", "WMV-006"), how)
        how = f"{unit.name} lies on the coast of {place_name(tables, unit.coast)} and leaves {here} on that side alone."
        return StepObstacle("other_coast", ("WMV-011", "WMV-006"), how)
    if unit.kind == NAVAL and place in map_.routes.get(start, ()):
        how = f"Fleets go by sea, not by the Overland Route from {here} to {there}."
        return StepObstacle("not_adjacent", ("WMV-033", "WMV-006"), how)
    return StepObstacle("not_adjacent", ("WMV-006",), f"{there} is not one step from {here} for {unit.name}.")


def take_step(play: Transaction, unit: Unit, place: str, step: WarStep, reason: str, rules: tuple[str, ...]) -> None:
    """A Unit goes to a place beside it and moves no more in this Phase.

    Args: the Unit as it stands; where it stands; where it goes; why, as `UnitsMoved` has it; the rules that send it.
    """
    play.emit(
        events.UnitsMoved(
            power=unit.power,
            units=(unit.name,),
            path=(place, step.place),
            coast=step.coast,
            halted=True,
            was_halted=unit.halted,
            reason=reason,
            start_coast=unit.coast,
            rules=rules,
        )
    )


ACTS: ActTable = {
    actions.Deny: {"war": deny_passage},
    actions.Allow: {"war": allow_passage},
}
