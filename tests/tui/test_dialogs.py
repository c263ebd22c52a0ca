"""Dialogs over the map: size, keys, messages, and the dimmed screen around them."""

from __future__ import annotations

import pytest
from rich.text import Text
from textual.geometry import Region
from textual.screen import Screen

from paxtui.games.pax.clauses.examples import example_article
from paxtui.games.pax.clauses.registry import CLAUSE_KINDS
from paxtui.games.pax.state.questions import Pending, Retreat
from paxtui.session.tables.loader import load_tables
from paxtui.tui.base.dialogs import FilterDialog, PickDialog
from paxtui.tui.base.screen import ChoiceList, KeyHints, KeyRows, ModalDialog, PlainText
from paxtui.tui.dialogs.area_menu import AreaMenu
from paxtui.tui.dialogs.choice import ChoiceDialog
from paxtui.tui.dialogs.reports import CombatResultDialog
from paxtui.tui.game.screen import GameScreen
from tests.tui.playing import MOVEMENT, press, sizes, start_at
from tests.tui.wars import far_east
from tests.waiting import until

DIALOGS = {
    "V": "ReinforceDialog", "enter": "AreaMenu", "W": "SeatsDialog", "F": "PickDialog", "l": "LogScreen",
    "t": "TreatyScreen", "d": "DispatchScreen", "e": "RecordScreen", "f4": "SettingsScreen",
    "f5": "KeysScreen",
}  # fmt: skip


def screen_letters(screen: Screen[object]) -> str:
    """Return the text of all cells of a screen."""
    update = screen._compositor.render_update(full=True, screen_stack=screen.app._background_screens)
    return "\n".join("".join(strip.text for strip in line) for line in update.strips)  # type: ignore[union-attr]


@pytest.mark.parametrize("key", DIALOGS)
async def test_map_is_visible_around_a_dialog(home, key: str) -> None:
    app = start_at(home, MOVEMENT)
    async with app.run_test(size=(200, 60)) as pilot:
        await pilot.pause()
        game = app.screen
        assert isinstance(game, GameScreen)
        game.view.map.cursor = "egypt"
        game.act_text("place protectorate egypt")
        box = await press(pilot, key)
        assert isinstance(box, ModalDialog) and type(box).__name__ == DIALOGS[key]
        seen = screen_letters(box)
        around = [line[: box.query_one(".box").region.x] for line in seen.split("\n")]
        assert any(code in line for line in around for code in ("ALA", "ARG", "mediterranean", "PAX"))


@sizes((160, 50), (80, 24))
async def test_long_list_fills_its_dialog(home, size) -> None:
    app = start_at(home, MOVEMENT)
    async with app.run_test(size=size) as pilot:
        lines = [f"line {n}" for n in range(60)]
        for more in ((), [f"{line} in detail" for line in lines]):
            await app.push_screen(PickDialog("Lines", lines, more=more))
            await pilot.pause()
            box, keys = app.screen.query_one(".box").region, app.screen.query_one(KeyHints).region
            assert box.bottom - keys.bottom == 2, "a border and an empty row"


@pytest.mark.parametrize("key", DIALOGS)
async def test_small_screen_shows_all_parts_of_a_dialog(home, key: str) -> None:
    app = start_at(home, MOVEMENT)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        app.screen.view.map.cursor = "egypt"
        app.screen.act_text("place protectorate egypt")
        dialog = await press(pilot, key)
        box = dialog.query_one(".box")
        for part in box.displayed_children:
            assert part.region in box.region, part
        await press(pilot, "end")
        if (lists := dialog.query(ChoiceList)) and (rows := lists.first()).highlighted is not None:
            assert rows.highlighted == rows.option_count - 1 and rows.max_scroll_y == rows.scroll_offset.y


async def test_small_screen_explains_the_settings(home) -> None:
    app = start_at(home, MOVEMENT)
    async with app.run_test(size=(80, 24)) as pilot:
        dialog = await press(pilot, "f4", "end")
        assert "Ask before the last ready of a Phase" in screen_letters(dialog)
        assert "← → change" in screen_letters(dialog)


