"""The form of a seat that has sent none: the caretaker writes it by the General Orders.

Rules: PBM-113, PBM-114
"""

from __future__ import annotations

from collections.abc import Sequence

from paxtui.bots.caretaker import general_orders
from paxtui.engine.log import Line
from paxtui.pax.board.tables import Tables
from paxtui.pax.legal import legal
from paxtui.pax.orders.actions import Sheet
from paxtui.pax.play.secrecy import state_seen
from paxtui.pax.postal.reading import read_form
from paxtui.pax.postal.stops import asked, asked_by_congress
from paxtui.pax.state.model import State
from paxtui.table.authority import Table

NOT_SENT = ("ready", "unready", "pass", "garrison")
"""What the caretaker says at a table, and no form needs to say."""

MOST_MISSED = 3
"""Stops missed in succession after which a seat is open for another player (R-PBM-16)."""


def waited_for(table: Table) -> tuple[str, ...]:
    """The seats whose forms the present stop waits for: those asked that have more to say than "go on".

    A seat that can only go on is sent no caretaker's form, and misses nothing.

    Rules: PBM-113, PBM-114
    """
    tables, state = table.tables, table.state
    seats = asked(tables, state)
    if state.phase != "war" or any(choice.about.pressing for choice in state.choices):
        return seats
    members = asked_by_congress(tables, state)
    return tuple(
        seat for seat in seats if seat in members or _has_orders(tables, state_seen(tables, state, seat), seat)
    )


def _has_orders(tables: Tables, state: State, seat: str) -> bool:
    """Whether a seat can do anything but go on or propose peace."""
    menu = legal(tables, state, seat)
    return bool(menu.moves) or any(order not in NOT_SENT and not order.startswith("propose ") for order in menu.orders)


def caretaker(table: Table, seat: str, at: int | None = None) -> Sheet:
    """The form that the caretaker writes for a seat, now or after a line of the log. Rules: PBM-113."""
    position = table.state if at is None else table.game.seek(at)
    seen = state_seen(table.tables, position, seat)
    acts = general_orders.choose_acts(table.tables, seen, seat, table.game.header.seed)
    lines = [f"{act.text}  # {act.why}" if act.why else act.text for act in acts if act.text not in NOT_SENT]
    fine = [line for line in lines if not read_form(table.tables, line)[1]]
    return Sheet(seat, "\n".join(fine), missed=True)


def missed_in_succession(lines: Sequence[Line], seat: str) -> int:
    """How many stops a seat has missed, the last one and those right before it.

    Args: the acts in force; the seat.
    Rules: PBM-114 (R-PBM-16)
    """
    count = 0
    for line in reversed(lines):
        if not isinstance(line.action, dict) or line.action.get("type") != "adjudicate":
            continue
        sheets = {sheet.get("seat"): sheet for sheet in line.action.get("sheets", ())}
        if seat not in sheets:
            continue  # that stop was not about this seat
        if not sheets[seat].get("missed"):
            break
        count += 1
    return count
