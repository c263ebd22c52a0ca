"""What decided a game: the chances to win as a chart, and the turning points as a list."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets.option_list import Option

from paxtui.session.session import Session
from paxtui.studies.review import Review, TurningPoint, describe_point
from paxtui.studies.review_job import JobProgress, ReviewJob
from paxtui.tui.base.keymap import bind
from paxtui.tui.base.screen import ChoiceList, ModalDialog, PlainText, TextPanel
from paxtui.tui.formatting.look import meter_bar
from paxtui.tui.formatting.reports import chart_text
from paxtui.tui.formatting.review import chances_chart, point_row

LIST_ROWS, TEXT_ROWS = 5, 4
"""Rows of the turning points, and of the text of the selected one."""
OTHER_ROWS = LIST_ROWS + TEXT_ROWS + 3
WIDEST = 160
LEAST_BAR, MOST_BAR = 10, 30
"""Widths of the progress bar of the job, in cells."""


class ReviewScreen(ModalDialog[int | None]):
    """Chances and turning points. Its result is the line of a turning point to look at.

    Args:
        session: the game.
        review: its review.
        job: the job that refines it; None if that is impossible.
        start: starts the job.
    """

    TOPIC = "review"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("review.close", "escape,q,D", "close", "Close", "Back to the map"),
        bind("review.refine", "r", "refine", "Refine", "Refine by rollouts of statesmen, or stop that"),
    ]

    def __init__(self, session: Session, review: Review, job: ReviewJob | None, start: Callable[[], None]) -> None:
        super().__init__()
        self._session, self.review, self.job, self._start = session, review, job, start

    def compose(self) -> ComposeResult:
        with Vertical(id="review-box"):
            yield TextPanel(id="review-chart")
            yield PlainText("Turning points", classes="title", id="review-title")
            yield ChoiceList(id="review-points")
            yield TextPanel(id="review-text")
            yield TextPanel(id="review-keys")

    def on_mount(self) -> None:
        super().on_mount()
        self._show()
        self.set_focus(self.query_one(ChoiceList))

    def on_resize(self, event: events.Resize) -> None:
        self._show()

    def restyle(self) -> None:
        for panel in self.query(TextPanel):
            panel.forget()
        self._show()

    def _show(self) -> None:
        look, tables = self.look, self._session.tables
        width = min(self.app.size.width, WIDEST) - 2
        chart = chances_chart(tables, self.review)
        height = max(8, self.app.size.height - OTHER_ROWS)
        self.query_one("#review-chart", TextPanel).show(chart_text(chart, look, width, height))
        rows = self.query_one(ChoiceList)
        options = (Option(point_row(tables, look, point, width - 2)) for point in self.review.points)
        rows.refill(options, rows.highlighted or 0)
        self._show_text()
        self._show_keys()

    def _show_text(self) -> None:
        point = self._selected
        text = "No act changed a chance to win by 3 % or more."
        if point is not None:
            text = describe_point(self._session.tables, point)
        self.query_one("#review-text", TextPanel).show(self.look.signs(Text(text)))

    def _show_keys(self) -> None:
        key = self.app.key_of
        keys, close = "↑↓ turning points · Enter its moment", f" · {key('review.close', 'escape')} back"
        refine = key("review.refine", "r")
        if self.job is not None and self.job.is_running:
            done, total = self.job.progress.done, self.job.progress.total
            state = f"{done} of {total} rollouts" if total else "starting"
            if total:
                room = min(self.app.size.width, WIDEST) - 2 - len(f"{keys} · {refine} stop ( {state}){close}")
                if room < LEAST_BAR:
                    keys, room = "Enter its moment", room + len("↑↓ turning points · ")
                state = f"{meter_bar(self.look, done, total, min(room, MOST_BAR))} {state}"
            keys += f" · {refine} stop ({state})"
        elif self.job is not None and not self.review.is_refined:
            keys += f" · {refine} refine (some minutes)"
        text = Text(keys + close, self.look.faint, no_wrap=True)
        self.query_one("#review-keys", TextPanel).show(self.look.signs(text))

    @property
    def _selected(self) -> TurningPoint | None:
        at = self.query_one(ChoiceList).highlighted
        return self.review.points[at] if at is not None and at < len(self.review.points) else None

    def show_progress(self, progress: JobProgress) -> None:
        """Show the progress of the job."""
        if progress.review is not None:
            self.review = progress.review
            self._show()
        else:
            self._show_keys()

    def words(self) -> str:
        return "\n".join(describe_point(self._session.tables, point) for point in self.review.points)

    @on(ChoiceList.OptionHighlighted)
    def _highlighted(self) -> None:
        self._show_text()

    @on(ChoiceList.OptionSelected)
    def _chosen(self) -> None:
        point = self._selected
        self.dismiss(None if point is None else point.line)

    def action_refine(self) -> None:
        if self.job is None:
            self.notify("Rollouts need the log of a finished game on this computer.", timeout=5)
        elif self.job.is_running:
            self.job.stop()
            self._show_keys()
        elif self.review.is_refined:
            self.notify("All rollouts are done.", timeout=4)
        else:
            self._start()
            self._show_keys()
