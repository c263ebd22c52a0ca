"""The private names of Textual that the program uses: each exists and behaves as expected.

Textual is pinned; these tests show what to check when the pin changes. The first test finds all private names in the
code of the TUI, so that none is used without a test.
"""

from __future__ import annotations

import ast
import asyncio
import inspect
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from rich.console import Console
from rich.segment import Segment
from textual._compositor import ChopsUpdate, Compositor, CompositorUpdate, LayoutUpdate, ReflowResult
from textual._context import visible_screen_stack
from textual._parser import ParseError
from textual._styles_cache import StylesCache
from textual._time import get_time
from textual._xterm_parser import XTermParser
from textual.app import App, ComposeResult
from textual.color import Color
from textual.css.stylesheet import Stylesheet
from textual.drivers.linux_driver import LinuxDriver
from textual.events import Key, ScreenResume
from textual.geometry import Region, Size
from textual.messages import UpdateScroll
from textual.screen import Screen
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.visual import Visual
from textual.widget import Widget
from textual.widgets import OptionList, Static

from tests.waiting import until

TUI = Path(__file__).parents[2] / "paxtui" / "tui"

PRIVATE_NAMES = {
    "textual._compositor": {"ChopsUpdate", "Compositor", "CompositorUpdate", "LayoutUpdate", "ReflowResult"},
    "textual._styles_cache": {"StylesCache"},
    "a style sheet": {
        *("_EXCLUDE_PSEUDO_CLASSES_FROM_CACHE", "_parse_rules", "_process_component_classes", "_require_parse"),
        "_variables",
    },
    "a node": {
        *("_css_type_names", "_has_focus_within", "_has_hover_style", "_has_odd_or_even", "_has_order_style", "_id"),
        "_selector_names",
    },
    "a compositor": {"_full_map", "_full_map_invalidated", "_regions_to_spans", "_render_chops"},
    "textual._context": {"active_app", "visible_screen_stack"},
    "textual._parser": {"ParseError"},
    "textual._time": {"get_time"},
    "textual._xterm_parser": {"XTermParser"},
    "an app": {
        *("_batch_count", "_close_messages_no_wait", "_disable_tooltips", "_display", "_driver", "_exit"),
        *("_fatal_error", "_get_screen", "_prune", "_set_pointer_shape"),
        *("_handle_exception", "_notifications", "_previous_cursor_position", "_running"),
    },
    "whatever takes messages": {"_closed", "_closing", "_dispatch_message", "_message_queue", "_parent", "_waiters"},
    "a widget": {
        *("_attach", "_compositor", "_dirty_regions", "_get_virtual_dom", "_layout_cache", "_post_register"),
        *("_render", "_scroll_update", "_size_updated", "_styles_cache"),
    },
    "a screen": {
        *("_callbacks", "_compositor_refresh", "_dirty_widgets", "_get_breakpoint_classes", "_layout_required"),
        *("_on_screen_resume", "_on_timer_update", "_refresh_layout", "_repaint_required", "_screen_resized"),
        "_scroll_required",
    },
    "a list": {"_update_lines"},
    "a driver": {"_app", "_debug", "_file", "_loop", "_timeout_time"},
}
"""All private names of Textual in the code of the TUI, by owner. Each is tested below."""


def test_every_private_name_is_tested() -> None:
    found: set[str] = set()
    made = (App, Screen, ScrollView, LinuxDriver, Compositor, Stylesheet)
    kinds = {base for kind in made for base in kind.__mro__ if base is not object}
    theirs = {name for kind in kinds for name in dir(kind)}
    theirs |= {name for kind in kinds for name in re.findall(r"self\.(_\w+)\b(?:: [^=]+)? = ", inspect.getsource(kind))}
    for path in TUI.rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        functions = {n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)}
        attributes = [n for n in ast.walk(tree) if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store)]
        own = (functions | {n.attr for n in attributes}) - theirs
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("textual._"):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.Attribute):
                found |= {node.attr} - own if is_private(node.attr) else set()
            elif isinstance(node, ast.FunctionDef) and is_private(node.name) and node.name in theirs:
                found.add(node.name)
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                goals = node.targets if isinstance(node, ast.Assign) else [node.target]
                found |= {
                    g.attr for g in goals if isinstance(g, ast.Attribute) and is_private(g.attr) and g.attr in theirs
                }
    # names of a named tuple, and of paxtui classes that are not widgets
    ours = {"_replace", "_strips", "_cells", "_compose", "_console"}
    assert found - ours == set().union(*PRIVATE_NAMES.values())


