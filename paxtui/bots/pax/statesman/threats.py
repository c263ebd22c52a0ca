"""Threats of War: a dispatch and a draft with a date, to a Power that would lose more by a War than by giving way.

The War is played through first as the other Power knows the position, because it plays the War through too. A Power
makes good its threat even if it loses a little by the War, as long as the other loses far more.

Rules: STA-034, STA-052, TRE-001
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from msgspec.structs import replace

from paxtui.bots.pax.caretaker.planner import Planner
from paxtui.bots.pax.statesman import war
from paxtui.bots.pax.statesman.evaluation import FIRST_GREAT_WAR_TURN, PositionValuation
from paxtui.bots.pax.statesman.treaty_values import PowerRelations, TreatyValuation
from paxtui.engine.bots import BotAction
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.dispatches import Dispatch
from paxtui.games.pax.actions.notation import format_order
from paxtui.games.pax.board.status import controls, established, holdings
from paxtui.games.pax.state.diplomacy import TREATY, CasusBelli, Clause
from paxtui.games.pax.state.pieces import CONTROL, INFLUENCE, INTEREST, LEVEL
from paxtui.games.pax.text.display import capitalize, join_with_and, place_name, power_name
from paxtui.games.pax.visibility import visible_state
from paxtui.games.pax.war import declarations

MIN_DEMANDED_POUNDS = 10
"""Minimum sum of money that is demanded, in pounds."""
CANDIDATE_AREAS = 7
"""Number of Areas of the other Power, the most valuable ones, among which the demand is chosen."""
MAX_DEMANDED_AREAS = 4
"""Maximum number of Areas in a demand."""
MAX_WAR_GAIN = 45.0
"""Gain by a War, in Victory Points, above which no demand brings more."""
DEMAND_SHARE = 0.9
"""Share of what the other Power fears that a demand may cost it: the position may change before it answers."""
SURE_WAR_FACTOR = 1.15
"""Factor on the gain by a War that it would declare anyway, which a demand must bring: where that gain is
underestimated, a demand seems better. A lesser War is declared only if a demand has been refused."""


class Demand(NamedTuple):
    """A demand under threat of War, with what it is worth to the Power that makes it, in pounds at the end."""

    gain: float
    foe: str
    articles: tuple[Clause, ...]


def threaten(valuation: PositionValuation, planner: Planner) -> str:
    """Threaten a Power against which the Power holds a Casus Belli, if it would rather grant a demand than fight.

    Returns: the Power that is threatened; "" for none.
    """
    character, state = valuation.character, planner.state
    if planner.power != planner.seat or state.wars or state.turn < FIRST_GREAT_WAR_TURN:
        return ""
    if character.level == "easy" or character.caution > 2.0 or "threats" in character.disabled:
        return ""
    relations = PowerRelations(planner.tables, state)
    causes: dict[str, list[CasusBelli]] = {}
    for cause in declarations.usable_causes(planner.tables, state, planner.power):
        if cause.against in state.players:
            causes.setdefault(cause.against, []).append(cause)
    found = [
        _best_demand(valuation, planner, relations, foe, over)
        for foe, over in causes.items()
        if war.is_war_bearable(valuation, planner, relations, foe, war.THREAT_TENSIONS)
    ]
    best = max((one for one in found if one is not None), default=None, key=lambda demand: demand.gain)
    return best.foe if best is not None and _send_threat(planner, best, causes[best.foe]) else ""


def _best_demand(
    valuation: PositionValuation, planner: Planner, relations: PowerRelations, foe: str, causes: Sequence[CasusBelli]
) -> Demand | None:
    """The most valuable demand that a Power should grant; None if there is none."""
    their_valuation, parties = war.expected_valuation(planner, foe), (planner.power, foe)
    known = replace(planner.state, treaties=visible_state(planner.tables, planner.state, foe).treaties)
    seen = Planner(
        planner.tables, known, planner.power, planner.power, foe
    )  # the other Power may not know all Treaties
    gains = war.gains_by_war(valuation, seen, their_valuation, causes[0], MAX_WAR_GAIN * valuation.pounds_per_point)
    if gains is None:
        return None
    enemy = Planner(planner.tables, planner.state, foe, foe, planner.power)
    bearable, waived = war.THREAT_CREDIBILITY * DEMAND_SHARE * gains.foe, _waivers(planner.power, foe, causes)

    def is_granted(given: tuple[Clause, ...]) -> bool:
        return war.gain_by_giving_way(their_valuation, enemy, parties, (*given, *waived)) >= bearable

    def evaluate_demand(given: tuple[Clause, ...]) -> Demand:
        return Demand(war.gain_by_giving_way(valuation, planner, parties, (*given, *waived)), foe, given)

    worth = war.MIN_WAR_GAIN * valuation.pounds_per_point
    if gains.own > worth:
        worth = SURE_WAR_FACTOR * gains.own
    found = sorted(
        map(evaluate_demand, _possible_demands(relations, valuation, foe, causes)), key=lambda one: -one.gain
    )
    best = next((one for one in found if one.gain > 0 and is_granted(one.articles)), Demand(0.0, foe, ()))
    pounds = _largest_payment(best.articles, planner, foe, is_granted)
    if pounds >= MIN_DEMANDED_POUNDS:
        payment = Clause("pay", power=foe, to=planner.power, amount=pounds)
        best = max(best, evaluate_demand((*best.articles, payment)), key=lambda one: one.gain)
    return best if best.gain >= worth else None


def _waivers(power: str, foe: str, causes: Sequence[CasusBelli]) -> tuple[Clause, ...]:
    """The articles by which a Power gives up its Casus Belli."""
    return tuple(Clause("waive", power=power, places=(cause.area,) if cause.area else (), to=foe) for cause in causes)


def _largest_payment(
    areas: tuple[Clause, ...], planner: Planner, foe: str, is_granted: Callable[[tuple[Clause, ...]], bool]
) -> int:
    """The most pounds, up to a third of its Treasury, that a Power would pay besides the Areas that it leaves."""
    low, high = 0, planner.state.powers[foe].treasury // 3
    while low < high:
        middle = (low + high + 1) // 2
        if is_granted((*areas, Clause("pay", power=foe, to=planner.power, amount=middle))):
            low = middle
        else:
            high = middle - 1
    return low


def _possible_demands(
    relations: PowerRelations, valuation: PositionValuation, foe: str, causes: Sequence[CasusBelli]
) -> Iterator[tuple[Clause, ...]]:
    """What the Power could demand: to leave the Area of a dispute, or to hand over others under Control."""
    state, power = relations.state, valuation.power
    turn = state.turn + 1 if state.turn < state.last_turn else 0
    for cause in causes:
        if cause.area and controls(state, cause.area, foe):
            own = established(state, cause.area, power)
            marker = INTEREST if own is not None and LEVEL[own.marker] >= LEVEL[INFLUENCE] else ""
            yield (Clause("lower", power=foe, places=(cause.area,), marker=marker, turn=turn),)
    areas = [
        Clause("transfer", power=foe, places=(area,), to=power)
        for area, marker in holdings(state, foe)
        if marker in CONTROL and not relations.tables.markers[marker].only_for
    ]
    worth = {clause: TreatyValuation(relations, valuation, (power, foe), (clause,), False).total() for clause in areas}
    best = sorted((clause for clause in areas if worth[clause] > 0), key=lambda clause: -worth[clause])[
        :CANDIDATE_AREAS
    ]
    for count in range(1, MAX_DEMANDED_AREAS + 1):
        yield from combinations(best, count)


def _send_threat(planner: Planner, demand: Demand, causes: Sequence[CasusBelli]) -> bool:
    """Send the demand as a draft with a date, and the threat as a dispatch; return success."""
    tables, foe = planner.tables, demand.foe
    clauses = (*demand.articles, *_waivers(planner.power, foe, causes))
    why = f"{power_name(tables, foe)} would lose more by a War than by this"
    if not planner.do(actions.Draft("", (planner.power, foe), clauses, TREATY, False), why):
        return False
    date = tables.turns[max(planner.state.turn, *(clause.turn for clause in demand.articles)) - 1].year
    asked = join_with_and([_demand_in_words(planner, clause) for clause in demand.articles])
    words = f"{capitalize(asked)} by {date}, or expect War. Sign, and we give up our Casus Belli."
    planner.acts.append(BotAction(format_order(tables, Dispatch((foe,), words)), why))
    return True


def _demand_in_words(planner: Planner, clause: Clause) -> str:
    if clause.kind == "pay":
        return f"pay us £{clause.amount}"
    return f"{'leave' if clause.kind == 'lower' else 'hand us'} {place_name(planner.tables, clause.places[0])}"
