"""Menus: orders of a Power, moves and gifts as small grammars, and the action menu of an Area.

Other modules implement these rules; the menu calls them.

Rules: MOV-006 to MOV-018, STA-048, STA-050
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.engine.upcast import Raw
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.notation import format_order
from paxtui.games.pax.board.adjacency import board
from paxtui.games.pax.board.routes import army_paths, can_start_move, linked_areas, naval_destinations
from paxtui.games.pax.board.status import area_state, controls, level, seat_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.decide import ACTS
from paxtui.games.pax.events import events
from paxtui.games.pax.expansion import canals, duties, placement
from paxtui.games.pax.expansion.garrisons import check_western, western_zone
from paxtui.games.pax.narration.labels import describe_option
from paxtui.games.pax.preview.dry_run import possible_answers, run_trial
from paxtui.games.pax.state.model import State, units_at
from paxtui.games.pax.state.pieces import ARMY, LEVEL, NAVAL, Marker, Unit, home_place
from paxtui.games.pax.state.questions import Combine, FightOrDecline, MoneyOffer
from paxtui.games.pax.text.display import join_with_and
from paxtui.games.pax.text.parsing import place_text
from paxtui.games.pax.transaction import DryRun, Transaction, find_refusal


class MoveEnd(msgspec.Struct, frozen=True):
    """Destination of a move: a place id, with the coast or home box if there are several."""

    place: str
    coast: str = ""


class UnitMoves(msgspec.Struct, frozen=True):
    """All moves of one kind of unit of a Power from one place: any of `units`, to any of `ends`."""

    power: str
    start: str
    kind: str
    units: tuple[str, ...]
    ends: tuple[MoveEnd, ...]


class GiftRange(msgspec.Struct, frozen=True):
    """Possible gifts of money to a Power: 1 to `most` pounds, except amounts already `offered`."""

    power: str
    to: str
    most: int
    offered: tuple[int, ...] = ()


class Menu(msgspec.Struct, frozen=True):
    """All actions of a seat. `orders` are texts; moves and gifts are small grammars."""

    seat: str
    orders: tuple[str, ...] = ()
    moves: tuple[UnitMoves, ...] = ()
    pays: tuple[GiftRange, ...] = ()

    def texts(self) -> Iterator[str]:
        """Return sample order texts: all orders, each move of a single unit, the smallest and largest gifts."""
        yield from self.orders
        for gift in self.pays:
            for amount in sorted({1, gift.most} - set(gift.offered)):
                yield self._units_text(gift.power, f"pay {gift.to} {amount}")
        # fleets of one name in two home boxes have two grammars but one text
        yield from dict.fromkeys(
            self.move_text(moves, (unit,), end)
            for moves in self.moves
            for unit in dict.fromkeys(moves.units)
            for end in moves.ends
        )

    def move_text(self, moves: UnitMoves, units: Iterable[str], end: MoveEnd) -> str:
        """Format the order that moves some of `moves.units` to one of its ends."""
        start, to = place_text(moves.start, moves.power), place_text(end.place, moves.power)
        coast = f" ({end.coast})" if end.coast else ""
        return self._units_text(moves.power, f"move {' '.join(units)} {start} > {to}{coast}")

    def grammar(self) -> Raw:
        """Return moves and gifts as builtins for the protocol: `moves` and `pays`."""
        return {
            "moves": [
                {
                    "power": m.power,
                    "start": place_text(m.start, m.power),
                    "kind": m.kind,
                    "units": list(m.units),
                    "ends": [
                        {"place": place_text(e.place, m.power), **({"coast": e.coast} if e.coast else {})}
                        for e in m.ends
                    ],
                }
                for m in self.moves
            ],
            "pays": [
                {"power": p.power, "to": p.to, "least": 1, "most": p.most, "offered": list(p.offered)}
                for p in self.pays
            ],
        }

    def _units_text(self, power: str, text: str) -> str:
        return text if power == self.seat else f"{power}: {text}"


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
        action: the action; None begins a move, whose destination is chosen next.
        price: in pounds.
        code, rules, reason: those of the refusal, or the rules that allow it.
        letter: the key that selects it, fixed for an action and a place; "" for none.
        trial: the trial run of an allowed action, from which its preview is computed.

    `paxtui.games.pax.preview.preview` computes the consequences.
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

    @property
    def harmless(self) -> bool:
        """Whether it is allowed and not grave."""
        return self.allowed and not isinstance(self.action, GRAVE_ACTIONS)


def unit_moves(tables: Tables, state: State, power: str) -> Iterator[UnitMoves]:
    """Return the moves of a Power's Military Units as a grammar."""
    naval = naval_targets(tables, state, power)
    networks: list[tuple[str, ...]] = []
    for place in (home_place(power), *state.areas):
        units = [u for u in units_at(state, place) if u.power == power and not u.halted]
        armies = [u for u in units if u.kind == ARMY]
        if armies and can_start_move(state, power, place):
            yield from _marches(tables, state, power, place, armies, _reached(tables, state, power, place, networks))
        for coast in dict.fromkeys(u.coast for u in units if u.kind == NAVAL):
            fleets = tuple(u.name for u in units if u.kind == NAVAL and u.coast == coast)
            ends = tuple(e for e in naval if e.place != place or e.coast not in ("", coast))
            if ends:
                yield UnitMoves(power, place, NAVAL, fleets, ends)


