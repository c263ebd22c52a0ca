"""Adjacency in War: Cape Zones, canals, straits and coasts, and steps of Units.

`maneuver` decides whether a Unit may take a step. A player, the engine or a retreat can cause a step. Powers may deny
the passage through canals and straits.

Rules: R-STR-02, R-WMV-11
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from paxtui.games.pax import casus_belli
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.adjacency import CANAL, board, passage_area, passage_of, passages
from paxtui.games.pax.board.caching import cached
from paxtui.games.pax.board.status import controllers
from paxtui.games.pax.board.tables import HOME, Tables
from paxtui.games.pax.events import events
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import ARMY, CHINA, NAVAL, OTTOMAN_EMPIRE, Unit
from paxtui.games.pax.state.war import ALLIANCES, INITIATIVE, MANEUVER, Denial, War
from paxtui.games.pax.text.display import place_name, power_name, the_zone
from paxtui.games.pax.transaction import ActTable, Transaction, refuse
from paxtui.games.pax.war import alliances
from paxtui.games.pax.war.alliances import unallied_empire

PASSAGE_CAUSE = "passage_denied"
"""Row of the Casus Belli Summary."""


def joining_passages(tables: Tables, state: State, one: str, other: str) -> tuple[str, ...]:
    """Return the passages that join two Sea Zones; none if the zones meet at sea.

    Rules: STR-001, STR-004, STR-009, STR-012
    """
    return tuple(
        passage_of(tables, a.id)
        for a in tables.areas.values()
        if a.passage and {one, other} <= set(a.sea_zones) and (a.passage != CANAL or state.areas[a.id].canal)
    )


def closed_passages(tables: Tables, state: State, war: War, power: str) -> frozenset[str]:
    """Return the passages that are closed to a Power in a War. Rules: STR-002, STR-003, STR-006, STR-012."""
    if not war.denied:
        return frozenset()
    return frozenset(passage for passage in passages(tables) if is_passage_closed(tables, state, war, passage, power))


def deciders(tables: Tables, state: State, war: War, area: str) -> tuple[str, ...]:
    """Return the Powers that together may deny the passage through an Area; empty if there are none.

    These are Powers with a player and established Control, or in a conquered Area the Great Powers of the conquering
    Alliance and neutrals that share it. Without a canal there is nothing to deny.

    Rules: STR-002, STR-005, STR-010, STR-014, STR-015, STR-022, SUP-029, CAN-007 (R-STR-03, R-STR-09, R-STR-10)
    """
    if tables.areas[area].passage == CANAL and not state.areas[area].canal:
        return ()
    conqueror, holders = war.conqueror(area), controllers(state, area)
    if conqueror:
        holders = (*war.alliance(conqueror), *(p for p in holders if not war.side_of(p)))
    return tuple(p for p in holders if p in state.powers)


def is_passage_closed(tables: Tables, state: State, war: War, passage: str, power: str) -> bool:
    """Return whether all Powers that decide about a passage deny it to a Power.

    Rules: STR-002, STR-005, STR-010, STR-015, CAN-007
    """
    if not war.denied:
        return False
    by = deciders(tables, state, war, passage_area(tables, passage))
    deniers = {d.by for d in war.denied if d.passage == passage and d.to == power}
    return bool(by) and deniers.issuperset(by)


class PassagePretext(NamedTuple):
    """Casus Belli over a denied passage: its holder, its target, and the Area."""

    holder: str
    against: str
    area: str


def passage_pretexts(tables: Tables, state: State, war: War) -> tuple[PassagePretext, ...]:
    """Return the Casus Belli over passages that neutrals deny now.

    Each Great Power of an Alliance with a denied member has one, unless the passage is closed to all belligerents of
    all Alliances. Whether an Empire uses the passage does not matter.

    Rules: STR-016, STR-017 (R-STR-08, R-STR-12)
    """
    if not war.denied:
        return ()
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
    """End each Casus Belli over a passage whose denial no longer gives it. Rules: STR-016, STR-017 (R-STR-08)."""
    standing = {pretext for war in play.state.wars for pretext in passage_pretexts(play.tables, play.state, war)}
    for cause in play.state.casus_belli:
        if cause.cause == PASSAGE_CAUSE and PassagePretext(cause.holder, cause.against, cause.area) not in standing:
            play.emit(events.CasusBelliEnded(id=cause.id, reason="settled", rules=("STR-016", "STR-017")))


def can_change_passages(state: State, war: War) -> bool:
    """Return whether passages may be denied and opened now.

    This is possible at the start of a War, and in a Maneuver Phase before the first move or pass; by the option, at any
    time in a War.

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
    """Return what a Power may change now: a passage, a belligerent that could use it, and whether it is denied now.

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
    """Deny a passage to a Power. A shared Area is closed when all its deciders have denied the passage.

    Raises: Refusal `oneself`, `no_belligerent_named`, `no_canal`, `no_passage`, `too_late`, `denied`.
    Rules: STR-002, STR-005, STR-010, STR-014, STR-015, STR-016, STR-021, CAN-007
    """
    war = _war_to_decide(play, power, action.passage, action.to)
    denial = Denial(action.passage, action.to, power)
    if denial in war.denied:
        refuse("denied", ("STR-015",), "You already deny that passage to that Power.")
    play.emit(
        events.PassageDenied(war=war.id, passage=action.passage, to=action.to, by=power, rules=("STR-002", "STR-015"))
    )
    for w in play.state.wars:
        for pretext in passage_pretexts(play.tables, play.state, w):
            casus_belli.create_casus_belli(
                play, pretext.holder, pretext.against, pretext.area, PASSAGE_CAUSE, ("STR-016", "STR-018")
            )


def allow_passage(play: Transaction, power: str, action: actions.Allow) -> None:
    """Allow a denied passage again.

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
    if power == to:
        refuse("oneself", ("STR-002",), "You can deny a passage only to other Powers.")
    war = next((w for w in alliances.active_wars(play.state) if w.side_of(to)), None)
    if war is None:
        name = power_name(play.tables, to)
        refuse("no_belligerent_named", ("STR-002",), f"{name} is not in a War that is fought now.")
    area = passage_area(play.tables, passage)
    if play.tables.areas[area].passage == CANAL and not play.state.areas[area].canal:
        refuse("no_canal", ("CAN-007", "STR-010"), f"There is no canal in {place_name(play.tables, area)}.")
    if power not in deciders(play.tables, play.state, war, area):
        where = place_name(play.tables, area)
        refuse(
            "no_passage", ("STR-014", "STR-022"), f"Only Powers with Control of {where} can decide about this passage."
        )
    if not can_change_passages(play.state, war):
        refuse(
            "too_late",
            ("STR-021",),
            "Passages are denied and opened at the start of a War, and at the start of a Maneuver Phase "
            "before the first move or pass.",
        )
    return war


