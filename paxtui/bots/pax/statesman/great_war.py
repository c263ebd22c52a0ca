"""The Great War as a means: it ends the game at once, with the points that each seat has.

A Power that leads now and expects to be overtaken gains by it, even by the blame if it leads by enough. For the others
each point of European Tensions is dearer.

Rules: SET-004, ETI-005, VIC-018, VIC-019
"""

from __future__ import annotations

from collections.abc import Mapping
from math import exp

from paxtui.bots.pax.caretaker.planner import try_action
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.status import controllers, established, level
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.congress.calling import CONVENING_TENSION, conflicts
from paxtui.games.pax.congress.outcome import UNRESOLVED_TENSION
from paxtui.games.pax.state.diplomacy import IN_FORCE
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import INTEREST, LEVEL, PROTECTORATE
from paxtui.games.pax.treaties.breaches import BREACH_TENSION
from paxtui.games.pax.turn.victory import final_lines, great_war_penalty

RESULT_SPREAD = 6.0
"""Victory Points by which present totals may still change before the Great War breaks out."""
SAFE_LEAD = 3
"""Lead after all penalties from which a Power counts on its victory."""
CONTENT_CHANCE = 0.6
"""Chance to win by the end of the game above which a Power does not end it earlier."""
LAST_EARLY_TURN = 5
"""The last Game Turn before 1900, in which events usually raise tensions by 10 a turn."""
EARLY_TENSION_COST, LATE_TENSION_COST, TENSION_GAIN = 0.1, 4.5, 1.1
"""Factors of the cost of European Tensions before 1900 and later: so the Great War sometimes comes early. The third is
that of the gain by tensions, for a Power that gains by the Great War."""
CHEAP_TENSION_LIMIT = 54
"""European Tensions from which further ones cost before 1900 what they cost later."""
EARLY_TENSIONS = 14
"""Points by which the European Tensions after a War or a Congress may be higher before 1900 than later."""
CLOSE_TENSION_EARLY, CLOSE_TENSION_LATE = 58, 97
"""European Tensions from which the events of a turn soon bring the Great War: before 1900, and later."""
MIN_GAIN_EARLY, MIN_GAIN_LATE = 0.24, 0.9
"""Chance to win that a Power must gain by the Great War to play for it: before 1900, and later."""
OPEN_DISPUTE_SHARE = 0.5
"""Share of the disputes before a Congress that it usually leaves unresolved if one member wants that."""
OTHER_WAR_TENSION = 12
"""Points by which a War that others have declared usually raises the European Tensions before it ends."""


def is_early(state: State) -> bool:
    """Whether it is before 1900, when Powers risk more tensions."""
    return state.turn <= LAST_EARLY_TURN


def close_tensions(state: State, power: str) -> int:
    """European Tensions from which others or the events of a turn soon bring the Great War, without blame for a Power.

    Rules: ETI-010, ETI-022
    """
    foreign = any(war.declared and power not in war.declared for war in state.wars)
    return (CLOSE_TENSION_EARLY if is_early(state) else CLOSE_TENSION_LATE) - OTHER_WAR_TENSION * foreign


def own_means(state: State, power: str, breaches: int) -> float:
    """Points by which a Power can soon raise the European Tensions by its own acts, without reaching 100 by them.

    Interests give way to its Possessions, a Congress leaves disputes unresolved, and it breaks so many Treaties.

    Rules: ETI-013, ETI-015, ETI-016, ETI-027
    """
    ousted = sum(
        marker.marker == INTEREST and marker.power != power
        for area, here in state.areas.items()
        if controllers(state, area) == (power,) and level(established(state, area, power)) == LEVEL[PROTECTORATE]
        for marker in here.markers
    )
    treaties = min(breaches, sum(t.stage == IN_FORCE and power in t.bound for t in state.treaties))
    disputes = 0.0
    if any(cause.holder == power and cause.area for cause in state.casus_belli):
        disputes = CONVENING_TENSION + OPEN_DISPUTE_SHARE * UNRESOLVED_TENSION * len(conflicts(state.casus_belli))
    return ousted + BREACH_TENSION * treaties + disputes


def totals_by_great_war(tables: Tables, state: State, culprits: tuple[str, ...] = ()) -> dict[str, int]:
    """Victory Points by seat if the Great War broke out now."""
    return {
        seat: final_lines(tables, state, seat, great_war_penalty(tables, state, seat, culprits))["31"]
        for seat in state.players
    }


def chances_by_great_war(tables: Tables, state: State) -> dict[str, float]:
    """Chances to win by seat if the Great War breaks out soon, without blame for anybody."""
    totals = totals_by_great_war(tables, state)
    best = max(totals.values())
    odds = {seat: exp((total - best) / RESULT_SPREAD) for seat, total in totals.items()}
    every = sum(odds.values())
    return {seat: share / every for seat, share in odds.items()}


def wins_by_great_war(totals: Mapping[str, float], seat: str) -> bool:
    """Whether a seat is first by a safe lead with these totals."""
    return all(totals[seat] >= total + SAFE_LEAD for other, total in totals.items() if other != seat)


def act_that_wins(tables: Tables, state: State, seat: str, action: actions.Action) -> bool:
    """Whether an act brings the Great War at once and a seat wins by it."""
    play = try_action(tables, state, seat, action)
    result = play.state.result if play is not None else None
    return result is not None and result.ranks.get(seat) == 1
