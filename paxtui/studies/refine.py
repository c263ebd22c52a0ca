"""Refine a review by rollouts: the chances of each Game Turn, and the changes of the turning points.

The number of rollouts is counted and each has its own seed, so that a seed gives the same review with any number of
processes. A review that was stopped goes on where it was: each position counts when all its rollouts are done.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean, stdev
from typing import NamedTuple

from msgspec.structs import replace

from paxtui.games.pax.state.model import State
from paxtui.session.pax_host import PaxHost
from paxtui.studies.acts import act_positions
from paxtui.studies.review import Chances, Review, TurningPoint, with_candidates
from paxtui.studies.rollouts import Rollout, RolloutPool

ROLLOUTS = 20
"""Default number of rollouts of a Game Turn. Each side of a turning point gets half as many."""
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
    points = {point.line: point for point in kept.candidates if point.rollouts and not point.is_turn}
    return with_candidates(
        replace(found, turns=tuple(turns.get(turn.line, turn) if not turn.is_end else turn for turn in found.turns)),
        tuple(points.get(point.line, point) for point in found.candidates),
    )


def open_rollouts(host: PaxHost, review: Review) -> list[_Position]:
    """Return the positions whose rollouts are not done."""
    found = []
    for turn in review.turns:
        state = host.game.seek(turn.line)
        if not turn.is_end and turn.rollouts < review.rollouts and state.result is None:
            found.append(_Position(f"turn/{turn.line}", state, review.rollouts))
    half = max(1, review.rollouts // 2)
    for point in review.candidates:
        is_open = point.rollouts < half and not point.is_turn and review.rollouts
        positions = act_positions(host, point.line) if is_open else None
        if positions is not None:
            found.append(_Position(f"without/{point.line}", positions.without, half))
            found.append(_Position(f"with/{point.line}", positions.with_act, half))
    return found


def refine(host: PaxHost, review: Review, pool: RolloutPool) -> Iterator[Progress]:
    """Play the rollouts that a review lacks and yield its progress; stop early when the pool ends.

    Args:
        host: the game, of which the review has everything.
        review: with the wanted number of rollouts (`merge`).
        pool: the processes.

    Raises:
        OSError: a process cannot start, or dies.
    """
    positions = open_rollouts(host, review)
    total = sum(position.wanted for position in positions)
    rollouts = list(_rollouts(host, review.seed, positions))
    results: list[dict[int, Chances]] = [{} for _ in positions]
    found: dict[str, list[Chances]] = {}
    yield Progress(review, 0, total, False)
    for done, result in enumerate(pool.run(rollouts), 1):
        here, position = results[result.position], positions[result.position]
        here[result.number] = result.chances
        is_complete = len(here) == position.wanted
        if is_complete:
            found[position.name] = [here[number] for number in range(position.wanted)]
            review = _with_rollouts(review, position, found)
        yield Progress(review, done, total, is_complete)


def _rollouts(host: PaxHost, seed: str, positions: Sequence[_Position]) -> Iterator[Rollout]:
    for n, position in enumerate(positions):
        encoded = host.rules.encode_state(position.state)
        # both sides of a turning point get the same dice
        kind = position.name.rpartition("/")[2]
        for number in range(position.wanted):
            yield Rollout(n, number, encoded, f"{seed}/{kind}/{number}")


def _mean(found: Sequence[Chances]) -> Chances:
    return {seat: round(sum(sorted(one[seat] for one in found)) / len(found), 4) for seat in found[0]}


def _error(without: Sequence[Chances], with_act: Sequence[Chances]) -> float:
    """Return the standard error of the largest change. Both sides have the same dice in the same order."""
    pairs = [*zip(without, with_act, strict=True)]
    changes = [[after[seat] - before[seat] for before, after in pairs] for seat in without[0]]
    largest = max(changes, key=lambda one: abs(fmean(one)))
    return round(stdev(largest) / len(largest) ** 0.5, 4) if len(largest) > 1 else 0.0


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
        return replace(review, turns=turns)
    without, with_act = found.get(f"without/{line}"), found.get(f"with/{line}")
    if without is None or with_act is None:
        return review

    def refined(point: TurningPoint) -> TurningPoint:
        if point.line != int(line) or point.is_turn:
            return point
        return replace(
            point, before=_mean(without), after=_mean(with_act), rollouts=position.wanted,
            error=_error(without, with_act),
        )  # fmt: skip

    return with_candidates(review, tuple(refined(point) for point in review.candidates))
