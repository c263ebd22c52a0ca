"""Records of CSV and TOML table files, with file and line in all errors; names and texts of the table files.

CSV files may start with comment lines (`#`), followed by the column names and the rows. In TOML a record is a table.
Texts are shipped or replaced by the player.
"""

from __future__ import annotations

import csv
import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from paxtui.session.storage.files import data_path, read_regular

T = TypeVar("T")

REQUIRED: Any = object()
"""Sentinel for "no default": the field is required."""

_ID = re.compile(r"[a-z][a-z0-9_]*")
_RULE_ID = re.compile(r"[A-Z]{3}-[0-9]{3}")
_NUMBER = re.compile(r"-?[0-9]{1,9}")
_HEADING = re.compile(r"\s*(\[\[?)\s*([^\[\]]+?)\s*\]")
_KEY = re.compile(r"""\s*["']?([^"'=\s#\[{]+)["']?\s*=""")


class TableError(Exception):
    """A table file is invalid.

    Args:
        file: name of the file, as in `data/` (`reconstructed/counter_limits.toml`).
        line: line number, from 1; the line of the columns for errors of the whole file.
        reason: the error, with the correct form in brackets.
    """

    def __init__(self, file: str, line: int, reason: str) -> None:
        super().__init__(file, line, reason)
        self.file = file
        self.line = line
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.reason}"


def suggest_nearest(word: str, known: Iterable[str]) -> str:
    """Suggest the nearest known word after an unknown one, or list all if they are few."""
    import difflib  # slow to import, needed only for errors

    names = sorted(known)
    begun = [name for name in names if len(word) > 2 and name.startswith(word)]
    close = begun or difflib.get_close_matches(word, names, n=1, cutoff=0.6)
    if close:
        return f"did you mean '{close[0]}'?"
    if len(names) <= 16:
        return "one of: " + ", ".join(names)
    return f"one of {len(names)}, such as '{names[0]}' or '{names[-1]}'"


