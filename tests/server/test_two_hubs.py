"""Two hubs on one database; players of one game connect to both with OpenSSH's client."""

from __future__ import annotations

import shutil
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from paxtui.server.postgres.database import Database
from paxtui.server.postgres.storage import PostgresStorage
from paxtui.session.hosts import open_game
from tests.server.conftest import game_in_movement
from tests.server.postgres import BIN, PostgresServer
from tests.server.ssh import ServerProcess, SshPlayer

pytestmark = [
    pytest.mark.ssh,
    pytest.mark.skipif(not BIN.is_dir(), reason="postgresql is missing: .ci/system-packages"),
    pytest.mark.skipif(shutil.which("ssh") is None, reason="openssh-client is missing: .ci/system-packages"),
]


@pytest.fixture
def url() -> Iterator[str]:
    server = PostgresServer()
    yield server.url()
    server.close()


@pytest.fixture
def home() -> Iterator[Path]:
    """A directory with a path short enough for a socket."""
    with TemporaryDirectory(prefix="pax") as root:
        yield Path(root)


def machine(root: Path, url: str, *games: Path) -> ServerProcess:
    """Start a server with its own directory, as on its own machine."""
    root.mkdir()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        link = f"127.0.0.1:{probe.getsockname()[1]}"
    return ServerProcess(root, *games, options=("--store", url, "--link", link))


def test_players_move_to_the_other_hub_when_one_is_killed(url: str, home: Path) -> None:
    path = home / "friday.jsonl"
    game_in_movement(path).close()
    east = machine(home / "e", url, path)
    west = machine(home / "w", url)
    west.key = east.key  # the players have one key for both
    pierre = SshPlayer(east, "pierre")
    pierre.wait("Your invitation code")
    pierre.type(east.code("friday", "france") + "\r")
    pierre.wait("PAX BRITANNICA", "MOVEMENT")
    hans = SshPlayer(west, "hans")  # west passes Hans on to east, which holds the game
    hans.wait("Your invitation code")
    hans.type(west.code("friday", "germany") + "\r")
    hans.wait("PAX BRITANNICA", "MOVEMENT")
    for friend in (pierre, hans):
        friend.look()
        friend.press("Escape", "Escape")
        friend.wait("Enter what can I do here")
    pierre.type("r")
    hans.wait("FR✓")

    east.process.send_signal(signal.SIGKILL)
    east.process.wait()
    pierre.drop()
    again = SshPlayer(west, "pierre")  # no code this time
    again.wait("PAX BRITANNICA", "FR✓")
    again.look()
    again.press("Escape", "Escape")
    again.wait("Enter what can I do here")
    again.press(":")
    again.wait("order:")
    again.type("unready\r")
    hans.wait("MOVEMENT", gone="FR✓")  # the client has reconnected by itself
    hans.look()
    hans.type("r")
    again.wait("DE✓")

    west.stop()
    storage = PostgresStorage(Database(url), home / "w/h")
    with open_game(storage.path("games/friday.jsonl"), storage=storage) as table:
        assert set(table.state.ready) == {"germany"} and not table.verify()
    storage.database.close()
