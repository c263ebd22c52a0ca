"""Mistyped orders of the campaign: each is carried out or refused with a sentence, and nothing breaks."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal
from paxtui.games.empires.decider import current_step, decide_action, run_sequence, waiting_powers
from paxtui.games.empires.orders import ACTION_FORMS, Action, Answer, Done, action_text, parse_action
from paxtui.games.empires.position import starting_state
from paxtui.games.empires.state import State
from paxtui.games.empires.tables import Tables
from paxtui.games.empires.transaction import Transaction
from paxtui.session.tables.exercises import load_exercise
from tests.empires.random_actions import check
from tests.samples import sample

GAMES = sample(1, 40)
STEPS, SLIPS = sample(220, 1500), 3
"""Acts of a game, and mistyped orders before each of them."""

JUNK = ("", "  ", "0", "-1", "99999999999999999999", "=", ",", "infantry=", "=3", "é", "☃", "to", "with", "\t", "none")


def mistyped(text: str, names: Sequence[str], chance: Random) -> str:
    """Return an order with one mistake: a word or letter too many, too few, or another one."""
    words = text.split(" ")
    at = chance.randrange(len(words))
    match chance.randrange(7):
        case 0:
            del words[at]
        case 1:
            words.insert(at, chance.choice(JUNK))
        case 2:
            words[at] = chance.choice(names)
        case 3:
            words[at] = words[at][: chance.randrange(1 + len(words[at]))] + chance.choice(JUNK) + words[at][-2:]
        case 4:
            words[at] = words[at].replace(",", chance.choice((",,", " ", ", ", ";")))
        case 5:
            return chance.choice(list(ACTION_FORMS.values()))
        case _:
            words = [word.upper() for word in words] + words[at:]
    return " ".join(words)


def acts_of(tables: Tables, state: State, seat: str) -> list[Action]:
    """Return what a seat may try now."""
    if state.questions:
        return [Answer(choice) for choice in state.questions[-1].choices]
    return [*current_step(state).offers(tables, state, seat), Done()]


def tried(tables: Tables, begun: State, state: State, seat: str, text: str, dice: str) -> State:
    """Return the position after an order, the same one if it is refused."""
    try:
        play = decide_action(tables, state, seat, parse_action(text), Dice(dice))
    except Refusal as refusal:
        assert len(str(refusal).split()) > 1, text
        return state
    check(tables, begun, state, play)
    return play.state


def play_mistyped(name: str, seed: int) -> tuple[int, int]:
    """Play a game by random and mistyped orders; return how many were typed, and how many carried out."""
    tables, chance = load_exercise(name), Random(seed)
    names = [*tables.areas, *tables.sequence.names, *tables.corps_names]
    begun = Transaction(tables, starting_state(tables), Dice(""))
    run_sequence(begun)
    state, typed, done = begun.state, 0, 0
    for number in range(STEPS):
        if state.result is not None:
            break
        seat = chance.choice(waiting_powers(tables, state))
        acts = acts_of(tables, state, seat)
        texts = [mistyped(action_text(chance.choice(acts)), names, chance) for _ in range(SLIPS)]
        texts.append(action_text(acts[-1] if chance.random() < 0.2 else chance.choice(acts)))
        for at, text in enumerate(texts):
            after = tried(tables, begun.state, state, seat, text, f"{seed}|{number}|{at}")
            typed, done = typed + 1, done + (after is not state)
            state = after
            if state.result is not None or seat not in waiting_powers(tables, state):
                break
    return typed, done


@pytest.mark.parametrize("name", ["ulm-1805", "ulm-1805-two"])
def test_mistyped_orders_are_carried_out_or_refused_with_a_sentence(name: str) -> None:
    for seed in range(GAMES):
        typed, done = play_mistyped(name, seed)
        assert typed > 100
        assert 10 < done < typed
