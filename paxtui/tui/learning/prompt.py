"""The prompt of the tutorial: which step it is, what to do and why, and a hint for whoever does something else."""

from __future__ import annotations

from collections.abc import Mapping

from rich.text import Text

from paxtui.pax.board.tables import Rule
from paxtui.tui.learning.lesson import Step, pieces
from paxtui.tui.writing.look import Look

ARROWS = {ord("↑"): "Up", ord("↓"): "Down", ord("←"): "Left", ord("→"): "Right"}
"""Arrow keys in words, for terminals without arrows."""
BAR = 12
"""Cells of the bar that shows how far the tutorial has come."""


def prompt(
    step: Step, number: int, of: int, keys: Mapping[str, str], figures: Mapping[str, str], look: Look, width: int
) -> Text:
    """The strip: a line with number, title, rules and keys, then the text.

    Args: the step; its number from 1, and how many there are; keys by binding id, as people write them; figures of the
        moment by name; colours; columns of the strip.
    """
    out = Text()
    left = look.text((f"{step.title} ", "bold"))
    right = Text(f"{keys['tutorial.back']} back  {keys['tutorial.skip']} skip  {keys['game.leave']} leave", look.faint)
    filled = number * BAR // of
    bar = f"{number:>2}/{of} {'█' * filled}{'░' * (BAR - filled)}  "
    if look.palette.ascii:
        bar = bar.translate({ord("█"): "#", ord("░"): "-"})
    # as many rules as there is room for
    room = width - left.cell_len - right.cell_len - len(bar) - 1
    count = next((n for n in range(len(step.rules), 0, -1) if len(_ids(step.rules[:n])) <= room), 0)
    rules = _ids(step.rules[:count])
    out.append(bar, look.key)
    out.append_text(left)
    out.append(" " * max(1, room - len(rules) + 1))
    out.append(rules, look.faint)
    out.append_text(right)
    out.append("\n")
    return out.append_text(words(step.text, keys, figures, look))


def words(text: str, keys: Mapping[str, str], figures: Mapping[str, str], look: Look) -> Text:
    """A text with its keys lit."""
    out = Text()
    for body, pressed in pieces(text.strip(), keys.__getitem__, dict(figures)):
        if look.palette.ascii:
            body = body.translate(ARROWS)
        out.append_text(look.text((body, look.key if pressed else "")))
    return out


def _ids(rules: list[str]) -> str:
    """Rules as they stand in the first line."""
    return f"[{' '.join(rules)}]  " if rules else ""


def behind(rules: list[Rule], look: Look) -> Text:
    """The first rule behind a step in its own words, for screens with room."""
    out = Text()
    for rule in rules[:1]:
        out.append(f"{rule.id} ", look.key)
        out.append(look.palette.text(rule.statement), look.faint)
    return out
