"""Puzzles on the screen: the list, an answer, and the chances of each act."""

from __future__ import annotations

from paxtui.studies.puzzles import load_puzzles
from paxtui.tui.app import PaxApp
from paxtui.tui.base.settings import Settings
from paxtui.tui.start_screens.puzzles import PuzzleList, PuzzleScreen
from tests.tui.conftest import screen_text
from tests.tui.playing import press, wait_for_keys


async def test_puzzle_is_solved_and_marked(home):
    puzzle = load_puzzles()[0]
    app = PaxApp(settings=Settings())
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(PuzzleList())
        await wait_for_keys(pilot)
        assert "Enter open a puzzle" in " ".join(screen_text(app)), "the list leaves room for the keys"
        assert isinstance(await press(pilot, "enter"), PuzzleScreen)
        assert "which gains most?" in " ".join(screen_text(app)) and "Right" not in " ".join(screen_text(app))
        await press(pilot, *["down"] * puzzle.solution, "enter")
        text = " ".join(screen_text(app))
        assert "Right: " in text and "rollouts of each act" in text and " %" in text
        await press(pilot, "tab", "tab")
        assert isinstance(await press(pilot, "enter"), PuzzleList)
        assert "solved" in " ".join(screen_text(app))
