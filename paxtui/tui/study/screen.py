"""The study screen: a replay with comments, marks, drawings on the map, and branches that are played on."""

from __future__ import annotations

import getpass
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar, NamedTuple

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import TextArea

from paxtui.engine.log import BrokenLog
from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import PERSON, SeatOccupant
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.games.pax.state.model import State
from paxtui.games.pax.text.display import phase_name, place_name, power_name
from paxtui.session.local_session import LocalSession
from paxtui.session.pax_host import PaxHost
from paxtui.session.session import SessionChange
from paxtui.session.storage.files import describe_error
from paxtui.studies.editing import LogRef, clean_comment, find_ref
from paxtui.studies.study import MARK_KINDS, MARK_NAMES, MARK_SIGNS, Branch, Comment
from paxtui.studies.study_session import StudySession, open_study
from paxtui.tui.base.app import BaseApp
from paxtui.tui.base.dialogs import PickDialog, TextDialog
from paxtui.tui.base.keymap import bind
from paxtui.tui.base.screen import KeyHints, ModalDialog, PlainText
from paxtui.tui.dialogs.seats import SeatsDialog, rival_of_level
from paxtui.tui.formatting.timeline import Chapter, comparison_width, differences, war_differences_of_logs
from paxtui.tui.game.controller import Controller
from paxtui.tui.game.replay import ReplayScreen
from paxtui.tui.game.screen import GameScreen
from paxtui.tui.study.notes import first_line, notes_head
from paxtui.tui.study.tree import NOT_ON_SERVER, WHOSE_VIEW, TreeScreen
from paxtui.tui.widgets.board import MapDrawings

NOTES_ROOM = 200
"""Maximum characters of a comment in the line above the map."""


class ComparedPosition(NamedTuple):
    """A position marked for comparison.

    Attributes:
        ref: the log in which a line was marked; None for the end of a log.
        label: what it is called.
        state: the position.
    """

    ref: LogRef | None
    label: str
    state: State


class CommentDialog(ModalDialog[str | None]):
    """Write a comment of one or more lines; return it, or None if the reader cancels."""

    TOPIC = "comment"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("comment.close", "escape", "close", "Close", "Cancel", priority=True),
        bind("comment.save", "f10,ctrl+s", "save", "Save", "Save the comment", priority=True),
    ]

    def __init__(self, title: str, text: str = "") -> None:
        super().__init__()
        self._title, self._text = title, text

    def compose(self) -> ComposeResult:
        with Vertical(classes="box", id="comment-box"):
            yield PlainText(self._title, classes="title")
            yield TextArea(self._text, id="comment-text", tab_behavior="focus", compact=True)
            yield PlainText(id="comment-wrong", classes="note")
            yield KeyHints(self.format_keys("{comment.save} save · {comment.close} cancel · empty: delete"))

    def on_mount(self) -> None:
        """Focus the editor, with the cursor at the end."""
        area = self.query_one(TextArea)
        area.move_cursor(area.document.end)
        self.set_focus(area)

    def action_save(self) -> None:
        """Return the comment, or show why it cannot be saved."""
        try:
            text = clean_comment(self.query_one(TextArea).text)
        except Refusal as refusal:
            self.query_one("#comment-wrong", PlainText).update(refusal.message)
        else:
            self.dismiss(text)


class BranchGame(GameScreen):
    """A branch that is played on."""

    def on_mount(self) -> None:
        super().on_mount()
        leave = self.app.key_of("game.leave", "q")
        self.notify(f"This is a branch of the study. {leave} returns to the study.", timeout=6)

    def action_leave(self) -> None:
        """Return to the study. Everything is saved; if not, say so."""
        self.session.close()
        if self.session.trouble:
            self.app.notify(f"{self.session.trouble}.", title="The log", severity="error", timeout=30)
        self.dismiss(None)

    def action_study(self) -> None:
        """Refuse: a branch belongs to a study."""
        leave = self.app.key_of("game.leave", "q")
        self.notify(f"This is a branch of a study: {leave} returns to it.", timeout=5)

    def action_host(self) -> None:
        """Refuse: a branch belongs to a study."""
        self.notify("A branch of a study cannot be hosted.", severity="warning", timeout=6)


