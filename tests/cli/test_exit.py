"""The end of the program on a pseudo-terminal: signals, crashes of the screen, and no terminal."""

from __future__ import annotations

import ctypes
import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pexpect
import pytest
from textual.worker import WorkerFailed

from paxtui.cli.main import main
from paxtui.cli.plain.repl import interruptible_input
from paxtui.cli.runtime import report_crash
from paxtui.session.pax_host import PaxHost
from tests.waiting import PATIENCE, wait_until

ROOT = Path(__file__).resolve().parents[2]

MODES = re.compile(rb"\x1b\[\?(\d+)([hl])")
SCREEN_MODES = (b"1049", b"1000", b"1003", b"1006", b"2004", b"1004")
"""Modes that must be off when the program has ended: alternate screen, mouse, bracketed paste, focus."""


def environment(home: Path) -> dict[str, str]:
    return {
        **{name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")},
        "PAXTUI_HOME": str(home),
        "TERM": "xterm-256color",
        "LC_ALL": "C.UTF-8",
    }


def program(home: Path, *words: str, script: str = "") -> pexpect.spawn:
    """Start paxtui, or a script that runs it, on a pseudo-terminal."""
    how = ["-c", script, *words] if script else ["-m", "paxtui.cli.main", *words]
    env = environment(home)
    return pexpect.spawn(sys.executable, how, env=env, dimensions=(40, 120), timeout=PATIENCE, cwd=str(ROOT))


def active_modes(written: bytes) -> set[bytes]:
    """Return the modes that are on after some output."""
    on: set[bytes] = set()
    for mode, how in MODES.findall(written):
        (on.add if how == b"h" else on.discard)(mode)
    return on


def read_to_end(child: pexpect.spawn) -> bytes:
    """Read the output of a program to its end."""
    out = b""
    try:
        while True:
            out += child.read_nonblocking(65536, timeout=PATIENCE)
    except pexpect.EOF:
        child.close()
        return out


def text_after(written: bytes) -> list[str]:
    """Return the lines after the screen was closed."""
    after = written.decode().rpartition("\x1b[?1049l")[2]
    return re.sub(r"\x1b\[[0-9;?<]*[A-Za-z]", "", after).strip().splitlines()


@pytest.fixture
def game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    path = tmp_path / "game.jsonl"
    assert main(["new", "--no-play", "--seed", "3", "--file", str(path)]) == 0
    return path


def in_a_shell(home: Path, *words: str) -> pexpect.spawn:
    """Start paxtui in a shell that prints the exit code and the settings of the terminal."""
    line = f"{sys.executable} -m paxtui.cli.main {' '.join(words)}; echo code $?; stty -a"
    how = {"env": environment(home), "dimensions": (40, 120), "timeout": 60, "cwd": str(ROOT)}
    return pexpect.spawn("/bin/sh", ["-c", line], **how)


def send(shell: pexpect.spawn, number: signal.Signals) -> None:
    """Send a signal to the program in the shell."""
    found = subprocess.run(["pgrep", "-P", str(shell.pid)], capture_output=True, check=True)
    os.kill(int(found.stdout.split()[0]), number)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT], ids=lambda n: n.name)
def test_signal_restores_the_terminal(game: Path, tmp_path: Path, number: signal.Signals) -> None:
    shell = in_a_shell(tmp_path, "play", str(game))
    written = b""
    while b"Great Britain" not in written or b"\x1b[?1049h" not in written:
        written += shell.read_nonblocking(65536, timeout=PATIENCE)
    assert active_modes(written) >= {b"1049", b"1000"}
    send(shell, number)
    written += read_to_end(shell)
    assert not active_modes(written) & set(SCREEN_MODES)
    assert b"25" in active_modes(written)  # the cursor is visible
    lines = text_after(written)
    assert lines[0] == f"code {128 + number}"
    assert " icanon " in " ".join(lines) and " echo " in " ".join(lines)
    PaxHost.open(game).close()  # the lock is released


def test_closed_terminal_ends_the_program(game: Path, tmp_path: Path) -> None:
    child = program(tmp_path, "play", str(game))
    written = b""
    while b"Great Britain" not in written:
        written += child.read_nonblocking(65536, timeout=PATIENCE)
    pid = child.pid
    os.close(child.child_fd)
    child.child_fd, child.closed = -1, True
    wait_until(lambda: os.waitpid(pid, os.WNOHANG)[0] == pid)
    PaxHost.open(game).close()


CRASHING = """
import sys
from paxtui.cli.main import main
from paxtui.cli.plain.repl import interruptible_input
from paxtui.tui.game.screen import GameScreen
from paxtui.tui.game.seats import SeatController

def crash(self):
    seed = "the very seed"
    raise KeyError("secret treaty " + seed)

GameScreen.action_help = SeatController.action_all_ready = SeatController.action_ready = crash
sys.exit(main(sys.argv[1:]))
"""


def test_crash_of_the_screen_gives_one_sentence_and_a_report(game: Path, tmp_path: Path) -> None:
    child = program(tmp_path, "play", str(game), script=CRASHING)
    written = b""
    while b"Great Britain" not in written:
        written += child.read_nonblocking(65536, timeout=PATIENCE)
    child.send("r")
    written += read_to_end(child)
    assert not active_modes(written) & set(SCREEN_MODES)
    assert child.exitstatus == 70
    lines = text_after(written)
    assert len(lines) == 1
    assert lines[0].startswith("paxtui: internal error. All accepted actions are saved")
    (report,) = (tmp_path / "crashes").iterdir()
    assert str(report) in lines[0]
    assert report.stat().st_mode & 0o777 == 0o600
    text = report.read_text()
    assert "KeyError" in text and "in the very" not in text
    assert re.search(r"^  paxtui/tui/app\.py:\d+ |^  textual/app\.py:\d+ ", text, re.MULTILINE)
    assert re.search(r"^  <string>:\d+ crash$", text, re.MULTILINE)
    for secret in ("secret", "treaty", "very seed", str(tmp_path), str(ROOT), "game.jsonl", "seed="):
        assert secret not in text
        assert secret not in written.decode() or secret in (str(tmp_path), "game.jsonl", "seed", "treaty")


