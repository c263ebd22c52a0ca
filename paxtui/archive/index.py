"""The SQLite index: open it, bring it up to date with the folders of games, and read from it.

The index holds nothing that the logs do not say. One of another version, or a damaged one, is built anew. The list of
folders is in a file of its own beside it, so it survives that.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

import msgspec

from paxtui.archive.log_facts import GameFacts, NotALog, facts_of
from paxtui.engine.log import FIRST_RULEBOOK, BrokenLog
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.text.display import capitalize, the_powers
from paxtui.session.storage.files import StorageError, describe_error, player_data, read_regular, replace_file
from paxtui.session.storage.log_store import LOG_SUFFIX, save_dir
from paxtui.session.storage.saved_games import TRASH

INDEX_FILE = "archive.sqlite"
"""Name of the index in the player's data directory."""
APPLICATION_ID = 0x50417831
"""Marks our SQLite files (`PRAGMA application_id`)."""
VERSION = 1
"""Version of the tables. An index of another version is built anew."""
BUSY_S = 2.0
"""How long to wait for another program that writes the index, in seconds."""
FILES_PER_TASK = 16
WORTH_PROCESSES = 64
"""Number of new logs from which on several processes read them."""

_HEAD = b"SQLite format 3\0"

_TABLES = """
CREATE TABLE files (path TEXT PRIMARY KEY, folder TEXT, size INT, mtime INT, digest TEXT, game INT, error TEXT);
CREATE TABLE games (
    id INTEGER PRIMARY KEY, digest TEXT, game TEXT, program TEXT, rulebook TEXT, created TEXT, played TEXT,
    scenario TEXT, seats INT, bots INT, first_turn INT, turn INT, year INT, lines INT, finished INT, reason TEXT,
    options TEXT, notice TEXT);
CREATE TABLE seats (game INT, seat TEXT, powers TEXT, player TEXT, is_bot INT, rank INT, total INT);
CREATE TABLE control (game INT, area TEXT, power TEXT, first INT, last INT);
CREATE TABLE placements (game INT, power TEXT, turn INT, area TEXT, marker TEXT, rank INT);
CREATE TABLE happenings (game INT, number INT, kind TEXT, turn INT, power TEXT, side INT);
CREATE TABLE positions (game INT, turn INT, hash INT);
CREATE VIRTUAL TABLE words USING fts5 (text, tokenize = "unicode61 remove_diacritics 2");
"""
_INDEXES = {
    "files_game": "files (game)",
    "files_digest": "files (digest)",
    "games_digest": "games (digest)",
    "seats_game": "seats (game)",
    "seats_player": "seats (player COLLATE NOCASE, game)",
    "seats_rank": "seats (seat, rank, game)",
    "control_area": "control (area, power, first, last, game)",
    "control_game": "control (game)",
    "placements_power": "placements (power, turn, area, game, rank)",
    "placements_game": "placements (game, power, turn, area)",
    "happenings_kind": "happenings (kind, power, turn, game)",
    "happenings_game": "happenings (game)",
    "positions_hash": "positions (hash, game, turn)",
    "positions_game": "positions (game)",
}
_BY_GAME = ("seats", "control", "placements", "happenings", "positions")
_DROPPED_IN_BULK = tuple(name for name in _INDEXES if name.partition("_")[0] in _BY_GAME)
"""Indexes that are made anew after many new games; that is faster than keeping them."""
BULK = 500
"""Number of new games from which on that is so."""


class ArchiveError(StorageError):
    """The archive cannot be used; the message says why and what to do."""


class Progress(NamedTuple):
    """Progress of an update: logs read so far, and logs to read."""

    done: int
    total: int


class UpdateReport(NamedTuple):
    """The result of an update: counts of files, and what happened to the index itself ("" for nothing)."""

    added: int
    removed: int
    unchanged: int
    damaged: int
    notice: str = ""


