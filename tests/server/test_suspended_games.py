"""Suspended games: they are listed as before, are resumed when needed, and lose nothing."""

from __future__ import annotations

import gc
import weakref
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from msgspec import structs

from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import SPECTATOR
from paxtui.server import messages
from paxtui.server.backup import restore_backup
from paxtui.server.client import ConnectionLost
from paxtui.server.games import MOST_AWAKE, REST_S
from paxtui.server.metrics import prometheus_text
from paxtui.session.bot_process import BotProcess, compute_response
from paxtui.session.pax_host import PaxHost
from paxtui.session.session import SendChat
from paxtui.session.tables.loader import load_tables
from tests.server.conftest import POWERS, RunningHub
from tests.server.suspending_hub import SuspendingHub, run_loop_once
from tests.server.waiting import in_movement, wait


@pytest.fixture
def server():
    """A hub with one game, in its first Movement Phase."""
    with TemporaryDirectory(prefix="pax") as root:
        running = SuspendingHub(Path(root) / "data")
        in_movement(running.session("britain"))
        yield running
        running.stop()


def test_suspended_game_is_listed_as_before_and_freed(server, tmp_path):
    server.hub.terms.set("friday", {"watch": "anybody"})
    wire = server.lobby_connection()
    britain = server.session("britain")
    britain.perform(SendChat("good evening"))
    britain.act_text("ready")
    britain.close()
    (before,), there = server.ask("status")["games"], wire.lobby_request("look")
    assert not before["asleep"]
    table = weakref.ref(server.host)
    gc.collect()
    gc.disable()  # the game must be freed without a collection, which would stop every game of the server
    try:
        server.suspend()
        assert table() is None
    finally:
        gc.enable()
    (after,) = server.ask("status")["games"]
    assert after == {**before, "asleep": True, "here": []}
    empty = [{**t, "seats": without_players(t["seats"])} for t in there["tables"]]
    assert wire.lobby_request("look") == {**there, "tables": empty}
    text = prometheus_text(server.hub.admin_api.figures())
    assert "\npaxtui_games_asleep 1\n" in text and "\npaxtui_seats_waited_for 3\n" in text
    assert server.ask("clock", game="friday") == {"told": ""}
    assert server.ask("invite", game="friday", seat="france")["code"]
    with pytest.raises(Refusal):
        server.ask("invite", game="friday", seat="spain")
    server.ask("terms", game="friday", delay="5")
    server.ask("seat", game="friday", seat="germany")
    with pytest.raises(Refusal):
        server.ask("ticket", game="friday", seat="spain")
    assert server.ask("ticket", game="friday", seat=SPECTATOR)["ticket"]
    server.ask("backup", path=str(tmp_path / "all.tar.gz"))
    assert server.hub.games.awake("friday") is None
    assert restore_backup(tmp_path / "all.tar.gz", tmp_path / "again") == ["friday"]
    france = server.session("france")
    assert server.games_of_event("woken") == ["friday"] and "britain" in france.live.ready
    wait(france, lambda: france.chat.lines)
    assert [line.text for line in france.chat.lines] == ["good evening"]
    assert server.hub.games.game("friday").delay == 5


def without_players(seats: list[dict[str, object]]) -> list[dict[str, object]]:
    """Return seats without a connected player."""
    return [{name: value for name, value in seat.items() if name != "here"} for seat in seats]


def test_lobby_lists_tasks_of_a_suspended_game(server):
    ann = server.register("Ann", "france")
    britain = server.session("britain")
    britain.act_text("treaty Entente with france secret: non-aggression")
    wire = server.lobby_connection(ann)
    (awake,) = wire.lobby_request("look")["tables"]
    server.suspend()
    (sleeping,) = wire.lobby_request("look")["tables"]
    assert awake["tasks"] and sleeping["tasks"] == awake["tasks"]
    assert server.hub.games.awake("friday") is None


def test_two_clients_at_once_resume_one_game(server):
    server.suspend()
    with ThreadPoolExecutor(2) as pool:
        britain, france = pool.map(server.session, ("britain", "france"))
    assert server.games_of_event("woken") == ["friday"]
    britain.act_text("ready")
    wait(france, lambda: "britain" in france.live.ready)
    france.act_text("ready")
    britain.close()
    france.close()
    server.suspend()
    assert set(PaxHost.open(server.data_directory.game_file("friday"), write=False).state.ready) == {
        "britain",
        "france",
    }


