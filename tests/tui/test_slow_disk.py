"""A disk that takes its time does not stop the screen: keys that look work, keys that act wait, and nothing is lost."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.events import Key

from paxtui.session.pax_host import PaxHost
from tests.slow_disk import Disk, controlled_disk
from tests.tui.playing import MOVEMENT, begun, burst, noticed, press, settled, shown, typed
from tests.waiting import until


def placed(path: Path, area: str) -> list[str]:
    """Who has markers in an Area, as the log on the disk has it."""
    with PaxHost.open(path, write=False) as table:
        return [marker.power for marker in table.state.areas[area].markers]


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    """The disk that the game is kept on."""
    with controlled_disk(monkeypatch) as disk:
        yield disk


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """No time at all is waited for the disk."""
    monkeypatch.setattr("paxtui.tui.game.screen.DISK_WAIT_S", 0.0)


def type_soon(app, *keys: str) -> None:
    """Press keys without waiting for what comes of them."""
    for key in keys:
        app.post_message(Key(key, " " if key == "space" else key if len(key) == 1 else None))


@pytest.mark.usefixtures("at_once")
async def test_the_screen_lives_while_an_act_is_on_its_way(home: Path, disk: Disk) -> None:
    app = begun(home, MOVEMENT)
    app.leisurely = True
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.pause()
        game = app.screen
        disk.may_go_on.clear()
        await press(pilot, "colon")
        type_soon(app, *typed("place interest egypt"), "enter")
        await until(lambda: game.session.file.is_saving, pilot=pilot)
        await settled(pilot)
        assert "saving…" in shown(app, "#keys")
        await burst(pilot, "z")
        assert game.view.map.zoom == "theatre", "looking around works"
        type_soon(app, "colon", *typed("place interest siam"), "enter")
        await pilot.pause()
        assert not game.view.line.display, "what could be an act waits"
        disk.may_go_on.set()
        await settled(pilot)
        await until(lambda: not game.session.file.is_saving and "· saved" in shown(app, "#keys"), pilot=pilot)
        assert placed(home / "game.jsonl", "egypt") == placed(home / "game.jsonl", "siam") == ["britain"]


@pytest.mark.usefixtures("at_once")
async def test_an_act_that_has_not_come_to_the_disk_is_told(home: Path, disk: Disk) -> None:
    app = begun(home, MOVEMENT)
    app.leisurely = True
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.pause()
        game = app.screen
        disk.may_go_on.clear()
        await press(pilot, "colon")
        type_soon(app, *typed("place interest egypt"), "enter")
        await until(lambda: game.session.file.is_saving, pilot=pilot)
        disk.broken = True
        disk.may_go_on.set()
        await until(lambda: "not saved" in shown(app, "#keys") and noticed(app), pilot=pilot)
        assert "it does not count" in noticed(app) and "open the game again" in noticed(app)
        assert not placed(home / "game.jsonl", "egypt")
        await press(pilot, "q")
    assert os.path.getsize(home / "game.jsonl")


@pytest.mark.usefixtures("at_once")
async def test_leaving_waits_for_the_disk(home: Path, disk: Disk) -> None:
    app = begun(home, MOVEMENT)
    app.leisurely = True
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.pause()
        disk.may_go_on.clear()
        await press(pilot, "colon")
        type_soon(app, *typed("place interest egypt"), "enter")
        await until(lambda: app.screen.session.file.is_saving, pilot=pilot)
        disk.may_go_on.set()
        await burst(pilot, "q")
        assert placed(home / "game.jsonl", "egypt") == ["britain"]
