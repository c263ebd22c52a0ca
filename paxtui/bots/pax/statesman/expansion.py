"""Purchases of a Power: markers, the canal, the armies for Control, and Merchant Fleet moves.

Values each purchase, estimates the chance that rivals take an Area first, and picks the best set for the money.
With too little money, purchases that cannot wait come first: a contested Area before an Interest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from msgspec.structs import replace

from paxtui.bots.pax.caretaker.planner import Planner
from paxtui.bots.pax.statesman import armies, evaluation
from paxtui.bots.pax.statesman.armies import Expedition
from paxtui.bots.pax.statesman.evaluation import PositionValuation, opened_area_value
from paxtui.bots.pax.statesman.great_war import is_early
from paxtui.bots.pax.valuation import makes_enemies
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.notation import PowerAction
from paxtui.games.pax.board.adjacency import area_type, canals
from paxtui.games.pax.board.caching import cached
from paxtui.games.pax.board.routes import areas_opened_by_fleet, linked_areas
from paxtui.games.pax.board.status import area_state, controllers, established, level
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.clauses.exchanges import LOWER
from paxtui.games.pax.expansion.canals import CANAL_POINTS, CANAL_PRICE
from paxtui.games.pax.expansion.placement import OPEN_TYPES, highest_marker, marker_price, may_place
from paxtui.games.pax.state.diplomacy import CONGRESS
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import CONTROL, INFLUENCE, INTEREST, LEVEL, POSSESSION, PROTECTORATE
from paxtui.games.pax.text.display import place_name, power_name, the_zone
from paxtui.games.pax.transaction import GREAT_WAR_TENSION

LOSS_CHANCES = {INTEREST: 0.06, INFLUENCE: 0.15, PROTECTORATE: 0.15, POSSESSION: 0.1}
"""Chance that a postponed purchase is no longer possible next turn."""
CONTESTED_SHARE = 0.3
"""Share of a prize's value that remains if a rival competes for it in the same turn."""
CROWDED_TURN = 5
"""Game Turn from which most contested Areas are taken."""
CONGRESS_MEMORY = 2
"""Game Turns during which an Area lost in a Congress is not taken again."""
OTTOMAN_WAR_COST = 60.0
"""Cost in pounds of War with the Sultan over Control of an Ottoman Area."""


class Prospect(NamedTuple):
    """A possible purchase.

    Attributes:
        area: the Area.
        marker: the marker to place, "" for a canal.
        price: price in pounds, without armies.
        expedition: the armies for it.
        gain: net pounds at the end.
        gross_value: pounds at the end for owning it.
        why: the reason, as a sentence.
        waiting_cost: pounds at the end lost by waiting a turn.
        tensions_raised: points of European Tensions raised by other markers that give way.
    """

    area: str
    marker: str
    price: int
    expedition: Expedition | None
    gain: float
    gross_value: float
    why: str
    waiting_cost: float = 0.0
    tensions_raised: int = 0

    @property
    def cost(self) -> int:
        """Pounds to pay now, armies included."""
        return self.price + (self.expedition.price if self.expedition else 0)


def find_prospects(valuation: PositionValuation, planner: Planner) -> list[Prospect]:
    """List all profitable purchases, by Area."""
    found: list[Prospect] = []
    valuation.piece_value = valuation.round_piece_value(planner.state) if valuation.character.looks_ahead else 0.0
    for area in sorted(linked_areas(planner.tables, planner.state, planner.power) - valuation.character.avoided_areas):
        found += _trade_prospects(valuation, planner, area)
        found += _control_prospects(valuation, planner, area)
        found += _raise_prospects(valuation, planner, area)
    found += _canal_prospects(valuation, planner)
    return [_with_urgency(valuation, planner, prospect) for prospect in _worth_first_control(valuation, planner, found)]


