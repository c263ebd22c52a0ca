"""A connection to the hub, as the hub knows it."""

from __future__ import annotations

import asyncio

from paxtui.net import messages as say
from paxtui.net.framing import framed
from paxtui.net.hosted import Hosted

UNREAD = 8 * 1024 * 1024
"""Bytes that wait for a client before it is dropped; it gets what it lacks when it comes back."""


class Caller:
    """A connection: a client at a seat once it has entered, a visitor in the lobby, or a door of the house.

    Attributes:
        seat: whose eyes it has, "" before it has entered.
        has: the last line of the seat's log that it has been sent.
        game: the game it looks at.
        player: who it is.
        visits: it is in the lobby.
        talks: it may talk to everybody at the table.
        heard: the last line of table talk that it has been sent.
    """

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        self.seat = self.player = ""
        self.has = 0
        self.game: Hosted | None = None
        self.visits = self.talks = False
        self.heard = 0

    def send(self, message: say.ToClient) -> None:
        """Send something; who does not listen is dropped."""
        if self._writer.is_closing():
            return
        self._writer.write(framed(say.encode(message)))
        if self._writer.transport.get_write_buffer_size() > UNREAD:
            self._writer.transport.abort()

    def close(self) -> None:
        """End the connection when everything is sent."""
        self._writer.close()
