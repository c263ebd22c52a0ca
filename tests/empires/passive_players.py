"""Games of bots against passive players: `python -m tests.empires.passive_players GAMES [EXERCISE] [SIDE]`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from math import comb

from paxtui.bots.empires.player import choose_action
from paxtui.engine.dice import Dice
from paxtui.games.empires.decider import decide_action, menu_actions, run_sequence, waiting_powers
from paxtui.games.empires.orders import Action, Done, PickChit
from paxtui.games.empires.position import seat_view, starting_state
from paxtui.games.empires.state import State
from paxtui.games.empires.tables import Tables
from paxtui.games.empires.transaction import Transaction
from paxtui.session.tables.exercises import load_exercise

Player = Callable[[Tables, State, str], Action]

SIDES = {
    "danube-1805": (("france",), ("austria",)),
    "channel-1805": (("great_britain",), ("france", "spain")),
    "ulm-1805": (("france",), ("austria", "russia")),
}
"""The two sides of each exercise in which forces move."""

LAST = 4000


def done(tables: Tables, state: State, seat: str) -> Action:
    """Say `done`, and take the first act of the menu where that is refused."""
    acts = menu_actions(tables, state, seat)
    return acts[-1] if isinstance(acts[-1], Done) else acts[0]


def first_answer(tables: Tables, state: State, seat: str) -> Action:
    """The same, and attack by `assault` and defend by `defend`."""
    acts = menu_actions(tables, state, seat)
    chits = [one for one in acts if isinstance(one, PickChit) and one.chit in ("assault", "defend")]
    return chits[0] if chits else done(tables, state, seat)


PASSIVE: dict[str, Player] = {"done": done, "first answer": first_answer}


def play(exercise: str, seed: str, players: dict[str, Player]) -> State:
    """Play an exercise by what each player sees; return its last position."""
    tables = load_exercise(exercise)
    begun = Transaction(tables, starting_state(tables), Dice(""))
    run_sequence(begun)
    state = begun.state
    for number in range(LAST):
        if state.result is not None:
            return state
        seat = waiting_powers(tables, state)[0]
        action = players[seat](tables, seat_view(state, seat), seat)
        state = decide_action(tables, state, seat, action, Dice(f"{seed}|{number}")).state
    raise AssertionError(f"{exercise} does not end")


def is_won(exercise: str, side: tuple[str, ...], passive: Player, seed: int) -> bool:
    """Return whether a side of bots wins a game against passive players; a draw is no win."""
    powers = load_exercise(exercise).exercise.powers
    players = {power: choose_action if power in side else passive for power in powers}
    result = play(exercise, f"{side[0]}|{seed}", players).result
    return result is not None and set(result.winners) <= set(side)


def is_won_by_skill(exercise: str, side: tuple[str, ...], level: str, other: str, seed: int) -> bool:
    """Return whether a side of bots with one skill wins a game against bots with another; a draw is no win."""

    def player(skill: str) -> Player:
        return lambda tables, state, seat: choose_action(tables, state, seat, skill)

    powers = load_exercise(exercise).exercise.powers
    players = {power: player(level if power in side else other) for power in powers}
    result = play(exercise, f"{level}|{side[0]}|{seed}", players).result
    return result is not None and set(result.winners) <= set(side)


def wins(exercise: str, side: tuple[str, ...], passive: Player, games: int) -> int:
    """Return how many games a side of bots wins against passive players."""
    return sum(is_won(exercise, side, passive, seed) for seed in range(games))


def chance_of(won: int, games: int, share: float) -> float:
    """Return how likely a side that wins this share of its games wins at least so many."""
    return sum(comb(games, one) * share**one * (1 - share) ** (games - one) for one in range(won, games + 1))


def wins_share(exercise: str, side: tuple[str, ...], passive: Player, games: int, share: float) -> bool:
    """Return whether a side wins a share of some games; fewer games are played where these show it with 95 %."""
    won = 0
    for seed in range(games):
        won += is_won(exercise, side, passive, seed)
        if chance_of(won, seed + 1, share) < 0.05:
            return True
        if seed + 1 - won > games * (1 - share):
            return False
    return won >= share * games


if __name__ == "__main__":
    games = int(sys.argv[1])
    for exercise, sides in SIDES.items():
        for side in sides:
            if set(sys.argv[2:]) <= {exercise, side[0]}:
                for name, passive in PASSIVE.items():
                    count = wins(exercise, side, passive, games)
                    print(f"{exercise}: {', '.join(side)} against '{name}': {count} of {games}", flush=True)
