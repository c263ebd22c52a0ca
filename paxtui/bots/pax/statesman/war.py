"""Wars of the statesman bot: declaration, orders, peace, spoils, allies and Chinese Rebellions.

Decisions come from simulations on copies of the position, with dice of their own: statesmen command all forces, and
each Power takes the most valuable spoils. A War must pay by two sets of dice, the second to confirm the best one.
In a Rebellion, Armies leave home until twice the strength of China is on its way, gather and attack together.

Rules: REB-009, REB-016, REB-035, REB-037, ETI-022, ETI-023
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from itertools import islice
from math import inf, log
from typing import NamedTuple

from msgspec.structs import replace

from paxtui.bots.pax.caretaker import general_orders, war
from paxtui.bots.pax.caretaker.planner import Planner
from paxtui.bots.pax.caretaker.war import bot_answer
from paxtui.bots.pax.prediction import MIN_SPREAD, predict_results, usual_error
from paxtui.bots.pax.profiles import character_of
from paxtui.bots.pax.statesman import campaign, evaluation
from paxtui.bots.pax.statesman.evaluation import PositionValuation
from paxtui.bots.pax.statesman.great_war import EARLY_TENSIONS, act_that_wins, is_early
from paxtui.bots.pax.statesman.treaty_values import ASSUMED_CHARACTER, LEADER_CHANCE, PowerRelations
from paxtui.engine.bots import BotAction
from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal
from paxtui.games.pax import sequence
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.notation import format_order, parse_order
from paxtui.games.pax.board.adjacency import board
from paxtui.games.pax.board.status import established, seat_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.decide import decide
from paxtui.games.pax.diplomacy import settlement
from paxtui.games.pax.diplomacy.settlement import played_belligerents
from paxtui.games.pax.reports.threats import demanded_articles
from paxtui.games.pax.state.diplomacy import ENDED, TREATY, CasusBelli, Clause, Treaty
from paxtui.games.pax.state.model import State, units_at
from paxtui.games.pax.state.pieces import ARMY, Unit
from paxtui.games.pax.state.questions import Call, Cession, Cessions, EndWaiver, Pending, Spoils
from paxtui.games.pax.state.war import ATTACK, MANEUVER, REBELLION, War
from paxtui.games.pax.text.display import place_name, power_name, powers_text
from paxtui.games.pax.transaction import GameOver, Transaction, default_answer
from paxtui.games.pax.turn import victory
from paxtui.games.pax.war import command, declarations, empire
from paxtui.games.pax.war.alliances import current_war, enemies
from paxtui.games.pax.war.campaign import battle
from paxtui.games.pax.war.campaign.war_adjacency import WarStep
from paxtui.games.pax.war.declarations import GREAT_WAR_POWERS

SIMULATED_PHASES = ("negotiation", "congress", "chinese_resentment", "war")
"""Phases that are simulated."""
MAX_STEPS = 400
"""Maximum number of steps of a simulation."""

AnswerFor = Callable[[State, Pending], actions.Action | None]
"""A seat's answer to a question; None for the default of the rules."""
StopCondition = Callable[[State], bool]
"""Whether a simulation can stop."""


def simulate_wars(
    tables: Tables,
    state: State,
    seat: str,
    first: Sequence[actions.Action],
    seed: str,
    times: int,
    speaks: AnswerFor,
    until: StopCondition | None = None,
) -> Iterator[State]:
    """Simulate the Wars of the turn several times, each with its own dice.

    Args:
        tables: the tables of the game.
        state: the position.
        seat: the seat that simulates.
        first: its initial actions.
        seed: seed prefix of the dice.
        times: number of simulations.
        speaks: answers of the seats.
        until: stop condition; None for the end of the Wars.

    Yields:
        The final positions; none if an initial action is rejected.
    """
    for n in range(times):
        dice, start = Dice(f"{seed}/{state.turn}/{n}"), state
        for n_th, action in enumerate(first):
            try:
                start = decide(tables, start, seat, action, dice).state
            except Refusal:
                if not n_th:
                    return
        play = Transaction(tables, replace(start, abandoned=state.players), dice)
        try:
            _play_wars(play, speaks, until)
        except GameOver as end:
            victory.end_by_great_war(play, end.culprits)
        final = replace(play.state, abandoned=state.abandoned)
        if not dice.index:  # no dice: all simulations are the same
            yield from [final] * (times - n)
            return
        yield final


