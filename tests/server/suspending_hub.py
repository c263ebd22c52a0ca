"""A hub whose clocks the test moves, so that its games are suspended."""

from __future__ import annotations

import json
from pathlib import Path

from paxtui.server.data_directory import Journal
from paxtui.server.games import REST_S
from tests.server.conftest import HubClocks, RunningHub


class SuspendingHub(RunningHub):
    """A hub whose clocks the test moves."""

    def __init__(self, root: Path, dice: str = "plain", **hub) -> None:
        super().__init__(root, dice, HubClocks(), journal=Journal(root.parent / "journal.jsonl"), **hub)

    def look(self) -> None:
        """Do what the hub does each second."""

        async def look() -> None:
            self.hub.look()

        self.do(look())

    def suspend(self, name: str = "friday") -> None:
        """Disconnect all clients, and let time pass until the game is suspended."""
        game = self.hub.games.awake(name)
        assert game is not None
        for guest in tuple(game.subscribers):
            guest.close()
        for _ in range(500):
            self.look()
            if game.is_quiet:
                break
            self.do(run_loop_once())
        self.look()
        self.times.pass_(REST_S)
        self.look()
        assert self.hub.games.awake(name) is None

    def games_of_event(self, event: str) -> list[str]:
        """Return the games of an event in the journal, in order."""
        lines = map(json.loads, (self.data_directory.root.parent / "journal.jsonl").read_text().splitlines())
        return [line["game"] for line in lines if line["event"] == event]


async def run_loop_once() -> None:
    """Let the event loop run once."""
