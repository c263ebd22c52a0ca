"""A game of eight with OpenSSH clients: six players and two statesmen, for more than two Game Turns.

One joins with a code, one has two terminals, one watches from the lobby, one loses the connection and returns, one
makes the window larger. They reveal words for fair dice, write a dispatch, sign a secret Treaty, vote in a Congress,
and declare a War.
"""

from __future__ import annotations

import shutil
import time
import tomllib
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import pytest

from paxtui.bots.pax.registry import parse_bot_name
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.games.pax.actions.actions import SetPosition
from paxtui.games.pax.events import events
from paxtui.games.pax.position.setup import seats_for
from paxtui.games.pax.state.questions import Pending
from paxtui.games.pax.transaction import default_answer
from paxtui.server.data_directory import DataDirectory
from paxtui.session.pax_host import PaxHost
from paxtui.session.tables.loader import load_tables
from tests.places import ROOT
from tests.server.ssh import ServerProcess, SshPlayer
from tests.server.waiting import admin_request
from tests.tui.terminal import save_quiet_settings
from tests.waiting import PATIENCE

pytestmark = pytest.mark.skipif(shutil.which("ssh") is None, reason="openssh-client is missing: .ci/system-packages")

POSITION = ROOT / "tests" / "golden" / "congress.toml"
SEED = "5eed" * 16
PERSONS = ("britain", "france", "germany", "japan", "russia", "italy")
BOTS = ("united_states", "belgium")
SECRET = "Pact of Steel"
LETTER = "meet me in Vienna"
DRAFT = "propose Tunis: italy lowers tunis to interest; france pays italy 15"
"""Seconds that anything may take on a machine that does ten other things."""


