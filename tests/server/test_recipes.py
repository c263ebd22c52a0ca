"""The recipes of docs/hosting.md with OpenSSH's own daemon: a way back through a server, and a forced command."""

from __future__ import annotations

import argparse
import asyncio
import getpass
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest

from paxtui.cli.hosting import serve
from paxtui.cli.hosting.tunnel import Forward, Tunnel
from paxtui.cli.runtime import CommandError
from tests.places import ROOT
from tests.server.ssh import Friend, Reader, Served, served_game
from tests.waiting import PATIENCE

SSHD = shutil.which("sshd", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
pytestmark = pytest.mark.skipif(
    SSHD is None or shutil.which("ssh") is None, reason="openssh-server or -client is missing: .ci/system-packages"
)
POWERS = ("britain", "france", "germany", "united_states")
"""Seconds that anything may take on a machine that does ten other things."""


class Daemon:
    """OpenSSH's daemon on a port of its own, for whoever runs the tests."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.keys = root / "authorized_keys"
        self.keys.touch(0o600)
        key = root / "daemon_key"
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True)
        if os.geteuid() == 0:
            Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = str(probe.getsockname()[1])
        config = root / "sshd_config"
        config.write_text(
            f"Port {self.port}\nListenAddress 127.0.0.1\nHostKey {key}\nAuthorizedKeysFile {self.keys}\n"
            f"PidFile {root / 'sshd.pid'}\nStrictModes no\nPasswordAuthentication no\nUsePAM no\nPermitRootLogin yes\n"
        )
        self.log = root / "sshd.log"
        self.process = subprocess.Popen([str(SSHD), "-D", "-f", str(config), "-E", str(self.log)])
        _listens(self.port, self.log)

    def allow(self, key: Path, before: str = "") -> None:
        """Let a key in. Args: it; what stands before it in the file."""
        with self.keys.open("a") as file:
            file.write(f"{before}{key.with_suffix('.pub').read_text()}")

    def stop(self) -> None:
        """End it."""
        self.process.terminate()
        self.process.wait(PATIENCE)


def _listens(port: str, log: Path) -> None:
    """Wait until a server of SSH answers at a port. One that has lost its tunnel still accepts connections."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with suppress(OSError), socket.create_connection(("127.0.0.1", int(port)), 5) as connection:
            if connection.recv(4) == b"SSH-":
                return
        time.sleep(0.05)
    raise AssertionError(f"nobody listens: {log.read_text() if log.exists() else ''}")


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    """A house that listens on this machine alone, as both recipes have it."""
    with served_game(POWERS) as served:
        yield served


@pytest.fixture(scope="module")
def daemon(served: Served) -> Iterator[Daemon]:
    """The server that friends can reach."""
    daemon = Daemon(served.root)
    yield daemon
    daemon.stop()


def through(served: Served, port: str) -> Served:
    """The same house by another port, and under the name of whoever runs the tests."""
    other = object.__new__(Served)
    other.__dict__ = {**served.__dict__, "port": port}
    return other


def test_the_documentation_has_what_is_tried_here() -> None:
    told = (ROOT / "docs" / "hosting.md").read_text()
    assert "--via ssh you@your.server" in told
    assert 'command="env PAXTUI_HOME=' in told and "paxtui join friday germany --data" in told


def test_through_a_server_that_passes_connections_on(served: Served, daemon: Daemon) -> None:
    """`--via ssh`: friends come to the server, and are at the table. A lost tunnel is opened again."""
    served.stop()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    daemon.allow(served.key("host"))
    me = f"{getpass.getuser()}@127.0.0.1"
    words = through(served, daemon.port).ssh("host", "")[1:-1]
    via = ("--via", "ssh", shlex.join([*words, me]))
    house = Served(served.root, options=("--listen", f"127.0.0.2:{port}", *via))  # one machine is both
    pierre = ann = None
    try:
        _listens(port, daemon.log)
        pierre = Friend(through(house, port), "pierre", 100, 30)
        pierre.wait("Your invitation code")
        pierre.type(house.code("friday", "france") + "\r")
        pierre.wait("PAX BRITANNICA", "MOVEMENT")
        assert "france" in house.command("status")
        os.kill(_ssh_of(house.process.pid), signal.SIGKILL)
        house.waited("(The tunnel through 127.0.0.1 has ended)")
        _listens(port, daemon.log)
        ann = Friend(through(house, port), "pierre", 100, 30)
        ann.wait("PAX BRITANNICA", "MOVEMENT")
    finally:
        for friend in (pierre, ann):
            if friend is not None:
                friend.drop()
        house.stop()
        served.start()


def _ssh_of(hub: int) -> int:
    """The ssh that a hub has started."""
    children = Path(f"/proc/{hub}/task/{hub}/children").read_text().split()
    return next(int(child) for child in children if Path(f"/proc/{child}/comm").read_text().strip() == "ssh")


async def test_a_tunnel_that_fails_is_tried_less_and_less_often() -> None:
    said, waits = list[str](), list[float]()

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 8:
            raise asyncio.CancelledError

    tunnel = Tunnel("-o NoSuchOption=1 ann@pax.example.org", [Forward(2222, "", is_public=True)], said.append, sleep)
    with pytest.raises(asyncio.CancelledError):
        await tunnel.run()
    assert waits == [1, 2, 4, 8, 16, 32, 60, 60]
    assert "pax.example.org, port 2222" in said[0] and "has ended (" in said[1]


def test_behind_a_proxy_only_the_proxy_reaches_the_port() -> None:
    ways = [Forward(2222, "", is_public=True), Forward(8080, "127.0.0.2", is_public=False)]
    words = Tunnel("ann@pax.example.org", ways).command
    assert words[-1] == "ann@pax.example.org"
    assert [words[n + 1] for n, word in enumerate(words) if word == "-R"] == [
        ":2222:127.0.0.1:2222",
        "127.0.0.1:8080:127.0.0.2:8080",
    ]


@pytest.mark.parametrize(
    ("options", "ends"),
    [
        (["--web", ":8080"], ["", ""]),
        (["--web", ":8080", "--url", "https://pax.example.org"], ["", "127.0.0.1"]),
        (["--web", ":8080", "--trust-proxy", "127.0.0.1"], ["127.0.0.1", "127.0.0.1"]),
    ],
)
def test_a_tunnel_to_a_proxy_that_is_believed_is_open_to_nobody_else(options: list[str], ends: list[str]) -> None:
    parser = argparse.ArgumentParser()
    serve.serve_arguments(parser)
    args = parser.parse_args(["--via", "ssh", "ann@pax.example.org", *options])
    tunnel = serve._tunnel(args, "", 2222)
    assert tunnel is not None
    ways = [word for before, word in pairwise(tunnel.command) if before == "-R"]
    assert ways == [f"{ends[0]}:2222:127.0.0.1:2222", f"{ends[1]}:8080:127.0.0.1:8080"]


@pytest.mark.parametrize("to", ["", "-v", "'"])
def test_a_tunnel_to_nowhere(to: str) -> None:
    with pytest.raises(CommandError, match="--via ssh"):
        Tunnel(to, [])


def test_a_forced_command_leaves_a_friend_his_seat_and_nothing_else(served: Served, daemon: Daemon) -> None:
    """A line of authorized_keys as docs/hosting.md has it."""
    paxtui = f"{sys.executable} -m paxtui.cli.main"
    home = served.data / "people" / "host"
    home.mkdir(exist_ok=True)
    join = f"env PAXTUI_HOME={home} {paxtui} join friday germany --data {served.data}"
    daemon.allow(served.key("hans"), f'command="{join}",restrict,pty ')
    by = through(served, daemon.port)
    words = by.ssh("hans", "")
    words[-1] = f"{getpass.getuser()}@127.0.0.1"
    by.ssh = lambda name, *more: [*words[:-1], *more[:-1], words[-1], *(w for w in more[-1:] if w)]
    hans = Friend(by, "hans", 100, 30)
    hans.wait("PAX BRITANNICA", "MOVEMENT")
    assert "germany" in served.command("status")
    hans.drop()
    reader = Reader(by, "hans", "-tt", "sh -c 'echo a shell'")
    reader.hear("plain mode", "germany> ")
    assert b"a shell" not in reader.heard
    reader.say("quit")
    back = ("-o", "ExitOnForwardFailure=yes", "-R", "0:127.0.0.1:22", "")
    for more in (("-W", f"127.0.0.1:{served.port}", ""), back):
        done = by.run("hans", *more)
        assert done.returncode != 0 and "forward" in (done.stderr + done.stdout).lower()
