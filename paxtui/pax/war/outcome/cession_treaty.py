"""The Treaty that records what China has ceded after a Rebellion, known to all.

Rules: REB-041
"""

from __future__ import annotations

from paxtui.pax.board.status import seat_of
from paxtui.pax.history import events as ev
from paxtui.pax.play import secrecy
from paxtui.pax.play.play import Play
from paxtui.pax.state.treaty import TREATY, Clause, Treaty
from paxtui.pax.treaties import treaty_names
from paxtui.pax.words.spoken import place_name, power_name


def record(play: Play, signers: tuple[str, ...], ceded: tuple[tuple[str, ...], ...]) -> None:
    """Write down what was ceded to whom as a Treaty of the Great Powers that had a say.

    One Power alone needs no Treaty: the cession itself is the record.

    Rules: REB-041
    """
    if len(signers) < 2:
        return
    turn = play.state.turn
    clauses = tuple(
        Clause(
            kind="text",
            text=f"China cedes {place_name(play.tables, area)} to {power_name(play.tables, power)} as a {marker}",
        )
        for power, area, marker in ceded
    )
    treaty = Treaty(
        id=secrecy.private_id("", turn, signers, ceded),
        name=treaty_names.proposed(play.tables, play.state, seat_of(play.tables, play.state, signers[0]), signers),
        form=TREATY,
        drafter=signers[0],
        parties=signers,
        clauses=clauses,
        public=True,
        signed=signers,
        drafted=turn,
    )
    play.emit(ev.TreatyDrafted(treaty=treaty, rules=("REB-041",)))
    play.emit(ev.TreatyInForce(id=treaty.id, turn=turn, rules=("REB-041",)))
