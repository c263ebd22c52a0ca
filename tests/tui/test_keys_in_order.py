"""Fast keys have the same effect as slow keys."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from textual.app import ComposeResult
from textual.binding import Binding
from textual.events import Key, Paste
from textual.screen import Screen
from textual.widgets import Input, Static

from paxtui.games.pax.position.setup import seats_for
from paxtui.session.pax_host import PaxHost
from paxtui.session.tables.loader import load_tables
from paxtui.tui.app import PaxApp
from paxtui.tui.base.settings import Settings
from paxtui.tui.diplomacy.treaty_editor import TreatyEditor
from paxtui.tui.rendering import key_queue
from paxtui.tui.rendering.app import RenderingApp
from tests.idle import wait_until_idle
from tests.tui.terminal import Terminal
from tests.waiting import until

KEY_NAMES = {"\r": "enter", "\x1b": "escape", " ": "space", ":": "colon", "/": "slash", ">": "greater_than_sign"}
PATCH = {"phase": "movement", "powers": {"britain": {"treasury": 60}, "france": {"treasury": 60}}}


def new_game(path: Path) -> Path:
    """A game in the Movement/Status Change Phase with money."""
    with PaxHost.new(load_tables(), seats_for(7), "7", {}, path=path, undo="free") as table:
        table.act("arbiter", {"type": "set_position", "patch": PATCH})
    return path


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The log of a new game in the player's directory."""
    monkeypatch.setenv("PAXTUI_HOME", str(tmp_path))
    return new_game(tmp_path / "game.jsonl")


def keys_of(text: str) -> list[Key]:
    """Return the keys that type a text."""
    return [Key(KEY_NAMES.get(c, c), c if c.isprintable() else None) for c in text]


async def type_at_once(pilot: Any, text: str) -> None:
    """Type a text without pauses."""
    for key in keys_of(text):
        pilot.app.post_message(key)
    await pilot.pause()
    while pilot.app.keyboard.busy:
        await pilot.pause(0.02)


def acts_in(path: Path) -> list[object]:
    """Return seat and action of each line of a log."""
    with PaxHost.open(path, write=False) as table:
        return [(line.seat, line.action) for line in table.game.lines]


TYPED = (
    ":place interest egypt\r:place interest siam\r",
    "/egy\r\rb/sia\r\ra",
    ":seat france\r/egy\r\ra:seat britain\rh/mad\r\ra",
    ":seat italy\r:seat japan\rr",
    ":place protectorate egypt\rhv/egy\r\r",
    "/egy\r\r\x1b:place interest siam\ru:redo\r",
)


