"""Who sits where in a running game: every seat with a person, a bot or nobody, changed all at once."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets.option_list import Option

from paxtui.pax.orders.seating import PERSON, Sitter, sitter_words
from paxtui.pax.words.spoken import power_name
from paxtui.table.session import Session
from paxtui.tui.stage.prose import Prose, Rows
from paxtui.tui.stage.screen import PaxOverlay

STEADY = Sitter(by="bot", level="steady")
CHOICES = (PERSON, STEADY, Sitter(by="bot", level="caretaker"), Sitter(by="nobody"))
"""Who can sit at a seat, in the order in which one leafs through them."""


def following(sitter: Sitter, step: int) -> Sitter:
    """Who comes next in the list; after somebody who is not in it, its first."""
    return CHOICES[(CHOICES.index(sitter) + step) % len(CHOICES)] if sitter in CHOICES else CHOICES[0]


class SittersScreen(PaxOverlay[dict[str, Sitter] | None]):
    """Answers with those seats at which somebody else is to sit.

    Args:
        session: the open game.
    """

    TOPIC = "sitters"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", "Close", id="sitters.close", tooltip="Leave everybody where they sit"),
        Binding("right", "change(1)", "Next", id="sitters.next", tooltip="Somebody else sits there"),
        Binding("left", "change(-1)", "Before", id="sitters.previous", tooltip="Whoever came before"),
        Binding("f10", "done", "Done", id="sitters.done", tooltip="Let them sit so"),
    ]

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._tables, self._seats = session.tables, session.live.players
        self._before = {seat: session.sitter(seat) for seat in self._seats}
        self._after = dict(self._before)

    def compose(self) -> ComposeResult:
        """The seats, and what it means."""
        with Vertical(classes="box"):
            yield Prose("Who sits where", classes="title")
            yield Rows(id="sitters")
            yield Prose("A bot moves at once; a caretaker keeps what is held.", classes="note")
            yield Prose("An empty seat only takes what comes.", classes="note")
            yield Prose("Enter or ← → changes a seat · F10 does it · Esc leaves it", classes="note")

    def on_mount(self) -> None:
        """Show the seats."""
        self._show(0)
        self.set_focus(self.query_one(Rows))

    def _show(self, row: int) -> None:
        rows, look = self.query_one(Rows), self.look
        rows.clear_options()
        for seat in self._seats:
            changed = self._after[seat] != self._before[seat]
            text = Text(no_wrap=True)
            text.append(look.palette.text(f"{power_name(self._tables, seat):<20} "))
            text.append(look.palette.text(sitter_words(self._after[seat])), look.key if changed else "")
            rows.add_option(Option(text, id=seat))
        rows.highlighted = row

    @on(Rows.OptionSelected)
    def _selected(self) -> None:
        self.action_change(1)

    def action_change(self, step: int) -> None:
        """Somebody else sits at the seat under the cursor."""
        row = self.query_one(Rows).highlighted or 0
        seat = self._seats[row]
        self._after[seat] = following(self._after[seat], step)
        self._show(row)

    def action_done(self) -> None:
        """Let them sit so."""
        if all(sitter.plays_itself for sitter in self._after.values()):
            self.notify("Somebody has to play: let a person sit at one of the seats.", severity="warning", timeout=5)
            return
        self.dismiss({seat: who for seat, who in self._after.items() if who != self._before[seat]})

    def action_close(self) -> None:
        """Leave everybody where they sit."""
        self.dismiss(None)
