"""Reads a patch of the 1880 start, and checks that a position is possible and complete.

Rules: SET-039, MOV-003, COD-001, COD-003
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.engine.upcast import Raw
from paxtui.games.pax.board.adjacency import board
from paxtui.games.pax.board.status import piece_limit
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.clauses import registry
from paxtui.games.pax.clauses.registry import CLAUSE_KINDS
from paxtui.games.pax.position import war_reader
from paxtui.games.pax.state.diplomacy import DRAFT, TREATY_STAGES, CasusBelli, Treaty
from paxtui.games.pax.state.model import PowerState, State, all_units
from paxtui.games.pax.state.phases import PHASES, PROCEDURES, InProgress
from paxtui.games.pax.state.pieces import (
    ARMY,
    CHINA,
    CONTROL,
    LEVEL,
    NAVAL,
    OTTOMAN_EMPIRE,
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
        for name in names:
            if name not in known:
                yield f"'{name[:40]}' is no {what}"

    def lacking(names: Iterable[str], known: Iterable[str], what: str) -> Iterator[str]:
        for name in sorted(set(known) - set(names)):
            yield f"the {what} '{name}' is missing"

    if not 1 <= state.turn <= len(tables.turns):
        yield f"there is no Game Turn {state.turn}"
    if not state.frames:
        yield "it is in no Phase"
    yield from among((frame.phase for frame in state.frames[:1]), PHASES, "Phase")
    yield from among((frame.phase for frame in state.frames[1:]), (*PHASES, *PROCEDURES), "Phase or procedure")
    yield from among(state.areas, tables.areas, "Area")
    yield from among(state.homes, owners, "Power")
    yield from among(state.sea_zones, tables.sea_zones, "Sea Zone")
    yield from among(state.powers, tables.powers, "Power")
    yield from among((*state.players, *state.minors, *state.ready), tables.powers, "Power")
    yield from among(state.events, tables.events, "Random Event")
    for here in state.areas.values():
        yield from among((m.power for m in here.markers), owners, "Power")
        yield from among((m.marker for m in here.markers), tables.markers, "marker")
        yield from among(here.codominion, owners, "Power")
    yield from among(state.at_sea, (*tables.sea_zones, *tables.capes), "Sea Zone or Cape Zone")
    for war in state.wars:
        yield from among(war.powers, (*owners, CHINA), "Power")
    for units in (*(here.units for here in state.areas.values()), *state.homes.values(), *state.at_sea.values()):
        yield from among((u.power for u in units), (*owners, CHINA), "Power")
        yield from among((u.kind for u in units), kinds, "kind of unit")
    for fleets in state.sea_zones.values():
        yield from among(fleets, owners, "Power")
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


TOP_KEYS = (
    "turn",
    "phase",
    "areas",
    "homes",
    "sea_zones",
    "powers",
    "indexes",
    "events_in_force",
    "casus_belli",
    "treaties",
    "balkan_wars",
    "active_minors",
    "moved_minors",
    "wars",
    "capes",
    "abandoned",
)
LATE_PHASES = PHASES[PHASES.index("colonial_combat") :]
"""Phases in which Control markers of several Powers may stand in one Area outside a Codominion."""


class PatchReader:
    """Reads a patch and collects all problems."""

    def __init__(self, tables: Tables, start: State) -> None:
        self.tables = tables
        self.start = start
        self.problems: list[str] = []
        self.rules: list[str] = []
        # who may own markers and units: the optional expansion gives the Ottoman Empire some
        expands = start.options.ottoman_expansion
        self.owners = (*tables.powers, *((OTTOMAN_EMPIRE,) if expands else ()))

    def wrong(self, where: str, what: str, *rules: str) -> None:
        """Record a problem."""
        self.problems.append(f"{where}: {what}")
        self.rules.extend(r for r in rules if r not in self.rules)

    def table(self, value: object, where: str, keys: tuple[str, ...] | None = None) -> Raw:
        """Return `value` as a table whose keys are among `keys`."""
        if not isinstance(value, Mapping):
            self.wrong(where, "should be a table")
            return {}
        for key in value:
            if not isinstance(key, str) or (keys is not None and key not in keys):
                self.wrong(where, f"no key {key!r} here" + (f" (there are {', '.join(keys)})" if keys else ""))
        return {k: v for k, v in value.items() if isinstance(k, str) and (keys is None or k in keys)}

    def rows(self, value: object, where: str) -> list[Any]:
        """Return `value` as a list."""
        if not isinstance(value, list | tuple):
            self.wrong(where, "should be a list")
            return []
        return list(value)

    def whole(
        self, value: object, where: str, low: int | None = None, high: int | None = None, default: int = 0
    ) -> int:
        """Return `value` as a whole number between `low` and `high`."""
        if isinstance(value, bool) or not isinstance(value, int):
            self.wrong(where, "should be a whole number")
            return default
        if (low is not None and value < low) or (high is not None and value > high):
            bounds = f"{low} or more" if high is None else f"from {low} to {high}"
            self.wrong(where, f"{value} should be {bounds}")
            return default
        return value

    def flag(self, value: object, where: str) -> bool:
        """Return `value` as a boolean."""
        if not isinstance(value, bool):
            self.wrong(where, "should be true or false")
            return False
        return value

    def name(self, value: object, where: str, known: Mapping[str, Any], what: str) -> str:
        """Return `value` if it is a known id; otherwise record a problem and return ""."""
        if not isinstance(value, str) or value not in known:
            self.wrong(where, f"{value!r} is no {what}")
            return ""
        return value

    def named(self, tree: Raw, key: str, known: Iterable[str], what: str) -> tuple[str, ...]:
        """Return the known ids in a list of the patch."""
        ids = dict.fromkeys(known)
        return tuple(name for v in self.rows(tree.get(key, []), key) if (name := self.name(v, key, ids, what)))

    def sent(self, value: object) -> tuple[SentArmies, ...]:
        """Read the armies that Minor Powers have sent against Unrest, with their turn: `"spain philippines" = 1`."""
        out: list[SentArmies] = []
        for key, turn in self.table(value, "moved_minors").items():
            power, _, area = key.partition(" ")
            where = f"moved_minors.{key}"
            known = self.name(power, where, self.tables.powers, "Power")
            if self.name(area, where, self.tables.areas, "Area") and known:
                out.append(SentArmies(power, area, self.whole(turn, where, 1)))
        return tuple(out)

    # --- pieces ---------------------------------------------------------------------------------------------------

    def markers(self, value: object, where: str, area: str) -> tuple[Marker, ...]:
        """Read the markers of an Area."""
        out: list[Marker] = []
        for i, row in enumerate(self.rows(value, where)):
            at = f"{where}[{i}]"
            row = self.table(row, at, ("power", "marker", "established", "since"))
            power = self.name(row.get("power"), at + ".power", dict.fromkeys(self.owners), "Power")
            kind = self.name(row.get("marker"), at + ".marker", self.tables.markers, "Status marker")
            fixed = self.flag(row.get("established", True), at + ".established")
            since = self.whole(row.get("since", 0), at + ".since", 0, 10)
            if not power or not kind:
                continue
            marker = self.tables.markers[kind]
            if marker.only_for and marker.only_for != power:
                self.wrong(at, f"only {marker.only_for} has {kind} markers", "SET-047")
            elif marker.only_for and self.tables.areas[area].upgrade != kind:
                self.wrong(at, f"{area} cannot be a {kind}", "STA-018", "STA-019")
            out.append(Marker(power, kind, fixed, since))
        for (power, fixed), n in Counter((m.power, m.established) for m in out).items():
            if n > 1:
                standing = "established" if fixed else "unestablished"
                self.wrong(where, f"{power} has {n} {standing} markers in one Area", "SET-082")
        return tuple(out)

    def units(self, value: object, where: str, place: str) -> tuple[Unit, ...]:
        """Read the Military Units of an Area or a Home Country."""
        out: list[Unit] = []
        sea = place in self.tables.sea_zones or place in self.tables.capes
        zones = () if sea else board(self.tables, self.start).zones_of[place]
        owners = dict.fromkeys((*self.tables.powers, CHINA, OTTOMAN_EMPIRE))
        for i, row in enumerate(self.rows(value, where)):
            at = f"{where}[{i}]"
            row = self.table(row, at, ("power", "kind", "strength", "coast", "halted"))
            power = self.name(row.get("power"), at + ".power", owners, "Power")
            kind = self.name(row.get("kind"), at + ".kind", {ARMY: 1, NAVAL: 1}, "kind of unit (army, naval)")
            strength = row.get("strength")
            known = (
                (self.tables.other_armies.strength,) if power in (CHINA, OTTOMAN_EMPIRE) else tuple(self.tables.units)
            )
            if not isinstance(strength, int) or isinstance(strength, bool) or strength not in known:
                self.wrong(at + ".strength", f"{strength!r} should be {' or '.join(map(str, known))}", "SET-041")
                continue
            coast = row.get("coast") or ""
            if kind == NAVAL and not zones and not sea:
                self.wrong(at, f"no Naval Unit can lie in {place}, which has no coast", "MOV-008")
            if coast and coast not in zones:
                self.wrong(at + ".coast", f"{coast!r} is no Sea Zone of {place}", "SET-015", "SET-027")
            if power and kind:
                if kind == ARMY:
                    coast = ""
                elif place.startswith("home:"):
                    coast = self.box(power, coast)
                elif not coast and board(self.tables, self.start).split_coasts(place):
                    coast = zones[0]
                out.append(Unit(power, kind, strength, coast, self.flag(row.get("halted", False), at + ".halted")))
        return tuple(out)

    def box(self, power: str, coast: str) -> str:
        """Read the name of a home box: its first Sea Zone."""
        boxes = self.tables.homes[power].boxes
        return next((box[0] for box in boxes if coast in box), boxes[0][0] if boxes else "")

    # --- parts of the patch ---------------------------------------------------------------------------------------

    def area(self, area: str, value: object) -> AreaState:
        """Return an Area with its part of the patch."""
        where = f"areas.{area}"
        row = self.table(value, where, ("markers", "units", "unrest", "codominion", "canal", "type"))
        here = self.start.areas[area]
        if "markers" in row:
            markers = self.markers(row["markers"], where + ".markers", area)
            control = {m.power for m in markers if m.established and m.marker in CONTROL}
            kept = tuple(p for p in here.codominion if p in control)
            here = replace(here, markers=markers, codominion=kept if len(kept) > 1 else ())
        if "units" in row:
            here = replace(here, units=self.units(row["units"], where + ".units", area))
        if "unrest" in row:
            here = replace(here, unrest=self.flag(row["unrest"], where + ".unrest"))
        if "canal" in row:
            here = replace(here, canal=self.flag(row["canal"], where + ".canal"))
            if here.canal and self.tables.areas[area].passage != "canal":
                self.wrong(where + ".canal", "no canal can be built here", "CAN-001")
        if row.get("type"):
            types = {a.type: 1 for a in self.tables.areas.values()}
            here = replace(here, type=self.name(row["type"], where + ".type", types, "type of Area"))
        if "codominion" in row:
            members = tuple(
                self.name(p, where + ".codominion", self.tables.powers, "Power")
                for p in self.rows(row["codominion"], where + ".codominion")
            )
            control = {m.power for m in here.markers if m.established and m.marker in ("protectorate", "possession")}
            for p in members:
                if p and p not in control:
                    self.wrong(where + ".codominion", f"{p} has no Protectorate or Possession there", "COD-003")
            if len(set(members)) != len(members) or len(members) == 1:
                self.wrong(where + ".codominion", "names two or more different Powers, or none", "COD-001")
            here = replace(here, codominion=members)
        return here

    def power(self, power: str, value: object) -> PowerState:
        """Return a Power with its part of the patch."""
        where = f"powers.{power}"
        row = self.table(value, where, ("treasury", "victory_points", "merchants_due", "record", "had_control"))
        p = self.start.powers[power]
        if "treasury" in row:
            p = replace(p, treasury=self.whole(row["treasury"], where + ".treasury", 0))
        if "victory_points" in row:
            p = replace(p, victory_points=self.whole(row["victory_points"], where + ".victory_points"))
        if "merchants_due" in row:
            p = replace(p, merchants_due=self.whole(row["merchants_due"], where + ".merchants_due", 0))
        if "had_control" in row:
            p = replace(p, had_control=self.flag(row["had_control"], where + ".had_control"))
        return p

    def treaty(self, i: int, value: object) -> Treaty | None:
        """Read an agreement; missing fields, the id too, have defaults."""
        where = f"treaties[{i}]"
        row: Raw = {"id": f"t{i + 1}", "name": f"treaty {i + 1}", "form": "treaty", "drafter": ""}
        row |= self.table(value, where)
        if not row["drafter"] and row.get("parties"):
            row["drafter"] = self.rows(row["parties"], f"{where}.parties")[0]
        try:
            if isinstance(row.get("clauses"), list):
                row["clauses"] = [registry.with_structured_condition(self.tables, clause) for clause in row["clauses"]]
            treaty: Treaty = msgspec.convert(row, type=Treaty)
        except (Refusal, msgspec.ValidationError) as error:
            self.wrong(where, error.message if isinstance(error, Refusal) else str(error))
            return None
        self.name(treaty.stage, f"{where}.stage", dict.fromkeys(TREATY_STAGES), "stage of an agreement")
        # the default's own object, so that encoding is unique
        treaty = replace(treaty, stage=next((one for one in TREATY_STAGES if one == treaty.stage), DRAFT))
        for n, clause in enumerate(treaty.clauses):
            self.name(clause.kind, f"{where}.clauses[{n}].kind", CLAUSE_KINDS, "kind of clause")
        for power in (*treaty.parties, *treaty.signed):
            self.name(power, f"{where}.parties", self.tables.powers, "Power")
        return treaty

    def cause(self, i: int, value: object) -> CasusBelli | None:
        """Read a Casus Belli."""
        where = f"casus_belli[{i}]"
        known = ("id", "area", "holder", "against", "rule", "cause", "lapses", "treaty", "minor", "demanded")
        row = self.table(value, where, known)
        holder = self.name(row.get("holder"), where + ".holder", self.tables.powers, "Power")
        against = self.name(row.get("against"), where + ".against", dict.fromkeys(self.owners), "Power")
        area = self.name(row["area"], where + ".area", self.tables.areas, "Area") if row.get("area") else ""
        if not holder or not against:
            return None
        if holder == against:
            self.wrong(where, "nobody has a Casus Belli against himself", "SET-070")
        rule = str(row.get("rule") or "")
        words = {key: str(row.get(key) or "") for key in ("cause", "lapses", "treaty", "minor")}
        return CasusBelli(f"cb{i + 1}", holder, against, area, rule, demanded=row.get("demanded") is True, **words)

    def read(self, patch: Any) -> State:
        """Return the patched position. It is possible only if `problems` is empty."""
        tree = self.table(patch, "position", TOP_KEYS)
        s = self.start
        if "turn" in tree:
            s = replace(s, turn=self.whole(tree["turn"], "turn", 1, 10, 1))
        if "phase" in tree:
            phase = self.name(tree["phase"], "phase", dict.fromkeys(PHASES), f"Phase (there are {', '.join(PHASES)})")
            s = replace(s, frames=(InProgress(phase or s.phase),), beside=None)
        areas, homes, zones, powers = dict(s.areas), dict(s.homes), dict(s.sea_zones), dict(s.powers)
        for name, value in self.table(tree.get("areas", {}), "areas").items():
            if self.name(name, f"areas.{name}", areas, "Area"):
                areas[name] = self.area(name, value)
        for name, value in self.table(tree.get("homes", {}), "homes").items():
            if self.name(name, f"homes.{name}", homes, "Power with a Home Country"):
                row = self.table(value, f"homes.{name}", ("units",))
                if "units" in row:
                    homes[name] = self.units(row["units"], f"homes.{name}.units", "home:" + name)
        for name, value in self.table(tree.get("sea_zones", {}), "sea_zones").items():
            if name in self.tables.capes:
                self.wrong(f"sea_zones.{name}", "a Cape Zone exists in War only", "SET-019", "MOV-005")
            elif self.name(name, f"sea_zones.{name}", zones, "Sea Zone"):
                row = self.table(value, f"sea_zones.{name}", ("merchant_fleets", "units"))
                where = f"sea_zones.{name}.merchant_fleets"
                listed = self.rows(row.get("merchant_fleets", list(zones[name])), where)
                fleets = [self.name(p, where, self.tables.powers, "Power") for p in listed]
                if len(set(fleets)) != len(fleets):
                    self.wrong(where, "two Merchant Fleets of one Power in a Sea Zone", "MOV-003")
                if row.get("units"):
                    s = replace(s, at_sea={**s.at_sea, name: self.units(row["units"], f"sea_zones.{name}.units", name)})
                zones[name] = tuple(p for p in fleets if p)
        for name, value in self.table(tree.get("capes", {}), "capes").items():
            if self.name(name, f"capes.{name}", self.tables.capes, "Cape Zone"):
                row = self.table(value, f"capes.{name}", ("units",))
                if row.get("units"):
                    s = replace(s, at_sea={**s.at_sea, name: self.units(row["units"], f"capes.{name}.units", name)})
        for name, value in self.table(tree.get("powers", {}), "powers").items():
            if self.name(name, f"powers.{name}", powers, "Power with a Treasury in this game"):
                powers[name] = self.power(name, value)
        indexes = self.table(tree.get("indexes", {}), "indexes", ("european_tensions", "chinese_resentment"))
        tension = self.whole(indexes.get("european_tensions", 0), "indexes.european_tensions", 0, 99)
        resentment = self.whole(indexes.get("chinese_resentment", 0), "indexes.chinese_resentment", 0)
        in_force = self.named(tree, "events_in_force", self.tables.events, 'Random Event (two dice, such as "2-5")')
        causes = [self.cause(i, c) for i, c in enumerate(self.rows(tree.get("casus_belli", []), "casus_belli"))]
        treaties = [self.treaty(i, t) for i, t in enumerate(self.rows(tree.get("treaties", []), "treaties"))]
        happening = [self.tables.events[e] for e in in_force]
        wars = any(e.balkan_war for e in happening)
        minors = self.table(tree.get("active_minors", {}), "active_minors", s.minors)
        for name, area_id in minors.items():
            self.name(area_id, f"active_minors.{name}", areas, "Area")
        s = replace(
            s,
            areas=areas,
            homes=homes,
            sea_zones=zones,
            powers=powers,
            tension=tension,
            resentment=resentment,
            events=in_force,
            balkan_wars=self.whole(tree.get("balkan_wars", int(wars)), "balkan_wars", 0),
            leopold=any(e.with_player in s.players and bool(e.extra) for e in happening),
            casus_belli=tuple(c for c in causes if c),
            next_cause=len(causes) + 1,
            treaties=tuple(t for t in treaties if t),
            active_minors={k: str(v) for k, v in minors.items()},
            moved_minors=self.sent(tree.get("moved_minors", {})),
            abandoned=self.named(tree, "abandoned", s.players, "seat"),
        )
        s = war_reader.with_wars(self, s, tree.get("wars"), self.owners)
        if not self.problems:  # counting needs valid parts
            self.whole_position(s)
        return s

    # --- the whole ------------------------------------------------------------------------------------------------

    def whole_position(self, s: State) -> None:
        """Check the position as a whole: number of pieces, and shared Control."""
        for area, here in s.areas.items():
            control = {m.power for m in here.markers if m.established and m.marker in CONTROL}
            strangers = control - set(here.codominion)
            if len(control) > 1 and strangers and s.phase not in LATE_PHASES:
                self.wrong(
                    f"areas.{area}",
                    f"Control markers of {', '.join(sorted(control))} outside a Codominion "
                    f"cannot stand together before Colonial Combat",
                    "COD-001",
                    "CCB-015",
                )
            if here.codominion and any(LEVEL[m.marker] == 5 for m in here.markers):
                self.wrong(f"areas.{area}", "States and Dominions are never part of a Codominion", "COD-013")
        if s.options.counter_limits == "unlimited":
            return
        used: dict[str, Counter[str]] = {p: Counter() for p in self.tables.powers}
        for here in s.areas.values():
            # a marker being upgraded within its pool is one piece turned over
            for power, pool in {(m.power, self.tables.markers[m.marker].pool) for m in here.markers}:
                if power in used:
                    used[power][pool] += 1
        for u in all_units(s):
            if u.power in used:
                used[u.power][str(u.strength)] += 1
        for fleets in s.sea_zones.values():
            for p in fleets:
                used[p]["merchant_fleet"] += 1
        for name, p_state in s.powers.items():
            track = sum(row.merchant_fleets.count(name) for row in self.tables.turns[s.turn :])
            used[name]["merchant_fleet"] += p_state.merchants_due + track
        for power, counts in used.items():
            for pool, n in counts.items():
                most = piece_limit(self.tables, power, pool)
                if n > most + (self.spare(power) if pool == "merchant_fleet" else 0):
                    what = f"strength-{pool} units" if pool.isdigit() else pool.replace("_", " ") + " pieces"
                    self.wrong("position", f"{power} has {most} {what}, not {n}", "SET-039", "SET-042")

    def spare(self, power: str) -> int:
        """Return the Merchant Fleets that the deployment grants a Minor Power beyond its pieces (SET-060)."""
        extra = [u for u in self.tables.start_units if u.only_as_minor and u.unit == "merchant_fleet"]
        return sum(u.count for u in extra if u.power == power) if power in self.start.minors else 0
