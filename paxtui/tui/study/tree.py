"""The tree of a study: its chapters, and the branches of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import ClassVar, Protocol

from rich.text import Text
from textual.binding import BindingType

from paxtui.engine.log import BrokenLog
from paxtui.engine.refusal import Refusal
from paxtui.games.pax.state.model import State
from paxtui.games.pax.text.display import power_name
from paxtui.session.storage.files import describe_error
from paxtui.studies.editing import LogRef, TreeRow, annotated_lines, find_ref, rename_log, tree
from paxtui.studies.study import Branch
from paxtui.studies.study_session import StudySession
from paxtui.tui.base.dialogs import InputDialog, ListDialog, PickDialog, ask_log
from paxtui.tui.base.keymap import bind

NOT_ON_SERVER = "Other games and branches need your own computer: export the game from the server (docs/study.md)."
WHOSE_VIEW = "This game is not over. Whose view do you study?"


class StudyActions(Protocol):
    """The actions of the study screen that the tree calls."""

    def attempt(self, change: Callable[[], object]) -> bool:
        """Change the study, or show why it cannot be changed; return whether it was."""

    def play(self, ref: LogRef) -> None:
        """Play a branch."""

    def mark_position(self, session: StudySession, label: str) -> None:
        """Mark the displayed position of a session for comparison."""

    def compare_position(self, now: State, label: str) -> None:
        """Show what differs between the marked position and another one."""


TITLE_CELLS, NARROW_TITLE_CELLS = 42, 34
"""Cells of the titles in the tree, with their indent; on a screen of less than 100 columns."""


class TreeScreen(ListDialog[LogRef | None]):
    """Chapters and branches; its result is the log to show.

    Args: the session; the study screen, which plays branches and compares positions.
    """

    TOPIC = "study_tree"
    hint_text = (
        "Enter show · {tree.play} continue · {tree.rename} rename · {tree.promote} promote · "
        "{tree.delete} delete · {tree.restore} restore · {tree.add} add a game · {tree.here} add this position · "
        "{tree.mark} {tree.compare} compare · {tree.close} back"
    )
    list_id = "study-tree"
    detail_id = "study-tree-more"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("tree.close", "escape,q", "close", "Close", "Back to the study"),
        bind("tree.play", "g", "play", "Go on", "Continue playing this branch"),
        bind("tree.rename", "r", "rename", "Rename", "Rename it"),
        bind("tree.promote", "p", "promote", "Promote", "Move it up a level; a first branch becomes a chapter"),
        bind("tree.delete", "x,delete", "delete", "Delete", "Remove it; its log goes to the trash"),
        bind("tree.restore", "u", "restore", "Restore", "Restore the last deleted item"),
        bind("tree.add", "a", "add", "Add a game", "Add another game as a chapter"),
        bind("tree.here", "h", "here", "Add this position", "Add the displayed position as a chapter"),
        bind("tree.mark", "m", "mark", "Mark", "Mark its last position for comparison"),
        bind("tree.compare", "equals_sign", "compare", "Compare", "Compare its last position"),
    ]

    def __init__(self, session: StudySession, screen: StudyActions) -> None:
        super().__init__()
        self._session, self._screen, self._book = session, screen, session.book
        self._logs: list[TreeRow] = []
        self.title_text = f"Chapters and branches · {self._book.path.name}"
        self._fill_rows(session.ref)

    def _fill_rows(self, ref: LogRef | None) -> None:
        self._logs = list(tree(self._book.study))
        self.first = next((n for n, row in enumerate(self._logs) if row.ref == ref), 0)

    def lines(self) -> Iterable[Text]:
        """Return a row for each log: its place in the tree, title, and where it begins and ends."""
        for ref, depth in self._logs:
            log, text = find_ref(self._book.study, ref), Text(no_wrap=True, overflow="ellipsis")
            text.append(self.look.palette.text("   " * (depth - 1) + "└─ " if depth else ""), self.look.faint)
            here = ref == self._session.ref
            text.append(self.look.palette.text(self._book.title(log)), "bold" if here else "")
            cells = TITLE_CELLS if self.app.size.width >= 100 else NARROW_TITLE_CELLS
            text.truncate(cells, overflow="ellipsis", pad=True)
            begins = log.line if isinstance(log, Branch) else log.at
            notes = len(annotated_lines(log))
            text.append(f" from {begins:>4} · {log.lines:>4} lines", self.look.faint)
            text.append(f" · {notes} note{'s' * (notes > 1)}" if notes else "", self.look.faint)
            yield text

    def detail(self, row: int) -> Text:
        """Return the details of a log: its file, and who plays it."""
        log = find_ref(self._book.study, self._logs[row].ref)
        text = Text(self.look.palette.text(log.file))
        if isinstance(log, Branch):
            text.append(f"\n{power_name(self._session.tables, log.seat)} plays on from line {log.line}.")
        elif log.seat:
            text.append(f"\nAs {power_name(self._session.tables, log.seat)} sees it: the game was not over.")
        return text

    @property
    def _chosen(self) -> LogRef:
        return self._logs[self.row or 0].ref

    def choose(self, row: int) -> None:
        self.dismiss(self._logs[row].ref)

    def _change(self, change: Callable[[], LogRef | None]) -> None:
        """Change the study and show the tree, or show why it cannot be changed."""
        refs: list[LogRef | None] = []
        if self._screen.attempt(lambda: refs.append(change())):
            self._fill_rows(refs[0])
            self.fill(self.first)

    # --- keys -----------------------------------------------------------------------------------------------------

    def action_play(self) -> None:
        ref = self._chosen
        self.dismiss(None)
        self._screen.play(ref)

    def action_rename(self) -> None:
        ref = self._chosen
        log = find_ref(self._book.study, ref)
        dialog = InputDialog("The title", self._book.title(log))
        self.app.ask(dialog, lambda title: self._change(lambda: self._rename(ref, title)))

    def _rename(self, ref: LogRef, title: str) -> LogRef:
        self._book.change(rename_log(self._book.study, ref, title))
        return ref

    def action_promote(self) -> None:
        """Move the log up; a first branch becomes a chapter."""
        ref, at = self._chosen, self._session.ref
        shown = find_ref(self._book.study, at).hash

        def promote() -> LogRef:
            new = self._book.promote(ref)
            self._follow(shown)
            return new

        self._change(promote)

    def _follow(self, shown: str) -> None:
        """Let the session follow its log to its new place in the tree. Args: the hash of its log."""
        old = self._session.ref
        fitting = [row.ref for row in tree(self._book.study) if find_ref(self._book.study, row.ref).hash == shown]
        if fitting:
            self._session.ref = old if old in fitting else fitting[0]

    def action_delete(self) -> None:
        ref = self._chosen
        if ref == self._session.ref:
            self.notify("This log is open. Show another one first.", timeout=4)
            return
        log, shown = find_ref(self._book.study, ref), find_ref(self._book.study, self._session.ref).hash

        def delete() -> None:
            self._book.delete(ref)
            self._follow(shown)

        where = "Its log goes to the trash." if isinstance(log, Branch) else "Its notes go to the trash; its log stays."
        title = f"Delete {self._book.title(log)}? {where}"
        dialog = PickDialog(title, ("Delete it", "Keep it"), 1)
        self.app.ask(dialog, lambda number: self._change(delete) if number == 0 else None)

    def action_restore(self) -> None:
        shown = find_ref(self._book.study, self._session.ref).hash

        def restore() -> LogRef:
            ref = self._book.restore()
            self._follow(shown)
            return ref

        self._change(restore)

    def action_add(self) -> None:
        if self.app.is_on_server:
            self.notify(NOT_ON_SERVER, severity="warning", timeout=8)
            return
        ask_log(self.app, lambda path: self._add(path, "", 1))

    def action_here(self) -> None:
        log = self._session.log
        chapter = self._book.study.chapters[self._session.ref.chapter]
        self._add(self._book.log_path(log), chapter.seat, self._session.place)

    def _add(self, path: Path, seat: str, place: int) -> None:
        try:
            ref = self._book.add_chapter(path, seat, place)
        except Refusal as refusal:
            seats = refusal.detail.get("seats", ())
            if refusal.code != "seat_needed":
                self.notify(refusal.message, severity="warning", timeout=8)
                return

            names = [power_name(self._session.tables, one) for one in seats]
            self.app.ask(PickDialog(WHOSE_VIEW, names), lambda number: self._add(path, seats[number], place))
        except (BrokenLog, OSError) as error:
            self.notify(f"{describe_error(error)}.", title="This game cannot be added", severity="error", timeout=10)
        else:
            self._fill_rows(ref)
            self.fill(self.first)

    def action_mark(self) -> None:
        self._screen.attempt(lambda: self._screen.mark_position(self._at_end(), f"The end of {self._title()}"))

    def action_compare(self) -> None:
        self._screen.attempt(
            lambda: self._screen.compare_position(self._at_end().full_position(), f"the end of {self._title()}")
        )

    def _title(self) -> str:
        return self._book.title(find_ref(self._book.study, self._chosen))

    def _at_end(self) -> StudySession:
        """Return the session of the chosen log at its end. Raises: as `StudySession`."""
        session = self._session.open_log(self._chosen)
        session.look_at(None)
        return session
