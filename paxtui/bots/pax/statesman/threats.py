"""Threats of War: a dispatch and a draft with a date, to a Power that would lose more by a War than by giving way.

The War is played through first. It must pay, because the other Power plays it through too, and refuses if it does not.

Rules: STA-034, STA-052, TRE-001
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from paxtui.bots.pax.caretaker.planner import Planner
from paxtui.bots.pax.statesman import war
from paxtui.bots.pax.statesman.evaluation import PositionValuation
from paxtui.bots.pax.statesman.treaty_values import PowerRelations, TreatyValuation
from paxtui.engine.bots import BotAction
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.dispatches import Dispatch
from paxtui.games.pax.actions.notation import format_order
from paxtui.games.pax.board.status import controls, established, holdings
from paxtui.games.pax.state.diplomacy import TREATY, CasusBelli, Clause
from paxtui.games.pax.state.pieces import INFLUENCE, INTEREST, LEVEL
from paxtui.games.pax.text.display import capitalize, join_with_and, place_name, power_name
from paxtui.games.pax.war import declarations

WORTH_A_THREAT = 4.0
"""Minimum gain by what is demanded, in Victory Points."""
LEAST_DEMANDED = 10
"""Minimum sum of money that is demanded, in pounds."""
MOST_DEMANDED = 7
"""Number of Areas of the other Power, the most valuable ones, among which the demand is chosen."""
MOST_AREAS = 3
"""Maximum number of Areas in a demand."""
MARGIN = 0.85
"""Share of what the other Power fears that a demand may cost it: it plays the War through with other dice."""
WITHOUT_RISK = 1.3
"""Factor on the gain by a War that it would declare anyway, which a demand must bring: where that gain is
underestimated, a demand seems better. A lesser War is declared only if a demand has been refused."""


class Threat(NamedTuple):
    """A demand, with what it is worth to the Power that makes it, in pounds at the end."""

    gain: float
    foe: str
    clauses: tuple[Clause, ...]


def threaten(outlook: PositionValuation, desk: Planner) -> None:
    """Demand of one Power, over each Casus Belli against it, what it would rather give than fight for."""
    who, state = outlook.who, desk.state
    if desk.power != desk.seat or who.level == "easy" or who.care > 2.0 or "threats" in who.lacks or state.wars:
        return
    regard = PowerRelations(desk.tables, state)
    causes: dict[str, list[CasusBelli]] = {}
    for cause in declarations.usable_causes(desk.tables, state, desk.power):
        if cause.against in state.players:
            causes.setdefault(cause.against, []).append(cause)
    found = [
        threat
        for foe, over in causes.items()
        if war.is_war_bearable(outlook, desk, regard, foe)
        for threat in _demands(outlook, desk, regard, foe, over)
    ]
    best = max(found, default=None, key=lambda threat: threat.gain)
    if best is not None:
        _demand(desk, best)


def _demands(
    outlook: PositionValuation, desk: Planner, regard: PowerRelations, foe: str, causes: Sequence[CasusBelli]
) -> Iterator[Threat]:
    """Demands to a Power that it should grant."""
    judge, parties = regard.judgement(foe), (desk.power, foe)
    gains = war.gains_by_war(outlook, desk, judge, causes[0])
    if gains is None:
        return
    otherwise = WITHOUT_RISK * gains.own if gains.own > war.WORTH_A_WAR * outlook.point else 0.0
    bearable = war.MEANT * MARGIN * gains.foe
    enemy = Planner(desk.tables, desk.state, foe, foe, desk.power)
    waivers = tuple(
        Clause("waive", power=desk.power, places=(cause.area,) if cause.area else (), to=foe) for cause in causes
    )
    for given in _possible_demands(regard, outlook, foe, causes):
        clauses = (*given, *waivers)
        gain = war.gain_by_giving_way(outlook, desk, parties, clauses)
        if gain < max(WORTH_A_THREAT * outlook.point, otherwise):
            continue
        if war.gain_by_giving_way(judge, enemy, parties, clauses) >= bearable:
            yield Threat(gain, foe, clauses)


def _possible_demands(
    regard: PowerRelations, outlook: PositionValuation, foe: str, causes: Sequence[CasusBelli]
) -> Iterator[tuple[Clause, ...]]:
    """What the Power could demand: to leave the Area of a dispute, to hand over others, or money."""
    state, power = regard.state, outlook.power
    turn = state.turn + 1 if state.turn < state.last_turn else 0
    for cause in causes:
        if cause.area and controls(state, cause.area, foe):
            own = established(state, cause.area, power)
            marker = INTEREST if own is not None and LEVEL[own.marker] >= LEVEL[INFLUENCE] else ""
            yield (Clause("lower", power=foe, places=(cause.area,), marker=marker, turn=turn),)
    areas = [
        Clause("transfer", power=foe, places=(area,), to=power)
        for area, marker in holdings(state, foe)
        if not regard.tables.markers[marker].only_for
    ]
    worth = {clause: TreatyValuation(regard, outlook, (power, foe), (clause,), False).total() for clause in areas}
    best = sorted((clause for clause in areas if worth[clause] > 0), key=lambda clause: -worth[clause])[:MOST_DEMANDED]
    for count in range(1, MOST_AREAS + 1):
        yield from combinations(best, count)
    if state.powers[foe].treasury >= LEAST_DEMANDED:
        yield (Clause("pay", power=foe, to=power, amount=state.powers[foe].treasury),)


def _demand(desk: Planner, threat: Threat) -> None:
    """Draft what the other Power shall do and when, and say in a dispatch what follows otherwise."""
    tables, foe = desk.tables, threat.foe
    draft = actions.Draft("", (desk.power, foe), threat.clauses, TREATY, False)
    why = f"{power_name(tables, foe)} would lose more by a War than by this"
    if desk.do(draft, why):
        given = [clause for clause in threat.clauses if clause.kind != "waive"]
        date = tables.turns[max(desk.state.turn, *(clause.turn for clause in given)) - 1].year
        asked = join_with_and([_demand_in_words(desk, clause) for clause in given])
        words = f"{capitalize(asked)} by {date}, or expect War. Sign, and we give up our Casus Belli."
        desk.acts.append(BotAction(format_order(tables, Dispatch((foe,), words)), why))


def _demand_in_words(desk: Planner, clause: Clause) -> str:
    if clause.kind == "pay":
        return f"pay us £{clause.amount}"
    return f"{'leave' if clause.kind == 'lower' else 'hand us'} {place_name(desk.tables, clause.places[0])}"
