"""Reads the `wars` of a patch and reports what is impossible in a War. Rules: WAR-055, WAR-056, WAR-064, WAR-020."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from paxtui.games.pax.board.adjacency import passage_area
from paxtui.games.pax.board.status import seat_of
from paxtui.games.pax.board.tables import HOME, Tables
from paxtui.games.pax.position.checks import PatchChecker
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.phases import InProgress, WarNotes
from paxtui.games.pax.state.pieces import ARMY, CHINA, NAVAL, OTTOMAN_EMPIRE
from paxtui.games.pax.state.war import (
    ALLIANCES,
    FOUGHT,
    INITIATIVE,
    MANEUVER,
    OTTOMAN,
    REBELLION,
    WAR,
    WAR_KINDS,
    WAR_STAGES,
    Coaling,
    Conquest,
    Denial,
    MinorFleet,
    SurrenderedUnit,
    War,
)
from paxtui.games.pax.war.alliances import regents
from paxtui.games.pax.war.campaign.supply_lines import unsupplied_from_start
from paxtui.games.pax.war.campaign.war_adjacency import deciders, units_without_coast

ALLIANCE_STAGES = ("maneuver", "attack", "supply")
"""Phases of one Alliance."""
BELLIGERENT = "belligerent"
AtArea = TypeVar("AtArea", Coaling, Conquest)


class MinorDefence(msgspec.Struct):
    """A Minor Power and its defender in a patch."""

    minor: str
    power: str


class WarLink(msgspec.Struct):
    """A declaration of War on a Power of another War in a patch: the Wars will merge."""

    power: str
    on: str


class WarHelp(msgspec.Struct):
    """A Power that came to the aid of a Power of another War in a patch: the Wars will merge."""

    power: str
    partner: str


class WarPatch(msgspec.Struct):
    """A War in a patch; only `alliances` is required."""

    alliances: list[list[str]]
    id: str = ""
    kind: str = WAR
    order: list[int] = []
    declared: list[str] | None = None
    commands: dict[str, Any] | None = None
    cycle: int = 1
    phase: str = MANEUVER
    turn_of: int | None = None
    quiet: int = 0
    coaling: list[Any] = []
    denied: list[Any] = []
    conquered: list[Any] = []
    defeated: list[str] = []
    surrendered: list[Any] = []
    began: list[Any] | None = None
    unsupplied: list[str] | None = None
    over: list[str | None] = []
    marching: list[str] = []
    defended: list[Any] = []
    left: list[str] = []
    beaten: list[str] = []
    links: list[Any] = []
    helps: list[Any] = []


def with_wars(ground: PatchChecker, s: State, listed: list[Any], owners: tuple[str, ...]) -> State:
    """Return the position with the Wars of a patch. Only Wars put Units at sea and give Empires armies.

    Args:
        ground: reader of the patch.
        listed: the Wars of the patch.
        owners: Powers that may own Units in peace.
    """
    reader = WarReader(ground, s)
    wars = reader.wars(listed)
    fought = [war for war in wars if war.stage != ALLIANCES or war.turn_of]
    if fought and s.phase != "war":
        ground.wrong("wars", "a War is fought in the War Phase; before it its phase is 'alliances'", "WAR-016")
    belligerents = {p for war in fought for p in (*war.powers, *war.left)}
    for zone, units in s.at_sea.items():
        for power in dict.fromkeys(u.power for u in units if u.power not in belligerents):
            ground.wrong(f"sea_zones.{zone}.units", f"Units of {power} cannot be at sea in peace", "SET-081", "SET-019")
    for area, here in s.areas.items():
        for power in dict.fromkeys(u.power for u in here.units if u.power not in (*owners, *belligerents)):
            ground.wrong(f"areas.{area}.units", f"{power} has armies only in a War of its own", "REB-006", "OTT-012")
    for country, units in s.homes.items():
        for n, unit in enumerate(units):
            guest = unit.kind == ARMY and unit.power == ground.tables.powers[country].seat
            allied = any(
                war.side_of(unit.power) == war.side_of(country) != 0 or not {unit.power, country}.isdisjoint(war.left)
                for war in fought
            )
            if unit.power != country and not (guest and allied):
                ground.wrong(
                    f"homes.{country}.units[{n}]", f"no unit of {unit.power} can be in {HOME}{country}", "SET-024"
                )
    if s.phase == "war" and wars:
        s = replace(
            s, frames=(InProgress("war", FOUGHT if fought else "", WarNotes(s.next_cause)),), waiting_phase=None
        )
    wars = tuple(_deny_passages(ground, s, war, f"wars[{i}].denied") for i, war in enumerate(wars))
    s = assign_coasts(ground.tables, s) if fought else s
    wars = tuple(
        replace(war, unsupplied=unsupplied_from_start(ground.tables, s, war, war.looked_at))
        if fought and war.id not in reader.supplied
        else war
        for war in wars
    )
    return replace(s, wars=wars, next_war=len(wars) + 1)


def _deny_passages(ground: PatchChecker, s: State, war: War, where: str) -> War:
    """Return the War with its passages denied by Powers that may; without a name, by all of them.

    Rules: STR-014, STR-015, STR-022
    """
    found: list[Denial] = []
    for denial in war.denied:
        area = passage_area(ground.tables, denial.passage)
        by = deciders(ground.tables, s, war, area) if area else ()
        if not area:
            ground.wrong(where, f"there is no passage {denial.passage}", "STR-001", "STR-004")
        elif not war.side_of(denial.to):
            ground.wrong(where, f"{denial.to} is not a belligerent", "STR-002")
        elif not by or (denial.by and denial.by not in by):
            ground.wrong(where, f"{denial.by or 'no Power'} may deny {denial.passage}", "STR-014", "STR-022")
        else:
            found += [Denial(denial.passage, denial.to, p) for p in by if denial.by in ("", p)]
    return replace(war, denied=tuple(dict.fromkeys(found)))


def assign_coasts(tables: Tables, s: State) -> State:
    """Place each Naval Unit in an Area with two coasts on one of them: the named one, else the first.

    Rules: STR-007 (R-STR-06)
    """
    areas = dict(s.areas)
    for name, unit, coast in units_without_coast(tables, s):
        here, n = areas[name], areas[name].units.index(unit)
        areas[name] = replace(here, units=(*here.units[:n], replace(unit, coast=coast), *here.units[n + 1 :]))
    return replace(s, areas=areas)


class WarReader:
    """Reads Wars; `ground` collects the problems."""

    def __init__(self, ground: PatchChecker, state: State) -> None:
        self.ground = ground
        self.state = state
        self.supplied: set[str] = set()  # ids of the Wars with a list of what was never supplied

    def wars(self, listed: list[Any]) -> tuple[War, ...]:
        """Read all Wars of a patch."""
        rows = self.ground.rows(listed, "wars", WarPatch)
        found = [self.war(f"w{n}", where, row) for n, (where, row) in enumerate(rows, start=1)]
        linked = {p for war in found for pair in war.links for p in pair}
        for (where, row), war in zip(rows, found, strict=True):
            if sum(1 for side in row.alliances if side) < 2 and not linked.intersection(war.powers):
                self.ground.wrong(
                    where + ".alliances", "a War has at least two sides, each with a Power", "WAR-020", "WAR-055"
                )
        belligerents = [p for war in found if war.kind == WAR for p in war.powers]
        for power in dict.fromkeys(p for p in belligerents if belligerents.count(p) > 1):
            self.ground.wrong("wars", f"{power} cannot be in two Wars", "WAR-064")
        return tuple(found)

    def war(self, id_: str, where: str, row: WarPatch) -> War:
        """Check one War."""
        g = self.ground
        sides = self.sides(row.alliances, where + ".alliances")
        powers = tuple(p for side in sides for p in side)
        anybody = (*g.tables.powers, CHINA, OTTOMAN_EMPIRE)
        left = g.names(row.left, where + ".left", anybody, "Power")
        ever = (*powers, *left)  # Powers that have left are named in what happened before
        kind = g.name(row.kind, where + ".kind", WAR_KINDS, "kind of War")
        stage = g.name(row.phase, where + ".phase", WAR_STAGES, "Phase of the War Sequence")
        order, turn_of = self.order(row, where, len(sides))
        first = sides[0][:1] if sides and kind == WAR else ()
        if kind == OTTOMAN:
            first = next((side[:1] for side in sides if OTTOMAN_EMPIRE not in side), ())
        commands = row.commands
        if commands is None:
            commands = regents(self.state, powers) if kind == REBELLION else {}
        if row.unsupplied is not None:
            self.supplied.add(id_)
        return War(
            id=id_,
            alliances=sides,
            # the constants themselves: the log leaves out a default only if it is the same object
            kind=next((one for one in WAR_KINDS if one == kind), WAR),
            declared=g.names(first if row.declared is None else row.declared, where + ".declared", ever, BELLIGERENT),
            over=tuple(area or "" for area in row.over),
            commands=self.commands(commands, where + ".commands", ever, kind),
            stage=next((one for one in WAR_STAGES if one == stage), MANEUVER),
            cycle=g.whole(row.cycle, where + ".cycle", 1, default=1),
            order=order,
            turn_of=turn_of,
            quiet=g.whole(row.quiet, where + ".quiet", 0, 2),
            coaling=self.at_areas(row.coaling, where + ".coaling", Coaling, "to", len(sides)),
            denied=tuple(denial for _, denial in g.rows(row.denied, where + ".denied", Denial, by="")),
            conquered=self.at_areas(row.conquered, where + ".conquered", Conquest, "alliance", len(sides)),
            defeated=g.names(row.defeated, where + ".defeated", g.tables.areas, "Area"),
            surrendered=self.prisoners(row.surrendered, where + ".surrendered", ever),
            began=self.began(row.began, where + ".began", ever),
            looked_at=tuple(p for p in powers if p in self.state.minors) if stage != ALLIANCES else (),
            unsupplied=self.unsupplied(row.unsupplied or [], where + ".unsupplied", ever),
            marching=self.marching(row.marching, where + ".marching", powers),
            defended=self.pairs(row.defended, where + ".defended", MinorDefence, ever, ever),
            left=left,
            beaten=g.names(row.beaten, where + ".beaten", left, "Power that has left the War"),
            links=self.pairs(row.links, where + ".links", WarLink, ever, anybody),
            helps=self.pairs(row.helps, where + ".helps", WarHelp, ever, anybody),
        )

    def pairs(
        self, listed: list[Any], where: str, row: type[msgspec.Struct], first: tuple[str, ...], second: tuple[str, ...]
    ) -> tuple[tuple[str, str], ...]:
        """Return the two Powers of each row; `first` and `second` are the Powers that each can be."""
        one, other = row.__struct_fields__
        return tuple(
            (
                self.ground.name(getattr(pair, one), f"{at}.{one}", first, BELLIGERENT),
                self.ground.name(getattr(pair, other), f"{at}.{other}", second, BELLIGERENT),
            )
            for at, pair in self.ground.rows(listed, where, row)
        )

    def order(self, row: WarPatch, where: str, sides: int) -> tuple[tuple[int, ...], int]:
        """Return the order of the Alliances, and whose turn it is."""
        g, stage = self.ground, row.phase
        numbers = tuple(range(1, sides + 1))
        order = tuple(row.order) or (() if stage in (ALLIANCES, INITIATIVE) else numbers)
        if order and tuple(sorted(order)) != numbers:
            g.wrong(where + ".order", "must name each Alliance once", "WAR-055")
            order = numbers
        turns = stage in ALLIANCE_STAGES
        first = order[0] if turns and order else 0
        turn = g.whole(first if row.turn_of is None else row.turn_of, where + ".turn_of", 0, sides)
        windows = row.kind == OTTOMAN and stage == ALLIANCES  # the side whose request for aid is open
        if bool(turn) != turns and not windows:
            expected = "no Alliance" if turn else "an Alliance"
            g.wrong(where + ".turn_of", f"in the Phase {stage} it is the turn of {expected}", "WAR-026")
            turn = first
        return order, turn

    def sides(self, listed: list[list[str]], where: str) -> tuple[tuple[str, ...], ...]:
        """Read the Alliances: no Power twice or against a Power of its own seat."""
        g = self.ground
        known = (*g.tables.powers, CHINA, OTTOMAN_EMPIRE)
        sides = tuple(g.names(side, f"{where}[{n}]", known, "Power") for n, side in enumerate(listed))
        everybody = [p for side in sides for p in side]
        for power in dict.fromkeys(p for p in everybody if everybody.count(p) > 1):
            g.wrong(where, f"{power} is named there twice", "WAR-064")
        seats: dict[str, int] = {}
        for n, side in enumerate(sides):
            for power in side:
                seat = seat_of(g.tables, self.state, power) if power in g.tables.powers else ""
                if seat and seats.setdefault(seat, n) != n:
                    g.wrong(where, f"the seat of {seat} is on two sides", "AUS-014")
                elif power in g.tables.powers and power not in (*self.state.powers, *self.state.minors):
                    g.wrong(where, f"{power} is not a Power of this game", "SET-055")
        return sides

    def at_areas(
        self, listed: list[Any], where: str, type_: type[AtArea], number: str, sides: int
    ) -> tuple[AtArea, ...]:
        """Read Areas with the number of an Alliance in the field `number`."""
        found = self.ground.rows(listed, where, type_)
        for at, row in found:
            self.ground.name(row.area, at + ".area", self.ground.tables.areas, "Area")
            self.ground.whole(getattr(row, number), f"{at}.{number}", 1, sides)
        return tuple(row for _, row in found)

    def commands(self, given: dict[str, Any], where: str, powers: tuple[str, ...], kind: str) -> dict[str, str]:
        """Check the commanders of Minor Powers without an ally."""
        g = self.ground
        for minor, seat in given.items():
            if minor not in powers or minor in self.state.powers:
                g.wrong(where, f"{minor} is not a Minor Power at War here", "WAR-021")
            elif g.name(seat, f"{where}.{minor}", self.state.players, "seat"):
                if kind != REBELLION and seat in powers:
                    g.wrong(where, f"{seat} is not a neutral", "WAR-058")
        return given

    def prisoners(self, listed: list[Any], where: str, powers: tuple[str, ...]) -> tuple[SurrenderedUnit, ...]:
        """Read surrendered Units."""
        g = self.ground
        found = g.rows(listed, where, SurrenderedUnit)
        for at, unit in found:
            g.name(unit.power, at + ".power", powers, BELLIGERENT)
            g.name(unit.kind, at + ".kind", (ARMY, NAVAL), "kind of unit (army, naval)")
            if unit.strength not in g.tables.units:
                g.wrong(at + ".strength", f"there is no Unit of strength {unit.strength}", "SET-041")
        return tuple(unit for _, unit in found)

    def began(self, listed: list[Any] | None, where: str, powers: tuple[str, ...]) -> tuple[MinorFleet, ...]:
        """Read the places of Minor Powers' Naval Units at the start; by default those of the 1880 deployment."""
        g = self.ground
        if listed is None:
            fleets = (u for u in g.tables.start_units if u.unit == NAVAL and not u.place.startswith(HOME))
            return tuple(MinorFleet(u.power, u.place) for u in fleets if u.power in {*powers} & {*self.state.minors})
        found = g.rows(listed, where, MinorFleet)
        for at, fleet in found:
            g.name(fleet.power, at + ".power", powers, BELLIGERENT)
            g.name(fleet.area, at + ".area", g.tables.areas, "Area")
        return tuple(fleet for _, fleet in found)

    def marching(self, listed: list[str], where: str, powers: tuple[str, ...]) -> tuple[str, ...]:
        """Check the armies that the engine moves overland, each `POWER AREA UNIT`."""
        for n, what in enumerate(listed):
            words = what.split()
            if len(words) != 3 or words[0] not in powers or words[1] not in self.ground.tables.areas:
                self.ground.wrong(f"{where}[{n}]", "name a belligerent, an Area and an Army", "ORD-040")
        return tuple(listed)

    def unsupplied(self, listed: list[str], where: str, powers: tuple[str, ...]) -> tuple[str, ...]:
        """Check the Areas and "power area" of Armies of Minor Powers that were never supplied."""
        g = self.ground
        for n, what in enumerate(listed):
            *power, area = what.split() or [""]
            if power and (len(power) > 1 or power[0] not in powers):
                g.wrong(f"{where}[{n}]", f"{' '.join(power)} is not a belligerent", "SUP-031")
            g.name(area, f"{where}[{n}]", g.tables.areas, "Area")
        return tuple(listed)
