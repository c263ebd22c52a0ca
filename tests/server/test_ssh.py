"""Friends at one table over SSH, with the real programs: OpenSSH's client, and `paxtui serve`."""

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
from tests.server.ssh import Friend, Reader, Served, served_game
from tests.waiting import PATIENCE

pytestmark = pytest.mark.skipif(shutil.which("ssh") is None, reason="openssh-client is missing: .ci/system-packages")

POWERS = ("britain", "france", "germany", "united_states")


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    """A table with a game in its first Movement Phase."""
    with served_game(POWERS) as served:
        yield served


@pytest.fixture(scope="module")
def pierre(served: Served) -> Friend:
    """France, who has come with a code."""
    friend = Friend(served, "pierre")
    friend.wait("Your invitation code")
    friend.type("not a code\r")
    friend.wait("This code is not valid")
    friend.type(served.code("friday", "france") + "\r")
    friend.wait("PAX BRITANNICA")
    return friend


def test_a_whole_evening(served: Served, pierre: Friend) -> None:
    """Two friends sit down, see each other's acts, lose the connection and the server, and carry on."""
    hans = Friend(served, "hans", 100, 30)
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
    again = Friend(served, "hans", 120, 40)  # no code this time
    again.wait("PAX BRITANNICA", "FR✓")

    served.process.send_signal(signal.SIGKILL)
    served.process.wait()
    for friend in (pierre, again):
        friend.wait("The server has stopped")
        friend.drop()
    served.start()
    pierre.connect()
    again = Friend(served, "hans", 120, 40)
    for friend in (pierre, again):
        friend.wait("MOVEMENT", "FR✓")
    again.look()
    again.press("Escape")
    again.look()  # an Esc with another key right behind it would be that key with Alt
    again.type("r")
    pierre.wait("DE✓")
    table = PaxHost.open(served.data / "games" / "friday.jsonl", write=False)
    assert set(table.state.ready) == {"france", "germany"}


def test_a_code_is_good_once(served: Served, pierre: Friend) -> None:
    code = served.code("friday", "britain")
    first = Friend(served, "victoria")
    first.wait("Your invitation code")
    first.type(code + "\r")
    first.wait("PAX BRITANNICA")
    thief = Friend(served, "moriarty")
    thief.wait("Your invitation code")
    thief.type(code + "\r")
    thief.wait("This code is not valid")
    for _ in range(2):
        thief.type("AAAA\r")
    thief.wait("Ask the host for an invitation code")


def test_export_gives_a_friend_the_log_of_his_seat(served: Served, pierre: Friend) -> None:
    done = served.run("pierre", "export friday")
    assert done.returncode == 0, done.stderr
    parsed = parse(done.stdout.encode())
    assert parsed.header.seed == ""
    assert parsed.lines
    assert served.run("stranger", "export friday").returncode == 1


def test_line_by_line_for_a_screen_reader(served: Served, pierre: Friend) -> None:
    """TERM=dumb, or `plain`: a conversation without one escape code, which tells what others do as it comes."""
    code = served.code("friday", "united_states")
    anna = Reader(served, "anna")
    anna.hear("Your invitation code:")
    anna.say(code)
    anna.hear("plain mode", "Movement", "united_states> ")
    anna.say("what")
    anna.hear("1", "united_states> ")
    pierre.look()
    pierre.press("Escape")
    pierre.look()
    pierre.press("T")
    pierre.wait("Chat")
    pierre.type("bonsoir\r")
    anna.hear("France, pierre, says: bonsoir")
    anna.say("say good evening")
    pierre.wait("good evening")
    anna.say("nonsense")
    anna.hear("Not understood")
    anna.say("quit")
    anna.hear("Everything is saved.")
    assert b"\x1b" not in anna.heard


def test_whoever_has_no_key_is_told_how_to_make_one(served: Served) -> None:
    words = served.ssh("nobody", "-o", "PubkeyAuthentication=no", "")
    words[words.index("LogLevel=ERROR")] = "LogLevel=INFO"  # as it is for everybody
    done = subprocess.run(words, input="", capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 255
    assert done.stderr.count("ssh-keygen -t ed25519") == 1 and "Permission denied" in done.stderr
    assert "ssh-keygen" not in served.run("pierre", "-T", "").stderr  # a player with a key reads nothing of it


def test_a_player_chooses_a_name_and_adds_a_second_key(served: Served, pierre: Friend) -> None:
    assert "Your name is now Pierre de Reims." in served.run("pierre", "name Pierre de  Reims").stdout
    assert "Pierre de Reims" in served.command("players")
    assert "at least one letter" in served.run("pierre", "name").stderr
    assert "The webhook is saved" in served.run("pierre", "notify webhook https://ntfy.sh/topic").stdout
    assert "port 443" in served.run("pierre", "notify webhook http://127.0.0.1:631/").stderr
    told = served.run("pierre", "key").stdout
    code = told.split()[-1]
    laptop = Reader(served, "laptop", "-tt", "plain")
    laptop.hear("You will be called laptop", "Your invitation code:")
    laptop.say(code)
    laptop.hear("france> ")
    laptop.say("quit")
    laptop.hear("Everything is saved.")
    parsed = parse(served.run("laptop", "export friday").stdout.encode())
    assert parsed.lines
    assert "no player on this server yet" in served.run("stranger", "key").stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("id",), "Only the game is here"),
        (("-s", "sftp"), "subsystem request failed"),
        (("-tt", "sh -i"), "Only the game is here"),
        (("export friday; id",), "export takes one of your games"),
        (("-T", ""), "needs a terminal"),
        (("-o", "ExitOnForwardFailure=yes", "-R", "0:127.0.0.1:22", "-T", ""), "forwarding failed"),
        (("-W", "127.0.0.1:22", ""), "forwarding failed"),
        (("-o", "PubkeyAuthentication=no", "-o", "PreferredAuthentications=password", ""), "Permission denied"),
    ],
    ids=["exec", "sftp", "shell", "two commands", "no terminal", "-R", "-W", "password"],
)
def test_nothing_but_the_game(served: Served, pierre: Friend, words: tuple[str, ...], told: str) -> None:
    done = served.run("pierre", *words)
    assert done.returncode != 0
    assert told in done.stdout + done.stderr


