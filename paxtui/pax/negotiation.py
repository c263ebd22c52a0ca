"""The Negotiation Phase in its first form: disputes over Areas are settled by giving way, sharing or giving, and
what is left at the end of the Phase is settled by default.

Rules: SEQ-019, NEG-003 to NEG-010, NEG-018, NEG-019, NEG-023, NEG-024, NEG-029, ETI-013, ETI-031 (R-NEG-01, R-NEG-09)
"""

from __future__ import annotations

import msgspec

from paxtui.pax import events as ev
from paxtui.pax.model import CONTROL, FULL, INFLUENCE, INTEREST, LEVEL, CasusBelli, Marker, State
from paxtui.pax.play import Play, refuse
from paxtui.pax.status import at, controllers, established, influence_holders, level, seat_of
from paxtui.pax.tables import Tables

BY_MARKERS = ("", "control_conflict", "control_over_influence", "codominion_over_influence")
"""Causes of a Casus Belli that last as long as the markers of both sides conflict."""


class Dispute(msgspec.Struct, frozen=True):
    """What is open in an Area: Powers with conflicting Control, Influences under Control, Casus Belli."""

    area: str
    control: tuple[str, ...]
    influence: tuple[str, ...]
    causes: tuple[CasusBelli, ...]


# --- reading disputes ---------------------------------------------------------------------------------------------


def rivals(state: State, area: str) -> tuple[str, ...]:
    """Powers whose Control markers cannot stand together: several of them, not all of one Codominion.

    Rules: COD-001, NEG-024
    """
    held = controllers(state, area)
    shared = at(state, area).codominion
    return held if len(held) > 1 and any(p not in shared for p in held) else ()


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
    return [d for d in (dispute(state, area) for area in tables.areas) if d is not None]


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


def holds(state: State, cause: CasusBelli) -> bool:
    """Whether the markers on the map still give the cause of war."""
    if not cause.area:
        return True
    against = established(state, cause.area, cause.against)
    if against is None or against.marker not in CONTROL:
        return False
    if cause.cause not in BY_MARKERS:
        return True
    shared = at(state, cause.area).codominion
    if cause.holder in shared and cause.against in shared:
        return False
    return level(established(state, cause.area, cause.holder)) >= LEVEL[INFLUENCE]


def settle(play: Play, area: str, rules: tuple[str, ...]) -> None:
    """End every Casus Belli over the Area that the markers no longer give. `rules`: what settled it.

    Rules: NEG-003, NEG-007, NEG-018 (R-STA-15)
    """
    for cause in play.state.casus_belli:
        if cause.area == area and not holds(play.state, cause):
            play.emit(ev.CasusBelliEnded(id=cause.id, reason="settled", rules=rules))


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


# --- giving way ---------------------------------------------------------------------------------------------------


def step_down(play: Play, power: str, area: str, marker: Marker, to: str) -> None:
    """Lower an own established marker to `to` ("" for off the map) to end a dispute; nothing is refunded.

    An Influence may be the first step down although Control still stands beside it: then nothing is settled yet.

    Raises: Refusal `no_dispute`, `not_beside`.
    Rules: NEG-003, NEG-004, NEG-005, NEG-006, NEG-007, NEG-008, NEG-009, NEG-010, ETI-013, ETI-029, ETI-031
    """
    name = play.tables.areas[area].name
    if dispute(play.state, area) is None:
        refuse(
            "no_dispute",
            ("NEG-003", "STA-030", "STA-031"),
            f"There is no dispute over {name}: markers are given up in negotiation only where there is one.",
        )
    if to == INTEREST and best_beside(play.state, area, power) == "":
        refuse(
            "not_beside",
            ("NEG-009", "STA-010"),
            f"No Interest can stay in {name} beside another Power's Possession: withdraw the marker altogether.",
        )
    # an Influence is forced down by whoever placed the Control marker, a Control marker is its owner's to give up
    forced = marker.marker == INFLUENCE and power in overruled(play.state, area)
    blame = placer(play.state, area, power) if forced else power
    rules = ("NEG-003", "NEG-007", "ETI-031" if forced else "ETI-029")
    play.lower(area, power, marker.marker, to, "given up in negotiation", rules, blame, marker.established)
    settle(play, area, ("NEG-003", "NEG-007"))


def waive(play: Play, seat: str, id: str) -> None:
    """Give up a Casus Belli; a marker that cannot stay gives way when the Phase ends.

    Raises: Refusal `no_casus_belli`, `not_your_casus_belli`.
    Rules: NEG-003, NEG-007
    """
    cause = next((c for c in play.state.casus_belli if c.id == id), None)
    if cause is None:
        known = ", ".join(c.id for c in play.state.casus_belli) or "none"
        refuse("no_casus_belli", (), f"There is no Casus Belli {id!r}; there are: {known}.")
    if seat_of(play.tables, play.state, cause.holder) != seat:
        name = play.tables.powers[cause.holder].name if cause.holder in play.tables.powers else cause.holder
        refuse("not_your_casus_belli", ("NEG-003",), f"{id} is for {name} to give up.", holder=cause.holder)
    play.emit(ev.CasusBelliEnded(id=id, reason="waived", rules=("NEG-003", "NEG-007")))
    if cause.area:
        top = play.state.top
        waived = [*top.data.get("waived", []), f"{cause.holder} {cause.area}"]
        play.emit(ev.StepTaken(step=top.step, data={**top.data, "waived": waived}, rules=("NEG-003",)))