def _play_wars(play: Transaction, speaks: AnswerFor, until: StopCondition | None) -> None:
    """Play to the end of the turn's Wars, or until the stop condition holds.

    Raises:
        GameOver: if the game ends.
    """
    for _ in range(MAX_STEPS):
        state = play.state
        if state.result is not None or state.phase not in SIMULATED_PHASES or (until and until(state)):
            return
        if any((said := speaks(state, one)) and _submit_answer(play, one.seat, said) for one in state.choices):
            continue
        if state.choices or sequence.waiting_seats(play.tables, state):
            sequence.force_defaults(play)
            continue
        if state.phase not in sequence.OPEN:
            if not _move_forces(play):
                sequence.current_phase(play).run(play)
        done = play.state.result is None and not sequence.waiting_seats(play.tables, play.state)
        if done and sequence.current_phase(play).over(play.state):
            sequence.finish_phase(play)


def _move_forces(play: Transaction) -> bool:
    """Play the Maneuver Phase of an Alliance as statesmen would; return whether there is one.

    The engine moves only the forces that no seat commands.
    """
    fought = current_war(play.state) if play.state.phase == "war" and not play.state.choices else None
    if fought is None or fought.stage != MANEUVER or not campaign.is_between_powers(fought):
        return False
    campaign.act_in_war(play, fought)
    absent = play.state.abandoned
    play.state = replace(play.state, abandoned=())
    sequence.all_pass(play)
    sequence.current_phase(play).run(play)
    play.state = replace(play.state, abandoned=absent)
    return True


def _submit_answer(play: Transaction, seat: str, said: actions.Action) -> bool:
    """Submit an answer; return whether it was accepted."""
    try:
        play.state = decide(play.tables, play.state, seat, said, play.dice).state
    except Refusal:
        return False
    return True


WAR_SIMULATIONS = {"easy": 0, "normal": 4, "hard": 6, "expert": 6}
"""Number of simulations before a War is declared; as many again, with other dice, confirm the best one."""
MIN_WAR_GAIN = 8.0
"""Minimum gain for a War, in Victory Points."""
PROMISING_SHARE = 0.5
"""Share of the gain that is needed which the first simulations of a War must promise for more of them."""
LEADER_FACTOR = 0.6
"""Further factor if the enemy is about to win."""
THREAT_LOSS_SHARE = 0.35
"""Share of the Victory Points that a War costs the enemy which a Power would lose itself to make good its threat."""
MAX_THREAT_LOSS = 12.0
"""Maximum loss by a War that a Power declares to make good its threat, in Victory Points."""
MIN_FEARED_LOSS = 5.0
"""Minimum loss by a War for which a Power might give way to a threat, in Victory Points."""
THREAT_TENSIONS = 25
"""Points by which the European Tensions after a War may be higher for a threat, which is seldom refused."""
REFUSAL_REASONS = ("rejected", "superseded")
"""Ways in which a draft ends that the other Power has refused, or answered with other terms."""
THREAT_CREDIBILITY = 0.9
"""Chance that a War follows if a Power refuses what another demands under a threat that is meant."""
WAR_TENSION = 30
"""Expected rise of the European Tensions by a War, in points, including Powers that join."""
MAX_TENSION = 78
"""Maximum European Tensions after a War from 1900 on, for a neutral temper with an equal share of the chances."""
DESPERATION_TENSION = 8
"""Further points for a Power without any chance to win; a Power that is sure to win takes as many off."""
SURE_VICTORY, SURE_DEFEAT_SHARE = 0.99, 0.2
"""Chance to win that counts as a sure victory, and the share of the present chance that counts as a sure defeat."""


