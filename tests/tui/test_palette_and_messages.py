"""The command palette, messages, undo to a line, and prices in refusals."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.app import SystemCommand
from textual.widgets._toast import Toast, ToastRack

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.position.setup import seats_for
from paxtui.session.local_session import LocalSession
from paxtui.session.pax_host import PaxHost
from paxtui.session.session import AgreedUndo
from paxtui.session.tables.loader import load_tables
from paxtui.tui.app import PaxApp
from paxtui.tui.base.dialogs import PickDialog
from paxtui.tui.base.settings import Settings
from paxtui.tui.command_palette import LAST_COMMANDS, CommandPalette, match_commands
from paxtui.tui.start_screens.start import StartScreen
from tests.places import CONGRESS
from tests.tui.playing import MOVEMENT, congress_lines, notices, open_log, order, press, rows, start_at
from tests.waiting import until

# The palette


async def test_palette_is_sorted_by_use(home):
    async with open_log(home).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        names = [command.title for command in pilot.app.get_system_commands(pilot.app.screen)]
        assert names[:4] == ["What can I do here", "Move", "Find", "Command"]
        assert names.index("Stay ready") > len(names) - len(LAST_COMMANDS) and names[-1] == "Quit"
        assert not {"Theme", "Maximize", "Screenshot"} & set(names) and len(names) == len(set(names))


async def test_enter_in_a_new_palette_is_harmless(home):
    async with start_at(home, MOVEMENT).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        session = pilot.app.screen.session
        line = session.version
        await press(pilot, "ctrl+p")
        assert isinstance(pilot.app.screen, CommandPalette)
        await press(pilot, "enter")
        assert session.version == line and session.live.phase == "movement"


# Messages


async def drawn_toast(pilot, message):
    """Wait until a message is drawn; return its widget."""

    def drawn():
        toasts = pilot.app.screen.query(Toast)
        return [toast for toast in toasts if toast._notification.message == message and toast.region.area]

    await until(drawn, pilot=pilot)
    return drawn()[0]


async def test_messages_appear_at_the_same_place(home):
    """Textual leaves an empty row for each replaced message, so that later ones would be off the screen."""
    async with start_at(home, MOVEMENT).run_test(size=(80, 24), notifications=True) as pilot:
        await pilot.pause()
        places = []
        for number in range(4):
            pilot.app.notify(f"message {number}", timeout=60)
            shown = await drawn_toast(pilot, f"message {number}")
            places.append(shown.region)
        assert len(set(places)) == 1 and len(pilot.app.screen.query("ToastHolder")) <= 2


async def test_messages_are_replaced_and_cleared_by_an_act(home):
    async with start_at(home, MOVEMENT).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await order(pilot, "place protectorate france")
        await order(pilot, "build a99")
        assert len(pilot.app._notifications) == 1
        assert all(text.timeout <= 6 for text in pilot.app._notifications)
        await order(pilot, "place influence egypt")
        assert notices(pilot.app) == ""


@pytest.mark.parametrize("size", [(80, 24), (160, 50)], ids=str)
async def test_message_covers_neither_keys_nor_order_line(home, size):
    async with start_at(home, MOVEMENT).run_test(size=size, notifications=True) as pilot:
        await pilot.pause()
        await order(pilot, "build a99")
        await press(pilot, "colon")
        screen = pilot.app.screen
        toast = next(iter(screen.get_child_by_type(ToastRack).walk_children(Toast)))
        assert toast.region.y >= 1 and toast.region.height > 0 and toast.region.bottom < size[1] - 8
        assert not toast.region.overlaps(screen.query_one("#bottom").region)


async def test_message_does_not_cover_what_now(home):
    async with start_at(home, MOVEMENT).run_test(size=(160, 50), notifications=True) as pilot:
        await pilot.pause()
        await order(pilot, "build a99")
        screen = pilot.app.screen
        toast = next(iter(screen.get_child_by_type(ToastRack).walk_children(Toast)))
        assert toast.region.area
        assert not toast.region.overlaps(screen.query_one("#now").region)


@pytest.mark.parametrize("key", ["t", "C", "l", "d"])
async def test_message_does_not_cover_the_title_of_a_high_dialog(home, key):
    lines = congress_lines()
    async with open_log(home, CONGRESS, curtain=False).run_test(size=(80, 24), notifications=True) as pilot:
        pilot.app.screen.session.look_at(lines[0])
        await press(pilot, key)
        screen = pilot.app.screen
        pilot.app.notify("Looking at the past: press End to return to the present first.")
        await pilot.pause()
        toast = next(iter(screen.get_child_by_type(ToastRack).walk_children(Toast)))
        title = next(iter(screen.query(".title")))
        assert toast.region.area and title.region.area and not toast.region.overlaps(title.region)


async def test_ctrl_c_says_how_to_leave(home):
    async with PaxApp(settings=Settings()).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await press(pilot, "ctrl+c")
        assert "q leaves the game" in notices(pilot.app) and isinstance(pilot.app.screen, StartScreen)


# Undo to here


async def test_undo_to_here_asks_first(home):
    async with open_log(home).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        session = pilot.app.screen.session
        last = session.version
        await press(pilot, *["left_curly_bracket"] * 3)
        at, turn = session.line, session.state.turn
        await press(pilot, "U")
        assert isinstance(pilot.app.screen, PickDialog)
        title = pilot.app.screen.title_text
        assert title.startswith(f"Take the game back to line {at} (") and title.endswith("later lines would go.")
        await press(pilot, "enter")
        assert session.version == last, "the selected answer changes nothing"
        await press(pilot, "U", "a")
        assert session.live.turn == turn and session.live.result is None
        assert f"The game is now at line {at}." in notices(pilot.app)


def test_all_local_seats_undo_a_strict_game(tmp_path: Path):
    path = tmp_path / "game.jsonl"
    with PaxHost.new(load_tables(), seats_for(4), "7", {}, path=path, undo="strict") as table:
        session = LocalSession(table)
        session.advance()
        there = session.version
        for seat in seats_for(4):
            session.take_seat(seat)
            session.act_text("ready")
        assert session.live.phase != "movement"
        session.take_seat("france")
        session.undo(there)
        assert session.live.phase != "movement", "the others have not agreed"
        session.perform(AgreedUndo(there))
        assert session.live.phase == "movement" and session.live.ready == ()
        assert table.verify() == []


# What it costs


@pytest.mark.rule("STA-004")
def test_refusal_names_the_price_of_all_units(home):
    with PaxHost.open(start_at(home, MOVEMENT).open_path) as table:
        with pytest.raises(Refusal) as refused:
            LocalSession(table).act_text("build a10 a10 a10 a10")
        price = 4 * table.tables.units[10].army
        assert f"That costs £{price}; Great Britain has £60" in refused.value.message


async def test_palette_filters_and_runs_a_command(home):
    async with start_at(home, MOVEMENT).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        game = pilot.app.screen
        await press(pilot, "ctrl+p", *"record")
        palette = pilot.app.screen
        assert isinstance(palette, CommandPalette) and "Record" in palette._found[0].title
        assert any(" e · " in row for row in rows(pilot.app)), "a narrow box shows the key"
        await press(pilot, "x", "x", "x", "enter")
        assert pilot.app.screen is game, "nothing matches, nothing runs"
        await press(pilot, "ctrl+p", "pagedown", "pagedown", "pageup", "up", "down", "escape")
        assert pilot.app.screen is game
        await press(pilot, "ctrl+p", *"settings", "enter")
        assert type(pilot.app.screen).__name__ == "SettingsScreen"


def test_title_counts_more_than_description():
    commands = [SystemCommand("Find", "move the cursor to a place", print), SystemCommand("Move", "move units", print)]
    assert [one.title for one in match_commands(commands, "move")] == ["Move", "Find"]
    assert match_commands(commands, "xyz") == []
    assert [one.title for one in match_commands(commands, " ")] == ["Find", "Move"]
