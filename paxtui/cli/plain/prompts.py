"""Numbered lines: read a page at a time, and remembered, so that a number or a bare text takes one of them.

The curtain of the plain mode: where seats at one keyboard have secrets, nothing is told before the next one sits.

A terminal of lines has no screen to blank, so what the last player read is moved out of sight by blank lines, and what
he typed is no longer to be recalled. It takes a word to lift it, for the key that ends a line is one that is held
down; every other line is left unheard.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import NamedTuple

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.text.display import power_name
from paxtui.games.pax.text.parsing import fold_name
from paxtui.session.local_session import Session

PAGE_LENGTH = 30
"""Numbered lines that are read at once; `more` goes on."""


class NumberedOption(NamedTuple):
    """A numbered line: what is read out, what it stands for, the bare texts that name it too, a line before it."""

    shown: str
    say: str
    names: tuple[str, ...] = ()
    heading: str = ""


class NumberedAnswer(NamedTuple):
    """Lines to read, numbered lines after them, and lines at the end."""

    lines: list[str]
    options: tuple[NumberedOption, ...] = ()
    after: tuple[str, ...] = ()


class NumberedList:
    """The numbered lines that were read last, of which some may not have been read yet."""

    def __init__(self) -> None:
        self._options: tuple[NumberedOption, ...] = ()
        self._read = 0

    def ask(self, answer: NumberedAnswer) -> list[str]:
        """Read numbered lines and remember them."""
        self._options, self._read = answer.options, 0
        page = self.more() if answer.options else []
        return [*answer.lines, *page, *answer.after]

    def more(self) -> list[str]:
        """The next numbered lines of a list that was cut."""
        start, self._read = self._read, min(len(self._options), self._read + PAGE_LENGTH)
        out = []
        for n in range(start, self._read):
            option = self._options[n]
            out += [option.heading] if option.heading else []
            out.append(f"{n + 1} {option.shown}")
        left = len(self._options) - self._read
        return out + ([f"{left} more: say 'more'."] if left else []) or ["There is nothing more."]

    def meant(self, numbers: Sequence[int]) -> str:
        """What numbers stand for; several of them answer one question together.

        Raises: Refusal.
        """
        most = len(self._options)
        for n in numbers:
            if not 1 <= n <= most:
                last = f"the last list has 1 to {most}" if most else "no list is open; 'what' makes one"
                raise Refusal("notation", (), f"There is no line {n}: {last}.")
        said = [self._options[n - 1].say for n in numbers]
        heads = {" ".join(text.split()[:2]) for text in said}
        if len(said) > 1 and (len(heads) > 1 or not said[0].startswith("choose ")):
            raise Refusal("notation", (), "Several numbers together must answer one question.")
        return " ".join([said[0], *(text.split(" ", 2)[2] for text in said[1:])])

    def named(self, text: str, words: Container[str]) -> str:
        """What a bare text stands for, "" when it names no line; `words` go before the beginning of a name."""
        found = [o.say for o in self._options if any(fold_name(name) == fold_name(text) for name in o.names)]
        if found:
            return found[0]
        if text.split()[0].casefold() in words:
            return ""
        found = [o.say for o in self._options if any(fold_name(name).startswith(fold_name(text)) for name in o.names)]
        return found[0] if len(set(found)) == 1 else ""


LineSource = Callable[[], list[str]]
"""Gives what a seat is told when the curtain is up."""

LIFT_WORD = "here"
"""The word that lifts it."""
LEAVING = ("quit", "exit", "q")
"""Words that are heard behind the curtain."""


class Curtain:
    """Falls between two seats, and is lifted by a word.

    Args:
        rows: gives the rows of the terminal, as many blank lines hide what was read; None where there is nobody to
            hide it from, as on a pipe: then it never falls.
        forget: forgets what was typed.
    """

    def __init__(self, rows: Callable[[], int] | None = None, forget: Callable[[], None] = lambda: None) -> None:
        self._rows, self._forget = rows, forget
        self._behind: LineSource | None = None
        self._who = ""

    @property
    def watched(self) -> bool:
        """Whether there is somebody to hide things from."""
        return self._rows is not None

    @property
    def down(self) -> bool:
        """Whether it hides something now."""
        return self._behind is not None

    def wanted(self, session: Session) -> bool:
        """Whether it has to fall when another seat sits down."""
        return self.watched and len(session.seats_here()) > 1 and session.has_secrets

    def fall(self, session: Session, behind: LineSource) -> list[str]:
        """Hide what was told, and keep what the seat that is to sit down will be told. Returns: what is said."""
        return self.fall_before(power_name(session.tables, session.seat), behind)

    def fall_before(self, who: str, behind: LineSource) -> list[str]:
        """The same, before a player who is named."""
        self._who, self._behind = who, behind
        self._forget()
        rows = self._rows() if self._rows else 0
        return [*[""] * rows, self.asks]

    @property
    def asks(self) -> str:
        """Who is to sit down, and how the curtain is lifted."""
        return f"{self._who}, sit down. Say '{LIFT_WORD}' when nobody else can read this."

    def lift(self) -> list[str]:
        """What lay behind it."""
        behind, self._behind = self._behind, None
        return behind() if behind else []
