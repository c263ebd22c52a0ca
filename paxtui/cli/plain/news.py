"""What has been told at this keyboard, and to whom: public things once, private ones to each seat they are for."""

from __future__ import annotations

from paxtui.cli.plain.show import line_told
from paxtui.table.session import Session


class Ear:
    """How far the log has been told. A game that is opened begins with its last line."""

    def __init__(self, session: Session) -> None:
        self._told = session.place
        self._at_keyboard = dict.fromkeys(session.live.players, self._told)

    def news(self, session: Session) -> list[str]:
        """Everything that has happened since the last line told, as far as the seat may know it."""
        since, self._told = self._told, session.place
        self._at_keyboard[session.seat] = self._told
        return [text for told in session.told(since) for text in line_told(session.tables, session.narrator, told)]

    def missed(self, session: Session) -> list[str]:
        """What came to the seat alone while others sat at the keyboard."""
        since = self._at_keyboard.get(session.seat, 1)
        self._at_keyboard[session.seat] = self._told
        private = [told for told in session.told(since, self._told) if session.is_private(told.place)]
        return [text for told in private for text in line_told(session.tables, session.narrator, told)]
