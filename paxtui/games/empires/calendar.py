"""The sequence of play (3.1 to 3.5): steps and acting Powers, month numbers, winter, and the end of a month.

A month number is 12 times the year plus 0 (January) to 11 (December). Great Britain chooses its place at sea and France
its place on land before the phase. The text lacks the winter section (9.1), so the exercise lists the winter months.

Rules: EIA 6.2.1.4
"""

from __future__ import annotations

from collections.abc import Iterator

from paxtui.games.empires.board import prize_taker
from paxtui.games.empires.events.base import Ended, MonthBegan, PlaceAnnounced, SlotsGiven, StepDone
from paxtui.games.empires.orders import Action, Announce
from paxtui.games.empires.state import Slot, State
from paxtui.games.empires.tables import Tables
from paxtui.games.empires.transaction import ActionHandlers, RulesByStep, SequenceStep, Transaction, refuse

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
"""Only the steps in the text: it lacks the guerrilla and conquest steps. Rules: EIA 3.4"""
LANDED = "landed"
"""The last step of the land phase: corps still aboard are lost. Rules: EIA 6.2.5.2"""
FLOATING = {NAVAL: "great_britain", LAND: "france"}
"""Powers that may announce any place in the sequence. Rules: EIA 3.3, EIA 3.4, EIA 6.1, EIA 7.1"""


def opening_slots(tables: Tables, state: State, phase: str) -> tuple[Slot, ...]:
    """Return the slots at the start of a phase. If a Power must announce its place, that is the only slot."""
    mover = FLOATING.get(phase, "")
    if mover in state.powers and len(state.powers) > 1 and tables.exercise.order == "campaign":
        return (Slot(ANNOUNCE, (mover,)),)
    return phase_slots(tables, state, phase)


def phase_slots(tables: Tables, state: State, phase: str) -> tuple[Slot, ...]:
    """Return the slots of a phase without those that the exercise omits. Rules: EIA 3.1, EIA 3.2, EIA 3.3, EIA 3.4"""
    return tuple(slot for slot in _all_slots(tables, state, phase) if slot.step not in tables.exercise.without)


def _all_slots(tables: Tables, state: State, phase: str) -> tuple[Slot, ...]:
    if phase == POLITICAL:
        return tuple(Slot(step, state.powers) for step in POLITICAL_STEPS)
    if phase == REINFORCEMENT:
        at_sea = powers_present(state, tables.sequence.naval_reinforcement)
        ashore = powers_present(state, tables.sequence.army_reinforcement)
        return (*(Slot("navy", (power,)) for power in at_sea), *(Slot("army", (power,)) for power in ashore))
    if phase == ECONOMIC:
        return ()
    steps = NAVAL_STEPS if phase == NAVAL else LAND_STEPS
    found = tuple(Slot(step, powers) for powers in movement_sequence(tables, state, phase) for step in steps)
    return (*found, Slot(LANDED, ())) if phase == LAND else found


def powers_present(state: State, order: tuple[str, ...]) -> tuple[str, ...]:
    """Return the Powers of an order that are in the exercise."""
    return tuple(power for power in order if power in state.powers)


def movement_sequence(tables: Tables, state: State, phase: str) -> tuple[tuple[str, ...], ...]:
    """Return the Powers in their order of movement. Allies that combine move together, in the place of the last one.

    Rules: EIA 3.3, EIA 3.4, EIA 4.9, EIA 6.1.2, EIA 7.1.2
    """
    order = list(powers_present(state, tables.sequence.naval if phase == NAVAL else tables.sequence.land))
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


FIRST = "first"


