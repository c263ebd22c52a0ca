"""The twelve tasks of docs/twelve-tasks.md, done with the keys of its table."""

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
from tests.tui.playing import SIZES, open_log, rows

KEY_NAMES = {"/": "slash", "{": "left_curly_bracket"}


def documented_tasks() -> dict[int, tuple[list[str], int]]:
    """Return keys and number of keys of each task in the document."""
    found = {}
    for line in (ROOT / "docs" / "twelve-tasks.md").read_text("utf-8").splitlines():
        row = re.match(r"\| (\d+) \|[^|]*\| `([^`]*)` \| (\d+) \|", line)
        if row:
            found[int(row.group(1))] = (row.group(2).split(), int(row.group(3)))
    return found


def screen_words(app: PaxApp) -> str:
    """Return the text of the top screen."""
    app.action_copy_text()
    return app.clipboard


TASKS = documented_tasks()
THREE = ("aden", "burma", "eritrea")


def area_markers(game: GameScreen, area: str) -> list[tuple[str, str]]:
    """Return the markers of an Area."""
    return [(m.power, m.marker) for m in game.session.live.areas[area].markers]


def check_influence(app: PaxApp, game: GameScreen, start: int) -> None:
    assert ("britain", "influence") in area_markers(game, "marocco")


def check_siam(app: PaxApp, game: GameScreen, start: int) -> None:
    assert game.view.march is not None and game.view.map.cursor == "siam"
    assert "no Control marker in Siam" in screen_words(app) and "[MOV-" in screen_words(app)


def check_russia(app: PaxApp, game: GameScreen, start: int) -> None:
    lines = rows(app)
    text = "\n".join(lines)
    assert "Russia" in text and all("Russia" in line or "Phase" in line or "Game Turn" in line for line in lines)
    assert "Administrative Phase" in text


def check_undo(app: PaxApp, game: GameScreen, start: int) -> None:
    for area in THREE:
        assert ("britain", "interest") not in area_markers(game, area)


def check_egypt(app: PaxApp, game: GameScreen, start: int) -> None:
    lines = [str(o.prompt) for o in app.screen.query_one("#menu").options]
    assert any("Protectorate" in line and "£15" in line and "▴14" in line for line in lines)


def check_fleet(app: PaxApp, game: GameScreen, start: int) -> None:
    home = [u.name for u in game.session.live.homes["britain"] if u.kind == "naval"]
    assert len(home) == start + 1


def check_back(app: PaxApp, game: GameScreen, start: int) -> None:
    assert game.session.at is None


def check_codominion(app: PaxApp, game: GameScreen, start: int) -> None:
    assert "Codominion" in screen_words(app)


def check_fleet_filter(app: PaxApp, game: GameScreen, start: int) -> None:
    from paxtui.tui.widgets import map_scene

    assert map_scene.FILTERS[game.view.filter] == "needs this fleet" and game.view.map.cursor == "mediterranean"


def check_offer(app: PaxApp, game: GameScreen, start: int) -> None:
    assert any(c.about == MoneyOffer("britain", "france", 10) for c in game.session.live.choices)


def check_leader(app: PaxApp, game: GameScreen, start: int) -> None:
    assert "The Powers" in screen_words(app) and "Treasury" in screen_words(app)


def check_palette(app: PaxApp, game: GameScreen, start: int) -> None:
    assert app.settings.palette == "deuteranopia" and app.screen is game


CHECKS: dict[int, Callable[[PaxApp, GameScreen, int], None]] = {
    1: check_influence, 2: check_siam, 3: check_russia, 4: check_undo, 5: check_egypt, 6: check_fleet, 7: check_back,
    8: check_codominion, 9: check_fleet_filter, 10: check_offer, 11: check_leader, 12: check_palette,
}  # fmt: skip


@pytest.fixture
def app(home: Path, tmp_path_factory: pytest.TempPathFactory) -> PaxApp:
    """The golden game in the Movement Phase of 1884, Britain with £60."""
    log = tmp_path_factory.mktemp("1884") / "game.jsonl"
    log.write_bytes(b"".join(GOLDEN.read_bytes().splitlines(keepends=True)[: movement_of_1884()]))
    return open_log(home, log)


@cache
def movement_of_1884() -> int:
    """Return the line of the golden game at which that Phase begins."""
    with PaxHost.open(GOLDEN, write=False) as golden:
        turns = {
            e.turn: x.n for x in golden.game.lines for e in golden.game.events(x.n) if isinstance(e, events.TurnBegan)
        }
        return next(n for n in range(turns[2], turns[3]) if golden.game.seek(n).phase == "movement")


def test_document_counts_keys_of_twelve_tasks():
    assert sorted(TASKS) == list(range(1, 13)) == sorted(CHECKS)
    for keys, strokes in TASKS.values():
        assert len(keys) == strokes


@pytest.mark.parametrize("number", range(1, 13))
@SIZES
async def test_keys_of_the_document_do_the_task(app, number, size):
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
            await pilot.press(KEY_NAMES.get(key, key))
            await pilot.pause()
        CHECKS[number](app, game, start)
