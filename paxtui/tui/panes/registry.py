"""The panes of the game screen, one row each.

Keys, tabs, help pages, picture names and the setting for the initial pane are derived from these rows. The settings
read them at program start, so the module of a pane is imported when the pane is drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from rich.text import Text

    from paxtui.session.session import Session
    from paxtui.tui.formatting.look import Look

PaneRenderer = Callable[["Session", "Look", int], "Text"]
"""Renders the text of a pane from the session, the look and the width in cells."""


class Pane(NamedTuple):
    """A pane.

    Attributes:
        name: name of its help page, its picture and its setting.
        key: key that opens it.
        title: title on its tab.
        help: short description; it is the help page of a pane without a text in `data/help.toml`.
        draw: renderer; None for the two panes drawn elsewhere (what now, region cards).
        at_end: whether the pane is scrolled to its end.
    """

    name: str
    key: str
    title: str
    help: str
    draw: PaneRenderer | None = None
    at_end: bool = False


def _renderer(name: str) -> PaneRenderer:
    """Return a function of the module `side_panes`, which is imported when the pane is drawn first."""

    def render(session: Session, look: Look, width: int) -> Text:
        from paxtui.tui.panes import side_panes

        renderer: PaneRenderer = getattr(side_panes, name)
        return renderer(session, look, width)

    return render


WAR_PANE = "war"
"""The pane that opens by itself in a War Phase."""

PANES = (
    Pane("now", "1", "What now", "What now"),
    Pane("record", "2", "Record", "Administrative Record Sheet", _renderer("render_record")),
    Pane("indexes", "3", "Indexes", "Tensions, Resentment, tracks", _renderer("render_indexes")),
    Pane("treaties", "4", "Treaties", "Causes of war, offers, treaties", _renderer("render_treaties")),
    Pane("log", "5", "Log", "What has happened", _renderer("render_log"), at_end=True),
    Pane("cards", "6", "Cards", "The region as cards"),
    Pane(WAR_PANE, "7", "War", "Wars: sides, what ends them", _renderer("render_wars")),
)

SIDE_PANES = tuple(pane for pane in PANES if pane.draw is not None)
"""The panes of the side column, each with a tab."""


def pane_tabs(session: Session, open_: str) -> tuple[Pane, ...]:
    """Return the panes that have a tab now. The War pane has one if there is a War or if it is open."""
    return tuple(pane for pane in SIDE_PANES if pane.name != WAR_PANE or session.state.wars or open_ == WAR_PANE)


def pane_keys(is_war: bool) -> str:
    """Return the first and the last key of the panes, with the War pane in War only."""
    keys = [pane.key for pane in PANES if is_war or pane.name != WAR_PANE]
    return f"{keys[0]}-{keys[-1]}"
