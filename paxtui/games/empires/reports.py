"""Reports for the screen and for plain mode: area cards, counters, leaders, victory and field combats."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest

from paxtui.games.empires.battle.sides import combat_levels, corps_in_lines
from paxtui.games.empires.battle.siege import breach_modifier, breach_needed
from paxtui.games.empires.board import (
    city_garrison,
    city_room,
    controller,
    counters_in,
    is_corps,
    is_unbesieged,
    movement_allowance,
    points_left,
    prize_taker,
)
from paxtui.games.empires.calendar import LAND, is_winter, month_name, points_by_side, turn_of
from paxtui.games.empires.events.base import Event
from paxtui.games.empires.events.land import BattleBegan, BattleOver, ChitsShown, RoundFought
from paxtui.games.empires.events.sea import CombatDecided, Fired, WindRolled
from paxtui.games.empires.narration import BOXES, factors_text
from paxtui.games.empires.naval.fleets import is_station_controlled, place_name
from paxtui.games.empires.naval.sailing import ALLOWANCE
from paxtui.games.empires.pieces import HIDDEN, Battle, Corps, Fleet, Force, Leader, is_hidden
from paxtui.games.empires.state import State
from paxtui.games.empires.supply_lines import is_source, supply_price, supplying_depot, valid_chain
from paxtui.games.empires.supply_step import (
    ForageMarch,
    depot_supply_cost,
    factors_lost,
    forage_modifiers,
    is_in_winter,
    supply_debt,
)
from paxtui.games.empires.tables import ROUNDS, Tables, leader_name

DIE = range(1, 7)


def movement_text(corps: Corps) -> str:
    """Return the movement points of a counter: left and total. Rules: EIA 7.3.1.1"""
    return (
        f"{points_left(corps)} of "
        f"{movement_allowance(corps.kind, corps.swift and corps.power == 'france', corps.forced)} points"
    )


def leader_text(tables: Tables, leader: Leader) -> str:
    """Return a leader with rank, ratings and the corps that the leader can command."""
    name = leader_name(leader.id)
    most = f", commands {leader.most} corps" if leader.most else ""
    ratings = f"strategic {leader.strategic}, tactical {leader.tactical}"
    return f"{name} ({tables.name(leader.power)}): rank {leader.rank}, {ratings}{most}"


# --- areas ------------------------------------------------------------------------------------------------------


def area_title(tables: Tables, area: str) -> str:
    """Return the names of an area and its city, the usual one first: "Ulm (Swabia)"."""
    where, name = tables.areas[area], tables.name(area)
    other = where.name if name == where.city else where.city
    return f"{name} ({other})" if other not in ("", name) else name


def area_lines(tables: Tables, state: State, seat: str, area: str) -> Iterator[str]:
    """Yield the card of an area in lines, with the supply of a seat that sees the position."""
    where, holder = tables.areas[area], controller(tables, state, area)
    title = area_title(tables, area) if tables.exercise.drawing else where.name
    terrain, owner = "sea" if where.sea else where.terrain, f", {tables.name(holder)}" if holder else ""
    yield f"{title}: {terrain}{owner}{', capital' if where.capital else ''}"
    ashore = LAND in tables.exercise.phases and not where.sea
    if ashore:
        room = max(0, city_room(tables, state, area))
        city = f"{where.city}: supply value {where.supply}, room for {room} more factors" if where.city else "no city"
        yield f"Forage value {where.forage}; {city}"
    if where.port:
        guns = f", {where.guns} harbour guns" if where.guns else ""
        yield f"Port{guns}" + (f", on {tables.name(where.coast)}" if where.coast else "")
    if prize := tables.exercise.prizes.get(area, 0):
        yield f"Worth {_points_text(prize)} at the end to a Power that took it"
    for station in tables.exercise.stations:
        if area in station.where:
            whose = tables.name(station.power)
            yield f"Worth {_points_text(station.points)} a month to {whose} with {station.ships} ships: {station.why}"
    if ashore and seat in state.powers:
        yield supply_text(tables, state, seat, area)
    if area in state.campaign.sieges:
        yield f"Besieged by {tables.name(state.campaign.sieges[area])}"
    yield from (f"Depot of {tables.name(one.power)}" for one in state.depots if one.where == area)
    for garrison in state.garrisons:
        if garrison.where == area:
            of_depot = ", depot" if garrison.of_depot else ""
            yield f"Garrison of {tables.name(garrison.power)}{of_depot}: {factors_text(garrison.factors)}"
    corps = [one for one in state.corps.values() if one.where == area]
    fleets = [one for one in state.fleets.values() if one.where == area]
    yield from (stack_line(tables, one) for one in corps)
    yield from (fleet_line(tables, one) for one in fleets)
    places = {area, *(one.id for one in corps), *(one.id for one in fleets)}
    yield from (f"Leader {leader_text(tables, one)}" for one in state.leaders.values() if one.where in places)


def supply_text(tables: Tables, state: State, seat: str, area: str) -> str:
    """Return whether a corps of a seat in an area would be in depot supply, and what it costs. Rules: EIA 7.4.2.1"""
    found, winter = supplying_depot(tables, state, seat, area), is_in_winter(tables, state, area)
    standing = next((one for one in state.corps.values() if one.power == seat and one.where == area), None)
    halves = (
        depot_supply_cost(tables, state, standing) if standing else supply_price(found[1], winter) if found else None
    )
    if halves is None:
        crowd = sum(1 for one in counters_in(state, area) if is_corps(one) and is_unbesieged(state, one))
        march = ForageMarch(others=crowd - bool(standing), winter=winter)
        loss = mean_forage_loss(tables.areas[area].forage, march)
        return f"Out of your depot supply: a corps here forages and loses about {loss:.1f} factors"
    here = area in valid_chain(tables, state, seat)
    source = ", a supply source" if here and is_source(tables, state, seat, area) else ""
    depot = f"depot at {tables.name(found[0])}{source}" if found else "from the sea"
    return f"In your supply, ${halves / 2:g} a corps: {depot}"


def supply_prices(tables: Tables, state: State, seat: str) -> dict[str, str]:
    """Return the areas in the depot supply of a Power, each with the price of a corps there: "$1"."""
    found = {area.id: supplying_depot(tables, state, seat, area.id) for area in tables.exercise.areas if not area.sea}
    return {
        area: f"${supply_price(one[1], is_in_winter(tables, state, area)) / 2:g}" for area, one in found.items() if one
    }


def supply_bill_text(tables: Tables, state: State, power: str) -> str:
    """Return what supply of a Power's corps costs where they stand, and the money for it. Rules: EIA 7.4.2.1"""
    return f"Supply costs ${supply_debt(tables, state, power)} of ${state.accounts[power].money}."


