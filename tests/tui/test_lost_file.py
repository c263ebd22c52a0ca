"""Messages when the file of the open game is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from paxtui.cli.main import main
from paxtui.session.pax_host import PaxHost
from paxtui.tui.app import PaxApp
from paxtui.tui.base.dialogs import ConfirmDialog
from paxtui.tui.base.settings import Settings
from tests.tui.playing import wait_for_keys


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PAXTUI_HOME", str(tmp_path))
    path = tmp_path / "game.jsonl"
    assert main(["new", "--no-play", "--seed", "3", "--file", str(path)]) == 0
    with PaxHost.open(path) as table:
        table.advance()
        table.act("arbiter", {"type": "set_position", "patch": {"phase": "movement"}})
        table.act("britain", "ready")
    return path


async def test_acts_report_the_rescued_file(log: Path) -> None:
    app = PaxApp(path=log, settings=Settings())
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        version = app.screen.session.version  # type: ignore[attr-defined]
        app.screen.session.take_seat("britain")  # type: ignore[attr-defined]
        log.unlink()
        for action in ("history('undo')", "history('redo')", "seats('ready')", "seats('all_ready')"):
            app.clear_notifications()
            await app.screen.run_action(action)
            await pilot.pause()
            if isinstance(app.screen, ConfirmDialog):  # the first `r` of a Phase asks
                await pilot.press("y")
                await wait_for_keys(pilot)
            text = " ".join(note.message for note in app._notifications)
            assert "mistake" not in text
            if action != "history('redo')":  # there is nothing to redo
                assert "was removed or renamed" in text and "game.rescued.jsonl" in text
        assert app.screen.session.version == version  # type: ignore[attr-defined]
    assert log.with_name("game.rescued.jsonl").exists()


async def test_leaving_the_game_reports_the_rescued_file(log: Path) -> None:
    app = PaxApp(path=log, settings=Settings())
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        log.unlink()
        await app.screen.run_action("leave")
        await pilot.pause()
        text = " ".join(note.message for note in app._notifications)
        assert "was removed or renamed" in text and "game.rescued.jsonl" in text
        assert app.trouble == ""


async def test_quitting_checks_the_file_of_the_game(log: Path) -> None:
    for lost in (False, True):
        app = PaxApp(path=log, settings=Settings())
        async with app.run_test(size=(120, 40)) as pilot:
            await pilot.pause()
            if lost:
                log.unlink()
            session = app.screen.session  # type: ignore[attr-defined]
            await app.run_action("quit")
            await pilot.pause()
        session.close()
        assert ("game.rescued.jsonl" in app.trouble) == lost
        assert app.return_code == 0


async def test_truncated_log_is_reported_when_opened(log: Path, tmp_path: Path) -> None:
    (tmp_path / "saves").mkdir()
    log.rename(tmp_path / "saves" / "game.jsonl")
    with (tmp_path / "saves" / "game.jsonl").open("ab") as file:
        file.write(b"half")
    app = PaxApp(settings=Settings())
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        text = " ".join(note.message for note in app._notifications)
        assert "was not written to its end: 4 bytes" in text
