"""The Minor Powers Phase: active Minor Powers, the markers they place, and their armies against Unrest.

Each Minor Power acts on the holdings of the others before the Phase, so the order makes no difference. Conflicts among
them are settled after the last one (R-MIN-01, Decision 38). Then armies gather against Unrest in Areas they Control,
and return home in the next turn. The Colonial Combat Phase resolves the fights.

Rules: MIN-008
"""

from __future__ import annotations

from typing import NamedTuple

from paxtui.games.pax import casus_belli
from paxtui.games.pax.board import status
from paxtui.games.pax.board.adjacency import area_type
from paxtui.games.pax.board.caching import cached
from paxtui.games.pax.board.routes import army_path, linked_areas
from paxtui.games.pax.board.status import (
    area_state,
    controllers,
    controls,
    established,
    influence_holders,
    level,
    opposing,
)
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.combat import ottoman_expansion
from paxtui.games.pax.combat.colonial_combat import make_ottoman_war_due
from paxtui.games.pax.combat.results import army_names
from paxtui.games.pax.events import events
from paxtui.games.pax.events.events import evolve
from paxtui.games.pax.expansion import status_change
from paxtui.games.pax.expansion.garrisons import HEAVY, free_heavy_armies
from paxtui.games.pax.expansion.placement import OPEN_TYPES
from paxtui.games.pax.state.model import State, at_phase_start, units_at
from paxtui.games.pax.state.pieces import (
    ARMY,
    FULL_CONTROL,
    INFLUENCE,
    INTEREST,
    LEVEL,
    POSSESSION,
    PROTECTORATE,
    home_place,
)
from paxtui.games.pax.transaction import Phase, Transaction
from paxtui.games.pax.treaties import breaches


def movable_armies(tables: Tables, state: State, power: str, start: str, end: str) -> list[str]:
    """Return the Power's armies at `start` that special garrisons let go to `end`, the smallest first.

    Rules: MIN-016, STA-050, STA-051 (R-MIN-05, R-MIN-17)
    """
    names = sorted(u.strength for u in units_at(state, start) if u.power == power and u.kind == ARMY)
    heavy = free_heavy_armies(tables, state, power, start, end)
    out: list[str] = []
    for strength in names:
        if strength == HEAVY:
            if heavy <= 0:
                continue
            heavy -= 1
        out.append(f"A{strength}")
    return out


def go_against_unrest(play: Transaction, power: str) -> None:
    """Send all available armies to the Power's most valuable Area in Unrest, whether the Power was active or not.

    Rules: MIN-049, MIN-050, MIN-051, MIN-052, MIN-053, MIN-054, MIN-055, MIN-037 (Decision 46)
    """
    tables = play.tables
    unrest = {a for a, here in play.state.areas.items() if here.unrest}
    revolts = [a for a in tables.areas if a in unrest and controls(play.state, a, power)] if unrest else []
    if not revolts:
        return
    area = _most_valuable(play, power, revolts)
    moved = False
    places = [home_place(power)] + [
        a for a, here in play.state.areas.items() if a != area and any(u.power == power for u in here.units)
    ]
    for start in places:
        units = movable_armies(tables, play.state, power, start, area)
        if start != home_place(power):
            there = sum(1 for u in units_at(play.state, start) if u.power == power and u.kind == ARMY)
            units = units[1:] if len(units) == there else units  # one army always stays in a colonial Area (MIN-053)
        path = army_path(tables, play.state, power, start, area) if units else ()
        if path:
            rules = ("MIN-049", "MIN-051" if start == home_place(power) else "MIN-052", "MIN-054")
            march = events.UnitsMoved(power=power, units=tuple(units), path=path, reason="minor", rules=rules)
            if not breaches.is_forbidden(tables, play.state, march, power):
                play.emit(march)
                moved = True
    if moved:
        play.emit(events.MinorSentArmies(power=power, area=area, turn=play.state.turn, rules=("MIN-049", "MIN-059")))


def _most_valuable(play: Transaction, power: str, areas: list[str]) -> str:
    """Return the Area with the highest Economic Value; a die decides ties, counting in map order."""
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
    play.emit(events.DiceRolled(what="area_to_defend", dice=tuple(dice), power=power, outcome=area, rules=("MIN-055",)))
    return area


def send_surplus_home(play: Transaction) -> None:
    """Send all but the smallest army home, if they have a path, in the turn after they went against Unrest.

    Rules: MIN-059 (R-MIN-18)
    """
    for power, area, turn in play.state.moved_minors:
        if turn >= play.state.turn:
            continue
        there = sorted(u.strength for u in units_at(play.state, area) if u.power == power and u.kind == ARMY)
        path = army_path(play.tables, play.state, power, area, home_place(power))
        if len(there) > 1 and path and power in play.state.minors:
            units = tuple(f"A{n}" for n in there[1:])
            play.emit(events.UnitsMoved(power=power, units=units, path=path, reason="minor", rules=("MIN-059",)))
        play.emit(events.MinorSentArmies(power=power, area=area, turn=turn, home=True, rules=("MIN-059",)))


