"""Why an army cannot go where it is told: which step is not allowed, what stands in the way, what would open it.

Rules: MOV-010 to MOV-015, MOV-019, SET-022, SET-024, CCB-030, CCB-033, CCB-041
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import NoReturn

from paxtui.pax.board import paths
from paxtui.pax.board.neighbours import board
from paxtui.pax.board.status import at, controllers, influence_holders
from paxtui.pax.board.tables import HOME
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.words.spoken import place_name, powers_named, the_zone


def refuse_step(play: Play, power: str, path: tuple[str, ...], i: int, why: str) -> NoReturn:
    """Raises: Refusal for the step of a path spelt out that is not allowed."""
    here, there = place_name(play.tables, path[i - 1]), place_name(play.tables, path[i])
    who = play.tables.powers[power].name
    if why == "apart":
        refuse("no_path", ("MOV-010", "SET-021", "SET-022"), f"{there} is not next to {here}.", step=i)
    if why == "no_fleet":
        refuse("no_fleet", ("MOV-012", "MOV-011"), f"{who} has no Merchant Fleet in the {there}.", step=i)
    if why == "sea":
        refuse("at_sea", ("MOV-011", "SET-081"), f"Army Units pass the {there} but cannot stop there.", step=i)
    if why == "foreign_home":
        refuse("foreign_home", ("SET-024",), f"{there} is the Home Country of another Power.", step=i)
    if why == "stop":
        refuse(
            "must_stop",
            ("MOV-013", "MOV-014", "MOV-015"),
            f"Army Units that enter {there} must stop there: it is in Unrest, or its Control is not established.",
            step=i,
        )
    _refuse_entry(play, power, path[i])


def _refuse_entry(play: Play, power: str, area: str) -> NoReturn:
    """Raises: Refusal `closed`, saying why armies of the Power may not enter an Area."""
    tables, state = play.tables, play.state
    name, who = place_name(tables, area), tables.powers[power].name
    here, holders = at(state, area), controllers(state, area)
    rules: tuple[str, ...] = ()
    owners = powers_named(tables, holders)
    if here.unrest and here.codominion:
        why, rules = f"{name} is in Unrest: only {owners}, who share it, may bring armies there.", ("CCB-041",)
    elif here.unrest and holders:
        why, rules = f"{name} is in revolt against {owners}: nobody else may bring armies there.", ("CCB-030",)
    elif holders:
        why = f"{name} is under the Control of {owners}: no other armies may go there."
    elif here.unrest:
        why, rules = (
            f"{name} is in Unrest under the Influence of {powers_named(tables, influence_holders(state, area))}: "
            f"{who} needs an established Influence there, or must place a Control marker first.",
            ("CCB-033",),
        )
    else:
        why, rules = f"{who} has no Control marker in {name}: place one first, then the army may enter.", ("MOV-019",)
    refuse("closed", ("MOV-015", *rules), why, area=area)


def refuse_way(play: Play, power: str, start: str, end: str) -> NoReturn:
    """Raises: Refusal for a move to a place no army of the Power can reach, naming what is in the way."""
    tables, state = play.tables, play.state
    if end in tables.sea_zones:
        refuse("at_sea", ("MOV-011", "SET-081"), f"Army Units cannot stop in {the_zone(tables, end)}.")
    if end.startswith(HOME) and end != HOME + power:
        refuse("foreign_home", ("SET-024",), f"{place_name(tables, end)} is the Home Country of another Power.")
    if not end.startswith(HOME) and not paths.entry(state, power, end):
        _refuse_entry(play, power, end)
    fleets, areas = _obstacles(play, power, start, end)
    needs = []
    if fleets:
        needs.append(f"a Merchant Fleet in {' and '.join('the ' + place_name(tables, z) for z in fleets)}")
    if areas:
        needs.append(f"established Control, without Unrest, of {' and '.join(place_name(tables, a) for a in areas)}")
    hint = f": {' and '.join(needs)} would open the nearest way" if needs else ": nothing leads there"
    refuse(
        "no_path",
        ("MOV-010", *(("MOV-012",) if fleets else ()), *(("MOV-015",) if areas else ()), "SET-022"),
        f"No army of {tables.powers[power].name} can get from {place_name(tables, start)} to "
        f"{place_name(tables, end)}{hint}.",
        missing_fleets=list(fleets),
        closed_areas=list(areas),
    )


def _obstacles(play: Play, power: str, start: str, end: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Sea Zones without a fleet of its own, and Areas that cannot be passed, on the way with the fewest of them.

    Areas weigh more than Sea Zones: a fleet sails anywhere at once.
    """
    tables, state = play.tables, play.state
    map_ = board(tables, state)
    todo: list[tuple[int, int, str, tuple[str, ...], tuple[str, ...]]] = [(0, 0, start, (), ())]
    done = set()
    while todo:
        _, steps, here, fleets, areas = heappop(todo)
        if here == end:
            return fleets, areas
        if here in done:
            continue
        done.add(here)
        for there in map_.around(here):
            lacking, closed = fleets, areas
            if there in map_.zone_next:
                if power not in state.sea_zones.get(there, ()):
                    lacking = (*fleets, there)
            elif there.startswith(HOME):
                if there != HOME + power:
                    continue
            elif there != end and paths.entry(state, power, there) != paths.PASS:
                closed = (*areas, there)
            if there not in done:
                heappush(todo, (len(lacking) + 100 * len(closed), steps + 1, there, lacking, closed))
    return (), ()
