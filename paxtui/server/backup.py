"""Back up a server into one file and restore it: games, talk, players, terms, settings and keys.

The hub writes a backup between two acts, so that its files are consistent.
"""

from __future__ import annotations

import gzip
import io
import re
import tarfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from paxtui.engine.log import BrokenLog
from paxtui.engine.refusal import Refusal
from paxtui.server.data_directory import DataDirectory
from paxtui.session.hosts import open_game
from paxtui.session.storage.files import read_regular, write_new
from paxtui.session.storage.interface import FILES

LARGEST_BACKUP = 256 * 1024 * 1024
"""Maximum size of a backup that is restored, in bytes."""

_KEPT = re.compile(
    r"(?:games|talk)/[^/]+\.(?:jsonl|seed|clock|notes\.json|ahead\.json)"
    r"|people/[0-9a-z]+/(?:[^/]+\.toml|notify\.json)"
    r"|notify\.toml|players\.json|terms\.json|club\.json|host_key|ticket_key|web_key"
)
"""Path patterns of the files in a backup, relative to the data directory."""


def write_backup(data_directory: DataDirectory, path: Path) -> int:
    """Write a backup that only its owner can read, and return the number of files in it.

    Raises: FileExistsError, OSError.
    """
    packed, count = io.BytesIO(), 0
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        for name in _files_to_keep(data_directory):
            data = _read(data_directory, name)
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(data), 0o600
            tar.addfile(entry, io.BytesIO(data))
            count += 1
    try:
        write_new(path, packed.getvalue())
    except OSError as error:
        error.filename = str(path.parent if isinstance(error, FileNotFoundError) else path)
        raise
    return count


def _files_to_keep(data_directory: DataDirectory) -> Iterator[str]:
    root, storage = data_directory.root, data_directory.storage
    paths = storage.files(root)
    if storage is not FILES:  # keys and settings stay in the directory
        paths = sorted({*paths, *FILES.files(root)})
    for path in paths:
        name = path.relative_to(root).as_posix()
        if is_kept(name):
            yield name


def _read(data_directory: DataDirectory, name: str) -> bytes:
    """Return a log or file of a server. Raises: OSError."""
    path = data_directory.root / name
    if data_directory.storage.exists(path):
        return data_directory.storage.read(path)
    return read_regular(path)


def is_kept(name: str) -> bool:
    """Whether a backup holds a file. Args: the path relative to the data directory."""
    return _KEPT.fullmatch(name) is not None and ".." not in name and not Path(name).name.startswith(".")


def restore_backup(path: Path, root: Path) -> list[str]:
    """Restore a backup into a new or empty directory and return the names of its games.

    Raises: Refusal `not_empty`, `bad_backup`: nothing was written, or all files but a game cannot be read; OSError.
    """
    if root.exists() and any(root.iterdir()):
        raise Refusal("not_empty", (), f"{root} is not empty: a server is restored into a directory of its own.")
    found = _read_backup(path)
    data_directory = DataDirectory(root)
    for name, data in found.items():
        target = data_directory.root / name
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_new(target, data)
    names = data_directory.names()
    for name in names:
        try:
            open_game(data_directory.game_file(name), write=False)
        except BrokenLog as broken:
            raise Refusal("bad_backup", (), f"The game {name} of this backup cannot be read: {broken}") from None
    return names


def _read_backup(path: Path) -> dict[str, bytes]:
    """Return the files of a backup. Raises: Refusal `bad_backup`; OSError."""
    found: dict[str, bytes] = {}
    size = 0
    try:
        with gzip.open(path) as packed, tarfile.open(fileobj=packed, mode="r:") as tar:
            for entry in tar:
                if not entry.isreg() or not is_kept(entry.name):
                    raise Refusal("bad_backup", (), f"{path} holds {entry.name!r}, which does not belong to a server.")
                size += entry.size
                if size > LARGEST_BACKUP:
                    raise Refusal("bad_backup", (), f"{path} holds more than {LARGEST_BACKUP} bytes.")
                data = tar.extractfile(entry)
                found[entry.name] = data.read() if data is not None else b""
            while packed.read(1 << 20):  # to the end, where gzip compares the checksum
                pass
    except (tarfile.TarError, EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise Refusal("bad_backup", (), f"{path} is not a backup of a server: {error}.") from None
    return found
