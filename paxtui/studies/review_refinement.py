"""Refine a review by rollouts: the chances of each Game Turn, and the changes of the turning points.

The number of rollouts is counted and each has its own seed, so that a seed gives the same review with any number of
processes. A review that was stopped goes on where it was: each position counts when all its rollouts are done.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from statistics import stdev
from typing import NamedTuple

from msgspec.structs import replace

from paxtui.games.pax.state.model import State
from paxtui.session.pax_host import PaxHost
from paxtui.studies.act_analysis import act_positions
from paxtui.studies.review import CANDIDATES, Chances, Review, TurningPoint, acts_to_compare, with_candidates
from paxtui.studies.rollouts import Rollout, RolloutPool

ROLLOUTS = 20
"""Default number of rollouts of a Game Turn."""
SEED = "review"
"""Default seed."""


class Progress(NamedTuple):
    """The progress of a refinement.

    Attributes:
        review: the review so far.
        done, total: number of rollouts.
        is_kept: whether the review has changed since the last step, and should be saved.
    """

    review: Review
    done: int
    total: int
    is_kept: bool


class _Position(NamedTuple):
    """A position of which rollouts are wanted: name, state, and their number."""

    name: str
    state: State
    wanted: int


def merge(found: Review, kept: Review | None, rollouts: int | None = None, seed: str = "") -> Review:
    """Return a new review with the rollouts of an earlier one of the same log, if they are of the same kind.

    Args:
        found: the new review.
        kept: the earlier one, or None.
        rollouts: wanted number of rollouts of each Game Turn; by default that of the earlier review.
        seed: their seed, by default that of the earlier review.
    """
    wanted = rollouts if rollouts is not None else (kept.rollouts if kept is not None else 0)
    seed = seed or (kept.seed if kept is not None else "") or SEED
    found = replace(found, rollouts=wanted, seed=seed if wanted else "")
    if kept is None or kept.seat != found.seat or (kept.rollouts, kept.seed) != (found.rollouts, found.seed):
        return found
    turns = {turn.line: turn for turn in kept.turns if turn.rollouts}
    each = rollouts_of_side(found)
    points = {one.line: one for one in kept.candidates if one.rollouts == each and not one.is_turn}
    found = replace(
        found, turns=tuple(turns.get(turn.line, turn) if not turn.is_end else turn for turn in found.turns),
        is_refined=kept.is_refined and kept.version == found.version,
    )  # fmt: skip
    return with_candidates(found, tuple(points.get(one.line, one) for one in found.candidates))


def rollouts_of_side(review: Review) -> int:
    """Return the wanted number of rollouts without an act, and with it."""
    return -(-review.rollouts * 3 // 4)


def open_turns(host: PaxHost, review: Review) -> list[_Position]:
    """Return the beginnings of Game Turns whose rollouts are not done."""
    return [
        _Position(f"turn/{turn.line}", state, review.rollouts)
        for turn in review.turns
        if not turn.is_end and turn.rollouts < review.rollouts
        for state in (host.game.seek(turn.line),)
        if state.result is None
    ]


def open_acts(host: PaxHost, review: Review) -> list[_Position]:
    """Return the positions without and with each act to compare whose rollouts are not done."""
    compared = ((point, act_positions(host, point.line)) for point in acts_to_compare(review))
    possible = islice(((point, both) for point, both in compared if both is not None), CANDIDATES)
    each, found = rollouts_of_side(review), []
    for point, both in possible:
        if point.rollouts != each:
            found.append(_Position(f"without/{point.line}", both.without, each))
            found.append(_Position(f"with/{point.line}", both.with_act, each))
    return found


def refine(host: PaxHost, review: Review, pool: RolloutPool) -> Iterator[Progress]:
    """Play the rollouts that a review lacks and yield its progress; stop early when the pool ends.

    First the Game Turns, then the acts that explain the changes between them. Until these are known, `total` is an
    estimate.

    Args:
        host: the game, of which the review has everything.
        review: with the wanted number of rollouts (`merge`).
        pool: the processes.

    Raises:
        OSError: a process cannot start, or dies.
    """
    if not review.rollouts or review.is_refined:
        yield Progress(review, 0, 0, False)
        return
    turns = open_turns(host, review)
    acts = open_acts(host, review) if not turns else []
    of_turns = sum(position.wanted for position in turns)
    of_acts = 2 * CANDIDATES * rollouts_of_side(review) if turns else sum(position.wanted for position in acts)
    yield Progress(review, 0, of_turns + of_acts, False)
    done = 0
    found = review
    for done, found, is_complete in _play(host, review, pool, turns):
        yield Progress(found, done, of_turns + of_acts, is_complete)
    if done < of_turns:
        return
    with_turns, done = found, 0
    acts = acts or open_acts(host, with_turns)
    of_acts = sum(position.wanted for position in acts)
    for done, found, is_complete in _play(host, with_turns, pool, acts):
        found = replace(found, is_refined=done == of_acts)
        yield Progress(found, of_turns + done, of_turns + of_acts, is_complete)
    if not acts:
        yield Progress(replace(found, is_refined=True), of_turns, of_turns, True)


def _play(
    host: PaxHost, review: Review, pool: RolloutPool, positions: Sequence[_Position]
) -> Iterator[tuple[int, Review, bool]]:
    """Play the rollouts of positions; yield how many are done, the review, and whether a position is complete."""
    results: list[dict[int, Chances]] = [{} for _ in positions]
    found: dict[str, list[Chances]] = {}
    for done, result in enumerate(pool.run(list(_rollouts(host, review.seed, positions))), 1):
        here, position = results[result.position], positions[result.position]
        here[result.number] = result.chances
        is_complete = len(here) == position.wanted
        if is_complete:
            found[position.name] = [here[number] for number in range(position.wanted)]
            review = _with_rollouts(review, position, found)
        yield done, review, is_complete


def _rollouts(host: PaxHost, seed: str, positions: Sequence[_Position]) -> Iterator[Rollout]:
    for n, position in enumerate(positions):
        encoded = host.rules.encode_state(position.state)
        # both sides of a turning point get the same dice
        kind = position.name.rpartition("/")[2]
        for number in range(position.wanted):
            yield Rollout(n, number, encoded, f"{seed}/{kind}/{number}")


def _mean(found: Sequence[Chances]) -> Chances:
    return {seat: round(sum(sorted(one[seat] for one in found)) / len(found), 4) for seat in found[0]}


def _errors(without: Sequence[Chances], with_act: Sequence[Chances]) -> Chances:
    """Return the standard error of each seat's change. Both sides have the same dice in the same order."""
    pairs = [*zip(without, with_act, strict=True)]
    if len(pairs) < 2:
        return dict.fromkeys(without[0], 0.0)
    return {
        seat: round(stdev(after[seat] - before[seat] for before, after in pairs) / len(pairs) ** 0.5, 4)
        for seat in without[0]
    }


def _with_rollouts(review: Review, position: _Position, found: Mapping[str, Sequence[Chances]]) -> Review:
    """Return a review with the results of a position whose rollouts are done. Args: `found`: all results by name."""
    kind, _, line = position.name.partition("/")
    if kind == "turn":
        turns = tuple(
            replace(turn, refined=_mean(found[position.name]), rollouts=position.wanted)
            if turn.line == int(line) and not turn.is_end
            else turn
            for turn in review.turns
        )
        return with_candidates(replace(review, turns=turns), review.candidates)
    without, with_act = found.get(f"without/{line}"), found.get(f"with/{line}")
    if without is None or with_act is None:
        return review

    def refined(point: TurningPoint) -> TurningPoint:
        if point.line != int(line) or point.is_turn:
            return point
        before, after, errors = _mean(without), _mean(with_act), _errors(without, with_act)
        largest = max(after, key=lambda seat: abs(after[seat] - before[seat]))
        return replace(
            point, before=before, after=after, rollouts=position.wanted, error=errors[largest], errors=errors,
            expected={seat: round(point.predicted_change(seat), 4) for seat in after},
        )  # fmt: skip

    return with_candidates(review, tuple(refined(point) for point in review.candidates))
