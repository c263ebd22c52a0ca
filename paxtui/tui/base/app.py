"""The app as every screen knows it: the player's settings and keys, colours and signs, and what it says to him.

Which screens there are it does not know; `paxtui.tui.app` does.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from textual.filter import LineFilter
from textual.notifications import SeverityLevel
from textual.reactive import reactive

from paxtui.session.storage.files import style_path
from paxtui.tui import themes
from paxtui.tui.base import keymap
from paxtui.tui.base.settings import Settings, load_settings, save_settings
from paxtui.tui.colors import DEFAULT, DEPTH_NAMES, Depth, Palette, palette_of
from paxtui.tui.formatting.look import Look
from paxtui.tui.rendering.ansi_writer import depth_of, needs_ascii
from paxtui.tui.rendering.app import RenderingApp
from paxtui.tui.themes import ContrastFilter

if TYPE_CHECKING:
    from paxtui.session.bot_process import BotProcess

@runtime_checkable
class Restylable(Protocol):
    """A screen that draws itself anew in other colours."""

    def restyle(self) -> None:
        """The colours are others."""


@runtime_checkable
class MakesRoom(Protocol):
    """A screen that moves messages to where they cover nothing that matters."""

    def make_room_for_messages(self) -> None:
        """A message is about to be shown."""


class BaseApp(RenderingApp):
    """An app that a player has set up.

    Args:
        settings: overrides what is stored, for tests and pictures.
        tables_dir: a directory of replacement tables for new games.

    Attributes:
        stored: whether what the player sets is kept.
        poor: the terminal lacks the signs of the map; ASCII signs are chosen then, whatever the settings say.
        own_keys: keys of the player's own, by the id of the binding.
        leisurely: whether bots are shown at their moves, and acts while they are on their way to a slow disk; what is
            drawn without a terminal is drawn when all that is done.
    """

    settings: reactive[Settings] = reactive(Settings, init=False)

    def __init__(self, settings: Settings | None = None, tables_dir: Path | None = None) -> None:
        self.stored = settings is None
        self.poor = self.stored and needs_ascii(os.environ, getattr(sys.__stderr__, "encoding", None))
        self.own_keys: dict[str, str] = {}
        self.tables_dir = tables_dir
        self._window = ""
        self._told_at = 0  # how many keys had been heard at the last message
        super().__init__(css_path=[str(path) for path in sorted(style_path().glob("*.tcss"))])
        self.set_reactive(BaseApp.settings, settings or load_settings())
        self._has_all_colours = False
        self.leisurely = False
        self._look, self._looks_like = Look(DEFAULT), (DEFAULT.name, False, Depth.ALL, False)
        self._readable = ContrastFilter(Depth.ALL)
        # in these colours from the first: a theme put on later has all style sheets read a second time
        self.set_reactive(BaseApp.theme, self._known_theme())
        self.stylesheet.set_variables(self.get_css_variables())

    @cached_property
    def thinker(self) -> BotProcess:
        """Runs bots in a separate process. Created on first use: it imports the bots and the rules."""
        from paxtui.session.bot_process import BotProcess

        return BotProcess()

    def end_thinker(self) -> None:
        """End the bots' process, if there is one."""
        if "thinker" in vars(self):
            self.thinker.end()

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """The roles that the style sheets name, for themes that are not ours."""
        return dict(themes.ROLES)

    # --- colours and signs ----------------------------------------------------------------------------------------

    @property
    def palette(self) -> Palette:
        """The palette that the settings name."""
        return self.look.palette

    @property
    def look(self) -> Look:
        """That palette at work."""
        s = self.settings
        wanted = s.palette, s.ascii or self.poor, self.depth, s.reasons == "at once"
        if self._looks_like != wanted:
            self._looks_like = wanted
            self._look = Look(palette_of(*wanted[:3]), wanted[3])
            self._readable = ContrastFilter(self.depth)
        return self._look

    @property
    def depth(self) -> Depth:
        """How many colours are drawn with: as many as the settings say, or as the terminal is known to have.

        What is drawn without a terminal, for tests and pictures, has all.
        """
        known = Depth.ALL if self._has_all_colours or self.is_headless else depth_of(self.console)
        return DEPTH_NAMES.get(self.settings.colours, known)

    def has_all_colours(self) -> None:
        """The terminal has said that it has all colours: draw everything with them."""
        self._has_all_colours = True
        if self.settings.colours not in DEPTH_NAMES:
            self.apply_settings()
            self.sheet.clear()
            for screen in self.screen_stack:
                if isinstance(screen, Restylable):
                    screen.restyle()
            self.refresh()

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Textual's own, and what keeps every text readable."""
        return [*super().get_line_filters(), self._readable]

    def apply_settings(self) -> None:
        """Put the settings into effect."""
        self.theme = self._known_theme()
        # the gentle sliding of Textual is all the animation there is
        self.animation_level = "full" if self.settings.animation else "none"

    def _known_theme(self) -> str:
        """The name of the theme of the palette, which Textual knows from now on."""
        name = themes.theme_name(self.palette.name, self.palette.depth)
        if name not in self.available_themes:
            self.register_theme(themes.theme_of(self.palette))
        return name

    def watch_settings(self) -> None:
        """Others have been set: keep them where that is wanted."""
        self.apply_settings()
        if self.stored:
            try:
                save_settings(self.settings)
            except OSError as error:
                self.notify(f"The settings could not be stored: {error}", severity="warning")

    # --- keys -----------------------------------------------------------------------------------------------------

    def store_keymap(self, own: dict[str, str], bindings: tuple[keymap.KeyBinding, ...]) -> None:
        """Take other keys and keep them. Args: the player's keys by binding id; every binding of the program."""
        self.own_keys = own
        self.set_keymap(own)
        if self.stored:
            try:
                keymap.save_keymap(bindings, own)
            except OSError as error:
                self.notify(f"The keys could not be stored: {error}", severity="warning")

    def key_of(self, id_: str, default: str) -> str:
        """The key of a binding as people write it."""
        return keymap.key_name(self.own_keys.get(id_, default))

    # --- messages -------------------------------------------------------------------------------------------------

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = False,
    ) -> None:
        """Say something in a corner of the screen, as it is: whatever is asked for, nothing in it is markup.

        What was said before goes, unless something is wrong with the game itself (an error): messages never pile up.
        """
        if not any(said.severity == "error" for said in self._notifications):
            self.clear_notifications()
        super().notify(message, title=title, severity=severity, timeout=timeout, markup=False)
        self._told_at = self.keyboard.heard
        if self.screen_stack and isinstance(self.screen, MakesRoom):
            self.screen.make_room_for_messages()

    def forget_older_messages(self) -> None:
        """Remove messages that an earlier key brought. Warnings and errors stay."""
        if self._told_at == self.keyboard.heard:
            return
        for said in list(self._notifications):
            if said.severity == "information":
                del self._notifications[said]

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
