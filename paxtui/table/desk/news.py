"""What the seats at a keyboard have been told of a game, and the pages that each has still to read."""

from __future__ import annotations

from bisect import bisect_right

from paxtui.pax.history import events as ev
from paxtui.pax.reports.briefing import briefing
from paxtui.pax.reports.page import Page
from paxtui.pax.state.model import State
from paxtui.table.session import Session


class News:
    """How far each seat has been told. Of a game that is opened each seat has been told up to its own last act; who has
    not acted yet, and everybody where the game is over, all of it.

    Args:
        session: the open game.
    """

    def __init__(self, session: Session) -> None:
        acted = {line.seat: line.n for line, _ in session.in_force()} if session.live.result is None else {}
        self._told = {seat: acted.get(seat, session.place) for seat in session.live.players}
        self._since: dict[str, int] = {}

    def unread(self, session: Session) -> list[Page]:
        """The pages that the seat at the keyboard has not read yet, in order; now it has.

        Where others play themselves, what they have done is told even if it does not concern the seat: nobody saw it.
        """
        since = self._told.get(session.seat, session.place)
        self._told[session.seat] = session.place
        alone = session.seats_here() != session.live.players
        pages = pages_since(session, since, everything=alone) if since < session.place else []
        if pages:
            self._since[session.seat] = since
        return pages

    def again(self, session: Session) -> list[Page]:
        """The pages that the seat at the keyboard was given last, with what has come since; how the Game Turn began."""
        since = self._since.get(session.seat)
        if since is None:
            mine = [line.n for line, _ in session.in_force() if line.seat == session.seat]
            since = mine[-1] - 1 if mine else 1
        return pages_since(session, since, everything=True) or pages_of_turn(session)

    def heard(self, session: Session) -> None:
        """The seat at the keyboard knows all that has happened: it has done it itself, or seen it done."""
        self._told[session.seat] = session.place


def pages_since(session: Session, place: int, everything: bool = False) -> list[Page]:
    """What has happened after a place of the shared count, for the seat at the keyboard, in order.

    Args:
        everything: also what others did that does not concern it.
    """
    places, acts, turn = session.acts_of_turn(place)

    def position(of_turn: int) -> State:
        for at, act in zip(places, acts, strict=True):
            if any(isinstance(e, ev.TurnBegan) and e.turn == of_turn for e in act.events):
                return session.position(session.number_of(at))
        return session.live

    told = bisect_right(places, place)
    return briefing(session.narrator, session.seat, session.live, acts, told, turn, position, everything)


def pages_of_turn(session: Session) -> list[Page]:
    """The page with which the Game Turn in progress began, and that of the one before it if there was one."""
    places, acts, _ = session.acts_of_turn()
    begun = next((at for at, act in zip(places, acts, strict=True) if _begins(act.events)), 0)
    pages = pages_since(session, begun - 1) if begun else []
    return [page for page in pages if page.standings or page.title[:4].isdecimal()]


def _begins(events: tuple[ev.Event, ...]) -> bool:
    return any(isinstance(e, ev.TurnBegan) for e in events)