class WarStep(NamedTuple):
    """Destination of a step: a place, and for a Naval Unit its coast or home box there."""

    place: str
    coast: str = ""


def is_sea(tables: Tables, place: str) -> bool:
    """Return whether a place is a Sea Zone or a Cape Zone."""
    return place in tables.sea_zones or place in tables.capes


def neighbouring_seas(tables: Tables, state: State, war: War, power: str) -> dict[str, tuple[str, ...]]:
    """Return all Sea and Cape Zones with their neighbours for a Power in a War.

    Oceans that meet at a Cape are joined only through it. A passage denied to the Power joins nothing.

    Rules: WMV-027, STR-003, STR-006, STR-012
    """
    return _compute_seas(tables, state, closed_passages(tables, state, war, power))


@cached(most=64, by=lambda tables, state, shut: (shut, (tables, board(tables, state))))
def _compute_seas(tables: Tables, state: State, shut: frozenset[str]) -> dict[str, tuple[str, ...]]:
    capes = tables.capes.values()
    found: dict[str, tuple[str, ...]] = {cape.id: cape.adjacent for cape in capes}
    for zone, others in board(tables, state).zone_next.items():
        joined = []
        for other in others:
            ways = joining_passages(tables, state, zone, other)
            open_ = not ways or not shut.issuperset(ways)
            if open_ and not any({zone, other} <= set(cape.adjacent) for cape in capes):
                joined.append(other)
        found[zone] = (*joined, *(cape.id for cape in capes if zone in cape.adjacent))
    return found


def area_coasts(tables: Tables, state: State, war: War, power: str, area: str) -> tuple[tuple[str, ...], ...]:
    """Return the coasts of an Area for a Power's Naval Units in a War: each with the Sea Zones joined there.

    Rules: WMV-011, STR-007 (R-WMV-03, R-STR-06, Decision 25)
    """
    zones, seas = board(tables, state).zones_of.get(area, ()), neighbouring_seas(tables, state, war, power)
    found: list[tuple[str, ...]] = []
    left = list(zones)
    while left:
        coast = [left.pop(0)]
        for zone in coast:
            joined = [z for z in seas[zone] if z in left]
            coast += joined
            left = [z for z in left if z not in joined]
        found.append(tuple(coast))
    return tuple(found)


def has_two_coasts(tables: Tables, state: State, area: str) -> bool:
    """Return whether Naval Units in an Area need a coast in War: with straits or a canal, at a Cape, or split in peace.

    Rules: STR-007 (R-STR-06)
    """
    return bool(tables.areas[area].passage) or area in _areas_split_in_war(tables, state)


def units_without_coast(tables: Tables, state: State) -> Iterator[tuple[str, Unit, str]]:
    """Return Naval Units without a coast in an Area with two in War: Area, Unit, first coast.

    Rules: STR-007 (R-STR-06)
    """
    for name, here in state.areas.items():
        if any(u.kind == NAVAL and not u.coast for u in here.units) and has_two_coasts(tables, state, name):
            for unit in here.units:
                if unit.kind == NAVAL and not unit.coast:
                    yield name, unit, board(tables, state).zones_of[name][0]


