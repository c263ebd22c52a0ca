"""Status of a War: sides and forces, the War Sequence, possible ends, and the map view.

Rules: WAR-019, WAR-026, WAR-055, WEN-027 to WEN-033, REB-057, SUP-005, SUP-009, SUP-012, SUP-017, SUP-023, WMV-021,
WMV-024
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from paxtui.games.pax.board.status import controllers
from paxtui.games.pax.board.tables import HOME, Tables
from paxtui.games.pax.events.war import STAGE_NAMES
from paxtui.games.pax.preview.supply import supply_risks
from paxtui.games.pax.state.model import State, units_at
from paxtui.games.pax.state.pieces import ARMY, CHINA, OTTOMAN_EMPIRE, Unit
from paxtui.games.pax.state.war import (
    ALLIANCES,
    ATTACK,
    END,
    GREAT,
    INITIATIVE,
    MANEUVER,
    OTTOMAN,
    REBELLION,
    RESOLUTION,
    SUPPLY,
    War,
)
from paxtui.games.pax.text.display import powers_text, the_powers
from paxtui.games.pax.war import alliances, empire
from paxtui.games.pax.war.alliances import enemies, unallied_empire
from paxtui.games.pax.war.campaign import maneuver, supply_lines
from paxtui.games.pax.war.outcome.ends import (
    EARLY_CYCLES,
    NO_UNITS,
    OCCUPIED,
    QUIET_CYCLES,
    STALEMATE,
    announceable_war,
    are_enemies_alone,
    remaining_sides,
)
from paxtui.games.pax.war.outcome.rebellion import REBELS_BEATEN, REBELS_WON

WAR_TITLES = {GREAT: "The Great War", OTTOMAN: "An Ottoman War", REBELLION: "A Chinese Rebellion"}
"""Names of special kinds of War."""
STEP_NAMES = {MANEUVER: "moves", ATTACK: "attacks", SUPPLY: "supply"}
"""Short names of the Phases of an Alliance."""


class AllianceForces(NamedTuple):
    """An Alliance and its forces.

    Attributes:
        number: its number, from 1.
        powers: its Powers.
        abroad: its Units in Areas, heavy ones first.
        at_sea: its Units in Sea and Cape Zones.
        at_home: its Units in the Home Countries.
        conquered: Areas that it has conquered.
        lost: Areas of its Powers that an enemy has conquered.
        prisoners: its Units that have surrendered.
    """

    number: int
    powers: tuple[str, ...]
    abroad: tuple[Unit, ...]
    at_sea: tuple[Unit, ...]
    at_home: tuple[Unit, ...]
    conquered: tuple[str, ...]
    lost: tuple[str, ...]
    prisoners: tuple[Unit, ...]


class WarMoment(NamedTuple):
    """A Phase of the War Sequence in this cycle: its name, its Alliance (0 for none), and whether it is current."""

    stage: str
    side: int
    now: bool
    done: bool


def alliance_forces(state: State, war: War) -> tuple[AllianceForces, ...]:
    """Return the remaining Alliances of a War, in the rolled order of the cycle if there is one."""
    numbers = sorted(remaining_sides(war), key=lambda n: war.order.index(n) if n in war.order else n)
    return tuple(_side(state, war, number) for number in numbers)


def _side(state: State, war: War, number: int) -> AllianceForces:
    powers = war.alliance(number)
    return AllianceForces(
        number,
        powers,
        _units_of(powers, *(here.units for here in state.areas.values())),
        _units_of(powers, *state.at_sea.values()),
        _units_of(powers, *state.homes.values()),
        tuple(c.area for c in war.conquered if c.alliance == number),
        tuple(
            c.area
            for c in war.conquered
            if c.alliance != number and any(m.power in powers and m.established for m in state.areas[c.area].markers)
        ),
        tuple(Unit(u.power, u.kind, u.strength) for u in war.surrendered if u.power in powers),
    )


def _units_of(powers: tuple[str, ...], *groups: tuple[Unit, ...]) -> tuple[Unit, ...]:
    """The Units of some Powers: Armies before fleets, heavy ones first."""
    units = [u for group in groups for u in group if u.power in powers]
    return tuple(sorted(units, key=lambda u: (u.kind != ARMY, -u.strength, powers.index(u.power))))


def total_strength(units: tuple[Unit, ...], kind: str) -> int:
    """Return the strength points of the Units of a kind."""
    return sum(u.strength for u in units if u.kind == kind)


def phase_track(war: War) -> tuple[WarMoment, ...]:
    """Return the Phases of the cycle: Initiative, three for each Alliance, the end. Empty before the War is fought.

    Rules: WAR-026, WAR-055
    """
    if war.stage == ALLIANCES:
        return ()
    rounds = [(stage, number) for number in war.order for stage in (MANEUVER, ATTACK, SUPPLY)]
    last = RESOLUTION if war.stage == RESOLUTION else END
    phases = [(INITIATIVE, 0), *rounds, (last, 0)]
    phasing = war.turn_of if war.stage in STEP_NAMES else 0
    now = phases.index((war.stage, phasing))
    return tuple(WarMoment(stage, side, n == now, n < now) for n, (stage, side) in enumerate(phases))


def war_title(tables: Tables, war: War) -> str:
    """Name a War by its sides, inside a sentence: "Japan and Great Britain against the Ottoman Empire"."""
    named = [the_powers(tables, powers) for powers in war.alliances if powers]
    if war.kind == REBELLION and len(named) < 2:
        return WAR_TITLES[REBELLION]
    against = " against ".join(named)
    return f"{WAR_TITLES[war.kind]}: {against}" if war.kind in WAR_TITLES else against


def war_moment(tables: Tables, war: War) -> str:
    """Describe the current Phase of a War: "cycle 2, Attack Phase of Japan and Great Britain"."""
    if war.stage == ALLIANCES and war.turn_of:
        against = war.alliance(1) if war.turn_of == 2 else war.alliance(2)
        return f"Alliance Determination: who joins the War against {the_powers(tables, against)}"
    if war.stage == ALLIANCES:
        return "declared, not yet fought"
    alliance_text = f" of {the_powers(tables, war.alliance(war.turn_of))}" if war.stage in STEP_NAMES else ""
    return f"cycle {war.cycle}, {STAGE_NAMES[war.stage]}{alliance_text}"


def sorted_wars(state: State, powers: tuple[str, ...]) -> tuple[War, ...]:
    """Return the Wars of a position: those of the given Powers first, in each group the current one first."""
    now = alliances.current_war(state)
    return tuple(sorted(state.wars, key=lambda war: (not set(powers) & set(war.powers), war is not now and war != now)))


PEACE, ANNOUNCEMENT = "peace", "announcement"
"""Ends of a War that no test decides."""


class WarEnd(NamedTuple):
    """A possible end of a War.

    Attributes:
        test: NO_UNITS, OCCUPIED, WON, BEATEN, STALEMATE, PEACE or ANNOUNCEMENT.
        side: number of the Alliance that it would defeat; 0 for none in particular.
        left: Units, Areas or cycles still missing; 0 if it is met now.
        text: description in one sentence.
    """

    test: str
    side: int
    left: int
    text: str


def possible_ends(tables: Tables, state: State, war: War, powers: tuple[str, ...] = ()) -> tuple[WarEnd, ...]:
    """Return each way in which a War can end, and how near each Alliance is to defeat.

    Args:
        powers: Powers of the reader.

    Rules: WEN-027, WEN-029, WEN-030, WEN-032, WEN-033, REB-031, REB-035, REB-057, OTT-014
    """
    if war.stage == RESOLUTION:
        return ()
    found: list[WarEnd] = []
    alone = unallied_empire(state, war)
    if war.kind == REBELLION:
        found += _rebellion(tables, state, war)
    elif alone and war.kind == OTTOMAN:
        found += _forces_in_empire(tables, state, war)
    else:
        for number in remaining_sides(war):
            found += [_units_abroad(tables, state, war, number), *_remaining_areas(tables, state, war, number)]
    found.append(_stalemate(war))
    if not alone:
        found.append(WarEnd(PEACE, 0, 1, "Peace, at any time, when all belligerents with a player sign it."))
    if any(announceable_war(tables, state, power) for power in powers):
        found.append(WarEnd(ANNOUNCEMENT, 0, 0, "You can announce the end: the forces left cannot reach each other."))
    return tuple(found)


def _units_abroad(tables: Tables, state: State, war: War, number: int) -> WarEnd:
    """Units of an Alliance abroad; without any it loses. Rules: WEN-029."""
    who, armies = war.alliance(number), state.options.armies_only
    groups = [here.units for here in state.areas.values()]
    if not armies:
        groups += state.at_sea.values()
    left = sum(u.power in who and (u.kind == ARMY or not armies) for units in groups for u in units)
    what = "Army Unit" if armies else "Unit"
    verb, possessive = ("loses", "its") if len(who) == 1 else ("lose", "their")
    text = f"{powers_text(tables, who)} {verb} when {possessive} last {what} abroad is gone ({left} now)."
    return WarEnd(NO_UNITS, number, left, text)


def _forces_in_empire(tables: Tables, state: State, war: War) -> tuple[WarEnd, WarEnd]:
    """Enemy Units and own Armies in an Empire that fights alone. Rules: OTT-014."""
    number = war.side_of(OTTOMAN_EMPIRE)
    foes = enemies(war, OTTOMAN_EMPIRE)
    areas = empire.empire_areas(tables, state, war)
    enemy_units = sum(u.power in foes for area in areas for u in units_at(state, area))
    own = sum(u.power == OTTOMAN_EMPIRE for here in state.areas.values() for u in here.units)
    wins = f"The Empire wins when its Areas have no enemy Unit left ({enemy_units} now)."
    loses = f"The Ottoman Empire loses when it has no Army left ({own} now)."
    return WarEnd(NO_UNITS, 3 - number, enemy_units, wins), WarEnd(NO_UNITS, number, own, loses)


def _remaining_areas(tables: Tables, state: State, war: War, number: int) -> tuple[WarEnd, ...]:
    """Areas of an Alliance that enemy Armies do not hold alone; without any it loses. Rules: WEN-030."""
    who = war.alliance(number)
    own = [area for area in state.areas if any(p in who for p in controllers(state, area))]
    if not own:
        return ()
    left = sum(not are_enemies_alone(state, war, number, area) for area in own)
    verb, possessive = ("loses", "its") if len(who) == 1 else ("lose", "their")
    text = f"{powers_text(tables, who)} {verb} when only enemy Armies are in all {possessive} Areas"
    return (WarEnd(OCCUPIED, number, left, f"{text} ({left} of {len(own)} free)."),)


def _rebellion(tables: Tables, state: State, war: War) -> tuple[WarEnd, ...]:
    """Armies that each side of a Rebellion has in China; without any it loses. Rules: REB-031, REB-035."""
    foes = [p for p in war.powers if p != CHINA]
    rebels, colonial = (
        sum(len(empire.armies_in(state, area, powers)) for area in empire.empire_areas(tables, state, war))
        for powers in ((CHINA,), foes)
    )
    beaten = f"China loses when it has no Army left ({rebels} now)."
    won = f"The colonial Powers lose when they have no army left in China ({colonial} now)."
    return (
        WarEnd(REBELS_BEATEN, war.side_of(CHINA), rebels, beaten),
        WarEnd(REBELS_WON, war.side_of(foes[0]) if foes else 0, colonial, won),
    )


def _stalemate(war: War) -> WarEnd:
    """Further cycles without an attack until a Stalemate. Rules: WEN-032, REB-057."""
    now = ", with an attack in this one" if war.attacked else ""
    text = f"Stalemate after {QUIET_CYCLES} cycles in a row without an attack ({war.quiet} so far{now})."
    return WarEnd(STALEMATE, 0, QUIET_CYCLES - war.quiet, text)


def can_waive_tests(state: State, war: War) -> bool:
    """Whether any belligerent can have the tests of Units and Areas ignored in this cycle. Rules: WEN-031."""
    started = war.stage not in (ALLIANCES, RESOLUTION)
    return started and war.cycle <= EARLY_CYCLES and war.kind != REBELLION and not unallied_empire(state, war)


MapEdge = tuple[str, str]
"""Two adjacent places on a Line of Supply, the one nearer to its source first."""


class WarMap(NamedTuple):
    """A War on the map, as seen by one side.

    Attributes:
        held: number of the Alliance that holds each place.
        conquered: Areas that an Alliance has conquered.
        units: the belligerents' Units in each place, each with the number of its Alliance.
        own_lines, enemy_lines: the Lines of Supply of this side and of all others, to their Armies abroad and to their
            conquests.
        blockaded: Areas with an enemy fleet at their coast that cuts a line of their holders.
        coaling: the seas in which a Power of this side has Coaling Rights.
        volunteered: Areas volunteered to an Alliance.
        peril: places that fall, or where Units surrender, at the next Supply Determination of their Alliance.
        within: places that Armies of this side can reach in any number of moves.
    """

    held: dict[str, int]
    conquered: dict[str, int]
    units: dict[str, tuple[tuple[int, Unit], ...]]
    own_lines: frozenset[MapEdge]
    enemy_lines: frozenset[MapEdge]
    blockaded: frozenset[str]
    coaling: frozenset[str]
    volunteered: frozenset[str]
    peril: frozenset[str]
    within: frozenset[str]


def war_map(tables: Tables, state: State, war: War, side: int) -> WarMap:
    """Build the map of a War as seen by an Alliance; for side 0 all lines are enemy lines.

    Rules: SUP-004, SUP-005, SUP-012
    """
    own: set[MapEdge] = set()
    enemy: set[MapEdge] = set()
    seas: set[str] = set()
    blockaded: set[str] = set()
    danger: set[str] = set()
    for number in remaining_sides(war):
        for power in war.alliance(number):
            (own if number == side else enemy).update(_lines(tables, state, war, number, power))
            if number == side:
                seas |= supply_lines.coaling_zones(tables, state, war, power)
        shut = supply_lines.supply_ground(tables, state, war, number).shut
        blockaded.update(area for area in shut if supply_lines.area_holders(state, war, number, area))
        danger.update(peril.place for peril in supply_risks(tables, state, war, number))
    within = {place for power in war.alliance(side) for place in maneuver.reachable_places(tables, state, war, power)}
    return WarMap(
        _area_holders(state, war),
        {c.area: c.alliance for c in war.conquered},
        _units_by_place(state, war),
        frozenset(own),
        frozenset(enemy - own),
        frozenset(blockaded),
        frozenset(seas),
        frozenset(c.area for c in war.coaling),
        frozenset(danger),
        frozenset(within),
    )


def _area_holders(state: State, war: War) -> dict[str, int]:
    """The Alliance that holds each place: by conquest, else by its first belligerent's Control."""
    found = {HOME + power: war.side_of(power) for power in war.powers}
    for area in state.areas:
        number = war.conqueror(area) or next((n for p in controllers(state, area) if (n := war.side_of(p))), 0)
        if number:
            found[area] = number
    return found


