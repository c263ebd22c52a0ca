"""The index of standings: a restarted server shows its lobby without reading the logs, and no old position."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from paxtui.server import games, lobby
from paxtui.server.standings import INDEX_FILE
from paxtui.session.lobby import UNREAD, lobby_rows
from paxtui.session.pax_host import PaxHost
from tests.server.sleepers import Sleepers
from tests.server.waiting import in_movement


@pytest.fixture(scope="module")
def log() -> bytes:
    """The log of a game in its first Movement Phase."""
    with TemporaryDirectory(prefix="pax") as root:
        running = Sleepers(Path(root) / "house")
        in_movement(running.session("britain"))
        running.let_sleep()
        running.stop()
        return (running.data_directory.games / "friday.jsonl").read_bytes()


@pytest.fixture
def house(log: bytes, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sleepers]:
    """A server with three games that has been stopped and started again. `house.read` lists the logs that it opened."""
    with TemporaryDirectory(prefix="pax") as root:
        running = Sleepers(Path(root) / "house")
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


def look(house: Sleepers, player: str = ""):
    async def ask():
        return house.hub._lobby.look(player)

    return house.do(ask())


def test_the_lobby_of_a_restarted_server_reads_no_log(house):
    view = look(house)
    assert [table.name for table in view.tables] == ["friday", "monday", "sunday"]
    assert all("Movement" in table.phase and not table.trouble for table in view.tables)
    assert {game["phase"] for game in house.ask("status")["games"]} == {"movement"}
    assert house.do(house.hub.read_games()) == {} and house.read == []
    assert house.session("france").state.turn == 1
    assert house.read == ["friday"]
    assert look(house).tables[1:] == view.tables[1:]


def test_the_same_is_shown_with_and_without_the_index(house):
    with_index = look(house)
    house.stop()
    (house.data_directory.root / INDEX_FILE).unlink()
    house.start()
    house.do(house.hub.read_games())
    assert look(house) == with_index and set(house.read) == {"friday", "monday", "sunday"}


def test_a_log_that_has_grown_is_read_again(house):
    house.stop()
    path = house.data_directory.games / "monday.jsonl"
    with PaxHost.open(path) as host:
        host.act("france", "ready")
    house.start()
    monday = next(table for table in look(house).tables if table.name == "monday")
    assert house.read == ["monday"]
    assert [seat.seat for seat in monday.seats if not seat.since] == ["france"]


@pytest.mark.parametrize("content", [b"", b"{", b'{"version":"0.0","games":{}}', b'{"version":1}', b"[" * 5000])
def test_a_damaged_or_older_index_counts_as_empty(house, content):
    house.stop()
    (house.data_directory.root / INDEX_FILE).write_bytes(content)
    house.start()
    house.do(house.hub.read_games())
    assert sorted(house.read) == ["friday", "monday", "sunday"]
    house.stop()
    house.start()
    house.read.clear()
    assert len(look(house).tables) == 3 and house.read == []


def test_a_game_with_a_clock_is_read_at_the_start_so_that_its_time_goes_on(house):
    house.ask("clock", game="sunday", what="set", limits="any=3600")
    house.let_sleep("sunday")
    house.stop()
    house.start()
    house.read.clear()
    assert "hour" in next(table for table in look(house).tables if table.name == "sunday").clock
    house.do(house.hub.read_games())
    assert house.read == ["sunday"]


def test_a_look_reads_logs_for_a_short_time_and_names_the_rest(house, monkeypatch):
    house.stop()
    (house.data_directory.root / INDEX_FILE).unlink()
    house.start()
    monkeypatch.setattr(lobby, "LOOK_S", -1.0)
    assert {table.trouble for table in look(house).tables} == {UNREAD} and house.read == []
    rows = lobby_rows(look(house), house.times.now)
    assert rows[0].text == "friday: being read"
    assert look(house, "stranger").tables == ()  # who may not see a game does not learn its name
    house.do(house.hub.read_games())
    assert {table.trouble for table in look(house).tables} == {""}


def test_a_delayed_spectator_sees_a_suspended_game_without_opening_it(house):
    for name in ("friday", "monday", "sunday"):
        house.ask("terms", game=name, watch="anybody", delay="5")
    house.times.pass_(600)
    assert {table.phase for table in look(house, "stranger").tables} == {"Movement/Status Change"} and house.read == []
    house.session("france").close()
    house.read.clear()
    assert len(look(house, "stranger").tables) == 3 and house.read == []
