"""The screen of an exercise, the plain mode, and the commands; and that Pax Britannica starts without any of it."""

from __future__ import annotations

import asyncio
import io
import subprocess
import sys
from pathlib import Path

import pytest
from textual.widgets import Input

from paxtui.cli.exercise_repl import run_exercise_repl
from paxtui.cli.main import main
from paxtui.session.exercise_session import ExerciseSession
from paxtui.session.hosts import open_game
from paxtui.tui.app import PaxApp
from paxtui.tui.base.dialogs import ConfirmDialog
from paxtui.tui.base.screen import ChoiceList, TextPanel
from paxtui.tui.exercise.screen import ExerciseScreen
from paxtui.tui.rendering import key_queue
from paxtui.tui.start_screens.start import StartScreen
from tests.empires.hosting import host_exercise

pytestmark = pytest.mark.slow


def test_the_first_frame_of_pax_imports_nothing_of_the_exercises(home: Path) -> None:
    code = """
import asyncio, sys
from paxtui.tui.app import PaxApp
async def start():
    async with PaxApp().run_test() as pilot:
        await pilot.pause()
asyncio.run(start())
print(*(name for name in sys.modules if "empires" in name or "exercise" in name))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not done.stdout.split()


@pytest.fixture(autouse=True)
def immediate_confirmation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Accept keys at once on screens that must be seen first."""
    monkeypatch.setattr(key_queue, "MIN_VISIBLE_S", 0.0)


def danube(*acts: str) -> ExerciseSession:
    """France on the Danube against the bot of Austria, after some acts."""
    sitting = ExerciseSession(host_exercise("danube-1805", "1", bots=("austria",)))
    for act in acts:
        sitting.act(act)
    return sitting


def shown(app: PaxApp) -> str:
    """Return the text on the screen."""
    return "\n".join(strip.text.rstrip() for strip in app.screen._compositor.render_strips())


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_a_cursor_on_the_map_shows_the_card_of_an_area(home: Path, size: tuple[int, int]) -> None:
    app = PaxApp(only=lambda: ExerciseScreen(danube("done", "done")))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await pilot.press("tab")
        await pilot.pause()
        await pilot.pause()
        assert "Ansbach: clear, France" in shown(app) and "In your supply, $1 a corps" in shown(app)
        await pilot.press("right")
        await pilot.pause()
        assert "Ansbach: clear" not in shown(app) and "Forage value" in shown(app)
        await pilot.press("slash", "u", "l", "m", "enter")
        await pilot.pause()
        await pilot.pause()
        assert "Swabia: clear, Austria" in shown(app) and "infantry corps, face down" in shown(app)
        await pilot.press("space")
        await pilot.pause()
        assert "Garrison of Austria: 1 infantry" in app.screen.words()
        await pilot.press("escape", "enter", *"guard", "enter")
        await pilot.pause()
        assert app.screen.session.state.corps["guard"].where == "swabia"
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.focused, ChoiceList) and "Forage value" not in shown(app)


@pytest.mark.parametrize("key", ["space", "enter", "left"])
async def test_a_map_that_was_clicked_puts_the_cursor_on_an_area(home: Path, key: str) -> None:
    app = PaxApp(only=lambda: ExerciseScreen(danube("done", "done")))
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await pilot.click("#exercise-map")
        await pilot.press(key)
        await pilot.pause()
        await pilot.press("escape") if key != "left" else None
        await pilot.pause()
        assert "Ansbach: clear, France" in shown(app)


async def test_a_piece_is_chosen_first_and_then_its_goal(home: Path) -> None:
    sitting = danube("done", "done")
    app = PaxApp(only=lambda: ExerciseScreen(sitting))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        rows = app.screen.query_one(ChoiceList)
        assert rows.option_count < 16 < len(sitting.acts)
        labels = [str(row.prompt) for row in rows.options]
        rows.highlighted = next(n for n, label in enumerate(labels) if label.startswith("III Corps (Baden"))
        await pilot.press("enter", *"ansb", "enter")
        await pilot.pause()
        assert sitting.state.corps["iii"].where == "ansbach"
        await pilot.press("f", *"done", "escape")
        await pilot.pause()
        assert isinstance(app.screen, ExerciseScreen) and sitting.state.cursor.step == "movement"


async def test_victory_leaders_and_battles_are_a_key_away(home: Path) -> None:
    path = Path(__file__).parents[2] / "saves" / "empires" / "danube-1805-campaign.jsonl"
    app = PaxApp(only=lambda: ExerciseScreen(ExerciseSession(open_game(path, write=False), replay=True)))
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        for key, words in (
            ("v", ("The most political points", "Vienna 4")),
            ("e", ("Napoleon (France): rank A, strategic 5",)),
            (
                "b",
                (
                    "Battles: 3, the latest first",
                    "Field combat in Vorarlberg",
                    "Field combat in Swabia",
                    "morale left",
                ),
            ),
            ("r", ("The most political points",)),
        ):
            await pilot.press(key)
            await pilot.pause()
            assert all(word in app.screen.words() for word in words), key
            await pilot.press("escape")
            await pilot.pause()


async def test_escape_never_leaves_and_q_asks_first(home: Path) -> None:
    sitting = danube()
    app = PaxApp(only=lambda: ExerciseScreen(sitting))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        screen = app.screen
        await pilot.press("escape", "escape")
        await pilot.pause()
        assert app.screen is screen
        await pilot.press("q")
        await pilot.pause()
        assert isinstance(app.screen, ConfirmDialog) and "Each act is saved" in shown(app)
        await pilot.press("escape")
        await pilot.pause()
        assert app.screen is screen
        sitting.act("done")  # still open


