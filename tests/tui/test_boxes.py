"""Boxes over the map: what lies below shows through them, dimmed."""

from __future__ import annotations

import pytest
from rich.text import Text
from textual.geometry import Region
from textual.screen import Screen

from paxtui.games.pax.clauses.examples import example_article
from paxtui.games.pax.clauses.registry import CLAUSE_KINDS
from paxtui.games.pax.state.questions import Pending, Retreat
from paxtui.session.tables.loader import load_tables
from paxtui.tui.base.dialogs import PickDialog
from paxtui.tui.base.screen import ChoiceList, KeyHints, KeyRows, ModalDialog, PlainText
from paxtui.tui.dialogs.area_menu import AreaMenu
from paxtui.tui.dialogs.choice import ChoiceDialog
from paxtui.tui.dialogs.reports import CombatResultDialog
from paxtui.tui.game.screen import GameScreen
from tests.tui.playing import MOVEMENT, begun, press, sizes
from tests.tui.wars import far_east
from tests.waiting import until

BOXES = {
    "V": "ReinforceDialog", "enter": "AreaMenu", "W": "SeatsDialog", "F": "PickDialog", "l": "LogScreen",
    "t": "TreatyScreen", "d": "DispatchScreen", "e": "RecordScreen", "f4": "SettingsScreen",
    "f5": "KeysScreen",
}  # fmt: skip


def letters(screen: Screen[object]) -> str:
    """Everything that stands in the cells of a screen."""
    update = screen._compositor.render_update(full=True, screen_stack=screen.app._background_screens)
    return "\n".join("".join(strip.text for strip in line) for line in update.strips)  # type: ignore[union-attr]


@pytest.mark.parametrize("key", BOXES)
async def test_the_map_shows_through_around_a_box(home, key: str) -> None:
    app = begun(home, MOVEMENT)
    async with app.run_test(size=(200, 60)) as pilot:
        await pilot.pause()
        game = app.screen
        assert isinstance(game, GameScreen)
        game.view.map.cursor = "egypt"
        game.act_text("place protectorate egypt")
        box = await press(pilot, key)
        assert isinstance(box, ModalDialog) and type(box).__name__ == BOXES[key]
        seen = letters(box)
        around = [line[: box.query_one(".box").region.x] for line in seen.split("\n")]
        assert any(code in line for line in around for code in ("ALA", "ARG", "mediterranean", "PAX"))


@sizes((160, 50), (80, 24))
async def test_a_long_list_fills_its_box_down_to_the_keys(home, size) -> None:
    app = begun(home, MOVEMENT)
    async with app.run_test(size=size) as pilot:
        lines = [f"line {n}" for n in range(60)]
        for more in ((), [f"{line} in detail" for line in lines]):
            await app.push_screen(PickDialog("Lines", lines, more=more))
            await pilot.pause()
            box, keys = app.screen.query_one(".box").region, app.screen.query_one(KeyHints).region
            assert box.bottom - keys.bottom == 2, "a border and an empty row"


async def test_the_keys_at_the_foot_of_a_box_are_those_of_the_player(home) -> None:
    keys = {"menu.close": "x", "editor.parties": "P", "editor.add": "plus", "treaties.new": "N"}
    app = begun(home, MOVEMENT)
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
async def test_no_kind_of_article_is_cut_off(home, size) -> None:
    app = begun(home, MOVEMENT)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        game = app.screen.session
        box = await press(pilot, "t", "n", "k")
        seen = letters(box)
        for n, kind in enumerate(CLAUSE_KINDS.values()):
            box.query_one(ChoiceList).highlighted = n
            await pilot.pause()
            seen = letters(box)
            assert kind.summary in seen and example_article(game.tables, game.state, kind.id, game.power, ()) in seen


def test_a_row_of_keys_ends_between_two_of_them() -> None:
    told = KeyRows("a article · k kinds · e edit · n name · F10 offer")
    assert told.rows(30) == ["a article · k kinds · e edit", "n name · F10 offer"]
    assert told.rows(5) == ["a article", "k kinds", "e edit", "n name", "F10 offer"]
    assert told.rows(200) == [str(told)]


@sizes((80, 24))
async def test_the_keys_of_the_editor_are_not_torn_apart(home, size) -> None:
    app = begun(home, MOVEMENT)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        box = await press(pilot, "t", "n")
        (foot,) = box.query(KeyHints)
        told = [strip.text.strip() for strip in foot.render_lines(foot.size.region)]
        assert len(told) > 1 and not any(row.startswith("·") for row in told)
        assert " · ".join(told) == str(foot.content)


