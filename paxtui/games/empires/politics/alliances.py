"""Alliances, free states and combined movement (4.5, 4.7 to 4.9); control of neutral minor countries (4.6)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.games.empires.board import allies_of, enemies_of, is_allied, is_at_war, is_bound_by_peace, relation_between
from paxtui.games.empires.calendar import month_name
from paxtui.games.empires.events.politics import (
    AllianceMade,
    FreeStateDeclared,
    MinorControlled,
    MinorControlOffered,
    MinorFleetSetUp,
    MinorRolled,
    MinorSetUp,
    MovementCombined,
    Offered,
    WarDeclared,
    WarEnded,
)
from paxtui.games.empires.orders import Action, Ally, BreakAlliance, Combine, FreeState
from paxtui.games.empires.politics import declarations
from paxtui.games.empires.politics.declarations import WAR, break_alliance, check_no_forces_hinder, next_order
from paxtui.games.empires.state import Minority, Question, State
from paxtui.games.empires.tables import Tables
from paxtui.games.empires.transaction import NO, YES, Transaction, papers_about, refuse, reveal_papers, seal_paper

ALLIANCE, COMBINED = "alliance", "combined"
POINTS = "alliance_points"
"""The cell of what an alliance brings: its chart is not public."""


def _check_alliance(state: State, power: str, other: str) -> None:
    """Raises: Refusal. Rules: EIA 4.5.1, EIA 4.5.2, EIA 4.5.3"""
    if other == power or other not in state.powers:
        refuse("no_power", f"'{other}' is not another Power.", "EIA 4.5")
    if is_allied(state, power, other):
        refuse("allied", "You are allies already.", "EIA 4.5.1")
    if is_at_war(state, power, other):
        refuse("at_war", "You are at war with each other.", "EIA 4.5.2")
    broken = relation_between(state, "broken_alliance", power, other)
    if broken is not None and state.turn <= broken.until:
        refuse("too_soon", f"The last alliance was broken: none before {month_name(broken.until + 1)}.", "EIA 4.5.3")


def offer_alliance(play: Transaction, power: str, action: Ally) -> None:
    """Offer an alliance; where it was offered to you, it is made. Raises: Refusal. Rules: EIA 4.5"""
    _check_alliance(play.state, power, action.to)
    if not _record_offer(play, ALLIANCE, power, action.to, "EIA 4.5"):
        return
    play.emit(AllianceMade(a=action.to, b=power, rules=("EIA 4.5",)))
    for one, other in ((action.to, power), (power, action.to)):
        play.points(one, play.tables.number(POINTS), f"allied with {play.tables.name(other)}", "EIA 4.5")


def _record_offer(play: Transaction, kind: str, power: str, other: str, rule: str) -> bool:
    """Offer something; whether the other side has offered it too. Raises: Refusal."""
    if (kind, power, other) in play.state.politics.offers:
        refuse("offered", "You have offered that already.", rule)
    play.emit(Offered(kind=kind, power=power, to=other, rules=(rule,)))
    return (kind, other, power) in play.state.politics.offers


def alliance_offers(tables: Tables, state: State, power: str) -> Iterator[Action]:
    """Every Power with which an alliance could be."""
    for other in state.powers:
        try:
            _check_alliance(state, power, other)
        except Refusal:
            continue
        yield Ally(other)


def end_alliance(play: Transaction, power: str, action: BreakAlliance) -> None:
    """Break an alliance; that is no declaration of war. Raises: Refusal. Rules: EIA 4.7"""
    if not is_allied(play.state, power, action.ally):
        refuse("no_alliance", f"There is no alliance with '{action.ally}'.", "EIA 4.7")
    break_alliance(play, power, action.ally, (power,), "EIA 4.7")


def break_offers(tables: Tables, state: State, power: str) -> Iterator[Action]:
    """Every alliance there is."""
    yield from (BreakAlliance(one) for one in allies_of(state, power))


def powers_with_alliances(tables: Tables, state: State) -> tuple[str, ...]:
    """Return the Powers with an alliance."""
    return tuple(one for one in state.powers if allies_of(state, one))


def declare_free_state(play: Transaction, power: str, action: FreeState) -> None:
    """Make a conquered minor country a free state, for good. Raises: Refusal. Rules: EIA 4.8"""
    minor = play.state.minors.get(action.minor)
    if minor is None or minor.controller != power:
        refuse("not_yours", f"'{action.minor}' is not a minor country of yours.", "EIA 4.8")
    if minor.status != "conquered":
        refuse("free_already", f"{play.tables.name(action.minor)} is a free state. This cannot be undone.", "EIA 4.8")
    if not has_forces(play.tables, action.minor):
        refuse("no_forces", f"{play.tables.name(action.minor)} can have no corps.", "EIA 4.8")
    play.emit(FreeStateDeclared(minor=action.minor, rules=("EIA 4.8",)))


def has_forces(tables: Tables, minor: str) -> bool:
    """Whether a minor country has corps or fleets of its own."""
    exercise = tables.exercise
    return any(one.nation == minor for one in exercise.corps) or any(one.nation == minor for one in exercise.fleets)


def free_offers(tables: Tables, state: State, power: str) -> Iterator[Action]:
    """Every conquered minor country of a Power that can be a free state."""
    for minor in state.minors.values():
        if (minor.controller, minor.status) == (power, "conquered") and has_forces(tables, minor.id):
            yield FreeState(minor.id)


def powers_with_conquests(tables: Tables, state: State) -> tuple[str, ...]:
    """Return the Powers that can make a free state."""
    return tuple(one for one in state.powers if any(True for _ in free_offers(tables, state, one)))


def offer_combined_movement(play: Transaction, power: str, action: Combine) -> None:
    """Offer to move together; where it was offered to you, it is so for this month. Raises: Refusal. Rules: EIA 4.9"""
    if not is_allied(play.state, power, action.to):
        refuse("no_alliance", "Only allies move together.", "EIA 4.9")
    if _record_offer(play, COMBINED, power, action.to, "EIA 4.9"):
        groups = (group for group in play.state.combined if set(group) & {power, action.to})
        members = {power, action.to}.union(*groups)
        powers = tuple(one for one in play.state.powers if one in members)
        play.emit(MovementCombined(powers=powers, rules=("EIA 4.9",)))


def combine_offers(tables: Tables, state: State, power: str) -> Iterator[Action]:
    """Every ally with whom one does not move together yet."""
    for one in allies_of(state, power):
        if not any({power, one} <= set(group) for group in state.combined):
            yield Combine(one)


RUN, SET_UP = "run_minor", "set_up"
DOMINANT, AT_WAR = 1, 2
"""Modifiers of the die for a minor country. Rules: EIA 4.6.2.2, EIA 4.6.2.3"""


def select_controller(play: Transaction, one: Minority) -> None:
    """Ask the next Power whether it would run the country, or roll among those who would.

    Rules: EIA 4.6, EIA 4.6.2
    """
    asked = eligible_powers(play.tables, play.state, one)
    left = [power for power in asked if power not in one.asked]
    if left:
        play.ask(RUN, left[0], (YES, NO), one.minor, rules=("EIA 4.6.2",))
        return
    if not one.willing:
        play.emit(MinorControlOffered(minority=replace(one, settled=True), rules=("EIA 4.6",)))
        return
    power = _roll_controller(play, one)
    status = "free" if has_forces(play.tables, one.minor) else "conquered"
    play.emit(MinorControlled(minor=one.minor, power=power, status=status, rules=("EIA 4.6.3.1",)))
    districts = play.state.minors[one.minor].districts
    name = play.tables.name(one.minor)
    play.points(power, districts, f"runs {name}", "EIA 4.6.3.1")
    for attacker in one.attackers:
        play.points(attacker, -districts, f"declared war on {name}", "EIA 4.2.1.2")
    play.emit(MinorControlOffered(minority=replace(one, settled=True), rules=("EIA 4.6",)))


def eligible_powers(tables: Tables, state: State, one: Minority) -> tuple[str, ...]:
    """Return the Powers to ask: those not at war with the country; allies of its attackers only if no other is willing.

    Rules: EIA 4.6
    """
    order = tuple(power for power in tables.sequence.minors if power in state.powers)
    free = tuple(power for power in order if power not in one.attackers)
    friends = tuple(power for power in free if any(is_allied(state, power, foe) for foe in one.attackers))
    others = tuple(power for power in free if power not in friends)
    return others if one.willing or set(others) - set(one.asked) else others + friends


def answer_control(play: Transaction, question: Question, choice: str) -> None:
    """A Power would run the country, or would not."""
    one = next(each for each in play.state.politics.minors if each.minor == question.about[0])
    willing = (*one.willing, question.power) if choice == YES else one.willing
    changed = replace(one, asked=(*one.asked, question.power), willing=willing)
    play.emit(MinorControlOffered(minority=changed, rules=("EIA 4.6.2",)))


def control_modifier(tables: Tables, state: State, power: str, one: Minority) -> int:
    """What a Power adds to its die. Rules: EIA 4.6.2.1, EIA 4.6.2.2, EIA 4.6.2.3"""
    national = tables.exercise.modifiers.get(one.minor, {}).get(power, 0)
    status = DOMINANT if power in tables.exercise.dominant else 0
    war = AT_WAR if set(enemies_of(state, power)) & set(one.attackers) else 0
    return national + status + war


def _roll_controller(play: Transaction, one: Minority) -> str:
    """The highest modified die; ties by unmodified dice. Rules: EIA 4.6.2"""
    dice = {power: play.roll() for power in one.willing}
    totals = {power: die + control_modifier(play.tables, play.state, power, one) for power, die in dice.items()}
    rules = ("EIA 4.6.2", "EIA 4.6.2.1", "EIA 4.6.2.2", "EIA 4.6.2.3")
    play.emit(MinorRolled(minor=one.minor, dice=dice, totals=totals, rules=rules))
    best = tuple(power for power in one.willing if totals[power] == max(totals.values()))
    return declarations.roll_order(play, best, f"who runs {play.tables.name(one.minor)}", "EIA 4.6.2")[0]


def set_up_minor(play: Transaction) -> bool:
    """Ask where to place the next corps or fleet of a new free state. Returns: whether a question is open.

    Rules: EIA 4.6.3.2, EIA 4.6.3.3, EIA 4.6.3.4, EIA 4.6.3.5
    """
    fresh = {one.minor for one in play.state.politics.minors if one.settled}
    for power in play.tables.sequence.minors:
        for corps in play.state.corps.values():
            if corps.nation in fresh and corps.power == power and not corps.where:
                areas = tuple(area.id for area in play.tables.areas.values() if area.owner == corps.nation)
                play.ask(SET_UP, power, areas, corps.id, rules=("EIA 4.6.3.2", "EIA 4.6.3.4"))
                return True
        for fleet in play.state.fleets.values():
            if fleet.nation in fresh and fleet.power == power and not fleet.where:
                ports = [area for area in play.tables.areas.values() if area.owner == fleet.nation and area.port]
                places = (place for area in ports for place in (area.id, area.coast) if place)
                play.ask(SET_UP, power, tuple(dict.fromkeys(places)), fleet.id, rules=("EIA 4.6.3.2", "EIA 4.6.3.5"))
                return True
    return False


def answer_set_up(play: Transaction, question: Question, choice: str) -> None:
    """A corps or a fleet of the country is where its Power wants it. Rules: EIA 4.6.3.4, EIA 4.6.3.5"""
    if question.about[0] in play.state.fleets:
        box = "port" if play.tables.areas[choice].port else ""
        play.emit(MinorFleetSetUp(fleet=question.about[0], where=choice, box=box, rules=("EIA 4.6.3.5",)))
        return
    play.emit(MinorSetUp(corps=question.about[0], where=choice, rules=("EIA 4.6.3.4",)))


STAND, BACK_DOWN, SUPPORT = "stand", "back_down", "support"
NO_SUPPORT = "none"
BACKING = "backing_down"


def settle_attackers(play: Transaction, one: Minority) -> None:
    """The next thing about a country whose controller is settled. Rules: EIA 4.6.4, EIA 4.6.4.1"""
    if len(one.attackers) > 1 and not one.answered:
        forced = _attackers_forced_back(play, one)
        if forced:
            _back_down(play, one, forced)
            return
    papers = {paper.power for paper in papers_about(play.state, f"{BACKING}:{one.minor}")}
    left = [power for power in one.attackers if power not in papers and power not in one.answered]
    if len(one.attackers) > 1 and left:
        play.ask(STAND, left[0], (STAND, BACK_DOWN), one.minor, rules=("EIA 4.6.4",), secret=True)
        return
    if papers:
        found = reveal_papers(play, f"{BACKING}:{one.minor}", "EIA 4.6.4")
        _back_down(play, replace(one, answered=one.attackers), tuple(p.power for p in found if p.words == (BACK_DOWN,)))
        return
    if len(one.attackers) > 1:
        _declare_mutual_wars(play, one)
    controller = play.state.minors[one.minor].controller
    foes = [power for power in one.attackers if controller and not is_at_war(play.state, controller, power)]
    foes = [power for power in foes if not _is_barred(play, controller, power)]
    play.emit(MinorControlOffered(minority=replace(one, over=True), rules=("EIA 4.6.4.1",)))
    if foes:
        sets = (group for size in range(len(foes) + 1) for group in combinations(foes, size))
        choices = tuple("+".join(group) or NO_SUPPORT for group in sets)
        play.ask(SUPPORT, controller, choices, one.minor, rules=("EIA 4.6.5",))


def _is_barred(play: Transaction, power: str, other: str) -> bool:
    """Whether a Power may not declare war on another now. Rules: EIA 4.2.2"""
    if is_bound_by_peace(play.state, power, other):
        return True
    try:
        check_no_forces_hinder(play.tables, play.state, power, other)
    except Refusal:
        return True
    return False


def _attackers_forced_back(play: Transaction, one: Minority) -> tuple[str, ...]:
    """Attackers who must back down, since they may not declare war on another one. Rules: EIA 4.6.4"""
    return tuple(
        power
        for power in one.attackers
        if any(
            other != power and not is_at_war(play.state, power, other) and _is_barred(play, power, other)
            for other in one.attackers
        )
    )


def _back_down(play: Transaction, one: Minority, powers: tuple[str, ...]) -> None:
    """Some attackers leave the country alone; what it cost them is lost. Rules: EIA 4.6.4"""
    for power in powers:
        play.emit(WarEnded(a=power, b=one.minor, how="backed down", rules=("EIA 4.6.4",)))
    left = tuple(power for power in one.attackers if power not in powers)
    answered = one.answered and tuple(power for power in one.answered if power in left)
    play.emit(MinorControlOffered(minority=replace(one, attackers=left, answered=answered), rules=("EIA 4.6.4",)))


def _declare_mutual_wars(play: Transaction, one: Minority) -> None:
    """Those who stand are at war with each other, for the price of one war each.

    Rules: EIA 4.6.4.2, EIA 4.6.4.2.1, EIA 4.6.4.2.2, EIA 4.6.4.2.3
    """
    order = next_order(play.state)
    declared: list[str] = []
    for at, a in enumerate(one.attackers):
        for b in one.attackers[at + 1 :]:
            if is_at_war(play.state, a, b):
                continue
            declared += (a, b)
            rules = ("EIA 4.6.4.2",)
            play.emit(WarDeclared(aggressor=a, defender=b, order=order, mutual=True, rules=rules))
            if is_allied(play.state, a, b):
                break_alliance(play, a, b, (a, b), "EIA 4.6.4.2.2")
    for power in dict.fromkeys(declared):
        play.points(power, -WAR, f"war over {play.tables.name(one.minor)}", "EIA 4.6.4.2.1")


def answer_stand(play: Transaction, question: Question, choice: str) -> None:
    """An attacker has written down whether it backs down."""
    seal_paper(play, question.power, f"{BACKING}:{question.about[0]}", (choice,), "EIA 4.6.4")


def answer_support(play: Transaction, question: Question, choice: str) -> None:
    """The controller declares war on attackers, all for the price of one. Rules: EIA 4.6.5, EIA 4.6.5.1"""
    if choice == NO_SUPPORT:
        return
    power, order = question.power, next_order(play.state)
    for foe in choice.split("+"):
        play.emit(WarDeclared(aggressor=power, defender=foe, order=order, rules=("EIA 4.6.5",)))
        if is_allied(play.state, power, foe):
            break_alliance(play, power, foe, (power,), "EIA 4.6.5.1")
    play.points(power, -WAR, f"stood by {play.tables.name(question.about[0])}", "EIA 4.6.5.1")
