"""Acts on land at random by the thousand: nothing but refusals fails, and every factor is accounted for.

python -m tests.empires.test_land_at_random 5000
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal
from paxtui.games.empires.battle.field_combat import powers_without_chit
from paxtui.games.empires.board import CITY_ROOM, DEPOT_ROOM, city_load, fits_corps
from paxtui.games.empires.decider import current_step, decide_action, run_sequence, waiting_powers
from paxtui.games.empires.events.base import Event
from paxtui.games.empires.events.land import CorpsArrived, CorpsStrength, Foraged, GarrisonStrength, RoundFought
from paxtui.games.empires.orders import Action, Answer, Done
from paxtui.games.empires.position import starting_state
from paxtui.games.empires.state import State
from paxtui.games.empires.transaction import Transaction
from tests.empires.land import DANUBE
from tests.empires.random_actions import factors, nonsense

GIVEN = {"detached", "absorbed", "exchanged", "from the depot", "depot gone", "retires", "occupied"}
"""Why factors change hands: what one loses another gains, but for what finds no room when a depot goes."""

GAINED = {"reinforced"}


def accounts(before: State, events: Sequence[Event]) -> Counter[str]:
    """By why, the factors that events have added to corps and garrisons."""
    found: Counter[str] = Counter()
    state = before
    for event in events:
        after = event.evolve(state)
        change = factors(after) - factors(state)
        if isinstance(event, CorpsArrived):
            assert change == event.corps.factors.total
            found["arrived"] += change
        elif isinstance(event, CorpsStrength | GarrisonStrength):
            found["pursuit" if event.why.startswith("pursuit") else event.why] += change
        else:
            assert not change, event
        state = after
    return found


def check(before: State, play: Transaction) -> None:
    """What must hold after every act."""
    after, found = play.state, accounts(before, play.events)
    assert factors(after) - factors(before) == sum(found.values())
    given = sum(count for why, count in found.items() if why in GIVEN)
    assert given == 0 or (given < 0 and "depot gone" in found), found
    for why, count in found.items():
        assert why in GIVEN or (count >= 0 if why in GAINED | {"arrived"} else count <= 0), (why, count)
    rounds = [event for event in play.events if isinstance(event, RoundFought)]
    assert -found["combat"] == sum(sum(event.lost) for event in rounds)
    rolled = sum(event.loss for event in play.events if isinstance(event, Foraged))
    assert -found["foraging"] - found["hunger"] <= rolled or before.questions
    assert all(fits_corps(one.factors, one.most) for one in after.corps.values())
    assert all(one.factors.total for one in (*after.corps.values(), *after.garrisons))
    for area in DANUBE.areas.values():
        assert city_load(after, area.id) <= max(CITY_ROOM * area.supply, city_load(before, area.id))
    assert all(one.factors.total <= DEPOT_ROOM for one in after.garrisons if one.of_depot)
    places = [(one.where, one.inside) for one in after.depots]
    assert len(places) == len(set(places))
    assert all(one.where in after.corps or not one.where for one in after.leaders.values())
    for power in after.powers:
        assert after.accounts[power].money >= 0


def an_act(state: State, seat: str, chance: Random, names: Sequence[str]) -> Action:
    """Something that a seat asks for: mostly what is offered, allowed or not, now and then nonsense."""
    if chance.random() < 0.1:
        return nonsense(chance, names)
    if state.questions:
        return Answer(chance.choice(state.questions[-1].choices))
    if chance.random() < 0.06 and not powers_without_chit(state):
        return Done()
    return chance.choice([*current_step(state).offers(DANUBE, state, seat), Done()])


def run(acts: int, seed: int) -> int:
    """Play acts at random, anew from the start where the exercise ends; how many were done."""
    chance, done = Random(seed), 0
    names = ["", "none", "moon", *DANUBE.areas, *(one.id for one in DANUBE.exercise.corps)]
    begun = Transaction(DANUBE, starting_state(DANUBE), Dice(""))
    run_sequence(begun)
    state = begun.state
    for n in range(acts):
        if state.result is not None:
            state = begun.state
        seat = chance.choice(waiting_powers(DANUBE, state))
        try:
            play = decide_action(DANUBE, state, seat, an_act(state, seat, chance, names), Dice(f"{seed}|{n}"))
        except Refusal as refusal:
            assert refusal.rules or refusal.code in ("unknown_seat", "bad_order")
            continue
        check(state, play)
        state, done = play.state, done + 1
    return done


@pytest.mark.parametrize("seed", [1805, 7])
def test_factors_balance_after_random_actions(seed: int) -> None:
    assert run(500, seed) > 100


if __name__ == "__main__":
    count = int(sys.argv[1]) if sys.argv[1:] else 2000
    for each in range(5):
        print("seed", each, count, "acts,", run(count, each), "done, nothing else wrong")
