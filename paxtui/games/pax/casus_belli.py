"""Casus Belli: how they arise, when they lapse, and how they end.

The Casus Belli Summary (`Tables.causes`) lists the causes. Causes with a `holder` and `areas` there arise from the
table alone (Monroe Doctrine, gates of India), so that owners of the printed sheets can change them without code.
"""

from __future__ import annotations

from paxtui.games.pax.board.status import area_state, controllers, established, influence_holders, level, seat_of
from paxtui.games.pax.board.tables import Cause, Tables
from paxtui.games.pax.events import events
from paxtui.games.pax.state.diplomacy import CasusBelli, Waiver
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import CONTROL, INFLUENCE, LEVEL
from paxtui.games.pax.text.display import place_name, power_name
from paxtui.games.pax.transaction import Transaction

NEGOTIATION, TURN, WINDOW = "negotiation", "turn", "window"
"""When a cause lapses: as the War Phase opens, at the end of the turn, or when its window inside a War closes."""

MARKER_CAUSES = ("", "control_conflict", "control_over_influence", "codominion_over_influence")
"""Causes that last while the markers of both sides conflict; "" is a cause set up by hand."""

DEFENCE = "defence"
"""Cause of a Great Power that defends the rights of a Minor Power; it forces a Congress of Europe."""

SPOILS = "spoils_of_war"
"""Cause of victors against each other who cannot agree on the spoils; it forces a Congress of Europe."""

CAUSE_LAPSES: dict[str, str] = {
    **dict.fromkeys(MARKER_CAUSES, NEGOTIATION),
    DEFENCE: NEGOTIATION,
    "treaty_broken": TURN,
    "treaty_grants": TURN,
    "congress_treaty_refused": TURN,
    SPOILS: TURN,
    "yellow_press": TURN,
    "monroe_doctrine": TURN,
    "gates_of_india": TURN,
    "codominion_entered": WINDOW,
    "passage_denied": WINDOW,
}
"""When each cause lapses; other causes, from a replaced table, lapse at the end of the turn."""

BETWEEN_SEATS = (
    "treaty_broken", "treaty_grants", "congress_treaty_refused", "codominion_entered", "passage_denied",
    "spoils_of_war",
)  # fmt: skip
"""Causes that never arise between two Powers of one player."""


def summary_row(tables: Tables, cause: CasusBelli) -> Cause | None:
    """Return the row of the Casus Belli Summary; for a cause without a name, the row that has its rule."""
    for known in tables.causes:
        if known.id == cause.cause:
            return known
    return next((known for known in tables.causes if not known.holder and cause.rule in known.rules), None)


def is_reconstructed(tables: Tables, cause: CasusBelli) -> bool:
    """Return whether the cause is a reconstruction, because no public text gives the printed summary."""
    known = summary_row(tables, cause)
    return known is not None and known.reconstructed


def lapse_time(cause: CasusBelli) -> str:
    """Return NEGOTIATION, WINDOW or TURN. A cause without an Area lasts until the end of the turn.

    Rules: SEQ-019, WAR-029 (R-NEG-09)
    """
    if not cause.area:
        return TURN
    return cause.lapses or CAUSE_LAPSES.get(cause.cause, TURN)


def describe_cause(tables: Tables, cause: CasusBelli) -> str:
    """Describe a cause in one line: holder, opponent, Area and Minor Power."""
    where = f" over {place_name(tables, cause.area)}" if cause.area else ""
    minor_text = f", for {power_name(tables, cause.minor)}" if cause.minor else ""
    note = " (reconstructed)" if is_reconstructed(tables, cause) else ""
    return f"{power_name(tables, cause.holder)} against {power_name(tables, cause.against)}{where}{minor_text}{note}"


def is_supported(state: State, cause: CasusBelli) -> bool:
    """Return whether the markers on the map still support the cause.

    Causes without an Area, causes inside a War and causes about spoils need no markers.

    Rules: NEG-003, NEG-007, NEG-018, STA-030
    """
    if not cause.area or cause.lapses == WINDOW or cause.cause == SPOILS:
        return True
    against = established(state, cause.area, cause.against)
    if against is None or against.marker not in CONTROL:
        return False
    if cause.cause == DEFENCE:
        return cause.minor in influence_holders(state, cause.area)
    if cause.cause not in MARKER_CAUSES:
        return True
    shared = area_state(state, cause.area).codominion
    if cause.holder in shared and cause.against in shared:
        return False
    return level(established(state, cause.area, cause.holder)) >= LEVEL[INFLUENCE]


