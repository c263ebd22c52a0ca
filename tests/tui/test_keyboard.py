"""The game by keys: the effect of keys on the position."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.actions import parse
from textual.binding import Binding
from textual.screen import Screen
from textual.widgets import Input, OptionList

from paxtui.games.pax.position.setup import seats_for
from paxtui.session.pax_host import PaxHost
from paxtui.session.tables.loader import load_tables
from paxtui.tui.app import PaxApp
from paxtui.tui.base.dialogs import PickDialog, TextDialog
from paxtui.tui.base.screen import BaseScreen
from paxtui.tui.base.settings import Settings
from paxtui.tui.dialogs.area_menu import AreaMenu
from paxtui.tui.dialogs.choice import ChoiceDialog
from paxtui.tui.dialogs.seats import PrivacyScreen
from paxtui.tui.diplomacy.congress import CongressScreen
from paxtui.tui.diplomacy.messages import DispatchScreen
from paxtui.tui.diplomacy.treaties import TreatyScreen
from paxtui.tui.diplomacy.treaty_editor import TreatyEditor
from paxtui.tui.game.bots import BotController
from paxtui.tui.game.controller import Controller
from paxtui.tui.game.history import HistoryController
from paxtui.tui.game.orders import OrderController
from paxtui.tui.game.other_screens import ScreenController
from paxtui.tui.game.screen import GameScreen
from paxtui.tui.game.seats import SeatController
from paxtui.tui.game.view import ViewController
from paxtui.tui.reference_screens.log import LogScreen
from paxtui.tui.reference_screens.record import RecordScreen
from paxtui.tui.reference_screens.reference import RulesScreen
from paxtui.tui.start_screens.new_game import NewGameScreen
from paxtui.tui.start_screens.settings import KeysScreen, SettingsScreen
from paxtui.tui.start_screens.start import StartScreen
from paxtui.tui.tutorial.screen import EndOfTutorial, TutorialScreen
from tests.tui.playing import QUIET, order

PATCH = {
    "phase": "movement",
    "powers": {"britain": {"treasury": 60}, "france": {"treasury": 60}},
    "areas": {"siam": {"unrest": False}},
}


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game in the Movement Phase with money."""
    monkeypatch.setenv("PAXTUI_HOME", str(tmp_path))
    path = tmp_path / "game.jsonl"
    with PaxHost.new(load_tables(), seats_for(7), "7", {}, path=path, undo="free") as table:
        table.act("arbiter", {"type": "set_position", "patch": PATCH})
    return path


def app_for(path: Path | None = None) -> PaxApp:
    """Start the app with fixed settings."""
    return PaxApp(path=path, settings=Settings(**QUIET))


def markers(game: GameScreen, area: str) -> list[tuple[str, str]]:
    """Return the markers of an Area."""
    return [(m.power, m.marker) for m in game.session.live.areas[area].markers]


async def test_marker_is_placed_with_keys(log):
    async with app_for(log).run_test(size=(120, 40)) as pilot:
        game = pilot.app.screen
        await pilot.press("slash", *"egy", "enter")
        await pilot.pause()
        assert game.view.map.cursor == "egypt"
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(pilot.app.screen, AreaMenu)
        await pilot.press("b")
        await pilot.pause()
        assert markers(game, "egypt") == [("britain", "influence")]
        assert game.session.live.powers["britain"].treasury == 50


async def test_army_moves_to_a_highlighted_place(log):
    async with app_for(log).run_test(size=(160, 50)) as pilot:
        game = pilot.app.screen
        await order(pilot, "place protectorate egypt")
        game.view.map.cursor = "home:britain"
        await pilot.press("v")
        await pilot.pause()
        assert game.view.march is not None and "egypt" in game.view.march.reach and "siam" not in game.view.march.reach
        game.view.map.cursor = "egypt"
        await pilot.press("enter")
        await pilot.pause()
        assert [u.name for u in game.session.live.areas["egypt"].units] == ["A3"]


async def test_escape_cancels_move_and_order_line(log):
    async with app_for(log).run_test(size=(120, 40)) as pilot:
        game = pilot.app.screen
        await pilot.press("v")
        assert game.view.march is not None
        await pilot.press("escape")
        assert game.view.march is None and game.session.version == 2
        await pilot.press("colon", *"ready", "escape")
        await pilot.pause()
        assert game.view.march is None and game.focused is game.view.map and game.session.version == 2


async def test_question_mark_opens_the_rule_of_a_refusal(log):
    async with app_for(log).run_test(size=(120, 40)) as pilot:
        game = pilot.app.screen
        await order(pilot, "place protectorate siam")
        assert "STA-013" in game.session.refusal.rules and markers(game, "siam") == []
        await pilot.press("question_mark")
        await pilot.pause()
        assert isinstance(pilot.app.screen, RulesScreen)
        assert "STA-013" in pilot.app.screen.query_one("#rule-words", Input).value


