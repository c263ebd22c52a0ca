"""Logs on disk: one file per game, appended to and never rewritten.

A line is on the disk, fsync included, before `Store.append` returns, and the file is then still the one of its name;
where a screen must not wait for a slow disk (`wait_at_most`), it is at least on its way, and does not count until then.
Whoever writes holds a lock on the file itself; readers need none. A log is plain text: whoever can read the file can
read its secrets.

The chain of a log's lines, as each says its own place in it.

Bytes that are held in case they are wanted, and take little room until then.

Lines of a log that are on their way to the disk while the program goes on: written one after the other, in order.

None counts before it is on the disk. Once one has failed, none that was handed in after it is written.
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
    """What a line says about its own place: its number, the hash of the line before, and its time."""

    n: int
    prev: str = ""
    time: str = ""


def read_link(data: bytes) -> LineLink:
    """The place in the chain of one encoded line.

    Raises:
        ValueError: `data` is no single line with its newline (msgspec's errors are ValueErrors).
    """
    if not data.endswith(b"\n") or data.count(b"\n") != 1:
        raise ValueError("a line of a log ends in its only newline")
    return msgspec.json.decode(data, type=LineLink)


COMPRESSION_LEVEL = 1
"""Compression level: a log shrinks to a tenth in a few milliseconds all the same."""

PLAIN_LIMIT = 64 * 1024
"""Added bytes that are compressed together."""


class CompressedBuffer:
    """Bytes that grow at their end, compressed but for the last ones."""

    def __init__(self, data: bytes) -> None:
        self._packed = [zlib.compress(data, COMPRESSION_LEVEL)]
        self._packed_length = len(data)
        self._added = bytearray()

    def __len__(self) -> int:
        return self._packed_length + len(self._added)

    def __bytes__(self) -> bytes:
        return b"".join(map(zlib.decompress, self._packed)) + self._added

    def add(self, data: bytes) -> None:
        """Add bytes at the end."""
        self._added += data
        if len(self._added) >= PLAIN_LIMIT:
            self._packed.append(zlib.compress(self._added, COMPRESSION_LEVEL))
            self._packed_length += len(self._added)
            self._added = bytearray()


WriteLine = Callable[[bytes, int], bool]
"""Writes a line at a place of the file and returns when it is on the disk: whether the file still has its name."""


class WriteSkipped(OSError):
    """A line was not written, because one before it could not be."""


class PendingLine(NamedTuple):
    """A line on its way: its bytes, its number, and what will come of it."""

    data: bytes
    number: int
    written: Future[bool]


class LogWriter:
    """Writes lines in a thread of its own.

    Args:
        write: writes one.
        patience: seconds for which whoever hands one in waits for the disk.
    """

    def __init__(self, write: WriteLine, patience: float) -> None:
        self._write, self._patience = write, patience
        self._thread = ThreadPoolExecutor(1, "log")
        self._sent: deque[PendingLine] = deque()
        self._failed = False

    @property
    def sent(self) -> int:
        """How many lines are on their way."""
        return len(self._sent)

    @property
    def bytes_sent(self) -> int:
        """How many bytes they have."""
        return sum(len(line.data) for line in self._sent)

    @property
    def last(self) -> PendingLine | None:
        """The last of them; None where there is none."""
        return self._sent[-1] if self._sent else None

    def send(self, data: bytes, number: int, at: int) -> None:
        """Hand a line in, and wait for the disk for a moment. Args: the line; its number; its place in the file."""
        line = PendingLine(data, number, self._thread.submit(self._one, data, at))
        self._sent.append(line)
        wait((line.written,), self._patience)

    def arrived(self) -> PendingLine | None:
        """The first line, where it is known what has come of it: it is on its way no more. None where it is not."""
        return self._sent.popleft() if self._sent and self._sent[0].written.done() else None

    def wait(self) -> None:
        """Wait until all is known, however long the disk takes."""
        wait([line.written for line in self._sent])

    def give_up(self) -> None:
        """A line has failed: what was handed in after it will not be written, and is forgotten."""
        self.wait()
        self._sent.clear()
        self._failed = False

    def close(self) -> None:
        """Wait for the end and let go of the thread."""
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

NO_LOCKS = "The file system of {path} has no locks: see to it that no other program writes to this game."


class LogReplaced(StorageError):
    """The file of that name is not what this program has written; the text says where its lines are now."""


def save_dir() -> Path:
    """Where a player's games are: ``$PAXTUI_HOME/saves``, or ``saves`` in the user's data directory.

    Raises: StorageError, when PAXTUI_HOME leads nowhere.
    """
    return player_data() / "saves"


def read_log(path: Path) -> Parsed:
    """The log in `path`, for reading only: no lock, and nothing on disk is changed.

    Raises:
        BrokenLog: the log cannot be trusted.
        NotRegularFile: there is a pipe, a device or the like.
        OSError: the file cannot be read.
    """
    return parse(files.read_regular(path))


def rulebook_of(path: Path) -> str:
    """By which rules the game in `path` is played. Raises: as `read`."""
    return decode_header(files.read_regular(path).partition(b"\n")[0]).rulebook


def save_log(path: Path, log: bytes, game: str) -> None:
    """Write a log to a file of its own, whole or not at all. An earlier state of the same game is replaced.

    Folders on the way are made.

    Args:
        path: the file, links followed.
        log: the whole log.
        game: its id.

    Raises:
        Refusal: `exists`, when the file is there and is no log of this game.
        NotRegularFile: the name leads to a directory, a pipe, a device or the like, or nowhere.
        FileLocked: another program has the file open for writing, or replaces it now.
        StorageError: it belongs to another user.
        OSError: it cannot be written; what was there is as it was.
    """
    real = Path(os.path.realpath(path))
    if path.is_symlink() and not real.exists():
        raise NotRegularFile(path, f"{path} is a link that leads nowhere")
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
            raise Refusal("exists", (), f"{path} is there already and is no log of this game; choose another name.")
        if not files.is_file_of(descriptor, real):
            raise FileLocked(path)
        files.replace_file(real, log)
    finally:
        os.close(descriptor)


class LogStore:
    """One log, open for writing. Made by `Store.create` or `Store.open`; a context manager.

    Attributes:
        path: the file.
        header: line 1.
        lines: the lines that were there when it was opened.
        notice: what a player should know about the file as it was opened, in words; mostly empty.
    """

    def __init__(self, path: Path, parsed: Parsed, descriptor: int, locked: bool) -> None:
        self.path = path
        self.header: Header = parsed.header
        self.lines: tuple[Line, ...] = parsed.lines
        notices = (parsed.notice, "" if locked else NO_LOCKS.format(path=path))
        self.notice = " ".join(notice for notice in notices if notice)
        # The program may change its directory; the name must go on meaning the same file.
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
        """Begin a log; folders on the way are made.

        Raises:
            ValueError: the name does not end in ``.jsonl``.
            FileExistsError: there is such a file already; it is left as it is.
            FileLocked: another program took hold of the new file first.
            OSError: it cannot be written; nothing is left behind.
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
        """Go on with a log. A torn end is cut off; a copy of it is added to ``<file>.torn``.

        Raises:
            FileNotFoundError: there is no such file.
            NotRegularFile: there is a pipe, a device or the like.
            FileLocked: another program has it open for writing.
            BrokenLog: the log cannot be trusted; nothing was changed.
            OSError: it cannot be read or written.
        """
        descriptor, locked = files.open_locked(path)
        try:
            # Read only now that the lock is held: nobody appends any more.
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
        """The hash of the last line on disk, for `Game.load`."""
        return self._tip

    @property
    def version(self) -> int:
        """The number of the last line on disk."""
        return self._version

    @property
    def log(self) -> bytes:
        """All lines that were accepted, as they stand in the file. Waits for those that are on their way."""
        self._wait()
        return bytes(self._log)

    @property
    def saving(self) -> bool:
        """Whether a line is still on its way to the disk."""
        with suppress(LogReplaced):
            self._collect()
        return self._writer is not None and self._writer.sent > 0

    @property
    def failed(self) -> str:
        """Why lines that were on their way have not come to the disk, in words; mostly empty. Does not look there."""
        return self._lost or self._unusable

    def wait_at_most(self, seconds: float) -> None:
        """From now on let `append` wait for the disk for so long only; what takes longer is `saving` meanwhile."""
        if self._writer is None:
            self._writer = LogWriter(self._written, seconds)

    @property
    def trouble(self) -> str:
        """Why the game cannot go on in this file, in words; empty as long as all of it is in the file of its name.

        Looks at the disk, and waits for it. Where the file was lost, everything this store holds is written beside it
        first.
        """
        if self._descriptor >= 0:
            try:
                self._wait()
                self._check()
            except LogReplaced as lost:
                return lost.message
            except OSError as error:
                return f"{self.path} cannot be looked at any more ({error})"
        return self._lost or self._unusable

    def append(self, data: bytes) -> None:
        """Add one encoded line and return when it is on the disk; the `sink` of a `Game`.

        Args:
            data: the line with its newline.

        Raises:
            ValueError: it is no single line, or does not follow from the last one.
            Changed: the file was replaced, removed or written to by another program. What this store holds was
                written beside it.
            StorageError: the store is closed, or a failed write could not be taken back.
            OSError: the disk failed; the file is as it was before.
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
        """Bring a line to the disk; whether the file is still the one of its name then. Raises: OSError."""
        with files.name_in_errors(self.path):
            files.write_at(self._descriptor, data, at)
            os.fsync(self._descriptor)
        return files.is_file_of(self._descriptor, self._name)

    def _count(self, data: bytes, number: int, still_there: bool) -> None:
        """A line is on the disk, and counts from now on. Raises: Changed, where the file has lost its name."""
        if not still_there:
            # Lost in the very moment of writing: the line does not count, nobody has been told of it.
            self._abandon_file()
        self._log.add(data)
        self._tip = digest(data)
        self._version = number

    def _collect(self, alone: bool = False) -> None:
        """Count the lines that have come to the disk meanwhile.

        Args: whether the one that failed, if one has, is the only one, of which nobody has been told yet.

        Raises:
            Changed: the file was lost meanwhile.
            StorageError: a line could not be written, and not `alone`: nothing is written any more.
            OSError: the same, `alone`: nothing has changed.
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
        """Wait for the lines that are on their way."""
        if self._writer is not None:
            self._writer.wait()
            with suppress(LogReplaced):
                self._collect()

    def close(self) -> None:
        """Close the file and let go of the lock. Closing twice does nothing.

        Where the file was lost meanwhile, what this store holds is written beside it; `trouble` tells.
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
        """Make sure that the open file is still the one of its name, and as long as this program has made it.

        Raises:
            Changed: it is not, or was not once; what this store holds is in another file.
            OSError: the disk does not tell.
        """
        if self._lost or not files.is_file_of(self._descriptor, self._name):
            self._abandon_file()
        # After a write that could not be taken back there may be more in it: that is told otherwise.
        if not self._unusable and os.fstat(self._descriptor).st_size != len(self._log):
            self._abandon_file("was written to")

    def _abandon_file(self, what: str = "") -> NoReturn:
        """Never write to the file again, and keep what there is in another one.

        Args: what another program has done with the file, where that is known.
        Raises: Changed.
        """
        if not self._lost:
            what = what or ("was replaced" if os.path.lexists(self._name) else "was removed or renamed")
            self._lost = f"{self.path} {what} by another program while the game was open: the game takes no more acts"
        if self._rescue is None:
            try:
                self._rescue = self._rescue_log()
            except OSError as error:
                failed = f"Its {self._version} lines could not be written to another file either ({error})"
                raise LogReplaced(self.path, f"{self._lost}. {failed}") from error
            self._lost += f". Everything up to line {self._version} is in {self._rescue}"
        raise LogReplaced(self.path, self._lost)

    def _rescue_log(self) -> Path:
        """Write everything this store holds beside the lost file, or among the saves; the new file.

        Raises: OSError.
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
        """Cut off what a failed write has left; if that fails too, never write again."""
        try:
            os.ftruncate(self._descriptor, len(self._log))
            os.fsync(self._descriptor)
        except OSError as error:
            self._unusable = (
                f"{self.path} cannot be written any more: a write failed and could not be taken back ({error}). "
                f"Everything up to line {self._version} is in it; open the game again"
            )


def _game_of(descriptor: int, path: Path) -> str | None:
    """Id of the game in an open file, None where it is no log."""
    try:
        return decode_header(files.read_all(descriptor, path).partition(b"\n")[0]).game
    except BrokenLog:
        return None
