"""An open study: its file, its logs on the disk, and every change of it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from msgspec.structs import replace

from paxtui.engine.log import Line, Parsed
from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import SeatOccupant
from paxtui.games.pax.text.display import join_with_or, the_power
from paxtui.session.game_host import Clock, utc_now
from paxtui.session.pax_host import PaxHost
from paxtui.session.storage.files import player_data
from paxtui.session.storage.log_store import LOG_SUFFIX, read_log, save_dir
from paxtui.session.storage.saved_games import (
    LONGEST_NAME,
    STUDY_SUFFIX,
    TRASH,
    game_name,
    move_to_trash,
    restore_from_trash,
)
from paxtui.studies.branches import create_branch
from paxtui.studies.editing import LogRef, add_branch, annotated_lines, find_ref, promote, put_log, remove_log, tree
from paxtui.studies.study import (
    AnnotatedLog,
    Branch,
    Chapter,
    Study,
    StudyError,
    StudyFile,
    StudyInUse,
    as_chapter,
    fits_log,
    line_hash,
    load_study,
    study_path,
)


@dataclass(frozen=True)
class Deletion:
    """A deleted log.

    Attributes:
        before: the study before.
        ref: where the log was.
        path, trashed: of a branch, the path of its log and the path in the trash; None if its log was not there.
        notes: whether its annotations were written beside its log.
    """

    before: Study
    ref: LogRef
    path: Path | None = None
    trashed: Path | None = None
    notes: bool = False


class StudyBook:
    """A study that is open. Every change is on the disk when its method returns.

    Attributes:
        path: the file of the study.
        study: its contents.
        blocked: why it cannot be changed now, as a sentence; "" if it can.
        author, clock: the name and the time of new comments.
    """

    def __init__(self, path: Path, study: Study | None = None, author: str = "", clock: Clock = utc_now) -> None:
        """Open a study, or begin a new one.

        If another program has it open, or it is write-protected, it is only read.

        Args:
            path: the file.
            study: the contents of a new one, whose file is made by the first change.
            author, clock: as above.

        Raises:
            FileNotFoundError: the file does not exist, and there is no new study.
            StudyError: it is damaged or of another version.
            OSError: it cannot be read.
        """
        self.path, self.author, self.clock, self.blocked = path, author, clock, ""
        self._file: StudyFile | None = None
        self._deleted: list[Deletion] = []
        try:
            self._file = StudyFile(path)
        except StudyInUse:
            self.blocked = f"{path.name} is open in another program. Close it there, then open the study again."
        except PermissionError:
            self.blocked = f"{path.name} is write-protected."
        found = load_study(path) if self._file is None else self._file.study or study
        if found is None:
            raise FileNotFoundError(2, os.strerror(2), str(path))
        self.study = found

    def change(self, study: Study) -> None:
        """Save a changed study.

        Raises:
            Refusal: the study is only read.
            StudyError, OSError: it cannot be saved; nothing has changed.
        """
        if self._file is None:
            raise Refusal("study_blocked", (), self.blocked)
        if study != self._file.study:
            self._file.save(study)
        self.study = study

    def adopt(self, study: Study) -> None:
        """Keep a change that the reader has not made; it is saved with the next one."""
        self.study = study

    def close(self) -> None:
        """Release the file."""
        if self._file is not None:
            self._file.close()

    # --- logs -----------------------------------------------------------------------------------------------------

    def log_path(self, log: AnnotatedLog) -> Path:
        return self.path.parent / log.file

    def title(self, log: AnnotatedLog) -> str:
        return log.title or game_name(Path(log.file))

    def note_growth(self, ref: LogRef, lines: tuple[Line, ...], tip: str) -> None:
        """Remember how far a log goes."""
        log = find_ref(self.study, ref)
        if log.lines != len(lines) + 1:
            self.adopt(put_log(self.study, ref, replace(log, lines=len(lines) + 1, tip=tip)))

    def read_growth(self, ref: LogRef) -> None:
        """Read how far the log of a branch goes after it was played. Raises: BrokenLog, OSError."""
        parsed = read_log(self.log_path(find_ref(self.study, ref)))
        self.note_growth(ref, parsed.lines, parsed.tip)

    def add_chapter(self, log: Path, seat: str = "", at: int = 1) -> LogRef:
        """Add a game, or a position in one, as the last chapter.

        Args: the log; the seat whose view is studied, "" for a finished game; the line of the position.

        Raises: BrokenLog; Refusal `seat_needed`; StudyError; OSError.
        """
        host = PaxHost.open(log, write=False)
        new = chapter_of(Parsed(host.game.header, host.game.lines, "", b"", host.game.tip), self._name_of(log))
        known = next((one.seat for one in self.study.chapters if one.hash == new.hash), "")
        seat = studied_seat(host, seat or known)
        if known and seat not in ("", known):
            theirs = the_power(host.tables, known)
            raise Refusal("other_seat", (), f"This study shows the game as {theirs} sees it, and the game is not over.")
        chapter = replace(new, seat=seat, at=at)
        self.change(replace(self.study, chapters=(*self.study.chapters, chapter)))
        return LogRef(len(self.study.chapters) - 1)

    def _name_of(self, log: Path) -> str:
        log = log.absolute()
        folder = self.path.absolute().parent
        return str(log.relative_to(folder)) if log.is_relative_to(folder) else str(log)

    # --- branches -------------------------------------------------------------------------------------------------

    def add_branch(
        self, ref: LogRef, host: PaxHost, line: int, viewpoint: str, seat: str,
        occupants: Mapping[str, SeatOccupant], title: str = "",
    ) -> LogRef:  # fmt: skip
        """Play on from a line of a log: create the branch and add it to the study.

        Args: the log; its game; the line in the full log; the other arguments as of `create_branch`.

        Raises: Refusal; StudyError; OSError. No log remains.
        """
        if self.blocked:
            raise Refusal("study_blocked", (), self.blocked)
        path = self._free_branch_path()
        branch = create_branch(host, line, viewpoint, path, seat, occupants, title=title, clock=self.clock)
        try:
            self.change(add_branch(self.study, ref.chapter, replace(branch, file=self._name_of(path))))
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        return LogRef(ref.chapter, branch.hash)

    def _free_branch_path(self) -> Path:
        folder = self.path.parent if os.access(self.path.parent, os.W_OK) else save_dir()
        name = self.path.name.removesuffix(STUDY_SUFFIX)[: LONGEST_NAME - len(", branch 999")].strip(" .") or "study"
        numbered = (folder / f"{name}, branch {number}{LOG_SUFFIX}" for number in count(1))
        return next(path for path in numbered if not os.path.lexists(path))

    def promote(self, ref: LogRef) -> LogRef:
        """Promote a log, as `editing.promote`; return where it is then. Raises: Refusal, StudyError, OSError."""
        study, new = promote(self.study, ref)
        self.change(study)
        return new

    def delete(self, ref: LogRef) -> None:
        """Delete a log from the study. The log of a branch goes to the trash, and annotations do.

        Raises: Refusal, StudyError, OSError: nothing has changed.
        """
        if self.blocked:
            raise Refusal("study_blocked", (), self.blocked)
        before, log = self.study, find_ref(self.study, ref)
        study, path = remove_log(before, ref), self.log_path(log)
        if not isinstance(log, Branch) or not path.exists():
            self._trash_notes(log)
            self.change(study)
            self._deleted.append(Deletion(before, ref))
            return
        notes = bool(annotated_lines(log)) and not study_path(path).exists()
        if notes:
            _write_notes(log, path.name, study_path(path))
        deletion = Deletion(before, ref, path, move_to_trash(path), notes)
        try:
            self.change(study)
        except BaseException:
            self._restore_log(deletion)
            raise
        self._deleted.append(deletion)

    def _trash_notes(self, log: Chapter | Branch) -> None:
        """Write the annotations of a log to the trash as a study of their own. Raises: StudyError, OSError."""
        if not annotated_lines(log):
            return
        trash = self.path.parent / TRASH
        trash.mkdir(mode=0o700, exist_ok=True)
        names = (f"{self.path.stem}{f' {n}' if n > 1 else ''}{STUDY_SUFFIX}" for n in count(1))
        free = next(trash / name for name in names if not os.path.lexists(trash / name))
        _write_notes(log, str(self.log_path(log).absolute()), free)

    def _restore_log(self, deletion: Deletion) -> Path | None:
        """Bring the log of a branch back from the trash, and return its path. Raises: OSError."""
        if deletion.trashed is None or deletion.path is None:
            return None
        back = restore_from_trash(deletion.trashed, deletion.path)
        if deletion.notes:  # they are in the study again
            study_path(back).unlink(missing_ok=True)
        return back

    def restore(self) -> LogRef:
        """Restore what was deleted last. Raises: Refusal if there is nothing, or the study has changed since."""
        if not self._deleted:
            raise Refusal("nothing_deleted", (), "Nothing has been deleted since the study was opened.")
        deletion = self._deleted[-1]
        if remove_log(deletion.before, deletion.ref) != self.study:
            text = "The study has changed since. The log is in the folder trash beside the study."
            raise Refusal("changed_since", (), text)
        before = deletion.before
        back = self._restore_log(deletion)
        if back is not None:
            log = find_ref(before, deletion.ref)
            before = put_log(before, deletion.ref, replace(log, file=self._name_of(back)))
        self.change(before)
        self._deleted.pop()
        return deletion.ref


def _write_notes(log: Chapter | Branch, file: str, path: Path) -> None:
    """Write the annotations of a log as a new study. Args: the log; its path for the study; the study.

    Raises: StudyError, OSError.
    """
    own = as_chapter(log, log.seat if isinstance(log, Chapter) else "", file)
    with StudyFile(path) as new:
        new.save(Study(chapters=(own,)))


# --- opening ----------------------------------------------------------------------------------------------------------


def studied_seat(host: PaxHost, seat: str) -> str:
    """Return the seat whose view is studied: "" for a finished game, otherwise the given one or the only person's.

    The log of a seat, saved from a server, is studied as that seat. A branch is the reader's own analysis and contains
    no secrets of other players: "" for it.

    Raises: Refusal `unknown_seat`; `other_seat` for a seat that the reader does not play; `seat_needed` with the
        possible `seats`.
    """
    if host.state.result is not None or host.game.header.parent is not None:
        return ""
    persons = [one for one in host.state.players if not host.occupant(one).is_automatic]
    seats = [exported_seat(host)] if exported_seat(host) else persons or list(host.state.players)
    if seat:
        host.check_seat(seat)
        if seat not in seats:
            names = join_with_or([the_power(host.tables, one) for one in seats])
            wanted = the_power(host.tables, seat)
            text = f"This game is not over, so you can study it as {names}, but not as {wanted}."
            raise Refusal("other_seat", (), text)
        return seat
    if len(seats) == 1:
        return seats[0]
    raise Refusal(
        "seat_needed", (),
        f"This game is not over, so a study shows it as one seat sees it. Choose one with --seat: {', '.join(seats)}.",
        seats=seats,
    )  # fmt: skip


def exported_seat(host: PaxHost) -> str:
    """Return the seat whose log this is; "" for a complete log. The log of a seat has no orders of other seats."""
    acts = [line for line in host.game.lines if line.kind == "act"]
    own = {line.seat for line in acts if line.action is not None}
    return own.pop() if len(own) == 1 and any(line.action is None for line in acts) else ""


def chapter_of(parsed: Parsed, file: str) -> Chapter:
    """Return a new chapter of a log."""
    lines, tip = parsed.lines, parsed.tip
    return Chapter(file=file, hash=line_hash(lines, tip, 1), lines=len(lines) + 1, tip=tip)


def open_book(path: Path, author: str = "", clock: Clock = utc_now) -> tuple[StudyBook, LogRef]:
    """Open the study of a log, or begin one.

    Args:
        path: the log, or the study itself.
        author, clock: as of `StudyBook`.

    Returns:
        The study, and where the log is in it; for the path of a study its first chapter.

    Raises:
        FileNotFoundError, BrokenLog, OSError: the log or the study cannot be read.
        StudyError: the study is damaged, of another version, or of another log.
    """
    if path.suffix == STUDY_SUFFIX:
        return StudyBook(path, author=author, clock=clock), LogRef(0)
    parsed = read_log(path)
    lines, tip = parsed.lines, parsed.tip
    header_hash = line_hash(lines, tip, 1)
    place, file = study_path(path), path.name
    if not place.exists() and not os.access(path.absolute().parent, os.W_OK):
        place, file = player_data() / "studies" / f"{header_hash}{STUDY_SUFFIX}", str(path.absolute())
        place.parent.mkdir(parents=True, exist_ok=True)
    book = StudyBook(place, Study(chapters=(chapter_of(parsed, file),)), author, clock)
    fitting = [row.ref for row in tree(book.study) if fits_log(find_ref(book.study, row.ref), lines, tip)]
    if not fitting:
        book.close()
        raise other_log(place, path)
    log = find_ref(book.study, fitting[0])
    if not book.log_path(log).exists():  # the game has another name now
        book.adopt(put_log(book.study, fitting[0], replace(log, file=file)))
    return book, fitting[0]


def other_log(study: Path, log: Path) -> StudyError:
    """Return the error for a study that does not belong to a log."""
    text = f"{study} is the study of another log, not of {log.name}. Nothing was changed"
    return StudyError(study, f"{text}. Give one of the two another name")
