"""Canals and straits in War: which Sea Zones they join, who may deny them, and to whom they are closed.

Rules: STR-001 to STR-006, STR-009 to STR-018, STR-021, STR-022, CAN-007, CAN-008 (R-STR-02, R-STR-03, R-STR-08 to
R-STR-10)
"""

from __future__ import annotations

from paxtui.pax.board.passages import CANAL, area_of, passage_of
from paxtui.pax.board.status import controllers
from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.orders import actions as ac
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.state.model import State
from paxtui.pax.state.war import Denial, War
from paxtui.pax.war import cycle
from paxtui.pax.words.spoken import power_name


def joins(tables: Tables, state: State, one: str, other: str) -> tuple[str, ...]:
    """The passages through which two Sea Zones are joined; none where they meet at sea.

    Rules: STR-001, STR-004, STR-009, STR-012
    """
    return tuple(
        passage_of(tables, a.id)
        for a in tables.areas.values()
        if a.passage and {one, other} <= set(a.sea_zones) and (a.passage != CANAL or state.areas[a.id].canal)
    )


def open_between(tables: Tables, state: State, war: War, power: str, one: str, other: str) -> bool:
    """Whether a Power may pass between two Sea Zones: where passages join them, one of them must be open to it.

    Rules: STR-003, STR-006, STR-012
    """
    ways = joins(tables, state, one, other)
    return not ways or any(not closed(tables, state, war, passage, power) for passage in ways)


def deciders(tables: Tables, state: State, war: War, area: str) -> tuple[str, ...]:
    """The Powers that together may deny the passage through an Area; none where nobody may.

    Those with a player and established Control; in a conquered Area the Great Powers of the conquering Alliance.

    Rules: STR-002, STR-005, STR-010, STR-014, STR-022, CAN-007 (R-STR-03, R-STR-09, R-STR-10)
    """
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


def deny(play: Play, power: str, action: ac.Deny) -> None:
    """Deny a Power a passage; in a shared Area it is closed once all that decide have denied it.

    Raises: Refusal `no_belligerent_named`, `no_passage`, `denied`.
    Rules: STR-002, STR-005, STR-010, STR-014, STR-015, CAN-007
    """
    war = _war(play, power, action.passage, action.to)
    denial = Denial(action.passage, action.to, power)
    if denial in war.denied:
        refuse("denied", ("STR-015",), "You deny that passage to that Power already.")
    play.emit(
        ev.PassageDenied(war=war.id, passage=action.passage, to=action.to, by=power, rules=("STR-002", "STR-015"))
    )


def allow(play: Play, power: str, action: ac.Allow) -> None:
    """Deny a Power a passage no longer.

    Raises: Refusal `no_belligerent_named`, `no_passage`, `not_denied`.
    Rules: STR-002, STR-021
    """
    war = _war(play, power, action.passage, action.to)
    if Denial(action.passage, action.to, power) not in war.denied:
        refuse("not_denied", ("STR-021",), "You do not deny that passage to that Power.")
    play.emit(
        ev.PassageDenied(
            war=war.id, passage=action.passage, to=action.to, by=power, denied=False, rules=("STR-021",)
        )
    )


def _war(play: Play, power: str, passage: str, to: str) -> War:
    """The War in which a Power may decide about a passage for another.

    Raises: Refusal `no_belligerent_named`, `no_passage`.
    """
    war = next((w for w in cycle.fought(play.state) if w.side_of(to)), None)
    if war is None:
        name = power_name(play.tables, to)
        refuse("no_belligerent_named", ("STR-002",), f"{name} is in no War that is fought now.")
    if power not in deciders(play.tables, play.state, war, area_of(play.tables, passage)):
        refuse("no_passage", ("STR-014", "STR-022"), "Only whoever Controls the Area of a passage decides about it.")
    return war