def test_client_reconnects_to_a_suspended_game(server):
    france = server.session("france")
    server.suspend()
    wait(france, lambda: france.trouble)
    assert france.reconnect()
    france.act_text("ready")
    assert "france" in server.host.state.ready


@pytest.mark.parametrize("order", ["ready", "place influence siam"])
def test_command_repeated_after_suspension_is_stale(server, order):
    table = server.table("france")
    command = messages.Command("mine-1", table.version, messages.Act(order))
    table._client._send(command)
    wait_for_answer(table)
    server.suspend()
    again = server.table("france")
    again._client._send(command)
    answer = wait_for_answer(again)
    assert answer.refusal is not None and answer.refusal.code == "stale"


def wait_for_answer(table) -> messages.CommandResult:
    """Return the hub's answer to a command."""
    while True:
        table._client.wait_for_data()
        for message in table._client.receive():
            if isinstance(message, messages.CommandResult):
                return message


def test_clock_of_a_suspended_game_warns_and_times_out(server):
    warnings = []
    server.hub.games._tell = warnings.append
    server.ask("clock", game="friday", what="set", limits="any=3600", warn="600", then="caretaker")
    server.suspend()
    assert "59 minutes left" in server.ask("clock", game="friday")["told"]
    server.times.pass_(1800)
    server.look()
    assert "29 minutes left" in server.ask("clock", game="friday")["told"]
    assert server.hub.games.awake("friday") is None and not warnings
    server.times.pass_(3600 - 1860 - 600)
    server.look()
    assert server.hub.games.awake("friday") is not None
    assert {said["PAXTUI_LEFT"] for said in warnings} == {"600"} and len(warnings) == 4
    server.suspend()
    server.look()
    assert len(warnings) == 4  # each warning is sent once
    before = PaxHost.open(server.data_directory.game_file("friday"), write=False)
    server.times.pass_(480)
    server.look()
    assert server.hub.games.awake("friday") is None
    server.times.pass_(60)
    server.look()
    game = server.hub.games.awake("friday")
    for _ in range(500):
        server.look()
        if (game.host.state.turn, game.host.state.phase) != (before.state.turn, before.state.phase):
            break
        server.do(run_loop_once())
    lines = [line.action for line in game.host.game.lines[before.version - 1 :]]
    assert [line["type"] for line in lines].count("time_out") == 1
    assert not any(line["type"] == "paused" for line in lines)
    assert (game.host.state.turn, game.host.state.phase) != (before.state.turn, before.state.phase)
    assert game.host.verify() == []


def test_paused_game_stays_paused_while_suspended(server):
    server.ask("clock", game="friday", what="set", limits="any=600")
    server.ask("clock", game="friday", what="pause", why="dinner")
    server.suspend()
    server.times.pass_(10_000)
    server.look()
    assert server.hub.games.awake("friday") is None
    assert server.ask("clock", game="friday")["told"].endswith("Paused: dinner.")
    server.ask("clock", game="friday", what="resume")
    assert 500 < server.hub.games.awake("friday").time.now.left <= 600


def test_game_with_a_client_is_not_suspended(server):
    there = server.session("france")
    server.times.pass_(10 * REST_S)
    server.look()
    assert server.hub.games.awake("friday") is not None
    there.act_text("ready")
    there.close()
    server.suspend()


def test_most_recently_used_idle_games_stay_open(server):
    for n in range(MOST_AWAKE + 3):
        PaxHost.new(load_tables(), POWERS, str(n), path=server.data_directory.games / f"g{n:02}.jsonl").close()
    there = server.session("france")
    wrong = server.do(server.hub.read_games())
    for n in range(MOST_AWAKE + 3):
        server.times.pass_(0.001)
        server.do(open_game(server, f"g{n:02}"))
    for _ in range(20):
        server.do(run_loop_once())
    server.look()
    assert wrong == {}
    awake = {hosted.name for hosted in server.hub.games.open}
    assert awake == {"friday", *(f"g{n:02}" for n in range(3, MOST_AWAKE + 3))}
    assert len(server.ask("status")["games"]) == MOST_AWAKE + 4
    assert {hosted.name for hosted in server.hub.games.open} == awake
    there.act_text("ready")


