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

import msgspec
import platformdirs

LARGEST_LOG = 256 * 1024 * 1024
"""Maximum size of a log to read, in bytes; a finished game has half a million."""

TEMP_MARK = ".paxtui-saving"
"""Suffix of temporary files; their names start with a dot."""

OPEN_TRIES = 5
"""Maximum attempts to open a file that other programs keep replacing."""

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
    """A file cannot be used; the message names it and, as for any OSError, has no full stop.

    Attributes:
        path: the file.
        message: the problem, for the user.
    """

    def __init__(self, path: Path, message: str) -> None:
        super().__init__(message)
        self.path = path
        self.message = message

    def __str__(self) -> str:
        return self.message


class NotRegularFile(StorageError):
    """The path is not a regular file but, for example, a pipe or a device."""


class FileLocked(StorageError):
    """Another program has the file open for writing."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, f"{path} is open in another program; close the game there first")


LONGEST_NAME = 255
"""Maximum length of a path component in bytes, as in the usual file systems."""


def typed_path(text: str) -> Path:
    """Return the path that the user typed, with `~` and `~user` expanded.

    Raises:
        StorageError: the user is unknown, or a name is too long or contains a null character.
    """
    path = Path(text)
    try:
        path = path.expanduser()
    except RuntimeError:
        raise StorageError(path, f"{path.parts[0]} is not a home directory; write the full path") from None
    longest = max(path.parts, key=lambda part: len(os.fsencode(part)), default="")
    if len(os.fsencode(longest)) > LONGEST_NAME:
        raise StorageError(path, f"{longest[:40]}... is too long for a file name; {LONGEST_NAME} bytes are allowed")
    if "\0" in text:
        raise StorageError(path, "a file name cannot contain a null character")
    return path


# --- opening ----------------------------------------------------------------------------------------------------------


def open_regular(path: Path, flags: int = os.O_RDONLY) -> int:
    """Open a regular file without blocking, and return its descriptor.

    Args:
        path: the file; links are followed.
        flags: flags of `os.open`; no file is created.

    Raises:
        FileNotFoundError: the file does not exist.
        NotRegularFile: it is not a regular file.
        OSError: it cannot be opened.
    """
    # Checked before opening too: opening alone activates some devices.
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
    """Read the contents of an open regular file.

    Raises:
        StorageError: it is larger than `LARGEST_LOG`.
        OSError: the read failed.
    """
    pieces: list[bytes] = []
    size = 0
    while piece := os.pread(descriptor, min(1 << 20, LARGEST_LOG + 1 - size), size):
        pieces.append(piece)
        size += len(piece)
        if size > LARGEST_LOG:
            raise StorageError(path, f"{path} has more than {LARGEST_LOG >> 20} MiB, more than any game")
    return b"".join(pieces)


def read_regular(path: Path) -> bytes:
    """Read a regular file. Errors as in `open_regular` and `read_all`."""
    descriptor = open_regular(path)
    try:
        return read_all(descriptor, path)
    finally:
        os.close(descriptor)


# --- names and locks --------------------------------------------------------------------------------------------------


def is_file_of(descriptor: int, path: Path) -> bool:
    """Whether `path`, with links followed, still leads to the open file."""
    try:
        named = os.stat(path)
    except OSError:
        return False
    return os.path.samestat(named, os.fstat(descriptor))


def lock_file(descriptor: int, path: Path) -> bool:
    """Lock an open file until its descriptor is closed. The lock applies to all paths of the file.

    Returns:
        False if the file system has no locks.

    Raises:
        FileLocked: another program holds the lock.
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
    """Sync the entries of a directory to disk."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


# --- writing ----------------------------------------------------------------------------------------------------------


@contextmanager
def name_in_errors(path: Path) -> Iterator[None]:
    """Add the file's path to OSErrors without one, such as a full disk."""
    try:
        yield
    except OSError as error:
        if error.filename is None and error.errno is not None:
            error.filename = str(path)
        raise


def write_at(descriptor: int, data: bytes, offset: int) -> None:
    """Write all of `data` at `offset`, with several system calls if needed."""
    view = memoryview(data)
    while view:
        written = os.pwrite(descriptor, view, offset)
        view = view[written:]
        offset += written


def append_private(path: Path, data: bytes) -> None:
    """Append durably to a file readable only by its owner; create it if missing.

    Raises:
        NotRegularFile: the path is not a regular file.
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


def readable_json(value: object) -> bytes:
    """Encode a struct as a JSON file that people can read."""
    return msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"


def write_new(path: Path, data: bytes) -> None:
    """Create a file readable only by its owner, atomically and durably.

    Raises:
        FileExistsError: the path exists; it is unchanged.
        OSError: it cannot be written.
    """
    _write_whole(path, data, replace=False)


@contextmanager
def take_away(path: Path) -> Iterator[bytes]:
    """Yield the contents of a regular file, locked; delete it at the end, unless there is an error.

    Raises:
        FileLocked: another program has the file open for writing.
        OSError: it cannot be read or deleted.
    """
    descriptor, _ = open_locked(path)
    try:
        yield read_all(descriptor, path)
        os.unlink(path)
    finally:
        os.close(descriptor)
    sync_directory(path.parent)


def describe_error(error: Exception) -> str:
    """Describe an error for the user, an OSError by its file and problem without a full stop."""
    if not isinstance(error, OSError):
        return str(error)
    name, why = error.filename, error.strerror
    shown = os.fsdecode(name) if isinstance(name, str | bytes) else str(name or "")
    if isinstance(error, FileNotFoundError) and shown:
        return f"there is no file {shown}"
    if isinstance(error, FileExistsError) and shown:
        return f"{shown} exists already"
    if why and shown:
        return f"{shown}: {why[:1].lower()}{why[1:]}"
    return f"{why[:1].lower()}{why[1:]}" if why else str(error)


def replace_file(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Replace a file atomically. The caller checks that it may be replaced.

    Raises:
        OSError: the write failed; the old file is unchanged.
    """
    _write_whole(path, data, replace=True, mode=mode)


