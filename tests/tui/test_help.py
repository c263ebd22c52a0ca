"""Help for the focused part: its text, its keys, and its terms."""

from __future__ import annotations

import pytest
from textual.screen import Screen
from textual.widgets import OptionList, Static

from paxtui.games.pax.actions.notation import ORDERS
from paxtui.tui.app import PaxApp, all_bindings
from paxtui.tui.base import keymap
from paxtui.tui.base.dialogs import TextDialog
from paxtui.tui.base.screen import BaseScreen
from paxtui.tui.base.settings import Settings
from paxtui.tui.bindings import KEY_OWNERS
from paxtui.tui.dialogs.area_menu import AreaMenu
from paxtui.tui.dialogs.seats import PrivacyScreen
from paxtui.tui.game.screen import HELP_PARTS, GameScreen
from paxtui.tui.panes.registry import PANES
from paxtui.tui.reference_screens.help import HelpScreen, help_keys, load_topics, screen_topics
from paxtui.tui.reference_screens.reference import GlossaryScreen, RulesScreen
from tests.tui.playing import SIZES, open_log


async def help_after(pilot, *keys: str) -> HelpScreen:
    """Press keys, then F1."""
    for key in (*keys, "f1"):
        await pilot.press(key)
        await pilot.pause()
    screen = pilot.app.screen
    assert isinstance(screen, HelpScreen)
    return screen


def help_text(screen: HelpScreen) -> str:
    """Return the text of the help."""
    return str(screen.query_one("#help-text", Static).render())


def test_topics_name_existing_bindings():
    known = {b.id for b in all_bindings()} | {"near"}
    for name, topic in load_topics().items():
        assert topic.title and len(topic.text) > 40, name
        assert set(topic.keys) <= known, f"{name}: {set(topic.keys) - known}"
        assert len(topic.terms) <= 9
    screens = {kind.TOPIC for kind in KEY_OWNERS if issubclass(kind, BaseScreen)} | {
        RulesScreen.TOPIC,
        GlossaryScreen.TOPIC,
    }
    panes = {pane.name for pane in PANES}  # the row of a pane can have its help
    needed = {*HELP_PARTS, *screens, "tutorial", "replay", "study", "exercise"} - {""}
    assert needed - panes <= set(load_topics()) <= needed


def test_every_screen_has_a_topic():
    for kind in (PaxApp, *KEY_OWNERS):
        if issubclass(kind, Screen) and not issubclass(kind, GameScreen):
            topic = screen_topics(kind.__new__(kind))[0]
            assert topic.title and topic.text, kind.__name__


TITLES_BY_KEYS = [
    ((), "Map"),
    (("v",), "Moving"),
    (("colon",), "Orders"),
    (("slash",), "Finding"),
    (("left_square_bracket",), "History"),
    (("6",), "Cards"),
]


@pytest.mark.parametrize(("keys", "title"), TITLES_BY_KEYS, ids=[t for _, t in TITLES_BY_KEYS])
async def test_f1_shows_help_of_the_focused_part(fresh, keys, title):
    async with fresh.run_test(size=(120, 40)) as pilot:
        shown = await help_after(pilot, *keys)
        assert shown.topic.title == title
        await pilot.press("f1")
        await pilot.pause()
        assert isinstance(pilot.app.screen, GameScreen)


@pytest.mark.parametrize(("key", "title"), [("2", "Record"), ("3", "Indexes"), ("4", "Treaties"), ("5", "Log")])
async def test_f1_on_a_small_screen_shows_help_of_the_front_pane(fresh, key, title):
    async with fresh.run_test(size=(80, 24)) as pilot:
        assert (await help_after(pilot, key)).topic.title == title