class TableRecord:
    """A row of a CSV file or a table of a TOML file.

    Args:
        file: name of the file.
        values: the fields; all strings if `cells`.
        line_of: line of each field by name ("" for the record itself).
        cells: whether the record is a CSV row: numbers and lists are text, and an empty cell is no value.
    """

    __slots__ = ("_asked", "_line_of", "cells", "file", "values")

    def __init__(self, file: str, values: Mapping[str, Any], line_of: Callable[[str], int], cells: bool) -> None:
        self.file = file
        self.values = values
        self.cells = cells
        self._line_of = line_of
        self._asked: set[str] = set()

    def error(self, key: str, reason: str) -> TableError:
        """Create the error for a field ("" for the whole record)."""
        return TableError(self.file, self._line_of(key), reason)

    def _take(self, key: str, default: Any, wanted: str) -> Any:
        self._asked.add(key)
        value = self.values.get(key)
        if value is None or (value == "" and self.cells):
            if default is REQUIRED:
                raise self.error(key, f"no {key} ({wanted})")
            return None
        return value

    def has(self, key: str) -> bool:
        """Whether the field is present and not empty."""
        value = self.values.get(key)
        return value is not None and not (self.cells and value == "")

    def text(self, key: str, default: str = REQUIRED, one_of: Collection[str] = ()) -> str:
        """Return a string; with `one_of`, one of those words."""
        value = self._take(key, default, "one of: " + ", ".join(one_of) if 0 < len(one_of) <= 16 else "a text")
        if value is None:
            return default
        if not isinstance(value, str):
            raise self.error(key, f"{key} is {value!r} (a text in quotes)")
        if one_of and value not in one_of:
            raise self.error(key, f"{key} is '{value}' ({suggest_nearest(value, one_of)})")
        return value

    def new_id(self, key: str, taken: Collection[str]) -> str:
        """Return an id that is not `taken`: lower-case letters, digits and underscores."""
        value = self.text(key)
        if not _ID.fullmatch(value):
            raise self.error(key, f"{key} is '{value}' (lower-case letters, digits and underscores)")
        if value in taken:
            raise self.error(key, f"'{value}' is given twice (each {key} once)")
        return value

    def new_known(self, key: str, known: Mapping[str, Any] | Collection[str], what: str, taken: Collection[str]) -> str:
        """Return the id of an existing item that is not `taken`; `what` names its type ("Area")."""
        value = self.known(key, known, what)
        if value in taken:
            raise self.error(key, f"'{value}' is given twice (each {key} once)")
        return value

    def check_new_key(self, key: str, taken: Collection[str]) -> None:
        """Check that a key is itself an id, and not `taken`."""
        if not _ID.fullmatch(key):
            raise self.error(key, f"the name '{key}' is not an id (lower-case letters, digits and underscores)")
        if key in taken:
            raise self.error(key, f"'{key}' is given twice (once)")

    def whole(self, key: str, default: int = REQUIRED, least: int = 0, most: int = 1000) -> int:
        """Return an integer from `least` to `most`."""
        wanted = f"a whole number from {least} to {most}"
        value = self._take(key, default, wanted)
        if value is None:
            return default
        if self.cells:
            if not _NUMBER.fullmatch(value):
                raise self.error(key, f"{key} is '{value}' ({wanted})")
            number = int(value)
        elif type(value) is int:
            number = value
        else:
            raise self.error(key, f"{key} is {value!r} ({wanted})")
        if not least <= number <= most:
            raise self.error(key, f"{key} is {number} ({wanted})")
        return number

    def flag(self, key: str, default: bool = REQUIRED) -> bool:
        """Return a boolean: yes or no in CSV, true or false in TOML."""
        value = self._take(key, default, "yes or no" if self.cells else "true or false")
        if value is None:
            return default
        if self.cells:
            if value not in ("yes", "no"):
                raise self.error(key, f"{key} is '{value}' (yes or no)")
            return bool(value == "yes")
        if not isinstance(value, bool):
            raise self.error(key, f"{key} is {value!r} (true or false)")
        return value

    def texts(self, key: str, default: tuple[str, ...] = REQUIRED) -> tuple[str, ...]:
        """Return distinct strings: separated by blanks in CSV, a list in TOML."""
        value = self._take(key, default, "names separated by spaces" if self.cells else "a list of texts")
        if value is None:
            return default
        if self.cells:
            value = value.split()
        elif not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise self.error(key, f"{key} is {value!r} (a list of texts)")
        if len(set(value)) < len(value):
            twice = next(one for one in value if value.count(one) > 1)
            raise self.error(key, f"{key} has '{twice}' twice (once)")
        return tuple(value)

    def wholes(self, key: str, count: int) -> tuple[int, ...]:
        """Return a TOML list of exactly `count` integers from 0 to 1000."""
        value = self._take(key, REQUIRED, f"a list of {count} whole numbers")
        good = isinstance(value, list) and len(value) == count
        if not good or not all(type(one) is int and 0 <= one <= 1000 for one in value):
            raise self.error(key, f"{key} is {value!r} (a list of {count} whole numbers from 0 to 1000)")
        return tuple(value)

    def choice_of_wholes(self, key: str, known: range) -> tuple[int, ...]:
        """Return a TOML list of distinct integers of a range; empty if missing."""
        wanted = f"a list of different whole numbers from {known[0]} to {known[-1]}"
        value = self._take(key, None, wanted)
        if value is None:
            return ()
        good = isinstance(value, list) and value and all(type(one) is int and one in known for one in value)
        if not good or len(set(value)) < len(value):
            raise self.error(key, f"{key} is {value!r} ({wanted})")
        return tuple(value)

    def known(self, key: str, known: Mapping[str, Any] | Collection[str], what: str, default: str = REQUIRED) -> str:
        """Return the id of an existing item; `what` names its type ("Area")."""
        value = self.text(key, default)
        if value not in known and value != default:
            raise self.error(key, f"there is no {what} '{value}' ({suggest_nearest(value, known)})")
        return value

    def all_known(
        self, key: str, known: Collection[str], what: str, default: tuple[str, ...] = REQUIRED
    ) -> tuple[str, ...]:
        """Return ids of existing items."""
        values = self.texts(key, default)
        for value in values:
            if value not in known:
                raise self.error(key, f"there is no {what} '{value}' ({suggest_nearest(value, known)})")
        return values

    def rules(self) -> tuple[str, ...]:
        """Return the ids in the field `rules`; empty if missing. Does not check that the rules exist."""
        values = self.texts("rules", ())
        for value in values:
            if not _RULE_ID.fullmatch(value):
                raise self.error("rules", f"'{value}' is not the id of a rule (like SET-005)")
        return values

    def inner(self, key: str) -> TableRecord | None:
        """Return the TOML table of a field, None if missing."""
        value = self._take(key, None, "a table")
        if value is None:
            return None
        if not isinstance(value, dict):
            raise self.error(key, f"{key} is {value!r} (a table of its own)")
        # An inline table is on the line of its key, with all its fields.
        return TableRecord(self.file, value, lambda inside: self._line_of(f"{key}.{inside}" if inside else key), False)

    def done(self) -> None:
        """Reject fields that were not read, probably typing errors. For TOML; CSV columns are fixed."""
        for key in self.values:
            if key not in self._asked:
                raise self.error(key, f"unknown field '{key}' ({suggest_nearest(key, self._asked)})")


