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
from paxtui.pax.history import events as ev
from paxtui.pax.orders import actions as ac
from paxtui.pax.orders.notation import text_of, typed
from paxtui.pax.play.choices import default_of
from paxtui.pax.play.play import GameOver, Trial
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import NAVAL
from paxtui.pax.state.questions import Pending
from paxtui.pax.state.war import War
from paxtui.pax.state.war_questions import JoinAttack
from paxtui.pax.war import policy
from paxtui.pax.war.campaign import battle
from paxtui.pax.war.command import general_orders
from paxtui.pax.war.cycle import current
from paxtui.pax.words.spoken import place_name


def orders(tables: Tables, state: State, seat: str) -> list[Act]:
    """What a seat does in the present Phase of a War; at last it passes. A neutral grants no coal and closes nothing.

    Rules: ORD-012, ORD-037 to ORD-045
    """
    war = current(state)
    given = list(_given(tables, state, seat, war)) if war else []
    return [*given, Act("pass", "Rule 4: it keeps out of the Wars of others; Rule 9: its forces hold their ground")]


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
    if war and isinstance(about, JoinAttack):
        alone = _left_alone(state)
        if general_orders.too_weak(tables, alone, war, choice.power, choice.area, about.unit_kind, about.aside):
            words, why = (battle.ASIDE,), "Rule 9b: the attack has less than 3 to 2"
    return Act(f"choose {choice.id} {' '.join(words)}".strip(), why)
