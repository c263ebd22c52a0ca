"""Panes, zooms, filters and region cards of the game screen."""

from __future__ import annotations

from textual.widgets import Input

from paxtui.pax.board.tables import HOME
from paxtui.tui.game import scene_of
from paxtui.tui.game.game_part import GamePart
from paxtui.tui.panes.region_cards import HEIGHT, columns, regions
from paxtui.tui.stage.pick import PickScreen
from paxtui.tui.swift.page import Page

PANES = (("2", "record", "Record"), ("3", "indexes", "Indexes"), ("4", "treaties", "Treaties"), ("5", "log", "Log"))
"""Keys, names and titles of the panes of the side column."""


class Panes(GamePart):
    """What the game screen shows beside and instead of the map."""

    def action_pane(self, name: str) -> None:
        """Show a pane; on a small screen it takes the place of the map."""
        if name == "cards":
            self.cards = not self.cards
            self.remove_class("-side")
            self._cards_or_map()
        elif name == "now":
            self.toggle_class("-side")
        else:
            again = self.pane == name and self.has_class("-side")
            self.pane = name
            if self.has_class("small"):
                self.set_class(not again, "-side")
        self.redraw()

    def action_next_pane(self) -> None:
        """The next pane."""
        names = [name for _, name, _ in PANES]
        self.pane = names[(names.index(self.pane) + 1) % len(names)]
        self.redraw()

    def action_zoom(self) -> None:
        """World, theatre, cards."""
        if self.cards:
            self.cards = False
            self.map.zoom = "world"
            self._cards_or_map()
        elif self.map.zoom == "world":
            self.map.zoom = "theatre"
        else:
            self.cards = True
            self._cards_or_map()
        self.redraw()

    def _cards_or_map(self) -> None:
        """The cards have taken the place of the map, or the map has it back."""
        self.redraw()
        if self.cards:
            self._scroll_cards()
        else:
            self.set_focus(self.map)

    def action_card(self, step: int) -> None:
        """The card above or below; in the line for orders an earlier order."""
        if isinstance(self.focused, Input):
            self.recall(step)
        elif self.cards:
            self._walk_cards(step * columns(self.cards_width()))

    def action_region(self, step: int) -> None:
        """The card beside; beyond the last one the next region begins."""
        if self.cards and not isinstance(self.focused, Input):
            self._walk_cards(step)

    def _walk_cards(self, step: int) -> None:
        """So many cards on; over the end of a region into the next one, at the same side."""
        by_name = regions(self.session)
        names, name = list(by_name), self.region_here()
        areas = by_name[name]
        if self.map.cursor not in areas:
            self._show_card(areas[0])
            return
        at = areas.index(self.map.cursor) + step
        if at >= len(areas):
            areas = by_name[names[(names.index(name) + 1) % len(names)]]
            at = 0
        elif at < 0:
            areas = by_name[names[(names.index(name) - 1) % len(names)]]
            at = len(areas) - 1
        self._show_card(areas[at])

    def cards_width(self) -> int:
        """Cells that the cards have."""
        return self.query_one("#left").size.width or self.app.size.width

    def _show_card(self, area: str) -> None:
        self.map.cursor = area
        self.redraw()
        self._scroll_cards()

    def _scroll_cards(self) -> None:
        """Bring the card of the cursor into sight."""
        areas = regions(self.session)[self.region_here()]
        at = areas.index(self.map.cursor) if self.map.cursor in areas else 0
        self.query_one("#cards", Page).centre(at // columns(self.cards_width()) * HEIGHT + 1)

    def action_mouse_card(self, area: str) -> None:
        """A card was clicked; a second click asks what can be done there."""
        if area == self.map.cursor:
            self.action_menu()
        else:
            self._show_card(area)

    def action_filter(self) -> None:
        """Show one question on the map."""
        self.show = (self.show + 1) % len(scene_of.FILTERS)
        self.redraw()

    def action_filters(self) -> None:
        """Choose the question from a list."""

        def done(number: int | None) -> None:
            if number is not None:
                self.show = number
                self.redraw()

        self.app.push_screen(PickScreen("Show on the map", scene_of.FILTERS, self.look, self.show), done)

    def action_go_home(self) -> None:
        """The cursor goes to the Home Country of the Power at the keyboard."""
        self.map.cursor = HOME + self.session.power
        self.redraw()

    def region_here(self) -> str:
        """The region of the place under the cursor, or the first one."""
        area = self.session.tables.areas.get(self.map.cursor)
        return area.region if area else next(iter(regions(self.session)))

    def recall(self, step: int) -> None:
        """Put an earlier order (-1) or a later one (1) into the line for orders."""
        if not self.history:
            return
        self.recalled = max(0, min(len(self.history), self.recalled + step))
        command = self.query_one("#command", Input)
        command.value = self.history[self.recalled] if self.recalled < len(self.history) else ""
        command.cursor_position = len(command.value)
