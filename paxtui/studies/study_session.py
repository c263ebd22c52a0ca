"""A log displayed in a study: a replay with annotations."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from paxtui.engine.log import FIRST_RULEBOOK
from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import SeatOccupant
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.state.model import State
from paxtui.games.pax.text.display import the_power
from paxtui.session.game_host import Clock, utc_now
from paxtui.session.replay import ReplaySession
from paxtui.session.storage.files import StorageError
from paxtui.session.storage.log_store import rulebook_of
from paxtui.studies.editing import (
    LogRef,
    add_comment,
    annotated_lines,
    clean_comment,
    find_ref,
    put_log,
    replace_comment,
    toggle_arrow,
    toggle_highlight,
    toggle_mark,
)
from paxtui.studies.study import (
    MARK_SIGNS,
    Arrow,
    Branch,
    Chapter,
    Comment,
    Highlight,
    Mark,
    MarkKind,
    fits_log,
)
from paxtui.studies.study_book import StudyBook, open_book, other_log, studied_seat

COMMENT_SIGN = '"'
"""Sign of a line with a comment and without a mark."""
BRANCH_SIGN = ">"
"""Sign of a line that branches leave."""
DRAWING_SIGN = "'"
"""Sign of a line that has only arrows and highlighted places."""


class LineNotes(NamedTuple):
    """The annotations of a line. Attributes: as of `AnnotatedLog`; the branches that leave the line."""

    comments: tuple[Comment, ...] = ()
    marks: tuple[Mark, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    highlights: tuple[Highlight, ...] = ()
    branches: tuple[Branch, ...] = ()


class StudySession(ReplaySession):
    """A log of a study, from its first line on. Annotations can be changed, the log cannot.

    Lines of annotations are numbers of the full log; the displayed line is the viewpoint's own number.

    Args:
        book: the open study.
        ref: the log.
        seat: the seat whose view is studied, for a new study of a game that is not over.
    """

    def __init__(self, book: StudyBook, ref: LogRef, seat: str = "") -> None:
        """Raises: FileNotFoundError, OSError, BrokenLog, TableError, StudyError; Refusal as `open_study`."""
        log, chapter = find_ref(book.study, ref), book.study.chapters[ref.chapter]
        path = book.log_path(log)
        if rulebook_of(path) != FIRST_RULEBOOK:
            raise StorageError(path, f"{path} is a game of another kind; studies are for Pax Britannica")
        super().__init__(path)
        self.book, self.ref = book, ref
        self._shown: tuple[object, dict[int, LineNotes], dict[int, str]] = (None, {}, {})
        lines, tip = self._host.game.lines, self._host.game.tip
        if not fits_log(log, lines, tip):
            raise other_log(book.path, path)
        self._only = chapter.seat
        if isinstance(log, Chapter):
            self._only = self._choose_seat(log, seat)
        book.note_growth(ref, lines, tip)
        self.view.change_viewpoint(self._only or ARBITER)
        if self._only:
            self.seat = self.power = self._only
        if isinstance(log, Chapter):
            self.view.at = max(1, self.view.number_of(log.at))

    def _choose_seat(self, chapter: Chapter, seat: str) -> str:
        """Return the seat whose view is studied, "" for all, and store it. Raises: Refusal."""
        if self._host.state.result is None and chapter.seat and seat not in ("", chapter.seat):
            theirs = the_power(self.tables, chapter.seat)
            name = self.book.path.name
            raise Refusal("other_seat", (), f"{name} is a study as {theirs} sees the game, and the game is not over.")
        is_own_branch = self._host.game.header.parent is not None
        chosen = chapter.seat if is_own_branch else studied_seat(self._host, chapter.seat or seat)
        if chosen != chapter.seat:
            self.book.adopt(put_log(self.book.study, self.ref, replace(chapter, seat=chosen)))
        return chosen

    # --- viewpoint ------------------------------------------------------------------------------------------------

    @property
    def viewpoints(self) -> tuple[str, ...]:
        """The available viewpoints: one seat of a game that is not over; otherwise all."""
        if self._only:
            return (self._only,)
        return tuple(dict.fromkeys((*super().viewpoints, ARBITER)))

    def take_seat(self, seat: str) -> None:
        """Show the sheets of another Power, if its view may be studied."""
        if not self._only:
            super().take_seat(seat)

    @property
    def study_path(self) -> Path | None:
        return self.book.path

    @property
    def read_only_label(self) -> str:
        """What the top line shows."""
        return f"study · {self.viewpoint_label(self.view.viewpoint)}"

    # --- annotations ----------------------------------------------------------------------------------------------

    @property
    def log(self) -> Chapter | Branch:
        """The displayed log with its annotations."""
        return find_ref(self.book.study, self.ref)

    @property
    def place(self) -> int:
        """The displayed line, by its number in the full log."""
        return self.view.place_of(self.line)

    @property
    def notes_by_line(self) -> Mapping[int, LineNotes]:
        """The annotations by the viewpoint's line number."""
        key = (self.log, self.book.study.chapters[self.ref.chapter].branches, self.view.viewpoint)
        if self._shown[0] != key:
            found = self._collect_notes()
            self._shown = (key, found, {line: _sign(notes) for line, notes in found.items()})
        return self._shown[1]

    def _collect_notes(self) -> dict[int, LineNotes]:
        log, number = self.log, self.view.number_of
        branches = [one for one in self.book.study.chapters[self.ref.chapter].branches if one.parent == log.hash]
        places = {*annotated_lines(log), *(branch.line for branch in branches)}
        found: dict[int, LineNotes] = {}
        for place in sorted(places):
            own = found.get(number(place), LineNotes())
            found[number(place)] = LineNotes(
                (*own.comments, *(c for c in log.comments if c.line == place)),
                (*own.marks, *(m for m in log.marks if m.line == place)),
                (*own.arrows, *(a for a in log.arrows if a.line == place)),
                (*own.highlights, *(h for h in log.highlights if h.line == place)),
                (*own.branches, *(b for b in branches if b.line == place)),
            )
        return found

    @property
    def notes_here(self) -> LineNotes:
        """The annotations of the displayed line."""
        return self.notes_by_line.get(self.line, LineNotes())

    @property
    def line_signs(self) -> Mapping[int, str]:
        """A sign of one cell for each annotated line, by the viewpoint's line number."""
        return self._shown[2] if self.notes_by_line else {}

    def write_comment(self, text: str, old: Comment | None = None) -> None:
        """Add a comment to the displayed line, or change one ("" deletes it). Raises: Refusal, OSError."""
        text, log, time = clean_comment(text), self.log, self.book.clock()
        if old is None and not text:
            return
        line = self.place if old is None else old.line
        new = Comment(line, text, self.book.author if old is None else old.author, time) if text else None
        self._put(replace_comment(log, old, new) if old is not None else add_comment(log, new) if new else log)

    def toggle_mark(self, kind: MarkKind) -> None:
        """Mark the displayed line, or remove the mark. Raises: Refusal, OSError."""
        self._put(toggle_mark(self.log, self._line_of(self.notes_here.marks, Mark(self.place, kind)), kind))

    def toggle_arrow(self, start: str, end: str) -> None:
        """Draw an arrow at the displayed line, or remove it. Raises: Refusal, OSError."""
        arrow = Arrow(self.place, start, end)
        self._put(toggle_arrow(self.log, replace(arrow, line=self._line_of(self.notes_here.arrows, arrow))))

    def toggle_highlight(self, area: str) -> None:
        """Highlight a place at the displayed line, or no longer. Raises: Refusal, OSError."""
        highlight = Highlight(self.place, area)
        line = self._line_of(self.notes_here.highlights, highlight)
        self._put(toggle_highlight(self.log, replace(highlight, line=line)))

    def _line_of(self, shown: tuple[Mark | Arrow | Highlight, ...], wanted: Mark | Arrow | Highlight) -> int:
        """Return the line of a shown annotation like the wanted one: a line hidden from the viewpoint is shown here."""
        return next((one.line for one in shown if replace(one, line=wanted.line) == wanted), wanted.line)

    def _put(self, log: Chapter | Branch) -> None:
        self.book.change(put_log(self.book.study, self.ref, log))
        self._notify()

    def next_note(self, step: int) -> int | None:
        """Return the next annotated line after the displayed one, or before it for -1; None if there is none."""
        lines = [n for n in sorted(self.notes_by_line) if (n > self.line if step > 0 else n < self.line)]
        return None if not lines else lines[0] if step > 0 else lines[-1]

    # --- branches and positions -----------------------------------------------------------------------------------

    def play_on(self, seat: str, occupants: Mapping[str, SeatOccupant], title: str) -> LogRef:
        """Create a branch from the displayed line. Args: as `StudyBook.add_branch`. Raises: Refusal, OSError."""
        viewpoint = self._only or ARBITER
        ref = self.book.add_branch(self.ref, self._host, self.place, viewpoint, seat, occupants, title)
        self._notify()
        return ref

    def full_position(self) -> State:
        """Return the displayed position with all that this study may show."""
        return self.state if self._only else self._host.game.seek(self.place)

    def open_log(self, ref: LogRef) -> StudySession:
        """Return the session of another log of the study. Raises: as `StudySession`."""
        return StudySession(self.book, ref)


def _sign(notes: LineNotes) -> str:
    if notes.marks:
        return MARK_SIGNS[notes.marks[0].kind]
    if notes.comments:
        return COMMENT_SIGN
    return BRANCH_SIGN if notes.branches else DRAWING_SIGN


def open_study(path: Path, seat: str = "", author: str = "", clock: Clock = utc_now) -> StudySession:
    """Open the study of a log, or begin one, and display it.

    Args:
        path: the log, or the study.
        seat: the seat whose view is studied, for a game that is not over.
        author, clock: the name and the time of new comments.

    Raises:
        FileNotFoundError, OSError, BrokenLog, TableError: the log or the study cannot be read.
        StudyError: the study is damaged, of another version, or of another log.
        Refusal: `seat_needed` with the possible `seats`; `other_seat`.
    """
    book, ref = open_book(path, author, clock)
    try:
        return StudySession(book, ref, seat)
    except BaseException:
        book.close()
        raise
