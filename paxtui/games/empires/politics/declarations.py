"""Declarations of war (4.2) and the Call to Allies Step (4.3), with the dice that put Powers in order.

Declarations are written in secret and revealed together. Defenders call allies first, then aggressors whose victims
have called.
"""

from __future__ import annotations

from collections.abc import Iterator

from paxtui.engine.refusal import Refusal
from paxtui.games.empires.board import (
    allies_of,
    enemies_of,
    has_forces_in,
    is_allied,
    is_at_war,
    is_bound_by_peace,
    relation_between,
)
from paxtui.games.empires.events.base import StepDone
from paxtui.games.empires.events.politics import (
    AllianceBroken,
    CallersOrdered,
    CallMade,
    CallsFinished,
    CompetitiveRolled,
    MinorAttacked,
    WarDeclared,
)
from paxtui.games.empires.orders import Action, CallAlly, Declare
from paxtui.games.empires.state import Call, CallingPower, Minority, Question, State
from paxtui.games.empires.tables import Tables
from paxtui.games.empires.transaction import Transaction, refuse, reveal_papers, seal_paper


def roll_order(play: Transaction, powers: tuple[str, ...], about: str, *rules: str) -> tuple[str, ...]:
    """Powers by competitive die rolls, the highest first. Nothing is rolled for one alone. Rules: EIA 3.1"""
    if len(powers) < 2:
        return powers
    rolled: dict[str, tuple[int, ...]] = dict.fromkeys(powers, ())
    level = [powers]
    while level:
        for power in level.pop():
            rolled[power] = (*rolled[power], play.roll())
        groups: dict[tuple[int, ...], list[str]] = {}
        for power in powers:
            groups.setdefault(rolled[power], []).append(power)
        level = [tuple(group) for group in groups.values() if len(group) > 1][:1]
    found = tuple(sorted(powers, key=lambda power: rolled[power], reverse=True))
    play.emit(CompetitiveRolled(about=about, order=found, dice=tuple(rolled[one] for one in found), rules=rules))
    return found


WAR, ALLIANCE = 3, 2
"""Political points that a declaration of war on a Power, and a broken alliance, cost. Rules: EIA 4.2.1.1"""
APART = 12
"""Months before a broken alliance can be made again. Rules: EIA 4.5.3"""
REACH = 5
"""Areas that the fastest counter can go in a month: how far "physically possible" is taken to reach."""


def check_declaration(tables: Tables, state: State, power: str, target: str, *, treaty: bool = True) -> None:
    """Check that a Power may declare war on a Power or a neutral minor country.

    `treaty`: an enforced peace forbids it.

    Raises: Refusal. Rules: EIA 4.2.2, EIA 4.2.3
    """
    minor = state.minors.get(target)
    if target == power or (target not in state.powers and minor is None):
        refuse("no_target", f"'{target}' is neither another Power nor a minor country.", "EIA 4.2")
    if minor is not None and minor.controller:
        runs = tables.name(minor.controller)
        refuse("controlled", f"{tables.name(target)} is run by {runs}: war is declared on that Power.", "EIA 4.2.3")
    if is_at_war(state, power, target):
        refuse("at_war", f"There is war with {tables.name(target)} already.", "EIA 4.2")
    if treaty and is_bound_by_peace(state, power, target):
        refuse("enforced_peace", f"An enforced peace with {tables.name(target)} holds.", "EIA 4.2.2.4")
    check_no_forces_hinder(tables, state, power, target)
    if minor is not None and not _can_reach(tables, state, power, target):
        refuse("out_of_reach", f"Nothing can enter {tables.name(target)} this month.", "EIA 4.2.2.3")


def check_no_forces_hinder(tables: Tables, state: State, power: str, target: str) -> None:
    """Raises: Refusal, where forces stand in the way of a declaration. Rules: EIA 4.2.2.1, EIA 4.2.2.2"""
    if has_forces_in(tables, state, power, target):
        refuse("forces_there", f"There are forces of yours in {tables.name(target)}.", "EIA 4.2.2.1")
    foes = [one for one in enemies_of(state, power) if one in state.powers]
    if target in state.powers and foes and _is_invaded(tables, state, power):
        refuse("invaded", "Enemy infantry corps stand in your home nation.", "EIA 4.2.2.2")


def _is_invaded(tables: Tables, state: State, power: str) -> bool:
    """Whether unbesieged enemy infantry corps stand in the home nation of a Power; one inside a city counts as besieged
    where the other side has a corps outside it.
    """
    for corps in state.corps.values():
        if corps.kind != "infantry" or corps.where not in tables.areas or not is_at_war(state, power, corps.power):
            continue
        if tables.areas[corps.where].owner != power:
            continue
        outside = any(
            one.where == corps.where and not one.inside and is_at_war(state, one.power, corps.power)
            for one in state.corps.values()
        )
        if not (corps.inside and outside):
            return True
    return False


