"""Placing and changing Status markers in the Movement/Status Change Phase; `placement` has the placement rules."""

from __future__ import annotations

from typing import NoReturn

from paxtui.games.pax import casus_belli
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.status import area_state, established, is_chinese, level, unestablished
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.events import events
from paxtui.games.pax.expansion import duties
from paxtui.games.pax.expansion.garrisons import has_garrison
from paxtui.games.pax.expansion.placement import (
    check_names,
    highest_marker,
    is_established_at_once,
    marker_price,
    opening_rules,
    placement_problems,
)
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import CONTROL, INTEREST, LEVEL, Marker
from paxtui.games.pax.text.display import join_with_and, marker_with_article, place_name, power_name
from paxtui.games.pax.transaction import ActTable, Transaction, refuse


def place_marker(play: Transaction, power: str, action: actions.Place | actions.Upgrade) -> None:
    """Buy a marker and place it, over a lower one of the same Power if there is one, for the difference in price.

    Raises: Refusal `no_marker`, or with the rules that forbid it.
    Rules: STA-001, STA-002, STA-004, STA-008, STA-009, STA-026, STA-027, STA-028, STA-029
    """
    area, marker = action.area, action.marker
    check_names(play, area, marker)
    own = highest_marker(play.state, area, power)
    if own is None and isinstance(action, actions.Upgrade):
        refuse(
            "no_marker",
            ("STA-026", "STA-027"),
            f"{play.tables.powers[power].name} has no marker in {play.tables.areas[area].name} to upgrade. Place one.",
        )
    tables, state = play.tables, play.state
    found = placement_problems(tables, state, power, area, marker)
    if found:
        rules = tuple(dict.fromkeys(r for p in found for r in p.rules))
        refuse(found[0].code, rules, " ".join(p.message for p in found), problems=[p.code for p in found])
    pounds = marker_price(tables, state, power, area, marker)
    counts = "control" if tables.markers[marker].control and not tables.markers[marker].only_for else ""
    duties.check_spending(play, power, pounds, counts)
    what = f"{tables.markers[marker].name} in {tables.areas[area].name}"
    play.money(power, -pounds, what, ("STA-004", "STA-028" if own else "STA-005"))
    at_once = is_established_at_once(state, area, power, marker)
    covered = (established if at_once else unestablished)(state, area, power)
    play.emit(
        events.MarkerPlaced(
            area=area,
            power=power,
            marker=marker,
            established=at_once,
            turn=state.turn,
            replaces=covered.marker if covered else "",
            rules=_placing_rules(tables, state, power, area, marker, at_once),
        )
    )
    raise_resentment(play, power, area, marker, own)
    if marker in CONTROL and not has_garrison(play.state, area, power):
        play.add_note(
            "no_army",
            f"{tables.powers[power].name} has no Army Unit in {tables.areas[area].name}: without one at the end of "
            f"the Phase the marker will be reduced.",
            ("STA-016", "STA-014"),
            power,
            area,
        )


def _placing_rules(tables: Tables, state: State, power: str, area: str, marker: str, at_once: bool) -> tuple[str, ...]:
    if at_once:
        return ("STA-009", "STA-029")
    if marker not in CONTROL:
        return ("STA-008", "STA-009", "STA-010" if marker == INTEREST else "STA-011")
    return ("STA-008", "STA-009", *opening_rules(tables, state, power, area))


def raise_resentment(play: Transaction, power: str, area: str, marker: str, before: Marker | None, *more: str) -> None:
    """Raise Chinese Resentment for a marker placed over `before`, by the difference; `more`: additional rules.

    Rules: CRI-001, CRI-007, CRI-015, CRI-016, STA-025
    """
    kind = is_chinese(play.tables, play.state, area)
    if not kind:
        return

    def points(name: str) -> int:
        row = play.tables.resentment[name]
        return row.placed_in_empire if kind == "empire" else row.placed_in_vassal

    amount = points(marker) - (points(before.marker) if before else 0)
    rules = ("CRI-015" if kind == "empire" else "CRI-016", "CRI-007", "STA-025", *more)
    what = f"{play.tables.markers[marker].name} in {play.tables.areas[area].name}"
    play.resentment(amount, what, rules, power, area)


def place_minor_marker(play: Transaction, power: str, area: str, marker: str, rules: tuple[str, ...]) -> None:
    """Place a marker of a Minor Power, without a price and established at once. Rules: MIN-032, CRI-015, CRI-016."""
    own = highest_marker(play.state, area, power)
    play.establish(area, power, marker, own, ("MIN-032", *rules))
    raise_resentment(play, power, area, marker, own)


def give_up_marker(play: Transaction, power: str, action: actions.Downgrade | actions.Withdraw) -> None:
    """Lower one of the Power's markers below Control, or take it off the map, without refund.

    Raises: Refusal `no_marker`, `control_stays`.
    Rules: STA-026, STA-030, STA-031, STA-032
    """
    area, marker = action.area, find_given_up_marker(play, power, action)
    to = action.marker if isinstance(action, actions.Downgrade) else ""
    if marker.marker in CONTROL:
        refuse(
            "control_stays",
            ("STA-031",),
            f"A {marker.marker.title()} cannot be given up in this Phase, but in a dispute in the Negotiation Phase.",
        )
    below = established(play.state, area, power)
    if not marker.established and below and level(below) >= LEVEL[to]:
        to = ""  # the established marker under the new one is what remains
    play.lower(area, power, marker.marker, to, "given up", ("STA-030", "STA-032", "ETI-014"), None, marker.established)
    casus_belli.settle_causes(play, area, ("STA-030",))


def find_given_up_marker(play: Transaction, power: str, action: actions.Downgrade | actions.Withdraw) -> Marker:
    """Return the Power's marker that is given up: one that is allowed in this Phase, the new one first.

    Raises: Refusal `no_marker`, or as `check_names`.
    Rules: STA-026
    """
    check_names(play, action.area, action.marker)
    own = [m for m in area_state(play.state, action.area).markers if m.power == power]
    if isinstance(action, actions.Downgrade):
        own = [m for m in own if level(m) > LEVEL[action.marker]]
    else:
        own = [m for m in own if m.marker == action.marker]
    if play.state.phase == "movement":
        own = [m for m in own if m.marker not in CONTROL] or own
    if not own:
        _refuse_missing_marker(play, power, action)
    return min(own, key=lambda m: (m.established, level(m)))


def _refuse_missing_marker(play: Transaction, power: str, action: actions.Downgrade | actions.Withdraw) -> NoReturn:
    who, where = power_name(play.tables, power), place_name(play.tables, action.area)
    there = [m.marker for m in area_state(play.state, action.area).markers if m.power == power]
    if not there:
        refuse("no_marker", ("STA-026",), f"{who} has no marker in {where}.")
    has = join_with_and([marker_with_article(play.tables, kind) for kind in there])
    wish = f"not {marker_with_article(play.tables, action.marker)}"
    if isinstance(action, actions.Downgrade):
        wish = "and 'downgrade' names a lower marker than that"
    refuse("no_marker", ("STA-026",), f"{who} has {has} in {where}, {wish}.")


ACTS: ActTable = {
    actions.Place: {"movement": place_marker},
    actions.Upgrade: {"movement": place_marker},
    actions.Downgrade: {"movement": give_up_marker},
    actions.Withdraw: {"movement": give_up_marker},
}
