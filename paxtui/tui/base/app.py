"""The app as every screen sees it: settings, keymap, colours, messages. It knows no concrete screens (see
`paxtui.tui.app`).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

from textual.events import AppBlur, AppFocus, Event, Key, MouseDown, Paste
from textual.filter import LineFilter
from textual.notifications import SeverityLevel
from textual.reactive import reactive
from textual.screen import Screen

from paxtui.session.storage.files import style_path
from paxtui.tui import themes
from paxtui.tui.base import keymap
from paxtui.tui.base.settings import Settings, load_settings, save_settings
from paxtui.tui.colors import DEFAULT, DEPTH_NAMES, Depth, Palette, palette_of
from paxtui.tui.formatting.look import Look
from paxtui.tui.rendering.ansi_writer import depth_of, needs_ascii
from paxtui.tui.rendering.app import RenderingApp
from paxtui.tui.rendering.compositor import RenderingScreen
from paxtui.tui.rendering.prepared_screens import PreparedScreens, ScreenRecipe
from paxtui.tui.rendering.terminal_notifications import KINDS, is_in_tmux, notification_codes, notification_kind
from paxtui.tui.themes import ContrastFilter

if TYPE_CHECKING:
    from paxtui.session.bot_process import BotProcess

Answer = TypeVar("Answer")
UNWATCHED_S = 60.0
"""Seconds without a key after which the window of a terminal that reports no focus counts as not watched."""


SharePage = Callable[[Path, str, Path, Path | None], int]
"""Writes the page of a game and returns how many comments it leaves out because its view does not show their lines.

Args: the log; a seat, SPECTATOR or ARBITER; the page; the study, None for the one beside the log.

