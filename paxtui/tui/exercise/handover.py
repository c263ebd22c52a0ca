"""The keyboard goes from one Power of an exercise to the next, where several people play at it.

From the first paper that is written in secret until all lie open a curtain falls between them, at any setting.
Elsewhere the next one is announced as the settings say: by a card, or in the line above the map. What was typed before
the announcement could be read is not heard.
"""

from __future__ import annotations

from paxtui.empires.narration.narrate import asked
from paxtui.table.exercises.sitting import Sitting
from paxtui.tui.boxes.seat_card import CurtainScreen, SeatCard
from paxtui.tui.stage.screen import PaxScreen

CARD, LINE = "card", "line"
"""How a seat is announced where nothing is secret."""


class HandOver(PaxScreen[None]):
    """The screen of an exercise as people take turns at it.

    Args: the exercise.
    """

    def __init__(self, sitting: Sitting) -> None:
        super().__init__()
        self.sitting = sitting
        self.greets = False
        self._sits = ""

    def pass_on(self) -> bool:
        """Announce who sits here, if it is somebody else now. Returns: whether it is."""
        sitting = self.sitting
        before, self._sits = self._sits, sitting.seat
        self.greets = False
        if before == self._sits or self._sits not in sitting.persons or len(sitting.persons) < 2:
            return before != self._sits
        name = sitting.tables.name(self._sits)
        if before:
            self.app.clear_notifications()
        if sitting.hides:
            self.app.push_screen(CurtainScreen(name, f"{self._step()}: {self.waits()}"))
        elif before and self.app.settings.handover == CARD:
            self.app.push_screen(SeatCard(name, self._step(), (self.waits(),)))
        elif before:
            self.greets = self.app.settings.handover == LINE
            self.app.expect_a_look()
        return True

    def waits(self) -> str:
        """What is asked of who sits here, in a sentence that everybody may read."""
        state, tables = self.sitting.state, self.sitting.tables
        name = tables.name(self.sitting.seat)
        return f"{name} is asked {asked(tables, state.questions[-1])}." if state.questions else f"{name} is to act."

    def _step(self) -> str:
        cursor = self.sitting.state.cursor
        return f"{cursor.phase.capitalize()} phase, {cursor.step.replace('_', ' ')}"