async def test_undo_and_redo(log):
    async with app_for(log).run_test(size=(120, 40)) as pilot:
        game = pilot.app.screen
        await order(pilot, "place interest egypt")
        await pilot.press("u")
        await pilot.pause()
        assert markers(game, "egypt") == []
        await pilot.press("ctrl+r")
        await pilot.pause()
        assert markers(game, "egypt") == [("britain", "interest")]


async def test_past_cannot_be_changed(log):
    async with app_for(log).run_test(size=(120, 40)) as pilot:
        game = pilot.app.screen
        await order(pilot, "place interest egypt")
        await pilot.press("left_square_bracket")
        await pilot.pause()
        assert game.session.at == 2 and not game.session.state.areas["egypt"].markers
        await order(pilot, "place interest siam")
        assert game.session.version == 3
        await pilot.press("end")
        await pilot.pause()
        assert game.session.at is None


async def test_line_of_the_log_shows_the_position_at_that_moment(log):
    async with app_for(log).run_test(size=(120, 40)) as pilot:
        game = pilot.app.screen
        for area in ("egypt", "brasil", "siam"):
            await order(pilot, f"place interest {area}")
        await pilot.press("l")
        await pilot.pause()
        assert isinstance(pilot.app.screen, LogScreen)
        await pilot.press("slash", *"egypt", "enter", "enter")
        await pilot.pause()
        assert pilot.app.screen is game and game.session.at == 3
        assert game.session.state.areas["egypt"].markers and not game.session.state.areas["siam"].markers


async def test_seats_change_and_fight_is_chosen(log):
    async with app_for(log).run_test(size=(120, 40)) as pilot:
        game = pilot.app.screen
        await pilot.press("s")
        assert game.session.seat == "france"
        await pilot.press("S")
        assert game.session.seat == "britain"
        await order(pilot, "place protectorate egypt")
        await order(pilot, "move a3 home > egypt")
        await pilot.press("R")
        await pilot.pause()
        assert game.session.live.phase == "colonial_combat"
        await pilot.press("c")
        await pilot.pause()
        assert isinstance(pilot.app.screen, ChoiceDialog)
        await pilot.press("enter")
        await pilot.pause()
        assert game.session.live.phase != "colonial_combat"


async def test_ready_is_refused_while_an_area_lacks_a_garrison(log):
    async with app_for(log).run_test(size=(120, 40)) as pilot:
        game = pilot.app.screen
        await order(pilot, "move a1 hong_kong > home")
        await pilot.press("r")
        await pilot.pause()
        assert "britain" not in game.session.live.ready and "STA-039" in game.session.refusal.rules
        await order(pilot, "garrison")
        await pilot.press("r")
        await pilot.pause()
        assert "britain" in game.session.live.ready


async def test_disk_error_changes_nothing(log, monkeypatch):
    async with app_for(log).run_test(size=(120, 40)) as pilot:
        game = pilot.app.screen

        def full(data: bytes) -> None:
            raise OSError("No space left on device")

        monkeypatch.setattr(game.session._game.game, "_sink", full)
        await order(pilot, "place interest egypt")
        assert markers(game, "egypt") == [] and game.session.version == 2


async def test_new_game_forecasts_income(tmp_path, monkeypatch):
    monkeypatch.setenv("PAXTUI_HOME", str(tmp_path))
    async with app_for().run_test(size=(160, 50)) as pilot:
        assert isinstance(pilot.app.screen, StartScreen)
        await pilot.press("n")
        await pilot.pause()
        await pilot.press("f10")
        await pilot.pause()
        game = pilot.app.screen
        assert isinstance(game, GameScreen)
        from paxtui.tui.panes.side_panes import render_record

        for power, net in (("britain", 37), ("france", 9), ("united_states", 9)):
            game.session.take_seat(power)
            line = next(x for x in render_record(game.session, game.look, 40).plain.splitlines() if x.startswith("22 "))
            assert line.split()[-1] == str(net)
        await pilot.press("r")
        await pilot.pause()
        assert game.session.live.phase == "movement"


async def test_broken_game_is_not_opened(tmp_path, monkeypatch):
    monkeypatch.setenv("PAXTUI_HOME", str(tmp_path))
    saves = tmp_path / "saves"
    saves.mkdir()
    (saves / "bad.jsonl").write_text("no log at all\n")
    async with app_for().run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(pilot.app.screen, StartScreen | NewGameScreen)
        assert (saves / "bad.jsonl").read_text() == "no log at all\n"


