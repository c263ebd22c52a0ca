"""A remote player who types nothing for hours is warned, and then disconnected."""

from __future__ import annotations

import asyncio
import os

import pytest

from paxtui.cli.hosting import remote_plain, remote_screen
from paxtui.cli.hosting.remote_plain import LineTerminal
from paxtui.cli.hosting.remote_screen import SeatApp
from paxtui.cli.runtime import IDLE_ENDED, IDLE_LIMIT_S, IDLE_WARNING, IDLE_WARNING_S, IdleTimer
from paxtui.engine.refusal import Refusal
from paxtui.server import ssh_session
from paxtui.server.ssh_session import SessionSetup
from paxtui.tui.base.settings import Settings


class Clock:
    """A monotonic clock that the test moves."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_idle_timer_warns_once_and_restarts_at_a_key() -> None:
    clock = Clock()
    patience = IdleTimer(clock)
    clock.now = IDLE_LIMIT_S - IDLE_WARNING_S - 1
    assert not patience.warns() and not patience.over
    clock.now += 1
    assert patience.warns() and not patience.warns()
    patience.typed()
    clock.now += IDLE_WARNING_S
    assert not patience.over and not patience.warns()
    clock.now += IDLE_LIMIT_S
    assert patience.over


async def test_idle_player_is_warned_on_the_screen(running, home) -> None:
    clock = Clock()
    settings = Settings(reports="none", remind=False, animation=False)
    app = SeatApp(running.session("france"), settings, patience=IdleTimer(clock))
    async with app.run_test(size=(100, 30)) as pilot:
        clock.now = IDLE_LIMIT_S - IDLE_WARNING_S - 1  # the app also checks by itself, perhaps before it has the key
        await pilot.press("2")
        app._look_after_connection()
        clock.now += IDLE_LIMIT_S - IDLE_WARNING_S - 1
        app._look_after_connection()
        await pilot.pause()
        assert app.return_code is None and not app._notifications
        clock.now += 1
        app._look_after_connection()
        await pilot.pause()
        assert IDLE_WARNING in [note.message for note in app._notifications]
        clock.now += IDLE_WARNING_S
        app._look_after_connection()
        await pilot.pause()
    assert app.return_code == 0


async def test_closed_screen_is_garbage_collected(running, home, monkeypatch) -> None:
    collected = []
    settings = Settings(reports="none", remind=False, animation=False)
    app = SeatApp(running.session("france"), settings, patience=IdleTimer())

    def everything(generation: int = 2) -> None:
        if generation == 2:  # young objects are collected after each key
            collected.append(len(app.screen_stack))

    async with app.run_test(size=(100, 30)) as pilot:
        monkeypatch.setattr(remote_screen.gc, "collect", everything)
        app._look_after_connection()
        await pilot.press("t")
        app._look_after_connection()
        assert not collected and len(app.screen_stack) == 3
        await pilot.press("escape")
        app._look_after_connection()
        app._look_after_connection()
        assert collected == [2]


def test_idle_player_is_warned_in_plain_mode(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote_plain, "RETRY_S", 0.0)
    clock = Clock()
    (keys, typing), (seen, shown) = os.pipe(), os.pipe()
    lines = LineTerminal(keys, shown, IdleTimer(clock))
    clock.now = IDLE_LIMIT_S - IDLE_WARNING_S
    os.write(typing, b"what\n")
    assert lines.line() == "what" and not lines.over  # a key in time
    rounds = 0

    def come() -> None:
        nonlocal rounds
        rounds += 1
        clock.now += IDLE_LIMIT_S - IDLE_WARNING_S

    assert lines.line(on_data=come) == "" and lines.over and rounds == 2
    assert os.read(seen, 4096).decode().split("\n") == ["", IDLE_WARNING, "", IDLE_ENDED, ""]
    for descriptor in (keys, typing, seen, shown):
        os.close(descriptor)


async def test_waiting_for_a_code_times_out(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    monkeypatch.setattr(ssh_session, "LONG", 0.01)

    class SilentVisitor:
        """A visitor who types nothing."""

        address, name = "127.0.0.1", "ann"

        def print_text(self, text: str) -> None:
            """Ignore the text."""

        async def ask(self, question: str) -> str:
            return str(await asyncio.get_running_loop().create_future())

    with pytest.raises(Refusal, match="You need an invitation code"):
        await SessionSetup(None, tmp_path)._invited(SilentVisitor())
