"""Functions that open a saved game, a new game, an exercise or a mail game, and return or push its screen."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from textual.screen import Screen

from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import WITH_PERSONS, BotOrder, SeatOccupant
from paxtui.session.games import GAME_KINDS, Scenario
from paxtui.session.hosts import new_game
from paxtui.session.local_session import LocalSession
from paxtui.session.pax_host import PaxHost
from paxtui.session.storage.files import typed_path
from paxtui.session.storage.log_store import LOG_SUFFIX, save_dir
from paxtui.session.storage.saved_games import free_path, is_lesson, read_sidecar
from paxtui.tui.base.app import BaseApp
from paxtui.tui.base.dialogs import InputDialog, PickDialog
from paxtui.tui.dialogs.seats import ask_rival_level
from paxtui.tui.game.screen import GameScreen
from paxtui.tui.tutorial.screen import resume_tutorial

CAMPAIGN_BOTS = {"easy": "easy", "normal": "steady", "hard": "hard"}
"""The levels of rivals that are asked for a campaign of Empires in Arms, each with its bot."""


def open_game(path: Path, leisurely: bool = False, bot_order: BotOrder = WITH_PERSONS) -> GameScreen:
    """Open a saved game and return its screen. A tutorial continues at its saved step.

    Args:
        path: log of the game.
        leisurely: whether bot moves are shown with pauses.
        bot_order: when bots act in a Movement Phase.

    Raises: BrokenLog, Locked, Refusal, OSError, each with a message for the player.
    """
    if is_lesson(read_sidecar(path, "")):
        return resume_tutorial(path)
    return GameScreen(LocalSession(PaxHost.open(path), step_by_step=leisurely, bot_order=bot_order))


def choose_exercise(app: BaseApp, begin: Callable[[Callable[[], Screen[None]]], None]) -> None:
    """Ask for an exercise, a seat and, once for campaigns, the level of the rivals; call `begin` with the function that
    makes its screen."""
    bots = GAME_KINDS["empires"].bots()
    exercises = GAME_KINDS["empires"].scenarios()

    def chosen(number: int) -> None:
        exercise = exercises[number]
        seats, names = exercise.seats, GAME_KINDS["empires"].start(exercise.id, None)
        is_campaign = names.tables.exercise.complete  # bots of exercises play alike

        def take_seat(seat: int) -> None:
            persons = seats if seat == len(seats) else seats[seat : seat + 1]

            def start() -> None:
                level = "hard" if app.settings.rivals == "expert" else app.settings.rivals
                rival = bots.parse_name(CAMPAIGN_BOTS.get(level, "steady"))
                begin(lambda: _begin_exercise(exercise, persons, rival))

            if is_campaign and persons != seats:
                ask_rival_level(app, start, {level: bots.names[bot] for level, bot in CAMPAIGN_BOTS.items()})
            else:
                start()

        lines = [*map(names.seat_name, seats), "All of them, at this keyboard"]
        known = f" (level: {app.settings.rivals})" if is_campaign and app.settings.rivals != "asked" else ""
        app.ask(PickDialog(f"Which Power do you play? Bots play the others{known}.", lines), take_seat)

    titles, more = [one.title for one in exercises], [one.about for one in exercises]
    app.ask(PickDialog("Empires in Arms, on maps drawn by us", titles, more=more), chosen)


def _begin_exercise(exercise: Scenario, persons: Sequence[str], rival: SeatOccupant) -> Screen[None]:
    """Begin an exercise, with bots for seats without a person, and return its screen. Raises: OSError."""
    from paxtui.session.exercise_session import ExerciseSession
    from paxtui.tui.exercise.screen import ExerciseScreen

    path = save_dir() / f"{exercise.id}-{secrets.token_hex(3)}{LOG_SUFFIX}"
    bots = dict.fromkeys((seat for seat in exercise.seats if seat not in persons), rival)
    table = new_game("empires", secrets.token_hex(8), scenario=exercise.id, path=path, undo="free", occupants=bots)
    return ExerciseScreen(ExerciseSession(table))


def open_new_game(
    name: str,
    powers: Sequence[str],
    occupants: Mapping[str, SeatOccupant],
    seed: str,
    options: dict[str, str],
    tables_dir: Path | None = None,
    leisurely: bool = False,
    bot_order: BotOrder = WITH_PERSONS,
) -> GameScreen:
    """Create a game in the player's directory and return its screen.

    Args:
        name: name of the game; a number is added if it is taken.
        powers: seats.
        occupants: occupant of each seat. The log needs no entry if all are human players.
        seed: seed of the dice; "" for a random one.
        options: options by name; omitted ones have their defaults.
        tables_dir: directory of replacement tables.
        leisurely: whether bot moves are shown with pauses.
        bot_order: when bots act in a Movement Phase.

    Raises: Refusal, OSError.
    """
    table = new_game(
        "pax",
        seed or secrets.token_hex(8),
        seats=powers,
        options=options,
        tables_dir=tables_dir,
        occupants=occupants if any(occupant.is_automatic for occupant in occupants.values()) else {},
        path=free_path(name),
        undo="free",
    )
    assert isinstance(table, PaxHost)
    return GameScreen(LocalSession(table, step_by_step=leisurely, bot_order=bot_order))


class MailGameOpener(Protocol):
    """Opens directories of mail games."""

    def found(self, where: Path) -> list[tuple[str, str]]:
        """Return the roles in a directory: seat ("" for the arbiter) and label. Raises: Refusal, OSError."""

    def screen(self, where: Path, seat: str) -> Screen[None]:
        """Return the order sheet of a seat, or the arbiter's screen. Raises any exception, with a message for the
        player.
        """


def open_mail_game(app: BaseApp, games: MailGameOpener) -> None:
    """Ask for a directory or a form, then for a role if there are several, and open its screen."""

    def path(words: str) -> Path:
        return typed_path(words.strip())

    def wrong(words: str) -> str:
        if not words.strip():
            return "Type the name of a directory or a form."
        try:
            if not path(words).exists():
                return f"There is no {path(words)}."
            return "" if games.found(path(words)) else "This game does not need orders from you now."
        except (Refusal, OSError) as problem:
            return str(problem)

    def show(make: Callable[[], Screen[None]]) -> None:
        try:
            app.push_screen(make())
        except Exception as error:
            app.notify(str(error), title="This mail game cannot be opened", severity="error", timeout=8)

    def take_words(words: str) -> None:
        where = path(words)
        places = games.found(where)

        def picked(number: int) -> None:
            show(lambda: games.screen(where, places[number][0]))

        if len(places) == 1:
            picked(0)
        else:
            app.ask(PickDialog("What do you want to open?", [name for _, name in places]), picked)

    app.ask(InputDialog("Which mail game? Its directory, or a form.", "", wrong, "/home/ann/spring"), take_words)
