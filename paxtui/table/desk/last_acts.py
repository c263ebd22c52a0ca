"""Where each seat has acted last, as everybody at a shared table saw it."""

from __future__ import annotations

from collections.abc import Mapping

from paxtui.engine.log import Line
from paxtui.pax.narration.matter import place_of
from paxtui.table.seats_eyes import SeatsEyes


class LastActs:
    """The places of the last acts of a game's seats.

    What is between some seats only counts for nobody, not even for one of them: whoever looks over a player's shoulder
    learns from it what he could see on the map.

    Args:
        table: the game, or the log that one seat has of it.
    """

    def __init__(self, table: SeatsEyes) -> None:
        self._table = table
        self._looked_at = 1
        self._places: dict[str, str] = {}

    def places(self) -> Mapping[str, str]:
        """The place of the last act of each seat that was about one and that everybody saw."""
        game = self._table.game
        new = game.lines_after(self._looked_at)
        if any(line.kind in ("undo", "redo") for line in new):
            self._places = {}
            for line in game.effective_lines():
                self._see(line)
        else:
            for line in new:
                self._see(line)
        self._looked_at = game.version
        return self._places

    def _see(self, line: Line) -> None:
        """Take account of an act in force."""
        if line.kind == "act" and line.seat in self._table.state.players:
            seen = (place_of(event) for event in self._table.game.events(line.n) if not event.only)
            place = next((place for place in seen if place), "")
            if place:
                self._places[line.seat] = place
