"""Games that sleep: they are told of as before, wake when they are needed, and nothing of them is lost."""

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
from paxtui.server.client import ConnectionLost, HubClient
from paxtui.server.games import MOST_AWAKE, REST_S
from paxtui.server.metrics import prometheus_text
from paxtui.session.bot_process import BotProcess, compute_response
from paxtui.session.pax_host import PaxHost
from paxtui.session.session import SendChat
from paxtui.session.tables.loader import load_tables
from tests.server.conftest import POWERS, Running
from tests.server.sleepers import Sleepers, go_round
from tests.server.waiting import in_movement, wait


@pytest.fixture
def asleep():
    """A hub with one game, which sleeps after its first Movement Phase has begun."""
    with TemporaryDirectory(prefix="pax") as root:
        running = Sleepers(Path(root) / "house")
        in_movement(running.session("britain"))
        yield running
        running.stop()


def test_a_game_asleep_is_told_of_as_before_and_is_not_in_memory(asleep, tmp_path):
    asleep.hub.terms.set("friday", {"watch": "anybody"})
    wire = HubClient(asleep.data_directory.socket)
    wire.enter_lobby(wire.admin_request("lobby")["ticket"])
    britain = asleep.session("britain")
    britain.perform(SendChat("good evening"))
    britain.act_text("ready")
    britain.close()
    (before,), there = asleep.ask("status")["games"], wire.lobby_request("look")
    assert not before["asleep"]
    table = weakref.ref(asleep.hub.game("friday").host)
    gc.collect()
    gc.disable()  # what it was must go by itself: a collection stops every game of the server
    try:
        asleep.let_sleep()
        assert table() is None
    finally:
        gc.enable()
    (after,) = asleep.ask("status")["games"]
    assert after == {**before, "asleep": True, "here": []}
    empty = [{**t, "seats": _empty(t["seats"])} for t in there["tables"]]
    assert wire.lobby_request("look") == {**there, "tables": empty}
    text = prometheus_text(asleep.hub.admin_api.figures())
    assert "\npaxtui_games_asleep 1\n" in text and "\npaxtui_seats_waited_for 3\n" in text
    assert asleep.ask("clock", game="friday") == {"told": ""}
    assert asleep.ask("invite", game="friday", seat="france")["code"]
    with pytest.raises(Refusal):
        asleep.ask("invite", game="friday", seat="spain")
    asleep.ask("terms", game="friday", delay="5")
    asleep.ask("seat", game="friday", seat="germany")
    with pytest.raises(Refusal):
        asleep.ask("ticket", game="friday", seat="spain")
    assert asleep.ask("ticket", game="friday", seat=SPECTATOR)["ticket"]
    asleep.ask("backup", path=str(tmp_path / "all.tar.gz"))
    assert asleep.hub.games.awake("friday") is None
    assert restore_backup(tmp_path / "all.tar.gz", tmp_path / "again") == ["friday"]
    france = asleep.session("france")
    assert asleep.opened("woken") == ["friday"] and "britain" in france.live.ready
    wait(france, lambda: france.chat.lines)
    assert [line.text for line in france.chat.lines] == ["good evening"]
    assert asleep.hub.game("friday").delay == 5


def _empty(seats: list[dict[str, object]]) -> list[dict[str, object]]:
    """Seats at which nobody is."""
    return [{name: value for name, value in seat.items() if name != "here"} for seat in seats]


def test_what_waits_for_a_player_is_named_while_the_game_sleeps(asleep):
    players = asleep.hub.players
    ann, _, _ = players.redeem("ssh-ed25519 AAAA", players.invite("friday", "france"), "Ann")
    britain = asleep.session("britain")
    britain.act_text("treaty Entente with france secret: non-aggression")
    wire = HubClient(asleep.data_directory.socket)
    wire.enter_lobby(wire.admin_request("lobby", player=ann)["ticket"])
    (awake,) = wire.lobby_request("look")["tables"]
    asleep.let_sleep()
    (sleeping,) = wire.lobby_request("look")["tables"]
    assert awake["tasks"] and sleeping["tasks"] == awake["tasks"]
    assert asleep.hub.games.awake("friday") is None


def test_two_who_come_at_once_find_one_game(asleep):
    asleep.let_sleep()
    with ThreadPoolExecutor(2) as pool:
        britain, france = pool.map(asleep.session, ("britain", "france"))
    assert asleep.opened("woken") == ["friday"]
    britain.act_text("ready")
    wait(france, lambda: "britain" in france.live.ready)
    france.act_text("ready")
    britain.close()
    france.close()
    asleep.let_sleep()
    assert set(PaxHost.open(asleep.data_directory.game_file("friday"), write=False).state.ready) == {
        "britain",
        "france",
    }


