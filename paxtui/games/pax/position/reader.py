"""Reads a patch of the 1880 start, and checks that a position is possible and complete.

Rules: SET-039, MOV-003, COD-001, COD-003
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.engine.upcast import Raw
from paxtui.games.pax.board.adjacency import board
from paxtui.games.pax.board.status import piece_limit, used_pieces
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.clauses import registry
from paxtui.games.pax.clauses.registry import CLAUSE_KINDS
from paxtui.games.pax.position import war_reader
from paxtui.games.pax.position.checks import PatchChecker
from paxtui.games.pax.position.writer import POWER_KEYS
from paxtui.games.pax.state.diplomacy import DRAFT, TREATY_STAGES, CasusBelli, Treaty
from paxtui.games.pax.state.model import PowerState, State
from paxtui.games.pax.state.phases import PHASES, PROCEDURES, InProgress
from paxtui.games.pax.state.pieces import (
    ARMY,
    CHINA,
    CONTROL,
    LEVEL,
    NAVAL,
    OTTOMAN_EMPIRE,
    POSSESSION,
    PROTECTORATE,
    AreaState,
    Marker,
    SentArmies,
    Unit,
)


def find_unknown_name(tables: Tables, state: State) -> str:
    """Return the first unknown or missing name in a position, in a few words; "" if there is none."""
    return next(_unknown_names(tables, state), "")


def _unknown_names(tables: Tables, state: State) -> Iterator[str]:
    owners = {*tables.powers, *tables.homes, OTTOMAN_EMPIRE}
    kinds = {ARMY, NAVAL}

    def among(names: Iterable[str], known: Iterable[str], what: str) -> Iterator[str]:
        for name in sorted(set(names).difference(known)):
            yield f"unknown {what}: '{name[:40]}'"

    def lacking(names: Iterable[str], known: Iterable[str], what: str) -> Iterator[str]:
        for name in sorted(set(known) - set(names)):
            yield f"the {what} '{name}' is missing"

    if not 1 <= state.turn <= state.last_turn:
        yield f"there is no Game Turn {state.turn}"
    if not state.frames:
        yield "it has no Phase"
    yield from among((frame.phase for frame in state.frames[:1]), PHASES, "Phase")
    yield from among((frame.phase for frame in state.frames[1:]), (*PHASES, *PROCEDURES), "Phase or procedure")
    yield from among(state.areas, tables.areas, "Area")
    yield from among(state.homes, owners, "Power")
    yield from among(state.sea_zones, tables.sea_zones, "Sea Zone")
    yield from among(state.powers, tables.powers, "Power")
    yield from among((*state.players, *state.minors, *state.ready), tables.powers, "Power")
    yield from among(state.events, tables.events, "Random Event")
    markers = [marker for here in state.areas.values() for marker in here.markers]
    yield from among((marker.power for marker in markers), owners, "Power")
    yield from among((marker.marker for marker in markers), tables.markers, "marker")
    yield from among((power for here in state.areas.values() for power in here.codominion), owners, "Power")
    yield from among(state.at_sea, (*tables.sea_zones, *tables.capes), "Sea Zone or Cape Zone")
    for war in state.wars:
        yield from among(war.powers, (*owners, CHINA), "Power")
    places = (*(here.units for here in state.areas.values()), *state.homes.values(), *state.at_sea.values())
    yield from among((unit.power for units in places for unit in units), (*owners, CHINA), "Power")
    yield from among((unit.kind for units in places for unit in units), kinds, "kind of unit")
    yield from among((power for fleets in state.sea_zones.values() for power in fleets), owners, "Power")
    for cause in state.casus_belli:
        yield from among((cause.holder, cause.against), owners, "Power")
        yield from among((cause.area,), ("", *tables.areas), "Area")
    for treaty in state.treaties:
        yield from among(treaty.parties, owners, "Power")
    for choice in state.choices:
        yield from among((choice.seat, choice.power), owners, "Power")
    if state.result is not None:
        yield from among(state.result.ranks, tables.powers, "Power")
    yield from lacking(state.areas, tables.areas, "Area")
    yield from lacking(state.homes, tables.homes, "Home Country")
    yield from lacking(state.sea_zones, tables.sea_zones, "Sea Zone")
    yield from lacking(state.powers, state.players, "player")


class UnitsPatch(msgspec.Struct):
    """Part of a patch for a Home Country or a Cape Zone."""

    units: list[Any] | None = None


class ZonePatch(msgspec.Struct):
    """Part of a patch for a Sea Zone."""

    merchant_fleets: list[str] | None = None
    units: list[Any] = []


class AreaPatch(msgspec.Struct):
    """Part of a patch for an Area."""

    markers: list[Any] | None = None
    units: list[Any] | None = None
    unrest: bool | None = None
    canal: bool | None = None
    codominion: list[str] | None = None
    type: str = ""


PowerPatch = msgspec.defstruct(
    "PowerPatch",
    [(f.name, f.type | None, None) for f in msgspec.structs.fields(PowerState) if f.name in POWER_KEYS]
    + [("record", Any, None)],
)
"""Part of a patch for a Power. `record` is computed, and accepted because views contain it."""


class Indexes(msgspec.Struct):
    """The indexes in a patch."""

    european_tensions: int = 0
    chinese_resentment: int = 0


class PositionPatch(msgspec.Struct):
    """A patch. Only the names in it, and the shapes of its parts, are still unchecked."""

    turn: int | None = None
    phase: str | None = None
    areas: dict[str, Any] = {}
    homes: dict[str, Any] = {}
    sea_zones: dict[str, Any] = {}
    powers: dict[str, Any] = {}
    indexes: dict[str, Any] = {}
    events_in_force: list[str] = []
    casus_belli: list[Any] = []
    treaties: list[Any] = []
    balkan_wars: int | None = None
    active_minors: dict[str, Any] = {}
    moved_minors: dict[str, Any] = {}
    wars: list[Any] = []
    capes: dict[str, Any] = {}
    abandoned: list[str] = []
    scenario: str = ""


SCENARIO_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
LATE_PHASES = PHASES[PHASES.index("colonial_combat") :]
"""Phases in which Control markers of several Powers may stand in one Area outside a Codominion."""


class PatchReader(PatchChecker):
    """Reads a patch and collects all problems."""

    def __init__(self, tables: Tables, start: State) -> None:
        super().__init__(tables)
        self.start = start
        # who may own markers and units: the optional expansion gives the Ottoman Empire some
        expands = start.options.ottoman_expansion
        self.owners = (*tables.powers, *((OTTOMAN_EMPIRE,) if expands else ()))

    def sent(self, sent: Mapping[str, Any]) -> tuple[SentArmies, ...]:
        """Read the armies that Minor Powers have sent against Unrest, with their turn: `"spain philippines" = 1`."""
        out: list[SentArmies] = []
        for key, turn in sent.items():
            power, _, area = key.partition(" ")
            where = f"moved_minors.{key}"
            known = self.name(power, where, self.tables.powers, "Power")
            if self.name(area, where, self.tables.areas, "Area") and known:
                out.append(SentArmies(power, area, self.whole(turn, where, 1)))
        return tuple(out)

    def markers(self, listed: list[Any], where: str, area: str) -> tuple[Marker, ...]:
        """Read the markers of an Area."""
        out: list[Marker] = []
        for at, m in self.rows(listed, where, Marker):
            power = self.name(m.power, at + ".power", self.owners, "Power")
            kind = self.name(m.marker, at + ".marker", self.tables.markers, "Status marker")
            self.whole(m.since, at + ".since", 0, 10)
            if not power or not kind:
                continue
            marker = self.tables.markers[kind]
            if marker.only_for and marker.only_for != power:
                self.wrong(at, f"only {marker.only_for} has {kind} markers", "SET-047")
            elif marker.only_for and self.tables.areas[area].upgrade != kind:
                self.wrong(at, f"{area} cannot be a {kind}", "STA-018", "STA-019")
            out.append(m)
        for (power, fixed), n in Counter((m.power, m.established) for m in out).items():
            if n > 1:
                standing = "established" if fixed else "unestablished"
                self.wrong(where, f"{power} has {n} {standing} markers in one Area", "SET-082")
        return tuple(out)

    def units(self, listed: list[Any], where: str, place: str) -> tuple[Unit, ...]:
        """Read the Military Units of an Area, a Home Country, or a Sea or Cape Zone."""
        out: list[Unit] = []
        sea = place in self.tables.sea_zones or place in self.tables.capes
        zones = () if sea else board(self.tables, self.start).zones_of[place]
        for at, u in self.rows(listed, where, Unit):
            power = self.name(u.power, at + ".power", (*self.tables.powers, CHINA, OTTOMAN_EMPIRE), "Power")
            kind = self.name(u.kind, at + ".kind", (ARMY, NAVAL), "kind of unit (army, naval)")
            empire = power in (CHINA, OTTOMAN_EMPIRE)
            known = (self.tables.other_armies.strength,) if empire else tuple(self.tables.units)
            if u.strength not in known:
                self.wrong(at + ".strength", f"{u.strength} must be {' or '.join(map(str, known))}", "SET-041")
                continue
            if kind == NAVAL and not zones and not sea:
                self.wrong(at, f"no Naval Unit can be in {place}, which has no coast", "MOV-008")
            if u.coast and u.coast not in zones:
                self.wrong(at + ".coast", f"unknown Sea Zone of {place}: {u.coast!r}", "SET-015", "SET-027")
            if power and kind:
                coast = u.coast
                if kind == ARMY:
                    coast = ""
                elif place.startswith("home:"):
                    coast = self.box(power, coast)
                elif not coast and board(self.tables, self.start).split_coasts(place):
                    coast = zones[0]
                out.append(replace(u, coast=coast))
        return tuple(out)

    def box(self, power: str, coast: str) -> str:
        """Read the name of a home box: its first Sea Zone."""
        return self.tables.homes[power].box_on((coast,))

    def area(self, area: str, value: object) -> AreaState:
        """Return an Area with its part of the patch."""
        where = f"areas.{area}"
        here = self.start.areas[area]
        row = self.row(value, where, AreaPatch)
        if row is None:
            return here
        if row.markers is not None:
            markers = self.markers(row.markers, where + ".markers", area)
            control = {m.power for m in markers if m.established and m.marker in CONTROL}
            kept = tuple(p for p in here.codominion if p in control)
            here = replace(here, markers=markers, codominion=kept if len(kept) > 1 else ())
        if row.units is not None:
            here = replace(here, units=self.units(row.units, where + ".units", area))
        if row.unrest is not None:
            here = replace(here, unrest=row.unrest)
        if row.canal is not None:
            here = replace(here, canal=row.canal)
            if here.canal and self.tables.areas[area].passage != "canal":
                self.wrong(where + ".canal", "no canal can be built here", "CAN-001")
        if row.type:
            types = {a.type for a in self.tables.areas.values()}
            here = replace(here, type=self.name(row.type, where + ".type", types, "type of Area"))
        if row.codominion is not None:
            where += ".codominion"
            members = self.names(row.codominion, where, self.tables.powers, "Power")
            control = {m.power for m in here.markers if m.established and m.marker in (PROTECTORATE, POSSESSION)}
            for p in members:
                if p not in control:
                    self.wrong(where, f"{p} has no Protectorate or Possession there", "COD-003")
            if len(set(members)) != len(members) or len(members) == 1:
                self.wrong(where, "must name at least two different Powers, or none", "COD-001")
            here = replace(here, codominion=members)
        return here

    def power(self, power: str, value: object) -> PowerState:
        """Return a Power with its part of the patch."""
        row = self.row(value, f"powers.{power}", PowerPatch)
        given = {key: n for key in POWER_KEYS if (n := getattr(row, key, None)) is not None}
        for key in ("treasury", "merchants_due"):
            self.whole(given.get(key, 0), f"powers.{power}.{key}", 0)
        return replace(self.start.powers[power], **given)

    def treaty(self, i: int, value: object) -> Treaty | None:
        """Read an agreement; missing fields, the id too, have defaults."""
        where = f"treaties[{i}]"
        row: Raw = {"id": f"t{i + 1}", "name": f"treaty {i + 1}", "form": "treaty", "drafter": ""}
        if not isinstance(value, Mapping):
            self.wrong(where, "must be a table")
            return None
        row |= value
        if not row["drafter"] and row.get("parties") and isinstance(row["parties"], list | tuple):
            row["drafter"] = row["parties"][0]
        try:
            if isinstance(row.get("clauses"), list):
                row["clauses"] = [registry.with_structured_condition(self.tables, clause) for clause in row["clauses"]]
            treaty: Treaty = msgspec.convert(row, type=Treaty)
        except (Refusal, msgspec.ValidationError) as error:
            self.wrong(where, error.message if isinstance(error, Refusal) else str(error))
            return None
        self.name(treaty.stage, f"{where}.stage", TREATY_STAGES, "stage of an agreement")
        # the default's own object, so that encoding is unique
        treaty = replace(treaty, stage=next((one for one in TREATY_STAGES if one == treaty.stage), DRAFT))
        for n, clause in enumerate(treaty.clauses):
            self.name(clause.kind, f"{where}.clauses[{n}].kind", CLAUSE_KINDS, "kind of clause")
        for power in (*treaty.parties, *treaty.signed):
            self.name(power, f"{where}.parties", self.tables.powers, "Power")
        return treaty

    def cause(self, where: str, cause: CasusBelli, number: int) -> CasusBelli:
        """Check a Casus Belli, and number it."""
        self.name(cause.holder, where + ".holder", self.tables.powers, "Power")
        self.name(cause.against, where + ".against", self.owners, "Power")
        if cause.area:
            self.name(cause.area, where + ".area", self.tables.areas, "Area")
        if cause.holder == cause.against:
            self.wrong(where, "a Power cannot have a Casus Belli against itself", "SET-070")
        return replace(cause, id=f"cb{number}")

    def scenario(self, name: str) -> str:
        """Check the name of a scenario; "" for none."""
        if name and not SCENARIO_NAME.fullmatch(name):
            self.wrong("scenario", f"{name[:40]!r} must be 1 to 40 of a-z, 0-9, - and _")
        return name

    def known(self, parts: Mapping[str, Any], where: str, names: Container[str], what: str) -> Iterator[str]:
        """Yield the known names of a table, and record the others."""
        return (name for name in parts if self.name(name, f"{where}.{name}", names, what))

    def zone(self, zone: str, value: object, fleets: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[Unit, ...]]:
        """Return the Merchant Fleets and the Units of a Sea Zone."""
        row = self.row(value, f"sea_zones.{zone}", ZonePatch) or ZonePatch()
        if row.merchant_fleets is not None:
            where = f"sea_zones.{zone}.merchant_fleets"
            fleets = self.names(row.merchant_fleets, where, self.tables.powers, "Power")
            if len(set(fleets)) != len(fleets):
                self.wrong(where, "only one Merchant Fleet of each Power can be in a Sea Zone", "MOV-003")
        return fleets, self.units(row.units, f"sea_zones.{zone}.units", zone)

    def read(self, patch: Any) -> State:
        """Return the patched position. It is possible only if `problems` is empty."""
        tree = self.row(patch, "position", PositionPatch)
        s, tables = self.start, self.tables
        if tree is None:
            return s
        if tree.turn is not None:
            s = replace(s, turn=self.whole(tree.turn, "turn", 1, s.last_turn, 1))
        if tree.phase is not None:
            phase = self.name(tree.phase, "phase", PHASES, f"Phase (there are {', '.join(PHASES)})")
            s = replace(s, frames=(InProgress(phase or s.phase),), waiting_phase=None)
        areas, homes, zones, powers = dict(s.areas), dict(s.homes), dict(s.sea_zones), dict(s.powers)
        at_sea = dict(s.at_sea)
        for name in self.known(tree.areas, "areas", areas, "Area"):
            areas[name] = self.area(name, tree.areas[name])
        for name in self.known(tree.homes, "homes", homes, "Power with a Home Country"):
            row = self.row(tree.homes[name], f"homes.{name}", UnitsPatch)
            if row and row.units is not None:
                homes[name] = self.units(row.units, f"homes.{name}.units", "home:" + name)
        for name in tables.capes:
            if name in tree.sea_zones:
                self.wrong(f"sea_zones.{name}", "a Cape Zone exists only in War", "SET-019", "MOV-005")
        for name in self.known(tree.sea_zones, "sea_zones", (*zones, *tables.capes), "Sea Zone"):
            if name in zones:
                zones[name], units = self.zone(name, tree.sea_zones[name], zones[name])
                if units:
                    at_sea[name] = units
        for name in self.known(tree.capes, "capes", tables.capes, "Cape Zone"):
            row = self.row(tree.capes[name], f"capes.{name}", UnitsPatch)
            if row and row.units:
                at_sea[name] = self.units(row.units, f"capes.{name}.units", name)
        for name in self.known(tree.powers, "powers", powers, "Power with a Treasury in this game"):
            powers[name] = self.power(name, tree.powers[name])
        indexes = self.row(tree.indexes, "indexes", Indexes) or Indexes()
        happening = self.names(
            tree.events_in_force, "events_in_force", tables.events, 'Random Event (two dice, such as "2-5")'
        )
        effects = [tables.events[e] for e in happening]
        causes = self.rows(tree.casus_belli, "casus_belli", CasusBelli, id="")
        treaties = [self.treaty(i, t) for i, t in enumerate(tree.treaties)]
        for name in self.known(tree.active_minors, "active_minors", s.minors, "Minor Power of this game"):
            self.name(tree.active_minors[name], f"active_minors.{name}", areas, "Area")
        balkan_wars = int(any(e.balkan_war for e in effects)) if tree.balkan_wars is None else tree.balkan_wars
        s = replace(
            s,
            areas=areas,
            homes=homes,
            sea_zones=zones,
            at_sea=at_sea,
            powers=powers,
            tension=self.whole(indexes.european_tensions, "indexes.european_tensions", 0, 99),
            resentment=self.whole(indexes.chinese_resentment, "indexes.chinese_resentment", 0),
            events=happening,
            balkan_wars=self.whole(balkan_wars, "balkan_wars", 0),
            leopold=any(e.with_player in s.players and bool(e.extra) for e in effects),
            casus_belli=tuple(self.cause(at, cause, n) for n, (at, cause) in enumerate(causes, start=1)),
            next_cause=len(causes) + 1,
            treaties=tuple(t for t in treaties if t),
            active_minors=tree.active_minors,
            moved_minors=self.sent(tree.moved_minors),
            abandoned=self.names(tree.abandoned, "abandoned", s.players, "seat"),
            scenario=self.scenario(tree.scenario),
        )
        s = war_reader.with_wars(self, s, tree.wars, self.owners)
        if not self.problems:  # counting needs valid parts
            self.whole_position(s)
        return s

    def whole_position(self, s: State) -> None:
        """Check the position as a whole: number of pieces, and shared Control."""
        for area, here in s.areas.items():
            control = {m.power for m in here.markers if m.established and m.marker in CONTROL}
            strangers = control - set(here.codominion)
            if len(control) > 1 and strangers and s.phase not in LATE_PHASES:
                self.wrong(
                    f"areas.{area}",
                    f"Control markers of {', '.join(sorted(control))} without a Codominion are possible "
                    "only before Colonial Combat",
                    "COD-001",
                    "CCB-015",
                )
            if here.codominion and any(LEVEL[m.marker] == 5 for m in here.markers):
                self.wrong(f"areas.{area}", "States and Dominions are never part of a Codominion", "COD-013")
        if s.options.counter_limits == "unlimited":
            return
        for power, counts in used_pieces(self.tables, s).items():
            pieces = +Counter(counts)  # no pools that an earlier, impossible position has left at 0
            if power in s.powers:
                track = sum(row.merchant_fleets.count(power) for row in self.tables.turns[s.turn :])
                pieces["merchant_fleet"] += s.powers[power].merchants_due + track
            for pool, n in sorted(pieces.items()):
                most = piece_limit(self.tables, power, pool)
                if n > most + (self.spare(power) if pool == "merchant_fleet" else 0):
                    what = f"strength-{pool} units" if pool.isdigit() else pool.replace("_", " ") + " pieces"
                    self.wrong("position", f"{power} has {most} {what}, not {n}", "SET-039", "SET-042")

    def spare(self, power: str) -> int:
        """Return the Merchant Fleets that the deployment grants a Minor Power beyond its pieces (SET-060)."""
        extra = [u for u in self.tables.start_units if u.only_as_minor and u.unit == "merchant_fleet"]
        return sum(u.count for u in extra if u.power == power) if power in self.start.minors else 0