def declare_war(valuation: PositionValuation, planner: Planner) -> None:
    """Declare the most valuable War, if one is worth enough."""
    if "wars" in valuation.character.disabled:
        return
    times = WAR_SIMULATIONS.get(valuation.character.level, 0)
    causes = declarations.usable_causes(planner.tables, planner.state, planner.power) if times else ()
    wars: dict[str, actions.DeclareWar] = {}
    own = "" if planner.power == planner.seat else planner.power
    relations = PowerRelations(planner.tables, planner.state)
    for cause in causes:
        if valuation.wins_by_blame or is_war_bearable(valuation, planner, relations, cause.against):
            wars.setdefault(cause.against, actions.DeclareWar((cause.against,), (cause.id,), own))
    if valuation.wins_by_blame and len(wars) > 1:  # enough enemies at once are the Great War
        every = [war.over[0] for war in wars.values()]
        wars[", ".join(wars)] = actions.DeclareWar(tuple(wars), tuple(every), own)
    if _end_game_by_declaration(valuation, planner, causes) or planner.state.wars:
        return
    if _make_threat_good(valuation, planner, relations, causes) or not wars:
        return
    worth = (
        MIN_WAR_GAIN * min(valuation.character.caution, valuation.character.caution**0.5) * valuation.pounds_per_point
    )
    needed = {foe: worth * _caution(valuation, planner, foe) for foe in wars}
    simulations = WarSimulations(valuation, planner, "war", times)
    promised = [(simulations.gain(act, needed[foe]), foe) for foe, act in wars.items()]
    for gain, foe in sorted(promised, reverse=True):
        if gain > needed[foe]:  # again, with other dice than those by which it was chosen
            gain = WarSimulations(valuation, planner, "confirm", times).gain(wars[foe], needed[foe])
        if gain > needed[foe]:
            why = f"War on {powers_text(planner.tables, wars[foe].on)} promises about £{gain:.0f} over what it costs"
            planner.keeps_treaties = (
                not valuation.character.is_faithless
                or gain < valuation.breach_cost(planner.state) + MIN_WAR_GAIN * valuation.pounds_per_point
            )
            declared = planner.do(wars[foe], why)
            planner.keeps_treaties = True
            if declared:
                return


class WarSimulations:
    """Simulations of the Wars of the turn after an act and without it, made only as far as they are needed.

    Args: the valuation, the planner, part of the seed of the dice, the number of simulations.
    """

    def __init__(self, valuation: PositionValuation, planner: Planner, seed: str, times: int) -> None:
        self._valuation, self._planner, self._seed, self.times = valuation, planner, f"{planner.power}/{seed}", times
        self._made: dict[actions.Action | None, tuple[Iterator[State], list[State]]] = {}

    def ends(self, act: actions.Action | None, count: int) -> list[State]:
        """The final positions of the first simulations; fewer than `count` if the act is rejected."""
        if act not in self._made:
            planner, speaks = self._planner, partial(_simulated_answer, self._valuation, self._planner)
            first = (act,) if act is not None else ()
            made = simulate_wars(planner.tables, planner.state, planner.seat, first, self._seed, self.times, speaks)
            self._made[act] = (made, [])
        left, ends = self._made[act]
        ends.extend(islice(left, max(0, count - len(ends))))
        return ends[:count]

    def gain(self, act: actions.Action, needed: float) -> float:
        """Pounds by which an act is better than none; after fewer simulations if it does not promise half of `needed`.

        Returns: -inf if the act is rejected.
        """
        gain = float("-inf")
        for count in range(1, self.times + 1):
            ends = self.ends(act, count)
            if not ends:
                break
            gain = _value(self._valuation, self._planner, ends) - _value(
                self._valuation, self._planner, self.ends(None, count)
            )
            if gain <= PROMISING_SHARE * needed:
                break
        return gain


def _end_game_by_declaration(valuation: PositionValuation, planner: Planner, causes: Sequence[CasusBelli]) -> bool:
    """Join a War that becomes the Great War by it, if the Power is first then; return whether it has."""
    if not causes or not planner.may_end_game() or valuation.tension_weight >= 1.0:
        return False
    own = "" if planner.power == planner.seat else planner.power
    for cause in causes:
        act = actions.DeclareWar((cause.against,), (cause.id,), own)
        if act_that_wins(planner.tables, planner.state, planner.seat, act):
            return planner.do(act, "The Great War would end the game, and it is first")
    return False


def _make_threat_good(
    valuation: PositionValuation, planner: Planner, relations: PowerRelations, causes: Sequence[CasusBelli]
) -> bool:
    """Declare War on a Power that has refused a demand, if the threat was meant; return whether it has."""
    for cause in causes:
        foe = cause.against
        if not has_threatened(planner.tables, planner.state, planner.power, foe):
            continue
        if not is_war_bearable(valuation, planner, relations, foe, THREAT_TENSIONS):
            continue
        if gains_by_war(valuation, planner, expected_valuation(planner, foe), cause) is not None:
            act = actions.DeclareWar((foe,), (cause.id,))
            return planner.do(act, f"{power_name(planner.tables, foe)} has rejected a demand made under threat of War")
    return False