def test_idle_games_are_suspended_one_at_a_time(server):
    for n in range(MOST_AWAKE + 4):
        PaxHost.new(load_tables(), POWERS, str(n), path=server.data_directory.games / f"g{n:02}.jsonl").close()
        server.do(open_game(server, f"g{n:02}"))
    games = server.hub.games

    async def numbers() -> list[int]:
        return [len(games.open), *(len(games.open) for _ in games.rest_steps())]

    while not all(hosted.is_quiet for hosted in games.open):
        server.do(run_loop_once())
    found = server.do(numbers())
    assert found[-1] == MOST_AWAKE and all(before - after <= 1 for before, after in pairwise(found))


async def open_game(running: RunningHub, name: str) -> None:
    running.hub.games.game(name)


def test_log_changed_during_suspension_is_refused(server):
    path = server.data_directory.game_file("friday")
    server.suspend()
    whole = path.read_bytes()
    path.write_bytes(b"".join(whole.splitlines(keepends=True)[:-1]))
    with pytest.raises(Refusal, match="changed by another program"):
        server.hub.games.game("friday")
    with pytest.raises(ConnectionLost, match="changed by another program"):
        server.table("france")
    assert path.read_bytes() == b"".join(whole.splitlines(keepends=True)[:-1])
    path.write_bytes(whole)
    server.table("france")


def test_log_removed_during_suspension_removes_the_game(server):
    path = server.data_directory.game_file("friday")
    server.suspend()
    path.rename(path.with_suffix(".away"))
    assert server.ask("status")["games"] == []
    with pytest.raises(Refusal, match="no game"):
        server.ask("ticket", game="friday", seat="france")


def test_resuming_a_game_asks_no_bot_again(server):
    asked = []

    class CountingBots(BotProcess):
        """Thinks in this process, and counts the questions."""

        async def think(self, game, question):
            asked.append(question.seat)
            return compute_response(game.rules, structs.replace(question, bot="caretaker"))

    server.hub.games.thinker = server.hub.games.game("friday")._thinker = CountingBots()
    britain = server.session("britain")
    for seat in POWERS[1:]:
        server.ask("sit", game="friday", seat=seat, who="statesman:easy")
    wait(britain, lambda: britain.seats.occupant(POWERS[-1]).by == "bot")
    britain.act_text("dispatch france: what do you think of us")
    britain.act_text("place interest kamerun")  # each bot takes a step after an act of a person
    server.suspend()
    assert set(asked) == set(POWERS[1:])
    asked.clear()
    lines = PaxHost.open(server.data_directory.game_file("friday"), write=False).version
    server.session("britain").close()
    server.suspend()
    assert not asked and server.games_of_event("woken") == ["friday"]
    assert PaxHost.open(server.data_directory.game_file("friday"), write=False).version == lines


def test_unreadable_log_is_named_and_other_games_open(server):
    (server.data_directory.games / "broken.jsonl").write_text("no log\n")
    wrong = server.do(server.hub.read_games())
    assert list(wrong) == ["broken"] and "cannot be opened" in wrong["broken"]
    there = {game["game"]: game for game in server.ask("status")["games"]}
    assert there["friday"]["phase"] == "movement" and "trouble" in there["broken"]


def test_waiting_times_survive_suspension(server):
    france = server.session("france")
    france.act_text("ready")
    server.times.pass_(1000)
    france.undo()
    france.close()
    before = server.ask("status")["games"][0]["since"]
    assert before["france"] > before["germany"]
    server.suspend()
    assert server.ask("status")["games"][0]["since"] == before
    server.session("germany").close()
    assert server.games_of_event("woken") == ["friday"]
    assert server.ask("status")["games"][0]["since"] == before


def test_game_is_not_suspended_while_its_dice_are_made():
    with TemporaryDirectory(prefix="pax") as root:
        running = SuspendingHub(Path(root) / "data", dice="fair")
        britain = running.session("britain")
        britain.advance()
        britain.close()
        game = running.hub.games.game("friday")
        for _ in range(500):
            running.look()
            if not game.subscribers and not game.thinks:
                break
        assert not game.subscribers
        running.times.pass_(REST_S)
        running.look()
        assert running.hub.games.awake("friday") is game  # it waits for words, two minutes at most
        running.times.pass_(240)
        for _ in range(4):
            running.look()
            running.times.pass_(REST_S)
        running.look()
        assert game.host.game.dice.stage == "made" and running.hub.games.awake("friday") is None
        running.stop()
