"""Scenario files: a start, a length, handicaps and bots for new games of Pax Britannica, in TOML.

`data/scenarios/` has the shipped ones. Players keep theirs in `scenarios/` of their data directory, or name a path.
An error names the file, the line, what is wrong, and what would be right.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from paxtui.bots.pax.registry import parse_bot_name
from paxtui.engine.refusal import Refusal
from paxtui.engine.toml_text import toml_key, toml_value
from paxtui.games.pax.position.reader import SCENARIO_NAME
from paxtui.games.pax.position.setup import SEATS_BY_PLAYERS, check_options, check_powers, read_position, seats_for
from paxtui.games.pax.position.writer import MAX_DOTS, write_toml
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.options import OPTION_VALUES, option_text
from paxtui.session.storage.files import data_path, player_data, typed_path
from paxtui.session.tables.loader import load_tables
from paxtui.session.tables.records import (
    TableError,
    TableRecord,
    TomlTable,
    new_game_tables,
    read_table_file,
    suggest_nearest,
)

WHOLE_GAME = "1880"
"""The scenario without differences. It has no position."""
SUFFIX = ".toml"
FOLDER = "scenarios"
"""Directory of scenario files in `data/` and in the player's data directory."""
OWN_ORDER = 100
"""Place in lists of a scenario that names none, as those of players."""
MOST_HANDICAP = 500
"""Maximum handicap in Victory Points, either way."""
MOST_PLAYED = 100_000
_INDEX = re.compile(r"\[\d+\]")


class Challenge(msgspec.Struct, frozen=True):
    """A solo challenge: one seat against bots, with the same dice for everybody.

    Attributes:
        seat: the seat of the player.
        seed: seed of the dice.
        goals: Victory Points by medal, the lowest first.
    """

    seat: str
    seed: str
    goals: dict[str, int]


class Balance(msgspec.Struct, frozen=True):
    """Measured games of a scenario.

    Attributes:
        games: number of games.
        bots: the bot at all seats.
        won: games won by seat.
        points: mean Victory Points by seat.
    """

    games: int
    bots: str
    won: dict[str, int]
    points: dict[str, int]


class PaxScenario(msgspec.Struct, frozen=True):
    """A checked scenario.

    Attributes:
        id: its name in commands and logs.
        title: its name for players.
        about: one sentence for lists.
        text: what the player reads before the start.
        order: place in lists.
        seats: the Powers with a player.
        options: options that differ from their defaults, as texts.
        bots: bots by seat; the other seats are for persons.
        handicaps: Victory Points by seat at the start.
        position: differences from the start of 1880, as a patch.
        challenge: the solo challenge, if it is one.
        balance: measured games, if there are any.
    """

    id: str
    title: str
    about: str
    text: str
    seats: tuple[str, ...]
    options: dict[str, str] = {}
    bots: dict[str, str] = {}
    handicaps: dict[str, int] = {}
    position: dict[str, Any] = {}
    challenge: Challenge | None = None
    balance: Balance | None = None
    order: int = OWN_ORDER

    @property
    def free_seats(self) -> tuple[str, ...]:
        """Seats for persons."""
        return tuple(seat for seat in self.seats if seat not in self.bots)

    @property
    def first_turn(self) -> int:
        """Game Turn of the start."""
        turn: int = self.position.get("turn", 1)
        return turn

    @property
    def last_turn(self) -> int:
        """Game Turn of the end."""
        return int(self.options.get("last_turn", "10"))

    @property
    def patch(self) -> dict[str, Any] | None:
        """Patch of the start of 1880, handicaps included; None for the whole game."""
        if self.id == WHOLE_GAME:
            return None
        powers = {name: dict(part) for name, part in self.position.get("powers", {}).items()}
        for seat, points in self.handicaps.items():
            part = powers.setdefault(seat, {})
            part["victory_points"] = part.get("victory_points", 0) + points
        return {**self.position, "scenario": self.id, **({"powers": powers} if powers else {})}


def own_folder() -> Path:
    """Return the directory of the player's own scenarios. Raises: StorageError."""
    return player_data() / FOLDER


def scenario_files() -> dict[str, Path]:
    """Return all scenario files by name, the shipped ones first. A file of a player never hides a shipped one."""
    found: dict[str, Path] = {}
    for folder in (data_path(FOLDER), own_folder()):
        for path in sorted(folder.glob(f"*{SUFFIX}")) if folder.is_dir() else ():
            if SCENARIO_NAME.fullmatch(path.stem):
                found.setdefault(path.stem, path)
    return found


