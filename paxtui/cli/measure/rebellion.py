"""Measures what the engine does for China in a Rebellion."""

from __future__ import annotations

from time import perf_counter

from msgspec.structs import replace

from paxtui.engine.dice import Dice
from paxtui.engine.seats import ARBITER
from paxtui.pax.board.status import is_chinese
from paxtui.pax.board.tables import Tables
from paxtui.pax.decide import played
from paxtui.pax.orders import actions as ac
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import ARMY, CHINA, PROTECTORATE, AreaState, Marker, Unit
from paxtui.pax.state.progress import InProgress, WarNotes
from paxtui.pax.state.war import FOUGHT, MANEUVER, REBELLION, War

TURNS = 2
"""Phases of China that are timed: Maneuver and Attack."""


def chinese_turn_times(tables: Tables, states: list[State]) -> list[float]:
    """Milliseconds of China's Maneuver and Attack Phase in a Rebellion that breaks out at these positions.

    All six Armies have risen, all Powers of the game stand against them, and armies stand in every other Area of China.
    """
    times = []
    for number, state in enumerate(states):
        at_war = _risen(tables, state, number)
        start = perf_counter()
        for _ in range(TURNS):
            at_war = played(tables, at_war, ARBITER, ac.Step(), Dice(f"bench {number}")).state
        times.append((perf_counter() - start) * 1000)
    return times


def _risen(tables: Tables, state: State, number: int) -> State:
    """The position with a Rebellion in China's first Maneuver Phase; `number` shifts who stands where."""
    powers = (*state.powers, *state.minors)
    places = sorted(set(tables.chinese_armies.values()))
    rising = [places[(number + n * 2) % len(places)] for n in range(tables.other_armies.count)]
    rebel = Unit(CHINA, ARMY, tables.other_armies.strength)
    areas = dict(state.areas)
    for n, area in enumerate(a for a in areas if is_chinese(tables, state, a)):
        power = powers[(number + n) % len(powers)]
        held = (Marker(power, PROTECTORATE),) if n % 2 else ()
        garrison = (Unit(power, ARMY, max(tables.units)),) if n % 2 else ()
        areas[area] = AreaState(markers=held, units=(*garrison, *(rebel for _ in range(rising.count(area)))))
    war = War("w1", ((CHINA,), powers), kind=REBELLION, stage=MANEUVER, order=(1, 2), turn_of=1, looked_at=state.minors)
    phase = InProgress(phase="war", step=FOUGHT, notes=WarNotes())
    return replace(state, areas=areas, wars=(war,), frames=(phase,), choices=(), ready=(), phase_start=None)
