"""Players of one game over SSH, with OpenSSH's client and `paxtui serve`."""

from __future__ import annotations

import resource
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import asyncssh
import pytest
from asyncssh.packet import Boolean, String, UInt32
from asyncssh.public_key import SSHLocalKeyPair

from paxtui.engine.log import parse
from paxtui.session.pax_host import PaxHost
from tests.server.ssh import PlainSshPlayer, ServerProcess, SshPlayer, served_game
from tests.waiting import PATIENCE

pytestmark = pytest.mark.skipif(shutil.which("ssh") is None, reason="openssh-client is missing: .ci/system-packages")


@pytest.fixture(scope="module")
def served() -> Iterator[ServerProcess]:
    """A server with a game in its first Movement Phase."""
    with served_game() as served:
        yield served


@pytest.fixture(scope="module")
def pierre(served: ServerProcess) -> SshPlayer:
    """The player of France, who joined with a code."""
    friend = SshPlayer(served, "pierre")
    friend.wait("Your invitation code")
    friend.type("not a code\r")
    friend.wait("This code is not valid")
    friend.type(served.code("friday", "france") + "\r")
    friend.wait("PAX BRITANNICA")
    return friend


def test_two_players_reconnect_and_continue(served: ServerProcess, pierre: SshPlayer) -> None:
    """Two players join, see each other's acts, lose the connection and the server, and continue."""
    hans = SshPlayer(served, "hans", 100, 30)
    hans.wait("Your invitation code")
    code = served.code("friday", "germany")
    hans.type(code.lower().replace("-", " ") + "\r")
    hans.wait("PAX BRITANNICA", "MOVEMENT")
    for friend in (pierre, hans):
        friend.look()
        friend.press("Escape", "Escape")
        friend.wait("Enter what can I do here")
    status = served.command("status")
    assert "france, germany" in status

    pierre.type("r")
    hans.wait("FR✓")

    hans.resize(80, 24)
    hans.wait("FR✓")
    hans.drop()
    again = SshPlayer(served, "hans", 120, 40)  # no code this time
    again.wait("PAX BRITANNICA", "FR✓")

    served.process.send_signal(signal.SIGKILL)
    served.process.wait()
    for friend in (pierre, again):
        friend.wait("The server has stopped")
        friend.drop()
    served.start()
    pierre.connect()
    again = SshPlayer(served, "hans", 120, 40)
    for friend in (pierre, again):
        friend.wait("MOVEMENT", "FR✓")
    again.look()
    again.press("Escape")
    again.look()  # Esc immediately before a key would be Alt with that key
    again.type("r")
    pierre.wait("DE✓")
    table = PaxHost.open(served.data / "games" / "friday.jsonl", write=False)
    assert set(table.state.ready) == {"france", "germany"}


def test_code_is_valid_once(served: ServerProcess, pierre: SshPlayer) -> None:
    code = served.code("friday", "britain")
    first = SshPlayer(served, "victoria")
    first.wait("Your invitation code")
    first.type(code + "\r")
    first.wait("PAX BRITANNICA")
    thief = SshPlayer(served, "moriarty")
    thief.wait("Your invitation code")
    thief.type(code + "\r")
    thief.wait("This code is not valid")
    for _ in range(2):
        thief.type("AAAA\r")
    thief.wait("Ask the host for an invitation code")


def test_export_prints_the_log_of_the_own_seat(served: ServerProcess, pierre: SshPlayer) -> None:
    done = served.run("pierre", "export friday")
    assert done.returncode == 0, done.stderr
    parsed = parse(done.stdout.encode())
    assert parsed.header.seed == ""
    assert parsed.lines
    assert served.run("stranger", "export friday").returncode == 1


def test_plain_mode_for_a_screen_reader(served: ServerProcess, pierre: SshPlayer) -> None:
    """With TERM=dumb or `plain` the output has no escape sequence, and shows the acts of others at once."""
    code = served.code("friday", "united_states")
    anna = PlainSshPlayer(served, "anna")
    anna.expect("Your invitation code:")
    anna.send_line(code)
    anna.expect("plain mode", "Movement", "united_states> ")
    anna.send_line("what")
    anna.expect("1", "united_states> ")
    pierre.look()
    pierre.press("Escape")
    pierre.look()
    pierre.press("T")
    pierre.wait("Chat")
    pierre.type("bonsoir\r")
    anna.expect("France, pierre, says: bonsoir")
    anna.send_line("say good evening")
    pierre.wait("good evening")
    anna.send_line("nonsense")
    anna.expect("Not understood")
    anna.send_line("quit")
    anna.expect("Everything is saved.")
    assert b"\x1b" not in anna.output