def _caution(valuation: PositionValuation, planner: Planner, against: str) -> float:
    """Factor on the gain that a War must promise."""
    if against in planner.state.minors:
        return 1.0
    return LEADER_FACTOR if valuation.stakes.get(against, 0.0) >= LEADER_CHANCE else 1.0


def has_threatened(tables: Tables, state: State, power: str, foe: str) -> bool:
    """Whether a Power has demanded something of another this turn under threat of War, and was refused."""
    return any(
        treaty.stage == ENDED and treaty.reason in REFUSAL_REASONS and treaty.drafted == state.turn
        and treaty.drafter == power and bool(demanded_articles(tables, state, treaty, foe))
        for treaty in state.treaties
    )  # fmt: skip


def threat_in(tables: Tables, state: State, treaty: Treaty, power: str) -> CasusBelli | None:
    """A Casus Belli with which a draft threatens a Power; None if it is no threat."""
    if not demanded_articles(tables, state, treaty, power):
        return None
    return next(c for c in declarations.usable_causes(tables, state, treaty.drafter) if c.against == power)


class WarGains(NamedTuple):
    """What a War would bring the Power that declares it and its enemy, in pounds of each, by the odds to win."""

    own: float
    foe: float


def gains_by_war(
    valuation: PositionValuation, planner: Planner, theirs: PositionValuation, cause: CasusBelli, most: float = inf
) -> WarGains | None:
    """What a War would bring if the Power of `valuation` declared it.

    A threat is made good if the War costs the enemy much more than the Power itself.

    Returns:
        None if the threat would not be made good, if the enemy has nothing to fear, or if the Power would gain more
        than `most` pounds.
    """
    enemy = Planner(planner.tables, planner.state, theirs.power, theirs.power, planner.power)
    declared = actions.DeclareWar((cause.against,), (cause.id,))
    simulations = WarSimulations(
        valuation, planner, "threat", max(4, PEACE_SIMULATIONS.get(valuation.character.level, 1))
    )
    gains = None
    for count in range(1, simulations.times + 1):
        war, peace = simulations.ends(declared, count), simulations.ends(None, count)
        if not war:
            return None
        own = _value(valuation, planner, war) - _value(valuation, planner, peace)
        gains = WarGains(own, _value(theirs, enemy, war) - _value(theirs, enemy, peace))
        least = max(
            -MAX_THREAT_LOSS, THREAT_LOSS_SHARE / valuation.character.caution * gains.foe / theirs.pounds_per_point
        )
        if (
            gains.own > most
            or gains.own / valuation.pounds_per_point <= least
            or gains.foe / theirs.pounds_per_point > -MIN_FEARED_LOSS
        ):
            return None
    return gains


def gain_by_giving_way(
    valuation: PositionValuation, planner: Planner, parties: tuple[str, str], clauses: Sequence[Clause]
) -> float:
    """Pounds that a demand brings or costs if it is granted at once, as `gains_by_war`; -inf if it cannot."""
    now = [replace(clause, turn=0) for clause in clauses]
    try:
        after = settlement.settlement_outcome(planner.tables, planner.state, now, False, parties)
    except Refusal:
        return float("-inf")
    return position_value(valuation, planner, after) - position_value(valuation, planner, planner.state)


def expected_valuation(planner: Planner, power: str) -> PositionValuation:
    """The valuation that another Power is expected to have when it decides about a War."""
    return PositionValuation(planner.tables, planner.state, power, character_of("normal", ""), "")


def feared_loss(valuation: PositionValuation, planner: Planner, cause: CasusBelli) -> float:
    """Pounds that a Power would probably lose by refusing what is demanded of it under threat of War."""
    foe, relations = cause.holder, PowerRelations(planner.tables, planner.state)
    their_planner = Planner(planner.tables, planner.state, foe, foe, planner.power)
    their_valuation = expected_valuation(planner, foe)
    if not is_war_bearable(their_valuation, their_planner, relations, planner.power, THREAT_TENSIONS):
        return 0.0
    gains = gains_by_war(their_valuation, their_planner, valuation, cause)
    return THREAT_CREDIBILITY * max(0.0, -gains.foe) if gains is not None else 0.0


def tension_limit(valuation: PositionValuation) -> float:
    """Maximum European Tensions after a War of its own from 1900 on: the less a Power may still win, the higher."""
    found = valuation.predictions.get(valuation.power) if valuation.character.looks_ahead else None
    if found is None:
        return MAX_TENSION
    seats = len(valuation.predictions)
    share = min(1.0, found.chance * seats / 2)  # 0.5 for an equal share
    return MAX_TENSION + DESPERATION_TENSION * (1.0 - 2.0 * share)


