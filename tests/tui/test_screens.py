"""Recordings of the screens that have none elsewhere, and of the map alone: fixed games, sizes and palettes."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from textual.app import App, ComposeResult

from paxtui.games.pax.state.questions import FightOrDecline, Losses, Pending, Retreat
from paxtui.session.pax_host import PaxHost
from paxtui.tui.app import PaxApp
from paxtui.tui.base.settings import Settings
from paxtui.tui.colors import PALETTES
from paxtui.tui.dialogs.choice import ChoiceDialog
from paxtui.tui.dialogs.reports import CombatResultDialog
from paxtui.tui.dialogs.seats import PrivacyScreen
from paxtui.tui.map.world_map import WorldMap
from paxtui.tui.start_screens import new_game
from paxtui.tui.widgets.map_scene import build_scene
from tests.places import CONGRESS, GOLDEN
from tests.tui.playing import (
    NEGOTIATION,
    QUIET,
    SIZES,
    TWO_FIGHTS,
    AppWithoutCurtain,
    congress_lines,
    open_log,
    press,
    start_at,
    wait_for_keys,
)


def view_line(line: int, *keys: str):
    """Return a function that views a line of the log and presses keys."""

    async def before(pilot) -> None:
        game = pilot.app.screen
        game.session.look_at(line)
        game.view.draw()
        await pilot.pause()
        await pilot.press(*keys)
        await pilot.pause()

    return before


@pytest.mark.parametrize(("look", "size"), [
    pytest.param(look, size, id=f"{look}-{size[0]}x{size[1]}")
    for look, size in (
        ("dark", (200, 60)), ("dark", (160, 50)), ("dark", (120, 40)), ("dark", (80, 24)),
        ("deuteranopia", (120, 40)), ("ascii", (160, 50)), ("ascii", (80, 24)),
    )
])  # fmt: skip
def test_main_screen(home, compare_screen, size, look):
    settings = {"ascii": True} if look == "ascii" else {"palette": look}
    assert compare_screen(open_log(home, **settings), terminal_size=size, run_before=view_line(432))


@SIZES
@pytest.mark.parametrize("keys", ["z", "6", "3", "5", "e", "f1", "w"])
def test_panes_and_screens(home, compare_screen, size, keys):
    assert compare_screen(open_log(home), terminal_size=size, run_before=view_line(432, keys))


@SIZES
def test_action_menu(fresh, compare_screen, size):
    async def before(pilot) -> None:
        pilot.app.screen.view.map.cursor = "siam"
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()

    assert compare_screen(fresh, terminal_size=size, run_before=before)


@SIZES
def test_move_highlights_its_destinations(fresh, compare_screen, size):
    assert compare_screen(fresh, terminal_size=size, press=["v"])


@SIZES
def test_start_screen(home, compare_screen, size):
    assert compare_screen(PaxApp(settings=Settings()), terminal_size=size)


@SIZES
@pytest.mark.parametrize("pressed", [
    ("l",), ("l", "slash", *"russia"), ("colon", *"place inf"), ("slash", *"egy"), ("left_curly_bracket",), ("z",),
    ("z", "z"), ("F",), ("1",), ("left_square_bracket", "m", "left_curly_bracket", "equals_sign"),
], ids=lambda k: "-".join(k)[:24])  # fmt: skip
def test_game_screen(home, compare_screen, size, pressed):
    async def before(pilot: Any) -> None:
        await press(pilot, *pressed)

    assert compare_screen(open_log(home, curtain=False), terminal_size=size, run_before=before)


@SIZES
@pytest.mark.parametrize("kind", ["fight", "losses", "retreat"])
def test_choice(home, compare_screen, size, kind):
    choices = {
        "fight": Pending(
            "c3", "britain", "britain", FightOrDecline(), ("fight egypt", "decline egypt"), "fight egypt", "egypt",
            "Attack Egypt (A10 against 5)?",
        ),
        "losses": Pending("c4", "britain", "britain", Losses(), ("A10", "A3", "A1", "A1"), ("A3",), "egypt", "Lose 3"),
        "retreat": Pending("c5", "britain", "britain", Retreat(), ("home", "cyprus"), "home", "egypt", "Where to?"),
    }  # fmt: skip

    async def before(pilot: Any) -> None:
        await pilot.app.push_screen(ChoiceDialog(pilot.app.screen.session, choices[kind]))
        await pilot.pause()

    assert compare_screen(open_log(home, curtain=False), terminal_size=size, run_before=before)


@SIZES
def test_combat_result(home, compare_screen, size):
    async def before(pilot: Any) -> None:
        game = pilot.app.screen
        for seat in game.session.live.players:
            game.session.take_seat(seat)
            game.session.act_text("ready")
        await wait_for_keys(pilot)
        await press(pilot, "c", "enter")
        assert isinstance(pilot.app.screen, CombatResultDialog)

    assert compare_screen(start_at(home, TWO_FIGHTS), terminal_size=size, run_before=before)


@SIZES
def test_curtain(home, compare_screen, size):
    async def before(pilot: Any) -> None:
        await pilot.app.push_screen(PrivacyScreen("France"))
        await pilot.pause()

    assert compare_screen(open_log(home), terminal_size=size, run_before=before)


class FixedDate(date):
    """A fixed today."""

    @classmethod
    def today(cls) -> FixedDate:
        return cls(2026, 11, 22)


@SIZES
def test_scenario_shelf(home, compare_screen, size):
    assert compare_screen(PaxApp(settings=Settings()), terminal_size=size, press=["c", "down"])


@SIZES
def test_scenario_editor(home, compare_screen, size):
    assert compare_screen(PaxApp(settings=Settings()), terminal_size=size, press=["c", "e", "p", "3", "5"])


@SIZES
def test_new_game(home, compare_screen, monkeypatch, size):
    monkeypatch.setattr(new_game, "date", FixedDate)  # the date is part of the name of a game
    assert compare_screen(PaxApp(settings=Settings()), terminal_size=size, press=["n"])


@SIZES
@pytest.mark.parametrize("pressed", [("C",), ("t", "k"), ("t", "n", "k"), ("t", "n", "p")], ids=lambda k: "-".join(k))
def test_diplomacy(home, compare_screen, size, pressed):
    async def before(pilot: Any) -> None:
        pilot.app.screen.session.take_seat("france")
        await press(pilot, *pressed)

    assert compare_screen(start_at(home, NEGOTIATION, curtain=False), terminal_size=size, run_before=before)


@SIZES
@pytest.mark.parametrize("at", [0, 1, 2], ids=["proposals", "ballots", "tie"])
def test_congress(home, compare_screen, size, at):
    line = congress_lines()[at]
    rows = CONGRESS.read_bytes().splitlines(keepends=True)[:line]
    path = home / "game.jsonl"
    path.write_bytes(b"".join(rows))

    async def before(pilot: Any) -> None:
        await press(pilot, "C")

    app = AppWithoutCurtain(path=path, settings=Settings(**QUIET))
    assert compare_screen(app, terminal_size=size, run_before=before)


class MapOnly(App[None]):
    """An app with only the map."""

    def __init__(self, palette: str) -> None:
        super().__init__()
        self._palette = PALETTES["dark"].in_ascii() if palette == "ascii" else PALETTES[palette]

    def compose(self) -> ComposeResult:
        """Show the map in the middle of a game."""
        with PaxHost.open(GOLDEN, write=False) as table:
            shown = build_scene(table.tables, table.game.seek(432), "egypt")
        yield WorldMap(scene=shown, cursor="egypt", palette=self._palette)


@pytest.mark.parametrize("look", ["light", "ascii"])
def test_map_only(compare_screen, look):
    assert compare_screen(MapOnly(look), terminal_size=(160, 50))
