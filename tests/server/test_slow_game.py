"""A slow game plays by its clock: no player is connected, and the caretaker acts for late seats."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from paxtui.engine.seats import SPECTATOR
from paxtui.games.pax.position.setup import seats_for
from paxtui.server import hosted_game, notifications
from paxtui.server.data_directory import DataDirectory
from paxtui.session.pax_host import PaxHost
from paxtui.session.tables.loader import load_tables
from tests.server.conftest import HubClocks, RunningHub

DAY = 24 * 3600
SEATS = seats_for(7)


class Slow(RunningHub):
    """A hub with a slow game of seven, whose clocks the test moves."""

    def __init__(self, root: Path) -> None:
        self.times, self.calls = HubClocks(), []
        with PaxHost.new(
            load_tables(), SEATS, "1898", path=DataDirectory(root).games / "friday.jsonl", clock=self.times.clock
        ) as table:
            table.advance()  # a player has begun the game
        super().__init__(root, times=self.times, tell=lambda notice: self.calls.append(dict(notice)))
        self.ask("clock", game="friday", what="set", limits=f"any={2 * DAY}", then="caretaker", warn="60")

    @property
    def game(self):
        return self.hub.games.game("friday")

    def settle(self) -> None:
        """Do what the hub does each second, and wait until the caretaker has acted."""

        async def look() -> None:
            self.hub.look()
            while self.game._at_work is not None:
                await self.game._at_work
            self.hub.look()

        self.do(look())


@pytest.fixture
def slow(monkeypatch):
    monkeypatch.setattr(notifications, "SETTLE_S", 0.0)
    with TemporaryDirectory(prefix="pax") as root:
        running = Slow(Path(root) / "data")
        yield running
        running.stop()


def test_clock_alone_plays_two_game_turns(slow):
    slow.settle()
    for _ in range(60):
        if slow.game.host.state.turn > 2:
            break
        assert slow.game.host.waiting, slow.game.host.state.phase
        slow.times.pass_(2 * DAY)
        slow.settle()
    assert slow.game.host.state.turn == 3
    assert slow.game.host.verify() == []
    called = [(c["PAXTUI_TURN"], c["PAXTUI_PHASE"], c["PAXTUI_SEAT"]) for c in slow.calls if "PAXTUI_LEFT" not in c]
    for moment in (("1", "negotiation"), ("2", "movement"), ("2", "negotiation"), ("3", "movement")):
        assert [seat for *at, seat in called if tuple(at) == moment] == sorted(SEATS), moment


def test_connected_players_have_time_to_read_an_automatic_phase(slow):
    slow.settle()
    spectator = slow.table(SPECTATOR)
    player = slow.table("france")
    for seat in SEATS:
        slow.do(_act(slow, seat, "ready"))
    assert slow.game.host.waiting == ()
    before = slow.game.host.version
    slow.settle()
    slow.times.pass_(hosted_game.READING_S - 1)
    slow.settle()
    assert slow.game.host.version == before
    slow.times.pass_(1)
    slow.settle()
    assert slow.game.host.version > before
    for table in (spectator, player):
        table.close()


async def _act(slow, seat: str, order: str) -> None:
    slow.game.host.act(seat, order)


def test_clock_begins_no_game_and_no_clock_waits(slow):
    path = slow.data_directory.games / "saturday.jsonl"
    PaxHost.new(load_tables(), SEATS, "1", path=path, clock=slow.times.clock).close()
    slow.ask("clock", game="saturday", what="set", limits=f"any={DAY}", then="caretaker", warn="60")
    slow.settle()
    assert slow.hub.games.game("saturday").host.state.phase == "random_events"
    assert not any(line.kind == "act" for line in slow.hub.games.game("saturday").host.game.lines)
    slow.ask("clock", game="friday", what="set")
    for seat in SEATS:
        slow.do(_act(slow, seat, "ready"))
    before = slow.game.host.version
    slow.settle()
    assert slow.game.host.version == before
