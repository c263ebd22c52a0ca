"""News for the seat at the keyboard: unread pages, pending tasks, read marks of dispatches and chat, last acts.

Read marks are stored per game and seat in the player's own files.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from contextlib import suppress

from paxtui.engine.free_text import ChatLine
from paxtui.engine.log import Line
from paxtui.engine.toml_text import toml_value
from paxtui.games.pax.actions.actions import Choose
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.narration.narrator import ReportPage, VisibleAct, place_of
from paxtui.games.pax.reports.briefing import briefing_pages
from paxtui.games.pax.reports.changes import ready_withdrawal
from paxtui.games.pax.reports.chronicle import chronicle
from paxtui.games.pax.reports.todo import TREATIES, TodoItem, todo_items
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.questions import DECLARATION_QUESTIONS, DummyCall, Pending
from paxtui.games.pax.text.display import phase_name, power_name
from paxtui.games.pax.transaction import default_answer
from paxtui.games.pax.treaties.lookup import is_old_draft
from paxtui.session.game_host import SeatViews
from paxtui.session.game_viewer import GameViewer, UndoRequest
from paxtui.session.session import Session
from paxtui.session.storage.files import config_file, read_toml, write_config


class NewsTracker:
    """What each seat has already been shown.

    In a game that is opened, a seat has seen everything up to its own last act. A seat that has not acted has seen
    everything; so have all seats of a finished game.

    Args:
        session: the open game.
    """

    def __init__(self, session: Session) -> None:
        acted = {line.seat: line.n for line, _ in session.view.in_force()} if session.live.result is None else {}
        self._seen_until = {seat: acted.get(seat, session.view.place) for seat in session.live.players}
        self._since: dict[str, int] = {}

    def unread(self, session: Session) -> list[ReportPage]:
        """Return the unread pages of the seat at the keyboard, in order, and mark them as read.

        With bots in the game, their acts are included even if they do not concern the seat.
        """
        since = self._seen_until.get(session.seat, session.view.place)
        self._seen_until[session.seat] = session.view.place
        alone = session.seats.here() != session.live.players
        pages = pages_since(session, since, everything=alone) if since < session.view.place else []
        if pages:
            self._since[session.seat] = since
        return pages

    def again(self, session: Session) -> list[ReportPage]:
        """Return the last pages of the seat again, with the news since, and the start of the Game Turn."""
        since = self._since.get(session.seat)
        if since is None:
            mine = [line.n for line, _ in session.view.in_force() if line.seat == session.seat]
            since = mine[-1] - 1 if mine else 1
        return pages_since(session, since, everything=True) or pages_of_turn(session)

    def mark_read(self, session: Session) -> None:
        """Mark everything as read for the seat at the keyboard."""
        self._seen_until[session.seat] = session.view.place


def pages_since(session: Session, place: int, everything: bool = False) -> list[ReportPage]:
    """Return the pages for the events after a place of the shared count, in order.

    Args:
        everything: include acts of others that do not concern the seat.
    """
    places, acts, turn = session.view.acts_of_turn(place)

    def position(of_turn: int) -> State:
        for at, act in zip(places, acts, strict=True):
            if any(isinstance(e, ev.TurnBegan) and e.turn == of_turn for e in act.events):
                return session.view.position(session.view.number_of(at))
        return session.live

    seen = bisect_right(places, place)
    return briefing_pages(session.view.narrator, session.seat, session.live, acts, seen, turn, position, everything)


def pages_of_turn(session: Session) -> list[ReportPage]:
    """Return the pages that began the current Game Turn and the previous one, if there was one."""
    places, acts, _ = session.view.acts_of_turn()
    begun = next((at for at, act in zip(places, acts, strict=True) if _begins(act.events)), 0)
    pages = pages_since(session, begun - 1) if begun else []
    return [page for page in pages if page.standings or page.title[:4].isdecimal()]


def chronicle_pages(view: GameViewer) -> dict[int, ReportPage]:
    """Return the chronicle of the game up to the present, as its reader may know it: Game Turn -> page."""
    acts = [VisibleAct(line.seat, events) for line, events in view.in_force()]
    return chronicle(view.tables, view.position(1), acts)


def _begins(events: tuple[ev.Event, ...]) -> bool:
    return any(isinstance(e, ev.TurnBegan) for e in events)


def pending_tasks(session: Session) -> tuple[TodoItem, ...]:
    """Return the tasks of the seat, the most urgent first; the same object until something changes.

    Left out are drafts of earlier Game Turns, which can still be signed, and empty questions about a declaration of War
    that are answered together with another one.
    """

    def found() -> tuple[TodoItem, ...]:
        state = session.live
        old = {treaty.id for treaty in state.treaties if is_old_draft(state, treaty)}
        others = {choice.id for choice in implied_questions(session)}
        waits = todo_items(session.tables, state, session.seat)
        return tuple(m for m in waits if m.id not in others and (m.where != TREATIES or m.id not in old))

    return session.derived("must_dos", found)


def open_dummy_calls(session: Session) -> tuple[Pending, ...]:
    """Return the questions with nothing to decide that a declaration of War asks the Powers of the seat."""
    return tuple(c for c in session.live.choices if c.seat == session.seat and isinstance(c.about, DummyCall))


def implied_questions(session: Session) -> tuple[Pending, ...]:
    """Return the questions with nothing to decide that need not be shown: another one is answered first."""
    return open_dummy_calls(session)[not has_call(session) :]


def acknowledgement(session: Session) -> Choose | None:
    """Return the answer to a question with nothing to decide, once the seat has answered all others."""
    dummies = open_dummy_calls(session)
    return Choose(dummies[0].id, default_answer(dummies[0])) if dummies and not has_call(session) else None


def has_call(session: Session) -> bool:
    """Return whether a declaration of War asks the seat a question with something to decide."""
    return any(
        choice.seat == session.seat
        and isinstance(choice.about, DECLARATION_QUESTIONS)
        and not isinstance(choice.about, DummyCall)
        for choice in session.live.choices
    )


def undo_request_text(session: Session) -> str:
    """Describe the undo request that waits for the seat's consent; "" for none."""
    request = open_undo_request(session)
    if request is None:
        return ""
    tables, then = session.tables, session.view.position(request.line)
    names = ", ".join(power_name(tables, seat) for seat in request.seats)
    when = f"{tables.turns[then.turn - 1].year}, {phase_name(then.phase)}"
    ask = "asks" if len(request.seats) == 1 else "ask"
    return f"{names} {ask} to undo to line {request.line} ({when})."


