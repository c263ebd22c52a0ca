"""The column beside the map (what now, tabs, a pane), the shelf below the map, and the cards of a region."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rich.text import Text
from textual import getters
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.geometry import Region, Size
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from paxtui.session.session import Session
from paxtui.tui.base.app import BaseApp
from paxtui.tui.base.screen import TextPanel, next_in_circle, set_border_title
from paxtui.tui.formatting.look import Look, clickable
from paxtui.tui.panes.region_cards import HEIGHT, areas_by_region, card_columns, region_text
from paxtui.tui.panes.registry import SIDE_PANES, Pane, pane_tabs
from paxtui.tui.panes.what_now import what_now
from paxtui.tui.rendering.text_widgets import ScrollingText

WORLD_ROWS = 49
"""Rows of the whole world with the card below it and, in the past, the timeline."""
SHELF_MIN_ROWS, SHELF_MAX_ROWS = 8, 15
"""Minimum and maximum rows of the shelf. It is hidden if fewer rows are left."""
INDEXES = 56
"""Columns of the Indexes. The Log has the rest."""
PAGE_EDGES = 5
"""Columns of a pane's padding, border and scrollbar."""


class Shelf(Horizontal):
    """Indexes and Log side by side, while the side column shows the Record Sheet."""

    indexes_page = getters.query_one("#shelf-indexes", ScrollingText)
    log_page = getters.query_one("#shelf-log", ScrollingText)

    _width = 0

    def compose(self) -> ComposeResult:
        yield ScrollingText(id="shelf-indexes")
        yield ScrollingText(id="shelf-log")

    def fit(self, width: int, rows: int) -> None:
        """Take the rows that the map does not need.

        Args: the columns of the map; the rows of map, card and shelf together.
        """
        self._width = width
        left = min(rows - WORLD_ROWS, SHELF_MAX_ROWS)
        self.display = left >= SHELF_MIN_ROWS
        self.styles.height = left

    def draw(self, session: Session, look: Look) -> None:
        """Draw the current position, if the shelf is visible."""
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
"""Minimum columns of the side column, beside the whole world and beside a scrolled one."""


HeadRenderer = Callable[[Session, Look, int, Callable[[str, str], str]], Text]
"""Renders the head of the side column from the session, the look, the width, and the key of each binding."""


