"""The Marker Adjustment Phase: the effects of Unrest, missing garrisons and conflicts on markers, step by step.

The Phase rolls no dice. It pauses when a step leaves a choice of retreats; `run` continues with the next step.
"""

from __future__ import annotations

from collections.abc import Callable

from paxtui.games.pax import casus_belli
from paxtui.games.pax.board.status import (
    area_state,
    controllers,
    established,
    influence_holders,
    interest_holders,
    level,
)
from paxtui.games.pax.combat import ottoman_expansion, results
from paxtui.games.pax.combat.colonial_combat import drop_new_control
from paxtui.games.pax.combat.results import army_names
from paxtui.games.pax.events import events
from paxtui.games.pax.expansion import movement
from paxtui.games.pax.expansion.placement import best_compatible_marker
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.phases import AdjustmentNotes
from paxtui.games.pax.state.pieces import CONTROL, FULL_CONTROL, INTEREST, LEVEL, Marker
from paxtui.games.pax.transaction import Phase, Transaction


def run(play: Transaction) -> None:
    """Carry out the steps from the one that is due, until a retreat has to be chosen. Rules: SEQ-018."""
    names = [name for name, _ in STEPS]
    if play.state.top.step == "done":
        return
    raised = () if play.state.top.step else _met_demands(play)
    if raised:
        play.emit(events.StepTaken(step=names[0], notes=AdjustmentNotes(raised), rules=("EVT-056",)))
    for name, do in STEPS[names.index(play.state.top.step or names[0]) :]:
        if play.state.choices:
            play.emit(events.StepTaken(step=name, notes=play.state.top.notes, rules=("SEQ-018",)))
            return
        do(play)
    play.emit(events.StepTaken(step="done", rules=("SEQ-018",)))


def _adjust_unrest(play: Transaction) -> None:
    """Adjust Areas still in Unrest: first all markers, then units, so that no unit retreats into a lost Area."""
    lost: list[tuple[str, tuple[str, ...] | None, tuple[str, ...]]] = []
    areas = [area for area, here in play.state.areas.items() if here.unrest]
    fallen = [area for area in areas if ottoman_expansion.falls_to_ottomans(play.tables, play.state, area)]
    for area in areas:
        holders = controllers(play.state, area)
        if area in fallen:
            _clear_markers(play, area, ("EVT-033",))
            lost.append((area, None, ("EVT-033", "SEQ-014")))
        elif holders:
            rule = "CCB-064" if area_state(play.state, area).codominion else "CCB-025"
            for power in holders:
                if own := established(play.state, area, power):
                    why = (rule, "CCB-029", "CCB-031", "SEQ-014", "ETI-014")
                    play.lower(area, power, own.marker, "", "unrest", why, None)
            lost.append((area, holders, (rule, "CCB-026", "SEQ-014")))
        else:
            rule = "CCB-035" if influence_holders(play.state, area) else "CCB-040"
            _clear_markers(play, area, (rule,))
            lost.append((area, None, (rule, "SEQ-014")))
    for area, powers, rules in lost:
        results.retreat_all(play, area, rules, powers)
    for area in fallen:
        ottoman_expansion.take_area(play, area)


def _clear_markers(play: Transaction, area: str, rules: tuple[str, ...]) -> None:
    """Remove all Status markers from the Area; Unrest raises no tension."""
    for m in area_state(play.state, area).markers:
        why = (*rules, "SEQ-014", "ETI-014") if m.established else (*rules, "SEQ-014", "STA-023", "ETI-039")
        play.lower(area, m.power, m.marker, "", "unrest", why, None, m.established)


def _remove_unrest(play: Transaction) -> None:
    for area, here in play.state.areas.items():
        if here.unrest:
            play.emit(events.UnrestEnded(area=area, rules=("SEQ-015", "EVT-030", "CCB-027")))


def _adjust_new_markers(play: Transaction) -> None:
    """Rules: SEQ-016, STA-022, STA-015, CCB-010, MOV-016."""
    new_markers = [(area, m) for area, here in play.state.areas.items() for m in here.markers if not m.established]
    for area, m in new_markers:
        if m.marker not in CONTROL:
            _establish(play, area, m.power, m.marker, ("SEQ-016", "STA-022"))
        elif army_names(play.state, area, m.power):
            drop_new_control(play, area, m.power)
        else:
            _lower_without_army(play, area, m)


def _establish(play: Transaction, area: str, power: str, marker: str, rules: tuple[str, ...]) -> None:
    play.emit(events.MarkerEstablished(area=area, power=power, marker=marker, rules=rules))


def _lower_without_army(play: Transaction, area: str, new: Marker) -> None:
    """Lower a new Control marker that never had an army there to an Influence, if one is allowed.

    An established marker of the Power that is at least as high simply stays.
    """
    becomes = play.state.options.ungarrisoned_new_control_becomes_influence
    to = best_compatible_marker(play.state, area, new.power) if becomes else ""
    if level(established(play.state, area, new.power)) >= LEVEL[to]:
        to = ""
    rules = ("STA-015", "ETI-039")
    to = play.lower(area, new.power, new.marker, to, "no garrison", rules, None, established=False)
    if to:
        _establish(play, area, new.power, to, ("STA-015", "SEQ-016"))


