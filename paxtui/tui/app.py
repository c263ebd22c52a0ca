"""The Textual app: opens games, keeps the settings, and owns nothing of the rules."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.screen import Screen

from paxtui.table.resources import style_path
from paxtui.tui.map.palette import PALETTES, Palette
from paxtui.tui.settings import Settings, load_settings


class PaxApp(App[int]):
    """Pax Britannica at this keyboard.

    Args:
        path: a saved game to open at once; without one the start screen comes first.
        settings: overrides what is stored, for tests and `--theme`.
        tables_dir: a directory of replacement tables for new games.
    """

    CSS_PATH = None
    TITLE = "Pax Britannica"
    ENABLE_COMMAND_PALETTE = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", "Quit", id="app.quit", tooltip="Leave; nothing is lost", show=False, priority=True),
    ]

    def __init__(
        self, path: Path | None = None, settings: Settings | None = None, tables_dir: Path | None = None
    ) -> None:
        self.settings = settings or load_settings()
        self.tables_dir = tables_dir
        self.open_path = path
        super().__init__(css_path=sorted(style_path().glob("*.tcss")))

    @property
    def palette(self) -> Palette:
        """The palette that the settings name."""
        palette = PALETTES.get(self.settings.palette, PALETTES["dark"])
        return palette.in_ascii() if self.settings.ascii else palette

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """The palette (ctrl+p): everything that a key of the screen does, and Textual's own commands."""
        for binding in type(screen).BINDINGS:
            if isinstance(binding, Binding) and binding.id:
                key = binding.key.replace("_", " ")
                act = partial(screen.run_action, binding.action)
                yield SystemCommand(binding.description, f"{binding.tooltip} ({key})", act)
        yield from super().get_system_commands(screen)

    def on_mount(self) -> None:
        """Open the game asked for, or the start screen."""
        self.theme = "textual-light" if self.settings.palette == "light" else "textual-dark"
        if self.open_path is not None:
            from paxtui.tui.screens.game import open_game

            self.push_screen(open_game(self.open_path))
        else:
            from paxtui.tui.screens.start import StartScreen

            self.push_screen(StartScreen())
