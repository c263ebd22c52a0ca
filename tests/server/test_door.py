"""What is between a connection and the client: its environment, its size, and how long somebody may not read."""

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


def test_of_an_environment_from_outside_a_few_words_are_passed_on() -> None:
    told = environment_for("xterm-256color", EVIL, "friday")
    assert told == {
        "TERM": "xterm-256color",
        "PATH": "/usr/bin:/bin",
        "PAXTUI_TABLE": "friday",
        "LC_ALL": "C.UTF-82Jrm-rf",
        "LANG": "....etcpasswd",
        "COLORTERM": ("truecolor" * 100)[:40],
    }


@pytest.mark.parametrize("term", ["", "\x1b[c", "/../"])
def test_a_terminal_that_has_no_name_is_a_dumb_one(term: str) -> None:
    told = environment_for(term, {}, "friday")["TERM"]
    assert not set(told) & set("\x1b[/") and told


@pytest.mark.parametrize(("asked", "given"), [((9999, 9999), (500, 200)), ((0, 0), (20, 5)), ((80, 24), (80, 24))])
def test_a_size_that_makes_no_sense_is_put_right(asked: tuple[int, int], given: tuple[int, int]) -> None:
    terminal = PseudoTerminal(*asked)
    try:
        high, wide, _, _ = struct.unpack("HHHH", ioctl(terminal._other, termios.TIOCGWINSZ, bytes(8)))
        assert (wide, high) == given
    finally:
        terminal.close()


async def test_who_does_not_read_what_is_drawn_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ssh_session, "SLOW", 0.01)
    terminal = PseudoTerminal(80, 24)

    class Deaf:
        """A session whose other end reads nothing."""

        written = b""
        stdout = None

        def write(self, data: bytes) -> None:
            self.written += data

        async def drain(self) -> None:
            await asyncio.Event().wait()

    deaf = Deaf()
    deaf.stdout = deaf
    try:
        os.write(terminal._other, b"a frame")
        with pytest.raises(TimeoutError):
            await ssh_session._forward_output(deaf, terminal)
        assert deaf.written == b"a frame"
    finally:
        terminal.close()


def test_what_clients_are_forked_from_has_looked_at_a_game_and_kept_none(home, monkeypatch) -> None:
    """It leaves one thread, as a fork needs it, and what it has drawn; not a file, and not another home."""
    seen = []
    real = screen.GameScreen
    monkeypatch.setattr(preload, "GameScreen", lambda session: seen.append(session) or real(session))
    before = os.environ["PAXTUI_HOME"], threading.active_count(), sorted(home.rglob("*"))
    layout.lay_out.cache_clear()
    preload.draw_once()
    assert (os.environ["PAXTUI_HOME"], threading.active_count(), sorted(home.rglob("*"))) == before
    assert seen[0].live.phase == "movement" and layout.lay_out.cache_info().currsize > 0


async def test_input_waits_for_input_that_the_program_has_not_read() -> None:
    """A browser that comes back types on, while what it typed before is still waiting or given up."""
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


async def test_whoever_waits_for_a_terminal_is_told_that_it_is_closed() -> None:
    terminal = PseudoTerminal(80, 24)
    writes = asyncio.create_task(terminal.write(b"x" * 100_000))
    reads = asyncio.create_task(terminal.read())
    for _ in range(3):
        await asyncio.sleep(0)
    terminal.close()
    other = PseudoTerminal(80, 24)  # it gets the same numbers
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
    """As the user of a hardened service of systemd, which is in no file of users."""
    monkeypatch.setenv("HOME", "")
    monkeypatch.delenv("HOME")

    def fail(number: int) -> None:
        raise KeyError(number)

    monkeypatch.setattr(pwd, "getpwuid", fail)
    front = SshServer(DataDirectory(tmp_path / "house"), tmp_path / "forks.sock")
    assert await front.listen("127.0.0.1", 0) > 0
    await front.close()
