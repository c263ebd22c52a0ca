"""The key that writes a page of the game: its viewpoints and messages."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from textual.widgets import Input

from paxtui.cli.share import write_page
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.session.local_session import LocalSession
from paxtui.tui.app import PaxApp
from paxtui.tui.base.dialogs import InputDialog, PickDialog
from paxtui.tui.base.settings import Settings
from paxtui.tui.game.screen import GameScreen
from tests.places import SAVES
from tests.sharing.pages import new_host
from tests.tui.playing import notices, press, rows
from tests.waiting import until

pytestmark = pytest.mark.slow


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A finished game in the current directory."""
    monkeypatch.chdir(tmp_path)
    return Path(shutil.copy(SAVES / "great-war-0.2.0.jsonl", tmp_path / "game.jsonl"))


async def test_replay_writes_the_page_of_a_viewpoint(log: Path) -> None:
    app = PaxApp(replay=log, settings=Settings(), share_page=write_page)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await press(pilot, "X")
        assert isinstance(app.screen, PickDialog) and len(rows(app)) == 2
        await press(pilot, "escape", "s", "X")
        assert "Great Britain saw it" in rows(app)[1] and "all secrets" in rows(app)[2]
        await press(pilot, "enter")
        assert isinstance(app.screen, InputDialog)
        field = app.screen.query_one(Input)
        assert field.value == str(log.with_suffix(".html"))
        field.value = "game.jsonl"
        await press(pilot, "enter")
        assert isinstance(app.screen, InputDialog)  # no page replaces a log
        field.value = str(log.with_suffix(".html"))
        await press(pilot, "enter")
        await until(lambda: "Written:" in notices(app), pilot=pilot)
        assert "<svg" in log.with_suffix(".html").read_text()


async def test_running_game_offers_the_public_view(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    host = new_host()
    host.save_as(tmp_path / "mine.jsonl")
    asked: list[tuple[Path, str]] = []

    def write(log: Path, viewpoint: str, page: Path, study: Path | None) -> int:
        asked.append((page, viewpoint))
        raise PermissionError(13, "Permission denied", str(page))

    app = PaxApp(settings=Settings(), share_page=write)
    async with app.run_test(size=(120, 40)) as pilot:
        session = LocalSession(host)
        await app.push_screen(GameScreen(session))
        await press(pilot, "X")
        assert "with its log on this computer" in notices(app)
        session.file.path = tmp_path / "mine.jsonl"
        await press(pilot, "X")
        assert isinstance(app.screen, InputDialog)
        await press(pilot, "enter")
        await until(lambda: "was not written" in notices(app), pilot=pilot)
        assert asked == [(tmp_path / "mine.html", SPECTATOR)] and ARBITER not in asked[0]
