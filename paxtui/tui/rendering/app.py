"""The base app with minimal terminal output and ordered keys, and tasks that run while the player is idle."""

from __future__ import annotations

import gc
import importlib
import os
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rich.console import RenderableType
from textual._compositor import ChopsUpdate, LayoutUpdate
from textual.await_remove import AwaitRemove
from textual.cache import LRUCache
from textual.css.model import CombinatorType, RuleSet
from textual.css.styles import RulesMap
from textual.css.stylesheet import Stylesheet
from textual.css.types import CSSLocation
from textual.dom import DOMNode
from textual.driver import Driver
from textual.events import Event, Key, Paste, Resize
from textual.screen import Screen
from textual.widget import Widget

from paxtui.tui.colors import Depth
from paxtui.tui.rendering.ansi_writer import FrameDiff, FrameUpdate, depth_of
from paxtui.tui.rendering.compositor import FrameApp, RenderingScreen
from paxtui.tui.rendering.key_queue import KEY_GROUP, KeyQueue

ORDER_PSEUDO_CLASSES = {"first-of-type", "last-of-type", "first-child", "last-child", "empty"}
"""Pseudo-classes that depend on the nodes beside a node."""

_PARSED_SHEETS: LRUCache[tuple[object, ...], list[RuleSet]] = LRUCache(1024)
"""Rules of the style sheets that this process has parsed, by their text and colours. Nothing changes them."""


class NamedPseudoClasses(NamedTuple):
    """The pseudo-classes in the selectors of the rules for a node.

    Attributes:
        all: all of them.
        outer: those of the nodes around the node.
    """

    all: frozenset[str]
    outer: frozenset[str]


class CachedStylesheet(Stylesheet):
    """Style sheets that are parsed once per process and theme. Textual parses all of them three times at startup.

    The styles of a node are computed once for all nodes that the rules cannot tell apart.
    """

    def __init__(self, *, variables: dict[str, str] | None = None) -> None:
        super().__init__(variables=variables)
        self._named: dict[frozenset[str], NamedPseudoClasses] = {}
        self._styles: LRUCache[tuple[object, ...], RulesMap | None] = LRUCache(4096)
        self._cached_rules: object = None

    def apply(
        self, node: DOMNode, *, animate: bool = False, cache: dict[tuple[object, ...], RulesMap] | None = None
    ) -> None:
        """Set the styles of a node. `cache`: ignored; the cache of the style sheet knows more."""
        if self.rules_map is not self._cached_rules:
            self._cached_rules = self.rules_map
            self._named.clear()
            self._styles.clear()
        named = self._named_pseudo_classes(frozenset(node._selector_names))
        key = tuple(
            (
                each._css_type_names,
                each._id,
                each.classes,
                self._pseudo_classes(each, named.all if each is node else named.outer),
            )
            for each in node.css_path_nodes
        )
        if key not in self._styles:
            found: dict[tuple[object, ...], RulesMap] = {}
            super().apply(node, animate=animate, cache=found)
            if found or named.all.isdisjoint(self._EXCLUDE_PSEUDO_CLASSES_FROM_CACHE):
                self._styles[key] = next(iter(found.values()), None)
            return
        node._has_hover_style = "hover" in named.all
        node._has_focus_within = "focus-within" in named.all
        node._has_order_style = not named.all.isdisjoint(ORDER_PSEUDO_CLASSES)
        node._has_odd_or_even = not named.all.isdisjoint(("odd", "even"))
        if (styles := self._styles[key]) is not None:
            self.replace_rules(node, styles, animate=animate)
        self._process_component_classes(node)

    def _named_pseudo_classes(self, names: frozenset[str]) -> NamedPseudoClasses:
        """Return the pseudo-classes in the rules for a node. Args: its type, classes and id as selectors."""
        found = self._named.get(names)
        if found is None:
            whole: set[str] = set()
            outer: set[str] = set()
            rules = (rule for name in self.rules_map.keys() & names for rule in self.rules_map[name])
            for selectors in (each.selectors for rule in rules for each in rule.selector_set):
                last = len(selectors) - 1
                while last and selectors[last].combinator == CombinatorType.SAME:
                    last -= 1
                whole.update(*(selector.pseudo_classes for selector in selectors))
                outer.update(*(selector.pseudo_classes for selector in selectors[:last]))
            found = self._named[names] = NamedPseudoClasses(frozenset(whole), frozenset(outer))
        return found

    @staticmethod
    def _pseudo_classes(node: DOMNode, names: frozenset[str]) -> frozenset[str]:
        return frozenset(filter(node.has_pseudo_class, names)) if names else names

    def set_variables(self, variables: dict[str, str]) -> None:
        """Set the colours of a theme."""
        if variables != self._variables:
            super().set_variables(variables)
            self._require_parse = True

    def _parse_rules(
        self,
        css: str,
        read_from: CSSLocation,
        is_default_rules: bool = False,
        tie_breaker: int = 0,
        scope: str = "",
    ) -> list[RuleSet]:
        key = (css, read_from, is_default_rules, tie_breaker, scope, *sorted(self._variables.items()))
        rules = _PARSED_SHEETS.get(key)
        if rules is None:
            rules = super()._parse_rules(css, read_from, is_default_rules, tie_breaker, scope)
            _PARSED_SHEETS[key] = rules
        return rules

    def reparse(self) -> None:
        """Parse the sheets that are not parsed with these colours."""
        if self._require_parse:
            self.parse()


