"""A table over a wire: what a seat does reaches everybody, each as he may know it, and nothing else leaves the hub."""

from __future__ import annotations

import asyncio
import socket
import threading

import pytest
from msgspec import structs

from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import SPECTATOR
from paxtui.server import messages as say
from paxtui.server.client import ConnectionLost, HubClient
from paxtui.server.messages import MAX_CLIENT_MESSAGE, frame_message
from paxtui.server.remote_game import open_remote_game
from paxtui.session.bot_process import BotProcess, compute_response
from tests.server.waiting import in_movement, wait


def test_a_seat_has_its_own_log_and_no_seed(running):
    table = running.table("france")
    assert table.game.header.seed == ""
    assert table.state == running.hub.game("friday").host.state_for("france")


def test_what_one_does_the_others_see(running):
    britain, france = running.session("britain"), running.session("france")
    heard = []
    france.listen(heard.append)
    wait(france, lambda: france.others.connected == ("britain",))
    in_movement(britain, france)
    britain.act_text("ready")
    wait(france, lambda: "britain" in france.live.ready)
    assert france.live == running.hub.game("friday").host.state_for("france")
    assert [event for change in heard for event in change.events]


def test_a_secret_treaty_stays_between_its_parties(running):
    britain, france, germany = (running.session(seat) for seat in ("britain", "france", "germany"))
    in_movement(britain, france, germany)
    before = germany.version
    britain.act_text("treaty Entente with france secret: non-aggression")
    wait(france, lambda: france.live.treaties)
    britain.act_text("ready")
    wait(germany, lambda: "britain" in germany.live.ready)
    assert germany.live.treaties == ()
    assert germany.version == before + 1  # the draft is not even counted
    assert b"Entente" not in running.hub.game("friday").log_of("germany").whole()
    assert b"Entente" in running.hub.game("friday").log_of("france").whole()


def test_a_refusal_comes_back_as_it_was(running):
    britain = running.session("britain")
    with pytest.raises(Refusal) as there:
        britain.act_text("ready")
    with pytest.raises(Refusal) as here:
        running.hub.game("friday").host.play("britain", "ready")
    for name in ("code", "rules", "message", "detail"):
        assert getattr(there.value, name) == getattr(here.value, name)


def test_an_act_decided_before_something_happened_is_refused(running):
    britain, france = running.table("britain"), running.table("france")
    while britain.state.phase != "movement":
        britain.wait(britain.advance())
    with pytest.raises(Refusal) as refused:
        france.wait(france.command(say.Act("ready")))
    assert refused.value.code == "stale"
    france.receive()
    france.wait(france.command(say.Act("ready")))


def together(running, orders: dict[str, str]) -> dict[str, Refusal | None]:
    """Give each seat's order before any of them has heard of another's; why each was refused."""
    sessions = {seat: running.session(seat) for seat in orders}
    in_movement(*sessions.values())
    refused: dict[str, Refusal | None] = {}
    for seat, order in orders.items():
        try:
            sessions[seat].game.wait(sessions[seat].game.command(say.Act(order)))
            refused[seat] = None
        except Refusal as refusal:
            refused[seat] = refusal
    return refused


def test_independent_orders_at_the_same_moment_are_all_carried_out(running):
    orders = {
        "britain": "place influence siam",
        "france": "place influence marocco",
        "germany": "place interest kamerun",
        "united_states": "dispatch france: good luck",
    }
    refused = together(running, orders)
    assert not any(refused.values()), refused
    table = running.hub.game("friday").host
    assert [line.action["type"] for line in table.game.lines[-4:]].count("place") == 3
    assert table.verify() == []


def test_everybody_may_be_ready_at_the_same_moment(running):
    assert not any(together(running, {"britain": "ready", "france": "ready", "germany": "ready"}).values())
    assert running.hub.game("friday").host.state.ready == ("britain", "france", "germany")


def test_an_order_that_means_something_else_now_is_refused_with_what_changed(running):
    refused = together(running, {"britain": "place influence marocco", "france": "ready"})
    assert refused["britain"] is None
    assert refused["france"].code == "stale"
    assert refused["france"].message.startswith("The game changed while you typed (Great Britain")
    assert "Marocco" in refused["france"].message and refused["france"].message.endswith("give it again.")


def test_a_command_that_comes_again_is_answered_again_and_not_done_twice(running):
    table = running.table("britain")
    command = say.Command("mine-1", table.version, say.Advance())
    answers = []
    for _ in range(2):
        table._client._send(command)
        while not answers or not isinstance(answers[-1], say.CommandResult):
            table._client.wait_for_data()
            answers += table._client.receive()
        answers.append(None)
    assert [a for a in answers if isinstance(a, say.CommandResult)] == [say.CommandResult("mine-1", 2)] * 2
    assert running.hub.game("friday").host.version == 2


def test_undo_goes_over_the_wire(running):
    britain, france = running.session("britain"), running.session("france")
    in_movement(britain, france)
    britain.act_text("ready")
    britain.undo()
    wait(france, lambda: france.version >= 4)
    assert "britain" not in france.live.ready
    assert france.live == running.hub.game("friday").host.state_for("france")


def test_spectators_look_and_do_nothing(running):
    table = running.table(SPECTATOR)
    with pytest.raises(Refusal) as refused:
        table.wait(table.command(say.Act("ready")))
    assert refused.value.code == "not_a_player"


def test_a_client_comes_back_after_the_hub_was_started_again(running):
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
    assert "france" in running.hub.game("friday").host.state.ready


