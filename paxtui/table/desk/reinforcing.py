"""Units that can come to a place, wherever they stand, and armies that could be built for it: the way to an attack
that begins at its end.

Rules: MOV-006, MOV-010, STA-005, STA-006
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from paxtui.pax.board.paths import may_start, naval_ends, reach
from paxtui.pax.board.status import controls
from paxtui.pax.expansion.garrison_plan import garrisoned
from paxtui.pax.expansion.special_garrisons import INDIAN, KEPT, india_zone, is_heavy
from paxtui.pax.orders import actions as ac
from paxtui.pax.reports.combat import odds, odds_said
from paxtui.pax.state.model import units_at
from paxtui.pax.state.pieces import ARMY, CONTROL, Unit, home
from paxtui.pax.words.spoken import all_of, place_name, sentence
from paxtui.table.session import Session


class Comer(NamedTuple):
    """A unit that can come.

    Attributes:
        unit: its name, as A10.
        start: where it stands.
        steps: how many its way has; 0 by sea.
        price: pounds that it costs, of one that is still to be built; 0 of others.
        needed: whether it is the only army in an Area that must not be without one.
        indian: whether it is of the Indian Army, and the place too far from India for it to stay there.
    """

    unit: str
    start: str
    steps: int
    price: int = 0
    needed: bool = False
    indian: bool = False

    @property
    def strength(self) -> int:
        """Its strength points."""
        return int(self.unit[1:])


def comers(session: Session, place: str) -> list[Comer]:
    """The units of the Power that acts which can come to a place: armies from home first, then new ones, then those
    elsewhere, then fleets, and last the armies that something depends on."""
    tables, state, power = session.tables, session.live, session.power
    if state.phase != "movement" or power not in state.powers:
        return []
    fleets_too = place in (*naval_ends(tables, state, power), home(power))
    out: list[Comer] = []
    for start in (home(power), *state.areas):
        own = [u for u in units_at(state, start) if u.power == power]
        armies = [u for u in own if u.kind == ARMY and not u.halted]
        if start == place or not own:
            continue
        if armies and may_start(state, power, start):
            way = reach(tables, state, power, start).get(place)
            last = len([u for u in own if u.kind == ARMY]) == 1 and controls(state, start, power)
            bound = _of_indian_army(session, start, place)
            if way:
                out += [Comer(u.name, start, len(way) - 1, 0, last, bound and is_heavy(u, power)) for u in armies]
        if fleets_too:
            out += [Comer(u.name, start, 0) for u in own if u.kind != ARMY and not u.halted]
    way = reach(tables, state, power, home(power)).get(place)
    costs = [cost for cost in tables.units.values() if cost.army <= state.powers[power].treasury] if way else []
    out += [Comer(f"A{cost.strength}", home(power), len(way or ()) - 1, cost.army) for cost in costs]
    return sorted(out, key=lambda c: (c.indian, c.needed, c.unit[0] != "A", c.start != home(power), c.price, c.steps))


def _of_indian_army(session: Session, start: str, place: str) -> bool:
    """Whether no Army (10) can be spared for a place far from India.

    Rules: STA-045, STA-047
    """
    zone = india_zone(session.tables, session.live)
    if session.power != INDIAN or start not in zone or place in zone:
        return False
    return sum(is_heavy(u, INDIAN) for area in zone for u in units_at(session.live, area)) <= KEPT


def come(session: Session, place: str, chosen: Iterable[Comer]) -> list[ac.Action]:
    """The orders by which some of them come: what is new is built first, and what stands together goes together."""
    own = "" if session.power == session.seat else session.power
    groups: dict[str, list[str]] = {}
    new = []
    for comer in chosen:
        groups.setdefault(comer.start, []).append(comer.unit)
        new += [comer.unit] if comer.price else []
    builds: list[ac.Action] = [ac.Build(tuple(new), "", own)] if new else []
    return [*builds, *(ac.Move(tuple(units), (start, place), power=own) for start, units in groups.items())]


def come_said(session: Session, place: str, chosen: Iterable[Comer]) -> str:
    """What some of them would be worth there, with those that are there already; "" where there is nothing to fight."""
    tables, state, power = session.tables, session.live, session.power
    coming = [c for c in chosen if c.unit.startswith("A")]
    price = sum(c.price for c in coming)
    bare = list(dict.fromkeys(place_name(tables, c.start) for c in coming if c.needed))
    out = [f"£{price} to build."] if price else []
    if place in tables.areas and _to_be_won(session, place):
        there = [u.strength for u in _armies(session, place)]
        force = [*there, *(c.strength for c in coming)]
        if force:
            out.append(odds_said(odds(tables, force, tables.areas[place].strength)))
    elif place in tables.areas and controls(state, place, power) and not garrisoned(state, place, power):
        out.append(sentence(f"{place_name(tables, place)} needs an army"))
    out += [f"Left without an army: {all_of(bare)}."] if bare else []
    if any(c.indian for c in coming):
        out.append("The Indian Army must end the Phase near India: nothing is bought while it is away.")
    return " ".join(out)


def _armies(session: Session, place: str) -> Iterator[Unit]:
    return (u for u in units_at(session.live, place) if u.power == session.power and u.kind == ARMY)


def _to_be_won(session: Session, area: str) -> bool:
    """Whether the Power would have to fight for the Area, now or once it has placed Control there."""
    here = session.live.areas[area]
    fresh = any(m.power == session.power and m.marker in CONTROL and not m.established for m in here.markers)
    return fresh or here.unrest or not controls(session.live, area, session.power)
