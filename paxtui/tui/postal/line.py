"""The box in which an order is written: what is wrong with it, or what it would bring, stands below while one types."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.binding import Binding, BindingType
from textual.widgets import Input

from paxtui.tui.boxes.ask import AskScreen
from paxtui.tui.stage.prose import Prose


class LineScreen(AskScreen):
    """Answers with the line, or with nothing where one leaves.

    Args: what is asked for; what stands there; says of a line what is to be said, and whether it can be taken.
    """

    TOPIC = "order_sheet"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Close", id="ask.close", tooltip="Leave everything as it is"),
    ]

    def __init__(self, title: str, value: str, says: Callable[[str], Text]) -> None:
        super().__init__(title, value, hint="place protectorate tunis if britain places protectorate egypt")
        self._says = says

    def on_mount(self) -> None:
        """Say at once what there is to say."""
        super().on_mount()
        self._tell(self.query_one(Input).value)

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        self._tell(event.value)

    def _tell(self, line: str) -> None:
        self.query_one("#ask-wrong", Prose).update(self._says(line) if line.strip() else Text(""))