def test_player_without_a_key_reads_how_to_make_one(served: ServerProcess) -> None:
    words = served.ssh("nobody", "-o", "PubkeyAuthentication=no", "")
    words[words.index("LogLevel=ERROR")] = "LogLevel=INFO"  # the default
    done = subprocess.run(words, input="", capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 255
    assert done.stderr.count("ssh-keygen -t ed25519") == 1 and "Permission denied" in done.stderr
    assert "ssh-keygen" not in served.run("pierre", "-T", "").stderr  # players with a key do not see it


def test_player_changes_the_name_and_adds_a_second_key(served: ServerProcess, pierre: SshPlayer) -> None:
    assert "Your name is now Pierre de Reims." in served.run("pierre", "name Pierre de  Reims").stdout
    assert "Pierre de Reims" in served.command("players")
    assert "at least one letter" in served.run("pierre", "name").stderr
    assert "The webhook is saved" in served.run("pierre", "notify webhook https://ntfy.sh/topic").stdout
    assert "port 443" in served.run("pierre", "notify webhook http://127.0.0.1:631/").stderr
    message = served.run("pierre", "key").stdout
    code = message.split()[-1]
    laptop = PlainSshPlayer(served, "laptop", "-tt", "plain")
    laptop.expect("You will be called laptop", "Your invitation code:")
    laptop.send_line(code)
    laptop.expect("france> ")
    laptop.send_line("quit")
    laptop.expect("Everything is saved.")
    parsed = parse(served.run("laptop", "export friday").stdout.encode())
    assert parsed.lines
    assert "no player on this server yet" in served.run("stranger", "key").stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("id",), "Only the game is here"),
        (("-s", "sftp"), "subsystem request failed"),
        (("-tt", "sh -i"), "Only the game is here"),
        (("-tt", "key again"), "Only the game is here"),
        (("export friday; id",), "export takes one of your games"),
        (("-T", ""), "needs a terminal"),
        (("-o", "ExitOnForwardFailure=yes", "-R", "0:127.0.0.1:22", "-T", ""), "forwarding failed"),
        (("-W", "127.0.0.1:22", ""), "forwarding failed"),
        (("-o", "PubkeyAuthentication=no", "-o", "PreferredAuthentications=password", ""), "Permission denied"),
    ],
    ids=["exec", "sftp", "shell", "more words", "two commands", "no terminal", "-R", "-W", "password"],
)
def test_other_commands_are_refused(
    served: ServerProcess, pierre: SshPlayer, words: tuple[str, ...], message: str
) -> None:
    done = served.run("pierre", *words)
    assert done.returncode != 0
    assert message in done.stdout + done.stderr


# --- attacks ----------------------------------------------------------------------------------------------------------


async def connected(served: ServerProcess, name: str, address: str = "127.0.0.1") -> asyncssh.SSHClientConnection:
    """Connect a player with asyncssh, which requests anything."""
    return await asyncssh.connect(
        "127.0.0.1",
        int(served.port),
        local_addr=(address, 0),
        known_hosts=None,
        config=None,
        username=name,
        client_keys=[str(served.key(name))],
        agent_path=None,
    )


async def test_agent_x11_and_unknown_requests_are_refused(served: ServerProcess, pierre: SshPlayer) -> None:
    """OpenSSH requests these without waiting for an answer."""
    async with await connected(served, "pierre") as friend:
        channel, _ = await friend.create_session(asyncssh.SSHClientSession, term_type="xterm", encoding=None)
        agent = b"auth-agent-req@openssh.com"
        x11 = (Boolean(False), String("MIT-MAGIC-COOKIE-1"), String("ab" * 16), UInt32(0))
        assert not await channel._make_request(agent)
        assert not await channel._make_request(b"x11-req", *x11)
        assert not await channel._make_request(b"nobody@knows")
        assert await channel._make_request(b"window-change", *map(UInt32, (9999, 9999, 0, 0))) is not None


async def test_forwarding_is_refused_in_both_directions(
    served: ServerProcess, pierre: SshPlayer, tmp_path: Path
) -> None:
    async with await connected(served, "pierre") as friend:
        for way in (
            lambda: friend.open_connection("127.0.0.1", int(served.port)),
            lambda: friend.open_unix_connection(str(served.data / "hub.sock")),
            friend.open_tun,
            friend.open_tap,
        ):
            with pytest.raises(asyncssh.ChannelOpenError):
                await way()
        for back in (
            lambda: friend.forward_remote_port("127.0.0.1", 0, "127.0.0.1", 22),
            lambda: friend.forward_remote_path(str(tmp_path / "back"), str(tmp_path / "there")),
        ):
            with pytest.raises(asyncssh.ChannelListenError):
                await back()
    assert not (tmp_path / "back").exists()


