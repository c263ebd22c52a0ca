"""Reads the `wars` of a patch and reports what is impossible in a War.

Rules: WAR-055, WAR-056, WAR-064, WAR-020
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from msgspec.structs import replace

from paxtui.games.pax.board.adjacency import passage_area
from paxtui.games.pax.board.status import seat_of
from paxtui.games.pax.board.tables import HOME, Tables
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.phases import InProgress, WarNotes
from paxtui.games.pax.state.pieces import ARMY, CHINA, NAVAL, OTTOMAN_EMPIRE
from paxtui.games.pax.state.war import (
    ALLIANCES,
    FOUGHT,
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

WAR_KEYS = (
    "id", "kind", "alliances", "order", "declared", "commands", "cycle", "phase", "turn_of", "quiet", "coaling",
    "denied", "conquered", "defeated", "surrendered", "began", "unsupplied",
    "over", "marching", "defended",
)  # fmt: skip
"""Keys of a War in a patch; only `alliances` is required."""
ALLIANCE_STAGES = ("maneuver", "attack", "supply")
"""Phases of one Alliance."""


class PatchContext(Protocol):
    """The part of `PatchReader` that Wars need."""

    tables: Tables

    def wrong(self, where: str, what: str, *rules: str) -> None: ...
    def table(self, value: Any, where: str, keys: tuple[str, ...] | None = None) -> dict[str, Any]: ...
    def rows(self, value: Any, where: str) -> list[Any]: ...
    def whole(
        self, value: Any, where: str, low: int | None = None, high: int | None = None, default: int = 0
    ) -> int: ...
    def name(self, value: Any, where: str, known: Mapping[str, Any], what: str) -> str: ...


def with_wars(ground: PatchContext, s: State, listed: Any, owners: tuple[str, ...]) -> State:
    """Return the position with the Wars of a patch. Only Wars put Units at sea and give Empires armies.

    Args:
        ground: reader of the patch.
        s: the position.
        listed: the Wars, or None.
        owners: Powers that may own Units in peace.
    """
    reader = WarReader(ground, s)
    wars = reader.wars(listed) if listed else ()
    fought = [war for war in wars if war.stage != ALLIANCES or war.turn_of]
    if fought and s.phase != "war":
        ground.wrong("wars", "a War is fought in the War Phase; before it its phase is 'alliances'", "WAR-016")
    belligerents = {p for war in fought for p in war.powers}
    for zone, units in s.at_sea.items():
        for power in dict.fromkeys(u.power for u in units if u.power not in belligerents):
            ground.wrong(f"sea_zones.{zone}.units", f"in peace no unit of {power} stays at sea", "SET-081", "SET-019")
    for area, here in s.areas.items():
        for power in dict.fromkeys(u.power for u in here.units if u.power not in (*owners, *belligerents)):
            ground.wrong(f"areas.{area}.units", f"{power} has armies in a War of its own only", "REB-006", "OTT-012")
    for country, units in s.homes.items():
        for n, unit in enumerate(units):
            guest = unit.kind == ARMY and unit.power == ground.tables.powers[country].seat
            allied = any(war.side_of(unit.power) == war.side_of(country) != 0 for war in fought)
            if unit.power != country and not (guest and allied):
                ground.wrong(
                    f"homes.{country}.units[{n}]", f"no unit of {unit.power} can be in {HOME}{country}", "SET-024"
                )
    if s.phase == "war" and wars:
        s = replace(s, frames=(InProgress("war", FOUGHT if fought else "", WarNotes(s.next_cause)),), beside=None)
    wars = tuple(_denied(ground, s, war, f"wars[{i}].denied") for i, war in enumerate(wars))
    s = assign_coasts(ground.tables, s) if fought else s
    wars = tuple(
        replace(war, unsupplied=unsupplied_from_start(ground.tables, s, war, war.looked_at))
        if fought and war.id not in reader.told
        else war
        for war in wars
    )
    return replace(s, wars=wars, next_war=len(wars) + 1)


def _denied(ground: PatchContext, s: State, war: War, where: str) -> War:
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
            ground.wrong(where, f"{denial.to} is no belligerent", "STR-002")
        elif not by or (denial.by and denial.by not in by):
            ground.wrong(where, f"{denial.by or 'nobody'} may deny {denial.passage}", "STR-014", "STR-022")
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

    def __init__(self, ground: PatchContext, state: State) -> None:
        self.ground = ground
        self.state = state
        self.known = dict.fromkeys((*ground.tables.powers, CHINA, OTTOMAN_EMPIRE))
        self.told: set[str] = set()  # ids of the Wars that say what was never supplied

    def wars(self, value: Any) -> tuple[War, ...]:
        """Read all Wars of a patch."""
        found = [self.war(i, row) for i, row in enumerate(self.ground.rows(value, "wars"))]
        belligerents = [p for war in found if war.kind == WAR for p in war.powers]
        for power in dict.fromkeys(p for p in belligerents if belligerents.count(p) > 1):
            self.ground.wrong("wars", f"{power} is in two Wars, which would be one", "WAR-064")
        return tuple(found)

    def war(self, i: int, value: Any) -> War:
        """Read one War."""
        g, where = self.ground, f"wars[{i}]"
        row = g.table(value, where, WAR_KEYS)
        sides = self.sides(row.get("alliances"), where + ".alliances")
        numbers = range(1, len(sides) + 1)
        kind = g.name(row.get("kind", WAR), where + ".kind", dict.fromkeys(WAR_KINDS), "kind of War")
        stage = g.name(
            row.get("phase", MANEUVER), where + ".phase", dict.fromkeys(WAR_STAGES), "Phase of the War Sequence"
        )
        rolled = [n for n in g.rows(row.get("order") or [], where + ".order") if isinstance(n, int)]
        begun = stage not in (ALLIANCES, "initiative")
        order = tuple(rolled) or (tuple(numbers) if begun else ())
        if order and sorted(order) != list(numbers):
            g.wrong(where + ".order", "names every Alliance once", "WAR-055")
            order = tuple(numbers)
        turn_of = row.get("turn_of", order[0] if stage in ALLIANCE_STAGES and order else None)
        turn = g.whole(turn_of or 0, where + ".turn_of", 0, len(sides))
        windows = kind == OTTOMAN and stage == ALLIANCES  # whose aid is asked about, if it is asked already
        if bool(turn) != (stage in ALLIANCE_STAGES) and not windows:
            whose = "nobody" if turn else "somebody"
            g.wrong(where + ".turn_of", f"in the Phase {stage} it is {whose}'s turn", "WAR-026")
            turn = order[0] if stage in ALLIANCE_STAGES and order else 0
        first = sides[0][:1] if sides and kind == WAR else ()
        if kind == OTTOMAN:
            first = next((side[:1] for side in sides if OTTOMAN_EMPIRE not in side), ())
        powers = tuple(p for side in sides for p in side)
        played = regents(self.state, powers) if kind == REBELLION else {}
        return War(
            id=f"w{i + 1}",
            alliances=sides,
            # the constants themselves: what is the very default is left out of the log, another text like it is not
            kind=next((one for one in WAR_KINDS if one == kind), WAR),
            declared=self.among(row.get("declared", list(first)), where + ".declared", powers),
            over=tuple(str(a or "") for a in g.rows(row.get("over", []), where + ".over")),
            commands=self.commands(row.get("commands", played), where + ".commands", powers, kind),
            stage=next((one for one in WAR_STAGES if one == stage), MANEUVER),
            cycle=g.whole(row.get("cycle", 1), where + ".cycle", 1, default=1),
            order=order,
            turn_of=turn,
            quiet=g.whole(row.get("quiet", 0), where + ".quiet", 0, 2),
            coaling=tuple(
                Coaling(self.area(r, at), self.number(r.get("to"), at + ".to", len(sides)))
                for at, r in self.rows(row, "coaling", ("area", "to"), where)
            ),
            denied=tuple(
                Denial(str(r.get("passage")), str(r.get("to")), str(r.get("by") or ""))
                for _, r in self.rows(row, "denied", ("passage", "to", "by"), where)
            ),
            conquered=tuple(
                Conquest(self.area(r, at), self.number(r.get("alliance"), at + ".alliance", len(sides)))
                for at, r in self.rows(row, "conquered", ("area", "alliance"), where)
            ),
            defeated=tuple(
                g.name(a, where + ".defeated", g.tables.areas, "Area")
                for a in g.rows(row.get("defeated", []), where + ".defeated")
            ),
            surrendered=tuple(
                self.prisoner(r, at, powers)
                for at, r in self.rows(row, "surrendered", ("power", "kind", "strength"), where)
            ),
            began=self.began(row, where, powers),
            looked_at=tuple(p for p in powers if p in self.state.minors) if stage != ALLIANCES else (),
            unsupplied=self.unsupplied(row, where, powers, f"w{i + 1}"),
            marching=self.marching(row, where, powers),
            defended=self.defended(row, where, powers),
        )

    def sides(self, value: Any, where: str) -> tuple[tuple[str, ...], ...]:
        """Read the Alliances: two or more, none empty, no Power twice or against a Power of its own seat."""
        g = self.ground
        sides = [
            tuple(g.name(p, f"{where}[{n}]", self.known, "Power") for p in g.rows(side, f"{where}[{n}]"))
            for n, side in enumerate(g.rows(value, where) if value is not None else [])
        ]
        if sum(1 for side in sides if side) < 2:
            g.wrong(where, "a War has two sides or more, with a Power each", "WAR-020", "WAR-055")
        everybody = [p for side in sides for p in side if p]
        for power in dict.fromkeys(p for p in everybody if everybody.count(p) > 1):
            g.wrong(where, f"{power} stands there twice", "WAR-064")
        seats: dict[str, int] = {}
        for n, side in enumerate(sides):
            for power in side:
                seat = seat_of(g.tables, self.state, power) if power in g.tables.powers else ""
                if seat and seats.setdefault(seat, n) != n:
                    g.wrong(where, f"the seat of {seat} stands on two sides", "AUS-014")
                elif power in g.tables.powers and power not in (*self.state.powers, *self.state.minors):
                    g.wrong(where, f"{power} is no Power of this game", "SET-055")
        return tuple(sides)

    def rows(
        self, row: dict[str, Any], key: str, keys: tuple[str, ...], where: str
    ) -> list[tuple[str, dict[str, Any]]]:
        """Return the tables of a list with their paths."""
        g = self.ground
        listed = g.rows(row.get(key, []), f"{where}.{key}")
        return [(f"{where}.{key}[{n}]", g.table(v, f"{where}.{key}[{n}]", keys)) for n, v in enumerate(listed)]

    def area(self, row: dict[str, Any], where: str) -> str:
        """Read the Area of a table."""
        return self.ground.name(row.get("area"), where + ".area", self.ground.tables.areas, "Area")

    def number(self, value: Any, where: str, most: int) -> int:
        """Read the number of an Alliance."""
        return self.ground.whole(value, where, 1, most, 1)

    def among(self, value: Any, where: str, powers: tuple[str, ...]) -> tuple[str, ...]:
        """Read belligerents."""
        g = self.ground
        return tuple(g.name(p, where, dict.fromkeys(powers), "belligerent") for p in g.rows(value, where))

    def commands(self, value: Any, where: str, powers: tuple[str, ...], kind: str) -> dict[str, str]:
        """Read the commanders of Minor Powers without an ally."""
        g = self.ground
        found: dict[str, str] = {}
        for minor, seat in g.table(value, where).items():
            if minor not in powers or minor in self.state.powers:
                g.wrong(where, f"{minor} is no Minor Power at War here", "WAR-021")
            elif g.name(seat, f"{where}.{minor}", dict.fromkeys(self.state.players), "seat"):
                found[minor] = seat
                if kind != REBELLION and seat in powers:
                    g.wrong(where, f"{seat} is no neutral", "WAR-058")
        return found

    def prisoner(self, row: dict[str, Any], where: str, powers: tuple[str, ...]) -> SurrenderedUnit:
        """Read a surrendered Unit."""
        g = self.ground
        power = g.name(row.get("power"), where + ".power", dict.fromkeys(powers), "belligerent")
        kind = g.name(row.get("kind"), where + ".kind", {ARMY: 1, NAVAL: 1}, "kind of unit (army, naval)")
        strength = g.whole(row.get("strength"), where + ".strength", 1)
        if strength and strength not in g.tables.units:
            g.wrong(where + ".strength", f"there is no Unit of strength {strength}", "SET-041")
        return SurrenderedUnit(power, kind, strength)

    def began(self, row: dict[str, Any], where: str, powers: tuple[str, ...]) -> tuple[MinorFleet, ...]:
        """Read the places of Minor Powers' Naval Units at the start; by default those of the 1880 deployment."""
        g = self.ground
        if "began" in row:
            return tuple(
                MinorFleet(
                    g.name(r.get("power"), at + ".power", dict.fromkeys(powers), "belligerent"), self.area(r, at)
                )
                for at, r in self.rows(row, "began", ("power", "area"), where)
            )
        return tuple(
            MinorFleet(u.power, u.place)
            for u in g.tables.start_units
            if u.unit == NAVAL and u.power in powers and u.power in self.state.minors and not u.place.startswith(HOME)
        )

    def defended(self, row: dict[str, Any], where: str, powers: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
        """Read the Minor Powers with defenders, each on one side."""
        g, known = self.ground, dict.fromkeys(powers)
        return tuple(
            (
                g.name(r.get("minor"), at + ".minor", known, "belligerent"),
                g.name(r.get("power"), at + ".power", known, "belligerent"),
            )
            for at, r in self.rows(row, "defended", ("minor", "power"), where)
        )

    def marching(self, row: dict[str, Any], where: str, powers: tuple[str, ...]) -> tuple[str, ...]:
        """Read the armies that the engine moves overland, each `POWER AREA UNIT`."""
        found = []
        for n, what in enumerate(self.ground.rows(row.get("marching", []), f"{where}.marching")):
            words = str(what).split()
            if len(words) != 3 or words[0] not in powers or words[1] not in self.ground.tables.areas:
                self.ground.wrong(f"{where}.marching[{n}]", "name a belligerent, an Area and an Army", "ORD-040")
            found.append(str(what))
        return tuple(found)

    def unsupplied(self, row: dict[str, Any], where: str, powers: tuple[str, ...], war: str) -> tuple[str, ...]:
        """Read the Areas and "power area" of Armies of Minor Powers that were never supplied; computed if missing."""
        g = self.ground
        if "unsupplied" not in row:
            return ()
        self.told.add(war)
        found = []
        for n, what in enumerate(g.rows(row["unsupplied"], f"{where}.unsupplied")):
            *power, area = str(what).split() or [""]
            if power and (len(power) > 1 or power[0] not in powers):
                g.wrong(f"{where}.unsupplied[{n}]", f"{' '.join(power)} is no belligerent", "SUP-031")
            g.name(area, f"{where}.unsupplied[{n}]", g.tables.areas, "Area")
            found.append(str(what))
        return tuple(found)
