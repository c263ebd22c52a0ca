"""The panes of the game screen, a row for each: whatever is to be known of a pane stands in its row, and nowhere else.

Keys, tabs, the setting for the pane at the start, the pages of the help and the names of pictures are made of these.
The settings read these rows at the start of the program, so each pane's module is imported when the pane is drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from rich.text import Text

    from paxtui.session.local_session import Session
    from paxtui.tui.formatting.look import Look

PaneRenderer = Callable[["Session", "Look", int], "Text"]
"""Renders the text of a pane from the open game, the colours and the width of a row in cells."""


class Pane(NamedTuple):
    """A pane.

    Attributes:
        name: of its page of the help, its picture and its setting.
        key: what shows it.
        title: on its tab.
        help: what it shows, in a few words.
        draw: its text; None for the two that have a place of their own, what now and the region as cards.
        at_end: whether it is read from its end.
    """

    name: str
    key: str
    title: str
    help: str
    draw: PaneRenderer | None = None
    at_end: bool = False




def _record(session: Session, look: Look, width: int) -> Text:
    from paxtui.tui.panes.side_panes import render_record

    return render_record(session, look, width)


def _indexes(session: Session, look: Look, width: int) -> Text:
    from paxtui.tui.panes.side_panes import render_indexes

    return render_indexes(session, look, width)


def _treaties(session: Session, look: Look, width: int) -> Text:
    from paxtui.tui.panes.side_panes import render_treaties

    return render_treaties(session, look, width)


def _log_lines(session: Session, look: Look, width: int) -> Text:
    from paxtui.tui.panes.side_panes import render_log

    return render_log(session, look, width)


def _war(session: Session, look: Look, width: int) -> Text:
    from paxtui.tui.panes.side_panes import render_wars

    return render_wars(session, look, width)


WAR_PANE = "war"
"""The pane that comes by itself in a War Phase."""

PANES = (
    Pane("now", "1", "What now", "What now"),
    Pane("record", "2", "Record", "Administrative Record Sheet", _record),
    Pane("indexes", "3", "Indexes", "Tensions, Resentment, tracks", _indexes),
    Pane("treaties", "4", "Treaties", "Causes of war, offers, treaties", _treaties),
    Pane("log", "5", "Log", "What has happened", _log_lines, at_end=True),
    Pane("cards", "6", "Cards", "The region as cards"),
    Pane(WAR_PANE, "7", "War", "Wars: sides, what ends them", _war),
)

SIDE_PANES = tuple(pane for pane in PANES if pane.draw is not None)
"""The panes that take turns in the side column, each with a tab."""


def pane_tabs(session: Session, open_: str = "") -> tuple[Pane, ...]:
    """The panes that have a tab now: that of War where there is one, or where it is open."""
    return tuple(pane for pane in SIDE_PANES if pane.name != WAR_PANE or session.state.wars or open_ == WAR_PANE)
