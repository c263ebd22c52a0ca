"""Widgets that draw less than those of Textual look the same."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest
from rich.segment import Segment
from rich.style import Style as RichStyle
from rich.terminal_theme import TerminalTheme
from rich.text import Text
from textual._compositor import Compositor
from textual.app import App, ComposeResult
from textual.color import Color
from textual.containers import VerticalScroll
from textual.events import Resize
from textual.geometry import Offset, Region
from textual.screen import ModalScreen, Screen
from textual.strip import Strip
from textual.style import Style
from textual.visual import Visual
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from paxtui.tui.app import PaxApp
from paxtui.tui.base.screen import TextPanel
from paxtui.tui.base.settings import Settings
from paxtui.tui.map.world_map import WorldMap
from paxtui.tui.rendering import compositor, text_widgets
from paxtui.tui.rendering.app import CachedStylesheet, idle_tasks
from paxtui.tui.rendering.compositor import DimmingModalScreen, RenderingScreen, VisibleCompositor
from paxtui.tui.rendering.text_widgets import LazyText, ScrollingText, to_content
from tests.tui.playing import drawn_text, open_log
from tests.waiting import until
from tools.bench.map_demo import initial_scene


class PageApp(App[None]):
    """An app with a page of twelve columns and five rows."""

    CSS = """
    ScrollingText { width: 12; height: 5; padding: 0 1; scrollbar-size-vertical: 1; }
    ColoredScreen, OurOverlay, TextualOverlay { background: #102030; color: #c0c0c0; }
    OurOverlay, TextualOverlay { background: #402010 40%; align: center middle; }
    #box { width: 10; height: 3; background: #808080; }
    #map { width: 30; height: 8; }
    """

    def compose(self) -> ComposeResult:
        """The page."""
        yield ScrollingText(id="page")

    @property
    def page(self) -> ScrollingText:
        """The page."""
        return self.query_one(ScrollingText)

    def seen(self) -> list[str]:
        """Return the drawn rows of the page."""
        return [self.page.render_line(y).text.rstrip() for y in range(self.page.size.height)]


async def test_page_wraps_and_scrolls() -> None:
    app = PageApp()
    async with app.run_test(size=(40, 10)) as pilot:
        app.page.update(Text("one two three four"))
        await pilot.pause()
        assert app.seen() == ["one two", "three four", "", "", ""] and not app.page.show_vertical_scrollbar
        app.page.update(Text("one two three four five six seven eight nine ten"))
        await pilot.pause()
        assert app.page.show_vertical_scrollbar
        # one column less, for the scrollbar
        assert app.seen() == ["one two", "three", "four five", "six seven", "eight"]
        app.page.to_end()
        await pilot.pause()
        assert app.seen() == ["three", "four five", "six seven", "eight", "nine ten"]
        app.page.to_start()
        await pilot.pause()
        assert app.seen()[0] == "one two"
        app.page.centre(3)
        await pilot.pause()
        assert app.seen()[0] == "three"
        app.page.to_end()
        app.page.styles.height = 3
        await pilot.pause()
        assert app.seen() == ["six seven", "eight", "nine ten"], "the end stays visible"
        app.page.update(Text("short"))
        await pilot.pause()
        assert app.seen() == ["short", "", ""] and not app.page.show_vertical_scrollbar


async def test_page_caches_rows_of_recent_texts() -> None:
    app = PageApp()
    async with app.run_test(size=(40, 10)) as pilot:
        app.page.update(Text("one two three four"))
        await pilot.pause()
        first = app.page.render_line(0)
        app.page.update(Text("another"))
        app.page.update(Text("one two three four"))
        assert app.page.render_line(0) is first
        app.page.update(Text("one two three four", "bold"))
        assert app.page.render_line(0) is not first


async def test_long_text_renders_only_visible_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    app = PageApp()
    async with app.run_test(size=(40, 10)) as pilot:
        rendered: list[Text] = []
        through = text_widgets.render_line

        def counted(line: Text, style: Style, theme: TerminalTheme) -> Strip:
            rendered.append(line)
            return through(line, style, theme)

        monkeypatch.setattr(text_widgets, "render_line", counted)
        app.page.update(Text("\n".join(f"row {n}" for n in range(200))))
        app.page.to_end()
        await pilot.pause()
        assert app.seen()[-1] == "row 199"
        assert 5 <= len(rendered) <= 10


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "one",
        "one\n",
        "\none\n\n",
        "a line that is too long for a row\nshort",
        "tab\tstop",
        "blank   ",
        "with   wide   gaps   between   words",
        "antidisestablishmentarianism at once",
        "                 indented",
        "one\ttab and a line that is too long",
    ],
)
async def test_lazy_rows_equal_those_of_textual(text: str) -> None:
    app = PageApp()
    async with app.run_test(size=(40, 10)) as pilot:
        styled = Text(text, "bold")
        styled.stylize("red", 1, 6)
        app.page.update(styled)
        await pilot.pause()
        page = app.page
        theirs = Visual.to_strips(page, page._render(), page.size.width, None, page.visual_style)
        ours = [page.with_offsets(row, start) for row, start in zip(page._rows, page._rows.starts, strict=True)]
        assert [list(row) for row in ours] == [list(row) for row in theirs]


class PanelsApp(App[None]):
    """The same text in a panel of ours and in a widget of Textual's, with each kind of edge."""

    CSS = """
    Static { width: 20; height: 4; background: #102030; color: #c0c0c0; }
    .padded { padding: 1 2; }
    .edged { border: round #ff0000; padding: 0 1; }
    .outlined { outline: solid #00ff00; }
    .faded { opacity: 50%; }
    .tinted { tint: #ff0000 30%; }
    .centred { text-align: center; }
    """
    CLASSES = ("plain", "padded", "edged", "outlined", "faded", "tinted", "centred")

    def compose(self) -> ComposeResult:
        """The texts."""
        for kind in self.CLASSES:
            for widget in (TextPanel(), Static(classes="theirs")):
                widget.add_class(kind)
                yield widget


@pytest.mark.parametrize("text", ["one\ntwo", "a line that is too long for a row\nshort\nthree\nfour\nfive", ""])
async def test_panel_shows_what_textual_shows(text: str) -> None:
    app = PanelsApp()
    async with app.run_test(size=(40, 60)) as pilot:
        await pilot.pause()
        for kind, ours, theirs in zip(PanelsApp.CLASSES, app.query(TextPanel), app.query(".theirs"), strict=True):
            styled = Text(text)
            styled.stylize("bold red", 2, 9)
            ours.update(styled)
            assert isinstance(theirs, Static)
            theirs.update(to_content(styled))
            region = Region(0, 0, *ours.size)
            await pilot.pause()
            assert cells(ours.render_lines(region)) == cells(theirs.render_lines(region)), kind


def cells(rows: list[Strip]) -> list[list[tuple[object, ...]]]:
    """By row the characters with their colours."""
    looks = [[(text, style or RichStyle()) for text, style, _ in row] for row in rows]
    return [[(char, s.color, s.bgcolor, s.bold) for text, s in row for char in text] for row in looks]


async def test_text_of_a_page_can_be_selected() -> None:
    app = PageApp()
    async with app.run_test(size=(40, 10)) as pilot:
        app.page.update(Text("one two three four"))
        await pilot.pause()
        app.page.text_select_all()
        await pilot.pause()
        assert app.screen.get_selected_text() == "one two three four"


class TwoLists(App[None]):
    """The same list with our rows and with those of Textual."""

    CSS = "OptionList { width: 14; height: 9; }"
    AUTO_FOCUS = None

    def compose(self) -> ComposeResult:
        """Both lists."""
        for kind in (LazyText, Text):
            texts = ("short", "one that takes three rows of it", "[b]no markup[/b]", "two\nlines", "日本日本日本")
            yield OptionList(*(Option(kind(text, "bold", no_wrap=True)) for text in texts), id=kind.__name__)


async def test_mouse_position_maps_to_a_text_offset() -> None:
    app = PageApp()
    async with app.run_test(size=(40, 10)) as pilot:
        app.page.update(Text.assemble("one ", ("two", "bold"), "\nthree four five\nsix"))
        await pilot.pause()
        x, y, *_ = app.page.content_region
        found = [app.screen.get_widget_and_offset_at(x + dx, y + dy) for dx, dy in ((5, 0), (2, 1), (1, 2), (1, 3))]
        assert found == [(app.page, Offset(*at)) for at in ((5, 0), (2, 1), (12, 1), (1, 2))]
        assert not any(segment.style.meta for row in app.page.render_lines(Region(0, 0, 12, 1)) for segment in row)


def row_looks(rows: OptionList) -> list[tuple[str, str, object]]:
    """Return text, style and option of the segments of the first rows."""
    pieces = [(s.text, s.style) for y in range(7) for s in rows.render_line(y)]
    return [(text, str(style.clear_meta_and_links()), style.meta.get("option")) for text, style in pieces if style]


async def test_list_rows_equal_those_of_textual() -> None:
    app = TwoLists()
    async with app.run_test(size=(40, 30)) as pilot:
        ours, theirs = app.query_one("#LazyText", OptionList), app.query_one("#Text", OptionList)
        await pilot.pause()
        for down in range(5):
            assert ours.virtual_size == theirs.virtual_size and ours.virtual_size.height > 6
            assert row_looks(ours) == row_looks(theirs), down
            ours.highlighted = theirs.highlighted = down
            await pilot.pause()
        assert str(ours.get_option_at_index(0).prompt) == "short"


class ColoredScreen(Screen[None]):
    """A screen with several styles."""

    def compose(self) -> ComposeResult:
        """A text of several styles."""
        yield Static(Text.assemble("plain ", ("red", "#ff0000 on #000040"), (" reverse", "reverse bold"), "\nmore"))


class OurOverlay(DimmingModalScreen[None]):
    """Our overlay with a box."""

    def compose(self) -> ComposeResult:
        """The box."""
        yield Static("box", id="box")


class TextualOverlay(ModalScreen[None]):
    """The same overlay of Textual."""

    def compose(self) -> ComposeResult:
        """The box."""
        yield Static("box", id="box")


def screen_cells(screen: Screen[None]) -> list[list[tuple[str, object, object, object]]]:
    """Return letter, colors and attributes of all cells of a screen."""
    rows = []
    update = screen._compositor.render_update(full=True, screen_stack=screen.app._background_screens)
    for line in update.strips:  # type: ignore[union-attr]
        row = []
        for strip in line:
            for text, style, _ in strip:
                look = (None, None, None) if style is None else (style.color, style.bgcolor, style._attributes)
                row += [(letter, *look) for letter in text]
        rows.append(row)
    return rows


async def test_overlay_dims_as_textual_does() -> None:
    app = PageApp()
    async with app.run_test(size=(40, 10)) as pilot:
        pictures = []
        for over in (OurOverlay(), TextualOverlay()):
            await app.push_screen(ColoredScreen())
            await app.push_screen(over)
            await pilot.pause()
            pictures.append(screen_cells(over))
            await app.pop_screen()
            await app.pop_screen()
        assert pictures[0] == pictures[1]
        assert "box" in "".join(cell[0] for row in pictures[0] for cell in row)


class FarScreen(RenderingScreen[None]):
    """A rendering screen with a text."""

    def compose(self) -> ComposeResult:
        """The text."""
        yield Static("far below")


async def test_screen_below_an_overlay_follows_a_resize() -> None:
    app = PageApp()
    async with app.run_test(size=(30, 8)) as pilot:
        await app.push_screen(FarScreen())
        await app.push_screen(OurOverlay())
        await pilot.pause()
        for size in ((60, 20), (20, 6), (80, 30)):
            await pilot.resize_terminal(*size)
            await until(lambda: "far below" in app.screen._compositor.render_strips()[0].text, pilot=pilot)


async def test_unchanged_rows_below_an_overlay_are_dimmed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    app = PageApp()
    async with app.run_test(size=(30, 8)) as pilot:
        await app.push_screen(FarScreen())
        await app.push_screen(over := OurOverlay())
        await pilot.pause()
        seen: list[str] = []
        through = compositor._dim_strip
        monkeypatch.setattr(
            compositor, "_dim_strip", lambda strip, dims: (seen.append(strip.text), through(strip, dims))[1]
        )
        over.refresh()
        await pilot.pause()
        assert not seen
        app.screen_stack[-2].query_one(Static).update("far beyond")
        over.refresh()
        await pilot.pause()
        assert [text.strip() for text in seen if text.strip()] == ["far beyond"]


async def test_nested_overlays_dim_twice() -> None:
    app = PageApp()
    async with app.run_test(size=(40, 10)) as pilot:
        pictures = []
        for kind in (OurOverlay, TextualOverlay):
            await app.push_screen(ColoredScreen())
            await app.push_screen(kind())
            top = kind()
            await app.push_screen(top)
            await pilot.pause()
            pictures.append(screen_cells(top))
            for _ in range(3):
                await app.pop_screen()
        assert pictures[0] == pictures[1]


class HiddenMap(App[None]):
    """An app with a map that can be hidden."""

    def compose(self) -> ComposeResult:
        """The map."""
        yield WorldMap(initial_scene(), cursor="egypt")


async def test_hidden_map_changes_zoom_at_once() -> None:
    app = HiddenMap()
    async with app.run_test(size=(100, 40)) as pilot:
        board = app.query_one(WorldMap)
        board.zoom = "theatre"
        await pilot.pause()
        board.display = False
        await pilot.pause()
        board.zoom = "world"
        canvas = board.canvas
        assert canvas is not None and canvas.layout.zoom.name == "world"
        offset = board.scroll_offset
        board.display = True
        await pilot.pause()
        assert board.canvas is canvas and board.scroll_offset == offset
        label = board.label_region("egypt")
        assert label is not None and board.content_region.contains_region(label)


async def test_map_is_drawn_with_opacity_and_border() -> None:
    app = HiddenMap()
    async with app.run_test(size=(100, 40)) as pilot:
        board = app.query_one(WorldMap)
        plain = board.render_lines(board.size.region)
        assert [row.text for row in plain] == [board.render_line(y).text for y in range(40)]
        board.styles.opacity = 0.5
        await pilot.pause()
        faint = board.render_lines(board.size.region)
        assert [row.text for row in faint] == [row.text for row in plain]
        assert [s.style for s in faint[20]] != [s.style for s in plain[20]]
        board.styles.border = ("round", "white")
        await pilot.pause()
        assert board.render_lines(board.outer_size.region)[0].text.startswith("╭")


@pytest.fixture
def app(home: Path) -> PaxApp:
    """The golden game on the main screen."""
    return open_log(home)


async def test_other_zoom_is_drawn_in_advance(app: PaxApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gc, "freeze", lambda: None)
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.pause()
        done = list(idle_tasks(app.screen, iter(())))
        assert done[-1] == "garbage" and set(done[:-1]) == {"theatre"}
        board = app.screen.query_one(WorldMap)
        drawn_text = board.canvas
        await pilot.press("z")
        canvas = board.canvas
        assert canvas is not None and canvas is not drawn_text and canvas.layout.zoom.name == "theatre"
        count = canvas.composed
        assert count >= canvas.height
        canvas.warm()
        assert canvas.composed == count, "all rows are composed"


async def test_card_follows_the_cursor_in_the_same_frame(app: PaxApp) -> None:
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.pause()
        game = app.screen
        game.view.map.cursor = "siam"  # type: ignore[attr-defined]
        assert "Siam" in drawn_text(app, "#card")


class CountingText(Static):
    """A text that counts the rows that are requested."""

    asked = 0

    def render_lines(self, crop: Region) -> list[Strip]:
        """The rows."""
        self.asked += crop.height
        return super().render_lines(crop)


class LayeredApp(App[None]):
    """An app with a text, a scrolling list, and a box on top."""

    CSS = """
    Screen { layers: below above; }
    #under { height: 6; background: #203040; }
    #list { height: 4; }
    .line { height: 2; width: 30; }
    #box { layer: above; offset: 5 2; width: 12; height: 5; background: #806040; border: solid red; }
    """

    def compose(self) -> ComposeResult:
        """Return the widgets."""
        yield CountingText("\n".join(f"row {n}" for n in range(6)), id="under")
        with VerticalScroll(id="list"):
            for n in range(5):
                yield Static(f"line {n}\n漢字 of line {n}", classes="line")
        yield CountingText("box", id="box")

    def get_default_screen(self) -> Screen[None]:
        """Return a rendering screen."""
        return RenderingScreen()


async def test_frame_equals_that_of_textual() -> None:
    async with LayeredApp().run_test(size=(40, 12)) as pilot:
        await pilot.pause()
        frame = pilot.app.screen._compositor
        assert isinstance(frame, VisibleCompositor)
        for y in (0, 1, 3):
            pilot.app.query_one(VerticalScroll).scroll_to(y=y, animate=False)
            await pilot.pause()
            rows = [
                [Strip.join(row.values()).simplify() for row in render(frame, frame.size.region, lambda _: True)]
                for render in (Compositor._render_chops, VisibleCompositor._render_chops)
            ]
            assert [list(row) for row in rows[0]] == [list(row) for row in rows[1]]
            assert "box" in rows[1][3].text and "line" in rows[1][9].text


async def test_removed_widget_is_left_blank() -> None:
    """Textual has cleared its styles, and a list cannot be drawn without them."""

    class Styled(Widget):
        COMPONENT_CLASSES = {"styled--text"}

        def render_line(self, y: int) -> Strip:
            style = self.get_component_styles("styled--text").rich_style
            return Strip([Segment("x" * self.size.width, style)])

    class Listed(App[None]):
        def compose(self) -> ComposeResult:
            yield Styled()

        def get_default_screen(self) -> Screen[None]:
            return RenderingScreen()

    async with Listed().run_test(size=(20, 6)) as pilot:
        await pilot.pause()
        frame = pilot.app.screen._compositor
        assert isinstance(frame, VisibleCompositor)
        styled = pilot.app.query_one(Styled)
        parent, styled._parent = styled._parent, None  # as Textual does when it removes a widget
        styled._component_styles.clear()
        styled._styles_cache.clear()
        rows = frame._render_chops(frame.size.region, lambda _: True)
        styled._parent = parent
        assert not "".join(strip.text for row in rows for strip in row.values()).strip()


@pytest.mark.parametrize("kind", [RenderingScreen, DimmingModalScreen])
async def test_screen_closed_before_mounting_handles_no_events(kind: type[Screen[None]]) -> None:
    class Hasty(kind):  # type: ignore[misc, valid-type]
        def compose(self) -> ComposeResult:
            yield Static("text", id="text")

        def on_mount(self) -> None:
            self.query_one("#text")

        def on_resize(self) -> None:
            self.query_one("#text")

    app = App[None]()
    async with app.run_test(size=(20, 6)) as pilot:
        screen = Hasty()
        pushed = app.push_screen(screen)
        screen._pruning = True  # closed by the next key
        await pushed
        screen.post_message(Resize(app.size, app.size))
        await pilot.pause()
        assert not screen.query("#text")
        screen._pruning = False


async def test_screen_without_widgets_handles_no_mount_while_the_app_shuts_down() -> None:
    class Late(RenderingScreen[None]):
        async def mount_composed_widgets(self, widgets: list[Widget]) -> None:
            self.app._running = False  # the app has closed the widgets first

        def on_mount(self) -> None:
            self.query_one("#text")

    app = App[None]()
    async with app.run_test() as pilot:
        await app.push_screen(Late())
        app._running = True
        await pilot.pause()


async def test_only_visible_rows_are_drawn() -> None:
    async with LayeredApp().run_test(size=(40, 12)) as pilot:
        await pilot.pause()
        under, box = (pilot.app.query_one(f"#{name}", CountingText) for name in ("under", "box"))
        under.asked = 0
        box.update("other")
        await pilot.pause()
        assert under.asked == 0, "nothing is requested from the widget below"
        under.refresh(Region(0, 1, 40, 1))
        await pilot.pause()
        assert under.asked == 1, "only one row is requested"
        box.display = False
        await pilot.pause()
        assert under.asked > 1 and "row 3" in pilot.app.screen._compositor.render_strips()[3].text


async def test_short_rows_show_the_widget_below() -> None:
    class Short(Static):
        """A text that is never wider than three columns."""

        def render_lines(self, crop: Region) -> list[Strip]:
            """The rows, cut short."""
            return [row.crop(0, 3) for row in super().render_lines(crop)]

    class Half(LayeredApp):
        """The same with a short box."""

        def compose(self) -> ComposeResult:
            """A text, and the short one upon it."""
            yield Static("\n".join(["." * 40] * 6), id="under")
            yield Short("box", id="box")

    async with Half().run_test(size=(40, 12)) as pilot:
        await pilot.pause()
        frame = pilot.app.screen._compositor
        assert "....." in frame.render_strips()[3].text
        texts = [Strip.join(row.values()).text for row in Compositor._render_chops(frame, frame.size.region, bool)]
        assert [row.text for row in frame.render_strips()[1:]] == texts[1:]


def test_style_sheets_are_parsed_again_only_for_other_colors() -> None:
    sheet = CachedStylesheet(variables={"ink": "red"})
    sheet.add_source("Static { color: $ink; }")
    sheet.parse()
    rules = sheet.rules
    sheet.set_variables({"ink": "red"})
    sheet.reparse()
    assert sheet.rules is rules
    sheet.set_variables({"ink": "blue"})
    sheet.reparse()
    assert sheet.rules is not rules and sheet.rules[0].styles.color == Color.parse("blue")
    sheet.add_source("Static { color: green; }", read_from=("other", ""))
    sheet.reparse()
    assert len(sheet.rules) == 2
    another = CachedStylesheet(variables={"ink": "red"})
    another.add_source("Static { color: $ink; }")
    assert another.rules[0] is rules[0], "apps of one process share them"


async def test_first_frame_has_the_theme_of_the_settings(app: PaxApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PaxApp, "is_headless", True)
    assert PaxApp(settings=Settings(palette="light")).theme == "pax-light"
