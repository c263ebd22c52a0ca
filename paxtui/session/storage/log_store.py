"""Append-only logs on disk, one file per game.

`LogStore.append` returns after fsync, with the file still at its path. After `wait_at_most`, slow writes continue in
a worker thread and count only when they complete, in order; after a failure no later line is written.
The writer holds a lock on the file; readers need none. Logs are plain text: readers of the file can see all secrets.
"""

from __future__ import annotations

import os
import zlib
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, NoReturn

import msgspec

from paxtui.engine.log import BrokenLog, Header, Line, Parsed, decode_header, digest, encode_header, parse
from paxtui.engine.refusal import Refusal
from paxtui.session.storage import files
from paxtui.session.storage.files import FileLocked, NotRegularFile, StorageError, player_data


class LineLink(msgspec.Struct, frozen=True):
    """Position of a line in the log's chain: its number, the hash of the previous line, and its time."""

    n: int
    prev: str = ""
    time: str = ""


def read_link(data: bytes) -> LineLink:
    """Read the chain fields of one encoded line.

    Raises:
        ValueError: `data` is not a single line with its newline (msgspec's errors are ValueErrors).
    """
    if not data.endswith(b"\n") or data.count(b"\n") != 1:
        raise ValueError("a line of a log contains one newline, at its end")
    return msgspec.json.decode(data, type=LineLink)


COMPRESSION_LEVEL = 1
"""Compression level; at this level a log shrinks to a tenth in a few milliseconds."""

PLAIN_LIMIT = 64 * 1024
"""Number of appended bytes that are compressed together."""


class CompressedBuffer:
    """Append-only bytes in memory, compressed except for the newest."""

    def __init__(self, data: bytes) -> None:
        self._packed = [zlib.compress(data, COMPRESSION_LEVEL)]
        self._packed_length = len(data)
        self._added = bytearray()

    def __len__(self) -> int:
        return self._packed_length + len(self._added)

    def __bytes__(self) -> bytes:
        return b"".join(map(zlib.decompress, self._packed)) + self._added

    def add(self, data: bytes) -> None:
        """Append bytes."""
        self._added += data
        if len(self._added) >= PLAIN_LIMIT:
            self._packed.append(zlib.compress(self._added, COMPRESSION_LEVEL))
            self._packed_length += len(self._added)
            self._added = bytearray()


WriteLine = Callable[[bytes, int], bool]
"""Writes a line durably at an offset; returns whether the file still has its path."""


class WriteSkipped(OSError):
    """A line was not written because an earlier line failed."""


class PendingLine(NamedTuple):
    """A line being written: its bytes, its number, and the future result."""

    data: bytes
    number: int
    written: Future[bool]


class LogWriter:
    """Writes lines in a worker thread.

    Args:
        write: function that writes one line.
        patience: seconds that `send` waits for the disk.
    """

    def __init__(self, write: WriteLine, patience: float) -> None:
        self._write, self._patience = write, patience
        self._thread = ThreadPoolExecutor(1, "log")
        self._sent: deque[PendingLine] = deque()
        self._failed = False

    @property
    def sent(self) -> int:
        """Number of pending lines."""
        return len(self._sent)

    @property
    def bytes_sent(self) -> int:
        """Number of pending bytes."""
        return sum(len(line.data) for line in self._sent)

    @property
    def last(self) -> PendingLine | None:
        """The last pending line; None if there is none."""
        return self._sent[-1] if self._sent else None

    def send(self, data: bytes, number: int, at: int) -> None:
        """Queue a line for an offset of the file, and wait up to `patience` for the disk."""
        line = PendingLine(data, number, self._thread.submit(self._one, data, at))
        self._sent.append(line)
        wait((line.written,), self._patience)

    def arrived(self) -> PendingLine | None:
        """Remove and return the first pending line if its result is known, else return None."""
        return self._sent.popleft() if self._sent and self._sent[0].written.done() else None

    def wait(self) -> None:
        """Wait for all pending writes, without a timeout."""
        wait([line.written for line in self._sent])

    def give_up(self) -> None:
        """Discard all pending lines after a failed write."""
        self.wait()
        self._sent.clear()
        self._failed = False

    def close(self) -> None:
        """Wait for pending writes and stop the thread."""
        self._thread.shutdown()

    def _one(self, data: bytes, at: int) -> bool:
        if self._failed:
            raise WriteSkipped("a line before it could not be written")
        try:
            return self._write(data, at)
        except BaseException:
            self._failed = True
            raise


