"""The menu of a place: all actions for an Area, Sea Zone or Home Country, in peace and in War.

Each entry is decided once. Forbidden entries give their reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.notation import format_order
from paxtui.games.pax.board.adjacency import passage_area
from paxtui.games.pax.board.status import powers_of, seat_of
from paxtui.games.pax.board.tables import HOME, Tables
from paxtui.games.pax.combat.ottoman_expansion import heart_area
from paxtui.games.pax.events import events
from paxtui.games.pax.expansion import canals, placement
from paxtui.games.pax.menus import war as war_menu
from paxtui.games.pax.menus.candidates import GIFT_AMOUNTS, Candidates, answers, waivers
from paxtui.games.pax.narration.labels import articles_text, describe_option, treaty_title
from paxtui.games.pax.preview import odds
from paxtui.games.pax.preview.dry_run import run_trial
from paxtui.games.pax.sequence import OPEN
from paxtui.games.pax.state.diplomacy import Treaty
from paxtui.games.pax.state.model import State, units_at
from paxtui.games.pax.state.pieces import ARMY, LEVEL, NAVAL
from paxtui.games.pax.state.war import MANEUVER, War
from paxtui.games.pax.text.display import (
    capitalize,
    join_with_and,
    marker_with_article,
    place_name,
    power_name,
    the_place,
    the_power,
    the_powers,
    the_zone,
)
from paxtui.games.pax.text.parsing import HOME_WORD
from paxtui.games.pax.transaction import Transaction, option_texts
from paxtui.games.pax.war import alliances

MOVE_LABEL = "Move Units from here (v)"
"""Label of the entry that starts a move in War."""

GRAVE_ACTIONS = (
    actions.Downgrade,
    actions.Withdraw,
    actions.Transfer,
    actions.Waive,
    actions.Pay,
    actions.Decline,
    actions.JoinWar,
)
"""Actions by which a Power gives something up or joins a War; lists never preselect them."""


class MenuItem(NamedTuple):
    """A line of an action menu, allowed or not.

    Attributes:
        action: the action; None begins a move, whose destination is chosen next, or opens the menu of `power`.
        price: in pounds.
        code, rules, reason: those of the refusal, or the rules that allow it. With `power`, the actions in its menu.
        letter: the key that selects it, fixed for an action and a place; "" for none.
        trial: the trial run of an allowed action, from which its preview is computed.
        power: another Power of the seat whose menu the entry opens; "" for other entries.
    """

    action: actions.Action | None
    label: str
    allowed: bool
    price: int = 0
    code: str = ""
    rules: tuple[str, ...] = ()
    reason: str = ""
    letter: str = ""
    trial: Transaction | None = None
    power: str = ""

    @property
    def harmless(self) -> bool:
        """Whether it is allowed and not grave."""
        return self.allowed and not isinstance(self.action, GRAVE_ACTIONS)


def place_menu(tables: Tables, state: State, seat: str, power: str, place: str) -> list[MenuItem]:
    """Return every entry for a place, the allowed ones first; empty if nothing concerns it now.

    In War the principal Power of the seat also gets the entries of other Powers that the seat commands. Powers that
    cannot receive a marker are left out, to keep the list short.

    Args:
        state: the position as the seat knows it.
        power: the Power of the seat that acts.
        place: an Area, Sea Zone or Home Country.
    """
    items = _war_items(tables, state, seat, power, place) if state.result is None else []
    if state.phase != "war":
        lines = area_menu(tables, state, power, place) if place in tables.areas else []
        items += [item for item in lines if item.allowed or not isinstance(item.action, actions.Transfer)]
        if place not in tables.areas:
            items += _try_all(tables, state, seat, power, Candidates(tables, state, seat, power, place))
        if state.phase in OPEN:
            items += _try_all(tables, state, seat, power, waivers(tables, state, seat, place))
        if state.phase == "movement" and any(u.power == power and not u.halted for u in units_at(state, place)):
            items.insert(0, MenuItem(None, "Move units from here", True, rules=("MOV-001",)))
    return _assign_letters(tables, state, power, place, items)


def area_menu(tables: Tables, state: State, power: str, area: str) -> list[MenuItem]:
    """Return the entries of a Power for an Area outside War."""
    seat = seat_of(tables, state, power)
    asked = (
        action for choice, action in answers(state, seat, area)
        if isinstance(action, actions.Choose) or choice.power == power
    )  # fmt: skip
    return _try_all(tables, state, seat, power, [*asked, *Candidates(tables, state, seat, power, area)])


def _try_all(
    tables: Tables, state: State, seat: str, power: str, candidates: Iterable[actions.Action]
) -> list[MenuItem]:
    return [
        try_menu_item(tables, state, seat, action, action_label(tables, state, power, action))
        for action in dict.fromkeys(candidates)
    ]


def try_menu_item(tables: Tables, state: State, seat: str, action: actions.Action, label: str) -> MenuItem:
    """Return the entry of an action, allowed or with its refusal."""
    price = _price(tables, state, getattr(action, "power", "") or seat, action)
    trial = run_trial(tables, state, seat, action)
    if isinstance(trial, Refusal):
        return MenuItem(action, label, False, price, trial.code, trial.rules, trial.message)
    # rules of the action take precedence over those of payment
    ordered = sorted(trial.events, key=lambda event: isinstance(event, events.TreasuryChanged))
    rules = tuple(dict.fromkeys(rule for event in ordered for rule in event.rules))
    return MenuItem(action, label, True, price, rules=rules, trial=trial)


def _price(tables: Tables, state: State, power: str, action: actions.Action) -> int:
    match action:
        case actions.Canal():
            return canals.CANAL_PRICE
        case actions.Place() | actions.Upgrade():
            return max(0, placement.marker_price(tables, state, power, action.area, action.marker))
        case actions.Build():
            unit = action.units[0]
            cost = tables.units[int(unit[1:])]
            return cost.army if unit[0] == "A" else cost.naval
    return 0


def action_label(tables: Tables, state: State, power: str, action: actions.Action) -> str:
    """Return the menu label of an action of `power` outside War: the text of the order if there is no better one."""
    match action:
        case actions.Choose():
            choice = next(c for c in state.choices if c.id == action.id)
            answer = join_with_and([describe_option(tables, choice, text) for text in action.answer]) or "nothing"
            return f"{choice.kind.replace('_', ' ').capitalize()}: {answer}"
        case actions.Fight():
            return "Fight"
        case actions.Decline():
            return "Decline to fight"
        case actions.Place():
            return f"{tables.markers[action.marker].sign} Place {tables.markers[action.marker].name}"
        case actions.Upgrade():
            kind, highest = tables.markers[action.marker], placement.highest_marker(state, action.area, power)
            return f"{kind.sign} {'Upgrade to ' * (highest is None or kind.level > LEVEL[highest.marker])}{kind.name}"
        case actions.Canal():
            return "Build a canal"
        case actions.Downgrade():
            return f"{tables.markers[action.marker].sign} Downgrade to {tables.markers[action.marker].name}"
        case actions.Withdraw():
            kind = tables.markers[action.marker]
            return f"{kind.sign} Withdraw {kind.name}" + "?" * _is_unestablished(state, power, action)
        case actions.Transfer():
            return f"Hand over to {tables.powers[action.to].name}"
        case actions.Codominion():
            return "Propose a Codominion" + " with the Influences" * bool(action.also)
        case actions.Defend():
            return f"Defend {tables.powers[action.minor].name}"
        case actions.Merchant("new"):
            return f"New Merchant Fleet to the {place_name(tables, action.to)}"
        case actions.Merchant():
            return f"Merchant Fleet here from the {place_name(tables, action.start)}"
        case actions.Build(units, box):
            where = f" in {the_zone(tables, box)}" if box and len(tables.homes[power].boxes) > 1 else ""
            return f"Build {'army' if units[0][0] == 'A' else 'fleet'} {units[0]}{where}"
        case actions.Pay():
            return f"Give £{action.amount} to {power_name(tables, action.to)}"
        case actions.Waive():
            cause = next(cause for cause in state.casus_belli if cause.id == action.id)
            over = f" over {place_name(tables, cause.area)}" if cause.area else ""
            return f"Waive the Casus Belli against {the_power(tables, cause.against)}{over}"
    return format_order(tables, action)


def _is_unestablished(state: State, power: str, action: actions.Withdraw) -> bool:
    own = [m for m in state.areas[action.area].markers if m.power == power and m.marker == action.marker]
    return any(not m.established for m in own)


def _war_items(tables: Tables, state: State, seat: str, power: str, place: str) -> list[MenuItem]:
    """Return every War entry for a place; empty if War does not concern it."""
    orders = [
        action
        for action in war_menu.war_orders(tables, state, seat)
        if place in war_order_places(tables, state, seat, action)
        and _acts_for(tables, state, seat, power, getattr(action, "power", ""))
    ]
    items = [try_menu_item(tables, state, seat, a, war_order_label(tables, state, power, a)) for a in orders]
    if state.phase == "war" and state.wars:
        moves, choices = _move_items(tables, state, seat, power, place), _answer_items(tables, state, seat, place)
        items = [*moves, *choices, *items, *_barred_attacks(tables, state, seat, power, place, orders)]
    return items


def _acts_for(tables: Tables, state: State, seat: str, power: str, own: str) -> bool:
    """Return whether the menu of `power` has the orders of a Power that the seat commands; "" means the seat's own."""
    return (own or seat) == power or (power == seat and bool(own) and own not in powers_of(tables, state, seat))


