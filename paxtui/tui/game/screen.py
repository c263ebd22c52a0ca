"""The main screen: the map with everything around it. It owns the flow; the widgets know nothing of each other."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.events import Resize
from textual.widgets import Static

from paxtui.engine.refusal import Refusal
from paxtui.pax.board.tables import HOME
from paxtui.pax.words.spoken import place_name
from paxtui.table.authority import Table
from paxtui.table.session import Session
from paxtui.table.store import save_dir
from paxtui.table.tables import load_tables
from paxtui.tui.game import scene_of
from paxtui.tui.game.acting import Acting
from paxtui.tui.game.order_line import OrderLine
from paxtui.tui.game.panes import PANES, Panes
from paxtui.tui.game.time_travel import TimeTravel
from paxtui.tui.game.words import Words
from paxtui.tui.map.world_map import WorldMap
from paxtui.tui.panes.lines import key_line, top_line, window_title
from paxtui.tui.panes.log_list import log_text
from paxtui.tui.panes.region_cards import region_text
from paxtui.tui.panes.status_panes import hint, indexes, place_card, record, treaties, what_now
from paxtui.tui.panes.timeline import scrubber
from paxtui.tui.player.look import clickable, place_line
from paxtui.tui.reading.rules import RulesScreen
from paxtui.tui.swift.page import Page
from paxtui.tui.swift.warm import warm_up


class Board(WorldMap):
    """The map as this screen has it: the zoom goes on to the region cards, and the card follows in the same frame."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "activate", "what can I do here", id="map.activate", tooltip="What can be done here"),
    ]

    def action_activate(self) -> None:
        """What can I do here; in a move: go here."""
        if isinstance(self.screen, GameScreen):
            self.screen.action_menu()

    def watch_cursor(self, cursor: str) -> None:
        """The cursor stands elsewhere."""
        super().watch_cursor(cursor)
        if self.is_attached and isinstance(self.screen, GameScreen):
            self.screen.cursor_moved()

    def action_zoom(self) -> None:
        """World, theatre, cards."""
        if isinstance(self.screen, GameScreen):
            self.screen.action_zoom()


