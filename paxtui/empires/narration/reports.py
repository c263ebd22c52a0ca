"""Pages of the screen and of plain mode: an area in lines, leaders, the state of victory, and battles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from paxtui.empires.history.battle_events import BattleBegan
from paxtui.empires.history.event import Event
from paxtui.empires.history.sea_events import CombatDecided, Fired, WindRolled
from paxtui.empires.narration.area_card import area_card, leader_text, movement_text, victory_text
from paxtui.empires.narration.battle_report import battle_reports
from paxtui.empires.narration.summary import factors_said
from paxtui.empires.naval.places import name_of
from paxtui.empires.naval.stations import held
from paxtui.empires.play.standing import owner, runner
from paxtui.empires.state.model import State
from paxtui.empires.state.pieces import HIDDEN, Corps, Fleet, is_hidden
from paxtui.empires.supply.feeding import cost_of
from paxtui.empires.supply.lines import is_source, supply_of, valid_chain
from paxtui.empires.supply.prices import price
from paxtui.empires.tables.tables import Tables
from paxtui.empires.time.calendar import month, turn_of
from paxtui.empires.time.order_of_powers import LAND

SAILING = 7
"""Movement points of a fleet."""

BOXES = {"": "at sea", "port": "in port", "blockade": "in the blockade box"}


# --- areas ------------------------------------------------------------------------------------------------------


def area_lines(tables: Tables, state: State, seat: str, area: str) -> Iterator[str]:
    """Yield the card of an area in lines.

    Args: the tables; the position as the seat sees it; the seat, whose supply is told; the area.
    """
    card, where = area_card(tables, state, area), tables.areas[area]
    yield f"{card.name}: {card.terrain}{f', {card.owner}' if card.owner else ''}{', capital' if where.capital else ''}"
    ashore = LAND in tables.exercise.phases and not where.sea
    if ashore:
        city = f"{card.city}: supply value {card.supply}, room for {card.room} more factors" if card.city else "no city"
        yield f"Forage value {card.forage}; {city}"
    if where.port:
        guns = f", {where.guns} harbour guns" if where.guns else ""
        yield f"Port{guns}" + (f", on {tables.name(where.coast)}" if where.coast else "")
    if card.prize:
        yield f"Worth {_points(card.prize)} at the end to a Power that took it"
    for station in tables.exercise.stations:
        if area in station.where:
            whose = tables.name(station.power)
            yield f"Worth {_points(station.points)} a month to {whose} with {station.ships} ships: {station.why}"
    if ashore and seat in state.powers:
        yield supply_text(tables, state, seat, area)
    if card.besieger:
        yield f"Besieged by {tables.name(card.besieger)}"
    yield from (f"Depot of {power}" for power in card.depots)
    yield from (f"Garrison of {text}" for text in card.garrisons)
    yield from (stack_line(tables, one) for one in state.corps.values() if one.where == area)
    yield from (fleet_line(tables, one) for one in state.fleets.values() if one.where == area)
    yield from (f"Leader {text}" for text in card.leaders)


def supply_text(tables: Tables, state: State, seat: str, area: str) -> str:
    """Return whether a corps of a seat in an area would be in depot supply, and what it costs. Rules: EIA 7.4.2.1"""
    found = supply_of(tables, state, seat, area)
    standing = next((one for one in state.corps.values() if one.power == seat and one.where == area), None)
    halves = cost_of(tables, state, standing) if standing else price(found[1], False) if found else None
    if halves is None:
        return "Out of your depot supply: a corps here forages"
    here = area in valid_chain(tables, state, seat)
    source = ", a supply source" if here and is_source(tables, state, seat, area) else ""
    depot = f"depot at {tables.name(found[0])}{source}" if found else "from the sea"
    return f"In your supply, ${halves / 2:g} a corps: {depot}"


def stack_line(tables: Tables, corps: Corps) -> str:
    """Return a counter with its factors, capacity and movement points; less for one that lies face down."""
    inside = ", in the city" if corps.inside else ""
    if is_hidden(corps):
        return f"{tables.name(corps.power)}: {corps.kind} corps, face down{inside}"
    name = tables.corps_names.get(corps.id, corps.id)
    holds = f" (holds {factors_said(corps.most)})" if corps.most.total else ""
    return (
        f"{tables.name(corps.power)}: {corps.id}, {name}{inside}: "
        f"{factors_said(corps.factors)}{holds}; {movement_text(corps)}"
    )


def fleet_line(tables: Tables, fleet: Fleet) -> str:
    """Return a fleet with its ships, capacity, cargo and movement points."""
    most = f" of at most {fleet.most}" if fleet.most else ""
    cargo = f", carrying {', '.join(fleet.cargo)}" if fleet.cargo else ""
    ships = f"{fleet.ships} ships{most}{cargo}"
    return f"{tables.name(fleet.power)}: fleet {fleet.id} {BOXES[fleet.box]}: {ships}; {_left(fleet)}"


def _left(fleet: Fleet) -> str:
    return f"{max(0, SAILING - fleet.moved)} of {SAILING} points"


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
    """Yield how the exercise is won, who leads, and which political points are still open."""
    exercise = tables.exercise
    yield from victory_text(tables)[: 1 if exercise.victory else 0]
    months = max(0, turn_of(exercise.last) - state.turn + 1)
    fought = f"; combats fought: {state.campaign.fought} of {exercise.battles}" if exercise.battles else ""
    yield f"Last month: {month(turn_of(exercise.last))} ({months} to play){fought}"
    taken = dict.fromkeys(state.powers, 0)
    for area, points in exercise.prizes.items():
        holder, native = owner(tables, state, area), runner(state, tables.areas[area].owner)
        if holder != native and holder in taken:
            taken[holder] += points
    for power in sorted(state.powers, key=lambda one: -(state.accounts[one].points + taken[one])):
        more = f", and {taken[power]} for cities taken" if taken[power] else ""
        yield f"{tables.name(power)}: {_points(state.accounts[power].points)}{more}"
    if exercise.prizes:
        yield "At the end, for areas taken from their first holder:"
    for area, points in exercise.prizes.items():
        holder = owner(tables, state, area)
        whose = f"held by {tables.name(holder)}" if holder else "held by nobody"
        counts = holder != runner(state, tables.areas[area].owner) and holder in taken
        yield f"  {tables.name(area)} {points} ({whose}{', counts' if counts else ''})"
    if exercise.stations:
        yield "Each month, for waters held at the end of the naval phase:"
    for station in exercise.stations:
        seas = " or ".join(tables.name(sea) for sea in station.where)
        now = "held now" if held(state, station) else "not held now"
        wanted = f"{station.ships} ships in {seas} and no enemy there"
        yield f"  {tables.name(station.power)} {station.points}: {wanted} ({station.why}; {now})"


def _points(points: int) -> str:
    return f"{points} political point{'' if abs(points) == 1 else 's'}"


# --- battles ----------------------------------------------------------------------------------------------------


def battle_pages(tables: Tables, events: Iterable[tuple[int, Event]]) -> tuple[tuple[str, ...], ...]:
    """Return every battle as a page of lines, the last one first.

    Args: the tables; the events of a game as a seat may see them, each with its month.
    """
    pages: list[tuple[str, ...]] = []
    field: list[tuple[int, Event]] = []
    sea: list[str] = []
    for turn, event in events:
        if isinstance(event, BattleBegan) and event.battle.day == 1 and field:
            pages.append(tuple(_field_page(tables, field)))
            field = []
        if isinstance(event, BattleBegan) or field:
            field.append((turn, event))
        if isinstance(event, WindRolled):
            wind = f"{event.attacker_modified} to {event.defender_modified}"
            sea.append(f"Wind gauge, attacker to defender: {wind}")
        elif isinstance(event, Fired):
            guns = "harbour guns" if event.harbour else "broadside"
            hit = f"{event.percent} % of {event.ships} ships"
            sea.append(f"{event.side.capitalize()}'s {guns}: die {event.die}, {hit}: {event.losses} sunk")
        elif isinstance(event, CombatDecided):
            pages.append(tuple(_sea_page(tables, turn, event, sea)))
            sea = []
        if field and event.__struct_config__.tag == "battle_over":
            pages.append(tuple(_field_page(tables, field)))
            field = []
    if field:
        pages.append(tuple(_field_page(tables, field)))
    return tuple(reversed(pages))


def _field_page(tables: Tables, events: list[tuple[int, Event]]) -> Iterator[str]:
    turn, began = events[0]
    report = battle_reports(event for _, event in events)[0]
    yield f"Field combat in {tables.name(report.area)}, {month(turn)}"
    if isinstance(began, BattleBegan):
        for name, force in (("Attacker", began.battle.attacker), ("Defender", began.battle.defender)):
            powers = ", ".join(map(tables.name, force.powers))
            corps = _corps_names(tables, force.corps)
            leader = f", led by {force.leader.replace('_', ' ').title()}" if force.leader else ""
            yield f"{name}: {powers}, {corps}{leader}"
    for day, (attacker, defender) in enumerate(report.chits, 1):
        yield f"Day {day}, chits: attacker {attacker}, defender {defender}"
        for one in report.rounds:
            if one.day == day:
                yield (
                    f"  round {one.number}: dice {one.dice[0]} and {one.dice[1]}, "
                    f"losses {one.lost[0]} and {one.lost[1]}, "
                    f"morale left {one.morale[0] / 10:g} and {one.morale[1] / 10:g}"
                )
    yield f"Losses in all: attacker {report.lost[0]}, defender {report.lost[1]} factors"
    if report.why:
        won = f"{tables.name(report.winner)} wins" if report.winner else "Nobody wins"
        yield f"Result: {won} ({report.why})"
    else:
        yield "The combat goes on."


def _corps_names(tables: Tables, corps: tuple[str, ...]) -> str:
    hidden = sum(one.startswith(HIDDEN) for one in corps)
    named = [tables.corps_names.get(one, one) for one in corps if not one.startswith(HIDDEN)]
    named += [f"{hidden} corps face down"] if hidden else []
    return ", ".join(named) or "no corps"


def _sea_page(tables: Tables, turn: int, event: CombatDecided, rolls: list[str]) -> Iterator[str]:
    yield f"Naval combat at {name_of(tables, event.place)}, {month(turn)}"
    yield f"Attacker: {', '.join(map(tables.name, event.attackers))}"
    yield f"Defender: {', '.join(map(tables.name, event.defenders))}"
    yield from (f"  {roll}" for roll in rolls)
    yield f"Ships lost: attacker {event.attacker_lost}, defender {event.defender_lost}"
    winners = {"attacker": event.attackers, "defender": event.defenders}.get(event.winner, ())
    won = f"{', '.join(map(tables.name, winners))} win{'' if winners[1:] else 's'}" if winners else "nobody wins"
    yield f"Result: {won}"
