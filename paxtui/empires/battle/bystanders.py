"""Others who stand where an attack is declared: who joins the defence, and who leaves the area.

Rules: EIA 7.3.8
"""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.empires.battle.declaring import declare, field_counters
from paxtui.empires.battle.outcome import distance_to, retreat_areas
from paxtui.empires.history.attack_events import AttackDeclared, AttacksDeclared
from paxtui.empires.history.battle_events import JoinRefused, Retreated
from paxtui.empires.play.play import Play
from paxtui.empires.play.standing import allied, at_war
from paxtui.empires.politics.declaring import check, go_to_war
from paxtui.empires.state.campaign import Attack
from paxtui.empires.state.model import State
from paxtui.empires.state.questions import Question
from paxtui.empires.supply.lines import sources
from paxtui.empires.tables.tables import Tables
from paxtui.engine.refusal import Refusal

JOIN = "join_defence"
"""What a Power is asked beside whom an ally is attacked."""

LEAVE_AREA = "leave_area"
"""What a Power is asked whose counters take no part in an attack: into which adjacent area they go."""

YES, NO = "yes", "no"


def run(play: Play) -> bool:
    """Declare the attacks of a sequence once, and settle who takes part; whether somebody is asked now.

    Rules: EIA 7.3.8.2 to 7.3.8.7
    """
    if play.state.campaign.declared:
        return False
    if not play.state.campaign.attacks:
        declare(play)
    for attack in play.state.campaign.attacks:
        for power in joiners(play.tables, play.state, attack):
            play.ask(JOIN, power, (NO, YES), attack.area, rules=("EIA 7.3.8.3",))
            return True
    for attack in play.state.campaign.attacks:
        if _clear(play, attack):
            return True
    play.emit(AttacksDeclared(rules=("EIA 7.3.8.7",)))
    return False


def joiners(tables: Tables, state: State, attack: Attack) -> tuple[str, ...]:
    """Powers with a field force beside an attacked ally that may still declare war on the attackers.

    Rules: EIA 7.3.8.3
    """
    return tuple(
        power
        for power in state.powers
        if power not in (*attack.attackers, *attack.defenders)
        and (power, attack.area) not in state.campaign.aside
        and field_counters(state, power, attack.area)
        and any(allied(state, power, one) for one in attack.defenders)
        and all(at_war(state, power, one) or _may_declare(tables, state, power, one) for one in attack.attackers)
    )


def _may_declare(tables: Tables, state: State, power: str, target: str) -> bool:
    """Whether a Power may declare war on another now. Rules: EIA 4.2.2"""
    try:
        check(tables, state, power, target)
    except Refusal:
        return False
    return True


def joined(play: Play, question: Question, choice: str) -> None:
    """A Power declares war and defends, or stands aside. Rules: EIA 7.3.8.3"""
    area = question.about[0]
    if choice != YES:
        play.emit(JoinRefused(power=question.power, area=area, rules=("EIA 7.3.8.3",)))
        return
    attack = next(one for one in play.state.campaign.attacks if one.area == area)
    for one in attack.attackers:
        if not at_war(play.state, question.power, one):
            go_to_war(play, question.power, one, "EIA 7.3.8.3")
    more = replace(attack, defenders=(*attack.defenders, question.power))
    play.emit(AttackDeclared(attack=more, rules=("EIA 7.3.8.3",)))


def _clear(play: Play, attack: Attack) -> bool:
    """Let each Power that takes no part leave the area, attackers' allies who are not at war with all defenders too.

    Returns: whether a Power is asked now where its counters go.
    Rules: EIA 7.3.8.4, 7.3.8.6, 7.3.8.7
    """
    area = attack.area
    for power in play.state.powers:
        own = field_counters(play.state, power, area)
        taking_part = power in attack.defenders or (
            power in attack.attackers and all(at_war(play.state, power, one) for one in attack.defenders)
        )
        if not own or taking_part:
            continue
        choices = _ways_out(play.tables, play.state, power, area)
        if len(choices) > 1:
            play.ask(LEAVE_AREA, power, choices, area, rules=("EIA 7.3.8.4", "EIA 7.3.8.6"))
            return True
        if choices:
            _leave(play, power, area, choices[0])
    return False


def _ways_out(tables: Tables, state: State, power: str, area: str) -> tuple[str, ...]:
    """Return the adjacent areas to which a Power may leave: if possible, those not farther from its supply sources.

    Rules: EIA 7.3.8.4
    """
    near = retreat_areas(tables, state, power, area)
    towards = [distance_to(tables, state, power, one, sources(tables, state, power)) for one in (area, *near)]
    closer = tuple(one for one, far in zip(near, towards[1:], strict=True) if far <= towards[0])
    return closer or near


def _leave(play: Play, power: str, area: str, to: str) -> None:
    for one in field_counters(play.state, power, area):
        play.emit(Retreated(corps=one.id, to=to, rules=("EIA 7.3.8.4", "EIA 7.3.8.6")))


def area_left(play: Play, question: Question, choice: str) -> None:
    """Move the counters of a Power out of an area to the one that it chose. Rules: EIA 7.3.8.4, 7.3.8.6"""
    _leave(play, question.power, question.about[0], choice)