class TestWhoCannotBeTrusted:
    """A refusal to the sender alone; nobody else notices."""

    def raw(self, running) -> socket.socket:
        """A connection that has said nothing yet."""
        sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        sock.settimeout(5)
        sock.connect(str(running.data_directory.socket))
        return sock

    def farewell(self, sock: socket.socket) -> str:
        """What the hub says at the end."""
        data = b""
        while piece := sock.recv(65536):
            data += piece
        messages = []
        while data:
            length = int.from_bytes(data[:4], "big")
            messages.append(say.read_by_client(data[4 : 4 + length]))
            data = data[4 + length :]
        assert isinstance(messages[-1], say.Goodbye)
        return messages[-1].reason

    @pytest.mark.parametrize(
        ("sent", "told"),
        [
            (frame_message(b"\xc1"), "malformed"),
            (frame_message(b""), "malformed"),
            ((MAX_CLIENT_MESSAGE + 1).to_bytes(4, "big"), "too long"),
            (frame_message(say.encode(say.Command("1", 1, say.Advance()))), "Join a game first"),
            (frame_message(say.encode(say.JoinGame(99, "x"))), "version"),
            (frame_message(say.encode(say.JoinGame(say.VERSION, "00.00"))), "ticket is not from"),
            (frame_message(say.encode(say.JoinGame(say.VERSION, "zz"))), "ticket is not from"),
        ],
    )
    def test_is_told_why_and_sent_away(self, running, sent, told):
        sock = self.raw(running)
        sock.sendall(sent)
        assert told in self.farewell(sock)
        running.session("france")  # all others are served as before

    def test_a_forged_ticket(self, running):
        wire = HubClient(running.data_directory.socket)
        ticket = wire.admin_request("ticket", game="friday", seat="france")["ticket"]
        said, _, sign = ticket.partition(".")
        forged = said.replace(b"france".hex(), b"BRITAN".hex())
        with pytest.raises(ConnectionLost, match="ticket is not from"):
            open_remote_game(running.data_directory.socket, f"{forged}.{sign}")

    def test_a_seat_that_was_given_to_somebody_else(self, running):
        players = running.hub.players
        code = players.invite("friday", "france")
        player, _, _ = players.redeem("ssh-ed25519 AAAA", code, "Pierre")
        wire = HubClient(running.data_directory.socket)
        ticket = wire.admin_request("ticket", game="friday", seat="france", player=player)["ticket"]
        open_remote_game(running.data_directory.socket, ticket)
        with pytest.raises(Refusal, match="not yours"):
            wire.admin_request("ticket", game="friday", seat="germany", player=player)
        wire.admin_request("seat", game="friday", seat="france", player="")
        with pytest.raises(ConnectionLost, match="another player"):
            open_remote_game(running.data_directory.socket, ticket)

    def test_somebody_who_does_not_read_is_dropped_and_nobody_waits(self, running):
        deaf = self.raw(running)
        wire = HubClient(running.data_directory.socket)
        ticket = wire.admin_request("ticket", game="friday", seat="germany")["ticket"]
        deaf.sendall(frame_message(say.encode(say.JoinGame(say.VERSION, ticket))))
        britain = running.session("britain")
        wait(britain, lambda: "germany" in britain.others.connected)
        guest = next(g for g in running.hub.game("friday").subscribers if g.seat == "germany")

        async def flood() -> None:
            for _ in range(20):
                guest.send(say.LogLines(b"x" * (1 << 20)))

        running.do(flood())
        wait(britain, lambda: "germany" not in britain.others.connected)
        in_movement(britain)


class TestWhoeverRunsTheHouse:
    """The host: seats, bots in them, and the right to take the game back."""

    def ask(self, running, ask: str, **about: str):
        wire = HubClient(running.data_directory.socket)
        try:
            return wire.admin_request(ask, **about)
        finally:
            wire.close()

    def test_a_caretaker_takes_a_seat_over_and_gives_it_back(self, running):
        britain = running.session("britain")
        in_movement(britain)
        for seat in ("france", "germany", "united_states"):
            self.ask(running, "sit", game="friday", seat=seat, who="caretaker")
        wait(britain, lambda: britain.seats.occupant("united_states").by == "bot")
        assert britain.waiting() == ("britain",)
        britain.act_text("ready")
        wait(britain, lambda: britain.live.phase != "movement")
        self.ask(running, "sit", game="friday", seat="france", who="person")
        wait(britain, lambda: britain.seats.occupant("france").by == "person")

    def test_nobody_waits_while_a_bot_thinks(self, running):
        class Slow(BotProcess):
            """Thinks until somebody else has acted."""

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
            self.ask(running, "sit", game="friday", seat=seat, who="statesman:easy")
        wait(britain, lambda: britain.seats.occupant("united_states").by == "bot")
        britain.act_text("ready")
        slow.acted.set()
        wait(britain, lambda: britain.live.phase != "movement")
        assert slow.in_time and all(slow.in_time)

    def test_what_is_no_bot_is_refused_by_name(self, running):
        with pytest.raises(Refusal, match="steady, caretaker"):
            self.ask(running, "sit", game="friday", seat="france", who="napoleon")

    def test_the_arbiter_takes_the_game_back_and_everybody_sees_it(self, running):
        britain = running.session("britain")
        in_movement(britain)
        britain.act_text("ready")
        line = running.hub.game("friday").host.version - 1
        self.ask(running, "rewind", game="friday", line=str(line))
        wait(britain, lambda: "britain" not in britain.live.ready)
        with pytest.raises(Refusal):
            self.ask(running, "rewind", game="friday", line="-1")

    def test_status_names_who_is_there_and_whom_the_table_waits_for(self, running):
        there = running.session("britain"), running.session("france")
        in_movement(*there)
        (game,) = self.ask(running, "status")["games"]
        assert game["here"] == ["britain", "france"]
        assert game["waits_for"] == ["britain", "france", "germany", "united_states"]
        assert game["free"] == ["britain", "france", "germany", "united_states"]
