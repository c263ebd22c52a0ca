"""Charts of a game: points, money, empires, indexes, regions, Wars and Treaties."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.geometry import Size

from paxtui.charts.game_charts import CHARTS, outcome_sentence, with_codes
from paxtui.session.session import Session
from paxtui.tui.base.keymap import bind
from paxtui.tui.base.screen import ModalDialog, PlainText, TextPanel
from paxtui.tui.formatting.look import clickable
from paxtui.tui.formatting.reports import chart_text
from paxtui.tui.map.geometry import load_atlas
from paxtui.tui.rendering.key_queue import DebouncedScreen
from paxtui.tui.rendering.text_widgets import ScrollingText


class StatisticsScreen(ModalDialog[None]):
    """Charts of the game up to the moment shown, limited to what the seat can see."""

    TOPIC = "statistics"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("statistics.close", "escape,q,i,enter", "close", "Close", "Back to the map"),
        bind("statistics.next", "right,tab", "chart(1)", "Next chart", "Next chart"),
        bind("statistics.back", "left,shift+tab", "chart(-1)", "Previous chart", "Previous chart"),
        bind("statistics.down", "down", "scroll(1)", "Down", "One line down", show=False),
        bind("statistics.up", "up", "scroll(-1)", "Up", "One line up", show=False),
        *(
            bind(f"statistics.{chart.name}", str(n), f"show({n - 1})", chart.title, chart.help)
            for n, chart in enumerate(CHARTS, 1)
        ),
    ]

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._statistics = session.view.course()
        self.at = 0
        self._drawn_at = Size(0, 0)

    def compose(self) -> ComposeResult:
        with Vertical(id="statistics-box"):
            yield TextPanel(id="statistics-tabs")
            yield ScrollingText(id="statistics-chart")
            yield PlainText(classes="note", id="statistics-note")

    def on_mount(self) -> None:
        super().on_mount()
        self._show()

    def on_resize(self, event: events.Resize) -> None:
        if self.app.size != self._drawn_at:  # the first one comes when the chart is drawn
            self._show()

    def restyle(self) -> None:
        self.query_one(ScrollingText).forget()
        self.query_one("#statistics-tabs", TextPanel).forget()
        self._show()

    def _show(self) -> None:
        look, tables = self.look, self._session.tables
        width, height = self._drawn_at = self.app.size
        stands, keys = outcome_sentence(tables, self._statistics), f"{CHART_KEYS} ← → charts · ↑↓ scroll · Esc back"
        # the winner is always visible: on a small screen in a separate row
        together = len(keys) + len(stands) + 5 <= width
        room = min(width, MAX_SCORE_LINES[0]) - 2, height - (2 if together else 3)
        tabs = Text(no_wrap=True, overflow="ellipsis").join(self.tab(n) for n in range(len(CHARTS)))
        self.query_one("#statistics-tabs", TextPanel).show(look.signs(tabs))
        codes = {id_: place.code for id_, place in load_atlas().places.items()}
        chart = with_codes(CHARTS[self.at].make(tables, self._statistics), codes)
        page = self.query_one(ScrollingText)
        page.show(chart_text(chart, look, *room))
        page.to_start()
        note = Text(f"{keys}   {stands}" if together else f"{stands}\n{keys}", no_wrap=True, overflow="ellipsis")
        self.query_one("#statistics-note", PlainText).update(look.signs(note))

    def tab(self, number: int) -> Text:
        """Return the tab of a chart."""
        style = f"{self.look.key} reverse" if number == self.at else self.look.faint
        return Text(f" {number + 1} {CHARTS[number].title} ", clickable(style, f"screen.show({number})"))

    def words(self) -> str:
        return self.query_one(ScrollingText).text.plain

    def action_chart(self, step: int) -> None:
        self.at = (self.at + step) % len(CHARTS)
        self._show()

    def action_show(self, number: int) -> None:
        self.at = number
        self._show()

    def action_scroll(self, rows: int) -> None:
        self.query_one(ScrollingText).scroll_relative(y=rows, animate=False)


class ClosingScreen(DebouncedScreen, StatisticsScreen):
    """The charts at the end of a game. The screen opens by itself, so it discards keys typed before it is visible."""


CHART_KEYS = f"1-{len(CHARTS)}"
"""The first and the last key of the charts."""

MAX_SCORE_LINES = (160, 60)
"""Maximum size of a drawing in cells."""
