"""The menu of a place: all actions for an Area, Sea Zone or Home Country, in peace and in War, with their effects.

Each War entry is one of `paxtui.games.pax.menus.war`. Forbidden entries give their reason. Effects are computed on the
position as the seat at the keyboard knows it.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.adjacency import passage_area
from paxtui.games.pax.board.tables import HOME
from paxtui.games.pax.menus import war as war_menu
from paxtui.games.pax.menus.menu import MenuItem, area_menu, try_menu_item
from paxtui.games.pax.narration.labels import describe_option
from paxtui.games.pax.preview import odds
from paxtui.games.pax.preview.preview import Preview, preview_action
from paxtui.games.pax.sequence import OPEN
from paxtui.games.pax.state.model import State, units_at
from paxtui.games.pax.state.pieces import ARMY, NAVAL
from paxtui.games.pax.state.war import ATTACK, MANEUVER, War
from paxtui.games.pax.text.display import place_name, power_name, the_power, the_powers, the_zone
from paxtui.games.pax.transaction import option_texts
from paxtui.games.pax.war import alliances
from paxtui.games.pax.war.ottomans import heart_area
from paxtui.session.local_session import Session

MOVE_LABEL = "Move Units from here (v)"
"""Label of the entry that starts a move."""


def war_lines(session: Session, place: str, power: str) -> list[MenuItem]:
    """Return every War entry for a place; empty if War does not concern it.

    Args: the open game; the place; one of the seat's Powers: its own acts are listed, and with the seat's principal
        Power those of the other Powers that the seat commands.
    """
    state = session.live
    if state.result is not None:
        return []
    acts = [
        a for a in _orders(session) if place in war_order_places(session, a) and _commanding_power(session, a, power)
    ]
    items = [_item(session, a, war_order_label(session, a)) for a in acts]
    if state.phase == "war" and state.wars:
        items = [*_move_lines(session, place, power), *_choice_lines(session, place), *items]
        items += _attacks_barred(session, place, power, acts)
    return items


def _orders(session: Session) -> list[actions.Action]:
    return session.derived("war_orders", lambda: list(war_menu.war_orders(session.tables, session.live, session.seat)))


def _commanding_power(session: Session, action: actions.Action, power: str) -> bool:
    own = getattr(action, "power", "") or session.seat
    return own == power or (power == session.seat and own not in session.my_powers())


def war_order_places(session: Session, action: actions.Action) -> tuple[str, ...]:
    """Return the places whose menus list an order of War."""
    if isinstance(action, actions.Attack):
        return (action.place,)
    if isinstance(action, actions.Volunteer):
        return (action.area,)
    if isinstance(action, actions.Deny | actions.Allow):
        return (passage_area(session.tables, action.passage),)
    if isinstance(action, actions.AnnounceEnd):
        return (HOME + (action.power or session.seat),)
    if isinstance(action, actions.DeclareWar):
        causes = [c for c in session.live.casus_belli if c.holder == (action.power or session.seat)]
        about = tuple(c.area for c in causes if c.against in action.on and c.area)
        return (*(HOME + power for power in action.on), *about)
    if isinstance(action, actions.JoinWar):
        return (heart_area(session.tables),)
    if isinstance(action, actions.InviteAid):
        return (heart_area(session.tables), *(HOME + guest for guest in action.guests))
    return ()


def war_order_label(session: Session, action: actions.Action) -> str:
    """Return the menu label of an order of War."""
    tables, state = session.tables, session.live
    own = getattr(action, "power", "")
    whose = f"{power_name(tables, own)}: " if own and own != session.power else ""
    text = ""
    if isinstance(action, actions.Attack):
        text = f"Attack with {_forces(session, action)}"
    elif isinstance(action, actions.Volunteer):
        to = next(
            (w.alliance(w.side_of(action.to)) for w in alliances.active_wars(state) if w.side_of(action.to)),
            (action.to,),
        )
        text = f"Volunteer for coaling to {the_powers(tables, to)}"
    elif isinstance(action, actions.Deny | actions.Allow):
        what = "Close" if isinstance(action, actions.Deny) else "Open"
        passage = action.passage.replace("_", " ").title()
        text = f"{what} {'the ' if passage == 'Straits' else ''}{passage} to {the_power(tables, action.to)}"
    elif isinstance(action, actions.DeclareWar):
        over = f" over {action.over[0]}" if action.over else ""
        text = f"⚔ Declare War on {the_powers(tables, action.on)}{over}…"
    elif isinstance(action, actions.JoinWar):
        text = f"⚔ Join the War at the side of {the_power(tables, action.side)}…"
    elif isinstance(action, actions.InviteAid):
        text = f"Ask {the_powers(tables, action.guests)} for aid against the Ottoman Empire, and nobody else"
    elif isinstance(action, actions.AnnounceEnd):
        text = "Announce the end of the War"
    return whose + text


def _forces(session: Session, action: actions.Attack) -> str:
    """Describe the forces of an attack with all allies, and its possible results."""
    war, kind = (
        alliances.current_war(session.live),
        NAVAL if action.naval or action.place not in session.tables.areas else ARMY,
    )
    if war is None:
        return kind
    found = odds.find_assault(session.tables, session.live, war, action.place, kind, ())
    return f"{'fleets' if kind == NAVAL else 'armies'}: {odds.assault_summary(found)}"


def _item(session: Session, action: actions.Action, label: str, price: int = 0) -> MenuItem:
    return try_menu_item(session.tables, session.live, session.seat, action, label, price)


# --- steps and answers --------------------------------------------------------------------------------------------


def movable(session: Session, place: str) -> tuple[str, ...]:
    """Return the Powers commanded by the seat in the current War that have movable Units in a place."""
    state = session.live
    war = alliances.current_war(state) if state.phase == "war" else None
    if war is None or war.stage != MANEUVER:
        return ()
    own = alliances.commanded_powers(session.tables, state, war, session.seat)
    here = {u.power for u in units_at(state, place) if not u.halted}
    return tuple(p for p in own if p in here and war.side_of(p) == war.turn_of)


def _move_lines(session: Session, place: str, power: str) -> Iterator[MenuItem]:
    """Return the move, and the passage between coasts, which the cursor cannot express."""
    if power != session.seat and power not in movable(session, place):
        return
    if movable(session, place):
        yield MenuItem(None, MOVE_LABEL, True, rules=("WMV-006",))
    for moves in war_menu.war_moves(session.tables, session.live, session.seat):
        if moves.start != place or not _commanding_power(session, actions.Move((), (), power=moves.power), power):
            continue
        for end in moves.ends:
            if end.place == place:
                own = "" if moves.power == session.seat else moves.power
                for name in dict.fromkeys(moves.units):
                    action = actions.Move((name,), (place, place), end.coast, own)
                    yield _item(session, action, f"Take {name} through to {the_zone(session.tables, end.coast)}")


def _choice_lines(session: Session, place: str) -> Iterator[MenuItem]:
    """Return the answers to a pending choice about the place, if it has a few."""
    for choice in session.live.choices:
        if choice.seat == session.seat and choice.area == place and not choice.about.several:
            for text in option_texts(choice):
                said = describe_option(session.tables, choice, text)
                yield MenuItem(
                    actions.Choose(choice.id, (text,)), said[:1].upper() + said[1:], True, rules=choice.rules
                )


def _attacks_barred(session: Session, place: str, power: str, acts: list[actions.Action]) -> Iterator[MenuItem]:
    """Return attacks on the enemy in the place that are not legal now, with reasons."""
    state = session.live
    open_ = {a.naval or a.place not in session.tables.areas for a in acts if isinstance(a, actions.Attack)}
    for war in alliances.active_wars(state):
        for own in alliances.commanded_powers(session.tables, state, war, session.seat):
            if not _commanding_power(session, actions.Attack(place, power=own), power):
                continue
            for kind in sorted(_facing(state, war, place, own)):
                naval = kind == NAVAL
                if naval not in open_:
                    open_.add(naval)
                    order = actions.Attack(place, naval, "" if own == session.seat else own)
                    item = _item(session, order, f"Attack with {'fleets' if naval else 'armies'}")
                    if not item.allowed:
                        yield item


def _facing(state: State, war: War, place: str, power: str) -> set[str]:
    """Return the kinds of Units of a Power that share a place with enemy Units of the same kind."""
    units = units_at(state, place)
    foes = {u.kind for u in units if u.power in alliances.enemies(war, power)}
    kinds = {u.kind for u in units if u.power == power} & foes
    return kinds if place in state.areas else kinds - {ARMY}


def can_attack(session: Session) -> tuple[str, ...]:
    """Return the places where the seat may attack now."""
    war = alliances.current_war(session.live) if session.live.phase == "war" else None
    if war is None or war.stage != ATTACK:
        return ()
    return tuple(dict.fromkeys(a.place for a in _orders(session) if isinstance(a, actions.Attack)))


def preview_for_seat(session: Session, action: actions.Action) -> Preview | Refusal:
    """Return the effects of an act, or the reason why it is refused."""
    return preview_action(session.tables, session.live, session.seat, action)


def preview_order_text(session: Session, text: str) -> Preview | Refusal | None:
    """Return the effects of an order text, or why it is refused; None for an incomplete order."""
    try:
        order = session.order_of(text)
    except Refusal:
        return None
    return preview_for_seat(session, order) if isinstance(order, actions.Action) else None


MOVE_LETTER = "v"
"""Letter of the entry that starts a move, the same as the key on the map."""
MENU_LETTERS = "vabdefghijklmnoprstuwxyz"
"""Letters of entries in order; `c` and `q` are reserved for other keys."""

_UPGRADE_LETTERS = {
    "interest": "a",
    "influence": "b",
    "protectorate": "d",
    "possession": "e",
    "state": "f",
    "dominion": "f",
}
_DOWNGRADE_LETTERS = {"interest": "h", "influence": "i", "protectorate": "j"}
_OTHER_LETTERS = "mnoprst"
_LAST_LETTERS = "uwxyz"


def place_menu(session: Session, place: str, power: str = "") -> list[MenuItem]:
    """Return every entry for a place, allowed or not, in a stable order; empty if nothing concerns it now.

    Powers that cannot receive a marker are left out, to keep the list short.

    Args: the open game; the place; the acting Power of the seat, by default the one at the keyboard.
    """
    tables, state, power = session.tables, session.live, power or session.power
    items = war_lines(session, place, power)
    if state.phase == "war":
        return _lettered(session, place, power, items)
    if place in tables.areas:
        lines = area_menu(tables, state, power, place)
        items += [item for item in lines if item.allowed or not isinstance(item.action, actions.Transfer)]
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


def preview_item(session: Session, item: MenuItem) -> Preview | None:
    """Return the effects of an entry; None for one that is not allowed, or that only starts an action."""
    if item.action is None or not item.allowed:
        return None
    found = preview_action(session.tables, session.live, session.seat, item.action, item.trial)
    return None if isinstance(found, Refusal) else found


# --- letters --------------------------------------------------------------------------------------------------------


def _lettered(session: Session, place: str, power: str, items: list[MenuItem]) -> list[MenuItem]:
    """Assign letters to the entries; those without a fixed letter get the last ones."""
    own = [_letter(session, place, power, item.action) for item in items]
    rest = iter([x for x in (_LAST_LETTERS if session.live.phase != "war" else MENU_LETTERS[1:]) if x not in own])
    lettered = [i._replace(letter=own_one or next(rest, "")) for i, own_one in zip(items, own, strict=True)]
    return sorted(lettered, key=lambda item: MENU_LETTERS.index(item.letter) if item.letter else len(MENU_LETTERS))


def _letter(session: Session, place: str, power: str, action: actions.Action | None) -> str:
    """Return the fixed letter of an act at a place; "" for none."""
    tables, state = session.tables, session.live
    match action:
        case None:
            return MOVE_LETTER
        case actions.Place() | actions.Upgrade():
            return _UPGRADE_LETTERS.get(action.marker, "")
        case actions.Fight():
            return "a"
        case actions.Decline():
            return "b"
        case actions.Canal():
            return "g"
        case actions.Codominion():
            return "b" if action.also else "a"
        case actions.Downgrade():
            return _DOWNGRADE_LETTERS.get(action.marker, "")
        case actions.Withdraw():
            mine = [m for m in state.areas[action.area].markers if m.power == power]
            return "l" if any(m.marker == action.marker and not m.established for m in mine) else "k"
        case actions.Transfer():
            others = [p for p in state.powers if p != power]
            return _OTHER_LETTERS[others.index(action.to) : others.index(action.to) + 1]
        case actions.Merchant():
            zones = ["new", *(zone for zone in tables.sea_zones if zone != place)]
            return MENU_LETTERS[1 + zones.index(action.start)]
        case actions.Build():
            boxes = [box[0] for box in tables.homes[power].boxes]
            strengths = sorted(tables.units)
            at = strengths.index(int(action.units[0][1:]))
            if action.box:
                at = len(strengths) + at * len(boxes) + boxes.index(action.box)
            return MENU_LETTERS[1 + at]
        case actions.Pay():
            return MENU_LETTERS[1 + GIFT_AMOUNTS.index(action.amount)]
    return ""


GIFT_AMOUNTS = (1, 5, 10, 20, 50)
"""Gifts in the menu, in pounds; the order line accepts any amount."""


def _gifts(session: Session, power: str, place: str) -> list[MenuItem]:
    """Return gifts of money to the Power of this Home Country."""
    to = place[len(HOME) :]
    if not place.startswith(HOME) or to not in session.live.powers or to == power:
        return []
    own = "" if power == session.seat else power
    name = power_name(session.tables, to)
    return [_item(session, actions.Pay(to, n, own), f"Give £{n} to {name}") for n in GIFT_AMOUNTS]


def _waivers(session: Session, place: str) -> list[MenuItem]:
    """Return the Casus Belli about this place or its Power that the seat could give up."""
    out = []
    for cause in session.live.casus_belli:
        about = cause.area == place or (not cause.area and place == HOME + cause.against)
        if about and cause.holder in session.my_powers():
            against = power_name(session.tables, cause.against)
            out.append(_item(session, actions.Waive(cause.id), f"Waive {cause.id} against {against}"))
    return out


def _fleets(session: Session, power: str, zone: str) -> list[MenuItem]:
    tables, state = session.tables, session.live
    own = "" if power == session.seat else power
    here = place_name(tables, zone)
    items = []
    if state.powers[power].merchants_due:
        items.append(_item(session, actions.Merchant("new", zone, own), f"New Merchant Fleet to the {here}"))
    for other in tables.sea_zones:
        if other != zone and power in state.sea_zones.get(other, ()):
            name = place_name(tables, other)
            items.append(_item(session, actions.Merchant(other, zone, own), f"Merchant Fleet here from the {name}"))
    return items


def _builds(session: Session, power: str) -> list[MenuItem]:
    tables = session.tables
    own = "" if power == session.seat else power
    items = []
    for cost in sorted(tables.units.values(), key=lambda c: c.strength):
        items.append(
            _item(session, actions.Build((f"A{cost.strength}",), "", own), f"Build army A{cost.strength}", cost.army)
        )
    for cost in sorted(tables.units.values(), key=lambda c: c.strength):
        for box in tables.homes[power].boxes:
            where = f" in {the_zone(tables, box[0])}" if len(tables.homes[power].boxes) > 1 else ""
            action = actions.Build((f"N{cost.strength}",), box[0], own)
            items.append(_item(session, action, f"Build fleet N{cost.strength}{where}", cost.naval))
    return items


def home_port_choices(session: Session, asked: str) -> tuple[actions.Build, ...]:
    """Return the order for each possible home box of its fleets, if it names none; () if only one is possible.

    Rules: SET-027
    """
    try:
        order = session.order_of(asked)
    except Refusal:
        return ()
    if (
        not isinstance(order, actions.Build)
        or order.box
        or not any(name.upper().startswith("N") for name in order.units)
    ):
        return ()
    home = session.tables.homes.get(order.power or session.seat)
    boxes = home.boxes if home else ()
    return tuple(replace(order, box=box[0]) for box in boxes) if len(boxes) > 1 else ()
