"""What the seats at a keyboard have been told of a game, and the pages that each has still to read.

What waits for the seat at the keyboard, and where each of it is done.

How far the player has read of dispatches and of table talk: a number for each game and seat, in his own files.

Which dispatches the seat at the keyboard has seen.

Which table talk the player has seen.

Where each seat has acted last, as everybody at a shared table saw it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from contextlib import suppress

from paxtui.engine.log import Line
from paxtui.engine.toml_text import toml_value
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.narration.narrator import ReportPage, place_of
from paxtui.games.pax.reports.briefing import briefing_pages
from paxtui.games.pax.reports.changes import ready_withdrawal
from paxtui.games.pax.reports.todo import TREATIES, TodoItem, todo_items
from paxtui.games.pax.state.diplomacy import DRAFT
from paxtui.games.pax.state.model import State
from paxtui.games.pax.text.display import phase_name, power_name
from paxtui.games.pax.text.free_text import ChatLine
from paxtui.session.game_host import SeatViews
from paxtui.session.local_session import Session, UndoRequest
from paxtui.session.storage.files import config_file, read_toml, write_config


class NewsTracker:
    """How far each seat has been told. Of a game that is opened each seat has been told up to its own last act; who has
    not acted yet, and everybody where the game is over, all of it.

    Args:
        session: the open game.
    """

    def __init__(self, session: Session) -> None:
        acted = {line.seat: line.n for line, _ in session.in_force()} if session.live.result is None else {}
        self._told = {seat: acted.get(seat, session.place) for seat in session.live.players}
        self._since: dict[str, int] = {}

    def unread(self, session: Session) -> list[ReportPage]:
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

    def again(self, session: Session) -> list[ReportPage]:
        """The pages that the seat at the keyboard was given last, with what has come since; how the Game Turn began."""
        since = self._since.get(session.seat)
        if since is None:
            mine = [line.n for line, _ in session.in_force() if line.seat == session.seat]
            since = mine[-1] - 1 if mine else 1
        return pages_since(session, since, everything=True) or pages_of_turn(session)

    def heard(self, session: Session) -> None:
        """The seat at the keyboard knows all that has happened: it has done it itself, or seen it done."""
        self._told[session.seat] = session.place


def pages_since(session: Session, place: int, everything: bool = False) -> list[ReportPage]:
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
    return briefing_pages(session.narrator, session.seat, session.live, acts, told, turn, position, everything)


def pages_of_turn(session: Session) -> list[ReportPage]:
    """The page with which the Game Turn in progress began, and that of the one before it if there was one."""
    places, acts, _ = session.acts_of_turn()
    begun = next((at for at, act in zip(places, acts, strict=True) if _begins(act.events)), 0)
    pages = pages_since(session, begun - 1) if begun else []
    return [page for page in pages if page.standings or page.title[:4].isdecimal()]


def _begins(events: tuple[ev.Event, ...]) -> bool:
    return any(isinstance(e, ev.TurnBegan) for e in events)


def pending_tasks(session: Session) -> tuple[TodoItem, ...]:
    """What waits for the seat, the most pressing first; the same object as long as nothing has changed.

    A draft of an earlier Game Turn can still be signed, but who has let it lie so long is not reminded any more.
    """

    def found() -> tuple[TodoItem, ...]:
        state = session.live
        old = {treaty.id for treaty in state.treaties if treaty.stage == DRAFT and treaty.drafted < state.turn}
        waits = todo_items(session.tables, state, session.seat)
        return tuple(must for must in waits if must.where != TREATIES or must.id not in old)

    return session.derived("must_dos", found)


def undo_request_text(session: Session) -> str:
    """The undo that other seats ask for, in a sentence; "" where none waits for the seat's consent."""
    request = open_undo_request(session)
    if request is None:
        return ""
    tables, then = session.tables, session.position(request.line)
    names = ", ".join(power_name(tables, seat) for seat in request.seats)
    when = f"{tables.turns[then.turn - 1].year}, {phase_name(then.phase)}"
    ask = "asks" if len(request.seats) == 1 else "ask"
    return f"{names} {ask} to take the game back to line {request.line} ({when})."