class HostedEvening:
    """The game, its server and its players."""

    def __init__(self, served: ServerProcess, log: Path) -> None:
        self.served, self.log = served, log
        self.at: dict[str, SshPlayer] = {}
        self.done: set[str] = set()

    def ask(self, ask: str, **about: str) -> Any:
        """Send an administrative request."""
        return admin_request(DataDirectory(self.served.data), ask, **about)

    # --- coming -----------------------------------------------------------------------------------------------------

    def add_player(self, seat: str) -> None:
        """Give a player a seat, and settings without pages that open by themselves."""
        key = self.served.key(seat).with_suffix(".pub").read_text()
        code = self.ask("invite", game="vienna", seat=seat)["code"]
        save_quiet_settings(
            DataDirectory(self.served.data).player_directory(
                self.ask("redeem", key=key, code=code, name=seat)["player"]
            )
        )

    def connect(self, seat: str, columns: int = 80, rows: int = 24) -> SshPlayer:
        """Connect a player."""
        friend = SshPlayer(self.served, seat, columns, rows)
        friend.wait("what can I do here")
        return friend

    def give_words(self) -> None:
        """Begin the game; each program reveals its word for the dice, the same one each time.

        A program makes a word of its own where its player has none lying there.
        """
        promise = PaxHost.open(self.log, write=False).game.header.commitment
        for player in self.ask("players"):
            for _, seat in player["seats"]:
                words = DataDirectory(self.served.data).player_directory(player["player"]) / "words"
                words.mkdir(mode=0o700)
                (words / sha256(f"{promise}|{seat}".encode()).hexdigest()[:16]).write_text(f"{seat} plays fair\n")
        for friend in self.at.values():  # it begins when all confirm
            friend.look()
            friend.press("r")
        end = time.monotonic() + PATIENCE
        while self.settled().game.dice.stage != "made":
            assert time.monotonic() < end, "\n".join(friend.text for friend in self.at.values())
            time.sleep(0.02)
        self.at["germany"].press("Escape")

    # --- playing ----------------------------------------------------------------------------------------------------

    def settled(self) -> PaxHost:
        """Wait until the statesmen have acted; return the game."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            for friend in self.at.values():
                friend.read(0.0)
            if not self.ask("status")["games"][0]["thinks"]:
                return PaxHost.open(self.log, write=False)
            time.sleep(0.02)
        raise AssertionError("the statesmen do not stop thinking")

    def lines(self) -> int:
        """Return the number of lines of the log on disk."""
        return self.log.read_bytes().count(b"\n")

    def order(self, seat: str, text: str) -> None:
        """Type an order, once the player's client has the whole log."""
        friend = self.at[seat]
        while True:
            table, before = self.settled(), self.lines()
            known = len(table.known(seat).lines) + 1
            friend.wait(f"line {known} ")
            if "Delegates" in friend.text:
                friend.press("Escape")
                friend.wait("what can I do here", gone="Delegates")
            friend.press(":")
            friend.wait("order:")
            friend.type(f"{text}\r")
            if self.has_acted(friend, before, seat):
                return

    def has_acted(self, friend: SshPlayer, before: int, seat: str) -> bool:
        """Wait for a line of a seat. Returns: False if the game changed first, and the order must be given again."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            new = self.log.read_bytes().splitlines()[before:]
            if any(msgspec.json.decode(line).get("seat") == seat for line in new):
                return True
            friend.read(0.02)
            assert "Not allowed" not in friend.text or "meanwhile" in friend.text, friend.text
            if "meanwhile" in friend.text:
                friend.press("Escape")
                return False
        raise AssertionError(f"no line of {seat}:\n{friend.text}")

    def play(self, until: int) -> None:
        """Play until a Game Turn begins."""
        for _ in range(400):
            table = self.settled()
            state = table.state
            if state.turn >= until:
                return
            due = [seat for seat in table.waiting if seat in PERSONS]
            if not due:
                self.advance(PERSONS[0])
                continue
            choice = next((c for c in state.choices if c.seat == due[0]), None)
            if choice is not None:
                self.answer(due[0], choice, table)
            elif state.phase == "war":
                declares = due[0] == "japan" and self.first("war")
                self.order(due[0], "declare war russia" if declares else "pass")
            else:
                self.order(due[0], "ready")
        raise AssertionError("the game does not go on")

    def answer(self, seat: str, choice: Pending, table: PaxHost) -> None:
        """Answer a question: France proposes to the Congress, and votes by keys on its screen; all vote for it."""
        if choice.kind == "ballot" and seat == "france":
            before, friend = self.lines(), self.at[seat]
            friend.wait("Delegates", "France:")
            friend.look()
            friend.press("y")
            friend.wait("And then?")
            friend.press("a")
            assert self.has_acted(friend, before, seat)
        elif choice.kind == "ballot":
            self.order(seat, f"choose {choice.id} {'abstain' if seat == 'japan' else 'yes'}")
        elif choice.kind == "propose" and seat == "france" and self.first("draft"):
            self.order(seat, DRAFT)
        else:
            self.order(seat, " ".join(("choose", choice.id, *default_answer(choice))))

    def advance(self, seat: str) -> None:
        """Continue an automatic Phase by a key."""
        before, friend = self.lines(), self.at[seat]
        friend.look()
        friend.press("r")
        self.has_acted(friend, before, ARBITER)

    def first(self, what: str) -> bool:
        """Return whether this is the first call with this word."""
        new = what not in self.done
        self.done.add(what)
        return new


@pytest.fixture(scope="module")
def evening() -> Iterator[HostedEvening]:
    """A game before the Congress of Vienna, with two statesmen."""
    with TemporaryDirectory(prefix="pax") as name:
        data = DataDirectory(Path(name) / "h")
        path, options = data.games / "vienna.jsonl", {"belgium": "yes"}
        with PaxHost.new(load_tables(), seats_for(8), SEED, options, path=path, dice="fair") as table:
            patch = tomllib.loads(POSITION.read_text())
            patch["casus_belli"].append({"holder": "japan", "against": "russia"})
            table.act(ARBITER, SetPosition(patch))
            table.seat({seat: parse_bot_name("statesman:easy") for seat in BOTS})
        served = ServerProcess(Path(name))
        evening = HostedEvening(served, path)
        yield evening
        for friend in evening.at.values():
            friend.drop()
        served.stop()


def test_eight_players_play_two_turns(evening: HostedEvening) -> None:
    served, at = evening.served, evening.at
    for seat in PERSONS[1:]:
        evening.add_player(seat)
        at[seat] = evening.connect(seat)
    victoria = at["britain"] = SshPlayer(served, "britain", 100, 30)
    victoria.wait("Your invitation code")
    victoria.type(served.code("vienna", "britain") + "\r")
    victoria.wait("NEGOTIATE")
    at["france, elsewhere"] = evening.connect("france", 100, 40)
    watch_from_the_lobby(evening)
    evening.give_words()

    evening.order("germany", f"dispatch italy: {LETTER}")
    evening.order("germany", f"treaty {SECRET} with italy secret: defensive against france")
    draft = next(t.id for t in evening.settled().state.treaties if t.name == SECRET)
    evening.order("italy", f"sign {draft}")

    victoria.drop()
    player = next(p["player"] for p in evening.ask("players") if ["vienna", "britain"] in p["seats"])
    save_quiet_settings(DataDirectory(served.data).player_directory(player))
    at["britain"] = evening.connect("britain", 100, 30)  # no code this time

    evening.order("france", "congress britain over cb1")
    evening.play(2)
    at["japan"].resize(120, 40)
    evening.play(3)
    check_result(evening)


def watch_from_the_lobby(evening: HostedEvening) -> None:
    """A player who lost the seat, and so is known, watches from the lobby."""
    evening.add_player("united_states")
    evening.ask("seat", game="vienna", seat="united_states", player="")
    spectator = evening.at[SPECTATOR] = SshPlayer(evening.served, "united_states")
    spectator.wait("the lobby", "watch")
    spectator.look()
    spectator.press("Enter")
    spectator.wait("SPECTATOR")


def check_result(evening: HostedEvening) -> None:
    """Check the log, the screens, and that no secret reached another seat."""
    table = evening.settled()
    assert table.verify() == []
    assert set(table.game.dice.contributors) == set(PERSONS) and table.game.dice_used
    happened = [e for line in table.game.effective_lines() for e in table.game.events(line.n)]
    turns = [e.turn for e in happened if isinstance(e, events.TurnBegan)]
    assert {2, 3} <= set(turns)
    assert any(isinstance(e, events.WarDeclared) for e in happened)
    congress = [e.congress for e in happened if isinstance(e, events.CongressChanged)][-1]
    assert congress.proposals[0].votes["france"] == "yes"
    (pact,) = (t for t in table.state.treaties if t.name == SECRET)
    assert not pact.public and set(pact.signed) == {"germany", "italy"}
    year = str(table.tables.turns[2].year)
    for friend in evening.at.values():
        friend.wait(year)
    secret = (SECRET.encode(), LETTER.encode())
    for seat in PERSONS:
        log = evening.served.run(seat, "export vienna").stdout.encode()
        assert all((word in log) == (seat in ("germany", "italy")) for word in secret), seat
    for who, friend in evening.at.items():
        assert SEED.encode() not in friend.written
        if who not in ("germany", "italy"):
            assert not any(word in friend.written for word in secret), who
