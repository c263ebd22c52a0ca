"""What a Power does alone about a dispute: it gives a marker up, or its Casus Belli.

Rules: NEG-003 to NEG-010, ETI-013, ETI-029, ETI-031, MIN-040 (R-NEG-01)
"""

from __future__ import annotations

from paxtui.pax.board.status import seat_of
from paxtui.pax.diplomacy import disputes
from paxtui.pax.expansion.status_change import meant
from paxtui.pax.history import events as ev
from paxtui.pax.orders import actions as ac
from paxtui.pax.play import casus_belli
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.state.causes import CasusBelli, Waiver
from paxtui.pax.state.pieces import INFLUENCE, INTEREST, Marker
from paxtui.pax.state.progress import NegotiationNotes


def downgrade(play: Play, power: str, action: ac.Downgrade) -> None:
    """Lower one of the Power's markers in an Area in dispute.

    Raises: Refusal `no_marker`, or as for stepping down.
    Rules: STA-026, STA-030, STA-031, STA-032, NEG-003
    """
    step_down(play, power, action.area, meant(play, power, action), action.marker)


def withdraw(play: Play, power: str, action: ac.Withdraw) -> None:
    """Take one of the Power's markers in an Area in dispute off the map.

    Raises: Refusal as for a downgrade.
    Rules: STA-026, STA-030, STA-031, STA-032, NEG-003
    """
    step_down(play, power, action.area, meant(play, power, action), "")


def step_down(play: Play, power: str, area: str, marker: Marker, to: str) -> None:
    """Lower the Power's established marker to `to` ("" for off the map) to end a dispute; nothing is refunded.

    An Influence may be the first step down although Control still stands beside it: then nothing is settled yet.

    Raises: Refusal `no_dispute`, `not_beside`.
    Rules: NEG-003, NEG-004, NEG-005, NEG-006, NEG-007, NEG-008, NEG-009, NEG-010, ETI-013, ETI-029, ETI-031
    """
    name = play.tables.areas[area].name
    if disputes.dispute(play.state, area) is None:
        refuse(
            "no_dispute",
            ("NEG-003", "STA-030", "STA-031"),
            f"There is no dispute over {name}: markers are given up in negotiation only where there is one.",
        )
    if to == INTEREST and disputes.best_beside(play.state, area, power) == "":
        refuse(
            "not_beside",
            ("NEG-009", "STA-010"),
            f"No Interest can stay in {name} beside another Power's Possession: withdraw the marker altogether.",
        )
    # an Influence is forced down by whoever placed the Control marker, a Control marker is its owner's to give up
    forced = marker.marker == INFLUENCE and power in disputes.overruled(play.state, area)
    blame = disputes.placer(play.state, area, power) if forced else power
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
        top, given = play.state.top, (*disputes.waivers(play.state, cause.area), Waiver(cause.holder, cause.against))
        before = top.notes.waived if isinstance(top.notes, NegotiationNotes) else {}
        notes = NegotiationNotes({**before, cause.area: given})
        play.emit(ev.StepTaken(step=top.step, notes=notes, rules=("NEG-003",)))
