"""What Minor Powers do about Unrest in the Areas they Control: armies gather there, and go home the turn after.

The fighting itself is done in the Colonial Combat Phase.

Rules: MIN-049 to MIN-055, MIN-059, STA-050, STA-051
"""

from __future__ import annotations

from paxtui.pax.board.paths import way
from paxtui.pax.board.status import controls
from paxtui.pax.board.tables import Tables
from paxtui.pax.expansion.special_garrisons import HEAVY, heavies_free
from paxtui.pax.history import events as ev
from paxtui.pax.play.play import Play
from paxtui.pax.state.model import State, units_at
from paxtui.pax.state.pieces import ARMY, home
from paxtui.pax.treaties import treaty_watch


def movable(tables: Tables, state: State, power: str, start: str, end: str) -> list[str]:
    """The Power's armies at `start` that may leave for `end` as far as special garrisons go, the smallest first.

    Rules: MIN-016, STA-050, STA-051 (R-MIN-05, R-MIN-17)
    """
    names = sorted(u.strength for u in units_at(state, start) if u.power == power and u.kind == ARMY)
    heavy = heavies_free(tables, state, power, start, end)
    out: list[str] = []
    for strength in names:
        if strength == HEAVY:
            if heavy <= 0:
                continue
            heavy -= 1
        out.append(f"A{strength}")
    return out


def go_against_unrest(play: Play, power: str) -> None:
    """All armies that can go to the Power's Area in Unrest, the most valuable one, whether it was active or not.

    Rules: MIN-049, MIN-050, MIN-051, MIN-052, MIN-053, MIN-054, MIN-055, MIN-037 (Decision 46)
    """
    tables = play.tables
    unrest = {a for a, here in play.state.areas.items() if here.unrest}
    revolts = [a for a in tables.areas if a in unrest and controls(play.state, a, power)] if unrest else []
    if not revolts:
        return
    area = _most_valuable(play, power, revolts)
    moved = False
    places = [home(power)] + [
        a for a, here in play.state.areas.items() if a != area and any(u.power == power for u in here.units)
    ]
    for start in places:
        units = movable(tables, play.state, power, start, area)
        if start != home(power):
            units = _all_but_one(play.state, power, start, units)
        path = way(tables, play.state, power, start, area) if units else ()
        if path:
            rules = ("MIN-049", "MIN-051" if start == home(power) else "MIN-052", "MIN-054")
            march = ev.UnitsMoved(power=power, units=tuple(units), path=path, reason="minor", rules=rules)
            if not treaty_watch.forbidden(tables, play.state, march, power):
                play.emit(march)
                moved = True
    if moved:
        play.emit(ev.MinorSentArmies(power=power, area=area, turn=play.state.turn, rules=("MIN-049", "MIN-059")))


def _all_but_one(state: State, power: str, start: str, units: list[str]) -> list[str]:
    """Those of `units` that leave a colonial Area: one army always stays, the smallest if all could go (MIN-053)."""
    there = sum(1 for u in units_at(state, start) if u.power == power and u.kind == ARMY)
    return units[1:] if len(units) == there else units


def _most_valuable(play: Play, power: str, areas: list[str]) -> str:
    """The Area with the highest Economic Value; equal ones are diced for: the die counts them off in map order.

    Rules: MIN-055
    """
    values = play.tables.areas
    best = max(values[a].value for a in areas)
    tied = [a for a in areas if values[a].value == best]
    if len(tied) == 1:
        return tied[0]
    if len(tied) > 6:
        return tied[play.dice.draw(len(tied))]
    dice = [play.dice.roll()]
    while dice[-1] > len(tied):
        dice.append(play.dice.roll())
    area = tied[dice[-1] - 1]
    play.emit(
        ev.DiceRolled(what="area_to_defend", dice=tuple(dice), power=power, outcome=area, rules=("MIN-055",))
    )
    return area


def send_surplus_home(play: Play) -> None:
    """The turn after armies were sent against Unrest, all but the smallest go home from there, if they have a path.

    Rules: MIN-059 (R-MIN-18)
    """
    for power, area, turn in play.state.moved_minors:
        if turn >= play.state.turn:
            continue
        there = sorted(u.strength for u in units_at(play.state, area) if u.power == power and u.kind == ARMY)
        path = way(play.tables, play.state, power, area, home(power))
        if len(there) > 1 and path and power in play.state.minors:
            units = tuple(f"A{n}" for n in there[1:])
            play.emit(ev.UnitsMoved(power=power, units=units, path=path, reason="minor", rules=("MIN-059",)))
        play.emit(ev.MinorSentArmies(power=power, area=area, turn=turn, home=True, rules=("MIN-059",)))
