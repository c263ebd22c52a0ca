"""The Textual app: opens games, keeps the settings, and owns nothing of the rules."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from textual.app import RenderableType, SystemCommand
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import OptionList, Static

from paxtui.table.authority import Table
from paxtui.table.resources import style_path
from paxtui.table.session import Session
from paxtui.tui.map.palette import PALETTES, Palette
from paxtui.tui.player import keymap, themes
from paxtui.tui.player.settings import Settings, load_settings, save_settings
from paxtui.tui.swift.app import SwiftApp


class PaxApp(SwiftApp):
    """Pax Britannica at this keyboard.

    Args:
        path: a saved game to open at once; without one the start screen comes first.
        table: the same, where it is open already.

    Attributes:
        crash: the mistake of the program that ended it, None where none did.
        trouble: why the game that was open at the end cannot go on in its file, in words; mostly empty.
        settings: overrides what is stored, for tests and `--theme`.
        tables_dir: a directory of replacement tables for new games.
        tutorial: open the tutorial at once.
    """

    CSS_PATH = None
    TITLE = "Pax Britannica"
    ENABLE_COMMAND_PALETTE = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", "Quit", id="app.quit", tooltip="Leave; nothing is lost", show=False, priority=True),
        # priority: help opens over every screen, whatever has focus
        Binding("f1", "help", "Help", id="app.help", tooltip="Help for whatever has focus", priority=True),
        Binding("f4", "settings", "Settings", id="app.settings", tooltip="Palette, signs, dice, speed, curtain, bell"),
        Binding("ctrl+y", "copy_text", "Copy", id="app.copy", tooltip="Copy the text of the screen", priority=True),
        Binding("ctrl+l", "redraw", "Redraw", id="app.redraw", tooltip="Draw the whole screen again", show=False),
        Binding("f5", "keys", "Keys", id="app.keys", tooltip="Every key of the program, and how to change it"),
    ]

    def __init__(
        self,
        path: Path | None = None,
        settings: Settings | None = None,
        tables_dir: Path | None = None,
        tutorial: bool = False,
        table: Table | None = None,
    ) -> None:
        self.stored = settings is None
        self.settings = settings or load_settings()
        self.own_keys: dict[str, str] = {}
        self.tables_dir = tables_dir
        self.open_path = path
        self.open_table = table
        self.crash: Exception | None = None
        self.trouble = ""
        self.tutorial = tutorial
        self._window = ""
        super().__init__(css_path=sorted(style_path().glob("*.tcss")))
        for theme in themes.THEMES:
            self.register_theme(theme)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """The roles that the style sheets name, for themes that are not ours."""
        return dict(themes.ROLES)

    @property
    def palette(self) -> Palette:
        """The palette that the settings name."""
        palette = PALETTES.get(self.settings.palette, PALETTES["dark"])
        return palette.in_ascii() if self.settings.ascii else palette

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """The palette (ctrl+p): everything that a key of the screen does, and Textual's own commands."""
        for owner in (*type(screen).__mro__, type(self)):
            for binding in vars(owner).get("BINDINGS", ()):
                if isinstance(binding, Binding) and binding.id:
                    run = self if owner is type(self) else screen
                    act = partial(run.run_action, binding.action)
                    key = self.key_of(binding.id, binding.key)
                    yield SystemCommand(binding.description, f"{binding.tooltip} ({key})", act)
        yield from super().get_system_commands(screen)

    def on_mount(self) -> None:
        """Dress, take the player's keys, open the game asked for, or the start screen."""
        wrong: list[str] = []
        if self.stored:
            self.own_keys, wrong = keymap.load_keymap()
            self.set_keymap(self.own_keys)
        self.dress()
        self._end_on_signals()
        if self.open_table is not None or self.open_path is not None:
            from paxtui.tui.game.screen import GameScreen

            self.push_screen(GameScreen(Session(self.open_table or Table.open(self.open_path or Path()))))
        elif self.tutorial:
            from paxtui.tui.learning.tutorial import new_tutorial

            self.push_screen(new_tutorial(self.tables_dir))
        else:
            from paxtui.tui.front.start import StartScreen

            self.push_screen(StartScreen())
        if wrong:
            self.notify("\n".join(wrong[:6]), title=str(keymap.keymap_path()), severity="warning", timeout=12)

    # --- settings -----------------------------------------------------------------------------------------------

    def dress(self) -> None:
        """Put the settings into effect."""
        self.theme = themes.theme_name(self.settings.palette)
        # the gentle sliding of Textual is all the animation there is
        self.animation_level = "full" if self.settings.animation else "none"

    def use(self, settings: Settings) -> None:
        """Take other settings and keep them; screens that draw by them are drawn again."""
        self.settings = settings
        self.dress()
        if self.stored:
            try:
                save_settings(settings)
            except OSError as error:
                self.notify(f"The settings could not be stored: {error}", severity="warning")
        for screen in self.screen_stack:
            restyle = getattr(screen, "restyle", None)
            if restyle is not None:
                restyle()

    def use_keys(self, own: dict[str, str]) -> None:
        """Take other keys and keep them."""
        self.own_keys = own
        self.set_keymap(own)
        if self.stored:
            try:
                keymap.save_keymap(own)
            except OSError as error:
                self.notify(f"The keys could not be stored: {error}", severity="warning")

    def key_of(self, id_: str, default: str) -> str:
        """The key of a binding as people write it."""
        return keymap.words(self.own_keys.get(id_, default))

    async def action_press(self, id_: str) -> None:
        """Do what a binding of the screen does: for the mouse on a line that names its keys."""
        for owner in type(self.screen).__mro__:
            for binding in vars(owner).get("BINDINGS", ()):
                if isinstance(binding, Binding) and binding.id == id_:
                    await self.screen.run_action(binding.action)
                    return

    def action_help(self) -> None:
        """Help for whatever has focus; once more closes it."""
        from paxtui.tui.reading.help import HelpScreen, help_for

        if isinstance(self.screen, HelpScreen):
            self.screen.dismiss(None)
        else:
            self.push_screen(help_for(self.screen))

    def action_settings(self) -> None:
        """The settings."""
        from paxtui.tui.front.settings import SettingsScreen

        if not isinstance(self.screen, SettingsScreen):
            self.push_screen(SettingsScreen())

    def action_keys(self) -> None:
        """The keys."""
        from paxtui.tui.front.keys import KeysScreen

        if not isinstance(self.screen, KeysScreen):
            self.push_screen(KeysScreen())

    def action_copy_text(self) -> None:
        """Copy what the foremost screen says: its texts, and the line of a list under the cursor."""
        from paxtui.tui.game.screen import GameScreen

        if isinstance(self.screen, GameScreen):
            text = self.screen.words()
        else:
            parts = [str(w.render()).strip() for w in self.screen.query(Static) if w.display]
            for rows in self.screen.query(OptionList):
                if rows.highlighted is not None:
                    parts.append(str(rows.get_option_at_index(rows.highlighted).prompt))
            text = "\n".join(p for p in parts if p)
        self.copy_to_clipboard(text)
        self.notify(f"{len(text.splitlines())} lines are in the clipboard.", timeout=3)

    # --- how it ends ------------------------------------------------------------------------------------------

    def exit(self, result: int | None = None, return_code: int = 0, message: RenderableType | None = None) -> None:
        """Leave; whether the file of the open game is as it should be is looked at before."""
        sessions = [getattr(screen, "session", None) for screen in self.screen_stack]
        self.trouble = next((s.trouble for s in sessions if isinstance(s, Session) and s.trouble), "")
        super().exit(result, return_code, message)

    def _end_on_signals(self) -> None:
        """Leave in order when a signal asks for it, so that the terminal is as it was before."""
        if self.is_headless:
            return
        loop = asyncio.get_running_loop()

        def end(number: int) -> None:
            loop.remove_signal_handler(number)  # a second one ends it at once
            self.exit(None, 128 + number)

        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, end, number)

    def _handle_exception(self, error: Exception) -> None:
        """A mistake of the program ends it. Whoever opened the screen tells of it, without the values of the game."""
        self.crash = self.crash or error
        super()._handle_exception(error)

    def _fatal_error(self) -> None:
        """Close the screen and print nothing: Textual would show every value at hand, secret ones too."""
        self._close_messages_no_wait()

    # --- the terminal around it -------------------------------------------------------------------------------

    def window_title(self, text: str) -> None:
        """Set the title of the terminal's window, where the settings want it."""
        if self.settings.title and text != self._window and self._driver is not None and not self.is_headless:
            self._window = text
            clean = "".join(c for c in text if c.isprintable())
            self._driver.write(f"\x1b]2;{clean}\x07")

    def ring(self) -> None:
        """Ring, where the settings want it."""
        if self.settings.bell:
            self.bell()
