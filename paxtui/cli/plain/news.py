"""What has been told at this keyboard, and to whom: public things once, private ones to each seat they are for."""

from __future__ import annotations

from paxtui.cli.plain.show import line_told
from paxtui.table.authority import Table
from paxtui.table.session import Session


class Ear:
    """How far the log has been told. A game that is opened begins with its last line."""

    def __init__(self, table: Table) -> None:
        self._told = table.version
        self._at_keyboard = dict.fromkeys(table.state.players, self._told)

    def news(self, session: Session) -> list[str]:
        """Everything that has happened since the last line told, as far as the seat may know it."""
        told, self._told = self._told, session.table.version
        self._at_keyboard[session.seat] = self._told
        return [text for n in range(told + 1, self._told + 1) for text in line_told(session, n)]

    def missed(self, session: Session) -> list[str]:
        """What came to the seat alone while others sat at the keyboard."""
        since = self._at_keyboard.get(session.seat, 1)
        self._at_keyboard[session.seat] = self._told
        private = [n for n in range(since + 1, self._told + 1) if session.table.is_private(n)]
        return [text for n in private for text in line_told(session, n)]


def last_to_act(session: Session) -> str:
    """The seat of the last act in force that the seat at the keyboard knows of, "" for none."""
    known = session.table.known(session.seat)
    lines = [line for line in session.table.game.effective_lines() if known.number(line.n) > known.number(line.n - 1)]
    acted = [line.seat for line in lines if line.seat in session.live.players]
    return acted[-1] if acted else ""
