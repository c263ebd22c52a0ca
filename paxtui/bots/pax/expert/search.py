"""Search for a plan of the Movement Phase.

The candidates are the plan of the hard statesman, plans of statesmen that are more or less careful, and plans without
one of the Areas in which it places a marker. The strongest rivals reply, the rest of the Game Turn is rolled out, and
the prediction judges it. All candidates have one rollout; the plan of the hard statesman and the best others have more,
because dice mislead. The budget is a number of rollouts, so that a seed reproduces a game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import NamedTuple

from paxtui.bots.pax.expert.rollouts import carry_out, play_turn, score
from paxtui.bots.pax.prediction import predict_results
from paxtui.bots.pax.profiles import Character, character_of
from paxtui.bots.pax.statesman.player import movement_actions
from paxtui.engine.bots import BotAction, SearchReport
from paxtui.engine.dice import Dice
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import LEVEL

CANDIDATES, FINALISTS = 8, 3
"""Number of plans with one rollout, and of those that have all."""
DICE_SEEDS = ("a", "b", "c", "d", "e")
"""Seeds of the dice of the rollouts; the first is that of all candidates."""
REPLIES = 2
"""Number of rivals that reply."""
MIN_IMPROVEMENT = 3.0
"""Victory Points by which a variant must be better than the plan of the statesman."""


class _Candidate(NamedTuple):
    """A plan, the position after it and the replies, and the scores of its rollouts."""

    plan: list[BotAction]
    after: State
    scores: list[float]


def budget() -> int:
    """Maximum number of rollouts of a search."""
    return CANDIDATES + FINALISTS * (len(DICE_SEEDS) - 1)


def has_choice(state: State, seat: str) -> bool:
    """Whether there is something to search for: a Movement Phase without a question to the seat."""
    return state.result is None and state.phase == "movement" and all(c.seat != seat for c in state.choices)


def search_movement(
    tables: Tables, state: State, seat: str, character: Character, seed: str, report: SearchReport | None = None
) -> list[BotAction]:
    """Return the best plan found for the Movement Phase.

    Args:
        tables: the tables of the game.
        state: the position as the seat sees it.
        seat: the seat.
        character: its character.
        seed: seed of the bot's preferences.
        report: called after each candidate and each finalist.
    """
    found: list[_Candidate] = []
    for plan, after in _plans_with_replies(tables, state, seat, character, seed):
        found.append(_Candidate(plan, after, [_rollout(tables, state, after, seat, seed, DICE_SEEDS[0])]))
        if report is not None:
            report(len(found), budget(), found[0].plan)
        if len(found) == CANDIDATES:
            break
    finalists = [found[0], *sorted(found[1:], key=_mean_score, reverse=True)[: FINALISTS - 1]]
    best = found[0]
    for n, one in enumerate(finalists if len(found) > 1 else (), 1):
        one.scores.extend(_rollout(tables, state, one.after, seat, seed, dice) for dice in DICE_SEEDS[1:])
        if one is not found[0] and _mean_score(one) > _mean_score(best) + (
            MIN_IMPROVEMENT if best is found[0] else 0.0
        ):
            best = one
        if report is not None:
            report(len(found) + n * (len(DICE_SEEDS) - 1), budget(), best.plan)
    return best.plan


def _mean_score(candidate: _Candidate) -> float:
    return fmean(candidate.scores)


def _rollout(tables: Tables, state: State, after: State, seat: str, seed: str, dice: str) -> float:
    """Score of the end of the Game Turn after a plan and the replies to it."""
    return score(tables, play_turn(tables, after, Dice(f"{seed}/{state.turn}/{dice}")), seat)


def _plans_with_replies(
    tables: Tables, state: State, seat: str, character: Character, seed: str
) -> Iterator[tuple[list[BotAction], State]]:
    """Yield different plans with the positions after them and the replies; the statesman's own plan first."""
    first = movement_actions(tables, state, seat, character, seed)
    after = carry_out(tables, state, seat, first, Dice("plan"))
    replies = _replies(tables, after, seat, seed)
    seen = set[tuple[str, ...]]()
    for variant in _variants(character, first):
        plan = movement_actions(tables, state, seat, variant, seed) if seen else first
        texts = tuple(sorted(order.text for order in plan))
        if texts in seen:
            continue
        seen.add(texts)
        after = carry_out(tables, state, seat, plan, Dice("plan"))
        for rival, orders in replies.items():
            after = carry_out(tables, after, rival, orders, Dice("plan"))
        yield plan, after


def _variants(character: Character, plan: Sequence[BotAction]) -> Iterator[Character]:
    """Characters whose plans differ from the statesman's own, which comes first."""
    yield character
    yield character._replace(caution=character.caution * 2.5)
    for area in _chosen_areas(plan):
        yield character._replace(avoided_areas=frozenset((area,)))
    yield character._replace(caution=character.caution * 0.4)
    yield character._replace(spending_share=0.75)


def _chosen_areas(plan: Sequence[BotAction]) -> list[str]:
    """The Areas in which a plan places markers, those of higher markers first."""
    areas: dict[str, int] = {}
    for order in plan:
        words = order.text.rpartition(": ")[2].split(" ")
        if words[0] in ("place", "upgrade") and len(words) > 2:
            areas[words[2]] = LEVEL.get(words[1], 0)
    return sorted(areas, key=lambda area: -areas[area])


def _replies(tables: Tables, state: State, seat: str, seed: str) -> dict[str, list[BotAction]]:
    """Plans of the rivals that are most likely to win."""
    predicted = predict_results(tables, state)
    rivals = sorted((rival for rival in predicted if rival != seat), key=lambda rival: -predicted[rival].chance)
    found = {}
    for rival in rivals[:REPLIES]:
        found[rival] = movement_actions(tables, state, rival, character_of("normal", ""), seed)
        state = carry_out(tables, state, rival, found[rival], Dice("plan"))
    return found