def is_private(name: str) -> bool:
    """Whether a name is private."""
    return name.startswith("_") and not name.startswith("__")


# What is written to the terminal


def test_frame_is_one_of_two_updates() -> None:
    strip = Strip([Segment("word")])
    whole = LayoutUpdate([[strip]], Region(2, 3, 4, 1))
    assert list(whole.strips) == [[strip]] and (whole.region.x, whole.region.y) == (2, 3)
    pieces = ChopsUpdate([{0: strip, 4: None}], [(0, 0, 4)], [[4, 8]])
    assert (pieces.chops, pieces.spans, pieces.chop_ends) == ([{0: strip, 4: None}], [(0, 0, 4)], [[4, 8]])
    assert isinstance(whole, CompositorUpdate) and isinstance(pieces, CompositorUpdate)
    assert "word" in whole.render_segments(Console())


def test_style_sheet_has_variables_and_a_parse_flag() -> None:
    sheet = Stylesheet(variables={"ink": "red"})
    sheet.add_source("Static { color: $ink; }")
    assert sheet._variables == {"ink": "red"} and sheet._require_parse
    sheet.parse()
    assert not sheet._require_parse
    sheet.set_variables({"ink": "blue"})
    assert sheet._variables == {"ink": "blue"} and not sheet._require_parse, "other variables alone do not set the flag"
    assert sheet._parse_rules("Static { color: $ink; }", ("", ""), False, 0, "")[0].styles.color == Color.parse("blue")


async def test_style_sheet_sets_dependency_flags_of_nodes() -> None:
    async with two_words() as app:
        app.stylesheet.add_source(".a:hover, .a:odd, .a:first-child, .a:focus-within { color: red; }")
        node = app.query_one("#one", Static)
        assert node._selector_names >= {"*", "Static", "#one"} and "Static" in node._css_type_names
        assert node._id == "one"
        app.stylesheet.apply(node)
        flags = ("_has_hover_style", "_has_odd_or_even", "_has_order_style", "_has_focus_within")
        assert not any(getattr(node, name) for name in flags)
        node.add_class("a")
        app.stylesheet.reparse()
        app.stylesheet.apply(node)
        assert all(getattr(node, name) for name in flags)
        assert {"odd", "first-child"} <= app.stylesheet._EXCLUDE_PSEUDO_CLASSES_FROM_CACHE
        app.stylesheet._process_component_classes(node)
        assert not node._component_styles, "a text has none"


async def test_screen_can_be_laid_out_before_it_is_pushed() -> None:
    class Three(Screen[None]):
        def compose(self) -> ComposeResult:
            yield Static("three")

    async with two_words() as app:
        screen = Three()
        assert app._get_screen(screen)[0] is screen
        await until(lambda: screen.is_mounted and bool(screen.query(Static)))
        assert screen not in app.screen_stack and screen.stack_updates == 0
        screen._refresh_layout(app.size)
        assert screen.query_one(Static).region == Region(0, 0, 20, 1)
        screen.query_one(Static).update("four\nfive")
        await until(lambda: screen._layout_required)
        await app.push_screen(screen)
        await until(lambda: screen.stack_updates == 1)
        assert app.screen is screen


def test_spans_are_the_covered_columns_of_each_row() -> None:
    spans = Compositor._regions_to_spans([Region(2, 1, 3, 2), Region(4, 2, 4, 1), Region(20, 2, 1, 1)])
    assert list(spans) == [(1, 2, 5), (2, 2, 8), (2, 20, 21)]


