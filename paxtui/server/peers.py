"""What a hub knows of the other hubs that share its storage."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple, Protocol

from paxtui.server.standings import Standings
from paxtui.session.storage.files import StorageError


class News(NamedTuple):
    """What has happened at other hubs.

    Attributes:
        is_reconnected: whether the connection is a new one, so that all locks were free for a moment.
        files: the files that were replaced.
        lines: names of the games to which another hub has written.
    """

    is_reconnected: bool
    files: tuple[Path, ...]
    lines: frozenset[str]


class Peers(Standings, Protocol):
    """The hubs that share a storage, and the standings of all games. Each method may raise OSError."""

    def join(self, address: str) -> None:
        """Begin as a hub. Args: ADDR:PORT at which others reach it, "" for none."""

    def leave(self) -> None:
        """End as a hub: the others may take its games."""

    def take_news(self) -> News:
        """Return what has happened since the last call, without waiting."""

    def is_own_game(self, name: str) -> bool:
        """Whether this hub holds a game, as far as it knows."""

    def holder(self, name: str) -> str:
        """Return the address of the hub that holds a game, "" for this one; take over a game that nobody holds.

        Raises: StorageAway: it is not known now.
        """

    def holders(self, names: Sequence[str], own: Collection[str] = ()) -> dict[str, str | StorageError]:
        """Return for each game the address of the hub that holds it, "" for this one, or why it is not known.

        A game that nobody holds is taken over here, or belongs to another hub that shall take it over.

        Args: the games; those of them that this hub takes over in any case.
        """

    def read_ahead(self, names: Sequence[str]) -> AbstractContextManager[None]:
        """Read several games of this hub at once, which are opened inside the block."""

    def orphans(self) -> list[str]:
        """Return the games whose hub is gone, and that this one must continue although no player has asked."""
