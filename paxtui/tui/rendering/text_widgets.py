"""Text widgets: lines that fit into a row are rendered quickly, and only when they are seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any, overload

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style as RichStyle
from rich.terminal_theme import TerminalTheme
from rich.text import Text
from textual._context import active_app
from textual._styles_cache import StylesCache
from textual.color import Color
from textual.content import Content, Span
from textual.css.styles import RulesMap, StylesBase
from textual.filter import LineFilter
from textual.geometry import Region, Size, Spacing
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip
from textual.style import Style
from textual.visual import RenderOptions, Visual
from textual.widget import Widget

TAB_CELLS = 8
"""Cells between two tab stops."""
MAX_CACHED_TEXTS = 16
"""Number of texts whose wrapped rows are cached."""
ROWS_PER_STEP = 8
"""Rows that one step of a preparation renders."""
OFFSET = "offset"
"""Where Textual notes the column and the line of a segment in its text."""
RowStart = tuple[int, int]
"""The column and the line of a text at which a row begins."""


class PlainRows(StylesCache):
    """The rows of a widget that has no edges. Textual asks for all edges, tints and opacities again in each row."""

    _is_plain: bool | None = None
    """Whether the widget has padding at most; None if this was not asked since the last change of the styles."""

    def render_widget(self, widget: Widget, crop: Region) -> list[Strip]:
        """Render rows of a widget."""
        self._is_plain = None
        return super().render_widget(widget, crop)

    def render_line(
        self,
        styles: StylesBase,
        y: int,
        size: Size,
        content_size: Size,
        padding: Spacing,
        base_background: Color,
        background: Color,
        render_content_line: Callable[[int], Strip],
        border_title: Any,
        border_subtitle: Any,
        opacity: float,
        *themes: Any,
    ) -> Strip:
        """Render a row."""
        if self._is_plain is None:
            has_edge = any(kind for kind, _ in (*styles.border, *styles.outline))
            is_mixed = styles.tint.a or styles.has_rule("hatch") or opacity != 1 or styles.text_opacity != 1
            self._is_plain = not (has_edge or is_mixed)
        if not self._is_plain:
            place = styles, y, size, content_size, padding
            border = border_title, border_subtitle
            return super().render_line(
                *place, base_background, background, render_content_line, *border, opacity, *themes
            )
        under = self.get_inner_outer(base_background, background)[0].rich_style
        row = y - padding.top
        if not 0 <= row < content_size.height:
            return Strip.blank(size.width, under)
        text = render_content_line(row).adjust_cell_length(content_size.width, under)
        left, right = (Segment(" " * cells, under) for cells in (padding.left, padding.right))
        return Strip([segment for segment in (left, *text, right) if segment.text], size.width)


class FilterChain(LineFilter):
    """Filters in turn. Textual would keep the row between two of them as well."""

    def __init__(self, filters: Sequence[LineFilter]) -> None:
        super().__init__()
        self._parts = filters

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the segments after all filters."""
        for line_filter in self._parts:
            segments = line_filter.apply(segments, background)
        return segments


@lru_cache(8)
def _chain(filters: tuple[LineFilter, ...]) -> FilterChain:
    return FilterChain(filters)