def test_crash_report_names_the_place_of_a_failed_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Textual keeps the error of a worker in an attribute, not as the cause."""
    monkeypatch.setenv("PAXTUI_HOME", str(tmp_path))
    try:
        {}["in the very secret treaty"]
    except KeyError as error:
        report_crash(WorkerFailed(error), "play")
    (report,) = (tmp_path / "crashes").iterdir()
    text = report.read_text()
    assert (
        "KeyError" in text and "test_crash_report_names_the_place_of_a_failed_worker" in text and "secret" not in text
    )


def test_lost_file_is_reported_after_the_screen_has_closed(game: Path, tmp_path: Path) -> None:
    child = program(tmp_path, "play", str(game))
    written = b""
    while b"Great Britain" not in written:
        written += child.read_nonblocking(65536, timeout=PATIENCE)
    game.unlink()
    child.send("\x11")
    written += read_to_end(child)
    (lines,) = text_after(written)
    assert "was removed or renamed by another program" in lines and "game.rescued.jsonl" in lines
    assert child.exitstatus == 1


def test_incomplete_end_is_reported_on_the_screen(game: Path, tmp_path: Path) -> None:
    with game.open("ab") as file:
        file.write(b'{"n":2,')
    child = program(tmp_path, "play", str(game))
    written = b""
    while b"was not written to its end" not in re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]|\s+", b" ", written):
        written += child.read_nonblocking(65536, timeout=PATIENCE)
    child.send("\x11")
    read_to_end(child)
    assert child.exitstatus == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=lambda n: n.name)
def test_signal_in_plain_mode_restores_the_terminal(game: Path, tmp_path: Path, number: signal.Signals) -> None:
    """At the prompt of the plain mode readline controls the terminal."""
    shell = in_a_shell(tmp_path, "play", "--plain", str(game))
    shell.expect(r"\w+> ")
    send(shell, number)
    shell.expect(f"code {128 + number}")
    shell.expect(pexpect.EOF)
    assert b" icanon" in shell.before and b" echo " in shell.before


def test_signal_just_before_waiting_for_a_key_ends_the_wait() -> None:
    """`pause` waits like readline: for the next signal only."""
    earlier = {number: signal.signal(number, lambda number, frame: None) for number in (signal.SIGUSR1, signal.SIGALRM)}
    threads = threading.active_count()
    signal.alarm(1000)
    try:
        with interruptible_input():
            os.kill(os.getpid(), signal.SIGUSR1)
            ctypes.CDLL(None).pause()
        assert signal.alarm(0) > 0
        assert signal.getsignal(signal.SIGURG) is signal.SIG_DFL
        wait_until(lambda: threading.active_count() == threads)
    finally:
        signal.alarm(0)
        for number, before in earlier.items():
            signal.signal(number, before)


@pytest.mark.parametrize("words", [(), ("play", "game.jsonl"), ("play",), ("new",), ("tutorial",)], ids=" ".join)
def test_screen_needs_a_terminal(game: Path, tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "saves").mkdir()
    game.rename(tmp_path / "saves" / "game.jsonl")
    before = sorted(tmp_path.rglob("*"))
    words = tuple("saves/game.jsonl" if word == "game.jsonl" else word for word in words)
    for stdin in (subprocess.DEVNULL, subprocess.PIPE):
        child = subprocess.Popen(
            [sys.executable, "-m", "paxtui.cli.main", *words],
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(tmp_path) | {"PYTHONPATH": str(ROOT)},
            cwd=tmp_path,
        )
        out, err = child.stdout.read(), child.stderr.read()  # type: ignore[union-attr]  # its stdin stays open
        assert child.wait(60) == 2
        if child.stdin:
            child.stdin.close()
        assert out == b""
        assert err.decode().count("\n") == 1 and "needs a terminal" in err.decode() and "--plain" in err.decode()
    assert sorted(tmp_path.rglob("*")) == before


def test_screen_needs_standard_streams(game: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        f"exec {sys.executable} -m paxtui.cli.main play {game} <&-",
        shell=True,
        capture_output=True,
        env=environment(tmp_path),
        cwd=ROOT,
        timeout=PATIENCE,
    )
    assert done.returncode == 2 and b"needs a terminal" in done.stderr


def test_unwritable_output_keeps_the_exit_code(tmp_path: Path) -> None:
    """When a closed terminal refuses the rest of the output, Python would end with 120."""
    script = (
        "import sys\n"
        "from paxtui.cli import main, start\n"
        "def hang_up(args):\n"
        "    print('unwritten')\n"
        "    raise SystemExit(129)\n"
        "start.run_start_screen = hang_up\n"
        "sys.exit(main.main([]))\n"
    )
    env = {name: value for name, value in environment(tmp_path).items() if name != "PYTHONUNBUFFERED"}
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([sys.executable, "-c", script], stdout=full, stderr=subprocess.PIPE, env=env, cwd=ROOT)
    assert (done.returncode, done.stderr) == (129, b"")
