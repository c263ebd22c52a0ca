"""Measure a server with many OpenSSH clients on this machine, and the memory of a hub with suspended games.

Each client has its own pseudo-terminal. The time of an act is that from its key to the last byte on any screen.

    python -m tools.bench.hub LOG GAMES

prints the memory, and the time to resume a game, as JSON. It runs in its own process.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from statistics import fmean, median
from time import monotonic, perf_counter, sleep

from paxtui.games.pax.position.setup import seats_for
from paxtui.server import games
from paxtui.server.client import ConnectionLost, HubClient
from paxtui.server.data_directory import DataDirectory
from paxtui.server.hub import Hub
from paxtui.server.metrics import private_memory
from paxtui.session.pax_host import PaxHost
from paxtui.session.storage.extras import install_command
from paxtui.session.tables.loader import load_tables
from tools.bench.core import Sample, percentile
from tools.bench.screen import PATIENCE, QUIET_SETTINGS, TITLE, Client, NoTerminal

GAMES = 200
"""Games of the server."""
AWAKE = 8
"""Games that are awake at once."""
WAKES = 20
"""Games whose waking is measured."""


def measure_asleep(log: Path, count: int = GAMES) -> dict[str, float]:
    """Millions of bytes over an empty hub, and milliseconds, by name. Args: the log of each game; how many.

    Raises: OSError, ValueError, where the process fails.
    """
    words = [sys.executable, "-X", "utf8", "-m", "tools.bench.hub", str(log), str(count)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise OSError(done.stderr[-300:])
    found: dict[str, float] = json.loads(done.stdout)
    return found


async def _memory_figures(house: DataDirectory, log: Path, count: int) -> dict[str, float]:
    hub = Hub(house)
    await hub.listen()
    gc.collect()
    empty = private_memory()
    for n in range(count):
        shutil.copyfile(log, house.games / f"{n}.jsonl")
    games.REST_S = 0.0
    await hub.read_games()
    await asyncio.sleep(0)
    hub.games.rest()
    asleep, opened = private_memory() - empty, hub.games.open
    games.REST_S = 3600.0
    for n in range(AWAKE):
        hub.games.game(str(n))
    awake = private_memory() - empty
    woken = []
    for n in range(AWAKE, AWAKE + WAKES):
        begun = perf_counter()
        hub.games.game(str(n))
        woken.append((perf_counter() - begun) * 1000)
        await asyncio.sleep(0)
        hub.games.rest()
    await hub.close()
    if opened:
        raise OSError(f"{len(opened)} games did not fall asleep")
    return {
        "hub_200_asleep_mb": asleep / 1e6,
        "hub_8_awake_mb": awake / 1e6,
        "hub_wake_ms_p95": percentile(woken, 95),
    }


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="pax") as directory:
        print(
            json.dumps(
                asyncio.run(_memory_figures(DataDirectory(Path(directory) / "h"), Path(sys.argv[1]), int(sys.argv[2])))
            )
        )


SINGLE_RUNS, AT_ONCE, PLAYERS, SCREENS = 5, 16, 8, 32
"""Connections one after the other and at once; clients of players, and of all who look at one table."""
SEATS = 8
"""Seats of the game."""
ACTS = 24
"""Acts that are measured: so many that the first, for which each client prepares much once, is not the percentile."""
STILL = 0.25
"""Seconds without output after which all screens show an act."""
GAME = "bench"
ARROWS = (b"\x1b[C", b"\x1b[B", b"\x1b[D", b"\x1b[A") * 3


class ServedGame:
    """A server with one game of eight, at its first Movement Phase, and a key for each seat. A context manager."""

    def __init__(self, root: Path) -> None:
        self.root, self.data = root, root / "h"
        path = root / f"{GAME}.jsonl"
        options = {"belgium": "yes"} if SEATS == 8 else {}
        with PaxHost.new(load_tables(), seats_for(SEATS), "1898", options, path=path) as table:
            while table.state.phase != "movement":
                table.advance()
            self.seats = table.state.players
        self._log = root / "out"
        words = [sys.executable, "-X", "utf8", "-m", "paxtui.cli.main", "serve", str(path), "--data", str(self.data)]
        with self._log.open("wb") as out:
            self._process = subprocess.Popen(
                [*words, "--listen", "127.0.0.1:0", "--dice", "plain"], stdout=out, stderr=out
            )
        self._port = ""

    def __enter__(self) -> ServedGame:
        """Wait until the server accepts connections, and seat a player at each seat. Raises: NoTerminal."""
        end = monotonic() + 2 * PATIENCE
        while not (found := re.search(r"ssh -p (\d+)[^$]*SHA256", self._log.read_text())):
            if self._process.poll() is not None or monotonic() > end:
                self.__exit__()
                raise NoTerminal(self._log.read_text()[-300:] or "the server has not started")
            sleep(0.05)
        self._port = found[1]
        for seat in self.seats:
            key = self.root / f"key_{seat}"
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True)
            code = self.ask("invite", game=GAME, seat=seat)["code"]
            public = key.with_suffix(".pub").read_text()
            player = self.ask("redeem", key=public, code=code, name=seat)["player"]
            (DataDirectory(self.data).player_directory(player) / "settings.toml").write_text(QUIET_SETTINGS)
        return self

    def __exit__(self, *_: object) -> None:
        self._process.send_signal(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(20)

    def ask(self, ask: str, **about: str) -> dict[str, str]:
        """Ask the hub."""
        wire = HubClient(DataDirectory(self.data).socket)
        try:
            answer: dict[str, str] = wire.admin_request(ask, **about)
        finally:
            wire.close()
        return answer

    def act_ms(self) -> float:
        """Milliseconds within which the hub has done 99 of 100 acts."""
        wire = HubClient(DataDirectory(self.data).socket)
        try:
            return float(wire.admin_request("status")["act_ms"][1])
        finally:
            wire.close()

    def client(self, number: int) -> Client:
        """A client with ssh; the seats in turn, eight from one address."""
        key = self.root / f"key_{self.seats[number % len(self.seats)]}"
        words = [
            "ssh", "-p", self._port, "-i", str(key), "-F", "none", "-b", f"127.0.0.{1 + number // 8}",
            "-o", "IdentitiesOnly=yes", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null",
            "-o", "LogLevel=ERROR", "-o", "SendEnv=COLORTERM", "127.0.0.1",
        ]  # fmt: skip
        return Client(words, self.root)

    def neighbour(self) -> Client:
        """A client without ssh, at the first seat."""
        words = [sys.executable, "-m", "paxtui.cli.main", "join", GAME, self.seats[0], "--data", str(self.data)]
        home = self.root / "neighbour"
        home.mkdir(exist_ok=True)
        (home / "settings.toml").write_text(QUIET_SETTINGS)
        return Client(words, home)

    def pss_mb(self) -> float:
        """The mean memory of a client, in millions of bytes: its own, and its part of what it shares with others."""
        forks = int((self.data / "forks.lock").read_text())
        children = (Path(f"/proc/{forks}/task/{forks}/children")).read_text().split()
        found = []
        for child in children:
            rollup = Path(f"/proc/{child}/smaps_rollup").read_text().splitlines()
            found += [int(line.split()[1]) * 1024 / 1e6 for line in rollup if line.startswith("Pss:")]
        return fmean(found)


def measure_hub(sample: Sample) -> dict[str, float]:
    """The figures of a shared table, by name. Raises: NoTerminal, where something for it is missing."""
    for program in ("ssh", "ssh-keygen"):
        if shutil.which(program) is None:
            raise NoTerminal(f"there is no {program} on this machine")
    if find_spec("asyncssh") is None:
        raise NoTerminal(install_command("ssh"))
    with tempfile.TemporaryDirectory(prefix="pax") as directory, ServedGame(Path(directory)) as served:
        try:
            found = _hub_figures(served)
        except (OSError, ConnectionLost) as error:
            raise NoTerminal(str(error)) from error
    try:
        return {**found, **measure_asleep(sample.path, GAMES)}
    except (OSError, ValueError) as error:
        raise NoTerminal(str(error)) from error


def _hub_figures(served: ServedGame) -> dict[str, float]:
    alone = []
    for _ in range(SINGLE_RUNS):
        with served.client(0) as client:
            alone.append(client.first_frame().ms)
    clients: list[Client] = []
    try:
        start = perf_counter()
        clients += [served.client(n) for n in range(AT_ONCE)]
        at_once = _first_frames(clients) - start
        while len(clients) > PLAYERS:
            clients.pop().end()
        _read_until_quiet(clients)
        players = _act_times(clients)
        extra = _ssh_extra(clients[0], served)
        clients += [served.client(n) for n in range(PLAYERS, SCREENS)]
        _first_frames(clients[PLAYERS:])
        screens = _act_times(clients)
        return {
            "ssh_connect_ms": median(alone),
            "ssh_connect_16_s": at_once,
            "ssh_client_pss_mb": served.pss_mb() if sys.platform == "linux" else 0.0,
            "ssh_key_to_frame_extra_ms": extra,
            "table_act_to_players_ms_p95": percentile(players, 95),
            "table_act_to_last_screen_ms_p95": percentile(screens, 95),
            "hub_act_ms_p99": served.act_ms(),
        }
    finally:
        for client in clients:
            client.end()


def _read_until_quiet(clients: Sequence[Client], wanted: bytes = b"") -> float:
    """Read what all clients write until they are still; the moment of the last byte. Raises: NoTerminal."""
    seen = {client.terminal: bytearray() for client in clients}
    last, end = perf_counter(), perf_counter() + 3 * PATIENCE
    while perf_counter() < end:
        ready, _, _ = select.select(list(seen), [], [], STILL)
        for terminal in ready:
            seen[terminal] += _read(terminal)
            last = perf_counter()
        if not ready and all(wanted in data for data in seen.values()):
            return last
    raise NoTerminal(f"{sum(wanted not in data for data in seen.values())} clients never showed a frame")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError as error:
        raise NoTerminal("a client has ended") from error


def _first_frames(clients: Sequence[Client]) -> float:
    """The moment at which the last of some clients has drawn its first frame. Raises: NoTerminal."""
    return _read_until_quiet(clients, TITLE)


def _act_times(clients: Sequence[Client]) -> list[float]:
    """Milliseconds from the key of an act to the last byte on the last screen, for each act. Raises: NoTerminal."""
    found = []
    for _ in range(ACTS):
        begun = clients[0].press(b"r")
        found.append((_read_until_quiet(clients) - begun) * 1000)
    return found


def _ssh_extra(client: Client, served: ServedGame) -> float:
    """Milliseconds by which a frame comes later over ssh than to a neighbour. Raises: NoTerminal."""
    with served.neighbour() as neighbour:
        _first_frames([neighbour])
        _read_until_quiet([client])
        far: list[float] = []
        near: list[float] = []
        for key in ARROWS:
            for one, times in ((client, far), (neighbour, near)):
                begun = one.press(key)
                times.append((_read_until_quiet([one]) - begun) * 1000)
    return max(0.0, median(far) - median(near))
