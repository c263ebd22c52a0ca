"""Open and create games of every kind, and run their bots: the entry point for command line, server, mail and tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Unpack

from paxtui.engine.log import FIRST_RULEBOOK
from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import PERSON, SeatOccupant
from paxtui.session.bot_runner import BotRunner
from paxtui.session.game_host import Clock, GameHost, GameSettings, read_or_lock, utc_now
from paxtui.session.games import GAME_KINDS, find_scenario
from paxtui.session.pax_bot_runner import PaxBotRunner
from paxtui.session.pax_host import PaxHost
from paxtui.session.storage.interface import FILES, Storage, seed_file
from paxtui.session.storage.log_store import LogReplaced


def open_game(path: Path, *, write: bool = True, clock: Clock = utc_now, storage: Storage = FILES) -> GameHost:
    """Open the game of a log.

    Args:
        path: the log.
        write: continue in the file, which stays locked; otherwise continue in memory only.
        clock: returns the time for each line.
        storage: where the log is stored.

    Raises:
        FileNotFoundError, OSError, FileLocked, BrokenLog, TableError: the log cannot be used.
    """
    parsed, store = read_or_lock(path, write, storage)
    return _host_type(parsed.header.rulebook).of_log(parsed, store, path, clock, storage)


def new_game(
    rulebook: str,
    seed: str,
    *,
    scenario: str = "",
    seats: Sequence[str] | None = None,
    options: Mapping[str, Any] | None = None,
    tables_dir: Path | None = None,
    occupants: Mapping[str, SeatOccupant] | None = None,
    **settings: Unpack[GameSettings],
) -> GameHost:
    """Create a game at its start. Nothing is rolled.

    Args:
        rulebook: a key of `GAME_KINDS`.
        seed: of the dice.
        scenario: its scenario, by id or as a path; the default one, or the first, by default.
        seats: the seats; those of the scenario by default.
        options: those that differ from their defaults; they take precedence over those of the scenario.
        tables_dir: a directory of replacement tables, or None.
        occupants: who sits at seats; by default the bots of the scenario, and persons.
        settings: as in `GameSettings`.

    Raises:
        Refusal: `unknown_game`, `unknown_scenario`; or seats, options and occupants do not make a game.
        TableError: the tables or the file of the scenario cannot be used.
        FileExistsError, FileLocked, OSError: the file cannot be made.
    """
    found, kind = find_scenario(rulebook, scenario), GAME_KINDS[rulebook]
    if found.patch is not None and seats is not None and set(seats) != set(found.seats):
        raise Refusal("scenario_seats", (), f"The scenario {found.id} is for {', '.join(found.seats)}.")
    table = _host_type(rulebook).create(
        kind.start(found.id, tables_dir),
        seats if found.patch is None else found.seats,
        seed,
        {**found.options, **(options or {})},
        tables=kind.logged_tables(found.id, tables_dir),
        **settings,
    )
    bots = kind.bots() if found.bots else None
    seated = {seat: bots.parse_name(bot) for seat, bot in found.bots.items()} if bots else {}
    try:
        if found.patch is not None and isinstance(table, PaxHost):
            table.set_position(found.patch)
        sitting = {**seated, **(occupants or {})}
        # a new game has persons at all seats already
        sitting = {seat: one for seat, one in sitting.items() if one != PERSON or seat not in seated}
        if sitting:
            table.seat(sitting)
    except (Refusal, OSError) as error:
        table.close()
        path = settings.get("path")
        if path and not isinstance(error, LogReplaced):  # else the file at the path is another program's
            with suppress(OSError):
                for file in (path, seed_file(path)):
                    settings.get("storage", FILES).remove(file)
        raise
    return table


def _host_type(rulebook: str) -> type[GameHost]:
    return PaxHost if rulebook == FIRST_RULEBOOK else GameHost


def bot_runner(table: GameHost, memory: Any = None, late: Sequence[str] = ()) -> BotRunner:
    """Return the runner of the bots of a game. Args: as `BotRunner`."""
    return PaxBotRunner(table, memory, late) if isinstance(table, PaxHost) else BotRunner(table, memory, late)
