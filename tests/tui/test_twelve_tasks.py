"""The twelve tasks of docs/twelve-tasks.md, played with the very keys of its table."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from paxtui.games.pax.events import events
from paxtui.games.pax.state.questions import MoneyOffer
from paxtui.session.pax_host import PaxHost
from paxtui.tui.app import PaxApp
from paxtui.tui.game.screen import GameScreen
from tests.places import GOLDEN, ROOT
from tests.tui.playing import SIZES, opened, rows

NAMED = {"/": "slash", "{": "left_curly_bracket"}


def table() -> dict[int, tuple[list[str], int]]:
    """Keys and number of strokes of each task."""
    found = {}
    for line in (ROOT / "docs" / "twelve-tasks.md").read_text("utf-8").splitlines():
        row = re.match(r"\| (\d+) \|[^|]*\| `([^`]*)` \| (\d+) \|", line)
        if row:
            found[int(row.group(1))] = (row.group(2).split(), int(row.group(3)))
    return found


def words(app: PaxApp) -> str:
    """Everything the foremost screen says."""
    app.action_copy_text()
    return app.clipboard


TASKS = table()
THREE = ("aden", "burma", "eritrea")


def of(game: GameScreen, area: str) -> list[tuple[str, str]]:
    """Markers of an Area."""
    return [(m.power, m.marker) for m in game.session.live.areas[area].markers]


def _influence(app: PaxApp, game: GameScreen, start: int) -> None:
    assert ("britain", "influence") in of(game, "marocco")


def _siam(app: PaxApp, game: GameScreen, start: int) -> None:
    assert game.view.march is not None and game.view.map.cursor == "siam"
    assert "no Control marker in Siam" in words(app) and "[MOV-" in words(app)


def _russia(app: PaxApp, game: GameScreen, start: int) -> None:
    lines = rows(app)
    text = "\n".join(lines)
    assert "Russia" in text and all("Russia" in line or "Phase" in line or "Game Turn" in line for line in lines)
    assert "Administrative Phase" in text


def _undo(app: PaxApp, game: GameScreen, start: int) -> None:
    for area in THREE:
        assert ("britain", "interest") not in of(game, area)


def _egypt(app: PaxApp, game: GameScreen, start: int) -> None:
    lines = [str(o.prompt) for o in app.screen.query_one("#menu").options]
    assert any("Protectorate" in line and "£15" in line and "▴14" in line for line in lines)


def _fleet(app: PaxApp, game: GameScreen, start: int) -> None:
    home = [u.name for u in game.session.live.homes["britain"] if u.kind == "naval"]
    assert len(home) == start + 1


def _back(app: PaxApp, game: GameScreen, start: int) -> None:
    assert game.session.at is None


def _codominion(app: PaxApp, game: GameScreen, start: int) -> None:
    assert "Codominion" in words(app)


def _hangs(app: PaxApp, game: GameScreen, start: int) -> None:
    from paxtui.tui.widgets import map_scene

    assert map_scene.FILTERS[game.view.filter] == "needs this fleet" and game.view.map.cursor == "mediterranean"


def _france(app: PaxApp, game: GameScreen, start: int) -> None:
    assert any(c.about == MoneyOffer("britain", "france", 10) for c in game.session.live.choices)


def _leads(app: PaxApp, game: GameScreen, start: int) -> None:
    assert "The Powers" in words(app) and "Treasury" in words(app)


def _colours(app: PaxApp, game: GameScreen, start: int) -> None:
    assert app.settings.palette == "deuteranopia" and app.screen is game


CHECKS: dict[int, Callable[[PaxApp, GameScreen, int], None]] = {
    1: _influence, 2: _siam, 3: _russia, 4: _undo, 5: _egypt, 6: _fleet, 7: _back, 8: _codominion, 9: _hangs,
    10: _france, 11: _leads, 12: _colours,
}  # fmt: skip


@pytest.fixture
def app(home: Path, tmp_path_factory: pytest.TempPathFactory) -> PaxApp:
    """The golden game in the Movement Phase of 1884, Britain with £60."""
    log = tmp_path_factory.mktemp("1884") / "game.jsonl"
    log.write_bytes(b"".join(GOLDEN.read_bytes().splitlines(keepends=True)[: movement_of_1884()]))
    return opened(home, log)


@cache
def movement_of_1884() -> int:
    """The line of the golden game at which that Phase begins."""
    with PaxHost.open(GOLDEN, write=False) as golden:
        turns = {
            e.turn: x.n for x in golden.game.lines for e in golden.game.events(x.n) if isinstance(e, events.TurnBegan)
        }
        return next(n for n in range(turns[2], turns[3]) if golden.game.seek(n).phase == "movement")


def test_there_are_twelve_and_their_strokes_are_counted():
    assert sorted(TASKS) == list(range(1, 13)) == sorted(CHECKS)
    for keys, strokes in TASKS.values():
        assert len(keys) == strokes


@pytest.mark.parametrize("number", range(1, 13))
@SIZES
async def test_the_task(app, number, size):
    async with app.run_test(size=size) as pilot:
        game = app.screen
        assert isinstance(game, GameScreen)
        while game.session.seat != "britain":
            await pilot.press("s")
        if number == 4:
            for area in THREE:
                game.act_text(f"place interest {area}")
                assert game.session.refusal is None
        start = len([u for u in game.session.live.homes["britain"] if u.kind == "naval"])
        for key in TASKS[number][0]:
            await pilot.press(NAMED.get(key, key))
            await pilot.pause()
        CHECKS[number](app, game, start)
