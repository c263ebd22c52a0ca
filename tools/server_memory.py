"""Measure the memory of a hub and two clients over many acts: `python -m tools.server_memory 5000`.

Hub and clients are processes of their own, connected by the hub's socket. The clients have no screen. Two players
place a marker and take it back, ten acts at a time, and each client reads all that the other has done.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from paxtui.engine.refusal import Refusal
from paxtui.server.client import ConnectionLost, HubClient
from paxtui.server.data_directory import DataDirectory
from paxtui.server.remote_game import RemotePaxGame, open_remote_game
from paxtui.server.remote_session import RemoteSession
from paxtui.session.pax_host import PaxHost
from paxtui.session.tables.loader import load_tables
from tests.server.conftest import POWERS

SEATS = {"france": "siam", "britain": "persia"}
"""The seats that act, and where they place their marker."""

CHUNK = 10
"""Acts of a seat before the other acts."""

SHARES = (0.0, 0.2, 0.6, 1.0)
"""Shares of all acts after which memory is measured."""


def make_game(root: Path) -> None:
    """Write a game that stands in its first Movement Phase."""
    with PaxHost.new(load_tables(), POWERS, "1898", path=DataDirectory(root).games / "friday.jsonl") as table:
        while table.state.phase != "movement":
            table.advance()


def connect(root: Path, seat: str) -> RemoteSession:
    """Connect to the hub as a seat, as soon as the hub listens."""
    house = DataDirectory(root)
    for _ in range(600):
        try:
            wire = HubClient(house.socket)
            break
        except (OSError, ConnectionLost):
            time.sleep(0.1)
    else:
        raise SystemExit("the hub does not listen")
    ticket = wire.admin_request("ticket", game="friday", seat=seat)["ticket"]
    wire.close()
    game = open_remote_game(house.socket, ticket)
    assert isinstance(game, RemotePaxGame)
    return RemoteSession(game)


def act(session: RemoteSession, order: str) -> None:
    """Give an order, again when the other's last act came between."""
    while True:
        session.receive()
        try:
            session.act_text(order)
        except Refusal as refusal:
            if refusal.code != "stale":
                raise
        else:
            return


def run_client(root: Path, seat: str) -> None:
    """Act as often as each line of standard input says, and answer each line when that is done."""
    session = connect(root, seat)
    print("connected", flush=True)
    for line in sys.stdin:
        for n in range(int(line)):
            act(session, "undo" if n % 2 else f"place influence {SEATS[seat]}")
        session.receive()
        print(session.version, flush=True)


class Client:
    """A client process."""

    def __init__(self, root: Path, seat: str) -> None:
        command = [sys.executable, "-m", "tools.server_memory", "client", str(root), seat]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.read()

    def read(self) -> str:
        """Return the client's next line."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("a client has ended")
        return line

    def act(self, count: int) -> None:
        """Let the client act, and wait until it has."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{count}\n")
        self.process.stdin.flush()
        self.read()


def memory_mb(pid: int) -> float:
    """Resident memory of a process."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * 4096 / 1e6


def measure(count: int) -> None:
    """Print the memory of hub and clients after shares of `count` acts."""
    with TemporaryDirectory(prefix="pax") as folder:
        root = Path(folder) / "house"
        make_game(root)
        hub = subprocess.Popen([sys.executable, "-m", "tests.server.hub_process", str(root)], text=True)
        clients: list[Client] = []
        try:
            for seat in SEATS:
                clients.append(Client(root, seat))
            done = 0
            for share in SHARES:
                while done < share * count:
                    for client in clients:
                        client.act(CHUNK)
                        done += CHUNK
                for client in clients:
                    client.act(0)
                sizes = ", ".join(f"{memory_mb(client.process.pid):.1f}" for client in clients)
                log_kb = (DataDirectory(root).games / "friday.jsonl").stat().st_size // 1000
                sizes = f"hub {memory_mb(hub.pid):.1f} MB, clients {sizes} MB"
                print(f"{done:6} acts: {sizes}, log {log_kb} KB", flush=True)
        finally:
            for process in [client.process for client in clients] + [hub]:
                process.terminate()
                process.wait(30)


if __name__ == "__main__":
    if sys.argv[1:2] == ["client"]:
        run_client(Path(sys.argv[2]), sys.argv[3])
    else:
        measure(int(sys.argv[1]) if sys.argv[1:] else 5000)
