"""The file of a review, `GAME.review` beside `GAME.jsonl`, as JSON.

A file that is damaged, of another version or of another log is never replaced.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from paxtui.session.pax_host import PaxViews
from paxtui.session.storage.files import StorageError, read_regular, readable_json, write_named
from paxtui.session.storage.saved_games import REVIEW_SUFFIX, file_beside
from paxtui.studies.review import Review
from paxtui.studies.study import line_hash

REVIEW_VERSION = 1


class ReviewError(StorageError):
    """A file of a review cannot be used; the message names it, the problem, and what to do."""


class _FileVersion(msgspec.Struct, frozen=True):
    format: int


class ReviewFile(msgspec.Struct, frozen=True):
    """The contents of the file: the number of the format, and the review."""

    format: int
    review: Review


def review_path(log: Path) -> Path:
    return file_beside(log, REVIEW_SUFFIX)


def load_review(log: Path, host: PaxViews) -> Review | None:
    """Read the review beside a log; None if there is none.

    Args: the path of the log; its game.

    Raises:
        ReviewError: the file is damaged, of another version, or of another log.
        OSError: it cannot be read.
    """
    path = review_path(log)
    try:
        data = read_regular(path)
    except FileNotFoundError:
        return None
    try:
        version = msgspec.json.decode(data, type=_FileVersion).format
        if version != REVIEW_VERSION:
            problem = f"is a review of format {version}, and this program reads format {REVIEW_VERSION}"
            raise ReviewError(path, f"{path} {problem}; rename or delete it to make a new one")
        review = msgspec.json.decode(data, type=ReviewFile).review
        _check(review)
    except (msgspec.MsgspecError, RecursionError, ValueError) as error:
        raise ReviewError(path, f"{path} is damaged ({error}); rename or delete it to make a new one") from error
    game = host.game
    is_of_log = review.game == game.header.game and 1 <= review.version <= host.version
    if not is_of_log or line_hash(game.lines, game.tip, review.version) != review.tip:
        raise ReviewError(path, f"{path} is a review of another log; rename or delete it to make a new one")
    return review


def _check(review: Review) -> None:
    """Raise ValueError if the parts of a review do not fit each other."""
    if not review.seats or not review.turns:
        raise ValueError("it has no seats or no Game Turns")
    chances = [turn.predicted for turn in review.turns] + [turn.refined for turn in review.turns if turn.refined]
    chances += [part for point in (*review.points, *review.candidates) for part in (point.before, point.after)]
    if any(set(part) != set(review.seats) for part in chances):
        raise ValueError("its chances are not those of its seats")
    if any(not 0 <= chance <= 1 for part in chances for chance in part.values()):
        raise ValueError("a chance is not between 0 and 1")


def save_review(log: Path, host: PaxViews, review: Review) -> Path:
    """Write a review beside its log and return its path.

    Raises:
        ReviewError: the file that is there is damaged, of another version, or of another log; it stays.
        OSError: it cannot be written.
    """
    load_review(log, host)
    path = review_path(log)
    write_named(path, readable_json(ReviewFile(REVIEW_VERSION, review)))
    return path