def is_war_bearable(
    valuation: PositionValuation, planner: Planner, relations: PowerRelations, foe: str, extra_tensions: int = 0
) -> bool:
    """Whether the risk of a War is acceptable.

    The two Powers and their allies must not cause the Great War, and the tensions must stay below the limit, which is
    higher by `extra_tensions` points.
    """
    power, friends = planner.power, relations.defensive_allies(foe, planner.power)
    helpers = relations.offensive_allies(power, foe)
    sides = [power, foe, *friends, *relations.defensive_allies(power, foe), *helpers]
    europeans = sum(planner.tables.powers[p].european for p in dict.fromkeys(sides))
    minor = foe in planner.state.minors
    heat = WAR_TENSION * (0.5 if minor and not friends else 1.0 + 0.25 * len({*friends, *helpers}))
    limit = extra_tensions + tension_limit(valuation) + EARLY_TENSIONS * is_early(planner.state)
    return europeans < GREAT_WAR_POWERS and planner.state.tension + heat * valuation.character.caution**0.5 <= limit


def expected_value(
    valuation: PositionValuation,
    planner: Planner,
    first: Sequence[actions.Action],
    times: int,
    until: StopCondition | None = None,
    speaks: AnswerFor | None = None,
) -> float:
    """Value of several simulations, in pounds as `position_value`; -inf if an initial action is rejected.

    Args:
        valuation: the valuation.
        planner: the planner.
        first: initial actions.
        times: number of simulations.
        until: stop condition; None for the end of the Wars.
        speaks: answers of the seats besides the spoils.
    """

    def answer_for(state: State, choice: Pending) -> actions.Action | None:
        return _simulated_answer(valuation, planner, state, choice) or (speaks(state, choice) if speaks else None)

    ends = list(
        simulate_wars(
            planner.tables, planner.state, planner.seat, first, f"{planner.power}/war", times, answer_for, until
        )
    )
    return _value(valuation, planner, ends) if ends else float("-inf")


def position_value(valuation: PositionValuation, planner: Planner, state: State) -> float:
    """Value of a position by the odds of the seat to win, in pounds that would bring the same odds from even ones."""
    return _value(valuation, planner, [state])


def _value(valuation: PositionValuation, planner: Planner, states: Sequence[State]) -> float:
    """Value of positions that are equally likely: by their odds to win, less the tensions.

    Without an eye for rivals, by the points of the seat alone.
    """
    spread = max(MIN_SPREAD, usual_error(planner.tables, planner.state))
    total = 0.0
    for state in states:
        if not valuation.should_weigh_opponents:
            total += valuation.pounds_per_point * _final_points(planner, state)
        else:
            chance = _chance_to_win(planner, state)
            total += valuation.pounds_per_point * spread * log(chance / (1.0 - chance))
        total -= valuation.tension_cost(planner.state, max(0, state.tension - planner.state.tension))
    return total / len(states)


def _final_points(planner: Planner, state: State) -> float:
    if state.result is None:
        return predict_results(planner.tables, state)[planner.seat].total
    return state.result.totals[planner.seat]


def _chance_to_win(planner: Planner, state: State) -> float:
    if state.result is None:
        return min(SURE_VICTORY, predict_results(planner.tables, state)[planner.seat].chance)
    return (
        SURE_VICTORY
        if state.result.ranks.get(planner.seat) == 1
        else SURE_DEFEAT_SHARE * _chance_to_win(planner, planner.state)
    )


def _simulated_answer(
    valuation: PositionValuation, planner: Planner, state: State, choice: Pending
) -> actions.Choose | None:
    """Answer in a simulation: each Power takes the most valuable spoils."""
    if not isinstance(choice.about, Spoils | Cession):
        return None
    power_valuation = valuation
    if choice.power != valuation.power:
        power_valuation = PositionValuation(planner.tables, state, choice.power, ASSUMED_CHARACTER, "")
    return actions.Choose(choice.id, tuple(best_prize(power_valuation, planner, state, choice)[1].split()))


