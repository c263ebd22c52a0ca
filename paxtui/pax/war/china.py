"""The Chinese Rebellion begins: a War between the Empire of China and all Powers with something to lose there.

The War arises when the declarations of the War Phase are closed; the dice for the Chinese Armies fall when it is
fought, before all other Wars.

Rules: REB-001 to REB-008, REB-048, REB-049, REB-054, CRI-003 (R-REB-01, R-REB-02, R-REB-10, R-REB-25)
"""

from __future__ import annotations

from paxtui.pax.board.status import is_chinese
from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.play.play import Play
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import CHINA, CONTROL, INFLUENCE, POSSESSION
from paxtui.pax.state.war import REBELLION, War
from paxtui.pax.war.alliances import regents
from paxtui.pax.war.outcome import rebellion_end

TRIES = 100
"""Throws for the Area of one Army, after which it is not placed (R-REB-01)."""


def members(tables: Tables, state: State) -> tuple[str, ...]:
    """The Powers, Great and Minor, with an Influence or Control marker in an Area of China or a Vassal of it.

    Rules: REB-003, REB-049
    """
    found = {
        m.power
        for area, here in state.areas.items()
        if here.markers and is_chinese(tables, state, area)
        for m in here.markers
        if m.established and (m.marker in CONTROL or m.marker == INFLUENCE)
    }
    return tuple(p for p in tables.powers if p in found)


def open_war(play: Play) -> None:
    """The Rebellion of the turn, if there is one: China against its members, who stay the same until it is over.

    Where nobody has more than an Interest to defend it has won before it is fought.

    Rules: CRI-003, REB-001, REB-002, REB-003, REB-048, REB-049, REB-054 (R-REB-10, R-REB-25)
    """
    state = play.state
    if not state.rebellion:
        return
    colonial = members(play.tables, state)
    war = War(
        f"w{state.next_war}",
        ((CHINA,), colonial) if colonial else ((CHINA,),),
        kind=REBELLION,
        commands=regents(state, colonial),
    )
    play.emit(ev.WarArose(war=war, rules=("REB-001", "REB-002", "REB-003")))
    if not colonial:
        rebellion_end.won(play, war, ("REB-054",))


def rise(play: Play, war: War) -> None:
    """One die says how many Chinese Armies appear, and two dice for each of them where.

    Rules: REB-006, REB-007, REB-008 (R-REB-02)
    """
    number = play.dice.roll()
    play.emit(ev.ArmiesRolled(war=war.id, die=number, rules=("REB-006",)))
    for _ in range(number):
        _place(play, war)


def _place(play: Play, war: War) -> None:
    """One Army appears where two dice say; they are thrown again for an Area that is somebody's Possession.

    Rules: REB-007, REB-008 (R-REB-01)
    """
    throws: list[tuple[int, ...]] = []
    area = ""
    while not area and len(throws) < TRIES:
        throws.append(play.dice.roll_many(2))
        rolled = play.tables.chinese_armies[sum(throws[-1])]
        if not any(m.established and m.marker == POSSESSION for m in play.state.areas[rolled].markers):
            area = rolled
    play.emit(ev.ArmyRolled(war=war.id, dice=tuple(throws), area=area, rules=("REB-007", "REB-008")))
    if area:
        unit = f"A{play.tables.other_armies.strength}"
        play.emit(ev.UnitsBuilt(power=CHINA, units=(unit,), place=area, rules=("REB-006", "REB-007")))