def mean_forage_loss(value: int, march: ForageMarch) -> float:
    """Return the factors that foraging costs a corps on average. Rules: EIA 7.4.1.1"""
    modifier = sum(amount for _, amount in forage_modifiers(march))
    return sum(factors_lost(die, modifier, value) for die in DIE) / len(DIE)


def stack_line(tables: Tables, corps: Corps) -> str:
    """Return a counter with its factors, capacity and movement points; less for one that lies face down."""
    inside = ", in the city" if corps.inside else ""
    if is_hidden(corps):
        return f"{tables.name(corps.power)}: {corps.kind} corps, face down{inside}"
    name = tables.corps_names.get(corps.id, corps.id)
    holds = f" (holds {factors_text(corps.most)})" if corps.most.total else ""
    return (
        f"{tables.name(corps.power)}: {corps.id}, {name}{inside}: "
        f"{factors_text(corps.factors)}{holds}; {movement_text(corps)}"
    )


def fleet_line(tables: Tables, fleet: Fleet) -> str:
    """Return a fleet with its ships, capacity, cargo and movement points."""
    most = f" of at most {fleet.most}" if fleet.most else ""
    cargo = f", carrying {', '.join(fleet.cargo)}" if fleet.cargo else ""
    ships = f"{fleet.ships} ships{most}{cargo}"
    left = max(0, ALLOWANCE - fleet.moved)
    return f"{tables.name(fleet.power)}: fleet {fleet.id} {BOXES[fleet.box]}: {ships}; {left} of {ALLOWANCE} points"


def leader_lines(tables: Tables, state: State) -> Iterator[str]:
    """Yield every leader on the map with ratings and place."""
    for leader in state.leaders.values():
        if leader.where:
            corps, fleet = state.corps.get(leader.where), state.fleets.get(leader.where)
            area = corps.where if corps else fleet.where if fleet else leader.where
            hidden = corps is not None and is_hidden(corps)
            counter = f" with {leader.where}" if (corps or fleet) and not hidden else ""
            yield f"{leader_text(tables, leader)}: {tables.name(area) if area else 'aboard'}{counter}"


# --- victory ----------------------------------------------------------------------------------------------------