LOG_SUFFIX = ".jsonl"

NO_LOCKS = "The file system of {path} has no locks. Make sure that no other program writes to this game."


class LogReplaced(StorageError):
    """The file at the path is not the one this program wrote; the message says where its lines are now."""


def save_dir() -> Path:
    """Return the directory of saved games: ``$PAXTUI_HOME/saves``, or ``saves`` in the user's data directory.

    Raises:
        StorageError: PAXTUI_HOME is invalid.
    """
    return player_data() / "saves"


def read_log(path: Path) -> Parsed:
    """Read a log without a lock and without changes on disk.

    Raises:
        BrokenLog: the log is invalid.
        NotRegularFile: the path is a pipe, a device or similar.
        OSError: the file cannot be read.
    """
    return parse(files.read_regular(path))


def rulebook_of(path: Path) -> str:
    """Return the rulebook of the game in `path`. Errors as in `read_log`."""
    return decode_header(files.read_regular(path).partition(b"\n")[0]).rulebook


def save_log(path: Path, log: bytes, game: str) -> None:
    """Write a log to a separate file, atomically, and replace an earlier state of the same game.

    Missing folders are created.

    Args:
        path: the file; links are followed.
        log: the whole log.
        game: its id.

    Raises:
        Refusal: `exists` if the file exists and is not a log of this game.
        NotRegularFile: the path is a directory, a pipe, a device or a dangling link.
        FileLocked: another program has the file open for writing or is replacing it.
        StorageError: the file belongs to another user.
        OSError: the write failed; the old file is unchanged.
    """
    real = Path(os.path.realpath(path))
    if path.is_symlink() and not real.exists():
        raise NotRegularFile(path, f"{path} is a broken link")
    if not os.path.lexists(real):
        real.parent.mkdir(parents=True, exist_ok=True)
        files.write_new(real, log)
        return
    descriptor = files.open_regular(path, os.O_RDWR)
    try:
        if os.fstat(descriptor).st_uid != os.geteuid():
            raise StorageError(path, f"{path} belongs to another user; choose another name")
        files.lock_file(descriptor, path)
        if _game_of(descriptor, path) != game:
            raise Refusal("exists", (), f"{path} exists already and is not a log of this game; choose another name.")
        if not files.is_file_of(descriptor, real):
            raise FileLocked(path)
        files.replace_file(real, log)
    finally:
        os.close(descriptor)