def _can_reach(tables: Tables, state: State, power: str, minor: str) -> bool:
    """Whether a Power could enter a minor country this month: by a corps near enough, or with a fleet at a port."""
    goal = {area.id for area in tables.areas.values() if area.owner == minor}
    seen = {corps.where for corps in state.corps.values() if corps.power == power}
    near = set(seen)
    for _ in range(REACH):
        near = {one for area in near for one in tables.ways.get(area, ()) if not tables.areas[one].sea} - seen
        seen |= near
    if seen & goal:
        return True
    sails = any(fleet.power == power for fleet in state.fleets.values())
    return sails and any(tables.areas[area].port for area in goal)


def go_to_war(play: Transaction, power: str, target: str, *rules: str, order: int = 0, points: bool = True) -> None:
    """Begin a war between two Powers, with what it costs; no allies are called because of it.

    Rules: EIA 4.2.1.1
    """
    play.emit(WarDeclared(aggressor=power, defender=target, order=order or next_order(play.state), rules=rules))
    if points:
        play.points(power, -WAR, f"declared war on {play.tables.name(target)}", "EIA 4.2.1.1")
    if is_allied(play.state, power, target):
        break_alliance(play, power, target, (power,), "EIA 4.2.1.1")


def break_alliance(play: Transaction, a: str, b: str, losers: tuple[str, ...], *rules: str) -> None:
    """An alliance is broken, and those who have broken it lose points. Rules: EIA 4.5.3"""
    play.emit(AllianceBroken(a=a, b=b, until=play.state.turn + APART - 1, rules=rules))
    for loser in losers:
        other = b if loser == a else a
        play.points(loser, -ALLIANCE, f"broke the alliance with {play.tables.name(other)}", *rules)


def next_order(state: State) -> int:
    """The place of the next war in the order of wars."""
    return 1 + max((one.order for one in state.relations), default=0)


DECLARATIONS_PAPER, NO_DECLARATION = "declarations", "none"


def seal_declaration(play: Transaction, power: str, action: Declare) -> None:
    """Write down on whom war is declared; each must be allowed now. Raises: Refusal. Rules: EIA 4.2"""
    names = tuple(name for name in action.on if name != NO_DECLARATION)
    if len(set(names)) < len(names):
        refuse("twice", "Each is named once.", "EIA 4.2")
    for name in names:
        check_declaration(play.tables, play.state, power, name)
    seal_paper(play, power, DECLARATIONS_PAPER, names, "EIA 4.2")
    play.emit(StepDone(power=power))


def declaration_offers(tables: Tables, state: State, power: str) -> Iterator[Action]:
    """Nothing, or war on one; more than one is typed."""
    yield Declare((NO_DECLARATION,))
    for target in (*state.powers, *state.minors):
        try:
            check_declaration(tables, state, power, target)
        except Refusal:
            continue
        yield Declare((target,))


def reveal_declarations(play: Transaction) -> None:
    """All declarations are revealed, and war is where it was declared. Rules: EIA 4.2, EIA 4.2.1, EIA 4.3.1.2"""
    pairs = [
        (paper.power, target) for paper in reveal_papers(play, DECLARATIONS_PAPER, "EIA 4.2") for target in paper.words
    ]
    order = next_order(play.state)
    for power, target in pairs:
        if target in play.state.minors:
            continue
        if relation_between(play.state, "war", power, target) is None:
            mutual = (target, power) in pairs
            play.emit(
                WarDeclared(
                    aggressor=power, defender=target, order=order, mutual=mutual, calls=True, rules=("EIA 4.2",)
                )
            )
        play.points(power, -WAR, f"declared war on {play.tables.name(target)}", "EIA 4.2.1.1")
        if is_allied(play.state, power, target):
            breakers = tuple(one for one in (power, target) if (one, target if one == power else power) in pairs)
            break_alliance(play, power, target, breakers, "EIA 4.2.1.1")
    for minor in play.state.minors:
        attackers = tuple(power for power, target in pairs if target == minor)
        for power in attackers:
            play.emit(WarDeclared(aggressor=power, defender=minor, order=order, rules=("EIA 4.2",)))
        if attackers:
            play.emit(MinorAttacked(minority=Minority(minor, attackers), rules=("EIA 4.6",)))


CALL, JOIN, REFUSE = "call", "join", "refuse"


def calling_powers(tables: Tables, state: State) -> tuple[str, ...]:
    """The Power that may call now."""
    callers = state.politics.callers
    return (callers[0].power,) if callers else ()


