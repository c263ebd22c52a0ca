"""Disputes over Areas: finding them, giving way alone, defending Minor Powers, and settling open disputes by default.

Disputes are settled by default before a Congress, after it, and when the declarations of War at the opening of the War
Phase are closed. A holder of a Casus Belli that has not acted gives way: its marker goes down to the best one that can
stand beside the others.
"""

from __future__ import annotations

import msgspec

from paxtui.games.pax import casus_belli
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.status import area_state, controllers, established, influence_holders, level, seat_of
from paxtui.games.pax.board.tables import PLAYED_BY_GERMANY, Tables
from paxtui.games.pax.combat import results
from paxtui.games.pax.events import events
from paxtui.games.pax.expansion.placement import best_compatible_marker, check_names
from paxtui.games.pax.expansion.status_change import find_given_up_marker
from paxtui.games.pax.state.diplomacy import CasusBelli, Waiver
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.phases import NegotiationNotes
from paxtui.games.pax.state.pieces import CONTROL, INFLUENCE, INTEREST, Marker
from paxtui.games.pax.state.war import FOUGHT, WINDOW, War
from paxtui.games.pax.transaction import GREAT_WAR_TENSION, ActTable, Transaction, refuse

GREAT = ("great", "great_or_minor", PLAYED_BY_GERMANY)
"""Kinds of Power that are Great Powers if they have a player."""


class Dispute(msgspec.Struct, frozen=True):
    """Open conflicts in an Area: Powers with conflicting Control, Influences under Control, and Casus Belli."""

    area: str
    control: tuple[str, ...]
    influence: tuple[str, ...]
    causes: tuple[CasusBelli, ...]


def conflicting_controllers(state: State, area: str) -> tuple[str, ...]:
    """Return the Powers with incompatible Control markers; none if all belong to one Codominion.

    Rules: COD-001, NEG-024
    """
    holders = controllers(state, area)
    shared = area_state(state, area).codominion
    return holders if len(holders) > 1 and any(p not in shared for p in holders) else ()


def powers_at_war_over(state: State, area: str) -> tuple[str, ...]:
    """Return the Powers with a marker in the Area whose War against each other decides it.

    Without such a War, these are all Powers there if an outsider has declared War on one of them for defying a Congress
    over the Area.

    Rules: WAR-035, WAR-060, CON-035 (Decision 75)
    """
    holders = tuple(m.power for m in area_state(state, area).markers if m.established)
    fighting = tuple(p for p in holders if any(war.opposes(p, other) for war in state.wars for other in holders))
    congress = state.congress
    refusers = congress.refusers if congress and any(h.area == area for h in congress.holders) else ()
    if not fighting and any(
        area in war.over and war.side_of(p) for war in state.wars for p in refusers if p in holders
    ):
        return holders
    return fighting


def unlawful_controllers(state: State, area: str) -> tuple[str, ...]:
    """Return the Powers with illegal Control: all rivals, or only those outside the Codominion if there is one.

    Rules: COD-001, NEG-024 (Decision 45)
    """
    holders, shared = conflicting_controllers(state, area), area_state(state, area).codominion
    return tuple(p for p in holders if p not in shared)


def overruled_influences(state: State, area: str) -> tuple[str, ...]:
    """Return the Powers whose Influence cannot stay because of an established Control marker (NEG-006)."""
    return influence_holders(state, area) if controllers(state, area) else ()


def area_dispute(state: State, area: str) -> Dispute | None:
    """Return the dispute over an Area, or None."""
    found = Dispute(
        area,
        conflicting_controllers(state, area),
        overruled_influences(state, area),
        tuple(c for c in state.casus_belli if c.area == area),
    )
    return found if found.control or found.influence or found.causes else None


def area_disputes(tables: Tables, state: State) -> list[Dispute]:
    """Return all disputes over Areas, in map order. Rules: SEQ-019."""
    open_ = {cause.area for cause in state.casus_belli}
    # a single marker is no dispute
    shared = {area for area, here in state.areas.items() if len(here.markers) > 1}
    areas = [area for area in tables.areas if area in open_ or area in shared]
    return [d for d in (area_dispute(state, area) for area in areas) if d is not None]