class LogStore:
    """A log open for writing, and a context manager. Use `LogStore.create` or `LogStore.open`.

    Attributes:
        path: the file.
        header: line 1.
        lines: the lines at the time of opening.
        notice: message to the player about the opened file; usually empty.
    """

    def __init__(self, path: Path, parsed: Parsed, descriptor: int, locked: bool) -> None:
        self.path = path
        self.header: Header = parsed.header
        self.lines: tuple[Line, ...] = parsed.lines
        notices = (parsed.notice, "" if locked else NO_LOCKS.format(path=path))
        self.notice = " ".join(notice for notice in notices if notice)
        # Absolute, because the program may change its directory.
        self._name = path.absolute()
        self._descriptor = descriptor
        self._log = CompressedBuffer(parsed.raw)
        self._tip = parsed.tip
        self._version = len(parsed.lines) + 1
        self._unusable = ""
        self._lost = ""
        self._rescue: Path | None = None
        self._writer: LogWriter | None = None

    @classmethod
    def create(cls, path: Path, header: Header) -> LogStore:
        """Create a log and missing folders.

        Raises:
            ValueError: the name does not end in ``.jsonl``.
            FileExistsError: the file exists; it is unchanged.
            FileLocked: another program locked the new file first.
            OSError: the write failed; no file remains.
        """
        if path.suffix != LOG_SUFFIX:
            raise ValueError(f"the name of a log ends in {LOG_SUFFIX}: {path}")
        path.parent.mkdir(parents=True, exist_ok=True)
        data = encode_header(header)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            locked = files.lock_file(descriptor, path)
            with files.name_in_errors(path):
                files.write_at(descriptor, data, 0)
                os.fsync(descriptor)
            files.sync_directory(path.parent)
        except BaseException:
            os.close(descriptor)
            path.unlink(missing_ok=True)
            raise
        return cls(path, Parsed(header, (), "", data, digest(data)), descriptor, locked)

    @classmethod
    def open(cls, path: Path) -> LogStore:
        """Open a log to continue it. An incomplete last line is cut off and appended to ``<file>.torn``.

        Raises:
            FileNotFoundError: the file does not exist.
            NotRegularFile: the path is a pipe, a device or similar.
            FileLocked: another program has it open for writing.
            BrokenLog: the log is invalid; the file is unchanged.
            OSError: it cannot be read or written.
        """
        descriptor, locked = files.open_locked(path)
        try:
            # Read only under the lock, so that no other program appends.
            data = files.read_all(descriptor, path)
            parsed = parse(data)
            if parsed.sound < len(data):
                torn = data[parsed.sound :].removesuffix(b"\n") + b"\n"
                files.append_private(path.with_name(path.name + ".torn"), torn)
                os.ftruncate(descriptor, parsed.sound)
                os.fsync(descriptor)
        except BaseException:
            os.close(descriptor)
            raise
        files.remove_temp_files(path.parent)
        return cls(path, parsed, descriptor, locked)

    @property
    def tip(self) -> str:
        """Hash of the last line on disk, for `Game.load`."""
        return self._tip

    @property
    def version(self) -> int:
        """Number of the last line on disk."""
        return self._version

    @property
    def log(self) -> bytes:
        """All accepted lines as in the file. Waits for pending writes."""
        self._wait()
        return bytes(self._log)

    @property
    def saving(self) -> bool:
        """Whether a write is pending."""
        with suppress(LogReplaced):
            self._collect()
        return self._writer is not None and self._writer.sent > 0

    @property
    def must_reopen(self) -> bool:
        """Always False: a file that fails stays closed for acts, and the message says what to do."""
        return False

    @property
    def failed(self) -> str:
        """Error message of a failed background write; usually empty. Does not access the disk."""
        return self._lost or self._unusable

    def wait_at_most(self, seconds: float) -> None:
        """Limit the time that `append` waits for the disk; slower writes continue in the background."""
        if self._writer is None:
            self._writer = LogWriter(self._written, seconds)

    @property
    def trouble(self) -> str:
        """Return why the game cannot continue in this file; empty if the file is complete and at its path.

        Accesses the disk and waits for it. If the file was lost, first saves all lines to a new file beside it.
        """
        if self._descriptor >= 0:
            try:
                self._wait()
                self._check()
            except LogReplaced as lost:
                return lost.message
            except OSError as error:
                return f"{self.path} can no longer be read ({error})"
        return self._lost or self._unusable

    def append(self, data: bytes) -> None:
        """Append one encoded line and return when it is on disk; the `sink` of a `Game`.

        Args:
            data: the line with its newline.

        Raises:
            ValueError: it is not a single line, or does not follow from the last one.
            LogReplaced: another program replaced, removed or changed the file. All lines were saved beside it.
            StorageError: the store is closed, or a failed write could not be undone.
            OSError: the write failed; the file is unchanged.
        """
        if self._descriptor < 0:
            raise StorageError(self.path, f"{self.path} is closed")
        self._collect()
        sent = self._writer.last if self._writer is not None else None
        if sent is None:
            self._check()
        if self._unusable:
            raise StorageError(self.path, self._unusable)
        link_, version = read_link(data), sent.number if sent else self._version
        if (link_.n, link_.prev) != (version + 1, digest(sent.data) if sent else self._tip):
            raise ValueError(f"line {link_.n} does not follow line {version} of {self.path}")
        if self._writer is not None:
            self._writer.send(data, link_.n, len(self._log) + self._writer.bytes_sent)
            self._collect(alone=sent is None)
            return
        try:
            still_there = self._written(data, len(self._log))
        except BaseException:
            self._truncate_failed()
            raise
        self._count(data, link_.n, still_there)

    def _written(self, data: bytes, at: int) -> bool:
        """Write a line durably; return whether the file still has its path. Raises: OSError."""
        with files.name_in_errors(self.path):
            files.write_at(self._descriptor, data, at)
            os.fsync(self._descriptor)
        return files.is_file_of(self._descriptor, self._name)

    def _count(self, data: bytes, number: int, still_there: bool) -> None:
        """Count a line that is on disk. Raises: LogReplaced if the file lost its path."""
        if not still_there:
            # Lost during the write: the line does not count and was not reported.
            self._abandon_file()
        self._log.add(data)
        self._tip = digest(data)
        self._version = number

    def _collect(self, alone: bool = False) -> None:
        """Count the lines that have been written since the last call.

        Args:
            alone: whether a failed line is the only one, and its failure is not yet reported.

        Raises:
            LogReplaced: the file was lost.
            StorageError: a write failed and not `alone`; the store stops writing.
            OSError: a write failed and `alone`; nothing has changed.
        """
        writer = self._writer
        while writer is not None and (line := writer.arrived()) is not None:
            error = line.written.exception()
            if error is None:
                self._count(line.data, line.number, line.written.result())
                continue
            writer.give_up()
            self._truncate_failed()
            if alone:
                raise error
            self._unusable = (
                f"Line {line.number} of {self.path} could not be written ({error}): it does not count, nor does what "
                f"came after it. Everything up to line {self._version} is in the file; open the game again"
            )

    def _wait(self) -> None:
        if self._writer is not None:
            self._writer.wait()
            with suppress(LogReplaced):
                self._collect()

    def close(self) -> None:
        """Close the file and release the lock. A second call does nothing.

        If the file was lost, all lines are saved beside it; `trouble` returns the message.
        """
        if self._descriptor >= 0:
            _ = self.trouble
            if self._writer is not None:
                self._writer.close()
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> LogStore:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _check(self) -> None:
        """Check that the open file still has its path and the expected length.

        Raises:
            LogReplaced: it does not, or did not before; all lines are saved in another file.
            OSError: the check failed.
        """
        if self._lost or not files.is_file_of(self._descriptor, self._name):
            self._abandon_file()
        # A failed write that could not be undone leaves extra bytes; that has its own message.
        if not self._unusable and os.fstat(self._descriptor).st_size != len(self._log):
            self._abandon_file("was written to")

    def _abandon_file(self, what: str = "") -> NoReturn:
        """Stop writing to the file and save its lines to another one.

        Args:
            what: what another program did to the file, if known.

        Raises:
            LogReplaced: always.
        """
        if not self._lost:
            what = what or ("was replaced" if os.path.lexists(self._name) else "was removed or renamed")
            self._lost = f"{self.path} {what} by another program while the game was open. The game accepts no more acts"
        if self._rescue is None:
            try:
                self._rescue = self._rescue_log()
            except OSError as error:
                failed = f"Its {self._version} lines could not be written to another file either ({error})"
                raise LogReplaced(self.path, f"{self._lost}. {failed}") from error
            self._lost += f". Everything up to line {self._version} is in {self._rescue}"
        raise LogReplaced(self.path, self._lost)

    def _rescue_log(self) -> Path:
        """Save all lines beside the lost file, or in the folder of saved games; return the new path.

        Raises:
            OSError: neither can be written.
        """
        directory = self._name.parent if self._name.parent.is_dir() else save_dir()
        directory.mkdir(parents=True, exist_ok=True)
        for n in count(1):
            path = directory / f"{self._name.stem}.rescued{f'-{n}' if n > 1 else ''}{LOG_SUFFIX}"
            with suppress(FileExistsError):
                files.write_new(path, self.log)
                break
        return path

    def _truncate_failed(self) -> None:
        """Cut off the remains of a failed write; if that fails too, stop writing for good."""
        try:
            os.ftruncate(self._descriptor, len(self._log))
            os.fsync(self._descriptor)
        except OSError as error:
            self._unusable = (
                f"{self.path} cannot be written any more: a write failed and could not be taken back ({error}). "
                f"Everything up to line {self._version} is in it; open the game again"
            )


def _game_of(descriptor: int, path: Path) -> str | None:
    """Id of the game in an open file; None if it is not a log."""
    try:
        return decode_header(files.read_all(descriptor, path).partition(b"\n")[0]).game
    except BrokenLog:
        return None