def _marches(
    tables: Tables, state: State, power: str, start: str, armies: list[Unit], ends: tuple[str, ...]
) -> Iterator[UnitMoves]:
    """The moves of armies from one place, with separate entries for ends that only some armies can move to."""
    trial = DryRun(tables, state)
    groups: dict[tuple[str, ...], list[MoveEnd]] = {}
    answers: dict[bool, tuple[str, ...]] = {}
    zone = western_zone(tables)
    for end in ends:
        within = end in zone
        if within not in answers:
            answers[within] = tuple(u.name for u in _may_leave(trial, power, start, armies, end))
        groups.setdefault(answers[within], []).append(MoveEnd(end))
    for names, there in groups.items():
        if names:
            yield UnitMoves(power, start, ARMY, names, tuple(there))


def _may_leave(trial: DryRun, power: str, start: str, armies: list[Unit], end: str) -> list[Unit]:
    """The largest set of `armies`, light ones first, that the Western Garrison rules let move to `end` together."""
    going = sorted(armies, key=lambda u: u.strength)
    for count in range(len(going), 0, -1):
        if find_refusal(partial(check_western, trial, power, going[:count], start, end)) is None:
            return going[:count]
    return []


def _reached(
    tables: Tables, state: State, power: str, start: str, networks: list[tuple[str, ...]]
) -> tuple[str, ...]:
    """Destinations of an army from `start`. Starts that armies can also pass through share their destinations."""
    passed = start == home_place(power) or (controls(state, start, power) and not area_state(state, start).unrest)
    if passed:
        for known in networks:
            if start in known:
                return tuple(p for p in known if p != start)
    ends = tuple(p for p in army_paths(tables, state, power, start) if p != start)
    if passed:
        networks.append((*ends, start))
    return ends


def naval_targets(tables: Tables, state: State, power: str) -> tuple[MoveEnd, ...]:
    """Return the destinations of a Naval Unit: own Controlled coasts and home boxes, each coast separately."""
    map_ = board(tables, state)
    found: list[MoveEnd] = []
    boxes = tables.homes[power].boxes
    found += [MoveEnd(home_place(power), box[0] if len(boxes) > 1 else "") for box in boxes]
    for area in naval_destinations(tables, state, power):
        coasts = map_.split_coasts(area)
        found += [MoveEnd(area, coast) for coast in coasts] if coasts else [MoveEnd(area)]
    return tuple(found)


