"""Simultaneous orders: whether an order that was given before others acted still means the same after their acts."""

from __future__ import annotations

from typing import Any

from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal
from paxtui.pax.narration.narrate import Narrator
from paxtui.pax.orders import actions as ac
from paxtui.pax.orders.dispatches import Dispatch
from paxtui.pax.orders.notation import parse
from paxtui.pax.orders.structured import decode
from paxtui.pax.rules_of_play import PaxRules
from paxtui.pax.state.model import State
from paxtui.table.authority import Asked, Table

TOLD = 2
"""Changes that a refusal names."""

SEEDS = ("conflict 1", "conflict 2", "conflict 3")
"""Seeds by which two outcomes of an order with dice are compared; no die of the game is used."""


def means_the_same(table: Table, seat: str, asked: Asked, line: int) -> bool:
    """Whether an order does the same now as after an earlier line of the seat's log.

    It must be legal at both moments, and all its events must be equal. `ready` answers what the seat has seen, so
    that only other seats' `ready` may lie between. After an act of the seat itself no order means the same: it may be
    the order that was carried out then and comes again.

    Raises: Refusal: the line does not exist, or nobody can read the order.
    """
    order = table.read(asked)
    if isinstance(order, Dispatch):
        return True
    since = table.log_line(seat, line)
    between = table.game.lines_after(since)
    if not isinstance(order, ac.Action) or any(other.kind in ("undo", "redo") for other in between):
        return False
    if any(other.kind == "act" and other.seat == seat for other in between):
        return False
    if isinstance(order, ac.Ready | ac.Unready):
        return all(other.kind == "note" or _is_ready(other.action) for other in between)
    before = table.game.seek(since)
    try:
        then = parse(table.tables, asked, before) if isinstance(asked, str) else order
        if isinstance(asked, dict):
            then = decode(table.tables, dict(asked))
        return then == order and all(
            _outcome(table, before, seat, order, seed) == _outcome(table, table.state, seat, order, seed)
            for seed in SEEDS
        )
    except Refusal:
        return False


def describe_changes(table: Table, seat: str, line: int) -> str:
    """What a seat has seen happen after a line of its log, in a few sentences; "" when nothing can be told."""
    narrator = Narrator(table.tables, table.state_for(seat))
    told = [
        narrator.tell(event).rstrip(".")
        for other in table.game.lines_after(table.log_line(seat, line))
        if other.kind == "act"
        for event in table.events_seen(seat, other.n)
    ]
    told = list(dict.fromkeys(text for text in told if text))
    return "; ".join(told[:TOLD]) + ("; ..." if len(told) > TOLD else "")


def _is_ready(action: Any) -> bool:
    return isinstance(action, dict) and action.get("type") in ("ready", "unready")


def _outcome(table: Table, state: State, seat: str, order: ac.Action, seed: str) -> tuple[Any, ...]:
    """The events of an order at a position, with the numbers of a given seed. Raises: Refusal."""
    return tuple(PaxRules(table.tables).decide(state, seat, order, Dice(seed)).events)
