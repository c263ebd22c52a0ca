"""`tools.monkey` finds faults. `.ci/run` types thousands of keys, these tests a few hundred."""

from __future__ import annotations

import asyncio

import pytest

from paxtui.session.pax_host import PaxHost
from paxtui.tui.game.view import ViewController
from paxtui.tui.rendering.key_queue import KeyQueue
from tools.monkey import pty
from tools.monkey.in_process import Fault, Result, visit
from tools.monkey.run import compare, run_visit
from tools.monkey.typing import Burst, bursts, key, typed


def test_visit_with_random_keys() -> None:
    result = run_visit("movement-1-0")
    assert len(result.heard) + result.dropped > 100 and "GameScreen" in result.screens


@pytest.mark.parametrize("end", pty.ENDS)
def test_random_bytes_and_each_end_of_the_program(end: str) -> None:
    pty.visit("menu", [Burst(0.0, (key("down"),))] * 12, "1", end, garbage=1.0)


def test_same_seed_types_the_same_keys() -> None:
    assert bursts("menu-1-2", 100) == bursts("menu-1-2", 100) != bursts("menu-1-3", 100)


def test_traceback_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ViewController, "action_zoom", lambda self: {}["zoom"])
    with pytest.raises(KeyError):
        asyncio.run(visit("menu", [Burst(0.0, typed("z"))]))


def test_caught_internal_error_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PaxHost, "play", lambda *args: {}["play"])
    with pytest.raises(Fault, match="Internal error"):
        asyncio.run(visit("movement", [Burst(0.0, typed(" :ready\r"))]))


def test_empty_screen_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def hide_all(view: ViewController) -> None:
        for widget in view.screen.query("*"):
            widget.visible = False

    monkeypatch.setattr(ViewController, "action_zoom", hide_all)
    with pytest.raises(Fault, match="shows nothing"):
        asyncio.run(visit("menu", [Burst(0.0, typed("z"))]))


def test_program_that_does_not_exit_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    put = KeyQueue.put
    monkeypatch.setattr(KeyQueue, "put", lambda self, event: None if event.key == "ctrl+q" else put(self, event))
    with pytest.raises(Fault, match="ctrl\\+q"):
        asyncio.run(visit("menu", [Burst(0.0, (key("z"),))]))


def test_different_logs_are_found() -> None:
    with pytest.raises(Fault, match="line 2"):
        compare(Result(logs={"a": ["1", "2"]}), Result(logs={"a": ["1", "3"]}))
    with pytest.raises(Fault, match="2 lines typed at once"):
        compare(Result(logs={"a": ["1", "2"]}), Result(logs={"a": ["1"]}))
    with pytest.raises(Fault, match="other games"):
        compare(Result(logs={"a": []}), Result(logs={}))


def test_key_too_early_for_a_card_is_not_repeated() -> None:
    result = asyncio.run(visit("settings", [Burst(0.0, typed("rr")), Burst(1.0, typed("hr"))]))
    assert (result.dropped, [stroke.name for stroke in result.heard]) == (1, ["r", "h", "r"])
