"""What ends a War, and how near each of it is.

Rules: WEN-027 to WEN-033, REB-057
"""

from __future__ import annotations

from typing import NamedTuple

from paxtui.pax.board.status import controllers
from paxtui.pax.board.tables import Tables
from paxtui.pax.state.model import State, units_at
from paxtui.pax.state.pieces import ARMY, CHINA, EXPANSION
from paxtui.pax.state.war import ALLIANCES, OTTOMAN, REBELLION, RESOLUTION, War
from paxtui.pax.war import empire
from paxtui.pax.war.alliances import enemies, unallied_empire
from paxtui.pax.war.outcome.announcement import may_announce
from paxtui.pax.war.outcome.ends import EARLY, NO_UNITS, OCCUPIED, QUIET, STALEMATE, enemies_alone, sides
from paxtui.pax.war.outcome.rebellion_end import BEATEN, WON
from paxtui.pax.words.spoken import powers_named

PEACE, ANNOUNCEMENT = "peace", "announcement"
"""Ends that no test brings."""


class End(NamedTuple):
    """One way in which a War can end.

    Attributes:
        test: which: NO_UNITS, OCCUPIED, WON, BEATEN, STALEMATE, PEACE or ANNOUNCEMENT.
        side: number of the Alliance that it would beat, 0 for nobody in particular.
        left: what is still missing: Units, Areas or cycles; 0 where it is met now.
        text: all of it in a sentence.
    """

    test: str
    side: int
    left: int
    text: str


def ends(tables: Tables, state: State, war: War, powers: tuple[str, ...] = ()) -> tuple[End, ...]:
    """Every way in which a War can end, for each Alliance how near it is to defeat.

    Args: the tables; the position; the War; the Powers of who reads it.
    Rules: WEN-027, WEN-029, WEN-030, WEN-032, WEN-033, REB-031, REB-035, REB-057, OTT-014
    """
    if war.stage == RESOLUTION:
        return ()
    found: list[End] = []
    alone = unallied_empire(state, war)
    if war.kind == REBELLION:
        found += _rebellion(tables, state, war)
    elif alone and war.kind == OTTOMAN:
        found += _in_the_empire(tables, state, war)
    else:
        for number in sides(war):
            found += [_units(tables, state, war, number), *_areas(tables, state, war, number)]
    found.append(_stalemate(war))
    if not alone:
        found.append(End(PEACE, 0, 1, "Peace, at any moment, when all belligerents with a player sign it."))
    if any(may_announce(tables, state, power) for power in powers):
        found.append(End(ANNOUNCEMENT, 0, 0, "You may announce the end: the forces left cannot reach each other."))
    return tuple(found)


def _units(tables: Tables, state: State, war: War, number: int) -> End:
    """How many Units an Alliance has abroad: without any it has lost. Rules: WEN-029."""
    who, armies = war.alliance(number), state.options.armies_only
    groups = [here.units for here in state.areas.values()]
    if not armies:
        groups += state.at_sea.values()
    left = sum(u.power in who and (u.kind == ARMY or not armies) for units in groups for u in units)
    what = "Army Unit" if armies else "Unit"
    verb, whose = ("loses", "its own") if len(who) == 1 else ("lose", "theirs")
    text = f"{powers_named(tables, who)} {verb} when no {what} of {whose} is abroad ({left} now)."
    return End(NO_UNITS, number, left, text)


def _in_the_empire(tables: Tables, state: State, war: War) -> tuple[End, End]:
    """How many enemy Units and Armies of its own an Empire has in it that fights alone. Rules: OTT-014."""
    number = war.side_of(EXPANSION)
    foes = enemies(war, EXPANSION)
    land = sorted(empire.land(tables, state, war))
    theirs = sum(u.power in foes for area in land for u in units_at(state, area))
    own = sum(u.power == EXPANSION for here in state.areas.values() for u in here.units)
    return (
        End(NO_UNITS, 3 - number, theirs, f"The Empire wins when no enemy Unit is left in its Areas ({theirs} now)."),
        End(NO_UNITS, number, own, f"The Ottoman Empire loses when no Army of its own is left ({own} now)."),
    )


def _areas(tables: Tables, state: State, war: War, number: int) -> tuple[End, ...]:
    """How many of its Areas enemy Armies do not hold alone: without any left it has lost. Rules: WEN-030."""
    who = war.alliance(number)
    own = [area for area in state.areas if any(p in who for p in controllers(state, area))]
    if not own:
        return ()
    left = sum(not enemies_alone(state, war, number, area) for area in own)
    verb, whose = ("loses", "its own") if len(who) == 1 else ("lose", "theirs")
    text = f"{powers_named(tables, who)} {verb} when enemy Armies alone stand in every Area of {whose}"
    return (End(OCCUPIED, number, left, f"{text} ({left} of {len(own)} free)."),)


def _rebellion(tables: Tables, state: State, war: War) -> tuple[End, ...]:
    """How many armies either side of a Rebellion has left in China: without any it has lost.

    Rules: REB-031, REB-035
    """
    foes = [p for p in war.powers if p != CHINA]
    rebels, colonial = (
        sum(len(empire.armies(state, area, powers)) for area in empire.land(tables, state, war))
        for powers in ((CHINA,), foes)
    )
    return (
        End(BEATEN, war.side_of(CHINA), rebels, f"China loses when no Chinese Army is left ({rebels} now)."),
        End(
            WON,
            war.side_of(foes[0]) if foes else 0,
            colonial,
            f"The colonial Powers lose when no army of theirs is left in China ({colonial} now).",
        ),
    )


def _stalemate(war: War) -> End:
    """How many more cycles without an attack make a Stalemate. Rules: WEN-032, REB-057."""
    now = ", with an attack in this one" if war.attacked else ""
    return End(
        STALEMATE,
        0,
        QUIET - war.quiet,
        f"Stalemate after {QUIET} cycles in a row without an attack ({war.quiet} so far{now}).",
    )


def waivable(state: State, war: War) -> bool:
    """Whether any belligerent may have the tests of Units and Areas ignored in this cycle. Rules: WEN-031."""
    started = war.stage not in (ALLIANCES, RESOLUTION)
    return started and war.cycle <= EARLY and war.kind != REBELLION and not unallied_empire(state, war)