Raises: Refusal, OSError.
"""


class BaseApp(RenderingApp):
    """An app with the player's settings.

    Args:
        settings: overrides the stored settings, for tests and screenshots.
        tables_dir: a directory of replacement tables for new games.

    Attributes:
        stored: whether changed settings are saved.
        poor: the terminal lacks the signs of the map; ASCII is used whatever the settings say.
        own_keys: the player's keys by binding id.
        is_on_server: whether the player is a visitor of a server, whose files and processors are not theirs.
        player_name: the name for comments; "" for that of the system.
        share_page: writes the page of a game for friends; None where that is impossible.
        leisurely: whether bot moves are shown one by one and saves run in the background. False without a terminal:
            drawing then waits for both.
    """

    settings: reactive[Settings] = reactive(Settings, init=False)

    def __init__(self, settings: Settings | None = None, tables_dir: Path | None = None) -> None:
        self.stored = settings is None
        self.poor = self.stored and needs_ascii(os.environ, getattr(sys.__stderr__, "encoding", None))
        self.own_keys: dict[str, str] = {}
        self.tables_dir = tables_dir
        self._window = self._title_text = ""
        self._alerted = self._reports_focus = False
        self._has_focus, self._active_at = True, monotonic()
        self._notified_at = 0  # key count at the last message
        super().__init__(css_path=[str(path) for path in sorted(style_path().glob("*.tcss"))])
        self.set_reactive(BaseApp.settings, settings or load_settings())
        self._has_all_colours = False
        self.leisurely = False
        self.is_on_server, self.player_name = False, ""
        self.share_page: SharePage | None = None
        self.prepared = PreparedScreens(self, lambda: (self.settings, self.own_keys, self.theme, self.size))
        self._look, self._looks_like = Look(DEFAULT), (DEFAULT.name, False, Depth.ALL, False)
        self._readable = ContrastFilter(Depth.ALL)
        # set now: a later theme change would parse all style sheets again
        self.set_reactive(BaseApp.theme, self._known_theme())
        self.stylesheet.set_variables(self.get_css_variables())

    @cached_property
    def thinker(self) -> BotProcess:
        """Return the bot process. Created on first use: it imports the bots and the rules."""
        from paxtui.session.bot_process import BotProcess

        return BotProcess()

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Return the variables of the style sheets, for Textual's own themes."""
        return dict(themes.ROLES)

    # --- colours and signs ----------------------------------------------------------------------------------------

    @property
    def palette(self) -> Palette:
        """Return the palette of the settings."""
        return self.look.palette

    @property
    def look(self) -> Look:
        """Return the resolved palette."""
        s = self.settings
        wanted = s.palette, s.ascii or self.poor, self.depth, s.reasons == "at once"
        if self._looks_like != wanted:
            self._looks_like = wanted
            self._look = Look(palette_of(*wanted[:3]), wanted[3])
            self._readable = ContrastFilter(self.depth)
        return self._look

    @property
    def depth(self) -> Depth:
        """Return the colour depth of the settings or of the terminal.

        Headless apps (tests, screenshots) use all colours.
        """
        known = Depth.ALL if self._has_all_colours or self.is_headless else depth_of(self.console)
        return DEPTH_NAMES.get(self.settings.colours, known)

    def has_all_colours(self) -> None:
        """Handle the terminal's answer that it has 24-bit colour: redraw."""
        self._has_all_colours = True
        if self.settings.colours not in DEPTH_NAMES:
            self.apply_settings()
            self.sheet.clear()
            for screen in self.screen_stack:
                if isinstance(screen, RenderingScreen):
                    screen.restyle()
            self.refresh()

    def recipes(self) -> Iterable[ScreenRecipe[Any]]:
        """Return how the screens are shown that open over each other screen."""
        return ()

    def open_screen(self, recipe: ScreenRecipe[None]) -> None:
        """Open a screen, the prepared one if it is up to date."""
        self.push_screen(self.prepared.take(recipe))

    def ask(
        self, dialog: Screen[Answer | None] | ScreenRecipe[Answer | None], then: Callable[[Answer], object]
    ) -> None:
        """Open a dialog; call `then` with the answer, unless the player cancels or says no."""

        def answered(answer: Answer | None) -> None:
            if answer is not None and answer is not False:
                then(answer)

        self.push_screen(self.prepared.take(dialog) if isinstance(dialog, ScreenRecipe) else dialog, answered)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return Textual's filters and the contrast filter."""
        return [*super().get_line_filters(), self._readable]

    def apply_settings(self) -> None:
        self.theme = self._known_theme()
        # the only animation is Textual's smooth scrolling
        self.animation_level = "full" if self.settings.animation else "none"

    def _known_theme(self) -> str:
        """Register the theme of the palette and return its name."""
        name = themes.theme_name(self.palette.name, self.palette.depth)
        if name not in self.available_themes:
            self.register_theme(themes.theme_of(self.palette))
        return name

    def watch_settings(self) -> None:
        """Apply changed settings and save them if `stored`."""
        self.apply_settings()
        if self.stored:
            try:
                save_settings(self.settings)
            except OSError as error:
                self.notify(f"The settings could not be stored: {error}", severity="warning")

    # --- keys -----------------------------------------------------------------------------------------------------

    def store_keymap(self, own: dict[str, str], bindings: tuple[keymap.KeyBinding, ...]) -> None:
        """Apply and save a keymap. Args: the player's keys by binding id; every binding of the program."""
        self.own_keys = own
        self.set_keymap(own)
        if self.stored:
            try:
                keymap.save_keymap(bindings, own)
            except OSError as error:
                self.notify(f"The keys could not be stored: {error}", severity="warning")

    def key_of(self, id_: str, default: str) -> str:
        """Return the readable key of a binding."""
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
        """Show a message in a corner of the screen. `markup` is ignored: texts are always plain.

        Earlier messages close, except errors.
        """
        if not any(shown.severity == "error" for shown in self._notifications):
            self.clear_notifications()
        super().notify(message, title=title, severity=severity, timeout=timeout, markup=False)
        self._notified_at = self.keyboard.heard
        if self.screen_stack and isinstance(self.screen, RenderingScreen):
            self.screen.make_room_for_messages()

    def clear_notifications(self) -> None:
        """Close all messages, with their places: Textual leaves an empty row for each."""
        super().clear_notifications()
        for screen in self.screen_stack:
            for holder in screen.query("ToastHolder"):
                holder.display = False
                if not holder.children:  # Textual has removed its message; a place with one must not be removed twice
                    holder.remove()

    @property
    def has_messages(self) -> bool:
        """Return whether a message is shown."""
        return bool(self._notifications)

    def forget_older_messages(self) -> None:
        """Close messages of earlier keys. Warnings and errors stay."""
        if self._notified_at == self.keyboard.heard:
            return
        for shown in list(self._notifications):
            if shown.severity == "information":
                del self._notifications[shown]

    def window_title(self, text: str) -> None:
        """Set the window title if the settings allow it. A mark precedes it until the player has seen an alert."""
        self._title_text = text
        shown = f"(!) {text}" if self._alerted else text
        if self.settings.title and shown != self._window:
            self._window = shown
            clean = "".join(c for c in shown if c.isprintable())
            self.write_codes(f"\x1b]2;{clean}\x07")

    def write_codes(self, codes: str) -> None:
        """Write codes to the terminal that change no cell of the screen."""
        if self._driver is not None and not self.is_headless:
            self._driver.write(codes)

    # --- a player who looks elsewhere -----------------------------------------------------------------------------

    async def on_event(self, event: Event) -> None:
        """Note whether the player looks at the window."""
        if isinstance(event, AppFocus | AppBlur):
            self._reports_focus, self._has_focus = True, isinstance(event, AppFocus)
        if isinstance(event, AppFocus | Key | Paste | MouseDown):
            self._active_at = monotonic()
            if self._alerted:
                self._alerted = False
                self.window_title(self._title_text)
        await super().on_event(event)

    @property
    def is_watched(self) -> bool:
        """Return whether the player looks at the window.

        A terminal that never reports its focus is watched for `UNWATCHED_S` after the last key.
        """
        return self._has_focus if self._reports_focus else monotonic() - self._active_at < UNWATCHED_S

    def alert(self, text: str) -> None:
        """Let the terminal show a notification if the player looks elsewhere and the settings allow it."""
        wanted = self.settings.notifications
        if wanted == "off" or self.is_watched:
            return
        program = str(getattr(getattr(self._driver, "answers", None), "program", ""))
        kind = next((kind for kind in KINDS if kind == wanted), None) or notification_kind(program)
        self.write_codes(notification_codes(kind, "paxtui", text, is_in_tmux(program)))
        self._alerted = True
        self.window_title(self._title_text)

    def ring(self) -> None:
        """Ring the bell if the settings allow it."""
        if self.settings.bell:
            self.bell()
