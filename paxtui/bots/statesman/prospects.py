"""What a Power might buy now, each with what it brings: markers, the canal, and the armies that Control asks for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from paxtui.bots.caretaker.desk import Desk
from paxtui.bots.statesman import ambitions, armies
from paxtui.bots.statesman.armies import Expedition
from paxtui.bots.statesman.outlook import Outlook
from paxtui.pax.board import counters
from paxtui.pax.board.links import linked_areas
from paxtui.pax.board.neighbours import area_type, canals
from paxtui.pax.board.status import at, established, level
from paxtui.pax.clauses.exchanges import LOWER
from paxtui.pax.expansion.canals import POINTS as CANAL_POINTS
from paxtui.pax.expansion.canals import PRICE as CANAL_PRICE
from paxtui.pax.expansion.placement import highest, price, problems
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import CONTROL, FULL, INFLUENCE, INTEREST, LEVEL, POSSESSION, PROTECTORATE
from paxtui.pax.state.treaty import CONGRESS
from paxtui.pax.words.spoken import place_name, power_name

GONE = {INTEREST: 0.06, INFLUENCE: 0.15, PROTECTORATE: 0.15, POSSESSION: 0.1}
"""Chance that a purchase that waits a turn cannot be made any more."""
CONTESTED = 0.3
"""What is left of a prize that a rival tries to win in the same turn."""
CROWDED = 5
"""Game Turn from which those who race for Areas have most of them."""
LESSON = 2
"""Game Turns for which an Area is not taken again that a Congress has taken from it."""
OTTOMAN_WAR = 60.0
"""Pounds that Control of an Ottoman Area costs in War with the Sultan."""


class Prospect(NamedTuple):
    """Something to buy.

    Attributes:
        area: where. marker: what is placed, "" for a canal.
        price: pounds for it. force: armies for it. gain: pounds at the end over all it costs.
        prize: pounds at the end for having it.
        why: the reason, in a sentence.
        lost: pounds at the end that are lost by waiting a turn.
        steps: points by which markers of others that give way raise the European Tensions.
    """

    area: str
    marker: str
    price: int
    force: Expedition | None
    gain: float
    prize: float
    why: str
    lost: float = 0.0
    steps: int = 0

    @property
    def cost(self) -> int:
        """Pounds to pay now, armies among them."""
        return self.price + (self.force.price if self.force else 0)


def prospects(outlook: Outlook, desk: Desk) -> list[Prospect]:
    """Everything that brings more than it costs, the best use of a pound first."""
    found: list[Prospect] = []
    outlook.piece = _last_piece(outlook, desk)
    for area in sorted(linked_areas(desk.tables, desk.state, desk.power)):
        found += _trade(outlook, desk, area)
        found += _control(outlook, desk, area)
        found += _raise(outlook, desk, area)
    found += _canal(outlook, desk)
    return [_urgent(outlook, desk, prospect) for prospect in _with_office(outlook, desk, found)]


def _last_piece(outlook: Outlook, desk: Desk) -> float:
    """Pounds at the end for one round piece more: what it would bring where the last of those left is not laid."""
    tables, state, power = desk.tables, desk.state, desk.power
    if not outlook.who.looks_on:
        return 0.0
    left = counters.free(tables, state, power, tables.markers[INTEREST].pool)
    price_of = tables.markers[INTEREST].price * outlook.now
    gains = sorted(
        (
            outlook.worth(state, area, INTEREST) - outlook.china(state, area, INTEREST) - price_of
            for area in linked_areas(tables, state, power)
            if area not in state.homes and not highest(state, area, power) and not at(state, area).unrest
            and not any(m.marker in FULL for m in at(state, area).markers)
        ),
        reverse=True,
    )
    return max(0.0, gains[left]) if left < len(gains) else 0.0


def _urgent(outlook: Outlook, desk: Desk, prospect: Prospect) -> Prospect:
    """A purchase with what waiting a turn costs: its income, and the chance that it is there no more."""
    area, marker = prospect.area, prospect.marker
    own = highest(desk.state, area, desk.power)
    income = outlook.yearly(desk.state, area, marker) - (
        outlook.yearly(desk.state, area, own.marker) if own and marker else 0.0
    )
    soon = outlook.pound(outlook.turn + 1)
    waiting = income * soon if outlook.years else prospect.gain
    gone = GONE.get(marker, 0.2) if outlook.turn < CROWDED else GONE.get(marker, 0.2) / 3
    if marker in CONTROL:
        here = at(desk.state, area)
        if here.unrest:
            gone = 1.0
        elif any(m.power != desk.power and m.marker == INFLUENCE for m in here.markers):
            gone = min(0.9, 1.5 * gone)
        if marker == PROTECTORATE and outlook.sought is not None:
            gone = max(outlook.sought.get(area, 0.0), float(here.unrest))
    lost = waiting - prospect.cost * (outlook.now - soon) + gone * prospect.gain
    return prospect._replace(lost=max(0.01, min(lost, prospect.gain)) + 0.02 * prospect.gain)


def _with_office(outlook: Outlook, desk: Desk, found: list[Prospect]) -> list[Prospect]:
    """Purchases without those of a first Control that is not worth what the Colonial Office pays who has none."""
    fee = outlook.first_control(desk.state)
    if not fee:
        return found
    gains = sorted((p.gain for p in found if p.marker in CONTROL), reverse=True)
    if sum(gain * share for gain, share in zip(gains, (1.0, 0.7, 0.5, 0.3), strict=False)) > fee:
        return found
    return [p for p in found if p.marker not in CONTROL]


def _trade(outlook: Outlook, desk: Desk, area: str) -> Iterator[Prospect]:
    """Interest and Influence."""
    tables, state, power = desk.tables, desk.state, desk.power
    own = highest(state, area, power)
    if at(state, area).unrest or level(own) >= LEVEL[INFLUENCE]:
        return
    old = outlook.worth(state, area, own.marker) if own else 0.0
    for marker in (INTEREST, INFLUENCE):
        if LEVEL[marker] <= level(own) or problems(tables, state, power, area, marker):
            continue
        cost = price(tables, state, power, area, marker)
        brings = outlook.worth(state, area, marker) - old - outlook.china(state, area, marker)
        if own is None:
            brings -= outlook.piece
        if marker == INFLUENCE and tables.areas[area].passage == "canal" and not canals(state):
            brings += 0.6 * max(0.0, CANAL_POINTS * outlook.point - CANAL_PRICE)
        gain = outlook.seen(f"{area}/{marker}", brings) - outlook.now * cost
        if gain > 0:
            name, kind = place_name(tables, area), tables.markers[marker].name
            why = f"{kind} in {name}: £{cost} now, and some £{brings:.0f} by the end"
            yield Prospect(area, marker, cost, None, gain, brings, why)


def _control(outlook: Outlook, desk: Desk, area: str) -> Iterator[Prospect]:
    """A Protectorate, with the armies that win it."""
    tables, state, power = desk.tables, desk.state, desk.power
    own = highest(state, area, power)
    if (own and own.marker in CONTROL) or problems(tables, state, power, area, PROTECTORATE):
        return
    here = at(state, area)
    if _taken_of_late(outlook, state, area):
        return
    trouble = outlook.trouble(state, area, PROTECTORATE)
    if area_type(tables, state, area) == "ottoman":
        trouble += OTTOMAN_WAR * outlook.who.care
    if trouble > 2.0 and not outlook.who.presses:
        return
    old = outlook.worth(state, area, own.marker) if own and not here.unrest else 0.0
    brings = outlook.worth(state, area, PROTECTORATE) - old + ambitions.bonus(outlook, state, area)
    brings += outlook.denied(state, area, PROTECTORATE) + ambitions.opens(outlook, state, area)
    if own:
        brings += outlook.piece
    brings -= trouble + outlook.china(state, area, PROTECTORATE)
    cost = price(tables, state, power, area, PROTECTORATE)
    if any(m.power != power and m.marker in CONTROL and not m.established for m in here.markers):
        brings *= CONTESTED
    prize = outlook.seen(f"{area}/control", brings)
    if prize <= outlook.now * cost:
        return
    force = armies.best(outlook, desk, area, prize, armies.for_armies(desk) - cost)
    if force is None or force.gain <= outlook.now * cost:
        return
    why = f"Control of {place_name(tables, area)} is worth some £{brings:.0f}, with {force.chance:.0%} to win it"
    rivals = [m.power for m in here.markers if m.power != power and m.marker == INFLUENCE]
    if rivals:
        why += f", although {power_name(tables, rivals[0])} has an Influence there"
    gain = force.gain - outlook.now * cost
    yield Prospect(area, PROTECTORATE, cost, force, gain, prize, why, steps=outlook.steps(state, area, PROTECTORATE))


def _taken_of_late(outlook: Outlook, state: State, area: str) -> bool:
    """Whether a Congress has taken Control of an Area from the Power, and whoever it was for can call one again."""
    took = any(
        treaty.form == CONGRESS and treaty.since >= state.turn - LESSON
        and any(c.kind == LOWER.id and c.power == outlook.power and area in c.places for c in treaty.clauses)
        for treaty in state.treaties
    )  # fmt: skip
    rivals = (m for m in at(state, area).markers if m.power != outlook.power)
    return took and any(LEVEL[m.marker] >= LEVEL[INFLUENCE] for m in rivals)


def _raise(outlook: Outlook, desk: Desk, area: str) -> Iterator[Prospect]:
    """A Possession over its own Protectorate that keeps others out, and what an event presses for."""
    tables, state, power = desk.tables, desk.state, desk.power
    own = established(state, area, power)
    if own is None or own.marker not in CONTROL or at(state, area).unrest:
        return
    name = place_name(tables, area)
    old = outlook.worth(state, area, own.marker)
    if own.marker == PROTECTORATE and not problems(tables, state, power, area, POSSESSION):
        cost = price(tables, state, power, area, POSSESSION)
        brings = outlook.worth(state, area, POSSESSION) - old + outlook.denied(state, area, POSSESSION)
        brings -= outlook.trouble(state, area, POSSESSION) + outlook.china(state, area, POSSESSION)
        if brings > outlook.now * cost:
            why = f"A Possession in {name} keeps the trade of others out"
            steps = outlook.steps(state, area, POSSESSION)
            yield Prospect(area, POSSESSION, cost, None, brings - outlook.now * cost, brings, why, steps=steps)
    for dice in state.events:
        wish = tables.events[dice].pressure
        if wish is None or (wish.power, wish.area) != (power, area):
            continue
        if not problems(tables, state, power, area, wish.marker):
            cost = price(tables, state, power, area, wish.marker)
            brings = outlook.worth(state, area, wish.marker) - old + wish.points * outlook.point
            brings += outlook.later * sum(armies.standing(desk, area))
            if brings > outlook.now * cost:
                why = f"{tables.events[dice].title}: {wish.points} Victory Points would be lost"
                yield Prospect(area, wish.marker, cost, None, brings - outlook.now * cost, brings, why)


def _canal(outlook: Outlook, desk: Desk) -> Iterator[Prospect]:
    """The first canal, for its Victory Points."""
    tables, state, power = desk.tables, desk.state, desk.power
    if canals(state):
        return
    gain = CANAL_POINTS * outlook.point - CANAL_PRICE * outlook.now
    for area in tables.areas.values():
        held = level(established(state, area.id, power)) >= LEVEL[INFLUENCE]
        if gain > 0 and area.passage == "canal" and held and not at(state, area.id).unrest:
            why = f"The first canal brings {CANAL_POINTS} Victory Points for £{CANAL_PRICE}"
            yield Prospect(area.id, "", CANAL_PRICE, None, gain, gain, why)
            return