async def test_who_comes_is_told_to_the_last_word(home) -> None:
    app = begun(home, MOVEMENT)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        game = app.screen
        game.view.map.cursor = "egypt"
        game.act_text("place protectorate egypt")
        box = await press(pilot, "V")
        for row in range(box.query_one(ChoiceList).option_count):
            box.query_one(ChoiceList).highlighted = row
            await pilot.pause()
            assert letters(box).count("Enter send") == 1
            worth = box.query_one("#worth", PlainText)
            told = " ".join(strip.text.strip() for strip in worth.render_lines(worth.size.region)).split()
            assert told == str(worth.content).split()


async def test_where_nothing_has_a_price_the_lines_have_its_room(home) -> None:
    app = begun(home, far_east("attack"))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        app.screen.session.take_seat("japan")
        app.screen.view.map.cursor = "manchuria"
        seen = letters(await press(pilot, "enter"))
        assert "Attack with armies: 6 against 3, 2-1: clears 6/6, fails 0/6" in seen and "price" not in seen


async def test_the_dice_of_many_fights_are_scrolled_and_the_key_stays_in_sight(home) -> None:
    app = begun(home, MOVEMENT)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await app.push_screen(CombatResultDialog(Text("\n".join(f"row {n}" for n in range(60))), "France"))
        await pilot.pause()
        assert "row 0" in letters(app.screen) and "continue with France" in letters(app.screen)
        await press(pilot, *["pagedown"] * 6)
        assert "row 59" in letters(app.screen) and "continue with France" in letters(app.screen)


async def test_a_question_with_many_answers_keeps_its_keys_in_sight(home) -> None:
    app = begun(home, MOVEMENT)
    places = tuple(load_tables().areas)[:20]
    leaves = Retreat("army", ("A1", "A1", "A1"))
    asked = Pending("c5", "britain", "britain", leaves, places, places[0], "egypt", "Where?")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await app.push_screen(ChoiceDialog(app.screen.session, asked))
        await pilot.pause()
        seen = letters(app.screen)
        assert "Where?" in seen and "Enter confirm" in seen and "later" in seen


async def test_a_screen_that_another_program_wrote_over_is_drawn_again_under_a_box_too(home):
    app = begun(home, MOVEMENT)
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "enter")
        assert isinstance(app.screen, AreaMenu)
        app.sheet._text[0] = "known"
        await press(pilot, "ctrl+l")
        assert not app.sheet._text, "nothing is taken for written any more, so that all of it is"


def toast_of(screen: Screen[object]) -> Region:
    """Where the one message on a screen stands."""
    return screen.query_one("Toast").region


@pytest.mark.parametrize("key", ["l", "t", "e", "enter", "F", "f1", "W"])
@sizes((160, 50), (120, 40), (80, 24))
async def test_a_message_leaves_the_title_of_a_box_free(home, size, key: str) -> None:
    app = begun(home, MOVEMENT)
    async with app.run_test(size=size, notifications=True) as pilot:
        await pilot.pause()
        app.screen.view.map.cursor = "egypt"
        box = await press(pilot, key)
        app.notify("The game changed while you typed.", severity="warning")
        await until(lambda: box.query("Toast") and toast_of(box).area, pilot=pilot)
        title = box.query(".title").first().region
        assert toast_of(box).area and not toast_of(box).overlaps(title)


async def test_a_box_takes_older_messages_away_but_no_warnings(home) -> None:
    app = begun(home, MOVEMENT)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await press(pilot, "right")
        game = app.screen
        app.notify("France is ready.")
        box = await press(pilot, "l")
        assert not box.query("Toast") and "France is ready." not in letters(box)
        await press(pilot, "escape", "right")
        assert app.screen is game and not game.query("Toast")
        app.notify("The settings could not be stored.", severity="warning")
        box = await press(pilot, "l")
        await pilot.pause(0.1)
        assert letters(box).count("The settings could not") == 1


@pytest.mark.parametrize("key", ["f1", "l", "t", "d", "e", "f5"])
@sizes((160, 50), (120, 40))
async def test_the_largest_boxes_leave_the_card_of_the_place_free(home, size, key: str) -> None:
    app = begun(home, MOVEMENT)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        card = app.screen.query_one("#card").region
        box = (await press(pilot, key)).query_one(".box").region
        assert box.height > size[1] * 0.7 and box.bottom <= card.y


@sizes((160, 50), (120, 40), (80, 24))
async def test_a_forbidden_line_tells_its_whole_reason_and_no_message_covers_the_menu(home, size) -> None:
    app = begun(home, MOVEMENT)
    async with app.run_test(size=size, notifications=True) as pilot:
        await pilot.pause()
        app.screen.view.map.cursor = "algiers"
        menu = await press(pilot, "enter", "e")
        room = menu.query_one("#menu-why").region
        lines = [line[room.x : room.right] for line in letters(menu).split("\n")[room.y : room.bottom]]
        told = " ".join(" ".join(lines).split())
        assert "no other Power can place a Control marker there. [STA-012" in told
        assert "Wait until that Control is gone" in told and told.endswith("Codominion.")
        assert not menu.query("Toast")