async def test_compositor_draws_visible_widgets_row_by_row() -> None:
    async with two_words() as app:
        compositor = app.screen._compositor
        assert type(compositor) is Compositor
        assert [type(widget).__name__ for widget in compositor.visible_widgets][-1] == "Screen", (
            "the bottom widget comes last"
        )
        one = app.query_one("#one")
        assert compositor.visible_widgets[one] == (Region(0, 0, 20, 1), Region(0, 0, 20, 4))
        before = compositor.visible_widgets
        compositor.reflow(app.screen, app.screen.size)
        assert compositor.visible_widgets is not before, "a new layout has a new mapping"
        rows = compositor._render_chops(Region(0, 0, 20, 1), lambda y: y == 0)
        assert list(rows[0]) == [0] and not any(rows[1].values())


async def test_layout_gives_the_places_of_all_widgets() -> None:
    async with two_words() as app:
        compositor, one = app.screen._compositor, app.query_one("#one")
        compositor._full_map_invalidated = False
        compositor.update_widgets({one})
        assert not compositor._full_map_invalidated, "it is in sight"
        one.display = False
        assert isinstance(compositor.reflow(app.screen, app.screen.size), ReflowResult)
        assert one not in compositor._full_map and app.query("Static").last() in compositor._full_map
        compositor.update_widgets({one})
        assert compositor._full_map_invalidated, "it counts as new"
        assert not list(one._get_virtual_dom())
        assert one.vertical_scrollbar in one._get_virtual_dom()


async def test_widgets_render_rows_with_a_cache() -> None:
    async with two_words() as app:
        cache = app.query_one("#one", Static)._styles_cache
        assert type(cache) is StylesCache
        names = [*inspect.signature(StylesCache.render_line).parameters]
        assert names[1:9] == [
            *("styles", "y", "size", "content_size", "padding", "base_background", "background", "render_content_line")
        ]
        assert names[9:] == ["border_title", "border_subtitle", "opacity", "ansi_theme", "native_ansi"]
        assert list(inspect.signature(StylesCache.render_widget).parameters) == ["self", "widget", "crop"]


class TwoWords(App[None]):
    """An app with two words."""

    def __init__(self) -> None:
        self.frames: list[object] = []
        super().__init__()

    def compose(self) -> ComposeResult:
        """Return the words."""
        yield Static("one", id="one")
        yield Static("two")

    def _display(self, screen: Screen[object], renderable: object) -> None:
        self.frames.append(renderable)


@asynccontextmanager
async def two_words() -> AsyncIterator[TwoWords]:
    """Run the app with two words."""
    app = TwoWords()
    async with app.run_test(size=(20, 4)) as pilot:
        await pilot.pause()
        yield app


async def test_screen_mounts_a_tooltip_unless_disabled() -> None:
    for is_disabled in (True, False):
        app = TwoWords()
        async with app.run_test(tooltips=True) as pilot:
            app._disable_tooltips = is_disabled
            await app.push_screen(Screen())
            await pilot.pause()
            assert bool(app.screen.query("Tooltip")) is not is_disabled


async def test_every_frame_passes_display() -> None:
    app = TwoWords()
    async with app.run_test(size=(20, 4)) as pilot:
        await pilot.pause()
        assert any(isinstance(frame, LayoutUpdate) for frame in app.frames), "the first one whole"
        app.frames.clear()
        app.query_one("#one", Static).update("six")
        await pilot.pause()
        assert any(isinstance(frame, ChopsUpdate) for frame in app.frames), "then what has changed"


async def test_notifications_stay_until_cleared() -> None:
    app = TwoWords()
    async with app.run_test() as pilot:
        app.notify("Nothing was saved.", severity="error")
        await pilot.pause()
        assert [note.severity for note in app._notifications] == ["error"]
        app.clear_notifications()
        assert not list(app._notifications)


