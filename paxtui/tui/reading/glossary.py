"""The glossary: the words and signs of the game, found by name, spelling, sign or what is said of them."""

from __future__ import annotations

from paxtui.table.reference.glossary import find_terms
from paxtui.tui.reading.pages import TERM
from paxtui.tui.reading.reading import ReadingScreen


class GlossaryScreen(ReadingScreen):
    """The words of the game, all of them or those that the words find."""

    TITLE_TEXT = "The glossary"
    HINT = "a word or a sign, such as Codominion or ⚔"

    def find(self, words: str) -> list[tuple[str, str, str]]:
        """Terms by name, spelling, sign or text."""
        return [(TERM + t.name, f"{t.sign + ' ' if t.sign else ''}{t.name}", t.text) for t in find_terms(words)]
