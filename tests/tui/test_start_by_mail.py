"""Mail games opened from the start screen: gamemaster's screen, order sheets, and refusals."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from paxtui.cli.mail.screens import MailGames
from paxtui.tui.app import PaxApp
from paxtui.tui.base.dialogs import InputDialog, PickDialog
from paxtui.tui.base.screen import PlainText
from paxtui.tui.base.settings import Settings
from paxtui.tui.mail.gamemaster import GamemasterScreen
from paxtui.tui.mail.order_sheet import OrderSheetScreen
from paxtui.tui.start_screens.start import StartScreen
from tests.mail.games import MailGame


@pytest.fixture
def game_directory(tmp_path: Path, home: Path) -> Path:
    return MailGame(tmp_path).folder.root


async def open_mail_game(pilot: Pilot[int], where: Path) -> None:
    """Press `m` on the start screen and enter a directory or a form."""
    await pilot.pause()
    await pilot.press("m")
    await pilot.pause()
    assert isinstance(pilot.app.screen, InputDialog)
    pilot.app.screen.query_one("#ask", Input).value = str(where)
    await pilot.press("enter")
    await pilot.pause()


async def test_directory_offers_gamemaster_screen_and_order_sheets(game_directory: Path) -> None:
    async with PaxApp(settings=Settings(), mail=MailGames).run_test(size=(120, 40)) as pilot:
        await open_mail_game(pilot, game_directory)
        assert isinstance(pilot.app.screen, PickDialog)
        names = [f"Order sheet of {name}" for name in ("Great Britain", "France", "Germany", "United States")]
        assert pilot.app.screen._lines == ["Gamemaster's screen", *names]
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(pilot.app.screen, GamemasterScreen)
        await pilot.press("escape")
        await open_mail_game(pilot, game_directory)
        await pilot.press("down", "down", "enter")
        await pilot.pause()
        assert isinstance(pilot.app.screen, OrderSheetScreen) and pilot.app.screen.form.text.count("seat: france") == 1
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(pilot.app.screen, StartScreen)


async def test_form_of_a_player_opens_its_order_sheet(game_directory: Path, tmp_path: Path) -> None:
    for name in ("italy.form", "italy.position"):
        (tmp_path / name).write_bytes((game_directory / "reports/0001" / name.replace("italy", "france")).read_bytes())
    async with PaxApp(settings=Settings(), mail=MailGames).run_test(size=(80, 24)) as pilot:
        await open_mail_game(pilot, tmp_path / "italy.form")
        assert isinstance(pilot.app.screen, OrderSheetScreen)


async def test_directory_without_a_mail_game_is_refused(tmp_path: Path, home: Path) -> None:
    async with PaxApp(settings=Settings(), mail=MailGames).run_test(size=(80, 24)) as pilot:
        await open_mail_game(pilot, tmp_path)
        assert isinstance(pilot.app.screen, InputDialog)
        assert str(pilot.app.screen.query_one("#ask-wrong", PlainText).content)


async def test_app_without_mail_says_where_to_open_games(home: Path) -> None:
    async with PaxApp(settings=Settings()).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("m")
        await pilot.pause()
        assert any("where they are stored" in n.message for n in pilot.app._notifications)
