"""Screens that are prepared while no key is pressed equal those built by their key."""

from __future__ import annotations

import sys
from asyncio import get_running_loop, sleep
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from textual._context import visible_screen_stack
from textual.app import App, ComposeResult
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode
from textual.events import Key
from textual.widgets import Static

from paxtui.tui.app import PaxApp
from paxtui.tui.dialogs.area_menu import AreaMenu
from paxtui.tui.game.screen import GameScreen
from paxtui.tui.rendering import key_queue
from paxtui.tui.rendering.app import CachedStylesheet
from paxtui.tui.rendering.key_queue import LONG_REST, KeyQueue
from tests.tui.playing import open_log, press, start_at
from tests.waiting import until

POSITION = {"phase": "movement", "powers": {"britain": {"treasury": 60}}}
KEYS = ("enter", "t", "l", "e", "i", "F", "d", "B", "W", "f1", "f2", "f3", "f4", "f5", "ctrl+p")


@pytest.fixture
def app(home: Path) -> PaxApp:
    """A Movement Phase on the main screen."""
    return start_at(home, POSITION)


async def prepare(app: PaxApp, steps: int = 1_000_000) -> None:
    """Run a number of preparation steps."""
    game = app.screen
    assert isinstance(game, GameScreen)
    game.prepares_screens = True
    for _, _ in zip(range(steps), game.work_at_rest(), strict=False):
        await sleep(0)


def frame(app: PaxApp) -> list[str]:
    """Return the text of the screen."""
    app.screen.query("Input").set(disabled=True)  # their cursors blink
    visible_screen_stack.set(app.screen_stack[:-1])  # shown behind a dialog
    return [strip.text for strip in app.screen._compositor.render_strips()]


