"""The map of the game screen: a position, the question it is asked, and where units in hand may go."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from textual.binding import Binding, BindingType

from paxtui.pax.state.model import State
from paxtui.table.session import Session
from paxtui.tui.map.world_map import WorldMap
from paxtui.tui.widgets.marching import Marching
from paxtui.tui.widgets.scene_of import ABOUT_THE_CURSOR, FILTERS, scene


class Board(WorldMap):
    """The map of an open game."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "activate", "what can I do here", id="map.activate", tooltip="What can be done here"),
    ]

    _state: State | None = None
    _asked: tuple[object, ...] = ()
    """What the scene on show is made of."""

    def draw(self, session: Session, show: int, march: Marching | None) -> None:
        """Show the position looked at.

        Args: the open game; the number of the question in FILTERS; the units in hand.
        """
        question = FILTERS[show]
        about = self.cursor if question == ABOUT_THE_CURSOR else ""
        asked = (session.power, question, about, march)
        if session.state is self._state and asked == self._asked:
            # the map shows it already, and moves the cursor by itself
            if march is not None:
                self.scene = replace(self.scene, cursor=self.cursor, path=march.reach.get(self.cursor, ()))
            return
        self._state, self._asked = session.state, asked
        drawn = scene(session.tables, session.state, self.cursor, session.power, question)
        if march is not None:
            steps = {place: f"▸{march.steps(place) or ''}" for place in march.reach}
            way = march.reach.get(self.cursor, ())
            drawn = replace(drawn, lit=frozenset(march.reach) | {march.start}, costs=steps, path=way)
        self.scene = drawn
