"""Interface to the names and longer texts that the sentences of events contain."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from paxtui.games.pax.state.diplomacy import Clause, Treaty
from paxtui.games.pax.state.questions import Pending


class Names(Protocol):
    """Names of things that events mention by id; `paxtui.games.pax.narration.labels` implements it.

    All names are worded to stand inside a sentence.
    """

    @property
    def choices(self) -> Mapping[str, Pending]:
        """All known questions, by id."""

    def alliance(self, war: str, number: int) -> str:
        """Name the Powers of an Alliance; "Alliance 1" for an unknown War."""

    def war(self, id_: str) -> str:
        """Name a War by its kind or its sides; an unknown War by its id."""

    def cause(self, id_: str) -> str:
        """Name a Casus Belli."""

    def treaty(self, id_: str) -> str:
        """Name an agreement by its id; "an agreement" if it is unknown."""

    def title(self, treaty: Treaty) -> str:
        """Name an agreement."""

    def articles(self, treaty: Treaty) -> str:
        """Format the numbered clauses of an agreement."""

    def clause(self, clause: Clause) -> str:
        """Describe a clause."""

    def question(self, choice: Pending) -> str:
        """Summarize a question in a few words."""

    def answer(self, choice: Pending, answer: tuple[str, ...]) -> str:
        """Describe the answer to a question."""
