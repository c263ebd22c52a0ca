"""The index of standings: a restarted server shows its lobby, always up to date, without reading the logs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from paxtui.server import games, lobby
from paxtui.server.standings import INDEX_FILE
from paxtui.session.lobby import UNREAD, lobby_rows
from paxtui.session.pax_host import PaxHost
from tests.server.suspending_hub import SuspendingHub
from tests.server.waiting import in_movement


@pytest.fixture(scope="module")
def log() -> bytes:
    """Return the log of a game in its first Movement Phase."""
    with TemporaryDirectory(prefix="pax") as root:
        running = SuspendingHub(Path(root) / "data")
        in_movement(running.session("britain"))
        running.suspend()
        running.stop()
        return (running.data_directory.games / "friday.jsonl").read_bytes()


@pytest.fixture
def server(log: bytes, monkeypatch: pytest.MonkeyPatch) -> Iterator[SuspendingHub]:
    """A restarted server with three games. `server.read` lists the logs that it opened."""
    with TemporaryDirectory(prefix="pax") as root:
        running = SuspendingHub(Path(root) / "data")
        running.stop()
        for name in ("friday", "monday", "sunday"):
            (running.data_directory.games / f"{name}.jsonl").write_bytes(log)
        running.start()
        running.do(running.hub.read_games())
        running.stop()
        running.read = []
        open_game = games.open_game
        monkeypatch.setattr(
            games, "open_game", lambda path, **k: running.read.append(path.stem) or open_game(path, **k)
        )
        running.start()
        yield running
        running.stop()


def look(server: SuspendingHub, player: str = ""):
    async def ask():
        return server.hub._lobby.look(player)

    return server.do(ask())


def test_lobby_of_a_restarted_server_reads_no_log(server):
    view = look(server)
    assert [table.name for table in view.tables] == ["friday", "monday", "sunday"]
    assert all("Movement" in table.phase and not table.trouble for table in view.tables)
    assert {game["phase"] for game in server.ask("status")["games"]} == {"movement"}
    assert server.do(server.hub.read_games()) == {} and server.read == []
    assert server.session("france").state.turn == 1
    assert server.read == ["friday"]
    assert look(server).tables[1:] == view.tables[1:]


def test_lobby_is_the_same_without_the_index(server):
    with_index = look(server)
    server.stop()
    (server.data_directory.root / INDEX_FILE).unlink()
    server.start()
    server.do(server.hub.read_games())
    assert look(server) == with_index and set(server.read) == {"friday", "monday", "sunday"}


def test_changed_log_is_read_again(server):
    server.stop()
    path = server.data_directory.games / "monday.jsonl"
    with PaxHost.open(path) as host:
        host.act("france", "ready")
    server.start()
    monday = next(table for table in look(server).tables if table.name == "monday")
    assert server.read == ["monday"]
    assert [seat.seat for seat in monday.seats if not seat.since] == ["france"]


@pytest.mark.parametrize("content", [b"", b"{", b'{"version":"0.0","games":{}}', b'{"version":1}', b"[" * 5000])
def test_damaged_or_older_index_counts_as_empty(server, content):
    server.stop()
    (server.data_directory.root / INDEX_FILE).write_bytes(content)
    server.start()
    server.do(server.hub.read_games())
    assert sorted(server.read) == ["friday", "monday", "sunday"]
    server.stop()
    server.start()
    server.read.clear()
    assert len(look(server).tables) == 3 and server.read == []


def test_game_with_a_clock_is_read_at_the_start(server):
    server.ask("clock", game="sunday", what="set", limits="any=3600")
    server.suspend("sunday")
    server.stop()
    server.start()
    server.read.clear()
    assert "hour" in next(table for table in look(server).tables if table.name == "sunday").clock
    server.do(server.hub.read_games())
    assert server.read == ["sunday"]


def test_lobby_reads_logs_for_a_limited_time(server, monkeypatch):
    server.stop()
    (server.data_directory.root / INDEX_FILE).unlink()
    server.start()
    monkeypatch.setattr(lobby, "LOOK_S", -1.0)
    assert {table.trouble for table in look(server).tables} == {UNREAD} and server.read == []
    rows = lobby_rows(look(server), server.times.now)
    assert rows[0].text == "friday: being read"
    assert look(server, "stranger").tables == ()  # its name is secret for visitors who may not see the game
    server.do(server.hub.read_games())
    assert {table.trouble for table in look(server).tables} == {""}


def test_delayed_spectator_does_not_open_a_suspended_game(server):
    for name in ("friday", "monday", "sunday"):
        server.ask("terms", game=name, watch="anybody", delay="5")
    server.times.pass_(600)
    assert {table.phase for table in look(server, "stranger").tables} == {
        "Movement/Status Change"
    } and server.read == []
    server.session("france").close()
    server.read.clear()
    assert len(look(server, "stranger").tables) == 3 and server.read == []
