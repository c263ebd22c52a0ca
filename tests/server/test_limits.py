"""Limits: floods are stopped, and other players behind the same address are not affected."""

from __future__ import annotations

import os
import tty

import pytest

from paxtui.cli.hosting import remote_plain
from paxtui.cli.main import main
from paxtui.engine.refusal import Refusal
from paxtui.server import limits, lobby
from paxtui.server.hosted_game import HostedGame
from paxtui.server.limits import ConnectionQuotas, RateLimit
from paxtui.server.notifications import TurnNotifier
from paxtui.session.bot_process import BotProcess
from paxtui.session.pax_host import PaxHost
from paxtui.session.session import SendChat
from paxtui.session.tables.loader import load_tables
from tests.server.waiting import in_movement

TUNNEL = "127.0.0.1"


class Connection:
    """A connection that records whether it was closed."""

    def __init__(self, key: str = "", address: str = TUNNEL) -> None:
        self.key, self.address, self.closed = key, address, False

    def cut_off(self) -> None:
        """Record that the connection was closed."""
        self.closed = True


def connect(quotas: ConnectionQuotas, key: str, is_player: bool) -> tuple[Connection, str]:
    """Begin a session; return its connection and the reason of a refusal."""
    connection = Connection(key)
    quotas.connect(connection)
    quotas.show_key(connection)
    return connection, quotas.begin_session(connection, is_player)


class TestConnections:
    """All connections come through one tunnel."""

    def test_silent_connections_and_visitors_block_no_player(self) -> None:
        reasons: list[str] = []
        quotas = ConnectionQuotas(reasons.append)
        for _ in range(300):
            quotas.connect(Connection())
        held = [connect(quotas, f"stranger {n}", is_player=False) for n in range(300)]
        friends = [connect(quotas, f"friend {n}", is_player=True) for n in range(32)]
        assert not any(refused or friend.closed for friend, refused in friends)
        assert not any(refused for _, refused in held) and not held[-1][0].closed and held[0][0].closed
        assert len(quotas.visitors) == limits.VISITORS_FROM_ONE_ADDRESS
        assert set(reasons) == {"without a session", "visitors"}

    def test_visitors_through_a_tunnel_are_not_counted_by_address(self) -> None:
        """With `serve --via` all have the same address, which the quotas ignore."""
        quotas = ConnectionQuotas()
        for n in range(limits.VISITORS_IN_ALL):
            visitor = Connection(f"visitor {n}", address="")
            quotas.connect(visitor)
            quotas.show_key(visitor)
            assert quotas.begin_session(visitor, is_player=False) == ""
        assert len(quotas.visitors) == limits.VISITORS_IN_ALL > limits.VISITORS_FROM_ONE_ADDRESS

    def test_an_ipv6_network_counts_as_one_address(self) -> None:
        quotas = ConnectionQuotas()
        others = [Connection(address="2001:db8:0:1::7"), Connection(address="::ffff:192.0.2.1")]
        for connection in others:
            quotas.connect(connection)
        for n in range(limits.SILENT_FROM_ONE_ADDRESS + 5):
            quotas.connect(Connection(address=f"2001:db8:0:2:{n:x}::1"))
        assert len(quotas.silent) == limits.SILENT_FROM_ONE_ADDRESS + 2 and not any(one.closed for one in others)

    def test_32_players_reconnect_at_once(self) -> None:
        quotas = ConnectionQuotas()
        arriving = [Connection(f"friend {n}") for n in range(32)]
        for friend in arriving:
            quotas.connect(friend)
        for friend in arriving:
            quotas.show_key(friend)
            assert quotas.begin_session(friend, is_player=True) == ""
        assert not any(friend.closed for friend in arriving)

    def test_visitor_with_a_new_seat_counts_as_player(self) -> None:
        quotas = ConnectionQuotas()
        friend, _ = connect(quotas, "friend", is_player=False)
        quotas.promote(friend)
        for n in range(300):
            connect(quotas, f"stranger {n}", is_player=False)
        assert not friend.closed and friend in quotas.players
        quotas.disconnect(friend, has_key=True)
        assert not quotas.players and "friend" not in quotas.keys

    def test_limits_for_one_key_and_for_the_server(self, monkeypatch) -> None:
        quotas = ConnectionQuotas()
        tries = [connect(quotas, "friend", is_player=True)[1] for _ in range(limits.MOST_PER_KEY + 1)]
        assert not any(tries[:-1]) and "times already" in tries[-1]
        monkeypatch.setattr(limits, "MOST_PLAYERS", limits.MOST_PER_KEY)
        assert "full" in connect(quotas, "another", is_player=True)[1]


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:0:1:2:3:4:5", "2001:db8:0:1::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
        ("ssh-ed25519 AAAA", "ssh-ed25519 AAAA"),
    ],
)
def test_network_of_an_address(address: str, network: str) -> None:
    assert limits.network_of(address) == network


