"""Exercises and campaigns out of the files of `data/empires/`, checked: what is missing or unknown is refused."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from paxtui.games.empires import tables as field_combat
from paxtui.games.empires.calendar import ECONOMIC, PHASES, turn_of
from paxtui.games.empires.tables import Cell, Exercise, FieldCombat, Morale, Sequence, Tables, Term, missing_cells
from paxtui.session.storage.files import data_path
from paxtui.session.tables.campaigns import FOLDER, campaign_names, read_campaign
from paxtui.session.tables.records import TableError, read_struct, shipped_text

T = TypeVar("T")

MORALE_FILE = "empires/morale.csv"
"""Morale in tenths and ratings without a leader, by nation; with a source for each row."""

EXERCISE_FOLDER = "empires"
"""Where they lie in `data/`."""

FIELD_COMBAT_FILE = "field-combat.toml"
"""Tables of field combat, from a public file under the MIT licence."""


def exercise_names() -> tuple[str, ...]:
    """Return the names of the exercises."""
    return tuple(sorted(path.stem for path in data_path(f"{EXERCISE_FOLDER}/exercises").glob("*.toml")))


def scenario_names() -> tuple[str, ...]:
    """Return the names of the campaigns and of the exercises."""
    return (*campaign_names(), *exercise_names())


def load_exercise(name: str, replaced: Mapping[str, str] | None = None) -> Tables:
    """Load the tables of a shipped exercise or campaign.

    Args:
        name: its name.
        replaced: texts of tables that replace those of a campaign, by name in `data/`.

    Raises:
        TableError: a file has an error, or there is none of this name.
    """
    return _load_cached(name, tuple(sorted((replaced or {}).items())))


@cache
def _load_cached(name: str, replaced: tuple[tuple[str, str], ...]) -> Tables:
    if name in campaign_names():
        return complete_tables(f"{FOLDER}/numbers.csv", "", read_campaign(name, dict(replaced)))
    if replaced:
        raise TableError(replaced[0][0], 1, f"{name} does not use this table (only the campaign of 1805 does)")
    file = f"{EXERCISE_FOLDER}/exercises/{name}.toml"
    if name not in exercise_names():
        raise TableError(file, 1, f"there is no such exercise ({', '.join(exercise_names())})")
    return read_exercise(file, shipped_text(file))


def read_exercise(file: str, text: str) -> Tables:
    """Read the tables of an exercise.

    Args:
        file: its name, for error messages.
        text: its text.

    Raises:
        TableError: something in it is missing, unknown, or does not fit together.
    """
    return complete_tables(file, text, read_struct(file, text, Exercise))


def complete_tables(file: str, text: str, exercise: Exercise) -> Tables:
    """Add the tables that all exercises share, and check that everything fits together.

    Args:
        file, text: the file of the exercise, for error messages.
        exercise: the exercise.

    Raises:
        TableError: as `read_exercise`.
    """
    sequence = _read_shipped("sequence.toml", Sequence)
    cells = _read_shipped("cells.toml", dict[str, Cell])
    terms = _read_shipped("terms.toml", dict[str, Term])
    casualties = _read_shipped("casualties.toml", dict[int, tuple[int, ...]])
    for name in exercise.cells:
        if name in cells:
            raise TableError(file, _line_of_word(text, name), f"the text gives cell '{name}' (leave it out)")
    combat = replace(_read_shipped(FIELD_COMBAT_FILE, FieldCombat), casualties=casualties)
    for reason in field_combat.find_faults(combat):
        raise TableError(f"{EXERCISE_FOLDER}/{FIELD_COMBAT_FILE}", 1, reason)
    rows = [_convert_row(row) for row in csv.DictReader(shipped_text(MORALE_FILE).splitlines())]
    tables = Tables(
        exercise=exercise,
        sequence=sequence,
        cells={**cells, **exercise.cells},
        terms=terms,
        field_combat=combat,
        casualties=casualties,
        morale={(row.nation, row.kind): row for row in rows},
    )
    for at, reason in _faults(tables):
        raise TableError(file, _line_of_word(text, at), reason)
    return tables


def _faults(tables: Tables) -> Iterator[tuple[str, str]]:
    """Yield what does not fit together: a word in the line, and the reason."""
    exercise = tables.exercise
    known = {*tables.areas, *exercise.powers, *(minor.id for minor in exercise.minors)}
    for power in exercise.powers:
        if power not in tables.sequence.names:
            yield power, f"there is no Power '{power}' (one of: {', '.join(tables.sequence.names)})"
    for phase in exercise.phases:
        if phase not in PHASES:
            yield phase, f"there is no phase '{phase}' (one of: {', '.join(PHASES)})"
    if not set(exercise.phases) - {ECONOMIC}:
        yield "phases", "nothing is played (name a phase)"
    for month in (exercise.first, exercise.last):
        try:
            turn_of(month)
        except ValueError as error:
            yield month, f"{error}"
    unpublished = (*missing_cells(tables.cells, exercise.phases), *field_combat.needed_cells(exercise))
    for name in (one for one in unpublished if one not in tables.cells):
        yield "cells", f"cell '{name}' is missing: nobody published it, so the exercise has to give it (source ours)"
    for nation in field_combat.fighting_nations(exercise):
        try:
            tables.morale_of(nation)
        except KeyError:
            yield nation, f"'{nation}' has no row in {MORALE_FILE} (see 'morale' of the exercise)"
    for ids in _exercise_ids(exercise):
        for twice in {one for one in ids if ids.count(one) > 1}:
            yield twice, f"'{twice}' is given twice (each once)"
    for word, kinds in _references(exercise):
        if word and word not in known:
            yield word, f"there is no {kinds} '{word}'"


def _exercise_ids(exercise: Exercise) -> Iterable[list[str]]:
    groups: tuple[Iterable[str], ...] = (
        (area.id for area in exercise.areas),
        (fleet.id for fleet in exercise.fleets),
        (corps.id for corps in exercise.corps),
        (minor.id for minor in exercise.minors),
        (leader.id for leader in exercise.leaders),
    )
    return [list(group) for group in groups]


def _references(exercise: Exercise) -> Iterator[tuple[str, str]]:
    """Yield each name that refers to something else, and what that should be."""
    for border in exercise.borders:
        yield border.a, "area"
        yield border.b, "area"
    for area in exercise.areas:
        yield area.owner, "Power or minor country"
        yield area.coast, "sea area"
        yield area.gate, "area"
        for sea in area.coasts:
            yield sea, "sea area"
    for relation in exercise.relations:
        yield relation.a, "Power"
        yield relation.b, "Power"
    for fleet in exercise.fleets:
        yield fleet.power, "Power"
        yield fleet.nation, "Power or minor country"
        yield fleet.where, "area"
    for corps in exercise.corps:
        yield corps.power, "Power"
        yield corps.nation, "Power or minor country"
        yield corps.where, "area"
    for ship in exercise.shipyard:
        yield ship.power, "Power"
        yield ship.nation, "Power or minor country"
    for station in exercise.stations:
        yield station.power, "Power"
        for sea in station.where:
            yield sea, "sea area"
    for power in exercise.accounts:
        yield power, "Power"


def _read_shipped(file: str, kind: type[T]) -> T:
    """Return the contents of a shipped file that all exercises share. Raises: TableError."""
    name = f"{EXERCISE_FOLDER}/{file}"
    return read_struct(name, shipped_text(name), kind)


def _convert_row(row: dict[str, str]) -> Morale:
    """Return a row of the morale table. Raises: TableError."""
    try:
        return msgspec.convert(row, type=Morale, strict=False)
    except msgspec.ValidationError as error:
        raise TableError(MORALE_FILE, 1, f"{error}") from None


def _line_of_word(text: str, word: str) -> int:
    """Return the number of the first line with a word; 1 if there is none."""
    return next((n for n, line in enumerate(text.splitlines(), 1) if word in line and line.strip()[:1] != "#"), 1)