def war_order_places(tables: Tables, state: State, seat: str, action: actions.Action) -> tuple[str, ...]:
    """Return the places whose menus have an order of War."""
    match action:
        case actions.Attack():
            return (action.place,)
        case actions.Volunteer():
            return (action.area,)
        case actions.Deny() | actions.Allow():
            return (passage_area(tables, action.passage),)
        case actions.AnnounceEnd():
            return (HOME + (action.power or seat),)
        case actions.DeclareWar():
            causes = [c for c in state.casus_belli if c.holder == (action.power or seat)]
            about = tuple(c.area for c in causes if c.against in action.on and c.area)
            return (*(HOME + power for power in action.on), *about)
        case actions.JoinWar():
            return (heart_area(tables),)
        case actions.InviteAid():
            return (heart_area(tables), *(HOME + guest for guest in action.guests))
    return ()


def war_order_label(tables: Tables, state: State, power: str, action: actions.Action) -> str:
    """Return the label of an order of War in the menu of `power`."""
    own = getattr(action, "power", "")
    whose = f"{power_name(tables, own)}: " if own and own != power else ""
    text = ""
    match action:
        case actions.Attack():
            text = f"Attack with {_forces(tables, state, action)}"
        case actions.Volunteer():
            sides = (war.alliance(side) for war in alliances.active_wars(state) if (side := war.side_of(action.to)))
            text = f"Volunteer for coaling to {the_powers(tables, next(sides, (action.to,)))}"
        case actions.Deny() | actions.Allow():
            what = "Close" if isinstance(action, actions.Deny) else "Open"
            passage = action.passage.replace("_", " ").title()
            text = f"{what} {'the ' * (passage == 'Straits')}{passage} to {the_power(tables, action.to)}"
        case actions.DeclareWar():
            areas = [cause.area for cause in state.casus_belli if cause.id in action.over and cause.area]
            over = f" over {join_with_and([place_name(tables, area) for area in areas])}" if areas else ""
            text = f"⚔ Declare War on {the_powers(tables, action.on)}{over}…"
        case actions.JoinWar():
            text = f"⚔ Join the War at the side of {the_power(tables, action.side)}…"
        case actions.InviteAid():
            text = f"Ask only {the_powers(tables, action.guests)} for aid against the Ottoman Empire"
        case actions.AnnounceEnd():
            text = "Announce the end of the War"
    return whose + text


