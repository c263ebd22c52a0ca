"""Copy games, players and club between storages: a data directory and a database, in both directions."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path

from paxtui.engine.refusal import Refusal
from paxtui.server.backup import is_kept
from paxtui.server.data_directory import make_signing_key
from paxtui.server.link import make_link_key
from paxtui.session.storage.interface import FILES, SEED_SUFFIX, ChangedElsewhere, Storage
from paxtui.session.storage.log_store import LOG_SUFFIX

SHARED_KEYS = ("host_key", "link_key", "ticket_key", "web_key")
"""Files with keys that all hubs of a database share. Their processes read them from the data directory."""

GAME_SUFFIXES = (".notes.json", ".ahead.json", LOG_SUFFIX, SEED_SUFFIX, ".clock", "")
"""Endings of the files of a game."""


def copy_storage(source: Storage, root: Path, target: Storage, new_root: Path, games: Iterable[str] = ()) -> list[str]:
    """Copy all that a server keeps, or only some games with their files.

    What the target has already, with the same content, is left as it is. The games are locked meanwhile.

    Args: the source and its data directory; the target and its data directory; names of games, none for everything.
    Returns: the names of the games that were copied.
    Raises: Refusal `no_such_game`, `not_same`: nothing was copied; FileLocked; OSError.
    """
    wanted = set(games)
    unknown = wanted.difference(source.names(root / "games"))
    if unknown:
        raise Refusal("no_such_game", (), f"There is no game {', '.join(sorted(unknown))} to copy.")
    names = [path.relative_to(root).as_posix() for path in source.files(root)]
    names = [name for name in names if is_kept(name) and (not wanted or _game_of(name) in wanted)]
    with ExitStack() as locks:
        logs = [name for name in names if _is_log(name)]
        for name in logs:
            locks.callback(source.open_log(root / name).close)
        new: dict[str, bytes] = {}
        differing = []
        for name in names:
            data = source.read(root / name)
            if not target.exists(new_root / name):
                new[name] = data
            elif target.read(new_root / name) != data:
                differing.append(name)
        if differing:
            some = f"{', '.join(differing[:4])}{', ...' if len(differing) > 4 else ''}"
            advice = "Copy into a new place, or name the games to copy."
            raise Refusal("not_same", (), f"The target has other contents of {some}; nothing was copied. {advice}")
        for name, data in sorted(new.items(), key=lambda item: _is_log(item[0])):  # a game is there with all its files
            path = new_root / name
            if _is_log(name):
                target.add_log(path, data)
            else:
                if target is FILES:
                    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                target.replace(path, data)
    return [_game_of(name) for name in logs if name in new]


def _is_log(name: str) -> bool:
    return name.startswith("games/") and name.endswith(LOG_SUFFIX)


def _game_of(name: str) -> str:
    """Return the game of a file, "" for a file of the whole server."""
    folder, slash, rest = name.partition("/")
    if not slash or folder not in ("games", "talk"):
        return ""
    return next(rest.removesuffix(suffix) for suffix in GAME_SUFFIXES if rest.endswith(suffix))


def share_keys(storage: Storage, root: Path) -> None:
    """Make the keys of the hubs of a database the same, and fetch what their processes read from the directory.

    Raises: OSError.
    """
    makers = {"link_key": make_link_key, "ticket_key": make_signing_key, "web_key": make_signing_key}
    for name in SHARED_KEYS:
        path = root / name
        try:
            data = storage.read(path)
        except FileNotFoundError:
            if not FILES.exists(path) and name not in makers:
                continue
            data = FILES.read(path) if FILES.exists(path) else makers[name]()
            try:
                storage.replace(path, data)
            except ChangedElsewhere:  # another hub began at the same moment
                data = storage.read(path)
        FILES.replace(path, data)
