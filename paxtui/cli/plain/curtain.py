"""The curtain of the plain mode: where seats at one keyboard have secrets, nothing is told before the next one sits.

A terminal of lines has no screen to blank, so what the last player read is moved out of sight by blank lines, and what
he typed is no longer to be recalled. It takes a word to lift it, for the key that ends a line is one that is held
down; every other line is left unheard.
"""

from __future__ import annotations

from collections.abc import Callable

from paxtui.pax.words.spoken import power_name
from paxtui.table.session import Session

Told = Callable[[], list[str]]
"""Gives what a seat is told when the curtain is up."""

HERE = "here"
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
        self._behind: Told | None = None
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

    def fall(self, session: Session, behind: Told) -> list[str]:
        """Hide what was told, and keep what the seat that is to sit down will be told. Returns: what is said."""
        return self.fall_before(power_name(session.tables, session.seat), behind)

    def fall_before(self, who: str, behind: Told) -> list[str]:
        """The same, before a player who is named."""
        self._who, self._behind = who, behind
        self._forget()
        rows = self._rows() if self._rows else 0
        return [*[""] * rows, self.asks]

    @property
    def asks(self) -> str:
        """Who is to sit down, and how the curtain is lifted."""
        return f"{self._who}, sit down. Say '{HERE}' when nobody else can read this."

    def lift(self) -> list[str]:
        """What lay behind it."""
        behind, self._behind = self._behind, None
        return behind() if behind else []