def victory_lines(tables: Tables, state: State) -> Iterator[str]:
    """Yield the victory condition, the leading Power, and the political points still open."""
    exercise = tables.exercise
    if exercise.victory:
        yield exercise.victory
    months = max(0, turn_of(exercise.last) - state.turn + 1)
    fought = f"; combats fought: {state.campaign.fought} of {exercise.battles}" if exercise.battles else ""
    yield f"Last month: {month_name(turn_of(exercise.last))} ({months} to play){fought}"
    taken = dict.fromkeys(state.powers, 0)
    for area, points in exercise.prizes.items():
        if taker := prize_taker(tables, state, area):
            taken[taker] += points
    sides = {side: (points, sum(taken[one] for one in side)) for side, points in points_by_side(tables, state).items()}
    for side, (points, more) in sorted(sides.items(), key=lambda one: -sum(one[1])):
        cities = f", and {more} for cities taken" if more and state.result is None else ""
        yield f"{' and '.join(map(tables.name, side))}: {_points_text(points)}{cities}"
    if exercise.prizes:
        yield "At the end, for areas taken from their first holder:"
    for area, points in exercise.prizes.items():
        holder = controller(tables, state, area)
        whose = f"held by {tables.name(holder)}" if holder else "not held"
        counts = ", counts" if prize_taker(tables, state, area) else ""
        yield f"  {tables.name(area)} {points} ({whose}{counts})"
    if exercise.stations:
        yield "Each month, for waters held at the end of the naval phase:"
    for station in exercise.stations:
        seas = " or ".join(tables.name(sea) for sea in station.where)
        now = "held now" if is_station_controlled(state, station) else "not held now"
        wanted = f"{station.ships} ships in {seas} and no enemy there"
        yield f"  {tables.name(station.power)} {station.points}: {wanted} ({station.why}; {now})"


def victory_summary(tables: Tables, state: State) -> Iterator[str]:
    """Yield the points of each side with the areas that it took, and the areas that are still open."""
    open_: list[str] = []
    taken: dict[str, list[str]] = {}
    for area, points in tables.exercise.prizes.items():
        text = f"{tables.name(area)} {points}"
        if taker := prize_taker(tables, state, area):
            taken.setdefault(taker, []).append(text)
        else:
            open_.append(text)
    for side, points in points_by_side(tables, state).items():
        cities = [text for power in side for text in taken.get(power, ())]
        more = f", and at the end for {', '.join(cities)}" if cities and state.result is None else ""
        yield f"{' and '.join(map(tables.name, side))}: {_points_text(points)}{more}"
    if state.result is not None:
        return
    if open_:
        yield f"To be taken: {', '.join(open_)}"
    months = turn_of(tables.exercise.last) - state.turn
    yield f"{months} more month{'' if months == 1 else 's'} after this one" if months > 0 else "The last month"


def _points_text(points: int) -> str:
    return f"{points} political point{'' if abs(points) == 1 else 's'}"


# --- battles ----------------------------------------------------------------------------------------------------


def battle_pages(tables: Tables, events: Iterable[tuple[int, Event]]) -> tuple[tuple[str, ...], ...]:
    """Return every battle in the events of a game, each with its month, as a page of lines; the last one first."""
    pages: list[tuple[str, ...]] = []
    field: list[Event] = []
    began = 0
    sea: list[str] = []

    def end_field_combat() -> None:
        if field:
            pages.append(tuple(_field_page(tables, began, field)))
            field.clear()

    for turn, event in events:
        if isinstance(event, BattleBegan) and (event.battle.day == 1 or not field):
            end_field_combat()
            began = turn
            field.append(event)
        elif field:
            field.append(event)
        if isinstance(event, BattleOver):
            end_field_combat()
        elif isinstance(event, WindRolled):
            wind = f"{event.attacker_modified} to {event.defender_modified}"
            sea.append(f"Wind gauge, attacker to defender: {wind}")
        elif isinstance(event, Fired):
            guns = "harbour guns" if event.harbour else "broadside"
            hit = f"{event.percent} % of {event.ships} ships"
            sea.append(f"{event.side.capitalize()}'s {guns}: die {event.die}, {hit}: {event.losses} sunk")
        elif isinstance(event, CombatDecided):
            pages.append(tuple(_sea_page(tables, turn, event, sea)))
            sea = []
    end_field_combat()
    return tuple(reversed(pages))


