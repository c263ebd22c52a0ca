"""The games of the tutorial: one is gone on with where it was left, and none is ever overwritten."""

from __future__ import annotations

from pathlib import Path

from paxtui.engine.log import BrokenLog
from paxtui.engine.seats import ARBITER
from paxtui.pax.orders.seating import PERSON, Sitter
from paxtui.pax.position.setup import seats_for
from paxtui.table.authority import Table
from paxtui.table.disk.files import NotRegular
from paxtui.table.games.beside import read_beside
from paxtui.table.games.folder import free_path
from paxtui.table.games.lesson import LessonSession
from paxtui.table.tables import load_tables
from paxtui.tui.learning.lesson import Lesson, load_lesson
from paxtui.tui.learning.saved_lessons import TURN, WAR, lessons_under_way
from paxtui.tui.learning.tutorial import TutorialScreen

SEATS = 7
NAMES = {TURN: "tutorial", WAR: "tutorial of War"}
"""What the games of the lessons are called."""


def open_tutorial(tables_dir: Path | None = None, name: str = TURN) -> TutorialScreen:
    """A lesson where it was left; where none is under way, at its first step.

    Raises: Locked while another program plays it; OSError.
    """
    for path in lessons_under_way(name):
        try:
            return go_on(path)
        except (BrokenLog, NotRegular, FileNotFoundError):
            continue
    return new_tutorial(tables_dir, name)


def go_on(path: Path) -> TutorialScreen:
    """The tutorial of a game, at the step where it was left.

    Raises: BrokenLog, Locked, NotRegular, OSError.
    """
    table = Table.open(path)
    beside = read_beside(path, table.game.header.game)
    lesson = load_lesson(beside.lesson or TURN)
    number = next((n for n, step in enumerate(lesson.steps) if step.id == beside.step), 0)
    return TutorialScreen(session_of(lesson, table), lesson, number)


def new_tutorial(tables_dir: Path | None = None, name: str = TURN) -> TutorialScreen:
    """A lesson at its first step, in a file of its own.

    Raises: OSError.
    """
    lesson = load_lesson(name)
    table = first_table(lesson, free_path(NAMES[name]), tables_dir)
    return TutorialScreen(session_of(lesson, table), lesson)


def session_of(lesson: Lesson, table: Table) -> LessonSession:
    """The game of a lesson as its learner plays it."""
    cues = {(cue.at.cycle, cue.at.side, cue.at.stage): cue.acts for cue in lesson.cues}
    return LessonSession(table, lesson.seat, cues)


def first_table(lesson: Lesson, path: Path | None = None, tables_dir: Path | None = None) -> Table:
    """The game of a tutorial before its first act. Args: its lesson; its file, None for none; replacement tables."""
    seats = seats_for(SEATS)
    table = Table.new(load_tables(tables_dir), seats, lesson.seed, {}, path=path, undo="free", tables_dir=tables_dir)
    if lesson.position:
        table.act(ARBITER, {"type": "set_position", "patch": lesson.position})
    table.seat({s: PERSON if s == lesson.seat else Sitter(by="bot", level="steady") for s in seats})
    return table

