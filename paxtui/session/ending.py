"""The end of a game: pages about the result, the acts that decided it and the awards, for screens and plain mode."""

from __future__ import annotations

from collections.abc import Sequence

from paxtui.games.pax.narration.narrator import Narrator, ReportLine, ReportPage
from paxtui.session.session import Session


def game_ending_pages(session: Session, decided: Sequence[ReportLine] | None = None) -> tuple[ReportPage, ...]:
    """Return the pages of a finished game, in which nothing is secret any more; none before its last line.

    Args:
        session: the game.
        decided: lines about the acts that decided it; by default those of the prediction.
    """
    if session.state.result is None:
        return ()
    if decided is not None:
        return _pages(session, decided)
    return session.derived("ending", lambda: _pages(session, _deciding_acts(session)))


def _deciding_acts(session: Session) -> list[ReportLine]:
    # Imported on use: a game can be played without them.
    from paxtui.bots.pax.turning_points import describe_point, turning_points

    tables, (first, acts) = session.tables, session.view.whole_course()
    points = turning_points(tables, first, acts, Narrator(tables, first))
    return [ReportLine(describe_point(tables, point), point.place) for point in points]


def _pages(session: Session, decided: Sequence[ReportLine]) -> tuple[ReportPage, ...]:
    from paxtui.games.pax.reports.awards import game_awards, happenings
    from paxtui.games.pax.reports.ending import ending_pages

    tables, (first, acts) = session.tables, session.view.whole_course()
    awards = game_awards(tables, tuple(happenings(first, acts)))
    return ending_pages(tables, session.live, session.view.course(), decided, awards)
