"""The pseudo-terminal of a client: its environment, its size, and connections that do not read."""

from __future__ import annotations

import asyncio
import os
import pwd
import struct
import termios
import threading
from contextlib import suppress
from fcntl import ioctl

import pytest

from paxtui.cli.hosting import preload
from paxtui.server import ssh_session
from paxtui.server.client_process import PseudoTerminal, environment_for
from paxtui.server.data_directory import DataDirectory
from paxtui.server.ssh_server import SshServer
from paxtui.tui.game import screen
from paxtui.tui.map import layout

EVIL = {
    "PATH": "/tmp/evil", "LD_PRELOAD": "/tmp/evil.so", "PYTHONPATH": "/tmp", "PYTHONSTARTUP": "/tmp/x.py",
    "PAXTUI_HOME": "/etc", "HOME": "/root", "TEXTUAL_DEVTOOLS": "1", "ESCDELAY": "0", "SSH_AUTH_SOCK": "/tmp/agent",
    "DISPLAY": ":0", "LC_ALL": "C.UTF-8\n\x1b[2J; rm -rf /", "COLORTERM": "truecolor" * 100, "LANG": "../../etc/passwd",
}  # fmt: skip


def test_few_environment_variables_are_passed_on() -> None:
    environment = environment_for("xterm-256color", EVIL, "friday")
    assert environment == {
        "TERM": "xterm-256color",
        "PATH": "/usr/bin:/bin",
        "PAXTUI_TABLE": "friday",
        "LC_ALL": "C.UTF-82Jrm-rf",
        "LANG": "....etcpasswd",
        "COLORTERM": ("truecolor" * 100)[:40],
    }


@pytest.mark.parametrize("term", ["", "\x1b[c", "/../"])
def test_terminal_without_a_valid_name_is_dumb(term: str) -> None:
    environment = environment_for(term, {}, "friday")["TERM"]
    assert not set(environment) & set("\x1b[/") and environment


@pytest.mark.parametrize(("asked", "given"), [((9999, 9999), (500, 200)), ((0, 0), (20, 5)), ((80, 24), (80, 24))])
def test_impossible_terminal_sizes_are_corrected(asked: tuple[int, int], given: tuple[int, int]) -> None:
    terminal = PseudoTerminal(*asked)
    try:
        high, wide, _, _ = struct.unpack("HHHH", ioctl(terminal._other, termios.TIOCGWINSZ, bytes(8)))
        assert (wide, high) == given
    finally:
        terminal.close()


async def test_session_that_does_not_read_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ssh_session, "SLOW", 0.01)
    terminal = PseudoTerminal(80, 24)

    class UnreadSession:
        """A session whose client reads nothing."""

        written = b""
        stdout = None

        def write(self, data: bytes) -> None:
            self.written += data

        async def drain(self) -> None:
            await asyncio.Event().wait()

    session = UnreadSession()
    session.stdout = session
    try:
        os.write(terminal._other, b"a frame")
        with pytest.raises(TimeoutError):
            await ssh_session._forward_output(session, terminal)
        assert session.written == b"a frame"
    finally:
        terminal.close()


def test_fork_server_draws_once_and_keeps_no_game(home, monkeypatch) -> None:
    """It leaves one thread, which a fork needs, and cached drawings, but no file and no other home directory."""
    seen = []
    real = screen.GameScreen
    monkeypatch.setattr(preload, "GameScreen", lambda session: seen.append(session) or real(session))
    before = os.environ["PAXTUI_HOME"], threading.active_count(), sorted(home.rglob("*"))
    layout.lay_out.cache_clear()
    preload.draw_once()
    assert (os.environ["PAXTUI_HOME"], threading.active_count(), sorted(home.rglob("*"))) == before
    assert seen[0].live.phase == "movement" and layout.lay_out.cache_info().currsize > 0


async def test_input_waits_for_earlier_input() -> None:
    """A browser that reconnects sends more input while its earlier input is waiting or cancelled."""
    terminal = PseudoTerminal(80, 24)
    os.set_blocking(terminal._other, False)
    received = bytearray()
    try:
        first = asyncio.create_task(terminal.write(b"x" * 100_000))
        second = asyncio.create_task(terminal.write(b"y"))
        for _ in range(3):
            await asyncio.sleep(0)
        first.cancel()
        while b"y" not in received:
            with suppress(BlockingIOError):
                received += os.read(terminal._other, 4096)
            await asyncio.sleep(0)
        await second
        assert set(received) == set(b"xy") and received.endswith(b"xy") and len(received) < 100_000
    finally:
        terminal.close()


async def test_closing_a_terminal_ends_pending_reads_and_writes() -> None:
    terminal = PseudoTerminal(80, 24)
    writes = asyncio.create_task(terminal.write(b"x" * 100_000))
    reads = asyncio.create_task(terminal.read())
    for _ in range(3):
        await asyncio.sleep(0)
    terminal.close()
    other = PseudoTerminal(80, 24)  # it gets the same file descriptors
    os.write(other._other, b"a frame")
    assert await other.read() == b"a frame"
    assert await reads == b""
    with pytest.raises(OSError):
        await writes
    with pytest.raises(OSError, match="closed"):
        terminal.resize(80, 24)
    terminal.close()
    assert not other._waiting
    other.close()


async def test_the_ssh_server_needs_no_home_directory(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The user of a hardened systemd service is not in /etc/passwd."""
    monkeypatch.setenv("HOME", "")
    monkeypatch.delenv("HOME")

    def fail(number: int) -> None:
        raise KeyError(number)

    monkeypatch.setattr(pwd, "getpwuid", fail)
    front = SshServer(DataDirectory(tmp_path / "data"), tmp_path / "forks.sock")
    assert await front.listen("127.0.0.1", 0) > 0
    await front.close()