def pressing_power(state: State, area: str, power: str) -> str:
    """Return the owner of the conflicting Control marker: the target of the Power's Casus Belli, else the latest.

    Rules: ETI-031
    """
    markers = [m for m in area_state(state, area).markers if m.established and m.marker in CONTROL and m.power != power]
    for cause in state.casus_belli:
        if cause.area == area and cause.holder == power and any(m.power == cause.against for m in markers):
            return cause.against
    latest = max(markers, key=lambda m: m.since, default=None)
    return latest.power if latest else power


def area_waivers(state: State, area: str) -> tuple[Waiver, ...]:
    """Return the Casus Belli over the Area that were given up in this Negotiation Phase.

    Rules: NEG-003, NEG-007 (Decision 50)
    """
    notes = state.top.notes
    return notes.waived.get(area, ()) if isinstance(notes, NegotiationNotes) else ()


def yielding_powers(state: State, area: str, holders: tuple[str, ...]) -> tuple[str, ...]:
    """Return the Powers of `holders` that waived their Casus Belli against another of them and so give way first.

    Rules: NEG-003, SEQ-019 (R-NEG-09, Decision 50)
    """
    given = area_waivers(state, area)
    return tuple(p for p in holders if any(w.covers(p, other) for w in given for other in holders if other != p))


def give_up_disputed(play: Transaction, power: str, action: actions.Downgrade | actions.Withdraw) -> None:
    """Lower or remove one of the Power's markers in a disputed Area.

    Raises: Refusal `no_marker`, or as `lower_marker`.
    Rules: STA-026, STA-030, STA-031, STA-032, NEG-003
    """
    to = action.marker if isinstance(action, actions.Downgrade) else ""
    lower_marker(play, power, action.area, find_given_up_marker(play, power, action), to)


def lower_marker(play: Transaction, power: str, area: str, marker: Marker, to: str) -> None:
    """Lower the Power's established marker to `to` ("" removes it) to end a dispute, without refund.

    An Influence may be a first step although there is still Control; then the dispute stays open.

    Raises: Refusal `no_dispute`, `not_beside`.
    Rules: NEG-003, NEG-004, NEG-005, NEG-006, NEG-007, NEG-008, NEG-009, NEG-010, ETI-013, ETI-029, ETI-031
    """
    name = play.tables.areas[area].name
    if area_dispute(play.state, area) is None:
        refuse(
            "no_dispute",
            ("NEG-003", "STA-030", "STA-031"),
            f"There is no dispute over {name}. In negotiation you can give up markers only in a dispute.",
        )
    if to == INTEREST and best_compatible_marker(play.state, area, power) == "":
        refuse(
            "not_beside",
            ("NEG-009", "STA-010"),
            f"An Interest cannot stay in {name} with another Power's Possession. Withdraw the marker.",
        )
    # the placer of the Control marker is to blame for an Influence, the owner for a Control marker
    forced = marker.marker == INFLUENCE and power in overruled_influences(play.state, area)
    blame = pressing_power(play.state, area, power) if forced else power
    rules = ("NEG-003", "NEG-007", "ETI-031" if forced else "ETI-029")
    play.lower(area, power, marker.marker, to, "given up in negotiation", rules, blame, marker.established)
    casus_belli.settle_causes(play, area, ("NEG-003", "NEG-007"))


def waive_cause(play: Transaction, seat: str, id: str) -> None:
    """Give up a Casus Belli; a marker that cannot stay gives way when the Phase ends.

    Raises: Refusal `no_casus_belli`, `not_your_casus_belli`, `defence`.
    Rules: NEG-003, NEG-007
    """
    cause = next((c for c in play.state.casus_belli if c.id == id), None)
    if cause is None:
        known = ", ".join(c.id for c in play.state.casus_belli) or "none"
        refuse("no_casus_belli", (), f"There is no Casus Belli {id!r}. Known ones: {known}.")
    if seat_of(play.tables, play.state, cause.holder) != seat:
        name = play.tables.powers[cause.holder].name if cause.holder in play.tables.powers else cause.holder
        refuse("not_your_casus_belli", ("NEG-003",), f"Only {name} can give up {id}.", holder=cause.holder)
    end_cause(play, cause, ("NEG-003", "NEG-007"))


