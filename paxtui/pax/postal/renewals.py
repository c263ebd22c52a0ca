"""The deadline of a Congress by mail: set anew while no Treaty is proposed, until its host lets it end.

Rules: PBM-055 (R-PBM-10, R-PBM-34)
"""

from __future__ import annotations

from collections.abc import Collection

from paxtui.pax.board.status import seat_of
from paxtui.pax.congress.sitting import change
from paxtui.pax.play.play import Play
from paxtui.pax.postal.standing import Instructions
from paxtui.pax.state.congress import TABLED
from paxtui.pax.state.questions import Propose

RENEWALS = 2
"""How often the deadline is set anew, unless the host would have it once more."""


def renewed(play: Play, instructions: Instructions, silent: Collection[str]) -> bool:
    """Set a new deadline, where one has passed at which members were silent and nobody has proposed anything.

    After two renewals the Congress ends, unless its host says `renew congress`.

    Args: the decision in progress; the standing instructions by seat; the seats that have sent nothing.
    Rules: PBM-055 (R-PBM-10, R-PBM-34)
    """
    congress = play.state.congress
    waits = any(isinstance(choice.about, Propose) and choice.seat in silent for choice in play.state.choices)
    if congress is None or not waits or any(p.stage == TABLED for p in congress.proposals):
        return False
    host = seat_of(play.tables, play.state, congress.site)
    if congress.renewed >= RENEWALS and not any(said.verb == "renew" for said in instructions.get(host, ())):
        return False
    count = congress.renewed + 1
    change(play, "No Treaty has been proposed: the Congress gets a new deadline.", ("PBM-055",), renewed=count)
    return True


def unlimited(play: Play) -> None:
    """By mail deadlines count and not rounds of proposals: the Congress may go on as long as somebody proposes.

    Rules: PBM-055 (R-PBM-34)
    """
    congress = play.state.congress
    if congress is not None and congress.round and any(isinstance(c.about, Propose) for c in play.state.choices):
        change(play, "", ("PBM-055",), round=0)
