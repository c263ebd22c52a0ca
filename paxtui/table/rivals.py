"""The seats at which nobody sits: they move by a script or as the steady bot would, and are ready when asked."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from paxtui.bots.steady import choose_acts
from paxtui.engine.refusal import Refusal
from paxtui.pax.history import events as ev
from paxtui.pax.sequence import OPEN
from paxtui.table.authority import Table

ROUNDS = 12
"""Phases that the rivals play through at most before the seat at the keyboard is asked again."""


def play_script(table: Table, acts: Iterable[str]) -> None:
    """Let other seats act as a script says ("seat: order"); what is not possible is left out."""
    for line in acts:
        seat, _, order = line.partition(": ")
        with suppress(Refusal):
            table.act(seat, order)


def move(table: Table, seat: str) -> None:
    """Let every other seat move in earnest, as the bot would, and leave all unready: `seat` moves after them.

    Args: the table; the seat at the keyboard.
    """
    for rival in table.waiting:
        if rival != seat:
            for order in _orders(table, rival):
                if order not in ("ready", "garrison"):
                    with suppress(Refusal):
                        table.act(rival, order)


def go_on(table: Table, seat: str) -> list[ev.Event]:
    """Let every other seat do what the game waits for, until it waits for `seat` or is over.

    Args: the table; the seat at the keyboard.

    Returns: what has happened, as `seat` may know it.
    """
    events: list[ev.Event] = []
    for _ in range(ROUNDS):
        before = table.version
        for rival in table.waiting:
            if seat not in table.waiting:
                events += _answer(table, rival, seat)
        events += table.advance(seat)
        if seat in table.waiting or table.version == before:
            break
    return events


def _answer(table: Table, rival: str, seat: str) -> list[ev.Event]:
    """A rival is ready, or answers what it is asked; what `seat` may know of it."""
    events: list[ev.Event] = []
    ready = ["ready", "garrison", "ready"] if table.state.phase in OPEN else []
    for orders in (lambda: ready, lambda: _orders(table, rival)):
        for order in orders():
            if rival not in table.waiting:
                return events
            with suppress(Refusal):
                line, _ = table.act(rival, order)
                events += table.events_seen(seat, line.n)
    return events


def _orders(table: Table, rival: str) -> list[str]:
    """What the bot would do at a seat."""
    return choose_acts(table.tables, table.view(rival), rival, table.game.header.seed)
