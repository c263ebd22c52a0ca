"""An attack before it is ordered: its odds for each set of allies that may join."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets.option_list import Option

from paxtui.pax.board.tables import Tables
from paxtui.pax.reports.war.odds import Assault
from paxtui.pax.words.spoken import powers_named
from paxtui.tui.stage.prose import Keys, Prose, Rows
from paxtui.tui.stage.screen import PaxOverlay
from paxtui.tui.war import odds


class AttackScreen(PaxOverlay[bool | None]):
    """Shows what an attack can bring; the answer is True where it is ordered.

    Args:
        tables: the tables of the game.
        title: where, and with what.
        assaults: the attack with each set of allies that may join, the largest force first.
    """

    TOPIC = "attack"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", "Close", id="attack.close", tooltip="Do not attack"),
    ]

    def __init__(self, tables: Tables, title: str, assaults: Sequence[Assault]) -> None:
        super().__init__()
        self._tables, self._title, self._assaults = tables, title, tuple(assaults)

    def compose(self) -> ComposeResult:
        """The sets of allies, and the odds of the one under the cursor."""
        with Vertical(classes="box"):
            yield Prose(self._title, classes="title")
            yield Rows(*(Option(self._line(a), id=str(n)) for n, a in enumerate(self._assaults)), id="assaults")
            yield Prose(id="odds")
            asked = ", allies there are asked" if len(self._assaults) > 1 else ""
            note = f"Enter orders the attack{asked} · ↑ ↓ other allies · {{attack.close}} not now"
            yield Keys(self.keyed(note))

    def _line(self, assault: Assault) -> Text:
        text = Text(f"{odds.heading(self._tables, assault)}   ", no_wrap=True, overflow="ellipsis")
        text.append(odds.chances(assault), self.look.key)
        if assault.aside:
            text.append(f"   without {powers_named(self._tables, assault.aside)}", self.look.faint)
        return self.look.signs(text)

    def on_mount(self) -> None:
        """The largest force first."""
        rows = self.query_one(Rows)
        self.set_focus(rows)
        rows.highlighted = 0

    @on(Rows.OptionHighlighted)
    def _told(self, event: Rows.OptionHighlighted) -> None:
        """The odds of the set under the cursor."""
        self.query_one("#odds", Prose).update(odds.table(self.look, self._assaults[event.option_index]))

    @on(Rows.OptionSelected)
    def _selected(self, event: Rows.OptionSelected) -> None:
        event.stop()
        self.dismiss(True)

    def action_close(self) -> None:
        """Do not attack."""
        self.dismiss(None)
