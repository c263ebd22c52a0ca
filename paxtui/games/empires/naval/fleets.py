"""Places and owners of fleets: where they may go, enemies and allies at sea, and waters worth points.

Orders name a port by its area (`brest`) and its blockade box with a prefix (`off_brest`). Points for waters are a rule
of the exercises only: they give fleets a reason to sail.

Rules: EIA 6.2.1, 6.2.2, 6.2.3.1, 6.2.5.1, 6.2.7, 6.3.1.2
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

from paxtui.games.empires.board import controller, is_at_war
from paxtui.games.empires.calendar import is_winter
from paxtui.games.empires.pieces import Fleet
from paxtui.games.empires.state import State
from paxtui.games.empires.supply_lines import port_seas
from paxtui.games.empires.tables import Station, Tables
from paxtui.games.empires.transaction import Transaction, refuse

BLOCKADE_BOX = "off_"
"""What stands before the name of a port in the name of its blockade box."""

PlaceKind = Literal["sea", "port", "box", ""]

CanStep = Callable[[str, str], bool]
"""Whether a step from a place to an adjacent one is possible."""


def blockade_box(port: str) -> str:
    """The blockade box of a port."""
    return BLOCKADE_BOX + port


def port_at(place: str) -> str:
    """The port that a place is, or whose blockade box it is; a sea area is given back as it is."""
    return place.removeprefix(BLOCKADE_BOX)


def place_kind(tables: Tables, place: str) -> PlaceKind:
    """What sort of place it is, "" for none where a fleet can be."""
    area = tables.areas.get(port_at(place))
    if area is None:
        return ""
    if area.port:
        return "port" if place == area.id else "box"
    return "sea" if area.sea and place == area.id else ""


def place_of_fleet(fleet: Fleet) -> str:
    """Where a fleet is."""
    return blockade_box(fleet.where) if fleet.box == "blockade" else fleet.where


def fleet_location(tables: Tables, place: str) -> tuple[str, str]:
    """A place as a fleet has it: its `where` and `box`."""
    return port_at(place), {"sea": "", "port": "port", "box": "blockade", "": ""}[place_kind(tables, place)]


def place_name(tables: Tables, place: str) -> str:
    """A place as it is shown: `Channel`, `Brest`, `off Brest`."""
    return f"off {tables.name(port_at(place))}" if place_kind(tables, place) == "box" else tables.name(place)


def adjacent_places(tables: Tables, place: str) -> tuple[str, ...]:
    """The places that one step leads to: a port has its box only, a box its port and the seas outside.

    Rules: EIA 6.2.1.2
    """
    match place_kind(tables, place):
        case "port":
            return (blockade_box(place),)
        case "box":
            return (port_at(place), *port_seas(tables, port_at(place)))
        case _:
            return (*tables.seas_by_area[place], *map(blockade_box, tables.ports_by_sea[place]))


def step_points(tables: Tables, start: str, end: str) -> int:
    """Return the movement points of the step from `start` to the adjacent place `end`.

    Rules: EIA 6.2.1.1, 6.2.1.2
    """
    return 0 if port_at(start) == port_at(end) else 1


def full_route(tables: Tables, start: str, route: tuple[str, ...]) -> tuple[str, ...]:
    """`route` with the blockade boxes that it leaves unsaid: between a port and the sea outside lies its box.

    Rules: EIA 6.2.1.2
    """
    whole: list[str] = []
    at = start
    for place in route:
        if place_kind(tables, place) and place not in adjacent_places(tables, at):
            boxes = [blockade_box(port_at(one)) for one in (at, place) if place_kind(tables, one) == "port"]
            for box in boxes:
                if box in adjacent_places(tables, at) and place in adjacent_places(tables, box):
                    whole.append(box)
                    break
        whole.append(place)
        at = place
    return tuple(whole)


def short_route(tables: Tables, start: str, route: tuple[str, ...]) -> tuple[str, ...]:
    """A route without the blockade boxes that need not be said: what `written_out` puts back."""
    short = route
    for place in route:
        rest = tuple(one for one in short if one != place)
        if place_kind(tables, place) == "box" and rest and full_route(tables, start, rest) == route:
            short = rest
    return short


def routes_within(
    tables: Tables, start: str, limit: int, is_possible: CanStep
) -> dict[str, tuple[int, tuple[str, ...]]]:
    """Return every place within `limit` movement points: the points it takes, and the shortest way without `start`."""
    found: dict[str, tuple[int, tuple[str, ...]]] = {start: (0, ())}
    edge = [start]
    while edge:
        edge.sort(key=lambda place: found[place][0])
        at = edge.pop(0)
        spent, so_far = found[at]
        for place in adjacent_places(tables, at):
            points = spent + step_points(tables, at, place)
            if points <= limit and (place not in found or points < found[place][0]) and is_possible(at, place):
                found[place] = (points, (*so_far, place))
                edge.append(place)
    return found


ACCESS = "c.5"
"""The peace term by which a loser lets the victor in."""


def combined_powers(state: State, power: str) -> tuple[str, ...]:
    """The Powers that move combined with a Power, itself among them.

    Rules: EIA 6.2.2
    """
    together = next((pair for pair in state.combined if power in pair), (power,))
    return tuple(one for one in state.powers if one in together) or (power,)


def fleet_nation(fleet: Fleet) -> str:
    """Whose ships a fleet has: a Power or a minor country."""
    return fleet.nation or fleet.power


def fleets_at(state: State, place: str) -> tuple[Fleet, ...]:
    """The fleets at a place."""
    return tuple(fleet for fleet in state.fleets.values() if place_of_fleet(fleet) == place)


def stack_at(state: State, place: str, powers: Iterable[str]) -> tuple[Fleet, ...]:
    """The fleets of some Powers at a place, which are one stack.

    Rules: EIA 6.2.2
    """
    wanted = tuple(powers)
    return tuple(fleet for fleet in fleets_at(state, place) if fleet.power in wanted)


def ship_count(fleets: Iterable[Fleet]) -> int:
    """The ships of some fleets."""
    return sum(fleet.ships for fleet in fleets)


def fleet_owners(fleets: Iterable[Fleet]) -> tuple[str, ...]:
    """Whose fleets these are, each Power once."""
    return tuple(dict.fromkeys(fleet.power for fleet in fleets))


def powers_aboard(state: State, fleets: Iterable[Fleet]) -> tuple[str, ...]:
    """Whose corps are aboard some fleets, each Power once."""
    aboard = (state.corps[corps].power for fleet in fleets for corps in fleet.cargo)
    return tuple(dict.fromkeys(aboard))


def is_hostile(state: State, power: str, fleets: Iterable[Fleet]) -> bool:
    """Whether a Power is at war with one of these fleets, or with a corps aboard them.

    Rules: EIA 6.2.3.1
    """
    stacked = tuple(fleets)
    return any(is_at_war(state, power, one) for one in (*fleet_owners(stacked), *powers_aboard(state, stacked)))


def is_at_war_with_any(state: State, power: str, others: Iterable[str]) -> bool:
    """Whether a Power is at war with one of several."""
    return any(is_at_war(state, power, one) for one in others)


def blockading_fleets(state: State, port: str, power: str) -> tuple[Fleet, ...]:
    """The fleets in the blockade box of a port that are at war with a Power."""
    return tuple(fleet for fleet in fleets_at(state, blockade_box(port)) if is_at_war(state, power, fleet.power))


def commanding_admiral(state: State, fleets: Iterable[Fleet]) -> str:
    """The leader who commands some fleets at sea, "" where none is with them."""
    ids = {fleet.id for fleet in fleets}
    return next((name for name, one in state.leaders.items() if one.naval and one.where in ids), "")


def has_access(state: State, guest: str, holder: str) -> bool:
    """Whether a Power lets another into its areas, by leave or by the term C.5 of a peace."""
    peace = any(one.loser == holder and one.victor == guest and ACCESS in one.terms for one in state.treaties)
    return peace or (holder, guest) in state.access


def is_port_open(tables: Tables, state: State, power: str, port: str) -> bool:
    """Whether a Power may lie in a port: it holds it, or moves combined with its holder, or has access from it.

    Rules: EIA 6.2.1.2
    """
    holder = controller(tables, state, port)
    return holder in combined_powers(state, power) or has_access(state, power, holder)


def carriable_powers(tables: Tables, state: State, fleet: Fleet) -> tuple[str, ...]:
    """Return the Powers whose corps a fleet in port could carry: combined Powers with corps in the area.

    Rules: EIA 6.2.7, 6.3.1.3
    """
    if not fleet.box:
        return ()
    group = combined_powers(state, fleet.power)
    ashore = (one.power for one in state.corps.values() if one.where == fleet.where and one.power in group)
    return tuple(dict.fromkeys(power for power in ashore if power != fleet.power))


def besieging_powers(tables: Tables, state: State, area: str) -> tuple[str, ...]:
    """Powers whose corps stand outside the city of an area that its holder still garrisons."""
    holder = controller(tables, state, area)
    outside = (one.power for one in state.corps.values() if one.where == area and not one.inside)
    held = any(one.where == area and one.power == holder and not one.of_depot for one in state.garrisons)
    return tuple(dict.fromkeys(power for power in outside if held and is_at_war(state, power, holder)))


def can_pass_gate(tables: Tables, state: State, power: str, place: str) -> bool:
    """Whether a Power may enter a sea area that a city commands; any other it may.

    Rules: EIA 6.2.1.3
    """
    gate = tables.areas[port_at(place)].gate
    if not gate or place_kind(tables, place) != "sea":
        return True
    holder, around = controller(tables, state, gate), besieging_powers(tables, state, gate)
    return (holder == power and not around) or power in around or has_access(state, power, holder)


def is_frozen(tables: Tables, state: State, place: str) -> bool:
    """Whether ice closes a sea area this month.

    Rules: EIA 6.2.1.4
    """
    area = tables.areas[port_at(place)]
    return area.sea and area.winter and place_kind(tables, place) == "sea" and is_winter(tables, state.turn)


def is_sea_open(tables: Tables, state: State, powers: Iterable[str], place: str) -> bool:
    """Whether neither ice nor the Dardanelles keep fleets of these Powers out of a place, whatever lies there.

    Rules: EIA 6.2.1.3, 6.2.1.4, 6.3.5.1.2
    """
    return not is_frozen(tables, state, place) and all(can_pass_gate(tables, state, one, place) for one in powers)


def can_blockade(tables: Tables, state: State, power: str, port: str) -> bool:
    """Whether a Power has an enemy to blockade at a port: its holder, a fleet in port or box, a corps to be carried.

    Rules: EIA 6.2.7, 6.2.7.1
    """
    if is_at_war(state, power, controller(tables, state, port)):
        return True
    there = (*fleets_at(state, port), *fleets_at(state, blockade_box(port)))
    others = tuple(fleet for fleet in there if fleet.power != power)
    cargo = tuple(one for fleet in fleets_at(state, port) for one in carriable_powers(tables, state, fleet))
    return is_hostile(state, power, others) or is_at_war_with_any(state, power, cargo)


def has_enemies_in_port(tables: Tables, state: State, power: str, port: str) -> bool:
    """Whether a fleet lies in a port that a Power may attack there, by itself or for what it could carry.

    Rules: EIA 6.2.1.2, 6.3.1.3
    """
    return any(
        is_hostile(state, power, (fleet,)) or is_at_war_with_any(state, power, carriable_powers(tables, state, fleet))
        for fleet in fleets_at(state, port)
        if fleet.power != power
    )


def check_step(tables: Tables, state: State, fleets: tuple[Fleet, ...], start: str, place: str, last: bool) -> None:
    """Refuse a step of a stack to an adjacent place; `last`: it means to stay there. Raises: Refusal.

    Rules: EIA 6.2.1.2, 6.2.1.3, 6.2.1.4, 6.2.5.1, 6.2.7
    """
    name = place_name(tables, place)
    powers = fleet_owners(fleets)
    if is_frozen(tables, state, start):
        refuse("ice", f"Ice keeps the stack in {place_name(tables, start)} until winter is over.", "EIA 6.2.1.4")
    if is_frozen(tables, state, place):
        refuse("ice", f"No fleet can enter {name} in winter: it is north of the ice line.", "EIA 6.2.1.4")
    for power in powers:
        if not can_pass_gate(tables, state, power, place):
            gate = tables.name(tables.areas[place].gate)
            refuse("straits", f"The holder of {gate} does not let {tables.name(power)} into {name}.", "EIA 6.2.1.3")
    if place_kind(tables, place) == "port":
        _check_port(tables, state, fleets, place)
    if place_kind(tables, place) == "box" and last:
        port = port_at(place)
        if not all(can_blockade(tables, state, power, port) for power in powers):
            refuse(
                "no_blockade",
                f"Only enemies can enter a blockade box: no Power at {tables.name(port)} is at war with that stack.",
                "EIA 6.2.7",
            )


def _check_port(tables: Tables, state: State, fleets: tuple[Fleet, ...], port: str) -> None:
    """Refuse a port that a stack may not enter. Raises: Refusal."""
    for power in fleet_owners(fleets):
        if is_port_open(tables, state, power, port):
            continue
        if powers_aboard(state, fleets):
            refuse(
                "closed_port",
                f"A fleet with corps aboard enters only ports it holds or has access to, not {tables.name(port)}.",
                "EIA 6.2.5.1",
            )
        if not has_enemies_in_port(tables, state, power, port):
            refuse(
                "closed_port",
                f"{tables.name(power)} enters {tables.name(port)} only with permission of its holder, or to attack.",
                "EIA 6.2.1.2",
            )


UNPUBLISHED_RULE = "ours: stations"
"""What stands for the section where the rule is ours."""


def is_station_controlled(state: State, station: Station) -> bool:
    """Whether a station is held: enough ships in one of its sea areas, and no enemy there."""
    for place in station.where:
        own = stack_at(state, place, combined_powers(state, station.power))
        enemies = [fleet for fleet in fleets_at(state, place) if is_at_war(state, station.power, fleet.power)]
        if ship_count(own) >= station.ships and not enemies:
            return True
    return False


def pay_stations(play: Transaction) -> None:
    """The points of every station that is held at the end of the naval phase."""
    for station in play.tables.exercise.stations:
        if is_station_controlled(play.state, station):
            play.points(station.power, station.points, station.why, UNPUBLISHED_RULE)