class StudyScreen(ReplayScreen):
    """A log of a study.

    Args: the session; its study stays open when the reader changes to another log of it.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("study.comment", "k", "comment", "Comment", "Write or edit a comment on this line"),
        bind("study.judge", "j", "judge", "Mark", "Good, doubtful, blunder, turning point, question"),
        bind("study.arrow", "v", "arrow", "Arrow", "Start or end an arrow here; repeat to remove it"),
        bind("study.highlight", "x", "highlight", "Highlight", "Highlight the place under the cursor"),
        bind("study.branch", "b", "branch", "Play on from here", "Play on from this line as any seat"),
        bind("study.tree", "y", "tree", "Tree", "Chapters and branches: open, compare, change"),
        bind("study.next", "n", "note_step(1)", "Next note", "Next line with a note"),
        bind("study.previous", "N", "note_step(-1)", "Previous note", "Previous line with a note"),
    ]

    session: StudySession

    def __init__(self, session: StudySession) -> None:
        super().__init__(session)
        self._arrow_from = ""
        self._compared: ComparedPosition | None = None

    def compose(self) -> ComposeResult:
        yield from super().compose()
        self.view.side.render_head = notes_head

    def on_mount(self) -> None:
        """Show the log below the notes, after the game screen has opened its pane."""
        self.call_next(self._open_log)

    def _open_log(self) -> None:
        self.view.side.pane = "log"
        self._show_notes()

    def topics(self) -> tuple[str, ...]:
        return ("study", *super().topics())

    def action_leave(self) -> None:
        """Close the study and return to the game below it, or to the start screen."""
        self.session.book.close()
        if any(isinstance(screen, GameScreen) for screen in self.app.screen_stack[-2:-1]):
            self.session.close()
            self.app.pop_screen()
        else:
            super().action_leave()

    # --- notes ----------------------------------------------------------------------------------------------------

    def session_changed(self, change: SessionChange) -> None:
        super().session_changed(change)
        self._show_notes()

    def _show_notes(self) -> None:
        """Draw arrows and highlighted places."""
        notes = self.session.notes_here
        arrows = tuple((arrow.start, arrow.end) for arrow in notes.arrows)
        self.view.map.drawings = MapDrawings(arrows, tuple(one.area for one in notes.highlights))
        self.view.draw_soon()

    def drawn(self) -> None:
        """On a small screen show the comment above the map."""
        notes = self.session.notes_here
        if not self.view.is_small or self.view.is_pane_in_front or not (notes.comments or notes.marks):
            self.view.hide_greeting()
            return
        text = Text()
        for mark in notes.marks:
            text.append(f"{MARK_SIGNS[mark.kind]} {MARK_NAMES[mark.kind]}  ", self.look.key)
        text.append(" · ".join(first_line(comment, NOTES_ROOM) for comment in notes.comments))
        self.view.show_greeting(text)

    def chapters(self) -> list[Chapter]:
        """Return the chapters of the game, and the lines with comments."""
        comments = [
            Chapter(self.session.view.number_of(comment.line), f"  {first_line(comment, 60)}", False)
            for comment in self.session.log.comments
        ]
        return sorted([*super().chapters(), *comments], key=lambda chapter: chapter.line)

    def action_note_step(self, step: int) -> None:
        line = self.session.next_note(step)
        if line is None:
            self.notify("No further note." if step > 0 else "No earlier note.", timeout=3)
        else:
            self.session.look_at(line)

    def attempt(self, change: Callable[[], object]) -> bool:
        """Change the study, or show why it cannot be changed; return whether it was."""
        try:
            change()
        except Refusal as refusal:
            self.notify(refusal.message, severity="warning", timeout=8)
        except BrokenLog as error:
            self.notify(str(error), severity="error", timeout=10)
        except OSError as error:
            self.notify(f"{describe_error(error)}.", title="The study is not changed", severity="error", timeout=15)
        else:
            return True
        return False

    def action_comment(self) -> None:
        """Write a comment, or choose one to change."""
        comments = self.session.notes_here.comments
        if not comments:
            self._edit(None)
            return
        lines = [*(f"Change: {first_line(comment, 60)}" for comment in comments), "Write another comment"]
        more = [*(comment.text for comment in comments), " "]
        dialog = PickDialog(f"Comments on line {self.session.line}", lines, more=more)
        self.app.ask(dialog, lambda number: self._edit(comments[number] if number < len(comments) else None))

    def _edit(self, old: Comment | None) -> None:
        if self.session.book.blocked:
            self.notify(self.session.book.blocked, severity="warning", timeout=8)
            return
        title = f"Comment on line {self.session.line} · {self._moment()}"
        dialog = CommentDialog(title, old.text if old else "")
        self.app.ask(dialog, lambda text: self.attempt(lambda: self.session.write_comment(text, old)))

    def _moment(self) -> str:
        state = self.session.state
        return f"{self.session.tables.turns[state.turn - 1].year}, {phase_name(state.phase)}"

    def action_judge(self) -> None:
        """Mark the line, or remove a mark."""
        marked = {mark.kind for mark in self.session.notes_here.marks}
        lines = [f"{MARK_SIGNS[kind]} {MARK_NAMES[kind]}{' (remove)' if kind in marked else ''}" for kind in MARK_KINDS]
        dialog = PickDialog(f"Mark line {self.session.line}", lines)
        self.app.ask(dialog, lambda number: self.attempt(lambda: self.session.toggle_mark(MARK_KINDS[number])))

    def action_arrow(self) -> None:
        """Begin an arrow at the place under the cursor, or end it there."""
        start, end = self._arrow_from, self.view.map.cursor
        if not start:
            self._arrow_from = end
            key = self.app.key_of("study.arrow", "v")
            name = place_name(self.session.tables, end)
            self.notify(f"An arrow from {name}: go to its end and press {key} again.", timeout=5)
            return
        self._arrow_from = ""
        if start != end:
            self.attempt(lambda: self.session.toggle_arrow(start, end))
        else:
            self.notify("An arrow must end in another place.", timeout=4)

    def action_highlight(self) -> None:
        self.attempt(lambda: self.session.toggle_highlight(self.view.map.cursor))

    # --- comparison -----------------------------------------------------------------------------------------------

    def perform(self, controller: Controller, action: str, arguments: tuple[object, ...]) -> object:
        """Perform an action of a controller; a mark for comparison also holds for the other logs of the study."""
        label = f"line {self.session.line} of {self.session.book.title(self.session.log)}"
        if controller is self.history and action == "mark":
            self._compared = ComparedPosition(self.session.ref, label, self.session.full_position())
        elif controller is self.history and action == "compare" and self._compared is not None:
            if self._compared.ref != self.session.ref:
                self.compare_position(self.session.full_position(), label)
                return None
        return super().perform(controller, action, arguments)

    def mark_position(self, session: StudySession, label: str) -> None:
        """Mark a position for comparison."""
        self._compared = ComparedPosition(None, label, session.full_position())
        compare = self.app.key_of("game.compare", "=")
        self.notify(f"{label} is marked: {compare} compares another position with it.", timeout=5)

    def compare_position(self, now: State, label: str) -> None:
        """Show what differs between the marked position and another one."""
        if self._compared is None:
            self.notify(f"Mark a position first: {self.app.key_of('game.mark', 'm')}.", timeout=4)
            return
        _, marked, then = self._compared
        if then.homes.keys() != now.homes.keys() or then.powers.keys() != now.powers.keys():
            self.notify("These games have other Powers, so they cannot be compared.", severity="warning", timeout=6)
            return
        width = comparison_width(self.app.size.width)
        wars = war_differences_of_logs(self.session.view.narrator, then, now, self.look, width)
        text = differences(self.session.tables, then, now, self.look, wars)
        self.app.push_screen(TextDialog(self.look.palette.text(f"{marked} → {label}"), text))

    # --- branches -------------------------------------------------------------------------------------------------

    def action_branch(self) -> None:
        """Play on from the displayed line: choose who plays, then play."""
        session = self.session
        if self.app.is_on_server:
            self.notify(NOT_ON_SERVER, severity="warning", timeout=8)
            return
        if session.book.blocked:
            self.notify(session.book.blocked, severity="warning", timeout=8)
            return
        if session.state.result is not None:
            self.notify("The game is over here. Go back to an earlier line and play on from there.", timeout=6)
            return
        rival = rival_of_level(self.app.settings.rivals)
        seated = {seat: PERSON if seat == session.seat else rival for seat in session.live.players}
        name = power_name(session.tables, session.seat)
        heading = f"Who continues from line {session.line} ({self._moment()})?"
        dialog = SeatsDialog(session, heading, seated, may_watch=True)
        self.app.ask(dialog, lambda changed: self._play_on({**seated, **changed}, f"{name} from line {session.line}"))

    def _play_on(self, occupants: dict[str, SeatOccupant], title: str) -> None:
        persons = [seat for seat, occupant in occupants.items() if not occupant.is_automatic]
        seat = self.session.seat if self.session.seat in persons or not persons else persons[0]
        refs: list[LogRef] = []
        if self.attempt(lambda: refs.append(self.session.play_on(seat, occupants, title))):
            self.play(refs[0])

    def play(self, ref: LogRef) -> None:
        """Play a branch; when the player leaves it, the study knows how far it goes."""
        book = self.session.book
        branch = find_ref(book.study, ref)
        if not isinstance(branch, Branch):
            self.notify("The log of a chapter is read-only. Play on from one of its lines instead.", timeout=5)
            return

        def back(_: None) -> None:
            self.attempt(lambda: book.read_growth(ref))
            if ref == self.session.ref:  # the log shown has grown
                self._show_log(ref)
            else:
                self.view.draw()

        def begin() -> None:
            self.app.push_screen(open_branch(PaxHost.open(book.log_path(branch)), branch.seat, self.app), back)

        self.attempt(begin)

    def action_tree(self) -> None:
        self.app.push_screen(TreeScreen(self.session, self), self._leave_tree)

    def _leave_tree(self, ref: LogRef | None) -> None:
        """Show the log that was chosen in the tree."""
        if ref is None or ref == self.session.ref:
            self._show_notes()
        else:
            self._show_log(ref)

    def _show_log(self, ref: LogRef) -> None:
        """Show a log of the study, as it is on the disk."""

        def change() -> None:
            session = self.session.open_log(ref)
            screen = StudyScreen(session)
            screen._compared = self._compared
            self.app.switch_screen(screen)

        self.attempt(change)


def open_branch(host: PaxHost, seat: str, app: BaseApp) -> BranchGame:
    """Return the screen that plays a branch. Args: its game, open for writing; the seat at the keyboard; the app."""
    session = LocalSession(host, step_by_step=app.leisurely, bot_order=app.settings.bot_order)
    if seat in session.seats.here():
        session.take_seat(seat)
    screen = BranchGame(session)
    screen.plays_first_steps = True
    return screen


def reader_name() -> str:
    """Return the name of the reader for comments; "" if the system has none."""
    try:
        return getpass.getuser()[:64]
    except (KeyError, OSError, ImportError):
        return ""


def study_screen(path: Path, seat: str = "", place: int = 0, viewpoint: str = "", author: str = "") -> StudyScreen:
    """Return the screen of the study of a log, or of a study.

    Args: the path; the seat whose view is studied; the line to show, by its number in the full log, 0 for the first;
        the viewpoint, "" for the one with most knowledge; the name for comments, "" for that of the system.

    Raises: as `open_study`.
    """
    session = open_study(path, seat, author or reader_name())
    if viewpoint in session.viewpoints and viewpoint != session.view.viewpoint:
        session.set_viewpoint(viewpoint)
    if place:
        session.look_at(session.view.number_of(place))
    return StudyScreen(session)


def open_study_screen(
    app: BaseApp, path: Path, show: Callable[[StudyScreen], object], place: int = 0, viewpoint: str = ""
) -> None:
    """Open a study; ask for the seat if the game is not over. Args: as `study_screen`, and what shows the screen."""

    def attempt(seat: str) -> None:
        try:
            screen = study_screen(path, seat, place, viewpoint, app.player_name)
        except Refusal as refusal:
            seats = refusal.detail.get("seats", ())
            if refusal.code == "other_seat" and seat:  # the replay shows a bot's view: study the reader's own
                attempt("")
                return
            if refusal.code != "seat_needed":
                app.notify(refusal.message, title="This study cannot be opened", severity="error", timeout=10)
                return
            names = [seat.replace("_", " ").title() for seat in seats]
            app.ask(PickDialog(WHOSE_VIEW, names), lambda number: attempt(seats[number]))
        except Exception as error:
            app.notify(f"{describe_error(error)}.", title="This study cannot be opened", severity="error", timeout=10)
        else:
            show(screen)

    attempt("" if viewpoint in (SPECTATOR, ARBITER) else viewpoint)
