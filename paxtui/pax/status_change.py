"""Placing and changing Status markers: the Status change rules of the Movement/Status Change Phase.

Rules: STA-001 to STA-033, CRI-007, CRI-015, CRI-016, EVT-012, EVT-014 to EVT-016, EVT-031, CCB-061, MIN-033
"""

from __future__ import annotations

from typing import NamedTuple

from paxtui.pax import actions as ac
from paxtui.pax import counters, duties, negotiation
from paxtui.pax import events as ev
from paxtui.pax.board import area_type
from paxtui.pax.links import linked_areas
from paxtui.pax.model import ARMY, CONTROL, FULL, INFLUENCE, INTEREST, LEVEL, POSSESSION, Marker, State
from paxtui.pax.play import Play, refuse
from paxtui.pax.status import at, controls, established, is_chinese, level, opposing, unestablished
from paxtui.pax.tables import RandomEvent, Tables

OPEN_TYPES = ("unorganized", "chinese_vassal")
"""Types of Area in which Control markers may be placed without Unrest."""


class Problem(NamedTuple):
    """Why a marker may not be placed."""

    code: str
    rules: tuple[str, ...]
    message: str


# --- what may be placed -------------------------------------------------------------------------------------------


def highest(state: State, area: str, power: str) -> Marker | None:
    """The Power's own highest marker in the Area, established or of this turn."""
    return max((m for m in at(state, area).markers if m.power == power), key=level, default=None)


def price(tables: Tables, state: State, power: str, area: str, marker: str) -> int:
    """Pounds for a marker: the difference to the Power's highest one there.

    Rules: STA-005, STA-028, EVT-014
    """
    own = highest(state, area, power)
    return tables.markers[marker].price - (tables.markers[own.marker].price if own else 0)


def raises_at_once(state: State, area: str, power: str, marker: str) -> bool:
    """Whether `marker` needs no Colonial Combat because the Power has established Control there (STA-029)."""
    return marker in CONTROL and controls(state, area, power)


def problems(tables: Tables, state: State, power: str, area: str, marker: str) -> list[Problem]:
    """Everything, money apart, that forbids the Power to place `marker` in `area` now; empty when it may.

    Rules: STA-007, STA-009 to STA-013, STA-018, STA-019, STA-027, STA-029, MIN-033, SET-039, SET-046, SET-047
    """
    found = [_ladder(tables, state, power, area, marker), _link(tables, state, power, area)]
    if marker == INTEREST:
        found.append(_interest(tables, state, area))
    elif marker == INFLUENCE:
        found.append(_influence(tables, state, area))
    elif tables.markers[marker].only_for:
        found.append(_crown(tables, state, power, area, marker))
    else:
        found.append(_control(tables, state, power, area))
    found += [_minor_came_first(tables, state, area, marker), _piece(tables, state, power, area, marker)]
    return [p for p in found if p is not None]


def _ladder(tables: Tables, state: State, power: str, area: str, marker: str) -> Problem | None:
    """A marker goes only above the Power's own ones."""
    own = highest(state, area, power)
    if own is None or LEVEL[marker] > level(own):
        return None
    return Problem(
        "not_higher",
        ("STA-027", "STA-028", "SET-082"),
        f"{tables.powers[power].name} has a {own.marker.title()} in {tables.areas[area].name} already: "
        f"only a higher marker can be placed over it.",
    )


def _link(tables: Tables, state: State, power: str, area: str) -> Problem | None:
    """A Communication Link is needed at the moment of placing."""
    if area in linked_areas(tables, state, power):
        return None
    return Problem(
        "no_link",
        ("STA-009", "SET-074"),
        f"{tables.powers[power].name} has no Communication Link to {tables.areas[area].name}: every Sea Zone on the "
        f"way needs an own Merchant Fleet, every Area own Control.",
    )


def _interest(tables: Tables, state: State, area: str) -> Problem | None:
    """An Interest goes anywhere but beside an established Possession, State or Dominion."""
    full = next((m for m in at(state, area).markers if m.established and m.marker in FULL), None)
    if full is None:
        return None
    return Problem(
        "possessed",
        ("STA-010",),
        f"{tables.areas[area].name} is an established {full.marker.title()} of {tables.powers[full.power].name}: "
        f"no Interest can be placed there.",
    )