def announce_place(play: Transaction, power: str, action: Announce) -> None:
    """Take a place in the sequence of the phase. Rules: EIA 6.1, EIA 7.1"""
    phase = play.state.cursor.phase
    rule = "EIA 6.1" if phase == NAVAL else "EIA 7.1"
    others = tuple(one for one in play.state.powers if one != power)
    if action.after != FIRST and action.after not in others:
        refuse("no_place", f"Its place is first, or after one of: {', '.join(others)}.", rule)
    after = "" if action.after == FIRST else action.after
    play.emit(PlaceAnnounced(power=power, phase=phase, after=after, rules=(rule,)))
    play.emit(StepDone(power=power))


def _place_offers(tables: Tables, state: State, power: str) -> Iterator[Action]:
    yield Announce(FIRST)
    yield from (Announce(one) for one in state.powers if one != power)


def _give_slots(play: Transaction) -> None:
    """Fix the slots of the phase after the place is announced."""
    state = play.state
    announced = Slot(ANNOUNCE, (FLOATING[state.cursor.phase],))
    play.emit(SlotsGiven(slots=(announced, *phase_slots(play.tables, state, state.cursor.phase))))


_ANNOUNCING = SequenceStep(offers=_place_offers, close=_give_slots)

ANNOUNCE_STEPS: RulesByStep = {(NAVAL, ANNOUNCE): _ANNOUNCING, (LAND, ANNOUNCE): _ANNOUNCING}
ANNOUNCE_ACTS: ActionHandlers = {Announce: (((NAVAL, ANNOUNCE), (LAND, ANNOUNCE)), announce_place)}


MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
ECONOMIC_MONTHS = (2, 5, 8, 11)
"""Months whose end has an Economic Phase. Rules: EIA 3.5"""


def turn_of(text: str) -> int:
    """Parse a month number from text such as "1805-06". Raises: ValueError."""
    year, dash, month = text.partition("-")
    if not dash or not 1 <= int(month) <= 12:
        raise ValueError(f"'{text}' is not a month such as 1805-06")
    return int(year) * 12 + int(month) - 1


def month_name(turn: int) -> str:
    """Format a month for display: "June 1805"."""
    return f"{MONTHS[turn % 12]} {turn // 12}"


def has_economic_phase(turn: int) -> bool:
    """Return whether a month ends with an Economic Phase. Rules: EIA 3.5"""
    return turn % 12 in ECONOMIC_MONTHS


def record_month(play: Transaction) -> None:
    """Record that a month has passed. Rules: EIA 3.6"""
    state = play.state
    if state.turn >= turn_of(play.tables.exercise.last):
        end_exercise(play, f"{month_name(state.turn)} was the last month of the exercise.")
    else:
        play.emit(MonthBegan(turn=state.turn + 1, combined=play.tables.exercise.combined, rules=("EIA 3.6",)))


def end_exercise(play: Transaction, reason: str) -> None:
    """End the exercise. The Power, or the side, with the most political points wins."""
    for area, points in play.tables.exercise.prizes.items():
        if taker := prize_taker(play.tables, play.state, area):
            play.points(taker, points, f"{play.tables.areas[area].name} is held at the end")
    totals = points_by_side(play.tables, play.state)
    most = max(totals.values())
    winners = tuple(power for side, total in totals.items() if total == most for power in side)
    play.emit(Ended(winners=winners, reason=reason))


def points_by_side(tables: Tables, state: State) -> dict[tuple[str, ...], int]:
    """Return the political points of each side; each Power is a side of its own if the exercise has none."""
    sides = tables.exercise.sides or tuple((power,) for power in state.powers)
    return {side: sum(state.accounts[power].points for power in side) for side in sides}


FROM, TO = "winter.from", "winter.to"
"""The first and the last winter month, 1 for January."""


def is_winter(tables: Tables, turn: int) -> bool:
    """Return whether a month (see `State.turn`) is in winter. False if the exercise has no winter."""
    if FROM not in tables.cells or TO not in tables.cells:
        return False
    first, last, month = tables.number(FROM), tables.number(TO), turn % 12 + 1
    return first <= month <= last if first <= last else month >= first or month <= last
