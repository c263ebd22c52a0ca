"""Find the hubs of games for many players at once, and open the games that this hub takes over.

When a hub has failed, all its players connect to the others in the same moment. Their games are asked for, locked and
read together, so that the number of round trips to the storage does not grow with that of the games.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress

from paxtui.engine.refusal import Refusal
from paxtui.server.data_directory import Journal
from paxtui.server.games import GameRegistry
from paxtui.server.peers import Peers
from paxtui.session.storage.files import StorageError

MOST_TOGETHER = 25
"""Maximum number of games that are locked and read together; it bounds the time that others wait."""

STEPS = 6
"""Number of rounds of the event loop from a new connection to the name of its game."""


class GameOpener:
    """Opens games that players wait for, and then those of hubs that are gone.

    Args:
        peers: the other hubs.
        games: the games of this hub.
        journal: the journal.
    """

    def __init__(self, peers: Peers, games: GameRegistry, journal: Journal) -> None:
        self._peers, self._games, self._journal = peers, games, journal
        self._wanted: dict[tuple[str, bool], asyncio.Future[str | StorageError]] = {}
        self._orphans: list[str] = []
        self._task: asyncio.Task[None] | None = None

    @property
    def is_busy(self) -> bool:
        """Whether players wait for games."""
        return bool(self._wanted)

    async def hub_of(self, name: str, may_pass: bool) -> str:
        """Return the address of the hub that holds a game, "" for this one, which opens it.

        Args: the game; whether a game without a hub may go to another one.
        Raises: StorageError: it is not known now.
        """
        if self._games.awake(name) and self._peers.is_own_game(name):
            return ""
        wanted = self._wanted.setdefault((name, may_pass), asyncio.get_running_loop().create_future())
        self._start()
        found = await asyncio.shield(wanted)
        if isinstance(found, StorageError):
            raise found
        return found

    def take_over(self, orphans: Iterable[str]) -> None:
        """Open games whose hub is gone, as soon as no player waits."""
        self._orphans = list(orphans)
        if self._orphans:
            self._start()

    def close(self) -> None:
        """Open no more games."""
        if self._task is not None:
            self._task.cancel()
        for wanted in self._wanted.values():
            wanted.cancel()

    def _start(self) -> None:
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._open_all())

    async def _open_all(self) -> None:
        while self._wanted or self._orphans:
            for _ in range(STEPS):  # the players who come in this moment belong to the same round
                await asyncio.sleep(0)
            if self._wanted:
                await self._open_wanted(list(self._wanted)[:MOST_TOGETHER])
            else:
                await self._open_orphan(self._orphans.pop(0))

    async def _open_wanted(self, wanted: list[tuple[str, bool]]) -> None:
        """Find the hubs of games, and open those of this hub. Args: each game, and whether it may go to another hub."""
        names = list(dict.fromkeys(name for name, _ in wanted))
        try:
            found = self._peers.holders(names, {name for name, may_pass in wanted if not may_pass})
            own = [name for name in names if found[name] == "" and not self._games.awake(name)]
            for name in set(names).difference(own):
                self._answer(name, found[name])
            with self._peers.read_ahead(own):
                for name in own:
                    with suppress(Refusal, OSError):  # the player is told when it is opened again
                        self._games.game(name)
                    self._answer(name, "")
                    await asyncio.sleep(0)
        except StorageError as error:
            for name in names:
                self._answer(name, error)
        finally:  # nobody waits for ever, whatever fails
            for name in names:
                self._answer(name, "")

    def _answer(self, name: str, found: str | StorageError) -> None:
        for may_pass in (True, False):
            wanted = self._wanted.pop((name, may_pass), None)
            if wanted is not None and not wanted.done():
                wanted.set_result(found)

    async def _open_orphan(self, name: str) -> None:
        with suppress(Refusal, OSError):
            if not self._games.awake(name):
                self._games.game(name)
                self._journal.note("taken_over", game=name)
        await asyncio.sleep(0)
