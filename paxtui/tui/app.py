"""The Textual application: screens, the first screen, signals and exit. Contains no game rules."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from rich.console import RenderableType
from textual.app import SystemCommand
from textual.binding import BindingType
from textual.command import Provider
from textual.message import Message
from textual.screen import Screen

from paxtui.session.storage.saved_games import CAMPAIGN_LESSON
from paxtui.tui.base import keymap
from paxtui.tui.base.app import BaseApp, SharePage
from paxtui.tui.base.keymap import bind
from paxtui.tui.base.screen import BaseScreen
from paxtui.tui.base.settings import Settings
from paxtui.tui.rendering.prepared_screens import ScreenRecipe

if TYPE_CHECKING:
    from paxtui.session.pax_host import PaxHost
    from paxtui.tui.game.screen import GameScreen
    from paxtui.tui.start_screens.hosting import HostingService
    from paxtui.tui.start_screens.open_game import MailGameOpener


class PaxApp(BaseApp):
    """The Pax Britannica application.

    Args:
        path: a saved game to open at start; without it, the start screen opens.
        settings: replaces the stored settings, for tests and screenshots.
        tables_dir: a directory of replacement tables for new games.
        tutorial: open the tutorial at start.
        lesson: the lesson of the tutorial.
        table: a game that is already open.
        replay: a log to open read-only.
        hosting: factory of the player's server, for hosted games; None without hosting.
        mail: factory of the opener of mail games; None without mail games.
        only: factory of a single screen; the program ends when the screen closes.
        share_page: writes the page of a game for friends; None where that is impossible.

    Attributes:
        enters_lobby: the player has left for the lobby of their own server.
        crash: the exception that ended the program, or None.
        trouble: why the log of the last open game is unusable; usually empty.
    """

    CSS_PATH = None
    TITLE = "Pax Britannica"
    ENABLE_COMMAND_PALETTE = True
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = set()
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("app.quit", "ctrl+q", "quit", "Quit", "Leave; everything is saved", show=False, priority=True),
        # priority: help opens over every screen and focused widget
        bind("app.help", "f1", "help", "Help", "Help for the focused part of the screen", priority=True),
        bind("app.settings", "f4", "settings", "Settings", "Colours, symbols, dice, speed, curtain, bell"),
        bind("app.copy", "ctrl+y", "copy_text", "Copy", "Copy the text of the screen", priority=True),
        # priority: also on dialogs, which output of another program may have overwritten
        bind("app.redraw", "ctrl+l", "redraw", "Redraw", "Draw the whole screen again", show=False, priority=True),
        bind("app.keys", "f5", "keys", "Keys", "All keys, and how to change them"),
    ]

    def __init__(
        self,
        path: Path | None = None,
        settings: Settings | None = None,
        tables_dir: Path | None = None,
        tutorial: bool = False,
        lesson: str = "tutorial",
        table: PaxHost | None = None,
        replay: Path | None = None,
        hosting: Callable[[], HostingService] | None = None,
        mail: Callable[[], MailGameOpener] | None = None,
        only: Callable[[], Screen[None]] | None = None,
        share_page: SharePage | None = None,
    ) -> None:
        super().__init__(settings, tables_dir)
        self.share_page = share_page
        self.open_path = path
        self.open_table = table
        self.tutorial, self.lesson = tutorial, lesson
        self.replay = replay
        self.hosting = hosting
        self.mail = mail
        self.only = only
        self.enters_lobby = False
        self.crash: Exception | None = None
        self.trouble = ""

    def on_mount(self) -> None:
        """Apply theme and key map, then open the requested game or the start screen."""
        self.leisurely = self.leisurely or not self.is_headless
        wrong: list[str] = []
        if self.stored:
            self.own_keys, wrong = keymap.load_keymap(all_bindings)
            self.set_keymap(self.own_keys)
        self.apply_settings()
        self._end_on_signals()
        self.push_screen(self.only() if self.only is not None else self._first_screen(), lambda _: self.exit(0))
        if wrong:
            self.notify("\n".join(wrong[:6]), title=str(keymap.keymap_path()), severity="warning", timeout=12)

    def _first_screen(self) -> Screen[None]:
        """Return the first screen. Other screens are imported on demand, for a fast start."""
        if self.open_table is not None or self.open_path is not None:
            from paxtui.session.local_session import LocalSession
            from paxtui.session.pax_host import PaxHost
            from paxtui.tui.game.screen import GameScreen

            table = self.open_table or PaxHost.open(self.open_path or Path())
            return GameScreen(LocalSession(table, step_by_step=self.leisurely, bot_order=self.settings.bot_order))
        if self.replay is not None:
            from paxtui.tui.start_screens.start import open_replay

            return open_replay(self.replay)
        if self.tutorial:
            if self.lesson == CAMPAIGN_LESSON:
                from paxtui.tui.start_screens.game_screens import campaign_lesson_screen

                return campaign_lesson_screen()
            from paxtui.tui.tutorial.screen import open_tutorial

            return open_tutorial(self.tables_dir, self.lesson)
        from paxtui.tui.start_screens.start import StartScreen

        return StartScreen()

    def on_game_screen_left(self, event: GameScreen.Left) -> None:
        """Return from a game to the start screen, a new game, or the tutorial."""
        from paxtui.tui.start_screens.new_game import NewGameScreen
        from paxtui.tui.start_screens.start import StartScreen

        self.switch_screen(StartScreen())
        if event.then == "host":
            self.host(event.path)
        elif event.then == "new":
            self.push_screen(NewGameScreen())
        elif event.then:
            from paxtui.tui.tutorial.screen import new_tutorial

            self.push_screen(new_tutorial(self.tables_dir, event.then))

    def on_game_screen_studied(self, event: GameScreen.Studied) -> None:
        """Turn a replay into a study of its log, or open a study above a game."""
        from paxtui.tui.game.replay import ReplayScreen
        from paxtui.tui.study.screen import open_study_screen

        show = self.switch_screen if isinstance(self.screen, ReplayScreen) else self.push_screen
        open_study_screen(self, event.path, show, event.place, event.viewpoint)

    # --- hosting -------------------------------------------------------------------------------------

    def host(self, path: Path | None) -> None:
        """Host a saved game, if hosting is available."""
        from paxtui.tui.start_screens.hosting import HostScreen

        if self.hosting is None or path is None:
            self.notify("Only a saved game of your own can be hosted.", severity="warning", timeout=6)
        else:
            self.push_screen(HostScreen(self.hosting(), path))

    def on_start_screen_hosts(self, event: Message) -> None:
        self.host(getattr(event, "path", None))

    def on_start_screen_mails(self) -> None:
        from paxtui.tui.start_screens.open_game import open_mail_game

        if self.mail is None:
            self.notify(
                "Mail games can only be opened on the computer where they are stored.", severity="warning", timeout=6
            )
        else:
            open_mail_game(self, self.mail())

    def on_host_screen_enters(self) -> None:
        """Exit to the lobby of the player's own server, which another program shows."""
        self.enters_lobby = True
        self.exit(0)

    # --- global actions -------------------------------------------------------------------------------

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Return the commands of the palette (ctrl+p): the bindings of the screen and of the app."""
        from paxtui.tui.command_palette import CommandEntry, sort_commands

        entries: dict[str, CommandEntry] = {}
        for owner in (screen, self):
            for binding in keymap.bindings_of(type(owner)):
                id_ = str(binding.id)
                text = f"{self.key_of(id_, binding.key)} · {binding.tooltip}"
                command = SystemCommand(binding.description, text, partial(owner.run_action, binding.action))
                entries.setdefault(id_, CommandEntry(id_, command))
        yield from sort_commands(entries.values())

    def action_help_quit(self) -> None:
        """Explain how to quit. Ctrl+C does not quit: players press it to copy text."""
        leave, end = self.key_of("game.leave", "q"), self.key_of("app.quit", "ctrl+q")
        self.notify(f"{leave} leaves the game, {end} ends the program; everything is saved.", timeout=4)

    async def action_press(self, id_: str) -> None:
        """Run a binding of the screen or of the app, for mouse clicks on a key hint."""
        for owner in (self.screen, self):
            for binding in keymap.bindings_of(type(owner)):
                if binding.id == id_:
                    await owner.run_action(binding.action)
                    return

    def action_help(self) -> None:
        """Show help for the focused widget, or close it."""
        from paxtui.tui.reference_screens.help import HelpScreen, help_recipe

        if isinstance(self.screen, HelpScreen):
            self.screen.dismiss(None)
        else:
            self.open_screen(help_recipe(self.screen))

    def recipes(self) -> Iterable[ScreenRecipe[Any]]:
        """Return how help, command palette, settings and keys are shown."""
        from paxtui.tui.reference_screens.help import help_recipe
        from paxtui.tui.start_screens.settings import keys_recipe, settings_recipe

        return help_recipe(self.screen), self._palette_recipe(), settings_recipe(), keys_recipe(all_bindings())

    def action_command_palette(self) -> None:
        """Open the command palette, unless it is already open."""
        from paxtui.tui.command_palette import CommandPalette

        if not any(isinstance(screen, CommandPalette) for screen in self.screen_stack):
            self.ask(self._palette_recipe(), lambda command: self.call_later(command.callback))

    def _palette_recipe(self) -> ScreenRecipe[SystemCommand | None]:
        from paxtui.tui.command_palette import CommandPalette

        commands = list(self.get_system_commands(self.screen))
        content = self.screen, tuple((command.title, command.help) for command in commands)
        return ScreenRecipe("palette", lambda: CommandPalette(commands), content)

    def action_settings(self) -> None:
        from paxtui.tui.start_screens.settings import SettingsScreen, settings_recipe

        if not isinstance(self.screen, SettingsScreen):
            self.open_screen(settings_recipe())

    def action_keys(self) -> None:
        from paxtui.tui.start_screens.settings import KeysScreen, keys_recipe

        if not isinstance(self.screen, KeysScreen):
            self.open_screen(keys_recipe(all_bindings()))

    def action_copy_text(self) -> None:
        text = self.screen.words() if isinstance(self.screen, BaseScreen) else ""
        self.copy_to_clipboard(text)
        lines = len(text.splitlines())
        self.notify(f"{lines} line{'s are' if lines != 1 else ' is'} in the clipboard.", timeout=3)

    # --- exit ----------------------------------------------------------------------------------------------

    def exit(self, result: int | None = None, return_code: int = 0, message: RenderableType | None = None) -> None:
        """Check the log of the open game, then exit."""
        troubles = [screen.end_session() for screen in self.screen_stack if isinstance(screen, BaseScreen)]
        if "thinker" in vars(self):
            self.thinker.end()
        self.trouble = next(filter(None, troubles), "")
        super().exit(result, return_code, message)

    def _end_on_signals(self) -> None:
        """Exit cleanly on a signal, so that the terminal is restored."""
        if self.is_headless:
            return
        loop = asyncio.get_running_loop()

        def end(number: int) -> None:
            loop.remove_signal_handler(number)  # a second signal kills the program
            self.exit(None, 128 + number)

        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, end, number)

    def _handle_exception(self, error: Exception) -> None:
        """Exit on an unhandled exception. The caller reports it without values of the game."""
        self.crash = self.crash or error
        super()._handle_exception(error)

    def _fatal_error(self) -> None:
        """Close the screen and print nothing: Textual would print local variables, including secrets."""
        self._close_messages_no_wait()


def all_bindings() -> tuple[keymap.KeyBinding, ...]:
    """Return all bindings that have an id, those of the game screen first."""
    from paxtui.tui.bindings import KEY_OWNERS

    return tuple(keymap.collect_bindings((PaxApp, *KEY_OWNERS)))