class SideColumn(Vertical):
    """The pane `what now` above one pane of the registry. Attributes: `render_head` renders another head instead."""

    pane: reactive[str] = reactive("record", init=False, repaint=False)
    """Name of the open pane."""

    app = getters.app(BaseApp)
    now = getters.query_one("#now", TextPanel)
    tabs = getters.query_one("#tabs", TextPanel)
    page = getters.query_one("#pane", ScrollingText)

    def __init__(self, session: Session, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._session = session
        self.columns = SIDE_NARROW_COLUMNS
        self._shown = ("", "")
        self.render_head: HeadRenderer = what_now

    def compose(self) -> ComposeResult:
        yield TextPanel(id="now")
        yield TextPanel(id="tabs")
        yield ScrollingText(id="pane")

    def render_lines(self, crop: Region) -> list[Strip]:
        """Render the rows behind the panes, which are alike: a border on the left."""
        return super().render_lines(Region(crop.x, crop.y, crop.width, 1)) * crop.height

    @property
    def open_pane(self) -> Pane:
        """The registry row of the open pane."""
        return next(pane for pane in SIDE_PANES if pane.name == self.pane)

    @property
    def room(self) -> int:
        """Width of a row in cells: on a small screen the whole width."""
        width = self.app.size.width
        return (width if width < 110 else self.columns) - 4

    def fit(self, width: int) -> None:
        """Take the columns that the whole world does not need, but at least the minimum."""
        left = width - WORLD_COLUMNS
        self.columns = min(SIDE_MAX_COLUMNS, left) if left >= SIDE_MIN_COLUMNS else SIDE_NARROW_COLUMNS
        # on a small screen it has the full width
        self.styles.width = "100%" if width < 110 else self.columns

    def from_start(self) -> None:
        """Scroll the open pane to its first row at the next draw."""
        self._shown = ("", "")

    def watch_pane(self) -> None:
        self.draw()

    def draw(self) -> None:
        """Draw the current position. A pane keeps its scroll offset until another one opens."""
        session, look = self._session, self.app.look
        self.now.show(look.signs(self.render_head(session, look, self.room, self.app.key_of)))
        self.tabs.show(look.signs(self._tabs(look)))
        pane = self.open_pane
        self.page.show(self._page_of(pane))
        if pane.at_end:
            self.page.to_end()
        elif (pane.name, session.seat) != self._shown:
            self.page.to_start()
        self._shown = (pane.name, session.seat)

    def _page_of(self, pane: Pane) -> Text:
        assert pane.draw is not None
        return self.app.look.signs(pane.draw(self._session, self.app.look, self.room))

    def prepare_panes(self) -> Iterator[str]:
        """Render the panes that are not open in steps, so that their keys only draw them."""
        for pane in pane_tabs(self._session, self.pane):
            if pane.name != self.pane and pane.draw is not None:
                text = self._page_of(pane)
                yield pane.name
                for _ in self.page.prepare(text, pane.at_end):
                    yield pane.name

    def prepare_moment(self, line: int) -> Iterator[str]:
        """Render the open pane after another line of the log, in steps."""
        with self._session.glance_at(line):
            self.render_head(self._session, self.app.look, self.room, self.app.key_of)
            text = self._page_of(self.open_pane)
        yield "moment"
        for _ in self.page.prepare(text, self.open_pane.at_end):
            yield "moment"

    def _tabs(self, look: Look) -> Text:
        tabs = Text(no_wrap=True)
        for pane in pane_tabs(self._session, self.pane):
            press = f"screen.view('pane', '{pane.name}')"
            tabs.append(f" {pane.key} ", clickable(look.key, press))
            tabs.append(pane.title, clickable("reverse" if pane.name == self.pane else "", press))
        return tabs


class Cards(ScrollingText):
    """The cards of a region, as wide as the parent allows."""

    @property
    def room(self) -> int:
        """Width of a row in cells, also while the cards are hidden."""
        beside = self.parent.size.width if isinstance(self.parent, Widget) else 0
        return beside or self.app.size.width

    def draw(self, session: Session, look: Look, cursor: str, rows: int) -> None:
        """Draw the region of a place, and the regions that fit below it."""
        self.show(region_text(session, look, region_of(session, cursor), cursor, self.room, rows))

    def prepare_region(self, session: Session, look: Look, cursor: str, rows: int) -> Iterator[str]:
        """Render the cards of a place unseen, in steps."""
        text = region_text(session, look, region_of(session, cursor), cursor, self.room, rows)
        yield "cards"
        for _ in self.prepare(text, size=Size(self.room, rows)):
            yield "cards"

    def bring_into_sight(self, session: Session, cursor: str) -> None:
        """Scroll to the card of a place."""
        areas = areas_by_region(session)[region_of(session, cursor)]
        at = areas.index(cursor) if cursor in areas else 0
        self.centre(at // card_columns(self.room, len(areas)) * HEIGHT + 1)

    def neighbour(self, session: Session, cursor: str, rows: int = 0, step: int = 0) -> str:
        """Return the Area some rows or cards away. Past the end of a region the next region begins."""
        by_name = areas_by_region(session)
        names, name = list(by_name), region_of(session, cursor)
        areas = by_name[name]
        if cursor not in areas:
            return areas[0]
        at = areas.index(cursor) + rows * card_columns(self.room, len(areas)) + step
        if at >= len(areas):
            return by_name[next_in_circle(names, name)][0]
        if at < 0:
            return by_name[next_in_circle(names, name, -1)][-1]
        return areas[at]


def region_of(session: Session, place: str) -> str:
    """Return the region of a place; the first region if it has none."""
    area = session.tables.areas.get(place)
    return area.region if area else next(iter(areas_by_region(session)))