@cached(most=16, by=lambda tables, state: ((), (tables, board(tables, state))))
def _areas_split_in_war(tables: Tables, state: State) -> frozenset[str]:
    map_ = board(tables, state)
    capes = [set(cape.adjacent) for cape in tables.capes.values()]
    return frozenset(
        area
        for area in tables.areas
        if map_.split_coasts(area) or any(len(cape.intersection(map_.zones_of[area])) > 1 for cape in capes)
    )


def unit_steps(tables: Tables, state: State, war: War, unit: Unit, place: str) -> Iterator[WarStep]:
    """Return all places that are one step away from a Unit. Rules: WMV-006, WMV-011, WMV-012, WMV-033."""
    yield from (army_steps if unit.kind == ARMY else naval_steps)(tables, state, war, unit, place)


def army_steps(tables: Tables, state: State, war: War, unit: Unit, place: str) -> Iterator[WarStep]:
    """Return the places next to an Army Unit: by Overland Route, between land and sea, and between Sea Zones."""
    map_ = board(tables, state)
    if is_sea(tables, place):
        for zone in neighbouring_seas(tables, state, war, unit.power)[place]:
            yield WarStep(zone)
        for coast in map_.coast_of.get(place, ()):
            yield WarStep(coast)
        return
    for other in (*map_.routes.get(place, ()), *map_.zones_of.get(place, ())):
        yield WarStep(other)


def naval_steps(tables: Tables, state: State, war: War, unit: Unit, place: str) -> Iterator[WarStep]:
    """Return the places next to a Naval Unit. In an Area with two coasts it leaves only from its own side."""
    map_ = board(tables, state)
    if is_sea(tables, place):
        for zone in neighbouring_seas(tables, state, war, unit.power)[place]:
            yield WarStep(zone)
        for coast in map_.coast_of.get(place, ()):
            if coast == HOME + unit.power:
                yield WarStep(coast, tables.homes[unit.power].box_on((place,)))
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
    """Return the Sea Zones into which a Naval Unit at home can move. Rules: WMV-010, WMV-012 (Decision 57)."""
    country = tables.homes[unit.power]
    if not country.port_boxes:
        return country.sea_zones
    return next((box for box in country.port_boxes if unit.coast in box), ())


class StepBar(NamedTuple):
    """Reason why a Unit cannot take a step: code, rules, one sentence."""

    code: str
    rules: tuple[str, ...]
    message: str


def step_obstacle(tables: Tables, state: State, war: War, unit: Unit, start: str, place: str) -> StepBar:
    """Return the reason why no step leads a Unit to a place.

    For example a Cape between them, a denied passage, another coast or box, or an Overland Route for a fleet; otherwise
    the place is too far.

    Rules: WMV-006, WMV-011, WMV-012, WMV-027, WMV-033, STR-003, STR-006, CAN-007
    """
    map_, here, there = board(tables, state), place_name(tables, start), place_name(tables, place)
    for cape in tables.capes.values():
        if {start, place} <= set(cape.adjacent):
            how = f"In War the way from {here} to {there} goes through {cape.name}, which is a step of its own."
            return StepBar("cape_between", ("WMV-027", "WMV-006"), how)
    area = next((a for a in (start, place) if a in tables.areas), "")
    coast = unit.coast or start
    other = next((z for z in map_.zones_of.get(start, ()) if z != coast), "") if place == start else place
    passages = (
        joining_passages(tables, state, coast, other) if area in ("", start) and not start.startswith(HOME) else ()
    )
    if passages and closed_passages(tables, state, war, unit.power).issuperset(passages):
        how = f"The way from {here} to {there} is denied to {power_name(tables, unit.power)}."
        return StepBar("passage_shut", ("STR-003", "STR-006", "CAN-007", "WMV-006"), how)
    if not passages and any(a.passage == CANAL and {start, place} <= set(a.sea_zones) for a in tables.areas.values()):
        return StepBar("not_adjacent", ("CAN-005", "WMV-006"), f"No canal joins {here} and {there}.")
    if unit.kind == NAVAL and place in map_.zones_of.get(start, ()):
        if start.startswith(HOME):
            exits = " or ".join(the_zone(tables, zone) for zone in _home_exits(tables, unit))
            how = f"{unit.name} is in the home box on {exits} and can move only there."
            return StepBar("other_coast", ("WMV-012", "WMV-006"), how)
        how = f"{unit.name} lies on {the_zone(tables, unit.coast)} and can leave {here} only on that side."
        return StepBar("other_coast", ("WMV-011", "WMV-006"), how)
    if unit.kind == NAVAL and place in map_.routes.get(start, ()):
        how = f"Fleets cannot use the Overland Route from {here} to {there}."
        return StepBar("not_adjacent", ("WMV-033", "WMV-006"), how)
    return StepBar("not_adjacent", ("WMV-006",), f"{unit.name} cannot go from {here} to {there} in one step.")


def take_step(play: Transaction, unit: Unit, place: str, step: WarStep, reason: str, rules: tuple[str, ...]) -> None:
    """Move a Unit to an adjacent place; it cannot move again in this Phase."""
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
