"""Kill hubs and restart the database while games are played: `python -m tools.many_hubs [--games 300] [--kills 20]`.

Three hubs share a database that this program starts (Debian's PostgreSQL, fsync on). A player of each game acts all the
time, through any of the hubs. First the same load runs on three hubs with files, for comparison. At the end each log is
compared with what its player was told: nothing that was acknowledged may be missing, and nothing may be there twice.
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import signal
import socket
import sys
import time
from contextlib import suppress
from itertools import count
from pathlib import Path
from random import Random
from statistics import median
from tempfile import mkdtemp
from typing import Any

import msgspec

from paxtui.engine.log import digest
from paxtui.server import messages
from paxtui.server.client import HubClient
from paxtui.server.data_directory import DataDirectory
from paxtui.server.hub import Hub
from paxtui.server.messages import MAX_HUB_MESSAGE, FrameReader, frame_message
from paxtui.server.postgres.database import Database
from paxtui.server.postgres.hubs import PostgresPeers
from paxtui.server.postgres.storage import PostgresStorage
from paxtui.server.storage_copy import copy_storage, share_keys
from paxtui.session.game_host import SeatLog
from paxtui.session.hosts import open_game
from paxtui.session.pax_host import PaxHost
from paxtui.session.storage.interface import FILES, Storage
from paxtui.session.tables.loader import load_tables
from tests.server.conftest import POWERS
from tests.server.postgres import PostgresServer

SEAT = "france"
"""The seat that acts."""

ORDER = {"type": "place", "marker": "influence", "area": "siam"}
"""What it does, and takes back again."""

HUBS = 3

RETRY_S = 0.2
"""Seconds before a player tries the next hub."""

ANSWER_S = 20.0
"""Seconds after which a player gives up a hub that does not answer."""

FIRST_AGAIN_S, LAST_AGAIN_S = 1.0, 4.0
"""Shortest and longest time before a killed hub starts again, in seconds."""


# --- hubs -------------------------------------------------------------------------------------------------------------


async def serve(root: Path, url: str, port: int) -> None:
    """Run a hub without SSH until the process ends. Args: data directory; database, "" for files; port of the link."""
    storage: Storage = FILES
    peers = None
    if url:
        database = PostgresStorage(Database(url), root)
        share_keys(database, root)
        storage, peers = database, PostgresPeers(database)
    hub = Hub(DataDirectory(root, storage), dice="plain", peers=peers)
    if peers is not None:
        await hub.join_peers("127.0.0.1", port)
    await hub.listen()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, hub.admin_api.over.set)
    wrong = await hub.read_games()
    if wrong:
        print(f"{root.name}: {next(iter(wrong.values()))}", file=sys.stderr, flush=True)
    await hub.admin_api.over.wait()
    await hub.close()


class HubProcess:
    """A hub that is started and killed.

    Attributes:
        root: its data directory.
        port: port of the link; 0 with files.
    """

    def __init__(self, root: Path, url: str = "") -> None:
        self.root, self._url = root, url
        self.port = _free_port() if url else 0
        self._process: asyncio.subprocess.Process | None = None

    @property
    def socket(self) -> Path:
        """Its socket."""
        return self.root / "hub.sock"

    async def start(self) -> None:
        """Start it, and wait until it answers."""
        words = [sys.executable, "-m", "tools.many_hubs", "--hub", str(self.root), self._url, str(self.port)]
        self._process = await self._spawn(words)
        while True:
            with suppress(OSError):
                _, writer = await asyncio.open_unix_connection(str(self.socket))
                return writer.close()
            if self._process.returncode is not None:  # the database was away
                self._process = await self._spawn(words)
            await asyncio.sleep(0.05)

    async def _spawn(self, words: list[str]) -> asyncio.subprocess.Process:
        """Start a process in a session of its own, which Linux gives a share of the processors of its own."""
        return await asyncio.create_subprocess_exec(*words, start_new_session=True)

    async def kill(self, number: int = signal.SIGKILL) -> None:
        """End it, without farewell by default."""
        assert self._process is not None
        with suppress(ProcessLookupError):
            self._process.send_signal(number)
        await self._process.wait()

    def ask(self, ask: str, **about: str) -> Any:
        """Send an administrative request."""
        client = HubClient(self.socket)
        try:
            return client.admin_request(ask, **about)
        finally:
            client.close()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


# --- players ----------------------------------------------------------------------------------------------------------


class _Line(msgspec.Struct):
    """The fields of a log line that the trial reads."""

    n: int
    kind: str = "act"
    seat: str = ""


class Player:
    """A player who acts again and again, and connects again through the next hub when a connection ends.

    Args:
        game: name of the game.
        hubs: where the player may connect, the preferred one first.
        random: for the pauses.

    Attributes:
        lines: the lines of the seat's log, the header first.
        acknowledged: numbers of the seat's lines that answered an order.
        times: seconds from order to answer.
        joined_at: when the player was last let in, monotonic.
        found: orders without an answer that were carried out; `lost`: those that were not.
        refused: messages of refusals and failures.
    """

    def __init__(self, game: str, hubs: list[HubProcess], random: Random) -> None:
        self.game = game
        self.lines: list[bytes] = []
        self.acknowledged: list[int] = []
        self.times: list[float] = []
        self.joined_at = 0.0
        self.found = self.lost = 0
        self.refused: list[str] = []
        self.ticket = ""
        self.pace_s = 1.0
        self._hubs, self._random = hubs, random
        self._ids = count(1)
        self._sent_after = 0  # number of lines when an order was sent that has no answer yet
        self._is_placed = False

    async def play(self) -> None:
        """Act until cancelled."""
        for n in count():
            with suppress(OSError, asyncio.IncompleteReadError, TimeoutError):
                await self._play_at(self._hubs[n % len(self._hubs)])
            await asyncio.sleep(RETRY_S)

    async def _play_at(self, hub: HubProcess) -> None:
        """Act until the connection ends."""
        reader, writer = await asyncio.open_unix_connection(str(hub.socket))
        frames, received = FrameReader(MAX_HUB_MESSAGE), list[messages.ToClient]()

        async def next_message(patience_s: float = ANSWER_S) -> messages.ToClient:
            async with asyncio.timeout(patience_s):
                while not received:
                    data = await reader.read(1 << 16)
                    if not data:
                        raise ConnectionError
                    received.extend(map(messages.read_by_client, frames.take(data)))
            return received.pop(0)

        async def pause(seconds: float) -> None:
            until = time.monotonic() + seconds
            with suppress(TimeoutError):
                while True:
                    message = await next_message(until - time.monotonic())
                    if isinstance(message, messages.LogLines):
                        self._take(message.lines)
                    elif isinstance(message, messages.Goodbye):
                        raise ConnectionError

        def send(message: messages.ToHub) -> None:
            writer.write(frame_message(messages.encode(message)))

        try:
            if not self.ticket:
                send(messages.AdminRequest(messages.VERSION, "ticket", {"game": self.game, "seat": SEAT}))
                reply = await next_message()
                if not isinstance(reply, messages.Reply) or "ticket" not in reply.answer:
                    return
                self.ticket = str(reply.answer["ticket"])
            tip = digest(self.lines[-1]) if self.lines else ""
            send(messages.JoinGame(messages.VERSION, self.ticket, len(self.lines), tip))
            while not isinstance(message := await next_message(), messages.Welcome):
                if isinstance(message, messages.Goodbye):
                    return
            if message.header:
                self.lines = [message.header]
            self._take(message.lines)
            self.joined_at = time.monotonic()
            self._settle()
            while True:
                await pause(self._random.uniform(0.5, 1.5) * self.pace_s)
                operation = messages.Undo() if self._is_placed else messages.Act(ORDER)
                command = messages.Command(f"{self.game} {next(self._ids)}", len(self.lines), operation)
                self._sent_after = len(self.lines)
                began = time.perf_counter()
                send(command)
                while not isinstance(message := await next_message(), messages.CommandResult):
                    if isinstance(message, messages.LogLines):
                        self._take(message.lines)
                    elif isinstance(message, messages.Goodbye):
                        return
                self._sent_after = 0
                if message.refusal is None and not message.failed:
                    self.times.append(time.perf_counter() - began)
                    self.acknowledged.append(message.line)
                else:
                    self.refused.append(message.failed or (message.refusal.message if message.refusal else ""))
        finally:
            writer.close()

    def _take(self, lines: bytes) -> None:
        for line in lines.splitlines(keepends=True):
            self.lines.append(line)
            said = msgspec.json.decode(line, type=_Line)
            if said.seat == SEAT:
                self._is_placed = said.kind == "act"

    def _settle(self) -> None:
        """Find out what became of an order without an answer."""
        if self._sent_after:
            was_done = len(self.lines) > self._sent_after
            self.found, self.lost = self.found + was_done, self.lost + (not was_done)
            self._sent_after = 0


# --- the trial --------------------------------------------------------------------------------------------------------


def make_games(root: Path, number: int) -> None:
    """Write games that stand in their first Movement Phase."""
    games, tables = DataDirectory(root).games, load_tables()
    for n in range(number):
        with PaxHost.new(tables, POWERS, str(n), path=games / f"g{n}.jsonl") as table:
            while table.state.phase != "movement":
                table.advance()


async def run_load(players: list[Player], seconds: float) -> list[float]:
    """Let the players act for a time; return their waiting times, when all have been let in."""
    for player in players:
        player.joined_at = 0.0
    tasks = [asyncio.create_task(player.play()) for player in players]
    while any(not player.joined_at for player in players):
        await asyncio.sleep(0.5)
    await asyncio.sleep(seconds / 5)
    for player in players:
        player.times.clear()
    await asyncio.sleep(seconds)
    await _stop(tasks)
    return [taken for player in players for taken in player.times]


async def _stop(tasks: list[asyncio.Task[None]]) -> None:
    waiting = set(tasks)
    while waiting:  # a task may miss one cancellation while something arrives
        for task in waiting:
            task.cancel()
        _, waiting = await asyncio.wait(waiting, timeout=1)


def describe(times: list[float]) -> str:
    """Return number, median and 99th percentile of waiting times."""
    times = sorted(times)
    return f"{len(times)} acts, median {median(times) * 1000:.1f} ms, p99 {percentile(times) * 1000:.1f} ms"


def percentile(times: list[float]) -> float:
    """Return the 99th percentile."""
    return sorted(times)[int(len(times) * 0.99)]


def act_p99_ms(hubs: list[HubProcess]) -> float:
    """Return the largest 99th percentile of the time of an act inside the hubs, in milliseconds."""
    return max(float(hub.ask("status")["act_ms"][1]) for hub in hubs)


class Trial:
    """The games on three hubs with files and on three hubs with a database, under the same load."""

    def __init__(self, root: Path, url: str, games: int, pace_s: float) -> None:
        self._url, self._pace_s = url, pace_s
        self.random = Random(27)
        names = [f"g{n}" for n in range(games)]
        make_games(root / "all", games)
        self._storage = PostgresStorage(Database(url), root / "all")
        copy_storage(FILES, root / "all", self._storage, root / "all")
        self.file_hubs = [HubProcess(root / f"files{n}") for n in range(HUBS)]
        self.hubs = [HubProcess(root / f"db{n}", url) for n in range(HUBS)]
        self.file_players, self.players = [], []
        for hub in [*self.file_hubs, *self.hubs]:
            DataDirectory(hub.root)
        for n, name in enumerate(names):
            shutil.copy(root / f"all/games/{name}.jsonl", self.file_hubs[n % HUBS].root / "games")
            self.file_players.append(Player(name, [self.file_hubs[n % HUBS]], self.random))
            order = self.hubs[n % HUBS :] + self.hubs[: n % HUBS]
            self.players.append(Player(name, order, self.random))
        for player in [*self.file_players, *self.players]:
            player.pace_s = pace_s

    async def wait_until_read(self) -> None:
        """Wait until the hubs have read all games."""
        while self._storage.query("SELECT 1 FROM paxtui.games WHERE hub IS NULL LIMIT 1"):
            await asyncio.sleep(0.5)
        for hub in self.file_hubs:
            while any("year" not in game for game in (await asyncio.to_thread(hub.ask, "status"))["games"]):
                await asyncio.sleep(0.5)

    async def compare(self, seconds: float, rounds: int) -> None:
        """Run the same load on files and on the database, in turn, and print the waiting times."""
        times: dict[str, list[float]] = {"files": [], "database": []}
        for _ in range(rounds):
            for place, players in (("files", self.file_players), ("database", self.players)):
                times[place] += await run_load(players, seconds)
        inside = {"files": act_p99_ms(self.file_hubs), "database": act_p99_ms(self.hubs)}
        for place, found in times.items():
            print(f"{place:9} {describe(found)}; inside the hub p99 {inside[place]:.1f} ms", flush=True)
        ratio = percentile(times["database"]) / percentile(times["files"])
        within = inside["database"] / inside["files"]
        print(f"ratio of the p99: {ratio:.2f} for the player, {within:.2f} inside the hub", flush=True)

    async def kill_hubs(self, server: PostgresServer, kills: int, interval_s: float) -> None:
        """Kill hubs during acts, restart the database twice, and print how long the games stood still."""
        tasks = [asyncio.create_task(player.play()) for player in self.players]
        await asyncio.sleep(2 * interval_s)
        gaps: list[float] = []
        restarts = {kills // 3: "fast", 2 * kills // 3: "immediate"}
        starting: list[asyncio.Task[None]] = []
        for n in range(kills):
            if mode := restarts.get(n):
                began = time.monotonic()
                await asyncio.to_thread(server.stop, mode)
                await asyncio.to_thread(server.start)
                up = time.monotonic()
                before = {player.game: len(player.acknowledged) for player in self.players}
                waits: list[float] = []
                while any(still := [len(player.acknowledged) == before[player.game] for player in self.players]):
                    if not waits and not all(still):
                        waits.append(time.monotonic() - up)
                    await asyncio.sleep(0.1)
                told = f"database restarted ({mode}, down {up - began:.1f} s): first act after {waits[0]:.1f} s more"
                print(f"{told}, all games have acted after {time.monotonic() - up:.1f} s", flush=True)
            holders = {hub: set(self._games_of(hub)) for hub in self.hubs}
            hub = self.random.choice([hub for hub in self.hubs if holders[hub]])
            held = holders[hub]
            began = time.monotonic()
            await hub.kill()
            starting.append(asyncio.create_task(self._start_again(hub)))
            await asyncio.sleep(interval_s)
            waits = [player.joined_at - began for player in self.players if player.game in held]
            while any(wait < 0 for wait in waits):
                await asyncio.sleep(0.1)
                waits = [player.joined_at - began for player in self.players if player.game in held]
            gaps += waits
            worst = f"; median {median(waits):.1f} s, longest {max(waits):.1f} s" if waits else ""
            print(f"kill {n + 1}: {len(held)} games taken over{worst}", flush=True)
            await asyncio.gather(*starting)
            starting.clear()
        await _stop(tasks)
        late = sum(gap > 5 for gap in gaps)
        print(f"{len(gaps)} games taken over: median {median(gaps):.1f} s, longest {max(gaps):.1f} s, {late} above 5 s")

    async def _start_again(self, hub: HubProcess) -> None:
        await asyncio.sleep(self.random.uniform(FIRST_AGAIN_S, LAST_AGAIN_S))
        await hub.start()

    def _games_of(self, hub: HubProcess) -> list[str]:
        """Return the games of a hub."""
        rows = self._storage.query(
            "SELECT name FROM paxtui.games WHERE hub = (SELECT max(id) FROM paxtui.hubs WHERE address = %s)",
            (f"127.0.0.1:{hub.port}",),
        )
        return [name for (name,) in rows]

    def check(self) -> int:
        """Compare each log with what its player was told; return the number of faults."""
        self._storage.database.wait_for_connection()
        faults = acknowledged = 0
        for player in self.players:
            host = open_game(self._storage.path(f"games/{player.game}.jsonl"), write=False, storage=self._storage)
            whole = SeatLog(host, SEAT).whole()
            acts = sum(line.seat == SEAT and line.kind in ("act", "undo") for line in host.game.lines_after(1))
            told = len(player.acknowledged) + player.found + bool(player._sent_after)
            lines = len(whole.splitlines())
            wrong = [
                *(["lines that the player was sent are missing"] * (not whole.startswith(b"".join(player.lines)))),
                *(["acknowledged lines are missing"] * (max(player.acknowledged, default=0) > lines)),
                *([f"{acts} acts, and {told} were told"] * (not told - bool(player._sent_after) <= acts <= told)),
                *(["the log does not verify"] * bool(host.verify())),
            ]
            faults += bool(wrong)
            acknowledged += len(player.acknowledged)
            for one in wrong:
                print(f"{player.game}: {one}")
        found, lost = sum(p.found for p in self.players), sum(p.lost for p in self.players)
        print(f"{acknowledged} orders acknowledged; without an answer: {found} carried out, {lost} not")
        refused = [message for player in self.players for message in player.refused]
        print(f"{len(refused)} refused or failed: {', '.join(sorted(set(refused))) or '-'}")
        print(f"{len(self.players)} games compared with their players: {faults} with faults", flush=True)
        return faults


async def run(options: argparse.Namespace) -> int:
    """Run the trial; return the number of faults."""
    server = PostgresServer()
    root = Path(mkdtemp(prefix="paxhubs"))
    trial = Trial(root, server.url(), options.games, options.pace)
    try:
        await asyncio.gather(*(hub.start() for hub in [*trial.file_hubs, *trial.hubs]))
        await trial.wait_until_read()
        await trial.compare(options.seconds, options.rounds)
        for hub in trial.file_hubs:
            await hub.kill(signal.SIGTERM)
        await trial.kill_hubs(server, options.kills, options.interval)
        return trial.check()
    finally:
        for hub in [*trial.hubs, *trial.file_hubs]:
            with suppress(AssertionError):
                await hub.kill()
        server.close()
        shutil.rmtree(root, ignore_errors=True)


def main() -> int:
    """Run the trial, or a hub of it."""
    if sys.argv[1:2] == ["--hub"]:
        asyncio.run(serve(Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])))
        return 0
    part = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    part.add_argument("--games", type=int, default=300, help="number of games")
    part.add_argument("--kills", type=int, default=20, help="number of kills")
    part.add_argument("--pace", type=float, default=5.0, help="seconds between two acts of a game")
    part.add_argument("--seconds", type=float, default=30.0, help="seconds of each comparison")
    part.add_argument("--rounds", type=int, default=2, help="number of comparisons")
    part.add_argument("--interval", type=float, default=8.0, help="seconds between two kills")
    return min(1, asyncio.run(run(part.parse_args())))


if __name__ == "__main__":
    sys.exit(main())
