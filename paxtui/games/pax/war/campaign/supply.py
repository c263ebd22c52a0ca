"""The Alliance Supply Determination Phase, surrender of Units, and conquest of Areas.

All Units and Areas of the phasing Alliance are checked in the position at the start of the Phase. Surrendered Units are
set aside until the War ends. Conquest changes no marker before the end of the War.

Rules: R-SUP-10, R-WCB-13
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from paxtui.games.pax.board.caching import cached
from paxtui.games.pax.board.status import area_state, controlled_areas, controllers, marked_areas
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.combat.results import unit_names
from paxtui.games.pax.events import events
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import ARMY, CHINA, NAVAL, OTTOMAN_EMPIRE, Unit
from paxtui.games.pax.state.questions import WarLosses, WarRetreat
from paxtui.games.pax.state.war import ALLIANCES, REBELLION, War
from paxtui.games.pax.transaction import Transaction
from paxtui.games.pax.war import empire
from paxtui.games.pax.war.alliances import allies, enemies
from paxtui.games.pax.war.campaign import supply_lines
from paxtui.games.pax.war.campaign.maneuver import can_reach


def surrender_units(
    play: Transaction, war: War, power: str, units: tuple[str, ...], place: str, reason: str, rules: tuple[str, ...]
) -> None:
    """Make Units of a Power surrender. Rules: SUP-020, SUP-021, SUP-022, SUP-023."""
    if units:
        play.emit(
            events.UnitsSurrendered(war=war.id, power=power, units=units, place=place, reason=reason, rules=rules)
        )


def surrender_after_combat(play: Transaction, war: War, zone: str) -> None:
    """Make armies surrender that a naval combat leaves without a friendly fleet, after its losses and retreats.

    A fleet that retreats into the zone later does not save them.

    Rules: WCB-039 (Decision 61)
    """
    if zone not in play.state.at_sea:
        return
    if any(c.area == zone and isinstance(c.about, WarLosses | WarRetreat) for c in play.state.choices):
        return
    now = play.state.war(war.id)
    if now and any(clash.place == zone for clash in now.clashes):
        _surrender_stranded_in(play, now, zone)


def surrender_stranded(play: Transaction, war: War) -> None:
    """Make armies surrender that are at sea with enemy fleets and no friendly one, at the end of each Attack Phase.

    Rules: WCB-039, WMV-035, SUP-022 (R-WMV-07)
    """
    for zone in tuple(play.state.at_sea):
        _surrender_stranded_in(play, war, zone)


def _surrender_stranded_in(play: Transaction, war: War, zone: str) -> None:
    units = play.state.at_sea[zone]
    fleets = {u.power for u in units if u.kind == NAVAL}
    for power in dict.fromkeys(u.power for u in units if u.kind == ARMY):
        if fleets.intersection(enemies(war, power)) and not fleets.intersection(allies(war, power)):
            surrender_units(
                play, war, power, unit_names(play.state, power, zone, ARMY), zone, "at sea among enemy fleets",
                ("WCB-039", "WMV-035", "SUP-022"),
            )  # fmt: skip


def conquer_areas(play: Transaction, war: War) -> None:
    """At the end of each Attack Phase, conquer each enemy Area with Armies of only one Alliance in it.

    China conquers nothing: in a Rebellion its Armies only remove markers of the colonial Powers.

    Rules: EVT-036, SUP-003, SUP-004, SUP-005, SUP-006 (R-REB-19)
    """
    if war.kind == REBELLION and war.turn_of != war.side_of(CHINA):
        _remove_overrun_markers(play, war)
    side_of = {power: n for n, alliance in enumerate(war.alliances, start=1) for power in alliance}
    hostile = {side: hostile_areas(play.state, war, side) for side in range(1, len(war.alliances) + 1)}
    for area, here in play.state.areas.items():
        if not here.units:
            continue
        sides = {side_of[u.power] for u in here.units if u.kind == ARMY and u.power in side_of}
        if len(sides) != 1:
            continue
        (side,) = sides
        if area not in hostile[side] and not _takes_unmarked(play, war, side, area):
            continue
        rebels = war.kind == REBELLION and side == war.side_of(CHINA)
        if not rebels and not empire.is_spared(play.tables, play.state, war, side, area):
            conquer_area(play, war, side, area, ("SUP-003", "SUP-005"))


def _takes_unmarked(play: Transaction, war: War, side: int, area: str) -> bool:
    """Return whether enemies of the Ottoman Empire take a defeated Area of it without Control, if not yet conquered.

    Rules: OTT-013 (R-OTT-15)
    """
    if area not in war.defeated or side == war.side_of(OTTOMAN_EMPIRE) or war.conqueror(area):
        return False
    return empire.is_unmarked(play.tables, play.state, war, area)


def _remove_overrun_markers(play: Transaction, war: War) -> None:
    """Remove all markers where Chinese Armies are alone, at the end of an Attack Phase of the colonial Powers.

    An Area without a Control marker defends itself again.

    Rules: REB-027, REB-028 (R-REB-08)
    """
    for area in play.state.areas:
        alone = empire.armies_in(play.state, area, (CHINA,)) and not empire.is_pinned_down(play.state, war, area)
        if alone:
            for m in area_state(play.state, area).markers:
                play.lower(
                    area, m.power, m.marker, "", "overrun by the Chinese", ("REB-027", "REB-028"), None, m.established
                )


def conquer_area(play: Transaction, war: War, side: int, area: str, rules: tuple[str, ...]) -> None:
    """Give an enemy Area to an Alliance. Without a marker of another belligerent, it is free again.

    Rules: SUP-003, SUP-005, SUP-016, SUP-029 (R-SUP-07)
    """
    others = any(war.is_against(p, side) for p in controllers(play.state, area))
    if side != war.side_of(OTTOMAN_EMPIRE) and empire.is_unmarked(play.tables, play.state, war, area):
        others = True
    play.emit(events.AreaConquered(war=war.id, area=area, alliance=side if others else 0, rules=rules))


@cached(most=32, by=lambda state, war, side: ((side,), (marked_areas(state.areas), war.alliances, war.conquered)))
def hostile_areas(state: State, war: War, side: int) -> frozenset[str]:
    """Return the Areas that are hostile to an Alliance: conquered by the enemy, or under its Control and not conquered.

    Rules: SUP-003, SUP-004, SUP-029
    """
    conquerors = {c.area: c.alliance for c in reversed(war.conquered)}
    foes = frozenset(p for p in war.powers if war.side_of(p) != side)
    taken = (area for area, conqueror in conquerors.items() if conqueror != side)
    held = (a for a, powers in controlled_areas(state).items() if a not in conquerors and not foes.isdisjoint(powers))
    return frozenset((*taken, *held))


class SupplyVerdict(NamedTuple):
    """Result of a Supply Determination Phase.

    Attributes:
        armies, fleets: Units that must surrender: Power, place, names.
        areas: Areas that fall, with the Alliance that takes them.
        supplied: entries of `War.unsupplied` that now have a Line of Supply.
    """

    armies: tuple[tuple[str, str, tuple[str, ...]], ...]
    fleets: tuple[tuple[str, str, tuple[str, ...]], ...]
    areas: tuple[tuple[str, int], ...]
    supplied: tuple[str, ...]


def note_unsupplied_minors(play: Transaction) -> None:
    """Record Areas and Army Units without a Line of Supply of Minor Powers that enter a War.

    Rules: SUP-031 (R-SUP-13, Decision 51)
    """
    for war in play.state.wars:
        new = tuple(p for p in war.powers if p in play.state.minors and p not in war.looked_at)
        if new and war.stage != ALLIANCES:
            lacking = supply_lines.unsupplied_from_start(play.tables, play.state, war, new)
            play.emit(events.SupplyNoted(war=war.id, powers=new, lacking=lacking, rules=("SUP-031",)))


def check_supply(play: Transaction, war: War) -> None:
    """Make the unsupplied Units and Areas of the phasing Alliance surrender, all at the same time.

    Rules: SUP-001, SUP-002, SUP-015, SUP-016, SUP-021, SUP-026, SUP-031 (R-SUP-02)
    """
    found = supply_verdict(play.tables, play.state, war, war.turn_of)
    for what in found.supplied:
        play.emit(events.SupplyFound(war=war.id, what=what, rules=("SUP-031",)))
    for power, place, names in found.armies:
        surrender_units(play, war, power, names, place, "no Line of Supply", ("SUP-001", "SUP-015", "SUP-021"))
    for power, place, names in found.fleets:
        surrender_units(play, war, power, names, place, "no Coaling Rights", ("SUP-002", "SUP-021"))
    for area, to in found.areas:
        conquer_area(play, war, to, area, ("SUP-001", "SUP-016"))


def supply_verdict(tables: Tables, state: State, war: War, side: int) -> SupplyVerdict:
    """Return what an Alliance would lose in Supply Determination in this position.

    Rules: SUP-001, SUP-002, SUP-015, SUP-016, SUP-026, SUP-031 (R-SUP-02)
    """
    armies, fleets, supplied = [], [], []
    for power, place, kind, units in _checked_forces(state, war, side):
        if kind == NAVAL:
            lost = tuple(u.name for u in units if not supply_lines.has_coaling(tables, state, war, u, place))
            if lost:
                fleets.append((power, place, lost))
        elif supply_lines.is_army_supplied(tables, state, war, power, place):
            supplied.append(f"{power} {place}")
        elif f"{power} {place}" not in war.unsupplied:
            armies.append((power, place, tuple(u.name for u in units)))
    areas = []
    ground = supply_lines.supply_ground(tables, state, war, side)
    ends = {power: supply_lines.trace_supply(tables, state, war, power).ends for power in war.alliance(side)}
    own = side == war.side_of(empire.empire_of(war))
    imperial = empire.roamed_areas(tables, state, war) if own else frozenset[str]()
    for area in ground.own:
        if area in imperial:
            continue  # the Empire's Armies are always in supply there (R-SUP-11)
        if area in ground.secure or any(area in ends[p] for p in supply_lines.area_holders(state, war, side, area)):
            supplied.append(area)
        elif area not in war.unsupplied and (to := _taking_alliance(tables, state, war, side, area)):
            areas.append((area, to))
    return SupplyVerdict(
        tuple(armies), tuple(fleets), tuple(sorted(areas)), tuple(w for w in war.unsupplied if w in supplied)
    )


def _checked_forces(state: State, war: War, side: int) -> Iterator[tuple[str, str, str, list[Unit]]]:
    """Return the checked Units of an Alliance outside the Home Countries: Power, place, kind, Units."""
    own = frozenset(war.alliance(side)).difference(empire.EMPIRES)
    for place, units in (*((a, here.units) for a, here in state.areas.items()), *state.at_sea.items()):
        sorts: dict[tuple[str, str], list[Unit]] = {}
        for unit in units:
            if unit.power in own:
                sorts.setdefault((unit.power, unit.kind), []).append(unit)
        for (power, kind), there in sorts.items():
            yield power, place, kind, there


def _taking_alliance(tables: Tables, state: State, war: War, side: int, area: str) -> int:
    """Return the enemy Alliance that takes an unsupplied Area, 0 for none.

    It is the first in the order of the cycle whose Armies could reach the Area.

    Rules: SUP-016, SUP-017 (R-SUP-03)
    """
    numbers = war.order or tuple(range(1, len(war.alliances) + 1))
    return next((n for n in numbers if n != side and can_reach(tables, state, war, n, area)), 0)
