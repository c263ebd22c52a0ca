"""Several people play an exercise at one keyboard: each player sees only their own orders."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from paxtui.cli.exercise_repl import run_exercise_repl
from paxtui.cli.plain.prompts import Curtain
from paxtui.session.exercise_session import ExerciseSession
from paxtui.session.hosts import open_game
from paxtui.session.tables.exercises import load_exercise
from paxtui.tui.app import PaxApp
from paxtui.tui.base.screen import ChoiceList, TextPanel
from paxtui.tui.base.settings import Settings
from paxtui.tui.dialogs.seats import PrivacyScreen, SeatCard
from paxtui.tui.exercise.screen import ExerciseScreen
from paxtui.tui.rendering import key_queue
from tests.empires.hosting import host_exercise

pytestmark = pytest.mark.slow

WAR = "declare war on bavaria"


def sat(exercise: str = "cabinet-1805", *bots: str) -> ExerciseSession:
    """An exercise that is kept nowhere."""
    return ExerciseSession(host_exercise(exercise, "1", bots=bots))


def at_screen(sitting: ExerciseSession, **settings: Any) -> PaxApp:
    """It on the screen."""
    return PaxApp(only=lambda: ExerciseScreen(sitting), settings=Settings(**settings))


def rows_of(app: PaxApp) -> str:
    """Everything that is on the screen."""
    return "\n".join(strip.text.rstrip() for strip in app.screen._compositor.render_strips())


@pytest.fixture
def no_minimum_display_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(key_queue, "MIN_VISIBLE_S", 0.0)


@pytest.mark.usefixtures("no_minimum_display_time")
@pytest.mark.parametrize("handover", ["card", "line", "none"])
async def test_privacy_screen_is_shown_between_two_secret_declarations(home: Path, handover: str) -> None:
    sitting = sat("cabinet-1805", "austria")
    app = at_screen(sitting, handover=handover)
    version_at_start = sitting.version
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        assert isinstance(app.screen, PrivacyScreen) and "France, it is your turn." in rows_of(app)
        assert "Political phase, declarations: France is to act." in rows_of(app)
        assert not any(word in rows_of(app) for word in ("declare", "Vienna", "points"))
        await pilot.press("enter", "d", "u", "q")
        await pilot.pause()
        assert isinstance(app.screen, PrivacyScreen) and sitting.version == version_at_start
        await pilot.press("space")
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, ExerciseScreen) and "Vienna" in rows_of(app)
        rows = screen.query_one(ChoiceList)
        rows.highlighted = [str(row.prompt) for row in rows.options].index(WAR)
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, PrivacyScreen) and sitting.seat == "prussia"
        assert "Prussia, it is your turn." in rows_of(app) and "bavaria" not in rows_of(app).lower()
        await pilot.press("space")
        await pilot.pause()
        assert rows.highlighted is None, "the same acts, and the other's choice is not to be seen"
        assert all(not paper.words for paper in sitting.state.sealed if paper.power == "france")


async def test_keys_typed_before_the_privacy_screen_was_readable_are_ignored(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(key_queue, "MIN_VISIBLE_S", 1e9)
    sitting = sat("cabinet-1805", "austria")
    app, version_at_start = at_screen(sitting), sitting.version
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await pilot.press("space", "space", "d")
        await pilot.pause()
        assert isinstance(app.screen, PrivacyScreen) and sitting.version == version_at_start


@pytest.mark.usefixtures("no_minimum_display_time")
async def test_without_secrets_the_settings_decide_about_the_privacy_screen(home: Path) -> None:
    for handover in ("card", "line", "none"):
        sitting = sat("channel-1805")
        app = at_screen(sitting, handover=handover)
        async with app.run_test(size=(120, 40)) as pilot:
            await pilot.pause()
            screen, first = app.screen, sitting.seat
            assert isinstance(screen, ExerciseScreen) and not screen.greets
            await pilot.press("d")
            await pilot.pause()
            assert sitting.seat != first and not sitting.has_secrets_here
            assert isinstance(app.screen, SeatCard) == (handover == "card")
            assert screen.greets == (handover == "line")
            await pilot.press("space")
            await pilot.pause()
            assert app.screen is screen
            head = screen.query_one("#exercise-head", TextPanel).text.plain
            assert f"{sitting.tables.name(sitting.seat)} is to act" in head


@pytest.mark.usefixtures("no_minimum_display_time")
async def test_no_privacy_screen_for_one_player_against_bots(home: Path) -> None:
    app = at_screen(sat("cabinet-1805", "austria", "france"), handover="card")
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await pilot.press("d", "d")
        await pilot.pause()
        assert isinstance(app.screen, ExerciseScreen) and not app.screen.greets


@pytest.mark.usefixtures("no_minimum_display_time")
async def test_a_key_too_many_does_nothing_and_done_is_in_sight(home: Path) -> None:
    sitting = sat("danube-1805", "austria")
    for _ in range(20):
        if sitting.state.cursor.step == "army":
            break
        sitting.act("done")
    app = at_screen(sitting)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        before = sitting.version
        await pilot.press("enter", "enter")
        await pilot.pause()
        assert sitting.version == before
        rows = app.screen.query_one(ChoiceList)
        assert rows.highlighted is None and str(rows.options[0].prompt) == "done" and rows.scroll_offset.y == 0


def plain_output(sitting: ExerciseSession, *lines: str, terminal: bool = True) -> str:
    """Return the output of plain mode for some lines."""
    out = io.StringIO()
    run_exercise_repl(sitting, lines, out, Curtain((lambda: 24) if terminal else None))
    return out.getvalue()


def test_plain_mode_goes_on_after_the_word_here() -> None:
    sitting = sat("cabinet-1805", "austria")
    told = plain_output(sitting, "2", "menu", "HERE", WAR, WAR, "here", "quit")
    first, second = told.partition("France, take the keyboard."), told.rpartition("Prussia, take the keyboard.")
    assert "[France" not in first[0] and "[France: political phase, declarations]" in first[2]
    assert WAR not in told and "\n" * 24 + "Prussia, take the keyboard. Enter 'here'" in told
    assert "[Prussia: political phase, declarations]" in second[2]
    papers = [paper.power for paper in sitting.table.state.sealed if paper.power != "austria"]
    assert papers == ["france"], "the second line was not heard"


def test_no_handover_in_plain_mode_without_a_terminal() -> None:
    assert "take the keyboard" not in plain_output(sat("cabinet-1805", "austria"), WAR, "quit", terminal=False)


def test_a_chit_is_a_secret_and_so_are_corps_face_down() -> None:
    desk = open_game(Path(__file__).parents[2] / "saves" / "empires" / "danube-1805-campaign.jsonl", write=False)
    chits = [line.n for line in desk.game.lines if any(raw["type"] == "sealed_up" for raw in line.events)]
    desk.game.undo("arbiter", chits[0] - 1, force=True)
    sitting = ExerciseSession(desk)
    assert sitting.has_secrets_here
    sitting.act(next(act for act in sitting.acts if act.startswith("chit ")))
    assert sitting.has_secrets_here
    while sitting.table.state.sealed:
        assert sitting.has_secrets_here
        sitting.act(next(act for act in sitting.acts if act != "done"))
    assert sat("danube-1805").has_secrets_here
    assert not sat("danube-1805", "austria").has_secrets_here, "no other player is at the keyboard"


def test_corps_are_called_by_their_names() -> None:
    names = load_exercise("danube-1805").corps_names
    assert (names["iii"], names["bavarian"], names["vienna_corps"]) == ("III Corps", "Bavarian Corps", "Vienna Corps")
    with open_game(Path(__file__).parents[2] / "saves" / "empires" / "danube-1805-campaign.jsonl", write=False) as desk:
        told = [text for _, text in ExerciseSession(desk, replay=True).log()]
    assert any(line.startswith("III Corps marches to") for line in told)
    assert not any(line.startswith(("Iii ", "Corps III", "Ii ")) for line in told)
