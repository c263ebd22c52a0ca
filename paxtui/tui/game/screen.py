"""The main screen: the map with everything around it. It owns the flow; the widgets know nothing of each other."""

from __future__ import annotations

from typing import ClassVar, Literal

from rich.text import Text
from textual import getters, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.events import Key, Resize
from textual.message import Message
from textual.reactive import reactive
from textual.widgets import Input

from paxtui.engine.refusal import Refusal
from paxtui.pax.board.tables import HOME
from paxtui.pax.words.names import index
from paxtui.pax.words.spoken import place_name, power_name
from paxtui.table.session import Change, Session
from paxtui.tui.boxes.pick import PickScreen
from paxtui.tui.game.acting import Acting
from paxtui.tui.game.handover import Place
from paxtui.tui.game.keys import KEYS
from paxtui.tui.map.layout import nearest
from paxtui.tui.panes.lines import key_line, pane_hint, top_line, window_title
from paxtui.tui.panes.place_card import place_card
from paxtui.tui.panes.registry import PANES, SIDE
from paxtui.tui.panes.what_now import hint
from paxtui.tui.reading.pages import LINE
from paxtui.tui.reading.pages import ORDER as ORDER_LINK
from paxtui.tui.reading.reading import ReadingScreen
from paxtui.tui.stage.prose import Panel, cut
from paxtui.tui.swift.page import Page
from paxtui.tui.swift.warm import warm_up
from paxtui.tui.widgets.board import Board
from paxtui.tui.widgets.cards import Cards
from paxtui.tui.widgets.dice_panel import DicePanel
from paxtui.tui.widgets.guesses import codes, in_notation
from paxtui.tui.widgets.order_line import ORDER, PLACE, SEAT, GuessList, OrderLine
from paxtui.tui.widgets.scene_of import FILTERS
from paxtui.tui.widgets.shelf import Shelf
from paxtui.tui.widgets.side_column import SideColumn
from paxtui.tui.writing.look import place_line
from paxtui.tui.writing.timeline import scrubber

PARTS = ("map", *(pane.name for pane in PANES), "move", "history", ORDER, PLACE)
"""Pages of the help about parts of the screen, in the order in which they are leafed through."""


BARS = 2
"""Rows of the lines on top and at the bottom."""


