"""The one place that knows where the files of the program lie.

Nobody else builds a path to `data/` or `styles/`. In an installed wheel they are `paxtui/_data` and `paxtui/_styles`;
in a checkout they are the directories at its top.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path


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