class CsvTable:
    """The rows of a CSV file with exactly the given columns, in any order.

    Args:
        file: name of the file.
        text: its text.
        columns: the required columns.

    Raises:
        TableError: no columns, wrong columns, a row of the wrong length, broken quotes, no rows.
    """

    def __init__(self, file: str, text: str, columns: Collection[str]) -> None:
        self.file = file
        self.records: list[TableRecord] = []
        self.head = 1
        # Comments become empty lines: quotes in them are ignored and line numbers stay.
        lines = ["" if line.startswith("#") else line.rstrip("\r") for line in text.split("\n")]
        reader = csv.reader(lines, strict=True)
        names: list[str] = []
        try:
            for cells in reader:
                number = reader.line_num
                if not any(cells):
                    continue
                if not names:
                    names = [cell.strip() for cell in cells]
                    self.head = number
                    self._check_columns(names, columns)
                    continue
                if len(cells) != len(names):
                    raise TableError(file, number, f"{len(cells)} cells ({len(names)}: {', '.join(names)})")
                self.records.append(self._row(names, cells, number))
        except csv.Error as problem:
            line = max(1, reader.line_num)
            raise TableError(file, line, f"{problem} (cells separated by commas, quotes closed)") from None
        if not self.records:
            raise TableError(file, self.head, f"the file is empty (the columns {', '.join(columns)} and their rows)")

    def _row(self, names: Sequence[str], cells: Sequence[str], line: int) -> TableRecord:
        values = {name: cell.strip() for name, cell in zip(names, cells, strict=True)}
        return TableRecord(self.file, values, lambda _: line, True)

    def _check_columns(self, names: list[str], columns: Collection[str]) -> None:
        wanted = ", ".join(columns)
        for name in columns:
            if name not in names:
                raise self.error(f"the column '{name}' is missing ({wanted})")
        for name in names:
            if name not in columns:
                raise self.error(f"unknown column '{name}' ({wanted})")
            if names.count(name) > 1:
                raise self.error(f"the column '{name}' is there twice (once)")

    def error(self, reason: str) -> TableError:
        """Create the error for the file as a whole."""
        return TableError(self.file, self.head, reason)


def read_struct(file: str, text: str, kind: type[T]) -> T:
    """Return the contents of a TOML file as a struct. Args: its name; its text; the struct. Raises: TableError."""
    try:
        return msgspec.convert(tomllib.loads(text), type=kind, str_keys=True)
    except tomllib.TOMLDecodeError as error:
        raise TableError(file, 1, f"{error} (TOML)") from None
    except msgspec.ValidationError as error:
        raise TableError(file, 1, str(error)) from None


