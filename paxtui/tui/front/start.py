"""The first screen: a new game, the saved ones, the tutorial, the rules."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets.option_list import Option

from paxtui.pax.position.setup import new_game, seats_for
from paxtui.table.games.saves import Summary, list_games
from paxtui.table.store import save_dir
from paxtui.table.tables import load_tables
from paxtui.tui.front.new_game import NewGameScreen
from paxtui.tui.front.opening import open_game
from paxtui.tui.game.scene_of import scene
from paxtui.tui.learning.games import open_tutorial
from paxtui.tui.map.scene import Scene
from paxtui.tui.map.world_map import WorldMap
from paxtui.tui.reading.reading import GlossaryScreen, RulesScreen
from paxtui.tui.stage.prose import Prose, Rows
from paxtui.tui.stage.screen import PaxScreen

TITLE = """P A X   B R I T A N N I C A

the colonial era, 1880 to the Great War"""
MOST = 30
"""Saved games that the list shows."""


class StartScreen(PaxScreen[None]):
    """What to play."""

    TOPIC = "start"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "new", "New game", id="start.new", tooltip="Set up a new game"),
        Binding("l", "learn", "Learn", id="start.learn", tooltip="Learn the game by playing a first turn"),
        Binding("f2", "rules", "Rules", id="start.rules", tooltip="Read and search the rules"),
        Binding("f3", "glossary", "Glossary", id="start.glossary", tooltip="The words and signs of the game"),
        Binding("q,escape", "leave", "Quit", id="start.quit", tooltip="Leave"),
    ]

    def compose(self) -> ComposeResult:
        """The world of 1880, and in front of it title and list."""
        backdrop = WorldMap(
            scene=world_of_1880(self.app.tables_dir), cursor="", palette=self.app.palette, id="backdrop"
        )
        backdrop.can_focus = False
        yield backdrop
        with Vertical(classes="box"):
            yield Prose(TITLE, classes="title")
            yield Prose()
            yield Rows(id="games")
            yield Prose("\n↑↓ Enter choose · n new game · F1 help · F2 rules · q quit", classes="note")

    def on_mount(self) -> None:
        """Fill the list."""
        self._fill()

    def on_screen_resume(self) -> None:
        """A game may have been added meanwhile."""
        self._fill()

    def _fill(self) -> None:
        rows = self.query_one(Rows)
        rows.clear_options()
        rows.add_option(Option("New game", id="new"))
        rows.add_option(Option("Learn: a played first turn", id="learn"))
        self._paths: list[Path] = []
        for i, game in enumerate(list_games(save_dir())[:MOST]):
            self._paths.append(game.path)
            rows.add_option(Option(describe_game(game), id=f"game{i}"))
        rows.add_option(Option("Rules of the game", id="rules"))
        rows.add_option(Option("Quit", id="quit"))
        rows.highlighted = 2 if self._paths else 0
        self.set_focus(rows)

    @on(Rows.OptionSelected)
    def _chosen(self, event: Rows.OptionSelected) -> None:
        what = event.option_id or ""
        if what.startswith("game"):
            try:
                self.app.push_screen(open_game(self._paths[int(what.removeprefix("game"))]))
            except Exception as error:
                self.notify(str(error), title="This game cannot be opened", severity="error", timeout=12)
        elif what == "new":
            self.action_new()
        elif what == "learn":
            self.action_learn()
        elif what == "rules":
            self.action_rules()
        else:
            self.action_leave()

    def action_new(self) -> None:
        """Set up a new game."""
        self.app.push_screen(NewGameScreen())

    def action_learn(self) -> None:
        """Play the tutorial, from where it was left."""
        try:
            self.app.push_screen(open_tutorial(self.app.tables_dir))
        except Exception as error:
            self.notify(str(error), title="The tutorial cannot be opened", severity="error", timeout=12)

    def action_rules(self) -> None:
        """Read the rules."""
        self.app.push_screen(RulesScreen())

    def action_glossary(self) -> None:
        """The words of the game."""
        self.app.push_screen(GlossaryScreen())

    def action_leave(self) -> None:
        """Leave."""
        self.app.exit(0)


def world_of_1880(tables_dir: Path | None = None) -> Scene:
    """The map with everything deployed. Args: a directory of replacement tables."""
    tables = load_tables(tables_dir)
    return scene(tables, new_game(tables, seats_for(7), {}), "")


def describe_game(game: Summary) -> Text:
    """A saved game in one line."""
    if game.error:
        return Text(f"{game.path.stem}: {game.error}", style="red")
    when = datetime.fromtimestamp(game.path.stat().st_mtime).strftime("%Y-%m-%d %H:%M")
    return Text(f"Continue {game.path.stem} · {len(game.seats)} seats · {game.version} lines · {when}")
