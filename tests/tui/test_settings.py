"""The table of settings, the keymap file, and themes of all palettes."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

import pytest

from paxtui.games.pax.events import events
from paxtui.session.storage.files import config_file
from paxtui.tui.app import PaxApp, all_bindings
from paxtui.tui.base import keymap
from paxtui.tui.base.settings import SETTINGS, Settings, load_settings, save_settings, settings_path
from paxtui.tui.colors import PALETTES
from paxtui.tui.game.screen import GameScreen
from paxtui.tui.start_screens.settings import KeysScreen, SettingsScreen
from tests.places import GOLDEN
from tests.tui.playing import SIZES, rows


@pytest.fixture
def home(home: Path) -> Path:
    """The player's directory with a game."""
    shutil.copy(GOLDEN, home / "game.jsonl")
    return home


# The table


def test_settings_have_texts_and_valid_defaults():
    for setting in SETTINGS:
        assert setting.title and setting.help and setting.group
        assert setting.default in setting.values and len(setting.values) > 1


def test_saved_settings_are_loaded(home):
    for setting in SETTINGS:
        for value in setting.values:
            wanted = Settings(**{setting.key: value})
            save_settings(wanted)
            assert load_settings() == wanted


@pytest.mark.parametrize(
    "text",
    [
        "",
        "palette = 3",
        'palette = "plaid"',
        "speed = true",
        "speed = 3",
        "nonsense",
        "[palette]",
        "bell = 'yes'",
        "\x00",
    ],
)
def test_invalid_settings_have_their_defaults(home, text):
    config_file("settings.toml").write_text(text)
    assert load_settings() == Settings()


def test_invalid_line_does_not_affect_others(home):
    config_file("settings.toml").write_text('palette = "plaid"\nascii = true\nspeed = 8\n')
    assert load_settings() == Settings(ascii=True, speed=8)


# The screen


async def test_screen_changes_and_saves_every_setting(home):
    app = PaxApp(path=home / "game.jsonl")
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("f4")
        await pilot.pause()
        assert isinstance(app.screen, SettingsScreen)
        for setting in SETTINGS:
            before = getattr(app.settings, setting.key)
            await pilot.press("right")
            await pilot.pause()
            changed = getattr(app.settings, setting.key)
            assert changed != before and getattr(load_settings(), setting.key) == changed
            await pilot.press("d")
            assert getattr(app.settings, setting.key) == setting.default
            await pilot.press("down")
        assert load_settings() == Settings()


@pytest.mark.parametrize("palette", PALETTES)
async def test_palette_sets_the_theme(home, palette):
    app = PaxApp(path=home / "game.jsonl", settings=Settings(palette=palette))
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        assert app.theme == f"pax-{palette}"
        assert app.current_theme.dark == PALETTES[palette].dark
        page = app.screen.styles.background
        if palette == "light":
            assert page.brightness > 0.7
        else:
            assert page.brightness < 0.2


async def test_palette_change_redraws_the_map(home):
    app = PaxApp(path=home / "game.jsonl", settings=Settings())
    async with app.run_test(size=(120, 40)) as pilot:
        game = app.screen
        assert isinstance(game, GameScreen)
        await pilot.press("f4", "right", "escape")
        await pilot.pause()
        assert app.settings.palette == "light" and game.view.map.palette.name == "light"


async def test_start_settings_choose_zoom_and_pane(home):
    app = PaxApp(path=home / "game.jsonl", settings=Settings(zoom="cards", pane="indexes"))
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        assert app.screen.view.cards and app.screen.view.side.pane == "indexes"


async def test_ready_of_the_last_seat_asks_if_set(home):
    path = home / "game.jsonl"
    app = PaxApp(path=path, settings=Settings(confirm_ready=True))
    async with app.run_test(size=(120, 40)) as pilot:
        game = app.screen
        game.session._game.undo("arbiter", to=60)
        game.view.draw()
        s = game.session
        while len(s.waiting()) > 1:
            s.take_seat(s.waiting()[0])
            s._game.play(s.seat, "ready")
        s.take_seat(s.waiting()[0])
        phase = s.live.phase
        await pilot.press("r")
        await pilot.press("r", "escape")
        assert s.live.phase == phase
        await pilot.press("r", "y")
        assert s.live.phase != phase