class SelectableText(Widget):
    """A widget whose rows have offsets for selection by mouse when Textual asks for them, but not when they are drawn.

    Textual notes in the style of each piece of text where it stands. Then no two styles are equal, and what is known of
    a style, such as its codes and its dimmed colours, is of no use for the next one.
    """

    _is_drawn = False

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self._styles_cache = PlainRows()

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return the filters of the app as one."""
        return [_chain(tuple(super().get_line_filters()))]

    def render_lines(self, crop: Region) -> list[Strip]:
        """Render rows for a frame."""
        self._is_drawn = True
        try:
            return super().render_lines(crop)
        finally:
            self._is_drawn = False

    def with_offsets(self, row: Strip, start: RowStart) -> Strip:
        """Return a row with the offsets of its text, unless it has them or is drawn."""
        if self._is_drawn or any(style is not None and OFFSET in style.meta for _, style, _ in row):
            return row
        return row.apply_offsets(*start)


def fits(line: str, width: int) -> bool:
    """Return whether a line is rendered as it is in a row of a width in cells."""
    return "\t" not in line and cell_len(line) <= width


def rows_of(line: Text, width: int) -> Iterator[tuple[int, Text]]:
    """Yield the rows of a line as Textual wraps it, each with the column at which it begins."""
    if fits(line.plain, width):
        yield 0, line
        return
    if "\t" in line.plain:
        line = line.copy()
        line.expand_tabs(TAB_CELLS)
    end = 0
    for row in Content(line.plain).wrap(width):
        start = line.plain.index(row.plain, end)
        end = start + len(row.plain)
        yield start, line[start:end]


def render_line(line: Text, style: Style, theme: TerminalTheme) -> Strip:
    """Render a line that fits into its row, as Textual does but without offsets.

    Args: the line; the style below it; the colours of ANSI names.
    """
    plain = line.plain
    own = (line.style,) if line.style else ()
    ends = {min(end, len(plain)) for span in line.spans for end in (span.start, span.end)}
    segments = []
    for start, end in pairwise(sorted({0, len(plain), *ends})):
        over = tuple(span.style for span in line.spans if span.start <= start < span.end)
        segments.append(Segment(plain[start:end], _rich_style(style, (*own, *over), theme)))
    return Strip(segments or [Segment("", _rich_style(style, (), theme))], cell_len(plain))


@lru_cache(4096)
def _rich_style(style: Style, over: tuple[str | RichStyle, ...], theme: TerminalTheme) -> RichStyle:
    """Return the style of a piece of text. Args: the style below it; those over it; the colours of ANSI names."""
    return (style + Style.combine((style, *(_parse(each, theme) for each in over)))).rich_style


@lru_cache(4096)
def _parse(style: str | RichStyle, theme: TerminalTheme) -> Style:
    return Style.from_rich_style(RichStyle.parse(style) if isinstance(style, str) else style, theme)


def to_content(text: Text) -> Content:
    """Convert a text for Textual. Textual itself converts the style of each span again."""
    theme = active_app.get().ansi_theme
    spans = [Span(start, end, _parse(style, theme)) for start, end, style in text.spans]
    content = Content(text.plain, spans)
    return content.stylize_before(_parse(text.style, theme)) if text.style else content


class ScrollingText(ScrollView, SelectableText, can_focus=False):
    """A text pane with a scrollbar when needed."""

    DEFAULT_CSS = """
    ScrollingText { width: 1fr; height: 1fr; overflow-x: hidden; overflow-y: auto; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.auto_links = False
        self._text = Text()
        self._centre: int | None = 0
        self._rows: Sequence[Strip] = ()
        self._fitted = Size(0, 0)
        self._style: Style | None = None
        self._kept: list[tuple[Text, int, Style, Sequence[Strip]]] = []

    def on_mount(self) -> None:
        self.vertical_scrollbar._styles_cache = PlainRows()

    @property
    def text(self) -> Text:
        return self._text

    def show(self, text: Text) -> None:
        """Show a text if it differs from the current one."""
        if text != self._text:
            self.update(text)

    def forget(self) -> None:
        """Redraw with the next text even if it is equal; its colours may differ."""
        self._text = Text()

    def update(self, text: Text) -> None:
        """Show another text and keep the scroll position."""
        self._text = text
        self._layout_cache.clear()
        self._wrap()

    def to_start(self) -> None:
        """Scroll to the first row."""
        self.centre(0)

    def to_end(self) -> None:
        """Scroll to the last row, and stay there after a resize."""
        self.centre(None)

    def centre(self, row: int | None) -> None:
        """Scroll a row to the middle, and again after a resize. `row` None is the last row."""
        self._centre = row
        height = self.size.height
        y = self.max_scroll_y if row is None else max(0, row - height // 2)
        self.scroll_to(y=y, animate=False)

    def render(self) -> Text:
        """Return the text for selection and copying."""
        return self._text

    def _size_updated(self, size: Size, virtual_size: Size, container_size: Size, layout: bool = True) -> bool:
        """Wrap the text for a new size before the frame is drawn; a message would come later.

        Textual would draw the scrollbar again after each layout.
        """
        changed = size != self.outer_size and super()._size_updated(size, virtual_size, container_size, layout)
        if self.size != self._fitted:
            self._wrap()
            self.centre(self._centre)
        return changed

    def selection_updated(self, selection: Selection | None) -> None:
        """Redraw after a change of the selection."""
        self._wrap()

    def _wrap(self) -> None:
        """Wrap the text, beside a scrollbar if it does not fit."""
        self._fitted = self.size
        width, height = self.size
        if not width or not height:
            return
        self._rows = self._fit(self._text, self.size)
        size = Size(width, len(self._rows))
        if size != self.virtual_size:
            # another text length changes only the scrollbar: no layout needed
            self.set_reactive(Widget.virtual_size, size)
            self._scroll_update(size)
        self.refresh()

    def prepare(self, text: Text, at_end: bool = False, size: Size | None = None) -> Iterator[int]:
        """Render the rows of a text that another one hides, in steps.

        Args: the text; whether its end is shown first; the size that the widget will have, by default its present one.

        Yields: the last row of each step.
        """
        size = size or self.size
        height = size.height
        if not height or self.text_selection is not None:
            return
        rows = self._fit(text, size)
        first = max(0, len(rows) - height) if at_end else 0
        for row in range(first, min(first + height, len(rows))):
            _ = rows[row]
            if row % ROWS_PER_STEP == 0:
                yield row

    def _fit(self, text: Text, size: Size) -> Sequence[Strip]:
        """Return the rows of a text, beside a scrollbar if it does not fit."""
        width, height = size
        narrow = width - self.styles.scrollbar_size_vertical
        if text.plain.count("\n") >= height:
            return self._cut(text, narrow)
        rows = self._cut(text, width)
        return self._cut(text, narrow) if len(rows) > height else rows

    def _cut(self, shown: Text, width: int) -> Sequence[Strip]:
        """Return the rows of a text for a width in cells, from the cache if possible."""
        self._style = style = self.visual_style
        selected = self.text_selection is not None
        for text, cells, look, rows in self._kept:
            same = cells == width and look == style and text == shown and text.style == shown.style
            if same and not selected:
                return rows
        if selected:
            return Visual.to_strips(self, self._render(), width, None, style)
        rows = _LazyRows(shown, width, style, self.app.ansi_theme)
        self._kept = [*self._kept[1 - MAX_CACHED_TEXTS :], (shown, width, style, rows)]
        return rows

    def render_lines(self, crop: Region) -> list[Strip]:
        """Render rows in the current colours."""
        if self._style is not None and self._style != self.visual_style:
            self._wrap()
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        row = y + self.scroll_offset.y
        if row < len(self._rows):
            strip = self._rows[row]
            return self.with_offsets(strip, self._rows.starts[row]) if isinstance(self._rows, _LazyRows) else strip
        return Strip.blank(self.size.width, self.visual_style.rich_style)


class _LazyRows(Sequence[Strip]):
    """The rows of a text. A row is rendered when it is first seen.

    Attributes:
        starts: where each row begins.
    """

    def __init__(self, text: Text, width: int, style: Style, theme: TerminalTheme) -> None:
        self._style, self._theme = style, theme
        self._rows: list[Text | Strip] = []
        self.starts: list[RowStart] = []
        for y, line in enumerate(text.split("\n", allow_blank=True)):
            for x, row in rows_of(line, width):
                self._rows.append(row)
                self.starts.append((x, y))

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, n: int) -> Strip: ...

    @overload
    def __getitem__(self, n: slice) -> list[Strip]: ...

    def __getitem__(self, n: int | slice) -> Strip | list[Strip]:
        if isinstance(n, slice):
            return [self[each] for each in range(*n.indices(len(self)))]
        row = self._rows[n]
        if isinstance(row, Text):
            row = self._rows[n] = render_line(row, self._style, self._theme)
        return row


QUICK_RULES: Mapping[str, Sequence[object]] = {
    "text_align": ("left", "start"), "text_wrap": ("wrap",), "text_overflow": ("fold",), "line_pad": (0,)
}  # fmt: skip
"""The values of rules with which a text is rendered quickly, the default first."""


class LazyText(Text):
    """A text for long lists. Textual would wrap every line before it shows the first one."""

    @classmethod
    def of(cls, text: Text) -> LazyText:
        """Return a copy of a text."""
        return cls(text.plain, text.style, spans=text.spans)

    def visualize(self) -> Visual:
        return QuickVisual(self)


class QuickVisual(Visual):
    """A text whose rows are rendered from cached styles.

    Attributes:
        starts: where each row begins, after it was rendered so.
    """

    def __init__(self, text: Text) -> None:
        self._text = text
        self.starts: Sequence[RowStart] = ()

    def __str__(self) -> str:
        return self._text.plain

    @cached_property
    def _content(self) -> Content:
        return to_content(self._text)

    def _fits(self, width: int) -> bool:
        return all(fits(line, width) for line in self._text.plain.split("\n"))

    def render_strips(self, width: int, height: int | None, style: Style, options: RenderOptions) -> list[Strip]:
        """Render the rows."""
        is_plain = options.selection is None and options.post_style is None
        is_usual = all(options.rules.get(name, values[0]) in values for name, values in QUICK_RULES.items())
        if not (width and is_plain and is_usual):
            self.starts = ()
            return self._content.render_strips(width, height, style, options)
        rows = _LazyRows(self._text, width, style, active_app.get().ansi_theme)
        self.starts = rows.starts
        return rows[:height]

    def get_optimal_width(self, rules: RulesMap, container_width: int) -> int:
        """Return the width of the whole text in cells."""
        return self._content.get_optimal_width(rules, container_width)

    def get_height(self, rules: RulesMap, width: int) -> int:
        """Return the number of rows."""
        return self._text.plain.count("\n") + 1 if self._fits(width) else self._content.get_height(rules, width)
