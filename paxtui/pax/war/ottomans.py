"""The Ottoman War begins: whom the Empire declares it on, and the Armies that it puts into the field.

Rules: OTT-002, OTT-003, OTT-004, OTT-012, OTT-036, ETI-041, OTT-025 (R-OTT-01, R-OTT-02, R-OTT-04, R-OTT-16)
"""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.pax.board.status import controls
from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.play.play import Play
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import EXPANSION, Holding
from paxtui.pax.state.war import OTTOMAN, War
from paxtui.pax.war import declarations
from paxtui.pax.war.alliances import against_empire_too, ottoman_war

ARMIES = 3
"""Armies that the Empire puts into the field (OTT-012)."""
STRAITS = "straits"
"""The passage that tells the heart of the Empire."""


def heart(tables: Tables) -> str:
    """The Area at the heart of the Empire, the one with the straits. Rules: OTT-012."""
    return next(a.id for a in tables.areas.values() if a.type == OTTOMAN and a.passage == STRAITS)


def placers(state: State) -> tuple[Holding, ...]:
    """The Powers that hold Control newly taken in the Empire, and where: they themselves, or whom they have handed it
    to; nobody where it is gone.

    Rules: OTT-002, OTT-003 (R-OTT-01, R-OTT-16)
    """
    found: dict[Holding, None] = {}
    for taken in state.ottoman_wars:
        if controls(state, taken.area, taken.power):
            found[taken] = None
            continue
        for now in state.handed_over:
            if now.area == taken.area and controls(state, now.area, now.power):
                found[now] = None
    return tuple(found)


def open_war(play: Play) -> None:
    """The Empire declares War on all whom it fights this turn: one War against all of them, without tension.

    The Powers that took what it is about count as the first to declare it. Who has declared War on it already, over
    what its expansion took, fights in the same War.

    Rules: EVT-036, OTT-002, OTT-004, OTT-025, OTT-035, ETI-041 (R-OTT-02, R-OTT-03, R-ETI-03)
    """
    taken = placers(play.state)
    powers = tuple(p for p in play.tables.powers if any(h.power == p for h in taken))
    if not powers:
        return
    over = tuple(dict.fromkeys(h.area for h in taken))
    known = ottoman_war(play.state)
    if known is None:
        war = War(f"w{play.state.next_war}", ((EXPANSION,), powers), kind=OTTOMAN, declared=powers, over=over)
    else:
        war = replace(
            against_empire_too(known, powers),
            declared=tuple(dict.fromkeys((*known.declared, *powers))),
            over=tuple(dict.fromkeys((*known.over, *over))),
        )
    war = declarations.with_fleets(play.state, war)
    before = play.state
    play.emit(ev.WarArose(war=war, rules=("OTT-002", "OTT-025")))
    declarations.end_treaties_between_enemies(play, before)


def take_the_field(play: Play) -> None:
    """Three Armies appear at the heart of the Empire, Controlled or not, even among enemies.

    Rules: OTT-012 (R-OTT-04)
    """
    units = (f"A{play.tables.other_armies.strength}",) * ARMIES
    play.emit(ev.UnitsBuilt(power=EXPANSION, units=units, place=heart(play.tables), rules=("OTT-012",)))
