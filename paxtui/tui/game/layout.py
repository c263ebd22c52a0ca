"""Layout and drawing of the game screen."""

from __future__ import annotations

from rich.text import Text
from textual import getters
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.events import Resize
from textual.reactive import reactive

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.board.tables import HOME
from paxtui.games.pax.preview.odds import short_odds
from paxtui.games.pax.text.display import place_name, power_name
from paxtui.session.local_session import Session, SessionChange
from paxtui.session.place_menu import preview_for_seat
from paxtui.tui.base.screen import TextPanel
from paxtui.tui.formatting.look import place_line, truncate
from paxtui.tui.formatting.reports import effect_signs, income_text
from paxtui.tui.formatting.timeline import scrubber
from paxtui.tui.game.orders import OrderControls
from paxtui.tui.map.layout import nearest_label
from paxtui.tui.map.scene import WAR_VIEWS
from paxtui.tui.panes.registry import WAR_PANE
from paxtui.tui.panes.status_lines import key_line, pane_hint, place_card, top_line, window_title
from paxtui.tui.panes.what_now import what_now_short
from paxtui.tui.rendering.app import prepare_maps_when_idle
from paxtui.tui.rendering.text_widgets import ScrollingText
from paxtui.tui.widgets.board import Board
from paxtui.tui.widgets.dice_panel import DicePanel
from paxtui.tui.widgets.map_scene import FILTERS, WAR_FILTER
from paxtui.tui.widgets.order_line import CompletionList, OrderLine
from paxtui.tui.widgets.side_column import Cards, Shelf, SideColumn
from paxtui.tui.widgets.war_scene import war_theatre

BAR_ROWS = 2
"""Rows of the top and bottom lines."""
DISK_WAIT_S = 0.05
"""Seconds for which the screen blocks for a save; a longer one continues in the background."""


