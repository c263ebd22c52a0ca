"""The Negotiation Phase: disputes are settled by giving way, sharing, giving something else, or waiving them.

What is agreed between several is a `settlement`; what a Power does alone is here, and so is what becomes at the end
of the Phase of disputes that nobody has settled and over which no Congress of Europe meets.

Rules: SEQ-019, NEG-001 to NEG-010, NEG-019, NEG-024, NEG-029, MIN-039, MIN-040, ETI-013, ETI-031
(R-NEG-01, R-NEG-09, R-MIN-13)
"""

from __future__ import annotations

import msgspec

from paxtui.pax.board.status import at, controllers, influence_holders, seat_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.expansion.placement import check_words
from paxtui.pax.history import events as ev
from paxtui.pax.orders import actions as ac
from paxtui.pax.play import casus_belli
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.state.causes import CasusBelli
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import CONTROL, FULL, INFLUENCE, INTEREST, Marker

GREAT = ("great", "great_or_minor", "played_by_germany")
"""Kinds of Power that are Great Powers where they have a player."""

WAIVED = "waived"
"""Note of the Phase's frame: "power area" of those that have given up their Casus Belli; they give way first."""


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
    casus_belli.settle(play, area, ("NEG-003", "NEG-007"))


def waive(play: Play, seat: str, id: str) -> None:
    """Give up a Casus Belli; a marker that cannot stay gives way when the Phase ends.

    Raises: Refusal `no_casus_belli`, `not_your_casus_belli`, `defence`.
    Rules: NEG-003, NEG-007
    """
    cause = next((c for c in play.state.casus_belli if c.id == id), None)
    if cause is None:
        known = ", ".join(c.id for c in play.state.casus_belli) or "none"
        refuse("no_casus_belli", (), f"There is no Casus Belli {id!r}; there are: {known}.")
    if seat_of(play.tables, play.state, cause.holder) != seat:
        name = play.tables.powers[cause.holder].name if cause.holder in play.tables.powers else cause.holder
        refuse("not_your_casus_belli", ("NEG-003",), f"{id} is for {name} to give up.", holder=cause.holder)
    give_up(play, cause, ("NEG-003", "NEG-007"))


def give_up(play: Play, cause: CasusBelli, rules: tuple[str, ...]) -> None:
    """End a Casus Belli by its holder's will; in the Negotiation Phase his marker gives way first when it ends.

    Raises: Refusal `defence`.
    Rules: NEG-003, NEG-007, MIN-040
    """
    if cause.cause == casus_belli.DEFENCE:
        refuse(
            "defence",
            ("MIN-040",),
            "The defence of a Minor Power is announced: a Congress of Europe must be called over it.",
        )
    play.emit(ev.CasusBelliEnded(id=cause.id, reason="waived", rules=rules))
    if cause.area and cause.cause in casus_belli.MARKERS and play.state.phase == "negotiation":
        top = play.state.top
        waived = [*top.data.get(WAIVED, []), f"{cause.holder} {cause.area}"]
        play.emit(ev.StepTaken(step=top.step, data={**top.data, WAIVED: waived}, rules=("NEG-003",)))


def given_up(state: State, area: str) -> tuple[str, ...]:
    """Powers that have given up their Casus Belli over the Area in this Negotiation Phase."""
    if state.phase != "negotiation":
        return ()
    notes = (note.split(" ", 1) for note in state.top.data.get(WAIVED, ()))
    return tuple(power for power, where in notes if where == area)


# --- the defence of a Minor Power -----------------------------------------------------------------------------------


def defend(play: Play, power: str, action: ac.Defend) -> None:
    """Announce that `power` defends a Minor Power's Influence against Control: a Congress must be called.

    Several may announce it, each with the same duty. It is over when the Control or the Influence is.

    Raises: Refusal `nothing_to_defend`, `not_a_great_power`, `own_dispute`, `announced`.
    Rules: MIN-039, MIN-040, STA-052, SEQ-020 (R-MIN-13, Decision 12)
    """
    tables, state = play.tables, play.state
    check_words(play, action.area)
    if action.minor not in tables.powers:
        refuse("unknown_power", (), f"There is no Power {action.minor!r}.")
    whom, where = tables.powers[action.minor].name, tables.areas[action.area].name
    if tables.powers[power].kind not in GREAT:
        refuse("not_a_great_power", ("MIN-040",), "Only a Great Power can announce the defence of a Minor Power.")
    if action.minor not in state.minors or action.minor not in overruled(state, action.area):
        refuse(
            "nothing_to_defend",
            ("MIN-040", "MIN-039"),
            f"{whom} is no Minor Power whose Influence in {where} is pressed by another's Control marker.",
        )
    against = [p for p in controllers(state, action.area) if p in state.powers]
    seat = seat_of(tables, state, power)
    if not against or any(seat_of(tables, state, p) == seat for p in against):
        refuse(
            "own_dispute",
            ("MIN-040",),
            f"It is for another Great Power than the one with Control of {where} to defend {whom} there.",
        )
    found = [
        casus_belli.arise(
            play, power, p, action.area, casus_belli.DEFENCE, ("MIN-040", "STA-052", "SEQ-020"), minor=action.minor
        )
        for p in against
    ]
    if not any(found):
        refuse("announced", ("MIN-040",), f"{tables.powers[power].name} has announced that already.")


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


def congress_called(state: State) -> bool:
    """Whether a Congress of Europe follows this Phase: a seat has called it, or a Minor Power is defended.

    Rules: SEQ-020, SEQ-021, MIN-040
    """
    return getattr(state, "congress", None) is not None or any(
        cause.cause == casus_belli.DEFENCE for cause in state.casus_belli
    )


def close(play: Play) -> None:
    """End the Phase: proposals lapse, and every dispute still open is settled by default, unless a Congress meets.

    What a Congress may still settle stays as it is. A Casus Belli that rests on no conflict of markers is there
    until the end of the turn.

    Rules: SEQ-019, NEG-001, NEG-002, NEG-006, NEG-029 (R-NEG-09)
    """
    from paxtui.pax.diplomacy import transfers, unsettled

    transfers.lapse_offers(play)
    transfers.lapse_settlements(play)
    called = congress_called(play.state)
    if not called:
        unsettled.say_what_is_open(play)
    unsettled.settle_all(play, called)
