"""Hosting from the app: the screen shows what a player needs, or what is missing, and a real server starts."""

from __future__ import annotations

import base64
import os
import re
import signal
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from paxtui.cli.hosting.admin import ask_hub
from paxtui.cli.hosting.launcher import ServerLauncher
from paxtui.cli.runtime import CommandError
from paxtui.engine.refusal import Refusal
from paxtui.server.data_directory import DataDirectory
from paxtui.session.pax_host import PaxHost
from paxtui.session.storage.log_store import save_dir
from paxtui.session.tables.loader import load_tables
from paxtui.tui.app import PaxApp
from paxtui.tui.base.settings import Settings
from paxtui.tui.start_screens.hosting import HostingInfo, HostScreen, SeatInvitation
from paxtui.tui.start_screens.start import StartScreen
from tests.server.conftest import POWERS
from tests.waiting import until, wait_until


class FakeLauncher:
    """A server launcher that starts nothing, and keeps the requests."""

    web = ""

    def __init__(self, missing: str = "", trouble: Exception | None = None) -> None:
        self._missing, self._trouble = missing, trouble
        self.requests: list[str] = []

    def missing(self) -> str:
        return self._missing

    def host(self, path: Path) -> HostingInfo:
        self.requests.append(path.stem)
        if self._trouble is not None:
            raise self._trouble
        offers = (SeatInvitation("france", code="ABCD-EFGH-JKLM"), SeatInvitation("germany", holder="Hans"))
        return HostingInfo(path.stem, "ssh -p 2222 10.0.0.7", "SHA256:xyz", offers, self.web)

    def offer(self, game: str, seat: str) -> str:
        self.requests.append(f"{game} {seat}")
        return "NEWW-NEWW-NEWW"

    def close(self) -> None:
        self.requests.append("close")


@pytest.fixture
def saved(home) -> Path:
    """A saved game."""
    path = save_dir() / "friday.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    PaxHost.new(load_tables(), POWERS, "1", path=path).close()
    return path


async def open_host_screen(app: PaxApp, pilot) -> HostScreen:
    """Open the screen and wait until the server has answered."""
    await pilot.press("h")
    await until(lambda: isinstance(app.screen, HostScreen) and "is being opened" not in app.screen.words(), pilot=pilot)
    return app.screen


async def test_ssh_command_and_codes_are_shown_and_copied(saved):
    launcher = FakeLauncher()
    app = PaxApp(settings=Settings(), hosting=lambda: launcher)
    copied: list[str] = []
    app.copy_to_clipboard = copied.append
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await open_host_screen(app, pilot)
        assert "ssh -p 2222 10.0.0.7" in screen.words() and "SHA256:xyz" in screen.words()
        await pilot.press("enter")
        assert "Your code (valid once): ABCD-EFGH-JKLM" in copied[0] and "ssh -p 2222 10.0.0.7" in copied[0]
        await pilot.press("down", "i", "enter")
        assert "NEWW-NEWW-NEWW" in copied[1]
        await pilot.press("X")
        await pilot.pause()
        assert isinstance(app.screen, StartScreen)
    assert launcher.requests == ["friday", "friday germany", "close"]


async def test_browser_link_is_shown_and_copied(saved):
    """The text is copied with OSC 52."""
    launcher = FakeLauncher()
    launcher.web = "http://10.0.0.7:8080"
    app = PaxApp(settings=Settings(), hosting=lambda: launcher)
    async with app.run_test(size=(80, 24)) as pilot:
        written: list[str] = []
        app._driver.write = written.append
        screen = await open_host_screen(app, pilot)
        rows = screen.words()
        assert "http://10.0.0.7:8080/join#..." in rows and "ssh -p 2222 10.0.0.7" in rows and "SHA256:xyz" in rows
        await pilot.press("enter")
        (sequence,) = [text for text in written if text.startswith("\x1b]52;c;")]
        copied = base64.b64decode(sequence.removeprefix("\x1b]52;c;").rstrip("\x07\x1b\\")).decode()
        assert "In a browser: http://10.0.0.7:8080/join#ABCD-EFGH-JKLM\n" in copied and "Or over SSH: ssh -p" in copied


