"""The screens of each game: `GAME_SCREENS` has a row for each rulebook. No other module of the screens asks for it.

Modules of a game are imported when it is opened.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from rich.text import Text
from textual.screen import Screen

from paxtui.engine.log import FIRST_RULEBOOK
from paxtui.engine.seating import PERSON, occupants_label
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.text.display import PaxNames, phase_name, power_name
from paxtui.session.storage.saved_games import SaveSummary, is_lesson, read_progress, read_sidecar
from paxtui.tui.base.app import BaseApp
from paxtui.tui.colors import LETTERS
from paxtui.tui.formatting.look import Look

MOST_SEATS = 8


class GameScreens(NamedTuple):
    """The screens of a game.

    Attributes:
        of_session: returns the screen of a session, on this computer or on a server.
        open: returns the screen of a saved game. Raises: BrokenLog, Locked, Refusal, OSError.
        replay: returns the screen of a log that is only read. Raises: as `open`.
        study: opens the study of a log, or shows why that is impossible; None for a game without studies.
        line: returns the summary of a saved game in the list, after its name.
        about: describes a saved game in a few sentences.
        lesson: resumes or begins the lesson of a game that has one besides those of the tutorial.
    """

    of_session: Callable[[Any], Screen[None]]
    open: Callable[[Path, BaseApp], Screen[None]]
    replay: Callable[[Path], Screen[None]]
    study: Callable[[Path, BaseApp], None] | None
    line: Callable[[SaveSummary, Look], Text]
    about: Callable[[SaveSummary, Tables], str]
    lesson: Callable[[], Screen[None]] | None = None


# --- Pax Britannica ---------------------------------------------------------------------------------------------------


def _pax_screen(session: Any) -> Screen[None]:
    from paxtui.tui.game.screen import GameScreen

    return GameScreen(session)


def _open_pax(path: Path, app: BaseApp) -> Screen[None]:
    from paxtui.tui.start_screens.open_game import open_game

    return open_game(path, app.leisurely, app.settings.bot_order)


def _replay_pax(path: Path) -> Screen[None]:
    from paxtui.session.replay import ReplaySession
    from paxtui.tui.game.replay import ReplayScreen

    return ReplayScreen(ReplaySession(path))


def _study_pax(path: Path, app: BaseApp) -> None:
    from paxtui.tui.study.screen import open_study_screen

    open_study_screen(app, path, app.push_screen)


def _pax_line(game: SaveSummary, look: Look) -> Text:
    """Return the year and the Powers, those of persons in bold."""
    progress, text = read_progress(game), Text()
    text.append(f" {progress.year} ", look.key)
    for seat in game.seats:
        is_person = not progress.occupants.get(seat, PERSON).is_automatic
        text.append(f" {look.palette.text(LETTERS.get(seat, '??'))}", "bold" if is_person else look.faint)
    return text.append(" " * (2 + 3 * (MOST_SEATS - len(game.seats))))


def _about_pax(game: SaveSummary, tables: Tables) -> str:
    far = read_progress(game)
    sentences = [f"{far.year}, Game Turn {far.turn}, {phase_name(far.phase) if far.phase else 'at its start'}."]
    if far.winners:
        sentences = [f"It is over: {' and '.join(power_name(tables, seat) for seat in far.winners)} won."]
    occupants = {seat: far.occupants.get(seat, PERSON) for seat in game.seats}
    sentences.append(f"{occupants_label(PaxNames(tables), occupants)}.")
    return " ".join(sentences) + _lesson_note(game)


def _lesson_note(game: SaveSummary) -> str:
    return " A tutorial in progress." if is_lesson(read_sidecar(game.path, game.game)) else ""


# --- Empires in Arms --------------------------------------------------------------------------------------------------


def _exercise_screen(session: Any) -> Screen[None]:
    from paxtui.tui.exercise.screen import ExerciseScreen

    return ExerciseScreen(session)


def _exercise_lesson() -> Screen[None]:
    from paxtui.tui.tutorial.campaign import open_campaign_lesson

    return open_campaign_lesson()


def campaign_lesson_screen() -> Screen[None]:
    """Return the screen of the lesson of the campaign of 1805 at its saved step."""
    lesson = GAME_SCREENS["empires"].lesson
    assert lesson is not None
    return lesson()


def _open_exercise(path: Path, is_replay: bool = False) -> Screen[None]:
    from paxtui.session.exercise_session import ExerciseSession
    from paxtui.session.hosts import open_game

    if not is_replay and is_lesson(read_sidecar(path, "")):
        from paxtui.tui.tutorial.campaign import resume_campaign_lesson

        return resume_campaign_lesson(path)
    return _exercise_screen(ExerciseSession(open_game(path, write=not is_replay), is_replay))


GAME_SCREENS: dict[str, GameScreens] = {
    FIRST_RULEBOOK: GameScreens(
        of_session=_pax_screen, open=_open_pax, replay=_replay_pax, study=_study_pax, line=_pax_line, about=_about_pax
    ),
    "empires": GameScreens(
        of_session=_exercise_screen,
        open=lambda path, app: _open_exercise(path),
        replay=lambda path: _open_exercise(path, is_replay=True),
        study=None,
        line=lambda game, look: Text(f" {game.options.get('exercise', '')}  ", look.key),
        about=lambda game, tables: f"Empires in Arms, on a map drawn by us.{_lesson_note(game)}",
        lesson=_exercise_lesson,
    ),
}
"""The screens of each game by the rulebook of its log."""
