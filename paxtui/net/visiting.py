"""A client's end of the lobby: what a visitor finds there, and his tickets to seats."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from paxtui.net.line import Lost, Wire
from paxtui.table.games.kept import Lobby


class Visiting:
    """A visitor in the lobby of a house. When the hub was started again he is there again.

    Args:
        socket: where the hub listens.
        ticket: what it has given out for the lobby.

    Raises:
        Lost: the hub cannot be reached, or does not know the ticket.
    """

    def __init__(self, socket: Path, ticket: str) -> None:
        self._socket, self._ticket = socket, ticket
        self._wire = self._come_in()

    def _come_in(self) -> Wire:
        wire = Wire(self._socket)
        wire.visit(self._ticket)
        return wire

    def _wish(self, what: str, **about: str) -> Any:
        """Ask for something. Raises: Refusal, Lost."""
        try:
            return self._wire.wish(what, **about)
        except Lost:
            self._wire.close()
            self._wire = self._come_in()
            return self._wire.wish(what, **about)

    def look(self) -> Lobby:
        """What there is. Raises: Refusal, Lost."""
        return msgspec.convert(self._wish("look"), Lobby)

    def sit(self, game: str, seat: str) -> str:
        """A ticket for a seat of his. Raises: Refusal, Lost."""
        return str(self._wish("sit", game=game, seat=seat)["ticket"])

    def take(self, game: str, seat: str) -> str:
        """A ticket for a seat that was free. Raises: Refusal, Lost."""
        return str(self._wish("take", game=game, seat=seat)["ticket"])

    def watch(self, game: str) -> str:
        """A ticket to look on. Raises: Refusal, Lost."""
        return str(self._wish("watch", game=game)["ticket"])

    def redeem(self, code: str) -> str:
        """A ticket for the seat of an invitation. Raises: Refusal, Lost."""
        return str(self._wish("redeem", code=code)["ticket"])

    def open(self, name: str, players: int, seat: str) -> str:
        """A ticket for a seat of a new game. Raises: Refusal, Lost."""
        return str(self._wish("open", name=name, players=str(players), seat=seat)["ticket"])

    def close(self) -> None:
        """Leave the lobby."""
        self._wire.close()
