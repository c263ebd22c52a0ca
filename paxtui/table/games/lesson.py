"""The game of a lesson: one person sits, and the other seats do what the lesson says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

from paxtui.engine.refusal import Refusal
from paxtui.pax.play.choices import default_of
from paxtui.pax.war import cycle
from paxtui.table.authority import Table
from paxtui.table.session import Session


class LessonSession(Session):
    """An open game in which the bots are ready and answer, and do not move before the lesson is over.

    Args:
        table: the game.
        player: the seat of the person.
        cues: what the bots do in War, as "seat: order", by cycle, number of the Alliance and Phase; then they pass.
    """

    def __init__(
        self, table: Table, player: str, cues: Mapping[tuple[int, int, str], Sequence[str]] | None = None
    ) -> None:
        self._cues = dict(cues or {})
        super().__init__(table, player, in_earnest=False, in_war=self._in_war if self._cues else None)

    def _in_war(self, seat: str) -> tuple[str, ...]:
        """Return the orders of a bot in War: the default answer to a question; else those of the lesson, then a pass.

        The caretaker may answer otherwise: alone in a War, it fights on.
        """
        state = self._table.state
        war = cycle.current(state)
        if asked := [choice for choice in state.choices if choice.seat == seat]:
            return (f"choose {asked[0].id} {' '.join(default_of(asked[0]))}".strip(),)
        said = self._cues.get((war.cycle, war.turn_of, war.stage), ()) if war else ()
        acts = (line.partition(": ") for line in said)
        return (*(order for who, _, order in acts if who == seat), "pass")

    def play_script(self, acts: Iterable[str]) -> None:
        """Let other seats act as a script says ("seat: order"); what is not possible is left out."""
        for line in acts:
            seat, _, order = line.partition(": ")
            with suppress(Refusal):
                self._table.act(seat, order)
        self._changed()

    def end_lesson(self) -> None:
        """From now on the bots move in earnest."""
        self._rivals.in_earnest, self._rivals.in_war = True, None
        self._let_bots_go_on(self._table.version)
        self._tell("")
