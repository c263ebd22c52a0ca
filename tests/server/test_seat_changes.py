"""Seats that get another player in the middle of a turn, and visitors with throw-away keys."""

from __future__ import annotations

import pytest

from paxtui.cli.main import main
from paxtui.engine.refusal import Refusal
from paxtui.games.pax.position.setup import seats_for
from paxtui.server import access_control
from paxtui.server.client import ConnectionLost
from paxtui.server.remote_session import RemoteSession
from paxtui.session.pax_host import PaxHost
from paxtui.session.tables.loader import load_tables
from tests.server.conftest import RunningHub
from tests.server.waiting import in_movement, wait

EIGHT = seats_for(8)


def connect_eight_players(running: RunningHub) -> dict[str, RemoteSession]:
    """Connect eight registered players in the Movement Phase."""
    path = running.data_directory.games / "eight.jsonl"
    PaxHost.new(load_tables(), EIGHT, "1898", {"belgium": "yes"}, path=path).close()
    sessions = {}
    for seat in EIGHT:
        sessions[seat] = RemoteSession(running.table(seat, "eight", running.register(seat, seat, "eight")))
    in_movement(*sessions.values())
    return sessions


def test_redeeming_a_code_disconnects_the_former_player(running, capsys):
    sessions = connect_eight_players(running)
    former, germany = sessions["france"], sessions["germany"]
    data = str(running.data_directory.root)
    assert main(["invite", "--data", data, "eight", "france"]) == 0
    output = capsys.readouterr()
    assert "france plays france now and loses the seat" in output.err
    code = output.out.split()[1]
    former.act_text("ready")  # the code has not been used
    player = running.ask("redeem", key="ssh-ed25519 NEWCOMER", code=code, name="Ann")["player"]

    wait(germany, lambda: "france" not in germany.others.connected)
    with pytest.raises((ConnectionLost, Refusal)):
        former.act_text("unready")
    successor = RemoteSession(running.table("france", "eight", player))
    wait(germany, lambda: "france" in germany.others.connected)
    germany.act_text("dispatch france: only for Ann")
    wait(successor, lambda: successor.view.dispatches())
    former.receive()
    assert "given to another player" in former.trouble and not former.game.will_reconnect
    assert not former.view.dispatches()
    assert former.version < successor.version
    others = [sessions[seat] for seat in EIGHT if seat != "france"]
    assert not any(other.trouble for other in others)
    successor.act_text("unready")


def test_invitation_to_a_free_seat_has_no_warning(running, capsys):
    assert main(["invite", "--data", str(running.data_directory.root), "friday", "france"]) == 0
    assert "loses the seat" not in capsys.readouterr().err


def test_throw_away_keys_are_dropped_from_the_register(running, monkeypatch):
    monkeypatch.setattr(access_control, "MOST_UNREGISTERED", 3)
    running.ask("terms", game="friday", watch="anybody")
    first = running.ask("meet", key="ssh-ed25519 KEY0", name="first")["player"]
    home = running.data_directory.player_directory(first)
    ids = [running.ask("meet", key=f"ssh-ed25519 KEY{n}", name="x")["player"] for n in range(1, 9)]
    assert all(ids) and len(running.ask("players")) == 3
    assert not home.exists()
    code = running.ask("invite", game="friday", seat="france")["code"]
    assert running.ask("meet", key="ssh-ed25519 FRIEND", name="ann")["lobby"]  # the lobby asks for the code
    assert running.ask("redeem", key="ssh-ed25519 FRIEND", code=code, name="ann")["seat"] == "france"
    for n in range(20, 30):
        running.ask("meet", key=f"ssh-ed25519 KEY{n}", name="x")
    assert "ann" in {player["name"] for player in running.ask("players")}  # players are never dropped