def answer_war_question(valuation: PositionValuation, planner: Planner, choice: Pending) -> BotAction:
    """Answer a question of a War: spoils by value, calls to arms and peace by simulation."""
    about = choice.about
    if isinstance(about, Spoils | Cession):
        worth, text = best_prize(valuation, planner, planner.state, choice)
        why = f"What is won is worth about £{worth:.0f}" if worth > 0 else "No Area here is worth its upkeep"
        return bot_answer(choice, tuple(text.split()), why)
    if isinstance(about, Cessions):
        return bot_answer(choice, ("sign",), "Without all signatures nothing is ceded to anybody")
    times = WAR_SIMULATIONS.get(valuation.character.level, 0)
    if times and isinstance(about, Call):
        join = actions.Choose(choice.id, (default_answer(choice)[0],))
        if valuation.may_gain_by_end and act_that_wins(planner.tables, planner.state, planner.seat, join):
            return bot_answer(choice, join.answer, "The Great War would end the game, and it is first")
    if times and isinstance(about, EndWaiver):
        return _answer_by_simulation(valuation, planner, choice, ("end", "go on"), times)
    if times and isinstance(about, Call) and valuation.character.is_faithless:
        return _answer_by_simulation(valuation, planner, choice, (default_answer(choice)[0], "refuse"), times)
    return general_orders.answer_question(planner, choice)


def best_prize(valuation: PositionValuation, planner: Planner, state: State, choice: Pending) -> tuple[float, str]:
    """The most valuable option in a division of spoils, with its pounds at the end."""
    found = [(0.0, " ".join(default_answer(choice)))]
    for option in choice.options:
        words = option.split() if isinstance(option, str) else []
        if words[:1] == ["place"] and len(words) == 3:
            _, marker, area = words
            own = established(state, area, choice.power)
            worth = valuation.marker_value(state, area, marker) - valuation.resentment_cost(state, area, marker)
            worth += valuation.pounds_per_point * (
                evaluation.end_bonus_points(
                    planner.tables, evaluation.state_with_control(state, area, choice.power), choice.power
                )
                - evaluation.end_bonus_points(planner.tables, state, choice.power)
            )
            found.append((worth - (valuation.marker_value(state, area, own.marker) if own else 0.0), " ".join(words)))
    return max(found, key=lambda prize: prize[0])


def _answer_by_simulation(
    valuation: PositionValuation, planner: Planner, choice: Pending, texts: Sequence[str], times: int
) -> BotAction:
    acts = [actions.Choose(choice.id, tuple(text.split())) for text in texts]
    gain, best = max(
        ((expected_value(valuation, planner, (act,), times), act) for act in acts), key=lambda found: found[0]
    )
    if gain == float("-inf"):
        return general_orders.answer_question(planner, choice)
    where = f" of {place_name(planner.tables, choice.area)}" if choice.area else ""
    return bot_answer(choice, best.answer, f"Of the ways{where} played through, this one ends best")


STRENGTH_ON_THE_WAY = 2.0
"""Target strength at sea and in China per strength point of China; any surplus stays at home."""
MIN_SENT_STRENGTH = 3
"""Minimum strength of an Army that is sent from home."""
OWN_STRENGTH_SHARE = 0.5
"""Share of the Chinese strength that the Power must bring itself; allies may stay away."""
HOLD_ATTACK = BotAction("pass", "Its armies stand where they are wanted")


class RebelArea(NamedTuple):
    """An Area with Chinese Armies, and the strength points to be met there."""

    area: str
    strength: int


def rebellion_maneuver(planner: Planner, war: War) -> list[BotAction]:
    """Move each free Army one step against China, then pass.

    The Rebellion must be in a Maneuver Phase of the Power's Alliance.
    """
    for unit, place in list(_free_armies(planner, war)):
        foes = _rebel_areas(planner, war)
        if not foes:
            break
        if unit in units_at(planner.state, place) and not command.is_last_of_garrison(planner.state, unit, place):
            _step_towards_rebels(planner, war, foes, unit, place)
    return [*planner.acts, HOLD_ATTACK]


def rebellion_attacks(planner: Planner, war: War, plain: Sequence[BotAction]) -> list[BotAction]:
    """Return the attacks of the General Orders, and mandatory attacks at any odds.

    Mandatory attacks can be at bad odds if expected allies did not arrive.

    Rules: REB-030
    """
    given = {act.text for act in plain}
    own = (
        place
        for place, powers in battle.bound_attacks(planner.tables, planner.state, war).items()
        if planner.power in powers
    )
    owed = (format_order(planner.tables, actions.Attack(place, False)) for place in own)
    return [*(BotAction(text, "It has gone in there, and has to attack") for text in owed if text not in given), *plain]


