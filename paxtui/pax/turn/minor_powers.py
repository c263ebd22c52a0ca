"""The Minor Powers Phase: which Minor Powers are active, where, and what they place there.

Power by Power, each judged against what the others held before the Phase, so that their order makes no difference;
conflicts among them are settled after the last one (R-MIN-01, Decision 38), then armies go against Unrest.

Rules: SEQ-009, MIN-005, MIN-007, MIN-008, MIN-010 to MIN-034, MIN-047, MIN-048, CCB-004, OTT-002
"""

from __future__ import annotations

from typing import NamedTuple

from paxtui.pax.board import counters
from paxtui.pax.board.links import linked_areas
from paxtui.pax.board.neighbours import area_type
from paxtui.pax.board.paths import way
from paxtui.pax.board.remembered import remembered
from paxtui.pax.board.status import at, controllers, controls, established, influence_holders, level, opposing
from paxtui.pax.board.tables import Tables
from paxtui.pax.combat import ottoman_expansion
from paxtui.pax.combat.colonial_outcome import war_due
from paxtui.pax.combat.losses import armies
from paxtui.pax.expansion import status_change
from paxtui.pax.expansion.placement import OPEN_TYPES
from paxtui.pax.history import events as ev
from paxtui.pax.history.evolve import evolve
from paxtui.pax.play import casus_belli
from paxtui.pax.play.phase import Phase
from paxtui.pax.play.play import Play
from paxtui.pax.state.model import State, as_begun
from paxtui.pax.state.pieces import FULL, INFLUENCE, INTEREST, LEVEL, POSSESSION, PROTECTORATE, home
from paxtui.pax.treaties import treaty_watch
from paxtui.pax.turn import minor_unrest


class Supply(NamedTuple):
    """An Army Unit for a new Protectorate: by `path` from where it stands, or out of the stock (no path)."""

    unit: str
    path: tuple[str, ...]


# --- the Phase ----------------------------------------------------------------------------------------------------


def run(play: Play) -> None:
    """Surplus armies go home, each Minor Power acts, conflicts are settled, armies go against Unrest.

    Rules: SEQ-009, MIN-011, MIN-054, MIN-059
    """
    if play.state.top.step == "done":
        return
    minor_unrest.send_surplus_home(play)
    for power in play.state.minors:
        act(play, power)
    settle_conflicts(play)
    for power in play.state.minors:
        minor_unrest.go_against_unrest(play, power)
    ottoman_expansion.reinforce(play)
    play.emit(ev.StepTaken(step="done", rules=("SEQ-009",)))


def act(play: Play, power: str) -> None:
    """Roll whether a Minor Power is active, then where, and place the highest marker it qualifies for.

    Rules: MIN-010, MIN-011, MIN-012, MIN-030, MIN-031 (Decision 13)
    """
    tables = play.tables
    die = play.dice.roll()
    active = die <= tables.powers[power].active_on
    play.emit(ev.MinorActivity(power=power, die=die, active=active, rules=("MIN-010",)))
    if not active:
        return
    row = tables.minor_activity[power]
    open_ = {area: best(tables, play.state, power, area) for area in dict.fromkeys(row.values())}
    name = tables.powers[power].name
    if not any(open_.values()):
        none_left = not any(counters.free(tables, play.state, power, pool) for pool in ("round", "hexagon"))
        why = "has no Status marker left" if none_left else "can place nothing in any Area of its table"
        play.noted("minor_inactive", f"{name} {why}.", ("MIN-030" if none_left else "MIN-031",), power)
        return
    while True:
        dice = (play.dice.roll(), play.dice.roll())
        area = row[sum(dice)]
        taken = bool(open_[area])
        rules = ("MIN-011",) if taken else ("MIN-031",)
        play.emit(ev.MinorDirected(power=power, dice=dice, area=area, accepted=taken, rules=rules))
        if taken:
            break
    place(play, power, area, open_[area])


# --- what it may place --------------------------------------------------------------------------------------------


def best(tables: Tables, state: State, power: str, area: str) -> str:
    """The highest marker above its present one that the Minor Power can place in the Area, "" for none.

    Rules: MIN-012, MIN-021, MIN-026, MIN-028, MIN-037 (R-MIN-04, Decision 46)
    """
    if area not in linked_areas(tables, state, power):
        return ""
    for marker, may in (
        (POSSESSION, _may_possess),
        (PROTECTORATE, _may_protect),
        (INFLUENCE, _may_influence),
        (INTEREST, _may_take_interest),
    ):
        own = level(established(state, area, power))
        if own < LEVEL[marker] and may(tables, state, power, area) and _by_treaty(tables, state, power, area, marker):
            return marker
    return ""


def _by_treaty(tables: Tables, state: State, power: str, area: str, marker: str) -> bool:
    """Whether no Treaty that the Minor Power has signed in a Congress forbids it the marker, or the army for it.

    Rules: MIN-037, TRE-004 (Decision 46)
    """
    placed = ev.MarkerPlaced(area=area, power=power, marker=marker, established=True, turn=state.turn)
    if treaty_watch.forbidden(tables, state, placed, power):
        return False
    new = [s for s in supplies(tables, state, power, area) if s.path != (area,)] if marker == PROTECTORATE else []
    return not any(treaty_watch.forbidden(tables, state, _arrival(power, area, army), power) for army in new)


