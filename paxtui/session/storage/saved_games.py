"""The games in a folder, as a list of games shows them: of each file only its two ends are read.

What is kept beside a log and never in it: how far a lesson has come, and a reader's notes.

It stands in `NAME.notes.json` next to `NAME.jsonl`; where that folder belongs to somebody else, among the player's own
files. Nothing of it is part of the game: without it the game is the same.

Saved games of the two lessons: which of them are unfinished.

The start screen lists them, so this module imports nothing that plays a game.

The folder of a player's games: free names, other names, and the trash, from which everything can be brought back.

How far a saved game has come and who plays it, read from its log without playing it through.
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

from paxtui.engine.log import FIRST_RULEBOOK, BrokenLog, Line, decode_header
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER
from paxtui.engine.upcast import Raw
from paxtui.games.pax.actions.seats import SEATING_NOTE, SeatOccupant, seat_occupants
from paxtui.games.pax.text.free_text import without_stacks
from paxtui.session.storage import files
from paxtui.session.storage.files import StorageError, open_regular, player_data, read_regular, write_named
from paxtui.session.storage.log_store import LOG_SUFFIX, LineLink, read_link, save_dir

SIDECAR_SUFFIX = ".notes.json"


class Sidecar(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a game beside its log.

    Attributes:
        game: id of the game that it belongs to.
        step: the step of the tutorial that comes next, "" where the game is no lesson.
        lesson: which lesson it is, "" for the first.
        learned: the tutorial has been played to its last page.
        notes: what a reader has noted down, by the number of the line.
    """

    game: str = ""
    step: str = ""
    lesson: str = ""
    learned: bool = False
    notes: dict[int, str] = {}


def read_sidecar(log: Path, game: str) -> Sidecar:
    """What is kept beside a log; empty where nothing is, or what is there belongs to another game.

    Args: the file of the log; the id of its game, "" for whatever is there.
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
    """Keep it; where.

    Raises: OSError, when neither that folder nor the player's own can be written.
    """
    data = msgspec.json.format(msgspec.json.encode(beside), indent=1) + b"\n"
    path = sidecar_path(log)
    if os.access(log.parent, os.W_OK):
        write_named(path, data)
        return path
    path = _fallback_path(beside.game)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_named(path, data)
    return path


def sidecar_path(log: Path) -> Path:
    """The file beside a log."""
    return log.with_name(log.name.removesuffix(".jsonl") + SIDECAR_SUFFIX)


def _fallback_path(game: str) -> Path:
    """The file for the notes on a log in a folder that cannot be written."""
    safe = "".join(c for c in game if c.isalnum() or c in "-_")[:64]
    return player_data() / "notes" / f"{safe or 'game'}{SIDECAR_SUFFIX}"


TURN_LESSON, WAR_LESSON = "tutorial", "war"
"""The lessons: a first turn, and a War."""

def lessons_under_way(name: str = TURN_LESSON) -> Iterator[Path]:
    """Yield the unfinished games of a lesson, the latest first."""
    found = []
    for notes in save_dir().glob("*" + SIDECAR_SUFFIX):
        log = notes.with_name(notes.name.removesuffix(SIDECAR_SUFFIX) + LOG_SUFFIX)
        beside = read_sidecar(log, "")
        if is_lesson(beside) and (beside.lesson or TURN_LESSON) == name and log.is_file():
            found.append((log.stat().st_mtime, log))
    yield from (log for _, log in sorted(found, reverse=True))


def is_lesson(beside: Sidecar) -> bool:
    """Return whether these notes belong to an unfinished lesson."""
    return bool(beside.step) and not beside.learned


TRASH = "trash"
"""The folder in that of the games to which those go that are thrown away."""

LONGEST_NAME = 60
"""Characters of a game's name."""


def game_name(path: Path) -> str:
    """What a game is called: its file without the ending."""
    return path.name.removesuffix(LOG_SUFFIX)


