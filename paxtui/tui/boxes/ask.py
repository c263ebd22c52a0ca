"""One line of words asked for: a name, a file, a note."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input

from paxtui.tui.stage.prose import Keys, Prose
from paxtui.tui.stage.screen import PaxOverlay


class AskScreen(PaxOverlay[str | None]):
    """Answers with the words, or with nothing where one leaves.

    Args:
        title: what is asked for.
        value: what stands there already.
        wrong: says what is wrong with words, "" for good ones; the question stays until they are good.
        hint: what stands in an empty line.
    """

    TOPIC = "ask"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Close", id="ask.close", tooltip="Leave everything as it is"),
    ]

    def __init__(
        self, title: str, value: str = "", wrong: Callable[[str], str] = lambda words: "", hint: str = ""
    ) -> None:
        super().__init__()
        self._title, self._value, self._wrong, self._hint = title, value, wrong, hint

    def compose(self) -> ComposeResult:
        """Title, the line, and what is wrong with it."""
        with Vertical(classes="box"):
            yield Prose(self._title, classes="title")
            yield Input(self._value, placeholder=self._hint, id="ask")
            yield Prose(id="ask-wrong", classes="note")
            yield Keys(self.keyed("Enter takes it · {ask.close} leaves it"))

    def on_mount(self) -> None:
        """The line has focus."""
        self.set_focus(self.query_one(Input))

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        wrong = self._wrong(event.value)
        if wrong:
            self.query_one("#ask-wrong", Prose).update(wrong)
        else:
            self.dismiss(event.value.strip())

    def action_close(self) -> None:
        """Leave everything as it is."""
        self.dismiss(None)
