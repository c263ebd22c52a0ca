"""What is open in an Area: Control against Control, Influence under Control, Casus Belli; and what could stay there.

Rules: SEQ-019, COD-001, NEG-006, NEG-008, NEG-009, NEG-010, NEG-024, ETI-031 (R-NEG-09)
"""

from __future__ import annotations

import msgspec

from paxtui.pax.board.status import at, controllers, influence_holders
from paxtui.pax.board.tables import Tables
from paxtui.pax.state.causes import CasusBelli, Waiver
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import CONTROL, FULL, INFLUENCE, INTEREST
from paxtui.pax.state.progress import NegotiationNotes


class Dispute(msgspec.Struct, frozen=True):
    """What is open in an Area: Powers with conflicting Control, Influences under Control, Casus Belli."""

    area: str
    control: tuple[str, ...]
    influence: tuple[str, ...]
    causes: tuple[CasusBelli, ...]


def rivals(state: State, area: str) -> tuple[str, ...]:
    """Powers whose Control markers cannot stand together: several of them, not all of one Codominion.

    Rules: COD-001, NEG-024
    """
    held = controllers(state, area)
    shared = at(state, area).codominion
    return held if len(held) > 1 and any(p not in shared for p in held) else ()


def at_stake(state: State, area: str) -> tuple[str, ...]:
    """Powers with a marker in the Area that are at War with another there: the War decides what becomes of it.

    Where none of them fights another, but a Power without a marker there has declared War on one that refused to sign
    what a Congress decided about the Area, it is all of them.

    Rules: WAR-035, WAR-060, CON-035 (Decision 75)
    """
    held = tuple(m.power for m in at(state, area).markers if m.established)
    fighting = tuple(p for p in held if any(war.opposes(p, other) for war in state.wars for other in held))
    congress = state.congress
    refusers = congress.refusers if congress and any(h.area == area for h in congress.holders) else ()
    if not fighting and any(area in war.over and war.side_of(p) for war in state.wars for p in refusers if p in held):
        return held
    return fighting


def intruders(state: State, area: str) -> tuple[str, ...]:
    """Powers whose Control stands against the rules: all rivals, or those outside the Codominion where there is one.

    Rules: COD-001, NEG-024 (Decision 45)
    """
    held, shared = rivals(state, area), at(state, area).codominion
    return tuple(p for p in held if p not in shared)


def overruled(state: State, area: str) -> tuple[str, ...]:
    """Powers whose Influence cannot stay because of an established Control marker (NEG-006)."""
    return influence_holders(state, area) if controllers(state, area) else ()


def dispute(state: State, area: str) -> Dispute | None:
    """The dispute over an Area, None where there is none."""
    found = Dispute(
        area,
        rivals(state, area),
        overruled(state, area),
        tuple(c for c in state.casus_belli if c.area == area),
    )
    return found if found.control or found.influence or found.causes else None


def disputes(tables: Tables, state: State) -> list[Dispute]:
    """All disputes over Areas, in the order of the map.

    Rules: SEQ-019
    """
    open_ = {cause.area for cause in state.casus_belli}
    # one marker alone disputes nothing
    shared = {area for area, here in state.areas.items() if len(here.markers) > 1}
    areas = [area for area in tables.areas if area in open_ or area in shared]
    return [d for d in (dispute(state, area) for area in areas) if d is not None]


def best_beside(state: State, area: str, power: str, leaving: tuple[str, ...] = ()) -> str:
    """Highest marker below Control that the Power may keep beside the others' established Control.

    `leaving`: Powers whose Control there is given up as well.

    Rules: NEG-006, NEG-008, NEG-009, NEG-010
    """
    others = [
        m
        for m in at(state, area).markers
        if m.established and m.marker in CONTROL and m.power != power and m.power not in leaving
    ]
    if any(m.marker in FULL for m in others):
        return ""
    return INTEREST if others else INFLUENCE


def placer(state: State, area: str, power: str) -> str:
    """Who placed the Control marker that presses on the Power's: whom its Casus Belli is against, else the latest.

    Rules: ETI-031
    """
    held = [
        m for m in at(state, area).markers if m.established and m.marker in CONTROL and m.power != power
    ]
    for cause in state.casus_belli:
        if cause.area == area and cause.holder == power and any(m.power == cause.against for m in held):
            return cause.against
    latest = max(held, key=lambda m: m.since, default=None)
    return latest.power if latest else power


def waivers(state: State, area: str) -> tuple[Waiver, ...]:
    """The Casus Belli over the Area that were given up in this Negotiation Phase.

    Rules: NEG-003, NEG-007 (Decision 50)
    """
    notes = state.top.notes
    return notes.waived.get(area, ()) if isinstance(notes, NegotiationNotes) else ()


def yielding(state: State, area: str, held: tuple[str, ...]) -> tuple[str, ...]:
    """Those of `held` that have given up their Casus Belli against another of them, and so give way first.

    Rules: NEG-003, SEQ-019 (R-NEG-09, Decision 50)
    """
    given = waivers(state, area)
    return tuple(p for p in held if any(w.covers(p, other) for w in given for other in held if other != p))
