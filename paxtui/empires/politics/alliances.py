"""Alliances made and broken, free states, and allies who move together (4.5, 4.7 to 4.9)."""

from __future__ import annotations

from collections.abc import Iterator

from paxtui.empires.history.politics_events import AllianceMade, FreeStateDeclared, MovementCombined, Offered
from paxtui.empires.orders.action import Action
from paxtui.empires.orders.actions_politics import Ally, BreakAlliance, Combine, FreeState
from paxtui.empires.play.play import Play, refuse
from paxtui.empires.play.standing import allied, allies, at_war, relation
from paxtui.empires.politics.declaring import break_alliance
from paxtui.empires.state.model import State
from paxtui.empires.tables.tables import Tables
from paxtui.empires.time.calendar import month
from paxtui.engine.refusal import Refusal

ALLIANCE, COMBINED = "alliance", "combined"
POINTS = "alliance_points"
"""The cell of what an alliance brings: its chart is not public."""


def _can_ally(state: State, power: str, other: str) -> None:
    """Raises: Refusal. Rules: EIA 4.5.1, EIA 4.5.2, EIA 4.5.3"""
    if other == power or other not in state.powers:
        refuse("no_power", f"'{other}' is no other Power.", "EIA 4.5")
    if allied(state, power, other):
        refuse("allied", "You are allies already.", "EIA 4.5.1")
    if at_war(state, power, other):
        refuse("at_war", "You are at war with each other.", "EIA 4.5.2")
    broken = relation(state, "broken_alliance", power, other)
    if broken is not None and state.turn <= broken.until:
        refuse("too_soon", f"The last alliance was broken: none before {month(broken.until + 1)}.", "EIA 4.5.3")


def ally(play: Play, power: str, action: Ally) -> None:
    """Offer an alliance; where it was offered to you, it is made. Raises: Refusal. Rules: EIA 4.5"""
    _can_ally(play.state, power, action.to)
    if not _meet(play, ALLIANCE, power, action.to, "EIA 4.5"):
        return
    play.emit(AllianceMade(a=action.to, b=power, rules=("EIA 4.5",)))
    for one, other in ((action.to, power), (power, action.to)):
        play.points(one, play.tables.number(POINTS), f"allied with {play.tables.name(other)}", "EIA 4.5")


def _meet(play: Play, kind: str, power: str, other: str, rule: str) -> bool:
    """Offer something; whether the other side has offered it too. Raises: Refusal."""
    if (kind, power, other) in play.state.politics.offers:
        refuse("offered", "You have offered that already.", rule)
    play.emit(Offered(kind=kind, power=power, to=other, rules=(rule,)))
    return (kind, other, power) in play.state.politics.offers


def alliance_offers(tables: Tables, state: State, power: str) -> Iterator[Action]:
    """Every Power with which an alliance could be."""
    for other in state.powers:
        try:
            _can_ally(state, power, other)
        except Refusal:
            continue
        yield Ally(other)


def break_(play: Play, power: str, action: BreakAlliance) -> None:
    """Break an alliance; that is no declaration of war. Raises: Refusal. Rules: EIA 4.7"""
    if not allied(play.state, power, action.ally):
        refuse("no_alliance", f"There is no alliance with '{action.ally}'.", "EIA 4.7")
    break_alliance(play, power, action.ally, (power,), "EIA 4.7")


def break_offers(tables: Tables, state: State, power: str) -> Iterator[Action]:
    """Every alliance there is."""
    yield from (BreakAlliance(one) for one in allies(state, power))


def breakers(tables: Tables, state: State) -> tuple[str, ...]:
    """Whoever has an alliance."""
    return tuple(one for one in state.powers if allies(state, one))


def free(play: Play, power: str, action: FreeState) -> None:
    """Make a conquered minor country a free state, for good. Raises: Refusal. Rules: EIA 4.8"""
    minor = play.state.minors.get(action.minor)
    if minor is None or minor.controller != power:
        refuse("not_yours", f"'{action.minor}' is no minor country of yours.", "EIA 4.8")
    if minor.status != "conquered":
        refuse("free_already", f"{play.tables.name(action.minor)} is a free state; there is no way back.", "EIA 4.8")
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


def liberators(tables: Tables, state: State) -> tuple[str, ...]:
    """Whoever could make a free state."""
    return tuple(one for one in state.powers if any(True for _ in free_offers(tables, state, one)))


def combine(play: Play, power: str, action: Combine) -> None:
    """Offer to move together; where it was offered to you, it is so for this month. Raises: Refusal. Rules: EIA 4.9"""
    if not allied(play.state, power, action.to):
        refuse("no_alliance", "Only allies move together.", "EIA 4.9")
    if _meet(play, COMBINED, power, action.to, "EIA 4.9"):
        groups = (group for group in play.state.combined if set(group) & {power, action.to})
        members = {power, action.to}.union(*groups)
        powers = tuple(one for one in play.state.powers if one in members)
        play.emit(MovementCombined(powers=powers, rules=("EIA 4.9",)))


def combine_offers(tables: Tables, state: State, power: str) -> Iterator[Action]:
    """Every ally with whom one does not move together yet."""
    for one in allies(state, power):
        if not any({power, one} <= set(group) for group in state.combined):
            yield Combine(one)
