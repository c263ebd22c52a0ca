"""Keys typed faster than the screen can follow do what the same keys typed slowly do."""

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

NAMED = {"\r": "enter", "\x1b": "escape", " ": "space", ":": "colon", "/": "slash", ">": "greater_than_sign"}
PATCH = {"phase": "movement", "powers": {"britain": {"treasury": 60}, "france": {"treasury": 60}}}


def new_game(path: Path) -> Path:
    """A game in the Movement/Status Change Phase with money."""
    with PaxHost.new(load_tables(), seats_for(7), "7", {}, path=path, undo="free") as table:
        table.act("arbiter", {"type": "set_position", "patch": PATCH})
    return path


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Its log, with the player's directory beside it."""
    monkeypatch.setenv("PAXTUI_HOME", str(tmp_path))
    return new_game(tmp_path / "game.jsonl")


def keys_of(text: str) -> list[Key]:
    """The keys that type a text."""
    return [Key(NAMED.get(c, c), c if c.isprintable() else None) for c in text]


async def burst(pilot: Any, text: str) -> None:
    """Type a text with no time between its keys."""
    for key in keys_of(text):
        pilot.app.post_message(key)
    await pilot.pause()
    while pilot.app.keyboard.busy:
        await pilot.pause(0.02)


def acts(path: Path) -> list[object]:
    """What was done, line by line."""
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
        await burst(pilot, text)
    fast = acts(log)
    slowly = new_game(tmp_path / "slow.jsonl")
    async with PaxApp(path=slowly, settings=Settings()).run_test(size=(120, 40)) as pilot:
        for n in range(len(text)):
            await burst(pilot, text[n])
    assert fast == acts(slowly) and len(fast) > 1


async def test_the_articles_of_a_treaty_are_typed_at_once(log: Path) -> None:
    async with PaxApp(path=log, settings=Settings()).run_test(size=(120, 40)) as pilot:
        await burst(pilot, "tnafrance pays britain 5\rabritain pays france 4\ranon-aggression\r")
        editor = pilot.app.screen
        assert isinstance(editor, TreatyEditor) and len(editor.clauses) == 3


def test_a_burst_reaches_the_program_whole(tmp_path: Path) -> None:
    log = new_game(tmp_path / "game.jsonl")
    screen = Terminal(tmp_path, "play", str(log), columns=120, rows=40)
    try:
        screen.wait("PAX BRITANNICA", "saved")
        screen.type(TYPED[2])
        screen.wait("line 4")
    finally:
        screen.close()
    assert [seat for seat, _ in acts(log)] == ["arbiter", "france", "britain"]


class Slow(Screen[None]):
    """A screen with a key that waits for something."""

    AUTO_FOCUS = ""
    BINDINGS = [Binding("x", "wait", "Wait"), Binding("o", "open", "Open")]

    def __init__(self) -> None:
        super().__init__()
        self.gate = asyncio.Event()
        self.done: list[str] = []

    def compose(self) -> ComposeResult:
        """A line to write in, shut."""
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
        """Open the line, later than at once."""
        self.query_one(Input).display = True
        self.call_later(lambda: self.call_later(lambda: self.query_one(Input).focus()))

    def on_key(self, event: Key) -> None:
        """Every other key."""
        self.done.append(event.key)


class Desk(RenderingApp):
    """An app with that screen."""

    def on_mount(self) -> None:
        """Show it."""
        self.push_screen(Slow())


async def press_all(app: Desk, keys: Sequence[str]) -> None:
    """Press keys with no time between them, and give them time."""
    for key in keys:
        app.post_message(Key(key, key))
    await wait_until_idle()


async def test_what_a_key_sets_going_ends_before_the_next_key() -> None:
    app = Desk()
    async with app.run_test():
        screen = app.screen
        assert isinstance(screen, Slow)
        await press_all(app, ["a", "x", "b"])
        assert screen.done == ["a", "x", "begun"]
        screen.gate.set()
        await until(lambda: not app.keyboard.busy)
        assert screen.done == ["a", "x", "begun", "ended", "b"]
        await press_all(app, ["o", *"letters"])
        await until(lambda: screen.query_one(Input).value == "letters")


async def test_a_key_that_never_ends_does_not_shut_the_others_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(key_queue, "KEY_TIMEOUT_S", 0.05)
    app = Desk()
    async with app.run_test():
        screen = app.screen
        assert isinstance(screen, Slow)
        await press_all(app, ["x", "b"])
        await until(lambda: screen.done == ["x", "begun", "b"])
        screen.gate.set()


async def test_time_in_which_nothing_could_go_on_is_no_patience_spent(monkeypatch: pytest.MonkeyPatch) -> None:
    times = (100.0 * n for n in count())  # a machine so busy, or so sleepy, that each look is 100 seconds later
    monkeypatch.setattr(key_queue, "monotonic", lambda: next(times))
    app = Desk()
    async with app.run_test():
        app.post_message(Key("o", "o"))
        for key in "letters":
            app.post_message(Key(key, key))
        await until(lambda: app.screen.query_one(Input).value == "letters")


async def test_a_paste_waits_its_turn() -> None:
    app = Desk()
    async with app.run_test():
        app.post_message(Key("o", "o"))
        app.post_message(Paste("pasted"))
        await until(lambda: app.screen.query_one(Input).value == "pasted")


@pytest.mark.parametrize("keys", ["4", "5", "z" * 2])
async def test_what_is_hidden_loses_the_keys_before_the_next_frame(log: Path, keys: str) -> None:
    async with PaxApp(path=log, settings=Settings()).run_test(size=(80, 24)) as pilot:
        screen, actions = pilot.app.screen, {"4": "pane', 'treaties", "5": "pane', 'log", "z": "zoom"}
        for key in keys:
            await screen.run_action(f"view('{actions[key]}')")
        assert screen.focused is None


class Later(Screen[None]):
    """`a` does something after the next frame."""

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


async def test_a_key_waits_for_what_the_last_one_does_after_its_frame(monkeypatch):
    """A game opens with reports after its first frame: the next keys are for them, not for the game."""
    monkeypatch.setattr("textual.screen.UPDATE_PERIOD", 0.2)  # frames come slowly, as on a busy machine
    app = RenderingApp()
    async with app.run_test() as pilot:
        later = Later()
        await app.push_screen(later)
        await burst(pilot, "ab")
        await until(lambda: len(later.heard) == 3)
        assert later.heard == ["a", "after a", "b"]
