"""Begin an exercise, or go on with one: `paxtui new --game empires`, `paxtui play`."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path
from shutil import get_terminal_size

from paxtui.cli.exercises.plain import converse
from paxtui.cli.outward.faults import CommandError
from paxtui.cli.outward.terminal import need_terminal
from paxtui.cli.plain.curtain import Curtain
from paxtui.cli.start import on_screen
from paxtui.table.authority import utc_now
from paxtui.table.disk.store import SUFFIX, save_dir
from paxtui.table.exercises.desk import Desk
from paxtui.table.exercises.reader import load_exercise, names
from paxtui.table.exercises.sitting import Sitting


def begin(
    exercise: str, bots: Sequence[str], *, seed: str = "", file: str | None = None, plain: bool, no_play: bool
) -> int:
    """Begin an exercise and play it; the exit code.

    Args: its name; seats that play themselves; the seed of the dice, "" for a fresh one; where the log goes, None for
        the player's saves; whether it is played line by line; whether it is only written.

    Raises: CommandError, TableError, OSError.
    """
    if exercise not in names():
        raise CommandError(f"--exercise takes one of: {', '.join(names())}")
    powers = load_exercise(exercise).exercise.powers
    if set(bots) - set(powers):
        raise CommandError(f"--bot takes a Power of the exercise: {', '.join(powers)}")
    if set(bots) == set(powers):
        raise CommandError("somebody has to play: leave a seat without --bot")
    path = Path(file) if file else save_dir() / f"{exercise}-{secrets.token_hex(3)}{SUFFIX}"
    if path.suffix != SUFFIX:
        raise CommandError(f"the name of a saved game ends in {SUFFIX}, and {path} does not")
    if os.path.lexists(path):
        raise CommandError(f"{path} is there already; choose another name, or play it")
    if not (plain or no_play):
        need_terminal()
    sat = tuple(power for power in powers if power in bots)
    desk = Desk.new(exercise, seed or secrets.token_hex(8), path=path, free_undo=True, bots=sat, clock=utc_now)
    with desk:
        if no_play:
            print(path)
            return 0
        return _play(Sitting(desk), plain, "new")


def go_on(path: Path, *, replay: bool, plain: bool) -> int:
    """Go on with an exercise, or look at it only; the exit code. Raises: as `Desk.open`."""
    if not plain:
        need_terminal()
    with Desk.open(path, write=not replay, clock=utc_now) as desk:
        return _play(Sitting(desk, replay), plain, "play")


def _play(sitting: Sitting, plain: bool, command: str) -> int:
    """Play line by line or on the screen; the exit code."""
    if plain:
        at_terminal = sys.stdin.isatty() and sys.stdout.isatty()
        curtain = Curtain(lambda: get_terminal_size().lines) if at_terminal else None
        return converse(sitting, sys.stdin, sys.stdout, curtain)
    from paxtui.tui.exercise.screen import ExerciseScreen

    return on_screen(command, only=lambda: ExerciseScreen(sitting))
