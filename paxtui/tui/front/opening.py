"""Games opened and begun: the screen of a saved one, and that of a new one."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from textual.screen import Screen

from paxtui.pax.orders.seating import Sitter
from paxtui.table.authority import Table
from paxtui.table.games.beside import read_beside
from paxtui.table.games.folder import free_path
from paxtui.table.session import Session
from paxtui.table.tables import load_tables
from paxtui.tui.boxes.pick import PickScreen
from paxtui.tui.game.screen import GameScreen
from paxtui.tui.learning.games import go_on
from paxtui.tui.learning.saved_lessons import is_lesson
from paxtui.tui.stage.app import PlayersApp


def open_game(path: Path, leisurely: bool = False) -> GameScreen:
    """The screen of a saved game; a tutorial that is under way goes on where it was left.

    Args: its log; whether bots are shown at their moves.
    Raises: BrokenLog, Locked, Refusal, OSError, each with a message for the player.
    """
    if is_lesson(read_beside(path, "")):
        return go_on(path)
    return GameScreen(Session(Table.open(path), leisurely=leisurely))


def open_exercise(path: Path, replay: bool = False) -> Screen[None]:
    """The screen of an exercise of Empires in Arms; nothing of it is imported before. Raises: as `open_game`."""
    from paxtui.tui.exercise.opening import go_on as go_on_with

    return go_on_with(path, replay)


def choose_exercise(app: PlayersApp, begin: Callable[[Callable[[], Screen[None]]], None]) -> None:
    """Ask which exercise is played, and at which seat; `begin` gets what makes its screen."""
    from paxtui.tui.exercise import opening

    exercises = opening.listed()

    def chosen(number: int | None) -> None:
        if number is None:
            return
        exercise = exercises[number][0]
        seats = opening.powers(exercise)

        def seated(seat: int | None) -> None:
            if seat is not None:
                persons = tuple(power for power, _ in (seats if seat == len(seats) else seats[seat : seat + 1]))
                begin(lambda: opening.begin(exercise, persons))

        lines = [*(name for _, name in seats), "All of them, at this keyboard"]
        app.push_screen(PickScreen("Which Power do you play? Bots play the others.", lines), seated)

    titles, more = [title for _, title, _ in exercises], [about for _, _, about in exercises]
    app.push_screen(PickScreen("Exercises of Empires in Arms, on maps drawn by us", titles, more=more), chosen)


def new_game(
    name: str,
    powers: Sequence[str],
    sitters: Mapping[str, Sitter],
    seed: str,
    options: dict[str, str],
    tables_dir: Path | None = None,
    leisurely: bool = False,
) -> GameScreen:
    """The screen of a new game, saved in the player's directory from its first line on.

    Args:
        name: what it is called; one that is taken gets a number.
        powers: the seats.
        sitters: who sits where; where persons sit everywhere the log needs no line about it.
        seed: of the dice, "" for a fresh one.
        options: by name; what is left out has its default.
        tables_dir: replacement tables.
        leisurely: whether bots are shown at their moves.

    Raises: Refusal, OSError.
    """
    tables, seed = load_tables(tables_dir), seed or secrets.token_hex(8)
    path = free_path(name)
    table = Table.new(tables, powers, seed, options, path=path, undo="free", tables_dir=tables_dir)
    if any(sitter.plays_itself for sitter in sitters.values()):
        table.seat(sitters)
    return GameScreen(Session(table, leisurely=leisurely))