def _with_urgency(valuation: PositionValuation, planner: Planner, prospect: Prospect) -> Prospect:
    """Add the cost of waiting a turn: lost income and the chance of losing the purchase."""
    area, marker = prospect.area, prospect.marker
    own = highest_marker(planner.state, area, planner.power)
    income = valuation.net_income(area, marker) - (valuation.net_income(area, own.marker) if own and marker else 0.0)
    soon = valuation.pound_value(valuation.turn + 1)
    waiting = income * soon if valuation.turns_left else prospect.gain
    gone = LOSS_CHANCES.get(marker, 0.2) if valuation.turn < CROWDED_TURN else LOSS_CHANCES.get(marker, 0.2) / 3
    if marker in CONTROL:
        here = area_state(planner.state, area)
        if here.unrest:
            gone = 1.0
        elif any(m.power != planner.power and m.marker == INFLUENCE for m in here.markers):
            gone = min(0.9, 1.5 * gone)
        if marker == PROTECTORATE and valuation.takeover_chances is not None:
            gone = max(valuation.takeover_chances.get(area, 0.0), float(here.unrest))
    lost = waiting - prospect.cost * (valuation.pound_now - soon) + gone * prospect.gain
    return prospect._replace(waiting_cost=max(0.01, min(lost, prospect.gain)) + 0.02 * prospect.gain)


def _worth_first_control(valuation: PositionValuation, planner: Planner, found: list[Prospect]) -> list[Prospect]:
    """Drop purchases of a first Control that earn less than the lost Colonial Office payment."""
    fee = valuation.first_control_cost(planner.state)
    if not fee:
        return found
    gains = sorted((p.gain for p in found if p.marker in CONTROL), reverse=True)
    if sum(gain * share for gain, share in zip(gains, (1.0, 0.7, 0.5, 0.3), strict=False)) > fee:
        return found
    return [p for p in found if p.marker not in CONTROL]


def _trade_prospects(valuation: PositionValuation, planner: Planner, area: str) -> Iterator[Prospect]:
    tables, state, power = planner.tables, planner.state, planner.power
    own = highest_marker(state, area, power)
    if area_state(state, area).unrest or level(own) >= LEVEL[INFLUENCE]:
        return
    old = valuation.marker_value(state, area, own.marker) if own else 0.0
    for marker in (INTEREST, INFLUENCE):
        if LEVEL[marker] <= level(own) or not may_place(tables, state, power, area, marker):
            continue
        cost = marker_price(tables, state, power, area, marker)
        brings = valuation.marker_value(state, area, marker) - old - valuation.resentment_cost(state, area, marker)
        if own is None:
            brings -= valuation.piece_value
        if marker == INFLUENCE and tables.areas[area].passage == "canal" and not canals(state):
            brings += 0.6 * max(0.0, CANAL_POINTS * valuation.pounds_per_point - CANAL_PRICE)
        gain = valuation.with_error(f"{area}/{marker}", brings) - valuation.pound_now * cost
        if gain > 0:
            name, kind = place_name(tables, area), tables.markers[marker].name
            why = f"{kind} in {name}: costs £{cost}, returns about £{brings:.0f} after all risks"
            yield Prospect(area, marker, cost, None, gain, brings, why)