def _units_by_place(state: State, war: War) -> dict[str, tuple[tuple[int, Unit], ...]]:
    places: Iterable[tuple[str, tuple[Unit, ...]]] = (
        *((area, here.units) for area, here in state.areas.items()),
        *state.at_sea.items(),
        *((HOME + power, units) for power, units in state.homes.items()),
    )
    found = {}
    for place, units in places:
        engaged = [(n, u) for u in units if (n := war.side_of(u.power))]
        if engaged:
            found[place] = tuple(sorted(engaged, key=lambda pair: (pair[0], pair[1].kind != ARMY, -pair[1].strength)))
    return found


def _lines(tables: Tables, state: State, war: War, number: int, power: str) -> set[MapEdge]:
    """The steps of the shortest lines to a Power's Armies abroad and to its Alliance's conquests.

    Rules: SUP-009, SUP-010, SUP-011
    """
    before = supply_lines.shortest_lines(tables, state, war, power)
    ends = [area for area, here in state.areas.items() if any(u.power == power and u.kind == ARMY for u in here.units)]
    ends += [zone for zone, units in state.at_sea.items() if any(u.power == power and u.kind == ARMY for u in units)]
    ends += [c.area for c in war.conquered if c.alliance == number]
    found: set[MapEdge] = set()
    for end in ends:
        place = end
        while place in before and before[place] != place and (before[place], place) not in found:
            found.add((before[place], place))
            place = before[place]
    return found