class FoundGame(NamedTuple):
    """A game of the archive.

    Attributes:
        id: its number in the index. paths: its files, which have the same bytes.
        game, scenario, created, played, turn, year, lines, reason, rulebook: as in `GameFacts`.
        seats: seat -> player, rank and points, in the order of the header.
    """

    id: int
    paths: tuple[str, ...]
    game: str
    rulebook: str
    scenario: str
    created: str
    played: str
    turn: int
    year: int
    lines: int
    reason: str
    seats: tuple[FoundSeat, ...]

    @property
    def winners(self) -> tuple[str, ...]:
        """Seats with the first rank."""
        return tuple(one.seat for one in self.seats if one.rank == 1)

    def to_json(self) -> dict[str, Any]:
        return {**self._asdict(), "seats": [seat._asdict() for seat in self.seats]}


class FoundSeat(NamedTuple):
    """A seat of a game: who played it ("" for a person without a name), and the result (0 without one)."""

    seat: str
    player: str
    is_bot: bool
    rank: int
    total: int


class DamagedLog(NamedTuple):
    """A log that could not be indexed, and why."""

    path: str
    error: str


def describe_end(tables: Tables, game: FoundGame) -> str:
    """Describe how a game ended, or how far it is: "Japan wins in 1916", "1892, not finished"."""
    if not game.winners:
        return f"{game.year}, not finished" if game.rulebook == FIRST_RULEBOOK else f"{game.rulebook}, not finished"
    names = the_powers(tables, game.winners)
    if game.rulebook != FIRST_RULEBOOK:
        return f"{game.rulebook}, won by {names}"
    war = " by the Great War" if game.reason == "great_war" else ""
    wins = "wins" if len(game.winners) == 1 else "win"
    return capitalize(f"{names} {wins} in {game.year}{war}")


def index_path() -> Path:
    """Return the path of the player's index. Raises: StorageError."""
    return player_data() / INDEX_FILE


