"""Whole exercises played at random: whenever a Power is waited for, it has a legal act."""

from __future__ import annotations

from random import Random

import pytest

from paxtui.engine.dice import Dice
from paxtui.games.empires.decider import (
    current_step,
    decide_action,
    is_legal,
    legal_actions,
    menu_actions,
    run_sequence,
    waiting_powers,
)
from paxtui.games.empires.orders import Action, Answer, Done
from paxtui.games.empires.position import seat_view, starting_state
from paxtui.games.empires.transaction import Transaction
from paxtui.session.tables.exercises import load_exercise, scenario_names
from tests.samples import sample

GAMES, MANY, CAMPAIGNS = 2, sample(20, 200), sample(5, 250)
"""Games of each exercise in every run, and with `-m random`: of an exercise, and of a campaign, which is long."""

LAST = 4000
"""Acts after which a game counts as endless."""


def play_randomly(exercise: str, seed: int) -> int:
    """Play an exercise to its end by acts of the menu, as each seat sees the position; return the number of acts."""
    tables, random = load_exercise(exercise), Random(seed)
    patience = random.choice((0.1, 0.3, 0.6))
    begun = Transaction(tables, starting_state(tables), Dice(""))
    run_sequence(begun)
    state = begun.state
    for number in range(LAST):
        if state.result is not None:
            return number
        seats = waiting_powers(tables, state)
        assert seats, state.cursor
        seat = random.choice(seats)
        view = seat_view(state, seat)
        if view.questions:
            acts: list[Action] = [Answer(choice) for choice in view.questions[-1].choices]
        else:
            acts = list(current_step(view).offers(tables, view, seat))
        random.shuffle(acts)
        done = random.random() < patience
        acts = [*([Done()] if done else []), *acts, *([] if done else [Done()])]
        action = next((one for one in acts if isinstance(one, Answer) or is_legal(tables, view, seat, one)), None)
        assert action is not None, (exercise, seed, number, state.cursor, state.questions)
        state = decide_action(tables, state, seat, action, Dice(f"{seed}|{number}")).state
    raise AssertionError(f"{exercise} does not end (seed {seed})")


@pytest.mark.parametrize("exercise", scenario_names())
def test_a_seat_that_is_waited_for_has_a_legal_act(exercise: str) -> None:
    for seed in range(GAMES):
        assert play_randomly(exercise, seed)


@pytest.mark.random
@pytest.mark.parametrize("exercise", scenario_names())
def test_no_seat_is_without_a_legal_act_in_many_games(exercise: str) -> None:
    is_campaign = load_exercise(exercise).exercise.complete
    for seed in range(GAMES, CAMPAIGNS if is_campaign else MANY):
        assert play_randomly(exercise, seed)


@pytest.mark.parametrize("exercise", scenario_names())
def test_every_legal_act_is_accepted(exercise: str) -> None:
    tables, random = load_exercise(exercise), Random(7)
    begun = Transaction(tables, starting_state(tables), Dice(""))
    run_sequence(begun)
    state = begun.state
    for number in range(40):
        if state.result is not None:
            break
        seat = waiting_powers(tables, state)[0]
        acts = legal_actions(tables, seat_view(state, seat), seat)
        assert set(map(repr, menu_actions(tables, seat_view(state, seat), seat))) <= set(map(repr, acts))
        for action in random.sample(acts, min(12, len(acts))):
            decide_action(tables, state, seat, action, Dice(f"{number}"))
        state = decide_action(
            tables, state, seat, acts[-1] if number % 2 else random.choice(acts), Dice(f"{number}")
        ).state
