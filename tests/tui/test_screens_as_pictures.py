"""Pictures of every screen that has none elsewhere, and of the map alone: fixed games, sizes and palettes, no clock."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from textual.app import App, ComposeResult

from paxtui.pax.state.questions import FightOrDecline, Losses, Pending, Retreat
from paxtui.table.authority import Table
from paxtui.tui.app import PaxApp
from paxtui.tui.boxes.choice import ChoiceScreen
from paxtui.tui.boxes.fought import FoughtScreen
from paxtui.tui.boxes.seat_card import CurtainScreen
from paxtui.tui.colours.palette import PALETTES
from paxtui.tui.front import new_game
from paxtui.tui.map.world_map import WorldMap
from paxtui.tui.stage.settings import Settings
from paxtui.tui.widgets.scene_of import scene
from tests.places import CONGRESS, GOLDEN
from tests.tui.playing import (
    NEGOTIATION,
    QUIET,
    SIZES,
    TWO_FIGHTS,
    NobodyLooks,
    begun,
    lines_of_congress,
    opened,
    press,
    settled,
    sizes,
)


def looking_at(line: int, *keys: str):
    """Look at a line before the picture is taken, then press keys."""

    async def before(pilot) -> None:
        game = pilot.app.screen
        game.session.look_at(line)
        game.draw()
        await pilot.pause()
        await pilot.press(*keys)
        await pilot.pause()

    return before


@sizes((200, 60), (160, 50), (120, 40), (80, 24))
@pytest.mark.parametrize("look", ["dark", "deuteranopia", "ascii"])
def test_the_main_screen(home, snap_compare, size, look):
    settings = {"ascii": True} if look == "ascii" else {"palette": look}
    assert snap_compare(opened(home, **settings), terminal_size=size, run_before=looking_at(432))


@SIZES
@pytest.mark.parametrize("keys", ["z", "6", "3", "5", "e", "f1", "w"])
def test_panes_and_screens(home, snap_compare, size, keys):
    assert snap_compare(opened(home), terminal_size=size, run_before=looking_at(432, keys))


@SIZES
def test_the_action_menu(fresh, snap_compare, size):
    async def before(pilot) -> None:
        pilot.app.screen.map.cursor = "siam"
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()

    assert snap_compare(fresh, terminal_size=size, run_before=before)


@SIZES
def test_a_move_lights_the_places_it_may_end_in(fresh, snap_compare, size):
    assert snap_compare(fresh, terminal_size=size, press=["v"])


@SIZES
def test_the_start_screen(home, snap_compare, size):
    assert snap_compare(PaxApp(settings=Settings()), terminal_size=size)


@SIZES
@pytest.mark.parametrize("pressed", [
    ("l",), ("l", "slash", *"russia"), ("colon", *"place inf"), ("slash", *"egy"), ("left_curly_bracket",), ("z",),
    ("z", "z"), ("F",), ("1",), ("2",), ("left_square_bracket", "m", "left_curly_bracket", "equals_sign"),
], ids=lambda k: "-".join(k)[:24])  # fmt: skip
def test_the_game(home, snap_compare, size, pressed):
    async def before(pilot: Any) -> None:
        await press(pilot, *pressed)

    assert snap_compare(opened(home, curtain=False), terminal_size=size, run_before=before)


@SIZES
@pytest.mark.parametrize("kind", ["fight", "losses", "retreat"])
def test_a_choice(home, snap_compare, size, kind):
    choices = {
        "fight": Pending(
            "c3", "britain", "britain", FightOrDecline(), ("fight egypt", "decline egypt"), "fight egypt", "egypt",
            "Attack Egypt (A10 against 5)?",
        ),
        "losses": Pending("c4", "britain", "britain", Losses(), ("A10", "A3", "A1", "A1"), ("A3",), "egypt", "Lose 3"),
        "retreat": Pending("c5", "britain", "britain", Retreat(), ("home", "cyprus"), "home", "egypt", "Where to?"),
    }  # fmt: skip

    async def before(pilot: Any) -> None:
        await pilot.app.push_screen(ChoiceScreen(pilot.app.screen.session, choices[kind]))
        await pilot.pause()

    assert snap_compare(opened(home, curtain=False), terminal_size=size, run_before=before)


@SIZES
def test_what_a_fight_came_to(home, snap_compare, size):
    async def before(pilot: Any) -> None:
        game = pilot.app.screen
        for seat in game.session.live.players:
            game.session.take_seat(seat)
            game.session.act("ready")
        await settled(pilot)
        await press(pilot, "c", "enter")
        assert isinstance(pilot.app.screen, FoughtScreen)

    assert snap_compare(begun(home, TWO_FIGHTS), terminal_size=size, run_before=before)


@SIZES
def test_the_curtain(home, snap_compare, size):
    async def before(pilot: Any) -> None:
        await pilot.app.push_screen(CurtainScreen("France"))
        await pilot.pause()

    assert snap_compare(opened(home), terminal_size=size, run_before=before)


class Then(date):
    """The day on which the pictures were drawn."""

    @classmethod
    def today(cls) -> Then:
        return cls(2026, 11, 22)


@SIZES
def test_a_new_game(home, snap_compare, monkeypatch, size):
    monkeypatch.setattr(new_game, "date", Then)  # a game is called after the day
    assert snap_compare(PaxApp(settings=Settings()), terminal_size=size, press=["n"])


@SIZES
@pytest.mark.parametrize("pressed", [("C",), ("t", "k"), ("t", "n", "k"), ("t", "n", "p")], ids=lambda k: "-".join(k))
def test_the_diplomats(home, snap_compare, size, pressed):
    async def before(pilot: Any) -> None:
        pilot.app.screen.session.take_seat("france")
        await press(pilot, *pressed)

    assert snap_compare(begun(home, NEGOTIATION, curtain=False), terminal_size=size, run_before=before)


@SIZES
@pytest.mark.parametrize("at", [0, 1, 2], ids=["proposals", "ballots", "tie"])
def test_the_hall_of_the_congress(home, snap_compare, size, at):
    line = lines_of_congress()[at]
    rows = CONGRESS.read_bytes().splitlines(keepends=True)[:line]
    path = home / "game.jsonl"
    path.write_bytes(b"".join(rows))

    async def before(pilot: Any) -> None:
        await press(pilot, "C")

    app = NobodyLooks(path=path, settings=Settings(**QUIET))
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


@sizes((200, 60), (160, 50), (120, 40), (80, 24))
@pytest.mark.parametrize("look", ["dark", "deuteranopia", "ascii"])
def test_the_map_alone(snap_compare, size, look):
    assert snap_compare(MapAlone(look), terminal_size=size)
