"""A simple bot: trade first, then Protectorates at good odds. It avoids conflicts and builds no fleets.

It reads a position or a protocol view and returns texts in order notation, to be tried in order. Fields missing in a
view keep their defaults, so some texts may be refused. The same position and seed give the same texts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from paxtui.bots.pax.valuation import (
    GARRISON_UPKEEP,
    ArmyPool,
    ArmyTarget,
    best_force,
    can_march,
    colonial_odds,
    control_targets,
    heavy_garrisons,
    home_pool,
    marker_value,
    possession_value,
    pounds_per_point,
    resentment_raised,
    revolt_targets,
    trade_reach,
    years_left,
)
from paxtui.engine.dice import draw
from paxtui.engine.upcast import Raw
from paxtui.games.pax.board import status
from paxtui.games.pax.board.adjacency import canals
from paxtui.games.pax.board.routes import linked_areas
from paxtui.games.pax.board.status import area_state, established, level, powers_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.expansion import duties
from paxtui.games.pax.expansion.canals import CANAL_POINTS, CANAL_PRICE
from paxtui.games.pax.expansion.placement import highest_marker, marker_price, may_place
from paxtui.games.pax.state.model import PowerState, Result, State
from paxtui.games.pax.state.options import options_from_texts
from paxtui.games.pax.state.phases import InProgress
from paxtui.games.pax.state.pieces import (
    ARMY,
    INFLUENCE,
    INTEREST,
    NAVAL,
    POSSESSION,
    PROTECTORATE,
    AreaState,
    Marker,
    Unit,
)
from paxtui.games.pax.state.questions import AnyQuestion, FightOrDecline, MarkerOffer, MoneyOffer, Pending
from paxtui.games.pax.transaction import default_answer

UNIT_UPKEEP = "16"
NET_INCOME = "22"
"""Lines of the record sheet that give the spending of the turn."""


def state_from_view(tables: Tables, view: Mapping[str, Any]) -> State:
    """Build a position from a view in builtins, as from `view_for_seat` or the protocol."""
    result = view["result"]
    return State(
        turn=view["turn"],
        frames=(InProgress(view["phase"]),),
        areas={
            name: AreaState(
                markers=tuple(Marker(m["power"], m["marker"], m["established"]) for m in here["markers"]),
                units=_units_from_view(here["units"]),
                unrest=here["unrest"],
                codominion=tuple(here["codominion"]),
                canal=here["canal"],
                type="" if here["type"] == tables.areas[name].type else here["type"],
            )
            for name, here in view["areas"].items()
        },
        homes={name: _units_from_view(home["units"]) for name, home in view["homes"].items()},
        sea_zones={name: tuple(zone["merchant_fleets"]) for name, zone in view["sea_zones"].items()},
        powers={name: _power_from_view(p) for name, p in view["powers"].items()},
        players=tuple(view["players"]),
        minors=tuple(view["minors"]),
        options=options_from_texts(view["options"]),
        tension=view["indexes"]["european_tensions"],
        resentment=view["indexes"]["chinese_resentment"],
        events=tuple(view["events_in_force"]),
        choices=tuple(_choice_from_view(c) for c in view["pending"]),
        ready=tuple(view["ready"]),
        result=Result(result["reason"], result["turn"]) if result else None,
    )


def _units_from_view(raw: list[Raw]) -> tuple[Unit, ...]:
    return tuple(Unit(u["power"], u["kind"], u["strength"], u.get("coast", "")) for u in raw)


def _power_from_view(p: Mapping[str, Any]) -> PowerState:
    """Build a Power; all money spent from its income counts towards event demands."""
    record = p["record"]
    spent = max(0, (record[NET_INCOME] or 0) - p["treasury"])
    return PowerState(
        treasury=p["treasury"],
        victory_points=p["victory_points"],
        merchants_due=p["merchants_due"],
        record=dict(record),
        upkeep=record[UNIT_UPKEEP] or 0,
        spent_on_units=spent,
        spent_on_naval=spent,
    )


def _choice_from_view(c: Mapping[str, Any]) -> Pending:
    options = tuple(o if isinstance(o, str) else tuple(o) for o in c["options"])
    default = c["default"] if isinstance(c["default"], str) else tuple(c["default"])
    words = options[0].split() if options and isinstance(options[0], str) else []
    about: AnyQuestion = msgspec.convert({"kind": c["kind"]}, type=AnyQuestion)
    area = words[1] if isinstance(about, FightOrDecline) and len(words) > 1 else ""
    return Pending(c["id"], c["seat"], c["power"], about, options, default, area)


MAX_RESENTMENT = 26
"""Chinese Resentment above which the bot places nothing in China (a Rebellion needs 30)."""
MIN_FIGHT_CHANCE = 0.45
"""Minimum chance to win for an army to fight."""


class Purchase(NamedTuple):
    """A possible purchase: `gain` in pounds at the end above its `price`; Control has its `target`."""

    gain: float
    price: int
    texts: tuple[str, ...]
    area: str = ""
    marker: str = ""
    target: ArmyTarget | None = None


def choose_steady_actions(tables: Tables, seen: State | Mapping[str, Any], seat: str, seed: str | int) -> list[str]:
    """Choose the seat's actions as order texts, to be tried in order.

    The caller skips rejected texts and stops after an accepted `ready`. Empty if there is nothing to do.
    The position may be a state or the seat's view; the seed sets the bot's preferences.
    """
    state = seen if isinstance(seen, State) else state_from_view(tables, seen)
    if state.result is not None:
        return []
    answers = [_answer_question(tables, state, choice) for choice in state.choices if choice.seat == seat]
    if answers:
        return answers
    if state.phase == "movement":
        acts: list[str] = []
        for power in powers_of(tables, state, seat):
            prefix = "" if power == seat else f"{power}: "
            acts += [prefix + text for text in _TurnPlan(tables, state, power, f"{seed}/{power}").plan()]
        return [*acts, "ready", "garrison", "ready", *_last_resort(tables, state, seat)]
    return {"negotiation": ["ready"], "war": ["pass"]}.get(state.phase, [])


def play_steadily(
    tables: Tables,
    look: Callable[[], State | Mapping[str, Any]],
    seat: str,
    seed: str | int,
    act: Callable[[str], bool],
) -> int:
    """Let the bot act once for a seat; `act` tries a text and returns whether it was accepted.

    Returns:
        The number of accepted actions.
    """
    done = 0
    for text in choose_steady_actions(tables, look(), seat, seed):
        accepted = act(text)
        done += accepted
        if accepted and text == "ready":
            break
    return done


def _answer_question(tables: Tables, state: State, choice: Pending) -> str:
    """Accept gifts and decline hopeless fights; otherwise choose the default."""
    words = " ".join(default_answer(choice))
    if isinstance(choice.about, MoneyOffer | MarkerOffer):
        words = "accept"
    elif isinstance(choice.about, FightOrDecline):
        area = area_state(state, choice.area)
        armies = tuple(u.strength for u in area.units if u.power == choice.power and u.kind == ARMY)
        chance = colonial_odds(tables, armies, tables.areas[choice.area].strength).win
        word = "fight" if chance >= MIN_FIGHT_CHANCE else "decline"
        words = next((o for o in choice.options if isinstance(o, str) and o.startswith(word)), words)
    return f"choose {choice.id} {words}".strip()


def _last_resort(tables: Tables, state: State, seat: str) -> list[str]:
    """Actions for a rejected `ready`: small units or a Protectorate for an unmet demand."""
    acts: list[str] = []
    for power in powers_of(tables, state, seat):
        prefix = "" if power == seat else f"{power}: "
        for dice in state.events:
            event = tables.events[dice]
            if event.power == power and event.spend_at_least:
                naval = event.spend_on == NAVAL
                box = tables.homes[power].boxes[0][0]
                for strength in (3, 1, 1, 3, 3, 3) if naval else (1, 1, 3, 1, 3, 3):
                    unit = f"N{strength} {box}" if naval else f"A{strength}"
                    acts += [f"{prefix}build {unit}", "ready"]
            if event.extra and event.with_player == power:
                open_ = [
                    area
                    for area in sorted(linked_areas(tables, state, power))
                    if may_place(tables, state, power, area, PROTECTORATE)
                ]
                for area in sorted(open_, key=lambda a: marker_price(tables, state, power, a, PROTECTORATE))[:4]:
                    acts += [f"{prefix}place {PROTECTORATE} {area}", "ready"]
    return acts


class _TurnPlan:
    """Plan of one Power's Movement/Status Change Phase; counts money and armies as they are used."""

    def __init__(self, tables: Tables, state: State, power: str, seed: str) -> None:
        self.tables, self.state, self.power, self.seed = tables, state, power, seed
        self.money = state.powers[power].treasury
        self.pool: ArmyPool = home_pool(tables, state, power)
        limit = duties.spending_cap(tables, state, power)
        self.for_units = self.money if limit is None else limit
        self.resentment = state.resentment
        self.pieces = {pool: status.free_pieces(tables, state, power, pool) for pool in ("round", "hexagon")}
        self.texts: list[str] = []

    def plan(self) -> list[str]:
        """Return the texts of the Phase without `ready`."""
        self._duties()
        self._merchants()
        for text, strengths in heavy_garrisons(self.tables, self.state, self.power, self.pool):
            self.texts.append(text)
            self.pool.add(strengths)
        for target in revolt_targets(self.tables, self.state, self.power):
            self._march(target)
        bought: set[str] = set()
        for buy in sorted(self._buys(), key=self._eagerness, reverse=True):
            if buy.area and buy.area in bought and buy.target is None:
                continue
            if self._spend(buy):
                bought.add(buy.area)
        self._light_garrisons()
        return self.texts

    def _taste(self, key: str) -> float:
        """Preference factor from the seed for an item this turn, 0.85 to 1.15."""
        return 0.85 + draw(f"{self.seed}/{key}", self.state.turn, 1000) * 0.0003

    def _eagerness(self, buy: Purchase) -> tuple[float, str]:
        return buy.gain / max(buy.price, 1) * self._taste(buy.area), buy.area + buy.marker

    # --- duties and ships ---------------------------------------------------------------------------------------

    def _duties(self) -> None:
        """Rebuild a lost garrison and meet event demands."""
        tables, state, power = self.tables, self.state, self.power
        due = duties.required_rebuilding(tables, state, power)
        if due is not None:
            self._build([10] * min(due.missing, self.money // tables.units[10].army))
        event = next((tables.events[d] for d in state.events if tables.events[d].power == power), None)
        left = min(duties.outstanding_pounds(tables, state, power), self.money)
        if event is None or left <= 0:
            return
        naval = event.spend_on == NAVAL
        bought: list[int] = []
        for strength in (10, 3, 1):
            cost = tables.units[strength].naval if naval else tables.units[strength].army
            free = status.free_pieces(tables, state, power, str(strength))
            while left >= cost and free > 0 and not (naval and strength == 10):
                bought.append(strength)
                left, free = left - cost, free - 1
        cheapest = tables.units[1].naval if naval else tables.units[1].army
        if 0 < left < cheapest <= self.money - duties.outstanding_pounds(tables, state, power) + left:
            bought.append(1)
        if naval and bought:
            box = tables.homes[power].boxes[0][0]
            self.texts.append("build " + " ".join(f"N{s}" for s in bought) + f" {box}")
            self.money -= sum(tables.units[s].naval for s in bought)
        else:
            self._build(bought)

    def _build(self, strengths: list[int]) -> None:
        if strengths:
            self.texts.append("build " + " ".join(f"A{s}" for s in strengths))
            pounds = sum(self.tables.units[s].army for s in strengths)
            self.money -= pounds
            self.for_units -= pounds
            self.pool.buy(strengths)

    def _merchants(self) -> None:
        """Place due fleets where they open most; move one that opens little."""
        tables, power = self.tables, self.power
        free = [z for z in tables.sea_zones if power not in self.state.sea_zones.get(z, ())]
        for _ in range(self.state.powers[power].merchants_due):
            if not free:
                return
            best = max(
                free, key=lambda z: (trade_reach(tables, self._state_after_sailing("", z), power) * self._taste(z), z)
            )
            self.texts.append(f"merchant new > {best}")
            self.state = self._state_after_sailing("", best)
            free.remove(best)
        if any(tables.events[d].extra and tables.events[d].with_player == power for d in self.state.events):
            return  # keep the Areas in reach that the King demands
        now = trade_reach(tables, self.state, power)
        own = [z for z, fleets in self.state.sea_zones.items() if power in fleets]
        moves = [(trade_reach(tables, self._state_after_sailing(a, b), power), a, b) for a in own for b in free]
        if moves and max(moves)[0] > now * 1.15:
            _, a, b = max(moves)
            self.texts.append(f"merchant {a} > {b}")
            self.state = self._state_after_sailing(a, b)

    def _state_after_sailing(self, start: str, to: str) -> State:
        """The position with a fleet of the Power moved to, or placed in, `to`."""
        zones = dict(self.state.sea_zones)
        if start:
            zones[start] = tuple(p for p in zones[start] if p != self.power)
        zones[to] = (*zones.get(to, ()), self.power)
        return replace(self.state, sea_zones=zones)

    # --- markers ------------------------------------------------------------------------------------------------

    def _buys(self) -> list[Purchase]:
        """All profitable purchases with their gains."""
        tables, state, power = self.tables, self.state, self.power
        found: list[Purchase] = []
        for area in sorted(linked_areas(tables, state, power)):
            here = area_state(state, area)
            own = highest_marker(state, area, power)
            old = marker_value(tables, state, power, area, own.marker) if own and not here.unrest else 0.0
            for marker in (INTEREST, INFLUENCE):
                if here.unrest or level(own) >= tables.markers[marker].level:
                    continue
                if not may_place(tables, state, power, area, marker):
                    continue
                cost = marker_price(tables, state, power, area, marker)
                gain = marker_value(tables, state, power, area, marker) - old - cost
                if marker == INFLUENCE and tables.areas[area].passage == "canal" and not canals(state):
                    gain += 0.4 * (CANAL_POINTS * pounds_per_point(tables, power) - CANAL_PRICE)
                if gain > 0:
                    verb = "upgrade" if own else "place"
                    found.append(Purchase(gain, cost, (f"{verb} {marker} {area}",), area, marker))
            found += self._crown(area) + self._possession(area)
        for target in control_targets(tables, state, power):
            found.append(Purchase(target.gain - target.price, target.price + 6, (), target.area, target.marker, target))
        return found + self._canal()

    def _possession(self, area: str) -> list[Purchase]:
        """A Possession over an own Protectorate that excludes many rivals."""
        tables, state, power = self.tables, self.state, self.power
        own = established(state, area, power)
        if own is None or own.marker != PROTECTORATE or not may_place(tables, state, power, area, POSSESSION):
            return []
        cost = marker_price(tables, state, power, area, POSSESSION)
        gain = possession_value(tables, state, power, area) - cost
        return [Purchase(gain, cost, (f"upgrade {POSSESSION} {area}",), area, POSSESSION)] if gain > 0 else []

    def _crown(self, area: str) -> list[Purchase]:
        """A State or Dominion that an event demands, if the points are worth it."""
        tables, state, power = self.tables, self.state, self.power
        for dice in state.events:
            wish = tables.events[dice].pressure
            if wish is None or wish.power != power or wish.area != area:
                continue
            if not may_place(tables, state, power, area, wish.marker):
                continue
            own = established(state, area, power)
            cost = marker_price(tables, state, power, area, wish.marker)
            more = tables.markers[wish.marker].maintenance - (tables.markers[own.marker].maintenance if own else 0)
            free = sum(u.strength for u in area_state(state, area).units if u.power == power)
            saved = wish.points * pounds_per_point(tables, power)
            gain = saved - cost - years_left(state) * (more - free)
            if gain > 0:
                return [Purchase(gain, cost, (f"upgrade {wish.marker} {area}",), area, wish.marker)]
        return []

    def _canal(self) -> list[Purchase]:
        """The canal, for its Victory Points."""
        tables, state, power = self.tables, self.state, self.power
        gain = CANAL_POINTS * pounds_per_point(tables, power) - CANAL_PRICE
        if canals(state) or gain <= 0:
            return []
        for area in tables.areas.values():
            held = level(established(state, area.id, power)) >= tables.markers[INFLUENCE].level
            if area.passage == "canal" and held and not area_state(state, area.id).unrest:
                return [Purchase(gain, CANAL_PRICE, (f"canal {area.id}",))]
        return []

    def _spend(self, buy: Purchase) -> bool:
        """Add a purchase to the plan if money, pieces and Chinese Resentment allow it."""
        tables, state, power = self.tables, self.state, self.power
        if buy.target is not None:
            return self._march(buy.target)
        if buy.price > self.money:
            return False
        if buy.marker:
            angry = resentment_raised(tables, state, buy.area, buy.marker)
            pool = tables.markers[buy.marker].pool
            own = highest_marker(state, buy.area, power)
            fresh = own is None or tables.markers[own.marker].pool != pool
            if (angry and self.resentment + angry > MAX_RESENTMENT) or (fresh and self.pieces.get(pool, 1) <= 0):
                return False
            self.resentment += angry
            if fresh and pool in self.pieces:
                self.pieces[pool] -= 1
        self.money -= buy.price
        self.texts += buy.texts
        return True

    # --- armies -------------------------------------------------------------------------------------------------

    def _march(self, target: ArmyTarget) -> bool:
        """Send an army, after a new marker if there is one, if it pays."""
        if target.price > self.money or (target.marker and self.pieces["hexagon"] <= 0):
            return False
        tables, state, power = self.tables, self.state, self.power
        if target.marker and not can_march(tables, state, power, target):
            return False
        force = best_force(tables, target, self.pool, min(self.money - target.price, self.for_units))
        if force is None:
            return False
        if target.marker:
            own = highest_marker(state, target.area, power)
            self.texts.append(f"{'upgrade' if own else 'place'} {target.marker} {target.area}")
            self.money -= target.price
            self.pieces["hexagon"] -= 1
        new = self.pool.missing(force)
        self._build(new)
        if force:
            self.pool.take(force)
            units = " ".join(f"A{s}" for s in force)
            self.texts.append(f"move {units} home > {target.area}")
        return True

    def _light_garrisons(self) -> None:
        """Give each Area under Control an army if it has none, and replace heavy ones by small ones."""
        tables, state = self.tables, self.state
        cost = tables.units[1].army
        for area, heavy in sorted(self.pool.posts.items()):
            if heavy and (heavy - GARRISON_UPKEEP) * years_left(state) <= cost:
                continue
            if not self.pool.home.get(1):
                if min(self.money, self.for_units) < cost or self.pool.pieces.get(1, 0) <= 0:
                    continue
                self._build([1])
            self.pool.take((1,))
            self.texts.append(f"move A1 home > {area}")
            if heavy:
                self.texts.append(f"move A{heavy} {area} > home")
