"""Pictures of the screen of each exercise, some acts after its beginning."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.session.exercise_session import ExerciseSession
from paxtui.tui.app import PaxApp
from paxtui.tui.base.screen import TextPanel
from paxtui.tui.exercise.screen import ExerciseScreen
from tests.empires.hosting import host_exercise
from tests.tui.playing import sizes

PLAYED = {
    "cabinet-1805": (("austria", "prussia"), ("declare war on bavaria",)),
    "channel-1805": (("spain", "great_britain"), ("done",)),
    "danube-1805": (("austria",), ("done", "done", "march iii to wurttemberg", "march bavarian to upper_palatinate")),
}
"""The bots of each, and what the person does."""


def played(exercise: str) -> PaxApp:
    """An exercise after some acts, kept nowhere."""
    bots, acts = PLAYED[exercise]
    sitting = ExerciseSession(host_exercise(exercise, "1", bots=bots))
    for act in acts:
        sitting.act(act)
    return PaxApp(only=lambda: ExerciseScreen(sitting))


@sizes((160, 50), (80, 24))
@pytest.mark.parametrize("exercise", PLAYED)
def test_the_screen_of_an_exercise(home: Any, compare_screen: Any, size: tuple[int, int], exercise: str) -> None:
    assert compare_screen(played(exercise), terminal_size=size)


async def test_on_a_narrow_screen_the_map_can_stand_alone_and_nothing_lies_on_something_else(home: Any) -> None:
    app = played("danube-1805")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        screen = app.screen
        head, chart = screen.query_one("#exercise-head", TextPanel), screen.query_one("#exercise-map", TextPanel)
        assert "France is to act." in head.text.plain.splitlines()[1] and "drawn by us" in head.text.plain
        assert len(head.text.plain.splitlines()[0]) <= 78
        assert "without room: p lists all" in str(chart.border_title)
        low = chart.size.height
        await pilot.press("m")
        await pilot.pause()
        await pilot.pause()
        assert chart.size.height > low + 6
        assert all(area in chart.text.plain for area in ("Vienna★ AU g", "Prague AU g3", "Ansbach FR"))
        await pilot.press("m", "r")
        await pilot.pause()
        assert "factors in corps" in app.screen.words()