async def test_dialog_shows_keys_of_the_player(home) -> None:
    keys = {"menu.close": "x", "editor.parties": "P", "editor.add": "plus", "treaties.new": "N"}
    app = start_at(home, MOVEMENT)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        app.store_keymap(keys, ())
        app.screen.view.map.cursor = "egypt"
        assert "x cancel" in (await press(pilot, "enter")).words()
        archive = await press(pilot, "x", "t")
        assert archive.words().count("N treaty") == 1
        editor = await press(pilot, "N")
        assert "P parties" in editor.words() and "nobody else yet (P)" in editor.words()
        assert "+ adds one" in (await press(pilot, "f10")).words()


@sizes((160, 50), (80, 24))
async def test_kinds_of_articles_are_not_truncated(home, size) -> None:
    app = start_at(home, MOVEMENT)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        game = app.screen.session
        box = await press(pilot, "t", "n", "k")
        seen = screen_letters(box)
        for n, kind in enumerate(CLAUSE_KINDS.values()):
            box.query_one(ChoiceList).highlighted = n
            await pilot.pause()
            seen = screen_letters(box)
            assert kind.summary in seen and example_article(game.tables, game.state, kind.id, game.power, ()) in seen


def test_row_of_keys_breaks_between_keys() -> None:
    hints = KeyRows("a article · k kinds · e edit · n name · F10 offer")
    assert hints.rows(30) == ["a article · k kinds · e edit", "n name · F10 offer"]
    assert hints.rows(5) == ["a article", "k kinds", "e edit", "n name", "F10 offer"]
    assert hints.rows(200) == [str(hints)]


@sizes((80, 24))
async def test_keys_of_the_editor_are_not_split(home, size) -> None:
    app = start_at(home, MOVEMENT)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        box = await press(pilot, "t", "n")
        (foot,) = box.query(KeyHints)
        texts = [strip.text.strip() for strip in foot.render_lines(foot.size.region)]
        assert len(texts) > 1 and not any(row.startswith("·") for row in texts)
        assert " · ".join(texts) == str(foot.content)


async def test_reinforcements_are_described_completely(home) -> None:
    app = start_at(home, MOVEMENT)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        game = app.screen
        game.view.map.cursor = "egypt"
        game.act_text("place protectorate egypt")
        box = await press(pilot, "V")
        for row in range(box.query_one(ChoiceList).option_count):
            box.query_one(ChoiceList).highlighted = row
            await pilot.pause()
            assert screen_letters(box).count("Enter send") == 1
            worth = box.query_one("#worth", PlainText)
            text = " ".join(strip.text.strip() for strip in worth.render_lines(worth.size.region)).split()
            assert text == str(worth.content).split()


async def test_lines_without_price_use_its_column(home) -> None:
    app = start_at(home, far_east("attack"))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        app.screen.session.take_seat("japan")
        app.screen.view.map.cursor = "manchuria"
        seen = screen_letters(await press(pilot, "enter"))
        assert "Attack with armies: 6 against 3, 2-1: clears 6/6, fails 0/6" in seen and "price" not in seen


async def test_many_combat_results_scroll_above_the_keys(home) -> None:
    app = start_at(home, MOVEMENT)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await app.push_screen(CombatResultDialog(Text("\n".join(f"row {n}" for n in range(60))), "France"))
        await pilot.pause()
        assert "row 0" in screen_letters(app.screen) and "continue with France" in screen_letters(app.screen)
        await press(pilot, *["pagedown"] * 6)
        assert "row 59" in screen_letters(app.screen) and "continue with France" in screen_letters(app.screen)


async def test_keys_stay_visible_below_many_answers(home) -> None:
    app = start_at(home, MOVEMENT)
    places = tuple(load_tables().areas)[:20]
    leaves = Retreat("army", ("A1", "A1", "A1"))
    asked = Pending("c5", "britain", "britain", leaves, places, places[0], "egypt", "Where?")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await app.push_screen(ChoiceDialog(app.screen.session, asked))
        await pilot.pause()
        seen = screen_letters(app.screen)
        assert "Where?" in seen and "Enter confirm" in seen and "later" in seen