def end_cause(play: Transaction, cause: CasusBelli, rules: tuple[str, ...]) -> None:
    """End a Casus Belli at its holder's request.

    In the Negotiation Phase, the holder's marker is the first to give way when the Phase ends.

    Raises: Refusal `defence`.
    Rules: NEG-003, NEG-007, MIN-040
    """
    if cause.cause == casus_belli.DEFENCE:
        refuse(
            "defence",
            ("MIN-040",),
            "You cannot give up the defence of a Minor Power: a Congress of Europe must be called over it.",
        )
    play.emit(events.CasusBelliEnded(id=cause.id, reason="waived", rules=rules))
    if cause.area and cause.cause in casus_belli.MARKER_CAUSES and play.state.phase == "negotiation":
        top, given = play.state.top, (*area_waivers(play.state, cause.area), Waiver(cause.holder, cause.against))
        before = top.notes.waived if isinstance(top.notes, NegotiationNotes) else {}
        notes = NegotiationNotes({**before, cause.area: given})
        play.emit(events.StepTaken(step=top.step, notes=notes, rules=("NEG-003",)))


def announce_defence(play: Transaction, power: str, action: actions.Defend) -> None:
    """Announce that `power` defends a Minor Power's Influence against Control: a Congress must be called.

    Several Powers may announce it, each with the same duty. The defence ends with the Control or the Influence.

    Raises: Refusal `nothing_to_defend`, `not_a_great_power`, `own_dispute`, `announced`.
    Rules: MIN-039, MIN-040, STA-052, SEQ-020 (R-MIN-13, Decision 12)
    """
    tables, state = play.tables, play.state
    check_names(play, action.area)
    if action.minor not in tables.powers:
        refuse("unknown_power", (), f"There is no Power {action.minor!r}.")
    minor_name, where = tables.powers[action.minor].name, tables.areas[action.area].name
    if tables.powers[power].kind not in GREAT:
        refuse("not_a_great_power", ("MIN-040",), "Only a Great Power can announce the defence of a Minor Power.")
    if action.minor not in state.minors or action.minor not in overruled_influences(state, action.area):
        refuse(
            "nothing_to_defend",
            ("MIN-040", "MIN-039"),
            f"In {where}, {minor_name} is not a Minor Power with an Influence that another Power's Control threatens.",
        )
    against = [p for p in controllers(state, action.area) if p in state.powers]
    seat = seat_of(tables, state, power)
    if not against or any(seat_of(tables, state, p) == seat for p in against):
        refuse(
            "own_dispute",
            ("MIN-040",),
            f"The Power with Control of {where} cannot defend {minor_name} there. Another Great Power must do it.",
        )
    found = [
        casus_belli.create_casus_belli(
            play, power, p, action.area, casus_belli.DEFENCE, ("MIN-040", "STA-052", "SEQ-020"), minor=action.minor
        )
        for p in against
    ]
    if not any(found):
        refuse("announced", ("MIN-040",), f"{tables.powers[power].name} has already announced that.")


def settle_closed_disputes(play: Transaction, congress: bool = False) -> None:
    """Settle the disputes without a possible War, at the end of Negotiation or of a Congress.

    A Power that waived its Casus Belli gives way, and so does a Minor Power's Influence. Holders of a Casus Belli may
    still declare War. With `congress`, disputes that a Congress of Europe can settle stay open.

    Rules: SEQ-019, NEG-002, NEG-006, NEG-029, WAR-060 (R-NEG-09, R-WAR-24)
    """
    for found in area_disputes(play.tables, play.state):
        lower_minor_influences(play, found.area)
        if congress and any(_is_settled_by_default(cause) for cause in found.causes):
            continue
        _lower_waived(play, found.area)
        casus_belli.settle_causes(play, found.area, ("SEQ-019",))
        if not any(c.area == found.area and _is_settled_by_default(c) for c in play.state.casus_belli):
            settle_area_by_default(play, found.area)