class ArmySource(NamedTuple):
    """An Army Unit for a new Protectorate: by `path` from its place, or from the stock (no path)."""

    unit: str
    path: tuple[str, ...]


def run(play: Transaction) -> None:
    """Send surplus armies home, let each Minor Power act, settle conflicts, send armies against Unrest.

    Rules: SEQ-009, MIN-011, MIN-054, MIN-059
    """
    if play.state.top.step == "done":
        return
    send_surplus_home(play)
    for power in play.state.minors:
        act_for_minor(play, power)
    settle_conflicts(play)
    for power in play.state.minors:
        go_against_unrest(play, power)
    ottoman_expansion.reinforce_possession(play)
    play.emit(events.StepTaken(step="done", rules=("SEQ-009",)))


def act_for_minor(play: Transaction, power: str) -> None:
    """Roll whether and where a Minor Power is active, and place the highest marker it qualifies for.

    Rules: MIN-010, MIN-011, MIN-012, MIN-030, MIN-031 (Decision 13)
    """
    tables = play.tables
    if power not in tables.minor_activity:  # a Great Power without a player
        return
    die = play.dice.roll()
    active = die <= tables.powers[power].active_on
    play.emit(events.MinorActivity(power=power, die=die, active=active, rules=("MIN-010",)))
    if not active:
        return
    row = tables.minor_activity[power]
    open_ = {area: best_marker(tables, play.state, power, area) for area in dict.fromkeys(row.values())}
    name = tables.powers[power].name
    if not any(open_.values()):
        none_left = not any(status.free_pieces(tables, play.state, power, pool) for pool in ("round", "hexagon"))
        why = "has no Status marker left" if none_left else "can place nothing in any Area of its table"
        play.add_note("minor_inactive", f"{name} {why}.", ("MIN-030" if none_left else "MIN-031",), power)
        return
    while True:
        dice = (play.dice.roll(), play.dice.roll())
        area = row[sum(dice)]
        taken = bool(open_[area])
        rules = ("MIN-011",) if taken else ("MIN-031",)
        play.emit(events.MinorDirected(power=power, dice=dice, area=area, accepted=taken, rules=rules))
        if taken:
            break
    place_for_minor(play, power, area, open_[area])


def best_marker(tables: Tables, state: State, power: str, area: str) -> str:
    """Return the highest marker above its present one that the Minor Power can place in the Area, "" for none.

    Rules: MIN-012, MIN-021, MIN-026, MIN-028, MIN-037 (R-MIN-04, Decision 46)
    """
    if area not in linked_areas(tables, state, power):
        return ""
    for marker, may in (
        (POSSESSION, _can_possess),
        (PROTECTORATE, _can_protect),
        (INFLUENCE, _can_influence),
        (INTEREST, _can_take_interest),
    ):
        own = level(established(state, area, power))
        if (
            own < LEVEL[marker]
            and may(tables, state, power, area)
            and _is_allowed_by_treaty(tables, state, power, area, marker)
        ):
            return marker
    return ""


def _is_allowed_by_treaty(tables: Tables, state: State, power: str, area: str, marker: str) -> bool:
    """Return whether the Minor Power's Treaties from a Congress allow it the marker and the army for it.

    Rules: MIN-037, TRE-004 (Decision 46)
    """
    placed = events.MarkerPlaced(area=area, power=power, marker=marker, established=True, turn=state.turn)
    if breaches.is_forbidden(tables, state, placed, power):
        return False
    new = [s for s in army_sources(tables, state, power, area) if s.path != (area,)] if marker == PROTECTORATE else []
    return not any(breaches.is_forbidden(tables, state, _arrival(power, area, army), power) for army in new)


def _arrival(power: str, area: str, army: ArmySource) -> events.Event:
    """Return the arrival of an army in the Area: from the stock, or from its place."""
    if not army.path:
        return events.UnitsBuilt(power=power, units=(army.unit,), place=area, rules=("MIN-018", "MIN-020"))
    rule = "MIN-016" if army.path[0] == home_place(power) else "MIN-017"
    return events.UnitsMoved(power=power, units=(army.unit,), path=army.path, reason="minor", rules=("MIN-015", rule))


def _can_possess(tables: Tables, state: State, power: str, area: str) -> bool:
    """Return whether a Protectorate and an army are already there."""
    own = established(state, area, power)
    return own is not None and own.marker == PROTECTORATE and bool(army_names(state, area, power))