def create_casus_belli(
    play: Transaction,
    holder: str,
    against: str,
    area: str,
    cause: str,
    rules: tuple[str, ...],
    treaty: str = "",
    minor: str = "",
    demanded: bool = False,
) -> str:
    """Create a Casus Belli and return its id, or "" if none arises.

    Only Powers with a player hold one. None arises if the holder already has one for the same reason; all conflicts of
    markers over one Area are the same reason.

    Rules: WAR-027, STA-024, AUS-006 (R-AUS-04)
    """
    state = play.state
    if holder not in state.powers or holder == against:
        return ""
    if cause in BETWEEN_SEATS and seat_of(play.tables, state, holder) == seat_of(play.tables, state, against):
        return ""
    for known in state.casus_belli:
        alike = known.cause == cause or (known.cause in MARKER_CAUSES and cause in MARKER_CAUSES)
        there = (known.holder, known.against, known.area, known.treaty, known.minor)
        if alike and there == (holder, against, area, treaty, minor):
            return ""
    id_ = f"cb{state.next_cause}"
    ends = CAUSE_LAPSES.get(cause, TURN) if area else TURN
    play.emit(
        events.CasusBelliArose(
            id=id_,
            holder=holder,
            against=against,
            area=area,
            cause=cause,
            lapses=ends,
            treaty=treaty,
            minor=minor,
            demanded=demanded,
            rules=rules,
        )
    )
    return id_


def create_from_markers(
    play: Transaction,
    area: str,
    concerned: tuple[str, ...] | None = None,
    waivers: tuple[Waiver, ...] = (),
) -> None:
    """Create the causes that the established markers of an Area give.

    Control conflicts with Control, and Influence with Control.

    Args:
        concerned: only causes for or against these Powers, None for all.
        waivers: causes that have been given up here.

    Rules: STA-024, STA-052, CCB-015, MIN-024, NEG-023 (Decisions 4, 12 and 50)
    """
    shared = area_state(play.state, area).codominion
    holders = controllers(play.state, area)
    new: list[tuple[str, str, str, tuple[str, ...]]] = []
    for holder in holders:
        for against in holders:
            if holder != against and not (holder in shared and against in shared):
                new.append((holder, against, "control_conflict", ("CCB-015", "STA-024")))
    for holder in influence_holders(play.state, area):
        for against in holders:
            minor = ("MIN-024", "WAR-030") if against in play.state.minors else ()
            new.append((holder, against, "control_over_influence", ("STA-052", "STA-024", *minor)))
    for holder, against, cause, rules in new:
        is_concerned = concerned is None or holder in concerned or against in concerned
        if is_concerned and not any(waiver.covers(holder, against) for waiver in waivers):
            create_casus_belli(play, holder, against, area, cause, rules)


def create_from_codominion(play: Transaction, area: str, waivers: tuple[Waiver, ...] = ()) -> None:
    """Give each Power with Influence in a new Codominion a Casus Belli against each member.

    Earlier waivers concern other causes. `waivers` are those of the agreement that makes the Codominion.

    Rules: NEG-023, CON-023 (Decision 50)
    """
    for holder in influence_holders(play.state, area):
        for member in area_state(play.state, area).codominion:
            if not any(waiver.covers(holder, member) for waiver in waivers):
                create_casus_belli(play, holder, member, area, "codominion_over_influence", ("NEG-023",))


def create_from_summary(play: Transaction, area: str, power: str) -> None:
    """Create the causes that the Casus Belli Summary gives when `power` places Control in the Area.

    The table may exempt Powers that held Control there in 1880. A Power of the holder's own player gives no cause.

    Rules: WAR-027, WAR-067, WAR-068, STA-024
    """
    tables, state = play.tables, play.state
    for known in tables.causes:
        if not known.holder or area not in known.areas or known.holder not in state.powers:
            continue
        if seat_of(tables, state, known.holder) == (seat_of(tables, state, power) or power):
            continue
        if area in known.start_holders_exempt_in and any(
            s.area == area and s.power == power and s.marker in CONTROL for s in tables.start_markers
        ):
            continue
        create_casus_belli(play, known.holder, power, area, known.id, known.rules)


def create_from_new_control(play: Transaction, only: str = "") -> None:
    """Create the Summary's causes for each Control marker placed or raised this turn that still stands.

    Markers that were handed over give no cause.

    Args:
        only: the one Area to check, "" for all.

    Rules: WAR-067, WAR-068, STA-024, NEG-016 (R-WAR-28)
    """
    state = play.state
    for area in dict.fromkeys(a for known in play.tables.causes for a in known.areas if only in ("", a)):
        for m in area_state(state, area).markers:
            if m.established and m.marker in CONTROL and m.since == state.turn:
                if (m.power, area) not in state.handed_over:
                    create_from_summary(play, area, m.power)


def settle_causes(play: Transaction, area: str, rules: tuple[str, ...]) -> None:
    """End each Casus Belli over the Area that the markers no longer support. `rules`: what settled it.

    Rules: NEG-003, NEG-007, NEG-018 (R-STA-15)
    """
    for cause in play.state.casus_belli:
        if cause.area == area and not is_supported(play.state, cause):
            play.emit(events.CasusBelliEnded(id=cause.id, reason="settled", rules=rules))
