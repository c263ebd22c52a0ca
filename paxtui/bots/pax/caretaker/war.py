"""Rules 1 to 4 and 9 to 11: War on Minor Powers, calls and duties, Congress votes, disputes, and orders in War.

Orders in War come from `paxtui.games.pax.war.automatic_orders`, as if the seat's forces had no commander.

Rules: CON-043, CON-044, CON-045, ETI-036, ORD-005, ORD-006, ORD-007, ORD-008, ORD-009, ORD-010, ORD-011, ORD-012,
ORD-037 to ORD-045, ORD-047, ORD-048 (R-ORD-03, R-ORD-04, R-ORD-05, R-ORD-06, R-ORD-07, R-ORD-16, R-ORD-25)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from msgspec.structs import replace

from paxtui.bots.pax.caretaker.forces import UnitPurchase, cheapest_purchase, points_needed
from paxtui.bots.pax.caretaker.planner import Planner, brings_great_war
from paxtui.bots.pax.valuation import free_units
from paxtui.engine.bots import BotAction
from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.notation import format_for_seat, format_order
from paxtui.games.pax.board.routes import linked_areas
from paxtui.games.pax.board.status import area_state, established, level, powers_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.casus_belli import MARKER_CAUSES
from paxtui.games.pax.clauses.alliances import COALING
from paxtui.games.pax.diplomacy.disputes import area_dispute
from paxtui.games.pax.events import events
from paxtui.games.pax.expansion.garrisons import INDIAN, KEPT_ARMIES, WESTERN, india_zone, is_heavy, western_zone
from paxtui.games.pax.expansion.placement import best_compatible_marker
from paxtui.games.pax.state.diplomacy import IN_FORCE, CasusBelli
from paxtui.games.pax.state.model import State, all_units, units_at
from paxtui.games.pax.state.pieces import ARMY, CONTROL, LEVEL, NAVAL
from paxtui.games.pax.state.questions import Call, EndWaiver, JoinAttack, Pending
from paxtui.games.pax.state.war import War
from paxtui.games.pax.text.display import place_name, power_name
from paxtui.games.pax.transaction import DryRun, GameOver, Transaction, default_answer
from paxtui.games.pax.treaties import breaches
from paxtui.games.pax.war import automatic_orders, command, declarations
from paxtui.games.pax.war.alliances import active_wars, current_war, new_war
from paxtui.games.pax.war.calls import REFUSE
from paxtui.games.pax.war.campaign import battle, supply_lines
from paxtui.games.pax.war.campaign.maneuver import reachable_places
from paxtui.games.pax.war.command import is_fighting_alone
from paxtui.games.pax.war.outcome.ends import GO_ON

RICH_AREA_VALUE = 5
"""Printed Economic Value in pounds of an Area that makes a Minor Power worth a War."""


class WarForces(NamedTuple):
    """Strength points of armies and of fleets."""

    armies: int
    fleets: int


def arm_for_war(planner: Planner) -> None:
    """In the Movement/Status Change Phase: buy what a War on a Minor Power asks for; all of it, or nothing.

    Rules: ORD-009, ORD-010, ORD-048
    """
    for foe in minor_enemies(planner):
        if not _is_declaration_safe(planner, foe.against):
            continue
        lack = lacking_forces(planner.tables, planner.state, planner.power, foe.against)
        if lack != (0, 0):
            planner.add_all_or_none(partial(_buy_forces, planner, lack, foe.against))


def declare_minor_wars(planner: Planner) -> None:
    """In the Negotiation Phase: declare War on the Minor Powers over which the 3 to 2 is there.

    Rules: ORD-005, ORD-006, ORD-009, ORD-048, ETI-036
    """
    for foe in minor_enemies(planner):
        if lacking_forces(planner.tables, planner.state, planner.power, foe.against) != (0, 0):
            continue
        power = "" if planner.power == planner.seat else planner.power
        war = actions.DeclareWar((foe.against,), (foe.id,), power)
        if not brings_great_war(planner.tables, planner.state, planner.seat, war):
            planner.do(war, f"Rule 4: War on {power_name(planner.tables, foe.against)}, with 3 to 2 in every arm")


def minor_enemies(planner: Planner) -> list[CasusBelli]:
    """A Casus Belli against each Minor Power that has a prize within reach. Rules: ORD-009 (R-ORD-05)."""
    found: dict[str, CasusBelli] = {}
    for cause in declarations.usable_causes(planner.tables, planner.state, planner.power):
        if cause.against in planner.state.minors and any(
            minor_prizes(planner.tables, planner.state, planner.power, cause.against)
        ):
            found.setdefault(cause.against, cause)
    return list(found.values())


def minor_prizes(tables: Tables, state: State, power: str, minor: str) -> Iterator[str]:
    """Areas of value under a Minor Power's Control that the Power's forces can reach by link or by coal.

    Rules: ORD-009
    """
    held = [
        area
        for area, here in state.areas.items()
        if tables.areas[area].value >= RICH_AREA_VALUE
        and any(m.power == minor and m.established and m.marker in CONTROL for m in here.markers)
    ]
    if not held:
        return
    linked = linked_areas(tables, state, power)
    coaled = reachable_places(tables, state, new_war(state, power, (minor,), ()), power)
    yield from (area for area in held if area in linked or area in coaled)


def lacking_forces(tables: Tables, state: State, power: str, minor: str) -> WarForces:
    """Strength points that the Power lacks for 3 to 2 over the armies and over the fleets of a Minor Power.

    A kind that it has none of is left out.

    Rules: ORD-010 (R-ORD-03)
    """
    own, theirs = war_forces(tables, state, power), war_forces(tables, state, minor)
    return WarForces(*(max(0, points_needed(b) - a) if b else 0 for a, b in zip(own, theirs, strict=True)))


def war_forces(tables: Tables, state: State, power: str) -> WarForces:
    """Strength points of a Power that can take part in a War: all but what a special garrison keeps."""
    units = [u for u in all_units(state) if u.power == power]
    zone = india_zone(tables, state) if power == INDIAN else western_zone(tables) if power == WESTERN else ()
    bound = sum(is_heavy(u, power) for place in zone for u in units_at(state, place))
    armies = sum(u.strength for u in units if u.kind == ARMY) - 10 * min(KEPT_ARMIES, bound)
    return WarForces(armies, sum(u.strength for u in units if u.kind == NAVAL))


def _buy_forces(planner: Planner, lack: WarForces, minor: str) -> bool:
    """Buy armies and fleets, the cheapest sets; both or neither, and with what is left below the Great War."""
    why = f"Rule 4: 3 to 2 over {power_name(planner.tables, minor)}"
    armies = cheapest_purchase(
        planner.tables, free_units(planner.tables, planner.state, planner.power), ARMY, lack.armies
    )
    if armies is None or not planner.build(armies.strengths, why):
        return False
    fleets = cheapest_purchase(
        planner.tables, free_units(planner.tables, planner.state, planner.power), NAVAL, lack.fleets
    )
    if fleets is None or not _build_fleets(planner, fleets, why):
        return False
    return planner.state.tension + declarations.DECLARATION_TENSION < 100


def _build_fleets(planner: Planner, fleets: UnitPurchase, why: str) -> bool:
    return not fleets.strengths or planner.do(actions.Build(tuple(f"N{s}" for s in fleets.strengths)), why)


def _is_declaration_safe(planner: Planner, minor: str) -> bool:
    """Whether a declaration, were it made now, would leave the game going. Rules: ORD-005, ORD-006."""
    trial = DryRun(planner.tables, planner.state)
    try:
        declarations.queue_declaration(trial, planner.power, (minor,), ())
    except GameOver:
        return False
    return True


def war_orders(
    tables: Tables, state: State, seat: str, act: Callable[[Transaction, War], object] = automatic_orders.act_for_engine
) -> list[BotAction]:
    """What a seat does in the present Phase of a War; at last it passes.

    Args: the tables, the position, the seat; how forces without a commander act.

    A neutral closes nothing and grants no coal but what a Treaty promises.

    Rules: ORD-007, ORD-012, ORD-037 to ORD-045 (Decision 60)
    """
    war = current_war(state)
    given = [*promised_coaling(tables, state, seat), *(_orders_by(act, tables, state, seat, war) if war else ())]
    return [
        *given,
        BotAction("pass", "Rule 4: it keeps out of the Wars of others; Rule 9: its forces hold their ground"),
    ]


def promised_coaling(tables: Tables, state: State, seat: str) -> Iterator[BotAction]:
    """Volunteer the Areas that a neutral's treaties promise for coaling: rule 2 comes before neutrality (rule 4).

    Rules: ORD-004, ORD-007, ORD-012 (Decision 60)
    """
    for war in active_wars(state):
        for power in powers_of(tables, state, seat):
            promised: dict[int, str] = {}
            for treaty in state.treaties:
                for n, clause in enumerate(treaty.clauses if treaty.stage == IN_FORCE else ()):
                    side = war.side_of(clause.to) if clause.kind == COALING.id and clause.power == power else 0
                    if side and breaches.is_awake(state, treaty, n):
                        promised.setdefault(side, clause.to)
            for area, side in supply_lines.coaling_offers(tables, state, war, power):
                if side in promised:
                    order = actions.Volunteer(area, promised[side], "" if power == seat else power)
                    yield BotAction(format_for_seat(tables, order, seat), "Rule 2: a Treaty promises coal")


def _orders_by(
    act: Callable[[Transaction, War], object], tables: Tables, state: State, seat: str, war: War
) -> Iterator[BotAction]:
    """The orders that `act` would give to the seat's forces, if nobody gave them any."""
    mine = powers_of(tables, state, seat)
    if not any(war.side_of(power) and war.side_of(power) == war.turn_of for power in mine):
        return
    trial = DryRun(tables, _without_commands(state))
    try:
        act(trial, war)
    except (Refusal, GameOver):
        return
    for event in trial.events:
        if isinstance(event, events.UnitsMoved) and event.power in mine:
            own = "" if event.power == seat else event.power
            move = actions.Move(event.units, event.path, event.coast, own, event.start_coast)
            where = place_name(tables, event.path[-1])
            yield BotAction(
                format_for_seat(tables, move, seat), f"Rules 9 to 11: to {where}, where its forces are wanted"
            )
        elif isinstance(event, events.BattleFought):
            for power in event.attackers:
                if power in mine:
                    attack = actions.Attack(event.place, event.kind == NAVAL, "" if power == seat else power)
                    odds = f"Rule 9b: {event.attack} against {event.defend} in {place_name(tables, event.place)}"
                    yield BotAction(format_order(tables, attack), odds)
                    break