async def test_an_act_that_comes_while_the_screen_closes_is_not_shown(home: Path) -> None:
    sitting = danube()
    app = PaxApp()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = ExerciseScreen(sitting)
        app.push_screen(screen)
        await pilot.pause()
        screen.dismiss(None)
        while screen.is_attached:  # its widgets are removed before it ends
            sitting._notify()
            await asyncio.sleep(0)
        await pilot.pause()
        assert isinstance(app.screen, StartScreen)


async def test_exercise_is_played_on_the_screen(home: Path) -> None:
    bots = ("austria", "prussia")
    sitting = ExerciseSession(host_exercise("cabinet-1805", "1", path=home / "one.jsonl", bots=bots))
    app = PaxApp(only=lambda: ExerciseScreen(sitting))
    async with app.run_test(size=(140, 45)) as pilot:
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, ExerciseScreen)
        assert "Vienna" in screen.query_one("#exercise-map", TextPanel).text.plain
        assert "drawn by us" in screen.query_one("#exercise-head", TextPanel).text.plain
        acts = screen.query_one(ChoiceList)
        assert [str(acts.get_option_at_index(n).prompt) for n in (0, 1)] == ["done", "declare war on none"]
        version_at_start = sitting.version
        await pilot.press("enter")
        await pilot.pause()
        assert sitting.version == version_at_start, "nothing is chosen yet"
        await pilot.press("down", "down", "enter")
        await pilot.pause()
        assert sitting.state.cursor.step == "peace", "the bots have declared nothing either"
        await pilot.press("colon")
        await pilot.pause()
        app.screen.query_one(Input).value = "offer peace to austria"
        await pilot.press("enter")
        await pilot.pause()
        assert sitting.state.sealed[0].words == ("austria",)
        last = sitting.version
        await pilot.press("comma")
        await pilot.pause()
        assert sitting.at == last - 1
        assert f"Line {last - 1} of {last}" in screen.query_one("#exercise-head", TextPanel).text.plain
        await pilot.press("end", "u", "u")
        await pilot.pause()
        assert sitting.state.cursor.step == "declarations"
        await pilot.press("q", "y")
        await pilot.pause()
    with open_game(home / "one.jsonl") as desk:
        assert not desk.verify()


def test_an_exercise_is_played_line_by_line() -> None:
    out = io.StringIO()
    lines = ["menu", "declare war on moon", "2", "declare war on bavaria", "undo", "position", "numbers", "quit"]
    sitting = ExerciseSession(host_exercise("cabinet-1805", "1", bots=("austria",)))
    assert run_exercise_repl(sitting, lines, out) == 0
    said = out.getvalue()
    assert "not its campaign" in said
    assert "  1 done\n  2 declare war on none" in said
    assert "[Prussia: political phase, declarations]" in said
    assert "neither another Power nor a minor country" in said and "EIA 4.2" in said
    assert "alliance_points = 1 (ours:" in said


def test_pieces_areas_and_victory_in_plain_mode() -> None:
    out = io.StringIO()
    lines = ["done", "done", "menu", "4", "4.99", "4.4", "area ulm", "area u", "area moon", "victory", "leaders"]
    sitting = danube()
    run_exercise_repl(sitting, [*lines, "battles", "quit"], out)
    said = out.getvalue()
    assert "  4 III Corps (Baden, 4 of 4 points)" in said
    assert "   4.4 march to " in said and "'4' has goals 4.1 to 4." in said
    assert sitting.state.corps["iii"].where != "baden"
    assert "Swabia: clear, Austria" in said and "'u' can be " in said and "no area 'moon'" in said
    assert "Vienna 4 (held by Austria)" in said and "Napoleon (France): rank A" in said
    assert "No battle has been fought." in said


def test_the_commands_begin_show_and_verify_an_exercise(tmp_path: Path, capsys: object) -> None:
    file = str(tmp_path / "a.jsonl")
    new = ["new", "--game", "empires", "--exercise", "cabinet-1805", "--seed", "5", "--file", file, "--no-play"]
    assert main(new) == 0
    assert main(new) == 2, "it exists already"
    assert main(["new", "--game", "empires", "--exercise", "moon-1805", "--no-play"]) == 2
    assert main(["verify", file]) == 0
    assert main(["show", file]) == 0
    assert main(["show", file, "--log"]) == 0
    assert main(["show", file, "--json"]) == 0
    assert main(["show", file, "--seat", "moon"]) == 2


async def test_the_start_screen_lists_exercises_and_those_under_way(home: Path) -> None:
    app = PaxApp()
    async with app.run_test(size=(120, 45)) as pilot:
        await pilot.pause()
        start = app.screen
        assert isinstance(start, StartScreen)
        start.action_exercises()
        await pilot.pause()
        await pilot.press("enter")  # the first exercise
        await pilot.pause()
        await pilot.press("enter")  # the first Power
        await pilot.pause()
        assert "How well do your rivals play?" in shown(app) and "expert" not in shown(app)
        await pilot.press("down", "enter")
        await pilot.pause()
        assert isinstance(app.screen, ExerciseScreen)
        assert app.screen.session.persons == ("france",) and app.settings.rivals == "hard"
        assert {app.screen.session.table.occupant(seat).level for seat in ("austria", "russia")} == {"hard"}
        await pilot.press("q", "y")
        await pilot.pause()
        assert app.screen is start
        listed = [str(option.prompt) for option in start.query_one(ChoiceList).options]
        assert any("ulm-1805" in line for line in listed)
        assert sum("Exercises" in line for line in listed) == 1
        start.query_one(ChoiceList).highlighted = len(listed) - 1
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, ExerciseScreen)
        await pilot.press("q", "y")
        await pilot.pause()
        start.action_exercises()
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        assert "Bots play the others (level: hard)" in shown(app)
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, ExerciseScreen)
