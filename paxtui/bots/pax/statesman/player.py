"""The door: what a statesman does now at its seat, and why.

Deterministic: the same position, seat, character and seed give the same acts. It sees what its seat sees.

The answer to every question: what the statesman has a view on, and for the rest what the General Orders say.
"""

from __future__ import annotations

from collections.abc import Sequence

from paxtui.bots.pax.caretaker import forces, general_orders, spending
from paxtui.bots.pax.caretaker.planner import Planner
from paxtui.bots.pax.caretaker.war import bot_answer
from paxtui.bots.pax.profiles import BotAction, Character
from paxtui.bots.pax.statesman import armies, congress, expansion, treaties, war
from paxtui.bots.pax.statesman.evaluation import PositionValuation
from paxtui.bots.pax.valuation import ArmyForce
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.status import powers_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.state import questions
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import LEVEL
from paxtui.games.pax.state.questions import Pending, WarQuestion
from paxtui.games.pax.text.display import place_name

EVEN = 0.45
"""Chance to win below which an army that stands ready does not fight."""


def answer_question(outlook: PositionValuation, desk: Planner, choice: Pending) -> BotAction:
    """The answer to a question."""
    about = choice.about
    if isinstance(about, questions.FightOrDecline):
        return _answer_fight(desk, choice)
    if isinstance(about, questions.MoneyOffer | questions.MarkerOffer | questions.ShareOffer):
        return congress.answer_dispute(outlook, desk, choice)
    if isinstance(about, questions.Deficit):
        return _answer_deficit(outlook, desk, choice, about)
    if isinstance(about, questions.Duty):
        return treaties.answer_duty(outlook, desk, choice, about)
    if isinstance(
        about,
        questions.Ballot
        | questions.Signature
        | questions.Attend
        | questions.Invite
        | questions.Tie
        | questions.Propose,
    ):
        return congress.answer_congress(outlook, desk, choice)
    if isinstance(about, WarQuestion | questions.Call | questions.Defiance):
        return war.answer_war_question(outlook, desk, choice)
    return general_orders.answer_question(desk, choice)


def _answer_fight(desk: Planner, choice: Pending) -> BotAction:
    """Fight where the odds are not bad."""
    chance = (
        ArmyForce(armies.armies_in(desk, choice.area)).odds(desk.tables, desk.tables.areas[choice.area].strength).win
    )
    word = "fight" if chance >= EVEN else "decline"
    name = place_name(desk.tables, choice.area)
    return bot_answer(actions.Choose(choice.id, (f"{word} {choice.area}",)), f"A chance of {chance:.0%} to win {name}")


def _answer_deficit(
    outlook: PositionValuation, desk: Planner, choice: Pending, deficit: questions.Deficit
) -> BotAction:
    """What is given up in a deficit: the set that costs least by the end of the game."""
    # (pounds saved, Armies near India) -> pounds lost by the end, and the pieces
    best: dict[tuple[int, int], tuple[float, tuple[str, ...]]] = {(0, 0): (0.0, ())}
    options = [option for option in choice.options if isinstance(option, str)]
    for text in sorted(options):
        what, area = text.split()
        saved, near = deficit.saves[text], int(text in deficit.near_india)
        if LEVEL.get(what, 0):
            lost = max(0.0, outlook.worth(desk.state, area, what)) + outlook.tension(desk.state, LEVEL[what])
        else:
            lost = desk.tables.units[int(what[1:])].army * 0.7
        for (pounds, used), (pain, pieces) in list(best.items()):
            key = pounds + saved, used + near
            if key[0] <= deficit.exactly and key[1] <= deficit.of_india:
                more = pain + lost, (*pieces, text)
                best[key] = min(more, best.get(key, more))
    found = [set_ for (pounds, _), set_ in best.items() if pounds == deficit.exactly]
    if not found:
        return general_orders.answer_question(desk, choice)
    return bot_answer(actions.Choose(choice.id, min(found)[1]), "A deficit: what is missed least is given up")


READY = BotAction("ready", "Nothing more is worth its price")


