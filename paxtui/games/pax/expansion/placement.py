"""Placement rules of Status markers: which marker a Power may place where, and its price."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from paxtui.games.pax.board import status
from paxtui.games.pax.board.adjacency import area_type
from paxtui.games.pax.board.routes import linked_areas
from paxtui.games.pax.board.status import area_state, controls, established, level, opposing, unestablished
from paxtui.games.pax.board.tables import RandomEvent, Tables
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import CONTROL, FULL_CONTROL, INFLUENCE, INTEREST, LEVEL, POSSESSION, Marker
from paxtui.games.pax.text.display import marker_with_article, power_name
from paxtui.games.pax.transaction import Transaction, refuse

OPEN_TYPES = ("unorganized", "chinese_vassal")
"""Types of Area in which Control markers may be placed without Unrest."""


class PlacementProblem(NamedTuple):
    """Why a marker may not be placed."""

    code: str
    rules: tuple[str, ...]
    message: str


def highest_marker(state: State, area: str, power: str) -> Marker | None:
    """Return the Power's own highest marker in the Area, established or of this turn."""
    best: Marker | None = None
    for m in area_state(state, area).markers:
        if m.power == power and (best is None or LEVEL[m.marker] > LEVEL[best.marker]):
            best = m
    return best


def best_compatible_marker(state: State, area: str, power: str, leaving: tuple[str, ...] = ()) -> str:
    """Return the highest marker below Control that the Power may keep beside the others' established Control.

    `leaving`: Powers that give up their Control there as well.

    Rules: STA-010, STA-011, STA-015, NEG-006, NEG-008, NEG-009, NEG-010 (R-SEQ-03)
    """
    others = [
        m
        for m in area_state(state, area).markers
        if m.established and m.marker in CONTROL and m.power != power and m.power not in leaving
    ]
    if any(m.marker in FULL_CONTROL for m in others):
        return ""
    return INTEREST if others else INFLUENCE


def marker_price(tables: Tables, state: State, power: str, area: str, marker: str) -> int:
    """Return the price of a marker in pounds: the difference to the Power's highest one there.

    Rules: STA-005, STA-028, EVT-014
    """
    own = highest_marker(state, area, power)
    return tables.markers[marker].price - (tables.markers[own.marker].price if own else 0)


def is_established_at_once(state: State, area: str, power: str, marker: str) -> bool:
    """Return whether `marker` needs no Colonial Combat because of the Power's established Control there (STA-029)."""
    return marker in CONTROL and controls(state, area, power)


def placement_problems(tables: Tables, state: State, power: str, area: str, marker: str) -> list[PlacementProblem]:
    """Return all obstacles, except money, to placing `marker` in `area` now; empty if it is allowed.

    Rules: STA-007, STA-009 to STA-013, STA-018, STA-019, STA-027, STA-029, MIN-033, SET-039, SET-046, SET-047
    """
    return [p for p in _check_placement(tables, state, power, area, marker) if p is not None]


def may_place(tables: Tables, state: State, power: str, area: str, marker: str) -> bool:
    """Return whether `marker` may be placed in `area` now, money apart. Rules: as `placement_problems`."""
    return all(p is None for p in _check_placement(tables, state, power, area, marker))


def _check_placement(
    tables: Tables, state: State, power: str, area: str, marker: str
) -> Iterator[PlacementProblem | None]:
    yield _ladder_problem(tables, state, power, area, marker)
    yield _link_problem(tables, state, power, area)
    if marker == INTEREST:
        yield _barred_problem(tables, state, area, FULL_CONTROL, "possessed", "STA-010", "Interest")
    elif marker == INFLUENCE:
        yield _barred_problem(tables, state, area, CONTROL, "controlled", "STA-011", "Influence")
    elif tables.markers[marker].only_for:
        yield _crown_problem(tables, state, power, area, marker)
    else:
        yield _control_problem(tables, state, power, area)
    yield _minor_first_problem(tables, state, area, marker)
    yield _piece_problem(tables, state, power, area, marker)


def _ladder_problem(tables: Tables, state: State, power: str, area: str, marker: str) -> PlacementProblem | None:
    """Require a marker above the Power's own ones."""
    own = highest_marker(state, area, power)
    if own is None or LEVEL[marker] > level(own):
        return None
    return PlacementProblem(
        "not_higher",
        ("STA-027", "STA-028", "SET-082"),
        f"{tables.powers[power].name} already has {marker_with_article(tables, own.marker)} in "
        f"{tables.areas[area].name}. Only a higher marker can replace it.",
    )


def _link_problem(tables: Tables, state: State, power: str, area: str) -> PlacementProblem | None:
    """Require a Communication Link at the moment of placement."""
    if area in linked_areas(tables, state, power):
        return None
    return PlacementProblem(
        "no_link",
        ("STA-009", "SET-074"),
        f"{tables.powers[power].name} has no Communication Link to {tables.areas[area].name}. Each Sea "
        "Zone on the way needs its Merchant Fleet, and each Area its Control.",
    )


def _barred_problem(
    tables: Tables, state: State, area: str, barring: frozenset[str], code: str, rule: str, what: str
) -> PlacementProblem | None:
    """Forbid a marker beside established ones of some kinds."""
    other = next((m for m in area_state(state, area).markers if m.established and m.marker in barring), None)
    if other is None:
        return None
    return PlacementProblem(
        code,
        (rule,),
        f"{tables.areas[area].name} has an established {other.marker.title()} of "
        f"{power_name(tables, other.power)}, so no {what} can be placed there.",
    )


