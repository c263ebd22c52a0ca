"""Saved games: list, summary, progress, names and trash, and sidecar files.

Lists read only the header and the end of each log. The sidecar `NAME.notes.json` beside `NAME.jsonl` holds lesson
progress and notes; it is not part of the game. If the folder is not writable, it is in the player's own directory.
The start screen uses this module, so it imports no game logic.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from functools import lru_cache
from itertools import count
from pathlib import Path
from typing import IO, Any

import msgspec

from paxtui.engine.free_text import without_stacks
from paxtui.engine.log import FIRST_RULEBOOK, BrokenLog, Line, decode_header
from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import SEATING_NOTE, SeatOccupant, seat_occupants
from paxtui.engine.seats import ARBITER
from paxtui.engine.upcast import Raw
from paxtui.session.storage import files
from paxtui.session.storage.files import (
    StorageError,
    open_regular,
    player_data,
    read_regular,
    readable_json,
    write_named,
)
from paxtui.session.storage.log_store import LOG_SUFFIX, LineLink, read_link, save_dir

SIDECAR_SUFFIX = ".notes.json"
REVIEW_SUFFIX = ".review"
"""Suffix of the review of a game (`paxtui.studies.review_file`)."""
STUDY_SUFFIX = ".study"
"""Suffix of the study of a game (`paxtui.studies.study`)."""
AHEAD_SUFFIX = ".ahead.json"
"""Suffix of the orders ahead of a game (`paxtui.session.orders_ahead`)."""


class Sidecar(msgspec.Struct, frozen=True, kw_only=True):
    """Data about a game outside its log.

    Attributes:
        game: id of its game.
        step: the next step of the tutorial, "" if the game is not a lesson.
        lesson: the lesson, "" for the first.
        learned: whether the tutorial was completed.
        notes: notes by line number.
    """

    game: str = ""
    step: str = ""
    lesson: str = ""
    learned: bool = False
    notes: dict[int, str] = {}


def read_sidecar(log: Path, game: str) -> Sidecar:
    """Read the sidecar of a log; empty if there is none or it belongs to another game.

    Args:
        log: the log file.
        game: the id of its game, "" for any.
    """
    for path in (sidecar_path(log), _fallback_path(game)):
        try:
            found = msgspec.json.decode(read_regular(path), type=Sidecar)
        except (OSError, msgspec.MsgspecError, RecursionError):
            continue
        if game in ("", found.game):
            return found
    return Sidecar(game=game)


def write_sidecar(log: Path, beside: Sidecar) -> Path:
    """Write the sidecar and return its path.

    Raises:
        OSError: neither the log's folder nor the player's directory is writable.
    """
    data = readable_json(beside)
    path = sidecar_path(log)
    if os.access(log.parent, os.W_OK):
        write_named(path, data)
        return path
    path = _fallback_path(beside.game)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_named(path, data)
    return path


def sidecar_path(log: Path) -> Path:
    """Path of the sidecar beside a log."""
    return file_beside(log, SIDECAR_SUFFIX)


def file_beside(log: Path, suffix: str) -> Path:
    """Path of a file beside a log."""
    return log.with_name(log.name.removesuffix(LOG_SUFFIX) + suffix)


def _fallback_path(game: str) -> Path:
    """Path of the sidecar if the folder of the log is not writable."""
    safe = "".join(c for c in game if c.isalnum() or c in "-_")[:64]
    return player_data() / "notes" / f"{safe or 'game'}{SIDECAR_SUFFIX}"


TURN_LESSON, WAR_LESSON, CAMPAIGN_LESSON = "tutorial", "war", "ulm"
"""The lessons: a first turn, a War, and the campaign of 1805."""


def lessons_under_way(name: str) -> Iterator[Path]:
    """Yield the unfinished games of a lesson, the latest first."""
    found = []
    for notes in save_dir().glob("*" + SIDECAR_SUFFIX):
        log = notes.with_name(notes.name.removesuffix(SIDECAR_SUFFIX) + LOG_SUFFIX)
        beside = read_sidecar(log, "")
        if is_lesson(beside) and (beside.lesson or TURN_LESSON) == name and log.is_file():
            found.append((log.stat().st_mtime, log))
    yield from (log for _, log in sorted(found, reverse=True))


def is_lesson(beside: Sidecar) -> bool:
    """Return whether the sidecar belongs to an unfinished lesson."""
    return bool(beside.step) and not beside.learned


TRASH = "trash"
"""Name of the trash folder inside the folder of saved games."""

LONGEST_NAME = 60
"""Maximum length of a game's name in characters."""


