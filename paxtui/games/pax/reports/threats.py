"""Threats of War: drafts by which the holder of a Casus Belli demands that a Power leaves the Area in dispute.

Rules: TRE-002, NEG-002
"""

from __future__ import annotations

from typing import NamedTuple

from paxtui.games.pax.board.status import powers_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.clauses.exchanges import LOWER
from paxtui.games.pax.state.diplomacy import DRAFT
from paxtui.games.pax.state.model import State
from paxtui.games.pax.text.display import place_name, sentence, the_power
from paxtui.games.pax.treaties.lookup import is_old_draft


class Threat(NamedTuple):
    """A threat. Attributes: the draft; who threatens; whom; the Area; the Game Turn of the demand, 0 for at once."""

    treaty: str
    power: str
    against: str
    area: str
    turn: int


def open_threats(tables: Tables, state: State, seat: str) -> tuple[Threat, ...]:
    """Return the threats of this Game Turn that a seat has not answered."""
    own = powers_of(tables, state, seat)
    disputes = {(cause.holder, cause.against, cause.area) for cause in state.casus_belli}
    return tuple(
        Threat(treaty.id, treaty.drafter, clause.power, clause.places[0], clause.turn)
        for treaty in state.treaties
        if treaty.stage == DRAFT and treaty.drafter not in own and not is_old_draft(state, treaty)
        for clause in treaty.clauses
        if clause.kind == LOWER.id and clause.power in own and clause.power not in treaty.signed
        if (treaty.drafter, clause.power, clause.places[0]) in disputes
    )


def describe_threat(tables: Tables, state: State, threat: Threat) -> str:
    """Return a threat as a sentence: who demands what, by when, and what else follows."""
    who = the_power(tables, threat.power)
    whose = "you" if threat.against in state.players else the_power(tables, threat.against)
    date = f" by {tables.turns[threat.turn - 1].year}" if threat.turn else " now"
    what = f"leave{'s' * (whose != 'you')} {place_name(tables, threat.area)}{date}"
    return sentence(f"{who} demands that {whose} {what}, and threatens War: sign its draft, answer or reject it")
