"""What a statesman would do in the player's place: up to three acts, each with its reason and what it would bring."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.events import Key
from textual.widgets.option_list import Option

from paxtui.table.desk.advice import Advice, about
from paxtui.table.session import Session
from paxtui.tui.boxes.pick import LETTERS
from paxtui.tui.stage.prose import Keys, Prose, Rows
from paxtui.tui.stage.screen import PaxOverlay
from paxtui.tui.writing.effects import sentences
from paxtui.tui.writing.wrapping import hanging

WIDTH = 92
"""Cells of the box at most."""
FRAME = 10
"""Cells of it that are not text."""


class AdviceScreen(PaxOverlay[tuple[str, ...] | None]):
    """Answers with the orders that the player takes.

    Args: the open game; the acts.
    """

    TOPIC = "advice"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,g", "close", "Close", id="advice.close", tooltip="Take none of it"),
    ]

    def __init__(self, session: Session, acts: Sequence[Advice]) -> None:
        super().__init__()
        self._session, self._acts = session, list(acts)

    def compose(self) -> ComposeResult:
        """The acts, a paragraph each."""
        room = min(WIDTH, self.app.size.width - 4) - FRAME
        with Vertical(classes="box"):
            yield Prose("What a statesman would do", classes="title")
            rows = [Option(self._told(n, act, room), id=str(n)) for n, act in enumerate(self._acts)]
            yield Rows(*rows, id="advice")
            yield Keys(self.keyed("a letter or Enter does it · {advice.close} leaves it"))

    def _told(self, n: int, act: Advice, room: int) -> Text:
        """An act with its reason and what it would bring."""
        s, look = self._session, self.look
        parts = [Text.assemble((f"{LETTERS[n]} ", look.key), (act.text, "bold"))]
        if said := about(s, act.texts[0]):
            parts.append(Text(f"  {said}"))
        if act.why:
            parts.append(Text(f"  {act.why}.".replace("..", "."), look.faint))
        if act.foresight is not None:
            brings = sentences(s, look, act.foresight)
            parts += [Text("  ").append_text(brings)] if brings else []
        return look.signs(Text("\n").join(hanging(part, room, 2) for part in parts))

    def on_mount(self) -> None:
        """The first is under the cursor."""
        self.query_one(".box").styles.width = min(WIDTH, self.app.size.width - 4)
        rows = self.query_one(Rows)
        self.set_focus(rows)
        rows.highlighted = 0

    @on(Rows.OptionSelected)
    def _selected(self, event: Rows.OptionSelected) -> None:
        self.dismiss(self._acts[event.option_index].texts)

    def on_key(self, event: Key) -> None:
        """A letter takes its act."""
        if event.character and event.character in LETTERS[: len(self._acts)]:
            event.stop()
            self.dismiss(self._acts[LETTERS.index(event.character)].texts)

    def action_close(self) -> None:
        """Take none."""
        self.dismiss(None)