def _is_settled_by_default(cause: CasusBelli) -> bool:
    return casus_belli.lapse_time(cause) == casus_belli.NEGOTIATION


def settle_all(play: Transaction) -> None:
    """Settle all disputes over Areas by default and end all Casus Belli, after the last declarations of the War Phase.

    Disputes between Powers at War, and those before a Congress that stays open beside the War, are left alone. Units
    without Control of their owner go home.

    Rules: WAR-031, WAR-035, WAR-060, PBM-057, CON-037, NEG-006 (R-NEG-09, R-WAR-24, Decision 56)
    """
    put = causes_left_to_congress(play.state)
    for found in area_disputes(play.tables, play.state):
        if any(cause.id in put for cause in found.causes):
            continue
        holders = controllers(play.state, found.area)
        settle_area_by_default(play, found.area)
        for power in holders:
            if power in play.tables.homes and power not in controllers(play.state, found.area):
                results.send_home(play, power, found.area, ("WAR-060", "CON-037"))
    rule = "WAR-035" if play.state.wars else "WAR-060"
    for cause in play.state.casus_belli:
        if cause.id not in put:
            play.emit(events.CasusBelliEnded(id=cause.id, reason="lapsed", rules=(rule,)))


def settle_unfought_war(play: Transaction, war: War) -> None:
    """Lower the incompatible markers left by a War that has ended by peace before it was fought, without tension.

    Before the War Phase has opened nothing is lowered: at its opening all disputes are settled.

    Rules: WEN-055, WEN-056, NEG-006, ETI-034, CON-037
    """
    phase = play.state.frames[0]
    if phase.phase != "war" or phase.step not in (WINDOW, FOUGHT):
        return
    for area in filter(None, dict.fromkeys(war.over)):
        if powers_at_war_over(play.state, area):  # another War decides
            continue
        for power in conflicting_controllers(play.state, area):
            _lower_after_war(play, area, power, INFLUENCE, ("WEN-056", "ETI-034"))
            results.send_home(play, power, area, ("WEN-056", "CON-037"))
        for power in overruled_influences(play.state, area):
            best = best_compatible_marker(play.state, area, power)
            _lower_after_war(play, area, power, best, ("NEG-006", "WEN-055", "ETI-034"))


def _lower_after_war(play: Transaction, area: str, power: str, to: str, rules: tuple[str, ...]) -> None:
    if own := established(play.state, area, power):
        play.lower(area, power, own.marker, to, "the outcome of the War", rules, None)


def causes_left_to_congress(state: State) -> tuple[str, ...]:
    """Return the ids of the Casus Belli before a Congress that stays open beside a War. Rules: PBM-057."""
    return state.congress.causes if state.waiting_phase is not None and state.congress is not None else ()


def announce_open_disputes(play: Transaction) -> None:
    """Announce that disputes are left over which no Congress was called."""
    ending = [c for c in play.state.casus_belli if _is_settled_by_default(c)]
    if ending:
        places = ", ".join(sorted({play.tables.areas[c.area].name for c in ending}))
        play.add_note(
            "left_open",
            f"The dispute over {places} is still open and nobody has called a Congress of Europe: whoever holds the "
            f"Casus Belli may declare War when the War Phase opens, or gives way then.",
            ("SEQ-019", "NEG-002", "WAR-060"),
        )


def lower_minor_influences(play: Transaction, area: str) -> None:
    """Lower a Minor Power's Influence beside a Great Power's Control, unless it is defended.

    Rules: NEG-029, NEG-008, NEG-009, MIN-039, MIN-040, ETI-031
    """
    defended = {c.minor for c in play.state.casus_belli if c.area == area and c.cause == casus_belli.DEFENCE}
    for power in overruled_influences(play.state, area):
        if power in play.state.minors and power not in (*defended, *powers_at_war_over(play.state, area)):
            _lower_influence(play, area, power)


