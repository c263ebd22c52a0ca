"""The hub is killed at any moment: what was acknowledged is there, nothing is there twice, and clients carry on.

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
from tests.waiting import wait_until

KILLS = int(os.environ.get("PAXTUI_KILLS", "3"))
PERSONS = ("britain", "france", "germany")
"""Seconds that a hub may take to begin, on a machine that does ten other things."""
LATEST = 0.08
"""Seconds after the first act of a round by which the hub is killed."""


class Mortal:
    """A hub that is killed and started again."""

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
        """Let it begin, and wait until it answers."""
        words = [sys.executable, "-m", "tests.server.alone", str(self.data_directory.root), *self._options]
        self.process = subprocess.Popen(words)
        wait_until(self.answers)

    def answers(self) -> bool:
        """Whether somebody is there."""
        try:
            HubClient(self.data_directory.socket).close()
        except ConnectionLost:
            return False
        return True

    def kill(self) -> None:
        """No farewell."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def ask(self, ask: str) -> Any:
        """Ask the hub. Raises: Lost."""
        wire = HubClient(self.data_directory.socket)
        try:
            return wire.admin_request(ask)
        finally:
            wire.close()

    def session(self, seat: str, game: str = "g") -> RemoteSession:
        """A client. Raises: Lost."""
        wire = HubClient(self.data_directory.socket)
        ticket = wire.admin_request("ticket", game=game, seat=seat)["ticket"]
        wire.close()
        return RemoteSession(open_remote_game(self.data_directory.socket, ticket))


@pytest.fixture
def mortal() -> Iterator[Mortal]:
    """A game of three persons and four bots."""
    with TemporaryDirectory(prefix="pax") as name:
        mortal = Mortal(Path(name))
        yield mortal
        mortal.kill()


def test_a_hub_that_is_killed_loses_nothing_that_it_has_acknowledged(mortal: Mortal) -> None:
    random = Random(KILLS)
    clients = [mortal.session(seat) for seat in (*PERSONS, *PERSONS, SPECTATOR, SPECTATOR)]
    tried: Counter[str] = Counter()
    acknowledged: list[str] = []
    for kill in range(KILLS):
        timer = threading.Timer(random.random() * LATEST, mortal.kill)
        timer.start()
        number = 0
        while timer.is_alive() or mortal.process.poll() is None:
            number += 1
            _act(random, clients, f"note {kill}-{number} end", tried, acknowledged)
        timer.join()
        mortal.start()
        for client in clients:
            wait_until(lambda client=client: bool(client.receive() or client.trouble))
            wait_until(client.reconnect)
        with PaxHost.open(mortal.data_directory.game_file("g"), write=False) as table:
            assert table.verify() == []
            found = [line.action["text"] for line in table.game.lines if line.action.get("type") == "dispatch"]
            assert len(found) == len(set(found))
            assert set(acknowledged) <= set(found) <= set(tried)
            for client in clients:
                wait_until(lambda client=client, table=table: _knows(client, table))
    assert acknowledged and len(clients) == 8
    for client in clients[:3]:
        _act(random, [client], f"and {client.seat} goes on", tried, acknowledged)
    assert len([text for text in acknowledged if text.startswith("and ")]) == 3


@pytest.fixture
def sleepy() -> Iterator[Mortal]:
    """Three such games, which sleep whenever they can."""
    with TemporaryDirectory(prefix="pax") as name:
        mortal = Mortal(Path(name), ("a", "b", "c"), "sleepy")
        yield mortal
        mortal.kill()


def test_games_that_sleep_and_wake_lose_nothing_either(sleepy: Mortal) -> None:
    random = Random(KILLS)
    acknowledged: dict[str, list[str]] = {"a": [], "b": [], "c": []}
    for kill in range(KILLS):
        number = 0
        _one_by_one(sleepy, acknowledged, f"first {kill}")
        timer = threading.Timer(random.random() * 5 * LATEST, sleepy.kill)
        timer.start()
        while timer.is_alive() or sleepy.process.poll() is None:
            number += 1
            name = random.choice(tuple(acknowledged))
            try:
                with suppress(OSError):
                    _write(sleepy, name, f"note {kill}-{number}", acknowledged)
            except Refusal as refused:
                assert refused.code == "too_fast"  # a fast server reaches the limit of messages before it is killed
        timer.join()
        for name, texts in acknowledged.items():
            with PaxHost.open(sleepy.data_directory.game_file(name), write=False) as table:
                assert table.verify() == []
                found = [line.action["text"] for line in table.game.lines if line.action.get("type") == "dispatch"]
                assert len(found) == len(set(found)) and set(texts) <= set(found)
        sleepy.start()
    _one_by_one(sleepy, acknowledged, "last")


def _one_by_one(mortal: Mortal, acknowledged: dict[str, list[str]], text: str) -> None:
    """Wait until all games sleep, wake each by an act, and wait until all sleep again."""
    for name in acknowledged:
        wait_until(lambda: all(game["asleep"] for game in mortal.ask("status")["games"]))
        _write(mortal, name, f"{text} {name}", acknowledged)
        assert acknowledged[name][-1].startswith(text)
    wait_until(lambda: all(game["asleep"] for game in mortal.ask("status")["games"]))


def _write(mortal: Mortal, game: str, text: str, acknowledged: dict[str, list[str]]) -> None:
    """Somebody comes, writes a dispatch and goes. Raises: OSError."""
    session = mortal.session("france", game)
    try:
        session.act_text(f"dispatch all: {text}")
        acknowledged[game].append(text)
    finally:
        session.close()


def _act(random: Random, clients: list[RemoteSession], text: str, tried: Counter[str], done: list[str]) -> None:
    """One client writes a dispatch, is ready, or takes it back."""
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
            _act(random, clients, text, tried, done)
    except OSError:
        pass  # nobody knows whether it has been done


def _knows(client: RemoteSession, table: PaxHost) -> bool:
    """Whether a client knows all that its seat may know; bots may have gone on since."""
    client.receive()
    known = client.game.game
    mine = table.known(client.view.viewpoint).lines
    return known.version >= len(mine) + 1 and [x.action for x in known.lines[: len(mine)]] == [x.action for x in mine]
