"""The folder of a player's games: free names, other names, and the trash, from which everything can be brought back."""

from __future__ import annotations

import os
import re
import unicodedata
from contextlib import suppress
from itertools import count
from pathlib import Path

from paxtui.engine.refusal import Refusal
from paxtui.pax.words.free_text import without_stacks
from paxtui.table.disk import files
from paxtui.table.disk.files import StoreError
from paxtui.table.disk.store import SUFFIX, save_dir
from paxtui.table.games.beside import beside_path

TRASH = "trash"
"""The folder in that of the games to which those go that are thrown away."""

LONGEST = 60
"""Characters of a game's name."""


def name_of(path: Path) -> str:
    """What a game is called: its file without the ending."""
    return path.name.removesuffix(SUFFIX)


def checked_name(name: str) -> str:
    """A name as a file can have it.

    Raises: Refusal `bad_name`.
    """
    tidy = " ".join(unicodedata.normalize("NFC", name).split())
    if not tidy or tidy.startswith(".") or len(tidy) > LONGEST or re.search(r"[/\\:*?\"<>|]", tidy):
        raise Refusal("bad_name", (), f'A name has 1 to {LONGEST} characters, none of / \\ : * ? " < > |.')
    if not tidy.isprintable() or without_stacks(tidy) != tidy or len(os.fsencode(tidy)) > 200:
        raise Refusal("bad_name", (), "There are characters in this name that a file cannot have.")
    return tidy


def free_path(name: str, directory: Path | None = None) -> Path:
    """A file of that name that is not there yet: where it is, a number follows.

    Raises: Refusal `bad_name`.
    """
    folder, name = directory or save_dir(), checked_name(name)
    for n in count(1):
        path = folder / f"{name}{f' {n}' if n > 1 else ''}{SUFFIX}"
        if not os.path.lexists(path):
            break
    return path


def rename(path: Path, name: str) -> Path:
    """Give a game another name; its notes go with it. The new file.

    Raises:
        Refusal: `bad_name`; `exists` where another game has that name.
        Locked, NotRegular, OSError: it cannot be renamed now.
    """
    new = path.with_name(checked_name(name) + SUFFIX)
    if new.name == path.name:
        return path
    _move(path, new)
    return new


def throw_away(path: Path) -> Path:
    """Put a game with its notes into the trash, where nothing is ever overwritten. The file there.

    Raises:
        Locked, NotRegular, OSError: it cannot be moved now.
    """
    trash = path.parent / TRASH
    trash.mkdir(mode=0o700, exist_ok=True)
    new = free_path(name_of(path), trash)
    _move(path, new)
    return new


def bring_back(gone: Path, path: Path) -> Path:
    """Take a game out of the trash again, by its own name or, where that is taken, with a number. The file.

    Raises: Locked, NotRegular, OSError.
    """
    new = path if not os.path.lexists(path) else free_path(name_of(path), path.parent)
    _move(gone, new)
    return new


def _move(path: Path, new: Path) -> None:
    """Name a log anew; nothing is overwritten, and nobody plays it meanwhile.

    Raises: Refusal `exists`; Locked, NotRegular, OSError.
    """
    descriptor = files.open_regular(path, os.O_RDWR)
    try:
        files.lock(descriptor, path)
        try:
            os.link(path, new, follow_symlinks=False)
        except FileExistsError:
            raise Refusal("exists", (), f"There is a game called {name_of(new)} already.") from None
        except OSError as error:
            raise StoreError(path, f"{path} cannot be named anew ({error.strerror})") from error
        os.unlink(path)
        for folder in {path.parent, new.parent}:
            files.sync_directory(folder)
    finally:
        os.close(descriptor)
    # notes that cannot follow are not worth losing the way for
    with suppress(OSError):
        if not os.path.lexists(beside_path(new)):
            os.rename(beside_path(path), beside_path(new))