def _influence(tables: Tables, state: State, area: str) -> Problem | None:
    """An Influence goes anywhere but beside an established Control marker."""
    control = next((m for m in at(state, area).markers if m.established and m.marker in CONTROL), None)
    if control is None:
        return None
    return Problem(
        "controlled",
        ("STA-011",),
        f"{tables.areas[area].name} has an established {control.marker.title()} of "
        f"{tables.powers[control.power].name}: no Influence can be placed there.",
    )


def _control(tables: Tables, state: State, power: str, area: str) -> Problem | None:
    """A Protectorate or Possession: no foreign Control, and an open type, Unrest, or a permit of an event.

    The Area has to be open only for the step from no Control to Control.
    """
    name = tables.areas[area].name
    foreign = opposing(state, area, power)
    if foreign:
        return Problem(
            "foreign_control",
            ("STA-012", "STA-013", "STA-027", "EVT-031"),
            f"{name} has an established {foreign[0].marker.title()} of {tables.powers[foreign[0].power].name}: "
            f"no other Power can place a Control marker there.",
        )
    if controls(state, area, power) or opening(tables, state, power, area):
        return None
    permit = _permit(tables, state, power, area)
    if permit:
        limit = permit.permit.at_most if permit.permit else 0
        return Problem(
            "permit_used",
            permit.rules,
            f"{permit.title} opens {limit} quiet Area{'s' if limit > 1 else ''}, and that is used already.",
        )
    return Problem(
        "not_open",
        ("STA-012", "STA-013", "EVT-031"),
        f"{name} is {area_type(tables, state, area).replace('_', ' ').title()} and not in Unrest: Control markers "
        f"go into Unorganized Areas, Chinese Vassals and Areas in Unrest.",
    )


def opening(tables: Tables, state: State, power: str, area: str) -> tuple[str, ...]:
    """Rules that open the Area to Control markers of the Power: its type, its Unrest, an event; () if it is closed.

    Rules: STA-012, STA-013, EVT-012, EVT-015, EVT-016, EVT-031, CCB-061
    """
    if area_type(tables, state, area) in OPEN_TYPES:
        return ("STA-012",)
    if at(state, area).unrest:
        return ("STA-013", "EVT-031")
    event = _permit(tables, state, power, area)
    if event is None or event.permit is None:
        return ()
    used = [a for a in event.permit.areas if a != area and _opened_by_event(tables, state, power, a)]
    return ("STA-013", "CCB-061", *event.rules) if len(used) < event.permit.at_most else ()


def _permit(tables: Tables, state: State, power: str, area: str) -> RandomEvent | None:
    """The event of this turn that lets the Power into the quiet Area."""
    for dice in state.events:
        permit = tables.events[dice].permit
        if permit and permit.power == power and area in permit.areas:
            return tables.events[dice]
    return None


def _opened_by_event(tables: Tables, state: State, power: str, area: str) -> bool:
    """Whether the Power has a new Control marker in a quiet Area that only an event can have opened."""
    new = unestablished(state, area, power)
    quiet = not at(state, area).unrest and area_type(tables, state, area) not in OPEN_TYPES
    return quiet and new is not None and new.marker in CONTROL


def _crown(tables: Tables, state: State, power: str, area: str, marker: str) -> Problem | None:
    """A State or Dominion: its own Power, the Areas of the map, over a Possession from before this Phase."""
    kind, name = tables.markers[marker], tables.areas[area].name
    rule = "STA-018" if kind.pool == "state" else "STA-019"
    if kind.only_for != power:
        return Problem(
            "not_your_marker", ("SET-047", rule), f"Only {tables.powers[kind.only_for].name} has {kind.name} markers."
        )
    own = established(state, area, power)
    if tables.areas[area].upgrade != marker:
        return Problem("no_such_upgrade", (rule,), f"{name} can never become a {kind.name}.")
    if own is None or own.marker != POSSESSION:
        return Problem(
            "no_possession", (rule,), f"A {kind.name} needs an established own Possession in {name} beforehand."
        )
    if own.since >= state.turn:
        return Problem(
            "two_steps",
            ("STA-029", rule),
            f"{name} became a Possession this very turn: it can be a {kind.name} next turn at the earliest.",
        )
    if power in at(state, area).codominion or opposing(state, area, power):
        return Problem(
            "shared", ("COD-013", "STA-027"), f"{name} is shared: no {kind.name} can stand beside other Control."
        )
    return None


