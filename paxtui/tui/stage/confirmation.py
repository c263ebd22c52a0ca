"""A question before something that cannot simply be taken back: `y` does it, every other way leaves all as it is."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical

from paxtui.tui.stage.prose import Prose
from paxtui.tui.stage.screen import PaxOverlay
from paxtui.tui.swift.type_ahead import SeenFirst


class Confirmation(SeenFirst, PaxOverlay[bool | None]):
    """Asks; the answer is True only after `y`, a key that nobody holds down by chance.

    Args:
        title: what it is about.
        told: what would follow, in whole sentences.
        yes: what `y` does, in a word or two.
    """

    TOPIC = "confirmation"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "yes", "Yes", id="confirm.yes", tooltip="Do it"),
        Binding("escape,n", "no", "No", id="confirm.no", tooltip="Leave everything as it is"),
    ]

    def __init__(self, title: str, told: str, yes: str = "do it") -> None:
        super().__init__()
        self._title, self._told, self._yes = title, told, yes

    def compose(self) -> ComposeResult:
        """The question and its two keys."""
        with Vertical(classes="box"):
            yield Prose(self._title, classes="title")
            yield Prose(self.look.palette.text(self._told))
            yes, no = self.keyed("{confirm.yes}"), self.keyed("{confirm.no}")
            yield Prose(f"\n{yes} {self._yes} · {no} leaves everything as it is", classes="note")

    def action_yes(self) -> None:
        """Do it."""
        self.dismiss(True)

    def action_no(self) -> None:
        """Leave everything as it is."""
        self.dismiss(False)
