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
from paxtui.pax.orders import actions as ac
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import LEVEL, Marker
from paxtui.pax.state.questions import Combine, FightOrDecline
from paxtui.pax.turn import record_sheet


def area_menu(tables: Tables, state: State, power: str, area: str) -> list[MenuItem]:
    """Everything that a Power could conceivably do in an Area, forbidden lines included with their refusal.

    Args: the tables; the position; the Power that acts; the Area's id.
    """
    seat = seat_of(tables, state, power)
    before = record_sheet.forecast(tables, state, power) if power in state.powers else 0
    items: list[MenuItem] = []
    for action, label in _conceivable(tables, state, power, area):
        asked = replace(action, power="" if power == seat else power) if hasattr(action, "power") else action
        said = try_action(tables, state, seat, asked)
        price, after = _consequences(tables, state, power, area, action)
        income = after - before if after is not None else 0
        if isinstance(said, Refusal):
            items.append(MenuItem(asked, label, False, price, income, said.code, said.rules, said.message))
        else:
            # the rules of the act itself before those of paying for it
            said = sorted(said, key=lambda event: isinstance(event, ev.TreasuryChanged))
            rules = tuple(dict.fromkeys(rule for event in said for rule in event.rules))
            items.append(MenuItem(asked, label, True, price, income, "", rules))
    return items


def _conceivable(tables: Tables, state: State, power: str, area: str) -> Iterator[tuple[ac.Action, str]]:
    """Actions that concern one Area, with what the menu calls them."""
    seat, here = seat_of(tables, state, power), at(state, area)
    for choice in state.choices:
        if choice.seat == seat and choice.area == area:
            for answer in possible_answers(choice):
                yield ac.Choose(choice.id, answer), f"{choice.kind}: {' '.join(answer)}"
    if any(isinstance(c.about, FightOrDecline | Combine) and (c.area, c.power) == (area, power) for c in state.choices):
        yield ac.Fight(area), "Fight"
        yield ac.Decline(area), "Decline to fight"
    own = [m for m in here.markers if m.power == power]
    highest = placement.highest(state, area, power)
    for kind in tables.markers.values():
        if kind.only_for and (kind.only_for != power or tables.areas[area].upgrade != kind.id):
            continue
        if kind.level > level(highest):
            if highest is None:
                yield ac.Place(kind.id, area), f"{kind.sign} Place {kind.name}"
            else:
                yield ac.Upgrade(kind.id, area), f"{kind.sign} Upgrade to {kind.name}"
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
    if own and len(here.markers) > 1:
        yield ac.Codominion(area), "Propose a Codominion"
        sharing = tuple(m.power for m in here.markers if m.established and m.marker == "influence")
        if sharing:
            yield ac.Codominion(area, sharing), "Propose a Codominion with the Influences"
    for m in here.markers:
        if m.power in state.minors and m.marker == "influence" and state.phase == "negotiation":
            yield ac.Defend(m.power, area), f"Defend {tables.powers[m.power].name}"
    if tables.areas[area].passage == "canal":
        yield ac.Canal(area), "Build a canal"


def _consequences(tables: Tables, state: State, power: str, area: str, action: ac.Action) -> tuple[int, int | None]:
    """Price in pounds, and line 22 to be expected once the marker stands; None where it makes no difference."""
    if isinstance(action, ac.Canal):
        return canals.PRICE, None
    if isinstance(action, ac.Place | ac.Upgrade):
        price = placement.price(tables, state, power, area, action.marker)
        return price, _expected(tables, state, power, area, action.marker)
    if isinstance(action, ac.Downgrade):
        return 0, _expected(tables, state, power, area, action.marker)
    if isinstance(action, ac.Withdraw | ac.Transfer):
        return 0, _expected(tables, state, power, area, "")
    return 0, None


def _expected(tables: Tables, state: State, power: str, area: str, kind: str) -> int | None:
    """Line 22 to be expected if the Power's one marker in the Area were an established `kind` ("": none)."""
    if power not in state.powers:
        return None
    here = at(state, area)
    markers = tuple(m for m in here.markers if m.power != power)
    if kind:
        markers = (*markers, Marker(power, kind, since=state.turn))
    supposed = replace(state, areas={**state.areas, area: replace(here, markers=markers)})
    return record_sheet.forecast(tables, supposed, power)
