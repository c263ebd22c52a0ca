"""The tables of an exercise: map, Powers, starting pieces, field combat, morale and single numbers.

Each number has its source: the rules, a public file, or `ours` where none is published. Missing numbers are errors.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Literal

import msgspec

from paxtui.games.empires.pieces import Corps, Depot, Factors, Fleet, Garrison, Leader, ShipsDue
from paxtui.games.empires.state import Account, Minor, Relation


class Cell(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A number of a table.

    Attributes:
        value: the number.
        source: `text` (from the rules), `public` (from a public file), `ours` (not published).
        why: the section or file, or the reason for our choice.
    """

    value: int
    source: Literal["text", "public", "ours"]
    why: str


NEEDED: Mapping[str, tuple[str, ...]] = {
    "political": ("alliance_points",),
    "naval": ("naval.intercept", *(f"naval.combat.{roll}" for roll in range(8)), "winter.from", "winter.to"),
}
"""Names of the cells that each phase cannot do without, by phase. The kernel ships them empty."""


def missing_cells(cells: Mapping[str, Cell], phases: tuple[str, ...]) -> tuple[str, ...]:
    """Return the cells that the phases need but the exercise lacks."""
    return tuple(name for phase in phases for name in NEEDED.get(phase, ()) if name not in cells)


Terrain = Literal["clear", "forest", "mountain", "marsh", "desert"]


