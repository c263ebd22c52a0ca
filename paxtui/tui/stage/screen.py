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
    """A screen of the program that lies over another one."""