class RenderingApp(FrameApp):
    """An app that writes only changed cells and loses no key.

    It overrides a private method of Textual that writes a frame; the version of Textual is pinned.
    """

    def __init__(self, css_path: list[str] | None = None) -> None:
        self.sheet = FrameDiff()
        self.keyboard = KeyQueue(self, super().on_event, self._work_at_rest, self._update_screen)
        super().__init__(css_path=list(css_path or ()))
        self._asked_pointer = "default"  # of a terminal that has not been asked for another
        self._disable_tooltips = True  # no widget has one; each screen would mount an empty one
        self.stylesheet = CachedStylesheet(variables=self.get_css_variables())
        self.asks_for_colours = depth_of(self.console) != Depth.ALL and not os.environ.get("NO_COLOR")

    def holds_frames(self) -> bool:
        """Return whether frames wait for other effects of a key."""
        return self.keyboard.holds_frames

    def _update_screen(self) -> bool:
        """Lay out or draw a visible screen, the lowest first; return whether one had changed."""
        return any(screen.update_now() for screen in self.screen_stack if isinstance(screen, RenderingScreen))

    def _prune(self, *nodes: Widget, parent: DOMNode | None = None) -> AwaitRemove:
        """Remove nodes. Textual lays out and draws the top screen again after it has removed another screen."""
        return super()._prune(*nodes, parent=None if parent is self else parent)

    def _work_at_rest(self) -> Iterator[str]:
        """Yield the steps of the top screen, until the app closes or another screen is on top."""
        front = self.screen_stack[-1:]  # empty while the app closes
        work = front[0].work_at_rest() if front and isinstance(front[0], RenderingScreen) else iter(())
        while self._running and self.screen_stack[-1:] == front and (step := next(work, "")):
            yield step

    def get_driver_class(self) -> type[Driver]:
        """Return `TerminalDriver` on a terminal, otherwise the driver of the platform."""
        found = super().get_driver_class()
        if found.__name__ != "LinuxDriver":
            return found
        # the module cannot be imported on a platform without termios
        from paxtui.tui.rendering.driver import TerminalDriver

        return TerminalDriver

    @property
    def depth(self) -> Depth:
        """Return the colour depth in use."""
        return depth_of(self.console)

    def has_all_colours(self) -> None:
        """Handle the terminal's answer that it has 24-bit colour."""

    def on_mount(self) -> None:
        """Start handling keys. After a suspension, redraw the whole screen."""
        self.run_worker(self.keyboard.work(), group=KEY_GROUP)
        self.app_resume_signal.subscribe(self, lambda _: self.sheet.clear(), immediate=True)

    async def on_event(self, event: Event) -> None:
        """Queue keys; after a resize, redraw the whole screen."""
        if isinstance(event, Key | Paste) and not event.is_forwarded:
            self.keyboard.put(event)
            return
        if isinstance(event, Resize):
            self.sheet.clear()
        await super().on_event(event)

    def action_redraw(self) -> None:
        self.sheet.clear()
        self.refresh()

    def expect_frame(self) -> None:
        """Discard keys until the next frame has been visible for `MIN_VISIBLE_S`."""
        self.keyboard.type_ahead.expect()
        # no frame is written when nothing changed
        self.screen.call_after_refresh(lambda: self.keyboard.type_ahead.drawn(self.screen))

    def _set_pointer_shape(self, shape: str) -> None:
        """Ask the terminal for a shape of the mouse pointer. Each new screen asks for its own, prepared ones too."""
        if shape != self._asked_pointer:
            self._asked_pointer = shape
            super()._set_pointer_shape(shape)

    def _display(self, screen: Screen[object], renderable: RenderableType | None) -> None:
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
"""Delay between the first frame and the first idle task."""
TASK_PAUSE_S = 0.01
"""Pause between two idle tasks; keys have priority."""


def import_when_idle(screen: Screen[None], modules: Sequence[str]) -> None:
    """Import modules that later screens need, with pauses for keys."""
    run_when_idle(screen, (importlib.import_module(name).__name__ for name in modules))


def run_when_idle(screen: Screen[None], work: Iterator[str]) -> None:
    """Run the steps of `work` one by one while the screen is attached. A step takes at most two frames."""

    def one() -> None:
        if screen.is_attached and next(work, "done") != "done":
            screen.set_timer(TASK_PAUSE_S, one)

    screen.set_timer(IDLE_DELAY_S, one)


def idle_tasks(screen: Screen[None], own: Iterator[str]) -> Iterator[str]:
    """Run the idle tasks of a screen with a map, one per iteration, and yield their names.

    Args: the screen; tasks of its own, which are the first.
    """
    from paxtui.tui.map.world_map import WorldMap

    yield from own
    yield from screen.query_one(WorldMap).prepare()
    # Rules, tables, style sheets and classes are several hundred thousand permanent objects. Without freezing, each
    # full garbage collection takes as long as two frames.
    gc.collect()
    gc.freeze()
    yield "garbage"