def _control_prospects(valuation: PositionValuation, planner: Planner, area: str) -> Iterator[Prospect]:
    """Find Protectorates, with the armies that win them."""
    tables, state, power = planner.tables, planner.state, planner.power
    own = highest_marker(state, area, power)
    if (own and own.marker in CONTROL) or not may_place(tables, state, power, area, PROTECTORATE):
        return
    here = area_state(state, area)
    if _was_taken_recently(valuation, state, area) or not valuation.may_take(state, area):
        return
    trouble = valuation.conflict_cost(state, area, PROTECTORATE)
    if area_type(tables, state, area) == "ottoman":
        trouble += OTTOMAN_WAR_COST * valuation.character.caution
    if trouble > 2.0 and not valuation.character.accepts_conflicts:
        return
    old = valuation.marker_value(state, area, own.marker) if own and not here.unrest else 0.0
    brings = valuation.marker_value(state, area, PROTECTORATE) - old + evaluation.bonus_value(valuation, state, area)
    brings += valuation.denial_value(state, area, PROTECTORATE) + evaluation.opening_value(valuation, state, area)
    if own:
        brings += valuation.piece_value
    brings -= trouble + valuation.resentment_cost(state, area, PROTECTORATE)
    cost = marker_price(tables, state, power, area, PROTECTORATE)
    if any(m.power != power and m.marker in CONTROL and not m.established for m in here.markers):
        brings *= CONTESTED_SHARE
    prize = valuation.with_error(f"{area}/control", brings)
    if prize <= valuation.pound_now * cost:
        return
    force = armies.best_expedition(valuation, planner, area, prize, armies.army_budget(planner) - cost)
    if force is None or force.gain <= valuation.pound_now * cost:
        return
    why = f"Control of {place_name(tables, area)} is worth about £{brings:.0f}, and {force.describe_success()}"
    rivals = [m.power for m in here.markers if m.power != power and m.marker == INFLUENCE]
    if rivals:
        why += f", although {power_name(tables, rivals[0])} has an Influence there"
    gain = force.gain - valuation.pound_now * cost
    yield Prospect(
        area,
        PROTECTORATE,
        cost,
        force,
        gain,
        prize,
        why,
        tensions_raised=valuation.tensions_raised(state, area, PROTECTORATE),
    )


def _was_taken_recently(valuation: PositionValuation, state: State, area: str) -> bool:
    """Whether a Congress recently took Control of an Area from the Power and could be called again."""
    took = any(
        treaty.form == CONGRESS and treaty.since >= state.turn - CONGRESS_MEMORY
        and any(c.kind == LOWER.id and c.power == valuation.power and area in c.places for c in treaty.clauses)
        for treaty in state.treaties
    )  # fmt: skip
    rivals = (m for m in area_state(state, area).markers if m.power != valuation.power)
    return took and any(LEVEL[m.marker] >= LEVEL[INFLUENCE] for m in rivals)


def _raise_prospects(valuation: PositionValuation, planner: Planner, area: str) -> Iterator[Prospect]:
    """Find Possessions: on own Protectorates to exclude others, and where an event demands one."""
    tables, state, power = planner.tables, planner.state, planner.power
    own = established(state, area, power)
    if own is None or own.marker not in CONTROL or area_state(state, area).unrest:
        return
    name = place_name(tables, area)
    old = valuation.marker_value(state, area, own.marker)
    is_open = valuation.may_take(state, area) and may_place(tables, state, power, area, POSSESSION)
    if own.marker == PROTECTORATE and is_open:
        cost = marker_price(tables, state, power, area, POSSESSION)
        brings = valuation.marker_value(state, area, POSSESSION) - old + valuation.denial_value(state, area, POSSESSION)
        brings -= valuation.conflict_cost(state, area, POSSESSION) + valuation.resentment_cost(state, area, POSSESSION)
        if brings > valuation.pound_now * cost:
            why = f"A Possession in {name} keeps the trade of others out"
            steps = valuation.tensions_raised(state, area, POSSESSION)
            yield Prospect(
                area, POSSESSION, cost, None, brings - valuation.pound_now * cost, brings, why, tensions_raised=steps
            )
    for dice in state.events:
        wish = tables.events[dice].pressure
        if wish is None or (wish.power, wish.area) != (power, area):
            continue
        if may_place(tables, state, power, area, wish.marker):
            cost = marker_price(tables, state, power, area, wish.marker)
            brings = valuation.marker_value(state, area, wish.marker) - old + wish.points * valuation.pounds_per_point
            brings += valuation.future_pounds * sum(armies.armies_in(planner, area))
            if brings > valuation.pound_now * cost:
                why = f"{tables.events[dice].title}: {wish.points} Victory Points would be lost"
                yield Prospect(area, wish.marker, cost, None, brings - valuation.pound_now * cost, brings, why)


