"""What a screen shows of one area, of a leader, of a counter's movement, and of how an exercise is won."""

from __future__ import annotations

import msgspec

from paxtui.empires.narration.summary import factors_said
from paxtui.empires.play.allowances import allowance, left
from paxtui.empires.play.presence import CITY_ROOM, city_load
from paxtui.empires.play.standing import owner
from paxtui.empires.state.model import State
from paxtui.empires.state.pieces import Corps, Leader, is_hidden
from paxtui.empires.tables.tables import Tables


class AreaCard(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a seat knows of an area.

    Attributes:
        name: of the area.
        owner: the Power or neutral minor country that controls it, "" for nobody.
        terrain: open, forest, mountain, marsh, desert or sea.
        forage: the forage value.
        city: its name, "" for none.
        supply: the supply value of the city.
        room: factors that still fit into the city.
        prize: political points at the end for a Power that took it.
        besieger: the Power that besieges the city, "" for none.
        depots: the Powers with a depot.
        garrisons: each with its Power and factors, in words.
        stacks: counters and fleets, each in words.
        leaders: leaders there, each in words with ratings.
    """

    name: str
    owner: str
    terrain: str
    forage: int
    city: str
    supply: int
    room: int
    prize: int
    besieger: str
    depots: tuple[str, ...]
    garrisons: tuple[str, ...]
    stacks: tuple[str, ...]
    leaders: tuple[str, ...]


def area_card(tables: Tables, state: State, area: str) -> AreaCard:
    """Return the card of an area. Args: the tables; the position as a seat sees it; the area. Raises: KeyError."""
    where = tables.areas[area]
    corps = [one for one in state.corps.values() if one.where == area]
    fleets = [one for one in state.fleets.values() if one.where == area]
    places = {area, *(one.id for one in corps), *(one.id for one in fleets)}
    holder = owner(tables, state, area)
    return AreaCard(
        name=where.name,
        owner=tables.name(holder) if holder else "",
        terrain="sea" if where.sea else where.terrain or "open",
        forage=where.forage,
        city=where.city,
        supply=where.supply,
        room=max(0, CITY_ROOM * where.supply - city_load(state, area)),
        prize=tables.exercise.prizes.get(area, 0),
        besieger=state.campaign.sieges.get(area, ""),
        depots=tuple(tables.name(one.power) for one in state.depots if one.where == area),
        garrisons=tuple(
            f"{tables.name(one.power)}{', depot' if one.of_depot else ''}: {factors_said(one.factors)}"
            for one in state.garrisons
            if one.where == area
        ),
        stacks=(
            *(corps_text(tables, one) for one in corps),
            *(f"{tables.name(one.power)}, fleet {one.id}: {one.ships} ships" for one in fleets),
        ),
        leaders=tuple(leader_text(tables, one) for one in state.leaders.values() if one.where in places),
    )


def corps_text(tables: Tables, corps: Corps) -> str:
    """Return a counter in words: whose, which, its factors and movement points left; less for one face down."""
    inside = ", in the city" if corps.inside else ""
    if is_hidden(corps):
        return f"{tables.name(corps.power)}, {corps.kind} corps{inside}"
    name = tables.corps_names.get(corps.id, corps.id)
    return f"{tables.name(corps.power)}, {name}: {factors_said(corps.factors)}; {movement_text(corps)}{inside}"


def movement_text(corps: Corps) -> str:
    """Return the movement points of a counter: those left, of how many. Rules: EIA 7.3.1.1"""
    return f"{left(corps)} of {allowance(corps.kind, corps.swift and corps.power == 'france', corps.forced)} points"


def leader_text(tables: Tables, leader: Leader) -> str:
    """Return a leader with rank, ratings and the corps that the leader can command."""
    name = leader.id.replace("_", " ").title()
    most = f", commands {leader.most} corps" if leader.most else ""
    ratings = f"strategic {leader.strategic}, tactical {leader.tactical}"
    return f"{name} ({tables.name(leader.power)}): rank {leader.rank}, {ratings}{most}"


def victory_text(tables: Tables) -> tuple[str, ...]:
    """Return how an exercise is won: its condition, the cities that are worth points, and the waters that are."""
    exercise = tables.exercise
    lines = [exercise.victory] if exercise.victory else []
    if exercise.prizes:
        prizes = ", ".join(f"{tables.name(area)} {points}" for area, points in exercise.prizes.items())
        lines.append(f"Points at the end for an area that a Power took: {prizes}.")
    for one in exercise.stations:
        seas = " or ".join(tables.name(sea) for sea in one.where)
        lines.append(f"{tables.name(one.power)}: {one.points} a month for {one.ships} ships in {seas}: {one.why}.")
    return tuple(lines)
