"""Answers kept as texts beside the tests that ask for them, a line each, to be read and judged.

PAXTUI_RECORD=1 python -m pytest tests/pax/words      # after a change on purpose: written anew, and seen as a diff
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from paxtui.engine.refusal import Refusal


def same_as_recorded(path: Path, lines: Iterable[str]) -> None:
    """Hold lines against those of a file, or write them into it where the environment says so."""
    found = [line.replace("\n", " / ") for line in lines]
    if os.environ.get("PAXTUI_RECORD"):
        path.write_text("".join(f"{line}\n" for line in found), "utf-8")
    assert found == path.read_text("utf-8").split("\n")[:-1]


def answer(function: Callable[..., Any], *args: Any) -> str:
    """What a call gives, in one line; of a refusal its code, rules, sentence and what goes with it."""
    try:
        return repr(function(*args))
    except Refusal as refusal:
        return f"refused: {refusal.code} {' '.join(refusal.rules)}: {refusal.message} {refusal.detail or ''}".rstrip()
