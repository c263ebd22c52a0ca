"""Where a monkey may begin: each a directory of its own with what stands on the screen first."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from paxtui.pax.position.setup import seats_for
from paxtui.table.authority import Table
from paxtui.table.tables import load_tables
from tests.monkey.typing import Stroke, key, typed
from tests.places import CONGRESS, GOLDEN
from tests.tui.playing import MOVEMENT, NEGOTIATION

GAME = "game.jsonl"
CURTAIN = (key("space"),)
"""A game with secrets opens on the curtain."""


def begin(home: Path, patch: dict[str, Any]) -> Path:
    """A new game of seven at a position."""
    path = home / GAME
    with Table.new(load_tables(), seats_for(7), "7", {}, path=path, undo="free", clock=lambda: "") as table:
        table.act("arbiter", {"type": "set_position", "patch": patch})
    return path


def kept(home: Path, log: Path) -> Path:
    """A copy of a kept game."""
    return Path(shutil.copy(log, home / GAME))


def nothing(home: Path) -> None:
    """The start screen, with nothing saved."""


def saved(home: Path) -> None:
    """The start screen, with two saved games."""
    (home / "saves").mkdir()
    shutil.copy(CONGRESS, home / "saves")
    shutil.copy(begin(home, MOVEMENT), home / "saves" / "begun.jsonl")


VISITS: Sequence[tuple[str, Callable[[Path], Path | None], tuple[Stroke, ...]]] = (
    ("movement", lambda home: begin(home, MOVEMENT), ()),
    ("negotiation", lambda home: begin(home, NEGOTIATION), CURTAIN),
    ("congress", lambda home: kept(home, CONGRESS), (*CURTAIN, *typed("{{{{C"))),
    ("start", nothing, ()),
    ("saved", saved, ()),
    ("tutorial", nothing, typed("l")),
    ("new", nothing, typed("n")),
    ("settings", lambda home: begin(home, MOVEMENT), (key("f4"),)),
    ("keys", lambda home: begin(home, MOVEMENT), (key("f5"),)),
    ("treaties", lambda home: begin(home, NEGOTIATION), (*CURTAIN, *typed("t"))),
    ("editor", lambda home: begin(home, NEGOTIATION), (*CURTAIN, *typed("tna"))),
    ("replay", lambda home: kept(home, GOLDEN), (*CURTAIN, *typed("{{["))),
    ("menu", lambda home: begin(home, MOVEMENT), typed("/egy\r\r")),
    ("reading", lambda home: begin(home, MOVEMENT), (key("f2"),)),
    ("dispatches", lambda home: begin(home, NEGOTIATION), (*CURTAIN, *typed("d"))),
    ("sheet", lambda home: begin(home, NEGOTIATION), (*CURTAIN, *typed("e"))),
)
"""Name, what lies in the directory and which game is opened, and what is typed first."""
