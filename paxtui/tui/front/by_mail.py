"""A mail game opened from the start screen: its directory is asked for, and then whose place at it is taken."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from textual.screen import Screen

from paxtui.engine.refusal import Refusal
from paxtui.table.disk.files import typed_path
from paxtui.tui.boxes.ask import AskScreen
from paxtui.tui.boxes.pick import PickScreen
from paxtui.tui.stage.app import PlayersApp


class MailGames(Protocol):
    """Opens the directories of mail games."""

    def found(self, where: Path) -> list[tuple[str, str]]:
        """What can be opened there: a seat, "" for the desk, and what it is called. Raises: Refusal, OSError."""

    def screen(self, where: Path, seat: str) -> Screen[None]:
        """The order sheet of a seat, or the desk. Raises: anything, with a sentence for the player."""


def open_mail_game(app: PlayersApp, games: MailGames) -> None:
    """Ask for a directory, or for a form; then for the place where there are several; and open its screen."""

    def path(words: str) -> Path:
        return typed_path(words.strip())

    def wrong(words: str) -> str:
        if not words.strip():
            return "Write the name of a directory, or of a form."
        try:
            if not path(words).exists():
                return f"There is no {path(words)}."
            return "" if games.found(path(words)) else "No orders are asked of you there now."
        except (Refusal, OSError) as problem:
            return problem.message if isinstance(problem, Refusal) else str(problem)

    def show(make: Callable[[], Screen[None]]) -> None:
        try:
            app.push_screen(make())
        except Exception as error:
            app.notify(str(error), title="This mail game cannot be opened", severity="error", timeout=8)

    def asked(words: str | None) -> None:
        if words is None:
            return
        where = path(words)
        places = games.found(where)

        def picked(number: int | None) -> None:
            if number is not None:
                show(lambda: games.screen(where, places[number][0]))

        if len(places) == 1:
            picked(0)
        else:
            app.push_screen(PickScreen("What do you open?", [name for _, name in places]), picked)

    app.push_screen(AskScreen("Which mail game? Its directory, or a form.", "", wrong, "/home/ann/spring"), asked)
