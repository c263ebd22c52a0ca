"""The hub is killed at a random moment: acknowledged acts are in the log once, and clients continue.

`PAXTUI_KILLS` says how often.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from paxtui.bots.pax.registry import parse_bot_name
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import SPECTATOR
from paxtui.games.pax.position.setup import seats_for
from paxtui.server.client import ConnectionLost, HubClient
from paxtui.server.data_directory import DataDirectory
from paxtui.server.remote_game import open_remote_game
from paxtui.server.remote_session import RemoteSession
from paxtui.session.pax_host import PaxHost
from paxtui.session.tables.loader import load_tables
from tests.server.waiting import admin_request
from tests.waiting import wait_until

KILLS = int(os.environ.get("PAXTUI_KILLS", "3"))
PERSONS = ("britain", "france", "germany")
"""Seats of persons; bots have the others."""
LATEST = 0.08
"""Seconds after the first act of a round by which the hub is killed."""


class KillableHub:
    """A hub in a process that is killed and restarted."""

    def __init__(self, root: Path, games: tuple[str, ...] = ("g",), *options: str) -> None:
        self.data_directory, self._options = DataDirectory(root / "h"), options
        for name in games:
            with PaxHost.new(
                load_tables(), seats_for(7), "1898", path=self.data_directory.games / f"{name}.jsonl"
            ) as table:
                bots = (seat for seat in table.state.players if seat not in PERSONS)
                table.seat({seat: parse_bot_name("caretaker") for seat in bots})
        self.start()

    def start(self) -> None:
        """Start the hub, and wait until it answers."""
        words = [sys.executable, "-m", "tests.server.hub_process", str(self.data_directory.root), *self._options]
        self.process = subprocess.Popen(words)
        wait_until(self.answers)

    def answers(self) -> bool:
        """Return whether the hub accepts connections."""
        try:
            HubClient(self.data_directory.socket).close()
        except ConnectionLost:
            return False
        return True

    def kill(self) -> None:
        """Kill the hub without a goodbye."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def ask(self, ask: str) -> Any:
        """Send an administrative request. Raises: ConnectionLost."""
        return admin_request(self.data_directory, ask)

    def session(self, seat: str, game: str = "g") -> RemoteSession:
        """Connect a client. Raises: ConnectionLost."""
        ticket = admin_request(self.data_directory, "ticket", game=game, seat=seat)["ticket"]
        return RemoteSession(open_remote_game(self.data_directory.socket, ticket))


@pytest.fixture
def hub() -> Iterator[KillableHub]:
    """A game of three persons and four bots."""
    with TemporaryDirectory(prefix="pax") as name:
        hub = KillableHub(Path(name))
        yield hub
        hub.kill()


def test_killed_hub_loses_no_acknowledged_act(hub: KillableHub) -> None:
    random = Random(KILLS)
    clients = [hub.session(seat) for seat in (*PERSONS, *PERSONS, SPECTATOR, SPECTATOR)]
    tried: Counter[str] = Counter()
    acknowledged: list[str] = []
    for kill in range(KILLS):
        timer = threading.Timer(random.random() * LATEST, hub.kill)
        timer.start()
        number = 0
        while timer.is_alive() or hub.process.poll() is None:
            number += 1
            act(random, clients, f"note {kill}-{number} end", tried, acknowledged)
        timer.join()
        hub.start()
        for client in clients:
            wait_until(lambda client=client: bool(client.receive() or client.trouble))
            wait_until(client.reconnect)
        with PaxHost.open(hub.data_directory.game_file("g"), write=False) as table:
            assert table.verify() == []
            found = [line.action["text"] for line in table.game.lines if line.action.get("type") == "dispatch"]
            assert len(found) == len(set(found))
            assert set(acknowledged) <= set(found) <= set(tried)
            for client in clients:
                wait_until(lambda client=client, table=table: has_whole_log(client, table))
    assert acknowledged and len(clients) == 8
    for client in clients[:3]:
        act(random, [client], f"and {client.seat} goes on", tried, acknowledged)
    assert len([text for text in acknowledged if text.startswith("and ")]) == 3


@pytest.fixture
def suspending_hub() -> Iterator[KillableHub]:
    """Three such games, which are suspended whenever they are idle."""
    with TemporaryDirectory(prefix="pax") as name:
        hub = KillableHub(Path(name), ("a", "b", "c"), "suspending")
        yield hub
        hub.kill()


def test_suspended_games_lose_nothing_when_killed(suspending_hub: KillableHub) -> None:
    random = Random(KILLS)
    acknowledged: dict[str, list[str]] = {"a": [], "b": [], "c": []}
    for kill in range(KILLS):
        number = 0
        resume_each_game(suspending_hub, acknowledged, f"first {kill}")
        timer = threading.Timer(random.random() * 5 * LATEST, suspending_hub.kill)
        timer.start()
        while timer.is_alive() or suspending_hub.process.poll() is None:
            number += 1
            name = random.choice(tuple(acknowledged))
            try:
                with suppress(OSError):
                    send_dispatch(suspending_hub, name, f"note {kill}-{number}", acknowledged)
            except Refusal as refused:
                assert refused.code == "too_fast"  # a fast server reaches the limit of messages before the kill
        timer.join()
        for name, texts in acknowledged.items():
            with PaxHost.open(suspending_hub.data_directory.game_file(name), write=False) as table:
                assert table.verify() == []
                found = [line.action["text"] for line in table.game.lines if line.action.get("type") == "dispatch"]
                assert len(found) == len(set(found)) and set(texts) <= set(found)
        suspending_hub.start()
    resume_each_game(suspending_hub, acknowledged, "last")


def resume_each_game(hub: KillableHub, acknowledged: dict[str, list[str]], text: str) -> None:
    """Wait until all games are suspended, resume each by an act, and wait until all are suspended again."""
    for name in acknowledged:
        wait_until(lambda: all(game["asleep"] for game in hub.ask("status")["games"]))
        send_dispatch(hub, name, f"{text} {name}", acknowledged)
        assert acknowledged[name][-1].startswith(text)
    wait_until(lambda: all(game["asleep"] for game in hub.ask("status")["games"]))


def send_dispatch(hub: KillableHub, game: str, text: str, acknowledged: dict[str, list[str]]) -> None:
    """Connect, write a dispatch and disconnect. Raises: OSError."""
    session = hub.session("france", game)
    try:
        session.act_text(f"dispatch all: {text}")
        acknowledged[game].append(text)
    finally:
        session.close()


def act(random: Random, clients: list[RemoteSession], text: str, tried: Counter[str], done: list[str]) -> None:
    """Let one client write a dispatch, or be ready or unready."""
    client = random.choice([c for c in clients if c.view.viewpoint != SPECTATOR])
    client.receive()
    tried[text] += 1
    try:
        if len(clients) > 1 and random.random() < 0.4:
            client.act_text(random.choice(("ready", "unready")))
        else:
            client.act_text(f"dispatch all: {text}")
            done.append(text)
    except Refusal as refused:
        if refused.code == "stale" and len(clients) == 1:
            client.receive()
            act(random, clients, text, tried, done)
    except OSError:
        pass  # unknown whether it was carried out


def has_whole_log(client: RemoteSession, table: PaxHost) -> bool:
    """Return whether a client has all that its seat may know; bots may have acted since."""
    client.receive()
    known = client.game.game
    mine = table.known(client.view.viewpoint).lines
    return known.version >= len(mine) + 1 and [x.action for x in known.lines[: len(mine)]] == [x.action for x in mine]
