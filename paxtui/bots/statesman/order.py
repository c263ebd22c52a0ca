"""Order in what is held: revolts put down, garrisons kept and kept light, armies called home for new work."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from paxtui.bots.campaign import fixed_areas
from paxtui.bots.caretaker import garrisons
from paxtui.bots.caretaker.desk import Desk
from paxtui.bots.caretaker.garrisons import HEAVY, surplus
from paxtui.bots.statesman import ambitions, armies
from paxtui.bots.statesman.outlook import GARRISON, Outlook
from paxtui.pax.board.status import at, controllers, controls, established
from paxtui.pax.expansion.garrison_plan import garrisoned
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import CONTROL, INFLUENCE
from paxtui.pax.words.spoken import place_name


def call_home(desk: Desk) -> None:
    """Bring home the armies that no garrison needs: from there they can go anywhere."""
    for area, loose in surplus(desk):
        desk.move(loose, area, desk.home, f"Not needed in {place_name(desk.tables, area)} any more")


def put_down(outlook: Outlook, desk: Desk) -> None:
    """Put down the revolts that are worth it, the most precious first."""
    state, power = desk.state, desk.power
    found = []
    for area, here in state.areas.items():
        own = established(state, area, power)
        if not here.unrest or own is None:
            continue
        if own.marker in CONTROL:
            prize = outlook.worth(state, area, own.marker)
            prize += ambitions.bonus(outlook, _lost(desk, area), area)
        elif own.marker == INFLUENCE and not controllers(state, area):
            prize = outlook.worth(state, area, INFLUENCE)
        else:
            continue
        found.append((outlook.seen(f"{area}/revolt", prize), area))
    for prize, area in sorted(found, reverse=True):
        desk.all_or_none(partial(_suppress, outlook, desk, area, prize))


def _lost(desk: Desk, area: str) -> State:
    """The position without the Power's marker in an Area."""
    here = at(desk.state, area)
    gone = tuple(m for m in here.markers if m.power != desk.power)
    return replace(desk.state, areas={**desk.state.areas, area: replace(here, markers=gone)})


def _suppress(outlook: Outlook, desk: Desk, area: str, prize: float) -> bool:
    """Send the force that pays best against a revolt."""
    there = armies.standing(desk, area)
    force = armies.best(outlook, desk, area, prize, armies.for_armies(desk), there)
    if force is None:
        return False
    name = place_name(desk.tables, area)
    why = f"The revolt in {name} is put down with {force.chance:.0%}, to keep what is worth some £{prize:.0f}"
    return armies.send(desk, force, area, why)


def garrison(desk: Desk) -> None:
    """An army for every Area under Control that has none, the most precious first: the rules let no army stand idle."""
    state, power = desk.state, desk.power
    bare = [
        area
        for area in state.areas
        if controls(state, area, power) and not at(state, area).unrest and not garrisoned(state, area, power)
    ]
    for area in sorted(bare, key=lambda a: (-desk.tables.areas[a].value, a)):
        why = f"A garrison for {place_name(desk.tables, area)}, or its Control is lost"
        desk.all_or_none(partial(garrisons.garrison, desk, area, why))


def reinforce(outlook: Outlook, desk: Desk) -> None:
    """Send the army that wins a new Control marker which stands alone: without one its price is lost."""
    state, power = desk.state, desk.power
    for area, here in state.areas.items():
        fresh = [m for m in here.markers if m.power == power and m.marker in CONTROL and not m.established]
        if not fresh or here.unrest or armies.standing(desk, area) or established(state, area, power) in fresh:
            continue
        prize = max(outlook.worth(state, area, fresh[0].marker), float(desk.tables.markers[fresh[0].marker].price))
        force = armies.best(outlook, desk, area, prize, armies.for_armies(desk))
        if force is not None:
            name = place_name(desk.tables, area)
            why = f"The new marker in {name} needs an army, with {force.chance:.0%} to win"
            desk.all_or_none(partial(armies.send, desk, force, area, why))


def lighten(outlook: Outlook, desk: Desk) -> None:
    """A small army in place of a heavy one, where that saves more than it costs."""
    if outlook.years < 1:
        return
    fixed = fixed_areas(desk.tables, desk.state, desk.power)
    for area, here in desk.state.areas.items():
        if here.unrest or not controls(desk.state, area, desk.power):
            continue
        own = established(desk.state, area, desk.power)
        if own is None or desk.tables.markers[own.marker].only_for:
            continue
        there = armies.standing(desk, area)
        if len(there) != 1 or there[0] <= GARRISON or (there[0] == HEAVY and area in fixed):
            continue
        desk.all_or_none(partial(_relieve, outlook, desk, area, there[0]))


def _relieve(outlook: Outlook, desk: Desk, area: str, heavy: int) -> bool:
    """Send a small army, and bring the heavy one home."""
    why = f"A small garrison is enough in {place_name(desk.tables, area)}"
    if 1 not in desk.armies_at_home():
        saved = (heavy - GARRISON) * outlook.later
        if saved <= desk.tables.units[1].army * outlook.now or not desk.build((1,), why):
            return False
    return desk.move([1], desk.home, area, why) and desk.move([heavy], area, desk.home, why)

