"""The rule reference: find rules by id or by words, read them, follow them to each other and into the game."""

from __future__ import annotations

from paxtui.tui.reading.pages import RULE, find_rules
from paxtui.tui.reading.reading import ReadingScreen


class RulesScreen(ReadingScreen):
    """The rules, all of them or those that the words find."""

    TITLE_TEXT = "The rules"
    HINT = "rule id or words, such as CCB-014 or garrison"

    def find(self, words: str) -> list[tuple[str, str, str]]:
        """Rules by id or words."""
        return [(RULE + r.id, r.id, r.statement) for r in find_rules(words)]
