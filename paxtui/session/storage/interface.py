"""The interface to what a server keeps: logs of games, and small files. `FILES` keeps them in the file system.

Names are absolute paths below the data directory of the server. Another storage may keep the same contents elsewhere,
for example in a database; then the paths only name them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from paxtui.engine.log import Header, Line
from paxtui.session.storage import files
from paxtui.session.storage.files import FileLocked, StorageError
from paxtui.session.storage.log_store import LOG_SUFFIX, LogStore


class StoredLog(Protocol):
    """A log that is open for writing.

    Attributes:
        path: its name.
        header: line 1.
        lines: the lines at the time of opening.
        notice: a message to the player about the opened log; usually empty.
    """

    path: Path
    header: Header
    lines: tuple[Line, ...]
    notice: str

    @property
    def tip(self) -> str:
        """Hash of the last stored line."""

    @property
    def version(self) -> int:
        """Number of the last stored line."""

    @property
    def log(self) -> bytes:
        """All stored lines, in the file format."""

    @property
    def saving(self) -> bool:
        """Whether a write is pending."""

    @property
    def failed(self) -> str:
        """Why no more lines can be stored; usually empty. Does not access the storage."""

    @property
    def trouble(self) -> str:
        """The same, after a check that may access the storage."""

    @property
    def must_reopen(self) -> bool:
        """Whether the log must be opened again, because another hub may continue it or a write has no known result."""

    def wait_at_most(self, seconds: float) -> None:
        """Limit the time that `append` waits; slower writes continue in the background."""

    def append(self, data: bytes) -> None:
        """Append one encoded line and return when it is stored durably. Raises: ValueError; OSError."""

    def close(self) -> None:
        """Close the log, so that others can write to it."""


class ChangedElsewhere(StorageError):
    """Another hub replaced a file since this one read it; nothing was written."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, f"another hub changed {path.name} at the same moment; try again")
        self.strerror = self.message


class StorageAway(StorageError):
    """The storage cannot be reached now; nothing was stored."""


class LockedElsewhere(FileLocked):
    """Another hub writes to the log."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.message = self.strerror = f"another hub holds the game {path.stem}; send orders there"


class OutcomeUnknown(StorageError):
    """A line was sent, and it is unknown whether it was stored. The log must be opened again."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(path, f"{why}: it is unknown whether the order was stored")
        self.strerror = self.message


class Storage(Protocol):
    """What a server keeps. Each method may raise OSError."""

    def names(self, directory: Path) -> list[str]:
        """Return the names of the logs of a directory, without the suffix, in no order."""

    def files(self, root: Path) -> list[Path]:
        """Return all logs and files below a directory."""

    def exists(self, path: Path) -> bool:
        """Whether there is a log or file."""

    def state(self, path: Path) -> tuple[int, int]:
        """Return two numbers that change when the log changes. Raises: FileNotFoundError."""

    def read(self, path: Path) -> bytes:
        """Return a log or file. Raises: FileNotFoundError."""

    def replace(self, path: Path, data: bytes) -> None:
        """Write a file that only the owner of the server can read, atomically.

        Raises: ChangedElsewhere.
        """

    def append(self, path: Path, data: bytes) -> None:
        """Append to a file; create it if missing."""

    def remove(self, path: Path) -> None:
        """Remove a file; do nothing if there is none."""

    def create_log(self, path: Path, header: Header) -> StoredLog:
        """Create a log. Raises: FileExistsError."""

    def add_log(self, path: Path, data: bytes) -> None:
        """Add a complete log. Raises: FileExistsError."""

    def open_log(self, path: Path) -> StoredLog:
        """Open a log to continue it; there is one writer. Raises: FileNotFoundError; FileLocked; BrokenLog."""


class FileStorage:
    """The storage of single machines: each log and file is a file. The methods are those of `Storage`."""

    def names(self, directory: Path) -> list[str]:
        return [path.stem for path in directory.glob(f"*{LOG_SUFFIX}")]

    def files(self, root: Path) -> list[Path]:
        # no links: they may lead out of the directory
        return [path for path in sorted(root.rglob("*")) if path.is_file() and not path.is_symlink()]

    def exists(self, path: Path) -> bool:
        return path.is_file()

    def state(self, path: Path) -> tuple[int, int]:
        found = path.stat()
        return found.st_size, found.st_mtime_ns

    def read(self, path: Path) -> bytes:
        return files.read_regular(path)

    def replace(self, path: Path, data: bytes) -> None:
        files.replace_file(path, data)

    def append(self, path: Path, data: bytes) -> None:
        files.append_private(path, data)

    def remove(self, path: Path) -> None:
        path.unlink(missing_ok=True)

    def create_log(self, path: Path, header: Header) -> StoredLog:
        return LogStore.create(path, header)

    def add_log(self, path: Path, data: bytes) -> None:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        files.write_new(path, data)

    def open_log(self, path: Path) -> StoredLog:
        return LogStore.open(path)


FILES: Storage = FileStorage()
"""The file system."""

SEED_SUFFIX = ".seed"


def seed_file(log: Path) -> Path:
    """Path of the file with a log's seed."""
    return log.with_suffix(SEED_SUFFIX)


def write_seed(log: Path, seed: str, storage: Storage = FILES) -> None:
    """Save the seed of a new log. Raises: FileExistsError if the log exists; OSError."""
    if storage.exists(log):
        raise FileExistsError(f"{log} exists already")
    log.parent.mkdir(parents=True, exist_ok=True)
    storage.replace(seed_file(log), seed.encode() + b"\n")


def read_seed(log: Path, storage: Storage = FILES) -> str:
    """Read the seed saved beside a log; "" if there is none. Raises: OSError."""
    try:
        return storage.read(seed_file(log)).decode("ascii", "replace").strip()
    except FileNotFoundError:
        return ""