@pytest.mark.parametrize(
    ("launcher", "message"),
    [
        (FakeLauncher(missing="Hosting needs one more library"), "Hosting needs one more library"),
        (FakeLauncher(trouble=Refusal("x", (), "The server could not be started")), "could not be started"),
        (FakeLauncher(trouble=OSError(28, "No space left on device")), "No space left"),
    ],
    ids=["missing", "refused", "disk"],
)
async def test_failure_of_the_server_is_shown(saved, launcher, message):
    app = PaxApp(settings=Settings(), hosting=lambda: launcher)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await open_host_screen(app, pilot)
        assert message in screen.words()
        await pilot.press("enter", "i", "p", "escape")
        assert isinstance(app.screen, StartScreen)
    assert saved.exists()


async def test_key_p_opens_the_lobby(saved):
    app = PaxApp(settings=Settings(), hosting=FakeLauncher)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_host_screen(app, pilot)
        await pilot.press("p")
        await pilot.pause()
    assert app.enters_lobby


async def test_open_game_is_hosted_from_its_screen(saved):
    launcher = FakeLauncher()
    app = PaxApp(path=saved, settings=Settings(reports="none", remind=False), hosting=lambda: launcher)
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("H")
        await until(lambda: launcher.requests, pilot=pilot)
        assert isinstance(app.screen, HostScreen) and launcher.requests == ["friday"]


def check_restarted_processes_keep_their_ports(data: DataDirectory) -> None:
    """Check that restarted processes listen at their last ports, although the host asked for any free port."""
    log = data.root / "serve.log"
    patterns = {"front": r"ssh -p (\d+)"} | ({"web": r"In a browser: +\S+:(\d+)\n"} if find_spec("aiohttp") else {})
    for part in patterns:
        os.kill(data.running(part), signal.SIGKILL)
    for part, pattern in patterns.items():
        wait_until(lambda pattern=pattern: len(re.findall(pattern, log.read_text())) == 2, log.read_text)
        first, second = re.findall(pattern, log.read_text())
        assert first == second == str(data.last_port(part))


def test_server_starts_and_stops(home):
    pytest.importorskip("asyncssh")
    with TemporaryDirectory(prefix="pax") as name:
        root = Path(name)
        path = root / "friday.jsonl"
        PaxHost.new(load_tables(), POWERS, "1", path=path).close()
        launcher = ServerLauncher(root / "h", "127.0.0.1:0", "127.0.0.1:0")
        hosted = launcher.host(path)
        try:
            assert hosted.line.startswith("ssh -p ") and not hosted.line.startswith("ssh -p 0 ")
            assert hosted.fingerprint.startswith("SHA256:")
            assert [(offer.seat, len(offer.code)) for offer in hosted.offers] == [(seat, 14) for seat in POWERS]
            again = launcher.host(launcher.data_directory.games / "friday.jsonl")
            assert again.line == hosted.line and again.web == hosted.web
            assert re.fullmatch(r"http://[\d.]+:[1-9]\d+", hosted.web) or not find_spec("aiohttp")
            assert all(offer.holder.startswith("already offered") for offer in again.offers)
            check_restarted_processes_keep_their_ports(launcher.data_directory)
            other = root / "friday.jsonl"
            PaxHost.new(load_tables(), POWERS, "1", path=other).close()
            with pytest.raises(Refusal, match="already"):
                launcher.host(other)
            assert other.exists()
        finally:
            launcher.close()
        with pytest.raises(Refusal):
            launcher.offer("friday", "france")
        with pytest.raises(CommandError):
            ask_hub(launcher.data_directory, "status")
