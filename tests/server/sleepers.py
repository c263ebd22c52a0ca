"""A hub with clocks that go when they are told to, so that its games fall asleep."""

from __future__ import annotations

import json
from pathlib import Path

from paxtui.server.data_directory import Journal
from paxtui.server.games import REST_S
from tests.server.conftest import Running, Times


class Sleepers(Running):
    """A hub whose clocks go when they are told to."""

    def __init__(self, root: Path, dice: str = "plain", **hub) -> None:
        self.times = Times()
        super().__init__(root, dice, self.times, journal=Journal(root.parent / "journal.jsonl"), **hub)

    def look(self) -> None:
        """Let the hub look what is due, as it does each second."""

        async def look() -> None:
            self.hub.look()

        self.do(look())

    def let_sleep(self, name: str = "friday") -> None:
        """Everybody leaves, and time passes."""
        game = self.hub.games.awake(name)
        assert game is not None
        for guest in tuple(game.subscribers):
            guest.close()
        for _ in range(500):
            self.look()
            if game.is_quiet:
                break
            self.do(go_round())
        self.look()
        self.times.pass_(REST_S)
        self.look()
        assert self.hub.games.awake(name) is None

    def opened(self, event: str) -> list[str]:
        """The games of which the journal says that something has happened, in order."""
        lines = map(json.loads, (self.data_directory.root.parent / "journal.jsonl").read_text().splitlines())
        return [line["game"] for line in lines if line["event"] == event]


async def go_round() -> None:
    """Let the loop go round."""
