"""A house with a hub that listens, in the test's own process."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from paxtui.net.house import House
from paxtui.net.hub import Hub
from paxtui.net.line import Wire
from paxtui.net.remote import RemoteSession, RemoteTable
from paxtui.table.authority import Table
from paxtui.table.tables import load_tables

POWERS = ("britain", "france", "germany", "united_states")


class Running:
    """A hub at work in a thread of its own."""

    def __init__(self, root: Path) -> None:
        self.house = House(root)
        if not self.house.names():
            Table.new(load_tables(), POWERS, "1898", path=self.house.games / "friday.jsonl").close()
        self.start()

    def start(self) -> None:
        """Let a hub listen."""
        self.hub = Hub(self.house)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self.do(self.hub.listen())

    def do(self, work):
        """Let the hub's loop do something, and wait for it."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(10)

    def table(self, seat: str, game: str = "friday", player: str = "") -> RemoteTable:
        """Sit down as whoever runs the house, or as a player."""
        wire = Wire(self.house.socket)
        ticket = wire.manage("ticket", game=game, seat=seat, player=player)["ticket"]
        wire.close()
        return RemoteTable(self.house.socket, ticket)

    def session(self, seat: str, player: str = "") -> RemoteSession:
        """The session of a seat."""
        return RemoteSession(self.table(seat, player=player))

    def stop(self) -> None:
        """End the hub in order; what has ended stays so."""
        if self._loop.is_closed():
            return
        self.do(self.hub.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)
        self._loop.close()


@pytest.fixture
def running() -> Iterator[Running]:
    """A hub with one game of four, in a folder whose name is short enough for a socket."""
    with TemporaryDirectory(prefix="pax") as root:
        running = Running(Path(root) / "house")
        yield running
        running.stop()
