"""Sizes of the screen: the world and three panes on large ones, one pane at a time on small ones."""

from __future__ import annotations

import pytest
from rich.text import Text

from paxtui.tui.game.screen import GameScreen
from tests.tui.playing import open_log, press, sizes


@sizes((200, 60), (240, 70))
async def test_large_screen_shows_the_world_and_three_panes(home, size) -> None:
    app = open_log(home)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        game = app.screen
        assert isinstance(game, GameScreen)
        canvas = game.view.map.canvas
        assert canvas is not None
        assert canvas.width <= game.view.map.size.width and canvas.height <= game.view.map.size.height
        rows = [game.view.map.render_line(y).text for y in range(game.view.map.size.height)]
        for code in ("NZL", "FIJ", "KWL", "ALA", "HAW", "HRN", "north", "pacific"):
            assert any(code in row for row in rows), code
        assert "31" in game.view.side.page.text.plain and "final total" in game.view.side.page.text.plain
        assert "European Tensions" in game.view.shelf.indexes_page.text.plain
        assert "Final Record" in game.view.shelf.log_page.text.plain
        assert game.view.shelf.region.bottom == game.query_one("#body").region.bottom


@sizes((160, 50), (120, 40), (80, 24))
async def test_smaller_screens_have_no_shelf(home, size) -> None:
    app = open_log(home)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        assert not app.screen.view.shelf.display


@sizes((120, 40), (100, 30), (80, 24))
async def test_labels_are_not_cut_at_the_edge_of_the_map(home, size) -> None:
    app = open_log(home)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        board = app.screen.view.map
        for place in ("egypt", "bengal", "home:japan", "argentina", "australia"):
            board.cursor = place
            await pilot.pause()
            left, right = board.scroll_offset.x, board.scroll_offset.x + board.size.width
            for y in range(board.size.height):
                row, seen = y + board.scroll_offset.y, board.render_line(y).text
                whole = board.canvas.strip(row).text
                for spot in board.canvas.layout.spots.values():
                    for at, word in zip(spot.rows, spot.words, strict=True):
                        end = at.x + len(word)
                        if at.y == row and (at.x < left < end or at.x < right < end):
                            part = whole[max(at.x, left) : min(end, right)]
                            assert seen[max(at.x, left) - left :][: len(part)] != part, (place, word)


@pytest.mark.parametrize("key", ["escape", "left", "right", "h", "z", "5"])
async def test_keys_return_from_a_pane_on_a_small_screen(home, key) -> None:
    app = open_log(home)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        game = app.screen
        zoom = game.view.map.zoom
        await press(pilot, "5")
        assert game.has_class("-side") and not game.view.map.is_on_screen
        assert "back to the map" in game.query_one("#hint").text.plain
        top = game.view.side.page.scroll_offset.y
        await press(pilot, "up", "up")
        assert game.view.side.page.scroll_offset.y == top - 2
        await press(pilot, key)
        assert not game.has_class("-side") and game.focused is game.view.map and game.view.map.zoom == zoom
        assert "back to the map" not in game.query_one("#hint").text.plain
        await press(pilot, "down")
        assert game.view.map.cursor != "home:britain", "the arrows move the cursor again"


async def test_pane_scrolls_by_keys_and_keeps_its_place(home) -> None:
    app = open_log(home)
    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.pause()
        game = app.screen
        page = game.view.side.page
        await press(pilot, "3", "2")
        assert page.scroll_offset.y == 0 < page.max_scroll_y
        await press(pilot, "pagedown")
        assert page.scroll_offset.y == min(page.size.height - 2, page.max_scroll_y) > 0
        await press(pilot, *["pagedown"] * 9)
        end = page.scroll_offset.y
        assert end == page.max_scroll_y
        game.view.draw()
        await pilot.pause()
        assert page.scroll_offset.y == end, "a redraw keeps the scroll position"
        await press(pilot, "pageup")
        assert page.scroll_offset.y == max(0, end - page.size.height + 2)
        await press(pilot, "pagedown", "4", "2")
        assert page.scroll_offset.y == 0
        await press(pilot, "pagedown")
        page.show(Text("short"))
        await pilot.pause()
        assert page.scroll_offset.y == 0 and page.render_line(0).text.startswith("short")


async def test_ranks_of_seven_powers_fit_a_small_screen(home) -> None:
    app = open_log(home)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "2")
        now = app.screen.view.side.now
        assert len(now.text.plain.rstrip().splitlines()) <= now.size.height


async def test_cards_mark_the_cursor_and_fill_the_screen(home) -> None:
    app = open_log(home)
    async with app.run_test(size=(240, 70)) as pilot:
        await pilot.pause()
        await press(pilot, "6")
        game = app.screen
        assert game.view.map.cursor in game.session.tables.areas
        text = game.view.deck.text.plain
        assert text.count("┏") == 1 and game.session.tables.areas[game.view.map.cursor].name in text
        rows = text.splitlines()
        assert len(rows) > 0.8 * game.view.deck.size.height
        assert max(map(len, rows)) > 0.9 * game.view.deck.size.width


async def test_move_shows_owners_steps_and_path(fresh) -> None:
    async with fresh.run_test(size=(160, 50)) as pilot:
        await press(pilot, "v")
        game = fresh.screen
        assert "move the cursor to a highlighted place" in game.view.card.text.plain
        game.view.map.cursor = "gold_coast"
        await pilot.pause()
        assert game.view.map.scene.path[0] == "home:britain" and game.view.map.scene.path[-1] == "gold_coast"
        assert "can go here, 3 steps" in game.view.card.text.plain
        rows = "\n".join(game.view.map.canvas.strip(y).text for y in range(game.view.map.canvas.height))
        assert "CAN★GB▸2" in rows


async def test_filter_note_fits_the_card(fresh) -> None:
    async with fresh.run_test(size=(120, 40)) as pilot:
        game = fresh.screen
        game.view.map.cursor = "united_provinces"
        await press(pilot, *"fffffffff")
        assert game.view.card.text.plain.splitlines()[0].endswith("(f)")
        assert max(map(len, game.view.card.text.plain.splitlines()[:1])) <= game.view.card.size.width
