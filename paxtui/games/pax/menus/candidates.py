"""Actions that a seat could ask for outside War, all or those at one place, and a quick test whether they are legal.

`paxtui.games.pax.menus.legal` keeps the legal ones, `paxtui.games.pax.menus.place` shows the others with the reason.
Other modules implement the rules.

Rules: MOV-006 to MOV-018, STA-048, STA-050
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, partial

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.adjacency import board
from paxtui.games.pax.board.routes import army_paths, can_start_move, linked_areas, naval_destinations
from paxtui.games.pax.board.status import area_state, controls, level, powers_of
from paxtui.games.pax.board.tables import HOME, Tables
from paxtui.games.pax.decide import ACTS
from paxtui.games.pax.expansion import duties, placement
from paxtui.games.pax.expansion.garrisons import check_western, western_zone
from paxtui.games.pax.menus.menu import GiftRange, MoveEnd, UnitMoves
from paxtui.games.pax.preview.dry_run import possible_answers
from paxtui.games.pax.sequence import OPEN
from paxtui.games.pax.state.model import State, units_at
from paxtui.games.pax.state.pieces import ARMY, LEVEL, NAVAL, Marker, Unit, home_place
from paxtui.games.pax.state.questions import Combine, FightOrDecline, MoneyOffer, Pending
from paxtui.games.pax.transaction import DryRun, GameOver, find_refusal

PLACEMENTS = (actions.Place, actions.Upgrade)
GIFT_AMOUNTS = (1, 5, 10, 20, 50)
"""Gifts at the Home Country of a Power, in pounds; an order may name any amount."""


class Candidates:
    """Actions of one Power in a Phase other than War.

    Args:
        power: one of its Powers.
        place: an Area, Sea Zone or Home Country. By default all places; then what cannot be paid is left out at once,
            and gifts are ranges (`gifts`).
    """

    def __init__(self, tables: Tables, state: State, seat: str, power: str, place: str = "") -> None:
        self.tables = tables
        self.state = state
        self.power = power
        self.own = "" if power == seat else power
        self.place = place
        self.treasury = state.powers[power].treasury
        self._phase = state.phase
        self._trial = DryRun(tables, state)
        self._can_pay: dict[tuple[int, str], bool] = {}
        self._placeable: dict[tuple[str, str], bool] = {}

    def __iter__(self) -> Iterator[actions.Action]:
        phase = self.state.phase
        if phase == "movement":
            yield from self._placements()
        yield from self._reductions()
        yield from self._transfers()
        if phase == "movement":
            yield from self._builds()
            yield from self._merchant_moves()
            yield from (actions.Canal(a, self.own) for a in self._areas() if self.tables.areas[a].passage == "canal")
            if not self.place:
                yield actions.Garrison(self.own)
        elif phase == "negotiation":
            yield from self._codominions()
            yield from self._defences()
        if self.place.startswith(HOME):
            yield from self._gifts()

    def is_legal(self, action: actions.Action) -> bool:
        """Return whether the rule function of an action accepts it: `decide` without the consequences."""
        if isinstance(action, PLACEMENTS):
            return self._can_place(action.area, action.marker)
        trial = self._trial
        if trial.events or trial.dice.index:  # a refusal leaves the trial as it was
            trial = self._trial = DryRun(self.tables, self.state)
        try:
            ACTS[type(action)][self._phase](trial, self.power, action)
        except Refusal:
            return False
        except GameOver:
            pass  # an action that ends the game is legal
        return True

    def _can_place(self, area: str, kind: str) -> bool:
        if (area, kind) not in self._placeable:
            self._placeable[area, kind] = self._check_place(area, kind)
        return self._placeable[area, kind]

    def _check_place(self, area: str, kind: str) -> bool:
        marker = self.tables.markers[kind]
        price = placement.marker_price(self.tables, self.state, self.power, area, kind)
        counts = "control" if marker.control and not marker.only_for else ""
        if price > self.treasury:
            return False
        if (price, counts) not in self._can_pay:
            self._can_pay[price, counts] = self._is_affordable(price, counts)
        return self._can_pay[price, counts] and placement.may_place(self.tables, self.state, self.power, area, kind)

    def _is_affordable(self, pounds: int, counts: str = "") -> bool:
        trial = DryRun(self.tables, self.state)
        return find_refusal(lambda: duties.check_spending(trial, self.power, pounds, counts)) is None

    def _areas(self) -> Iterator[str]:
        if self.place:
            yield from (self.place,) if self.place in self.tables.areas else ()
        else:
            yield from self.state.areas

    def _placements(self) -> Iterator[actions.Action]:
        """Markers to place and to upgrade. The menu of an Area has the same lines at all times."""
        linked = (self.place,) if self.place else linked_areas(self.tables, self.state, self.power)
        for area in self.tables.areas:
            if area not in linked:
                continue
            highest = placement.highest_marker(self.state, area, self.power)
            lowest = 0 if self.place else level(highest) + 1
            for kind in self.tables.markers.values():
                if kind.only_for and (kind.only_for != self.power or self.tables.areas[area].upgrade != kind.id):
                    continue
                if kind.level < lowest or not (self.place or self._can_place(area, kind.id)):
                    continue
                if highest is None or not self.place:
                    yield actions.Place(kind.id, area, self.own)
                if highest is not None:
                    yield actions.Upgrade(kind.id, area, self.own)

    @cached_property
    def _own_markers(self) -> list[tuple[str, Marker]]:
        state, power = self.state, self.power
        places = ((self.place, area_state(state, self.place)),) if self.place else state.areas.items()
        return [(area, m) for area, here in places for m in here.markers if m.power == power]

    def _reductions(self) -> Iterator[actions.Action]:
        for area, own in self._own_markers:
            yield actions.Withdraw(own.marker, area, self.own)
            for kind in self.tables.markers.values():
                if kind.level < LEVEL[own.marker] and not kind.only_for:
                    yield actions.Downgrade(kind.id, area, self.own)

    def _transfers(self) -> Iterator[actions.Action]:
        for area, own in self._own_markers:
            if own.established:
                yield from (actions.Transfer(area, to, self.own) for to in self.state.powers if to != self.power)

    def _builds(self) -> Iterator[actions.Action]:
        """One unit of each kind and strength, a naval one in each home box."""
        if self.place not in ("", HOME + self.power):
            return
        most = None if self.place else self.treasury
        for cost in self.tables.units.values():
            if most is None or cost.army <= most:
                yield actions.Build((f"A{cost.strength}",), "", self.own)
            if most is None or cost.naval <= most:
                for box in self.tables.homes[self.power].boxes:
                    yield actions.Build((f"N{cost.strength}",), box[0], self.own)

    def _merchant_moves(self) -> Iterator[actions.Action]:
        own = [zone for zone, fleets in self.state.sea_zones.items() if self.power in fleets]
        starts = (["new"] if self.state.powers[self.power].merchants_due else []) + own
        ends = [z for z in self.tables.sea_zones if (z == self.place if self.place else z not in own)]
        yield from (actions.Merchant(start, to, self.own) for start in starts for to in ends if start != to)

    def _codominions(self) -> Iterator[actions.Action]:
        """Codominions to propose: among holders of Control, and with each or all holders of Influence."""
        for area in self._areas():
            here = area_state(self.state, area).markers
            if len(here) > 1 and any(m.power == self.power for m in here):
                holders = tuple(m.power for m in here if m.established and m.marker == "influence")
                each = () if self.place else tuple((power,) for power in holders)
                yield from (actions.Codominion(area, also, self.own) for also in dict.fromkeys(((), *each, holders)))

    def _defences(self) -> Iterator[actions.Action]:
        for area in self._areas():
            here = area_state(self.state, area).markers
            if len(here) > 1 or self.place:
                for m in here:
                    if m.power in self.state.minors and m.marker == "influence":
                        yield actions.Defend(m.power, area, self.own)

    def _gifts(self) -> Iterator[actions.Action]:
        to = self.place[len(HOME) :]
        if to in self.state.powers and to != self.power and self.state.phase in OPEN:
            yield from (actions.Pay(to, amount, self.own) for amount in GIFT_AMOUNTS)

    def gifts(self) -> Iterator[GiftRange]:
        """Return the gifts of money to each eligible Power."""
        for to in self.state.powers:
            asked = {
                c.about.amount
                for c in self.state.choices
                if isinstance(c.about, MoneyOffer) and (c.about.giver, c.about.to) == (self.power, to)
            }
            least = next(n for n in range(1, len(asked) + 2) if n not in asked)
            if to == self.power or least > self.treasury or not self.is_legal(actions.Pay(to, least)):
                continue
            low, high = least, self.treasury
            while low < high:  # spending has only an upper limit
                middle = (low + high + 1) // 2
                low, high = (middle, high) if self._is_affordable(middle) else (low, middle - 1)
            yield GiftRange(self.power, to, low, tuple(sorted(asked)))


def answers(state: State, seat: str, place: str = "") -> Iterator[tuple[Pending, actions.Action]]:
    """Return the answers to the choices of a seat, and simple orders for fights, with their choices."""
    for choice in state.choices:
        if choice.seat == seat and (not place or choice.area == place):
            is_fight = isinstance(choice.about, FightOrDecline)
            if not (place and is_fight):
                yield from ((choice, actions.Choose(choice.id, answer)) for answer in possible_answers(choice))
            if is_fight or isinstance(choice.about, Combine):
                own = "" if choice.power == seat else choice.power
                yield choice, actions.Fight(choice.area, own)
                yield choice, actions.Decline(choice.area, own)


def waivers(tables: Tables, state: State, seat: str, place: str = "") -> Iterator[actions.Waive]:
    """Return the Casus Belli that a seat could give up: all, or those about a place or its Power."""
    own = powers_of(tables, state, seat)
    for cause in state.casus_belli:
        about = cause.area == place or (not cause.area and place == HOME + cause.against)
        if cause.holder in own and (about or not place):
            yield actions.Waive(cause.id)


def unit_moves(tables: Tables, state: State, power: str) -> Iterator[UnitMoves]:
    """Return the moves of a Power's Military Units, in groups."""
    naval = naval_targets(tables, state, power)
    networks: list[tuple[str, ...]] = []
    for place in (home_place(power), *state.areas):
        units = [u for u in units_at(state, place) if u.power == power and not u.halted]
        armies = [u for u in units if u.kind == ARMY]
        if armies and can_start_move(state, power, place):
            yield from _moves_from(
                tables, state, power, place, armies, _destinations(tables, state, power, place, networks)
            )
        for coast in dict.fromkeys(u.coast for u in units if u.kind == NAVAL):
            fleets = tuple(u.name for u in units if u.kind == NAVAL and u.coast == coast)
            ends = tuple(e for e in naval if e.place != place or e.coast not in ("", coast))
            if ends:
                yield UnitMoves(power, place, NAVAL, fleets, ends)


def _moves_from(
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
            answers[within] = tuple(u.name for u in _largest_group(trial, power, start, armies, end))
        groups.setdefault(answers[within], []).append(MoveEnd(end))
    for names, there in groups.items():
        if names:
            yield UnitMoves(power, start, ARMY, names, tuple(there))


def _largest_group(trial: DryRun, power: str, start: str, armies: list[Unit], end: str) -> list[Unit]:
    """The largest set of `armies`, light ones first, that the Western Garrison rules let move to `end` together."""
    going = sorted(armies, key=lambda u: u.strength)
    for count in range(len(going), 0, -1):
        if find_refusal(partial(check_western, trial, power, going[:count], start, end)) is None:
            return going[:count]
    return []


def _destinations(
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
