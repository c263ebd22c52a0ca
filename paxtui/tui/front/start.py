"""The first screen: a new game, the saved ones, the rules; and the screen that sets a new game up."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import Screen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from paxtui.engine.refusal import Refusal
from paxtui.pax.position.setup import check_options, seats_for
from paxtui.table.saves import list_games
from paxtui.table.store import save_dir
from paxtui.tui.map.scene import Scene
from paxtui.tui.map.world_map import WorldMap

TITLE = """P A X   B R I T A N N I C A

the colonial era, 1880 to the Great War"""


class StartScreen(Screen[None]):
    """What to play."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "new", "New game", id="start.new", tooltip="Set up a new game"),
        Binding("l", "learn", "Learn", id="start.learn", tooltip="Learn the game by playing a first turn"),
        Binding("f2", "rules", "Rules", id="start.rules", tooltip="Read and search the rules"),
        Binding("f3", "glossary", "Glossary", id="start.glossary", tooltip="The words and signs of the game"),
        Binding("q,escape", "leave", "Quit", id="start.quit", tooltip="Leave"),
    ]

    def compose(self) -> ComposeResult:
        """The world of 1880, and in front of it title and list."""
        palette = self.app.palette  # type: ignore[attr-defined]
        backdrop = WorldMap(scene=world_of_1880(self.app), cursor="", palette=palette, id="backdrop")
        backdrop.can_focus = False
        yield backdrop
        with Vertical(classes="box"):
            yield Static(TITLE, classes="title")
            yield Static("")
            yield OptionList(id="games")
            yield Static("\n↑↓ Enter choose · n new game · F1 help · F2 rules · q quit", classes="note")

    def on_mount(self) -> None:
        """Fill the list."""
        self._fill()

    def on_screen_resume(self) -> None:
        """A game may have been added meanwhile."""
        self._fill()

    def _fill(self) -> None:
        rows = self.query_one(OptionList)
        rows.clear_options()
        rows.add_option(Option("New game", id="new"))
        rows.add_option(Option("Learn: a played first turn", id="learn"))
        self._paths: list[Path] = []
        for i, game in enumerate(list_games(save_dir())[:30]):
            self._paths.append(game.path)
            rows.add_option(Option(describe_game(game), id=f"game{i}"))
        rows.add_option(Option("Rules of the game", id="rules"))
        rows.add_option(Option("Quit", id="quit"))
        rows.highlighted = 2 if self._paths else 0
        self.set_focus(rows)

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        what = event.option_id or ""
        if what.startswith("game"):
            from paxtui.tui.game.screen import open_game

            try:
                self.app.push_screen(open_game(self._paths[int(what[4:])]))
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
        """Play the tutorial."""
        from paxtui.tui.learning.tutorial import new_tutorial

        try:
            self.app.push_screen(new_tutorial(self.app.tables_dir))  # type: ignore[attr-defined]
        except Exception as error:
            self.notify(str(error), title="The tutorial cannot be opened", severity="error", timeout=12)

    def action_rules(self) -> None:
        """Read the rules."""
        from paxtui.tui.reading.rules import RulesScreen

        self.app.push_screen(RulesScreen())

    def action_glossary(self) -> None:
        """The words of the game."""
        from paxtui.tui.reading.glossary import GlossaryScreen

        self.app.push_screen(GlossaryScreen())

    def action_leave(self) -> None:
        """Leave."""
        self.app.exit(0)


def world_of_1880(app: object) -> Scene:
    """The map with everything deployed."""
    from paxtui.pax.position.setup import new_game
    from paxtui.table.tables import load_tables
    from paxtui.tui.game.scene_of import scene

    tables = load_tables(app.tables_dir)  # type: ignore[attr-defined]
    return scene(tables, new_game(tables, seats_for(7), {}), "")


