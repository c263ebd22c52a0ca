"""Snapshots of the screens: fixed game, fixed sizes, fixed palettes, no clock, nothing slept for."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from paxtui.pax.position.setup import seats_for
from paxtui.table.authority import Table
from paxtui.table.tables import load_tables
from paxtui.tui.app import PaxApp
from paxtui.tui.player.settings import Settings

GOLDEN = Path(__file__).parents[2] / "saves" / "ten-turns-1880.jsonl"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory of the player's own, and no animation."""
    monkeypatch.setenv("PAXTUI_HOME", str(tmp_path))
    monkeypatch.setenv("TEXTUAL_ANIMATIONS", "none")
    return tmp_path


def at_line(home: Path, line: int, **settings: object) -> PaxApp:
    """The golden game, looking at a line."""
    path = home / "game.jsonl"
    shutil.copy(GOLDEN, path)
    return PaxApp(path=path, settings=Settings(**settings))  # type: ignore[arg-type]


def looking_at(line: int, *keys: str):
    """Look at a line before the picture is taken, then press keys."""

    async def before(pilot) -> None:
        game = pilot.app.screen
        game.session.look_at(line)
        game.redraw()
        await pilot.pause()
        await pilot.press(*keys)
        await pilot.pause()

    return before


@pytest.mark.parametrize("size", [(200, 60), (160, 50), (120, 40), (80, 24)], ids=lambda s: f"{s[0]}x{s[1]}")
@pytest.mark.parametrize("look", ["dark", "deuteranopia", "ascii"])
def test_the_main_screen(home, snap_compare, size, look):
    settings = {"ascii": True} if look == "ascii" else {"palette": look}
    assert snap_compare(at_line(home, 432, **settings), terminal_size=size, run_before=looking_at(432))


@pytest.mark.parametrize("size", [(120, 40), (80, 24)], ids=lambda s: f"{s[0]}x{s[1]}")
@pytest.mark.parametrize("keys", ["z", "6", "3", "5", "e", "f1", "w"])
def test_panes_and_screens(home, snap_compare, size, keys):
    assert snap_compare(at_line(home, 432), terminal_size=size, run_before=looking_at(432, keys))


def fresh(home: Path) -> PaxApp:
    """A game in the Movement Phase of 1880 with a choice to come."""
    path = home / "game.jsonl"
    patch = {"phase": "movement", "powers": {"britain": {"treasury": 60}}}
    with Table.new(load_tables(), seats_for(7), "7", {}, path=path, undo="free", clock=lambda: "") as table:
        table.act("arbiter", {"type": "set_position", "patch": patch})
    return PaxApp(path=path, settings=Settings())


@pytest.mark.parametrize("size", [(120, 40), (80, 24)], ids=lambda s: f"{s[0]}x{s[1]}")
def test_the_action_menu(home, snap_compare, size):
    async def before(pilot) -> None:
        pilot.app.screen.map.cursor = "siam"
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()

    assert snap_compare(fresh(home), terminal_size=size, run_before=before)


@pytest.mark.parametrize("size", [(120, 40), (80, 24)], ids=lambda s: f"{s[0]}x{s[1]}")
def test_a_move_lights_the_places_it_may_end_in(home, snap_compare, size):
    assert snap_compare(fresh(home), terminal_size=size, press=["v"])


@pytest.mark.parametrize("size", [(120, 40), (80, 24)], ids=lambda s: f"{s[0]}x{s[1]}")
def test_the_start_screen(home, snap_compare, size):
    assert snap_compare(PaxApp(settings=Settings()), terminal_size=size)
