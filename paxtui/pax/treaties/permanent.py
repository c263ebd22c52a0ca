"""The Alliance that is always there: of a Power without a player of its own with the Power whose seat plays it.

It stands in no position until it is broken for the first time; `pacts` gives it as if it did. Broken, it is gone to
the end of the Game Turn and comes back by itself.

Rules: AUS-003, AUS-005, AUS-006 (R-AUS-01 to R-AUS-03)
"""

from __future__ import annotations

from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.play.play import Play
from paxtui.pax.state.model import State
from paxtui.pax.state.treaty import ENDED, IN_FORCE, TREATY, Clause, Treaty
from paxtui.pax.words.spoken import power_name


def pact_id(seat: str, power: str) -> str:
    """How the permanent Alliance of two Powers is named in orders."""
    return f"{seat}_{power}"


def pacts(tables: Tables, state: State) -> tuple[Treaty, ...]:
    """The permanent Alliances as they stand now, broken ones included.

    Rules: AUS-003
    """
    found = []
    for power in state.powers:
        seat = tables.powers[power].seat
        if seat and seat in state.players:
            known = next((t for t in state.treaties if t.id == pact_id(seat, power)), None)
            found.append(known or _unbroken(tables, seat, power))
    return tuple(found)


def _unbroken(tables: Tables, seat: str, power: str) -> Treaty:
    parties = tuple(p for p in tables.powers if p in (seat, power))
    return Treaty(
        id=pact_id(seat, power),
        name=" and ".join(power_name(tables, p) for p in parties),
        form=TREATY,
        drafter=seat,
        parties=parties,
        clauses=(Clause("defensive"),),
        public=True,
        stage=IN_FORCE,
        signed=parties,
        drafted=1,
        since=1,
    )


def is_pact(tables: Tables, state: State, treaty: Treaty) -> bool:
    """Whether a Treaty is a permanent one."""
    return any(treaty.id == pact.id for pact in pacts(tables, state))


def all_treaties(tables: Tables, state: State) -> tuple[Treaty, ...]:
    """Every agreement of the position, and the permanent Alliances whether they were ever broken or not."""
    known = {t.id for t in state.treaties}
    return (*(p for p in pacts(tables, state) if p.id not in known), *state.treaties)


def written_down(play: Play, pact: Treaty) -> Treaty:
    """Put a permanent Alliance into the position, so that something can happen to it."""
    if all(t.id != pact.id for t in play.state.treaties):
        play.emit(ev.TreatyDrafted(treaty=pact, rules=("AUS-003",)))
    return pact


def new_turn(play: Play) -> None:
    """At the start of a Game Turn a broken permanent Alliance is there again.

    Rules: AUS-005 (R-AUS-01)
    """
    for pact in pacts(play.tables, play.state):
        if pact.stage == ENDED:
            play.emit(ev.TreatyInForce(id=pact.id, turn=play.state.turn, rules=("AUS-005",)))