def _can_protect(tables: Tables, state: State, power: str, area: str) -> bool:
    """Return whether a Protectorate is possible: a free piece, an army, no earlier foreign Control, an open Area.

    Rules: MIN-014, MIN-015, MIN-019, MIN-022, MIN-023 (R-MIN-02, Decision 38)
    """
    if opposing(at_phase_start(state), area, power):
        return False
    if area_type(tables, state, area) not in OPEN_TYPES and not area_state(state, area).unrest:
        return False
    return status.free_pieces(tables, state, power, "hexagon") > 0 and bool(army_sources(tables, state, power, area))


def _can_influence(tables: Tables, state: State, power: str, area: str) -> bool:
    """Return whether an Influence is possible: a free piece or an own Interest, and no earlier foreign Control."""
    piece = status.free_pieces(tables, state, power, "round") > 0 or level(established(state, area, power)) == 1
    return piece and not controllers(at_phase_start(state), area)


def _can_take_interest(tables: Tables, state: State, power: str, area: str) -> bool:
    """Return whether an Interest is possible: a free piece, and no earlier foreign Possession."""
    full = any(m.established and m.marker in FULL_CONTROL for m in area_state(at_phase_start(state), area).markers)
    return status.free_pieces(tables, state, power, "round") > 0 and not full


@cached(most=8, by=lambda tables, state, power, area: ((power, area), (tables, state)))
def army_sources(tables: Tables, state: State, power: str, area: str) -> list[ArmySource]:
    """Return Army Units for a Protectorate in `area`: several, if several Areas are equally near. Read-only result.

    The smallest comes from home, else from the nearest Area with two or more, else from the stock.

    Rules: MIN-015, MIN-016, MIN-017, MIN-018, MIN-019, MIN-020, STA-051 (R-MIN-05)
    """
    present = army_names(state, area, power)
    if present:
        return [ArmySource(present[-1], (area,))]
    marked = evolve(
        state, events.MarkerPlaced(area=area, power=power, marker=PROTECTORATE, established=True, turn=state.turn)
    )
    from_home = _smallest_from(tables, marked, power, home_place(power), area)
    if from_home:
        return [from_home]
    several = [a for a, here in state.areas.items() if len(here.units) > 1 and len(army_names(state, a, power)) > 1]
    found = [s for a in several if (s := _smallest_from(tables, marked, power, a, area))]
    if found:
        nearest = min(len(s.path) for s in found)
        return [s for s in found if len(s.path) == nearest]
    free = [n for n in sorted(tables.units) if status.free_pieces(tables, state, power, str(n)) > 0]
    return [ArmySource(f"A{free[0]}", ())] if free else []


def _smallest_from(tables: Tables, state: State, power: str, start: str, area: str) -> ArmySource | None:
    """Return the smallest army at `start` that may leave and has a path to `area`."""
    units = movable_armies(tables, state, power, start, area)
    path = army_path(tables, state, power, start, area) if units else ()
    return ArmySource(units[0], path) if path else None


def place_for_minor(play: Transaction, power: str, area: str, marker: str) -> None:
    """Place the marker, established at once and without a price; an army comes with a Protectorate.

    A Great Power with an Influence there gains its Casus Belli at once.

    Rules: MIN-005, MIN-007, MIN-012, MIN-015 to MIN-020, MIN-024, MIN-032, CCB-004, OTT-002, WAR-030
    """
    rules = {
        POSSESSION: ("MIN-012", "MIN-013"),
        PROTECTORATE: ("MIN-012", "MIN-014", "MIN-015", "MIN-022", "MIN-023"),
        INFLUENCE: ("MIN-012", "MIN-025", "MIN-027"),
        INTEREST: ("MIN-012", "MIN-028", "MIN-029"),
    }[marker]
    found = army_sources(play.tables, play.state, power, area) if marker == PROTECTORATE else []
    status_change.place_minor_marker(play, power, area, marker, (*rules, "MIN-005", "MIN-007"))
    if marker != PROTECTORATE:
        return
    army = found[play.dice.draw(len(found))] if len(found) > 1 else found[0]
    if army.path != (area,):
        play.emit(_arrival(power, area, army))
    make_ottoman_war_due(play, area, power)
    casus_belli.create_from_markers(play, area, (power,))


def settle_conflicts(play: Transaction) -> None:
    """Share Areas in which several Minor Powers took Control; lower Influences of other Minor Powers there.

    Rules: MIN-034, MIN-047, MIN-048, COD-001 (R-MIN-01)
    """
    state, then = play.state, at_phase_start(play.state)
    for area in state.areas:
        holders = controllers(state, area)
        takers = tuple(p for p in state.minors if p in holders and not controls(then, area, p))
        if not takers:
            continue
        if len(takers) > 1:
            play.emit(events.CodominionSet(area=area, powers=takers, rules=("MIN-034", "MIN-048", "COD-001")))
        for power in influence_holders(state, area):
            if power in state.minors:
                play.lower(area, power, INFLUENCE, INTEREST, "gives way to Control", ("MIN-047",), takers[0])


PHASE = Phase(name="minor_powers", run=run)
