"""The command `store`, and the database of a server."""

from __future__ import annotations

import argparse
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from paxtui.cli.hosting.admin import is_running, open_data_directory
from paxtui.cli.runtime import CommandError
from paxtui.server.data_directory import STORE_FILE, DataDirectory, read_store_url
from paxtui.session.storage.extras import install_command
from paxtui.session.storage.files import replace_file, typed_path
from paxtui.session.storage.interface import FILES, Storage

if TYPE_CHECKING:
    from paxtui.server.peers import Peers
    from paxtui.server.postgres.storage import PostgresStorage

STORE_USAGE = """Copy what a server keeps from a data directory into a PostgreSQL database, or back.

Without GAME, everything is copied: games, players, club, and keys of the server. What the target has already stays
as it is; if it has other contents under the same name, nothing is copied. Stop the servers first.

examples:
  paxtui store copy ~/table postgresql://ann@db.example.org/paxtui
  paxtui store copy postgresql://ann@db.example.org/paxtui ~/table-again
  paxtui store copy ~/table postgresql://ann@db.example.org/paxtui friday     only this game
"""


def store_arguments(part: argparse.ArgumentParser) -> None:
    part.add_argument("what", choices=("copy",), help="copy games")
    part.add_argument("source", metavar="FROM", help="data directory of a server, or postgresql://...")
    part.add_argument("target", metavar="TO", help="the same; a directory is created if missing")
    part.add_argument("game", nargs="*", metavar="GAME", help="only these games, without players and club")


def run_store(args: argparse.Namespace) -> int:
    """Copy, and print what was copied."""
    from paxtui.server.storage_copy import copy_storage

    source, root = _open_place(args.source, is_source=True)
    target, new_root = _open_place(args.target, is_source=False)
    copied = copy_storage(source, root, target, new_root, args.game)
    there = len(args.game or source.names(root / "games")) - len(copied)
    print(f"Copied {len(copied)} game{'s' * (len(copied) != 1)}" + (f"; {there} were there already" if there else ""))
    return 0


def _open_place(text: str, is_source: bool) -> tuple[Storage, Path]:
    """Open a database or a data directory. Raises: CommandError; OSError."""
    if _is_url(text):
        root = Path.cwd()
        return open_database(text, root, make=not is_source), root
    root = typed_path(text).absolute()
    if is_source and not (root / "games").is_dir():
        raise CommandError(f"{root} is not the data directory of a server: it has no folder games")
    directory = DataDirectory(root)
    if is_running(directory):
        raise CommandError(f"a server runs in {root}: stop it first, with 'paxtui stop --data {root}'")
    if read_store_url(root):
        raise CommandError(f"the games of {root} are in a database; its URL is in {root / STORE_FILE}")
    return FILES, root


def _is_url(text: str) -> bool:
    return text.startswith(("postgresql://", "postgres://"))


def open_database(url: str, root: Path, make: bool = True) -> PostgresStorage:
    """Open the storage in a database.

    Args: its URL; the data directory, whose files it names; whether to create missing tables.
    Raises: CommandError; StorageError.
    """
    if not _is_url(url):
        raise CommandError(f"{url}: write the URL of a database as postgresql://USER@HOST/DATABASE")
    try:
        from paxtui.server.postgres.database import Database
        from paxtui.server.postgres.storage import PostgresStorage
    except ImportError:
        raise CommandError(f"a database needs another library: {install_command('postgres')}") from None
    return PostgresStorage(Database(url, make), root)


def open_hub_storage(root: Path, url: str) -> Storage:
    """Return the storage of a hub: its database, if one was named now or earlier, else the directory.

    Raises: CommandError; StorageError; OSError.
    """
    from paxtui.server.storage_copy import share_keys

    known = read_store_url(root)
    if not url and not known:
        return FILES
    if not known and FILES.names(root / "games"):
        copy = f"copy them with 'paxtui store copy {root} URL', then serve from a new directory, --data DIR"
        raise CommandError(f"{root} has games in files: {copy}")
    storage = open_database(url or known, root)
    if find_spec("asyncssh") and not storage.exists(root / "host_key"):
        from paxtui.server.ssh_server import load_host_key

        load_host_key(DataDirectory(root))
    share_keys(storage, root)
    if url and url != known:
        replace_file(root / STORE_FILE, url.encode() + b"\n")
    return storage


def peers_of(storage: Storage) -> Peers | None:
    """Return the other hubs of a database; None for files."""
    if storage is FILES:
        return None
    from paxtui.server.postgres.hubs import PostgresPeers
    from paxtui.server.postgres.storage import PostgresStorage

    return PostgresPeers(storage) if isinstance(storage, PostgresStorage) else None


def open_stored_directory(args: argparse.Namespace) -> DataDirectory:
    """Open the data directory of a server that may not run, with its database if it has one.

    Raises:
        CommandError, OSError, StorageError: it cannot be used.
    """
    return open_with_storage(open_data_directory(args).root)


def open_with_storage(root: Path) -> DataDirectory:
    """Open a data directory with its database if it has one. Raises: as `open_stored_directory`."""
    found = DataDirectory(root)
    url = read_store_url(found.root)
    return DataDirectory(found.root, open_database(url, found.root)) if url else found
