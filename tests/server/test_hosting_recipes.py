"""The recipes of docs/hosting.md with OpenSSH's daemon: a reverse tunnel through a server, and a forced command."""

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
from tests.server.ssh import PlainSshPlayer, ServerProcess, SshPlayer, served_game
from tests.waiting import PATIENCE

SSHD = shutil.which("sshd", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
pytestmark = pytest.mark.skipif(
    SSHD is None or shutil.which("ssh") is None, reason="openssh-server or -client is missing: .ci/system-packages"
)
"""Seconds that anything may take on a machine that does ten other things."""


class Daemon:
    """OpenSSH's daemon on a free port, for the user who runs the tests."""

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
        wait_for_ssh(self.port, self.log)

    def allow(self, key: Path, before: str = "") -> None:
        """Authorize a key. Args: the key; the options before it in the file."""
        with self.keys.open("a") as file:
            file.write(f"{before}{key.with_suffix('.pub').read_text()}")

    def stop(self) -> None:
        """Stop the daemon."""
        self.process.terminate()
        self.process.wait(PATIENCE)


def wait_for_ssh(port: str, log: Path) -> None:
    """Wait until an SSH server answers at a port. The daemon accepts connections also when it has lost the tunnel."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with suppress(OSError), socket.create_connection(("127.0.0.1", int(port)), 5) as connection:
            if connection.recv(4) == b"SSH-":
                return
        time.sleep(0.05)
    raise AssertionError(f"no SSH server at port {port}: {log.read_text() if log.exists() else ''}")


@pytest.fixture(scope="module")
def served() -> Iterator[ServerProcess]:
    """A server that listens only on this machine, as in both recipes."""
    with served_game() as served:
        yield served


@pytest.fixture(scope="module")
def daemon(served: ServerProcess) -> Iterator[Daemon]:
    """The daemon that players can reach."""
    daemon = Daemon(served.root)
    yield daemon
    daemon.stop()


def through(served: ServerProcess, port: str) -> ServerProcess:
    """Return the same server at another port."""
    other = object.__new__(ServerProcess)
    other.__dict__ = {**served.__dict__, "port": port}
    return other


def test_documentation_has_the_recipes() -> None:
    text = (ROOT / "docs" / "hosting.md").read_text()
    assert "--via ssh you@your.server" in text
    assert 'command="env PAXTUI_HOME=' in text and "paxtui join friday germany --data" in text


def test_reverse_tunnel_through_a_server(served: ServerProcess, daemon: Daemon) -> None:
    """`--via ssh`: players connect to the daemon and reach the game. A lost tunnel is opened again."""
    served.stop()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    daemon.allow(served.key("host"))
    me = f"{getpass.getuser()}@127.0.0.1"
    words = through(served, daemon.port).ssh("host", "")[1:-1]
    via = ("--via", "ssh", shlex.join([*words, me]))
    hub = ServerProcess(served.root, options=("--listen", f"127.0.0.2:{port}", *via))  # the same machine on both sides
    pierre = ann = None
    try:
        wait_for_ssh(port, daemon.log)
        pierre = SshPlayer(through(hub, port), "pierre", 100, 30)
        pierre.wait("Your invitation code")
        pierre.type(hub.code("friday", "france") + "\r")
        pierre.wait("PAX BRITANNICA", "MOVEMENT")
        assert "france" in hub.command("status")
        os.kill(_ssh_of(hub.process.pid), signal.SIGKILL)
        hub.wait_for_output("(The tunnel through 127.0.0.1 has ended)")
        wait_for_ssh(port, daemon.log)
        ann = SshPlayer(through(hub, port), "pierre", 100, 30)
        ann.wait("PAX BRITANNICA", "MOVEMENT")
    finally:
        for friend in (pierre, ann):
            if friend is not None:
                friend.drop()
        hub.stop()
        served.start()


def _ssh_of(hub: int) -> int:
    """Return the ssh process of a hub."""
    children = Path(f"/proc/{hub}/task/{hub}/children").read_text().split()
    return next(int(child) for child in children if Path(f"/proc/{child}/comm").read_text().strip() == "ssh")


async def test_failing_tunnel_is_retried_with_growing_pauses() -> None:
    messages, waits = list[str](), list[float]()

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 8:
            raise asyncio.CancelledError

    tunnel = Tunnel(
        "-o NoSuchOption=1 ann@pax.example.org", [Forward(2222, "", is_public=True)], messages.append, sleep
    )
    with pytest.raises(asyncio.CancelledError):
        await tunnel.run()
    assert waits == [1, 2, 4, 8, 15, 15, 15, 15]
    assert "pax.example.org, port 2222" in messages[0] and "has ended (" in messages[1]


def test_behind_a_proxy_only_the_proxy_reaches_the_port() -> None:
    forwards = [Forward(2222, "", is_public=True), Forward(8080, "127.0.0.2", is_public=False)]
    words = Tunnel("ann@pax.example.org", forwards).command
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
def test_tunnel_to_a_trusted_proxy_has_private_ports(options: list[str], ends: list[str]) -> None:
    parser = argparse.ArgumentParser()
    serve.serve_arguments(parser)
    args = parser.parse_args(["--via", "ssh", "ann@pax.example.org", *options])
    tunnel = serve._tunnel(args, "", 2222)
    assert tunnel is not None
    forwards = [word for before, word in pairwise(tunnel.command) if before == "-R"]
    assert forwards == [f"{ends[0]}:2222:127.0.0.1:2222", f"{ends[1]}:8080:127.0.0.1:8080"]


@pytest.mark.parametrize("to", ["", "-v", "'"])
def test_tunnel_needs_a_destination(to: str) -> None:
    with pytest.raises(CommandError, match="--via ssh"):
        Tunnel(to, [])


def test_forced_command_allows_one_seat_only(served: ServerProcess, daemon: Daemon) -> None:
    """The line of authorized_keys is that of docs/hosting.md."""
    paxtui = f"{sys.executable} -m paxtui.cli.main"
    home = served.data / "people" / "host"
    home.mkdir(exist_ok=True)
    join = f"env PAXTUI_HOME={home} {paxtui} join friday germany --data {served.data}"
    daemon.allow(served.key("hans"), f'command="{join}",restrict,pty ')
    server = through(served, daemon.port)
    words = server.ssh("hans", "")
    words[-1] = f"{getpass.getuser()}@127.0.0.1"
    server.ssh = lambda name, *more: [*words[:-1], *more[:-1], words[-1], *(w for w in more[-1:] if w)]
    hans = SshPlayer(server, "hans", 100, 30)
    hans.wait("PAX BRITANNICA", "MOVEMENT")
    assert "germany" in served.command("status")
    hans.drop()
    reader = PlainSshPlayer(server, "hans", "-tt", "sh -c 'echo a shell'")
    reader.expect("plain mode", "germany> ")
    assert b"a shell" not in reader.output
    reader.send_line("quit")
    back = ("-o", "ExitOnForwardFailure=yes", "-R", "0:127.0.0.1:22", "")
    for more in (("-W", f"127.0.0.1:{served.port}", ""), back):
        done = server.run("hans", *more)
        assert done.returncode != 0 and "forward" in (done.stderr + done.stdout).lower()
