"""The map of the game screen, and a move in progress: the Units in hand and the places that they can reach."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

from textual.binding import BindingType

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.menus import war
from paxtui.games.pax.menus.menu import UnitMoves
from paxtui.games.pax.preview.dry_run import run_trial
from paxtui.games.pax.state.model import State, units_at
from paxtui.session.session import Session
from paxtui.tui.base.keymap import bind
from paxtui.tui.map.scene import PlaceMark, Scene
from paxtui.tui.map.world_map import WorldMap
from paxtui.tui.widgets.map_scene import CURSOR_FILTER, FILTERS, build_scene, reachable

UnitGroup = tuple[str, tuple[str, ...]]
"""A Power and the names of its Units that move together."""


def movable_groups(session: Session, place: str) -> tuple[UnitGroup, ...]:
    """Return the groups that can leave a place: each Unit, then all armies and all fleets of a Power."""
    found = list(_moves(session, place))
    alone = [(m.power, (name,)) for m in found for name in dict.fromkeys(m.units)]
    kinds: dict[tuple[str, str], tuple[str, ...]] = {}
    for m in found:
        kinds[m.power, m.kind] = kinds.get((m.power, m.kind), ()) + m.units
    together = [(power, units) for (power, _), units in kinds.items() if len(units) > 1]
    return tuple(dict.fromkeys((*alone, *(group for group in together if group_reach(session, place, group)))))


def group_reach(session: Session, place: str, group: UnitGroup) -> dict[str, tuple[str, ...]]:
    """Return the places one step away from a group, with the paths, without other coasts of the same place."""
    power, names = group
    ends: list[str] | None = None
    for name in dict.fromkeys(names):
        own = [end.place for m in _moves(session, place) if m.power == power and name in m.units for end in m.ends]
        ends = own if ends is None else [end for end in ends if end in own]
    return {end: (place, end) for end in ends or () if end != place}


def _moves(session: Session, place: str) -> Iterator[UnitMoves]:
    moves = war.war_moves(session.tables, session.live, session.seat)
    return (group for group in moves if group.start == place)


@dataclass(frozen=True)
class MoveInProgress:
    """A move in progress.

    Attributes:
        start: place that the Units leave.
        groups: possible groups: each Unit, all armies, all fleets, and several alike.
        group: index of the selected group.
        reach: places that it can reach, with the paths.
        owners: in War the owner of each group; empty in peace, when the acting Power owns them.
    """

    start: str
    groups: tuple[tuple[str, ...], ...]
    group: int
    reach: dict[str, tuple[str, ...]]
    owners: tuple[str, ...] = ()

    @property
    def in_war(self) -> bool:
        """Whether this is a step of a Maneuver Phase."""
        return bool(self.owners)

    @property
    def units(self) -> tuple[str, ...]:
        """The Units of the selected group."""
        return self.groups[self.group]

    @property
    def sails(self) -> bool:
        """Whether the group moves by sea, where steps are not counted."""
        return all(name.startswith("N") for name in self.units)

    def steps(self, end: str) -> int:
        """Return the number of steps to a place; 0 by sea."""
        return 0 if self.sails and not self.in_war else len(self.reach.get(end, (end,))) - 1

    def owner(self, session: Session) -> str:
        """The Power that owns the selected group."""
        return self.owners[self.group] if self.owners else session.power

    def order(self, session: Session, end: str) -> actions.Move:
        """Return the order that moves the group to a place."""
        owner = self.owner(session)
        return actions.Move(self.units, (self.start, end), power="" if owner == session.seat else owner)

    def refusal_reason(self, session: Session, end: str) -> str:
        """Return why the group cannot move to a place, with the rules; "" if it can."""
        trial = run_trial(session.tables, session.live, session.seat, self.order(session, end))
        return f"{trial.message} [{' '.join(trial.rules[:2])}]" if isinstance(trial, Refusal) else ""

    def next_group(self, session: Session) -> MoveInProgress:
        return _lit(session, replace(self, group=(self.group + 1) % len(self.groups)))


def begin_move(session: Session, place: str) -> MoveInProgress | None:
    """Begin a move of the seat's Units at a place, those of the acting Power first; None if none can move."""
    if session.live.phase == "war":
        groups = movable_groups(session, place)
        owners, names = tuple(power for power, _ in groups), tuple(units for _, units in groups)
        return _lit(session, MoveInProgress(place, names, 0, {}, owners)) if groups else None
    units = [u for u in units_at(session.live, place) if u.power in session.powers() and not u.halted]
    if units and not any(u.power == session.power for u in units):
        session.take_power(units[0].power)
    units = [u for u in units if u.power == session.power]
    if not units:
        return None
    armies = tuple(u.name for u in units if u.kind == "army")
    fleets = tuple(u.name for u in units if u.kind == "naval")
    alone = tuple((name,) for name in dict.fromkeys((*armies, *fleets)))
    together = tuple(several for several in (armies, fleets) if len(several) > 1)
    several = [
        (name,) * n for kind in (armies, fleets) for name in dict.fromkeys(kind) for n in range(2, kind.count(name) + 1)
    ]
    return _lit(session, MoveInProgress(place, tuple(dict.fromkeys((*alone, *together, *several))), 0, {}))


def _lit(session: Session, march: MoveInProgress) -> MoveInProgress:
    """Return the move with the places that its group can reach."""
    if march.in_war:
        return replace(march, reach=group_reach(session, march.start, (march.owner(session), march.units)))
    here = units_at(session.live, march.start)
    units = tuple(u for u in here if u.power == session.power and u.name in march.units)  # equal Units move alike
    return replace(march, reach=reachable(session.tables, session.live, session.power, march.start, units))


class MapDrawings(NamedTuple):
    """What a reader has drawn on the map. Attributes: arrows between two places each; highlighted places."""

    arrows: tuple[tuple[str, str], ...] = ()
    highlights: tuple[str, ...] = ()

    def add_to(self, scene: Scene) -> Scene:
        marks = dict(scene.marks)
        for place in self.highlights:
            marks[place] = replace(marks.get(place, PlaceMark("sea")), highlight=True)
        return replace(scene, marks=marks, arrows=self.arrows)


class Board(WorldMap):
    """The map of a session. Attributes: `drawings`, what the reader has drawn on it."""

    drawings = MapDrawings()

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("map.activate", "enter", "activate", "what can I do here", "List what you can do here"),
    ]

    _state: State | None = None
    _asked: tuple[object, ...] = ()
    """Inputs of the scene shown."""

    def draw(self, session: Session, show: int, march: MoveInProgress | None) -> None:
        """Show the current position."""
        question = FILTERS[show]
        about = self.cursor if question == CURSOR_FILTER else ""
        asked = (session.power, question, about, march, self.drawings)
        if session.state is self._state and asked == self._asked:
            # the map already shows it and moves the cursor itself
            if march is not None:
                self.scene = replace(self.scene, cursor=self.cursor, path=march.reach.get(self.cursor, ()))
            return
        self._state, self._asked = session.state, asked
        drawn = build_scene(session.tables, session.state, self.cursor, session.power, question)
        if march is not None:
            steps = {place: f"▸{march.steps(place) or ''}" for place in march.reach}
            way = march.reach.get(self.cursor, ())
            drawn = replace(drawn, lit=frozenset(march.reach) | {march.start}, costs=steps, path=way)
        self.scene = self.drawings.add_to(drawn) if self.drawings != MapDrawings() else drawn
