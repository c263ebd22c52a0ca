"""Changes between two positions as text, and the base screen with a list beside the map before and after."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import ClassVar

from rich.text import Text
from textual import getters
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll

from paxtui.games.pax.board.status import area_state
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.diplomacy.settlement import played_belligerents
from paxtui.games.pax.figures import FigureChange
from paxtui.games.pax.preview import peace
from paxtui.games.pax.preview.dry_run import Outcome
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.war import War
from paxtui.games.pax.text.display import place_name, power_name
from paxtui.session.session import Session
from paxtui.tui.base.keymap import bind
from paxtui.tui.base.screen import BaseScreen, ChoiceList, PlainText, Result, set_border_title
from paxtui.tui.formatting.look import GAIN, LOSS, Look
from paxtui.tui.map.world_map import WorldMap
from paxtui.tui.widgets.map_scene import build_scene

CHANGE_NAME_WIDTH, NAME_WIDTH, FIELD_WIDTH = 32, 27, 14
"""Width in cells of the name in a list of contents, of the name in other lists, and of the value before."""


def area_changes(tables: Tables, look: Look, before: State, after: State, areas: Sequence[str]) -> Text:
    """List the contents of Areas before and after, a row each, with a heading."""
    return _area_table(tables, look, areas, (before, after), area_contents, CHANGE_NAME_WIDTH)


def marker_changes(tables: Tables, look: Look, areas: Sequence[str], now: State, then: State) -> Text:
    """List the established markers of Areas before and after, a row each, with a heading."""
    return _area_table(tables, look, areas, (now, then), marker_signs, NAME_WIDTH)


def _area_table(
    tables: Tables,
    look: Look,
    areas: Sequence[str],
    states: tuple[State, State],
    describe: Callable[[Tables, Look, State, str], Text],
    name_width: int,
) -> Text:
    out = Text().append(f"{'':<{name_width}}{'now':<{FIELD_WIDTH}}then\n", look.faint)
    for area in areas:
        out.append(f"{place_name(tables, area):<{name_width}}"[:name_width], "bold")
        before, after = (describe(tables, look, state, area) for state in states)
        out.append_text(before)
        out.append(" " * max(1, FIELD_WIDTH - before.cell_len))
        out.append_text(after)
        out.append("\n")
    return out


def area_contents(tables: Tables, look: Look, state: State, area: str) -> Text:
    """Summarize the markers and units of an Area."""
    here, out = area_state(state, area), Text()
    for m in here.markers:
        out.append_text(look.text(look.marker(tables, m.power, m.marker, m.established), " "))
    for units in look.units(here.units):
        out.append_text(look.text(units, " "))
    if here.unrest:
        out.append("! ", look.alarm)
    out.rstrip()
    return out if out.plain else Text("nothing", look.faint)


def marker_signs(tables: Tables, look: Look, state: State, area: str) -> Text:
    """Format the established markers of an Area."""
    out = Text()
    for m in area_state(state, area).markers:
        if m.established:
            out.append_text(look.text(look.marker(tables, m.power, m.marker), " "))
    return out or Text("nobody's", look.faint)


def figure_row(look: Look, figure: FigureChange, name_width: int = NAME_WIDTH) -> Text:
    """Format a figure before and after. Args: the colours; the figure; cells for its name."""
    change = figure.after - figure.before
    before, after = (f"{figure.unit}{number}" for number in (figure.before, figure.after))
    out = Text(f"{figure.what:<{name_width}}{before:<{FIELD_WIDTH}}", "" if change else look.faint)
    if not change:
        return out.append(f"{after}\n", look.faint)
    good = (change > 0) == figure.more_is_better
    sign = GAIN if change > 0 else LOSS
    return out.append(f"{after}  {sign}{abs(change)}\n", look.good if good else look.alarm)


def peace_effects(session: Session, look: Look, power: str, war: War, found: Outcome, room: int) -> Text:
    """List the effects of a peace: the War, returned Areas, tensions, markers, figures of each party."""
    tables, state = session.tables, session.live
    out = look.bullets(peace.describe_peace(tables, power, state, war, found), room)
    if found.refusal is not None:
        out.rstrip()
        return look.signs(out)
    out.append("\n")
    if found.areas:
        out.append_text(marker_changes(tables, look, found.areas, state, found.state))
    parties: Iterable[str] = (power, *(p for p in played_belligerents(tables, state, war) if p != power))
    for figure in peace.peace_figures(tables, tuple(parties), state, found):
        if figure.before != figure.after or figure.what.startswith(power_name(tables, power)):
            out.append_text(figure_row(look, figure))
    out.rstrip()
    return look.signs(out)


WIDE_COLUMNS = 130
"""Minimum columns to show the map next to the list."""
LIST_WIDTH = 64
"""Width of the list in cells."""


class MapListScreen(BaseScreen[Result]):
    """A question, a list, the effects of the highlighted line, and the map; on small screens Tab shows the map."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("beside.down", "pagedown", "leaf(1)", "On", "More of the effects", priority=True),
        bind("beside.up", "pageup", "leaf(-1)", "Back", "Effects above", priority=True),
    ]
    question_panel = getters.query_one("#beside-asked", PlainText)
    rows = getters.query_one("#beside-list", ChoiceList)
    effects_panel = getters.query_one("#beside-told", PlainText)
    """The effects of the highlighted line."""
    map = getters.query_one("#beside-map", WorldMap)
    before = False
    """Whether the map shows the present position."""

    def compose(self) -> ComposeResult:
        with Horizontal(id="beside-all"):
            with Vertical(id="beside-side"):
                yield PlainText(id="beside-asked", classes="title")
                yield ChoiceList(id="beside-list")
                with VerticalScroll(id="beside-room"):
                    yield PlainText(id="beside-told")
            yield WorldMap(id="beside-map", palette=self.app.palette)
        yield PlainText(id="beside-keys", classes="note")

    def on_mount(self) -> None:
        self.set_class(self.app.size.width < WIDE_COLUMNS, "small")
        self.map.can_focus = False
        self.query_one("#beside-room", VerticalScroll).can_focus = False
        self.write()
        self.set_focus(self.rows)
        self.begin()

    def on_resize(self) -> None:
        self.set_class(self.app.size.width < WIDE_COLUMNS, "small")
        self.write()

    def begin(self) -> None:
        """Fill the list and set the initial cursor."""

    def write(self) -> None:
        """Write the question and the keys."""

    def show_keys(self, keys: str) -> None:
        """Show what the keys do. Args: a text with binding ids, as for `format_keys`."""
        self.query_one("#beside-keys", PlainText).update(self.look.palette.text(self.format_keys(keys)))

    @property
    def room(self) -> int:
        """Width of a row of the column in cells."""
        return (self.app.size.width if self.has_class("small") else LIST_WIDTH) - 4

    @property
    def turns(self) -> str:
        """Description of what Tab does here."""
        return "Tab map" if self.has_class("small") else "Tab before and after"

    # --- the map ----------------------------------------------------------------------------------------------------

    def draw(self, session: Session, now: State, then: State, lit: Sequence[str], at: str, power: str) -> None:
        """Draw the map before or after.

        Args: the open game; both positions; the highlighted Areas; the place under the cursor; the Power that looks.
        """
        set_border_title(self.map, "As it is" if self.before else "After the change")
        drawn = build_scene(session.tables, now if self.before else then, at or self.map.cursor, power)
        self.map.scene = replace(drawn, lit=frozenset(lit))
        if at:
            self.map.centre_on(at)

    def action_turn(self) -> None:
        """Toggle the map before and after; a small screen cycles through both maps and the list."""
        if self.has_class("small"):
            shown = self.has_class("-map")
            self.before = shown and not self.before
            self.set_class(not shown or self.before, "-map")
        else:
            self.before = not self.before
        self.map_turned()

    def action_leaf(self, step: int) -> None:
        room = self.query_one("#beside-room", VerticalScroll)
        room.scroll_relative(y=step * max(1, room.size.height - 1), animate=False)

    def map_turned(self) -> None:
        """Draw the other map."""
