"""The Alliance Supply Determination Phase: Units and Areas of the phasing Alliance, judged on the board as it begins.

Rules: SUP-001, SUP-002, SUP-015, SUP-016, SUP-019, SUP-021, SUP-025, SUP-026, SUP-031 (R-SUP-01, R-SUP-02, R-SUP-10,
R-SUP-11, R-SUP-13, Decision 51)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.play.play import Play
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import NAVAL, Unit
from paxtui.pax.state.war import ALLIANCES, War
from paxtui.pax.war import empire
from paxtui.pax.war.campaign import coaling, lines
from paxtui.pax.war.campaign.conquest import conquer
from paxtui.pax.war.campaign.reach import could_reach
from paxtui.pax.war.campaign.surrender import surrender


class Verdict(NamedTuple):
    """What a Supply Determination Phase finds.

    Attributes:
        armies, fleets: who has to surrender: Power, place, names of its Units.
        areas: Areas that fall, and to which Alliance.
        supplied: entries of `War.unsupplied` that have a Line of Supply now.
    """

    armies: tuple[tuple[str, str, tuple[str, ...]], ...]
    fleets: tuple[tuple[str, str, tuple[str, ...]], ...]
    areas: tuple[tuple[str, int], ...]
    supplied: tuple[str, ...]


def note_new(play: Play) -> None:
    """Note what of the Minor Powers that have come into a War has no Line of Supply at its beginning.

    Rules: SUP-031 (R-SUP-13, Decision 51)
    """
    for war in play.state.wars:
        new = tuple(p for p in war.powers if p in play.state.minors and p not in war.looked_at)
        if new and war.stage != ALLIANCES:
            lacking = lines.never_supplied(play.tables, play.state, war, new)
            play.emit(ev.SupplyNoted(war=war.id, powers=new, lacking=lacking, rules=("SUP-031",)))


def check(play: Play, war: War) -> None:
    """Units and Areas of the phasing Alliance that are out of supply surrender, all together.

    Rules: SUP-001, SUP-002, SUP-015, SUP-016, SUP-021, SUP-026, SUP-031 (R-SUP-02)
    """
    found = judged(play.tables, play.state, war, war.turn_of)
    for what in found.supplied:
        play.emit(ev.SupplyFound(war=war.id, what=what, rules=("SUP-031",)))
    for power, place, names in found.armies:
        surrender(play, war, power, names, place, "no Line of Supply", ("SUP-001", "SUP-015", "SUP-021"))
    for power, place, names in found.fleets:
        surrender(play, war, power, names, place, "no Coaling Rights", ("SUP-002", "SUP-021"))
    for area, to in found.areas:
        conquer(play, war, to, area, ("SUP-001", "SUP-016"))


def judged(tables: Tables, state: State, war: War, side: int) -> Verdict:
    """What would surrender if the Units and Areas of an Alliance were judged on this board.

    Rules: SUP-001, SUP-002, SUP-015, SUP-016, SUP-026, SUP-031 (R-SUP-02)
    """
    armies, fleets, supplied = [], [], []
    for power, place, kind, units in _forces(state, war, side):
        if kind == NAVAL:
            lost = tuple(u.name for u in units if not coaling.coaled(tables, state, war, u, place))
            if lost:
                fleets.append((power, place, lost))
        elif lines.army_supplied(tables, state, war, power, place):
            supplied.append(f"{power} {place}")
        elif f"{power} {place}" not in war.unsupplied:
            armies.append((power, place, tuple(u.name for u in units)))
    areas = []
    land = lines.ground(tables, state, war, side)
    ends = {power: lines.lines(tables, state, war, power).ends for power in war.alliance(side)}
    own = side == war.side_of(empire.of(war))
    imperial = empire.roams(tables, state, war) if own else frozenset[str]()
    for area in land.own:
        if area in imperial:
            continue  # where the Empire's Armies are always in supply (R-SUP-11)
        if area in land.secure or any(area in ends[p] for p in lines.holders(state, war, side, area)):
            supplied.append(area)
        elif area not in war.unsupplied and (to := _taken_by(tables, state, war, side, area)):
            areas.append((area, to))
    return Verdict(
        tuple(armies), tuple(fleets), tuple(sorted(areas)), tuple(w for w in war.unsupplied if w in supplied)
    )


def _forces(state: State, war: War, side: int) -> Iterator[tuple[str, str, str, list[Unit]]]:
    """Units of an Alliance outside the Home Countries that are checked: Power, place, kind, and the Units.

    Rules: SUP-001, SUP-002 (R-SUP-11)
    """
    own = frozenset(war.alliance(side)).difference(empire.EMPIRES)
    for place, units in (*((a, here.units) for a, here in state.areas.items()), *state.at_sea.items()):
        sorts: dict[tuple[str, str], list[Unit]] = {}
        for unit in units:
            if unit.power in own:
                sorts.setdefault((unit.power, unit.kind), []).append(unit)
        for (power, kind), there in sorts.items():
            yield power, place, kind, there


def _taken_by(tables: Tables, state: State, war: War, side: int, area: str) -> int:
    """The enemy Alliance that an unsupplied Area falls to: the first in the order of the cycle whose Armies could
    reach it; 0 where none could.

    Rules: SUP-016, SUP-017 (R-SUP-03)
    """
    numbers = war.order or tuple(range(1, len(war.alliances) + 1))
    return next((n for n in numbers if n != side and could_reach(tables, state, war, n, area)), 0)
