"""Layout, drawing and navigation on the game screen: map, cards, panes, filters, the line above the keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.board.tables import HOME
from paxtui.games.pax.preview.odds import short_odds
from paxtui.games.pax.text.display import place_name, power_name
from paxtui.tui.base.dialogs import PickDialog
from paxtui.tui.base.playing import SessionScreen
from paxtui.tui.base.screen import TextPanel, next_in_circle
from paxtui.tui.formatting.look import place_line, truncate
from paxtui.tui.formatting.reports import effect_signs, income_text
from paxtui.tui.formatting.timeline import scrubber
from paxtui.tui.game.controller import Controller
from paxtui.tui.map.layout import nearest_label
from paxtui.tui.map.scene import WAR_VIEWS, Scene
from paxtui.tui.panes.registry import WAR_PANE, pane_tabs
from paxtui.tui.panes.status_lines import key_line, pane_hint, place_card, top_line, window_title
from paxtui.tui.panes.what_now import what_now_short
from paxtui.tui.rendering.prepared_screens import ScreenRecipe
from paxtui.tui.rendering.text_widgets import ScrollingText
from paxtui.tui.widgets.board import Board, MoveInProgress
from paxtui.tui.widgets.dice_panel import DicePanel
from paxtui.tui.widgets.map_scene import FILTERS, WAR_FILTER, answerable_filters, build_scene
from paxtui.tui.widgets.order_line import CompletionList, OrderLine
from paxtui.tui.widgets.side_column import Cards, Shelf, SideColumn
from paxtui.tui.widgets.war_scene import war_theatre

BAR_ROWS = 2
"""Rows of the top and bottom lines."""


@dataclass(frozen=True)
class SeatScreenState:
    """Screen state of a seat.

    Attributes:
        cursor: the place under the cursor.
        zoom: the zoom level of the map.
        cards: whether region cards replaced the map.
        filter: the index of the map filter.
        pane: the side pane.
        is_pane_in_front: whether that pane replaced the map, on a small screen.
        orders: the orders that the seat has typed.
    """

    cursor: str
    zoom: str
    cards: bool
    filter: int
    pane: str
    is_pane_in_front: bool
    orders: tuple[str, ...] = ()


class ViewController(Controller):
    """What the screen shows, and the keys that change it.

    Args:
        screen: the game screen.
        bots_line: returns the line about moving bots, None if none moves.
        drawn: called after each redraw and after a pane has been opened.
    """

    top: TextPanel
    hint: TextPanel
    """The line above the keys: history or pending tasks."""
    map: Board
    deck: Cards
    card: TextPanel
    shelf: Shelf
    side: SideColumn
    keys: TextPanel
    line: OrderLine
    completions: CompletionList
    greeting: TextPanel
    """The line above the map that announces a seat or shows a bot's move."""
    dice: DicePanel

    def __init__(
        self, screen: SessionScreen[None], bots_line: Callable[[], Text | None], drawn: Callable[[], None]
    ) -> None:
        super().__init__(screen)
        self._bots_line, self._drawn = bots_line, drawn
        self._cards = False
        self._filter = 0
        self._march: MoveInProgress | None = None
        self._will_draw = False
        self._version = self.session.version
        self._before_war: dict[str, tuple[str, int]] = {}
        """The pane and the filter that each seat had before it was shown the War."""

    def compose(self) -> ComposeResult:
        """Create top line, map with card, side column, command line and key hints."""
        self.top, self.card, self.hint = TextPanel(id="top"), TextPanel(id="card"), TextPanel(id="hint")
        self.map, self.deck = Board(id="map", palette=self.app.palette), Cards(id="cards")
        self.shelf, self.side = Shelf(id="shelf"), SideColumn(self.session, id="side")
        self.keys, self.line = TextPanel(id="keys"), OrderLine(id="command")
        self.completions, self.greeting = CompletionList(id="guesses"), TextPanel(id="greeting")
        self.dice = DicePanel(id="dice")
        yield self.top
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield self.map
                yield self.deck
                yield self.card
                yield self.shelf
            yield self.side
        yield self.hint
        with Horizontal(id="bottom"):
            yield self.keys
            yield self.line
        yield self.completions
        yield self.greeting
        yield self.dice

    def open(self) -> None:
        """Move the cursor to the Home Country and draw everything."""
        settings = self.app.settings
        self.side.set_reactive(SideColumn.pane, settings.pane)
        self._cards = settings.zoom == "cards"
        if settings.zoom == "theatre":
            self.map.zoom = "theatre"
        self.map.cursor = HOME + self.session.seat
        self.follow_war()
        self.screen.set_focus(self.map)
        self.screen.watch(self.map, "cursor", self._cursor_moved, init=False)
        self.resize(self.app.size.width, self.app.size.height)
        self.draw()

    def resize(self, width: int, height: int) -> None:
        """Lay out for a screen size."""
        self.screen.set_class(width < 110, "small")
        self.screen.set_class(height >= 45, "tall")
        self.side.fit(width)
        self.shelf.display = False
        if not self.is_small:
            self.shelf.fit(width - self.side.columns, height - BAR_ROWS)

    # --- what is shown --------------------------------------------------------------------------------------------

    @property
    def is_small(self) -> bool:
        """Return whether map and panes do not fit beside each other."""
        return self.screen.has_class("small")

    @property
    def is_pane_in_front(self) -> bool:
        """Return whether a pane replaces the map, on a small screen."""
        return self.is_small and self.screen.has_class("-side")

    @property
    def march(self) -> MoveInProgress | None:
        """The selected units."""
        return self._march

    @march.setter
    def march(self, march: MoveInProgress | None) -> None:
        if march != self._march:
            self._march = march
            self.draw()

    @property
    def filter(self) -> int:
        """Index of the map filter in FILTERS."""
        return self._filter

    @filter.setter
    def filter(self, filter_: int) -> None:
        if filter_ != self._filter:
            self._filter = filter_
            self.draw_map()
            self.draw_card()

    @property
    def cards(self) -> bool:
        """Whether region cards replace the map."""
        return self._cards

    @cards.setter
    def cards(self, cards: bool) -> None:
        if cards == self._cards:
            return
        if cards:
            self.map.cursor = self._nearest_area()
        self._cards = cards
        self.draw_map()
        self._drawn()
        if cards:
            self.deck.bring_into_sight(self.session, self.map.cursor)
        self.screen.set_focus(None if cards else self.map)

    def _nearest_area(self) -> str:
        """Return the place under the cursor, or the nearest one that has a card."""
        cursor, areas = self.map.cursor, self.session.tables.areas
        return cursor if cursor in areas else nearest_label(cursor, areas)

    def visible_part(self) -> str:
        """Return the focused part: order line, move, front pane, history, cards, or map."""
        if self.screen.focused is self.line:
            return self.line.asks
        if self.march is not None:
            return "move"
        if self.is_pane_in_front:
            return self.side.pane
        if self.session.at is not None:
            return "history"
        return "cards" if self.cards else "map"

    def words(self) -> str:
        texts = [self.top.text, self.card.text, self.side.now.text, self.side.page.text]
        return "\n".join(text.plain.rstrip() for text in (*texts, *([self.deck.text] if self.cards else ())))

    # --- the screen state of each seat ----------------------------------------------------------------------------

    def capture_state(self) -> SeatScreenState:
        in_front, orders = self.screen.has_class("-side"), tuple(self.line.given)
        return SeatScreenState(
            self.map.cursor, self.map.zoom, self.cards, self.filter, self.side.pane, in_front, orders
        )

    def initial_state(self) -> SeatScreenState:
        """Return the screen state of a seat's first turn: from the settings, cursor at home."""
        settings = self.app.settings
        cards, zoom = settings.zoom == "cards", "theatre" if settings.zoom == "theatre" else "world"
        return SeatScreenState(HOME + self.session.seat, zoom, cards, 0, settings.pane, False)

    def restore_state(self, state: SeatScreenState) -> None:
        """Restore a seat's screen state; discard input and selected units of the previous seat."""
        self.show_order_line(False)
        self.march = None
        self.line.given = list(state.orders)
        self.filter, self.side.pane = state.filter, state.pane
        self.screen.set_class(state.is_pane_in_front, "-side")
        self.map.zoom, self.map.cursor = state.zoom, state.cursor
        self.cards = state.cards
        self.follow_war()

    def follow_war(self) -> None:
        """Switch to the War pane and filter in a War Phase, once for each seat, and back at its end."""
        state, seat, side = self.session.state, self.session.seat, self.side
        is_war = state.phase == "war" and bool(state.wars)
        if is_war and seat not in self._before_war:
            self._before_war[seat] = side.pane, self.filter
            side.set_reactive(SideColumn.pane, WAR_PANE)
            if place := war_theatre(self.session):
                self.map.centre_on(place)
            self._filter = WAR_FILTER
        elif not is_war and seat in self._before_war:
            pane, filter_ = self._before_war.pop(seat)
            if side.pane == WAR_PANE:
                side.set_reactive(SideColumn.pane, pane)
            if FILTERS[self.filter] in WAR_VIEWS:
                self._filter = filter_

    # --- drawing --------------------------------------------------------------------------------------------------

    def release_outdated_march(self) -> None:
        """Release the selected units if the game has changed since the last call."""
        if self.session.version != self._version:
            self._version = self.session.version
            self.march = None

    def draw_soon(self) -> None:
        """Redraw when all running updates are done."""
        if not self._will_draw:
            self._will_draw = True
            self.screen.call_next(self.draw)

    def restyle(self) -> None:
        for panel in self.screen.query(TextPanel):
            panel.forget()
        for page in self.screen.query(ScrollingText):
            page.forget()
        self.map.palette = self.app.palette
        self.draw()

    def draw(self) -> None:
        """Redraw everything that can have changed, unless the screen has closed."""
        self._will_draw = False
        if not self.screen.children:
            return
        s, look = self.session, self.look
        self.draw_top()
        self.draw_map()
        self.draw_card()
        self.side.draw()
        self.shelf.draw(s, look)
        self.draw_lines()
        self.app.window_title(window_title(s))
        self._drawn()

    def draw_top(self) -> None:
        """Redraw the top line; its clock changes without events."""
        self.top.show(self.look.signs(top_line(self.session, self.look, self.app.size.width)))

    def draw_map(self) -> None:
        """Redraw the map or the cards; remove overlays."""
        self.dice.put_away()
        self.map.draw(self.session, self.filter, self.march)
        self.deck.display = self.cards
        self.map.display = not self.cards
        if self.cards:
            rows = max(self.map.size.height, self.deck.size.height)
            self.deck.draw(self.session, self.look, self.map.cursor, rows)

    def draw_card(self) -> None:
        """Redraw the card of the place under the cursor; during a move, whether the units can go there."""
        s, look, place = self.session, self.look, self.map.cursor
        note = f"   map: {FILTERS[self.filter]} ({self.app.key_of('game.filter', 'f')})" if self.filter else ""
        text = Text(place_line(s.tables, s.state, place), "bold") if self.march is None else self._march_line(place)
        # always one line: the second one belongs to the card
        room = self.screen.size.width - 2 - (0 if self.is_small else self.side.columns)
        text = truncate(text, max(20, room - len(note)))
        text.append(note, look.key)
        text.append("\n")
        here = self._march_warning() or self._march_effects(place) or place_card(s, look, place, self.app.key_of, room)
        here.truncate(room, overflow="ellipsis")
        text.append_text(here)
        self.card.show(look.signs(text))

    def _march_line(self, place: str) -> Text:
        """Return what the selected units would do at a place."""
        s, march = self.session, self.march
        assert march is not None
        owner = march.owner(s)
        whose = "" if owner == s.seat else f" of {power_name(s.tables, owner)}"
        text = Text(f"move {' '.join(march.units)}{whose} from {place_name(s.tables, march.start)}", "bold")
        if place == march.start:
            where = "a lit place (▸ steps)" if self.is_small else "a highlighted place (▸ and its steps)"
            text.append(f": move the cursor to {where} and press Enter", "not bold")
        elif place in march.reach:
            steps = march.steps(place)
            way = f", {steps} step{'s' if steps > 1 else ''}" if steps else ", by sea"
            text.append(f": can go here{way}; press Enter")
        else:
            text = Text(f"{' '.join(march.units)}: ", "bold").append(march.refusal_reason(s, place), self.look.alarm)
        return text

    def _march_effects(self, place: str) -> Text:
        """Return the effect of ending the move at a place; empty if it is illegal or has none."""
        s, march = self.session, self.march
        if march is None or march.in_war or place == march.start or place not in march.reach:
            return Text()
        seen = s.preview(march.order(s, place))
        if isinstance(seen, Refusal):
            return Text()
        out = effect_signs(s, self.look, seen)
        if seen.odds:
            out.append("  " + short_odds(seen.odds))
        if seen.income:
            out.append(" income " if out else "income ")
            out.append_text(income_text(self.look, seen.income))
        return out

    def march_risks(self) -> list[str]:
        """Return the costs in War of moving the selected units to the place under the cursor."""
        march, place = self.march, self.map.cursor
        if march is None or not march.in_war or place not in march.reach:
            return []
        return self.session.warnings(march.order(self.session, place))

    def _march_warning(self) -> Text | None:
        """Return the cost in War of the current step, shown instead of the card; None if there is none."""
        risks = self.march_risks()
        if not risks:
            return None
        more = f" (and {len(risks) - 1} more)" if len(risks) > 1 else ""
        return Text(f"! {risks[0]}{more}", self.look.alarm)

    def draw_lines(self) -> None:
        """Redraw the line above the keys (history or pending tasks) and the key hints."""
        s, look, width = self.session, self.look, self.app.size.width
        is_past, line, key_of = s.at is not None, self.hint, self.app.key_of
        line.display = is_past or self.is_small
        if self.is_pane_in_front:
            line.show(look.signs(pane_hint(look, key_of)))
        elif line.display:
            line.show(look.signs(scrubber(s, look, width) if is_past else what_now_short(s, look, width - 2, key_of)))
        self.keys.show(look.signs(self._bots_line() or key_line(s, look, width, self.march is not None, key_of)))

    def show_greeting(self, text: Text) -> None:
        """Show a line above the map."""
        self.greeting.show(self.look.signs(text))
        self.greeting.display = True

    def hide_greeting(self) -> None:
        """Hide the line above the map."""
        self.greeting.display = False

    def _cursor_moved(self) -> None:
        self.draw_map()
        self.draw_card()

    def go_to(self, place: str | None) -> None:
        """Move the cursor to a place chosen from a list."""
        if place:
            self.map.cursor = place

    def show_order_line(self, shown: bool) -> None:
        """Replace the key hints by the order line; nothing else moves."""
        self.line.display, self.keys.display = shown, not shown
        if not shown:
            self.completions.display = False
        self.screen.set_focus(self.line if shown else self.map)

    # --- keys -----------------------------------------------------------------------------------------------------

    def action_pane(self, name: str) -> None:
        """Show a pane; on a small screen it replaces the map."""
        screen = self.screen
        if name == "cards":
            screen.remove_class("-side")
            self.cards = not self.cards
        elif name == "now":
            screen.toggle_class("-side")
        else:
            again = self.side.pane == name and screen.has_class("-side")
            self.side.pane = name
            if self.is_small:
                screen.set_class(not again, "-side")
        # at once, not when the next frame hides the map: the next key goes to the focused widget
        screen.set_focus(None if self.is_pane_in_front else self.map)
        self.draw_lines()
        self.dice.put_away()
        self._drawn()

    def action_next_pane(self) -> None:
        names = [pane.name for pane in pane_tabs(self.session, self.side.pane)]
        self.action_pane(next_in_circle(names, self.side.pane))

    def action_zoom(self) -> None:
        """Switch between world, theatre and cards."""
        if self._return_to_map():
            return
        if self.cards:
            self.map.zoom = "world"
            self.cards = False
        elif self.map.zoom == "world":
            self.map.zoom = "theatre"
            self.dice.put_away()
        else:
            self.cards = True

    def action_filter(self) -> None:
        self.filter = self._next_filter()

    def _next_filter(self) -> int:
        return next((n for n in answerable_filters(self.session.state) if n > self.filter), 0)

    def prepare(self) -> Iterator[str]:
        """Draw unseen what the next keys may show, in steps: other moments, filters, zooms, panes."""
        is_map_free = self.map.display and self.march is None
        for line in (self.session.line - 1, self.session.line + 1):
            if 0 < line <= self.session.version:
                yield from self.side.prepare_moment(line)
                if is_map_free:
                    with self.session.glance_at(line):
                        scene = self._scene(self.filter)
                    yield from self.map.prepare_scene(scene)
        if is_map_free:
            yield from self.map.prepare_scene(self._scene(self._next_filter()))
            yield from self.map.prepare()
        yield from self.side.prepare_panes()
        if is_map_free:
            yield from self.deck.prepare_region(self.session, self.look, self._nearest_area(), self.map.size.height)

    def _scene(self, number: int) -> Scene:
        """Return the map of the moment shown with a filter."""
        s = self.session
        return build_scene(s.tables, s.state, self.map.cursor, s.power, FILTERS[number])

    def action_filters(self) -> None:
        filters = answerable_filters(self.session.state)

        def done(number: int) -> None:
            self.filter = filters[number]

        self.app.ask(self.filters_recipe(), done)

    def filters_recipe(self) -> ScreenRecipe[int | None]:
        """Return how the list of map filters is shown."""
        filters = answerable_filters(self.session.state)
        now = filters.index(self.filter) if self.filter in filters else 0
        names = [FILTERS[n] for n in filters]
        return ScreenRecipe("filters", partial(PickDialog, "Show on the map", names, now), (names, now))

    def action_home(self) -> None:
        self._return_to_map()
        self.map.cursor = HOME + self.session.power

    def action_card(self, step: int) -> None:
        """Move to the card above or below; in the order line, recall an order."""
        if self.screen.focused is self.line:
            self.line.recall(step)
        elif self.is_pane_in_front:
            self.side.page.scroll_relative(y=step, animate=False)
        elif self.cards:
            self.show_card(self.deck.neighbour(self.session, self.map.cursor, rows=step))

    def action_page(self, step: int) -> None:
        """Scroll the pane by a page; nothing if the map fills a small screen."""
        if self.is_pane_in_front or not self.is_small:
            page = self.side.page
            page.scroll_relative(y=step * max(1, page.size.height - 2), animate=False)

    def action_region(self, step: int) -> None:
        """Move to the card beside; after the last one, to the next region."""
        if not self._return_to_map() and self.cards:
            self.show_card(self.deck.neighbour(self.session, self.map.cursor, step=step))

    def action_click(self, place: str) -> None:
        self.go_to(place)

    def action_back(self) -> None:
        """Close the order line, return from a pane, or release the selected units."""
        if self.line.display:
            self.show_order_line(False)
        elif not self._return_to_map():
            self.march = None
        self.hide_greeting()
        self.dice.put_away()

    def show_card(self, area: str) -> None:
        """Select a card."""
        self.map.cursor = area
        self.deck.bring_into_sight(self.session, area)

    def _return_to_map(self) -> bool:
        """On a small screen, return from a pane to the map; return whether a pane was open."""
        if not self.is_pane_in_front:
            return False
        self.screen.remove_class("-side")
        self.screen.set_focus(self.map)
        self.draw_lines()
        return True
