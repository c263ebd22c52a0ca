"""The seats at which nobody sits: they move by a script or as the steady bot would, and are ready when asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress

from paxtui.bots.steady import choose_acts
from paxtui.engine.refusal import Refusal
from paxtui.pax.history import events as ev
from paxtui.pax.sequence import OPEN
from paxtui.table.authority import Table
from paxtui.table.session import Change, Session

ROUNDS = 12
"""Phases that the rivals play through at most before the seat at the keyboard is asked again."""


class SoloSession(Session):
    """A game in which one person sits, and nobody at the other seats.

    Args:
        table: the game.
        player: the seat of the person, whoever it is that the keyboard looks on as for a while.
    """

    def __init__(self, table: Table, player: str) -> None:
        super().__init__(table, player)
        self.player = player

    def play_script(self, acts: Iterable[str]) -> None:
        """Let other seats act as a script says ("seat: order"); what is not possible is left out."""
        for line in acts:
            seat, _, order = line.partition(": ")
            with suppress(Refusal):
                self._table.act(seat, order)
        self._changed()

    def rivals_move(self) -> None:
        """Let every other seat move in earnest, as the bot would, and leave all unready: the player is the last."""
        for rival in self._table.waiting:
            if rival != self.player:
                for order in self._orders(rival):
                    if order not in ("ready", "garrison"):
                        with suppress(Refusal):
                            self._table.act(rival, order)
        self._changed()

    def rivals_go_on(self) -> tuple[ev.Event, ...]:
        """Let every other seat do what the game waits for, until it waits for the player or is over.

        Returns: what has happened, as the player may know it.
        """
        events: tuple[ev.Event, ...] = ()
        for _ in range(ROUNDS):
            before = self._table.version
            for rival in self._table.waiting:
                if self.player not in self._table.waiting:
                    events += self._answer(rival)
            events += self._table.advance(self.player)
            if self.player in self._table.waiting or self._table.version == before:
                break
        self._changed(Change(events=events))
        return events

    def _answer(self, rival: str) -> tuple[ev.Event, ...]:
        """A rival is ready, or answers what it is asked; what the player may know of it."""
        table = self._table
        events: tuple[ev.Event, ...] = ()
        for order in self._orders(rival):
            if rival not in table.waiting:
                break
            with suppress(Refusal):
                line, _ = table.act(rival, order)
                events += table.events_seen(self.player, line.n)
        return events

    def _orders(self, rival: str) -> Iterator[str]:
        """Ready, with garrisons if need be; then what the bot would do at the seat as things stand by then."""
        if self._table.state.phase in OPEN:
            yield from ("ready", "garrison", "ready")
        yield from choose_acts(self._table.tables, self._table.view(rival), rival, self._table.game.header.seed)
