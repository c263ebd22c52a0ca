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

from paxtui.cli.hosting.plain import sit_plain, visit_plain
from paxtui.cli.hosting.screen import FAR, SeatApp, sit, visit
from paxtui.net.house import House
from paxtui.net.ssh.forks import Order
from paxtui.pax.position.setup import seats_for
from paxtui.table import thinker
from paxtui.table.authority import Table
from paxtui.table.reference.glossary import load_glossary
from paxtui.table.reference.remedies import load_remedies
from paxtui.table.reference.rule_links import load_orders
from paxtui.table.session import Session
from paxtui.table.tables import load_rules, load_tables
from paxtui.tui.app import all_bindings
from paxtui.tui.diplomacy import (
    congress,
    dispatches,
    peace,
    peace_offers,
    spoils,
    treaties,
    treaty_editor,
    war_question,
)
from paxtui.tui.game.screen import GameScreen
from paxtui.tui.reading import help as help_screen
from paxtui.tui.reading import statistics
from paxtui.tui.reading.topics import load_topics
from paxtui.tui.stage.settings import Settings

SELDOM = (
    *(congress, dispatches, peace, peace_offers, spoils, treaties, treaty_editor, war_question),
    *(help_screen, statistics, thinker),
)
"""What a game opens now and then, and what each client would otherwise import for itself alone."""

READ = (load_tables, load_rules, load_glossary, load_orders, load_remedies, load_topics, all_bindings)
"""Reads what the screens and their help look up."""

SIZE = (160, 50)
"""Columns and rows of the screen that nobody sees."""

KEYS = ("right", "down", "2", "3", "4", "5", "1")
"""What is looked at: the map and the panes. More of it would leave holes in the memory, into which clients write."""


class Tour(SeatApp):
    """A look at a game of nobody's."""

    def _first_screen(self) -> Screen[None]:
        table = Table.new(load_tables(), seats_for(7), "1880")
        while table.state.phase != "movement":
            table.advance()
        return GameScreen(Session(table))


async def _look_around(pilot: Pilot[object]) -> None:
    for key in KEYS:
        await pilot.press(key)
    pilot.app.exit(0)


def warm(house: House) -> Callable[[Order], int]:
    """Import, read and draw everything; what each client does."""
    for read in READ:
        read()
    take_a_look()

    def run(order: Order) -> int:
        if order.plain:
            return (visit_plain if order.lobby else sit_plain)(house.socket, order.ticket, far=True)
        return (visit if order.lobby else sit)(house.socket, order.ticket, FAR)

    return run


def take_a_look() -> None:
    """Look at a game of nobody's, with nobody's settings. Nothing of it stays but what every game has."""
    home = os.environ.get("PAXTUI_HOME")
    with tempfile.TemporaryDirectory(prefix="pax") as directory:
        os.environ["PAXTUI_HOME"] = directory
        try:
            settings = Settings(reports="none", remind=False, animation=False)
            Tour(None, settings).run(headless=True, size=SIZE, auto_pilot=_look_around)
        finally:
            os.environ.pop("PAXTUI_HOME")
            if home is not None:
                os.environ["PAXTUI_HOME"] = home
