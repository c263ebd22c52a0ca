"""Games opened and begun: the screen of a saved one, and that of a new one."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from pathlib import Path

from paxtui.table.authority import Table
from paxtui.table.games.beside import read_beside
from paxtui.table.session import Session
from paxtui.table.store import save_dir
from paxtui.table.tables import load_tables
from paxtui.tui.game.screen import GameScreen
from paxtui.tui.learning.games import go_on, is_lesson


def open_game(path: Path) -> GameScreen:
    """The screen of a saved game; a tutorial that is under way goes on where it was left.

    Raises: BrokenLog, Locked, Refusal, OSError, each with a message for the player.
    """
    if is_lesson(read_beside(path, "")):
        return go_on(path)
    return GameScreen(Session(Table.open(path)))


def new_game(powers: Sequence[str], seed: str, options: dict[str, str], tables_dir: Path | None = None) -> GameScreen:
    """The screen of a new game, saved in the player's directory from its first line on.

    Raises: Refusal, OSError.
    """
    path = save_dir() / f"game-{secrets.token_hex(3)}.jsonl"
    seed = seed or secrets.token_hex(8)
    table = Table.new(load_tables(tables_dir), powers, seed, options, path=path, undo="free", tables_dir=tables_dir)
    return GameScreen(Session(table))