def game_name(path: Path) -> str:
    """Return the name of a game: its file name without suffix."""
    return path.name.removesuffix(LOG_SUFFIX)


def check_name(name: str) -> str:
    """Return the name as a valid file name.

    Raises:
        Refusal: `bad_name`.
    """
    tidy = " ".join(unicodedata.normalize("NFC", name).split())
    if not tidy or tidy.startswith(".") or len(tidy) > LONGEST_NAME or re.search(r"[/\\:*?\"<>|]", tidy):
        raise Refusal("bad_name", (), f'A name has 1 to {LONGEST_NAME} characters, none of / \\ : * ? " < > |.')
    if not tidy.isprintable() or without_stacks(tidy) != tidy or len(os.fsencode(tidy)) > 200:
        raise Refusal("bad_name", (), "This name contains characters that are not allowed in file names.")
    return tidy


def free_path(name: str, directory: Path | None = None) -> Path:
    """Return an unused path for a name, with a number appended if needed.

    Raises:
        Refusal: `bad_name`.
    """
    folder, name = directory or save_dir(), check_name(name)
    for n in count(1):
        path = folder / f"{name}{f' {n}' if n > 1 else ''}{LOG_SUFFIX}"
        if not os.path.lexists(path):
            break
    return path


def rename_game(path: Path, name: str) -> Path:
    """Rename a game and its sidecar; return the new path.

    Raises:
        Refusal: `bad_name`; `exists` if another game has that name.
        FileLocked, NotRegularFile, OSError: it cannot be renamed now.
    """
    new = path.with_name(check_name(name) + LOG_SUFFIX)
    if new.name == path.name:
        return path
    _move(path, new)
    return new


def move_to_trash(path: Path) -> Path:
    """Move a game and its sidecar to the trash without overwriting; return the new path.

    Raises:
        FileLocked, NotRegularFile, OSError: it cannot be moved now.
    """
    trash = path.parent / TRASH
    trash.mkdir(mode=0o700, exist_ok=True)
    new = free_path(game_name(path), trash)
    _move(path, new)
    return new


def restore_from_trash(gone: Path, path: Path) -> Path:
    """Restore a game from the trash, with a number if its name is taken; return the path.

    Raises:
        FileLocked, NotRegularFile, OSError: it cannot be moved now.
    """
    new = path if not os.path.lexists(path) else free_path(game_name(path), path.parent)
    _move(gone, new)
    return new


def _move(path: Path, new: Path) -> None:
    """Move a log that no program has open, without overwriting.

    Raises:
        Refusal: `exists`.
        FileLocked, NotRegularFile, OSError: it cannot be moved now.
    """
    descriptor = files.open_regular(path, os.O_RDWR)
    try:
        files.lock_file(descriptor, path)
        try:
            os.link(path, new, follow_symlinks=False)
        except FileExistsError:
            raise Refusal("exists", (), f"There is a game called {game_name(new)} already.") from None
        except OSError as error:
            raise StorageError(path, f"{path} cannot be renamed ({error.strerror})") from error
        os.unlink(path)
        for folder in {path.parent, new.parent}:
            files.sync_directory(folder)
    finally:
        os.close(descriptor)
    for suffix in (SIDECAR_SUFFIX, REVIEW_SUFFIX, STUDY_SUFFIX, AHEAD_SUFFIX):
        # a failure to move a file beside the log must not stop the move
        with suppress(OSError):
            if not os.path.lexists(file_beside(new, suffix)):
                os.rename(file_beside(path, suffix), file_beside(new, suffix))


