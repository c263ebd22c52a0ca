"""The seats at which nobody sits: they move by a script, by readiness alone, or by the steady bot."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from paxtui.bots.steady import choose_acts
from paxtui.engine.refusal import Refusal
from paxtui.pax import events as ev
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


def go_on(table: Table, seat: str, lively: bool) -> list[ev.Event]:
    """Let every other seat do what the game waits for, until it waits for `seat` or for nobody.

    Args: the table; the seat at the keyboard; whether the others move in earnest, or are merely ready.

    Returns: what has happened.
    """
    events: list[ev.Event] = []
    for _ in range(ROUNDS):
        before = table.version
        for other in table.waiting:
            if seat not in table.waiting:
                events += _answer(table, other, seat, lively)
        events += table.advance(seat)
        if seat in table.waiting or table.version == before:
            break
    return events


def _answer(table: Table, rival: str, seat: str, lively: bool) -> list[ev.Event]:
    """A rival acts until it is no longer waited for; what `seat` may know of it."""
    events: list[ev.Event] = []
    ready = [] if lively or table.state.phase not in OPEN else ["ready", "garrison", "ready"]
    for orders in (lambda: ready, lambda: choose_acts(table.tables, table.view(rival), rival, table.game.header.seed)):
        for order in orders():
            if rival not in table.waiting:
                return events
            with suppress(Refusal):
                line, _ = table.act(rival, order)
                events += table.events_seen(seat, line.n)
    return events