# --- what is tried at the door ----------------------------------------------------------------------------------------


async def connected(served: Served, name: str, address: str = "127.0.0.1") -> asyncssh.SSHClientConnection:
    """A connection of a friend's, by a client that does as it is told."""
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


async def test_agent_x11_and_what_nobody_knows_are_refused(served: Served, pierre: Friend) -> None:
    """OpenSSH asks for these without an answer; here it is asked for."""
    async with await connected(served, "pierre") as friend:
        channel, _ = await friend.create_session(asyncssh.SSHClientSession, term_type="xterm", encoding=None)
        agent = b"auth-agent-req@openssh.com"
        x11 = (Boolean(False), String("MIT-MAGIC-COOKIE-1"), String("ab" * 16), UInt32(0))
        assert not await channel._make_request(agent)
        assert not await channel._make_request(b"x11-req", *x11)
        assert not await channel._make_request(b"nobody@knows")
        assert await channel._make_request(b"window-change", *map(UInt32, (9999, 9999, 0, 0))) is not None


async def test_no_way_through_and_none_back(served: Served, pierre: Friend, tmp_path: Path) -> None:
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


async def test_one_session_a_connection(served: Served, pierre: Friend) -> None:
    async with await connected(served, "pierre") as friend:
        first = await friend.create_process("export friday")
        with pytest.raises(asyncssh.ChannelOpenError):
            await friend.create_process("export friday")
        assert (await first.wait()).exit_status == 0


async def test_one_key_is_here_so_many_times_and_no_more(served: Served, pierre: Friend) -> None:
    there = [await connected(served, "moriarty") for _ in range(8)]
    done = served.run("moriarty", "export friday")
    assert done.returncode == 1 and "here 8 times already" in done.stderr
    there.pop().close()
    for _ in range(100):
        if "8 times" not in served.run("moriarty", "export friday").stderr:
            break
    else:
        raise AssertionError("one who has gone still counts")
    assert served.run("pierre", "export friday").returncode == 0
    for friend in there:
        friend.close()


async def test_another_ones_key_is_no_way_in(served: Served, pierre: Friend) -> None:
    """Whoever knows a friend's public key, and has another private one, is not let in."""
    mine, his = (asyncssh.read_private_key(str(served.key(name))) for name in ("moriarty", "pierre"))
    forged = SSHLocalKeyPair(mine, mine.convert_to_public(), None, None)
    forged.public_data = his.public_data  # says one key, and signs with another
    with pytest.raises(asyncssh.PermissionDenied):
        await asyncssh.connect(
            "127.0.0.1", int(served.port), known_hosts=None, config=None, username="pierre",
            client_keys=[forged], agent_path=None,
        )  # fmt: skip


def test_of_a_friends_environment_nothing_dangerous_is_passed_on(served: Served, tmp_path: Path) -> None:
    evil = tmp_path / "evil"
    evil.mkdir()
    (evil / "settings.toml").write_text("ascii = true\n")
    code, names = served.code("friday", "germany"), ("PAXTUI_HOME", "HOME", "XDG_DATA_HOME", "PYTHONPATH", "TMPDIR")
    sent = [word for name in names for word in ("-o", f"SetEnv={name}={evil}")]
    anna = Reader(served, "karl", "-tt", *sent, "plain")
    anna.hear("Your invitation code:")
    anna.say(code)
    anna.hear("plain mode")
    anna.say("quit")
    anna.hear("Everything is saved.")
    assert [path.name for path in evil.iterdir()] == ["settings.toml"]


def test_a_thousand_who_say_nothing_keep_nobody_out(served: Served, pierre: Friend) -> None:
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


def test_many_from_one_address_keep_the_others_in(served: Served, pierre: Friend) -> None:
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
def test_what_is_no_ssh_is_cut_off(served: Served, pierre: Friend, sent: bytes) -> None:
    there = socket.create_connection(("127.0.0.1", int(served.port)), 10, ("127.0.3.1", 0))
    with there, suppress(ConnectionError):
        there.sendall(sent)
        while there.recv(4096):
            pass
    assert served.run("pierre", "export friday").returncode == 0
