"""Prepare the process from which clients are forked: import modules, read data and draw a game once.

The clients then share the caches of the first frames: colours, styles, coasts and labels of the map. `warm_up` fills
them with a new game on an invisible screen.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable

from textual.pilot import Pilot
from textual.screen import Screen

from paxtui.cli.hosting.remote_plain import open_lobby_plain, play_plain
from paxtui.cli.hosting.remote_screen import REMOTE_COMMAND, SeatApp, open_lobby, play_seat
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.position.setup import seats_for
from paxtui.server.data_directory import DataDirectory
from paxtui.server.fork_server import ClientRequest
from paxtui.session import bot_process
from paxtui.session.local_session import LocalSession
from paxtui.session.pax_host import PaxHost
from paxtui.session.reference import load_choices, load_glossary, load_remedies
from paxtui.session.tables.loader import load_rules, load_tables
from paxtui.session.tables.records import new_game_tables
from paxtui.tui.app import all_bindings
from paxtui.tui.base.settings import Settings
from paxtui.tui.diplomacy import congress, messages, peace, treaties, treaty_editor, war_questions
from paxtui.tui.game.screen import GameScreen
from paxtui.tui.reference_screens import help as help_screen
from paxtui.tui.reference_screens import statistics
from paxtui.tui.reference_screens.help import load_topics

RARE_MODULES = (
    *(congress, messages, peace, war_questions, treaties, treaty_editor),
    *(help_screen, statistics, bot_process),
)
"""Modules that a game imports on demand; imported before the fork, all clients share them."""


def _load_new_game_tables() -> Tables:
    return load_tables(new_game_tables())


LOADERS = (
    *(load_tables, _load_new_game_tables, load_rules),
    *(load_glossary, load_choices, load_remedies, load_topics, all_bindings),
)
"""Functions that read the data of screens and help into caches."""

SIZE = (160, 50)
"""Columns and rows of the invisible screen."""

KEYS = ("right", "down", "2", "3", "4", "5", "1")
"""Keys that open the map and the panes. More keys would fragment the shared memory."""


class WarmUpApp(SeatApp):
    """An app with a new game."""

    def _first_screen(self) -> Screen[None]:
        table = PaxHost.new(_load_new_game_tables(), seats_for(7), "1880", tables_dir=new_game_tables())
        while table.state.phase != "movement":
            table.advance()
        return GameScreen(LocalSession(table))


async def _look_around(pilot: Pilot[object]) -> None:
    for key in KEYS:
        await pilot.press(key)
    pilot.app.exit(0)


def warm_up(directory: DataDirectory) -> Callable[[ClientRequest], int]:
    """Fill the caches; return the function that each client runs."""
    for read in LOADERS:
        read()
    draw_once()

    def run(request: ClientRequest) -> int:
        if request.plain:
            return (open_lobby_plain if request.lobby else play_plain)(directory.socket, request.ticket, far=True)
        return (open_lobby if request.lobby else play_seat)(directory.socket, request.ticket, REMOTE_COMMAND)

    return run


def draw_once() -> None:
    """Draw a new game with default settings in a temporary directory."""
    home = os.environ.get("PAXTUI_HOME")
    with tempfile.TemporaryDirectory(prefix="pax") as directory:
        os.environ["PAXTUI_HOME"] = directory
        try:
            settings = Settings(reports="none", remind=False, animation=False)
            WarmUpApp(None, settings).run(headless=True, size=SIZE, auto_pilot=_look_around)
        finally:
            os.environ.pop("PAXTUI_HOME")
            if home is not None:
                os.environ["PAXTUI_HOME"] = home
