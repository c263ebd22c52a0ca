"""A server directory of version 0.2.0: players keep their seats, and its invitation codes are valid."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from paxtui.session.pax_host import PaxHost
from tests.places import SAVES
from tests.server.ssh import PlainSshPlayer, ServerProcess

KEPT = SAVES / "earlier" / "server-0.2.0"
CODE_OF_BRITAIN = "FFAA-CJM9-KC69"
"""The unused invitation to the game `sunday` that version 0.2.0 printed."""


@pytest.fixture
def served() -> Iterator[ServerProcess]:
    """A server in a copy of the directory. The socket needs a short path."""
    with TemporaryDirectory(prefix="pax") as name:
        root = Path(name)
        shutil.copytree(KEPT, root, dirs_exist_ok=True)
        for folder, _, files in os.walk(root):
            os.chmod(folder, 0o700)
            for file in files:
                os.chmod(Path(folder, file), 0o600)
        served = ServerProcess(root)
        yield served
        served.stop()


def test_a_server_directory_of_0_2_0_is_served(served: ServerProcess) -> None:
    status = served.command("status")
    assert "friday: turn 1, movement" in status and "sunday: turn 1, random events" in status

    pierre = PlainSshPlayer(served, "pierre")  # the server knows this key: it asks for no code
    pierre.expect("friday", "Which number?")
    pierre.send_line("1")
    pierre.expect("france>")
    pierre.send_line("place influence tunis")
    pierre.expect("France places Influence in")
    pierre.send_line("talk")
    pierre.expect("hello table", "guten Tag")

    ann = PlainSshPlayer(served, "ann")
    ann.expect("code")
    ann.send_line(CODE_OF_BRITAIN)
    ann.expect("britain")
    served.stop()
    with PaxHost.open(served.data / "games" / "friday.jsonl", write=False) as friday:
        assert friday.version == 5
        assert not friday.verify()
