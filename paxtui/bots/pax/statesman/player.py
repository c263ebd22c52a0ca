"""Statesman bot: entry points for actions, answers and replies.

Deterministic: position, seat, character and seed fix the result. Uses only what the seat can see.
Questions that the statesman does not evaluate are answered by the General Orders.
"""

from __future__ import annotations

from collections.abc import Sequence

from paxtui.bots.pax.caretaker import forces, general_orders, spending
from paxtui.bots.pax.caretaker.planner import Planner
from paxtui.bots.pax.caretaker.war import bot_answer
from paxtui.bots.pax.profiles import Character
from paxtui.bots.pax.statesman import armies, congress, expansion, threats, treaties, war
from paxtui.bots.pax.statesman.evaluation import FIRST_GREAT_WAR_TURN, PositionValuation
from paxtui.bots.pax.valuation import colonial_odds
from paxtui.engine.bots import BotAction
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.status import powers_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.state import questions
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import LEVEL
from paxtui.games.pax.state.questions import Pending, WarQuestion
from paxtui.games.pax.text.display import place_name

MIN_FIGHT_CHANCE = 0.45
"""Minimum chance to win for an optional fight."""


def answer_question(valuation: PositionValuation, planner: Planner, choice: Pending) -> BotAction:
    """Choose the answer to a pending question."""
    about = choice.about
    if isinstance(about, questions.FightOrDecline):
        return _answer_fight(planner, choice)
    if isinstance(about, questions.MoneyOffer | questions.MarkerOffer | questions.ShareOffer):
        return congress.answer_dispute(valuation, planner, choice)
    if isinstance(about, questions.Deficit):
        return _answer_deficit(valuation, planner, choice, about)
    if isinstance(about, questions.Duty):
        return treaties.answer_duty(valuation, planner, choice, about)
    if isinstance(
        about,
        questions.Ballot
        | questions.Signature
        | questions.Attend
        | questions.Invite
        | questions.Tie
        | questions.Propose,
    ):
        return congress.answer_congress(valuation, planner, choice)
    if isinstance(about, WarQuestion | questions.Call | questions.Defiance):
        return war.answer_war_question(valuation, planner, choice)
    return general_orders.answer_question(planner, choice)


def _answer_fight(planner: Planner, choice: Pending) -> BotAction:
    strength = planner.tables.areas[choice.area].strength
    chance = colonial_odds(planner.tables, armies.armies_in(planner, choice.area), strength).win
    word = "fight" if chance >= MIN_FIGHT_CHANCE else "decline"
    name = place_name(planner.tables, choice.area)
    return bot_answer(choice, (f"{word} {choice.area}",), f"A chance of {chance:.0%} to win {name}")


def _answer_deficit(
    valuation: PositionValuation, planner: Planner, choice: Pending, deficit: questions.Deficit
) -> BotAction:
    """Choose what to give up in a deficit: the set with the lowest cost by the end of the game."""
    # (pounds saved, Armies near India) -> (pounds lost by the end, pieces)
    best: dict[tuple[int, int], tuple[float, tuple[str, ...]]] = {(0, 0): (0.0, ())}
    options = [option for option in choice.options if isinstance(option, str)]
    for text in sorted(options):
        what, area = text.split()
        saved, near = deficit.saves[text], int(text in deficit.near_india)
        if LEVEL.get(what, 0):
            lost = max(0.0, valuation.marker_value(planner.state, area, what)) + valuation.tension_cost(
                planner.state, LEVEL[what]
            )
        else:
            lost = planner.tables.units[int(what[1:])].army * 0.7
        for (pounds, used), (pain, pieces) in list(best.items()):
            key = pounds + saved, used + near
            if key[0] <= deficit.exactly and key[1] <= deficit.of_india:
                more = pain + lost, (*pieces, text)
                best[key] = min(more, best.get(key, more))
    found = [set_ for (pounds, _), set_ in best.items() if pounds == deficit.exactly]
    if not found:
        return general_orders.answer_question(planner, choice)
    return bot_answer(choice, min(found)[1], "A deficit: what is missed least is given up")


READY = BotAction("ready", "Nothing more is worth its price")


