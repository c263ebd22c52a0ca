"""What clients are forked from: everything that a client needs is imported, read and drawn once, and no game is known.

What the first frames of a game fill (colours, styles, the land of the map, where labels stand) is filled before the
fork, so that all clients have it in common. For that a game of nobody's is looked at, on a screen that nobody sees.
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
"""What a game opens now and then, and what each client would otherwise import for itself alone."""

def _load_new_game_tables() -> Tables:
    return load_tables(new_game_tables())


LOADERS = (
    *(load_tables, _load_new_game_tables, load_rules),
    *(load_glossary, load_choices, load_remedies, load_topics, all_bindings),
)
"""Reads what the screens and their help look up."""

SIZE = (160, 50)
"""Columns and rows of the screen that nobody sees."""

KEYS = ("right", "down", "2", "3", "4", "5", "1")
"""What is looked at: the map and the panes. More of it would leave holes in the memory, into which clients write."""


class WarmUpApp(SeatApp):
    """A look at a game of nobody's."""

    def _first_screen(self) -> Screen[None]:
        table = PaxHost.new(_load_new_game_tables(), seats_for(7), "1880", tables_dir=new_game_tables())
        while table.state.phase != "movement":
            table.advance()
        return GameScreen(LocalSession(table))


async def _look_around(pilot: Pilot[object]) -> None:
    for key in KEYS:
        await pilot.press(key)
    pilot.app.exit(0)


def warm_up(house: DataDirectory) -> Callable[[ClientRequest], int]:
    """Import, read and draw everything; what each client does."""
    for read in LOADERS:
        read()
    draw_once()

    def run(order: ClientRequest) -> int:
        if order.plain:
            return (open_lobby_plain if order.lobby else play_plain)(house.socket, order.ticket, far=True)
        return (open_lobby if order.lobby else play_seat)(house.socket, order.ticket, REMOTE_COMMAND)

    return run


def draw_once() -> None:
    """Look at a game of nobody's, with nobody's settings. Nothing of it stays but what every game has."""
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