async def test_one_session_for_each_connection(served: ServerProcess, pierre: SshPlayer) -> None:
    async with await connected(served, "pierre") as friend:
        first = await friend.create_process("export friday")
        with pytest.raises(asyncssh.ChannelOpenError):
            await friend.create_process("export friday")
        assert (await first.wait()).exit_status == 0


async def test_connections_with_one_key_are_limited(served: ServerProcess, pierre: SshPlayer) -> None:
    there = [await connected(served, "moriarty") for _ in range(8)]
    done = served.run("moriarty", "export friday")
    assert done.returncode == 1 and "here 8 times already" in done.stderr
    there.pop().close()
    for _ in range(100):
        if "8 times" not in served.run("moriarty", "export friday").stderr:
            break
    else:
        raise AssertionError("a closed connection still counts")
    assert served.run("pierre", "export friday").returncode == 0
    for friend in there:
        friend.close()


async def test_public_key_of_another_player_is_refused(served: ServerProcess, pierre: SshPlayer) -> None:
    """A public key without its private key is refused."""
    mine, his = (asyncssh.read_private_key(str(served.key(name))) for name in ("moriarty", "pierre"))
    forged = SSHLocalKeyPair(mine, mine.convert_to_public(), None, None)
    forged.public_data = his.public_data  # offers one key, and signs with another
    with pytest.raises(asyncssh.PermissionDenied):
        await asyncssh.connect(
            "127.0.0.1", int(served.port), known_hosts=None, config=None, username="pierre",
            client_keys=[forged], agent_path=None,
        )  # fmt: skip


def test_dangerous_environment_is_not_passed_on(served: ServerProcess, tmp_path: Path) -> None:
    evil = tmp_path / "evil"
    evil.mkdir()
    (evil / "settings.toml").write_text("ascii = true\n")
    code, names = served.code("friday", "germany"), ("PAXTUI_HOME", "HOME", "XDG_DATA_HOME", "PYTHONPATH", "TMPDIR")
    sent = [word for name in names for word in ("-o", f"SetEnv={name}={evil}")]
    anna = PlainSshPlayer(served, "karl", "-tt", *sent, "plain")
    anna.expect("Your invitation code:")
    anna.send_line(code)
    anna.expect("plain mode")
    anna.send_line("quit")
    anna.expect("Everything is saved.")
    assert [path.name for path in evil.iterdir()] == ["settings.toml"]


def test_thousand_silent_connections_block_no_player(served: ServerProcess, pierre: SshPlayer) -> None:
    silent: list[socket.socket] = []
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 2000)), hard))  # 1024 is usual, and too few
    try:
        for n in range(1000):
            there = socket.socket()
            there.bind((f"127.0.1.{1 + n % 200}", 0))
            there.settimeout(10)
            there.connect(("127.0.0.1", int(served.port)))
            silent.append(there)
        assert served.run("pierre", "export friday").returncode == 0
        for there in silent[:500]:  # the oldest make room
            with suppress(ConnectionResetError):
                while there.recv(4096):
                    pass
    finally:
        for there in silent:
            there.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_many_connections_of_one_address_block_no_player(served: ServerProcess, pierre: SshPlayer) -> None:
    silent = [socket.create_connection(("127.0.0.1", int(served.port)), 10, ("127.0.2.1", 0)) for _ in range(100)]
    try:
        with suppress(ConnectionResetError):
            while silent[0].recv(4096):  # the oldest makes room
                pass
        assert served.run("pierre", "export friday").returncode == 0
    finally:
        for there in silent:
            there.close()


@pytest.mark.parametrize(
    "sent",
    [b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" * 50, b"\x00" * 100_000, b"SSH-2.0-x\r\n" + b"\xff" * 100_000],
    ids=["http", "zeros", "no packets"],
)
def test_data_that_is_not_ssh_is_refused(served: ServerProcess, pierre: SshPlayer, sent: bytes) -> None:
    there = socket.create_connection(("127.0.0.1", int(served.port)), 10, ("127.0.3.1", 0))
    with there, suppress(ConnectionError):
        there.sendall(sent)
        while there.recv(4096):
            pass
    assert served.run("pierre", "export friday").returncode == 0
