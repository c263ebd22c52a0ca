"""Victors who cannot agree on the spoils: a Casus Belli for each against the others, and a Congress of Europe.

Rules: WEN-042, WEN-043, ETI-015 (R-WEN-08)
"""

from __future__ import annotations

from paxtui.pax.board.status import at
from paxtui.pax.play import casus_belli
from paxtui.pax.play.play import Play
from paxtui.pax.state.pieces import CONTROL, INFLUENCE
from paxtui.pax.state.war import War

CAUSE = "spoils_of_war"
"""Its row in the Casus Belli Summary."""
CONGRESS = 3
"""Points by which the tensions rise for the Congress that a quarrel calls."""


def over(play: Play, war: War, side: int, area: str) -> None:
    """The Great Powers of an Alliance quarrel over an Area: the losers keep an Influence there at most.

    Raises: GameOver.
    Rules: WEN-042 (R-WEN-08)
    """
    for m in at(play.state, area).markers:
        if m.established and m.marker in CONTROL and war.side_of(m.power) not in (0, side):
            play.lower(area, m.power, m.marker, INFLUENCE, "the victors quarrel", ("WEN-042",), None)
    members = [p for p in war.alliance(side) if p in play.state.powers]
    known = any(c.cause == CAUSE for c in play.state.casus_belli)
    for holder in members:
        for against in members:
            casus_belli.arise(play, holder, against, "", CAUSE, ("WEN-042", "WEN-043"))
    if not known and any(c.cause == CAUSE for c in play.state.casus_belli):
        play.tension(CONGRESS, "a quarrel over the spoils of War", ("WEN-042", "ETI-015"), "", area)
