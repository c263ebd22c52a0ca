"""The first screen: a new game, the saved ones, the tutorial, the rules.

Every other screen is imported when it is opened. `tests/test_architecture.py` limits what this one imports.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.events import Resize
from textual.message import Message
from textual.screen import Screen
from textual.widgets.option_list import Option

from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import PERSON
from paxtui.games.pax.board.tables import Tables
from paxtui.session.storage.files import config_file, read_toml, write_config
from paxtui.session.storage.log_store import rulebook_of, save_dir
from paxtui.session.storage.saved_games import (
    CAMPAIGN_LESSON,
    TURN_LESSON,
    WAR_LESSON,
    SaveSummary,
    check_name,
    game_name,
    is_lesson,
    last_played_at,
    lessons_under_way,
    list_games,
    move_to_trash,
    read_sidecar,
    rename_game,
    restore_from_trash,
    sort_latest_first,
)
from paxtui.session.tables.loader import load_tables
from paxtui.tui.base.keymap import bind
from paxtui.tui.base.screen import BaseScreen, ChoiceList, KeyHints, PlainText
from paxtui.tui.rendering.app import import_when_idle
from paxtui.tui.start_screens.game_screens import GAME_SCREENS, campaign_lesson_screen

if TYPE_CHECKING:
    from paxtui.tui.game.screen import GameScreen

IDLE_IMPORTS = (
    "paxtui.games.pax.actions.structured",
    "paxtui.games.pax.sequence",
    "paxtui.games.pax.game",
    "paxtui.session.game_host",
    "paxtui.session.local_session",
    "paxtui.tui.dialogs.area_menu",
    "paxtui.tui.base.dialogs",
    "paxtui.tui.game.screen",
    "paxtui.tui.start_screens.new_game",
    "paxtui.tui.start_screens.scenarios",
    "paxtui.tui.tutorial.screen",
    "paxtui.tui.game.replay",
    "paxtui.tui.panes.side_panes",
    "paxtui.tui.reference_screens.reference",
    "paxtui.tui.reference_screens.help",
    "paxtui.tui.command_palette",
    "paxtui.tui.start_screens.settings",
)
"""Modules imported in idle time after the first frame, in this order."""
TITLES = {
    "new": "New game",
    "alone": "Play alone, with bots at the other seats",
    "scenarios": "Scenarios: short games, other positions, a challenge",
    "learn": "Tutorial: learn by playing a first turn",
    "war": "Second lesson: a War of two cycles",
    "ulm": "Third lesson: the campaign of 1805, to a first battle",
    "exercises": "Exercises and the campaign of 1805: Empires in Arms, on maps drawn by us",
    "mail": "Play by mail: order sheet or gamemaster",
    "replay": "Replay: open any log",
    "archive": "Archive: find games by what happened, openings",
    "rules": "Rules of the game",
    "quit": "Quit",
}
"""The rows above the saved games."""
HELP = {
    "new": "Choose a name, the seats and the options.",
    "alone": "Choose a Power. Six statesmen play the others and try to win. Their level is a setting (F4).",
    "scenarios": "A game of one evening, a race for Africa, positions from history, a challenge, your scenarios.",
    "learn": "About ten minutes. Your games are not changed.",
    "war": "After the first lesson: two cycles of a War, from the declaration to the spoils. About ten minutes.",
    "ulm": "Another game, Empires in Arms: you lead the French from the Rhine to Ulm. About ten minutes.",
    "exercises": "Another game, Empires in Arms: the campaign of 1805 on land, and exercises, on maps drawn by us.",
    "mail": "The order sheet of a player, or the gamemaster's desk. A game begins with 'paxtui postal new'.",
    "replay": "Open any log, for example from a friend. Nothing is written to it.",
    "archive": "Your saved games and the folders that you add. Find games by what happened, count openings.",
    "rules": "All rules in plain words, with a search.",
    "quit": "Games are saved after each act.",
}
LESSONS = {"learn": TURN_LESSON, "war": WAR_LESSON, "ulm": CAMPAIGN_LESSON}
OFFERS_FILE = "offers.toml"
"""Configuration file that records what was offered to the player."""
BACKDROP_DELAY_S = 0.03
"""Delay between the first frame and the drawing of the background map, in seconds."""
OTHER_ROWS = 12
"""Rows of the screen outside the list."""
NAME_WIDTH = 27
"""Columns for the name of a game."""
TITLE = """P A X   B R I T A N N I C A

