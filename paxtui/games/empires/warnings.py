"""Warnings before an order: what it gives up or risks, as a question to the player.

They tell what a seat can see; no rule depends on them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from paxtui.engine.dice import Dice
from paxtui.games.empires.battle.siege import besieging_corps, city_factors, enemies_in_city
from paxtui.games.empires.board import points_left
from paxtui.games.empires.decider import is_legal
from paxtui.games.empires.land.movement import check_march
from paxtui.games.empires.land_phase import MOVEMENT
from paxtui.games.empires.orders import (
    Action,
    Besiege,
    Demobilize,
    Done,
    ForceMarch,
    LiftSiege,
    March,
    RemoveDepot,
    Retire,
)
from paxtui.games.empires.pieces import Corps
from paxtui.games.empires.reports import mean_forage_loss
from paxtui.games.empires.state import State
from paxtui.games.empires.supply_step import (
    depot_supply_cost,
    forage_march,
    forage_value,
    lives_on_capture,
    supply_debt,
    unsupplied_corps,
)
from paxtui.games.empires.tables import Tables, leader_name
from paxtui.games.empires.transaction import Transaction

GREAT_LOSS = 2.0
"""Mean loss of a corps by foraging, in factors, from which on a player is warned."""


class OrderWarning(NamedTuple):
    """A question before orders are carried out.

    Attributes:
        question: the question.
        yes: the answer that carries the orders out.
        lines: what they give up or risk.
    """

    question: str
    yes: str
    lines: tuple[str, ...]


def find_warning(tables: Tables, state: State, power: str, acts: Sequence[Action]) -> OrderWarning | None:
    """Return the question before some acts of a Power in a campaign, None if they give up and risk nothing.

    Raises: Refusal, if an act is a march that is not possible.
    """
    if state.questions:
        return None
    moving = (state.cursor.phase, state.cursor.step) == MOVEMENT
    match acts[0]:
        case March() | ForceMarch() if moving:
            marches = [act for act in acts if isinstance(act, March | ForceMarch)]
            found = OrderWarning("March there?", "march", tuple(march_warnings(tables, state, power, marches)))
        case Done() if moving:
            lines = (*siege_warnings(tables, state, power), *supply_warnings(tables, state, power))
            found = OrderWarning("End the marches?", "end them", lines)
        case RemoveDepot(where=area):
            lines = tuple(depot_warnings(tables, state, power, area))
            found = OrderWarning("Remove the depot?", "remove it", lines)
        case LiftSiege(area=area):
            found = OrderWarning("End the siege?", "end it", (f"The siege of {tables.name(area)} ends.",))
        case Demobilize(where=where, factors=factors):
            count = f"{sum(factors.values())} factors" if factors else "all factors"
            whose = tables.corps_names.get(where) or f"the garrison of {tables.name(where)}"
            found = OrderWarning("Disband them?", "disband them", (f"{whose}: {count} leave the map for good.",))
        case Retire(leader=leader):
            found = OrderWarning("Retire the leader?", "retire", (f"{leader_name(leader)} leaves the map.",))
        case _:
            return None
    return found if found.lines else None


def siege_warnings(tables: Tables, state: State, power: str) -> Iterator[str]:
    """Yield the cities before which corps of a Power stand without a siege that they could begin.

    Rules: EIA 7.3.7.1
    """
    areas = dict.fromkeys(one.where for one in state.corps.values() if one.power == power and one.where in tables.areas)
    for area in areas:
        corps = besieging_corps(state, power, area)
        if area in state.campaign.sieges or not any(is_legal(tables, state, power, Besiege(one.id)) for one in corps):
            continue
        held = sum(city_factors(state, one, area).total for one in enemies_in_city(state, power, area))
        besiegers = f"{len(corps)} corps of yours"
        yield f"{tables.name(area)}: {besiegers}, but no siege of the city and its {held} enemy factors."


def depot_warnings(tables: Tables, state: State, power: str, area: str) -> Iterator[str]:
    """Yield that a depot is removed, and the corps that are out of supply without it where they stand.

    Rules: EIA 7.4.2.1
    """
    yield f"The depot in {tables.name(area)} is removed."
    rest = replace(state, depots=tuple(one for one in state.depots if (one.power, one.where) != (power, area)))
    hungry = [
        tables.corps_names.get(one.id, one.id)
        for one in state.corps.values()
        if one.power == power and one.where in tables.areas
        if depot_supply_cost(tables, state, one) is not None and depot_supply_cost(tables, rest, one) is None
    ]
    if hungry:
        yield f"Out of supply without it where they stand: {', '.join(hungry)}."


def supply_warnings(tables: Tables, state: State, power: str) -> Iterator[str]:
    """Yield what is wrong with the supply of a Power's corps where they stand: money too short, great loss by foraging.

    Rules: EIA 7.4.1, 7.4.2.1
    """
    debt, money = supply_debt(tables, state, power), state.accounts[power].money
    if debt > money:
        yield f"Supply costs ${debt} and you have ${money}: some corps will have to forage."
    for corps in unsupplied_corps(state, power):
        yield from _foraging_warning(tables, state, corps)


def march_warnings(tables: Tables, state: State, power: str, marches: Sequence[March | ForceMarch]) -> Iterator[str]:
    """Yield what marches of one Power give up or risk: a siege that ends, great loss by foraging where they end.

    Raises: Refusal, if one of them is not possible.

    Rules: EIA 7.4.1, 7.5.1.1.2
    """
    after = state
    losses: list[str] = []
    for march in marches:
        after = check_march(Transaction(tables, after, Dice("")), power, march).evolve(after)
        losses += _foraging_warning(tables, after, after.corps[march.corps])
    for area, besieger in state.campaign.sieges.items():
        if besieger == power and besieging_corps(state, power, area) and not besieging_corps(after, power, area):
            yield f"The siege of {tables.name(area)} ends: no corps of yours stays there."
    yield from losses


def _foraging_warning(tables: Tables, state: State, corps: Corps) -> Iterator[str]:
    """Yield a warning of great loss if a corps is to forage where it stands."""
    if depot_supply_cost(tables, state, corps) is not None or lives_on_capture(state, corps):
        return
    march = forage_march(tables, state, corps, points_left(corps))
    loss = mean_forage_loss(forage_value(tables, state, corps), march)
    if loss >= GREAT_LOSS:
        name = tables.corps_names.get(corps.id, corps.id)
        winter = " in winter" if march.winter else ""
        why = "has force marched" if corps.forced else "is out of your supply"
        yield (
            f"{name} at {tables.name(corps.where)} {why}: "
            f"foraging{winter} costs it about {loss:.1f} of {corps.factors.total} factors."
        )
