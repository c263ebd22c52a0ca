"""Canals and straits in War: which Sea Zones they join, who may deny them, and to whom they are closed.

Rules: STR-001 to STR-006, STR-009 to STR-018, STR-021, STR-022, CAN-007, CAN-008 (R-STR-02, R-STR-03, R-STR-08 to
R-STR-10)
"""

from __future__ import annotations

from paxtui.pax.board.status import controllers
from paxtui.pax.board.tables import Tables
from paxtui.pax.state.model import State
from paxtui.pax.state.war import War

CANAL = "canal"
"""What the table says of an Area where a canal may be built; its passage has the Area's own name."""


def passage_of(tables: Tables, area: str) -> str:
    """The passage through an Area: suez, straits, or the Area's id where a canal may be built; "" for none."""
    kind = tables.areas[area].passage
    return area if kind == CANAL else kind


def area_of(tables: Tables, passage: str) -> str:
    """The Area of a passage, "" where there is none of that name."""
    return next((a.id for a in tables.areas.values() if a.passage and passage_of(tables, a.id) == passage), "")


def joins(tables: Tables, state: State, one: str, other: str) -> tuple[str, ...]:
    """The passages through which two Sea Zones are joined; none where they meet at sea.

    Rules: STR-001, STR-004, STR-009, STR-012
    """
    return tuple(
        passage_of(tables, a.id)
        for a in tables.areas.values()
        if a.passage and {one, other} <= set(a.sea_zones) and (a.passage != CANAL or state.areas[a.id].canal)
    )


def open_between(tables: Tables, state: State, war: War, power: str, one: str, other: str) -> bool:
    """Whether a Power may pass between two Sea Zones: where passages join them, one of them must be open to it.

    Rules: STR-003, STR-006, STR-012
    """
    ways = joins(tables, state, one, other)
    return not ways or any(not closed(tables, state, war, passage, power) for passage in ways)


def deciders(tables: Tables, state: State, war: War, area: str) -> tuple[str, ...]:
    """The Powers that together may deny the passage through an Area; none where nobody may.

    Those with a player and established Control; in a conquered Area the Great Powers of the conquering Alliance.

    Rules: STR-002, STR-005, STR-010, STR-014, STR-022, CAN-007 (R-STR-03, R-STR-09, R-STR-10)
    """
    conqueror = war.conqueror(area)
    holders = war.alliance(conqueror) if conqueror else controllers(state, area)
    return tuple(p for p in holders if p in state.powers)


def closed(tables: Tables, state: State, war: War, passage: str, power: str) -> bool:
    """Whether a passage is denied to a Power by everybody whose consent that takes.

    Rules: STR-002, STR-005, STR-010, STR-015, CAN-007
    """
    if not war.denied:
        return False
    by = deciders(tables, state, war, area_of(tables, passage))
    said = {d.by for d in war.denied if d.passage == passage and d.to == power}
    return bool(by) and said.issuperset(by)
