"""Play thousands of random actions, legal and illegal: `python -m tests.empires.random_actions 3000`.

Whatever is asked for, nothing but a `Refusal` comes back; ships, factors, money and points are accounted for.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from typing import Any, get_origin, get_type_hints

import msgspec

from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal
from paxtui.games.empires.decider import decide_action, legal_actions, run_sequence, waiting_powers
from paxtui.games.empires.events.base import Event
from paxtui.games.empires.events.sea import FleetPlaced, FleetRemoved, ShipsLost, ShipsPlaced
from paxtui.games.empires.game import EmpiresGame
from paxtui.games.empires.narration import describe_event
from paxtui.games.empires.orders import ACTION_FORMS, Action, action_text, parse_action
from paxtui.games.empires.position import starting_state
from paxtui.games.empires.state import State
from paxtui.games.empires.tables import Tables
from paxtui.games.empires.transaction import Transaction
from paxtui.session.tables.exercises import load_exercise

EXERCISES = ("cabinet-1805", "channel-1805", "danube-1805")


def ships(state: State) -> int:
    """All ships in fleets."""
    return sum(fleet.ships for fleet in state.fleets.values())


def built(events: Sequence[Event]) -> int:
    """Ships that events have added, less those they have taken away."""
    total = 0
    for event in events:
        if isinstance(event, ShipsPlaced):
            total += event.ships
        elif isinstance(event, FleetPlaced):
            total += event.fleet.ships
        elif isinstance(event, ShipsLost | FleetRemoved):
            total -= event.ships
    return total


def factors(state: State) -> int:
    """All factors in corps and garrisons."""
    held = [corps.factors.total for corps in state.corps.values()]
    return sum(held) + sum(garrison.factors.total for garrison in state.garrisons)


def check(tables: Tables, begun: State, before: State, play: Transaction) -> None:
    """What must hold after every act."""
    after = play.state
    assert ships(after) - ships(before) == built(play.events), "ships"
    if before.cursor.phase == after.cursor.phase and before.cursor.phase != "reinforcement":
        assert factors(after) <= factors(before), "factors"
    for power in after.powers:
        account, first = after.accounts[power], begun.accounts[power]
        for what in ("points", "money", "manpower"):
            posted = sum(one.amount for one in after.ledger if (one.power, one.what) == (power, what))
            assert getattr(account, what) == getattr(first, what) + posted, what
        assert account.money >= 0, "money"
    assert all(fleet.ships >= 0 for fleet in after.fleets.values())
    assert all(min(msgspec.structs.astuple(corps.factors)) >= 0 for corps in after.corps.values())
    rules = EmpiresGame(tables)
    assert rules.decode_state(msgspec.json.decode(msgspec.json.encode(rules.encode_state(after)))) == after
    for event in play.events:
        assert rules.decode_event(msgspec.json.decode(msgspec.json.encode(rules.encode_event(event)))) == event
        describe_event(tables, event)


def nonsense(chance: random.Random, names: Sequence[str]) -> Action:
    """An action of any kind with any names in it."""
    kind = chance.choice(list(ACTION_FORMS))
    fields: dict[str, Any] = {"type": kind.__struct_config__.tag}
    for name, hint in get_type_hints(kind).items():
        if hint is int:
            fields[name] = chance.choice((-1, 0, 1, 3, 99))
        elif get_origin(hint) is tuple:
            fields[name] = tuple(chance.choice(names) for _ in range(chance.randrange(3)))
        elif get_origin(hint) is dict:
            kinds = ("infantry", "cavalry", "militia", "moon")
            fields[name] = {chance.choice(kinds): chance.choice((-1, 0, 1, 4)) for _ in range(chance.randrange(3))}
        elif hint is bool:
            fields[name] = chance.random() < 0.5
        else:
            fields[name] = chance.choice(names)
    return msgspec.convert(fields, type=kind)


def run(exercise: str, acts: int, seed: int) -> int:
    """Play acts at random, anew from the start where an exercise ends; how many were refused."""
    tables, chance, refused = load_exercise(exercise), random.Random(seed), 0
    names = ["", "none", "moon", *tables.areas, *tables.sequence.names]
    names += [*(one.id for one in tables.exercise.fleets), *(one.id for one in tables.exercise.corps)]
    play = Transaction(tables, starting_state(tables), Dice(""))
    run_sequence(play)
    begun = state = play.state
    for n in range(acts):
        if state.result is not None:
            state = begun
        seat = chance.choice(waiting_powers(tables, state))
        if chance.random() < 0.5:
            seat, action = chance.choice((seat, *state.powers)), nonsense(chance, names)
        else:
            action = chance.choice(legal_actions(tables, state, seat))
            assert parse_action(action_text(action)) == action, action_text(action)
        try:
            play = decide_action(tables, state, seat, action, Dice(f"{seed}|{n}"))
        except Refusal as refusal:
            refused += 1
            assert all(rule.startswith(("EIA ", "ours")) for rule in refusal.rules), refusal.rules
            continue
        check(tables, begun, state, play)
        state = play.state
    return refused


if __name__ == "__main__":
    count = int(sys.argv[1]) if sys.argv[1:] else 1000
    for name in EXERCISES:
        print(name, count, "acts,", run(name, count, 1805), "refused, nothing else wrong")