class TomlTable:
    """A TOML file; `top` is its top-level table.

    Raises:
        TableError: the text is not TOML, or is empty.
    """

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self._text = text
        self._lines: dict[tuple[str, ...], int] = {}
        try:
            values = tomllib.loads(text.replace("\r\n", "\n"))
        except tomllib.TOMLDecodeError as problem:
            found = re.search(r"at line (\d+)", str(problem))
            line = int(found[1]) if found else text.count("\n", 0, len(text.rstrip())) + 1
            raise TableError(file, line, f"{problem} (valid TOML)") from None
        except (RecursionError, ValueError) as problem:  # nested too deeply, or an invalid number or date
            raise TableError(file, 1, f"{type(problem).__name__}: {problem} (valid TOML)") from None
        if not values:
            raise TableError(file, 1, "the file is empty (its tables)")
        self.top = self._record(values)

    def _record(self, values: dict[str, Any], *path: str) -> TableRecord:
        return TableRecord(self.file, values, lambda key: self.line((*path, key) if key else path), False)

    def line(self, path: tuple[str, ...]) -> int:
        """Line of a key by its path, `("event", "3", "power")`, or of the nearest enclosing table."""
        if not self._lines:
            self._find_lines()
        path = tuple(part for one in path for part in one.split("."))
        while path and path not in self._lines:
            path = path[:-1]
        return self._lines.get(path, 1)

    def _find_lines(self) -> None:
        """Find the lines of the keys by headings and `key =` at line starts; `tomllib` does not report them."""
        self._lines[()] = 1
        heading: tuple[str, ...] = ()
        counts: dict[str, int] = {}
        for number, line in enumerate(self._text.split("\n"), 1):
            found = _HEADING.match(line)
            if found:
                name = found[2].replace('"', "").replace("'", "")
                heading = tuple(name.split("."))
                if found[1] == "[[":
                    heading = (*heading, str(counts.get(name, 0)))
                    counts[name] = counts.get(name, 0) + 1
                    self._lines.setdefault(heading[:-1], number)
                self._lines.setdefault(heading, number)
                continue
            found = _KEY.match(line)
            if found:
                self._lines.setdefault((*heading, *found[1].split(".")), number)

    def table(self, key: str) -> TableRecord:
        """Return a required table of the file."""
        values = self.top._take(key, REQUIRED, f"a table [{key}]")
        if not isinstance(values, dict):
            raise self.top.error(key, f"{key} is {values!r} (a table [{key}])")
        return self._record(values, key)

    def tables(self, key: str, required: bool = True) -> list[TableRecord]:
        """Return the tables `[[key]]` of the file; at least one if `required`."""
        rows = self.top._take(key, REQUIRED if required else None, f"tables [[{key}]]")
        if rows is None:
            return []
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise self.top.error(key, f"{key} is not a list of tables (tables [[{key}]])")
        return [self._record(row, key, str(number)) for number, row in enumerate(rows)]


class TableFiles:
    """The files of a set of tables.

    Args:
        texts: their texts, by name in `data/`.

    Attributes:
        texts: as above.
        reconstructed: the files read so far that say that they are reconstructions.
    """

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = texts
        self.reconstructed: set[str] = set()

    def csv(self, name: str, columns: Collection[str]) -> CsvTable:
        """Read a CSV file. Raises: TableError."""
        return CsvTable(name, self.texts[name], columns)

    def toml(self, name: str) -> TomlTable:
        """Read a TOML file. Raises: TableError."""
        table = TomlTable(name, self.texts[name])
        if name.startswith("reconstructed/") and table.top.flag("reconstructed", False):
            self.reconstructed.add(name)
        return table


TABLE_FILES = (
    "areas.csv",
    "sea_zones.csv",
    "capes.csv",
    "homes.csv",
    "overland_routes.csv",
    "powers.csv",
    "status_markers.csv",
    "unit_costs.csv",
    "chinese_resentment.csv",
    "colonial_office_income.csv",
    "combat_results.csv",
    "minor_activity.csv",
    "unrest_tables.csv",
    "random_events.toml",
    "initial_units.csv",
    "initial_markers.csv",
    "record_sheet.csv",
    "area_lists.toml",
    "africa_paths.toml",
    "options.toml",
    "map_variants.csv",
    "treaty_cities.csv",
    "french_names.csv",
    "reconstructed/game_turn_track.toml",
    "reconstructed/chinese_army_placement.toml",
    "reconstructed/counter_limits.toml",
    "reconstructed/bonus_victory_points.toml",
    "reconstructed/status_marker_placement_effects.toml",
    "reconstructed/casus_belli.toml",
)
"""All files that `load_tables` reads, by name in `data/`."""

