"""An app that is quick at a slow terminal: it writes what is new alone, and takes keys strictly in order."""

from __future__ import annotations

import os

from rich.console import RenderableType
from textual._compositor import ChopsUpdate, LayoutUpdate
from textual.app import App
from textual.css.stylesheet import Stylesheet
from textual.driver import Driver
from textual.events import Event, Key, Paste, Resize
from textual.screen import Screen

from paxtui.tui.colours.depth import Depth
from paxtui.tui.swift.keyboard import GROUP, Keyboard
from paxtui.tui.swift.pen import depth_of
from paxtui.tui.swift.sheet import Change, Sheet


class ReadOnce(Stylesheet):
    """Style sheets that are read again only for other colours: Textual reads all of them twice before it begins."""

    _others = True
    """Whether the colours are others than those that the sheets were read for."""

    def set_variables(self, variables: dict[str, str]) -> None:
        """Take the colours of a theme."""
        if variables != self._variables:
            super().set_variables(variables)
            self._others = True

    def parse(self) -> None:
        """Read what has not been read."""
        super().parse()
        self._others = False

    def reparse(self) -> None:
        """Read everything again, where it says something else now."""
        if self._others or self._require_parse:
            super().reparse()
            self._others = False


class SwiftApp(App[int]):
    """An app that writes only what its terminal does not show already, and loses no key.

    It stands in the way of a method of Textual's own, which writes a frame; Textual is pinned to one version.
    """

    def __init__(self, css_path: list[str] | None = None) -> None:
        self.sheet = Sheet()
        self.keyboard = Keyboard(self, super().on_event)
        super().__init__(css_path=list(css_path or ()))
        self.stylesheet = ReadOnce(variables=self.get_css_variables())
        self.asks_for_colours = depth_of(self.console) != Depth.ALL and not os.environ.get("NO_COLOR")

    def get_driver_class(self) -> type[Driver]:
        """The driver of the platform; where Textual takes its own one for terminals, ours, which is quick with Esc."""
        found = super().get_driver_class()
        if found.__name__ != "LinuxDriver":
            return found
        # a platform without terminals has no such module to build upon
        from paxtui.tui.swift.driver import PromptDriver

        return PromptDriver

    @property
    def depth(self) -> Depth:
        """How many colours are written."""
        return depth_of(self.console)

    def has_all_colours(self) -> None:
        """The terminal has said that it has all colours."""

    def on_mount(self) -> None:
        """Begin to take keys. What another program wrote while this one slept is not known: draw everything then."""
        self.run_worker(self.keyboard.work(), group=GROUP)
        self.app_resume_signal.subscribe(self, lambda _: self.sheet.clear(), immediate=True)

    async def on_event(self, event: Event) -> None:
        """Keys wait their turn; a terminal of another size may have wrapped or lost what it showed."""
        if isinstance(event, Key | Paste) and not event.is_forwarded:
            self.keyboard.put(event)
            return
        if isinstance(event, Resize):
            self.sheet.clear()
        await super().on_event(event)

    def action_redraw(self) -> None:
        """Draw the whole screen again, whatever another program has written over it."""
        self.sheet.clear()
        self.refresh()

    def expect_a_look(self) -> None:
        """What is about to be drawn must be seen before the next key is heard (`type_ahead`)."""
        self.keyboard.type_ahead.expect()
        # where nothing differs no frame is written
        self.screen.call_after_refresh(lambda: self.keyboard.type_ahead.drawn(self.screen))

    def _display(self, screen: Screen[object], renderable: RenderableType | None) -> None:
        """Write a frame."""
        drawn = renderable is not None and not self._batch_count
        writes = self._running and not self._closed and not self._batch_count and not self.is_headless
        if writes and isinstance(renderable, (ChopsUpdate, LayoutUpdate)):
            change = self.sheet.change(renderable, self.console, self.depth)
            cursor = self.screen.outer_size.clamp_offset(self.cursor_position)
            if change is None and cursor != self._previous_cursor_position:
                change = Change("")
            renderable = change
        super()._display(screen, renderable)
        if drawn:
            self.keyboard.type_ahead.drawn(screen)