def test_wrong_codes_of_an_ipv6_network_count_together(timed) -> None:
    for n in range(21):
        with pytest.raises(Refusal, match="not valid") as refused:
            timed.ask("redeem", key=f"ssh-ed25519 {n}", code="wrong", name="x", address=f"2001:db8::{n:x}")
    assert refused.value.code == "often_wrong"
    assert timed.ask("status")["limits"] == ["wrong codes, 2001:db8::/64: 21, answers are slowed"]


def test_rate_limit_refills_with_time() -> None:
    now = [0.0]
    allowance = RateLimit(3, 10.0, lambda: now[0])
    for _ in range(3):
        assert allowance.wait_s("x") == 0
        allowance.use("x")
    assert allowance.wait_s("x") == 10 and allowance.wait_s("y") == 0 and allowance.exhausted == {"x": 3}
    now[0] = 10.0
    assert allowance.wait_s("x") == 0
    for _ in range(1000):
        allowance.use("x")
    now[0] = 60.0
    assert allowance.wait_s("x") == 0  # a flood has no effect after that


def test_wrong_codes_do_not_block_valid_codes(timed, capsys) -> None:
    """Behind one address a valid code is always accepted. `status` shows the limit and can clear it."""
    data = str(timed.data_directory.root)

    def guess(key: str, code: str = "wrong"):
        return timed.ask("redeem", key=key, code=code, name="x", address=TUNNEL)

    codes = []
    for n in range(30):
        with pytest.raises(Refusal) as refused:
            guess(f"ssh-ed25519 THIEF{n}")
        codes.append(refused.value.code)
    assert codes[0] == "wrong_code" and codes[-1] == "often_wrong"
    assert main(["status", "--data", data]) == 0
    assert f"wrong codes, {TUNNEL}: 30" in capsys.readouterr().out
    assert guess("ssh-ed25519 ANN", timed.ask("invite", game="friday", seat="france")["code"])["seat"] == "france"
    with pytest.raises(Refusal) as refused:
        guess("ssh-ed25519 BOB")
    assert refused.value.code == "wrong_code"  # reset by success
    for n in range(30):
        with pytest.raises(Refusal):
            guess(f"ssh-ed25519 THIEF{n}")
    with pytest.raises(Refusal) as refused:
        guess("ssh-ed25519 ANN")  # a player's own key has its own count
    assert refused.value.code == "wrong_code"
    timed.ask("turned_away", visitors="3")
    assert main(["status", "--data", data]) == 0
    assert "visitors: 3 connections closed" in capsys.readouterr().out
    assert main(["status", "--data", data, "--clear-limits"]) == 0
    assert "limit:" not in capsys.readouterr().out


def test_dispatches_and_chat_share_a_limit_per_seat(timed) -> None:
    britain, france = timed.session("britain"), timed.session("france")
    in_movement(britain, france)
    sent = 0
    with pytest.raises(Refusal) as refused:
        for n in range(100):
            britain.act_text(f"dispatch france: note {n}")
            sent += 1
    assert refused.value.code == "too_fast" and "Send the next one in 4 seconds" in refused.value.message
    assert sent == 30
    with pytest.raises(Refusal, match="messages in a short time"):
        britain.perform(SendChat("hello"))
    france.receive()
    france.act_text("dispatch britain: one of mine")
    france.perform(SendChat("bonjour"))
    britain.receive()
    britain.act_text("ready")  # orders are no messages
    timed.times.pass_(5)
    britain.perform(SendChat("hello"))