def _lower_influence(play: Transaction, area: str, power: str) -> None:
    """Lower an Influence to the best marker beside the Control there; its placer is to blame."""
    own = established(play.state, area, power)
    if own is None:
        return
    minor, best = power in play.state.minors, best_compatible_marker(play.state, area, power)
    to = best if minor else _default_marker(play, best)
    rules = ("NEG-029" if minor else "SEQ-019", "NEG-006", "NEG-008" if to else "NEG-009", "ETI-031")
    play.lower(area, power, own.marker, to, "gives way to Control", rules, pressing_power(play.state, area, power))


def _default_marker(play: Transaction, best: str) -> str:
    """Return what an inactive holder of a Casus Belli keeps: the best legal marker, or nothing by the option.

    Rules: SEQ-019 (R-NEG-09, CON-036)
    """
    return "" if play.state.options.unsettled_disputes == "removed" else best


def settle_area_by_default(play: Transaction, area: str) -> None:
    """Lower markers until those of the Area are compatible.

    Markers of Powers at War with each other there stay. Powers that waived their Casus Belli against one that stays
    give way first. Then holders of a Casus Belli give way: to Influence if all Control markers go, else to the best
    marker beside the Control that stays. Finally Influences give way to Control.

    Rules: SEQ-019, NEG-006, NEG-008, NEG-009, NEG-010, NEG-029, ETI-031, WAR-060 (R-NEG-09, Decisions 12, 23 and 50)
    """
    while holders := tuple(
        p for p in conflicting_controllers(play.state, area) if p not in powers_at_war_over(play.state, area)
    ):
        first = yielding_powers(play.state, area, holders)
        down = first if first and len(first) < len(holders) else _cause_holders(play.state, area, holders) or holders
        _lower_control(play, area, down, any(p in first for p in down))
    under = tuple(p for p in overruled_influences(play.state, area) if p not in powers_at_war_over(play.state, area))
    for power in _lowering_order(play, area, under):
        _lower_influence(play, area, power)


def _lower_waived(play: Transaction, area: str) -> None:
    """Lower the markers of Powers that waived their Casus Belli against a Power that keeps its own marker."""
    while holders := conflicting_controllers(play.state, area):
        first = yielding_powers(play.state, area, holders)
        if not first or len(first) == len(holders):
            return
        _lower_control(play, area, first, True)


def _cause_holders(state: State, area: str, holders: tuple[str, ...]) -> tuple[str, ...]:
    """Return the Powers of `holders` with a Casus Belli against another of them."""
    return tuple(
        p for p in holders if any(c.area == area and c.holder == p and c.against in holders for c in state.casus_belli)
    )


def _lower_control(play: Transaction, area: str, yielding: tuple[str, ...], own_will: bool) -> None:
    """Lower the Control markers of `yielding`, blamed on the other side, or with `own_will` on their owner."""
    blames = {p: p if own_will else pressing_power(play.state, area, p) for p in yielding}
    targets = {p: _default_marker(play, best_compatible_marker(play.state, area, p, yielding)) for p in yielding}
    for power in _lowering_order(play, area, yielding):
        own = established(play.state, area, power)
        if own is None:
            continue
        to = targets[power]
        rule = {INFLUENCE: "NEG-010", INTEREST: "NEG-008"}.get(to, "NEG-009")
        play.lower(area, power, own.marker, to, "gives way in a dispute", ("SEQ-019", "NEG-006", rule), blames[power])


def _lowering_order(play: Transaction, area: str, powers: tuple[str, ...]) -> tuple[str, ...]:
    """Return the order in which markers go down: random if it decides who causes the Great War."""
    steps = sum(level(established(play.state, area, p)) for p in powers)
    if len(powers) < 2 or play.state.tension + steps < GREAT_WAR_TENSION:
        return powers
    left, out = list(powers), []
    while left:
        out.append(left.pop(play.dice.draw(len(left))))
    return tuple(out)


ACTS: ActTable = {
    actions.Downgrade: {"negotiation": give_up_disputed},
    actions.Withdraw: {"negotiation": give_up_disputed},
    actions.Defend: {"negotiation": announce_defence},
}
