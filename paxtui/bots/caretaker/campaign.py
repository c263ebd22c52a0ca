"""Rules 9 to 11: the one place where a Power under General Orders decides something in War.

The rules of the game hold the orders of a campaign themselves (`paxtui.pax.war.policy`), for forces that nobody
commands. The caretaker asks what they would be if nobody commanded its own, and gives those orders from its seat.

Rules: ORD-012, ORD-037 to ORD-045 (R-ORD-25)
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from paxtui.bots.act import Act
from paxtui.engine.refusal import Refusal
from paxtui.pax.board.status import powers_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.clauses.alliances import COALING
from paxtui.pax.history import events as ev
from paxtui.pax.orders import actions as ac
from paxtui.pax.orders.notation import text_of, typed
from paxtui.pax.play.choices import default_of
from paxtui.pax.play.play import GameOver, Trial
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import NAVAL
from paxtui.pax.state.questions import Pending
from paxtui.pax.state.treaty import IN_FORCE
from paxtui.pax.state.war import War
from paxtui.pax.state.war_questions import EndWaiver, JoinAttack
from paxtui.pax.treaties import treaty_watch
from paxtui.pax.war import policy
from paxtui.pax.war.campaign import battle, coaling
from paxtui.pax.war.command import general_orders
from paxtui.pax.war.command.standing_answers import is_alone
from paxtui.pax.war.cycle import current, fought
from paxtui.pax.war.outcome.ends import GO_ON
from paxtui.pax.words.spoken import place_name


def orders(tables: Tables, state: State, seat: str) -> list[Act]:
    """What a seat does in the present Phase of a War; at last it passes.

    A neutral closes nothing and grants no coal but what a Treaty promises.

    Rules: ORD-007, ORD-012, ORD-037 to ORD-045 (Decision 60)
    """
    war = current(state)
    given = [*promised_coal(tables, state, seat), *(_given(tables, state, seat, war) if war else ())]
    return [*given, Act("pass", "Rule 4: it keeps out of the Wars of others; Rule 9: its forces hold their ground")]


def promised_coal(tables: Tables, state: State, seat: str) -> Iterator[Act]:
    """Volunteer the Areas that a neutral's treaties promise for coaling: rule 2 comes before neutrality (rule 4).

    Rules: ORD-004, ORD-007, ORD-012 (Decision 60)
    """
    for war in fought(state):
        for power in powers_of(tables, state, seat):
            promised: dict[int, str] = {}
            for treaty in state.treaties:
                for n, clause in enumerate(treaty.clauses if treaty.stage == IN_FORCE else ()):
                    side = war.side_of(clause.to) if clause.kind == COALING.id and clause.power == power else 0
                    if side and treaty_watch.awake(state, treaty, n):
                        promised.setdefault(side, clause.to)
            for area, side in coaling.offers(tables, state, war, power):
                if side in promised:
                    order = ac.Volunteer(area, promised[side], "" if power == seat else power)
                    yield Act(typed(tables, order, seat), "Rule 2: a Treaty promises coal, and comes before Rule 4")


def _given(tables: Tables, state: State, seat: str, war: War) -> Iterator[Act]:
    """The orders that the rules would give to the seat's forces, if nobody gave them any."""
    mine = powers_of(tables, state, seat)
    if not any(war.side_of(power) and war.side_of(power) == war.turn_of for power in mine):
        return
    trial = Trial(tables, _left_alone(state))
    try:
        policy.act(trial, war)
    except (Refusal, GameOver):
        return
    for event in trial.events:
        if isinstance(event, ev.UnitsMoved) and event.power in mine:
            own = "" if event.power == seat else event.power
            move = ac.Move(event.units, event.path, event.coast, own, event.start_coast)
            where = place_name(tables, event.path[-1])
            yield Act(typed(tables, move, seat), f"Rules 9 to 11: to {where}, where its forces are wanted")
        elif isinstance(event, ev.BattleFought):
            for power in event.attackers:
                if power in mine:
                    attack = ac.Attack(event.place, event.kind == NAVAL, "" if power == seat else power)
                    odds = f"Rule 9b: {event.attack} against {event.defend} in {place_name(tables, event.place)}"
                    yield Act(text_of(tables, attack), odds)
                    break


def _left_alone(state: State) -> State:
    """The position as if nobody commanded any forces."""
    return replace(state, abandoned=state.players)


def answer(tables: Tables, state: State, choice: Pending) -> Act:
    """The answer to a question of a War: an attack is joined at 3 to 2; else what the rules take for granted.

    Rules: ORD-038
    """
    words, why = default_of(choice), "Rule 9: what the rules take for granted"
    war, about = current(state), choice.about
    if isinstance(about, EndWaiver) and is_alone(tables, state, choice.power, about.war):
        words, why = (GO_ON,), "Rule 9: alone, it fights on to victory, defeat or Stalemate"
    if war and isinstance(about, JoinAttack):
        alone = _left_alone(state)
        if general_orders.too_weak(tables, alone, war, choice.power, choice.area, about.unit_kind, about.aside):
            words, why = (battle.ASIDE,), "Rule 9b: the attack has less than 3 to 2"
    return Act(f"choose {choice.id} {' '.join(words)}".strip(), why)
