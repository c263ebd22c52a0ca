"""The gamemaster's desk on the screen: what has come, a dry run that keeps nothing, publishing, deadlines, letters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.position.setup import seats_for
from paxtui.mail.game_directory import GameDirectory
from paxtui.mail.gamemaster import GamemasterService
from paxtui.mail.submissions import submit_form
from paxtui.tui.app import PaxApp
from paxtui.tui.base.dialogs import ConfirmDialog
from paxtui.tui.base.screen import ChoiceList, PlainText
from paxtui.tui.base.settings import Settings
from paxtui.tui.mail.gamemaster import GamemasterScreen
from paxtui.tui.rendering.text_widgets import ScrollingText
from tests.rules.harness import tables
from tests.tui.playing import SIZES

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


class Post:
    """Letters that are carried nowhere."""

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


class AtDesk:
    """A mail game of four, its clock that stands still, and the screen of its desk."""

    def __init__(self, root: Path, **rest: bool) -> None:
        self.time, self.post = NOON, Post()
        folder = GameDirectory.made(root / "spring")
        self.desk = GamemasterService.begin(
            folder, tables(), seats_for(4), seed="mail", game_id="g1", now=lambda: self.time, **rest
        )

    def send(self, seat: str, text: str = "") -> None:
        submit_form(self.desk.folder, self.desk.terms, tables(), text, seat, lambda: self.time)

    def app(self) -> PaxApp:
        return PaxApp(settings=Settings(), only=lambda: GamemasterScreen(self.desk, self.post))


@pytest.fixture
def at_desk(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> AtDesk:
    monkeypatch.setenv("TZ", "UTC")
    return AtDesk(tmp_path)


def head(pilot: Pilot[int]) -> str:
    return str(pilot.app.screen.query_one("#desk-head", PlainText).content)


def rows(pilot: Pilot[int]) -> list[str]:
    found = pilot.app.screen.query_one(ChoiceList)
    return [str(found.get_option_at_index(n).prompt) for n in range(found.option_count)]


def page(pilot: Pilot[int]) -> str:
    return pilot.app.screen.query_one(ScrollingText).text.plain


def notices(pilot: Pilot[int]) -> str:
    return "\n".join(notice.message for notice in pilot.app._notifications)


async def carried(pilot: Pilot[int]) -> None:
    """The letters have been carried, and the screen tells of it."""
    for worker in list(pilot.app.workers):
        if worker.group == "mail":
            await worker.wait()
    await pilot.pause()


async def test_what_has_come_and_what_is_missing(at_desk: AtDesk) -> None:
    at_desk.send("france", "build A1")
    (at_desk.desk.folder.orders_of(1) / "germany.form").write_text("hope")
    async with at_desk.app().run_test(size=(160, 50)) as pilot:
        await pilot.pause()
        assert "stop 1: orders of the Movement" in head(pilot) and "in 28 days" in head(pilot)
        assert "1 in, 3 missing." in head(pilot)
        found = rows(pilot)
        assert "arrived Sun 01 Mar, 12:00" in found[2] and "not taken" in found[3] and "missing" in found[4]
        await pilot.press("down", "down")
        await pilot.pause()
        assert "E-mail goes to ann@test." in page(pilot) and "For France." in page(pilot)
        assert "build A1" not in page(pilot)  # nobody reads a form before its time
        await pilot.press("down")
        await pilot.pause()
        assert "Not taken: germany.form: line 1, column 1" in page(pilot)
        await pilot.press("d")
        await pilot.pause()
        assert "possible when all forms have arrived" in notices(pilot)
        at_desk.send("germany")
        await pilot.press("l")
        await pilot.pause()
        assert "2 in, 2 missing." in head(pilot)


async def test_a_turn_in_few_keys(at_desk: AtDesk) -> None:
    for seat in seats_for(4):
        at_desk.send(seat, "build A1" if seat == "france" else "")
    before = at_desk.desk.folder.game.read_bytes()
    async with at_desk.app().run_test(size=(160, 50)) as pilot:
        await pilot.press("d")
        await pilot.pause()
        assert "Dry run: nothing is stored." in head(pilot)
        assert page(pilot).startswith("What it changes\n") and "France builds A1" in page(pilot)
        await pilot.press("down", "down")
        await pilot.pause()
        assert "Line 1, build A1: carried out." in page(pilot)
        await pilot.press("escape")
        await pilot.pause()
        assert "A dry run" not in head(pilot) and "carried out" not in page(pilot)
        assert at_desk.desk.folder.game.read_bytes() == before and at_desk.desk.terms.stop == 1
        await pilot.press("d", "p")
        await pilot.pause()
        assert at_desk.desk.terms.stop == 2 and "stop 2" in head(pilot)
        assert "France builds A1" in page(pilot)


async def test_without_a_dry_run_it_is_asked_and_who_is_played_by_the_caretaker_is_named(at_desk: AtDesk) -> None:
    at_desk.send("france")
    at_desk.time += timedelta(days=30)
    async with at_desk.app().run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "passed 2 days ago" in head(pilot) and "The forms can be opened." in head(pilot)
        await pilot.press("p")
        await pilot.pause()
        assert isinstance(pilot.app.screen, ConfirmDialog)
        said = " ".join(str(prose.content) for prose in pilot.app.screen.query(PlainText))
        assert "The caretaker plays for Great Britain, Germany, United States." in said
        await pilot.press("n")
        await pilot.pause()
        assert at_desk.desk.terms.stop == 1
        await pilot.press("p", "y")
        await pilot.pause()
        assert at_desk.desk.terms.stop == 2


async def test_a_deadline_is_set_in_words(at_desk: AtDesk) -> None:
    async with at_desk.app().run_test(size=(120, 40)) as pilot:
        for said in ("soon", "2026-02-01", "+3"):
            if not pilot.app.screen.query(Input):
                await pilot.press("e")
            pilot.app.screen.query_one(Input).value = said
            await pilot.press("enter")
            await pilot.pause()
            if said != "+3":
                wrong = str(pilot.app.screen.query_one("#ask-wrong", PlainText).content)
                assert "is not a time" in wrong or "That time has passed" in wrong
        assert at_desk.desk.terms.deadline.startswith("2026-04-01T12:00")
        assert "in 31 days" in head(pilot)


async def test_letters_are_carried_and_a_server_that_does_not_answer_is_told(at_desk: AtDesk) -> None:
    async with at_desk.app().run_test(size=(120, 40)) as pilot:
        for key, done in (("m", "taken: France"), ("n", "sent: 3")):
            await pilot.press(key)
            await carried(pilot)
            assert done in notices(pilot)
        at_desk.post.wrong = True
        await pilot.press("m")
        await carried(pilot)
        assert "The IMAP server does not answer." in notices(pilot) and at_desk.post.done == ["carried", "reminded"]


async def test_pauses_other_players_the_caretaker_and_an_early_look(at_desk: AtDesk) -> None:
    at_desk.send("france", "build A1")
    async with at_desk.app().run_test(size=(160, 50)) as pilot:
        await pilot.press("z")
        await pilot.pause()
        assert "Paused: deadlines are suspended." in head(pilot)
        at_desk.time += timedelta(days=40)
        await pilot.press("z")
        await pilot.pause()
        assert "in 28 days" in head(pilot)
        await pilot.press("down", "r")
        pilot.app.screen.query_one(Input).value = "Dora"
        await pilot.press("enter")
        await pilot.pause()
        assert "Great Britain (Dora)" in rows(pilot)[1] and "has a new player" in notices(pilot)
        await pilot.press("down", "down", "c", "y")
        await pilot.pause()
        assert at_desk.desk.status().missing == ("britain", "united_states")
        await pilot.press("v", "n")
        await pilot.pause()
        assert isinstance(pilot.app.screen, GamemasterScreen)
        await pilot.press("v", "y")
        await pilot.pause()
        assert "build A1" in " ".join(str(prose.content) for prose in pilot.app.screen.query(PlainText))
    at_desk.send("britain")
    at_desk.send("united_states")
    at_desk.desk.adjudicate()
    told = (at_desk.desk.folder.reports_of(2) / "public.txt").read_text()
    for words in ("was paused", "has a new player: Dora", "is played by the caretaker", "looked at the forms"):
        assert words in told


async def test_a_new_code(tmp_path: Path, home: Path) -> None:
    pytest.importorskip("nacl")
    sealed = AtDesk(tmp_path, sealed=True)
    async with sealed.app().run_test(size=(120, 40)) as pilot:
        await pilot.press("k")
        await pilot.pause()
        assert "Put the cursor on a seat first." in notices(pilot)
        await pilot.press("down", "k")
        await pilot.pause()
        assert "britain-" in notices(pilot) and pilot.app.clipboard.startswith("britain-")
    assert pilot.app.return_code in (None, 0)


@SIZES
def test_how_it_looks(at_desk: AtDesk, compare_screen: Callable[..., bool], size: tuple[int, int]) -> None:
    for seat in seats_for(4):
        at_desk.send(seat, "build A1" if seat == "france" else "")
    assert compare_screen(at_desk.app(), terminal_size=size, press=["d"])