def _canal_prospects(valuation: PositionValuation, planner: Planner) -> Iterator[Prospect]:
    """Find the first canal, for its Victory Points."""
    tables, state, power = planner.tables, planner.state, planner.power
    if canals(state):
        return
    gain = CANAL_POINTS * valuation.pounds_per_point - CANAL_PRICE * valuation.pound_now
    for area in tables.areas.values() if gain > 0 else ():
        if area.passage != "canal":
            continue
        held = level(established(state, area.id, power)) >= LEVEL[INFLUENCE]
        if held and not area_state(state, area.id).unrest:
            why = f"The first canal brings {CANAL_POINTS} Victory Points for £{CANAL_PRICE}"
            yield Prospect(area.id, "", CANAL_PRICE, None, gain, gain, why)
            return


COLONY_PRICE = 32
"""Price in pounds of a Protectorate with the armies that win it."""
AFFORDABLE_CHANCE, UNAFFORDABLE_CHANCE = 0.5, 0.05
"""Chances that a rival takes an Area that it can afford, and one that it cannot."""


def rival_chances(tables: Tables, state: State, power: str) -> dict[str, float]:
    """Chance by Area that a rival of the Power soon takes Control, from what each can reach and pay."""
    left: dict[str, float] = {}
    for rival in state.players:
        if rival == power:
            continue
        wanted = sorted(_areas_open_to(tables, state, rival), reverse=True)
        money = state.powers[rival].record.get("22") or state.powers[rival].treasury
        for n, (_, area) in enumerate(wanted):
            chance = AFFORDABLE_CHANCE if n < money // COLONY_PRICE else UNAFFORDABLE_CHANCE
            left[area] = left.get(area, 1.0) * (1.0 - chance)
    return {area: 1.0 - chance for area, chance in left.items()}


def _areas_open_to(tables: Tables, state: State, rival: str) -> Iterator[tuple[float, str]]:
    """Areas that a rival might take, each with its attraction."""
    for area in linked_areas(tables, state, rival):
        own = established(state, area, rival)
        if own is not None and own.marker in CONTROL:
            continue
        row = tables.areas[area]
        draw = 4.0 * row.value - 10 - 2.0 * row.strength
        if area_state(state, area).unrest:
            draw -= 4
        if draw > 0 and makes_enemies(tables, state, rival, area):
            draw -= 6
        if draw > 0 and may_place(tables, state, rival, area, PROTECTORATE):
            yield draw, area


PURCHASE_ROUNDS = {"easy": 1, "normal": 3, "hard": 4, "expert": 4}
"""Maximum number of times the list is recomputed after purchases."""

TENSION_MARGIN, MIN_TENSION_MARGIN = 20, 2
"""Distances to the Great War, in points, below which the bot raises no tensions: others may at the same time.

The second is that before 1900, and of a Power that wants the Great War without the blame.
"""


def buy_expansion(valuation: PositionValuation, planner: Planner) -> None:
    """Plan the worthwhile purchases."""
    if valuation.character.level in ("hard", "expert"):
        valuation.takeover_chances = rival_chances(valuation.tables, planner.state, planner.power)
    planner.add_all_or_none(partial(_end_game_by_possessions, valuation, planner))
    margin = (
        MIN_TENSION_MARGIN
        if valuation.wants_great_war or is_early(planner.state)
        else round(TENSION_MARGIN * valuation.character.caution)
    )
    calm = GREAT_WAR_TENSION - margin - planner.state.tension
    for _ in range(PURCHASE_ROUNDS.get(valuation.character.level, 1)):
        before = len(planner.acts)
        purse = round(planner.treasury * valuation.character.spending_share)
        if purse < _least_price(valuation.tables):
            return
        listed = find_prospects(valuation, planner)
        chosen = choose_purchases(listed, purse) if valuation.character.looks_ahead else listed
        for prospect in sorted(chosen, key=lambda p: (-p.waiting_cost / max(p.cost, 2), p.area, p.marker)):
            if prospect.cost > purse or (prospect.tensions_raised and prospect.tensions_raised > calm):
                continue
            planner.keeps_treaties = not valuation.character.is_faithless or prospect.gain < valuation.breach_cost(
                planner.state
            )
            if planner.add_all_or_none(partial(_add_purchase, valuation, planner, prospect)):
                calm -= prospect.tensions_raised
                purse = min(purse - prospect.cost, planner.treasury)
        planner.keeps_treaties = True
        if len(planner.acts) == before:
            return