def describe_game(game: object) -> Text:
    """A saved game in one line."""
    path: Path = game.path  # type: ignore[attr-defined]
    error = getattr(game, "error", "")
    if error:
        return Text(f"{path.stem}: {error}", style="red")
    when = datetime.fromtimestamp(path.stat().st_mtime).strftime("%Y-%m-%d %H:%M")
    seats = len(getattr(game, "seats", ()) or ())
    return Text(f"Continue {path.stem} · {seats} seats · {getattr(game, 'version', '?')} lines · {when}")


class NewGameScreen(Screen[None]):
    """Players, options and seed of a new game."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back", id="new.back", tooltip="Back to the start screen"),
        Binding("plus,right", "more", "More players", id="new.more", tooltip="One player more"),
        Binding("minus,left", "fewer", "Fewer players", id="new.fewer", tooltip="One player fewer"),
        Binding("ctrl+s,f10", "start", "Start", id="new.start", tooltip="Start the game"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.players = 7
        self.options: dict[str, str] = {}

    def compose(self) -> ComposeResult:
        """The settings of the game."""
        with Vertical(classes="box"):
            yield Static("A new game", classes="title")
            yield Static("", id="players")
            yield OptionList(id="options")
            yield Static("", id="option-help", classes="note")
            yield Input(placeholder="seed of the dice (empty: a fresh one)", id="seed")
            yield Static("← → players · Enter changes an option · Tab seed · F10 starts · Esc back", classes="note")

    def on_mount(self) -> None:
        """Load the options and show them."""
        from paxtui.table.tables import load_tables

        self.tables = load_tables(self.app.tables_dir)  # type: ignore[attr-defined]
        self._show(0)
        self.set_focus(self.query_one(OptionList))

    def _show(self, row: int) -> None:
        seats = seats_for(self.players)
        text = Text(f"{self.players} players: ")
        text.append(", ".join(self.tables.powers[p].name for p in seats), "bold")
        text.append("\nMinor Powers play themselves; Germany also plays Austria-Hungary.")
        self.query_one("#players", Static).update(text)
        rows = self.query_one(OptionList)
        rows.clear_options()
        rows.add_option(Option("▶ Start the game", id="start"))
        chosen = check_options(self.tables, self.options)  # an edition sets others
        for option in self.tables.options.values():
            if option.id == "belgium":
                continue
            value = chosen[option.id]
            mark = "" if value == option.default else " *"
            rows.add_option(Option(f"{option.id.replace('_', ' ')}: {value}{mark}", id=option.id))
        rows.highlighted = row

    @on(OptionList.OptionHighlighted)
    def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        option = self.tables.options.get(event.option_id or "")
        text = f"{option.help} [{', '.join(option.rules)}]" if option else "Everything is deployed as in 1880."
        self.query_one("#option-help", Static).update(Text(text))

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_id == "start":
            self.action_start()
            return
        option = self.tables.options[event.option_id or ""]
        value = check_options(self.tables, self.options)[option.id]
        following = option.values[(option.values.index(value) + 1) % len(option.values)]
        self.options[option.id] = following
        self._show(event.option_index)

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self.action_start()

    def action_more(self) -> None:
        """One player more."""
        self.players = min(8, self.players + 1)
        self._show(self.query_one(OptionList).highlighted or 0)

    def action_fewer(self) -> None:
        """One player fewer."""
        self.players = max(4, self.players - 1)
        self._show(self.query_one(OptionList).highlighted or 0)

    def action_back(self) -> None:
        """Back to the start screen."""
        self.app.pop_screen()

    def action_start(self) -> None:
        """Start the game."""
        from paxtui.tui.game.screen import new_game

        options = dict(self.options)
        if self.players == 8:
            options["belgium"] = "yes"
        seed = self.query_one("#seed", Input).value.strip()
        try:
            screen = new_game(seats_for(self.players), seed, options, self.app.tables_dir)  # type: ignore[attr-defined]
        except Refusal as refusal:
            self.notify(refusal.message, severity="error")
            return
        self.app.switch_screen(screen)
