"""The region under the cursor as cards, in the place of the map."""

from __future__ import annotations

from textual.widget import Widget

from paxtui.table.session import Session
from paxtui.tui.panes.region_cards import HEIGHT, columns, region_text, regions
from paxtui.tui.swift.page import Page
from paxtui.tui.writing.look import Look


class Cards(Page):
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
        areas = regions(session)[region_of(session, cursor)]
        at = areas.index(cursor) if cursor in areas else 0
        self.centre(at // columns(self.room, len(areas)) * HEIGHT + 1)

    def beside(self, session: Session, cursor: str, rows: int = 0, step: int = 0) -> str:
        """The Area so many rows, or cards, on from a place; over the end of a region the next one begins."""
        by_name = regions(session)
        names, name = list(by_name), region_of(session, cursor)
        areas = by_name[name]
        if cursor not in areas:
            return areas[0]
        at = areas.index(cursor) + rows * columns(self.room, len(areas)) + step
        if at >= len(areas):
            return by_name[names[(names.index(name) + 1) % len(names)]][0]
        if at < 0:
            return by_name[names[(names.index(name) - 1) % len(names)]][-1]
        return areas[at]


def region_of(session: Session, place: str) -> str:
    """The region of a place, or the first one."""
    area = session.tables.areas.get(place)
    return area.region if area else next(iter(regions(session)))
