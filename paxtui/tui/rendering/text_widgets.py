"""A text that scrolls. It is wrapped once for a width; nothing around it moves when another text is shown.

Lines of long lists: measured by their letters, and made ready for drawing only when they come into sight.
"""

from __future__ import annotations

from functools import cached_property

from rich.cells import cell_len
from rich.text import Text
from textual.content import Content
from textual.css.styles import RulesMap
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip
from textual.style import Style
from textual.visual import RenderOptions, Visual
from textual.widget import Widget

MAX_CACHED_TEXTS = 5
"""Texts whose rows are kept: going through the panes cuts none of them anew."""


class ScrollingText(ScrollView, can_focus=False):
    """A pane of text with a scrollbar where it needs one."""

    DEFAULT_CSS = """
    ScrollingText { width: 1fr; height: 1fr; overflow-x: hidden; overflow-y: auto; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.auto_links = False
        self._text = Text()
        self._centre: int | None = 0
        self._rows: list[Strip] = []
        self._fitted = Size(0, 0)
        self._style: Style | None = None
        self._kept: list[tuple[Text, int, Style, list[Strip]]] = []

    @property
    def text(self) -> Text:
        """What it shows."""
        return self._text

    def show(self, text: Text) -> None:
        """Show a text, if it is another than the one shown."""
        if text != self._text:
            self.update(text)

    def forget(self) -> None:
        """What is shown next is drawn anew, whatever it is: in other colours a text may be the same."""
        self._text = Text()

    def update(self, text: Text) -> None:
        """Show another text, from where the last one was scrolled to."""
        self._text = text
        self._layout_cache.clear()
        self._wrap()

    def to_start(self) -> None:
        """Scroll to the first row."""
        self.centre(0)

    def to_end(self) -> None:
        """Scroll to the last row, and stay there when the size changes."""
        self.centre(None)

    def centre(self, row: int | None) -> None:
        """Bring a row into the middle, as far as there is text around it, and again when the size changes.

        `row` None is the last one.
        """
        self._centre = row
        height = self.size.height
        y = self.max_scroll_y if row is None else max(0, row - height // 2)
        self.scroll_to(y=y, animate=False)

    def render(self) -> Text:
        """The text, as it can be selected and copied."""
        return self._text

    def _size_updated(self, size: Size, virtual_size: Size, container_size: Size, layout: bool = True) -> bool:
        """Cut the text for a new size before the frame is drawn; a message would come after it."""
        changed = super()._size_updated(size, virtual_size, container_size, layout)
        if self.size != self._fitted:
            self._wrap()
            self.centre(self._centre)
        return changed

    def selection_updated(self, selection: Selection | None) -> None:
        """Show what is selected."""
        self._wrap()

    def _wrap(self) -> None:
        """Cut the text into rows, beside a scrollbar if they are more than there is room for."""
        self._fitted = self.size
        width, height = self.size
        if not width or not height:
            return
        narrow = width - self.styles.scrollbar_size_vertical
        if self._text.plain.count("\n") >= height:
            self._rows = self._cut(narrow)
        else:
            self._rows = self._cut(width)
            if len(self._rows) > height:
                self._rows = self._cut(narrow)
        size = Size(width, len(self._rows))
        if size != self.virtual_size:
            # a text of another length moves the scrollbar only: nothing has to be laid out anew
            self.set_reactive(Widget.virtual_size, size)
            self._scroll_update(size)
        self.refresh()

    def _cut(self, width: int) -> list[Strip]:
        """The rows of the text in so many cells; those of the last few texts are kept."""
        self._style = style = self.visual_style
        selected = self.text_selection is not None
        for text, cells, look, rows in self._kept:
            same = cells == width and look == style and text == self._text and text.style == self._text.style
            if same and not selected:
                return rows
        rows = Visual.to_strips(self, self._render(), width, None, style)
        if not selected:
            self._kept = [*self._kept[1 - MAX_CACHED_TEXTS :], (self._text, width, style, rows)]
        return rows

    def render_lines(self, crop: Region) -> list[Strip]:
        """Rows of the pane, in the colours of now."""
        if self._style is not None and self._style != self.visual_style:
            self._wrap()
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """A row of the pane."""
        row = y + self.scroll_offset.y
        if row < len(self._rows):
            return self._rows[row]
        return Strip.blank(self.size.width, self.visual_style.rich_style)


class LazyText(Text):
    """A text for a list of hundreds: Textual wraps every line of a list before it shows the first."""

    def visualize(self) -> Visual:
        """What is drawn."""
        return _LazyVisual(self)


class _LazyVisual(Visual):
    """A text that is looked into when it is drawn, or when it is too long for one row."""

    def __init__(self, text: Text) -> None:
        self._text = text

    @cached_property
    def _content(self) -> Content:
        return Content.from_rich_text(self._text)

    def render_strips(self, width: int, height: int | None, style: Style, options: RenderOptions) -> list[Strip]:
        """The rows of the text."""
        return self._content.render_strips(width, height, style, options)

    def get_optimal_width(self, rules: RulesMap, container_width: int) -> int:
        """The width of the whole text."""
        return self._content.get_optimal_width(rules, container_width)

    def get_height(self, rules: RulesMap, width: int) -> int:
        """One row where the text has room in it, else as many as it takes."""
        plain = self._text.plain
        if "\n" not in plain and cell_len(plain) <= width:
            return 1
        return self._content.get_height(rules, width)
