"""The game of a lesson: one person sits, and the other seats do what the lesson says."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from paxtui.engine.refusal import Refusal
from paxtui.table.authority import Table
from paxtui.table.session import Session


class LessonSession(Session):
    """An open game in which the bots are ready and answer, and do not move before the lesson is over.

    Args:
        table: the game.
        player: the seat of the person.
    """

    def __init__(self, table: Table, player: str) -> None:
        super().__init__(table, player, in_earnest=False)

    def play_script(self, acts: Iterable[str]) -> None:
        """Let other seats act as a script says ("seat: order"); what is not possible is left out."""
        for line in acts:
            seat, _, order = line.partition(": ")
            with suppress(Refusal):
                self._table.act(seat, order)
        self._changed()

    def end_lesson(self) -> None:
        """From now on the bots move in earnest."""
        self._rivals.in_earnest = True
        self._let_bots_go_on(self._table.version)
        self._tell("")
