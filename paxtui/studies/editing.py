"""Changes of a study: annotations of a log, and the tree of branches. Each function returns the changed value."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import NamedTuple, TypeVar

from msgspec.structs import replace

from paxtui.engine.free_text import clean_text, without_stacks
from paxtui.engine.refusal import Refusal
from paxtui.studies.study import (
    LONGEST_COMMENT,
    LONGEST_TITLE,
    MARK_KINDS,
    AnnotatedLog,
    Arrow,
    Branch,
    Chapter,
    Comment,
    Highlight,
    Mark,
    MarkKind,
    Study,
    as_chapter,
)

Log = TypeVar("Log", bound=AnnotatedLog)


# --- annotations ------------------------------------------------------------------------------------------------------


def clean_comment(text: str) -> str:
    """Return a comment without control and invisible characters; lines stay.

    Raises: Refusal `too_long`.
    """
    lines = ("".join(_clean_character(c) for c in line).rstrip() for line in text.replace("\t", "    ").splitlines())
    clean = without_stacks("\n".join(lines)).strip("\n")
    if len(clean) > LONGEST_COMMENT:
        raise Refusal("too_long", (), f"A comment has at most {LONGEST_COMMENT} characters; this one {len(clean)}.")
    return clean if clean.strip() else ""


def _clean_character(character: str) -> str:
    category = unicodedata.category(character)
    if category in ("Cc", "Zl", "Zp"):
        return " "
    return "" if category in ("Cf", "Cs", "Co", "Cn") else character


def add_comment(log: Log, comment: Comment) -> Log:
    """Return the log with a comment after the others of its line."""
    comments = sorted((*log.comments, comment), key=lambda c: c.line)
    return replace(log, comments=tuple(comments))


def replace_comment(log: Log, comment: Comment, new: Comment | None) -> Log:
    """Return the log with another comment in the place of one, or without it for None."""
    at = log.comments.index(comment)
    return replace(log, comments=(*log.comments[:at], *([new] if new else ()), *log.comments[at + 1 :]))


def toggle_mark(log: Log, line: int, kind: MarkKind) -> Log:
    """Return the log with a mark at a line, or without it if it was there."""
    marks = set(log.marks) ^ {Mark(line, kind)}
    return replace(log, marks=tuple(sorted(marks, key=lambda m: (m.line, MARK_KINDS.index(m.kind)))))


def toggle_arrow(log: Log, arrow: Arrow) -> Log:
    """Return the log with an arrow, or without it if it was there."""
    arrows = set(log.arrows) ^ {arrow}
    return replace(log, arrows=tuple(sorted(arrows, key=lambda a: (a.line, a.start, a.end))))


def toggle_highlight(log: Log, highlight: Highlight) -> Log:
    """Return the log with a highlighted place, or without it if it was there."""
    highlights = set(log.highlights) ^ {highlight}
    return replace(log, highlights=tuple(sorted(highlights, key=lambda h: (h.line, h.area))))


def annotated_lines(log: AnnotatedLog) -> tuple[int, ...]:
    """Return the lines with an annotation, in order."""
    found: tuple[Comment | Mark | Arrow | Highlight, ...] = (*log.comments, *log.marks, *log.arrows, *log.highlights)
    return tuple(sorted({annotation.line for annotation in found}))


# --- the tree ---------------------------------------------------------------------------------------------------------


class LogRef(NamedTuple):
    """A log in a study. Attributes: the index of its chapter; the hash of the branch, "" for the chapter's own log."""

    chapter: int
    branch: str = ""


class TreeRow(NamedTuple):
    """A row of the tree. Attributes: the log; how deep it is below its chapter, 0 for the chapter itself."""

    ref: LogRef
    depth: int


def find_ref(study: Study, ref: LogRef) -> Chapter | Branch:
    """Return a log of a study. Raises: KeyError if it is not there."""
    if not 0 <= ref.chapter < len(study.chapters):
        raise KeyError(ref)
    chapter = study.chapters[ref.chapter]
    if not ref.branch:
        return chapter
    for branch in chapter.branches:
        if branch.hash == ref.branch:
            return branch
    raise KeyError(ref)


def put_log(study: Study, ref: LogRef, log: Chapter | Branch) -> Study:
    """Return the study with a changed log in the place of another."""
    chapter = study.chapters[ref.chapter]
    if isinstance(log, Chapter):
        return _put_chapter(study, ref.chapter, log)
    branches = tuple(log if branch.hash == ref.branch else branch for branch in chapter.branches)
    return _put_chapter(study, ref.chapter, replace(chapter, branches=branches))


