"""The lesson of the campaign of 1805: finished by its keys, skipped, and resumed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.pilot import Pilot

from paxtui.session.storage.log_store import save_dir
from paxtui.session.storage.saved_games import CAMPAIGN_LESSON, is_lesson, lessons_under_way, read_sidecar
from paxtui.tui.app import PaxApp, all_bindings
from paxtui.tui.base.dialogs import FilterDialog, TextDialog
from paxtui.tui.base.screen import ChoiceList, TextPanel
from paxtui.tui.start_screens.start import StartScreen
from paxtui.tui.tutorial.campaign import CampaignLessonScreen, load_campaign_lesson

LESSON = load_campaign_lesson()


def lesson_app() -> PaxApp:
    """Start the program at the lesson."""
    return PaxApp(tutorial=True, lesson="ulm")


def lesson_of(app: PaxApp) -> CampaignLessonScreen:
    return next(screen for screen in app.screen_stack if isinstance(screen, CampaignLessonScreen))


async def settle(pilot: Pilot[None]) -> None:
    for _ in range(3):
        await pilot.pause()


@pytest.mark.parametrize("size", [(160, 50), (80, 24)])
async def test_keys_of_the_steps_finish_the_lesson(home: Path, size: tuple[int, int]) -> None:
    app = lesson_app()
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        screen = lesson_of(app)
        for number, step in enumerate(LESSON.steps):
            assert screen.number == number, f"{step.id}: the lesson is at {screen.step.id}"
            strip = screen.query_one("#lesson-text", TextPanel)
            assert step.title in strip.text.plain and len(strip.text.plain) > 40
            for key in step.keys or ["f7"]:
                await pilot.press(key)
                await settle(pilot)
            for _ in range(60 if step.repeat else 0):
                if screen.number != number:
                    break
                if isinstance(app.screen, TextDialog):
                    await pilot.press("escape")
                for key in step.keys:
                    await pilot.press(key)
                    await settle(pilot)
                    if isinstance(app.screen, FilterDialog):
                        await pilot.press("enter")
                        await settle(pilot)
            while isinstance(app.screen, TextDialog) and number + 1 < len(LESSON.steps):
                await pilot.press("escape")
                await settle(pilot)
        assert screen.is_over and LESSON.title in app.screen.words()
        assert screen.session.state.campaign.fought or "attack_over" in event_types(screen)


def event_types(screen: CampaignLessonScreen) -> set[str]:
    return {str(event.__struct_config__.tag) for _, event in screen.session.events()}


async def test_skipping_all_steps_plays_the_lesson(home: Path) -> None:
    app = lesson_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        screen = lesson_of(app)
        for _ in LESSON.steps:
            await pilot.press("f9")
            await settle(pilot)
            while isinstance(app.screen, TextDialog) and not screen.is_over:
                await pilot.press("escape")
                await settle(pilot)
        assert screen.is_over
        assert event_types(screen) >= {"depot_placed", "marched", "attack_over"}


async def test_small_screen_has_map_above_acts(home: Path) -> None:
    app = lesson_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        chart, acts = (app.screen.query_one(f"#exercise-{name}") for name in ("map", "acts"))
        assert chart.region.width == acts.region.width == 80
        assert chart.region.bottom <= acts.region.y and chart.region.height >= 8


async def test_previous_step_can_be_read_again(home: Path) -> None:
    app = lesson_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        screen = lesson_of(app)
        await pilot.press("f7", "f8")
        await settle(pilot)
        strip = screen.query_one("#lesson-text", TextPanel)
        assert LESSON.steps[0].title in strip.text.plain
        await pilot.press("f7")
        await settle(pilot)
        assert LESSON.steps[1].title in strip.text.plain


async def test_lesson_resumes_until_it_is_over(home: Path) -> None:
    left = 0
    for first in (True, False):
        app = lesson_app() if first else PaxApp()
        async with app.run_test(size=(120, 40)) as pilot:
            await settle(pilot)
            if not first:
                start = app.screen
                assert isinstance(start, StartScreen)
                rows = start.query_one(ChoiceList)
                assert "continue where you left off" in str(rows.get_option("ulm").prompt)
                await pilot.press("t")
                await settle(pilot)
            screen = lesson_of(app)
            assert screen.number == left
            for _ in range(3 if first else len(LESSON.steps)):
                await pilot.press("f9")
                await settle(pilot)
                while isinstance(app.screen, TextDialog) and not screen.is_over:
                    await pilot.press("escape")
                    await settle(pilot)
            left = screen.number
            assert left and screen.is_over is not first
            screen.session.close()
    (path,) = save_dir().glob("*.jsonl")
    assert not list(lessons_under_way(CAMPAIGN_LESSON)) and not is_lesson(read_sidecar(path, ""))


def test_lesson_keys_are_in_the_keymap() -> None:
    assert {one.id: one.key for one in all_bindings()}.items() >= {
        "lesson.on": "f7", "lesson.back": "f8", "lesson.skip": "f9",
    }.items()  # fmt: skip


def test_lesson_texts_are_short_and_name_existing_keys() -> None:
    for step in LESSON.steps:
        assert len(" ".join(step.text.split())) < 300, step.id
        assert {key.partition(".")[0] for key in keys_of(step.text + step.hint)} <= {"exercise", "lesson"}


def keys_of(text: str) -> Iterator[str]:
    yield from re.findall(r"\{([\w.]+)\}", text)
