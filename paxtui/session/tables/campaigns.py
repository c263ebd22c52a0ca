"""Campaigns of Empires in Arms out of the tables of a folder of `data/empires/`.

A campaign is an `Exercise` whose parts are tables of their own, with a source for each row: `text`, `found` or `ours`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, cast, get_args

import msgspec

from paxtui.games.empires.calendar import LAND, REINFORCEMENT, turn_of
from paxtui.games.empires.pieces import Corps, Depot, Factors, Garrison, Leader
from paxtui.games.empires.state import Account, Minor, Relation
from paxtui.games.empires.tables import Area, Border, Cell, Exercise, Reinforcement, Terrain
from paxtui.session.storage.files import data_path
from paxtui.session.tables.records import (
    VARIANTS_FOLDER,
    CsvTable,
    TableError,
    TableRecord,
    TomlTable,
    read_table_file,
    shipped_text,
)

FOLDER = "empires/1805"
"""The folder of the tables in `data/`."""
HEADING, DRAWING = "scenario.toml", "cells.txt"
SOURCES = ("text", "found", "ours")
ORIGIN = ("source", "why")
"""Columns that each table has: where a row comes from, and a reference or reason."""
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "powers.csv": ("id", "side", "points", "money"),
    "minors.csv": ("id", "status", "controller", "districts"),
    "areas.csv": (
        "id", "name", "sign", "city", "lon", "lat", "owner", "terrain", "forage", "spires", "capital", "winter",
    ),
    "borders.csv": ("a", "b", "kind"),
    "corps.csv": (
        "id", "power", "nation", "kind", "where", "infantry", "militia", "cavalry", "guard", "artillery",
        "most_infantry", "most_cavalry", "most_guard", "swift", "month",
    ),
    "leaders.csv": ("id", "power", "where", "rank", "strategic", "tactical", "most"),
    "garrisons.csv": ("where", "power", "infantry", "militia"),
    "depots.csv": ("where", "power"),
    "reinforcements.csv": ("month", "power", "where", "money", "infantry", "militia", "cavalry", "guard"),
    "victory.csv": ("where", "points"),
    "numbers.csv": ("name", "value"),
}  # fmt: skip
"""The tables with their columns, besides `ORIGIN`."""
FILES = (HEADING, DRAWING, *COLUMNS)
SCALE = 100
"""Columns and rows of the positions of areas."""


class Variant(NamedTuple):
    """A way to play the campaign: its name, what its title adds, and the Powers that another one commands."""

    id: str
    title: str = ""
    about: str = ""
    commanded: Mapping[str, str] = {}


VARIANTS = (
    Variant("ulm-1805"),
    Variant(
        "ulm-1805-two", ", for two", " For two players: Austria commands the Russians as well.", {"russia": "austria"}
    ),
)
POINTS_FOR_TWO = "points.two"
"""Cell: political points that the first Power of `powers.csv` has besides its own where two play (ours)."""


def campaign_names() -> tuple[str, ...]:
    """Return the names of the campaigns."""
    return tuple(variant.id for variant in VARIANTS)


def replaced_campaign_tables(directory: Path | None) -> dict[str, str]:
    """Return the files of a directory that differ from the shipped tables, by name in `data/`, for the header of a log.

    The shipped sets of *Pax Britannica*, the default of new games, replace nothing here.

    Raises:
        TableError: the directory or a file in it cannot be used, or a file replaces nothing.
    """
    if directory is None or directory.resolve().parent == data_path(VARIANTS_FOLDER).resolve():
        return {}
    if not directory.is_dir():
        raise TableError(str(directory), 1, "is no directory (a directory with tables in it)")
    texts = {}
    for path in sorted(directory.iterdir()):
        if path.name.startswith("."):
            continue
        if path.name not in FILES:
            raise TableError(path.name, 1, f"no table has a file of this name ({', '.join(FILES)})")
        name = f"{FOLDER}/{path.name}"
        text = read_table_file(name, path)
        if text != shipped_text(name):
            texts[name] = text
    return texts


def campaign_texts(replaced: Mapping[str, str]) -> dict[str, str]:
    """Return all tables of a campaign as texts by name in `data/`. A log keeps them and depends on no others."""
    return {(name := f"{FOLDER}/{file}"): replaced.get(name) or shipped_text(name) for file in FILES}


def read_campaign(name: str, replaced: Mapping[str, str]) -> Exercise:
    """Read a campaign.

    Args:
        name: one of `campaign_names`.
        replaced: texts of tables that replace the shipped ones, by name in `data/`.

    Raises:
        TableError: a cell is wrong, or the tables do not fit together.
    """
    variant = next(one for one in VARIANTS if one.id == name)
    texts = campaign_texts(replaced)
    return _CampaignReader(variant, {file: texts[f"{FOLDER}/{file}"] for file in FILES}).read()


class _CampaignReader:
    """The tables of a campaign while they are read."""

    def __init__(self, variant: Variant, texts: Mapping[str, str]) -> None:
        self.variant = variant
        self.texts = texts
        self.sides: dict[str, str] = {}
        self.areas: dict[str, Area] = {}
        self.minors: dict[str, Minor] = {}

    def rows(self, file: str) -> list[TableRecord]:
        """Return the rows of a table, each with a checked source."""
        records = CsvTable(f"{FOLDER}/{file}", self.texts[file], (*COLUMNS[file], *ORIGIN)).records
        for row in records:
            row.text("source", one_of=SOURCES)
            if row.text("source") != "ours" and not row.text("why", ""):
                raise row.error("why", "a number that is not ours needs a reference (column 'why')")
        return records

    def power(self, row: TableRecord) -> str:
        """Return the Power of a row that gives the orders."""
        named = row.known("power", self.sides, "Power")
        return self.variant.commanded.get(named, named)

    def where(self, row: TableRecord) -> str:
        return row.known("where", self.areas, "area")

    def read(self) -> Exercise:
        """Read all tables, each after those that it refers to."""
        heading = TomlTable(f"{FOLDER}/{HEADING}", self.texts[HEADING]).top
        accounts = self._read_powers()
        self._read_minors()
        drawing = tuple(line for line in self.texts[DRAWING].split("\n") if line)
        self._read_areas(drawing)
        corps, later = self._read_corps()
        commanded = self.variant.commanded
        minors = [
            *self.minors.values(),
            *(Minor(id=one, status="free", controller=to) for one, to in commanded.items()),
        ]
        powers = tuple(accounts)
        first, last = (self._month(heading, key) for key in ("first", "last"))
        exercise = Exercise(
            id=self.variant.id,
            title=heading.text("title") + self.variant.title,
            about=heading.text("about") + self.variant.about,
            powers=powers,
            first=first,
            last=last,
            phases=(REINFORCEMENT, LAND),
            order="scenario",
            victory=heading.text("victory"),
            accounts=accounts,
            relations=self._relations(powers, turn_of(first)),
            areas=tuple(self.areas.values()),
            borders=self._read_borders(),
            minors=tuple(minors),
            corps=corps,
            garrisons=self._read_garrisons(),
            depots=tuple(Depot(where=self.where(row), power=self.power(row)) for row in self.rows("depots.csv")),
            leaders=self._read_leaders({one.id for one in corps}),
            reinforcements=(*self._read_reinforcements(), *later),
            prizes={self.where(row): row.whole("points", most=100) for row in self.rows("victory.csv")},
            sides=self._groups(powers),
            complete=True,
            drawing=drawing,
            cells=self._read_numbers(),
        )
        heading.done()
        return exercise

    def _month(self, row: TableRecord, key: str) -> str:
        text = row.text(key)
        try:
            turn_of(text)
        except ValueError as error:
            raise row.error(key, f"{error}") from None
        return text

    def _read_powers(self) -> dict[str, Account]:
        accounts: dict[str, Account] = {}
        for row in self.rows("powers.csv"):
            power = row.new_id("id", self.sides)
            self.sides[power] = row.text("side")
            to = self.variant.commanded.get(power, power)
            before = accounts.get(to, Account())
            points = row.whole("points", least=-99, most=99)
            accounts[to] = Account(points=before.points + points, money=before.money + row.whole("money"))
        if self.variant.commanded:
            extra = {row.text("name"): row for row in self.rows("numbers.csv")}.get(POINTS_FOR_TWO)
            first = next(iter(accounts))
            if extra is not None:
                more = accounts[first].points + extra.whole("value", least=-99)
                accounts[first] = msgspec.structs.replace(accounts[first], points=more)
        return accounts

    def _groups(self, powers: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
        names = dict.fromkeys(self.sides[power] for power in powers)
        return tuple(tuple(power for power in powers if self.sides[power] == side) for side in names)

    def _relations(self, powers: tuple[str, ...], since: int) -> tuple[Relation, ...]:
        """Return alliances within the sides, and wars between them."""
        found: list[Relation] = []
        order = 0
        for at, one in enumerate(powers):
            for other in powers[at + 1 :]:
                if self.sides[one] == self.sides[other]:
                    found.append(Relation(kind="alliance", a=one, b=other, since=since))
                else:
                    order += 1
                    found.append(Relation(kind="war", a=one, b=other, since=since, order=order))
        return tuple(found)

    def _read_minors(self) -> None:
        for row in self.rows("minors.csv"):
            name = row.new_id("id", {**self.sides, **self.minors})
            held = row.known("controller", self.sides, "Power", "")
            self.minors[name] = Minor(
                id=name,
                status=row.text("status", one_of=("neutral", "free", "conquered")),
                controller=self.variant.commanded.get(held, held),
                districts=row.whole("districts", least=1),
            )

    def _read_areas(self, drawing: tuple[str, ...]) -> None:
        rows = self.rows("areas.csv")
        places = [(_degrees(row, "lon"), _degrees(row, "lat")) for row in rows]
        x, y = (_scaled([place[at] for place in places]) for at in (0, 1))
        signs: dict[str, str] = {}
        drawn = set("".join(drawing))
        for at, row in enumerate(rows):
            name = row.new_id("id", self.areas)
            sign = row.text("sign")
            if len(sign) != 1 or sign in signs:
                raise row.error("sign", f"sign is '{sign}' (one letter or digit of its own)")
            if sign not in drawn:
                raise row.error("sign", f"no cell of {DRAWING} has the sign '{sign}' (draw the area)")
            signs[sign] = name
            self.areas[name] = Area(
                id=name,
                name=row.text("name"),
                sign=sign,
                city=row.text("city", ""),
                owner=row.known("owner", {**self.sides, **self.minors}, "Power or minor country", ""),
                terrain=cast(Terrain, row.text("terrain", one_of=get_args(Terrain))),
                forage=row.whole("forage", most=9),
                supply=row.whole("spires", most=9),
                capital=row.flag("capital"),
                winter=row.flag("winter"),
                x=x[at],
                y=SCALE - y[at],
            )
        if unknown := drawn - set(signs) - {" ", "."}:
            line = next(n for n, text in enumerate(drawing, 1) if unknown & set(text))
            raise TableError(f"{FOLDER}/{DRAWING}", line, f"no area has the sign '{min(unknown)}' (see areas.csv)")

    def _read_borders(self) -> tuple[Border, ...]:
        found: dict[frozenset[str], Border] = {}
        for row in self.rows("borders.csv"):
            a, b = (row.known(key, self.areas, "area") for key in ("a", "b"))
            if a == b or frozenset((a, b)) in found:
                raise row.error("b", f"the border of {a} and {b} exists already (each pair once)")
            kind = row.text("kind", one_of=("open", "river"))
            found[frozenset((a, b))] = Border(a=a, b=b, kind="river" if kind == "river" else "open")
        return tuple(found.values())

    def _read_corps(self) -> tuple[tuple[Corps, ...], list[Reinforcement]]:
        start: dict[str, Corps] = {}
        later: list[Reinforcement] = []
        taken: set[str] = set()
        for row in self.rows("corps.csv"):
            power, named = self.power(row), row.text("power")
            name = row.new_id("id", taken)
            taken.add(name)
            nation = row.known("nation", self.minors, "minor country", "") or (named if named != power else "")
            factors = _factors(row)
            most = Factors(
                infantry=row.whole("most_infantry"), cavalry=row.whole("most_cavalry"), guard=row.whole("most_guard")
            )
            if factors.infantry + factors.militia > most.infantry:
                raise row.error("most_infantry", f"{name} cannot hold its infantry and militia (raise most_infantry)")
            if not factors.total:
                raise row.error("infantry", f"{name} has no factors (at least one)")
            corps = Corps(
                id=name,
                power=power,
                nation=nation,
                kind=row.text("kind", one_of=("infantry", "cavalry", "artillery", "cossack", "freikorps")),
                where=self.where(row),
                factors=factors,
                most=most,
                swift=row.flag("swift"),
            )
            if row.has("month"):
                later.append(Reinforcement(month=self._month(row, "month"), power=power, corps=(corps,)))
            else:
                start[name] = corps
        return tuple(start.values()), later

    def _read_leaders(self, corps: Collection[str]) -> tuple[Leader, ...]:
        found: dict[str, Leader] = {}
        for row in self.rows("leaders.csv"):
            name = row.new_id("id", {**found, **dict.fromkeys(corps)})
            found[name] = Leader(
                id=name,
                power=self.power(row),
                where=row.known("where", corps, "corps at the start", ""),
                rank=row.text("rank", one_of="ABCD"),
                strategic=row.whole("strategic", most=5),
                tactical=row.whole("tactical", most=5),
                most=row.whole("most", most=20),
            )
        return tuple(found.values())

    def _read_garrisons(self) -> tuple[Garrison, ...]:
        found = []
        for row in self.rows("garrisons.csv"):
            area = self.areas[self.where(row)]
            factors = Factors(infantry=row.whole("infantry"), militia=row.whole("militia"))
            if not 0 < factors.total <= 5 * area.supply:
                raise row.error("infantry", f"{area.city or area.name} holds 1 to {5 * area.supply} factors")
            found.append(Garrison(where=area.id, power=self.power(row), factors=factors))
        return tuple(found)

    def _read_reinforcements(self) -> list[Reinforcement]:
        return [
            Reinforcement(
                month=self._month(row, "month"),
                power=self.power(row),
                where=row.known("where", self.areas, "area", ""),
                nation=row.text("power") if row.text("power") in self.variant.commanded else "",
                money=row.whole("money"),
                factors=Factors(**{kind: row.whole(kind) for kind in ("infantry", "militia", "cavalry", "guard")}),
            )
            for row in self.rows("reinforcements.csv")
        ]

    def _read_numbers(self) -> dict[str, Cell]:
        cells: dict[str, Cell] = {}
        for row in self.rows("numbers.csv"):
            name = row.text("name")
            if name in cells:
                raise row.error("name", f"'{name}' is given twice (each name once)")
            source = {"text": "text", "found": "public", "ours": "ours"}[row.text("source")]
            value = row.whole("value", least=-99)
            cells[name] = msgspec.convert({"value": value, "source": source, "why": row.text("why", "")}, type=Cell)
        for power, to in self.variant.commanded.items():
            gone, own = cells.pop(f"depots.{power}", None), cells.get(f"depots.{to}")
            if gone is not None and own is not None:
                cells[f"depots.{to}"] = msgspec.structs.replace(own, value=own.value + gone.value)
        return cells


def _factors(row: TableRecord) -> Factors:
    return Factors(**{kind: row.whole(kind) for kind in Factors.__struct_fields__})


def _degrees(row: TableRecord, key: str) -> float:
    text = row.text(key)
    with suppress(ValueError):
        degrees = float(text)
        if abs(degrees) <= 180:
            return degrees
    raise row.error(key, f"{key} is '{text}' (degrees, as 16.37)")


def _scaled(numbers: list[float]) -> list[int]:
    """Return the positions of some numbers between the least and the greatest, from 0 to `SCALE`."""
    least, most = min(numbers), max(numbers)
    return [round(SCALE * (one - least) / ((most - least) or 1)) for one in numbers]