@cached(most=4, by=lambda tables: ((), (tables,)))
def _least_price(tables: Tables) -> int:
    """Price in pounds of the cheapest marker, or of the cheapest step to a higher one."""
    prices = sorted({0, *(marker.price for marker in tables.markers.values())})
    return min(high - low for low, high in pairwise(prices))


def _end_game_by_possessions(valuation: PositionValuation, planner: Planner) -> bool:
    """Plan Possessions whose removal of Interests brings the Great War, if the Power wins by it and they suffice.

    Rules: STA-053, ETI-013
    """
    tables, state = planner.tables, planner.state
    found = []
    for area in state.areas:
        own = established(state, area, planner.power)
        alone = controllers(state, area) == (planner.power,) and not area_state(state, area).unrest
        if alone and own is not None and own.marker == PROTECTORATE:
            steps, price = valuation.tensions_raised(state, area, POSSESSION), tables.markers[POSSESSION].price
            if steps and may_place(tables, state, planner.power, area, POSSESSION):
                found.append((steps / price, area, steps))
    lacking = GREAT_WAR_TENSION - state.tension
    if sum(steps for _, _, steps in found) < lacking or not valuation.wins_by_blame:
        return False
    for _, area, steps in sorted(found, reverse=True):
        why = "The Great War would end the game, and it leads by more than the blame costs"
        if lacking > 0 and planner.do(actions.Upgrade(POSSESSION, area), why):
            lacking -= steps
    return lacking <= 0


def choose_purchases(listed: Sequence[Prospect], purse: int) -> list[Prospect]:
    """Choose purchases within the budget, at most one per Area, that minimize the loss from waiting."""
    by_area: dict[str, list[Prospect]] = {}
    for prospect in listed:
        by_area.setdefault(prospect.area, []).append(prospect)
    # pounds spent -> (loss avoided, purchases as a linked list, last first)
    best: dict[int, tuple[float, _Chain]] = {0: (0.0, None)}
    for options in by_area.values():
        grown = dict(best)
        for spent, (saved, chain) in best.items():
            for option in options:
                total = spent + option.cost
                if total <= purse and saved + option.waiting_cost > grown.get(total, (-1.0, None))[0]:
                    grown[total] = saved + option.waiting_cost, (option, chain)
        best = grown
    _, chain = max(best.values(), key=lambda found: found[0])
    chosen = []
    while chain is not None:
        option, chain = chain
        chosen.append(option)
    return chosen


_Chain = tuple[Prospect, "_Chain"] | None


def _add_purchase(valuation: PositionValuation, planner: Planner, prospect: Prospect) -> bool:
    """Plan the actions of a purchase; return whether all are possible."""
    if not prospect.marker:
        return planner.do(actions.Canal(prospect.area), prospect.why)
    force = prospect.expedition
    if force is not None:
        purse = armies.army_budget(planner) - prospect.price
        force = armies.best_expedition(valuation, planner, prospect.area, prospect.gross_value, purse)
        if force is None or force.gain <= valuation.pound_now * prospect.price:
            return False
    own = highest_marker(planner.state, prospect.area, planner.power)
    act: PowerAction = (actions.Upgrade if own else actions.Place)(prospect.marker, prospect.area)
    if not planner.do(act, prospect.why):
        return False
    return force is None or armies.send_expedition(planner, force, prospect.area, prospect.why)


COUNTED_NEW_AREAS = 14
"""Number of the best new Areas that count; pieces and pounds are limited."""
OPEN_TRADE_SHARE = 0.5
"""Value of open trade without a marker, as a share of trade with one."""
MIN_FLEET_GAIN = 1.1
"""Minimum factor of improvement for moving a fleet."""


