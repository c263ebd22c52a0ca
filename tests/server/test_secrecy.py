"""Secrets in the data that a hub sends, in games with Treaties and Congresses, and in the memory of clients.

`PAXTUI_WIRE_GAMES` says how many games are played.
"""

from __future__ import annotations

import os
import secrets
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from paxtui.engine.game import Redo, Undo
from paxtui.engine.game_log import GameLog
from paxtui.engine.log import parse
from paxtui.engine.seats import SPECTATOR
from paxtui.games.pax.game import PaxGame
from paxtui.games.pax.transaction import default_answer
from paxtui.server import messages
from paxtui.server.hosted_game import HostedGame
from paxtui.server.remote_session import _order_builtins
from paxtui.session.bot_process import BotProcess
from paxtui.session.pax_host import PaxHost
from paxtui.session.tables.loader import load_tables
from tests.pax.diplomats import SEATS, Diplomat, congress_at_the_vote, world
from tests.server.ssh import ServerProcess, SshPlayer

GAMES = int(os.environ.get("PAXTUI_WIRE_GAMES", "4"))
STEPS = 50


class Client:
    """A client that keeps all data it receives."""

    def __init__(self, seat: str) -> None:
        self.seat, self.has = seat, 0
        self.bytes, self.log = bytearray(), bytearray()

    def send(self, message: messages.ToClient) -> None:
        """Keep a message."""
        self.bytes += messages.encode(message)
        if isinstance(message, messages.Welcome):
            self.log += message.header + message.lines
        elif isinstance(message, messages.LogLines):
            self.log += message.lines


class SecretGame:
    """A game of seven players, of which some have secrets, and a spectator."""

    def __init__(self, seed: str) -> None:
        self.random = Random(seed)
        self.table = congress_at_the_vote(seed) if self.random.random() < 0.4 else world(seed)
        self.insiders = tuple(self.random.sample(SEATS, self.random.choice([2, 3])))
        self.diplomat = Diplomat(self.table, self.random, quiet=True)
        self.hosted = HostedGame("g", self.table, BotProcess())
        self.clients = {seat: Client(seat) for seat in (*SEATS, SPECTATOR)}
        for client in self.clients.values():
            self.hosted.enter(client, 0, "")
        self.acts = 0

    def step(self) -> None:
        """Let one seat act, in secret or publicly."""
        if self.random.random() < 0.75:
            seat = self.random.choice(self.insiders)
            self.give(seat, self.diplomat.choose(seat, self.insiders))
            return
        seat = self.random.choice(SEATS)
        mine = [c for c in self.table.state.choices if c.seat == seat]
        self.give(seat, " ".join(("choose", mine[0].id, *default_answer(mine[0]))) if mine else "ready")

    def give(self, seat: str, order: Any) -> None:
        """Send an operation of a seat."""
        if order is None:
            return
        operation: messages.Operation
        if isinstance(order, Undo):
            operation = messages.Undo(order.to)
        elif isinstance(order, Redo):
            operation = messages.Redo()
        else:
            operation = messages.Act(order if isinstance(order, str) else _order_builtins(order))
        self.acts += 1
        self.hosted.do(self.clients[seat], messages.Command(str(self.acts), self.table.version_for(seat), operation))


@pytest.mark.parametrize("number", range(GAMES))
async def test_no_client_receives_secrets_of_other_seats(number):
    secret_game = SecretGame(f"wire {number}")
    for _ in range(STEPS):
        secret_game.step()
    words = [secret.word for secret in secret_game.diplomat.secrets]
    for seat, client in secret_game.clients.items():
        parsed = parse(bytes(client.log))
        assert parsed.header.seed == "" and secret_game.table.game.header.seed.encode() not in client.bytes
        game = GameLog(PaxGame(secret_game.table.tables), parsed.header, parsed.lines, tip=parsed.tip)
        assert game.state == secret_game.table.state_for(seat)
        received = client.bytes.lower()
        found = [word for word in words if word.encode() in received]
        assert seat in secret_game.insiders or not found, seat
    assert any(word.encode() in secret_game.clients[secret_game.insiders[0]].bytes.lower() for word in words)
    secret_game.hosted.close()


# --- memory -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def served() -> Iterator[tuple[ServerProcess, str]]:
    """A server with one game, and the seed of the game."""
    with TemporaryDirectory(prefix="pax") as name:
        root, seed = Path(name), secrets.token_hex(16)
        PaxHost.new(
            load_tables(), ("britain", "france", "germany", "united_states"), seed, path=root / "f.jsonl"
        ).close()
        served = ServerProcess(root, root / "f.jsonl", options=("--dice", "plain"))
        yield served, seed
        served.stop()


def memory(pid: int) -> bytes:
    """Return the writable memory of a process."""
    found = bytearray()
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as mem:
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            span, rights, *_ = line.split()
            if rights.startswith("rw") and "[v" not in line:
                start, end = (int(part, 16) for part in span.split("-"))
                try:
                    mem.seek(start)
                    found += mem.read(end - start)
                except (OSError, ValueError, OverflowError):
                    continue
    return bytes(found)


def children(pid: int) -> list[int]:
    """Return the child processes of a process."""
    return [int(n) for task in Path(f"/proc/{pid}/task").iterdir() for n in (task / "children").read_text().split()]


@pytest.mark.skipif(sys.platform != "linux" or shutil.which("ssh") is None, reason="needs /proc and openssh-client")
def test_memory_of_a_client_has_no_seed(served):
    table, seed = served
    friend = SshPlayer(table, "pierre", 80, 24)
    friend.wait("Your invitation code")
    friend.type(table.code("f", "france") + "\r")
    friend.wait("PAX BRITANNICA" if friend.screen.columns >= 100 else "1880")
    forks = int((table.data / "forks.lock").read_text())
    clients = children(forks)
    assert clients
    words = (seed.encode(), bytes.fromhex(seed), seed.encode("utf-16-le"), seed.encode("utf-32-le"))
    for pid in (forks, *clients):
        content = memory(pid)
        assert b"britain" in content  # the memory could be read
        assert not any(word in content for word in words), pid
    hub = memory(table.process.pid)
    assert seed.encode() in hub  # the search finds the seed where it is
    friend.drop()
