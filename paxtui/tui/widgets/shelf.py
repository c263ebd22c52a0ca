"""The shelf below the map of a large screen: Indexes and Log, open while the side column shows the Record Sheet."""

from __future__ import annotations

from textual import getters
from textual.app import ComposeResult
from textual.containers import Horizontal

from paxtui.table.session import Session
from paxtui.tui.panes.registry import SIDE
from paxtui.tui.stage.prose import entitle
from paxtui.tui.swift.page import Page
from paxtui.tui.writing.look import Look

WORLD_ROWS = 49
"""Rows that the whole world takes with the card below it and, in the past, the timeline."""
LEAST, MOST = 8, 15
"""Rows of the shelf: where fewer are left there is none, and the map has what is beyond the most."""
INDEXES = 56
"""Columns of the Indexes; the Log has the others."""
EDGES = 5
"""Columns of a page that its padding, its edge and its scrollbar take."""


class Shelf(Horizontal):
    """Indexes and Log, beside each other."""

    indexes_page = getters.query_one("#shelf-indexes", Page)
    log_page = getters.query_one("#shelf-log", Page)

    _width = 0

    def compose(self) -> ComposeResult:
        """From left to right."""
        yield Page(id="shelf-indexes")
        yield Page(id="shelf-log")

    def fit(self, width: int, rows: int) -> None:
        """Take the rows that the map does not need.

        Args: the columns of the map; the rows that map, card and shelf have together.
        """
        self._width = width
        left = min(rows - WORLD_ROWS, MOST)
        self.display = left >= LEAST
        self.styles.height = left

    def draw(self, session: Session, look: Look) -> None:
        """Show the position looked at, if there is room for the shelf."""
        if not self.display:
            return
        panes = {pane.name: pane for pane in SIDE}
        for page, name, width in (
            (self.indexes_page, "indexes", INDEXES), (self.log_page, "log", self._width - INDEXES)
        ):  # fmt: skip
            entitle(page, panes[name].title)
            draw = panes[name].draw
            assert draw is not None
            page.show(look.signs(draw(session, look, width - EDGES)))
        self.log_page.to_end()
