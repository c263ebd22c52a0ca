"""Canals and straits in War: which Sea Zones they join, who may deny them, and to whom they are closed.

Rules: STR-001 to STR-006, STR-009 to STR-018, STR-021, STR-022, CAN-007, CAN-008 (R-STR-02, R-STR-03, R-STR-07 to
R-STR-10, R-STR-12)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from paxtui.pax.board.passages import CANAL, area_of, passage_of, passages
from paxtui.pax.board.status import controllers
from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.orders import actions as ac
from paxtui.pax.play import casus_belli
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import CHINA, EXPANSION
from paxtui.pax.state.war import ALLIANCES, INITIATIVE, MANEUVER, Denial, War
from paxtui.pax.war import cycle
from paxtui.pax.war.alliances import unallied_empire
from paxtui.pax.words.spoken import place_name, power_name

CAUSE = "passage_denied"
"""Its row in the Casus Belli Summary."""


def joins(tables: Tables, state: State, one: str, other: str) -> tuple[str, ...]:
    """The passages through which two Sea Zones are joined; none where they meet at sea.

    Rules: STR-001, STR-004, STR-009, STR-012
    """
    return tuple(
        passage_of(tables, a.id)
        for a in tables.areas.values()
        if a.passage and {one, other} <= set(a.sea_zones) and (a.passage != CANAL or state.areas[a.id].canal)
    )


def open_but_for(tables: Tables, state: State, shut: frozenset[str], one: str, other: str) -> bool:
    """Whether two Sea Zones are joined with these passages closed: where passages join them, one of them must be open.

    Rules: STR-003, STR-006, STR-012
    """
    ways = joins(tables, state, one, other)
    return not ways or not shut.issuperset(ways)


def shut_to(tables: Tables, state: State, war: War, power: str) -> frozenset[str]:
    """The passages that are closed to a Power in a War.

    Rules: STR-002, STR-003, STR-006, STR-012
    """
    if not war.denied:
        return frozenset()
    return frozenset(passage for passage in passages(tables) if closed(tables, state, war, passage, power))


def deciders(tables: Tables, state: State, war: War, area: str) -> tuple[str, ...]:
    """The Powers that together may deny the passage through an Area; none where nobody may.

    Those with a player and established Control; in a conquered Area the Great Powers of the conquering Alliance. Where
    no canal has been built there is nothing to deny.

    Rules: STR-002, STR-005, STR-010, STR-014, STR-022, CAN-007 (R-STR-03, R-STR-09, R-STR-10)
    """
    if tables.areas[area].passage == CANAL and not state.areas[area].canal:
        return ()
    conqueror = war.conqueror(area)
    holders = war.alliance(conqueror) if conqueror else controllers(state, area)
    return tuple(p for p in holders if p in state.powers)


def closed(tables: Tables, state: State, war: War, passage: str, power: str) -> bool:
    """Whether a passage is denied to a Power by everybody whose consent that takes.

    Rules: STR-002, STR-005, STR-010, STR-015, CAN-007
    """
    if not war.denied:
        return False
    by = deciders(tables, state, war, area_of(tables, passage))
    said = {d.by for d in war.denied if d.passage == passage and d.to == power}
    return bool(by) and said.issuperset(by)


# --- what a neutral's denial brings -----------------------------------------------------------------------------------


class Pretext(NamedTuple):
    """A Casus Belli that a denied passage gives: who has it, against whom, over which Area."""

    holder: str
    against: str
    area: str


def pretexts(tables: Tables, state: State, war: War) -> tuple[Pretext, ...]:
    """The Casus Belli that passages denied by neutrals give now.

    Every Great Power of an Alliance with a denied member has one, unless the passage is closed to all belligerents of
    every Alliance; that an Empire never uses one makes up for nothing.

    Rules: STR-016, STR-017 (R-STR-08, R-STR-12)
    """
    found = []
    users = tuple(p for p in war.powers if p not in (CHINA, EXPANSION))
    for passage, area in passages(tables).items():
        shut = tuple(p for p in users if closed(tables, state, war, passage, p))
        if len(shut) == len(users) and not unallied_empire(state, war):
            continue
        sides = {war.side_of(p) for p in shut}
        holders = tuple(p for p in users if p in state.powers and war.side_of(p) in sides)
        neutrals = tuple(p for p in deciders(tables, state, war, area) if not war.side_of(p))
        found += [Pretext(holder, against, area) for holder in holders for against in neutrals]
    return tuple(found)


def settle(play: Play) -> None:
    """End every Casus Belli over a passage that its denial no longer gives.

    Rules: STR-016, STR-017 (R-STR-08)
    """
    standing = {pretext for war in play.state.wars for pretext in pretexts(play.tables, play.state, war)}
    for cause in play.state.casus_belli:
        if cause.cause == CAUSE and Pretext(cause.holder, cause.against, cause.area) not in standing:
            play.emit(ev.CasusBelliEnded(id=cause.id, reason="settled", rules=("STR-016", "STR-017")))


# --- the orders -------------------------------------------------------------------------------------------------------


def may_change(state: State, war: War) -> bool:
    """Whether passages may be denied and opened now: as a War starts, and until somebody moves or passes in a
    Maneuver Phase; with the option, at any moment of a War.

    Rules: STR-021 (R-STR-07)
    """
    if state.options.passages_denied == "any_time":
        return True
    if war.stage in (ALLIANCES, INITIATIVE):
        return war.cycle == 1
    if war.stage != MANEUVER or cycle.current(state) != war or state.ready:
        return False
    moving = war.alliance(war.turn_of)
    everybody = (
        *(here.units for here in state.areas.values()), *state.homes.values(), *state.at_sea.values(),
    )  # fmt: skip
    return not any(u.halted and u.power in moving for units in everybody for u in units)


def changes(tables: Tables, state: State, war: War, power: str) -> Iterator[tuple[str, str, bool]]:
    """What a Power may change now: a passage, a belligerent that could use it, and whether the Power denies it to him.

    Rules: STR-002, STR-021
    """
    if not may_change(state, war):
        return
    for passage, area in passages(tables).items():
        if power in deciders(tables, state, war, area):
            for to in war.powers:
                if to != power and to in tables.powers:
                    yield passage, to, Denial(passage, to, power) in war.denied


def deny(play: Play, power: str, action: ac.Deny) -> None:
    """Deny a Power a passage; in a shared Area it is closed once all that decide have denied it.

    Raises: Refusal `oneself`, `no_belligerent_named`, `no_canal`, `no_passage`, `too_late`, `denied`.
    Rules: STR-002, STR-005, STR-010, STR-014, STR-015, STR-016, STR-021, CAN-007
    """
    war = _war(play, power, action.passage, action.to)
    denial = Denial(action.passage, action.to, power)
    if denial in war.denied:
        refuse("denied", ("STR-015",), "You deny that passage to that Power already.")
    play.emit(
        ev.PassageDenied(war=war.id, passage=action.passage, to=action.to, by=power, rules=("STR-002", "STR-015"))
    )
    for w in play.state.wars:
        for pretext in pretexts(play.tables, play.state, w):
            casus_belli.arise(play, pretext.holder, pretext.against, pretext.area, CAUSE, ("STR-016", "STR-018"))


def allow(play: Play, power: str, action: ac.Allow) -> None:
    """Deny a Power a passage no longer.

    Raises: Refusal `oneself`, `no_belligerent_named`, `no_canal`, `no_passage`, `too_late`, `not_denied`.
    Rules: STR-002, STR-016, STR-021
    """
    war = _war(play, power, action.passage, action.to)
    if Denial(action.passage, action.to, power) not in war.denied:
        refuse("not_denied", ("STR-021",), "You do not deny that passage to that Power.")
    play.emit(
        ev.PassageDenied(war=war.id, passage=action.passage, to=action.to, by=power, denied=False, rules=("STR-021",))
    )
    settle(play)


def _war(play: Play, power: str, passage: str, to: str) -> War:
    """The War in which a Power may decide about a passage for another now.

    Raises: Refusal `oneself`, `no_belligerent_named`, `no_canal`, `no_passage`, `too_late`.
    Rules: STR-002, STR-014, STR-021, STR-022
    """
    if power == to:
        refuse("oneself", ("STR-002",), "A passage is denied to other Powers.")
    war = next((w for w in cycle.fought(play.state) if w.side_of(to)), None)
    if war is None:
        name = power_name(play.tables, to)
        refuse("no_belligerent_named", ("STR-002",), f"{name} is in no War that is fought now.")
    area = area_of(play.tables, passage)
    if play.tables.areas[area].passage == CANAL and not play.state.areas[area].canal:
        refuse("no_canal", ("CAN-007", "STR-010"), f"No canal has been built in {place_name(play.tables, area)}.")
    if power not in deciders(play.tables, play.state, war, area):
        refuse("no_passage", ("STR-014", "STR-022"), "Only whoever Controls the Area of a passage decides about it.")
    if not may_change(play.state, war):
        refuse(
            "too_late",
            ("STR-021",),
            "Passages are denied and opened when a War starts, and at the start of a Maneuver Phase before anybody "
            "has moved or passed.",
        )
    return war