def describe_order(tables: Tables, state: State, seat: str, action: actions.Action) -> str:
    """Return an order of a seat in words. Labels of the menu that leave out its place are completed."""
    power = getattr(action, "power", "") or seat
    whose = f"{power_name(tables, power)}: " if power != seat else ""
    label = _draft_label(tables, power, action) or _label_with_place(tables, action)
    label = label or war_order_label(tables, state, power, action) or action_label(tables, state, power, action)
    return whose + label.removeprefix("⚔ ").removesuffix("…")


def _draft_label(tables: Tables, power: str, action: actions.Action) -> str:
    if not isinstance(action, actions.Draft):
        return ""
    draft = Treaty("", action.name, action.form, power, action.parties, action.clauses)
    others = [party for party in action.parties if party != power]
    addressees = f" to {the_powers(tables, others)}" if others else ""
    title = treaty_title(tables, draft)
    title = title if draft.name else title.replace("the ", "a ", 1)
    return f"Propose {title}{addressees}: {articles_text(tables, draft)}"


def _label_with_place(tables: Tables, action: actions.Action) -> str:
    """Return the label of an action whose label in the menu does not name its place; "" for others."""
    match action:
        case actions.Place(marker, area):
            return f"Place {marker_with_article(tables, marker)} in {place_name(tables, area)}"
        case actions.Upgrade(marker, area):
            return f"Upgrade to {marker_with_article(tables, marker)} in {place_name(tables, area)}"
        case actions.Downgrade(marker, area):
            return f"Downgrade to {marker_with_article(tables, marker)} in {place_name(tables, area)}"
        case actions.Withdraw(marker, area):
            return f"Withdraw the {tables.markers[marker].name} from {place_name(tables, area)}"
        case actions.Transfer(area, to):
            return f"Hand over {place_name(tables, area)} to {the_power(tables, to)}"
        case actions.Codominion(area, also):
            with_whom = f" with {the_powers(tables, also)}" if also else ""
            return f"Propose a Codominion in {place_name(tables, area)}{with_whom}"
        case actions.Canal(area, _, also):
            with_whom = f" with {the_powers(tables, also)}" if also else ""
            return f"Build a canal in {place_name(tables, area)}{with_whom}"
        case actions.Fight(area):
            return f"Fight in {place_name(tables, area)}"
        case actions.Decline(area):
            return f"Decline to fight in {place_name(tables, area)}"
        case actions.Build(units, box):
            where = f" in {the_zone(tables, box)}" if box else ""
            return f"Build {' '.join(units)}{where}"
        case actions.Merchant("new", to):
            return f"Place a new Merchant Fleet in {the_zone(tables, to)}"
        case actions.Merchant(start, to):
            return f"Move a Merchant Fleet from {the_zone(tables, start)} to {the_zone(tables, to)}"
        case actions.Move(units, path, coast):
            start, end = ("home" if place == HOME_WORD else the_place(tables, place) for place in (path[0], path[-1]))
            side = f" ({place_name(tables, coast)})" if coast and coast != path[-1] else ""
            way = f"home from {start}" if end == "home" else f"from {start} to {end}"
            return f"Move {' '.join(units)} {way}{side}"
        case actions.Attack(place, naval):
            kind = "fleets" if naval or place not in tables.areas else "armies"
            return f"Attack in {the_place(tables, place)} with {kind}"
        case actions.CallCongress(site):
            return f"Call a Congress of Europe in {the_power(tables, site)}"
        case actions.Pass():
            return "Pass"
        case actions.Garrison():
            return "Send garrisons to all Areas that need one"
        case actions.Ready():
            return "Ready"
    return ""


