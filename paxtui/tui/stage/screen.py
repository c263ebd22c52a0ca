"""The screens of the program: what each of them knows of the app, its colours and its help."""

from __future__ import annotations

import re
from typing import ClassVar, TypeVar

from textual import getters
from textual.await_complete import AwaitComplete
from textual.binding import Binding

from paxtui.tui.stage.app import PlayersApp
from paxtui.tui.stage.prose import Prose, Rows
from paxtui.tui.swift.frame import SwiftScreen
from paxtui.tui.swift.overlay import Overlay
from paxtui.tui.writing.look import Look

Result = TypeVar("Result")
MESSAGE_ROWS = 7
"""Rows that messages need."""
HIGH = 32
"""Rows from which on a box leaves the card of the place and the keys below free."""
_NAMED = re.compile(r"{([a-z_.]+)}")
"""The id of a binding in a text about keys."""


class PaxScreen(SwiftScreen[Result]):
    """A screen of the program."""

    app = getters.app(PlayersApp)
    TOPIC: ClassVar[str] = ""
    """Its page of the help (`data/help.toml`); a screen without one speaks by its own description."""

    @property
    def look(self) -> Look:
        """Colours and signs of the settings."""
        return self.app.look

    def on_mount(self) -> None:
        """Be drawn anew when the settings change."""
        self.watch(self.app, "settings", self.restyle, init=False)

    def restyle(self) -> None:
        """The settings have changed: other colours, other signs."""

    def dismiss(self, result: Result | None = None) -> AwaitComplete:
        """Close the screen with an answer. One that has been closed already stays so, and nothing else is."""
        return super().dismiss(result) if self.is_active else AwaitComplete()

    def keyed(self, told: str) -> str:
        """A text about the keys of this screen: `{choice.default}` in it becomes the key that the binding has now."""
        bound = (b for kind in type(self).__mro__ for b in vars(kind).get("BINDINGS", ()) if isinstance(b, Binding))
        own = {b.id: b.key for b in bound}
        return _NAMED.sub(lambda named: self.app.key_of(named[1], own[named[1]]), told)

    def topics(self) -> tuple[str, ...]:
        """Pages of the help that belong here, first that of what has focus."""
        return (self.TOPIC,) if self.TOPIC else ()

    def end_session(self) -> str:
        """Stop the bots of this screen's game, if it has one; return why the game cannot go on in its file, or ""."""
        return ""

    def words(self) -> str:
        """What the screen says, to be copied: its texts, and the lines under the cursor of its lists."""
        parts = [str(w.content).strip() for w in self.query(Prose) if w.display]
        for rows in self.query(Rows):
            if rows.highlighted is not None:
                parts.append(str(rows.get_option_at_index(rows.highlighted).prompt))
        return "\n".join(part for part in parts if part)


class PaxOverlay(Overlay[Result], PaxScreen[Result]):
    """A screen of the program that lies over another one. Messages stand where they leave its title free."""

    VERTICAL_BREAKPOINTS: list[tuple[int, str]] | None = [(0, "-low"), (HIGH, "-high")]

    def on_mount(self) -> None:
        """Messages about what the screen below showed go."""
        self.app.forget_older_messages()
        # those that stay are shown once, over this screen
        for below in self.app.screen_stack[:-1]:
            for rack in below.query("ToastRack"):
                rack.display = False
        self.call_after_refresh(self.make_room_for_messages)

    def make_room_for_messages(self) -> None:
        """Put messages above the box or below it, or else under its title."""
        titles, boxes = self.query(".title"), self.query(".box")
        if not titles or not boxes:
            return
        title, box = titles.first().region, boxes.first().region
        row = title.bottom
        if box.y > MESSAGE_ROWS:
            row = 1
        elif self.size.height - box.bottom > MESSAGE_ROWS:
            row = box.bottom
        for rack in self.query("ToastRack"):
            rack.styles.margin = (row, 0, 0, 0)