class Archive:
    """An open index.

    Args:
        path: its file; it is created if missing.
        rebuild: begin with an empty index, whatever is in the file.

    Raises:
        ArchiveError: the file belongs to something else or to a newer program, or another program holds it.
        OSError: it cannot be opened.
    """

    def __init__(self, path: Path | None = None, rebuild: bool = False) -> None:
        self.path = path or index_path()
        self.notice = ""
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._check_owner()
        if rebuild:
            self._delete()
        try:
            self._open()
        except sqlite3.OperationalError as error:
            raise self._trouble(error) from error
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            self._quarantine(f"it was damaged ({error})")
            self._open()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self.db.close()

    # --- the file ---------------------------------------------------------------------------------------------------

    def _check_owner(self) -> None:
        """Raise ArchiveError if the file is not an index: it must not be overwritten."""
        try:
            with open(self.path, "rb") as file:
                head = file.read(100)
        except FileNotFoundError:
            return
        ours = not head or (head.startswith(_HEAD) and head[68:72] == APPLICATION_ID.to_bytes(4, "big"))
        if not ours and self.path != index_path():
            raise ArchiveError(
                self.path, f"{self.path} is not an index of an archive; it was not changed. Name another file"
            )

    def _open(self) -> None:
        self.db = sqlite3.connect(self.path, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
        self.db.execute("PRAGMA temp_store = MEMORY")
        version = self._number("PRAGMA user_version")
        if version > VERSION:
            self.db.close()
            message = f"{self.path} was made by a newer paxtui; use that one, or rebuild it with --rebuild"
            raise ArchiveError(self.path, message)
        if version == VERSION:
            self._number("SELECT count(*) FROM sqlite_master")
            self.db.execute("SELECT id FROM games LIMIT 1")
            return
        if version:
            self._quarantine("it was made by an earlier paxtui")
            self.db = sqlite3.connect(self.path, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
        self.db.executescript(
            f"PRAGMA journal_mode = WAL; BEGIN IMMEDIATE; {_TABLES} {self._index_statements(_INDEXES)}"
            f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {VERSION}; COMMIT;"
        )

    def _number(self, sql: str) -> int:
        return int(self.db.execute(sql).fetchone()[0])

    def _index_statements(self, names: Iterable[str]) -> str:
        return "".join(f"CREATE INDEX IF NOT EXISTS {name} ON {_INDEXES[name]};" for name in names)

    def _quarantine(self, why: str) -> None:
        """Rename the file, so that a new one can be built."""
        with suppress(AttributeError):
            self.db.close()
        aside = self.path.with_name(self.path.name + ".damaged")
        os.replace(self.path, aside)
        for suffix in ("-wal", "-shm"):
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
        self.notice = f"The index is rebuilt, because {why}. The old file is {aside}. No log was changed."

    def _delete(self) -> None:
        for suffix in ("", "-wal", "-shm"):
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)

    def _trouble(self, error: sqlite3.Error | UnicodeDecodeError) -> ArchiveError:
        if "locked" in str(error) or "busy" in str(error):
            message = f"another program updates the archive {self.path}; wait until it is done, and try again"
        else:
            message = f"the archive {self.path} cannot be used ({error}); 'paxtui archive --rebuild' rebuilds it"
        return ArchiveError(self.path, message)

    # --- folders ----------------------------------------------------------------------------------------------------

    @property
    def _folders_path(self) -> Path:
        return self.path.with_suffix(".folders.json")

    def folders(self) -> tuple[Path, ...]:
        """Return the folders of the archive: the saved games, and those that the player added."""
        try:
            added = msgspec.json.decode(read_regular(self._folders_path), type=list[str])
        except (OSError, msgspec.MsgspecError):
            added = []
        added = [folder for folder in added if folder and "\0" not in folder]
        return tuple(dict.fromkeys((save_dir(), *map(Path, added))))

    def add_folder(self, folder: Path) -> None:
        """Add a folder. Raises: ArchiveError: it is none, OSError."""
        if not folder.is_dir():
            raise ArchiveError(folder, f"there is no folder {folder}")
        self._write_folders([*self.folders(), folder.resolve()])

    def remove_folder(self, folder: Path) -> None:
        """Remove a folder that was added; its games leave the archive with the next update. Raises: ArchiveError."""
        known = self.folders()
        if folder.resolve() not in known[1:]:
            added = ", ".join(map(str, known[1:])) or "none"
            raise ArchiveError(folder, f"{folder} was not added to the archive; the added folders are: {added}")
        self._write_folders([one for one in known if one != folder.resolve()])

    def _write_folders(self, folders: Iterable[Path]) -> None:
        added = [str(one) for one in dict.fromkeys(folders) if one != save_dir()]
        replace_file(self._folders_path, msgspec.json.encode(added) + b"\n")

    # --- update -----------------------------------------------------------------------------------------------------

    def update(self, jobs: int = 1, progress: Callable[[Progress], None] | None = None) -> UpdateReport:
        """Bring the index up to date with the logs in all folders.

        Args:
            jobs: number of processes.
            progress: called after some logs.

        Raises:
            ArchiveError: another program holds the index.
        """
        try:
            self.db.execute("BEGIN IMMEDIATE")
            try:
                report = self._update(jobs, progress)
            except BaseException:
                self.db.execute("ROLLBACK")
                raise
            self.db.execute("COMMIT")
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise self._trouble(error) from error
        return report

    def _update(self, jobs: int, progress: Callable[[Progress], None] | None) -> UpdateReport:
        stored = self.db.execute("SELECT path, size, mtime FROM files")
        known = {path: (size, mtime) for path, size, mtime in stored}
        found = {path: (folder, size, mtime) for folder in self.folders() for path, size, mtime in _logs_in(folder)}
        gone = [path for path in known if path not in found]
        new = [path for path, (_, *state) in found.items() if known.get(path) != tuple(state)]
        self.db.executemany("DELETE FROM files WHERE path = ?", [(path,) for path in (*gone, *new)])
        if len(new) >= BULK:
            for name in _DROPPED_IN_BULK:
                self.db.execute(f"DROP INDEX IF EXISTS {name}")
        by_digest = dict(self.db.execute("SELECT digest, id FROM games"))
        damaged = 0
        for done, (path, facts) in enumerate(_read_all(new, jobs), start=1):
            folder, size, mtime = found[path]
            game, error, digest = None, None, ""
            if isinstance(facts, GameFacts):
                digest = facts.digest
                game = by_digest.get(digest)
                if game is None:
                    game = by_digest[digest] = self._add(facts, path)
            elif facts is not None:
                error, damaged = facts, damaged + 1
            self.db.execute(
                "INSERT INTO files VALUES (?, ?, ?, ?, ?, ?, ?)", (path, str(folder), size, mtime, digest, game, error)
            )
            if progress is not None and (done % FILES_PER_TASK == 0 or done == len(new)):
                progress(Progress(done, len(new)))
        self._remove_games_without_file()
        for statement in self._index_statements(_INDEXES).split(";"):
            self.db.execute(statement)
        if len(new) >= BULK:
            self.db.execute("ANALYZE")
        return UpdateReport(len(new) - damaged, len(gone), len(found) - len(new), damaged, self.notice)

    def _add(self, facts: GameFacts, path: str) -> int:
        """Add a game and return its number."""
        db, seats = self.db, facts.seats
        cursor = db.execute(
            f"INSERT INTO games VALUES (NULL{', ?' * 17})",
            (
                facts.digest, facts.game, facts.program, facts.rulebook, facts.created, facts.played, facts.scenario,
                len(seats), sum(one.is_bot for one in seats), facts.first_turn, facts.turn, facts.year, facts.lines,
                facts.is_finished, facts.reason, msgspec.json.encode(facts.options).decode(), facts.notice,
            ),
        )  # fmt: skip
        id_ = cursor.lastrowid or 0
        rank_of = {power: one.rank for one in seats for power in one.powers}
        db.executemany(
            f"INSERT INTO seats VALUES ({id_}, ?, ?, ?, ?, ?, ?)",
            [(s.seat, " ".join(s.powers), s.player, s.is_bot, s.rank, s.total) for s in seats],
        )
        db.executemany(
            f"INSERT INTO control VALUES ({id_}, ?, ?, ?, ?)",
            [(c.area, c.power, c.first, c.last) for c in facts.control],
        )
        db.executemany(
            f"INSERT INTO placements VALUES ({id_}, ?, ?, ?, ?, ?)",
            [(p.power, p.turn, p.area, p.marker, rank_of.get(p.power, 0)) for p in facts.placements],
        )
        db.executemany(
            f"INSERT INTO happenings VALUES ({id_}, ?, ?, ?, ?, ?)",
            [
                (number, one.kind, one.turn, power, side)
                for number, one in enumerate(facts.happenings)
                for side, powers in enumerate((("",), *one.sides))
                for power in powers
            ],
        )
        db.executemany(f"INSERT INTO positions VALUES ({id_}, ?, ?)", facts.positions)
        text = " ".join((Path(path).name.removesuffix(LOG_SUFFIX), facts.scenario, *(one.player for one in seats)))
        db.execute("INSERT INTO words (rowid, text) VALUES (?, ?)", (id_, text))
        return id_

    def _remove_games_without_file(self) -> None:
        gone = self.db.execute("SELECT id FROM games WHERE id NOT IN (SELECT game FROM files WHERE game IS NOT NULL)")
        for (id_,) in gone.fetchall():
            for table in _BY_GAME:
                self.db.execute(f"DELETE FROM {table} WHERE game = ?", (id_,))
            self.db.execute("DELETE FROM words WHERE rowid = ?", (id_,))
            self.db.execute("DELETE FROM games WHERE id = ?", (id_,))

    # --- reading ----------------------------------------------------------------------------------------------------

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a query. Raises: ArchiveError."""
        try:
            return self.db.execute(sql, values).fetchall()
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise self._trouble(error) from error

    def count(self, where: str = "1", values: Sequence[Any] = ()) -> int:
        """Return the number of games for which a condition on the table `games` holds."""
        return int(self.rows(f"SELECT count(*) FROM games WHERE {where}", values)[0][0])

    def find(self, where: str = "1", values: Sequence[Any] = (), limit: int = -1) -> list[FoundGame]:
        """Return the games for which a condition on the table `games` holds, the latest first.

        Args: the condition; its values; maximum number, -1 for all.
        """
        rows = self.rows(
            "SELECT id, game, rulebook, scenario, created, played, turn, year, lines, reason FROM games "
            f"WHERE {where} ORDER BY played DESC, id LIMIT ?",
            (*values, limit),
        )
        some = ",".join(str(row[0]) for row in rows)
        seats: dict[int, list[FoundSeat]] = {}
        for id_, *seat in self.rows(
            f"SELECT game, seat, player, is_bot, rank, total FROM seats WHERE game IN ({some}) ORDER BY rowid"
        ):
            seats.setdefault(id_, []).append(FoundSeat(seat[0], seat[1], bool(seat[2]), seat[3], seat[4]))
        paths: dict[int, tuple[str, ...]] = {}
        for id_, path in self.rows(f"SELECT game, path FROM files WHERE game IN ({some}) ORDER BY path"):
            paths[id_] = (*paths.get(id_, ()), path)
        return [
            FoundGame._make((row[0], paths[row[0]], *row[1:], tuple(seats.get(row[0], ()))))
            for row in rows
            if row[0] in paths
        ]

    def damaged(self) -> list[DamagedLog]:
        """Return the logs that could not be indexed."""
        return [DamagedLog(*row) for row in self.rows("SELECT path, error FROM files WHERE error > '' ORDER BY path")]


def _logs_in(folder: Path) -> Iterator[tuple[str, int, int]]:
    """Yield path, size and time of the logs in a folder and the folders in it, without hidden ones and the trash."""
    for where, folders, names in os.walk(folder):
        folders[:] = sorted(one for one in folders if not one.startswith(".") and one != TRASH)
        for name in sorted(names):
            if name.endswith(LOG_SUFFIX) and not name.startswith("."):
                path = os.path.join(where, name)
                with suppress(OSError):
                    state = os.stat(path)
                    yield path, state.st_size, state.st_mtime_ns


Read = GameFacts | str | None
"""The facts of a log, the reason why they cannot be read, or None for a file that is no log."""


def _read_all(paths: Sequence[str], jobs: int) -> Iterator[tuple[str, Read]]:
    """Read logs, in several processes if there are many."""
    if jobs < 2 or len(paths) < WORTH_PROCESSES:
        for path in paths:
            yield path, _read(path)
        return
    method = "fork" if threading.active_count() == 1 and hasattr(os, "fork") else "spawn"
    with get_context(method).Pool(jobs) as pool:
        decode = msgspec.msgpack.Decoder(list[tuple[str, GameFacts | str | None]]).decode
        tasks = [paths[n : n + FILES_PER_TASK] for n in range(0, len(paths), FILES_PER_TASK)]
        for packed in pool.imap_unordered(_read_some, tasks):
            yield from decode(packed)


def _read_some(paths: Sequence[str]) -> bytes:
    return msgspec.msgpack.encode([(path, _read(path)) for path in paths])


def _read(path: str) -> Read:
    try:
        return facts_of(read_regular(Path(path)))
    except NotALog:
        return None
    except BrokenLog as error:
        return str(error)
    except OSError as error:
        return describe_error(error)