def choose_statesman_actions(
    tables: Tables, state: State, seat: str, who: Character, seed: str | int, last: bool = False
) -> list[BotAction]:
    """What the seat does now, to be tried in turn; what is refused is left out.

    Args: the tables; the position as the seat knows it; the seat; level and temper; the seed of its taste; whether this
        is its last word in a Phase in which it has moved.
    Returns: questions are answered first; else the acts of the Phase. Empty where there is nothing to do.
    """
    if state.result is not None:
        return []
    given: list[BotAction] = []
    for choice in state.choices:
        if choice.seat == seat:
            outlook, desk = _outlook_and_planner(tables, state, seat, choice.power or seat, who, str(seed))
            given.append(answer_question(outlook, desk, choice))
    if given:
        return given
    if state.phase == "movement":
        return movement_actions(tables, state, seat, who, str(seed))
    if state.phase == "negotiation":
        return (final_negotiation_actions if last else negotiation_actions)(tables, state, seat, who, str(seed))
    if state.phase == "war":
        return war.statesman_war_orders(*_outlook_and_planner(tables, state, seat, seat, who, str(seed)))
    return []


def movement_actions(tables: Tables, state: State, seat: str, who: Character, seed: str) -> list[BotAction]:
    """The Movement/Status Change Phase of each Power of the seat."""
    acts: list[BotAction] = []
    for power in powers_of(tables, state, seat):
        outlook, desk = _outlook_and_planner(tables, state, seat, power, who, seed)
        spending.rebuild_garrisons(desk)
        expansion.place_and_move_fleets(outlook, desk)
        spending.meet_event_demands(desk)
        armies.recall_armies(desk)
        armies.garrison_areas(desk)
        armies.reinforce_new_control(outlook, desk)
        desk.state = treaties.state_without_debts(outlook, desk.state, power)
        armies.suppress_revolts(outlook, desk)
        expansion.buy_expansion(outlook, desk)
        forces.place_indian_army(desk)
        armies.lighten_garrisons(outlook, desk)
        acts, state = [*acts, *desk.acts], desk.state
    fix = BotAction("garrison", "Garrisons as the rules demand them")
    return [*acts, READY, fix, READY]


def negotiation_actions(tables: Tables, state: State, seat: str, who: Character, seed: str) -> list[BotAction]:
    """The Negotiation Phase of each Power of the seat."""
    acts: list[BotAction] = []
    for power in powers_of(tables, state, seat):
        outlook, desk = _outlook_and_planner(tables, state, seat, power, who, seed)
        congress.settle_disputes(outlook, desk)
        treaties.offer_treaties(outlook, desk)
        acts, state = [*acts, *desk.acts], desk.state
    return [*acts, READY]


def final_negotiation_actions(tables: Tables, state: State, seat: str, who: Character, seed: str) -> list[BotAction]:
    """What follows when talks have come to their end: War, or a Congress, over what they have not settled."""
    acts: list[BotAction] = []
    for power in powers_of(tables, state, seat):
        outlook, desk = _outlook_and_planner(tables, state, seat, power, who, seed)
        war.declare_war(outlook, desk)
        if not desk.acts:
            congress.call_congress(outlook, desk)
        acts, state = [*acts, *desk.acts], desk.state
    return [*acts, READY]


def statesman_replies(
    tables: Tables, state: State, seat: str, who: Character, seed: str, writers: Sequence[str]
) -> list[BotAction]:
    """What the seat says to the drafts before it, and to seats that have written to it. Args: as `choose_acts`."""
    if state.result is not None:
        return []
    acts: list[BotAction] = []
    for power in powers_of(tables, state, seat):
        outlook, desk = _outlook_and_planner(tables, state, seat, power, who, seed)
        treaties.answer_drafts(outlook, desk)
        words = treaties.answer_letters(outlook, desk, writers) if power == seat else []
        acts, state = [*acts, *desk.acts, *words], desk.state
    return acts


def _outlook_and_planner(
    tables: Tables, state: State, seat: str, power: str, who: Character, seed: str
) -> tuple[PositionValuation, Planner]:
    """The judgement and the paper of a Power."""
    return PositionValuation(tables, state, power, who, seed), Planner(tables, state, seat, power, seed)
