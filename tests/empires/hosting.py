"""Exercises on a `GameHost`, with bots at some seats."""

from __future__ import annotations

from pathlib import Path

from paxtui.bots.empires.registry import EmpiresBots
from paxtui.session.game_host import GameHost, empty_clock
from paxtui.session.hosts import new_game


def host_exercise(name: str, seed: str = "1", bots: tuple[str, ...] = (), path: Path | None = None) -> GameHost:
    """An exercise at its start; every seat may take back anything."""
    seated = dict.fromkeys(bots, EmpiresBots().parse_name("steady"))
    return new_game("empires", seed, scenario=name, path=path, undo="free", clock=empty_clock, occupants=seated)