def open_undo_request(session: Session) -> UndoRequest | None:
    """Return the undo request that waits for the seat's consent, or None."""
    if session.read_only_label or session.live.result is not None:
        return None
    return next((found for found in session.view.undo_requests() if session.seat not in found.seats), None)


def stays_ready(session: Session) -> bool:
    """Return whether the seat stays ready until something concerns it."""
    orders = session.orders_ahead
    return orders is not None and orders.stays_ready


def reopened_reason(session: Session) -> str:
    """Describe why a seat that was ready in this Phase must act again; "" if it need not."""
    state = session.live
    if session.seat in state.ready or not state.cleared or session.seat not in session.waiting():
        return ""
    if stays_ready(session):  # it becomes ready again when all bots have moved
        return ""
    in_war = state.phase == "war"
    return session.derived(
        "asked_again",
        lambda: ready_withdrawal(
            session.view.narrator, session.seat, session.view.acts_of_turn()[1], in_war, None if in_war else state
        ),
    )


def _read_mark(file: str, session: Session) -> int:
    mark = read_toml(config_file(file)).get(_mark_key(session))
    return mark if isinstance(mark, int) else 0


def _write_mark(file: str, key: str, number: int) -> None:
    """Save a read mark, if it is later than the known one; write errors are ignored."""
    known = {k: v for k, v in read_toml(config_file(file)).items() if isinstance(v, int)}
    if known.get(key, 0) >= number:
        return
    known[key] = number
    with suppress(OSError):
        write_config(config_file(file), "".join(f"{toml_value(k)} = {v}\n" for k, v in known.items()))


def _mark_key(session: Session) -> str:
    return f"{session.view.header.game}:{session.seat}"


READ_DISPATCHES_FILE, READ_ANSWERS_FILE = "dispatches-read.toml", "answers-read.toml"


def last_read_dispatch(session: Session) -> int:
    """Return the last log line of the seat whose dispatches were read."""
    return _read_mark(READ_DISPATCHES_FILE, session)


def unread_dispatch_count(session: Session) -> int:
    """Return the number of unread dispatches to the seat."""
    letters = [d for d in session.view.dispatches() if d.sender != session.seat]
    if not letters:
        return 0
    mark, answers = last_read_dispatch(session), read_toml(config_file(READ_ANSWERS_FILE))
    return sum(1 for d in letters if d.line > mark and f"{_mark_key(session)}:{d.line}" not in answers)


def mark_answer_read(session: Session, line: int) -> None:
    """Mark one dispatch as read, which another screen than that of the dispatches has shown. Args: its log line."""
    if line > last_read_dispatch(session):
        _write_mark(READ_ANSWERS_FILE, f"{_mark_key(session)}:{line}", 1)


def mark_dispatches_read(session: Session, line: int) -> None:
    """Mark all dispatches up to a line of the seat's log as read."""
    _write_mark(READ_DISPATCHES_FILE, _mark_key(session), line)


READ_TALK_FILE = "talk-read.toml"


def unread_talk(session: Session) -> list[ChatLine]:
    """Return the unread chat lines of others."""
    lines = session.chat.lines
    if not lines:
        return []
    mark = _read_mark(READ_TALK_FILE, session)
    return [line for line in lines if line.n > mark and line.seat != session.view.viewpoint]


def mark_talk_read(session: Session) -> None:
    """Mark all chat lines as read."""
    if session.chat.lines:
        _write_mark(READ_TALK_FILE, _mark_key(session), session.chat.last_number)


class LastActs:
    """The places of each seat's last public act.

    Private acts do not count for any seat, so that an onlooker learns nothing that the map does not show.

    Args:
        table: the game, or the log of one seat.
    """

    def __init__(self, table: SeatViews) -> None:
        self._table = table
        self._looked_at = 1
        self._places: dict[str, str] = {}

    def places(self) -> Mapping[str, str]:
        """Return the place of each seat's last public act that concerns one."""
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
        if line.kind == "act" and line.seat in self._table.state.players:
            seen = (place_of(event) for event in self._table.game.events(line.n) if not event.only)
            place = next((place for place in seen if place), "")
            if place:
                self._places[line.seat] = place
