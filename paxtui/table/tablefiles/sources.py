"""Which table files there are, and where their texts come from: shipped, or put in their place by the player."""

from __future__ import annotations

from pathlib import Path

from paxtui.table.disk.files import read_regular
from paxtui.table.disk.resources import data_path
from paxtui.table.tablefiles.text import TableError, nearest

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
"""Every file that `load_tables` reads, by its name in `data/`."""

HOUSE = "house"
"""The directory in `data/` of tables of our own that nobody has to play with, a directory for each set."""

_BY_BASE_NAME = {name.rpartition("/")[2]: name for name in TABLE_FILES}


def as_text(file: str, raw: bytes) -> str:
    """The text of a file in UTF-8, with or without a byte order mark.

    Raises:
        TableError: it is not UTF-8, with the line of the first wrong byte.
    """
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = raw.count(b"\n", 0, problem.start) + 1
        raise TableError(file, line, f"the byte 0x{raw[problem.start]:02x} is not UTF-8 (text in UTF-8)") from None


def canonical_name(name: str) -> str:
    """The name in `data/` of a table file named in full or by its last part.

    Raises:
        TableError: there is no such table file.
    """
    canonical = name if name in TABLE_FILES else _BY_BASE_NAME.get(name, "")
    if not canonical:
        near = nearest(name.rpartition("/")[2], _BY_BASE_NAME)
        raise TableError(name, 1, f"no table has a file of this name ({near})")
    return canonical


def shipped_text(name: str) -> str:
    """The text of a shipped table file, by its name in `data/`.

    Raises:
        TableError: it cannot be read.
    """
    try:
        return as_text(name, data_path(name).read_bytes())
    except OSError as problem:
        raise TableError(name, 1, f"cannot be read: {problem.strerror} (install the program again)") from None


def tables_directory(named: str) -> Path:
    """The directory of tables that is named: a player's own, or one of ours in `data/house` by its name alone."""
    ours = data_path(HOUSE)
    shipped = {path.name: path for path in ours.iterdir() if path.is_dir()} if ours.is_dir() else {}
    own = Path(named)
    return own if own.is_dir() else shipped.get(named, own)


def replacement_texts(directory: Path) -> dict[str, str]:
    """The table files in a player's directory, by their names in `data/`; those that say what is shipped are left out.

    Args:
        directory: holds files with the names of `data/`, in sub-directories as there or without. Files whose name
            begins with a dot are ignored.

    Raises:
        TableError: no such directory, a file that replaces nothing, the same table twice, a file not in UTF-8.
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
        try:
            texts[name] = as_text(name, read_regular(path))
        except OSError as problem:
            raise TableError(name, 1, f"cannot be read: {problem.strerror or problem} (a readable file)") from None
    return {name: text for name, text in texts.items() if text != shipped_text(name)}
