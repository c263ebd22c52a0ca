"""Rules 7 and 8: what is garrisoned and put down, in what order and with what; and what comes home.

Rules: ORD-020, ORD-021, ORD-025 to ORD-035 (R-ORD-10, R-ORD-20, R-ORD-21)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from msgspec.structs import replace

from paxtui.bots.campaign import fixed_areas
from paxtui.bots.caretaker.desk import Desk
from paxtui.bots.caretaker.unrest import suppress
from paxtui.pax.board.links import link_path, linked_areas
from paxtui.pax.board.neighbours import area_type
from paxtui.pax.board.status import controllers, controls, established
from paxtui.pax.expansion.garrison_plan import garrisoned
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import ARMY, CONTROL, INFLUENCE
from paxtui.pax.words.spoken import place_name

GARRISON, CONTROLLED, INFLUENCED = range(3)
"""What a task is, in the order in which tasks of one value are done (ORD-028)."""
HEAVY = 10


class Task(NamedTuple):
    """Something to do under Rule 7, in the order of its fields.

    Attributes:
        poverty: the Economic Value with its sign changed: the richest first.
        kind: GARRISON, CONTROLLED or INFLUENCED.
        force: Combat Strength: the highest first for a garrison (its sign changed), the lowest first for Unrest.
        die: what settles the last tie.
    """

    poverty: int
    kind: int
    force: int
    die: int
    area: str


def keep_what_is_held(desk: Desk) -> None:
    """Garrison and put down, the most precious first, as far as Units and funds go.

    Rules: ORD-020, ORD-021, ORD-027, ORD-028, ORD-029, ORD-030, ORD-031
    """
    tried: set[str] = set()
    while left := [task for task in tasks(desk) if task.area not in tried]:
        task = left[0]
        tried.add(task.area)
        if task.kind != GARRISON:
            _with_its_link(desk, task.area, partial(suppress, desk, task.area))
        else:
            why = f"Rule 7b: a garrison for {place_name(desk.tables, task.area)}"
            _with_its_link(desk, task.area, partial(garrison, desk, task.area, why))


def tasks(desk: Desk) -> list[Task]:
    """Areas without a garrison and Areas in Unrest, in the order in which they are seen to.

    Rules: ORD-020, ORD-027, ORD-028, ORD-029, ORD-030
    """
    return sorted(_tasks(desk))


def _tasks(desk: Desk) -> Iterator[Task]:
    state, power = desk.state, desk.power
    for area, here in state.areas.items():
        own = established(state, area, power)
        if own is None:
            continue
        row = desk.tables.areas[area]
        held = own.marker in CONTROL
        if here.unrest:
            if held or (own.marker == INFLUENCE and not controllers(state, area)):
                kind = CONTROLLED if held else INFLUENCED
                yield Task(-row.value, kind, row.strength, desk.dice(f"unrest/{area}", 1 << 20), area)
        elif held and not garrisoned(state, area, power):
            yield Task(-row.value, GARRISON, -row.strength, desk.dice(f"garrison/{area}", 1 << 20), area)


# --- garrisons --------------------------------------------------------------------------------------------------------


def garrison(desk: Desk, area: str, why: str) -> bool:
    """Send a garrison: an Army (1) from home, a new one, the smallest Unit at home, or one that is not needed abroad.

    Rules: ORD-025, ORD-026, ORD-033
    """
    home = desk.armies_at_home()
    if 1 in home and desk.move([1], desk.home, area, why):
        return True
    if desk.all_or_none(lambda: desk.build((1,), why) and desk.move([1], desk.home, area, why)):
        return True
    if any(desk.move([s], desk.home, area, why) for s in dict.fromkeys(home)):
        return True
    spare = f"Rule 8: a Unit not needed elsewhere garrisons {place_name(desk.tables, area)}"
    return any(
        desk.move([s], start, area, spare) for start, loose in surplus(desk) for s in dict.fromkeys(loose)
    )


def _with_its_link(desk: Desk, area: str, steps: Callable[[], bool]) -> bool:
    """Do something for an Area whose Communication Link will last; what the link needs is garrisoned first.

    Where the link will be lost all the same, nothing is done.

    Rules: ORD-031 (R-ORD-10)
    """
    if area not in linked_areas(desk.tables, desk.state, desk.power):
        return desk.all_or_none(steps)  # none to lose: what may go there by the rules may go

    def chain() -> bool:
        while not _link_lasts(desk, area):
            bare = set(_losing(desk.state, desk.power)) - {area}
            weak = [p for p in link_path(desk.tables, desk.state, desk.power, area) if p in bare]
            name = place_name(desk.tables, area)
            if not weak or not garrison(desk, weak[0], f"Rule 7: a garrison on the way to {name}"):
                return False
        return steps()

    return desk.all_or_none(chain)


def _link_lasts(desk: Desk, area: str) -> bool:
    """Whether the Area is still linked when Control without a garrison, its own left aside, is lost."""
    gone = set(_losing(desk.state, desk.power)) - {area}
    if not gone:
        return True
    areas = dict(desk.state.areas)
    for bare in gone:
        here = areas[bare]
        areas[bare] = replace(here, markers=tuple(m for m in here.markers if m.power != desk.power))
    return area in linked_areas(desk.tables, replace(desk.state, areas=areas), desk.power)


def _losing(state: State, power: str) -> list[str]:
    """Areas under the Power's Control that have no garrison."""
    return [a for a in state.areas if controls(state, a, power) and not garrisoned(state, a, power)]


# --- what comes home --------------------------------------------------------------------------------------------------


def bring_home(desk: Desk) -> None:
    """Bring home what no garrison needs. From there it serves where Rule 7 sends it.

    Rules: ORD-033, ORD-034, ORD-035
    """
    for area, loose in surplus(desk):
        why = f"Rule 8: not needed in {place_name(desk.tables, area)}"
        desk.move(loose, area, desk.home, why)


def surplus(desk: Desk) -> list[tuple[str, list[int]]]:
    """Army Units that no garrison needs, by Area: all but the smallest one; China and a restless Turkey keep theirs.

    Special garrisons stay where they have to be.

    Rules: ORD-033, ORD-034, ORD-035
    """
    state, power = desk.state, desk.power
    fixed = fixed_areas(desk.tables, state, power)
    restless = _turkey_restless(desk)
    found = []
    for area, here in state.areas.items():
        kind = area_type(desk.tables, state, area)
        if here.unrest or kind == "chinese_empire" or (kind == "ottoman" and restless):
            continue
        armies = sorted(u.strength for u in here.units if u.power == power and u.kind == ARMY and not u.halted)
        bound = [s for s in armies if s == HEAVY and area in fixed]
        loose = [s for s in armies if s not in bound]
        staying = bool(bound) or any(u.power == power and u.kind == ARMY and u.halted for u in here.units)
        if controls(state, area, power) and not staying:
            loose = loose[1:]
        if loose:
            found.append((area, loose))
    return found


def _turkey_restless(desk: Desk) -> bool:
    """Whether an Ottoman Area that nobody Controls is in Unrest. Rules: ORD-035."""
    return any(
        here.unrest and area_type(desk.tables, desk.state, area) == "ottoman" and not controllers(desk.state, area)
        for area, here in desk.state.areas.items()
    )
