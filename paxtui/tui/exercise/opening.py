"""Exercises opened on the screen: one that is begun from a list, one that goes on."""

from __future__ import annotations

import secrets
from pathlib import Path

from paxtui.table.authority import utc_now
from paxtui.table.disk.store import SUFFIX, save_dir
from paxtui.table.exercises.desk import Desk
from paxtui.table.exercises.reader import load_exercise, names
from paxtui.table.exercises.sitting import Sitting
from paxtui.tui.exercise.screen import ExerciseScreen


def listed() -> tuple[tuple[str, str, str], ...]:
    """The exercises: name, title, and what each is, in a few sentences."""
    found = ((name, load_exercise(name).exercise) for name in names())
    return tuple((name, one.title, " ".join(one.about.split())) for name, one in found)


def begin(exercise: str) -> ExerciseScreen:
    """An exercise at its start: the first of its Powers is the player's, bots play the others. Raises: OSError."""
    powers = load_exercise(exercise).exercise.powers
    path = save_dir() / f"{exercise}-{secrets.token_hex(3)}{SUFFIX}"
    desk = Desk.new(
        exercise, secrets.token_hex(8), path=path, free_undo=True, bots=powers[1:], clock=utc_now
    )
    return ExerciseScreen(Sitting(desk))


def go_on(path: Path) -> ExerciseScreen:
    """An exercise that goes on. Raises: OSError, BrokenLog, TableError."""
    return ExerciseScreen(Sitting(Desk.open(path, clock=utc_now)))
