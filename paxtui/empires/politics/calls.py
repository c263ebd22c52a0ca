"""The Call to Allies Step: defenders call first, then aggressors whose victims have called (4.3)."""

from __future__ import annotations

from collections.abc import Iterator

from paxtui.empires.history.politics_events import CallerDone, CallersOrdered, CallMade
from paxtui.empires.orders.action import Action
from paxtui.empires.orders.actions_politics import CallAlly
from paxtui.empires.play.play import Play, refuse
from paxtui.empires.play.standing import allied, allies, at_war, bound
from paxtui.empires.politics import competing
from paxtui.empires.politics.declaring import break_alliance, go_to_war, hinders
from paxtui.empires.state.model import State
from paxtui.empires.state.politics import Call, Caller
from paxtui.empires.state.questions import Question
from paxtui.empires.tables.tables import Tables
from paxtui.engine.refusal import Refusal

CALL, JOIN, REFUSE = "call", "join", "refuse"


def actors(tables: Tables, state: State) -> tuple[str, ...]:
    """The Power that may call now."""
    callers = state.politics.callers
    return (callers[0].power,) if callers else ()


def run(play: Play) -> None:
    """Put the callers in their order, and pass over those who are done or have nobody to call against.

    Rules: EIA 3.1, EIA 4.3, EIA 4.3.1.1, EIA 4.3.1.2
    """
    if play.state.politics.callers is None:
        declared = [one for one in play.state.politics.declared if not one.mutual]
        defenders = _in_order(play, tuple(dict.fromkeys(one.defender for one in declared)), "defenders call")
        aggressors = _in_order(play, tuple(dict.fromkeys(one.aggressor for one in declared)), "aggressors call")
        callers = (*(Caller(one, True) for one in defenders), *(Caller(one, False) for one in aggressors))
        play.emit(CallersOrdered(callers=callers, rules=("EIA 4.3.1.1",)))
        return
    if play.state.politics.callers:
        caller = play.state.politics.callers[0]
        if caller.power in play.state.cursor.done or not against(play.state, caller):
            play.emit(CallerDone(rules=("EIA 4.3.1.1",)))


def _in_order(play: Play, powers: tuple[str, ...], about: str) -> tuple[str, ...]:
    return competing.order(play, powers, about, "EIA 4.3") if powers else ()


def against(state: State, caller: Caller) -> tuple[str, ...]:
    """The enemies of this month against whom a caller may call. Rules: EIA 4.3.1.1, EIA 4.3.2"""
    declared = [one for one in state.politics.declared if not one.mutual]
    if caller.defends:
        return tuple(one.aggressor for one in declared if one.defender == caller.power)
    tried = {(one.caller, one.enemy) for one in state.politics.calls}
    return tuple(
        one.defender
        for one in declared
        if one.aggressor == caller.power and (one.defender, one.aggressor) in tried
    )


def callable_allies(state: State, power: str, enemy: str) -> tuple[str, ...]:
    """Allies whom a Power may call against an enemy now. Rules: EIA 4.3, EIA 4.3.1.4"""
    called = {one.ally for one in state.politics.calls if (one.caller, one.enemy) == (power, enemy)}
    return tuple(
        ally
        for ally in allies(state, power)
        if ally != enemy and ally not in called and not at_war(state, ally, enemy) and not bound(state, ally, enemy)
    )


def offers(tables: Tables, state: State, power: str) -> Iterator[Action]:
    """Every ally against every enemy; the bare attempt where a defender has none."""
    caller = (state.politics.callers or ())[0]
    for enemy in against(state, caller):
        found = callable_allies(state, power, enemy)
        yield from (CallAlly(ally, enemy) for ally in found)
        if not found and caller.defends:
            yield CallAlly(power, enemy)


def call(play: Play, power: str, action: CallAlly) -> None:
    """Call an ally; one that cannot come breaks its alliance. Raises: Refusal. Rules: EIA 4.3, EIA 4.3.1.4"""
    state = play.state
    caller = (state.politics.callers or ())[0]
    if action.enemy not in against(state, caller):
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
        hinders(play.tables, play.state, action.ally, action.enemy)
        choices: tuple[str, ...] = (JOIN, REFUSE)
    except Refusal:
        choices = (REFUSE,)
    play.ask(CALL, action.ally, choices, power, action.enemy, rules=("EIA 4.3.2",))


def answer(play: Play, question: Question, choice: str) -> None:
    """An ally comes, or the alliance is broken. Rules: EIA 4.3.1.3, EIA 4.3.2"""
    ally, (caller, enemy) = question.power, question.about
    if choice == JOIN:
        go_to_war(play, ally, enemy, "EIA 4.3.2")
        return
    defends = any(one == Caller(caller, True) for one in (play.state.politics.callers or ())[:1])
    losers = (ally,) if defends else (ally, caller)
    if allied(play.state, ally, caller):
        break_alliance(play, ally, caller, losers, "EIA 4.3.1.3")
