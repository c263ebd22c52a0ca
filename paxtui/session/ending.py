"""The end of a game: pages about the result, the acts that decided it and the awards, for screens and plain mode."""

from __future__ import annotations

from paxtui.games.pax.narration.narrator import Narrator, ReportLine, ReportPage
from paxtui.session.session import Session


def game_ending_pages(session: Session) -> tuple[ReportPage, ...]:
    """Return the pages of a finished game, in which nothing is secret any more; none before its last line."""
    if session.state.result is None:
        return ()
    return session.derived("ending", lambda: _pages(session))


def _pages(session: Session) -> tuple[ReportPage, ...]:
    # Imported on use: a game can be played without them.
    from paxtui.bots.pax.turning_points import describe_point, turning_points
    from paxtui.games.pax.reports.awards import game_awards, happenings
    from paxtui.games.pax.reports.ending import ending_pages

    tables, (first, acts) = session.tables, session.view.whole_course()
    points = turning_points(tables, first, acts, Narrator(tables, first))
    decided = [ReportLine(describe_point(tables, point), point.place) for point in points]
    awards = game_awards(tables, tuple(happenings(first, acts)))
    return ending_pages(tables, session.live, session.view.course(), decided, awards)