async def test_f1_works_on_every_screen(fresh):
    async with fresh.run_test(size=(120, 40)) as pilot:
        for keys, title in (
            (("enter",), "What can I do here"),
            (("f2",), "Rules"),
            (("f3",), "Glossary"),
            (("l",), "The whole log"),
            (("e",), "Record Sheet"),
            (("f4",), "Settings"),
            (("f5",), "Keys"),
        ):
            shown = await help_after(pilot, *keys)
            assert shown.topic.title == title
            while len(pilot.app.screen_stack) > 2:
                pilot.app.pop_screen()
            await pilot.pause()
        for screen, title in ((TextDialog("A title", "words"), "A text"), (PrivacyScreen("France"), "The curtain")):
            pilot.app.push_screen(screen)
            await pilot.pause()
            assert (await help_after(pilot)).topic.title == title
            await pilot.press("escape", "escape")
            await pilot.pause()


async def test_f1_on_the_start_screen_and_the_new_game(home):
    async with PaxApp(settings=Settings()).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert (await help_after(pilot)).topic.title == "Start"
        await pilot.press("escape")
        await pilot.pause()
        assert (await help_after(pilot, "n")).topic.title == "New game"


async def test_help_shows_keys_of_the_screen_and_the_keymap(fresh):
    async with fresh.run_test(size=(120, 40)) as pilot:
        game = pilot.app.screen
        keys_by_id = {k.id: k for k in help_keys(game)}
        on_the_map = {key for k in keys_by_id.values() if k.near == 0 for key in k.keys.split()}
        for binding in GameScreen.BINDINGS:
            if keymap.key_name(binding.key) not in on_the_map:
                assert keys_by_id[binding.id].title == binding.description, binding.id
        assert {"Enter", "↑"} <= on_the_map and keys_by_id["game.move"].keys == "v" and keys_by_id["app.help"].near == 2
        pilot.app.set_keymap({"game.move": "M"})
        shown = await help_after(pilot)
        line = next(x for x in help_text(shown).splitlines() if "Move units from the place" in x)
        assert line.split()[0] == "M"


async def test_help_of_an_input_lists_no_letter_keys(fresh):
    async with fresh.run_test(size=(120, 40)) as pilot:
        shown = await help_after(pilot, "colon")
        assert all(verb in help_text(shown) for verb in set(ORDERS) & {"place", "move", "transfer", "waive", "ready"})
        assert "Move units from the place" not in help_text(shown)


async def test_topics_can_be_paged_and_lead_to_the_glossary(fresh):
    async with fresh.run_test(size=(80, 24)) as pilot:
        shown = await help_after(pilot)
        await pilot.press("right")
        assert shown.topic.title == "What now"
        await pilot.press("left", "left")
        assert shown.topic.title == "Finding"
        await pilot.press("right", "tab", "down")
        words = shown.query_one("#help-words", OptionList)
        assert shown.focused is words
        name = words.get_option_at_index(words.highlighted).id
        await pilot.press("enter")
        await pilot.pause()
        reader = pilot.app.screen
        assert isinstance(reader, GlossaryScreen) and reader.reading == f"term:{name}"
        await pilot.press("escape", "tab", "f2")
        await pilot.pause()
        assert type(pilot.app.screen).__name__ == "RulesScreen"


async def test_help_over_a_menu_keeps_the_menu(fresh):
    async with fresh.run_test(size=(120, 40)) as pilot:
        pilot.app.screen.view.map.cursor = "siam"
        await help_after(pilot, "enter")
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(pilot.app.screen, AreaMenu) and pilot.app.screen.focused is not None


@SIZES
@pytest.mark.parametrize("keys", [(), ("colon",), ("enter",)], ids=lambda k: "".join(k) or "map")
def test_help(home, fresh, compare_screen, size, keys):
    async def before(pilot) -> None:
        if keys == ("enter",):
            pilot.app.screen.view.map.cursor = "siam"
        await help_after(pilot, *keys)

    assert compare_screen(fresh, terminal_size=size, run_before=before)


@SIZES
def test_help_of_a_pane(home, compare_screen, size):
    app = open_log(home, palette="mono", ascii=True)

    async def before(pilot) -> None:
        await help_after(pilot, "3")
        if size[0] > 100:
            await pilot.press("right", "right", "right")

    assert compare_screen(app, terminal_size=size, run_before=before)