# --- the Phase ----------------------------------------------------------------------------------------------------


def begin(play: Play) -> None:
    """Nothing is offered: the seats act until all are ready."""


def run(play: Play) -> None:
    """Nothing is automatic before the Phase ends."""


def force_ready(play: Play) -> None:
    """Mark every seat ready, for the arbiter.

    Rules: SEQ-010
    """
    for seat in play.state.players:
        if seat not in play.state.ready:
            play.emit(ev.SeatReady(seat=seat, rules=("SEQ-010",)))


def close(play: Play) -> None:
    """End the Phase: offers lapse, every dispute still open is settled by default, the Casus Belli over Areas end.

    Those without an Area last until the end of the turn.

    Rules: SEQ-019, NEG-006, NEG-029 (R-NEG-09)
    """
    from paxtui.pax import agreements

    agreements.lapse_offers(play)
    waived = tuple(play.state.top.data.get("waived", ()))
    if play.state.casus_belli:
        places = sorted({play.tables.areas[c.area].name for c in play.state.casus_belli if c.area})
        over = f" over {', '.join(places)}" if places else ""
        play.noted(
            "congress_not_yet",
            f"A dispute{over} is still open. A Congress of Europe could be called here in a later version of the "
            f"game; for now whoever did not act gives way.",
            ("SEQ-019",),
        )
    for found in disputes(play.tables, play.state):
        settle_by_default(play, found.area, waived)
    for cause in play.state.casus_belli:
        if cause.area:
            play.emit(ev.CasusBelliEnded(id=cause.id, reason="lapsed", rules=("SEQ-019",)))


def settle_by_default(play: Play, area: str, waived: tuple[str, ...] = ()) -> None:
    """Take markers down until those of the Area can stand together.

    `waived`: "power area" of those that gave up their Casus Belli; they give way first. Then holders of a Casus
    Belli do: all of them to Influence where every Control marker goes, else to the best beside the Control that
    stays. At last Influences give way to Control.

    Rules: SEQ-019, NEG-006, NEG-008, NEG-009, NEG-010, NEG-029, ETI-031 (R-NEG-09, Decisions 12 and 23)
    """
    while rivals(play.state, area):
        held = rivals(play.state, area)
        yielding = tuple(p for p in held if f"{p} {area}" in waived)
        if not yielding or len(yielding) == len(held):
            yielding = _holders(play.state, area, held) or held
        own_will = any(f"{p} {area}" in waived for p in yielding)
        _take_down(play, area, yielding, own_will)
    for power in _in_order(play, area, overruled(play.state, area)):
        own = established(play.state, area, power)
        if own is None:
            continue
        to = best_beside(play.state, area, power)
        minor = power in play.state.minors
        rules = ("NEG-029" if minor else "SEQ-019", "NEG-006", "NEG-008" if to else "NEG-009", "ETI-031")
        reason = "gives way to Control"
        play.lower(area, power, own.marker, to, reason, rules, placer(play.state, area, power))


def _holders(state: State, area: str, held: tuple[str, ...]) -> tuple[str, ...]:
    """Those of `held` with a Casus Belli against another of them."""
    return tuple(
        p
        for p in held
        if any(c.area == area and c.holder == p and c.against in held for c in state.casus_belli)
    )


def _take_down(play: Play, area: str, yielding: tuple[str, ...], own_will: bool) -> None:
    """Lower the Control markers of `yielding`, each step blamed on the other side, or on the yielding by `own_will`."""
    blames = {p: p if own_will else placer(play.state, area, p) for p in yielding}
    targets = {p: best_beside(play.state, area, p, yielding) for p in yielding}
    for power in _in_order(play, area, yielding):
        own = established(play.state, area, power)
        if own is None:
            continue
        to = targets[power]
        rule = {INFLUENCE: "NEG-010", INTEREST: "NEG-008"}.get(to, "NEG-009")
        play.lower(
            area, power, own.marker, to, "gives way in a dispute", ("SEQ-019", "NEG-006", rule), blames[power]
        )


def _in_order(play: Play, area: str, powers: tuple[str, ...]) -> tuple[str, ...]:
    """The order in which markers go down: drawn where it decides who brings on the Great War."""
    steps = sum(level(established(play.state, area, p)) for p in powers)
    if len(powers) < 2 or play.state.tension + steps < 100:
        return powers
    left, out = list(powers), []
    while left:
        out.append(left.pop(play.dice.draw(len(left))))
    return tuple(out)
