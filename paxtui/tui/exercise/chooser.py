"""A list of choices that typing filters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.events import Key
from textual.widgets import Input
from textual.widgets.option_list import Option

from paxtui.tui.stage.prose import Keys, Prose, Rows
from paxtui.tui.stage.screen import PaxOverlay


class ChooserScreen(PaxOverlay[int | None]):
    """Return the index of the chosen line, None if the player leaves.

    Args:
        title: what is chosen.
        lines: the choices.
        hint: what stands in the empty input line.
    """

    TOPIC = "chooser"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Close", id="chooser.close", tooltip="Close the list without a choice"),
    ]

    def __init__(self, title: str, lines: Sequence[str], hint: str = "type to filter") -> None:
        super().__init__()
        self._title, self._lines, self._hint = title, tuple(lines), hint
        self._shown: list[int] = []

    def compose(self) -> ComposeResult:
        """Show the title, the input line and the choices."""
        with Vertical(classes="box"):
            yield Prose(self._title, classes="title")
            yield Input(placeholder=self._hint, id="chooser-filter")
            yield Rows(id="chooser-list")
            yield Keys(self.keyed("↑ ↓ move · Enter choose · {chooser.close} cancel"))

    def on_mount(self) -> None:
        """Fill the list and listen to the keyboard."""
        self.query_one(Rows).can_focus = False
        self.set_focus(self.query_one(Input))
        self._filter("")

    def _filter(self, text: str) -> None:
        words = text.casefold().split()
        found = [n for n, line in enumerate(self._lines) if all(word in line.casefold() for word in words)]
        # goals whose name begins with what is typed stand first
        self._shown = sorted(found, key=lambda n: not self._lines[n].casefold().startswith(text.casefold()))
        rows = self.query_one(Rows)
        rows.clear_options()
        rows.add_options(Option(self.look.palette.text(self._lines[n])) for n in self._shown)
        rows.highlighted = 0 if self._shown else None

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        self._filter(event.value)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        at = self.query_one(Rows).highlighted
        if at is not None and at < len(self._shown):
            self.dismiss(self._shown[at])

    @on(Rows.OptionSelected)
    def _clicked(self, event: Rows.OptionSelected) -> None:
        event.stop()
        self.dismiss(self._shown[event.option_index])

    def on_key(self, event: Key) -> None:
        """Move in the list while the input line has the keyboard."""
        rows = self.query_one(Rows)
        moves = {
            "up": rows.action_cursor_up,
            "down": rows.action_cursor_down,
            "pageup": rows.action_page_up,
            "pagedown": rows.action_page_down,
        }
        if event.key in moves:
            event.stop()
            moves[event.key]()

    def action_close(self) -> None:
        """Close the list without a choice."""
        self.dismiss(None)
