"""The column beside the map: what now, the tabs of the panes, and the pane that is open.

The shelf below the map of a large screen: Indexes and Log, open while the side column shows the Record Sheet.

The region under the cursor as cards, in the place of the map.
"""

from __future__ import annotations

from rich.text import Text
from textual import getters
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.reactive import reactive
from textual.widget import Widget

from paxtui.session.local_session import Session
from paxtui.tui.base.app import BaseApp
from paxtui.tui.base.screen import TextPanel, set_border_title
from paxtui.tui.formatting.look import Look, clickable
from paxtui.tui.panes.region_cards import HEIGHT, areas_by_region, card_columns, region_text
from paxtui.tui.panes.registry import SIDE_PANES, Pane, pane_tabs
from paxtui.tui.panes.what_now import what_now
from paxtui.tui.rendering.text_widgets import ScrollingText

WORLD_ROWS = 49
"""Rows that the whole world takes with the card below it and, in the past, the timeline."""
SHELF_MIN_ROWS, SHELF_MAX_ROWS = 8, 15
"""Rows of the shelf: where fewer are left there is none, and the map has what is beyond the most."""
INDEXES = 56
"""Columns of the Indexes; the Log has the others."""
PAGE_EDGES = 5
"""Columns of a page that its padding, its edge and its scrollbar take."""


class Shelf(Horizontal):
    """Indexes and Log, beside each other."""

    indexes_page = getters.query_one("#shelf-indexes", ScrollingText)
    log_page = getters.query_one("#shelf-log", ScrollingText)

    _width = 0

    def compose(self) -> ComposeResult:
        """From left to right."""
        yield ScrollingText(id="shelf-indexes")
        yield ScrollingText(id="shelf-log")

    def fit(self, width: int, rows: int) -> None:
        """Take the rows that the map does not need.

        Args: the columns of the map; the rows that map, card and shelf have together.
        """
        self._width = width
        left = min(rows - WORLD_ROWS, SHELF_MAX_ROWS)
        self.display = left >= SHELF_MIN_ROWS
        self.styles.height = left

    def draw(self, session: Session, look: Look) -> None:
        """Show the position looked at, if there is room for the shelf."""
        if not self.display:
            return
        panes = {pane.name: pane for pane in SIDE_PANES}
        for page, name, width in (
            (self.indexes_page, "indexes", INDEXES), (self.log_page, "log", self._width - INDEXES)
        ):  # fmt: skip
            set_border_title(page, panes[name].title)
            draw = panes[name].draw
            assert draw is not None
            page.show(look.signs(draw(session, look, width - PAGE_EDGES)))
        self.log_page.to_end()


WORLD_COLUMNS = 160
"""Columns of the whole world."""
SIDE_MIN_COLUMNS, SIDE_MAX_COLUMNS, SIDE_NARROW_COLUMNS = 40, 56, 44
"""Columns of the side column beside the whole world, and where the world scrolls."""


class SideColumn(Vertical):
    """What now, and one of the panes of the registry."""

    pane: reactive[str] = reactive("record", init=False, repaint=False)
    """The name of the pane that is open."""

    app = getters.app(BaseApp)
    now = getters.query_one("#now", TextPanel)
    tabs = getters.query_one("#tabs", TextPanel)
    page = getters.query_one("#pane", ScrollingText)

    def __init__(self, session: Session, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._session = session
        self.columns = SIDE_NARROW_COLUMNS
        self._shown = ("", "")

    def compose(self) -> ComposeResult:
        """From top to bottom."""
        yield TextPanel(id="now")
        yield TextPanel(id="tabs")
        yield ScrollingText(id="pane")

    @property
    def open_pane(self) -> Pane:
        """The row of the pane that is open."""
        return next(pane for pane in SIDE_PANES if pane.name == self.pane)

    @property
    def room(self) -> int:
        """Cells that a row has; it has the whole width of a small screen."""
        width = self.app.size.width
        return (width if width < 110 else self.columns) - 4

    def fit(self, width: int) -> None:
        """Take the columns of a screen that the whole world does not need, and no fewer than are read with ease."""
        self.columns = (
            min(SIDE_MAX_COLUMNS, width - WORLD_COLUMNS)
            if width - WORLD_COLUMNS >= SIDE_MIN_COLUMNS
            else SIDE_NARROW_COLUMNS
        )
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
        for pane in pane_tabs(self._session, self.pane):
            press = f"screen.pane('{pane.name}')"
            tabs.append(f" {pane.key} ", clickable(look.key, press))
            tabs.append(pane.title, clickable("reverse" if pane.name == self.pane else "", press))
        return tabs


class Cards(ScrollingText):
    """The cards of a region. They stand as wide as the room that their parent has."""

    @property
    def room(self) -> int:
        """Cells that a row has, whether the cards are in sight or not."""
        beside = self.parent.size.width if isinstance(self.parent, Widget) else 0
        return beside or self.app.size.width

    def draw(self, session: Session, look: Look, cursor: str, rows: int) -> None:
        """Show the region of a place, and what fits below it into so many rows."""
        self.show(region_text(session, look, region_of(session, cursor), cursor, self.room, rows))

    def bring_into_sight(self, session: Session, cursor: str) -> None:
        """Scroll to the card of a place."""
        areas = areas_by_region(session)[region_of(session, cursor)]
        at = areas.index(cursor) if cursor in areas else 0
        self.centre(at // card_columns(self.room, len(areas)) * HEIGHT + 1)

    def beside(self, session: Session, cursor: str, rows: int = 0, step: int = 0) -> str:
        """The Area so many rows, or cards, on from a place; over the end of a region the next one begins."""
        by_name = areas_by_region(session)
        names, name = list(by_name), region_of(session, cursor)
        areas = by_name[name]
        if cursor not in areas:
            return areas[0]
        at = areas.index(cursor) + rows * card_columns(self.room, len(areas)) + step
        if at >= len(areas):
            return by_name[names[(names.index(name) + 1) % len(names)]][0]
        if at < 0:
            return by_name[names[(names.index(name) - 1) % len(names)]][-1]
        return areas[at]


def region_of(session: Session, place: str) -> str:
    """The region of a place, or the first one."""
    area = session.tables.areas.get(place)
    return area.region if area else next(iter(areas_by_region(session)))