_BLOCK = 64 * 1024
_LONGEST = 16 * 1024 * 1024
"""Maximum size of a header with all tables of the game, and of a line, in bytes."""


class SaveSummary(msgspec.Struct, frozen=True):
    """Summary of a log, from its header and last line.

    Attributes:
        path: the file.
        game: id of the game.
        edition: edition of the rules.
        program: the program that wrote it.
        created: its start time.
        seats: seat -> Powers.
        options: the chosen options.
        version: number of the last valid line.
        time: time of that line, empty for the header alone.
        rulebook: its rulebook.
        error: why the file cannot be used, else empty; with an error the other fields are empty.
    """

    path: Path
    game: str = ""
    edition: str = ""
    program: str = ""
    created: str = ""
    seats: dict[str, list[str]] = {}
    options: Raw = {}
    version: int = 0
    time: str = ""
    rulebook: str = FIRST_RULEBOOK
    error: str = ""


def list_games(directory: Path) -> list[SaveSummary]:
    """List the games in a folder by name, from the header and last line of each file.

    Invalid files are listed with their error. A missing folder gives an empty list.
    """
    if not directory.is_dir():
        return []
    return [_summary(path) for path in sorted(directory.glob("*" + LOG_SUFFIX))]


def sort_latest_first(games: list[SaveSummary]) -> list[SaveSummary]:
    """Sort games by last played, latest first; invalid files come last."""
    return sorted(games, key=lambda game: (bool(game.error), -last_played_at(game).timestamp(), game.path.name))


def last_played_at(game: SaveSummary) -> datetime:
    """Return when a game was last played, in local time."""
    try:
        return datetime.fromisoformat(game.time or game.created).astimezone()
    except ValueError:
        with suppress(OSError):
            return datetime.fromtimestamp(game.path.stat().st_mtime).astimezone()
        return datetime.fromtimestamp(0).astimezone()