@pytest.mark.parametrize("text", TYPED)
async def test_fast_and_slow_typing_give_the_same_log(
    log: Path, tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with PaxApp(path=log, settings=Settings()).run_test(size=(120, 40)) as pilot:
        await type_at_once(pilot, text)
    fast = acts_in(log)
    slowly = new_game(tmp_path / "slow.jsonl")
    async with PaxApp(path=slowly, settings=Settings()).run_test(size=(120, 40)) as pilot:
        for n in range(len(text)):
            await type_at_once(pilot, text[n])
    assert fast == acts_in(slowly) and len(fast) > 1


async def test_articles_can_be_typed_at_once(log: Path) -> None:
    async with PaxApp(path=log, settings=Settings()).run_test(size=(120, 40)) as pilot:
        await type_at_once(pilot, "tnafrance pays britain 5\rabritain pays france 4\ranon-aggression\r")
        editor = pilot.app.screen
        assert isinstance(editor, TreatyEditor) and len(editor.clauses) == 3


def test_keys_typed_at_once_reach_the_program(tmp_path: Path) -> None:
    log = new_game(tmp_path / "game.jsonl")
    screen = Terminal(tmp_path, "play", str(log), columns=120, rows=40)
    try:
        screen.wait("PAX BRITANNICA", "saved")
        screen.type(TYPED[2])
        screen.wait("line 4")
    finally:
        screen.close()
    assert [seat for seat, _ in acts_in(log)] == ["arbiter", "france", "britain"]


class SlowScreen(Screen[None]):
    """A screen with an action that waits for an event."""

    AUTO_FOCUS = ""
    BINDINGS = [Binding("x", "wait", "Wait"), Binding("o", "open", "Open")]

    def __init__(self) -> None:
        super().__init__()
        self.gate = asyncio.Event()
        self.done: list[str] = []

    def compose(self) -> ComposeResult:
        """A text and a hidden input."""
        line = Input()
        line.display = False
        yield Static("slow")
        yield line

    async def action_wait(self) -> None:
        """Wait."""
        self.done.append("begun")
        await self.gate.wait()
        self.done.append("ended")

    def action_open(self) -> None:
        """Show the input, and focus it later."""
        self.query_one(Input).display = True
        self.call_later(lambda: self.call_later(lambda: self.query_one(Input).focus()))

    def on_key(self, event: Key) -> None:
        """Every other key."""
        self.done.append(event.key)


class SlowApp(RenderingApp):
    """An app with that screen."""

    def on_mount(self) -> None:
        """Show it."""
        self.push_screen(SlowScreen())


async def press_all(app: SlowApp, keys: Sequence[str]) -> None:
    """Press keys without pauses, and wait until the app is idle."""
    for key in keys:
        app.post_message(Key(key, key))
    await wait_until_idle()


async def test_action_ends_before_the_next_key() -> None:
    app = SlowApp()
    async with app.run_test():
        screen = app.screen
        assert isinstance(screen, SlowScreen)
        await press_all(app, ["a", "x", "b"])
        assert screen.done == ["a", "x", "begun"]
        screen.gate.set()
        await until(lambda: not app.keyboard.busy)
        assert screen.done == ["a", "x", "begun", "ended", "b"]
        await press_all(app, ["o", *"letters"])
        await until(lambda: screen.query_one(Input).value == "letters")


async def test_endless_action_does_not_block_other_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(key_queue, "KEY_TIMEOUT_S", 0.05)
    app = SlowApp()
    async with app.run_test():
        screen = app.screen
        assert isinstance(screen, SlowScreen)
        await press_all(app, ["x", "b"])
        await until(lambda: screen.done == ["x", "begun", "b"])
        screen.gate.set()


async def test_suspended_time_does_not_count_for_the_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    times = (100.0 * n for n in count())  # each call of the clock is 100 seconds later
    monkeypatch.setattr(key_queue, "monotonic", lambda: next(times))
    app = SlowApp()
    async with app.run_test():
        app.post_message(Key("o", "o"))
        for key in "letters":
            app.post_message(Key(key, key))
        await until(lambda: app.screen.query_one(Input).value == "letters")


async def test_paste_waits_for_earlier_keys() -> None:
    app = SlowApp()
    async with app.run_test():
        app.post_message(Key("o", "o"))
        app.post_message(Paste("pasted"))
        await until(lambda: app.screen.query_one(Input).value == "pasted")


@pytest.mark.parametrize("keys", ["4", "5", "z" * 2])
async def test_hidden_widget_loses_focus_before_the_next_frame(log: Path, keys: str) -> None:
    async with PaxApp(path=log, settings=Settings()).run_test(size=(80, 24)) as pilot:
        screen, actions = pilot.app.screen, {"4": "pane', 'treaties", "5": "pane', 'log", "z": "zoom"}
        for key in keys:
            await screen.run_action(f"view('{actions[key]}')")
        assert screen.focused is None


class LaterScreen(Screen[None]):
    """A screen on which `a` does something after the next frame."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[str] = []

    def compose(self) -> ComposeResult:
        """A text, which `a` changes."""
        yield Static("text")

    def on_key(self, event: Key) -> None:
        """Every key."""
        self.heard.append(event.key)
        if event.key == "a":
            self.query_one(Static).update("new text")
            self.call_after_refresh(self.heard.append, "after a")


async def test_key_waits_for_callbacks_after_the_frame(monkeypatch):
    """A game opens reports after its first frame: the next keys are for them."""
    monkeypatch.setattr("textual.screen.UPDATE_PERIOD", 0.2)  # frames come slowly, as on a busy machine
    app = RenderingApp()
    async with app.run_test() as pilot:
        later = LaterScreen()
        await app.push_screen(later)
        await type_at_once(pilot, "ab")
        await until(lambda: len(later.heard) == 3)
        assert later.heard == ["a", "after a", "b"]