def _forces(tables: Tables, state: State, action: actions.Attack) -> str:
    """Describe the forces of an attack with all allies, and its possible results."""
    war = alliances.current_war(state)
    kind = NAVAL if action.naval or action.place not in tables.areas else ARMY
    if war is None:
        return kind
    found = odds.find_assault(tables, state, war, action.place, kind, ())
    return f"{'fleets' if kind == NAVAL else 'armies'}: {odds.assault_summary(found)}"


def _movable_powers(tables: Tables, state: State, seat: str, place: str) -> tuple[str, ...]:
    """Return the Powers commanded by the seat in the current War that have movable Units in a place."""
    war = alliances.current_war(state) if state.phase == "war" else None
    if war is None or war.stage != MANEUVER:
        return ()
    here = {u.power for u in units_at(state, place) if not u.halted}
    own = alliances.commanded_powers(tables, state, war, seat)
    return tuple(p for p in own if p in here and war.side_of(p) == war.turn_of)


def _move_items(tables: Tables, state: State, seat: str, power: str, place: str) -> Iterator[MenuItem]:
    """Return the move, and the passage between coasts, which the cursor cannot express."""
    movable = _movable_powers(tables, state, seat, place)
    if power != seat and power not in movable:
        return
    if movable:
        yield MenuItem(None, MOVE_LABEL, True, rules=("WMV-006",))
    for moves in war_menu.war_moves(tables, state, seat):
        if moves.start == place and _acts_for(tables, state, seat, power, moves.power):
            for end in moves.ends:
                if end.place == place:
                    own = "" if moves.power == seat else moves.power
                    for name in dict.fromkeys(moves.units):
                        action = actions.Move((name,), (place, place), end.coast, own)
                        label = f"Take {name} through to {the_zone(tables, end.coast)}"
                        yield try_menu_item(tables, state, seat, action, label)


