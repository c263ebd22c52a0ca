"""Lines of long lists: measured by their letters, and made ready for drawing only when they come into sight."""

from __future__ import annotations

from functools import cached_property

from rich.cells import cell_len
from rich.text import Text
from textual.content import Content
from textual.css.styles import RulesMap
from textual.strip import Strip
from textual.style import Style
from textual.visual import RenderOptions, Visual


class Row(Text):
    """A text for a list of hundreds: Textual wraps every line of a list before it shows the first."""

    def visualize(self) -> Visual:
        """What is drawn."""
        return _Row(self)


class _Row(Visual):
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
