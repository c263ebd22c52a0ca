"""The line for words of the game screen: an order, or a place to be found, with a list of what can stand next."""

from __future__ import annotations

from typing import ClassVar

from rich.cells import cell_len
from rich.text import Text
from textual import on
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.widgets import Input

from paxtui.pax.orders.notation import VERBS
from paxtui.table.session import Session
from paxtui.tui.stage.prose import Panel
from paxtui.tui.widgets.guesses import Guess, Guesses, completed, of_orders, of_places, shown
from paxtui.tui.writing.look import Look
from paxtui.tui.writing.wrapping import hanging

ORDER, PLACE = "command", "find"
"""What the line asks for; the page of the help about each is called so, too."""

ARBITERS = ("advance", "advance!", "step", "position", "abandon", "resume")
"""Orders of the arbiter of the engine protocol: here the game advances by itself."""

SEAT = "seat"
"""The word that the line knows besides the notation: another seat sits down."""

WORD = "word"
"""The word with which a player gives one of his own for fair dice."""

WORDS = (*(verb for verb in VERBS if verb not in ARBITERS), SEAT)
"""First words of orders."""

LINES = 8
"""Guesses that the list shows at once."""
WIDEST = 100
"""Cells of a row that says what an order would bring."""


class GuessList(Panel):
    """The list over the line: what its last word may become, the one that Tab takes lit."""

    _room = 0, 0
    """Rows and cells that the list takes."""

    def tell(self, guesses: list[Guess], at: int, look: Look, brings: Text) -> None:
        """Show guesses, and what the order would bring.

        Args: all of them; the number of the one that is lit, -1 for none; colours; what a whole order would bring.
        """
        if not (guesses or brings):
            self.display = False
            return
        first = max(0, min(at - LINES // 2, len(guesses) - LINES))
        out = Text(no_wrap=True, overflow="ellipsis")
        for n, line in enumerate(shown(guesses)[first : first + LINES], first):
            out.append(look.palette.text(line) + "\n", f"{look.key} reverse" if n == at else "")
        if len(guesses) > LINES:
            out.append(f"{len(guesses)} in all; Tab walks through them", look.faint)
        elif guesses:
            out.append("Tab completes", look.faint)
        if brings:
            out.append("\n" if guesses else "")
            out.append_text(hanging(brings, min(WIDEST, self.app.size.width - 4), 0))
        lines = out.plain.split("\n")
        room = len(lines), max(map(cell_len, lines))
        # a list that needs the room of the last one moves nothing
        self.update(out, layout=room != self._room or not self.display)
        self._room, self.display = room, True


class OrderLine(Input):
    """The line for words; it keeps the orders that were given."""

    virtual_size: reactive[Size] = reactive(Size(0, 0))
    """The room that the words would take. Unlike in other inputs nothing is laid out anew for each letter of them."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "complete(1)", "Complete", id="line.complete", tooltip="Complete the word, or the next guess"),
        Binding("shift+tab", "complete(-1)", "Guess before", id="line.complete_back", tooltip="The guess before"),
    ]

    class Entered(Message):
        """Words have been entered. `asks` is what for: ORDER or PLACE."""

        def __init__(self, text: str, asks: str) -> None:
            super().__init__()
            self.text, self.asks = text, asks

    class Guessed(Message):
        """What the last word may become has changed. `at`: the number of the guess that stands in the line, or -1."""

        def __init__(self, guesses: list[Guess], at: int) -> None:
            super().__init__()
            self.guesses, self.at = guesses, at

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, compact=True)
        self.asks = ""
        self.given: list[str] = []
        self._recalled = 0
        self._guesses: Guesses = lambda text: []
        self._walk: tuple[str, list[Guess], int] | None = None  # what was typed, its guesses, the one that stands there
        self._walked = ""

    def ask_order(self, session: Session, verb: str = "") -> None:
        """Ask for an order; `verb` stands there already."""
        self.placeholder = "order: place influence egypt"
        self._guesses = of_orders(session, WORDS)
        self._ask(ORDER, f"{verb} " if verb else "")

    def ask_place(self, session: Session) -> None:
        """Ask for a place."""
        self.placeholder = "find: egy"
        self._guesses = of_places(session.tables)
        self._ask(PLACE, "")

    def _ask(self, asks: str, value: str) -> None:
        self.asks = asks
        self.select_on_focus = not value  # a word that stands there stays when one types on
        self.value = value
        self.cursor_position = len(value)
        self._guess()

    # --- guesses --------------------------------------------------------------------------------------------------

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        if self.value != self._walked:
            self._guess()

    def _guess(self) -> None:
        """Show what the last word may become."""
        self._walk, self._walked = None, ""
        self.post_message(self.Guessed(self._guesses(self.value) if self.asks == PLACE or self.value else [], -1))

    def action_complete(self, step: int) -> None:
        """Complete the last word as far as all guesses agree; from there on walk through them."""
        whole = self.asks == PLACE
        if self._walk is None:
            guesses = self._guesses(self.value)
            longer = completed(self.value, guesses, whole)
            if longer.casefold() != self.value.casefold() or not guesses:
                self._put(longer)
                return
            self._walk = self.value, guesses, -1 if step > 0 else 0
        typed, guesses, at = self._walk
        at = (at + step) % len(guesses)
        self._walk = typed, guesses, at
        self._walked = completed(typed, [guesses[at]], whole).rstrip()
        self._put(self._walked)
        self.post_message(self.Guessed(guesses, at))

    def _put(self, text: str) -> None:
        self.value = text
        self.cursor_position = len(text)

    def best(self, text: str) -> str:
        """The first guess at a whole line, "" for none."""
        guesses = self._guesses(text)
        return guesses[0].word if guesses else ""

    # --- what was given ---------------------------------------------------------------------------------------------

    def remember(self, text: str) -> None:
        """Keep an order that was given, to be recalled."""
        self.given.append(text)
        self._recalled = len(self.given)

    def recall(self, step: int) -> None:
        """Show an earlier order (-1) or a later one (1)."""
        if self.given:
            self._recalled = max(0, min(len(self.given), self._recalled + step))
            self.value = self.given[self._recalled] if self._recalled < len(self.given) else ""
            self.cursor_position = len(self.value)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.post_message(self.Entered(event.value.strip(), self.asks))