def _without_commands(state: State) -> State:
    """The position as if nobody commanded any forces."""
    return replace(state, abandoned=state.players)


def answer_war_question(tables: Tables, state: State, choice: Pending) -> BotAction:
    """The answer to a question of a War: an attack is joined at 3 to 2; else what the rules take for granted.

    Rules: ORD-038
    """
    words, why = default_answer(choice), "Rule 9: what the rules take for granted"
    war, about = current_war(state), choice.about
    if isinstance(about, EndWaiver) and is_fighting_alone(tables, state, choice.power, about.war):
        words, why = (GO_ON,), "Rule 9: alone, it fights on to victory, defeat or Stalemate"
    if war and isinstance(about, JoinAttack):
        alone = _without_commands(state)
        if command.is_too_weak(tables, alone, war, choice.power, choice.area, about.unit_kind, about.aside):
            words, why = (battle.DECLINE,), "Rule 9b: the attack has less than 3 to 2"
    return bot_answer(choice, words, why)


def answer_call(planner: Planner, choice: Pending, call: Call) -> BotAction:
    """Come when a Treaty calls, unless that is the Great War and staying away is not.

    Rules: ORD-005, ORD-006, ORD-007, CON-043 (R-ORD-16)
    """
    name = power_name(planner.tables, call.partner)
    join = default_answer(choice)[0]
    if _only_first_is_great_war(planner, choice, join, REFUSE):
        return bot_answer(choice, (REFUSE,), f"Rule 1: to come to the aid of {name} would start the Great War")
    return bot_answer(choice, (join,), f"Rule 2: the Treaty with {name} is honoured")


