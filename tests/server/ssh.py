"""`paxtui serve` in a process of its own, and players with OpenSSH's client."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pexpect
import pyte

from paxtui.server.data_directory import DataDirectory
from tests.server.conftest import POWERS, game_in_movement
from tests.server.waiting import admin_request
from tests.tui.terminal import Terminal, end_child
from tests.waiting import PATIENCE, wait_until

PAXTUI = (sys.executable, "-m", "paxtui.cli.main")


class ServerProcess:
    """A running `paxtui serve`, on a free port."""

    def __init__(self, root: Path, *games: Path, options: tuple[str, ...] = ()) -> None:
        self.root, self.data = root, root / "h"
        self.env = {**os.environ, "PAXTUI_HOME": str(root), "LC_ALL": "C.UTF-8"}
        self.port, self.options = "0", options
        self.start(*map(str, games))

    def start(self, *games: str) -> None:
        """Start the server, and wait until it accepts connections."""
        words = [*PAXTUI, "serve", *games, "--data", str(self.data), "--listen", f"127.0.0.1:{self.port}"]
        words += self.options
        self.out = self.root / "out"
        with self.out.open("wb") as out:
            self.process = subprocess.Popen(words, env=self.env, stdout=out, stderr=out)
        self.port = self.wait_for_output(r"ssh -p (\d+)")

    def wait_for_output(self, pattern: str) -> str:
        """Wait for a pattern in the output; return its first group. Raises: AssertionError."""
        wait_until(lambda: re.search(pattern, self.out.read_text()), lambda: f"no {pattern!r}: {self.out.read_text()}")
        found = re.search(pattern, self.out.read_text())
        assert found is not None
        return found.group(1)

    def command(self, *words: str) -> str:
        """Run a command about the server; return its output."""
        done = subprocess.run(
            [*PAXTUI, *words, "--data", str(self.data)], env=self.env, capture_output=True, text=True, timeout=PATIENCE
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def code(self, game: str, seat: str) -> str:
        """Return an invitation code for a seat."""
        return str(admin_request(DataDirectory(self.data), "invite", game=game, seat=seat)["code"])

    def key(self, name: str) -> Path:
        """Return the key of a player."""
        path = self.root / f"key_{name}"
        if not path.exists():
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)], check=True)
        return path

    def ssh(self, name: str, *more: str) -> list[str]:
        """Return the command by which a player connects."""
        return [
            "ssh", "-p", self.port, "-i", str(self.key(name)), "-F", "none",
            "-o", "IdentitiesOnly=yes", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null",
            "-o", "LogLevel=ERROR", *more[:-1], f"{name}@127.0.0.1", *(w for w in more[-1:] if w),
        ]  # fmt: skip

    def run(self, name: str, *more: str, typed: str = "") -> subprocess.CompletedProcess[str]:
        """Run ssh to its end without a terminal. Args: the player; options, and at the end the command, "" for none."""
        words = self.ssh(name, *more)
        return subprocess.run(words, input=typed, capture_output=True, text=True, timeout=PATIENCE, env=self.env)

    def stop(self) -> None:
        """Stop the server with SIGTERM."""
        self.process.terminate()
        self.process.wait(PATIENCE)


class SshPlayer(Terminal):
    """A player at a terminal, with ssh."""

    def __init__(self, served: ServerProcess, name: str, columns: int = 160, rows: int = 50) -> None:
        self.served, self.name, self.size = served, name, (rows, columns)
        self.connect()

    def connect(self) -> None:
        """Connect with a new terminal."""
        rows, columns = self.size
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.unread, self.written = bytearray(), bytearray()
        self.rows: list[str] = []
        self.mark = self.at_work = 0
        self.attentive = False
        ssh, *words = self.served.ssh(self.name, "")
        env = {**self.served.env, "TERM": "xterm-256color"}
        self.child = pexpect.spawn(ssh, words, env=env, dimensions=(rows, columns), timeout=PATIENCE)
        self.child.delaybeforesend = None

    def resize(self, columns: int, rows: int) -> None:
        """Change the size of the terminal."""
        self.read()
        self.unread.clear()
        self.screen.resize(rows, columns)
        self.child.setwinsize(rows, columns)

    def drop(self) -> None:
        """Cut the connection."""
        self.child.kill(9)
        end_child(self.child)


class PlainSshPlayer:
    """A player in plain mode: the terminal has only lines."""

    def __init__(self, served: ServerProcess, name: str, *more: str) -> None:
        ssh, *words = served.ssh(name, *(more or ("",)))
        self.child = pexpect.spawn(ssh, words, env={**served.env, "TERM": "dumb"}, timeout=PATIENCE)
        self.child.delaybeforesend = None
        self.output = b""

    def expect(self, *wanted: str) -> None:
        """Wait for texts in the output, in this order."""
        for text in wanted:
            self.child.expect_exact(text)
            self.output += self.child.before + self.child.after

    def send_line(self, text: str) -> None:
        """Type a line."""
        self.child.send(text + "\r")


@contextmanager
def served_game(powers: Sequence[str] = POWERS) -> Iterator[ServerProcess]:
    """A server with the game `friday` in its first Movement Phase."""
    with TemporaryDirectory(prefix="pax") as name:
        path = Path(name) / "friday.jsonl"
        game_in_movement(path, powers).close()
        served = ServerProcess(Path(name), path)
        yield served
        served.stop()
