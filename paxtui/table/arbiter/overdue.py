"""Seats whose time is over, and for whom the caretaker acts until the Phase is."""

from __future__ import annotations

from collections.abc import Sequence

from paxtui.bots.players import CARETAKER
from paxtui.table.authority import Table
from paxtui.table.rivals import ROUNDS, Course, Rivals


class Overdue(Rivals):
    """Seats of persons for whom the caretaker acts, beside those that play themselves, in the Phase that is played.

    Args:
        table: the game.
        late: the seats.
    """

    def __init__(self, table: Table, late: Sequence[str]) -> None:
        super().__init__(table)
        self._late = tuple(late)
        self._moment = self._now

    @property
    def waited_for(self) -> bool:
        """Whether any of them still holds the Phase up."""
        return self._now == self._moment and bool(set(self._late) & set(self._table.waiting))

    def course(self) -> Course:
        """What is done for them, a step at a time."""
        table = self._table
        seats = tuple(seat for seat in table.state.players if seat in self._late or table.sitter(seat).plays_itself)
        for _ in range(ROUNDS):
            if not self.waited_for or not (yield from self._round(seats)):
                break

    @property
    def _now(self) -> tuple[int, str, bool]:
        state = self._table.state
        return state.turn, state.phase, state.result is not None

    def _is_bot(self, seat: str) -> bool:
        return seat in self._late or super()._is_bot(seat)

    def _bot(self, seat: str) -> str:
        return CARETAKER if seat in self._late else super()._bot(seat)

    def _holds_back(self, seat: str) -> bool:
        """Whether a seat leaves the Phase to the others first: only what they have not settled is the caretaker's."""
        return super()._holds_back(seat) or (seat in self._late and self._table.state.phase == "negotiation")