class Area(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An area or a sea area.

    Attributes:
        id: its name in orders.
        name: as it is shown.
        sea: whether it is a sea area.
        owner: the Power or minor country whose territory it is, "" for none.
        terrain: clear, forest, mountain, marsh or desert.
        forage: forage value.
        city: name of its city, "" for none.
        supply: supply value of the city, 0 without one.
        capital: whether the city is a capital.
        port: whether the city is a port, with a blockade box.
        coast: of a port, the sea area that it opens to.
        coasts: more sea areas that touch its blockade box.
        gate: of a sea area, the area whose holder says who enters it (Constantinople for the Dardanelles).
        guns: of a port, its harbour defence value.
        winter: whether it lies in the winter zone, or of a sea area north of the ice line.
        x, y: where it is drawn, in columns and rows of 100 by 100.
        sign: its letter in the drawing of a campaign, "" without one.
    """

    id: str
    name: str
    sea: bool = False
    owner: str = ""
    terrain: Terrain = "clear"
    forage: int = 0
    city: str = ""
    supply: int = 0
    capital: bool = False
    port: bool = False
    coast: str = ""
    coasts: tuple[str, ...] = ()
    gate: str = ""
    guns: int = 0
    winter: bool = False
    x: int = 0
    y: int = 0
    sign: str = ""


class Border(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A connection of two areas or sea areas: open, across a river, or by a crossing arrow over a sea area."""

    a: str
    b: str
    kind: Literal["open", "river", "crossing"] = "open"
    sea: str = ""


class Station(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Waters worth political points to their holder at the end of a naval phase; a rule of the exercises only.

    Attributes:
        power: the Power that gains the points.
        where: sea areas, any of them.
        ships: required number of ships of the Power and its combined Powers in one of them.
        points: political points, at most once a month; no enemy ship may be there.
        why: in a few words.
    """

    power: str
    where: tuple[str, ...]
    ships: int
    points: int
    why: str


class Reinforcement(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Reinforcements of a Power in a month.

    Attributes:
        month: as "1805-10".
        power: the Power.
        money: money points.
        where: the area of the factors, "" for any that the rules of a campaign allow.
        nation: the minor free state whose factors they are, "" for the Power itself.
        factors: army factors.
        corps: corps counters, with their factors.
    """

    month: str
    power: str
    money: int = 0
    where: str = ""
    nation: str = ""
    factors: Factors = Factors()
    corps: tuple[Corps, ...] = ()


class Exercise(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An exercise.

    Attributes:
        id: its name, that of its file.
        title: as it is shown.
        about: what it is and what it exercises, a few sentences.
        powers: who plays.
        first, last: its first and last month, as "1805-06".
        phases: the phases to play, in the order of the month; others are skipped.
        without: steps of these phases to skip.
        order: `campaign`, or `scenario` (France moves first on land, then all others).
        victory: the victory condition, in a sentence.
        accounts: what each Power has at the start.
        relations, areas, borders, minors, fleets, corps, garrisons, depots, leaders: the start.
        shipyard: ships and fleet counters that come later.
        access: permanent access to areas and ports: holder and guest.
        combined: allies who move together every month.
        stations: waters worth points.
        modifiers: national modifiers for minor country control, by minor country and Power.
        dominant: Powers in the Dominant Zone of the status display, which itself is not public.
        morale: by nation the kind of its row in the morale table, if it has several.
        reinforcements: what comes later, by land.
        prizes: political points at the end for control of an area that the Power did not control at the start.
        battles: field combats after which it is over, 0 for no end by them.
        sides: Powers that win and lose together; empty if each Power plays for itself.
        complete: whether the reconstructed rules are played: sieges, assaults, choice of losses, the guard, retreats.
        drawing: rows of the drawn map, each cell the sign of an area, " " for sea or "." for land outside the map.
        cells: numbers of tables.
    """

    id: str
    title: str
    about: str
    powers: tuple[str, ...]
    first: str
    last: str
    phases: tuple[str, ...]
    without: tuple[str, ...] = ()
    order: Literal["campaign", "scenario"] = "campaign"
    victory: str = ""
    accounts: dict[str, Account] = {}
    relations: tuple[Relation, ...] = ()
    areas: tuple[Area, ...] = ()
    borders: tuple[Border, ...] = ()
    minors: tuple[Minor, ...] = ()
    fleets: tuple[Fleet, ...] = ()
    corps: tuple[Corps, ...] = ()
    garrisons: tuple[Garrison, ...] = ()
    depots: tuple[Depot, ...] = ()
    leaders: tuple[Leader, ...] = ()
    shipyard: tuple[ShipsDue, ...] = ()
    access: tuple[tuple[str, str], ...] = ()
    combined: tuple[tuple[str, ...], ...] = ()
    stations: tuple[Station, ...] = ()
    modifiers: dict[str, dict[str, int]] = {}
    dominant: tuple[str, ...] = ()
    morale: dict[str, str] = {}
    reinforcements: tuple[Reinforcement, ...] = ()
    prizes: dict[str, int] = {}
    battles: int = 0
    sides: tuple[tuple[str, ...], ...] = ()
    complete: bool = False
    drawing: tuple[str, ...] = ()
    cells: dict[str, Cell] = {}


ATTACKER_CHITS = ("outflank", "assault", "escalated_assault", "echelon", "probe")
DEFENDER_CHITS = ("outflank", "counterattack", "escalated_counterattack", "cordon", "withdraw", "defend")

ROUNDS = 3
"""Rounds of one day of combat."""

Level = tuple[int, int]
"""Casualty level and morale level of the table a side uses in a round; (0, 0): it does not fight."""


class Pairing(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The chart's row for a chit of the attacker against one of the defender.

    Attributes:
        attacker, defender: the chits.
        river: whether this row is for an attacker who came over a river (only Cordon has rows of its own).
        attacker_rounds, defender_rounds: the table of either side in each round.
        attacker_arrived, defender_arrived: the same in the rounds after an outflanking force has arrived.
        withdrawal: what is added to the strategic rating of a defender who withdraws; None: no such roll.
        outflank: what is added to the strategic rating of the outflanking side, after rounds 1 and 2; empty: no roll.
        defender_leaves: the defender escapes when the chart has no further table for the defender.
        ratings_count: whether tactical ratings change the dice.
        national: nations with a special rule in this pairing; not applied.
    """

    attacker: str
    defender: str
    attacker_rounds: tuple[Level, Level, Level]
    defender_rounds: tuple[Level, Level, Level]
    river: bool = False
    attacker_arrived: tuple[Level, ...] = ()
    defender_arrived: tuple[Level, ...] = ()
    withdrawal: int | None = None
    outflank: tuple[int, ...] = ()
    defender_leaves: bool = False
    ratings_count: bool = True
    national: tuple[str, ...] = ()


class Shifts(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a terrain adds to the levels of either side, to a roll for outflanking and to one for reinforcing."""

    attacker_casualties: int = 0
    defender_casualties: int = 0
    attacker_morale: int = 0
    defender_morale: int = 0
    outflank: int = 0
    reinforce: int = 0


class Ratings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What ratings add to the dice of attacker and defender: by tactical rating of the defender, then the attacker."""

    modifiers: tuple[tuple[tuple[int, int], ...], ...]


class FieldCombat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All tables of field combat.

    Attributes:
        provenance: where they come from.
        tables: by name ("3-1", casualty level and morale level) the percentage and the tenths of morale for a modified
            die of 0 to 7.
        ratings: see `Ratings`.
        terrain: shifts by terrain.
        chart: the operational possibilities chart.
        casualties: by percentage the factors lost for 1 to 20 factors of the side that inflicts the loss.
    """

    provenance: str
    tables: dict[str, tuple[tuple[int, int], ...]]
    ratings: Ratings
    terrain: dict[str, Shifts]
    chart: tuple[Pairing, ...]
    casualties: dict[int, tuple[int, ...]] = {}

    def pairing(self, attacker: str, defender: str, river: bool) -> Pairing:
        """The row of two chits. Raises: KeyError, where the chart has none."""
        rows = [row for row in self.chart if (row.attacker, row.defender) == (attacker, defender)]
        for row in rows:
            if row.river == river:
                return row
        if not rows:
            raise KeyError(f"{attacker} against {defender}")
        return rows[0]


def find_faults(tables: FieldCombat) -> list[str]:
    """Yield each missing or wrong entry of the tables as a line."""
    found = [
        f"tables.{casualty}-{morale}: not there, or not 8 columns"
        for casualty in range(1, 6)
        for morale in range(1, 6)
        if len(tables.tables.get(f"{casualty}-{morale}", ())) != 8
    ]
    percentages = {percent for table in tables.tables.values() for percent, _ in table} - {0}
    found += [
        f"casualties.{percent}: not there, or not 20 columns"
        for percent in sorted(percentages)
        if len(tables.casualties.get(percent, ())) != 20
    ]
    if [len(row) for row in tables.ratings.modifiers] != [6] * 6:
        found.append("ratings.modifiers: 6 rows of 6 are needed")
    rows = {(row.attacker, row.defender, row.river) for row in tables.chart}
    wanted = {(a, d, False) for a in ATTACKER_CHITS for d in DEFENDER_CHITS}
    wanted |= {(a, "cordon", True) for a in ATTACKER_CHITS}
    found += [
        f"chart: no row for {a} against {d}{' over a river' if river else ''}" for a, d, river in sorted(wanted - rows)
    ]
    found += [f"chart: {a} against {d} is no pairing" for a, d, river in sorted(rows - wanted)]
    levels = (
        (row, level)
        for row in tables.chart
        for rounds in (row.attacker_rounds, row.defender_rounds, row.attacker_arrived, row.defender_arrived)
        for level in rounds
    )
    found += [
        f"chart: {row.attacker} against {row.defender} names the table {level[0]}-{level[1]}"
        for row, level in levels
        if level != (0, 0) and f"{level[0]}-{level[1]}" not in tables.tables
    ]
    return found


LAND_CELLS = "land"
"""The phase that needs them."""

ALWAYS_NEEDED = ("battle.days", "battle.large", "points.battle", "points.battle.large")
PURSUIT = tuple(f"pursuit.{die}" for die in range(1, 7))


def needed_cells(exercise: Exercise) -> tuple[str, ...]:
    """The cells that an exercise with a land phase needs: depots by Power, combat and pursuit."""
    if not exercise.corps or LAND_CELLS not in exercise.phases:
        return ()
    depots = tuple(f"depots.{power}" for power in exercise.powers)
    return (*ALWAYS_NEEDED, *PURSUIT, *depots)


def fighting_nations(exercise: Exercise) -> tuple[str, ...]:
    """Return the nations whose factors may fight on land: they need a row of morale."""
    if not exercise.corps or LAND_CELLS not in exercise.phases:
        return ()
    later = (one.nation for each in exercise.reinforcements for one in each.corps if one.nation)
    return tuple(dict.fromkeys((*exercise.powers, *(one.nation for one in exercise.corps if one.nation), *later)))


class Sequence(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The orders in which Powers act, from the text (3.1 to 3.4).

    Attributes:
        names: the Powers by id, as they are shown.
        naval_reinforcement, army_reinforcement, naval, land, minors: an order each.
    """

    names: dict[str, str]
    naval_reinforcement: tuple[str, ...]
    army_reinforcement: tuple[str, ...]
    naval: tuple[str, ...]
    land: tuple[str, ...]
    minors: tuple[str, ...]


class Term(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A peace term.

    Attributes:
        name: what is known of it, in our words.
        list: A, B or C.
        effect: what of it is played, "" for nothing.
        precludes: terms that cannot be combined with it.
        section: its section in the rules.
    """

    name: str
    list: Literal["A", "B", "C"]
    effect: Literal["", "access", "shared"] = ""
    precludes: tuple[str, ...] = ()
    section: str = ""


class Morale(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The morale of a nation's factors, and its ratings in field combat without a leader.

    Attributes:
        nation: a Power or a minor country.
        kind: the row, if a nation has several: normal, dominant, not_dominant, minor, or another name.
        infantry, militia, cavalry, guard, artillery: morale in tenths.
        strategic, tactical: ratings of a force without a leader.
        source: where the numbers come from.
    """

    nation: str
    kind: str
    infantry: int
    militia: int
    cavalry: int
    guard: int
    artillery: int
    strategic: int
    tactical: int
    source: str


MORALE_KINDS = ("normal", "minor", "dominant")
"""The row of a nation for which an exercise names none: the first of these that it has."""


class Tables(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """The tables of an exercise.

    Attributes:
        exercise: the exercise.
        sequence: orders of Powers.
        cells: numbers by name: those of the text, and those of the exercise.
        terms: peace terms by id.
        casualties: the casualty table: by percentage, what 1 to 20 ships or factors inflict.
        field_combat: the tables of field combat, from a public file.
        morale: morale and ratings by nation and kind of row, from a public file.
    """

    exercise: Exercise
    sequence: Sequence
    cells: dict[str, Cell]
    terms: dict[str, Term]
    field_combat: FieldCombat
    casualties: dict[int, tuple[int, ...]] = {}
    morale: dict[tuple[str, str], Morale] = {}

    @cached_property
    def areas(self) -> dict[str, Area]:
        """Areas and sea areas by id."""
        return {area.id: area for area in self.exercise.areas}

    @cached_property
    def ways(self) -> dict[str, dict[str, Border]]:
        """From each area or sea area, the border to each of its neighbours."""
        ways: dict[str, dict[str, Border]] = {area: {} for area in self.areas}
        for border in self.exercise.borders:
            ways[border.a][border.b] = border
            ways[border.b][border.a] = border
        return ways

    @cached_property
    def ports_by_sea(self) -> dict[str, tuple[str, ...]]:
        """For each sea area, the ports whose blockade boxes touch it."""
        ports = [area for area in self.exercise.areas if area.port]
        return {sea: tuple(one.id for one in ports if sea in (one.coast, *one.coasts)) for sea in self.areas}

    @cached_property
    def seas_by_area(self) -> dict[str, tuple[str, ...]]:
        """For each area or sea area, the sea areas that border on it."""
        return {area: tuple(one for one in self.ways[area] if self.areas[one].sea) for area in self.areas}

    @cached_property
    def land_ways(self) -> dict[str, tuple[str, ...]]:
        """For each area or sea area, the areas that border on it."""
        return {area: tuple(one for one in self.ways[area] if not self.areas[one].sea) for area in self.areas}

    @cached_property
    def names(self) -> dict[str, str]:
        """Names of Powers, minor countries, areas and sea areas by id; a campaign calls its areas by their cities."""
        minors = {minor.id: minor.id.replace("_", " ").title() for minor in self.exercise.minors}
        by_city = bool(self.exercise.drawing)
        areas = {area.id: area.city if by_city and area.city else area.name for area in self.exercise.areas}
        return {**minors, **areas, **self.sequence.names}

    @cached_property
    def corps_names(self) -> dict[str, str]:
        """Names of corps by id: III Corps, Vienna Corps, Army of Italy."""
        later = (corps for one in self.exercise.reinforcements for corps in one.corps)
        ids = (corps.id for corps in (*self.exercise.corps, *later))
        return {id_: _corps_name(id_) for id_ in ids}

    def morale_of(self, nation: str) -> Morale:
        """Return the morale and ratings of a nation. Raises: KeyError, if the table has no row for it."""
        named = self.exercise.morale.get(nation)
        for kind in (named,) if named else MORALE_KINDS:
            if (nation, kind) in self.morale:
                return self.morale[nation, kind]
        raise KeyError(f"morale of {nation}")

    def number(self, cell: str) -> int:
        """Return the number of a cell. Raises: KeyError if the exercise lacks it."""
        return self.cells[cell].value

    def optional_number(self, cell: str) -> int:
        """Return the number of a cell that switches on a rule of ours; 0 in tables that are older than the rule."""
        return self.cells[cell].value if cell in self.cells else 0

    def name(self, id_: str) -> str:
        """Return the name of anything with an id."""
        return self.names.get(id_) or id_.replace("_", " ").title()


def _name_from_id(id_: str) -> str:
    """Return an id as a name, with Roman numerals in capitals."""
    return id_.upper() if set(id_) <= set("ivx") else id_.replace("_", " ").title()


def leader_name(id_: str) -> str:
    """Return a leader's name: "Mack von Leiberich"."""
    return id_.replace("_", " ").title().replace(" Von ", " von ")


def _corps_name(id_: str) -> str:
    """Return the name of a corps: III Corps, Vienna Corps, Army of Italy."""
    kind, _, place = id_.partition("_")
    if place and kind in ("army", "reserve"):
        return f"{kind.title()} of {place.title()}"
    return f"{_name_from_id(id_.removesuffix('_corps'))} Corps"
