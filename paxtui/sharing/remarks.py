"""Remarks on a shared page: the turning points of a review, and the comments of a study beside the log.

A remark is left out if its line is hidden from the page's viewpoint, or if it was written from another viewpoint that
knows more.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from paxtui.engine.seats import ARBITER
from paxtui.games.pax.text.display import the_power
from paxtui.session.pax_host import PaxHost
from paxtui.studies.editing import children, clean_comment
from paxtui.studies.review import (
    Review,
    TurningPoint,
    describe_changes,
    explain_point,
    may_show_everything,
    review_game,
)
from paxtui.studies.review_file import load_review
from paxtui.studies.study import (
    MARK_NAMES,
    AnnotatedLog,
    Arrow,
    Branch,
    Chapter,
    Comment,
    Highlight,
    Mark,
    fits_log,
    load_study,
    study_path,
)


class SharedRemark(msgspec.Struct, frozen=True, kw_only=True):
    """A turning point or a comment.

    Attributes:
        line: the line that it is about, by the number of the page's viewpoint.
        label: what is said about the line in a few words, "" for a plain comment.
        author, time: who wrote it, and when.
        text: the text; Markdown is shown as it is.
        places: places to highlight.
        arrows: arrows on the map, each from one place to another.
    """

    line: int
    label: str = ""
    author: str = ""
    time: str = ""
    text: str
    places: tuple[str, ...] = ()
    arrows: tuple[tuple[str, str], ...] = ()


# --- review -----------------------------------------------------------------------------------------------------------


def viewpoint_review(host: PaxHost, viewpoint: str, log: Path | None = None) -> Review | None:
    """Return the review of a game by what a viewpoint knows; None for all secrets of a running game with persons.

    The review that is kept beside the log is used if it knows no more than the viewpoint; else a new one is made.

    Args: the game; the viewpoint; the file of the game.

    Raises: ReviewError, OSError: the kept review cannot be used.
    """
    kept = load_review(log, host) if log is not None else None
    if kept is not None and (kept.seat == viewpoint or (kept.seat == ARBITER and _knows_everything(host, viewpoint))):
        return kept
    if viewpoint == ARBITER and not may_show_everything(host):
        return None
    return review_game(host, viewpoint)


def _knows_everything(host: PaxHost, viewpoint: str) -> bool:
    """Whether no line of a game hides anything from a viewpoint."""
    lines = range(2, host.version + 1)
    return host.version_for(viewpoint) == host.version and all(
        host.visible_events(viewpoint, n) == host.visible_events(ARBITER, n) for n in lines
    )


def review_heading(review: Review) -> tuple[str, str]:
    """Return the heading of the turning points, and how they were found."""
    if all(point.rollouts for point in review.points):
        return "What decided this game", f"By {review.rollouts} simulated games from each Game Turn."
    return (
        "What may have decided this game",
        "By the prediction from the positions alone. It counts a marker in full when it is established, and not its "
        "price. No simulated games have checked these acts.",
    )


def review_remarks(host: PaxHost, review: Review) -> tuple[SharedRemark, ...]:
    """Return the turning points of a review."""

    def label(point: TurningPoint) -> str:
        changes = describe_changes(host.tables, point).replace(" %", "\xa0%")
        return changes if point.rollouts else f"predicted: {changes}"

    return tuple(
        SharedRemark(
            line=point.line,
            label=label(point),
            text=" ".join(filter(None, (point.text, explain_point(point)))),
            places=(point.place,) if point.place else (),
        )
        for point in sorted(review.points, key=lambda point: point.line)
    )


# --- study ------------------------------------------------------------------------------------------------------------


class StudyRemarks(NamedTuple):
    """The remarks of a study that a page may show, and the number of comments that it may not show."""

    remarks: tuple[SharedRemark, ...] = ()
    hidden_count: int = 0


def study_remarks(host: PaxHost, log: Path, viewpoint: str, study: Path | None = None) -> StudyRemarks:
    """Return the comments, marks, arrows, highlights and branches of a log; none if the study does not have it.

    Args: the game; its file; the viewpoint; the study, by default the one beside the log.

    Raises: StudyError, OSError: the study cannot be used.
    """
    try:
        chapters = load_study(study or study_path(log)).chapters
    except FileNotFoundError:
        return StudyRemarks()
    lines, tip = host.game.lines, host.game.tip
    for chapter in chapters:
        found = next((one for one in (chapter, *chapter.branches) if fits_log(one, lines, tip)), None)
        if found is None:
            continue
        if not _may_read(host, chapter, viewpoint):
            return StudyRemarks(hidden_count=len(found.comments))
        hidden_count = sum(not _is_visible(host, viewpoint, comment.line) for comment in found.comments)
        return StudyRemarks(tuple(_remarks(host, chapter, found, viewpoint)), hidden_count)
    return StudyRemarks()


def _may_read(host: PaxHost, chapter: Chapter, viewpoint: str) -> bool:
    """Whether a viewpoint knows what the author of the annotations knew. A branch is the author's own game."""
    knows_all = not chapter.seat and (host.is_over or host.game.header.parent is not None)
    return viewpoint in (chapter.seat, ARBITER) or knows_all


def _is_visible(host: PaxHost, viewpoint: str, line: int) -> bool:
    """Whether a viewpoint has a line of the full log; every viewpoint has the first."""
    number = host.known(viewpoint).number
    return line <= host.version and (line == 1 or number(line) != number(line - 1))


def _remarks(host: PaxHost, chapter: Chapter, log: AnnotatedLog, viewpoint: str) -> Iterator[SharedRemark]:
    known, branches = host.known(viewpoint), children(chapter, log.hash)
    annotations: tuple[Comment | Mark | Arrow | Highlight | Branch, ...]
    annotations = (*log.comments, *log.marks, *log.arrows, *log.highlights, *branches)
    for line in sorted({each.line for each in annotations}):
        if _is_visible(host, viewpoint, line):
            number = known.number(line)
            yield from _remarks_of_line(log, line, number)
            yield from (_branch_remark(host, branch, number) for branch in branches if branch.line == line)


def _branch_remark(host: PaxHost, branch: Branch, number: int) -> SharedRemark:
    seat, title = the_power(host.tables, branch.seat), clean_comment(branch.title or branch.file)
    return SharedRemark(line=number, label="branch", text=f"{title}: played on as {seat}, {branch.lines} lines")


def _remarks_of_line(log: AnnotatedLog, line: int, number: int) -> Iterator[SharedRemark]:
    """Return one remark for each comment, or one for the marks, arrows and highlights alone."""
    label = ", ".join(MARK_NAMES[mark.kind] for mark in log.marks if mark.line == line)
    places = tuple(highlight.area for highlight in log.highlights if highlight.line == line)
    arrows = tuple((arrow.start, arrow.end) for arrow in log.arrows if arrow.line == line)
    comments = [comment for comment in log.comments if comment.line == line]
    for n, comment in enumerate(comments):
        yield SharedRemark(
            line=number,
            label=label if n == 0 else "",
            author=clean_comment(comment.author),
            time=clean_comment(comment.time)[:16].replace("T", " "),
            text=clean_comment(comment.text.replace("\t", " ")),
            places=places,
            arrows=arrows,
        )
    if not comments and (label or places or arrows):
        yield SharedRemark(line=number, label=label, text="", places=places, arrows=arrows)
