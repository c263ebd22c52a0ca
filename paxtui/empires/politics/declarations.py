"""The Declarations of War Step: written in secret, revealed together (4.2)."""

from __future__ import annotations

from collections.abc import Iterator

from paxtui.empires.history.politics_events import MinorAttacked, WarDeclared
from paxtui.empires.history.time_events import StepDone
from paxtui.empires.orders.action import Action
from paxtui.empires.orders.actions_politics import Declare
from paxtui.empires.play.asking import reveal, seal
from paxtui.empires.play.play import Play, refuse
from paxtui.empires.play.standing import allied, relation
from paxtui.empires.politics.declaring import WAR, break_alliance, check, next_order
from paxtui.empires.state.model import State
from paxtui.empires.state.politics import Minority
from paxtui.empires.tables.tables import Tables
from paxtui.engine.refusal import Refusal

MATTER, NONE = "declarations", "none"


def write(play: Play, power: str, action: Declare) -> None:
    """Write down on whom war is declared; each must be allowed now. Raises: Refusal. Rules: EIA 4.2"""
    names = tuple(name for name in action.on if name != NONE)
    if len(set(names)) < len(names):
        refuse("twice", "Each is named once.", "EIA 4.2")
    for name in names:
        check(play.tables, play.state, power, name)
    seal(play, power, MATTER, names, "EIA 4.2")
    play.emit(StepDone(power=power))


def offers(tables: Tables, state: State, power: str) -> Iterator[Action]:
    """Nothing, or war on one; more than one is typed."""
    yield Declare((NONE,))
    for target in (*state.powers, *state.minors):
        try:
            check(tables, state, power, target)
        except Refusal:
            continue
        yield Declare((target,))


def open_all(play: Play) -> None:
    """All declarations are revealed, and war is where it was declared. Rules: EIA 4.2, EIA 4.2.1, EIA 4.3.1.2"""
    pairs = [(paper.power, target) for paper in reveal(play, MATTER, "EIA 4.2") for target in paper.words]
    order = next_order(play.state)
    for power, target in pairs:
        if target in play.state.minors:
            continue
        if relation(play.state, "war", power, target) is None:
            mutual = (target, power) in pairs
            play.emit(
                WarDeclared(
                    aggressor=power, defender=target, order=order, mutual=mutual, calls=True, rules=("EIA 4.2",)
                )
            )
        play.points(power, -WAR, f"declared war on {play.tables.name(target)}", "EIA 4.2.1.1")
        if allied(play.state, power, target):
            breakers = tuple(one for one in (power, target) if (one, target if one == power else power) in pairs)
            break_alliance(play, power, target, breakers, "EIA 4.2.1.1")
    for minor in play.state.minors:
        attackers = tuple(power for power, target in pairs if target == minor)
        for power in attackers:
            play.emit(WarDeclared(aggressor=power, defender=minor, order=order, rules=("EIA 4.2",)))
        if attackers:
            play.emit(MinorAttacked(minority=Minority(minor, attackers), rules=("EIA 4.6",)))