def write_named(path: Path, data: bytes) -> None:
    """Write a file that the user named, atomically; links are followed.

    Raises:
        FileNotFoundError: the folder does not exist.
        NotRegularFile: the path is a directory, a pipe, a device or similar.
        OSError: the write failed; the old file is unchanged.
    """
    with suppress(FileNotFoundError):
        _check_regular(path, os.stat(path).st_mode)
    real = Path(os.path.realpath(path))
    os.stat(real.parent)
    replace_file(real, data, 0o644)


def _write_whole(path: Path, data: bytes, *, replace: bool, mode: int = 0o600) -> None:
    os.close(write_locked(path, data, replace=replace, mode=mode))
    sync_directory(path.parent)


def write_locked(path: Path, data: bytes, *, replace: bool, mode: int = 0o600) -> int:
    """Write a file atomically, and return its descriptor, which holds the lock of the file.

    The caller syncs the directory.

    Args:
        replace: replace a file of that name; otherwise the name must be free.
        mode: the permissions.

    Raises:
        FileExistsError: the name is not free; the file is unchanged.
        OSError: the write failed; the old file is unchanged.
    """
    remove_temp_files(path.parent)
    new = path.with_name(f".{path.name}.{secrets.token_hex(4)}{TEMP_MARK}")
    descriptor = os.open(new, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    try:
        lock_file(descriptor, new)  # so that other programs do not remove it
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
        os.close(descriptor)
        raise
    return descriptor


def _name_anew(new: Path, path: Path) -> None:
    """Rename a file; the new name must be free."""
    try:
        os.link(new, path)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        # No hard links on this file system: a short race for the name remains.
        if os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path)) from None
        os.rename(new, path)
    else:
        os.unlink(new)


def remove_temp_files(directory: Path) -> None:
    """Remove temporary files that killed programs left in a directory."""
    with suppress(OSError), os.scandir(directory) as entries:
        for entry in entries:
            if entry.name.startswith(".") and entry.name.endswith(TEMP_MARK):
                with suppress(OSError):
                    _remove_temp_file(Path(entry.path))


def _remove_temp_file(leftover: Path) -> None:
    """Remove a temporary file unless another program still writes it."""
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
    """Open and lock a log; return its descriptor and whether the file system has locks.

    Raises:
        FileNotFoundError, NotRegularFile, FileLocked, OSError: as in `open_regular` and `lock_file`.
    """
    for _ in range(OPEN_TRIES):
        descriptor = open_regular(path, os.O_RDWR)
        try:
            locked = lock_file(descriptor, path)
            # A save replaces the file, so the opened one may be the old one.
            if is_file_of(descriptor, path):
                return descriptor, locked
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)
    raise FileLocked(path)


@cache
def _root(inside_wheel: str, in_checkout: str) -> Path:
    """Find the directory of one kind of file.

    Args:
        inside_wheel: its name in the installed package.
        in_checkout: its name at the top of the checkout.

    Raises:
        FileNotFoundError: the installation is broken.
    """
    package = Path(str(files("paxtui")))
    for root in (package / inside_wheel, package.parent / in_checkout):
        if root.is_dir():
            return root
    raise FileNotFoundError(f"the directory '{in_checkout}' of paxtui is missing: install the program again")


def data_path(name: str = "") -> Path:
    """Path of a file in `data/` (`areas.csv`, `map/map_layout.csv`), or of `data/` itself for ""."""
    return _root("_data", "data") / name


def style_path() -> Path:
    """Path of `styles/`."""
    return _root("_styles", "styles")


def player_home() -> Path | None:
    """Return the player's directory from PAXTUI_HOME; None if it is not set.

    Raises:
        StorageError: it names an unknown user.
    """
    home = os.environ.get("PAXTUI_HOME")
    if not home:
        return None
    try:
        return Path(home).expanduser()
    except RuntimeError:
        raise StorageError(Path(home), f"PAXTUI_HOME is {home}, and there is no such user") from None


def player_data() -> Path:
    """Return the directory of saved games and crash reports. Raises: StorageError."""
    return player_home() or Path(platformdirs.user_data_dir("paxtui", appauthor=False))


def player_config() -> Path:
    """Return the directory of settings and keys. Raises: StorageError."""
    return player_home() or Path(platformdirs.user_config_dir("paxtui"))


LARGEST_CONFIG, MOST_DOTS = 64 * 1024, 100
"""Maximum size of a configuration file in bytes, and maximum number of dots in a line."""


def config_file(name: str) -> Path:
    """Return the path of a configuration file; PAXTUI_HOME changes the directory. Raises: StorageError."""
    return player_config() / name


def read_toml(path: Path) -> dict[str, Any]:
    """Read a small configuration file; return an empty dict if it is missing, unreadable or invalid."""
    try:
        data = read_regular(path)
        # tomllib nests a table per part of a dotted name, in quadratic time.
        if len(data) > LARGEST_CONFIG or max((line.count(b".") for line in data.splitlines()), default=0) > MOST_DOTS:
            return {}
        return tomllib.loads(data.decode("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}


def write_config(path: Path, text: str) -> None:
    """Write a configuration file atomically.

    Raises:
        OSError: it cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    write_named(path, text.encode())
