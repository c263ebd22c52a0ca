"""The palette (ctrl+p): what the keys of a screen do, in the order in which one needs it, nothing dangerous first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from textual.app import SystemCommand
from textual.command import DiscoveryHit, Hit, Hits, Provider

FIRST = (
    "game.menu", "game.move", "game.find", "game.command", "game.choose", "game.next_task", "game.since", "game.ready",
    "game.treaties", "game.dispatches", "game.congress", "game.sheet", "game.undo", "game.log",
    "game.statistics", "game.rules",
)  # fmt: skip
"""What is wanted most on the game screen, in this order."""

LAST = ("game.sitters", "game.undo_here", "start.trash", "game.all_ready", "game.leave", "start.quit", "app.quit")
"""What ends or changes much: at the end, the more of it the further down."""


class Entry(NamedTuple):
    """A line of the palette: the id of its binding, and what Textual shows and runs."""

    id: str
    command: SystemCommand


def in_order(entries: Iterable[Entry]) -> list[SystemCommand]:
    """Entries by use: what is wanted most, the others as the screen has them, what is dangerous last."""

    def place(entry: Entry) -> int:
        if entry.id in FIRST:
            return FIRST.index(entry.id)
        return len(FIRST) + (1 + LAST.index(entry.id) if entry.id in LAST else 0)

    return [entry.command for entry in sorted(entries, key=place)]


class PaxCommands(Provider):
    """Gives the palette its lines, in the order of `get_system_commands`."""

    async def discover(self) -> Hits:
        """All of them, before anything is typed."""
        for name, help_, run, _ in self.app.get_system_commands(self.screen):
            yield DiscoveryHit(name, run, help=help_)

    async def search(self, query: str) -> Hits:
        """Those that are like what was typed; of two that are as like, the one wanted more comes first."""
        matcher = self.matcher(query)
        for n, (name, help_, run, _) in enumerate(self.app.get_system_commands(self.screen)):
            match = matcher.match(name)
            if match > 0:
                yield Hit(match - n / 10_000, matcher.highlight(name), run, help=help_)

