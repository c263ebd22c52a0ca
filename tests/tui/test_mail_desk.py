"""The gamemaster's screen: received forms, dry run, publishing, deadlines, mail."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from paxtui.engine.refusal import Refusal
from paxtui.tui.app import PaxApp
from paxtui.tui.base.dialogs import ConfirmDialog
from paxtui.tui.base.screen import ChoiceList, PlainText
from paxtui.tui.base.settings import Settings
from paxtui.tui.mail.gamemaster import GamemasterScreen
from paxtui.tui.rendering.text_widgets import ScrollingText
from tests.mail.games import MailGame
from tests.tui.playing import SIZES


class FakeMail:
    """A mail account that sends nothing."""

    addresses: Mapping[str, str] = {"france": "ann@test"}

    def __init__(self) -> None:
        self.done: list[str] = []
        self.wrong = False

    def carry(self) -> str:
        if self.wrong:
            raise Refusal("mailbox", (), "The IMAP server does not answer.")
        self.done.append("carried")
        return "taken: France"

    def remind(self) -> str:
        self.done.append("reminded")
        return "sent: 3"


class ScreenedGame(MailGame):
    """A mail game with its gamemaster's screen."""

    def __init__(self, root: Path, **rest: bool) -> None:
        super().__init__(root, **rest)
        self.post = FakeMail()

    def app(self) -> PaxApp:
        return PaxApp(settings=Settings(), only=lambda: GamemasterScreen(self.service, self.post))