def choose_statesman_actions(
    tables: Tables, state: State, seat: str, character: Character, seed: str | int, last: bool = False
) -> list[BotAction]:
    """Choose the actions of a seat, in the order in which to try them.

    Pending questions come first, then the actions of the Phase. The caller skips actions that are rejected.

    Args:
        tables: the tables of the game.
        state: the position as the seat sees it.
        seat: the seat.
        character: level and temper.
        seed: seed of the bot's preferences.
        last: whether this is the final call in a Phase in which the seat has acted.

    Returns:
        The actions; empty if there is nothing to do.
    """
    if state.result is not None:
        return []
    given: list[BotAction] = []
    for choice in state.choices:
        if choice.seat == seat:
            valuation, planner = _valuation_and_planner(tables, state, seat, choice.power or seat, character, str(seed))
            given.append(answer_question(valuation, planner, choice))
    if given:
        return given
    if state.phase == "movement":
        return movement_actions(tables, state, seat, character, str(seed))
    if state.phase == "negotiation":
        return (final_negotiation_actions if last else negotiation_actions)(tables, state, seat, character, str(seed))
    if state.phase == "war":
        return war.statesman_war_orders(*_valuation_and_planner(tables, state, seat, seat, character, str(seed)))
    return []


def movement_actions(tables: Tables, state: State, seat: str, character: Character, seed: str) -> list[BotAction]:
    """Choose the actions of the Movement/Status Change Phase for each Power of the seat."""
    acts: list[BotAction] = []
    for power in powers_of(tables, state, seat):
        valuation, planner = _valuation_and_planner(tables, state, seat, power, character, seed)
        treaties.renounce_treaties(valuation, planner)
        spending.rebuild_garrisons(planner)
        expansion.place_and_move_fleets(valuation, planner)
        spending.meet_event_demands(planner)
        armies.recall_armies(planner)
        armies.garrison_areas(planner)
        armies.reinforce_new_control(valuation, planner)
        planner.state = treaties.state_without_debts(valuation, planner.state, power)
        armies.suppress_revolts(valuation, planner)
        expansion.buy_expansion(valuation, planner)
        forces.place_indian_army(planner)
        armies.lighten_garrisons(valuation, planner)
        planner.do(actions.Garrison(), "Garrisons as the rules demand them")  # refused if none is missing
        acts, state = [*acts, *planner.acts], planner.state
    fix = BotAction("garrison", "Garrisons as the rules demand them")
    return [*acts, READY, fix, READY]


def negotiation_actions(tables: Tables, state: State, seat: str, character: Character, seed: str) -> list[BotAction]:
    """Choose the actions of the Negotiation Phase for each Power of the seat."""
    acts: list[BotAction] = []
    for power in powers_of(tables, state, seat):
        valuation, planner = _valuation_and_planner(tables, state, seat, power, character, seed)
        threatened = threats.threaten(valuation, planner)
        congress.settle_disputes(valuation, planner)
        treaties.offer_treaties(valuation, planner, threatened)
        acts, state = [*acts, *planner.acts], planner.state
    return [*acts, READY]


def final_negotiation_actions(
    tables: Tables, state: State, seat: str, character: Character, seed: str
) -> list[BotAction]:
    """Choose the actions after negotiations end: War or a Congress over what is unsettled."""
    acts: list[BotAction] = []
    for power in powers_of(tables, state, seat):
        valuation, planner = _valuation_and_planner(tables, state, seat, power, character, seed)
        treaties.renounce_treaties(valuation, planner)
        ways = (war.declare_war, congress.call_congress)
        for way in (
            reversed(ways) if valuation.wants_great_war else ways
        ):  # nobody is to blame for a Congress that fails
            if not planner.acts:
                way(valuation, planner)
        acts, state = [*acts, *planner.acts], planner.state
    return [*acts, READY]


def statesman_replies(
    tables: Tables, state: State, seat: str, character: Character, seed: str, writers: Sequence[str]
) -> list[BotAction]:
    """Answer pending drafts and messages from other seats. Arguments as `choose_statesman_actions`."""
    if state.result is not None:
        return []
    acts: list[BotAction] = []
    for power in powers_of(tables, state, seat):
        valuation, planner = _valuation_and_planner(tables, state, seat, power, character, seed)
        treaties.answer_drafts(valuation, planner)
        if character.bargaining_share:
            treaties.return_to_first_terms(valuation, planner)
        words = treaties.answer_letters(valuation, planner, writers) if power == seat else []
        acts, state = [*acts, *planner.acts, *words], planner.state
    return acts


def _valuation_and_planner(
    tables: Tables, state: State, seat: str, power: str, character: Character, seed: str
) -> tuple[PositionValuation, Planner]:
    """Build the valuation and the planner of a Power."""
    valuation, planner = (
        PositionValuation(tables, state, power, character, seed),
        Planner(tables, state, seat, power, seed),
    )
    planner.may_end_game = lambda: state.turn >= FIRST_GREAT_WAR_TURN and valuation.may_gain_by_end
    return valuation, planner
