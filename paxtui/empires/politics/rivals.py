"""Several attackers of one minor country, and the Power that comes to its help (4.6.4, 4.6.5)."""

from __future__ import annotations

from itertools import combinations

from msgspec.structs import replace

from paxtui.empires.history.politics_events import MinorAsked, WarDeclared, WarEnded
from paxtui.empires.play.asking import papers_about, reveal, seal
from paxtui.empires.play.play import Play
from paxtui.empires.play.standing import allied, at_war, bound
from paxtui.empires.politics.declaring import WAR, break_alliance, hinders, next_order
from paxtui.empires.state.politics import Minority
from paxtui.empires.state.questions import Question
from paxtui.engine.refusal import Refusal

STAND, BACK_DOWN, SUPPORT = "stand", "back_down", "support"
NONE = "none"
BACKING = "backing_down"


def compete(play: Play, one: Minority) -> None:
    """The next thing about a country whose controller is settled. Rules: EIA 4.6.4, EIA 4.6.4.1"""
    if len(one.attackers) > 1 and not one.answered:
        forced = _forced(play, one)
        if forced:
            _back_down(play, one, forced)
            return
    papers = {paper.power for paper in papers_about(play.state, f"{BACKING}:{one.minor}")}
    left = [power for power in one.attackers if power not in papers and power not in one.answered]
    if len(one.attackers) > 1 and left:
        play.ask(STAND, left[0], (STAND, BACK_DOWN), one.minor, rules=("EIA 4.6.4",), secret=True)
        return
    if papers:
        found = reveal(play, f"{BACKING}:{one.minor}", "EIA 4.6.4")
        _back_down(play, replace(one, answered=one.attackers), tuple(p.power for p in found if p.words == (BACK_DOWN,)))
        return
    if len(one.attackers) > 1:
        _against_each_other(play, one)
    controller = play.state.minors[one.minor].controller
    foes = [power for power in one.attackers if controller and not at_war(play.state, controller, power)]
    foes = [power for power in foes if not _barred(play, controller, power)]
    play.emit(MinorAsked(minority=replace(one, over=True), rules=("EIA 4.6.4.1",)))
    if foes:
        sets = (group for size in range(len(foes) + 1) for group in combinations(foes, size))
        choices = tuple("+".join(group) or NONE for group in sets)
        play.ask(SUPPORT, controller, choices, one.minor, rules=("EIA 4.6.5",))


def _barred(play: Play, power: str, other: str) -> bool:
    """Whether a Power may not declare war on another now. Rules: EIA 4.2.2"""
    if bound(play.state, power, other):
        return True
    try:
        hinders(play.tables, play.state, power, other)
    except Refusal:
        return True
    return False


def _forced(play: Play, one: Minority) -> tuple[str, ...]:
    """Attackers who must back down, since they may not declare war on another one. Rules: EIA 4.6.4"""
    return tuple(
        power
        for power in one.attackers
        if any(
            other != power and not at_war(play.state, power, other) and _barred(play, power, other)
            for other in one.attackers
        )
    )


def _back_down(play: Play, one: Minority, powers: tuple[str, ...]) -> None:
    """Some attackers leave the country alone; what it cost them is lost. Rules: EIA 4.6.4"""
    for power in powers:
        play.emit(WarEnded(a=power, b=one.minor, how="backed down", rules=("EIA 4.6.4",)))
    left = tuple(power for power in one.attackers if power not in powers)
    answered = one.answered and tuple(power for power in one.answered if power in left)
    play.emit(MinorAsked(minority=replace(one, attackers=left, answered=answered), rules=("EIA 4.6.4",)))


def _against_each_other(play: Play, one: Minority) -> None:
    """Those who stand are at war with each other, for the price of one war each.

    Rules: EIA 4.6.4.2, EIA 4.6.4.2.1, EIA 4.6.4.2.2, EIA 4.6.4.2.3
    """
    order = next_order(play.state)
    declared: list[str] = []
    for at, a in enumerate(one.attackers):
        for b in one.attackers[at + 1 :]:
            if at_war(play.state, a, b):
                continue
            declared += (a, b)
            rules = ("EIA 4.6.4.2",)
            play.emit(WarDeclared(aggressor=a, defender=b, order=order, mutual=True, rules=rules))
            if allied(play.state, a, b):
                break_alliance(play, a, b, (a, b), "EIA 4.6.4.2.2")
    for power in dict.fromkeys(declared):
        play.points(power, -WAR, f"war over {play.tables.name(one.minor)}", "EIA 4.6.4.2.1")


def take_stand(play: Play, question: Question, choice: str) -> None:
    """An attacker has written down whether it backs down."""
    seal(play, question.power, f"{BACKING}:{question.about[0]}", (choice,), "EIA 4.6.4")


def take_support(play: Play, question: Question, choice: str) -> None:
    """The controller declares war on attackers, all for the price of one. Rules: EIA 4.6.5, EIA 4.6.5.1"""
    if choice == NONE:
        return
    power, order = question.power, next_order(play.state)
    for foe in choice.split("+"):
        play.emit(WarDeclared(aggressor=power, defender=foe, order=order, rules=("EIA 4.6.5",)))
        if allied(play.state, power, foe):
            break_alliance(play, power, foe, (power,), "EIA 4.6.5.1")
    play.points(power, -WAR, f"stood by {play.tables.name(question.about[0])}", "EIA 4.6.5.1")
