"""The study of a game: the file `GAME.study` beside `GAME.jsonl`, as JSON. It never changes the log.

A `Study` has chapters. A chapter is a game, or a position in one, with its branches. A branch is a log of its own that
leaves another log after a line. Both carry annotations by line: comments, marks, arrows and highlighted Areas. Lines
are the numbers in the full log, where the header is line 1.

`load_study` reads a study; `StudyFile` holds it open for writing, under a lock. A study recognises its logs by their
hashes (`fits_log`): a log that has grown still fits, another log does not.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Annotated, Literal, NoReturn, get_args

import msgspec

from paxtui.engine.log import Line
from paxtui.session.storage import files
from paxtui.session.storage.files import StorageError
from paxtui.session.storage.saved_games import STUDY_SUFFIX, file_beside

STUDY_VERSION = 1
LARGEST_STUDY = 16 * 1024 * 1024
"""Maximum size of a study in bytes."""
LONGEST_COMMENT = 4000
"""Maximum length of a comment in characters."""
LONGEST_TITLE = 60
"""Maximum length of a title in characters."""

MarkKind = Literal["good", "doubtful", "blunder", "turning_point", "question"]
MARK_KINDS: tuple[MarkKind, ...] = get_args(MarkKind)
MARK_SIGNS: dict[MarkKind, str] = {
    "good": "+", "doubtful": "~", "blunder": "x", "turning_point": "*", "question": "?",
}  # fmt: skip
"""A sign of one cell for each kind of mark, in every character set."""
MARK_NAMES: dict[MarkKind, str] = {
    "good": "good", "doubtful": "doubtful", "blunder": "blunder", "turning_point": "turning point",
    "question": "question",
}  # fmt: skip

_LineNumber = Annotated[int, msgspec.Meta(ge=1)]
_Hash = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{32}$")]
_Title = Annotated[str, msgspec.Meta(max_length=LONGEST_TITLE)]
_Name = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]


class StudyError(StorageError):
    """A study cannot be used or saved; the message names the file, the problem, and what to do."""


class StudyInUse(StudyError):
    """Another program has the study open for writing."""


class Comment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A comment on a line.

    Attributes:
        line: the line of the log.
        text: Markdown of one or more lines. It comes from a person: show it as text, and escape it in HTML.
        author: the name of the person.
        time: ISO 8601, in UTC.
    """

    line: _LineNumber
    text: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_COMMENT)]
    author: Annotated[str, msgspec.Meta(max_length=64)] = ""
    time: Annotated[str, msgspec.Meta(max_length=40)] = ""


