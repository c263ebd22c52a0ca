"""The Congress of Europe Phase, as far as part 1 needs it: it says what would be disputed, and changes nothing.

The Game Turn Sequence leaves this Phase out when no Congress is called, and in part 1 nobody can call one.
Rules: SEQ-021, SEQ-028
"""

from __future__ import annotations

from paxtui.pax import unsettled
from paxtui.pax.narrate import place_name, power_name
from paxtui.pax.play import Play


def begin(play: Play) -> None:
    """Nothing is to be chosen."""


def run(play: Play) -> None:
    """Name the disputes that a Congress could settle."""
    for cause in play.state.casus_belli:
        where = f" over {place_name(play.tables, cause.area)}" if cause.area else ""
        play.noted(
            "congress_not_yet",
            f"{power_name(play.tables, cause.holder)} against {power_name(play.tables, cause.against)}{where}: "
            "this version calls no Congress of Europe, the dispute stays as it is.",
            ("SEQ-021",),
            cause.holder,
            cause.area,
        )


def close(play: Play) -> None:
    """What is still open is settled by default."""
    unsettled.settle_all(play)
