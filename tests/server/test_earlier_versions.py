"""A server directory that version 0.2.0 wrote: it is served, its players keep their seats, its codes are good."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from paxtui.session.pax_host import PaxHost
from tests.places import SAVES
from tests.server.ssh import Reader, Served

KEPT = SAVES / "earlier" / "server-0.2.0"
CODE_OF_BRITAIN = "FFAA-CJM9-KC69"
"""The unused invitation to the game `sunday` that version 0.2.0 printed."""


@pytest.fixture
def served() -> Iterator[Served]:
    """The kept directory on a port of this machine. The socket needs a short path."""
    with TemporaryDirectory(prefix="pax") as name:
        root = Path(name)
        shutil.copytree(KEPT, root, dirs_exist_ok=True)
        for folder, _, files in os.walk(root):
            os.chmod(folder, 0o700)
            for file in files:
                os.chmod(Path(folder, file), 0o600)
        served = Served(root)
        yield served
        served.stop()


def test_a_server_directory_of_0_2_0_is_served(served: Served) -> None:
    status = served.command("status")
    assert "friday: turn 1, movement" in status and "sunday: turn 1, random events" in status

    pierre = Reader(served, "pierre")  # the server knows this key: it asks for no code
    pierre.hear("friday", "Which number?")
    pierre.say("1")
    pierre.hear("france>")
    pierre.say("place influence tunis")
    pierre.hear("France places Influence in")
    pierre.say("talk")
    pierre.hear("hello table", "guten Tag")

    ann = Reader(served, "ann")
    ann.hear("code")
    ann.say(CODE_OF_BRITAIN)
    ann.hear("britain")
    served.stop()
    with PaxHost.open(served.data / "games" / "friday.jsonl", write=False) as friday:
        assert friday.version == 5
        assert not friday.verify()
