"""Logs on disk: one file per game, appended to and never rewritten.

A line is on the disk, fsync included, before `Store.append` returns. Whoever writes holds the lock
`<file>.lock`; readers need none. A log is plain text: whoever can read the file can read its secrets.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

import filelock
import msgspec
import platformdirs

from paxtui.engine.log import (
    BrokenLog,
    Header,
    Line,
    Parsed,
    decode_header,
    digest,
    encode_header,
    parse,
)

SUFFIX = ".jsonl"

_BLOCK = 64 * 1024


class StoreError(Exception):
    """A log on disk that cannot be used in this way; the text names the file."""

    def __init__(self, path: Path, message: str) -> None:
        super().__init__(path, message)
        self.path = path
        self.message = message

    def __str__(self) -> str:
        return self.message


class Locked(StoreError):
    """Another program has the game open for writing."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, f"{path} is open in another program; close the game there first.")


class Changed(StoreError):
    """The file is not what this program last wrote; writing on would break the chain."""


class Summary(msgspec.Struct, frozen=True):
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
        error: why the file cannot be used, empty when it can; the rest is then empty.
    """

    path: Path
    game: str = ""
    edition: str = ""
    program: str = ""
    created: str = ""
    seats: dict[str, list[str]] = {}
    options: dict[str, Any] = {}
    version: int = 0
    time: str = ""
    error: str = ""


def save_dir() -> Path:
    """Where a player's games are: ``$PAXTUI_HOME/saves``, or ``saves`` in the user's data directory."""
    home = os.environ.get("PAXTUI_HOME")
    base = Path(home).expanduser() if home else Path(platformdirs.user_data_dir("paxtui", appauthor=False))
    return base / "saves"


def read(path: Path) -> Parsed:
    """The log in `path`, for reading only: no lock, and nothing on disk is changed.

    Raises:
        BrokenLog: the log cannot be trusted.
        OSError: the file cannot be read.
    """
    return parse(path.read_bytes())


class Store:
    """One log, open for writing. Made by `Store.create` or `Store.open`; a context manager.

    Attributes:
        path: the file.
        header: line 1.
        lines: the lines that were there when it was opened.
        notice: what was dropped from the end when it was opened, in words; empty when nothing was.
    """

    def __init__(self, path: Path, parsed: Parsed, descriptor: int, lock: filelock.BaseFileLock) -> None:
        self.path = path
        self.header: Header = parsed.header
        self.lines: tuple[Line, ...] = parsed.lines
        self.notice = parsed.notice
        self._descriptor = descriptor
        self._lock = lock
        self._size = parsed.sound
        self._tip = parsed.tip
        self._version = len(parsed.lines) + 1
        self._unusable = ""

    @classmethod
    def create(cls, path: Path, header: Header) -> Store:
        """Begin a log; folders on the way are made.

        Raises:
            ValueError: the name does not end in ``.jsonl``.
            FileExistsError: there is such a file already; it is left as it is.
            Locked: another program is making the same file.
            OSError: it cannot be written; nothing is left behind.
        """
        if path.suffix != SUFFIX:
            raise ValueError(f"the name of a log ends in {SUFFIX}: {path}")
        path.parent.mkdir(parents=True, exist_ok=True)
        data = encode_header(header)
        lock = _lock(path)
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            try:
                _write_all(descriptor, data, 0)
                os.fsync(descriptor)
                _sync_directory(path.parent)
            except BaseException:
                os.close(descriptor)
                path.unlink(missing_ok=True)
                raise
        except BaseException:
            lock.release()
            raise
        return cls(path, Parsed(header, (), "", len(data), digest(data)), descriptor, lock)

    @classmethod
    def open(cls, path: Path) -> Store:
        """Go on with a log. A torn end is cut off; a copy of it is added to ``<file>.torn``.

        Raises:
            FileNotFoundError: there is no such file.
            Locked: another program has it open for writing.
            BrokenLog: the log cannot be trusted; nothing was changed.
            OSError: it cannot be read or written.
        """
        if not path.is_file():
            raise FileNotFoundError(f"there is no log {path}")
        lock = _lock(path)
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
            try:
                # Read only now that the lock is held: nobody appends any more.
                data = path.read_bytes()
                parsed = parse(data)
                if parsed.sound < len(data):
                    _put_aside(path, data[parsed.sound :])
                    os.ftruncate(descriptor, parsed.sound)
                    os.fsync(descriptor)
            except BaseException:
                os.close(descriptor)
                raise
        except BaseException:
            lock.release()
            raise
        return cls(path, parsed, descriptor, lock)

    @property
    def tip(self) -> str:
        """The hash of the last line on disk, for `Game.load`."""
        return self._tip

    @property
    def version(self) -> int:
        """The number of the last line on disk."""
        return self._version

    def append(self, data: bytes) -> None:
        """Add one encoded line and return when it is on the disk; the `sink` of a `Game`.

        Args:
            data: the line with its newline.

        Raises:
            ValueError: it is no single line, or does not follow from the last one.
            Changed: somebody else wrote to the file.
            StoreError: the store is closed, or a failed write could not be taken back.
            OSError: the disk failed; the file is as it was before.
        """
        if self._unusable:
            raise StoreError(self.path, f"{self.path} cannot be written any more: {self._unusable}")
        link = _link(data)
        if (link.n, link.prev) != (self._version + 1, self._tip):
            raise ValueError(f"line {link.n} does not follow line {self._version} of {self.path}")
        if os.fstat(self._descriptor).st_size != self._size:
            raise Changed(self.path, f"{self.path} was changed by another program; open the game again.")
        try:
            _write_all(self._descriptor, data, self._size)
            os.fsync(self._descriptor)
        except BaseException:
            self._take_back()
            raise
        self._size += len(data)
        self._tip = digest(data)
        self._version = link.n

    def close(self) -> None:
        """Close the file and let go of the lock. Closing twice does nothing."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
            self._unusable = "it is closed."
            self._lock.release()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _take_back(self) -> None:
        """Cut off what a failed write has left; if that fails too, never write again."""
        try:
            os.ftruncate(self._descriptor, self._size)
            os.fsync(self._descriptor)
        except OSError as error:
            self._unusable = f"a write failed and could not be taken back ({error})."