def test_a_client_comes_back_to_a_game_that_has_slept(asleep):
    france = asleep.session("france")
    asleep.let_sleep()
    wait(france, lambda: france.trouble)
    assert france.reconnect()
    france.act_text("ready")
    assert "france" in asleep.hub.game("friday").host.state.ready


@pytest.mark.parametrize("order", ["ready", "place influence siam"])
def test_a_command_that_was_done_before_it_slept_is_not_done_again(asleep, order):
    table = asleep.table("france")
    command = messages.Command("mine-1", table.version, messages.Act(order))
    table._client._send(command)
    wait_for_answer(table)
    asleep.let_sleep()
    again = asleep.table("france")
    again._client._send(command)
    answer = wait_for_answer(again)
    assert answer.refusal is not None and answer.refusal.code == "stale"


def wait_for_answer(table) -> messages.CommandResult:
    """What the hub answers."""
    while True:
        table._client.wait_for_data()
        for message in table._client.receive():
            if isinstance(message, messages.CommandResult):
                return message


def test_the_clock_goes_on_warns_wakes_and_acts(asleep):
    told_of = []
    asleep.hub.games._tell = told_of.append
    asleep.ask("clock", game="friday", what="set", limits="any=3600", warn="600", then="caretaker")
    asleep.let_sleep()
    assert "59 minutes left" in asleep.ask("clock", game="friday")["told"]
    asleep.times.pass_(1800)
    asleep.look()
    assert "29 minutes left" in asleep.ask("clock", game="friday")["told"]
    assert asleep.hub.games.awake("friday") is None and not told_of
    asleep.times.pass_(3600 - 1860 - 600)
    asleep.look()
    assert asleep.hub.games.awake("friday") is not None
    assert {said["PAXTUI_LEFT"] for said in told_of} == {"600"} and len(told_of) == 4
    asleep.let_sleep()
    asleep.look()
    assert len(told_of) == 4  # once is enough
    before = PaxHost.open(asleep.data_directory.game_file("friday"), write=False)
    asleep.times.pass_(480)
    asleep.look()
    assert asleep.hub.games.awake("friday") is None
    asleep.times.pass_(60)
    asleep.look()
    game = asleep.hub.games.awake("friday")
    for _ in range(500):
        asleep.look()
        if (game.host.state.turn, game.host.state.phase) != (before.state.turn, before.state.phase):
            break
        asleep.do(go_round())
    lines = [line.action for line in game.host.game.lines[before.version - 1 :]]
    assert [line["type"] for line in lines].count("time_out") == 1
    assert not any(line["type"] == "paused" for line in lines)
    assert (game.host.state.turn, game.host.state.phase) != (before.state.turn, before.state.phase)
    assert game.host.verify() == []


def test_a_game_that_isgo_roundd_sleeps_and_staysgo_roundd(asleep):
    asleep.ask("clock", game="friday", what="set", limits="any=600")
    asleep.ask("clock", game="friday", what="pause", why="dinner")
    asleep.let_sleep()
    asleep.times.pass_(10_000)
    asleep.look()
    assert asleep.hub.games.awake("friday") is None
    assert asleep.ask("clock", game="friday")["told"].endswith("Paused: dinner.")
    asleep.ask("clock", game="friday", what="resume")
    assert 500 < asleep.hub.games.awake("friday").time.now.left <= 600


def test_a_game_that_is_needed_does_not_sleep(asleep):
    there = asleep.session("france")
    asleep.times.pass_(10 * REST_S)
    asleep.look()
    assert asleep.hub.games.awake("friday") is not None
    there.act_text("ready")
    there.close()
    asleep.let_sleep()


def test_of_many_that_are_quiet_a_few_stay_awake_and_those_that_were_needed_last(asleep):
    for n in range(MOST_AWAKE + 3):
        PaxHost.new(load_tables(), POWERS, str(n), path=asleep.data_directory.games / f"g{n:02}.jsonl").close()
    there = asleep.session("france")
    wrong = asleep.do(asleep.hub.read_games())
    for n in range(MOST_AWAKE + 3):
        asleep.times.pass_(0.001)
        asleep.do(_needed(asleep, f"g{n:02}"))
    for _ in range(20):
        asleep.do(go_round())
    asleep.look()
    assert wrong == {}
    awake = {hosted.name for hosted in asleep.hub.games.open}
    assert awake == {"friday", *(f"g{n:02}" for n in range(3, MOST_AWAKE + 3))}
    assert len(asleep.ask("status")["games"]) == MOST_AWAKE + 4
    assert {hosted.name for hosted in asleep.hub.games.open} == awake
    there.act_text("ready")


