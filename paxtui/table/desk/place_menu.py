"""What can be done at a place: the lines of the action menu for Areas, Sea Zones and the Home Country."""

from __future__ import annotations

from paxtui.engine.refusal import Refusal
from paxtui.pax.board.tables import HOME
from paxtui.pax.menus.area_menu import area_menu
from paxtui.pax.menus.menu import MenuItem
from paxtui.pax.menus.trial import try_action
from paxtui.pax.orders import actions as ac
from paxtui.pax.reports.foresight import Foresight
from paxtui.pax.sequence import OPEN
from paxtui.pax.state.model import units_at
from paxtui.pax.words.spoken import place_name, power_name, the_zone
from paxtui.table.desk.prospects import prospects
from paxtui.table.desk.war_menu import war_lines
from paxtui.table.session import Session

MOVE_LETTER = "v"
"""Letter of the line that begins a move: the key that begins one on the map."""
LETTERS = "vabdefghijklmnoprstuwxyz"
"""Letters of lines, in the order in which the lines stand; `c` and `q` are keys of their own there."""

_LADDER = {"interest": "a", "influence": "b", "protectorate": "d", "possession": "e", "state": "f", "dominion": "f"}
_LOWERED = {"interest": "h", "influence": "i", "protectorate": "j"}
_HANDED = "mnoprst"
_REST = "uwxyz"


def place_menu(session: Session, place: str, power: str = "") -> list[MenuItem]:
    """Every line for a place, allowed or not, in an order that never changes; empty where nothing concerns it now.

    Only those to whom a marker cannot be handed over are left out, who would fill the list.

    Args: the open game; the place; the Power of the seat that would act, by default the one at the keyboard.
    """
    tables, state, power = session.tables, session.live, power or session.power
    items = war_lines(session, place, power)
    if state.phase == "war":
        return _lettered(session, place, power, items)
    if place in tables.areas:
        lines = area_menu(tables, state, power, place)
        items += [item for item in lines if item.allowed or not isinstance(item.action, ac.Transfer)]
    elif state.phase == "movement" and place in tables.sea_zones:
        items += _fleets(session, power, place)
    elif state.phase == "movement" and place == HOME + power:
        items += _builds(session, power)
    if state.phase in OPEN:
        items += _gifts(session, power, place) + _waivers(session, place)
    movable = [u for u in units_at(state, place) if u.power == power and not u.halted]
    if state.phase == "movement" and movable:
        items.insert(0, MenuItem(None, "Move units from here", True, rules=("MOV-001",)))
    return _lettered(session, place, power, items)


def foreseen(session: Session, item: MenuItem) -> Foresight | None:
    """What a line would bring; None for one that is not allowed, or that only begins something."""
    if item.action is None or not item.allowed:
        return None
    found = prospects(session, item.action)
    return None if isinstance(found, Refusal) else found


# --- letters --------------------------------------------------------------------------------------------------------


def _lettered(session: Session, place: str, power: str, items: list[MenuItem]) -> list[MenuItem]:
    """The lines with their letters, in the order of these. What has no letter of its own takes one of the last."""
    own = [_letter(session, place, power, item.action) for item in items]
    rest = iter([x for x in (_REST if session.live.phase != "war" else LETTERS[1:]) if x not in own])
    lettered = [i._replace(letter=own_one or next(rest, "")) for i, own_one in zip(items, own, strict=True)]
    return sorted(lettered, key=lambda item: LETTERS.index(item.letter) if item.letter else len(LETTERS))