def find_scenario_file(name: str) -> Path | None:
    """Return the file of a scenario, by its name or as a path; None if there is none."""
    found = scenario_files().get(name)
    if found is None and (name.endswith(SUFFIX) or "/" in name):
        found = typed_path(name)
    return found


@lru_cache(maxsize=16)
def find_challenge(name: str) -> Challenge | None:
    """Return the challenge of a scenario by its name; None if there is none, or its file cannot be read."""
    with suppress(OSError, TableError):
        path = scenario_files().get(name)
        return load_scenario(path).challenge if path is not None else None
    return None


def list_scenarios() -> list[PaxScenario]:
    """Return all scenarios, the whole game first; files with errors are left out."""
    return read_all()[0]


def read_all() -> tuple[list[PaxScenario], list[str]]:
    """Return all scenarios, the whole game first, and what is wrong with the files that are left out."""
    found, faults = [], []
    for path in scenario_files().values():
        try:
            found.append(load_scenario(path))
        except TableError as fault:
            faults.append(f"{path.name}:{fault.line}: {fault.reason}")
    return sorted(found, key=lambda one: one.order), faults


def hosted_scenarios() -> dict[str, PaxScenario]:
    """Return the scenarios that a server offers beside games of 4 to 8 players, by name."""
    return {one.id: one for one in list_scenarios() if one.id != WHOLE_GAME and one.challenge is None}


def load_scenario(path: Path) -> PaxScenario:
    """Load a scenario file.

    Raises:
        TableError: it is no valid scenario, or cannot be read.
    """
    return read_scenario(str(path), read_table_file(str(path), path))


@lru_cache(maxsize=64)
def read_scenario(file: str, text: str) -> PaxScenario:
    """Read and check the text of a scenario file.

    Args:
        file: its name. Without folder and suffix, it is the id of the scenario.
        text: its text.

    Raises:
        TableError: something is missing, unknown, or impossible.
    """
    document = _parse(file, text)
    top = document.top
    id_ = Path(file).name.removesuffix(SUFFIX)
    if not SCENARIO_NAME.fullmatch(id_):
        raise top.error(
            "", f"'{id_[:60]}' is not the name of a scenario (1 to 40 of a-z, 0-9, - and _, and the suffix .toml)"
        )
    options = _read_options(document)
    seats = _read_seats(top, options)
    bots = {seat: _read_bot(record, seat) for record, seat in _by_seat(document, "bots", seats)}
    if set(bots) >= set(seats):
        raise top.error("bots", "no seat is left for a person (bots at all seats but one or more)")
    scenario = PaxScenario(
        id=id_,
        title=top.text("title"),
        about=top.text("about"),
        text=top.text("text", ""),
        seats=seats,
        options=options,
        bots=bots,
        handicaps={
            seat: record.whole(seat, least=-MOST_HANDICAP, most=MOST_HANDICAP)
            for record, seat in _by_seat(document, "handicaps", seats)
        },
        position=dict(document.table("position").values) if top.has("position") else {},
        challenge=_read_challenge(document, seats),
        balance=_read_balance(document, seats),
        order=top.whole("order", OWN_ORDER),
    )
    top.done()
    if "scenario" in scenario.position:
        raise TableError(
            file, document.line(("position", "scenario")), "unknown field 'scenario' (the name of the file)"
        )
    if scenario.id != WHOLE_GAME:
        problems = scenario_problems(scenario)
        if problems:
            where, what = problems[0]
            more = f"; and {len(problems) - 1} more" if len(problems) > 1 else ""
            raise TableError(file, document.line(("position", *where)), f"{what}{more}")
    return scenario


def start_of(scenario: PaxScenario) -> State:
    """Return the position at which games of a scenario begin. Raises: Refusal `impossible_position`."""
    tables = load_tables(new_game_tables())
    return read_position(tables, scenario.seats, check_options(tables, scenario.options), scenario.patch or {})


def scenario_problems(scenario: PaxScenario) -> list[tuple[tuple[str, ...], str]]:
    """Return what makes the start of a scenario impossible: the keys in `position`, and the problem."""
    try:
        start_of(scenario)
    except Refusal as refusal:
        problems = refusal.detail.get("problems") or [refusal.message]
        return [(_key_path(problem), problem) for problem in problems]
    return []


