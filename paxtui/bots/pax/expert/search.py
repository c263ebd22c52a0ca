"""Search for a plan of the Movement Phase.

The candidates are the plan of the hard statesman and plans of statesmen that spend less, are more careful, or value
Areas otherwise. The strongest rivals reply, the rest of the Game Turn is rolled out, and the prediction judges it. The
budget is a number of rollouts, so that a seed reproduces a game.
"""

from __future__ import annotations

from collections.abc import Iterator

from paxtui.bots.pax.expert.rollouts import carry_out, play_turn, score
from paxtui.bots.pax.prediction import predict_results
from paxtui.bots.pax.profiles import Character, character_of
from paxtui.bots.pax.statesman.player import movement_actions
from paxtui.engine.bots import BotAction, SearchReport
from paxtui.engine.dice import Dice
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.state.model import State

ROLLOUTS = 20
"""Number of rollouts of a search."""
DICE = ("a", "b")
"""Seeds of the dice; each candidate is rolled out with each."""
REPLIES = 2
"""Number of rivals that reply."""
MARGIN = 3.0
"""Victory Points by which a variant must be better than the plan of the statesman."""


def has_choice(state: State, seat: str) -> bool:
    """Whether there is something to search for: a Movement Phase without a question to the seat."""
    return state.result is None and state.phase == "movement" and all(c.seat != seat for c in state.choices)


def search_movement(
    tables: Tables, state: State, seat: str, who: Character, seed: str, report: SearchReport | None = None
) -> list[BotAction]:
    """Return the best plan found for the Movement Phase.

    Args:
        tables: the tables of the game.
        state: the position as the seat sees it.
        seat: the seat.
        who: its character.
        seed: seed of the bot's preferences.
        report: called after each candidate.
    """
    best: list[BotAction] = []
    best_score = float("-inf")
    replies: dict[str, list[BotAction]] | None = None
    done, seen = 0, set[tuple[str, ...]]()
    for character, taste in _variants(who, seed):
        if done + len(DICE) > ROLLOUTS:
            break
        plan = movement_actions(tables, state, seat, character, taste)
        texts = tuple(sorted(order.text for order in plan))
        if texts in seen:
            continue
        seen.add(texts)
        after = carry_out(tables, state, seat, plan, Dice("plan"))
        if replies is None:
            replies = _replies(tables, after, seat, seed)
        for rival, orders in replies.items():
            after = carry_out(tables, after, rival, orders, Dice("plan"))
        ends = [play_turn(tables, after, Dice(f"{seed}/{state.turn}/{dice}")) for dice in DICE]
        found = sum(score(tables, end, seat) for end in ends) / len(ends)
        found += MARGIN if not best else 0.0
        if not best or found > best_score:
            best, best_score = plan, found
        done += len(DICE)
        if report is not None:
            report(done, ROLLOUTS, best)
    return best


def _variants(who: Character, seed: str) -> Iterator[tuple[Character, str]]:
    """Characters with their seeds, the statesman's own first."""
    yield who, seed
    yield who._replace(spends=0.75), seed
    yield who._replace(care=who.care * 2.5), seed
    for n in range(10):
        yield who._replace(blur=0.35), f"{seed}/{n}"


def _replies(tables: Tables, state: State, seat: str, seed: str) -> dict[str, list[BotAction]]:
    """Plans of the rivals that are most likely to win."""
    predicted = predict_results(tables, state)
    rivals = sorted((rival for rival in predicted if rival != seat), key=lambda rival: -predicted[rival].chance)
    found = {}
    for rival in rivals[:REPLIES]:
        found[rival] = movement_actions(tables, state, rival, character_of("normal", ""), seed)
        state = carry_out(tables, state, rival, found[rival], Dice("plan"))
    return found