def _field_page(tables: Tables, turn: int, events: Iterable[Event]) -> Iterator[str]:
    """Yield the lines of a field combat that began in a month; the first event is its `BattleBegan`."""
    day, lost, result = 0, (0, 0), "The combat goes on."
    for event in events:
        match event:
            case BattleBegan():
                if not day:
                    yield f"Field combat in {tables.name(event.battle.area)}, {month_name(turn)}"
                    yield _side_line(tables, "Attacker", event.battle.attacker)
                    yield _side_line(tables, "Defender", event.battle.defender)
                day = event.battle.day
            case ChitsShown():
                yield f"Day {day}, chits: attacker {event.attacker}, defender {event.defender}".replace("_", " ")
            case RoundFought():
                dice = [side.die + side.modifier for side in (event.attacker, event.defender)]
                lost = lost[0] + event.lost[0], lost[1] + event.lost[1]
                yield (
                    f"  round {event.number}: dice {dice[0]} and {dice[1]}, "
                    f"losses {event.lost[0]} and {event.lost[1]}, "
                    f"morale left {event.morale[0] / 10:g} and {event.morale[1] / 10:g}"
                )
            case BattleOver():
                won = f"{tables.name(event.winner)} wins" if event.winner else "No winner"
                result = f"Result: {won} ({event.why})"
    yield f"Losses in all: attacker {lost[0]}, defender {lost[1]} factors"
    yield result


def _side_line(tables: Tables, side: str, force: Force) -> str:
    leader = f", led by {leader_name(force.leader)}" if force.leader else ""
    return f"{side}: {', '.join(map(tables.name, force.powers))}, {_corps_names(tables, force.corps)}{leader}"


def _corps_names(tables: Tables, corps: tuple[str, ...]) -> str:
    hidden = sum(one.startswith(HIDDEN) for one in corps)
    named = [tables.corps_names.get(one, one) for one in corps if not one.startswith(HIDDEN)]
    named += [f"{hidden} corps face down"] if hidden else []
    return ", ".join(named) or "no corps"


def _sea_page(tables: Tables, turn: int, event: CombatDecided, rolls: list[str]) -> Iterator[str]:
    yield f"Naval combat at {place_name(tables, event.place)}, {month_name(turn)}"
    yield f"Attacker: {', '.join(map(tables.name, event.attackers))}"
    yield f"Defender: {', '.join(map(tables.name, event.defenders))}"
    yield from (f"  {roll}" for roll in rolls)
    yield f"Ships lost: attacker {event.attacker_lost}, defender {event.defender_lost}"
    winners = {"attacker": event.attackers, "defender": event.defenders}.get(event.winner, ())
    won = f"{', '.join(map(tables.name, winners))} win{'' if winners[1:] else 's'}" if winners else "no winner"
    yield f"Result: {won}"


# --- campaign -------------------------------------------------------------------------------------------------------

BAR = 10
"""Signs of a full bar of morale."""


def battle_board(tables: Tables, state: State) -> Iterator[str]:
    """Yield the field combat in progress: both sides with corps, leader, chit, morale and losses."""
    battle = state.campaign.battle
    if battle is None:
        return
    yield f"Field combat in {tables.name(battle.area)} ({_ground_text(tables, battle)})"
    yield f"Day {battle.day}, rounds fought: {battle.round} of {ROUNDS}"
    owed = state.campaign.choices.owed
    for side, force, due in zip(("Attacker", "Defender"), (battle.attacker, battle.defender), owed, strict=True):
        yield ""
        yield f"{side}: {', '.join(map(tables.name, force.powers))}"
        if force.leader in state.leaders:
            yield f"  {leader_text(tables, state.leaders[force.leader])}"
        yield from (f"  {text}" for text in _combat_corps(tables, state, battle, force))
        yield f"  chit: {force.chit.replace('_', ' ') or 'face down'}"
        if force.chit:
            yield f"  {_morale_text(force)}; lost {force.lost}"
        if due:
            yield f"  {_owed_text(due)}"


def narrow_battle_board(tables: Tables, state: State, width: int, height: int) -> Iterator[str]:
    """Yield the field combat in progress for a small screen: the sides beside one another, what decides first."""
    battle = state.campaign.battle
    if battle is None:
        return
    ground = _ground_text(tables, battle)
    yield f"{tables.name(battle.area)} ({ground}): day {battle.day}, rounds fought: {battle.round} of {ROUNDS}"
    columns: list[list[str]] = []
    owed = state.campaign.choices.owed
    for side, force, due in zip(("Attacker", "Defender"), (battle.attacker, battle.defender), owed, strict=True):
        lines = [f"{side}: {', '.join(map(tables.name, force.powers))}"]
        lines.append(f"chit: {force.chit.replace('_', ' ') or 'face down'}")
        if force.chit:
            lines.append(f"{_morale_text(force)}; lost {force.lost}")
        if due:
            lines.append(_owed_text(due))
        if leader := state.leaders.get(force.leader):
            lines.append(f"{leader_name(leader.id)}: ratings {leader.strategic} and {leader.tactical}")
        corps = [text.replace(" Corps: ", ": ") for text in _combat_corps(tables, state, battle, force)]
        room = height - 1 - len(lines)
        if len(corps) > room:
            corps = [*corps[: room - 1], f"and {len(corps) - room + 1} more"]
        columns.append([*lines, *corps])
    half = width // 2
    for left, right in zip_longest(*columns, fillvalue=""):
        yield f"{_shortened(left, half - 1):<{half}}{_shortened(right, half)}".rstrip()


