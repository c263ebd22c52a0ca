"""The memory of a hub and of a client grows only by the compressed lines of the log."""

from __future__ import annotations

import gc
import tracemalloc
from itertools import count
from pathlib import Path

import pytest

from paxtui.cli.hosting import remote_screen
from paxtui.cli.hosting.remote_screen import SeatApp
from paxtui.engine import lines, timeline
from paxtui.engine.log import encode_line, parse, parse_further
from paxtui.engine.seats import SPECTATOR
from paxtui.server import hosted_game, messages
from paxtui.server.hosted_game import HostedGame
from paxtui.session.bot_process import BotProcess
from paxtui.session.local_session import LocalSession
from paxtui.session.storage import log_store
from paxtui.tui.base.settings import Settings
from paxtui.tui.rendering.key_queue import GC_OLD_ROUNDS
from tests.server.conftest import POWERS, game_in_movement

ROUND = 300
"""Acts in each round."""

MOST = 700
"""Maximum growth for each act, in bytes: the compressed line, its hashes, its number, its share of a snapshot."""


@pytest.fixture(autouse=True)
def small_caches(monkeypatch):
    """Make the caches small, so that some hundred acts fill them."""
    monkeypatch.setattr(lines, "RECENT", 128)
    monkeypatch.setattr(lines, "BLOCK", 64)
    monkeypatch.setattr(timeline, "DECODED", 128)
    monkeypatch.setattr(hosted_game, "REMEMBERED_COMMANDS", 32)
    monkeypatch.setattr(log_store, "PLAIN_LIMIT", 4096)


class StubClient:
    """A client that keeps only the last answer."""

    def __init__(self, seat: str) -> None:
        self.seat, self.has, self.talks, self.player = seat, 0, False, ""
        self.answer: messages.CommandResult | None = None

    def send(self, message: messages.ToClient) -> None:
        if isinstance(message, messages.CommandResult):
            self.answer = message


def memory() -> int:
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


def growth(act) -> float:
    """Return the growth for each act in bytes, once the caches are full."""
    for n in range(3 * ROUND):
        act(n)
    tracemalloc.start()
    try:
        for n in range(ROUND):  # also counts what is replaced later
            act(n)
        before = memory()
        for n in range(2 * ROUND):
            act(n)
        return (memory() - before) / (2 * ROUND)
    finally:
        tracemalloc.stop()


async def test_memory_of_a_hub_stays_flat(tmp_path: Path) -> None:
    table = game_in_movement(tmp_path / "friday.jsonl")
    there = HostedGame(
        "friday", table, BotProcess(), steady=count(step=10).__next__
    )  # slow enough for the limit of messages
    guests = [StubClient(seat) for seat in (*POWERS, SPECTATOR)]
    for guest in guests:
        there.enter(guest, 0, "")
    france = guests[POWERS.index("france")]
    orders = ("place influence siam", "undo", "dispatch britain: Hello there")

    def act(n: int) -> None:
        deed = messages.Undo() if orders[n % 3] == "undo" else messages.Act(orders[n % 3])
        there.do(france, messages.Command(f"{table.version}", france.has, deed))
        assert france.answer is not None and france.answer.refusal is None

    assert growth(act) < MOST
    there.close()


def test_memory_of_a_client_stays_flat(tmp_path: Path) -> None:
    with game_in_movement(tmp_path / "friday.jsonl") as table:
        copy = table.copy(parse(table.log()))
        session = LocalSession(copy, seat="france")
        orders = ("place influence siam", "undo")

        def act(n: int) -> None:
            before = table.game.tip
            line = table.undo("france") if orders[n % 2] == "undo" else table.act("france", orders[n % 2])[0]
            (received,), tip = parse_further(encode_line(line), copy.version + 1, before)
            copy.game.follow(received, tip)
            assert session.live is copy.state and session.view.lines

        assert growth(act) < 2 * MOST  # two games: the one that acts, and the one that follows


async def test_watching_client_collects_garbage(running, home, monkeypatch) -> None:
    app = SeatApp(running.session("france"), Settings(reports="none", remind=False, animation=False))
    async with app.run_test(size=(100, 30)):
        collected = []
        monkeypatch.setattr(remote_screen.gc, "get_count", lambda: (0, 0, GC_OLD_ROUNDS + 1))
        monkeypatch.setattr(remote_screen.gc, "collect", lambda *_: collected.append(True))
        app._screens = len(app.screen_stack)
        app._look_after_connection()
        assert collected == [True]
        monkeypatch.setattr(app.keyboard, "_seeing", True)  # not while a key waits for the screen
        app._look_after_connection()
        assert collected == [True]
        monkeypatch.undo()