def check_name(name: str) -> str:
    """A name as a file can have it.

    Raises: Refusal `bad_name`.
    """
    tidy = " ".join(unicodedata.normalize("NFC", name).split())
    if not tidy or tidy.startswith(".") or len(tidy) > LONGEST_NAME or re.search(r"[/\\:*?\"<>|]", tidy):
        raise Refusal("bad_name", (), f'A name has 1 to {LONGEST_NAME} characters, none of / \\ : * ? " < > |.')
    if not tidy.isprintable() or without_stacks(tidy) != tidy or len(os.fsencode(tidy)) > 200:
        raise Refusal("bad_name", (), "There are characters in this name that a file cannot have.")
    return tidy


def free_path(name: str, directory: Path | None = None) -> Path:
    """A file of that name that is not there yet: where it is, a number follows.

    Raises: Refusal `bad_name`.
    """
    folder, name = directory or save_dir(), check_name(name)
    for n in count(1):
        path = folder / f"{name}{f' {n}' if n > 1 else ''}{LOG_SUFFIX}"
        if not os.path.lexists(path):
            break
    return path


def rename_game(path: Path, name: str) -> Path:
    """Give a game another name; its notes go with it. The new file.

    Raises:
        Refusal: `bad_name`; `exists` where another game has that name.
        FileLocked, NotRegularFile, OSError: it cannot be renamed now.
    """
    new = path.with_name(check_name(name) + LOG_SUFFIX)
    if new.name == path.name:
        return path
    _move(path, new)
    return new


def move_to_trash(path: Path) -> Path:
    """Put a game with its notes into the trash, where nothing is ever overwritten. The file there.

    Raises:
        FileLocked, NotRegularFile, OSError: it cannot be moved now.
    """
    trash = path.parent / TRASH
    trash.mkdir(mode=0o700, exist_ok=True)
    new = free_path(game_name(path), trash)
    _move(path, new)
    return new


def restore_from_trash(gone: Path, path: Path) -> Path:
    """Take a game out of the trash again, by its own name or, where that is taken, with a number. The file.

    Raises: FileLocked, NotRegularFile, OSError.
    """
    new = path if not os.path.lexists(path) else free_path(game_name(path), path.parent)
    _move(gone, new)
    return new


def _move(path: Path, new: Path) -> None:
    """Name a log anew; nothing is overwritten, and nobody plays it meanwhile.

    Raises: Refusal `exists`; FileLocked, NotRegularFile, OSError.
    """
    descriptor = files.open_regular(path, os.O_RDWR)
    try:
        files.lock_file(descriptor, path)
        try:
            os.link(path, new, follow_symlinks=False)
        except FileExistsError:
            raise Refusal("exists", (), f"There is a game called {game_name(new)} already.") from None
        except OSError as error:
            raise StorageError(path, f"{path} cannot be named anew ({error.strerror})") from error
        os.unlink(path)
        for folder in {path.parent, new.parent}:
            files.sync_directory(folder)
    finally:
        os.close(descriptor)
    # notes that cannot follow are not worth losing the way for
    with suppress(OSError):
        if not os.path.lexists(sidecar_path(new)):
            os.rename(sidecar_path(path), sidecar_path(new))


_BLOCK = 64 * 1024
_LONGEST = 16 * 1024 * 1024
"""Bytes of a header, every table of the game in it, and of a line."""