the colonial era, 1880 to the Great War"""


class StartScreen(BaseScreen[None]):
    """The first screen: new game, saved games, lessons and rules."""

    TOPIC = "start"
    VERTICAL_BREAKPOINTS: list[tuple[int, str]] | None = [(0, "-low"), (26, "-high")]
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("start.new", "n", "new", "New game", "Set up a new game"),
        bind("start.alone", "a", "alone", "Play alone", "Play one Power against bots"),
        bind("start.scenarios", "c", "scenarios", "Scenarios", "Short games and other starts"),
        bind("start.learn", "l", "learn", "Learn", "Learn the game by playing a first turn"),
        bind("start.war", "w", "war", "Learn War", "Learn how a War is fought"),
        bind("start.ulm", "t", "ulm", "Learn the campaign", "Learn the campaign of 1805"),
        bind("start.exercises", "i", "exercises", "Exercises", "Exercises of Empires in Arms"),
        bind("start.mail", "m", "mail", "Play by mail", "The order sheet or the desk of a mail game"),
        bind("start.rename", "e", "rename", "Rename", "Rename the saved game"),
        bind("start.trash", "x,delete", "throw_away", "Move to trash", "Move the game to the trash"),
        bind("start.watch", "v", "watch", "Replay", "Open the selected game as a replay"),
        bind("start.study", "y", "study", "Study", "Comments, marks and branches of the game"),
        bind("start.replay", "o", "replay", "Open a replay", "Open any log as a replay"),
        bind("start.archive", "k", "archive", "Archive", "Find games by a query, and count openings"),
        bind("start.host", "h", "host", "Host", "Host the selected game for friends, over SSH"),
        bind("start.restore", "u", "restore", "Restore", "Restore the last deleted game"),
        bind("start.rules", "f2", "rules", "Rules", "Read and search the rules"),
        bind("start.glossary", "f3", "glossary", "Glossary", "Terms and symbols of the game"),
        bind("start.quit", "q,escape", "leave", "Quit", "Leave"),
    ]

    class Hosts(Message):
        """The player wants to host a saved game."""

        def __init__(self, path: Path) -> None:
            super().__init__()
            self.path = path

    class Mails(Message):
        """The player wants to open a mail game."""

    def compose(self) -> ComposeResult:
        """Yield title and list. The map behind them follows after the first frame."""
        with Vertical(classes="box", id="start-box"):
            yield PlainText(TITLE, classes="title")
            yield ChoiceList(id="games")
            yield PlainText(id="about", classes="note")
            keys = (
                "Enter open · {start.rename} rename · {start.trash} trash · {start.watch} replay · {start.study} study"
            )
            help_key = self.app.key_of("app.help", "f1")
            yield KeyHints(self.format_keys(f"{keys} · {{start.host}} host · {help_key} help"))

    def on_mount(self) -> None:
        self.call_after_refresh(self._add_backdrop if self.app.is_headless else self._add_backdrop_soon)
        self._games: list[SaveSummary] = []
        self._trashed: list[tuple[Path, Path]] = []
        self._welcome = ""
        self._fill()
        if self.app.stored and not self._games:
            self._offer_tutorial()

    def _offer_tutorial(self) -> None:
        """Offer the tutorial once to a player without games. Nothing is asked."""
        path = config_file(OFFERS_FILE)
        if read_toml(path).get("tutorial") or next(lessons_under_way(TURN_LESSON), None):
            return
        with suppress(OSError):  # it is offered again next time
            write_config(path, "tutorial = true\n")
        key = self.app.key_of("start.learn", "l")
        self._welcome = f"\nNew here? {key} opens the tutorial: play a first turn, about ten minutes."

    @cached_property
    def tables(self) -> Tables:
        """The tables for new games, loaded on first use."""
        return load_tables(self.app.tables_dir)

    def _add_backdrop_soon(self) -> None:
        """Wait until the first frame is on the terminal: drawing the map blocks the event loop."""
        self.set_timer(BACKDROP_DELAY_S, self._add_backdrop)

    async def _add_backdrop(self) -> None:
        from paxtui.tui.start_screens.backdrop import backdrop_map

        if self.is_attached:
            await self.mount(backdrop_map(self.app.palette, self.app.tables_dir), before="#start-box")
        if not self.app.is_headless:
            import_when_idle(self, IDLE_IMPORTS)

    def on_resize(self, event: Resize) -> None:
        self.query_one(ChoiceList).styles.max_height = max(4, event.size.height - OTHER_ROWS)

    def on_screen_resume(self) -> None:
        """Refresh the list: it may have a new game."""
        self._fill()

    def _fill(self) -> None:
        rows = self.query_one(ChoiceList)
        at = rows.chosen_id
        options: list[Option | None] = []
        for id_, title in TITLES.items():
            if id_ in LESSONS and next(lessons_under_way(LESSONS[id_]), None):
                title = f"{title.partition(':')[0]}: continue where you left off"
            if id_ == "alone" and self.app.settings.rivals != "asked":
                title = title.replace("bots", f"{self.app.settings.rivals} bots")
            options.append(Option(title, id=id_))
        self._games = sort_latest_first(list_games(save_dir()))
        if self._games:
            options.append(None)
        options += [Option(self._line_of(game), id=f"game{i}") for i, game in enumerate(self._games)]
        ids = [option.id for option in options if option is not None]
        rows.refill(options, ids.index(at) if at in ids else ids.index("game0") if self._games else 0)
        self.set_focus(rows)
        self.call_after_refresh(rows.scroll_to_highlight)

    def _line_of(self, game: SaveSummary) -> Text:
        """Format a saved game: name, year, Powers (human players in bold), time of the last act."""
        look = self.look
        name = game_name(game.path)
        name = f"{name if len(name) <= NAME_WIDTH else f'{name[: NAME_WIDTH - 1]}…':<{NAME_WIDTH}} "
        if game.error:
            return look.line(name, (game.error, look.alarm))
        text = look.line(name).append_text(GAME_SCREENS[game.rulebook].line(game, look))
        return text.append(last_played(game), look.faint)

    @on(ChoiceList.OptionHighlighted)
    def _highlighted(self, event: ChoiceList.OptionHighlighted) -> None:
        game = self._game(event.option_id or "")
        text = HELP[event.option_id or ""] if game is None else describe_game(game, self.tables)
        about = self.look.text(text, (self._welcome, self.look.good))
        self.query_one("#about", PlainText).update(about)

    def _game(self, id_: str) -> SaveSummary | None:
        return self._games[int(id_.removeprefix("game"))] if id_.startswith("game") else None

    def _chosen_game(self) -> SaveSummary | None:
        return self._game(self.query_one(ChoiceList).chosen_id)

    def _need_game(self) -> SaveSummary | None:
        """Return the selected game; if it is none, say so."""
        game = self._chosen_game()
        if game is None:
            self.notify("Select a saved game first.", timeout=4)
        return game

    @on(ChoiceList.OptionSelected)
    def _chosen(self, event: ChoiceList.OptionSelected) -> None:
        what = event.option_id or ""
        game = self._game(what)
        if game is not None:
            self._open(lambda: GAME_SCREENS[game.rulebook].open(game.path, self.app), "This game cannot be opened")
        else:
            getattr(self, f"action_{'leave' if what == 'quit' else what}")()

    def _open(self, make: Callable[[], Screen[None]], trouble: str) -> None:
        """Push a screen, or show why it cannot be made."""
        try:
            self.app.push_screen(make())
        except Exception as error:
            self.notify(str(error), title=trouble, severity="error", timeout=8)

    # --- saved games --------------------------------------------------------------------------------------------

    def action_rename(self) -> None:
        game = self._need_game()
        if game is None:
            return
        from paxtui.tui.base.dialogs import InputDialog, refusal_of

        path = game.path
        dialog = InputDialog("New name of the game?", game_name(path), refusal_of(check_name))
        self.app.ask(dialog, lambda name: self._do(lambda: rename_game(path, name), "renamed"))

    def action_throw_away(self) -> None:
        game = self._need_game()
        if game is None:
            return
        gone = self._do(lambda: move_to_trash(game.path), "thrown away")
        if gone is not None:
            self._trashed.append((game.path, gone))
            back = self.app.key_of("start.restore", "u")
            self.notify(f"'{game_name(game.path)}' is in the trash. {back} restores it.", timeout=6)

    def action_host(self) -> None:
        """Host the selected game, for players who connect over SSH."""
        game = self._need_game()
        if game is None:
            return
        if game.error or is_lesson(read_sidecar(game.path, game.game)):
            self.notify("This game cannot be hosted.", timeout=4)
        else:
            self.post_message(self.Hosts(game.path))

    def action_restore(self) -> None:
        if not self._trashed:
            self.notify("Nothing has been deleted since the program started.", timeout=4)
            return
        path, gone = self._trashed.pop()
        self._do(lambda: restore_from_trash(gone, path), "brought back")

    def _do(self, act: Callable[[], Path], what: str) -> Path | None:
        """Call a file operation; return the new path, or show the error and return None."""
        try:
            path = act()
        except Refusal as refusal:
            self.notify(refusal.message, severity="warning", timeout=6)
        except OSError as error:
            self.notify(f"The game cannot be {what}: {error}", severity="error", timeout=8)
        else:
            self._fill()
            return path
        return None

    def action_watch(self) -> None:
        """Open the selected game as a replay."""
        game = self._chosen_game()
        if game is None:
            self.action_replay()
        else:
            self._open(lambda: open_replay(game.path), "This log cannot be read")

    def action_study(self) -> None:
        game = self._need_game()
        if game is None:
            return
        if game.error or (study := GAME_SCREENS[game.rulebook].study) is None:
            self.notify("This game cannot be studied.", timeout=4)
        else:
            study(game.path, self.app)

    def action_replay(self) -> None:
        from paxtui.tui.base.dialogs import ask_log

        ask_log(self.app, lambda path: self._open(lambda: open_replay(path), "This log cannot be read"))

    # --- other actions -----------------------------------------------------------------------------------------

    def action_new(self) -> None:
        from paxtui.tui.start_screens.new_game import NewGameScreen

        self.app.push_screen(NewGameScreen())

    def action_learn(self) -> None:
        """Open the tutorial at its saved step."""
        self._open(lambda: lesson_screen(self.app.tables_dir, TURN_LESSON), "The tutorial cannot be opened")

    def action_war(self) -> None:
        """Open the second lesson at its saved step."""
        self._open(lambda: lesson_screen(self.app.tables_dir, WAR_LESSON), "The second lesson cannot be opened")

    def action_ulm(self) -> None:
        """Open the lesson of the campaign of 1805 at its saved step."""
        self._open(campaign_lesson_screen, "The third lesson cannot be opened")

    def action_alone(self) -> None:
        """Ask for a Power, once for the level of the bots, and start a game with bots at the other seats."""
        from paxtui.games.pax.position.setup import seats_for
        from paxtui.tui.base.dialogs import PickDialog
        from paxtui.tui.dialogs.seats import ask_rival_level, rival_of_level
        from paxtui.tui.start_screens.new_game import power_summaries
        from paxtui.tui.start_screens.open_game import open_new_game

        seats = seats_for(7)

        def begin(me: str) -> None:
            rival = rival_of_level(self.app.settings.rivals)
            occupants = {seat: PERSON if seat == me else rival for seat in seats}
            name, app = f"Alone as {self.tables.powers[me].name}", self.app

            def begin_game() -> GameScreen:
                order = app.settings.bot_order
                screen = open_new_game(name, seats, occupants, "", {}, app.tables_dir, app.leisurely, order)
                screen.plays_first_steps = True
                return screen

            self._open(begin_game, "The game cannot be saved")

        names, more = zip(*power_summaries(self.tables, seats), strict=True)
        dialog = PickDialog("Which Power do you play?", names, more=more)
        self.app.ask(dialog, lambda number: ask_rival_level(self.app, lambda: begin(seats[number])))

    def action_scenarios(self) -> None:
        from paxtui.tui.start_screens.scenarios import ScenarioShelf

        self.app.push_screen(ScenarioShelf())

    def action_archive(self) -> None:
        from paxtui.tui.start_screens.archive import ArchiveScreen

        self.app.push_screen(ArchiveScreen())

    def action_mail(self) -> None:
        """Open a mail game: an order sheet, or the arbiter's screen."""
        self.post_message(self.Mails())

    def action_exercises(self) -> None:
        from paxtui.tui.start_screens.open_game import choose_exercise

        choose_exercise(self.app, lambda make: self._open(make, "The exercise cannot be saved"))

    def action_rules(self) -> None:
        from paxtui.tui.reference_screens.reference import RulesScreen

        self.app.push_screen(RulesScreen())

    def action_glossary(self) -> None:
        from paxtui.tui.reference_screens.reference import GlossaryScreen

        self.app.push_screen(GlossaryScreen())

    def action_leave(self) -> None:
        self.app.exit(0)


def open_replay(path: Path) -> Screen[None]:
    """Open a log as a replay and return its screen. Raises: as `open_game`."""
    return GAME_SCREENS[rulebook_of(path)].replay(path)


def lesson_screen(tables_dir: Path | None, name: str) -> Screen[None]:
    """Return the screen of a lesson at its saved step. Raises: as `open_tutorial`."""
    from paxtui.tui.tutorial.screen import open_tutorial

    return open_tutorial(tables_dir, name)


def describe_game(game: SaveSummary, tables: Tables) -> str:
    """Describe a saved game in a few sentences."""
    if game.error:
        return f"{game.path}: {game.error}"
    return GAME_SCREENS[game.rulebook].about(game, tables)


def last_played(game: SaveSummary) -> str:
    """Format the time of the last act in a game."""
    time = last_played_at(game)
    days = (datetime.now().astimezone().date() - time.date()).days
    if days in (0, 1):
        return f"{'today' if days == 0 else 'yesterday'} {time:%H:%M}"
    return f"{time.day} {time:%b %Y}"
