"""The game screen and its key bindings. It controls the flow; its widgets do not know each other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, Literal

from rich.text import Text
from textual import on
from textual.binding import Binding, BindingType
from textual.events import Key
from textual.message import Message
from textual.widgets import Input

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.board.tables import HOME
from paxtui.games.pax.text.display import place_name, power_name
from paxtui.games.pax.text.parsing import name_index
from paxtui.session.order_planning import GARRISON_ALL
from paxtui.session.place_menu import home_port_choices, preview_order_text
from paxtui.tui.base.dialogs import PickDialog
from paxtui.tui.formatting.reports import effect_sentences
from paxtui.tui.game.handover import SeatScreenState
from paxtui.tui.game.layout import LayoutControls
from paxtui.tui.panes.registry import PANES, pane_tabs
from paxtui.tui.reference_screens.reference import LINE, ReferenceScreen
from paxtui.tui.reference_screens.reference import ORDER as ORDER_LINK
from paxtui.tui.widgets.map_scene import FILTERS, answerable_filters
from paxtui.tui.widgets.order_line import (
    DICE_WORD,
    ORDER,
    PLACE,
    SEAT_WORD,
    CompletionList,
    OrderLine,
    places_by_code,
    split_order,
    to_notation,
)

GAME_KEYS: list[BindingType] = [
    Binding("enter", "menu", "What can I do here", id="game.menu", tooltip="Everything that can be done here"),
    Binding("v", "move", "Move", id="game.move", tooltip="Move units from the place under the cursor"),
    Binding("V", "reinforce", "Bring units", id="game.reinforce", tooltip="Bring units to the place under the cursor"),
    Binding("space", "group", "Next group", id="game.group", tooltip="Another group of units to move"),
    Binding("escape", "back", "Back", id="game.back", tooltip="Leave move mode, or the line below"),
    Binding("c", "choose", "Choose", id="game.choose", tooltip="Answer a pending choice"),
    Binding("r", "ready", "Ready", id="game.ready", tooltip="Nothing more to do in this Phase"),
    Binding("R", "all_ready", "All ready", id="game.all_ready", tooltip="Every seat of this keyboard is ready"),
    Binding("colon", "command", "Command", id="game.command", tooltip="Give an order in words"),
    Binding("slash", "find", "Find", id="game.find", tooltip="Jump to a place by name or code"),
    Binding("s", "seat(1)", "Next seat", id="game.seat", tooltip="The next seat sits down"),
    Binding("S", "seat(-1)", "Previous seat", id="game.seat_back", tooltip="The previous seat sits down"),
    Binding("W", "sitters", "Who sits where", id="game.sitters", tooltip="Persons, bots and empty seats"),
    Binding("a", "other_power", "Other Power", id="game.power", tooltip="The other Power of this seat"),
    Binding("u", "undo", "Undo", id="game.undo", tooltip="Take back the last act"),
    Binding("ctrl+r", "redo", "Redo", id="game.redo", tooltip="Bring back what was undone"),
    Binding("U", "undo_here", "Undo to here", id="game.undo_here", tooltip="Take the game back to this line"),
    Binding("left_square_bracket", "history(-1)", "One line back", id="game.past", tooltip="The line before"),
    Binding("right_square_bracket", "history(1)", "One line on", id="game.later", tooltip="The line after"),
    Binding("left_curly_bracket", "turn(-1)", "Turn back", id="game.turn_back", tooltip="One Game Turn back"),
    Binding("right_curly_bracket", "turn(1)", "Turn on", id="game.turn_on", tooltip="One Game Turn on"),
    Binding("l", "log", "Whole log", id="game.log", tooltip="The whole log: choose a moment to look at"),
    Binding("p", "play", "Play", id="game.play", tooltip="Play the log from here on; once more stops"),
    Binding("m", "mark", "Mark", id="game.mark", tooltip="Remember this moment, to compare another with it"),
    Binding("equals_sign", "compare", "Compare", id="game.compare", tooltip="Compare with the moment marked"),
    Binding("w", "since", "Meanwhile", id="game.since", tooltip="What has happened since you last sat here"),
    Binding("g", "advice", "What would you do?", id="game.advice", tooltip="What a statesman would do in your place"),
    Binding("G", "garrison_all", "Garrison all", id="game.garrison_all", tooltip="Buy and send missing garrisons"),
    Binding("B", "purchases", "What money buys", id="game.purchases", tooltip="What your money can buy, best first"),
    Binding("b", "hurry", "Hurry the rivals", id="game.hurry", tooltip="No more pauses while the rivals move"),
    Binding("o", "look(1)", "What a rival did", id="game.look_back", tooltip="Where a rival acted; the last act first"),
    Binding("O", "look(-1)", "Rivals, later act", id="game.look_on", tooltip="Where a rival acted after that"),
    Binding("home", "history(-1000000)", "Beginning", id="game.first", tooltip="The start of the game"),
    Binding("end", "history(1000000)", "Present", id="game.last", tooltip="Return to the present"),
    # priority: the map binds z itself, but without cards
    Binding("z", "zoom", "Zoom", id="game.zoom", tooltip="World, theatre, region cards", priority=True),
    Binding("f", "filter", "Filter", id="game.filter", tooltip="Show one question on the map"),
    Binding("t", "treaties", "Diplomacy", id="game.treaties", tooltip="Treaties, proposals and drafts to sign"),
    Binding("P", "peace", "Peace", id="game.peace", tooltip="End a War: propose a peace, or answer one"),
    Binding("C", "congress", "Congress", id="game.congress", tooltip="The hall of the Congress, or call one"),
    Binding("d", "dispatches", "Dispatches", id="game.dispatches", tooltip="Read and write dispatches"),
    Binding("T", "talk", "Table talk", id="game.talk", tooltip="What is said at a table that is kept for several"),
    Binding("F", "filters", "Filters", id="game.filters", tooltip="Choose the question the map shows"),
    Binding("h", "go_home", "Home Country", id="game.home", tooltip="The cursor goes to your Home Country"),
    Binding("up", "card(-1)", "Card above", id="game.card_up", tooltip="The card above", show=False),
    Binding("down", "card(1)", "Card below", id="game.card_down", tooltip="The card below", show=False),
    Binding("pageup", "leaf(-1)", "Pane up", id="game.pane_up", tooltip="The pane, one page back", show=False),
    Binding("pagedown", "leaf(1)", "Pane down", id="game.pane_down", tooltip="The pane, one page on", show=False),
    Binding("left", "region(-1)", "Region back", id="game.region_back", tooltip="The region before", show=False),
    Binding("right", "region(1)", "Region on", id="game.region_on", tooltip="The next region", show=False),
    Binding("n", "next_task", "Next task", id="game.next_task", tooltip="The next place that wants something"),
    *(
        Binding(pane.key, f"pane('{pane.name}')", pane.title, id=f"game.pane{pane.key}", tooltip=pane.help)
        for pane in PANES
    ),
    Binding("tab", "next_pane", "Next pane", id="game.next_pane", tooltip="The next pane of the side column"),
    Binding("question_mark", "why", "Rule", id="game.why", tooltip="The rule behind the last refusal"),
    Binding("e", "sheet", "Record Sheet", id="game.sheet", tooltip="The Record Sheet, every line explained"),
    Binding("i", "statistics", "Statistics", id="game.statistics", tooltip="The course of the game in charts"),
    Binding("f2", "rules", "Rules", id="game.rules", tooltip="Read and search the rules"),
    Binding("f3", "glossary", "Glossary", id="game.glossary", tooltip="The words and signs of the game"),
    Binding("H", "host", "Host this game", id="game.host", tooltip="Open the game for friends, who come with ssh"),
    Binding("q", "leave", "Leave", id="game.leave", tooltip="Back to the start screen; nothing is lost"),
]


HELP_PARTS = ("map", *(pane.name for pane in PANES), "move", "history", ORDER, PLACE)
"""Help pages about parts of the screen, in page order."""


class GameScreen(LayoutControls):
    """The game."""

    BINDINGS: ClassVar[list[BindingType]] = GAME_KEYS

    CLOSING: ClassVar[tuple[str, ...]] = ("enter", "escape", "space")
    """Keys that only close the dice panel while it is open."""

    class Left(Message):
        """Posted when the player leaves the game. `then`: the next screen; `path`: its log."""

        def __init__(
            self, then: Literal["", "new", "tutorial", "war", "host"] = "", path: Path | None = None
        ) -> None:
            super().__init__()
            self.then, self.path = then, path

    # --- screen state of a seat -----------------------------------------------------------------------------------

    def capture_screen_state(self) -> SeatScreenState:
        """Return the current screen state."""
        side, line = self.has_class("-side"), self.line
        here, zoom = self.map.cursor, self.map.zoom
        return SeatScreenState(
            here, zoom, self.cards, self.question, self.side.pane, side, self.marked, tuple(line.given)
        )

    def initial_screen_state(self) -> SeatScreenState:
        """Return the screen state of a seat's first turn: from the settings, cursor at home."""
        settings = self.app.settings
        cards, zoom = settings.zoom == "cards", "theatre" if settings.zoom == "theatre" else "world"
        return SeatScreenState(HOME + self.session.seat, zoom, cards, 0, settings.pane, False, 1)

    def restore_screen_state(self, place: SeatScreenState) -> None:
        """Restore a seat's screen state; discard input and selected units of the previous seat."""
        self._open_line(False)
        self.march = None
        self.line.given = list(place.given)
        self.marked, self.question, self.side.pane = place.marked, place.question, place.pane
        self.set_class(place.aside, "-side")
        self.map.zoom, self.map.cursor = place.zoom, place.cursor
        self.cards = place.cards
        self.follow_war()

    # --- help and keys --------------------------------------------------------------------------------------------

    def topics(self) -> tuple[str, ...]:
        """Return the help pages, first that of the focused part."""
        here = self._part()
        return (here, *(part for part in HELP_PARTS if part != here))

    def _part(self) -> str:
        """Return the focused part: order line, move, front pane, history, cards, or map."""
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
        """Disable actions while text is typed."""
        return action in ("back", "card") or not isinstance(self.focused, Input)

    def on_key(self, event: Key) -> None:
        """Close the dice panel; keys in `CLOSING` do nothing else."""
        if self.dice.close() and event.key in self.CLOSING:
            event.stop()

    # --- what is shown --------------------------------------------------------------------------------------------

    def action_pane(self, name: str) -> None:
        """Show a pane; on a small screen it replaces the map."""
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
        # at once, not when the next frame hides the map: the next key goes to the focused widget
        self.set_focus(None if self.pane_for_map else self.map)
        self.draw_lines()
        self.dice.put_away()

    def action_next_pane(self) -> None:
        """Show the next pane."""
        names = [pane.name for pane in pane_tabs(self.session, self.side.pane)]
        self.action_pane(names[(names.index(self.side.pane) + 1) % len(names)])

    def action_zoom(self) -> None:
        """Switch between world, theatre and cards."""
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
        """Show a map filter."""
        open_ = answerable_filters(self.session.state)
        self.question = next((n for n in open_ if n > self.question), 0)

    def action_filters(self) -> None:
        """Choose the map filter from a list."""

        def done(number: int | None) -> None:
            if number is not None:
                self.question = open_[number]

        open_ = answerable_filters(self.session.state)
        now = open_.index(self.question) if self.question in open_ else 0
        self.app.push_screen(PickDialog("Show on the map", [FILTERS[n] for n in open_], now), done)

    def action_go_home(self) -> None:
        """Move the cursor to the Home Country of the current Power."""
        self._back_to_map()
        self.map.cursor = HOME + self.session.power

    def action_card(self, step: int) -> None:
        """Move to the card above or below; in the order line, recall an order."""
        if self.focused is self.line:
            self.line.recall(step)
        elif self.pane_for_map:
            self.side.page.scroll_relative(y=step, animate=False)
        elif self.cards:
            self._show_card(self.deck.beside(self.session, self.map.cursor, rows=step))

    def action_leaf(self, step: int) -> None:
        """Scroll the pane by a page; nothing if the map fills a small screen."""
        if self.pane_for_map or not self.has_class("small"):
            page = self.side.page
            page.scroll_relative(y=step * max(1, page.size.height - 2), animate=False)

    def action_region(self, step: int) -> None:
        """Move to the card beside; after the last one, to the next region."""
        if not self._back_to_map() and self.cards:
            self._show_card(self.deck.beside(self.session, self.map.cursor, step=step))

    def action_mouse_card(self, area: str) -> None:
        """Select a clicked card; a second click opens its menu."""
        if area == self.map.cursor:
            self.action_menu()
        else:
            self._show_card(area)

    def action_mouse_place(self, place: str) -> None:
        """Move the cursor to a clicked place name."""
        self.go_to(place)

    def _show_card(self, area: str) -> None:
        self.map.cursor = area
        self.deck.bring_into_sight(self.session, area)

    # --- order line -----------------------------------------------------------------------------------------------

    def action_command(self) -> None:
        """Open the order line."""
        self.line.ask_order(self.session)
        self._open_line(True)

    def action_find(self) -> None:
        """Open the line for finding a place."""
        self.line.ask_place(self.session)
        self._open_line(True)

    def action_back(self) -> None:
        """Close the line, or release the selected units."""
        if self.line.display:
            self._open_line(False)
        elif not self._back_to_map():
            self.march = None
        self.greeting.display = False
        self.dice.put_away()

    def _back_to_map(self) -> bool:
        """On a small screen, return from a pane to the map; return whether a pane was open."""
        if not self.pane_for_map:
            return False
        self.remove_class("-side")
        self.set_focus(self.map)
        self.draw_lines()
        return True

    def _open_line(self, shown: bool) -> None:
        """Replace the key hints by the order line; nothing else moves."""
        self.line.display, self.keys.display = shown, not shown
        if not shown:
            self.query_one(CompletionList).display = False
        self.set_focus(self.line if shown else self.map)

    @on(OrderLine.Guessed)
    def _guessed(self, event: OrderLine.Guessed) -> None:
        event.stop()
        if self.line.display:
            self.query_one(CompletionList).tell(event.guesses, event.at, self.look, self._brings(self.line.value))

    def _brings(self, text: str) -> Text:
        """Return the effect of the typed order or its refusal; empty while it is incomplete."""
        s, look = self.session, self.look
        if self.line.asks != ORDER or s.at is not None or " " not in text.strip() or text.startswith(f"{DICE_WORD} "):
            return Text()
        seen = preview_order_text(s, to_notation(s, split_order(text.strip())[-1]))
        if isinstance(seen, Refusal):
            return look.signs(Text(f"{seen.message} [{' '.join(seen.rules[:2])}]", look.alarm))
        return look.signs(effect_sentences(s, look, seen)) if seen else Text()

    @on(OrderLine.Entered)
    def _entered(self, event: OrderLine.Entered) -> None:
        """Find the place or execute the order. A refused order can be recalled and edited."""
        self._open_line(False)
        text, before = event.text, self.session.refusal
        try:
            if not text:
                self.dice.put_away()
            elif event.asks == PLACE:
                self.map.cursor = self._found(text)
            elif text == "undo":
                self.action_undo()
            elif text.casefold() == GARRISON_ALL:
                self.action_garrison_all()
            elif text == "redo":
                self.action_redo()
            elif text.startswith(f"{DICE_WORD} "):
                self.session.choose_word(text.removeprefix(f"{DICE_WORD} "))
                self.notify("Your word for the dice is sealed; it is told when everybody has sealed one.", timeout=6)
            elif text.startswith(f"{SEAT_WORD} "):
                self._sit(name_index(self.session.tables).powers.find(text.removeprefix(f"{SEAT_WORD} ")))
            else:
                self._give_each([to_notation(self.session, one) for one in split_order(text)])
        except Refusal as refusal:
            self.tell(refusal)
        if event.asks == ORDER and self.session.refusal not in (None, before):
            self.line.remember(text)

    def _give_each(self, orders: Sequence[str]) -> None:
        """Execute orders until one is refused."""
        if len(orders) == 1:
            self._give(orders[0])
        elif orders:
            self.act(orders[0], then=lambda: self._give_each(orders[1:]))

    def _give(self, text: str) -> None:
        """Execute a typed order; ask for missing parts first."""
        orders = home_port_choices(self.session, text)
        if not orders:
            self.act(text)
            return

        def chosen(number: int | None) -> None:
            if number is not None:
                self.act(orders[number])

        names = [place_name(self.session.tables, order.box) for order in orders]
        fleets = " ".join(orders[0].units).upper()
        self.app.push_screen(PickDialog(f"In which home box does {fleets} stand?", names), chosen)

    def _found(self, text: str) -> str:
        """Return the place for a code, a name or a prefix; of several the first match. Raises: Refusal."""
        found = places_by_code().get(text.upper(), "")
        return found or name_index(self.session.tables).places.find(self.line.best(text) or text)

    def _sit(self, seat: str) -> None:
        if seat in self.session.live.players:
            self.action_mouse_seat(seat)
        else:
            self.notify(f"{power_name(self.session.tables, seat)} has no seat in this game.", severity="warning")

    # --- other screens --------------------------------------------------------------------------------------------

    @on(ReferenceScreen.IntoTheGame)
    def _into_the_game(self, event: ReferenceScreen.IntoTheGame) -> None:
        """Follow a link of the reference: to a log line, an order, or a pending choice."""
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

    def action_host(self) -> None:
        """Host the game for remote players over SSH."""
        path = self.session.about.file
        if path is None or self.session.reading:
            self.notify("Only a saved game of your own can be hosted.", severity="warning", timeout=6)
            return
        self.session.close()
        self.post_message(self.Left("host", path))

    def action_leave(self) -> None:
        """Return to the start screen. Everything is saved; if not, say so."""
        self.session.close()
        self.post_message(self.Left())
        if self.session.trouble:
            self.app.notify(f"{self.session.trouble}.", title="The log", severity="error", timeout=30)
