"""The Movement/Status Change Phase: who may be ready, and what happens when all are.

Rules: SEQ-010, SEQ-011, STA-037 to STA-042, EVT-056 to EVT-059 (R-SEQ-01, R-SEQ-02, R-EVT-12)
"""

from __future__ import annotations

from paxtui.pax.board.status import at, controls, established, powers_of
from paxtui.pax.board.tables import Pressure, Tables
from paxtui.pax.expansion import duties, garrisons
from paxtui.pax.expansion.garrison_plan import garrisoned
from paxtui.pax.history import events as ev
from paxtui.pax.play import offers
from paxtui.pax.play.phase import Phase, not_ready
from paxtui.pax.play.play import Play
from paxtui.pax.state.model import State, as_begun
from paxtui.pax.state.pieces import CONTROL
from paxtui.pax.state.questions import Coast


def check_ready(play: Play, seat: str) -> None:
    """Whether a seat has done what it must before it may be ready.

    Raises: Refusal, saying what is missing.
    Rules: STA-039, STA-045, EVT-018, BEL-012
    """
    for power in powers_of(play.tables, play.state, seat):
        garrisons.check(play, power)
    duties.check_ready(play, seat)


def force_ready(play: Play) -> None:
    """Mark every seat ready, for the arbiter: the automatic garrison fix, nothing bought, duties waived.

    Rules: SEQ-010, STA-039
    """
    for seat in play.state.players:
        for power in powers_of(play.tables, play.state, seat):
            garrisons.force(play, power)
        duties.waive(play, seat)
        if seat not in play.state.ready:
            play.emit(ev.SeatReady(seat=seat, rules=("SEQ-010",)))


def close(play: Play) -> None:
    """End the Phase: offers lapse, coasts keep their default, garrisons are tested, pressure is answered for."""
    offers.lapse(play)
    for choice in play.state.choices:
        if isinstance(choice.about, Coast):
            play.emit(ev.ChoiceMade(id=choice.id, answer=(str(choice.default),), by_default=True, rules=choice.rules))
    test_garrisons(play)
    for pressure, rules in pressure_unmet(play.tables, play.state):
        lose_face(play, pressure, rules)


def test_garrisons(play: Play) -> None:
    """Record every Control marker, established or not, that stands without an Army Unit of its Power.

    Rules: STA-014, STA-037, COD-007 (R-SEQ-02)
    """
    for area in play.tables.areas:
        for marker in at(play.state, area).markers:
            if marker.marker in CONTROL and not garrisoned(play.state, area, marker.power):
                if marker.power in play.tables.powers:
                    rules = ("STA-014", "COD-007" if marker.power in at(play.state, area).codominion else "STA-037")
                    play.emit(ev.GarrisonMissing(area=area, power=marker.power, rules=rules))


def pressure_unmet(tables: Tables, state: State) -> list[tuple[Pressure, tuple[str, ...]]]:
    """Demands for a Dominion or Statehood of this turn that are not met, with their rules.

    No demand where the Power does not Control the Area, and did not when the Phase began: who has handed it over in
    time has not granted it either.

    Rules: EVT-056, EVT-057, EVT-058, EVT-059 (R-EVT-12, Decision 33)
    """
    out = []
    then = as_begun(state)
    for dice in state.events:
        event = tables.events[dice]
        want = event.pressure
        if want is None or want.power not in state.powers:
            continue
        if not controls(state, want.area, want.power) and not controls(then, want.area, want.power):
            continue
        held = established(state, want.area, want.power)
        if held is None or held.marker != want.marker:
            out.append((want, event.rules))
    return out


def lose_face(play: Play, pressure: Pressure, rules: tuple[str, ...]) -> None:
    """Take the Victory Points that a refused Dominion or State costs.

    Rules: EVT-056, EVT-057, EVT-058, EVT-059, VIC-005
    """
    name = play.tables.areas[pressure.area].name
    marker = play.tables.markers[pressure.marker].name
    play.victory_points(
        pressure.power, -pressure.points, f"{name} was not made a {marker}", (*rules, "VIC-005"), bonus=True
    )


PHASE = Phase(
    name="movement", close=close, waits=not_ready, open=True, check_ready=check_ready, force_ready=force_ready
)