async def test_edition_sets_options_of_a_new_game():
    def shown(pilot) -> dict[str, str]:
        rows = [str(row.prompt) for row in pilot.app.screen.query_one(OptionList).options]
        return {row[:43].strip(): row[44:].strip() for row in rows}

    def go_to(pilot, line: str) -> None:
        rows = pilot.app.screen.query_one(OptionList)
        rows.highlighted = rows.get_option_index(line)

    async with app_for().run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await pilot.press("n")
        await pilot.pause()
        assert "Fiji lies on" not in shown(pilot)
        assert shown(pilot)["Rules..."] == "as usual"
        go_to(pilot, "rules")
        await pilot.press("enter")
        assert shown(pilot)["Fiji lies on"] == "Oceania"
        go_to(pilot, "option:edition")
        await pilot.press("enter")
        after = shown(pilot)
        assert after["Edition of the rules"] == "that of 1993 *"
        assert after["Fiji lies on"] == "Oceania and the South Pacific *"
        assert after["A Congress grants Codominions free"] == "only in disputed Areas *"
        await pilot.press("down", "enter")
        assert shown(pilot)["Fiji lies on"] == "Oceania"
        assert not [value for value in shown(pilot).values() if "_" in value]
        await pilot.press("escape")
        assert "changed *" in shown(pilot)["Rules..."]
        await pilot.press("f10")
        await pilot.pause()
        options = pilot.app.screen.session.state.options
        assert (options.edition, options.fiji_south_pacific) == ("1993", False)
        assert options.congress_free_codominion == "disputed"


SCREENS = [StartScreen, NewGameScreen, GameScreen, AreaMenu, ChoiceDialog, TextDialog, RulesScreen]
SCREENS += [PrivacyScreen, RecordScreen, LogScreen, SettingsScreen, KeysScreen, PickDialog, DispatchScreen]
SCREENS += [TreatyScreen, TreatyEditor, CongressScreen]
SCREENS += [TutorialScreen, EndOfTutorial]


CONTROLLERS: dict[str, type[Controller]] = {
    "orders": OrderController,
    "seats": SeatController,
    "bots": BotController,
    "history": HistoryController,
    "view": ViewController,
    "screens": ScreenController,
}
"""Controllers of the game screen by the name of their action."""


def action_of(screen: type[Screen[Any]], action: str) -> object:
    """Return the method that runs an action: of the screen, or of a controller (`orders('menu')`)."""
    _, name, arguments = parse(action)
    if name in CONTROLLERS and issubclass(screen, GameScreen):
        return getattr(CONTROLLERS[name], f"action_{arguments[0]}")
    return getattr(screen, f"action_{name}")


@pytest.mark.parametrize("screen", SCREENS, ids=lambda s: s.__name__)
def test_bindings_have_id_tooltip_and_action(screen):
    seen = set()
    for binding in screen.BINDINGS:
        assert isinstance(binding, Binding)
        assert binding.id and binding.tooltip and binding.description
        assert binding.id not in seen
        seen.add(binding.id)
        assert callable(action_of(screen, binding.action))


def test_every_action_has_a_key():
    for screen in SCREENS:
        inherited = [b for kind in screen.__mro__ for b in vars(kind).get("BINDINGS", ()) if isinstance(b, Binding)]
        bound = {b.action.split("(")[0] for b in inherited}
        # screens need not bind `BaseScreen.action_close`
        ours = [kind for kind in screen.__mro__ if kind.__module__.startswith("paxtui.") and kind is not BaseScreen]
        own = {name[7:] for kind in ours for name in vars(kind) if name.startswith("action_")}
        assert own <= bound, f"{screen.__name__}: {own - bound}"


def test_every_action_of_a_controller_has_a_key():
    bound = {parse(binding.action)[1:] for binding in GameScreen.BINDINGS}
    keys = {(name, arguments[0]) for name, arguments in bound if name in CONTROLLERS}
    own = {(name, member[7:]) for name, kind in CONTROLLERS.items() for member in vars(kind) if "action_" in member[:7]}
    # clicks have keys with the same effect: s, [ and ], the arrows
    assert own == keys | {(name, "click") for name in ("orders", "seats", "history", "view")}


async def test_palette_contains_and_runs_all_actions(log):
    async with app_for(log).run_test(size=(120, 40)) as pilot:
        game = pilot.app.screen
        commands = {c.title: c for c in pilot.app.get_system_commands(game)}
        for binding in GameScreen.BINDINGS:
            assert binding.description in commands and binding.tooltip in commands[binding.description].help
        await commands["Next seat"].callback()
        assert game.session.seat == "france"
