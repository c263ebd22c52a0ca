"""Friends at one table over SSH, with the real programs: OpenSSH's client, and `paxtui serve`."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from paxtui.engine.log import parse
from paxtui.table.authority import Table
from paxtui.table.tables import load_tables
from tests.net.ssh import Friend, Reader, Served

pytestmark = pytest.mark.skipif(shutil.which("ssh") is None, reason="openssh-client is missing: .ci/system-packages")

POWERS = ("britain", "france", "germany", "united_states")


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    """A table with a game in its first Movement Phase."""
    with TemporaryDirectory(prefix="pax") as name:
        root = Path(name)
        with Table.new(load_tables(), POWERS, "1898", path=root / "friday.jsonl") as table:
            while table.state.phase != "movement":
                table.advance()
        served = Served(root, root / "friday.jsonl")
        yield served
        served.stop()


@pytest.fixture(scope="module")
def pierre(served: Served) -> Friend:
    """France, who has come with a code."""
    friend = Friend(served, "pierre")
    friend.wait("Your code")
    friend.type("not a code\r")
    friend.wait("no such code")
    friend.type(served.code("friday", "france") + "\r")
    friend.wait("PAX BRITANNICA")
    return friend


def test_a_whole_evening(served: Served, pierre: Friend) -> None:
    """Two friends sit down, see each other's acts, lose the connection and the hub, and carry on."""
    hans = Friend(served, "hans", 100, 30)
    hans.wait("Your code")
    code = served.code("friday", "germany")
    hans.type(code.lower().replace("-", " ") + "\r")
    hans.wait("PAX BRITANNICA", "MOVEMENT")
    for friend in (pierre, hans):
        friend.look()
        friend.press("Escape", "Escape")
        friend.wait("Enter what can I do here")
    status = served.command("status")
    assert "france, germany" in status

    pierre.type("r")
    hans.wait("FR✓")

    hans.resize(80, 24)
    hans.wait("FR✓")
    hans.drop()
    again = Friend(served, "hans", 120, 40)  # no code this time
    again.wait("PAX BRITANNICA", "FR✓")

    served.process.send_signal(signal.SIGKILL)
    served.process.wait()
    for friend in (pierre, again):
        friend.wait("The game is safe")
    served.start()
    for friend in (pierre, again):
        friend.wait("MOVEMENT", gone="The game is safe", seconds=60)
    again.look()
    again.press("Escape")
    again.look()  # an Esc with another key right behind it would be that key with Alt
    again.type("r")
    pierre.wait("DE✓", seconds=60)
    table = Table.open(served.data / "games" / "friday.jsonl", write=False)
    assert set(table.state.ready) == {"france", "germany"}


def test_a_code_is_good_once(served: Served, pierre: Friend) -> None:
    code = served.code("friday", "britain")
    first = Friend(served, "victoria")
    first.wait("Your code")
    first.type(code + "\r")
    first.wait("PAX BRITANNICA")
    thief = Friend(served, "moriarty")
    thief.wait("Your code")
    thief.type(code + "\r")
    thief.wait("no such code")
    for _ in range(2):
        thief.type("AAAA\r")
    thief.wait("Ask whoever runs the table")


def test_export_gives_a_friend_the_log_of_his_seat(served: Served, pierre: Friend) -> None:
    done = served.run("pierre", "export friday")
    assert done.returncode == 0, done.stderr
    parsed = parse(done.stdout.encode())
    assert parsed.header.seed == ""
    assert parsed.lines
    assert served.run("stranger", "export friday").returncode == 1


def test_line_by_line_for_a_screen_reader(served: Served, pierre: Friend) -> None:
    """TERM=dumb, or `plain`: a conversation without one escape code, which tells what others do as it comes."""
    code = served.code("friday", "united_states")
    anna = Reader(served, "anna")
    anna.hear("Your code of invitation:")
    anna.say(code)
    anna.hear("line by line", "Movement", "united_states> ")
    anna.say("what")
    anna.hear("1", "united_states> ")
    pierre.look()
    pierre.press("Escape")
    pierre.look()
    pierre.press("T")
    pierre.wait("Table talk")
    pierre.type("bonsoir\r")
    anna.hear("France, pierre, says: bonsoir")
    anna.say("say good evening")
    pierre.wait("good evening")
    anna.say("nonsense")
    anna.hear("Not understood")
    anna.say("quit")
    anna.hear("Everything is saved.")
    assert b"\x1b" not in anna.heard


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("id",), "Nothing but the game"),
        (("-s", "sftp"), "subsystem request failed"),
        (("-tt", "sh -i"), "Nothing but the game"),
        (("export friday; id",), "export takes one of your games"),
        (("-T", ""), "needs a terminal"),
        (("-o", "ExitOnForwardFailure=yes", "-R", "0:127.0.0.1:22", "-T", ""), "forwarding failed"),
        (("-W", "127.0.0.1:22", ""), "forwarding failed"),
        (("-o", "PubkeyAuthentication=no", "-o", "PreferredAuthentications=password", ""), "Permission denied"),
    ],
    ids=["exec", "sftp", "shell", "two commands", "no terminal", "-R", "-W", "password"],
)
def test_nothing_but_the_game(served: Served, pierre: Friend, words: tuple[str, ...], told: str) -> None:
    done = served.run("pierre", *words)
    assert done.returncode != 0
    assert told in done.stdout + done.stderr