def test_number_of_games_opened_by_a_player_is_limited(running, monkeypatch) -> None:
    monkeypatch.setattr(lobby, "MOST_OPENED", 2)
    running.hub.terms.let_open("known")
    wires = {}
    for name, seat in (("ann", "france"), ("bob", "germany")):
        wires[name] = running.lobby_connection(running.register(name, seat))
    for n in range(2):
        wires["ann"].lobby_request("open", name=f"ann{n}", players="4", seat="france")
    with pytest.raises(Refusal, match="You have opened 2 games that are still running: ann0, ann1"):
        wires["ann"].lobby_request("open", name="ann2", players="4", seat="france")
    wires["bob"].lobby_request("open", name="bob0", players="4", seat="france")
    (running.data_directory.games / "ann0.jsonl").unlink()
    wires["ann"].lobby_request("open", name="ann2", players="4", seat="france")


STACK = "Z" + "\u0301" * 160


def test_names_are_unique_and_combining_marks_limited(running):
    register = running.hub.players
    names = [
        register.name(register.redeem(f"ssh-ed25519 K{n}", register.invite("friday", "france"), name)[0])
        for n, name in enumerate(("ann", "ann", "Ann", STACK))
    ]
    assert names[:3] == ["ann", "ann 2", "Ann 3"] and len(names[3]) == 5
    britain, france = running.session("britain"), running.session("france")
    in_movement(britain, france)
    for act in (
        lambda: britain.perform(SendChat(STACK)),
        lambda: britain.act_text(f"dispatch france: {STACK}"),
        lambda: britain.act_text(f"treaty {STACK[:30]} with france: non-aggression"),
    ):
        with pytest.raises(Refusal, match="at most 4 combining marks"):
            act()
    britain.perform(SendChat("Tiếng Việt, z̃̂"))


def test_admin_commands_print_a_confirmation(running, capsys):
    data = str(running.data_directory.root)
    running.register("a-name-of-16-sign", "france", key="ssh-ed25519 AAAA")
    assert main(["players", "--data", data]) == 0
    assert "a-name-of-16-sign SHA256:" in capsys.readouterr().out
    assert main(["clock", "friday", "--off", "--data", data]) == 0
    assert capsys.readouterr().out == "friday has no clock.\n"


def test_lobby_shows_delayed_positions_to_spectators(timed):
    timed.ask("terms", game="friday", watch="anybody", delay="10")
    france = timed.register("pierre", "france")
    visitor = timed.ask("meet", key="ssh-ed25519 VISITOR", name="x")["player"]
    britain = timed.session("britain")
    timed.times.pass_(60)
    in_movement(britain)

    def phase(player: str) -> tuple[str, bool]:
        wire = timed.lobby_connection(player)
        (table,) = wire.lobby_request("look")["tables"]
        wire.close()
        return table["phase"], any(seat.get("since") for seat in table["seats"])

    assert phase(france) == ("Movement/Status Change", True)
    assert phase(visitor) == ("Random Events", False)
    timed.times.pass_(600)
    assert phase(visitor)[0] == "Movement/Status Change"


@pytest.mark.parametrize("key", [b"\x03", b"\x04"])
def test_ctrl_c_and_ctrl_d_leave_plain_mode(key) -> None:
    """Over SSH the terminal is in raw mode, so ctrl+c sends no signal."""
    master, terminal = os.openpty()
    tty.setraw(terminal)
    saved = os.dup(0)
    try:
        os.dup2(terminal, 0)
        remote_plain._lines_at_the_terminal()
        lines = remote_plain.LineTerminal(0, terminal)
        os.write(master, b"half a li" * (key == b"\x03") + key)
        lines.line()
        assert lines.over
    finally:
        os.dup2(saved, 0)
        for descriptor in (saved, master, terminal):
            os.close(descriptor)


async def test_then_arbiter_asks_the_host() -> None:
    notices: list = []
    table = PaxHost.new(load_tables(), ("britain", "france", "germany", "united_states"), "1898")
    due = TurnNotifier("friday", table, notices.append)
    game = HostedGame("friday", table, BotProcess())
    game.ask_host = due.ask_host
    game._act_for(("france",), "arbiter")
    assert [(a["PAXTUI_SEAT"], a["PAXTUI_ASKS"], a["PAXTUI_LEFT"]) for a in notices] == [("france", "host", "0")]