def place_and_move_fleets(valuation: PositionValuation, planner: Planner) -> None:
    """Place the fleets that are due, then move one or two that open little where they are."""
    tables, power = planner.tables, planner.power
    while planner.state.powers[power].merchants_due:
        free = [z for z in tables.sea_zones if power not in planner.state.sea_zones.get(z, ())]
        reach = FleetReach(valuation, planner.state).with_fleets(free)
        best = max(free, key=lambda zone: (reach[zone], zone), default="")
        if not best or not planner.do(actions.Merchant("new", best), f"A fleet in {the_zone(tables, best)} opens most"):
            break
    if any(tables.events[d].extra and tables.events[d].with_player == power for d in planner.state.events):
        return  # keep the Areas in reach that the King demands
    for _ in range(2 if valuation.character.looks_ahead else 1):
        if not _move_best_fleet(valuation, planner):
            return


def _move_best_fleet(valuation: PositionValuation, planner: Planner) -> bool:
    """Move the fleet that gains most; return whether one moved."""
    tables, state, power = planner.tables, planner.state, planner.power
    own = [z for z, fleets in state.sea_zones.items() if power in fleets]
    free = [z for z in tables.sea_zones if z not in own]
    reach = FleetReach(valuation, state)
    now = reach.value()
    moves = [(value, a, b) for a in own for b, value in reach.without_fleet(a).with_fleets(free).items()]
    most, start, end = max(moves, default=(0.0, "", ""))
    if most <= now * MIN_FLEET_GAIN + 10:
        return False
    return planner.do(actions.Merchant(start, end), f"The fleet opens more in {the_zone(tables, end)}")


class FleetReach:
    """The value of what the Power's links keep open, with its Merchant Fleets as they are and elsewhere.

    Args: the valuation; the position; what `_reached_area` has found, which does not depend on fleets.
    """

    def __init__(
        self, valuation: PositionValuation, state: State, known: dict[str, tuple[float, bool]] | None = None
    ) -> None:
        self._valuation, self._state = valuation, state
        self._known: dict[str, tuple[float, bool]] = {} if known is None else known
        self._linked = linked_areas(valuation.tables, state, valuation.power)

    def value(self, opened: frozenset[str] = frozenset()) -> float:
        """Value in pounds of the holdings and the best new Areas in reach, with some opened besides."""
        known, kept, hoped = self._known, 0.0, []
        for area in sorted(self._linked | opened):
            if area not in known:
                known[area] = _reached_area(self._valuation, self._state, area)
            worth, is_held = known[area]
            if is_held:
                kept += worth
            else:
                hoped.append(worth)
        return kept + OPEN_TRADE_SHARE * sum(sorted(hoped, reverse=True)[:COUNTED_NEW_AREAS])

    def with_fleets(self, zones: Sequence[str]) -> dict[str, float]:
        """The value with one more fleet, by its Sea Zone."""
        tables, power, same = self._valuation.tables, self._valuation.power, self.value()
        opened = {zone: areas_opened_by_fleet(tables, self._state, power, zone) for zone in zones}
        return {zone: self.value(areas) if areas else same for zone, areas in opened.items()}

    def without_fleet(self, zone: str) -> FleetReach:
        """The reach without the fleet in a Sea Zone."""
        fleets = tuple(p for p in self._state.sea_zones[zone] if p != self._valuation.power)
        gone = replace(self._state, sea_zones={**self._state.sea_zones, zone: fleets})
        return FleetReach(self._valuation, gone, self._known)


def _reached_area(valuation: PositionValuation, state: State, area: str) -> tuple[float, bool]:
    """Pounds of the Power's marker in an Area, or of the best one that it might place there; whether it has one."""
    own = established(state, area, valuation.power)
    if own is not None:
        return max(0.0, valuation.marker_value(state, area, own.marker)), True
    trade = opened_area_value(valuation, state, area)
    if not controllers(state, area) and valuation.tables.areas[area].type in OPEN_TYPES:
        trade = max(trade, 0.8 * valuation.marker_value(state, area, "protectorate"))
    return trade, False
