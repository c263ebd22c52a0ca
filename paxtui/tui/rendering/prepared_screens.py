"""Screens that are built while the player rests, so that the key that opens one only draws it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple

from textual._context import visible_screen_stack
from textual.app import App
from textual.screen import Screen, ScreenResultType

from paxtui.tui.rendering.compositor import VisibleCompositor
from paxtui.tui.rendering.key_queue import is_idle

ROWS_PER_STEP = 6
"""Rows of a screen that one step draws."""
MAX_WAITS = 40
"""Number of steps for which the widgets of a screen may handle messages before it is laid out or drawn."""


class ScreenRecipe(NamedTuple, Generic[ScreenResultType]):
    """How a screen is made, and what its content depends on.

    Attributes:
        name: the name under which it is prepared.
        make: makes it.
        content: equal to an earlier value as long as the screen would have the same content.
    """

    name: str
    make: Callable[[], Screen[ScreenResultType]]
    content: object = None


@dataclass
class _PreparedScreen:
    """A mounted screen that is not open.

    Attributes:
        screen: the screen.
        content: what its content and its look depend on.
        steps: the rest of the work.
    """

    screen: Screen[Any]
    content: object
    steps: Iterator[str]


class PreparedScreens:
    """Screens for the next opening. One that is out of date is replaced when it is opened.

    Args:
        app: the app.
        look: returns what the look of all screens depends on, such as the theme.
    """

    def __init__(self, app: App[int], look: Callable[[], object]) -> None:
        self._app, self._look = app, look
        self._prepared: dict[str, _PreparedScreen] = {}

    def prepare(self, recipes: Iterable[ScreenRecipe[Any]]) -> Iterator[str]:
        """Build screens in short steps and yield the name after each. A later call continues."""
        for recipe in recipes:
            if (known := self._current(recipe)) is None:
                self.discard(recipe.name)
                screen = recipe.make()
                known = _PreparedScreen(screen, (recipe.content, self._look()), self._build(recipe.name, screen))
                self._prepared[recipe.name] = known
            while step := next(known.steps, ""):  # `yield from` would end them when a key interrupts this
                yield step

    def take(self, recipe: ScreenRecipe[ScreenResultType]) -> Screen[ScreenResultType]:
        """Return the prepared screen if it is up to date, else a new one."""
        if (known := self._current(recipe)) is None:
            self.discard(recipe.name)
            return recipe.make()
        del self._prepared[recipe.name]
        return known.screen

    def discard(self, name: str) -> None:
        """Remove a prepared screen."""
        if (known := self._prepared.pop(name, None)) is not None and known.screen.is_running:
            known.screen.remove()

    def _current(self, recipe: ScreenRecipe[Any]) -> _PreparedScreen | None:
        """Return the prepared screen if it is up to date."""
        known = self._prepared.get(recipe.name)
        return known if known is not None and known.content == (recipe.content, self._look()) else None

    def _build(self, name: str, screen: Screen[Any]) -> Iterator[str]:
        """Mount a screen, lay it out, and draw it unseen, so that its widgets know their rows."""
        yield name
        self._app._get_screen(screen)
        yield from self._wait(name, screen)
        screen._refresh_layout(self._app.size)
        yield from self._wait(name, screen)
        if screen._layout_required:
            screen._layout_required = False
            screen._refresh_layout(self._app.size)
            yield name
        frame = screen._compositor
        height = self._app.size.height
        for row in range(0, height, ROWS_PER_STEP):
            if isinstance(frame, VisibleCompositor):
                visible_screen_stack.set(list(self._app.screen_stack))
                frame.draw_rows(range(row, min(row + ROWS_PER_STEP, height)))
            yield name

    def _wait(self, name: str, screen: Screen[Any]) -> Iterator[str]:
        """Wait until the widgets have handled their messages."""
        for _ in range(MAX_WAITS):
            yield name
            if all(is_idle(node) for node in screen.walk_children(with_self=True)):
                break
