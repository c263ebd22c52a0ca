"""The one place that knows where the files of the program lie, and those of the player.

Nobody else builds a path to `data/` or `styles/`. In an installed wheel they are `paxtui/_data` and `paxtui/_styles`;
in a checkout they are the directories at its top. The player's own files are where PAXTUI_HOME says, else where the
system keeps such things.
"""

from __future__ import annotations

import os
from functools import cache
from importlib.resources import files
from pathlib import Path

import platformdirs

from paxtui.table.disk.files import StoreError


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
        StoreError: it names a user that there is not.
    """
    home = os.environ.get("PAXTUI_HOME")
    if not home:
        return None
    try:
        return Path(home).expanduser()
    except RuntimeError:
        raise StoreError(Path(home), f"PAXTUI_HOME is {home}, and there is no such user") from None


def player_data() -> Path:
    """The directory of a player's games and of the reports of crashes. Raises: StoreError."""
    return player_home() or Path(platformdirs.user_data_dir("paxtui", appauthor=False))


def player_config() -> Path:
    """The directory of a player's settings and keys. Raises: StoreError."""
    return player_home() or Path(platformdirs.user_config_dir("paxtui"))