def _put_chapter(study: Study, index: int, *chapters: Chapter) -> Study:
    return replace(study, chapters=(*study.chapters[:index], *chapters, *study.chapters[index + 1 :]))


def children(chapter: Chapter, parent: str) -> list[Branch]:
    """Return the branches that leave a log, in order. Args: the hash of the log."""
    return [branch for branch in chapter.branches if branch.parent == parent]


def descendants(chapter: Chapter, parent: str) -> list[tuple[int, Branch]]:
    """Return all branches below a log in the order of the tree, each with its depth from 1."""
    found: list[tuple[int, Branch]] = []
    for branch in children(chapter, parent):
        found.append((1, branch))
        found += [(depth + 1, below) for depth, below in descendants(chapter, branch.hash)]
    return found


def tree(study: Study) -> Iterator[TreeRow]:
    """Yield the logs of a study: each chapter, and below it its branches."""
    for index, chapter in enumerate(study.chapters):
        yield TreeRow(LogRef(index), 0)
        for depth, branch in descendants(chapter, chapter.hash):
            yield TreeRow(LogRef(index, branch.hash), depth)


def rename_log(study: Study, ref: LogRef, title: str) -> Study:
    """Return the study with another title of a log; "" for the name of its file. Raises: Refusal `too_long`."""
    title = without_stacks(clean_text(title))
    if len(title) > LONGEST_TITLE:
        raise Refusal("too_long", (), f"A title has at most {LONGEST_TITLE} characters; this one {len(title)}.")
    return put_log(study, ref, replace(find_ref(study, ref), title=title))


def add_branch(study: Study, chapter: int, branch: Branch) -> Study:
    """Return the study with a branch after the others of its chapter."""
    before = study.chapters[chapter]
    return _put_chapter(study, chapter, replace(before, branches=(*before.branches, branch)))


def promote(study: Study, ref: LogRef) -> tuple[Study, LogRef]:
    """Move a branch before the one above it; a first branch becomes a chapter of its own. A chapter moves up.

    Returns: the study, and where the log is then.
    """
    if not ref.branch:
        return _move_chapter_up(study, ref)
    chapter, branch = study.chapters[ref.chapter], find_ref(study, ref)
    assert isinstance(branch, Branch)
    siblings = children(chapter, branch.parent)
    at = siblings.index(branch)
    if at == 0:
        return _make_chapter(study, ref.chapter, branch)
    others = [one for one in chapter.branches if one is not branch]
    others.insert(others.index(siblings[at - 1]), branch)
    return _put_chapter(study, ref.chapter, replace(chapter, branches=tuple(others))), ref


def _make_chapter(study: Study, index: int, branch: Branch) -> tuple[Study, LogRef]:
    chapter = study.chapters[index]
    below = [one for _, one in descendants(chapter, branch.hash)]
    left = tuple(one for one in chapter.branches if one is not branch and one not in below)
    own = as_chapter(branch, chapter.seat, branches=tuple(below))
    return _put_chapter(study, index, replace(chapter, branches=left), own), LogRef(index + 1)


def _move_chapter_up(study: Study, ref: LogRef) -> tuple[Study, LogRef]:
    if ref.chapter == 0:
        raise Refusal("first", (), "This chapter is already the first one.")
    chapters = [*study.chapters]
    chapters.insert(ref.chapter - 1, chapters.pop(ref.chapter))
    return replace(study, chapters=tuple(chapters)), LogRef(ref.chapter - 1)


def remove_log(study: Study, ref: LogRef) -> Study:
    """Return the study without a log. Raises: Refusal for the only chapter, or a log with branches."""
    log, chapter = find_ref(study, ref), study.chapters[ref.chapter]
    if children(chapter, log.hash):
        raise Refusal("has_branches", (), "Branches leave this log. Delete or promote them first.")
    if isinstance(log, Branch):
        left = tuple(branch for branch in chapter.branches if branch is not log)
        return _put_chapter(study, ref.chapter, replace(chapter, branches=left))
    if len(study.chapters) == 1:
        raise Refusal("only_chapter", (), "A study has at least one chapter. Delete the file of the study instead.")
    return _put_chapter(study, ref.chapter)
