"""Victors who cannot agree on the spoils: a Casus Belli for each against the others, and a Congress of Europe.

The Congress is called when the War Phase is over (`congress.calling`); by its Treaty one of them grants the Area to
another, or they share it (`diplomacy.sharing.won`).

Rules: WEN-042, WEN-043 (R-WEN-08)
"""

from __future__ import annotations

from paxtui.pax.board.status import at
from paxtui.pax.play import casus_belli
from paxtui.pax.play.play import Play
from paxtui.pax.state.pieces import CONTROL, INFLUENCE
from paxtui.pax.state.war import War


def over(play: Play, war: War, side: int, area: str, demanding: tuple[str, ...]) -> None:
    """Note that the Great Powers of an Alliance quarrel over an Area: the losers keep an Influence there at most.

    Args: the Alliance's number; `demanding`: those of its Powers that have demanded something of the Area.
    Rules: WEN-042 (R-WEN-08, Decision 68)
    """
    for m in at(play.state, area).markers:
        if m.established and m.marker in CONTROL and war.side_of(m.power) not in (0, side):
            play.lower(area, m.power, m.marker, INFLUENCE, "the victors quarrel", ("WEN-042",), None)
    members = [p for p in war.alliance(side) if p in play.state.powers]
    for holder in members:
        for against in members:
            casus_belli.arise(
                play,
                holder,
                against,
                area,
                casus_belli.SPOILS,
                ("WEN-042", "WEN-043"),
                demanded=holder in demanding,
            )