async def test_app_has_running_and_batch_state() -> None:
    app = TwoWords()
    assert not app._running
    async with app.run_test():
        assert app._running and not app._closed and not app._closing and not app._exit and app._batch_count == 0
        with app.batch_update():
            assert app._batch_count == 1
        assert app._previous_cursor_position == app._previous_cursor_position.__class__(0, 0)
        assert app._driver is not None and callable(app._driver.write)
        app.exit()
        assert app._exit
    assert app._closed


async def test_exception_passes_two_handlers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every exception reaches `_handle_exception`, which calls `_fatal_error`, which can be overridden."""
    handlers: list[str] = []

    class Wrong(TwoWords):
        def on_key(self, event: Key) -> None:
            raise ZeroDivisionError

        def _handle_exception(self, error: Exception) -> None:
            handlers.append(type(error).__name__)
            super()._handle_exception(error)

        def _fatal_error(self) -> None:
            handlers.append("fatal")
            self._close_messages_no_wait()

    app = Wrong()
    with pytest.raises(ZeroDivisionError):
        async with app.run_test() as pilot:
            await pilot.press("x")
    assert handlers == ["ZeroDivisionError", "fatal"] and app.return_code == 1


# Keys


async def test_callbacks_after_the_frame_wait_in_the_screen() -> None:
    async with two_words() as app:
        ran: list[str] = []
        app.screen._invoke_later(lambda: ran.append("then"), app.screen)
        assert len(app.screen._callbacks) == 1 and not ran
        await until(lambda: ran == ["then"])
        assert not app.screen._callbacks


async def test_idle_widget_waits_in_its_message_queue() -> None:
    async with two_words() as app:
        widget = app.query_one("#one")
        assert widget._message_queue.ready_event._waiters, "it waits"
        assert not widget._closing and not widget._closed
        widget.post_message(Key("x", "x"))
        assert widget.message_queue_size == 1
        await widget.remove()
        assert widget._closing and widget._closed


def test_parser_reports_the_timeout_of_a_lone_escape() -> None:
    parser = XTermParser(False)
    assert parser._timeout_time is None
    assert not [event for event in parser.feed("\x1b") if isinstance(event, Key)]
    assert parser._timeout_time is not None and 0 < parser._timeout_time - get_time() <= 1.0
    keys = [event.key for event in parser.feed("[A") if isinstance(event, Key)]
    assert keys == ["up"] and parser._timeout_time is None
    list(parser.tick())
    assert issubclass(ParseError, Exception)


def test_driver_reads_keys_in_its_own_method() -> None:
    source = inspect.getsource(LinuxDriver)
    assert list(inspect.signature(LinuxDriver.run_input_thread).parameters) == ["self"]
    assert "self.run_input_thread()" in source
    assert list(inspect.signature(LinuxDriver.process_message).parameters) == ["self", "message"]
    for name in ("_file", "fileno", "exit_event"):
        assert f"self.{name} = " in source, name
    base = inspect.getsource(LinuxDriver.__mro__[1])
    for name in ("_app", "_debug", "_loop"):
        assert f"self.{name} = " in base, name


# Widgets


async def test_widget_is_dirty_until_drawn() -> None:
    async with two_words() as app:
        rows = app.screen._compositor.render_strips()
        assert [row.text.strip() for row in rows[:2]] == ["one", "two"]
        widget = app.query_one("#one")
        assert not widget._dirty_regions
        assert [row.text.strip() for row in widget.render_lines(Region(0, 0, 20, 1))] == ["one"]
        widget.refresh()
        assert widget._dirty_regions
        assert visible_screen_stack.get([]) == []


async def test_widget_is_registered_before_its_styles() -> None:
    class Early(Static):
        DEFAULT_CSS = "Early.early { height: 3; }"

        def _post_register(self, app: App[object]) -> None:
            super()._post_register(app)
            self.add_class("early", update=False)

    async with two_words() as app:
        early = Early()
        early._attach(app)
        assert early.parent is app and not early.is_running
        early._post_register(app)
        app.stylesheet.apply(early)
        assert early.styles.height is not None and early.styles.height.value == 3


async def test_screen_draws_in_one_method_after_each_update() -> None:
    calls: list[str] = []

    class Noted(Screen[None]):
        VERTICAL_BREAKPOINTS = [(0, "-low"), (3, "-high"), (30, "-huge")]

        def compose(self) -> ComposeResult:
            yield Static("one")

        def _on_screen_resume(self, event: ScreenResume) -> None:
            event.prevent_default()
            calls.append(f"resume at {self._size.width}, styles {event.refresh_styles}")
            super()._on_screen_resume(event)

        def _on_timer_update(self) -> None:
            calls.append("update")
            super()._on_timer_update()

        def _compositor_refresh(self) -> None:
            calls.append("draw")
            super()._compositor_refresh()

        def _screen_resized(self, size: Size) -> None:
            calls.append("resized")
            super()._screen_resized(size)

    async with two_words() as app:
        screen = Noted()
        await app.push_screen(screen)
        while "update" not in calls:
            await asyncio.sleep(0)
        assert calls[:3] == ["resume at 0, styles True", "draw", "resized"]
        calls.clear()
        screen.query_one(Static).update("two")
        while "draw" not in calls:
            await asyncio.sleep(0)
        assert calls[0] == "update" and screen._size == app.size
        assert screen._get_breakpoint_classes(4, Noted.VERTICAL_BREAKPOINTS) == {"-high"}


async def test_screen_has_flags_of_its_next_update() -> None:
    class Still(Screen[None]):
        def compose(self) -> ComposeResult:
            yield Static("one")

        def _on_timer_update(self) -> None:
            pass

    async with two_words() as app:
        screen = Still()
        await app.push_screen(screen)
        text = screen.query_one(Static)
        await until(lambda: screen._layout_required and screen._repaint_required)
        text.update("two", layout=False)
        await until(lambda: text in screen._dirty_widgets)
        screen.post_message(UpdateScroll())
        await until(lambda: screen._scroll_required)


async def test_pruning_a_screen_refreshes_its_parent() -> None:
    laid_out: list[bool] = []

    class Noted(TwoWords):
        def refresh(self, *, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Noted:
            laid_out.append(layout)
            return super().refresh(repaint=repaint, layout=layout, recompose=recompose)

    app = Noted()
    async with app.run_test():
        for parent in (app, None):
            screen = Screen[None]()
            app._get_screen(screen)
            await until(lambda screen=screen: screen.is_running)
            laid_out.clear()
            await app._prune(screen, parent=parent)
            assert laid_out == [True] * (parent is app)


async def test_widget_gets_its_size_before_it_is_drawn() -> None:
    sizes: list[Size] = []

    class Sized(ScrollView):
        def _size_updated(self, size: Size, virtual_size: Size, container_size: Size, layout: bool = True) -> bool:
            sizes.append(size)
            return super()._size_updated(size, virtual_size, container_size, layout)

    class One(App[None]):
        def compose(self) -> ComposeResult:
            view = Sized()
            view.styles.overflow_x = "hidden"
            yield view

    async with One().run_test(size=(30, 5)) as pilot:
        await pilot.pause()
        assert Size(30, 5) in sizes
        view = pilot.app.query_one(Sized)
        view.set_reactive(Widget.virtual_size, Size(30, 50))
        view._scroll_update(Size(30, 50))
        assert view.max_scroll_y == 45, "the scrollbar follows without a layout"


async def test_option_list_measures_its_rows() -> None:
    class Listed(App[int]):
        def compose(self) -> ComposeResult:
            yield OptionList("one", "two")

    app = Listed()
    async with app.run_test(size=(20, 10)) as pilot:
        await pilot.pause()
        rows = app.query_one(OptionList)
        rows.set_reactive(Widget.virtual_size, Size(0, 0))
        rows._update_lines()
        assert rows.virtual_size.height == 2


async def test_widget_caches_the_size_of_its_text() -> None:
    async with two_words() as app:
        widget = app.query_one("#one", Static)
        assert Visual.to_strips(widget, widget._render(), 10, None, widget.visual_style)[0].text.strip() == "one"
        widget._layout_cache["key"] = "value"
        widget._layout_cache.clear()
        assert not widget._layout_cache