def answer_duty(planner: Planner, choice: Pending) -> BotAction:
    """Do what a Treaty asks for, unless that is the Great War and breaking it is not.

    Rules: ORD-005, ORD-006, ORD-007 (R-ORD-16)
    """
    if _only_first_is_great_war(planner, choice, "keep", "break"):
        return bot_answer(choice, ("break",), "Rule 1: what the Treaty asks for would start the Great War")
    return bot_answer(choice, ("keep",), "Rule 2: the Treaty is honoured")


def _only_first_is_great_war(planner: Planner, choice: Pending, *words: str) -> bool:
    """Whether the first of two answers brings the Great War, and the second does not."""
    answers = (actions.Choose(choice.id, (word,)) for word in words)
    first, second = (brings_great_war(planner.tables, planner.state, planner.seat, answer) for answer in answers)
    return first and not second


def cast_vote(choice: Pending) -> BotAction:
    """Abstain, and sign what the others adopt. Rules: ORD-008, ORD-047, CON-044."""
    return bot_answer(choice, ("abstain", "sign"), "Rule 3: it has no vote of its own, and signs what is adopted")


def bot_answer(choice: Pending, words: Sequence[str], why: str) -> BotAction:
    """The act that answers a question."""
    return BotAction(f"choose {choice.id} {' '.join(words)}".strip(), why)


def yield_disputes(planner: Planner) -> None:
    """Lower the Power's marker in every dispute that is still its own to settle.

    What has come before a Congress is left to it.

    Rules: ORD-011, ORD-048, CON-045
    """
    for area in disputed_areas(planner.state, planner.power):
        own = established(planner.state, area, planner.power)
        if own is None or not _is_dispute_open(planner.state, area, planner.power):
            continue
        to = best_compatible_marker(planner.state, area, planner.power)
        if level(own) <= LEVEL[to]:
            continue
        why = f"Rule 4: no War over {place_name(planner.tables, area)}, its own marker goes down"
        planner.do(actions.Downgrade(to, area) if to else actions.Withdraw(own.marker, area), why)


def disputed_areas(state: State, power: str) -> tuple[str, ...]:
    """Areas over which markers of the Power and of another dispute, in the order of the causes."""
    causes = (c for c in state.casus_belli if c.area and c.cause in MARKER_CAUSES and power in (c.holder, c.against))
    return tuple(dict.fromkeys(cause.area for cause in causes))


def _is_dispute_open(state: State, area: str, power: str) -> bool:
    """Whether the dispute is there, and before no Congress of this turn."""
    found = area_dispute(state, area)
    if found is None or not any(power in (c.holder, c.against) for c in found.causes):
        return False
    called = state.congress
    before_it = called is not None and called.turn == state.turn and not called.outcome
    return bool(area_state(state, area).markers) and not before_it
