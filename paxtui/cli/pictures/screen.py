"""A whole screen of the program as rows of cells, drawn without a terminal: for reports and the README."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.segment import Segment
    from textual.screen import Screen

    from paxtui.table.authority import Table
    from paxtui.tui.app import PaxApp

KEYS: dict[str, tuple[str, ...]] = {
    "main": (),
    "region": ("6",),
    "sheet": ("e",),
    "indexes": ("3",),
    "treaties": ("4",),
    "statistics": ("i",),
    "log": ("5",),
    "whole-log": ("l",),
    "settings": ("f4",),
    "keys": ("f5",),
    "help": ("f1",),
    "rules": ("f2",),
    "scrubber": (),
    "start": (),
    "new": ("n",),
    "tutorial": (),
}
"""Keys that open each screen that `--screen` knows, from the main screen or (start, new) the first one."""


LEARNED = 9
"""Steps of the tutorial that its picture has behind it."""


@dataclass(frozen=True)
class Shot:
    """What is to be drawn.

    A screen of KEYS, the line to look at, cells, palette, signs, further keys, the cursor's place, how many colours.
    """

    screen: str = "main"
    at: int | None = None
    size: tuple[int, int] = (160, 50)
    palette: str = "dark"
    ascii: bool = False
    keys: tuple[str, ...] = ()
    cursor: str = ""
    colours: str = "all"


def draw_screen(table: Table, shot: Shot) -> list[list[Segment]]:
    """The screen, every row as wide as the picture. The game is played on in memory at most.

    Raises: Refusal, when the cursor's place is none.
    """
    from paxtui.pax.words.names import index
    from paxtui.table.session import Session
    from paxtui.tui.app import PaxApp
    from paxtui.tui.game.screen import GameScreen
    from paxtui.tui.learning.lesson import load_lesson
    from paxtui.tui.stage.settings import Settings

    place = index(table.tables).places.find(shot.cursor) if shot.cursor else ""
    if shot.screen not in ("start", "new", "tutorial"):
        table.advance()

    async def draw() -> list[list[Segment]]:
        # in the present the timeline is not there: the scrubber's picture looks one line back
        at = shot.at or (table.version - 1 if shot.screen == "scrubber" else None)
        app = PaxApp(settings=Settings(palette=shot.palette, ascii=shot.ascii, colours=shot.colours))
        async with app.run_test(size=shot.size) as pilot:
            if shot.screen == "tutorial":
                await app.push_screen(_tutorial())
                await pilot.pause()
                for step in load_lesson().steps[:LEARNED]:
                    for key in step.keys:
                        await pilot.press(key)
                        await pilot.pause()
            elif shot.screen not in ("start", "new"):
                session = Session(table)
                session.look_at(at)
                game = GameScreen(session)
                await app.push_screen(game)
                if place:
                    game.map.cursor = place
            await pilot.pause()
            for key in (*KEYS[shot.screen], *shot.keys):
                await pilot.press(key)
                await pilot.pause()
            await pilot.pause()
            return _rows(app)

    return asyncio.run(draw())


def _tutorial() -> Screen[None]:
    """The tutorial, its game in memory only."""
    from paxtui.table.games.lesson import LessonSession
    from paxtui.tui.learning.games import first_table
    from paxtui.tui.learning.lesson import load_lesson
    from paxtui.tui.learning.tutorial import TutorialScreen

    lesson = load_lesson()
    return TutorialScreen(LessonSession(first_table(lesson), lesson.seat), lesson)


def _rows(app: PaxApp) -> list[list[Segment]]:
    """What the app shows now, screens behind the foremost included."""
    from textual._compositor import LayoutUpdate

    screen = app.screen
    update = screen._compositor.render_update(full=True, screen_stack=app._background_screens)
    assert isinstance(update, LayoutUpdate), "a full update is one of all rows"
    return [[segment for strip in row for segment in strip] for row in update.strips]
