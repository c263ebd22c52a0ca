"""Where the Wars of the turn stand in the War Sequence, and which of them comes next.

The Rebellion is fought first, then the Ottoman War, then all other Wars side by side: every Phase of the Sequence war
by war, in the order of `State.wars`. The Wars themselves say where they are (`stage`, `turn_of`, `order`): a War that
is behind the others comes next.

Rules: WAR-018, WAR-019, WAR-025, WAR-026, WAR-055, WAR-065
"""

from __future__ import annotations

from paxtui.pax.board.tables import Tables
from paxtui.pax.narration.war_narration import STAGES
from paxtui.pax.state.model import State
from paxtui.pax.state.war import (
    ALLIANCES,
    ATTACK,
    END,
    INITIATIVE,
    MANEUVER,
    OTTOMAN,
    REBELLION,
    RESOLUTION,
    SUPPLY,
    War,
)
from paxtui.pax.words.spoken import the_powers

TURN = (MANEUVER, ATTACK, SUPPLY)
"""The Phases that come for each Alliance in the order of the cycle."""

_LATE = 100
"""Place in the Sequence after the Phases of every Alliance, whatever their number."""

Place = tuple[str, int]
"""A Phase of the War Sequence: its name, and the number of the Alliance whose Phase it is (0 for nobody's)."""


def fought(state: State) -> tuple[War, ...]:
    """The Wars that are fought now, or come next: the Rebellion, else the Ottoman War, else all others.

    Rules: WAR-018, WAR-019
    """
    for kind in (REBELLION, OTTOMAN):
        first = tuple(war for war in state.wars if war.kind == kind)
        if first:
            return first[:1]
    return state.wars


def place_of(war: War) -> int:
    """How far a War has come in its cycle: 0 is Initiative Determination; -1 where it has not begun."""
    if war.stage == ALLIANCES:
        return -1
    if war.stage == INITIATIVE:
        return 0
    if war.stage in TURN:
        return 1 + 3 * war.order.index(war.turn_of) + TURN.index(war.stage)
    return _LATE + (war.stage == RESOLUTION)


def current(state: State) -> War | None:
    """The War whose Phase is played now: of those that are fought, the one furthest behind.

    Rules: WAR-019, WAR-026
    """
    wars = [war for war in fought(state) if war.stage != ALLIANCES]
    if not wars:
        return None
    late = [war for war in wars if place_of(war) >= _LATE]
    if late and any(war.stage == INITIATIVE for war in wars):
        wars = late  # the others have begun the next cycle already
    return min(wars, key=place_of)


def following(war: War) -> Place:
    """The Phase that comes after the present one in the cycle.

    Rules: WAR-026, WAR-055
    """
    if war.stage in (ALLIANCES, END, RESOLUTION):
        return INITIATIVE, 0
    if war.stage == INITIATIVE:
        return MANEUVER, war.order[0]
    if war.stage != SUPPLY:
        return TURN[TURN.index(war.stage) + 1], war.turn_of
    later = war.order[war.order.index(war.turn_of) + 1 :]
    return (MANEUVER, later[0]) if later else (END, 0)


def phase_of(tables: Tables, war: War) -> str:
    """Name the Phase that a War is in: "the Attack Phase of Japan"."""
    whose = f" of {the_powers(tables, war.alliance(war.turn_of))}" if war.stage in TURN else ""
    return f"the {STAGES[war.stage]}{whose}" if whose else STAGES[war.stage]


def mark(state: State) -> tuple[tuple[str, int, str, int], ...]:
    """Where every War is, for telling whether anything has gone on."""
    return tuple((war.id, war.cycle, war.stage, war.turn_of) for war in state.wars)


def following_turn(war: War) -> int:
    """The number of the Alliance that moves after the present one in this cycle, 0 where none does."""
    later = war.order[war.order.index(war.turn_of) + 1 :] if war.turn_of in war.order else ()
    return later[0] if later else 0
