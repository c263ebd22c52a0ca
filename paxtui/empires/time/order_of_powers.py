"""Who acts when: the steps of each phase with their Powers, one slot after the other (3.1 to 3.5)."""

from __future__ import annotations

from paxtui.empires.state.cursor import Slot
from paxtui.empires.state.model import State
from paxtui.empires.tables.tables import Tables

POLITICAL, REINFORCEMENT, NAVAL, LAND, ECONOMIC = "political", "reinforcement", "naval", "land", "economic"
PHASES = (POLITICAL, REINFORCEMENT, NAVAL, LAND, ECONOMIC)
"""The phases of a month before its time record, in order. Rules: EIA 3.0"""

ANNOUNCE = "announce"
POLITICAL_STEPS = (
    "diplomacy", "declarations", "calls", "peace", "alliances", "minors", "breaking", "free_states", "combined",
)  # fmt: skip
"""Rules: EIA 3.1"""
NAVAL_STEPS = ("movement", "combat")
"""Rules: EIA 3.3"""
LAND_STEPS = ("depots", "movement", "supply", "combat")
"""As far as the text goes; the guerrilla and conquest steps are missing in it. Rules: EIA 3.4"""
LANDED = "landed"
"""What ends the land phase: corps that are still aboard are lost. Rules: EIA 6.2.5.2"""
FLOATING = {NAVAL: "great_britain", LAND: "france"}
"""Who may move at any announced place of the sequence. Rules: EIA 3.3, EIA 3.4, EIA 6.1, EIA 7.1"""


def opening(tables: Tables, state: State, phase: str) -> tuple[Slot, ...]:
    """The slots of a phase as it begins; where a Power has a place to announce, that alone comes first."""
    mover = FLOATING.get(phase, "")
    if mover in state.powers and len(state.powers) > 1 and tables.exercise.order == "campaign":
        return (Slot(ANNOUNCE, (mover,)),)
    return slots(tables, state, phase)


def slots(tables: Tables, state: State, phase: str) -> tuple[Slot, ...]:
    """The slots of a phase. Rules: EIA 3.1, EIA 3.2, EIA 3.3, EIA 3.4"""
    return tuple(slot for slot in _all_slots(tables, state, phase) if slot.step not in tables.exercise.without)


def _all_slots(tables: Tables, state: State, phase: str) -> tuple[Slot, ...]:
    """The slots of a phase, those included that the exercise leaves out."""
    if phase == POLITICAL:
        return tuple(Slot(step, state.powers) for step in POLITICAL_STEPS)
    if phase == REINFORCEMENT:
        at_sea = present(state, tables.sequence.naval_reinforcement)
        ashore = present(state, tables.sequence.army_reinforcement)
        return (*(Slot("navy", (power,)) for power in at_sea), *(Slot("army", (power,)) for power in ashore))
    if phase == ECONOMIC:
        return ()
    steps = NAVAL_STEPS if phase == NAVAL else LAND_STEPS
    found = tuple(Slot(step, powers) for powers in sequence(tables, state, phase) for step in steps)
    return (*found, Slot(LANDED, ())) if phase == LAND else found


def present(state: State, order: tuple[str, ...]) -> tuple[str, ...]:
    """Those of an order who are in the exercise."""
    return tuple(power for power in order if power in state.powers)


def sequence(tables: Tables, state: State, phase: str) -> tuple[tuple[str, ...], ...]:
    """Who moves in a phase, one after the other; allies who combine move together, where the last of them does.

    Rules: EIA 3.3, EIA 3.4, EIA 4.9, EIA 6.1.2, EIA 7.1.2
    """
    order = list(present(state, tables.sequence.naval if phase == NAVAL else tables.sequence.land))
    mover = FLOATING[phase]
    after = state.places.get(phase, "")
    if mover in order and after in order and after != mover:
        order.remove(mover)
        order.insert(order.index(after) + 1, mover)
    groups: list[tuple[str, ...]] = []
    for at, power in enumerate(order):
        together = next((pair for pair in state.combined if power in pair), (power,))
        if all(other not in order[at + 1 :] for other in together):
            groups.append(tuple(one for one in order if one in together))
    return tuple(groups)
