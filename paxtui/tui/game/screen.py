"""The game screen: it owns the controllers, binds the keys to their actions and routes events to them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar, Literal

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.events import Click, Key, Paste, Resize
from textual.message import Message
from textual.widgets import Input

from paxtui.session.reference import terms_in
from paxtui.session.session import Advance, Session, SessionChange
from paxtui.session.storage.files import describe_error
from paxtui.tui.base.keymap import bind
from paxtui.tui.base.playing import SessionScreen
from paxtui.tui.base.screen import prepare_dialogs
from paxtui.tui.game.bots import BotController
from paxtui.tui.game.controller import Controller
from paxtui.tui.game.history import HistoryController
from paxtui.tui.game.orders import OrderController
from paxtui.tui.game.other_screens import ScreenController
from paxtui.tui.game.review import ReviewController
from paxtui.tui.game.seats import SeatController
from paxtui.tui.game.view import ViewController
from paxtui.tui.map.world_map import WorldMap
from paxtui.tui.panes.registry import PANES
from paxtui.tui.reference_screens.reference import LINE, ReferenceScreen
from paxtui.tui.reference_screens.reference import ORDER as ORDER_LINK
from paxtui.tui.rendering.app import idle_tasks, run_when_idle
from paxtui.tui.rendering.key_queue import LONG_REST
from paxtui.tui.rendering.prepared_screens import ScreenRecipe
from paxtui.tui.widgets.order_line import ORDER, PLACE, OrderLine

GAME_KEYS: list[BindingType] = [
    bind("game.menu", "enter", "orders('menu')", "What can I do here", "List what you can do here"),
    bind("game.move", "v", "orders('move')", "Move", "Move units from the place under the cursor"),
    bind("game.reinforce", "V", "orders('reinforce')", "Send units here", "Send units to the place under the cursor"),
    bind("game.group", "space", "orders('group')", "Next group", "Next group of units to move"),
    bind("game.back", "escape", "view('back')", "Back", "Leave move mode or the order line"),
    bind("game.choose", "c", "orders('choose')", "Choose", "Answer a pending choice"),
    bind("game.ready", "r", "seats('ready')", "Ready", "Finish this Phase"),
    bind("game.all_ready", "R", "seats('all_ready')", "Stay ready", "Stay ready until something concerns you"),
    bind("game.command", "colon", "orders('command')", "Command", "Type an order"),
    bind("game.find", "slash", "orders('find')", "Find", "Jump to a place by name or code"),
    bind("game.seat", "s", "seats('next', 1)", "Next seat", "The next seat"),
    bind("game.seat_back", "S", "seats('next', -1)", "Previous seat", "The previous seat"),
    bind("game.sitters", "W", "seats('occupants')", "Seats", "Players, bots and empty seats"),
    bind("game.power", "a", "seats('power')", "Other Power", "Switch to the other Power of this seat"),
    bind("game.undo", "u", "history('undo')", "Undo", "Undo the last act"),
    bind("game.redo", "ctrl+r", "history('redo')", "Redo", "Redo the last undone act"),
    bind("game.undo_here", "U", "history('undo_here')", "Undo to here", "Undo to this line"),
    bind("game.past", "left_square_bracket", "history('step', -1)", "Previous line", "Previous line"),
    bind("game.later", "right_square_bracket", "history('step', 1)", "Next line", "Next line"),
    bind("game.turn_back", "left_curly_bracket", "history('turn', -1)", "Previous Game Turn", "Previous Game Turn"),
    bind("game.turn_on", "right_curly_bracket", "history('turn', 1)", "Next Game Turn", "Next Game Turn"),
    bind("game.log", "l", "history('log')", "Full log", "The log: choose a moment to look at"),
    bind("game.play", "p", "history('play')", "Play", "Play the log from here; press again to stop"),
    bind("game.mark", "m", "history('mark')", "Mark", "Mark this moment for comparison"),
    bind("game.compare", "equals_sign", "history('compare')", "Compare", "Compare with the marked moment"),
    bind(
        "game.since", "w", "seats('since')", "What happened", "What has happened since your last turn at the keyboard"
    ),
    bind("game.chronicle", "E", "seats('chronicle')", "Chronicle", "The game as a newspaper, a page for each turn"),
    bind("game.advice", "g", "orders('advice')", "What would you do?", "Ask a bot for advice"),
    bind("game.garrison_all", "G", "orders('garrison_all')", "Garrison all", "Buy and send missing garrisons"),
    bind("game.purchases", "B", "orders('purchases')", "What money can buy", "What your money can buy, best first"),
    bind("game.hurry", "b", "bots('hurry')", "Skip pauses", "Skip the pauses while bots move"),
    bind(
        "game.autoplay",
        "A",
        "bots('autoplay')",
        "Let bots play",
        "Bots play the rest; press again to take your seat back",
    ),
    bind(
        "game.look_back", "o", "bots('look', 1)", "Last act of a bot", "Go to where a bot acted, the latest act first"
    ),
    bind("game.look_on", "O", "bots('look', -1)", "Next act of a bot", "Go to the next act of a bot"),
    bind("game.rivals", "L", "bots('list')", "What rivals did", "The rivals' acts of this Game Turn, new ones first"),
    bind("game.first", "home", "history('step', -1000000)", "Start of the game", "The start of the game"),
    bind("game.last", "end", "history('step', 1000000)", "Present", "Return to the present"),
    # priority: the map binds z itself, but without cards
    bind(
        "game.zoom",
        "z",
        "view('zoom')",
        "Zoom",
        "World, theatre, region cards; the wheel scrolls, with ctrl it zooms",
        priority=True,
    ),
    bind("game.filter", "f", "view('filter')", "Filter", "Show one question on the map"),
    bind("game.treaties", "t", "screens('treaties')", "Diplomacy", "Treaties, proposals and drafts to sign"),
    bind("game.peace", "P", "screens('peace')", "Peace", "End a War: propose a peace, or answer one"),
    bind("game.congress", "C", "screens('congress')", "Congress", "Open the Congress, or call one"),
    bind("game.dispatches", "d", "screens('dispatches')", "Dispatches", "Read and write dispatches"),
    bind("game.ahead", "x", "screens('orders_ahead')", "Orders ahead", "Orders for later, with conditions"),
    bind("game.talk", "T", "screens('talk')", "Chat", "Chat with the other players"),
    bind("game.filters", "F", "view('filters')", "Filters", "Choose the question the map shows"),
    bind("game.home", "h", "view('home')", "Home Country", "Move the cursor to your Home Country"),
    bind("game.card_up", "up", "view('card', -1)", "Card above", "Card above", show=False),
    bind("game.card_down", "down", "view('card', 1)", "Card below", "Card below", show=False),
    bind("game.pane_up", "pageup", "view('page', -1)", "Pane up", "Previous page of the pane", show=False),
    bind("game.pane_down", "pagedown", "view('page', 1)", "Pane down", "Next page of the pane", show=False),
    bind("game.region_back", "left", "view('region', -1)", "Previous region", "Previous region", show=False),
    bind("game.region_on", "right", "view('region', 1)", "Next region", "Next region", show=False),
    bind("game.next_task", "n", "orders('next_task')", "Next task", "The next pending task"),
    *(bind(f"game.pane{pane.key}", pane.key, f"view('pane', '{pane.name}')", pane.title, pane.help) for pane in PANES),
    bind("game.next_pane", "tab", "view('next_pane')", "Next pane", "Next pane of the side column"),
    bind("game.why", "question_mark", "orders('why')", "Rule", "The rule behind the last refusal"),
    bind("game.sheet", "e", "screens('sheet')", "Record Sheet", "The Record Sheet, every line explained"),
    bind("game.statistics", "i", "screens('statistics')", "Statistics", "Charts of the game"),
    bind("game.share", "X", "screens('share')", "Share", "Share the game as a page"),
    bind("game.study", "y", "study", "Study", "Comments, marks and arrows of your own beside the log"),
    bind("game.review", "D", "review('open')", "What decided it", "Chances of winning, and turning points"),
    bind("game.rules", "f2", "screens('rules')", "Rules", "Read and search the rules"),
    bind("game.glossary", "f3", "screens('glossary')", "Glossary", "Terms and symbols of the game"),
    bind("game.host", "H", "host", "Host this game", "Host the game for other players over SSH"),
    bind("game.leave", "q", "leave", "Leave", "Back to the start screen; the game is saved"),
]


def _perform_of(controller: str) -> Callable[..., object]:
    """Return the action of the screen that performs the actions of a controller: `orders('menu')`."""

    def perform(screen: GameScreen, action: str, *arguments: object) -> object:
        return screen.perform(getattr(screen, controller), action, arguments)

    return perform


HELP_PARTS = ("map", *(pane.name for pane in PANES), "move", "history", ORDER, PLACE)
"""Help pages about parts of the screen, in page order."""
LATER_SCREENS = (
    "paxtui.tui.diplomacy.treaties",
    "paxtui.tui.diplomacy.messages",
    "paxtui.tui.reference_screens.help",
    "paxtui.tui.start_screens.settings",
    "plotext",
    "paxtui.tui.reference_screens.statistics",
)
"""Modules that a client at a terminal of its own imports while it is idle, so that no key waits for them."""
LATEST_SCREENS = (
    "importlib.metadata",
    "email.message",
    "paxtui.bots.pax.treaty_ideas",
    "paxtui.tui.diplomacy.congress",
    "paxtui.mail.fair_dice",
    "paxtui.mail.gamemaster",
    "paxtui.tui.mail.gamemaster",
    "paxtui.studies.review_job",
    "paxtui.archive.index",
    "paxtui.tui.study.screen",
    "paxtui.tui.start_screens.archive",
    "paxtui.tui.start_screens.new_game",
    "paxtui.tui.tutorial.screen",
    "paxtui.tui.bindings",
)
"""Modules with keys, for the list of all keys, in steps that no player notices. Clients of a server do without them."""
DISK_WAIT_S = 0.05
"""Seconds for which the screen blocks for a save; a longer one continues in the background."""


class GameScreen(SessionScreen[None]):
    """The game.

    Args: the open game.

    Attributes:
        view: map, panes, filters and drawing.
        history: undo, redo, the moment shown, playback.
        bots: the moves of the bots.
        review: what decided the game.
        seats: who acts, who is ready, handover and reports.
        screens: opens other screens.
        orders: menus, moves, answers and the order line.
        prepares_screens: whether screens are built while the player rests.
        plays_first_steps: whether automatic steps are played when the game opens.
    """

    BINDINGS: ClassVar[list[BindingType]] = GAME_KEYS
    CLOSING: ClassVar[tuple[str, ...]] = ("enter", "escape", "space")
    """Keys that only close the dice panel while it is open."""
    SHOWS_REPORTS: ClassVar[bool] = True
    """Whether report pages open automatically."""

    class Left(Message):
        """Posted when the player leaves the game. `then`: the next screen; `path`: its log."""

        def __init__(self, then: Literal["", "new", "tutorial", "war", "host"] = "", path: Path | None = None) -> None:
            super().__init__()
            self.then, self.path = then, path

    class Studied(Message):
        """The reader wants a study of the log. Attributes: its path; the line, in the full log; the viewpoint."""

        def __init__(self, path: Path, place: int, viewpoint: str) -> None:
            super().__init__()
            self.path, self.place, self.viewpoint = path, place, viewpoint

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.plays_first_steps = False
        self.prepares_screens = False
        self._prepared_view: object = None
        self._view_steps: Iterator[str] = iter(())
        self.view = ViewController(self, lambda: self.bots.activity_line(), self.drawn)
        self.history = HistoryController(self, lambda: self.view.map.cursor, self.line_played)
        self.bots = BotController(self, self.view, self._open)
        self.review = ReviewController(self)
        self.seats = SeatController(self, self.view, self.bots, self.review, self.SHOWS_REPORTS)
        self.screens = ScreenController(self)
        self.orders = OrderController(self, self.view, self.seats, self.history, self.screens)

    def compose(self) -> ComposeResult:
        return self.view.compose()

    def on_mount(self) -> None:
        """Draw everything and run pending bot moves."""
        if self.app.leisurely:
            self.session.file.limit_wait(DISK_WAIT_S)
        self.view.open()
        if self.session.file.notice:
            self.notify(self.session.file.notice, title="The log", severity="warning", timeout=15)
        if not self.app.is_headless:
            run_when_idle(self, idle_tasks(self, self._prepare()))
        self.bots.open()

    def on_unmount(self) -> None:
        super().on_unmount()
        self.review.end()

    def _prepare(self) -> Iterator[str]:
        """Prepare what the first keys need, in steps: dialogs, log, glossary, and modules of later screens."""
        yield from prepare_dialogs(self)
        self.session.view.log()
        yield "log"
        terms_in("")
        yield "glossary"
        for module in LATER_SCREENS if self.app.leisurely else ():
            yield import_module(module).__name__
        if self.app.leisurely and self.session.log_path is not None:
            for module in LATEST_SCREENS:
                yield import_module(module).__name__
            self.prepares_screens = True
            self.app.keyboard.rest_again()

    def work_at_rest(self) -> Iterator[str]:
        """Build the menu, the panes and the screens that the next key may open."""
        if not self.prepares_screens:
            return
        menu = self.orders.menu_recipe()
        yield from self.app.prepared.prepare([menu] if menu is not None else ())
        shown = self.moment, self.app.settings, self.app.size, self.view.filter, self.view.map.zoom, self.view.cards
        if shown != self._prepared_view:
            self._prepared_view, self._view_steps = shown, self.view.prepare()
        while step := next(self._view_steps, ""):  # `yield from` would end them when a key interrupts this
            yield step
        yield LONG_REST
        yield from self.app.prepared.prepare(self.next_screens())

    def next_screens(self) -> Iterator[ScreenRecipe[Any]]:
        """Return the screens that are prepared after the menu, those first that players open most."""
        yield self.screens.treaties_recipe()
        yield self.history.log_recipe()
        yield from self.screens.reference_recipes()
        yield self.view.filters_recipe()
        yield self.screens.dispatches_recipe()
        yield self.seats.occupants_recipe()
        if self.session.live.phase == "movement":
            yield self.orders.purchases_recipe()
        yield from self.app.recipes()

    def _open(self) -> None:
        """Show the pending reports; play automatic steps if only local players are involved."""
        self.seats.open()
        if self.plays_first_steps and not self.session.waiting():
            # after the screen is complete, so that it receives the changes
            self.call_after_refresh(self.carry_out, Advance())

    # --- hooks of the tutorial and of replays ---------------------------------------------------------------------

    def drawn(self) -> None:
        """Handle a redraw or an opened pane."""

    def line_played(self) -> None:
        """Handle a line of the playback."""

    def perform(self, controller: Controller, action: str, arguments: tuple[object, ...]) -> object:
        return getattr(controller, f"action_{action}")(*arguments)

    # --- actions --------------------------------------------------------------------------------------------------

    action_orders = _perform_of("orders")
    action_seats = _perform_of("seats")
    action_bots = _perform_of("bots")
    action_history = _perform_of("history")
    action_view = _perform_of("view")
    action_screens = _perform_of("screens")
    action_review = _perform_of("review")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable actions while text is typed."""
        return (action == "view" and parameters[0] in ("back", "card")) or not isinstance(self.focused, Input)

    def action_host(self) -> None:
        """Host the game for remote players over SSH."""
        path = self.session.file.path
        if path is None or self.session.read_only_label:
            self.notify("Only a saved game of your own can be hosted.", severity="warning", timeout=6)
            return
        self.session.close()
        self.post_message(self.Left("host", path))

    def action_study(self) -> None:
        """Open a study of the game at the moment shown; leaving it returns here."""
        view = self.session.view
        try:
            log = self.session.log_to_study()
        except OSError as error:
            self.notify(f"{describe_error(error)}.", title="No study", severity="error", timeout=10)
            return
        if log is None:
            self.notify("Only the players of a game that is saved can study it before its end.", timeout=6)
        else:
            self.post_message(self.Studied(log, view.place_of(self.session.line), view.viewpoint))

    def action_leave(self) -> None:
        """Return to the start screen. Everything is saved; if not, say so."""
        self.session.close()
        self.post_message(self.Left())
        if self.session.trouble:
            self.app.notify(f"{self.session.trouble}.", title="The log", severity="error", timeout=30)

    # --- events ---------------------------------------------------------------------------------------------------

    def session_changed(self, change: SessionChange) -> None:
        """Redraw once after a change and everything that it triggers."""
        view, bots, seats = self.view, self.bots, self.seats
        view.release_outdated_march()
        bots.watch_saving()
        if change.order and change.refusal is None:
            view.line.remember(change.order)
            view.hide_greeting()
        seat, were_bots_running = seats.shown_seat, bots.is_running
        seats.session_changed(change)
        self.orders.session_changed(change)
        self.screens.report_orders_ahead()
        if seat == seats.shown_seat == self.session.seat:  # a new seat sees it after its screen state is restored
            view.follow_war()
        if change.refusal is None and (bots.shows_each_move or not were_bots_running or not change.more):
            view.draw_soon()

    def on_resize(self, event: Resize) -> None:
        self.view.resize(event.size.width, event.size.height)
        self.view.draw()

    def restyle(self) -> None:
        self.view.restyle()

    def on_key(self, event: Key) -> None:
        """Close the dice panel; keys in `CLOSING` do nothing else."""
        if self.view.dice.close() and event.key in self.CLOSING:
            self.seats.expect_key()
            event.stop()

    def on_click(self, event: Click) -> None:
        if event.widget is self.view.hint:
            self.history.click_timeline(event.x)

    def holds(self, event: Key | Paste) -> bool:
        """Return whether a key waits for the answer of a server, for bots or for a slow save."""
        return self.awaits_answer(event) or self.bots.holds(event)

    def handles_immediately(self, event: Key | Paste) -> bool:
        """Handle the keys that hurry the bots before all others."""
        return self.bots.handles_immediately(event)

    def cancels_wait(self, event: Key | Paste) -> bool:
        return self.orders.adviser.cancels_wait(event)

    @on(WorldMap.Activated)
    def _map_activated(self, event: WorldMap.Activated) -> None:
        event.stop()
        self.action_orders("menu")

    @on(OrderLine.Guessed)
    def _completions_changed(self, event: OrderLine.Guessed) -> None:
        event.stop()
        self.orders.show_completions(event)

    @on(OrderLine.Entered)
    def _line_entered(self, event: OrderLine.Entered) -> None:
        self.orders.execute_line(event)

    @on(ReferenceScreen.IntoTheGame)
    def _link_followed(self, event: ReferenceScreen.IntoTheGame) -> None:
        """Follow a link of the reference: to a log line, an order, or a pending choice."""
        event.stop()
        while self.app.screen is not self:
            self.app.pop_screen()
        if event.kind == LINE:
            self.session.look_at(int(event.what))
        elif event.kind == ORDER_LINK:
            self.session.look_at(None)
            self.orders.type_order(event.what)
        else:
            self.orders.action_choose()

    # --- help and copy --------------------------------------------------------------------------------------------

    def topics(self) -> tuple[str, ...]:
        here = self.view.visible_part()
        return (here, *(part for part in HELP_PARTS if part != here))

    def words(self) -> str:
        return self.view.words()
