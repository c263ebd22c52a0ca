"""The moves of a menu: for each place and kind of units, where they may go.

Rules: MOV-006 to MOV-018, STA-048, STA-050, asked of the modules that hold them
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from paxtui.pax.board.neighbours import board
from paxtui.pax.board.paths import may_start, naval_ends, reach
from paxtui.pax.board.status import at, controls
from paxtui.pax.board.tables import Tables
from paxtui.pax.expansion.special_garrisons import check_western, western_zone
from paxtui.pax.menus.menu import End, Moves
from paxtui.pax.play.play import Trial, refusal_of
from paxtui.pax.state.model import State, units_at
from paxtui.pax.state.pieces import ARMY, NAVAL, Unit, home


def moves_of(tables: Tables, state: State, power: str) -> Iterator[Moves]:
    """The moves of a Power's Military Units as a grammar."""
    naval = naval_targets(tables, state, power)
    networks: list[tuple[str, ...]] = []
    for place in (home(power), *state.areas):
        units = [u for u in units_at(state, place) if u.power == power and not u.halted]
        armies = [u for u in units if u.kind == ARMY]
        if armies and may_start(state, power, place):
            yield from _marches(tables, state, power, place, armies, _reached(tables, state, power, place, networks))
        for coast in dict.fromkeys(u.coast for u in units if u.kind == NAVAL):
            fleets = tuple(u.name for u in units if u.kind == NAVAL and u.coast == coast)
            ends = tuple(e for e in naval if e.place != place or e.coast not in ("", coast))
            if ends:
                yield Moves(power, place, NAVAL, fleets, ends)


def _marches(
    tables: Tables, state: State, power: str, start: str, armies: list[Unit], ends: tuple[str, ...]
) -> Iterator[Moves]:
    """The moves of armies from one place; where only some of them may leave for somewhere, those ends apart."""
    trial = Trial(tables, state)
    groups: dict[tuple[str, ...], list[End]] = {}
    answers: dict[bool, tuple[str, ...]] = {}
    zone = western_zone(tables)
    for end in ends:
        within = end in zone
        if within not in answers:
            answers[within] = tuple(u.name for u in _may_leave(trial, power, start, armies, end))
        groups.setdefault(answers[within], []).append(End(end))
    for names, there in groups.items():
        if names:
            yield Moves(power, start, ARMY, names, tuple(there))


def _may_leave(trial: Trial, power: str, start: str, armies: list[Unit], end: str) -> list[Unit]:
    """The most of `armies`, light ones first, that the rules of the Western Garrison let go to `end` together."""
    going = sorted(armies, key=lambda u: u.strength)
    for count in range(len(going), 0, -1):
        if refusal_of(partial(check_western, trial, power, going[:count], start, end)) is None:
            return going[:count]
    return []


def _reached(
    tables: Tables, state: State, power: str, start: str, networks: list[tuple[str, ...]]
) -> tuple[str, ...]:
    """Places where an army may end a move from `start`. Starts that armies may also pass share their ends."""
    passed = start == home(power) or (controls(state, start, power) and not at(state, start).unrest)
    if passed:
        for known in networks:
            if start in known:
                return tuple(p for p in known if p != start)
    ends = tuple(p for p in reach(tables, state, power, start) if p != start)
    if passed:
        networks.append((*ends, start))
    return ends


def naval_targets(tables: Tables, state: State, power: str) -> tuple[End, ...]:
    """Where a Naval Unit may go: own Controlled coasts and home boxes, each with its coast where there are several."""
    map_ = board(tables, state)
    found: list[End] = []
    boxes = tables.homes[power].boxes
    found += [End(home(power), box[0] if len(boxes) > 1 else "") for box in boxes]
    for area in naval_ends(tables, state, power):
        coasts = map_.split_coasts(area)
        found += [End(area, coast) for coast in coasts] if coasts else [End(area)]
    return tuple(found)