def lines_from_end(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the complete lines of an open log after its header, last first.

    Raises:
        OSError: it cannot be read.
    """
    header = len(file.readline(_LONGEST))
    size = file.seek(0, os.SEEK_END)
    return (line for line in _lines_backwards(file, size, header) if line.endswith(b"\n"))


def _summary(path: Path) -> SaveSummary:
    try:
        with os.fdopen(open_regular(path), "rb") as file:
            first = file.readline(_LONGEST)
            if not first.endswith(b"\n"):
                raise BrokenLog(1, "the header is incomplete")
            header = decode_header(first)
            size = file.seek(0, os.SEEK_END)
            last = _last_link(path, _lines_backwards(file, size, len(first)))
    except (OSError, BrokenLog) as error:
        return SaveSummary(path, error=str(error))
    return SaveSummary(
        path=path,
        game=header.game,
        edition=header.edition,
        program=header.program,
        created=header.created,
        seats=header.seats,
        options=header.options,
        version=last.n,
        time=last.time,
        rulebook=header.rulebook,
    )


def _last_link(path: Path, lines: Iterator[bytes]) -> LineLink:
    """Return the chain fields of the last complete line.

    Raises:
        StorageError: it cannot be read.
    """
    for line in lines:
        if line.endswith(b"\n"):
            try:
                return read_link(line)
            except (ValueError, RecursionError) as error:
                raise StorageError(path, f"the end of {path} cannot be read ({error})") from error
    return LineLink(1)


def _lines_backwards(file: IO[bytes], end: int, stop: int) -> Iterator[bytes]:
    """Yield the lines between the offsets `stop` and `end`, last first; too long lines are skipped."""
    rest = b""
    while end > stop and len(rest) <= _LONGEST:
        start = max(stop, end - _BLOCK)
        file.seek(start)
        rest = file.read(end - start) + rest
        end = start
        pieces = _split(rest)
        # The first piece may have begun before this block.
        rest = pieces.pop(0) if start > stop else b""
        yield from reversed(pieces)


def _split(data: bytes) -> list[bytes]:
    """Split `data` into lines with their newlines; the last one may have none."""
    pieces = data.split(b"\n")
    return [piece + b"\n" for piece in pieces[:-1]] + ([pieces[-1]] if pieces[-1] else [])


FIRST_YEAR, YEARS_PER_TURN = 1880, 4


def year_of(turn: int) -> int:
    """Return the year of a Game Turn."""
    return FIRST_YEAR + YEARS_PER_TURN * (turn - 1)


class GameProgress(msgspec.Struct, frozen=True):
    """Progress of a game.

    Attributes:
        turn: the Game Turn.
        year: its year.
        phase: the Phase, "" before the first.
        winners: the seats with the first rank, if the game is over.
        occupants: bots by seat, as recorded in the log; other seats have human players.
    """

    turn: int = 1
    year: int = FIRST_YEAR
    phase: str = ""
    winners: tuple[str, ...] = ()
    occupants: dict[str, SeatOccupant] = {}


class _PlaceFields(msgspec.Struct, frozen=True):
    n: int
    kind: str = "act"
    seat: str = ""
    target: int = 0


class _ActFields(msgspec.Struct, frozen=True):
    events: list[Raw] = []


class _LineFields(msgspec.Struct, frozen=True):
    action: Any = None


def read_progress(game: SaveSummary) -> GameProgress:
    """Read the progress of a game; if it cannot be read, that of a new game."""
    try:
        known = os.stat(game.path)
    except OSError:
        return GameProgress()
    return _cached_progress(game.path, known.st_mtime_ns, known.st_size)


@lru_cache(maxsize=512)
def _cached_progress(path: Path, changed: int, size: int) -> GameProgress:
    """Read the log backwards, without undone lines. The file's time and size are part of the cache key."""
    found: Raw = {}
    seatings: list[Line] = []
    in_force = None  # the last line that counts; None: all do
    try:
        with os.fdopen(open_regular(path), "rb") as file:
            for data in lines_from_end(file):
                place = msgspec.json.decode(data, type=_PlaceFields)
                if place.kind == "note":
                    if SEATING_NOTE.encode() in data:
                        action = msgspec.json.decode(data, type=_LineFields).action
                        seatings.append(Line(n=place.n, prev="", seat=ARBITER, kind="note", action=action))
                elif in_force is not None and place.n > in_force:
                    continue
                elif place.kind == "act":
                    if b"began" in data or b"game_ended" in data or b"position_set" in data:
                        _collect_events(found, msgspec.json.decode(data, type=_ActFields).events)
                else:
                    in_force = place.target
    except (
        OSError,
        RecursionError,
        ArithmeticError,
        ValueError,
        TypeError,
        LookupError,
        AttributeError,
    ):  # any contents
        return GameProgress()
    return GameProgress(**found, occupants=seat_occupants(reversed(seatings)))


def _collect_events(found: Raw, events: list[Raw]) -> None:
    """Collect what the events of an action say that no later action has said."""
    for event in reversed(events):
        kind = event.get("type")
        if kind == "turn_began" and "turn" not in found:
            found |= {"turn": int(event["turn"]), "year": int(event["year"])}
        elif kind == "position_set" and "turn" not in found:
            turn = int(event.get("state", {}).get("turn", 1))
            found |= {"turn": turn, "year": year_of(turn)}
        elif kind == "phase_began":
            found.setdefault("phase", str(event.get("phase", "")))
        elif kind == "game_ended":
            ranks = event.get("result", {}).get("ranks", {})
            found.setdefault("winners", tuple(seat for seat, rank in ranks.items() if rank == 1))
