"""A slow disk does not block the screen: view keys work, orders wait, and nothing is lost."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.events import Key

from paxtui.session.pax_host import PaxHost
from tests.slow_disk import Disk, controlled_disk
from tests.tui.playing import MOVEMENT, burst, drawn_text, keys_of, notices, press, start_at, wait_for_keys
from tests.waiting import until


def marker_powers(path: Path, area: str) -> list[str]:
    """Return the Powers with markers in an Area by the log on disk."""
    with PaxHost.open(path, write=False) as table:
        return [marker.power for marker in table.state.areas[area].markers]


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    """The disk of the game."""
    with controlled_disk(monkeypatch) as disk:
        yield disk


@pytest.fixture
def no_disk_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not wait for the disk before a key is handled."""
    monkeypatch.setattr("paxtui.tui.game.screen.DISK_WAIT_S", 0.0)


def post_keys(app, *keys: str) -> None:
    """Press keys without waiting for their effect."""
    for key in keys:
        app.post_message(Key(key, " " if key == "space" else key if len(key) == 1 else None))


@pytest.mark.usefixtures("no_disk_wait")
async def test_view_keys_work_while_an_act_is_saved(home: Path, disk: Disk) -> None:
    app = start_at(home, MOVEMENT)
    app.leisurely = True
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.pause()
        game = app.screen
        disk.may_go_on.clear()
        await press(pilot, "colon")
        post_keys(app, *keys_of("place interest egypt"), "enter")
        await until(lambda: game.session.file.is_saving, pilot=pilot)
        await wait_for_keys(pilot)
        assert "saving…" in drawn_text(app, "#keys")
        await burst(pilot, "z")
        assert game.view.map.zoom == "theatre", "view keys work"
        post_keys(app, "colon", *keys_of("place interest siam"), "enter")
        await pilot.pause()
        assert not game.view.line.display, "keys for orders wait"
        disk.may_go_on.set()
        await wait_for_keys(pilot)
        await until(lambda: not game.session.file.is_saving and "· saved" in drawn_text(app, "#keys"), pilot=pilot)
        assert marker_powers(home / "game.jsonl", "egypt") == marker_powers(home / "game.jsonl", "siam") == ["britain"]


@pytest.mark.usefixtures("no_disk_wait")
async def test_act_that_was_not_saved_is_reported(home: Path, disk: Disk) -> None:
    app = start_at(home, MOVEMENT)
    app.leisurely = True
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.pause()
        game = app.screen
        disk.may_go_on.clear()
        await press(pilot, "colon")
        post_keys(app, *keys_of("place interest egypt"), "enter")
        await until(lambda: game.session.file.is_saving, pilot=pilot)
        disk.broken = True
        disk.may_go_on.set()
        await until(lambda: "not saved" in drawn_text(app, "#keys") and notices(app), pilot=pilot)
        assert "it does not count" in notices(app) and "open the game again" in notices(app)
        assert not marker_powers(home / "game.jsonl", "egypt")
        await press(pilot, "q")
    assert os.path.getsize(home / "game.jsonl")


@pytest.mark.usefixtures("no_disk_wait")
async def test_leaving_waits_for_the_disk(home: Path, disk: Disk) -> None:
    app = start_at(home, MOVEMENT)
    app.leisurely = True
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.pause()
        disk.may_go_on.clear()
        await press(pilot, "colon")
        post_keys(app, *keys_of("place interest egypt"), "enter")
        await until(lambda: app.screen.session.file.is_saving, pilot=pilot)
        disk.may_go_on.set()
        await burst(pilot, "q")
        assert marker_powers(home / "game.jsonl", "egypt") == ["britain"]
