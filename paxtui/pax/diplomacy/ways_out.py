"""What can still be done about a Casus Belli, in sentences, with the orders for it.

Rules: SEQ-019, SEQ-020, NEG-001 to NEG-003, NEG-007, NEG-013, NEG-018, MIN-035, WAR-029
"""

from __future__ import annotations

from paxtui.pax.board.status import established, influence_holders, level, seat_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.diplomacy.disputes import best_beside
from paxtui.pax.diplomacy.sharing import JOINING, sharers
from paxtui.pax.play.casus_belli import DEFENCE, MARKERS, TURN, lapses
from paxtui.pax.state.causes import CasusBelli
from paxtui.pax.state.model import State
from paxtui.pax.state.phases import PHASES
from paxtui.pax.state.pieces import LEVEL
from paxtui.pax.words.spoken import place_name, power_name


def remedies(tables: Tables, state: State, cause: CasusBelli) -> list[str]:
    """What can still be done about a Casus Belli, one sentence a way, the order for it in backticks; at last its end.

    Rules: SEQ-019, SEQ-020, NEG-001, NEG-002, NEG-003, NEG-007, NEG-013, NEG-018, MIN-035, WAR-029
    """
    phase = PHASES.index(state.phase)
    talks = phase <= PHASES.index("negotiation")
    holder, against = power_name(tables, cause.holder), power_name(tables, cause.against)
    out: list[str] = []
    if talks:
        out += _by_agreement(tables, state, cause)
        if cause.cause == DEFENCE:
            out.append(f"A Congress of Europe meets over it, because {holder} has announced the defence.")
        else:
            out.append(f"{holder} lets it go: `waive {cause.id}`.")
            out.append(f"{holder} calls a Congress of Europe at the end of the Negotiation Phase.")
    elif state.phase == "congress":
        out.append("The Congress of Europe settles it by a Treaty that all parties to the dispute sign.")
    if phase <= PHASES.index("war"):
        out.append(f"{holder} declares War on {against}: `declare war`.")
    if not talks or lapses(cause) == TURN:
        out.append("If nothing is done, it lapses when the War Phase has opened.")
    elif cause.cause in MARKERS:
        out.append("If nothing is done, it is settled when the War Phase has opened: the holder gives way.")
    return out


def _by_agreement(tables: Tables, state: State, cause: CasusBelli) -> list[str]:
    """Ways out of a dispute over an Area before a Congress: giving way, sharing, something in return."""
    if not cause.area:
        return []
    out: list[str] = []
    where = place_name(tables, cause.area)
    for power in (cause.holder, cause.against):
        own = established(state, cause.area, power)
        if own is None or power not in state.powers or (power == cause.holder and cause.cause not in MARKERS):
            continue
        to = best_beside(state, cause.area, power)
        order = f"{power}: downgrade {to} {cause.area}" if to else f"{power}: withdraw {own.marker} {cause.area}"
        becomes = f"becomes {tables.markers[to].name}" if to else "leaves the map"
        steps = level(own) - LEVEL[to]
        out.append(
            f"{power_name(tables, power)} gives way: its {tables.markers[own.marker].name} in {where} {becomes}, "
            f"European Tensions +{steps}: `{order.removeprefix(seat_of(tables, state, power) + ': ')}`."
        )
    share = sharers(tables, state, cause.area)
    if cause.holder in share and cause.against in share:
        also = [p for p in influence_holders(state, cause.area) if p in share]
        order = f"codominion {cause.area}" + (f" with {' '.join(also)}" if also else "")
        price = f", £{JOINING} for each Influence that becomes a Protectorate" if also else ""
        out.append(f"They share {where}{price}: `{order}`.")
    if cause.against in state.powers:
        out.append("They settle it for something else, all in one proposal (propose): a marker, a Codominion, money.")
    return out
