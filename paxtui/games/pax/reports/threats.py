"""Threats of War: drafts by which the holder of a Casus Belli demands something of a Power, and gives it up for that.

Rules: TRE-002, NEG-002
"""

from __future__ import annotations

from typing import NamedTuple

from paxtui.games.pax.board.status import powers_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.clauses.exchanges import LOWER, PAY, TRANSFER, WAIVE
from paxtui.games.pax.state.diplomacy import DRAFT, Clause, Treaty
from paxtui.games.pax.state.model import State
from paxtui.games.pax.text.display import join_with_and, place_name, sentence, the_power
from paxtui.games.pax.treaties.lookup import is_old_draft
from paxtui.games.pax.war.declarations import usable_causes

CONCESSIONS = {LOWER.id: "leave", TRANSFER.id: "hand over", PAY.id: "pay"}
"""Kinds of articles that a threat can demand, with the words for them."""


class Threat(NamedTuple):
    """A threat: the id of the draft, who threatens whom, and the articles that are demanded."""

    treaty: str
    power: str
    against: str
    demanded: tuple[Clause, ...]

    @property
    def areas(self) -> tuple[str, ...]:
        """The Areas that are demanded."""
        return tuple(place for clause in self.demanded for place in clause.places)


def open_threats(tables: Tables, state: State, seat: str) -> tuple[Threat, ...]:
    """Return the threats of this Game Turn that a seat has not answered."""
    own = powers_of(tables, state, seat)
    return tuple(
        Threat(treaty.id, treaty.drafter, power, demanded)
        for treaty in state.treaties
        if treaty.stage == DRAFT and treaty.drafter not in own and not is_old_draft(state, treaty)
        for power in own
        if power not in treaty.signed and (demanded := demanded_articles(tables, state, treaty, power))
    )


def demanded_articles(tables: Tables, state: State, treaty: Treaty, power: str) -> tuple[Clause, ...]:
    """Return what a draft demands of a Power under threat of War; empty if it is no threat.

    The drafter gives nothing but all its Casus Belli against the Power, or demands the Area of each.
    """
    causes = [c for c in usable_causes(tables, state, treaty.drafter) if c.against == power]
    if not causes or set(treaty.parties) != {treaty.drafter, power}:
        return ()
    demanded = tuple(c for c in treaty.clauses if c.kind in CONCESSIONS and c.power == power)
    given = [c for c in treaty.clauses if c not in demanded]
    if any(c.kind != WAIVE.id or c.power != treaty.drafter or c.to not in ("", power) for c in given):
        return ()
    ended = {place for c in given for place in c.places or ("",)}
    ended.update(c.places[0] for c in demanded if c.kind == LOWER.id)
    return demanded if "" in ended or all(c.area in ended for c in causes) else ()


def describe_demand(tables: Tables, threat: Threat, area: str = "") -> str:
    """Return what a Power shall do and by when, as "leave Kenya and pay £10 by 1896"; or only what concerns an Area."""
    if area:
        clause = next(c for c in threat.demanded if area in c.places)
        return f"{CONCESSIONS[clause.kind]} {_date(tables, (clause,))}"
    said: list[str] = []
    for kind, verb in CONCESSIONS.items():
        articles = [c for c in threat.demanded if c.kind == kind]
        if articles:
            wanted = [f"£{c.amount}" if kind == PAY.id else place_name(tables, c.places[0]) for c in articles]
            said.append(f"{verb} {join_with_and(wanted)}")
    return f"{' and '.join(said)} {_date(tables, threat.demanded)}"


def _date(tables: Tables, articles: tuple[Clause, ...]) -> str:
    turn = max(clause.turn for clause in articles)
    return f"by {tables.turns[turn - 1].year}" if turn else "now"


def describe_threat(tables: Tables, state: State, threat: Threat) -> str:
    """Return a threat as a sentence: who demands what, by when, and what else follows."""
    who = the_power(tables, threat.power)
    whose = "you" if threat.against in state.players else the_power(tables, threat.against)
    demand = f"that {whose} {'must ' * (whose != 'you')}{describe_demand(tables, threat)}"
    return sentence(f"{who} demands {demand}, and threatens War: sign its draft, answer or reject it")
