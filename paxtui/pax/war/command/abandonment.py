"""Seats that nobody plays any more: the arbiter says so, and that somebody has come.

From then on an ally commands the forces of their Powers in War, else the engine does (`war.alliances.commanders`).

Rules: ORD-001, ORD-036, ORD-046
"""

from __future__ import annotations

from paxtui.pax.board.status import abandoned
from paxtui.pax.history import events as ev
from paxtui.pax.orders import actions as ac
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.war.alliances import commanders
from paxtui.pax.war.cycle import current
from paxtui.pax.words.spoken import power_name, powers_named


def abandon(play: Play, action: ac.Abandon) -> None:
    """Seats are abandoned from now on, or have a player again.

    Raises: Refusal `unknown_seat`, `abandoned_already`, `has_player`.
    Rules: ORD-001, ORD-036
    """
    state = play.state
    for seat in action.seats:
        if seat not in state.players:
            refuse("unknown_seat", (), f"There is no seat {seat!r}; the seats are {', '.join(state.players)}.")
    new = tuple(s for s in state.players if s in action.seats and (s in state.abandoned) == action.lifted)
    if not new:
        names = powers_named(play.tables, action.seats)
        are = "are" if len(action.seats) > 1 else "is"
        if action.lifted:
            refuse("has_player", ("ORD-001",), f"{names} {are} not abandoned.")
        refuse("abandoned_already", ("ORD-001",), f"{names} {are} abandoned already.")
    play.emit(ev.SeatsAbandoned(seats=new, lifted=action.lifted, rules=("ORD-001", "ORD-036")))


def check_command(play: Play, seat: str, power: str) -> None:
    """Whether a seat gives orders to the forces of a Power in the War fought now: those of an abandoned one have none
    from its own.

    Raises: Refusal `abandoned`.
    Rules: ORD-036
    """
    war = current(play.state)
    if war is None or not abandoned(play.tables, play.state, power):
        return
    seats = commanders(play.tables, play.state, war, power)
    if seat not in seats:
        name = power_name(play.tables, power)
        whose = powers_named(play.tables, seats) if seats else "the General Orders alone"
        refuse("abandoned", ("ORD-036",), f"{name} is abandoned: its forces are commanded by {whose}.")
