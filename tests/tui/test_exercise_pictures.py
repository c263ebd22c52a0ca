"""The screen of each exercise after some acts: recordings, questions, and the battle board."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace
from textual.events import MouseEvent, MouseScrollDown, MouseScrollUp
from textual.widgets import Input

from paxtui.games.empires import warnings
from paxtui.games.empires.position import starting_state
from paxtui.games.empires.state import Question
from paxtui.session.exercise_session import ExerciseSession
from paxtui.session.tables.exercises import load_exercise
from paxtui.tui.app import PaxApp
from paxtui.tui.base.dialogs import ConfirmDialog
from paxtui.tui.base.screen import ChoiceList, TextPanel
from paxtui.tui.colors import DEFAULT
from paxtui.tui.exercise.painted_map import draw_painted_map
from paxtui.tui.exercise.screen import ExerciseScreen
from paxtui.tui.formatting.look import Look
from tests.empires.hosting import host_exercise
from tests.tui.playing import sizes

COURSES = {
    "cabinet-1805": (("austria", "prussia"), ("declare war on bavaria",)),
    "channel-1805": (("spain", "great_britain"), ("done",)),
    "danube-1805": (("austria",), ("done", "done", "march iii to wurttemberg", "march bavarian to upper_palatinate")),
    "ulm-1805": (("austria", "russia"), ("done", "done", "march iii to wurttemberg")),
}
"""Bots and acts of each exercise."""


def app_at(exercise: str) -> PaxApp:
    """Open an exercise after some acts, without a file."""
    bots, acts = COURSES[exercise]
    session = ExerciseSession(host_exercise(exercise, "1", bots=bots))
    for act in acts:
        session.act(act)
    return PaxApp(only=lambda: ExerciseScreen(session))


@sizes((160, 50), (80, 24))
@pytest.mark.parametrize("exercise", COURSES)
def test_exercise_screen(home: Any, compare_screen: Any, size: tuple[int, int], exercise: str) -> None:
    assert compare_screen(app_at(exercise), terminal_size=size)


async def test_narrow_screen_has_no_overlapping_widgets(home: Any) -> None:
    app = app_at("danube-1805")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        screen = app.screen
        head, chart = screen.query_one("#exercise-head", TextPanel), screen.query_one("#exercise-map", TextPanel)
        assert "France is to act." in head.text.plain.splitlines()[1] and "drawn by us" in head.text.plain
        assert len(head.text.plain.splitlines()[0]) <= 78
        assert "not shown: p lists all" in str(chart.border_title)
        low = chart.size.height
        await pilot.press("m")
        await pilot.pause()
        await pilot.pause()
        assert chart.size.height > low + 6
        assert all(area in chart.text.plain for area in ("Vienna★ AU g", "Prague AU g3", "Ansbach FR"))
        await pilot.press("m")
        await pilot.pause()
        await pilot.pause()
        assert isinstance(app.focused, ChoiceList), "the list of acts has the focus again"
        await pilot.press("r")
        await pilot.pause()
        assert "factors in corps" in app.screen.words()


async def test_corps_marches_on_the_campaign_map(home: Any) -> None:
    app = app_at("ulm-1805")
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, ExerciseScreen)
        chart = screen.query_one("#exercise-map", TextPanel)
        await pilot.press("s", *"iv corps", "enter")
        await pilot.pause()
        assert "IV Corps: arrows to an area" in str(chart.border_title)
        assert "Stuttgart (2)" in chart.text.plain and "Munich (5f)" in chart.text.plain
        await pilot.press("slash", *"baden", "enter")
        await pilot.pause()
        await pilot.press("enter")  # the only way
        await pilot.pause()
        if screen.session.state.corps["iv"].where == "palatinate":
            await pilot.press("enter")
            await pilot.pause()
        assert screen.session.state.corps["iv"].where == "baden"
        await pilot.press("c")
        await pilot.pause()
        assert "VII Corps in Besançon" in app.screen.words()


async def test_ending_marches_warns_of_missing_supply(home: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warnings, "supply_warnings", lambda tables, state, power: iter(["Too dear."]))
    app = app_at("ulm-1805")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, ExerciseScreen)
        before = screen.session.version
        await pilot.press("d")
        await pilot.pause()
        assert isinstance(app.screen, ConfirmDialog) and "Too dear." in app.screen.words()
        await pilot.press("escape")
        await pilot.pause()
        assert app.screen is screen and screen.session.version == before
        await pilot.press("d", "y")
        await pilot.pause()
        assert screen.session.version > before


async def test_risky_march_asks_first(home: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def warn(tables: Any, state: Any, power: str, marches: Any) -> Iterator[str]:
        asked.extend(f"{power}: {march.corps} to {march.path[-1]}" for march in marches)
        return iter(["The siege ends."] * len(asked))

    monkeypatch.setattr(warnings, "march_warnings", warn)
    app = app_at("ulm-1805")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, ExerciseScreen)
        head = screen.query_one("#exercise-head", TextPanel).text.plain
        assert "France marches: s chooses a stack, d ends them. Supply costs $" in head
        before = screen.session.version
        for key, marched in (("escape", False), ("y", True)):
            await pilot.press("colon")
            await pilot.pause()
            app.screen.query_one(Input).value = "march IV Corps to Stuttgart"
            await pilot.press("enter")
            await pilot.pause()
            assert isinstance(app.screen, ConfirmDialog) and "The siege ends." in app.screen.words()
            await pilot.press(key)
            await pilot.pause()
            assert app.screen is screen and (screen.session.version > before) is marched
        assert asked == ["france: iv to wurttemberg"] * 2


async def test_battle_board_replaces_the_record_sheet(home: Any) -> None:
    app = app_at("ulm-1805")
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, ExerciseScreen)
        for act in ("march iv to ulm", "march v to ulm", "march guard to ulm", "done"):
            screen.session.act(act)
        while screen.session.state.campaign.battle is None:
            screen.session.act(screen.session.menu[0].order)
        screen.show()
        await pilot.pause()
        record = screen.query_one("#exercise-record", TextPanel)
        assert str(record.border_title) == "Battle board"
        assert "Field combat in Ulm" in record.text.plain and "chit: face down" in record.text.plain
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        await pilot.pause()
        sides = record.text.plain.splitlines()[1]
        assert sides.split() == ["Attacker:", "France", "Defender:", "Austria"]
        last = [*screen.session.log()][-1][1]
        assert str(screen.query_one("#exercise-acts", ChoiceList).border_title) == last


async def test_wheel_scrolls_a_painted_map_that_is_larger_than_the_screen(home: Any) -> None:
    app = app_at("ulm-1805")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("tab")
        await pilot.pause()
        chart = app.screen.query_one("#exercise-map", TextPanel)

        def turn(kind: type[MouseEvent], times: int, shift: bool = False) -> None:
            for _ in range(times):
                chart.post_message(kind(chart, 5, 5, 0, 0, 0, shift, False, False))

        first = chart.text.plain
        turn(MouseScrollDown, 30)
        await pilot.pause()
        bottom = chart.text.plain
        assert bottom.splitlines()[-1] != first.splitlines()[-1]
        turn(MouseScrollUp, 30)
        await pilot.pause()
        top = chart.text.plain
        assert top != bottom
        turn(MouseScrollDown, 1)
        await pilot.pause()
        assert chart.text.plain.splitlines()[0] == top.splitlines()[int(app.scroll_sensitivity_y)]
        turn(MouseScrollDown, 1, shift=True)
        await pilot.pause()
        assert chart.text.plain.splitlines()[0] != top.splitlines()[int(app.scroll_sensitivity_y)]
        await pilot.press("tab", "shift+tab")
        await pilot.pause()
        await pilot.pause()
        assert chart.text.plain == first


def test_small_map_shows_the_area_of_a_question() -> None:
    tables = load_exercise("ulm-1805")
    state = starting_state(tables)
    question = Question(kind="assault", power="france", choices=("no", "yes"), about=("vienna",))
    look = Look(DEFAULT)
    for asked, shown in (((), False), ((question,), True)):
        chart, _ = draw_painted_map(tables, replace(state, questions=asked), "france", look, 60, 8)
        assert ("Pressburg" in chart.plain) is shown
