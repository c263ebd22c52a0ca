"""Units in hand: which of them go, and where they can."""

from __future__ import annotations

from dataclasses import dataclass, replace

from paxtui.engine.refusal import Refusal
from paxtui.pax.menus.trial import try_action
from paxtui.pax.orders import actions as ac
from paxtui.pax.state.model import units_at
from paxtui.table.session import Session
from paxtui.tui.war import steps
from paxtui.tui.widgets.scene_of import reachable


@dataclass(frozen=True)
class Marching:
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

    def order(self, session: Session, end: str) -> ac.Move:
        """The order by which they go to a place."""
        owner = self.owner(session)
        return ac.Move(self.units, (self.start, end), power="" if owner == session.seat else owner)

    def why_not(self, session: Session, end: str) -> str:
        """Why they cannot go to a place, with its rules; "" where they can."""
        said = try_action(session.tables, session.live, session.seat, self.order(session, end))
        return f"{said.message} [{' '.join(said.rules[:2])}]" if isinstance(said, Refusal) else ""

    def next_group(self, session: Session) -> Marching:
        """The next group goes instead."""
        return _lit(session, replace(self, group=(self.group + 1) % len(self.groups)))


def march_from(session: Session, place: str) -> Marching | None:
    """Take the units of the seat at a place in hand, those of the Power that acts first; None where none can move."""
    if session.live.phase == "war":
        groups = steps.groups(session, place)
        owners, names = tuple(power for power, _ in groups), tuple(units for _, units in groups)
        return _lit(session, Marching(place, names, 0, {}, owners)) if groups else None
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
    return _lit(session, Marching(place, tuple(dict.fromkeys((*alone, *together, *several))), 0, {}))


def _lit(session: Session, march: Marching) -> Marching:
    """The same with the places that its group may go to."""
    if march.in_war:
        return replace(march, reach=steps.reach(session, march.start, (march.owner(session), march.units)))
    here = units_at(session.live, march.start)
    units = tuple(u for u in here if u.power == session.power and u.name in march.units)  # alike ones go alike
    return replace(march, reach=reachable(session.tables, session.live, session.power, march.start, units))
