"""A game on a hub: each client receives the acts that its seat may know, and nothing else."""

from __future__ import annotations

import asyncio
import socket
import threading

import pytest
from msgspec import structs

from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import SPECTATOR
from paxtui.server import messages
from paxtui.server.client import ConnectionLost
from paxtui.server.messages import MAX_CLIENT_MESSAGE, frame_message
from paxtui.server.remote_game import open_remote_game
from paxtui.session.bot_process import BotProcess, compute_response
from tests.server.waiting import in_movement, wait


def test_seat_receives_its_log_without_the_seed(running):
    table = running.table("france")
    assert table.game.header.seed == ""
    assert table.state == running.host.state_for("france")


def test_act_reaches_other_clients(running):
    britain, france = running.session("britain"), running.session("france")
    changes = []
    france.listen(changes.append)
    wait(france, lambda: france.others.connected == ("britain",))
    in_movement(britain, france)
    britain.act_text("ready")
    wait(france, lambda: "britain" in france.live.ready)
    assert france.live == running.host.state_for("france")
    assert [event for change in changes for event in change.events]


def test_secret_treaty_reaches_only_its_parties(running):
    britain, france, germany = (running.session(seat) for seat in ("britain", "france", "germany"))
    in_movement(britain, france, germany)
    before = germany.version
    britain.act_text("treaty Entente with france secret: non-aggression")
    wait(france, lambda: france.live.treaties)
    britain.act_text("ready")
    wait(germany, lambda: "britain" in germany.live.ready)
    assert germany.live.treaties == ()
    assert germany.version == before + 1  # its numbers of lines do not count the draft
    assert b"Entente" not in running.hub.games.game("friday").log_of("germany").whole()
    assert b"Entente" in running.hub.games.game("friday").log_of("france").whole()


def test_refusal_is_sent_unchanged(running):
    britain = running.session("britain")
    with pytest.raises(Refusal) as there:
        britain.act_text("ready")
    with pytest.raises(Refusal) as here:
        running.host.play("britain", "ready")
    for name in ("code", "rules", "message", "detail"):
        assert getattr(there.value, name) == getattr(here.value, name)


def test_stale_act_is_refused(running):
    britain, france = running.table("britain"), running.table("france")
    while britain.state.phase != "movement":
        britain.wait(britain.advance())
    with pytest.raises(Refusal) as refused:
        france.wait(france.command(messages.Act("ready")))
    assert refused.value.code == "stale"
    france.receive()
    france.wait(france.command(messages.Act("ready")))


def send_at_once(running, orders: dict[str, str]) -> dict[str, Refusal | None]:
    """Send an order of each seat before any of them has received another's; return the refusals."""
    sessions = {seat: running.session(seat) for seat in orders}
    in_movement(*sessions.values())
    refused: dict[str, Refusal | None] = {}
    for seat, order in orders.items():
        try:
            sessions[seat].game.wait(sessions[seat].game.command(messages.Act(order)))
            refused[seat] = None
        except Refusal as refusal:
            refused[seat] = refusal
    return refused


def test_independent_orders_at_once_are_all_carried_out(running):
    orders = {
        "britain": "place influence siam",
        "france": "place influence marocco",
        "germany": "place interest kamerun",
        "united_states": "dispatch france: good luck",
    }
    refused = send_at_once(running, orders)
    assert not any(refused.values()), refused
    table = running.host
    assert [line.action["type"] for line in table.game.lines[-4:]].count("place") == 3
    assert table.verify() == []


def test_all_seats_can_be_ready_at_once(running):
    assert not any(send_at_once(running, {"britain": "ready", "france": "ready", "germany": "ready"}).values())
    assert running.host.state.ready == ("britain", "france", "germany")


def test_refusal_of_a_stale_order_says_what_changed(running):
    refused = send_at_once(running, {"britain": "place influence marocco", "france": "ready"})
    assert refused["britain"] is None
    assert refused["france"].code == "stale"
    assert refused["france"].message.startswith("The game changed while you typed (Great Britain")
    assert "Marocco" in refused["france"].message and refused["france"].message.endswith("give it again.")


def test_repeated_command_is_answered_but_not_repeated(running):
    table = running.table("britain")
    command = messages.Command("mine-1", table.version, messages.Advance())
    answers = []
    for _ in range(2):
        table._client._send(command)
        while not answers or not isinstance(answers[-1], messages.CommandResult):
            table._client.wait_for_data()
            answers += table._client.receive()
        answers.append(None)
    assert [a for a in answers if isinstance(a, messages.CommandResult)] == [messages.CommandResult("mine-1", 2)] * 2
    assert running.host.version == 2


def test_undo_over_a_connection(running):
    britain, france = running.session("britain"), running.session("france")
    in_movement(britain, france)
    britain.act_text("ready")
    britain.undo()
    wait(france, lambda: france.version >= 4)
    assert "britain" not in france.live.ready
    assert france.live == running.host.state_for("france")


def test_orders_of_a_spectator_are_refused(running):
    table = running.table(SPECTATOR)
    with pytest.raises(Refusal) as refused:
        table.wait(table.command(messages.Act("ready")))
    assert refused.value.code == "not_a_player"


def test_client_reconnects_to_a_restarted_hub(running):
    france = running.session("france")
    running.stop()
    wait(france, lambda: france.trouble)
    assert not france.reconnect()
    with pytest.raises(ConnectionLost):
        france.act_text("ready")
    running.start()
    britain = running.session("britain")
    in_movement(britain)
    assert france.reconnect()
    assert france.live.phase == "movement"
    assert not france.trouble
    france.act_text("ready")
    assert "france" in running.host.state.ready