def _control_problem(tables: Tables, state: State, power: str, area: str) -> PlacementProblem | None:
    """Check a Protectorate or Possession: no foreign Control, and an open type, Unrest, or a permit of an event.

    The Area must be open only for the step from no Control to Control.
    """
    name = tables.areas[area].name
    foreign = opposing(state, area, power)
    if foreign:
        return PlacementProblem(
            "foreign_control",
            ("STA-012", "STA-013", "STA-027", "EVT-031"),
            f"{name} has an established {foreign[0].marker.title()} of "
            f"{power_name(tables, foreign[0].power)}, so no other Power can place a Control marker there.",
        )
    if controls(state, area, power) or opening_rules(tables, state, power, area):
        return None
    permit = _permitting_event(tables, state, power, area)
    if permit:
        limit = permit.permit.at_most if permit.permit else 0
        return PlacementProblem(
            "permit_used",
            permit.rules,
            f"{permit.title} allows Control in {limit} Area{'s' if limit > 1 else ''} without Unrest, and "
            "this is already used.",
        )
    return PlacementProblem(
        "not_open",
        ("STA-012", "STA-013", "EVT-031"),
        f"{name} ({area_type(tables, state, area).replace('_', ' ').title()}) is not in Unrest. Control "
        "markers can be placed only in Unorganized Areas, Chinese Vassals and Areas in Unrest.",
    )


def opening_rules(tables: Tables, state: State, power: str, area: str) -> tuple[str, ...]:
    """Return the rules that open the Area to Control markers of the Power: type, Unrest, or event; () if closed.

    Rules: STA-012, STA-013, EVT-012, EVT-015, EVT-016, EVT-031, CCB-061
    """
    if area_type(tables, state, area) in OPEN_TYPES:
        return ("STA-012",)
    if area_state(state, area).unrest:
        return ("STA-013", "EVT-031")
    event = _permitting_event(tables, state, power, area)
    if event is None or event.permit is None:
        return ()
    used = [a for a in event.permit.areas if a != area and _is_opened_by_event(tables, state, power, a)]
    return ("STA-013", "CCB-061", *event.rules) if len(used) < event.permit.at_most else ()


def _permitting_event(tables: Tables, state: State, power: str, area: str) -> RandomEvent | None:
    """Return the event of this turn that opens the quiet Area to the Power."""
    for dice in state.events:
        permit = tables.events[dice].permit
        if permit and permit.power == power and area in permit.areas:
            return tables.events[dice]
    return None


def _is_opened_by_event(tables: Tables, state: State, power: str, area: str) -> bool:
    """Return whether the Power has a new Control marker in a quiet Area that only an event can have opened."""
    new = unestablished(state, area, power)
    quiet = not area_state(state, area).unrest and area_type(tables, state, area) not in OPEN_TYPES
    return quiet and new is not None and new.marker in CONTROL


def _crown_problem(tables: Tables, state: State, power: str, area: str, marker: str) -> PlacementProblem | None:
    """Check a State or Dominion: its Power, its Areas, and a Possession from before this Phase."""
    kind, name = tables.markers[marker], tables.areas[area].name
    rule = "STA-018" if kind.pool == "state" else "STA-019"
    if kind.only_for != power:
        return PlacementProblem(
            "not_your_marker", ("SET-047", rule), f"Only {tables.powers[kind.only_for].name} has {kind.name} markers."
        )
    own = established(state, area, power)
    if tables.areas[area].upgrade != marker:
        return PlacementProblem("no_such_upgrade", (rule,), f"{name} can never become a {kind.name}.")
    if own is None or own.marker != POSSESSION:
        return PlacementProblem(
            "no_possession",
            (rule,),
            f"A {kind.name} in {name} needs an established Possession of your own there first.",
        )
    if own.since >= state.turn:
        return PlacementProblem(
            "two_steps",
            ("STA-029", rule),
            f"{name} became a Possession this turn. It can become a {kind.name} next turn at the earliest.",
        )
    if power in area_state(state, area).codominion or opposing(state, area, power):
        return PlacementProblem(
            "shared",
            ("COD-013", "STA-027"),
            f"{name} is shared: a {kind.name} cannot be placed beside the Control of other Powers.",
        )
    return None


def _minor_first_problem(tables: Tables, state: State, area: str, marker: str) -> PlacementProblem | None:
    """Forbid Control and Influence of Great Powers where a Minor Power has placed Control this turn."""
    if marker == INTEREST:
        return None
    for m in area_state(state, area).markers:
        if m.power in state.minors and m.established and m.marker in CONTROL and m.since == state.turn:
            return PlacementProblem(
                "minor_control",
                ("MIN-033",),
                f"{power_name(tables, m.power)} has taken Control of {tables.areas[area].name} this turn. "
                "Until next turn you can place only an Interest there.",
            )
    return None


def _piece_problem(tables: Tables, state: State, power: str, area: str, marker: str) -> PlacementProblem | None:
    """Require a free piece of the kind, or an own one there that is turned over."""
    pool = tables.markers[marker].pool
    if any(m.power == power and tables.markers[m.marker].pool == pool for m in area_state(state, area).markers):
        return None
    if status.free_pieces(tables, state, power, pool) > 0:
        return None
    return PlacementProblem(
        "no_piece",
        ("SET-039", "SET-046"),
        f"{tables.powers[power].name} has no {marker.title()} piece left: all {pool} pieces are on the "
        f"map{status.limits_note(tables)}.",
    )


def check_names(play: Transaction, area: str, marker: str = "") -> None:
    """Check the names of Area and marker. Raises: Refusal `unknown_area`, `unknown_marker`."""
    if area not in play.tables.areas:
        refuse("unknown_area", (), f"There is no Area {area!r}.")
    if marker and marker not in play.tables.markers:
        refuse("unknown_marker", (), f"There is no marker {marker!r}. Known ones: {', '.join(play.tables.markers)}.")
