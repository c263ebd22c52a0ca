"""What a seat may do now: the menu for the screen, the completion, the bots and the tests.

`decide` alone judges an act. Nothing here knows a rule: candidates come from the same predicates that `decide`
asks, and what is rare is simply tried with the rules' own functions on a position thrown away afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from msgspec.structs import replace

from paxtui.engine.choices import Choice
from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.pax.board.links import linked_areas
from paxtui.pax.board.status import at, level, powers_of, seat_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.decide import ACTS, decide
from paxtui.pax.expansion import canals, duties, placement
from paxtui.pax.history import events as ev
from paxtui.pax.menus import treaty_menu
from paxtui.pax.menus.menu import Menu, MenuItem, Moves, Pays
from paxtui.pax.menus.menu_moves import moves_of
from paxtui.pax.orders import actions as ac
from paxtui.pax.orders.notation import text_of
from paxtui.pax.play.choices import default_of, options_of
from paxtui.pax.play.play import GameOver, Play
from paxtui.pax.position.view import check_seat
from paxtui.pax.sequence import OPEN
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import LEVEL, Marker
from paxtui.pax.turn import record_sheet

TRIAL = "trial"
"""Seed of the dice of a trial: what they show is thrown away."""

SMALL = 5
"""Options of a choice up to which every combination is tried."""


def try_action(tables: Tables, state: State, seat: str, action: ac.Action) -> Refusal | list[ev.Event]:
    """What `decide` says to an action, with dice thrown away: its events, or its refusal."""
    try:
        return decide(tables, state, seat, action, Dice(TRIAL))
    except Refusal as refusal:
        return refusal


def legal(tables: Tables, state: State, seat: str) -> Menu:
    """Every action open to `seat` now.

    Raises: Refusal `unknown_seat`.
    """
    check_seat(state, seat)
    if state.result is not None or seat == SPECTATOR:
        return Menu(seat)
    if seat == ARBITER:
        return Menu(seat, ("advance", "advance!", "step"))
    orders = list(_answers(tables, state, seat))
    moves: list[Moves] = []
    pays: list[Pays] = []
    if state.phase in OPEN:
        for power in powers_of(tables, state, seat):
            find = _Finder(tables, state, seat, power)
            pays.extend(find.gifts())
            if state.phase == "movement":
                orders.extend(find.movement())
                moves.extend(moves_of(tables, state, power))
            else:
                orders.extend(find.negotiation())
        orders.extend(_flags(tables, state, seat))
        orders.extend(text_of(tables, draft) for draft in treaty_menu.templates(tables, state, seat))
    orders.extend(text_of(tables, action) for action in treaty_menu.open_actions(tables, state, seat))
    orders.extend(text_of(tables, action) for action in treaty_menu.congress_calls(tables, state, seat))
    return Menu(seat, tuple(dict.fromkeys(orders)), tuple(moves), tuple(pays))


# --- answers and flags ----------------------------------------------------------------------------------------------


def _answers(tables: Tables, state: State, seat: str) -> Iterator[str]:
    """Answers to the seat's choices, the default of each first; the fights' plain orders too."""
    for choice in state.choices:
        if choice.seat != seat:
            continue
        for answer in _possible(choice):
            action = ac.Choose(choice.id, answer)
            if answer == default_of(choice) or not isinstance(try_action(tables, state, seat, action), Refusal):
                yield text_of(tables, action)
        if choice.kind in ("fight", "combine"):
            for option in (f"fight {choice.area}", f"decline {choice.area}"):
                yield option if choice.power == seat else f"{choice.power}: {option}"


def _possible(choice: Choice) -> list[tuple[str, ...]]:
    """Answers that may be possible: the default, every option alone, and where there are few every combination."""
    found = [default_of(choice)]
    found += [(o,) if isinstance(o, str) else o for o in choice.options]
    if not isinstance(choice.default, str):
        texts = options_of(choice)
        if len(texts) <= SMALL:
            found += [c for n in range(2, len(texts) + 1) for c in combinations(texts, n)]
    return list(dict.fromkeys(found))


def _flags(tables: Tables, state: State, seat: str) -> Iterator[str]:
    """Ready or unready, whichever is possible, and Casus Belli to waive."""
    if state.phase == "negotiation":
        for cause in state.casus_belli:
            if seat_of(tables, state, cause.holder) == seat:
                if not isinstance(try_action(tables, state, seat, ac.Waive(cause.id)), Refusal):
                    yield f"waive {cause.id}"
    flag = ac.Unready() if seat in state.ready else ac.Ready()
    if isinstance(flag, ac.Unready) or not isinstance(try_action(tables, state, seat, flag), Refusal):
        yield text_of(tables, flag)


# --- what one Power may do ------------------------------------------------------------------------------------------


class _Finder:
    """Finds the orders of one Power, in texts."""

    def __init__(self, tables: Tables, state: State, seat: str, power: str) -> None:
        self.tables = tables
        self.state = state
        self.power = power
        self.prefix = "" if power == seat else f"{power}: "
        self.treasury = state.powers[power].treasury

    def allowed(self, action: ac.Action) -> bool:
        """Whether the rules' own function for the action takes it: `decide` without what comes after it."""
        act = ACTS[type(action)][self.state.phase]
        try:
            act(Play(self.tables, self.state, Dice(TRIAL)), self.power, action)
        except Refusal:
            return False
        except GameOver:
            return True
        return True

    def affordable(self, pounds: int, counts: str = "") -> bool:
        """Whether the Power may spend so many pounds now."""
        try:
            duties.check_spending(Play(self.tables, self.state, Dice(TRIAL)), self.power, pounds, counts)
        except Refusal:
            return False
        return True

    def those(self, actions: Iterable[ac.Action]) -> Iterator[str]:
        """The texts of those that are allowed."""
        for action in actions:
            if self.allowed(action):
                yield self.prefix + text_of(self.tables, action)

    def movement(self) -> Iterator[str]:
        """Orders of the Movement/Status Change Phase, moves and gifts left out."""
        yield from self.markers()
        yield from self.those(self.given_up())
        yield from self.those(self.handed_over())
        yield from self.those(self.built())
        yield from self.those(self.fleets())
        yield from self.those(ac.Canal(a.id) for a in self.tables.areas.values() if a.passage == "canal")
        if self.allowed(ac.Garrison()):
            yield self.prefix + "garrison"

    def negotiation(self) -> Iterator[str]:
        """Orders of the Negotiation Phase, gifts left out."""
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
            own = placement.highest(state, area, power)
            for kind in tables.markers.values():
                if kind.level <= level(own) or kind.only_for not in ("", power):
                    continue
                price = placement.price(tables, state, power, area, kind.id)
                counts = "control" if kind.control and not kind.only_for else ""
                if price > self.treasury:
                    continue
                if (price, counts) not in able:
                    able[price, counts] = self.affordable(price, counts)
                if able[price, counts] and not placement.problems(tables, state, power, area, kind.id):
                    yield f"{self.prefix}place {kind.id} {area}"
                    if own:
                        yield f"{self.prefix}upgrade {kind.id} {area}"

    def given_up(self) -> Iterator[ac.Action]:
        """Own markers lowered or withdrawn."""
        for area, own in self.own_markers():
            yield ac.Withdraw(own.marker, area)
            for kind in self.tables.markers.values():
                if kind.level < LEVEL[own.marker] and not kind.only_for:
                    yield ac.Downgrade(kind.id, area)

    def handed_over(self) -> Iterator[ac.Action]:
        """Own established markers offered to others."""
        for area, own in self.own_markers():
            if own.established:
                yield from (ac.Transfer(area, to) for to in self.state.powers if to != self.power)

    def own_markers(self) -> Iterator[tuple[str, Marker]]:
        """Own markers with their Areas."""
        for area, here in self.state.areas.items():
            for m in here.markers:
                if m.power == self.power:
                    yield area, m

    def built(self) -> Iterator[ac.Action]:
        """One unit of each kind and strength, a naval one in each home box."""
        boxes = self.tables.homes[self.power].boxes
        for cost in self.tables.units.values():
            if cost.army <= self.treasury:
                yield ac.Build((f"A{cost.strength}",))
            if cost.naval <= self.treasury:
                yield from (ac.Build((f"N{cost.strength}",), box[0]) for box in boxes)

    def fleets(self) -> Iterator[ac.Action]:
        """Merchant Fleets to move and to bring on."""
        own = [zone for zone, fleets in self.state.sea_zones.items() if self.power in fleets]
        starts = (["new"] if self.state.powers[self.power].merchants_due else []) + own
        free = [zone for zone in self.tables.sea_zones if zone not in own]
        yield from (ac.Merchant(start, to) for start in starts for to in free)

    def shared(self) -> Iterator[ac.Action]:
        """Codominions to propose: of the holders of Control alone, and with each and all holders of Influence."""
        for area, here in self.state.areas.items():
            if len(here.markers) < 2:
                continue
            holders = tuple(m.power for m in here.markers if m.established and m.marker == "influence")
            yield ac.Codominion(area)
            yield from (ac.Codominion(area, (p,)) for p in holders)
            if len(holders) > 1:
                yield ac.Codominion(area, holders)

    def defended(self) -> Iterator[ac.Action]:
        """Minor Powers whose Influence is pressed by Control, to announce their defence."""
        for area, here in self.state.areas.items():
            if len(here.markers) > 1:
                yield from (ac.Defend(m.power, area) for m in here.markers if m.power in self.state.minors)

    def gifts(self) -> Iterator[Pays]:
        """Gifts of money to each Power that may have one."""
        for to in self.state.powers:
            asked = {
                c.data.get("amount")
                for c in self.state.choices
                if c.kind == "money" and c.power == to and c.data.get("from") == self.power
            }
            least = next(n for n in range(1, len(asked) + 2) if n not in asked)
            if to == self.power or least > self.treasury or not self.allowed(ac.Pay(to, least)):
                continue
            low, high = least, self.treasury
            while low < high:  # what may be spent has an upper end only
                middle = (low + high + 1) // 2
                low, high = (middle, high) if self.affordable(middle) else (low, middle - 1)
            yield Pays(self.power, to, low, tuple(sorted(n for n in asked if isinstance(n, int))))


# --- the action menu of an Area --------------------------------------------------------------------------------------


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
        text = text_of(tables, asked)
        price, after = _consequences(tables, state, power, area, action)
        income = after - before if after is not None else 0
        if isinstance(said, Refusal):
            items.append(MenuItem(text, label, False, price, income, said.code, said.rules, said.message))
        else:
            # the rules of the act itself before those of paying for it
            said = sorted(said, key=lambda event: isinstance(event, ev.TreasuryChanged))
            rules = tuple(dict.fromkeys(rule for event in said for rule in event.rules))
            items.append(MenuItem(text, label, True, price, income, "", rules))
    return items


def _conceivable(tables: Tables, state: State, power: str, area: str) -> Iterator[tuple[ac.Action, str]]:
    """Actions that concern one Area, with what the menu calls them."""
    seat, here = seat_of(tables, state, power), at(state, area)
    for choice in state.choices:
        if choice.seat == seat and choice.area == area:
            for answer in _possible(choice):
                yield ac.Choose(choice.id, answer), f"{choice.kind}: {' '.join(answer)}"
    if any(c.kind in ("fight", "combine") and c.area == area and c.power == power for c in state.choices):
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