DICE_EVENTS = (events.OfficeIncome(power="britain", die=4, amount=35),)
"""Events with dice."""

# The dice


async def test_dice_panel_closes_at_the_next_key(home, monkeypatch):
    app = PaxApp(settings=Settings(reports="none"))
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("n")
        await pilot.pause()
        await pilot.press("f10")
        await pilot.pause()
        for key in ("y", "enter", "space", "left", "escape", "j"):
            app.screen.seats.report_dice(DICE_EVENTS)
            await pilot.pause()
            panel = app.screen.query_one("#dice")
            assert panel.display and "any key closes this" in str(panel.render()), key
            await pilot.press(key)
            await pilot.pause()
            assert not panel.display and app.screen is app.screen_stack[-1], key


async def test_dice_setting_log_shows_no_panel(home):
    app = PaxApp(settings=Settings(dice="log", reports="none"))
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("n")
        await pilot.pause()
        await pilot.press("f10")
        await pilot.pause()
        app.screen.seats.report_dice(DICE_EVENTS)
        await pilot.pause()
        assert not app.screen.query_one("#dice").display


# Keys


def test_keymap_file_contains_every_binding(home):
    keymap.save_keymap(all_bindings(), {"game.move": "M"})
    text = keymap.keymap_path().read_text()
    for b in all_bindings():
        assert f'"{b.id}"' in text
    assert keymap.load_keymap(all_bindings) == ({"game.move": "M"}, [])
    assert tomllib.loads(text) == {"game.move": "M"}


@pytest.mark.parametrize(
    "text",
    ['"game.move" = 3', '"game.move" = "no key at all"', '"game.fly" = "v"', "[game]\nmove = 3", '"game.move" = ""'],
)
def test_invalid_keymap_line_is_reported_and_ignored(home, text):
    keymap.keymap_path().write_text(text)
    good, wrong = keymap.load_keymap(all_bindings)
    assert not good and len(wrong) == 1


async def test_custom_key_replaces_the_default(home):
    keymap.keymap_path().write_text('"game.seat" = "N"\n')
    app = PaxApp(path=home / "game.jsonl")
    async with app.run_test(size=(160, 50)) as pilot:
        game = app.screen
        seat = game.session.seat
        await pilot.press("s")
        assert game.session.seat == seat
        await pilot.press("N")
        assert game.session.seat != seat
        assert "N seat" in str(game.query_one("#keys").render())
        commands = {c.title: c for c in app.get_system_commands(game)}
        assert commands["Next seat"].help.startswith("N · ")


async def test_key_is_changed_on_the_screen_unless_taken(home):
    app = PaxApp(path=home / "game.jsonl")
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("f5")
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, KeysScreen)
        row = next(i for i, line in enumerate(rows(app, "#keys-lines")) if "Next seat" in line)
        screen.query_one("#keys-lines").highlighted = row
        await pilot.press("enter", "v")
        await pilot.pause()
        assert app.own_keys == {}
        await pilot.press("enter", "K")
        await pilot.pause()
        assert app.own_keys == {"game.seat": "K"} and keymap.load_keymap(all_bindings)[0] == {"game.seat": "K"}
        await pilot.press("d")
        assert app.own_keys == {}
        await pilot.press("enter", "escape")
        assert app.own_keys == {}
    assert settings_path().parent == home


# Pictures


@SIZES
@pytest.mark.parametrize("key", ["f4", "f5"])
def test_settings_and_keys(home, compare_screen, size, key):
    app = PaxApp(path=home / "game.jsonl", settings=Settings())
    assert compare_screen(app, terminal_size=size, press=[key])
