"""An app that is quick at a slow terminal: it writes what is new alone, and takes keys strictly in order.

Idle tasks: what is done while the player looks at the first frame, so that no later key has to wait for it.
"""

from __future__ import annotations

import gc
import importlib
import os
from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from textual._compositor import ChopsUpdate, LayoutUpdate
from textual.app import App
from textual.css.stylesheet import Stylesheet
from textual.driver import Driver
from textual.events import Event, Key, Paste, Resize
from textual.screen import Screen

from paxtui.tui.colors import Depth
from paxtui.tui.rendering.ansi_writer import FrameDiff, FrameUpdate, depth_of
from paxtui.tui.rendering.key_queue import KEY_GROUP, KeyQueue


class CachedStylesheet(Stylesheet):
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


class RenderingApp(App[int]):
    """An app that writes only what its terminal does not show already, and loses no key.

    It stands in the way of a method of Textual's own, which writes a frame; Textual is pinned to one version.
    """

    def __init__(self, css_path: list[str] | None = None) -> None:
        self.sheet = FrameDiff()
        self.keyboard = KeyQueue(self, super().on_event)
        super().__init__(css_path=list(css_path or ()))
        self.stylesheet = CachedStylesheet(variables=self.get_css_variables())
        self.asks_for_colours = depth_of(self.console) != Depth.ALL and not os.environ.get("NO_COLOR")

    def get_driver_class(self) -> type[Driver]:
        """The driver of the platform; where Textual takes its own one for terminals, ours, which is quick with Esc."""
        found = super().get_driver_class()
        if found.__name__ != "LinuxDriver":
            return found
        # a platform without terminals has no such module to build upon
        from paxtui.tui.rendering.driver import TerminalDriver

        return TerminalDriver

    @property
    def depth(self) -> Depth:
        """How many colours are written."""
        return depth_of(self.console)

    def has_all_colours(self) -> None:
        """The terminal has said that it has all colours."""

    def on_mount(self) -> None:
        """Begin to take keys. What another program wrote while this one slept is not known: draw everything then."""
        self.run_worker(self.keyboard.work(), group=KEY_GROUP)
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

    def expect_frame(self) -> None:
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
                change = FrameUpdate("")
            renderable = change
        super()._display(screen, renderable)
        if drawn:
            self.keyboard.type_ahead.drawn(screen)


IDLE_DELAY_S = 0.25
"""Seconds after the first frame until the first chore."""
TASK_PAUSE_S = 0.01
"""Seconds between two chores: keys come first."""


def prepare_maps_when_idle(screen: Screen[None]) -> None:
    """Do all chores of a screen with a map, one after the other, with pauses for the player's keys."""
    run_when_idle(screen, idle_tasks(screen))


def import_when_idle(screen: Screen[None], modules: Sequence[str]) -> None:
    """Import modules that the next screens need, one after the other, with pauses for the player's keys."""
    run_when_idle(screen, (importlib.import_module(name).__name__ for name in modules))


def run_when_idle(screen: Screen[None], work: Iterator[str]) -> None:
    """Run the steps of `work` one by one as long as the screen is attached. No step may take longer than two frames."""

    def one() -> None:
        if screen.is_attached and next(work, "done") != "done":
            screen.set_timer(TASK_PAUSE_S, one)

    screen.set_timer(IDLE_DELAY_S, one)


def idle_tasks(screen: Screen[None]) -> Iterator[str]:
    """Each chore, done when it is asked for; its name. None takes longer than a frame or two."""
    from paxtui.tui.map.world_map import WorldMap

    yield from screen.query_one(WorldMap).prepare()
    # Rules, tables, style sheets and classes are some hundred thousand objects that stay. The collector of garbage
    # would go through them again and again, each time for as long as two frames take.
    gc.collect()
    gc.freeze()
    yield "garbage"
