"""Clicks have the same effect as keys."""

from __future__ import annotations

from pathlib import Path

import pytest

from paxtui.tui.app import PaxApp
from paxtui.tui.dialogs.area_menu import AreaMenu
from paxtui.tui.formatting.timeline import line_at
from tests.tui.playing import open_log


@pytest.fixture
def app(home: Path) -> PaxApp:
    """The golden game on the main screen."""
    return open_log(home)


def cell_with_action(game, selector: str, action: str) -> tuple[int, int]:
    """Return column and row in a widget of the first cell whose click runs `action`."""
    region = game.query_one(selector).region
    for row in range(region.height):
        for column in range(region.width):
            if game.get_style_at(region.x + column, region.y + row).meta.get("@click") == action:
                return column, row
    raise AssertionError(f"nothing in {selector} does {action}")


async def click(pilot, selector: str, action: str) -> None:
    """Click the cell that runs `action`."""
    await pilot.click(selector, offset=cell_with_action(pilot.app.screen, selector, action))
    await pilot.pause()


async def test_tabs_seats_and_keys(app):
    async with app.run_test(size=(120, 40)) as pilot:
        game = app.screen
        await click(pilot, "#tabs", "screen.view('pane', 'indexes')")
        assert game.view.side.pane == "indexes"
        await click(pilot, "#top", "screen.seats('click', 'japan')")
        assert game.session.seat == "japan"
        await click(pilot, "#keys", "app.press('game.seat')")
        assert game.session.seat == "russia"


async def test_log_line_and_timeline(app):
    async with app.run_test(size=(120, 40)) as pilot:
        game = app.screen
        await pilot.press("5", "[")
        await pilot.pause()
        await pilot.click("#hint", offset=(60, 0))
        await pilot.pause()
        assert game.session.at == line_at(game.session, 120, 60) and game.session.at > 60
        game.session.look_at(8)
        game.view.draw()
        await pilot.pause()
        game.query_one("#pane").scroll_home(animate=False)
        await pilot.pause()
        first = game.session.view.log()[0].line
        await click(pilot, "#pane", f"screen.history('click', {first})")
        assert game.session.at == first


async def test_card_and_place_on_the_map(app):
    async with app.run_test(size=(120, 40)) as pilot:
        game = app.screen
        spot = game.view.map.label_region("egypt") or game.view.map.label_region("marocco")
        assert spot is not None
        await pilot.click(offset=spot.offset)
        await pilot.pause()
        assert game.view.map.cursor in ("egypt", "marocco")
        game.view.map.cursor = "siam"
        await pilot.press("6")
        await pilot.pause()
        await click(pilot, "#cards", "screen.orders('click', 'burma')")
        assert game.view.map.cursor == "burma"
        game.session._game.undo("arbiter", to=60)
        game.view.draw()
        await click(pilot, "#cards", "screen.orders('click', 'burma')")
        assert isinstance(app.screen, AreaMenu)


async def test_clickable_text_is_not_underlined(app):
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        for row in app.screen._compositor.render_strips():
            for segment in row:
                assert not (segment.style and segment.style.underline and segment.text.strip()), segment


async def test_screen_text_is_copied(app):
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("ctrl+y")
        assert "net income" in app.clipboard and "1916" in app.clipboard
        await pilot.press("e")
        await pilot.pause()
        await pilot.press("down", "ctrl+y")
        assert "Administrative Record" in app.clipboard and "Possessions" in app.clipboard