def settle_callers(play: Transaction) -> None:
    """Put the callers in order, and skip those who are done or have no enemy to call against.

    Rules: EIA 3.1, EIA 4.3, EIA 4.3.1.1, EIA 4.3.1.2
    """
    if play.state.politics.callers is None:
        declared = [one for one in play.state.politics.declared if not one.mutual]
        defenders = _callers_in_order(play, tuple(dict.fromkeys(one.defender for one in declared)), "defenders call")
        aggressors = _callers_in_order(play, tuple(dict.fromkeys(one.aggressor for one in declared)), "aggressors call")
        callers = (*(CallingPower(one, True) for one in defenders), *(CallingPower(one, False) for one in aggressors))
        play.emit(CallersOrdered(callers=callers, rules=("EIA 4.3.1.1",)))
        return
    if play.state.politics.callers:
        caller = play.state.politics.callers[0]
        if caller.power in play.state.cursor.done or not callable_enemies(play.state, caller):
            play.emit(CallsFinished(rules=("EIA 4.3.1.1",)))


def _callers_in_order(play: Transaction, powers: tuple[str, ...], about: str) -> tuple[str, ...]:
    return roll_order(play, powers, about, "EIA 4.3") if powers else ()


def callable_enemies(state: State, caller: CallingPower) -> tuple[str, ...]:
    """The enemies of this month against whom a caller may call. Rules: EIA 4.3.1.1, EIA 4.3.2"""
    declared = [one for one in state.politics.declared if not one.mutual]
    if caller.defends:
        return tuple(one.aggressor for one in declared if one.defender == caller.power)
    tried = {(one.caller, one.enemy) for one in state.politics.calls}
    return tuple(
        one.defender for one in declared if one.aggressor == caller.power and (one.defender, one.aggressor) in tried
    )


def callable_allies(state: State, power: str, enemy: str) -> tuple[str, ...]:
    """Allies whom a Power may call against an enemy now. Rules: EIA 4.3, EIA 4.3.1.4"""
    called = {one.ally for one in state.politics.calls if (one.caller, one.enemy) == (power, enemy)}
    return tuple(
        ally
        for ally in allies_of(state, power)
        if ally != enemy
        and ally not in called
        and not is_at_war(state, ally, enemy)
        and not is_bound_by_peace(state, ally, enemy)
    )


def call_offers(tables: Tables, state: State, power: str) -> Iterator[Action]:
    """Every ally against every enemy; the bare attempt where a defender has none."""
    caller = (state.politics.callers or ())[0]
    for enemy in callable_enemies(state, caller):
        found = callable_allies(state, power, enemy)
        yield from (CallAlly(ally, enemy) for ally in found)
        if not found and caller.defends:
            yield CallAlly(power, enemy)


def call_ally(play: Transaction, power: str, action: CallAlly) -> None:
    """Call an ally; one that cannot come breaks its alliance. Raises: Refusal. Rules: EIA 4.3, EIA 4.3.1.4"""
    state = play.state
    caller = (state.politics.callers or ())[0]
    if action.enemy not in callable_enemies(state, caller):
        refuse("no_call", "Calls go against whom this month's declaration concerns.", "EIA 4.3", "EIA 4.3.2")
    found = callable_allies(state, power, action.enemy)
    tries = action.ally == power and caller.defends and not found
    made = Call(power, action.ally, action.enemy)
    if tries and made not in state.politics.calls:
        play.emit(CallMade(call=made, rules=("EIA 4.3.1.1",)))
        return
    if action.ally not in found:
        refuse("no_ally", f"{play.tables.name(action.ally)} cannot be called.", "EIA 4.3", "EIA 4.3.1.4")
    play.emit(CallMade(call=made, rules=("EIA 4.3",)))
    try:
        check_no_forces_hinder(play.tables, play.state, action.ally, action.enemy)
        choices: tuple[str, ...] = (JOIN, REFUSE)
    except Refusal:
        choices = (REFUSE,)
    play.ask(CALL, action.ally, choices, power, action.enemy, rules=("EIA 4.3.2",))


def answer_call(play: Transaction, question: Question, choice: str) -> None:
    """An ally comes, or the alliance is broken. Rules: EIA 4.3.1.3, EIA 4.3.2"""
    ally, (caller, enemy) = question.power, question.about
    if choice == JOIN:
        go_to_war(play, ally, enemy, "EIA 4.3.2")
        return
    defends = any(one == CallingPower(caller, True) for one in (play.state.politics.callers or ())[:1])
    losers = (ally,) if defends else (ally, caller)
    if is_allied(play.state, ally, caller):
        break_alliance(play, ally, caller, losers, "EIA 4.3.1.3")
