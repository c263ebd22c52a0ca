"""Files: paths of program and player, safe access to regular files, locks, and atomic writes.

A path may lead to a pipe, a device or another user's file. The functions here open only regular files, never wait for
a writer, limit the size read, and replace only what the caller allows. PAXTUI_HOME sets the player's directory.
"""

from __future__ import annotations

import errno
import fcntl
import os
import secrets
import stat
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import platformdirs

LARGEST_LOG = 256 * 1024 * 1024
"""Bytes of a log that is read at all; a finished game has half a million."""

TEMP_MARK = ".paxtui-saving"
"""How the names of files end that are being written; they begin with a dot."""

OPEN_TRIES = 5
"""How often a file is opened again that another program has replaced in the same moment."""

_NO_LOCKS = frozenset({errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EINVAL})
_NO_LINKS = frozenset({errno.EPERM, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EMLINK})

_DAY = 24 * 60 * 60.0

_KINDS = (
    (stat.S_ISDIR, "a directory"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


class StorageError(OSError):
    """A file that cannot be used in this way; the text names it and, like that of any OSError, has no full stop.

    Attributes:
        path: the file.
        message: what is wrong, for a person.
    """

    def __init__(self, path: Path, message: str) -> None:
        super().__init__(message)
        self.path = path
        self.message = message

    def __str__(self) -> str:
        return self.message


class NotRegularFile(StorageError):
    """The name leads to something that is no regular file, such as a pipe or a device."""


class FileLocked(StorageError):
    """Another program has the file open for writing."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, f"{path} is open in another program; close the game there first")


LONGEST_NAME = 255
"""Bytes of one name in a path: the limit of the usual file systems."""


def typed_path(text: str) -> Path:
    """Return the path that a person has typed, with `~` and `~user` replaced by the home directory.

    Raises:
        StorageError: there is no such user, or a name in the path is too long or holds a null character.
    """
    path = Path(text)
    try:
        path = path.expanduser()
    except RuntimeError:
        raise StorageError(path, f"{path.parts[0]} is nobody's home directory; write the path in full") from None
    longest = max(path.parts, key=lambda part: len(os.fsencode(part)), default="")
    if len(os.fsencode(longest)) > LONGEST_NAME:
        raise StorageError(path, f"{longest[:40]}... is too long for a file name; {LONGEST_NAME} bytes are allowed")
    if "\0" in text:
        raise StorageError(path, "a file name cannot hold a null character")
    return path


# --- opening ----------------------------------------------------------------------------------------------------------


def open_regular(path: Path, flags: int = os.O_RDONLY) -> int:
    """A descriptor of a regular file, at once: a pipe is refused and not waited for.

    Args:
        path: the file, links followed.
        flags: of `os.open`; no file is made.

    Raises:
        FileNotFoundError: there is no such file.
        NotRegularFile: it is none.
        OSError: it cannot be opened.
    """
    # Looked at before as well: opening is enough to set some devices going.
    _check_regular(path, os.stat(path).st_mode)
    descriptor = os.open(path, flags | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
    try:
        _check_regular(path, os.fstat(descriptor).st_mode)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _check_regular(path: Path, mode: int) -> None:
    if not stat.S_ISREG(mode):
        kind = next((name for test, name in _KINDS if test(mode)), "no regular file")
        raise NotRegularFile(path, f"{path} is {kind}, not a file")


def read_all(descriptor: int, path: Path) -> bytes:
    """The contents of an open regular file.

    Raises:
        StorageError: it is larger than `LARGEST`.
        OSError: the disk failed.
    """
    pieces: list[bytes] = []
    size = 0
    while piece := os.pread(descriptor, min(1 << 20, LARGEST_LOG + 1 - size), size):
        pieces.append(piece)
        size += len(piece)
        if size > LARGEST_LOG:
            raise StorageError(path, f"{path} has more than {LARGEST_LOG >> 20} MiB, and no game is that large")
    return b"".join(pieces)


def read_regular(path: Path) -> bytes:
    """The contents of a regular file. Raises: as `open_regular` and `read_all`."""
    descriptor = open_regular(path)
    try:
        return read_all(descriptor, path)
    finally:
        os.close(descriptor)


# --- names and locks --------------------------------------------------------------------------------------------------


def is_file_of(descriptor: int, path: Path) -> bool:
    """Whether an open file is still the one that `path` names, links followed."""
    try:
        named = os.stat(path)
    except OSError:
        return False
    return os.path.samestat(named, os.fstat(descriptor))


def lock_file(descriptor: int, path: Path) -> bool:
    """Lock an open file for this program, until its descriptor is closed; by whatever name others open it.

    Returns:
        False where the file system has no locks.

    Raises:
        FileLocked: another program has it.
    """
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise FileLocked(path) from None
    except OSError as error:
        if error.errno in _NO_LOCKS:
            return False
        raise
    return True


def sync_directory(directory: Path) -> None:
    """Make the names in a directory survive a loss of power."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


# --- writing ----------------------------------------------------------------------------------------------------------


@contextmanager
def name_in_errors(path: Path) -> Iterator[None]:
    """Add the file's name to an error of the operating system that has none, as that of a full disk."""
    try:
        yield
    except OSError as error:
        if error.filename is None and error.errno is not None:
            error.filename = str(path)
        raise


def write_at(descriptor: int, data: bytes, offset: int) -> None:
    """Write all of `data` at `offset`; the system may take it in several bites."""
    view = memoryview(data)
    while view:
        written = os.pwrite(descriptor, view, offset)
        view = view[written:]
        offset += written


def append_private(path: Path, data: bytes) -> None:
    """Add to a file that is for its owner's eyes, and return when it is on the disk; it is made where it is not there.

    Raises:
        NotRegularFile: there is something else of that name.
        OSError: it cannot be written.
    """
    with suppress(FileNotFoundError):
        _check_regular(path, os.lstat(path).st_mode)
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    descriptor = os.open(path, flags, 0o600)
    try:
        _check_regular(path, os.fstat(descriptor).st_mode)
        os.fchmod(descriptor, 0o600)
        with name_in_errors(path):
            with os.fdopen(descriptor, "ab", closefd=False) as file:
                file.write(data)
            os.fsync(descriptor)
    finally:
        os.close(descriptor)
    sync_directory(path.parent)


def write_new(path: Path, data: bytes) -> None:
    """Make a file for its owner's eyes, whole or not at all, and return when it is on the disk.

    Raises:
        FileExistsError: there is something of that name; it is left as it is.
        OSError: it cannot be written.
    """
    _write_whole(path, data, replace=False)


def move_file(path: Path, new: Path) -> None:
    """Move a regular file to another place, which may be on another file system. Links to the file stay behind.

    Raises:
        FileExistsError: there is something of the new name; it is left as it is.
        FileLocked: another program has the file open for writing.
        OSError: it cannot be moved; it is where it was.
    """
    descriptor, _ = open_locked(path)
    try:
        write_new(new, read_all(descriptor, path))
        os.unlink(path)
    finally:
        os.close(descriptor)
    sync_directory(path.parent)


def describe_error(error: OSError) -> str:
    """An error of the operating system for a person: which file, and what is wrong. No full stop."""
    name, why = error.filename, error.strerror
    shown = os.fsdecode(name) if isinstance(name, str | bytes) else str(name or "")
    if isinstance(error, FileNotFoundError) and shown:
        return f"there is no file {shown}"
    if isinstance(error, FileExistsError) and shown:
        return f"{shown} is there already"
    if why and shown:
        return f"{shown}: {why[:1].lower()}{why[1:]}"
    return f"{why[:1].lower()}{why[1:]}" if why else str(error)


def replace_file(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Put a file in the place of another, whole or not at all.

    Whether the other may be replaced is for the caller to know.

    Raises:
        OSError: it cannot be written; the other file is as it was.
    """
    _write_whole(path, data, replace=True, mode=mode)


def write_named(path: Path, data: bytes) -> None:
    """Write a file that a person has named, whole or not at all; links are followed.

    Raises:
        FileNotFoundError: there is no such folder.
        NotRegularFile: there is a directory, a pipe, a device or the like of that name.
        OSError: it cannot be written; what was there is as it was.
    """
    with suppress(FileNotFoundError):
        _check_regular(path, os.stat(path).st_mode)
    real = Path(os.path.realpath(path))
    os.stat(real.parent)
    replace_file(real, data, 0o644)


def _write_whole(path: Path, data: bytes, *, replace: bool, mode: int = 0o600) -> None:
    remove_temp_files(path.parent)
    new = path.with_name(f".{path.name}.{secrets.token_hex(4)}{TEMP_MARK}")
    descriptor = os.open(new, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    try:
        lock_file(descriptor, new)  # so that nobody takes it for a leftover
        with name_in_errors(path):
            write_at(descriptor, data, 0)
            os.fsync(descriptor)
        if replace:
            os.replace(new, path)
        else:
            _name_anew(new, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(new)
        raise
    finally:
        os.close(descriptor)
    sync_directory(path.parent)


def _name_anew(new: Path, path: Path) -> None:
    """Give a file another name that must be free."""
    try:
        os.link(new, path)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        # A file system without hard links: a moment in which another program could take the name is left.
        if os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path)) from None
        os.rename(new, path)
    else:
        os.unlink(new)


def remove_temp_files(directory: Path) -> None:
    """Remove what programs that were killed while they saved have left in a directory."""
    with suppress(OSError), os.scandir(directory) as entries:
        for entry in entries:
            if entry.name.startswith(".") and entry.name.endswith(TEMP_MARK):
                with suppress(OSError):
                    _remove_temp_file(Path(entry.path))


def _remove_temp_file(leftover: Path) -> None:
    """Remove a leftover of ours, unless it is still being written."""
    seen = os.lstat(leftover)
    if not stat.S_ISREG(seen.st_mode) or seen.st_uid != os.geteuid():
        return
    descriptor = open_regular(leftover, os.O_RDWR)
    try:
        if lock_file(descriptor, leftover) or time.time() - seen.st_mtime > _DAY:
            os.unlink(leftover)
    finally:
        os.close(descriptor)


def open_locked(path: Path) -> tuple[int, bool]:
    """A descriptor of a log, locked, and whether its file system has locks.

    Raises: FileNotFoundError, NotRegularFile, FileLocked, OSError.
    """
    for _ in range(OPEN_TRIES):
        descriptor = open_regular(path, os.O_RDWR)
        try:
            locked = lock_file(descriptor, path)
            # Whoever saves puts another file in its place: it may be the old one that was opened.
            if is_file_of(descriptor, path):
                return descriptor, locked
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)
    raise FileLocked(path)


@cache
def _root(inside_wheel: str, in_checkout: str) -> Path:
    """The directory that holds one kind of file.

    Args:
        inside_wheel: its name inside the installed package.
        in_checkout: its name at the top of the checkout.

    Raises:
        FileNotFoundError: neither is there: the installation is broken.
    """
    package = Path(str(files("paxtui")))
    for root in (package / inside_wheel, package.parent / in_checkout):
        if root.is_dir():
            return root
    raise FileNotFoundError(f"the directory '{in_checkout}' of paxtui is missing: install the program again")


def data_path(name: str = "") -> Path:
    """Path of a file of `data/` by its name in there (`areas.csv`, `map/map_layout.csv`); of `data/` itself for ""."""
    return _root("_data", "data") / name


def style_path(name: str = "") -> Path:
    """Path of a file of `styles/` by its name in there; of `styles/` itself for ""."""
    return _root("_styles", "styles") / name


def player_home() -> Path | None:
    """The directory that PAXTUI_HOME names for everything of the player, None where it names none.

    Raises:
        StorageError: it names a user that there is not.
    """
    home = os.environ.get("PAXTUI_HOME")
    if not home:
        return None
    try:
        return Path(home).expanduser()
    except RuntimeError:
        raise StorageError(Path(home), f"PAXTUI_HOME is {home}, and there is no such user") from None


def player_data() -> Path:
    """The directory of a player's games and of the reports of crashes. Raises: StorageError."""
    return player_home() or Path(platformdirs.user_data_dir("paxtui", appauthor=False))


def player_config() -> Path:
    """The directory of a player's settings and keys. Raises: StorageError."""
    return player_home() or Path(platformdirs.user_config_dir("paxtui"))


LARGEST_CONFIG, MOST_DOTS = 64 * 1024, 100
"""Bytes of such a file, and dots in one of its lines."""


def config_file(name: str) -> Path:
    """A file of the player's configuration; PAXTUI_HOME moves the directory. Raises: StorageError."""
    return player_config() / name


def read_toml(path: Path) -> dict[str, Any]:
    """A small file of the player's; empty when it is not there, cannot be read, or is none that anybody writes."""
    try:
        data = read_regular(path)
        # Of a name in many parts the library makes a table in a table for each, in more and more time.
        if len(data) > LARGEST_CONFIG or max((line.count(b".") for line in data.splitlines()), default=0) > MOST_DOTS:
            return {}
        return tomllib.loads(data.decode("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}


def write_config(path: Path, text: str) -> None:
    """Write a file of the player's whole or not at all.

    Raises: OSError.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    write_named(path, text.encode())


SEED_SUFFIX = ".seed"


def seed_file(log: Path) -> Path:
    """Where the seed of a log is kept."""
    return log.with_suffix(SEED_SUFFIX)


def write_seed(log: Path, seed: str) -> None:
    """Keep the seed of a log that is about to be made. Raises: FileExistsError, where the log is there; OSError."""
    if log.exists():
        raise FileExistsError(f"{log} is there already")
    log.parent.mkdir(parents=True, exist_ok=True)
    replace_file(seed_file(log), seed.encode() + b"\n")


def read_seed(log: Path) -> str:
    """The seed that is kept beside a log, "" where none is. Raises: OSError."""
    try:
        return read_regular(seed_file(log)).decode("ascii", "replace").strip()
    except FileNotFoundError:
        return ""