VARIANTS_FOLDER = "house"
"""Directory in `data/` of table sets, one sub-directory per set."""
DEFAULT_SET, FIRST_DRAFT = "balanced", "first-draft"
"""The set of new games, and the name of the shipped tables without any set, with which older logs were played."""

_BY_BASE_NAME = {name.rpartition("/")[2]: name for name in TABLE_FILES}


def decode_table(file: str, raw: bytes) -> str:
    """Decode a file as UTF-8, with or without a byte order mark.

    Raises:
        TableError: it is not UTF-8, with the line of the first invalid byte.
    """
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = raw.count(b"\n", 0, problem.start) + 1
        raise TableError(file, line, f"the byte 0x{raw[problem.start]:02x} is not UTF-8 (text in UTF-8)") from None


def read_table_file(name: str, path: Path) -> str:
    """Read a table file of a player. Args: its name in error messages; its path.

    Raises:
        TableError: it cannot be read, or is not UTF-8.
    """
    try:
        return decode_table(name, read_regular(path))
    except OSError as problem:
        raise TableError(name, 1, f"cannot be read: {problem.strerror or problem} (a readable file)") from None


def canonical_name(name: str) -> str:
    """Return the name in `data/` of a table file, from its full name or its last part.

    Raises:
        TableError: there is no such table file.
    """
    canonical = name if name in TABLE_FILES else _BY_BASE_NAME.get(name, "")
    if not canonical:
        near = suggest_nearest(name.rpartition("/")[2], _BY_BASE_NAME)
        raise TableError(name, 1, f"no table has a file of this name ({near})")
    return canonical


def shipped_text(name: str) -> str:
    """Read a shipped table file by its name in `data/`.

    Raises:
        TableError: it cannot be read.
    """
    try:
        return decode_table(name, data_path(name).read_bytes())
    except OSError as problem:
        raise TableError(name, 1, f"cannot be read: {problem.strerror} (install the program again)") from None


def new_game_tables(named: str = "") -> Path | None:
    """Return the directory of the tables of a new game, None for the shipped tables alone.

    Args:
        named: a path, the name of a set, `first-draft`, or "" for the default set.
    """
    if named == FIRST_DRAFT and not Path(named).is_dir():
        return None
    return tables_directory(named or DEFAULT_SET)


def tables_directory(named: str) -> Path:
    """Return the directory of a table set: a path, or the name of a set in `data/house`."""
    ours = data_path(VARIANTS_FOLDER)
    shipped = {path.name: path for path in ours.iterdir() if path.is_dir()} if ours.is_dir() else {}
    own = Path(named)
    return own if own.is_dir() else shipped.get(named, own)


def replacement_texts(directory: Path) -> dict[str, str]:
    """Read the table files in a player's directory, by name in `data/`, without those equal to the shipped ones.

    Args:
        directory: files named as in `data/`, with or without its sub-directories. Files whose name starts with a dot
            are ignored.

    Raises:
        TableError: no such directory, a file that replaces nothing, the same table twice, or a file not in UTF-8.
    """
    if not directory.is_dir():
        raise TableError(str(directory), 1, "is no directory (a directory with tables in it)")
    texts: dict[str, str] = {}
    for path in sorted(directory.rglob("*")):
        inside = path.relative_to(directory)
        if path.is_dir() or any(part.startswith(".") for part in inside.parts):
            continue
        name = canonical_name(inside.as_posix())
        if name in texts:
            raise TableError(inside.as_posix(), 1, f"the table '{name}' is there twice (once)")
        texts[name] = read_table_file(name, path)
    return {name: text for name, text in texts.items() if text != shipped_text(name)}