@sizes((160, 50), (80, 24))
async def test_keys_stand_apart_from_a_short_list(home, size) -> None:
    app = start_at(home, MOVEMENT)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        session = app.screen.session
        where = ("home", "cyprus")
        retreat = Pending("c1", "britain", "britain", Retreat("army", ("A1",)), where, "home", "egypt", "Where?")
        for dialog in (PickDialog("Which?", ["one", "two"]), PickDialog("Which?", ["one", "two"], more=("1", "2"))):
            await app.push_screen(dialog)
            await pilot.pause()
            gap = dialog.query_one(KeyHints).content_region.y - dialog.rows.region.bottom
            assert gap == (3 if dialog.detail_id else 1), "a blank line, or the detail between two of them"
            await press(pilot, "escape")
        await app.push_screen(ChoiceDialog(session, retreat))
        await pilot.pause()
        box = app.screen
        assert isinstance(box, ChoiceDialog)
        assert box.query_one(KeyHints).content_region.y == box.rows.region.bottom + 1


async def test_redraw_restores_overwritten_screen_under_a_dialog(home):
    app = start_at(home, MOVEMENT)
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "enter")
        assert isinstance(app.screen, AreaMenu)
        app.sheet._text[0] = "known"
        await press(pilot, "ctrl+l")
        assert not app.sheet._text, "nothing counts as written, so everything is drawn again"


def toast_region(screen: Screen[object]) -> Region:
    """Return the region of the only message on a screen."""
    return screen.query_one("Toast").region


@pytest.mark.parametrize("key", ["l", "t", "e", "enter", "F", "f1", "W"])
@sizes((160, 50), (120, 40), (80, 24))
async def test_message_does_not_cover_the_title_of_a_dialog(home, size, key: str) -> None:
    app = start_at(home, MOVEMENT)
    async with app.run_test(size=size, notifications=True) as pilot:
        await pilot.pause()
        app.screen.view.map.cursor = "egypt"
        box = await press(pilot, key)
        app.notify("The game changed while you typed.", severity="warning")
        await until(lambda: box.query("Toast") and toast_region(box).area, pilot=pilot)
        title = box.query(".title").first().region
        assert toast_region(box).area and not toast_region(box).overlaps(title)


async def test_dialog_removes_older_messages_but_no_warnings(home) -> None:
    app = start_at(home, MOVEMENT)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await press(pilot, "right")
        game = app.screen
        app.notify("France is ready.")
        box = await press(pilot, "l")
        assert not box.query("Toast") and "France is ready." not in screen_letters(box)
        await press(pilot, "escape", "right")
        assert app.screen is game and not game.query("Toast")
        app.notify("The settings could not be stored.", severity="warning")
        box = await press(pilot, "l")
        await pilot.pause(0.1)
        assert screen_letters(box).count("The settings could not") == 1


@pytest.mark.parametrize("key", ["f1", "l", "t", "d", "e", "f5"])
@sizes((160, 50), (120, 40))
async def test_large_dialogs_do_not_cover_the_place_card(home, size, key: str) -> None:
    app = start_at(home, MOVEMENT)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        card = app.screen.query_one("#card").region
        box = (await press(pilot, key)).query_one(".box").region
        assert box.height > size[1] * 0.7 and box.bottom <= card.y


@sizes((160, 50), (120, 40), (80, 24))
async def test_forbidden_line_shows_its_whole_reason(home, size) -> None:
    app = start_at(home, MOVEMENT)
    async with app.run_test(size=size, notifications=True) as pilot:
        await pilot.pause()
        app.screen.view.map.cursor = "algiers"
        menu = await press(pilot, "enter", "e")
        room = menu.query_one("#menu-why").region
        lines = [line[room.x : room.right] for line in screen_letters(menu).split("\n")[room.y : room.bottom]]
        text = " ".join(" ".join(lines).split())
        assert "no other Power can place a Control marker there. [STA-012" in text
        assert "Wait until that Control is gone" in text and text.endswith("Codominion.")
        assert not menu.query("Toast")


async def test_filter_of_a_list_takes_one_row(home) -> None:
    app = start_at(home, MOVEMENT)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.push_screen(FilterDialog("Lines", [f"line {n}" for n in range(60)]))
        await pilot.pause()
        field, rows = app.screen.query_one("#chooser-filter").region, app.screen.query_one(ChoiceList).region
        assert field.height == 1 and field.x == rows.x and field.bottom == rows.y
