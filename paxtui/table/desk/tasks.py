"""What waits for the seat at the keyboard, and where each of it is done."""

from __future__ import annotations

from paxtui.pax.reports.must_do import TREATIES, MustDo, must_dos
from paxtui.pax.reports.withdrawn import withdrawn
from paxtui.pax.state.treaty import DRAFT
from paxtui.pax.words.spoken import phase_name, power_name
from paxtui.table.session import Session, UndoRequest


def tasks(session: Session) -> tuple[MustDo, ...]:
    """What waits for the seat, the most pressing first; the same object as long as nothing has changed.

    A draft of an earlier Game Turn can still be signed, but who has let it lie so long is not reminded any more.
    """

    def found() -> tuple[MustDo, ...]:
        state = session.live
        old = {treaty.id for treaty in state.treaties if treaty.stage == DRAFT and treaty.drafted < state.turn}
        waits = must_dos(session.tables, state, session.seat)
        return tuple(must for must in waits if must.where != TREATIES or must.id not in old)

    return session.derived("must_dos", found)


def undo_asked(session: Session) -> str:
    """The undo that other seats ask for, in a sentence; "" where none waits for the seat's consent."""
    request = open_request(session)
    if request is None:
        return ""
    tables, then = session.tables, session.position(request.line)
    names = ", ".join(power_name(tables, seat) for seat in request.seats)
    when = f"{tables.turns[then.turn - 1].year}, {phase_name(then.phase)}"
    ask = "asks" if len(request.seats) == 1 else "ask"
    return f"{names} {ask} to take the game back to line {request.line} ({when})."


def open_request(session: Session) -> UndoRequest | None:
    """The undo that waits for the consent of the seat, None where there is none."""
    if session.reading or session.live.result is not None:
        return None
    return next((found for found in session.undo_requests() if session.seat not in found.seats), None)


def asked_again(session: Session) -> str:
    """Why the seat is asked once more although it was ready in this Phase; "" where it is not."""
    state = session.live
    if session.seat in state.ready or not state.cleared or session.seat not in session.waiting():
        return ""
    in_war = state.phase == "war"
    return session.derived(
        "asked_again", lambda: withdrawn(session.narrator, session.seat, session.acts_of_turn()[1], in_war)
    )
