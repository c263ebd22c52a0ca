"""What the screen says when the file of the open game is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from paxtui.cli.main import main
from paxtui.table.authority import Table
from paxtui.tui.app import PaxApp
from paxtui.tui.player.settings import Settings


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PAXTUI_HOME", str(tmp_path))
    path = tmp_path / "game.jsonl"
    assert main(["new", "--no-play", "--seed", "3", "--file", str(path)]) == 0
    with Table.open(path) as table:
        table.advance()
        table.act("arbiter", {"type": "set_position", "patch": {"phase": "movement"}})
        table.act("britain", "ready")
    return path


async def test_acts_and_undos_are_told_where_the_game_is_and_nothing_crashes(log: Path) -> None:
    app = PaxApp(path=log, settings=Settings())
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        version = app.screen.session.version  # type: ignore[attr-defined]
        app.screen.sit("britain")  # type: ignore[attr-defined]
        log.unlink()
        for action in ("undo", "redo", "ready", "all_ready"):
            app.clear_notifications()
            await app.screen.run_action(action)
            await pilot.pause()
            told = " ".join(note.message for note in app._notifications)
            assert "mistake" not in told
            if action in ("undo", "all_ready"):  # there is nothing to bring back, and the first `ready` only asks
                assert "was removed or renamed" in told and "game.rescued.jsonl" in told
        assert app.screen.session.version == version  # type: ignore[attr-defined]
    assert log.with_name("game.rescued.jsonl").exists()