@pytest.fixture
def mail_game(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> ScreenedGame:
    monkeypatch.setenv("TZ", "UTC")
    return ScreenedGame(tmp_path)


def heading(pilot: Pilot[int]) -> str:
    return str(pilot.app.screen.query_one("#desk-head", PlainText).content)


def rows(pilot: Pilot[int]) -> list[str]:
    found = pilot.app.screen.query_one(ChoiceList)
    return [str(found.get_option_at_index(n).prompt) for n in range(found.option_count)]


def page(pilot: Pilot[int]) -> str:
    return pilot.app.screen.query_one(ScrollingText).text.plain


def messages(pilot: Pilot[int]) -> str:
    return "\n".join(notice.message for notice in pilot.app._notifications)


async def wait_for_mail(pilot: Pilot[int]) -> None:
    """Wait until the mail worker has finished."""
    for worker in list(pilot.app.workers):
        if worker.group == "mail":
            await worker.wait()
    await pilot.pause()


async def test_received_and_missing_forms_are_listed(mail_game: ScreenedGame) -> None:
    mail_game.send("france", "build A1")
    (mail_game.folder.orders_of(1) / "germany.form").write_text("hope")
    async with mail_game.app().run_test(size=(160, 50)) as pilot:
        await pilot.pause()
        assert "stop 1: orders of the Movement" in heading(pilot) and "in 28 days" in heading(pilot)
        assert "1 in, 3 missing." in heading(pilot)
        found = rows(pilot)
        assert "arrived Sun 01 Mar, 12:00" in found[2] and "not taken" in found[3] and "missing" in found[4]
        await pilot.press("down", "down")
        await pilot.pause()
        assert "E-mail goes to ann@test." in page(pilot) and "For France." in page(pilot)
        assert "build A1" not in page(pilot)  # forms stay sealed until the deadline
        await pilot.press("down")
        await pilot.pause()
        assert "Not taken: germany.form: line 1, column 1" in page(pilot)
        await pilot.press("d")
        await pilot.pause()
        assert "possible when all forms have arrived" in messages(pilot)
        mail_game.send("germany")
        await pilot.press("l")
        await pilot.pause()
        assert "2 in, 2 missing." in heading(pilot)


async def test_dry_run_and_publish_by_keys(mail_game: ScreenedGame) -> None:
    mail_game.all_send(france="build A1")
    before = mail_game.folder.game.read_bytes()
    async with mail_game.app().run_test(size=(160, 50)) as pilot:
        await pilot.press("d")
        await pilot.pause()
        assert "Dry run: nothing is stored." in heading(pilot)
        assert page(pilot).startswith("What it changes\n") and "France builds A1" in page(pilot)
        await pilot.press("down", "down")
        await pilot.pause()
        assert "Line 1, build A1: carried out." in page(pilot)
        await pilot.press("escape")
        await pilot.pause()
        assert "Dry run" not in heading(pilot) and "carried out" not in page(pilot)
        assert mail_game.folder.game.read_bytes() == before and mail_game.service.terms.stop == 1
        await pilot.press("d", "p")
        await pilot.pause()
        assert mail_game.service.terms.stop == 2 and "stop 2" in heading(pilot)
        assert "France builds A1" in page(pilot)


async def test_publishing_without_a_dry_run_asks_first(mail_game: ScreenedGame) -> None:
    mail_game.send("france")
    mail_game.later(days=30)
    async with mail_game.app().run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "passed 2 days ago" in heading(pilot) and "The forms can be opened." in heading(pilot)
        await pilot.press("p")
        await pilot.pause()
        assert isinstance(pilot.app.screen, ConfirmDialog)
        text = " ".join(str(prose.content) for prose in pilot.app.screen.query(PlainText))
        assert "The caretaker plays for Great Britain, Germany, United States." in text
        await pilot.press("n")
        await pilot.pause()
        assert mail_game.service.terms.stop == 1
        await pilot.press("p", "y")
        await pilot.pause()
        assert mail_game.service.terms.stop == 2


async def test_deadline_is_set_by_text(mail_game: ScreenedGame) -> None:
    async with mail_game.app().run_test(size=(120, 40)) as pilot:
        for text in ("soon", "2026-02-01", "+3"):
            if not pilot.app.screen.query(Input):
                await pilot.press("e")
            pilot.app.screen.query_one(Input).value = text
            await pilot.press("enter")
            await pilot.pause()
            if text != "+3":
                wrong = str(pilot.app.screen.query_one("#ask-wrong", PlainText).content)
                assert "is not a time" in wrong or "That time has passed" in wrong
        assert mail_game.service.terms.deadline.startswith("2026-04-01T12:00")
        assert "in 31 days" in heading(pilot)


async def test_mail_is_fetched_and_server_errors_are_reported(mail_game: ScreenedGame) -> None:
    async with mail_game.app().run_test(size=(120, 40)) as pilot:
        for key, done in (("m", "taken: France"), ("n", "sent: 3")):
            await pilot.press(key)
            await wait_for_mail(pilot)
            assert done in messages(pilot)
        mail_game.post.wrong = True
        await pilot.press("m")
        await wait_for_mail(pilot)
        assert "The IMAP server does not answer." in messages(pilot) and mail_game.post.done == ["carried", "reminded"]


async def test_pause_new_player_caretaker_and_early_view(mail_game: ScreenedGame) -> None:
    mail_game.send("france", "build A1")
    async with mail_game.app().run_test(size=(160, 50)) as pilot:
        await pilot.press("z")
        await pilot.pause()
        assert "Paused: deadlines are suspended." in heading(pilot)
        mail_game.later(days=40)
        await pilot.press("z")
        await pilot.pause()
        assert "in 28 days" in heading(pilot)
        await pilot.press("down", "r")
        pilot.app.screen.query_one(Input).value = "Dora"
        await pilot.press("enter")
        await pilot.pause()
        assert "Great Britain (Dora)" in rows(pilot)[1] and "has a new player" in messages(pilot)
        await pilot.press("down", "down", "c", "y")
        await pilot.pause()
        assert mail_game.service.status().missing == ("britain", "united_states")
        await pilot.press("v", "n")
        await pilot.pause()
        assert isinstance(pilot.app.screen, GamemasterScreen)
        await pilot.press("v", "y")
        await pilot.pause()
        assert "build A1" in " ".join(str(prose.content) for prose in pilot.app.screen.query(PlainText))
    mail_game.send("britain")
    mail_game.send("united_states")
    mail_game.service.adjudicate()
    for words in ("was paused", "has a new player: Dora", "is played by the caretaker", "looked at the forms"):
        assert words in mail_game.public(2)


async def test_new_code(tmp_path: Path, home: Path) -> None:
    pytest.importorskip("nacl")
    sealed = ScreenedGame(tmp_path, sealed=True)
    async with sealed.app().run_test(size=(120, 40)) as pilot:
        await pilot.press("k")
        await pilot.pause()
        assert "Put the cursor on a seat first." in messages(pilot)
        await pilot.press("down", "k")
        await pilot.pause()
        assert "britain-" in messages(pilot) and pilot.app.clipboard.startswith("britain-")
    assert pilot.app.return_code in (None, 0)


@SIZES
def test_gamemaster_screen_look(
    mail_game: ScreenedGame, compare_screen: Callable[..., bool], size: tuple[int, int]
) -> None:
    mail_game.all_send(france="build A1")
    assert compare_screen(mail_game.app(), terminal_size=size, press=["d"])
