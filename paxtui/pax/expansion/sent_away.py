"""Garrisons sent away: what the armies of a Power could hold when the Phase began, against what they hold now.

An army that is where it halts, or whose way back has gone with a Merchant Fleet, excuses nobody; an army that has
been called to a better Area does.

Rules: STA-039 to STA-042, STA-045, STA-047 (Decision 33)
"""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from paxtui.pax.board.status import controls
from paxtui.pax.board.tables import HOME, Tables
from paxtui.pax.expansion.garrison_plan import Rank, garrisoned, missing, plan, priority
from paxtui.pax.expansion.special_garrisons import INDIAN, KEPT, indian_army
from paxtui.pax.history import events as ev
from paxtui.pax.history.evolve import evolve
from paxtui.pax.state.model import State, as_begun, units_at
from paxtui.pax.state.pieces import ARMY, Unit


class Lacking(NamedTuple):
    """What has been sent away: Areas that must have an army again, and Army (10) Units that India has lost."""

    areas: tuple[str, ...] = ()
    indian: int = 0


def complete(tables: Tables, state: State, power: str) -> bool:
    """Whether every garrison of the Power is where it has to be, the Indian Army included."""
    return not missing(tables, state, power) and (power != INDIAN or indian_army(tables, state) == KEPT)


def lacking(tables: Tables, state: State, power: str) -> Lacking:
    """What the Power could have garrisoned from the beginning of the Phase and does not at this position.

    An Area that the Power has only got since then is not asked for here, but may have called an army to it.

    Rules: STA-039, STA-040, STA-041, STA-042, STA-045, STA-047 (Decision 33)
    """
    if state.phase_start is None or complete(tables, state, power):
        return Lacking()
    empty = missing(tables, state, power)
    best = _armies_of_the_beginning(tables, state, power)
    for march in plan(tables, best, power):
        best = evolve(best, ev.UnitsMoved(power=power, units=(march.unit,), path=march.path))
    indian = indian_army(tables, best) - indian_army(tables, state) if power == INDIAN else 0
    owed = [area for area in empty if controls(best, area, power) and garrisoned(best, area, power)]
    instead = [
        area
        for area in tables.areas
        if controls(state, area, power) and garrisoned(state, area, power) and not garrisoned(best, area, power)
    ]
    return Lacking(_not_replaced(tables, state, power, owed, instead), max(0, indian))


def _not_replaced(tables: Tables, state: State, power: str, owed: list[str], instead: list[str]) -> tuple[str, ...]:
    """Areas of `owed`, the most important first, for which none of `instead` is garrisoned that is as important.

    Rules: STA-040, STA-041
    """
    ranks: list[Rank] = sorted((priority(tables, state, power, a) for a in instead), reverse=True)
    out = []
    for area in owed:
        if ranks and ranks[0] >= priority(tables, state, power, area):
            ranks.pop(0)
        else:
            out.append(area)
    return tuple(out)


def _armies_of_the_beginning(tables: Tables, state: State, power: str) -> State:
    """The position with the armies and Merchant Fleets of the Power back where the Phase found them, no other units.

    Armies built since stay where they are and move no more. Markers are those of now, but for the Power's own where
    it had no Control then.
    """
    then = as_begun(state)
    areas = {}
    for name, here in state.areas.items():
        if not controls(then, name, power):
            here = replace(here, markers=tuple(m for m in here.markers if m.power != power or not m.established))
        areas[name] = here
    homes = dict(state.homes)
    for place, armies in _armies_back(tables, state, then, power).items():
        if place.startswith(HOME):
            homes[power] = tuple(armies)
        else:
            areas[place] = replace(areas[place], units=tuple(armies))
    return replace(state, areas=areas, homes=homes, sea_zones=then.sea_zones)


def _armies_back(tables: Tables, state: State, then: State, power: str) -> dict[str, list[Unit]]:
    """The armies of the Power by place, back where they were: those that have halted without going stay halted."""
    back: dict[str, list[Unit]] = {}
    for strength in tables.units:
        new: list[str] = []  # places of armies that were not there then, those that garrison something first
        missed = 0
        for place in (HOME + power, *state.areas):
            now, were = (
                [u for u in units_at(s, place) if u.power == power and u.kind == ARMY and u.strength == strength]
                for s in (state, then)
            )
            stayed = min(len(now), len(were))
            new += [place] * (len(now) - stayed)
            missed += len(were) - stayed
            free = min(stayed, sum(not u.halted for u in now))
            halts = [False] * free + [True] * (stayed - free) + [u.halted for u in were[stayed:]]
            back.setdefault(place, []).extend(Unit(power, ARMY, strength, halted=halt) for halt in halts)
        new.sort(key=lambda p: p.startswith(HOME) or not controls(state, p, power))
        for place in new[: len(new) - missed]:
            back[place].append(Unit(power, ARMY, strength, halted=True))
    return back
