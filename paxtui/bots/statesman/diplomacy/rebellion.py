"""How a statesman fights a Chinese Rebellion: together with the others, with enough, and soon.

Each cycle that it goes on raises the European Tensions, and the Great War costs everybody more than an army. So heavy
Armies leave home until twice the strength of China is on its way; they gather beside its Armies, and go in when
together they are strong enough. Where all of them together are too few, nobody leaves home, and nobody walks into more
than he and his allies can meet.

Rules: REB-009, REB-016, REB-035, REB-037, ETI-022, ETI-023
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from paxtui.bots.act import Act
from paxtui.bots.caretaker.desk import Desk
from paxtui.pax.board.neighbours import board
from paxtui.pax.orders import actions as ac
from paxtui.pax.orders.notation import text_of
from paxtui.pax.state.model import State, units_at
from paxtui.pax.state.pieces import ARMY, Unit
from paxtui.pax.state.war import War
from paxtui.pax.war import empire
from paxtui.pax.war.alliances import enemies
from paxtui.pax.war.campaign import battle
from paxtui.pax.war.campaign.ways import Step
from paxtui.pax.war.command import general_orders, march
from paxtui.pax.words.spoken import place_name

ON_THE_WAY = 2.0
"""Strength that should be at sea and in China for each strength point of China: more stays at home."""
HEAVY = 3
"""Strength from which an Army is sent from home."""
OWN_SHARE = 0.5
"""What of the strength of the Chinese it has to bring itself, with those who are among them: others may stay away."""
HOLD = Act("pass", "Its armies stand where they are wanted")


class Foe(NamedTuple):
    """An Area with Chinese Armies, and the strength points that whoever comes meets there."""

    area: str
    strength: int


def maneuver(desk: Desk, war: War) -> list[Act]:
    """What the Power does in a Maneuver Phase against China: each of its free Armies takes a step, then it passes.

    Args: the paper; the Rebellion, in a Maneuver Phase of the Power's Alliance.
    """
    for unit, place in list(_free(desk, war)):
        foes = _foes(desk, war)
        if not foes:
            break
        if unit in units_at(desk.state, place) and not general_orders.last_of_garrison(desk.state, unit, place):
            _step(desk, war, foes, unit, place)
    return [*desk.acts, HOLD]


def attacks(desk: Desk, war: War, plain: Sequence[Act]) -> list[Act]:
    """The attacks of the General Orders, and those that it owes at whatever odds where it has gone in.

    Those on whom it counted may not have come.

    Rules: REB-030
    """
    given = {act.text for act in plain}
    own = (place for place, powers in battle.bound(desk.tables, desk.state, war).items() if desk.power in powers)
    owed = (text_of(desk.tables, ac.Attack(place, False)) for place in own)
    return [*(Act(text, "It has gone in there, and has to attack") for text in owed if text not in given), *plain]


def _foes(desk: Desk, war: War) -> list[Foe]:
    """Where Chinese Armies stand."""
    found = []
    for area in sorted(empire.land(desk.tables, desk.state, war)):
        armies = empire.armies(desk.state, area, (empire.of(war),))
        if armies:
            own = empire.strength(desk.tables, desk.state, war, area)
            found.append(Foe(area, own + sum(unit.strength for unit in armies)))
    return found


def _free(desk: Desk, war: War) -> Iterator[tuple[Unit, str]]:
    """The Power's Armies that could go, and where they stand: those at sea and in China, heavy ones first; the
    heavy ones at home while too few are on their way."""
    state, power = desk.state, desk.power
    land = empire.land(desk.tables, state, war)
    for place in (*state.at_sea, *sorted(land)):
        for unit in sorted(units_at(state, place), key=lambda unit: -unit.strength):
            if unit.kind == ARMY and unit.power == power and not unit.halted:
                yield unit, place
    risen, sent = sum(foe.strength for foe in _foes(desk, war)), _sent(state, war, land)
    if not general_orders.enough(sent + _in_reserve(state, war), risen):
        return
    wanted = ON_THE_WAY * risen - sent
    for unit in sorted(units_at(state, desk.home), key=lambda unit: -unit.strength):
        if wanted <= 0:
            return
        if unit.kind == ARMY and unit.power == power and unit.strength >= HEAVY and not unit.halted:
            wanted -= unit.strength
            yield unit, desk.home


def _sent(state: State, war: War, land: frozenset[str]) -> int:
    """Strength points of the colonial Powers at sea and in China, but for the last Army of each garrison."""
    powers = enemies(war, empire.of(war))
    return sum(
        unit.strength
        for place in (*state.at_sea, *land)
        for unit in units_at(state, place)
        if unit.kind == ARMY and unit.power in powers and not general_orders.last_of_garrison(state, unit, place)
    )


def _in_reserve(state: State, war: War) -> int:
    """Strength points of the Armies that the colonial Powers have in their Home Countries."""
    powers = enemies(war, empire.of(war))
    return sum(u.strength for units in state.homes.values() for u in units if u.kind == ARMY and u.power in powers)


def _step(desk: Desk, war: War, foes: list[Foe], unit: Unit, place: str) -> None:
    """Bring an Army a step nearer to the nearest Chinese Armies; it goes among them with enough others."""
    tables, state = desk.tables, desk.state
    ahead = march.found(tables, state, war, unit, place)
    ways = [(way.far, foe.strength, foe, way.first) for foe in foes if (way := ahead.get(Step(foe.area)))]
    if not ways or any(foe.area == place for foe in foes):
        return
    far, _, foe, first = min(ways)
    where = place_name(tables, foe.area)
    if far == 1:
        if not general_orders.enough(_beside(desk, war, foe.area, war.powers), foe.strength):
            return
        if _beside(desk, war, foe.area, (desk.power,)) < OWN_SHARE * foe.strength:
            return
        why = f"With the others it is strong enough for the Chinese in {where}"
    else:
        if empire.resists(tables, state, war, first.place):
            return
        if _beside(desk, war, first.place, war.powers) < _coming(desk, war, first.place):
            return
        why = f"Together with the others it ends the Rebellion in {where}: each cycle of it raises the tensions"
    desk.do(ac.Move((unit.name,), (place, first.place), first.coast), why)


def _beside(desk: Desk, war: War, area: str, whose: Collection[str]) -> int:
    """Strength points of the colonial Powers that are in an Area, and of some of them that could come there now."""
    map_, powers = board(desk.tables, desk.state), enemies(war, empire.of(war))
    near = (area, *map_.routes.get(area, ()), *map_.zones_of.get(area, ()))
    return sum(
        unit.strength
        for place in near
        for unit in units_at(desk.state, place)
        if unit.kind == ARMY and unit.power in powers
        if place == area
        or ((unit.power in whose and not unit.halted)
        and not general_orders.last_of_garrison(desk.state, unit, place))
    )


def _coming(desk: Desk, war: War, area: str) -> int:
    """Strength points of the Chinese Armies that may come to an Area in their next Phase."""
    if area not in desk.tables.areas:
        return 0
    steps = empire.steps(desk.tables, desk.state, war, area)
    free = [a for a in steps if not empire.held_down(desk.state, war, a)]
    return sum(u.strength for a in free for u in empire.armies(desk.state, a, (empire.of(war),)))