def list_games(directory: Path) -> list[Summary]:
    """The games in a folder, by name; of each file only the header and the last line are read.

    A file that is no log is listed with its error. A folder that is not there holds no games.
    """
    if not directory.is_dir():
        return []
    return [_summary(path) for path in sorted(directory.glob("*" + SUFFIX))]


class _Link(msgspec.Struct):
    n: int
    prev: str = ""
    time: str = ""


def _link(data: bytes) -> _Link:
    """The place in the chain of one encoded line.

    Raises:
        ValueError: `data` is no single line with its newline (msgspec's errors are ValueErrors).
    """
    if not data.endswith(b"\n") or data.count(b"\n") != 1:
        raise ValueError("a line of a log ends in its only newline")
    return msgspec.json.decode(data, type=_Link)


def _summary(path: Path) -> Summary:
    try:
        with path.open("rb") as file:
            first = file.readline()
            if not first.endswith(b"\n"):
                raise BrokenLog(1, "the header was not written to its end")
            header = decode_header(first)
            size = file.seek(0, os.SEEK_END)
            last = _last_link(path, _lines_backwards(path, size, len(first)))
    except (OSError, BrokenLog, StoreError) as error:
        return Summary(path, error=str(error))
    return Summary(
        path=path,
        game=header.game,
        edition=header.edition,
        program=header.program,
        created=header.created,
        seats=header.seats,
        options=header.options,
        version=last.n,
        time=last.time,
    )


def _last_link(path: Path, lines: Iterator[bytes]) -> _Link:
    """The last line that can be read among the last two; the end may be torn."""
    for number, line in enumerate(lines):
        try:
            return _link(line)
        except (ValueError, RecursionError) as error:
            if number:
                raise StoreError(path, f"the end of {path} cannot be read ({error})") from error
    return _Link(1)


def _lines_backwards(path: Path, end: int, stop: int) -> Iterator[bytes]:
    """The lines between the offsets `stop` and `end` from the last one on, newlines included."""
    with path.open("rb") as file:
        rest = b""
        while end > stop:
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


def _lock(path: Path) -> filelock.BaseFileLock:
    """Take the lock of a log, or say at once that another program has it."""
    real = path.resolve()
    # Not tied to one thread: the table may close a game from another one than opened it.
    lock = filelock.FileLock(f"{real}.lock", timeout=0, thread_local=False)
    try:
        lock.acquire()
    except filelock.Timeout:
        raise Locked(path) from None
    return lock


def _write_all(descriptor: int, data: bytes, offset: int) -> None:
    """Write all of `data` at `offset`; the system may take it in several bites."""
    view = memoryview(data)
    while view:
        written = os.pwrite(descriptor, view, offset)
        view = view[written:]
        offset += written


def _put_aside(path: Path, torn: bytes) -> None:
    """Keep the torn end of a log beside it, after those that were kept there before."""
    with path.with_name(path.name + ".torn").open("ab") as file:
        file.write(torn.removesuffix(b"\n") + b"\n")
        file.flush()
        os.fsync(file.fileno())


def _sync_directory(directory: Path) -> None:
    """Make a new file's name survive a loss of power."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
