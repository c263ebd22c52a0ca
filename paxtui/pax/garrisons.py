"""To be written."""

from __future__ import annotations

from typing import Any

from paxtui.pax.play import Play


def begin(play: Play) -> None: ...
def run(play: Play) -> None: ...
def close(play: Play) -> None: ...


def __getattr__(name: str) -> Any:
    def missing(*args: Any) -> None:
        raise AssertionError(f"{__name__}.{name} is not written yet")

    if name.startswith("__"):
        raise AttributeError(name)
    return missing
