"""The Minor Powers Phase: which Minor Powers are active, where, and what they place there.

Power by Power, each judged against what the others held before the Phase, so that their order makes no difference;
conflicts among them are settled after the last one (R-MIN-01, Decision 38), then armies go against Unrest.

Rules: SEQ-009, MIN-005, MIN-007, MIN-008, MIN-010 to MIN-034, MIN-047, MIN-048, CCB-004, OTT-002

What Minor Powers do about Unrest in the Areas they Control: armies gather there, and go home the turn after.

The fighting itself is done in the Colonial Combat Phase.

Rules: MIN-049 to MIN-055, MIN-059, STA-050, STA-051
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
    """The Power's armies at `start` that may leave for `end` as far as special garrisons go, the smallest first.

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
    places = [home_place(power)] + [
        a for a, here in play.state.areas.items() if a != area and any(u.power == power for u in here.units)
    ]
    for start in places:
        units = movable_armies(tables, play.state, power, start, area)
        if start != home_place(power):
            units = _all_but_one(play.state, power, start, units)
        path = army_path(tables, play.state, power, start, area) if units else ()
        if path:
            rules = ("MIN-049", "MIN-051" if start == home_place(power) else "MIN-052", "MIN-054")
            march = events.UnitsMoved(power=power, units=tuple(units), path=path, reason="minor", rules=rules)
            if not breaches.is_forbidden(tables, play.state, march, power):
                play.emit(march)
                moved = True
    if moved:
        play.emit(events.MinorSentArmies(power=power, area=area, turn=play.state.turn, rules=("MIN-049", "MIN-059")))


def _all_but_one(state: State, power: str, start: str, units: list[str]) -> list[str]:
    """Those of `units` that leave a colonial Area: one army always stays, the smallest if all could go (MIN-053)."""
    there = sum(1 for u in units_at(state, start) if u.power == power and u.kind == ARMY)
    return units[1:] if len(units) == there else units


def _most_valuable(play: Transaction, power: str, areas: list[str]) -> str:
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
        events.DiceRolled(what="area_to_defend", dice=tuple(dice), power=power, outcome=area, rules=("MIN-055",))
    )
    return area


def send_surplus_home(play: Transaction) -> None:
    """The turn after armies were sent against Unrest, all but the smallest go home from there, if they have a path.

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
    """An Army Unit for a new Protectorate: by `path` from where it stands, or out of the stock (no path)."""

    unit: str
    path: tuple[str, ...]


# --- the Phase ----------------------------------------------------------------------------------------------------


def run(play: Transaction) -> None:
    """Surplus armies go home, each Minor Power acts, conflicts are settled, armies go against Unrest.

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
    """Roll whether a Minor Power is active, then where, and place the highest marker it qualifies for.

    Rules: MIN-010, MIN-011, MIN-012, MIN-030, MIN-031 (Decision 13)
    """
    tables = play.tables
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


# --- what it may place --------------------------------------------------------------------------------------------


def best_marker(tables: Tables, state: State, power: str, area: str) -> str:
    """The highest marker above its present one that the Minor Power can place in the Area, "" for none.

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
    """Whether no Treaty that the Minor Power has signed in a Congress forbids it the marker, or the army for it.

    Rules: MIN-037, TRE-004 (Decision 46)
    """
    placed = events.MarkerPlaced(area=area, power=power, marker=marker, established=True, turn=state.turn)
    if breaches.is_forbidden(tables, state, placed, power):
        return False
    new = [s for s in army_sources(tables, state, power, area) if s.path != (area,)] if marker == PROTECTORATE else []
    return not any(breaches.is_forbidden(tables, state, _arrival(power, area, army), power) for army in new)


def _arrival(power: str, area: str, army: ArmySource) -> events.Event:
    """The army of a Supply comes to the Area: from the stock, or from where it stood."""
    if not army.path:
        return events.UnitsBuilt(power=power, units=(army.unit,), place=area, rules=("MIN-018", "MIN-020"))
    rule = "MIN-016" if army.path[0] == home_place(power) else "MIN-017"
    return events.UnitsMoved(power=power, units=(army.unit,), path=army.path, reason="minor", rules=("MIN-015", rule))


def _can_possess(tables: Tables, state: State, power: str, area: str) -> bool:
    """A Protectorate and an army there already.

    Rules: MIN-013
    """
    own = established(state, area, power)
    return own is not None and own.marker == PROTECTORATE and bool(army_names(state, area, power))


def _can_protect(tables: Tables, state: State, power: str, area: str) -> bool:
    """A free piece, an army, no other's Control from before this Phase, an open Area.

    Rules: MIN-014, MIN-015, MIN-019, MIN-022, MIN-023 (R-MIN-02, Decision 38)
    """
    if opposing(at_phase_start(state), area, power):
        return False
    if area_type(tables, state, area) not in OPEN_TYPES and not area_state(state, area).unrest:
        return False
    return status.free_pieces(tables, state, power, "hexagon") > 0 and bool(army_sources(tables, state, power, area))


def _can_influence(tables: Tables, state: State, power: str, area: str) -> bool:
    """A free piece or its own Interest to turn over, and no Control of another from before this Phase.

    Rules: MIN-025, MIN-027 (Decision 38)
    """
    piece = status.free_pieces(tables, state, power, "round") > 0 or level(established(state, area, power)) == 1
    return piece and not controllers(at_phase_start(state), area)


def _can_take_interest(tables: Tables, state: State, power: str, area: str) -> bool:
    """A free piece, and no Possession of another from before this Phase.

    Rules: MIN-028, MIN-029 (Decision 38)
    """
    full = any(m.established and m.marker in FULL_CONTROL for m in area_state(at_phase_start(state), area).markers)
    return status.free_pieces(tables, state, power, "round") > 0 and not full


@cached(most=8, by=lambda tables, state, power, area: ((power, area), (tables, state)))
def army_sources(tables: Tables, state: State, power: str, area: str) -> list[ArmySource]:
    """Army Units for a Protectorate in `area`; several only where several Areas are equally near.

    The smallest from home; else the smallest from the nearest Area with two or more; else from the stock. Not to be
    changed.

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
    """The smallest army at `start` that has a path to `area` and may leave."""
    units = movable_armies(tables, state, power, start, area)
    path = army_path(tables, state, power, start, area) if units else ()
    return ArmySource(units[0], path) if path else None


# --- placing ------------------------------------------------------------------------------------------------------


def place_for_minor(play: Transaction, power: str, area: str, marker: str) -> None:
    """Place the marker, established at once and for nothing; an army comes with a Protectorate.

    A Great Power with an Influence there has its Casus Belli from that moment.

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
    """Minor Powers that took Control of one Area share it; another Minor Power's Influence beside Control goes down.

    Rules: MIN-034, MIN-047, MIN-048, COD-001 (R-MIN-01)
    """
    state, then = play.state, at_phase_start(play.state)
    for area in state.areas:
        held = controllers(state, area)
        takers = tuple(p for p in state.minors if p in held and not controls(then, area, p))
        if not takers:
            continue
        if len(takers) > 1:
            play.emit(events.CodominionSet(area=area, powers=takers, rules=("MIN-034", "MIN-048", "COD-001")))
        for power in influence_holders(state, area):
            if power in state.minors:
                play.lower(area, power, INFLUENCE, INTEREST, "gives way to Control", ("MIN-047",), takers[0])


PHASE = Phase(name="minor_powers", run=run)
