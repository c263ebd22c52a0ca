"""Units in hand: which of them go, and where they can.

Where Units in hand can go in a Maneuver Phase: one step each, and what of it costs dear.

The map of the game screen: a position, the question it is asked, and where units in hand may go.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from textual.binding import Binding, BindingType

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.menus import war
from paxtui.games.pax.menus.menu import UnitMoves
from paxtui.games.pax.preview.dry_run import try_action
from paxtui.games.pax.state.model import State, units_at
from paxtui.session.local_session import Session
from paxtui.tui.map.world_map import WorldMap
from paxtui.tui.widgets.map_scene import CURSOR_FILTER, FILTERS, build_scene, reachable

UnitGroup = tuple[str, tuple[str, ...]]
"""A Power, and names of Units of it that go together."""


def movable_groups(session: Session, place: str) -> tuple[UnitGroup, ...]:
    """What can go together from a place: each Unit alone, then all armies and all fleets of a Power."""
    found = list(_moves(session, place))
    alone = [(m.power, (name,)) for m in found for name in dict.fromkeys(m.units)]
    kinds: dict[tuple[str, str], tuple[str, ...]] = {}
    for m in found:
        kinds[m.power, m.kind] = kinds.get((m.power, m.kind), ()) + m.units
    together = [(power, units) for (power, _), units in kinds.items() if len(units) > 1]
    return tuple(dict.fromkeys((*alone, *(group for group in together if group_reach(session, place, group)))))


def group_reach(session: Session, place: str, group: UnitGroup) -> dict[str, tuple[str, ...]]:
    """The places that a group may step to, each with its way; the other coast of the place itself is not among them."""
    power, names = group
    ends: list[str] | None = None
    for name in dict.fromkeys(names):
        own = [end.place for m in _moves(session, place) if m.power == power and name in m.units for end in m.ends]
        ends = own if ends is None else [end for end in ends if end in own]
    return {end: (place, end) for end in ends or () if end != place}


def _moves(session: Session, place: str) -> Iterator[UnitMoves]:
    found = session.derived("war_moves", lambda: list(war.war_moves(session.tables, session.live, session.seat)))
    return (moves for moves in found if moves.start == place)


@dataclass(frozen=True)
class MoveInProgress:
    """A move that has been begun.

    Attributes:
        start: the place that the units leave.
        groups: what can go together: each unit alone, all armies, all fleets, and several that are alike.
        group: the number of the group that goes.
        reach: places it may go to, with the way there.
        owners: in War, whose each group is; none in peace, where it is the Power that acts.
    """

    start: str
    groups: tuple[tuple[str, ...], ...]
    group: int
    reach: dict[str, tuple[str, ...]]
    owners: tuple[str, ...] = ()

    @property
    def in_war(self) -> bool:
        """Whether it is a step of a Maneuver Phase."""
        return bool(self.owners)

    @property
    def units(self) -> tuple[str, ...]:
        """The units that go."""
        return self.groups[self.group]

    @property
    def sails(self) -> bool:
        """Whether it goes by sea, where no steps are counted."""
        return all(name.startswith("N") for name in self.units)

    def steps(self, end: str) -> int:
        """How many steps the way to a place has; 0 by sea."""
        return 0 if self.sails and not self.in_war else len(self.reach.get(end, (end,))) - 1

    def owner(self, session: Session) -> str:
        """The Power whose units go."""
        return self.owners[self.group] if self.owners else session.power

    def order(self, session: Session, end: str) -> actions.Move:
        """The order by which they go to a place."""
        owner = self.owner(session)
        return actions.Move(self.units, (self.start, end), power="" if owner == session.seat else owner)

    def refusal_reason(self, session: Session, end: str) -> str:
        """Why they cannot go to a place, with its rules; "" where they can."""
        said = try_action(session.tables, session.live, session.seat, self.order(session, end))
        return f"{said.message} [{' '.join(said.rules[:2])}]" if isinstance(said, Refusal) else ""

    def next_group(self, session: Session) -> MoveInProgress:
        """The next group goes instead."""
        return _lit(session, replace(self, group=(self.group + 1) % len(self.groups)))


def begin_move(session: Session, place: str) -> MoveInProgress | None:
    """Take the units of the seat at a place in hand, those of the Power that acts first; None where none can move."""
    if session.live.phase == "war":
        groups = movable_groups(session, place)
        owners, names = tuple(power for power, _ in groups), tuple(units for _, units in groups)
        return _lit(session, MoveInProgress(place, names, 0, {}, owners)) if groups else None
    units = [u for u in units_at(session.live, place) if u.power in session.my_powers() and not u.halted]
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
    """The same with the places that its group may go to."""
    if march.in_war:
        return replace(march, reach=group_reach(session, march.start, (march.owner(session), march.units)))
    here = units_at(session.live, march.start)
    units = tuple(u for u in here if u.power == session.power and u.name in march.units)  # alike ones go alike
    return replace(march, reach=reachable(session.tables, session.live, session.power, march.start, units))


class Board(WorldMap):
    """The map of an open game."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "activate", "what can I do here", id="map.activate", tooltip="What can be done here"),
    ]

    _state: State | None = None
    _asked: tuple[object, ...] = ()
    """What the scene on show is made of."""

    def draw(self, session: Session, show: int, march: MoveInProgress | None) -> None:
        """Show the position looked at.

        Args: the open game; the number of the question in FILTERS; the units in hand.
        """
        question = FILTERS[show]
        about = self.cursor if question == CURSOR_FILTER else ""
        asked = (session.power, question, about, march)
        if session.state is self._state and asked == self._asked:
            # the map shows it already, and moves the cursor by itself
            if march is not None:
                self.scene = replace(self.scene, cursor=self.cursor, path=march.reach.get(self.cursor, ()))
            return
        self._state, self._asked = session.state, asked
        drawn = build_scene(session.tables, session.state, self.cursor, session.power, question)
        if march is not None:
            steps = {place: f"▸{march.steps(place) or ''}" for place in march.reach}
            way = march.reach.get(self.cursor, ())
            drawn = replace(drawn, lit=frozenset(march.reach) | {march.start}, costs=steps, path=way)
        self.scene = drawn