def _rebel_areas(planner: Planner, war: War) -> list[RebelArea]:
    found = []
    for area in sorted(empire.empire_areas(planner.tables, planner.state, war)):
        armies = empire.armies_in(planner.state, area, (empire.empire_of(war),))
        if armies:
            own = empire.area_strength(planner.tables, planner.state, war, area)
            found.append(RebelArea(area, own + sum(unit.strength for unit in armies)))
    return found


def _free_armies(planner: Planner, war: War) -> Iterator[tuple[Unit, str]]:
    """Yield the Power's Armies that can move, with their places.

    Armies at sea and in China come first, heavy ones first. Heavy Armies at home follow while too few are on the way.
    """
    state, power = planner.state, planner.power
    land = empire.empire_areas(planner.tables, state, war)
    for place in (*state.at_sea, *sorted(land)):
        for unit in sorted(units_at(state, place), key=lambda unit: -unit.strength):
            if unit.kind == ARMY and unit.power == power and not unit.halted:
                yield unit, place
    risen, sent = sum(foe.strength for foe in _rebel_areas(planner, war)), _strength_sent(state, war, land)
    if not command.has_attack_odds(sent + _reserve_strength(state, war), risen):
        return
    wanted = STRENGTH_ON_THE_WAY * risen - sent
    for unit in sorted(units_at(state, planner.home), key=lambda unit: -unit.strength):
        if wanted <= 0:
            return
        if unit.kind == ARMY and unit.power == power and unit.strength >= MIN_SENT_STRENGTH and not unit.halted:
            wanted -= unit.strength
            yield unit, planner.home


def _strength_sent(state: State, war: War, land: frozenset[str]) -> int:
    """Strength points of the colonial Powers at sea and in China, without the last Army of each garrison."""
    powers = enemies(war, empire.empire_of(war))
    return sum(
        unit.strength
        for place in (*state.at_sea, *land)
        for unit in units_at(state, place)
        if unit.kind == ARMY and unit.power in powers and not command.is_last_of_garrison(state, unit, place)
    )


def _reserve_strength(state: State, war: War) -> int:
    """Strength points of the Armies of the colonial Powers in their Home Countries."""
    powers = enemies(war, empire.empire_of(war))
    return sum(u.strength for units in state.homes.values() for u in units if u.kind == ARMY and u.power in powers)


def _step_towards_rebels(planner: Planner, war: War, foes: list[RebelArea], unit: Unit, place: str) -> None:
    """Move an Army one step towards the nearest Chinese Armies; attack only with enough others."""
    tables, state = planner.tables, planner.state
    ahead = command.find_paths(tables, state, war, unit, place)
    ways = [(way.far, foe.strength, foe, way.first) for foe in foes if (way := ahead.get(WarStep(foe.area)))]
    if not ways or any(foe.area == place for foe in foes):
        return
    far, _, foe, first = min(ways)
    where = place_name(tables, foe.area)
    if far == 1:
        if not command.has_attack_odds(_colonial_strength_near(planner, war, foe.area, war.powers), foe.strength):
            return
        if _colonial_strength_near(planner, war, foe.area, (planner.power,)) < OWN_STRENGTH_SHARE * foe.strength:
            return
        why = f"With the others it is strong enough for the Chinese in {where}"
    else:
        if empire.is_resisting(tables, state, war, first.place):
            return
        if _colonial_strength_near(planner, war, first.place, war.powers) < _rebel_strength_near(
            planner, war, first.place
        ):
            return
        why = f"Together with the others it ends the Rebellion in {where}: each cycle of it raises the tensions"
    planner.do(actions.Move((unit.name,), (place, first.place), first.coast), why)


def _colonial_strength_near(planner: Planner, war: War, area: str, whose: Collection[str]) -> int:
    """Strength points of the colonial Powers in an Area, and of some that could come there now."""
    map_, powers = board(planner.tables, planner.state), enemies(war, empire.empire_of(war))
    near = (area, *map_.routes.get(area, ()), *map_.zones_of.get(area, ()))
    return sum(
        unit.strength
        for place in near
        for unit in units_at(planner.state, place)
        if unit.kind == ARMY and unit.power in powers
        if place == area
        or ((unit.power in whose and not unit.halted) and not command.is_last_of_garrison(planner.state, unit, place))
    )