def _key_path(problem: str) -> tuple[str, ...]:
    """Return the keys that a problem of a position names."""
    where = problem.partition(": ")[0]
    return tuple(part for part in _INDEX.sub("", where).split(".") if part and part != "position")


def _parse(file: str, text: str) -> TomlTable:
    deep = next((n for n, line in enumerate(text.split("\n"), 1) if line.count(".") > MAX_DOTS), 0)
    if deep:  # nested tables are slow to parse
        raise TableError(file, deep, f"more than {MAX_DOTS} dots in a line (fewer)")
    return TomlTable(file, text)


def _read_options(document: TomlTable) -> dict[str, str]:
    """Return the options as texts. Raises: TableError."""
    if not document.top.has("options"):
        return {}
    record, options = document.table("options"), {}
    for name, value in record.values.items():
        if name not in OPTION_VALUES:
            raise record.error(name, f"there is no option '{name[:40]}' ({suggest_nearest(name, OPTION_VALUES)})")
        text = option_text(value) if isinstance(value, bool | int | str) else ""
        if text not in OPTION_VALUES[name]:
            raise record.error(name, f"{name} is {value!r} (one of: {', '.join(OPTION_VALUES[name])})")
        options[name] = text
    return options


def _read_seats(top: TableRecord, options: Mapping[str, str]) -> tuple[str, ...]:
    """Return the Powers with a player; seven by default. Raises: TableError."""
    seats = top.all_known("seats", SEATS_BY_PLAYERS, "Power with a player", seats_for(7))
    try:
        return check_powers(seats, check_options(load_tables(new_game_tables()), options))
    except Refusal as refusal:
        raise top.error("seats", f'{refusal.message} (other seats, or powers = "any" in [options])') from None


def _by_seat(document: TomlTable, key: str, seats: tuple[str, ...]) -> Iterable[tuple[TableRecord, str]]:
    """Yield the record of a table by seat, with each seat in it. Raises: TableError."""
    if not document.top.has(key):
        return
    record = document.table(key)
    for seat in record.values:
        if seat not in seats:
            raise record.error(seat, f"there is no seat '{seat[:40]}' ({suggest_nearest(seat, seats)})")
        yield record, seat


def _read_bot(record: TableRecord, seat: str) -> str:
    name = record.text(seat)
    try:
        parse_bot_name(name)
    except ValueError as error:
        raise record.error(seat, f"{error}") from None
    return name


def _read_challenge(document: TomlTable, seats: tuple[str, ...]) -> Challenge | None:
    if not document.top.has("challenge"):
        return None
    record = document.table("challenge")
    goals = record.inner("goals")
    if goals is None or not goals.values:
        raise record.error("goals", "no goals (a table of Victory Points by medal)")
    challenge = Challenge(
        record.known("seat", seats, "seat"), record.text("seed"), {name: goals.whole(name) for name in goals.values}
    )
    record.done()
    return challenge


def _read_balance(document: TomlTable, seats: tuple[str, ...]) -> Balance | None:
    if not document.top.has("balance"):
        return None
    record = document.table("balance")
    parts = []
    for key in ("won", "points"):
        part = record.inner(key)
        for seat in part.values if part else ():
            if seat not in seats:
                raise record.error(key, f"there is no seat '{seat[:40]}' ({suggest_nearest(seat, seats)})")
        parts.append({seat: part.whole(seat, most=MOST_PLAYED) for seat in part.values} if part else {})
    balance = Balance(record.whole("games", most=MOST_PLAYED), record.text("bots"), *parts)
    record.done()
    return balance


def scenario_toml(scenario: PaxScenario) -> str:
    """Return a scenario as the text of a file that `read_scenario` accepts."""
    lines = [f"{key} = {toml_value(getattr(scenario, key))}" for key in ("title", "about", "text")]
    lines.append(f"seats = {toml_value(scenario.seats)}")
    for key in ("options", "bots", "handicaps"):
        values: Mapping[str, object] = getattr(scenario, key)
        if values:
            lines += ["", f"[{key}]", *(f"{toml_key(name)} = {toml_value(value)}" for name, value in values.items())]
    if scenario.challenge is not None:
        values = msgspec.to_builtins(scenario.challenge)
        lines += ["", "[challenge]", *(f"{name} = {toml_value(value)}" for name, value in values.items())]
    if scenario.position:
        lines += ["", "[position]", re.sub(r"^\[(?=\w)", "[position.", write_toml(scenario.position), flags=re.M)]
    return "\n".join(lines).rstrip() + "\n"
