"""The course of a game in charts, one at a time: points, money, empires, indexes, regions, Wars and Treaties."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical

from paxtui.charts.game_charts import CHARTS, outcome_sentence, with_codes
from paxtui.session.local_session import Session
from paxtui.tui.base.screen import ModalDialog, PlainText, TextPanel
from paxtui.tui.formatting.look import clickable
from paxtui.tui.formatting.reports import chart_text
from paxtui.tui.map.geometry import load_atlas
from paxtui.tui.rendering.key_queue import DebouncedScreen
from paxtui.tui.rendering.text_widgets import ScrollingText


class StatisticsScreen(ModalDialog[None]):
    """The game in charts, up to the moment that is looked at, as far as the seat may know it.

    Args: the open game; the number of the chart that is shown first, from 0.
    """

    TOPIC = "statistics"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,i,enter", "close", "Close", id="statistics.close", tooltip="Back to the map"),
        Binding("right,tab", "chart(1)", "Next chart", id="statistics.next", tooltip="The next chart"),
        Binding("left,shift+tab", "chart(-1)", "Chart before", id="statistics.back", tooltip="The chart before"),
        Binding("down", "scroll(1)", "Down", id="statistics.down", tooltip="A line down", show=False),
        Binding("up", "scroll(-1)", "Up", id="statistics.up", tooltip="A line up", show=False),
        *(
            Binding(str(n), f"show({n - 1})", chart.title, id=f"statistics.{chart.name}", tooltip=chart.help)
            for n, chart in enumerate(CHARTS, 1)
        ),
    ]

    def __init__(self, session: Session, at: int = 0) -> None:
        super().__init__()
        self._session = session
        self._course = session.course()
        self.at = at

    def compose(self) -> ComposeResult:
        """Tabs, the chart, what one may press."""
        with Vertical(id="statistics-box"):
            yield TextPanel(id="statistics-tabs")
            yield ScrollingText(id="statistics-chart")
            yield PlainText(classes="note", id="statistics-note")

    def on_mount(self) -> None:
        """Show the chart."""
        super().on_mount()
        self._show()

    def on_resize(self, event: events.Resize) -> None:
        """Another size, another drawing."""
        self._show()

    def restyle(self) -> None:
        """Other colours."""
        self.query_one(ScrollingText).forget()
        self.query_one("#statistics-tabs", TextPanel).forget()
        self._show()

    def _show(self) -> None:
        look, tables = self.look, self._session.tables
        width, height = self.app.size
        stands, keys = outcome_sentence(tables, self._course), f"1-{len(CHARTS)} ← → charts · ↑↓ scroll · Esc back"
        # who has won is never cut off: on a small screen it has a row of its own
        together = len(keys) + len(stands) + 5 <= width
        room = min(width, MAX_SCORE_LINES[0]) - 2, height - (2 if together else 3)
        tabs = Text(no_wrap=True, overflow="ellipsis")
        for n, named in enumerate(CHARTS):
            style = f"{look.key} reverse" if n == self.at else look.faint
            tabs.append(f" {n + 1} {named.title} ", clickable(style, f"screen.show({n})"))
        self.query_one("#statistics-tabs", TextPanel).show(look.signs(tabs))
        codes = {id_: place.code for id_, place in load_atlas().places.items()}
        chart = with_codes(CHARTS[self.at].make(tables, self._course), codes)
        page = self.query_one(ScrollingText)
        page.show(chart_text(chart, look, *room))
        page.to_start()
        note = Text(f"{keys}   {stands}" if together else f"{stands}\n{keys}", no_wrap=True, overflow="ellipsis")
        self.query_one("#statistics-note", PlainText).update(look.signs(note))

    def words(self) -> str:
        """What is shown, to be copied."""
        return self.query_one(ScrollingText).text.plain

    def action_chart(self, step: int) -> None:
        """The next chart, or the one before."""
        self.at = (self.at + step) % len(CHARTS)
        self._show()

    def action_show(self, number: int) -> None:
        """A chart by its number."""
        self.at = number
        self._show()

    def action_scroll(self, rows: int) -> None:
        """Scroll a chart that is longer than the screen."""
        self.query_one(ScrollingText).scroll_relative(y=rows, animate=False)

    def action_close(self) -> None:
        """Back to the map."""
        self.dismiss(None)


class ClosingScreen(DebouncedScreen, StatisticsScreen):
    """The same when the game is over: it comes unasked, so that keys typed before it could be seen do nothing."""


MAX_SCORE_LINES = (160, 60)
"""Cells of the largest drawing."""
