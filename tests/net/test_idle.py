"""Whoever came from far away and types nothing for hours is told, and then his connection is free for others."""

from __future__ import annotations

import asyncio
import os

import pytest

from paxtui.cli.hosting import plain, screen
from paxtui.cli.hosting.idle import IDLE, OVER, SOON, WARNING, Patience
from paxtui.cli.hosting.plain import Lines
from paxtui.cli.hosting.screen import SeatApp
from paxtui.engine.refusal import Refusal
from paxtui.net.ssh import reception
from paxtui.net.ssh.reception import Reception
from paxtui.tui.stage.settings import Settings


class Clock:
    """Seconds that pass when they are told to."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_it_is_said_once_and_a_key_begins_anew() -> None:
    clock = Clock()
    patience = Patience(clock)
    clock.now = IDLE - WARNING - 1
    assert not patience.warns() and not patience.over
    clock.now += 1
    assert patience.warns() and not patience.warns()
    patience.typed()
    clock.now += WARNING
    assert not patience.over and not patience.warns()
    clock.now += IDLE
    assert patience.over


async def test_on_the_screen(running, home) -> None:
    clock = Clock()
    settings = Settings(reports="none", remind=False, animation=False)
    app = SeatApp(running.session("france"), settings, patience=Patience(clock))
    async with app.run_test(size=(100, 30)) as pilot:
        clock.now = IDLE - WARNING - 1  # the app looks by itself, too, and may before it has the key
        await pilot.press("2")
        app._look_after_connection()
        clock.now += IDLE - WARNING - 1
        app._look_after_connection()
        await pilot.pause()
        assert app.return_code is None and not app._notifications
        clock.now += 1
        app._look_after_connection()
        await pilot.pause()
        assert SOON in [note.message for note in app._notifications]
        clock.now += WARNING
        app._look_after_connection()
        await pilot.pause()
    assert app.return_code == 0


async def test_what_a_closed_screen_was_made_of_is_given_back(running, home, monkeypatch) -> None:
    collected = []
    settings = Settings(reports="none", remind=False, animation=False)
    app = SeatApp(running.session("france"), settings, patience=Patience())

    def everything(generation: int = 2) -> None:
        if generation == 2:  # what is young is collected after each key
            collected.append(len(app.screen_stack))

    async with app.run_test(size=(100, 30)) as pilot:
        monkeypatch.setattr(screen.gc, "collect", everything)
        app._look_after_connection()
        await pilot.press("t")
        app._look_after_connection()
        assert not collected and len(app.screen_stack) == 3
        await pilot.press("escape")
        app._look_after_connection()
        app._look_after_connection()
        assert collected == [2]


def test_line_by_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain, "AGAIN", 0.0)
    clock = Clock()
    (keys, typing), (seen, shown) = os.pipe(), os.pipe()
    lines = Lines(keys, shown, Patience(clock))
    clock.now = IDLE - WARNING
    os.write(typing, b"what\n")
    assert lines.line() == "what" and not lines.over  # a key in time
    rounds = 0

    def come() -> None:
        nonlocal rounds
        rounds += 1
        clock.now += IDLE - WARNING

    assert lines.line(come=come) == "" and lines.over and rounds == 2
    assert os.read(seen, 4096).decode().split("\n") == ["", SOON, "", OVER, ""]
    for descriptor in (keys, typing, seen, shown):
        os.close(descriptor)


async def test_a_code_is_waited_for_some_minutes(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    monkeypatch.setattr(reception, "LONG", 0.01)

    class Silent:
        """A visitor who types nothing."""

        address, name = "127.0.0.1", "ann"

        def say(self, text: str) -> None:
            """Hear something."""

        async def ask(self, question: str) -> str:
            return str(await asyncio.get_running_loop().create_future())

    with pytest.raises(Refusal, match="Come back with a code"):
        await Reception(None, tmp_path)._invited(Silent())