def test_games_that_are_left_at_once_are_suspended_one_after_the_other(asleep):
    for n in range(MOST_AWAKE + 4):
        PaxHost.new(load_tables(), POWERS, str(n), path=asleep.data_directory.games / f"g{n:02}.jsonl").close()
        asleep.do(_needed(asleep, f"g{n:02}"))
    games = asleep.hub.games

    async def numbers() -> list[int]:
        return [len(games.open), *(len(games.open) for _ in games.rest_steps())]

    while not all(hosted.is_quiet for hosted in games.open):
        asleep.do(go_round())
    found = asleep.do(numbers())
    assert found[-1] == MOST_AWAKE and all(before - after <= 1 for before, after in pairwise(found))


async def _needed(running: Running, name: str) -> None:
    running.hub.game(name)


def test_a_log_that_was_changed_while_the_game_slept_is_not_gone_on_with(asleep):
    path = asleep.data_directory.game_file("friday")
    asleep.let_sleep()
    whole = path.read_bytes()
    path.write_bytes(b"".join(whole.splitlines(keepends=True)[:-1]))
    with pytest.raises(Refusal, match="changed by another program"):
        asleep.hub.game("friday")
    with pytest.raises(ConnectionLost, match="changed by another program"):
        asleep.table("france")
    assert path.read_bytes() == b"".join(whole.splitlines(keepends=True)[:-1])
    path.write_bytes(whole)
    asleep.table("france")


def test_a_game_that_was_taken_away_while_it_slept_is_gone(asleep):
    path = asleep.data_directory.game_file("friday")
    asleep.let_sleep()
    path.rename(path.with_suffix(".away"))
    assert asleep.ask("status")["games"] == []
    with pytest.raises(Refusal, match="no game"):
        asleep.ask("ticket", game="friday", seat="france")


def test_bots_are_not_asked_again_because_a_game_has_slept(asleep):
    asked = []

    class Quick(BotProcess):
        """Thinks here, and is counted."""

        async def think(self, game, question):
            asked.append(question.seat)
            return compute_response(game.rules, structs.replace(question, bot="caretaker"))

    asleep.hub.games.thinker = asleep.hub.game("friday")._thinker = Quick()
    britain = asleep.session("britain")
    for seat in POWERS[1:]:
        asleep.ask("sit", game="friday", seat=seat, who="statesman:easy")
    wait(britain, lambda: britain.seats.occupant(POWERS[-1]).by == "bot")
    britain.act_text("dispatch france: what do you think of us")
    britain.act_text("place interest kamerun")  # each bot takes a step after an act of a person
    asleep.let_sleep()
    assert set(asked) == set(POWERS[1:])
    asked.clear()
    lines = PaxHost.open(asleep.data_directory.game_file("friday"), write=False).version
    asleep.session("britain").close()
    asleep.let_sleep()
    assert not asked and asleep.opened("woken") == ["friday"]
    assert PaxHost.open(asleep.data_directory.game_file("friday"), write=False).version == lines


def test_a_log_that_cannot_be_read_is_named_and_keeps_no_other_game_shut(asleep):
    (asleep.data_directory.games / "broken.jsonl").write_text("no log\n")
    wrong = asleep.do(asleep.hub.read_games())
    assert list(wrong) == ["broken"] and "cannot be opened" in wrong["broken"]
    there = {game["game"]: game for game in asleep.ask("status")["games"]}
    assert there["friday"]["phase"] == "movement" and "trouble" in there["broken"]


def test_since_when_a_seat_is_waited_for_is_no_other_because_the_game_has_slept(asleep):
    france = asleep.session("france")
    france.act_text("ready")
    asleep.times.pass_(1000)
    france.undo()
    france.close()
    before = asleep.ask("status")["games"][0]["since"]
    assert before["france"] > before["germany"]
    asleep.let_sleep()
    assert asleep.ask("status")["games"][0]["since"] == before
    asleep.session("germany").close()
    assert asleep.opened("woken") == ["friday"]
    assert asleep.ask("status")["games"][0]["since"] == before


def test_a_game_whose_dice_are_being_made_does_not_sleep():
    with TemporaryDirectory(prefix="pax") as root:
        running = Sleepers(Path(root) / "house", dice="fair")
        britain = running.session("britain")
        britain.advance()
        britain.close()
        game = running.hub.game("friday")
        for _ in range(500):
            running.look()
            if not game.subscribers and not game.thinks:
                break
        assert not game.subscribers
        running.times.pass_(REST_S)
        running.look()
        assert running.hub.games.awake("friday") is game  # a word is waited for, two minutes at most
        running.times.pass_(240)
        for _ in range(4):
            running.look()
            running.times.pass_(REST_S)
        running.look()
        assert game.host.game.dice.stage == "made" and running.hub.games.awake("friday") is None
        running.stop()