class TestBadClients:
    """Only the sender is refused; other clients are not affected."""

    def raw(self, running) -> socket.socket:
        """Open a connection that has sent nothing yet."""
        sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        sock.settimeout(5)
        sock.connect(str(running.data_directory.socket))
        return sock

    def goodbye_reason(self, sock: socket.socket) -> str:
        """Return the reason in the hub's last message."""
        data = b""
        while piece := sock.recv(65536):
            data += piece
        received = []
        while data:
            length = int.from_bytes(data[:4], "big")
            received.append(messages.read_by_client(data[4 : 4 + length]))
            data = data[4 + length :]
        assert isinstance(received[-1], messages.Goodbye)
        return received[-1].reason

    @pytest.mark.parametrize(
        ("sent", "reason"),
        [
            (frame_message(b"\xc1"), "malformed"),
            (frame_message(b""), "malformed"),
            ((MAX_CLIENT_MESSAGE + 1).to_bytes(4, "big"), "too long"),
            (frame_message(messages.encode(messages.Command("1", 1, messages.Advance()))), "Join a game first"),
            (frame_message(messages.encode(messages.JoinGame(99, "x"))), "version"),
            (frame_message(messages.encode(messages.JoinGame(messages.VERSION, "00.00"))), "ticket is not from"),
            (frame_message(messages.encode(messages.JoinGame(messages.VERSION, "zz"))), "ticket is not from"),
        ],
    )
    def test_bad_message_is_refused_with_a_reason(self, running, sent, reason):
        sock = self.raw(running)
        sock.sendall(sent)
        assert reason in self.goodbye_reason(sock)
        running.session("france")  # others can still connect

    def test_forged_ticket_is_refused(self, running):
        ticket = running.ask("ticket", game="friday", seat="france")["ticket"]
        said, _, sign = ticket.partition(".")
        forged = said.replace(b"france".hex(), b"BRITAN".hex())
        with pytest.raises(ConnectionLost, match="ticket is not from"):
            open_remote_game(running.data_directory.socket, f"{forged}.{sign}")

    def test_ticket_of_a_former_player_is_refused(self, running):
        player = running.register("Pierre", "france")
        ticket = running.ask("ticket", game="friday", seat="france", player=player)["ticket"]
        open_remote_game(running.data_directory.socket, ticket)
        with pytest.raises(Refusal, match="not yours"):
            running.ask("ticket", game="friday", seat="germany", player=player)
        running.ask("seat", game="friday", seat="france", player="")
        with pytest.raises(ConnectionLost, match="another player"):
            open_remote_game(running.data_directory.socket, ticket)

    def test_client_that_does_not_read_is_disconnected(self, running):
        deaf = self.raw(running)
        ticket = running.ask("ticket", game="friday", seat="germany")["ticket"]
        deaf.sendall(frame_message(messages.encode(messages.JoinGame(messages.VERSION, ticket))))
        britain = running.session("britain")
        wait(britain, lambda: "germany" in britain.others.connected)
        guest = next(g for g in running.hub.games.game("friday").subscribers if g.seat == "germany")

        async def flood() -> None:
            for _ in range(20):
                guest.send(messages.LogLines(b"x" * (1 << 20)))

        running.do(flood())
        wait(britain, lambda: "germany" not in britain.others.connected)
        in_movement(britain)


class TestHost:
    """Requests of the host: bots at seats, rewinding the game, status."""

    def test_caretaker_plays_a_seat_and_returns_it(self, running):
        britain = running.session("britain")
        in_movement(britain)
        for seat in ("france", "germany", "united_states"):
            running.ask("sit", game="friday", seat=seat, who="caretaker")
        wait(britain, lambda: britain.seats.occupant("united_states").by == "bot")
        assert britain.waiting() == ("britain",)
        britain.act_text("ready")
        wait(britain, lambda: britain.live.phase != "movement")
        running.ask("sit", game="friday", seat="france", who="person")
        wait(britain, lambda: britain.seats.occupant("france").by == "person")

    def test_players_act_while_a_bot_thinks(self, running):
        class Slow(BotProcess):
            """Thinks until a player has acted."""

            acted = threading.Event()

            def __init__(self) -> None:
                super().__init__()
                self.in_time = []

            async def think(self, game, asked):
                self.in_time.append(await asyncio.to_thread(self.acted.wait, 10))
                return compute_response(game.rules, structs.replace(asked, bot="caretaker"))

        running.hub.games.thinker = slow = Slow()
        britain = running.session("britain")
        in_movement(britain)
        for seat in ("france", "germany", "united_states"):
            running.ask("sit", game="friday", seat=seat, who="statesman:easy")
        wait(britain, lambda: britain.seats.occupant("united_states").by == "bot")
        britain.act_text("ready")
        slow.acted.set()
        wait(britain, lambda: britain.live.phase != "movement")
        assert slow.in_time and all(slow.in_time)

    def test_unknown_bot_is_refused(self, running):
        with pytest.raises(Refusal, match="steady, caretaker"):
            running.ask("sit", game="friday", seat="france", who="napoleon")

    def test_host_rewinds_the_game(self, running):
        britain = running.session("britain")
        in_movement(britain)
        britain.act_text("ready")
        line = running.host.version - 1
        running.ask("rewind", game="friday", line=str(line))
        wait(britain, lambda: "britain" not in britain.live.ready)
        with pytest.raises(Refusal):
            running.ask("rewind", game="friday", line="-1")

    def test_status_lists_connected_waiting_and_free_seats(self, running):
        there = running.session("britain"), running.session("france")
        in_movement(*there)
        (game,) = running.ask("status")["games"]
        assert game["here"] == ["britain", "france"]
        assert game["waits_for"] == ["britain", "france", "germany", "united_states"]
        assert game["free"] == ["britain", "france", "germany", "united_states"]
