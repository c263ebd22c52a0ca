"""Snapshots of every screen that has none elsewhere, and of the map alone at all sizes and in three looks."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from textual.app import App, ComposeResult

from paxtui.engine.choices import Choice
from paxtui.pax.position.setup import new_game, seats_for
from paxtui.table.authority import Table
from paxtui.table.tables import load_tables
from paxtui.tui.app import PaxApp
from paxtui.tui.game.menus import ChoiceScreen
from paxtui.tui.game.scene_of import scene
from paxtui.tui.map.palette import PALETTES
from paxtui.tui.map.world_map import WorldMap
from paxtui.tui.player.look import Look
from paxtui.tui.player.settings import Settings
from paxtui.tui.stage.texts import CurtainScreen
from tests.tui.test_diplomacy_screens import PATCH, keys

GOLDEN = Path(__file__).parents[2] / "saves" / "ten-turns-1880.jsonl"
CONGRESS = Path(__file__).parents[2] / "saves" / "congress-eight-seats.jsonl"
SIZES = pytest.mark.parametrize("size", [(120, 40), (80, 24)], ids=lambda s: f"{s[0]}x{s[1]}")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory of the player's own, and no animation."""
    monkeypatch.setenv("PAXTUI_HOME", str(tmp_path))
    monkeypatch.setenv("TEXTUAL_ANIMATIONS", "none")
    return tmp_path


def opened(home: Path, log: Path = GOLDEN) -> PaxApp:
    """A saved game on the main screen."""
    shutil.copy(log, home / "game.jsonl")
    return PaxApp(path=home / "game.jsonl", settings=Settings(curtain="off"))


def negotiating(home: Path) -> PaxApp:
    """A Negotiation Phase with a dispute."""
    path = home / "game.jsonl"
    with Table.new(load_tables(), seats_for(7), "7", {}, path=path, undo="free", clock=lambda: "") as table:
        table.act("arbiter", {"type": "set_position", "patch": PATCH})
    return PaxApp(path=path, settings=Settings(curtain="off"))


@SIZES
@pytest.mark.parametrize("pressed", [
    ("l",), ("l", "slash", *"russia"), ("colon", *"place inf"), ("slash", *"egy"), ("left_curly_bracket",), ("z",),
    ("z", "z"), ("F",), ("1",), ("2",), ("left_square_bracket", "m", "left_curly_bracket", "equals_sign"),
], ids=lambda k: "-".join(k)[:24])  # fmt: skip
def test_the_game(home, snap_compare, size, pressed):
    async def before(pilot: Any) -> None:
        await keys(pilot, *pressed)

    assert snap_compare(opened(home), terminal_size=size, run_before=before)


@SIZES
@pytest.mark.parametrize("kind", ["fight", "losses", "retreat"])
def test_a_choice(home, snap_compare, size, kind):
    choices = {
        "fight": Choice("c3", "britain", "britain", "fight", ("fight egypt", "decline egypt"), "fight egypt", "egypt"),
        "losses": Choice("c4", "britain", "britain", "losses", ("A10", "A3", "A1", "A1"), ("A3",), "egypt", "Lose 3"),
        "retreat": Choice("c5", "britain", "britain", "retreat", ("home", "cyprus"), "home", "egypt", "Where to?"),
    }

    async def before(pilot: Any) -> None:
        await pilot.app.push_screen(ChoiceScreen(choices[kind], Look(pilot.app.palette)))
        await pilot.pause()

    assert snap_compare(opened(home), terminal_size=size, run_before=before)


@SIZES
def test_the_curtain(home, snap_compare, size):
    async def before(pilot: Any) -> None:
        await pilot.app.push_screen(CurtainScreen("France"))
        await pilot.pause()

    assert snap_compare(opened(home), terminal_size=size, run_before=before)


@SIZES
def test_a_new_game(home, snap_compare, size):
    assert snap_compare(PaxApp(settings=Settings()), terminal_size=size, press=["n"])


@SIZES
@pytest.mark.parametrize("pressed", [("C",), ("t", "k"), ("t", "n", "k"), ("t", "n", "p")], ids=lambda k: "-".join(k))
def test_the_diplomats(home, snap_compare, size, pressed):
    async def before(pilot: Any) -> None:
        pilot.app.screen.sit("france")
        await keys(pilot, *pressed)

    assert snap_compare(negotiating(home), terminal_size=size, run_before=before)


def lines_of_congress() -> list[int]:
    """Lines of the kept Congress at which proposals are asked for, ballots cast, a tie broken, and all is over."""
    with Table.open(CONGRESS, write=False) as table:
        steps = {}
        for line in table.game.lines:
            congress = table.game.seek(line.n).congress
            if congress is not None:
                steps[congress.step] = line.n
    return [steps["propose"], steps["ballot"], steps["tie"]]


@SIZES
@pytest.mark.parametrize("at", [0, 1, 2], ids=["proposals", "ballots", "tie"])
def test_the_hall_of_the_congress(home, snap_compare, size, at):
    line = lines_of_congress()[at]
    rows = CONGRESS.read_bytes().splitlines(keepends=True)[:line]
    path = home / "game.jsonl"
    path.write_bytes(b"".join(rows))

    async def before(pilot: Any) -> None:
        await keys(pilot, "C")

    app = PaxApp(path=path, settings=Settings(curtain="off"))
    assert snap_compare(app, terminal_size=size, run_before=before)


class MapAlone(App[None]):
    """Nothing but the map."""

    def __init__(self, palette: str) -> None:
        super().__init__()
        self._palette = PALETTES["dark"].in_ascii() if palette == "ascii" else PALETTES[palette]

    def compose(self) -> ComposeResult:
        """The world of mid-game."""
        with Table.open(GOLDEN, write=False) as table:
            shown = scene(table.tables, table.game.seek(432), "egypt")
        yield WorldMap(scene=shown, cursor="egypt", palette=self._palette)


@pytest.mark.parametrize("size", [(200, 60), (160, 50), (120, 40), (80, 24)], ids=lambda s: f"{s[0]}x{s[1]}")
@pytest.mark.parametrize("look", ["dark", "deuteranopia", "ascii"])
def test_the_map_alone(snap_compare, size, look):
    assert snap_compare(MapAlone(look), terminal_size=size)


def test_the_start_has_everything_on_the_map():
    tables = load_tables()
    marks = scene(tables, new_game(tables, seats_for(7), {}), "").marks
    assert set(marks) >= set(tables.areas)
