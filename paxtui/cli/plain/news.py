"""What has been told at this keyboard, and to whom: public things once, private ones to each seat they are for."""

from __future__ import annotations

from paxtui.cli.plain.show import line_told
from paxtui.pax.history import events as ev
from paxtui.pax.reports.briefing import CLOSING, OPENING
from paxtui.table.session import Session


class Ear:
    """How far the log has been told. A game that is opened begins with its last line."""

    def __init__(self, session: Session) -> None:
        self._told = session.place
        self._reported = session.live.phase in (*CLOSING, *OPENING)
        self._at_keyboard = dict.fromkeys(session.live.players, self._told)

    def news(self, session: Session) -> list[str]:
        """Everything that has happened since the last line told, as far as the seat may know it."""
        since, self._told = self._told, session.place
        self._at_keyboard[session.seat] = self._told
        out = []
        for told in session.told(since):
            out += line_told(session.tables, session.narrator, told._replace(events=self._apart(told.events)))
        return out

    def _apart(self, events: tuple[ev.Event, ...]) -> tuple[ev.Event, ...]:
        """Events without those of the end and the beginning of a Game Turn, which a report tells."""
        out = []
        for event in events:
            if isinstance(event, ev.PhaseBegan):
                self._reported = event.phase in (*CLOSING, *OPENING)
            elif isinstance(event, ev.PositionSet):
                self._reported = event.state.phase in (*CLOSING, *OPENING)
            if not self._reported or isinstance(event, ev.GameEnded | ev.ChoiceOffered):
                out.append(event)
        return tuple(out)

    def missed(self, session: Session) -> list[str]:
        """What came to the seat alone while others sat at the keyboard."""
        since = self._at_keyboard.get(session.seat, 1)
        self._at_keyboard[session.seat] = self._told
        private = [told for told in session.told(since, self._told) if session.is_private(told.place)]
        return [text for told in private for text in line_told(session.tables, session.narrator, told)]
