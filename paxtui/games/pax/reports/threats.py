"""Threats of War: drafts by which the holder of a Casus Belli demands Areas of a Power.

Rules: TRE-002, NEG-002
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from paxtui.games.pax.board.status import powers_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.clauses.exchanges import LOWER, TRANSFER, WAIVE
from paxtui.games.pax.state.diplomacy import DRAFT, Clause, Treaty
from paxtui.games.pax.state.model import State
from paxtui.games.pax.text.display import join_with_and, place_name, sentence, the_power
from paxtui.games.pax.treaties.lookup import is_old_draft


class Threat(NamedTuple):
    """A threat.

    Attributes:
        treaty: id of the draft.
        power, against: who threatens whom.
        areas: the Areas that are demanded.
        turn: the Game Turn of the demand, 0 for at once.
        hands_over: whether the Areas shall be handed over, not left.
    """

    treaty: str
    power: str
    against: str
    areas: tuple[str, ...]
    turn: int
    hands_over: bool


def open_threats(tables: Tables, state: State, seat: str) -> tuple[Threat, ...]:
    """Return the threats of this Game Turn that a seat has not answered."""
    own = powers_of(tables, state, seat)
    return tuple(
        threat
        for treaty in state.treaties
        if treaty.stage == DRAFT and treaty.drafter not in own and not is_old_draft(state, treaty)
        for power in own
        if power not in treaty.signed
        for threat in _demands_of(state, treaty, power)
    )


def _demands_of(state: State, treaty: Treaty, power: str) -> Iterator[Threat]:
    disputes = {c.area for c in state.casus_belli if (c.holder, c.against) == (treaty.drafter, power)}
    waives = any(clause.kind == WAIVE.id and clause.power == treaty.drafter for clause in treaty.clauses)
    left = [c for c in treaty.clauses if c.kind == LOWER.id and c.power == power and c.places[0] in disputes]
    handed = [c for c in treaty.clauses if (c.kind, c.power, c.to) == (TRANSFER.id, power, treaty.drafter)]
    demands: tuple[list[Clause], ...] = (left, handed if waives and disputes and len(treaty.parties) == 2 else [])
    for clauses in demands:
        if clauses:
            areas = tuple(clause.places[0] for clause in clauses)
            turn = max(clause.turn for clause in clauses)
            yield Threat(treaty.id, treaty.drafter, power, areas, turn, clauses is handed)


def describe_demand(tables: Tables, threat: Threat, names: bool = True) -> str:
    """Return what a Power shall do and by when, as "leave Kenya by 1896", or without the names of the Areas."""
    date = f"by {tables.turns[threat.turn - 1].year}" if threat.turn else "now"
    areas = f" {join_with_and([place_name(tables, area) for area in threat.areas])}" if names else ""
    return f"{'hand over' if threat.hands_over else 'leave'}{areas} {date}"


def describe_threat(tables: Tables, state: State, threat: Threat) -> str:
    """Return a threat as a sentence: who demands what, by when, and what else follows."""
    who = the_power(tables, threat.power)
    whose = "you" if threat.against in state.players else the_power(tables, threat.against)
    demand = f"that {whose} {'must ' * (whose != 'you')}{describe_demand(tables, threat)}"
    return sentence(f"{who} demands {demand}, and threatens War: sign its draft, answer or reject it")
