"""What waits for the seat at the keyboard, and where each of it is done."""

from __future__ import annotations

from paxtui.pax.reports.must_do import TREATIES, MustDo, must_dos
from paxtui.pax.reports.withdrawn import withdrawn
from paxtui.pax.state.treaty import DRAFT
from paxtui.table.session import Session


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


def asked_again(session: Session) -> str:
    """Why the seat is asked once more although it was ready in this Phase; "" where it is not."""
    state = session.live
    if session.seat in state.ready or not state.cleared or session.seat not in session.waiting():
        return ""
    in_war = state.phase == "war"
    return session.derived(
        "asked_again", lambda: withdrawn(session.narrator, session.seat, session.acts_of_turn()[1], in_war)
    )