class Mark(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A judgement of the act in a line; a line has at most one of each kind."""

    line: _LineNumber
    kind: MarkKind


class Arrow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"start": "from", "end": "to"}):
    """An arrow on the map from one place to another, shown at a line. Places are ids of Areas, Sea Zones or Homes."""

    line: _LineNumber
    start: _Name
    end: _Name


class Highlight(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A highlighted place on the map, shown at a line. Attributes: `area`, the id of an Area, Sea Zone or Home."""

    line: _LineNumber
    area: _Name


class AnnotatedLog(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A log with annotations.

    Attributes:
        file: its path relative to the folder of the study, or an absolute path.
        hash: the hash of its header, which identifies the game.
        lines: the number of its last line when it was last opened in the study.
        tip: the hash of that line.
        title: its title, "" for the name of the file.
        comments, marks, arrows, highlights: the annotations, ordered by line.
    """

    file: Annotated[str, msgspec.Meta(min_length=1, max_length=4096)]
    hash: _Hash
    lines: _LineNumber
    tip: _Hash
    title: _Title = ""
    comments: tuple[Comment, ...] = ()
    marks: tuple[Mark, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    highlights: tuple[Highlight, ...] = ()


class Branch(AnnotatedLog, frozen=True, kw_only=True):
    """A log that plays on from a line of another one.

    Attributes:
        parent: the hash (`AnnotatedLog.hash`) of the log that it leaves: its chapter's, or another branch's.
        line: the last line of the parent that it continues.
        seat: the seat that the author plays in it.
    """

    parent: _Hash
    line: _LineNumber
    seat: _Name


class Chapter(AnnotatedLog, frozen=True, kw_only=True):
    """A game, or a position in one, with its branches.

    Attributes:
        at: the line at which the chapter opens; above 1 it is a position.
        seat: the seat whose view is studied; "" for every view, which only a finished game allows.
        branches: the branches, in the order of the tree.
    """

    at: _LineNumber = 1
    seat: Annotated[str, msgspec.Meta(max_length=64)] = ""
    branches: tuple[Branch, ...] = ()


def as_chapter(log: AnnotatedLog, seat: str, file: str = "", branches: tuple[Branch, ...] = ()) -> Chapter:
    """Return a log with its annotations as a chapter. Args: as of `Chapter`; by default the file of the log."""
    fields = {name: getattr(log, name) for name in AnnotatedLog.__struct_fields__}
    return Chapter(**{**fields, "file": file or log.file}, seat=seat, branches=branches)


class Study(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A study. Attributes: `version` of the format; `chapters`, at least one."""

    version: int = STUDY_VERSION
    chapters: Annotated[tuple[Chapter, ...], msgspec.Meta(min_length=1)]


class _Version(msgspec.Struct, frozen=True):
    version: int


_study_decoder = msgspec.json.Decoder(Study)


# --- hashes -----------------------------------------------------------------------------------------------------------


def line_hash(lines: Sequence[Line], tip: str, number: int) -> str:
    """Return the hash of a line of a log; line 1 is the header, whose hash identifies the game.

    Args:
        lines: the lines after the header, as `GameLog.lines` or `Parsed.lines`.
        tip: the hash of the last one, as `GameLog.tip` or `Parsed.tip`.
        number: the line, from 1 to the last line.
    """
    return tip if number == len(lines) + 1 else lines[number - 1].prev


def fits_log(log: AnnotatedLog, lines: Sequence[Line], tip: str) -> bool:
    """Return whether a log is the annotated one, grown or not. Args: as `line_hash`."""
    return (
        log.lines <= len(lines) + 1
        and line_hash(lines, tip, 1) == log.hash
        and line_hash(lines, tip, log.lines) == log.tip
    )


# --- file -------------------------------------------------------------------------------------------------------------


def study_path(log: Path) -> Path:
    return file_beside(log, STUDY_SUFFIX)


def decode_study(data: bytes, path: Path) -> Study:
    """Decode a study. Args: the path, for messages. Raises: StudyError."""
    if len(data) > LARGEST_STUDY:
        raise StudyError(path, f"{path} has more than {LARGEST_STUDY >> 20} MiB, more than any study")
    try:
        version = msgspec.json.decode(data, type=_Version).version
    except (msgspec.MsgspecError, ValueError, RecursionError):
        raise _damaged(path, "it is not a study") from None
    if version != STUDY_VERSION:
        text = f"{path} has version {version} of the format, and this program reads version {STUDY_VERSION}"
        raise StudyError(path, f"{text}; it was not changed. Open it with the version of paxtui that wrote it")
    try:
        study = _study_decoder.decode(data)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise _damaged(path, str(error)) from None
    for chapter in study.chapters:
        _check_tree(chapter, path)
    return study


def _check_tree(chapter: Chapter, path: Path) -> None:
    """Check that each branch leads to its chapter's log. Raises: StudyError."""
    reached = {chapter.hash}
    left = [*chapter.branches]
    while left:
        fitting = [branch for branch in left if branch.parent in reached]
        if not fitting:
            raise _damaged(path, f"the branch {left[0].file} has no parent")
        reached.update(branch.hash for branch in fitting)
        left = [branch for branch in left if branch not in fitting]


def _damaged(path: Path, reason: str) -> StudyError:
    text = f"{path} is damaged ({reason}); it was not changed. Move it to another folder to begin a new study"
    return StudyError(path, text)


def encode_study(study: Study) -> bytes:
    """Encode a study as JSON, readable by people."""
    return files.readable_json(study)


def load_study(path: Path) -> Study:
    """Read a study.

    Raises:
        FileNotFoundError: there is none.
        StudyError: it is damaged or of another version.
        OSError: it cannot be read.
    """
    return decode_study(files.read_regular(path), path)


class StudyFile:
    """A study open for writing, locked against other programs; a context manager. A file is made by the first `save`.

    Attributes:
        path: the file.
        study: its contents; None before the first `save` of a new study.
    """

    def __init__(self, path: Path) -> None:
        """Open a study, or prepare a new one.

        Raises:
            StudyInUse: another program has it open.
            StudyError: it is damaged or of another version.
            OSError: it cannot be read or written.
        """
        self.path = path
        self.study: Study | None = None
        self._descriptor = -1
        try:
            self._descriptor, _ = files.open_locked(path)
        except FileNotFoundError:
            return
        except files.FileLocked:
            text = f"{path} is open in another program; close it there first. Nothing was changed"
            raise StudyInUse(path, text) from None
        try:
            self.study = decode_study(files.read_all(self._descriptor, path), path)
        except BaseException:
            self.close()
            raise

    def save(self, study: Study) -> None:
        """Replace the file atomically and keep the lock.

        Raises:
            StudyError: another program has replaced, deleted or created the file; the study is then saved beside it.
            OSError: the write failed; the old file is unchanged.
        """
        data = encode_study(study)
        decode_study(data, self.path)  # nothing is written that could not be opened again
        is_new = self._descriptor < 0
        if not is_new and not files.is_file_of(self._descriptor, self.path):
            self._rescue(data)
        try:
            new = files.write_locked(self.path, data, replace=not is_new)
        except FileExistsError:
            self._rescue(data)
        self.close()
        self._descriptor, self.study = new, study
        files.sync_directory(self.path.parent)

    def _rescue(self, data: bytes) -> NoReturn:
        """Save the study under another name. Raises: StudyError, always; OSError."""
        for n in range(1, 1000):
            beside = self.path.with_name(f"{self.path.stem}.rescued{n if n > 1 else ''}{STUDY_SUFFIX}")
            with suppress(FileExistsError):
                files.write_new(beside, data)
                text = f"another program has replaced {self.path}. Your version is saved as {beside.name}"
                raise StudyError(self.path, f"{text}; open the study again")
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(beside))

    def close(self) -> None:
        """Release the lock."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> StudyFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