def _minor_came_first(tables: Tables, state: State, area: str, marker: str) -> Problem | None:
    """Where a Minor Power has placed Control this turn, no Great Power places Control or Influence."""
    if marker == INTEREST:
        return None
    for m in at(state, area).markers:
        if m.power in state.minors and m.established and m.marker in CONTROL and m.since == state.turn:
            return Problem(
                "minor_control",
                ("MIN-033",),
                f"{tables.powers[m.power].name} has taken Control of {tables.areas[area].name} this turn: "
                f"only an Interest can be placed there before the next.",
            )
    return None


def _piece(tables: Tables, state: State, power: str, area: str, marker: str) -> Problem | None:
    """A free piece of the kind, or an own one there that is turned over."""
    pool = tables.markers[marker].pool
    if any(m.power == power and tables.markers[m.marker].pool == pool for m in at(state, area).markers):
        return None
    if counters.free(tables, state, power, pool) > 0:
        return None
    return Problem(
        "no_piece",
        ("SET-039", "SET-046"),
        f"{tables.powers[power].name} has no {marker.title()} piece left: all its {pool} pieces are on the map.",
    )


def check_words(play: Play, area: str, marker: str = "") -> None:
    """Raises: Refusal `unknown_area`, `unknown_marker`: faults of words, not of rules."""
    if area not in play.tables.areas:
        refuse("unknown_area", (), f"There is no Area {area!r}.")
    if marker and marker not in play.tables.markers:
        refuse("unknown_marker", (), f"There is no marker {marker!r}; there are {', '.join(play.tables.markers)}.")


# --- placing ------------------------------------------------------------------------------------------------------


def place(play: Play, power: str, action: ac.Place) -> None:
    """Buy a marker and place it, over an own lower one if there is one.

    Raises: Refusal with the rules that forbid it.
    Rules: STA-001, STA-002, STA-004, STA-008, STA-009
    """
    _buy(play, power, action.area, action.marker)


def upgrade(play: Play, power: str, action: ac.Upgrade) -> None:
    """Raise an own marker, paying the difference.

    Raises: Refusal `no_marker`, or as for placing.
    Rules: STA-026, STA-027, STA-028, STA-029
    """
    check_words(play, action.area, action.marker)
    if highest(play.state, action.area, power) is None:
        refuse(
            "no_marker",
            ("STA-026", "STA-027"),
            f"{play.tables.powers[power].name} has no marker in {play.tables.areas[action.area].name} to upgrade: "
            f"place one.",
        )
    _buy(play, power, action.area, action.marker)


def _buy(play: Play, power: str, area: str, marker: str) -> None:
    check_words(play, area, marker)
    tables, state = play.tables, play.state
    found = problems(tables, state, power, area, marker)
    if found:
        rules = tuple(dict.fromkeys(r for p in found for r in p.rules))
        refuse(found[0].code, rules, " ".join(p.message for p in found), problems=[p.code for p in found])
    pounds = price(tables, state, power, area, marker)
    own = highest(state, area, power)
    counts = "control" if tables.markers[marker].control and not tables.markers[marker].only_for else ""
    duties.check_spending(play, power, pounds, counts)
    what = f"{tables.markers[marker].name} in {tables.areas[area].name}"
    play.money(power, -pounds, what, ("STA-004", "STA-028" if own else "STA-005"))
    at_once = raises_at_once(state, area, power, marker)
    covered = (established if at_once else unestablished)(state, area, power)
    play.emit(
        ev.MarkerPlaced(
            area=area,
            power=power,
            marker=marker,
            established=at_once,
            turn=state.turn,
            replaces=covered.marker if covered else "",
            rules=_reasons(tables, state, power, area, marker, at_once),
        )
    )
    _resent(play, power, area, marker, own)
    if marker in CONTROL and not any(u.power == power and u.kind == ARMY for u in at(play.state, area).units):
        play.noted(
            "no_army",
            f"{tables.powers[power].name} has no Army Unit in {tables.areas[area].name}: without one at the end of "
            f"the Phase the marker will be reduced.",
            ("STA-016", "STA-014"),
            power,
            area,
        )


