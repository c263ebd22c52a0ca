"""Sharing an Area: who could, the new Control marker of whoever joins, and its price.

Rules: COD-001, COD-003, COD-004, COD-012, COD-013, NEG-012, NEG-015, NEG-017, NEG-021, SET-039, CON-020,
CRI-006, OTT-002, WEN-041, WEN-042, WEN-055
(R-NEG-03, R-NEG-06, R-NEG-07, R-COD-01, R-COD-04, R-WEN-08)
"""

from __future__ import annotations

from paxtui.pax.board import counters
from paxtui.pax.board.status import at, controllers, established, influence_holders
from paxtui.pax.board.tables import Tables
from paxtui.pax.combat.colonial_outcome import war_due
from paxtui.pax.diplomacy import gifts
from paxtui.pax.diplomacy.bills import Bill
from paxtui.pax.play import casus_belli
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import (
    CONTROL,
    EXPANSION,
    FULL,
    INFLUENCE,
    INTEREST,
    LEVEL,
    POSSESSION,
    PROTECTORATE,
    STATE,
)  # fmt: skip
from paxtui.pax.words.spoken import place_name, power_name

JOINING = 10
"""Pounds for the Influence that becomes a Protectorate in a Codominion (COD-004)."""


def sharers(tables: Tables, state: State, area: str) -> tuple[str, ...]:
    """Powers that could share the Area by their own agreement: holders of Control, then of Influence; () for nobody.

    Rules: COD-001, COD-004, COD-013, NEG-018, NEG-019 (Decision 23)
    """
    held = controllers(state, area)
    crown = any(m.established and LEVEL[m.marker] == LEVEL[STATE] for m in at(state, area).markers)
    if crown or not held or EXPANSION in held or any(p in state.minors for p in held):
        return ()
    return (*held, *(p for p in influence_holders(state, area) if p in state.powers))


def sharable(play: Play, area: str) -> tuple[str, ...]:
    """Powers with Control of an Area that may be shared; nobody needs to have any where victors divide their spoils.

    Raises: Refusal `no_control`, `crown`, `minor`.
    Rules: COD-001, COD-003, COD-013, NEG-012, WEN-042
    """
    here, name = at(play.state, area), place_name(play.tables, area)
    if any(m.established and LEVEL[m.marker] == LEVEL[STATE] for m in here.markers):
        refuse("crown", ("COD-013",), f"{name} is a State or Dominion: those are never shared.")
    held = controllers(play.state, area)
    if EXPANSION in held:
        refuse("minor", ("EVT-035",), f"{power_name(play.tables, EXPANSION)} shares {name} with nobody.")
    if not held and not quarrelling(play.state, area):
        refuse(
            "no_control",
            ("COD-001", "COD-003", "NEG-012"),
            f"Nobody has Control of {name}: there is nothing to share.",
        )
    return held


def quarrelling(state: State, area: str) -> tuple[str, ...]:
    """The victors whose quarrel over an Area is before a Congress: the Area is theirs to divide.

    Rules: WEN-042, CON-016 (R-WEN-08)
    """
    put = state.congress.causes if state.congress else ()
    about = [c for c in state.casus_belli if (c.cause, c.area) == (casus_belli.SPOILS, area) and c.id in put]
    return tuple(dict.fromkeys(p for c in about for p in (c.holder, c.against)))


def won(play: Play, area: str, power: str, kind: str, rules: tuple[str, ...]) -> None:
    """A Congress gives a victor Control of an Area that its Alliance has quarrelled over; what conflicts with it goes,
    without tensions, but for Control that others have there.

    Raises: Refusal as for new Control.
    Rules: WEN-041, WEN-042, WEN-055 (R-WEN-08, R-WEN-15)
    """
    place(play, area, power, kind, rules, True)
    for m in at(play.state, area).markers:
        if m.established and m.power != power and m.marker not in CONTROL:
            left = "" if kind in FULL else INTEREST
            if LEVEL[m.marker] > LEVEL[left]:
                play.lower(area, m.power, m.marker, left, "spoils of War", ("WEN-055", *rules), None)


def place(play: Play, area: str, power: str, kind: str, rules: tuple[str, ...], congress: bool) -> str:
    """Put a new Control marker beside others, established at once, without combat, link, army or Resentment.

    What the Power had there before, "" for nothing, is the answer. `rules`: by which it was agreed.

    Raises: Refusal `unknown_power`, `not_control`, `no_piece`.
    Rules: NEG-012, NEG-017, NEG-021, COD-003, COD-004, SET-039, CRI-006, CON-020, OTT-002 (R-NEG-04, R-NEG-07)
    """
    tables, state = play.tables, play.state
    if power not in tables.powers:
        refuse("unknown_power", (), f"There is no Power {power!r}.")
    if kind not in (PROTECTORATE, POSSESSION):
        refuse(
            "not_control",
            ("COD-003", "COD-012", "COD-013"),
            "An Area is shared by Protectorates and Possessions, not by any other marker.",
        )
    pool = tables.markers[kind].pool
    if counters.free(tables, state, power, pool) <= 0:
        refuse(
            "no_piece",
            ("SET-039",),
            f"{power_name(tables, power)} has no free {pool} piece{counters.limits_note(tables)}.",
        )
    own = established(state, area, power)
    had = own.marker if own else ""
    joins = ("COD-003", "COD-004", "NEG-021") if had == INFLUENCE else ("COD-003", "NEG-012", "NEG-017")
    by = ("CRI-006", *(("CON-020",) if congress else ()), *rules)
    play.establish(area, power, kind, own, tuple(dict.fromkeys((*joins, *by))))
    if state.options.granted_control_angers_ottomans:
        war_due(play, area, power)
    return had


def bill(
    play: Play, area: str, power: str, kind: str, had: str, payer: str, rules: tuple[str, ...]
) -> Bill | None:
    """The price of a new Control marker: the difference to what the Power `had` there; None for a Minor Power's own.

    Raises: Refusal as for a gift, where another pays.
    Rules: NEG-015, NEG-017, NEG-021, COD-004 (R-NEG-03, R-NEG-06, R-COD-04)
    """
    tables, state = play.tables, play.state
    joins = had == INFLUENCE and kind == PROTECTORATE
    pounds = JOINING if joins else tables.markers[kind].price - (tables.markers[had].price if had else 0)
    what = f"{tables.markers[kind].name} in {place_name(tables, area)}"
    if payer != power:
        gifts.check_gift(play, payer, power, pounds)
        what += f" for {power_name(tables, power)}"
    elif power not in state.powers:
        return None  # a Minor Power has no Treasury
    why = ("COD-004", "NEG-021") if joins else ("NEG-015", "NEG-017")
    return Bill(payer, "", pounds, what, tuple(dict.fromkeys((*why, *rules))))
