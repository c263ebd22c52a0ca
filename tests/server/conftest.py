"""A hub in the process of the test."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from textual.pilot import Pilot

from paxtui.server.client import HubClient, LobbyClient
from paxtui.server.data_directory import DataDirectory
from paxtui.server.hub import Hub
from paxtui.server.remote_game import RemoteGame, open_remote_game
from paxtui.server.remote_session import RemoteSession
from paxtui.session.game_host import GameHost, utc_now
from paxtui.session.pax_host import PaxHost
from paxtui.session.storage.interface import FILES
from paxtui.session.tables.loader import load_tables
from tests.server.waiting import Held, admin_request, is_settled
from tests.waiting import PATIENCE, until

POWERS = ("britain", "france", "germany", "united_states")
FAIR_SEED = "5eed" * 16

PRESS, PAUSE = Pilot.press, Pilot.pause


def advance_to_movement(game: PaxHost) -> None:
    while game.state.phase != "movement":
        game.advance()


def game_in_movement(
    path: Path | None = None, powers: Sequence[str] = POWERS, options: dict[str, str] | None = None, storage=FILES
) -> PaxHost:
    """Start a game and play to its first Movement Phase."""
    game = PaxHost.new(load_tables(), powers, "1898", options, path=path, storage=storage)
    advance_to_movement(game)
    return game


class HubClocks:
    """The system clock and the monotonic clock of a hub. Only the test moves them."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 1, 20, 0, tzinfo=UTC)
        self.seconds = 0.0

    def clock(self) -> str:
        """Return the system time, in the form of a log."""
        return self.now.isoformat(timespec="seconds")

    def steady(self) -> float:
        """Return the monotonic time, in seconds."""
        return self.seconds

    def set(self, seconds: float) -> None:
        """Set the system clock forward or back."""
        self.now += timedelta(seconds=seconds)

    def pass_(self, seconds: float) -> None:
        """Move both clocks forward."""
        self.set(seconds)
        self.seconds += seconds


class RunningHub:
    """A hub that runs in its own thread."""

    def __init__(self, root: Path, dice: str = "plain", times: HubClocks | None = None, storage=FILES, **hub) -> None:
        self.data_directory = DataDirectory(root, storage)
        self.times = times
        self._options = hub | ({"clock": times.clock, "steady": times.steady} if times else {})
        if not self.data_directory.names():
            seed = FAIR_SEED if dice == "fair" else "1898"
            path, clock = self.data_directory.games / "friday.jsonl", times.clock if times else utc_now
            PaxHost.new(load_tables(), POWERS, seed, path=path, dice=dice, clock=clock, storage=storage).close()
        self.start()

    def start(self) -> None:
        """Start the hub."""
        self.hub = Hub(self.data_directory, **self._options)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self.do(self.hub.listen())

    @property
    def host(self) -> GameHost:
        """The game of the hub."""
        return self.hub.games.game("friday").host

    def do(self, work):
        """Run a coroutine in the loop of the hub, and wait for its result."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE)

    def tend(self) -> None:
        """Do the work of the hub's timer."""

        async def tend() -> None:
            self.hub.games.game("friday").tend()

        self.do(tend())

    def ask(self, request: str, **fields: str):
        """Send an administrative request."""
        return admin_request(self.data_directory, request, **fields)

    def ask_game(self, request: str, **fields: str):
        """Send an administrative request about the game."""
        return self.ask(request, game="friday", **fields)

    def register(self, name: str, seat: str, game: str = "friday", key: str = "") -> str:
        """Let a new player redeem an invitation; return their id."""
        code = self.ask("invite", game=game, seat=seat)["code"]
        return self.ask("redeem", key=key or f"ssh-ed25519 {name}", code=code, name=name)["player"]

    def lobby_ticket(self, player: str = "") -> str:
        """Return a ticket for the lobby for a player, or for the host."""
        return self.ask("lobby", player=player)["ticket"]

    def lobby(self, player: str = "") -> LobbyClient:
        """Open the lobby as a player, or as the host."""
        return LobbyClient(self.data_directory.socket, self.lobby_ticket(player))

    def lobby_connection(self, player: str = "") -> HubClient:
        """Return a connection that has entered the lobby."""
        client = HubClient(self.data_directory.socket)
        client.enter_lobby(self.lobby_ticket(player))
        return client

    def table(self, seat: str, game: str = "friday", player: str = "") -> RemoteGame:
        """Join a game as the host, or as a player."""
        ticket = self.ask("ticket", game=game, seat=seat, player=player)["ticket"]
        return open_remote_game(self.data_directory.socket, ticket)

    def session(self, seat: str, player: str = "") -> RemoteSession:
        """Return the session of a seat."""
        return RemoteSession(self.table(seat, player=player))

    def stop(self) -> None:
        """Stop the hub. Stopping twice does nothing."""
        if self._loop.is_closed():
            return
        self.do(self.hub.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(PATIENCE)
        self._loop.close()


@pytest.fixture
def running() -> Iterator[RunningHub]:
    """A hub with one game of four, in a directory whose name is short enough for a socket."""
    with TemporaryDirectory(prefix="pax") as root:
        running = RunningHub(Path(root) / "data")
        yield running
        running.stop()


@pytest.fixture
def timed() -> Iterator[RunningHub]:
    """A hub with one game of four, whose clocks the test moves."""
    with TemporaryDirectory(prefix="pax") as root:
        running = RunningHub(Path(root) / "data", times=HubClocks())
        yield running
        running.stop()


@pytest.fixture(autouse=True)
def wait_for_answers_after_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """After each key and pause, wait until the screen has the answers of the server."""

    async def settle(pilot: Pilot[object]) -> None:
        app = pilot.app
        await until(lambda: app._exit or not app._running or Held.answers or is_settled(app))

    async def press(pilot: Pilot[object], *keys: str) -> None:
        for key in keys:
            await PRESS(pilot, key)
            await settle(pilot)

    async def pause(pilot: Pilot[object], delay: float | None = None) -> None:
        await PAUSE(pilot, delay)
        await settle(pilot)

    monkeypatch.setattr(Pilot, "press", press)
    monkeypatch.setattr(Pilot, "pause", pause)
