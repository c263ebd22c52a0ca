"""Command of forces in War: abandoned seats, shared command, neutral commanders, and General Order 9.

General Order 9 binds every commander of an abandoned Power, seat or engine. A Unit out of supply moves toward supply.
Attacks need odds of 3 to 2. No Controlled Area loses its last Army. The module also finds paths for Units in War, and
gives the default answers of Powers without a player
(Decision 60).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import NamedTuple

from msgspec.structs import replace

from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.adjacency import board
from paxtui.games.pax.board.caching import CacheKey, cached
from paxtui.games.pax.board.status import controls, is_abandoned, seat_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.events import events
from paxtui.games.pax.state.model import State, units_at
from paxtui.games.pax.state.pieces import ARMY, NAVAL, Unit
from paxtui.games.pax.state.questions import (
    DECLARATION_QUESTIONS,
    Call,
    Command,
    Defence,
    EndWaiver,
    JoinAttack,
    Pending,
)
from paxtui.games.pax.state.war import ALLIANCES, Consent, War
from paxtui.games.pax.text.display import place_name, power_name, powers_text
from paxtui.games.pax.transaction import (
    ActTable,
    AnswerTexts,
    DryRun,
    GameOver,
    Transaction,
    default_answer,
    record_choice,
    refuse,
    single_answer,
)
from paxtui.games.pax.war import alliances, calls, declarations
from paxtui.games.pax.war.alliances import DECLARED, ally_seats, commanders, current_war, great_allies
from paxtui.games.pax.war.campaign import battle, maneuver, supply_lines, war_adjacency
from paxtui.games.pax.war.campaign.maneuver import enterable_areas, lasting_army_steps, open_steps, step_bar
from paxtui.games.pax.war.campaign.war_adjacency import StepBar, WarStep
from paxtui.games.pax.war.outcome import ends

ENGINE_COMMAND = "engine"
"""Answer that leaves a Minor Power to the engine."""
ATTACK_ODDS = (3, 2)
"""Minimum odds of attackers to defenders for an attack (ORD-038)."""
_DICE = "general orders"
"""Seed of the dice of a dry run; their results are not used."""


def set_abandoned(play: Transaction, action: actions.Abandon) -> None:
    """Mark seats as abandoned, or as played again.

    Raises: Refusal `unknown_seat`, `abandoned_already`, `has_player`.
    Rules: ORD-001, ORD-036
    """
    state = play.state
    for seat in action.seats:
        if seat not in state.players:
            refuse("unknown_seat", (), f"There is no seat {seat!r}. The seats are {', '.join(state.players)}.")
    new = tuple(s for s in state.players if s in action.seats and (s in state.abandoned) == action.lifted)
    if not new:
        names = powers_text(play.tables, action.seats)
        are = "are" if len(action.seats) > 1 else "is"
        if action.lifted:
            refuse("has_player", ("ORD-001",), f"{names} {are} not abandoned.")
        refuse("abandoned_already", ("ORD-001",), f"{names} {are} already abandoned.")
    play.emit(events.SeatsAbandoned(seats=new, lifted=action.lifted, rules=("ORD-001", "ORD-036")))


def check_command(play: Transaction, seat: str, power: str) -> None:
    """Check that a seat may command the forces of a Power in the current War.

    The own seat of an abandoned Power may not.

    Raises: Refusal `abandoned`.
    Rules: ORD-036
    """
    war = current_war(play.state)
    if war is None or not is_abandoned(play.tables, play.state, power):
        return
    seats = commanders(play.tables, play.state, war, power)
    if seat not in seats:
        name = power_name(play.tables, power)
        commanders_text = powers_text(play.tables, seats) if seats else "the General Orders alone"
        refuse("abandoned", ("ORD-036",), f"{name} is abandoned. Its forces are commanded by {commanders_text}.")


def move_text(units: tuple[str, ...], start: str, end: str, coast: str) -> str:
    """Return the canonical text of a move, the same for each wording of the order."""
    side = f" ({coast})" if coast else ""
    return f"move {' '.join(sorted(units))} {start} > {end}{side}"


def missing_consents(war: War, seats: tuple[str, ...], order: str) -> tuple[str, ...]:
    """Return the seats that have still to give an order, by its text; all of them if none has given it.

    An order that all have given is already carried out. The same text given again means another identical Unit.
    """
    given = {seat: war.consents.count(Consent(seat, order)) for seat in seats}
    done = min(given.values(), default=0)
    return tuple(seat for seat in seats if given[seat] == done)


def record_consent(play: Transaction, war: War, seat: str, power: str, order: str) -> bool:
    """Record that a seat gives an order for a Power; return whether all its commanders have given it.

    Raises: Refusal `consented`.
    Rules: WMV-031, WCB-008 (R-WMV-13)
    """
    seats = commanders(play.tables, play.state, war, power)
    if len(seats) < 2:
        return True
    waited = missing_consents(war, seats, order)
    if seat not in waited:
        names = powers_text(play.tables, waited)
        refuse(
            "consented",
            ("WMV-031",),
            f"You have already given that order. {names} must give it too.",
            missing=list(waited),
        )
    play.emit(events.ConsentGiven(war=war.id, minor=power, seat=seat, order=order, rules=("WMV-031",)))
    rest = tuple(s for s in waited if s != seat)
    if rest:
        play.add_note(
            "consent_missing",
            f"{power_name(play.tables, power)} does it once {powers_text(play.tables, rest)} gives the order too.",
            ("WMV-031",),
            power=power,
        )
    return not rest


def ask_for_commander(play: Transaction) -> bool:
    """Ask who commands the next Minor Power without an ally; return whether a question is open.

    Covers the Wars that are about to be fought.

    Rules: WAR-058 (R-WAR-09)
    """
    if not play.state.options.neutral_command:
        return False
    for war in alliances.active_wars(play.state):
        if war.kind not in DECLARED or war.stage != ALLIANCES:
            continue
        for minor in war.powers:
            alone = minor in play.state.minors and not great_allies(play.state, war, minor)
            if alone and minor not in war.voted and neutral_seats(play.tables, play.state, war):
                return _ask_next_player(play, war, Command(war=war.id, minor=minor))
    return False


def neutral_seats(tables: Tables, state: State, war: War) -> tuple[str, ...]:
    """Return the played seats without a Power in a War. Rules: WAR-058."""
    inside = {seat_of(tables, state, p) for p in war.powers if p in state.powers}
    return tuple(s for s in state.players if s not in inside and s not in state.abandoned)


def _ask_next_player(play: Transaction, war: War, about: Command) -> bool:
    """Ask the next player; return whether there is one."""
    voters = [s for s in play.state.players if s not in play.state.abandoned and s not in about.asked]
    if not voters:
        return False
    name = power_name(play.tables, about.minor)
    named = f" Named so far, and by all: {power_name(play.tables, about.named)}." if about.named else ""
    play.offer(
        voters[0],
        about,
        (*neutral_seats(play.tables, play.state, war), ENGINE_COMMAND),
        ENGINE_COMMAND,
        "",
        f"{name} fights without an ally. Which neutral shall command it? All have to name the same, or the engine "
        f"does.{named}",
        ("WAR-058",),
    )
    return True


def answer_commander(play: Transaction, choice: Pending, about: Command, words: tuple[str, ...]) -> None:
    """Name a neutral seat as commander, or leave the Minor Power to the engine; the last answer decides.

    Rules: WAR-058 (R-WAR-09)
    """
    answer = single_answer(choice, words)
    war = next(w for w in play.state.wars if w.id == about.war)
    if answer == ENGINE_COMMAND or about.named not in ("", answer):
        answer = ""
    elif _ask_next_player(
        play, war, Command(war=war.id, minor=about.minor, named=answer, asked=(*about.asked, choice.seat))
    ):
        return
    play.emit(events.CommandGiven(war=war.id, minor=about.minor, seat=answer, rules=("WAR-058", "WAR-021")))


class WarPath(NamedTuple):
    """The distance to a place in steps, and the first step of a shortest path to it."""

    far: int
    first: WarStep


def find_paths(tables: Tables, state: State, war: War, unit: Unit, place: str) -> dict[WarStep, WarPath]:
    """Return each place that a Unit can reach, with its path.

    The first step is one that the Unit can take now. Later steps are barred only by lasting obstacles: closed land, and
    waters without Merchant Fleets or coal.

    Rules: WMV-006, ORD-040 (R-ORD-12)
    """
    beyond = _next_steps(tables, state, war, unit.power, unit.kind)
    known = {step: WarPath(1, step) for step in open_steps(tables, state, war, unit, place)}
    todo = list(known)
    for here in todo:  # the list grows during the loop: nearest places first
        far, first = known[here].far + 1, known[here].first
        for step in beyond(here):
            if step not in known and step.place != place:
                known[step] = WarPath(far, first)
                todo.append(step)
    return known


def _next_steps_key(tables: Tables, state: State, war: War, power: str, kind: str) -> CacheKey:
    ways = war_adjacency.neighbouring_seas(tables, state, war, power), enterable_areas(tables, state, war)
    by_sea = supply_lines.coaling_zones(tables, state, war, power) if kind == NAVAL else state.sea_zones
    return (power, kind), (tables, board(tables, state), *ways, by_sea, war.alliances)


@cached(most=32, by=_next_steps_key)
def _next_steps(
    tables: Tables, state: State, war: War, power: str, kind: str
) -> Callable[[WarStep], tuple[WarStep, ...]]:
    """Return a function that finds the steps of Units of a kind beyond their first one; all of the Power share it."""
    if kind == NAVAL:
        return cache(partial(_fleet_steps, tables, state, war, power))
    steps = lasting_army_steps(tables, state, war, power, enterable_areas(tables, state, war))
    return cache(lambda here: tuple(WarStep(place) for place in steps(here.place)))


def _fleet_steps(tables: Tables, state: State, war: War, power: str, here: WarStep) -> tuple[WarStep, ...]:
    fleet = Unit(power, NAVAL, 1, here.coast)
    steps = war_adjacency.naval_steps(tables, state, war, fleet, here.place)
    return tuple(step for step in steps if step_bar(tables, state, war, fleet, here.place, step) is None)


def path_to_supply(tables: Tables, state: State, war: War, unit: Unit, place: str) -> WarPath | None:
    """Return the path of a Unit to the nearest place where it would be in supply, or None.

    Rules: ORD-037 (R-ORD-11)
    """
    ahead = find_paths(tables, state, war, unit, place)
    supplied = (way for step, way in ahead.items() if supply_lines.is_supplied_at(tables, state, war, unit, step))
    return next(supplied, None)


def has_attack_odds(attack: int, defend: int) -> bool:
    """Return whether attackers have the odds of General Order 9b. Arguments in strength points. Rules: ORD-038."""
    return attack * ATTACK_ODDS[1] >= defend * ATTACK_ODDS[0]


def is_last_of_garrison(state: State, unit: Unit, place: str) -> bool:
    """Return whether an Army Unit is the last one of its Power in an Area that the Power Controls. Rules: ORD-039."""
    if unit.kind != ARMY or place not in state.areas or not controls(state, place, unit.power):
        return False
    return sum(u.power == unit.power and u.kind == ARMY for u in units_at(state, place)) == 1


def is_out_of_supply(tables: Tables, state: State, war: War, unit: Unit, place: str) -> bool:
    """Return whether a Unit has lost its supply.

    A Unit that never had supply since its War began has not lost it.

    Rules: ORD-037, SUP-031 (R-SUP-13)
    """
    if f"{unit.power} {place}" in war.unsupplied:
        return False
    return not supply_lines.is_supplied_at(tables, state, war, unit, WarStep(place, unit.coast))


def general_order_bar(tables: Tables, state: State, war: War, unit: Unit, start: str, step: WarStep) -> StepBar | None:
    """Return why General Order 9 forbids a step to a Unit of an abandoned Power; None if it is allowed.

    Rules: ORD-037, ORD-039, ORD-046 (R-ORD-11)
    """
    if not is_abandoned(tables, state, unit.power):
        return None
    name = power_name(tables, unit.power)
    if is_last_of_garrison(state, unit, start):
        where = place_name(tables, start)
        return StepBar(
            "last_garrison", ("ORD-039", "ORD-046"), f"The last Army of abandoned {name} must stay in {where}."
        )
    if is_out_of_supply(tables, state, war, unit, start) and _leads_away(tables, state, war, unit, start, step):
        return StepBar(
            "away_from_supply",
            ("ORD-037", "ORD-046"),
            f"Units of abandoned {name} that are out of supply must move toward supply.",
        )
    return None


def _leads_away(tables: Tables, state: State, war: War, unit: Unit, start: str, step: WarStep) -> bool:
    """Return whether a step takes a Unit farther from its nearest place in supply."""
    here = path_to_supply(tables, state, war, unit, start)
    if here is None or supply_lines.is_supplied_at(tables, state, war, unit, step):
        return False
    lying = unit if unit.kind == ARMY else Unit(unit.power, unit.kind, unit.strength, step.coast)
    there = path_to_supply(tables, state, war, lying, step.place)
    return there is None or there.far > here.far


def order_move(play: Transaction, power: str, action: actions.Move) -> None:
    """Move Units one step; for an abandoned Power, within General Order 9.

    Raises: Refusal `last_garrison`, `away_from_supply`, or as the move itself.
    Rules: ORD-037, ORD-039, ORD-046
    """
    war = current_war(play.state)
    if war and is_abandoned(play.tables, play.state, power):
        trial = DryRun(play.tables, play.state)
        for name in action.units:
            before = trial.state
            maneuver.move_units(trial, power, replace(action, units=(name,)))
            moved = next(e for e in reversed(trial.events) if isinstance(e, events.UnitsMoved))
            unit = next(u for u in units_at(before, moved.path[0]) if _is_moved(u, moved))
            found = general_order_bar(
                play.tables, before, war, unit, moved.path[0], WarStep(moved.path[-1], moved.coast)
            )
            if found:
                refuse(*found)
    maneuver.move_units(play, power, action)


def _is_moved(unit: Unit, moved: events.UnitsMoved) -> bool:
    about = (moved.power, moved.units[0], moved.start_coast, False)
    return (unit.power, unit.name, unit.coast, unit.halted) == about


def order_attack(play: Transaction, power: str, action: actions.Attack) -> None:
    """Attack in a place; an abandoned Power needs odds of 3 to 2.

    All Units that could join the attack count.

    Raises: Refusal `below_odds`, or as the attack itself.
    Rules: ORD-038, ORD-046
    """
    war = current_war(play.state)
    kind = NAVAL if action.naval else ARMY
    battle.begin_attack(DryRun(play.tables, play.state), power, action)  # general obstacles come first
    if war:
        _check_odds(play, war, power, action.place, kind, ())
    battle.begin_attack(play, power, action)


def answer_join_order(play: Transaction, choice: Pending, about: JoinAttack, words: tuple[str, ...]) -> None:
    """Join an ally's attack or stand aside, within General Order 9 for an abandoned Power.

    Raises: Refusal `below_odds`, or as the answer itself.
    Rules: ORD-038, ORD-046, WCB-006
    """
    war = current_war(play.state)
    if war and words[:1] == (battle.JOIN_ATTACK,):
        _check_odds(play, war, choice.power, choice.area, about.unit_kind, about.aside)
    battle.answer_join(play, choice, about, words)


def is_too_weak(
    tables: Tables, state: State, war: War, power: str, place: str, kind: str, absent: tuple[str, ...] = ()
) -> bool:
    """Return whether General Order 9 forbids an abandoned Power to attack in a place. Rules: ORD-038, ORD-046."""
    return is_abandoned(tables, state, power) and not has_attack_odds(
        *battle.combat_strengths(tables, state, war, place, kind, absent)
    )


def _check_odds(play: Transaction, war: War, power: str, place: str, kind: str, absent: tuple[str, ...]) -> None:
    if is_too_weak(play.tables, play.state, war, power, place, kind, absent):
        own, enemy = battle.combat_strengths(play.tables, play.state, war, place, kind, absent)
        name = power_name(play.tables, power)
        refuse(
            "below_odds",
            ("ORD-038", "ORD-046"),
            f"Abandoned {name} attacks only at {ATTACK_ODDS[0]} to {ATTACK_ODDS[1]} or better. Here it is "
            f"{own} to {enemy}.",
        )


def standing_answer(tables: Tables, state: State, choice: Pending) -> AnswerTexts:
    """Return the default answer to a question; for an abandoned Power, the answer of the General Orders.

    Rules: ORD-005, ORD-006, ORD-007, ORD-038, ORD-046, WEN-031 (Decision 60)
    """
    if not is_abandoned(tables, state, choice.power):
        return default_answer(choice)
    about = choice.about
    if isinstance(about, Call | Defence):
        return _answer_to_call(tables, state, choice)
    if isinstance(about, EndWaiver) and is_fighting_alone(tables, state, choice.power, about.war):
        return (ends.GO_ON,)
    war = current_war(state)
    if isinstance(about, JoinAttack) and war is not None:
        if is_too_weak(tables, state, war, choice.power, choice.area, about.unit_kind, about.aside):
            return (battle.DECLINE,)
    return default_answer(choice)


def is_fighting_alone(tables: Tables, state: State, power: str, war_id: str) -> bool:
    """Return whether no Great Power with a player is allied with a Power in a War. Rules: ORD-036 (R-ORD-25)."""
    war = state.war(war_id)
    return war is not None and not ally_seats(tables, state, war, power)


def _answer_to_call(tables: Tables, state: State, choice: Pending) -> AnswerTexts:
    """Join when called, unless joining causes the Great War and staying away does not."""
    join, refuse = default_answer(choice), (calls.REFUSE,)
    if ends_game(tables, state, choice, join) and not ends_game(tables, state, choice, refuse):
        return refuse
    return join


def ends_game(tables: Tables, state: State, choice: Pending, answer: AnswerTexts) -> bool:
    """Return whether an answer to a call ends the game once all Powers called with it or by it have joined.

    Rules: ORD-005, ORD-006
    """
    trial = Transaction(tables, state, Dice(_DICE))
    try:
        _take_answer(trial, choice, answer)
        while other := next((c for c in trial.state.choices if isinstance(c.about, DECLARATION_QUESTIONS)), None):
            _take_answer(trial, other, default_answer(other))
    except GameOver:
        return True
    except Refusal:
        return False
    return False


def _take_answer(trial: Transaction, choice: Pending, answer: AnswerTexts) -> None:
    record_choice(trial, choice, answer)
    if isinstance(choice.about, Call):
        declarations.answer_call(trial, choice, choice.about, answer)
    elif isinstance(choice.about, Defence):
        declarations.answer_defender(trial, choice, choice.about, answer)
    else:
        declarations.process_queue(trial)


ACTS: ActTable = {
    actions.Move: {"war": order_move},
    actions.Attack: {"war": order_attack},
}