def open_undo_request(session: Session) -> UndoRequest | None:
    """The undo that waits for the consent of the seat, None where there is none."""
    if session.reading or session.live.result is not None:
        return None
    return next((found for found in session.undo_requests() if session.seat not in found.seats), None)


def reopened_reason(session: Session) -> str:
    """Why the seat is asked once more although it was ready in this Phase; "" where it is not."""
    state = session.live
    if session.seat in state.ready or not state.cleared or session.seat not in session.waiting():
        return ""
    in_war = state.phase == "war"
    return session.derived(
        "asked_again", lambda: ready_withdrawal(session.narrator, session.seat, session.acts_of_turn()[1], in_war)
    )


def read_mark(file: str, session: Session) -> int:
    """How far the seat has read. Args: the name of the file; the open game."""
    mark = read_toml(config_file(file)).get(_mark_key(session))
    return mark if isinstance(mark, int) else 0


def write_mark(file: str, session: Session, number: int) -> None:
    """Remember that the seat has read so far; one that cannot be kept is not worth a message."""
    known = {k: v for k, v in read_toml(config_file(file)).items() if isinstance(v, int)}
    if known.get(_mark_key(session), 0) >= number:
        return
    known[_mark_key(session)] = number
    with suppress(OSError):
        write_config(config_file(file), "".join(f"{toml_value(k)} = {v}\n" for k, v in known.items()))


def _mark_key(session: Session) -> str:
    return f"{session.about.game}:{session.seat}"


READ_DISPATCHES_FILE = "dispatches-read.toml"


def last_read_dispatch(session: Session) -> int:
    """The last line of the seat's log whose dispatches it has seen."""
    return read_mark(READ_DISPATCHES_FILE, session)


def unread_dispatch_count(session: Session) -> int:
    """How many dispatches to the seat it has not seen."""
    letters = [d for d in session.dispatches() if d.sender != session.seat]
    if not letters:
        return 0
    mark = last_read_dispatch(session)
    return sum(1 for d in letters if d.line > mark)


def mark_dispatches_read(session: Session, line: int) -> None:
    """Remember that everything up to a line of the seat's log has been seen."""
    write_mark(READ_DISPATCHES_FILE, session, line)


READ_TALK_FILE = "talk-read.toml"


def unread_talk(session: Session) -> list[ChatLine]:
    """What others have said at the table since the player looked last."""
    lines = session.talk
    if not lines:
        return []
    mark = read_mark(READ_TALK_FILE, session)
    return [line for line in lines if line.n > mark and line.seat != session.viewpoint]


def mark_talk_read(session: Session) -> None:
    """Remember that everything said so far has been seen."""
    if session.talk:
        write_mark(READ_TALK_FILE, session, session.talk[-1].n)


class LastActs:
    """The places of the last acts of a game's seats.

    What is between some seats only counts for nobody, not even for one of them: whoever looks over a player's shoulder
    learns from it what he could see on the map.

    Args:
        table: the game, or the log that one seat has of it.
    """

    def __init__(self, table: SeatViews) -> None:
        self._table = table
        self._looked_at = 1
        self._places: dict[str, str] = {}

    def places(self) -> Mapping[str, str]:
        """The place of the last act of each seat that was about one and that everybody saw."""
        game = self._table.game
        new = game.lines_after(self._looked_at)
        if any(line.kind in ("undo", "redo") for line in new):
            self._places = {}
            for line in game.effective_lines():
                self._see(line)
        else:
            for line in new:
                self._see(line)
        self._looked_at = game.version
        return self._places

    def _see(self, line: Line) -> None:
        """Take account of an act in force."""
        if line.kind == "act" and line.seat in self._table.state.players:
            seen = (place_of(event) for event in self._table.game.events(line.n) if not event.only)
            place = next((place for place in seen if place), "")
            if place:
                self._places[line.seat] = place