class OrderFinder:
    """Finds the orders of one Power, as texts."""

    def __init__(self, tables: Tables, state: State, seat: str, power: str) -> None:
        self.tables = tables
        self.state = state
        self.power = power
        self.prefix = "" if power == seat else f"{power}: "
        self.treasury = state.powers[power].treasury

    def allowed(self, action: actions.Action) -> bool:
        """Whether the rule function of an action accepts it: `decide` without the consequences."""
        act = ACTS[type(action)][self.state.phase]
        return find_refusal(lambda: act(DryRun(self.tables, self.state), self.power, action)) is None

    def affordable(self, pounds: int, counts: str = "") -> bool:
        """Whether the Power can spend an amount now, in pounds."""
        trial = DryRun(self.tables, self.state)
        return find_refusal(lambda: duties.check_spending(trial, self.power, pounds, counts)) is None

    def those(self, actions: Iterable[actions.Action]) -> Iterator[str]:
        """Return the texts of the allowed actions."""
        for action in actions:
            if self.allowed(action):
                yield self.prefix + format_order(self.tables, action)

    def movement(self) -> Iterator[str]:
        """Orders of the Movement/Status Change Phase, except moves and gifts."""
        yield from self.markers()
        yield from self.those(self.given_up())
        yield from self.those(self.handed_over())
        yield from self.those(self.built())
        yield from self.those(self.fleets())
        yield from self.those(actions.Canal(a.id) for a in self.tables.areas.values() if a.passage == "canal")
        if self.allowed(actions.Garrison()):
            yield self.prefix + "garrison"

    def negotiation(self) -> Iterator[str]:
        """Orders of the Negotiation Phase, except gifts."""
        yield from self.those(self.given_up())
        yield from self.those(self.handed_over())
        yield from self.those(self.shared())
        yield from self.those(self.defended())

    def markers(self) -> Iterator[str]:
        """Markers to place and to upgrade."""
        tables, state, power = self.tables, self.state, self.power
        able: dict[tuple[int, str], bool] = {}
        linked = linked_areas(tables, state, power)
        for area in tables.areas:
            if area not in linked:
                continue
            own = placement.highest_marker(state, area, power)
            for kind in tables.markers.values():
                if kind.level <= level(own) or kind.only_for not in ("", power):
                    continue
                price = placement.marker_price(tables, state, power, area, kind.id)
                counts = "control" if kind.control and not kind.only_for else ""
                if price > self.treasury:
                    continue
                if (price, counts) not in able:
                    able[price, counts] = self.affordable(price, counts)
                if able[price, counts] and not placement.placement_problems(tables, state, power, area, kind.id):
                    yield f"{self.prefix}place {kind.id} {area}"
                    if own:
                        yield f"{self.prefix}upgrade {kind.id} {area}"

    def given_up(self) -> Iterator[actions.Action]:
        """Own markers to lower or withdraw."""
        for area, own in self.own_markers():
            yield actions.Withdraw(own.marker, area)
            for kind in self.tables.markers.values():
                if kind.level < LEVEL[own.marker] and not kind.only_for:
                    yield actions.Downgrade(kind.id, area)

    def handed_over(self) -> Iterator[actions.Action]:
        """Own established markers to offer to other Powers."""
        for area, own in self.own_markers():
            if own.established:
                yield from (actions.Transfer(area, to) for to in self.state.powers if to != self.power)

    def own_markers(self) -> Iterator[tuple[str, Marker]]:
        """Own markers with their Areas."""
        for area, here in self.state.areas.items():
            for m in here.markers:
                if m.power == self.power:
                    yield area, m

    def built(self) -> Iterator[actions.Action]:
        """One unit of each kind and strength, a naval one in each home box."""
        boxes = self.tables.homes[self.power].boxes
        for cost in self.tables.units.values():
            if cost.army <= self.treasury:
                yield actions.Build((f"A{cost.strength}",))
            if cost.naval <= self.treasury:
                yield from (actions.Build((f"N{cost.strength}",), box[0]) for box in boxes)

    def fleets(self) -> Iterator[actions.Action]:
        """Merchant Fleets to move and to place."""
        own = [zone for zone, fleets in self.state.sea_zones.items() if self.power in fleets]
        starts = (["new"] if self.state.powers[self.power].merchants_due else []) + own
        free = [zone for zone in self.tables.sea_zones if zone not in own]
        yield from (actions.Merchant(start, to) for start in starts for to in free)

    def shared(self) -> Iterator[actions.Action]:
        """Codominions to propose: among holders of Control, and with each or all holders of Influence."""
        for area, here in self.state.areas.items():
            if len(here.markers) < 2:
                continue
            holders = tuple(m.power for m in here.markers if m.established and m.marker == "influence")
            yield actions.Codominion(area)
            yield from (actions.Codominion(area, (p,)) for p in holders)
            if len(holders) > 1:
                yield actions.Codominion(area, holders)

    def defended(self) -> Iterator[actions.Action]:
        """Defences to announce by Minor Powers whose Influence conflicts with Control."""
        for area, here in self.state.areas.items():
            if len(here.markers) > 1:
                yield from (actions.Defend(m.power, area) for m in here.markers if m.power in self.state.minors)

    def gifts(self) -> Iterator[GiftRange]:
        """Gifts of money to each eligible Power."""
        for to in self.state.powers:
            asked = {
                c.about.amount
                for c in self.state.choices
                if isinstance(c.about, MoneyOffer) and (c.about.giver, c.about.to) == (self.power, to)
            }
            least = next(n for n in range(1, len(asked) + 2) if n not in asked)
            if to == self.power or least > self.treasury or not self.allowed(actions.Pay(to, least)):
                continue
            low, high = least, self.treasury
            while low < high:  # spending has only an upper limit
                middle = (low + high + 1) // 2
                low, high = (middle, high) if self.affordable(middle) else (low, middle - 1)
            yield GiftRange(self.power, to, low, tuple(sorted(asked)))


