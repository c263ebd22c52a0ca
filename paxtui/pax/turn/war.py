"""The War Phase, as far as part 1 needs it: it says which War would be fought, and changes nothing.

Rules: SEQ-024, SEQ-028, CRI-003
"""

from __future__ import annotations

from paxtui.pax.play.phase import Phase
from paxtui.pax.play.play import Play
from paxtui.pax.state.model import State
from paxtui.pax.words.spoken import place_name, power_name


def due(state: State) -> bool:
    """Whether there is a War to be fought.

    Rules: SEQ-024, SEQ-028
    """
    return bool(state.rebellion or state.ottoman_wars)


def run(play: Play) -> None:
    """Name the Wars that are due."""
    if play.state.rebellion:
        play.noted(
            "war_not_yet",
            "A Chinese Rebellion breaks out. This version does not play Wars: the game goes on without it.",
            ("CRI-003",),
        )
    for power, area in play.state.ottoman_wars:
        play.noted(
            "war_not_yet",
            f"The Ottoman Empire is at War with {power_name(play.tables, power)} over "
            f"{place_name(play.tables, area)}. This version does not play Wars: the game goes on without it.",
            ("OTT-002",),
            power,
            area,
        )


PHASE = Phase(name="war", due=due, run=run)
