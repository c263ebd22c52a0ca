"""Warnings before the Great War: how near it is, and what would trigger it.

Rules: ETI-002, ETI-013 to ETI-028, GWR-002
"""

from __future__ import annotations

from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.congress.calling import CONVENING_TENSION
from paxtui.games.pax.reports.war_status import war_title
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.war import REBELLION, RESOLUTION
from paxtui.games.pax.text.display import join_with_and, join_with_or, powers_text, sentence
from paxtui.games.pax.transaction import GREAT_WAR_TENSION
from paxtui.games.pax.treaties.breaches import BREACH_TENSION
from paxtui.games.pax.war.declarations import (
    DECLARATION_TENSION,
    ENOUGH_WITH_FEWEST_SEATS,
    FEWEST_SEATS,
    GREAT_WAR_POWERS,
    european_belligerents,
)
from paxtui.games.pax.war.war_sequence import CONTINUATION_TENSION

TENSION_ALARM = 80
"""European Tensions from which the screen warns of the Great War."""
RISES = (
    (DECLARATION_TENSION, "a declaration of War"),
    (BREACH_TENSION, "a broken Treaty"),
    (CONVENING_TENSION, "a Congress"),
    (CONTINUATION_TENSION, "a further cycle of a War"),
    (1, "each step that a marker comes down"),
)
"""Acts that raise European Tensions, the highest rise first."""


def great_war_warnings(tables: Tables, state: State) -> tuple[str, ...]:
    """Return what would trigger the Great War, in sentences; empty below `TENSION_ALARM` and after the end."""
    if state.tension < TENSION_ALARM or state.result is not None:
        return ()
    left = GREAT_WAR_TENSION - state.tension
    points = f"{left} point{'s' * (left != 1)}"
    out = [f"European Tensions {state.tension}: {points} more, and the Great War ends the game."]
    enough = [what for rise, what in RISES if rise >= left]
    if enough:
        out.append(sentence(f"{join_with_or(enough)} is enough"))
    more = [f"{what} {rise}" for rise, what in RISES if rise < left]
    if more:
        out.append(f"Raised by: {join_with_and(more)}.")
    for war in state.wars:
        if war.kind != REBELLION and war.stage != RESOLUTION:
            count = len(european_belligerents(tables, (war,)))
            if count:
                title = war_title(tables, war)
                out.append(f"{title}: {count} European Powers; with {GREAT_WAR_POWERS} it is the Great War.")
                if len(state.players) == FEWEST_SEATS:
                    out.append(f"In a game of four, {powers_text(tables, ENOUGH_WITH_FEWEST_SEATS)} are enough.")
    return tuple(out)
