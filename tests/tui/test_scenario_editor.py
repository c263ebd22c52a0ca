"""The scenario editor by keys: markers, units, numbers, Treaties, problems, save, test game."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import OptionList

from paxtui.session.tables.loader import load_tables
from paxtui.session.tables.scenarios import load_scenario
from paxtui.tui.app import PaxApp
from paxtui.tui.base.dialogs import ConfirmDialog
from paxtui.tui.base.settings import Settings
from paxtui.tui.game.screen import GameScreen
from paxtui.tui.map.world_map import WorldMap
from paxtui.tui.start_screens.scenario_editor import ScenarioEditor, problem_place, problem_text
from paxtui.tui.start_screens.scenarios import ScenarioShelf
from tests.tui.playing import QUIET, drawn_text, keys_of, notices, press

HERE, PROBLEMS = "#editor-here", "#editor-problems"
FRANCE = ("p",)
"""Keys from Britain to France."""


def editor_app(name: str = "1880") -> PaxApp:
    """Start the program with only the editor."""
    from paxtui.session.tables.scenarios import scenario_files

    scenario = load_scenario(scenario_files()[name])
    return PaxApp(settings=Settings(**QUIET), only=lambda: ScenarioEditor(scenario))  # type: ignore[arg-type,return-value]


async def move_cursor(pilot, place: str) -> ScenarioEditor:
    """Move the cursor to a place."""
    await pilot.pause()
    pilot.app.screen.query_one(WorldMap).cursor = place
    await pilot.pause()
    return pilot.app.screen


@pytest.mark.slow
async def test_markers_and_units_are_placed_and_removed(home: Path) -> None:
    async with editor_app().run_test(size=(80, 24)) as pilot:
        await move_cursor(pilot, "tunis")
        await press(pilot, *FRANCE, "3", "s", "a")
        assert "Tunis  value 5, strength 3  France Protectorate" in drawn_text(pilot.app, HERE)
        assert "A3" in drawn_text(pilot.app, HERE) and "not saved" in drawn_text(pilot.app, HERE)
        assert drawn_text(pilot.app, PROBLEMS).strip() == "A game can begin here."
        await press(pilot, "minus", "minus")
        assert "France has no unit here." in notices(pilot.app)
        await press(pilot, "0")
        assert "no marker" in drawn_text(pilot.app, HERE)


@pytest.mark.slow
async def test_problem_is_shown_and_n_goes_there(home: Path) -> None:
    async with editor_app().run_test(size=(80, 24)) as pilot:
        await move_cursor(pilot, "tripoli")
        await press(pilot, *FRANCE, "5")
        assert "1 problem: no game can begin here." in drawn_text(pilot.app, PROBLEMS)
        assert "Tripoli: only britain has dominion markers" in drawn_text(pilot.app, PROBLEMS)
        editor = await move_cursor(pilot, "siam")
        await press(pilot, "n")
        assert editor.place == "tripoli"
        await press(pilot, "f10", "enter")
        assert "only britain has dominion markers" in notices(pilot.app)
        assert not (home / "scenarios").exists()


@pytest.mark.slow
async def test_seas_have_merchant_fleets_and_no_markers(home: Path) -> None:
    async with editor_app().run_test(size=(80, 24)) as pilot:
        await move_cursor(pilot, "indian_ocean")
        await press(pilot, *FRANCE, "m")
        assert "Merchant Fleets: Great Britain, Germany" in drawn_text(pilot.app, HERE)
        await press(pilot, "3")
        assert "Move the cursor to an Area first." in notices(pilot.app)


@pytest.mark.slow
async def test_enter_lists_possible_markers(home: Path) -> None:
    async with editor_app().run_test(size=(80, 24)) as pilot:
        editor = await move_cursor(pilot, "tunis")
        await press(pilot, *FRANCE, "enter")
        assert [str(o.prompt)[2:] for o in pilot.app.screen.query_one(OptionList).options][3] == "Protectorate"
        await press(pilot, "d")
        assert [m.marker for m in editor.draft.state.areas["tunis"].markers] == ["protectorate"]


@pytest.mark.slow
async def test_numbers_and_treaties_are_typed(home: Path) -> None:
    async with editor_app().run_test(size=(80, 24)) as pilot:
        editor = await move_cursor(pilot, "tunis")
        await press(pilot, "e", "d", "end", *["backspace"] * 2, *keys_of("4"), "enter")
        await press(pilot, *FRANCE, "e", "g", "end", "backspace", *keys_of("12345"), "enter")
        assert "Write a whole number from 0 to 9999." in drawn_text(pilot.app, "#ask-wrong")
        await press(pilot, "backspace", "enter")
        assert (editor.draft.state.last_turn, editor.draft.state.powers["france"].treasury) == (4, 1234)
        await press(pilot, "t", "enter", *keys_of("with france, italy: defensive"), "enter")
        assert [treaty.parties for treaty in editor.draft.state.treaties] == [("france", "italy")]
        await press(pilot, "t", "down", "enter")
        assert not editor.draft.state.treaties


@pytest.mark.slow
async def test_saved_scenario_is_on_the_shelf_and_can_start(home: Path) -> None:
    async with PaxApp(settings=Settings(**QUIET)).run_test(size=(80, 24)) as pilot:  # type: ignore[arg-type]
        await pilot.pause()
        await press(pilot, "c", "e")
        await move_cursor(pilot, "tunis")
        await press(pilot, *FRANCE, "3", "a", "g", "enter")
        assert isinstance(pilot.app.screen, GameScreen)
        assert pilot.app.screen.session.state.scenario == "my-1880"
    saved = load_scenario(home / "scenarios" / "my-1880.toml")
    assert saved.title == "The whole game (mine)"
    assert [m["marker"] for m in saved.position["areas"]["tunis"]["markers"]] == ["protectorate"]


@pytest.mark.slow
async def test_leaving_with_changes_asks_first(home: Path) -> None:
    async with PaxApp(settings=Settings(**QUIET)).run_test(size=(80, 24)) as pilot:  # type: ignore[arg-type]
        await pilot.pause()
        await press(pilot, "c", "e", "escape")
        assert isinstance(pilot.app.screen, ScenarioShelf)
        await press(pilot, "e")
        await move_cursor(pilot, "tunis")
        await press(pilot, "u", "escape")
        assert isinstance(pilot.app.screen, ConfirmDialog)
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, ScenarioEditor)


@pytest.mark.parametrize(
    ("problem", "place", "text"),
    [
        ("areas.tunis.markers[0]: no", "tunis", "Tunis: no"),
        ("homes.france.units[1]: no", "home:france", "France: no"),
        ("sea_zones.baltic: no", "baltic", "Baltic Sea: no"),
        ("position: france has 2", "", "france has 2"),
        ("turn: 5 must be 4", "", "turn: 5 must be 4"),
        ("areas.nowhere: no", "", "areas.nowhere: no"),
    ],
)
def test_problem_names_its_place(problem: str, place: str, text: str) -> None:
    tables = load_tables()
    assert problem_place(tables, problem) == place
    assert problem_text(tables, problem) == text