class LayoutControls(OrderControls):
    """The part of the game screen around the map."""

    cards: reactive[bool] = reactive(False, init=False, repaint=False)
    """Whether region cards replace the map."""
    question: reactive[int] = reactive(0, init=False, repaint=False)
    """Index of the map filter in FILTERS."""

    deck = getters.query_one("#cards", Cards)
    card = getters.query_one("#card", TextPanel)
    shelf = getters.query_one("#shelf", Shelf)
    side = getters.query_one("#side", SideColumn)
    keys = getters.query_one("#keys", TextPanel)
    line = getters.query_one("#command", OrderLine)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._draws_soon = False
        self._version = session.version
        self._at_war: dict[str, tuple[str, int]] = {}
        """The pane and the question that each seat had before it was shown the War."""

    def compose(self) -> ComposeResult:
        """Create top line, map with card, side column, command line and key hints."""
        yield TextPanel(id="top")
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield Board(id="map", palette=self.app.palette)
                yield Cards(id="cards")
                yield TextPanel(id="card")
                yield Shelf(id="shelf")
            yield SideColumn(self.session, id="side")
        yield TextPanel(id="hint")
        with Horizontal(id="bottom"):
            yield TextPanel(id="keys")
            yield OrderLine(id="command")
        yield CompletionList(id="guesses")
        yield TextPanel(id="greeting")
        yield DicePanel(id="dice")

    def on_mount(self) -> None:
        """Move the cursor to the Home Country and draw everything."""
        if self.app.leisurely:
            self.session.wait_at_most(DISK_WAIT_S)
        settings = self.app.settings
        self.side.set_reactive(SideColumn.pane, settings.pane)
        self.set_reactive(LayoutControls.cards, settings.zoom == "cards")
        if settings.zoom == "theatre":
            self.map.zoom = "theatre"
        self.map.cursor = HOME + self.session.seat
        self.follow_war()
        self.set_focus(self.map)
        self.watch(self.map, "cursor", self._cursor_moved, init=False)
        self._resized(self.app.size.width, self.app.size.height)
        self.draw()
        if self.session.notice:
            self.notify(self.session.notice, title="The log", severity="warning", timeout=15)
        if not self.app.is_headless:
            prepare_maps_when_idle(self)
        self.open_game()

    def on_resize(self, event: Resize) -> None:
        """Lay out for the new size."""
        self._resized(event.size.width, event.size.height)
        self.draw()

    def _resized(self, width: int, height: int) -> None:
        self.set_class(width < 110, "small")
        self.set_class(height >= 45, "tall")
        self.side.fit(width)
        self.shelf.display = False
        if not self.has_class("small"):
            self.shelf.fit(width - self.side.columns, height - BAR_ROWS)

    @property
    def pane_for_map(self) -> bool:
        """Return whether a pane replaces the map, on a small screen."""
        return self.has_class("small") and self.has_class("-side")

    # --- drawing --------------------------------------------------------------------------------------------------

    def session_changed(self, change: SessionChange) -> None:
        """Redraw once after a change and everything that it triggers."""
        if self.session.version != self._version:
            self._version = self.session.version
            self.march = None
        self.watch_saving()
        if change.order and change.refusal is None:
            self.line.remember(change.order)
            self.greeting.display = False
        sat, begins = self.laid_for, not self.watches
        super().session_changed(change)
        if sat == self.laid_for == self.session.seat:  # a new seat sees it after its screen state is restored
            self.follow_war()
        if change.refusal is None and (self.shows_each_move or begins or not change.more):
            self.draw_soon()

    def follow_war(self) -> None:
        """Switch to the War pane and filter in a War Phase, once for each seat, and back at its end."""
        state, seat, side = self.session.state, self.session.seat, self.side
        fought = state.phase == "war" and bool(state.wars)
        if fought and seat not in self._at_war:
            self._at_war[seat] = side.pane, self.question
            side.set_reactive(SideColumn.pane, WAR_PANE)
            if place := war_theatre(self.session):
                self.map.centre_on(place)
            self.set_reactive(LayoutControls.question, WAR_FILTER)
        elif not fought and seat in self._at_war:
            pane, question = self._at_war.pop(seat)
            if side.pane == WAR_PANE:
                side.set_reactive(SideColumn.pane, pane)
            if FILTERS[self.question] in WAR_VIEWS:
                self.set_reactive(LayoutControls.question, question)

    def draw_soon(self) -> None:
        """Redraw when all running updates are done."""
        if not self._draws_soon:
            self._draws_soon = True
            self.call_next(self.draw)

    def restyle(self) -> None:
        """Redraw in the new colours and signs."""
        for panel in self.query(TextPanel):
            panel.forget()
        for page in self.query(ScrollingText):
            page.forget()
        self.map.palette = self.app.palette
        self.draw()

    def draw(self) -> None:
        """Redraw everything that can have changed, unless the screen has closed."""
        self._draws_soon = False
        if not self.children:
            return
        s, look = self.session, self.look
        self.draw_top()
        self.draw_map()
        self.draw_card()
        self.side.draw()
        self.shelf.draw(s, look)
        self.draw_lines()
        self.app.window_title(window_title(s))

    def draw_top(self) -> None:
        """Redraw the top line; its clock changes without events."""
        look = self.look
        self.query_one("#top", TextPanel).show(look.signs(top_line(self.session, look, self.app.size.width)))

    def draw_map(self) -> None:
        """Redraw the map or the cards; remove overlays."""
        self.dice.put_away()
        self.map.draw(self.session, self.question, self.march)
        self.deck.display = self.cards
        self.map.display = not self.cards
        if self.cards:
            rows = max(self.map.size.height, self.deck.size.height)
            self.deck.draw(self.session, self.look, self.map.cursor, rows)

    def draw_card(self) -> None:
        """Redraw the card of the place under the cursor; during a move, whether the units can go there."""
        s, look, place = self.session, self.look, self.map.cursor
        note = f"   {FILTERS[self.question]} ({self.app.key_of('game.filter', 'f')})" if self.question else ""
        text = Text(place_line(s.tables, s.state, place), "bold") if self.march is None else self._march_line(place)
        # always one line: the second one belongs to the card
        room = self.size.width - 2 - (0 if self.has_class("small") else self.side.columns)
        text = truncate(text, max(20, room - len(note)))
        text.append(note, look.key)
        text.append("\n")
        here = self._risks() or self._march_brings(place) or place_card(s, look, place)
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
            small = self.has_class("small")
            walk = ": walk to a lit place (▸ steps)" if small else ": walk to one of the lit places (▸ and its steps)"
            text.append(walk + ", Enter goes there", "not bold")
        elif place in march.reach:
            steps = march.steps(place)
            way = f", {steps} step{'s' if steps > 1 else ''}" if steps else ", by sea"
            text.append(f": can go here{way}; Enter goes")
        else:
            text = Text(f"{' '.join(march.units)}: ", "bold").append(march.refusal_reason(s, place), self.look.alarm)
        return text

    def _march_brings(self, place: str) -> Text:
        """Return the effect of ending the move at a place; empty if it is illegal or has none."""
        s, march = self.session, self.march
        if march is None or march.in_war or place == march.start or place not in march.reach:
            return Text()
        seen = preview_for_seat(s, march.order(s, place))
        if isinstance(seen, Refusal):
            return Text()
        out = effect_signs(s, self.look, seen)
        if seen.odds:
            out.append("  " + short_odds(seen.odds))
        if seen.income:
            out.append(" income " if out else "income ")
            out.append_text(income_text(self.look, seen.income))
        return out

    def _risks(self) -> Text | None:
        """Return the cost in War of the current step, shown instead of the card; None if there is none."""
        risks = self.march_risks()
        if not risks:
            return None
        more = f" (and {len(risks) - 1} more)" if len(risks) > 1 else ""
        return Text(f"! {risks[0]}{more}", self.look.alarm)

    def draw_lines(self) -> None:
        """Redraw the line above the keys (history or pending tasks) and the key hints."""
        s, look, width = self.session, self.look, self.app.size.width
        past = s.at is not None
        line = self.query_one("#hint", TextPanel)
        line.display = past or self.has_class("small")
        if self.pane_for_map:
            line.show(look.signs(pane_hint(look, self.app.key_of)))
        elif line.display:
            line.show(
                look.signs(scrubber(s, look, width) if past else what_now_short(s, look, width - 2, self.app.key_of))
            )
        moving, key_of = self.march is not None, self.app.key_of
        self.keys.show(look.signs(self.bots_line() or key_line(s, look, width, moving, key_of)))

    def words(self) -> str:
        """Return the texts beside the map, for copying."""
        texts = [self.query_one("#top", TextPanel).text, self.card.text, self.side.now.text, self.side.page.text]
        return "\n".join(text.plain.rstrip() for text in (*texts, *([self.deck.text] if self.cards else ())))

    def watch_question(self) -> None:
        """Redraw the map and the card for another filter."""
        self.draw_map()
        self.draw_card()

    def watch_march(self) -> None:
        """Redraw when units are selected or released."""
        self.draw()

    def watch_cards(self) -> None:
        """Switch between map and cards."""
        if self.cards and self.map.cursor not in self.session.tables.areas:
            self.map.cursor = nearest_label(self.map.cursor, self.session.tables.areas)
        self.draw()
        if self.cards:
            self.deck.bring_into_sight(self.session, self.map.cursor)
        self.set_focus(None if self.cards else self.map)

    def _cursor_moved(self) -> None:
        self.draw_map()
        self.draw_card()