class GameScreen(Acting):
    """The game on the table."""

    BINDINGS: ClassVar[list[BindingType]] = KEYS

    CLOSING: ClassVar[tuple[str, ...]] = ("enter", "escape", "space")
    """Keys that do nothing but put the dice away, while these are there."""

    cards: reactive[bool] = reactive(False, init=False, repaint=False)
    """Whether the region's cards stand in the place of the map."""
    question: reactive[int] = reactive(0, init=False, repaint=False)
    """The number in FILTERS of the question that the map shows."""

    deck = getters.query_one("#cards", Cards)
    card = getters.query_one("#card", Panel)
    shelf = getters.query_one("#shelf", Shelf)
    side = getters.query_one("#side", SideColumn)
    keys = getters.query_one("#keys", Panel)
    line = getters.query_one("#command", OrderLine)

    class Left(Message):
        """The player has left the game. `then`: where to, beyond the start screen."""

        def __init__(self, then: Literal["", "new", "tutorial"] = "") -> None:
            super().__init__()
            self.then = then

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._draws_soon = False
        self._version = session.version

    def compose(self) -> ComposeResult:
        """Top line, map with its card, side column, command line, keys."""
        yield Panel(id="top")
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield Board(id="map", palette=self.app.palette)
                yield Cards(id="cards")
                yield Panel(id="card")
                yield Shelf(id="shelf")
            yield SideColumn(self.session, id="side")
        yield Panel(id="hint")
        with Horizontal(id="bottom"):
            yield Panel(id="keys")
            yield OrderLine(id="command")
        yield GuessList(id="guesses")
        yield Panel(id="greeting")
        yield DicePanel(id="dice")

    def on_mount(self) -> None:
        """Put the cursor at home and draw everything."""
        settings = self.app.settings
        self.side.set_reactive(SideColumn.pane, settings.pane)
        self.set_reactive(GameScreen.cards, settings.zoom == "cards")
        if settings.zoom == "theatre":
            self.map.zoom = "theatre"
        self.map.cursor = HOME + self.session.seat
        self.set_focus(self.map)
        self.watch(self.map, "cursor", self._cursor_moved, init=False)
        self._resized(self.app.size.width, self.app.size.height)
        self.draw()
        if self.session.notice:
            self.notify(self.session.notice, title="The log", severity="warning", timeout=15)
        if not self.app.is_headless:
            warm_up(self)
        self.open_game()

    def on_resize(self, event: Resize) -> None:
        """Another size, another composition."""
        self._resized(event.size.width, event.size.height)
        self.draw()

    def _resized(self, width: int, height: int) -> None:
        self.set_class(width < 110, "small")
        self.side.fit(width)
        self.shelf.display = False
        if not self.has_class("small"):
            self.shelf.fit(width - self.side.columns, height - BARS)

    # --- drawing --------------------------------------------------------------------------------------------------

    def session_changed(self, change: Change) -> None:
        """Whatever has changed in the game is drawn once, when all that it sets going is done."""
        if self.session.version != self._version:
            self._version = self.session.version
            self.march = None
        if change.order and change.refusal is None:
            self.line.remember(change.order)
            self.greeting.display = False
        super().session_changed(change)
        if change.refusal is None:
            self.draw_soon()

    def draw_soon(self) -> None:
        """Show everything that can have changed, when all that is going on is done."""
        if not self._draws_soon:
            self._draws_soon = True
            self.call_next(self.draw)

    def restyle(self) -> None:
        """The settings have changed: other colours, other signs."""
        for panel in self.query(Panel):
            panel.forget()
        for page in self.query(Page):
            page.forget()
        self.map.palette = self.app.palette
        self.draw()

    def draw(self) -> None:
        """Show everything that can have changed."""
        self._draws_soon = False
        s, look, width = self.session, self.look, self.app.size.width
        self.query_one("#top", Panel).show(look.signs(top_line(s, look, width)))
        self.draw_map()
        self.draw_card()
        self.side.draw()
        self.shelf.draw(s, look)
        self.draw_lines()
        self.app.window_title(window_title(s))

    def draw_map(self) -> None:
        """Show the map, or the cards in its place; whatever lies upon it goes."""
        self.dice.put_away()
        self.map.draw(self.session, self.question, self.march)
        self.deck.display = self.cards
        self.map.display = not self.cards
        if self.cards:
            rows = max(self.map.size.height, self.deck.size.height)
            self.deck.draw(self.session, self.look, self.map.cursor, rows)

    def draw_card(self) -> None:
        """Show what stands under the cursor, and in a move whether the units can go there."""
        s, look, place = self.session, self.look, self.map.cursor
        note = f"   {FILTERS[self.question]} (f)" if self.question else ""
        text = Text(place_line(s.tables, s.state, place), "bold") if self.march is None else self._march_line(place)
        # one line, whatever it says: the second one is the card's
        room = self.size.width - 2 - (0 if self.has_class("small") else self.side.columns)
        text = cut(text, max(20, room - len(note)))
        text.append(note, look.key)
        text.append("\n")
        here = place_card(s, look, place)
        here.truncate(room, overflow="ellipsis")
        text.append_text(here)
        self.card.show(look.signs(text))

    def _march_line(self, place: str) -> Text:
        """What the units in hand would do at a place."""
        s, march = self.session, self.march
        assert march is not None
        text = Text(f"move {' '.join(march.units)} from {place_name(s.tables, march.start)}", "bold")
        if place == march.start:
            text.append(": walk to one of the lit places (▸ and its steps), Enter goes there", "not bold")
        elif place in march.reach:
            steps = march.steps(place)
            way = f", {steps} step{'s' if steps > 1 else ''}" if steps else ", by sea"
            text.append(f": can go here{way}; Enter goes")
        else:
            text = Text(f"{' '.join(march.units)}: ", "bold").append(march.why_not(s, place), self.look.alarm)
        return text

    def draw_lines(self) -> None:
        """Show the line above the keys, which tells of the past or of what now, and the keys that work."""
        s, look, width = self.session, self.look, self.app.size.width
        past = s.at is not None
        line = self.query_one("#hint", Panel)
        line.display = past or self.has_class("small")
        if self._pane_for_map:
            line.show(look.signs(pane_hint(look, self.app.key_of)))
        elif line.display:
            line.show(look.signs(scrubber(s, look, width) if past else hint(s, look, self.app.key_of)))
        self.keys.show(look.signs(key_line(s, look, width, self.march is not None, self.app.key_of)))

    def words(self) -> str:
        """What the screen says beside the map, to be copied."""
        texts = [self.query_one("#top", Panel).text, self.card.text, self.side.now.text, self.side.page.text]
        return "\n".join(text.plain.rstrip() for text in (*texts, *([self.deck.text] if self.cards else ())))

    def watch_question(self) -> None:
        """Another question is asked of the map."""
        self.draw()

    def watch_march(self) -> None:
        """Units are taken in hand, or have gone."""
        self.draw()

    def watch_cards(self) -> None:
        """The cards have taken the place of the map, or the map has it back."""
        if self.cards and self.map.cursor not in self.session.tables.areas:
            self.map.cursor = nearest(self.map.cursor, self.session.tables.areas)
        self.draw()
        if self.cards:
            self.deck.bring_into_sight(self.session, self.map.cursor)
        self.set_focus(None if self.cards else self.map)

    def _cursor_moved(self) -> None:
        """The cursor stands on another place."""
        self.draw_map()
        self.draw_card()

    # --- the place of a seat --------------------------------------------------------------------------------------

    def place_now(self) -> Place:
        """How the screen is left."""
        side, line = self.has_class("-side"), self.line
        here, zoom = self.map.cursor, self.map.zoom
        return Place(here, zoom, self.cards, self.question, self.side.pane, side, self.marked, tuple(line.given))

    def first_place(self) -> Place:
        """How a seat finds the screen that sits down for the first time: as the settings say, the cursor at home."""
        settings = self.app.settings
        cards, zoom = settings.zoom == "cards", "theatre" if settings.zoom == "theatre" else "world"
        return Place(HOME + self.session.seat, zoom, cards, 0, settings.pane, False, 1)

    def take_place(self, place: Place) -> None:
        """Put everything as a seat has left it; what was being typed or moved is the last one's."""
        self._open_line(False)
        self.march = None
        self.line.given = list(place.given)
        self.marked, self.question, self.side.pane = place.marked, place.question, place.pane
        self.set_class(place.aside, "-side")
        self.map.zoom, self.map.cursor = place.zoom, place.cursor
        self.cards = place.cards

    # --- what now -------------------------------------------------------------------------------------------------

    def topics(self) -> tuple[str, ...]:
        """Pages of the help: first that of the part that has focus, then the others."""
        here = self._part()
        return (here, *(part for part in PARTS if part != here))

    def _part(self) -> str:
        """The part of the screen that has focus: a line, a move, a pane in front, the past, the cards, else the map."""
        if self.focused is self.line:
            return self.line.asks
        if self.march is not None:
            return "move"
        if self.has_class("small") and self.has_class("-side"):
            return self.side.pane
        if self.session.at is not None:
            return "history"
        return "cards" if self.cards else "map"

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """In a line for words every key is a letter."""
        return action in ("back", "card") or not isinstance(self.focused, Input)

    def on_key(self, event: Key) -> None:
        """Any key puts the dice away; those that go on or back do no more, all others do what they always do."""
        if self.dice.close() and event.key in self.CLOSING:
            event.stop()

    # --- what is shown --------------------------------------------------------------------------------------------

    def action_pane(self, name: str) -> None:
        """Show a pane; on a small screen it takes the place of the map."""
        if name == "cards":
            self.remove_class("-side")
            self.cards = not self.cards
        elif name == "now":
            self.toggle_class("-side")
        else:
            again = self.side.pane == name and self.has_class("-side")
            self.side.pane = name
            if self.has_class("small"):
                self.set_class(not again, "-side")
        # at once, and not when the next frame finds the map hidden: the next key is for whoever has focus then
        self.set_focus(None if self._pane_for_map else self.map)
        self.draw_lines()
        self.dice.put_away()

    def action_next_pane(self) -> None:
        """The next pane."""
        names = [pane.name for pane in SIDE]
        self.action_pane(names[(names.index(self.side.pane) + 1) % len(names)])

    def action_zoom(self) -> None:
        """World, theatre, cards."""
        if self._back_to_map():
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
        """Show one question on the map."""
        self.question = (self.question + 1) % len(FILTERS)

    def action_filters(self) -> None:
        """Choose the question from a list."""

        def done(number: int | None) -> None:
            if number is not None:
                self.question = number

        self.app.push_screen(PickScreen("Show on the map", FILTERS, self.question), done)

    def action_go_home(self) -> None:
        """The cursor goes to the Home Country of the Power at the keyboard."""
        self._back_to_map()
        self.map.cursor = HOME + self.session.power

    def action_card(self, step: int) -> None:
        """The card above or below; in the line for orders an earlier order."""
        if self.focused is self.line:
            self.line.recall(step)
        elif self._pane_for_map:
            self.side.page.scroll_relative(y=step, animate=False)
        elif self.cards:
            self._show_card(self.deck.beside(self.session, self.map.cursor, rows=step))

    def action_region(self, step: int) -> None:
        """The card beside; beyond the last one the next region begins."""
        if not self._back_to_map() and self.cards:
            self._show_card(self.deck.beside(self.session, self.map.cursor, step=step))

    def action_mouse_card(self, area: str) -> None:
        """A card was clicked; a second click asks what can be done there."""
        if area == self.map.cursor:
            self.action_menu()
        else:
            self._show_card(area)

    def _show_card(self, area: str) -> None:
        self.map.cursor = area
        self.deck.bring_into_sight(self.session, area)

    # --- the line for words ---------------------------------------------------------------------------------------

    def action_command(self) -> None:
        """Open the line for orders."""
        self.line.ask_order(self.session)
        self._open_line(True)

    def action_find(self) -> None:
        """Open the line for finding a place."""
        self.line.ask_place(self.session)
        self._open_line(True)

    def action_back(self) -> None:
        """Leave the line, or put the units down."""
        if self.line.display:
            self._open_line(False)
        elif not self._back_to_map():
            self.march = None
        self.greeting.display = False
        self.dice.put_away()

    @property
    def _pane_for_map(self) -> bool:
        """Whether a pane has the place of the map, as it may on a small screen."""
        return self.has_class("small") and self.has_class("-side")

    def _back_to_map(self) -> bool:
        """On a small screen, give the map its place back from a pane; whether one had it."""
        if not self._pane_for_map:
            return False
        self.remove_class("-side")
        self.set_focus(self.map)
        self.draw_lines()
        return True

    def _open_line(self, shown: bool) -> None:
        """The line for words takes the place of the keys; nothing else on the screen moves."""
        self.line.display, self.keys.display = shown, not shown
        if not shown:
            self.query_one(GuessList).display = False
        self.set_focus(self.line if shown else self.map)

    @on(OrderLine.Guessed)
    def _guessed(self, event: OrderLine.Guessed) -> None:
        """The list over the line."""
        event.stop()
        if self.line.display:
            self.query_one(GuessList).tell(event.guesses, event.at, self.look)

    @on(OrderLine.Entered)
    def _entered(self, event: OrderLine.Entered) -> None:
        """Enter in the line: find the place, or give the order."""
        self._open_line(False)
        text = event.text
        try:
            if not text:
                self.dice.put_away()
            elif event.asks == PLACE:
                self.map.cursor = self._found(text)
            elif text == "undo":
                self.action_undo()
            elif text == "redo":
                self.action_redo()
            elif text.startswith(f"{SEAT} "):
                self._sit(index(self.session.tables).powers.find(text.removeprefix(f"{SEAT} ")))
            else:
                self.act(in_notation(self.session, text))
        except Refusal as refusal:
            self.tell(refusal)

    def _found(self, text: str) -> str:
        """The place meant by a code, a name or a beginning; of several the first of the list. Raises: Refusal."""
        found = codes().get(text.upper(), "")
        return found or index(self.session.tables).places.find(self.line.best(text) or text)

    def _sit(self, seat: str) -> None:
        """Sit down at a seat that was named."""
        if seat in self.session.live.players:
            self.action_mouse_seat(seat)
        else:
            self.notify(f"{power_name(self.session.tables, seat)} has no seat in this game.", severity="warning")

    # --- other screens --------------------------------------------------------------------------------------------

    @on(ReadingScreen.IntoTheGame)
    def _into_the_game(self, event: ReadingScreen.IntoTheGame) -> None:
        """A link of the reference leads to a line of the log, begins an order, or answers a question."""
        event.stop()
        while self.app.screen is not self:
            self.app.pop_screen()
        if event.kind == LINE:
            self.session.look_at(int(event.what))
        elif event.kind == ORDER_LINK:
            self.session.look_at(None)
            self.line.ask_order(self.session, event.what)
            self._open_line(True)
        else:
            self.action_choose()

    def action_leave(self) -> None:
        """Back to the start screen; every act is already on the disk, and where it is not, that is said."""
        self.session.close()
        self.post_message(self.Left())
        if self.session.trouble:
            self.app.notify(f"{self.session.trouble}.", title="The log", severity="error", timeout=30)
