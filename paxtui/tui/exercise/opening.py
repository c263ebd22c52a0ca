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


def powers(exercise: str) -> tuple[tuple[str, str], ...]:
    """The Powers of an exercise: id and name."""
    tables = load_exercise(exercise)
    return tuple((power, tables.name(power)) for power in tables.exercise.powers)


def begin(exercise: str, persons: tuple[str, ...]) -> ExerciseScreen:
    """An exercise at its start, bots at the seats without a person. Raises: OSError."""
    bots = tuple(power for power, _ in powers(exercise) if power not in persons)
    path = save_dir() / f"{exercise}-{secrets.token_hex(3)}{SUFFIX}"
    desk = Desk.new(exercise, secrets.token_hex(8), path=path, free_undo=True, bots=bots, clock=utc_now)
    return ExerciseScreen(Sitting(desk))


def go_on(path: Path, replay: bool = False) -> ExerciseScreen:
    """An exercise that goes on, or is only looked at. Raises: OSError, BrokenLog, TableError."""
    return ExerciseScreen(Sitting(Desk.open(path, write=not replay, clock=utc_now), replay))
