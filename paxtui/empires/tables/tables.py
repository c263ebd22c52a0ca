"""All tables of one exercise: what the text gives for every game, and the exercise itself."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

import msgspec

from paxtui.empires.tables.cells import Cell
from paxtui.empires.tables.exercise import Exercise
from paxtui.empires.tables.field_combat import FieldCombat
from paxtui.empires.tables.map import Area, Border


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
        precludes: terms that nobody may choose beside it.
        section: where the text speaks of it.
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
    def names(self) -> dict[str, str]:
        """What Powers, minor countries, areas and sea areas are called, by id."""
        minors = {minor.id: minor.id.replace("_", " ").title() for minor in self.exercise.minors}
        return {**minors, **{area.id: area.name for area in self.exercise.areas}, **self.sequence.names}

    @cached_property
    def corps_names(self) -> dict[str, str]:
        """What corps are called, by id: III Corps, Vienna Corps."""
        ids = (corps.id for corps in self.exercise.corps)
        return {id_: f"{_spelt(id_.removesuffix('_corps'))} Corps" for id_ in ids}

    def morale_of(self, nation: str) -> Morale:
        """Return the morale and ratings of a nation. Raises: KeyError, if the table has no row for it."""
        named = self.exercise.morale.get(nation)
        for kind in (named,) if named else MORALE_KINDS:
            if (nation, kind) in self.morale:
                return self.morale[nation, kind]
        raise KeyError(f"morale of {nation}")

    def number(self, cell: str) -> int:
        """The number of a cell. Raises: KeyError, for one that the exercise need not have."""
        return self.cells[cell].value

    def name(self, id_: str) -> str:
        """What a Power, an area, or anything else with an id is called."""
        return self.names.get(id_) or id_.replace("_", " ").title()


def _spelt(id_: str) -> str:
    """An id as a name, Roman numbers in capitals."""
    return id_.upper() if set(id_) <= set("ivx") else id_.replace("_", " ").title()
