"""Setting up a new game."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input
from textual.widgets.option_list import Option

from paxtui.engine.refusal import Refusal
from paxtui.pax.position.setup import check_options, seats_for
from paxtui.pax.state.options import in_texts
from paxtui.table.tables import load_tables
from paxtui.tui.front.opening import new_game
from paxtui.tui.stage.prose import Prose, Rows
from paxtui.tui.stage.screen import PaxScreen


class NewGameScreen(PaxScreen[None]):
    """Players, options and seed of a new game."""

    TOPIC = "new"
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
            yield Prose("A new game", classes="title")
            yield Prose(id="players")
            yield Rows(id="options")
            yield Prose(id="option-help", classes="note")
            yield Input(placeholder="seed of the dice (empty: a fresh one)", id="seed")
            yield Prose("← → players · Enter changes an option · Tab seed · F10 starts · Esc back", classes="note")

    def on_mount(self) -> None:
        """Load the options and show them."""
        self.tables = load_tables(self.app.tables_dir)
        self._show(0)
        self.set_focus(self.query_one(Rows))

    def _show(self, row: int) -> None:
        seats = seats_for(self.players)
        text = Text(f"{self.players} players: ")
        text.append(", ".join(self.tables.powers[p].name for p in seats), "bold")
        text.append("\nMinor Powers play themselves; Germany also plays Austria-Hungary.")
        self.query_one("#players", Prose).update(text)
        rows = self.query_one(Rows)
        rows.clear_options()
        rows.add_option(Option("▶ Start the game", id="start"))
        chosen = in_texts(check_options(self.tables, self.options))  # an edition sets others
        for option in self.tables.options.values():
            if option.id == "belgium":
                continue
            value = chosen[option.id]
            mark = "" if value == option.default else " *"
            rows.add_option(Option(f"{option.id.replace('_', ' ')}: {value}{mark}", id=option.id))
        rows.highlighted = row

    @on(Rows.OptionHighlighted)
    def _highlighted(self, event: Rows.OptionHighlighted) -> None:
        option = self.tables.options.get(event.option_id or "")
        text = f"{option.help} [{', '.join(option.rules)}]" if option else "Everything is deployed as in 1880."
        self.query_one("#option-help", Prose).update(Text(text))

    @on(Rows.OptionSelected)
    def _selected(self, event: Rows.OptionSelected) -> None:
        if event.option_id == "start":
            self.action_start()
            return
        option = self.tables.options[event.option_id or ""]
        value = in_texts(check_options(self.tables, self.options))[option.id]
        following = option.values[(option.values.index(value) + 1) % len(option.values)]
        self.options[option.id] = following
        self._show(event.option_index)

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self.action_start()

    def action_more(self) -> None:
        """One player more."""
        self.players = min(8, self.players + 1)
        self._show(self.query_one(Rows).highlighted or 0)

    def action_fewer(self) -> None:
        """One player fewer."""
        self.players = max(4, self.players - 1)
        self._show(self.query_one(Rows).highlighted or 0)

    def action_back(self) -> None:
        """Back to the start screen."""
        self.dismiss(None)

    def action_start(self) -> None:
        """Start the game."""
        options = dict(self.options)
        if self.players == 8:
            options["belgium"] = "yes"
        seed = self.query_one("#seed", Input).value.strip()
        try:
            screen = new_game(seats_for(self.players), seed, options, self.app.tables_dir)
        except Refusal as refusal:
            self.notify(refusal.message, severity="error")
            return
        self.app.switch_screen(screen)