def _letter(session: Session, place: str, power: str, action: ac.Action | None) -> str:
    """The letter that belongs to an act at a place, whatever else can be done there now; "" for what has none."""
    tables, state = session.tables, session.live
    match action:
        case None:
            return MOVE_LETTER
        case ac.Place() | ac.Upgrade():
            return _LADDER.get(action.marker, "")
        case ac.Fight():
            return "a"
        case ac.Decline():
            return "b"
        case ac.Canal():
            return "g"
        case ac.Codominion():
            return "b" if action.also else "a"
        case ac.Downgrade():
            return _LOWERED.get(action.marker, "")
        case ac.Withdraw():
            mine = [m for m in state.areas[action.area].markers if m.power == power]
            return "l" if any(m.marker == action.marker and not m.established for m in mine) else "k"
        case ac.Transfer():
            others = [p for p in state.powers if p != power]
            return _HANDED[others.index(action.to) : others.index(action.to) + 1]
        case ac.Merchant():
            zones = ["new", *(zone for zone in tables.sea_zones if zone != place)]
            return LETTERS[1 + zones.index(action.start)]
        case ac.Build():
            boxes = [box[0] for box in tables.homes[power].boxes]
            strengths = sorted(tables.units)
            at = strengths.index(int(action.units[0][1:]))
            if action.box:
                at = len(strengths) + at * len(boxes) + boxes.index(action.box)
            return LETTERS[1 + at]
        case ac.Pay():
            return LETTERS[1 + AMOUNTS.index(action.amount)]
    return ""


def _line(session: Session, action: ac.Action, label: str, price: int = 0) -> MenuItem:
    """A line for an action, tried out."""
    said = try_action(session.tables, session.live, session.seat, action)
    if isinstance(said, Refusal):
        return MenuItem(action, label, False, price, said.code, said.rules, said.message)
    return MenuItem(action, label, True, price, "", tuple(dict.fromkeys(r for e in said for r in e.rules)))


AMOUNTS = (1, 5, 10, 20, 50)
"""Pounds that the menu offers as gifts; the line for orders takes any amount."""


def _gifts(session: Session, power: str, place: str) -> list[MenuItem]:
    """Money for the Power whose Home Country this is."""
    to = place[len(HOME) :]
    if not place.startswith(HOME) or to not in session.live.powers or to == power:
        return []
    own = "" if power == session.seat else power
    name = power_name(session.tables, to)
    return [_line(session, ac.Pay(to, n, own), f"Give £{n} to {name}") for n in AMOUNTS]


def _waivers(session: Session, place: str) -> list[MenuItem]:
    """Causes of war about this place, or against the Power at home here, that the seat could give up."""
    out = []
    for cause in session.live.casus_belli:
        about = cause.area == place or (not cause.area and place == HOME + cause.against)
        if about and cause.holder in session.my_powers():
            against = power_name(session.tables, cause.against)
            out.append(_line(session, ac.Waive(cause.id), f"Waive {cause.id} against {against}"))
    return out


def _fleets(session: Session, power: str, zone: str) -> list[MenuItem]:
    """Merchant Fleets to and from a Sea Zone."""
    tables, state = session.tables, session.live
    own = "" if power == session.seat else power
    here = place_name(tables, zone)
    items = []
    if state.powers[power].merchants_due:
        items.append(_line(session, ac.Merchant("new", zone, own), f"New Merchant Fleet to the {here}"))
    for other in tables.sea_zones:
        if other != zone and power in state.sea_zones.get(other, ()):
            name = place_name(tables, other)
            items.append(_line(session, ac.Merchant(other, zone, own), f"Merchant Fleet here from the {name}"))
    return items


def _builds(session: Session, power: str) -> list[MenuItem]:
    """Military Units to build at home."""
    tables = session.tables
    own = "" if power == session.seat else power
    items = []
    for cost in sorted(tables.units.values(), key=lambda c: c.strength):
        items.append(
            _line(session, ac.Build((f"A{cost.strength}",), "", own), f"Build army A{cost.strength}", cost.army)
        )
    for cost in sorted(tables.units.values(), key=lambda c: c.strength):
        for box in tables.homes[power].boxes:
            where = f" in {the_zone(tables, box[0])}" if len(tables.homes[power].boxes) > 1 else ""
            action = ac.Build((f"N{cost.strength}",), box[0], own)
            items.append(_line(session, action, f"Build fleet N{cost.strength}{where}", cost.naval))
    return items
