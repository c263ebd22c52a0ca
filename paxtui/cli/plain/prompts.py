"""Numbered lists of the plain mode, and the curtain that hides secrets when players share a keyboard.

A list is printed a page at a time. A number or the bare text of a line chooses it.

A terminal without a screen cannot be cleared. The curtain therefore prints blank lines and clears the input history.
The next player lifts it with a word, because Enter alone may be held down; all other input is ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import NamedTuple

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.text.parsing import fold_name
from paxtui.session.session import Session

PAGE_LENGTH = 30
"""Numbered lines printed at once; `more` prints the next ones."""


class NumberedOption(NamedTuple):
    """A numbered line: printed text, its order, other texts that choose it, and a line to print before it."""

    shown: str
    say: str
    names: tuple[str, ...] = ()
    heading: str = ""


class NumberedAnswer(NamedTuple):
    """Lines before a list, its numbered lines, and lines after it."""

    lines: list[str]
    options: tuple[NumberedOption, ...] = ()
    after: tuple[str, ...] = ()


class NumberedList:
    """The last numbered list; part of it may not be printed yet."""

    def __init__(self) -> None:
        self._options: tuple[NumberedOption, ...] = ()
        self._read = 0

    def ask(self, answer: NumberedAnswer) -> list[str]:
        """Print the first page of a list and remember the list."""
        self._options, self._read = answer.options, 0
        page = self.more() if answer.options else []
        return [*answer.lines, *page, *answer.after]

    def more(self) -> list[str]:
        """Return the next page of the list."""
        start, self._read = self._read, min(len(self._options), self._read + PAGE_LENGTH)
        out = []
        for n in range(start, self._read):
            option = self._options[n]
            out += [option.heading] if option.heading else []
            out.append(f"{n + 1} {option.shown}")
        left = len(self._options) - self._read
        return out + ([f"{left} more: say 'more'."] if left else []) or ["No more lines."]

    def meant(self, numbers: Sequence[int]) -> str:
        """Return the order for numbers; several numbers answer one question together.

        Raises: Refusal.
        """
        most = len(self._options)
        for n in numbers:
            if not 1 <= n <= most:
                last = f"the last list has lines 1 to {most}" if most else "no list is open; 'what' lists your orders"
                raise Refusal("notation", (), f"No line {n}: {last}.")
        orders = [self._options[n - 1].say for n in numbers]
        heads = {" ".join(text.split()[:2]) for text in orders}
        if len(orders) > 1 and (len(heads) > 1 or not orders[0].startswith("choose ")):
            raise Refusal("notation", (), "Several numbers together must answer one question.")
        return " ".join([orders[0], *(text.split(" ", 2)[2] for text in orders[1:])])

    def named(self, text: str, words: Container[str]) -> str:
        """Return the order for a bare text, "" if it matches no line; full words take precedence over prefixes."""
        found = [o.say for o in self._options if any(fold_name(name) == fold_name(text) for name in o.names)]
        if found:
            return found[0]
        if text.split()[0].casefold() in words:
            return ""
        found = [o.say for o in self._options if any(fold_name(name).startswith(fold_name(text)) for name in o.names)]
        return found[0] if len(set(found)) == 1 else ""


LineSource = Callable[[], list[str]]
"""Returns the lines that a seat reads when the curtain is lifted."""

LIFT_WORD = "here"
"""The word that lifts the curtain."""
LEAVING = ("quit", "exit", "q")
"""Words that work behind the curtain."""


class Curtain:
    """Hides the text of one seat from the next; a word lifts it.

    Args:
        rows: returns the rows of the terminal, the number of blank lines to print. None for a pipe: without a
            reader there is nothing to hide.
        forget: clears the input history.

    Attributes:
        watched: whether there is a terminal to hide text on.
    """

    def __init__(self, rows: Callable[[], int] | None = None, forget: Callable[[], None] = lambda: None) -> None:
        self._rows, self._forget = rows, forget
        self.watched = rows is not None
        self._behind: LineSource | None = None
        self._who = ""

    @property
    def down(self) -> bool:
        """Whether the curtain is down."""
        return self._behind is not None

    def wanted(self, session: Session) -> bool:
        """Whether the curtain must fall when the seat changes."""
        return self.watched and len(session.seats.here()) > 1 and session.seats.has_secrets

    def fall(self, who: str, behind: LineSource) -> list[str]:
        """Hide the printed text, keep the lines for a player, and return the prompt for this player."""
        self._who, self._behind = who, behind
        self._forget()
        rows = self._rows() if self._rows else 0
        return [*[""] * rows, self.asks]

    @property
    def asks(self) -> str:
        """The prompt: the next player, and how to lift the curtain."""
        return f"{self._who}, take the keyboard. Enter '{LIFT_WORD}' when you alone can read this."

    def lift(self) -> list[str]:
        """Lift the curtain and return the lines for the seat."""
        behind, self._behind = self._behind, None
        return behind() if behind else []
