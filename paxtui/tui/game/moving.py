"""Moving units by keys: choose a group, walk to a lit place, Enter."""

from __future__ import annotations

from textual.widgets import Input

from paxtui.engine.refusal import Refusal
from paxtui.pax.menus.trial import try_action
from paxtui.pax.orders import actions as ac
from paxtui.pax.state.model import units_at
from paxtui.pax.state.pieces import Unit
from paxtui.table.session import Session
from paxtui.tui.game import scene_of
from paxtui.tui.game.game_part import GamePart


class Moving(GamePart):
    """The move mode of the game screen."""

    def action_move(self) -> None:
        """Choose units here and walk to where they go."""
        s = self.session
        place = self.map.cursor
        units = [u for u in scene_units(s, place) if u.power in s.my_powers() and not u.halted]
        if units and units[0].power != s.power and not any(u.power == s.power for u in units):
            s.power = units[0].power
        units = [u for u in units if u.power == s.power]
        if not units:
            self.notify("No unit of yours can move from here.", severity="warning")
            return
        armies = tuple(u.name for u in units if u.kind == "army")
        fleets = tuple(u.name for u in units if u.kind == "naval")
        groups = [(n,) for n in dict.fromkeys((*armies, *fleets))]
        for several in (armies, fleets):
            if len(several) > 1:
                groups.append(several)
        self.groups, self.group = groups, 0
        self.move_from, self.mode = place, "move"
        self._light()

    def _light(self) -> None:
        s = self.session
        names = list(self.groups[self.group])
        units = tuple(u for u in scene_units(s, self.move_from) if u.power == s.power and u.name in names)
        self.reach = scene_of.reachable(s.tables, s.live, s.power, self.move_from, units)
        self.redraw()

    def why_not(self, place: str) -> str:
        """Why the units cannot go to a place, with its rules; "" where they can."""
        s = self.session
        move = ac.Move(self.groups[self.group], (self.move_from, place), power="" if s.power == s.seat else s.power)
        said = try_action(s.tables, s.live, s.seat, move)
        return f"{said.message} [{' '.join(said.rules[:2])}]" if isinstance(said, Refusal) else ""

    def action_group(self) -> None:
        """The next group of units."""
        if self.mode == "move":
            self.group = (self.group + 1) % len(self.groups)
            self._light()

    def _go(self) -> None:
        units, start, end = " ".join(self.groups[self.group]), self.move_from, self.map.cursor
        if end == start:
            self.action_back()
            return
        if self.act(f"move {units} {start} > {end}"):
            self.mode = ""
            self.redraw()

    def action_back(self) -> None:
        """Leave move mode or the command line."""
        command = self.query_one("#command", Input)
        if command.display:
            self._show_command(False)
        else:
            self.mode = ""
        self.redraw()


def scene_units(session: Session, place: str) -> tuple[Unit, ...]:
    """Military Units at a place of the present position."""
    return units_at(session.live, place)
