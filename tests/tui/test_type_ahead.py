"""What was typed before a card, curtain, confirmation or report could be read is thrown away, and nothing else."""

from __future__ import annotations

import gc

import pytest
from textual.app import ComposeResult
from textual.events import Event, Key, Paste
from textual.screen import ModalScreen, Screen
from textual.widgets import Static

from paxtui.tui.rendering import key_queue
from paxtui.tui.rendering.app import RenderingApp
from paxtui.tui.rendering.key_queue import DebouncedScreen
from tests.idle import wait_until_idle
from tests.waiting import until

SEEN = 0.15


@pytest.fixture(autouse=True)
def slow_eyes(accept_keys_at_once: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player needs his time."""
    monkeypatch.setattr(key_queue, "MIN_VISIBLE_S", SEEN)


class Desk(Screen[None]):
    """What lies behind; `c` brings a card, `p` a card over a card, `s` says something that must be seen."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[str] = []

    def compose(self) -> ComposeResult:
        """A text."""
        yield Static("desk")

    def on_key(self, event: Key) -> None:
        """Every key."""
        self.heard.append(event.key)
        if event.key in ("c", "p"):
            self.app.push_screen(Card(self.heard))
        if event.key == "p":
            self.app.push_screen(Card(self.heard))
        if event.key == "s":
            assert isinstance(self.app, Table)
            self.app.expect_frame()
            self.query_one(Static).update("France is at the keyboard")

    def on_paste(self, event: Paste) -> None:
        """What is pasted."""
        self.heard.append(event.text)


class Card(DebouncedScreen, ModalScreen[None]):
    """A card that Enter takes away; `h` puts a page over it that need not be seen."""

    def __init__(self, heard: list[str]) -> None:
        super().__init__()
        self.heard = heard

    def compose(self) -> ComposeResult:
        """A text."""
        yield Static("card")

    def on_key(self, event: Key) -> None:
        """Every key."""
        self.heard.append(f"card {event.key}")
        if event.key == "enter":
            self.dismiss()
        if event.key == "h":
            self.app.push_screen(Page())


class Page(ModalScreen[None]):
    """A page that any key closes."""

    def compose(self) -> ComposeResult:
        """A text."""
        yield Static("page")

    def on_key(self, event: Key) -> None:
        """Every key."""
        self.dismiss()


class Table(RenderingApp):
    """An app whose clock stands still."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 100.0
        self.keyboard.type_ahead.clock = lambda: self.now

    def on_mount(self) -> None:
        """Show the desk."""
        self.desk = Desk()
        self.push_screen(self.desk)

    async def typed(self, *events: Event | str, at: float = 0.0) -> list[str]:
        """Type keys at once, at a second counted from the beginning; what has been heard then."""
        for event in events:
            event = Key(event, event) if isinstance(event, str) else event
            event.time = 100.0 + at
            self.post_message(event)
        await wait_until_idle()
        await until(lambda: not self.keyboard.busy)
        await wait_until_idle()
        return self.desk.heard


async def test_a_burst_ends_at_the_card() -> None:
    app = Table()
    async with app.run_test():
        assert await app.typed("a", "c", "enter", "enter", "x", Paste("no")) == ["a", "c"]
        assert isinstance(app.screen, Card)


async def test_a_key_counts_when_the_card_has_been_in_sight_long_enough() -> None:
    app = Table()
    async with app.run_test():
        await app.typed("c")
        assert await app.typed("enter", at=SEEN - 0.01) == ["c"]
        assert await app.typed("enter", "x", at=SEEN) == ["c", "card enter", "x"]


async def test_the_time_counts_from_the_frame_and_not_from_the_key() -> None:
    app = Table()
    async with app.run_test():
        app.now += 3.0  # so long does it take to draw the card
        await app.typed("c")
        assert await app.typed("enter", at=3.0 + SEEN / 2) == ["c"]
        assert await app.typed("enter", at=3.0 + SEEN) == ["c", "card enter"]


async def test_what_was_too_early_does_not_reach_what_lies_behind() -> None:
    app = Table()
    async with app.run_test():
        await app.typed("c")
        app.screen.dismiss()  # a click has taken it away
        assert await app.typed("r", "r", at=SEEN / 2) == ["c"]
        assert await app.typed("r", at=SEEN) == ["c", "r"]


async def test_each_of_two_cards_is_seen() -> None:
    app = Table()
    async with app.run_test():
        await app.typed("p")
        app.now += 1.0
        assert await app.typed("enter", "enter", "x", at=1.0) == ["p", "card enter"]
        assert isinstance(app.screen, Card)
        assert await app.typed("enter", at=1.0 + SEEN) == ["p", "card enter", "card enter"]
        assert app.screen is app.desk


async def test_a_card_that_comes_back_into_sight_is_seen_anew() -> None:
    app = Table()
    async with app.run_test():
        await app.typed("c")
        app.now += 1.0
        assert await app.typed("h", "x", "enter", at=1.0) == ["c", "card h"]
        assert isinstance(app.screen, Card)


async def test_what_is_said_without_a_screen_is_seen_too() -> None:
    app = Table()
    async with app.run_test():
        assert await app.typed("s", "r", "r") == ["s"]
        assert await app.typed("r", at=SEEN) == ["s", "r"]


async def test_where_nothing_is_drawn_keys_are_not_shut_out() -> None:
    app = Table()
    async with app.run_test():
        await app.typed("a")
        app.expect_frame()
        assert await app.typed("b", at=SEEN) == ["a", "b"]


async def test_other_screens_lose_no_key() -> None:
    app = Table()
    async with app.run_test():
        app.push_screen(Page())
        assert await app.typed("x", "a", "b") == ["a", "b"]


async def test_garbage_is_collected_between_keys_and_never_while_they_come(monkeypatch: pytest.MonkeyPatch) -> None:
    """The collector goes through a game for as long as a key may take at most: it has to do so while nobody types."""
    monkeypatch.setattr(key_queue, "GC_FULL_IDLE_S", 0.05)
    monkeypatch.setattr(key_queue, "GC_OLD_ROUNDS", -1)
    monkeypatch.setattr(key_queue, "GC_YOUNG_OBJECTS", -1)
    before, collected = gc.get_threshold(), list[int]()
    monkeypatch.setattr(key_queue.gc, "collect", lambda generation=2: collected.append(generation) or 0)
    async with Table().run_test() as pilot:
        assert gc.get_threshold() == (*before[:2], key_queue.GC_NEVER)
        await until(lambda: len(collected) == 2)
        await wait_until_idle()
        assert collected == [1, 2], "the youngest at once, all of it after a rest, and then nothing any more"
        await pilot.press("x", "x")
        await until(lambda: len(collected) > 2)
    assert gc.get_threshold() == before