def _answer_items(tables: Tables, state: State, seat: str, place: str) -> Iterator[MenuItem]:
    """Return the answers to a pending choice about the place, if it has a few."""
    for choice in state.choices:
        if choice.seat == seat and choice.area == place and not choice.about.several:
            for text in option_texts(choice):
                label = capitalize(describe_option(tables, choice, text))
                yield MenuItem(actions.Choose(choice.id, (text,)), label, True, rules=choice.rules)


def _barred_attacks(
    tables: Tables, state: State, seat: str, power: str, place: str, orders: list[actions.Action]
) -> Iterator[MenuItem]:
    """Return attacks on the enemy in the place that are not legal now, with reasons."""
    open_ = {a.naval or a.place not in tables.areas for a in orders if isinstance(a, actions.Attack)}
    for war in alliances.active_wars(state):
        for own in alliances.commanded_powers(tables, state, war, seat):
            if not _acts_for(tables, state, seat, power, own):
                continue
            for kind in sorted(_facing_kinds(state, war, place, own)):
                naval = kind == NAVAL
                if naval not in open_:
                    open_.add(naval)
                    order = actions.Attack(place, naval, "" if own == seat else own)
                    item = try_menu_item(tables, state, seat, order, f"Attack with {'fleets' if naval else 'armies'}")
                    if not item.allowed:
                        yield item


def _facing_kinds(state: State, war: War, place: str, power: str) -> set[str]:
    """Return the kinds of Units of a Power that share a place with enemy Units of the same kind."""
    units = units_at(state, place)
    foes = {u.kind for u in units if u.power in alliances.enemies(war, power)}
    kinds = {u.kind for u in units if u.power == power} & foes
    return kinds if place in state.areas else kinds - {ARMY}


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


def _assign_letters(tables: Tables, state: State, power: str, place: str, items: list[MenuItem]) -> list[MenuItem]:
    """Assign letters to the entries; those without a fixed letter get the last ones. Allowed entries come first."""
    own = [_letter(tables, state, place, power, item.action) for item in items]
    rest = iter([x for x in (_LAST_LETTERS if state.phase != "war" else MENU_LETTERS[1:]) if x not in own])
    lettered = [i._replace(letter=own_one or next(rest, "")) for i, own_one in zip(items, own, strict=True)]
    rank = {letter: n for n, letter in enumerate(MENU_LETTERS)}
    return sorted(lettered, key=lambda item: (not item.allowed, rank.get(item.letter, len(rank))))


def _letter(tables: Tables, state: State, place: str, power: str, action: actions.Action | None) -> str:
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
            return "l" if _is_unestablished(state, power, action) else "k"
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
