"""A server that answers late: the screen draws meanwhile, keys wait in order, and the answer arrives as an event."""

from __future__ import annotations

import asyncio

import pytest

from paxtui.cli.hosting.remote_screen import SeatApp
from paxtui.server import client as hub_client
from paxtui.server import hosted_game
from paxtui.session.session import Advance, SendChat
from paxtui.tui.base.settings import Settings
from paxtui.tui.panes.status_lines import top_line
from tests.server.waiting import Held, answered, in_movement, wait
from tests.waiting import until, wait_until

QUIET = Settings(reports="none", remind=False, animation=False)


class Gate:
    """Holds back the answers of a hub until it is opened. Other messages pass."""

    def __init__(self, monkeypatch) -> None:
        self.messages: list[tuple[object, object]] = []
        self.is_open = False
        monkeypatch.setattr(Held, "answers", True)
        self._send = hosted_game.ClientConnection.send
        monkeypatch.setattr(
            hosted_game.ClientConnection, "send", lambda connection, message: self._send_later(connection, message)
        )

    def _send_later(self, connection, message) -> None:
        # the lines of an order come with its answer
        if self.is_open or not isinstance(message, hosted_game.messages.CommandResult | hosted_game.messages.LogLines):
            self._send_now(connection, message)
        else:
            self.messages.append((connection, message))

    def _send_now(self, connection, message) -> None:
        self._send(connection, message)

    async def open(self) -> None:
        """Send what was held back."""
        self.is_open = True
        for connection, message in self.messages:
            self._send_now(connection, message)


async def test_screen_draws_while_an_answer_is_pending(running, home, monkeypatch):
    """The clock ticks, a new size is drawn and chat is shown; keys typed meanwhile are handled after the answer."""
    britain, france = running.session("britain"), running.session("france")
    in_movement(britain, france)
    seconds = [1000.0]
    monkeypatch.setattr("paxtui.session.session.monotonic", lambda: seconds[0])
    france.clock.update(600.0)
    app = SeatApp(france, QUIET)
    async with app.run_test(size=(160, 50)) as pilot:
        await until(lambda: "10:00" in top_line(france, app.look, 160).plain)
        gate = Gate(monkeypatch)
        await pilot.press("r")
        await until(lambda: gate.messages)
        assert france.is_answer_pending and "france" not in france.live.ready

        seconds[0] += 90
        await until(lambda: "8:30" in _top_of_screen(app))
        await pilot.resize_terminal(100, 30)
        await until(lambda: len(_lines(app)) == 30)
        running.do(_chat(running, "Are you there?"))
        await until(lambda: france.chat.lines and "Are you there?" in " ".join(n.message for n in app._notifications))

        for key in ("T", "h", "i", "enter"):
            app.post_message(_key(key))
        await asyncio.sleep(0.1)
        assert app.screen is app.screen_stack[1], "the keys wait, because the answer may open a dialog"

        running.do(gate.open())
        await until(lambda: "france" in france.live.ready)
        await until(lambda: [line.text for line in france.chat.lines] == ["Are you there?", "hi"])
        assert app.crash is None


def _key(name: str):
    from textual.events import Key

    return Key(name, name if len(name) == 1 else None)


def _lines(app) -> list[str]:
    return ["".join(segment.text for segment in line) for line in app.screen._compositor.render_strips()]


def _top_of_screen(app) -> str:
    return _lines(app)[0]


async def _chat(running, text: str) -> None:
    hosted = running.hub.games.game("friday")
    running.hub.games.talk(hosted).append("ann", "britain", "Ann", text, "")
    running.hub._broadcast_chat(hosted)


def test_operations_are_sent_one_after_the_other(running):
    france = running.session("france")
    results: list[object] = []
    for operation in (Advance(), SendChat("one"), SendChat("two")):
        france.submit(operation, results.append)
    assert france.is_answer_pending and results == []
    wait(france, lambda: len(results) == 3)
    assert results == [None] * 3 and [line.text for line in france.chat.lines] == ["one", "two"]


def test_server_that_never_answers_times_out(running, monkeypatch):
    seconds = [0.0]
    monkeypatch.setattr("paxtui.server.remote_game.monotonic", lambda: seconds[0])
    france = running.session("france")
    in_movement(running.session("britain"), france)
    gate = Gate(monkeypatch)
    failures: list[Exception | None] = []
    france.submit(france.parse("place influence siam"), failures.append)
    wait_until(lambda: gate.messages)  # the server has carried it out
    seconds[0] += hub_client.ANSWER_TIMEOUT_S
    france.check_timeout()
    assert failures == [] and not france.trouble
    seconds[0] += 1
    france.check_timeout()
    assert "has not answered" in str(failures[0]) and "unknown whether" in france.describe_failure(failures[0])
    running.do(gate.open())
    wait(france, france.reconnect)
    assert "was carried out" in france.game.outcome and "siam" in france.game.outcome


@pytest.mark.parametrize("refused", [True, False])
async def test_answer_after_the_dialog_closed_is_harmless(running, home, monkeypatch, refused):
    """The chat closes while its message is being sent; the answer does not update a closed dialog."""
    france = running.session("france")
    app = SeatApp(france, QUIET)
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("T", *("x" if not refused else "\u200b"))
        gate = Gate(monkeypatch)
        await pilot.press("enter")
        app.pop_screen()
        await pilot.pause()
        running.do(gate.open())
        await answered(pilot, france)
        assert app.crash is None
