"""The column beside the map: what now, the tabs of the panes, and the pane that is open."""

from __future__ import annotations

from rich.text import Text
from textual import getters
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.reactive import reactive

from paxtui.table.session import Session
from paxtui.tui.panes.registry import SIDE, Pane
from paxtui.tui.panes.registry import tabs as tabs_of
from paxtui.tui.panes.what_now import what_now
from paxtui.tui.stage.app import PlayersApp
from paxtui.tui.stage.prose import Panel
from paxtui.tui.swift.page import Page
from paxtui.tui.writing.look import Look, clickable

WORLD = 160
"""Columns of the whole world."""
LEAST, MOST, NARROW = 40, 56, 44
"""Columns of the side column beside the whole world, and where the world scrolls."""


class SideColumn(Vertical):
    """What now, and one of the panes of the registry."""

    pane: reactive[str] = reactive("record", init=False, repaint=False)
    """The name of the pane that is open."""

    app = getters.app(PlayersApp)
    now = getters.query_one("#now", Panel)
    tabs = getters.query_one("#tabs", Panel)
    page = getters.query_one("#pane", Page)

    def __init__(self, session: Session, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._session = session
        self.columns = NARROW
        self._shown = ("", "")

    def compose(self) -> ComposeResult:
        """From top to bottom."""
        yield Panel(id="now")
        yield Panel(id="tabs")
        yield Page(id="pane")

    @property
    def open_pane(self) -> Pane:
        """The row of the pane that is open."""
        return next(pane for pane in SIDE if pane.name == self.pane)

    @property
    def room(self) -> int:
        """Cells that a row has; it has the whole width of a small screen."""
        width = self.app.size.width
        return (width if width < 110 else self.columns) - 4

    def fit(self, width: int) -> None:
        """Take the columns of a screen that the whole world does not need, and no fewer than are read with ease."""
        self.columns = min(MOST, width - WORLD) if width - WORLD >= LEAST else NARROW
        # on a small screen it has all of it
        self.styles.width = "100%" if width < 110 else self.columns

    def from_start(self) -> None:
        """Show the open pane from its first row when it is drawn next."""
        self._shown = ("", "")

    def watch_pane(self) -> None:
        """Another pane is open."""
        self.draw()

    def draw(self) -> None:
        """Show the position looked at; a pane stays where it has been scrolled to until another one is opened."""
        session, look = self._session, self.app.look
        self.now.show(look.signs(what_now(session, look, self.room, self.app.key_of)))
        self.tabs.show(look.signs(self._tabs(look)))
        pane = self.open_pane
        assert pane.draw is not None
        self.page.show(look.signs(pane.draw(session, look, self.room)))
        if pane.at_end:
            self.page.to_end()
        elif (pane.name, session.seat) != self._shown:
            self.page.to_start()
        self._shown = (pane.name, session.seat)

    def _tabs(self, look: Look) -> Text:
        tabs = Text(no_wrap=True)
        for pane in tabs_of(self._session, self.pane):
            press = f"screen.pane('{pane.name}')"
            tabs.append(f" {pane.key} ", clickable(look.key, press))
            tabs.append(pane.title, clickable("reverse" if pane.name == self.pane else "", press))
        return tabs
