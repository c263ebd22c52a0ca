"""The archive on the start screen: queries, completion, openings, a replay."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from textual.widgets import Input

from paxtui.tui.app import PaxApp
from paxtui.tui.base.settings import Settings
from paxtui.tui.game.replay import ReplayScreen
from paxtui.tui.start_screens.archive import ArchiveScreen
from paxtui.tui.start_screens.start import StartScreen
from tests.places import SAVES
from tests.tui.playing import QUIET, drawn_text, press, rows
from tests.waiting import until

NAMES = ("whole-game-0.2.0", "great-war-0.2.0", "russo-japanese-0.2.0")


async def open_archive(pilot) -> ArchiveScreen:
    """Open the archive and wait until it is up to date."""
    await pilot.pause()
    await press(pilot, "k")
    screen = pilot.app.screen
    assert isinstance(screen, ArchiveScreen)
    await until(lambda: not any(w.group == "archive" and not w.is_finished for w in pilot.app.workers), pilot=pilot)
    return screen


async def query(pilot, screen: ArchiveScreen, text: str) -> None:
    """Enter a query and go to the list."""
    await press(pilot, "slash")
    screen.query_one(Input).value = text
    await pilot.pause()
    await press(pilot, "enter")


@pytest.mark.slow
async def test_enter_opens_a_replay_of_a_found_game(home: Path) -> None:
    (home / "saves").mkdir(exist_ok=True)
    for name in NAMES:
        shutil.copy(SAVES / f"{name}.jsonl", home / "saves")
    async with PaxApp(settings=Settings(**QUIET)).run_test(size=(80, 24)) as pilot:  # type: ignore[arg-type]
        screen = await open_archive(pilot)
        assert "3 games" in drawn_text(pilot.app, "#archive-title") and len(rows(pilot.app)) == 3
        await query(pilot, screen, "japan at war with russia")
        assert "1 game found" in drawn_text(pilot.app, "#archive-title") and "russo-japanese" in rows(pilot.app)[0]
        await query(pilot, screen, "japan holds kroea")
        assert "Did you mean 'korea'?" in " ".join(drawn_text(pilot.app, "#archive-hint").split())
        screen.query_one(Input).value = "winner brit"
        await pilot.pause()
        await press(pilot, "tab")
        assert screen.query_one(Input).value == "winner britain "
        await press(pilot, "enter")
        assert "whole-game" in rows(pilot.app)[0] and "Germany 344" in drawn_text(pilot.app, "#archive-about")
        await press(pilot, "f3")
        assert "Great Britain opens: 1 game" in drawn_text(pilot.app, "#archive-title")
        assert any("turn 1" in row and "Egypt" in row for row in rows(pilot.app))
        await press(pilot, "enter")
        assert "Great Britain opens in " in drawn_text(pilot.app, "#archive-title")
        await press(pilot, "right")
        assert "France opens: 1 game" in drawn_text(pilot.app, "#archive-title")
        await press(pilot, "f3", "enter")
        assert isinstance(pilot.app.screen, ReplayScreen)


@pytest.mark.slow
async def test_damaged_index_is_rebuilt_with_a_notice(home: Path) -> None:
    home.mkdir(exist_ok=True)
    (home / "archive.sqlite").write_bytes(b"no database" * 99)
    async with PaxApp(settings=Settings(**QUIET)).run_test(size=(120, 40)) as pilot:  # type: ignore[arg-type]
        await open_archive(pilot)
        assert "rebuilt" in drawn_text(pilot.app, "#archive-hint")
        assert "No game." in rows(pilot.app)[0]
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, StartScreen)
