"""What the seats at a keyboard have been told of a game, and the pages that each has still to read."""

from __future__ import annotations

from bisect import bisect_right

from paxtui.pax.history import events as ev
from paxtui.pax.reports.briefing import briefing
from paxtui.pax.reports.page import Page
from paxtui.pax.reports.withdrawn import withdrawn
from paxtui.pax.state.model import State
from paxtui.table.session import Session


class News:
    """How far each seat has been told. A game that is opened has been told up to each seat's own last act.

    Args:
        session: the open game.
    """

    def __init__(self, session: Session) -> None:
        self._told = dict.fromkeys(session.live.players, session.place)
        self._withdrawn: dict[str, tuple[int, str]] = {}

    def unread(self, session: Session) -> list[Page]:
        """The pages that the seat at the keyboard has not read yet, in order; now it has."""
        since = self._told.get(session.seat, session.place)
        self._told[session.seat] = session.place
        return pages_since(session, since) if since < session.place else []

    def heard(self, session: Session) -> None:
        """The seat at the keyboard knows all that has happened: it has done it itself, or seen it done."""
        self._told[session.seat] = session.place

    def withdrawn(self, session: Session) -> str:
        """Why the seat at the keyboard is asked once more although it was ready; "" where it is not."""
        state = session.live
        if session.seat in state.ready or not state.cleared:
            return ""
        known, said = self._withdrawn.get(session.seat, (0, ""))
        if known != session.place:
            said = withdrawn(session.narrator, session.seat, session.acts_of_turn()[1])
            self._withdrawn[session.seat] = session.place, said
        return said


def pages_since(session: Session, place: int) -> list[Page]:
    """What the seat at the keyboard was not told of up to a place of the shared count, in order."""
    places, acts, turn = session.acts_of_turn(place)

    def position(of_turn: int) -> State:
        for at, act in zip(places, acts, strict=True):
            if any(isinstance(e, ev.TurnBegan) and e.turn == of_turn for e in act.events):
                return session.position(session.number_of(at))
        return session.live

    told = bisect_right(places, place)
    return briefing(session.narrator, session.seat, session.live, acts, told, turn, position)


def pages_since_own_act(session: Session) -> list[Page]:
    """What has happened since the seat at the keyboard last acted."""
    mine = [line.n for line, _ in session.in_force() if line.seat == session.seat]
    return pages_since(session, mine[-1] - 1 if mine else 1)


def pages_of_turn(session: Session) -> list[Page]:
    """The page with which the Game Turn in progress began, and that of the one before it if there was one."""
    places, acts, _ = session.acts_of_turn()
    begun = next((at for at, act in zip(places, acts, strict=True) if _begins(act.events)), 0)
    pages = pages_since(session, begun - 1) if begun else []
    return [page for page in pages if page.standings or page.title[:4].isdecimal()]


def _begins(events: tuple[ev.Event, ...]) -> bool:
    return any(isinstance(e, ev.TurnBegan) for e in events)
