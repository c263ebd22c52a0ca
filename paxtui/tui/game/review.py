"""The review of the game: its screen, its job in the background, and the chances over the timeline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from paxtui.engine.seats import ARBITER
from paxtui.games.pax.narration.narrator import FAINT, ReportLine
from paxtui.tui.base.playing import SessionScreen
from paxtui.tui.game.controller import Controller
from paxtui.tui.rendering.key_queue import BACKGROUND_GROUP

# The modules of reviews are imported on first use: a game can be played without them.
if TYPE_CHECKING:
    from paxtui.studies.review import Review
    from paxtui.studies.review_job import JobProgress, ReviewJob


class ReviewController(Controller):
    """The review of the game."""

    def __init__(self, screen: SessionScreen[None]) -> None:
        super().__init__(screen)
        self._job: ReviewJob | None = None
        self._refined: Review | None = None
        self._merged: tuple[Review, Review, Review] | None = None
        self._fault = ""

    @property
    def review(self) -> Review:
        """The review, with the rollouts that are kept beside the log."""
        from paxtui.studies.review import may_show_everything, review_game, with_advice
        from paxtui.studies.review_file import load_review
        from paxtui.studies.review_refinement import merge

        s = self.session
        viewpoint = "" if may_show_everything(s.views) or s.view.viewpoint == ARBITER else s.view.viewpoint
        found = s.derived(f"review/{viewpoint}", lambda: with_advice(s.views, review_game(s.views, viewpoint)))
        if self._refined is None and self._can_refine and s.log_path is not None:
            self._fault = ""
            try:
                self._refined = load_review(s.log_path, s.views)
            except OSError as error:
                self._fault = f"{error}."
        kept = self._refined
        if kept is None:
            return found
        if self._merged is None or self._merged[:2] != (found, kept):
            self._merged = found, kept, with_advice(s.views, merge(found, kept))
        return self._merged[2]

    @property
    def _can_refine(self) -> bool:
        return self.session.log_path is not None and self.session.views.is_over and not self.app.is_on_server

    def turning_point_lines(self) -> list[ReportLine]:
        """Return the turning points as lines of a report, and the key that shows more about them."""
        from paxtui.studies.review import describe_point

        tables, points = self.session.tables, self.review.points
        lines = [ReportLine(describe_point(tables, point), point.place) for point in points]
        more = f"{self.app.key_of('game.review', 'D')} shows the chances to win at each Game Turn."
        return [*lines, ReportLine(more, tone=FAINT)]

    def action_open(self) -> None:
        """Show what decided the game."""
        from paxtui.studies.review_job import ReviewJob
        from paxtui.tui.formatting.review import shown_line
        from paxtui.tui.reference_screens.review import ReviewScreen

        review, path = self.review, self.session.log_path
        if self._fault:
            self.notify(self._fault, severity="warning", timeout=10)
        elif self._job is None and self._can_refine and path is not None:
            self._job = ReviewJob(path)
        dialog = ReviewScreen(self.session, review, self._job, self._start)
        self.app.ask(dialog, lambda line: self.session.look_at(shown_line(self.session, review, line)))

    def _start(self) -> None:
        """Start the job. It goes on while other screens are open, and ends with the game screen."""
        if self._job is not None:
            self.screen.run_worker(self._job.run(self._changed), group=BACKGROUND_GROUP, exit_on_error=False)

    def _changed(self, progress: JobProgress) -> None:
        if progress.error:
            self.notify(f"{progress.error}.", title="The review", severity="error", timeout=10)
        if progress.review is not None:
            self._refined = progress.review
            progress = replace(progress, review=self.review)
        from paxtui.tui.reference_screens.review import ReviewScreen

        if isinstance(self.app.screen, ReviewScreen):
            self.app.screen.show_progress(progress)

    def end(self) -> None:
        """Stop the job; what is done is kept."""
        if self._job is not None:
            self._job.stop()
