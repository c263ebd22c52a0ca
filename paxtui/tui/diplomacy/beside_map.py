"""A list with what the line under the cursor would bring, beside the map as it is and as it would be.

The spoils of a War, a peace and the questions of a War are put so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll

from paxtui.pax.state.model import State
from paxtui.table.session import Session
from paxtui.tui.map.world_map import WorldMap
from paxtui.tui.stage.prose import Prose, Rows, entitle
from paxtui.tui.stage.screen import PaxScreen, Result
from paxtui.tui.widgets.scene_of import scene

WIDE = 130
"""Columns from which the map stands beside the list."""
COLUMN = 64
"""Cells of the column of the list."""


class BesideMap(PaxScreen[Result]):
    """What is asked, the list, what its lines bring, the keys; beside it, or behind Tab, the map."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("pagedown", "leaf(1)", "On", id="beside.down", tooltip="More of what it would bring", priority=True),
        Binding("pageup", "leaf(-1)", "Back", id="beside.up", tooltip="What stands above that", priority=True),
    ]
    before = False
    """Whether the map shows the world as it is."""

    def compose(self) -> ComposeResult:
        """The column, the map and the keys."""
        with Horizontal(id="beside-all"):
            with Vertical(id="beside-side"):
                yield Prose(id="beside-asked", classes="title")
                yield Rows(id="beside-list")
                with VerticalScroll(id="beside-room"):
                    yield Prose(id="beside-told")
            yield WorldMap(id="beside-map", palette=self.app.palette)
        yield Prose(id="beside-keys", classes="note")

    def on_mount(self) -> None:
        """The list has the keyboard."""
        self.set_class(self.app.size.width < WIDE, "small")
        self.map.can_focus = False
        self.query_one("#beside-room", VerticalScroll).can_focus = False
        self.write()
        self.set_focus(self.rows)
        self.begin()

    def on_resize(self) -> None:
        """Another size, another composition."""
        self.set_class(self.app.size.width < WIDE, "small")
        self.write()

    def begin(self) -> None:
        """Fill the list, and put the cursor where it begins."""

    def write(self) -> None:
        """Write what is asked, and the keys."""

    # --- its parts --------------------------------------------------------------------------------------------------

    @property
    def asked(self) -> Prose:
        """What is asked."""
        return self.query_one("#beside-asked", Prose)

    @property
    def rows(self) -> Rows:
        """The list."""
        return self.query_one("#beside-list", Rows)

    @property
    def told(self) -> Prose:
        """What the line under the cursor brings."""
        return self.query_one("#beside-told", Prose)

    @property
    def keys(self) -> Prose:
        """The keys."""
        return self.query_one("#beside-keys", Prose)

    @property
    def map(self) -> WorldMap:
        """The map."""
        return self.query_one("#beside-map", WorldMap)

    @property
    def room(self) -> int:
        """Cells of a row of the column."""
        return (self.app.size.width if self.has_class("small") else COLUMN) - 4

    @property
    def turns(self) -> str:
        """What Tab does here."""
        return "Tab map" if self.has_class("small") else "Tab before and after"

    # --- the map ----------------------------------------------------------------------------------------------------

    def draw(self, session: Session, now: State, then: State, lit: Sequence[str], at: str, power: str) -> None:
        """Draw the map as it is, or as it would be.

        Args: the open game; both positions; the Areas that are lit; the place under the cursor; whose eyes look.
        """
        entitle(self.map, "As it is" if self.before else "As it would be")
        drawn = scene(session.tables, now if self.before else then, at or self.map.cursor, power)
        self.map.scene = replace(drawn, lit=frozenset(lit))
        if at:
            self.map.centre_on(at)

    def action_turn(self) -> None:
        """The map before, the map after; on a small screen first the one, then the other, then the list again."""
        if self.has_class("small"):
            shown = self.has_class("-map")
            self.before = shown and not self.before
            self.set_class(not shown or self.before, "-map")
        else:
            self.before = not self.before
        self.turned()

    def action_leaf(self, step: int) -> None:
        """A page on, or back, of what the line under the cursor would bring."""
        room = self.query_one("#beside-room", VerticalScroll)
        room.scroll_relative(y=step * max(1, room.size.height - 1), animate=False)

    def turned(self) -> None:
        """The other map is to be drawn."""