class SaveSummary(msgspec.Struct, frozen=True):
    """What a list of games shows of one file, read from its header and its last line.

    Attributes:
        path: the file.
        game: id of the game.
        edition: edition of the rules.
        program: what wrote it.
        created: when it began.
        seats: seat -> Powers.
        options: the options chosen.
        version: number of the last sound line.
        time: when that line was written, empty for the header alone.
        rulebook: by which rules it is played.
        error: why the file cannot be used, empty when it can; the rest is then empty.
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

    @property
    def is_exercise(self) -> bool:
        """Whether it is an exercise of Empires in Arms."""
        return self.rulebook != FIRST_RULEBOOK


def list_games(directory: Path) -> list[SaveSummary]:
    """The games in a folder, by name; of each file only the header and the last line are read.

    A file that is no log is listed with its error. A folder that is not there holds no games.
    """
    if not directory.is_dir():
        return []
    return [_summary(path) for path in sorted(directory.glob("*" + LOG_SUFFIX))]


def sort_latest_first(games: list[SaveSummary]) -> list[SaveSummary]:
    """Games in the order in which one looks for them: the one played last comes first, broken ones at the end."""
    return sorted(games, key=lambda game: (bool(game.error), -last_played_label(game).timestamp(), game.path.name))


def last_played_label(game: SaveSummary) -> datetime:
    """When a game was last played, in the time of this place."""
    try:
        return datetime.fromisoformat(game.time or game.created).astimezone()
    except ValueError:
        with suppress(OSError):
            return datetime.fromtimestamp(game.path.stat().st_mtime).astimezone()
        return datetime.fromtimestamp(0).astimezone()


def lines_from_end(file: IO[bytes]) -> Iterator[bytes]:
    """The lines of an open log after its header, the last one first; what was not written to its end is left out.

    Raises: OSError.
    """
    header = len(file.readline(_LONGEST))
    size = file.seek(0, os.SEEK_END)
    return (line for line in _lines_backwards(file, size, header) if line.endswith(b"\n"))


def _summary(path: Path) -> SaveSummary:
    try:
        with os.fdopen(open_regular(path), "rb") as file:
            first = file.readline(_LONGEST)
            if not first.endswith(b"\n"):
                raise BrokenLog(1, "the header was not written to its end")
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
    """The last line that was written to its end.

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
    """The lines between the offsets `stop` and `end` from the last one on, newlines included; none that is too long."""
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
    """`data` in lines with their newlines, the last one without where it has none."""
    pieces = data.split(b"\n")
    return [piece + b"\n" for piece in pieces[:-1]] + ([pieces[-1]] if pieces[-1] else [])


FIRST_YEAR = 1880


class GameProgress(msgspec.Struct, frozen=True):
    """How far a game has come.

    Attributes:
        turn: the Game Turn.
        year: its year.
        phase: the Phase, "" where none has begun yet.
        winners: the seats with the first rank, of a game that is over.
        sitters: who sits at the seats of which the log says it; at the others there are persons.
    """

    turn: int = 1
    year: int = FIRST_YEAR
    phase: str = ""
    winners: tuple[str, ...] = ()
    sitters: dict[str, SeatOccupant] = {}


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
    """How far a game has come; as at its start where that cannot be read."""
    try:
        known = os.stat(game.path)
    except OSError:
        return GameProgress()
    return _cached_progress(game.path, known.st_mtime_ns, known.st_size)


@lru_cache(maxsize=512)
def _cached_progress(path: Path, changed: int, size: int) -> GameProgress:
    """From the last line back to the first; what was taken back is passed over. Args: the file, its time and size."""
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
                    if b"began" in data or b"game_ended" in data:
                        _collect_events(found, msgspec.json.decode(data, type=_ActFields).events)
                else:
                    in_force = place.target
    except (OSError, msgspec.MsgspecError, RecursionError, ValueError):
        return GameProgress()
    return GameProgress(**found, sitters=seat_occupants(reversed(seatings)))


def _collect_events(found: Raw, events: list[Raw]) -> None:
    """What the events of an act tell that no later act has told."""
    for event in reversed(events):
        kind = event.get("type")
        if kind == "turn_began" and "turn" not in found:
            found |= {"turn": int(event["turn"]), "year": int(event["year"])}
        elif kind == "phase_began":
            found.setdefault("phase", str(event.get("phase", "")))
        elif kind == "game_ended":
            ranks = event.get("result", {}).get("ranks", {})
            found.setdefault("winners", tuple(seat for seat, rank in ranks.items() if rank == 1))
