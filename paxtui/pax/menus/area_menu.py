"""The action menu of an Area: everything that a Power could conceivably do there, its price, and what forbids it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.pax.board.status import at, level, seat_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.expansion import canals, placement
from paxtui.pax.history import events as ev
from paxtui.pax.menus.menu import MenuItem
from paxtui.pax.menus.trial import possible_answers, try_action
from paxtui.pax.narration.choice_narration import option
from paxtui.pax.orders import actions as ac
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import LEVEL, Marker
from paxtui.pax.state.questions import Combine, FightOrDecline
from paxtui.pax.words.spoken import all_of


def area_menu(tables: Tables, state: State, power: str, area: str) -> list[MenuItem]:
    """Everything that a Power could conceivably do in an Area, forbidden lines included with their refusal.

    Args: the tables; the position; the Power that acts; the Area's id.
    """
    seat = seat_of(tables, state, power)
    items: list[MenuItem] = []
    for action, label in _conceivable(tables, state, power, area):
        asked = replace(action, power="" if power == seat else power) if hasattr(action, "power") else action
        said = try_action(tables, state, seat, asked)
        price = _price(tables, state, power, area, action)
        if isinstance(said, Refusal):
            items.append(MenuItem(asked, label, False, price, said.code, said.rules, said.message))
        else:
            # the rules of the act itself before those of paying for it
            said = sorted(said, key=lambda event: isinstance(event, ev.TreasuryChanged))
            rules = tuple(dict.fromkeys(rule for event in said for rule in event.rules))
            items.append(MenuItem(asked, label, True, price, "", rules))
    return items


def _conceivable(tables: Tables, state: State, power: str, area: str) -> Iterator[tuple[ac.Action, str]]:
    """Actions that concern one Area, with what the menu calls them."""
    seat, here = seat_of(tables, state, power), at(state, area)
    for choice in state.choices:
        if choice.seat == seat and choice.area == area:
            for answer in possible_answers(choice):
                if not isinstance(choice.about, FightOrDecline):
                    said = all_of([option(tables, choice, text) for text in answer]) or "nothing"
                    yield ac.Choose(choice.id, answer), f"{choice.kind.replace('_', ' ').capitalize()}: {said}"
    if any(isinstance(c.about, FightOrDecline | Combine) and (c.area, c.power) == (area, power) for c in state.choices):
        yield ac.Fight(area), "Fight"
        yield ac.Decline(area), "Decline to fight"
    own = [m for m in here.markers if m.power == power]
    highest = placement.highest(state, area, power)
    if state.phase == "movement":
        yield from _bought(tables, power, area, highest)
    for kind in reversed(tables.markers.values()):
        if highest is not None and kind.level < LEVEL[highest.marker] and not kind.only_for:
            yield ac.Downgrade(kind.id, area), f"{kind.sign} Downgrade to {kind.name}"
    for m in own:
        kind = tables.markers[m.marker]
        yield ac.Withdraw(m.marker, area), f"{kind.sign} Withdraw {kind.name}" + "?" * (not m.established)
    if any(m.established for m in own):
        for to in state.powers:
            if to != power:
                yield ac.Transfer(area, to), f"Hand over to {tables.powers[to].name}"
    if own and len(here.markers) > 1 and state.phase == "negotiation":
        yield ac.Codominion(area), "Propose a Codominion"
        sharing = tuple(m.power for m in here.markers if m.established and m.marker == "influence")
        if sharing:
            yield ac.Codominion(area, sharing), "Propose a Codominion with the Influences"
    for m in here.markers:
        if m.power in state.minors and m.marker == "influence" and state.phase == "negotiation":
            yield ac.Defend(m.power, area), f"Defend {tables.powers[m.power].name}"


def _bought(tables: Tables, power: str, area: str, highest: Marker | None) -> Iterator[tuple[ac.Action, str]]:
    """Every marker that could be bought for an Area, the Power's `highest` there or a lower one too: always as many
    lines, so that each keeps its place; and the canal."""
    for kind in tables.markers.values():
        if kind.only_for and (kind.only_for != power or tables.areas[area].upgrade != kind.id):
            continue
        if highest is None:
            yield ac.Place(kind.id, area), f"{kind.sign} Place {kind.name}"
        else:
            higher = kind.level > level(highest)
            yield ac.Upgrade(kind.id, area), f"{kind.sign} {'Upgrade to ' * higher}{kind.name}"
    if tables.areas[area].passage == "canal":
        yield ac.Canal(area), "Build a canal"


def _price(tables: Tables, state: State, power: str, area: str, action: ac.Action) -> int:
    """Pounds that an act costs."""
    if isinstance(action, ac.Canal):
        return canals.PRICE
    if isinstance(action, ac.Place | ac.Upgrade):
        return max(0, placement.price(tables, state, power, area, action.marker))
    return 0
