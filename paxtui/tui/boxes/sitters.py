"""Who sits where in a running game: every seat with a person, a bot or nobody, changed all at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import ClassVar

from msgspec.structs import replace
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical

from paxtui.bots.statesman.character import LEVELS, TEMPERS
from paxtui.pax.orders.seating import PERSON, Sitter, Temper, sitter_words
from paxtui.pax.words.spoken import power_name
from paxtui.table.session import Session
from paxtui.tui.stage.listing import ListBox
from paxtui.tui.stage.prose import Keys, Prose, Rows

RIVAL = Sitter(by="bot", level="normal")
"""Who plays against a person who plays alone."""
STEADY = Sitter(by="bot", level="steady")
CARETAKER = Sitter(by="bot", level="caretaker")
CHOICES = (PERSON, RIVAL, STEADY, CARETAKER, Sitter(by="nobody"))
"""Who can sit at a seat, in the order in which one leafs through them."""
ANY_TEMPER: tuple[Temper, ...] = ("", *TEMPERS)


def following(sitter: Sitter, step: int) -> Sitter:
    """Who comes next in the list; a statesman is one, however he plays."""
    kind = RIVAL if sitter.level in LEVELS else sitter
    return CHOICES[(CHOICES.index(kind) + step) % len(CHOICES)] if kind in CHOICES else CHOICES[0]


def other_level(sitter: Sitter) -> Sitter:
    """A statesman who plays better, or after the best the weakest; anybody else stays who he is."""
    if sitter.level not in LEVELS:
        return sitter
    return replace(sitter, level=LEVELS[(LEVELS.index(sitter.level) + 1) % len(LEVELS)])


def other_temper(sitter: Sitter) -> Sitter:
    """A statesman of another temper, or none; anybody else stays who he is."""
    if sitter.level not in LEVELS:
        return sitter
    return replace(sitter, temper=ANY_TEMPER[(ANY_TEMPER.index(sitter.temper) + 1) % len(ANY_TEMPER)])


class SittersScreen(ListBox[dict[str, Sitter] | None]):
    """Answers with those seats at which somebody else is to sit.

    Args:
        session: the open game.
    """

    TOPIC = "sitters"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", "Close", id="sitters.close", tooltip="Leave everybody where they sit"),
        Binding("right", "change(1)", "Next", id="sitters.next", tooltip="Somebody else sits there"),
        Binding("left", "change(-1)", "Before", id="sitters.previous", tooltip="Whoever came before"),
        Binding("l", "level", "Level", id="sitters.level", tooltip="How well the statesman plays"),
        Binding("t", "temper", "Temper", id="sitters.temper", tooltip="How the statesman treats his neighbours"),
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
            yield Prose("A statesman plays to win, a steady bot trades.", classes="note")
            yield Prose("A caretaker keeps what is held, an empty seat nothing.", classes="note")
            how = "Enter or {sitters.previous} {sitters.next} who · {sitters.level} level · {sitters.temper} temper"
            yield Keys(self.keyed(how + " · {sitters.done} does it · {sitters.close} leaves it"))

    def lines(self) -> Iterable[Text]:
        """The seats, and who sits there."""
        look = self.look
        for seat in self._seats:
            changed = self._after[seat] != self._before[seat]
            text = Text(no_wrap=True)
            text.append(look.palette.text(f"{power_name(self._tables, seat):<20} "))
            text.append(look.palette.text(sitter_words(self._after[seat])), look.key if changed else "")
            yield text

    @on(Rows.OptionSelected)
    def _selected(self) -> None:
        self.action_change(1)

    def action_change(self, step: int) -> None:
        """Somebody else sits at the seat under the cursor."""
        self._change(lambda sitter: following(sitter, step))

    def action_level(self) -> None:
        """The statesman under the cursor plays better or worse."""
        self._change(other_level)

    def action_temper(self) -> None:
        """The statesman under the cursor has another temper."""
        self._change(other_temper)

    def _change(self, changed: Callable[[Sitter], Sitter]) -> None:
        row = self.row or 0
        seat = self._seats[row]
        self._after[seat] = changed(self._after[seat])
        self.fill(row)

    def action_done(self) -> None:
        """Let them sit so."""
        if all(sitter.plays_itself for sitter in self._after.values()):
            self.notify("Somebody has to play: let a person sit at one of the seats.", severity="warning", timeout=5)
            return
        self.dismiss({seat: who for seat, who in self._after.items() if who != self._before[seat]})