def _rebel_strength_near(planner: Planner, war: War, area: str) -> int:
    """Strength points of the Chinese Armies that may reach an Area in their next Phase."""
    if area not in planner.tables.areas:
        return 0
    steps = empire.empire_steps(planner.tables, planner.state, war, area)
    free = [a for a in steps if not empire.is_pinned_down(planner.state, war, a)]
    return sum(u.strength for a in free for u in empire.armies_in(planner.state, a, (empire.empire_of(war),)))


PEACE_SIMULATIONS = {"easy": 0, "normal": 1, "hard": 3, "expert": 3}
"""Number of simulations of each alternative."""
MIN_PEACE_GAIN = 1.0
"""Minimum gain by peace on the present terms, in pounds at the end."""


def statesman_war_orders(valuation: PositionValuation, planner: Planner) -> list[BotAction]:
    """Choose the actions in the present Phase of a War, ending with a pass.

    Offers peace if a simulation to the end of the War finds nothing to gain: what is conquered counts only there.
    """
    fought, times = current_war(planner.state), PEACE_SIMULATIONS.get(valuation.character.level, 0)
    own = fought.side_of(planner.power) if fought else 0
    if fought is None or not times or not own or own != fought.turn_of:
        return war.war_orders(planner.tables, planner.state, planner.seat)
    if fought.kind == REBELLION and fought.stage == MANEUVER:
        if valuation.wants_great_war:
            return [BotAction("pass", "Each cycle of the Rebellion brings the Great War nearer, and it is first")]
        return rebellion_maneuver(planner, fought)
    plain = war.war_orders(planner.tables, planner.state, planner.seat, campaign.act_in_war)
    if fought.kind == REBELLION:
        return rebellion_attacks(planner, fought, plain)
    if fought.stage == ATTACK:
        return plain[:1]  # an attack may bring a question; it decides about the next one when that is answered
    draft = _possible_peace(planner, fought)
    if draft is None:
        return plain
    going_on = expected_value(valuation, planner, _actions_of(planner, plain), times)
    return [*_offer_peace(valuation, planner, draft, going_on), *plain]


def _actions_of(planner: Planner, acts: Sequence[BotAction]) -> list[actions.Action]:
    found: list[actions.Action] = []
    for act in acts:
        try:
            order = parse_order(planner.tables, act.text)
        except Refusal:
            continue
        if isinstance(order, actions.Action):
            found.append(order)
    return found


# --- peace ------------------------------------------------------------------------------------------------------------


def _possible_peace(planner: Planner, fought: War) -> actions.Draft | None:
    """The offer of peace on the present terms that the Power can make now; once a Game Turn to the same enemies."""
    if fought.stage != MANEUVER or fought.cycle < 2:
        return None
    voices = played_belligerents(planner.tables, planner.state, fought)
    foes = tuple(p for p in voices if fought.opposes(planner.power, p))
    if not foes or any(_has_offered_peace(treaty, planner, foes) for treaty in planner.state.treaties):
        return None
    parties = tuple(
        p for p in voices if p != planner.power and seat_of(planner.tables, planner.state, p) != planner.seat
    )
    draft = actions.Draft("", parties, (Clause("peace"),), TREATY, True)
    return draft if planner.result_of(draft) is not None else None


def _offer_peace(
    valuation: PositionValuation, planner: Planner, draft: actions.Draft, going_on: float
) -> list[BotAction]:
    """Offer peace on the present terms if going on promises less."""
    gain = position_value(valuation, planner, planner.state) - going_on
    if gain < MIN_PEACE_GAIN:
        return []
    before = len(planner.acts)
    planner.do(draft, f"What it fought for is won or lost: to go on would cost about £{gain:.0f}")
    return planner.acts[before:]


def _has_offered_peace(treaty: Treaty, planner: Planner, foes: Sequence[str]) -> bool:
    """Whether the Power and its enemies had a peace offer in this Game Turn."""
    spoken = treaty.drafted == planner.state.turn and planner.power in treaty.parties
    return spoken and any(c.kind == "peace" for c in treaty.clauses) and any(p in treaty.parties for p in foes)


def peace_value(valuation: PositionValuation, planner: Planner, times: int) -> float:
    """Value of peace on the present terms over going on, in pounds at the end."""
    going_on = expected_value(valuation, planner, (), max(1, times))
    return position_value(valuation, planner, planner.state) - going_on