def _shortened(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 1]}…"


def _ground_text(tables: Tables, battle: Battle) -> str:
    return f"{tables.areas[battle.area].terrain}{', over a river' if battle.river else ''}"


def _owed_text(due: int) -> str:
    return f"{due} factor{'' if due == 1 else 's'} to take off"


def _morale_text(force: Force) -> str:
    full = max(0, min(BAR, round(force.morale / 5)))
    return f"morale {'█' * full}{'░' * (BAR - full)} {force.morale / 10:g}"


def _combat_corps(tables: Tables, state: State, battle: Battle, force: Force) -> Iterator[str]:
    """Yield each corps of a side with its factors, a depot garrison, and the corps in the siege lines."""
    for name in force.corps:
        if name in state.corps:
            corps = state.corps[name]
            size = "face down" if is_hidden(corps) else factors_text(corps.factors)
            around = "around the flank, " if name in force.around and not battle.arrived else ""
            known = tables.corps_names.get(name) or f"{corps.kind} corps".capitalize()
            yield f"{known}: {around}{size}"
    if force.garrison:
        yield "garrison of the depot"
    lines = corps_in_lines(state, battle.area)
    if lines and force is battle.defender:
        yield f"{len(lines)} more corps in the siege lines, out of the combat"


def chit_chart_lines(tables: Tables) -> Iterator[str]:
    """Yield the chart of chits: for each pair the tables of both sides in three rounds. Rules: EIA 7.5.2.5"""
    yield "A table is named after the factors and the morale that it costs the enemy, each from 1 (weak) to 5 (strong)."
    yield "The larger force does not strike harder in morale: a good chit, die and leader do."
    attacker = ""
    for row in tables.field_combat.chart:
        if row.attacker != attacker:
            attacker = row.attacker
            yield ""
            yield f"Attacker: {attacker.replace('_', ' ')}, against"
        river = ", over a river" if row.river else ""
        levels = [combat_levels(row, number, False) for number in range(1, ROUNDS + 1)]
        pairs = "  ".join(f"{'-'.join(map(str, one))} / {'-'.join(map(str, other))}" for one, other in levels)
        yield f"  {row.defender.replace('_', ' ') + river:<24}  {pairs}"


def calendar_lines(tables: Tables, state: State) -> Iterator[str]:
    """Yield what each month from now on brings, and the sieges."""
    exercise = tables.exercise
    for turn in range(state.turn, turn_of(exercise.last) + 1):
        winter = ", winter" if is_winter(tables, turn) else ""
        now = " (now)" if turn == state.turn else ""
        yield f"{month_name(turn)}{now}{winter}"
        for one in exercise.reinforcements:
            if turn_of(one.month) != turn:
                continue
            parts = [
                f"{tables.corps_names.get(corps.id, corps.id)} in {tables.name(corps.where)}" for corps in one.corps
            ]
            if one.factors.total:
                parts.append(
                    f"{factors_text(one.factors)} {f'in {tables.name(one.where)}' if one.where else 'at home'}"
                )
            if one.money:
                parts.append(f"{one.money} money points")
            yield f"  {tables.name(one.power)}: {', '.join(parts)}"
    yield ""
    yield "Sieges:" if state.campaign.sieges else "No sieges."
    for area, power in state.campaign.sieges.items():
        yield f"  {siege_text(tables, state, area, power)}"


def siege_text(tables: Tables, state: State, area: str, power: str) -> str:
    """Return a siege in words: besieger, start, what is in the city, and the roll for a breach."""
    since = month_name(state.campaign.besieged_since.get(area, state.turn))
    held = city_garrison(state, area)
    corps = sum(1 for one in state.corps.values() if one.where == area and one.inside)
    inside = f"{held} factors{f' and {corps} corps' if corps else ''}"
    breach = ""
    if tables.exercise.complete:
        needed = breach_needed(tables, area) - breach_modifier(state, power, area)
        breach = f"; a breach needs {max(1, needed)}" if needed <= 6 else "; no breach yet"
    return f"{tables.areas[area].city}: {tables.name(power)} since {since}, inside {inside}{breach}"
