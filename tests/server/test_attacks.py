"""Attacks by strangers and by players: only the attacker is refused, and nobody else is affected."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import socket
import subprocess
import sys

import pytest

from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import SPECTATOR
from paxtui.server import messages
from paxtui.server.access_control import PlayerRegistry
from paxtui.server.client import ConnectionLost
from paxtui.server.remote_game import RemoteGame
from paxtui.session.pax_host import PaxHost
from paxtui.session.session import SendChat
from tests.server.waiting import in_movement, wait
from tests.waiting import PATIENCE

NASTY = "\x1b[2J\x1b]0;pwned\x07\x9b31m\u202egnp.exe\u202c\u2066x\u2069\u200b"
"""Escape sequences of terminals, and characters that change the direction of a text."""


def is_clean(data: bytes) -> bool:
    """Return whether a text has none of these."""
    text = data.decode("utf-8", "replace")
    return not any(sign in text for sign in "\x1b\x07\x9b\u202e\u202c\u2066\u2069\u200b")


class TestOtherSeats:
    """A player tries to act for another seat."""

    def test_action_of_another_seat_is_refused(self, running):
        britain, france = running.session("britain"), running.session("france")
        in_movement(britain, france)
        before = running.host.version
        forged = {"type": "ready", "power": "germany"}
        for order in ("germany: ready", forged, {"type": "advance"}, {"type": "abandon"}):
            with pytest.raises(Refusal):
                france.game.wait(france.game.command(messages.Act(order)))
        table = running.host
        assert table.version == before and table.state.ready == ()

    def test_actions_of_the_arbiter_are_refused(self, running):
        france = running.session("france")
        for order in (
            {"type": "set_position", "patch": {"indexes": {"european_tensions": 99}}},
            {"type": "seating", "seats": {"germany": {"by": "nobody"}}},
            "advance",
            "step",
        ):
            with pytest.raises(Refusal):
                france.game.wait(france.game.command(messages.Act(order)))
        assert running.host.state.tension == 0

    def test_same_command_id_of_two_seats_gives_separate_answers(self, running):
        """The id of a command gives no answer of another seat."""
        britain, france = running.table("britain"), running.table("france")
        for table, operation in ((britain, messages.Advance()), (france, messages.Act("ready"))):
            table._client._send(messages.Command("same", table.version, operation))
        answers = []
        while not answers:
            france._client.wait_for_data()
            answers = [m for m in france._client.receive() if isinstance(m, messages.CommandResult)]
        assert answers[0].refusal is not None  # its own answer: Britain has played on

    def test_seat_and_lobby_connections_refuse_each_others_requests(self, running):
        """A seat's connection may ask for nothing that the lobby gives, and the lobby's for nothing of a seat."""
        table = running.table("france")
        table._client._send(messages.LobbyRequest("take", {"game": "friday", "seat": "germany"}))
        with pytest.raises(ConnectionLost):
            table.wait(table.command(messages.Advance()))
        wire = running.lobby_connection()
        wire._send(messages.Command("1", 1, messages.Advance()))
        with pytest.raises(ConnectionLost, match="Join a game first"):
            wire.lobby_request("look")

    def test_malformed_orders_are_refused(self, running):
        britain = running.session("britain")
        deep: object = []
        for _ in range(100):
            deep = [deep]
        wrong = ({}, {"type": 5}, {"type": "ready", "x": deep}, "", "x" * 50_000, {"type": "undo", "to": -1}, "\x00")
        for order in wrong:
            with pytest.raises(Refusal):
                britain.game.wait(britain.game.command(messages.Act(order)))
        assert running.host.version == 1


class TestEscapeSequences:
    """The hub removes them from all texts of players."""

    def test_chat_dispatches_and_titles(self, running):
        britain, france = running.session("britain"), running.session("france")
        in_movement(britain, france)
        britain.perform(SendChat(f"a{NASTY}b"))
        britain.act_text(f"dispatch france: a{NASTY}b")
        britain.act_text(f"treaty Pact{NASTY.replace(';', '')} with france: non-aggression")
        wait(france, lambda: france.live.treaties and france.chat.lines and france.view.dispatches())
        assert is_clean(running.hub.games.game("friday").log_of("france").whole())
        assert is_clean(france.chat.lines[0].text.encode())
        assert "b" in france.chat.lines[0].text and france.live.treaties[0].name.startswith("Pact")

    def test_names_of_players(self, running):
        players = PlayerRegistry(running.data_directory.register)
        player, _, _ = players.redeem("ssh-ed25519 AAAA", players.invite("friday", "france"), f"Pierre{NASTY}")
        assert is_clean(players.name(player).encode()) and players.name(player).startswith("Pierre")

    def test_names_of_games(self, running):
        wire = running.lobby_connection()
        with pytest.raises(Refusal):
            wire.lobby_request("open", name=f"x{NASTY}", players="4", seat="france")


class TestTheSocket:
    """Only the user of the server can connect to it."""

    SCRIPT = (
        "import socket,sys\n"
        "s=socket.socket(socket.AF_UNIX)\n"
        "s.settimeout(5)\n"
        "try:\n s.connect(sys.argv[1]); print(s.recv(4096))\n"  # refused before it sends anything
        "except PermissionError: print('shut')\n"
    )

    def connect_as_nobody(self, running) -> str:
        words = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", sys.executable, "-c", self.SCRIPT]
        words.append(str(running.data_directory.socket))
        done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE)
        return done.stdout + done.stderr

    @pytest.mark.skipif(os.geteuid() != 0 or shutil.which("setpriv") is None, reason="only root can be another user")
    def test_another_user_cannot_connect(self, running):
        assert "shut" in self.connect_as_nobody(running)

    @pytest.mark.skipif(os.geteuid() != 0 or shutil.which("setpriv") is None, reason="only root can be another user")
    def test_another_user_is_refused_despite_open_permissions(self, running):
        for path in (running.data_directory.socket, running.data_directory.root, running.data_directory.root.parent):
            path.chmod(0o777)
        output = self.connect_as_nobody(running)
        assert "Only the user" in output and "welcome" not in output
        running.session("france")


class TestFullDisk:
    """Acts are refused with the reason, acknowledged acts stay, and the game continues when there is room."""

    @pytest.fixture
    def full(self, running):
        """Return a function that limits the size of files; 0 removes the limit."""
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

        def set_(bytes_: int) -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_ if bytes_ else soft, hard))

        yield set_
        set_(0)

    def test_failed_writes_are_reported_and_lose_nothing(self, running, full):
        britain, france = running.session("britain"), running.session("france")
        in_movement(britain, france)
        path = running.data_directory.game_file("friday")
        before = path.read_bytes()
        full(len(before) + 10)
        chat = SendChat("hello" * 50)
        for act in (lambda: britain.act_text("ready"), lambda: britain.perform(chat), lambda: britain.undo()):
            try:
                with pytest.raises(OSError, match=r"could not be|No connection|not saved") as failed:
                    act()
                assert "Traceback" not in str(failed.value)
            except Refusal:
                pass  # there was nothing to undo
            full(1)
        full(0)
        assert path.read_bytes()[: len(before)] == before
        if britain.trouble:
            assert britain.reconnect()
        britain.receive()
        britain.act_text("ready")
        wait(france, lambda: "britain" in france.live.ready)
        assert PaxHost.open(path, write=False).verify() == []


class TestSilentConnections:
    """Connections that send nothing cost nothing, and end by themselves."""

    def test_silent_connections_time_out(self, running, monkeypatch):
        monkeypatch.setattr("paxtui.server.hub.HELLO_TIMEOUT_S", 0.2)
        silent = []
        for _ in range(200):
            sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            sock.connect(str(running.data_directory.socket))
            silent.append(sock)
        britain = running.session("britain")
        in_movement(britain)
        for sock in silent:
            sock.settimeout(10)
            assert b"You sent nothing" in sock.recv(4096)
            sock.close()
        britain.act_text("ready")

    def test_spectator_commands_are_refused(self, running):
        table: RemoteGame = running.table(SPECTATOR)
        for operation in (messages.Act("ready"), messages.Advance(), messages.Undo(), messages.Redo()):
            with pytest.raises(Refusal):
                table.wait(table.command(operation))
