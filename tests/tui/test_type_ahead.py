"""Keys typed before a card, curtain, confirmation or report was visible long enough are discarded; no others."""

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

VISIBLE_S = 0.15


@pytest.fixture(autouse=True)
def usual_delay(accept_keys_at_once: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use a delay, which other tests of screens do not have."""
    monkeypatch.setattr(key_queue, "MIN_VISIBLE_S", VISIBLE_S)


class BaseScreenOfTest(Screen[None]):
    """The bottom screen: `c` opens a card, `p` two cards, `s` expects a frame that must be seen."""

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
            assert isinstance(self.app, ClockApp)
            self.app.expect_frame()
            self.query_one(Static).update("France is at the keyboard")

    def on_paste(self, event: Paste) -> None:
        """Record a paste."""
        self.heard.append(event.text)


class Card(DebouncedScreen, ModalScreen[None]):
    """A card that Enter closes; `h` opens a page over it that has no delay."""

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


class ClockApp(RenderingApp):
    """An app with a fixed clock."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 100.0
        self.keyboard.type_ahead.clock = lambda: self.now

    def on_mount(self) -> None:
        """Show the desk."""
        self.desk = BaseScreenOfTest()
        self.push_screen(self.desk)

    async def typed(self, *events: Event | str, at: float = 0.0) -> list[str]:
        """Press keys at a second counted from the start; return all handled keys."""
        for event in events:
            event = Key(event, event) if isinstance(event, str) else event
            event.time = 100.0 + at
            self.post_message(event)
        await wait_until_idle()
        await until(lambda: not self.keyboard.busy)
        await wait_until_idle()
        return self.desk.heard


async def test_keys_typed_before_a_card_are_discarded() -> None:
    app = ClockApp()
    async with app.run_test():
        assert await app.typed("a", "c", "enter", "enter", "x", Paste("no")) == ["a", "c"]
        assert isinstance(app.screen, Card)


async def test_key_counts_after_the_delay() -> None:
    app = ClockApp()
    async with app.run_test():
        await app.typed("c")
        assert await app.typed("enter", at=VISIBLE_S - 0.01) == ["c"]
        assert await app.typed("enter", "x", at=VISIBLE_S) == ["c", "card enter", "x"]


async def test_delay_starts_at_the_frame() -> None:
    app = ClockApp()
    async with app.run_test():
        app.now += 3.0  # drawing the card takes that long
        await app.typed("c")
        assert await app.typed("enter", at=3.0 + VISIBLE_S / 2) == ["c"]
        assert await app.typed("enter", at=3.0 + VISIBLE_S) == ["c", "card enter"]


async def test_early_keys_do_not_reach_the_screen_below() -> None:
    app = ClockApp()
    async with app.run_test():
        await app.typed("c")
        app.screen.dismiss()  # as by a click
        assert await app.typed("r", "r", at=VISIBLE_S / 2) == ["c"]
        assert await app.typed("r", at=VISIBLE_S) == ["c", "r"]


async def test_each_of_two_cards_has_its_delay() -> None:
    app = ClockApp()
    async with app.run_test():
        await app.typed("p")
        app.now += 1.0
        assert await app.typed("enter", "enter", "x", at=1.0) == ["p", "card enter"]
        assert isinstance(app.screen, Card)
        assert await app.typed("enter", at=1.0 + VISIBLE_S) == ["p", "card enter", "card enter"]
        assert app.screen is app.desk


async def test_card_that_reappears_has_a_new_delay() -> None:
    app = ClockApp()
    async with app.run_test():
        await app.typed("c")
        app.now += 1.0
        assert await app.typed("h", "x", "enter", at=1.0) == ["c", "card h"]
        assert isinstance(app.screen, Card)


async def test_expected_frame_also_has_a_delay() -> None:
    app = ClockApp()
    async with app.run_test():
        assert await app.typed("s", "r", "r") == ["s"]
        assert await app.typed("r", at=VISIBLE_S) == ["s", "r"]


async def test_keys_are_not_blocked_without_a_frame() -> None:
    app = ClockApp()
    async with app.run_test():
        await app.typed("a")
        app.expect_frame()
        assert await app.typed("b", at=VISIBLE_S) == ["a", "b"]


async def test_other_screens_discard_no_keys() -> None:
    app = ClockApp()
    async with app.run_test():
        app.push_screen(Page())
        assert await app.typed("x", "a", "b") == ["a", "b"]


async def test_garbage_is_collected_only_between_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """A full collection takes as long as a key may take, so it must run while no key is pressed."""
    monkeypatch.setattr(key_queue, "GC_FULL_IDLE_S", 0.05)
    monkeypatch.setattr(key_queue, "GC_OLD_ROUNDS", -1)
    monkeypatch.setattr(key_queue, "GC_YOUNG_OBJECTS", -1)
    before, collected = gc.get_threshold(), list[int]()
    monkeypatch.setattr(key_queue.gc, "collect", lambda generation=2: collected.append(generation) or 0)
    async with ClockApp().run_test() as pilot:
        assert gc.get_threshold() == (*before[:2], key_queue.GC_NEVER)
        await until(lambda: len(collected) == 2)
        await wait_until_idle()
        assert collected == [1, 2], "the young generation at once, everything after a pause, then nothing"
        await pilot.press("x", "x")
        await until(lambda: len(collected) > 2)
    assert gc.get_threshold() == before