async def test_prepared_screen_equals_the_unprepared_one(app: PaxApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        shown = {}
        for key in KEYS:
            opened = await press(pilot, key)
            shown[key] = type(opened), opened.focused and opened.focused.id, frame(app)
            await press(pilot, "escape")
        for key in KEYS:
            await prepare(app)
            waiting = {id(each.screen) for each in app.prepared._prepared.values()}
            opened = await press(pilot, key)
            assert id(opened) in waiting, key
            assert (type(opened), opened.focused and opened.focused.id, frame(app)) == shown[key], key
            await press(pilot, "escape")
            assert not opened.is_running


async def test_prepared_screen_opens_without_new_styles(app: PaxApp, monkeypatch: pytest.MonkeyPatch) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await prepare(app)
        styled: list[DOMNode] = []
        apply = CachedStylesheet.apply

        def noting(self: CachedStylesheet, node: DOMNode, **named: Any) -> None:
            styled.append(node)
            apply(self, node, **named)

        monkeypatch.setattr(CachedStylesheet, "apply", noting)
        for key in KEYS:
            styled.clear()
            opened = await press(pilot, key)
            own = [node for node in styled if isinstance(node, DOMNode) and opened in node.ancestors_with_self]
            assert not own, (key, own)
            await press(pilot, "escape")


async def test_prepared_screen_is_outdated_by_changes(app: PaxApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await prepare(app)
        outdated = app.prepared._prepared["menu"].screen
        game = app.screen
        assert isinstance(game, GameScreen)
        game.view.map.cursor = "egypt"
        assert isinstance(await press(pilot, "enter"), AreaMenu) and app.screen is not outdated
        assert "Egypt" in "\n".join(frame(app))
        await press(pilot, "escape")
        await prepare(app)
        sheet = app.prepared._prepared["sheet"].screen
        game.session.take_seat("france")
        await pilot.pause()
        while not isinstance(app.screen, GameScreen):
            await press(pilot, "escape")
        assert await press(pilot, "e") is not sheet and "France" in "\n".join(frame(app))
        await press(pilot, "escape")
        await prepare(app)
        charts, settings = (app.prepared._prepared[name].screen for name in ("statistics", "settings"))
        app.settings = replace(app.settings, palette="mono")
        assert await press(pilot, "i") is not charts
        await press(pilot, "escape")
        await pilot.resize_terminal(80, 24)
        assert await press(pilot, "f4") is not settings


async def test_half_built_screen_can_be_opened(app: PaxApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        whole = await press(pilot, "enter"), frame(app)
        await press(pilot, "escape")
        for steps in (1, 3, 6, 9):
            await prepare(app, steps)
            assert type(await press(pilot, "enter")) is type(whole[0])
            assert frame(app) == whole[1], steps
            await press(pilot, "escape")


async def test_interrupted_preparation_is_finished_later(app: PaxApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        game = app.screen
        assert isinstance(game, GameScreen)
        for _ in range(600):
            await prepare(app, 4)
        assert list(game.work_at_rest()) == [LONG_REST]
        waiting = {name: each.screen for name, each in app.prepared._prepared.items()}
        assert {"menu", "log", "treaties", "palette", "keys"} <= waiting.keys()
        for name, screen in waiting.items():
            assert screen.is_running and screen._compositor.size == app.size, name


async def test_maps_of_the_neighbouring_lines_are_prepared(home: Path) -> None:
    app = open_log(home)
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.pause()
        for pressed in ("left_square_bracket", "left_square_bracket", "right_square_bracket", "right_square_bracket"):
            await prepare(app)
            game = app.screen
            assert isinstance(game, GameScreen) and game.view.map.canvas is not None
            composed, line = game.view.map.canvas.composed, game.session.line
            await press(pilot, pressed)
            assert abs(game.session.line - line) == 1
            assert game.view.map.canvas.composed == composed, pressed


async def test_preparation_stops_at_a_key_and_resumes() -> None:
    worked: list[int] = []
    queue: KeyQueue

    def work() -> Iterator[object]:
        for n in range(3):
            if n == 1 and not worked[1:]:
                queue.put(Key("x", "x"))
            worked.append(n)
            yield n

    class Words(App[int]):
        def compose(self) -> ComposeResult:
            yield Static("one")

    app = Words()
    heard: list[object] = []

    async def hear(event: object) -> None:
        heard.append(event)
        assert worked == [0, 1], "the third step waits"

    async with app.run_test():
        queue = KeyQueue(app, hear, work)
        worker = app.run_worker(queue.work(), group="keyboard")
        await until(lambda: worked == [0, 1, 0, 1, 2])
        assert len(heard) == 1
        queue.rest_again()
        await until(lambda: len(worked) == 8)
        worker.cancel()


async def test_long_rest_is_ended_by_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    worked: list[str] = []
    queue: KeyQueue

    def work() -> Iterator[str]:
        worked.append("first")
        if len(worked) == 1:
            get_running_loop().call_later(0.05, queue.put, Key("x", "x"))
        yield LONG_REST
        worked.append("second")
        yield "second"

    heard: list[object] = []

    async def hear(event: object) -> None:
        heard.append(event)
        assert worked == ["first"], "the second step waits for a longer rest"
        monkeypatch.setattr(key_queue, "LONG_REST_S", 0.01)

    monkeypatch.setattr(key_queue, "LONG_REST_S", 600.0)
    app: App[int] = App()
    async with app.run_test():
        queue = KeyQueue(app, hear, work)
        worker = app.run_worker(queue.work(), group="keyboard")
        await until(lambda: worked == ["first", "first", "second"])
        assert len(heard) == 1
        worker.cancel()


async def test_threads_take_turns_quickly_while_keys_are_handled(app: PaxApp) -> None:
    before = sys.getswitchinterval()
    async with app.run_test() as pilot:
        await pilot.pause()
        assert sys.getswitchinterval() == pytest.approx(key_queue.SWITCH_S)
    assert sys.getswitchinterval() == pytest.approx(before)


async def test_prepared_screens_write_nothing(app: PaxApp, monkeypatch: pytest.MonkeyPatch) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        written: list[str] = []
        assert app._driver is not None
        monkeypatch.setattr(app._driver, "write", written.append)
        await prepare(app)
        await pilot.pause()
        assert not written
        app._set_pointer_shape("text")
        app._set_pointer_shape("text")
        app._set_pointer_shape("default")
        assert written == ["\x1b]22;text\x07", "\x1b]22;default\x07"]


async def test_cached_styles_equal_those_of_textual(app: PaxApp, monkeypatch: pytest.MonkeyPatch) -> None:
    apply = CachedStylesheet.apply
    applied: list[str] = []

    def both(self: CachedStylesheet, node: DOMNode, **named: Any) -> None:
        flags = ("_has_hover_style", "_has_focus_within", "_has_order_style", "_has_odd_or_even")
        apply(self, node, **named)
        ours = dict(node.styles.base.get_rules()), [getattr(node, name) for name in flags]
        Stylesheet.apply(self, node)
        assert ours == (dict(node.styles.base.get_rules()), [getattr(node, name) for name in flags]), node
        applied.append(type(node).__name__)

    monkeypatch.setattr(CachedStylesheet, "apply", both)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        for key in ("enter", "t", "f4", "f2", "slash"):
            await press(pilot, key, "escape")
        app.settings = replace(app.settings, palette="mono")
        await press(pilot, "enter", "escape")
    assert {"ChoiceList", "AreaMenu", "Input", "ScrollBar"} <= set(applied)