def _reasons(tables: Tables, state: State, power: str, area: str, marker: str, at_once: bool) -> tuple[str, ...]:
    """Rules that allow the placing."""
    if at_once:
        return ("STA-009", "STA-029")
    if marker not in CONTROL:
        return ("STA-008", "STA-009", "STA-010" if marker == INTEREST else "STA-011")
    return ("STA-008", "STA-009", *opening(tables, state, power, area))


def _resent(play: Play, power: str, area: str, marker: str, before: Marker | None) -> None:
    """Chinese Resentment for a marker placed over `before`: the difference of the two.

    Rules: CRI-001, CRI-007, CRI-015, CRI-016, STA-025
    """
    kind = is_chinese(play.tables, play.state, area)
    if not kind:
        return

    def points(name: str) -> int:
        row = play.tables.resentment[name]
        return row.placed_in_empire if kind == "empire" else row.placed_in_vassal

    amount = points(marker) - (points(before.marker) if before else 0)
    rules = ("CRI-015" if kind == "empire" else "CRI-016", "CRI-007", "STA-025")
    what = f"{play.tables.markers[marker].name} in {play.tables.areas[area].name}"
    play.resentment(amount, what, rules, power, area)


def place_minor(play: Play, power: str, area: str, marker: str, rules: tuple[str, ...]) -> None:
    """Place a marker of a Minor Power: it pays nothing and stands established at once.

    Rules: MIN-032, CRI-015, CRI-016
    """
    own = highest(play.state, area, power)
    play.emit(
        ev.MarkerPlaced(
            area=area,
            power=power,
            marker=marker,
            established=True,
            turn=play.state.turn,
            replaces=own.marker if own else "",
            rules=("MIN-032", *rules),
        )
    )
    _resent(play, power, area, marker, own)


# --- giving up ----------------------------------------------------------------------------------------------------


def downgrade(play: Play, power: str, action: ac.Downgrade) -> None:
    """Turn an own marker into a lower one, without refund.

    Raises: Refusal `no_marker`, `control_stays`, or as for stepping down in negotiation.
    Rules: STA-026, STA-030, STA-031, STA-032
    """
    check_words(play, action.area, action.marker)
    own = [
        m for m in at(play.state, action.area).markers if m.power == power and level(m) > LEVEL[action.marker]
    ]
    _give_up(play, power, action.area, _lowest_change(play, own), action.marker)


def withdraw(play: Play, power: str, action: ac.Withdraw) -> None:
    """Take an own marker off the map, without refund.

    Raises: Refusal as for a downgrade.
    Rules: STA-026, STA-030, STA-031, STA-032
    """
    check_words(play, action.area, action.marker)
    own = [m for m in at(play.state, action.area).markers if m.power == power and m.marker == action.marker]
    _give_up(play, power, action.area, _lowest_change(play, own), "")


def _lowest_change(play: Play, own: list[Marker]) -> Marker | None:
    """Which of the Power's markers is meant: one that can be given up in this Phase, the new one first."""
    if play.state.phase == "movement":
        own = [m for m in own if m.marker not in CONTROL] or own
    return min(own, key=lambda m: (m.established, level(m)), default=None)


def _give_up(play: Play, power: str, area: str, marker: Marker | None, to: str) -> None:
    tables = play.tables
    name = tables.areas[area].name
    if marker is None:
        refuse("no_marker", ("STA-026",), f"{tables.powers[power].name} has no such marker in {name}.")
    if play.state.phase != "movement":
        negotiation.step_down(play, power, area, marker, to)
        return
    if marker.marker in CONTROL:
        refuse(
            "control_stays",
            ("STA-031",),
            f"A {marker.marker.title()} cannot be given up in this Phase; in the Negotiation Phase it can, "
            f"where there is a dispute.",
        )
    below = established(play.state, area, power)
    if not marker.established and below and level(below) >= LEVEL[to]:
        to = ""  # the established marker under the new one is what remains
    play.lower(
        area, power, marker.marker, to, "given up", ("STA-030", "STA-032", "ETI-014"), None, marker.established
    )
    negotiation.settle(play, area, ("STA-030",))
