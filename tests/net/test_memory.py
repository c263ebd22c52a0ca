"""The memory of a hub and of a client stays flat: a thousand acts more cost what their compressed lines cost."""

from __future__ import annotations

import gc
import tracemalloc
from itertools import count
from pathlib import Path

import pytest

from paxtui.cli.hosting import screen
from paxtui.cli.hosting.screen import SeatApp
from paxtui.engine import lines, timeline
from paxtui.engine.log import encode_line, parse, parse_further
from paxtui.engine.seats import SPECTATOR
from paxtui.net import hosted
from paxtui.net import messages as say
from paxtui.net.hosted import Hosted
from paxtui.table.authority import Table, no_clock
from paxtui.table.disk import packed
from paxtui.table.session import Session
from paxtui.table.tables import load_tables
from paxtui.table.thinker import Thinker
from paxtui.tui.stage.settings import Settings
from paxtui.tui.swift.keyboard import OLD
from tests.net.conftest import POWERS

ROUND = 300
"""Acts of a round."""

MOST = 700
"""Bytes that an act may cost: the compressed line, its hashes, its number, and its share of a snapshot."""


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Short windows, so that they are full after some hundred acts."""
    monkeypatch.setattr(lines, "RECENT", 128)
    monkeypatch.setattr(lines, "BLOCK", 64)
    monkeypatch.setattr(timeline, "DECODED", 128)
    monkeypatch.setattr(hosted, "REMEMBERED", 32)
    monkeypatch.setattr(packed, "LARGEST", 4096)


class Guest:
    """A client that reads what it is sent, and keeps nothing."""

    def __init__(self, seat: str) -> None:
        self.seat, self.has, self.talks, self.player = seat, 0, False, ""
        self.answer: say.Answer | None = None

    def send(self, message: say.ToClient) -> None:
        if isinstance(message, say.Answer):
            self.answer = message


def memory() -> int:
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


def growth(act) -> float:
    """Bytes an act, once the windows are full."""
    for n in range(3 * ROUND):
        act(n)
    tracemalloc.start()
    try:
        for n in range(ROUND):  # what is replaced later is counted, too
            act(n)
        before = memory()
        for n in range(2 * ROUND):
            act(n)
        return (memory() - before) / (2 * ROUND)
    finally:
        tracemalloc.stop()


def in_movement(path: Path | None = None) -> Table:
    table = Table.new(load_tables(), POWERS, "1898", path=path)
    while table.state.phase != "movement":
        table.advance()
    return table


async def test_a_hub_stays_flat(tmp_path: Path) -> None:
    table = in_movement(tmp_path / "friday.jsonl")
    there = Hosted("friday", table, Thinker(), steady=count(step=10).__next__)  # slower than any limit of messages
    guests = [Guest(seat) for seat in (*POWERS, SPECTATOR)]
    for guest in guests:
        there.enter(guest, 0, "")
    france = guests[POWERS.index("france")]
    orders = ("place influence siam", "undo", "dispatch britain: Hello there")

    def act(n: int) -> None:
        deed = say.TakeBack() if orders[n % 3] == "undo" else say.Act(orders[n % 3])
        there.do(france, say.Command(f"{table.version}", france.has, deed))
        assert france.answer is not None and france.answer.refusal is None

    assert growth(act) < MOST
    there.close()


def test_a_client_stays_flat(tmp_path: Path) -> None:
    with in_movement(tmp_path / "friday.jsonl") as table:
        copy = Table(table.tables, parse(table.log()), None, no_clock)
        session = Session(copy, seat="france")
        orders = ("place influence siam", "undo")

        def act(n: int) -> None:
            before = table.game.tip
            line = table.undo("france") if orders[n % 2] == "undo" else table.act("france", orders[n % 2])[0]
            (came,), tip = parse_further(encode_line(line), copy.version + 1, before)
            copy.game.follow(came, tip)
            assert session.live is copy.state and session.lines

        assert growth(act) < 2 * MOST  # two tables: the one that acts, and the one that follows


async def test_a_client_that_only_watches_collects_its_garbage(running, home, monkeypatch) -> None:
    app = SeatApp(running.session("france"), Settings(reports="none", remind=False, animation=False))
    async with app.run_test(size=(100, 30)):
        collected = []
        monkeypatch.setattr(screen.gc, "get_count", lambda: (0, 0, OLD + 1))
        monkeypatch.setattr(screen.gc, "collect", lambda *_: collected.append(True))
        app._screens = len(app.screen_stack)
        app._look_after_connection()
        assert collected == [True]
        monkeypatch.setattr(app.keyboard, "_seeing", True)  # not while a key waits for it
        app._look_after_connection()
        assert collected == [True]
        monkeypatch.undo()