class GameScreen(Words, Acting, Panes, TimeTravel):
    """The game on the table."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "menu", "What can I do here", id="game.menu", tooltip="Everything that can be done here"),
        Binding("v", "move", "Move", id="game.move", tooltip="Move units from the place under the cursor"),
        Binding("space", "group", "Next group", id="game.group", tooltip="Another group of units to move"),
        Binding("escape", "back", "Back", id="game.back", tooltip="Leave move mode, or the line below"),
        Binding("c", "choose", "Choose", id="game.choose", tooltip="Answer a pending choice"),
        Binding("r", "ready", "Ready", id="game.ready", tooltip="Nothing more to do in this Phase"),
        Binding("R", "all_ready", "All ready", id="game.all_ready", tooltip="Every seat of this keyboard is ready"),
        Binding("colon", "command", "Command", id="game.command", tooltip="Give an order in words"),
        Binding("slash", "find", "Find", id="game.find", tooltip="Jump to a place by name or code"),
        Binding("s", "seat(1)", "Next seat", id="game.seat", tooltip="The next seat sits down"),
        Binding("S", "seat(-1)", "Previous seat", id="game.seat_back", tooltip="The previous seat sits down"),
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
        Binding("home", "history(-1000000)", "Beginning", id="game.first", tooltip="The start of the game"),
        Binding("end", "history(1000000)", "Present", id="game.last", tooltip="Return to the present"),
        # priority: the map has a z of its own, which knows no cards
        Binding("z", "zoom", "Zoom", id="game.zoom", tooltip="World, theatre, region cards", priority=True),
        Binding("f", "filter", "Filter", id="game.filter", tooltip="Show one question on the map"),
        Binding("t", "treaties", "Diplomacy", id="game.treaties", tooltip="Treaties, proposals and drafts to sign"),
        Binding("C", "congress", "Congress", id="game.congress", tooltip="The hall of the Congress, or call one"),
        Binding("d", "dispatches", "Dispatches", id="game.dispatches", tooltip="Read and write dispatches"),
        Binding("F", "filters", "Filters", id="game.filters", tooltip="Choose the question the map shows"),
        Binding("h", "go_home", "Home Country", id="game.home", tooltip="The cursor goes to your Home Country"),
        Binding("up", "card(-1)", "Card above", id="game.card_up", tooltip="The card above", show=False),
        Binding("down", "card(1)", "Card below", id="game.card_down", tooltip="The card below", show=False),
        Binding("left", "region(-1)", "Region back", id="game.region_back", tooltip="The region before", show=False),
        Binding("right", "region(1)", "Region on", id="game.region_on", tooltip="The next region", show=False),
        Binding("n", "next_task", "Next task", id="game.next_task", tooltip="The next place that wants something"),
        Binding("1", "pane('now')", "What now", id="game.pane1", tooltip="What now"),
        Binding("2", "pane('record')", "Record", id="game.pane2", tooltip="Administrative Record Sheet"),
        Binding("3", "pane('indexes')", "Indexes", id="game.pane3", tooltip="Tensions, Resentment, tracks"),
        Binding("4", "pane('treaties')", "Treaties", id="game.pane4", tooltip="Causes of war, offers, treaties"),
        Binding("5", "pane('log')", "Log", id="game.pane5", tooltip="What has happened"),
        Binding("6", "pane('cards')", "Cards", id="game.pane6", tooltip="The region as cards"),
        Binding("tab", "next_pane", "Next pane", id="game.next_pane", tooltip="The next pane of the side column"),
        Binding("question_mark", "why", "Rule", id="game.why", tooltip="The rule behind the last refusal"),
        Binding("e", "sheet", "Record Sheet", id="game.sheet", tooltip="The Record Sheet, every line explained"),
        Binding("f2", "rules", "Rules", id="game.rules", tooltip="Read and search the rules"),
        Binding("f3", "glossary", "Glossary", id="game.glossary", tooltip="The words and signs of the game"),
        Binding("q", "leave", "Leave", id="game.leave", tooltip="Back to the start screen; nothing is lost"),
    ]

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.pane = "record"
        self.cards = False
        self.recalled = 0
        self.show = 0
        self.refused: tuple[str, ...] = ()
        self.refusal: Refusal | None = None
        self.groups: list[tuple[str, ...]] = []
        self.group = 0
        self.move_from = ""
        self.reach: dict[str, int] = {}
        self.mode = ""
        self.history: list[str] = []
        self._shown: dict[str, Text] = {}
        self.player = None
        self.marked = 1

    def compose(self) -> ComposeResult:
        """Top line, map with its card, side column, command line, keys."""
        yield Static(id="top")
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield Board(id="map", palette=self.pax.palette)
                yield Page(id="cards")
                yield Static(id="card")
            with Vertical(id="side"):
                yield Static(id="now")
                yield Static(id="tabs")
                yield Page(id="pane")
        yield Static(id="hint")
        with Horizontal(id="bottom"):
            yield Static(id="keys")
            yield OrderLine(id="command", compact=True)
        yield Static(id="dice")

    def on_mount(self) -> None:
        """Put the cursor at home and draw everything."""
        for text in self.query(Static):
            # a click does something here and there, but the colours are the game's and nothing is underlined
            text.auto_links = False
        settings = self.pax.settings
        self.pane = settings.pane
        self.cards = settings.zoom == "cards"
        if settings.zoom == "theatre":
            self.map.zoom = "theatre"
        self.map.cursor = HOME + self.session.seat
        self.set_focus(self.map)
        self._resized(self.app.size.width, self.app.size.height)
        self.redraw()
        if self.session.notice:
            self.notify(self.session.notice, title="The log", severity="warning", timeout=15)
        if not self.app.is_headless:
            warm_up(self)

    def on_resize(self, event: Resize) -> None:
        """Another size, another composition."""
        self._resized(event.size.width, event.size.height)
        self.redraw()

    def _resized(self, width: int, height: int) -> None:
        self.set_class(width < 110, "small")
        self.set_class(width >= 190, "wide")

    # --- drawing ---

    def _put(self, selector: str, text: Text) -> None:
        """Show a text, if it is another than the one shown."""
        if self.pax.palette.ascii:
            text.plain = self.pax.palette.text(text.plain)  # sign for sign, so that the styles stay where they are
        if self._shown.get(selector) != text:
            self._shown[selector] = text
            shown = self.query_one(selector)
            if isinstance(shown, Page):
                shown.update(text)
            elif isinstance(shown, Static):
                # each has its height from the style sheet: another text moves nothing
                shown.update(text, layout=False)

    def restyle(self) -> None:
        """The settings have changed: other colours, other signs."""
        self._shown.clear()
        self.map.palette = self.pax.palette
        self.redraw()

    def words(self) -> str:
        """What the screen says beside the map, to be copied."""
        seen = ["#top", "#card", "#now", "#pane"] + ["#cards"] * self.cards
        return "\n".join(self._shown[name].plain.rstrip() for name in seen if name in self._shown)

    def redraw(self) -> None:
        """Everything that can have changed."""
        s, look = self.session, self.look
        self.put_dice_away()
        width = self.app.size.width
        self._put("#top", top_line(s, look, width))
        self.draw_map()
        self.draw_card()
        side = self._side_width()
        self._put("#now", what_now(s, look, side))
        tabs = Text(no_wrap=True)
        for key, name, title in PANES:
            press = f"screen.pane('{name}')"
            tabs.append(f" {key} ", clickable(look.key, press))
            tabs.append(title, clickable("reverse" if name == self.pane else "", press))
        self._put("#tabs", tabs)
        panes = {"record": record, "indexes": indexes, "treaties": treaties, "log": log_text}
        self._put("#pane", panes[self.pane](s, look, side))
        pane = self.query_one("#pane", Page)
        (pane.to_end if self.pane == "log" else pane.to_start)()
        past = s.at is not None
        self.query_one("#hint").display = past or self.has_class("small")
        self._put("#hint", scrubber(s, look, width) if past else hint(s, look))
        self._put("#keys", key_line(s, look, width, self.mode, self.pax.key_of))
        self.pax.window_title(window_title(s))

    def _side_width(self) -> int:
        width = self.app.size.width
        return (width if width < 110 else 52 if width >= 190 else 44) - 4

    def draw_map(self) -> None:
        s = self.session
        scene = scene_of.scene(s.tables, s.state, self.map.cursor, s.power, scene_of.FILTERS[self.show])
        if self.mode == "move":
            steps = {p: (str(n) if n else "~") for p, n in self.reach.items()}
            scene = replace(scene, lit=frozenset(self.reach) | {self.move_from}, costs=steps)
        self.map.scene = scene
        cards = self.query_one("#cards")
        cards.display = self.cards
        self.map.display = not self.cards
        if self.cards:
            text = region_text(s, self.look, self.region_here(), self.map.cursor, self.cards_width())
            self._put("#cards", text)

    def draw_card(self) -> None:
        s = self.session
        place = self.map.cursor
        text = Text(place_line(s.tables, s.state, place), "bold", no_wrap=True, overflow="ellipsis")
        if self.mode == "move":
            units = " ".join(self.groups[self.group])
            how = "can go here" if place in self.reach else self.why_not(place)
            text = Text(f"move {units} from {place_name(s.tables, self.move_from)}: ", "bold")
            text.append(how, "bold" if place in self.reach else self.look.alarm)
        if self.show:
            text.append(f"   map shows only: {scene_of.FILTERS[self.show]} (f)", self.look.key)
        text.append("\n")
        text.append_text(place_card(s, self.look, place, self.app.size.width))
        self._put("#card", text)

    def action_why(self) -> None:
        """The last refusal in full; without one, the rules of what can be done under the cursor."""
        words = " ".join(self.refused if self.refusal else self.rules_here())
        self.app.push_screen(RulesScreen(words, self.refusal))

    def action_sheet(self) -> None:
        """The Record Sheet with its arithmetic."""
        from paxtui.tui.reading.record import RecordScreen

        self.app.push_screen(RecordScreen(self.session, self.look))

    def action_rules(self) -> None:
        """The rule reference."""
        self.app.push_screen(RulesScreen())

    def action_glossary(self) -> None:
        """The words of the game."""
        from paxtui.tui.reading.glossary import GlossaryScreen

        self.app.push_screen(GlossaryScreen())

    def action_leave(self) -> None:
        """Back to the start screen; every act is already on the disk, and where it is not, that is said."""
        self.session.close()
        from paxtui.tui.front.start import StartScreen

        self.app.switch_screen(StartScreen())
        if self.session.trouble:
            self.app.notify(f"{self.session.trouble}.", title="The log", severity="error", timeout=30)


def open_game(path: Path) -> GameScreen:
    """The screen of a saved game.

    Raises: BrokenLog, Locked, Refusal, OSError, each with a message for the player.
    """
    return GameScreen(Session(Table.open(path)))


def new_game(powers: Sequence[str], seed: str, options: dict[str, str], tables_dir: Path | None = None) -> GameScreen:
    """The screen of a new game, saved in the player's directory from its first line on.

    Raises: Refusal, OSError.
    """
    tables = load_tables(tables_dir)
    name = f"game-{secrets.token_hex(3)}"
    path = save_dir() / f"{name}.jsonl"
    seed = seed or secrets.token_hex(8)
    table = Table.new(tables, powers, seed, options, path=path, undo="free", tables_dir=tables_dir)
    return GameScreen(Session(table))