def area_menu(tables: Tables, state: State, power: str, area: str) -> list[MenuItem]:
    """Return all conceivable actions of a Power in an Area; forbidden ones include their refusal.

    Args: the tables; the position; the Power that acts; the Area's id.
    """
    seat = seat_of(tables, state, power)
    items: list[MenuItem] = []
    for action, label in _conceivable(tables, state, power, area):
        asked = replace(action, power="" if power == seat else power) if hasattr(action, "power") else action
        item = try_menu_item(tables, state, seat, asked, label, _price(tables, state, power, area, action))
        if item.trial is not None:
            # rules of the action take precedence over those of payment
            said = sorted(item.trial.events, key=lambda event: isinstance(event, events.TreasuryChanged))
            item = item._replace(rules=_rules_of(said))
        items.append(item)
    return items


def try_menu_item(
    tables: Tables, state: State, seat: str, action: actions.Action, label: str, price: int = 0
) -> MenuItem:
    """Return the line of an action, allowed or with its refusal."""
    trial = run_trial(tables, state, seat, action)
    if isinstance(trial, Refusal):
        return MenuItem(action, label, False, price, trial.code, trial.rules, trial.message)
    return MenuItem(action, label, True, price, rules=_rules_of(trial.events), trial=trial)


def _rules_of(said: Iterable[events.Event]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(rule for event in said for rule in event.rules))


def _conceivable(tables: Tables, state: State, power: str, area: str) -> Iterator[tuple[actions.Action, str]]:
    """Conceivable actions in one Area, with their menu labels."""
    seat, here = seat_of(tables, state, power), area_state(state, area)
    for choice in state.choices:
        if choice.seat == seat and choice.area == area:
            for answer in possible_answers(choice):
                if not isinstance(choice.about, FightOrDecline):
                    said = join_with_and([describe_option(tables, choice, text) for text in answer]) or "nothing"
                    yield actions.Choose(choice.id, answer), f"{choice.kind.replace('_', ' ').capitalize()}: {said}"
    if any(isinstance(c.about, FightOrDecline | Combine) and (c.area, c.power) == (area, power) for c in state.choices):
        yield actions.Fight(area), "Fight"
        yield actions.Decline(area), "Decline to fight"
    own = [m for m in here.markers if m.power == power]
    highest = placement.highest_marker(state, area, power)
    if state.phase == "movement":
        yield from _bought(tables, power, area, highest)
    for kind in reversed(tables.markers.values()):
        if highest is not None and kind.level < LEVEL[highest.marker] and not kind.only_for:
            yield actions.Downgrade(kind.id, area), f"{kind.sign} Downgrade to {kind.name}"
    for m in own:
        kind = tables.markers[m.marker]
        yield actions.Withdraw(m.marker, area), f"{kind.sign} Withdraw {kind.name}" + "?" * (not m.established)
    if any(m.established for m in own):
        for to in state.powers:
            if to != power:
                yield actions.Transfer(area, to), f"Hand over to {tables.powers[to].name}"
    if own and len(here.markers) > 1 and state.phase == "negotiation":
        yield actions.Codominion(area), "Propose a Codominion"
        sharing = tuple(m.power for m in here.markers if m.established and m.marker == "influence")
        if sharing:
            yield actions.Codominion(area, sharing), "Propose a Codominion with the Influences"
    for m in here.markers:
        if m.power in state.minors and m.marker == "influence" and state.phase == "negotiation":
            yield actions.Defend(m.power, area), f"Defend {tables.powers[m.power].name}"


def _bought(tables: Tables, power: str, area: str, highest: Marker | None) -> Iterator[tuple[actions.Action, str]]:
    """The canal and all markers up to the Power's `highest` in an Area. The number of lines is constant, so that each
    line keeps its position.
    """
    for kind in tables.markers.values():
        if kind.only_for and (kind.only_for != power or tables.areas[area].upgrade != kind.id):
            continue
        if highest is None:
            yield actions.Place(kind.id, area), f"{kind.sign} Place {kind.name}"
        else:
            higher = kind.level > level(highest)
            yield actions.Upgrade(kind.id, area), f"{kind.sign} {'Upgrade to ' * higher}{kind.name}"
    if tables.areas[area].passage == "canal":
        yield actions.Canal(area), "Build a canal"


def _price(tables: Tables, state: State, power: str, area: str, action: actions.Action) -> int:
    """Cost of an action in pounds."""
    if isinstance(action, actions.Canal):
        return canals.CANAL_PRICE
    if isinstance(action, actions.Place | actions.Upgrade):
        return max(0, placement.marker_price(tables, state, power, area, action.marker))
    return 0