def _arrival(power: str, area: str, army: Supply) -> ev.Event:
    """The army of a Supply comes to the Area: from the stock, or from where it stood."""
    if not army.path:
        return ev.UnitsBuilt(power=power, units=(army.unit,), place=area, rules=("MIN-018", "MIN-020"))
    rule = "MIN-016" if army.path[0] == home(power) else "MIN-017"
    return ev.UnitsMoved(power=power, units=(army.unit,), path=army.path, reason="minor", rules=("MIN-015", rule))


def _may_possess(tables: Tables, state: State, power: str, area: str) -> bool:
    """A Protectorate and an army there already.

    Rules: MIN-013
    """
    own = established(state, area, power)
    return own is not None and own.marker == PROTECTORATE and bool(armies(state, area, power))


def _may_protect(tables: Tables, state: State, power: str, area: str) -> bool:
    """A free piece, an army, no other's Control from before this Phase, an open Area.

    Rules: MIN-014, MIN-015, MIN-019, MIN-022, MIN-023 (R-MIN-02, Decision 38)
    """
    if opposing(as_begun(state), area, power):
        return False
    if area_type(tables, state, area) not in OPEN_TYPES and not at(state, area).unrest:
        return False
    return counters.free(tables, state, power, "hexagon") > 0 and bool(supplies(tables, state, power, area))


def _may_influence(tables: Tables, state: State, power: str, area: str) -> bool:
    """A free piece or its own Interest to turn over, and no Control of another from before this Phase.

    Rules: MIN-025, MIN-027 (Decision 38)
    """
    piece = counters.free(tables, state, power, "round") > 0 or level(established(state, area, power)) == 1
    return piece and not controllers(as_begun(state), area)


def _may_take_interest(tables: Tables, state: State, power: str, area: str) -> bool:
    """A free piece, and no Possession of another from before this Phase.

    Rules: MIN-028, MIN-029 (Decision 38)
    """
    full = any(m.established and m.marker in FULL for m in at(as_begun(state), area).markers)
    return counters.free(tables, state, power, "round") > 0 and not full


@remembered(most=8, by=lambda tables, state, power, area: ((power, area), (tables, state)))
def supplies(tables: Tables, state: State, power: str, area: str) -> list[Supply]:
    """Army Units for a Protectorate in `area`; several only where several Areas are equally near.

    The smallest from home; else the smallest from the nearest Area with two or more; else from the stock. Not to be
    changed.

    Rules: MIN-015, MIN-016, MIN-017, MIN-018, MIN-019, MIN-020, STA-051 (R-MIN-05)
    """
    present = armies(state, area, power)
    if present:
        return [Supply(present[-1], (area,))]
    marked = evolve(
        state, ev.MarkerPlaced(area=area, power=power, marker=PROTECTORATE, established=True, turn=state.turn)
    )
    from_home = _smallest_from(tables, marked, power, home(power), area)
    if from_home:
        return [from_home]
    several = [a for a, here in state.areas.items() if len(here.units) > 1 and len(armies(state, a, power)) > 1]
    found = [s for a in several if (s := _smallest_from(tables, marked, power, a, area))]
    if found:
        nearest = min(len(s.path) for s in found)
        return [s for s in found if len(s.path) == nearest]
    free = [n for n in sorted(tables.units) if counters.free(tables, state, power, str(n)) > 0]
    return [Supply(f"A{free[0]}", ())] if free else []


def _smallest_from(tables: Tables, state: State, power: str, start: str, area: str) -> Supply | None:
    """The smallest army at `start` that has a path to `area` and may leave."""
    units = minor_unrest.movable(tables, state, power, start, area)
    path = way(tables, state, power, start, area) if units else ()
    return Supply(units[0], path) if path else None


# --- placing ------------------------------------------------------------------------------------------------------


def place(play: Play, power: str, area: str, marker: str) -> None:
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
    found = supplies(play.tables, play.state, power, area) if marker == PROTECTORATE else []
    status_change.place_minor(play, power, area, marker, (*rules, "MIN-005", "MIN-007"))
    if marker != PROTECTORATE:
        return
    army = found[play.dice.draw(len(found))] if len(found) > 1 else found[0]
    if army.path != (area,):
        play.emit(_arrival(power, area, army))
    war_due(play, area, power)
    casus_belli.of_markers(play, area, (power,))


def settle_conflicts(play: Play) -> None:
    """Minor Powers that took Control of one Area share it; another Minor Power's Influence beside Control goes down.

    Rules: MIN-034, MIN-047, MIN-048, COD-001 (R-MIN-01)
    """
    state, then = play.state, as_begun(play.state)
    for area in state.areas:
        held = controllers(state, area)
        takers = tuple(p for p in state.minors if p in held and not controls(then, area, p))
        if not takers:
            continue
        if len(takers) > 1:
            play.emit(ev.CodominionSet(area=area, powers=takers, rules=("MIN-034", "MIN-048", "COD-001")))
        for power in influence_holders(state, area):
            if power in state.minors:
                play.lower(area, power, INFLUENCE, INTEREST, "gives way to Control", ("MIN-047",), takers[0])


PHASE = Phase(name="minor_powers", run=run)