def _adjust_garrisons(play: Transaction) -> None:
    """Lower Control markers that failed the garrison test of the Movement/Status Change Phase, or fail it now.

    Rules: SEQ-017, STA-015, STA-038, STA-043, COD-007, COD-008, ETI-013, ETI-037 (R-SEQ-02, R-STA-13)
    """
    failed = [
        (area, m)
        for area, here in play.state.areas.items()
        for m in here.markers
        if m.established and m.marker in CONTROL
        if (m.power, area) in play.state.ungarrisoned or not army_names(play.state, area, m.power)
    ]
    targets = {(area, m.power): _reduced_marker(play.state, area, m, failed) for area, m in failed}
    members = {(area, m.power) for area, m in failed if m.power in area_state(play.state, area).codominion}
    costs = play.state.options.eti_for_lost_garrisons
    for area, m in failed:
        shared = (area, m.power) in members
        rules = ("COD-008", "STA-043") if shared else ("STA-038",)
        play.lower(
            area,
            m.power,
            m.marker,
            targets[area, m.power],
            "no garrison",
            ("SEQ-017", *rules, "ETI-037"),
            m.power if costs else None,
        )


def _reduced_marker(state: State, area: str, marker: Marker, failed: list[tuple[str, Marker]]) -> str:
    """Return the marker that replaces an ungarrisoned Control marker: an Influence.

    For a member of a Codominion it is an Interest, if no remaining member has a Possession there.
    """
    shared = area_state(state, area).codominion
    if marker.power not in shared:
        return best_compatible_marker(state, area, marker.power)
    leaving = {m.power for a, m in failed if a == area}
    kept = [m for m in area_state(state, area).markers if m.power in shared and m.power not in leaving]
    return "" if any(m.marker in FULL_CONTROL for m in kept) else INTEREST


def _adjust_conflicts(play: Transaction) -> None:
    """Remove Interests beside a Possession, and create Casus Belli for incompatible markers.

    Control over an Influence and Control against Control give a Casus Belli. So does Control placed this turn under the
    Casus Belli Summary. A Casus Belli of this turn against a Minor Power ends with the markers that gave it.

    Rules: STA-024, STA-052, STA-053, CCB-015, ETI-030, EVT-024, MIN-024, WAR-067, WAR-068
    """
    for area in dict.fromkeys(cause.area for cause in play.state.casus_belli):
        casus_belli.settle_causes(play, area, ("STA-024", "WAR-030"))
    for area, here in play.state.areas.items():
        if len(here.markers) > 1:
            apply_conflicts(play, area)
    casus_belli.create_from_new_control(play)


def apply_conflicts(play: Transaction, area: str) -> None:
    """Apply the conflicts of established markers in one Area: Interests go, Casus Belli arise.

    Rules: STA-024, STA-052, STA-053, CCB-015, ETI-030
    """
    if len(area_state(play.state, area).markers) > 1 and controllers(play.state, area):
        _remove_interests(play, area)
        casus_belli.create_from_markers(play, area)


def _remove_interests(play: Transaction, area: str) -> None:
    """Rules: STA-053, ETI-030 (R-MIN-11)."""
    full = [m for m in area_state(play.state, area).markers if m.established and m.marker in FULL_CONTROL]
    if not full:
        return
    placer = max(full, key=lambda m: m.since).power
    for power in interest_holders(play.state, area):
        play.lower(area, power, INTEREST, "", "a Possession was placed", ("STA-053", "ETI-030", "EVT-024"), placer)


def _leave_uncontrolled_areas(play: Transaction) -> None:
    for area, power in results.units_without_control(play.state):
        if power in play.tables.powers:
            results.retreat_all(play, area, ("CCB-065", "MOV-016", "MOV-019"), (power,))


def _met_demands(play: Transaction) -> tuple[str, ...]:
    """Return the dice of events in force whose demand was met by the end of the Movement/Status Change Phase."""
    met = []
    for dice in play.state.events:
        demand = play.tables.events[dice].pressure
        own = established(play.state, demand.area, demand.power) if demand else None
        if demand and own and own.marker == demand.marker and own.since == play.state.turn:
            met.append(dice)
    return tuple(met)


def _apply_pressure(play: Transaction) -> None:
    """Charge the loss of a demanded State or Dominion of this turn that has not lasted.

    Rules: EVT-056, EVT-057, EVT-058, EVT-059 (R-EVT-12)
    """
    notes = play.state.top.notes
    for dice in notes.raised if isinstance(notes, AdjustmentNotes) else ():
        event = play.tables.events[dice]
        demand = event.pressure
        own = established(play.state, demand.area, demand.power) if demand else None
        if demand and demand.power in play.state.powers and (own is None or own.marker != demand.marker):
            movement.lose_refusal_points(play, demand, event.rules)


STEPS: tuple[tuple[str, Callable[[Transaction], None]], ...] = (
    ("unrest", _adjust_unrest),
    ("calm", _remove_unrest),
    ("new_markers", _adjust_new_markers),
    ("garrisons", _adjust_garrisons),
    ("conflicts", _adjust_conflicts),
    ("leave", _leave_uncontrolled_areas),
    ("pressure", _apply_pressure),
)


PHASE = Phase(name="marker_adjustment", run=run)
